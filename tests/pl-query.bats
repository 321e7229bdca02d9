#!/usr/bin/env bats
#
# pl-query: rows byte for byte, pages that add up, cursors that fit one question only, a bounded text.
#
# shellcheck disable=SC2030,SC2031 # each test is a subshell
# shellcheck disable=SC2154 # out and err are the helper's

load helper

two=tests/data/two-lines.analysis.ndjson
events=tests/data/two-events.analysis.ndjson
evil=tests/data/evil.analysis.ndjson

# page FILTER: of the first line of $out.
page() {
	head -n 1 "$out" | jq -r "$1"
}

# body: the rows below it.
body() {
	tail -n +2 "$out"
}

# lines TYPE FILE: the artifact's own lines of one type, untouched.
lines() {
	grep "^{\"type\":\"$1\"" "$2"
}

# by KEY FILE: hotspot lines in descending order of a member, equal ones in the artifact's order; jq
# only finds the order, the lines are the file's.
by() {
	lines hotspot "$2" >"$BATS_TEST_TMPDIR/hotspots"
	jq -s -r "to_entries | sort_by([$1, .key]) | .[].key + 1" "$BATS_TEST_TMPDIR/hotspots" |
		while read -r n; do sed -n "${n}p" "$BATS_TEST_TMPDIR/hotspots"; done
}

@test "pl-query keeps the contract of every program" {
	program_contract pl-query "$events" hotspots
	program_contract pl-query "$events" text
	program_contract pl-query "$events" tree
}

@test "pl-query reads streams as every reader does" {
	stream_contract pl-query "$events" quality
	stream_contract pl-query "$events" text
	stream_contract pl-query "$events" tree
	stream_contract pl-query "$events" callers main
}

@test "the question comes first, wherever the options stand" {
	run_ok pl-query paths "$two"
	mv "$out" "$out.1"
	run_ok pl-query --input "$two" --limit 20 paths
	same "$out.1" "$out"
	run_ok pl-query --limit 20 paths -- "$two"
	same "$out.1" "$out"
	run_fail 2 INVALID_INPUT pl-query
	run_fail 2 INVALID_INPUT pl-query hotspts "$two"
	jq -e '.suggested_actions | tostring | test("did you mean hotspots")' "$err"
	run_fail 2 INVALID_INPUT pl-query hotspot
	run_fail 2 INVALID_INPUT pl-query hotspot --input "$two"
	grep -q "'hotspot' wants an ID or a name" "$err"
	run_fail 2 INVALID_INPUT pl-query paths "$two" "$events"
}

@test "hotspots are the artifact's lines, byte for byte, and the page says which" {
	run_ok pl-query hotspots --limit 3 "$two"
	same <(body) <(lines hotspot "$two" | head -n 3)
	same <(page '[.type, .of, .event, .total, .first, .rows, .sort, .omitted] | @tsv') \
		<(printf 'page\thotspots\tunknown\t5\t1\t3\tself\t0\n')
	[ "$(page .analysis)" = "$(tail -n 1 "$two" | jq -r .sha256)" ]
	[ "$(page .next)" != null ]
	run_ok pl-query hotspots "$two"
	same <(body) <(lines hotspot "$two")
	[ "$(page .next)" = null ]
}

@test "several events: rows of one after those of the other, or one event" {
	run_ok pl-query hotspots --limit 1000 "$events"
	same <(body) <(lines hotspot "$events")
	[ "$(page '[.event, .total, .omitted] | @json')" = '[null,15,4]' ]
	run_ok pl-query hotspots --event sched:sched_switch "$events"
	same <(body) <(lines hotspot "$events" | grep '"event":"sched:sched_switch"')
	[ "$(page '[.event, .total, .omitted] | @json')" = '["sched:sched_switch",5,0]' ]
	run_fail 2 INVALID_INPUT pl-query hotspots --event nope "$events"
	run_fail 2 INVALID_INPUT pl-query text --event nope "$events"
}

@test "each order, against jq" {
	run_ok pl-query hotspots --limit 1000 --sort inclusive "$two"
	same <(body) <(by '-.value.inclusive' "$two")
	run_ok pl-query hotspots --limit 1000 --sort inclusive "$events"
	same <(body) <(by '.value.event, -.value.inclusive' "$events")
	run_ok pl-query hotspots --limit 1000 --sort samples "$events"
	same <(body) <(by '.value.event, -.value.samples' "$events")
	run_ok pl-query hotspots --limit 1000 --sort symbol "$evil"
	same <(body) <(by '.value.symbol' "$evil")
	run_ok pl-query hotspots --limit 4 --sort symbol "$evil"
	same <(body) <(by '.value.symbol' "$evil" | head -n 4)
	expect_exit 2 pl-query hotspots --sort weight "$two"
}

# pages FILE SUBCOMMAND [ARGUMENT…]: follows the cursors; all rows to $BATS_TEST_TMPDIR/all.
pages() {
	local file=$1 next='' first=1
	shift
	: >"$BATS_TEST_TMPDIR/all"
	while [ "$next" != null ]; do
		run_ok pl-query "$@" ${next:+--after "$next"} "$file"
		body >>"$BATS_TEST_TMPDIR/all"
		[ "$(page .first)" = $first ]
		[ "$(page .rows)" = "$(body | wc -l)" ]
		first=$((first + $(page .rows)))
		next=$(page .next)
	done
	[ $((first - 1)) = "$(page .total)" ]
}

@test "pages end where the next begins, in every order" {
	local sort
	for sort in self inclusive samples symbol; do
		run_ok pl-query hotspots --limit 1000 --sort $sort "$evil"
		body >"$BATS_TEST_TMPDIR/whole"
		pages "$evil" hotspots --limit 9 --sort $sort
		same "$BATS_TEST_TMPDIR/whole" "$BATS_TEST_TMPDIR/all"
	done
	pages "$evil" paths --limit 9
	same "$BATS_TEST_TMPDIR/all" <(lines path "$evil")
	pages "$events" quality --limit 2
	same "$BATS_TEST_TMPDIR/all" <(grep -E '^\{"type":"(event|quality|module|diagnostic)"' "$events")
	pages "$events" hotspots --limit 4 --sort inclusive --event cycles:u
	[ "$(wc -l <"$BATS_TEST_TMPDIR/all")" = 10 ]
}

@test "a cursor fits one artifact and one question" {
	local next
	run_ok pl-query hotspots --limit 1 --sort inclusive "$two"
	next=$(page .next)
	run_ok pl-query hotspots --limit 7 --sort inclusive --after "$next" "$two"
	run_fail 2 INVALID_INPUT pl-query hotspots --sort inclusive --after "$next" "$evil"
	grep -q 'another artifact' "$err"
	for other in '--sort self' '--sort inclusive --event unknown' '--sort inclusive --symbol main'; do
		# shellcheck disable=SC2086 # words
		run_fail 2 INVALID_INPUT pl-query hotspots $other --after "$next" "$two"
		grep -q 'another question' "$err"
	done
	run_fail 2 INVALID_INPUT pl-query paths --after "$next" "$two"
	for bad in '' zz 31 "${next%??}zz" "${next}0" "${next}00" "$(printf '9%.0s' {1..4000})" \
		"${next/31/32}" "${next%??}78"; do
		run_fail 2 INVALID_INPUT pl-query hotspots --sort inclusive --after "$bad" "$two"
		grep -q 'no cursor' "$err"
	done
}

@test "a cursor behind the last row gives an empty page" {
	local next
	run_ok pl-query hotspots --limit 4 "$two"
	next=$(page .next)
	# the position is the last number of the cursor: 4 becomes 9
	run_ok pl-query hotspots --after "${next%34}39" "$two"
	[ "$(page '[.total, .first, .rows, .next] | @json')" = '[5,0,0,null]' ]
	[ -z "$(body)" ]
}

@test "a symbol, exactly" {
	run_ok pl-query hotspots --symbol parse "$two"
	same <(body) <(lines hotspot "$two" | grep '"symbol":"parse","dso":null,"kind"')
	[ "$(page .total)" = 1 ]
	run_ok pl-query hotspots --symbol pars "$two"
	[ "$(page '[.total, .rows] | @json')" = '[0,0]' ]
	run_ok pl-query paths --symbol compute "$two"
	same <(body) <(lines path "$two" | head -n 1)
	run_ok pl-query paths --symbol worker "$two"
	same <(body) <(lines path "$two")
	run_ok pl-query hotspots --symbol $'line\nbreak' "$evil"
	[ "$(body | jq -r .symbol)" = $'line\nbreak' ]
	run_ok pl-query hotspots --symbol unknown "$events"
	[ "$(page .total)" = 2 ]
}

@test "one hotspot with its call paths" {
	run_ok pl-query hotspot h-8b922368ff6b91c7 "$two"
	same <(body) <(
		lines hotspot "$two" | grep '^{"type":"hotspot","id":"h-8b922368ff6b91c7"'
		lines path "$two"
	)
	[ "$(page '[.total, .rows, .paths_total, .paths, .next] | @json')" = '[1,1,2,2,null]' ]
	# by key, not by symbol: unknown in libz is not unknown in the server
	run_ok pl-query hotspot h-18054296d765757d "$events"
	[ "$(body | jq -r 'select(.type=="path").frames[-1].dso')" = /usr/lib/x86_64-linux-gnu/libz.so.1 ]
	# one of 28: ten of its 27 paths
	run_ok pl-query hotspot "$(jq -r 'select(.type=="hotspot" and .symbol=="main").id' "$evil")" "$evil"
	same <(body | tail -n +2) <(lines path "$evil" | head -n 10)
	[ "$(page '[.paths_total, .paths] | @json')" = '[27,10]' ]
}

@test "one id in several events, and in none" {
	run_ok pl-query hotspot h-1ee04120a3c409c9 "$events"
	[ "$(body | jq -r 'select(.type=="hotspot").event' | paste -sd ' ')" = 'cycles:u sched:sched_switch' ]
	[ "$(page '[.event, .total] | @json')" = '[null,2]' ]
	# the paths stand below the row of their own event
	[ "$(body | jq -r .event | uniq | paste -sd ' ')" = 'cycles:u sched:sched_switch' ]
	run_ok pl-query hotspot h-1ee04120a3c409c9 --event sched:sched_switch "$events"
	[ "$(page '[.event, .total, .paths] | @json')" = '["sched:sched_switch",1,1]' ]
	run_fail 2 INVALID_INPUT pl-query hotspot h-0000000000000000 "$events"
	grep -q h-0000000000000000 "$err"
	[ ! -s "$out" ]
}

@test "hotspots by their exact name, in each event, and the call paths through them" {
	run_ok pl-query hotspot compute "$two"
	mv "$out" "$out.1"
	run_ok pl-query hotspot h-809dd1f5cfc5bd68 "$two"
	same "$out.1" "$out"
	# two functions of one name, the ten heaviest paths through either
	run_ok pl-query hotspot unknown "$events"
	same <(body) <(
		lines hotspot "$events" | grep '"symbol":"unknown"'
		lines path "$events" | grep '"symbol":"unknown"'
	)
	[ "$(page '[.total, .rows, .paths_total, .paths] | @json')" = '[2,2,1,1]' ]
	run_ok pl-query hotspot parse_header "$events"
	[ "$(body | jq -r 'select(.type=="hotspot").event' | paste -sd ' ')" = 'cycles:u sched:sched_switch' ]
	run_ok pl-query hotspot parse_header --event sched:sched_switch "$events"
	[ "$(page '[.event, .total, .paths] | @json')" = '["sched:sched_switch",1,1]' ]
	run_ok pl-query hotspot main "$evil"
	same <(body | tail -n +2) <(lines path "$evil" | head -n 10)
	run_fail 2 INVALID_INPUT pl-query hotspot comput "$two"
	jq -e '.suggested_actions | tostring | test("pl-query hotspots lists ids and names; pl-query hotspots --symbol NAME")' "$err"
	[ ! -s "$out" ]
}

@test "hotspots are named by what they are grouped by" {
	pl-fold-parse --dso-from-frame <<<'main;f (libx.so) 7' | pl-aggregate --group-by dso >"$BATS_TEST_TMPDIR/dso"
	run_ok pl-query hotspot libx.so "$BATS_TEST_TMPDIR/dso"
	[ "$(body | jq -r 'select(.type=="hotspot").dso')" = libx.so ]
	run_fail 2 INVALID_INPUT pl-query hotspot f "$BATS_TEST_TMPDIR/dso"
}

@test "a file in the place of the id is found out before anything is waited for" {
	expect_exit 2 pl-query hotspot "$two" </dev/null
	grep -q "^pl-query: 'hotspot' wants an ID or a name, and then a FILE: .*two-lines.* is a file; " "$err"
	expect_exit 2 pl-query --limit 3 hotspot "$two" </dev/null
	# a file that happens to have a hotspot's name
	cp "$two" "$BATS_TEST_TMPDIR/compute"
	cd "$BATS_TEST_TMPDIR"
	expect_exit 2 pl-query hotspot compute <"$ROOT/$two"
	run_ok pl-query hotspot compute - <"$ROOT/$two"
	run_ok pl-query hotspot compute --input compute
	run_ok pl-query hotspot compute compute
	# a folder is no input
	rm compute
	mkdir compute
	run_ok pl-query hotspot compute <"$ROOT/$two"
}

@test "an option that would change nothing is refused" {
	expect_exit 2 pl-query paths --sort symbol "$two"
	expect_exit 2 pl-query hotspots --max-bytes 7000 "$two"
	expect_exit 2 pl-query text --after 31 "$two"
	expect_exit 2 pl-query quality --symbol x "$two"
	expect_exit 2 pl-query hotspot h-1 --limit 3 "$two"
	for bad in 0 1001 -1 x; do
		expect_exit 2 pl-query hotspots --limit=$bad "$two"
	done
	expect_exit 2 pl-query text --max-bytes 1799 "$two"
	expect_exit 2 pl-query hotspots --width 80 "$two"
	expect_exit 2 pl-query text --min-percent 3 "$two"
	expect_exit 2 pl-query tree --sort symbol "$two"
	expect_exit 2 pl-query callers main --limit 3 "$two"
	for bad in 1 23 10001 x ''; do
		expect_exit 2 pl-query text "--width=$bad" "$two"
	done
}

@test "golden: the text of folded input, and of two events" {
	golden two-lines.text pl-query text "$two"
	golden two-events.text pl-query text "$events"
	golden evil.text pl-query text --limit 1000 "$evil"
}


@test "text: what may be concluded stands above what may not" {
	run_ok pl-query text "$two"
	tail -n 2 "$out" >"$out.tail"
	jq -r 'select(.type=="quality") | "may be concluded: " + (.allowed | join(", ")),
		"not to be concluded: " + (.forbidden | join(", "))' "$two" >"$out.want"
	same "$out.want" "$out.tail"
	jq -c 'if .type=="quality" then .allowed=[] else . end' "$two" >"$BATS_TEST_TMPDIR/none"
	run_ok pl-query text --unsealed "$BATS_TEST_TMPDIR/none"
	grep -q '^may be concluded: nothing$' "$out"
}

@test "text: the counts behind a partial status" {
	run_ok pl-query text "$two"
	run grep -c '^counts' "$out"
	[ "$output" = 0 ]
	run_ok pl-query text "$events"
	grep -q '^counts: 4 lost records, 13\.53 % of weight unresolved, 4 functions omitted, 4 call paths omitted$' "$out"
	printf 'a 5\nbad\nb 1\n' | pl-fold-parse --quiet | grep -v '"weight":1,' |
		pl-aggregate >"$BATS_TEST_TMPDIR/few"
	run_ok pl-query text "$BATS_TEST_TMPDIR/few"
	grep -q '^status partial: malformed_records, stream_filtered$' "$out"
	grep -q '^counts: 1 malformed record, 1 of 2 stack lines received$' "$out"
	printf 'a\377\377;[unknown] 1\nb;c 3\n' | pl-fold-parse --quiet |
		pl-aggregate --top-n 3 --call-path-limit 1 >"$BATS_TEST_TMPDIR/few"
	run_ok pl-query text "$BATS_TEST_TMPDIR/few"
	grep -q '^counts: 2 replaced bytes, 25\.00 % of weight unresolved, 1 function omitted, 1 call path omitted$' "$out"
	jq -c 'if .type=="sample" then .cut="TRUNCATED" else . end' < <(pl-fold-parse schemas/examples/two-lines.folded) |
		pl-aggregate >"$BATS_TEST_TMPDIR/few"
	run_ok pl-query text "$BATS_TEST_TMPDIR/few"
	grep -q '^counts: 100\.00 % of weight in cut stacks$' "$out"
}

@test "text: nothing is left, no row of others" {
	run_ok pl-query text "$two"
	run grep -c 'other: ' "$out"
	[ "$output" = 0 ]
	run_ok pl-query text --limit 4 "$two"
	grep -q '^  *0\.00  *0  *other: 1 function$' "$out"
}

# fullest: every code that there is, and figures of all kinds and of full length around the table
fullest() {
	local codes
	codes=$(grep -oE '"[a-z]+(_[a-z]+)+"' libcommon/quality.c | grep -v '^"off_cpu"$' | jq -c -s .)
	jq -c --argjson codes "$codes" '
		1234567890123456 as $w | ($codes | index("sampled_event_hotspot_distribution")) as $a
		| ($codes | index("performance_root_cause")) as $f
		| if .type=="event" then .weight=$w*2 | .idle_weight=$w | .stackless=$w-453 | .lost=$w
		elif .type=="quality" then .malformed=$w | .replaced=$w | .cut_weight=$w
			| .unresolved_self=$w | .announced_samples=$w | .status="partial"
			| .reasons=$codes[:$a] | .allowed=$codes[$a:$f] | .forbidden=$codes[$f:]
		elif .type=="end" then .events[0].hotspots_total=$w | .events[0].paths_total=$w
		else . end' "$two"
}

@test "text: with the least --max-bytes every code and figure around the table finds room" {
	local least
	least=$(pl-query --help | sed -n 's/.*bytes of text at most, at least \([0-9]*\);.*/\1/p')
	expect_exit 2 pl-query text --max-bytes $((least - 1)) "$two"
	fullest >"$BATS_TEST_TMPDIR/full"
	run_ok pl-query text --unsealed --max-bytes "$least" "$BATS_TEST_TMPDIR/full"
	[ "$(wc -c <"$out")" -le "$least" ]
	grep -q '^status partial: malformed_records, .*, unsealed_input$' "$out"
	grep -q '^counts: .* call paths omitted$' "$out"
	grep -q '^may be concluded: .*, sample_privilege_distribution$' "$out"
	tail -n 1 "$out" | grep -q '^not to be concluded: performance_root_cause, .*, unqualified_profile_conclusion$'
}

@test "text: coverage and other are what jq makes of the rows" {
	local n=5 total weight shown
	run_ok pl-query text --limit $n "$evil"
	total=$(jq 'select(.type=="end").events[0].hotspots_total' "$evil")
	weight=$(jq 'select(.type=="event").weight' "$evil")
	shown=$(jq -s --argjson n $n '[.[] | select(.type=="hotspot")][:$n] | map(.self) | add' "$evil")
	[ "$(grep -c '  h-' "$out")" = $n ]
	grep -q "^$n of $total functions, $(jq -n "$shown * 1000 / $weight | round / 10") % of self weight$" "$out"
	grep -q "^ *[0-9.]*  *$((weight - shown))  *other: $((total - n)) functions$" "$out"
	[ "$(awk '/  h-/ { s += $2 } / other: / { s += $2 } END { print s }' "$out")" = "$weight" ]
}

@test "text: rows plus other plus idle plus stackless is all the weight" {
	run_ok pl-query text --event cycles:u --limit 3 "$events"
	[ "$(awk '/  h-/ || / other: / { s += $2 } END { print s }' "$out")" = \
		$((170000 - 3000 - 42000)) ]
	grep -q '^idle, apart: 2 of them, self 42000 cycles, 24\.71 % of weight; idle in all 42000 cycles' "$out"
	grep -q '^samples without a stack, in no row: 3000 cycles, 1\.76 % of weight$' "$out"
	run grep -c 'intel_idle' "$out"
	[ "$output" = 0 ]
}

@test "text: never over --max-bytes, and what is dropped is in other" {
	local size
	for size in 1800 1801 1900 2399 2600 3201 3601 3733 6000; do
		for file in "$evil" "$events" "$two"; do
			run_ok pl-query text --limit 1000 --max-bytes $size "$file"
			[ "$(wc -c <"$out")" -le $size ]
		done
	done
	run_ok pl-query text --limit 1000 --max-bytes 2000 "$evil"
	[ "$(awk '/  h-/ || / other: / { s += $2 } END { print s }' "$out")" = \
		"$(jq 'select(.type=="event").weight' "$evil")" ]
	# the next row would not have fitted: it takes over 55 bytes
	[ "$(wc -c <"$out")" -gt 1900 ]
}

@test "text: names are whole, or cut with a mark and their length" {
	run_ok pl-query text --limit 1000 --max-bytes 6000 "$evil"
	grep -q " $(printf 'x%.0s' {1..600})$" "$out"
	run_ok pl-query text --limit 1000 --max-bytes 2200 --sort symbol "$evil"
	run grep -c 'x\{551\}' "$out"
	[ "$output" = 0 ]
	jq -c 'if .type=="hotspot" and .symbol=="compute" then .symbol=("é"*3000) else . end' "$two" \
		>"$BATS_TEST_TMPDIR/long"
	run_ok pl-query text --unsealed --max-bytes 4000 "$BATS_TEST_TMPDIR/long"
	grep -q " $(printf 'é%.0s' {1..500})…(6000 bytes)$" "$out"
}

@test "text: nothing that drives a terminal" {
	run_ok pl-query text --limit 1000 "$evil"
	run grep -c -P '[\x00-\x09\x0b-\x1f\x7f]|\xe2\x80[\xaa-\xae]' "$out"
	[ "$output" = 0 ]
	grep -q -F '\x1b[31mred' "$out"
	grep -q -F '\u{202e}drow' "$out"
}

@test "text: more events than fit are counted" {
	run_ok pl-query text --max-bytes 1800 "$events"
	grep -q '^1 of 2 events shown; choose another with --event$' "$out"
	grep -q '^event cycles:u; 170 samples; weight 170000 cycles$' "$out"
	run_ok pl-query text --event sched:sched_switch --max-bytes 1800 "$events"
	grep -q '^event sched:sched_switch; 7 samples; weight 7 events$' "$out"
	run grep -c 'events shown' "$out"
	[ "$output" = 0 ]
}

@test "text: long codes, labels and units cannot break the bound" {
	jq -c '("u"*5000) as $u | if .type=="event" then .unit=$u | .label=$u
		elif .type=="quality" then .event=$u | .reasons=[$u] | .forbidden=[range(60) | "\(.)" + $u]
			| .status=$u
		elif .type=="hotspot" or .type=="path" then .event=$u
		elif .type=="end" then .events[0].event=$u else . end' "$two" >"$BATS_TEST_TMPDIR/long"
	run_ok pl-query text --unsealed --max-bytes 1800 "$BATS_TEST_TMPDIR/long"
	[ "$(wc -c <"$out")" -le 1800 ]
	iconv -f UTF-8 -t UTF-8 "$out" >/dev/null
}

@test "an edited artifact: refused, or read and said to be unsealed" {
	sed 's/"compute"/"compote"/' "$two" >"$BATS_TEST_TMPDIR/changed"
	for question in hotspots paths quality text tree 'callers worker' 'hotspot h-809dd1f5cfc5bd68'; do
		# shellcheck disable=SC2086 # words
		run_fail 3 DIGEST_MISMATCH pl-query $question "$BATS_TEST_TMPDIR/changed"
		[ ! -s "$out" ]
	done
	# rows are passed on as they are: that they prove nothing stands beside them
	for question in hotspots paths quality 'hotspot compote'; do
		# shellcheck disable=SC2086 # words
		expect_exit 0 pl-query $question --unsealed "$BATS_TEST_TMPDIR/changed"
		[ "$(page .unsealed_input)" = true ]
		[ "$(wc -l <"$err")" = 1 ]
		grep -q '^pl-query: .*--unsealed.*proves nothing' "$err"
	done
	run_ok pl-query quality --unsealed --quiet "$BATS_TEST_TMPDIR/changed"
	run_ok pl-query quality --unsealed "$two"
	[ "$(page .unsealed_input)" = null ]
	run_ok pl-query text --unsealed "$BATS_TEST_TMPDIR/changed"
	grep -q '^status partial: unsealed_input$' "$out"
	grep -q '^not to be concluded: .*, unqualified_profile_conclusion$' "$out"
	run_ok pl-query tree --unsealed "$BATS_TEST_TMPDIR/changed"
	grep -q '^status partial: unsealed_input$' "$out"
	run_ok pl-query callers compote --unsealed "$BATS_TEST_TMPDIR/changed"
	grep -q '^status partial: unsealed_input$' "$out"
}

# ---- width and colour ----

# table FILE: the lines of the first table in a text: from its head to the line before "N of M".
table() {
	awk '/^(self %|inclusive %|% of inclusive) /, /^[0-9]+ of /' "$1" | grep -v '^[0-9]* of '
}

@test "a width: lines of the table fit it, figures are whole, what is left out is named" {
	local width
	pl-query text --limit 1000 --max-bytes 1M "$evil" >"$BATS_TEST_TMPDIR/whole"
	table "$BATS_TEST_TMPDIR/whole" | cut -c 1-6 >"$BATS_TEST_TMPDIR/shares"
	for width in 24 31 50 64 80 100 132 400; do
		run_ok pl-query text --limit 1000 --max-bytes 1M --width $width "$evil"
		table "$out" | grep -v '^columns left out' >"$BATS_TEST_TMPDIR/table"
		[ "$(wc -L <"$BATS_TEST_TMPDIR/table")" -le $width ] || fail "$width: $(wc -L "$BATS_TEST_TMPDIR/table")"
		same "$BATS_TEST_TMPDIR/shares" <(cut -c 1-6 "$BATS_TEST_TMPDIR/table")
	done
	run_ok pl-query text --width 24 "$events"
	grep -q '^columns left out for want of width: self, self % without idle, inclusive %, samples, id$' "$out"
	run_ok pl-query text --width 132 "$events"
	lacks 'left out' "$out"
	# ids and numbers are there again, and the name has what is left
	grep -q '^ 20\.00  34000  .*  h-52ac178ea93fbcf6  inflate  /usr/lib/x86_64-linux-gnu/libz\.so\.1$' "$out"
	run_ok pl-query text --width 60 --event cycles:u "$events"
	grep -q '^ 20\.00        20\.00  inflate  …/libz\.so\.1$' "$out"
	grep -q '^  7\.65         7\.65  copy_user_…st_string  \[kernel\.kallsyms\]$' "$out"
}

@test "not on a terminal: the bytes that --width 0 gives, whatever the environment says" {
	run_ok pl-query text --width 0 "$events"
	same tests/golden/two-events.text "$out"
	COLUMNS=30 TERM=xterm run_ok pl-query text "$events"
	same tests/golden/two-events.text "$out"
}

# on_terminal COLUMNS COMMAND…: what it writes to a terminal of so many columns, as a file.
on_terminal() {
	local columns=$1
	shift
	script -qefc "stty cols $columns rows 20; $*" "$BATS_TEST_TMPDIR/typescript" \
		</dev/null >"$BATS_TEST_TMPDIR/terminal"
	tr -d '\r' <"$BATS_TEST_TMPDIR/terminal" >"$BATS_TEST_TMPDIR/seen"
}

@test "on a terminal: its width, or COLUMNS where it has none, and colours that can be declined" {
	local seen=$BATS_TEST_TMPDIR/seen file
	file=$(realpath "$events")
	pl-query text --event cycles:u --width 60 "$events" >"$BATS_TEST_TMPDIR/want"
	export TERM=xterm
	NO_COLOR=1 on_terminal 60 "perflens top --event cycles:u $file"
	same "$BATS_TEST_TMPDIR/want" "$seen"
	TERM=dumb on_terminal 60 "pl-query text --event cycles:u $file"
	same "$BATS_TEST_TMPDIR/want" "$seen"
	on_terminal 60 "pl-query text --event cycles:u $file"
	sed 's/\x1b\[[0-9;]*m//g' "$seen" >"$BATS_TEST_TMPDIR/plain"
	same "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/plain"
	# red from 10 %, yellow from 5 %, others dim; the rest is as it is
	[ "$(grep -c $'^ *\x1b\\[31m' "$seen")" = 3 ]
	[ "$(grep -c $'^ *\x1b\\[33m7.65\x1b\\[m ' "$seen")" = 1 ]
	[ "$(grep -c $'\x1b\\[2mother: ' "$seen")" = 1 ]
	[ "$(grep -c $'\x1b' "$seen")" = 5 ]
	COLUMNS=60 NO_COLOR=1 on_terminal 0 "pl-query text --event cycles:u $file"
	same "$BATS_TEST_TMPDIR/want" "$seen"
	# an insane COLUMNS is no width: 80
	pl-query text --width 80 "$events" >"$BATS_TEST_TMPDIR/want"
	COLUMNS=7 NO_COLOR=1 on_terminal 0 "pl-query text $file"
	same "$BATS_TEST_TMPDIR/want" "$seen"
	on_terminal 60 "pl-query text --output $BATS_TEST_TMPDIR/to-file $file"
	same tests/golden/two-events.text "$BATS_TEST_TMPDIR/to-file"
}

# ---- tree ----

@test "golden: the tree of two events" {
	golden two-events.tree pl-query tree "$events"
	golden two-lines.tree pl-query tree "$two"
}

# figures FILE: the table with "< 0.01" as one word.
figures() {
	table "$1" | sed 's/\([<>]\) \([0-9]\)/\1\2/g'
}

# weights FILE: self weight of the rows of a tree plus the weight of what is left out below them.
weights() {
	figures "$1" | awk '/… [0-9]+ more$/ { s += $2; next } $2 ~ /^[0-9]/ { s += $4 } END { print s + 0 }'
}

@test "tree: rows and what is left out at each place are all paths, at every bound" {
	local paths n least bytes
	paths=$(jq -s 'map(select(.type=="path" and .event=="cycles:u").weight) | add' "$events")
	for n in 1 2 3 5 8 1000; do
		run_ok pl-query tree --event cycles:u --min-percent 0 --limit $n "$events"
		[ "$(weights "$out")" = "$paths" ]
	done
	# and with what is named below, all of the event
	grep -q '^4 call paths are not in the analysis: 17000 cycles, 10\.00 % of weight$' "$out"
	grep -q '^samples without a stack, in no row: 3000 cycles, 1\.76 % of weight$' "$out"
	[ $((paths + 17000 + 3000)) = 170000 ]
	paths=$(jq -s 'map(select(.type=="path").weight) | add' "$evil")
	for least in 0 0.5 3 20 100; do
		run_ok pl-query tree --min-percent $least --limit 1000 --max-bytes 1M "$evil"
		[ "$(weights "$out")" = "$paths" ]
		# nothing lighter is shown
		figures "$out" | awk -v least=$least '!/… [0-9]+ more$/ && $1 + 0 < least - 0.01 && NR > 1 {
			bad = 1 } END { exit bad }'
	done
	for bytes in 1800 2000 2500 4000; do
		run_ok pl-query tree --min-percent 0 --limit 1000 --max-bytes $bytes "$evil"
		[ "$(wc -c <"$out")" -le $bytes ]
		[ "$(weights "$out")" = "$paths" ]
	done
}

@test "tree: inclusive and self are what jq makes of the paths" {
	printf 'main;a;x 5\nmain;a 3\nmain;b;x 4\nmain;b;y 2\nother 1\nmain;a;x;main 6\n' |
		pl-fold-parse | pl-aggregate >"$BATS_TEST_TMPDIR/a"
	run_ok pl-query tree "$BATS_TEST_TMPDIR/a"
	table "$out" | tail -n +2 | awk '{ print $2, $4, $(NF - 1) == "-" ? "- " $NF : $NF }' >"$BATS_TEST_TMPDIR/tree"
	cat >"$BATS_TEST_TMPDIR/want" <<-END
		20 0 - main
		14 3 - a
		11 5 x
		6 6 main
		6 0 - b
		4 4 - x
		2 2 - y
		1 1 - other
	END
	same "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/tree"
	# what the samples' order was does not matter
	printf 'other 1\nmain;b;y 2\nmain;a;x;main 6\nmain;b;x 4\nmain;a 3\nmain;a;x 5\n' |
		pl-fold-parse | pl-aggregate | pl-query tree >"$BATS_TEST_TMPDIR/b"
	same "$out" "$BATS_TEST_TMPDIR/b"
}

# stack N: "f1;f2;…;fN"
stack() {
	seq -f 'f%g' "$1" | paste -sd ';'
}

@test "tree: a chain of thousands does not grow to the right; branches do, and no further than half" {
	{
		echo "$(stack 3000) 7"
		echo "$(stack 20);g 1"
	} | pl-fold-parse | pl-aggregate >"$BATS_TEST_TMPDIR/deep"
	run_ok pl-query tree --limit 1000 --max-bytes 1M "$BATS_TEST_TMPDIR/deep"
	[ "$(table "$out" | wc -L)" -le 60 ]
	[ "$(weights "$out")" = 8 ]
	grep -q '^1000 of 3001 nodes of the call tree$' "$out"
	# each level branches
	awk 'BEGIN { for (n = 1; n <= 400; n++) { s = s sep "f" n; sep = ";"; print s, n; print s ";g 1" } }' |
		pl-fold-parse | pl-aggregate >"$BATS_TEST_TMPDIR/ladder"
	run_ok pl-query tree --min-percent 0 --limit 1000 --max-bytes 1M "$BATS_TEST_TMPDIR/ladder"
	[ "$(weights "$out")" = $((400 * 401 / 2 + 400)) ]
	[ "$(table "$out" | wc -L)" -le 100 ]
	grep -q ' \[399\] - f400$' "$out"
	run_ok pl-query tree --min-percent 0 --limit 1000 --max-bytes 1M --width 50 "$BATS_TEST_TMPDIR/ladder"
	[ "$(table "$out" | grep -v '^columns' | wc -L)" -le 50 ]
}

@test "tree: what has no call paths says so" {
	printf 'main;f 7\n' | pl-fold-parse | pl-aggregate --no-paths >"$BATS_TEST_TMPDIR/none"
	run_ok pl-query tree "$BATS_TEST_TMPDIR/none"
	grep -q '^the analysis has no call paths: it was made with --no-paths$' "$out"
	run_fail 2 INVALID_INPUT pl-query tree --event nope "$two"
}

# ---- callers and callees ----

# edges: weight and name of each row of the table in $out.
edges() {
	awk '/^[ 0-9]*\.[0-9][0-9] / { print $1, $2, $NF }' "$out"
}

@test "callers and callees: the exact edges, and what no edge holds" {
	printf 'main;a;f 5\nmain;b;f;g 4\nf;g 2\nmain;a 1\n' | pl-fold-parse |
		pl-aggregate >"$BATS_TEST_TMPDIR/a"
	run_ok pl-query callers f "$BATS_TEST_TMPDIR/a"
	same <(edges) <(printf '%s\n' '45.45 5 a' '36.36 4 b' '18.18 2 root')
	grep -q '^event unknown; inclusive 11 weight units (unit not recorded), 91\.67 % of weight$' "$out"
	grep -q '  no caller: a root$' "$out"
	run_ok pl-query callees f "$BATS_TEST_TMPDIR/a"
	same <(edges) <(printf '%s\n' '45.45 5 (self)' '54.55 6 g')
	run_ok pl-query callers main "$BATS_TEST_TMPDIR/a"
	same <(edges) <(echo '100.00 10 root')
	# by id, and as the row has them
	run_ok pl-query callees "$(jq -r 'select(.symbol=="f").id' "$BATS_TEST_TMPDIR/a")" "$BATS_TEST_TMPDIR/a"
	same <(edges) <(printf '%s\n' '45.45 5 (self)' '54.55 6 g')
	grep -q "  $(jq -r 'select(.symbol=="g").id' "$BATS_TEST_TMPDIR/a")  g$" "$out"
}

@test "callers and callees: recursion, more than ten, none kept, stacks that were cut" {
	printf 'r;r;r 3\nm;r 2\n' | pl-fold-parse | pl-aggregate >"$BATS_TEST_TMPDIR/a"
	run_ok pl-query callers r "$BATS_TEST_TMPDIR/a"
	# r has itself as caller in 3 of 5, and none there as well
	same <(edges) <(printf '%s\n' '60.00 3 r' '40.00 2 m')
	grep -q '^it stands more than once in some stacks (recursion)' "$out"
	for n in $(seq 11 22); do echo "main;c$n;f $n"; done | pl-fold-parse | pl-aggregate >"$BATS_TEST_TMPDIR/a"
	run_ok pl-query callers f "$BATS_TEST_TMPDIR/a"
	# of 198 the lightest two are not kept: 11 and 12
	edges | tail -n 1 | same <(echo '11.62 23 none') /dev/stdin
	[ "$(edges | wc -l)" = 11 ]
	run_ok pl-query callees main "$BATS_TEST_TMPDIR/a"
	edges | tail -n 1 | same <(echo '11.62 23 callees') /dev/stdin
	printf 'main;f 7\n' | pl-fold-parse | pl-aggregate --no-paths >"$BATS_TEST_TMPDIR/a"
	run_ok pl-query callers f "$BATS_TEST_TMPDIR/a"
	grep -q '^the analysis has no edges: it was made with --no-paths$' "$out"
	jq -c 'if .type=="sample" then .cut="TRUNCATED" else . end' < <(pl-fold-parse schemas/examples/two-lines.folded) |
		pl-aggregate >"$BATS_TEST_TMPDIR/a"
	run_ok pl-query callers main "$BATS_TEST_TMPDIR/a"
	grep -q '  no caller: a root, or cut off there$' "$out"
}

@test "callers: a name of several hotspots or events has a table each, or is listed by ids" {
	run_ok pl-query callers unknown "$events"
	same <(sed -n 's/^callers of unknown  \(.*\)  \(h-.*\)$/\2 \1/p' "$out") \
		<(lines hotspot "$events" | jq -r 'select(.symbol=="unknown") | .id + " " + .dso')
	run_ok pl-query callers parse_header "$events"
	[ "$(grep -c '^event ' "$out")" = 2 ]
	run_ok pl-query callers parse_header --event sched:sched_switch "$events"
	[ "$(grep -c '^event ' "$out")" = 1 ]
	for n in $(seq 30); do echo "main;f (lib$n.so) $n"; done | pl-fold-parse --dso-from-frame |
		pl-aggregate >"$BATS_TEST_TMPDIR/many"
	run_ok pl-query callers f --max-bytes 2000 "$BATS_TEST_TMPDIR/many"
	[ "$(wc -c <"$out")" -le 2000 ]
	shown=$(grep -c '^callers of f ' "$out")
	[ "$shown" -gt 1 ]
	grep -q "^$((30 - shown)) more hotspots of this name; choose by id: h-" "$out"
	# the heaviest come first, and the first that is not shown is the first of the list
	[ "$(sed -n 's/.*choose by id: \(h-[0-9a-f]*\),.*/\1/p' "$out")" = \
		"$(jq -r 'select(.symbol=="f").id' "$BATS_TEST_TMPDIR/many" | sed -n $((shown + 1))p)" ]
}

@test "callers and callees: errors are those of hotspot" {
	for command in callers callees; do
		run_fail 2 INVALID_INPUT pl-query $command nope "$two"
		jq -e '.suggested_actions | tostring | test("pl-query hotspots lists ids and names")' "$err"
		run_fail 2 INVALID_INPUT pl-query $command
		expect_exit 2 pl-query $command "$two" </dev/null
		grep -q "^pl-query: '$command' wants an ID or a name, and then a FILE: " "$err"
		run_fail 2 INVALID_INPUT pl-query $command main --event nope "$two"
	done
}

@test "callers: a width, and nothing that drives a terminal" {
	for width in 24 40 80; do
		run_ok pl-query callees --width $width main "$evil"
		[ "$(table "$out" | grep -v '^columns\|^it ' | wc -L)" -le $width ]
	done
	run_ok pl-query callees main "$evil"
	run grep -c -P '[\x00-\x09\x0b-\x1f\x7f]|\xe2\x80[\xaa-\xae]' "$out"
	[ "$output" = 0 ]
}
