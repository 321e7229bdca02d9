/* stats: the score interval, against its quadratic's roots worked out with 50 digits */
#include "stats.h"
#include "unit.h"
#include <math.h>

/* Do both bounds agree to 14 digits behind the point? */
static void interval_is(double p, double n, double want_low, double want_high)
{
	double low = -1, high = -1;

	pl_stats_wilson(p, n, &low, &high);
	if (!CHECK(fabs(low - want_low) < 1e-14 && fabs(high - want_high) < 1e-14))
		printf("#   p %.17g, n %.17g: got %.17g to %.17g\n", p, n, low, high);
}

/*
 * The expected values are the roots x of (p - x)^2 = z^2 x (1 - x) / n, found with 50 decimal
 * digits, not with the formula that stats.c evaluates.
 */
TEST(wilson_of_many_draws)
{
	interval_is(0.598234, 453, 0.55244440789184286, 0.64237154473589718);
	interval_is(1.0 / 3, 1000, 0.30480269219879462, 0.36313956062972369);
	interval_is(0.000001, 1e12, 0.00000099804195677988, 0.00000100196188467126);
	interval_is(0.5, 1e18, 0.49999999902001800773, 0.50000000097998199227);
}

TEST(wilson_of_few_and_of_fractional_draws)
{
	interval_is(0.5, 1, 0.05462075552885197, 0.94537924447114803);
	interval_is(0.25, 4, 0.04558726080970057, 0.69935815741759808);
	interval_is(0.5, 2.5, 0.11084420048751020, 0.88915579951248980);
	interval_is(0.9, 0.3, 0.05872016613105448, 0.99923042818628200);
	interval_is(0.5, 1e-9, 0.00000000006507944289, 0.99999999993492055711);
}

TEST(wilson_at_the_ends_is_the_end)
{
	double low, high;

	interval_is(0, 453, 0, 0.00840873512358225);
	interval_is(1, 453, 0.99159126487641775, 1);
	interval_is(0, 1, 0, 0.79345068562276257);
	interval_is(1, 1, 0.20654931437723743, 1);
	pl_stats_wilson(0, 7, &low, &high);
	CHECK(low == 0);
	pl_stats_wilson(1, 7, &low, &high);
	CHECK(high == 1);
}

TEST(wilson_without_draws_knows_nothing)
{
	static const double none[] = {0, -1, -0.0, NAN};

	for (size_t i = 0; i < PL_COUNT(none); i++) {
		double low = -1, high = -1;
		pl_stats_wilson(0.25, none[i], &low, &high);
		CHECK(low == 0 && high == 1);
	}
}

TEST(wilson_holds_its_proportion)
{
	for (int n = 1; n <= 300; n++) {
		for (int k = 0; k <= n; k++) {
			double p = (double)k / n, low, high;
			pl_stats_wilson(p, n, &low, &high);
			if (!CHECK(0 <= low && low <= p && p <= high && high <= 1))
				return;
		}
	}
}

static void difference_is(double p1, double n1, double p2, double n2, double want_low,
			  double want_high)
{
	double low = -2, high = -2;

	pl_stats_newcombe(p1, n1, p2, n2, &low, &high);
	if (!CHECK(fabs(low - want_low) < 5e-5 && fabs(high - want_high) < 5e-5))
		printf("#   got %.6f to %.6f\n", low, high);
}

/* Newcombe (1998), table II, method 10. */
TEST(newcombe_of_the_paper)
{
	difference_is(48. / 80, 80, 56. / 70, 70, 0.0524, 0.3339);
	difference_is(3. / 10, 10, 9. / 10, 10, 0.1705, 0.8090);
	difference_is(2. / 7, 7, 6. / 7, 7, 0.0582, 0.8062);
	difference_is(0. / 29, 29, 5. / 56, 56, -0.0381, 0.1926);
	difference_is(0. / 20, 20, 0. / 10, 10, -0.1611, 0.2775);
	difference_is(0. / 10, 10, 10. / 10, 10, 0.6075, 1.0000);
}

int main(void)
{
	RUN(wilson_of_many_draws);
	RUN(wilson_of_few_and_of_fractional_draws);
	RUN(wilson_at_the_ends_is_the_end);
	RUN(wilson_without_draws_knows_nothing);
	RUN(wilson_holds_its_proportion);
	RUN(newcombe_of_the_paper);
	return unit_done();
}
