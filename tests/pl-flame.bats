#!/usr/bin/env bats
#
# pl-flame: widths that add up, figures at each frame, valid XML for every name, differences.
#
# shellcheck disable=SC2030,SC2031 # each test is a subshell
# shellcheck disable=SC2154 # out and err are the helper's

load helper

events=tests/data/two-events.analysis.ndjson

# samples NAME [LINE…]: folded stacks, counted in samples, to $BATS_TEST_TMPDIR/NAME.
samples() {
	local name=$1
	shift
	printf '%s\n' "$@" | pl-fold-parse --unit samples >"$BATS_TEST_TMPDIR/$name"
}

# frames FILE: "NAME<tab>WIDTH in hundredths<tab>X in hundredths<tab>Y<tab>FILL" of each.
frames() {
	sed -n 's/^<g class="f"><title>\(.*\)/\1/; t name
		s/.*<rect x="\([0-9]*\)\.\([0-9]*\)" y="\([0-9]*\)" width="\([0-9]*\)\.\([0-9]*\)".*fill="\(#[0-9a-f]*\)".*/\4\5	\1\2	\3	\6/; t rect
		d; :name; h; d; :rect; x; G; s/\n/	/; p' "$1"
}

# frame NAME FIELD: of the first one in $out; 2: width, 3: x, 4: y, 5: colour.
frame() {
	frames "$out" | awk -F'\t' -v name="$1" -v field="$2" '$1 == name { print $field; exit }'
}

# hover NAME: its hover text but for the name, lines joined by '|'.
hover() {
	sed -n "/^<g class=\"f\"><title>$1\$/,/<\/title>/p" "$out" | sed '1d; s/<\/title>.*//' |
		paste -sd'|'
}

@test "pl-flame keeps the contract of every program" {
	program_contract pl-flame tests/data/two-lines.analysis.ndjson
	stream_contract pl-flame tests/data/two-lines.analysis.ndjson
}

@test "a small analysis and its samples, byte for byte" {
	golden two-events.flame.svg pl-flame --event cycles:u "$events"
	xmllint --noout "$out"
	golden all-kinds.icicle.svg pl-flame --icicle --color module --min-width 0 \
		tests/golden/all-kinds.samples.ndjson
	xmllint --noout "$out"
}

@test "widths are shares of the whole event, and children stand within their parents" {
	samples s 'main;f 30' 'main;g;h 45' 'main 5' 'idle 20'
	run_ok pl-flame "$BATS_TEST_TMPDIR/s"
	[ "$(frame all 2)" = 118000 ]
	[ "$(frame idle 2)" = 23600 ]
	[ "$(frame main 2)" = 94400 ]
	[ "$(frame f 2)" = 35400 ]
	[ "$(frame g 2)" = 53100 ]
	[ "$(frame h 2)" = 53100 ]
	# by name from the left: idle, main; f, g; the root below, a row of 16 each
	[ "$(frame idle 3)" = 1000 ]
	[ "$(frame main 3)" = 24600 ]
	[ "$(frame f 3)" = 24600 ]
	[ "$(frame g 3)" = 60000 ]
	[ "$(($(frame all 4) - $(frame main 4)))" = 16 ]
	[ "$(($(frame all 4) - $(frame h 4)))" = 48 ]
	run_ok pl-flame --icicle "$BATS_TEST_TMPDIR/s"
	[ "$(($(frame h 4) - $(frame all 4)))" = 48 ]
	[ "$(frame g 3)" = 60000 ]
}

@test "the paths of an analysis, the omitted and the stackless fill the root, against jq" {
	run_ok pl-flame --event cycles:u --min-width 0 "$events"
	local name weight n=0
	while IFS=$'\t' read -r name weight; do
		[ "$(frame "$name" 2)" -ge $((weight * 118000 / 170000)) ]
		[ "$(frame "$name" 2)" -le $((weight * 118000 / 170000 + 1)) ]
		n=$((n + 1))
	done < <(jq -r 'select(.type == "path" and .event == "cycles:u") |
		[.frames[0].symbol, .weight] | @tsv' "$events" |
		awk -F'\t' '{ sum[$1] += $2 } END { for (n in sum) print n "\t" sum[n] }'
		jq -r 'select(.type == "event" and .label == "cycles:u") | ["[no stack]", .stackless] | @tsv' "$events"
		jq -r 'select(.type == "end").events[] | select(.event == "cycles:u") |
			["[omitted]", .omitted_weight] | @tsv' "$events")
	[ "$n" = 4 ]
	grep -q '>\[omitted\] is 4 paths that the analysis left out\.' "$out"
	grep -q '>cycles:u: 170000 cycles, 170 samples, partial<' "$out"
}

@test "a frame tells its figures, and its function's evidence id" {
	run_ok pl-flame --event cycles:u "$events"
	# Wilson for 42 of 170, worked out with bc
	[ "$(hover memchr)" = 'DSO: /lib/x86_64-linux-gnu/libc.so.6|inclusive: 40000 cycles (23.53 %), 95 % interval 17.78 to 30.45 %|self: 40000 cycles (23.53 %)|40 samples|h-eb02d90042c81682' ]
	run_ok pl-flame tests/data/two-lines.analysis.ndjson
	lacks interval "$out"
	samples s 'main;compute 3' 'main 1'
	run_ok pl-flame "$BATS_TEST_TMPDIR/s"
	[[ $(hover compute) == *'|h-809dd1f5cfc5bd68' ]]
	[[ $(hover main) == 'DSO: unknown|inclusive: 4 samples (100.00 %), 95 % interval '*'|self: 1 sample (25.00 %)|2 stack lines|h-'* ]]
}

@test "a frame that no sample has takes no id" {
	local file=$BATS_TEST_TMPDIR/unused
	# a::f is defined for nothing, as a filter leaves it; b::f has the same base name of its DSO
	{
		jq -c 'select(.type == "header")' tests/golden/all-kinds.samples.ndjson
		echo '{"type":"event","id":0,"name":"e","unit":"samples","weight_source":"count","source":"unknown"}
{"type":"module","id":0,"dso":"/a/x.so"}
{"type":"module","id":1,"dso":"/b/x.so"}
{"type":"frame","id":0,"symbol":"f","module":0}
{"type":"frame","id":1,"symbol":"f","module":1}
{"type":"sample","event":0,"weight":1,"stack":[1]}
{"type":"end","samples":1,"events":[{"id":0,"samples":1,"weight":1}],"modules":2,"frames":2,"lost":0,"records":1,"malformed":0,"skipped":0,"replaced":0,"diagnostics":{},"inputs":[]}'
	} >"$file"
	run_ok pl-flame "$file"
	[[ $(hover f) == *"|$(pl-aggregate "$file" | jq -r 'select(.type == "hotspot").id')" ]]
	[[ $(hover f) == *'|h-'* ]]
}

@test "an analysis and its samples make the same frames" {
	run_ok pl-flame tests/golden/all-kinds.samples.ndjson
	frames "$out" >"$BATS_TEST_TMPDIR/by-samples"
	run_ok pl-flame tests/golden/all-kinds.analysis.ndjson
	frames "$out" | cut -f1-4 >"$BATS_TEST_TMPDIR/by-analysis"
	cut -f1-4 "$BATS_TEST_TMPDIR/by-samples" | diff - "$BATS_TEST_TMPDIR/by-analysis"
}

@test "what is too narrow is left out and counted" {
	samples s 'main;wide 9980' 'main;thin;deep 12' 'main;thinner 8'
	# of 1180 units: 1.416 and 0.944
	run_ok pl-flame --min-width 1 "$BATS_TEST_TMPDIR/s"
	grep -q 'Left out: 1 branch narrower than 1 px, 8 samples (0.08 %)\. <' "$out"
	[ "$(frames "$out" | wc -l)" = 5 ]
	run_ok pl-flame --min-width 1.5 "$BATS_TEST_TMPDIR/s"
	grep -q 'Left out: 2 branches narrower than 1.5 px, 20 samples (0.20 %)\. <' "$out"
	[ "$(frames "$out" | wc -l)" = 3 ]
	run_ok pl-flame --min-width 0 "$BATS_TEST_TMPDIR/s"
	grep -q '>Every call path is drawn\.<' "$out"
}

@test "names of every kind are valid XML, cut within no character, and shown" {
	local name file=$BATS_TEST_TMPDIR/evil
	{
		jq -c 'select(.type == "header")' tests/golden/all-kinds.samples.ndjson
		echo '{"type":"event","id":0,"name":"a<b>&\"]]>","unit":"samples","weight_source":"count","source":"unknown"}'
		printf '%s\n' 'a<b>&\"c\"'\'']]>' 'tab\there' '\u0001\u001b[31m' '\ufffe\uffff' '\u202eevil' \
			'函数函数函数函数函数函数函数函数' '\ud83d\ude00' '' '--><script>alert(1)</script>' |
			awk '{ printf "{\"type\":\"frame\",\"id\":%d,\"symbol\":\"%s\",\"module\":null}\n", NR - 1, $0
				printf "{\"type\":\"sample\",\"event\":0,\"weight\":1,\"stack\":[%d]}\n", NR - 1 }'
		echo '{"type":"end","samples":9,"events":[{"id":0,"samples":9,"weight":9}],"modules":0,"frames":9,"lost":0,"records":9,"malformed":0,"skipped":0,"replaced":0,"diagnostics":{},"inputs":[]}'
	} >"$file"
	run_ok pl-flame --title ']]></title><x>' "$file"
	xmllint --noout "$out"
	for name in 'a&lt;b&gt;&amp;&quot;c&quot;&#39;]]&gt;' 'tab\\x09here' '\\x01\\x1b\[31m' \
		'\\u{fffe}\\u{ffff}' '\\u{202e}evil'; do
		grep -q "<title>$name\$" "$out" || fail "no $name"
	done
	# 131 units of width: 18 columns, of which the sign of the cut takes one
	grep -q '>函数函数函数函数…</text>' "$out"
	[ "$(grep -c '<script>' "$out")" = 1 ]
}

@test "shuffled samples make the same bytes" {
	local file=$BATS_TEST_TMPDIR/lines
	awk -v lines=300 -v seed=5 -f tests/ref/folded.awk >"$file"
	pl-fold-parse --unit samples "$file" | pl-flame >"$BATS_TEST_TMPDIR/a.svg"
	tac "$file" | pl-fold-parse --unit samples >"$BATS_TEST_TMPDIR/s"
	run_ok pl-flame "$BATS_TEST_TMPDIR/s"
	same "$BATS_TEST_TMPDIR/a.svg" "$out"
}

@test "colours by kind and by module" {
	pl-fold-parse --unit samples --output "$BATS_TEST_TMPDIR/s" <<<'main;sys_[k] 5'
	run_ok pl-flame "$BATS_TEST_TMPDIR/s"
	grep -q '>kernel</text>' "$out"
	[ "$(frame main 5)" != "$(frame sys_ 5)" ]
	run_ok pl-flame --event cycles:u --color module "$events"
	grep -q 'a colour for each module' "$out"
	lacks '>kernel</text>' "$out"
}

@test "a difference: two totals, shares, and colours beyond the noise only" {
	# f from 20 % to 60 %, g from 80 % to 38 %, both of 100; h is new, 2 %: [-2.0, 7.0] holds 0
	samples a 'main;f 20' 'main;g 75' 'main;old 5'
	samples b 'main;f 600' 'main;g 380' 'main;h 20'
	run_ok pl-flame --diff "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
	xmllint --noout "$out"
	grep -q 'before 100 samples, 3 stack lines; after 1000 samples, 3 stack lines; as wide as after' "$out"
	grep -q 'Gone: 1 frame, 5 samples (5.00 %) of before\. ' "$out"
	[ "$(frame f 2)" = 70800 ]
	# the bounds by awk, from Wilson's formula alone
	local want
	want=$(awk 'function bound(p, n, s) { z = 1.959963984540054; z2 = z * z
		return (p + z2 / 2 / n + s * z * sqrt(p * (1 - p) / n + z2 / 4 / n / n)) / (1 + z2 / n) }
		BEGIN { a = .2; b = .6; n = 100; m = 1000
		printf "%+.2f to %+.2f", 100 * (b - a - sqrt((b - bound(b, m, -1)) ^ 2 + (bound(a, n, 1) - a) ^ 2)),
			100 * (b - a + sqrt((bound(b, m, 1) - b) ^ 2 + (a - bound(a, n, -1)) ^ 2)) }')
	[[ $(hover f) == *"before: 20 samples (20.00 %)|after: 600 samples (60.00 %)|change: +40.00 percentage points, 95 % interval $want, more|h-"* ]]
	[[ $(hover g) == *'change: -37.00 percentage points, '*', less|h-'* ]]
	[[ $(hover h) == *', within the noise|h-'* ]]
	[ "$(frame h 5)" = '#dadada' ]
	[ "$(frame main 5)" = '#dadada' ]
	[ "$(frame f 5)" != '#dadada' ]
	[ "$(frame g 5)" != "$(frame f 5)" ]
	run_ok pl-flame --diff --width-by before "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
	[ "$(frame f 2)" = 23600 ]
	grep -q 'New, not drawn: 1 frame, 20 samples (2.00 %) of after\. ' "$out"
}

@test "a difference of weights that are no draws goes by the least change" {
	pl-fold-parse --output "$BATS_TEST_TMPDIR/a" <<<$'f 500\ng 500'
	pl-fold-parse --output "$BATS_TEST_TMPDIR/b" <<<$'f 509\ng 491'
	run_ok pl-flame --diff "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
	[ "$(frame f 5)" = '#dadada' ]
	grep -q 'changed by less than 1 points' "$out"
	lacks interval "$out"
	run_ok pl-flame --diff --minimum-delta-percent 0.8 "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
	[ "$(frame f 5)" != '#dadada' ]
	[[ $(hover f) == *'change: +0.90 percentage points, more|h-'* ]]
}

@test "what an analysis left out may be what changed" {
		pl-fold-parse --unit samples <<<$'f 50\ng 30\nh 20' >"$BATS_TEST_TMPDIR/whole"
	pl-aggregate --call-path-limit 1 "$BATS_TEST_TMPDIR/whole" >"$BATS_TEST_TMPDIR/cut"
	# g and h are not gone: they are among what was left out
	run_ok pl-flame --diff --width-by before "$BATS_TEST_TMPDIR/whole" "$BATS_TEST_TMPDIR/cut"
	[[ $(hover g) == *'change: -30.00 percentage points'*'within the noise|h-'* ]]
	run_ok pl-flame --diff "$BATS_TEST_TMPDIR/whole" "$BATS_TEST_TMPDIR/whole"
	[ "$(frames "$out" | cut -f5 | sort -u)" = '#dadada' ]
}

@test "samples and an analysis of them are joined, kinds or none" {
	pl-fold-parse --unit samples --output "$BATS_TEST_TMPDIR/s" <<<$'main;sys_[k] 5\nmain;f_[i] 3'
	pl-aggregate "$BATS_TEST_TMPDIR/s" >"$BATS_TEST_TMPDIR/a"
	run_ok pl-flame --diff "$BATS_TEST_TMPDIR/s" "$BATS_TEST_TMPDIR/a"
	[ "$(frames "$out" | wc -l)" = 4 ]
	lacks 'Gone' "$out"
}

@test "refused: two events, other units, other groupings, one input or three" {
	samples a 'main 1'
	run_fail 2 INVALID_INPUT pl-flame "$events"
	run_fail 2 INVALID_INPUT pl-flame --event none "$events"
	pl-fold-parse --output "$BATS_TEST_TMPDIR/b" <<<'main 1'
	run_fail 2 INVALID_INPUT pl-flame --diff "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
	jq -e '.message | test("unit.*samples.*unknown")' "$err"
	pl-aggregate --group-by symbol "$BATS_TEST_TMPDIR/a" >"$BATS_TEST_TMPDIR/c"
	run_fail 2 INVALID_INPUT pl-flame --diff "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/c"
	pl-aggregate --no-paths "$BATS_TEST_TMPDIR/a" >"$BATS_TEST_TMPDIR/d"
	expect_exit 2 pl-flame "$BATS_TEST_TMPDIR/d"
	run_fail 2 INVALID_INPUT pl-flame --diff "$BATS_TEST_TMPDIR/a"
	run_fail 2 INVALID_INPUT pl-flame "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
	run_fail 2 INVALID_INPUT pl-flame --width-by before "$BATS_TEST_TMPDIR/a"
	run_fail 2 INVALID_INPUT pl-flame --diff --color module "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/a"
}

@test "limits are fatal, and nothing is written" {
	samples a 'main;f 1' 'main;g 1'
	run_fail 4 RESOURCE_LIMIT_EXCEEDED pl-flame --max-unique-call-paths 1 "$BATS_TEST_TMPDIR/a"
	[ ! -s "$out" ]
	run_fail 4 RESOURCE_LIMIT_EXCEEDED pl-flame --max-unique-frames 2 "$BATS_TEST_TMPDIR/a"
	run_fail 4 RESOURCE_LIMIT_EXCEEDED pl-flame --max-output-bytes 1K "$BATS_TEST_TMPDIR/a"
	[ ! -s "$out" ]
}

@test "an edited analysis: refused, or taken with a note" {
	sed 's/"weight":40000,"pct"/"weight":40001,"pct"/' "$events" >"$BATS_TEST_TMPDIR/edited"
	run_fail 3 DIGEST_MISMATCH pl-flame --event cycles:u "$BATS_TEST_TMPDIR/edited"
	expect_exit 0 pl-flame --event cycles:u --unsealed "$BATS_TEST_TMPDIR/edited"
	grep -q 'proves nothing' "$err"
}
