/* pl-symbolize: names, inlined functions and lines for the frames of a stream of samples */
#include "fd.h"
#include "roots.h"
#include "symbolize/rewrite.h"
#include "text.h"

#include <stdlib.h>

static struct {
	struct resolver_options resolver;
	struct pl_list roots;
	const char *kallsyms;
	uint64_t memory;
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
	{.name = "path-map",
	 .kind = PL_OPT_LIST,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.resolver.paths.maps,
	 .argument = "FROM=TO",
	 .help = N_(
		 "what was recorded below FROM is below TO here; the first that matches counts")},
	{.name = "sysroot",
	 .kind = PL_OPT_TEXT,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.resolver.paths.sysroot,
	 .argument = "DIR",
	 .help = N_("the recorded system is below DIR")},
	{.name = "root-of-pid",
	 .kind = PL_OPT_TEXT,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.resolver.paths.root_of_pid,
	 .argument = "PID",
	 .help = N_("the recorded system is the one that this process sees, in its container")},
	{.name = "trust-paths",
	 .kind = PL_OPT_FLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.resolver.trust_paths,
	 .help = N_("where the recording has no build ID, believe that the file at the path is the "
		    "one that ran")},
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
	{0},
};

static const struct pl_program program = {
	.name = "pl-symbolize",
	.summary = N_("Name the functions of a stream of samples"),
	.synopsis = "[option...] [FILE]",
	.options = options,
	.limits = PL_LIMIT_BIT(PL_LIMIT_TIMEOUT_SECONDS),
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

	if (paths_open(&o->paths, &err) || pl_roots(roots, &opt.roots, &err))
		pl_fail(m, &err);
	for (size_t i = 0; i < o->debug_roots.n; i++)
		pl_roots_add(roots, o->debug_roots.v[i]);
	if (o->jit_dir)
		pl_roots_add(roots, o->jit_dir);
	if (o->paths.sysroot)
		pl_roots_add(roots, o->paths.sysroot);
	if (o->paths.root_of_pid)
		pl_roots_add_system(roots, o->paths.root);
	m->roots = pl_roots_list(roots);
	m->roots_n = roots->n;
}

/* The release of the kernel that was recorded: of the first host that the header names. */
static void learn_release(void *context, const struct pl_stream *s)
{
	struct kernel *kernel = context;
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

int main(int argc, char **argv)
{
	struct pl_main m;
	struct pl_roots roots = {0};
	struct pl_buf cache = {0};
	struct kernel kernel;
	struct pl_child child;
	struct resolver resolver;
	struct pl_err err;

	pl_start(&m, &program, argc, argv);
	opt.resolver.cache = cache_folder(&cache);
	open_roots(&m, &roots);
	if (kernel_open(&kernel, opt.kallsyms, opt.resolver.trust_paths, &err))
		pl_fail(&m, &err);
	resolver_start(&resolver, &opt.resolver, &kernel, &child);
	pl_open(&m);
	pl_child_init(
		&child, resolver_work, &resolver,
		(struct pl_child_caps){.seconds = (unsigned)m.limits.v[PL_LIMIT_TIMEOUT_SECONDS],
				       .memory = opt.memory});
	if (opt.resolver.paths.root_of_pid)
		child.keep = opt.resolver.paths.root;
	struct rewrite rewrite = {.m = &m, .resolver = &resolver, .child = &child};
	if (rewrite_run(&rewrite, learn_release, &kernel))
		pl_fail(&m, &rewrite.err);
	rewrite_free(&rewrite);
	pl_child_end(&child);
	resolver_end(&resolver);
	kernel_close(&kernel);
	pl_roots_free(&roots);
	paths_close(&opt.resolver.paths);
	pl_buf_free(&cache);
	return pl_finish(&m, PL_EXIT_DONE);
}
