/* asker: asks until there is an answer */
#include "asker.h"
#include "text.h"

void asker_start(struct asker *a, struct pl_main *m, const struct resolver_options *options,
		 struct kernel *kernel, uint64_t memory)
{
	const struct pl_child_caps caps = {
		.seconds = m->limits.v[PL_LIMIT_TIMEOUT_SECONDS],
		.memory = memory,
		.keep = {pl_paths_descriptor(&options->paths), options->file.fd}};

	*a = (struct asker){.m = m};
	pl_child_init(&a->child, resolver_work, &a->resolver, caps);
	resolver_start(&a->resolver, options, kernel, &a->child);
}

void asker_end(struct asker *a)
{
	pl_child_end(&a->child);
	resolver_end(&a->resolver);
	pl_buf_free(&a->questions);
	pl_buf_free(&a->answers);
	pl_buf_free(&a->known);
	pl_buf_free(&a->asked);
}

static void note_death(const struct asker *a, enum pl_child_status status)
{
	const char *why = status == PL_CHILD_LATE   ? _("took longer than --timeout-seconds")
			  : status == PL_CHILD_NONE ? _("needs a process that cannot be made")
						    : _("crashed");

	pl_note(a->m, _("reading symbols %s: it goes on without them"), why);
}

struct pl_reader asker_ask(struct asker *a)
{
	enum pl_child_status status = PL_CHILD_CRASHED;

	while (status != PL_CHILD_ANSWERED && !a->hopeless) {
		pl_buf_clear(&a->asked);
		/* a new child has to learn what the one before it knew */
		if (!pl_child_runs(&a->child))
			pl_buf_adds(&a->asked, pl_buf_str(&a->known));
		pl_buf_adds(&a->asked, pl_buf_str(&a->questions));
		status = pl_child_ask(&a->child, pl_buf_str(&a->asked), &a->answers);
		if (status == PL_CHILD_ANSWERED)
			continue;
		note_death(a, status);
		a->hopeless = !resolver_died(&a->resolver, pl_child_was_at(&a->child),
					     status == PL_CHILD_LATE);
	}
	if (a->hopeless)
		pl_buf_clear(&a->answers);
	pl_buf_clear(&a->questions);
	struct pl_str answers = pl_buf_str(&a->answers);
	return pl_reader((struct pl_bytes){(const unsigned char *)answers.p, answers.n});
}

/* Asks for one module, before anything else; what it lacks and debuginfod has is then there for the
 * next child. */
static void fetch_missing(struct asker *a, struct question *module)
{
	struct pl_buf others = a->questions;
	struct answer answer;

	/* an executable may be stripped, too: then its debug information is the next to be got */
	for (int i = 0; i < 2; i++) {
		a->questions = (struct pl_buf){0};
		module->kind = QUESTION_MODULE;
		question_put(&a->questions, module);
		struct pl_reader answers = asker_ask(a);
		bool got = answer_take_module(&answers, &answer) && answer.lacks.p &&
			   module->build_id.p &&
			   fetch_get(a->fetch,
				     pl_str_is(answer.lacks, "executable") ? "executable"
									   : "debuginfo",
				     module->build_id);
		pl_buf_free(&a->questions);
		if (!got)
			break;
		pl_child_end(&a->child);
	}
	a->questions = others;
}

void asker_module(struct asker *a, struct question *module)
{
	if (a->fetch)
		fetch_missing(a, module);
	module->kind = QUESTION_MODULE;
	question_put(&a->questions, module);
	module->kind = QUESTION_KNOWN;
	question_put(&a->known, module);
}
