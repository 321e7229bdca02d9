#!/usr/bin/env bats
#
# pl-data-parse: recordings that perf makes here and now, held to what perf script says of them,
# sample by sample and address by address; and recordings that are cut, damaged, or of another kind.
#
# shellcheck disable=SC2154 # out and err are the helper's
# shellcheck disable=SC2016 # jq and awk have dollars of their own

load helper
load records

seeds=tests/fuzz/corpus/data

setup() {
	in=$BATS_TEST_TMPDIR/in.data
	out=$BATS_TEST_TMPDIR/out err=$BATS_TEST_TMPDIR/err
}

# parse FILE: the stream of a recording that is whole is in $out.
parse() {
	run_ok pl-data-parse --quiet "$1"
	stream_ok "$out"
	of end '.malformed == 0'
}

# codes: the diagnostics of $out, each once, sorted.
codes() {
	jq -r 'select(.type == "end") | .diagnostics | keys[]' "$out" | paste -sd' '
}

# record NAME ARGUMENT…: $data is what perf record makes of them, once for all tests.
record() {
	data=$BATS_FILE_TMPDIR/$1.data
	shift
	[ -e "$data" ] || perf record -q -o "$data" "$@" 2>"$BATS_TEST_TMPDIR/said" >/dev/null ||
		fail "$(cat "$BATS_TEST_TMPDIR/said")"
}

# workload: $work is a program with threads of many names; $shell a script that starts programs.
workload() {
	work=$BATS_FILE_TMPDIR/threads shell=$BATS_FILE_TMPDIR/shell
	[ -e "$work" ] || gcc -O1 -g -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -pthread \
		-o "$work" tests/data/threads.c
	cat >"$shell" <<-'END'
		for i in 1 2 3 4 5 6 7 8; do
			seq 20000 | sort -r | wc -l
			(seq 9000 | md5sum) &
			sh -c 'seq 5000 | tail -n 1'
		done
		wait
	END
}

# ours: the samples of $out, one a line: COMM PID/TID [CPU] TIME PERIOD EVENT: ADDRESS…, the leaf
# first; - is an address that nothing is known of.
ours() {
	jq -rn 'foreach inputs as $r ({};
			if $r.type == "frame" then .f[$r.id | tostring] = ($r.offset // "-")
			elif $r.type == "event" then .e[$r.id | tostring] = $r.name else . end;
		if $r.type == "sample" then . as $s |
			"\(($r.comm // ":\($r.tid)") | gsub("\n"; "\\n")) \($r.pid)/\($r.tid) " +
			"[\($r.cpu // "-")] \($r.time) \($r.weight) \($s.e[$r.event | tostring]):" +
			([$r.stack[] | $s.f[tostring] | ltrimstr("0x")] | reverse
			 | map(" " + .) | join(""))
		else empty end)' "$out"
}

# perfs FILE: the same of perf script. Its address column is the offset in the module, as ours is;
# of what it knows no module, the address.
perfs() {
	local fields=comm,pid,tid,cpu,time,period,event,ip,dso
	perf script -i "$1" --ns -F $fields >"$BATS_TEST_TMPDIR/text" 2>"$BATS_TEST_TMPDIR/said" ||
		perf script -i "$1" --ns -F ${fields/cpu,/} >"$BATS_TEST_TMPDIR/text" 2>/dev/null
	# bytes of thread names that are no UTF-8
	LC_ALL=C sed 's/\xff\xfe/\xef\xbf\xbd\xef\xbf\xbd/' "$BATS_TEST_TMPDIR/text" | awk '
	function flush() { if (line != "") print line; line = "" }
	/^\t/ || /^ +[0-9a-f]+ \(/ {
		line = line " " ($2 == "([unknown])" || NF == 1 ? "-" : $1)
		next
	}
	!NF { next }
	!match($0, / +-?[0-9]+\/-?[0-9]+ +(\[[0-9]+\] +)?[0-9]+\.[0-9]+: +[0-9]+ +[^ ].*: *$/) {
		flush()
		half = half $0 "\\n" # a name with a line end in it
		next
	}
	{
		flush()
		comm = half substr($0, 1, RSTART - 1)
		half = ""
		split(substr($0, RSTART), w, / +/)
		i = 3
		cpu = "-"
		if (w[i] ~ /^\[/) {
			cpu = w[i++]
			gsub(/[^0-9]/, "", cpu)
			cpu += 0
		}
		time = w[i]
		gsub(/[.:]/, "", time)
		sub(/^0+/, "", time)
		line = comm " " w[2] " [" cpu "] " time " " w[i + 1] " " w[i + 2]
	}
	END { flush() }'
}

# as_perf_says FILE [SHARE]: the samples of the recording are those of perf script, in its order; at
# least one of them. Parts of them are known to differ, where programs start: between exec and its
# new maps a process has none (perf looks in those of before); code in a memfd has its address; and
# perf 6.1 gives some samples of threads that end no chain. A few may, or a share of all.
as_perf_says() {
	parse "$1"
	ours >"$BATS_TEST_TMPDIR/ours"
	perfs "$1" >"$BATS_TEST_TMPDIR/perfs"
	[ -s "$BATS_TEST_TMPDIR/ours" ] || fail "no samples"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/ours")" = "$(wc -l <"$BATS_TEST_TMPDIR/perfs")" ] ||
		fail "not as many samples"
	paste -d $'\1' "$BATS_TEST_TMPDIR/ours" "$BATS_TEST_TMPDIR/perfs" |
		awk -F $'\1' -v share="${2:-0}" '
		$1 == $2 { next }
		{
			n = split($1, a, " ")
			m = split($2, b, " ")
			known = $1 ~ /^memfd:/ || index($1, $2) == 1
			if (!known && n == m) {
				known = 1
				for (i = 1; i <= n; i++)
					known = known && (a[i] == b[i] || a[i] == "-")
			}
			if (!known) print
			differ += known
		}
		END { if (differ > 6 + share * NR) print differ " of " NR " differ" }' >"$BATS_TEST_TMPDIR/differ"
	[ ! -s "$BATS_TEST_TMPDIR/differ" ] || fail "$(head -n 6 "$BATS_TEST_TMPDIR/differ")"
}

# nearly_as_perf_says FILE: the same where programs start others all the time.
nearly_as_perf_says() {
	as_perf_says "$1" 0.2
}

# in_time: the times of the samples of $out do not go back.
in_time() {
	holds '[.[] | select(.type == "sample").time] | . == sort'
}

# put FILE AT TEXT: writes over the bytes of a file.
put() {
	printf %s "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# ---- recordings that are kept ----

@test "pl-data-parse keeps the contract of every program" {
	program_contract pl-data-parse $seeds/file
}

@test "recordings that are kept, as perf script counted them" {
	local name samples weight
	while read -r name samples weight; do
		parse $seeds/"$name"
		of end "[.samples, ([.events[].weight] | add)] == [$samples, $weight]" || fail "$name"
	done <<-END
		file 10 20000000
		pipe 11 22000000
		compressed 17 17000000
		several-events 16 32000000
		fork 13 26000000
		more-fields 1 2000000
	END
}

@test "a recording of two events, byte for byte" {
	golden several-events.data.samples.ndjson pl-data-parse --quiet $seeds/several-events
	stream_ok "$out"
}

@test "what a recording says of its machine stands in the header, and in every analysis" {
	parse $seeds/file
	of header '.inputs[0] | .format == "perf-data" and .host.arch == "x86_64" and .host.cpus == 2
		and (.host | keys_unsorted) == ["arch", "release", "cpus", "name", "cpu"]
		and .command[:2] == ["/usr/bin/perf", "record"]
		and .sampled.first < .sampled.last'
	jq -c 'select(.type == "header").inputs[0]' "$out" >"$BATS_TEST_TMPDIR/said"
	mv "$out" "$in"
	run_ok pl-aggregate "$in"
	stream_ok "$out"
	[ "$(jq -c 'select(.type == "header").inputs[0].inputs[0] | {format, host, command, sampled}' \
		"$out")" = "$(cat "$BATS_TEST_TMPDIR/said")" ]
	run_ok pl-expand "$in"
	stream_ok "$out"
}

@test "a kernel module keeps its base through pl-expand" {
	local line='{"type":"sample","event":0,"weight":1,"frames":[{"symbol":"f","dso":"[m]","offset":"0x1","module_kind":"kernel","base":"0xff"}]}'
	{
		echo '{"type":"header","schema":"perflens.samples","version":"1.0","producer":{"program":"t","version":"1","options":{}},"inputs":[{"format":"t"}]}'
		echo '{"type":"event","id":0,"name":"e","unit":"samples","weight_source":"count","source":"software"}'
		echo '{"type":"module","id":0,"dso":"[m]","kind":"kernel","base":"0xff"}'
		echo '{"type":"frame","id":0,"symbol":"f","module":0,"offset":"0x1"}'
		echo '{"type":"sample","event":0,"weight":1,"stack":[0]}'
		echo '{"type":"end","samples":1,"events":[{"id":0,"samples":1,"weight":1}],"modules":1,"frames":1,"lost":0,"records":1,"malformed":0,"skipped":0,"replaced":0,"diagnostics":{},"inputs":[{"bytes":1,"lines":1}]}'
	} >"$in"
	run_ok pl-expand "$in"
	stream_ok "$out"
	[ "$(sed -n 3p "$out")" = "$line" ] || fail "$(sed -n 3p "$out")"
}

# ---- real recordings ----

@test "real: threads with names of all kinds, two events, call chains" {
	needs_perf
	workload
	record threads -g -e cpu-clock,page-faults -c 1000000 "$work" $'an\nargument'
	as_perf_says "$data"
	in_time
}

@test "real: pipe mode, from a file and through a pipe" {
	needs_perf
	workload
	perf record -q -g -e cpu-clock -c 1000000 -o - "$work" x 2>/dev/null >"$in"
	as_perf_says "$in"
	mv "$out" "$BATS_TEST_TMPDIR/as-file"
	perf script -i "$in" --ns -F time 2>/dev/null | wc -l >"$BATS_TEST_TMPDIR/n"
	expect_exit 0 pl-data-parse --quiet < <(cat "$in")
	same "$BATS_TEST_TMPDIR/as-file" "$out"
	perf record -q -g -e cpu-clock -c 1000000 -o - "$work" x 2>/dev/null | cat |
		pl-data-parse --quiet >"$out"
	stream_ok "$out"
	of end '.samples > 0 and .malformed == 0'
}

@test "real: compressed" {
	needs_perf
	workload
	perf record -q -z -g -e cpu-clock -c 1000000 -o "$in" "$work" x 2>/dev/null >/dev/null ||
		skip "this perf cannot compress"
	as_perf_says "$in"
}

@test "real: the whole machine, many short processes: in time, names and maps of each" {
	needs_perf
	workload
	record machine -a -g -F 4000 -e cpu-clock bash "$shell"
	nearly_as_perf_says "$data"
	in_time
	holds '[.[] | select(.type == "sample").comm] | unique | contains(["seq", "sort"])'
	holds '[.[] | select(.type == "sample").mode] | unique | contains(["kernel", "user"])'
}

@test "real: build IDs in the mappings, and of all files" {
	needs_perf
	workload
	local id
	id=$(readelf -n "$work" | sed -n 's/.*Build ID: //p')
	record buildid-all --buildid-all -g -e cpu-clock -c 1000000 "$work" x
	as_perf_says "$data"
	of module ".build_id == \"$id\"" <(grep "\"dso\":\"$work\"" "$out")
	perf record -q --buildid-mmap -g -e cpu-clock -c 1000000 -o "$in" "$work" x 2>/dev/null \
		>/dev/null || skip "this perf has no --buildid-mmap"
	as_perf_says "$in"
	of module ".build_id == \"$id\"" <(grep "\"dso\":\"$work\"" "$out")
}

@test "real: frequencies, periods, no call chains, no times" {
	needs_perf
	workload
	record frequency -F 3000 -e cpu-clock "$work" x
	parse "$data"
	of end ".samples == $(perf script -i "$data" -F time 2>/dev/null | wc -l)"
	of end ".events[0].weight == $(perf script -i "$data" -F period 2>/dev/null |
		awk '{ n += $1 } END { print n }')"
	holds 'map(select(.type == "sample").stack | length) | unique == [1]'
	[ "$(jq -rn 'foreach inputs as $r ({}; if $r.type == "frame" then
			.[$r.id | tostring] = ($r.offset // "-") else . end;
			if $r.type == "sample" then .[$r.stack[0] | tostring] else empty end)' "$out" |
		grep -c ffffffff)" = "$(perf script -i "$data" -F ip 2>/dev/null | grep -c ffffffff)" ]
	record no-times --no-timestamp -g -c 1000000 -e cpu-clock "$work" x
	parse "$data"
	holds 'map(select(.type == "sample")) | length > 0 and all(has("time") | not)'
	of end '.samples > 0'
	record fixed -c 1000000 -T -d -g -e cpu-clock "$work" x
	as_perf_says "$data"
}

@test "real: one event named twice, and in groups" {
	needs_perf
	workload
	record group -g -c 1000000 -e '{cpu-clock,task-clock}' "$work" x
	as_perf_says "$data"
	record twice -g -c 1000000 -e cpu-clock -e cpu-clock "$work" x
	parse "$data"
	# what cannot be told apart is one event
	of end ".samples == $(perfs "$data" | wc -l) and (.events | length) == 1"
}

@test "real: a process that runs already" {
	needs_perf
	workload
	"$work" x &
	local pid=$!
	record attach -g -c 1000000 -e cpu-clock -p $pid || true
	wait $pid || true
	[ -s "$data" ] || skip "it was over before perf came"
	expect_exit 0 pl-data-parse --quiet "$data"
	[ "$(jq -n '[inputs | select(.type == "sample").pid] | unique | length' "$out")" -le 1 ]
	ours >"$BATS_TEST_TMPDIR/ours"
	perfs "$data" >"$BATS_TEST_TMPDIR/perfs"
	same "$BATS_TEST_TMPDIR/perfs" "$BATS_TEST_TMPDIR/ours"
}

@test "real: tracepoints keep the size of their payload" {
	needs_perf
	workload
	perf record -q -g -e sched:sched_switch -o "$in" bash "$shell" 2>"$BATS_TEST_TMPDIR/said" \
		>/dev/null || skip "no tracepoints: $(head -n 1 "$BATS_TEST_TMPDIR/said")"
	nearly_as_perf_says "$in"
	of event '[.name, .source] == ["sched:sched_switch", "tracepoint"]'
	holds 'map(select(.type == "sample").payload | test("^raw, [0-9]+ bytes$")) | all'
	# in pipe mode the names come from the recording's own tracing data
	perf record -q -e sched:sched_switch -o - bash "$shell" 2>/dev/null >"$in"
	expect_exit 0 pl-data-parse --quiet "$in"
	of event '.name == "sched:sched_switch"'
}

@test "real: kernel mode alone, and user mode alone" {
	needs_perf
	workload
	record user -g -c 1000000 -e cpu-clock:u "$work" x
	as_perf_says "$data"
	holds 'map(select(.type == "sample").mode) | unique == ["user"]'
	record kernel -g -F 4000 -e cpu-clock:k bash "$shell"
	nearly_as_perf_says "$data"
	holds 'map(select(.type == "sample").mode) | unique == ["kernel"]'
}

# ---- recordings that are not whole ----

@test "perf was killed: what is there is read, and it is said" {
	needs_perf
	workload
	# the workload ends it, and leaves it no time to close the file
	perf record -q -g -m 4 -F 10000 -e cpu-clock -o "$in" \
		sh -c "'$work' x; kill -KILL \$PPID" >/dev/null 2>&1 || true
	[ "$(od -An -tu8 -j48 -N8 "$in" | tr -d ' ')" = 0 ] || fail "perf could close its file"
	expect_exit 0 pl-data-parse "$in"
	stream_ok "$out"
	of end '.samples > 10 and .diagnostics.RECORDING_NOT_CLOSED == 1
		and (.diagnostics | del(.RECORDING_NOT_CLOSED, .RECORD_CUT, .TRUNCATED_STACK) == {})'
	grep -q 'did not finish this recording' "$err" || fail "$(cat "$err")"
	mv "$out" "$BATS_TEST_TMPDIR/stream"
	expect_exit 0 pl-aggregate "$BATS_TEST_TMPDIR/stream"
	of quality '.status == "partial"'
}

@test "cut anywhere: an error that says so, or what is there and a diagnostic" {
	local n size end samples last=-1 now
	size=$(stat -c %s $seeds/file)
	end=$(($(od -An -tu8 -j40 -N8 $seeds/file) + $(od -An -tu8 -j48 -N8 $seeds/file)))
	parse $seeds/file
	samples=$(jq 'select(.type == "end").samples' "$out")
	for n in 0 1 8 9 103 104 200 $((end / 3)) $((end / 2)) $((end - 200)) $((end - 8)) \
		$((end - 1)) "$end" $((end + 9)) $((size - 1)) "$size"; do
		head -c "$n" $seeds/file >"$in"
		status=0
		pl-data-parse --quiet "$in" >"$out" 2>"$err" || status=$?
		if [ "$status" = 3 ]; then
			[ -s "$err" ] || fail "$n: no message"
			# once there are samples there are, however much follows
			[ "$last" = -1 ] || fail "$n: nothing read: $(cat "$err")"
			continue
		fi
		[ "$status" = 0 ] || fail "$n: exit status $status: $(cat "$err")"
		stream_ok "$out"
		now=$(jq 'select(.type == "end").samples' "$out")
		[ "$now" -ge "$last" ] || fail "$n: fewer samples than before"
		last=$now
		if [ "$n" -lt "$end" ]; then
			[[ $(codes) == *RECORDING_CUT* ]] || fail "$n: $(codes)"
		else
			[ "$(codes)" = "" ] || fail "$n: $(codes)"
			[ "$now" = "$samples" ]
		fi
	done
}

@test "packed by gzip, and from standard input" {
	parse $seeds/file
	grep -v '"type":"end"' "$out" >"$BATS_TEST_TMPDIR/as-file"
	gzip -c $seeds/file >"$in"
	parse "$in"
	of end '.inputs[0] | has("packed_sha256")'
	grep -v '"type":"end"' "$out" >"$BATS_TEST_TMPDIR/as-gzip"
	same "$BATS_TEST_TMPDIR/as-file" "$BATS_TEST_TMPDIR/as-gzip"
	run_ok pl-data-parse --quiet <$seeds/file
	grep -v '"type":"end"' "$out" >"$BATS_TEST_TMPDIR/as-stdin"
	same "$BATS_TEST_TMPDIR/as-file" "$BATS_TEST_TMPDIR/as-stdin"
	head -c 300 "$in" >"$BATS_TEST_TMPDIR/cut.gz"
	expect_exit 3 pl-data-parse "$BATS_TEST_TMPDIR/cut.gz"
}

@test "what is no recording of ours is refused, and the message says what it is" {
	cp $seeds/file "$in"
	put "$in" 0 2ELIFREP
	run_fail 3 UNSUPPORTED_FORMAT pl-data-parse "$in"
	grep -q 'other byte order' "$err"
	put "$in" 0 PERFFILE
	run_fail 3 UNSUPPORTED_FORMAT pl-data-parse "$in"
	grep -q 'first format of perf' "$err"
	run_fail 3 UNSUPPORTED_FORMAT pl-data-parse tests/data/all-kinds.script.txt
	grep -q 'pl-script-parse' "$err"
	: >"$in"
	run_fail 3 NO_SAMPLES pl-data-parse "$in"
	grep -q 'empty' "$err"
	head -c 3000 /dev/zero >"$in"
	run_fail 3 UNSUPPORTED_FORMAT pl-data-parse "$in"
}

@test "attributes of a perf of the future: what is known of them is read" {
	local n
	gcc -O1 -o "$BATS_TEST_TMPDIR/grow-attr" tests/data/grow-attr.c
	parse $seeds/pipe
	grep -v '"type":"end"' "$out" >"$BATS_TEST_TMPDIR/now"
	for n in 8 64 4000; do
		"$BATS_TEST_TMPDIR/grow-attr" "$n" <$seeds/pipe >"$in"
		[ "$(stat -c %s "$in")" -gt "$(stat -c %s $seeds/pipe)" ]
		parse "$in"
		grep -v '"type":"end"' "$out" >"$BATS_TEST_TMPDIR/then"
		same "$BATS_TEST_TMPDIR/now" "$BATS_TEST_TMPDIR/then"
	done
}

# Records of no known type: 999, of perf; 40 and 8 (READ), of the kernel.
@test "records of unknown types are skipped by their size, and counted" {
	{
		cat $seeds/pipe
		printf '\xe7\x03\0\0\0\0\x10\0eightbyt'
		printf '\x28\0\0\0\0\0\x48\0%64s' '' | tr ' ' '\0'
		printf '\x08\0\0\0\0\0\x48\0%64s' '' | tr ' ' '\0'
	} >"$in"
	parse "$in"
	of end '[.samples, .skipped, .records, .fields] == [11, 3, 14, {read: 1, unknown: 2}]'
}

@test "records that cannot be: each costs itself" {
	{
		cat $seeds/pipe
		printf '\x03\0\0\0\0\0\x08\0' # COMM without a body
		printf '\x51\0\0\0\0\0\x10\0no zstd!'
		printf '\x01\0\0\0\0\0\0\0' # no size
	} >"$in"
	expect_exit 0 pl-data-parse "$in"
	stream_ok "$out"
	of end '[.samples, .malformed] == [11, 3]'
	[ "$(codes)" = "COMPRESSED_DAMAGED RECORD_CUT" ] || fail "$(codes)"
	grep -q '3 of 14 records are malformed, the first at byte [0-9]* of' "$err" || fail "$(cat "$err")"
}

@test "all is malformed: the stream is whole, and the exit status 3" {
	printf 'PERFILE2\x10\0\0\0\0\0\0\0\x09\0\0\0\x02\0\x10\0eightbyt' >"$in"
	run_fail 3 PROFILE_PARSE_FAILED pl-data-parse "$in"
	of end '[.samples, .malformed, .diagnostics] == [0, 1, {UNKNOWN_EVENT: 1}]'
}

# ---- limits ----

# over OPTION COMMAND…: exit 4, with the option in the message and nothing on stdout.
over() {
	local option=$1
	shift
	run_fail 4 RESOURCE_LIMIT_EXCEEDED "$@"
	[ ! -s "$out" ] || fail "something on stdout"
	jq -r '.suggested_actions[]' "$err" | grep -q -e "$option" || fail "$(cat "$err")"
}

@test "limits: bytes, records, frames, depth" {
	local size frames
	size=$(stat -c %s $seeds/file)
	run_ok pl-data-parse --quiet --max-input-bytes "$size" $seeds/file
	over --max-input-bytes pl-data-parse --max-input-bytes $((size - 1)) $seeds/file
	run_ok pl-data-parse --quiet $seeds/file
	frames=$(jq 'select(.type == "end").frames' "$out")
	run_ok pl-data-parse --quiet --max-unique-frames "$frames" $seeds/file
	over --max-unique-frames pl-data-parse --max-unique-frames $((frames - 1)) $seeds/file
	# records of the kernel, of which mappings and names are some
	run_ok pl-data-parse --quiet --max-records 40 $seeds/file
	over --max-records pl-data-parse --max-records 9 $seeds/file
	run_ok pl-data-parse --quiet --max-stack-depth 5 $seeds/file
	of end '.malformed == 0'
	expect_exit 3 pl-data-parse --quiet --max-stack-depth 4 $seeds/file
	of end '[.samples, .malformed, .diagnostics.STACK_TOO_DEEP] == [0, 10, 10]'
}

# 8 MiB of zeros in a record of a few hundred bytes.
@test "limits: what was compressed counts as it is unpacked" {
	command -v zstd >/dev/null || skip "there is no zstd"
	local n
	head -c 8M /dev/zero | zstd -q -19 >"$BATS_TEST_TMPDIR/bomb"
	n=$(($(stat -c %s "$BATS_TEST_TMPDIR/bomb") + 8))
	[ "$n" -lt 60000 ]
	{
		cat $seeds/pipe
		printf '\x51\0\0\0\0\0'
		printf '%b' "$(printf '\\x%02x\\x%02x' $((n % 256)) $((n / 256)))"
		cat "$BATS_TEST_TMPDIR/bomb"
	} >"$in"
	over --max-input-bytes pl-data-parse --max-input-bytes 1M "$in"
	expect_exit 0 pl-data-parse --max-input-bytes 16M "$in"
	[ "$(codes)" = COMPRESSED_DAMAGED ]
}

@test "real: code that was moved to huge pages is still the file's" {
	needs_perf
	local top=$BATS_TEST_TMPDIR
	# the text that is moved lies within more of it, as in large programs
	printf '.section .note.GNU-stack,"",@progbits\n.section .huge,"ax"\n%s\n%s\n' \
		'.balign 2097152' '.skip 4194304, 0x90' >"$top/pad.s"
	gcc -c -o "$top/pad.o" "$top/pad.s"
	gcc -O1 -fno-omit-frame-pointer -c -o "$top/huge.o" tests/data/huge-text.c
	gcc -Wl,-z,max-page-size=2097152 -o "$top/huge" "$top/pad.o" "$top/huge.o" "$top/pad.o"
	perf record -q -g -e cpu-clock -F 999 --buildid-all -o "$in" "$top/huge" >/dev/null 2>&1
	run_ok pl-data-parse "$in"
	of end '.diagnostics.TEXT_MOVED == 1'
	pl-symbolize "$out" | pl-aggregate >"$top/analysis"
	jq -en --arg dso "$top/huge" '[inputs | select(.type=="hotspot")][0]
		| .symbol == "hot" and .dso == $dso and .self_pct > 60' "$top/analysis"
}

@test "real: code where a library was closed is not the library's" {
	needs_perf
	local top=$BATS_TEST_TMPDIR
	printf '.section .note.GNU-stack,"",@progbits\n.text\n.globl hot\n%s\nhot: ret\n%s\n' \
		'.balign 2097152' '.skip 4194304, 0x90' >"$top/lib.s"
	gcc -shared -nostdlib -Wl,-z,max-page-size=2097152 -o "$top/lib.so" "$top/lib.s"
	gcc -O1 -o "$top/closed" tests/data/closed-library.c -ldl
	perf record -q -e cpu-clock -F 999 --buildid-all -o "$in" "$top/closed" "$top/lib.so" >/dev/null 2>&1
	run_ok pl-data-parse "$in"
	holds 'any(.[]; .type == "module" and .kind == "jit")'
	holds 'all(.[]; .type != "module" or (.dso | endswith("/lib.so") | not))'
	of end '.diagnostics | has("TEXT_MOVED") | not'
}

@test "real: two programs of one path, one inode after the other" {
	needs_perf
	local top=$BATS_TEST_TMPDIR name
	for name in alpha beta; do
		printf 'static volatile long sum;
			__attribute__((noinline)) void %s(void) { for (long i = 0; i < 50000000; i++) sum += i; }
			int main(void) { %s(); return 0; }' $name $name >"$top/$name.c"
		gcc -O1 -o "$top/$name" "$top/$name.c"
	done
	printf 'for i in alpha beta; do rm -f %s; cp %s/$i %s; %s; done' "$top/w" "$top" "$top/w" "$top/w" >"$top/run"
	perf record -q -e cpu-clock -F 999 -o "$in" sh "$top/run" >/dev/null 2>&1
	run_ok pl-data-parse "$in"
	of end '.diagnostics.BUILD_ID_AMBIGUOUS == 1'
	holds 'all(.[]; .type != "module" or (.dso | endswith("/w") | not) or (has("build_id") | not))'
}

@test "real: saved stacks of a recording that perf did not finish" {
	needs_perf
	workload
	record unfinished --call-graph dwarf,1024 -e cpu-clock -c 1000000 "$work" x
	# the offset and the size of the data are at 40 and 48: without a size it was not finished
	local data_end
	data_end=$(od -An -t u8 -j 40 -N 16 "$data" | awk '{ print $1 + $2 }')
	head -c "$data_end" "$data" >"$in"
	dd if=/dev/zero of="$in" bs=1 seek=48 count=8 conv=notrunc status=none
	expect_exit 0 pl-data-parse "$in"
	of end '.samples > 0 and .diagnostics.RECORDING_NOT_CLOSED == 1
		and .diagnostics.UNWIND_NO_BUILD_ID > 0'
}

@test "real: processes outside of perf's PID namespace are not told apart" {
	needs_perf
	unshare -pf --mount-proc true 2>/dev/null || skip "no PID namespace can be made here"
	workload
	local top=$BATS_TEST_TMPDIR
	(while [ ! -e "$top/enough" ]; do "$work" x >/dev/null 2>&1; done) &
	unshare -pf --mount-proc perf record -q -a -e cpu-clock -F 2000 -o "$in" sleep 1 >/dev/null 2>&1
	: >"$top/enough"
	wait
	run_ok pl-data-parse "$in"
	of end '.diagnostics.PID_HIDDEN > 0'
	holds 'all(.[]; .type != "sample" or .pid != 0 or .mode != "user" or (has("comm") | not))'
}

@test "real: the counts of a group that is read together are told" {
	needs_perf
	workload
	record group-read -e '{cpu-clock,page-faults}:S' -c 1000000 "$work" x
	run_ok pl-data-parse "$data"
	of end '.samples > 0 and .diagnostics.GROUP_READ == .samples'
}
