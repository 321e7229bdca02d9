/* page: rows of an artifact, and where they stand in it */
#include "page.h"
#include "best.h"
#include "cursor.h"
#include "num.h"
#include "text.h"

enum { HOTSPOT_PATHS = 10 };

/* What `hotspot` looks for in paths: the key of the row with that id, or the name, which several
 * rows may have. */
struct key {
	bool found, named;	       /* in the current event: the id, the name */
	struct pl_analysis_hotspot of; /* only its names are good */
	struct pl_buf texts;	       /* which are here */
};

struct page {
	const struct query_options *o;
	struct cursor cursor;
	uint64_t events;	     /* those that were asked for, so far */
	struct pl_buf label;	     /* of the last of them */
	uint64_t total, rows;	     /* rows that match, and those in body */
	uint64_t paths_total, paths; /* of `hotspot`, of all events */
	uint64_t event_paths;	     /* and of the current one */
	uint64_t omitted;	     /* rows that the analysis itself left out */
	struct key key;
	struct best best;
	struct pl_buf body;
};

static void put_line(struct page *p, struct pl_str line)
{
	pl_buf_adds(&p->body, line);
	pl_buf_addc(&p->body, '\n');
}

/* ---- which rows ---- */

/* Null and absent are alike, and not the same as empty. */
static bool same_part(struct pl_str a, struct pl_str b)
{
	return !a.p == !b.p && pl_str_eq(a, b);
}

static bool same_key(const struct pl_analysis_hotspot *a, const struct pl_analysis_hotspot *b)
{
	return same_part(a->symbol, b->symbol) && same_part(a->dso, b->dso) &&
	       same_part(a->comm, b->comm) && same_part(a->tid, b->tid) &&
	       same_part(a->source, b->source);
}

/* Does the path run through the key or, without one, through the name? */
static bool path_has(const struct pl_analysis *a, const struct key *key, const char *name)
{
	const struct pl_json_tok *tape = a->s.json.tape;
	struct pl_analysis_hotspot frame;

	for (uint32_t t = a->path.frames + 1; t < tape[a->path.frames].next; t = tape[t].next) {
		pl_analysis_frame(a, t, &frame);
		if (key ? same_key(&frame, &key->of) : pl_str_is(pl_analysis_name(&frame), name))
			return true;
	}
	return false;
}

static void take_key(struct key *key, const struct pl_analysis_hotspot *h)
{
	struct pl_str *const parts[] = {&key->of.symbol, &key->of.dso, &key->of.comm, &key->of.tid,
					&key->of.source};
	size_t at = 0;

	key->of = *h;
	pl_buf_clear(&key->texts);
	for (size_t i = 0; i < PL_COUNT(parts); i++)
		pl_buf_adds(&key->texts, *parts[i]);
	for (size_t i = 0; i < PL_COUNT(parts); i++) {
		if (parts[i]->p)
			parts[i]->p = pl_buf_str(&key->texts).p + at;
		at += parts[i]->n;
	}
	key->found = true;
}

/* ---- rows as they pass ---- */

/* In the artifact's order: those behind the cursor are written as they come. */
static void add_in_order(struct page *p, struct pl_str line)
{
	p->total++;
	if (p->total <= p->cursor.position || p->rows == p->o->limit)
		return;
	put_line(p, line);
	p->rows++;
}

static void add_hotspot(struct page *p, const struct pl_analysis *a)
{
	const struct pl_analysis_hotspot *h = &a->hotspot;

	if (p->o->symbol && !pl_str_is(pl_analysis_name(h), p->o->symbol))
		return;
	if (query_order(p->o) == PL_SUMMARY_STREAM) {
		add_in_order(p, a->s.text);
		return;
	}
	p->total++;
	best_add(&p->best, p->events, h, a->s.text);
}

/* Is it the one that `hotspot` wants? Its paths will be wanted, too. */
static bool is_hotspot(struct page *p, const struct pl_analysis_hotspot *h)
{
	if (!query_wants(p->o, h))
		return false;
	if (pl_str_is(h->id, p->o->wanted))
		take_key(&p->key, h);
	else
		p->key.named = true;
	return true;
}

static bool is_through(const struct page *p, const struct pl_analysis *a)
{
	return (p->key.found && path_has(a, &p->key, NULL)) ||
	       (p->key.named && path_has(a, NULL, p->o->wanted));
}

static void add_to_hotspot(struct page *p, const struct pl_analysis *a, enum pl_analysis_kind kind)
{
	if (kind == PL_ANALYSIS_EVENT) {
		p->key.found = p->key.named = false;
		p->event_paths = 0;
	} else if (kind == PL_ANALYSIS_HOTSPOT && is_hotspot(p, &a->hotspot)) {
		p->total++;
		p->rows++;
		put_line(p, a->s.text);
	} else if (kind == PL_ANALYSIS_PATH && is_through(p, a)) {
		p->paths_total++;
		if (p->event_paths++ >= HOTSPOT_PATHS)
			return;
		p->paths++;
		put_line(p, a->s.text);
	}
}

static bool is_quality(enum pl_analysis_kind kind)
{
	return kind == PL_ANALYSIS_EVENT || kind == PL_ANALYSIS_QUALITY ||
	       kind == PL_ANALYSIS_MODULE || kind == PL_ANALYSIS_DIAGNOSTIC;
}

/* Is it a row of the event that was asked for? A diagnostic without event concerns each. */
static bool is_wanted(const struct page *p, const struct pl_analysis *a, enum pl_analysis_kind kind)
{
	struct pl_str label = kind == PL_ANALYSIS_DIAGNOSTIC ? a->diagnostic.event : a->event.label;

	return !p->o->event || pl_str_is(label, p->o->event) ||
	       (kind == PL_ANALYSIS_DIAGNOSTIC && !label.p);
}

static void add_row(struct page *p, const struct pl_analysis *a, enum pl_analysis_kind kind)
{
	if (kind == PL_ANALYSIS_OTHER || !is_wanted(p, a, kind))
		return;
	if (kind == PL_ANALYSIS_EVENT) {
		p->events++;
		pl_buf_clear(&p->label);
		pl_buf_adds(&p->label, a->event.label);
	}
	if (p->o->command == QUERY_HOTSPOT)
		add_to_hotspot(p, a, kind);
	else if (p->o->command == QUERY_QUALITY && is_quality(kind))
		add_in_order(p, a->s.text);
	else if (p->o->command == QUERY_HOTSPOTS && kind == PL_ANALYSIS_HOTSPOT)
		add_hotspot(p, a);
	else if (p->o->command == QUERY_PATHS && kind == PL_ANALYSIS_PATH &&
		 (!p->o->symbol || path_has(a, NULL, p->o->symbol)))
		add_in_order(p, a->s.text);
}

/* ---- the whole ---- */

static int add_omitted(struct page *p, struct pl_analysis *a)
{
	const struct pl_json_tok *tape = a->end_json.tape;
	struct pl_analysis_totals totals;

	for (uint32_t t = a->end.events + 1; t < tape[a->end.events].next; t = tape[t].next) {
		if (pl_analysis_totals_at(a, t, &totals))
			return -1;
		if (p->o->event && !pl_str_is(totals.event, p->o->event))
			continue;
		if (!pl_num_add(&p->omitted, p->o->command == QUERY_PATHS
						     ? totals.paths_total - totals.paths
						     : totals.hotspots_total - totals.hotspots))
			return pl_stream_fail(&a->s, _("the counts of omitted rows overflow"));
	}
	return 0;
}

static int check_question(const struct page *p, const char *sha256, struct pl_err *err)
{
	char tag[CURSOR_TAG + 1];

	cursor_tag_analysis(tag, sha256);
	if (p->o->after && strcmp(tag, p->cursor.analysis) != 0) {
		pl_err_set(err, PL_E_INVALID_INPUT,
			   _("--after: the cursor is of another artifact"));
		return pl_err_action(err, _("start again without --after"));
	}
	if (p->o->event && p->events == 0)
		return pl_analysis_no_event(err, p->o->event);
	if (p->o->command == QUERY_HOTSPOT && p->rows == 0)
		return query_found_none(p->o, err);
	return 0;
}

/* Moves the sorted rows behind the cursor into the body. */
static void take_best(struct page *p)
{
	best_sort(&p->best);
	for (size_t i = p->cursor.position; i < p->best.n; i++) {
		put_line(p, p->best.v[i].line);
		p->rows++;
	}
}

static void put_next(struct page *p, struct pl_jsonw *w, const char *sha256)
{
	struct cursor next = {.position = p->cursor.position + p->rows};
	struct pl_buf text = {0};

	if (p->o->command == QUERY_HOTSPOT || p->rows == 0 || next.position >= p->total) {
		pl_jsonw_knull(w, "next");
		return;
	}
	cursor_tag_analysis(next.analysis, sha256);
	cursor_tag_question(next.question, p->o);
	cursor_put(&text, &next);
	pl_jsonw_kstr(w, "next", pl_buf_str(&text));
	pl_buf_free(&text);
}

static void put_page(struct pl_buf *out, struct page *p, const struct pl_analysis *a)
{
	struct pl_jsonw w = {.buf = out};
	const char *sha256 = a->s.sha256;

	pl_jsonw_record(&w, "page");
	pl_jsonw_kz(&w, "of", query_command_name(p->o->command));
	if (p->events == 1)
		pl_jsonw_kstr(&w, "event", pl_buf_str(&p->label));
	else
		pl_jsonw_knull(&w, "event");
	pl_jsonw_ku64(&w, "total", p->total);
	pl_jsonw_ku64(&w, "first", p->rows ? p->cursor.position + 1 : 0);
	pl_jsonw_ku64(&w, "rows", p->rows);
	put_next(p, &w, sha256);
	pl_jsonw_kstr(&w, "analysis", sha256[0] ? pl_str(sha256) : (struct pl_str){0});
	if (p->o->command == QUERY_HOTSPOTS)
		pl_jsonw_kz(&w, "sort", p->o->sort);
	if (p->o->command == QUERY_HOTSPOTS || p->o->command == QUERY_PATHS)
		pl_jsonw_ku64(&w, "omitted", p->omitted);
	if (p->o->command == QUERY_HOTSPOT) {
		pl_jsonw_ku64(&w, "paths_total", p->paths_total);
		pl_jsonw_ku64(&w, "paths", p->paths);
	}
	if (a->s.unsealed)
		pl_jsonw_kbool(&w, "unsealed_input", true);
	pl_jsonw_record_end(&w);
	pl_buf_adds(out, pl_buf_str(&p->body));
}

/* A cursor is of one question; which artifact it is of is known at the end only. */
static int read_cursor(struct page *p, struct pl_err *err)
{
	char question[CURSOR_TAG + 1];

	if (!p->o->after)
		return 0;
	if (cursor_parse(&p->cursor, p->o->after))
		return pl_err_set(err, PL_E_INVALID_INPUT, _("--after: '%.80s' is no cursor"),
				  p->o->after);
	cursor_tag_question(question, p->o);
	if (strcmp(question, p->cursor.question) != 0)
		return pl_err_set(err, PL_E_INVALID_INPUT,
				  _("--after: the cursor is of another question: the subcommand, "
				    "--sort, --event and --symbol must be the same"));
	return 0;
}

static int read_rows(struct page *p, struct pl_analysis *a, struct pl_err *err)
{
	enum pl_analysis_kind kind;

	while ((kind = pl_analysis_next(a)) > PL_ANALYSIS_DONE)
		add_row(p, a, kind);
	if (kind == PL_ANALYSIS_ERROR || add_omitted(p, a)) {
		*err = a->s.err;
		return -1;
	}
	return check_question(p, a->s.sha256, err);
}

int page_write(struct pl_buf *out, const struct query_options *o, struct pl_analysis *a,
	       struct pl_err *err)
{
	struct page p = {.o = o};
	int status = read_cursor(&p, err);

	p.best.order = query_order(o);
	p.best.most = p.cursor.position > UINT64_MAX - o->limit ? UINT64_MAX
								: p.cursor.position + o->limit;
	if (status == 0)
		status = read_rows(&p, a, err);
	if (status == 0) {
		take_best(&p);
		put_page(out, &p, a);
	}
	best_free(&p.best);
	pl_buf_free(&p.body);
	pl_buf_free(&p.label);
	pl_buf_free(&p.key.texts);
	return status;
}
