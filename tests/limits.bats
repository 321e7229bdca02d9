#!/usr/bin/env bats
#
# limits: each limit of pl-fold-parse and pl-aggregate just under and just over. A structural one is
# fatal: exit 4, nothing written, the message names the option. A line too long or a stack too deep
# costs that record only; what is not ranked high enough is omitted and accounted for.
#
# shellcheck disable=SC2154,SC2016 # out and err are the helper's; jq and sed have a $ of their own

load helper
load records

example=schemas/examples/two-lines.samples.ndjson

setup() {
	in=$BATS_TEST_TMPDIR/in.folded
	samples=$BATS_TEST_TMPDIR/samples.ndjson
	output=$BATS_TEST_TMPDIR/output
	echo old >"$output"
}

# fatal OPTION COMMAND…: exit 4 with that option in the message, to stdout and to a file alike.
fatal() {
	local option=$1
	shift
	run_fail 4 RESOURCE_LIMIT_EXCEEDED "$@"
	[ ! -s "$out" ] || fail "something on stdout"
	jq -r '.suggested_actions[]' "$err" | grep -q -e "$option" || fail "$(cat "$err")"
	stream_ok "$err"
	expect_exit 4 "$@" --output "$output"
	grep -q -e "^$1: .*$option" "$err" || fail "$(cat "$err")"
	[ "$(cat "$output")" = old ]
	[ ! -s "$out" ]
}

# stack DEPTH: so many frames, joined.
stack() {
	seq -s ';' -f 'f%g' "$1"
}

# line BYTES: one of that length, without its end.
line() {
	printf '%*s' $(($1 - 3)) '' | tr ' ' x
	printf '; 1'
}

# ---- pl-fold-parse ----

@test "--max-input-bytes: bytes of the whole input" {
	printf 'a;b 1\na;c 2\n' >"$in" # 12 bytes
	run_ok pl-fold-parse --quiet --max-input-bytes 12 "$in"
	fatal --max-input-bytes pl-fold-parse --max-input-bytes 11 "$in"
	[[ $(<"$err") == *"$in"* ]]
	run_ok pl-fold-parse --quiet --max-input-bytes 0 "$in" # none
	run_ok pl-fold-parse --quiet --max-input-bytes 12 < <(cat "$in")
	expect_exit 4 pl-fold-parse --max-input-bytes 11 < <(cat "$in")
}

@test "--max-input-bytes: over all files, and of gzip what is unpacked" {
	printf 'a;b 1\na;c 2\n' >"$in"
	gzip -c "$in" >"$in.gz"
	[ "$(wc -c <"$in.gz")" -gt 24 ] # and more than that when packed
	run_ok pl-fold-parse --quiet --max-input-bytes 24 "$in" "$in.gz"
	of end '[.inputs[].bytes] == [12, 12]'
	fatal --max-input-bytes pl-fold-parse --max-input-bytes 23 "$in" "$in.gz"
	[[ $(<"$err") == *"$in.gz"* ]]
	# a bomb: 4 MiB in a few KiB
	head -c 4M /dev/zero | tr '\0' '\n' | gzip >"$in.gz"
	[ "$(wc -c <"$in.gz")" -lt 20000 ]
	run_ok pl-fold-parse --quiet --max-input-bytes 4M "$in.gz"
	fatal --max-input-bytes pl-fold-parse --max-input-bytes 4194303 "$in.gz"
}

@test "--max-records: samples, malformed and skipped lines, over all files" {
	printf 'a 1\nbad\n# skipped\n\n' >"$in"
	run_ok pl-fold-parse --quiet --max-records 4 "$in"
	of end '.records == 4'
	fatal --max-records pl-fold-parse --max-records 3 "$in"
	[[ $(<"$err") == *"$in:4: "* ]]
	run_ok pl-fold-parse --quiet --max-records 8 "$in" "$in"
	fatal --max-records pl-fold-parse --max-records 7 "$in" "$in"
}

@test "--max-unique-frames: distinct frames, over all files" {
	printf 'a;b;a 1\nc 2\n' >"$in"
	printf 'c;b;d 2\n' >"$in.2"
	run_ok pl-fold-parse --quiet --max-unique-frames 4 "$in" "$in.2"
	of end '.frames == 4'
	fatal --max-unique-frames pl-fold-parse --max-unique-frames 3 "$in" "$in.2"
	run_ok pl-fold-parse --quiet --max-unique-frames 3 "$in"
	printf 'f 1\nf_[k] 1\n' >"$in" # kinds make different frames
	fatal --max-unique-frames pl-fold-parse --max-unique-frames 1 "$in"
}

@test "--max-line-bytes: without the line end; costs that record only" {
	printf 'abcdefghijklmn 1\nABCDEFGHIJKLMNO 1\nabcdefghijklmn 1\r\nABCDEFGHIJKLMNO 1\r\nabcdefghijklmn 1' >"$in"
	run_ok pl-fold-parse --quiet --max-line-bytes 16 "$in"
	stream_ok "$out"
	of end '[.samples, .malformed, .diagnostics] == [3, 2, {LINE_TOO_LONG: 2}]'
	holds '[.[] | select(.type == "diagnostic") | [.line, .preview]]
		== [[2, "ABCDEFGHIJKLMNO "], [4, "ABCDEFGHIJKLMNO "]]'
	run_ok pl-fold-parse --quiet --max-line-bytes 17 "$in"
	of end '[.samples, .malformed] == [5, 0]'
}

@test "--max-line-bytes: 1 MiB unless said otherwise; lines over block borders" {
	{ line 1048576 && echo && line 1048577 && echo && echo 'a 1'; } | sed 's/;/a/' >"$in"
	run_ok pl-fold-parse --quiet "$in"
	of end '[.samples, .malformed, .diagnostics] == [2, 1, {LINE_TOO_LONG: 1}]'
	holds '[.[] | select(.type == "diagnostic") | [.line, .preview]] == [[2, "x" * 200]]'
	run_ok pl-fold-parse --quiet --max-line-bytes 2M "$in"
	of end '[.samples, .malformed] == [3, 0]'
	run_ok pl-fold-parse --quiet < <(cat "$in")
	of end '[.samples, .malformed] == [2, 1]'
}

@test "--max-stack-depth: 4096 unless said otherwise; costs that record only" {
	{ echo "$(stack 4096) 1" && echo "$(stack 4097) 2" && echo 'a 4'; } >"$in"
	run_ok pl-fold-parse --quiet "$in"
	of end '[.samples, .malformed, .diagnostics, .events[0].weight] == [2, 1, {STACK_TOO_DEEP: 1}, 5]'
	of diagnostic '[.line, .code] == [2, "STACK_TOO_DEEP"]'
	of end '.frames == 4097' # those of the line that was too deep are not defined, "a" is
	run_ok pl-fold-parse --quiet --max-stack-depth 4097 "$in"
	of end '[.samples, .malformed] == [3, 0]'
	printf 'a;b;c 1\na;b;c;d 1\na;b 1\n' >"$in"
	run_ok pl-fold-parse --quiet --max-stack-depth 3 "$in"
	of end '[.samples, .malformed] == [2, 1]'
	run_ok pl-fold-parse --quiet --max-stack-depth 2 "$in"
	of end '[.samples, .malformed] == [1, 2]'
}

@test "--max-warnings: diagnostics kept, all counted" {
	printf 'a\nb\nc\nd 1\n' >"$in"
	run_ok pl-fold-parse --quiet --max-warnings 3 "$in"
	[ "$(grep -c '"type":"diagnostic"' "$out")" = 3 ]
	run_ok pl-fold-parse --quiet --max-warnings 2 "$in"
	[ "$(grep -c '"type":"diagnostic"' "$out")" = 2 ]
	of end '.diagnostics == {MISSING_WEIGHT: 3}'
}

# ---- pl-aggregate ----

@test "pl-aggregate --max-records: samples, of all inputs" {
	printf 'a 1\nb 2\na 1\n' | pl-fold-parse >"$samples"
	run_ok pl-aggregate --max-records 3 "$samples"
	fatal --max-records pl-aggregate --max-records 2 "$samples"
	[[ $(<"$err") =~ ^pl-aggregate:\ $samples:[0-9]+:\  ]]
	run_ok pl-aggregate --max-records 6 "$samples" "$samples"
	fatal --max-records pl-aggregate --max-records 5 "$samples" "$samples"
}

@test "pl-aggregate --max-unique-frames: frames of a stream, keys of partial sums" {
	printf 'a;b 1\nc 2\n' | pl-fold-parse >"$samples"
	run_ok pl-aggregate --max-unique-frames 3 "$samples"
	fatal --max-unique-frames pl-aggregate --max-unique-frames 2 "$samples"
	pl-expand "$samples" >"$samples.expanded"
	fatal --max-unique-frames pl-aggregate --max-unique-frames 2 "$samples.expanded"
	pl-aggregate --partial "$samples" >"$samples.partial"
	run_ok pl-aggregate --merge --max-unique-frames 3 "$samples.partial" "$samples.partial"
	fatal --max-unique-frames pl-aggregate --merge --max-unique-frames 2 "$samples.partial"
}

@test "pl-aggregate --max-unique-call-paths: of all events and inputs; none with --no-paths" {
	printf 'a;b 1\na;b 5\na 2\n' | pl-fold-parse >"$samples"
	printf 'a;b 1\na;b;b 2\n' | pl-fold-parse --unit bytes >"$samples.2"
	run_ok pl-aggregate --max-unique-call-paths 4 "$samples" "$samples.2"
	fatal --max-unique-call-paths pl-aggregate --max-unique-call-paths 3 "$samples" "$samples.2"
	grep -q -e --no-paths "$err"
	run_ok pl-aggregate --no-paths --max-unique-call-paths 1 "$samples" "$samples.2"
	for n in "" .2; do
		pl-aggregate --partial "$samples$n" >"$samples$n.partial"
	done
	run_ok pl-aggregate --merge --max-unique-call-paths 4 "$samples.partial" "$samples.2.partial"
	fatal --max-unique-call-paths pl-aggregate --merge --max-unique-call-paths 3 \
		"$samples.partial" "$samples.2.partial"
}

@test "pl-aggregate --max-output-bytes: of the artifact" {
	local size
	size=$(wc -c <schemas/examples/two-lines.analysis.ndjson)
	run_ok pl-aggregate --max-output-bytes "$size" $example
	same schemas/examples/two-lines.analysis.ndjson "$out"
	fatal --max-output-bytes pl-aggregate --max-output-bytes $((size - 1)) $example
	# what is larger than a block is refused before all of it is made
	seq -f 'root;f%g 1' 4000 | pl-fold-parse >"$BATS_TEST_TMPDIR/many"
	fatal --max-output-bytes pl-aggregate --max-output-bytes 1M "$BATS_TEST_TMPDIR/many"
	run_ok pl-aggregate --max-output-bytes 10M "$BATS_TEST_TMPDIR/many"
	run_ok pl-aggregate --partial --max-output-bytes 1 $example # not of partial sums
}

@test "pl-aggregate --top-n: just enough is not partial, one less is" {
	printf 'a;b 3\nc 2\nd 1\n' | pl-fold-parse >"$samples"
	run_ok pl-aggregate --top-n 4 "$samples"
	of end '.events[0] | [.hotspots, .omitted_self] == [4, 0]'
	of quality '.status == "verified"'
	run_ok pl-aggregate --top-n 3 "$samples"
	of end '.events[0] | [.hotspots, .omitted_self] == [3, 0]' # "a" has no weight of its own
	of quality '.reasons == ["omitted_rows"]'
	run_ok pl-aggregate --top-n 2 "$samples"
	of end '.events[0] | [.hotspots, .omitted_self] == [2, 1]'
}

@test "pl-aggregate --call-path-limit: 1,000 unless said otherwise" {
	seq -f 'f%g 1' 1000 >"$in"
	pl-fold-parse "$in" | pl-aggregate >"$samples"
	of end '.events[0] | [.paths_total, .paths, .omitted_weight] == [1000, 1000, 0]' "$samples"
	of quality '.status == "verified"' "$samples"
	echo 'g 7' >>"$in"
	pl-fold-parse "$in" | pl-aggregate >"$samples"
	of end '.events[0] | [.paths_total, .paths, .omitted_weight] == [1001, 1000, 1]' "$samples"
	of quality '.reasons == ["omitted_rows"]' "$samples"
	pl-fold-parse "$in" | pl-aggregate --call-path-limit 1001 >"$samples"
	of quality '.status == "verified"' "$samples"
}

@test "pl-aggregate --top-n: 10,000 unless said otherwise" {
	seq -f 'f%g 1' 10001 | pl-fold-parse | pl-aggregate --call-path-limit 1 >"$samples"
	of end '.events[0] | [.hotspots_total, .hotspots, .omitted_self] == [10001, 10000, 1]' "$samples"
	seq -f 'f%g 1' 10000 | pl-fold-parse | pl-aggregate --no-paths >"$samples"
	of quality '.status == "verified"' "$samples"
}

@test "pl-aggregate --max-warnings: diagnostics kept, all counted" {
	printf 'a\nb\nc 1\n' | pl-fold-parse >"$samples"
	run_ok pl-aggregate --max-warnings 3 "$samples" # with that of the dominant sample
	[ "$(grep -c '"type":"diagnostic"' "$out")" = 3 ]
	run_ok pl-aggregate --max-warnings 2 "$samples"
	[ "$(grep -c '"type":"diagnostic"' "$out")" = 2 ]
	of end '.diagnostics == {DOMINANT_SAMPLE: 1, MISSING_WEIGHT: 2}'
	of header '.producer.options == {max_warnings: 2}'
}

@test "a stream's line: 16 MiB, not one byte more" {
	{
		head -n 3 $example
		printf '{"type":"note","x":"'
		head -c $((16 * 1024 * 1024 - 22)) /dev/zero | tr '\0' x
		printf '"}\n'
		tail -n +4 $example
	} >"$samples"
	[ "$(sed -n 4p "$samples" | wc -c)" = $((16 * 1024 * 1024 + 1)) ]
	run_ok pl-aggregate "$samples"
	sed -i '4s/"x":"/&x/' "$samples"
	run_fail 4 RESOURCE_LIMIT_EXCEEDED pl-aggregate "$samples"
	[ "$(jq .line "$err")" = 4 ]
	[ ! -s "$out" ]
}

# ---- how limits are written ----

@test "K, M, G: of 1024 for bytes, of 1000 for counts; in either case" {
	head -c 2048 /dev/zero | tr '\0' '\n' >"$in"
	run_ok pl-fold-parse --quiet --max-input-bytes 2K "$in"
	expect_exit 4 pl-fold-parse --max-input-bytes 1k "$in"
	echo >>"$in"
	expect_exit 4 pl-fold-parse --max-input-bytes 2k "$in"
	run_ok pl-fold-parse --quiet --max-input-bytes 1M "$in"
	run_ok pl-fold-parse --quiet --max-input-bytes 1g "$in"
	expect_exit 4 pl-fold-parse --max-records 2K "$in" # 2,049 lines
	run_ok pl-fold-parse --quiet --max-records 3K "$in"
	run_ok pl-fold-parse --quiet --max-records 1m "$in"
	expect_exit 4 pl-fold-parse --max-records 2048 "$in"
}

@test "what is no limit: exit 2, and the message names the option and the word" {
	for word in '' x -1 1.5 1T 1KB K 1e3 0x10 ' 1' 99999999999999999999 18446744073709551615K; do
		for option in --max-input-bytes --max-records; do
			expect_exit 2 pl-fold-parse $option "$word" "$in"
			grep -q -F -e "$option: '$word'" "$err" || fail "$(cat "$err")"
		done
	done
	for option in --max-records --max-unique-frames --max-unique-call-paths --top-n \
		--call-path-limit --max-output-bytes; do
		expect_exit 2 pl-aggregate $option 0 "$in"
	done
}

@test "limits by default: those of the contract" {
	run_ok pl-fold-parse --quiet --help
	for default in 'max-input-bytes SIZE .*1024M' 'max-records N .*10000000' \
		'max-line-bytes SIZE .*1M' 'max-stack-depth N .*4096' 'max-unique-frames N .*2000000' \
		'max-warnings N .*100'; do
		grep -q -e "--$default" "$out" || fail "no --$default"
	done
	run_ok pl-aggregate --help
	for default in 'max-records N .*10000000' 'max-unique-frames N .*2000000' \
		'max-unique-call-paths N .*1000000' 'max-warnings N .*100' 'top-n N .*10000' \
		'call-path-limit N .*1000' 'max-output-bytes SIZE .*128M'; do
		grep -q -e "--$default" "$out" || fail "no --$default"
	done
}
