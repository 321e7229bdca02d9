/* reason: codes and cures */
#include "reason.h"

#define GET_FILE                                                                     \
	"get the file that ran, by its build ID, and name its place with --sysroot " \
	"or --path-map"

static const struct {
	const char *reason, *fix; /* NULL: depends on what is unresolved, or nothing is known */
} fixes[] = {
	{"DEBUG_COMPRESSION", NULL},
	{"DEBUG_DAMAGED", "get the file again, or build it again"},
	{"DEBUG_LIMIT", NULL},
	{"DEBUG_RELOCATABLE", NULL},
	{"FILE_TOO_LARGE", NULL},
	{"JIT_MAP_UNREADABLE", "read it as the user who ran the program"},
	{"NO_FILE", NULL},
	{"SYMBOLS_LIMIT", NULL},
	{"BUILD_ID_MISMATCH",
	 "get the file that ran, by its build ID: keep it with the recording, or install that "
	 "version; for the kernel: a copy of its /proc/kallsyms, --kallsyms"},
	{"BUILD_ID_UNKNOWN",
	 "record with perf record --buildid-all or, with -z or into a pipe, --buildid-mmap (a "
	 "program "
	 "linked without an ID: -Wl,--build-id), or trust the files at their paths with "
	 "--trust-paths; for the kernel: --kallsyms"},
	{"DEBUG_ZSTD", "pack its debug sections with zlib: objcopy --compress-debug-sections=zlib"},
	{"DWO_MISSING", "keep its .dwo files where they were built"},
	{"DWP_UNSUPPORTED", "keep its .dwo files where they were built: packages of them (.dwp) "
			    "cannot be read"},
	{"DWZ_MISSING", "install the file that its debug information refers to (.dwz)"},
	{"FILE_MISSING", GET_FILE},
	{"FILE_NOT_REGULAR", GET_FILE},
	{"NOT_ELF", GET_FILE},
	{"FILE_UNREADABLE", "read it as a user who may, or name its folder with --roots"},
	{PL_REASON_JIT_MAP_INCOMPLETE,
	 "let the program write its perf map to the end, from its start on, and "
	 "keep that one with the recording: --jit-dir"},
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
	{"SYMBOLS_STRIPPED",
	 "install its debug symbols, with the same build ID, and name their place "
	 "with --debug-root, or name an unstripped copy with --path-map"},
	{"SYMBOLS_TIMEOUT", "give it more time with --timeout-seconds"},
};

const char *pl_reason_fix(struct pl_str reason)
{
	for (size_t i = 0; i < PL_COUNT(fixes); i++)
		if (pl_str_is(reason, fixes[i].reason))
			return fixes[i].fix;
	return NULL;
}
