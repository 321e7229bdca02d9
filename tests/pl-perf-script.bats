#!/usr/bin/env bats
#
# pl-perf-script: what perf is given, what is made of what it does, and that it ends. Most of it with
# stand-ins called perf, which pass the same checks as any perf under --perf-path; the last part
# with the perf of this machine.
#
# shellcheck disable=SC2016 # the stand-ins' scripts expand when they run
# shellcheck disable=SC2154 # out and err are the helper's

load helper

setup() {
	work=$BATS_TEST_TMPDIR
	mkdir "$work/bin"
	perf=$work/bin/perf
	data=$work/perf.data
	printf 'PERFILE2 and what only perf can read' >"$data"
	perf_does 'cat "$work/text"'
	# perf ends a header with a blank
	sed 's/:$/: /' >"$work/text" <<-'END'
		w 7/7 [001] U      10.000000001:    1001001 cpu-clock:
		 	            114a inner+0x11 (/opt/w)
		 	            11ee main+0x21 (/opt/w)

		w 7/8 [000] K      10.000000002:    1001002 cpu-clock:
		 	ffffffff81000010 idle+0x10 ([kernel.kallsyms])

	END
	sed -i 's/^ //' "$work/text"
}

# perf_does BODY: a stand-in that says its version, and else does this; $work is set in it.
perf_does() {
	cat >"$perf.new" <<-END
		#!/bin/sh
		work='$work'
		if [ "\$1" = --version ]; then
		echo 'perf version 9.9.stand-in'
		exit 0
		fi
		$1
	END
	chmod 755 "$perf.new"
	mv "$perf.new" "$perf"
}

convert() {
	pl-perf-script --perf-path "$perf" "$@"
}

sha_of() {
	sha256sum | cut -d ' ' -f 1
}

# gone FILE: the process whose number is in it does not run any more.
gone() {
	local state
	state=$(cut -d ' ' -f 3 "/proc/$(cat "$1")/stat" 2>/dev/null) || return 0
	[ "$state" = Z ] || fail "still running: $(cat "$1")"
}

# ---- every program's contract ----

@test "pl-perf-script keeps what of every program's contract applies to it" {
	set -- pl-perf-script "$data" --perf-path "$perf"
	contract_help "$@"
	contract_version "$@"
	contract_bad_option "$@"
	contract_directory "$@"
	contract_unreadable "$@"
	contract_full "$@"
	contract_closed_stdout "$@"
	contract_output "$@"
	contract_json_errors "$@"
}

@test "the recording by name, by option and on stdin: same bytes" {
	run_ok convert "$data"
	mv "$out" "$work/as-file"
	run_ok convert --input "$data"
	same "$work/as-file" "$out"
	run_ok convert <"$data"
	same "$work/as-file" "$out"
	run_ok convert - <"$data"
	same "$work/as-file" "$out"
}

@test "a pipe is refused: perf reads here and there" {
	run_fail 2 INVALID_INPUT convert < <(cat "$data")
	grep -q 'save the recording' "$err"
	run_fail 2 INVALID_INPUT convert "$data" "$data"
}

@test "what is no recording is not given to perf" {
	perf_does 'touch "$work/started"'
	: >"$work/empty"
	printf 'main;a 3\n' >"$work/folded"
	gzip -c "$data" >"$work/packed"
	run_fail 3 UNSUPPORTED_FORMAT convert "$work/empty"
	run_fail 3 UNSUPPORTED_FORMAT convert "$work/folded"
	grep -q 'analyze-folded' "$err"
	run_fail 3 UNSUPPORTED_FORMAT convert "$work/packed"
	grep -q 'decompress' "$err"
	[ ! -e "$work/started" ]
	printf '2ELIFREP other byte order' >"$work/other"
	run_ok convert "$work/other"
	[ -e "$work/started" ]
}

@test "the parsers of text say what reads a recording, and what reads the other's text" {
	run_fail 3 UNSUPPORTED_FORMAT pl-fold-parse "$data"
	[ "$(jq -r '.suggested_actions[0]' "$err")" = \
		'read it with perflens analyze-perf-data --input FILE' ]
	run_fail 3 UNSUPPORTED_FORMAT pl-script-parse "$data"
	grep -q analyze-perf-data "$err"
	run_fail 3 PROFILE_PARSE_FAILED pl-fold-parse "$work/text"
	grep -q 'pl-script-parse.*analyze-perf-script' "$err"
	printf 'main;a 3\nmain;b;c 4\n' >"$work/folded"
	run_fail 3 PROFILE_PARSE_FAILED pl-script-parse "$work/folded"
	grep -q 'pl-fold-parse.*analyze-folded' "$err"
}

# ---- what perf is given ----

fields=comm,pid,tid,cpu,misc,time,event,period,ip,sym,symoff,dso

@test "argv, environment, stdin, descriptors, group: exactly these" {
	perf_does '
		printf "%s\n" "$@" >"$work/argv"
		tr "\0" "\n" </proc/$$/environ | sort >"$work/env"
		cat >"$work/stdin"
		readlink /proc/$$/fd/0 >"$work/stdin.name"
		cat /proc/self/fd/3 >"$work/file"
		for fd in /proc/$$/fd/*; do echo "${fd##*/}"; done >"$work/fds"
		cut -d " " -f 1,5 /proc/$$/stat | tr " " "\n" | uniq >"$work/group"'
	exec 7</dev/null
	run_ok convert "$data" <<<'not for perf'
	exec 7<&-
	printf '%s\n' script --force --ns -F $fields --show-lost-events --max-stack 4096 --no-inline \
		-i /proc/self/fd/3 >"$work/want"
	same "$work/want" "$work/argv"
	# PWD is what sh makes of nothing
	printf '%s\n' LANG=C LC_ALL=C PATH=/usr/bin:/bin >"$work/want"
	grep -v '^\(PWD\|OLDPWD\|_\|SHLVL\)=' "$work/env" >"$work/env.own"
	same "$work/want" "$work/env.own"
	[ ! -s "$work/stdin" ]
	[ "$(cat "$work/stdin.name")" = /dev/null ]
	cmp "$data" "$work/file"
	# sh has its script open as 10, here its own stdout as 11, and the folder that it lists as 4
	[ "$(grep -vx '4\|1[01]' "$work/fds" | tr '\n' ' ')" = '0 1 2 3 ' ]
	[ "$(wc -l <"$work/group")" = 1 ]
}

@test "--inlines and --srcline ask for them, nothing else does" {
	perf_does 'printf "%s\n" "$*" >"$work/argv"'
	run_ok convert --inlines "$data"
	grep -q -e " -F $fields .* --inline " "$work/argv"
	run_ok convert --srcline "$data"
	grep -q -e " -F $fields,srcline .* --no-inline .* --full-source-path" "$work/argv"
}

# ---- the text ----

@test "perf's text stands between lines that say where it comes from" {
	run_ok convert "$data"
	{
		echo "# pl-perf-script $(pl-perf-script --version | awk '{ print $NF }'):" \
			"perf version 9.9.stand-in, sha256:$(sha_of <"$perf")"
		echo "# pl-perf-script argv: perf script --force --ns -F $fields" \
			"--show-lost-events --max-stack 4096 --no-inline -i /proc/self/fd/3"
		echo "# pl-perf-script input: $(wc -c <"$data") bytes, sha256:$(sha_of <"$data")"
		cat "$work/text"
	} >"$work/want"
	echo "# pl-perf-script end: $(wc -c <"$work/want") bytes, sha256:$(sha_of <"$work/want")" \
		>>"$work/want"
	same "$work/want" "$out"
	run_ok convert --no-digest "$data"
	# of perf only
	[ "$(grep -c sha256 "$out")" = 1 ]
}

@test "a recording without samples is text without samples" {
	perf_does :
	run_ok convert "$data"
	[ "$(grep -c '^# pl-perf-script ' "$out")" = 4 ]
	[ "$(wc -l <"$out")" = 4 ]
	expect_exit 3 perflens analyze-perf-data --via perf-script --perf-path "$perf" "$data"
	run_ok perflens analyze-perf-data --via perf-script --perf-path "$perf" --allow-empty "$data"
}

@test "pl-script-parse: our lines are no records, and a text without its end is refused" {
	run_ok convert "$data"
	mv "$out" "$work/whole"
	run_ok pl-script-parse "$work/whole"
	[ "$(jq -c 'select(.type=="end")|[.samples,.records,.skipped,.lost]' "$out")" = '[2,2,0,0]' ]
	sed '$d' "$work/whole" >"$work/cut"
	run_fail 3 STREAM_TRUNCATED pl-script-parse "$work/cut"
	sed 1d "$work/whole" >"$work/cut"
	run_fail 3 STREAM_TRUNCATED pl-script-parse "$work/cut"
	cat "$work/whole" "$work/text" >"$work/more"
	run_fail 3 STREAM_TRUNCATED pl-script-parse "$work/more"
	run_ok pl-script-parse --transcript "$work/whole"
	run_fail 3 STREAM_TRUNCATED pl-script-parse --transcript "$work/text"
	expect_exit 3 pl-script-parse --transcript </dev/null
	run_ok pl-script-parse "$work/text"
}

@test "analyze-perf-data is analyze-perf-script of the text" {
	local rows='select(.type=="event" or .type=="quality" or .type=="hotspot" or .type=="path")'
	run_ok perflens analyze-perf-data --via perf-script --perf-path "$perf" --input "$data"
	stream_ok "$out"
	jq -c "$rows" "$out" >"$work/data.rows"
	[ "$(jq -c 'select(.type=="event")|[.name,.samples,.weight]' "$out")" = \
		'["cpu-clock",2,2002003]' ]
	run_ok perflens analyze-perf-script --input "$work/text"
	jq -c "$rows" "$out" >"$work/text.rows"
	[ -s "$work/text.rows" ]
	same "$work/text.rows" "$work/data.rows"
}

@test "--via: what else there is not" {
	run_fail 2 INVALID_INPUT perflens analyze-perf-data --via perf --input "$data"
	grep -q 'native, perf-script' "$err"
	run_fail 2 INVALID_INPUT perflens analyze-perf-data --via native --via perf --input "$data"
	run_fail 2 INVALID_INPUT perflens analyze-perf-data --via=perf-script --lines --input "$data"
	run_fail 2 INVALID_INPUT perflens analyze-perf-data --input "$data" --via
	run_fail 2 INVALID_INPUT perflens analyze-folded --via perf-script
	run_ok perflens analyze-perf-data --help
	grep -q -e '--via WAY .*perf-script' "$out"
}

# ---- fields that a recording does not have ----

lacking() { # FIELD ATTRIBUTE: as perf says it, when that field is asked for
	echo 'case ,$5, in *,'"$1"',*)
		echo "Samples for '"'x'"' event do not have '"$2"' attribute set.' \
		"Cannot print '$1' field."'" >&2
		exit 255 ;;
	esac'
}

@test "without the processor, without the time, without both" {
	perf_does "echo \"\$5\" >>\"\$work/asked\"; $(lacking cpu CPU); cat \"\$work/text\""
	run_ok convert "$data"
	printf '%s\n' $fields ${fields/cpu,/} >"$work/want"
	same "$work/want" "$work/asked"
	grep -q "argv: .* -F ${fields/cpu,/} " "$out"
	[ "$(grep -c '^# pl-perf-script' "$out")" = 4 ]
	perf_does "$(lacking time TIME); cat \"\$work/text\""
	run_ok convert "$data"
	grep -q "argv: .* -F ${fields/time,/} " "$out"
	perf_does "$(lacking cpu CPU); $(lacking time TIME); cat \"\$work/text\""
	run_ok convert "$data"
	grep -q "argv: .* -F comm,pid,tid,misc,event,period,ip,sym,symoff,dso " "$out"
}

@test "no other message, no other field, no text before, and not for ever" {
	local asked
	perf_does 'echo x >>"$work/asked"; echo "has no CPU, cannot print" >&2; exit 255'
	run_fail 6 EXTERNAL_TOOL_FAILED convert "$data"
	perf_does "echo x >>\"\$work/asked\"; $(lacking ip IP)"
	run_fail 6 EXTERNAL_TOOL_FAILED convert "$data"
	perf_does "echo x >>\"\$work/asked\"; cat \"\$work/text\"; $(lacking cpu CPU)"
	run_fail 6 EXTERNAL_TOOL_FAILED convert "$data"
	asked=$(wc -l <"$work/asked")
	[ "$asked" = 3 ]
	# it says so whatever it is asked for
	perf_does "echo x >>\"\$work/asked\"; set -- 1 2 3 4 cpu; $(lacking cpu CPU)"
	run_fail 6 EXTERNAL_TOOL_FAILED convert "$data"
	[ "$(wc -l <"$work/asked")" = 5 ]
}

# ---- a perf that does not do as it should ----

@test "it fails half-way: status 6 with its message, and neither file nor analysis appears" {
	perf_does 'cat "$work/text"; echo "first line" >&2; echo "no more memory" >&2; exit 1'
	expect_exit 6 convert "$data"
	grep -q 'first line; no more memory$' "$err"
	! grep -q '^# pl-perf-script end' "$out" || fail 'it announced an end'
	run_fail 6 EXTERNAL_TOOL_FAILED convert --output "$work/text.out" "$data"
	[ ! -e "$work/text.out" ]
	run_fail 6 EXTERNAL_TOOL_FAILED perflens analyze-perf-data --via perf-script --perf-path "$perf" \
		--input "$data" --output "$work/analysis" --allow-empty
	[ "$(jq -r .stage "$err")" = perf-script ]
	[ ! -e "$work/analysis" ]
}

@test "it fails behind a line that looks like our last one: the analysis of before is kept" {
	perf_does 'cat "$work/text"; echo "# pl-perf-script end: 9 bytes"; echo "no more memory" >&2; exit 1'
	echo before >"$work/analysis"
	run_fail 6 EXTERNAL_TOOL_FAILED perflens analyze-perf-data --via perf-script --perf-path "$perf" \
		--input "$data" --output "$work/analysis"
	[ "$(jq -r .stage "$err")" = perf-script ]
	[ "$(cat "$work/analysis")" = before ]
	# and in a pipe of one's own
	set +o pipefail
	convert "$data" 2>/dev/null | pl-script-parse --transcript 2>"$work/err" >"$work/samples" || status=$?
	[ "$status" = 3 ]
	grep -q 'is not whole' "$work/err"
}

@test "it fails at once: no analysis, not even an empty one, and one message" {
	perf_does 'echo "incompatible file format" >&2; exit 255'
	expect_exit 6 perflens analyze-perf-data --via perf-script --perf-path "$perf" --allow-empty \
		--output "$work/analysis" "$data"
	[ "$(wc -l <"$err")" = 1 ]
	grep -q 'status 255: incompatible file format$' "$err"
	[ ! -e "$work/analysis" ]
	expect_exit 2 perflens analyze-perf-data --via perf-script --perf-path "$perf" --allow-empty \
		--output "$work/analysis" "$work/none"
	[ "$(wc -l <"$err")" = 1 ]
	[ ! -e "$work/analysis" ]
}

@test "a signal of its own" {
	perf_does 'cat "$work/text"; kill -SEGV $$'
	run_fail 6 EXTERNAL_TOOL_FAILED convert "$data"
	grep -q 'signal 11' "$err"
}

@test "it closes its pipes and lives on: ended in time" {
	perf_does 'echo $$ >"$work/pid"; cat "$work/text"; exec >&- 2>&- sleep 1000'
	run_fail 6 EXTERNAL_TOOL_TIMEOUT convert --timeout-seconds 1 "$data"
	[ "$(jq -r .retryable "$err")" = true ]
	grep -q -e '--timeout-seconds' "$err"
	gone "$work/pid"
}

@test "it ignores SIGTERM: killed" {
	perf_does 'echo $$ >"$work/pid"; trap "" TERM; while :; do sleep 0.1; done'
	run_fail 6 EXTERNAL_TOOL_TIMEOUT convert --timeout-seconds 1 "$data"
	gone "$work/pid"
}

@test "its child keeps the pipe open: not waited for, and ended" {
	perf_does '(trap "" TERM HUP; exec sleep 1000) & echo $! >"$work/pid"; cat "$work/text"'
	run_ok convert "$data"
	[ "$(grep -c '^w 7/' "$out")" = 2 ]
	tail -n 1 "$out" | grep -q '^# pl-perf-script end:'
	gone "$work/pid"
}

@test "it prints without end: ended at the limit" {
	perf_does 'echo $$ >"$work/pid"; trap "" PIPE; while :; do cat "$work/text"; done 2>&1'
	expect_exit 4 convert --max-input-bytes 64K "$data"
	grep -q 'more than 65536 bytes.*--max-input-bytes' "$err"
	[ "$(wc -c <"$out")" -le 65536 ]
	gone "$work/pid"
	run_fail 4 RESOURCE_LIMIT_EXCEEDED perflens analyze-perf-data --via perf-script --perf-path "$perf" \
		--max-input-bytes 64K --output "$work/analysis" "$data"
	[ ! -e "$work/analysis" ]
}

@test "the limit is of the text: one byte more is too much" {
	local bytes
	run_ok convert "$data"
	bytes=$(wc -c <"$out")
	run_ok convert --max-input-bytes "$bytes" "$data"
	run_fail 4 RESOURCE_LIMIT_EXCEEDED convert --max-input-bytes $((bytes - 1)) "$data"
	run_ok convert --max-input-bytes 0 "$data"
}

@test "it writes to stderr without end: ended in time; much of it: the last lines" {
	perf_does 'trap "" PIPE; exec yes oh dear >&2'
	expect_exit 6 convert --timeout-seconds 1 "$data"
	[ "$(wc -c <"$err")" -le 2000 ]
	perf_does 'cat "$work/text"; seq 100000 >&2; printf "\033[31mred\n" >&2'
	expect_exit 0 convert "$data"
	[ "$(wc -l <"$err")" = 21 ]
	tail -n 2 "$err" >"$work/last"
	printf 'pl-perf-script: perf: %s\n' 100000 '\x1b[31mred' >"$work/want"
	same "$work/want" "$work/last"
	run_ok convert --quiet "$data"
}

@test "it is replaced, or written to, while it runs" {
	perf_does 'cp "$work/bin/perf" "$work/bin/new"; mv "$work/bin/new" "$work/bin/perf"
		cat "$work/text"'
	run_fail 5 PATH_SAFETY_VIOLATION convert --output "$work/text.out" "$data"
	[ "$(jq -r .file "$err")" = "$perf" ]
	[ ! -e "$work/text.out" ]
	# no stamp of time tells that, only what is in it
	perf_does 'cat "$work/text"
		cp -p "$work/bin/perf" "$work/stamp"
		echo "# more" >>"$work/bin/perf"
		touch -r "$work/stamp" "$work/bin/perf"
		exit 0'
	run_fail 5 PATH_SAFETY_VIOLATION perflens analyze-perf-data --via perf-script --perf-path "$perf" \
		--output "$work/analysis" "$data"
	[ ! -e "$work/analysis" ]
}

@test "the recording is written to while perf reads it" {
	perf_does 'cat "$work/text"; echo more >>"$work/perf.data"'
	run_fail 5 PATH_SAFETY_VIOLATION convert --output "$work/text.out" "$data"
	[ "$(jq -r .file "$err")" = "$data" ]
	[ ! -e "$work/text.out" ]
}

# ---- our own end ----

@test "a signal to us ends perf, too, even one that ignores SIGTERM" {
	local us status=0
	mkfifo "$work/fifo"
	perf_does 'echo $$ >"$work/pid"; trap "" TERM; echo started >"$work/fifo"
		while :; do sleep 0.1; done'
	# not through a function: $! must be the program
	pl-perf-script --perf-path "$perf" "$data" >"$work/out" 2>"$work/err" &
	us=$!
	read -r _ <"$work/fifo"
	kill -TERM "$us"
	wait "$us" || status=$?
	[ "$status" = 143 ]
	gone "$work/pid"
}

@test "a reader that goes away ends perf and us, without a word" {
	perf_does 'echo $$ >"$work/pid"; trap "" PIPE; while :; do cat "$work/text"; done 2>&1'
	set +o pipefail
	pl-perf-script --perf-path "$perf" "$data" 2>"$work/err" | head -n 1 >"$work/line"
	[ "$(wc -l <"$work/line")" = 1 ]
	[ ! -s "$work/err" ]
	gone "$work/pid"
}

@test "a reader that does not read: the deadline holds" {
	mkfifo "$work/fifo"
	perf_does 'echo $$ >"$work/pid"; while :; do cat "$work/text"; done'
	exec 5<>"$work/fifo"
	status=0
	convert --timeout-seconds 1 "$data" >"$work/fifo" 2>"$work/err" || status=$?
	exec 5>&-
	[ "$status" = 6 ]
	gone "$work/pid"
}

# ---- which perf ----

@test "--perf-path: what may be started, and what not" {
	run_fail 2 INVALID_INPUT pl-perf-script --perf-path bin/perf "$data"
	run_fail 6 EXTERNAL_TOOL_FAILED pl-perf-script --perf-path "$work/none/perf" "$data"
	mkdir "$work/folder" "$work/folder/perf"
	run_fail 5 PATH_SAFETY_VIOLATION pl-perf-script --perf-path "$work/folder/perf" "$data"
	cp "$perf" "$work/bin/sh"
	run_fail 5 PATH_SAFETY_VIOLATION pl-perf-script --perf-path "$work/bin/sh" "$data"
	ln -s sh "$work/bin/perf_link"
	run_fail 5 PATH_SAFETY_VIOLATION pl-perf-script --perf-path "$work/bin/perf_link" "$data"
	cp "$perf" "$work/bin/perf_6.1"
	run_ok pl-perf-script --perf-path "$work/bin/perf_6.1" "$data"
	ln -s perf_6.1 "$work/bin/link"
	run_ok pl-perf-script --perf-path "$work/bin/link" "$data"
	chmod g+w "$work/bin/perf_6.1"
	run_fail 5 PATH_SAFETY_VIOLATION pl-perf-script --perf-path "$work/bin/perf_6.1" "$data"
	grep -q 'chmod go-w' "$err"
	chmod 702 "$work/bin/perf_6.1"
	run_fail 5 PATH_SAFETY_VIOLATION pl-perf-script --perf-path "$work/bin/perf_6.1" "$data"
	chmod 600 "$work/bin/perf_6.1"
	run_fail 5 PATH_SAFETY_VIOLATION pl-perf-script --perf-path "$work/bin/perf_6.1" "$data"
	mkfifo "$work/bin/perf_fifo"
	chmod 755 "$work/bin/perf_fifo"
	run_fail 5 PATH_SAFETY_VIOLATION pl-perf-script --perf-path "$work/bin/perf_fifo" "$data"
}

@test "one that belongs to somebody else is not started" {
	[ "$(id -u)" = 0 ] || skip "only root can give a file away"
	chown 12345 "$perf"
	run_fail 5 PATH_SAFETY_VIOLATION convert "$data"
}

@test "--version must be perf's" {
	printf '#!/bin/sh\necho "perv 1"\n' >"$perf"
	run_fail 6 EXTERNAL_TOOL_FAILED convert "$data"
	grep -q 'perv 1' "$err"
	printf '#!/bin/sh\necho "perf version 1"; echo "not for this kernel" >&2; exit 2\n' >"$perf"
	run_fail 6 EXTERNAL_TOOL_FAILED convert "$data"
	grep -q 'not for this kernel' "$err"
	printf '#!/bin/sh\nexec yes perf version 1\n' >"$perf"
	run_fail 6 EXTERNAL_TOOL_FAILED convert "$data"
}

# ---- the perf of this machine ----

# needs_perf: records a small workload to $work/real.data, or skips the test.
needs_perf() {
	[ -x /usr/bin/perf ] || skip "there is no /usr/bin/perf"
	cat >"$work/w.c" <<-'END'
		static volatile unsigned long sink;
		__attribute__((noinline)) static void inner(void) { for (int i = 0; i < 20000000; i++) sink += i; }
		__attribute__((noinline)) static void outer(void) { for (int i = 0; i < 10; i++) { inner(); sink++; } }
		int main(void) { outer(); sink++; return 0; }
	END
	gcc -O1 -g -fno-omit-frame-pointer -fno-inline -o "$work/w" "$work/w.c"
	record -g || skip "perf cannot record here: $(tail -n 1 "$work/said")"
}

record() { # OPTION…
	/usr/bin/perf record -q -e cpu-clock -F 499 -o "$work/real.data" "$@" "$work/w" >"$work/said" 2>&1
}

# rows_of COMMAND…: what an analysis says, without where it comes from.
rows_of() {
	"$@" | jq -c 'select(.type=="event" or .type=="quality" or .type=="hotspot" or
		.type=="path" or .type=="module" or .type=="diagnostic")'
}

# as_by_hand FIELDS: a recording that has these gives what the same text gives.
as_by_hand() {
	/usr/bin/perf script --force --ns -F "$1" --show-lost-events --max-stack 4096 --no-inline \
		-i "$work/real.data" >"$work/by-hand"
	rows_of perflens analyze-perf-script "$work/by-hand" >"$work/by-hand.rows"
	rows_of perflens analyze-perf-data --via perf-script --input "$work/real.data" >"$work/rows"
	[ -s "$work/rows" ]
	same "$work/by-hand.rows" "$work/rows"
}

@test "real perf: an analysis of what was recorded" {
	needs_perf
	as_by_hand ${fields/cpu,/}
	# nearly all of it was spent there
	[ "$(jq -r 'select(.type=="hotspot" and .symbol=="inner").self_pct > 80' "$work/rows")" = true ]
	[ "$(jq -r 'select(.type=="hotspot" and .symbol=="main").inclusive_pct > 80' \
		"$work/rows")" = true ]
	[ "$(jq -r 'select(.type=="event").samples' "$work/rows")" = \
		"$(/usr/bin/perf script -F event -i "$work/real.data" | grep -c cpu-clock)" ]
}

@test "real perf: with processors, without times, without chains" {
	needs_perf
	record -g --sample-cpu
	as_by_hand $fields
	record -g --no-timestamp
	as_by_hand comm,pid,tid,misc,event,period,ip,sym,symoff,dso
	record
	as_by_hand ${fields/cpu,/}
}

@test "real perf: lost records are in the analysis" {
	needs_perf
	/usr/bin/perf record -q -m 1 -e cpu-clock -F 25000 -g -o "$work/real.data" "$work/w" 2>"$work/said"
	lost=$(/usr/bin/perf script --show-lost-events -i "$work/real.data" |
		awk '/PERF_RECORD_LOST lost/ { n += $NF } END { print n + 0 }')
	[ "$lost" -gt 0 ] || skip "this machine was fast enough to lose nothing"
	rows_of perflens analyze-perf-data "$work/real.data" >"$work/rows"
	[ "$(jq -s 'map(select(.type=="event").lost) | add' "$work/rows")" = "$lost" ]
	jq 'select(.type=="quality").reasons[]' "$work/rows" | grep -q lost_records
}

@test "real perf: --inlines and --srcline" {
	needs_perf
	run_ok pl-perf-script --inlines --srcline "$work/real.data"
	mv "$out" "$work/text"
	rows_of perflens analyze-perf-script "$work/text" >"$work/rows"
	[ "$(jq -r 'select(.type=="hotspot" and .symbol=="inner").sources[0].file' "$work/rows")" = \
		"$work/w.c" ]
}

@test "real perf: a recording that is cut off is a failure of perf, with its reason" {
	needs_perf
	head -c 500 "$work/real.data" >"$work/cut.data"
	run_fail 6 EXTERNAL_TOOL_FAILED pl-perf-script "$work/cut.data"
	grep -q 'perf script ended with status' "$err"
}
