/* pl-verify-bundle: is a bundle of evidence whole, and does it belong together? */
#include "stream.h"
#include "text.h"
#include "verify-bundle/checks.h"

static const struct pl_program program = {
	.name = "pl-verify-bundle",
	.summary = N_("Check a bundle: its ZIP, its manifest, digests, and what binds its parts"),
	.synopsis = "[option...] [FILE]",
	.limits = PL_LIMIT_BIT(PL_LIMIT_INPUT_BYTES),
	.flags = PL_PROGRAM_INPUT | PL_PROGRAM_ONE_INPUT | PL_PROGRAM_BINARY | PL_PROGRAM_OUTPUT,
};

enum check { CONTAINER, NAMES, MANIFEST, SIZES, CRC, SHA256, SEALS, BINDINGS, CHECKS };
static const char *const names[CHECKS] = {
	"container", "names", "manifest", "sizes", "crc", "sha256", "seals", "bindings",
};

/* The whole input; a ZIP is read from its end. */
static int read_input(struct pl_buf *bytes, struct pl_in *in)
{
	struct pl_str block;
	int got = pl_in_next(in);

	while (got > 0 && (got = pl_in_block(in, &block)) > 0)
		pl_buf_adds(bytes, block);
	return got;
}

/* Takes the bundle apart, if it can be. gzip is unpacked on the way: what is in it is no bundle's
 * bytes. */
static int open_contents(struct contents *c, struct pl_str bytes, const struct pl_in *in,
			 struct pl_err *err)
{
	if (bytes.n == 0)
		pl_err_set(err, PL_E_STREAM_TRUNCATED, _("there is nothing to verify"));
	else if (pl_in_info(in)->packed)
		pl_err_set(err, PL_E_UNSUPPORTED_FORMAT, _("this is gzip, and no ZIP"));
	else if (contents_open(c, bytes, err) == 0)
		return 0;
	return pl_err_at(err, pl_in_name(in, 0), 0);
}

static void run_checks(struct contents *c, struct pl_verdict v[CHECKS])
{
	check_container(c, &v[CONTAINER]);
	check_names(c, &v[NAMES]);
	check_manifest(c, &v[MANIFEST]);
	check_sizes(c, &v[SIZES]);
	check_crc(c, &v[CRC]);
	check_sha256(c, &v[SHA256]);
	check_seals(c, &v[SEALS]);
	check_bindings(c, &v[BINDINGS]);
}

static void put_header(struct pl_main *m)
{
	struct pl_jsonw w = {&m->out.buf, false};
	const struct pl_in_info *info = pl_in_info(&m->in);

	pl_stream_header(&w, PL_VERDICT_SCHEMA, m);
	pl_jsonw_begin(&w, '[');
	pl_jsonw_begin(&w, '{');
	pl_jsonw_kz(&w, "format", "zip");
	pl_jsonw_ku64(&w, "bytes", info->bytes);
	if (info->sha256[0])
		pl_jsonw_kz(&w, "sha256", info->sha256);
	pl_jsonw_end(&w, '}');
	pl_jsonw_end(&w, ']');
	pl_jsonw_record_end(&w);
}

int main(int argc, char **argv)
{
	static struct contents contents;
	struct pl_main m;
	struct pl_buf bytes = {0};
	struct pl_verdict v[CHECKS] = {0};
	struct pl_err err = {0};

	pl_start(&m, &program, argc, argv);
	pl_open(&m);
	if (read_input(&bytes, &m.in) < 0)
		pl_fail(&m, &m.in.err);
	if (open_contents(&contents, pl_buf_str(&bytes), &m.in, &err))
		pl_fail(&m, &err);
	run_checks(&contents, v);
	put_header(&m);
	enum pl_exit status = pl_verdict_report(&m, names, v, CHECKS);
	contents_free(&contents);
	pl_buf_free(&bytes);
	return pl_finish(&m, status);
}
