#!/usr/bin/env bats
#
# perflens.mk: a tree of reports is built by make, rebuilt where an input changed and nowhere else, and
# holds no half output.
#
# shellcheck disable=SC2154 # out and err are the helper's

load helper

setup() {
	mkdir "$BATS_TEST_TMPDIR/tree"
	cd "$BATS_TEST_TMPDIR/tree" || exit
	printf 'main;serve;read 40\nmain;serve;memcpy 25\nmain;idle 3\n' >web.folded
	printf 'main;parse;malloc 7\nmain;parse 5\n' | gzip -n >db.folded.gz
	cat >Makefile <<-END
		include $ROOT/skill/recipes/perflens.mk
		all: web.report.md web.report.html web.flame.svg db.report.md
		change.diff.svg: web.analysis.ndjson db.analysis.ndjson
	END
}

# tree: the names of what is there but the makefile.
tree() {
	find . -type f ! -name Makefile -printf '%f\n' | sort | paste -sd ' '
}

# times FILE…: when each was written.
times() {
	stat -c '%n %y' "$@"
}

@test "an analysis from each kind of input" {
	cp "$ROOT/tests/data/all-kinds.script.txt" kinds.perf-script
	run_ok make -j2 web.analysis.ndjson db.analysis.ndjson
	expect_exit 0 make kinds.analysis.ndjson
	[ "$(tree)" = 'db.analysis.ndjson db.folded.gz kinds.analysis.ndjson kinds.perf-script web.analysis.ndjson web.folded' ]
	run_ok perflens analyze-folded --input web.folded
	same "$out" web.analysis.ndjson
	gunzip -c db.folded.gz | perflens analyze-folded >db
	same <(jq -c 'select(.type=="hotspot")' db) <(jq -c 'select(.type=="hotspot")' db.analysis.ndjson)
	same <(perflens analyze-perf-script --quiet kinds.perf-script) kinds.analysis.ndjson
	: >run.data
	run_ok make -n run.analysis.ndjson
	grep -qx "perflens  *analyze-perf-data  *--input 'run.data' --output 'run.analysis.ndjson'" "$out"
}

@test "what a user sets reaches the commands" {
	run_ok make -n web.analysis.ndjson PERFLENS=/opt/perflens PERFLENS_FLAGS=--quiet \
		PERFLENS_FOLDED_FLAGS='--unit "a b"'
	grep -qxF "/opt/perflens --quiet analyze-folded --unit \"a b\" --input 'web.folded' --output 'web.analysis.ndjson'" "$out"
	run_ok make -n web.report.html PERFLENS_REPORT_FLAGS='--problem "Slow start"'
	grep -q '^perflens  *report --problem "Slow start" --format html --analysis '"'web.analysis.ndjson'" "$out"
	run_ok make web.analysis.ndjson PERFLENS_FOLDED_FLAGS='--event-name "cpu cycles"'
	[ "$(jq -r 'select(.type=="event").name' web.analysis.ndjson)" = 'cpu cycles' ]
}

@test "a tree of reports, and again only what changed" {
	run_ok make -j2
	[ "$(tree)" = 'db.analysis.ndjson db.diagnosis.ndjson db.folded.gz db.report.md web.analysis.ndjson web.diagnosis.ndjson web.flame.svg web.folded web.report.html web.report.md' ]
	# the report is bound to its own diagnosis: the hotspot that a rule knows is in it
	grep -q memory-copy web.report.md
	lacks memory-copy db.report.md
	run_ok make -q
	times db.* >"$BATS_TEST_TMPDIR/db"
	times web.* >"$BATS_TEST_TMPDIR/web"
	printf 'main;serve;write 9\n' >>web.folded
	expect_exit 1 make -q
	run_ok make -n
	lacks "'db\." "$out"
	run_ok make -j2
	same "$BATS_TEST_TMPDIR/db" <(times db.*)
	# each of the six, the input among them, is another one
	[ "$(times web.* | grep -cvxFf "$BATS_TEST_TMPDIR/web")" = 6 ]
	grep -q write web.report.md
	# the report alone, and from what is there
	rm web.report.md
	run_ok make -n
	[ "$(wc -l <"$out")" = 2 ]
	grep -q '^perflens  *report ' "$out"
}

@test "a broken input ends it, and leaves no half output" {
	printf 'main\n' >bad.folded
	printf 'no stack here\nnor here\n' >web.folded
	for target in bad.report.md bad.flame.svg; do
		expect_exit 2 make $target
	done
	expect_exit 2 make -k -j2
	[ "$(tree)" = 'bad.folded db.analysis.ndjson db.diagnosis.ndjson db.folded.gz db.report.md web.folded' ]
	# what was there before stays, and is still owed
	printf 'main;serve 3\n' >web.folded
	run_ok make web.analysis.ndjson
	times web.analysis.ndjson >"$BATS_TEST_TMPDIR/was"
	printf 'broken\n' >web.folded
	expect_exit 2 make web.analysis.ndjson
	same "$BATS_TEST_TMPDIR/was" <(times web.analysis.ndjson)
	expect_exit 1 make -q web.analysis.ndjson
}

@test "a difference of two analyses" {
	run_ok make -j2 change.diff.svg
	[ -s change.diff.svg ]
	run_ok perflens flame --diff web.analysis.ndjson db.analysis.ndjson
	same "$out" change.diff.svg
	run_ok make -j2 other.diff.svg BEFORE=web.analysis.ndjson AFTER=db.analysis.ndjson
	same change.diff.svg other.diff.svg
	expect_exit 2 make none.diff.svg
	grep -q 'none.diff.svg: wants two analyses: BEFORE and AFTER' "$err"
	[ ! -e none.diff.svg ]
}
