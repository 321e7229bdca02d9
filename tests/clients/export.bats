#!/usr/bin/env bats
#
# pl-export's files before those that they are for: the schema that speedscope publishes, and
# pprof. Both come from the network.
#
# shellcheck disable=SC2030,SC2031 # each test is a subshell
# shellcheck disable=SC2154 # out and err are the helper's

load ../helper

samples=tests/data/threads.samples.ndjson
speedscope=https://registry.npmjs.org/speedscope/-/speedscope-1.25.0.tgz

@test "speedscope's published schema accepts what is written for it" {
	local schema=$BATS_TEST_TMPDIR/schema.json input
	curl -fsS --max-time 60 "$speedscope" |
		tar -xzOf - package/dist/release/file-format-schema.json >"$schema"
	for input in "$samples" schemas/examples/two-lines.analysis.ndjson; do
		run_ok pl-export --to speedscope "$input"
		jsonschema -i "$out" "$schema" 2>"$BATS_TEST_TMPDIR/log" || fail "$(cat "$BATS_TEST_TMPDIR/log")"
	done
	# it can fail
	jq '.profiles[0].unit = "cycles"' "$out" >"$BATS_TEST_TMPDIR/bad"
	expect_exit 1 jsonschema -i "$BATS_TEST_TMPDIR/bad" "$schema"
}

@test "go tool pprof finds every stack with its weight" {
	command -v go >/dev/null || skip "there is no go here: make check-clients installs it"
	export HOME=$BATS_TEST_TMPDIR
	pl-export --to pprof "$samples" >"$BATS_TEST_TMPDIR/profile"
	go tool pprof -sample_index=cycles:u -traces "$BATS_TEST_TMPDIR/profile" \
		2>"$BATS_TEST_TMPDIR/log" >"$BATS_TEST_TMPDIR/traces" || fail "$(cat "$BATS_TEST_TMPDIR/log")"
	# traces are leaf first: the weight stands before the leaf
	awk '/^-+/ { n++; next }
		n && NF { if ($1 ~ /^[0-9.]+[a-z]*$/ && NF > 1) { sub(/[a-z]+$/, "", $1); weight = $1; leaf = $2; print weight, leaf } }' \
		"$BATS_TEST_TMPDIR/traces" | grep -v '^0 ' | sort >"$BATS_TEST_TMPDIR/got"
	printf '%s\n' '100 malloc' '200 malloc' '50 unknown' '20 emitted' '40 inner' '10 gone' '30 [no' |
		sort >"$BATS_TEST_TMPDIR/want"
	same "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/got"
}
