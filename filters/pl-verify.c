/* pl-verify: is an artifact what it says it is? */
#include "mem.h"
#include "verify/verify.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

static struct pl_list source_paths;

static const struct pl_opt options[] = {
	{.name = "source",
	 .kind = PL_OPT_LIST,
	 .value = &source_paths,
	 .argument = "FILE",
	 .help = N_("hold FILE, packed or not, against the digests of the inputs, and replay text "
		    "inputs; may be repeated")},
	{0},
};

static const struct pl_program program = {
	.name = "pl-verify",
	.summary = N_("Check an artifact: its digest, its records, its sums, and, with its "
		      "sources, how it was made"),
	.synopsis = "[option...] [FILE]",
	.options = options,
	.limits = PL_LIMIT_BIT(PL_LIMIT_INPUT_BYTES) | PL_LIMIT_BIT(PL_LIMIT_RECORDS) |
		  PL_LIMIT_BIT(PL_LIMIT_UNIQUE_FRAMES) | PL_LIMIT_BIT(PL_LIMIT_UNIQUE_CALL_PATHS) |
		  PL_LIMIT_BIT(PL_LIMIT_OUTPUT_BYTES) | PL_LIMIT_BIT(PL_LIMIT_TIMEOUT_SECONDS),
	.flags = PL_PROGRAM_INPUT | PL_PROGRAM_OUTPUT | PL_PROGRAM_STREAMS | PL_PROGRAM_ONE_INPUT |
		 PL_PROGRAM_EXEC,
};

enum check {
	DIGEST,
	MEMBERS,
	ORDER,
	CONSERVATION,
	PERCENT,
	QUALITY,
	SOURCE_DIGEST,
	REPLAY,
	CHECKS
};
static const char *const names[CHECKS] = {
	"digest",  "members", "order",	       "conservation",
	"percent", "quality", "source_digest", "replay",
};

/* ---- the sources ---- */

/* None is our standard input. */
static int check_paths(struct pl_err *err)
{
	for (size_t i = 0; i < source_paths.n; i++)
		if (strcmp(source_paths.v[i], "-") == 0)
			return pl_err_set(err, PL_E_INVALID_INPUT,
					  _("--source must be a file: it is read twice"));
	return 0;
}

/* Reads every source, for its digests. 0, or -1 with in->err. */
static int read_sources(struct pl_in *in, struct sources *sources)
{
	struct pl_str block;
	int got = 0;

	sources->v = pl_alloc(source_paths.n * sizeof *sources->v);
	while (sources->n < source_paths.n && (got = pl_in_next(in)) > 0) {
		struct source *source = &sources->v[sources->n++];
		struct stat st;
		source->path = source_paths.v[in->index];
		source->regular = stat(source->path, &st) == 0 && S_ISREG(st.st_mode);
		while ((got = pl_in_block(in, &block)) > 0)
			;
		if (got < 0)
			return -1;
		const struct pl_in_info *info = pl_in_info(in);
		memcpy(source->sha256, info->sha256, sizeof source->sha256);
		memcpy(source->packed_sha256, info->packed_sha256, sizeof source->packed_sha256);
	}
	return got < 0 ? -1 : 0;
}

/* ---- the checks ---- */

/* What cannot be recomputed because the rows cannot be read. */
static bool is_skipped(const struct artifact *a, const struct pl_verdict *members,
		       struct pl_verdict *v)
{
	if (members->status == PL_FAILED)
		pl_verdict_skip(v, "the artifact could not be read");
	else if (!a->analysis)
		pl_verdict_skip(v, "this is not an analysis");
	else if (!a->grouping)
		pl_verdict_skip(v, "what its rows are grouped by is not known here");
	return v->status != PL_PASSED;
}

static void run_checks(const struct pl_main *m, const struct artifact *a,
		       const struct sources *sources, struct pl_verdict v[CHECKS])
{
	static void (*const row_checks[])(const struct artifact *, struct pl_verdict *) = {
		[ORDER] = check_order,
		[CONSERVATION] = check_conservation,
		[PERCENT] = check_percent,
		[QUALITY] = check_quality,
	};

	check_digest(a, &v[DIGEST]);
	check_members(a, &v[MEMBERS]);
	for (enum check c = ORDER; c <= QUALITY; c++)
		if (!is_skipped(a, &v[MEMBERS], &v[c]))
			row_checks[c](a, &v[c]);
	check_source_digest(a, sources, &v[SOURCE_DIGEST]);
	if (!is_skipped(a, &v[MEMBERS], &v[REPLAY]))
		check_replay(a, sources, &m->limits, &v[REPLAY]);
}

/* ---- what is written ---- */

/* What was looked at. Bytes without a header of ours are named by their digest alone. */
static void put_input(struct pl_jsonw *w, struct artifact *a, bool sealed)
{
	struct pl_str last = a->lines[a->n - 1];
	struct pl_sha256 h;
	char hex[PL_SHA256_HEX + 1];

	if (a->has_header) {
		if (sealed)
			memcpy(a->stream.sha256, last.p + last.n - PL_SHA256_HEX - 2,
			       PL_SHA256_HEX);
		pl_stream_input(w, &a->stream, NULL, 0);
		return;
	}
	pl_sha256_start(&h);
	pl_sha256_add(&h, a->bytes.p, a->bytes.n);
	pl_sha256_end(&h, hex);
	pl_jsonw_begin(w, '{');
	pl_jsonw_kz(w, "format", "unknown");
	pl_jsonw_ku64(w, "bytes", a->bytes.n);
	pl_jsonw_kz(w, "sha256", hex);
	pl_jsonw_end(w, '}');
}

static void put_header(struct pl_main *m, struct artifact *a, bool sealed)
{
	struct pl_jsonw w = {&m->out.buf, false};

	pl_stream_header(&w, PL_VERDICT_SCHEMA, m);
	pl_jsonw_begin(&w, '[');
	put_input(&w, a, sealed);
	pl_jsonw_end(&w, ']');
	pl_jsonw_record_end(&w);
}

/* ---- */

/* What is no artifact at all, or one of a version that we cannot judge. */
static int refuse(const struct artifact *a, const struct pl_in *in, struct pl_err *err)
{
	const struct pl_stream_header *h = &a->stream.header;
	int shown = h->schema.n < 64 ? (int)h->schema.n : 64;
	struct pl_verdict digest = {0};

	if (a->bytes.n == 0) {
		pl_err_set(err, PL_E_STREAM_TRUNCATED, _("there is nothing to verify"));
	} else if (a->has_header && !pl_stream_sealed_kind(h->schema)) {
		pl_err_set(err, PL_E_UNSUPPORTED_FORMAT,
			   _("this is %.*s, which carries no digest: only artifacts can be "
			     "verified"),
			   shown, h->schema.p);
	} else if (a->has_header && h->major != 1) {
		/* with a digest that does not fit, the version may be what was changed */
		check_digest(a, &digest);
		if (digest.status == PL_FAILED)
			return 0;
		pl_err_set(err, PL_E_UNSUPPORTED_FORMAT,
			   _("this is %.*s %u.%u; 1.x is wanted here"), shown, h->schema.p,
			   h->major, h->minor);
	} else {
		return 0;
	}
	return pl_err_at(err, pl_in_name(in, 0), 0);
}

int main(int argc, char **argv)
{
	const struct pl_in_options source_options = {.digest = true};
	struct pl_main m;
	struct pl_in source_files = {0};
	struct sources sources = {0};
	struct artifact a = {0};
	struct pl_verdict v[CHECKS] = {0};
	struct pl_err err = {0};

	pl_start(&m, &program, argc, argv);
	if (check_paths(&err))
		pl_fail(&m, &err);
	if (source_paths.n &&
	    pl_in_open(&source_files, source_paths.v, source_paths.n, &source_options))
		pl_fail(&m, &source_files.err);
	m.beside = source_paths.n ? &source_files : NULL;
	pl_open(&m);
	if (pl_in_next(&m.in) < 0 || artifact_read(&a, &m.in))
		pl_fail(&m, &m.in.err);
	artifact_open(&a);
	if (refuse(&a, &m.in, &err))
		pl_fail(&m, &err);
	if (source_paths.n && read_sources(&source_files, &sources))
		pl_fail(&m, &source_files.err);
	run_checks(&m, &a, &sources, v);
	put_header(&m, &a, v[DIGEST].status == PL_PASSED);
	enum pl_exit status = pl_verdict_report(&m, names, v, CHECKS);
	artifact_close(&a);
	free(sources.v);
	if (source_paths.n)
		pl_in_close(&source_files);
	return pl_finish(&m, status);
}
