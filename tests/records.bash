# shellcheck shell=bash
#
# records: what bats files ask of streams. `load records` after `load helper`; $out is the stream
# that was written last.
#
# shellcheck disable=SC2154 # out is the helper's

# holds FILTER [FILE]: the filter is true of the list of all records.
holds() {
	jq -en "[inputs] | $1" "${2:-$out}" >/dev/null ||
		fail "does not hold: $1" "$(head -c 4000 "${2:-$out}")"
}

# of TYPE FILTER [FILE]: there is one record of that type, and the filter is true of it.
of() {
	jq -en --arg type "$1" "[inputs | select(.type == \$type)]
		| length == 1 and (.[0] | $2)" "${3:-$out}" >/dev/null ||
		fail "$1 is not: $2" "$(grep "\"type\":\"$1\"" "${3:-$out}" | head -n 3)"
}

# rows FILE: the records of an analysis that do not depend on how its inputs were named.
rows() {
	grep -E '^\{"type":"(event|quality|module|hotspot|path)"' "$1"
}

# same_rows FILE: they are those of $out.
same_rows() {
	rows "$1" >"$BATS_TEST_TMPDIR/rows.wanted"
	rows "$out" >"$BATS_TEST_TMPDIR/rows"
	[ -s "$BATS_TEST_TMPDIR/rows" ] || fail "no rows"
	same "$BATS_TEST_TMPDIR/rows.wanted" "$BATS_TEST_TMPDIR/rows"
}

# needs_perf: skips the test where perf is not there or may not record; tried once a file.
needs_perf() {
	local probe=$BATS_FILE_TMPDIR/probe
	command -v perf >/dev/null || skip "there is no perf"
	[ -e "$probe.can" ] || {
		perf record -q -e cpu-clock -o "$probe.data" true 2>"$probe.said" ||
			skip "perf cannot record: $(head -n 1 "$probe.said")"
		: >"$probe.can"
	}
}
