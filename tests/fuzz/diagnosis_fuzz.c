/* diagnosis_fuzz: a diagnosis may be anything; what is accepted has its rows in order */
#include "diagnosis.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool ok)
{
	if (!ok)
		abort();
}

static void check_candidate(const struct pl_diagnosis *d)
{
	const struct pl_diagnosis_candidate *c = &d->candidate;
	const struct pl_json_tok *tape = d->s.json.tape;

	expect(c->id.p && c->observation.p && pl_str_eq(c->event, d->event.label));
	for (uint32_t t = c->supporting + 1; t < tape[c->supporting].next; t = tape[t].next) {
		struct pl_diagnosis_evidence e = pl_diagnosis_evidence(d, t);
		expect(e.kind.p || e.kind.n == 0);
	}
}

static void read_diagnosis(struct pl_in *in)
{
	struct pl_diagnosis d;
	enum pl_diagnosis_kind kind = PL_DIAGNOSIS_ERROR;

	/* unsealed: else only the digest would be tried */
	if (pl_diagnosis_open(&d, in, true) == 0)
		while ((kind = pl_diagnosis_next(&d)) > PL_DIAGNOSIS_DONE)
			if (kind == PL_DIAGNOSIS_CANDIDATE)
				check_candidate(&d);
	expect(kind == PL_DIAGNOSIS_DONE || d.s.err.code != PL_E_NONE);
	pl_diagnosis_close(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct pl_in_options options = {.max_line = 1 << 20};
	char path[64];
	const char *paths[] = {path};
	struct pl_in in;
	int fd = memfd_create("diagnosis", 0);

	expect(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (pl_in_open(&in, paths, 1, &options) == 0 && pl_in_next(&in) == 1)
		read_diagnosis(&in);
	pl_in_close(&in);
	close(fd);
	return 0;
}
