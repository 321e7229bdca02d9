/* pl-symbolize: names, inlined functions and lines for the frames of a stream of samples */
#include "roots.h"
#include "samples.h"
#include "symbolize/lines.h"
#include "symbolize/resolve.h"
#include "symbolize/rewrite.h"
#include "text.h"

#include <stdlib.h>

static struct {
	struct resolver_options resolver;
	struct pl_list roots;
	const char *kallsyms;
	uint64_t memory;
	bool debuginfod, resolve;
	struct resolve position;
} opt = {.memory = (uint64_t)4 << 30};

static const struct pl_opt options[] = {
	{.name = "inlines",
	 .kind = PL_OPT_FLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.resolver.inlines,
	 .help = N_("tell the functions that are inlined at each position")},
	{.name = "lines",
	 .kind = PL_OPT_FLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.resolver.lines,
	 .help = N_("tell file, line and column of each position")},
	{.name = "debug-root",
	 .kind = PL_OPT_LIST,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.resolver.debug_roots,
	 .argument = "DIR",
	 .help = N_("look for separate debug files below DIR, too; may be repeated")},
	{.name = "kallsyms",
	 .kind = PL_OPT_TEXT,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.kallsyms,
	 .argument = "FILE",
	 .help = N_("name the kernel's functions by FILE, a copy of /proc/kallsyms that was made "
		    "when it was recorded")},
	{.name = "jit-dir",
	 .kind = PL_OPT_TEXT,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.resolver.jit_dir,
	 .argument = "DIR",
	 .help = N_("the maps of JIT compilers, perf-PID.map, are in DIR, not in /tmp")},
	PL_PATHS_OPTIONS(opt.resolver.paths),
	{.name = "trust-paths",
	 .kind = PL_OPT_FLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.resolver.trust_paths,
	 .help = N_("where the recording has no build ID, believe that the file at the path is the "
		    "one that ran")},
	{.name = "debuginfod",
	 .kind = PL_OPT_FLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.debuginfod,
	 .help = N_("get what is missing from the servers that DEBUGINFOD_URLS names")},
	{.name = "raw-names",
	 .kind = PL_OPT_FLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.resolver.raw_names,
	 .help = N_("leave symbols as they are: .isra.0, .cold, hashes")},
	{.name = "roots",
	 .kind = PL_OPT_LIST,
	 .value = &opt.roots,
	 .argument = "DIR",
	 .help = N_("read nothing outside of DIR and what other options name; may be repeated")},
	{.name = "memory",
	 .kind = PL_OPT_SIZE,
	 .value = &opt.memory,
	 .argument = "SIZE",
	 .min = 64 << 20,
	 .help = N_("what reading symbols may take")},
	{.name = "resolve",
	 .kind = PL_OPT_FLAG,
	 .value = &opt.resolve,
	 .help = N_("read no stream: tell what is at one offset of an ELF file")},
	{.name = "binary",
	 .kind = PL_OPT_TEXT,
	 .value = &opt.position.binary,
	 .argument = "FILE",
	 .help = N_("the ELF file to resolve an offset of")},
	{.name = "module-offset",
	 .kind = PL_OPT_TEXT,
	 .value = &opt.position.offset,
	 .argument = "N",
	 .help = N_("the offset in that file")},
	{.name = "runtime-address",
	 .kind = PL_OPT_TEXT,
	 .value = &opt.position.runtime,
	 .argument = "N",
	 .help = N_("the address in a process: told again, never used")},
	{.name = "build-id",
	 .kind = PL_OPT_TEXT,
	 .value = &opt.position.build_id,
	 .argument = "HEX",
	 .help = N_("refuse the file when it has another build ID")},
	{.name = "sha256",
	 .kind = PL_OPT_TEXT,
	 .value = &opt.position.sha256,
	 .argument = "HEX",
	 .help = N_("refuse the file when it is not the one that was inspected")},
	{0},
};

static const struct pl_program program = {
	.name = "pl-symbolize",
	.summary = N_("Name functions and lines in a stream of samples or an analysis"),
	.synopsis = "[option...] [FILE]\n"
		    "       pl-symbolize --resolve --binary FILE --module-offset N [option...]",
	.options = options,
	.limits = PL_LIMIT_BIT(PL_LIMIT_TIMEOUT_SECONDS) | PL_LIMIT_BIT(PL_LIMIT_OUTPUT_BYTES),
	.flags = PL_PROGRAM_INPUT | PL_PROGRAM_OUTPUT | PL_PROGRAM_ONE_INPUT | PL_PROGRAM_STREAMS |
		 PL_PROGRAM_CHILDREN,
};

/* Where perf keeps copies of the files that it recorded. */
static const char *cache_folder(struct pl_buf *path)
{
	const char *home = getenv("HOME");

	if (!home || home[0] != '/')
		return NULL;
	pl_buf_printf(path, "%s/.debug", home);
	return path->p;
}

/* What may be read: the roots, and what options name besides. */
static void open_roots(struct pl_main *m, struct pl_roots *roots)
{
	struct resolver_options *o = &opt.resolver;
	struct pl_err err;

	if (pl_paths_open(&o->paths, &err) || pl_roots(roots, &opt.roots, &err))
		pl_fail(m, &err);
	for (size_t i = 0; i < o->debug_roots.n; i++)
		pl_roots_add(roots, o->debug_roots.v[i]);
	if (o->jit_dir)
		pl_roots_add(roots, o->jit_dir);
	if (o->fetched)
		pl_roots_add(roots, o->fetched);
	pl_paths_roots(&o->paths, roots);
	m->roots = pl_roots_list(roots);
	m->roots_n = roots->n;
}

/* The release of the kernel that was recorded: of the first host that the header names. */
static void learn_release(struct kernel *kernel, const struct pl_stream *s)
{
	const struct pl_json *json = &s->header_json;
	uint32_t end = json->tape[s->header.inputs].next;

	for (uint32_t i = s->header.inputs; i + 1 < end; i++) {
		if (json->tape[i].type != PL_JSON_STRING ||
		    json->tape[i + 1].type != PL_JSON_OBJECT ||
		    !pl_str_is(pl_json_str(json, i), "host"))
			continue;
		uint32_t release = pl_json_member(json, i + 1, "release");
		if (!release || json->tape[release].type != PL_JSON_STRING)
			continue;
		struct pl_str text = pl_json_str(json, release);
		snprintf(kernel->recorded_release, sizeof kernel->recorded_release, "%.*s",
			 (int)(text.n < 64 ? text.n : 64), text.p);
		return;
	}
}

/* A stream of samples gets names; an analysis, whose functions have theirs, gets lines. */
static int pass_stream(struct pl_main *m, struct asker *asker, struct kernel *kernel,
		       struct pl_err *err)
{
	static const char *const schemas[] = {PL_SAMPLES_SCHEMA, PL_ANALYSIS_SCHEMA};
	struct pl_analysis analysis = {0};
	struct pl_stream *s = &analysis.s;
	struct rewrite rewrite = {.m = m, .asker = asker};
	int failed = -1;

	if (pl_in_next(&m->in) < 0) {
		*err = m->in.err;
		return -1;
	}
	if (pl_stream_open(s, &m->in, schemas, PL_COUNT(schemas), false)) {
		*err = s->err;
	} else if (pl_str_is(s->header.schema, PL_SAMPLES_SCHEMA)) {
		learn_release(kernel, s);
		failed = rewrite_run(&rewrite, s);
		*err = rewrite.err;
		rewrite_free(&rewrite);
	} else if (!opt.resolver.lines) {
		pl_err_set(err, PL_E_INVALID_INPUT, _("an analysis can only be given lines"));
		pl_err_action(err, _("add --lines, or put pl-symbolize before pl-aggregate"));
	} else if (pl_analysis_begin(&analysis)) {
		*err = s->err;
	} else {
		pl_out_hold(&m->out, m->limits.v[PL_LIMIT_OUTPUT_BYTES]);
		opt.resolver.inlines =
			false; /* a row is a function: where it was, not who called it */
		failed = lines_run(m, &analysis, asker, err);
	}
	pl_analysis_close(&analysis);
	return failed;
}

/* What would be read, or told, and is not. */
static void check_usage(struct pl_main *m)
{
	const struct resolve *r = &opt.position;
	const char *given = r->binary	  ? "--binary"
			    : r->offset	  ? "--module-offset"
			    : r->runtime  ? "--runtime-address"
			    : r->build_id ? "--build-id"
			    : r->sha256	  ? "--sha256"
					  : NULL;

	struct pl_err err;

	if (opt.resolve && m->args.operands.n)
		pl_err_set(&err, PL_E_INVALID_INPUT, _("%s: --resolve reads no stream"),
			   m->args.operands.v[0]);
	else if (!opt.resolve && given)
		pl_err_set(&err, PL_E_INVALID_INPUT, _("%s says nothing without --resolve"), given);
	else
		return;
	pl_err_action(&err, _("see --help"));
	pl_fail(m, &err);
}

/* What a person names is the file that is meant, and all of it is wanted. */
static void prepare_resolve(struct pl_main *m)
{
	struct pl_err err;

	if (resolve_open(&opt.position, m, &err))
		pl_fail(m, &err);
	opt.resolver.file.fd = opt.position.fd;
	opt.resolver.file.path = opt.position.path.p;
	opt.resolver.inlines = opt.resolver.lines = true;
	opt.resolver.trust_paths = true;
}

int main(int argc, char **argv)
{
	struct pl_main m;
	struct pl_roots roots = {0};
	struct pl_buf cache = {0};
	struct kernel kernel = {0};
	struct fetch fetch = {0};
	struct asker asker;
	struct pl_err err;

	pl_start(&m, &program, argc, argv);
	check_usage(&m);
	if (opt.resolve)
		prepare_resolve(&m);
	else if (kernel_open(&kernel, opt.kallsyms, opt.resolver.trust_paths, &err))
		pl_fail(&m, &err);
	opt.resolver.cache = cache_folder(&cache);
	if (opt.debuginfod && fetch_start(&fetch, &m, &err))
		pl_fail(&m, &err);
	opt.resolver.fetched = fetch.cache.p;
	open_roots(&m, &roots);
	asker_start(&asker, &m, &opt.resolver, &kernel, opt.memory);
	asker.fetch = fetch.on ? &fetch : NULL;
	pl_open(&m);
	if (opt.resolve ? resolve_run(&opt.position, &m, &asker, &err)
			: pass_stream(&m, &asker, &kernel, &err))
		pl_fail(&m, &err);
	asker_end(&asker);
	fetch_end(&fetch);
	kernel_close(&kernel);
	pl_roots_free(&roots);
	pl_paths_close(&opt.resolver.paths);
	pl_buf_free(&cache);
	return pl_finish(&m, PL_EXIT_DONE);
}
