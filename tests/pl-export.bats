#!/usr/bin/env bats
#
# pl-export: samples and analyses in the formats of other tools.
#
# shellcheck disable=SC2030,SC2031 # each test is a subshell
# shellcheck disable=SC2154 # out and err are the helper's

load helper

samples=tests/data/threads.samples.ndjson # two events, inlined functions, a sample without a stack

# read_pprof FILE: what is in it, by a reader of the tests' own.
read_pprof() {
	gzip -dc "$1" | od -An -v -tu1 | mawk -f tests/ref/pprof.awk
}

# an_analysis OPTION…: of a profile with more paths than it keeps, in which a sample has no stack.
an_analysis() {
	pl-aggregate "$@" "$samples" >"$BATS_TEST_TMPDIR/analysis"
}

# weights EVENT: the weight of an event, from the end record of the samples.
weight_of() {
	jq -s --arg name "$1" '(.[] | select(.type == "event" and .name == $name).id) as $id
		| .[-1].events[] | select(.id == $id).weight' "$samples"
}

@test "folded: the weights of one event, and what has no stack" {
	run_ok pl-export --to folded --event cycles:u "$samples"
	cat >"$BATS_TEST_TMPDIR/want" <<-END
		main;malloc@plt 100
		main;malloc 200
		main;unknown 50
		main;emitted 20
		main;outer;mid;inner() 40
		main;outer;mid;inner();outer;mid;inner();gone 10
		[no stack] 30
	END
	same "$BATS_TEST_TMPDIR/want" "$out"
	[ "$(awk '{ n += $NF } END { print n }' "$out")" = "$(weight_of cycles:u)" ]
}

@test "folded: several events want one, and one that is not there is named" {
	expect_exit 2 pl-export --to folded "$samples"
	grep -q "'cycles:u' (cycles), 'page-faults' (events)" "$err"
	expect_exit 2 pl-export --to folded --event cycles "$samples"
	grep -q "'page-faults'" "$err"
	expect_exit 2 pl-export --to speedscope --event cycles "$samples"
	an_analysis
	expect_exit 2 pl-export --to csv --event cycles "$BATS_TEST_TMPDIR/analysis"
}

@test "folded: an analysis names what it left out" {
	an_analysis --call-path-limit 2
	run_ok pl-export --to folded --event cycles:u "$BATS_TEST_TMPDIR/analysis"
	# two malloc paths are one in an analysis
	printf '%s\n' 'main;malloc 300' 'main;unknown 50' '[no stack] 30' '[omitted] 70' |
		sort >"$BATS_TEST_TMPDIR/want"
	same "$BATS_TEST_TMPDIR/want" <(sort "$out")
}

@test "an analysis without paths has no stacks, but rows" {
	an_analysis --no-paths
	local to
	for to in folded speedscope pprof firefox; do
		expect_exit 2 pl-export --to $to --event cycles:u "$BATS_TEST_TMPDIR/analysis"
		grep -q -e '--to csv' "$err" || fail "$(cat "$err")"
	done
	run_ok pl-export --to csv "$BATS_TEST_TMPDIR/analysis"
}

@test "pprof: a reader of our own finds every stack and every weight" {
	run_ok pl-export --to pprof "$samples"
	read_pprof "$out" >"$BATS_TEST_TMPDIR/got"
	cat >"$BATS_TEST_TMPDIR/want" <<-END
		type samples of cycles:u count
		type cycles:u cycles
		type samples of page-faults count
		type page-faults events
		sample 1 100 0 0 main|main@main.c:7[/opt/app aa01 256];malloc|malloc@plt@malloc.c:10[/usr/lib/libc.so.6 bb02 16]
		sample 1 200 0 0 main|main@main.c:7[/opt/app aa01 256];malloc|malloc@malloc.c:20[/usr/lib/libc.so.6 bb02 32]
		sample 1 50 0 0 main|main@main.c:7[/opt/app aa01 256];unknown|unknown@:0[[kernel.kallsyms]  16776976]
		sample 1 20 0 0 main|main@main.c:7[/opt/app aa01 256];emitted|emitted@:0[[jit]  0]
		sample 1 40 0 0 main|main@main.c:7[/opt/app aa01 256];outer|outer@app.c:1[/opt/app aa01 512];mid|mid@mid.h:2[/opt/app aa01 512];inner|inner()@inner.h:3[/opt/app aa01 512]
		sample 1 10 0 0 main|main@main.c:7[/opt/app aa01 256];outer|outer@app.c:1[/opt/app aa01 512];mid|mid@mid.h:2[/opt/app aa01 512];inner|inner()@inner.h:3[/opt/app aa01 512];outer|outer@app.c:1[/opt/app aa01 512];mid|mid@mid.h:2[/opt/app aa01 512];inner|inner()@inner.h:3[/opt/app aa01 512];gone|gone@:0[/opt/old  0]
		sample 0 0 1 1 main|main@main.c:7[/opt/app aa01 256];malloc|malloc@plt@malloc.c:10[/usr/lib/libc.so.6 bb02 16]
		sample 0 0 1 3 main|main@main.c:7[/opt/app aa01 256];blob|blob@:0[memfd:code  0]
		sample 0 0 1 2 default_idle|default_idle@:0[[kernel.kallsyms]  0]
		sample 1 30 0 0 [no stack]|[no stack]@:0[ 0]
	END
	same "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/got"
}

@test "pprof: samples of one stack are one, and weights too large are refused" {
	printf 'a;b 3\na;b 4\nc 5\n' | pl-fold-parse >"$BATS_TEST_TMPDIR/in"
	run_ok pl-export --to pprof "$BATS_TEST_TMPDIR/in"
	printf '%s\n' 'sample 2 7 a|a@:0[ 0];b|b@:0[ 0]' 'sample 1 5 c|c@:0[ 0]' \
		>"$BATS_TEST_TMPDIR/want"
	same "$BATS_TEST_TMPDIR/want" <(read_pprof "$out" | grep ^sample)
	echo 'a 9223372036854775808' | pl-fold-parse >"$BATS_TEST_TMPDIR/in"
	run_fail 4 RESOURCE_LIMIT_EXCEEDED pl-export --to pprof "$BATS_TEST_TMPDIR/in"
	echo 'a 9223372036854775807' | pl-fold-parse >"$BATS_TEST_TMPDIR/in"
	run_ok pl-export --to pprof "$BATS_TEST_TMPDIR/in"
}

@test "speedscope: a profile an event, functions as frames" {
	run_ok pl-export --to speedscope "$samples"
	# what stands at each position is looked up by jq
	jq -c '.shared.frames as $f | .profiles[] | .name, .unit, .endValue, .startValue,
		([.samples, .weights] | transpose[] | [(.[0] | map($f[.].name) | join(";")), .[1]])' \
		"$out" >"$BATS_TEST_TMPDIR/got"
	cat >"$BATS_TEST_TMPDIR/want" <<-END
		"cycles:u"
		"none"
		450
		0
		["main;malloc",100]
		["main;malloc",200]
		["main;unknown",50]
		["main;emitted",20]
		["main;outer;mid;inner",40]
		["main;outer;mid;inner;outer;mid;inner;gone",10]
		["[no stack]",30]
		"page-faults"
		"none"
		6
		0
		["main;malloc",1]
		["main;blob",3]
		["default_idle",2]
	END
	same "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/got"
	# one frame a function, whatever its positions
	jq -e '[.shared.frames[].name] | length == (unique | length)' "$out"
	jq -e '.shared.frames[1] == {"name": "malloc", "file": "malloc.c"}' "$out"
}

@test "speedscope: more than 2^53 is told" {
	echo 'a 9007199254740993' | pl-fold-parse >"$BATS_TEST_TMPDIR/in"
	expect_exit 0 pl-export --to speedscope "$BATS_TEST_TMPDIR/in"
	grep -q '2^53' "$err"
	grep -q '9007199254740993' "$out"
}

@test "firefox: each thread's stacks, weights and times" {
	run_ok pl-export --to firefox tests/data/commands.samples.ndjson
	# prefixes are followed by jq
	jq -c '.threads[] | . as $t
		| def name($frame): $t.stringArray[$t.funcTable.name[$t.frameTable.func[$frame]]];
		  def path($s): if $s == null then [] else path($t.stackTable.prefix[$s]) + [name($t.stackTable.frame[$s])] end;
		  [.name, .pid, .tid, .isMainThread, .samples.weightType, .samples.weight, .samples.time,
		   [.samples.stack[] | path(.) | join(";")]]' "$out" >"$BATS_TEST_TMPDIR/got"
	cat >"$BATS_TEST_TMPDIR/want" <<-END
		["nginx","7",8,false,"tracing-ms",[10.10101,10.10101],[0,100],["main;do_syscall_64","main"]]
		["php-fpm","9",9,true,"tracing-ms",[10.10101,10.10101],[200,1200],["main;do_syscall_64","main;do_syscall_64"]]
	END
	same "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/got"
	# every column of a table is as long as the table says
	jq -e '[.threads[] | .samples, .stackTable, .frameTable, .funcTable, .resourceTable, .markers, .nativeSymbols
		| .length as $n | del(.length, .weightType) | .[] | length == $n] | all and length > 40' "$out"
	jq -e '[.threads[] | .stackTable.category[]] | unique == [0, 2]' "$out"
}

@test "firefox: times that are not in order are sorted, and totals are kept" {
	tac <(sed -n '/"type":"sample"/p' tests/data/commands.samples.ndjson) >"$BATS_TEST_TMPDIR/lines"
	{
		sed -n '1,/"type":"sample"/p' tests/data/commands.samples.ndjson | sed '$d'
		cat "$BATS_TEST_TMPDIR/lines"
		tail -n 1 tests/data/commands.samples.ndjson
	} >"$BATS_TEST_TMPDIR/in"
	run_ok pl-export --to firefox "$BATS_TEST_TMPDIR/in"
	jq -e '[.threads[].samples.time | . == sort] | all' "$out"
	run_ok pl-export --to firefox "$samples"
	jq -e '[.threads[].samples.weight[]] | add == 456' "$out"
	jq -e '[.threads[].name] | unique == ["app (cycles:u)", "app (page-faults)", "cycles:u", "page-faults", "pool 1 (cycles:u)"]' "$out"
}

@test "csv: a line a sample, or a row" {
	printf '%s\n' 'a,b;say "x" 3' '=cmd() 4' | pl-fold-parse --unit samples --event-name e >"$BATS_TEST_TMPDIR/in"
	run_ok pl-export --to csv "$BATS_TEST_TMPDIR/in"
	cat >"$BATS_TEST_TMPDIR/want" <<-'END'
		event,unit,weight,time,pid,tid,comm,cpu,mode,stack
		e,samples,3,,,,,,,"a,b;say ""x"""
		e,samples,4,,,,,,,=cmd()
	END
	same "$BATS_TEST_TMPDIR/want" "$out"
	an_analysis --top-n 2
	run_ok pl-export --to csv --event cycles:u "$BATS_TEST_TMPDIR/analysis"
	# the columns of self weight add up to the event's
	[ "$(tail -n +2 "$out" | awk -F, '{ n += $7 } END { print n }')" = "$(weight_of cycles:u)" ]
	grep -q '^cycles:u,cycles,,\[omitted\],,,70,15.555556,' "$out"
	grep -q '^cycles:u,cycles,,\[no stack\],,,30,6.666667,' "$out"
	# and rows have what the artifact has
	jq -r 'select(.type == "hotspot" and .event == "cycles:u") | [.event, "cycles", .id, .symbol, .dso // "", .kind // "", .self] | map(tostring) | join(",")' \
		"$BATS_TEST_TMPDIR/analysis" >"$BATS_TEST_TMPDIR/rows"
	same "$BATS_TEST_TMPDIR/rows" <(sed -n '2,3p' "$out" | cut -d, -f1-7)
}

@test "the same bytes from a file, and again" {
	local to
	for to in speedscope pprof csv firefox; do
		run_ok pl-export --to $to "$samples"
		mv "$out" "$BATS_TEST_TMPDIR/first"
		run_ok pl-export --to $to <"$samples"
		same "$BATS_TEST_TMPDIR/first" "$out"
	done
}

@test "no samples: nothing to show, and no failure" {
	: | pl-fold-parse >"$BATS_TEST_TMPDIR/in"
	run_ok pl-export --to folded "$BATS_TEST_TMPDIR/in"
	[ ! -s "$out" ]
	run_ok pl-export --to speedscope "$BATS_TEST_TMPDIR/in"
	jq -e '.profiles == []' "$out"
	run_ok pl-export --to pprof "$BATS_TEST_TMPDIR/in"
	[ -z "$(read_pprof "$out")" ]
	run_ok pl-export --to firefox "$BATS_TEST_TMPDIR/in"
	jq -e '.threads == []' "$out"
}

@test "--to is wanted" {
	expect_exit 2 pl-export "$samples"
	grep -q speedscope "$err"
	expect_exit 2 pl-export --to pdf "$samples"
}

@test "pl-export keeps the contract of every program" {
	program_contract pl-export schemas/examples/two-lines.analysis.ndjson --to speedscope
	stream_contract pl-export schemas/examples/two-lines.analysis.ndjson --to folded
	stream_contract pl-export schemas/examples/two-lines.samples.ndjson --to folded
}
