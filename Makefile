# PerfLens. `make help` lists the targets.
#
# Everything built is below build/FLAVOUR: release (default), asan (ASan+UBSan), fuzz (clang libFuzzer).
# CC=clang, CFLAGS=…, WERROR=1, V=1 as usual; changed flags rebuild what they touch.

# ---- the programs: one word each; NAME_SRCS: private parts in filters/NAME/, NAME_LIBS: further libraries ----
PROGRAMS := perflens pl-fold-parse pl-aggregate pl-select pl-expand pl-query pl-report pl-verify

pl-aggregate_SRCS := $(wildcard filters/aggregate/*.c)
pl-query_SRCS := $(wildcard filters/query/*.c)
pl-report_SRCS := $(wildcard filters/report/*.c)
pl-verify_SRCS := $(wildcard filters/verify/*.c)
perflens_SRCS := $(wildcard filters/perflens/*.c)

# ---- how ----
FLAVOUR ?= release
O := build/$(FLAVOUR)
PREFIX ?= /usr/local
DESTDIR ?=

CFLAGS ?= -O2 -g
ALL_CPPFLAGS := -D_GNU_SOURCE -iquote libcommon -include libcommon/banned.h $(CPPFLAGS)
ALL_CFLAGS := -std=c11 -ffp-contract=off -pthread -Wall -Wextra -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wwrite-strings -Wvla -Wformat=2 -Wpointer-arith $(CFLAGS)
ALL_LDFLAGS := -pthread $(LDFLAGS)
LIBS := -lnettle -lz -lseccomp -lm
ifeq ($(FLAVOUR),asan)
ALL_CFLAGS += -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -DPL_NO_SANDBOX
ALL_LDFLAGS += -fsanitize=address,undefined
endif
ifeq ($(FLAVOUR),fuzz)
CC := clang
ALL_CFLAGS += -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -DPL_NO_SANDBOX
ALL_LDFLAGS += -fsanitize=address,undefined
endif
ifdef WERROR
ALL_CFLAGS += -Werror
endif
Q := $(if $(V),,@)

LIB_OBJS := $(patsubst %.c,$O/%.o,$(wildcard libcommon/*.c))
LIB := $O/libcommon.a
BINS := $(PROGRAMS:%=$O/bin/%)
UNIT_SRCS := $(wildcard tests/unit/*_test.c)
UNITS := $(UNIT_SRCS:tests/unit/%.c=$O/unit/%)
FUZZ_SRCS := $(wildcard tests/fuzz/*_fuzz.c)
FUZZERS := $(FUZZ_SRCS:tests/fuzz/%.c=$O/fuzz/%)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:

all: $(BINS) ## build every program into build/release/bin

# Changed flags rebuild: the stamp is rewritten only when its text differs.
FLAGS_TEXT := $(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) | $(ALL_LDFLAGS) $(LIBS)
$O/flags: FORCE
	@mkdir -p $O
	@echo '$(subst ','\'',$(FLAGS_TEXT))' | cmp -s - $@ || echo '$(subst ','\'',$(FLAGS_TEXT))' > $@
FORCE:

$O/%.o: %.c $O/flags
	@mkdir -p $(@D)
	@$(if $(V),,echo '  CC    $<')
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(LIB): $(LIB_OBJS)
	@$(if $(V),,echo '  AR    $@')
	$(Q)rm -f $@ && $(AR) rcs $@ $^

.SECONDEXPANSION:
$(BINS): $O/bin/%: $O/filters/%.o $$(patsubst %.c,$O/%.o,$$($$*_SRCS)) $(LIB)
	@mkdir -p $(@D)
	@$(if $(V),,echo '  LD    $@')
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $($*_LIBS) $(LIBS)

$(UNITS): $O/unit/%: $O/tests/unit/%.o $(LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(FUZZERS): $O/fuzz/%: $O/tests/fuzz/%.o $(LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

-include $(shell test -d $O && find $O -name '*.d')
