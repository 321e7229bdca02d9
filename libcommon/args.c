/* args: options from a table */
#include "args.h"
#include "mem.h"
#include "num.h"
#include "text.h"
#include "utf8.h"

#include <getopt.h>

enum { MICRO = 1000000, HELP_COLUMN = 34 };

static void list_add(struct pl_list *list, const char *word)
{
	PL_GROW(list->v, list->n + 1, list->cap);
	list->v[list->n++] = word;
}

static size_t table_size(const struct pl_opt *table)
{
	size_t n = 0;

	while (table[n].name)
		n++;
	return n;
}

static bool takes_argument(const struct pl_opt *o)
{
	return o->kind != PL_OPT_FLAG && o->kind != PL_OPT_NOFLAG;
}

static bool is_number(const struct pl_opt *o)
{
	return o->kind == PL_OPT_COUNT || o->kind == PL_OPT_SIZE || o->kind == PL_OPT_MICRO;
}

int pl_args_micro(struct pl_str s, uint64_t *micro)
{
	const char *dot = memchr(s.p, '.', s.n);
	struct pl_str whole = {s.p, dot ? (size_t)(dot - s.p) : s.n};
	uint64_t units, fraction = 0;

	if (pl_num_u64(whole, &units) || units > UINT64_MAX / MICRO - 1)
		return -1;
	if (dot) {
		struct pl_str part = {dot + 1, s.n - whole.n - 1};
		if (part.n > 6 || pl_num_u64(part, &fraction))
			return -1;
		for (size_t i = part.n; i < 6; i++)
			fraction *= 10;
	}
	*micro = units * MICRO + fraction;
	return 0;
}

/* Is `word` one of the alternatives in "a|b|c"? */
static bool is_choice(const char *choices, const char *word)
{
	size_t n = strlen(word);

	if (n == 0 || strchr(word, '|'))
		return false;
	for (const char *p = choices; p; p = strchr(p, '|')) {
		p += *p == '|';
		if (strncmp(p, word, n) == 0 && (p[n] == '|' || p[n] == '\0'))
			return true;
	}
	return false;
}

static int bad_number(struct pl_err *e, const struct pl_opt *o, const char *word)
{
	if (o->kind == PL_OPT_MICRO && o->max)
		return pl_err_set(
			e, PL_E_INVALID_INPUT,
			_("--%s: '%s' is no number from %llu to %llu with at most six decimals"),
			o->name, word, (unsigned long long)o->min / MICRO,
			(unsigned long long)o->max / MICRO);
	if (o->kind == PL_OPT_MICRO)
		return pl_err_set(e, PL_E_INVALID_INPUT,
				  _("--%s: '%s' is no decimal number with at most six decimals"),
				  o->name, word);
	if (o->max)
		return pl_err_set(e, PL_E_INVALID_INPUT,
				  _("--%s: '%s' is no whole number from %llu to %llu"), o->name,
				  word, (unsigned long long)o->min, (unsigned long long)o->max);
	return pl_err_set(e, PL_E_INVALID_INPUT,
			  _("--%s: '%s' is no whole number of at least %llu%s"), o->name, word,
			  (unsigned long long)o->min, _(" (K, M or G may follow)"));
}

static int set_number(struct pl_err *e, const struct pl_opt *o, const char *word)
{
	struct pl_str s = pl_str(word);
	uint64_t v = 0;
	int status = o->kind == PL_OPT_COUNT  ? pl_num_count(s, &v)
		     : o->kind == PL_OPT_SIZE ? pl_num_size(s, &v)
					      : pl_args_micro(s, &v);

	if (status || v < o->min || (o->max && v > o->max))
		return bad_number(e, o, word);
	*(uint64_t *)o->value = v;
	return 0;
}

static int set_value(struct pl_args *args, const struct pl_opt *o, const char *word)
{
	switch (o->kind) {
	case PL_OPT_FLAG:
	case PL_OPT_NOFLAG:
		*(bool *)o->value = o->kind == PL_OPT_FLAG;
		return 0;
	case PL_OPT_TEXT:
		*(const char **)o->value = word;
		return 0;
	case PL_OPT_CHOICE:
		if (!is_choice(o->choices, word))
			return pl_err_set(&args->err, PL_E_INVALID_INPUT,
					  _("--%s: '%s' is none of %s"), o->name, word, o->choices);
		*(const char **)o->value = word;
		return 0;
	case PL_OPT_LIST:
		list_add(o->value, word);
		return 0;
	case PL_OPT_ALIAS:
		list_add(&args->operands, word);
		return 0;
	default:
		return set_number(&args->err, o, word);
	}
}

static void keep_defaults(struct pl_args *args)
{
	args->defaults = pl_alloc((args->n + 1) * sizeof *args->defaults);
	for (size_t i = 0; i < args->n; i++) {
		const struct pl_opt *o = &args->table[i];
		if (is_number(o))
			args->defaults[i].number = *(uint64_t *)o->value;
		else if (o->kind == PL_OPT_TEXT || o->kind == PL_OPT_CHOICE)
			args->defaults[i].text = *(const char **)o->value;
		else if (o->kind == PL_OPT_FLAG || o->kind == PL_OPT_NOFLAG)
			args->defaults[i].number = *(bool *)o->value;
	}
}

static int edit_distance(const char *a, const char *b)
{
	enum { MOST = 48 };
	size_t n = strlen(a), m = strlen(b);
	int row[MOST + 1];

	if (n > MOST || m > MOST) /* no option has such a name */
		return INT32_MAX;
	for (size_t j = 0; j <= m; j++)
		row[j] = (int)j;
	for (size_t i = 1; i <= n; i++) {
		int corner = row[0];
		row[0] = (int)i;
		for (size_t j = 1; j <= m; j++) {
			int change = corner + (a[i - 1] != b[j - 1]);
			corner = row[j];
			row[j] = row[j] + 1 < change ? row[j] + 1 : change;
			row[j] = row[j - 1] + 1 < row[j] ? row[j - 1] + 1 : row[j];
		}
	}
	return row[m];
}

const char *pl_args_nearest(const char *word, const char *const *words, size_t n)
{
	const char *best = NULL;
	int least = (int)strlen(word) / 3 + 2; /* farther is no slip of the hand */

	for (size_t i = 0; i < n; i++) {
		int distance = edit_distance(word, words[i]);
		if (distance < least) {
			least = distance;
			best = words[i];
		}
	}
	return best;
}

static int unknown_option(struct pl_args *args, const char *word)
{
	const char **names = pl_alloc((args->n + 1) * sizeof *names), *near = NULL;
	char name[64];
	size_t n = 0;

	for (size_t i = 0; i < args->n; i++)
		if (!(args->table[i].flags & PL_OPT_HIDDEN))
			names[n++] = args->table[i].name;
	pl_err_set(&args->err, PL_E_INVALID_INPUT, _("unknown option '%s'"), word);
	if (strncmp(word, "--", 2) == 0) {
		snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
		near = pl_args_nearest(name, names, n);
	}
	free(names);
	if (near)
		return pl_err_action(&args->err, _("did you mean --%s?"), near);
	return pl_err_action(&args->err, _("see --help"));
}

/* What getopt_long(3) wants to know; returns the short options. The caller frees both. */
static char *getopt_tables(const struct pl_args *args, struct option **longs)
{
	struct pl_buf shorts = {0};

	*longs = pl_alloc((args->n + 1) * sizeof **longs);
	pl_buf_addc(&shorts, ':'); /* a missing argument is ':', not '?' */
	for (size_t i = 0; i < args->n; i++) {
		const struct pl_opt *o = &args->table[i];
		(*longs)[i] = (struct option){.name = o->name, .has_arg = takes_argument(o)};
		if (!o->letter)
			continue;
		pl_buf_addc(&shorts, o->letter);
		if (takes_argument(o))
			pl_buf_addc(&shorts, ':');
	}
	return shorts.p;
}

static int index_of_letter(const struct pl_args *args, int letter)
{
	for (size_t i = 0; i < args->n; i++)
		if (args->table[i].letter && args->table[i].letter == letter)
			return (int)i;
	return -1;
}

static int next_option(struct pl_args *args, int argc, char **argv, const char *shorts,
		       const struct option *longs, bool *done)
{
	int index = -1;
	int c = getopt_long(argc, argv, shorts, longs, &index);

	*done = c == -1;
	if (*done)
		return 0;
	/* What was wrong: a letter, perhaps one of several in its word, or the word of a long
	 * option, which is the one before optind. */
	const char letter[] = {'-', (char)optopt, '\0'};
	const char *word = optopt ? letter : argv[optind - 1];
	if (c == '?')
		return unknown_option(args, word);
	if (c == ':')
		return pl_err_set(&args->err, PL_E_INVALID_INPUT, _("'%s' wants an argument"),
				  word);
	if (index < 0)
		index = index_of_letter(args, c);
	return set_value(args, &args->table[index], optarg);
}

int pl_args_parse(struct pl_args *args, const struct pl_opt *table, int argc, char **argv)
{
	struct option *longs;
	bool done = false;
	int status = 0;

	memset(args, 0, sizeof *args);
	args->table = table;
	args->n = table_size(table);
	keep_defaults(args);
	char *shorts = getopt_tables(args, &longs);
	optind = 0; /* a fresh start, also for a second parse in one process */
	opterr = 0;
	while (!done && status == 0)
		status = next_option(args, argc, argv, shorts, longs, &done);
	for (int i = optind; status == 0 && i < argc; i++)
		list_add(&args->operands, argv[i]);
	free(shorts);
	free(longs);
	return status;
}

void pl_args_free(struct pl_args *args)
{
	for (size_t i = 0; i < args->n; i++) {
		struct pl_list *list = args->table[i].value;
		if (args->table[i].kind == PL_OPT_LIST && list->v) {
			free(list->v);
			memset(list, 0, sizeof *list);
		}
	}
	free(args->operands.v);
	free(args->defaults);
	memset(args, 0, sizeof *args);
}

static bool differs(const struct pl_args *args, size_t i)
{
	const struct pl_opt *o = &args->table[i];
	const char *was = args->defaults[i].text;

	switch (o->kind) {
	case PL_OPT_FLAG:
	case PL_OPT_NOFLAG:
		return *(bool *)o->value != (args->defaults[i].number != 0);
	case PL_OPT_TEXT:
	case PL_OPT_CHOICE: {
		const char *now = *(const char **)o->value;
		return now && (!was || strcmp(now, was) != 0);
	}
	case PL_OPT_LIST:
		return ((struct pl_list *)o->value)->n > 0;
	case PL_OPT_ALIAS:
		return false;
	default:
		return *(uint64_t *)o->value != args->defaults[i].number;
	}
}

/* A word of the command line as valid text: options are data in a stream. */
static void put_word(struct pl_jsonw *w, const char *word)
{
	struct pl_buf scratch = {0};
	uint64_t replaced = 0;

	pl_jsonw_str(w, pl_utf8_clean(pl_str(word), &scratch, &replaced));
	pl_buf_free(&scratch);
}

static void put_option(const struct pl_opt *o, struct pl_jsonw *w)
{
	char key[64];
	size_t n = 0;

	for (; o->name[n] && n < sizeof key - 1; n++)
		key[n] = o->name[n] == '-' ? '_' : o->name[n];
	key[n] = '\0';
	pl_jsonw_key(w, key);
	if (o->kind == PL_OPT_FLAG || o->kind == PL_OPT_NOFLAG) {
		pl_jsonw_bool(w, true); /* "no_paths":true: what was given */
	} else if (o->kind == PL_OPT_TEXT || o->kind == PL_OPT_CHOICE) {
		put_word(w, *(const char **)o->value);
	} else if (o->kind == PL_OPT_LIST) {
		const struct pl_list *list = o->value;
		pl_jsonw_begin(w, '[');
		for (size_t i = 0; i < list->n; i++)
			put_word(w, list->v[i]);
		pl_jsonw_end(w, ']');
	} else if (o->kind == PL_OPT_MICRO) {
		pl_jsonw_micro(w, *(uint64_t *)o->value);
	} else {
		pl_jsonw_u64(w, *(uint64_t *)o->value);
	}
}

void pl_args_record(const struct pl_args *args, struct pl_jsonw *w)
{
	pl_jsonw_begin(w, '{');
	for (size_t i = 0; i < args->n; i++)
		if ((args->table[i].flags & PL_OPT_RECORDED) && differs(args, i))
			put_option(&args->table[i], w);
	pl_jsonw_end(w, '}');
}

static void help_default(const struct pl_opt *o, struct pl_buf *out)
{
	uint64_t v = is_number(o) ? *(uint64_t *)o->value : 0;

	if (o->kind == PL_OPT_SIZE && v && v % (1 << 20) == 0)
		pl_buf_printf(out, _(" (default %lluM)"), (unsigned long long)v >> 20);
	else if ((o->kind == PL_OPT_COUNT || o->kind == PL_OPT_SIZE) && v >= o->min)
		pl_buf_printf(out, _(" (default %llu)"), (unsigned long long)v);
	else if (o->kind == PL_OPT_MICRO)
		pl_buf_printf(out, _(" (default %llu.%06llu)"), (unsigned long long)v / MICRO,
			      (unsigned long long)v % MICRO);
	else if ((o->kind == PL_OPT_TEXT || o->kind == PL_OPT_CHOICE) && *(const char **)o->value)
		pl_buf_printf(out, _(" (default %s)"), *(const char **)o->value);
}

static void help_text(const struct pl_opt *o, struct pl_buf *out)
{
	pl_buf_addz(out, _(o->help));
	help_default(o, out);
}

void pl_args_list(const struct pl_opt *table, struct pl_buf *out)
{
	for (const struct pl_opt *o = table; o->name; o++) {
		pl_buf_printf(out, "%s\t%s\t", o->name, takes_argument(o) ? o->argument : "-");
		if (!(o->flags & PL_OPT_HIDDEN))
			help_text(o, out);
		pl_buf_addc(out, '\n');
	}
}

void pl_args_help(const struct pl_opt *table, struct pl_buf *out)
{
	for (const struct pl_opt *o = table; o->name; o++) {
		if (o->flags & PL_OPT_HIDDEN)
			continue;
		size_t start = out->n;
		if (o->letter)
			pl_buf_printf(out, "  -%c, --%s", o->letter, o->name);
		else
			pl_buf_printf(out, "      --%s", o->name);
		if (takes_argument(o))
			pl_buf_printf(out, " %s", o->choices ? o->choices : o->argument);
		if (out->n - start > HELP_COLUMN - 2) {
			pl_buf_addc(out, '\n');
			start = out->n;
		}
		pl_buf_printf(out, "%*s", (int)(HELP_COLUMN - (out->n - start)), "");
		help_text(o, out);
		pl_buf_addc(out, '\n');
	}
}
