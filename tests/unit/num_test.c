/* num: integers at their ends, hexadecimal, reals, percentages */
#include "num.h"
#include "unit.h"

TEST(unsigned_integers)
{
	static const struct {
		struct pl_str text;
		int result;
		uint64_t value;
	} list[] = {
		{PL_S("0"), PL_NUM_OK, 0},
		{PL_S("007"), PL_NUM_OK, 7},
		{PL_S("00000000000000000000000000000009"), PL_NUM_OK, 9},
		{PL_S("18446744073709551614"), PL_NUM_OK, UINT64_MAX - 1},
		{PL_S("18446744073709551615"), PL_NUM_OK, UINT64_MAX},
		{PL_S("18446744073709551616"), PL_NUM_RANGE, 0},
		{PL_S("18446744073709551620"), PL_NUM_RANGE, 0},
		{PL_S("99999999999999999999"), PL_NUM_RANGE, 0},
		{PL_S("184467440737095516150"), PL_NUM_RANGE, 0},
		{PL_S("99999999999999999999x"), PL_NUM_SYNTAX, 0},
		{PL_S(""), PL_NUM_SYNTAX, 0},
		{PL_S("+1"), PL_NUM_SYNTAX, 0},
		{PL_S("-1"), PL_NUM_SYNTAX, 0},
		{PL_S(" 1"), PL_NUM_SYNTAX, 0},
		{PL_S("1 "), PL_NUM_SYNTAX, 0},
		{PL_S("1e3"), PL_NUM_SYNTAX, 0},
		{PL_S("0x1"), PL_NUM_SYNTAX, 0},
		{PL_S("1_000"), PL_NUM_SYNTAX, 0},
		{PL_S("1.0"), PL_NUM_SYNTAX, 0},
		{PL_S("1\0"), PL_NUM_SYNTAX, 0},
		{PL_S("/"), PL_NUM_SYNTAX, 0},
		{PL_S(":"), PL_NUM_SYNTAX, 0},
	};

	for (size_t i = 0; i < PL_COUNT(list); i++) {
		uint64_t value = 0;
		CHECK(pl_num_u64(list[i].text, &value) == list[i].result);
		CHECK_U64(value, list[i].value);
	}
}

TEST(signed_integers)
{
	static const struct {
		struct pl_str text;
		int result;
		int64_t value;
	} list[] = {
		{PL_S("0"), PL_NUM_OK, 0},
		{PL_S("-0"), PL_NUM_OK, 0},
		{PL_S("-1"), PL_NUM_OK, -1},
		{PL_S("9223372036854775807"), PL_NUM_OK, INT64_MAX},
		{PL_S("9223372036854775808"), PL_NUM_RANGE, 0},
		{PL_S("-9223372036854775808"), PL_NUM_OK, INT64_MIN},
		{PL_S("-9223372036854775809"), PL_NUM_RANGE, 0},
		{PL_S("-18446744073709551616"), PL_NUM_RANGE, 0},
		{PL_S("-"), PL_NUM_SYNTAX, 0},
		{PL_S("--1"), PL_NUM_SYNTAX, 0},
		{PL_S("+1"), PL_NUM_SYNTAX, 0},
		{PL_S(""), PL_NUM_SYNTAX, 0},
	};

	for (size_t i = 0; i < PL_COUNT(list); i++) {
		int64_t value = 0;
		CHECK(pl_num_i64(list[i].text, &value) == list[i].result);
		CHECK(value == list[i].value);
	}
}

TEST(hexadecimal)
{
	static const struct {
		struct pl_str text;
		int result;
		uint64_t value;
	} list[] = {
		{PL_S("0"), PL_NUM_OK, 0},
		{PL_S("0x0"), PL_NUM_OK, 0},
		{PL_S("0Xff"), PL_NUM_OK, 255},
		{PL_S("DeadBeef"), PL_NUM_OK, 3735928559},
		{PL_S("0xffffffffffffffff"), PL_NUM_OK, UINT64_MAX},
		{PL_S("00000000000000001"), PL_NUM_RANGE, 0},
		{PL_S("0x10000000000000000"), PL_NUM_RANGE, 0},
		{PL_S(""), PL_NUM_SYNTAX, 0},
		{PL_S("0x"), PL_NUM_SYNTAX, 0},
		{PL_S("x1"), PL_NUM_SYNTAX, 0},
		{PL_S("0x0x1"), PL_NUM_SYNTAX, 0},
		{PL_S("g"), PL_NUM_SYNTAX, 0},
		{PL_S("-1"), PL_NUM_SYNTAX, 0},
		{PL_S("1 "), PL_NUM_SYNTAX, 0},
	};

	for (size_t i = 0; i < PL_COUNT(list); i++) {
		uint64_t value = 0;
		CHECK(pl_num_hex(list[i].text, &value) == list[i].result);
		CHECK_U64(value, list[i].value);
	}
}

TEST(sizes)
{
	static const struct {
		struct pl_str text;
		int result;
		uint64_t value;
	} list[] = {
		{PL_S("0"), PL_NUM_OK, 0},
		{PL_S("1000"), PL_NUM_OK, 1000},
		{PL_S("1k"), PL_NUM_OK, 1024},
		{PL_S("3K"), PL_NUM_OK, 3072},
		{PL_S("2m"), PL_NUM_OK, 2097152},
		{PL_S("1M"), PL_NUM_OK, 1048576},
		{PL_S("1G"), PL_NUM_OK, 1073741824},
		{PL_S("4g"), PL_NUM_OK, 4294967296},
		{PL_S("17179869183G"), PL_NUM_OK, 18446744072635809792u},
		{PL_S("17179869184G"), PL_NUM_RANGE, 0},
		{PL_S("18446744073709551616"), PL_NUM_RANGE, 0},
		{PL_S(""), PL_NUM_SYNTAX, 0},
		{PL_S("K"), PL_NUM_SYNTAX, 0},
		{PL_S("1KB"), PL_NUM_SYNTAX, 0},
		{PL_S("1KK"), PL_NUM_SYNTAX, 0},
		{PL_S("1T"), PL_NUM_SYNTAX, 0},
		{PL_S("1 K"), PL_NUM_SYNTAX, 0},
		{PL_S("-1K"), PL_NUM_SYNTAX, 0},
		{PL_S("1.5K"), PL_NUM_SYNTAX, 0},
	};

	for (size_t i = 0; i < PL_COUNT(list); i++) {
		uint64_t value = 0;
		CHECK(pl_num_size(list[i].text, &value) == list[i].result);
		CHECK_U64(value, list[i].value);
	}
}

TEST(scans_json_numbers)
{
	static const struct {
		struct pl_str text;
		size_t length;
		bool integer;
	} list[] = {
		{PL_S("0"), 1, true},	     {PL_S("-0"), 2, true},	{PL_S("12,3"), 2, true},
		{PL_S("1.5e+3]"), 6, false}, {PL_S("1e5.5"), 3, false}, {PL_S("0.10"), 4, false},
		{PL_S("1E-007x"), 6, false},
	};
	static const char *const none[] = {"",	   "-",	 "+1",	".5",	"01",	"-01", "1.",
					   "1.e1", "1e", "1e+", "1e-x", "1.5E", "a",   "-a"};

	for (size_t i = 0; i < PL_COUNT(list); i++) {
		bool integer = !list[i].integer;
		CHECK_U64(pl_num_scan(list[i].text, &integer), list[i].length);
		CHECK(integer == list[i].integer);
	}
	for (size_t i = 0; i < PL_COUNT(none); i++) {
		bool integer;
		CHECK_U64(pl_num_scan(pl_str(none[i]), &integer), 0);
	}
}

TEST(reads_reals)
{
	static const struct {
		const char *text;
		double value;
	} list[] = {
		{"0", 0.0},
		{"12.5", 12.5},
		{"-0.001", -0x1.0624dd2f1a9fcp-10},
		{"1e2", 100.0},
		{"0.1", 0x1.999999999999ap-4},
		{"1.7976931348623157e308", 0x1.fffffffffffffp1023},
		{"5e-324", 0x0.0000000000001p-1022},
		{"1e-400", 0.0},
		/* halfway between two doubles plus the least bit: 1 + 2^-53 and a one far behind */
		{"1.00000000000000011102230246251565404236316680908203125", 1.0},
		{"1.000000000000000111022302462515654042363166809082031250000000000000000001",
		 0x1.0000000000001p0},
	};
	double value;

	for (size_t i = 0; i < PL_COUNT(list); i++) {
		CHECK(pl_num_real(pl_str(list[i].text), &value) == PL_NUM_OK);
		CHECK(value == list[i].value);
	}
	static const char *const bad[] = {"",	 "-",	 "+1",	".5",	   "1.", "01",
					  "1e",	 "nan",	 "inf", "0x1",	   " 1", "1 ",
					  "1,5", "1e5x", "1f",	"infinity"};
	for (size_t i = 0; i < PL_COUNT(bad); i++)
		CHECK(pl_num_real(pl_str(bad[i]), &value) == PL_NUM_SYNTAX);
	CHECK(pl_num_real(PL_S("1\0"), &value) == PL_NUM_SYNTAX);
	CHECK(pl_num_real(PL_S("1e400"), &value) == PL_NUM_RANGE);
	CHECK(pl_num_real(PL_S("-1e309"), &value) == PL_NUM_RANGE);
}

TEST(writes_integers)
{
	static const struct {
		uint64_t value;
		const char *want;
	} list[] = {
		{0, "0"},
		{9, "9"},
		{10, "10"},
		{99, "99"},
		{100, "100"},
		{105, "105"},
		{1000, "1000"},
		{12345, "12345"},
		{1000000007, "1000000007"},
		{9999999999, "9999999999"},
		{10000000000000000000u, "10000000000000000000"},
		{UINT64_MAX, "18446744073709551615"},
	};
	char digits[PL_NUM_MAX];

	for (size_t i = 0; i < PL_COUNT(list); i++)
		CHECK_STR(digits, pl_num_put_u64(digits, list[i].value), list[i].want);
	CHECK_STR(digits, pl_num_put_i64(digits, 0), "0");
	CHECK_STR(digits, pl_num_put_i64(digits, -1), "-1");
	CHECK_STR(digits, pl_num_put_i64(digits, -10), "-10");
	CHECK_STR(digits, pl_num_put_i64(digits, INT64_MAX), "9223372036854775807");
	CHECK_STR(digits, pl_num_put_i64(digits, INT64_MIN), "-9223372036854775808");
}

TEST(writes_millionths)
{
	char digits[PL_NUM_MAX];

	CHECK_STR(digits, pl_num_put_micro(digits, 0), "0.000000");
	CHECK_STR(digits, pl_num_put_micro(digits, 1), "0.000001");
	CHECK_STR(digits, pl_num_put_micro(digits, 999999), "0.999999");
	CHECK_STR(digits, pl_num_put_micro(digits, 1000000), "1.000000");
	CHECK_STR(digits, pl_num_put_micro(digits, 59823400), "59.823400");
	CHECK_STR(digits, pl_num_put_micro(digits, 100000000), "100.000000");
	CHECK_STR(digits, pl_num_put_micro(digits, UINT64_MAX), "18446744073709.551615");
}

TEST(writes_reals)
{
	static const struct {
		double value;
		const char *want;
	} list[] = {
		{0.0, "0.000000"},
		{-0.0, "0.000000"},
		{-0.0000001, "0.000000"},
		{-0.000001, "-0.000001"},
		{1.5, "1.500000"},
		{-12.25, "-12.250000"},
		{0x1p-7, "0.007812"},	 /* 0.0078125: a tie, to even */
		{0x1.8p-6, "0.023438"},	 /* 0.0234375: a tie, to even */
		{0.0000005, "0.000000"}, /* the double is a little less than half */
		{99999999999999983616.0, "99999999999999983616.000000"},
		{-99999999999999983616.0, "-99999999999999983616.000000"},
		{1e20, "1.0000000000000000e+20"},
		{-0x1.fffffffffffffp1023, "-1.7976931348623157e+308"},
	};
	char digits[PL_REAL_MAX];

	for (size_t i = 0; i < PL_COUNT(list); i++)
		CHECK_STR(digits, pl_num_put_real(digits, list[i].value), list[i].want);
}

TEST(percent_rounds_half_up)
{
	static const struct {
		uint64_t part, total, micro;
	} list[] = {
		{0, 0, 0},
		{5, 0, 0},
		{0, 7, 0},
		{271, 453, 59823400}, /* 59.82339955… */
		{1, 3, 33333333},
		{2, 3, 66666667},
		{1, 1, 100000000},
		{1, 200000000, 1}, /* half of a millionth */
		{1, 200000001, 0}, /* just less */
		{3, 200000000, 2}, /* one and a half */
		{UINT64_MAX, UINT64_MAX, 100000000},
		{UINT64_MAX - 1, UINT64_MAX, 100000000},
		{UINT64_MAX / 2, UINT64_MAX, 50000000},
		{1, UINT64_MAX, 0},
		{3, 2, 150000000},
		{UINT64_MAX, 1, UINT64_MAX}, /* does not fit */
	};

	for (size_t i = 0; i < PL_COUNT(list); i++)
		CHECK_U64(pl_num_percent(list[i].part, list[i].total), list[i].micro);
}

TEST(sums_do_not_wrap)
{
	uint64_t sum = UINT64_MAX - 5;

	CHECK(pl_num_add(&sum, 5));
	CHECK_U64(sum, UINT64_MAX);
	CHECK(!pl_num_add(&sum, 1));
	CHECK_U64(sum, UINT64_MAX);
	CHECK(pl_num_add(&sum, 0));
}

int main(void)
{
	RUN(unsigned_integers);
	RUN(signed_integers);
	RUN(hexadecimal);
	RUN(sizes);
	RUN(scans_json_numbers);
	RUN(reads_reals);
	RUN(writes_integers);
	RUN(writes_millionths);
	RUN(writes_reals);
	RUN(percent_rounds_half_up);
	RUN(sums_do_not_wrap);
	return unit_done();
}
