/* pl-classify: sort the hotspots of an analysis into categories, and say what may be said of them
 */
#include "classify/write.h"
#include "text.h"

#include <sys/stat.h>
#include <unistd.h>

static struct pl_list rule_paths;
static bool default_rules = true;

static const struct pl_opt options[] = {
	{.name = "analysis",
	 .kind = PL_OPT_ALIAS,
	 .argument = "FILE",
	 .help = N_("another name of --input")},
	{.name = "rules",
	 .kind = PL_OPT_LIST,
	 .value = &rule_paths,
	 .argument = "FILE",
	 .help = N_("use the rules in FILE, too; may be repeated")},
	{.name = "no-default-rules",
	 .kind = PL_OPT_NOFLAG,
	 .value = &default_rules,
	 .help = N_("use no other rules than those given with --rules")},
	{0},
};

static const struct pl_program program = {
	.name = "pl-classify",
	.summary = N_("Sort the hotspots of an analysis into categories, with evidence for and "
		      "against"),
	.synopsis = "[option...] [FILE]",
	.options = options,
	.limits = PL_LIMIT_BIT(PL_LIMIT_OUTPUT_BYTES),
	.flags = PL_PROGRAM_INPUT | PL_PROGRAM_OUTPUT | PL_PROGRAM_STREAMS | PL_PROGRAM_ONE_INPUT |
		 PL_PROGRAM_ARTIFACTS,
};

/* A file of rules must survive. */
static int check_output(const struct pl_main *m, struct pl_err *err)
{
	struct stat out, st;

	if (!m->output || stat(m->output, &out) || !S_ISREG(out.st_mode))
		return 0;
	for (size_t i = 0; i < rule_paths.n; i++) {
		if (stat(rule_paths.v[i], &st) || st.st_dev != out.st_dev ||
		    st.st_ino != out.st_ino)
			continue;
		pl_err_set(err, PL_E_PATH_SAFETY_VIOLATION, _("is also a file of rules: %s"),
			   rule_paths.v[i]);
		pl_err_action(err, _("write to another file"));
		return pl_err_at(err, m->output, 0);
	}
	return 0;
}

/* Installed, the rules are share/perflens/rules; in the source tree, filters/rules. */
static int read_default_rules(struct rules *rules, struct pl_err *err)
{
	struct pl_buf path = {0};
	const char *folder = pl_data_path(&path, "rules");

	if (!folder || access(folder, R_OK))
		folder = pl_data_path(&path, "filters/rules");
	if (!folder || access(folder, R_OK))
		folder = pl_data_path(&path, "rules"); /* what is missed is that one */
	int got = rules_read_folder(rules, folder ? folder : "rules", err);
	pl_buf_free(&path);
	return got;
}

/* Before the sandbox: nothing can be opened in it. */
static int read_rules(struct rules *rules, struct pl_err *err)
{
	rules_init(rules);
	if (default_rules && read_default_rules(rules, err))
		return -1;
	for (size_t i = 0; i < rule_paths.n; i++)
		if (rules_read_file(rules, rule_paths.v[i], err))
			return -1;
	rules_end(rules);
	return 0;
}

static void write_diagnosis(struct pl_main *m, const struct pl_analysis *a,
			    const struct rules *rules, const struct profile *p)
{
	struct writer w = {.w = {.buf = &m->out.buf}};

	write_header(&w, m, &a->s, rules);
	for (size_t i = 0; i < p->n; i++) {
		write_event(&w, &p->events[i]);
		write_categories(&w, &p->events[i]);
		write_candidates(&w, &p->events[i]);
		write_gaps(&w, p, &p->events[i]);
	}
	write_end(&w);
}

int main(int argc, char **argv)
{
	struct pl_main m;
	struct pl_analysis a;
	struct rules rules;
	struct match match;
	struct profile p;
	struct pl_err err;

	pl_start(&m, &program, argc, argv);
	if (check_output(&m, &err) || read_rules(&rules, &err))
		pl_fail(&m, &err);
	pl_open(&m);
	pl_out_hold(&m.out, m.limits.v[PL_LIMIT_OUTPUT_BYTES]);
	if (pl_in_next(&m.in) < 0)
		pl_fail(&m, &m.in.err);
	if (pl_analysis_open(&a, &m.in, m.unsealed))
		pl_fail(&m, &a.s.err);
	match_init(&match, &rules);
	if (profile_read(&p, &match, &a))
		pl_fail(&m, &a.s.err);
	if (!p.by_symbol)
		pl_note(&m, _("nothing is classified: the rows of this analysis are no functions"));
	write_diagnosis(&m, &a, &rules, &p);
	profile_free(&p);
	match_free(&match);
	rules_free(&rules);
	pl_analysis_close(&a);
	return pl_finish(&m, PL_EXIT_DONE);
}
