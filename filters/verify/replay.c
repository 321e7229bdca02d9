/* replay: do the recorded producers give the same rows from the sources again? */
#include "mem.h"
#include "num.h"
#include "proc.h"
#include "verify.h"

/*
 * What may be started, and with which options. The header is data from a file: an option that is
 * not listed here (--output, say) must never get through.
 */
static const struct rule {
	const char *program;
	const char *format; /* of the foreign inputs it reads; NULL: it reads samples */
	const char *always; /* what it is given in any case, or NULL */
	unsigned limits; /* fatal ones: not recorded, so those that we were given are passed on */
	const char *options[16];
} rules[] = {
	{"pl-aggregate",
	 NULL,
	 "--allow-empty", /* not recorded: it changes no result */
	 PL_LIMIT_BIT(PL_LIMIT_RECORDS) | PL_LIMIT_BIT(PL_LIMIT_UNIQUE_FRAMES) |
		 PL_LIMIT_BIT(PL_LIMIT_UNIQUE_CALL_PATHS) | PL_LIMIT_BIT(PL_LIMIT_OUTPUT_BYTES),
	 {"top_n", "call_path_limit", "no_paths", "event", "group_by", "unresolved_threshold",
	  "max_warnings"}},
	{"pl-select",
	 NULL,
	 NULL,
	 0,
	 {"comm", "pid", "tid", "cpu", "time", "event", "mode", "symbol"}},
	{"pl-expand", NULL, NULL, 0, {NULL}},
	{"pl-fold-parse",
	 "folded",
	 NULL,
	 PL_LIMIT_BIT(PL_LIMIT_INPUT_BYTES) | PL_LIMIT_BIT(PL_LIMIT_RECORDS) |
		 PL_LIMIT_BIT(PL_LIMIT_UNIQUE_FRAMES),
	 {"unit", "event_name", "scale", "column", "keep_annotations", "dso_from_frame",
	  "max_line_bytes", "max_stack_depth", "max_warnings", "no_digest"}},
	{"pl-script-parse",
	 "perf-script",
	 NULL,
	 PL_LIMIT_BIT(PL_LIMIT_INPUT_BYTES) | PL_LIMIT_BIT(PL_LIMIT_RECORDS) |
		 PL_LIMIT_BIT(PL_LIMIT_UNIQUE_FRAMES),
	 {"addresses", "normalise_generated", "raw_names", "kernel_max_stack", "max_line_bytes",
	  "max_stack_depth", "max_warnings", "no_digest"}},
};

static const char *const environment[] = {"LANG=C", "LC_ALL=C", "PATH=/usr/bin:/bin", NULL};

struct replay {
	const struct artifact *a;
	const struct sources *sources;
	const struct pl_limits *limits;
	struct pl_verdict *v;
	struct step {
		const struct rule *rule;
		uint32_t options; /* token of the header */
		struct pl_list argv;
	} steps[PL_PROC_STAGES]; /* in the pipeline's order, from `first` on */
	size_t first;
	uint32_t inputs; /* token of the first step's foreign inputs */
	struct pl_arena words;
};

/* ---- the steps ---- */

static const struct rule *find_rule(struct pl_str program)
{
	for (size_t i = 0; i < PL_COUNT(rules); i++)
		if (pl_str_is(program, rules[i].program))
			return &rules[i];
	return NULL;
}

static int shown(struct pl_str s)
{
	return (int)(s.n < 64 ? s.n : 64);
}

/* Puts one producer in front of the steps found so far. */
static const struct rule *add_step(struct replay *r, uint32_t producer)
{
	const struct pl_json *json = &r->a->stream.header_json;
	struct pl_str program = producer ? text_member(json, producer, "program") : PL_S("");
	struct pl_str version = producer ? text_member(json, producer, "version") : PL_S("");
	uint32_t options = producer ? pl_json_member(json, producer, "options") : 0;
	const struct rule *rule = find_rule(program);

	if (!rule)
		pl_verdict_skip(r->v, "%.*s is no step that can be replayed", shown(program),
				program.p);
	else if (!pl_str_is(version, PL_VERSION))
		pl_verdict_skip(r->v, "the version changed: %s was %.*s then and is %s now",
				rule->program, shown(version), version.p, PL_VERSION);
	else if (r->first == 0)
		pl_verdict_skip(r->v, "more than %d steps", PL_PROC_STAGES);
	if (r->v->status != PL_PASSED)
		return NULL;
	r->steps[--r->first] = (struct step){.rule = rule, .options = options};
	return rule;
}

/* The one stream of samples among `inputs`, or 0. */
static uint32_t only_stream(struct replay *r, uint32_t inputs)
{
	const struct pl_json *json = &r->a->stream.header_json;
	const struct pl_json_tok *tape = json->tape;

	if (inputs && tape[inputs].type == PL_JSON_ARRAY && tape[inputs].count == 1 &&
	    tape[inputs + 1].type == PL_JSON_OBJECT &&
	    pl_str_is(text_member(json, inputs + 1, "schema"), PL_SAMPLES_SCHEMA))
		return inputs + 1;
	pl_verdict_skip(r->v, "only an analysis of one stream of samples is replayed");
	return 0;
}

/* From the header inwards: the last producer is met first. */
static void find_steps(struct replay *r)
{
	const struct pl_json *json = &r->a->stream.header_json;
	uint32_t producer = r->a->stream.header.producer;
	const struct rule *rule = add_step(r, producer);

	r->inputs = r->a->stream.header.inputs;
	if (rule && rule != &rules[0])
		pl_verdict_skip(r->v, "the analysis was not written by %s", rules[0].program);
	while (r->v->status == PL_PASSED && !rule->format) {
		uint32_t stream = only_stream(r, r->inputs);
		if (!stream)
			return;
		producer = pl_json_member(json, stream, "producer");
		if (producer && json->tape[producer].type != PL_JSON_OBJECT)
			producer = 0;
		r->inputs = pl_json_member(json, stream, "inputs");
		rule = add_step(r, producer);
	}
}

/* ---- their arguments ---- */

static void add_word(struct replay *r, struct step *step, const char *p, size_t n)
{
	struct pl_list *argv = &step->argv;

	PL_GROW(argv->v, argv->n + 2, argv->cap); /* and the NULL that ends it */
	argv->v[argv->n++] = pl_arena_dup(&r->words, p, n);
}

/* --NAME, or --NAME=VALUE when there is one. */
static void add_option(struct replay *r, struct step *step, const char *name, struct pl_str value)
{
	struct pl_buf word = {0};

	pl_buf_printf(&word, "--%s", name);
	for (size_t i = 0; i < word.n; i++)
		if (word.p[i] == '_')
			word.p[i] = '-';
	if (value.p) {
		pl_buf_addc(&word, '=');
		pl_buf_adds(&word, value);
	}
	add_word(r, step, word.p, word.n);
	pl_buf_free(&word);
}

static void add_value(struct replay *r, struct step *step, const char *name, uint32_t tok)
{
	const struct pl_json *json = &r->a->stream.header_json;
	const struct pl_json_tok *t = &json->tape[tok];
	char digits[PL_NUM_MAX];

	if (t->type == PL_JSON_TRUE)
		add_option(r, step, name, (struct pl_str){0});
	else if (t->type == PL_JSON_STRING || t->type == PL_JSON_REAL)
		add_option(r, step, name, pl_json_str(json, tok));
	else if (t->type == PL_JSON_UINT)
		add_option(r, step, name, (struct pl_str){digits, pl_num_put_u64(digits, t->v.u)});
	else
		pl_verdict_skip(r->v, "the option %s of %s has a value that no option has", name,
				step->rule->program);
}

static const char *allowed_option(const struct rule *rule, struct pl_str name)
{
	for (size_t i = 0; i < PL_COUNT(rule->options) && rule->options[i]; i++)
		if (pl_str_is(name, rule->options[i]))
			return rule->options[i];
	return NULL;
}

static void add_recorded(struct replay *r, struct step *step)
{
	const struct pl_json *json = &r->a->stream.header_json;
	const struct pl_json_tok *tape = json->tape;
	uint32_t object = step->options;

	if (!object || tape[object].type != PL_JSON_OBJECT) {
		pl_verdict_skip(r->v, "the options of %s are not recorded", step->rule->program);
		return;
	}
	for (uint32_t key = object + 1; key < tape[object].next; key = tape[key + 1].next) {
		struct pl_str name = pl_json_str(json, key);
		const char *allowed = allowed_option(step->rule, name);
		if (!allowed) {
			pl_verdict_skip(r->v, "%s with the option %.*s is not replayed",
					step->rule->program, shown(name), name.p);
			return;
		}
		if (tape[key + 1].type != PL_JSON_ARRAY) {
			add_value(r, step, allowed, key + 1);
			continue;
		}
		for (uint32_t t = key + 2; t < tape[key + 1].next; t = tape[t].next)
			add_value(r, step, allowed, t);
	}
}

static void add_limits(struct replay *r, struct step *step)
{
	for (enum pl_limit l = 0; l < PL_LIMIT_COUNT; l++) {
		char digits[PL_NUM_MAX];
		const struct pl_limit_info *info = pl_limit_info(l);
		if ((step->rule->limits & PL_LIMIT_BIT(l)) && r->limits->v[l] != info->fallback)
			add_option(
				r, step, info->option,
				(struct pl_str){digits, pl_num_put_u64(digits, r->limits->v[l])});
	}
}

/* The files that the first step reads. */
static void add_sources(struct replay *r, struct step *step)
{
	const struct pl_json *json = &r->a->stream.header_json;
	const struct pl_json_tok *tape = json->tape;

	if (!r->inputs || tape[r->inputs].type != PL_JSON_ARRAY || tape[r->inputs].count == 0) {
		pl_verdict_skip(r->v, "the artifact names no input");
		return;
	}
	add_word(r, step, "--", 2);
	for (uint32_t t = r->inputs + 1; t < tape[r->inputs].next; t = tape[t].next) {
		bool object = tape[t].type == PL_JSON_OBJECT;
		struct pl_str sha256 = object ? text_member(json, t, "sha256") : PL_S("");
		const struct source *source = sha256.n ? source_find(r->sources, sha256) : NULL;
		if (!object || !pl_str_is(text_member(json, t, "format"), step->rule->format))
			pl_verdict_skip(
				r->v,
				"an input of %s is no file of format %s: it cannot be replayed",
				step->rule->program, step->rule->format);
		else if (!source)
			pl_verdict_skip(r->v,
					"not every input has its source: give each with --source");
		else if (!source->regular)
			pl_verdict_skip(r->v,
					"a source that is no regular file cannot be read again");
		else
			add_word(r, step, source->path, strlen(source->path));
	}
}

static void build_arguments(struct replay *r)
{
	for (size_t i = r->first; i < PL_PROC_STAGES && r->v->status == PL_PASSED; i++) {
		struct step *step = &r->steps[i];
		add_word(r, step, step->rule->program, strlen(step->rule->program));
		add_word(r, step, "--quiet", 7);
		if (step->rule->always)
			add_word(r, step, step->rule->always, strlen(step->rule->always));
		add_recorded(r, step);
		add_limits(r, step);
		if (i == r->first)
			add_sources(r, step);
	}
}

/* ---- the run ---- */

static void judge_run(struct replay *r, const struct pl_stage *stages, size_t n, int result,
		      const struct pl_err *err)
{
	size_t culprit = n;
	int status = result ? 0 : pl_proc_status(stages, n, &culprit);

	if (result && err->code == PL_E_EXTERNAL_TOOL_TIMEOUT)
		pl_verdict_skip(r->v, "the replay did not end in time");
	else if (result && err->code == PL_E_RESOURCE_LIMIT_EXCEEDED)
		pl_verdict_skip(r->v, "the replay wrote more than --max-output-bytes");
	else if (result)
		pl_verdict_skip(r->v, "the replay could not be started");
	else if (status == PL_EXIT_LIMIT)
		pl_verdict_skip(r->v, "%s met a limit", stages[culprit].name);
	else if (status)
		pl_verdict_fail(r->v, "%s ended with status %d",
				culprit < n ? stages[culprit].name : "the replay", status);
}

static void run_steps(struct replay *r, struct pl_buf *output)
{
	struct pl_stage stages[PL_PROC_STAGES] = {0};
	size_t n = PL_PROC_STAGES - r->first;
	struct pl_buf path = {0};
	struct pl_err err = {0};

	for (size_t i = 0; i < n; i++) {
		const struct step *step = &r->steps[r->first + i];
		if (!pl_proc_beside(&path, step->rule->program)) {
			pl_verdict_skip(r->v, "the replay could not be started");
			pl_buf_free(&path);
			return;
		}
		stages[i].name = step->rule->program;
		stages[i].path = pl_arena_dup(&r->words, path.p, path.n);
		stages[i].argv = step->argv.v;
		stages[i].env = environment;
	}
	pl_buf_free(&path);
	int result = pl_proc_capture(stages, n, -1, output, r->limits->v[PL_LIMIT_OUTPUT_BYTES],
				     r->limits->v[PL_LIMIT_TIMEOUT_SECONDS], &err);
	judge_run(r, stages, n, result, &err);
	for (size_t i = 0; i < n; i++)
		pl_buf_free(&stages[i].err_text);
}

/* ---- the comparison ---- */

/* The next row that a replay must give again; NULL p behind the last. */
static struct pl_str next_row(struct walk *w)
{
	for (;;) {
		switch (walk_next(w)) {
		case PL_ANALYSIS_DONE:
			return (struct pl_str){0};
		case PL_ANALYSIS_EVENT:
		case PL_ANALYSIS_QUALITY:
		case PL_ANALYSIS_HOTSPOT:
		case PL_ANALYSIS_PATH:
			return w->a->lines[w->line - 1];
		default:
			break;
		}
	}
}

static void compare(const struct artifact *a, const struct artifact *again, struct pl_verdict *v)
{
	struct walk w, w2;
	struct pl_str row, row2;

	walk_start(&w, a);
	walk_start(&w2, again);
	do {
		row = next_row(&w);
		row2 = next_row(&w2);
		if (row.p && !row2.p)
			pl_verdict_fail(v, "line %zu: the replay has no such row", w.line);
		else if (!row.p && row2.p)
			pl_verdict_fail(v, "the replay has more rows");
		else if (!pl_str_eq(row, row2))
			pl_verdict_fail(v, "line %zu: the replay gives another %.*s", w.line,
					shown(w.type), w.type.p);
	} while (row.p && row2.p && v->status == PL_PASSED);
	walk_close(&w);
	walk_close(&w2);
}

/* Someone's filter stood between the steps: that one is not recorded. */
static bool was_filtered(const struct artifact *a)
{
	bool filtered = false;
	struct walk w;

	walk_start(&w, a);
	while (walk_next(&w) != PL_ANALYSIS_DONE)
		filtered |= w.kind == PL_ANALYSIS_QUALITY &&
			    w.quality.received_samples < w.quality.announced_samples;
	walk_close(&w);
	return filtered;
}

static void replay(struct replay *r)
{
	struct artifact again = {0};

	if (was_filtered(r->a))
		pl_verdict_skip(r->v, "samples were filtered by a step that is not recorded");
	else
		find_steps(r);
	build_arguments(r);
	if (r->v->status == PL_PASSED)
		run_steps(r, &again.bytes);
	if (r->v->status == PL_PASSED) {
		artifact_open(&again);
		if (again.problem[0] || !again.analysis)
			pl_verdict_fail(r->v, "the replay gave no analysis");
		else
			compare(r->a, &again, r->v);
	}
	artifact_close(&again);
}

void check_replay(const struct artifact *a, const struct sources *sources,
		  const struct pl_limits *limits, struct pl_verdict *v)
{
	struct replay r = {
		.a = a, .sources = sources, .limits = limits, .v = v, .first = PL_PROC_STAGES};

	if (sources->n == 0) {
		pl_verdict_skip(v, "no source is given: name each input with --source");
		return;
	}
	replay(&r);
	for (size_t i = r.first; i < PL_PROC_STAGES; i++)
		free(r.steps[i].argv.v);
	pl_arena_free(&r.words);
}
