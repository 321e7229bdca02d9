/* chain: text of a frame -> what it says -> its number */
#include "chain.h"
#include "mem.h"
#include "samplesw.h"
#include "symbol.h"

struct chain_text {
	struct pl_str symbol, raw, dso; /* symbol is normalised; raw.p NULL: the same */
	struct pl_str offset;		/* the address as printed, with --addresses */
	struct pl_str file;
	uint64_t line;
	uint32_t module;
	uint32_t frame; /* its number where nothing but the text matters; PL_INTERN_NONE: not yet
			   given */
	bool inlined, has_symbol, has_offset, offset_zero;
};

void chain_start(struct chain *c, const struct chain_options *options)
{
	memset(c, 0, sizeof *c);
	c->options = *options;
	pl_intern_init(&c->texts);
	pl_intern_init(&c->files);
	pl_intern_init(&c->frames);
	pl_intern_init(&c->modules);
}

void chain_free(struct chain *c)
{
	pl_intern_free(&c->texts);
	pl_intern_free(&c->files);
	pl_intern_free(&c->frames);
	pl_intern_free(&c->modules);
	pl_buf_free(&c->buf);
	pl_buf_free(&c->key);
	pl_buf_free(&c->scratch);
	free(c->infos);
	free(c->ids);
	free(c->parts);
}

void chain_clear(struct chain *c)
{
	c->depth = 0;
	c->too_deep = c->has_symbol = c->has_dso = c->has_offset = c->has_source = false;
	c->suspects = 0;
	c->inlined = 0;
	pl_buf_clear(&c->buf);
}

void chain_add(struct chain *c, struct pl_str address, struct pl_str body)
{
	size_t at = c->buf.n;

	if (c->depth >= c->options.max_depth) {
		c->too_deep = true;
		return;
	}
	pl_buf_add(&c->buf, body.p, body.n);
	if (c->options.addresses) {
		pl_buf_addc(&c->buf, '\0'); /* texts hold none */
		pl_buf_adds(&c->buf, address);
	}
	PL_GROW(c->parts, c->depth + 1, c->parts_cap);
	struct chain_part *part = &c->parts[c->depth++];
	*part = (struct chain_part){.at = at, .n = c->buf.n - at, .file = PL_INTERN_NONE};
	part->hash = pl_intern_hash(&c->texts, c->buf.p + at, part->n);
	pl_intern_prefetch(&c->texts, part->hash);
}

void chain_add_unknown(struct chain *c)
{
	chain_add(c, PL_S(""), PL_S("unknown"));
}

void chain_add_source(struct chain *c, struct pl_str file, uint64_t line)
{
	if (c->depth == 0 || c->too_deep || c->parts[c->depth - 1].file != PL_INTERN_NONE)
		return;
	c->parts[c->depth - 1].file = pl_intern(&c->files, file.p, file.n);
	c->parts[c->depth - 1].line = line;
}

void chain_set_inlined(struct chain *c)
{
	if (c->depth && !c->too_deep)
		c->parts[c->depth - 1].inlined = true;
}

/* ---- modules ---- */

static bool is_perf_map(struct pl_str base)
{
	return pl_str_starts(base, "perf-") && pl_str_ends(base, ".map");
}

/* A module of the kernel is "[ext4]" or a file: ext4.ko, ext4.ko.xz. */
static bool is_kernel(struct pl_str dso)
{
	static const char *const others[] = {"[vdso", "[vsyscall", "[vvar",    "[heap",	 "[stack",
					     "[anon", "[unknown",  "[uprobes", "[guest", "[JIT]"};
	struct pl_str base = pl_str_base(dso);

	if (dso.n == 0 || *dso.p == '/')
		return pl_str_starts(base, "vmlinux") || pl_str_ends(base, ".ko") ||
		       (base.n && memmem(base.p, base.n, ".ko.", 4));
	for (size_t i = 0; i < PL_COUNT(others); i++)
		if (pl_str_starts(dso, others[i]))
			return false;
	return (*dso.p == '[' && pl_str_ends(dso, "]")) || pl_str_starts(dso, "bpf_prog_");
}

/* What perf's name of a DSO says of it; NULL: nothing. */
static const char *module_kind(struct pl_str dso)
{
	if (pl_str_starts(dso, "[guest."))
		return "guest";
	if (is_kernel(dso))
		return "kernel";
	if (pl_str_is(dso, "[vdso]") || pl_str_is(dso, "[vsyscall]"))
		return "vdso";
	if (pl_str_starts(dso, "[JIT] ") || is_perf_map(pl_str_base(dso)))
		return "jit";
	if (pl_str_ends(dso, " (deleted)"))
		return "deleted";
	if (dso.n && dso.p[0] == '/')
		return "user";
	return NULL;
}

static uint32_t find_module(struct chain *c, struct pl_str dso, struct pl_buf *out)
{
	if (!dso.p)
		return PL_NO_MODULE;
	uint32_t before = (uint32_t)c->modules.n, id = pl_intern(&c->modules, dso.p, dso.n);
	if (id == before)
		pl_samplesw_module(out, &(struct pl_module){.id = id,
							    .dso = dso,
							    .kind = pl_str(module_kind(dso))});
	return id;
}

/* ---- texts ---- */

/* CPython's perf map writes py::FUNCTION:FILE; the file, which has no line, stays in the raw
 * spelling. */
static struct pl_str python_function(struct pl_str symbol)
{
	size_t n = symbol.n;

	if (!pl_str_starts(symbol, "py::"))
		return symbol;
	while (n > 0 && symbol.p[n - 1] != ':')
		n--;
	if (n > 5)
		symbol.n = n - 1;
	return symbol;
}

static struct pl_str normalise(struct chain *c, struct pl_str symbol, struct pl_str dso)
{
	if (c->options.raw_names)
		return symbol;
	if (is_perf_map(pl_str_base(dso)))
		symbol = python_function(symbol);
	symbol = pl_symbol_normal(symbol);
	return c->options.normalise_generated ? pl_symbol_without_numbers(symbol, &c->scratch)
					      : symbol;
}

/* Keeps a text for good: `files` holds whatever texts are needed again. */
static struct pl_str keep(struct chain *c, struct pl_str s)
{
	return pl_intern_str(&c->files, pl_intern(&c->files, s.p, s.n));
}

static void read_text(struct chain *c, uint32_t id, struct pl_buf *out)
{
	struct pl_str text = pl_intern_str(&c->texts, id);
	const char *end = c->options.addresses ? memchr(text.p, '\0', text.n) : NULL;
	struct pl_str body = {text.p, end ? (size_t)(end - text.p) : text.n};
	struct script_frame f = script_frame_read(body);
	struct chain_text *info = &c->infos[id];
	struct pl_str symbol = f.symbol.n ? f.symbol : PL_S("unknown");
	struct pl_str normal = normalise(c, symbol, f.dso);

	*info = (struct chain_text){.dso = f.dso,
				    .inlined = f.inlined,
				    .has_symbol = f.symbol.n > 0,
				    .has_offset = f.has_offset,
				    .offset_zero = f.offset_zero,
				    .frame = PL_INTERN_NONE};
	info->symbol = normal.p == c->scratch.p ? keep(c, normal) : normal;
	if (!pl_str_eq(info->symbol, symbol))
		info->raw = symbol;
	if (f.source.p)
		script_source_read(f.source, &info->file, &info->line);
	if (end && end + 1 < text.p + text.n)
		info->offset = (struct pl_str){end + 1, text.n - body.n - 1};
	info->module = find_module(c, f.dso, out);
}

static uint32_t find_text(struct chain *c, const struct chain_part *part, struct pl_buf *out)
{
	uint32_t before = (uint32_t)c->texts.n;
	uint32_t id = pl_intern_hashed(&c->texts, c->buf.p + part->at, part->n, part->hash);

	if (id == before) {
		PL_GROW(c->infos, c->texts.n, c->infos_cap);
		read_text(c, id, out);
	}
	return id;
}

/* ---- frames ---- */

static void add_key_text(struct pl_buf *key, struct pl_str s)
{
	pl_buf_addc(key, s.p ? '+' : '-');
	pl_buf_adds(key, s);
	pl_buf_addc(key, '\0');
}

static void put_frame(const struct pl_frame *frame, struct pl_str offset, struct pl_buf *scratch,
		      struct pl_buf *out)
{
	struct pl_frame with = *frame;

	if (offset.p) {
		/* as printed, without leading zeros and in lower case it is the stream's form */
		while (offset.n > 1 && *offset.p == '0')
			offset = (struct pl_str){offset.p + 1, offset.n - 1};
		pl_buf_clear(scratch);
		pl_buf_addz(scratch, "0x");
		for (size_t i = 0; i < offset.n; i++)
			pl_buf_addc(scratch, (char)(offset.p[i] | 0x20));
		with.offset = pl_buf_str(scratch);
	}
	pl_samplesw_frame(out, &with);
}

/* Identity: (symbol, module, raw, source), and what was asked for or seen beside it. */
static uint32_t define_frame(struct chain *c, struct pl_frame *frame, struct pl_str offset,
			     struct pl_buf *out)
{
	uint32_t before = (uint32_t)c->frames.n;

	pl_buf_clear(&c->key);
	add_key_text(&c->key, frame->symbol);
	add_key_text(&c->key, frame->raw);
	add_key_text(&c->key, frame->source.file);
	add_key_text(&c->key, offset);
	pl_buf_add(&c->key, &frame->source.line, sizeof frame->source.line);
	pl_buf_add(&c->key, &frame->module, sizeof frame->module);
	pl_buf_addc(&c->key, frame->inlined ? 'i' : '-');
	pl_buf_addc(&c->key, frame->suspect.p ? 's' : '-');
	frame->id = pl_intern(&c->frames, c->key.p, c->key.n);
	if (frame->id == before)
		put_frame(frame, offset, &c->scratch, out);
	return frame->id;
}

/* A frame whose number depends on more than its text: its place in the chain, or the line below it.
 */
static uint32_t special_frame(struct chain *c, const struct chain_text *info,
			      const struct chain_part *part, struct pl_frame *frame,
			      struct pl_buf *out)
{
	frame->symbol = info->symbol;
	frame->raw = info->raw;
	frame->source = (struct pl_source){.file = info->file, .line = info->line};
	if (part->file != PL_INTERN_NONE)
		frame->source = (struct pl_source){.file = pl_intern_str(&c->files, part->file),
						   .line = part->line};
	return define_frame(c, frame, info->offset, out);
}

static uint32_t plain_frame(struct chain *c, uint32_t text, struct pl_buf *out)
{
	struct chain_text *info = &c->infos[text];

	if (info->frame == PL_INTERN_NONE) {
		struct pl_frame frame = {.symbol = info->symbol,
					 .raw = info->raw,
					 .module = info->module,
					 .source = {.file = info->file, .line = info->line}};
		info->frame = define_frame(c, &frame, info->offset, out);
	}
	return info->frame;
}

static void note_fields(struct chain *c, const struct chain_text *info,
			const struct chain_part *part)
{
	c->has_symbol |= info->has_symbol;
	c->has_dso |= info->dso.p != NULL;
	c->has_offset |= info->has_offset;
	c->has_source |= info->file.p || part->file != PL_INTERN_NONE;
}

/*
 * A caller's address is behind the call: at offset 0 it is in the function after the caller. What
 * was inlined into the leaf has the leaf's address; and where the kernel was entered, the address
 * below is that of the instruction itself.
 */
static bool is_suspect(struct chain *c, size_t part, uint32_t text, struct pl_buf *out)
{
	if (!c->infos[text].offset_zero || c->infos[text].inlined)
		return false;
	while (part-- > 0) {
		uint32_t callee = find_text(c, &c->parts[part], out);
		if (!c->infos[callee].inlined && !c->parts[part].inlined)
			return is_kernel(c->infos[callee].dso) == is_kernel(c->infos[text].dso);
	}
	return false;
}

void chain_define(struct chain *c, struct pl_buf *out)
{
	uint32_t module = PL_NO_MODULE; /* of the physical frame nearest to the root */

	PL_GROW(c->ids, c->depth, c->ids_cap);
	for (size_t i = c->depth; i-- > 0;) {
		const struct chain_part *part = &c->parts[i];
		uint32_t text = find_text(c, part, out);
		bool suspect = is_suspect(c, i, text, out);
		const struct chain_text *info = &c->infos[text];
		bool inlined = info->inlined || part->inlined;
		if (!inlined)
			module = info->module;
		note_fields(c, info, part);
		c->suspects += suspect;
		c->inlined += inlined;
		if (suspect || inlined || part->file != PL_INTERN_NONE) {
			struct pl_frame frame = {.module = module, .inlined = inlined};
			if (suspect)
				frame.suspect = PL_S("SUSPECT_CALLER");
			c->ids[c->depth - 1 - i] = special_frame(c, info, part, &frame, out);
		} else {
			c->ids[c->depth - 1 - i] = plain_frame(c, text, out);
		}
	}
}
