#!/usr/bin/env bats
#
# How well the rules name things: the labelled set of tests/classify (its README says how it was
# made) goes through parser, aggregation and classification, and precision and recall are both held
# to 0.95. The scoring is tested first, with classifiers that are known to be good or bad.
#
# shellcheck disable=SC2154,SC2016 # out and err are the helper's; jq and awk have a $ of their own

load helper

setup_file() {
	local analysis=$BATS_FILE_TMPDIR/analysis.ndjson
	awk -f tests/classify/script.awk tests/classify/*.tsv | pl-script-parse |
		pl-aggregate >"$analysis"
	jq -r 'select(.type == "hotspot" and .self > 0)
		| [.event, .id, .kind, .variants[0]] | @tsv' "$analysis" \
		>"$BATS_FILE_TMPDIR/leaves.tsv"
}

setup() {
	analysis=$BATS_FILE_TMPDIR/analysis.ndjson
	leaves=$BATS_FILE_TMPDIR/leaves.tsv
	given=$BATS_TEST_TMPDIR/given.tsv diagnosis=$BATS_TEST_TMPDIR/diagnosis.ndjson
}

# score N: exit status of the scoring of $diagnosis; what it prints is in $out.
score() {
	jq -r 'select(.type == "candidate") | [.event, .hotspot, .category] | @tsv' "$diagnosis" \
		>"$given"
	expect_exit "$1" awk -v least=0.95 -f tests/classify/score.awk "$leaves" "$given" \
		tests/classify/*.tsv
}

# scored PATTERN: is the last line.
scored() {
	tail -n 1 "$out" | grep -qE -- "$1" || fail "not $1:" "$(tail -n 3 "$out")"
}

# candidates AWK-EXPRESSION: $diagnosis as a classifier would write it that says this category of a
# row; the first of the row's labels is in main, its number in row.
candidates() {
	awk -F '\t' 'FNR == NR { leaf[$1] = $2; next }
		/^#/ { next }
		{
			event = "row-" ++row
			main = $5
			sub(/[|].*/, "", main)
			said = '"$1"'
			if (said != "none")
				printf "{\"type\":\"candidate\",\"category\":\"%s\",\"hotspot\":\"%s\"," \
					"\"event\":\"%s\"}\n", said, leaf[event], event
		}' "$leaves" tests/classify/*.tsv >"$diagnosis"
}

@test "the labelled set has its columns, codes, traps, and every category" {
	run_ok awk -f tests/classify/check.awk tests/classify/*.tsv
	[ ! -s "$out" ] || fail "$(cat "$out")"
}

@test "every row of the set is a hotspot with all the weight, of the name and kind labelled" {
	awk -F '\t' '!/^#/ { print "row-" ++row "\t" $3 "\t" $1 }' tests/classify/*.tsv | sort \
		>"$BATS_TEST_TMPDIR/labelled"
	cut -f 1,3,4 "$leaves" | sort >"$BATS_TEST_TMPDIR/found"
	same "$BATS_TEST_TMPDIR/labelled" "$BATS_TEST_TMPDIR/found"
}

@test "scoring: the labels are perfect; nothing, or the same of everything, fails" {
	candidates main
	score 0
	scored '^all .*precision 1\.000 .*recall 1\.000 '
	lacks '^wrong' "$out"
	candidates '"none"'
	score 1
	scored '^all .*precision 0\.000 \(0 of 0\) .*recall 0\.000 \(0 of '
	candidates '"memory-copy"'
	score 1
	scored '^all .*precision 0\.0'
	grep -q '^wrong: copy_process (\[kernel.kallsyms\]), expected none, got memory-copy$' "$out"
	grep -q '^wrong: _int_malloc .*, expected memory-allocation, got memory-copy$' "$out"
}

@test "scoring: a tenth of the rows missed, or an eighth of the traps taken, fails" {
	candidates 'row % 10 ? main : "none"'
	score 1
	scored '^all .*precision 1\.000 .*recall 0\.[89]'
	candidates 'main == "none" && ++traps % 8 == 0 ? "clock" : main'
	score 1
	scored '^all .*precision 0\.[89].*recall 1\.000 '
}

@test "scoring: only the first candidate of the row's own hotspot counts" {
	candidates main
	sed -E 's/"category":"[^"]*"/"category":"idle"/' "$diagnosis" >"$diagnosis.idle"
	sed -E 's/"hotspot":"[^"]*"/"hotspot":"h-of-a-caller"/' "$diagnosis.idle" |
		cat - "$diagnosis" "$diagnosis.idle" >"$diagnosis.all"
	mv "$diagnosis.all" "$diagnosis"
	score 0
	scored '^all .*precision 1\.000 .*recall 1\.000 '
}

@test "the rules: precision and recall are at least 0.95" {
	local good=yes
	pl-classify "$analysis" >"$diagnosis"
	score 0 || good=no
	sed 's/^/# /' "$out" >&3
	[ $good = yes ]
}
