# perf-script: self and inclusive weights, from perf script -F period,ip,sym,symoff,dso.
#
#     awk -v inclusive=1 -f tests/ref/perf-script.awk TEXT
#
# Prints lines of WEIGHT, SYMBOL, DSO, tab separated. A caller at the first byte of a function is a
# return address behind a call that was the last instruction of the function before: perf names the
# wrong one. It is printed as "(boundary)". Exact addresses may be there: the leaf, and the first one
# of the user's behind those of the kernel.

function add(symbol, dso, key) {
	key = symbol "\t" dso
	if (inclusive ? !(key in seen) : depth == 1)
		sums[key] += weight
	seen[key]
}

function is_kernel(ip) {
	return length(ip) == 16 && ip ~ /^f/
}

/^ *[0-9]+ *$/ {
	weight = $1
	depth = 0
	split("", seen)
	next
}

/^\t/ {
	depth++
	exact = depth == 1 || is_kernel(before) && !is_kernel($1)
	before = $1
	sub(/^[ \t]*[0-9a-f]+ /, "")
	dso = $0
	# the DSO may hold parentheses of its own, as in "(/memfd:x (deleted))"
	if (!match(dso, /\((\/|\[|anon|inode|socket|pipe)[^()]*(\([^()]*\))?\)$/))
		match(dso, /\([^()]*\)$/)
	symbol = substr($0, 1, RSTART - 2)
	dso = substr(dso, RSTART + 1, RLENGTH - 2)
	at_start = symbol ~ /\+0x0$/
	sub(/\+0x[0-9a-f]+$/, "", symbol)
	if (at_start && !exact)
		add("(boundary)", "")
	else
		add(symbol, dso)
}

END {
	for (key in sums)
		printf "%.0f\t%s\n", sums[key], key
}
