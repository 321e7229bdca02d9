/*
 * fetch: files by build ID from debuginfod servers (debuginfod-find(1)), for those who asked for it
 * with --debuginfod and named servers in DEBUGINFOD_URLS. Never else.
 *
 * A child that is forked before the sandbox starts the one program that may be started; it knows
 * build IDs and nothing else, and its files lie in the client's cache, where binary.h looks.
 */
#ifndef FETCH_H
#define FETCH_H

#include "child.h"
#include "program.h"

struct fetch {
	bool on;
	struct pl_buf cache; /* the client's cache: FOLDER/BUILDID/debuginfo */
	/* private */
	struct pl_main *m;
	struct pl_child child;
	uint64_t seconds;
	struct pl_buf answer;
};

/* Before pl_open(). 0, or -1: there are no servers, or no client. */
int fetch_start(struct fetch *f, struct pl_main *m, struct pl_err *err);
/* Gets "debuginfo" or "executable" of a build ID, any text, into the cache; says on stderr what it
 * does. true: it is there now. */
bool fetch_get(struct fetch *f, const char *what, struct pl_str build_id);
void fetch_end(struct fetch *f);

#endif
