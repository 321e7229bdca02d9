#!/usr/bin/env bats
#
# pl-expand: samples with their frames in them, and folded stacks.
#
# shellcheck disable=SC2030,SC2031 # each test is a subshell
# shellcheck disable=SC2154 # out and err are the helper's

load helper

header='{"type":"header","schema":"perflens.samples","version":"1.0","producer":{"program":"pl-script-parse","version":"0.1.0","options":{}},"inputs":[{"format":"perf-script"}]}'
end='"malformed":0,"skipped":0,"replaced":0,"diagnostics":{},"inputs":[{"bytes":9,"sha256":"eca07ab4ee0a8dc651eee5525be49a1738c3d36be47bd04c90ce07a1fa83b1bf","lines":2}]}'

# Every member that a module, a frame and a sample may have, some out of the canonical order.
setup() {
	in=$BATS_TEST_TMPDIR/samples
	cat >"$in" <<-END
		$header
		{"type":"event","id":0,"name":"cycles","unit":"cycles","weight_source":"period","source":"hardware"}
		{"type":"module","id":0,"dso":"/lib/libc.so.6","build_id":"ab12","kind":"user","symbols":"dynamic","reason":"STRIPPED"}
		{"type":"module","id":1,"dso":"[kernel.kallsyms]"}
		{"type":"frame","id":0,"symbol":"main","module":null}
		{"symbol":"f","id":1,"suspect":"FP","kind":"jit","inlined":true,"inlines":[{"symbol":"g","raw":"g.part.0","source":{"file":"g.c","line":3}}],"source":{"file":"a \"b\".c","line":7,"column":2},"pid":-1,"return":true,"offset":"0x1f","raw":"f.isra.0","module":0,"type":"frame","newer":{"x":[1]}}
		{"type":"frame","id":2,"symbol":"do_syscall_64","module":1,"kind":"kernel"}
		{"type":"sample","event":0,"weight":18446744073709551614,"stack":[0,1,2]}
		{"type":"lost","count":1}
		{"cut":"TRUNCATED","payload":"p","mode":"kernel","time":123,"cpu":2,"comm":"a\u0001b","tid":8,"pid":7,"stack":[1,1],"weight":1,"event":0,"type":"sample","newer":true}
		{"type":"sample","event":0,"weight":0,"stack":[]}
		{"type":"end","samples":3,"events":[{"id":0,"samples":3,"weight":18446744073709551615}],"modules":2,"frames":3,"lost":1,"records":3,$end
	END
}

@test "each sample carries its frames, in canonical order" {
	local f='{"symbol":"f","dso":"/lib/libc.so.6","raw":"f.isra.0","offset":"0x1f","return":true,"pid":-1,"source":{"file":"a \"b\".c","line":7,"column":2},"inlines":[{"symbol":"g","raw":"g.part.0","source":{"file":"g.c","line":3}}],"inlined":true,"kind":"jit","suspect":"FP","newer":{"x":[1]},"build_id":"ab12","module_kind":"user","symbols":"dynamic","module_reason":"STRIPPED"}'
	local k='{"symbol":"do_syscall_64","dso":"[kernel.kallsyms]","kind":"kernel"}'
	cat >"$BATS_TEST_TMPDIR/want" <<-END
		{"type":"header","schema":"perflens.samples","version":"1.0","producer":{"program":"pl-expand","version":"0.1.0","options":{}},"inputs":[{"schema":"perflens.samples","producer":{"program":"pl-script-parse","version":"0.1.0","options":{}},"inputs":[{"format":"perf-script"}]}]}
		{"type":"event","id":0,"name":"cycles","unit":"cycles","weight_source":"period","source":"hardware"}
		{"type":"sample","event":0,"weight":18446744073709551614,"frames":[{"symbol":"main","dso":null},$f,$k]}
		{"type":"lost","count":1}
		{"type":"sample","event":0,"weight":1,"frames":[$f,$f],"pid":7,"tid":8,"comm":"a\u0001b","cpu":2,"time":123,"mode":"kernel","payload":"p","cut":"TRUNCATED","newer":true}
		{"type":"sample","event":0,"weight":0,"frames":[]}
		{"type":"end","samples":3,"events":[{"id":0,"samples":3,"weight":18446744073709551615}],"modules":0,"frames":0,"lost":1,"records":3,$end
	END
	run_ok pl-expand "$in"
	same "$BATS_TEST_TMPDIR/want" "$out"
}

@test "what is expanded already stays as it is" {
	pl-expand "$in" >"$BATS_TEST_TMPDIR/once"
	run_ok pl-expand "$BATS_TEST_TMPDIR/once"
	same <(tail -n +2 "$BATS_TEST_TMPDIR/once") <(tail -n +2 "$out")
}

@test "the schema knows what is written" {
	run_ok pl-expand schemas/examples/two-lines.samples.ndjson
	stream_ok "$out"
}

@test "folded: what was parsed comes back" {
	run_ok pl-expand --folded schemas/examples/two-lines.samples.ndjson
	same schemas/examples/two-lines.folded "$out"
}

# A few hundred stacks with everything that a frame may hold, made by awk.
@test "folded after parsing after folding gives the same lines, and keeps every weight" {
	local folded=$BATS_TEST_TMPDIR/folded
	awk 'BEGIN {
		split("main|operator new(unsigned long)|std::map<int, char>::find|a->b|x \"y\" 12|_[k] z|é中|[unknown]|0x1f|--|#include|f_[k]|g_[j]|h_[i]|a:b", name, "|")
		srand(7)
		for (i = 0; i < 400; i++) {
			depth = 1 + int(rand() * 12)
			line = name[1 + int(rand() * 10)]
			for (d = 1; d < depth; d++)
				line = line ";" name[1 + int(rand() * 15)]
			print line, 1 + int(rand() * 1000000)
		}
		print "max 18446744073000000000"
	}' >"$folded"
	pl-fold-parse "$folded" >"$BATS_TEST_TMPDIR/parsed"
	run_ok pl-expand --folded "$BATS_TEST_TMPDIR/parsed"
	same "$folded" "$out"
	pl-expand "$BATS_TEST_TMPDIR/parsed" >"$BATS_TEST_TMPDIR/expanded"
	run_ok pl-expand --folded "$BATS_TEST_TMPDIR/expanded"
	same "$folded" "$out"
}

# names FILE NAME…: a stream of one sample a name, each with the weight 2.
names() {
	local file=$1 id=0 name
	shift
	{
		echo "$header"
		echo '{"type":"event","id":0,"name":"cycles","unit":"cycles","weight_source":"period","source":"hardware"}'
		for name in "$@"; do
			echo "{\"type\":\"frame\",\"id\":$id,\"symbol\":\"$name\",\"module\":null}"
			echo "{\"type\":\"sample\",\"event\":0,\"weight\":2,\"stack\":[$id,$id]}"
			id=$((id + 1))
		done
		echo "{\"type\":\"end\",\"samples\":$id,\"events\":[{\"id\":0,\"samples\":$id,\"weight\":$((2 * id))}],\"modules\":0,\"frames\":$id,\"lost\":0,\"records\":$id,$end"
	} >"$file"
}

@test "folded: names that the format cannot hold are altered and counted" {
	names "$in" 'a;b' 'a\nb\rc' ' lead' 'tail\t' '' '  ' 'ok name'
	expect_exit 0 pl-expand --folded "$in"
	printf '%s 2\n' 'a:b;a:b' 'a b c;a b c' 'lead;lead' 'tail;tail' 'unknown;unknown' \
		'unknown;unknown' 'ok name;ok name' >"$BATS_TEST_TMPDIR/want"
	same "$BATS_TEST_TMPDIR/want" "$out"
	grep -q '^pl-expand: 6 names' "$err"
	run_ok pl-expand --folded --quiet "$in"
	# as many samples and as much weight when it is read again
	pl-fold-parse "$out" | tail -n 1 | jq -e '.samples == 7 and .events[0].weight == 14'
}

@test "folded: a name that would make the line a comment" {
	names "$in" '#define' x
	expect_exit 0 pl-expand --folded "$in"
	printf '%s 2\n' ':define;#define' 'x;x' >"$BATS_TEST_TMPDIR/want"
	same "$BATS_TEST_TMPDIR/want" "$out"
	grep -q '^pl-expand: 1 lines .*comments' "$err"
}

# deep FRAMES [INLINES]: one sample of that many frames of one name of 1 MiB, with that many inlined functions
# of such names in each.
deep() {
	local name inlines=''
	name=$(head -c 1M /dev/zero | tr '\0' f)
	for ((i = 0; i < ${2:-0}; i++)); do
		inlines+=",{\"symbol\":\"$name\"}"
	done
	[ -z "$inlines" ] || inlines=",\"inlines\":[${inlines:1}]"
	echo "$header"
	echo '{"type":"event","id":0,"name":"cycles","unit":"cycles","weight_source":"period","source":"hardware"}'
	echo "{\"type\":\"frame\",\"id\":0,\"symbol\":\"$name\",\"module\":null$inlines}"
	echo "{\"type\":\"sample\",\"event\":0,\"weight\":2,\"stack\":[$(seq -s , "$1" | sed 's/[0-9]\+/0/g')]}"
	echo "{\"type\":\"end\",\"samples\":1,\"events\":[{\"id\":0,\"samples\":1,\"weight\":2}],\"modules\":0,\"frames\":1,\"lost\":0,\"records\":1,$end"
}

@test "a line that no reader would take is a limit" {
	local form
	deep 15 >"$in"
	run_ok pl-expand "$in"
	pl-expand "$out" | tail -n 1 | jq -e '.samples == 1'
	run_ok pl-expand --folded "$in"
	[ "$(wc -c <"$out")" = $((15 * (1 << 20) + 14 + 3)) ]
	for form in "" --folded; do
		deep 40 >"$in"
		# shellcheck disable=SC2086 # no option is no word
		run_fail 4 RESOURCE_LIMIT_EXCEEDED pl-expand $form -o "$BATS_TEST_TMPDIR/none" "$in"
		jq -e '.line == 4 and (.message | test("40 frames.* 16777216 bytes")) and
			(.suggested_actions[0] | test("--max-stack-depth"))' "$err"
		[ ! -e "$BATS_TEST_TMPDIR/none" ]
		deep 4 5 >"$in"
		# shellcheck disable=SC2086
		run_fail 4 RESOURCE_LIMIT_EXCEEDED pl-expand $form "$in"
	done
}

@test "a module's long name is kept once" {
	local dso i
	dso=$(head -c 1M /dev/zero | tr '\0' d)
	{
		echo "$header"
		echo '{"type":"event","id":0,"name":"cycles","unit":"cycles","weight_source":"period","source":"hardware"}'
		echo "{\"type\":\"module\",\"id\":0,\"dso\":\"$dso\",\"kind\":\"user\"}"
		for ((i = 0; i < 300; i++)); do
			echo "{\"type\":\"frame\",\"id\":$i,\"symbol\":\"f\",\"module\":0,\"offset\":\"0x$i\"}"
		done
		echo '{"type":"sample","event":0,"weight":2,"stack":[299]}'
		echo "{\"type\":\"end\",\"samples\":1,\"events\":[{\"id\":0,\"samples\":1,\"weight\":2}],\"modules\":1,\"frames\":300,\"lost\":0,\"records\":1,$end"
	} >"$in"
	(
		case $PL_FLAVOUR in asan) ;; *) ulimit -v 200000 ;; esac
		pl-expand "$in"
	) | grep '"sample"' | tr -s d | sed 's/"d"/"D"/' >"$BATS_TEST_TMPDIR/got"
	[ "$(cat "$BATS_TEST_TMPDIR/got")" = '{"type":"sample","event":0,"weight":2,"frames":[{"symbol":"f","dso":"D","offset":"0x299","module_kind":"user"}]}' ] ||
		fail "$(head -c 300 "$BATS_TEST_TMPDIR/got")"
}

@test "folded: a byte order mark that would be the file's" {
	names "$in" '\ufefff' '\ufeffg'
	expect_exit 0 pl-expand --folded "$in"
	printf '\ufffdf;\ufefff 2\n\ufeffg;\ufeffg 2\n' >"$BATS_TEST_TMPDIR/want"
	same "$BATS_TEST_TMPDIR/want" "$out"
	grep -q '^pl-expand: 1 names .*byte order mark' "$err"
	pl-fold-parse "$out" | pl-expand --folded >"$BATS_TEST_TMPDIR/again"
	same "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/again"
}

@test "folded: the spelling before normalisation, and inlined functions as frames" {
	sed -i '/"type":"lost"/d; s/"lost":1/"lost":0/' "$in"
	expect_exit 0 pl-expand --folded "$in"
	printf '%s\n' 'main;f.isra.0;g.part.0;do_syscall_64 18446744073709551614' \
		'f.isra.0;g.part.0;f.isra.0;g.part.0 1' >"$BATS_TEST_TMPDIR/want"
	same "$BATS_TEST_TMPDIR/want" "$out"
	pl-expand "$in" | pl-expand --folded --quiet >"$BATS_TEST_TMPDIR/got"
	same "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/got"
}

@test "folded: samples of weight 0 and without a stack are counted" {
	{
		echo "$header"
		echo '{"type":"event","id":0,"name":"e","unit":"u","weight_source":"count","source":"unknown"}'
		echo '{"type":"frame","id":0,"symbol":"f","module":null}'
		echo '{"type":"sample","event":0,"weight":0,"stack":[0]}'
		echo '{"type":"sample","event":0,"weight":5,"stack":[]}'
		echo '{"type":"sample","event":0,"weight":6,"stack":[]}'
		echo '{"type":"sample","event":0,"weight":7,"stack":[0]}'
		echo "{\"type\":\"end\",\"samples\":4,\"events\":[{\"id\":0,\"samples\":4,\"weight\":18}],\"modules\":0,\"frames\":1,\"lost\":0,\"records\":4,$end"
	} >"$in"
	expect_exit 0 pl-expand --folded "$in"
	[ "$(cat "$out")" = 'f 7' ]
	grep -q '^pl-expand: 1 samples of weight 0 ' "$err"
	grep -q '^pl-expand: 2 samples without a stack .* 11$' "$err"
}

# two_events NAME NAME: one sample of each.
two_events() {
	echo "$header"
	echo "{\"type\":\"event\",\"id\":0,\"name\":\"$1\",\"unit\":\"cycles\",\"weight_source\":\"period\",\"source\":\"hardware\"}"
	echo "{\"type\":\"event\",\"id\":1,\"name\":\"$2\",\"unit\":\"events\",\"weight_source\":\"count\",\"source\":\"software\"}"
	echo '{"type":"frame","id":0,"symbol":"f","module":null}'
	echo '{"type":"sample","event":0,"weight":3,"stack":[0]}'
	echo '{"type":"sample","event":1,"weight":4,"stack":[0,0]}'
	echo "{\"type\":\"end\",\"samples\":2,\"events\":[{\"id\":0,\"samples\":1,\"weight\":3},{\"id\":1,\"samples\":1,\"weight\":4}],\"modules\":0,\"frames\":1,\"lost\":0,\"records\":2,$end"
}

@test "folded: several events want --event" {
	two_events cycles page-faults >"$in"
	expect_exit 2 pl-expand --folded "$in"
	grep -q "'cycles' (cycles), 'page-faults' (events)" "$err"
	grep -q -e '--event' "$err"
	run_ok pl-expand --folded --event page-faults "$in"
	[ "$(cat "$out")" = 'f;f 4' ]
	run_ok pl-expand --folded --event cycles "$in"
	[ "$(cat "$out")" = 'f 3' ]
	expect_exit 2 pl-expand --folded --event cycle "$in"
	grep -q "'page-faults'" "$err"
	# an event without samples is none of several
	pl-select --event cycles "$in" >"$BATS_TEST_TMPDIR/one"
	run_ok pl-expand --folded "$BATS_TEST_TMPDIR/one"
	[ "$(cat "$out")" = 'f 3' ]
}

@test "folded: two events of one name cannot be told apart" {
	two_events cycles cycles >"$in"
	expect_exit 2 pl-expand --folded --event cycles "$in"
	grep -q "'cycles' (cycles), 'cycles' (events)" "$err"
}

@test "--event without --folded is a usage error" {
	expect_exit 2 pl-expand --event cycles "$in"
	grep -q 'pl-select' "$err"
}

@test "pl-expand keeps the contract of every program" {
	program_contract pl-expand schemas/examples/two-lines.samples.ndjson
	program_contract pl-expand schemas/examples/two-lines.samples.ndjson --folded
}

@test "pl-expand keeps the contract of readers of streams" {
	stream_contract pl-expand schemas/examples/two-lines.samples.ndjson
	stream_contract pl-expand schemas/examples/two-lines.samples.ndjson --folded
}
