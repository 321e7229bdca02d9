/*
 * replay: the records of a recording in the order of time: mappings, names, forks and exits change
 * what is known of processes; samples become samples of the stream.
 */
#ifndef REPLAY_H
#define REPLAY_H

#include "paths.h"
#include "queue.h"
#include "recording.h"

struct replay_options {
	struct pl_paths paths;
	bool unwind; /* saved user stacks: else only where each sample was */
	bool trust_paths;
	uint64_t memory; /* for unwinding */
};

struct replay {
	const struct replay_options *options;
	struct recording *recording;
	struct pl_parser *parser;
	struct processes processes;
	struct modules modules;
	struct frames frames;
	struct chain chain;
	struct space *kernel;
	struct chain_modules of;
	struct queue queue;
	uint64_t lost_samples;
	bool hidden; /* there are processes outside of perf's PID namespace */
	struct pl_buf text, path;
};

void replay_start(struct replay *r, struct recording *recording, struct pl_parser *parser,
		  const struct replay_options *options);
/* All records. 0, or -1 with the parser's err. */
int replay_run(struct replay *r);
void replay_end(struct replay *r);

#endif
