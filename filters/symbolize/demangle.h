/*
 * demangle: names as people write them, from names as linkers know them: C++ (Itanium ABI) and Rust
 * (both manglings), by libiberty; other languages stay as they are.
 *
 * Parameters are left out, as perf leaves them out: names of one recording are then the same by
 * either road, and overloads stand in a row's variants.
 *
 * No name is longer than DEMANGLE_NAME_MAX. A few hundred bytes may stand for a name of gigabytes,
 * because manglings refer back to what they said: such a one stays mangled.
 */
#ifndef SYMBOLIZE_DEMANGLE_H
#define SYMBOLIZE_DEMANGLE_H

#include "intern.h"

enum { DEMANGLE_NAME_MAX = 64 << 10 }; /* bytes */

struct demangle {
	/* private: each name once */
	struct pl_intern mangled;
	struct pl_str *plain; /* by the number of the mangled name */
	size_t cap;
	struct pl_arena bytes;
	struct pl_buf scratch, cut;
};

void demangle_start(struct demangle *d);
/* The name itself, or, where it is too long, its beginning and "…"; until the next call. Names of
 * any source pass here first. */
struct pl_str demangle_bounded(struct demangle *d, struct pl_str name);
/* Valid UTF-8, until demangle_free(). A name that ends in @plt keeps that.
 * At most DEMANGLE_NAME_MAX bytes. */
struct pl_str demangle_name(struct demangle *d, struct pl_str name);
void demangle_free(struct demangle *d);

#endif
