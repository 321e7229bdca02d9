/* magic: what a reader of text refuses by its first bytes or its first line, and what to do with it
 */
#include "magic.h"
#include "text.h"

static const char decompress[] = N_("decompress it first");
static const char from_utf16[] = N_("convert it first: iconv -f UTF-16 -t UTF-8");
static const char from_utf32[] = N_("convert it first: iconv -f UTF-32 -t UTF-8");
static const char from_perf[] = N_("read it with perflens analyze-perf-data --input FILE");

static const struct {
	struct pl_str bytes;
	const char *what, *action;
} refused[] = {
	{{"\xff\xfe\0\0", 4}, N_("is UTF-32 text"), from_utf32},
	{{"\0\0\xfe\xff", 4}, N_("is UTF-32 text"), from_utf32},
	{{"\xff\xfe", 2}, N_("is UTF-16 text"), from_utf16},
	{{"\xfe\xff", 2}, N_("is UTF-16 text"), from_utf16},
	{{"PERFILE2", 8}, N_("is a perf.data recording, not text"), from_perf},
	{{"2ELIFREP", 8}, N_("is a perf.data recording, not text"), from_perf},
	{{"\x28\xb5\x2f\xfd", 4}, N_("is compressed by zstd"), decompress},
	{{"\xfd\x37zXZ\0", 6}, N_("is compressed by xz"), decompress},
};

static int refuse(struct pl_err *err, const char *what, const char *action)
{
	pl_err_set(err, PL_E_UNSUPPORTED_FORMAT, "%s", _(what));
	return pl_err_action(err, "%s", _(action));
}

/* "BZh", the block size, and the digits of pi with which every block starts. */
static bool is_bzip2(struct pl_str start)
{
	return start.n >= 10 && memcmp(start.p, "BZh", 3) == 0 &&
	       memcmp(start.p + 4, "1AY&SY", 6) == 0;
}

int pl_magic_text(struct pl_str start, struct pl_err *err)
{
	for (size_t i = 0; i < PL_COUNT(refused); i++) {
		struct pl_str magic = refused[i].bytes;
		if (start.n >= magic.n && memcmp(start.p, magic.p, magic.n) == 0)
			return refuse(err, refused[i].what, refused[i].action);
	}
	return is_bzip2(start) ? refuse(err, N_("is compressed by bzip2"), decompress) : 0;
}

static bool is_digits(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] < '0' || p[i] > '9')
			return false;
	return n > 0;
}

/* Cuts the first word off *s; absent when there is none. */
static struct pl_str next_word(struct pl_str *s)
{
	size_t n = 0;

	*s = pl_str_trim(*s);
	while (n < s->n && s->p[n] != ' ' && s->p[n] != '\t')
		n++;
	struct pl_str word = {n ? s->p : NULL, n};
	*s = (struct pl_str){s->p + n, s->n - n};
	return word;
}

static bool is_stream(struct pl_str line)
{
	return pl_str_starts(line, "{\"type\":\"header\"");
}

/* A time, "12.345678:", is in every header of a sample, unless it was left out on purpose. */
static bool is_perf_script(struct pl_str line)
{
	struct pl_str word;

	while ((word = next_word(&line)).p) {
		const char *point = memchr(word.p, '.', word.n);
		size_t whole = point ? (size_t)(point - word.p) : 0;
		if (point && word.p[word.n - 1] == ':' && is_digits(word.p, whole) &&
		    is_digits(point + 1, word.n - whole - 2))
			return true;
	}
	return false;
}

/* "main;worker;compute 271" */
static bool is_folded(struct pl_str line)
{
	size_t n = 0;

	line = pl_str_trim(line);
	while (n < line.n && line.p[line.n - n - 1] >= '0' && line.p[line.n - n - 1] <= '9')
		n++;
	return n && n < line.n &&
	       (line.p[line.n - n - 1] == ' ' || line.p[line.n - n - 1] == '\t') &&
	       memchr(line.p, ';', line.n - n);
}

const char *pl_magic_advice(struct pl_str line, const char *program)
{
	static const struct {
		bool (*is)(struct pl_str line);
		const char *reader, *advice;
	} known[] = {
		{is_stream, "", N_("this is a PerfLens stream already: it needs no parser")},
		{is_perf_script, "pl-script-parse",
		 N_("this looks like the text of perf script: use pl-script-parse, or perflens "
		    "analyze-perf-script")},
		{is_folded, "pl-fold-parse",
		 N_("these look like folded stacks: use pl-fold-parse, or perflens "
		    "analyze-folded")},
	};

	for (size_t i = 0; i < PL_COUNT(known); i++)
		if (known[i].is(line))
			return strcmp(known[i].reader, program) == 0 ? NULL : _(known[i].advice);
	return NULL;
}
