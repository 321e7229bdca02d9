/* recording: the perf.data file: that it is one, its digest, and that nobody writes to it */
#include "recording.h"
#include "fd.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static int fail(const struct recording *r, struct pl_err *err)
{
	return pl_err_at(err, r->name, 0);
}

static int check_kind(struct recording *r, struct pl_err *err)
{
	if (S_ISREG(r->st.st_mode))
		return 0;
	pl_err_set(err, PL_E_INVALID_INPUT,
		   _("is no regular file, but perf reads in it here and "
		     "there"));
	pl_err_action(err, _("save the recording to a file first"));
	return fail(r, err);
}

/* Versions 1 and 2 of the format, the latter in either byte order (perf's header.c). */
static int check_magic(struct recording *r, struct pl_str start, bool packed, struct pl_err *err)
{
	if (!packed && (pl_str_starts(start, "PERFILE2") || pl_str_starts(start, "2ELIFREP") ||
			pl_str_starts(start, "PERFFILE")))
		return 0;
	if (packed) {
		pl_err_set(err, PL_E_UNSUPPORTED_FORMAT, _("is compressed by gzip"));
		pl_err_action(err, _("decompress it first"));
	} else if (start.n == 0) {
		pl_err_set(err, PL_E_UNSUPPORTED_FORMAT, _("is empty, and no recording of perf"));
	} else {
		pl_err_set(err, PL_E_UNSUPPORTED_FORMAT, _("is no recording of perf"));
		pl_err_action(err, _("text is for analyze-perf-script or analyze-folded"));
	}
	return fail(r, err);
}

int recording_read(struct recording *r, struct pl_main *m, struct pl_err *err)
{
	struct pl_in *in = &m->in;
	struct pl_str block = PL_S("");
	int got;

	*r = (struct recording){.name = pl_in_name(in, 0)};
	/* perf is given the open file: the path could lead elsewhere by then */
	r->fd = fcntl(pl_in_fd(in, 0), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (r->fd < 0 || fstat(r->fd, &r->st)) {
		pl_err_set(err, PL_E_INVALID_INPUT, _("cannot be opened: %s"), strerror(errno));
		return fail(r, err);
	}
	if (check_kind(r, err))
		return -1;
	got = pl_in_next(in);
	got = got > 0 ? pl_in_block(in, &block) : got;
	if (got >= 0 && check_magic(r, got ? block : PL_S(""), pl_in_info(in)->packed, err))
		return -1;
	while (got > 0)
		got = pl_in_block(in, &block);
	if (got < 0) {
		*err = in->err;
		return -1;
	}
	r->bytes = pl_in_info(in)->bytes;
	memcpy(r->sha256, pl_in_info(in)->sha256, sizeof r->sha256);
	return 0;
}

int recording_check(const struct recording *r, struct pl_err *err)
{
	struct stat st;

	if (fstat(r->fd, &st) == 0 && pl_fd_is_same(&r->st, &st))
		return 0;
	pl_err_set(err, PL_E_PATH_SAFETY_VIOLATION, _("changed while it was read"));
	pl_err_action(err, _("read a file that nothing writes to, for example a copy"));
	return fail(r, err);
}
