# agreement: how much of the weight two tables have on the same rows.
#
#     awk -F'\t' -v name=self -f tests/ref/agreement.awk THEIRS OURS
#
# Both hold lines of WEIGHT, SYMBOL, DSO, tab separated; a row may come several times and is summed.
# DSOs are compared by their base name. What compilers append to names is taken off both: that is
# spelling (see symbol.h). A bare address, "[unknown]" and "" are the symbol "unknown". Prints NAME
# and the share in percent: the sum of the lesser of the two weights of each row, of the greater of
# the two totals, without what THEIRS has as "(boundary)" (perf-script.awk); that share; then the rows
# that differ most, as "-percent" where ours is less.

function symbol(s) {
	if (s ~ /^(0x)?[0-9a-f]+$/ && length(s) >= 8 || s == "[unknown]" || s == "")
		return "unknown"
	sub(/ \[clone .*\]$/, "", s)
	while (s ~ /.(\.(isra|constprop|part|llvm)\.[0-9]+|\.cold(\.[0-9]+)?)$/)
		sub(/\.(isra\.[0-9]+|constprop\.[0-9]+|part\.[0-9]+|llvm\.[0-9]+|cold(\.[0-9]+)?)$/, "", s)
	sub(/::h[0-9a-f]+$/, "", s)
	sub(/@@?[A-Z][A-Za-z0-9_.]*$/, "", s) # a version; "@plt" is none
	return s
}

function dso(s) {
	sub(/ \(deleted\)$/, "", s)
	if (s ~ /perf-[0-9]+\.map$/ || s ~ /^\[JIT\]/)
		return "[jit]"
	if (s ~ /^\[/)
		return s
	sub(/.*\//, "", s)
	return s
}

FNR == 1 { file++ }

{
	if ($2 == "(boundary)") {
		boundary += $1
		their_total += $1
		next
	}
	key = symbol($2) "\t" dso($3)
	keys[key]
	if (file == 1) {
		theirs[key] += $1
		their_total += $1
	} else {
		ours[key] += $1
		our_total += $1
	}
}

END {
	total = their_total > our_total ? their_total : our_total
	for (key in keys) {
		same += ours[key] < theirs[key] ? ours[key] : theirs[key]
		by = ours[key] - theirs[key]
		if (by != 0)
			differs[++n] = sprintf("%015.0f %+.4f %s", by < 0 ? -by : by, 100 * by / total, key)
	}
	if (total <= boundary)
		total = boundary + 1
	printf "%s %.4f boundary %.4f\n", name, 100 * same / (total - boundary), 100 * boundary / total
	for (i = 1; i <= n; i++)
		print differs[i] | "sort -rn | cut -d ' ' -f 2- | head -n 40"
}
