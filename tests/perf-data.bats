#!/usr/bin/env bats
#
# perf-data: whole ways of a recording: with lines, with unwound stacks, with what servers have; and
# what is at one offset of a file.

# shellcheck disable=SC2154 # out and err are the helper's

load helper
load records
load symbols # what is defined below comes in place of its own

# The program that is recorded, its lines known.
setup() {
	top=$BATS_TEST_TMPDIR data=$BATS_TEST_TMPDIR/perf.data
	export HOME=$top # where perf keeps copies
	cat >"$top/w.c" <<'C'
static volatile unsigned long sum;
#line 100 "spin.h"
static inline __attribute__((always_inline)) void spin(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sum += i;
}
#line 200 "w.c"
__attribute__((noinline)) void work(void)
{
	spin(1000000);
}
__attribute__((noinline)) void outer(void)
{
	work();
	__asm__ volatile("");
}
int main(void)
{
	for (int i = 0; i < 150; i++)
		outer();
}
C
}

build() { # OPTION…
	(cd "$top" && gcc -g -O1 -Wl,--build-id "$@" -o w w.c)
}

record() { # OPTION…
	needs_perf
	perf record -q -e cpu-clock -F 999 --buildid-all -o "$data" "$@" "$top/w" >/dev/null 2>"$top/said"
}

row() { # SYMBOL FILTER: of the analysis $out
	jq -en --arg symbol "$1" "[inputs | select(.type==\"hotspot\" and .symbol==\$symbol)]
		| length == 1 and (.[0] | $2)" "$out" >/dev/null ||
		fail "row $1 is not: $2" "$(grep '"type":"hotspot"' "$out" | head -n 5)"
}

# ---- lines ----

@test "analyze-perf-data --lines: the rows that are shown get lines, and the analysis verifies" {
	build -fno-omit-frame-pointer
	record -g
	run_ok perflens analyze-perf-data --lines --input "$data"
	stream_ok "$out"
	cp "$out" "$top/lines"
	# all of its own weight is in the two lines of the loop
	row work '.sources_total >= 1 and ([.sources[].self] | add) == .self and
		([.sources[] | .file | endswith("/spin.h")] | all) and
		([.sources[] | .line == 102 or .line == 103] | all)'
	[ "$(jq -r 'select(.type=="quality")|.allowed|index("source_line_observation") != null' \
		"$out")" = true ]
	[ "$(jq -r 'select(.type=="quality")|.forbidden|index("exact_source_line_attribution")' \
		"$out")" = null ]
	run_ok pl-verify --quiet "$top/lines"
	run_ok perflens top "$top/lines"
	grep -Eq ' work  .*/w  spin.h:10[23]$' "$out" || fail "$(cat "$out")"
	run_ok perflens report --analysis "$top/lines"
	# shellcheck disable=SC2016 # backquotes of Markdown
	grep -Eq '^\| `h-[0-9a-f]*` \| work .*/spin\.h:10[23], [0-9.]+ % of self \|$' "$out" ||
		fail "$(cat "$out")"
	run_fail 2 INVALID_INPUT perflens analyze-perf-data --lines --group-by source --input "$data"
	# that of another machine, without the file, is as it was
	run_ok perflens analyze-perf-data --input "$data" --output "$top/plain"
	mv "$top/w" "$top/away"
	HOME=$top/none run_ok pl-symbolize --lines "$top/plain"
	jq -c 'select(.type=="hotspot" and .symbol=="work")' "$top/plain" >"$top/before"
	jq -c 'select(.type=="hotspot" and .symbol=="work")' "$out" >"$top/after"
	same "$top/before" "$top/after"
}

@test "lines of an analysis are the same as those of its samples" {
	build -fno-omit-frame-pointer
	record -g
	pl-data-parse "$data" | pl-symbolize --lines | pl-aggregate >"$top/first"
	pl-data-parse "$data" | pl-symbolize | pl-aggregate | pl-symbolize --lines >"$top/second"
	for a in first second; do
		jq -c 'select(.type=="hotspot" and .self>0 and .kind!="kernel")
			| [.id,.sources,.sources_total]' "$top/$a" >"$top/$a.sources"
	done
	[ -s "$top/first.sources" ]
	same "$top/first.sources" "$top/second.sources"
	# once more changes nothing
	pl-symbolize --lines "$top/second" | jq -c 'select(.type!="header" and .type!="end")' \
		>"$top/third"
	jq -c 'select(.type!="header" and .type!="end")' "$top/second" >"$top/second.rows"
	same "$top/second.rows" "$top/third"
}

@test "a module that has no lines says so, and what would help" {
	build -fno-omit-frame-pointer -g0
	record -g
	run_ok perflens analyze-perf-data --lines --input "$data"
	stream_ok "$out"
	jq -en --arg dso "$top/w" '[inputs|select(.type=="module" and .dso==$dso)][0]
		| .reason == "NO_DEBUG_INFO" and (.fix|test("-g")) and .unresolved_self == 0' "$out"
	row work '.sources_total == 0'
}

@test "lines by trust: only in an analysis that says that its names are" {
	build -fno-omit-frame-pointer -Wl,--build-id=none
	record -g
	run_ok perflens analyze-perf-data --input "$data" --output "$top/strict"
	run_ok pl-symbolize --lines --trust-paths "$top/strict"
	jq -en --arg dso "$top/w" 'all(inputs | select(.type=="hotspot" and .dso==$dso);
		.symbol == "unknown" and .sources_total == 0)' "$out"
	jq -en 'all(inputs | select(.type=="quality").reasons; index("trusted_paths") == null)' "$out"
	run_ok perflens analyze-perf-data --lines --trust-paths --input "$data"
	stream_ok "$out"
	row work '.sources_total >= 1'
	jq -en 'all(inputs | select(.type=="quality").reasons; index("trusted_paths") != null)' "$out"
}

@test "an analysis without --lines, an edited one, one that is cut" {
	local a=tests/data/two-lines.analysis.ndjson
	run_fail 2 INVALID_INPUT pl-symbolize "$a"
	run_ok pl-symbolize --lines "$a"
	stream_ok "$out"
	sed 's/compute/computf/' "$a" >"$top/edited"
	run_fail 3 DIGEST_MISMATCH pl-symbolize --lines "$top/edited"
	sed '$d' "$a" >"$top/cut"
	run_fail 3 STREAM_TRUNCATED pl-symbolize --lines "$top/cut"
	run_fail 4 RESOURCE_LIMIT_EXCEEDED pl-symbolize --lines --max-output-bytes 100 "$a"
}

# ---- unwinding ----

@test "saved stacks are unwound up to the root, without frame pointers" {
	build -O2 -fomit-frame-pointer
	record --call-graph dwarf
	run_ok perflens analyze-perf-data --input "$data"
	stream_ok "$out"
	row main '.inclusive_pct > 75'
	row outer '.inclusive_pct > 75'
	row work '.self_pct > 75'
	jq -en --arg dso "$top/w" 'any(inputs | select(.type=="hotspot" and .symbol=="_start"
		and .dso==$dso); .inclusive_pct > 75)' "$out"
	[ "$(jq -r 'select(.type=="quality").cut_weight' "$out")" -ge 0 ]
	# the program's own part is as perf has it, innermost first, without inlined functions
	perf script --no-inline -i "$data" -F ip,sym 2>/dev/null |
		awk -v RS= '/work/ { s = ""; for (i = 2; i <= NF; i += 2) s = s " " $i; print s }' |
		grep -c '^ work outer main' >"$top/theirs"
	jq -n '[inputs|select(.type=="path" and ([.frames[].symbol]|index("main","outer","work")))
		.samples]|add' "$out" >"$top/ours"
	[ "$(cat "$top/theirs")" -gt 0 ]
	[ "$(cat "$top/ours")" -ge "$(cat "$top/theirs")" ]
}

@test "what cannot be unwound says why" {
	build -fomit-frame-pointer
	record --call-graph dwarf
	# another build: its call frame information is not believed
	sed -i 's/1000000/1000001/' "$top/w.c"
	build -fomit-frame-pointer
	run_ok pl-data-parse "$data"
	of end '.diagnostics.UNWIND_BUILD_ID_MISMATCH > 0'
	holds '[.[] | select(.type=="sample" and .cut=="UNWIND_BUILD_ID_MISMATCH")] | length > 0'
	rm "$top/w"
	run_ok pl-data-parse "$data"
	of end '.diagnostics.UNWIND_NO_FILE > 0'
	run_ok pl-data-parse --no-unwind "$data"
	holds '[.[] | select(.type=="sample") | .stack | length] | max < 30'
	of end '.diagnostics | has("UNWIND_NO_FILE") | not'
}

@test "stacks that were cut are told" {
	build -fomit-frame-pointer
	sed -i 's/^__attribute__((noinline)) void outer/void deep(int n){volatile char room[4000];room[n]=1;if(n)deep(n-1);else work();room[1]=2;}\n&/; s/^	work();/	deep(20);/' "$top/w.c"
	build -O0 -fomit-frame-pointer
	record --call-graph dwarf,1024
	run_ok pl-data-parse "$data"
	of end '.diagnostics.UNWIND_STACK_CUT > 0'
	pl-symbolize "$out" | pl-aggregate >"$top/analysis"
	jq -en '[inputs|select(.type=="quality")][0]|.cut_weight > 0 and
		(.reasons|index("cut_stacks") != null)' "$top/analysis"
}

# ---- one offset ----

offset_of() { # SYMBOL: in the file, by readelf alone
	local address segment
	address=$(readelf -sW "$top/w" | awk -v s="$1" '$8 == s { print "0x" $2; exit }')
	segment=$(readelf -lW "$top/w" | awk '$1 == "LOAD" && / E / { print $2, $3 }')
	printf '0x%x' $((address - ${segment#* } + ${segment% *}))
}

@test "resolve-source: innermost first, with lines that are known" {
	build
	run_ok perflens resolve-source --binary "$top/w" --module-offset "$(offset_of work)" \
		--runtime-address 0x7f0012345678
	stream_ok "$out"
	of location '.frames[-1].symbol == "work" and .frames[-1].inlined == false
		and .runtime_address == "0x7f0012345678" and .binary == "w" and .reason == null'
	# the loop is of the inlined function
	run_ok pl-symbolize --resolve --binary "$top/w" --module-offset $(($(offset_of work) + 12))
	of location '[.frames[].symbol] == ["spin","work"] and [.frames[].inlined] == [true,false]
		and (.frames[0].file | endswith("/spin.h")) and .frames[0].line >= 101
		and .frames[0].line <= 103 and .frames[1].line == 202'
	of location ".build_id == \"$(readelf -n "$top/w" | awk '/Build ID/ { print $3 }')\""
	run_ok pl-symbolize --resolve --binary "$top/w" --module-offset 0xffffffffffff
	of location '.frames == [] and .reason == "NO_FUNCTION"'
	strip -s "$top/w"
	run_ok pl-symbolize --resolve --binary "$top/w" --module-offset "0x1139"
	of location '.reason == "SYMBOLS_STRIPPED"'
}

@test "resolve-source: where offsets and addresses differ" {
	build -fuse-ld=lld
	run_ok perflens resolve-source --binary "$top/w" --module-offset "$(offset_of work)"
	of location '.frames[-1].symbol == "work"'
	[ "$(offset_of work)" != "$(printf '0x%x' "0x$(nm "$top/w" | awk '$3=="work"{print $1}')")" ]
}

@test "resolve-source: a file that is not the one that was inspected is refused" {
	build
	local id sha
	id=$(readelf -n "$top/w" | awk '/Build ID/ { print $3 }')
	sha=$(perflens inspect-elf --input "$top/w" | jq -r 'select(.type=="header").inputs[0].sha256')
	run_ok perflens resolve-source --binary "$top/w" --module-offset 0x1139 --build-id "$id" \
		--sha256 "$sha"
	sed -i 's/1000000/1000001/' "$top/w.c"
	build
	run_fail 2 INVALID_INPUT perflens resolve-source --binary "$top/w" --module-offset 0x1139 \
		--build-id "$id"
	run_fail 2 INVALID_INPUT perflens resolve-source --binary "$top/w" --module-offset 0x1139 \
		--sha256 "$sha"
	grep -q 'inspect' "$err"
}

# told OPTION…: the function at that offset of ./a/w, on the last line "function file:line".
told() {
	run_ok pl-symbolize --resolve --module-offset "$offset" "$@"
	jq -r 'select(.type=="location").frames[-1] | "\(.symbol) \(.file):\(.line)"' "$out"
}

@test "resolve-source: the file that is named and no other, whatever paths are mapped" {
	local offset id other line
	build
	offset=$(offset_of work)
	mkdir -p "$top/a" "$top/b" "$top/sys$top/a"
	mv "$top/w" "$top/a/w"
	line=$(addr2line -i -e "$top/a/w" "0x$(nm "$top/a/w" | awk '$3 == "work" { print $1 }')" | tail -n 1)
	line=${line##*:} line=${line%% *}
	# another program with another function there
	sed -i 's/work/evil/g' "$top/w.c"
	build
	cp "$top/w" "$top/b/w"
	cp "$top/w" "$top/sys$top/a/w"
	cp "$top/a/w" "$top/a/w (deleted)"
	id=$(readelf -n "$top/b/w" | awk '/Build ID/ { print $3 }')
	other=$(readelf -n "$top/a/w" | awk '/Build ID/ { print $3 }')
	[ "$(told --binary "$top/b/w")" = "evil $top/w.c:$line" ]
	[ "$(told --binary "$top/a/w")" = "work $top/w.c:$line" ]
	# names of source files are mapped, the file is not
	[ "$(told --binary "$top/a/w" --path-map "$top/a=$top/b")" = "work $top/w.c:$line" ]
	[ "$(told --binary "$top/a/w" --path-map "$top=/src")" = "work /src/w.c:$line" ]
	[ "$(told --binary "$top/a/w" --sysroot "$top/sys")" = "work $top/w.c:$line" ]
	[ "$(told --binary "$top/sys$top/a/w" --sysroot "$top/sys")" = "evil $top/w.c:$line" ]
	cp "$top/b/w" "$top/a/w2"
	mv "$top/a/w (deleted)" "$top/a/w2 (deleted)"
	[ "$(told --binary "$top/a/w2 (deleted)")" = "work $top/w.c:$line" ]
	# perf's cache has the one that is asked for; it is not the one that is named
	mkdir -p "$top/.debug/.build-id/${id:0:2}/${id:2}"
	cp "$top/b/w" "$top/.debug/.build-id/${id:0:2}/${id:2}/elf"
	run_fail 2 INVALID_INPUT pl-symbolize --resolve --binary "$top/a/w" \
		--module-offset "$offset" --build-id "$id"
	grep -q 'another build ID' "$err"
	# either case
	[ "$(told --binary "$top/a/w" --build-id "${other^^}")" = "work $top/w.c:$line" ]
	id=$(sha256sum <"$top/a/w")
	id=${id%% *}
	[ "$(told --binary "$top/a/w" --sha256 "${id^^}")" = "work $top/w.c:$line" ]
	run_fail 2 INVALID_INPUT pl-symbolize --resolve --binary "$top/a/w" \
		--module-offset "$offset" --build-id 12x4
	# a name that is no text, and one outside of the roots
	mkdir "$top/"$'\xff'
	cp "$top/a/w" "$top/"$'\xff/w'
	[ "$(told --binary "$top/"$'\xff/w')" = "work $top/w.c:$line" ]
	[ "$(told --binary "$top/a/w" --roots "$top/b")" = "work $top/w.c:$line" ]
}

@test "resolve-source: between two functions there is a line at most, and it says so" {
	build -falign-functions=64
	local address size end next
	read -r address size < <(readelf -sW "$top/w" | awk '$8 == "work" { print "0x" $2, $3 }')
	end=$(printf '0x%x' $((address + size)))
	next=$(readelf -sW "$top/w" | awk '$8 == "outer" { print "0x" $2 }')
	[ $((end)) -lt $((next)) ] || skip "nothing is between them"
	run_ok pl-symbolize --resolve --binary "$top/w" \
		--module-offset $(($(offset_of work) + size))
	of location '.reason == "NO_FUNCTION" and all(.frames[]; .symbol == null)'
}

@test "resolve: no stream beside it, and none of its options without it" {
	build
	run_fail 2 INVALID_INPUT pl-symbolize --resolve --binary "$top/w" --module-offset 1 x
	run_fail 2 INVALID_INPUT pl-symbolize --resolve --binary "$top/w" --module-offset 1 --input x
	for option in binary module-offset runtime-address build-id sha256; do
		run_fail 2 INVALID_INPUT pl-symbolize "--$option" 1 /dev/null
		[[ $(jq -r .message "$err") == "--$option says nothing without --resolve"* ]]
	done
}

@test "resolve-source: what is no ELF file, no file, no number" {
	build
	run_fail 3 PROFILE_PARSE_FAILED perflens resolve-source --binary "$top/w.c" --module-offset 1
	run_fail 2 INVALID_INPUT perflens resolve-source --binary "$top/none" --module-offset 1
	run_fail 2 INVALID_INPUT perflens resolve-source --binary "$top" --module-offset 1
	mkfifo "$top/fifo"
	run_fail 2 INVALID_INPUT perflens resolve-source --binary "$top/fifo" --module-offset 1
	run_fail 2 INVALID_INPUT perflens resolve-source --binary "$top/w" --module-offset twelve
	run_fail 2 INVALID_INPUT perflens resolve-source --binary "$top/w" --module-offset -1
	run_fail 2 INVALID_INPUT perflens resolve-source --binary "$top/w"
	run_fail 2 INVALID_INPUT perflens resolve-source --module-offset 1
	expect_exit 5 perflens resolve-source --binary "$top/w" --module-offset 1 --output "$top/w"
}

# ---- debuginfod ----

@test "debuginfod: only build IDs are asked for" {
	[ -x /usr/bin/debuginfod-find ] || [ -x /usr/local/bin/debuginfod-find ] ||
		skip "there is no debuginfod-find"
	local id
	for id in /etc/passwd --version aabb ../../../x '\u001b[31mred' 0123456789abcdeg; do
		printf '%s\n' "module /no/such user" "frame 0x10" | sed 's/ user/ - user/' |
			stream_of | sed "s|\"kind\":\"user\"|\"build_id\":\"$id\",&|" >"$top/stream"
		DEBUGINFOD_URLS=http://localhost:1 expect_exit 0 pl-symbolize --debuginfod "$top/stream"
		grep -q 'is not asked for' "$err"
		lacks $'\x1b' "$err"
		lacks 'asking' "$err"
	done
	printf '%s\n' "module /no/such AABBCCDDEEFF00112233 user" "frame 0x10" | stream_of >"$top/stream"
	DEBUGINFOD_URLS=http://localhost:1 expect_exit 0 pl-symbolize --debuginfod "$top/stream"
	grep -q 'asking debuginfod for the executable of aabbccddeeff00112233$' "$err"
}

@test "debuginfod: only when asked, from the servers named, and it says so" {
	local server port=8$((RANDOM % 900 + 100))
	command -v debuginfod >/dev/null || skip "there is no debuginfod server here"
	build -fno-omit-frame-pointer
	record -g
	mkdir "$top/served" "$top/home"
	objcopy --only-keep-debug "$top/w" "$top/served/w.debug"
	strip -s "$top/w"
	debuginfod -d :memory: -F "$top/served" -p "$port" >"$top/log" 2>&1 3>&- &
	server=$!
	until grep -q 'groomed' "$top/log"; do
		kill -0 "$server" || fail "$(cat "$top/log")"
		read -r -t 0.1 <> <(:) || :
	done
	pl-data-parse "$data" >"$top/samples"
	export HOME=$top/home
	# never by itself
	DEBUGINFOD_URLS=http://localhost:$port run_ok pl-symbolize --lines "$top/samples"
	lacks '"symbol":"work"' "$out"
	lacks 'GET' "$top/log"
	run_fail 2 INVALID_INPUT pl-symbolize --debuginfod "$top/samples"
	DEBUGINFOD_URLS=http://localhost:$port expect_exit 0 pl-symbolize --debuginfod --lines \
		"$top/samples"
	kill "$server"
	grep -q 'asking debuginfod for the debuginfo of' "$err"
	grep -q '"symbol":"work"' "$out"
	grep -q 'spin.h' "$out"
	# a server that does not answer costs a note
	rm -rf "$top/home/.cache"
	DEBUGINFOD_URLS=http://localhost:1 expect_exit 0 pl-symbolize --debuginfod "$top/samples"
	grep -q 'does not have it' "$err"
	lacks '"symbol":"work"' "$out"
}
