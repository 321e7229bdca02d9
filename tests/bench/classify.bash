# shellcheck shell=bash
#
# classify: 10,000 hotspots through all rules, with their call paths. Its yardstick is the same analysis through
# pl-report, which reads it, too.
# shellcheck disable=SC2154 # what lib.bash sets

# An analysis of 10,000 functions with names as compilers and runtimes make them, a fifth of which rules know.
classify_input() {
	made "$dir/classify.analysis.ndjson" classify_analysis
}
classify_analysis() {
	mawk 'BEGIN {
		srand(1)
		n = split("malloc _int_free __memcpy_avx_unaligned_erms pthread_mutex_lock runtime.mallocgc " \
			"_raw_spin_lock_irqsave copy_user_generic_string do_syscall_64 inflate_fast " \
			"std::_Rb_tree_insert_and_rebalance", known, " ")
		for (i = 0; i < 40000; i++) {
			f = i % 10000
			stack = "main;run_" (f % 97)
			for (d = 0; d < 4; d++)
				stack = stack ";ns" int(rand() * 50) "::Class" int(rand() * 200) "::method(int)"
			if (f % 5 == 0)
				leaf = known[1 + (f / 5) % n] (f < 50 ? "" : "_" f)
			else if (f % 5 == 1)
				leaf = "std::vector<int, std::allocator<int> >::emplace_back_" f "(int&&)"
			else if (f % 5 == 2)
				leaf = "github.com/acme/pkg" f ".(*Server).Handle"
			else
				leaf = "engine_step_" f
			print stack ";" leaf, 1 + int(rand() * 1000)
		}
	}' | "$bin/pl-fold-parse" --unit samples | "$bin/pl-aggregate" --quiet
}

classify_all() {
	"$dir/timed" "$2.parse" "$bin/pl-classify" --quiet "$1" >/dev/null
}
classify_report() {
	"$dir/timed" "$2.parse" "$bin/pl-report" --quiet "$1" >/dev/null
}

bench_classify() {
	local input round
	input=$(classify_input)
	for ((round = 0; round < rounds; round++)); do
		measure classify classify_all "$input"
		measure classify-report classify_report "$input"
	done
	printf '\n## Classification\n\n%d hotspots, an analysis of %d MB.\n\n' \
		"$(grep -c '^{"type":"hotspot"' "$input")" $(($(stat -c %s "$input") / 1000000))
	table
	row 'pl-classify, all rules' classify "$(ratio classify classify-report)" 'cpu < 0.2 s'
	row 'pl-report (the yardstick)' classify-report 1 -
}
