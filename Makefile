# PerfLens. `make help` lists the targets.
#
# Everything built is below build/FLAVOUR: release (the default), asan (ASan+UBSan), fuzz (clang's
# libFuzzer), or any other name for a folder of its own: make FLAVOUR=mine CC=clang CFLAGS=-O3.
# WERROR=1 makes warnings errors, V=1 shows the commands. Changed flags rebuild.

# ---- the programs: one word each ----
# filters/NAME.c is the program; filters/NAME/*.c, without "pl-", are its private parts. Tests and
# fuzz targets name the private parts that they test: NAME_test_SRCS.
PROGRAMS := perflens pl-fold-parse pl-data-parse pl-symbolize pl-perf-script pl-script-parse pl-aggregate pl-select pl-expand pl-query pl-classify pl-report pl-flame pl-verify pl-bundle pl-verify-bundle pl-source pl-elf pl-export

folded_test_SRCS := filters/fold-parse/folded.c
folded_fuzz_SRCS := filters/fold-parse/folded.c
perf_script_test_SRCS := $(wildcard filters/perf-script/*.c)
stacks_test_SRCS := filters/fold-parse/folded.c filters/fold-parse/stacks.c
script_header_test_SRCS := filters/script-parse/header.c filters/script-parse/frame.c
script_frame_test_SRCS := filters/script-parse/columns.c filters/script-parse/frame.c
script_fuzz_SRCS := $(wildcard filters/script-parse/*.c)
partial_fuzz_SRCS := $(wildcard filters/aggregate/*.c)
DATA_PARSE := $(wildcard filters/data-parse/*.c)
data_fuzz_SRCS := $(DATA_PARSE)
order_test_SRCS := filters/data-parse/order.c
store_test_SRCS := filters/data-parse/store.c
space_test_SRCS := filters/data-parse/space.c
process_test_SRCS := filters/data-parse/process.c filters/data-parse/space.c
inflate_test_SRCS := filters/data-parse/inflate.c
tracing_test_SRCS := filters/data-parse/tracing.c
module_test_SRCS := filters/data-parse/module.c
chain_test_SRCS := $(patsubst %,filters/data-parse/%.c,chain frames module process space)
names_test_SRCS := filters/classify/names.c filters/classify/names-scan.c
globs_test_SRCS := filters/classify/globs.c
names_fuzz_SRCS := filters/classify/names.c filters/classify/names-scan.c filters/classify/globs.c
rules_fuzz_SRCS := $(wildcard filters/classify/*.c)
rank_test_SRCS := filters/aggregate/rank.c
verify_bytes_test_SRCS := filters/verify/digest.c
verify_bundle_test_SRCS := $(wildcard filters/verify-bundle/*.c)
zip_fuzz_SRCS := $(verify_bundle_test_SRCS)
schemas_test_SRCS := filters/aggregate/partial-records.c
beneath_test_SRCS := filters/source/beneath.c
source_fuzz_SRCS := filters/source/context.c
DWARF := $(wildcard filters/symbolize/dwarf*.c)
binary_test_SRCS := $(DWARF) filters/symbolize/binary.c
dwarf_test_SRCS := $(DWARF)
demangle_test_SRCS := filters/symbolize/demangle.c
dwarf_fuzz_SRCS := $(DWARF)
dwarf-lookup_SRCS := $(DWARF)
unwind_expr_test_SRCS := filters/data-parse/unwind-expr.c filters/data-parse/unwind-regs.c
unwind_test_SRCS := $(wildcard filters/data-parse/unwind*.c) filters/data-parse/space.c
unwind_fuzz_SRCS := $(unwind_test_SRCS)

# ---- how ----
FLAVOUR ?= release
O := build/$(FLAVOUR)
PREFIX ?= /usr/local
DESTDIR ?=
VERSION := $(shell sed -n 's/^.define PL_VERSION "\(.*\)"/\1/p' libcommon/base.h)

CFLAGS ?= -O2 -g
ALL_CPPFLAGS := -D_GNU_SOURCE -iquote libcommon -include libcommon/banned.h $(CPPFLAGS)
ALL_CFLAGS := -std=c11 -ffp-contract=off -pthread -Wall -Wextra -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wwrite-strings -Wvla -Wformat=2 -Wpointer-arith $(CFLAGS)
# A program is linked with those of LIBS that it uses.
ALL_LDFLAGS := -pthread -Wl,--as-needed $(LDFLAGS)
LIBS := -ldw -lelf -lzstd -llzma -liberty -lnettle -lz -lseccomp -lm
SANITIZE := -fsanitize=address,undefined
ifeq ($(FLAVOUR),asan)
ALL_CPPFLAGS += -DPL_NO_SANDBOX
ALL_CFLAGS += -O1 -g1 $(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer
ALL_LDFLAGS += $(SANITIZE)
# Tests start programs thousands of times: with the sanitizers' libraries in the program, where gcc
# has them so, a start and its search for leaks take a third less. clang does that by itself.
ifeq ($(findstring clang,$(shell $(CC) --version)),)
PROGRAM_LDFLAGS := $(foreach s,asan ubsan,$(if $(wildcard \
	$(shell $(CC) -print-file-name=lib$s.a)),-static-lib$s))
endif
endif
ifeq ($(FLAVOUR),fuzz)
CC := clang
ALL_CPPFLAGS += -DPL_NO_SANDBOX
ALL_CFLAGS += -O1 -g1 $(SANITIZE),fuzzer-no-link -fno-sanitize-recover=all -fno-omit-frame-pointer
ALL_LDFLAGS += $(SANITIZE)
endif
# What only tests run needs names and lines, no more: a quarter of the compiler's time.
ifneq ($(filter gcc clang,$(FLAVOUR)),)
ALL_CFLAGS += -g1
endif
ifdef WERROR
ALL_CFLAGS += -Werror
endif
Q := $(if $(V),,@)
SAY := $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),@:,@printf '  %-5s %s\n')

LIB_OBJS := $(patsubst %.c,$O/%.o,$(wildcard libcommon/*.c))
LIB := $O/libcommon.a
BINS := $(PROGRAMS:%=$O/bin/%)
UNITS := $(patsubst tests/unit/%.c,$O/unit/%,$(wildcard tests/unit/*_test.c))
TOOLS := $O/bench/dwarf-lookup
FUZZERS := $(patsubst tests/fuzz/%.c,$O/%,$(wildcard tests/fuzz/*_fuzz.c))
parts_of = $(patsubst %.c,$O/%.o,$(wildcard filters/$(1:pl-%=%)/*.c))
named_of = $(patsubst %.c,$O/%.o,$($1_SRCS))

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:
.PHONY: FORCE all build-tests check check-browser check-clients unit asan fuzz bench lint demo deps install uninstall dist \
	clean help

all: $(BINS) ## build every program into build/release/bin

# A stamp is rewritten only when its text differs. Other flags rebuild everything; a source that
# came or went makes the archive anew, so that nothing of a removed one stays in it.
STAMP = @mkdir -p $(@D); t='$(subst ','\'',$1)'; [ "$$t" = "$$(cat $@ 2>&1)" ] || printf "%s\n" "$$t" > $@
$O/flags: FORCE
	$(call STAMP,$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) | $(ALL_LDFLAGS) $(PROGRAM_LDFLAGS) $(LIBS))
$O/sources: FORCE
	$(call STAMP,$(LIB_OBJS) $(foreach p,$(PROGRAMS),$p: $(call parts_of,$p)))

$O/%.o: %.c $O/flags
	@mkdir -p $(@D)
	$(SAY) CC $<
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(LIB): $(LIB_OBJS) $O/sources
	$(SAY) AR $@
	$(Q)rm -f $@ && $(AR) rcs $@ $(LIB_OBJS)

.SECONDEXPANSION:
$(BINS): $O/bin/%: $O/filters/%.o $$(call parts_of,$$*) $(LIB)
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(ALL_LDFLAGS) $(PROGRAM_LDFLAGS) -o $@ $^ $(LIBS)

$(UNITS): $O/unit/%: $O/tests/unit/%.o $$(call named_of,$$*) $(LIB)
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

# Parts of programs that tests and the bench run by themselves.
$(TOOLS): $O/bench/%: $O/tests/bench/%.o $$(call named_of,$$*) $(LIB)
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(FUZZERS): $O/%: $O/tests/fuzz/%.o $$(call named_of,$$*) $(LIB)
	$(SAY) LD $@
	$(Q)$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

ifneq ($(wildcard $O),)
-include $(shell find $O -name '*.d')
endif

# ---- tests ----
# What a flavour's tests need; tests/run calls it.
build-tests: $(if $(filter fuzz,$(FLAVOUR)),$(FUZZERS),$(BINS) $(UNITS) $(TOOLS))

# ALSO='browser clients': what needs more than the tests, and is no part of them, in the same run.
check: ## install what tests need, build, run every test; ends with 'N passed, N failed'
	@packaging/install-deps --test $(ALSO:%=--%)
	@tests/run everything $(ALSO)

check-browser: ## open pictures and pages in headless Chromium
	@packaging/install-deps --test --browser
	@tests/run browser

check-clients: ## read our files with the programs that they are for
	@packaging/install-deps --test --clients --go
	@tests/run clients

unit: ## run the unit tests
	@tests/run unit:$(FLAVOUR)

asan: ## run all tests under ASan and UBSan
	@tests/run unit:asan bats:asan

fuzz: ## fuzz each reader of foreign bytes for FUZZ_SECONDS (60)
	@FUZZ_SECONDS=$(or $(FUZZ_SECONDS),60) tests/run fuzz

bench: all ## time pipelines against other tools, side by side
	@tests/bench/run

lint: ## check the form of sources, scripts and pages
	@tests/run lint

# ---- first steps ----
DEMO := tests/data/demo.folded.gz
demo: ## install what is missing, build, and report on a profile that comes with the project
	@packaging/install-deps
	@$(MAKE) --no-print-directory all
	@mkdir -p build/demo
	@$O/bin/perflens analyze-folded --input $(DEMO) --unit samples --event-name cpu-clock \
		--output build/demo/analysis.ndjson
	@$O/bin/perflens report --analysis build/demo/analysis.ndjson \
		--problem "Where does the time go?" --metric "seconds"
	@printf '\nThis report was made from build/demo/analysis.ndjson. For a table of it:\n\n%s\n' \
		"    $O/bin/perflens top build/demo/analysis.ndjson"

deps: ## install what building and testing need and this machine lacks
	@packaging/install-deps --test

# ---- installing ----
# Pairs of a file and the folder below PREFIX that it goes to.
into = $(foreach f,$2,$f:$1)
DATA := share/perflens
INSTALLED := $(call into,bin,$(BINS)) \
	$(call into,$(DATA)/schemas,$(wildcard schemas/*.json schemas/check.jq)) \
	$(call into,$(DATA)/schemas/examples,$(wildcard schemas/examples/*)) \
	$(call into,$(DATA)/rules,$(wildcard filters/rules/*.json)) \
	$(call into,$(DATA)/skill,$(wildcard skill/*.md)) \
	$(call into,$(DATA)/skill/references,$(wildcard skill/references/*)) \
	$(call into,$(DATA)/skill/recipes,$(wildcard skill/recipes/*)) \
	$(call into,share/man/man1,$(wildcard man/*.1)) \
	$(call into,share/man/man7,$(wildcard man/*.7))
file_of = $(firstword $(subst :, ,$1))
place_of = "$(DESTDIR)$(PREFIX)/$(lastword $(subst :, ,$1))/$(notdir $(call file_of,$1))"
mode_of = $(if $(filter %:bin,$1),755,644)
define newline


endef

install: all ## install below PREFIX (/usr/local), with DESTDIR before it
	$(foreach i,$(INSTALLED),@install -D -m $(call mode_of,$i) $(call file_of,$i) $(call place_of,$i)$(newline))

uninstall: ## remove what install put there, and nothing else
	@rm -f $(foreach i,$(INSTALLED),$(call place_of,$i))
	@test ! -d "$(DESTDIR)$(PREFIX)/$(DATA)" || \
		find "$(DESTDIR)$(PREFIX)/$(DATA)" -depth -type d -empty -delete

# The same bytes from the same commit, wherever it is made.
dist: ## make build/perflens-VERSION.tar.gz from the last commit
	@mkdir -p build
	@git -c tar.umask=0022 archive --prefix=perflens-$(VERSION)/ HEAD | gzip -9n \
		> build/perflens-$(VERSION).tar.gz
	@echo build/perflens-$(VERSION).tar.gz

clean: ## remove build/
	rm -rf build

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 12
