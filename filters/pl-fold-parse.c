/* pl-fold-parse: folded stacks to a stream of samples */
#include "fold-parse/stacks.h"
#include "parser.h"
#include "text.h"
#include "utf8.h"

static struct {
	const char *unit, *event_name, *column;
	uint64_t scale;
	bool keep_annotations, dso_from_frame;
} opt = {.unit = "unknown", .event_name = "unknown"};

static const struct pl_opt options[] = {
	{.name = "unit",
	 .kind = PL_OPT_CHOICE,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.unit,
	 .argument = "UNIT",
	 .choices = "unknown|samples|nanoseconds|microseconds|milliseconds|seconds|bytes|cycles|"
		    "instructions|events",
	 .help = N_("what the weights are")},
	{.name = "event-name",
	 .kind = PL_OPT_TEXT,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.event_name,
	 .argument = "NAME",
	 .help = N_("what was sampled")},
	{.name = "scale",
	 .kind = PL_OPT_COUNT,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.scale,
	 .argument = "N",
	 .min = 1,
	 .help = N_("multiply each weight, which must then be an integer")},
	{.name = "column",
	 .kind = PL_OPT_CHOICE,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.column,
	 .argument = "WHICH",
	 .choices = "before|after|none",
	 .help = N_("of two columns of weights take one; none: the first is part of the name")},
	{.name = "keep-annotations",
	 .kind = PL_OPT_FLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.keep_annotations,
	 .help = N_("leave _[k] _[j] _[i] _[w] in the symbols")},
	{.name = "dso-from-frame",
	 .kind = PL_OPT_FLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.dso_from_frame,
	 .help = N_("read \"module`symbol\" and \"symbol (module)\"")},
	{0},
};

static const struct pl_program program = {
	.name = "pl-fold-parse",
	.summary = N_("Read folded (collapsed) stacks, write a stream of samples"),
	.synopsis = "[option...] [FILE...]",
	.options = options,
	.limits = PL_PARSER_LIMITS,
	.flags = PL_PROGRAM_INPUT | PL_PROGRAM_OUTPUT,
};

struct parse {
	struct pl_parser parser;
	enum folded_column column;
	struct pl_buf event_name; /* as valid text */
	struct stacks stacks;
	/* of the current input: is each line differential? */
	uint64_t lines, two_columns;
};

static void start(struct parse *p, struct pl_main *m)
{
	struct pl_buf scratch = {0};

	memset(p, 0, sizeof *p);
	pl_parser_start(&p->parser, m, "folded");
	pl_buf_adds(&p->event_name,
		    pl_utf8_clean(pl_str(opt.event_name), &scratch, &(uint64_t){0}));
	pl_buf_free(&scratch);
	if (opt.column)
		p->column = opt.column[0] == 'b'   ? FOLDED_BEFORE
			    : opt.column[0] == 'a' ? FOLDED_AFTER
						   : FOLDED_NONE;
	stacks_start(&p->stacks, m->limits.v[PL_LIMIT_STACK_DEPTH], opt.keep_annotations,
		     opt.dso_from_frame);
}

static void put_event(struct parse *p)
{
	pl_parser_event(&p->parser, &(struct pl_event){.name = pl_buf_str(&p->event_name),
						       .unit = pl_str(opt.unit),
						       .weight_source = PL_S("folded_weight"),
						       .source = PL_S("unknown")});
}

static int put_sample(struct parse *p, uint64_t weight)
{
	if (p->parser.samples == 0)
		put_event(p);
	stacks_define(&p->stacks, &p->parser.m->out.buf);
	p->parser.frames = p->stacks.frames.n;
	p->parser.modules = p->stacks.modules.n;
	return pl_parser_sample(&p->parser, &(struct pl_sample){.weight = weight,
								.stack = p->stacks.ids,
								.depth = p->stacks.depth});
}

static int read_stack(struct parse *p, struct pl_str line)
{
	struct folded_line split;
	struct folded_fault fault = folded_split(line, p->column, opt.scale, &split);

	/* a line without any weight, such as a cut one, says nothing about columns */
	p->lines += !fault.code || split.two_columns;
	p->two_columns += split.two_columns;
	/* a differential line that the picked profile does not have */
	if (!fault.code && split.weight == 0) {
		p->parser.skipped++;
		return 0;
	}
	if (!fault.code)
		fault = stacks_split(&p->stacks, split.stack);
	if (!fault.code)
		return put_sample(p, split.weight);
	pl_parser_malformed(&p->parser, fault.code, fault.message, line);
	return 0;
}

static int read_line(void *context, struct pl_str line, bool too_long)
{
	struct parse *p = context;

	if (too_long) {
		pl_parser_malformed(&p->parser, "LINE_TOO_LONG",
				    "the line is longer than --max-line-bytes", line);
		return 0;
	}
	line = pl_str_trim(line);
	if (line.n && line.p[0] != '#')
		return read_stack(p, line);
	p->parser.skipped++;
	return 0;
}

/* Known only here: each line has two numbers, so this is the output of a differential folder. */
static int check_differential(void *context)
{
	struct parse *p = context;
	struct pl_parser *parser = &p->parser;
	bool differential = p->column == FOLDED_ONE && p->lines && p->two_columns == p->lines;

	p->lines = p->two_columns = 0;
	if (!differential)
		return 0;
	pl_err_set(&parser->err, PL_E_UNSUPPORTED_FORMAT,
		   _("each line has two columns of weights: these are differential stacks"));
	pl_err_at(&parser->err, pl_in_name(&parser->m->in, parser->m->in.index), 0);
	return pl_err_action(&parser->err,
			     _("take one with --column before or after, or say --column "
			       "none if names end in a number"));
}

static const struct pl_parser_grammar grammar = {
	.line = read_line,
	.input_end = check_differential,
	.none = N_("no line is a folded stack"),
	.advice = N_("a line is frames joined by ';', a blank, and a weight"),
};

int main(int argc, char **argv)
{
	struct pl_main m;
	struct parse p;

	pl_start(&m, &program, argc, argv);
	pl_open(&m);
	start(&p, &m);
	if (pl_parser_run(&p.parser, &grammar, &p))
		pl_fail(&m, &p.parser.err);
	stacks_free(&p.stacks);
	pl_buf_free(&p.event_name);
	pl_parser_free(&p.parser);
	return pl_finish(&m, PL_EXIT_DONE);
}
