/* names: spellings that are told by how they begin or end; the others are read by names-scan */
#include "names-scan.h"
#include "symbol.h"

static void take_ends(struct pl_str *s)
{
	static const char *const prefixes[] = {"non-virtual thunk to ", "virtual thunk to ",
					       "covariant return thunk to "};
	static const char *const suffixes[] = {"_[k]",	"_[j]",		"_[i]",
					       ".abi0", ".abiinternal", "-fm"};

	for (size_t i = 0; i < PL_COUNT(prefixes); i++)
		if (pl_str_starts(*s, prefixes[i])) {
			s->p += strlen(prefixes[i]);
			s->n -= strlen(prefixes[i]);
		}
	for (size_t i = 0; i < PL_COUNT(suffixes); i++)
		if (pl_str_ends(*s, suffixes[i]) && s->n > strlen(suffixes[i]))
			s->n -= strlen(suffixes[i]);
}

static struct pl_str behind(struct pl_str s, const char *prefix)
{
	size_t n = strlen(prefix);

	return pl_str_starts(s, prefix) ? (struct pl_str){s.p + n, s.n - n}
					: (struct pl_str){NULL, 0};
}

static struct pl_str up_to(struct pl_str s, char c)
{
	const char *p = memchr(s.p, c, s.n);

	return (struct pl_str){s.p, p ? (size_t)(p - s.p) : s.n};
}

static void add_component(struct names *n, struct pl_str s)
{
	pl_buf_adds(&n->out, s.n ? s : PL_S("(anonymous)"));
	pl_buf_addc(&n->out, '\0');
}

/* "py::Class.func:file.py"; what begins with '<' ("<module>") has no parts. In a pattern "::"
 * parts, too. */
static bool read_python(struct names *n, struct pl_str s, bool pattern)
{
	struct pl_str name = behind(s, "py::");

	if (!name.p)
		return false;
	add_component(n, PL_S("py"));
	if (!pattern)
		name = up_to(name, ':');
	while (name.n && name.p[0] != '<') {
		size_t end = 0;
		while (end < name.n && name.p[end] != '.' && name.p[end] != ':')
			end++;
		if (end == name.n)
			break;
		if (end)
			add_component(n, (struct pl_str){name.p, end});
		name.p += end + 1;
		name.n -= end + 1;
	}
	add_component(n, name);
	return true;
}

/* V8's names for perf: "LazyCompile:*f file.js:1:2", "JS:~f", "Builtin:Name"; and its marks of how
 * well a function is compiled, where a tool has dropped the rest. */
static bool read_javascript(struct names *n, struct pl_str s, bool pattern)
{
	static const char *const functions[] = {
		"LazyCompile:", "Function:", "JS:", "Script:", "Eval:"};
	static const char *const own[] = {"Builtin:", "BytecodeHandler:", "RegExp:", "Stub:"};
	struct pl_str name = {NULL, 0};

	for (size_t i = 0; i < PL_COUNT(functions) && !name.p; i++)
		name = behind(s, functions[i]);
	for (size_t i = 0; i < PL_COUNT(own) && !name.p; i++) {
		name = behind(s, own[i]);
		if (!name.p)
			continue;
		add_component(n, PL_S("js"));
		add_component(n, (struct pl_str){own[i], strlen(own[i]) - 1});
		add_component(n, name);
		return true;
	}
	if (!name.p && !pattern && s.n > 1 && (s.p[0] == '*' || s.p[0] == '~') &&
	    names_letter(s.p[1]) && !memchr(s.p, '(', s.n))
		name = s;
	if (!name.p)
		return false;
	while (!pattern && name.n && memchr("*~^+'", name.p[0], 5)) {
		name.p++;
		name.n--;
	}
	add_component(n, PL_S("js"));
	add_component(n, up_to(name, ' '));
	return true;
}

static struct pl_str read_name(struct names *n, struct pl_str s, bool pattern)
{
	pl_buf_clear(&n->out);
	if (read_python(n, s, pattern) || read_javascript(n, s, pattern))
		return pl_buf_str(&n->out);
	s = pl_symbol_normal(s);
	take_ends(&s);
	bool read = s.n && names_scan(n, s, pattern);
	return read && n->out.n ? pl_buf_str(&n->out) : (struct pl_str){NULL, 0};
}

struct pl_str names_of(struct names *n, struct pl_str symbol)
{
	struct pl_str name = read_name(n, symbol, false);

	if (name.p)
		return name;
	pl_buf_clear(&n->out);
	pl_buf_adds(&n->out, symbol);
	pl_buf_addc(&n->out, '\0');
	return pl_buf_str(&n->out);
}

struct pl_str names_of_pattern(struct names *n, struct pl_str pattern)
{
	return read_name(n, pattern, true);
}

void names_free(struct names *n)
{
	pl_buf_free(&n->out);
	pl_buf_free(&n->open);
}
