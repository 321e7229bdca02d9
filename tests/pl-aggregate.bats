#!/usr/bin/env bats
#
# pl-aggregate: its sums against those of another program and against sums made by hand, what it
# may be told, and what it refuses. tests/data/threads.samples.ndjson is made by hand: two events,
# threads, modules of all kinds, inlined functions, lost records; the figures below are worked out
# from its lines. Merging: pl-aggregate-merge.bats.
#
# shellcheck disable=SC2154,SC2016 # out and err are the helper's; jq and sed have a $ of their own

load helper
load records

example=schemas/examples/two-lines.samples.ndjson
threads=tests/data/threads.samples.ndjson

setup() {
	in=$BATS_TEST_TMPDIR/in.ndjson
}

# folded [OPTION…] -- LINE…: the lines go through pl-fold-parse into $in.
folded() {
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	printf '%s\n' "$@" | pl-fold-parse "${options[@]}" >"$in"
}

# aggregate [OPTION…]: of $in; the analysis is in $out.
aggregate() {
	run_ok pl-aggregate "$@" "$in"
}

# hotspot SYMBOL FILTER: of the one row of that symbol.
hotspot() {
	jq -en --arg symbol "$1" "[inputs | select(.type == \"hotspot\" and .symbol == \$symbol)]
		| length == 1 and (.[0] | $2)" "$out" >/dev/null ||
		fail "$1 is not: $2" "$(grep '"type":"hotspot"' "$out" | grep -F "\"symbol\":\"$1\"")"
}

# id PREFIX GROUP_BY WORD…: as STREAMS.md defines it: each key is two words, name and base name.
id() {
	local prefix=$1
	shift
	echo "$prefix-$(printf '%s\0' "$@" | sha256sum | cut -c 1-16)"
}

@test "pl-aggregate keeps the contract of every program" {
	program_contract pl-aggregate $example
	program_contract pl-aggregate $example --partial
	pl-aggregate --partial $example >"$in"
	program_contract pl-aggregate "$in" --merge
}

@test "pl-aggregate keeps the contract of readers of streams" {
	stream_contract pl-aggregate $example
	pl-aggregate --partial $example >"$in"
	stream_contract pl-aggregate "$in" --merge
}

@test "the example comes out byte for byte: FILE, --input, stdin, behind the parser" {
	local want=schemas/examples/two-lines.analysis.ndjson
	run_ok pl-aggregate $example
	same $want "$out"
	run_ok pl-aggregate --input $example
	same $want "$out"
	run_ok pl-aggregate <$example
	same $want "$out"
	run_ok pl-aggregate < <(pl-fold-parse schemas/examples/two-lines.folded)
	same $want "$out"
}

@test "whole analyses and partial sums" {
	golden threads.analysis.ndjson pl-aggregate $threads
	golden threads.partial.ndjson pl-aggregate --partial $threads
	pl-fold-parse --event-name walk tests/data/all-kinds.folded >"$in"
	golden all-kinds.analysis.ndjson pl-aggregate "$in"
}

# ---- against the other program ----

# as_reference UNIT: $BATS_TEST_TMPDIR/made.folded comes out as tests/ref/aggregate.awk says.
as_reference() {
	local made=$BATS_TEST_TMPDIR/made.folded
	LC_ALL=C awk -v unit="$1" -f tests/ref/aggregate.awk "$made" |
		LC_ALL=C sort -t $'\t' -k 1,1n -k 2,2nr -k 3,3nr -k 4,4 | cut -f 5- \
		>"$BATS_TEST_TMPDIR/reference"
	pl-fold-parse --unit "$1" "$made" >"$in"
	aggregate --call-path-limit 1M
	rows "$out" | sed -E 's/"id":"[hp]-[0-9a-f-]*",//g' >"$BATS_TEST_TMPDIR/mine"
	same "$BATS_TEST_TMPDIR/reference" "$BATS_TEST_TMPDIR/mine"
}

@test "2,500 made-up stacks with recursion: each row, byte for byte, as another program sums them" {
	awk -v lines=2500 -v seed=7 -f tests/ref/folded.awk >"$BATS_TEST_TMPDIR/made.folded"
	as_reference samples
	[ "$(grep -c '"type":"path"' "$out")" -gt 1500 ]
	[ "$(grep -c '"type":"hotspot"' "$out")" -gt 30 ]
}

@test "small made-up profiles of other seeds, too" {
	for seed in 1 2 3; do
		awk -v lines=$((seed * 5)) -v seed=$seed -f tests/ref/folded.awk \
			>"$BATS_TEST_TMPDIR/made.folded"
		as_reference unknown
	done
	stream_ok "$out"
}

@test "conservation: self and paths add up to the weight, percentages to one hundred" {
	awk -v lines=2500 -v seed=11 -f tests/ref/folded.awk | pl-fold-parse >"$in"
	aggregate --top-n 7 --call-path-limit 50
	holds '(.[] | select(.type == "event")) as $event | (.[-1].events[0]) as $last
		| ([.[] | select(.type == "hotspot").self] | add) + $last.omitted_self == $event.weight
		and ([.[] | select(.type == "path").weight] | add) + $last.omitted_weight == $event.weight
		and $last.hotspots == 7 and $last.paths == 50'
	[ "$(jq 'select(.type == "event").weight' "$out")" = \
		"$(awk -v lines=2500 -v seed=11 -f tests/ref/folded.awk |
			awk '{ sum += $NF } END { print sum }')" ]
	aggregate --call-path-limit 10K
	holds '[.[] | select(.type == "hotspot").self_pct] | add - 100 | fabs < 0.0001'
	holds '[.[] | select(.type == "hotspot")] | all(.self <= .inclusive and .inclusive_pct <= 100
		and .self_samples <= .samples and .samples <= .occurrences)'
}

@test "the order of the lines does not matter to the rows" {
	awk -v lines=2500 -v seed=3 -f tests/ref/folded.awk >"$BATS_TEST_TMPDIR/made"
	for order in cat tac 'sort -r'; do
		LC_ALL=C $order "$BATS_TEST_TMPDIR/made" | pl-fold-parse | pl-aggregate >"$in"
		rows "$in" >"$BATS_TEST_TMPDIR/$order"
	done
	same "$BATS_TEST_TMPDIR/cat" "$BATS_TEST_TMPDIR/tac"
	same "$BATS_TEST_TMPDIR/cat" "$BATS_TEST_TMPDIR/sort -r"
}

@test "frames carried by the samples: the same rows" {
	awk -v lines=300 -v seed=5 -f tests/ref/folded.awk | pl-fold-parse --dso-from-frame >"$in"
	for file in "$in" $threads; do
		pl-expand "$file" >"$BATS_TEST_TMPDIR/expanded"
		pl-aggregate "$file" >"$BATS_TEST_TMPDIR/interned.analysis"
		run_ok pl-aggregate "$BATS_TEST_TMPDIR/expanded"
		same_rows "$BATS_TEST_TMPDIR/interned.analysis"
	done
}

# ---- sums made by hand ----

@test "self is the leaf's; inclusive once a sample, so recursion never exceeds 100 %" {
	folded -- 'a;b;a;b;a 3' 'b;a 1'
	aggregate
	hotspot a '[.self, .inclusive, .inclusive_pct, .self_samples, .samples, .occurrences]
		== [4, 4, 100, 2, 2, 4]'
	hotspot b '[.self, .inclusive, .inclusive_pct, .self_samples, .samples, .occurrences]
		== [0, 4, 100, 0, 2, 3]'
	# a distinct pair counts once a sample
	hotspot a '[.callers[] | [.symbol, .weight]] == [["b", 4]]'
	hotspot a '[.callees[] | [.symbol, .weight]] == [["b", 3]]'
}

@test "percentages: six decimals, half up, from integers" {
	folded -- 'half 1' 'rest 199999999'
	aggregate
	grep -q '"symbol":"half".*"self":1,"self_pct":0.000001,' "$out"
	grep -q '"symbol":"rest".*"self":199999999,"self_pct":100.000000,' "$out"
	folded -- 'less 1' 'rest 200000000'
	aggregate
	grep -q '"symbol":"less".*"self":1,"self_pct":0.000000,' "$out"
	folded -- 'third 6148914691236517205' 'two 12297829382473034410' # of 2^64-1
	aggregate
	grep -q '"symbol":"third".*"self":6148914691236517205,"self_pct":33.333333,' "$out"
	grep -q '"symbol":"two".*"self":12297829382473034410,"self_pct":66.666667,' "$out"
	grep -q '"weight":18446744073709551615,' "$out"
}

@test "events and their figures" {
	cp $threads "$in"
	aggregate
	stream_ok "$out"
	holds '[.[] | select(.type == "event") | del(.type)] == [
		{label: "cycles:u", name: "cycles:u", unit: "cycles", weight_source: "period",
		 source: "hardware", samples: 7, weight: 450, stackless: 30, lost: 12, threads: 3,
		 multi_frame_weight: 420, idle_weight: 30, n_eff: 3.648649},
		{label: "page-faults", name: "page-faults", unit: "events", weight_source: "count",
		 source: "software", samples: 3, weight: 6, stackless: 0, lost: 5, threads: 1,
		 multi_frame_weight: 4, idle_weight: 2, n_eff: 2.571429}]'
}

@test "quality and its figures" {
	cp $threads "$in"
	aggregate
	holds '[.[] | select(.type == "quality") | del(.type, .allowed, .forbidden)] == [
		{event: "cycles:u", status: "partial",
		 reasons: ["lost_records", "unresolved_self", "cut_stacks"],
		 unresolved_self: 50, unresolved_self_pct: 11.111111,
		 unresolved_self_user: 0, unresolved_self_user_pct: 0,
		 unresolved_self_kernel: 50, unresolved_self_kernel_pct: 11.111111,
		 unresolved_self_other: 0, unresolved_self_other_pct: 0,
		 unresolved_threshold_pct: 0, source_line_self: 340, inlined_frames: 6,
		 merged_symbols: 1, cut_weight: 20, suspect_callers: 1, largest_sample_pct: 44.444444,
		 announced_samples: 7, received_samples: 7, malformed: 0, skipped: 2, replaced: 0},
		{event: "page-faults", status: "partial", reasons: ["lost_records"],
		 unresolved_self: 0, unresolved_self_pct: 0,
		 unresolved_self_user: 0, unresolved_self_user_pct: 0,
		 unresolved_self_kernel: 0, unresolved_self_kernel_pct: 0,
		 unresolved_self_other: 0, unresolved_self_other_pct: 0,
		 unresolved_threshold_pct: 0, source_line_self: 1, inlined_frames: 0,
		 merged_symbols: 0, cut_weight: 0, suspect_callers: 0, largest_sample_pct: 50,
		 announced_samples: 3, received_samples: 3, malformed: 0, skipped: 2, replaced: 0}]'
}

@test "conclusions, in their order" {
	cp $threads "$in"
	aggregate
	holds '[.[] | select(.type == "quality")][0] | .allowed == [
		"sampled_event_hotspot_distribution", "call_path_distribution", "source_line_observation",
		"on_cpu_hotspot_distribution"]
		and .forbidden == ["performance_root_cause", "verified_improvement", "wall_clock_time",
		"off_cpu_time", "instructions_per_cycle", "hardware_cache_miss_rate",
		"hardware_branch_miss_rate", "unique_machine_code_identity_from_normalized_symbol",
		"cross_time_jit_symbol_replay", "unqualified_profile_conclusion"]'
	folded --event-name off_cpu --unit nanoseconds -- 'alone 3'
	aggregate
	of quality '.allowed == ["sampled_event_hotspot_distribution"] and .forbidden == [
		"performance_root_cause", "verified_improvement", "wall_clock_time",
		"instructions_per_cycle", "hardware_cache_miss_rate", "hardware_branch_miss_rate",
		"microarchitectural_bottleneck", "caller_callee_relationship",
		"exact_source_line_attribution"]'
	for name in cpu-clock task-clock cycles:ppp; do
		folded --event-name $name -- 'alone 3'
		aggregate
		of quality '.allowed | index("on_cpu_hotspot_distribution")'
	done
}

@test "modules: by self, with their digest, their reason, and what would resolve them" {
	cp $threads "$in"
	aggregate
	holds '[.[] | select(.type == "module") | [.dso, .build_id, .self, .self_pct, .unresolved_self,
		.reason, (.fix | type)]] == [
		["/usr/lib/libc.so.6", "bb02", 300, 66.666667, 0, null, "null"],
		["[kernel.kallsyms]", null, 50, 11.111111, 50, "kptr_restrict", "string"],
		["/opt/app", "aa01", 40, 8.888889, 0, null, "null"],
		["/tmp/perf-123.map", null, 20, 4.444444, 0, null, "null"],
		["/opt/old (deleted)", null, 10, 2.222222, 0, null, "null"],
		["/memfd:code (deleted)", null, 3, 50, 0, null, "null"],
		["[kernel.kallsyms]", null, 2, 33.333333, 0, "kptr_restrict", "null"],
		["/usr/lib/libc.so.6", "bb02", 1, 16.666667, 0, null, "null"]]'
	folded -- 'a;b 1' # none for null
	aggregate
	holds 'all(.type != "module")'
}

@test "hotspots: self, inclusive, threads, sources, addresses; inlined functions are expanded" {
	cp $threads "$in"
	aggregate --event cycles:u
	holds '[.[] | select(.type == "hotspot") | [.symbol, .dso, .kind, .self, .inclusive,
		.self_samples, .samples, .occurrences, .threads, .idle]] == [
		["malloc", "/usr/lib/libc.so.6", "user", 300, 300, 2, 2, 2, 2, 0],
		["unknown", "[kernel.kallsyms]", "kernel", 50, 50, 1, 1, 1, 1, 0],
		["inner", "/opt/app", "user", 40, 50, 1, 2, 3, 1, 0],
		["emitted", "[jit]", "jit", 20, 20, 1, 1, 1, 1, 0],
		["gone", "/opt/old", "deleted", 10, 10, 1, 1, 1, 1, 0],
		["main", "/opt/app", "user", 0, 420, 0, 6, 6, 2, 0],
		["mid", "/opt/app", "user", 0, 50, 0, 2, 3, 1, 0],
		["outer", "/opt/app", "user", 0, 50, 0, 2, 3, 1, 0]]'
	hotspot malloc '.variants == ["malloc", "malloc@plt"] and .variants_total == 2
		and .sources == [{file: "malloc.c", line: 20, self: 200},
			{file: "malloc.c", line: 10, self: 100}] and .sources_total == 2
		and .addresses == [{build_id: "bb02", offset: "0x20", self: 200},
			{build_id: "bb02", offset: "0x10", self: 100}] and .addresses_total == 2'
	hotspot inner '.variants == ["inner()"] and .sources == [{file: "inner.h", line: 3, self: 40}]'
	hotspot inner '[.callers[] | [.symbol, .dso, .weight]] == [["mid", "/opt/app", 50]]'
	hotspot inner '[.callees[] | [.symbol, .dso, .weight]]
		== [["gone", "/opt/old", 10], ["outer", "/opt/app", 10]]'
	hotspot main '[.callees[] | [.symbol, .weight]]
		== [["malloc", 300], ["outer", 50], ["unknown", 50], ["emitted", 20]]'
}

@test "paths: by weight, then by their keys; kinds and inlined of their rows" {
	cp $threads "$in"
	aggregate --event cycles:u
	holds '[.[] | select(.type == "path") | [.weight, .pct, .samples, ([.frames[].symbol] | join(";"))]]
		== [[300, 66.666667, 2, "main;malloc"], [50, 11.111111, 1, "main;unknown"],
		[40, 8.888889, 1, "main;outer;mid;inner"], [20, 4.444444, 1, "main;emitted"],
		[10, 2.222222, 1, "main;outer;mid;inner;outer;mid;inner;gone"]]'
	holds '[.[] | select(.type == "path")][2].frames == [
		{symbol: "main", dso: "/opt/app", kind: "user"},
		{symbol: "outer", dso: "/opt/app", kind: "user"},
		{symbol: "mid", dso: "/opt/app", kind: "user", inlined: true},
		{symbol: "inner", dso: "/opt/app", kind: "user", inlined: true}]'
}

@test "order: self, inclusive, symbol, dso; paths: weight, then the key sequence" {
	folded --dso-from-frame -- 'z;b 5' 'b 5' 'a;c 10' 'd (y) 4' 'd (x) 4' 'd 4' 'e;e;f 0' \
		'y;d 4' 'y 4'
	aggregate
	[ "$(jq -r 'select(.type == "hotspot") | "\(.symbol) \(.dso) \(.self) \(.inclusive)"' "$out")" = \
		"$(printf '%s\n' 'b null 10 10' 'c null 10 10' 'd null 8 8' 'y null 4 8' \
			'd x 4 4' 'd y 4 4' 'a null 0 10' 'z null 0 5')" ]
	[ "$(jq -r 'select(.type == "path") | "\(.weight) " + ([.frames[] | .symbol + (.dso // "")]
		| join(";"))' "$out")" = "$(printf '%s\n' '10 a;c' '5 b' '5 z;b' '4 d' '4 dx' '4 dy' '4 y' \
			'4 y;d')" ]
}

@test "kind of a row: that of its frames, null where they differ" {
	folded -- 'a_[k];b_[j];c;d_[w] 1' 'c_[k];c_[i] 1' 'a_[k];i_[i] 1' 'i_[i];j_[k]_[i] 1'
	aggregate
	hotspot a '.kind == "kernel"'
	hotspot b '.kind == "jit"'
	hotspot d '.kind == "waker"'
	hotspot c '.kind == null and .variants == ["c", "c_[i]", "c_[k]"]'
	hotspot i '.kind == null'
	holds '[.[] | select(.type == "path").frames[] | select(.symbol == "i" or .symbol == "j")]
		| all(.inlined)'
	holds '[.[] | select(.type == "path").frames[] | select(.symbol == "c")] | length == 3
		and all(has("inlined") | not) and all(has("kind") | not)'
	of quality '.merged_symbols == 1 and .inlined_frames == 4'
}

@test "a module's kind is its frames' unless they have one" {
	{
		head -n 1 $example
		echo '{"type":"event","id":0,"name":"e","unit":"u","weight_source":"interval","source":"unknown"}'
		echo '{"type":"module","id":0,"dso":"/m","kind":"vdso"}'
		echo '{"type":"frame","id":0,"symbol":"a","module":0}'
		echo '{"type":"frame","id":1,"symbol":"b","module":0,"kind":"guest"}'
		echo '{"type":"sample","event":0,"weight":2,"stack":[1,0]}'
		echo '{"type":"end","samples":1,"events":[{"id":0,"samples":1,"weight":2}],"modules":1,"frames":2,"lost":0,"records":1,"malformed":0,"skipped":0,"replaced":0,"diagnostics":{},"inputs":[{"bytes":1,"lines":1}]}'
	} >"$in"
	run_ok pl-aggregate "$in"
	hotspot a '.kind == "vdso"'
	hotspot b '.kind == "guest"'
	of event '.unit == "u" and .weight_source == "interval" and .n_eff == null'
	hotspot a 'has("self_ci95") | not'
}

@test "DSO normalisation: perf maps, memfd, deleted files; nothing else" {
	folded --dso-from-frame -- 'a (/tmp/perf-1.map);b (/tmp/perf-22.map) 1' \
		'c (/memfd:x y (deleted));d (/opt/e (deleted)) 1' \
		'f (/tmp/perf-1a.map);g (perf-.map);h (/opt/deleted);i (/a/b/c.so) 1'
	aggregate
	holds '[.[] | select(.type == "hotspot") | {(.symbol): [.dso, .kind]}] | add == {
		a: ["[jit]", null], b: ["[jit]", null], c: ["memfd:x y", null],
		d: ["/opt/e", "deleted"], f: ["/tmp/perf-1a.map", null], g: ["perf-.map", null],
		h: ["/opt/deleted", null], i: ["/a/b/c.so", null]}'
	of quality '.forbidden | index("cross_time_jit_symbol_replay")'
}

@test "unresolved: unknown, [unknown], ??, bare addresses; by mode" {
	folded -- 'a;[unknown] 1' 'a;unknown 2' 'a;?? 4' 'a;0x7fFF 8' 'a;0x1_[k] 16' 'a;??_[j] 32' \
		'a;0x 100' 'a;0xfg 100' 'a;Unknown 100' 'a;unknown_x 100' 'unknown;a 100' 'a;? 100'
	aggregate
	of quality '[.unresolved_self, .unresolved_self_user, .unresolved_self_kernel,
		.unresolved_self_other] == [63, 32, 16, 15]'
	of quality '[.unresolved_self_pct, .unresolved_self_user_pct, .unresolved_self_kernel_pct,
		.unresolved_self_other_pct] == [9.502262, 4.826546, 2.413273, 2.262443]' # of 663
	of quality '.status == "partial" and .reasons == ["unresolved_self"]'
	# of functions that are known some have no mode
	of quality '.allowed | index("sample_privilege_distribution") == null'
	folded -- 'a;b_[k] 1' 'a;c_[j] 2' 'a;[unknown] 4'
	aggregate
	of quality '.allowed | index("sample_privilege_distribution")'
	folded -- 'a;[unknown] 4'
	aggregate
	of quality '.allowed | index("sample_privilege_distribution") == null'
}

@test "--unresolved-threshold: partial above it" {
	folded -- 'a;[unknown] 1' 'a;b 3'
	for threshold in 25 25.0 100 25.000001; do
		aggregate --unresolved-threshold $threshold
		of quality ".status == \"verified\" and .reasons == []
			and .unresolved_threshold_pct == $threshold and .unresolved_self_pct == 25"
		of header ".thresholds == {unresolved_pct: $threshold}
			and .producer.options == {unresolved_threshold: $threshold}"
	done
	aggregate --unresolved-threshold 24.999999
	of quality '.status == "partial" and .reasons == ["unresolved_self"]'
	for bad in -1 101 1e1 x 1.0000001; do
		expect_exit 2 pl-aggregate --unresolved-threshold $bad "$in"
	done
}

@test "idle: swapper, and leaves that are idle functions of the kernel" {
	cp $threads "$in"
	aggregate --event page-faults
	hotspot default_idle '.idle == 2 and .self == 2'
	of event '.idle_weight == 2'
	folded -- 'a;default_idle 1' 'a;cpuidle_enter_state_[k] 2' 'do_idle;b 4' 'a;intel_idle_x 8'
	aggregate
	of event '.idle_weight == 3'
	hotspot default_idle '.idle == 1'
	hotspot cpuidle_enter_state '.idle == 2'
	hotspot do_idle '.idle == 0'
	folded --dso-from-frame -- 'a;default_idle (/usr/bin/app) 1'
	aggregate
	of event '.idle_weight == 0'
}

# ---- ids ----

@test "ids: SHA-256 of what is grouped by, the key, the base name of its DSO" {
	cp $threads "$in"
	aggregate --event cycles:u
	hotspot malloc ".id == \"$(id h symbol,dso malloc libc.so.6)\""
	hotspot unknown ".id == \"$(id h symbol,dso unknown '[kernel.kallsyms]')\""
	hotspot emitted ".id == \"$(id h symbol,dso emitted '[jit]')\""
	hotspot malloc ".callers[0].id == \"$(id h symbol,dso main app)\""
	holds "[.[] | select(.type == \"path\")][0].id
		== \"$(id p symbol,dso main app malloc libc.so.6)\""
	folded -- 'compute 1'
	aggregate
	hotspot compute ".id == \"h-809dd1f5cfc5bd68\""
	hotspot compute ".id == \"$(id h symbol,dso compute '')\""
	aggregate --group-by symbol
	hotspot compute ".id == \"$(id h symbol compute '')\""
	cp $threads "$in"
	aggregate --group-by dso --event page-faults
	holds "[.[] | select(.type == \"hotspot\") | .id] == [\"$(id h dso '' memfd:code)\",
		\"$(id h dso '' '[kernel.kallsyms]')\", \"$(id h dso '' libc.so.6)\", \"$(id h dso '' app)\"]"
	aggregate --group-by comm --event page-faults
	holds "[.[] | select(.type == \"hotspot\") | .id] == [\"$(id h comm app '')\",
		\"$(id h comm unknown '')\"]"
	aggregate --group-by tid --event page-faults
	holds "[.[] | select(.type == \"hotspot\") | .id] == [\"$(id h tid 1 '')\",
		\"$(id h tid unknown '')\"]"
	aggregate --group-by source --event page-faults
	holds "[.[] | select(.type == \"hotspot\") | [.source, .id]] == [
		[\"unknown\", \"$(id h source unknown '')\"],
		[\"malloc.c:10\", \"$(id h source malloc.c:10 '')\"],
		[\"main.c:7\", \"$(id h source main.c:7 '')\"]]"
}

@test "the same function has the same id in every event and profile" {
	cp $threads "$in"
	aggregate
	holds '[.[] | select(.type == "hotspot" and .symbol == "main").id] | length == 2
		and (unique | length == 1)'
	folded --dso-from-frame -- 'main (/another/app) 5'
	aggregate
	hotspot main ".id == \"$(id h symbol,dso main app)\""
}

@test "two keys with one id are two rows, the later in byte order with -2; whatever they weigh" {
	folded --dso-from-frame -- 'm;f (/b/x.so) 9' 'm;f (/a/x.so) 5' 'm;f (/c/x.so) 7' 'm;f (x.so) 3'
	aggregate
	local one path
	one=$(id h symbol,dso f x.so)
	path=$(id p symbol,dso m '' f x.so)
	holds "[.[] | select(.symbol == \"f\") | [.dso, .id]] == [[\"/b/x.so\", \"$one-2\"],
		[\"/c/x.so\", \"$one-3\"], [\"/a/x.so\", \"$one\"], [\"x.so\", \"$one-4\"]]"
	holds "[.[] | select(.type == \"path\") | [.frames[1].dso, .id]] == [[\"/b/x.so\", \"$path-2\"],
		[\"/c/x.so\", \"$path-3\"], [\"/a/x.so\", \"$path\"], [\"x.so\", \"$path-4\"]]"
	hotspot m "[.callees[].id] == [\"$one-2\", \"$one-3\", \"$one\", \"$one-4\"]"
}

# ---- intervals ----

# wilson SELF TOTAL N: the 95 % interval of SELF / TOTAL at N draws, in percent.
wilson() {
	awk -v x="$1" -v t="$2" -v n="$3" 'BEGIN {
		z = 1.959963984540054; p = x / t; q = z * z / n
		middle = (p + q / 2) / (1 + q); half = z / (1 + q) * sqrt(p * (1 - p) / n + q / 4 / n)
		low = 100 * (middle - half)
		printf "[%.6f,%.6f]", low < 0 ? 0 : low, 100 * (middle + half) }'
}

@test "self_ci95: Wilson at the effective number of draws" {
	cp $threads "$in"
	aggregate --event cycles:u
	local n
	n=$(awk 'BEGIN { printf "%.17g", 450 * 450 / (1e4 + 4e4 + 2500 + 900 + 400 + 1600 + 100) }')
	grep -q "\"symbol\":\"malloc\".*\"self_ci95\":$(wilson 300 450 "$n" | sed 's/[][]/\\&/g')," "$out"
	grep -q "\"symbol\":\"inner\".*\"self_ci95\":$(wilson 40 450 "$n" | sed 's/[][]/\\&/g')," "$out"
	grep -q "\"symbol\":\"main\".*\"self_ci95\":$(wilson 0 450 "$n" | sed 's/[][]/\\&/g')," "$out"
	folded --unit samples -- 'a 30' 'b 10'
	aggregate
	of event '.n_eff == 40'
	grep -q "\"symbol\":\"a\".*\"self_ci95\":$(wilson 30 40 40 | sed 's/[][]/\\&/g')," "$out"
}

@test "no interval where weights are no draws" {
	for unit in unknown nanoseconds bytes; do
		folded --unit $unit -- 'a 30' 'b 10'
		aggregate
		of event '.n_eff == null'
		hotspot a 'has("self_ci95") | not'
	done
}

# ---- several events ----

@test "events are ordered by name, unit, weight source, source; labels tell those of one name apart" {
	for what in 'b bytes' 'a samples' 'b microseconds' 'b unknown'; do
		folded --event-name "${what% *}" --unit "${what#* }" -- "f${what#* } 1"
		mv "$in" "$BATS_TEST_TMPDIR/${what#* }"
	done
	cd "$BATS_TEST_TMPDIR"
	run_ok pl-aggregate unknown microseconds bytes samples
	holds '[.[] | select(.type == "event") | [.label, .name, .unit]] == [["a", "a", "samples"],
		["b", "b", "bytes"], ["b#2", "b", "microseconds"], ["b#3", "b", "unknown"]]'
	holds '[.[] | select(.type == "hotspot") | [.event, .symbol]] == [["a", "fsamples"],
		["b", "fbytes"], ["b#2", "fmicroseconds"], ["b#3", "funknown"]]'
	holds '[.[] | select(.type == "quality" or .type == "path") | .event]
		== ["a", "a", "b", "b", "b#2", "b#2", "b#3", "b#3"]'
	holds '[.[-1].events[].event] == ["a", "b", "b#2", "b#3"]'
	# one identity from two inputs is one event
	run_ok pl-aggregate samples samples
	of event '[.samples, .weight] == [2, 2]'
}

@test "--event: only that name, whatever its unit" {
	cp $threads "$in"
	aggregate
	rows "$out" | grep -E '^\{[^{]*"(event|label)":"page-faults"|^$' >"$BATS_TEST_TMPDIR/all"
	aggregate --event page-faults
	of header '.producer.options == {event: "page-faults"}'
	rows "$out" | grep -v '"type":"module"' >"$BATS_TEST_TMPDIR/one"
	same "$BATS_TEST_TMPDIR/all" "$BATS_TEST_TMPDIR/one"
	holds '[.[] | select(.type == "module").dso]
		== ["/memfd:code (deleted)", "[kernel.kallsyms]", "/usr/lib/libc.so.6"]'
	run_fail 3 NO_SAMPLES pl-aggregate --event page-fault "$in"
	jq -r .message "$err" | grep -q "'page-fault'"
}

@test "which hardware events were measured decides what is forbidden" {
	sed 's/"name":"page-faults","unit":"events","weight_source":"count","source":"software"/"name":"instructions:u","unit":"instructions","weight_source":"period","source":"hardware"/' \
		$threads >"$in"
	aggregate
	holds '[.[] | select(.type == "quality")] | length == 2
		and all(.forbidden | index("instructions_per_cycle") | not)
		and all(.forbidden | index("hardware_cache_miss_rate"))'
}

# ---- grouping ----

@test "--group-by: what is not grouped by is absent from the rows" {
	cp $threads "$in"
	for by in symbol,dso symbol dso comm tid source; do
		aggregate --group-by $by
		stream_ok "$out"
		of header ".group_by == \"$by\""
		holds "\"$by\" as \$by | [.[] | select(.type == \"hotspot\")] | length > 0
			and ([.[] | ., .callers[], .callees[]] | all(
				[has(\"symbol\", \"dso\", \"comm\", \"tid\", \"source\")]
				== [(\"symbol\", \"dso\", \"comm\", \"tid\", \"source\") | . as \$one
					| \$by | split(\",\") | index(\$one) != null]))"
		holds "\"$by\" as \$by | [.[] | select(.type == \"path\").frames[]] | length > 0
			and all(keys - [\"kind\", \"inlined\"] == (\$by | split(\",\") | sort))"
		# whatever is grouped by, the weight is conserved and the quality the same
		holds '([.[] | select(.type == "event")] | map(.weight - .stackless) | add) as $weight
			| ([.[] | select(.type == "hotspot").self] | add) == $weight
			and ([.[] | select(.type == "path").weight] | add) == $weight'
		holds '[.[] | select(.type == "quality").unresolved_self] == [50, 0]'
	done
	expect_exit 2 pl-aggregate --group-by thread "$in"
}

@test "--group-by comm, tid: the whole sample is its thread's" {
	cp $threads "$in"
	aggregate --event cycles:u --group-by comm
	holds '[.[] | select(.type == "hotspot") | [.comm, .self, .inclusive, .samples, .occurrences,
		.threads, .callers, .callees]] == [["pool 1", 250, 250, 3, 3, 1, [], []],
		["app", 170, 170, 3, 3, 1, [], []]]'
	aggregate --event cycles:u --group-by tid
	holds '[.[] | select(.type == "hotspot") | [.tid, .self]] == [["2", 250], ["1", 170]]'
}

@test "--group-by source: file and line, of inlined functions, too" {
	cp $threads "$in"
	aggregate --event cycles:u --group-by source
	holds '[.[] | select(.type == "hotspot") | [.source, .self, .inclusive]] == [
		["malloc.c:20", 200, 200], ["malloc.c:10", 100, 100], ["unknown", 80, 80],
		["inner.h:3", 40, 50], ["main.c:7", 0, 420], ["app.c:1", 0, 50], ["mid.h:2", 0, 50]]'
}

@test "--group-by dso: the spellings are what was recorded" {
	cp $threads "$in"
	aggregate --event cycles:u --group-by dso
	holds '[.[] | select(.type == "hotspot") | [.dso, .self, .inclusive, .variants]] == [
		["/usr/lib/libc.so.6", 300, 300, ["/usr/lib/libc.so.6"]],
		["[kernel.kallsyms]", 50, 50, ["[kernel.kallsyms]"]],
		["/opt/app", 40, 420, ["/opt/app"]], ["[jit]", 20, 20, ["/tmp/perf-123.map"]],
		["/opt/old", 10, 10, ["/opt/old (deleted)"]]]'
	folded -- 'a;b 3' # a format without DSOs has no spelling of them
	aggregate --group-by dso
	holds '[.[] | select(.type == "hotspot") | [.dso, .self, .variants, .variants_total]]
		== [[null, 3, [], 0]]'
}

# ---- omissions ----

@test "--top-n: the rest is accounted for, the analysis partial" {
	folded -- 'a;b 50' 'a;c 30' 'd 15' 'd;e 5'
	aggregate --top-n 2
	holds '[.[] | select(.type == "hotspot").symbol] == ["b", "c"]'
	of end '.events == [{event: "unknown", hotspots_total: 5, hotspots: 2, omitted_self: 20,
		paths_total: 4, paths: 4, omitted_weight: 0}]'
	of quality '.status == "partial" and .reasons == ["omitted_rows"]
		and (.forbidden | index("complete_profile_distribution", "unqualified_profile_conclusion"))'
	of header '.producer.options == {top_n: 2}'
	aggregate --top-n 5
	of quality '.status == "verified"'
}

@test "--call-path-limit: likewise" {
	folded -- 'a;b 50' 'a;c 30' 'd 15' 'd;e 5'
	aggregate --call-path-limit 3
	holds '[.[] | select(.type == "path").weight] == [50, 30, 15]'
	of end '.events == [{event: "unknown", hotspots_total: 5, hotspots: 5, omitted_self: 0,
		paths_total: 4, paths: 3, omitted_weight: 5}]'
	of quality '.status == "partial" and .reasons == ["omitted_rows"]'
	# what is not shown still counts
	hotspot e '[.callers[] | [.symbol, .weight]] == [["d", 5]]'
	aggregate --call-path-limit 4
	of quality '.status == "verified"'
}

@test "--no-paths: no paths, callers, callees; not allowed to speak of them; not partial" {
	folded -- 'a;b 50' 'a;c 30'
	aggregate
	grep -E '"type":"hotspot"' "$out" | sed 's/,"callers":.*/}/' >"$BATS_TEST_TMPDIR/with"
	aggregate --no-paths
	grep -E '"type":"hotspot"' "$out" >"$BATS_TEST_TMPDIR/without"
	same "$BATS_TEST_TMPDIR/with" "$BATS_TEST_TMPDIR/without"
	holds 'all(.type != "path")'
	of end '.events == [{event: "unknown", hotspots_total: 3, hotspots: 3, omitted_self: 0}]'
	stream_ok "$out"
	of quality '.status == "verified" and .allowed == ["sampled_event_hotspot_distribution"]'
	of header '.producer.options == {no_paths: true}'
}

@test "lists are cut: 32 spellings in byte order, the heaviest 16 sources, 64 addresses, 10 callers" {
	awk 'BEGIN {
		print "{\"type\":\"header\",\"schema\":\"perflens.samples\",\"version\":\"1.0\",\"producer\":{\"program\":\"t\",\"version\":\"1\",\"options\":{}},\"inputs\":[{\"format\":\"live\"}]}"
		print "{\"type\":\"event\",\"id\":0,\"name\":\"e\",\"unit\":\"u\",\"weight_source\":\"count\",\"source\":\"unknown\"}"
		print "{\"type\":\"module\",\"id\":0,\"dso\":\"m\",\"build_id\":\"b\"}"
		for (i = 0; i < 70; i++) {
			printf "{\"type\":\"frame\",\"id\":%d,\"symbol\":\"f\",\"module\":0,\"raw\":\"f.%d\",\"offset\":\"0x%x\"," \
				"\"source\":{\"file\":\"f.c\",\"line\":%d}}\n", 2 * i, 70 - i, i, i
			printf "{\"type\":\"frame\",\"id\":%d,\"symbol\":\"c%d\",\"module\":null}\n", 2 * i + 1, i
			printf "{\"type\":\"sample\",\"event\":0,\"weight\":%d,\"stack\":[%d,%d]}\n", i + 1, 2 * i + 1, 2 * i
			sum += i + 1
		}
		printf "{\"type\":\"end\",\"samples\":70,\"events\":[{\"id\":0,\"samples\":70,\"weight\":%d}]," \
			"\"modules\":1,\"frames\":140,\"lost\":0,\"records\":70,\"malformed\":0,\"skipped\":0," \
			"\"replaced\":0,\"diagnostics\":{},\"inputs\":[]}\n", sum }' >"$in"
	run_ok pl-aggregate "$in"
	hotspot f '.variants_total == 70 and .variants == ([range(1; 71) | "f.\(.)"] | sort | .[:32])'
	hotspot f '.sources_total == 70 and [.sources[] | [.line, .self]]
		== [range(69; 53; -1) | [., . + 1]]'
	hotspot f '.addresses_total == 70 and [.addresses[].self] == [range(70; 6; -1)]'
	hotspot f '[.callers[].symbol] == [range(69; 59; -1) | "c\(.)"]'
	of quality '.merged_symbols == 1 and (.reasons | index("omitted_rows") | not)'
}

# ---- heuristics ----

# inclusive_file INNER HOLDING: that many roots with one child of weight 5, HOLDING of which weigh
# 5 themselves, the others 4.
inclusive_file() {
	local i lines=()
	for ((i = 1; i <= $1; i++)); do
		lines+=("r$i $((i <= $2 ? 5 : 4))" "r$i;c 3" "r$i;d 2")
	done
	folded -- "${lines[@]}"
	aggregate
}

@test "LOOKS_INCLUSIVE: at least 20 inner stacks, 90 % of them with their children's sum" {
	inclusive_file 20 18
	stream_ok "$out"
	of diagnostic '.code == "LOOKS_INCLUSIVE" and .input == 0 and (.message | test("18 of 20"))'
	of end '.diagnostics == {LOOKS_INCLUSIVE: 1}'
	of quality '.status == "verified"' # it warns, it does not alter
	inclusive_file 20 17
	of end '.diagnostics == {}'
	inclusive_file 19 19
	of end '.diagnostics == {}'
	inclusive_file 21 21
	of end '.diagnostics == {LOOKS_INCLUSIVE: 1}'
	aggregate --no-paths # where the paths are
	of end '.diagnostics == {}'
}

@test "DOMINANT_SAMPLE: one line with over half of the weight" {
	folded -- 'a 5' 'b 5'
	aggregate
	of end '.diagnostics == {}'
	folded -- 'a;b 6' 'b 5'
	aggregate
	of diagnostic '.code == "DOMINANT_SAMPLE" and .preview == "a;b"
		and (.message | test("54.545455 %"))'
	of quality '.status == "verified" and .largest_sample_pct == 54.545455'
	folded -- 'a 3' 'a 3' 'a 3' # one line, not one stack
	aggregate
	of end '.diagnostics == {}'
	folded -- 'a 18446744073709551614' 'b 1'
	aggregate
	of end '.diagnostics == {DOMINANT_SAMPLE: 1}'
}

# ---- what arrived ----

@test "fewer samples than announced: partial, stream_filtered, both figures" {
	folded -- 'a;b 5' 'a;c 50' 'd 7' 'd 500'
	jq -c 'select(.type != "sample" or .weight > 10)' "$in" >"$in.some"
	mv "$in.some" "$in"
	aggregate
	of quality '.status == "partial" and .reasons == ["stream_filtered"]
		and .announced_samples == 4 and .received_samples == 2'
	of event '[.samples, .weight] == [2, 550]'
	jq -c 'select(.type != "sample")' "$in" >"$in.none"
	run_fail 3 NO_SAMPLES pl-aggregate "$in.none"
	run_ok pl-aggregate --allow-empty "$in.none"
	stream_ok "$out"
	of quality '.reasons == ["stream_filtered", "no_samples"] and .announced_samples == 4
		and .unresolved_self_pct == 0 and .allowed == []'
}

@test "no samples: exit 3, unless --allow-empty" {
	pl-fold-parse </dev/null >"$in"
	run_fail 3 NO_SAMPLES pl-aggregate "$in"
	grep -q allow-empty "$err"
	aggregate --allow-empty
	stream_ok "$out"
	holds '[.[].type] == ["header", "end"]'
	of end '.events == [] and .records == 0'
}

@test "what the parser met is told: malformed, skipped, replaced, diagnostics" {
	printf 'a 1\nb\n# c\nd\xff 2\n' >"$BATS_TEST_TMPDIR/f"
	pl-fold-parse "$BATS_TEST_TMPDIR/f" >"$in"
	aggregate
	of quality '.status == "partial" and .reasons == ["malformed_records", "replaced_bytes"]
		and [.malformed, .skipped, .replaced] == [1, 1, 1]'
	holds '[.[] | select(.type == "diagnostic" and .code == "MISSING_WEIGHT")] == [{
		type: "diagnostic", code: "MISSING_WEIGHT", input: 0, line: 2,
		message: .[-2].message, preview: "b"}]'
	pl-fold-parse --no-digest schemas/examples/two-lines.folded >"$in"
	aggregate
	of quality '.reasons == ["input_digest_absent"]'
}

@test "of a diagnostic its known members are taken over, in their order; a wrong one is refused" {
	cp $threads "$in"
	sed -i 's/"code":"CLOCK_JUMP","input":0,"offset":4096,\(.*\)}$/"colour":"red","offset":4.096e3,"code":"CLOCK_JUMP",\1,"input":0}/' "$in"
	grep -q '"colour"' "$in"
	sed 's/4.096e3/4096/' "$in" >"$in.good"
	run_ok pl-aggregate "$in.good"
	stream_ok "$out"
	grep -q '^{"type":"diagnostic","code":"CLOCK_JUMP","input":0,"offset":4096,"message":"time went backwards","preview":""}$' "$out"
	for wrong in 's/4.096e3/"4096"/' 's/"offset":4.096e3/"line":-1/' 's/,"message":"[^"]*"//' \
		's/"CLOCK_JUMP",/7,/'; do
		sed "/diagnostic/$wrong" "$in" >"$in.bad"
		expect_exit 3 pl-aggregate "$in.bad"
		grep -q "^pl-aggregate: $in.bad:31: diagnostic: " "$err" || fail "$wrong: $(cat "$err")"
	done
}

@test "several inputs: foreign inputs are counted depth first, diagnostics by input, then line" {
	printf 'x\na 1\n' >"$BATS_TEST_TMPDIR/1"
	printf 'a 1\ny\nz\n' >"$BATS_TEST_TMPDIR/2"
	pl-fold-parse --quiet "$BATS_TEST_TMPDIR/1" "$BATS_TEST_TMPDIR/2" >"$in"
	printf 'b 1\ny\nz\n' >"$BATS_TEST_TMPDIR/3"
	pl-fold-parse --quiet "$BATS_TEST_TMPDIR/3" >"$in.2"
	run_ok pl-aggregate --max-warnings 4 "$in" "$in.2"
	stream_ok "$out"
	holds '[.[] | select(.type == "diagnostic") | [.input, .line]] == [[0, 1], [1, 2], [1, 3], [2, 2]]'
	of end '.diagnostics == {MISSING_WEIGHT: 5}'
	of header "[.inputs[] | [.inputs[].sha256]] == [[\"$(sha256sum <"$BATS_TEST_TMPDIR/1" | cut -c 1-64)\",
		\"$(sha256sum <"$BATS_TEST_TMPDIR/2" | cut -c 1-64)\"],
		[\"$(sha256sum <"$BATS_TEST_TMPDIR/3" | cut -c 1-64)\"]]"
	of event '[.samples, .weight] == [3, 3]'
	of quality '[.malformed, .announced_samples] == [5, 3]'
}

@test "a foreign input's name goes no further, its host does" {
	cp $threads "$in"
	aggregate
	! grep secret "$out" || fail "the name"
	of header '.inputs[0].inputs[0] == {format: "perf-data", host: {arch: "x86_64", release: "6.1.0",
		cpus: 2}, bytes: 4242, sha256: ("0123456789abcdef" * 4), lines: 0}'
}

@test "records are counted, the digest is that of the bytes before it" {
	cp $threads "$in"
	aggregate
	of end ".records == $(($(wc -l <"$out") - 2))"
	[ "$(tail -n 1 "$out" | jq -r .sha256)" = \
		"$(sed '$s/,"sha256":"[0-9a-f]*"}$//' "$out" | head -c -1 | sha256sum | cut -c 1-64)" ]
}

@test "threads: distinct tids of each input stream, summed" {
	run_ok pl-aggregate $threads $threads
	holds '[.[] | select(.type == "event").threads] == [6, 2]'
	holds '[.[] | select(.type == "hotspot" and .symbol == "main").threads] == [4, 2]'
}

# ---- streams that are not what they should be ----

@test "a stream that was cut off anywhere: exit 3, the program, the file, the line" {
	local n size
	size=$(($(wc -c <$example) - 1))
	export PERFLENS_JSON_ERRORS=1
	for ((n = 0; n < size; n += 13)); do
		head -c $n $example >"$in"
		expect_exit 3 pl-aggregate "$in"
		[[ $(<"$err") == *'"code":"STREAM_TRUNCATED"'* ]] || fail "$n bytes: $(<"$err")"
		[ ! -s "$out" ]
	done
	unset PERFLENS_JSON_ERRORS
	for ((n = 1; n < 10; n++)); do
		head -n $n $example >"$in"
		expect_exit 3 pl-aggregate "$in"
		[[ $(<"$err") == "pl-aggregate: $in:$n: "*'cut off'* ]] || fail "$n lines: $(<"$err")"
	done
	head -n 3 $example | expect_exit 3 pl-aggregate --output "$BATS_TEST_TMPDIR/no"
	[ ! -e "$BATS_TEST_TMPDIR/no" ]
}

@test "a newer minor version: unknown members and records are ignored" {
	pl-aggregate $example >"$BATS_TEST_TMPDIR/plain"
	sed -e '1s/"version":"1.0"/"version":"1.27"/' -e '1!s/^{/{"colour":["red"],/' \
		-e '4a {"type":"palette","colours":3}' -e 's/"unit":"unknown"/"unit":"fortnights"/' \
		$example >"$in"
	aggregate
	sed -i 's/"unit":"unknown"/"unit":"fortnights"/' "$BATS_TEST_TMPDIR/plain"
	same_rows "$BATS_TEST_TMPDIR/plain"
}

@test "any order of members and any JSON white space" {
	pl-aggregate $example >"$BATS_TEST_TMPDIR/plain"
	jq -c 'to_entries | reverse | from_entries' $example | sed 's/[:,]/ & \t/g' >"$in"
	aggregate
	same_rows "$BATS_TEST_TMPDIR/plain"
}

# broken LINE SED-SCRIPT…: each change of that line of the example is refused: exit 3, file, line.
broken() {
	local line=$1 script
	shift
	for script in "$@"; do
		LC_ALL=C sed "$line$script" $example >"$in"
		! cmp -s $example "$in" || fail "nothing changed: $script"
		PERFLENS_JSON_ERRORS=1 expect_exit 3 pl-aggregate "$in"
		case $(<"$err") in
		*'"code":"PROFILE_PARSE_FAILED"'*"\"file\":\"$in\",\"line\":$line,"*) ;;
		*) fail "$script: $(<"$err")" ;;
		esac
	done
}

@test "hostile JSON: exit 3 with file and line" {
	local deep
	deep=$(printf '[%.0s' {1..65})$(printf ']%.0s' {1..65})
	broken 3 's/"id":0/"id":0,"id":0/' 's/main/m\xffn/' 's/main/\\u0000/' 's/main/\\ud800/' \
		"s/^{/{\"x\":$deep,/" 's/"main"/main/' 's/}$/,}/' 's/.*//' 's/$/ x/' 's/.*/[]/' \
		's/"type":"frame"/"type":3/' 's/"type":"frame",//'
}

@test "records that contradict themselves or others: exit 3 with file and line" {
	broken 2 's/"id":0/"id":1/' 's/"id":0/"id":-1/' 's/"name":"unknown"/"name":3/' 's/,"unit":"unknown"//'
	broken 4 's/"id":1/"id":2/' 's/"id":1/"id":0/' 's/"module":null/"module":0/' 's/"symbol"/"sym"/'
	broken 7 's/182/-182/' 's/182/18446744073709551616/' 's/182/1.5/' 's/182/1e3/' 's/182/"182"/' \
		's/0,1,2,3/0,1,2,4/' 's/0,1,2,3/0,-1/' 's/0,1,2,3/0,"1"/' 's/"event":0/"event":1/' \
		's/,"stack":\[0,1,2,3\]//' 's/"stack"/"frames":[],&/'
	broken 10 's/"samples":2/"samples":1/2' 's/"weight":453/"weight":454/' 's/"frames":5/"frames":6/' \
		's/"modules":0/"modules":1/' 's/"id":0/"id":1/' 's/"lost":0,//'
	{ cat $example && tail -n 1 $example; } >"$in"
	expect_exit 3 pl-aggregate "$in"
	grep -q "$in:11: " "$err"
	cat $example $example >"$in"
	expect_exit 3 pl-aggregate "$in"
	sed '2i {"type":"header"}' $example >"$in"
	expect_exit 3 pl-aggregate "$in"
}

@test "weights that jq rounded are told as that" {
	printf 'a 9007199254740993\nb 1\nc 9007199254740993\n' | pl-fold-parse |
		sed '/"type":"sample"/s/9007199254740993/9007199254740992/' >"$in"
	run_fail 3 PROFILE_PARSE_FAILED pl-aggregate "$in"
	jq -r '.message + (.suggested_actions | join(""))' "$err" | grep 18014398509481985 |
		grep 18014398509481987 | grep -q jq
}

@test "no stream of samples at all" {
	run_fail 3 PROFILE_PARSE_FAILED pl-aggregate schemas/examples/two-lines.folded
	grep -q pl-fold-parse "$err"
	run_fail 3 UNSUPPORTED_FORMAT pl-aggregate schemas/examples/two-lines.analysis.ndjson
	pl-aggregate --partial $example >"$in"
	run_fail 3 UNSUPPORTED_FORMAT pl-aggregate "$in"
	run_fail 3 UNSUPPORTED_FORMAT pl-aggregate --merge $example
}

@test "sums that do not fit: exit 4, WEIGHT_OVERFLOW, never a wrap" {
	folded -- 'a 18446744073709551615'
	run_fail 4 WEIGHT_OVERFLOW pl-aggregate "$in" $example
	pl-aggregate --partial "$in" >"$in.1"
	pl-aggregate --partial $example >"$in.2"
	run_fail 4 WEIGHT_OVERFLOW pl-aggregate --merge "$in.1" "$in.2"
	sed '$s/"samples":1,"weight":1/"samples":2,"weight":1/' "$in" >"$in.3"
	sed -i '/"type":"sample"/p' "$in.3"
	run_fail 4 WEIGHT_OVERFLOW pl-aggregate "$in.3"
}

@test "the same input twice is told: DUPLICATE_INPUT; empty files are no duplicates" {
	printf 'a 1\nb 2\n' >"$BATS_TEST_TMPDIR/1"
	gzip -c "$BATS_TEST_TMPDIR/1" >"$BATS_TEST_TMPDIR/1.gz"
	: >"$BATS_TEST_TMPDIR/none"
	pl-fold-parse --quiet "$BATS_TEST_TMPDIR/none" "$BATS_TEST_TMPDIR/1" "$BATS_TEST_TMPDIR/none" >"$in"
	run_ok pl-aggregate "$in"
	of end '.diagnostics | has("DUPLICATE_INPUT") | not'
	pl-fold-parse "$BATS_TEST_TMPDIR/1.gz" >"$in.2" # the unpacked bytes count
	run_ok pl-aggregate "$in" "$in.2"
	holds '[.[] | select(.code == "DUPLICATE_INPUT") | [.input, .message]] ==
		[[3, "the same bytes as input 1: they count twice"]]'
	of quality '.status == "verified"'
	stream_ok "$out"
}

@test "a grouping by what no sample has is noted" {
	for by in comm tid source; do
		expect_exit 0 pl-aggregate --group-by $by $example
		grep -q "^pl-aggregate: no .*: there is one row, unknown$" "$err"
		run_ok pl-aggregate --quiet --group-by $by $example
	done
}

@test "threads are counted once each, however many there are and in whatever order they come" {
	local samples=$BATS_TEST_TMPDIR/samples
	# 500 threads, in runs and back and forth; a's are all, b's the even ones, c's 7 of them
	awk 'BEGIN {
		print "{\"type\":\"header\",\"schema\":\"perflens.samples\",\"version\":\"1.0\",\"producer\":{\"program\":\"t\",\"version\":\"1\",\"options\":{}},\"inputs\":[{\"format\":\"t\"}]}"
		print "{\"type\":\"event\",\"id\":0,\"name\":\"e\",\"unit\":\"n\",\"weight_source\":\"period\",\"source\":\"software\"}"
		for (i = 0; i < 3; i++)
			printf "{\"type\":\"frame\",\"id\":%d,\"symbol\":\"%s\",\"module\":null}\n", i, substr("abc", i + 1, 1)
		for (turn = 0; turn < 3; turn++)
			for (i = 0; i < 500; i++) {
				t = turn == 1 ? 499 - i : turn == 2 ? i * 211 % 500 : i
				s = t % 2 ? "0" : t % 72 ? "0,1" : "0,1,2"
				printf "{\"type\":\"sample\",\"event\":0,\"weight\":1,\"stack\":[%s],\"tid\":%d}\n", s, 100000 - t
				n++
			}
		printf "{\"type\":\"end\",\"samples\":%d,\"events\":[{\"id\":0,\"samples\":%d,\"weight\":%d}],\"modules\":0,\"frames\":3,\"lost\":0,\"records\":%d,\"malformed\":0,\"skipped\":0,\"replaced\":0,\"diagnostics\":{},\"inputs\":[{\"bytes\":1,\"sha256\":\"%064d\",\"lines\":1}]}\n", n, n, n, n, 0
	}' >"$samples"
	run_ok pl-aggregate "$samples"
	[ "$(jq -c 'select(.type=="event").threads' "$out")" = 500 ]
	[ "$(jq -r 'select(.type=="hotspot") | "\(.symbol) \(.threads)"' "$out" | sort | tr '\n' ' ')" = \
		'a 500 b 250 c 7 ' ]
	# each stream has threads of its own
	run_ok pl-aggregate "$samples" "$samples"
	[ "$(jq -c 'select(.type=="event").threads' "$out")" = 1000 ]
}

# Weights by hand: of the five samples 2 (a nameless caller), 3 (the leaf has no name, which is no
# caller), 5, 7 (twice a nameless caller: once), 11.
@test "callers without a name, and names by trust, are counted" {
	local samples=$BATS_TEST_TMPDIR/samples
	cat >"$samples" <<-'END'
		{"type":"header","schema":"perflens.samples","version":"1.0","producer":{"program":"t","version":"1","options":{}},"inputs":[{"format":"t"}]}
		{"type":"event","id":0,"name":"e","unit":"n","weight_source":"period","source":"software"}
		{"type":"module","id":0,"dso":"/a","build_id":"aa","kind":"user","symbols":"full"}
		{"type":"module","id":1,"dso":"/b","kind":"user","symbols":"full"}
		{"type":"module","id":2,"dso":"/c","kind":"user","symbols":"none","reason":"BUILD_ID_UNKNOWN"}
		{"type":"module","id":3,"dso":"/tmp/perf-1.map","kind":"jit","symbols":"full"}
		{"type":"frame","id":0,"symbol":"main","module":0}
		{"type":"frame","id":1,"symbol":"unknown","module":null}
		{"type":"frame","id":2,"symbol":"unknown","module":2,"offset":"0x1"}
		{"type":"frame","id":3,"symbol":"believed","module":1}
		{"type":"frame","id":4,"symbol":"jitted","module":3}
		{"type":"frame","id":5,"symbol":"unknown","module":1,"offset":"0x1"}
		{"type":"sample","event":0,"weight":2,"stack":[0,1,4]}
		{"type":"sample","event":0,"weight":3,"stack":[0,2]}
		{"type":"sample","event":0,"weight":5,"stack":[0,3,3]}
		{"type":"sample","event":0,"weight":7,"stack":[1,2,5,0]}
		{"type":"sample","event":0,"weight":11,"stack":[0,4]}
	END
	printf '{"type":"end","samples":5,"events":[{"id":0,"samples":5,"weight":28}],"modules":4,"frames":6,"lost":0,"records":5,"malformed":0,"skipped":0,"replaced":0,"diagnostics":{},"inputs":[{"bytes":1,"sha256":"%064d","lines":1}]}\n' 0 >>"$samples"
	run_ok pl-aggregate "$samples"
	stream_ok "$out"
	[ "$(jq -c 'select(.type == "quality") | [.unresolved_callers, .trusted_frames, .reasons]' "$out")" = \
		'[9,2,["unresolved_self","trusted_paths"]]' ]
	mv "$out" "$BATS_TEST_TMPDIR/whole"
	run_ok pl-aggregate --partial "$samples"
	stream_ok "$out"
	mv "$out" "$BATS_TEST_TMPDIR/partial"
	run_ok pl-aggregate --merge "$BATS_TEST_TMPDIR/partial" "$BATS_TEST_TMPDIR/partial"
	stream_ok "$out"
	[ "$(jq -c 'select(.type == "quality") | [.unresolved_callers, .trusted_frames]' "$out")" = '[18,4]' ]
	run_ok pl-verify --quiet "$BATS_TEST_TMPDIR/whole"
	run_ok pl-report "$BATS_TEST_TMPDIR/whole"
	grep -q '^- Callers without a name: 9 n, 32.14 % of weight has one' "$out"
	grep -q '^- `trusted_paths`: record with build IDs' "$out"
}
