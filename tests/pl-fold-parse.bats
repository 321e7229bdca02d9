#!/usr/bin/env bats
#
# pl-fold-parse: each fact of the format, what is refused and how, the stream that is written.
#
# shellcheck disable=SC2154 # out and err are the helper's

load helper
load records

example=schemas/examples/two-lines.folded

setup() {
	in=$BATS_TEST_TMPDIR/in.folded
}

# parse [OPTION…] -- LINE…: the lines go through pl-fold-parse; the stream is in $out.
parse() {
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	printf '%s\n' "$@" >"$in"
	run_ok pl-fold-parse --quiet "${options[@]}" "$in"
}

# stacks: the samples of $out as "SYMBOL|SYMBOL=WEIGHT", one a line.
stacks() {
	jq -rn 'foreach inputs as $r ({}; if $r.type == "frame" then .f[$r.id | tostring] = $r.symbol
		else . end; if $r.type == "sample" then
			. as $s | ([$r.stack[] | $s.f[tostring]] | join("|")) + "=" + ($r.weight | tostring)
		else empty end)' "$out"
}

# reads [OPTION…] -- LINE STACK…: each LINE is one sample, which `stacks` shows as STACK.
reads() {
	local options=() lines=() wanted=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	while [ $# -gt 0 ]; do
		lines+=("$1")
		wanted+=("$2")
		shift 2
	done
	parse "${options[@]}" -- "${lines[@]}"
	stream_ok "$out"
	[ "$(stacks)" = "$(printf '%s\n' "${wanted[@]}")" ] || fail "$(stacks)"
	of end '[.malformed, .skipped] == [0, 0]'
}

# refuses CODE LINE…: each of the lines is malformed, with that code; those around them are read.
refuses() {
	local code=$1
	shift
	parse -- 'fine;first 1' "$@" 'fine;last 2'
	stream_ok "$out"
	jq -en --arg code "$code" '[inputs | select(.type == "diagnostic")]
		| length == ($ARGS.positional | length)
		and (to_entries | all(.value.line == .key + 2 and .value.code == $code
			and .value.input == 0))' --args "$@" <"$out" >/dev/null ||
		fail "$(grep '"type":"diagnostic"' "$out")"
	of end "[.samples, .records, .malformed, .skipped, .diagnostics]
		== [2, $#+2, $#, 0, {$code: $#}]"
	[ "$(stacks)" = $'fine|first=1\nfine|last=2' ] || fail "$(stacks)"
}

# frames FILTER: the frames of $out, in order, without type and id, are that list.
frames() {
	jq -en "[inputs | select(.type == \"frame\") | del(.type, .id)] == $1" "$out" >/dev/null ||
		fail "frames are not $1" "$(grep '"type":"frame"' "$out")"
}

@test "pl-fold-parse keeps the contract of every program" {
	program_contract pl-fold-parse $example
}

@test "the example comes out byte for byte: FILE, --input, stdin, gzip apart from its digests" {
	local want=schemas/examples/two-lines.samples.ndjson
	run_ok pl-fold-parse --quiet $example
	same $want "$out"
	run_ok pl-fold-parse --quiet --input $example
	same $want "$out"
	run_ok pl-fold-parse --quiet <$example
	same $want "$out"
	gzip -c $example >"$in"
	run_ok pl-fold-parse --quiet "$in"
	sed '$s/,"packed_bytes":[0-9]*,"packed_sha256":"[0-9a-f]*"//' "$out" >"$BATS_TEST_TMPDIR/got"
	same $want "$BATS_TEST_TMPDIR/got"
}

@test "the same bytes in every run, place and language" {
	local file=$ROOT/$example
	run_ok pl-fold-parse --quiet $example
	mv "$out" "$BATS_TEST_TMPDIR/first"
	cp "$file" "$in"
	cd "$BATS_TEST_TMPDIR"
	TZ=Asia/Tokyo LC_ALL=C LANGUAGE=zh_CN HOME=/ run_ok pl-fold-parse --quiet ./in.folded
	same "$BATS_TEST_TMPDIR/first" "$out"
}

@test "a file with some of everything" {
	golden all-kinds.samples.ndjson pl-fold-parse --quiet --event-name walk tests/data/all-kinds.folded
}

# ---- weights ----

@test "the weight is the last blank-separated word; blanks around and between do not matter" {
	reads -- 'a;b 3' 'a|b=3' $'a;b\t3' 'a|b=3' $'  a;b \t  3 \t' 'a|b=3' 'a b;c d 4' 'a b|c d=4'
}

@test "frames hold blanks, digits at their end, quotes, parentheses, arrows, templates" {
	reads -- \
		'std::vector<int, std::allocator<int> >::push_back(int const&);f 1' \
		'std::vector<int, std::allocator<int> >::push_back(int const&)|f=1' \
		"say \"hi\" 'ho';operator->;x->y 2" "say \"hi\" 'ho'|operator->|x->y=2" \
		'thread 17;fn 42 5' 'thread 17|fn 42=5' \
		'(anonymous namespace)::f;{lambda()#1};[unknown];a[3];C:\x 6' \
		'(anonymous namespace)::f|{lambda()#1}|[unknown]|a[3]|C:\x=6' \
		'été;名前;# no comment;1 7' 'été|名前|# no comment|1=7'
}

@test "the split at ; is plain: the format has no escape" {
	reads -- 'a\;b;"c;d" 1' 'a\|b|"c|d"=1'
}

@test "frames are trimmed at both ends, which makes no raw" {
	parse -- $' a ;\tb  c\t; d 3'
	[ "$(stacks)" = 'a|b  c|d=3' ]
	frames '[{symbol: "a", module: null}, {symbol: "b  c", module: null},
		{symbol: "d", module: null}]'
}

@test "positive integers to 2^64-1" {
	parse -- 'a 1' 'b 18446744073709551614'
	grep -q '^{"type":"sample","event":0,"weight":18446744073709551614,"stack":\[1\]}$' "$out"
	grep -q '"events":\[{"id":0,"samples":2,"weight":18446744073709551615}\]' "$out"
	parse -- 'a 18446744073709551615' 'x'
	grep -q '"weight":18446744073709551615,' "$out"
	reads -- 'a 007' 'a=7'
}

@test "bigger ones: WEIGHT_OVERFLOW" {
	refuses WEIGHT_OVERFLOW 'a 18446744073709551616' 'a 99999999999999999999' \
		'a 184467440737095516150000000000000000000000000'
}

@test "zero, negative, hexadecimal, exponents, signs, underscores: INVALID_WEIGHT" {
	refuses INVALID_WEIGHT 'a 0' 'a 00' 'a -1' 'a -0' 'a 0x10' 'a 1e3' 'a +7' 'a 1_000' \
		'a 1,000' 'a 7s' 'a NaN' 'a inf' 'a ٣' 'a .' 'a 1.' 'a .5' 'a 1.2.3' 'a 1.-5' 'a b'
}

@test "no weight: MISSING_WEIGHT" {
	refuses MISSING_WEIGHT 'a' 'main;worker;parse' '17' ';' $'\ta;b '
}

@test "decimals want --scale: INVALID_WEIGHT, and the message names the option" {
	refuses INVALID_WEIGHT 'a 12.5' 'a 0.000001' 'a 5.0' 'a 0.0'
	[ "$(grep -c '"type":"diagnostic".*"message":"[^"]*--scale' "$out")" = 4 ]
}

@test "--scale multiplies and requires an integer result" {
	reads --scale 1000000 -- 'a 12.5' 'a=12500000' 'b 0.000001' 'b=1' 'c 3' 'c=3000000' \
		'd 2.50000000000000000000' 'd=2500000'
	of header '.producer.options == {scale: 1000000}'
	parse --scale 10 -- 'a 12.5' 'b 0.05' 'c 0.0' 'd 0' 'e 1844674407370955161.6' 'f 0.01'
	[ "$(stacks)" = 'a=125' ]
	jq -se '[.[] | select(.type == "diagnostic") | [.line, .code]] == [[2, "INVALID_WEIGHT"],
		[3, "INVALID_WEIGHT"], [4, "INVALID_WEIGHT"], [5, "WEIGHT_OVERFLOW"],
		[6, "INVALID_WEIGHT"]]' "$out"
	parse --scale 10 -- 'e 1844674407370955161.5'
	grep -q '"weight":18446744073709551615,' "$out"
	expect_exit 2 pl-fold-parse --scale 0 "$in"
	expect_exit 2 pl-fold-parse --scale 1.5 "$in"
}

@test "weights that add up to more than 2^64-1: exit 4, WEIGHT_OVERFLOW, at that line" {
	printf 'a 18446744073709551615\n\nb 1\n' >"$in"
	run_fail 4 WEIGHT_OVERFLOW pl-fold-parse "$in"
	[ "$(jq -r '.file + ":" + (.line | tostring)' "$err")" = "$in:3" ]
	[ ! -s "$out" ]
}

# ---- two columns ----

@test "two numeric columns in every line: exit 3 with advice, and no end record" {
	printf '# a comment\n\na;b 3 4\na 0 7\nx y 1.5 2\n' >"$in"
	expect_exit 3 pl-fold-parse "$in"
	grep -q -e '--column' "$err"
	! grep '"type":"end"' "$out" || fail "an end record"
	run_fail 3 UNSUPPORTED_FORMAT pl-fold-parse "$in"
	stream_ok "$err"
	expect_exit 3 pl-fold-parse $example "$in" # known at the end of that file
	grep -q "$in" "$err"
	expect_exit 3 pl-fold-parse "$in" $example
}

@test "only some lines have two: they are names" {
	reads -- 'a;b 3 4' 'a|b 3=4' 'c 5' 'c=5' 'd 1 2' 'd 1=2'
	reads -- 'a;b 3 4' 'a|b 3=4' '17 5' '17=5' # a number alone is a stack
}

@test "a line without a weight, such as a cut one, does not make a differential file another" {
	printf 'a;b 3 4\nc' >"$in"
	expect_exit 3 pl-fold-parse "$in"
	grep -q -e '--column before' "$err"
	# its columns may be cut, too: then one line has a single number
	reads -- 'a;b 3 4' 'a|b 3=4' 'c;d 12' 'c|d=12'
}

@test "--column before, after: that one; a stack that the profile lacks is skipped and counted" {
	local before=('a;b 3 4' 'a 0 7' 'c 5 0' 'x y 1 2')
	parse --column before -- "${before[@]}"
	[ "$(stacks)" = $'a|b=3\nc=5\nx y=1' ]
	of header '.producer.options == {column: "before"}'
	of end '[.samples, .records, .malformed, .skipped] == [3, 4, 0, 1]'
	parse --column after -- "${before[@]}"
	[ "$(stacks)" = $'a|b=4\na=7\nx y=2' ]
	of end '[.samples, .records, .malformed, .skipped] == [3, 4, 0, 1]'
	parse --column after --scale 2 -- 'a 1 1.5'
	[ "$(stacks)" = 'a=3' ]
	parse --column before -- 'a 3 4' 'b 5'
	[ "$(stacks)" = 'a=3' ]
	of diagnostic '[.code, .line] == ["MISSING_WEIGHT", 2]'
}

@test "--column none: the first is part of the name" {
	reads --column none -- 'a;b 3 4' 'a|b 3=4' 'a 0 7' 'a 0=7'
	expect_exit 2 pl-fold-parse --column both "$in"
}

# ---- frames ----

@test "empty frames, and frames of blanks: EMPTY_FRAME" {
	refuses EMPTY_FRAME 'a;;b 4' ';a 4' 'a; 4' 'a;b; 4' ';; 4' '; 4' 'a; ;b 4' $'a;\t;b 4' \
		' ;a 4'
	parse -- 'a;b 1' 'a;;b 4' 'a;b; 2' 'a;b;c 3' # also behind what the line before shares
	[ "$(stacks)" = $'a|b=1\na|b|c=3' ]
	of end '.diagnostics == {EMPTY_FRAME: 2}'
}

@test "blank lines and comments are skipped and counted" {
	parse -- '# a;b 3' '' $' \t ' 'a 1' '#' 'b;#c 2'
	[ "$(stacks)" = $'a=1\nb|#c=2' ]
	of end '[.samples, .records, .malformed, .skipped, .diagnostics] == [2, 6, 0, 4, {}]'
}

@test "annotations: raw keeps them, symbol loses them, kind and inlined gain them" {
	parse -- 'u;k_[k];j_[j];i_[i];w_[w] 1'
	stream_ok "$out"
	frames '[{symbol: "u", module: null},
		{symbol: "k", module: null, raw: "k_[k]", kind: "kernel"},
		{symbol: "j", module: null, raw: "j_[j]", kind: "jit"},
		{symbol: "i", module: null, raw: "i_[i]", inlined: true},
		{symbol: "w", module: null, raw: "w_[w]", kind: "waker"}]'
	parse -- 'a_[k]_[i];b _[j] 1'
	frames '[{symbol: "a", module: null, raw: "a_[k]_[i]", inlined: true, kind: "kernel"},
		{symbol: "b", module: null, raw: "b _[j]", kind: "jit"}]'
}

@test "no annotations: other letters, other places, nothing before them" {
	parse -- 'a_[x];b_[k]c;_[k];[k];c_[kk];d_[K] 1'
	frames '[({symbol: ("a_[x]", "b_[k]c", "_[k]", "[k]", "c_[kk]", "d_[K]"), module: null})]'
}

@test "--keep-annotations leaves them in the symbols" {
	parse --keep-annotations -- 'u;k_[k];i_[i] 1'
	frames '[({symbol: ("u", "k_[k]", "i_[i]"), module: null})]'
	of header '.producer.options == {keep_annotations: true}'
}

@test "a frame - or -- between user and kernel stacks stays a frame" {
	reads -- 'a;b;-;k_[k] 1' 'a|b|-|k=1' 'a;--;w_[w] 2' 'a|--|w=2'
}

@test "a frame is its symbol, module, kind and inlined: defined once, before its use, ids dense" {
	parse -- 'f;f_[k] 1' 'f_[k];f_[i];f 2' 'g;f 3'
	stream_ok "$out"
	frames '[{symbol: "f", module: null}, {symbol: "f", module: null, raw: "f_[k]", kind: "kernel"},
		{symbol: "f", module: null, raw: "f_[i]", inlined: true}, {symbol: "g", module: null}]'
	jq -en '[inputs | select(.type == "sample").stack] == [[0, 1], [1, 2, 0], [3, 0]]' "$out"
	jq -en 'reduce inputs as $r ({n: 0, ok: true};
		if $r.type == "frame" then .ok = (.ok and $r.id == .n) | .n += 1
		elif $r.type == "sample" then .ok = (.ok and ($r.stack | max) < .n) else . end) | .ok' "$out"
	of end '[.frames, .modules] == [4, 0]'
	# the event stands before its first sample
	[ "$(jq -r .type "$out" | grep -v frame | head -n 3 | tr '\n' ' ')" = 'header event sample ' ]
}

@test "the DSO is null, whatever frames look like, without --dso-from-frame" {
	parse -- 'libc.so`malloc;f (/lib/x.so) 1'
	frames '[({symbol: ("libc.so`malloc", "f (/lib/x.so)"), module: null})]'
}

@test "--dso-from-frame reads module\`symbol and symbol (module)" {
	parse --dso-from-frame -- 'libc.so.6`malloc;f(int) (/lib/my lib.so);main;g (inlined) 1' \
		'k_[k];operator() (x)_[k];libc.so.6`free 2'
	stream_ok "$out"
	of header '.producer.options == {dso_from_frame: true}'
	jq -en '[inputs | select(.type == "module") | [.id, .dso]] == [[0, "libc.so.6"],
		[1, "/lib/my lib.so"], [2, "inlined"], [3, "x"]]' "$out"
	frames '[{symbol: "malloc", module: 0, raw: "libc.so.6`malloc"},
		{symbol: "f(int)", module: 1, raw: "f(int) (/lib/my lib.so)"},
		{symbol: "main", module: null},
		{symbol: "g", module: 2, raw: "g (inlined)"},
		{symbol: "k", module: null, raw: "k_[k]", kind: "kernel"},
		{symbol: "operator()", module: 3, raw: "operator() (x)_[k]", kind: "kernel"},
		{symbol: "free", module: 0, raw: "libc.so.6`free"}]'
	of end '[.frames, .modules] == [7, 4]'
}

@test "--dso-from-frame: what names no module has none" {
	local same=('f(int)' '`f' 'f`' '(anonymous namespace)' '(x)' 'f ()' 'f (a) const' 'f(a(b)' 'f(x)')
	parse --dso-from-frame -- "$(IFS=';' && echo "${same[*]}") 1"
	frames "$(jq -cn '[$ARGS.positional[] | {symbol: ., module: null}]' --args "${same[@]}")"
}

@test "symbols of which nothing is known are frames like others" {
	reads -- '[unknown];??;0x7f00;unknown 1' '[unknown]|??|0x7f00|unknown=1'
}

# ---- depth and length: see limits.bats ----

# ---- the event ----

@test "the event: unknown, folded_weight, of unknown source, unless --unit and --event-name say more" {
	parse -- 'a 1'
	of event '. == {type: "event", id: 0, name: "unknown", unit: "unknown",
		weight_source: "folded_weight", source: "unknown"}'
	parse --unit nanoseconds --event-name 'off_cpu' -- 'a 1'
	of event '. == {type: "event", id: 0, name: "off_cpu", unit: "nanoseconds",
		weight_source: "folded_weight", source: "unknown"}'
	of header '.producer.options == {unit: "nanoseconds", event_name: "off_cpu"}'
	for unit in samples microseconds bytes; do
		parse --unit $unit -- 'a 1'
		of event ".unit == \"$unit\""
	done
	expect_exit 2 pl-fold-parse --unit parsecs "$in"
	grep -q parsecs "$err"
}

@test "an event's name is text: invalid bytes are replaced, quotes escaped" {
	parse --event-name $'a"\xff\\' -- 'f 1'
	of event '.name == "a\"\ufffd\\"'
	of header '.producer.options.event_name == "a\"\ufffd\\"'
	mv "$out" "$in"
	run_ok pl-aggregate "$in"
}

# ---- the stream ----

@test "options that change the result stand in the header, fatal limits do not" {
	parse --max-line-bytes 64 --max-stack-depth 8 --max-warnings 5 --max-records 10 \
		--max-unique-frames 10 --max-input-bytes 1K --quiet -- 'a 1'
	of header '.producer == {program: "pl-fold-parse", version: .producer.version,
		options: {max_line_bytes: 64, max_stack_depth: 8, max_warnings: 5}}'
	of header '.inputs == [{format: "folded"}]'
	of header '[.schema, .version] == ["perflens.samples", "1.0"]'
}

@test "the end record: counts, bytes, lines and SHA-256 of what was read" {
	printf 'a 1\n\nx\n#\nb 2' >"$in"
	run_ok pl-fold-parse --quiet "$in"
	of end '[.samples, .events, .modules, .frames, .lost, .records, .malformed, .skipped, .replaced]
		== [2, [{id: 0, samples: 2, weight: 3}], 0, 2, 0, 5, 1, 2, 0]'
	of end ".inputs == [{bytes: 12, sha256: \"$(sha256sum <"$in" | cut -c 1-64)\", lines: 5}]"
}

@test "gzip: recognised by content, members joined, both digests" {
	printf 'a 1\nb' >"$BATS_TEST_TMPDIR/plain"
	gzip -c "$BATS_TEST_TMPDIR/plain" >"$in"
	printf ' 2\n' | tee -a "$BATS_TEST_TMPDIR/plain" | gzip >>"$in"
	for form in file stdin; do
		case $form in
		file) run_ok pl-fold-parse --quiet "$in" ;;
		stdin) run_ok pl-fold-parse --quiet < <(cat "$in") ;;
		esac
		[ "$(stacks)" = $'a=1\nb=2' ]
		of end ".inputs == [{bytes: 8,
			sha256: \"$(sha256sum <"$BATS_TEST_TMPDIR/plain" | cut -c 1-64)\", lines: 2,
			packed_bytes: $(wc -c <"$in"), packed_sha256: \"$(sha256sum <"$in" | cut -c 1-64)\"}]"
		stream_ok "$out"
	done
}

@test "gzip: cut off, damaged, or followed by other bytes: exit 3" {
	seq -f 'f%g 1' 500 | gzip >"$BATS_TEST_TMPDIR/whole"
	head -c -5 "$BATS_TEST_TMPDIR/whole" >"$in"
	expect_exit 3 pl-fold-parse "$in"
	grep -q "$in: .*cut off" "$err"
	{ cat "$BATS_TEST_TMPDIR/whole" && echo tail; } >"$in"
	expect_exit 3 pl-fold-parse "$in"
	{ head -c 500 "$BATS_TEST_TMPDIR/whole" && printf '\0\0\0\0' &&
		tail -c +505 "$BATS_TEST_TMPDIR/whole"; } >"$in"
	expect_exit 3 pl-fold-parse "$in"
	! grep '"type":"end"' "$out" || fail "an end record"
}

@test "--no-digest leaves sha256 out, and says so" {
	parse --no-digest -- 'a 1'
	of header '.producer.options == {no_digest: true}'
	of end '.inputs == [{bytes: 4, lines: 1}]'
	stream_ok "$out"
}

@test "several inputs: one event, frames shared, inputs and diagnostics by number" {
	printf 'a;b 1\nx\n' >"$in"
	printf '\nb;a 2\n\nx y\n' >"$BATS_TEST_TMPDIR/second"
	run_ok pl-fold-parse --quiet "$in" "$BATS_TEST_TMPDIR/second" - <<<'a 4'
	stream_ok "$out"
	of header '.inputs == [{format: "folded"}, {format: "folded"}, {format: "folded"}]'
	of end '[.samples, .events, .frames, .records, .malformed, .skipped]
		== [3, [{id: 0, samples: 3, weight: 7}], 2, 7, 2, 2]'
	of end "[.inputs[] | [.bytes, .lines]] == [[8, 2], [12, 4], [4, 1]]"
	jq -en '[inputs | select(.type == "diagnostic") | [.input, .line, .code]]
		== [[0, 2, "MISSING_WEIGHT"], [1, 4, "INVALID_WEIGHT"]]' "$out"
	expect_exit 2 pl-fold-parse "$in" - -
}

@test "canonical JSON: what jq -c writes; only the escapes that JSON demands" {
	parse -- $'q";b\\;c\x01;d\x1f;f/g;h\ti;j\u2028;k<>&;\xf0\x9f\x98\x80 5' 'x'
	jq -c . "$out" >"$BATS_TEST_TMPDIR/jq"
	same "$BATS_TEST_TMPDIR/jq" "$out"
	grep -q '"symbol":"h\\ti"' "$out"
	grep -q '"symbol":"c\\u0001"' "$out"
	grep -q '"symbol":"d\\u001f"' "$out"
	grep -q '"symbol":"q\\""' "$out"
	parse -- $'e\x7f 1' # which jq 1.6 escapes
	grep -q $'"symbol":"e\x7f"' "$out"
}

# ---- what is wrong with bytes ----

@test "each invalid byte and each NUL is one U+FFFD, counted once for each place" {
	printf 'a\xff\xfe;b\0c 1\na\xff\xfe 2\n\xef\xbf\xbd;\xe2\x82 3\n\xed\xa0\x80 4\n# \xff\n' >"$in"
	run_ok pl-fold-parse --quiet "$in"
	stream_ok "$out"
	[ "$(stacks)" = $'a\ufffd\ufffd|b\ufffdc=1\na\ufffd\ufffd=2\n\ufffd|\ufffd\ufffd=3\n\ufffd\ufffd\ufffd=4' ]
	of end '[.replaced, .malformed, .skipped] == [11, 0, 1]'
}

@test "CR LF ends a line, a lone CR does not; the last line needs no end" {
	printf 'a;b 1\r\n\r\nc\rd 2\r\ne 3\r' >"$in"
	run_ok pl-fold-parse --quiet "$in"
	[ "$(stacks)" = $'a|b=1\nc\rd=2' ]
	of end '[.samples, .malformed, .skipped, .inputs[0].lines] == [2, 1, 1, 4]'
	printf 'a 1\nb 2' >"$in"
	run_ok pl-fold-parse --quiet "$in"
	[ "$(stacks)" = $'a=1\nb=2' ]
}

@test "a UTF-8 byte order mark is dropped and noted, before what else is noted" {
	printf '\xef\xbb\xbfa 1\nx\n' >"$in"
	run_ok pl-fold-parse --quiet "$in"
	[ "$(stacks)" = a=1 ]
	jq -en '[inputs | select(.type == "diagnostic") | [.input, .line, .code]]
		== [[0, 1, "BYTE_ORDER_MARK"], [0, 2, "MISSING_WEIGHT"]]' "$out"
	of end '[.malformed, .replaced, .inputs[0].bytes] == [1, 0, 9]'
}

@test "UTF-16 is refused, with the way out" {
	for encoding in UTF-16LE UTF-16BE UTF-16; do
		printf '\ufeffmain;work 3\n' | iconv -f UTF-8 -t $encoding >"$in"
		expect_exit 3 pl-fold-parse "$in"
		grep -q "$in: .*UTF-16.*iconv" "$err"
		[ ! -s "$out" ]
	done
}

@test "recordings and other archives are refused by name" {
	printf 'PERFILE2________' >"$in"
	run_fail 3 UNSUPPORTED_FORMAT pl-fold-parse "$in"
	grep -q perf.data "$err"
	printf '\x28\xb5\x2f\xfd____' >"$in"
	run_fail 3 UNSUPPORTED_FORMAT pl-fold-parse "$in"
	grep -q zstd "$err"
}

@test "diagnostics: the first 100 in input order, all counted; previews of 200 characters" {
	{ seq -f 'bad%g' 150 && echo 'a 1' && echo ';b 2'; } >"$in"
	run_ok pl-fold-parse --quiet "$in"
	stream_ok "$out"
	jq -en '[inputs | select(.type == "diagnostic")] | length == 100
		and (to_entries | all(.value.line == .key + 1 and .value.preview == "bad\(.key + 1)"))' "$out"
	of end '.diagnostics == {EMPTY_FRAME: 1, MISSING_WEIGHT: 150}'
	of end '[.malformed, .records] == [151, 152]'
	run_ok pl-fold-parse --quiet --max-warnings 2 "$in"
	[ "$(grep -c '"type":"diagnostic"' "$out")" = 2 ]
	of end '.diagnostics == {EMPTY_FRAME: 1, MISSING_WEIGHT: 150}'
	run_ok pl-fold-parse --quiet --max-warnings 0 "$in"
	[ "$(grep -c '"type":"diagnostic"' "$out")" = 0 ]
	{ printf '\xc3\xa9%.0s' {1..300} && printf '\na 1\n'; } >"$in"
	run_ok pl-fold-parse --quiet "$in"
	of diagnostic '.preview == ("é" * 200)'
}

# ---- nothing to read ----

@test "no records: a valid empty stream" {
	for text in '' '\n\n' '# only\n#comments\n' '\xef\xbb\xbf'; do
		# shellcheck disable=SC2059 # with its escapes
		printf "$text" >"$in"
		run_ok pl-fold-parse --quiet "$in"
		stream_ok "$out"
		of end '[.samples, .events, .malformed] == [0, [], 0]'
		! grep '"type":"event"' "$out" || fail "an event without samples"
	done
}

@test "all records malformed: the end record is written, then exit 3" {
	printf '# c\na\nb x\n' >"$in"
	expect_exit 3 pl-fold-parse "$in"
	stream_ok "$out"
	of end '[.samples, .malformed, .skipped, .diagnostics]
		== [0, 2, 1, {INVALID_WEIGHT: 1, MISSING_WEIGHT: 1}]'
	grep -q "^pl-fold-parse: $in:2: no line is a folded stack; all 2 records are malformed, the first: the line has one word" "$err"
	run_fail 3 PROFILE_PARSE_FAILED pl-fold-parse "$in"
	run_ok pl-fold-parse --quiet "$in" $example # one sample in any of them is enough
}

# ---- the file under our feet ----

# changed COMMAND…: runs it after the inputs are open and before $in is read; the exit status must
# be 5. Opening a FIFO waits for the other side: when the second one is open, $in is, too.
changed() {
	local status=0
	mkfifo "$BATS_TEST_TMPDIR/first" "$BATS_TEST_TMPDIR/last"
	printf 'main;work 3\n' >"$in"
	touch -d '2020-01-01' "$in"
	pl-fold-parse --output "$BATS_TEST_TMPDIR/output" "$BATS_TEST_TMPDIR/first" "$in" \
		"$BATS_TEST_TMPDIR/last" 2>"$BATS_TEST_TMPDIR/err" &
	exec 7>"$BATS_TEST_TMPDIR/first" 8>"$BATS_TEST_TMPDIR/last"
	"$@"
	exec 7>&- 8>&-
	wait $! || status=$?
	[ "$status" = 5 ] || fail "exit status $status"
	grep -q "^pl-fold-parse: $in: changed while it was read" "$BATS_TEST_TMPDIR/err"
	[ ! -e "$BATS_TEST_TMPDIR/output" ]
}

append() {
	echo 'main 1' >>"$in"
}

overwrite() {
	printf 'M' | dd of="$in" conv=notrunc status=none
}

truncated() {
	truncate -s 5 "$in"
}

@test "a file that grows while it is read: exit 5" {
	changed append
}

@test "a file that is changed in place while it is read: exit 5" {
	changed overwrite
}

@test "a file that is cut while it is read: exit 5" {
	changed truncated
}

@test "people are told on stderr: some malformed lines, an empty input, a stream instead of a profile" {
	printf 'a 1\nb 1.5\n\nc x\n' >"$in"
	expect_exit 0 pl-fold-parse "$in"
	[ "$(cat "$err")" = "pl-fold-parse: 2 of 4 records are malformed, the first at $in:2: the weight has a decimal point; --scale N makes it an integer" ]
	: >"$in"
	expect_exit 0 pl-fold-parse "$in"
	[ "$(cat "$err")" = "pl-fold-parse: $in is empty" ]
	pl-fold-parse $example >"$in"
	expect_exit 3 pl-fold-parse "$in"
	grep -q 'this is a PerfLens stream already' "$err"
}
