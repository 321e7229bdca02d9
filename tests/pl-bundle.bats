#!/usr/bin/env bats
#
# pl-bundle: a bundle made by hand, byte for byte; what is refused on the way in; what unzip makes of
# it.
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

# artifact KIND FIRST SECOND: one whose header names inputs with these digests (none: "").
artifact() {
	jq -n -c -j --arg kind "$1" --args '{type: "header", schema: $kind, version: "1.0",
			producer: {program: "x", version: "1", options: {}},
			inputs: [$ARGS.positional[] | {schema: "perflens.analysis",
				producer: {program: "x", version: "1", options: {}}, inputs: [], sha256: .}]},
		"\n", {type: "end", records: 0}' "${@:2}" | head -c -1 >"$work/open"
	cat "$work/open"
	printf ',"sha256":"%s"}\n' "$(sha256sum <"$work/open" | cut -c 1-64)"
}

digest() {
	tail -n 1 "$1" | jq -r .sha256
}

# ---- the programs ----

@test "pl-bundle keeps the contract of every program" {
	program_contract pl-bundle "$analysis"
	stream_contract pl-bundle "$analysis"
}

@test "the bytes are those of a ZIP made by hand" {
	zip_start
	zip_entry manifest.ndjson schemas/examples/two-lines.bundle.ndjson
	zip_entry analysis.ndjson "$analysis"
	zip_entry verification.ndjson "$verification"
	zip_end
	run_ok pl-bundle --verification "$verification" --analysis "$analysis"
	same "$zip" "$out"
	run_ok pl-verify-bundle "$zip"
	checks pppppppp
	[ "$(head -n 1 "$out" | jq -c .inputs)" = "[{\"format\":\"zip\",\"bytes\":$(wc -c <"$zip"),\"sha256\":\"$(
		sha256sum <"$zip" | cut -c 1-64
	)\"}]" ]
	[ "$(jq -r 'select(.type=="check").name' "$out" | paste -sd ' ')" = \
		'container names manifest sizes crc sha256 seals bindings' ]
}

@test "all parts, in their order whatever that of the options, and unzip gives them back" {
	local sha
	sha=$(digest "$analysis")
	artifact perflens.diagnosis "$sha" >"$work/diagnosis"
	artifact perflens.comparison "$(digest "$other")" "$sha" >"$work/comparison"
	pl-report "$analysis" >"$work/report"
	run_ok perflens bundle --comparison "$work/comparison" --report "$work/report" \
		--verification "$verification" --diagnosis "$work/diagnosis" --analysis "$analysis" \
		--output "$zip"
	[ ! -s "$out" ]
	unzip -tq "$zip"
	[ "$(unzip -Z1 "$zip" | paste -sd ' ')" = \
		'manifest.ndjson analysis.ndjson diagnosis.ndjson report.md comparison.ndjson verification.ndjson' ]
	mkdir "$work/unpacked"
	unzip -q "$zip" -d "$work/unpacked"
	cmp "$analysis" "$work/unpacked/analysis.ndjson"
	cmp "$work/diagnosis" "$work/unpacked/diagnosis.ndjson"
	cmp "$work/report" "$work/unpacked/report.md"
	cmp "$work/comparison" "$work/unpacked/comparison.ndjson"
	cmp "$verification" "$work/unpacked/verification.ndjson"
	stream_ok "$work/unpacked/manifest.ndjson"
	# the manifest against sha256sum and wc
	(
		cd "$work/unpacked"
		for file in analysis.ndjson diagnosis.ndjson report.md comparison.ndjson verification.ndjson; do
			printf '%s %s %s\n' $file "$(wc -c <$file)" "$(sha256sum <$file | cut -c 1-64)"
		done
	) >"$work/want"
	jq -r 'select(.type=="file") | "\(.name) \(.bytes) \(.sha256)"' \
		"$work/unpacked/manifest.ndjson" >"$work/got"
	same "$work/want" "$work/got"
	run_ok perflens verify-bundle "$zip"
	checks pppppppp
	run_ok perflens verify-bundle --input "$zip"
}

@test "a report that is HTML; the analysis from a pipe" {
	printf '\n<!doctype HTML><p>SHA-256 <code>%s</code>\n' "$(digest "$analysis")" >"$work/page"
	pl-bundle --report "$work/page" < <(cat "$analysis") >"$zip"
	[ "$(unzip -Z1 "$zip" | tail -n 1)" = report.html ]
	[ "$(unzip -p "$zip" manifest.ndjson | jq -r 'select(.type=="header").inputs[1].format')" = html ]
	run_ok pl-verify-bundle "$zip"
}

@test "what does not belong to the analysis is refused, by name, and nothing is written" {
	local option
	pl-report "$other" >"$work/report"
	artifact perflens.diagnosis "$(digest "$other")" "$(digest "$analysis")" >"$work/diagnosis"
	artifact perflens.comparison "$(digest "$other")" "$(digest "$other")" "$(digest "$analysis")" \
		>"$work/comparison"
	artifact perflens.verification "$(digest "$other")" >"$work/verification"
	for option in report diagnosis comparison verification; do
		run_fail 3 DIGEST_MISMATCH pl-bundle --$option "$work/$option" --output "$zip" "$analysis"
		grep -q "$work/$option" "$err"
		[ ! -e "$zip" ]
	done
	# a verification without the digest, as pl-verify writes it where that is wrong
	artifact perflens.verification >"$work/verification"
	run_fail 3 DIGEST_MISMATCH pl-bundle --verification "$work/verification" "$analysis"
}

@test "what is not what its option says is refused" {
	local option
	for option in diagnosis comparison verification; do
		run_fail 3 UNSUPPORTED_FORMAT pl-bundle --$option "$analysis" "$analysis"
		run_fail 3 STREAM_TRUNCATED pl-bundle --$option /dev/null "$analysis"
	done
	run_fail 3 UNSUPPORTED_FORMAT pl-bundle "$verification"
	run_fail 3 UNSUPPORTED_FORMAT pl-bundle --report "$analysis" "$analysis"
	printf '%s \xff\n' "$(digest "$analysis")" >"$work/report"
	run_fail 3 UNSUPPORTED_FORMAT pl-bundle --report "$work/report" "$analysis"
	run_fail 3 DIGEST_MISMATCH pl-bundle --report /dev/null "$analysis"
	run_fail 2 INVALID_INPUT pl-bundle --report "$work/none" "$analysis"
	run_fail 2 INVALID_INPUT pl-bundle "$analysis" "$other"
	run_fail 2 INVALID_INPUT pl-bundle --report - - <"$analysis"
	cp "$verification" "$work/verification"
	run_fail 5 PATH_SAFETY_VIOLATION pl-bundle --verification "$work/verification" \
		--output "$work/verification" "$analysis"
	cmp "$verification" "$work/verification"
}

@test "an edited artifact: refused, or with --unsealed said and never verified" {
	sed 's/compute/Compute/' "$analysis" >"$work/edited"
	run_fail 3 DIGEST_MISMATCH pl-bundle "$work/edited"
	run_ok pl-bundle --unsealed "$work/edited"
	cp "$out" "$zip"
	[ "$(unzip -p "$zip" manifest.ndjson | jq -c 'select(.type=="file").sealed,
		select(.type=="header").producer.options')" = $'{"unsealed":true}\nfalse' ]
	expect_exit 1 pl-verify-bundle "$zip"
	checks ppppppfp
	grep -q '^pl-verify-bundle: the check seals failed: analysis.ndjson has the digest ' "$err"
	grep -q '^pl-verify-bundle: 7 of 8 checks passed, 0 skipped, 1 failed$' "$err"
	# a report of what was edited names the digest of what it read
	pl-report --unsealed "$work/edited" >"$work/report"
	run_ok pl-bundle --unsealed --report "$work/report" "$work/edited"
	# without any digest nothing can be bound
	sed '$ s/,"sha256":"[^"]*"}$/}/' "$analysis" >"$work/edited"
	run_ok pl-bundle --unsealed "$work/edited"
	run_fail 3 DIGEST_MISMATCH pl-bundle --unsealed --report "$work/report" "$work/edited"
	grep -q 'no digest' "$err"
}

@test "limits: the output, the input" {
	local size
	pl-bundle "$analysis" >"$zip"
	size=$(wc -c <"$zip")
	run_ok pl-bundle --max-output-bytes "$size" "$analysis"
	run_fail 4 RESOURCE_LIMIT_EXCEEDED pl-bundle --max-output-bytes $((size - 1)) "$analysis"
	[ ! -s "$out" ]
	run_fail 4 RESOURCE_LIMIT_EXCEEDED pl-bundle --max-output-bytes 4K "$analysis"
	run_ok pl-verify-bundle --max-input-bytes "$size" "$zip"
	run_fail 4 RESOURCE_LIMIT_EXCEEDED pl-verify-bundle --max-input-bytes $((size - 1)) "$zip"
	run_fail 4 RESOURCE_LIMIT_EXCEEDED pl-verify-bundle --max-input-bytes $((size - 1)) < <(cat "$zip")
}

@test "a ZIP is not written to a terminal" {
	expect_exit 2 script -qec "pl-bundle $analysis" /dev/null
	grep -q 'not written to a terminal' "$out"
	lacks manifest "$out"
}
