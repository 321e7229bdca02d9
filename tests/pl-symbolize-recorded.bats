#!/usr/bin/env bats
#
# pl-symbolize on what perf recorded here and now: known programs, files that changed since, code of
# JIT compilers, the kernel, another mount namespace.
#
# shellcheck disable=SC2016 # jq has a $ of its own
# shellcheck disable=SC2030,SC2031 # each test is a subshell
# shellcheck disable=SC2154 # out and err are the helper's

load helper
load records
load symbols

setup() {
	top=$(realpath "$BATS_TEST_TMPDIR")/top
	mkdir -p "$top/home"
	export HOME=$top/home
	type -P perf >/dev/null || skip "no perf"
	cat >"$top/spin.h" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
extern volatile unsigned long sink;
/* a fixed amount of CPU time, not of turns */
#define SPIN(ms) do { \
	for (clock_t end = clock() + (ms) * (CLOCKS_PER_SEC / 1000); clock() < end;) \
		for (int spin_i = 0; spin_i < 400000; spin_i++) \
			sink += (unsigned long)spin_i; \
	} while (0)
#define NOINLINE __attribute__((noinline))
C
}

frames=(-fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -fno-optimize-sibling-calls)

# share STACK-PART: percent of the weight of the last output whose stack holds it.
share() {
	stacks | awk -v part="$1" '{ w = $1; sub(/^[0-9]+ /, ""); all += w
		if (index(";" $0 ";", ";" part ";")) has += w }
		END { printf "%d\n", all ? 100 * has / all : 0 }'
}

# mostly PART [PERCENT]: at least nine tenths.
mostly() {
	local got
	got=$(share "$1")
	[ "$got" -ge "${2:-90}" ] || fail "$got % of the weight is below $1:" "$(stacks | head -n 20)"
}

never() {
	! stacks | grep -F "$1" || fail "$1 is in a stack"
}

@test "a call that does not return, as the last instruction, names its own caller" {
	cat >"$top/a.c" <<'C'
#include "spin.h"
volatile unsigned long sink;
NOINLINE _Noreturn void finish(void) { SPIN(150); exit(0); }
NOINLINE void caller(void) { sink++; finish(); }
NOINLINE void next_one(void) { sink += 7; }
int main(int argc, char **argv) { if (argc > 5) next_one(); sink += argv != NULL; caller(); }
C
	gcc -O2 -g -fno-reorder-functions -fno-toplevel-reorder "${frames[@]}" -I"$top" -o "$top/a" "$top/a.c"
	# the address behind the call is the next function's, or padding before it
	objdump -d --no-show-raw-insn --disassemble=caller "$top/a" |
		sed -n '/<caller>:/,/^$/p' | grep '^ .*[^[:space:]]' | grep -v nop | tail -n 1 |
		grep -q 'call.*finish'
	record "$top/a.data" -- "$top/a"
	symbolized "$top/a.data"
	mostly 'main;caller;finish'
	never next_one
}

@test "C++ through a shared library and its stub" {
	cat >"$top/lib.cpp" <<'C'
#include "spin.h"
extern volatile unsigned long sink;
namespace lib { struct Worker { void turn(int, const char *); };
NOINLINE void Worker::turn(int ms, const char *) { SPIN(ms); } }
extern "C" void lib_entry(int ms) { lib::Worker().turn(ms, ""); sink++; }
C
	cat >"$top/main.cpp" <<'C'
volatile unsigned long sink;
extern "C" void lib_entry(int);
template <typename T> __attribute__((noinline)) void start(T t) { lib_entry((int)t); sink = sink + 1; }
int main() { start<long>(150); return 0; }
C
	g++ -O1 -g -fPIC -shared "${frames[@]}" -I"$top" -o "$top/liba.so" "$top/lib.cpp"
	g++ -O1 -g "${frames[@]}" -I"$top" -o "$top/a" "$top/main.cpp" -L"$top" -la -Wl,-rpath,"$top"
	record "$top/a.data" --buildid-all -- "$top/a"
	symbolized "$top/a.data"
	mostly 'main;start<long>;lib_entry;lib::Worker::turn'
	holds 'map(select(.type=="module" and (.dso | endswith("/liba.so") or endswith("/a"))))
		| length == 2 and all(.[]; .symbols == "full" and (has("reason") | not))'
}

# spinning OPTION…: a.c to a; main, outer, inner
spinning() {
	cat >"$top/a.c" <<'C'
#include "spin.h"
volatile unsigned long sink;
NOINLINE void inner(int ms) { SPIN(ms); }
NOINLINE void outer(int ms) { inner(ms); sink++; }
int main(void) { outer(150); sink++; return EXTRA; }
C
	gcc -O1 -g "${frames[@]}" -I"$top" -DEXTRA=0 -o "$top/a" "$top/a.c" "$@"
}

@test "static, static PIE, not PIE, lld, stripped with a debuglink" {
	local options
	for options in -static '-static-pie -fPIE' '-no-pie -fno-pie' -fuse-ld=lld -g3; do
		case $options in
		*lld) type -P ld.lld >/dev/null || continue ;;
		esac
		# shellcheck disable=SC2086 # words
		spinning $options
		if [ "$options" = -g3 ]; then
			objcopy --only-keep-debug "$top/a" "$top/a.debug"
			strip "$top/a"
			(cd "$top" && objcopy --add-gnu-debuglink=a.debug a)
		fi
		record "$top/a.data" -- "$top/a"
		symbolized "$top/a.data"
		mostly 'main;outer;inner'
	done
}

@test "a program that was built anew since: all of it is unresolved" {
	spinning
	record "$top/a.data" -- "$top/a"
	spinning -DMORE -O2
	rm -rf "$HOME/.debug"
	symbolized "$top/a.data"
	never inner
	holds 'map(select(.type=="module" and (.dso | endswith("/top/a"))))
		| length == 1 and .[0].symbols == "none" and .[0].reason == "BUILD_ID_MISMATCH"'
	mv "$out" "$top/named"
	run_ok pl-aggregate "$top/named"
	holds 'map(select(.type=="module" and (.dso | endswith("/top/a"))))[0] |
		.reason == "BUILD_ID_MISMATCH" and .unresolved_self == .self and .self_pct > 50'
}

@test "a program that was deleted: through perf's own copy of it" {
	spinning
	record "$top/a.data" -- "$top/a"
	perf --buildid-dir "$HOME/.debug" buildid-cache --add "$top/a"
	rm "$top/a"
	symbolized "$top/a.data"
	mostly 'main;outer;inner'
	rm -rf "$HOME/.debug"
	symbolized "$top/a.data"
	never inner
	holds 'map(select(.type=="module" and (.dso | endswith("/top/a"))))[0] |
		.symbols == "none" and .reason == "FILE_MISSING"'
}

@test "a program without a build ID" {
	spinning -Wl,--build-id=none
	record "$top/a.data" -- "$top/a"
	symbolized "$top/a.data"
	never inner
	holds 'map(select(.type=="module" and (.dso | endswith("/top/a"))))[0].reason == "BUILD_ID_UNKNOWN"'
	symbolized "$top/a.data" --trust-paths
	mostly 'main;outer;inner'
}

@test "recorded with -z, through a pipe, and with build IDs in the maps" {
	spinning
	# perf 6.1 leaves out the build IDs of what it compresses
	record "$top/z.data" -z --buildid-mmap -- "$top/a"
	symbolized "$top/z.data"
	mostly 'main;outer;inner'
	record "$top/m.data" --buildid-mmap -- "$top/a"
	symbolized "$top/m.data"
	mostly 'main;outer;inner'
	# a pipe brings no build IDs of its own
	perf record -q -e cpu-clock -F 4000 -g -o - -- "$top/a" >"$top/p.data" 2>"$top/p.log" </dev/null
	symbolized "$top/p.data" --trust-paths
	mostly 'main;outer;inner'
}

@test "inlined functions are their outer frame's module's" {
	cat >"$top/a.c" <<'C'
#include "spin.h"
volatile unsigned long sink;
static inline __attribute__((always_inline)) void deepest(int i) { sink += (unsigned long)i; sink ^= 5; sink *= 3; sink += 7; sink ^= 9; }
static inline __attribute__((always_inline)) void middle(int i) { deepest(i); }
NOINLINE void outer(void) { for (int k = 0; k < 30000000; k++) middle(k); }
int main(void) { outer(); sink++; return 0; }
C
	gcc -O1 -g "${frames[@]}" -I"$top" -o "$top/a" "$top/a.c"
	record "$top/a.data" -- "$top/a"
	symbolized "$top/a.data" --inlines --lines
	mv "$out" "$top/named"
	run_ok pl-aggregate "$top/named"
	holds 'map(select(.type=="hotspot")) | map(select(.symbol=="deepest"))[0] as $d |
		($d.dso | endswith("/top/a")) and $d.self_pct > 20 and
		(map(select(.symbol=="middle"))[0] | .dso == $d.dso and .inclusive >= $d.self) and
		($d.sources[0] | (.file | endswith("/a.c")) and .line == 3)'
}

@test "the kernel's functions, as a look into /proc/kallsyms has them" {
	cat >"$top/a.c" <<'C'
#include <unistd.h>
#include <sys/syscall.h>
int main(void) { for (int i = 0; i < 400000; i++) syscall(SYS_getppid), close(-1); return 0; }
C
	gcc -O1 -o "$top/a" "$top/a.c"
	grep -qm1 -v '^0000000000000000' /proc/kallsyms || skip "the kernel's addresses are not to be seen"
	record "$top/a.data" -- "$top/a"
	symbolized "$top/a.data"
	jq -r 'reduce inputs as $r ({m: {}, o: []};
		if $r.type == "module" then .m["\($r.id)"] = ($r.dso == "[kernel.kallsyms]")
		elif $r.type == "frame" and .m["\($r.module)"] and $r.offset then
			.o += ["\($r.offset) \(if $r.return then 1 else 0 end) \($r.raw // $r.symbol)"]
		else . end) | .o[]' <(echo '{}') "$out" >"$top/ours"
	[ -s "$top/ours" ] || skip "no sample in the kernel"
	# 16 digits of the same length compare as texts
	while read -r offset is_return name; do
		printf '%016x %s\n' $((offset - is_return)) "$name"
	done <"$top/ours" | sort >"$top/asked"
	awk '$2 ~ /[tTwW]/ && !/\[/ { print $1, "=", $3 }' /proc/kallsyms | sort -s -k1,1 >"$top/syms"
	# at each address the names that its last start has
	sort -s -k1,1 "$top/syms" "$top/asked" | awk '
		$2 == "=" { if ($1 != at) { names = ""; at = $1 } names = names " " $3 " "; next }
		{ held[++n] = $0; known[n] = names }
		END { for (i = 1; i <= n; i++) { split(held[i], w, " ")
			if (!index(known[i], " " w[2] " ")) { print held[i], "not in", known[i]; bad = 1 } }
			exit n == 0 || bad }'
}

@test "[vdso]" {
	cat >"$top/a.c" <<'C'
#include <time.h>
int main(void)
{
	struct timespec t;
	for (int i = 0; i < 5000000; i++)
		clock_gettime(CLOCK_MONOTONIC, &t);
	return (int)t.tv_nsec & 0;
}
C
	gcc -O1 -o "$top/a" "$top/a.c"
	record "$top/a.data" -- "$top/a"
	symbolized "$top/a.data"
	grep -q '"dso":"\[vdso\]"' "$out" || skip "no sample in the vdso"
	holds 'map(select(.type=="module" and .dso=="[vdso]"))[0] |
		.kind == "vdso" and .symbols != "none" and (has("reason") | not)'
	stacks | grep -q 'clock_gettime$'
}

@test "machine code in anonymous memory, by the map that the program writes" {
	cat >"$top/a.c" <<'C'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
/* loop: dec %rdi; jnz loop; ret */
static const unsigned char code[] = {0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3};
int main(int argc, char **argv)
{
	char path[256];
	unsigned char *p = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		-1, 0);
	memcpy(p + 64, code, sizeof code);
	snprintf(path, sizeof path, "%s/perf-%d.map", argv[1], getpid());
	FILE *f = fopen(path, "w");
	fprintf(f, "%lx %zx LSpin;::round and round\n", (unsigned long)(p + 64), sizeof code);
	fclose(f);
	((void (*)(unsigned long))(p + 64))(400000000);
	return argc - 2;
}
C
	[ "$(uname -m)" = x86_64 ] || skip "code for x86-64"
	gcc -O1 -o "$top/a" "$top/a.c"
	record "$top/a.data" -- "$top/a" "$top"
	symbolized "$top/a.data"
	never 'LSpin'
	holds 'map(select(.type=="module" and .kind=="jit"))[0].reason == "JIT_MAP_MISSING"'
	symbolized "$top/a.data" --jit-dir "$top"
	mostly 'LSpin;::round and round'
	mv "$out" "$top/named"
	run_ok pl-aggregate "$top/named"
	holds 'map(select(.type=="hotspot"))[0] | .dso == "[jit]"'
}

@test "node --perf-basic-prof" {
	type -P node >/dev/null || skip "no node"
	cat >"$top/a.js" <<'J'
function hotLoop(n) { let s = 0; for (let i = 0; i < n; i++) s = (s + i * i) % 1000003; return s; }
let total = 0;
for (let end = Date.now() + 400; Date.now() < end;) total += hotLoop(100000);
console.log(total > 0);
J
	record "$top/a.data" -- node --perf-basic-prof "$top/a.js"
	local map
	map=$(jq -r 'select(.type=="sample") | .pid' <(pl-data-parse "$top/a.data") | sort -u |
		while read -r pid; do ls "/tmp/perf-$pid.map" 2>/dev/null || :; done)
	[ -n "$map" ] || skip "node wrote no map"
	symbolized "$top/a.data"
	# shellcheck disable=SC2086 # words
	rm -f $map
	stacks | awk '{ all += $1; if (/hotLoop/) has += $1 } END { exit !(has > all / 4) }' ||
		fail "$(stacks | head)"
}

# The program runs, says that it is done, and stays: its root is there as long as it is.
@test "a process in another mount namespace: --root-of-pid" {
	cat >"$top/a.c" <<'C'
#include "spin.h"
#include <unistd.h>
volatile unsigned long sink;
NOINLINE void inner(int ms) { SPIN(ms); }
NOINLINE void outer(int ms) { inner(ms); sink++; }
int main(int argc, char **argv)
{
	FILE *f = fopen(argv[1], "w");
	outer(150);
	fprintf(f, "%d\n", getpid());
	fclose(f);
	pause();
	return argc;
}
C
	gcc -O1 -g "${frames[@]}" -I"$top" -o "$top/a" "$top/a.c"
	unshare -m --propagation private true 2>"$top/unshare.err" ||
		skip "no namespaces here: $(head -n 1 "$top/unshare.err")"
	mkdir "$top/inside"
	mkfifo "$top/done"
	# shellcheck disable=SC2016 # the inner shell's
	perf record -q -e cpu-clock -F 4000 -g --buildid-mmap -o "$top/a.data" -- \
		unshare -m --propagation private bash -c 'mount -t tmpfs tmpfs "$1/inside" &&
			cp "$1/a" "$1/inside/a" && { "$1/inside/a" "$1/done" & wait; }' - "$top" \
		>"$top/log" 2>&1 </dev/null 3>&- &
	local perf=$! pid
	read -r pid <"$top/done"
	kill -INT "$perf" # which ends the recording and the shell
	wait "$perf" || :
	[ -e "/proc/$pid/root$top/inside/a" ]
	[ ! -e "$top/inside/a" ]
	symbolized "$top/a.data"
	never inner
	symbolized "$top/a.data" --root-of-pid "$pid"
	kill "$pid"
	mostly 'main;outer;inner' 50 # the rest is the shell's
}
