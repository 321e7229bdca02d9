/* names-scan: the part of names that reads brackets, separators and operators */
#ifndef CLASSIFY_NAMES_SCAN_H
#define CLASSIFY_NAMES_SCAN_H

#include "names.h"

/* Adds the components of s, which is not empty, to n->out. False: its brackets do not pair, and
 * what was added means nothing. */
bool names_scan(struct names *n, struct pl_str s, bool pattern);
/* May a word begin with it? */
bool names_letter(char c);

#endif
