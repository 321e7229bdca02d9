/* symbol: unresolved names, and spellings of one function */
#include "symbol.h"
#include "unit.h"

TEST(symbols_that_nobody_knows)
{
	static const char *const unresolved[] = {"unknown", "[unknown]", "??",
						 "",	    "0x0",	 "0x7fFF12ab"};
	static const char *const resolved[] = {
		"0x",	   "0xg",   "0x12 ",	"0X12",	    "1x12",	"?",   "???",
		"Unknown", "[jit]", "deadbeef", "unknown_", "[unknown", "main"};

	for (size_t i = 0; i < PL_COUNT(unresolved); i++)
		CHECK(pl_symbol_unresolved(pl_str(unresolved[i])));
	for (size_t i = 0; i < PL_COUNT(resolved); i++)
		CHECK(!pl_symbol_unresolved(pl_str(resolved[i])));
	CHECK(!pl_symbol_unresolved((struct pl_str){"0x1\0", 4}));
}

TEST(what_compilers_append)
{
	static const char *const rows[][2] = {
		{"f", "f"},
		{"f.isra.0", "f"},
		{"f.isra.0.part.12.cold", "f"},
		{"f.constprop.3", "f"},
		{"f.cold", "f"},
		{"f.cold.7", "f"},
		{"f.llvm.1234567890", "f"},
		{"f [clone .isra.0]", "f"},
		{"f [clone .isra.0] [clone .cold]", "f"},
		{"ns::f(int) [clone .part.0]", "ns::f(int)"},
		{"core::fmt::write::h0123456789abcdef", "core::fmt::write"},
		{"core::fmt::write::h0123456789abcdef0", "core::fmt::write"},
		{"core::fmt::write::h0123456789ABCDEF", "core::fmt::write::h0123456789ABCDEF"},
		{"core::fmt::write::h0123456789abcde", "core::fmt::write::h0123456789abcde"},
		/* what only looks like it */
		{"isra.0", "isra.0"},
		{".isra.0", ".isra.0"},
		{".cold", ".cold"},
		{"f.isra", "f.isra"},
		{"f.isra.", "f.isra."},
		{"f.part.x", "f.part.x"},
		{"fisra.0", "fisra.0"},
		{"[clone x]", "[clone x]"},
		{"vec[0]", "vec[0]"},
		{"h0123456789abcdef", "h0123456789abcdef"},
		{"::h0123456789abcdef", "::h0123456789abcdef"},
		{"operator new[]", "operator new[]"},
		{"std::vector<int, std::allocator<int> >::push_back",
		 "std::vector<int, std::allocator<int> >::push_back"},
		{"", ""},
	};

	for (size_t i = 0; i < PL_COUNT(rows); i++) {
		struct pl_str normal = pl_symbol_normal(pl_str(rows[i][0]));
		CHECK_STR(normal.p, normal.n, rows[i][1]);
	}
}

TEST(numbers_of_generated_names)
{
	static const char *const rows[][2] = {
		{"Lfoo/Bar$$Lambda$123/0x00007f12a4;::apply", "Lfoo/Bar$$Lambda$;::apply"},
		{"Bar$$Lambda$45.run", "Bar$$Lambda$.run"},
		{"GeneratedMethodAccessor12::invoke", "GeneratedMethodAccessor::invoke"},
		{"Lambda$1;Lambda$2/0xabc", "Lambda$;Lambda$"},
		{"Lambda$x", "Lambda$x"},
		{"Lambda$1/0y", "Lambda$/0y"},
		{"f12", "f12"},
		{"", ""},
	};
	struct pl_buf scratch = {0};

	for (size_t i = 0; i < PL_COUNT(rows); i++) {
		struct pl_str text = pl_symbol_without_numbers(pl_str(rows[i][0]), &scratch);
		CHECK_STR(text.p, text.n, rows[i][1]);
	}
	pl_buf_free(&scratch);
}

int main(void)
{
	RUN(symbols_that_nobody_knows);
	RUN(what_compilers_append);
	RUN(numbers_of_generated_names);
	return unit_done();
}
