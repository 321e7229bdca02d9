#!/usr/bin/env bats
#
# pl-verify-bundle: hostile ZIPs. Each field and each check by itself: tests/unit/zip_test.c and
# tests/unit/verify_bundle_test.c; what passes: tests/pl-bundle.bats.
#
# shellcheck disable=SC2030,SC2031 # each test is a subshell
# shellcheck disable=SC2154 # out and err are the helper's

load helper
load zip

analysis=schemas/examples/two-lines.analysis.ndjson
verification=schemas/examples/two-lines.verification.ndjson
other=tests/data/two-events.analysis.ndjson

setup() {
	work=$BATS_TEST_TMPDIR
	zip=$work/evidence.zip
}

@test "pl-verify-bundle keeps the contract of every program" {
	pl-bundle "$analysis" >"$zip"
	program_contract pl-verify-bundle "$zip"
}

@test "names that lead elsewhere are found" {
	local name
	for name in ../evil /etc/cron.d/evil '..\evil' C:evil; do
		zip_start
		zip_entry manifest.ndjson schemas/examples/two-lines.bundle.ndjson
		zip_entry analysis.ndjson "$analysis"
		zip_entry "$name" "$verification"
		zip_end
		expect_exit 1 pl-verify-bundle "$zip"
		checks pffppppp
		grep -q -F "the check names failed: entry 3, " "$err"
	done
}

@test "a name that comes twice is found, and content beside the manifest" {
	zip_start
	zip_entry manifest.ndjson schemas/examples/two-lines.bundle.ndjson
	zip_entry analysis.ndjson "$analysis"
	zip_entry analysis.ndjson "$other"
	zip_entry verification.ndjson "$verification"
	zip_end
	expect_exit 1 pl-verify-bundle "$zip"
	checks pffppppf
}

@test "what is no ZIP that a bundle could be is refused with the reason" {
	pl-bundle "$analysis" >"$zip"
	head -c -1 "$zip" >"$work/bad"
	run_fail 3 PROFILE_PARSE_FAILED pl-verify-bundle "$work/bad"
	{
		cat "$zip"
		echo
	} >"$work/bad"
	run_fail 3 PROFILE_PARSE_FAILED pl-verify-bundle "$work/bad"
	{
		printf '#!/bin/sh\n'
		cat "$zip"
	} >"$work/bad"
	run_fail 3 PROFILE_PARSE_FAILED pl-verify-bundle "$work/bad"
	cat "$zip" "$zip" >"$work/bad"
	run_fail 3 PROFILE_PARSE_FAILED pl-verify-bundle "$work/bad"
	gzip -c "$zip" >"$work/bad"
	run_fail 3 UNSUPPORTED_FORMAT pl-verify-bundle "$work/bad"
	run_fail 3 UNSUPPORTED_FORMAT pl-verify-bundle "$analysis"
	run_fail 3 STREAM_TRUNCATED pl-verify-bundle /dev/null
	zip_start
	zip_entry manifest.ndjson "$analysis" 8
	zip_end
	run_fail 3 UNSUPPORTED_FORMAT pl-verify-bundle "$zip"
	grep -q 'entry 1 manifest.ndjson: compression is not supported' "$err"
}
