#!/usr/bin/env bats
#
# pl-select: which samples are kept, what the end record then announces, what stays byte for byte.
#
# shellcheck disable=SC2030,SC2031 # each test is a subshell
# shellcheck disable=SC2154 # out and err are the helper's

load helper

# Two events, six samples; s0 has nothing that is optional, s5 no stack.
setup() {
	in=$BATS_TEST_TMPDIR/samples
	cat >"$in" <<-'END'
		{"type":"header","schema":"perflens.samples","version":"1.0","producer":{"program":"pl-script-parse","version":"0.1.0","options":{}},"inputs":[{"format":"perf-script","name":"out.txt"}]}
		{"type":"event","id":0,"name":"cycles","unit":"cycles","weight_source":"period","source":"hardware"}
		{"type":"event","id":1,"name":"page-faults","unit":"events","weight_source":"count","source":"software"}
		{"type":"module","id":0,"dso":"/usr/bin/nginx","build_id":"aa"}
		{"type":"frame","id":0,"symbol":"main","module":0}
		{"type":"frame","id":1,"symbol":"parse","module":0,"inlines":[{"symbol":"skip_blanks"}]}
		{"type":"frame","id":2,"symbol":"send","module":null}
		{"type":"future","note":"of a newer version"}
		{"type":"sample","event":0,"weight":1,"stack":[0,1]}
		{"type":"sample","event":0,"weight":10,"stack":[0,2],"pid":7,"tid":8,"comm":"nginx","cpu":0,"time":100,"mode":"user"}
		{"type":"lost","count":3}
		{"type":"sample","event":1,"weight":100,"stack":[0],"pid":7,"tid":9,"comm":"nginx","cpu":1,"time":200,"mode":"kernel"}
		{"type":"sample","event":0,"weight":1000,"stack":[0,1],"pid":-1,"tid":-1,"comm":"swapper","cpu":1,"time":300,"mode":"kernel"}
		{ "stack":[2], "weight":10000, "type":"sample", "event":1, "comm":"a b", "pid":12, "newer":[1,{"x":null}] }
		{"type":"sample","event":0,"weight":100000,"stack":[],"pid":7,"tid":8,"comm":"nginx","cpu":0,"time":400}
		{"type":"diagnostic","code":"INVALID_WEIGHT","input":0,"line":9,"message":"m","preview":"p"}
		{"type":"end","samples":6,"events":[{"id":0,"samples":4,"weight":101011},{"id":1,"samples":2,"weight":10100}],"modules":1,"frames":3,"lost":3,"records":7,"malformed":1,"skipped":0,"replaced":0,"diagnostics":{"INVALID_WEIGHT":1},"inputs":[{"bytes":900,"sha256":"eca07ab4ee0a8dc651eee5525be49a1738c3d36be47bd04c90ce07a1fa83b1bf","lines":60}],"fields":{"tid":4},"newer":true}
	END
}

# keeps WEIGHTS [OPTION…]: exactly these samples, in order; all else byte for byte; the end record
# announces what was announced, less what was rejected, worked out here by jq.
keeps() {
	local want=$1
	shift
	expect_exit 0 pl-select "$@" "$in"
	[ "$(jq -r 'select(.type=="sample").weight' "$out" | paste -sd ' ')" = "$want" ] ||
		fail "kept: $(jq -r 'select(.type=="sample").weight' "$out" | paste -sd ' ')"
	grep -vxF -f "$in" "$out" >"$BATS_TEST_TMPDIR/new" || true
	[ "$(jq -r .type "$BATS_TEST_TMPDIR/new" | paste -sd ' ')" = "header end" ] ||
		[ "$(jq -r .type "$BATS_TEST_TMPDIR/new")" = header ] ||
		fail "changed lines: $(cat "$BATS_TEST_TMPDIR/new")"
	for type in event module frame lost diagnostic future; do
		same <(grep "\"type\":\"$type\"" "$in") <(grep "\"type\":\"$type\"" "$out")
	done
	jq -c --argjson keep "[${want// /,}]" -s '
		[.[] | select(.type=="sample" and (.weight as $w | $keep | index($w) | not))] as $gone
		| .[] | select(.type=="end")
		| .samples -= ($gone | length)
		| .events |= map(.id as $id | ($gone | map(select(.event==$id))) as $g
			| .samples -= ($g | length) | .weight -= ([$g[].weight] | add // 0))
		' "$in" >"$BATS_TEST_TMPDIR/want-end"
	tail -n 1 "$out" >"$BATS_TEST_TMPDIR/end"
	same "$BATS_TEST_TMPDIR/want-end" "$BATS_TEST_TMPDIR/end"
}

all='1 10 100 1000 10000 100000'

@test "without options everything is kept" {
	keeps "$all"
	same <(tail -n +2 "$in") <(tail -n +2 "$out")
}

@test "its own header, the options in it, the input below it" {
	run_ok pl-select --comm nginx --pid 7 --comm "a b" "$in"
	[ "$(head -n 1 "$out")" = '{"type":"header","schema":"perflens.samples","version":"1.0","producer":{"program":"pl-select","version":"0.1.0","options":{"comm":["nginx","a b"],"pid":["7"]}},"inputs":[{"schema":"perflens.samples","producer":{"program":"pl-script-parse","version":"0.1.0","options":{}},"inputs":[{"format":"perf-script"}]}]}' ]
	grep -v '"future"' "$out" | jq -c 'del(.newer)' >"$out.known"
	stream_ok "$out.known"
}

@test "by command, process, thread, processor" {
	keeps "10 100 100000" --comm nginx
	keeps "10 100 10000 100000" --comm nginx --comm 'a b'
	keeps "10 100 100000" --pid 7
	keeps "1000" --pid -1
	keeps "10 100000" --pid 12 --pid 7 --cpu 0 --tid 8
	keeps "100" --tid 9
	keeps "100 1000" --cpu 1
}

@test "different options must all hold" {
	keeps "100" --comm nginx --cpu 1
	keeps "1000" --cpu 1 --comm swapper --mode kernel
	keeps "" --comm swapper --cpu 0
}

@test "by time: both ends are included, either may be open" {
	keeps "10 100" --time 100-200
	keeps "10 100" --time 99-299
	keeps "100" --time 101-200
	keeps "100 1000 100000" --time 200-
	keeps "10" --time -100
	keeps "10 100000" --time -100 --time 400-
	keeps "1000" --time 300-300
	keeps "10 100 1000 100000" --time 0-18446744073709551615
}

@test "by event" {
	keeps "100 10000" --event page-faults
	keeps "$all" --event page-faults --event cycles
	keeps "" --event page
	grep -q 'no event' "$err"
}

@test "by mode" {
	keeps "100 1000" --mode kernel
	keeps "10" --mode user
}

@test "by symbol: exactly, anywhere in the stack, inlined functions too" {
	keeps "1 1000" --symbol parse
	keeps "10 10000" --symbol send
	keeps "1 10 1000 10000" --symbol send --symbol parse
	keeps "1 1000" --symbol skip_blanks
	keeps "" --symbol pars
	grep -q 'no function' "$err"
}

@test "of self-contained samples, too" {
	pl-expand "$in" >"$BATS_TEST_TMPDIR/expanded"
	in=$BATS_TEST_TMPDIR/expanded
	keeps "$all"
	keeps "1 1000" --symbol skip_blanks
	keeps "10" --symbol send --comm nginx
}

@test "a member that no sample has selects nothing, and says so" {
	grep -v '"comm"' "$in" | sed 's/"samples":6,/"samples":1,/; s/"samples":4,"weight":101011/"samples":1,"weight":1/; s/"samples":2,"weight":10100/"samples":0,"weight":0/' >"$in.bare"
	in=$in.bare
	for option in --comm=x --pid=1 --tid=1 --cpu=1 --time=1-2 --mode=user; do
		keeps "" "$option"
		grep -q "^pl-select: .*${option%%=*} " "$err" || fail "$option: $(cat "$err")"
		keeps "" "$option" --quiet
		[ ! -s "$err" ]
	done
	# a member that some have is no such case
	in=$BATS_TEST_TMPDIR/samples
	run_ok pl-select --comm nobody "$in"
}

@test "what was filtered before stays announced" {
	grep -v '"weight":1000,' "$in" >"$in.filtered"
	run_ok pl-select --comm nginx "$in.filtered"
	# 6 announced, 5 arrived, 2 of these rejected
	[ "$(jq -c 'select(.type=="end") | [.samples, .events]' "$out")" = \
		'[4,[{"id":0,"samples":3,"weight":101010},{"id":1,"samples":1,"weight":100}]]' ]
}

@test "more was rejected than is announced: refused" {
	sed '/"weight":10,/d; s/"weight":101011/"weight":5/' "$in" >"$in.light"
	run_fail 3 PROFILE_PARSE_FAILED pl-select --comm nobody "$in.light"
}

@test "values that are none" {
	for bad in --pid= --pid=x --tid=1.5 --cpu=0x1 --pid=9223372036854775808 --time=5 --time=- \
		--time=9-8 --time=a-b --time=1-2-3 --time=; do
		expect_exit 2 pl-select "$bad" "$in"
		[ ! -s "$out" ]
		grep -q -e "${bad%%=*}" "$err" || fail "$bad: $(cat "$err")"
	done
}

@test "pl-select keeps the contract of every program" {
	program_contract pl-select schemas/examples/two-lines.samples.ndjson
}

@test "pl-select keeps the contract of readers of streams" {
	stream_contract pl-select schemas/examples/two-lines.samples.ndjson
}
