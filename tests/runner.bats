#!/usr/bin/env bats
# flavours: gcc
#
# tests/run and tests/tap.awk: what fails is never counted as passed, and the last line says all.

setup() {
	cd "$BATS_TEST_DIRNAME/.." || exit 1
	kept=$BATS_TEST_TMPDIR/kept skips=$BATS_TEST_TMPDIR/skips
}

# counts STATUS LINE…: passed, failed and skipped of a job that printed these lines.
counts() {
	local status=$1
	shift
	rm -f "$kept" "$skips"
	printf '%s\n' "$@" |
		awk -v name=job -v status="$status" -v kept="$kept" -v skips="$skips" -f tests/tap.awk
}

@test "passed, failed, skipped" {
	[ "$(counts 1 1..4 '# no matter' 'ok 1 one' '# where' 'not ok 2 - two' '# why' 'ok 3 three # skip no perf here' \
		'ok 4 four')" = '2 1 1 0 0' ]
	[ "$(cat "$kept")" = 'FAILED job: two
    # where
    # why' ]
	[ "$(cat "$skips")" = 'skipped job: three # skip no perf here' ]
	[ "$(counts 0 'ok 1 - one' 1..1)" = '1 0 0 0 0' ]
}

@test "what a job took is on its line, and is not the reason of a failure" {
	[ "$(counts 0 'ok 1 - one' 1..1 '# took 1.250 0.500 3.001')" = '1 0 0 1.75 3.001' ]
	[ "$(counts 1 1..1 'not ok 1 two' '# why' '# took 1.0 2.0 4.0')" = '0 1 0 3 4' ]
	[ "$(cat "$kept")" = 'FAILED job: two
    # why' ]
	project 'echo "ok 1 - one"; echo 1..1'
	run tests/run unit:release
	[[ ${lines[1]} =~ ^unit\ release\ one_test\ +1\ passed\ +[0-9]+\.[0-9]\ s\ CPU\ +[0-9]+\.[0-9]\ s$ ]]
}

@test "a bats file runs in the flavours that it names, or in all; by its name in any" {
	project
	printf 'build-tests:\n\t:\n' >Makefile
	printf '%s\n' '#!/usr/bin/env bats' '# flavours: gcc' '@test "one" { :; }' >tests/some.bats
	printf '%s\n' '#!/usr/bin/env bats' '@test "one" { :; }' >tests/every.bats
	ran() {
		tests/run "$@" | sed -n 's/^bats \([^ ]* [^ ]*\) .*/\1/p' | sort | xargs
	}
	[ "$(ran bats:asan bats:gcc)" = 'asan every gcc every gcc some' ]
	[ "$(ran bats:asan/some)" = 'asan some' ]
}

@test "a job that dies, does less than planned or says nothing has failed" {
	[ "$(counts 139 'ok 1 - one')" = '1 1 0 0 0' ]
	[ "$(counts 0 1..2 'ok 1 - one')" = '1 1 0 0 0' ]
	[ "$(counts 0)" = '0 1 0 0 0' ]
	[ "$(counts 99 'ok 1 - one' 1..1 'ERROR: AddressSanitizer: leak')" = '1 1 0 0 0' ]
	grep -q 'exit status 99' "$kept"
	grep -q 'AddressSanitizer: leak' "$kept"
}

# project LINE…: a copy of the runner with a Makefile that builds one unit test, a shell script.
project() {
	mkdir -p "$BATS_TEST_TMPDIR/p/tests/unit"
	cd "$BATS_TEST_TMPDIR/p" || return 1
	cp "$BATS_TEST_DIRNAME"/{run,tap.awk} tests
	: >tests/unit/one_test.c
	printf 'build-tests:\n\tmkdir -p build/release/unit\n\tcp one build/release/unit/one_test\n' \
		>Makefile
	printf '%s\n' '#!/bin/sh' "$@" >one
	chmod +x one
}

@test "all passed: exit 0, the account on the last line" {
	project 'echo "ok 1 - one"; echo 1..1'
	run tests/run unit:release
	[ "$status" = 0 ]
	[ "${lines[-1]}" = '2 passed, 0 failed' ]
	[ "$(cat build/check/total)" = '2 passed, 0 failed' ]
}

@test "one failed: exit 1, its output and the account on the last line" {
	project 'echo "not ok 1 - one"; echo "# the reason"; echo 1..1; exit 1'
	run tests/run unit:release
	[ "$status" = 1 ]
	[ "${lines[-1]}" = '1 passed, 1 failed' ]
	[[ "$output" == *'FAILED unit release one_test: one'*'# the reason'* ]]
}

@test "a build that fails is a failure, and its tests do not run" {
	project 'echo "ok 1 - one"; echo 1..1'
	printf 'build-tests:\n\t@echo a broken line >&2; exit 1\n' >Makefile
	run tests/run unit:release
	[ "$status" = 1 ]
	[ "${lines[-1]}" = '0 passed, 1 failed' ]
	[[ "$output" == *'a broken line'* ]]
}

@test "nothing ran: that is no success" {
	project :
	echo 'build-tests:' >Makefile
	rm tests/unit/one_test.c
	echo 'echo 1..0' >tests/lint
	chmod +x tests/lint
	run tests/run lint
	[ "$status" = 1 ]
	[ "${lines[-1]}" = '0 passed, 0 failed' ]
	run tests/run no-such-thing
	[ "$status" = 2 ]
}

@test "a program that copies, whatever it is asked, breaks every contract" {
	local p=$BATS_TEST_TMPDIR/p contracts
	mkdir -p "$p/tests" "$p/build/release/bin"
	cp tests/helper.bash "$p/tests"
	ln -s "$PWD/schemas" "$p/schemas"
	# shellcheck disable=SC2016 # for the program
	printf '%s\n' '#!/bin/sh' 'for file in "$@"; do :; done' 'cat ${file+"$file"}' \
		'exit 0' >"$p/build/release/bin/pl-bad"
	chmod +x "$p/build/release/bin/pl-bad"
	mapfile -t contracts < <(sed -n 's/^\(contract_[a-z_]*\)() {$/\1/p' tests/helper.bash)
	{
		echo 'load helper'
		for contract in program_contract stream_contract "${contracts[@]}"; do
			echo "@test \"$contract\" { $contract pl-bad schemas/examples/two-lines.folded; }"
		done
	} >"$p/tests/bad.bats"
	run env -u PL_BIN bats --tap "$p/tests/bad.bats"
	# copying is the same for a file and for standard input
	[ "$(grep '^ok' <<<"$output" | sed 's/^ok [0-9]* //')" = contract_inputs ]
	[ "${#contracts[@]}" -ge 10 ]
}
