#!/usr/bin/env bats
# flavours: gcc
# The manual pages and the README: what they say of options, commands, codes and members is so, and
# every command that they show runs.
load helper

# ---- the form of pages ----

@test "mandoc has nothing to say of any page" {
	# whether pages of other packages are here is not ours to say; ours are looked for below
	mandoc -T lint -W style man/*.[17] 2>/dev/null | grep -v 'referenced manual not found' \
		>"$BATS_TEST_TMPDIR/said" || true
	[ ! -s "$BATS_TEST_TMPDIR/said" ] || fail "$(cat "$BATS_TEST_TMPDIR/said")"
}

@test "every page that a page refers to is there" {
	grep -ohE '\.Xr (perflens|pl-)[a-z-]* [17]' man/*.[17] | sort -u >"$BATS_TEST_TMPDIR/named"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/named")" -ge 9 ]
	while read -r _ name section; do
		[ -e "man/$name.$section" ] || fail "there is no man/$name.$section"
	done <"$BATS_TEST_TMPDIR/named"
}

# ---- options ----

# options_of_page FILE: one line an option, as --list-options has them, sorted. The letter is the
# third field, or "-".
options_of_page() {
	awk '
	/^\.It Fl / && !/ Ta / {
		letter = argument = "-"
		for (i = 2; i <= NF; i++) {
			if ($i ~ /^-/) name = substr($i, 2)
			else if ($(i - 1) == "Fl") letter = $i
			else if ($(i - 1) == "Ar") argument = $i
		}
		print name "\t" argument "\t" letter
	}' "$1" | LC_ALL=C sort
}

# The letters are only in --help.
options_of_program() {
	"$1" --help >"$BATS_TEST_TMPDIR/help"
	"$1" --list-options | awk -F '\t' -v OFS='\t' '
	NR == FNR {
		if (match($0, /^  -., --[^ ]+/))
			letters[substr($0, 9, RLENGTH - 8)] = substr($0, 4, 1)
		next
	}
	!/^list-options/ { print $1, $2, $1 in letters ? letters[$1] : "-" }
	' "$BATS_TEST_TMPDIR/help" - | LC_ALL=C sort
}

@test "each page has the options of its program, and no other" {
	for program in "$PL_BIN"/*; do
		name=$(basename "$program")
		options_of_program "$name" >"$BATS_TEST_TMPDIR/program"
		options_of_page "man/$name.1" >"$BATS_TEST_TMPDIR/page"
		[ "$(wc -l <"$BATS_TEST_TMPDIR/page")" -ge 6 ]
		same "$BATS_TEST_TMPDIR/program" "$BATS_TEST_TMPDIR/page" || fail "of $name"
	done
}

# text_of_options FILE: NAME, a tab, and what the page says of it, in one line.
text_of_options() {
	awk '
	/^\.It Fl / {
		for (i = 2; i <= NF; i++)
			if ($i ~ /^-/) name = substr($i, 2)
		printf "\n%s\t", name
		next
	}
	/^\.(It|El|Sh)/ { name = "" }
	name { sub(/^\.[A-Z][a-z] /, ""); printf "%s ", $0 }
	END { print "" }' "$1"
}

@test "each page names the defaults that --help names" {
	checked=0
	for program in "$PL_BIN"/pl-*; do
		name=$(basename "$program")
		text_of_options "man/$name.1" >"$BATS_TEST_TMPDIR/page"
		"$name" --help | awk '
		/^ +(-., )?--/ { sub(/^ +(-., )?--/, ""); option = $1 }
		match($0, /\(default .*\)/) {
			value = substr($0, RSTART + 9, RLENGTH - 10)
			sub(/\.0+$/, "", value)
			if (value ~ /\./) sub(/0+$/, "", value)
			print option "\t" value
		}' >"$BATS_TEST_TMPDIR/defaults"
		while IFS=$'\t' read -r option value; do
			text=$(grep "^$option	" "$BATS_TEST_TMPDIR/page")
			case $text in
			*"($value)"* | *"$value (the default"*) checked=$((checked + 1)) ;;
			*) fail "$name --$option: $value is the default; the page: $text" ;;
			esac
		done <"$BATS_TEST_TMPDIR/defaults"
	done
	[ "$checked" -ge 25 ]
}

@test "perflens-streams(7) has every limit with its default" {
	bytes='function bytes(s) {
		gsub(/[ ,]|iB/, "", s)
		return s * (s ~ /G$/ ? 1073741824 : s ~ /M$/ ? 1048576 : s ~ /K$/ ? 1024 : 1)
	}'
	awk "$bytes"'/^\.It Fl -.* Ta / {
		split($0, part, " Ta ")
		sub(/^\.It Fl -/, "", part[1])
		printf "%s %.0f\n", part[1], bytes(part[2])
	}' man/perflens-streams.7 | LC_ALL=C sort >"$BATS_TEST_TMPDIR/page"
	for name in pl-fold-parse pl-aggregate pl-verify; do
		"$name" --help
	done | awk "$bytes"'/^ +--(max-|top-n|call-path-limit|timeout)/ {
		option = substr($1, 3)
		match($0, /\(default .*\)/)
		printf "%s %.0f\n", option, bytes(substr($0, RSTART + 9, RLENGTH - 10))
	}' | LC_ALL=C sort -u >"$BATS_TEST_TMPDIR/programs"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/programs")" -ge 11 ]
	same "$BATS_TEST_TMPDIR/programs" "$BATS_TEST_TMPDIR/page"
}

@test "perflens(1) has the commands of perflens --help" {
	perflens --help | awk '/^[A-Z]/ { on = $1 == "Commands:" } on && /^  / { print $1 }' |
		sort >"$BATS_TEST_TMPDIR/program"
	sed -n 's/^\.It Cm \([a-z-]*\).*/\1/p' man/perflens.1 | sort >"$BATS_TEST_TMPDIR/page"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/page")" -ge 5 ]
	same "$BATS_TEST_TMPDIR/program" "$BATS_TEST_TMPDIR/page"
}

# ---- codes ----

# codes FILE…: the diagnostic codes that sources name.
codes() {
	grep -ohE '"[A-Z]+(_[A-Z]+)+"|\<CODE\([A-Z_]+\)' "$@" | sed 's/CODE(//' | tr -d '")' | sort -u
}

@test "pl-symbolize explains the reasons that pl-aggregate has cures for, and no others" {
	codes libcommon/reason.[ch] >"$BATS_TEST_TMPDIR/program"
	awk '/^\.Sh / { on = $2 == "REASONS" } on && /^\.It / { print $2 }' man/pl-symbolize.1 |
		sort >"$BATS_TEST_TMPDIR/page"
	[ -s "$BATS_TEST_TMPDIR/page" ]
	same "$BATS_TEST_TMPDIR/program" "$BATS_TEST_TMPDIR/page"
}

@test "parsers and pl-aggregate explain their diagnostics, and no others" {
	local shared
	for name in fold-parse script-parse data-parse aggregate; do
		shared=libcommon/parser.c # what all parsers of text say
		[[ $name != aggregate && $name != data-parse ]] || shared=
		codes filters/pl-$name.c filters/$name/*.c $shared >"$BATS_TEST_TMPDIR/program"
		awk '/^\.Sh / { on = $2 == "DIAGNOSTICS" } on && /^\.It / { print $2 }' \
			man/pl-$name.1 | sort >"$BATS_TEST_TMPDIR/page"
		[ -s "$BATS_TEST_TMPDIR/page" ]
		same "$BATS_TEST_TMPDIR/program" "$BATS_TEST_TMPDIR/page"
	done
}

@test "perflens-streams(7) has every reason and every conclusion, in their order" {
	grep -oE '"[a-z]+(_[a-z]+)+"' libcommon/quality.c | tr -d '"' | grep -v '^off_cpu$' \
		>"$BATS_TEST_TMPDIR/program"
	awk '/^\.S[hs] / { on = /analysis is partial|Conclusions/ }
	on && /^\.It Cm / { print $3 }' man/perflens-streams.7 >"$BATS_TEST_TMPDIR/page"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/page")" -ge 29 ]
	same "$BATS_TEST_TMPDIR/program" "$BATS_TEST_TMPDIR/page"
}

@test "perflens-streams(7) has every error code, with its exit status" {
	sed -n 's/^.*{"\([A-Z_]*\)", PL_EXIT_\([A-Z]*\),.*/\2 \1/p' libcommon/err.c |
		grep -v 'DONE' | sort >"$BATS_TEST_TMPDIR/program"
	awk '/^\.Sh / { on = /EXIT STATUS/ }
	on && /^\.It / { status = $2 }
	on && !/^\.It / {
		while (match($0, /[A-Z]+(_[A-Z]+)+/)) {
			print status, substr($0, RSTART, RLENGTH)
			$0 = substr($0, RSTART + RLENGTH)
		}
	}' man/perflens-streams.7 | sed 's/^2 /USAGE /; s/^3 /FORMAT /; s/^4 /LIMIT /
		s/^5 /PATH /; s/^6 /TOOL /; s/^70 /INTERNAL /' | sort >"$BATS_TEST_TMPDIR/page"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/page")" -ge 14 ]
	same "$BATS_TEST_TMPDIR/program" "$BATS_TEST_TMPDIR/page"
}

# ---- records and members ----

# members_of_page KIND: "RECORD MEMBER" for each member that the list of a record defines, in the
# section that begins with the kind's name; "RECORD *MEMBER" for one that its text mentions.
members_of_page() {
	awk -v kind="$1" '
	/^\.Sh / { on = 0; record = "" }
	/^\.Ss / { record = "" }
	/^\.Em perflens\./ { if ($2 == kind) on = 1 }
	on && /^\.It Cm / { record = $3; next }
	on && record && /^\.(It |Bq |Oo )*Va / {
		star = /^\.It / ? "" : "*"
		sub(/^.*Va /, "")
		gsub(/,/, "")
		for (i = 1; i <= NF; i++)
			if ($i ~ /^[a-z]/) print record, star $i
	}' man/perflens-streams.7 | sort -u
}

# Of each record its own members, and with a star those of objects in it.
members_of_schema() {
	jq -r '.records | to_entries[] | .key as $record | .value |
		((.properties | keys[]) as $m | [$record, $m]),
		([.properties[] | .. | objects | .properties? // empty | keys[]] | unique[] |
			[$record, "*" + .]) | join(" ")' "$1" | sort -u
}

@test "perflens-streams(7) has every record and member of every schema, and no others" {
	checked=0
	for schema in schemas/*.schema.json; do
		kind=$(jq -r .title "$schema")
		[ "$kind" != perflens.rules ] || continue # no stream: see below
		members_of_page "$kind" >"$BATS_TEST_TMPDIR/page"
		[ -s "$BATS_TEST_TMPDIR/page" ] || fail "no section has .Em $kind"
		# type is in every record; what a header has in every stream stands before the kinds
		members_of_schema "$schema" | grep -vE ' type$|^header (schema|version|producer|inputs)$' \
			>"$BATS_TEST_TMPDIR/schema"
		# a star is wherever the page or the schema has one; but a member of a record is that
		awk '
		NR == FNR { page[$1 " " $2]; sub(/^\*/, "", $2); named[$1 " " $2]; next }
		{ schema[$1 " " $2]; sub(/^\*/, "", $2) }
		!(($1 " " $2) in named) { print "the page lacks " $1 "." $2 }
		END {
			for (member in page)
				if (member !~ /^header | \*/ && !(member in schema))
					print "the schema lacks " member
		}' "$BATS_TEST_TMPDIR/page" "$BATS_TEST_TMPDIR/schema" >"$BATS_TEST_TMPDIR/lacks"
		[ ! -s "$BATS_TEST_TMPDIR/lacks" ] || fail "$kind: $(cat "$BATS_TEST_TMPDIR/lacks")"
		checked=$((checked + $(wc -l <"$BATS_TEST_TMPDIR/schema")))
	done
	[ "$checked" -ge 200 ]
}

@test "perflens-streams(7) has every member of the objects that schemas share" {
	for schema in schemas/*.schema.json; do
		[ "$schema" != schemas/perflens.rules.schema.json ] || continue
		jq -r '.["$defs"] | .. | objects | .properties? // empty | keys[]' "$schema"
	done | sort -u >"$BATS_TEST_TMPDIR/members"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/members")" -ge 20 ]
	while read -r member; do
		grep -qE "^\..*Va (.* )?$member( |\$)" man/perflens-streams.7 || fail "$member"
	done <"$BATS_TEST_TMPDIR/members"
}

@test "pl-classify(1) has every member of a rule, every category, and their bounds" {
	jq -r '.. | objects | .properties? // empty | keys[]' schemas/perflens.rules.schema.json |
		sort -u >"$BATS_TEST_TMPDIR/members"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/members")" -ge 25 ]
	while read -r member; do
		grep -qE "^\..*Va (.* )?$member( |\$)" man/pl-classify.1 || fail "$member"
	done <"$BATS_TEST_TMPDIR/members"
	sed -n '/^The categories are/,/^\.Sh/p' man/pl-classify.1 | grep -v '^\.Sh' | tr -d '\n.' |
		sed 's/^The categories are//; s/-,/-/g' | tr ',' '\n' | tr -d ' ' >"$BATS_TEST_TMPDIR/page"
	jq -r '."$defs".category.enum[]' schemas/perflens.rules.schema.json >"$BATS_TEST_TMPDIR/schema"
	same "$BATS_TEST_TMPDIR/schema" <(sed 's/$//' "$BATS_TEST_TMPDIR/page"; echo)
}

@test "perflens-streams(7): the identifier that it gives" {
	id=$(printf 'symbol,dso\0compute\0\0' | sha256sum | cut -c 1-16)
	grep -q "^\.Ql h-$id" man/perflens-streams.7
}

# ---- examples ----

# Both write each block of commands to FOLDER/NUMBER. What the page says to its tests becomes the
# first line there: "# not run: REASON", "# needs: perf", "# status: N", "# recipe: NAME".
blocks_of_page() { # FILE FOLDER
	mkdir -p "$2"
	awk -v folder="$2" '
	/^\.Sh / { on = $2 == "EXAMPLES" }
	/^\.Ed/ { close(file); file = "" }
	on && /^\.Bd -literal/ { file = sprintf("%s/%02d", folder, ++n); next }
	!file { next }
	sub(/^\.\\" /, "# ") { print > file; next }
	/\\[^e]|^[.\047]/ { print "roff beyond \\e: " $0 > "/dev/stderr"; exit 1 }
	{ gsub(/\\e/, "\\"); print > file }' "$1"
}

blocks_of_readme() { # FOLDER
	mkdir -p "$1"
	awk -v folder="$1" '
	/^```sh$/ {
		file = sprintf("%s/%02d", folder, ++n)
		if (said) print "# " said > file
		next
	}
	/^```/ { close(file); file = "" }
	file { print > file; next }
	{ said = "" }
	/^<!-- (not run|needs|status): .* -->$/ { said = substr($0, 6, length($0) - 9) }' README.md
}

make_program() { # FOLDER
	local made=$BATS_FILE_TMPDIR/your-program
	[ -e "$made" ] || gcc -O1 -g -fno-omit-frame-pointer -o "$made" -x c - <<-'END'
		int main(void) { for (volatile int i = 0; i < 200000000; i++); return 0; }
	END
	cp "$made" "$1"
}

# The inputs under the names that the examples use.
prepare() { # FOLDER
	mkdir -p "$1/bin"
	cat >"$1/out.folded" <<-'END'
		main;worker;parse;malloc 182
		main;worker;compute 271
		main;worker;compute;memcpy 94
		main;log;write_[k] 7
	END
	printf 'main;serve;read 40\nmain;serve;render 25\nmain;idle 3\n' | gzip >"$1/big.folded.gz"
	printf 'main;poll;read 0.000012\nmain;poll;parse 1.5\n' >"$1/async.folded"
	printf 'main;a 3 4\nmain;b 0 2\nmain;c 5 0\n' >"$1/diff.folded"
	printf 'main;serve;read 30\nmain;serve;render 12\n' >"$1/web-1.folded"
	printf 'main;serve;read 31\nmain;gc 5\n' >"$1/web-2.folded"
	printf 'main;gc 2\ngc;[unknown] 1\n# a comment\n' >"$1/web-3.folded"
	printf '%s  12/13  1.00000%d:  %d cycles: \n\t55aa %s (/bin/x)\n\t55bb main (/bin/x)\n\n' \
		worker 1 300 parse worker 2 400 compute other 3 500 idle >"$1/out.txt"
	pl-fold-parse "$1/out.folded" | pl-aggregate >"$1/analysis.ndjson"
	cp tests/data/commands.samples.ndjson "$1/samples.ndjson"
	mkdir "$1/src"
	seq -f 'int line_%g;' 60 >"$1/src/a.c"
	make_program "$1"
	# `make` is that of the sources and of the flavour that is tested
	make=$(command -v make)${PL_MAKE#make}
	printf '#!/bin/sh\nexec %s -C "%s" "$@"\n' "$make" "$ROOT" >"$1/bin/make"
	chmod +x "$1/bin/make"
}

# can_record FOLDER: perf works here; then there is a recording of your-program.
can_record() {
	[ ! -e "$1/perf.data" ] || return 0
	[ -e "$1/your-program" ] || make_program "$1"
	if ! [ -x /usr/bin/perf ] || ! /usr/bin/perf record -q -F 99 -g -o "$1/perf.data" -- \
		"$1/your-program" >"$1/said" 2>&1; then
		rm -f "$1/perf.data"
		return 1
	fi
}

# run_block FOLDER FILE: as a user would, in the folder; fails with what it said.
run_block() {
	local want status=0
	want=$(sed -n '1s/^# status: //p' "$2")
	(
		cd "$1" && HOME=$1 PATH=$1/bin:$PATH bash -euo pipefail "$2" >"$2.out" 2>"$2.err"
	) || status=$?
	[ "$status" = "${want:-0}" ] ||
		fail "exit status $status:" "$(cat "$2")" "$(head -c 2000 "$2.err")"
	# what perf record says is its own
	sed -i '/^\[ perf record: .*\]$/d' "$2.err"
	[ -n "$want" ] || [ ! -s "$2.err" ] || fail "on stderr of:" "$(cat "$2" "$2.err")"
}

# run_blocks FOLDER-OF-BLOCKS: those that can be run, one after the other in one folder.
run_blocks() {
	local work=$BATS_TEST_TMPDIR/work file ran=0
	rm -rf "$work"
	prepare "$work"
	for file in "$1"/??; do
		! grep -q '^# not run: ' "$file" || continue
		if grep -q '^# needs: perf$' "$file" && ! can_record "$work"; then
			ran=1 # as far as it can be here; see below
			continue
		fi
		run_block "$work" "$file"
		ran=$((ran + 1))
	done
	[ "$ran" -gt 0 ] || fail "no example was run"
}

@test "every example of every page runs" {
	for page in man/*.[17]; do
		blocks=$BATS_TEST_TMPDIR/blocks/$(basename "$page")
		blocks_of_page "$page" "$blocks"
		run_blocks "$blocks"
	done
}

@test "every command of the README runs" {
	blocks_of_readme "$BATS_TEST_TMPDIR/blocks"
	[ "$(find "$BATS_TEST_TMPDIR/blocks" -type f | wc -l)" = "$(grep -c '^```sh$' README.md)" ]
	run_blocks "$BATS_TEST_TMPDIR/blocks"
}

@test "examples that are not run say why, and are commands" {
	for page in man/*.[17]; do
		blocks_of_page "$page" "$BATS_TEST_TMPDIR/blocks/$(basename "$page")"
	done
	blocks_of_readme "$BATS_TEST_TMPDIR/blocks/README.md"
	reasons=
	while read -r file; do
		bash -n "$file"
		name=$(basename "$(dirname "$file")")
		reasons+="${reasons:+; }$name: $(sed -n 's/^# not run: //p' "$file")"
	done < <(grep -rl '^# not run: ' "$BATS_TEST_TMPDIR/blocks" | sort)
	can_record "$BATS_TEST_TMPDIR" || reasons+="; all that need perf: it cannot record here"
	skip "$reasons"
}

# rows FILE: what a merge must give again.
rows() {
	jq -c 'select(.type=="event" or .type=="quality" or .type=="hotspot" or .type=="path")' "$1"
}

recipe() { # NAME [PAGE]
	local folder=$BATS_TEST_TMPDIR/blocks/of-${2:-pl-aggregate.1}
	[ -d "$folder" ] || blocks_of_page "man/${2:-pl-aggregate.1}" "$folder"
	grep -lx "# recipe: $1" "$folder"/??
}

@test "the recipe for many files gives what one run over them gives" {
	file=$(recipe 'many files')
	work=$BATS_TEST_TMPDIR/work
	prepare "$work"
	run_block "$work" "$file"
	(cd "$work" && pl-fold-parse web-?.folded | pl-aggregate >one.ndjson)
	rows "$work/one.ndjson" >"$BATS_TEST_TMPDIR/one"
	rows "$work/merged.ndjson" >"$BATS_TEST_TMPDIR/merged"
	# six lines of prepare() hold a sample, of 81 in all; one is unresolved
	[ "$(jq -c 'select(.type=="event")|[.samples,.weight]' "$work/merged.ndjson")" = '[6,81]' ]
	[ "$(jq -c 'select(.type=="quality")|[.malformed,.unresolved_self]' "$work/merged.ndjson")" = \
		'[0,1]' ]
	same "$BATS_TEST_TMPDIR/one" "$BATS_TEST_TMPDIR/merged"
}

@test "the recipe for many files fails when one of them cannot be read" {
	file=$(recipe 'many files')
	work=$BATS_TEST_TMPDIR/work
	prepare "$work"
	cp "$work/diff.folded" "$work/web-4.folded"
	status=0
	(cd "$work" && bash -euo pipefail "$file") 2>"$BATS_TEST_TMPDIR/err" || status=$?
	[ "$status" != 0 ]
	[ ! -e "$work/merged.ndjson" ]
	grep -q 'web-4.folded' "$BATS_TEST_TMPDIR/err"
}

# answers NAME LINE…: what the recipe of perflens-jq(7) says in the folder of prepare(), work.
answers() {
	local file name=$1 work=$BATS_TEST_TMPDIR/work
	shift
	file=$(recipe "$name" perflens-jq.7) || fail "no recipe '$name'"
	run_block "$work" "$file"
	printf '%s\n' "$@" >"$BATS_TEST_TMPDIR/answer"
	same "$BATS_TEST_TMPDIR/answer" "$file.out"
}

# The stacks are those of prepare(): 182 + 271 + 94 + 7 = 554.
@test "perflens-jq(7): questions to an analysis get the right answers" {
	local work=$BATS_TEST_TMPDIR/work event=$'unknown\t'
	prepare "$work"
	answers inclusive $'100\th-8b922368ff6b91c7\tmain' $'98.736462\th-db896ff8eeeb47b2\tworker' \
		$'65.884477\th-809dd1f5cfc5bd68\tcompute' $'32.851986\th-b05022b18748a181\tmalloc' \
		$'32.851986\th-b490108c1ffcdcb4\tparse'
	answers module '25 % of cpu-clock'
	answers through $'182\tp-e916d0ce53218c37\tmain;worker;parse;malloc' 182
	answers callers '{"id":"h-db896ff8eeeb47b2","symbol":"worker","dso":null,"weight":365}'
	answers allowed true
	answers forbidden "$event"{performance_root_cause,verified_improvement,wall_clock_time,off_cpu_time,instructions_per_cycle,hardware_cache_miss_rate,hardware_branch_miss_rate,microarchitectural_bottleneck,exact_source_line_attribution}
	answers rest '{"unknown":{"weight":554,"stackless":0,"rows":554,"omitted":0}}'
	answers whole true
	answers inputs "folded"$'\t'"$(sha256sum <"$work/out.folded" | cut -d ' ' -f 1)"
	answers exact true
	# lines are in no folded stack: some by hand
	jq -c 'if .symbol=="malloc" then .sources=[{file:"/a/parse.c",line:7,self:180},
		{file:"/a/m.c",line:1,self:2}] else . end' "$work/analysis.ndjson" >"$work/lines.ndjson"
	mv "$work/lines.ndjson" "$work/analysis.ndjson"
	answers file '{"event":"unknown","id":"h-b05022b18748a181","symbol":"malloc","lines":[{"file":"/a/parse.c","line":7,"self":180}]}'
}

# before: read 30, render 12 of 42; after: read 31, gc 5 of 36
@test "perflens-jq(7): a difference of two analyses, by event and id" {
	local work=$BATS_TEST_TMPDIR/work file
	prepare "$work"
	file=$(recipe change perflens-jq.7)
	run_block "$work" "$file"
	awk -F '\t' '{ printf "%s %.2f %.2f %.2f\n", $5, $1, $2, $3 }' "$file.out" | sort >"$BATS_TEST_TMPDIR/is"
	printf '%s\n' 'gc 13.89 0.00 13.89' 'main 0.00 0.00 0.00' 'read 14.68 71.43 86.11' \
		'render -28.57 28.57 0.00' 'serve 0.00 0.00 0.00' >"$BATS_TEST_TMPDIR/want"
	same "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/is"
	[ "$(head -n 1 "$file.out" | cut -f 5)" = render ]
}

# tests/data/commands.samples.ndjson: one sample of nginx in main, one in the kernel, two of php-fpm
@test "perflens-jq(7): questions to samples get the right answers" {
	local work=$BATS_TEST_TMPDIR/work
	prepare "$work"
	answers threads $'20202020\tnginx 8' $'20202020\tphp-fpm 9'
	answers seconds $'1\t3' $'2\t1'
	answers leaf $'      2 php-fpm\tdo_syscall_64' $'      1 nginx\tmain' $'      1 nginx\tdo_syscall_64'
}

# ---- the README ----

@test "the README has less than 150 lines, and its links lead to files" {
	[ "$(wc -l <README.md)" -lt 150 ]
	grep -oE '\]\([^)]*\)' README.md | tr -d '()]' >"$BATS_TEST_TMPDIR/links"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/links")" -ge 9 ]
	while read -r link; do
		[ -e "$link" ] || fail "there is no $link"
	done <"$BATS_TEST_TMPDIR/links"
}

@test "the README and perflens(1) have the exit statuses of perflens-streams(7)" {
	statuses() {
		awk '/^\.Sh / { on = /EXIT STATUS/ } on && /^\.It / { print $2 }' "$1"
	}
	sed -n 's/^| \([0-9]*\) |.*/\1/p' README.md >"$BATS_TEST_TMPDIR/readme"
	statuses man/perflens.1 >"$BATS_TEST_TMPDIR/perflens"
	statuses man/perflens-streams.7 >"$BATS_TEST_TMPDIR/streams"
	printf '%s\n' 0 1 2 3 4 5 6 70 >"$BATS_TEST_TMPDIR/want"
	same "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/readme"
	same "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/perflens"
	same "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/streams"
}
