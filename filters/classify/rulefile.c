/* rulefile: reads perflens.rules, strictly: what is not understood is refused, for a rule that is
 * half understood says something else than its author meant */
#include "category.h"
#include "num.h"
#include "record.h"
#include "rules.h"
#include "text.h"

struct file_members {
	struct pl_str schema, version;
	uint32_t rules;
};
struct rule_members {
	struct pl_str id, scope, category, confidence, observation;
	uint64_t version, priority;
	bool has_priority;
	uint32_t match, context, thresholds, missing, next, forbidden;
};
struct match_members {
	uint32_t symbols, not_symbols, dsos, not_dsos, kinds;
};
struct context_members {
	uint32_t callers, under;
	uint64_t share_pct;
	bool required;
};

#define TABLE(type, members)                     \
	{                                        \
		type, members, PL_COUNT(members) \
	}
#define M(type, field, kind, flags) PL_MEMBER(struct type##_members, #field, field, kind, flags)
static const struct pl_member file_table[] = {
	M(file, schema, PL_M_STR, PL_M_REQUIRED),
	M(file, version, PL_M_STR, PL_M_REQUIRED),
	M(file, rules, PL_M_ARRAY, PL_M_REQUIRED),
};
static const struct pl_member rule_table[] = {
	M(rule, id, PL_M_STR, PL_M_REQUIRED),
	M(rule, version, PL_M_U64, PL_M_REQUIRED),
	M(rule, scope, PL_M_STR, PL_M_REQUIRED),
	M(rule, category, PL_M_STR, PL_M_REQUIRED),
	M(rule, confidence, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER_HAS(struct rule_members, "priority", priority, PL_M_U64, 0),
	M(rule, match, PL_M_OBJECT, PL_M_REQUIRED),
	M(rule, context, PL_M_OBJECT, 0),
	M(rule, thresholds, PL_M_OBJECT, 0),
	M(rule, observation, PL_M_STR, PL_M_REQUIRED),
	M(rule, missing, PL_M_ARRAY, PL_M_REQUIRED),
	M(rule, next, PL_M_ARRAY, PL_M_REQUIRED),
	M(rule, forbidden, PL_M_ARRAY, PL_M_REQUIRED),
};
static const struct pl_member match_table[] = {
	M(match, symbols, PL_M_ARRAY, PL_M_REQUIRED),
	M(match, not_symbols, PL_M_ARRAY, 0),
	M(match, dsos, PL_M_ARRAY, 0),
	M(match, not_dsos, PL_M_ARRAY, 0),
	M(match, kinds, PL_M_ARRAY, 0),
};
static const struct pl_member context_table[] = {
	M(context, callers, PL_M_ARRAY, 0),
	M(context, under, PL_M_ARRAY, 0),
	M(context, share_pct, PL_M_MICRO, PL_M_REQUIRED),
	M(context, required, PL_M_BOOL, PL_M_REQUIRED),
};
static const struct pl_member threshold_table[] = {
	PL_MEMBER_HAS(struct rule, "self_pct", self_pct, PL_M_MICRO, 0),
	PL_MEMBER_HAS(struct rule, "inclusive_pct", inclusive_pct, PL_M_MICRO, 0),
};
static const struct pl_record file_record = TABLE("file", file_table);
static const struct pl_record rule_record = TABLE("rule", rule_table);
static const struct pl_record match_record = TABLE("match", match_table);
static const struct pl_record context_record = TABLE("context", context_table);
static const struct pl_record threshold_record = TABLE("thresholds", threshold_table);

enum { PERCENT_MAX = 100000000, PRIORITY = 50, DEFAULT_SELF_PCT = 1000000 };

/* A rule being read. */
struct reader {
	struct rules *rules;
	const struct pl_json *json;
	struct rule *rule;
	char *message; /* of 512 bytes */
	bool failed;
};

static void fail(struct reader *f, const char *fmt, ...) PL_PRINTF(2, 3);
static void fail(struct reader *f, const char *fmt, ...)
{
	va_list ap;

	if (f->failed)
		return;
	f->failed = true;
	int n = f->rule && f->rule->id.p
			? snprintf(f->message, 512, _("rule %.*s: "),
				   (int)(f->rule->id.n > 64 ? 64 : f->rule->id.n), f->rule->id.p)
			: 0;
	va_start(ap, fmt);
	vsnprintf(f->message + n, 512 - (size_t)n, fmt, ap);
	va_end(ap);
}

/* As pl_record_read(), and refuses members that it does not know. */
static bool read_object(struct reader *f, const struct pl_record *record, uint32_t object,
			void *out)
{
	const struct pl_json *j = f->json;
	char why[256];

	if (j->tape[object].type != PL_JSON_OBJECT) {
		fail(f, _("a %s must be an object"), record->type);
		return false;
	}
	for (uint32_t key = object + 1; key < j->tape[object].next; key = j->tape[key + 1].next) {
		struct pl_str name = pl_json_str(j, key);
		size_t i = 0;
		while (i < record->n && !pl_str_is(name, record->members[i].name))
			i++;
		if (i == record->n)
			fail(f, _("unknown member \"%.*s\""), (int)(name.n > 64 ? 64 : name.n),
			     name.p);
	}
	const char *wrong = f->failed ? NULL : pl_record_read(record, j, object, out, why);
	if (wrong)
		fail(f, "%s", wrong);
	return !f->failed;
}

static struct pl_str keep(struct reader *f, struct pl_str s)
{
	return (struct pl_str){pl_arena_dup(&f->rules->arena, s.p, s.n), s.n};
}

/* The elements of a list of texts: 0 to RULES_LIST of them, none of them empty or long. False: it
 * was refused. */
static bool check_list(struct reader *f, uint32_t array, const char *name)
{
	const struct pl_json *j = f->json;

	if (j->tape[array].count > RULES_LIST)
		fail(f, _("\"%s\" has more than %d elements"), name, RULES_LIST);
	for (uint32_t t = array + 1; t < j->tape[array].next; t = j->tape[t].next)
		if (j->tape[t].type != PL_JSON_STRING || j->tape[t].count == 0 ||
		    j->tape[t].count > RULES_TEXT)
			fail(f, _("\"%s\" must be texts of 1 to %d bytes"), name, RULES_TEXT);
	return !f->failed;
}

static void read_texts(struct reader *f, uint32_t array, const char *name, struct rule_texts *texts)
{
	const struct pl_json *j = f->json;

	if (f->failed || !check_list(f, array, name))
		return;
	texts->v = pl_arena_alloc(&f->rules->arena, j->tape[array].count * sizeof *texts->v);
	for (uint32_t t = array + 1; t < j->tape[array].next; t = j->tape[t].next)
		texts->v[texts->n++] = keep(f, pl_json_str(j, t));
}

/* ---- patterns ---- */

static uint32_t add_dso(struct rules *r, struct pl_str glob)
{
	struct pl_buf b = {0};

	pl_buf_adds(&b, glob);
	pl_buf_addc(&b, '\0');
	uint32_t id = memchr(glob.p, '/', glob.n) ? (uint32_t)PL_INTERN_NONE
						  : globs_add(&r->dsos, pl_buf_str(&b));
	pl_buf_free(&b);
	return id;
}

static uint32_t add_symbol(struct rules *r, struct pl_str pattern)
{
	struct pl_str name = names_of_pattern(&r->names, pattern);

	return name.p ? globs_add(&r->symbols, name) : (uint32_t)PL_INTERN_NONE;
}

/* array 0: the list is not there. */
static void read_patterns(struct reader *f, uint32_t array, const char *name,
			  uint32_t (*add)(struct rules *, struct pl_str), struct rule_patterns *p)
{
	const struct pl_json *j = f->json;

	if (f->failed || !array || !check_list(f, array, name))
		return;
	if (j->tape[array].count == 0)
		fail(f, _("\"%s\" is empty"), name);
	p->v = pl_arena_alloc(&f->rules->arena, j->tape[array].count * sizeof *p->v);
	for (uint32_t t = array + 1; t < j->tape[array].next && !f->failed; t = j->tape[t].next) {
		struct pl_str pattern = pl_json_str(j, t);
		uint32_t id = add(f->rules, pattern);
		if (id == PL_INTERN_NONE)
			fail(f,
			     _("bad pattern \"%.*s\" in \"%s\": brackets that do not pair, a '\\' "
			       "at "
			       "its end, more than %d stars or %d bytes, or too many in all"),
			     (int)(pattern.n > 64 ? 64 : pattern.n), pattern.p, name, GLOBS_STARS,
			     GLOBS_PATTERN);
		else
			p->v[p->n++] = id;
	}
}

static void read_kinds(struct reader *f, uint32_t array)
{
	static const char *const names[] = {"user", "kernel", "jit", "vdso", "guest", "deleted"};
	const struct pl_json *j = f->json;

	if (f->failed || !array || !check_list(f, array, "kinds"))
		return;
	for (uint32_t t = array + 1; t < j->tape[array].next; t = j->tape[t].next) {
		size_t i = 0;
		while (i < PL_COUNT(names) && !pl_str_is(pl_json_str(j, t), names[i]))
			i++;
		if (i == PL_COUNT(names))
			fail(f, _("unknown kind \"%.*s\""), (int)j->tape[t].count, j->tape[t].v.p);
		else
			f->rule->kinds |= 1u << i;
	}
	if (!f->rule->kinds)
		fail(f, _("\"%s\" is empty"), "kinds");
}

/* ---- the parts of a rule ---- */

static void read_match(struct reader *f, uint32_t object)
{
	struct match_members m = {0};
	struct rule *rule = f->rule;

	if (f->failed || !read_object(f, &match_record, object, &m))
		return;
	read_patterns(f, m.symbols, "symbols", add_symbol, &rule->symbols);
	read_patterns(f, m.not_symbols, "not_symbols", add_symbol, &rule->not_symbols);
	read_patterns(f, m.dsos, "dsos", add_dso, &rule->dsos);
	read_patterns(f, m.not_dsos, "not_dsos", add_dso, &rule->not_dsos);
	read_kinds(f, m.kinds);
}

static void read_context(struct reader *f, uint32_t object)
{
	struct context_members m = {0};
	struct rule *rule = f->rule;

	if (f->failed || !object || !read_object(f, &context_record, object, &m))
		return;
	if (!m.callers && !m.under)
		fail(f, _("\"context\" has neither \"callers\" nor \"under\""));
	if (m.share_pct == 0 || m.share_pct > PERCENT_MAX)
		fail(f, _("\"share_pct\" must be more than 0 and at most 100"));
	read_patterns(f, m.callers, "callers", add_symbol, &rule->callers);
	read_patterns(f, m.under, "under", add_symbol, &rule->under);
	rule->has_context = true;
	rule->required = m.required;
	rule->share_pct = m.share_pct;
}

static void read_thresholds(struct reader *f, uint32_t object)
{
	struct rule *rule = f->rule;

	if (f->failed || (object && !read_object(f, &threshold_record, object, rule)))
		return;
	if (!rule->has_self_pct && !rule->has_inclusive_pct) {
		rule->has_self_pct = true;
		rule->self_pct = DEFAULT_SELF_PCT;
	}
	if (rule->self_pct > PERCENT_MAX || rule->inclusive_pct > PERCENT_MAX)
		fail(f, _("a threshold is more than 100"));
}

static bool is_id(struct pl_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!((s.p[i] >= 'a' && s.p[i] <= 'z') || (s.p[i] >= '0' && s.p[i] <= '9') ||
		      s.p[i] == '-'))
			return false;
	return s.n > 0 && s.n <= 64;
}

static void read_identity(struct reader *f, const struct rule_members *m)
{
	struct rule *rule = f->rule;

	if (!is_id(m->id)) {
		fail(f, _("an id is 1 to 64 lower case letters, digits and '-'"));
		return;
	}
	size_t before = f->rules->ids.n;
	rule->id = keep(f, m->id);
	pl_intern(&f->rules->ids, m->id.p, m->id.n);
	if (f->rules->ids.n == before)
		fail(f, _("there is another rule with this id"));
	rule->version = m->version;
	if (m->version == 0)
		fail(f, _("versions count from 1"));
	if (!is_id(m->scope))
		fail(f, _("a scope is 1 to 64 lower case letters, digits and '-'"));
	rule->category = category_find(m->category);
	if (rule->category == CATEGORIES)
		fail(f, _("unknown category \"%.*s\""),
		     (int)(m->category.n > 64 ? 64 : m->category.n), m->category.p);
	rule->medium = pl_str_is(m->confidence, "medium");
	if (!rule->medium && !pl_str_is(m->confidence, "low"))
		fail(f, _("\"confidence\" must be low or medium"));
	rule->priority = m->has_priority ? m->priority : PRIORITY;
	if (rule->priority > 100)
		fail(f, _("\"priority\" is more than 100"));
}

static void read_observation(struct reader *f, struct pl_str s)
{
	if (s.n == 0 || s.n > RULES_TEXT || !memmem(s.p, s.n, "{symbol}", 8))
		fail(f, _("\"observation\" must be a text of at most %d bytes with {symbol}"),
		     RULES_TEXT);
	f->rule->observation = keep(f, s);
}

static void read_rule(struct reader *f, uint32_t object)
{
	struct rule_members m = {0};
	uint32_t id = f->json->tape[object].type == PL_JSON_OBJECT
			      ? pl_json_member(f->json, object, "id")
			      : 0;

	/* so that it can be named, whatever else is wrong */
	if (id && f->json->tape[id].type == PL_JSON_STRING)
		f->rule->id = pl_json_str(f->json, id);
	if (!read_object(f, &rule_record, object, &m))
		return;
	read_identity(f, &m);
	read_match(f, m.match);
	read_context(f, m.context);
	read_thresholds(f, m.thresholds);
	read_observation(f, m.observation);
	read_texts(f, m.missing, "missing", &f->rule->missing);
	read_texts(f, m.next, "next", &f->rule->next);
	read_texts(f, m.forbidden, "forbidden", &f->rule->forbidden);
}

static void read_rules(struct reader *f, uint32_t array)
{
	struct rules *r = f->rules;

	for (uint32_t t = array + 1; t < f->json->tape[array].next && !f->failed;
	     t = f->json->tape[t].next) {
		if (r->n == RULES_MAX) {
			fail(f, _("more than %d rules in all"), RULES_MAX);
			return;
		}
		PL_GROW(r->v, r->n + 1, r->cap);
		f->rule = &r->v[r->n++];
		read_rule(f, t);
	}
}

const char *rulefile_add(struct rules *r, struct pl_str text, char message[512])
{
	struct pl_json json = {0};
	struct reader f = {.rules = r, .json = &json, .message = message};
	struct file_members m = {0};

	if (pl_json_parse(&json, text))
		fail(&f, _("not JSON: %s (byte %zu)"), json.message, json.offset);
	else if (read_object(&f, &file_record, 0, &m)) {
		if (!pl_str_is(m.schema, "perflens.rules") || !pl_str_starts(m.version, "1."))
			fail(&f, _("this is no perflens.rules 1.x"));
		else
			read_rules(&f, m.rules);
	}
	pl_json_free(&json);
	return f.failed ? message : NULL;
}
