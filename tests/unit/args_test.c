/* args: words to values, faults to messages, values to what a header records */
#include "args.h"
#include "unit.h"

static struct {
	bool loud, paths;
	const char *text, *which;
	uint64_t count, size, micro;
	struct pl_list list;
} opt;

static const struct pl_opt table[] = {
	{.name = "loud",
	 .letter = 'l',
	 .kind = PL_OPT_FLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.loud,
	 .help = "Be loud"},
	{.name = "no-paths",
	 .kind = PL_OPT_NOFLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.paths,
	 .help = "No paths"},
	{.name = "event-name",
	 .letter = 'e',
	 .kind = PL_OPT_TEXT,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.text,
	 .argument = "NAME",
	 .help = "A name"},
	{.name = "column",
	 .kind = PL_OPT_CHOICE,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.which,
	 .argument = "WHICH",
	 .choices = "before|after|none",
	 .help = "Take one"},
	{.name = "top-n",
	 .letter = 'n',
	 .kind = PL_OPT_COUNT,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.count,
	 .argument = "N",
	 .min = 2,
	 .max = 50,
	 .help = "So many"},
	{.name = "max-bytes",
	 .kind = PL_OPT_SIZE,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.size,
	 .argument = "BYTES-AT-MOST-OF-ALL",
	 .min = 16,
	 .help = "So much"},
	{.name = "threshold",
	 .kind = PL_OPT_MICRO,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.micro,
	 .argument = "PCT",
	 .max = 100000000,
	 .help = "So far"},
	{.name = "pid",
	 .kind = PL_OPT_LIST,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.list,
	 .argument = "PID",
	 .help = "Each of them"},
	{.name = "input",
	 .letter = 'i',
	 .kind = PL_OPT_ALIAS,
	 .argument = "FILE",
	 .help = "Read it"},
	{.name = "secret",
	 .kind = PL_OPT_FLAG,
	 .flags = PL_OPT_HIDDEN,
	 .value = &opt.loud,
	 .help = "Unseen"},
	{0},
};

static struct pl_args args;
static struct pl_buf out;

/* Parses words, a blank between them, into fresh defaults. */
static int parse(const char *words)
{
	static char copy[1024];
	static char program[] = "pl-x";
	char *argv[64] = {program}, *state = NULL;
	int argc = 1;

	pl_args_free(&args);
	memset(&opt, 0, sizeof opt);
	opt.paths = true;
	opt.which = "none";
	opt.count = 10;
	opt.size = 1 << 20;
	snprintf(copy, sizeof copy, "%s", words);
	for (char *w = strtok_r(copy, " ", &state); w; w = strtok_r(NULL, " ", &state))
		argv[argc++] = w;
	return pl_args_parse(&args, table, argc, argv);
}

static void fails(const char *words, const char *message, const char *action)
{
	CHECK(parse(words) == -1);
	CHECK(args.err.code == PL_E_INVALID_INPUT);
	CHECK_STR(args.err.message, strlen(args.err.message), message);
	CHECK_STR(args.err.action, strlen(args.err.action), action);
}

static void operands_are(const char *words, const char *want)
{
	pl_buf_clear(&out);
	CHECK(parse(words) == 0);
	for (size_t i = 0; i < args.operands.n; i++)
		pl_buf_printf(&out, "%s%s", i ? " " : "", args.operands.v[i]);
	CHECK_STR(pl_buf_str(&out).p, out.n, want);
}

static void records(const char *words, const char *want)
{
	struct pl_jsonw w = {.buf = &out};

	pl_buf_clear(&out);
	CHECK(parse(words) == 0);
	pl_args_record(&args, &w);
	CHECK_STR(out.p, out.n, want);
}

TEST(no_words_leave_the_defaults)
{
	operands_are("", "");
	CHECK(!opt.loud && opt.paths && !opt.text && opt.list.n == 0);
	CHECK_STR(opt.which, strlen(opt.which), "none");
	CHECK(opt.count == 10 && opt.size == 1 << 20 && opt.micro == 0);
}

TEST(each_kind_is_set)
{
	CHECK(parse("--loud --no-paths --event-name cycles:u --column after --top-n 7 --max-bytes "
		    "2k "
		    "--threshold 12.5 --pid 1 --pid=2") == 0);
	CHECK(opt.loud && !opt.paths);
	CHECK_STR(opt.text, strlen(opt.text), "cycles:u");
	CHECK_STR(opt.which, strlen(opt.which), "after");
	CHECK_U64(opt.count, 7);
	CHECK_U64(opt.size, 2048);
	CHECK_U64(opt.micro, 12500000);
	CHECK(opt.list.n == 2 && strcmp(opt.list.v[0], "1") == 0 &&
	      strcmp(opt.list.v[1], "2") == 0);
}

TEST(letters_and_the_last_of_two)
{
	CHECK(parse("-ln 7 -e a --event=b -n8") == 0); /* also a name cut short */
	CHECK(opt.loud);
	CHECK_U64(opt.count, 8);
	CHECK_STR(opt.text, strlen(opt.text), "b");
}

TEST(operands_and_their_alias)
{
	operands_are("a - b", "a - b");
	operands_are("--input a", "a");
	operands_are("-ia --loud b -n 3 c", "a b c");
	operands_are("-l -- -n --input", "-n --input");
	CHECK(opt.loud && opt.count == 10);
}

TEST(a_second_parse_starts_afresh)
{
	operands_are("a b c", "a b c");
	operands_are("--top-n 4", "");
	CHECK_U64(opt.count, 4);
	operands_are("", "");
	CHECK_U64(opt.count, 10);
}

TEST(options_that_are_not_there)
{
	fails("--top-m 3", "unknown option '--top-m'", "did you mean --top-n?");
	fails("--colunm=after", "unknown option '--colunm=after'", "did you mean --column?");
	fails("--threshold-of-pain-and-more", "unknown option '--threshold-of-pain-and-more'",
	      "see --help");
	fails("-x", "unknown option '-x'", "see --help");
	fails("file -lx", "unknown option '-x'", "see --help");
	fails("file --bogus other", "unknown option '--bogus'", "see --help");
	fails("a b -x", "unknown option '-x'", "see --help");
	/* what nobody is told of is suggested to nobody */
	fails("--secrets", "unknown option '--secrets'", "see --help");
	/* a value so long that it is near to nothing */
	fails("--colunm="
	      "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
	      "unknown option "
	      "'--colunm="
	      "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"
	      "zzzz'",
	      "did you mean --column?");
}

TEST(arguments_that_are_not_there)
{
	fails("--top-n", "'--top-n' wants an argument", "");
	fails("a b --event-name", "'--event-name' wants an argument", "");
	fails("file -ln", "'-n' wants an argument", "");
	fails("-e", "'-e' wants an argument", "");
}

TEST(numbers_that_are_none)
{
	static const char *const bad[] = {"x",
					  "-1",
					  "+7",
					  "7x",
					  "0x10",
					  "1e3",
					  "1.0",
					  "1K",
					  "1",
					  "51",
					  "18446744073709551616"};
	char words[64], message[128];

	for (size_t i = 0; i < PL_COUNT(bad); i++) {
		snprintf(words, sizeof words, "--top-n=%s", bad[i]);
		snprintf(message, sizeof message, "--top-n: '%s' is no whole number from 2 to 50",
			 bad[i]);
		fails(words, message, "");
	}
	fails("--top-n=", "--top-n: '' is no whole number from 2 to 50", "");
	fails("--max-bytes 15",
	      "--max-bytes: '15' is no whole number of at least 16 (K, M or G may follow)", "");
	fails("--max-bytes 1T",
	      "--max-bytes: '1T' is no whole number of at least 16 (K, M or G may follow)", "");
	fails("--max-bytes 18014398509481984K",
	      "--max-bytes: '18014398509481984K' is no whole number of at least 16 (K, M or G may "
	      "follow)",
	      "");
	fails("--threshold 100.000001",
	      "--threshold: '100.000001' is no number from 0 to 100 with at most six decimals", "");
	fails("--threshold 1.0000001",
	      "--threshold: '1.0000001' is no number from 0 to 100 with at most six decimals", "");
}

TEST(the_bounds_are_within)
{
	CHECK(parse("--top-n 2 --max-bytes 16 --threshold 100") == 0);
	CHECK(opt.count == 2 && opt.size == 16 && opt.micro == 100000000);
	CHECK(parse("--top-n 50 --max-bytes 17179869183G --threshold 0") == 0);
	CHECK_U64(opt.size, 18446744072635809792u); /* 17179869183 * 2^30 */
}

TEST(choices)
{
	CHECK(parse("--column before") == 0);
	CHECK_STR(opt.which, strlen(opt.which), "before");
	CHECK(parse("--column none") == 0);
	fails("--column=bef", "--column: 'bef' is none of before|after|none", "");
	fails("--column=", "--column: '' is none of before|after|none", "");
	fails("--column=before|after", "--column: 'before|after' is none of before|after|none", "");
	fails("--column=|", "--column: '|' is none of before|after|none", "");
	fails("--column=fter", "--column: 'fter' is none of before|after|none", "");
	fails("--column=nonesuch", "--column: 'nonesuch' is none of before|after|none", "");
}

TEST(what_differs_is_recorded)
{
	records("", "{}");
	records("--input f g --secret", "{\"loud\":true}"); /* both set opt.loud */
	records("--input f g", "{}");
	records("--top-n 10 --max-bytes 1M --column none --threshold 0", "{}");
	records("--pid 2 --threshold 2.5 --max-bytes 1K --top-n 9 --column after --event-name c "
		"--no-paths --loud --pid 1",
		"{\"loud\":true,\"no_paths\":true,\"event_name\":\"c\",\"column\":\"after\","
		"\"top_n\":9,\"max_bytes\":1024,\"threshold\":2.500000,\"pid\":[\"2\",\"1\"]}");
	records("-e \xff\"", "{\"event_name\":\"\xef\xbf\xbd\\\"\"}");
}

TEST(micro)
{
	static const struct {
		const char *text;
		uint64_t want;
	} good[] = {
		{"0", 0},
		{"12.5", 12500000},
		{"0.000001", 1},
		{"1.000000", 1000000},
		{"007.10", 7100000},
		{"18446744073708.999999", 18446744073708999999u},
	};
	static const char *const bad[] = {
		"",   ".",   "1.",    ".5", "1.0000001", "1,5",	 "-1",
		"+1", "1e3", "1.2.3", " 1", "1.-5",	 "1. 5", "18446744073709551616"};
	uint64_t v;

	for (size_t i = 0; i < PL_COUNT(good); i++) {
		v = 99;
		CHECK(pl_args_micro(pl_str(good[i].text), &v) == 0);
		CHECK_U64(v, good[i].want);
	}
	for (size_t i = 0; i < PL_COUNT(bad); i++)
		CHECK(pl_args_micro(pl_str(bad[i]), &v) == -1);
}

static void nearest_is(const char *word, const char *want)
{
	static const char *const words[] = {"aggregate", "report", "top", "verify", "expand"};
	const char *near = pl_args_nearest(word, words, PL_COUNT(words));
	CHECK_STR(near ? near : "(none)", near ? strlen(near) : 6, want);
}

/* A third of the word, and one letter more, may be wrong. */
TEST(near_misses)
{
	nearest_is("agregate", "aggregate");
	nearest_is("agregat", "aggregate");
	nearest_is("reprot", "report");
	nearest_is("report", "report");
	nearest_is("tpo", "top");
	nearest_is("varifi", "verify");
	nearest_is("vxrxfxxx", "(none)");
	nearest_is("q", "(none)");
	nearest_is("", "(none)");
	nearest_is("this-word-is-so-long-that-a-third-of-it-is-longer-than-the-longest-name-of-any-"
		   "option-or-command-that-there-is-or-will-be-in-this-program-or-in-another-one",
		   "(none)");
	CHECK(pl_args_nearest("x", NULL, 0) == NULL);
}

TEST(lists_for_a_dispatcher)
{
	parse("");
	pl_buf_clear(&out);
	pl_args_list(table, &out);
	CHECK_STR(out.p, out.n,
		  "loud\t-\tBe loud\nno-paths\t-\tNo paths\nevent-name\tNAME\tA name\n"
		  "column\tWHICH\tTake one (default none)\ntop-n\tN\tSo many (default 10)\n"
		  "max-bytes\tBYTES-AT-MOST-OF-ALL\tSo much (default 1M)\n"
		  "threshold\tPCT\tSo far (default 0.000000)\npid\tPID\tEach of them\n"
		  "input\tFILE\tRead it\nsecret\t-\t\n");
}

TEST(help_names_defaults_and_hides_what_is_hidden)
{
	parse("");
	pl_buf_clear(&out);
	pl_args_help(table, &out);
	CHECK_STR(out.p, out.n,
		  "  -l, --loud                      Be loud\n"
		  "      --no-paths                  No paths\n"
		  "  -e, --event-name NAME           A name\n"
		  "      --column before|after|none  Take one (default none)\n"
		  "  -n, --top-n N                   So many (default 10)\n"
		  "      --max-bytes BYTES-AT-MOST-OF-ALL\n"
		  "                                  So much (default 1M)\n"
		  "      --threshold PCT             So far (default 0.000000)\n"
		  "      --pid PID                   Each of them\n"
		  "  -i, --input FILE                Read it\n");
	opt.size = 1000;
	opt.text = "cycles";
	pl_buf_clear(&out);
	pl_args_help(table, &out);
	CHECK(strstr(out.p, "So much (default 1000)\n") != NULL);
	CHECK(strstr(out.p, "A name (default cycles)\n") != NULL);
}

int main(void)
{
	RUN(no_words_leave_the_defaults);
	RUN(each_kind_is_set);
	RUN(letters_and_the_last_of_two);
	RUN(operands_and_their_alias);
	RUN(a_second_parse_starts_afresh);
	RUN(options_that_are_not_there);
	RUN(arguments_that_are_not_there);
	RUN(numbers_that_are_none);
	RUN(the_bounds_are_within);
	RUN(choices);
	RUN(what_differs_is_recorded);
	RUN(micro);
	RUN(near_misses);
	RUN(lists_for_a_dispatcher);
	RUN(help_names_defaults_and_hides_what_is_hidden);
	pl_args_free(&args);
	pl_buf_free(&out);
	return unit_done();
}
