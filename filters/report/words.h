/* words: what the codes of an analysis mean, for people; NULL for a code of a newer version */
#ifndef REPORT_WORDS_H
#define REPORT_WORDS_H

#include "str.h"

const char *words_conclusion(struct pl_str code);
const char *words_reason(struct pl_str code); /* why an analysis is partial */
/* What to do about a reason or a diagnostic, where these things are so. */
enum { WORDS_FOLDED = 1, WORDS_NO_MODULES = 2 };
const char *words_advice(struct pl_str code, unsigned where);

#endif
