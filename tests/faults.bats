#!/usr/bin/env bats
#
# faults: what goes wrong around a pipeline of real programs: each time the right status, a message
# that names the culprit and the place, the old output untouched, and nothing left behind.
#
# shellcheck disable=SC2154 # out and err are the helper's

load helper

setup() {
	folder=$BATS_TEST_TMPDIR/folder
	mkdir "$folder"
	output=$folder/analysis.ndjson
	echo old >"$output"
	input=$BATS_TEST_TMPDIR/input.folded
	printf 'main;work 3\nmain;rest 1\n' >"$input"
}

# untouched: the folder holds the old output and nothing else.
untouched() {
	[ "$(ls -A "$folder")" = analysis.ndjson ] || fail "left behind: $(ls -A "$folder")"
	[ "$(cat "$output")" = old ] || fail "the old output is gone"
}

# one_line REGEX: stderr is one line, and that.
one_line() {
	[ "$(wc -l <"$err")" = 1 ] || fail "not one line: $(cat "$err")"
	grep -q -e "$1" "$err" || fail "no '$1': $(cat "$err")"
}

# child_of PID NAME: waits until the process PID has started NAME as a stage, not only asked it for
# its options; prints its number.
child_of() {
	local process
	while kill -0 "$1"; do
		for process in /proc/[0-9]*; do
			if grep -qs "^PPid:.$1\$" "$process/status" &&
				grep -qs "^Name:.$2\$" "$process/status" &&
				grep -qs "$2" "$process/cmdline" &&
				! grep -qs -e --list-options "$process/cmdline"; then
				echo "${process#/proc/}"
				return
			fi
		done
	done
	return 1
}

# held: starts perflens on a fifo that stays open and holds one line; its number is $dispatcher.
held() {
	mkfifo "$BATS_TEST_TMPDIR/fifo"
	exec 8<>"$BATS_TEST_TMPDIR/fifo"
	perflens "$@" analyze-folded --input "$BATS_TEST_TMPDIR/fifo" --output "$output" \
		2>"$BATS_TEST_TMPDIR/err" 3>&- 8>&- &
	dispatcher=$!
	echo 'main 1' >&8
}

# ended N: the dispatcher of held ends with that status.
ended() {
	local status=0
	wait "$dispatcher" || status=$?
	exec 8>&-
	err=$BATS_TEST_TMPDIR/err
	[ "$status" = "$1" ] || fail "exit status $status, not $1: $(cat "$err")"
}

to_full_disk() {
	"$@" >/dev/full
}

to_nobody() {
	"$@" >&9
}

@test "no fault: the file has the bytes of the pipe, stdout has none" {
	run_ok perflens analyze-folded --input "$input" --output "$output"
	[ ! -s "$out" ]
	pl-fold-parse "$input" | pl-aggregate >"$BATS_TEST_TMPDIR/pipe"
	same "$BATS_TEST_TMPDIR/pipe" "$output"
	run_ok perflens analyze-folded <"$input"
	[ "$(jq -r 'select(.type=="event").weight' "$out")" = 4 ]
	[ "$(ls -A "$folder")" = analysis.ndjson ]
}

@test "an input that is missing: exit 2, the parser names it, alone" {
	expect_exit 2 perflens analyze-folded --input "$BATS_TEST_TMPDIR/none" --output "$output"
	one_line "^pl-fold-parse: $BATS_TEST_TMPDIR/none: "
	untouched
	run_fail 2 INVALID_INPUT perflens analyze-folded --input "$BATS_TEST_TMPDIR/none" --output "$output"
	[ "$(wc -l <"$err")" = 1 ]
	[ "$(jq -r .stage "$err")" = fold-parse ]
}

@test "an input that the parser gives up on: exit 3, its message alone" {
	printf '\377\376m\0a\0' >"$input"
	expect_exit 3 perflens analyze-folded --input "$input" --output "$output"
	one_line '^pl-fold-parse: .*input.folded'
	untouched
}

@test "a limit of the first stage: exit 4, the option named, nothing written" {
	expect_exit 4 perflens analyze-folded --input "$input" --output "$output" --max-records 1
	one_line '^pl-.*--max-records'
	untouched
}

@test "an output that cannot be: exit 5, pl-aggregate says why, the reader of the input is silent" {
	expect_exit 5 perflens analyze-folded --input "$input" --output "$folder"
	one_line '^pl-aggregate: .*folder'
	untouched
	expect_exit 5 perflens analyze-folded --input "$input" --output "$input/below"
	one_line '^pl-aggregate: '
	grep -q 'main;work 3' "$input"
}

@test "a full disk: exit 5 and the reason" {
	expect_exit 5 to_full_disk perflens analyze-folded --input "$input"
	one_line '^pl-aggregate: .*[Nn]o space'
	expect_exit 5 perflens analyze-folded --input "$input" --output /dev/full
	one_line '^pl-aggregate: /dev/full: .*[Nn]o space'
}

@test "an output over an input: exit 5 before anything starts" {
	expect_exit 5 perflens analyze-folded --input "$output" --output "$output"
	one_line '^perflens: .*analysis.ndjson'
	untouched
}

@test "a reader that is gone: silent death by SIGPIPE" {
	mkfifo "$BATS_TEST_TMPDIR/reader"
	exec 7<>"$BATS_TEST_TMPDIR/reader"
	exec 9>"$BATS_TEST_TMPDIR/reader"
	exec 7>&-
	expect_exit 141 to_nobody perflens analyze-folded --input "$input"
	[ ! -s "$err" ]
}

@test "SIGTERM while the pipeline runs: it ends, and so do we, by it" {
	held
	child_of "$dispatcher" pl-aggregate
	kill -TERM "$dispatcher"
	ended 143
	[ ! -s "$err" ]
	untouched
}

@test "the parser is killed: exit 70, it and the signal named, no cut-off analysis" {
	held
	parser=$(child_of "$dispatcher" pl-fold-parse)
	kill -KILL "$parser"
	ended 70
	one_line '^perflens: pl-fold-parse was killed by signal 9'
	untouched
}

@test "pl-aggregate is killed: exit 70, and the parser that waits for input is ended" {
	held --json-errors
	aggregate=$(child_of "$dispatcher" pl-aggregate)
	kill -ABRT "$aggregate"
	ended 70
	[ "$(jq -r '.code + " " + .stage' "$err")" = 'INTERNAL_ERROR aggregate' ]
	stream_ok "$err"
	untouched
}
