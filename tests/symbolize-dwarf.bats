#!/usr/bin/env bats
#
# What filters/symbolize/dwarf.c makes of debug information, compilers' own: held against llvm-symbolizer, at every
# address of .text. What runs of ours is a reader without a sandbox: once is enough, and under ASan.
#
# flavours: asan
#
# shellcheck disable=SC2154 # out and err are the helper's
# shellcheck disable=SC2030,SC2031 # each test is a subshell

load helper
load records
load symbols

lookup=$(dirname "$PL_BIN")/bench/dwarf-lookup
sources=$ROOT/tests/data/dwarf

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	here=$(pwd -P)
	cp "$sources"/* "$here"
}

needs() {
	local command
	for command; do
		command -v "$command" >/dev/null || skip "$command is not installed"
	done
}

# every PROGRAM: each address of .text
every() {
	readelf -SW "$1" | sed 's/^ *\[ *[0-9]*\] *//' | {
		local name address size i
		while read -r name _ address _ size _; do
			[ "$name" = .text ] || continue
			for ((i = 0; i < 16#$size; i++)); do
				printf '0x%x\n' $((16#$address + i))
			done
		done
	}
}

# inner: what is compared. The outermost frame's name goes: llvm-symbolizer takes it from the symbol table, as our caller
# will. It keeps "/./" in paths, and names a file without lines where only the symbol table knows one.
inner() {
	sed -E -e 's,/\./,/,g' -e 's,^[^/]*:0:0$,??:0:0,' |
		awk -v RS= -F '\n' '{ for (i = 1; i <= NF; i++) if (i != NF - 1) print $i; print "" }'
}

# ask PROGRAM ADDRESSES OUTPUT: ours; stderr must hold what is lacking, and nothing else.
ask() {
	timeout 60 "$lookup" "$1" <"$2" >"$3.all" 2>"$3.lacks" || fail "dwarf-lookup $1: $?"
	inner <"$3.all" >"$3"
}

# agrees PROGRAM [REFERENCE]: the same as llvm-symbolizer says, of another program with the same code where it cannot read
# the first. With inline chains and lines in it, so that nothing cannot agree with nothing.
agrees() {
	every "$1" >addresses
	ask "$1" addresses ours
	[ ! -s ours.lacks ] || fail "$1: $(cat ours.lacks)"
	llvm-symbolizer --inlines --no-demangle --obj="${2:-$1}" <addresses | inner >llvm
	[ "$(grep -c ':[1-9][0-9]*:[1-9]' ours)" -gt 300 ] || fail "$1: too few lines"
	same llvm ours
}

# lacks PROGRAM REASON
lacks() {
	every "$1" >addresses
	ask "$1" addresses ours
	[ "$(cat ours.lacks)" = "$2" ] || fail "$1: lacks '$(cat ours.lacks)', not $2"
}

# same_code A B
same_code() {
	objcopy -O binary -j .text "$1" "$1.text"
	objcopy -O binary -j .text "$2" "$2.text"
	cmp "$1.text" "$2.text"
}

@test "gcc: DWARF 5, 4, and 3 and 2 without anything newer" {
	needs gcc llvm-symbolizer
	local options
	for options in -gdwarf-5 -gdwarf-4 '-gdwarf-3 -gstrict-dwarf' '-gdwarf-2 -gstrict-dwarf' '-gdwarf64 -g' \
		'-g -fdebug-types-section' '-g -O0'; do
		# shellcheck disable=SC2086 # words
		gcc -O2 $options main.c other.c -o program
		agrees program
	done
}

@test "gcc: functions in sections of their own, some removed" {
	needs gcc llvm-symbolizer
	gcc -O2 -g -ffunction-sections -Wl,--gc-sections main.c other.c -o program
	run ! grep -q never_called <(nm program)
	agrees program
	gcc -O2 -gdwarf-4 -no-pie -ffunction-sections -Wl,--gc-sections main.c other.c -o program
	agrees program
}

@test "rows of a removed function, longer than what lies before .text, are not those of another" {
	needs gcc llvm-symbolizer
	{
		echo 'int removed(int x) {'
		seq -f 'x = x * %.0f ^ x >> 3;' 7919 7919 12000000
		echo 'return x; }'
		echo '#line 1 "other.c"'
		cat other.c
	} >long.c
	gcc -O2 -g -ffunction-sections -Wl,--gc-sections main.c long.c -o program
	gcc -O2 -g -ffunction-sections -Wl,--gc-sections main.c other.c -o plain
	run ! grep -q removed <(nm program)
	same_code program plain
	agrees program plain # llvm-symbolizer 14 has nothing on the first addresses of the program itself
}

@test "what was inlined into a removed function is in no other function" {
	needs gcc clang ld.bfd ld.gold ld.lld llvm-symbolizer
	{
		echo 'static inline __attribute__((always_inline)) int deep(volatile int *p) { return *p ^= *p >> 3; }'
		echo 'static inline __attribute__((always_inline)) int twice(volatile int *p) { return deep(p) + deep(p); }'
		echo 'int removed(volatile int *p) {'
		seq -f '*p += twice(p) + %.0f;' 1000
		echo 'return *p; }'
		echo '#line 1 "other.c"'
		cat other.c
	} >long.c
	local compiler linker version file
	for compiler in gcc clang; do
		for version in 4 5; do
			# with tables to unwind by, lld moves .text
			for file in main long other; do
				$compiler -O2 -gdwarf-$version -fno-asynchronous-unwind-tables -ffunction-sections \
					-c $file.c
			done
			for linker in bfd gold lld; do
				set -- $compiler -Wl,--gc-sections -fuse-ld=$linker
				"$@" main.o long.o -o program
				"$@" main.o other.o -o plain
				run ! grep -q removed <(nm program)
				same_code program plain
				agrees program plain
			done
		done
	done
}

@test "gcc: link-time optimisation" {
	needs gcc llvm-symbolizer
	gcc -O2 -g -flto=1 main.c other.c -o program
	agrees program
	gcc -O2 -gdwarf-4 -flto=1 main.c other.c -o program
	agrees program
}

@test "clang: DWARF 5, 4 and 2, without .debug_aranges" {
	needs clang llvm-symbolizer
	local version
	for version in 5 4 2; do
		clang -O2 -gdwarf-$version main.c other.c -o program
		run ! grep -q aranges <(readelf -SW program)
		agrees program
	done
}

@test "clang and lld: removed sections, link-time optimisation" {
	needs clang ld.lld llvm-symbolizer
	clang -O2 -g -fuse-ld=lld -ffunction-sections -Wl,--gc-sections main.c other.c -o program
	agrees program
	clang -O2 -g -fuse-ld=lld -flto main.c other.c -o program
	agrees program
}

@test "C++: templates, lambdas, classes within functions" {
	needs g++ clang++ llvm-symbolizer
	g++ -std=c++17 -O2 -g chains.cpp -o program
	agrees program
	clang++ -O2 -g -std=c++17 chains.cpp -o program
	agrees program
}

@test "sections compressed with zlib, as standardised and as GNU did" {
	needs gcc objcopy llvm-symbolizer
	gcc -O2 -g main.c other.c -o plain
	objcopy --compress-debug-sections=zlib plain program
	agrees program plain
	objcopy --compress-debug-sections=zlib-gnu plain program
	agrees program plain
}

@test "debug information in a file of its own" {
	needs gcc objcopy llvm-symbolizer
	gcc -O2 -g main.c other.c -o program
	objcopy --only-keep-debug program program.debug
	agrees program.debug program
	strip program
	lacks program NO_DEBUG_INFO
}

# Two links of one program, with one build ID: as if prelink had moved it after its debug file was split off.
@test "debug information of a program that was moved: lines and chains are its own" {
	needs gcc strip addr2line objcopy
	local id=00112233445566778899aabbccddeeff00112233 name at
	gcc -O2 -g -no-pie -Wl,--build-id=0x$id -Wl,-Ttext-segment=0x400000 main.c other.c -o before
	gcc -O2 -g -no-pie -Wl,--build-id=0x$id -Wl,-Ttext-segment=0x410000 main.c other.c -o after
	strip -o program after
	mkdir -p root/.build-id/00
	objcopy --only-keep-debug before root/.build-id/00/${id:2}.debug
	for name in main sum other more; do
		for at in 0 1 5 9 14; do
			printf '0x%x\n' $(($(address_of after $name) + at))
		done
	done >addresses
	{
		module_of "$here/program"
		while read -r at; do
			printf 'frame %s\n' "$(file_offset after "$at")"
		done <addresses
	} >lines
	named --inlines --lines --debug-root="$here/root" <lines
	expect reasons 'full null'
	jq -r 'select(.type == "frame") | [., .inlines[]?] | reverse[].source | "\(.file):\(.line)"' "$out" >ours
	addr2line -i -e after <addresses | sed 's/ (discriminator.*//' >theirs
	[ "$(sort -u ours | grep -c ':[1-9]')" -gt 6 ] || fail "too few lines"
	same theirs ours
}

# split COMPILER OPTION...: "program", with .dwo files in dwo/, and "plain", the same code without
split() {
	mkdir -p dwo
	"$@" -gsplit-dwarf -c main.c -o dwo/main.o
	"$@" -gsplit-dwarf -c other.c -o dwo/other.o
	"$@" dwo/main.o dwo/other.o -o program
	"$@" main.c other.c -o plain
	same_code program plain
}

@test "split DWARF: .dwo files" {
	needs gcc clang objcopy llvm-symbolizer
	local compiler version
	for compiler in gcc clang; do
		for version in 5 4; do
			split $compiler -O2 -gdwarf-$version
			agrees program plain
		done
	done
}

@test "split DWARF: a .dwo that is missing, in a package, another build's, or no file" {
	needs gcc
	split gcc -O2 -g
	mv dwo kept
	lacks program DWO_MISSING
	grep -q "$here/other.c:[1-9]" ours || fail "no lines without .dwo files"
	touch program.dwp
	lacks program DWP_UNSUPPORTED
	rm program.dwp
	mkdir dwo
	cp kept/main.dwo dwo/other.dwo
	cp kept/other.dwo dwo/main.dwo
	lacks program DWO_MISSING
	rm dwo/*
	mkfifo dwo/main.dwo dwo/other.dwo
	lacks program DWO_MISSING
}

# in_sysroot: what dwz made common is found in the recorded system: where the link leads, by its build ID.
in_sysroot() {
	local id place
	id=$(readelf -n other.debug | awk '/Build ID/ { print $3 }')
	mkdir -p system/bin
	cp one system/bin/one
	printf '%s\n' "module /bin/one $(readelf -n one | awk '/Build ID/ { print $3 }') user" \
		"$(position "$here/one" main)" | stream_of >stream
	run_ok pl-symbolize --lines --sysroot "$here/system" stream
	expect reasons 'full DWZ_MISSING'
	for place in "usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" \
		usr/lib/debug/.dwz/common.debug bin/common.debug; do
		mkdir -p "system/${place%/*}"
		cp other.debug "system/$place"
		run_ok pl-symbolize --lines --sysroot "$here/system" stream
		expect reasons 'full null'
		rm "system/$place"
	done
}

@test "dwz: partial units, and a file that several have in common" {
	needs g++ dwz objcopy llvm-symbolizer
	g++ -std=c++17 -O2 -g chains.cpp -o plain
	dwz -o program plain
	agrees program plain
	cp plain one
	cp plain two
	dwz -m common.debug one two
	agrees one plain
	mv common.debug other.debug
	lacks one DWZ_MISSING
	in_sysroot
	local offset
	offset=$(readelf -SW other.debug | awk '/build-id/ { sub(/.*NOTE/, ""); print $2 }')
	printf '\377\377' | dd of=other.debug bs=1 seek=$((16#$offset + 16)) conv=notrunc status=none
	mv other.debug common.debug
	lacks one DWZ_MISSING
}

# A linker may put sections in any order; objcopy appends one that it is given.
@test "a section is found by its whole name: .debug_line_str before .debug_line" {
	needs gcc objcopy llvm-symbolizer
	gcc -O2 -gdwarf-5 main.c other.c -o plain
	objcopy -O binary --only-section=.debug_line --set-section-flags .debug_line=alloc plain lines
	objcopy --remove-section=.debug_line plain without
	objcopy --add-section .debug_line=lines without program
	[ "$(readelf -SW program | grep -o '\.debug_line[_a-z]*' | head -1)" = .debug_line_str ]
	agrees program plain
}

# Twenty million rows at one address, each one byte; zlib makes 20 kB of them.
@test "a line table of more rows than are read, and one that unpacks to too much, are bounded" {
	needs gcc objcopy
	cat >rows.s <<'S'
	.globl f
	.type f, @function
f:	ret
	.size f, . - f
	.section .debug_abbrev, "", @progbits
	.byte 1, 0x11, 0, 0x11, 1, 0x12, 6, 0x10, 0x17, 0, 0, 0 # a unit: low_pc, high_pc, stmt_list
	.section .debug_info, "", @progbits
	.long 2f - 1f
1:	.short 4
	.long 0
	.byte 8, 1
	.quad f
	.long 1, 0
2:	.section .debug_line, "", @progbits
	.long 2f - 1f
1:	.short 2
	.long 4f - 3f
3:	.byte 1, 1, -5, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0
	.asciz "rows.c"
	.byte 0, 0, 0, 0
4:	.byte 0, 9, 2
	.quad f
	.fill 20000000, 1, 1
	.byte 2, 1, 0, 1, 1
2:
S
	gcc -shared -nostdlib rows.s -o program
	address_of program f >addresses
	ask program addresses ours
	[ "$(cat ours.lacks)" = DEBUG_LIMIT ]
	objcopy --compress-debug-sections=zlib program packed
	[ "$(stat -c %s packed)" -lt 100000 ]
	ask packed addresses ours
	[ "$(cat ours.lacks)" = DEBUG_LIMIT ]
	sed -i 's/20000000/2000/' rows.s # the counterpart
	gcc -shared -nostdlib rows.s -o program
	ask program addresses ours
	[ ! -s ours.lacks ]
	grep -qx 'rows.c:1:0' ours.all
}

@test "sections compressed with zstd: said to be so" {
	needs gcc objcopy
	gcc -O2 -g main.c other.c -o plain
	objcopy --compress-debug-sections=zstd plain program 2>/dev/null || skip "this objcopy has no zstd"
	lacks program DEBUG_ZSTD
}

@test "an object file is said to be one; what is no ELF file is refused" {
	needs gcc
	gcc -O2 -g -c main.c -o program
	lacks program DEBUG_RELOCATABLE
	echo 0x1 >addresses
	status=0
	"$lookup" main.c <addresses 2>message || status=$?
	[ "$status" = 3 ]
	grep -q 'not an ELF file' message
}
