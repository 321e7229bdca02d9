/* pl-fold-parse: folded stacks to a stream of samples */
#include "diag.h"
#include "fold-parse/stacks.h"
#include "num.h"
#include "program.h"
#include "samplesw.h"
#include "text.h"
#include "utf8.h"

static struct {
	const char *unit, *event_name, *column;
	uint64_t scale;
	bool keep_annotations, dso_from_frame;
} opt = {.unit = "unknown", .event_name = "unknown", .scale = 1};

static const struct pl_opt options[] = {
	{.name = "unit",
	 .kind = PL_OPT_CHOICE,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.unit,
	 .argument = "UNIT",
	 .choices = "unknown|samples|nanoseconds|microseconds|milliseconds|seconds|bytes|cycles|"
		    "instructions|events",
	 .help = N_("what the weights are")},
	{.name = "event-name",
	 .kind = PL_OPT_TEXT,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.event_name,
	 .argument = "NAME",
	 .help = N_("what was sampled")},
	{.name = "scale",
	 .kind = PL_OPT_COUNT,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.scale,
	 .argument = "N",
	 .min = 1,
	 .help = N_("multiply each weight, which must then be an integer")},
	{.name = "column",
	 .kind = PL_OPT_CHOICE,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.column,
	 .argument = "WHICH",
	 .choices = "before|after|none",
	 .help = N_("of two columns of weights take one; none: the first is part of the name")},
	{.name = "keep-annotations",
	 .kind = PL_OPT_FLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.keep_annotations,
	 .help = N_("leave _[k] _[j] _[i] _[w] in the symbols")},
	{.name = "dso-from-frame",
	 .kind = PL_OPT_FLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.dso_from_frame,
	 .help = N_("read \"module`symbol\" and \"symbol (module)\"")},
	{0},
};

static const struct pl_program program = {
	.name = "pl-fold-parse",
	.summary = N_("Read folded (collapsed) stacks, write a stream of samples"),
	.synopsis = "[option...] [FILE...]",
	.options = options,
	.limits = PL_LIMIT_BIT(PL_LIMIT_INPUT_BYTES) | PL_LIMIT_BIT(PL_LIMIT_RECORDS) |
		  PL_LIMIT_BIT(PL_LIMIT_LINE_BYTES) | PL_LIMIT_BIT(PL_LIMIT_STACK_DEPTH) |
		  PL_LIMIT_BIT(PL_LIMIT_UNIQUE_FRAMES) | PL_LIMIT_BIT(PL_LIMIT_WARNINGS),
	.flags = PL_PROGRAM_INPUT | PL_PROGRAM_OUTPUT,
};

struct parse {
	struct pl_main *m;
	enum folded_column column;
	uint64_t samples, weight, malformed, skipped, replaced;
	struct pl_diag diag;
	struct pl_buf clean;	  /* the line with invalid bytes replaced */
	struct pl_buf event_name; /* likewise */
	struct stacks stacks;
	/* of the current input: is each line differential? */
	uint64_t lines, two_columns;
	struct pl_err err;
	struct pl_buf inputs; /* the end record's inputs */
};

static void start(struct parse *p, struct pl_main *m)
{
	memset(p, 0, sizeof *p);
	p->m = m;
	pl_buf_adds(&p->event_name,
		    pl_utf8_clean(pl_str(opt.event_name), &p->clean, &(uint64_t){0}));
	p->diag.max_kept = m->limits.v[PL_LIMIT_WARNINGS];
	if (opt.column)
		p->column = opt.column[0] == 'b'   ? FOLDED_BEFORE
			    : opt.column[0] == 'a' ? FOLDED_AFTER
						   : FOLDED_NONE;
	stacks_start(&p->stacks, m->limits.v[PL_LIMIT_STACK_DEPTH], opt.keep_annotations,
		     opt.dso_from_frame);
}

static void put_header(struct parse *p)
{
	struct pl_jsonw w = {.buf = &p->m->out.buf};

	pl_stream_header(&w, PL_SAMPLES_SCHEMA, p->m);
	pl_jsonw_begin(&w, '[');
	for (size_t i = 0; i < p->m->in.n; i++) {
		pl_jsonw_begin(&w, '{');
		pl_jsonw_kz(&w, "format", "folded");
		pl_jsonw_end(&w, '}');
	}
	pl_jsonw_end(&w, ']');
	pl_jsonw_record_end(&w);
}

static void malformed(struct parse *p, struct folded_fault fault, struct pl_str line)
{
	p->malformed++;
	pl_diag_add(&p->diag, &p->m->out.buf, fault.code, p->m->in.index, p->m->in.line,
		    fault.message, line);
}

static void put_event(struct parse *p)
{
	pl_samplesw_event(&p->m->out.buf, &(struct pl_event){.name = pl_buf_str(&p->event_name),
							     .unit = pl_str(opt.unit),
							     .weight_source = PL_S("folded_weight"),
							     .source = PL_S("unknown")});
}

static void put_sample(struct parse *p, uint64_t weight)
{
	if (p->samples++ == 0)
		put_event(p);
	stacks_define(&p->stacks, &p->m->out.buf);
	pl_samplesw_sample(&p->m->out.buf, &(struct pl_sample){.weight = weight,
							       .stack = p->stacks.ids,
							       .depth = p->stacks.depth});
}

static int add_weight(struct parse *p, uint64_t weight)
{
	if (pl_num_add(&p->weight, weight))
		return 0;
	pl_err_set(&p->err, PL_E_WEIGHT_OVERFLOW, _("the weights add up to more than 2^64-1"));
	return pl_err_at(&p->err, pl_in_name(&p->m->in, p->m->in.index), p->m->in.line);
}

static int read_line(struct parse *p, struct pl_str line)
{
	struct folded_line split;

	line = pl_str_trim(pl_utf8_clean(line, &p->clean, &p->replaced));
	if (line.n == 0 || line.p[0] == '#') {
		p->skipped++;
		return 0;
	}
	struct folded_fault fault = folded_split(line, p->column, opt.scale, &split);
	p->lines++;
	p->two_columns += split.two_columns;
	if (!fault.code &&
	    split.weight == 0) { /* a differential line that the picked profile does not have */
		p->skipped++;
		return 0;
	}
	if (!fault.code)
		fault = stacks_split(&p->stacks, split.stack);
	if (fault.code) {
		malformed(p, fault, line);
		return 0;
	}
	put_sample(p, split.weight);
	return add_weight(p, split.weight);
}

static int check_limits(struct parse *p)
{
	const struct pl_limits *limits = &p->m->limits;
	int status = 0;

	if (p->samples + p->malformed + p->skipped > limits->v[PL_LIMIT_RECORDS])
		status = pl_limit_exceeded(&p->err, PL_LIMIT_RECORDS, limits->v[PL_LIMIT_RECORDS]);
	else if (p->stacks.frames.n > limits->v[PL_LIMIT_UNIQUE_FRAMES])
		status = pl_limit_exceeded(&p->err, PL_LIMIT_UNIQUE_FRAMES,
					   limits->v[PL_LIMIT_UNIQUE_FRAMES]);
	if (status)
		pl_err_at(&p->err, pl_in_name(&p->m->in, p->m->in.index), p->m->in.line);
	return status;
}

/* Known only here: each line has two numbers, so this is the output of a differential folder. */
static int check_differential(struct parse *p)
{
	if (p->column != FOLDED_ONE || p->lines == 0 || p->two_columns < p->lines)
		return 0;
	pl_err_set(&p->err, PL_E_UNSUPPORTED_FORMAT,
		   _("each line has two columns of weights: these are differential stacks"));
	pl_err_at(&p->err, pl_in_name(&p->m->in, p->m->in.index), 0);
	return pl_err_action(&p->err, _("take one with --column before or after, or say --column "
					"none if names end in a number"));
}

static void put_input(struct parse *p, const struct pl_in_info *info)
{
	struct pl_jsonw w = {.buf = &p->inputs, .comma = p->inputs.n > 0};

	pl_jsonw_begin(&w, '{');
	pl_jsonw_ku64(&w, "bytes", info->bytes);
	if (info->sha256[0])
		pl_jsonw_kz(&w, "sha256", info->sha256);
	pl_jsonw_ku64(&w, "lines", info->lines);
	if (info->packed)
		pl_jsonw_ku64(&w, "packed_bytes", info->packed_bytes);
	if (info->packed_sha256[0])
		pl_jsonw_kz(&w, "packed_sha256", info->packed_sha256);
	pl_jsonw_end(&w, '}');
}

/* Is known when the input begins, and is said first: diagnostics stand in the order of input. */
static void note_byte_order_mark(struct parse *p)
{
	if (pl_in_info(&p->m->in)->bom)
		pl_diag_add(&p->diag, &p->m->out.buf, "BYTE_ORDER_MARK", p->m->in.index, 1,
			    "a UTF-8 byte order mark was dropped", (struct pl_str){"", 0});
}

static int read_input(struct parse *p)
{
	static const struct folded_fault too_long = {"LINE_TOO_LONG",
						     "the line is longer than --max-line-bytes"};
	struct pl_in *in = &p->m->in;
	struct pl_str line;
	int got;

	p->lines = p->two_columns = 0;
	note_byte_order_mark(p);
	while ((got = pl_in_line(in, &line)) > 0) {
		if (got == PL_IN_TOO_LONG)
			malformed(p, too_long, line);
		else if (read_line(p, line))
			return -1;
		if (check_limits(p))
			return -1;
		if (pl_out_poll(&p->m->out)) {
			p->err = p->m->out.err;
			return -1;
		}
	}
	if (got < 0) {
		p->err = in->err;
		return -1;
	}
	put_input(p, pl_in_info(in));
	return check_differential(p);
}

static void put_end(struct parse *p)
{
	struct pl_jsonw w = {.buf = &p->m->out.buf};

	pl_jsonw_record(&w, "end");
	pl_jsonw_ku64(&w, "samples", p->samples);
	pl_jsonw_kbegin(&w, "events", '[');
	if (p->samples) {
		pl_jsonw_begin(&w, '{');
		pl_jsonw_ku64(&w, "id", 0);
		pl_jsonw_ku64(&w, "samples", p->samples);
		pl_jsonw_ku64(&w, "weight", p->weight);
		pl_jsonw_end(&w, '}');
	}
	pl_jsonw_end(&w, ']');
	pl_jsonw_ku64(&w, "modules", p->stacks.modules.n);
	pl_jsonw_ku64(&w, "frames", p->stacks.frames.n);
	pl_jsonw_ku64(&w, "lost", 0);
	pl_jsonw_ku64(&w, "records", p->samples + p->malformed + p->skipped);
	pl_jsonw_ku64(&w, "malformed", p->malformed);
	pl_jsonw_ku64(&w, "skipped", p->skipped);
	pl_jsonw_ku64(&w, "replaced", p->replaced);
	pl_diag_counts(&p->diag, &w);
	pl_jsonw_kbegin(&w, "inputs", '[');
	pl_buf_adds(w.buf, pl_buf_str(&p->inputs));
	pl_jsonw_end(&w, ']');
	pl_jsonw_record_end(&w);
}

static void finish_parse(struct parse *p)
{
	stacks_free(&p->stacks);
	pl_buf_free(&p->clean);
	pl_buf_free(&p->event_name);
	pl_buf_free(&p->inputs);
}

/* The stream is whole and says what was wrong; but nothing in it is a profile. */
static int all_malformed(struct parse *p)
{
	pl_err_set(&p->err, PL_E_PROFILE_PARSE_FAILED,
		   _("no line is a folded stack; all %llu are malformed"),
		   (unsigned long long)p->malformed);
	pl_err_at(&p->err, pl_in_name(&p->m->in, 0), 0);
	pl_err_action(&p->err, _("a line is frames joined by ';', a blank, and a weight"));
	if (pl_out_close(&p->m->out))
		p->err = p->m->out.err;
	return -1;
}

int main(int argc, char **argv)
{
	struct pl_main m;
	struct parse p;
	int got;

	pl_start(&m, &program, argc, argv);
	pl_open(&m);
	start(&p, &m);
	put_header(&p);
	while ((got = pl_in_next(&m.in)) > 0)
		if (read_input(&p))
			pl_fail(&m, &p.err);
	if (got < 0)
		pl_fail(&m, &m.in.err);
	put_end(&p);
	if (p.malformed && p.samples == 0 && all_malformed(&p))
		pl_fail(&m, &p.err);
	finish_parse(&p);
	return pl_finish(&m, PL_EXIT_DONE);
}
