/* folder_kit: a test's own folder, in which it works, and which is gone when it ends */
#ifndef FOLDER_KIT_H
#define FOLDER_KIT_H

#include "unit.h"
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder_path[] = "/tmp/perflens-test-XXXXXX"; /* absolute, without links */

static inline bool folder_start(void)
{
	return mkdtemp(folder_path) && chdir(folder_path) == 0;
}

static inline int folder_remove(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

static inline void folder_end(void)
{
	if (chdir("/") == 0)
		nftw(folder_path, folder_remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* Writes a file; its folders are made. */
static inline void folder_write(const char *path, const void *p, size_t n)
{
	char folder[512];
	FILE *f;

	for (const char *slash = path; (slash = strchr(slash + 1, '/'));) {
		snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
		mkdir(folder, 0700);
	}
	f = fopen(path, "wb");
	if (CHECK(f != NULL)) {
		CHECK(fwrite(p, 1, n, f) == n);
		fclose(f);
	}
}

#endif
