/* commands: the table of what `perflens COMMAND` runs; a new command is one more row */
#include "commands.h"
#include "text.h"

/* What pl-symbolize has for one offset of a file, and not for a stream. */
#define RESOLVE_ALONE "resolve", "binary", "module-offset", "runtime-address", "build-id", "sha256"

/* What pl-query has for rows: a table has no pages. */
#define OF_ROWS "after", "symbol", "sort"

const struct command commands[] = {
	{
		.name = "analyze-folded",
		.synopsis = "[--input FILE]... [--output FILE] [option...]",
		.summary = N_("folded stacks to an analysis: hotspots, call paths, their quality"),
		.stages = {{.program = "pl-fold-parse"}, {.program = "pl-aggregate"}},
		.without = {"merge"}, /* it reads partial sums, not samples */
	},
	{
		.name = "analyze-perf-script",
		.synopsis = "[--input FILE]... [--output FILE] [option...]",
		.summary = N_("the text of perf script to an analysis"),
		.stages = {{.program = "pl-script-parse"}, {.program = "pl-aggregate"}},
		.without = {"merge"},
	},
	{
		.name = "analyze-perf-data",
		.synopsis = "--input FILE [--output FILE] [option...]",
		.summary = N_("a perf.data recording to an analysis"),
		.stages = {{.program = "pl-data-parse"},
			   {.program = "pl-symbolize"},
			   {.program = "pl-aggregate"}},
		.via = "native",
		.without = {"merge", RESOLVE_ALONE},
	},
	{
		/* lines for what will be shown, not for each position that was ever sampled */
		.name = "analyze-perf-data",
		.synopsis = "--input FILE [--output FILE] --lines [option...]",
		.summary = N_("a perf.data recording to an analysis with lines"),
		.stages = {{.program = "pl-data-parse"},
			   {.program = "pl-symbolize"},
			   {.program = "pl-aggregate"},
			   {.program = "pl-symbolize", .words = {"--lines"}}},
		.via = "native",
		.flag = "lines",
		.without = {"merge", RESOLVE_ALONE},
	},
	{
		.name = "analyze-perf-data",
		.synopsis = "--input FILE [--output FILE] --via perf-script [option...]",
		.summary = N_("a perf.data recording to an analysis, by the system's perf"),
		.stages = {{.program = "pl-perf-script"},
			   {.program = "pl-script-parse", .words = {"--transcript"}},
			   {.program = "pl-aggregate"}},
		.via = "perf-script",
		.without = {"merge", "transcript"},
	},
	{
		.name = "inspect-elf",
		.synopsis = "--input FILE [--output FILE] [option...]",
		.summary = N_("what an ELF file is, and what can be resolved in it"),
		.stages = {{.program = "pl-elf"}},
	},
	{
		.name = "top",
		.synopsis = "FILE [option...]",
		.summary = N_("the hotspots of an analysis as a table for a terminal"),
		.stages = {{.program = "pl-query", .words = {"text"}}},
		.without = {"after", "symbol", "min-percent"},
	},
	{
		.name = "tree",
		.synopsis = "FILE [option...]",
		.summary = N_("the call tree of an analysis for a terminal"),
		.stages = {{.program = "pl-query", .words = {"tree"}}},
		.without = {OF_ROWS},
	},
	{
		.name = "callers",
		.synopsis = "ID-OR-NAME FILE [option...]",
		.summary = N_("who calls a function of an analysis, as a table"),
		.stages = {{.program = "pl-query", .words = {"callers"}}},
		.without = {OF_ROWS, "limit", "min-percent"},
	},
	{
		.name = "callees",
		.synopsis = "ID-OR-NAME FILE [option...]",
		.summary = N_("what a function of an analysis calls, as a table"),
		.stages = {{.program = "pl-query", .words = {"callees"}}},
		.without = {OF_ROWS, "limit", "min-percent"},
	},
	{
		.name = "classify",
		.synopsis = "--analysis FILE [--rules FILE]... [--output FILE]",
		.summary = N_("an analysis to a diagnosis: candidates, evidence, what is missing"),
		.stages = {{.program = "pl-classify"}},
		.renames = {{"analysis", "input", "FILE"}},
	},
	{
		.name = "report",
		.synopsis = "--analysis FILE [--diagnosis FILE] [--format FORMAT] [--problem TEXT] "
			    "[--metric TEXT] [--output FILE]",
		.summary = N_("an analysis, and its diagnosis, to a report in Markdown or HTML"),
		.stages = {{.program = "pl-report"}},
		.renames = {{"analysis", "input", "FILE"}},
	},
	{
		.name = "flame",
		.synopsis = "[--input FILE] [--output FILE] [option...] | --diff BEFORE AFTER",
		.summary = N_("a flame graph of an analysis or of samples, as SVG"),
		.stages = {{.program = "pl-flame"}},
	},
	{
		.name = "export",
		.synopsis = "--to FORMAT [--output FILE] [option...] [FILE]",
		.summary = N_("samples or an analysis in the format of another tool"),
		.stages = {{.program = "pl-export"}},
	},
	{
		.name = "verify-analysis",
		.synopsis = "--input FILE [--source FILE]... [--output FILE]",
		.summary = N_("check an analysis against itself and against its sources"),
		.stages = {{.program = "pl-verify"}},
	},
	{
		.name = "bundle",
		.synopsis =
			"--analysis FILE [--diagnosis FILE] [--report FILE] [--comparison FILE] "
			"[--verification FILE] --output FILE",
		.summary = N_("an analysis and what was made of it, in one ZIP"),
		.stages = {{.program = "pl-bundle"}},
		.renames = {{"analysis", "input", "FILE"}},
	},
	{
		.name = "verify-bundle",
		.synopsis = "[--input] FILE [--output FILE]",
		.summary = N_("check such a ZIP, without unpacking it"),
		.stages = {{.program = "pl-verify-bundle"}},
	},
	{
		.name = "resolve-source",
		.synopsis = "--binary FILE --module-offset N [--runtime-address N] [--output FILE]",
		.summary = N_("functions, files and lines at an offset of an ELF file"),
		.stages = {{.program = "pl-symbolize", .words = {"--resolve"}}},
		.without = {"input"},
	},
	{
		.name = "source-context",
		.synopsis = "--file PATH --line N --workspace DIR [option...]",
		.summary = N_("a line of a source file and those around it, from one folder only"),
		.stages = {{.program = "pl-source"}},
	},
	{.name = NULL},
};

const struct command *command_find(const char *name)
{
	for (const struct command *c = commands; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

const struct command *command_next(const struct command *command)
{
	const struct command *next = command + 1;

	return next->name && strcmp(next->name, command->name) == 0 ? next : NULL;
}

size_t command_stages(const struct command *command)
{
	size_t n = 0;

	while (n < PL_PROC_STAGES && command->stages[n].program)
		n++;
	return n;
}
