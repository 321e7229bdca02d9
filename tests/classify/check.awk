# check: prints what is wrong with the labelled set itself: columns, codes, rows that are there
# twice, too few rows, too few traps, categories with fewer than two rows.
BEGIN {
	FS = "\t"
	count = split("memory-allocation memory-copy memory-set-compare system-call page-fault tlb " \
		"synchronization kernel-lock scheduler interrupt network filesystem block-io crypto " \
		"hashing compression serialization string-formatting string-parsing locale regex " \
		"hash-table tree exception-unwind dynamic-linking garbage-collection interpreter " \
		"jit-compilation logging tracing virtualization floating-point random clock sorting " \
		"busy-wait idle", code, " ")
	for (i = 1; i <= count; i++)
		rows[code[i]] = 0
}
/^#/ { next }
NF != 6 || $1 == "" || $2 == "" || $3 == "" || $6 == "" {
	print FILENAME ":" FNR ": not six columns"
}
seen[$1, $2, $4]++ { print FILENAME ":" FNR ": there twice: " $1 }
{
	all++
	trap = 0
	n = split($5, accepted, "|")
	if (n == 0)
		print FILENAME ":" FNR ": no label"
	for (i = 1; i <= n; i++)
		if (accepted[i] == "none")
			trap = 1
		else if (!(accepted[i] in rows))
			print FILENAME ":" FNR ": no category: " accepted[i]
	traps += trap
	for (i = 1; i <= n; i++)
		if (!trap && accepted[i] in rows)
			rows[accepted[i]]++
}
END {
	if (count != 37)
		print count " categories, not 37"
	if (all < 260)
		print "only " all " rows"
	if (2 * traps < all)
		print "only " traps " of " all " rows are traps"
	for (category in rows)
		if (rows[category] < 2)
			print category ": " rows[category] " rows"
}
