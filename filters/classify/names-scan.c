/* names-scan: a name with brackets, separators and operators, to components */
#include "names-scan.h"

enum { RANGES = 8 }; /* "<<T as A>::B as C>::f" nests this deep; deeper ones stay as they are */

/* One name being read: the part from `at` to `end`, and what is read after it. */
struct scan {
	struct names *n;
	struct pl_str s;
	size_t at, end;
	struct {
		size_t at, end;
	} later[RANGES];
	size_t ranges;
	size_t comp;	   /* where the current component starts in n->out */
	size_t parameters; /* where the last '(' is: behind it no blank ends a return type */
	bool pattern;
	bool dots;  /* '.' and '/' separate, too */
	bool after; /* behind a parameter list: nothing counts before the next "::" */
	bool bad;
};

bool names_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
	       (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static struct pl_str rest_of(const struct scan *c)
{
	return (struct pl_str){c->s.p + c->at, c->end - c->at};
}

static bool comp_empty(const struct scan *c)
{
	return c->n->out.n == c->comp;
}

static void end_component(struct scan *c)
{
	if (comp_empty(c))
		return;
	pl_buf_addc(&c->n->out, '\0');
	c->comp = c->n->out.n;
}

static void drop_all(struct scan *c)
{
	pl_buf_clear(&c->n->out);
	c->comp = 0;
}

/* ---- does '.' separate? ---- */

/* What compilers and linkers append to C names after a '.'. */
static bool is_c_suffix(struct pl_str part)
{
	static const char *const words[] = {
		"cold",	  "isra",    "constprop",  "part",     "lto_priv",   "llvm",	  "clone",
		"cfi_jt", "cfi",     "localalias", "resolver", "ifunc",	     "default",	  "avx",
		"avx2",	  "avx512f", "sse2",	   "ssse3",    "sse4_1",     "sse4_2",	  "popcnt",
		"bmi2",	  "nonlazy", "coldreloc",  "warm",     "hot",	     "unlikely",  "so",
		"symver", "str",     "omp_fn",	   "tm_clone", "artificial", "coroutine", "destroy",
		"resume", "cleanup", "actor",	   "__uniq"};

	for (size_t i = 0; i < PL_COUNT(words); i++)
		if (pl_str_is(part, words[i]))
			return true;
	return pl_str_starts(part, "arch_");
}

static bool is_number(struct pl_str part)
{
	for (size_t i = 0; i < part.n; i++)
		if (!is_digit(part.p[i]))
			return false;
	return part.n > 0;
}

/* May this be a part of a Go or Java name? Closures of closures are numbered: "f.func1.2". */
static bool is_dotted_part(struct pl_str part, struct pl_str before)
{
	if (is_number(part))
		return pl_str_starts(before, "func") || is_number(before);
	return !is_c_suffix(part);
}

static bool is_head(const struct scan *c, char ch)
{
	return names_letter(ch) || is_digit(ch) || ch == '-' || ch == ';' || ch == '%' ||
	       (c->pattern && (ch == '*' || ch == '\\'));
}

/* A Go or Java name: a dotted word, as long as it goes. */
static bool is_dotted(const struct scan *c)
{
	struct pl_str s = rest_of(c), part = {s.p, 0}, before = {NULL, 0};
	size_t i = 0, parts = 0;

	if (s.n == 0 || !(names_letter(s.p[0]) || (c->pattern && s.p[0] == '*')))
		return false;
	for (;; i++) {
		if (i < s.n && is_head(c, s.p[i])) {
			part.n++;
			continue;
		}
		if (part.n && parts && !is_dotted_part(part, before))
			return false;
		if (i == s.n || (s.p[i] != '.' && s.p[i] != '/'))
			break;
		parts++;
		before = part;
		part = (struct pl_str){s.p + i + 1, 0};
	}
	/* "runtime.(*mheap).alloc": the receiver follows the dot */
	return parts && (part.n || (i < s.n && s.p[i] == '('));
}

/* ---- brackets ---- */

/* Takes the closing bracket's partner off those that are open. A '>' that closes nothing is an
 * operator, and so was a '<' that another bracket closes. False: there is none. */
static bool close_bracket(struct pl_buf *open, char close)
{
	const char *const pairs = "<>()[]{}";
	char want = strchr(pairs, close)[-1];

	if (close == '>' && open->p[open->n - 1] != '<')
		return true;
	while (open->n && open->p[open->n - 1] == '<' && want != '<')
		open->n--;
	if (open->n == 0 || open->p[open->n - 1] != want)
		return false;
	open->n--;
	return true;
}

/* The end of what the bracket at c->at opens, behind its partner; 0: it has none. */
static size_t bracket_end(struct scan *c, size_t at)
{
	struct pl_buf *open = &c->n->open;

	pl_buf_clear(open);
	for (size_t i = at; i < c->end; i++) {
		char ch = c->s.p[i];
		if (c->pattern && ch == '\\') {
			i++;
		} else if (ch == '<' || ch == '(' || ch == '[' || ch == '{') {
			pl_buf_addc(open, ch);
		} else if (ch == '>' && i > 0 && c->s.p[i - 1] == '-') {
			continue; /* an arrow */
		} else if (ch == '>' || ch == ')' || ch == ']' || ch == '}') {
			if (!close_bracket(open, ch))
				return 0;
			if (open->n == 0)
				return i + 1;
		}
	}
	return 0;
}

static void skip_bracket(struct scan *c)
{
	size_t end = bracket_end(c, c->at);

	c->bad |= end == 0;
	c->at = end;
}

static void copy_bracket(struct scan *c)
{
	size_t end = bracket_end(c, c->at);

	c->bad |= end == 0;
	if (c->bad)
		return;
	/* the receiver of a Go method: its star is no pattern's */
	if (c->pattern && pl_str_starts(rest_of(c), "(*")) {
		pl_buf_addz(&c->n->out, "(\\");
		c->at++;
	}
	pl_buf_add(&c->n->out, c->s.p + c->at, end - c->at);
	c->at = end;
}

/* "{lambda(int)#1}", "{closure#0}", "{{closure}}" are "{lambda}" and "{closure}". */
static void read_brace(struct scan *c)
{
	size_t end = bracket_end(c, c->at);
	size_t from = c->at + 1, to;

	c->bad |= end == 0;
	if (c->bad)
		return;
	from += c->s.p[from] == '{';
	for (to = from; to < end && !memchr("}(# {", c->s.p[to], 5); to++)
		;
	pl_buf_addc(&c->n->out, '{');
	pl_buf_add(&c->n->out, c->s.p + from, to - from);
	pl_buf_addc(&c->n->out, '}');
	c->at = end;
}

/* ---- "<T as Trait>::f" ---- */

/* Where " as " stands between brackets from `at` on, or 0. */
static size_t find_as(struct scan *c, size_t at, size_t end)
{
	while (at < end) {
		char ch = c->s.p[at];
		if (ch == '<' || ch == '(' || ch == '[' || ch == '{') {
			at = bracket_end(c, at);
			if (!at)
				return 0;
			continue;
		}
		if (ch == ' ' && pl_str_starts((struct pl_str){c->s.p + at, end - at}, " as "))
			return at;
		at++;
	}
	return 0;
}

static size_t type_start(const struct scan *c, size_t at, size_t end)
{
	static const char *const words[] = {"&", "*const ", "*mut ", "mut ", "dyn ", "impl "};

	for (size_t i = 0; i < PL_COUNT(words);) {
		if (pl_str_starts((struct pl_str){c->s.p + at, end - at}, words[i])) {
			at += strlen(words[i]);
			i = 0;
		} else {
			i++;
		}
	}
	return at;
}

/* Goes on with the trait's path, or else the type's, and then behind the bracket. */
static void enter_qualified(struct scan *c)
{
	size_t end = bracket_end(c, c->at);

	c->bad |= end == 0 || c->ranges == RANGES;
	if (c->bad)
		return;
	size_t as = find_as(c, c->at + 1, end - 1);
	c->later[c->ranges].at = end;
	c->later[c->ranges++].end = c->end;
	c->at = type_start(c, as ? as + 4 : c->at + 1, end - 1);
	c->end = end - 1;
}

/* ---- C++ ---- */

static bool is_operator(const struct scan *c)
{
	struct pl_str rest = rest_of(c);

	return comp_empty(c) && pl_str_starts(rest, "operator") && rest.n > 8 &&
	       !names_letter(rest.p[8]) && !is_digit(rest.p[8]) && rest.p[8] != ':' &&
	       rest.p[8] != '.' && rest.p[8] != '/';
}

/* "operator new", "operator delete[]"; a conversion is "operator T". */
static void read_worded_operator(struct scan *c)
{
	static const char *const words[] = {" new", " delete", " co_await"};

	for (size_t i = 0; i < PL_COUNT(words); i++) {
		size_t n = strlen(words[i]);
		if (!pl_str_starts(rest_of(c), words[i]) ||
		    (c->at + n < c->end && names_letter(c->s.p[c->at + n])))
			continue;
		pl_buf_add(&c->n->out, words[i], n);
		c->at += n;
		if (pl_str_starts(rest_of(c), "[]")) {
			pl_buf_addz(&c->n->out, "[]");
			c->at += 2;
		}
		return;
	}
	pl_buf_addz(&c->n->out, " T");
	while (c->at < c->end && c->s.p[c->at] != '(' && !c->bad)
		if (c->s.p[c->at] == '<')
			skip_bracket(c);
		else
			c->at++;
}

static void read_operator(struct scan *c)
{
	pl_buf_addz(&c->n->out, "operator");
	c->at += 8;
	if (c->s.p[c->at] == ' ') {
		read_worded_operator(c);
	} else if (pl_str_starts(rest_of(c), "()") || pl_str_starts(rest_of(c), "[]")) {
		pl_buf_add(&c->n->out, c->s.p + c->at, 2);
		c->at += 2;
	} else {
		while (c->at < c->end && memchr("+-*/%^&|~!=<>,\"\\", c->s.p[c->at], 16))
			pl_buf_addc(&c->n->out, c->s.p[c->at++]);
		if (pl_str_starts(rest_of(c), " <")) /* template arguments */
			c->at++;
	}
}

/* A blank before a parameter list: what stood before it is a return type. Else it is a part of the
 * name. */
static void read_blank(struct scan *c)
{
	struct pl_str rest = rest_of(c);

	if (c->ranges) {
		c->at = c->end; /* "Write + Send": the first is enough */
	} else if (pl_str_starts(rest, " [clone ")) {
		c->at = c->end;
	} else if (c->at < c->parameters) {
		drop_all(c);
		c->at++;
		c->dots = is_dotted(c);
	} else {
		pl_buf_addc(&c->n->out, ' ');
		c->at++;
	}
}

static void read_parenthesis(struct scan *c)
{
	static const char anonymous[] = "(anonymous namespace)";

	if (comp_empty(c) && pl_str_starts(rest_of(c), anonymous)) {
		pl_buf_addz(&c->n->out, anonymous);
		c->at += sizeof anonymous - 1;
	} else if (comp_empty(c)) {
		copy_bracket(c);
	} else {
		/* "decltype(auto) f(int)": that one holds no parameters */
		c->after = !pl_str_is((struct pl_str){c->n->out.p + c->comp, c->n->out.n - c->comp},
				      "decltype");
		skip_bracket(c);
	}
}

/* A symbol version goes, the mark of a stub in the PLT stays. */
static void read_at(struct scan *c)
{
	if (pl_str_ends(rest_of(c), "@plt"))
		pl_buf_addz(&c->n->out, "@plt");
	c->at = c->end;
}

/* ---- the loop ---- */

static void read_after(struct scan *c)
{
	char ch = c->s.p[c->at];

	if (ch == '@')
		read_at(c);
	else if (ch == '<' || ch == '(' || ch == '[' || ch == '{')
		skip_bracket(c);
	else
		c->at++;
}

/* LLVM's demangler: "'lambda'(int)" */
static bool read_quoted_lambda(struct scan *c)
{
	if (!comp_empty(c) || !pl_str_starts(rest_of(c), "'lambda"))
		return false;
	pl_buf_addz(&c->n->out, "{lambda}");
	for (c->at += 7; c->at < c->end && c->s.p[c->at] != ':' && c->s.p[c->at] != '('; c->at++)
		;
	return true;
}

static void read_open(struct scan *c, char ch)
{
	if (ch == '(')
		read_parenthesis(c);
	else if (ch == '{' && comp_empty(c))
		read_brace(c);
	else if (ch == '<' && c->n->out.n == 0)
		enter_qualified(c);
	else if (ch == '[' && comp_empty(c))
		copy_bracket(c);
	else
		skip_bracket(c);
}

static void copy_char(struct scan *c)
{
	if (c->pattern && c->s.p[c->at] == '\\' && c->at + 1 < c->end)
		pl_buf_addc(&c->n->out, c->s.p[c->at++]);
	pl_buf_addc(&c->n->out, c->s.p[c->at++]);
}

static void step(struct scan *c)
{
	char ch = c->s.p[c->at];

	if (ch == ':' && pl_str_starts(rest_of(c), "::")) {
		end_component(c);
		c->after = false;
		c->at += 2;
	} else if (c->after) {
		read_after(c);
	} else if (is_operator(c)) {
		read_operator(c);
	} else if (ch == '<' || ch == '(' || ch == '[' || ch == '{') {
		read_open(c, ch);
	} else if (ch == ' ') {
		read_blank(c);
	} else if (c->dots && (ch == '.' || ch == '/')) {
		end_component(c);
		c->at++;
	} else if (ch == '@' && !comp_empty(c)) {
		read_at(c);
	} else if (ch == '\'' && read_quoted_lambda(c)) {
		return;
	} else {
		copy_char(c);
	}
}

static void scan_all(struct scan *c)
{
	for (;;) {
		while (c->at < c->end && !c->bad)
			step(c);
		if (c->bad || c->ranges == 0)
			break;
		c->ranges--;
		c->at = c->later[c->ranges].at;
		c->end = c->later[c->ranges].end;
		c->after = false;
	}
	end_component(c);
}

/* "Ljava/util/HashMap;::getNode" is "java/util/HashMap::getNode". */
static void take_java_type(struct scan *c)
{
	const char *semicolon = memchr(c->s.p, ';', c->s.n);

	if (c->s.p[0] != 'L' || !semicolon || semicolon == c->s.p + 1)
		return;
	struct pl_str rest = {semicolon, c->s.n - (size_t)(semicolon - c->s.p)};
	if (!pl_str_starts(rest, ";::"))
		return;
	c->at = (size_t)(semicolon - c->s.p) + 1;
	c->later[c->ranges].at = c->at;
	c->later[c->ranges++].end = c->s.n;
	c->at = 1;
	c->end = (size_t)(semicolon - c->s.p);
}

bool names_scan(struct names *n, struct pl_str s, bool pattern)
{
	struct scan c = {.n = n, .s = s, .end = s.n, .pattern = pattern};
	const char *last = memrchr(s.p, '(', s.n);

	c.parameters = last ? (size_t)(last - s.p) : 0;
	take_java_type(&c);
	c.dots = is_dotted(&c);
	scan_all(&c);
	return !c.bad;
}
