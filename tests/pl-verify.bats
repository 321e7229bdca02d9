#!/usr/bin/env bats
#
# pl-verify: each check passes on what is right and fails on one hand-made breakage, alone where the
# breakage allows it. The digest is made anew after each, so that it is not what finds them.
#
# shellcheck disable=SC2016 # literal dollars
# shellcheck disable=SC2030,SC2031 # each test is a subshell
# shellcheck disable=SC2154 # out and err are the helper's

load helper

example=schemas/examples/two-lines.analysis.ndjson
source_file=schemas/examples/two-lines.folded

setup() {
	in=$BATS_TEST_TMPDIR/analysis
	cp "$example" "$in"
	chmod u+w "$in"
}

# reseal FILE: gives it the digest of what it now holds.
reseal() {
	sed '$ s/,"sha256":"[^"]*"}$//' "$1" | head -c -1 >"$1.open"
	printf ',"sha256":"%s"}\n' "$(sha256sum <"$1.open" | cut -d ' ' -f 1)" |
		cat "$1.open" - >"$1"
}

# broken SCRIPT: the example, changed by sed and sealed again.
broken() {
	sed "$1" "$example" >"$in"
	! cmp -s "$example" "$in" || fail "nothing changed: $1"
	reseal "$in"
}

# checks STATUS WORDS [OPTION…]: the exit status, and the eight results by their first letters in
# the order of the checks: p(assed), f(ailed), s(kipped), x for "do not care".
checks() {
	local want_status=$1 want=$2 got
	shift 2
	expect_exit "$want_status" pl-verify "$@" "$in"
	got=$(jq -r 'select(.type=="check").status[:1]' "$out" | tr -d '\n')
	[ "${#got}" = 8 ] || fail "not eight checks: $(cat "$out")"
	for i in {0..7}; do
		[ "${want:i:1}" = x ] || [ "${want:i:1}" = "${got:i:1}" ] ||
			fail "want $want, got $got" "$(cat "$out")"
	done
	stream_ok "$out"
}

# reason CHECK PATTERN
reason() {
	jq -r --arg name "$1" 'select(.name==$name).reason' "$out" | grep -q -e "$2" ||
		fail "$1: $(grep "\"$1\"" "$out")"
}

# ---- what is right ----

@test "the example is right" {
	checks 0 ppppppss
	[ "$(jq -r 'select(.type=="check").name' "$out" | paste -sd ' ')" = \
		"digest members order conservation percent quality source_digest replay" ]
	jq -e -s 'map(select(.status=="passed")) | all(.reason == null)' "$out"
}

@test "the result is an artifact and names what was looked at" {
	run_ok pl-verify --quiet "$example"
	[ "$(head -n 1 "$out")" = '{"type":"header","schema":"perflens.verification","version":"1.0","producer":{"program":"pl-verify","version":"0.1.0","options":{}},"inputs":[{"schema":"perflens.analysis","producer":{"program":"pl-aggregate","version":"0.1.0","options":{}},"inputs":[{"schema":"perflens.samples","producer":{"program":"pl-fold-parse","version":"0.1.0","options":{}},"inputs":[{"format":"folded","bytes":53,"sha256":"eca07ab4ee0a8dc651eee5525be49a1738c3d36be47bd04c90ce07a1fa83b1bf","lines":2}]}],"sha256":"ae8aa89d6597cc1067cbe6297732ff45e82dd981c6706b74bc24b264a0d15af9"}]}' ]
	[ "$(tail -n 1 "$out" | jq -c '[.type, .records]')" = '["end",8]' ]
	cp "$out" "$out.sealed"
	reseal "$out.sealed"
	same "$out" "$out.sealed"
	# and can itself be verified, as far as its kind is known
	in=$out.sealed
	checks 0 psssssss
}

@test "types and members of a newer version are no fault" {
	sed '3a {"type":"future","x":1}
		s/"version":"1.0","producer":{"program":"pl-aggregate"/"version":"1.7","producer":{"program":"pl-aggregate"/
		s/"type":"path",/"type":"path","newer":[{}],/
		$ s/"records":10/"records":11/' "$example" >"$in"
	reseal "$in"
	checks 0 ppppppss
	# nor between two rows that are compared
	sed '10a {"type":"future","frames":[{"symbol":"z","dso":null}]}
		$ s/"records":10/"records":11/' "$example" >"$in"
	reseal "$in"
	checks 0 ppppppss
}

# samples SEED: four events (two of one name), modules, spellings, sources, inlined functions, modes,
# threads, samples without a stack and of weight 0: 200 samples, drawn by a generator of its own.
samples() {
	jq -n -c --argjson seed "$1" '
		def draws: [limit(4000; {x: $seed} | recurse(.x = (.x * 1103515245 + 12345) % 2147483648)
			| .x / 65536 | floor)];
		draws as $r
		| def pick($i; $list): $list[$r[$i] % ($list | length)];
		[["cycles:u","cycles","period","hardware"], ["cycles:u","events","count","software"],
			["off_cpu","nanoseconds","interval","unknown"],
			["instructions","instructions","period","hardware"]] as $events
		| [range(200) as $i | ($i * 16) as $k | {type: "sample", event: ($r[$k + 1] % 4),
				weight: pick($k + 2; [0, 1, 3, 1000003, 1099511627776]),
				stack: [range(pick($k + 3; [0, 1, 2, 5, 9])) | $r[$k + 4 + .] % 40]}
			+ pick($k + 13; [{}, {pid: 7, tid: ($r[$k + 14] % 5), comm: "nginx"},
				{pid: 0, tid: 0, comm: "swapper", cut: "TRUNCATED"}])
			+ pick($k + 15; [{}, {mode: "user"}, {mode: "kernel"}])] as $samples
		| {type: "header", schema: "perflens.samples", version: "1.0",
			producer: {program: "pl-script-parse", version: "0.1.0", options: {}},
			inputs: [{format: "perf-script"}]},
		(range(4) | {type: "event", id: ., name: $events[.][0], unit: $events[.][1],
			weight_source: $events[.][2], source: $events[.][3]}),
		{type: "module", id: 0, dso: "/lib/libc.so.6", build_id: "ab12", kind: "user"},
		{type: "module", id: 1, dso: "[kernel.kallsyms]", kind: "kernel"},
		{type: "module", id: 2, dso: "/tmp/perf-7.map", kind: "jit"},
		(range(40) as $i | {type: "frame", id: $i,
				symbol: pick($i; ["main", "f", "g<int>(a;b)", "[unknown]", "0x1f", "memcpy"]),
				module: pick($i + 40; [null, 0, 1, 2])}
			+ pick($i + 80; [{}, {}, {raw: "f.part.0"}, {raw: "f.isra.1"}])
			+ pick($i + 120; [{}, {offset: "0x1f0"}, {offset: "0x2f0"}])
			+ pick($i + 160; [{}, {source: {file: "a.c", line: 3}}, {inlines: [{symbol: "in"}]}])),
		$samples[],
		{type: "lost", count: 2, event: 1},
		{type: "end", samples: 200, events: [range(4) as $e | $samples | map(select(.event == $e))
				| {id: $e, samples: length, weight: (map(.weight) | add // 0)}],
			modules: 3, frames: 40, lost: 2, records: 200, malformed: 0, skipped: 0,
			replaced: 0, diagnostics: {},
			inputs: [{bytes: 1, sha256: ("e" * 64), lines: 1}]}'
}

@test "whatever pl-aggregate writes is right" {
	local seed group options
	for seed in 1 2; do
		samples "$seed" >"$BATS_TEST_TMPDIR/samples"
		for group in symbol,dso symbol dso comm tid source; do
			for options in "" --no-paths "--top-n=3 --call-path-limit=2" \
				"--unresolved-threshold=90 --event=cycles:u"; do
				# shellcheck disable=SC2086 # options are words
				pl-aggregate --group-by "$group" $options "$BATS_TEST_TMPDIR/samples" >"$in"
				run_ok pl-verify --quiet "$in" || fail "$seed, $group, $options" "$(grep failed "$out")"
			done
		done
		pl-aggregate --partial "$BATS_TEST_TMPDIR/samples" >"$BATS_TEST_TMPDIR/partial$seed"
	done
	pl-aggregate --merge "$BATS_TEST_TMPDIR/partial1" "$BATS_TEST_TMPDIR/partial2" >"$in"
	checks 0 ppppppss
}

# ---- digest ----

@test "every 97th byte changed, deleted, doubled: exit 1 and a failed digest" {
	local n size variant byte text
	size=$(stat -c %s "$example")
	IFS= read -r -d '' text <"$example" || [ "${#text}" = "$size" ] # a byte is a character
	for ((n = 0; n < size; n += 97)); do
		byte=${text:n:1}
		for variant in X "" "$byte$byte"; do
			[ "$byte" != X ] || [ "$variant" != X ] || variant=Y
			printf '%s' "${text:0:n}" "$variant" "${text:n+1}" >"$in"
			expect_exit 1 pl-verify --quiet "$in"
			[[ $(<"$out") == *'"name":"digest","status":"failed"'* ]] || fail "byte $n: '$variant'"
		done
	done
}

@test "cut off anywhere, and something after the end" {
	local n
	for n in 1 2 70 80 500 4000; do
		head -c "-$n" "$example" >"$in"
		checks 1 ffssssss
	done
	head -n 3 "$example" >"$in"
	checks 1 ffssssss
	reason members 'no end record'
	for more in x '' '{"type":"path"}'; do
		{
			cat "$example"
			echo "$more"
		} >"$in"
		checks 1 ffssssss
	done
}

@test "no digest, one in upper case, one in another place" {
	sed '$ s/,"sha256":"[^"]*"//' "$example" >"$in"
	checks 1 fpppppss
	reason digest 'does not end with'
	sed '$ s/ae8aa89d/AE8AA89D/' "$example" >"$in"
	checks 1 fpppppss
	sed '$ s/{"type":"end",\(.*\),\("sha256":"[^"]*"\)}/{"type":"end",\2,\1}/' "$example" >"$in"
	checks 1 fpppppss
}

# ---- members ----

@test "members: missing, of a wrong kind, twice, no record" {
	broken '4 s/"threads":0,//'
	checks 1 pfssssss
	reason members '^line 4: hotspot: threads '
	reason order 'could not be read'
	broken '6 s/"self":0,/"self":"0",/'
	checks 1 pfssssss
	reason members '^line 6: hotspot: self '
	broken '6 s/"self":0,/"self":-1,/'
	checks 1 pfssssss
	broken '2 s/"weight":453/"weight":null/'
	checks 1 pfssssss
	reason members '^line 2: event: weight '
	broken '5 s/"id":"h-b490108c1ffcdcb4",//'
	checks 1 pfssssss
	reason members '^line 5: .*callers.*id'
	broken '9 s/"dso":null/"dso":7/'
	checks 1 pfssssss
	reason members '^line 9: .*frames.*dso'
	broken '3 s/"call_path_distribution"/7/'
	checks 1 pfssssss
	reason members '^line 3: .*allowed'
	broken '$ s/"hotspots":5,//'
	checks 1 pfssssss
	reason members '^line 12: .*events.*hotspots'
	broken '$ s/"DOMINANT_SAMPLE":1/"DOMINANT_SAMPLE":"1"/'
	checks 1 pfssssss
	broken '7 s/"callees":\[{"id":"[^"]*","symbol":"compute",/"callees":[{"id":"h-809dd1f5cfc5bd68",/'
	checks 1 pfssssss
	reason members '^line 7: callees: symbol .*grouped'
	broken '9 s/"dso":null/"tid":"1",&/'
	checks 1 pfssssss
	reason members '^line 9: frames: tid .*grouped'
	for member in '"kind":null,' '"sources":\[\],' '"variants_total":1,' '"addresses_total":0,'; do
		broken "4 s/$member//"
		checks 1 pfssssss
		reason members '^line 4: hotspot: [a-z_]* is missing'
	done
	broken '7 s/"symbol":"worker",//'
	checks 1 pfssssss
	reason members '^line 7: hotspot: symbol .*grouped'
	broken '4 s/"kind":null/"kind":null,"kind":null/'
	checks 1 pfssssss
	reason members '^line 4: no JSON'
	broken '4 s/"type":"hotspot"/"type":4/'
	checks 1 pfssssss
	broken '1 s/"group_by":"symbol,dso",//'
	checks 1 pfssssss
	broken '1 s/"program":"pl-aggregate",//'
	checks 1 pfssssss
}

# ---- order ----

@test "order: events, rows, labels, counts" {
	# two hotspots, two paths
	broken '4{h;d};5{G}'
	checks 1 ppfpppss
	reason order '^line 5: the hotspot'
	broken '9{h;d};10{G}'
	checks 1 ppfpppss
	reason order '^line 10: the path'
	# a path above the hotspots, a quality that comes too late
	broken '4{h;d};9{G}'
	checks 1 ppfpppss
	broken '3{h;d};4{G}'
	checks 1 ppfxxxss
	reason order 'out of place'
	# the same row twice
	broken '8p;$ s/"records":10/"records":11/'
	checks 1 ppffppss
	broken '4 s/"event":"unknown"/"event":"other"/'
	checks 1 ppfpppss
	reason order '^line 4: a hotspot of another event'
	broken '2 s/"label":"unknown"/"label":"cycles"/'
	checks 1 ppffxxss
	broken '$ s/"records":10/"records":9/'
	checks 1 ppfpppss
	reason order '9 records, there are 10'
}

# ---- names: they are part of the order ----

# id KIND NAME…: the id of a row (h) or a call path (p) of such names without a DSO, by the rule.
id() {
	printf '%s-%s' "$1" "$({
		printf 'symbol,dso\0'
		printf '%s\0\0' "${@:2}"
	} | sha256sum | head -c 16)"
}

# renamed OLD NEW [SCRIPT]: the example with another name for compute or malloc, in all rows, their ids made
# anew.
renamed() {
	local to=(main worker "$2") of=(main worker "$1")
	[ "$1" = compute ] || { to=(main worker parse "$2") of=(main worker parse "$1"); }
	broken "s/\"$1\"/\"$2\"/g
		s/$(id h "$1")/$(id h "$2")/g
		s/$(id p "${of[@]}")/$(id p "${to[@]}")/
		${3:-}"
}

@test "ids are made of the names, everywhere" {
	[ "$(id h compute)" = h-809dd1f5cfc5bd68 ]
	renamed compute computed
	checks 0 ppppppss
	broken 's/"compute"/"computed"/g'
	checks 1 ppfpppss
	reason order "^line 4: the id $(id h compute) is not $(id h computed)"
	# a row, a caller, a callee, a path
	broken '6 s/"id":"h-8b92/"id":"h-9b92/'
	checks 1 ppfpppss
	reason order '^line 6: '
	broken '5 s/"callers":\[{"id":"h-b490/&0/'
	checks 1 ppfpppss
	reason order '^line 5: '
	broken '7 s/"callees":\[{"id":"h-809d/&0/'
	checks 1 ppfpppss
	broken '9 s/"id":"p-ebcc/&0/'
	checks 1 ppfpppss
	reason order '^line 9: '
	# a suffix that nothing calls for, one that is none, the id of another row's
	for suffix in -2 -1 -02 -x - -4294967296; do
		broken "s/\"$(id h compute)\"/\"$(id h compute)$suffix\"/"
		checks 1 ppfpppss
		broken "9 s/\"id\":\"[^\"]*/&$suffix/"
		checks 1 ppfpppss
	done
}

# twins NAME…: samples in functions of one name in files of one base name, the last weighs most.
twins() {
	local i=0 dso
	echo '{"type":"header","schema":"perflens.samples","version":"1.0","producer":{"program":"pl-script-parse","version":"0.1.0","options":{}},"inputs":[{"format":"perf-script"}]}'
	echo '{"type":"event","id":0,"name":"cycles","unit":"cycles","weight_source":"interval","source":"hardware"}'
	for dso; do
		echo "{\"type\":\"module\",\"id\":$i,\"dso\":\"$dso\"}"
		echo "{\"type\":\"frame\",\"id\":$i,\"symbol\":\"f\",\"module\":$i}"
		i=$((i + 1))
		echo "{\"type\":\"sample\",\"event\":0,\"weight\":$i,\"stack\":[$((i - 1))]}"
	done
	echo "{\"type\":\"end\",\"samples\":$i,\"events\":[{\"id\":0,\"samples\":$i,\"weight\":$((i * (i + 1) / 2))}],\"modules\":$i,\"frames\":$i,\"lost\":0,\"records\":$i,\"malformed\":0,\"skipped\":0,\"replaced\":0,\"diagnostics\":{},\"inputs\":[{\"bytes\":1,\"sha256\":\"$(printf %064d 0)\",\"lines\":1}]}"
}

@test "ids: suffixes of one base name in several folders" {
	local h
	twins /a/x.so /b/x.so /c/x.so | pl-aggregate >"$in"
	checks 0 ppppppss
	h=h-$(printf 'symbol,dso\0f\0x.so\0' | sha256sum | head -c 16)
	[ "$(jq -r 'select(.type=="hotspot").id' "$in" | paste -sd ' ')" = "$h-3 $h-2 $h" ]
	sed -i "s/$h-2/$h-4/; s/$h-3/$h-2/" "$in"
	reseal "$in"
	checks 1 ppfpppss
	# with the other rows left out, one of them may own what is skipped, but not what is before
	twins /a/x.so /b/x.so /c/x.so | pl-aggregate --top-n 1 --call-path-limit 1 >"$in"
	checks 0 ppppppss
	sed -i "s/$h-3/$h/" "$in"
	reseal "$in"
	checks 0 ppppppss
	twins /a/x.so /b/x.so /c/x.so | pl-aggregate --top-n 1 | sed "s/\"id\":\"$h-3/\"id\":\"$h-2/" >"$in"
	reseal "$in"
	checks 1 ppfpppss
	reason order 'should be at least 3'
	# of paths only those that are written count
	twins /a/x.so /b/x.so | pl-aggregate --call-path-limit 1 >"$in"
	checks 0 ppppppss
	sed -i 's/"id":"p-[^"]*/&-2/' "$in"
	reseal "$in"
	checks 1 ppfpppss
}

@test "order: one row a name" {
	pl-fold-parse "$source_file" | pl-aggregate --no-paths >"$in"
	checks 0 ppppppss
	# 452 of 453 is 99.779249 %
	sed -i '7{p;s/"inclusive":453,"inclusive_pct":100.000000/"inclusive":452,"inclusive_pct":99.779249/}
		$ s/"hotspots_total":5,"hotspots":5/"hotspots_total":6,"hotspots":6/
		$ s/"records":8/"records":9/' "$in"
	reseal "$in"
	checks 1 ppfpppss
	reason order '^line 8: a second row'
}

@test "order: lists in the rows" {
	broken '4 s/"variants":\["compute"\]/"variants":[]/'
	checks 1 ppfpppss
	reason order '^line 4: variants are 0, and variants_total is 1'
	broken '4 s/"addresses_total":0/"addresses_total":1/'
	checks 1 ppfpppss
	broken '4 s/"sources_total":0/"sources_total":17/'
	checks 1 ppfpppss
	broken '4 s/"variants":\["compute"\],"variants_total":1/"variants":["d","c"],"variants_total":2/'
	checks 1 ppfppxss
	reason order '^line 4: variants: an element is out of order'
	for list in '{"file":"b.c","line":1,"self":1},{"file":"a.c","line":1,"self":1}' \
		'{"file":"a.c","line":2,"self":1},{"file":"a.c","line":1,"self":1}' \
		'{"file":"a.c","line":1,"self":1},{"file":"b.c","line":1,"self":2}'; do
		broken "4 s/\"sources\":\\[\\],\"sources_total\":0/\"sources\":[$list],\"sources_total\":2/"
		checks 1 ppfxpxss
		reason order '^line 4: sources: an element'
	done
	broken '7 s/"callees":\[\({[^}]*}\),\({[^}]*}\)/"callees":[\2,\1/'
	checks 1 ppfxppss
	reason order '^line 7: callees: an element'
	broken '7 s/"callers":\[[^]]*\],//'
	checks 1 ppfxppss
	reason order '^line 7: callers are missing'
}

@test "order: no more diagnostics than are counted" {
	broken '11p;$ s/"records":10/"records":11/'
	checks 1 ppfpppss
	reason order '^line 12: more diagnostics DOMINANT_SAMPLE'
	broken '11 s/"code":"DOMINANT_SAMPLE"/"code":"LOOKS_INCLUSIVE"/'
	checks 1 ppfpppss
}

@test "order: labels of events of one name" {
	local name=(a a 'a#2' a) unit=(x y x z) i
	{
		twins /x | head -n 1
		for i in 0 1 2 3; do
			echo "{\"type\":\"event\",\"id\":$i,\"name\":\"${name[i]}\",\"unit\":\"${unit[i]}\",\"weight_source\":\"interval\",\"source\":\"unknown\"}"
			echo "{\"type\":\"sample\",\"event\":$i,\"weight\":1,\"stack\":[]}"
		done
		twins /x | tail -n 1 | jq -c '.samples=4 | .records=4 | .modules=0 | .frames=0 |
			.events=[range(4)|{id:.,samples:1,weight:1}]'
	} | pl-aggregate >"$in"
	[ "$(jq -r 'select(.type=="event").label' "$in" | paste -sd ' ')" = 'a a#3 a#4 a#2' ]
	checks 0 ppppppss
	sed -i 's/"a#3"/"a#5"/' "$in"
	reseal "$in"
	checks 1 ppfxxxss
	reason order 'label is not a#3'
}

# ---- conservation ----

@test "conservation: self, paths, parts greater than their whole, counts of rows" {
	# one less of self, with the percentage that it would have: 270/453 = 59.602649 %
	broken '4 s/"self":271,"self_pct":59.823400/"self":270,"self_pct":59.602649/'
	checks 1 pppfppss
	reason conservation 'is 452, but the weight is 453'
	broken '9 s/"weight":271,"pct":59.823400/"weight":270,"pct":59.602649/'
	checks 1 pppfppss
	reason conservation 'paths.* is 452'
	broken '$ s/"omitted_self":0/"omitted_self":1/'
	checks 1 pppfppss
	# 454/453 = 100.220751 %
	broken '6 s/"inclusive":453,"inclusive_pct":100.000000/"inclusive":454,"inclusive_pct":100.220751/'
	checks 1 pppfppss
	reason conservation 'inclusive is 454, more than'
	broken '4 s/"self_samples":1/"self_samples":2/'
	checks 1 pppfppss
	broken '6 s/"samples":2,"occurrences":2/"samples":3,"occurrences":3/'
	checks 1 pppfppss
	broken '6 s/"samples":2,"occurrences":2/"samples":2,"occurrences":1/'
	checks 1 pppfppss
	broken '3 s/"received_samples":2/"received_samples":3/'
	checks 1 pppfppss
	broken '3 s/"unresolved_self_user":0,/"unresolved_self_user":1,/'
	checks 1 pppfxxss
	broken '$ s/"hotspots":5/"hotspots":4/'
	checks 1 pppfpfss
	broken '$ s/"paths":2/"paths":1/'
	checks 1 pppfpfss
	broken '$ s/"event":"unknown"/"event":"other"/'
	checks 1 pppfppss
	# a stackless weight that is in no row
	broken '2 s/"stackless":0/"stackless":1/'
	checks 1 pppfppss
}

@test "conservation: rows follow from the call paths" {
	# a weight moved between two rows: 270/453 = 59.602649 %, 183/453 = 40.397351 %
	broken '4 s/"self":271,"self_pct":59.823400/"self":270,"self_pct":59.602649/
		5 s/"self":182,"self_pct":40.176600,"inclusive":182,"inclusive_pct":40.176600/"self":183,"self_pct":40.397351,"inclusive":183,"inclusive_pct":40.397351/'
	checks 1 pppfppss
	reason conservation 'self is 27[01], but 271 by the call paths\|is 183, but 182 by'
	broken '8 s/"inclusive":182,"inclusive_pct":40.176600/"inclusive":183,"inclusive_pct":40.397351/'
	checks 1 pppfppss
	reason conservation '^line 8: inclusive is 183, but 182 by the call paths'
	broken '8 s/"samples":1,"occurrences":1/"samples":2,"occurrences":2/'
	checks 1 pppfppss
	broken '8 s/"self_samples":0/"self_samples":1/'
	checks 1 pppfppss
	broken '8 s/"occurrences":1/"occurrences":2/'
	checks 1 pppfppss
	broken '2 s/"multi_frame_weight":453/"multi_frame_weight":452/'
	checks 1 pppfppss
	# a function that no row is of
	broken "10 s/\"malloc\"/\"calloc\"/
		s/$(id p main worker parse malloc)/$(id p main worker parse calloc)/"
	checks 1 pppfppss
	reason conservation '^line 10: a frame names no hotspot'
	broken '10 s/{"symbol":"main","dso":null/&,"kind":"user"/'
	checks 1 pppfppss
	broken '9 s/"samples":1/"samples":2/'
	checks 1 pppfppss
	broken '10 s/"samples":1/"samples":0/'
	checks 1 pppfppss
	broken '2 s/"threads":0/"threads":3/'
	checks 1 pppfppss
}

@test "conservation: callers and callees follow from the call paths" {
	broken '7 s/"weight":271}/"weight":270}/'
	checks 1 pppfppss
	# in both rows alike
	broken '7 s/"weight":271}/"weight":270}/;4 s/"weight":271}/"weight":270}/'
	checks 1 pppfppss
	reason conservation 'a caller or callee is 270, but 271 by'
	broken '7 s/"weight":271}/"weight":272}/;4 s/"weight":271}/"weight":272}/'
	checks 1 pppfppss
	reason conservation 'more than the inclusive weight'
	broken '7 s/"callees":\[{[^}]*},/"callees":[/'
	checks 1 pppfppss
	reason conservation '^line 7: callees are not'
	broken '4 s/"callees":\[\]/"callees":[{"id":"'"$(id h parse)"'","symbol":"parse","dso":null,"weight":0}]/'
	checks 1 pppfppss
	broken '4 s/"callees":\[\]/"callees":[{"id":"'"$(id h gone)"'","symbol":"gone","dso":null,"weight":0}]/'
	checks 1 pppfppss
	reason conservation 'names no hotspot'
}

@test "conservation: the ten heaviest of many callers" {
	local i
	for i in {10..22}; do
		echo "c$i;f $i"
	done >"$BATS_TEST_TMPDIR/folded"
	pl-fold-parse "$BATS_TEST_TMPDIR/folded" | pl-aggregate >"$in"
	checks 0 ppppppss
	# c12 is not among them, and weighs less than c13, the last
	grep -q '"symbol":"c13","dso":null,"weight":13}\],"callees":\[\]' "$in"
	sed -i "/\"symbol\":\"f\",\"dso\":null,\"kind\"/s/{\"id\":\"$(id h c13)\",\"symbol\":\"c13\",\"dso\":null,\"weight\":13}/{\"id\":\"$(id h c12)\",\"symbol\":\"c12\",\"dso\":null,\"weight\":12}/" "$in"
	reseal "$in"
	checks 1 pppfppss
	reason conservation 'callers are not the heaviest'
}

@test "conservation: what paths leave out bounds the rows" {
	pl-fold-parse "$source_file" | pl-aggregate --call-path-limit 1 >"$in"
	checks 0 ppppppss
	cp "$in" "$in.capped"
	# 271 are in the path that is there, 182 in the other
	sed -i '7 s/"weight":271}/"weight":270}/;4 s/"weight":271}/"weight":270}/' "$in"
	reseal "$in"
	checks 1 pppfppss
	reason conservation 'is 270, but at least 271 by the call paths'
	# 183 of 453 is 40.397351 %
	sed '8 s/"inclusive":182,"inclusive_pct":40.176600/"inclusive":183,"inclusive_pct":40.397351/' "$in.capped" >"$in"
	reseal "$in"
	checks 1 pppfppss
	reason conservation 'is 183, but at most 182 by the call paths'
}

@test "conservation: what rows say of self weight is what the quality says" {
	local sources='"sources":[{"file":"a.c","line":3,"self":271}],"sources_total":1'
	renamed compute '[unknown]'
	checks 1 pppfppss
	reason conservation 'unresolved_self is 0, but 271 by the rows'
	broken "4 s/\"sources\":.*\"sources_total\":0/$sources/"
	checks 1 pppfppss
	reason conservation 'source_line_self is 0, but 271 by the rows'
	# with it a line is known, which is not forbidden then
	broken "4 s/\"sources\":.*\"sources_total\":0/$sources/"'
		3 s/"source_line_self":0/"source_line_self":271/
		3 s/"call_path_distribution"\]/"call_path_distribution","source_line_observation"]/
		3 s/,"exact_source_line_attribution"//'
	checks 0 ppppppss
	broken "4 s/\"sources\":.*\"sources_total\":0/${sources/271/272}/"
	checks 1 pppfppss
	reason conservation '^line 4: self is less than that of its sources'
	broken '4 s/"addresses":.*"addresses_total":0/"addresses":[{"build_id":null,"offset":"0x1","self":272}],"addresses_total":1/'
	checks 1 pppfppss
	broken '4 s/"idle":0/"idle":1/'
	checks 1 pppfppss
	reason conservation 'idle_weight is 0, but 1 by the rows'
	broken '4 s/"threads":0/"threads":1/'
	checks 1 pppfppss
	broken '3 s/"announced_samples":2,"received_samples":2/"announced_samples":3,"received_samples":3/'
	checks 1 pppfppss
	reason conservation 'received_samples is 3, but 2 by the event'
}

@test "conservation: the heaviest sample" {
	# it is one of two, which weigh 271 and 182
	for pct in 40.176600 59.823399 59.823401 99.000000; do
		broken "3 s/\"largest_sample_pct\":59.823400/\"largest_sample_pct\":$pct/"
		checks 1 pppfppss
		reason conservation 'largest_sample_pct'
	done
}

# ---- percent ----

@test "percent: a last digit, of each kind of row" {
	broken '4 s/"self_pct":59.823400/"self_pct":59.823401/'
	checks 1 ppppfpss
	reason percent '^line 4: self_pct is not 59.823400'
	broken '8 s/"inclusive_pct":40.176600/"inclusive_pct":40.176599/'
	checks 1 ppppfpss
	broken '10 s/"pct":40.176600/"pct":40.1767/'
	checks 1 ppppfpss
	broken '3 s/"unresolved_self_other_pct":0.000000/"unresolved_self_other_pct":0.000001/'
	checks 1 ppppfpss
	broken '3 s/"largest_sample_pct":59.823400/"largest_sample_pct":100.000001/'
	checks 1 pppffpss
}

# interval SELF DRAWS: the 95 % score interval in percent, by the equation of Wilson's paper.
interval() {
	awk -v self="$1" -v n="$2" 'BEGIN {
		z = 1.959963984540054
		p = self / n
		middle = (p + z * z / (2 * n)) / (1 + z * z / n)
		half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
		printf "%.6f,%.6f", 100 * (middle - half), 100 * (middle + half)
	}'
}

@test "percent: the interval of self" {
	local script first second none
	first=$(interval 271 453) second=$(interval 182 453)
	none=$(interval 0 453 | sed 's/-0/0/')
	script='2 s/"unit":"unknown"\(.*\)"n_eff":null/"unit":"samples"\1"n_eff":453.000000/
		4 s/"inclusive":/"self_ci95":['$first'],&/
		5 s/"inclusive":/"self_ci95":['$second'],&/
		6,8 s/"inclusive":/"self_ci95":['$none'],&/'
	broken "$script"
	checks 0 ppppppss
	broken "${script/$first/$(interval 272 453)}"
	checks 1 ppppfpss
	reason percent '^line 4: self_ci95 is not'
	broken "${script/$first/$(awk -F , '{printf "%s,%.6f", $1, $2 + 0.000003}' <<<"$first")}"
	checks 1 ppppfpss
	broken "$script"'
		6 s/"self_ci95":.[^]]*.,//'
	checks 1 ppppfpss
	broken '4 s/"inclusive":/"self_ci95":[0.000000,100.000000],&/'
	checks 1 ppppfpss
}

@test "percent: the number of draws" {
	# counted samples are as many draws as they say; other folded weights are none
	broken '2 s/"n_eff":null/"n_eff":453.000000/'
	checks 1 ppppfpss
	broken '2 s/"unit":"unknown"/"unit":"samples"/'
	checks 1 ppppfpss
	reason percent '^line 2: n_eff'
	# 271 and 182 drawn as periods: (271 + 182)^2 / (271^2 + 182^2) = 1.925670
	jq -c 'if .type=="event" then .weight_source="period" | .unit="cycles" else . end' \
		schemas/examples/two-lines.samples.ndjson | pl-aggregate >"$in"
	checks 0 ppppppss
	grep -q '"n_eff":1.925670' "$in"
	for n in 0.999998 2.000002; do
		pl-aggregate <(jq -c 'if .type=="event" then .weight_source="period" else . end' \
			schemas/examples/two-lines.samples.ndjson) |
			sed "2 s/\"n_eff\":1.925670/\"n_eff\":$n/" >"$in"
		reseal "$in"
		checks 1 ppppfpss
		reason percent '^line 2: n_eff is not between 1.* and 2'
	done
}

# ---- quality ----

@test "quality: status, reasons, conclusions follow from the members" {
	broken '3 s/"status":"verified"/"status":"partial"/'
	checks 1 pppppfss
	broken '3 s/"reasons":\[\]/"reasons":["lost_records"]/'
	checks 1 pppppfss
	reason quality 'lost_records'
	# each member that is a reason, without it
	for script in '2 s/"lost":0/"lost":1/' '3 s/"malformed":0/"malformed":1/' \
		'3 s/"replaced":0/"replaced":1/' '3 s/"announced_samples":2/"announced_samples":3/' \
		'3 s/"cut_weight":0/"cut_weight":1/' '1 s/"sha256":"[^"]*",//'; do
		broken "$script"
		checks 1 pppppfss
	done
	# these do not follow from the call paths, either
	for script in '$ s/"paths_total":2/"paths_total":3/' '$ s/"hotspots_total":5/"hotspots_total":6/'; do
		broken "$script"
		checks 1 pppfpfss
	done
	# and with it: partial, and then no unqualified conclusion
	broken '2 s/"lost":0/"lost":1/
		3 s/"verified","reasons":\[\]/"partial","reasons":["lost_records"]/
		3 s/"exact_source_line_attribution"/&,"unqualified_profile_conclusion"/'
	checks 0 ppppppss
	broken '3 s/,"call_path_distribution"//'
	checks 1 pppppfss
	reason quality 'call_path_distribution'
	broken '3 s/"sampled_event_hotspot_distribution","call_path_distribution"/"call_path_distribution","sampled_event_hotspot_distribution"/'
	checks 1 pppppfss
	broken '3 s/"allowed":\[/&"wall_clock_time",/'
	checks 1 pppppfss
	broken '3 s/"performance_root_cause",//'
	checks 1 pppppfss
	reason quality 'performance_root_cause'
	broken '3 s/"unresolved_threshold_pct":0/"unresolved_threshold_pct":5/'
	checks 1 pppppfss
	broken '4 s/"kind":null/"kind":"jit"/'
	checks 1 pppfpfss
	reason conservation '^line 4: the kind'
	broken '3 s/"merged_symbols":0/"merged_symbols":1/'
	checks 1 pppppfss
	broken '4 s/"variants_total":1/"variants_total":2/'
	checks 1 ppfppfss
}

# ---- sources ----

@test "source_digest: the file, packed, another one, none of several" {
	checks 0 pppppppp --source "$source_file"
	gzip -n <"$source_file" >"$BATS_TEST_TMPDIR/packed"
	checks 0 pppppppp --source "$BATS_TEST_TMPDIR/packed"
	sed 's/271/272/' "$source_file" >"$BATS_TEST_TMPDIR/other"
	checks 1 ppppppfs --source "$BATS_TEST_TMPDIR/other"
	reason source_digest "$(sha256sum <"$BATS_TEST_TMPDIR/other" | cut -d ' ' -f 1)"
	checks 1 ppppppfx --source "$source_file" --source "$BATS_TEST_TMPDIR/other"
	reason source_digest '^source 2 '
	# a second input that no source is given for
	local second
	second=$(sha256sum <"$BATS_TEST_TMPDIR/other" | cut -d ' ' -f 1)
	second='{"format":"folded","sha256":"'$second'"}'
	broken "1 s/\"lines\":2}/&,$second/"
	checks 0 ppppppss --source "$source_file"
	reason source_digest 'input 1'
	checks 1 pppppppf --source "$BATS_TEST_TMPDIR/other" --source "$source_file"
	# no digest to hold it against
	broken '1 s/"sha256":"[^"]*",//
		3 s/"verified","reasons":\[\]/"partial","reasons":["input_digest_absent"]/
		3 s/"exact_source_line_attribution"/&,"unqualified_profile_conclusion"/'
	checks 1 ppppppfs --source "$source_file"
}

@test "sources are files, and are not written" {
	expect_exit 2 pl-verify --source - "$in"
	expect_exit 2 pl-verify --source "$BATS_TEST_TMPDIR/none" "$in"
	grep -q "$BATS_TEST_TMPDIR/none" "$err"
	expect_exit 2 pl-verify --source "$BATS_TEST_TMPDIR" "$in"
	cp "$source_file" "$BATS_TEST_TMPDIR/source"
	ln "$BATS_TEST_TMPDIR/source" "$BATS_TEST_TMPDIR/link"
	run_fail 5 PATH_SAFETY_VIOLATION pl-verify --source "$BATS_TEST_TMPDIR/source" \
		--output "$BATS_TEST_TMPDIR/link" "$in"
	jq -e '.suggested_actions == ["write to another file"]' "$err"
	same "$source_file" "$BATS_TEST_TMPDIR/source"
}

# ---- replay ----

@test "replay: the same rows again" {
	checks 0 pppppppp --source "$source_file"
	# a name changed everywhere is a consistent artifact, but not of this source
	renamed compute computed
	checks 1 pppppppf --source "$source_file"
	reason replay '^line 4: .*hotspot'
	broken '11d;$ s/"records":10/"records":9/'
	checks 0 pppppppp --source "$source_file"
	broken '8d;$ s/"records":10/"records":9/;$ s/"hotspots":5/"hotspots":4/;$ s/"hotspots_total":5/"hotspots_total":4/'
	checks 1 pppfpppf --source "$source_file"
}

# made OPTIONS FOR pl-fold-parse -- OPTIONS FOR pl-aggregate: an analysis of $profile.
made() {
	local parse=()
	while [ "$1" != -- ]; do
		parse+=("$1")
		shift
	done
	shift
	pl-fold-parse "${parse[@]}" "$profile" | pl-aggregate "$@" >"$in"
}

@test "replay: options come from the header" {
	profile=$BATS_TEST_TMPDIR/profile
	printf '%s\n' 'a;b_[k];c_[j] 1.5' 'a;b_[k] 2' '# no' 'a;f (libx.so) 7' 'bad;;x 9' 'a;d 20' >"$profile"
	made --scale 2 --unit samples --event-name "cpu; rm -rf x" --dso-from-frame \
		--max-warnings 0 -- --top-n 2 --call-path-limit 1 --unresolved-threshold 12.5
	checks 0 pppppppp --source "$profile"
	made --keep-annotations --scale 10 -- --no-paths --group-by symbol
	checks 0 pppppppp --source "$profile"
	pl-fold-parse --scale 10 "$profile" | pl-select --symbol b --symbol d | pl-expand |
		pl-aggregate >"$in"
	checks 0 pppppppp --source "$profile"
	# the option changed: other rows
	made --scale 2 -- --top-n 2
	sed -i '1 s/"scale":2/"scale":20/' "$in"
	reseal "$in"
	checks 1 pppppppf --source "$profile"
	# two inputs in their order, sources in any
	printf 'a;z 5\n' >"$profile.2"
	pl-fold-parse --scale 10 "$profile" "$profile.2" | pl-aggregate >"$in"
	checks 0 pppppppp --source "$profile.2" --source "$profile"
	checks 0 ppppppss --source "$profile"
}

@test "replay: skipped where it would say nothing" {
	sed '1 s/"program":"pl-fold-parse","version":"0.1.0"/"program":"pl-fold-parse","version":"0.0.9"/' "$example" >"$in"
	reseal "$in"
	checks 0 ppppppps --source "$source_file"
	reason replay 'pl-fold-parse was 0.0.9'
	broken '1 s/"program":"pl-fold-parse"/"program":"pl-data-parse"/'
	checks 0 ppppppps --source "$source_file"
	reason replay 'pl-data-parse'
	# a step of a user's own in between
	pl-fold-parse "$source_file" | grep -v '"weight":182' | pl-aggregate >"$in"
	checks 0 ppppppps --source "$source_file"
	reason replay 'filtered'
	# a source that can be read but once
	cp "$example" "$in"
	checks 0 ppppppps --source <(cat "$source_file")
	reason replay 'regular'
	# several streams
	pl-fold-parse "$source_file" >"$BATS_TEST_TMPDIR/samples"
	pl-aggregate "$BATS_TEST_TMPDIR/samples" "$BATS_TEST_TMPDIR/samples" >"$in"
	checks 0 ppppppps --source "$source_file"
	reason replay 'one stream'
}

@test "replay: an artifact chooses neither programs nor files" {
	local stage=$BATS_TEST_TMPDIR/bin script
	mkdir "$stage"
	for program in pl-fold-parse pl-aggregate sh ../sh; do
		printf '#!/bin/sh\necho "$0 $*" >>%q\n' "$BATS_TEST_TMPDIR/started" >"$stage/$program"
		chmod +x "$stage/$program"
	done
	cp "$PL_BIN/pl-verify" "$stage/"
	PATH=$stage:$PATH
	for script in '1 s/"program":"pl-fold-parse"/"program":"sh"/' \
		'1 s/"program":"pl-fold-parse"/"program":"..\/sh"/' \
		'1 s/"options":{}/"options":{"output":"owned"}/' \
		'1 s/"options":{}},"inputs":\[{"f/"options":{"input":["owned"]}},"inputs":[{"f/' \
		'1 s/"options":{}/"options":{"no-paths":true}/' \
		'1 s/"options":{}/"options":{"group_by":{"x":1}}/' \
		'1 s/"options":{}/"options":{"group_by":[["x"]]}/'; do
		broken "$script"
		checks 0 ppppppps --source "$source_file"
		[ ! -e "$BATS_TEST_TMPDIR/started" ] || fail "$script: $(cat "$BATS_TEST_TMPDIR/started")"
	done
	# the recorded options arrive one word each, the source after "--", the raised limits after them
	broken '1 s/"options":{}},"inputs":\[{"f/"options":{"event_name":"a $(b) --output=c","keep_annotations":true,"scale":3}},"inputs":[{"f/'
	checks 1 pppppppf --source "$source_file" --max-records 5 --max-input-bytes 8K
	grep -q -F -x "$stage/pl-fold-parse --quiet --event-name=a \$(b) --output=c --keep-annotations --scale=3 --max-input-bytes=8192 --max-records=5 -- $source_file" "$BATS_TEST_TMPDIR/started" ||
		fail "$(cat "$BATS_TEST_TMPDIR/started")"
	reason replay 'gave no analysis'
}

@test "replay: a step that fails, one that meets a limit, one that is not there" {
	local stage=$BATS_TEST_TMPDIR/bin
	mkdir "$stage"
	cp "$PL_BIN/pl-verify" "$PL_BIN/pl-aggregate" "$stage/"
	PATH=$stage:$PATH
	checks 0 ppppppps --source "$source_file"
	reason replay 'could not be started'
	printf '#!/bin/sh\nexit 3\n' >"$stage/pl-fold-parse"
	chmod +x "$stage/pl-fold-parse"
	checks 1 pppppppf --source "$source_file"
	reason replay 'pl-fold-parse ended with status 3'
	cp "$PL_BIN/pl-fold-parse" "$stage/"
	checks 0 ppppppps --source "$source_file" --max-records 1
	reason replay 'pl-fold-parse met a limit'
	checks 0 pppppppp --source "$source_file" --max-records 2
}

# ---- what is no artifact ----

@test "samples, nothing, another major version" {
	run_fail 3 UNSUPPORTED_FORMAT pl-verify schemas/examples/two-lines.samples.ndjson
	grep -q 'perflens.samples' "$err"
	: >"$in"
	run_fail 3 STREAM_TRUNCATED pl-verify "$in"
	broken '1 s/"version":"1.0"/"version":"2.0"/'
	run_fail 3 UNSUPPORTED_FORMAT pl-verify "$in"
	grep -q '2\.0.*1\.' "$err"
	# with a digest that does not fit this is what was changed
	sed '1 s/"version":"1.0"/"version":"2.0"/' "$example" >"$in"
	checks 1 fxssssss
	cp "$source_file" "$in"
	checks 1 ffssssss
	head -n 1 "$out" | jq -e '.inputs[0].format == "unknown"'
}

@test "each check that did not pass is said on stderr, with a sum" {
	checks 0 pppppppp --source "$source_file"
	[ ! -s "$err" ]
	checks 0 ppppppss
	printf 'pl-verify: %s\n' 'source_digest was skipped: no source is given: name each input with --source' \
		'replay was skipped: no source is given: name each input with --source' \
		'6 of 8 checks passed, 2 skipped, 0 failed' >"$BATS_TEST_TMPDIR/want"
	same "$BATS_TEST_TMPDIR/want" "$err"
	broken '1 s/"program":"pl-fold-parse"/"program":"pl-data-parse"/'
	sed -i '6 s/"inclusive_pct":100.000000/"inclusive_pct":100.000001/' "$in"
	checks 1 fxxxfxps --source "$source_file"
	grep -q '^pl-verify: the check digest failed: ' "$err"
	grep -q '^pl-verify: the check percent failed: ' "$err"
	grep -q '^pl-verify: replay was skipped: pl-data-parse is no step that can be replayed$' "$err"
	[ "$(tail -n 1 "$err")" = 'pl-verify: 5 of 8 checks passed, 1 skipped, 2 failed' ]
	[ "$(wc -l <"$err")" = 4 ]
	expect_exit 1 pl-verify --quiet --source "$source_file" "$in"
	[ ! -s "$err" ]
}

# Reasons with arguments for their parts: "%.*s" and the like are one word of the page.
@test "the manual has every reason for which a check is skipped" {
	mandoc -T ascii man/pl-verify.1 | sed 's/.\x08//g' | tr -s ' \n' '  ' >"$BATS_TEST_TMPDIR/page"
	cat filters/pl-verify.c filters/verify/*.c | tr -d '\n\t' | grep -oE 'verdict_skip\((r->)?v, ?"[^"]*"' |
		sed 's/[^"]*"//; s/"$//; s/[].*[]/\\&/g; s/%\(\\\.\\\*\)\{0,1\}\(zu\|[sd]\)/[^ ]*/g' |
		sort -u >"$BATS_TEST_TMPDIR/reasons"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/reasons")" -ge 23 ]
	while IFS= read -r reason; do
		grep -q -e "$reason" "$BATS_TEST_TMPDIR/page" || fail "the page lacks: $reason"
	done <"$BATS_TEST_TMPDIR/reasons"
}

@test "a failed check is said on stderr, without what could drive a terminal" {
	broken '2 s/"label":"unknown"/"label":"\\u001b[31m"/'
	checks 1 ppfxxxss
	grep -q '^pl-verify: the check order failed: ' "$err"
	! grep -q $'\033' "$err" || fail "an escape on stderr"
	expect_exit 1 pl-verify --quiet "$in"
	[ ! -s "$err" ]
}

@test "pl-verify has no --unsealed" {
	expect_exit 2 pl-verify --unsealed "$in"
}

@test "pl-verify keeps the contract of every program" {
	program_contract pl-verify "$example" --quiet
}
