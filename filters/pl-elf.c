/* pl-elf: what an ELF file is, and which of its addresses can be given names and lines */
#include "child.h"
#include "elf/describe.h"
#include "fd.h"
#include "mem.h"
#include "paths.h"
#include "program.h"
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define SCHEMA "perflens.elf"
enum { CHILD_MEMORY_GIB = 2 };

static struct {
	struct pl_list debug_roots, roots;
	struct pl_paths paths; /* of it, the sysroot */
	bool show_absent;
} opt;

static const struct pl_opt options[] = {
	{.name = "debug-root",
	 .kind = PL_OPT_LIST,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.debug_roots,
	 .argument = "DIR",
	 .help = N_("look for separate debug files below DIR, too; may be repeated")},
	{.name = "sysroot",
	 .kind = PL_OPT_TEXT,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.paths.sysroot,
	 .argument = "DIR",
	 .help = N_("the system that the file belongs to is below DIR")},
	{.name = "roots",
	 .kind = PL_OPT_LIST,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.roots,
	 .argument = "DIR",
	 .help = N_("read nothing but FILE outside of DIR and the debug roots; may be repeated")},
	{.name = "show-absent",
	 .kind = PL_OPT_FLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.show_absent,
	 .help = N_("list also the debug files that were looked for and are not there")},
	{0},
};

static const struct pl_program program = {
	.name = "pl-elf",
	.summary = N_("Read an ELF file, say what it is and what can be resolved in it"),
	.synopsis = "[option...] [FILE]",
	.options = options,
	.limits = PL_LIMIT_BIT(PL_LIMIT_INPUT_BYTES) | PL_LIMIT_BIT(PL_LIMIT_OUTPUT_BYTES) |
		  PL_LIMIT_BIT(PL_LIMIT_TIMEOUT_SECONDS),
	.flags = PL_PROGRAM_INPUT | PL_PROGRAM_ONE_INPUT | PL_PROGRAM_BINARY | PL_PROGRAM_OUTPUT |
		 PL_PROGRAM_CHILDREN,
};

/* The bytes of the file: mapped when it is a file, else collected. */
struct image {
	void *bytes;
	size_t n;
	struct pl_buf collected;
	int fd; /* -1: nothing is mapped */
	struct stat st;
};

static int fail(const struct pl_main *m, struct pl_err *err)
{
	return pl_err_at(err, pl_in_name(&m->in, 0), 0);
}

static int map(struct image *image, const struct pl_main *m, struct pl_err *err)
{
	void *p = NULL;

	image->fd = fcntl(pl_in_fd(&m->in, 0), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (image->fd >= 0 && fstat(image->fd, &image->st) == 0 && S_ISREG(image->st.st_mode)) {
		if (image->st.st_size > 0)
			/* see pl_elf_open_memory(): what libelf writes stays in the child */
			p = mmap(NULL, (size_t)image->st.st_size, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE, image->fd, 0);
		if (p != MAP_FAILED) {
			image->bytes = p;
			image->n = p ? (size_t)image->st.st_size : 0;
			return 0;
		}
	} else if (image->fd >= 0) {
		close(image->fd);
		image->fd = -1;
		return 0;
	}
	pl_err_set(err, PL_E_INVALID_INPUT, _("cannot be read: %s"), strerror(errno));
	return fail(m, err);
}

static void unmap(struct image *image)
{
	if (image->bytes && image->bytes != image->collected.p)
		munmap(image->bytes, image->n);
	image->bytes = NULL;
}

/* Reads all of it, for the digest, and keeps what is not mapped as it is. */
static int read_image(struct image *image, struct pl_main *m, struct pl_err *err)
{
	struct pl_str block;
	int got;

	if (map(image, m, err))
		return -1;
	got = pl_in_next(&m->in);
	while (got > 0 && (got = pl_in_block(&m->in, &block)) > 0)
		if (image->fd < 0 || pl_in_info(&m->in)->packed)
			pl_buf_add(&image->collected, block.p, block.n);
	if (got < 0) {
		*err = m->in.err;
		return -1;
	}
	if (image->fd < 0 || pl_in_info(&m->in)->packed) {
		unmap(image);
		image->bytes = image->collected.p;
		image->n = image->collected.n;
	}
	return 0;
}

static int check_unchanged(const struct image *image, const struct pl_main *m, struct pl_err *err)
{
	struct stat st;

	if (image->fd < 0 || (fstat(image->fd, &st) == 0 && pl_fd_is_same(&image->st, &st)))
		return 0;
	pl_err_set(err, PL_E_PATH_SAFETY_VIOLATION, _("changed while it was read"));
	pl_err_action(err, _("read a file that nothing writes to, for example a copy"));
	return fail(m, err);
}

static void free_image(struct image *image)
{
	unmap(image);
	if (image->fd >= 0)
		close(image->fd);
	pl_buf_free(&image->collected);
}

/* ---- the child ---- */

/* The answer is the number of records, and the records. */
static void work(void *context, struct pl_str question, struct pl_buf *answer)
{
	uint64_t records = 0;

	(void)question;
	pl_buf_add(answer, &records, sizeof records);
	records = describe(context, answer);
	memcpy(answer->p, &records, sizeof records);
}

static int refuse(enum pl_child_status status, const struct pl_main *m, struct pl_err *err)
{
	static const char *const why[] = {
		[PL_CHILD_CRASHED] = N_("the ELF library crashed on this file"),
		[PL_CHILD_LATE] = N_("the ELF library did not come to an end with this file"),
		[PL_CHILD_NONE] = N_("no process can be started to read it"),
		[PL_CHILD_ANSWERED] = N_("is no ELF file")};

	pl_err_set(err, status == PL_CHILD_NONE ? PL_E_INTERNAL_ERROR : PL_E_PROFILE_PARSE_FAILED,
		   "%s", _(why[status]));
	return fail(m, err);
}

/* The records, and in *n their number. 0 or -1. */
static int ask(struct describe *d, const struct image *image, const struct pl_main *m,
	       struct pl_buf *records, uint64_t *n, struct pl_err *err)
{
	struct pl_child child;
	struct pl_buf answer = {0};
	uint64_t seconds = m->limits.v[PL_LIMIT_TIMEOUT_SECONDS];

	pl_child_init(
		&child, work, d,
		(struct pl_child_caps){.seconds = seconds < 1000000 ? (unsigned)seconds : 0,
				       .memory = ((uint64_t)CHILD_MEMORY_GIB << 30) + image->n,
				       .keep = {pl_paths_descriptor(&opt.paths)}});
	enum pl_child_status status = pl_child_ask(&child, PL_S(""), &answer);
	pl_child_end(&child);
	/* one that shrank while it was mapped is a crash, too */
	if (check_unchanged(image, m, err))
		return -1;
	*n = 0;
	if (status == PL_CHILD_ANSWERED)
		memcpy(n, answer.p, sizeof *n);
	if (*n == 0)
		return refuse(status, m, err);
	pl_buf_add(records, answer.p + sizeof *n, answer.n - sizeof *n);
	pl_buf_free(&answer);
	return 0;
}

/* ---- the artifact ---- */

static void put_header(struct pl_main *m)
{
	const struct pl_in_info *info = pl_in_info(&m->in);
	struct pl_jsonw w = {&m->out.buf, false};

	pl_stream_header(&w, SCHEMA, m);
	pl_jsonw_begin(&w, '[');
	pl_jsonw_begin(&w, '{');
	pl_jsonw_kz(&w, "format", "elf");
	pl_jsonw_ku64(&w, "bytes", info->bytes);
	if (info->sha256[0])
		pl_jsonw_kz(&w, "sha256", info->sha256);
	if (info->packed) {
		pl_jsonw_ku64(&w, "packed_bytes", info->packed_bytes);
		if (info->packed_sha256[0])
			pl_jsonw_kz(&w, "packed_sha256", info->packed_sha256);
	}
	pl_jsonw_end(&w, '}');
	pl_jsonw_end(&w, ']');
	pl_jsonw_record_end(&w);
}

static int put_artifact(struct pl_main *m, struct pl_str records, uint64_t n)
{
	struct pl_jsonw w = {&m->out.buf, false};

	pl_out_hold(&m->out, m->limits.v[PL_LIMIT_OUTPUT_BYTES]);
	put_header(m);
	pl_buf_adds(&m->out.buf, records);
	pl_jsonw_record(&w, "end");
	pl_jsonw_ku64(&w, "records", n);
	pl_stream_seal(&m->out.buf);
	return pl_out_poll(&m->out);
}

/* ---- */

/* Where the file is, links followed; NULL on standard input. */
static char *real_path(const struct pl_main *m)
{
	const struct pl_list *operands = &m->args.operands;

	return operands->n == 1 && strcmp(operands->v[0], "-") != 0 ? realpath(operands->v[0], NULL)
								    : NULL;
}

static int set_roots(struct pl_main *m, struct pl_roots *roots, struct pl_err *err)
{
	if (pl_paths_open(&opt.paths, err) || pl_roots(roots, &opt.roots, err))
		return -1;
	for (size_t i = 0; i < opt.debug_roots.n; i++)
		pl_roots_add(roots, opt.debug_roots.v[i]);
	m->roots = pl_roots_list(roots);
	m->roots_n = roots->n;
	return 0;
}

int main(int argc, char **argv)
{
	struct pl_main m;
	struct pl_roots roots;
	struct image image = {.fd = -1};
	struct pl_buf records = {0};
	struct pl_err err = {0};
	uint64_t n;

	pl_start(&m, &program, argc, argv);
	if (set_roots(&m, &roots, &err))
		pl_fail(&m, &err);
	char *path = real_path(&m);
	struct describe d = {.search = {.path = path,
					.roots = opt.debug_roots.v,
					.roots_n = opt.debug_roots.n,
					.sysroot = opt.paths.sysroot,
					.list_absent = opt.show_absent,
					.all = true}};
	if (path)
		d.name = pl_str_base(pl_str(m.args.operands.v[0]));
	pl_open(&m);
	if (read_image(&image, &m, &err))
		pl_fail(&m, &err);
	d.bytes = image.bytes;
	d.n = image.n;
	if (ask(&d, &image, &m, &records, &n, &err))
		pl_fail(&m, &err);
	if (put_artifact(&m, pl_buf_str(&records), n))
		pl_fail(&m, &m.out.err);
	pl_buf_free(&records);
	free_image(&image);
	free(path);
	pl_roots_free(&roots);
	pl_paths_close(&opt.paths);
	return pl_finish(&m, PL_EXIT_DONE);
}
