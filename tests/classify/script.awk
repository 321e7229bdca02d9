# script: the labelled set as `perf script` prints samples. Each row is one sample of an event of
# its own, "row-N", so that its hotspot has the whole weight and no threshold can hide it; frames
# above it are written as perf writes them, "symbol (dso)".
BEGIN { FS = "\t" }
/^#/ { next }
{
	row++
	printf "row 1/1 [000] %d.000000: 1 row-%d:\n", row, row
	printf "\t%x %s (%s)\n", 4096 + row, $1, $2
	depth = split($4, above, ";")
	for (i = depth; i > 0; i--)
		printf "\t%x %s\n", 65536 * row + i, above[i]
	print ""
}
