/* magic: what a reader of text refuses by its first bytes or its first line, and what to do with it
 */
#ifndef PL_MAGIC_H
#define PL_MAGIC_H

#include "err.h"

/* The longest that is looked at. */
enum { PL_MAGIC_MAX = 10 };

/* 0: may be text. -1: UNSUPPORTED_FORMAT, saying what it is. */
int pl_magic_text(struct pl_str start, struct pl_err *err);
/* What to do with a line that the parser `program` could not read, when it is a line of something
 * that another one reads; NULL: unknown. Translated. */
const char *pl_magic_advice(struct pl_str line, const char *program);

#endif
