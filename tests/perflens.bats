#!/usr/bin/env bats
#
# perflens: what the dispatcher gives to its stages and what it makes of what they do.
#
# shellcheck disable=SC2016 # the stand-ins' scripts expand when they run
# shellcheck disable=SC2154 # out and err are the helper's

load helper

# The dispatcher finds its programs beside its own binary, so a copy of it among small stand-ins
# shows what it gives them and what it makes of what they do.
setup() {
	stage=$BATS_TEST_TMPDIR/bin
	mkdir -p "$stage"
	cp "$PL_BIN/perflens" "$stage/"
	perflens=$stage/perflens
	log=$BATS_TEST_TMPDIR/log
	export log
}

# stand_in NAME OPTIONS BODY: a program with these long options ("input=FILE quiet"), each "explained
# by NAME", that writes its argv to $log.NAME and then does BODY.
stand_in() {
	local option list=
	for option in $2 help version list-options; do
		case $option in
		*=*) list+="${option%=*}"$'\t'"${option#*=}" ;;
		*) list+=$option$'\t-' ;;
		esac
		list+=$'\texplained by '"$1"$'\n'
	done
	cat >"$stage/$1" <<-END
		#!/bin/sh
		if [ "\$1" = --list-options ]; then
		printf '%s' '$list'
		exit 0
		fi
		for word; do echo "\$word"; done >"\$log.$1"
		$3
	END
	chmod +x "$stage/$1"
}

# pipeline BODY BODY: stand-ins for the two stages of analyze-folded.
pipeline() {
	stand_in pl-fold-parse 'input=FILE output=FILE scale=N max-records=N quiet progress json-errors' "$1"
	stand_in pl-aggregate 'input=FILE output=FILE top-n=N max-records=N no-paths quiet progress json-errors' "$2"
}

# given NAME WORD…: the argv of the stand-in.
given() {
	local name=$1
	shift
	: >"$BATS_TEST_TMPDIR/want"
	[ $# = 0 ] || printf '%s\n' "$@" >"$BATS_TEST_TMPDIR/want"
	same "$BATS_TEST_TMPDIR/want" "$log.$name"
}

error_of() {
	printf '{"type":"error","schema":"perflens.error","code":"%s","stage":"%s"}' "$1" "$2"
}

# ---- what stages are given ----

@test "bytes go through both stages; no option, no word" {
	pipeline 'cat; echo parsed' 'cat; echo summed'
	run_ok "$perflens" analyze-folded <<<'main 1'
	printf 'main 1\nparsed\nsummed\n' >"$BATS_TEST_TMPDIR/want-out"
	same "$BATS_TEST_TMPDIR/want-out" "$out"
	given pl-fold-parse
	given pl-aggregate
}

@test "input goes to the first, output to the last, a shared option to both, an own one home" {
	pipeline : :
	run_ok "$perflens" analyze-folded --input a --output=o --max-records 7 --top-n=3 --scale 2 \
		--input=b --no-paths --quiet
	given pl-fold-parse --input=a --max-records=7 --scale=2 --input=b --quiet
	given pl-aggregate --output=o --max-records=7 --top-n=3 --no-paths --quiet
}

@test "operands go to the first stage, whatever they look like" {
	pipeline : :
	run_ok "$perflens" analyze-folded 'a b' --top-n 3 - -- --scale '*'
	given pl-fold-parse -- 'a b' - --scale '*'
	given pl-aggregate --top-n=3
}

@test "a value may look like an option or be empty" {
	pipeline : :
	run_ok "$perflens" analyze-folded --scale --top-n --top-n=
	given pl-fold-parse --scale=--top-n
	given pl-aggregate --top-n=
}

@test "the letters of the common options" {
	pipeline : :
	run_ok "$perflens" analyze-folded -i a -oO -q
	given pl-fold-parse --input=a --quiet
	given pl-aggregate --output=O --quiet
}

@test "only the first stage shows progress" {
	pipeline : :
	run_ok "$perflens" analyze-folded --progress
	given pl-fold-parse --progress
	given pl-aggregate
}

@test "options before the command are the command's, too" {
	pipeline : :
	run_ok "$perflens" --quiet --progress analyze-folded --top-n 1
	given pl-fold-parse --quiet --progress
	given pl-aggregate --quiet --top-n=1
}

@test "report: --analysis is its input" {
	stand_in pl-report 'input=FILE output=FILE problem=TEXT metric=TEXT quiet' 'echo report'
	run_ok "$perflens" report --analysis a.ndjson --problem 'p "x"' --metric requests/second --output r
	given pl-report --input=a.ndjson '--problem=p "x"' --metric=requests/second --output=r
	[ "$(cat "$out")" = report ]
}

@test "top is the text of pl-query" {
	stand_in pl-query 'input=FILE limit=N quiet' :
	run_ok "$perflens" top a.ndjson --limit 5
	given pl-query text --limit=5 -- a.ndjson
}

@test "tree, callers and callees are those of pl-query, the name before the file" {
	stand_in pl-query 'input=FILE limit=N width=N min-percent=P quiet' :
	run_ok "$perflens" tree a.ndjson --min-percent 2
	given pl-query tree --min-percent=2 -- a.ndjson
	for command in callers callees; do
		run_ok "$perflens" $command 'operator new' a.ndjson --width 80
		given pl-query $command --width=80 -- 'operator new' a.ndjson
		expect_exit 2 "$perflens" $command main a.ndjson --limit 3
	done
}

@test "verify-analysis is pl-verify, its status and all" {
	stand_in pl-verify 'input=FILE output=FILE source=FILE quiet' 'exit 1'
	expect_exit 1 "$perflens" verify-analysis --input a --source s --source t
	given pl-verify --input=a --source=s --source=t
	[ ! -s "$err" ]
}

@test "a name that is no command is the program beside it" {
	stand_in pl-other '' 'echo "out $#"; echo note >&2; exit 4'
	expect_exit 4 "$perflens" other a --b 'c d'
	given pl-other a --b 'c d'
	[ "$(cat "$out")" = 'out 3' ]
	[ "$(cat "$err")" = note ]
}

@test "a program by its full name" {
	stand_in pl-other '' 'exit 4'
	expect_exit 4 "$perflens" pl-other a --b
	given pl-other a --b
	expect_exit 2 "$perflens" pl-pl-other
	expect_exit 2 "$perflens" pl-othr
	grep -q "'pl-othr'.*did you mean other?" "$err"
	expect_exit 4 "$perflens" help pl-other
	given pl-other --help
}

@test "descriptors that the shell made for the command reach the stage" {
	pipeline 'cat "${1#--input=}"' cat
	run_ok "$perflens" analyze-folded --input <(echo substituted)
	[ "$(cat "$out")" = substituted ]
}

@test "stdin that is closed is no input of the first stage" {
	pipeline 'cat || exit 2' cat
	expect_exit 2 "$perflens" analyze-folded <&-
	[ ! -s "$out" ]
}

# ---- mistakes ----

@test "an option that no stage has: exit 2, nothing started, the nearest named" {
	pipeline : :
	expect_exit 2 "$perflens" analyze-folded --topn 3
	grep -q "^perflens: .*'--topn'.*did you mean --top-n?" "$err"
	[ ! -e "$log.pl-fold-parse" ]
	[ ! -e "$log.pl-aggregate" ]
	expect_exit 2 "$perflens" analyze-folded --entirely-different
	grep -q "'--entirely-different'" "$err"
	lacks 'did you mean' "$err"
	expect_exit 2 "$perflens" analyze-folded -z
	expect_exit 2 "$perflens" analyze-folded --list-options
}

@test "a missing argument and one too many: exit 2" {
	pipeline : :
	expect_exit 2 "$perflens" analyze-folded --top-n
	grep -q -e '--top-n' "$err"
	expect_exit 2 "$perflens" analyze-folded --no-paths=1
	grep -q -e '--no-paths' "$err"
	[ ! -e "$log.pl-aggregate" ]
}

@test "an unknown command: exit 2, near misses suggested" {
	stand_in pl-other '' :
	expect_exit 2 "$perflens" analyse-foldet
	grep -q "^perflens: .*'analyse-foldet'.*did you mean analyze-folded?" "$err"
	expect_exit 2 "$perflens" othr
	grep -q 'did you mean other?' "$err"
	expect_exit 2 "$perflens" helb
	grep -q 'did you mean help?' "$err"
	expect_exit 2 "$perflens" version
	grep -q 'did you mean --version?' "$err"
	expect_exit 2 "$perflens" zzzzzzzzzz
	lacks 'did you mean' "$err"
}

@test "a command is a name, not a path; no command: exit 2" {
	mkdir "$stage/pl-x"
	ln -s /bin/echo "$stage/pl-x/y"
	expect_exit 2 "$perflens" x/y
	[ ! -s "$out" ]
	expect_exit 2 "$perflens" ''
	expect_exit 2 "$perflens"
	expect_exit 2 "$perflens" --no-such-option analyze-folded
}

@test "a stage that is missing or too old: exit 6, its path named" {
	pipeline : :
	rm "$stage/pl-aggregate"
	expect_exit 6 "$perflens" analyze-folded
	grep -q "^perflens: .*$stage/pl-aggregate" "$err"
	printf '#!/bin/sh\necho no such option >&2; exit 2\n' >"$stage/pl-aggregate"
	chmod +x "$stage/pl-aggregate"
	expect_exit 6 "$perflens" analyze-folded
	grep -q 'no such option' "$err"
	printf '#!/bin/sh\nexec yes\n' >"$stage/pl-aggregate"
	expect_exit 4 "$perflens" analyze-folded
}

@test "an output that is an input of the other end: exit 5, nothing started" {
	pipeline 'cat' 'cat'
	echo 'main 1' >"$BATS_TEST_TMPDIR/input"
	ln "$BATS_TEST_TMPDIR/input" "$BATS_TEST_TMPDIR/hard"
	ln -s input "$BATS_TEST_TMPDIR/soft"
	cd "$BATS_TEST_TMPDIR"
	for output in input hard soft; do
		run_fail 5 PATH_SAFETY_VIOLATION "$perflens" analyze-folded --input input --output $output
		expect_exit 5 "$perflens" analyze-folded --output $output -- input
		grep -q "^perflens: $output: .*input" "$err"
		expect_exit 5 "$perflens" analyze-folded --output $output <input
	done
	status=0
	"$perflens" analyze-folded input 1<>hard 2>"$err" || status=$?
	[ "$status" = 5 ]
	[ ! -e "$log.pl-fold-parse" ]
	[ "$(cat input)" = 'main 1' ]
	run_ok "$perflens" analyze-folded --input input --output other
}

# ---- failures ----

@test "the leftmost failure is the status; a broken-off stream is not mentioned" {
	pipeline 'echo pl-fold-parse: bad line >&2; exit 3' \
		'cat >/dev/null; echo pl-aggregate: cut off >&2; exit 3'
	expect_exit 3 "$perflens" analyze-folded
	[ "$(cat "$err")" = 'pl-fold-parse: bad line' ]
	pipeline 'exit 2' 'cat >/dev/null; exit 3'
	expect_exit 2 "$perflens" analyze-folded
	grep -q '^perflens: .*pl-fold-parse.*status 2' "$err"
}

@test "the last stage's own failure is the status; the first only lost its reader" {
	pipeline 'exec yes' 'echo pl-aggregate: too many >&2; exit 4'
	expect_exit 4 "$perflens" analyze-folded
	[ "$(cat "$err")" = 'pl-aggregate: too many' ]
}

@test "notes of all stages are passed on, in their order" {
	pipeline 'echo pl-fold-parse: one >&2' 'cat; echo pl-aggregate: two >&2'
	expect_exit 0 "$perflens" analyze-folded
	printf 'pl-fold-parse: one\npl-aggregate: two\n' >"$BATS_TEST_TMPDIR/want"
	same "$BATS_TEST_TMPDIR/want" "$err"
}

@test "JSON errors: one line, the culprit's" {
	pipeline "echo note >&2; echo '$(error_of PROFILE_PARSE_FAILED fold-parse)' >&2; exit 3" \
		"cat >/dev/null; echo '$(error_of STREAM_TRUNCATED aggregate)' >&2; exit 3"
	for form in before after environment; do
		case $form in
		before) expect_exit 3 "$perflens" --json-errors analyze-folded ;;
		after) expect_exit 3 "$perflens" analyze-folded --json-errors ;;
		environment) PERFLENS_JSON_ERRORS=1 expect_exit 3 "$perflens" analyze-folded ;;
		esac
		[ "$(wc -l <"$err")" = 1 ]
		[ "$(jq -r '.code + " " + .stage' "$err")" = 'PROFILE_PARSE_FAILED fold-parse' ]
	done
}

@test "JSON errors: also the dispatcher's own, and the stages are told" {
	pipeline 'echo "$PERFLENS_JSON_ERRORS" >&2' 'cat'
	run_fail 2 INVALID_INPUT "$perflens" analyze-folded --topn 3
	stream_ok "$err"
	[ "$(jq -r '.stage + " " + .suggested_actions[0]' "$err")" = 'perflens did you mean --top-n?' ]
	run_fail 2 INVALID_INPUT "$perflens" no-such-command
	expect_exit 2 "$perflens" --json-errors no-such-command
	[ "$(jq -r .code "$err")" = INVALID_INPUT ]
	expect_exit 0 "$perflens" --json-errors analyze-folded
	[ "$(cat "$err")" = 1 ]
}

@test "a stage killed by a signal: exit 70, the stage and the signal named" {
	pipeline 'echo x' 'kill -SEGV $$'
	expect_exit 70 "$perflens" analyze-folded
	grep -q '^perflens: pl-aggregate was killed by signal 11' "$err"
	run_fail 70 INTERNAL_ERROR "$perflens" analyze-folded
	stream_ok "$err"
	[ "$(jq -r .stage "$err")" = aggregate ]
}

@test "a stage without a reason is given one" {
	pipeline 'echo x' 'cat >/dev/null; echo something odd >&2; exit 99'
	run_fail 99 INTERNAL_ERROR "$perflens" analyze-folded
	jq -r .message "$err" | grep -q 'something odd'
}

@test "a reader of ours that goes away: we die of SIGPIPE as any filter, in silence" {
	pipeline 'exec yes' 'exec cat'
	set +o pipefail
	"$perflens" analyze-folded 2>"$BATS_TEST_TMPDIR/err" | head -n 1 >"$BATS_TEST_TMPDIR/out"
	status=${PIPESTATUS[0]}
	[ "$status" = 141 ]
	[ "$(cat "$BATS_TEST_TMPDIR/out")" = y ]
	[ ! -s "$BATS_TEST_TMPDIR/err" ]
}

@test "a signal to us ends the stages, then us" {
	mkfifo "$BATS_TEST_TMPDIR/ready" "$BATS_TEST_TMPDIR/life"
	export BATS_TEST_TMPDIR
	# both hold the fifo "life" open: its reader sees the end when they are gone
	pipeline 'exec 9>"$BATS_TEST_TMPDIR/life"; echo up >"$BATS_TEST_TMPDIR/ready"; exec sleep 1000' \
		'exec 9>"$BATS_TEST_TMPDIR/life"; exec cat'
	for signal in TERM:143 HUP:129; do
		"$perflens" analyze-folded 2>"$BATS_TEST_TMPDIR/err" 3>&- &
		dispatcher=$!
		exec 8<"$BATS_TEST_TMPDIR/life"
		read -r word <"$BATS_TEST_TMPDIR/ready"
		[ "$word" = up ]
		kill -"${signal%:*}" "$dispatcher"
		status=0
		wait "$dispatcher" || status=$?
		[ "$status" = "${signal#*:}" ]
		[ -z "$(cat <&8)" ]
		exec 8<&-
		[ ! -s "$BATS_TEST_TMPDIR/err" ]
	done
}

# ---- a terminal ----

@test "on a terminal the first stage is told to show progress, unless --quiet" {
	pipeline 'printf "\r12 %%\r\033[K" >&2' cat
	script -qec "$perflens analyze-folded </dev/null" "$BATS_TEST_TMPDIR/typescript" >/dev/null
	given pl-fold-parse --progress
	given pl-aggregate
	grep -q '12 %' "$BATS_TEST_TMPDIR/typescript"
	script -qec "$perflens analyze-folded --quiet </dev/null" /dev/null >/dev/null
	given pl-fold-parse --quiet
}

@test "what is typed at a terminal reaches the first stage" {
	pipeline 'head -n 1' cat
	printf 'typed 1\n' | script -qec "$perflens analyze-folded >$BATS_TEST_TMPDIR/got" /dev/null >/dev/null
	[ "$(cat "$BATS_TEST_TMPDIR/got")" = 'typed 1' ]
}

# ---- help ----

@test "--help, help, -h: every command and every program beside" {
	stand_in pl-other '' :
	run_ok "$perflens" --help
	for name in analyze-folded report top verify-analysis help; do
		grep -q "^  $name " "$out"
	done
	grep -q '^ .* other' "$out"
	grep -q -e '--json-errors' "$out"
	cp "$out" "$BATS_TEST_TMPDIR/want"
	for form in help -h 'help --help' 'help help' '--help analyze-folded'; do
		# shellcheck disable=SC2086
		run_ok "$perflens" $form
		same "$BATS_TEST_TMPDIR/want" "$out"
	done
}

@test "--version" {
	contract_version perflens
	pipeline : :
	run_ok "$perflens" analyze-folded --version
	grep -q '^perflens .*[0-9]' "$out"
	[ ! -e "$log.pl-fold-parse" ]
}

@test "COMMAND --help: its stages and whose option is whose" {
	pipeline : :
	run_ok "$perflens" analyze-folded --help
	grep -q 'pl-fold-parse | pl-aggregate' "$out"
	grep -q '^  --max-records N  *explained by pl-fold-parse \[pl-fold-parse, pl-aggregate\]$' "$out"
	grep -q '^  --top-n N  *explained by pl-aggregate \[pl-aggregate\]$' "$out"
	grep -q '^  --input FILE  *explained by pl-fold-parse \[pl-fold-parse\]$' "$out"
	grep -q '^  --output FILE  *explained by pl-aggregate \[pl-aggregate\]$' "$out"
	lacks 'list-options' "$out"
	[ ! -e "$log.pl-fold-parse" ]
	run_ok "$perflens" help analyze-folded
	grep -q 'pl-fold-parse | pl-aggregate' "$out"
}

@test "COMMAND --help of one stage: nobody else's options; without what never works there" {
	stand_in pl-query 'input=FILE limit=N after=CURSOR symbol=S quiet' :
	run_ok "$perflens" top --help
	grep -q '^  --limit N  *explained by pl-query$' "$out"
	lacks '--after\|--symbol' "$out"
	stand_in pl-report 'input=FILE analysis=FILE quiet' :
	run_ok "$perflens" report --help
	[ "$(grep -c -e '^  --analysis FILE ' "$out")" = 1 ]
	pipeline : :
	stand_in pl-aggregate 'merge partial quiet' :
	run_ok "$perflens" analyze-folded --help
	grep -q '^  --partial ' "$out"
	lacks '--merge' "$out"
}

@test "an option that a command does not offer is unknown to it" {
	stand_in pl-query 'input=FILE limit=N after=CURSOR symbol=S quiet' :
	for option in --after=x --symbol=x --afte=x; do
		expect_exit 2 "$perflens" top "$option" a.ndjson
		grep -q "^perflens: top: unknown option '$option'; see perflens top --help" "$err"
	done
	[ ! -e "$log.pl-query" ]
}

@test "analyze-perf-data: without what is of one offset of a file; --lines is of one way" {
	for option in resolve binary module-offset runtime-address build-id sha256; do
		for lines in '' --lines; do
			expect_exit 2 perflens analyze-perf-data $lines --input /dev/null "--$option" x
			grep -q "unknown option '--$option'" "$err"
		done
		perflens analyze-perf-data --help >"$BATS_TEST_TMPDIR/help"
		! grep -q -e "--$option " "$BATS_TEST_TMPDIR/help" || fail "$option is in the help"
	done
	expect_exit 2 perflens analyze-perf-data --via perf-script --lines --input /dev/null
	grep -q "'--lines' needs --via native" "$err"
}

@test "a recording where a stream is wanted: the command that reads it is named" {
	printf 'PERFILE2\150\0\0\0\0\0\0\0' >"$BATS_TEST_TMPDIR/perf.data"
	for command in top 'report --analysis'; do
		# shellcheck disable=SC2086 # words
		expect_exit 3 perflens $command "$BATS_TEST_TMPDIR/perf.data"
		grep -q 'perf.data: is a perf.data recording.*perflens analyze-perf-data --input' "$err"
	done
}

@test "a program's option list of a newer or an older kind" {
	cat >"$stage/pl-query" <<-'END'
		#!/bin/sh
		printf 'limit\tN\ninput\tFILE\tread\tnew\nhelp\t-\tprint\n'
	END
	chmod +x "$stage/pl-query"
	run_ok "$perflens" top --help
	grep -q '^  --limit N$' "$out"
	grep -q '^  --input FILE  *read$' "$out"
}

@test "help NAME: the manual page as plain text, else the program's --help" {
	stand_in pl-other '' 'echo "help of other"'
	run_ok "$perflens" help other
	given pl-other --help
	[ "$(cat "$out")" = 'help of other' ]
	mkdir -p "$BATS_TEST_TMPDIR/share/man/man1" "$BATS_TEST_TMPDIR/share/man/man7"
	printf '.Dd $Mdocdate$\n.Dt PL-OTHER 1\n.Os\n.Sh NAME\n.Nm pl-other\n.Nd does é other things\n' \
		>"$BATS_TEST_TMPDIR/share/man/man1/pl-other.1"
	printf '.Dd $Mdocdate$\n.Dt PERFLENS-WORDS 7\n.Os\n.Sh NAME\n.Nm perflens-words\n.Nd said\n' |
		gzip >"$BATS_TEST_TMPDIR/share/man/man7/perflens-words.7.gz"
	rm "$log.pl-other"
	run_ok "$perflens" help other
	grep -q 'pl-other . does é other things' "$out"
	lacks $'\b' "$out"
	[ ! -e "$log.pl-other" ]
	run_ok "$perflens" help pl-other
	grep -q 'does é other things' "$out"
	run_ok "$perflens" help words
	grep -q 'perflens-words' "$out"
	expect_exit 2 "$perflens" help othre
	grep -q 'did you mean other?' "$err"
	expect_exit 2 "$perflens" help ../../../etc/passwd
}

@test "help to a full disk: exit 5" {
	err=$BATS_TEST_TMPDIR/err status=0
	"$perflens" --help >/dev/full 2>"$err" || status=$?
	[ "$status" = 5 ]
	grep -q '^perflens: ' "$err"
}

# ---- the real programs ----

@test "the main job: analysis, table, report and verification of a folded file" {
	folded=$BATS_TEST_TMPDIR/two.folded analysis=$BATS_TEST_TMPDIR/below/analysis.ndjson
	printf 'main;work 3\nmain;rest 1\n' >"$folded"
	run_ok perflens analyze-folded --input "$folded" --output "$analysis"
	[ ! -s "$out" ]
	stream_ok "$analysis"
	run_ok perflens top "$analysis"
	grep -q '75\.00.*work' "$out"
	mv "$out" "$BATS_TEST_TMPDIR/top"
	run_ok pl-query text "$analysis"
	same "$out" "$BATS_TEST_TMPDIR/top"
	run_ok perflens tree "$analysis"
	[ "$(awk '/^ / { print $NF }' "$out" | paste -sd ' ')" = 'main work rest' ]
	run_ok perflens callees main "$analysis"
	[ "$(awk '/  h-/ { print $1, $2, $NF }' "$out" | tail -n 2 | paste -sd ' ')" = '75.00 3 work 25.00 1 rest' ]
	run_ok perflens report --analysis "$analysis" --problem 'It is slow' --output "$folded.md"
	grep -q 'It is slow' "$folded.md"
	run_ok perflens verify-analysis --input "$analysis" --source "$folded"
	[ "$(jq -r 'select(.type=="check" and .status!="passed").name' "$out")" = '' ]
	sed 's/"weight":4/"weight":5/' "$analysis" >"$folded.forged"
	expect_exit 1 perflens verify-analysis --input "$folded.forged"
	expect_exit 3 perflens top "$folded.forged"
}

@test "several inputs, as operands or options, are one analysis" {
	printf 'a 3\n' >"$BATS_TEST_TMPDIR/one"
	printf 'a 1\nb 2\n' >"$BATS_TEST_TMPDIR/two"
	cd "$BATS_TEST_TMPDIR"
	run_ok perflens analyze-folded --input one --input two --group-by symbol
	[ "$(jq -r 'select(.type=="hotspot") | "\(.symbol) \(.self)"' "$out" | paste -s -d,)" = 'a 4,b 2' ]
	mv "$out" by-option
	run_ok perflens analyze-folded one two --group-by=symbol
	same by-option "$out"
}

@test "every stage of every command answers with its options" {
	for command in analyze-folded callees callers inspect-elf report source-context top tree \
		verify-analysis; do
		run_ok perflens "$command" --help
		grep -q '^  --json-errors  *print a failure' "$out"
		expect_exit 2 perflens "$command" --no-such-option
	done
}

@test "no help text has other dots than ASCII ones" {
	for program in "$PL_BIN"/*; do
		run_ok "$program" --help
		lacks '…' "$out"
	done
	for command in analyze-folded callees callers inspect-elf report source-context top tree \
		verify-analysis; do
		run_ok perflens "$command" --help
		lacks '…' "$out"
	done
}

@test "every option that a command lists is taken by its programs" {
	printf 'main;work 3\nmain;rest 1\n' >"$BATS_TEST_TMPDIR/folded"
	pl-fold-parse "$BATS_TEST_TMPDIR/folded" | pl-aggregate >"$BATS_TEST_TMPDIR/analysis"
	cp "$(type -P true)" "$BATS_TEST_TMPDIR/program"
	cd "$BATS_TEST_TMPDIR"
	commands='analyze-folded:folded inspect-elf:program report:analysis top:analysis tree:analysis verify-analysis:analysis'
	# what is proved is of the dispatcher, and hundreds of programs start slowly there
	[ "$PL_FLAVOUR" != asan ] || commands=report:analysis
	for command in $commands; do
		file=${command#*:} command=${command%:*}
		perflens "$command" --help | sed -n 's/^  --\([a-z-]*\) \([A-Za-z]*\)  .*/\1 \2/p; s/^  --\([a-z-]*\)   .*/\1/p' |
			grep -v -x 'input FILE\|output FILE\|analysis FILE\|help\|version' >options
		[ "$(wc -l <options)" -ge 7 ]
		while read -r option argument; do
			case $option:$argument in
			max-bytes:*) value='=2000' ;;
			width:*) value='=60' ;;
			min-percent:*) value='=1' ;;
			timeout-seconds:*) value='=60' ;;
			roots:* | sysroot:*) value='=.' ;;
			source:*) value='=folded' ;;
			diagnosis:*) continue ;; # must be of this very analysis: tests/pl-report.bats
			*:N | *:SIZE) value='=2M' ;;
			event:*) value='=unknown' ;;
			unit:*) value='=samples' ;;
			column:*) value='=none' ;;
			group-by:*) value='=dso' ;;
			sort:*) value='=samples' ;;
			*:PERCENT) value='=50' ;;
			*:?*) value='=text' ;;
			*) value='' ;;
			esac
			case $command:$option in
			*:limit | report:top | report:*-limit | *:scale) value='=2' ;;
			report:max-bytes) value='=1M' ;;
			report:format) value='=html' ;;
			esac
			status=0
			perflens "$command" "--$option$value" "$file" >out 2>err || status=$?
			[ "$status" = 0 ] || fail "perflens $command --$option$value: $status" "$(cat err)"
		done <options
	done
}
