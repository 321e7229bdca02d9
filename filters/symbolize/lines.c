/* lines: reads all, asks once, writes all */
#include "lines.h"
#include "num.h"
#include "reason.h"
#include "text.h"

#include <stdlib.h>

enum { SOURCES_SHOWN = 16 };

/* A row that is rewritten: a hotspot with questions, the quality of an event, a module. */
struct row {
	enum row_kind { ROW_HOTSPOT, ROW_QUALITY, ROW_MODULE } kind;
	size_t at, n;		     /* its line, without its end, in lines.text */
	size_t first, asked;	     /* of a hotspot: its questions */
	uint64_t found;		     /* of a quality row: weight whose lines were found */
	uint64_t had;		     /* and that had lines before */
	struct pl_str dso, build_id; /* of a module */
};

/* Where weight was found to be. */
struct place {
	struct pl_str file;
	uint64_t line, self;
};

struct lines {
	struct pl_main *m;
	struct pl_analysis *a;
	struct asker *asker;
	struct pl_buf text; /* all lines behind the header */
	struct row *rows;
	size_t rows_n, rows_cap;
	size_t quality;	      /* the row of the current event */
	uint64_t *selves;     /* of the questions */
	struct place *places; /* of the questions, line 0: not found */
	size_t asked, selves_cap, places_cap;
	struct pl_str *reasons; /* of the modules, by number */
	size_t reasons_cap;
	struct pl_intern modules; /* DSO, NUL, build ID */
	struct pl_intern dsos;	  /* build ID, of module rows */
	struct pl_str *dso_of;
	size_t dso_cap;
	struct pl_arena texts;
	struct pl_buf key;
	struct pl_json json;
	bool trusted; /* the current event has names from files that are only believed */
	struct pl_err *err;
};

/* ---- reading ---- */

static struct row *add_row(struct lines *l, enum row_kind kind)
{
	PL_GROW(l->rows, l->rows_n + 1, l->rows_cap);
	struct row *row = &l->rows[l->rows_n++];
	*row = (struct row){.kind = kind, .at = l->text.n, .n = l->a->s.text.n, .first = l->asked};
	return row;
}

static struct pl_str keep(struct lines *l, struct pl_str s)
{
	return s.p ? (struct pl_str){pl_arena_dup(&l->texts, s.p, s.n), s.n} : s;
}

/* Which file a build ID is of, the module rows say. One whose names are all known may lack lines.
 */
static void take_module(struct lines *l)
{
	const struct pl_analysis_module *m = &l->a->module;

	if (!m->dso.p)
		return;
	struct pl_str dso = keep(l, m->dso);
	if (!m->reason.p) {
		struct row *row = add_row(l, ROW_MODULE);
		row->dso = dso;
		row->build_id = keep(l, m->build_id);
	}
	if (!m->build_id.p)
		return;
	uint32_t at = pl_intern(&l->dsos, m->build_id.p, m->build_id.n);
	PL_GROW(l->dso_of, l->dsos.n, l->dso_cap);
	if (!l->dso_of[at].p)
		l->dso_of[at] = dso;
}

static struct pl_str module_key(struct lines *l, struct pl_str dso, struct pl_str build_id)
{
	pl_buf_clear(&l->key);
	pl_buf_adds(&l->key, dso);
	pl_buf_addc(&l->key, '\0');
	pl_buf_adds(&l->key, build_id);
	return pl_buf_str(&l->key);
}

/* The number of a module; asks for it when it is new. */
static uint32_t module_of(struct lines *l, struct pl_str dso, struct pl_str build_id)
{
	size_t known = l->modules.n;
	struct pl_str key = module_key(l, dso, build_id);
	uint32_t at = pl_intern(&l->modules, key.p, key.n);
	if (at == known)
		asker_module(l->asker,
			     &(struct question){.module = at, .dso = dso, .build_id = build_id});
	return at;
}

struct address {
	struct pl_str build_id, offset;
	uint64_t self;
};
static const struct pl_member address_members[] = {
	PL_MEMBER(struct address, "build_id", build_id, PL_M_STR, PL_M_REQUIRED | PL_M_NULLABLE),
	PL_MEMBER(struct address, "offset", offset, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER(struct address, "self", self, PL_M_U64, PL_M_REQUIRED),
};
static const struct pl_record address_record = {"address", address_members,
						PL_COUNT(address_members)};

/* Asks where an address is; a row that is not grouped by DSO has the build ID only. */
static int ask_address(struct lines *l, uint32_t token)
{
	struct address address = {0};
	struct question q = {.kind = QUESTION_FRAME};
	char message[256];
	const char *wrong =
		pl_record_read(&address_record, &l->a->s.json, token, &address, message);

	if (wrong || pl_num_hex(address.offset, &q.offset))
		return pl_stream_fail(&l->a->s, "addresses: %s",
				      wrong ? wrong : _("'offset' is no offset"));
	uint32_t known = PL_INTERN_NONE;
	if (address.build_id.p)
		known = pl_intern_find(&l->dsos, address.build_id.p, address.build_id.n);
	struct pl_str dso = known == PL_INTERN_NONE ? l->a->hotspot.dso : l->dso_of[known];
	/* what an analysis says of its names goes for its lines */
	bool known_file = address.build_id.p || l->trusted;
	if (address.self == 0 || !dso.p || !known_file)
		return 0;
	q.module = module_of(l, dso, address.build_id);
	question_put(&l->asker->questions, &q);
	PL_GROW(l->selves, l->asked + 1, l->selves_cap);
	l->selves[l->asked++] = address.self;
	return 0;
}

static int take_hotspot(struct lines *l)
{
	const struct pl_analysis_hotspot *h = &l->a->hotspot;
	const struct pl_json_tok *tape = l->a->s.json.tape;
	bool code = !pl_str_is(h->kind, "kernel") && !pl_str_is(h->kind, "jit");

	if (h->sources_total || !h->addresses || !code)
		return 0;
	size_t first = l->asked;
	for (uint32_t t = h->addresses + 1; t < tape[h->addresses].next; t = tape[t].next)
		if (ask_address(l, t))
			return -1;
	if (l->asked > first) {
		struct row *row = add_row(l, ROW_HOTSPOT);
		row->first = first;
		row->asked = l->asked - first;
	}
	return 0;
}

static void take_quality(struct lines *l)
{
	l->quality = l->rows_n;
	struct row *row = add_row(l, ROW_QUALITY);
	row->had = l->a->quality.source_line_self;
	l->trusted = l->a->quality.trusted_frames > 0;
}

static int read_all(struct lines *l)
{
	enum pl_analysis_kind kind;
	int failed = 0;

	while (!failed && (kind = pl_analysis_next(l->a)) > PL_ANALYSIS_DONE) {
		if (kind == PL_ANALYSIS_QUALITY)
			take_quality(l);
		else if (kind == PL_ANALYSIS_MODULE)
			take_module(l);
		else if (kind == PL_ANALYSIS_HOTSPOT)
			failed = take_hotspot(l);
		pl_stream_pass(&l->a->s, &l->text);
	}
	if (!failed && kind == PL_ANALYSIS_DONE)
		return 0;
	*l->err = l->a->s.err;
	return -1;
}

/* ---- answers ---- */

static void take_answers(struct lines *l)
{
	struct pl_reader answers = asker_ask(l->asker);
	struct answer a;
	struct answer_frame skipped;

	PL_GROW(l->places, l->asked, l->places_cap);
	for (size_t i = 0; i < l->asked && answer_take_position(&answers, &a); i++) {
		for (uint32_t k = 0; k < a.inlines && answer_take_frame(&answers, &skipped); k++)
			;
		if (a.frame.file.p)
			l->places[i] = (struct place){a.frame.file, a.frame.line, l->selves[i]};
	}
	PL_GROW(l->reasons, l->modules.n, l->reasons_cap);
	for (size_t i = 0; i < l->modules.n && answer_take_module(&answers, &a); i++)
		l->reasons[i] = a.reason;
}

/* What is found of an event's rows is known before its quality is written. */
static void sum_found(struct lines *l)
{
	struct row *quality = NULL;

	for (size_t i = 0; i < l->rows_n; i++) {
		struct row *row = &l->rows[i];
		if (row->kind == ROW_QUALITY)
			quality = row;
		for (size_t k = 0; quality && k < row->asked; k++)
			if (l->places[row->first + k].line)
				quality->found += l->selves[row->first + k];
	}
}

/* ---- writing ---- */

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int by_file = pl_str_cmp(x->file, y->file);

	if (by_file)
		return by_file;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Heaviest first; equal ones by file and line, as pl-aggregate orders them. */
static int by_weight(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return by_place(a, b);
}

/* The places of a row, each once, heaviest first; how many there are. */
static size_t merge(struct place *places, size_t n)
{
	size_t kept = 0;

	qsort(places, n, sizeof *places, by_place);
	for (size_t i = 0; i < n; i++) {
		if (places[i].line == 0)
			continue;
		if (kept && by_place(&places[kept - 1], &places[i]) == 0)
			places[kept - 1].self += places[i].self;
		else
			places[kept++] = places[i];
	}
	qsort(places, kept, sizeof *places, by_weight);
	return kept;
}

static void put_sources(struct pl_jsonw *w, const struct place *places, size_t n)
{
	pl_jsonw_begin(w, '[');
	for (size_t i = 0; i < n && i < SOURCES_SHOWN; i++) {
		pl_jsonw_begin(w, '{');
		pl_jsonw_kstr(w, "file", places[i].file);
		pl_jsonw_ku64(w, "line", places[i].line);
		pl_jsonw_ku64(w, "self", places[i].self);
		pl_jsonw_end(w, '}');
	}
	pl_jsonw_end(w, ']');
}

/* The codes that lines add and take: see pl_quality_allowed() and pl_quality_forbidden(). */
static void put_codes(struct pl_jsonw *w, const struct pl_json *json, uint32_t array,
		      const char *added, const char *taken)
{
	static const char *const before[] = {"sampled_event_hotspot_distribution",
					     "call_path_distribution"};
	bool due = added != NULL;

	pl_jsonw_begin(w, '[');
	for (uint32_t t = array + 1; t < json->tape[array].next; t = json->tape[t].next) {
		struct pl_str code = pl_json_str(json, t);
		if (due && !pl_str_is(code, before[0]) && !pl_str_is(code, before[1])) {
			pl_jsonw_str(w, pl_str(added));
			due = false;
		}
		if (!taken || !pl_str_is(code, taken))
			pl_jsonw_str(w, code);
	}
	if (due)
		pl_jsonw_str(w, pl_str(added));
	pl_jsonw_end(w, ']');
}

static void put_quality(struct lines *l, struct pl_jsonw *w, const struct row *row, uint32_t key)
{
	struct pl_str name = pl_json_str(&l->json, key);
	bool first = row->found && !row->had;

	if (pl_str_is(name, "source_line_self"))
		pl_jsonw_u64(w, row->had + row->found);
	else if (first && pl_str_is(name, "allowed"))
		put_codes(w, &l->json, key + 1, "source_line_observation", NULL);
	else if (first && pl_str_is(name, "forbidden"))
		put_codes(w, &l->json, key + 1, NULL, "exact_source_line_attribution");
	else
		pl_jsonw_value(w, &l->json, key + 1);
}

/* Why there are no lines of it, and what would help. */
static struct pl_str reason_of(struct lines *l, const struct row *row)
{
	struct pl_str key = module_key(l, row->dso, row->build_id);
	uint32_t number = pl_intern_find(&l->modules, key.p, key.n);

	return number == PL_INTERN_NONE ? (struct pl_str){NULL, 0} : l->reasons[number];
}

static void put_module(struct lines *l, struct pl_jsonw *w, const struct row *row, uint32_t key)
{
	struct pl_str name = pl_json_str(&l->json, key), reason = reason_of(l, row);

	if (reason.p && pl_str_is(name, "reason"))
		pl_jsonw_str(w, reason);
	else if (reason.p && pl_str_is(name, "fix") && pl_reason_fix(reason))
		pl_jsonw_str(w, pl_str(pl_reason_fix(reason)));
	else
		pl_jsonw_value(w, &l->json, key + 1);
}

static void put_row(struct lines *l, const struct row *row)
{
	struct pl_jsonw w = {.buf = &l->m->out.buf};
	struct place *places = l->places + row->first;
	size_t n = row->kind == ROW_HOTSPOT ? merge(places, row->asked) : 0;
	const struct pl_json_tok *tape = l->json.tape;

	pl_jsonw_begin(&w, '{');
	for (uint32_t key = 1; key < tape[0].next; key = tape[key + 1].next) {
		struct pl_str name = pl_json_str(&l->json, key);
		pl_jsonw_keys(&w, name);
		if (row->kind == ROW_QUALITY)
			put_quality(l, &w, row, key);
		else if (row->kind == ROW_MODULE)
			put_module(l, &w, row, key);
		else if (n && pl_str_is(name, "sources"))
			put_sources(&w, places, n);
		else if (n && pl_str_is(name, "sources_total"))
			pl_jsonw_u64(&w, n);
		else
			pl_jsonw_value(&w, &l->json, key + 1);
	}
	pl_jsonw_record_end(&w);
}

/* The header of the analysis, written by us, with what else it has. */
static void put_header(struct lines *l)
{
	struct pl_jsonw w = {.buf = &l->m->out.buf};
	const struct pl_json *json = &l->a->s.header_json;
	static const char *const ours[] = {"type", "schema", "version", "producer", "inputs"};

	pl_stream_header(&w, PL_ANALYSIS_SCHEMA, l->m);
	pl_jsonw_begin(&w, '[');
	pl_stream_input(&w, &l->a->s, NULL, 0);
	pl_jsonw_end(&w, ']');
	for (uint32_t key = 1; key < json->tape[0].next; key = json->tape[key + 1].next) {
		bool own = false;
		for (size_t i = 0; i < PL_COUNT(ours); i++)
			own |= pl_str_is(pl_json_str(json, key), ours[i]);
		if (own)
			continue;
		pl_jsonw_keys(&w, pl_json_str(json, key));
		pl_jsonw_value(&w, json, key + 1);
	}
	pl_jsonw_record_end(&w);
}

/* The end record without its old digest, under a new one. */
static void put_end(struct lines *l)
{
	struct pl_jsonw w = {.buf = &l->m->out.buf};
	const struct pl_json *json = &l->a->end_json;

	pl_jsonw_begin(&w, '{');
	for (uint32_t key = 1; key < json->tape[0].next; key = json->tape[key + 1].next) {
		if (pl_str_is(pl_json_str(json, key), "sha256"))
			continue;
		pl_jsonw_keys(&w, pl_json_str(json, key));
		pl_jsonw_value(&w, json, key + 1);
	}
	pl_stream_seal(w.buf);
}

static int write_all(struct lines *l)
{
	struct pl_buf *out = &l->m->out.buf;
	size_t from = 0;

	put_header(l);
	for (size_t i = 0; i < l->rows_n; i++) {
		const struct row *row = &l->rows[i];
		pl_buf_add(out, l->text.p + from, row->at - from);
		if (pl_json_parse(&l->json, (struct pl_str){l->text.p + row->at, row->n}))
			return pl_err_set(l->err, PL_E_INTERNAL_ERROR, "a line changed");
		put_row(l, row);
		from = row->at + row->n + 1;
	}
	pl_buf_add(out, l->text.p ? l->text.p + from : "", l->text.n - from);
	put_end(l);
	return 0;
}

int lines_run(struct pl_main *m, struct pl_analysis *analysis, struct asker *asker,
	      struct pl_err *err)
{
	struct lines l = {.m = m, .a = analysis, .asker = asker, .err = err};

	if (pl_str_is(analysis->group_by, "source")) {
		pl_err_set(err, PL_E_INVALID_INPUT,
			   _("this analysis is grouped by source, and was so without lines"));
		return pl_err_action(err, _("put pl-symbolize --lines before pl-aggregate "
					    "--group-by source"));
	}
	pl_intern_init(&l.modules);
	pl_intern_init(&l.dsos);
	int failed = read_all(&l);
	if (!failed) {
		take_answers(&l);
		sum_found(&l);
		failed = write_all(&l);
	}
	free(l.rows);
	free(l.selves);
	free(l.places);
	free(l.dso_of);
	free(l.reasons);
	pl_intern_free(&l.modules);
	pl_intern_free(&l.dsos);
	pl_arena_free(&l.texts);
	pl_buf_free(&l.text);
	pl_buf_free(&l.key);
	pl_json_free(&l.json);
	return failed;
}
