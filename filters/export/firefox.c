/*
 * firefox: the processed profile format of https://profiler.firefox.com, version 48
 * (docs-developer/processed-profile-format.md and CHANGELOG-formats.md of
 * firefox-devtools/profiler; newer versions are made of it when it is loaded).
 *
 * A thread of the profile is a thread of an event. Each has tables of its own, as arrays of
 * columns: stacks are a prefix tree of frames, frames are lines of functions. Times are
 * milliseconds, from the recorded nanoseconds; where there are none, stacks stand one millisecond
 * apart.
 */
#include "export.h"
#include "jsonw.h"
#include "num.h"

#include <inttypes.h>

enum { VERSION = 48, GECKO_VERSION = 27, NO_STACK = UINT32_MAX, NANOSECONDS = 1000000 };

static const struct {
	const char *name, *color, *kind;
} categories[] = {{"Other", "grey", NULL},
		  {"User", "yellow", "user"},
		  {"Kernel", "orange", "kernel"},
		  {"JIT", "green", "jit"}};

/* A row of a thread's samples. */
struct row {
	uint64_t time, weight;
	uint32_t stack, number;
};

struct thread {
	uint32_t event;
	struct pl_str name;
	int64_t pid, tid;
	bool has_pid, has_tid;
	struct row *rows;
	size_t n, cap;
	struct pl_intern stacks;  /* {prefix, frame} */
	struct pl_intern frames;  /* {function, line, category} */
	struct pl_intern funcs;	  /* {name, file, resource} */
	struct pl_intern strings; /* texts */
	struct pl_intern modules; /* their names, as strings: the resources */
	/* The stack before: what the next one shares with it is found at once. */
	struct step {
		uint32_t position, stack;
	} * last;
	size_t last_n, last_cap;
	uint32_t *known; /* by frame of the stacks: its number among frames, plus 1; 0: not met */
	size_t known_cap;
};

struct firefox {
	struct pl_intern ids; /* of threads: event, process, thread */
	struct thread *threads;
	size_t cap;
	struct pl_arena names;
	uint64_t start; /* the earliest time */
	bool timed;
};

struct stack {
	uint32_t prefix, frame;
};
struct frame {
	uint64_t line;
	uint32_t func, category;
};
struct func {
	uint32_t name, file, resource; /* UINT32_MAX: none */
};

/* What is interned as it lies in memory. */
static const void *at(const struct pl_intern *t, uint32_t id)
{
	return pl_intern_str(t, id).p; /* the arena aligns to 8 */
}

static struct thread *thread_of(struct firefox *f, const struct pl_stacks *k)
{
	const struct pl_sample *s = k->sample;
	const struct {
		int64_t event, pid, tid, has;
	} id = {k->event, s && s->has_pid ? s->pid : 0, s && s->has_tid ? s->tid : 0,
		s ? s->has_pid | s->has_tid << 1 : 0};
	if (f->ids.cap == 0)
		pl_intern_init(&f->ids);
	uint32_t known = (uint32_t)f->ids.n, number = pl_intern(&f->ids, &id, sizeof id);

	PL_GROW(f->threads, f->ids.n, f->cap);
	struct thread *t = &f->threads[number];
	if (number < known)
		return t;
	*t = (struct thread){.event = k->event,
			     .pid = id.pid,
			     .tid = id.tid,
			     .has_pid = s && s->has_pid,
			     .has_tid = s && s->has_tid};
	if (s && s->comm.p)
		t->name = (struct pl_str){pl_arena_dup(&f->names, s->comm.p, s->comm.n), s->comm.n};
	struct pl_intern *const tables[] = {&t->stacks, &t->frames, &t->funcs, &t->strings,
					    &t->modules};
	for (size_t i = 0; i < PL_COUNT(tables); i++)
		pl_intern_init(tables[i]);
	return t;
}

static uint32_t string(struct thread *t, struct pl_str s)
{
	return s.p ? pl_intern(&t->strings, s.p, s.n) : UINT32_MAX;
}

static uint32_t category_of(struct pl_str kind)
{
	for (uint32_t i = 1; i < PL_COUNT(categories); i++)
		if (pl_str_is(kind, categories[i].kind))
			return i;
	return 0;
}

static uint32_t add_frame(struct thread *t, const struct pl_stacks_frame *p)
{
	uint32_t module = string(t, p->dso);
	struct func func = {string(t, p->name), string(t, p->file), UINT32_MAX};
	struct frame frame = {.line = p->file.p ? p->line : 0, .category = category_of(p->kind)};

	if (p->dso.p)
		func.resource = pl_intern(&t->modules, &module, sizeof module);
	frame.func = pl_intern(&t->funcs, &func, sizeof func);
	return pl_intern(&t->frames, &frame, sizeof frame);
}

static uint32_t frame_of(struct thread *t, const struct pl_stacks *k, uint32_t frame)
{
	PL_GROW(t->known, k->frames_n, t->known_cap);
	if (t->known[frame] == 0)
		t->known[frame] = add_frame(t, &k->frames[frame]) + 1;
	return t->known[frame] - 1;
}

/* The number of the current stack in the thread's tree. */
static uint32_t stack_of(struct thread *t, const struct pl_stacks *k)
{
	uint32_t prefix = NO_STACK;
	size_t i = 0;

	PL_GROW(t->last, k->depth, t->last_cap);
	for (; i < k->depth && i < t->last_n && t->last[i].position == k->stack[i]; i++)
		prefix = t->last[i].stack;
	for (; i < k->depth; i++) {
		const struct stack stack = {prefix, frame_of(t, k, k->stack[i])};
		prefix = pl_intern(&t->stacks, &stack, sizeof stack);
		t->last[i] = (struct step){k->stack[i], prefix};
	}
	t->last_n = k->depth;
	return prefix;
}

static int take(void *state, const struct pl_stacks *k, struct pl_buf *out, struct pl_err *err)
{
	struct firefox *f = state;
	struct thread *t = thread_of(f, k);
	uint32_t prefix = stack_of(t, k);

	(void)out, (void)err;
	bool timed = k->sample && k->sample->has_time;
	uint64_t time = timed ? k->sample->time : t->n ? t->rows[t->n - 1].time + NANOSECONDS : 0;
	if (timed && (!f->timed || time < f->start))
		f->start = time;
	f->timed |= timed;
	PL_GROW(t->rows, t->n + 1, t->cap);
	t->rows[t->n] = (struct row){time, k->weight, prefix, (uint32_t)t->n};
	t->n++;
	return 0;
}

/* ---- columns ---- */

static void column(struct pl_jsonw *w, const char *name)
{
	pl_jsonw_kbegin(w, name, '[');
}

static void put_id(struct pl_jsonw *w, uint32_t id)
{
	if (id == UINT32_MAX)
		pl_jsonw_null(w);
	else
		pl_jsonw_u64(w, id);
}

/* A column of n times the same. */
static void constant(struct pl_jsonw *w, const char *name, size_t n, const char *value)
{
	column(w, name);
	for (size_t i = 0; i < n; i++)
		pl_jsonw_raw(w, pl_str(value));
	pl_jsonw_end(w, ']');
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Weights of nanoseconds are milliseconds there; the decimals are exact. */
static void put_weights(struct pl_jsonw *w, const struct thread *t, struct pl_str unit)
{
	bool time = pl_str_is(unit, "nanoseconds");

	pl_jsonw_kz(w, "weightType",
		    time		       ? "tracing-ms"
		    : pl_str_is(unit, "bytes") ? "bytes"
					       : "samples");
	column(w, "weight");
	for (size_t i = 0; i < t->n; i++)
		if (time)
			pl_jsonw_micro(w, t->rows[i].weight);
		else
			pl_jsonw_u64(w, t->rows[i].weight);
	pl_jsonw_end(w, ']');
}

static void put_samples(struct pl_jsonw *w, const struct firefox *f, struct thread *t,
			struct pl_str unit)
{
	qsort(t->rows, t->n, sizeof *t->rows, compare_rows);
	pl_jsonw_kbegin(w, "samples", '{');
	pl_jsonw_ku64(w, "length", t->n);
	put_weights(w, t, unit);
	column(w, "stack");
	for (size_t i = 0; i < t->n; i++)
		put_id(w, t->rows[i].stack);
	pl_jsonw_end(w, ']');
	column(w, "time");
	for (size_t i = 0; i < t->n; i++)
		pl_jsonw_micro(w, t->rows[i].time < f->start ? 0 : t->rows[i].time - f->start);
	pl_jsonw_end(w, ']');
	pl_jsonw_end(w, '}');
}

/* A column of what the interned rows have at that offset: a number of another table. */
static void numbers(struct pl_jsonw *w, const char *name, const struct pl_intern *rows,
		    size_t offset)
{
	column(w, name);
	for (uint32_t i = 0; i < rows->n; i++) {
		uint32_t id;
		memcpy(&id, pl_intern_str(rows, i).p + offset, sizeof id);
		put_id(w, id);
	}
	pl_jsonw_end(w, ']');
}

static void put_stacks(struct pl_jsonw *w, const struct thread *t)
{
	size_t n = t->stacks.n;

	pl_jsonw_kbegin(w, "stackTable", '{');
	pl_jsonw_ku64(w, "length", n);
	numbers(w, "frame", &t->stacks, offsetof(struct stack, frame));
	numbers(w, "prefix", &t->stacks, offsetof(struct stack, prefix));
	column(w, "category");
	for (uint32_t i = 0; i < n; i++) {
		uint32_t frame = ((const struct stack *)at(&t->stacks, i))->frame;
		put_id(w, ((const struct frame *)at(&t->frames, frame))->category);
	}
	pl_jsonw_end(w, ']');
	constant(w, "subcategory", n, "0");
	pl_jsonw_end(w, '}');
}

static void put_lines(struct pl_jsonw *w, const struct thread *t)
{
	column(w, "line");
	for (uint32_t i = 0; i < t->frames.n; i++) {
		uint64_t line = ((const struct frame *)at(&t->frames, i))->line;
		if (line)
			pl_jsonw_u64(w, line);
		else
			pl_jsonw_null(w);
	}
	pl_jsonw_end(w, ']');
}

static void put_frames(struct pl_jsonw *w, const struct thread *t)
{
	size_t n = t->frames.n;

	pl_jsonw_kbegin(w, "frameTable", '{');
	pl_jsonw_ku64(w, "length", n);
	constant(w, "address", n, "-1");
	constant(w, "inlineDepth", n, "0");
	numbers(w, "category", &t->frames, offsetof(struct frame, category));
	constant(w, "subcategory", n, "0");
	numbers(w, "func", &t->frames, offsetof(struct frame, func));
	constant(w, "nativeSymbol", n, "null");
	constant(w, "innerWindowID", n, "null");
	constant(w, "implementation", n, "null");
	put_lines(w, t);
	constant(w, "column", n, "null");
	pl_jsonw_end(w, '}');
}

/* -1: the function is of no module that is known. */
static void put_resource_of(struct pl_jsonw *w, const struct thread *t)
{
	column(w, "resource");
	for (uint32_t i = 0; i < t->funcs.n; i++) {
		uint32_t resource = ((const struct func *)at(&t->funcs, i))->resource;
		pl_jsonw_i64(w, resource == UINT32_MAX ? -1 : (int64_t)resource);
	}
	pl_jsonw_end(w, ']');
}

static void put_funcs(struct pl_jsonw *w, const struct thread *t)
{
	size_t n = t->funcs.n;

	pl_jsonw_kbegin(w, "funcTable", '{');
	pl_jsonw_ku64(w, "length", n);
	numbers(w, "name", &t->funcs, offsetof(struct func, name));
	constant(w, "isJS", n, "false");
	constant(w, "relevantForJS", n, "false");
	put_resource_of(w, t);
	numbers(w, "fileName", &t->funcs, offsetof(struct func, file));
	constant(w, "lineNumber", n, "null");
	constant(w, "columnNumber", n, "null");
	pl_jsonw_end(w, '}');
}

/* Modules are resources of the type library, but no libs: nothing there is to be symbolized. */
static void put_resources(struct pl_jsonw *w, const struct thread *t)
{
	size_t n = t->modules.n;

	pl_jsonw_kbegin(w, "resourceTable", '{');
	pl_jsonw_ku64(w, "length", n);
	constant(w, "lib", n, "null");
	numbers(w, "name", &t->modules, 0);
	constant(w, "host", n, "null");
	constant(w, "type", n, "1");
	pl_jsonw_end(w, '}');
}

static void put_empty(struct pl_jsonw *w, const char *table, const char *const *columns)
{
	pl_jsonw_kbegin(w, table, '{');
	pl_jsonw_ku64(w, "length", 0);
	for (; *columns; columns++)
		constant(w, *columns, 0, "");
	pl_jsonw_end(w, '}');
}

static void put_strings(struct pl_jsonw *w, const struct thread *t)
{
	column(w, "stringArray");
	for (uint32_t i = 0; i < t->strings.n; i++)
		pl_jsonw_str(w, pl_intern_str(&t->strings, i));
	pl_jsonw_end(w, ']');
}

static void put_tables(struct pl_jsonw *w, const struct thread *t)
{
	static const char *const markers[] = {"data",  "name",	   "startTime", "endTime",
					      "phase", "category", NULL};
	static const char *const symbols[] = {"libIndex", "address", "name", "functionSize", NULL};

	put_stacks(w, t);
	put_frames(w, t);
	put_funcs(w, t);
	put_resources(w, t);
	put_empty(w, "markers", markers);
	put_empty(w, "nativeSymbols", symbols);
	put_strings(w, t);
}

/* ---- the profile ---- */

/* "worker (cycles)"; numbers of processes are texts there. */
static void put_names(struct pl_jsonw *w, const struct thread *t, const struct pl_stacks *k,
		      uint32_t number)
{
	struct pl_str label = k->events[t->event].label;
	struct pl_buf text = {0};

	if (t->name.p && k->events_n > 1)
		pl_buf_printf(&text, "%.*s (%.*s)", (int)t->name.n, t->name.p, (int)label.n,
			      label.p);
	else
		pl_buf_adds(&text, t->name.p ? t->name : label);
	pl_jsonw_kstr(w, "name", pl_buf_str(&text));
	pl_jsonw_kbool(w, "isMainThread", !t->has_tid || (t->has_pid && t->pid == t->tid));
	pl_jsonw_kstr(w, "processName", t->name.p ? t->name : label);
	pl_buf_clear(&text);
	pl_buf_printf(&text, "%" PRId64, t->has_pid ? t->pid : 0);
	pl_jsonw_kstr(w, "pid", pl_buf_str(&text));
	pl_jsonw_key(w, "tid");
	pl_jsonw_i64(w, t->has_tid ? t->tid : (int64_t)number);
	pl_buf_free(&text);
}

static void put_thread(struct pl_jsonw *w, const struct firefox *f, const struct pl_stacks *k,
		       uint32_t number)
{
	struct thread *t = &f->threads[number];

	pl_jsonw_begin(w, '{');
	pl_jsonw_kz(w, "processType", "default");
	pl_jsonw_ku64(w, "processStartupTime", 0);
	pl_jsonw_knull(w, "processShutdownTime");
	pl_jsonw_ku64(w, "registerTime", 0);
	pl_jsonw_knull(w, "unregisterTime");
	constant(w, "pausedRanges", 0, "");
	put_names(w, t, k, number);
	put_samples(w, f, t, k->events[t->event].unit);
	put_tables(w, t);
	pl_jsonw_end(w, '}');
}

static void put_categories(struct pl_jsonw *w)
{
	column(w, "categories");
	for (size_t i = 0; i < PL_COUNT(categories); i++) {
		pl_jsonw_begin(w, '{');
		pl_jsonw_kz(w, "name", categories[i].name);
		pl_jsonw_kz(w, "color", categories[i].color);
		constant(w, "subcategories", 1, "\"Other\"");
		pl_jsonw_end(w, '}');
	}
	pl_jsonw_end(w, ']');
}

static void put_meta(struct pl_jsonw *w)
{
	pl_jsonw_kbegin(w, "meta", '{');
	pl_jsonw_ku64(w, "interval", 1);
	pl_jsonw_ku64(w, "startTime", 0);
	pl_jsonw_ku64(w, "processType", 0);
	pl_jsonw_kz(w, "product", "perflens " PL_VERSION);
	pl_jsonw_ku64(w, "stackwalk", 1);
	pl_jsonw_ku64(w, "version", GECKO_VERSION);
	pl_jsonw_ku64(w, "preprocessedProfileVersion", VERSION);
	pl_jsonw_kbool(w, "symbolicated", true);
	pl_jsonw_kbool(w, "symbolicationNotSupported", true);
	put_categories(w);
	constant(w, "markerSchema", 0, "");
	pl_jsonw_end(w, '}');
}

static int end(void *state, const struct pl_stacks *k, struct pl_buf *out, struct pl_err *err)
{
	struct firefox *f = state;
	struct pl_jsonw w = {out, false};

	(void)err;
	pl_jsonw_begin(&w, '{');
	put_meta(&w);
	constant(&w, "libs", 0, "");
	column(&w, "threads");
	for (uint32_t i = 0; i < f->ids.n; i++)
		put_thread(&w, f, k, i);
	pl_jsonw_end(&w, ']');
	pl_jsonw_end(&w, '}');
	pl_buf_addc(out, '\n');
	return 0;
}

static void release(void *state)
{
	struct firefox *f = state;

	for (size_t i = 0; i < f->ids.n; i++) {
		struct thread *t = &f->threads[i];
		free(t->rows);
		free(t->known);
		free(t->last);
		pl_intern_free(&t->stacks);
		pl_intern_free(&t->frames);
		pl_intern_free(&t->funcs);
		pl_intern_free(&t->strings);
		pl_intern_free(&t->modules);
	}
	free(f->threads);
	pl_intern_free(&f->ids);
	pl_arena_free(&f->names);
}

const struct exporter firefox_exporter = {
	.name = "firefox",
	.size = sizeof(struct firefox),
	.take = take,
	.end = end,
	.free = release,
};
