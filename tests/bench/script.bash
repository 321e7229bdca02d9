# shellcheck shell=bash
#
# script: the text of perf script to hotspots, against passing it on with cat, and against perf script itself. The
# recording is made here, of this project's own build and of the folded pipeline: whatever runs on the machine.
# shellcheck disable=SC2154 # what lib.bash sets

fields=comm,pid,tid,cpu,time,event,period,ip,sym,dso

workload() {
	rm -rf build/bench-work
	make -s FLAVOUR=bench-work CC=clang -j2 build/bench-work/libcommon.a
	"$bin/pl-fold-parse" --quiet "$(made "$dir/gen-1000000-50000.folded" "$dir/gen" 1000000 50000 25 1)" |
		"$bin/pl-aggregate" >/dev/null
	rm -rf build/bench-work
}

record() {
	[ -e "$dir/perf.data" ] && return
	export -f workload made
	export bin dir
	perf record -q -a -g -F 19999 -e cpu-clock -o "$dir/perf.part" -- \
		bash -c 'workload; workload' >/dev/null 2>&1 || return
	mv "$dir/perf.part" "$dir/perf.data"
}

script() {
	perf script -i "$dir/perf.data" -F "$fields" 2>/dev/null
}

copy() {
	# shellcheck disable=SC2002 # the pipe is what is measured
	cat "$1" | cat >/dev/null
}
text_hotspots() {
	parse "$2" "$bin/pl-script-parse" --quiet "$1" | aggregate "$2" --no-paths
}
text_paths() {
	parse "$2" "$bin/pl-script-parse" --quiet "$1" | aggregate "$2"
}
perf_script() {
	script >/dev/null
}
perf_hotspots() {
	script | parse "$1" "$bin/pl-script-parse" --quiet | aggregate "$1" --no-paths
}

bench_script() {
	local text round
	printf '\n## The text of perf script\n\n'
	if ! record; then
		echo 'Not measured: perf cannot record the whole machine here.'
		return
	fi
	text=$(made "$dir/perf.txt" script)
	for ((round = 0; round < rounds; round++)); do
		measure copy copy "$text"
		measure text text_hotspots "$text"
		measure text-paths text_paths "$text"
	done
	for ((round = 0; round < rounds; round++)); do
		measure perf-script perf_script
		measure perf-hotspots perf_hotspots
	done
	printf '%d MB, %d samples, recorded with perf record -a -g.\n\n' \
		$(($(stat -c %s "$text") / 1000000)) "$(grep -c '^$' "$text")"
	table
	row 'cat F \| cat (the yardstick)' copy 1 -
	row 'pl-script-parse \| pl-aggregate --no-paths' text "$(ratio text copy)" \
		'≤ 2.0, < 64 MB each'
	row 'pl-script-parse \| pl-aggregate' text-paths "$(ratio text-paths copy)" '≤ 2.5'
	row 'perf script > /dev/null' perf-script 1 -
	row 'perf script \| pl-script-parse \| pl-aggregate --no-paths' perf-hotspots \
		"$(ratio perf-hotspots perf-script)" '≤ 1.15'
}
