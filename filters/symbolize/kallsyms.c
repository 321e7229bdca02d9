/* kallsyms: a text of symbols to a sorted table */
#include "kallsyms.h"
#include "fd.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>

enum { READ = 1 << 20, TEXT_MAX = 256 << 20 };

static int read_all(struct kallsyms *k, int fd, struct pl_err *err)
{
	for (;;) {
		pl_buf_reserve(&k->bytes, READ);
		ssize_t got = pl_fd_read(fd, k->bytes.p + k->bytes.n, READ);
		if (got < 0)
			return pl_err_set(err, PL_E_INVALID_INPUT,
					  _("kernel symbols cannot be read: %s"), strerror(errno));
		if (got == 0)
			return 0;
		k->bytes.n += (size_t)got;
		if (k->bytes.n > TEXT_MAX)
			return pl_err_set(err, PL_E_RESOURCE_LIMIT_EXCEEDED,
					  _("kernel symbols: more than %d bytes"), TEXT_MAX);
	}
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "ffffffff81000000 T _text", then a tab and "[module]" or the end of the line. false: no function
 * with an address. */
static bool read_symbol(struct kallsyms *k, const char *p, const char *end,
			struct kallsyms_symbol *symbol)
{
	enum { DIGITS_MAX = 16 };
	uint64_t address = 0;
	int digits = 0, digit;

	for (; p < end && digits < DIGITS_MAX && (digit = hex_digit(*p)) >= 0; p++, digits++)
		address = address << 4 | (unsigned)digit;
	if (address == 0 || end - p < 4 || p[0] != ' ' || p[2] != ' ')
		return false;
	char type = p[1];
	if (!strchr("TtWw", type))
		return false;
	const char *name = p + 3, *tab = memchr(name, '\t', (size_t)(end - name));
	*symbol = (struct kallsyms_symbol){
		.start = address,
		.name = (uint32_t)(name - k->bytes.p),
		.name_n = (uint32_t)((tab ? tab : end) - name),
	};
	return symbol->name_n > 0;
}

static struct pl_str name_of(const struct kallsyms *k, const struct kallsyms_symbol *s)
{
	return (struct pl_str){k->bytes.p + s->name, s->name_n};
}

/* Of those at one address in the order of the text. */
static int by_start(const void *a, const void *b)
{
	const struct kallsyms_symbol *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

/* Of several names at one address the last counts, as in perf: it lets each symbol reach to the
 * next one, and prefers those that are longer than nothing (symbols__fixup_end(),
 * choose_best_symbol() in tools/perf/util/symbol.c). */
static void sort(struct kallsyms *k)
{
	size_t kept = 0;

	qsort(k->v, k->n, sizeof *k->v, by_start);
	for (size_t i = 0; i < k->n; i++)
		if (i + 1 == k->n || k->v[i + 1].start != k->v[i].start)
			k->v[kept++] = k->v[i];
	k->n = kept;
}

int kallsyms_read(struct kallsyms *k, int fd, struct pl_err *err)
{
	struct kallsyms_symbol symbol;

	memset(k, 0, sizeof *k);
	if (read_all(k, fd, err))
		return -1;
	const char *p = k->bytes.p, *all_end = p + k->bytes.n, *end;
	for (; p < all_end; p = end + 1) {
		end = memchr(p, '\n', (size_t)(all_end - p));
		if (!end)
			end = all_end;
		if (!read_symbol(k, p, end, &symbol))
			continue;
		struct pl_str name = name_of(k, &symbol);
		if (pl_str_is(name, "_text"))
			k->text = symbol.start;
		else if (pl_str_is(name, "_stext"))
			k->stext = symbol.start;
		PL_GROW(k->v, k->n + 1, k->cap);
		k->v[k->n++] = symbol;
	}
	if (k->n) {
		sort(k);
		return 0;
	}
	return pl_err_set(err, PL_E_INVALID_INPUT, _("kernel symbols have no addresses"));
}

/* "[nf_tables]" behind the name; absent: of the kernel itself. */
static struct pl_str owner_of(const struct kallsyms *k, const struct kallsyms_symbol *s)
{
	const char *from = k->bytes.p + s->name + s->name_n, *all_end = k->bytes.p + k->bytes.n;

	if (from == all_end || *from == '\n')
		return (struct pl_str){NULL, 0};
	const char *end = memchr(from, '\n', (size_t)(all_end - from));
	return (struct pl_str){from, (size_t)((end ? end : all_end) - from)};
}

/* As perf has it (symbols__fixup_end()): a function reaches to the next one; the last one of the
 * kernel or of a module, whose size nothing tells, to the end of the page behind the one that it
 * starts in, or, where it starts with a page, to the end of that. */
static bool reaches(const struct kallsyms *k, size_t i, uint64_t address)
{
	enum { PAGE = 4096 };
	const struct kallsyms_symbol *s = &k->v[i];
	uint64_t behind = address - s->start;

	if (i + 1 < k->n && pl_str_eq(owner_of(k, s), owner_of(k, s + 1)))
		return true;
	return behind < PAGE + (PAGE - s->start % PAGE) % PAGE;
}

struct pl_str kallsyms_find(const struct kallsyms *k, uint64_t address)
{
	size_t low = 0, high = k->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (k->v[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || !reaches(k, low - 1, address))
		return (struct pl_str){NULL, 0};
	return name_of(k, &k->v[low - 1]);
}

void kallsyms_free(struct kallsyms *k)
{
	free(k->v);
	pl_buf_free(&k->bytes);
}
