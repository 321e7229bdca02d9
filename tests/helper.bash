# shellcheck shell=bash
#
# helper: what the bats files share. At the top of each of them:
#
#     #!/usr/bin/env bats
#     load helper
#
#     @test "counts two lines" {
#             run_ok pl-fold-parse tests/data/two.folded      # exit 0, nothing on stderr
#             [ "$(jq -c 'select(.type=="end").samples' "$out")" = 2 ]
#             stream_ok "$out"                                # held to its schema
#     }
#     @test "a missing file is a usage error" {
#             expect_exit 2 pl-fold-parse tests/data/none
#             grep -q 'tests/data/none' "$err"
#     }
#     @test "report of two lines" {
#             golden two-lines.report.md pl-report tests/data/two.analysis.ndjson
#     }
#     @test "pl-report keeps the contract of every program" {
#             program_contract pl-report tests/data/two.analysis.ndjson
#     }
#
# Tests run in the top folder of the sources; what they write goes to $BATS_TEST_TMPDIR. The
# programs are those of $PL_BIN (default build/release/bin), first in PATH. After expect_exit and
# what is made of it, $out and $err name the files with stdout and stderr, and $status holds the
# exit status. Run one file by hand with `make && bats tests/NAME.bats`.

bats_require_minimum_version 1.5.0

# Every test loads this, hundreds of times: nothing here starts a process.
cd "${BASH_SOURCE[0]%/*}/.." || exit 1
ROOT=$PWD
cd -P "${PL_BIN:-build/release/bin}" || {
	echo "no programs: run make first" >&2
	exit 1
}
PL_BIN=$PWD PL_FLAVOUR=${PWD%/*} PL_FLAVOUR=${PL_FLAVOUR##*/}
cd "$ROOT" || exit 1
export ROOT PL_BIN PL_FLAVOUR
export PATH="$PL_BIN:$PATH" MANPATH="$ROOT/man" LC_ALL=C.UTF-8
unset LANGUAGE PERFLENS_DATADIR PERFLENS_JSON_ERRORS MAKEFLAGS MFLAGS MAKELEVEL

# ---- running ----

# fail TEXT…: ends the test, with the reason.
fail() {
	printf '%s\n' "$@" >&2
	return 1
}

# expect_exit N COMMAND…: runs it with stdout to $out and stderr to $err; any other status fails.
# Give it stdin with <FILE or from a pipe: `printf 'a 1\n' | expect_exit 0 pl-fold-parse` sets its
# variables in a subshell, so prefer `expect_exit 0 pl-fold-parse <<<'a 1'`.
expect_exit() {
	local want=$1
	shift
	out=$BATS_TEST_TMPDIR/out err=$BATS_TEST_TMPDIR/err status=0
	"$@" >"$out" 2>"$err" || status=$?
	if [ "$status" != "$want" ]; then
		echo "exit status $status, not $want: $*" >&2
		head -c 2000 "$out" "$err" >&2
		return 1
	fi
}

# run_ok COMMAND…: exit 0 and nothing on stderr.
run_ok() {
	expect_exit 0 "$@"
	[ ! -s "$err" ] || fail "unexpected on stderr of: $*" "$(head -c 2000 "$err")"
}

# run_fail N CODE COMMAND…: exit N, and that error code in the one line of --json-errors.
run_fail() {
	local want=$1 code=$2
	shift 2
	PERFLENS_JSON_ERRORS=1 expect_exit "$want" "$@"
	[ "$(jq -r .code "$err")" = "$code" ] || fail "not $code: $(head -c 2000 "$err")"
}

# lacks PATTERN FILE: no line has it.
lacks() {
	if grep -e "$1" "$2"; then
		fail "'$1' is in $2"
	fi
}

# same A B: two files with the same bytes; shows where they differ.
same() {
	cmp -s "$1" "$2" || {
		diff -u "$1" "$2" | head -n 40 >&2
		fail "$1 and $2 differ"
	}
}

# golden NAME COMMAND…: stdout is tests/golden/NAME, byte for byte. UPDATE=1 rewrites the file:
# then read the difference before you commit it.
golden() {
	local file=$ROOT/tests/golden/$1
	shift
	run_ok "$@"
	if [ -n "${UPDATE:-}" ]; then
		mkdir -p "$(dirname "$file")"
		cp "$out" "$file"
	fi
	same "$file" "$out"
}

# stream_ok FILE: each line is what the schema that its header names declares.
stream_ok() {
	local header violations
	IFS= read -r header <"$1" || fail "$1: no line" || return 1
	[[ $header =~ \"schema\":\"([a-z.-]+)\" ]] || fail "$1: no schema: $header" || return 1
	violations=$(jq -n -r --slurpfile schema "$ROOT/schemas/${BASH_REMATCH[1]}.schema.json" \
		-f "$ROOT/schemas/check.jq" "$1") || fail "$1: not NDJSON" || return 1
	[ -z "$violations" ] || fail "$1:" "$(head -n 20 <<<"$violations")"
}

# needs_sandbox: skips the test in builds that have none (see Makefile).
needs_sandbox() {
	case $PL_FLAVOUR in
	asan | fuzz) skip "a sanitizer build has no sandbox" ;;
	esac
}

# ---- the contract that every program keeps ----
#
# Each of these takes PROGRAM FILE [ARGUMENT…], FILE being an input that it accepts, and runs it as
# `PROGRAM ARGUMENT… FILE`. program_contract runs all that apply to any filter;
# stream_contract is for those that read streams of ours. Call them as a line of their own: in a
# condition (`if`, `&&`, `||`) the shell would go on after the first failure.

program_contract() {
	contract_help "$@"
	contract_version "$@"
	contract_bad_option "$@"
	contract_directory "$@"
	contract_unreadable "$@"
	contract_full "$@"
	contract_closed_stdout "$@"
	contract_inputs "$@"
	contract_output "$@"
	contract_json_errors "$@"
}

contract_help() {
	run_ok "$1" --help
	grep -q "$1" "$out" || fail "$1 --help does not name itself"
	grep -q -e '--version' "$out" || fail "$1 --help does not list --version"
}

contract_version() {
	run_ok "$1" --version
	[ "$(wc -l <"$out")" = 1 ] || fail "$1 --version: not one line"
	grep -q "^$1 .*[0-9]" "$out" || fail "$1 --version: $(cat "$out")"
}

# contract_failed PROGRAM: the last command said nothing on stdout, and its name and a reason on stderr.
contract_failed() {
	[ ! -s "$out" ] || fail "$1: output in spite of the error"
	grep -q "^$1: ." "$err" || fail "$1: stderr does not name it: $(cat "$err")"
}

contract_bad_option() {
	expect_exit 2 "$1" --no-such-option "$2"
	contract_failed "$1"
}

contract_directory() {
	local program=$1
	shift 2
	expect_exit 2 "$program" "$@" "$BATS_TEST_TMPDIR"
	contract_failed "$program"
}

# A symbolic link to itself cannot be opened by anyone, root included.
contract_unreadable() {
	local program=$1 name
	shift 2
	ln -sf loop "$BATS_TEST_TMPDIR/loop"
	for name in "$BATS_TEST_TMPDIR/loop" "$BATS_TEST_TMPDIR/no-such-file"; do
		expect_exit 2 "$program" "$@" "$name"
		contract_failed "$program"
		grep -q -F "$name" "$err" || fail "$program does not name $name: $(cat "$err")"
	done
}

contract_full() {
	local program=$1 file=$2
	shift 2
	err=$BATS_TEST_TMPDIR/err status=0
	"$program" "$@" "$file" >/dev/full 2>"$err" || status=$?
	[ "$status" = 5 ] || fail "$program to /dev/full: exit status $status, not 5"
	grep -q "^$program: ." "$err" || fail "$program: stderr does not name it: $(cat "$err")"
}

# With stdout closed the next file to be opened would become stdout: the input must stay as it is.
contract_closed_stdout() {
	local program=$1 copy=$BATS_TEST_TMPDIR/copy
	cp "$2" "$copy"
	err=$BATS_TEST_TMPDIR/err status=0
	"$program" "${@:3}" "$copy" >&- 2>"$err" || status=$?
	[ "$status" != 0 ] || fail "$program: exit status 0 with stdout closed"
	cmp "$2" "$copy"
}

contract_inputs() {
	local program=$1 file=$2 form
	shift 2
	run_ok "$program" "$@" "$file"
	mv "$out" "$BATS_TEST_TMPDIR/as-file"
	[ -s "$BATS_TEST_TMPDIR/as-file" ] || fail "$program $file writes nothing"
	for form in stdin dash option pipe; do
		case $form in
		stdin) run_ok "$program" "$@" <"$file" ;;
		dash) run_ok "$program" "$@" - <"$file" ;;
		option) run_ok "$program" "$@" --input "$file" ;;
		pipe) run_ok "$program" "$@" < <(cat "$file") ;;
		esac
		same "$BATS_TEST_TMPDIR/as-file" "$out" || fail "$program: other bytes by $form"
	done
}

contract_output() {
	local program=$1 file=$2 folder=$BATS_TEST_TMPDIR/folder
	shift 2
	rm -rf "$folder"
	mkdir "$folder"
	cp "$file" "$folder/input"
	run_ok "$program" "$@" "$folder/input"
	mv "$out" "$BATS_TEST_TMPDIR/as-stdout"
	run_ok "$program" "$@" --output "$folder/output" "$folder/input"
	[ ! -s "$out" ] || fail "$program --output writes to stdout, too"
	same "$BATS_TEST_TMPDIR/as-stdout" "$folder/output"
	expect_exit 5 "$program" "$@" --output "$folder/input" "$folder/input"
	contract_failed "$program"
	cmp "$file" "$folder/input"
	expect_exit 5 "$program" "$@" --output "$folder" "$folder/input"
	contract_failed "$program"
	[ "$(ls -A "$folder")" = $'input\noutput' ] || fail "left behind: $(ls -A "$folder")"
}

contract_json_errors() {
	local program=$1
	shift 2
	expect_exit 2 "$program" "$@" --json-errors "$BATS_TEST_TMPDIR/no-such-file"
	[ ! -s "$out" ] || fail "$program: output in spite of the error"
	[ "$(wc -l <"$err")" = 1 ] || fail "$program --json-errors: not one line: $(cat "$err")"
	[ "$(jq -r .code "$err")" = INVALID_INPUT ] || fail "$(cat "$err")"
	stream_ok "$err"
}

# stream_contract PROGRAM STREAM [ARGUMENT…]: empty, cut-off, other versions and other kinds are
# refused.
stream_contract() {
	local program=$1 file=$2 bad=$BATS_TEST_TMPDIR/bad
	shift 2
	: >"$bad"
	expect_exit 3 "$program" "$@" "$bad"
	sed '$d' "$file" >"$bad"
	run_fail 3 STREAM_TRUNCATED "$program" "$@" "$bad"
	head -n 1 "$file" >"$bad"
	run_fail 3 STREAM_TRUNCATED "$program" "$@" "$bad"
	sed '1s/"version":"1\.[0-9]*"/"version":"2.0"/' "$file" >"$bad"
	run_fail 3 UNSUPPORTED_FORMAT "$program" "$@" "$bad"
	grep -q '2\.0.*1\.\|1\..*2\.0' "$err" || fail "versions not named: $(cat "$err")"
	sed '1s/"schema":"[^"]*"/"schema":"perflens.no-such-kind"/' "$file" >"$bad"
	run_fail 3 UNSUPPORTED_FORMAT "$program" "$@" "$bad"
	grep -q 'perflens.no-such-kind' "$err" || fail "kind not named: $(cat "$err")"
	sed '2s/^{/[/' "$file" >"$bad"
	expect_exit 3 "$program" "$@" "$bad"
	grep -q ':2: ' "$err" || fail "line not named: $(cat "$err")"
}
