# shellcheck shell=bash
#
# folded: folded stacks to hotspots, against counting their leaves with mawk, which does nothing else.
# shellcheck disable=SC2154 # what lib.bash sets

# input LINES FRAMES: the generated file, made once.
input() {
	made "$dir/gen-$1-$2.folded" "$dir/gen" "$1" "$2" 25 1
}

# Each takes the input and, last, where its stages log.
leaves() {
	mawk '{n=split($1,a,";"); s[a[n]]+=$NF} END{for(k in s) print k, s[k]}' "$1" >/dev/null
}
hotspots() {
	parse "$2" "$bin/pl-fold-parse" --max-input-bytes 0 "$1" | aggregate "$2" --no-paths
}
hotspots_no_digest() {
	parse "$2" "$bin/pl-fold-parse" --max-input-bytes 0 --no-digest "$1" | aggregate "$2" --no-paths
}
paths() {
	parse "$2" "$bin/pl-fold-parse" --max-input-bytes 0 "$1" | aggregate "$2"
}

bench_folded() {
	local one tenth small ten round
	one=$(input 1000000 50000)
	tenth=$(input 100000 50000)
	small=$(input 100000 5000)
	for ((round = 0; round < rounds; round++)); do
		measure leaves leaves "$one"
		measure hotspots hotspots "$one"
		measure no-digest hotspots_no_digest "$one"
		measure paths paths "$one"
		measure tenth hotspots "$tenth"
		measure small hotspots "$small"
	done
	if [ "${MILLIONS:-10}" -ge 10 ]; then
		ten=$(input 10000000 50000)
		for ((round = 0; round < rounds; round++)); do
			measure ten hotspots "$ten"
		done
	fi

	printf '\n## Folded stacks\n\n"gen 1000000 50000 25 1" makes %d MB.\n\n' \
		$(($(stat -c %s "$one") / 1000000))
	table
	row 'mawk, leaves only, 1 M lines (the yardstick)' leaves 1 -
	row 'pl-fold-parse \| pl-aggregate --no-paths, 1 M' hotspots "$(ratio hotspots leaves)" \
		'≤ 1.2, < 64 MB each'
	row 'the same with --no-digest' no-digest "$(ratio no-digest leaves)" -
	row 'pl-fold-parse \| pl-aggregate, 1 M' paths "$(ratio paths leaves)" '≤ 2.0'
	row '--no-paths, 0.1 M of 50,000 frames; a line to one of 1 M' tenth \
		"$(ratio tenth hotspots 100000 1000000)" '0.75 to 1.25'
	row '--no-paths, 0.1 M of 5,000 frames; a line to one of 1 M' small \
		"$(ratio small hotspots 100000 1000000)" -
	if [ -n "${ten:-}" ]; then
		row '--no-paths, 10 M; a line to one of 1 M' ten \
			"$(ratio ten hotspots 10000000 1000000)" '0.75 to 1.25'
	fi
}
