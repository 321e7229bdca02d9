/* source: are the given sources the bytes that were analysed? */
#include "verify.h"

const struct source *source_find(const struct sources *sources, struct pl_str sha256)
{
	for (size_t i = 0; i < sources->n; i++)
		if (pl_str_is(sha256, sources->v[i].sha256) ||
		    (sources->v[i].packed_sha256[0] &&
		     pl_str_is(sha256, sources->v[i].packed_sha256)))
			return &sources->v[i];
	return NULL;
}

/* Is there a foreign input that these bytes are? */
static bool is_input(const struct source *source, const struct foreign_list *inputs)
{
	const struct sources one = {(struct source *)source, 1};

	for (size_t i = 0; i < inputs->n; i++)
		if (inputs->v[i].sha256.p && source_find(&one, inputs->v[i].sha256))
			return true;
	return false;
}

static void check_inputs(const struct sources *sources, const struct foreign_list *inputs,
			 struct pl_verdict *v)
{
	/* a wrong source first: that is a failure, a missing one is not */
	for (size_t i = 0; i < sources->n; i++)
		if (!is_input(&sources->v[i], inputs))
			pl_verdict_fail(v, "source %zu is none of the inputs: its digest is %s",
					i + 1, sources->v[i].sha256);
	for (size_t i = 0; i < inputs->n; i++) {
		if (!inputs->v[i].sha256.p)
			pl_verdict_skip(v, "no digest of input %zu was recorded", i);
		else if (!source_find(sources, inputs->v[i].sha256))
			pl_verdict_skip(
				v, "no source is given for input %zu: name it with --source", i);
	}
}

void check_source_digest(const struct artifact *a, const struct sources *sources,
			 struct pl_verdict *v)
{
	struct foreign_list inputs = {0};

	if (sources->n == 0) {
		pl_verdict_skip(v, "no source is given: name each input with --source");
		return;
	}
	if (!a->has_header) {
		pl_verdict_skip(v, "the artifact could not be read: %s", a->problem);
		return;
	}
	header_foreign(a, &inputs);
	if (inputs.n == 0)
		pl_verdict_skip(v, "the artifact names no input");
	else
		check_inputs(sources, &inputs, v);
	free(inputs.v);
}
