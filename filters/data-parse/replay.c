/* replay: what each kind of record does */
#include "replay.h"
#include "event.h"
#include "limits.h"
#include "mem.h"
#include "num.h"
#include "text.h"
#include "utf8.h"

#include <sys/mman.h>
#include <sys/utsname.h>

enum { MAPS_MAX = 8 << 20 };

static void malformed(struct replay *r, const char *code, const char *message)
{
	pl_parser_malformed(r->parser, code, message, PL_S(""));
}

/* ---- mappings ---- */

/* Two files of one path make the path's build ID nobody's, from the start. */
static void note_mappings(struct replay *r)
{
	for (size_t i = 0; i < r->recording->mmaps_n; i++) {
		struct pl_perf_record record;
		struct pl_perf_mmap m;
		if (recording_mmap(r->recording, i, &record) || pl_perf_mmap_read(&m, &record))
			continue;
		r->parser->offset = r->recording->at;
		if (!modules_note_mmap(&r->modules, &m))
			pl_parser_warn(r->parser, "BUILD_ID_AMBIGUOUS",
				       "two files of one path were mapped: their build IDs are not "
				       "told apart",
				       m.file);
	}
}

static void map(struct replay *r, struct space **space, struct space_map map)
{
	while (space_insert(&r->processes.spaces, space, map))
		if (!processes_forget(&r->processes)) {
			malformed(r, "TOO_MANY_MAPS", "a mapping too many: it is left out");
			return;
		}
}

/* The kernel itself covers whatever no module does: its mapping says where it was loaded, and may
 * end before code that runs once ("[kernel.kallsyms]_text"). */
static void map_kernel(struct replay *r, const struct pl_perf_mmap *m)
{
	if (pl_str_starts(m->file, "[kernel.kallsyms]")) {
		r->of.kernel = modules_kernel(&r->modules, m);
		return;
	}
	map(r, &r->kernel,
	    (struct space_map){.start = m->start,
			       .end = m->start + m->length,
			       .pgoff = m->pgoff,
			       .module = modules_of_mmap(&r->modules, m, true),
			       .exec = true});
}

/*
 * A program that moves its code to huge pages maps anonymous memory over its own text, in whole
 * huge pages, and copies the text there (or has it copied before): what runs at these addresses is
 * still the file's. Of the program itself this is certain; where a library was, memory may be
 * anything's once the library is unloaded, which no record tells.
 */
static bool is_moved_text(const struct replay *r, const struct space *space,
			  const struct pl_perf_mmap *m)
{
	enum { HUGE_PAGE = 2 << 20 };
	const struct space_map *map = space_find(space, m->start);

	return m->prot & PROT_EXEC && modules_is_anonymous(m->file) && m->start % HUGE_PAGE == 0 &&
	       m->length % HUGE_PAGE == 0 && map && map->exec && map->end - m->start >= m->length &&
	       map->module == space->program && r->modules.v[map->module].kind == MODULE_USER;
}

/* To a perf in a PID namespace all processes outside have PID 0, which is the idle threads': what
 * is said of a process of this PID is said of any of them. */
static bool is_hidden(struct replay *r, uint32_t pid)
{
	if (pid != 0)
		return false;
	r->hidden = true;
	pl_diag_count(&r->parser->diag, "PID_HIDDEN", 1);
	return true;
}

static void on_mmap(struct replay *r, const struct pl_perf_record *record)
{
	uint16_t mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct pl_perf_mmap m;
	uint64_t end;

	if (pl_perf_mmap_read(&m, record) || m.length == 0 ||
	    __builtin_add_overflow(m.start, m.length, &end)) {
		malformed(r, "RECORD_CUT", "a mapping that cannot be read");
		return;
	}
	if (mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER)
		return;
	if (mode == PERF_RECORD_MISC_KERNEL) {
		map_kernel(r, &m);
		return;
	}
	if (is_hidden(r, m.pid))
		return;
	struct space **space = processes_space(&r->processes, m.pid);
	if (is_moved_text(r, *space, &m)) {
		pl_diag_count(&r->parser->diag, "TEXT_MOVED", 1);
		return;
	}
	uint32_t module = modules_of_mmap(&r->modules, &m, false);
	map(r, space,
	    (struct space_map){.start = m.start,
			       .end = end,
			       .pgoff = m.pgoff,
			       .module = module,
			       .exec = m.prot & PROT_EXEC});
	/* exec(2) maps the program before all else, and so does what perf makes of /proc/PID/maps
	 */
	if ((*space)->program == UINT32_MAX && m.prot & PROT_EXEC)
		(*space)->program = module;
}

/* PERF_RECORD_KSYMBOL: code of a BPF program or trampoline came or went. */
static void on_ksymbol(struct replay *r, const struct pl_perf_record *record)
{
	enum { UNREGISTER = 1 };
	struct pl_reader reader = pl_reader(record->body);
	uint64_t start = pl_take_u64(&reader), end;
	uint32_t length = pl_take_u32(&reader), flags = pl_take_u32(&reader) >> 16;
	struct pl_str name = pl_perf_text((struct pl_bytes){reader.p, pl_left(&reader)});

	if (reader.bad || length == 0 || __builtin_add_overflow(start, length, &end)) {
		malformed(r, "RECORD_CUT", "a kernel symbol that cannot be read");
		return;
	}
	if (!(flags & UNREGISTER))
		map(r, &r->kernel,
		    (struct space_map){
			    .start = start,
			    .end = end,
			    .module = modules_named(&r->modules, name, MODULE_KMOD, start, true),
			    .exec = true});
}

/* ---- processes ---- */

static void on_comm(struct replay *r, const struct pl_perf_record *record)
{
	enum { COMM_MAX = 64 };
	struct pl_reader reader = pl_reader(record->body);
	uint32_t pid = pl_take_u32(&reader), tid = pl_take_u32(&reader);
	struct pl_str comm = pl_perf_text((struct pl_bytes){reader.p, pl_left(&reader)});

	if (reader.bad) {
		malformed(r, "RECORD_CUT", "a name that cannot be read");
		return;
	}
	if (is_hidden(r, pid))
		return;
	/* the kernel's have 15 bytes at most, and each sample repeats its own */
	if (comm.n > COMM_MAX)
		comm.n = COMM_MAX;
	comm = pl_utf8_clean(comm, &r->text, &r->parser->replaced);
	processes_name(&r->processes, pid, tid, comm, record->misc & PERF_RECORD_MISC_COMM_EXEC);
}

static void on_task(struct replay *r, const struct pl_perf_record *record)
{
	struct pl_reader reader = pl_reader(record->body);
	uint32_t pid = pl_take_u32(&reader), parent_pid = pl_take_u32(&reader);
	uint32_t tid = pl_take_u32(&reader), parent_tid = pl_take_u32(&reader);

	if (reader.bad)
		malformed(r, "RECORD_CUT", "a fork or an exit that cannot be read");
	else if (is_hidden(r, pid))
		return;
	else if (record->type == PERF_RECORD_FORK)
		/* perf makes such records of processes that ran before it */
		processes_fork(&r->processes, pid, tid, parent_pid, parent_tid,
			       record->misc & PERF_RECORD_MISC_FORK_EXEC);
	else
		processes_exit(&r->processes, pid, tid);
}

/* ---- losses ---- */

static void put_lost(struct replay *r, uint64_t count)
{
	struct pl_jsonw w = {.buf = &r->parser->m->out.buf};

	pl_jsonw_record(&w, "lost");
	pl_jsonw_ku64(&w, "count", count);
	pl_jsonw_record_end(&w);
	if (!pl_num_add(&r->parser->lost, count))
		r->parser->lost = UINT64_MAX;
}

/* PERF_RECORD_LOST: the kernel had no room for so many records. PERF_RECORD_LOST_SAMPLES: at the
 * end, how many samples each event lost, for that and for other reasons. The same loss stands in
 * both: only what is more than the former is told of the latter. */
static void on_lost(struct replay *r, const struct pl_perf_record *record)
{
	struct pl_reader reader = pl_reader(record->body);
	bool samples = record->type == PERF_RECORD_LOST_SAMPLES;

	if (!samples)
		pl_take_u64(&reader); /* the event's ID */
	uint64_t count = pl_take_u64(&reader);
	if (reader.bad)
		malformed(r, "RECORD_CUT", "a count of lost records that cannot be read");
	else if (!samples)
		put_lost(r, count);
	else if (!pl_num_add(&r->lost_samples, count))
		r->lost_samples = UINT64_MAX;
}

/* ---- samples ---- */

/* A recording that keeps no periods has them when they were fixed. */
static bool has_weight(const struct pl_perf_attr *attr)
{
	return attr->sample_type & PERF_SAMPLE_PERIOD || !pl_perf_attr_flag(attr, PL_PERF_FREQ);
}

static struct pl_str source_of(const struct pl_perf_attr *attr, struct pl_str name)
{
	switch (attr->type) {
	case PERF_TYPE_SOFTWARE:
		return PL_S("software");
	case PERF_TYPE_TRACEPOINT:
		return PL_S("tracepoint");
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
	case PERF_TYPE_RAW:
		return PL_S("hardware");
	default:
		return pl_event_source(name);
	}
}

/* Two events that are the same in all that a stream says are one in it. */
static uint32_t same_event(const struct replay *r, const struct event *event)
{
	for (size_t i = 0; i < r->recording->events.n; i++) {
		const struct event *other = &r->recording->events.v[i];
		if (other->id != UINT32_MAX && other->name.p == event->name.p &&
		    other->attr.type == event->attr.type &&
		    has_weight(&other->attr) == has_weight(&event->attr))
			return other->id;
	}
	return UINT32_MAX;
}

static void start_event(struct replay *r, struct event *event)
{
	event->id = same_event(r, event);
	if (event->id != UINT32_MAX)
		return;
	bool weighs = has_weight(&event->attr);
	struct pl_event record = {
		.name = event->name,
		.unit = weighs ? pl_event_unit(event->name) : PL_S("samples"),
		.weight_source = weighs ? PL_S("period") : PL_S("count"),
		.source = source_of(&event->attr, event->name),
	};
	event->id = pl_parser_event(r->parser, &record);
}

/* Call stacks of the processor's last branch records: the process's part, each entry where a call
 * came from. It replaces what frame pointers said of the callers. */
static bool has_lbr_stack(const struct pl_perf_attr *attr, const struct pl_perf_sample *s)
{
	return attr->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK && s->branches.n > 0;
}

static void add_lbr(struct replay *r, const struct chain_sample *s)
{
	struct pl_reader reader = pl_reader(s->sample->branches);

	while (pl_left(&reader) > 0) {
		uint64_t from = pl_take_u64(&reader);
		pl_take_u64(&reader); /* to */
		pl_take_u64(&reader); /* flags */
		chain_add_user(&r->chain, &r->frames, &r->of, s, from, false);
	}
}

/* Is the sample one of a process that is_hidden() is about? The idle threads have no part that is a
 * process's; of their samples there is no telling once there are hidden ones. */
static bool is_of_hidden(struct replay *r, const struct chain_sample *s)
{
	if (s->sample->pid != 0)
		return false;
	if (r->chain.users > 0 ||
	    (s->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER)
		return is_hidden(r, 0);
	return r->hidden;
}

static int on_sample(struct replay *r, struct event *event, const struct pl_perf_record *record)
{
	struct queue_sample q = {.attr = &event->attr,
				 .misc = record->misc,
				 .place = {.at = r->parser->offset, .is_offset = true}};
	struct chain_sample s = {.attr = &event->attr,
				 .sample = &q.sample,
				 .misc = record->misc,
				 .max_user = SIZE_MAX};

	if (pl_perf_sample_read(&q.sample, &event->attr, record->body)) {
		malformed(r, "RECORD_CUT", "a sample is shorter than what it says it holds");
		return 0;
	}
	if (event->id == UINT32_MAX)
		start_event(r, event);
	if (s.attr->sample_type & PERF_SAMPLE_READ && s.attr->read_format & PERF_FORMAT_GROUP)
		pl_diag_count(&r->parser->diag, "GROUP_READ", 1);
	q.event = event->id;
	s.space = *processes_space(&r->processes, q.sample.pid);
	bool lbr = has_lbr_stack(s.attr, &q.sample);
	if (lbr)
		s.max_user = 1;
	else if (r->queue.unwind && pl_perf_saves_stack(s.attr) &&
		 q.sample.regs_abi != PERF_SAMPLE_REGS_ABI_NONE)
		s.max_user = 0; /* all of it is unwound */
	chain_of(&r->chain, &r->frames, &r->of, r->kernel, &s);
	if (lbr)
		add_lbr(r, &s);
	uint32_t comm = PROCESS_NO_COMM;
	if (s.attr->sample_type & PERF_SAMPLE_TID && !is_of_hidden(r, &s))
		comm = processes_comm(&r->processes, q.sample.tid);
	if (comm != PROCESS_NO_COMM)
		q.comm = pl_intern_str(&r->processes.comms, comm);
	return queue_add(&r->queue, &q, &r->chain, s.space);
}

/* ---- all of them ---- */

static int on_record(struct replay *r, const struct pl_perf_record *record, uint32_t event)
{
	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		return on_sample(r, &r->recording->events.v[event], record);
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		on_mmap(r, record);
		return 0;
	case PERF_RECORD_COMM:
		on_comm(r, record);
		return 0;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		on_task(r, record);
		return 0;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		on_lost(r, record);
		return 0;
	case PERF_RECORD_KSYMBOL:
		on_ksymbol(r, record);
		return 0;
	default:
		recording_skip(r->parser, record->type);
		return 0;
	}
}

/* ---- unwinding ---- */

static const char *path_of(void *context, uint32_t module)
{
	struct replay *r = context;

	pl_paths_local(&r->options->paths, r->modules.v[module].dso, &r->path);
	return r->path.p;
}

/* The recorded machine's, or ours where the recording does not say. */
static struct pl_str arch_of(const struct recording *r, struct utsname *own)
{
	struct pl_reader reader = pl_reader(r->features[PL_PERF_ARCH]);

	if (r->features[PL_PERF_ARCH].p)
		return pl_perf_string(&reader);
	return pl_str(uname(own) == 0 ? own->machine : "");
}

static void start_unwinding(struct replay *r)
{
	const struct pl_limits *limits = &r->parser->m->limits;
	struct utsname own;
	bool wanted = false;

	for (size_t i = 0; i < r->recording->events.n && r->options->unwind; i++)
		wanted |= pl_perf_saves_stack(&r->recording->events.v[i].attr);
	if (wanted)
		r->queue.unwind = unwind_new(&(struct unwind_options){
			.arch = arch_of(r->recording, &own),
			.modules = &r->modules,
			.path_of = path_of,
			.context = r,
			.trust_paths = r->options->trust_paths,
			.depth = (uint32_t)limits->v[PL_LIMIT_STACK_DEPTH],
			.caps = {.seconds = limits->v[PL_LIMIT_TIMEOUT_SECONDS],
				 .memory = r->options->memory,
				 .keep = {pl_paths_descriptor(&r->options->paths)}},
		});
}

void replay_start(struct replay *r, struct recording *recording, struct pl_parser *parser,
		  const struct replay_options *options)
{
	struct modules *ms = &r->modules;

	*r = (struct replay){.recording = recording,
			     .parser = parser,
			     .options = options,
			     .queue = {.parser = parser, .frames = &r->frames, .of = &r->of}};
	processes_start(&r->processes, MAPS_MAX);
	modules_start(ms, &parser->replaced);
	frames_start(&r->frames, ms, parser);
	r->kernel = space_new(&r->processes.spaces);
	for (size_t i = 0; i < recording->build_ids_n; i++) {
		struct pl_perf_build_id b;
		if (recording_build_id(recording, i, &b) == 0)
			modules_add_build_id(ms, &b);
	}
	note_mappings(r);
	r->of = (struct chain_modules){
		.kernel = modules_kernel(ms, NULL),
		.guest = modules_named(ms, PL_S("[guest]"), MODULE_GUEST, 0, false),
		.hypervisor = modules_named(ms, PL_S("[hypervisor]"), MODULE_UNKNOWN, 0, false),
		.unknown = modules_named(ms, PL_S("[unknown]"), MODULE_UNKNOWN, 0, false),
	};
	start_unwinding(r);
	/* the idle threads have no record of their own */
	processes_name(&r->processes, 0, 0, PL_S("swapper"), false);
}

int replay_run(struct replay *r)
{
	struct pl_parser *p = r->parser;
	struct pl_perf_record record;
	uint32_t event;
	int got;

	while ((got = recording_next(r->recording, &record, &event)) > 0) {
		p->offset = r->recording->at;
		if (on_record(r, &record, event) || pl_parser_check_limits(p))
			return -1;
		if (pl_out_poll(&p->m->out)) {
			p->err = p->m->out.err;
			return -1;
		}
	}
	if (got < 0) {
		p->err = r->recording->err;
		return pl_err_at(&p->err, pl_in_name(&p->m->in, 0), 0);
	}
	if (r->lost_samples > p->lost)
		put_lost(r, r->lost_samples - p->lost);
	return queue_flush(&r->queue);
}

void replay_end(struct replay *r)
{
	if (r->queue.unwind)
		unwind_end(r->queue.unwind);
	queue_free(&r->queue);
	space_release(&r->processes.spaces, r->kernel);
	processes_free(&r->processes);
	modules_free(&r->modules);
	frames_free(&r->frames);
	chain_free(&r->chain);
	pl_buf_free(&r->text);
	pl_buf_free(&r->path);
}
