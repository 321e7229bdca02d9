#!/usr/bin/env bats
#
# pl-elf: what is said of files that the test builds; their debug files, the right and the wrong
# ones; and what is no file to read.
#
# shellcheck disable=SC2154 # out and err are the helper's

load helper

setup() {
	work=$BATS_TEST_TMPDIR
	cat >"$work/a.c" <<-'END'
		#include <stdio.h>
		static inline int twice(int a) { return a * 2; }
		int outer(int a) { return twice(a) + 1; }
		int main(int c, char **v) { return puts(v[0]) + outer(c); }
	END
}

# build NAME OPTION…: a program of it, with debug information.
build() {
	gcc -g -O1 -Wl,--build-id=sha1 -o "$work/$1" "${@:2}" "$work/a.c"
}

# inspect FILE [OPTION…]
inspect() {
	run_ok pl-elf "${@:2}" "$1"
	stream_ok "$out"
}

# elf FILTER WANT: of the elf record.
elf() {
	local got
	got=$(jq -c "select(.type==\"elf\") | $1" "$out")
	[ "$got" = "$2" ] || fail "$1: $got, not $2"
}

# candidates WANT: "PATH REASON" of each, paths below $work, comma between.
candidates() {
	local got
	got=$(jq -r 'select(.type=="candidate") | "\(.path) \(.reason)"' "$out" |
		sed "s,$(realpath "$work"),," | paste -s -d,)
	[ "$got" = "$1" ] || fail "$got, not $1"
}

# build_id FILE: by readelf.
build_id() {
	readelf -n "$1" 2>/dev/null | sed -n 's/.*Build ID: //p'
}

# drop_sections FILE: makes it one without section headers.
drop_sections() {
	# e_shoff, e_shnum, e_shstrndx of a 64-bit ELF header
	dd if=/dev/zero of="$1" bs=1 seek=40 count=8 conv=notrunc status=none
	dd if=/dev/zero of="$1" bs=1 seek=60 count=4 conv=notrunc status=none
}

# ---- every program's contract ----

@test "pl-elf keeps the contract of every program" {
	build app
	for contract in help version bad_option directory unreadable full closed_stdout output \
		json_errors; do
		contract_$contract pl-elf "$work/app"
	done
}

@test "by name, by option, on stdin, by a pipe, packed: the same but for the name" {
	build app
	inspect "$work/app"
	mv "$out" "$work/by-name"
	run_ok pl-elf --input "$work/app"
	same "$work/by-name" "$out"
	run_ok perflens inspect-elf --input "$work/app"
	same "$work/by-name" "$out"
	run_ok pl-elf <"$work/app"
	mv "$out" "$work/by-stdin"
	[ "$(jq -c 'select(.type=="elf")' "$work/by-name" | sed 's/"name":"app"/"name":null/')" = \
		"$(jq -c 'select(.type=="elf")' "$work/by-stdin")" ]
	run_ok pl-elf - < <(cat "$work/app")
	same "$work/by-stdin" "$out"
	gzip -k "$work/app"
	run_ok pl-elf <"$work/app.gz"
	[ "$(sed -n 2p "$out")" = "$(sed -n 2p "$work/by-stdin")" ]
	[ "$(jq -r 'select(.type=="header").inputs[0] | "\(.sha256) \(.packed_sha256)"' "$out")" = \
		"$(sha256sum <"$work/app" | cut -c 1-64) $(sha256sum <"$work/app.gz" | cut -c 1-64)" ]
}

@test "an artifact that pl-verify accepts; with the digest of the file" {
	build app
	inspect "$work/app"
	[ "$(jq -r 'select(.type=="header").inputs[0].sha256' "$out")" = \
		"$(sha256sum <"$work/app" | cut -c 1-64)" ]
	mv "$out" "$work/artifact"
	expect_exit 0 pl-verify --quiet --source "$work/app" "$work/artifact"
	[ "$(jq -r 'select(.name=="digest" or .name=="source_digest").status' "$out" | uniq)" = passed ]
}

@test "the example is an artifact whose digest is right" {
	expect_exit 0 pl-verify --quiet schemas/examples/app.elf.ndjson
	[ "$(jq -r 'select(.name=="digest").status' "$out")" = passed ]
}

# ---- kinds ----

@test "PIE, not PIE, static, static PIE, library" {
	build pie -pie
	inspect "$work/pie"
	elf '[.arch,.elf_type,.pie,.static_pie,.stripped,.has_text]' \
		'["EM_X86_64","ET_DYN",true,false,false,true]'
	elf .build_id "\"$(build_id "$work/pie")\""
	elf .symbols '"full"'
	elf .expect '["function_names","plt_names","source_lines","inlined_functions","dwarf_unwinding"]'
	elf .hindrances '[]'
	build fixed -no-pie
	inspect "$work/fixed"
	elf '[.elf_type,.pie,.static_pie]' '["ET_EXEC",false,false]'
	build static -static
	inspect "$work/static"
	elf '[.elf_type,.pie,.static_pie]' '["ET_EXEC",false,false]'
	build static-pie -static-pie
	inspect "$work/static-pie"
	elf '[.elf_type,.pie,.static_pie]' '["ET_DYN",true,true]'
	build lib.so -shared -fPIC
	inspect "$work/lib.so"
	elf '[.elf_type,.pie,.static_pie]' '["ET_DYN",false,false]'
	gcc -c -o "$work/a.o" "$work/a.c"
	inspect "$work/a.o"
	elf '[.elf_type,.pie,.build_id,.symbols]' '["ET_REL",false,null,"full"]'
}

@test "a library with an interpreter is no PIE" {
	printf 'const char interp[] __attribute__((section(".interp"))) = "/lib64/ld.so";' >"$work/i.c"
	build lib.so -shared -fPIC -Wl,-soname,lib.so "$work/i.c"
	readelf -lW "$work/lib.so" | grep -q INTERP
	inspect "$work/lib.so"
	elf .pie false
}

@test "lld's layout" {
	command -v ld.lld >/dev/null || skip "no ld.lld here"
	clang -g -fuse-ld=lld -Wl,--build-id=sha1 -o "$work/app" "$work/a.c"
	inspect "$work/app"
	elf '[.build_id,.pie,.symbols]' "[\"$(build_id "$work/app")\",true,\"full\"]"
	elf '.expect|index("plt_names")!=null' true
}

@test "another machine, another byte order" {
	clang --target=mips-linux-gnu -c -o "$work/a.o" -x c - <<<'int f(int a) { return a; }' ||
		skip "this clang has no MIPS"
	inspect "$work/a.o"
	elf '[.arch,.elf_type,.symbols]' '["EM_MIPS","ET_REL","full"]'
}

@test "stripped: only dynamic names; and none at all" {
	build app
	strip "$work/app"
	inspect "$work/app"
	elf '[.stripped,.symbols,.expect]' \
		'[true,"dynamic",["dynamic_names_only","plt_names","dwarf_unwinding"]]'
	elf .hindrances '["SYMBOL_TABLE_ABSENT","DEBUG_INFO_ABSENT"]'
	printf '.globl _start\n_start: ret\n' | gcc -nostdlib -static -Wl,--build-id=none -x assembler - \
		-o "$work/bare"
	strip "$work/bare"
	inspect "$work/bare"
	elf '[.build_id,.symbols,.expect]' '[null,"none",["nothing"]]'
	elf '.hindrances[0]' '"BUILD_ID_ABSENT"'
}

@test "no section headers: the build id is found all the same" {
	build app
	id=$(build_id "$work/app")
	[ "${#id}" = 40 ]
	drop_sections "$work/app"
	inspect "$work/app"
	elf '[.build_id,.stripped,.has_text,.pie]' "[\"$id\",true,true,true]"
}

@test "build ids of other lengths" {
	build app -Wl,--build-id=0x0123456789abcdef01
	inspect "$work/app"
	elf .build_id '"0123456789abcdef01"'
	build app -Wl,--build-id=md5
	inspect "$work/app"
	elf .build_id "\"$(build_id "$work/app")\""
	elf '.build_id|length' 32
}

@test "compressed debug information" {
	build app
	for how in zlib zlib-gnu; do
		objcopy --compress-debug-sections=$how "$work/app" "$work/packed"
		inspect "$work/packed"
		elf '[.debug.embedded,.debug.compressed]' "[true,\"$how\"]"
		elf '.expect|index("inlined_functions")!=null' true
	done
}

@test "compressed by zstd: found, and said that it cannot be read" {
	build app
	objcopy --compress-debug-sections=zlib "$work/app" "$work/packed"
	# ELFCOMPRESS_ZLIB becomes ELFCOMPRESS_ZSTD in the header of .debug_info; the bytes do not
	# matter to a library that does not know it
	offset=$(readelf -SW "$work/packed" | sed -n 's/.*\.debug_info *PROGBITS *[0-9a-f]* \([0-9a-f]*\).*/\1/p')
	printf '\2' | dd of="$work/packed" bs=1 seek=$((0x$offset)) conv=notrunc status=none
	inspect "$work/packed"
	elf .debug.compressed '"zstd"'
	elf .hindrances '["DEBUG_INFO_ZSTD"]'
	elf '.expect|index("inlined_functions")' null
}

@test "split DWARF: the .dwo is wanted" {
	(cd "$work" && clang -g -gsplit-dwarf -O1 -c a.c && gcc -o app a.o)
	[ -e "$work/a.dwo" ]
	inspect "$work/app"
	elf '[.debug.embedded,.debug.dwo,.hindrances]' '[true,true,["DWO_FILES_NEEDED"]]'
	elf '.expect|[index("source_lines")!=null,index("inlined_functions")]' '[true,null]'
}

@test ".gnu_debugdata: all functions have names" {
	build app
	objcopy --only-keep-debug -R '.debug_*' "$work/app" "$work/mini"
	xz -k "$work/mini"
	strip "$work/app"
	objcopy --add-section .gnu_debugdata="$work/mini.xz" "$work/app"
	inspect "$work/app"
	elf '[.stripped,.symbols,.debug.gnu_debugdata,.debug.embedded]' '[true,"full",true,false]'
	elf '.expect[0]' '"function_names"'
}

@test ".gnu_debugdata that unpacks to too much, or to nothing good" {
	build app
	strip "$work/app"
	head -c 300000000 /dev/zero | xz -0 >"$work/large.xz"
	objcopy --add-section .gnu_debugdata="$work/large.xz" "$work/app" "$work/large"
	inspect "$work/large"
	elf '[.symbols,.debug.gnu_debugdata]' '["dynamic",true]'
	head -c 1000 "$work/a.c" | xz | head -c 100 >"$work/cut.xz"
	objcopy --add-section .gnu_debugdata="$work/cut.xz" "$work/app" "$work/cut"
	inspect "$work/cut"
	elf .symbols '"dynamic"'
}

# ---- separate debug files ----

# separate: app without debug information, app.debug with it, a debuglink between them.
separate() {
	build app "$@"
	objcopy --only-keep-debug "$work/app" "$work/app.debug"
	objcopy --strip-all --add-gnu-debuglink="$work/app.debug" "$work/app"
}

@test "a debuglink: beside the file, in .debug, below a root" {
	separate
	inspect "$work/app"
	candidates '/app.debug null'
	crc=$(gzip -c "$work/app.debug" | tail -c 8 | head -c 4 | od -An -t x4 | tr -d ' ')
	elf '.debug|[.embedded,.debuglink,.build_id_file,.compressed]' \
		"[false,{\"name\":\"app.debug\",\"crc\":\"0x$crc\"},false,\"none\"]"
	elf '[.stripped,.symbols]' '[true,"full"]'
	elf '.expect|index("inlined_functions")!=null' true
	mkdir "$work/.debug"
	mv "$work/app.debug" "$work/.debug"
	inspect "$work/app"
	candidates '/.debug/app.debug null'
	root=$work/root$(realpath "$work")
	mkdir -p "$root"
	mv "$work/.debug/app.debug" "$root"
	inspect "$work/app" --debug-root "$work/root"
	candidates "/root$(realpath "$work")/app.debug null" ||
		candidates "/root/app.debug null" # the path holds $work twice
	inspect "$work/app"
	candidates ''
	elf .symbols '"dynamic"'
}

@test "by a link to the file: looked for where the file is" {
	separate
	mkdir "$work/bin"
	ln -s ../app "$work/bin/tool"
	inspect "$work/bin/tool"
	elf .name '"tool"'
	candidates '/app.debug null'
}

@test "a build id that does not match is never used" {
	separate
	mv "$work/app.debug" "$work/right"
	build other -DOTHER -Wl,--defsym=other=1
	objcopy --only-keep-debug "$work/other" "$work/app.debug"
	inspect "$work/app"
	candidates '/app.debug BUILD_ID_MISMATCH'
	elf '[.symbols,.debug.build_id_file]' '["dynamic",false]'
}

@test "without build ids the CRC decides" {
	separate -Wl,--build-id=none
	inspect "$work/app"
	candidates '/app.debug null'
	printf x >>"$work/app.debug"
	inspect "$work/app"
	candidates '/app.debug CRC_MISMATCH'
	elf .symbols '"dynamic"'
}

@test "a build-id folder; the wrong file in it; no proof at all" {
	build app
	id=$(build_id "$work/app")
	place=$work/root/.build-id/${id:0:2}
	mkdir -p "$place"
	objcopy --only-keep-debug "$work/app" "$place/${id:2}.debug"
	strip "$work/app"
	inspect "$work/app" --debug-root "$work/root"
	candidates "/root/.build-id/${id:0:2}/${id:2}.debug null"
	elf '[.symbols,.debug.build_id_file]' '["full",true]'
	[ "$(jq -c 'select(.type=="header").producer.options' "$out")" = \
		"{\"debug_root\":[\"$work/root\"]}" ]
	build other -DOTHER -Wl,--defsym=other=1
	cp "$work/other" "$place/${id:2}.debug"
	inspect "$work/app" --debug-root "$work/root"
	candidates "/root/.build-id/${id:0:2}/${id:2}.debug BUILD_ID_MISMATCH"
	build other -Wl,--build-id=none
	cp "$work/other" "$place/${id:2}.debug"
	inspect "$work/app" --debug-root "$work/root"
	candidates "/root/.build-id/${id:0:2}/${id:2}.debug BUILD_ID_ABSENT"
}

@test "the first accepted is used, the others are told" {
	separate
	id=$(build_id "$work/app")
	mkdir -p "$work/root/.build-id/${id:0:2}"
	printf 'no ELF\n' >"$work/root/.build-id/${id:0:2}/${id:2}.debug"
	inspect "$work/app" --debug-root "$work/root"
	candidates "/root/.build-id/${id:0:2}/${id:2}.debug NOT_ELF,/app.debug null"
	inspect "$work/app" --debug-root "$work/root" --show-absent
	[ "$(jq -r 'select(.type=="candidate").reason' "$out" | sort | uniq -c | awk '{print $2 $1}' |
		paste -s -d,)" = ABSENT4,NOT_ELF1,null1 ] || fail "$(cat "$out")"
}

@test "a sysroot" {
	mkdir -p "$work/sys/opt"
	build sys/opt/app
	id=$(build_id "$work/sys/opt/app")
	place=$work/sys/usr/lib/debug
	mkdir -p "$place/.build-id/${id:0:2}" "$place/opt"
	objcopy --only-keep-debug "$work/sys/opt/app" "$place/.build-id/${id:0:2}/${id:2}.debug"
	cp "$place/.build-id/${id:0:2}/${id:2}.debug" "$place/opt/app.debug"
	strip "$work/sys/opt/app"
	inspect "$work/sys/opt/app" --sysroot "$work/sys"
	candidates "/sys/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug null,/sys/usr/lib/debug/opt/app.debug null"
}

@test "candidates that are no regular files are not opened" {
	separate
	rm "$work/app.debug"
	mkfifo "$work/app.debug" # opening it would wait for ever
	inspect "$work/app" --timeout-seconds 20
	candidates '/app.debug NOT_REGULAR'
	rm "$work/app.debug"
	mkdir "$work/app.debug"
	inspect "$work/app"
	candidates '/app.debug NOT_REGULAR'
	rmdir "$work/app.debug"
	ln -s /dev/zero "$work/app.debug"
	inspect "$work/app"
	candidates '/app.debug NOT_REGULAR'
}

@test "a file that belongs but has nothing more to say" {
	separate
	cp "$work/app" "$work/app.debug"
	inspect "$work/app"
	candidates '/app.debug NO_DEBUG_INFO'
}

@test "a debuglink that is no bare name is refused" {
	separate
	mkdir "$work/dir"
	mv "$work/app.debug" "$work/dir/x.debug"
	# "app.debug" becomes "dir/x.deb", and so leads elsewhere
	sed -i 's,app\.debug\x00,dir/x.deb\x00,' "$work/app"
	inspect "$work/app"
	elf .debug.debuglink null
	candidates 'null BAD_NAME'
}

@test "the file that dwz makes for several" {
	command -v dwz >/dev/null || skip "no dwz here"
	for name in one two; do
		build "$name"
		# dwz has something to share when both have it
		objcopy --decompress-debug-sections "$work/$name"
	done
	(cd "$work" && dwz -m common.dwz -r one two) || skip "this dwz finds nothing to share"
	[ -e "$work/common.dwz" ] || skip "this dwz finds nothing to share"
	inspect "$work/one"
	elf '.debug.altlink' "{\"path\":\"common.dwz\",\"build_id\":\"$(build_id "$work/common.dwz")\"}"
	candidates '/common.dwz null'
	elf .hindrances '[]'
	[ "$(jq -r 'select(.type=="candidate").by' "$out")" = altlink ]
	objcopy --remove-section .note.gnu.build-id "$work/common.dwz" "$work/new"
	mv "$work/new" "$work/common.dwz"
	inspect "$work/one"
	candidates '/common.dwz BUILD_ID_ABSENT'
	elf .hindrances '["DWZ_FILE_NEEDED"]'
}

@test "--roots: outside of them nothing is read but FILE and the debug roots" {
	needs_sandbox
	separate
	mkdir "$work/elsewhere"
	inspect "$work/app" --roots "$work/elsewhere"
	candidates '/app.debug UNREADABLE'
	inspect "$work/app" --roots "$work/elsewhere" --roots "$work"
	candidates '/app.debug null'
	run_fail 2 INVALID_INPUT pl-elf --roots "$work/none" "$work/app"
	grep -q "$work/none" "$err"
}

# ---- what is no ELF file ----

@test "no ELF: exit 3; an empty file, a text, an archive" {
	: >"$work/empty"
	printf 'int main;\n' >"$work/text"
	ar rc "$work/lib.a" "$work/text"
	printf '\177ELF' >"$work/start"
	for file in empty text lib.a start; do
		run_fail 3 PROFILE_PARSE_FAILED pl-elf "$work/$file"
		[ "$(jq -r .file "$err")" = "$work/$file" ]
		[ ! -s "$out" ]
	done
}

@test "cut off anywhere: an answer or a refusal" {
	build app
	size=$(wc -c <"$work/app")
	for n in 16 63 64 100 700 1000 4096 9000 $((size / 2)) $((size - 2000)) $((size - 1)); do
		head -c "$n" "$work/app" >"$work/cut"
		status=0
		pl-elf "$work/cut" >"$work/out" 2>"$work/err" || status=$?
		case $status in
		0) stream_ok "$work/out" ;;
		3) grep -q 'is no ELF file' "$work/err" ;;
		*) fail "$n bytes: exit status $status: $(cat "$work/err")" ;;
		esac
	done
}

@test "a device is no ELF file; a file too large is a limit" {
	run_fail 3 PROFILE_PARSE_FAILED pl-elf /dev/null
	build app
	run_fail 4 RESOURCE_LIMIT_EXCEEDED pl-elf --max-input-bytes 1000 "$work/app"
	run_fail 4 RESOURCE_LIMIT_EXCEEDED pl-elf --max-output-bytes 100 "$work/app"
	run_ok pl-elf --no-digest "$work/app"
	[ "$(jq -c 'select(.type=="header").inputs[0]|keys' "$out")" = '["bytes","format"]' ]
}

# with_elf_memory BODY COMMAND…: runs it with a libelf that does that instead of reading.
with_elf_memory() {
	printf '#include <poll.h>\nvoid *elf_memory(char *p, unsigned long n) { %s }\n' "$1" |
		gcc -shared -fPIC -w -o "$work/hook.so" -x c -
	LD_PRELOAD=$work/hook.so "${@:2}"
}

@test "libelf crashes, hangs or grows: exit 3 and the reason" {
	needs_sandbox # a sanitizer wants to be loaded first
	build app
	run_fail 3 PROFILE_PARSE_FAILED with_elf_memory '__builtin_trap();' pl-elf "$work/app"
	grep -q 'crashed on this file' "$err"
	[ ! -s "$out" ]
	run_fail 3 PROFILE_PARSE_FAILED with_elf_memory 'for (;;) poll(0, 0, -1);' \
		pl-elf --timeout-seconds 1 "$work/app"
	grep -q 'did not come to an end' "$err"
	run_fail 3 PROFILE_PARSE_FAILED with_elf_memory \
		'for (;;) __builtin_memset(__builtin_malloc(1 << 26), 1, 1 << 26);' pl-elf "$work/app"
	grep -q 'crashed on this file' "$err"
}
