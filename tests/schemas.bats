#!/usr/bin/env bats
# flavours: gcc
#
# schemas/: the examples are what they declare, and check.jq sees what is not.

load helper

samples=schemas/examples/two-lines.samples.ndjson
analysis=schemas/examples/two-lines.analysis.ndjson

# violations FILE: what check.jq says, held to the schema of the example that it was made from.
violations() {
	jq -n -r --slurpfile schema "schemas/perflens.$kind.schema.json" -f schemas/check.jq "$1"
}

# reported KIND SED-SCRIPT TEXT: after that change to the example, exactly TEXT is reported.
reported() {
	local kind=$1 changed=$BATS_TEST_TMPDIR/changed said
	sed "$2" "schemas/examples/two-lines.$1.ndjson" >"$changed"
	! cmp -s "schemas/examples/two-lines.$1.ndjson" "$changed" || fail "nothing changed: $2"
	said=$(violations "$changed")
	[ "$said" = "$3" ] || fail "said: $said" "want: $3"
}

@test "every example is what its schema declares" {
	for file in schemas/examples/*.ndjson; do
		stream_ok "$file"
	done
}

@test "every golden stream is what its schema declares" {
	local files
	mapfile -t files < <(find tests/golden -name '*.ndjson' | sort)
	[ "${#files[@]}" -gt 0 ] || skip "no golden streams"
	for file in "${files[@]}"; do
		stream_ok "$file"
	done
}

@test "the examples are of the folded file beside them" {
	local file=schemas/examples/two-lines.folded
	[ "$(jq -r 'select(.type == "end").inputs[0].sha256' $samples)" = \
		"$(sha256sum <$file | cut -c 1-64)" ]
	[ "$(jq 'select(.type == "end").inputs[0].bytes' $samples)" = "$(wc -c <$file)" ]
	[ "$(jq 'select(.type == "end").events[0].weight' $samples)" = \
		"$(awk '{ sum += $NF } END { print sum }' $file)" ]
	[ "$(tail -n 1 $analysis | jq -r .sha256)" = \
		"$(sed '$s/,"sha256":"[0-9a-f]*"}$//' $analysis | head -c -1 | sha256sum | cut -c 1-64)" ]
}

@test "schemas: well-formed, complete, and what they share is the same everywhere" {
	for file in schemas/*.schema.json; do
		jq -e --arg name "$(basename "$file" .schema.json)" '
			.title == $name
			and (if has("records") then
				(.records | keys) == ([.order | keys_unsorted[] | select(. != "")] | sort)
				and [.oneOf[]."$ref"] == [.records | keys_unsorted[] | "#/records/" + .]
				and ([.order[][] | select(. != "")] - (.records | keys) == [])
			     else .properties.schema.const == $name end)
			and ([.. | objects | select(has("properties") and has("required"))
			      | .required - (.properties | keys) | .[]] == [])
			and . as $root
			| [.. | objects | ."$ref"? | strings | ltrimstr("#/") | split("/")
			   | . as $path | $root | getpath($path)] | all(. != null)' "$file" >/dev/null ||
			fail "$file"
	done
	jq -n -e '
		[inputs."$defs" | to_entries[] | select(.key | IN("count", "percent", "sha256", "counts",
			"producer", "input", "foreign", "stream"))]
		| group_by(.key) | all(map(.value) | unique | length == 1)' schemas/*.schema.json
}

@test "reported: a member of a wrong type" {
	reported samples '9s/"weight":271/"weight":"271"/' \
		'line 9: sample.weight: string, not integer'
	reported samples '7s/\[0,1,2,3\]/[0,1.5,2,3]/' \
		'line 7: sample.stack[1]: number, not integer'
	reported analysis '3s/"reasons":\[\]/"reasons":null/' \
		'line 3: quality.reasons: null, not array'
	reported analysis '4s/"dso":null/"dso":1/' \
		'line 4: hotspot.dso: integer, not string or null'
}

@test "reported: a member that is missing, unknown, or out of place" {
	reported samples '3s/"symbol":"main",//' 'line 3: frame: no member symbol'
	reported samples '7s/,"stack":\[0,1,2,3\]//' \
		'line 7: sample: 0 of the 2 forms match, not 1'
	reported samples '3s/"module":null/&,"colour":"red"/' 'line 3: frame: unknown member colour'
	reported analysis '1s/"options":{}/&,"clock":1/' \
		'line 1: header.producer: unknown member clock'
	reported samples '3s/{"type":"frame","id":0,/{"id":0,"type":"frame",/' \
		'line 3: frame: members in the order id, type, symbol, module'
	reported analysis '9s/"weight":271,"pct":59.823400/"pct":59.823400,"weight":271/' \
		'line 9: path: members in the order type, id, event, pct, weight, samples, frames'
	reported analysis '4s/"dso":null,"weight":271/"dso":null/' \
		'line 4: hotspot.callers[0]: no member weight'
}

@test "reported: a value that is none of those declared" {
	reported samples '2s/"source":"unknown"/"source":"guess"/' \
		'line 2: event.source: "guess" is none of hardware, software, tracepoint, unknown'
	reported samples '1s/"1.0","producer"/"2.0","producer"/' \
		'line 1: header.version: "2.0", not 1.0'
	reported samples '7s/"weight":182/"weight":-182/' 'line 7: sample.weight: -182 is less than 0'
	reported samples '10s/"sha256":"ec/"sha256":"EC/' \
		"line 10: end.inputs[0].sha256: \"EC$(sed -n '10s/.*"sha256":"ec\([0-9a-f]*\).*/\1/p' \
			$samples)\" does not match ^[0-9a-f]{64}\$"
	reported analysis '12s/"DOMINANT_SAMPLE":1/"DOMINANT_SAMPLE":true/' \
		'line 12: end.diagnostics.DOMINANT_SAMPLE: boolean, not integer'
	reported source '2s/"line":2,"sha256"/"line":0,"sha256"/' 'line 2: context.line: 0 is less than 1'
	reported source '2s/271"/&,"cut":false/' 'line 2: context.lines[1].cut: false, not true'
	reported analysis '1s/"format":"folded"/"form":"folded"/' \
		'line 1: header.inputs[0]: 0 of the 2 forms match, not 1'
}

@test "reported: records out of order, unknown, cut off" {
	reported samples 10d 'line 10: the stream ends after sample'
	reported samples 1d 'line 1: event after the start'
	reported analysis 3d 'line 3: hotspot after event'
	reported analysis 12p 'line 13: end after end'
	reported samples '3s/"frame"/"flame"/' 'line 3: unknown record flame'
	reported samples '3s/.*/[1]/' 'line 3: unknown record (array)'
	reported samples d 'line 1: the stream ends after the start'
}

# document_ok FILE: nothing is reported of a file of rules.
document_ok() {
	[ -z "$(kind=rules violations "$1")" ] || fail "$1:" "$(kind=rules violations "$1")"
}

@test "files of rules are what their schema declares, and what is not is reported" {
	local file changed=$BATS_TEST_TMPDIR/changed
	for file in filters/rules/*.json tests/data/rules/*.json; do
		[ ! -e "$file" ] || document_ok "$file"
	done
	jq '.rules[0] |= (.category = "memory" | .match.symbol = [] | del(.id))' \
		tests/data/rules/memory.json >"$changed"
	[ "$(kind=rules violations "$changed" | sed 's/ is none of .*//')" = \
		"document.rules[0]: no member id
document.rules[0].category: \"memory\"
document.rules[0].match: unknown member symbol" ]
}

@test "categories are the same in every schema, and 37" {
	jq -n -e '[inputs | ."$defs".category.enum // empty]
		| length == 2 and (unique | length == 1) and (.[0] | length == 37 and . == sort)' \
		schemas/*.schema.json
}

@test "what is no JSON at all is an error of jq's" {
	local kind=samples
	sed '3s/}$//' $samples >"$BATS_TEST_TMPDIR/broken"
	! violations "$BATS_TEST_TMPDIR/broken" || fail "exit status 0"
}
