#!/usr/bin/env bats
#
# pl-aggregate --partial and --merge: merging in any order and grouping gives what one run over all
# inputs gives.
#
# shellcheck disable=SC2154,SC2016 # out and err are the helper's; jq and sed have a $ of their own

load helper
load records

threads=tests/data/threads.samples.ndjson

# Four streams: two of one event with faults of all kinds, one of another unit, one of threads,
# modules, sources and inlined functions. What one lacks another has.
setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	{
		awk -v lines=200 -v seed=1 -f "$ROOT/tests/ref/folded.awk"
		printf '# comment\nno-weight\n\nbad\xff\xfebytes;x (/opt/app) 7\na;;b 1\n'
	} | pl-fold-parse --unit samples --event-name walks --dso-from-frame >a
	{
		awk -v lines=200 -v seed=2 -f "$ROOT/tests/ref/folded.awk"
		printf 'main;x (/usr/app) 7\nmain;malloc (/usr/lib/libc.so.6)_[k] 5\nlost 0\n'
	} | pl-fold-parse --unit samples --event-name walks --dso-from-frame >b
	awk -v lines=100 -v seed=3 -f "$ROOT/tests/ref/folded.awk" |
		pl-fold-parse --unit bytes --event-name walks | jq -c 'select(.type != "sample" or .weight > 500)' >c
	cp "$ROOT/$threads" d
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	for stream in a b c d; do
		ln -s "$BATS_FILE_TMPDIR/$stream" $stream
	done
}

# partials OPTION…: of each stream, in a.p to d.p.
partials() {
	local stream
	for stream in a b c d; do
		pl-aggregate --partial "$@" --output $stream.p $stream
	done
}

# merges_alike [OPTION…]: however the partial sums of a to d are merged, the rows are those of one
# run over the streams. Limits high enough that nothing is omitted.
merges_alike() {
	partials "$@"
	set -- "$@" --call-path-limit 1M
	pl-aggregate "$@" a b c d >one
	run_ok pl-aggregate --merge "$@" a.p b.p c.p d.p
	same_rows one
	cp "$out" flat
	run_ok pl-aggregate --merge "$@" c.p d.p b.p a.p
	same flat "$out" # flat, in any order: the same bytes
	pl-aggregate --merge --partial "${@:1:$#-2}" a.p b.p >ab.p
	pl-aggregate --merge --partial "${@:1:$#-2}" d.p c.p >dc.p
	run_ok pl-aggregate --merge "$@" dc.p ab.p
	same_rows one
	pl-aggregate --merge --partial "${@:1:$#-2}" dc.p b.p >dcb.p
	run_ok pl-aggregate --merge "$@" a.p dcb.p
	same_rows one
	pl-aggregate --merge --partial "${@:1:$#-2}" a.p dcb.p >abcd.p
	run_ok pl-aggregate --merge "$@" abcd.p
	same_rows one
	stream_ok "$out"
	pl-aggregate --partial "${@:1:$#-2}" a b c d >all.p
	run_ok pl-aggregate --merge "$@" all.p
	same_rows one
}

@test "the inputs of this file have all that could go wrong" {
	pl-aggregate --call-path-limit 1M a b c d >"$BATS_TEST_TMPDIR/one"
	holds '[.[] | select(.type == "event").label] == ["cycles:u", "page-faults", "walks", "walks#2"]' one
	holds '[.[] | select(.type == "quality").reasons[]] | unique == ["cut_stacks", "lost_records",
		"malformed_records", "replaced_bytes", "stream_filtered", "unresolved_self"]' one
	holds '[.[] | select(.type == "quality")][0] | [.malformed, .skipped, .replaced] == [3, 4, 2]' one
	holds '[.[] | select(.type == "hotspot" and .kind == null and .variants_total > 2)] | length > 0' one
}

@test "by symbol and DSO" {
	merges_alike
	# pieces that are partial are told, and so are the faults of each input
	of end '.diagnostics | [.MISSING_WEIGHT, .EMPTY_FRAME, .INVALID_WEIGHT, .CLOCK_JUMP] == [1, 1, 1, 1]'
}

@test "by symbol" {
	merges_alike --group-by symbol
}

@test "by DSO, which some inputs lack" {
	merges_alike --group-by dso
}

@test "by comm" {
	merges_alike --group-by comm
}

@test "by tid" {
	merges_alike --group-by tid
}

@test "by source" {
	merges_alike --group-by source
}

@test "without paths" {
	merges_alike --no-paths
}

@test "one event, with a threshold, fewer rows" {
	partials
	for options in '--event cycles:u' '--top-n 5 --call-path-limit 7' '--unresolved-threshold 11.5'; do
		# shellcheck disable=SC2086 # words
		pl-aggregate $options a b c d >one
		# shellcheck disable=SC2086
		run_ok pl-aggregate --merge $options a.p b.p c.p d.p
		same_rows one
	done
	partials --event page-faults --allow-empty # of the others nothing is kept
	pl-aggregate --event page-faults a b c d >one
	run_ok pl-aggregate --merge d.p c.p a.p b.p
	same_rows one
}

@test "paths can be left out when merging, not put in" {
	partials
	pl-aggregate --no-paths a b c d >one
	run_ok pl-aggregate --merge --no-paths a.p b.p c.p d.p
	same_rows one
	pl-aggregate --partial --no-paths a >without.p
	run_fail 3 PROFILE_PARSE_FAILED pl-aggregate --merge b.p without.p
	grep -q -e '--no-paths' "$err"
}

@test "header and diagnostics list the inputs by digest" {
	partials
	run_ok pl-aggregate --merge d.p a.p c.p b.p
	stream_ok "$out"
	holds '.[0].inputs | map([.. | objects | .sha256? | strings][0]) | length == 4 and . == sort'
	holds '[.[] | select(.type == "diagnostic" and has("input")).input] | . == sort'
	of header '[.inputs[].schema] | unique == ["perflens.partial"]'
	# each diagnostic names its input: that of the header with the same number
	holds '([.[0].inputs[].inputs[].inputs[].sha256] | index("0123456789abcdef" * 4)) as $d
		| [.[] | select(.code == "CLOCK_JUMP").input] == [$d]'
}

@test "diagnostics: 100 in all, all counted" {
	for seed in 1 2; do
		seq -f "bad$seed%g" 80 | cat - <(echo 'a 1') | pl-fold-parse |
			pl-aggregate --partial >"m$seed.p"
	done
	run_ok pl-aggregate --merge m1.p m2.p
	[ "$(grep -c '"type":"diagnostic"' "$out")" = 100 ]
	of end '.diagnostics == {MISSING_WEIGHT: 160}'
	of quality '.malformed == 160'
	run_ok pl-aggregate --merge --partial m1.p m2.p
	[ "$(grep -c '"type":"diagnostic"' "$out")" = 100 ]
	of end '.diagnostics == {MISSING_WEIGHT: 160}'
}

@test "partial streams: their schema, sums before ranking and capping, the squares as a string" {
	run_ok pl-aggregate --partial --top-n 1 --call-path-limit 1 --max-output-bytes 10 a b c d
	stream_ok "$out"
	holds '[.[] | select(.type == "event")] | length == 4 and all(.squares | test("^[0-9]+$"))'
	pl-aggregate --call-path-limit 1M a b c d >one
	[ "$(grep -c '"type":"key"' "$out")" = "$(grep -c '"type":"hotspot"' one)" ]
	[ "$(grep -c '"type":"path"' "$out")" = "$(grep -c '"type":"path"' one)" ]
	holds ".[-1].records == $(($(wc -l <"$out") - 2)) and (.[-1] | has(\"sha256\") | not)"
	printf 'x 9223372036854775807\n' | pl-fold-parse | pl-aggregate --partial >big.p
	grep -q '"squares":"85070591730234615847396907784232501249"' big.p # (2^63 - 1)^2
	run_ok pl-aggregate --merge big.p big.p
	of event '.n_eff == null'
	grep -q '"weight":18446744073709551614,' "$out"
}

@test "nothing merged with something, nothing with nothing" {
	pl-fold-parse </dev/null | pl-aggregate --partial --allow-empty >empty.p
	pl-aggregate --partial a >a.p
	pl-aggregate --call-path-limit 1M a >one
	run_ok pl-aggregate --merge --call-path-limit 1M empty.p a.p empty.p
	same_rows one
	run_fail 3 NO_SAMPLES pl-aggregate --merge empty.p empty.p
	run_ok pl-aggregate --merge --allow-empty empty.p
	pl-fold-parse </dev/null >empty
	run_fail 3 NO_SAMPLES pl-aggregate --partial empty
}

@test "different groupings are not merged" {
	pl-aggregate --partial a >1.p
	pl-aggregate --partial --group-by symbol a >2.p
	run_fail 3 PROFILE_PARSE_FAILED pl-aggregate --merge 1.p 2.p
	jq -r .message "$err" | grep symbol,dso | grep -q 'symbol$\|by symbol,'
	jq -r .file "$err" | grep -q '^2.p$'
}

# tampered SED-SCRIPT…: each makes a partial stream that is refused, with its name and a line.
tampered() {
	local script
	pl-aggregate --partial "$ROOT/schemas/examples/two-lines.samples.ndjson" >good.p
	for script in "$@"; do
		sed -E "$script" good.p >bad.p
		! cmp -s good.p bad.p || fail "nothing changed: $script"
		expect_exit 3 pl-aggregate --merge bad.p
		[[ $(<"$err") =~ ^pl-aggregate:\ bad.p:[0-9]+:\  ]] || fail "$script: $(<"$err")"
	done
}

@test "partial sums that do not add up, or name what is not there: exit 3 with file and line" {
	tampered '/"key"/s/"self":271/"self":272/' '/"path"/s/"weight":271/"weight":270/' \
		'/"event"/s/"weight":453/"weight":452/' '/"path"/s/"keys":\[0/"keys":[9/' \
		'/"path"/s/"keys":\[[0-9,]*\]/"keys":[]/' '/"key"/s/"id":0/"id":7/' \
		'/"key"/s/"event":0/"event":1/' '/"event"/s/"squares":"[0-9]*"/"squares":""/' \
		's/"squares":"/&99999999999999999999999999999999999/' \
		'/"key"/s/"variants":\["main"\]/"variants":[1]/' '$s/"keys":5/"keys":4/' \
		'$s/"paths":2/"paths":3/' '$s/"records":[0-9]*/"records":1/' '$d' '4d' '$p' \
		'1s/"group_by":"[^"]*"/"group_by":"colour"/' '1s/,"paths":true//' 's/"threads":0/"threads":-1/'
}
