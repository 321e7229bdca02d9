/*
 * rules: what is looked for: the rules of all files, and their patterns in one automaton for names
 * and one for DSOs.
 */
#ifndef CLASSIFY_RULES_H
#define CLASSIFY_RULES_H

#include "err.h"
#include "globs.h"
#include "hash.h"
#include "names.h"

/* What rule files may hold. */
enum {
	RULES_FILE_BYTES = 1 << 20,
	RULES_FILES = 256,
	RULES_MAX = 4096,
	RULES_LIST = 1024, /* elements of one list */
	RULES_TEXT = 2048  /* bytes of a text */
};

struct rule_patterns {
	uint32_t *v; /* ids in the automaton */
	size_t n;
};

struct rule_texts {
	struct pl_str *v;
	size_t n;
};

enum rule_kind {
	KIND_USER = 1,
	KIND_KERNEL = 2,
	KIND_JIT = 4,
	KIND_VDSO = 8,
	KIND_GUEST = 16,
	KIND_DELETED = 32
};

struct rule {
	struct pl_str id, observation;
	uint64_t version, priority;
	unsigned category;
	bool medium; /* the most its candidates can reach, else low */
	struct rule_patterns symbols, not_symbols, dsos, not_dsos;
	unsigned kinds; /* 0: any */
	bool has_context, required;
	struct rule_patterns callers, under;
	uint64_t share_pct; /* this and the thresholds: millionths of a percent */
	bool has_self_pct, has_inclusive_pct;
	uint64_t self_pct, inclusive_pct;
	struct rule_texts missing, next, forbidden;
};

struct rule_file {
	struct pl_str name; /* base name */
	char sha256[PL_SHA256_HEX + 1];
	size_t rules;
};

struct rules {
	struct rule *v;
	size_t n, cap;
	struct rule_file *files; /* in the order read */
	size_t files_n, files_cap;
	struct globs symbols, dsos;
	struct rule_patterns *by_symbol; /* by pattern of `symbols`: the rules that look for it */
	/* private */
	struct pl_intern ids;
	struct pl_arena arena;
	struct names names;
};

void rules_init(struct rules *r);
void rules_free(struct rules *r);
/* Reads a file of rules. 0, or -1 with *err, which names the file and the rule. */
int rules_read_file(struct rules *r, const char *path, struct pl_err *err);
/* All files *.json of a folder, in byte order of their names. */
int rules_read_folder(struct rules *r, const char *path, struct pl_err *err);
/* After the last file: fills by_symbol. */
void rules_end(struct rules *r);

/* rulefile.c: adds the rules of a file's text. NULL, or what is wrong (in `message`, with the
 * rule's id where one is concerned). */
const char *rulefile_add(struct rules *r, struct pl_str text, char message[512]);

#endif
