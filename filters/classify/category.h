/* category: the codes by which rules sort functions */
#ifndef CLASSIFY_CATEGORY_H
#define CLASSIFY_CATEGORY_H

#include "str.h"

enum { CATEGORIES = 37 };

/* The number of a code, in byte order of the codes from 0; CATEGORIES: there is none such. */
unsigned category_find(struct pl_str code);
struct pl_str category_code(unsigned category);

#endif
