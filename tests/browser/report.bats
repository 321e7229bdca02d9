#!/usr/bin/env bats
#
# pl-report's HTML in a browser: it is read on a phone and on a desk, and shows its pictures without
# a script.
#
# shellcheck disable=SC2030,SC2031 # each test is a subshell

load ../helper
load kit

setup_file() {
	export html=$BATS_FILE_TMPDIR/report.html evil=$BATS_FILE_TMPDIR/evil.html
	gzip -dc tests/data/demo.folded.gz | pl-fold-parse --unit samples --event-name cpu-clock |
		pl-aggregate >"$BATS_FILE_TMPDIR/analysis"
	pl-classify "$BATS_FILE_TMPDIR/analysis" >"$BATS_FILE_TMPDIR/diagnosis"
	pl-report --format html --diagnosis "$BATS_FILE_TMPDIR/diagnosis" \
		"$BATS_FILE_TMPDIR/analysis" >"$html"
	pl-report --format html --top 100 tests/data/evil.analysis.ndjson >"$evil"
}

@test "a report is seen" {
	local n
	n=$(colors "$html" 1200 2000)
	[ "$n" -ge 10 ] || fail "only ${n:-no} colours"
}

@test "a report fits a phone, whatever names are in it" {
	page_fits "$html" 360
	page_fits "$html" 1200
	page_fits "$evil" 360
}

@test "tables and pictures that are wider scroll in boxes of their own" {
	local got
	got=$(in_page "$html" 360 '
		const boxes = [...doc.querySelectorAll(".box")];
		const wide = boxes.filter(b => b.scrollWidth > b.clientWidth).length;
		const svg = doc.querySelector("figure svg").getBoundingClientRect();
		return [boxes.length > 5, wide > 3, svg.width > 800, doc.querySelectorAll("script").length].join(" ");')
	[ "$got" = 'true true true 0' ] || fail "got: $got"
}
