/*
 * demangle: names as people write them, from names as linkers know them: C++ (Itanium ABI) and Rust
 * (both manglings), by libiberty; other languages stay as they are.
 *
 * Parameters are left out, as perf leaves them out: names of one recording are then the same by
 * either road, and overloads stand in a row's variants.
 */
#ifndef SYMBOLIZE_DEMANGLE_H
#define SYMBOLIZE_DEMANGLE_H

#include "intern.h"

struct demangle {
	/* private: each name once */
	struct pl_intern mangled;
	struct pl_str *plain; /* by the number of the mangled name */
	size_t cap;
	struct pl_arena bytes;
	struct pl_buf scratch;
};

void demangle_start(struct demangle *d);
/* Valid UTF-8, until demangle_free(). A name that ends in @plt keeps that. */
struct pl_str demangle_name(struct demangle *d, struct pl_str name);
void demangle_free(struct demangle *d);

#endif
