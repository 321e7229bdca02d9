/* demangle: libiberty, each name once */
#include "demangle.h"
#include "utf8.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdlib.h>

static const char plt[] = "@plt", more[] = "\xe2\x80\xa6";

void demangle_start(struct demangle *d)
{
	*d = (struct demangle){0};
	pl_intern_init(&d->mangled);
}

void demangle_free(struct demangle *d)
{
	pl_intern_free(&d->mangled);
	pl_arena_free(&d->bytes);
	pl_buf_free(&d->scratch);
	pl_buf_free(&d->cut);
	free(d->plain);
}

/* ---- libiberty, without end ---- */

struct output {
	struct pl_buf *text;
	jmp_buf enough;
};

/* May the demangler be left where it writes this? libiberty keeps what it needs on its stack, but
 * for one thing: Rust's identifiers in punycode, which are written from memory of the heap, one
 * character a call. Two characters are never written so; and what grows without end has ", ", "::"
 * or " + " between its parts. */
static bool may_leave(struct pl_str piece)
{
	uint32_t scalar;

	return pl_utf8_decode(piece, &scalar) < piece.n;
}

static void take_piece(const char *p, size_t n, void *to)
{
	struct output *out = to;
	struct pl_str piece = {p, n};

	if (out->text->n <= DEMANGLE_NAME_MAX)
		pl_buf_adds(out->text, piece);
	else if (may_leave(piece))
		longjmp(out->enough, 1);
}

static bool is_cxx(const char *name)
{
	return name[1] == 'Z' || (name[1] == '_' && name[2] == '_' && name[3] == 'Z');
}

/* Replaces *plain by what the demangler makes of the name; false: nothing, or too much. libiberty
 * bounds its own recursion. */
static bool demangled(const char *name, struct pl_buf *plain)
{
	struct output out = {.text = plain};

	pl_buf_clear(plain);
	if (name[0] != '_' || setjmp(out.enough))
		return false;
	/* the hash of Rust's first mangling makes its names look like C++ */
	if (!rust_demangle_callback(name, DMGL_NO_OPTS, take_piece, &out)) {
		pl_buf_clear(plain);
		if (!is_cxx(name) ||
		    !cplus_demangle_v3_callback(name, DMGL_NO_OPTS, take_piece, &out))
			return false;
	}
	return plain->n <= DEMANGLE_NAME_MAX;
}

/* ---- names ---- */

static struct pl_str bounded(struct pl_str name, struct pl_buf *cut)
{
	size_t n = DEMANGLE_NAME_MAX - (sizeof more - 1);

	if (name.n <= DEMANGLE_NAME_MAX)
		return name;
	/* a character is not cut: at most three bytes of it stand before */
	for (int i = 0; i < 3 && ((unsigned char)name.p[n] & 0xc0) == 0x80; i++)
		n--;
	pl_buf_clear(cut);
	pl_buf_add(cut, name.p, n);
	pl_buf_addz(cut, more);
	return pl_buf_str(cut);
}

struct pl_str demangle_bounded(struct demangle *d, struct pl_str name)
{
	return bounded(name, &d->cut);
}

static struct pl_str keep(struct demangle *d, struct pl_str name)
{
	return (struct pl_str){pl_arena_dup(&d->bytes, name.p, name.n), name.n};
}

static struct pl_str make(struct demangle *d, struct pl_str name)
{
	bool stub = pl_str_ends(name, plt);
	struct pl_buf mangled = {0}, plain = {0}, cut = {0};
	uint64_t replaced = 0;

	pl_buf_add(&mangled, name.p, stub ? name.n - (sizeof plt - 1) : name.n);
	if (mangled.n && !memchr(mangled.p, '\0', mangled.n) && demangled(mangled.p, &plain)) {
		if (stub)
			pl_buf_addz(&plain, plt);
		name = pl_buf_str(&plain);
	}
	/* what replaces a byte is longer than one */
	name = bounded(pl_utf8_clean(name, &d->scratch, &replaced), &cut);
	struct pl_str kept = keep(d, name);
	pl_buf_free(&cut);
	pl_buf_free(&mangled);
	pl_buf_free(&plain);
	return kept;
}

struct pl_str demangle_name(struct demangle *d, struct pl_str name)
{
	size_t known = d->mangled.n;
	uint32_t at = pl_intern(&d->mangled, name.p, name.n);

	PL_GROW(d->plain, d->mangled.n, d->cap);
	if (at == known)
		d->plain[at] = make(d, name);
	return d->plain[at];
}
