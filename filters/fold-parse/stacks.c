/* stacks: text of a frame -> its identity -> its number */
#include "stacks.h"
#include "mem.h"
#include "samplesw.h"

void stacks_start(struct stacks *s, uint64_t max_depth, bool keep_annotations, bool dso_from_frame)
{
	memset(s, 0, sizeof *s);
	s->max_depth = max_depth;
	s->keep_annotations = keep_annotations;
	s->dso_from_frame = dso_from_frame;
	pl_intern_init(&s->texts);
	pl_intern_init(&s->frames);
	pl_intern_init(&s->modules);
}

void stacks_free(struct stacks *s)
{
	pl_intern_free(&s->texts);
	pl_intern_free(&s->frames);
	pl_intern_free(&s->modules);
	pl_buf_free(&s->key);
	free(s->ids);
	free(s->frame_of_text);
	free(s->texts_of_stack);
	free(s->parts);
}

static uint32_t find_module(struct stacks *s, struct pl_str dso, struct pl_buf *out)
{
	if (!dso.p)
		return PL_NO_MODULE;
	uint32_t before = (uint32_t)s->modules.n, id = pl_intern(&s->modules, dso.p, dso.n);
	if (id == before)
		pl_samplesw_module(out, &(struct pl_module){.id = id, .dso = dso});
	return id;
}

static void put_frame(uint32_t id, const struct folded_frame *f, uint32_t module,
		      struct pl_str text, struct pl_buf *out)
{
	struct pl_frame frame = {.id = id,
				 .symbol = f->symbol,
				 .module = module,
				 .kind = pl_str(f->kind),
				 .inlined = f->inlined};

	if (!pl_str_eq(f->symbol, text))
		frame.raw = text;
	pl_samplesw_frame(out, &frame);
}

/* A frame's identity is (symbol, module, kind, inlined); the first spelling met is its raw. */
static uint32_t define_frame(struct stacks *s, struct pl_str text, struct pl_buf *out)
{
	struct folded_frame f = folded_read_frame(text, s->keep_annotations, s->dso_from_frame);
	uint32_t module = find_module(s, f.module, out), before = (uint32_t)s->frames.n;

	pl_buf_clear(&s->key);
	pl_buf_adds(&s->key, f.symbol);
	pl_buf_add(&s->key, &module, sizeof module);
	pl_buf_addc(&s->key, f.kind ? f.kind[0] : '-');
	pl_buf_addc(&s->key, f.inlined ? 'i' : '-');
	uint32_t id = pl_intern(&s->frames, s->key.p, s->key.n);
	if (id == before)
		put_frame(id, &f, module, text, out);
	return id;
}

static uint32_t find_text(struct stacks *s, const struct part *part, struct pl_buf *out)
{
	uint32_t before = (uint32_t)s->texts.n;
	uint32_t id = pl_intern_hashed(&s->texts, part->text.p, part->text.n, part->hash);

	if (id == before) {
		PL_GROW(s->frame_of_text, s->texts.n, s->frame_of_text_cap);
		s->frame_of_text[id] = define_frame(s, part->text, out);
	}
	return id;
}

/* Skips the frames at the root that are, to the letter, those of the stack before: *rest begins
 * after them. */
static size_t skip_shared(const struct stacks *s, struct pl_str *rest)
{
	size_t n = 0;

	for (; n < s->depth; n++) {
		struct pl_str text = pl_intern_str(&s->texts, s->texts_of_stack[n]);
		if (text.n >= rest->n || rest->p[text.n] != ';' ||
		    memcmp(rest->p, text.p, text.n) != 0)
			break;
		rest->p += text.n + 1;
		rest->n -= text.n + 1;
	}
	return n;
}

struct folded_fault stacks_split(struct stacks *s, struct pl_str stack)
{
	size_t depth = s->shared = skip_shared(s, &stack);

	s->depth = 0; /* a faulty stack shares nothing with the next */
	for (; stack.p; depth++) {
		struct pl_str frame = folded_next_frame(&stack);
		if (frame.n == 0)
			return (struct folded_fault){"EMPTY_FRAME", "a frame is empty"};
		if (depth >= s->max_depth)
			return (struct folded_fault){"STACK_TOO_DEEP",
						     "the stack is deeper than --max-stack-depth"};
		PL_GROW(s->parts, depth + 1, s->parts_cap);
		s->parts[depth] = (struct part){frame, pl_intern_hash(&s->texts, frame.p, frame.n)};
		pl_intern_prefetch(&s->texts, s->parts[depth].hash);
	}
	s->depth = depth;
	return (struct folded_fault){0};
}

void stacks_define(struct stacks *s, struct pl_buf *out)
{
	PL_GROW(s->ids, s->depth, s->ids_cap);
	PL_GROW(s->texts_of_stack, s->depth, s->texts_of_stack_cap);
	for (size_t i = s->shared; i < s->depth; i++) {
		s->texts_of_stack[i] = find_text(s, &s->parts[i], out);
		s->ids[i] = s->frame_of_text[s->texts_of_stack[i]];
	}
}
