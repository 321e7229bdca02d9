/*
 * tool: the one program that may be started: which perf that is, and that it stays what it was.
 *
 * Without a path from the user it is the first that exists of /usr/bin/perf and
 * /usr/local/bin/perf. With one: absolute; what it leads to is called perf or perf_SOMETHING, is a
 * regular file that may be executed, belongs to root or to the user, and nobody else can write to
 * it.
 */
#ifndef PERF_SCRIPT_TOOL_H
#define PERF_SCRIPT_TOOL_H

#include "hash.h"
#include "proc.h"

#include <sys/stat.h>

struct tool {
	char *path;	       /* absolute, symlinks followed */
	struct pl_buf version; /* what it says of itself: "perf version 6.1.187" */
	struct stat st;	       /* when it was found */
	char sha256[PL_SHA256_HEX + 1];
};

/* The environment that it is given, all of it. */
extern const char *const tool_environment[];

/* Finds and checks it (given may be NULL), hashes it, asks for its version. 0 or -1. */
int tool_find(struct tool *tool, const char *given, struct pl_err *err);
/* Is it still the same file with the same content? 0, or -1 (PATH_SAFETY_VIOLATION). */
int tool_check(const struct tool *tool, struct pl_err *err);
void tool_free(struct tool *tool);

#endif
