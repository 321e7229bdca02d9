#!/usr/bin/env bats
#
# pl-symbolize: names by position in files that the tests build; which files are believed; what
# passes as it is. With recordings: pl-symbolize-recorded.bats.
#
# shellcheck disable=SC2016 # jq has a $ of its own
# shellcheck disable=SC2030,SC2031 # each test is a subshell
# shellcheck disable=SC2154 # out and err are the helper's

load helper
load records
load symbols

setup() {
	top=$(realpath "$BATS_TEST_TMPDIR")/top
	mkdir -p "$top" "$top/home"
	export HOME=$top/home
	cat >"$top/three.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
volatile unsigned long sink;
__attribute__((noinline)) void alpha(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i * i;
}
__attribute__((noinline)) static void beta(unsigned long n)
{
	alpha(n);
	sink++;
}
__attribute__((noinline)) void gamma_(unsigned long n)
{
	beta(n / 2);
	puts("gamma");
	beta(n / 2);
}
int main(int argc, char **argv)
{
	gamma_(argc > 1 ? strtoul(argv[1], NULL, 10) : 1);
	return 0;
}
C
}

# build NAME OPTION…: three.c
build() {
	gcc -O1 -g -o "$top/$1" "$top/three.c" "${@:2}"
}

# all_three FILE [SYMBOLS-FROM]: the first byte, one inside and the last byte of each of its functions,
# and, as a return address, the byte behind the last.
all_three() {
	local name address size
	module_of "$1"
	while read -r address size _ name; do
		for at in 0 1 $((0x$size - 1)); do
			printf 'frame %s\n' "$(file_offset "$1" $((0x$address + at)))"
			echo "$name" >>"$top/expected"
		done
		printf 'frame 0x%x return\n' $(($(file_offset "$1" $((0x$address))) + 0x$size))
		echo "$name" >>"$top/expected"
	done < <(nm -S "${2:-$1}" | grep -E ' (alpha|beta|gamma_|main)$')
}

# finds_all FILE [SYMBOLS-FROM] [-- OPTION…]
finds_all() {
	local options=()
	: >"$top/expected"
	[ "${2:-}" != -- ] && [ "${3:-}" != -- ] || options=("${@:$#}")
	all_three "$1" "${2:-$1}" >"$top/lines"
	named "${options[@]}" <"$top/lines"
	[ "$(wc -l <"$top/expected")" = 16 ]
	names >"$top/names"
	same "$top/expected" "$top/names"
}

# tiny: a stream with one named position in the program "three", to $top/stream
tiny() {
	build three
	{
		module_of "$top/three"
		position "$top/three" alpha 4
		position "$top/three" beta 4
	} | stream_of >"$top/stream"
}

# ---- the contract ----

@test "keeps the contract of every program, and of those that read streams" {
	tiny
	program_contract pl-symbolize "$top/stream"
	stream_contract pl-symbolize "$top/stream"
}

@test "every line but those of modules and frames passes byte for byte" {
	tiny
	# members in another order, blanks, members of a newer version, records that are not known
	sed -i '1a {"type":"lost", "count":3,"new":[1, 2]}\n{"type":"novelty","a":{ "b" : 1.50 }}' \
		"$top/stream"
	sed -i 's/^{"type":"sample","event":0,\(.*\)}$/{ "event":0, \1,"type":"sample" ,"x":"\\u00e9\/"}/' \
		"$top/stream"
	run_ok pl-symbolize "$top/stream"
	grep -vE '"type":"(header|module|frame)"' "$top/stream" >"$top/before"
	grep -vE '"type":"(header|module|frame)"' "$out" >"$top/after"
	[ "$(wc -l <"$top/before")" = 6 ]
	same "$top/before" "$top/after"
	expect names alpha beta
}

@test "ids and unknown members of modules and frames stay" {
	tiny
	sed -i 's/^\({"type":"\(module\|frame\)".*\)}$/\1,"later":{"a":[null,1]}}/' "$top/stream"
	run_ok pl-symbolize "$top/stream"
	holds 'map(select(.type=="module" or .type=="frame")) |
		length == 3 and all(.[]; .later == {a: [null, 1]}) and map(.id) == [0, 0, 1]'
}

@test "twice is once" {
	tiny
	run_ok pl-symbolize --lines --inlines "$top/stream"
	mv "$out" "$top/once"
	run_ok pl-symbolize --lines --inlines "$top/once"
	tail -n +2 "$top/once" >"$top/once.body"
	tail -n +2 "$out" >"$top/twice.body"
	same "$top/once.body" "$top/twice.body"
}

@test "the same bytes whatever way the stream arrives" {
	tiny
	run_ok pl-symbolize "$top/stream"
	mv "$out" "$top/as-file"
	run_ok pl-symbolize < <(while IFS= read -r line; do printf '%s\n' "$line"; done <"$top/stream")
	same "$top/as-file" "$out"
}

@test "a frame that has a name keeps it, and one without an offset stays unknown" {
	tiny
	sed -i -e '/"id":0,"symbol"/s/"unknown"/"mine"/' \
		-e '/"id":1,"symbol"/s/,"offset":"[^"]*"//' "$top/stream"
	run_ok pl-symbolize "$top/stream"
	expect names mine unknown
}

@test "offsets that are none, and modules that were not defined" {
	tiny
	sed 's/"offset":"0x/"offset":"0y/' "$top/stream" >"$top/bad"
	run_fail 3 PROFILE_PARSE_FAILED pl-symbolize "$top/bad"
	sed '/"id":0,"symbol"/s/"module":0/"module":7/' "$top/stream" >"$top/bad"
	run_ok pl-symbolize "$top/bad"
	expect names unknown beta
	{
		module_of "$top/three"
		printf 'frame 0x0 return\nframe 0xffffffffffffffff\nframe 0x7fffffffffffffff return\n'
	} >"$top/lines"
	named <"$top/lines"
	expect names unknown unknown unknown
}

# ---- names ----

@test "each byte of each function: PIE, not PIE, static, static PIE" {
	local options
	for options in '-pie -fPIE' '-no-pie -fno-pie' '-static' '-static-pie -fPIE' \
		'-ffunction-sections -Wl,--gc-sections' '-Wl,-z,separate-code' '-Wl,-z,noseparate-code'; do
		# shellcheck disable=SC2086 # words
		build three $options
		finds_all "$top/three"
		expect reasons 'full null'
	done
}

@test "each byte of each function: clang, lld, offsets that are no addresses" {
	type -P clang ld.lld >/dev/null || skip "no clang, or no ld.lld"
	clang -O1 -g -fuse-ld=lld -o "$top/three" "$top/three.c"
	[ "$(offset_of "$top/three" alpha)" != "$(address_of "$top/three" alpha | sed 's/0x0*/0x/')" ]
	finds_all "$top/three"
}

@test "a shared library, by its own symbols and, stripped, by those that it exports" {
	gcc -O1 -shared -fPIC -o "$top/lib.so" "$top/three.c"
	finds_all "$top/lib.so"
	expect reasons 'full null'
	cp "$top/lib.so" "$top/whole.so"
	strip "$top/lib.so"
	{
		module_of "$top/lib.so"
		position "$top/whole.so" alpha 3
		position "$top/whole.so" gamma_ 3
		position "$top/whole.so" main 3
	} >"$top/lines"
	named <"$top/lines"
	expect names alpha gamma_ main
	holds 'map(select(.type=="module"))[0].symbols == "dynamic"'
	# beta is not exported: nothing may take its place
	{
		module_of "$top/lib.so"
		position "$top/whole.so" beta 3
	} >"$top/lines"
	named <"$top/lines"
	expect names unknown
}

@test "C++ without parameters: overloads are one, the mangled name is told" {
	cat >"$top/a.cpp" <<'C'
volatile long sink;
namespace outer { namespace {
__attribute__((noinline)) void hidden(int) { sink = sink + 1; }
} struct S {
	__attribute__((noinline)) void run(int) { sink = sink + 1; }
	__attribute__((noinline)) void run(double, char const (&)[4]) { sink = sink + 2; }
	template <typename T> __attribute__((noinline)) T made(T t) { sink = sink + 3; return t; }
	__attribute__((noinline)) long operator()(long x) { return sink = x + sink; }
	__attribute__((noinline)) virtual ~S() { sink = sink + 4; }
}; }
int main(void) { outer::S s; s.run(1); s.run(1., "abc"); s.made<int>(1); s(2); outer::hidden(3); }
C
	g++ -O1 -g -o "$top/a" "$top/a.cpp"
	{
		module_of "$top/a"
		for name in _ZN5outer1S3runEi _ZN5outer1S3runEdRA4_Kc _ZN5outer1S4madeIiEET_S2_ \
			_ZN5outer1SclEl _ZN5outer12_GLOBAL__N_16hiddenEi _ZN5outer1SD0Ev main; do
			position "$top/a" "$name" 2
		done
	} >"$top/lines"
	named <"$top/lines"
	expect names outer::S::run outer::S::run 'outer::S::made<int>' 'outer::S::operator()' \
		'outer::(anonymous namespace)::hidden' 'outer::S::~S' main
	holds 'map(select(.type=="frame").raw)[0:3] ==
		["_ZN5outer1S3runEi", "_ZN5outer1S3runEdRA4_Kc", "_ZN5outer1S4madeIiEET_S2_"]
		and (map(select(.type=="frame"))[-1] | has("raw") | not)'
}

@test "Rust, in both manglings" {
	type -P rustc >/dev/null || skip "no rustc"
	cat >"$top/a.rs" <<'R'
mod inner {
	#[inline(never)]
	pub fn work<T: std::fmt::Debug>(t: T, n: u64) -> u64 {
		let mut sum = 0;
		for i in 0..n { sum ^= std::hint::black_box(i * i); }
		std::hint::black_box(&t);
		sum
	}
}
fn main() { std::process::exit((inner::work("x", 10) > 1000) as i32) }
R
	local version mangled
	for version in legacy v0; do
		HOME=/root rustc -C opt-level=1 -C symbol-mangling-version=$version -o "$top/$version" \
			"$top/a.rs" 2>"$top/rust.err" || skip "rustc: $(head -n 1 "$top/rust.err")"
		mangled=$(nm "$top/$version" | awk '/inner/ && /work/ { print $3; exit }')
		{
			module_of "$top/$version"
			position "$top/$version" "$mangled" 1
		} | sed 's/ - / 00 /' >"$top/lines"
		if grep -q ' 00 ' "$top/lines"; then # no build ID by default
			sed -i 's/ 00 / - /' "$top/lines"
			named --trust-paths <"$top/lines"
		else
			named <"$top/lines"
		fi
		names >"$top/got"
		case $version in
		legacy) [ "$(cat "$top/got")" = legacy::inner::work ] || fail "$(cat "$top/got")" ;;
		v0) [ "$(cat "$top/got")" = 'v0::inner::work::<&str>' ] || fail "$(cat "$top/got")" ;;
		esac
		jq -e --arg raw "$mangled" 'select(.type=="frame").raw == $raw' "$out" >/dev/null
	done
}

@test "names of stubs, as objdump has them" {
	local options
	for options in '-fcf-protection=none' '-fcf-protection=full -Wl,-z,ibtplt' '-static-pie -fPIE' \
		'-fuse-ld=lld'; do
		case $options in
		*lld) type -P ld.lld >/dev/null || continue ;;
		esac
		# shellcheck disable=SC2086 # words
		build three $options
		# what the disassembler finds at calls of them
		objdump -d --no-show-raw-insn "$top/three" |
			sed -n 's/^0*\([0-9a-f]*\) <\(.*@plt\)>:$/\1 \2/p' >"$top/stubs"
		[ -s "$top/stubs" ] || continue
		grep -q 'puts@plt' "$top/stubs" || [[ $options == -static* ]]
		{
			module_of "$top/three"
			while read -r address name; do
				printf 'frame %s\n' "$(file_offset "$top/three" $((0x$address)))"
				echo "$name" >>"$top/want.$options"
			done < <(grep -v '\*ABS\*' "$top/stubs")
		} >"$top/lines"
		named <"$top/lines"
		names >"$top/got"
		same "$top/want.$options" "$top/got"
	done
}

@test "versions are no part of names" {
	cat >"$top/v.c" <<'C'
volatile int sink;
__attribute__((noinline)) void old_one(void) { sink += 1; }
__attribute__((noinline)) void new_one(void) { sink += 2; }
__asm__(".symver old_one,thing@V1");
__asm__(".symver new_one,thing@@V2");
C
	printf 'V1 { global: thing; local: *; };\nV2 { global: thing; } V1;\n' >"$top/v.map"
	gcc -O1 -shared -fPIC -Wl,--version-script="$top/v.map" -o "$top/v.so" "$top/v.c"
	nm "$top/v.so" | grep -q 'thing@'
	local first second
	first=$(nm -D "$top/v.so" | awk '/thing@V1/ { print "0x" $1 }')
	second=$(nm -D "$top/v.so" | awk '/thing@@V2/ { print "0x" $1 }')
	{
		module_of "$top/v.so"
		printf 'frame %s\n' "$(file_offset "$top/v.so" $((first + 1)))"
		printf 'frame %s\n' "$(file_offset "$top/v.so" $((second + 1)))"
	} >"$top/lines"
	strip "$top/v.so"
	named <"$top/lines"
	expect names thing thing
	holds 'map(select(.type=="frame").raw) == [null, null]'
}

@test "of several names the one that perf takes; labels without a size" {
	cat >"$top/s.s" <<'S'
	.text
	.globl _aa, bb, weak_longer_name
	.weak weak_longer_name
	.type _aa, @function
	.type bb, @function
	.type weak_longer_name, @function
weak_longer_name:
_aa:
bb:
	nop
	nop
	.size _aa, 2
	.size bb, 2
	.size weak_longer_name, 2
label:
	nop
	nop
	.globl _start
	.type _start, @function
_start:
	hlt
	.size _start, 1
S
	gcc -nostdlib -static -Wl,--build-id -o "$top/s" "$top/s.s"
	{
		module_of "$top/s"
		position "$top/s" bb 1
		position "$top/s" label 1
		position "$top/s" _start
	} >"$top/lines"
	named <"$top/lines"
	expect names bb label _start
}

@test "the cold part of a function is that function; --raw-names tells it apart" {
	cat >"$top/c.c" <<'C'
#include <stdlib.h>
volatile long sink;
__attribute__((cold, noinline)) void rare(void) { sink += 3; }
__attribute__((noinline)) long hot(long n)
{
	for (long i = 0; i < n; i++) {
		if (__builtin_expect(sink < 0, 0)) {
			rare();
			sink = sink * 3;
			abort();
		}
		sink += i;
	}
	return sink;
}
int main(int argc, char **argv) { return (int)hot(argc) & 1; }
C
	gcc -O2 -g -freorder-blocks-and-partition -o "$top/c" "$top/c.c"
	nm "$top/c" | grep -q ' hot.cold' || skip "this gcc made no hot.cold"
	{
		module_of "$top/c"
		position "$top/c" hot.cold
		position "$top/c" hot
	} >"$top/lines"
	named <"$top/lines"
	expect names hot hot
	holds 'map(select(.type=="frame").raw) == ["hot.cold", null]'
	named --raw-names <"$top/lines"
	expect names hot.cold hot
}

# ---- stripped files, and what belongs to them ----

@test "stripped of all: no symbols, and it says so" {
	build three
	cp "$top/three" "$top/whole"
	strip "$top/three"
	{
		module_of "$top/three"
		position "$top/whole" alpha 3
	} >"$top/lines"
	named <"$top/lines"
	expect names unknown
	holds 'map(select(.type=="module"))[0] | .symbols != "full"'
}

# strip_to FILE DEBUG: the debug information of a file moves.
strip_to() {
	objcopy --only-keep-debug "$1" "$2"
	strip --strip-all "$1"
	(cd "$(dirname "$2")" && objcopy --add-gnu-debuglink="$(basename "$2")" "$1")
}

@test "debug information beside the file, in .debug, below --debug-root, by build ID" {
	build whole
	local id place
	id=$(build_id "$top/whole")
	mkdir -p "$top/.debug" "$top/root$top" "$top/root/.build-id/${id:0:2}" "$top/away"
	for place in "$top/three.debug" "$top/.debug/three.debug" "$top/root$top/three.debug" \
		"$top/root/.build-id/${id:0:2}/${id:2}.debug"; do
		cp "$top/whole" "$top/three"
		strip_to "$top/three" "$top/away/three.debug"
		mv "$top/away/three.debug" "$place"
		finds_all "$top/three" "$top/whole" -- --debug-root="$top/root"
		expect reasons 'full null'
		rm "$place"
		# the counterpart: without it there are no names
		named --debug-root="$top/root" <"$top/lines"
		[ "$(names | sort -u)" = unknown ]
	done
}

@test "a debug file with another CRC, and one with another build ID, is not believed" {
	build whole -Wl,--build-id=none
	cp "$top/whole" "$top/three"
	strip_to "$top/three" "$top/three.debug"
	finds_all "$top/three" "$top/whole" -- --trust-paths
	printf 'x' >>"$top/three.debug"
	named --trust-paths <"$top/lines"
	[ "$(names | sort -u)" = unknown ]

	build whole
	cp "$top/whole" "$top/three"
	strip_to "$top/three" "$top/three.debug"
	build other -DOTHER -O0
	objcopy --only-keep-debug "$top/other" "$top/three.debug"
	: >"$top/expected"
	all_three "$top/three" "$top/whole" >"$top/lines"
	named <"$top/lines"
	[ "$(names | sort -u)" = unknown ]
}

@test "symbols in .gnu_debugdata" {
	build whole
	nm -D "$top/whole" --format=posix --defined-only | awk '{ print $1 }' | sort >"$top/dynamic"
	nm "$top/whole" --format=posix --defined-only |
		awk '$2 ~ /^[Tt]$/ { print $1 }' | sort >"$top/functions"
	comm -13 "$top/dynamic" "$top/functions" >"$top/keep"
	objcopy --only-keep-debug "$top/whole" "$top/mini"
	objcopy -S --remove-section .comment --keep-symbols="$top/keep" "$top/mini" "$top/mini2"
	xz -f "$top/mini2"
	strip --strip-all -o "$top/three" "$top/whole"
	objcopy --add-section .gnu_debugdata="$top/mini2.xz" "$top/three"
	finds_all "$top/three" "$top/whole"
	expect reasons 'full null'
	head -c 200 "$top/mini2.xz" >"$top/cut.xz"
	strip --strip-all -o "$top/three" "$top/whole"
	objcopy --add-section .gnu_debugdata="$top/cut.xz" "$top/three"
	named <"$top/lines"
	[ "$(names | sort -u)" = unknown ]
}

@test "a stripped file at the path does not hide perf's copy that has all symbols" {
	build whole
	local id cached
	id=$(build_id "$top/whole")
	cached=$HOME/.debug/.build-id/${id:0:2}/${id:2}
	mkdir -p "$cached"
	strip -o "$top/three" "$top/whole"
	cp "$top/three" "$cached/elf"
	all_three "$top/three" "$top/whole" >"$top/lines"
	named <"$top/lines"
	[ "$(names | sort -u)" = unknown ]
	cp "$top/whole" "$cached/elf"
	finds_all "$top/three" "$top/whole"
	expect reasons 'full null'
	named --lines <"$top/lines"
	holds 'map(select(.type=="frame")) | all(.[]; .source.file | endswith("/three.c"))'
	# another build's copy is none
	build other -DOTHER -O2
	cp "$top/other" "$cached/elf"
	named <"$top/lines"
	[ "$(names | sort -u)" = unknown ]
}

@test "a debug file alone, by build ID, where it tells the offsets of the program" {
	local linker id
	for linker in bfd lld; do
		[ $linker = bfd ] || type -P ld.lld >/dev/null || continue
		build whole -fuse-ld=$linker -Wl,--build-id
		id=$(build_id "$top/whole")
		mkdir -p "$top/root/.build-id/${id:0:2}"
		{
			module_of "$top/whole"
			position "$top/whole" alpha 3
			position "$top/whole" main 3
		} >"$top/lines"
		cp "$top/whole" "$top/stripped"
		# its program headers are those of the program
		eu-strip -f "$top/root/.build-id/${id:0:2}/${id:2}.debug" "$top/stripped"
		cp "$top/whole" "$top/kept"
		rm "$top/whole"
		named --debug-root "$top/root" <"$top/lines"
		expect names alpha main
		expect reasons 'full null'
		named --lines --debug-root "$top/root" <"$top/lines"
		holds 'map(select(.type=="frame")) | all(.[]; .source.file | endswith("/three.c"))'
		# those that objcopy leaves are not
		objcopy --only-keep-debug "$top/kept" "$top/root/.build-id/${id:0:2}/${id:2}.debug"
		named --debug-root "$top/root" <"$top/lines"
		expect names unknown unknown
		expect reasons 'none FILE_MISSING'
	done
}

# ---- which file is believed ----

@test "another build of the same file is never used" {
	tiny
	build three -DOTHER -O2
	run_ok pl-symbolize "$top/stream"
	expect names unknown unknown
	expect reasons 'none BUILD_ID_MISMATCH'
	run_ok pl-symbolize --trust-paths "$top/stream"
	expect names unknown unknown
	expect reasons 'none BUILD_ID_MISMATCH'
	rm "$top/three"
	run_ok pl-symbolize "$top/stream"
	expect reasons 'none FILE_MISSING'
}

@test "a build ID that only begins alike is another one" {
	tiny
	local id
	id=$(build_id "$top/three")
	sed -i "s/$id/${id%??}/" "$top/stream"
	run_ok pl-symbolize "$top/stream"
	expect reasons 'none BUILD_ID_MISMATCH'
}

@test "no build ID in the recording: only with --trust-paths" {
	tiny
	sed -i 's/,"build_id":"[^"]*"//' "$top/stream"
	run_ok pl-symbolize "$top/stream"
	expect names unknown unknown
	expect reasons 'none BUILD_ID_UNKNOWN'
	run_ok pl-symbolize --trust-paths "$top/stream"
	expect names alpha beta
	of header '.producer.options == {trust_paths: true}'
}

@test "--trust-paths does not believe in files that were deleted, nor in those of a guest" {
	tiny
	sed 's/,"build_id":"[^"]*"//' "$top/stream" >"$top/none"
	local edit
	for edit in 's/"kind":"user"/"kind":"deleted"/' 's/"kind":"user"/"kind":"guest"/' \
		's/"dso":"[^"]*/& (deleted)/'; do
		sed "$edit" "$top/none" >"$top/asked"
		run_ok pl-symbolize --trust-paths "$top/asked"
		expect names unknown unknown
		expect reasons 'none BUILD_ID_UNKNOWN'
		# by a build ID they are what they are
		sed "$edit" "$top/stream" >"$top/asked"
		run_ok pl-symbolize --trust-paths "$top/asked"
		expect names alpha beta
	done
}

@test "a build ID in the recording, and a file without one" {
	tiny
	build three -Wl,--build-id=none
	run_ok pl-symbolize --trust-paths "$top/stream"
	expect reasons 'none BUILD_ID_MISMATCH'
}

@test "perf's cache of what it recorded, by build ID, and checked" {
	tiny
	local id cached
	id=$(build_id "$top/three")
	cached=$HOME/.debug/.build-id/${id:0:2}/${id:2}
	mkdir -p "$cached"
	mv "$top/three" "$cached/elf"
	run_ok pl-symbolize "$top/stream"
	expect names alpha beta
	expect reasons 'full null'
	sed 's,"dso":"[^"]*","dso":"/memfd:x (deleted)",' "$top/stream" >"$top/memfd"
	run_ok pl-symbolize "$top/memfd"
	expect names alpha beta
	build three -DOTHER -O2
	cp "$top/three" "$cached/elf"
	run_ok pl-symbolize "$top/stream"
	expect names unknown unknown
	expect reasons 'none BUILD_ID_MISMATCH'
}

@test "--path-map: the first that matches, whole folders only; --sysroot" {
	tiny
	mkdir -p "$top/a/x" "$top/b"
	mv "$top/three" "$top/b/three"
	run_ok pl-symbolize --path-map "$top=$top/b" "$top/stream"
	expect names alpha beta
	run_ok pl-symbolize --path-map "$top=$top/a" --path-map "$top=$top/b" "$top/stream"
	expect reasons 'none FILE_MISSING'
	run_ok pl-symbolize --path-map "$top/thr=$top/b/thr" --path-map "${top%?}=/none" \
		--path-map "$top/=$top/b/" "$top/stream"
	expect names alpha beta
	sed "s,\"dso\":\"$top/three\",\"dso\":\"/three\"," "$top/stream" >"$top/moved"
	run_ok pl-symbolize --sysroot "$top/b" "$top/moved"
	expect names alpha beta
	run_fail 2 INVALID_INPUT pl-symbolize --path-map relative=/x "$top/stream"
	run_fail 2 INVALID_INPUT pl-symbolize --path-map /x "$top/stream"
}

@test "--sysroot, --root-of-pid: links and .. stay in that system" {
	tiny
	mkdir -p "$top/root/opt" "$top/root/tmp"
	ln -s "$top/three" "$top/root/opt/out"
	ln -s /opt/real "$top/root/opt/in"
	for dso in /opt/out "/../..$top/three" "/opt/../../..$top/three"; do
		sed "s,\"dso\":\"$top/three\",\"dso\":\"$dso\"," "$top/stream" >"$top/moved"
		run_ok pl-symbolize --sysroot "$top/root" --trust-paths "$top/moved"
		expect names unknown unknown
		expect reasons 'none FILE_MISSING'
	done
	cp "$top/three" "$top/root/opt/real"
	for dso in /opt/in /../opt/real /opt/../opt/in; do
		sed "s,\"dso\":\"$top/three\",\"dso\":\"$dso\"," "$top/stream" >"$top/moved"
		run_ok pl-symbolize --sysroot "$top/root" "$top/moved"
		expect names alpha beta
	done
	run_fail 2 INVALID_INPUT pl-symbolize --sysroot "$top/none" "$top/moved"
	run_fail 2 INVALID_INPUT pl-symbolize --sysroot "$top" --root-of-pid $$ "$top/moved"
}

@test "a file that was deleted is looked for by its name, and believed by its build ID" {
	tiny
	sed -i "s,\"dso\":\"$top/three\",\"dso\":\"$top/three (deleted)\"," "$top/stream"
	run_ok pl-symbolize "$top/stream"
	expect names alpha beta
	build three -DOTHER -O2
	run_ok pl-symbolize "$top/stream"
	expect reasons 'none BUILD_ID_MISMATCH'
}

# ---- hostile files ----

@test "what is no regular file is not opened" {
	tiny
	local what
	for what in fifo folder loop device; do
		rm -rf "$top/three"
		case $what in
		fifo) mkfifo "$top/three" ;;
		folder) mkdir "$top/three" ;;
		loop) ln -s three "$top/three" ;;
		device) ln -s /dev/zero "$top/three" ;;
		esac
		run_ok pl-symbolize "$top/stream"
		expect names unknown unknown
		holds 'map(select(.type=="module"))[0] | .symbols == "none" and (.reason | startswith("FILE_"))'
	done
}

@test "files of garbage: no name, a reason, and the rest goes on" {
	tiny
	build good -O2
	{
		for name in empty text cut; do
			printf 'module %s/%s %040d\nframe 0x1234\n' "$top" $name 1
		done
		module_of "$top/good"
		position "$top/good" alpha
	} >"$top/lines"
	: >"$top/empty"
	echo 'text' >"$top/text"
	head -c 60 "$top/three" >"$top/cut"
	named <"$top/lines"
	expect names unknown unknown unknown alpha
	holds 'map(select(.type=="module")) | all(.[0:3][]; .symbols == "none" and .reason != null)'
}

@test "symbol tables and debug information overwritten, the build ID kept" {
	tiny
	build good -O2
	local seed section offset size
	{
		module_of "$top/three"
		position "$top/three" alpha 4
		position "$top/three" beta 4
		module_of "$top/good"
		position "$top/good" alpha
	} >"$top/lines"
	cp "$top/three" "$top/whole"
	for section in .symtab .strtab .debug_info .debug_line .debug_abbrev .debug_str .plt .rela.plt; do
		read -r offset size < <(readelf -SW "$top/whole" | sed 's/^ *\[ *[0-9]*\] *//' |
			awk -v name="$section" '$1 == name { print "0x" $4, "0x" $5 }')
		for seed in 1 2 3; do
			cp "$top/whole" "$top/three"
			LC_ALL=C awk -v n=$((size)) -v seed=$seed 'BEGIN { srand(seed)
				for (i = 0; i < n; i++) printf "%c", seed == 1 ? 255 : 1 + int(rand() * 255) }' |
				dd of="$top/three" bs=1 seek=$((offset)) conv=notrunc status=none
			expect_exit 0 pl-symbolize --inlines --lines - < <(stream_of <"$top/lines")
			stream_ok "$out"
			[ "$(names | tail -n 1)" = alpha ]
		done
	done
}

@test "headers overwritten: each multiple of four bytes of them in turn" {
	tiny
	local at n
	cp "$top/three" "$top/whole"
	n=$(readelf -hW "$top/whole" | awk '/Size of program headers/ { size = $5 }
		/Number of program headers/ { print 64 + size * $5 }')
	for ((at = 4; at < n; at += 12)); do
		cp "$top/whole" "$top/three"
		printf '\377\377\377\377' | dd of="$top/three" bs=1 seek=$at conv=notrunc status=none
		expect_exit 0 pl-symbolize --inlines --lines "$top/stream"
		[ "$(names | wc -l)" = 2 ]
	done
}

@test "--roots: nothing outside of them is read" {
	tiny
	mkdir "$top/elsewhere"
	run_ok pl-symbolize --roots "$top" "$top/stream"
	expect names alpha beta
	needs_sandbox
	run_ok pl-symbolize --roots "$top/elsewhere" "$top/stream"
	expect names unknown unknown
	expect reasons 'none FILE_UNREADABLE'
	run_fail 2 INVALID_INPUT pl-symbolize --roots "$top/none" "$top/stream"
}

@test "nothing below /proc, /sys, /dev and /run is read" {
	needs_sandbox
	tiny
	sed "s,\"dso\":\"$top/three\",\"dso\":\"/proc/$$/root$top/three\"," "$top/stream" >"$top/proc"
	run_ok pl-symbolize "$top/proc"
	expect names unknown unknown
	expect reasons 'none FILE_UNREADABLE'
	run_ok pl-symbolize --root-of-pid $$ "$top/stream"
	expect names alpha beta
}

@test "a process that is not there, and --root-of-pid that is no number" {
	tiny
	run_fail 2 INVALID_INPUT pl-symbolize --root-of-pid self "$top/stream"
	run_fail 2 INVALID_INPUT pl-symbolize --root-of-pid 0 "$top/stream"
}

# ---- the kernel ----

kallsyms() {
	printf '%s\n' 'ffffffff81000000 T _text' 'ffffffff81000000 T _stext' \
		'ffffffff81000100 t one' 'ffffffff81000200 t __other_two' 'ffffffff81000200 T two' \
		'ffffffff81000300 D data_is_no_function' 'ffffffff81000400 W three.isra.0' \
		$'ffffffffa0000000 t in_module\t[fake]' >"$top/kallsyms"
}

@test "--kallsyms: names of a kernel that is not ours" {
	kallsyms
	{
		echo 'module [kernel.kallsyms] - kernel 0xffffffff81000000'
		printf 'frame %s\n' 0xffffffff81000100 '0xffffffff81000200 return' 0xffffffff81000210 \
			0xffffffff81000350 0xffffffff81000404 0xffffffff80ffffff
		echo "module [fake] - kernel 0xffffffffa0000000"
		echo 'frame 0x10'
	} >"$top/lines"
	named --kallsyms "$top/kallsyms" <"$top/lines"
	expect names one one two two three unknown in_module
	# where it was moved to when it was recorded: 2 MiB higher
	{
		echo 'module [kernel.kallsyms] - kernel 0xffffffff81200000'
		printf 'frame %s\n' 0xffffffff81200100 0xffffffff81200210
	} >"$top/lines"
	named --kallsyms "$top/kallsyms" <"$top/lines"
	expect names one two
}

@test "--kallsyms: the last function of the kernel, and of a module, reaches by a page" {
	# 0x…1010 to the end of the page behind; 0x…2000, which begins with one, to its end; one that is
	# cut by the next module
	printf '%s\n' 'ffffffff81000000 T _text' 'ffffffff81001010 T last' \
		$'ffffffffa0002000 t last_of_a\t[a]' $'ffffffffa0003800 t last_of_b\t[b]' \
		$'ffffffffa0004000 t first_of_c\t[c]' $'ffffffffa0104000 t last_of_c\t[c]' >"$top/kallsyms"
	{
		echo 'module [kernel.kallsyms] - kernel 0xffffffff81000000'
		printf 'frame %s\n' 0xffffffff81001010 0xffffffff81002fff 0xffffffff81003000 \
			0xffffffff81f00000 0xffffffffa0002fff 0xffffffffa0003000 0xffffffffa0003fff \
			0xffffffffa0004000 0xffffffffa0100000 0xffffffffa0104fff 0xffffffffa0105000
	} >"$top/lines"
	named --kallsyms "$top/kallsyms" <"$top/lines"
	expect names last last unknown unknown last_of_a unknown last_of_b first_of_c first_of_c \
		last_of_c unknown
}

@test "--kallsyms: without addresses, no such file" {
	tiny
	echo '0000000000000000 T _text' >"$top/zeros"
	run_fail 2 INVALID_INPUT pl-symbolize --kallsyms "$top/zeros" "$top/stream"
	run_fail 2 INVALID_INPUT pl-symbolize --kallsyms "$top/none" "$top/stream"
	grep -q "$top/none" "$err"
}

@test "the running kernel's names are for its own build only" {
	{
		echo 'module [kernel.kallsyms] 0123456789012345678901234567890123456789 kernel 0xffffffff81000000'
		echo 'frame 0xffffffff81000100'
	} >"$top/lines"
	named <"$top/lines"
	expect names unknown
	expect reasons 'none BUILD_ID_MISMATCH'
	sed -i 's/0123[0-9]*/-/' "$top/lines"
	named <"$top/lines"
	expect names unknown
	expect reasons 'none BUILD_ID_UNKNOWN'
}

# notes_of HEX: ELF notes with this build ID.
notes_of() {
	printf '\4\0\0\0\24\0\0\0\3\0\0\0GNU\0'
	local i
	for ((i = 0; i < ${#1}; i += 2)); do
		printf '%b' "\\x${1:i:2}"
	done
}

# on_kernel MODULE-ID|- COMMAND…: where a kernel of build ID 22… runs that has the module "fake", with
# the names of kallsyms below.
on_kernel() {
	mkdir -p "$top/proc" "$top/module/fake/notes"
	cp "$top/kallsyms" "$top/proc/kallsyms"
	echo 'fake 16384 0 - Live 0xffffffffa0000000' >"$top/proc/modules"
	notes_of "$(printf '2%.0s' {1..40})" >"$top/notes"
	rm -f "$top/module/fake/notes/.note.gnu.build-id"
	[ "$1" = - ] || notes_of "$1" >"$top/module/fake/notes/.note.gnu.build-id"
	# shellcheck disable=SC2016 # for the inner shell
	unshare -m bash -c 'mount --bind "$0/notes" /sys/kernel/notes &&
		mount --bind "$0/module" /sys/module && mount --bind "$0/proc" /proc && exec "$@"' \
		"$top" "${@:2}"
}

@test "a kernel module's names are for its own build on the kernel that was recorded" {
	[ "$PL_FLAVOUR" != asan ] || skip "a sanitizer needs the real /proc"
	unshare -m true 2>"$top/said" || skip "no mounts of our own: $(head -n 1 "$top/said")"
	kallsyms
	local two one other kernel own loaded want
	two=$(printf '2%.0s' {1..40}) one=$(printf '1%.0s' {1..40}) other=$(printf '3%.0s' {1..40})
	on_kernel - test -e /sys/kernel/notes || skip "nothing can be mounted over /sys and /proc"
	# the kernel's build ID and the module's as recorded, that of the one that is loaded, what is said
	while read -r kernel own loaded want; do
		{
			echo "module [fake] $own kernel 0xffffffffa0000000"
			echo 'frame 0x10'
			echo "module [kernel.kallsyms] $kernel kernel 0xffffffff81000000"
			echo 'frame 0xffffffff81000100'
		} | stream_of >"$top/stream"
		run_ok on_kernel "$loaded" pl-symbolize "$top/stream"
		[ "$(names | head -n 1) $(reasons | head -n 1)" = "$want" ] ||
			fail "$kernel $own $loaded: $(names) $(reasons)"
	done <<-E
		$two $one $one in_module full null
		$two - $one in_module full null
		- $one $one in_module full null
		$two $one $other unknown none BUILD_ID_MISMATCH
		$two $one - unknown none BUILD_ID_UNKNOWN
		$other $one $one unknown none BUILD_ID_MISMATCH
		$other - $one unknown none BUILD_ID_MISMATCH
		- - $one unknown none BUILD_ID_UNKNOWN
	E
	# loaded elsewhere, it is not the one that was recorded
	sed -i 's/0xffffffffa0000000/0xffffffffa0001000/' "$top/stream"
	run_ok on_kernel "$one" pl-symbolize "$top/stream"
	[ "$(names | head -n 1) $(reasons | head -n 1)" = 'unknown none NO_FILE' ]
	# the release, too, has to be the recorded one
	sed -i -e "s/\"kind\":\"kernel\"/\"build_id\":\"$one\",&/" -e 's/0xffffffffa0001000/0xffffffffa0000000/' \
		-e 's/"format":"test"/&,"host":{"release":"1.2.3-other"}/' "$top/stream"
	run_ok on_kernel "$one" pl-symbolize "$top/stream"
	[ "$(names | head -n 1) $(reasons | head -n 1)" = 'unknown none BUILD_ID_MISMATCH' ]
	# names that the user brings are the recording's own
	run_ok pl-symbolize --kallsyms "$top/kallsyms" "$top/stream"
	[ "$(names | head -n 1)" = in_module ]
}

# ---- maps of JIT compilers ----

# jit PID: a line for stream_of
jit() {
	printf 'module /tmp/perf-%s.map - jit\n' "$1"
}

@test "--jit-dir: later lines win; 0x; the end is not in it; names hold blanks" {
	printf '%s\n' '1000 100 first' '0x2000 0x10 LFoo;::bar baz' 'nonsense' '3000' '1000 80 second' \
		'4000 zz bad' 'ffffffffffffffff 2 wraps' '5000 10 ' >"$top/perf-77.map"
	{
		jit 77
		printf 'frame %s 77\n' 0x1000 0x107f 0x1080 0x200f 0x2010 '0x2010 return' 0x3000 0x4000 \
			0x5001
	} >"$top/lines"
	named --jit-dir "$top" <"$top/lines"
	expect names second second first 'LFoo;::bar baz' unknown 'LFoo;::bar baz' unknown unknown \
		unknown
}

@test "--jit-dir: where lines overlap, the later one counts" {
	printf '%s\n' '1000 100 a' '1080 100 b' '2000 100 outer' '2040 40 inner' '3000 40 old' \
		'3080 40 old2' '2f00 200 over' '4000 100 c' '4000 100 d' '5000 0 empty' >"$top/perf-7.map"
	{
		jit 7
		printf 'frame %s 7\n' 0x1000 0x107f 0x1080 0x10ff 0x117f 0x1180 0x2000 0x2040 0x207f 0x2080 \
			0x3010 0x3090 0x4000 0x5000
	} >"$top/lines"
	named --jit-dir "$top" <"$top/lines"
	expect names a a b b b unknown outer inner inner outer over over d unknown
}

@test "maps in /tmp: a link is refused, and another owner's file" {
	local pid=4194000 map
	while [ -e "/tmp/perf-$pid.map" ]; do
		pid=$((pid + 1))
	done
	map=/tmp/perf-$pid.map
	{
		jit $pid
		echo "frame 0x1000 $pid"
	} >"$top/lines"
	named <"$top/lines"
	expect names unknown
	expect reasons 'none JIT_MAP_MISSING'
	echo '1000 100 mine' >"$map"
	named <"$top/lines"
	expect names mine
	mv "$map" "$top/target"
	ln -s "$top/target" "$map"
	named <"$top/lines"
	rm "$map"
	expect names unknown
	expect reasons 'none JIT_MAP_NOT_OURS'
	mkfifo "$map"
	named <"$top/lines"
	rm "$map"
	expect reasons 'none JIT_MAP_NOT_OURS'
	[ "$(id -u)" = 0 ] || skip "only root can give a file away"
	mv "$top/target" "$map"
	chown 4242 "$map"
	named <"$top/lines"
	rm "$map"
	expect names unknown
	expect reasons 'none JIT_MAP_NOT_OURS'
}

@test "maps of another system are never this machine's" {
	local pid=4194000 map
	while [ -e "/tmp/perf-$pid.map" ]; do
		pid=$((pid + 1))
	done
	map=/tmp/perf-$pid.map
	{
		jit $pid
		echo "frame 0x1000 $pid"
	} >"$top/lines"
	mkdir -p "$top/system/tmp"
	echo '1000 100 of_this_machine' >"$map"
	stream_of <"$top/lines" >"$top/stream"
	expect_exit 0 pl-symbolize --sysroot "$top/system" "$top/stream"
	rm "$map"
	expect names unknown
	expect reasons 'none JIT_MAP_MISSING'
	echo '1000 100 of_the_system' >"$top/system/tmp/perf-$pid.map"
	named --sysroot "$top/system" <"$top/lines"
	expect names of_the_system
	# a folder that is named is what counts
	echo '1000 100 of_the_folder' >"$top/perf-$pid.map"
	named --sysroot "$top/system" --jit-dir "$top" <"$top/lines"
	expect names of_the_folder
}

@test "--root-of-pid: maps of other processes are not this machine's either" {
	unshare -mpf true 2>"$top/said" || skip "no namespaces of our own: $(head -n 1 "$top/said")"
	local other=4194000 pid
	while [ -e "/tmp/perf-$other.map" ]; do
		other=$((other + 1))
	done
	mkdir -p "$top/in"
	# another /tmp; and, for the second, other PIDs
	for options in -m -mpf; do
		# shellcheck disable=SC2016,SC2086 # for the inner shell; words
		unshare $options bash -c 'mount --bind "$0" /tmp && touch /tmp/there && exec sleep 60' \
			"$top/in" 3>&- &
		for _ in {1..100}; do
			[ ! -e "$top/in/there" ] || break
			sleep 0.05
		done
		rm "$top/in/there"
		pid=$!
		[ $options = -m ] || pid=$(pgrep -P $pid)
		{
			jit "$pid"
			echo "frame 0x1000 $pid"
			jit $other
			echo "frame 0x1000 $other"
		} | stream_of >"$top/stream"
		echo '1000 100 of_this_machine' >"/tmp/perf-$other.map"
		# the one process is there by its own PID or, as the first of its namespace, by 1
		echo '1000 100 inside' >"$top/in/perf-$( ([ $options = -m ] && echo "$pid") || echo 1).map"
		expect_exit 0 pl-symbolize --root-of-pid "$pid" "$top/stream"
		rm "/tmp/perf-$other.map"
		cp "$out" "$top/first"
		echo '1000 100 another' >"$top/in/perf-$other.map"
		expect_exit 0 pl-symbolize --root-of-pid "$pid" "$top/stream"
		# the first process of a namespace ends by nothing less
		kill -KILL "$pid"
		wait || true
		[ "$(names "$top/first" | xargs)" = 'inside unknown' ]
		[ "$(names | xargs)" = "inside $( ([ $options = -m ] && echo another) || echo unknown)" ]
		rm "$top/in"/*
	done
}

@test "a map without the addresses has a reason of its own, whatever way the stream arrives" {
	printf '1000 10 known\n' >"$top/perf-7.map"
	{
		jit 7
		printf 'frame %s 7\n' 0x1000 0x2000
		jit 8
		printf 'frame %s 8\n' 0x1000
	} >"$top/lines"
	named --jit-dir "$top" <"$top/lines"
	mv "$out" "$top/named"
	stream_of <"$top/lines" >"$top/stream"
	run_ok pl-symbolize --jit-dir "$top" < <(while IFS= read -r line; do
		printf '%s\n' "$line"
		sleep 0.02
	done <"$top/stream")
	same "$top/named" "$out"
	run_ok pl-aggregate "$top/named"
	holds 'map(select(.type=="module")) | sort_by(.dso) | map(.reason) ==
		["JIT_MAP_INCOMPLETE", "JIT_MAP_MISSING"] and all(.[]; .fix | contains("--jit-dir"))'
	# with all of them there is nothing to be said; without pl-symbolize nothing is known
	sed -i '/0x2000/d' "$top/lines"
	named --jit-dir "$top" <"$top/lines"
	mv "$out" "$top/named"
	run_ok pl-aggregate "$top/named"
	holds 'map(select(.type=="module" and (.dso | contains("-7")))) | map(.reason) == [null]'
	run_ok pl-aggregate "$top/stream"
	holds 'map(select(.type=="module")) | map(.reason) == [null, null]'
}

@test "what can be done where the file is none, or is stripped" {
	tiny
	strip "$top/three"
	run_ok pl-symbolize "$top/stream"
	expect reasons 'dynamic SYMBOLS_STRIPPED'
	mv "$out" "$top/named"
	run_ok pl-aggregate "$top/named"
	holds 'map(select(.type=="module"))[0].fix |
		contains("--debug-root") and contains("--path-map")'
	for what in text folder; do
		rm -rf "$top/three"
		[ $what = text ] && echo text >"$top/three" || mkdir "$top/three"
		run_ok pl-symbolize "$top/stream"
		mv "$out" "$top/named"
		run_ok pl-aggregate "$top/named"
		holds 'map(select(.type=="module"))[0] | (.reason | IN("NOT_ELF", "FILE_NOT_REGULAR"))
			and (.fix | contains("get the file that ran"))'
	done
	sed -i 's/,"build_id":"[^"]*"//' "$top/stream"
	rm -r "$top/three"
	build three
	run_ok pl-symbolize "$top/stream"
	mv "$out" "$top/named"
	run_ok pl-aggregate "$top/named"
	holds 'map(select(.type=="module"))[0].fix | contains("-z or into a pipe, --buildid-mmap")
		and contains("-Wl,--build-id") and contains("--kallsyms")'
}

@test "maps with CR LF, and with blanks behind names" {
	printf '1000 10 a\r\n2000 10 b c \t\r\n3000 10 \r\n4000 10 d  \n' >"$top/perf-7.map"
	{
		jit 7
		printf 'frame %s 7\n' 0x1000 0x2000 0x3000 0x4000
	} >"$top/lines"
	named --jit-dir "$top" <"$top/lines"
	expect names a 'b c' unknown d
}

@test "a name of megabytes is cut, wherever it is from, and the pipeline goes on" {
	local long
	head -c 20000000 /dev/zero | tr '\0' x >"$top/x"
	{
		printf '1000 10 '
		cat "$top/x"
		printf '\n2000 10 after\n'
	} >"$top/perf-7.map"
	{
		printf 'ffffffff81000000 T _text\nffffffff81000100 T '
		cat "$top/x"
		echo
	} >"$top/kallsyms"
	printf '.globl _start\n_start: nop\n.globl x%s\n.type x%s,@function\nx%s: nop\n' \
		"$(head -c 100000 "$top/x")" "$(head -c 100000 "$top/x")" "$(head -c 100000 "$top/x")" \
		>"$top/long.s"
	gcc -nostdlib -static -Wl,--build-id -o "$top/long" "$top/long.s"
	{
		jit 7
		printf 'frame %s 7\n' 0x1000 0x2000
		echo 'module [kernel.kallsyms] - kernel 0xffffffff81000000'
		echo 'frame 0xffffffff81000100'
		module_of "$top/long"
		nm "$top/long" | awk '/ xxx/ { print "0x" $1 }' >"$top/at"
		printf 'frame %s\n' "$(file_offset "$top/long" "$(cat "$top/at")")"
	} >"$top/lines"
	named --jit-dir "$top" --kallsyms "$top/kallsyms" <"$top/lines"
	long=$(head -c 65533 "$top/x")…
	[ "$(names)" = "$(printf '%s\n' "$long" after "$long" "$long")" ]
	cp "$out" "$top/named"
	run_ok pl-aggregate "$top/named"
	# what a short mangled name stands for is no name then
	cat >"$top/bomb.s" <<-'S'
		.globl _start
		_start: nop
		.globl BOMB
		.type BOMB,@function
		BOMB: nop
	S
	local bomb=_Z1fI1A1BIS0_S0_E digits=0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ
	for ((i = 2; i < 30; i++)); do
		bomb+=S1_IS${digits:i:1}_S${digits:i:1}_E
	done
	bomb+=Evv
	sed -i "s/BOMB/$bomb/" "$top/bomb.s"
	gcc -nostdlib -static -Wl,--build-id -o "$top/bomb" "$top/bomb.s"
	{
		module_of "$top/bomb"
		position "$top/bomb" "$bomb"
	} >"$top/lines"
	named --timeout-seconds 5 <"$top/lines"
	expect names "$bomb"
	expect reasons 'full null'
}

# ---- inlined functions and lines ----

inlined_source() {
	cat >"$top/in.c" <<'C'
volatile unsigned long sink;
#define INLINE static inline __attribute__((always_inline))
#line 100 "deep.h"
INLINE void innermost(unsigned long i) { sink += i; }
#line 200 "middle.h"
INLINE void middle(unsigned long i)
{
	innermost(i * 3);
}
#line 300 "outer.c"
__attribute__((noinline)) void outermost(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		middle(i);
}
int main(void)
{
	outermost(10);
	return 0;
}
C
}

@test "--inlines and --lines: a chain with known lines" {
	inlined_source
	local compiler at
	for compiler in gcc clang; do
		type -P $compiler >/dev/null || continue
		$compiler -O2 -g -o "$top/in" "$top/in.c"
		# where the volatile is written
		at=$(objdump -d --no-show-raw-insn --disassemble=outermost "$top/in" |
			awk '/(mov|add) .*%r.*,.*\(%rip\)/ { sub(":", "", $1); print "0x" $1; exit }')
		{
			module_of "$top/in"
			printf 'frame %s\n' "$(file_offset "$top/in" "$at")"
		} >"$top/lines"
		named --inlines --lines <"$top/lines"
		holds 'map(select(.type=="frame"))[0] |
			.symbol == "outermost" and (.source | .file | endswith("/outer.c"))
			and .source.line == 303
			and (.inlines | map(.symbol) == ["middle", "innermost"]
				and map(.source.line) == [202, 100]
				and (map(.source.file | split("/")[-1]) == ["middle.h", "deep.h"]))'
		named --lines <"$top/lines"
		holds 'map(select(.type=="frame"))[0] | (has("inlines") | not) and .source.line == 100'
		named --inlines <"$top/lines"
		holds 'map(select(.type=="frame"))[0] | (has("source") | not) and
			.inlines == [{symbol: "middle"}, {symbol: "innermost"}]'
	done
}

@test "--lines --path-map: where the sources are here" {
	inlined_source
	(cd "$top" && gcc -O2 -g -ffile-prefix-map="$top=/build" -o in in.c)
	{
		module_of "$top/in"
		position "$top/in" outermost
	} >"$top/lines"
	named --lines --path-map /build=/home/me/src <"$top/lines"
	[ "$(jq -r 'select(.type=="frame").source.file' "$out")" = /home/me/src/outer.c ]
}

@test "all bytes of a program: inlined functions and lines as llvm-symbolizer has them" {
	type -P llvm-symbolizer >/dev/null || skip "no llvm-symbolizer"
	cat >"$top/many.cpp" <<'C'
#include <algorithm>
#include <map>
#include <string>
#include <vector>
std::map<std::string, std::vector<int>> all;
__attribute__((noinline)) int work(int n)
{
	std::vector<int> v;
	for (int i = 0; i < n; i++)
		v.push_back(i * 7 % 13);
	std::sort(v.begin(), v.end());
	all[std::to_string(n)] = v;
	return v[v.size() / 2];
}
int main(int argc, char **argv) { return work(argc); }
C
	local first last
	g++ -O2 -g -o "$top/many" "$top/many.cpp"
	read -r first last < <(readelf -SW "$top/many" | sed 's/^ *\[ *[0-9]*\] *//' |
		awk '$1 == ".text" { print "0x" $3, "0x" $5 }')
	last=$((first + last))
	module_of "$top/many" >"$top/lines"
	for ((at = first; at < last; at += 5)); do
		printf '0x%x\n' $at
	done >"$top/addresses"
	local shift=$(($(file_offset "$top/many" $((first))) - first))
	while read -r at; do
		printf 'frame 0x%x\n' $((at + shift))
	done <"$top/addresses" >>"$top/lines"
	named --inlines --lines <"$top/lines"
	# innermost first, "file:line" by base name; a frame without lines is ??:0
	jq -r 'select(.type=="frame") | [., (.inlines // [])[]] | reverse |
		map(if .source then "\(.source.file | split("/")[-1]):\(.source.line)" else "??:0" end) |
		join(" ")' "$out" >"$top/ours"
	llvm-symbolizer --obj="$top/many" --output-style=LLVM --inlines <"$top/addresses" |
		awk -v RS= '{ n = split($0, l, "\n"); s = ""
			for (i = 2; i <= n; i += 2) {
				sub(/:[0-9]+$/, "", l[i]); sub(/.*\//, "", l[i])
				sub(/.*:0$/, "??:0", l[i]) # the name of a unit, and no line
				s = s (s == "" ? "" : " ") l[i]
			}
			print s }' >"$top/theirs"
	[ "$(wc -l <"$top/ours")" = "$(wc -l <"$top/theirs")" ]
	paste "$top/ours" "$top/theirs" | awk -F'\t' '$1 != $2 { n++; if (n < 20) print > "/dev/stderr" }
		END { printf "%d of %d differ\n", n, NR > "/dev/stderr"; exit n > NR / 200 }'
}

@test "an inlined function is its outer frame's module's in what is aggregated" {
	inlined_source
	gcc -O2 -g -o "$top/in" "$top/in.c"
	local at
	at=$(objdump -d --no-show-raw-insn --disassemble=outermost "$top/in" |
		awk '/(mov|add) .*%r.*,.*\(%rip\)/ { sub(":", "", $1); print "0x" $1; exit }')
	{
		module_of "$top/in"
		printf 'frame %s\n' "$(file_offset "$top/in" "$at")"
	} >"$top/lines"
	named --inlines --lines <"$top/lines"
	mv "$out" "$top/named"
	run_ok pl-aggregate "$top/named"
	holds 'map(select(.type=="hotspot")) |
		(map(select(.symbol == "innermost" and .self == 1))[0].dso) as $dso |
		length == 3 and ($dso | endswith("/in")) and all(.[]; .dso == $dso and .inclusive == 1)'
}
