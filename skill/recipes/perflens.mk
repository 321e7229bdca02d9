# perflens.mk: pattern rules from profiles to reports, to be included by a makefile of yours:
#
#     include /usr/local/share/perflens/skill/recipes/perflens.mk
#     all: web.report.html db.report.html web.flame.svg
#
# With web.folded (or .folded.gz, .perf-script, .data) beside it, `make -j2` builds what is wanted
# and, when an input changed, only what follows from it. A file appears whole or not at all.
#
#     NAME.analysis.ndjson   from NAME.folded, NAME.folded.gz, NAME.perf-script or NAME.data
#     NAME.diagnosis.ndjson  from the analysis
#     NAME.report.md, .html  from the analysis and the diagnosis
#     NAME.flame.svg         from the analysis
#     NAME.diff.svg          from two analyses: BEFORE and AFTER, given before the include or on the
#                            command line, or as prerequisites of your own, in this order:
#                                release.diff.svg: old.analysis.ndjson new.analysis.ndjson
#
# Set before the include or on the command line (words for the shell, quoted as it wants them):
#
#     PERFLENS                the dispatcher
#     PERFLENS_FLAGS          of every command: --quiet, --verbose, --json-errors
#     PERFLENS_FOLDED_FLAGS, PERFLENS_SCRIPT_FLAGS, PERFLENS_DATA_FLAGS
#                             of the three ways to an analysis: --unit samples, --lines
#     PERFLENS_CLASSIFY_FLAGS, PERFLENS_REPORT_FLAGS, PERFLENS_FLAME_FLAGS
#                             of what comes after: --problem "Slow start"
#
# Names of files must not hold blanks or quotes: make has no way to tell them.

PERFLENS ?= perflens
PERFLENS_FLAGS ?=
PERFLENS_FOLDED_FLAGS ?=
PERFLENS_SCRIPT_FLAGS ?=
PERFLENS_DATA_FLAGS ?=
PERFLENS_CLASSIFY_FLAGS ?=
PERFLENS_REPORT_FLAGS ?=
PERFLENS_FLAME_FLAGS ?=
BEFORE ?=
AFTER ?=

.DELETE_ON_ERROR:
# What stands between an input and a report is evidence, and no intermediate file.
.PRECIOUS: %.analysis.ndjson %.diagnosis.ndjson

%.analysis.ndjson: %.folded
	$(PERFLENS) $(PERFLENS_FLAGS) analyze-folded $(PERFLENS_FOLDED_FLAGS) --input '$<' --output '$@'

%.analysis.ndjson: %.folded.gz
	$(PERFLENS) $(PERFLENS_FLAGS) analyze-folded $(PERFLENS_FOLDED_FLAGS) --input '$<' --output '$@'

%.analysis.ndjson: %.perf-script
	$(PERFLENS) $(PERFLENS_FLAGS) analyze-perf-script $(PERFLENS_SCRIPT_FLAGS) --input '$<' --output '$@'

%.analysis.ndjson: %.data
	$(PERFLENS) $(PERFLENS_FLAGS) analyze-perf-data $(PERFLENS_DATA_FLAGS) --input '$<' --output '$@'

%.diagnosis.ndjson: %.analysis.ndjson
	$(PERFLENS) $(PERFLENS_FLAGS) classify $(PERFLENS_CLASSIFY_FLAGS) --analysis '$<' --output '$@'

%.report.md: %.analysis.ndjson %.diagnosis.ndjson
	$(PERFLENS) $(PERFLENS_FLAGS) report $(PERFLENS_REPORT_FLAGS) --analysis '$<' \
		--diagnosis '$(word 2,$^)' --output '$@'

%.report.html: %.analysis.ndjson %.diagnosis.ndjson
	$(PERFLENS) $(PERFLENS_FLAGS) report $(PERFLENS_REPORT_FLAGS) --format html --analysis '$<' \
		--diagnosis '$(word 2,$^)' --output '$@'

%.flame.svg: %.analysis.ndjson
	$(PERFLENS) $(PERFLENS_FLAGS) flame $(PERFLENS_FLAME_FLAGS) --output '$@' '$<'

%.diff.svg: $(BEFORE) $(AFTER)
	@test $(words $^) = 2 || { echo '$@: wants two analyses: BEFORE and AFTER' >&2; exit 2; }
	$(PERFLENS) $(PERFLENS_FLAGS) flame $(PERFLENS_FLAME_FLAGS) --diff --output '$@' $(^:%='%')
