/* describe: what a recording says of the machine, the command and the time that it is of */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include "recording.h"

/* Members of the input in the stream's header: host, command, sampled. */
void describe_recording(struct pl_jsonw *w, const void *recording);
/* Gives the events that have no name yet one: from the recording's own tracing data, or made of
 * their numbers. All names are in `names` then, and valid UTF-8. */
void describe_events(struct recording *r, struct pl_intern *names);

#endif
