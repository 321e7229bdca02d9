/*
 * temp: a file that is written without a name, and then takes the place of another at once.
 *
 * Where the file system has no unnamed files (O_TMPFILE) it has a temporary name beside its target,
 * which the signals that end a process (SIGINT, SIGTERM, SIGHUP, SIGQUIT, …) remove before they end
 * the process: of one file at a time, a second one is removed by pl_temp_discard() only. All
 * failures: -1 and errno.
 */
#ifndef PL_TEMP_H
#define PL_TEMP_H

#include "base.h"
#include <linux/limits.h>
#include <sys/types.h>

struct pl_temp {
	int folder;		 /* borrowed */
	int fd;			 /* to write to, or -1 */
	char name[NAME_MAX + 1]; /* its temporary name in the folder, "" when it has none */
};

/* A file, readable by its owner only, that may become `target`, a name in the folder. */
int pl_temp_open(struct pl_temp *t, int folder, const char *target);
/*
 * Syncs it, gives it its mode and the target's name, syncs the folder. Opens nothing. After a
 * failure the old target is there, but for one of the last sync.
 */
int pl_temp_publish(struct pl_temp *t, const char *target, mode_t mode);
/* Nothing of it is left. Safe at any time after open, also when open failed. */
void pl_temp_discard(struct pl_temp *t);

#endif
