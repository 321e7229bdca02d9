/* words: what the codes of an analysis mean, for people; NULL for a code of a newer version */
#ifndef REPORT_WORDS_H
#define REPORT_WORDS_H

#include "str.h"

const char *words_conclusion(struct pl_str code);
const char *words_reason(struct pl_str code); /* why an analysis is partial */
const char *words_advice(struct pl_str code); /* what to do about a reason or a diagnostic */

#endif
