/* reason: codes and cures */
#include "reason.h"

static const struct {
	const char *reason, *fix; /* NULL: depends on what is unresolved, or nothing is known */
} fixes[] = {
	{"DEBUG_COMPRESSION", NULL},
	{"DEBUG_DAMAGED", "get the file again, or build it again"},
	{"DEBUG_LIMIT", NULL},
	{"DEBUG_RELOCATABLE", NULL},
	{"FILE_NOT_REGULAR", NULL},
	{"FILE_TOO_LARGE", NULL},
	{"JIT_MAP_UNREADABLE", "read it as the user who ran the program"},
	{"NOT_ELF", NULL},
	{"NO_FILE", NULL},
	{"SYMBOLS_STRIPPED", NULL},
	{"SYMBOLS_LIMIT", NULL},
	{"BUILD_ID_MISMATCH",
	 "get the file that ran, by its build ID: keep it with the recording, or install that "
	 "version"},
	{"BUILD_ID_UNKNOWN",
	 "record with perf record --buildid-all or --buildid-mmap, or trust the files at their "
	 "paths with --trust-paths"},
	{"DEBUG_ZSTD", "pack its debug sections with zlib: objcopy --compress-debug-sections=zlib"},
	{"DWO_MISSING", "keep its .dwo files where they were built"},
	{"DWP_UNSUPPORTED", "keep its .dwo files where they were built: packages of them (.dwp) "
			    "cannot be read"},
	{"DWZ_MISSING", "install the file that its debug information refers to (.dwz)"},
	{"FILE_MISSING",
	 "get the file that ran, by its build ID, and name its place with --sysroot "
	 "or --path-map"},
	{"FILE_UNREADABLE", "read it as a user who may, or name its folder with --roots"},
	{"JIT_MAP_MISSING", "run the program with a perf map (/tmp/perf-PID.map) and keep it with "
			    "the recording: --jit-dir"},
	{"JIT_MAP_NOT_OURS",
	 "read it as the user who ran the program, or copy the map and name its "
	 "folder with --jit-dir"},
	{"KALLSYMS_RESTRICTED", "read as root, or with kernel.kptr_restrict=0, or with a copy of "
				"/proc/kallsyms: --kallsyms"},
	{"NO_DEBUG_INFO", "build it with -g, or install its debug symbols, with the same build ID"},
	{"NO_SYMBOLS", "install the debug symbols of this file, with the same build ID, or get "
		       "them with --debuginfod"},
	{"SYMBOLS_CRASHED", "the file is damaged, or the libraries that read it are at fault: try "
			    "another version of elfutils"},
	{"SYMBOLS_TIMEOUT", "give it more time with --timeout-seconds"},
};

const char *pl_reason_fix(struct pl_str reason)
{
	for (size_t i = 0; i < PL_COUNT(fixes); i++)
		if (pl_str_is(reason, fixes[i].reason))
			return fixes[i].fix;
	return NULL;
}
