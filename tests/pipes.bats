#!/usr/bin/env bats
#
# pipes: pipelines as they are typed into a shell, between our programs and those of others; and
# what happens to them when a neighbour, the disk or a signal ends them.
#
# shellcheck disable=SC2154,SC2016 # out and err are the helper's; jq and sed have a $ of their own

load helper
load records

# A folder as a user has it: out.folded, big.folded.gz, three files of a service.
setup_file() {
	mkdir "$BATS_FILE_TMPDIR/user" && cd "$BATS_FILE_TMPDIR/user" || return 1
	cp "$ROOT/schemas/examples/two-lines.folded" out.folded
	awk -v lines=3000 -v seed=9 -f "$ROOT/tests/ref/folded.awk" |
		sed 's/ \([0-9]*\)$/ 00\1/; s/ 00[0-9]*\([0-9][0-9]\)$/ \1/' | grep -v ' 00*$' >all.folded
	gzip -c all.folded >big.folded.gz
	split -n l/3 all.folded web-
	# far more than pipes hold
	seq -f 'root;middle;leaf%g 1' 100000 | gzip -1 >wide.folded.gz
}

setup() {
	cd "$BATS_FILE_TMPDIR/user" || return 1
	work=$BATS_TEST_TMPDIR/work
	mkdir "$work"
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir "$TMPDIR"
}

# Nothing that a test ran left files where programs put them for a while.
teardown() {
	[ -z "$(ls -A "$TMPDIR")" ] || fail "left in TMPDIR: $(ls -A "$TMPDIR")"
}

# typed LINE: as a shell runs it, every stage being successful.
typed() {
	run_ok bash -o pipefail -c "$1"
}

# ---- as typed ----

@test "pl-fold-parse out.folded | pl-aggregate | pl-report" {
	typed 'pl-fold-parse out.folded | pl-aggregate | pl-report'
	grep -q '^# ' "$out"
	grep -q compute "$out"
	typed 'pl-fold-parse out.folded | pl-aggregate'
	same "$ROOT/schemas/examples/two-lines.analysis.ndjson" "$out"
}

@test "zcat, a filter by jq between, and jq at the end" {
	typed "zcat big.folded.gz | pl-fold-parse | jq -c 'select(.type!=\"sample\" or .weight>10)' | pl-aggregate | jq -r 'select(.type==\"hotspot\").symbol'"
	# the same functions, of the lines over 10, as awk finds them
	zcat big.folded.gz | awk '$NF > 10 { sub(/ [0-9]*$/, ""); n = split($0, f, ";")
		for (i = 1; i <= n; i++) { sub(/_\[[kji]\]$/, "", f[i]); print f[i] } }' |
		LC_ALL=C sort -u >"$work/want"
	LC_ALL=C sort "$out" >"$work/got"
	same "$work/want" "$work/got"
	[ "$(wc -l <"$work/got")" -gt 30 ]
	typed "zcat big.folded.gz | pl-fold-parse | jq -c 'select(.type!=\"sample\" or .weight>10)' | pl-aggregate | jq -c 'select(.type==\"quality\")|[.status,.reasons[0],.announced_samples,.received_samples]'"
	[ "$(cat "$out")" = "[\"partial\",\"stream_filtered\",$(wc -l <all.folded),$(awk '$NF > 10' all.folded | wc -l)]" ]
}

@test "gzip directly, by file and by pipe: the rows of what is unpacked" {
	typed 'zcat big.folded.gz | pl-fold-parse | pl-aggregate'
	cp "$out" "$work/zcat"
	typed 'pl-fold-parse big.folded.gz | pl-aggregate'
	same_rows "$work/zcat"
	typed 'pl-fold-parse <big.folded.gz | pl-aggregate'
	same_rows "$work/zcat"
	typed 'cat big.folded.gz | pl-fold-parse | gzip | pl-aggregate' # streams, too
	same_rows "$work/zcat"
}

@test "many files: xargs -P, partial sums, one merge" {
	typed 'pl-fold-parse web-a? | pl-aggregate --call-path-limit 10K'
	cp "$out" "$work/one"
	typed "printf '%s\0' web-a? | xargs -0 -P 3 -I {} sh -c 'pl-fold-parse \"\$1\" | pl-aggregate --partial --output \"$work/\$1.partial\"' sh {} &&
		pl-aggregate --merge --call-path-limit 10K $work/web-a?.partial"
	same_rows "$work/one"
	typed "pl-aggregate --merge --call-path-limit 10K $work/web-ac.partial $work/web-aa.partial $work/web-ab.partial"
	same_rows "$work/one"
}

@test "many files, one of them bad: the merge is not made" {
	printf 'no weights\nhere\n' >"$work/web-bad"
	expect_exit 123 bash -o pipefail -c "printf '%s\0' web-aa $work/web-bad | xargs -0 -P 2 -I {} sh -c 'pl-fold-parse \"\$1\" | pl-aggregate --partial --output \"$work/\${1##*/}.partial\"' sh {} && pl-aggregate --merge $work/*.partial"
	[ ! -s "$out" ]
	grep -q '^pl-fold-parse: .*web-bad' "$err"
	[ ! -e "$work/web-bad.partial" ]
	[ -e "$work/web-aa.partial" ]
}

@test "grep, head and cut on self-contained samples" {
	typed "pl-fold-parse out.folded | pl-expand | grep -v '\"weight\":182' | pl-aggregate | jq -r 'select(.type==\"hotspot\" and .self>0)|.symbol'"
	[ "$(cat "$out")" = compute ]
}

@test "tee, process substitution, several readers" {
	typed "pl-fold-parse out.folded | tee $work/samples | pl-aggregate >$work/analysis && pl-aggregate <(cat $work/samples)"
	same "$work/analysis" "$out"
	typed 'cat out.folded | pl-fold-parse - out.folded | pl-aggregate - | jq "select(.type==\"event\").weight"'
	[ "$(cat "$out")" = 906 ]
}

# ---- a reader that goes away ----

@test "head closes the pipe early: no noise, SIGPIPE" {
	for stages in 'pl-fold-parse wide.folded.gz' \
		'pl-fold-parse wide.folded.gz | pl-aggregate --call-path-limit 100K --top-n 100K' \
		'pl-fold-parse wide.folded.gz | pl-aggregate --partial' \
		'pl-fold-parse wide.folded.gz | pl-expand'; do
		expect_exit 0 bash -c "$stages | head -n 1; echo \"\${PIPESTATUS[@]}\" >$work/status"
		[ ! -s "$err" ] || fail "$stages: $(cat "$err")"
		[ "$(jq -r .type "$out")" = header ]
		grep -q ' 0$' "$work/status" # head
		grep -q '141 0$' "$work/status" || fail "$stages: $(cat "$work/status")"
	done
	expect_exit 0 bash -c 'pl-fold-parse wide.folded.gz | true'
	[ ! -s "$err" ]
}

# ---- a writer that goes away ----

@test "the parser is killed: no cut-off analysis, the old one stays" {
	mkfifo "$work/fifo"
	echo old >"$work/analysis"
	bash -c "pl-fold-parse $work/fifo & echo \$! >$work/pid; wait" |
		pl-aggregate --output "$work/analysis" 2>"$work/err" &
	exec 8>"$work/fifo" # when it is open, the parser's number is or will be written
	{ zcat wide.folded.gz && zcat wide.folded.gz; } | head -c 3M >&8
	until [ -s "$work/pid" ]; do :; done
	kill -KILL "$(cat "$work/pid")"
	exec 8>&-
	status=0
	wait $! || status=$?
	[ "$status" = 3 ] || fail "exit status $status: $(cat "$work/err")"
	grep -q '^pl-aggregate: standard input.*cut off' "$work/err"
	[ "$(cat "$work/analysis")" = old ]
	[ "$(ls -A "$work")" = $'analysis\nerr\nfifo\npid' ]
}

@test "a parser that failed: the next stage says that nothing came" {
	expect_exit 3 bash -c 'pl-fold-parse none.folded | pl-aggregate'
	[ "$(grep -c '^pl-fold-parse: none.folded: ' "$err")" = 1 ]
	[ "$(grep -c '^pl-aggregate: standard input: .*empty' "$err")" = 1 ]
	[ ! -s "$out" ]
}

@test "stdin closed: exit 2" {
	expect_exit 2 bash -c 'pl-fold-parse <&-'
	grep -q '^pl-fold-parse: standard input: ' "$err"
	expect_exit 2 bash -c 'pl-aggregate <&-'
	grep -q '^pl-aggregate: standard input: ' "$err"
}

# ---- the disk ----

@test "/dev/full: exit 5 and the reason, of either stage" {
	expect_exit 5 bash -c 'pl-fold-parse out.folded | pl-aggregate >/dev/full'
	grep -q '^pl-aggregate: standard output: .*No space left' "$err"
	expect_exit 5 bash -c 'pl-fold-parse wide.folded.gz >/dev/full'
	grep -q '^pl-fold-parse: standard output: .*No space left' "$err"
	expect_exit 5 pl-fold-parse --output /dev/full wide.folded.gz
	grep -q '^pl-fold-parse: /dev/full: .*No space left' "$err"
	run_fail 5 OUTPUT_WRITE_FAILED pl-fold-parse --output /dev/full out.folded
}

# on_small_disk COMMAND: a shell runs it in a folder of 40 KiB.
on_small_disk() {
	local new=(unshare --mount)
	[ "$(id -u)" = 0 ] || new=(unshare --user --map-root-user --mount)
	"${new[@]}" true 2>/dev/null || skip "no mount namespaces here"
	"${new[@]}" mount -t tmpfs -o size=40k tmpfs "$work" 2>/dev/null || skip "tmpfs cannot be mounted"
	"${new[@]}" bash -c "mount -t tmpfs -o size=40k tmpfs '$work' && $1"
}

@test "a full disk: exit 5, the old output untouched, nothing left behind" {
	pl-fold-parse web-aa >"$BATS_TEST_TMPDIR/samples"
	for stage in 'pl-fold-parse wide.folded.gz' \
		"pl-aggregate --call-path-limit 10K $BATS_TEST_TMPDIR/samples" \
		"pl-aggregate --partial $BATS_TEST_TMPDIR/samples"; do
		on_small_disk "echo old >$work/old
			$stage --output $work/old 2>$BATS_TEST_TMPDIR/err && exit 1
			echo \$? && cat $work/old && ls -A $work
			$stage --output $work/new 2>/dev/null && exit 1
			ls -A $work" >"$BATS_TEST_TMPDIR/out"
		[ "$(cat "$BATS_TEST_TMPDIR/out")" = $'5\nold\nold\nold' ] ||
			fail "$stage: $(cat "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/err")"
		grep -q "^${stage%% *}: $work/old: .*No space left" "$BATS_TEST_TMPDIR/err"
	done
}

# ---- signals ----

# hold COMMAND…: starts it with --output and a FIFO as its input, and gives it more than it can keep
# in memory; it waits for the rest. Its number is in $held.
hold() {
	mkfifo "$BATS_TEST_TMPDIR/fifo"
	echo old >"$work/old"
	"$@" --output "$work/old" "$BATS_TEST_TMPDIR/fifo" 2>"$BATS_TEST_TMPDIR/err" 3>&- &
	held=$!
	exec 8>"$BATS_TEST_TMPDIR/fifo"
}

# killed SIGNAL: the held program ends by it and leaves nothing but the old output.
killed() {
	local status=0
	kill "-$1" "$held"
	wait "$held" || status=$?
	exec 8>&-
	[ "$status" = $((128 + $(kill -l "$1"))) ] || fail "exit status $status"
	[ ! -s "$BATS_TEST_TMPDIR/err" ] || fail "$(cat "$BATS_TEST_TMPDIR/err")"
	[ "$(cat "$work/old")" = old ]
	[ "$(ls -A "$work")" = old ] || fail "left behind: $(ls -A "$work")"
}

# The parser has written to its file when it has read 2 MiB of the 3 that went into the FIFO.
hold_parser() {
	hold pl-fold-parse
	{ zcat wide.folded.gz && zcat wide.folded.gz; } | head -c 3M >&8
}

@test "SIGTERM in the middle of a write: old output untouched, nothing left" {
	hold_parser
	killed TERM
}

@test "SIGINT in the middle of a write: likewise" {
	# what a shell starts in the background ignores SIGINT, so this one does not
	hold env --default-signal=INT pl-fold-parse
	{ zcat wide.folded.gz && zcat wide.folded.gz; } | head -c 3M >&8
	killed INT
}

@test "SIGKILL in the middle of a write: likewise" {
	hold_parser
	[ "$(ls -A "$work")" = old ] || skip "this file system has no unnamed files"
	killed KILL
}

@test "SIGTERM and SIGKILL while pl-aggregate reads: likewise" {
	pl-fold-parse wide.folded.gz >"$BATS_TEST_TMPDIR/samples"
	for signal in TERM KILL; do
		hold pl-aggregate --partial
		head -c 3M "$BATS_TEST_TMPDIR/samples" >&8
		killed $signal
		rm "$BATS_TEST_TMPDIR/fifo"
	done
}

# ---- where output goes ----

@test "--output: parents are made, a symlink is followed, a FIFO is written in place" {
	run_ok pl-fold-parse --output "$work/new/folder/samples" out.folded
	same "$ROOT/schemas/examples/two-lines.samples.ndjson" "$work/new/folder/samples"
	echo old >"$work/target"
	ln -s target "$work/link"
	run_ok pl-aggregate --output "$work/link" "$work/new/folder/samples"
	[ -L "$work/link" ]
	same "$ROOT/schemas/examples/two-lines.analysis.ndjson" "$work/target"
	mkfifo "$work/fifo"
	pl-fold-parse --output "$work/fifo" out.folded &
	typed "pl-aggregate <$work/fifo"
	wait $!
	[ -p "$work/fifo" ]
	same "$ROOT/schemas/examples/two-lines.analysis.ndjson" "$out"
	run_ok pl-fold-parse --output /dev/null out.folded
	[ -c /dev/null ]
}
