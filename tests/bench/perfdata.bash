# shellcheck shell=bash
#
# perfdata: a recording to hotspots, against perf report and perf script on the same file. Recorded here: the whole machine
# while it compiles, packs, and runs Python and shells; by frame pointers, and a smaller one with saved stacks (DWARF).
# shellcheck disable=SC2154 # what lib.bash sets

native_work() {
	local file
	for file in libcommon/[a-e]*.c; do
		gcc -O2 -D_GNU_SOURCE -std=c11 -iquote libcommon -include libcommon/banned.h -c "$file" -o "$dir/work.o"
	done
	cat libcommon/*.c filters/*.c | xz -6 | xz -d >/dev/null
	/usr/bin/python3 -c 'import json
d = {str(i): [i, {"x": i / 7}] for i in range(60000)}
for _ in range(5): json.loads(json.dumps(d))'
	# shellcheck disable=SC2001 # processes are what is wanted
	for file in $(seq 300); do : "$(echo "$file" | sed s/1/2/)"; done
}

# native_record FILE MB PERF-OPTION...: works until there are so many megabytes
native_record() {
	local file=$1 bytes=$(($2 * 1000000)) turns=1
	shift 2
	export -f native_work
	export dir
	while [ ! -e "$file" ]; do
		# shellcheck disable=SC2016 # the inner shell's
		perf record -q -a -e cpu-clock --buildid-all "$@" -o "$file.part" -- \
			bash -c 'for i in $(seq '$turns'); do native_work; done' >"$file.log" 2>&1 || return
		if [ "$(stat -c %s "$file.part")" -ge $bytes ]; then
			mv "$file.part" "$file"
		fi
		turns=$((turns * 2))
	done
	cat "$file" >/dev/null
}

# Each takes the recording and, last, where its stages log.
native() {
	parse "$2" "$bin/pl-data-parse" --quiet --max-input-bytes 0 "$1" |
		"$dir/timed" "$2.names" "$bin/pl-symbolize" | aggregate "$2" "${@:3}"
}
native_hotspots() {
	native "$1" "$2" --no-paths
}
native_paths() {
	native "$1" "$2"
}
report_self() {
	perf report -i "$1" --stdio --no-children -g none >/dev/null 2>&1
}
report_children() {
	perf report -i "$1" --stdio --children -g none >/dev/null 2>&1
}
script_all() {
	perf script -i "$1" -F "$fields" >/dev/null 2>&1
}
script_no_inline() {
	perf script -i "$1" --no-inline -F "$fields" >/dev/null 2>&1
}

# counts FILE: "MB, samples, positions"
native_counts() {
	"$bin/pl-data-parse" --quiet --max-input-bytes 0 "$1" | mawk -v mb=$(($(stat -c %s "$1") / 1000000)) '
		/^{"type":"sample"/ { n++; sub(/.*"stack":\[/, ""); sub(/\].*/, ""); all += split($0, w, ",") }
		END { printf "%d MB, %d samples, %.1f frames each", mb, n, all / n }'
}

bench_perfdata() {
	local frames=$dir/native-fp.data saved=$dir/native-dwarf.data round
	printf '\n## perf.data\n\n'
	if ! native_record "$frames" 100 -g -F 19999; then
		echo 'Not measured: perf cannot record the whole machine here.'
		return
	fi
	for ((round = 0; round < rounds; round++)); do
		measure native native_hotspots "$frames"
		measure native-paths native_paths "$frames"
		measure report-self report_self "$frames"
		measure report-children report_children "$frames"
		measure script-all script_all "$frames"
	done
	printf '%s: perf record -a -g -F 19999 -e cpu-clock.\n\n' "$(native_counts "$frames")"
	table
	row 'perf report --no-children -g none' report-self 1 -
	row 'perf report --children -g none' report-children 1 -
	row 'perf script > /dev/null' script-all 1 -
	row 'pl-data-parse \| pl-symbolize \| pl-aggregate --no-paths, to perf report' native \
		"$(ratio native report-self)" '≤ 0.5, < 512 MB each'
	row 'the same, to perf report --children' native "$(ratio native report-children)" '≤ 0.17'
	row 'the same, to perf script' native "$(ratio native script-all)" '≤ 0.2'
	row 'pl-data-parse \| pl-symbolize \| pl-aggregate, to perf report' native-paths \
		"$(ratio native-paths report-self)" '≤ 0.5'
	row 'the same, to perf report --children' native-paths \
		"$(ratio native-paths report-children)" '≤ 0.17'
	row 'the same, to perf script' native-paths "$(ratio native-paths script-all)" '≤ 0.2'

	native_record "$saved" 100 --call-graph dwarf,8192 -F 499 || return 0
	for ((round = 0; round < rounds; round++)); do
		measure native-saved native_hotspots "$saved"
		measure script-saved script_no_inline "$saved"
	done
	printf '\n%s: perf record -a --call-graph dwarf,8192 -F 499.\n\n' "$(native_counts "$saved")"
	table
	row 'perf script --no-inline > /dev/null' script-saved 1 -
	row 'pl-data-parse \| pl-symbolize \| pl-aggregate --no-paths' native-saved \
		"$(ratio native-saved script-saved)" '≤ 0.6'
}
