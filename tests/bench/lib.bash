# shellcheck shell=bash
#
# lib: measuring pipelines side by side. In a round each command runs once, one after the other, so that a machine that
# gets slower gets slower for all. Figures are medians over the rounds; a ratio is the median of the ratios of a round.

# shellcheck disable=SC2034 # the parts use it
rounds=${ROUNDS:-5}
bin=$PWD/build/release/bin
dir=$PWD/build/bench
mkdir -p "$dir"

build_tools() {
	local name
	for name in gen timed; do
		"${CC:-cc}" -O2 -o "$dir/$name" "tests/bench/$name.c"
	done
	rm -f "$dir"/*.wall "$dir"/*.parse "$dir"/*.names "$dir"/*.sum "$dir"/*.use
}

# made FILE COMMAND...: FILE, which is made by the command's output where it is not there yet.
made() {
	local file=$1
	shift
	if [ ! -e "$file" ]; then
		"$@" >"$file.part"
		mv "$file.part" "$file"
	fi
	cat "$file" >/dev/null
	printf '%s\n' "$file"
}

# now: microseconds
now() {
	printf '%s\n' "${EPOCHREALTIME/[.,]/}"
}

# measure NAME COMMAND...: appends the wall time of a command (a function; its last argument is where its stages log) to
# NAME.wall.
measure() {
	local name=$1 start end
	shift
	start=$(now)
	"$@" "$dir/$name"
	end=$(now)
	echo $((end - start)) >>"$dir/$name.wall"
}

# parse LOG COMMAND..., aggregate LOG OPTION...: the two stages, timed.
parse() {
	local log=$1
	shift
	"$dir/timed" "$log.parse" "$@"
}
aggregate() {
	local log=$1
	shift
	"$dir/timed" "$log.sum" "$bin/pl-aggregate" --quiet --max-records 100M "$@" >/dev/null
}

median() {
	sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# column FILE N: median of the N-th column
column() {
	awk -v n="$2" '{ print $n }' "$1" | median
}

# ratio A B [LINES-OF-A LINES-OF-B]: median of the rounds' wall times of A over those of B, a line's with LINES
ratio() {
	paste "$dir/$1.wall" "$dir/$2.wall" |
		awk -v a="${3:-1}" -v b="${4:-1}" '{ printf "%.3f\n", $1 / a / ($2 / b) }' | median
}

table() {
	echo '| command | wall s | cpu s | peak MB | ratio | goal |'
	echo '|---|---|---|---|---|---|'
}

# row TEXT NAME RATIO GOAL: cpu is the sum of the stages', the peaks are each one's
row() {
	local wall cpu=- peak=- stage logs=()
	wall=$(column "$dir/$2.wall" 1)
	for stage in parse names sum; do
		[ ! -e "$dir/$2.$stage" ] || logs+=("$dir/$2.$stage")
	done
	if [ "${#logs[@]}" -gt 0 ]; then
		cpu=$(paste "${logs[@]}" | awk '{ c = 0; for (i = 2; i <= NF; i += 3) c += $i; print c }' |
			median | awk '{ printf "%.2f", $1 / 1e6 }')
		peak=
		for stage in "${logs[@]}"; do
			peak+=${peak:++}$(($(column "$stage" 3) / 1024))
		done
	fi
	awk -v text="$1" -v wall="$wall" -v cpu="$cpu" -v peak="$peak" -v ratio="$3" -v goal="$4" 'BEGIN {
		printf "| %s | %.2f | %s | %s | %s | %s |\n", text, wall / 1e6, cpu, peak, ratio, goal }'
}

machine() {
	awk -F': ' '/^model name/ { name = $2; n++ } /^flags/ && / sha_ni/ { sha = "with" } END {
		printf "%d processors, %s, %s SHA instructions\n", n, name, sha ? sha : "without"
	}' /proc/cpuinfo
	printf '%s, %s, %s\n' "Linux $(uname -r | sed 's/-.*//')" \
		"$("${CC:-cc}" --version | head -n 1)" "$(mawk -W version 2>&1 | head -n 1)"
}
