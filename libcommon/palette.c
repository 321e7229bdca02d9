/* palette: colours of functions in pictures */
#include "palette.h"
#include "text.h"

static const struct {
	const char *word; /* as in streams; NULL: none is of it */
	const char *name;
	unsigned hue, saturation; /* degrees, percent */
} kinds[PL_PALETTE_KINDS] = {
	[PL_PALETTE_USER] = {"user", N_("user"), 35, 90},
	[PL_PALETTE_KERNEL] = {"kernel", N_("kernel"), 212, 75},
	[PL_PALETTE_JIT] = {"jit", N_("JIT"), 110, 55},
	[PL_PALETTE_INLINED] = {NULL, N_("inlined"), 172, 55},
	[PL_PALETTE_VDSO] = {"vdso", N_("vdso"), 275, 65},
	[PL_PALETTE_GUEST] = {"guest", N_("guest"), 320, 60},
	[PL_PALETTE_OTHER] = {NULL, N_("other kind"), 75, 45},
	[PL_PALETTE_UNKNOWN] = {NULL, N_("kind not known"), 50, 75},
	[PL_PALETTE_REST] = {NULL, N_("not in a stack"), 0, 0},
};

enum pl_palette_kind pl_palette_kind(struct pl_str kind, struct pl_str dso, bool inlined)
{
	if (inlined)
		return PL_PALETTE_INLINED;
	if (kind.p) {
		for (int i = 0; i < PL_PALETTE_KINDS; i++)
			if (kinds[i].word && pl_str_is(kind, kinds[i].word))
				return (enum pl_palette_kind)i;
		return PL_PALETTE_OTHER;
	}
	if (pl_str_starts(dso, "[kernel") || pl_str_starts(dso, "[guest.kernel"))
		return dso.p[1] == 'k' ? PL_PALETTE_KERNEL : PL_PALETTE_GUEST;
	if (pl_str_is(dso, "[jit]"))
		return PL_PALETTE_JIT;
	return pl_str_is(dso, "[vdso]") ? PL_PALETTE_VDSO : PL_PALETTE_UNKNOWN;
}

const char *pl_palette_kind_name(enum pl_palette_kind kind)
{
	return _(kinds[kind].name);
}

/* FNV-1a, 32 bits: without a seed, because colours are the same everywhere. */
static uint32_t hash(struct pl_str s)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * 16777619u;
	return h ^ h >> 16;
}

/* HSL, in whole degrees and percents, in integers: the same on every machine. */
static uint32_t from_hsl(unsigned hue, unsigned saturation, unsigned lightness)
{
	unsigned room = lightness < 50 ? lightness : 100 - lightness;
	unsigned chroma = room * saturation; /* half of it, in ten thousandths */
	uint32_t color = 0;

	for (unsigned i = 0; i < 3; i++) {
		static const unsigned turns[] = {0, 8, 4};
		unsigned k = (turns[i] * 30 + hue) % 360; /* twelfths of the circle by 30 */
		int slope = k < 180 ? (int)k - 90 : 270 - (int)k;
		int wave = slope > 30 ? 30 : slope < -30 ? -30 : slope;
		int value = (int)lightness * 100 * 30 - (int)chroma * wave;
		color = color << 8 | (uint32_t)((value * 255 + 150000) / 300000);
	}
	return color;
}

uint32_t pl_palette_of_kind(enum pl_palette_kind kind, struct pl_str name)
{
	uint32_t h = hash(name);

	if (kind == PL_PALETTE_REST)
		return PL_PALETTE_GREY;
	return from_hsl(kinds[kind].hue, kinds[kind].saturation, name.n ? 68 + h % 13 : 74);
}

uint32_t pl_palette_of_module(struct pl_str dso, struct pl_str name)
{
	if (!dso.p)
		return PL_PALETTE_GREY;
	uint32_t h = hash(pl_str_base(dso));
	return from_hsl(h % 360, 45 + h / 360 % 30, 68 + hash(name) % 13);
}

/* The weakest is still no grey. */
uint32_t pl_palette_of_change(double change)
{
	double strength = change < 0 ? -change : change;
	unsigned step = strength >= 1 ? 30 : (unsigned)(strength * 30);

	return from_hsl(change < 0 ? 215 : 5, 85, 90 - step);
}
