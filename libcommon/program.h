/*
 * program: the frame of every main(): start, open, fail, finish. The one module whose functions
 * exit.
 *
 *     static const struct pl_program program = {...};
 *     int main(int argc, char **argv)
 *     {
 *             struct pl_main m;
 *             pl_start(&m, &program, argc, argv);      // --help, --version, bad options end here
 *             pl_open(&m);                             // inputs and output open, then the sandbox
 *             …work on m.in and m.out; on failure pl_fail(&m, &err)
 *             return pl_finish(&m, PL_EXIT_DONE);      // output closed and checked
 *     }
 */
#ifndef PL_PROGRAM_H
#define PL_PROGRAM_H

#include "args.h"
#include "in.h"
#include "out.h"
#include "sandbox.h"

enum {
	PL_PROGRAM_INPUT = 1,  /* reads FILE…, --input FILE, stdin */
	PL_PROGRAM_OUTPUT = 2, /* writes stdout or --output FILE */
	PL_PROGRAM_STREAMS =
		4, /* its inputs are our own streams: raw lines up to PL_STREAM_LINE_MAX */
	PL_PROGRAM_ONE_INPUT = 8,  /* at most one operand */
	PL_PROGRAM_EXEC = 16,	   /* starts programs */
	PL_PROGRAM_ARTIFACTS = 32, /* its streams carry digests: has --unsealed */
	PL_PROGRAM_BINARY = 64,	   /* its inputs are foreign, and no text */
	PL_PROGRAM_CHILDREN = 128  /* works on hostile bytes in children (child.h) */
};

struct pl_program {
	const char *name;	      /* "pl-aggregate" */
	const char *summary;	      /* N_(), one line */
	const char *synopsis;	      /* "[option…] [FILE…]" */
	const struct pl_opt *options; /* ended by an entry without name; may be NULL */
	unsigned limits;	      /* PL_LIMIT_BIT() of those it obeys */
	unsigned flags;
};

struct pl_main {
	const struct pl_program *program;
	struct pl_args args;
	struct pl_limits limits;
	const char *output;
	/* Folders and files below which more may be read than the inputs: set between pl_start()
	 * and pl_open(). */
	const char *const *roots;
	size_t roots_n;
	/* The one input of a program that has no FILE but opens its file by rules of its own: set
	 * between pl_start() and pl_open(), which takes the descriptor. No name: there is none. */
	struct pl_main_file {
		int fd;
		const char *name; /* what messages call it */
	} file;
	/* Inputs that the program opened by itself between pl_start() and pl_open(), or NULL: the
	 * output is none of them either. */
	const struct pl_in *beside;
	bool json_errors, quiet, verbose, force_progress, no_digest, unsealed;
	struct pl_in in;
	struct pl_out out;
	struct pl_progress progress;
};

void pl_start(struct pl_main *m, const struct pl_program *program, int argc, char **argv);
/* Opens inputs (with digest unless --no-digest, which only programs that read foreign bytes have)
 * and output, enters the sandbox. Exits on failure. */
void pl_open(struct pl_main *m);
/* Prints the error (text, or JSON with --json-errors or PERFLENS_JSON_ERRORS=1), discards the
 * output, exits. */
_Noreturn void pl_fail(struct pl_main *m, const struct pl_err *err);
/* A note on stderr, "PROGRAM: text"; not with --quiet. */
void pl_note(const struct pl_main *m, const char *fmt, ...) PL_PRINTF(2, 3);
/* Closes and checks the output; the exit status to return from main. */
int pl_finish(struct pl_main *m, enum pl_exit status);
/* A path below the data folder: PERFLENS_DATADIR, or ../share/perflens beside the binary, or the
 * source tree. */
const char *pl_data_path(struct pl_buf *buf, const char *name);

#endif
