/* magic: what a reader of text refuses by its first bytes, and what to do with it */
#include "magic.h"
#include "text.h"

static const char decompress[] = N_("decompress it first");
static const char from_utf16[] = N_("convert it first: iconv -f UTF-16 -t UTF-8");
static const char from_utf32[] = N_("convert it first: iconv -f UTF-32 -t UTF-8");
static const char from_perf[] = N_("turn it into text first: perf script");

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
