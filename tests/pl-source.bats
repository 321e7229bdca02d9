#!/usr/bin/env bats
#
# pl-source: the lines that were asked for, safe to show, with the file's digest; and nothing that is
# not below the workspace.
#
# shellcheck disable=SC2016 # jq has a $ of its own
# shellcheck disable=SC2030,SC2031 # each test is a subshell
# shellcheck disable=SC2154 # out and err are the helper's

load helper
load records

setup() {
	top=$(realpath "$BATS_TEST_TMPDIR")/top
	ws=$top/ws
	mkdir -p "$ws/src"
	seq -f 'line %g' 60 >"$ws/src/a.c"
	echo secret >"$top/outside"
}

# source_of FILE LINE [OPTION…]
source_of() {
	pl-source --file "$1" --line "$2" --workspace "$ws" "${@:3}"
}

# shows FILTER: true of the record of the last output, which is as its schema says, and sealed.
shows() {
	of context "$1"
	stream_ok "$out"
	sed '$ s/,"sha256":"[^"]*"}$//' "$out" | head -c -1 >"$out.open"
	[ "$(tail -n 1 "$out" | jq -r .sha256)" = "$(sha256sum <"$out.open" | cut -d ' ' -f 1)" ]
}

# text FILE LINE [OPTION…]: that line's text alone.
text() {
	run_ok source_of "$@"
	jq -j --argjson line "$2" 'select(.type=="context").lines[] | select(.line==$line).text' "$out"
}

# outside PATH [WORKSPACE]: refused for where it leads, and nothing of what is there is told.
outside() {
	run_fail 5 PATH_SAFETY_VIOLATION pl-source --file "$1" --line 1 --workspace "${2:-$ws}"
	[ ! -s "$out" ]
	jq -r .message "$err" | grep -q 'workspace'
	[ "$(jq -r .file "$err")" != "" ]
	! grep -q secret "$err" || fail "$(cat "$err")"
}

# ---- what is shown ----

@test "the line, those around it, and the digest" {
	run_ok source_of src/a.c 42
	shows '.file == "src/a.c" and .line == 42 and [.lines[].line] == [range(22; 63)][:39]
		and all(.lines[]; .text == "line \(.line)" and length == 2)'
	[ "$(jq -r 'select(.type=="context").sha256' "$out")" = \
		"$(sha256sum <"$ws/src/a.c" | cut -d ' ' -f 1)" ]
	of header '.inputs == [{format: "source", bytes: '"$(wc -c <"$ws/src/a.c")"',
		sha256: "'"$(sha256sum <"$ws/src/a.c" | cut -d ' ' -f 1)"'", lines: 60}]
		and .producer.options == {}'
	of end '.records == 1'
	# nothing of the machine
	! grep -q -F "$top" "$out" || fail "$(cat "$out")"
}

@test "--before and --after, to both ends of the file" {
	run_ok source_of src/a.c 10 --before 2 --after 1
	shows '[.lines[].line] == [8, 9, 10, 11]'
	of header '.producer.options == {before: 2, after: 1}'
	run_ok source_of src/a.c 10 --before 0 --after 0
	shows '[.lines[].line] == [10]'
	run_ok source_of src/a.c 1 --after 0
	shows '[.lines[].line] == [1]'
	run_ok source_of src/a.c 3 --before 200 --after 200
	shows '[.lines[].line] == [range(1; 61)]'
	run_ok source_of src/a.c 60
	shows '[.lines[].line] == [range(40; 61)]'
	for bad in --before=201 --after=201 --before=-1 --after=x --max-line-bytes=15 \
		--max-line-bytes=2M; do
		run_fail 2 INVALID_INPUT source_of src/a.c 1 "$bad"
	done
}

@test "a last line without LF is a line, and no line is behind it" {
	printf 'a\nb' >"$ws/b.c"
	[ "$(text b.c 2)" = b ]
	run_fail 2 INVALID_INPUT source_of b.c 3
	[[ $(jq -r .message "$err") == *"no line 3"*"last one is 2"* ]]
	printf 'a\nb\n' >"$ws/b.c"
	run_fail 2 INVALID_INPUT source_of b.c 3
	[[ $(jq -r .message "$err") == *"no line 3"*"last one is 2"* ]]
	[ "$(jq -r .file "$err")" = b.c ]
	: >"$ws/b.c"
	run_fail 2 INVALID_INPUT source_of b.c 1
	[[ $(jq -r .message "$err") == *empty* ]]
	run_fail 2 INVALID_INPUT source_of src/a.c 18446744073709551615
}

@test "CR LF is a line end, a lone CR is not, and a byte order mark is dropped" {
	printf '\xef\xbb\xbfa\r\nb\rc\r\nd' >"$ws/b.c"
	run_ok source_of b.c 2
	shows '.lines == [{line: 1, text: "a"}, {line: 2, text: "b\\x0dc", escaped: true},
		{line: 3, text: "d"}]'
	[ "$(jq -r 'select(.type=="context").sha256' "$out")" = "$(sha256sum <"$ws/b.c" | cut -d ' ' -f 1)" ]
}

@test "what drives a terminal or misleads is escaped and marked; tabs stay" {
	# ESC, BEL, FF, DEL, C1 (U+009B), right-to-left override, zero width space
	printf '\t\x1b[2J\ta\x07\f\x7f\xc2\x9b\n' >"$ws/b.c"
	printf 'if (user\xe2\x80\xae) // \xe2\x80\x8b\n' >>"$ws/b.c"
	printf '\tputs("\\x1b[0m"); // \xc3\xa9 \xe4\xb8\xad\n' >>"$ws/b.c"
	run_ok source_of b.c 2
	shows '.lines == [
		{line: 1, text: "\t\\x1b[2J\ta\\x07\\x0c\\x7f\\u{9b}", escaped: true},
		{line: 2, text: "if (user\\u{202e}) // \\u{200b}", escaped: true},
		{line: 3, text: "\tputs(\"\\x1b[0m\"); // é 中"}]'
}

@test "what shows nothing is escaped: fillers, joiners, selectors, tags" {
	# soft hyphen, U+034F, Hangul filler, variation selectors 16 and 17, U+FFFB
	printf 'is\xc2\xadadmin is\xcd\x8fadmin is\xe3\x85\xa4admin\n' >"$ws/b.c"
	printf 'a\xef\xb8\x8f b\xf3\xa0\x84\x80 c\xef\xbf\xbb\n' >>"$ws/b.c"
	run_ok source_of b.c 1
	shows '.lines == [
		{line: 1, text: "is\\u{ad}admin is\\u{34f}admin is\\u{3164}admin", escaped: true},
		{line: 2, text: "a\\u{fe0f} b\\u{e0100} c\\u{fffb}", escaped: true}]'
}

@test "bytes that are no UTF-8, and NUL: replaced, and counted by line" {
	printf 'caf\xe9\nfine\n\0\xff\xef\xbf\xbd\n' >"$ws/b.c"
	run_ok source_of b.c 1
	shows '.lines == [{line: 1, text: "caf\ufffd", replaced: 1}, {line: 2, text: "fine"},
		{line: 3, text: "\ufffd\ufffd\ufffd", replaced: 2}]'
}

@test "a binary file is shown as what it is, and in bounds" {
	run_ok pl-source --file "$(basename "$PL_BIN/pl-source")" --line 1 --workspace "$PL_BIN"
	shows '.lines[0].text | startswith("\\x7fELF")'
	of context '.lines[0].escaped and .lines[0].replaced > 0'
}

@test "a huge line is cut, and marked, and never inside a character" {
	{
		printf 'a\n'
		head -c 5000000 /dev/zero | tr '\0' x
		printf '\nb\n'
	} >"$ws/b.c"
	run_ok source_of b.c 2
	shows '[.lines[].line] == [1, 2, 3] and (.lines[1] | .cut and (.text | length == 16384))
		and .lines[0] == {line: 1, text: "a"} and .lines[2] == {line: 3, text: "b"}'
	# 16 bytes are just enough, or end in the middle of the last character
	printf '0123456789abcdef\n0123456789abcd\xc3\xa9\n0123456789abcde\xc3\xa9\n' >"$ws/b.c"
	printf '0123456789abc\xf0\x9f\x98\x80\n0123456789abcde\xff\xff\n' >>"$ws/b.c"
	run_ok source_of b.c 1 --max-line-bytes 16
	shows '[.lines[] | [.text, .cut, .replaced]] == [["0123456789abcdef", null, null],
		["0123456789abcdé", null, null], ["0123456789abcde", true, null],
		["0123456789abc", true, null], ["0123456789abcde", true, null]]'
	of header '.producer.options == {max_line_bytes: 16}'
}

@test "limits of input and output" {
	local size
	size=$(wc -c <"$ws/src/a.c")
	run_ok source_of src/a.c 1 --max-input-bytes "$size"
	run_fail 4 RESOURCE_LIMIT_EXCEEDED source_of src/a.c 1 --max-input-bytes $((size - 1))
	run_ok source_of src/a.c 30
	size=$(wc -c <"$out")
	run_ok source_of src/a.c 30 --max-output-bytes "$size"
	echo old >"$top/output"
	run_fail 4 RESOURCE_LIMIT_EXCEEDED source_of src/a.c 30 --max-output-bytes $((size - 1)) \
		--output "$top/output"
	run_fail 4 RESOURCE_LIMIT_EXCEEDED source_of src/a.c 30 --max-output-bytes 16 \
		--output "$top/output"
	[ "$(cat "$top/output")" = old ]
	[ ! -s "$out" ]
}

@test "what is no text that can be shown by its lines is refused" {
	printf '\xff\xfei\0n\0t\0\n\0' >"$ws/b.c"
	run_fail 3 UNSUPPORTED_FORMAT source_of b.c 1
	printf 'int x;\n' | gzip >"$ws/b.c"
	run_fail 3 UNSUPPORTED_FORMAT source_of b.c 1
	[ "$(jq -r .file "$err")" = b.c ]
}

@test "golden" {
	printf '/* caf\xe9 */\r\n\tint x; /* \x1b[31m */\r\n' >"$ws/src/golden.c"
	printf '// \xe2\x80\xae user\n//%0400d\nlast' 7 >>"$ws/src/golden.c"
	golden two-ends.source.ndjson source_of ./src//golden.c 2 --max-line-bytes 100
	stream_ok "$out"
}

@test "the example in schemas/ is what is written for it" {
	run_ok pl-source --file two-lines.folded --line 2 --workspace schemas/examples --before 1
	same schemas/examples/two-lines.source.ndjson "$out"
	for file in schemas/examples/*.source.ndjson; do
		expect_exit 0 pl-verify "$file"
		holds 'map(select(.name == "digest").status) == ["passed"]'
	done
}

@test "perflens source-context is pl-source" {
	run_ok source_of src/a.c 42 --before 3
	mv "$out" "$top/want"
	run_ok perflens source-context --file src/a.c --line 42 --workspace "$ws" --before 3 \
		--output "$top/below/got"
	same "$top/want" "$top/below/got"
	expect_exit 5 perflens source-context --file ../outside --line 1 --workspace "$ws"
	expect_exit 2 perflens source-context --file src/a.c --line 99 --workspace "$ws"
}

# ---- where it is looked for ----

@test "below the workspace: relative, absolute, by links that stay inside" {
	ln -s ws "$top/link"
	ln -s a.c "$ws/src/link.c"
	ln -s "$ws/src" "$ws/absolute"
	run_ok source_of src/a.c 42
	mv "$out" "$top/want"
	for file in "$ws/src/a.c" ./src/a.c src//a.c; do
		run_ok source_of "$file" 42
		same "$top/want" "$out"
	done
	for file in "$ws/src/a.c" "$top/link/src/a.c" src/a.c; do
		run_ok pl-source --file "$file" --line 42 --workspace "$top/link"
		same "$top/want" "$out"
	done
	run_ok env -C "$ws" pl-source --file src/a.c --line 42 --workspace .
	same "$top/want" "$out"
	run_ok env -C "$ws/src" pl-source --file src/a.c --line 42 --workspace ..
	same "$top/want" "$out"
	run_ok source_of src/link.c 42
	of context '.file == "src/link.c" and .lines[20].text == "line 42"'
	run_ok source_of absolute/a.c 42
	of context '.file == "absolute/a.c" and .lines[20].text == "line 42"'
}

@test "outside the workspace: .., absolute, by links" {
	mkdir "$top/ws-other"
	cp "$top/outside" "$top/ws-other/a.c"
	ln -s ../outside "$ws/link"
	ln -s ../none "$ws/link-to-nothing"
	ln -s "$top/outside" "$ws/absolute"
	ln -s .. "$ws/up"
	ln -s /proc/self/root "$ws/root"
	ln -s loop "$ws/loop"
	ln -s / "$ws/top"
	ln -s ws "$top/ws-link"
	ln -s ../ws/src "$ws/back"
	for file in ../outside src/../../outside ../none ../ws/src/a.c link link-to-nothing absolute \
		up/outside "root$top/outside" loop "$top/outside" "$ws/../outside" /etc/passwd \
		"top$ws/src/a.c" "top/root/..$ws/src/a.c" "top/none/..$ws/src/a.c" "top$top/none" \
		"$top/ws-link/src/a.c" back/a.c /no/such/file "$top/ws-other/a.c" "/proc/self/root$top/outside"; do
		outside "$file"
	done
	outside root/etc/passwd /proc/self
	# the same words, whether something is there or not
	outside ../outside
	sed 's/outside/none/g; s/"error_id":"[^"]*"//' "$err" >"$top/there"
	outside ../none
	sed 's/"error_id":"[^"]*"//' "$err" | diff "$top/there" -
	outside "top/root/..$ws/src/a.c"
	sed 's/top.root/top\/none/g; s/"error_id":"[^"]*"//' "$err" >"$top/there"
	outside "top/none/..$ws/src/a.c"
	sed 's/"error_id":"[^"]*"//' "$err" | diff "$top/there" -
}

@test "what is not there, or no regular file, and is not waited for" {
	mkfifo "$ws/fifo"
	for file in none src src/ . "$ws" fifo src/a.c/b; do
		run_fail 2 INVALID_INPUT source_of "$file" 1
		[ ! -s "$out" ]
	done
	run_fail 2 INVALID_INPUT pl-source --file null --line 1 --workspace /dev
	for folder in "$top/none" "$top/outside" ''; do
		run_fail 2 INVALID_INPUT pl-source --file a.c --line 1 --workspace "$folder"
	done
}

@test "usage: three options are needed, and nothing else is read" {
	run_fail 2 INVALID_INPUT pl-source --line 1 --workspace "$ws"
	[[ $(jq -r .message "$err") == *--file* ]]
	run_fail 2 INVALID_INPUT pl-source --file src/a.c --workspace "$ws"
	[[ $(jq -r .message "$err") == *--line* ]]
	run_fail 2 INVALID_INPUT pl-source --file src/a.c --line 1
	[[ $(jq -r .message "$err") == *--workspace* ]]
	run_fail 2 INVALID_INPUT source_of '' 1
	for line in 0 -1 x 1.5; do
		run_fail 2 INVALID_INPUT source_of src/a.c "$line"
	done
	run_fail 2 INVALID_INPUT source_of src/a.c 1 operand
	run_fail 2 INVALID_INPUT source_of src/a.c 1 --input "$ws/src/a.c"
}

@test "--output: the same bytes, and never over the source" {
	run_ok source_of src/a.c 7
	mv "$out" "$top/want"
	run_ok source_of src/a.c 7 --output "$top/got"
	same "$top/want" "$top/got"
	ln "$ws/src/a.c" "$top/hard-link"
	cp "$ws/src/a.c" "$top/copy"
	for file in "$ws/src/a.c" "$top/hard-link" "$ws/src"; do
		run_fail 5 PATH_SAFETY_VIOLATION source_of src/a.c 7 --output "$file"
	done
	same "$top/copy" "$ws/src/a.c"
	[ "$(ls -A "$ws/src")" = a.c ]
}

@test "pl-source keeps the contract of every program" {
	local contract
	cp "$ws/src/a.c" "$top/a.c"
	for contract in help version bad_option directory full closed_stdout json_errors; do
		"contract_$contract" pl-source "$top/a.c" --line 7 --workspace / --file
	done
}
