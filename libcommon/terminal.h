/* terminal: how wide a terminal is, and whether colours are welcome on it */
#ifndef PL_TERMINAL_H
#define PL_TERMINAL_H

#include "base.h"

struct pl_terminal {
	size_t columns; /* 0: no terminal, lines may be of any length */
	bool colour;
};

/* Columns by the terminal's own word (TIOCGWINSZ); 0: fd is none, or it does not say. */
size_t pl_terminal_columns(int fd);
/*
 * Fills *t for a descriptor that is written to. A terminal that does not say how wide it is gets
 * the variable COLUMNS, then 80. Colours: only on a terminal, not with NO_COLOR set to anything but
 * nothing (no-color.org), not where TERM is absent or "dumb". Ask before the sandbox is entered.
 */
void pl_terminal_ask(struct pl_terminal *t, int fd);

#endif
