# shellcheck shell=bash
#
# report: an analysis of 10,000 hotspots and 1,000 call paths to a report, against passing it on with cat.
# shellcheck disable=SC2154 # what lib.bash sets

# report_analysis: the largest analysis that pl-aggregate writes by default.
report_analysis() {
	"$bin/pl-fold-parse" --quiet "$(made "$dir/gen-100000-50000.folded" "$dir/gen" 100000 50000 25 1)" |
		"$bin/pl-aggregate" --quiet
}

report_copy() {
	# shellcheck disable=SC2002 # the pipe is what is measured
	cat "$1" | cat >/dev/null
}
report_usual() {
	"$dir/timed" "$2.sum" "$bin/pl-report" "$1" >/dev/null
}
report_html() {
	"$dir/timed" "$2.sum" "$bin/pl-report" --format html "$1" >/dev/null
}
report_whole() {
	"$dir/timed" "$2.sum" "$bin/pl-report" --top 10000 --call-path-limit 1000 "$1" >/dev/null
}
report_bounded() {
	"$dir/timed" "$2.sum" "$bin/pl-report" --top 10000 --call-path-limit 1000 --max-bytes 100K "$1" >/dev/null
}

bench_report() {
	local analysis round name
	analysis=$(made "$dir/report.analysis.ndjson" report_analysis)
	for ((round = 0; round < rounds; round++)); do
		measure report-copy report_copy "$analysis"
		for name in usual html whole bounded; do
			measure "report-$name" "report_$name" "$analysis"
		done
	done
	printf '\n## Reports\n\nAn analysis of %d MB, %d hotspots and %d call paths.\n\n' \
		$(($(stat -c %s "$analysis") / 1000000)) "$(grep -c '^{"type":"hotspot"' "$analysis")" \
		"$(grep -c '^{"type":"path"' "$analysis")"
	table
	row 'cat, the analysis (the yardstick)' report-copy 1 -
	row 'pl-report' report-usual "$(ratio report-usual report-copy)" '< 0.1 s'
	row 'pl-report --format html' report-html "$(ratio report-html report-copy)" '< 0.1 s'
	row 'pl-report, every row' report-whole "$(ratio report-whole report-copy)" -
	row 'pl-report, every row, --max-bytes 100K' report-bounded "$(ratio report-bounded report-copy)" -
}
