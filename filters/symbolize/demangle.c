/* demangle: libiberty, each name once */
#include "demangle.h"
#include "utf8.h"

#include <libiberty/demangle.h>
#include <stdlib.h>

static const char plt[] = "@plt";

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
	free(d->plain);
}

/* What the demangler makes of it, or NULL. libiberty bounds its own recursion. */
static char *demangled(const char *name)
{
	char *plain = NULL;

	if (name[0] != '_')
		return NULL;
	/* the hash of Rust's first mangling makes its names look like C++ */
	plain = rust_demangle(name, DMGL_NO_OPTS);
	if (!plain && (name[1] == 'Z' || (name[1] == '_' && name[2] == '_' && name[3] == 'Z')))
		plain = cplus_demangle_v3(name, DMGL_NO_OPTS);
	return plain;
}

static struct pl_str keep(struct demangle *d, struct pl_str name)
{
	return (struct pl_str){pl_arena_dup(&d->bytes, name.p, name.n), name.n};
}

static struct pl_str make(struct demangle *d, struct pl_str name)
{
	bool stub = pl_str_ends(name, plt);
	struct pl_buf text = {0};
	uint64_t replaced = 0;

	pl_buf_add(&text, name.p, stub ? name.n - (sizeof plt - 1) : name.n);
	char *plain = text.n && !memchr(text.p, '\0', text.n) ? demangled(text.p) : NULL;
	if (plain) {
		pl_buf_clear(&text);
		pl_buf_addz(&text, plain);
		free(plain);
	}
	if (stub)
		pl_buf_addz(&text, plt);
	struct pl_str kept = keep(d, pl_utf8_clean(pl_buf_str(&text), &d->scratch, &replaced));
	pl_buf_free(&text);
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
