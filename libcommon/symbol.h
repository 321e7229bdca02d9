/*
 * symbol: names of functions: which are none, and how spellings of one function are brought
 * together.
 */
#ifndef PL_SYMBOL_H
#define PL_SYMBOL_H

#include "str.h"

/* Is this what parsers and symbolizers write for a symbol that they do not know: "[unknown]",
 * "unknown", "??", "", or a bare address (0x and hexadecimal digits)? */
bool pl_symbol_unresolved(struct pl_str symbol);

/*
 * The name without what compilers append to one function: " [clone …]", .isra.N, .constprop.N,
 * .part.N, .cold, .llvm.N, and the hash of Rust's legacy mangling (::h and 16 or 17 hexadecimal
 * digits). Templates and overloads stay. A view into the argument.
 */
struct pl_str pl_symbol_normal(struct pl_str symbol);

/*
 * The same without numbers that differ from run to run in generated names: Java's $$Lambda$123/0x…,
 * Lambda$45 and GeneratedMethodAccessor12. Written to *scratch (cleared first) when something was
 * taken out, else the argument.
 */
struct pl_str pl_symbol_without_numbers(struct pl_str symbol, struct pl_buf *scratch);

#endif
