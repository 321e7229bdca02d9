# shellcheck shell=bash
#
# symbols: programs that tests build, streams that name positions in them, and what pl-symbolize
# makes of these. `load symbols` after `load helper` and `load records`.
#
# What is expected comes from nm, readelf and objdump, never from programs of ours.
#
# shellcheck disable=SC2154 # out is the helper's

# build_id FILE
build_id() {
	readelf -nW "$1" 2>"$BATS_TEST_TMPDIR/readelf.err" | sed -n 's/.*Build ID: //p'
}

# file_offset FILE ADDRESS: where in the file a virtual address is, by the program headers.
file_offset() {
	local type offset start size
	while read -r type offset start _ size _; do
		if [ "$type" = LOAD ] && (($2 >= start && $2 < start + size)); then
			printf '0x%x\n' $(($2 - start + offset))
			return
		fi
	done < <(readelf -lW "$1" 2>"$BATS_TEST_TMPDIR/readelf.err")
	fail "$1: no segment has $2"
}

# address_of FILE SYMBOL [NM-OPTION]: its virtual address.
address_of() {
	nm "${@:3}" "$1" | awk -v name="$2" '$3 == name { print "0x" $1; exit }'
}

# offset_of FILE SYMBOL [PLUS [NM-OPTION]]: a position in the file.
offset_of() {
	local address
	address=$(address_of "$1" "$2" "${@:4}")
	[ -n "$address" ] || fail "$1: no $2"
	file_offset "$1" $((address + ${3:-0}))
}

# stream_of: a stream of samples from lines on stdin, each frame in the module before it:
#     module DSO BUILD-ID|- [KIND [BASE]]
#     frame OFFSET [return] [PID]
stream_of() {
	awk 'BEGIN {
		print "{\"type\":\"header\",\"schema\":\"perflens.samples\",\"version\":\"1.0\"," \
			"\"producer\":{\"program\":\"test\",\"version\":\"1\",\"options\":{}}," \
			"\"inputs\":[{\"format\":\"test\"}]}"
		print "{\"type\":\"event\",\"id\":0,\"name\":\"cpu-clock\",\"unit\":\"nanoseconds\"," \
			"\"weight_source\":\"period\",\"source\":\"software\"}"
	}
	$1 == "module" {
		printf "{\"type\":\"module\",\"id\":%d,\"dso\":\"%s\"", modules++, $2
		if ($3 != "-")
			printf ",\"build_id\":\"%s\"", $3
		printf ",\"kind\":\"%s\"", (NF > 3 ? $4 : "user")
		if (NF > 4)
			printf ",\"base\":\"%s\"", $5
		print "}"
	}
	$1 == "frame" {
		printf "{\"type\":\"frame\",\"id\":%d,\"symbol\":\"unknown\",\"module\":%d,\"offset\":\"%s\"", \
			frames, modules - 1, $2
		for (i = 3; i <= NF; i++)
			printf ($i == "return" ? ",\"return\":true" : ",\"pid\":" $i)
		print "}"
		printf "{\"type\":\"sample\",\"event\":0,\"weight\":1,\"stack\":[%d]}\n", frames++
	}
	END {
		printf "{\"type\":\"end\",\"samples\":%d,\"events\":[{\"id\":0,\"samples\":%d,\"weight\":%d}]," \
			"\"modules\":%d,\"frames\":%d,\"lost\":0,\"records\":%d,\"malformed\":0," \
			"\"skipped\":0,\"replaced\":0,\"diagnostics\":{}," \
			"\"inputs\":[{\"bytes\":1,\"sha256\":\"%064d\",\"lines\":0}]}\n", \
			frames, frames, frames, modules, frames, frames, 0
	}'
}

# named OPTION… <LINES: pl-symbolize of stream_of, to $out.
named() {
	stream_of >"$BATS_TEST_TMPDIR/asked"
	stream_ok "$BATS_TEST_TMPDIR/asked"
	run_ok pl-symbolize "$@" "$BATS_TEST_TMPDIR/asked"
	stream_ok "$out"
}

# names [FILE]: the symbols of the frames of the last output, one a line.
names() {
	jq -r 'select(.type=="frame").symbol' "${1:-$out}"
}

# reasons: "symbols reason" of each module of the last output.
reasons() {
	jq -r 'select(.type=="module") | "\(.symbols) \(.reason)"' "$out"
}

# expect COMMAND LINE…: it prints these lines.
expect() {
	local got
	got=$("$1")
	[ "$got" = "$(printf '%s\n' "${@:2}")" ] || fail "$1, got:" "$got" "expected:" "${@:2}"
}

# module_of FILE [KIND]: its line for stream_of, with its build ID.
module_of() {
	local id
	id=$(build_id "$1")
	printf 'module %s %s %s\n' "$1" "${id:--}" "${2:-user}"
}

# position FILE SYMBOL [PLUS [NM-OPTION]]: a frame's line.
position() {
	printf 'frame %s\n' "$(offset_of "$@")"
}

# ---- recordings ----

# record FILE PERF-OPTION… -- COMMAND…: cpu-clock, by frame pointers.
record() {
	local file=$1
	shift
	# runtimes write logs where they stand
	(cd "$BATS_TEST_TMPDIR" && perf record -q -e cpu-clock -F 4000 -g -o "$file" "$@" >"$file.log" \
		2>&1 </dev/null) || skip "perf cannot record here: $(head -n 1 "$file.log")"
}

# symbolized FILE OPTION…: to $out.
symbolized() {
	pl-data-parse "$1" >"$BATS_TEST_TMPDIR/parsed"
	run_ok pl-symbolize "${@:2}" "$BATS_TEST_TMPDIR/parsed"
	stream_ok "$out"
}

# stacks: of the last output the weight of each distinct stack, as "WEIGHT main;work".
stacks() {
	jq -rn 'reduce inputs as $r ({f: [], w: {}};
		if $r.type == "frame" then .f[$r.id] = $r.symbol
		elif $r.type == "sample" then
			([.f[$r.stack[]]] | join(";")) as $s | .w[$s] += $r.weight
		else . end) | .w | to_entries[] | "\(.value) \(.key)"' "$out" | sort -rn
}
