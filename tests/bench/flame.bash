# shellcheck shell=bash
#
# flame: flame graphs. No Debian package has the usual Perl program, so it is not run here: the goal
# is by what it took elsewhere for a million lines of 98,500 distinct stacks, 13.1 s, on a machine
# where mawk counted their leaves in 0.60 s. 0.05 of that is 1.09 of mawk's time.
# shellcheck disable=SC2154 # what lib.bash sets

# Each takes the input and, last, where its stages log.
flame_samples() {
	"$dir/timed" "$2.sum" "$bin/pl-flame" "$1" >/dev/null
}
flame_folded() {
	parse "$2" "$bin/pl-fold-parse" --max-input-bytes 0 "$1" |
		"$dir/timed" "$2.sum" "$bin/pl-flame" >/dev/null
}
flame_leaves() {
	mawk '{n=split($1,a,";"); s[a[n]]+=$NF} END{for(k in s) print k, s[k]}' "$1" >/dev/null
}

# Ten times the same stacks, far from each other.
repeated() {
	local i
	for ((i = 0; i < 10; i++)); do
		cat "$1"
	done
}

bench_flame() {
	local tenth ten samples round
	tenth=$(made "$dir/gen-106000-50000.folded" "$dir/gen" 106000 50000 25 1)
	ten=$(made "$dir/gen-106000-50000-ten.folded" repeated "$tenth")
	samples=$(made "$dir/gen-106000-50000.samples" "$bin/pl-fold-parse" --no-digest "$tenth")
	for ((round = 0; round < rounds; round++)); do
		measure flame-leaves flame_leaves "$ten"
		measure flame-samples flame_samples "$samples"
		measure flame-folded flame_folded "$ten"
	done

	printf '\n## Flame graphs\n\n%d distinct stacks; in folded lines each of them ten times, %d MB.\n\n' \
		"$(sed 's/ [0-9]*$//' "$tenth" | sort -u | wc -l)" $(($(stat -c %s "$ten") / 1000000))
	table
	row 'mawk, leaves only, 1.06 M lines (the yardstick)' flame-leaves 1 -
	row 'pl-flame, samples of 0.1 M distinct paths' flame-samples \
		"$(ratio flame-samples flame-leaves)" '< 1 s'
	row 'pl-fold-parse \| pl-flame, 1.06 M lines' flame-folded \
		"$(ratio flame-folded flame-leaves)" '≤ 1.09 (0.05 of flamegraph.pl elsewhere)'
}
