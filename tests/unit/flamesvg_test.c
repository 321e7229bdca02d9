/* flamesvg: a picture within a page, and what it is bounded by; palette: colours */
#include "flamesvg.h"
#include "palette.h"
#include "unit.h"
#include <math.h>
#include <stdlib.h>

static struct pl_calltree t;
static const struct pl_stacks_event event = {.label = {"cycles", 6},
					     .name = {"cycles", 6},
					     .unit = {"cycles", 6},
					     .weight_source = {"period", 6},
					     .samples = 4,
					     .weight = 4,
					     .n_eff = 4};

static void start(void)
{
	pl_calltree_start(&t, 1);
	uint32_t frame = pl_calltree_frame(&t, &(struct pl_calltree_frame){.name = PL_S("main")});
	CHECK(pl_calltree_add(&t, &frame, 1, 0, 4, 4) == 0);
	pl_calltree_finish(&t);
	pl_calltree_sort(&t, pl_calltree_by_name);
}

TEST(within_a_page_it_has_no_script)
{
	struct pl_flamesvg f = {.tree = &t, .event = {&event}, .embedded = true};
	struct pl_buf out = {0};
	struct pl_err err;

	start();
	CHECK(pl_flamesvg_write(&out, &f, &err) == 0);
	CHECK(pl_str_starts(pl_buf_str(&out), "<svg "));
	CHECK(!strstr(out.p, "<script") && !strstr(out.p, " style=") && strstr(out.p, ">main<"));
	pl_buf_clear(&out);
	f.embedded = false;
	CHECK(pl_flamesvg_write(&out, &f, &err) == 0);
	CHECK(pl_str_starts(pl_buf_str(&out), "<?xml ") && strstr(out.p, "<script><![CDATA["));
	pl_buf_clear(&out);
	f.max_bytes = 100;
	CHECK(pl_flamesvg_write(&out, &f, &err) == -1);
	CHECK(err.code == PL_E_RESOURCE_LIMIT_EXCEEDED);
	pl_buf_free(&out);
	pl_calltree_free(&t);
}

/* Nothing was added: the root alone, as wide as there is room. */
TEST(an_empty_tree_is_a_picture)
{
	const struct pl_flamesvg f = {.tree = &t, .event = {&event}};
	struct pl_buf out = {0};
	struct pl_err err;

	pl_calltree_start(&t, 1);
	pl_calltree_finish(&t);
	pl_calltree_sort(&t, pl_calltree_by_name);
	CHECK(pl_flamesvg_write(&out, &f, &err) == 0);
	CHECK(strstr(out.p, "width=\"1180.00\"") != NULL);
	pl_buf_free(&out);
	pl_calltree_free(&t);
}

TEST(kinds_are_told_by_what_is_known)
{
	const struct pl_str none = {NULL, 0};

	CHECK(pl_palette_kind(PL_S("user"), PL_S("[kernel.kallsyms]"), false) == PL_PALETTE_USER);
	CHECK(pl_palette_kind(none, PL_S("[kernel.kallsyms]"), false) == PL_PALETTE_KERNEL);
	CHECK(pl_palette_kind(PL_S("kernel"), none, true) == PL_PALETTE_INLINED);
	CHECK(pl_palette_kind(none, PL_S("[jit]"), false) == PL_PALETTE_JIT);
	CHECK(pl_palette_kind(PL_S("waker"), none, false) == PL_PALETTE_OTHER);
	CHECK(pl_palette_kind(none, none, false) == PL_PALETTE_UNKNOWN);
	CHECK(pl_palette_kind(none, PL_S("[guest.kernel.kallsyms]"), false) == PL_PALETTE_GUEST);
}

/* #111 on it: the relative luminance of WCAG, contrast at least 4.5. */
static bool is_readable(uint32_t color)
{
	double sum = 0, weight[] = {0.2126, 0.7152, 0.0722};

	for (int i = 0; i < 3; i++) {
		double c = (color >> (16 - 8 * i) & 0xff) / 255.0;
		sum += weight[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
	}
	return (sum + 0.05) / (0.0056 + 0.05) >= 4.5;
}

TEST(dark_text_is_readable_on_all_of_them)
{
	char name[16];

	for (int i = 0; i < 2000; i++) {
		struct pl_str s = {name, (size_t)snprintf(name, sizeof name, "f%d", i)};
		for (int kind = 0; kind < PL_PALETTE_KINDS; kind++)
			CHECK(is_readable(pl_palette_of_kind((enum pl_palette_kind)kind, s)));
		CHECK(is_readable(pl_palette_of_module(s, s)));
		CHECK(is_readable(pl_palette_of_change(i / 1000.0 - 1)));
	}
	CHECK(pl_palette_of_change(1) != pl_palette_of_change(-1));
	CHECK((pl_palette_of_change(1) >> 16) > (pl_palette_of_change(1) & 0xff));
	CHECK((pl_palette_of_change(-1) >> 16) < (pl_palette_of_change(-1) & 0xff));
}

int main(void)
{
	RUN(within_a_page_it_has_no_script);
	RUN(an_empty_tree_is_a_picture);
	RUN(kinds_are_told_by_what_is_known);
	RUN(dark_text_is_readable_on_all_of_them);
	return unit_done();
}
