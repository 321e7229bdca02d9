/* fetch: debuginfod-find, one build ID at a time */
#include "fetch.h"
#include "elf.h"
#include "mem.h"
#include "proc.h"
#include "text.h"

#include <stdlib.h>
#include <unistd.h>

enum { PATH_BYTES = 8 << 10, ID_LEAST = 2 * 8 /* digits: linkers make 8, 16 or 20 bytes */ };

static const char *const allowed[] = {"/usr/bin/debuginfod-find", "/usr/local/bin/debuginfod-find"};
/* What the client goes by; its proxies are libcurl's. */
static const char *const passed[] = {
	"DEBUGINFOD_URLS", "DEBUGINFOD_TIMEOUT", "DEBUGINFOD_CACHE_PATH", "HOME",
	"XDG_CACHE_HOME",  "http_proxy",	 "https_proxy",		  "no_proxy"};

static const char *find_tool(void)
{
	for (size_t i = 0; i < PL_COUNT(allowed); i++)
		if (access(allowed[i], X_OK) == 0)
			return allowed[i];
	return NULL;
}

/* Of the child: the words of the client's environment, ended by NULL. */
static void make_environment(struct pl_buf *texts, const char **env)
{
	size_t n = 0, at[PL_COUNT(passed)];

	for (size_t i = 0; i < PL_COUNT(passed); i++) {
		const char *value = getenv(passed[i]);
		if (!value)
			continue;
		at[n++] = texts->n;
		pl_buf_printf(texts, "%s=%s", passed[i], value);
		pl_buf_add(texts, "", 1);
	}
	for (size_t i = 0; i < n; i++)
		env[i] = texts->p + at[i];
	env[n++] = "LANG=C";
	env[n++] = "LC_ALL=C";
	env[n++] = "PATH=/usr/bin:/bin";
	env[n] = NULL;
}

/* A question is "WHAT BUILDID"; the answer is the path of the file, or nothing. */
static void work(void *context, struct pl_str question, struct pl_buf *answer)
{
	const struct fetch *f = context;
	const char *blank = memchr(question.p, ' ', question.n);
	const char *env[PL_COUNT(passed) + 4];
	struct pl_buf texts = {0}, words = {0};
	struct pl_err err;

	if (!blank)
		return;
	pl_buf_adds(&words, question);
	size_t first = (size_t)(blank - question.p);
	words.p[first] = '\0';
	const char *tool = find_tool();
	const char *argv[] = {"debuginfod-find", words.p, words.p + first + 1, NULL};
	struct pl_stage stage = {.name = argv[0], .path = tool, .argv = argv, .env = env};
	make_environment(&texts, env);
	if (!tool || pl_proc_capture(&stage, 1, -1, answer, PATH_BYTES, f->seconds, &err) ||
	    stage.status)
		pl_buf_clear(answer);
	pl_buf_free(&stage.err_text);
	pl_buf_free(&texts);
	pl_buf_free(&words);
}

/* Where debuginfod_find_debuginfo(3) keeps what it got. */
static void find_cache(struct pl_buf *cache)
{
	const char *own = getenv("DEBUGINFOD_CACHE_PATH"), *xdg = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	if (own && *own)
		pl_buf_addz(cache, own);
	else if (xdg && *xdg)
		pl_buf_printf(cache, "%s/debuginfod_client", xdg);
	else
		pl_buf_printf(cache, "%s/.cache/debuginfod_client", home ? home : "");
}

int fetch_start(struct fetch *f, struct pl_main *m, struct pl_err *err)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	if (!urls || !*urls) {
		pl_err_set(err, PL_E_INVALID_INPUT, _("--debuginfod: DEBUGINFOD_URLS is not set"));
		return pl_err_action(err, _("set it to the servers that may be asked"));
	}
	if (!find_tool()) {
		pl_err_set(err, PL_E_EXTERNAL_TOOL_FAILED,
			   _("--debuginfod: there is no debuginfod-find"));
		return pl_err_action(err, _("install debuginfod, which has it"));
	}
	*f = (struct fetch){.on = true, .m = m, .seconds = m->limits.v[PL_LIMIT_TIMEOUT_SECONDS]};
	find_cache(&f->cache);
	pl_child_init(&f->child, work, f, (struct pl_child_caps){0});
	if (pl_child_start(&f->child) == 0)
		return 0;
	return pl_err_set(err, PL_E_INTERNAL_ERROR, _("no process can be made"));
}

bool fetch_get(struct fetch *f, const char *what, struct pl_str build_id)
{
	struct pl_buf question = {0};
	struct pl_elf_build_id id;

	/* the client would take another text for an option, or for the path of a file */
	if (!pl_elf_build_id_read(&id, build_id) || build_id.n < ID_LEAST) {
		pl_note(f->m, _("debuginfod is not asked for %.*s: no build ID"), (int)build_id.n,
			build_id.p);
		return false;
	}
	pl_note(f->m, _("asking debuginfod for the %s of %s"), what, id.hex);
	pl_buf_printf(&question, "%s %s", what, id.hex);
	/* one that died could not be started again: that would be in the sandbox */
	if (!pl_child_runs(&f->child) ||
	    pl_child_ask(&f->child, pl_buf_str(&question), &f->answer) != PL_CHILD_ANSWERED)
		pl_buf_clear(&f->answer);
	pl_buf_free(&question);
	if (f->answer.n)
		return true;
	pl_note(f->m, _("debuginfod does not have it, or did not answer in time"));
	return false;
}

void fetch_end(struct fetch *f)
{
	if (!f->on)
		return;
	pl_child_end(&f->child);
	pl_buf_free(&f->cache);
	pl_buf_free(&f->answer);
}
