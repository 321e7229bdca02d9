/*
 * palette: colours of functions in pictures: light ones, which dark text is readable on. The same
 * name has the same colour in every picture.
 */
#ifndef PL_PALETTE_H
#define PL_PALETTE_H

#include "str.h"

enum pl_palette_kind {
	PL_PALETTE_USER,
	PL_PALETTE_KERNEL,
	PL_PALETTE_JIT,
	PL_PALETTE_INLINED,
	PL_PALETTE_VDSO,
	PL_PALETTE_GUEST,
	PL_PALETTE_OTHER, /* of a kind that has no colour of its own */
	PL_PALETTE_UNKNOWN,
	PL_PALETTE_REST, /* no function: what no stack holds */
	PL_PALETTE_KINDS
};

/* What a function is coloured as: `kind` as recorded, p NULL where it is not known; then a DSO in
 * brackets tells it. What was inlined is that first. */
enum pl_palette_kind pl_palette_kind(struct pl_str kind, struct pl_str dso, bool inlined);
/* For a legend; translated. */
const char *pl_palette_kind_name(enum pl_palette_kind kind);
/* Colours as 0xRRGGBB. Of a kind: one of its shades, by the name; an empty one for the legend. */
uint32_t pl_palette_of_kind(enum pl_palette_kind kind, struct pl_str name);
/* A hue by the module's name (its base name), a shade by the function's. p NULL: grey. */
uint32_t pl_palette_of_module(struct pl_str dso, struct pl_str name);
/* Red for more, blue for less; change is -1 to 1, of the largest that is shown. */
uint32_t pl_palette_of_change(double change);

enum { PL_PALETTE_GREY = 0xdadada };

#endif
