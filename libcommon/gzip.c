/* gzip: unpacks gzip data: one or several members, nothing after them (zlib) */
#include "gzip.h"
#include "text.h"

enum { GZIP_ONLY = 16 + MAX_WBITS };

bool pl_gzip_is(struct pl_str start)
{
	return pl_str_starts(start, "\x1f\x8b");
}

static int start_member(struct pl_gzip *g, char first, struct pl_err *err)
{
	if (g->open && first != '\x1f')
		return pl_err_set(err, PL_E_PROFILE_PARSE_FAILED,
				  _("bytes that are no gzip follow the gzip data"));
	int code = g->open ? inflateReset(&g->z) : inflateInit2(&g->z, GZIP_ONLY);
	if (code != Z_OK)
		return pl_err_set(err, PL_E_INTERNAL_ERROR, _("zlib cannot start: %s"),
				  zError(code));
	g->open = g->in_member = true;
	return 0;
}

static int step(struct pl_gzip *g, struct pl_str *in, struct pl_err *err)
{
	if (!g->in_member && start_member(g, in->p[0], err))
		return -1;
	g->z.next_in = (z_const Bytef *)in->p;
	g->z.avail_in = in->n > UINT32_MAX ? UINT32_MAX : (uInt)in->n;
	size_t given = g->z.avail_in;
	int code = inflate(&g->z, Z_NO_FLUSH);
	in->p += given - g->z.avail_in;
	in->n -= given - g->z.avail_in;
	if (code == Z_STREAM_END)
		g->in_member = false;
	else if (code != Z_OK && code != Z_BUF_ERROR)
		return pl_err_set(err, PL_E_PROFILE_PARSE_FAILED, _("the gzip data is damaged: %s"),
				  g->z.msg ? g->z.msg : zError(code));
	return 0;
}

ssize_t pl_gzip_read(struct pl_gzip *g, struct pl_str *in, char *dst, size_t room,
		     struct pl_err *err)
{
	g->z.next_out = (Bytef *)dst;
	g->z.avail_out = room > UINT32_MAX ? UINT32_MAX : (uInt)room;
	size_t before = g->z.avail_out;
	/* What zlib holds back when dst is full comes with later input: a trailer always follows.
	 */
	while (in->n > 0 && g->z.avail_out == before)
		if (step(g, in, err))
			return -1;
	return (ssize_t)(before - g->z.avail_out);
}

int pl_gzip_end(const struct pl_gzip *g, struct pl_err *err)
{
	if (!g->in_member)
		return 0;
	return pl_err_set(err, PL_E_PROFILE_PARSE_FAILED, _("the gzip data is cut off"));
}

void pl_gzip_free(struct pl_gzip *g)
{
	if (g->open)
		inflateEnd(&g->z);
	*g = (struct pl_gzip){0};
}
