#!/usr/bin/env bats
#
# pl-script-parse: what perf script prints, field by field and frame by frame; what is no part of a
# sample; and real recordings, held to what perf itself and awk say of them.
#
# shellcheck disable=SC2154 # out and err are the helper's
# shellcheck disable=SC2016 # names of functions hold dollars

load helper
load records

all=tests/data/all-kinds.script.txt

setup() {
	in=$BATS_TEST_TMPDIR/in.txt
	# also for what `parse` does at the end of a pipe
	out=$BATS_TEST_TMPDIR/out err=$BATS_TEST_TMPDIR/err
}

# parse: stdin goes through pl-script-parse; the stream is in $out.
parse() {
	cat >"$in"
	run_ok pl-script-parse --quiet "$in"
	stream_ok "$out"
}

# samples: those of $out as "EVENT WEIGHT COMM: ROOT|…|LEAF", one a line; "-" is no comm.
samples() {
	jq -rn 'foreach inputs as $r ({};
			if $r.type == "frame" then .f[$r.id | tostring] = $r.symbol
			elif $r.type == "event" then .e[$r.id | tostring] = $r.name else . end;
		if $r.type == "sample" then . as $s |
			"\($s.e[$r.event | tostring]) \($r.weight) " +
			(($r.comm // "-") | gsub("\n"; "\\n")) + ": " +
			([$r.stack[] | $s.f[tostring]] | join("|"))
		else empty end)' "$out"
}

# gives LINE…: these are the samples, and nothing was malformed.
gives() {
	[ "$(samples)" = "$(printf '%s\n' "$@")" ] || fail "$(samples)"
	of end '.malformed == 0'
}

# frames FILTER: the frames of $out, in order, without type and id, are that list.
frames() {
	jq -en "[inputs | select(.type == \"frame\") | del(.type, .id)] == $1" "$out" >/dev/null ||
		fail "frames are not $1" "$(grep '"type":"frame"' "$out")"
}

# codes: the diagnostics of $out, as CODE:LINE
codes() {
	jq -r 'select(.type == "diagnostic") | "\(.code):\(.line)"' "$out" | paste -sd' '
}

# analyse: $out becomes the analysis of what it was.
analyse() {
	mv "$out" "$BATS_TEST_TMPDIR/stream"
	run_ok pl-aggregate "$BATS_TEST_TMPDIR/stream"
}

# one HEADER FRAME…: text of one sample
one() {
	local header=$1
	shift
	printf '%s\n' "$header"
	[ $# = 0 ] || printf '\t%s\n' "$@"
	printf '\n'
}

@test "pl-script-parse keeps the contract of every program" {
	one 'perf  4526 [001]  5.000001:     250000 cpu-clock: ' '55aa burn (/bin/x)' >"$in"
	program_contract pl-script-parse "$in"
}

@test "some of everything, byte for byte" {
	golden all-kinds.script.samples.ndjson pl-script-parse --quiet $all
	stream_ok "$out"
}

# ---- fields ----

@test "every field that the record has is on the sample, and counted" {
	one 'perf   4526/4527    [003] U         5.000001:     250000   cpu-clock: ' \
		'55aa62b8017a burn+0x11 (/bin/x)' | parse
	of sample '. == {type: "sample", event: 0, weight: 250000, stack: [0], pid: 4526, tid: 4527,
		comm: "perf", cpu: 3, time: 5000001000, mode: "user"}'
	of event '. == {type: "event", id: 0, name: "cpu-clock", unit: "nanoseconds",
		weight_source: "period", source: "software"}'
	of module '. == {type: "module", id: 0, dso: "/bin/x", kind: "user"}'
	frames '[{symbol: "burn", module: 0}]'
	of end '.fields == {comm: 1, pid: 1, tid: 1, cpu: 1, misc: 1, time: 1, period: 1, event: 1,
		ip: 1, sym: 1, symoff: 1, dso: 1}'
}

@test "without event: unknown; without period: weight 1, counted" {
	one 'perf  4526  5.000001: ' '55aa62b8017a burn (/bin/x)' | parse
	gives 'unknown 1 perf: burn'
	of event '[.unit, .weight_source, .source] == ["unknown", "count", "unknown"]'
}

@test "fields are found per record" {
	{
		one 'perf  4526 [001]  5.000001:     250000 cpu-clock: ' '55aa f (/bin/x)'
		one 'perf  4526 cycles: ' '55aa f (/bin/x)'
		one 'perf  4526     17 cycles: ' '55aa f'
		one '  5.000001: cycles: ' '55aa'
	} | parse
	gives 'cpu-clock 250000 perf: f' 'cycles 1 perf: f' 'cycles 17 perf: f' 'cycles 1 -: unknown'
	of end '.fields == {comm: 3, tid: 3, cpu: 1, time: 2, period: 2, event: 4, ip: 4, sym: 3, dso: 2}'
	# one name, with and without periods: two events
	holds 'map(select(.type == "event") | [.name, .weight_source])
		== [["cpu-clock", "period"], ["cycles", "count"], ["cycles", "period"]]'
}

@test "an ip alone, and no field but the ip" {
	printf '\n\t55aa f\n\t55bb g\n\n\n\t55aa f\n\n' | parse
	gives 'unknown 1 -: g|f' 'unknown 1 -: f'
	# without a chain each line is a sample
	printf '     55aa62b8017a f (/bin/x)\n     55aa62b8018a g (/bin/x)\n' | parse
	gives 'unknown 1 -: f' 'unknown 1 -: g'
}

@test "a name alone in front of the frames" {
	printf 'perf \n\t55aa f\n\n12 34\n\t55bb g\n\n' | parse
	gives 'unknown 1 perf: f' 'unknown 1 12 34: g'
	printf '            perf      55aa62b8017a f (/bin/x)\n           12345 ffffffff82266208 g (k)\n' |
		parse
	gives 'unknown 1 perf: f' 'unknown 1 12345: g'
}

@test "modes are what misc says: 3 and 5 are made of the bits of others" {
	local letters mode
	while read -r letters mode; do
		one "perf  4526 $letters      5.000001: 1 cycles: " '55aa f' | parse
		of sample ".mode == \"$mode\""
	done <<-END
		K kernel
		U user
		KUH hypervisor
		G guest
		KGg guest
	END
}

@test "pid and tid can be -1; times have any digits" {
	one ':-1    -1/-1      [000] 5.5: 1 cs: ' '55aa f' | parse
	of sample '[.comm, .pid, .tid, .time] == [":-1", -1, -1, 5500000000]'
	one 'x  1234     5.123456789: 1 cs: ' | parse
	of sample '.time == 5123456789'
	one 'x  1234     0.000000: 1 cs: ' | parse
	of sample '.time == 0'
}

@test "names of threads are anything" {
	local name names=(12345 1/2 't 99' '# hash' a:b kworker/u8:1-ev -1 '[003]' 1.5: '4000 cycles:'
		'worker 7 8/9' 'ends in 12' '9 [0] 2.5: cs:' x@y)
	local wanted=("${names[@]/#/cpu-clock 250000 }")
	wanted=("${wanted[@]/%/: f}")
	for name in "${names[@]}" ' lead'; do
		one "$name  4526  5.000001:     250000 cpu-clock: " '55aa f'
	done | parse
	gives "${wanted[@]}" 'cpu-clock 250000  lead: f'
	holds 'map(select(.type == "sample").tid) | unique == [4526]'
	# one line a sample: padding hides a blank at the start
	for name in "${names[@]}" ' lead'; do
		printf '%16s  4526  5.000001:     250000 cpu-clock:      55aa62b8017a f\n' "$name"
	done | parse
	gives "${wanted[@]}" 'cpu-clock 250000 lead: f'
	holds 'map(select(.type == "sample").tid) | unique == [4526]'
}

@test "names with a line end in them, and with bytes that are no text" {
	local two='one 1\ntwo'
	printf 'x  1  1.5: 1 cs: \n\t55 f\n\n%b  4526/4526   5.000001: 7 cs: \n\t55 f\n\n' "$two" | parse
	jq -en '[inputs | select(.type == "sample") | [.comm, .tid, .weight]]
		== [["x", 1, 1], ["one 1\ntwo", 4526, 7]]' "$out"
	of end '[.samples, .records, .malformed] == [2, 2, 0]'
	# padded to 16 columns, the line end being one of them
	printf '               x     1  1.5:    1 cs:          55aa62b8017a f\n' >"$in"
	printf "%16b  4526  5.000001:   7 cs:          55aa62b8017a g\n" "$two" >>"$in"
	run_ok pl-script-parse "$in"
	jq -en '[inputs | select(.type == "sample") | [.comm, (.stack | length)]]
		== [["x", 1], ["one 1\ntwo", 1]]' "$out"
	printf '!\xff\xfe  4526  5.000001: 7 cs: \n\t55 f\n\n' | parse
	of sample '.comm == "!\ufffd\ufffd"'
	of end '.replaced == 2'
}

# ---- events and weights ----

@test "events as perf spells them, and their units and sources" {
	local table='cycles:uppp|cycles|hardware
cpu-cycles|cycles|hardware
cpu_core/cycles/|cycles|hardware
cpu_atom/instructions/u|instructions|hardware
instructions:k|instructions|hardware
cpu/event=0x3c,name=foo/u|events|hardware
cache-misses|events|hardware
task-clock:u|nanoseconds|software
cpu-clock|nanoseconds|software
page-faults|events|software
sched:sched_switch|events|tracepoint
probe_libc:malloc|events|tracepoint
my event|events|unknown'
	while IFS='|' read -r name _; do
		one "x  1234 1.000000: 7 $name: " '55aa f'
	done <<<"$table" | parse
	[ "$(jq -r 'select(.type == "event") | "\(.name)|\(.unit)|\(.source)"' "$out")" = "$table" ] ||
		fail "$(grep '"type":"event"' "$out")"
	of end '.samples == 13'
}

@test "several events in one text are separate analyses" {
	{
		one 'x  1234 1.000000:        300  cycles: ' '55aa f (/bin/x)'
		one 'x  1234 1.000001:         40  faults: ' '55aa f (/bin/x)'
		one 'x  1234 1.000002:        500  cycles: ' '55aa g (/bin/x)'
	} | parse
	of end '.events == [{id: 0, samples: 2, weight: 800}, {id: 1, samples: 1, weight: 40}]'
	analyse
	jq -en '[inputs | select(.type == "hotspot") | [.event, .symbol, .self]]
		== [["cycles", "g", 500], ["cycles", "f", 300], ["faults", "f", 40]]' "$out"
}

@test "period 0 is a sample" {
	one 'x  1234 1.000000:          0 cycles: ' '55aa f' | parse
	gives 'cycles 0 x: f'
	of end '.events == [{id: 0, samples: 1, weight: 0}]'
}

@test "weights to 2^64-1; their sum may not be more" {
	one 'x  1234 1.000000: 18446744073709551615 cycles: ' '55aa f' | parse
	grep -q '"weight":18446744073709551615,' "$out"
	{
		one 'x  1234 1.000000: 18446744073709551615 cycles: ' '55aa f'
		one 'x  1234 1.000000: 1 cycles: ' '55aa f'
	} >"$in"
	run_fail 4 WEIGHT_OVERFLOW pl-script-parse "$in"
	[ "$(jq -c '[.file, .line]' "$err")" = "[\"$in\",6]" ] || fail "$(cat "$err")"
}

@test "a tracepoint's payload is kept, and no frame" {
	local p='prev_comm=a b: prev_pid=1 ==> next_comm=c next_pid=2'
	printf '%16s %5d [000]  1.000000: sched:sched_switch: %s\n' x 1 "$p" y 2 "$p" | parse
	gives 'sched:sched_switch 1 x: ' 'sched:sched_switch 1 y: '
	holds 'map(select(.type == "sample").payload) == ["'"$p"'", "'"$p"'"]'
	of end '.diagnostics == {EMPTY_CHAIN: 2} and .fields.trace == 2 and (.fields | has("ip") | not)'
	one "x     1 [000]  1.000000: sched:sched_switch: $p" 'ffffffff82266208 __schedule (k)' | parse
	gives 'sched:sched_switch 1 x: __schedule'
	of sample ".payload == \"$p\""
	printf 'x 1 [000] 1.000000: sched:sched_switch: %s ffffffff82266208 f (k)\n' "$p" | parse
	gives 'sched:sched_switch 1 x: f'
	of sample ".payload == \"$p\""
}

# ---- frames ----

@test "frames: parentheses in symbols and modules, none of both, unknown ones" {
	one 'x  1234 1.000000: 1 cycles: ' \
		'55aa62b8017a (anonymous namespace)::f(int)+0x1 (/opt/My App (test)/bin)' \
		'55aa62b8017b f::operator()(int) const+0x1 (/memfd:x (deleted))' \
		'ffffffff82266208 __schedule+0x1 ([kernel.kallsyms])' \
		'7fff12345678 clock_gettime+0x1 ([vdso])' \
		'1 [unknown] ([unknown])' '2 f ([guest.kernel.kallsyms])' '3 Lf;::g (/tmp/perf-12.map)' \
		'4 g ([JIT] tid 12)' '5 mod ([ext4])' '6 mod2 (/lib/modules/x/kernel/a.ko.xz)' '7 h' '8' |
		parse
	gives 'cycles 1 x: unknown|h|mod2|mod|g|Lf;::g|f|[unknown]|clock_gettime|__schedule|f::operator()(int) const|(anonymous namespace)::f(int)'
	holds 'map(select(.type == "module") | [.dso, .kind]) == [
		["/lib/modules/x/kernel/a.ko.xz", "kernel"], ["[ext4]", "kernel"],
		["[JIT] tid 12", "jit"], ["/tmp/perf-12.map", "jit"],
		["[guest.kernel.kallsyms]", "guest"], ["[unknown]", null], ["[vdso]", "vdso"],
		["[kernel.kallsyms]", "kernel"], ["/memfd:x (deleted)", "deleted"],
		["/opt/My App (test)/bin", "user"]]'
	holds 'map(select(.type == "frame" and .module == null).symbol) == ["unknown", "h"]'
}

@test "names of languages stay whole, but for what compilers append" {
	one 'x  1234 1.000000: 1 cycles: ' \
		'1 a->b (/bin/x)' '2 A::operator->() (/bin/x)' '3 Lfoo/Bar;::baz (/tmp/perf-1.map)' \
		'4 LazyCompile:~f file.js:1 (/tmp/perf-1.map)' '5 RegExp:^(?:a;b)$ (/tmp/perf-1.map)' \
		'6 py::func:/a/file.py (/tmp/perf-1.map)' '7 net/http.(*Client).Do (/bin/x)' \
		'8 a::$u7b$closure$u7d$::h0123456789abcdef (/bin/x)' '9 f.isra.0.constprop.1 (/bin/x)' \
		'a f.part.2.cold (/bin/x)' 'b f [clone .cold] (/bin/x)' 'c f.llvm.123 (/bin/x)' | parse
	gives 'cycles 1 x: f|f|f|f|a::$u7b$closure$u7d$|net/http.(*Client).Do|py::func|RegExp:^(?:a;b)$|LazyCompile:~f file.js:1|Lfoo/Bar;::baz|A::operator->()|a->b'
	holds 'map(select(.type == "frame" and .raw) | .raw) == ["f.llvm.123", "f [clone .cold]",
		"f.part.2.cold", "f.isra.0.constprop.1", "a::$u7b$closure$u7d$::h0123456789abcdef",
		"py::func:/a/file.py"]'
	run_ok pl-script-parse --raw-names "$in"
	grep -q '"symbol":"f.part.2.cold","module":[0-9]*}' "$out"
	holds 'all(has("raw") | not)'
}

@test "numbers of generated names go only with --normalise-generated" {
	one 'x  1234 1.000000: 1 cycles: ' \
		'1 LFoo$$Lambda$123/0x00007f0012345678;::run (/tmp/perf-1.map)' \
		'2 jdk.GeneratedMethodAccessor12::invoke (/tmp/perf-1.map)' '3 Foo$Lambda$45 (/tmp/perf-1.map)' \
		>"$in"
	run_ok pl-script-parse "$in"
	gives 'cycles 1 x: Foo$Lambda$45|jdk.GeneratedMethodAccessor12::invoke|LFoo$$Lambda$123/0x00007f0012345678;::run'
	run_ok pl-script-parse --normalise-generated "$in"
	gives 'cycles 1 x: Foo$Lambda$|jdk.GeneratedMethodAccessor::invoke|LFoo$$Lambda$;::run'
	holds '.[0].producer.options == {normalise_generated: true}'
	holds 'map(select(.type == "frame" and .raw)) | length == 3'
}

@test "the address column is no address: frames are the same at any, but with --addresses" {
	{
		one 'x  1234 1.000000: 1 cycles: ' '55aa62b8017a f+0x1 (/bin/x)' '8048412 g (/bin/x)'
		one 'x  1234 1.000000: 1 cycles: ' '00000000000055ab f+0x2 (/bin/x)' '8048412 g (/bin/x)'
	} >"$in"
	run_ok pl-script-parse "$in"
	frames '[{symbol: "g", module: 0}, {symbol: "f", module: 0}]'
	run_ok pl-script-parse --addresses "$in"
	frames '[{symbol: "g", module: 0, offset: "0x8048412"},
		{symbol: "f", module: 0, offset: "0x55aa62b8017a"}, {symbol: "f", module: 0, offset: "0x55ab"}]'
	holds '.[0].producer.options == {addresses: true}'
}

@test "an inlined frame is in the module of the frame below it" {
	one 'x  1234 1.000000: 1 cycles: ' '10 leaf (inlined)' '10 mid(int) (inlined)' \
		'10 phys+0x4 (/bin/x)' '20 main (/bin/y)' | parse
	gives 'cycles 1 x: main|phys|mid(int)|leaf'
	frames '[{symbol: "main", module: 0}, {symbol: "phys", module: 1},
		{symbol: "mid(int)", module: 1, inlined: true}, {symbol: "leaf", module: 1, inlined: true}]'
	# behind the source line when one is printed
	printf '%s\n' 'x  1234 1.000000: 1 cycles: ' $'\t10 leaf' '  a.c:7 (inlined)' \
		$'\t10 phys+0x4 (/bin/x)' '  b.c:9' '' | parse
	frames '[{symbol: "phys", module: 0, source: {file: "b.c", line: 9}},
		{symbol: "leaf", module: 0, source: {file: "a.c", line: 7}, inlined: true}]'
}

@test "source lines and annotations of addresses enrich the frame before them" {
	printf '%s\n' 'x  1234 1.000000: 1 cycles: ' $'\t10 f (/bin/x)' '  file.c:42' '  other.c:43' \
		$'\t20 g (/bin/x)' '  ??:0' $'\t30 h (/bin/x)' 'x[30]' '  libc.so.6[891f5]' \
		$'\t40 i (/bin/x) a b.c:5:17' $'\t50 f (/bin/x)' '' >"$in"
	sed -i '/^x\[30\]/d' "$in"
	run_ok pl-script-parse "$in"
	gives 'cycles 1 x: f|i|h|g|f'
	frames '[{symbol: "f", module: 0}, {symbol: "i", module: 0, source: {file: "a b.c", line: 5}},
		{symbol: "h", module: 0}, {symbol: "g", module: 0},
		{symbol: "f", module: 0, source: {file: "file.c", line: 42}}]'
	of end '.diagnostics == {} and .fields.srcline == 1'
}

@test "what cannot be read in a frame's place keeps the place" {
	printf '%s\n' 'x  1234 1.000000: 1 cycles: ' $'\t10 leaf' $'\t?? what' $'\t20 main' '' \
		'x  1234 1.000000: 1 cycles: ' '  no frame' $'\t20 main' '' | parse
	gives 'cycles 1 x: main|unknown|leaf' 'cycles 1 x: main|unknown'
	[ "$(codes)" = 'MALFORMED_FRAME:3 MALFORMED_FRAME:7' ] || fail "$(codes)"
}

@test "a caller at offset 0 is suspect; a leaf is not, nor what the kernel was entered from" {
	one 'x  1234 1.000000: 1 cycles: ' '10 leaf+0x0 (/bin/x)' '20 next+0x0 (/bin/x)' \
		'30 main+0x5 (/bin/x)' | parse
	holds 'map(select(.suspect) | [.symbol, .suspect]) == [["next", "SUSPECT_CALLER"]]'
	of end '.diagnostics == {SUSPECT_CALLER: 1}'
	one 'x  1234 1.000000: 1 cycles: ' 'ffffffff82266208 fault+0x10 ([kernel.kallsyms])' \
		'20 touched+0x0 (/bin/x)' | parse
	of end '.diagnostics == {}'
	one 'x  1234 1.000000: 1 cycles: ' '10 in (inlined)' '10 leaf+0x0 (/bin/x)' | parse
	of end '.diagnostics == {}'
}

@test "a chain as deep as the kernel keeps is cut" {
	local deep
	mapfile -t deep < <(seq -f '55aa62b8%04.0f f (/bin/x)' 127)
	one 'x  1234 1.000000: 1 cycles: ' "${deep[@]}" | parse
	of sample '.cut == "truncated_stack" and (.stack | length) == 127'
	of end '.diagnostics == {TRUNCATED_STACK: 1}'
	run_ok pl-script-parse --kernel-max-stack 128 "$in"
	of sample 'has("cut") | not'
	one 'x  1234 1.000000: 1 cycles: ' "${deep[@]:1}" | parse
	of end '.diagnostics == {}'
	# what is inlined is no frame of the kernel's
	one 'x  1234 1.000000: 1 cycles: ' '1 g (inlined)' "${deep[@]:1}" | parse
	of end '.diagnostics == {}'
}

@test "a sample without a chain is a sample" {
	{
		one 'x  1234 1.000000:         30 cycles: '
		one 'x  1234 1.000000:          4 cycles: ' '1 f'
	} | parse
	gives 'cycles 30 x: ' 'cycles 4 x: f'
	of end '.diagnostics == {EMPTY_CHAIN: 1}'
	analyse
	of event '[.weight, .stackless] == [34, 30]'
}

# ---- layouts ----

@test "one line a sample: the frame is on the header line" {
	printf '%16s    12 [000]  1.00000%d:     %d0 cycles: %s\n' \
		a 1 1 '     55aa62b8017a fade+0x1 (/bin/x)' \
		'a b' 2 2 ' ffffffff8226e979 [unknown] ([unknown])' a 3 3 '     55aa62b8017a' | parse
	gives 'cycles 10 a: fade' 'cycles 20 a b: [unknown]' 'cycles 30 a: unknown'
	# its source line
	printf '%s\n' '               a    12  1.5:  1 cs:   55aa62b8017a f (/bin/x)' '  a.c:7' \
		'               b    12  1.6:  1 cs:   55aa62b8017a f (/bin/x)' '  a.c:8' | parse
	gives 'cs 1 a: f' 'cs 1 b: f'
	holds 'map(select(.type == "frame").source.line) == [7, 8]'
}

@test "a thread's name that looks like fields alters neither event nor weight" {
	printf '%16s     7 [165] 59482.951896: cpu-clock:u: \n\t10 f+0x1 (/x)\n\n' \
		'12345 [001]' '1.5: 99 cs:' | parse
	gives 'cpu-clock:u 1 12345 [001]: f' 'cpu-clock:u 1 1.5: 99 cs:: f'
}

@test "one line a tracepoint: the frame that fills its column is no payload" {
	echo 'p 1 [000] 1.000001: sched:sched_switch:  ffffffff82266208 __schedule+0x628 ([kernel.kallsyms])' | parse
	gives 'sched:sched_switch 1 p: __schedule'
}

@test "a frame on the header line that is repeated below is one" {
	one 'x  1234 1.000000: 9 cycles:      55aa62b8017a f+0x1 (/bin/x)' \
		'55aa62b8017a f+0x1 (/bin/x)' '55aa62b80200 main (/bin/x)' | parse
	gives 'cycles 9 x: main|f'
	of end '.fields | has("addr") | not'
}

@test "columns of perf mem are no frames" {
	local source='68100142 |OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A'
	printf 'x  1234 1.000000: 7 cpu/mem-loads,ldlat=30/P: %16s %16s %s %16s %16s f (/bin/x)\n' \
		7ffd12345678 '' "$source" 34 55aa62b8017a | parse
	gives 'cpu/mem-loads,ldlat=30/P 7 x: f'
	of end '.fields | [.addr, .data_src, .weight] == [1, 1, 1]'
	# with a chain the address stands on the header line, the frames below
	one 'x  1234 1.000000: 7 page-faults:      7ffd12345678' '55aa f (/bin/x)' '66 main' | parse
	gives 'page-faults 7 x: main|f'
	of end '.fields | [.addr, .ip] == [1, 1]'
	# and the address of a page fault may have a symbol
	printf 'x  1234 1.000000: 7 page-faults: %16s [unknown] ([heap]) %16s f (/bin/x)\n' \
		7ffd12345678 55aa62b8017a | parse
	gives 'page-faults 7 x: f'
}

@test "branches are counted, and no frames" {
	one 'x  1234 1.000000: 7 cycles: ' '55aa f (/bin/x)' '66 main (/bin/x)' >"$in"
	sed -i '3a\ 0x4005d0/0x40058c/P/-/-/0  0x4005d0(/bin/x)/0x40058c(/bin/x)/M/X/A/12/COND/-' "$in"
	run_ok pl-script-parse "$in"
	gives 'cycles 7 x: main|f'
	of end '.fields.brstack == 1 and .diagnostics == {}'
	printf 'x  1234 1.0: 7 cycles:      55aa62b8017a f (/bin/x)  0x4005d0/0x40058c/P/-/-/0\n' | parse
	gives 'cycles 7 x: f'
}

@test "tabs, addresses of 32 bits, CR LF, a byte order mark" {
	one $'x\t1234\t[001]\t1.000000:\t7\tcycles:' '08048412 f+0x1 (/bin/x)' '0xb7001234 main (/lib/a)' |
		parse
	gives 'cycles 7 x: main|f'
	of sample '.cpu == 1'
	cp "$out" "$BATS_TEST_TMPDIR/lf"
	sed -i 's/$/\r/' "$in"
	run_ok pl-script-parse "$in"
	diff <(sed '$d' "$BATS_TEST_TMPDIR/lf") <(sed '$d' "$out")
	sed -i $'1s/^/\xef\xbb\xbf/' "$in"
	run_ok pl-script-parse "$in"
	gives 'cycles 7 x: main|f'
	[ "$(codes)" = BYTE_ORDER_MARK:1 ]
}

@test "frames indented by blanks" {
	one 'x  1234 1.000000: 7 cycles: ' '55aa f (/bin/x)' '66 main (/bin/x)' '401136 abc (/bin/x)' |
		expand | parse
	gives 'cycles 7 x: abc|main|f'
}

# ---- what is no sample ----

@test "comments and records of other kinds are skipped and counted; what was lost is" {
	printf '%s\n' '# ========' '# captured on    : Mon' '# cmdline : perf record sh -c echo' \
		'echo two' '  and three' '# ========' '#' '' '# sample duration : 5 ms' 'an end of an argument' '#' \
		'x  1234/1234  1.000000: PERF_RECORD_MMAP2 1/1: [0x1(0x2) @ 0 08:01 3 4]: r-xp /bin/x' \
		'x  1234/1234  1.000000: PERF_RECORD_FORK(1234:1234):(1:1)' \
		'x  1234/1234  1.000000: PERF_RECORD_LOST lost 17' 'PERF_RECORD_SWITCH OUT' \
		'x  1234  [000] 1.000000: PERF_RECORD_LOST lost 5' 'PERF_RECORD_THROTTLE' \
		'x  1234/1234  1.000000: 7 cycles: ' $'\t1 f' '' | parse
	gives 'cycles 7 x: f'
	holds 'map(select(.type == "lost").count) == [17, 5]'
	of end '[.lost, .skipped, .records] == [22, 16, 17]'
	analyse
	of quality '.reasons == ["lost_records"]'
}

@test "a name with a line end, in the record that gave it" {
	printf '%s\n' 'x  1 1.0: PERF_RECORD_COMM: two' 'lines:1/1' 'two' \
		'lines  1 1.0: PERF_RECORD_EXIT(1:1):(1:1)' 'two' 'lines  1  1.0: 7 cs: ' $'\t1 f' '' | parse
	of sample '.comm == "two\nlines"'
	of end '[.malformed, .skipped] == [0, 2]'
}

@test "noise is malformed input, shown, and touches nothing" {
	printf '%s\n' "addr2line: '/bin/x': No such file" 'x  1234 1.0: 7 cycles: ' $'\t1 f' \
		'BFD: warning' $'\t2 main' '' 'Warning:' 'Processed 12345 events and lost 3 chunks!' '' \
		'    ' 'y  1234 1.0: 8 cycles: ' $'\t1 f' '' 'end of it' 'file.c:42: error' >"$in"
	run_ok pl-script-parse -q "$in"
	[ "$(samples)" = $'cycles 7 x: main|f\ncycles 8 y: f' ] || fail "$(samples)"
	[ "$(codes)" = 'UNRECOGNIZED_LINE:1 UNRECOGNIZED_LINE:4 UNRECOGNIZED_LINE:7 UNRECOGNIZED_LINE:8 UNRECOGNIZED_LINE:14 UNRECOGNIZED_LINE:15' ] ||
		fail "$(codes)"
	of end '[.samples, .malformed, .records] == [2, 6, 8]'
}

@test "a header that cannot be read costs its record, not the one before" {
	{
		one 'x  1234 1.0: 7 cycles: ' '1 f'
		one 'x  1234 1.0 7 cycles' '2 g' '3 h'
		printf '\t4 lost\n\t5 frames\n\n'
		one 'y  1234 1.0: 8 cycles: ' '1 f'
	} >"$in"
	run_ok pl-script-parse -q "$in"
	[ "$(samples)" = $'cycles 7 x: f\ncycles 8 y: f' ] || fail "$(samples)"
	[ "$(codes)" = 'UNRECOGNIZED_LINE:4 UNRECOGNIZED_LINE:8' ] || fail "$(codes)"
}

# ---- ends ----

@test "the last record needs no blank line; its last line needs no end" {
	printf 'x  1234 1.0: 7 cycles: \n\t1 f (/bin/x)\n' | parse
	gives 'cycles 7 x: f'
	printf 'x  1234 1.0: 7 cycles: \n\t1 f (/bin/x)' | parse
	gives 'cycles 7 x: f'
	of end '.diagnostics == {}'
}

@test "text that is cut in a record is kept as far as it is certain" {
	local head='x  1234 1.0: 700 cycles: ' body=$'\t55aa leaf (/bin/x)\n\t66 main(int) (/bin/x)'
	# a frame
	printf '%s\n%s' "$head" "${body%\ (*}" | parse
	gives 'cycles 700 x: unknown|leaf'
	[ "$(codes)" = TRUNCATED_RECORD:3 ]
	of sample '.cut == "truncated_record"'
	analyse
	of quality '.cut_weight == 700 and .reasons == ["cut_stacks"]'
	# a parenthesis of the symbol is not the module's
	printf '%s\n\t66 main(int)' "$head" | parse
	gives 'cycles 700 x: unknown'
	# the header behind its event
	printf '%s' "$head" | parse
	gives 'cycles 700 x: unknown'
	# in its event: the number before it could have been cut, too
	printf '%s\n%s\n\n%s' "$head" "$body" 'x  1234 1.0: 700 cyc' >"$in"
	run_ok pl-script-parse -q "$in"
	[ "$(samples)" = 'cycles 700 x: main(int)|leaf' ]
	[ "$(codes)" = TRUNCATED_RECORD:5 ]
	of end '[.samples, .malformed] == [1, 1]'
	# one line
	printf '%16s  1234 1.0: 7 cycles:      55aa62b8017a f (/bin/x)\n' a b | head -c -4 | parse
	gives 'cycles 7 a: f' 'cycles 7 b: unknown'
}

@test "no prefix of a text gives another weight or another frame" {
	local n text=$BATS_TEST_TMPDIR/text size
	local header='a b  1234/1234  [001]     1.000001:       7000 cycles:u: '
	{
		one "$header" '55aa leaf+0x1 (/bin/x)' \
			'66 main+0x2 (/bin/x)'
		one 'c  1235/1235  [000]     1.000002:       8000 cycles:u: ' '55aa leaf+0x1 (/bin/x)'
	} >"$text"
	size=$(stat -c %s "$text")
	mkdir "$BATS_TEST_TMPDIR/prefixes"
	for ((n = 1; n < size; n++)); do
		head -c $n "$text" >"$BATS_TEST_TMPDIR/prefixes/$(printf %03d $n)"
	done
	run_ok pl-script-parse -q "$BATS_TEST_TMPDIR/prefixes"/*
	samples >"$BATS_TEST_TMPDIR/samples"
	# one of each prefix with the header and the blank behind it
	[ "$(grep -c ' 7000 ' "$BATS_TEST_TMPDIR/samples")" = $((size - ${#header})) ]
	run ! grep -vxE 'cycles:u 7000 a b: (unknown|((main|unknown)\|)?leaf)?|cycles:u 8000 c: (leaf|unknown)?' \
		"$BATS_TEST_TMPDIR/samples"
}

# ---- limits ----

@test "a line too long, a stack too deep: that record, or that frame, only" {
	{
		one 'x  1234 1.0: 7 cycles: ' '1 f' "2 $(printf '%0300d' 0)" '3 main'
		one "x  1234 1.0: 7 cycles: $(printf '%0300d' 0)" '1 g' '2 h'
		one 'x  1234 1.0: 8 cycles: ' '1 f' '2 f' '3 f' '4 f' '5 f'
		one 'x  1234 1.0: 9 cycles: ' '1 f' '2 f' '3 f' '4 f'
	} >"$in"
	run_ok pl-script-parse -q --max-line-bytes 256 --max-stack-depth 4 "$in"
	[ "$(samples)" = $'cycles 7 x: main|unknown|f\ncycles 9 x: f|f|f|f' ] || fail "$(samples)"
	[ "$(codes)" = 'LINE_TOO_LONG:3 LINE_TOO_LONG:6 STACK_TOO_DEEP:10' ] || fail "$(codes)"
	of end '[.samples, .malformed, .diagnostics] ==
		[2, 2, {LINE_TOO_LONG: 2, STACK_TOO_DEEP: 1}]'
}

@test "a megabyte of a symbol" {
	one 'x  1234 1.0: 7 cycles: ' "1 $(head -c 1000000 /dev/zero | tr '\0' 'y') (/bin/x)" >"$in"
	run_ok pl-script-parse "$in"
	[ "$(jq -r 'select(.type == "frame").symbol | length' "$out")" = 1000000 ]
}

@test "records and frames beyond their limit: exit 4" {
	one 'x  1234 1.0: 7 cycles: ' '1 f' '2 g' '3 h' >"$in"
	cat "$in" "$in" >"$in.2"
	run_fail 4 RESOURCE_LIMIT_EXCEEDED pl-script-parse --max-records 1 "$in.2"
	run_fail 4 RESOURCE_LIMIT_EXCEEDED pl-script-parse --max-unique-frames 2 "$in"
	run_ok pl-script-parse --max-records 2 --max-unique-frames 3 "$in.2"
	run_fail 4 RESOURCE_LIMIT_EXCEEDED pl-script-parse --max-input-bytes 20 "$in"
}

@test "no text at all, and nothing but noise" {
	expect_exit 0 pl-script-parse /dev/null
	of end '[.samples, .records] == [0, 0]'
	printf 'this\nis\nno profile\n' >"$in"
	run_fail 3 PROFILE_PARSE_FAILED pl-script-parse "$in"
	of end '[.samples, .malformed, .records] == [0, 3, 3]'
}

@test "several files are one stream; what was learnt of one does not hold for the next" {
	one 'x  1234 1.0: 7 cycles: ' '1 f' >"$in"
	printf '\n\t2 g\n\t3 h\n\n' >"$in.2"
	run_ok pl-script-parse "$in" "$in.2" "$in"
	gives 'cycles 7 x: f' 'unknown 1 -: h|g' 'cycles 7 x: f'
	of end '.inputs | length == 3'
}

@test "pl-verify reads the text again" {
	{
		one 'x  1234 1.0: 7 cycles: ' '1 f.isra.0 (/bin/x)' '2 g (/bin/x)'
		one 'x  1234 1.0: 8 cycles: ' '1 h (/bin/x)'
	} >"$in"
	run_ok pl-script-parse --raw-names --kernel-max-stack 2 "$in"
	analyse
	mv "$out" "$BATS_TEST_TMPDIR/analysis"
	run_ok pl-verify --source "$in" "$BATS_TEST_TMPDIR/analysis"
	jq -en '[inputs | select(.type == "check" and .name == "replay").status] == ["passed"]' "$out"
}

# ---- properties ----

# garbage: lines that perf does not print
garbage() {
	printf '%s\n' 'addr2line: /bin/x: bad' 'Warning: 3 of 4 cycles: lost' '!!' '   ???   ' \
		'cmd__addr2line: could not read first record' 'some words 12 34' 'x.c:12: y' '{"a":1}' \
		'# a comment' 'PERF_RECORD_UNKNOWN' $'\xff\xfe' '' '0x' '12345' '))((' ':' '-' \
		'BFD: Dwarf Error: found dwarf version 5'
}

@test "garbage between records changes neither the weight nor the stack of any other" {
	local i text=$BATS_TEST_TMPDIR/text
	for i in 1 2 3 4 5 6 7 8; do
		one "fifteen letter$i  $((1230 + i)) [00$i]  1.00000$i:       $((1000 * i)) cycles: " \
			"55aa leaf$i+0x1 (/bin/x)" '66 mid (/bin/x)' "77 main$i (/bin/y)"
	done >"$text"
	run_ok pl-script-parse "$text"
	samples >"$BATS_TEST_TMPDIR/wanted"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/wanted")" = 8 ]
	garbage | while IFS= read -r line; do
		awk -v g="$line" '{ print } /^$/ { print g }' "$text" >"$in"
		expect_exit 0 pl-script-parse -q "$in"
		samples | diff "$BATS_TEST_TMPDIR/wanted" - || fail "$line"
	done
	# all of it at once, and between records of one line
	garbage >"$BATS_TEST_TMPDIR/garbage"
	awk -v file="$BATS_TEST_TMPDIR/garbage" '{ print }
		/^$/ { while ((getline g < file) > 0) print g; close(file) }' "$text" >"$in"
	expect_exit 0 pl-script-parse -q "$in"
	samples | diff "$BATS_TEST_TMPDIR/wanted" -
	for i in 1 2 3 4 5 6 7 8; do
		printf '%16s  %5d [00%d]  1.00000%d: %10d cycles: %16s leaf (/bin/x)\n' "name $i" $i $i $i \
			$((i * 1000)) 55aa62b8017a
	done >"$text"
	run_ok pl-script-parse "$text"
	samples >"$BATS_TEST_TMPDIR/wanted"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/wanted")" = 8 ]
	garbage | while IFS= read -r line; do
		awk -v g="$line" '{ print; print g }' "$text" >"$in"
		expect_exit 0 pl-script-parse -q "$in"
		samples | diff "$BATS_TEST_TMPDIR/wanted" - || fail "$line"
	done
}

@test "garbage among the frames of a record changes no weight, and no other record" {
	local i text=$BATS_TEST_TMPDIR/text
	for i in 1 2 3 4; do
		one "fifteen letter$i  $((1230 + i))  1.00000$i:       $((1000 * i)) cycles: " \
			"55aa leaf$i (/bin/x)" '66 mid (/bin/x)' "77 main$i (/bin/y)"
	done >"$text"
	run_ok pl-script-parse "$text"
	samples >"$BATS_TEST_TMPDIR/wanted"
	garbage | while IFS= read -r line; do
		awk -v g="$line" '{ print } /leaf2/ { print g }' "$text" >"$in"
		expect_exit 0 pl-script-parse -q "$in"
		diff <(sed -n '1p;3,$p' "$BATS_TEST_TMPDIR/wanted") <(samples | sed -n '1p;3,$p') ||
			fail "$line"
		[ "$(samples | sed -n '2s/:.*//p')" = 'cycles 2000 fifteen letter2' ] || fail "$line"
	done
}

# ---- real recordings ----

# script FILE OPTION…: perf's text of a recording.
script() {
	local data=$1
	shift
	perf script -i "$data" "$@" 2>"$BATS_TEST_TMPDIR/said"
}

# self: "SYMBOL WEIGHT" of the leaves of $out, sorted.
self() {
	samples | awk '{
		weight = $2
		leaf = substr($0, index($0, ": ") + 2)
		sub(/.*\|/, "", leaf)
		sum[leaf] += weight
	} END { for (leaf in sum) print leaf, sum[leaf] }' | LC_ALL=C sort
}

# The leaf is the line behind the header where there are chains; else the end of the only line.
self_of_text() {
	awk -v chains="$1" -v weighed="$2" '
	chains && /^\t/ { if (!seen) { sum[$2] += weight; seen = 1 } }
	chains && !/^\t/ && NF { weight = weighed ? $1 : 1; seen = 0 }
	!chains && NF { sum[$3] += weighed ? $1 : 1 }
	END { for (leaf in sum) print leaf, sum[leaf] }' | LC_ALL=C sort
}

# recording HOW: $data is the workload recorded with that option of perf, once for all tests.
recording() {
	data=$BATS_FILE_TMPDIR/perf$1.data
	[ ! -e "$data" ] || return 0
	gcc -O1 -g -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -pthread \
		-o "$BATS_FILE_TMPDIR/threads" tests/data/threads.c
	# shellcheck disable=SC2086 # it may be no option
	perf record -q $1 -e cpu-clock,page-faults -c 1000000 -o "$data" "$BATS_FILE_TMPDIR/threads" \
		$'an\nargument' 2>/dev/null
}

@test "real: threads with every name, all combinations of fields, with chains and without" {
	needs_perf
	local how fields data samples=0 chains
	for how in -g ''; do
		recording "$how"
		chains=${how:+1}
		script "$data" -F period,ip,sym | self_of_text "$chains" 1 >"$BATS_TEST_TMPDIR/periods"
		script "$data" -F period,ip,sym | self_of_text "$chains" 0 >"$BATS_TEST_TMPDIR/counts"
		grep -q '^burn [0-9]*00000$' "$BATS_TEST_TMPDIR/periods"
		samples=$(script "$data" -F period,ip,sym | grep -c '^ *1000000')
		for fields in comm,pid,tid,time,event,period,ip,sym,dso comm,tid,time,event,ip,sym,dso \
			tid,period,event,ip,sym comm,period,event,ip,sym period,event,ip,sym,dso event,ip,sym,dso \
			comm,event,ip,sym,dso comm,pid,time,period,event,ip,sym tid,ip,sym,dso comm,tid,ip,sym \
			pid,tid,ip,sym comm,pid,tid,period,ip,sym time,event,ip,sym period,ip,sym,dso ip,sym \
			comm,tid,time,ip,sym,symoff,dso comm,tid,misc,time,event,period,ip,sym,symoff,dso; do
			script "$data" -F $fields >"$in"
			expect_exit 0 pl-script-parse -q --raw-names "$in"
			case ,$fields, in
			*,period,*) self | diff "$BATS_TEST_TMPDIR/periods" - ;;
			*) self | diff "$BATS_TEST_TMPDIR/counts" - ;;
			esac || fail "$fields"
			of end ".samples == $samples and .malformed == 0"
		done
		for fields in --ns --reltime; do
			script "$data" -F comm,tid,time,event,period,ip,sym $fields >"$in"
			expect_exit 0 pl-script-parse -q --raw-names "$in"
			self | diff "$BATS_TEST_TMPDIR/periods" -
			of end ".fields.time == $samples and .malformed == 0"
		done
	done
	script "$data" -F comm,tid,time,event,period,ip,sym -G >"$in"
	expect_exit 0 pl-script-parse -q --raw-names "$in"
	self | diff "$BATS_TEST_TMPDIR/periods" -
}

@test "real: the names of the threads, and their weights as perf report has them" {
	needs_perf
	local how data
	for how in -g ''; do
		recording "$how"
		script "$data" >"$in"
		expect_exit 0 pl-script-parse -q "$in"
		stream_ok "$out"
		# a tick may come before a thread has named itself
		jq -n '[inputs | select(.type == "sample")] | group_by(.tid)
			| map({comm: .[-1].comm, comms: (map(.comm) | unique | length), samples: length})' \
			"$out" >"$BATS_TEST_TMPDIR/by-thread"
		jq -e --arg lead "${how:+ }lead" '([.[].comm] | sort) - ["threads", "perf-exec", "perf"]
			== (["12345", "1/2", "t 99", "# hash", $lead, "a:b", "kworker/u8:1-ev",
			"two\nlines", "\ufffd\ufffd!", "-1", "[003]", "1.5:", "4000 cycles:", "worker 7 8/9"]
			| sort)' "$BATS_TEST_TMPDIR/by-thread" || fail "$(jq -c . "$BATS_TEST_TMPDIR/by-thread")"
		# perf report: samples of each tid
		perf report -i "$data" --stdio -g none --no-children -F sample,pid -t '^' 2>/dev/null |
			awk -F'^' '/^ *[0-9]+ *\^/ { split($2, part, ":"); sum[part[1] + 0] += $1 }
			END { for (tid in sum) print tid, sum[tid] }' | sort >"$BATS_TEST_TMPDIR/report"
		jq -rn '[inputs | select(.type == "sample")] | group_by(.tid)[] | "\(.[0].tid) \(length)"' "$out" |
			sort >"$BATS_TEST_TMPDIR/ours"
		[ "$(wc -l <"$BATS_TEST_TMPDIR/ours")" -ge 14 ]
		diff "$BATS_TEST_TMPDIR/report" "$BATS_TEST_TMPDIR/ours"
	done
}

@test "real: headers, task and mmap records, source lines, inlined functions" {
	needs_perf
	local data samples
	recording -g
	samples=$(script "$data" -F event,ip,sym | grep -c 'cpu-clock:')
	script "$data" --header --show-task-events --show-mmap-events >"$in"
	[ "$(grep -ac PERF_RECORD_ "$in")" -gt 20 ]
	expect_exit 0 pl-script-parse -q "$in"
	of end ".samples == $samples and .malformed == 0 and .skipped > 40"
	script "$data" -F +srcline >"$in"
	expect_exit 0 pl-script-parse -q "$in"
	of end ".samples == $samples and .malformed == 0 and (.diagnostics | has(\"MALFORMED_FRAME\") | not)"
	holds "map(select(.type == \"frame\" and .symbol == \"burn\").source.file)
		| length > 0 and all(endswith(\"threads.c\"))"
}

@test "real: a C++ program" {
	needs_perf
	command -v g++ >/dev/null || skip "there is no g++"
	cat >"$BATS_TEST_TMPDIR/x.cc" <<-'END'
		#include <functional>
		namespace { struct work { volatile long n = 0;
			__attribute__((noinline)) long operator()(int i) const { long s = 0;
				for (int k = 0; k < 100000; k++) s += n + i; return s; } }; }
		template <class F> __attribute__((noinline)) long apply(F const &f, int i) { return f(i) + 1; }
		int main() { work w; long s = 0; for (int i = 0; i < 1000; i++) s += apply(w, i); return s == 1; }
	END
	g++ -O1 -fno-omit-frame-pointer -o "$BATS_TEST_TMPDIR/x (test)" "$BATS_TEST_TMPDIR/x.cc"
	perf record -q -g -e cpu-clock -c 1000000 -o "$BATS_TEST_TMPDIR/perf.data" \
		"$BATS_TEST_TMPDIR/x (test)" 2>/dev/null
	script "$BATS_TEST_TMPDIR/perf.data" >"$in"
	expect_exit 0 pl-script-parse -q "$in"
	of end '.malformed == 0'
	holds 'map(select(.type == "frame") | .symbol) | any(startswith("(anonymous namespace)::work::operator()"))'
	holds 'map(select(.type == "module") | .dso) | map(select(endswith("/x (test)"))) | length == 1'
}

# What a runtime's perf map names: each symbol of the map that perf shows is one of ours.
check_map() {
	local program=$1 pattern=$2
	shift 2
	# runtimes write logs where they stand
	(cd "$BATS_TEST_TMPDIR" && perf record -q -g -e cpu-clock -c 1000000 -o perf.data "$@" \
		>/dev/null 2>said) || skip "$program does not run: $(head -n 1 "$BATS_TEST_TMPDIR/said")"
	script "$BATS_TEST_TMPDIR/perf.data" >"$in"
	grep -qE "$pattern" "$in" || skip "$program names nothing in a map here"
	expect_exit 0 pl-script-parse -q "$in"
	of end ".malformed == 0 and .samples == $(grep -ac '^[^	].*cpu-clock:' "$in")"
	holds 'map(select(.type == "module" and .kind == "jit")) | length > 0'
	script "$BATS_TEST_TMPDIR/perf.data" -F ip,sym,dso | awk '/^\t.*\/perf-[0-9]+\.map\)$/ {
		sub(/^\t *[0-9a-f]+ /, ""); sub(/ \(\/tmp\/perf-[0-9]+\.map\)$/, ""); print }' |
		LC_ALL=C sort -u >"$BATS_TEST_TMPDIR/map"
	jq -rn '[inputs] | (map(select(.type == "module" and .kind == "jit").id)) as $jit | .[]
		| select(.type == "frame" and (.module | IN($jit[]))) | .raw // .symbol' "$out" |
		LC_ALL=C sort -u | diff "$BATS_TEST_TMPDIR/map" -
	rm -f /tmp/perf-"$(sed -n 's/.*(\/tmp\/perf-\([0-9]*\)\.map).*/\1/p' "$in" | head -n 1)".map
}

@test "real: Node with --perf-basic-prof" {
	needs_perf
	command -v node >/dev/null || skip "there is no node"
	echo 'function leaf(n) { let s = 0; for (let i = 0; i < n; i++) s += i % 7; return s; }
		let s = 0; for (let i = 0; i < 300; i++) s += leaf(1e6) + /^(?:a;b)+$/.test("a;ba;b".repeat(9));' \
		>"$BATS_TEST_TMPDIR/x.js"
	check_map node '~?leaf.*x\.js:1' node --perf-basic-prof "$BATS_TEST_TMPDIR/x.js"
}

@test "real: Python with a perf map" {
	needs_perf
	local candidate python=
	for candidate in python3 python3.12 python3.13 "$HOME"/.pyenv/versions/*/bin/python3; do
		"$candidate" -X perf -c 'import sys; sys.activate_stack_trampoline("perf")' 2>/dev/null || continue
		python=$candidate
		break
	done
	[ -n "$python" ] || skip "there is no python3 that writes a perf map"
	printf 'def leaf(n):\n\ts = 0\n\tfor i in range(n):\n\t\ts += i\n\treturn s\nfor i in range(40):\n\tleaf(100000)\n' \
		>"$BATS_TEST_TMPDIR/x.py"
	check_map "$python" 'py::leaf:.*x\.py' "$python" -X perf "$BATS_TEST_TMPDIR/x.py"
}

@test "real: Java with a perf map" {
	needs_perf
	command -v java >/dev/null || skip "there is no java"
	printf 'public class X { static long leaf(int n) { long s = 0; for (int i = 0; i < n; i++) s += i %% 7; return s; }
		public static void main(String[] a) { long s = 0; for (int i = 0; i < 400; i++) s += leaf(1000000); System.out.println(s); } }\n' \
		>"$BATS_TEST_TMPDIR/X.java"
	check_map java 'leaf' java -XX:+UnlockDiagnosticVMOptions -XX:+PreserveFramePointer \
		-XX:+DumpPerfMapAtExit "$BATS_TEST_TMPDIR/X.java"
}

@test "real: tracepoints with payload, with chains and without" {
	needs_perf
	perf record -q -e sched:sched_switch -o "$BATS_TEST_TMPDIR/perf.data" sleep 0.01 \
		2>"$BATS_TEST_TMPDIR/said" || skip "no tracepoints: $(head -n 1 "$BATS_TEST_TMPDIR/said")"
	perf record -q -a -e sched:sched_switch,cpu-clock -o "$BATS_TEST_TMPDIR/perf.data" sleep 0.1 2>/dev/null
	script "$BATS_TEST_TMPDIR/perf.data" >"$in"
	expect_exit 0 pl-script-parse -q "$in"
	of end "[.malformed, .fields.trace, .samples] == [0, $(grep -ac sched_switch: "$in"), $(wc -l <"$in")]"
}
