#!/usr/bin/env bats
#
# pl-classify: which rules fit, what is said for and against, and which files of rules are refused.
#
# shellcheck disable=SC2030,SC2031 # each test is a subshell
# shellcheck disable=SC2154 # out and err are the helper's

load helper

rules=tests/data/rules/memory.json
example=schemas/examples/two-lines.analysis.ndjson

classify() {
	pl-classify --no-default-rules --rules "$rules" "$@"
}

# analysis: perf script text on stdin to the file $analysis.
make_analysis() {
	analysis=$BATS_TEST_TMPDIR/analysis.ndjson
	pl-script-parse --quiet | pl-aggregate --quiet "$@" >"$analysis"
}

# samples N FRAME…: N samples of one stack, the leaf first, each "symbol (dso)".
samples() {
	local n=$1 i
	shift
	for ((i = 0; i < n; i++)); do
		printf 'x 1/1 1.0: 1 cycles:u:\n'
		printf '\t55aa %s\n' "$@"
		printf '\n'
	done
}

# Growing memory: 40 copies under a vector's growth, 10 elsewhere; an allocator in 4 of 100 samples.
growth() {
	local libc=/lib/libc.so.6 grow='std::vector<int>::_M_realloc_insert<int>(int) (/bin/x)'
	samples 40 "__memcpy_avx ($libc)" "$grow" 'main (/bin/x)'
	samples 10 "__memcpy_avx ($libc)" 'parse (/bin/x)' 'main (/bin/x)'
	samples 4 "malloc ($libc)" 'main (/bin/x)'
	samples 46 'compute (/bin/x)' 'main (/bin/x)'
}

# row FILTER: of the records in $out.
row() {
	jq -c "$1" "$out"
}

@test "pl-classify keeps the contract of every program" {
	program_contract pl-classify "$example" --no-default-rules --rules "$rules"
	stream_contract pl-classify "$example" --no-default-rules --rules "$rules"
}

@test "the example is what is written, and perflens classify writes the same" {
	run_ok classify "$example"
	same schemas/examples/two-lines.diagnosis.ndjson "$out"
	run_ok perflens classify --analysis "$example" --no-default-rules --rules "$rules"
	same schemas/examples/two-lines.diagnosis.ndjson "$out"
	[ "$(row 'select(.type == "candidate").id')" = \
		"\"c-$(printf 'test-allocation\0unknown\0h-b05022b18748a181' | sha256sum | cut -c 1-16)\"" ]
	[ "$(head -n 1 "$out" | jq -r '.rules[0].sha256, .inputs[0].sha256')" = \
		"$(sha256sum <$rules | cut -c 1-64)
$(tail -n 1 "$example" | jq -r .sha256)" ]
}

@test "candidates of a hotspot: the most telling first, with their context and its figures" {
	make_analysis < <(growth)
	run_ok classify "$analysis"
	stream_ok "$out"
	[ "$(row 'select(.type == "candidate") | [.rule, .symbol, .confidence, .level]')" = \
		'["test-copy-under-growth","__memcpy_avx","medium","L2"]
["test-copy","__memcpy_avx","low","L2"]
["test-allocation","malloc","medium","L2"]' ]
	# 40 of 50 come from the caller that is asked for
	[ "$(row 'select(.rule == "test-copy-under-growth").supporting | map(.kind)')" = \
		'["hotspot_self","hotspot_inclusive","caller","caller","path","path"]' ]
	row 'select(.rule == "test-copy-under-growth").supporting[2].statement' | grep -q '^"80.000000 % '
	row 'select(.rule == "test-copy-under-growth").supporting[3].statement' |
		grep -q 'called by std::vector<int>::_M_realloc_insert<int>(int) with 40 of 50 '
	# each id is one of the analysis
	jq -r 'select(.type == "candidate").supporting[].id' "$out" | sort -u >"$BATS_TEST_TMPDIR/cited"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/cited")" = 6 ]
	while read -r id; do
		grep -q "\"id\":\"$id\",\"event\"" "$analysis" || fail "$id"
	done <"$BATS_TEST_TMPDIR/cited"
}

@test "counter-evidence: context, samples, interval and category, each with its figure" {
	make_analysis < <(growth)
	run_ok classify "$analysis"
	# 10 of 50 on paths under parse are 20 %, 25.5 % were asked for
	row 'select(.rule == "test-copy").counter' | grep -q '^\[{"kind":"context_absent","statement":"20.000000 %'
	[ "$(row 'select(.rule == "test-allocation").counter | map(.kind)')" = '["category_small","few_samples"]' ]
	row 'select(.rule == "test-allocation").counter[].statement' >"$BATS_TEST_TMPDIR/said"
	grep -q 'memory-allocation is 4.000000 %' "$BATS_TEST_TMPDIR/said"
	grep -q 'seen in 4 samples, fewer than 30' "$BATS_TEST_TMPDIR/said"
}

@test "confidence: medium only where the interval's lower bound reaches the threshold" {
	local own=$BATS_TEST_TMPDIR/own.json low
	make_analysis < <(growth)
	# malloc: 4 of 100; the lower bound, by the quadratic, is 1.566 %
	low=$(awk 'BEGIN { z = 1.959963984540054; p = 0.04; n = 100; d = 1 + z * z / n
		print 100 * (p + z * z / 2 / n - z * sqrt(p * (1 - p) / n + z * z / 4 / n / n)) / d }')
	jq --argjson t "$(awk "BEGIN { print $low - 0.01 }")" \
		'.rules |= [.[0] | .thresholds.self_pct = $t]' $rules >"$own"
	run_ok pl-classify --no-default-rules --rules "$own" "$analysis"
	[ "$(row 'select(.type == "candidate").confidence')" = '"medium"' ]
	jq --argjson t "$(awk "BEGIN { print $low + 0.01 }")" \
		'.rules |= [.[0] | .thresholds.self_pct = $t]' $rules >"$own"
	run_ok pl-classify --no-default-rules --rules "$own" "$analysis"
	[ "$(row 'select(.type == "candidate") | [.confidence, .counter[2].kind]')" = '["low","interval_wide"]' ]
	jq '.rules |= [.[0] | .thresholds.self_pct = 4.000001]' $rules >"$own"
	run_ok pl-classify --no-default-rules --rules "$own" "$analysis"
	[ -z "$(row 'select(.type == "candidate")')" ]
	# below the threshold it still has its category
	[ "$(row 'select(.type == "category") | [.category, .hotspots, .self]')" = '["memory-allocation",1,4]' ]
}

@test "confidence: half of the share where weights are no draws; low where too much is unresolved" {
	local own=$BATS_TEST_TMPDIR/own.json
	jq '.rules |= [.[0] | .thresholds.self_pct = 2]' $rules >"$own"
	for malloc in 4:96 39:961; do
		printf 'main;malloc %s\nmain;f %s\n' "${malloc%:*}" "${malloc#*:}" | pl-fold-parse --quiet |
			pl-aggregate --quiet | pl-classify --no-default-rules --rules "$own"
	done | jq -r 'select(.type == "candidate").confidence' >"$BATS_TEST_TMPDIR/said"
	[ "$(cat "$BATS_TEST_TMPDIR/said")" = $'medium\nlow' ]
	for unknown in 100 101; do
		printf 'main;malloc 100\nmain;[unknown] %s\nmain;f %s\n' "$unknown" $((900 - unknown)) |
			pl-fold-parse --quiet | pl-aggregate --quiet | pl-classify --no-default-rules --rules "$own"
	done | jq -r 'select(.type == "candidate") | .confidence, .counter[].kind' >"$BATS_TEST_TMPDIR/said"
	[ "$(cat "$BATS_TEST_TMPDIR/said")" = $'medium\npartial\nlow\npartial' ]
}

@test "names that only contain a word are not matched; DSOs and kinds are asked" {
	make_analysis < <(
		for name in copy_file_range Copyright::check uncopyable malloc_info xmalloc memcpy2 ns::malloc; do
			samples 2 "$name (/bin/x)"
		done
		samples 2 'memcpy ([kernel.kallsyms])' 'realloc (/lib/libc.so.6)'
		samples 2 '_int_free_maybe_consolidate (/lib/libc.so.6)'
	)
	run_ok classify "$analysis"
	# of the kernel's memcpy only the rule that asks for no DSO speaks
	[ "$(row 'select(.type == "candidate") | [.rule, .dso]')" = '["test-copy","[kernel.kallsyms]"]' ]
	[ "$(row 'select(.type == "event") | [.classified_self, .unclassified_self, .weight]')" = '[2,16,18]' ]
}

@test "what is counted adds up, also where rows were left out" {
	make_analysis --top-n 2 < <(growth)
	run_ok classify "$analysis"
	[ "$(jq -s 'map(select(.type == "event"))[0] | .classified_self + .unclassified_self' "$out")" = 96 ]
	[ "$(jq -s '[.[] | select(.type == "end").events[0].omitted_self][0]' "$analysis")" = 4 ]
	[ "$(jq -s '(map(select(.type == "candidate")) | length) == .[-1].candidates
		and (map(select(.type == "gap")) | length) == .[-1].gaps
		and length - 2 == .[-1].records' "$out")" = true ]
}

@test "gaps: what was not measured, modules without symbols, and nothing of what does not matter" {
	make_analysis < <(growth && samples 5 '[unknown] (/opt/lib.so)' 'main (/bin/x)')
	run_ok classify "$analysis"
	[ "$(row 'select(.type == "gap").code' | tr -d '"' | paste -sd ' ')" = \
		"unresolved_module no_source_lines off_cpu_time instructions_per_cycle cache_misses branch_misses allocation_counts copy_sizes" ]
	row 'select(.code == "unresolved_module").message' | grep -q '^"/opt/lib.so: 4.761905 % '
	row 'select(.code == "instructions_per_cycle").command' | grep -q 'perf stat -e cycles,instructions'
	make_analysis --no-paths < <(samples 1 'main (/bin/x)')
	run_ok classify "$analysis"
	[ "$(row 'select(.type == "gap").code' | head -n 1)" = '"no_call_graph"' ]
	[ "$(row 'select(.type == "gap" and (.code | test("allocation|lock|page|system")))')" = '' ]
}

@test "an edited analysis is refused, or what is written says so" {
	sed 's/"self":182/"self":181/' "$example" >"$BATS_TEST_TMPDIR/edited"
	run_fail 3 DIGEST_MISMATCH classify "$BATS_TEST_TMPDIR/edited"
	run_ok classify --unsealed "$BATS_TEST_TMPDIR/edited"
	[ "$(row 'select(.type == "event") | [.status, .reasons, .forbidden[-1]]')" = \
		'["partial",["unsealed_input"],"unqualified_profile_conclusion"]' ]
	[ "$(row 'select(.type == "candidate").counter | map(.kind)')" = '["partial"]' ]
	# rows of more weight than the event
	sed 's/"self":182/"self":1820/' "$example" >"$BATS_TEST_TMPDIR/edited"
	run_fail 3 PROFILE_PARSE_FAILED classify --unsealed "$BATS_TEST_TMPDIR/edited"
}

@test "rows that are no functions get no candidates, and a note" {
	make_analysis --group-by dso < <(growth)
	expect_exit 0 classify "$analysis"
	grep -q 'no functions' "$err"
	[ "$(tail -n 1 "$out" | jq .candidates)" = 0 ]
}

# refused JQ-FILTER WORDS: a file of rules so changed is, naming file and rule.
refused() {
	jq "$1" $rules >"$BATS_TEST_TMPDIR/bad.json"
	expect_exit 3 pl-classify --no-default-rules --rules "$BATS_TEST_TMPDIR/bad.json" "$example"
	grep -q "bad.json: $2" "$err" || fail "$1: $(cat "$err")"
	[ ! -s "$out" ]
}

@test "files of rules are read strictly" {
	refused '.rules[1].category = "memory"' 'rule test-copy-under-growth: unknown category "memory"'
	refused '.rules[1].match.symbol = ["a"]' 'rule test-copy-under-growth: unknown member "symbol"'
	refused '.rules[1].id = "test-allocation"' 'rule test-allocation: there is another'
	refused '.rules[0].match.symbols = []' 'rule test-allocation: "symbols" is empty'
	refused '.rules[0].match.symbols = ["f(", "g"]' 'rule test-allocation: bad pattern "f("'
	refused '.rules[0].match.dsos = ["a/b"]' 'rule test-allocation: bad pattern'
	refused '.rules[0].match.kinds = ["any"]' 'rule test-allocation: unknown kind'
	refused 'del(.rules[0].match)' 'rule test-allocation: .*match'
	refused '.rules[0].confidence = "high"' 'rule test-allocation: .*low or medium'
	refused '.rules[0].priority = 101' 'rule test-allocation: "priority"'
	refused '.rules[0].version = 0' 'rule test-allocation: versions'
	refused '.rules[0].observation = "a name"' 'rule test-allocation: "observation"'
	refused '.rules[1].context = {"share_pct": 5, "required": true}' 'rule .*neither'
	refused '.rules[1].context.share_pct = 0' 'rule .*"share_pct"'
	refused '.rules[0].thresholds.self_pct = 101' 'rule .*more than 100'
	refused '.rules[0].next = [""]' 'rule .*"next" must be texts'
	refused '.version = "2.0"' 'this is no perflens.rules 1.x'
	refused '.more = 1' 'unknown member "more"'
	expect_exit 3 pl-classify --no-default-rules --rules "$example" "$example"
	expect_exit 2 pl-classify --no-default-rules --rules "$BATS_TEST_TMPDIR/none.json" "$example"
	grep -q 'none.json: cannot read rules' "$err"
	head -c 1100000 /dev/zero | tr '\0' ' ' >"$BATS_TEST_TMPDIR/long.json"
	run_fail 4 RESOURCE_LIMIT_EXCEEDED classify --rules "$BATS_TEST_TMPDIR/long.json" "$example"
}

@test "the default rules are those of the data folder, in byte order; more follow" {
	local folder=$BATS_TEST_TMPDIR/data
	mkdir -p "$folder/rules"
	for id in b a C; do
		jq --arg id "default-$id" '.rules |= [.[0] | .id = ($id | ascii_downcase)]' $rules \
			>"$folder/rules/$id.json"
	done
	echo '[' >"$folder/rules/notes.txt"
	PERFLENS_DATADIR=$folder run_ok pl-classify --rules "$rules" "$example"
	[ "$(head -n 1 "$out" | jq -c '[.rules[] | [.name, .rules]]')" = \
		'[["C.json",1],["a.json",1],["b.json",1],["memory.json",3]]' ]
	[ "$(row 'select(.type == "candidate").rule' | paste -sd ' ')" = \
		'"default-a" "default-b" "default-c" "test-allocation"' ]
	PERFLENS_DATADIR=$BATS_TEST_TMPDIR/nowhere expect_exit 2 pl-classify "$example"
	grep -q 'nowhere/rules' "$err"
}

@test "the output is no file of rules" {
	cp $rules "$BATS_TEST_TMPDIR/own.json"
	run_fail 5 PATH_SAFETY_VIOLATION pl-classify --no-default-rules --rules "$BATS_TEST_TMPDIR/own.json" \
		--output "$BATS_TEST_TMPDIR/own.json" "$example"
	cmp $rules "$BATS_TEST_TMPDIR/own.json"
}

@test "names of a mebibyte go through like others" {
	for c in a '<' '(' 'a*' 'x::'; do
		printf 'main;'
		head -c 900000 /dev/zero | sed "s/\\x0/$c/g" | head -c 900000
		printf ' 1\n'
	done | pl-fold-parse --quiet | pl-aggregate --quiet >"$BATS_TEST_TMPDIR/long.ndjson"
	run_ok timeout 20 pl-classify --no-default-rules --rules "$rules" "$BATS_TEST_TMPDIR/long.ndjson"
	[ "$(tail -n 1 "$out" | jq .candidates)" = 0 ]
}
