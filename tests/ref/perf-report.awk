# perf-report: the rows of perf report --stdio -t '\t', as WEIGHT, SYMBOL, DSO, tab separated.
#
# Its fields, in order: WEIGHT (period, or a percentage), DSO, SYMBOL, which a mark ("[k] ") stands
# before.

/^#/ || NF < 3 { next }

{
	weight = $1
	gsub(/[ %]/, "", weight)
	dso = $2
	gsub(/^ +| +$/, "", dso)
	symbol = $3
	gsub(/^ *\[.\] +| +$/, "", symbol)
	print weight "\t" symbol "\t" dso
}
