#!/usr/bin/env bats
# flavours: gcc
#
# agreement: the same recording through pl-data-parse, pl-symbolize and pl-aggregate, and through
# perf report and perf script: at least 99 % of self weight and of inclusive weight on the same
# symbols of the same files. What differs, and why: AGREEMENT.md.
#
# shellcheck disable=SC2030,SC2031 # each test is a subshell
# shellcheck disable=SC2154 # out and err are the helper's

load helper
load records
load symbols

setup() {
	type -P perf >/dev/null || skip "no perf"
	top=$(realpath "$BATS_TEST_TMPDIR")/top
	mkdir -p "$top/home"
	export HOME=$top/home
}

# taken PERF-OPTION… -- COMMAND…: a recording, to $top/perf.data
taken() {
	# runtimes write logs where they stand
	(cd "$top" && perf record -q -e cpu-clock -F 4999 -g --buildid-all -o "$top/perf.data" "$@" \
		>"$top/log" 2>&1 </dev/null) || skip "perf cannot record that here: $(tail -n 1 "$top/log")"
}

# our_rows MEMBER: lines for agreement.awk
our_rows() {
	jq -r --arg member "$1" 'select(.type == "hotspot") |
		[.[$member], .symbol, (.dso // "[unknown]")] | @tsv' "$top/ours"
}

# agrees NAME SHARE THEIRS OURS: says what differs where it is less than the share.
agrees() {
	local name got
	awk -F'\t' -v name="$1" -f tests/ref/agreement.awk "$3" "$4" >"$top/$1.agreement"
	read -r name got _ <"$top/$1.agreement"
	awk -v got="$got" -v least="$2" 'BEGIN { exit !(got >= least) }' ||
		fail "$name: $got %, less than $2 %:" "$(head -n 30 "$top/$1.agreement")"
}

# agree [OPTION…]: options of pl-symbolize
agree() {
	pl-data-parse -q "$top/perf.data" >"$top/parsed"
	pl-symbolize "$@" "$top/parsed" >"$top/named"
	pl-aggregate --quiet --no-paths --top-n 1000000 "$top/named" >"$top/ours"
	our_rows self >"$top/self"
	our_rows inclusive >"$top/inclusive"

	perf report -i "$top/perf.data" --stdio --no-children -g none -t $'\t' -F period,dso,sym \
		2>"$top/log" | awk -F'\t' -f tests/ref/perf-report.awk >"$top/report"
	perf script -i "$top/perf.data" -F period,ip,sym,symoff,dso >"$top/text" 2>"$top/log"
	awk -f tests/ref/perf-script.awk "$top/text" >"$top/script.self"
	awk -v inclusive=1 -f tests/ref/perf-script.awk "$top/text" >"$top/script.inclusive"
	[ -s "$top/report" ]
	[ -s "$top/script.self" ]

	agrees self-report "${least:-99}" "$top/report" "$top/self"
	agrees self-script "${least:-99}" "$top/script.self" "$top/self"
	agrees inclusive "${least:-99}" "$top/script.inclusive" "$top/inclusive"

	# the second road: the text through our own reader
	perf script -i "$top/perf.data" -F comm,pid,tid,time,event,period,ip,sym,dso \
		>"$top/text" 2>"$top/log"
	pl-script-parse -q "$top/text" >"$top/parsed"
	pl-aggregate --quiet --no-paths --top-n 1000000 "$top/parsed" >"$top/ours"
	our_rows self >"$top/second"
	agrees second-road "${least:-99}" "$top/second" "$top/self"
}

c_program() {
	cat >"$top/a.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
__attribute__((noinline)) static void sort(int *v, int n)
{
	for (int i = 0; i < n; i++)
		v[i] = (int)(i * 2654435761u);
	qsort(v, (size_t)n, sizeof *v, compare);
}
__attribute__((noinline)) static size_t text(int n)
{
	char b[64];
	size_t all = 0;
	for (int i = 0; i < n; i++) {
		snprintf(b, sizeof b, "%d %f", i, i / 3.);
		char *copy = strdup(b);
		all += strlen(copy);
		free(copy);
	}
	return all;
}
int main(void)
{
	static int v[200000];
	for (int i = 0; i < 6; i++)
		sort(v, 200000);
	return text(300000) == 0;
}
C
	gcc -O1 -g -fno-omit-frame-pointer -o "$top/a" "$top/a.c"
}

@test "a C program" {
	c_program
	taken -- "$top/a"
	agree
}

@test "a C program, recorded as perf does by itself" {
	c_program
	perf record -q -e cpu-clock -F 4999 -g -o "$top/perf.data" -- "$top/a" >"$top/log" 2>&1 </dev/null ||
		skip "perf cannot record that here: $(tail -n 1 "$top/log")"
	agree --trust-paths
}

@test "a C++ program" {
	cat >"$top/a.cpp" <<'C'
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>
template <typename K> __attribute__((noinline)) size_t fill(K &map, int n)
{
	for (int i = 0; i < n; i++)
		map[std::to_string(i * 7919 % n)] += i;
	return map.size();
}
struct Shape { virtual ~Shape() = default; virtual double area(int) const = 0; virtual double area(double) const = 0; };
struct Square : Shape {
	double area(int x) const override { return x * 2. * x; }
	double area(double x) const override { double s = 0; for (int i = 0; i < 30; i++) s += x * i; return s; }
};
int main()
{
	std::map<std::string, long> sorted;
	std::unordered_map<std::string, long> hashed;
	std::vector<Shape *> shapes(1000, new Square);
	size_t n = fill(sorted, 120000) + fill(hashed, 200000);
	double sum = 0;
	for (int k = 0; k < 1500; k++)
		for (auto *s : shapes)
			sum += s->area(k) + s->area(k / 2.);
	return n == 0 || sum == 0;
}
C
	g++ -O1 -g -fno-omit-frame-pointer -o "$top/a" "$top/a.cpp"
	taken -- "$top/a"
	agree
}

@test "Python" {
	local python
	python=$(type -P /usr/bin/python3 python3 | head -n 1)
	[ -n "$python" ] || skip "no python3"
	taken -- "$python" -c '
import json, re
d = {str(i): [i, str(i) * 3, {"x": i / 7}] for i in range(30000)}
for _ in range(3):
    json.loads(json.dumps(d))
    sum(len(re.sub("[0-4]", "-", k)) for k in d)
    sorted(d, key=lambda k: -d[k][0])'
	agree
}

@test "node, with its map of compiled functions" {
	type -P node >/dev/null || skip "no node"
	cat >"$top/a.js" <<'J'
function parts(n) { const o = []; for (let i = 0; i < n; i++) o.push({ i, s: 'x' + i % 97 }); return o; }
let all = 0;
for (let k = 0; k < 25; k++)
	all += JSON.parse(JSON.stringify(parts(20000))).filter(x => x.s.length > 2).reduce((a, x) => a + x.i, 0);
process.exitCode = all > 0 ? 0 : 1;
J
	taken -- node --perf-basic-prof --interpreted-frames-native-stack "$top/a.js"
	# class H: which code was replaced, and how often it ran, is the engine's choice of the day
	local least=97
	agree
	pl-data-parse -q "$top/perf.data" | jq -r 'select(.type == "sample").pid' | sort -u |
		while read -r pid; do rm -f "/tmp/perf-$pid.map"; done
}

@test "Java, with its map of compiled functions" {
	type -P java >/dev/null || skip "no java"
	cat >"$top/A.java" <<'J'
import java.util.*;
public class A {
	static int work(int n) {
		Map<String, Integer> m = new HashMap<>();
		for (int i = 0; i < n; i++) m.merge("k" + i % 1000, i, Integer::sum);
		return m.size();
	}
	public static void main(String[] a) {
		long all = 0;
		for (int k = 0; k < 60; k++) all += work(50000);
		System.out.println(all);
	}
}
J
	taken -- java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit \
		"$top/A.java"
	agree
	pl-data-parse -q "$top/perf.data" | jq -r 'select(.type == "sample").pid' | sort -u |
		while read -r pid; do rm -f "/tmp/perf-$pid.map"; done
}

@test "the whole machine: a compiler, shells, xz" {
	cat >"$top/work" <<'S'
for file in json num str utf8 args in; do
	gcc -O2 -D_GNU_SOURCE -iquote libcommon -c "libcommon/$file.c" -o "$1/x.o"
done
for i in $(seq 200); do : "$(echo "$i" | sed s/1/2/)"; done
cat libcommon/*.c libcommon/*.c | xz -6 >"$1/x.xz"
S
	taken -a -- bash "$top/work" "$top"
	agree
}
