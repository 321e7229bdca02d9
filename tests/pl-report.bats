#!/usr/bin/env bats
#
# pl-report: figures against jq, tables that are valid GFM, names that stay data.
#
# shellcheck disable=SC2030,SC2031 # each test is a subshell
# shellcheck disable=SC2154 # out and err are the helper's
# shellcheck disable=SC2016 # back-ticks of Markdown

load helper

data=tests/data

# seal <UNSEALED >SEALED: puts the digest of an edited analysis right, and the count of its records.
seal() {
	local body=$BATS_TEST_TMPDIR/unsealed
	jq -c . >"$body"
	{
		sed '$d' "$body"
		tail -n 1 "$body" | jq -c --argjson n "$(($(wc -l <"$body") - 2))" \
			'del(.sha256) | .records = $n' | sed 's/}$//' | tr -d '\n'
	} >"$body.open"
	cat "$body.open"
	printf ',"sha256":"%s"}\n' "$(sha256sum "$body.open" | cut -d' ' -f1)"
}

# rows PREFIX: rows of the tables in $out whose evidence id starts with it; cell N of each on demand.
rows() {
	grep "^| \`$1" "$out"
}

# tables_valid FILE: by awk alone, each table is a block of lines with the same number of cells as
# its head, whose second line is a rule, and which ends with a blank line or the file.
tables_valid() {
	awk '
		function cells(line, i, n, c) {
			n = 0
			for (i = 1; i <= length(line); i++) {
				c = substr(line, i, 1)
				if (c == "\\") i++
				else if (c == "|") n++
			}
			return n
		}
		/^\|/ {
			n = cells($0)
			if (!inside) { head = n; inside = 1; line = 0; tables++ }
			line++
			if (n != head) { print NR ": " n " cells, not " head; bad = 1 }
			if (line == 2 && $0 !~ /^(\| (---|---:) )+\|$/) { print NR ": no rule"; bad = 1 }
			if ($0 !~ /\|$/) { print NR ": not closed"; bad = 1 }
			next
		}
		{
			if (inside && $0 != "") { print NR ": text right below a table"; bad = 1 }
			if (inside && line < 3) { print NR ": a table without rows"; bad = 1 }
			inside = 0
		}
		END { if (!tables) { print "no table"; bad = 1 } exit bad }
	' "$1" || fail "$1: a table is no valid GFM"
}

# The words of a report, one a line, of either format and without what only that one has: the style,
# the captions of tables.
words_html() {
	sed -E '/<head>/,/<\/head>/d; /^<figure>/,/^<\/figure>/d; s/<caption[^>]*>[^<]*<\/caption>//g; s/<(th|td|li|p|h[1-4])/ &/g
		s/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&#39;/'"'"'/g; s/&amp;/\&/g' "$1" |
		tr -s ' ' '\n' | grep .
}
words_markdown() {
	sed -E '/^(\| -+:? )+\|$/d; s/^ *(#+|-) //
		s/\\\\/\x01/g; s/\\\|/\x02/g; s/\\`/\x03/g; s/\\\*/\x04/g
		s/[|`*]//g; s/\\(.)/\1/g; y/\x01\x02\x03\x04/\\|`*/' "$1" | tr -s ' ' '\n' | grep .
}

# share PART WHOLE DECIMALS: a percentage, half up, by jq.
share() {
	jq -nr --argjson p "$1" --argjson w "$2" --argjson d "$3" '
		($p * 100 * pow(10; $d) / $w + 0.5 | floor | tostring) as $n
		| ("000" + $n)[-([($n | length), $d + 1] | max):] as $n
		| $n[:-$d] + "." + $n[-$d:] + " %"'
}

@test "pl-report keeps the contract of every program" {
	program_contract pl-report "$data/two-events.analysis.ndjson"
}

@test "pl-report reads streams as every reader does" {
	stream_contract pl-report "$data/two-events.analysis.ndjson"
}

@test "golden: folded input" {
	golden two-lines.report.md pl-report --problem 'Throughput regression' \
		--metric requests/second "$data/two-lines.analysis.ndjson"
	tables_valid "$out"
}

@test "at the end of the pipeline that makes its analysis, grouped by anything" {
	local by
	printf 'main;worker;parse;malloc 182\nmain;worker;compute 271\n' >"$BATS_TEST_TMPDIR/folded"
	pl-fold-parse "$BATS_TEST_TMPDIR/folded" >"$BATS_TEST_TMPDIR/samples"
	pl-aggregate "$BATS_TEST_TMPDIR/samples" | golden two-lines.report.md pl-report \
		--problem 'Throughput regression' --metric requests/second
	for by in symbol dso comm tid source; do
		pl-aggregate --group-by $by "$BATS_TEST_TMPDIR/samples" >"$BATS_TEST_TMPDIR/by"
		run_ok pl-report "$BATS_TEST_TMPDIR/by"
		tables_valid "$out"
	done
}

@test "golden: two events, partial, with idle, modules and omissions" {
	golden two-events.report.md pl-report "$data/two-events.analysis.ndjson"
	tables_valid "$out"
}

@test "golden: names that would break Markdown" {
	golden evil.report.md pl-report --top-n 100 --call-path-limit 100 \
		"$data/evil.analysis.ndjson"
	tables_valid "$out"
}

@test "golden: HTML, also of names that would break it" {
	golden two-lines.report.html pl-report --format html --problem 'Throughput regression' \
		--metric requests/second "$data/two-lines.analysis.ndjson"
	xmllint --noout "$out"
	golden evil.report.html pl-report --format html --top-n 100 --call-path-limit 100 \
		--problem "a<b>&\"c\"'d' ]]>" "$data/evil.analysis.ndjson"
	xmllint --noout "$out"
	# nothing but what was written here can be markup or be fetched
	sed '/^<figure>/,/^<\/figure>/d' "$out" | sed -E 's/<(\/?(html|head|title|style|body|header|main|section|div|h[1-4]|p|ul|li|table|caption|thead|tbody|tr|th|td|code|strong|bdi)|meta|!DOCTYPE html)( (lang|charset|name|content|class|role|aria-labelledby|tabindex|id|scope)="[^"<>]*")*\/?>//g' \
		>"$out.text"
	lacks '[<>"]' "$out.text"
	lacks 'src=\|href=\|url(\|@import\|<script' "$out"
}

@test "both formats say the same" {
	local name
	for name in two-events evil; do
		run_ok pl-report --top-n 100 "$data/$name.analysis.ndjson"
		words_markdown "$out" >"$BATS_TEST_TMPDIR/markdown"
		run_ok pl-report --format html --top-n 100 "$data/$name.analysis.ndjson"
		words_html "$out" >"$BATS_TEST_TMPDIR/html"
		[ "$(wc -l <"$BATS_TEST_TMPDIR/html")" -gt 500 ]
		same "$BATS_TEST_TMPDIR/markdown" "$BATS_TEST_TMPDIR/html"
	done
	expect_exit 2 pl-report --format pdf "$data/evil.analysis.ndjson"
}

@test "the sections of the mission, in order" {
	run_ok pl-report "$data/two-events.analysis.ndjson"
	same <(grep '^## ' "$out" | sed 's/^## //') <(
		cat <<-'END'
			1. Problem
			2. Data quality
			3. Key observations
			4. Hotspots
			5. Call paths
			6. Candidates
			7. What was not measured
			8. Recommendations
			9. What is observed, likely and confirmed
		END
	)
	grep -q '^No classification was given\.$' "$out"
	grep -q '^- Likely: none' "$out"
	grep -q '^- Confirmed: none' "$out"
}

@test "what was not stated is said to be so; --analysis is --input" {
	run_ok pl-report --analysis "$data/two-lines.analysis.ndjson"
	grep -q '^- Problem: not stated$' "$out"
	grep -q '^- Metric: not stated$' "$out"
	mv "$out" "$out.1"
	run_ok pl-report <"$data/two-lines.analysis.ndjson"
	same "$out.1" "$out"
}

@test "each row is the artifact's: id, self, inclusive, samples, by jq" {
	run_ok pl-report --event cycles:u "$data/two-events.analysis.ndjson"
	jq -r 'select(.type=="hotspot" and .event=="cycles:u" and .idle==0)
		| [.id, .self, .self_samples, .inclusive, .samples] | @tsv' \
		"$data/two-events.analysis.ndjson" >"$BATS_TEST_TMPDIR/want"
	sed -n '/^## 4/,/^Idle/p' "$out" | grep '^| `h-' |
		awk -F ' *[|] *' -v OFS='\t' '{ gsub("`", "", $2); print $2, $5, $9, $10, $12 }' \
			>"$BATS_TEST_TMPDIR/got"
	[ -s "$BATS_TEST_TMPDIR/got" ]
	same "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/got"
}

@test "coverage and other are what jq makes of the rows" {
	local n=5 file=$data/evil.analysis.ndjson total weight shown
	run_ok pl-report --top-n $n --call-path-limit 3 "$file"
	total=$(jq 'select(.type=="end").events[0].hotspots_total' "$file")
	weight=$(jq 'select(.type=="event").weight' "$file")
	shown=$(jq -s --argjson n $n '[.[] | select(.type=="hotspot")][:$n] | map(.self) | add' "$file")
	grep -qx "$n of $total functions shown, $(share "$shown" "$weight" 1) of self weight" "$out"
	grep -q -F "| other: $((total - n)) of $total functions | — | $((weight - shown)) | $(
		share $((weight - shown)) "$weight" 2
	) |" "$out"
	[ "$(rows h- | wc -l)" = $n ]
	total=$(jq 'select(.type=="end").events[0].paths_total' "$file")
	shown=$(jq -s '[.[] | select(.type=="path")][:3] | map(.weight) | add' "$file")
	grep -qx "3 of $total call paths shown, $(share "$shown" "$weight" 1) of the weight with a stack" "$out"
	grep -q -F "| other: $((total - 3)) of $total call paths | $((weight - shown)) |" "$out"
	[ "$(rows p- | wc -l)" = 3 ]
}

@test "omitted rows, idle and stackless samples are accounted for" {
	local file=$data/two-events.analysis.ndjson e total weight stackless idle self
	run_ok pl-report --event cycles:u "$file"
	e='select(.event=="cycles:u" or .label=="cycles:u")'
	weight=$(jq "$e | select(.type==\"event\").weight" "$file")
	stackless=$(jq "$e | select(.type==\"event\").stackless" "$file")
	idle=$(jq -s "map($e | select(.type==\"hotspot\" and .idle==.self).idle) | add" "$file")
	self=$(jq -s "map($e | select(.type==\"hotspot\" and .idle==0).self) | add" "$file")
	total=$(jq 'select(.type=="end").events[0].hotspots_total' "$file")
	grep -q "^8 of $total functions shown, $(share "$self" $((weight - stackless)) 1) of self weight; the analysis itself omits 4 functions with 0 cycles" "$out"
	grep -q -F "only idle: 2 functions, shown apart; samples without a stack: $stackless cycles, $(share "$stackless" "$weight" 2) of weight" "$out"
	grep -q "^Idle: $idle cycles, $(share "$idle" "$weight" 2) of weight; not idle: $((weight - idle)) cycles" "$out"
	# memchr, 40000 cycles, on both bases
	rows h-eb02d90042c81682 | grep -q -F "| 40000 | $(share 40000 "$weight" 2) |"
	rows h-eb02d90042c81682 | grep -q -F "| $(share 40000 $((weight - idle)) 2) |"
}

@test "intervals are shown, and two that overlap leave the order open" {
	run_ok pl-report --event cycles:u "$data/two-events.analysis.ndjson"
	rows h-eb02d90042c81682 | grep -q '| 17\.78 % to 30\.45 % |'
	grep -q 'overlaps that of the second, inflate .*: their order is open$' "$out"
	run_ok pl-report "$data/two-lines.analysis.ndjson"
	run grep -c 'interval\|open$' "$out"
	[ "$output" = 0 ]
}

@test "recommendations come from the data: modules, reasons, diagnostics" {
	run_ok pl-report --event cycles:u --metric p99 "$data/two-events.analysis.ndjson"
	sed -n '/^## 7/,/^## 8/p' "$out" >"$out.7"
	grep -q '^| /usr/lib/x86\\_64-linux-gnu/libz.so.1 | .* | 21000 | 12\.35 % | `no_debug_file` | install the package zlib1g-dbgsym |$' "$out.7"
	grep -q 'build with -g \\| keep the symbols |$' "$out.7"
	lacks 'no call graph\|unit of the weights' "$out.7"
	sed -n '/^## 8/,/^## 9/p' "$out" >"$out.8"
	for code in lost_records unresolved_self omitted_rows; do
		grep -q "^- \`$code\`: " "$out.8"
	done
	sed -n '/^### A\/B requirement/,$p' "$out" | grep -q 'measure p99 before and after'
}

@test "a format without DSOs is said to be that, not to be unresolved" {
	run_ok pl-report "$data/two-lines.analysis.ndjson"
	grep -q '^- DSOs: the input format records none' "$out"
	grep -q '^- Unresolved self weight: 0 .*, 0\.00 % of weight' "$out"
	grep -q '^| `h-809dd1f5cfc5bd68` | compute | unknown | 271 |' "$out"
	grep -q 'weight units (unit not recorded)' "$out"
	run grep -c '100\.00 % .*nresolved\|nresolved.*100\.00 %' "$out"
	[ "$output" = 0 ]
}

@test "one event of several; one that does not exist" {
	run_ok pl-report --event sched:sched_switch "$data/two-events.analysis.ndjson"
	lacks '^### Event' "$out"
	sed '/^## 7/,/^## 8/d' "$out" >"$out.1"
	lacks cycles "$out.1"
	grep -q 'Restricted to the event sched:sched\\_switch, one of 2' "$out"
	run_fail 2 INVALID_INPUT pl-report --event nope "$data/two-events.analysis.ndjson"
	[ ! -s "$out" ]
}

@test "control characters and bidi overrides never get out; long names stay whole" {
	run_ok pl-report --top-n 100 --call-path-limit 100 "$data/evil.analysis.ndjson"
	run grep -c -P '[\x00-\x09\x0b-\x1f\x7f]|\xe2\x80[\xaa-\xae]' "$out"
	[ "$output" = 0 ]
	grep -q -F '\\u{202e}drow' "$out"
	grep -q -F "| $(printf 'x%.0s' {1..600}) |" "$out"
}

@test "no markup survives in a name" {
	run_ok pl-report --top-n 100 "$data/evil.analysis.ndjson"
	# what remains of the cells once escaped characters are gone holds nothing that Markdown reads
	sed -n '/^## 4/,/^## 5/p' "$out" | grep '^| `h-' | cut -d'|' -f3- |
		sed -E 's/\\./ /g' >"$BATS_TEST_TMPDIR/plain"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/plain")" = 28 ]
	run grep -c '[][`*_<>&~#$@]' "$BATS_TEST_TMPDIR/plain"
	[ "$output" = 0 ]
	run grep -c '://\|www\.' "$BATS_TEST_TMPDIR/plain"
	[ "$output" = 0 ]
}

@test "the problem's text is data, too" {
	run_ok pl-report --problem $'a|b `c` <i>\nx' --metric $'\xff' "$data/two-lines.analysis.ndjson"
	grep -q -F -- '- Problem: a\|b \`c\` \<i\>\\x0ax' "$out"
	grep -q -F -- '- Metric: \\xff' "$out"
}

@test "grouped otherwise: the head says by what" {
	jq -c 'if .type=="header" then .group_by="comm"
		elif .type=="hotspot" then .comm=.symbol | del(.symbol, .dso, .kind) | .
		elif .type=="path" then .frames |= map({comm: .symbol}) else . end' \
		"$data/two-lines.analysis.ndjson" | seal >"$BATS_TEST_TMPDIR/comm"
	run_ok pl-report "$BATS_TEST_TMPDIR/comm"
	grep -q '^| Evidence | Thread name | Self weight, ' "$out"
	grep -q '^5 of 5 thread names shown, 100\.0 % of self weight$' "$out"
	grep -q '^| `p-ebcc6f8ce2f02fcc` | main → worker → compute |' "$out"
	tables_valid "$out"
}

# folded LINE...: the report of these folded lines, as $out.
folded() {
	printf '%s\n' "$@" | pl-fold-parse --quiet >"$BATS_TEST_TMPDIR/samples"
	pl-aggregate "$BATS_TEST_TMPDIR/samples" >"$BATS_TEST_TMPDIR/analysis"
	run_ok pl-report "$BATS_TEST_TMPDIR/analysis"
	tables_valid "$out"
}

@test "a dominant stack line is no dominant sample" {
	folded 'main;loop 90' 'main;rest 10'
	grep -q '^- Largest stack line: 90\.00 % of weight$' "$out"
	grep -q '^- `DOMINANT_SAMPLE`: one stack line holds most .*normal for a hot loop.*suspicious when values of another kind' "$out"
	run grep -c 'record again\|Largest sample' "$out"
	[ "$output" = 0 ]
	# of samples that were drawn it is one
	jq -c 'if .type=="event" then .weight_source="period" else . end' \
		"$BATS_TEST_TMPDIR/samples" | pl-aggregate >"$BATS_TEST_TMPDIR/analysis"
	run_ok pl-report "$BATS_TEST_TMPDIR/analysis"
	grep -q '^- Largest sample: 90\.00 % of weight$' "$out"
	grep -q '^- `DOMINANT_SAMPLE`: one sample holds most of the weight: .*record again' "$out"
}

@test "unresolved without modules: nothing is named that is not there" {
	folded 'main;[unknown] 5' 'main;work 2'
	grep -q '^Unresolved self weight without a DSO: 5 .*; only a recording that names modules' "$out"
	sed -n '/^## 8/,/^## 9/p' "$out" >"$out.7"
	grep -q '^- `unresolved_self`: record again with symbols at hand and with the names of modules' "$out.7"
	lacks 'section 7' "$out.7"
	lacks 'Modules without symbols |' "$out"
	run_ok pl-report --event cycles:u "$data/two-events.analysis.ndjson"
	grep -q '^- `unresolved_self`: resolve the modules without symbols (section 7)' "$out"
}

@test "what is not known is not said to be otherwise" {
	run_ok pl-report "$data/two-lines.analysis.ndjson"
	grep -q '^- `off_cpu_time`: time spent waiting: this event is not known to measure it$' "$out"
	sed '/^## 7/,/^## 8/d' "$out" >"$out.rest"
	lacks 'not measured\|does not measure' "$out.rest"
	sed -n '/^## 7/,/^## 8/p' "$out" | grep -q '^What this event counts is not recorded: .* not known to have been measured\.$'
	[ "$(grep -c 'not known to have been measured$' "$out")" = 4 ]
}

@test "there is no row of others where nothing is left" {
	run_ok pl-report "$data/two-lines.analysis.ndjson"
	run grep -c 'other: ' "$out"
	[ "$output" = 0 ]
	run_ok pl-report --top-n 2 --call-path-limit 1 "$data/two-lines.analysis.ndjson"
	# the three that are left hold nothing, but are there
	grep -q '^| — | other: 3 of 5 functions | — | 0 | 0\.00 % |' "$out"
	grep -q '^| — | other: 1 of 2 call paths | 182 | 40\.18 % |' "$out"
}

@test "samples without any stack: no table, and its weight accounted for" {
	jq -c 'if .type=="sample" then .stack=[] else . end' <(
		pl-fold-parse schemas/examples/two-lines.folded
	) | pl-aggregate >"$BATS_TEST_TMPDIR/analysis"
	run_ok pl-report "$BATS_TEST_TMPDIR/analysis"
	sed '/^## 7/,/^## 8/d' "$out" >"$out.rest"
	lacks '^|' "$out.rest"
	run_ok pl-report "$BATS_TEST_TMPDIR/analysis"
	grep -q '^0 of 0 functions shown, .*; samples without a stack: 453 .*, 100\.00 % of weight, in no row$' "$out"
	grep -q '^0 of 0 call paths shown' "$out"
}

@test "one is singular" {
	folded 'only 1' 'bad'
	grep -q '^- Malformed: 1 record; skipped: 0 records; replaced: 0 bytes$' "$out"
	grep -q '^- Total: 1 stack line, weight 1 weight unit (unit not recorded)$' "$out"
	grep -q '^1 of 1 function shown, ' "$out"
	grep -q '^1 of 1 call path shown, ' "$out"
	grep -q 'in 1 of 1 function, ' "$out"
	run grep -c -E '(^|[^0-9.])1 (records|bytes|frames|functions|weight units|stack lines|call paths)' "$out"
	[ "$output" = 0 ]
}

@test "callers and callees of the first hotspots, against jq" {
	local file=$data/two-events.analysis.ndjson
	run_ok pl-report --event cycles:u "$file"
	tables_valid "$out"
	# WHICH HOTSPOT ID WEIGHT of the first five that are work, three of each at most
	jq -s -r '[.[] | select(.type=="hotspot" and .event=="cycles:u" and .idle==0)][:5][]
		| . as $h | (.callers[:3][] | ["caller", $h.id, .id, .weight, $h.inclusive]),
			(.callees[:3][] | ["callee", $h.id, .id, .weight, $h.inclusive])
		| @tsv' "$file" >"$BATS_TEST_TMPDIR/want"
	grep -E '^[|] calle[er] of ' "$out" |
		sed -E 's/^[|] (calle[er]) of .*\(`(h-[0-9a-f]*)`\) [|] `(h-[0-9a-f]*)` [|] .* [|] ([0-9]+) [|] ([^|]*) [|]$/\1\t\2\t\3\t\4\t\5/' \
			>"$BATS_TEST_TMPDIR/got"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/got")" -ge 6 ]
	same <(cut -f 1-4 "$BATS_TEST_TMPDIR/want") <(cut -f 1-4 "$BATS_TEST_TMPDIR/got")
	while IFS=$'\t' read -r _ _ _ weight inclusive; do
		share "$weight" "$inclusive" 2
	done <"$BATS_TEST_TMPDIR/want" >"$BATS_TEST_TMPDIR/shares"
	same "$BATS_TEST_TMPDIR/shares" <(cut -f 5 "$BATS_TEST_TMPDIR/got")
	grep -q '^Callers and callees of the first 5 of 14 functions, the heaviest 3 of each; ' "$out"
}

@test "at most three callers and three callees of a hotspot, the heaviest" {
	local callers
	# f is called by a to e and calls v to z, the first of each the heaviest
	folded 'a;f;v 50' 'b;f;w 40' 'c;f;x 30' 'd;f;y 20' 'e;f;z 10' 'f 1000'
	callers=$(grep -o '^| caller of f (`h-[0-9a-f]*`) | `h-[0-9a-f]*` | [a-e] ' "$out" | sed 's/.* \(.\) $/\1/' | paste -sd ' ')
	[ "$callers" = 'a b c' ]
	callers=$(grep -o '^| callee of f (`h-[0-9a-f]*`) | `h-[0-9a-f]*` | [v-z] ' "$out" | sed 's/.* \(.\) $/\1/' | paste -sd ' ')
	[ "$callers" = 'v w x' ]
	# a calls f with 50 of the 1150 that f holds
	grep -q '^| caller of f .* | a | unknown | 50 | 4\.35 % |$' "$out"
}

@test "without paths it says so" {
	jq -c 'select(.type!="path") | if .type=="hotspot" then del(.callers, .callees)
		elif .type=="end" then del(.events[0].paths_total, .events[0].paths, .events[0].omitted_weight)
		else . end' "$data/two-lines.analysis.ndjson" | seal >"$BATS_TEST_TMPDIR/no-paths"
	run_ok pl-report "$BATS_TEST_TMPDIR/no-paths"
	grep -q 'made without call paths' "$out"
	run grep -c 'p-\|^| calle[er] of\|^Callers' "$out"
	[ "$output" = 0 ]
}

@test "codes and kinds of a newer version are shown as they are" {
	jq -c 'if .type=="quality" then .status="partial" | .reasons=["new_reason"] | .allowed+=["new|thing"]
		else . end' "$data/two-lines.analysis.ndjson" | seal >"$BATS_TEST_TMPDIR/newer"
	run_ok pl-report "$BATS_TEST_TMPDIR/newer"
	grep -q '^  - `new_reason`$' "$out"
	grep -q '^- new\\|thing$' "$out"
}

@test "a byte changed anywhere is found before anything is published" {
	sed 's/"compute"/"compote"/' "$data/two-lines.analysis.ndjson" >"$BATS_TEST_TMPDIR/changed"
	run_fail 3 DIGEST_MISMATCH pl-report "$BATS_TEST_TMPDIR/changed"
	[ ! -s "$out" ]
	run_ok pl-report --unsealed "$BATS_TEST_TMPDIR/changed"
	grep -q '^- `unsealed_input`' "$out"
	grep -q '^- Status: \*\*partial\*\*$' "$out"
	grep -q 'compote' "$out"
	grep -q '^- `unsealed_input`: make the analysis anew' "$out"
	sed -n '/^It does not establish/,$p' "$out" | grep -q '^- `unqualified_profile_conclusion`: '
}

@test "rows that exceed the event's weight are refused" {
	jq -c 'if .type=="hotspot" and .symbol=="malloc" then .self=1000 else . end' \
		"$data/two-lines.analysis.ndjson" | seal >"$BATS_TEST_TMPDIR/more"
	run_fail 3 PROFILE_PARSE_FAILED pl-report "$BATS_TEST_TMPDIR/more"
	[ ! -s "$out" ]
}

@test "an analysis without events is reported as empty" {
	jq -c 'select(.type=="header" or .type=="end") | if .type=="end" then .events=[] | .diagnostics={} else . end' \
		"$data/two-lines.analysis.ndjson" | seal >"$BATS_TEST_TMPDIR/empty"
	run_ok pl-report "$BATS_TEST_TMPDIR/empty"
	grep -q '^The analysis holds no event\.$' "$out"
}

# ---- a diagnosis ----

diagnosis=$data/two-events.diagnosis.ndjson

@test "golden: with a diagnosis, in both formats" {
	stream_ok "$diagnosis"
	golden two-events.diagnosis.report.md pl-report --diagnosis "$diagnosis" \
		--metric p99 "$data/two-events.analysis.ndjson"
	tables_valid "$out"
	words_markdown "$out" >"$BATS_TEST_TMPDIR/markdown"
	run_ok pl-report --format html --diagnosis "$diagnosis" --metric p99 \
		<"$data/two-events.analysis.ndjson"
	xmllint --noout "$out"
	words_html "$out" >"$BATS_TEST_TMPDIR/html"
	same "$BATS_TEST_TMPDIR/markdown" "$BATS_TEST_TMPDIR/html"
}

@test "candidates: each with all that is said of it, and nothing else, by jq" {
	run_ok pl-report --event cycles:u --diagnosis "$diagnosis" "$data/two-events.analysis.ndjson"
	sed -n '/^## 6/,/^## 7/p' "$out" >"$out.6"
	# one list item for each statement, in order
	jq -r 'select(.type=="candidate") | (.supporting, .counter | .[].statement), .missing[], .next[], .forbidden[]' \
		"$diagnosis" >"$BATS_TEST_TMPDIR/want"
	sed -n 's/^  - //p' "$out.6" | sed -E 's/ \(`[hp]-[0-9a-f]*`\)$//; s/\\(.)/\1/g' >"$BATS_TEST_TMPDIR/got"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/got")" -gt 8 ]
	same "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/got"
	jq -r 'select(.type=="category" and .event=="cycles:u") | "| `\(.category)` | \(.hotspots) | \(.self) |"' \
		"$diagnosis" >"$BATS_TEST_TMPDIR/want"
	same "$BATS_TEST_TMPDIR/want" <(grep '^| `[a-z]' "$out.6" | cut -d'|' -f1-4 | sed 's/ $/ |/')
	[ "$(grep -c '^- Status: candidate; confidence: ' "$out.6")" = 3 ]
	[ "$(grep -c '^- A/B requirement: ' "$out.6")" = 3 ]
	grep -q '^3 of 3 candidates shown' "$out.6"
}

@test "the category of a row is that of its first candidate" {
	run_ok pl-report --event cycles:u --diagnosis "$diagnosis" "$data/two-events.analysis.ndjson"
	grep -q '^| Evidence | Symbol | DSO | Category | Self weight' "$out"
	rows h-eb02d90042c81682 | grep -q '| /lib/x86\\_64-linux-gnu/libc.so.6 | `memory-set-compare` | 40000 |'
	rows h-1ee04120a3c409c9 | grep -q '| /opt/app/bin/server | — | 8000 |'
	run_ok pl-report "$data/two-events.analysis.ndjson"
	lacks '^| Evidence .*Category' "$out"
}

@test "a diagnosis: gaps with their commands; likely only as candidates; confirmed nothing" {
	run_ok pl-report --event cycles:u --diagnosis "$diagnosis" "$data/two-events.analysis.ndjson"
	sed -n '/^## 7/,/^## 8/p' "$out" >"$out.7"
	grep -q -F '| `cache_misses` | cache misses were not counted | `perf stat -e cache-misses -- COMMAND` |' "$out.7"
	grep -q -F '| `odd` | a \| b | perf report \| grep \`x\` |' "$out.7"
	# the module's gap is its row in the table of modules, and not twice
	lacks unresolved_module "$out"
	grep -q '^2 of 2 gaps shown$' "$out.7"
	grep -q -F "  - compression, inflate in /usr/lib/x86\\_64-linux-gnu/libz.so.1 (\`h-52ac178ea93fbcf6\`), confidence low" "$out"
	grep -q '^- Likely, as candidates only:$' "$out"
	grep -q '^- Confirmed: none' "$out"
	run_ok pl-report --event sched:sched_switch --diagnosis "$diagnosis" "$data/two-events.analysis.ndjson"
	grep -q '^- Likely: none; no rule makes a hotspot a candidate$' "$out"
	grep -q '^| `nothing_to_run` | there is no command for this | no command |$' "$out"
}

@test "what pl-classify writes" {
	cat >"$BATS_TEST_TMPDIR/rules.json" <<-'END'
		{"schema": "perflens.rules", "version": "1.0", "rules": [{"id": "memory-search",
		 "version": 1, "scope": "c", "category": "memory-set-compare", "confidence": "medium",
		 "match": {"symbols": ["memchr"]}, "observation": "{symbol} searches memory",
		 "missing": ["how many bytes"], "next": ["measure it"], "forbidden": ["a cause"]}]}
	END
	run_ok pl-classify --no-default-rules --rules "$BATS_TEST_TMPDIR/rules.json" \
		--output "$BATS_TEST_TMPDIR/diagnosis" "$data/two-events.analysis.ndjson"
	run_ok pl-report --event cycles:u --diagnosis "$BATS_TEST_TMPDIR/diagnosis" \
		"$data/two-events.analysis.ndjson"
	tables_valid "$out"
	grep -q '^### memory-set-compare: memchr in /lib/' "$out"
	grep -q '^- Observation: memchr searches memory$' "$out"
	grep -q '^Self weight that has a category: 40000 cycles, 23\.53 % of weight; ' "$out"
	grep -q '^| `copy_sizes` | ' "$out"
	# pages were not faulted for, by what the rules know: without a diagnosis that stays open
	lacks '`page_faults`' "$out"
	run_ok pl-report "$data/two-events.analysis.ndjson"
	grep -q '^| `page_faults` | ' "$out"
}

@test "candidates beyond the limit are counted" {
	run_ok pl-report --candidate-limit 1 --diagnosis "$diagnosis" "$data/two-events.analysis.ndjson"
	grep -q '^1 of 3 candidates shown' "$out"
	grep -q '^  - cycles:u: and more: 3 in all$' "$out"
	lacks 'c-0000000000000003' "$out"
	# which takes no row's category away
	rows h-52ac178ea93fbcf6 | grep -q '`compression`'
}

@test "a diagnosis of another analysis, an edited one, none at all" {
	run_fail 3 DIGEST_MISMATCH pl-report --diagnosis "$diagnosis" "$data/two-lines.analysis.ndjson"
	[ ! -s "$out" ]
	sed 's/inflate<T>/deflate<T>/' "$diagnosis" >"$BATS_TEST_TMPDIR/edited"
	run_fail 3 DIGEST_MISMATCH pl-report --diagnosis "$BATS_TEST_TMPDIR/edited" "$data/two-events.analysis.ndjson"
	[ ! -s "$out" ]
	run_ok pl-report --unsealed --diagnosis "$BATS_TEST_TMPDIR/edited" "$data/two-events.analysis.ndjson"
	grep -q '^- `unsealed_input`: the diagnosis was edited' "$out"
	head -n 5 "$diagnosis" >"$BATS_TEST_TMPDIR/cut"
	run_fail 3 STREAM_TRUNCATED pl-report --diagnosis "$BATS_TEST_TMPDIR/cut" "$data/two-events.analysis.ndjson"
	run_fail 3 UNSUPPORTED_FORMAT pl-report --diagnosis "$data/two-events.analysis.ndjson" "$data/two-events.analysis.ndjson"
	run_fail 2 INVALID_INPUT pl-report --diagnosis - "$data/two-events.analysis.ndjson" <"$diagnosis"
	run_fail 2 INVALID_INPUT pl-report --diagnosis "$BATS_TEST_TMPDIR/none" "$data/two-events.analysis.ndjson"
}

@test "the diagnosis is not written over, by no name of it" {
	cp "$diagnosis" "$BATS_TEST_TMPDIR/diagnosis"
	ln "$BATS_TEST_TMPDIR/diagnosis" "$BATS_TEST_TMPDIR/link"
	run_fail 5 PATH_SAFETY_VIOLATION pl-report --diagnosis "$BATS_TEST_TMPDIR/diagnosis" \
		--output "$BATS_TEST_TMPDIR/link" "$data/two-events.analysis.ndjson"
	same "$diagnosis" "$BATS_TEST_TMPDIR/diagnosis"
}

# ---- bounds ----

@test "--max-bytes leaves rows out, says so, and the sums still hold" {
	local size least weight stackless shown format
	for format in markdown html; do
		run_ok pl-report --format $format --diagnosis "$diagnosis" "$data/two-events.analysis.ndjson"
		size=$(wc -c <"$out")
		mv "$out" "$out.whole"
		run_ok pl-report --format $format --max-bytes "$size" --diagnosis "$diagnosis" "$data/two-events.analysis.ndjson"
		same "$out.whole" "$out"
		run_ok pl-report --format $format --max-bytes $((size * 2 / 3)) --diagnosis "$diagnosis" "$data/two-events.analysis.ndjson"
		[ "$(wc -c <"$out")" -le $((size * 2 / 3)) ]
		grep -q 'Shortened (--max-bytes): ' "$out"
		expect_exit 4 pl-report --format $format --max-bytes 100 --diagnosis "$diagnosis" "$data/two-events.analysis.ndjson"
		[ ! -s "$out" ]
		least=$(sed -n 's/.*a report without any rows has \([0-9]*\) bytes already.*/\1/p' "$err")
		expect_exit 4 pl-report --format $format --max-bytes $((least - 1)) --diagnosis "$diagnosis" "$data/two-events.analysis.ndjson"
		run_ok pl-report --format $format --max-bytes "$least" --diagnosis "$diagnosis" "$data/two-events.analysis.ndjson"
		[ "$(wc -c <"$out")" = "$least" ]
		lacks '^| `h-\|<th scope="row"><code>h-' "$out"
	done
}

@test "what a bound leaves out is in the row of all others" {
	local file=$data/evil.analysis.ndjson n self paths
	run_ok pl-report --top 100 --call-path-limit 100 --max-bytes 9K "$file"
	tables_valid "$out"
	n=$(sed -n 's/^- Shortened .* at most: //p' "$out")
	[ "$n" -gt 0 ] && [ "$n" -lt 27 ]
	[ "$(rows h- | wc -l)" = "$n" ]
	[ "$(rows p- | wc -l)" = "$n" ]
	self=$(jq -s --argjson n "$n" '[.[] | select(.type=="hotspot")][$n:] | map(.self) | add' "$file")
	paths=$(jq -s --argjson n "$n" '[.[] | select(.type=="path")][$n:] | map(.weight) | add' "$file")
	grep -q -F "| — | other: $((28 - n)) of 28 functions | — | $self |" "$out"
	grep -q -F "| — | other: $((27 - n)) of 27 call paths | $paths |" "$out"
	grep -q "^$n of 28 functions shown, " "$out"
}

@test "--top is --top-n" {
	run_ok pl-report --top 2 "$data/two-lines.analysis.ndjson"
	mv "$out" "$out.1"
	run_ok pl-report --top-n 2 "$data/two-lines.analysis.ndjson"
	same "$out.1" "$out"
	[ "$(rows h- | wc -l)" = 2 ]
}

@test "the output limit and the ranges of options" {
	run_fail 4 RESOURCE_LIMIT_EXCEEDED pl-report --max-output-bytes 1K "$data/two-lines.analysis.ndjson"
	[ ! -s "$out" ]
	for bad in 0 10001 x; do
		expect_exit 2 pl-report --top $bad "$data/two-lines.analysis.ndjson"
		expect_exit 2 pl-report --candidate-limit $bad "$data/two-lines.analysis.ndjson"
		expect_exit 2 pl-report --top-n $bad "$data/two-lines.analysis.ndjson"
		expect_exit 2 pl-report --call-path-limit $bad "$data/two-lines.analysis.ndjson"
	done
	expect_exit 2 pl-report "$data/two-lines.analysis.ndjson" "$data/two-events.analysis.ndjson"
}

@test "HTML: a flame graph of each event, and no script" {
	local size
	run_ok pl-report --format html "$data/two-events.analysis.ndjson"
	xmllint --noout "$out"
	[ "$(grep -c '^<figure>' "$out")" = 2 ]
	lacks '<script\|<?xml' "$out"
	# frames of the first event, by the reader's own picture
	pl-flame --event "$(jq -r 'select(.type=="event").label' "$data/two-events.analysis.ndjson" | head -n 1)" \
		--min-width 0.5 "$data/two-events.analysis.ndjson" | grep -o '<title>[^<]*' | tail -n +2 |
		sort >"$BATS_TEST_TMPDIR/want"
	[ -s "$BATS_TEST_TMPDIR/want" ]
	same "$BATS_TEST_TMPDIR/want" <(sed -n '/^<figure>/,/^<\/figure>/p' "$out" | sed '/^<\/figure>/q' |
		grep -o '<title>[^<]*' | tail -n +2 | sort)
	# without it there is room for all the rows
	size=$(sed '/^<figure>/,/^<\/figure>/d' "$out" | wc -c)
	run_ok pl-report --format html --max-bytes $((size + 200)) "$data/two-events.analysis.ndjson"
	lacks '<figure>' "$out"
	grep -q 'Left out (--max-bytes): flame graphs' "$out"
	lacks 'Shortened' "$out"
	# one event of two
	run_ok pl-report --format html --event "$(jq -r 'select(.type=="event").label' "$data/two-events.analysis.ndjson" | tail -n 1)" \
		"$data/two-events.analysis.ndjson"
	[ "$(grep -c '^<figure>' "$out")" = 1 ]
}
