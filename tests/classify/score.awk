# score: how well categories given to hotspots agree with the labels.
#
#     awk -v least=0.95 -f score.awk leaves.tsv given.tsv SET.tsv…
#
# leaves.tsv: event, hotspot of the row. given.tsv: event, hotspot, category of each candidate, the
# first of a hotspot counts; SET.tsv in the order in which script.awk read them.
#
# A row whose labels have "none" is a trap. Precision: of all rows that were given a category, those
# where it is one of the labels. Recall: of all rows that are no traps, those where it is one of the
# labels. Per category, recall is over the rows whose first label it is. Prints a line for each
# wrong row, then a line for each category, then both over all; exit status 1 when one of the two is
# below "least".
function ratio(part, whole) { return whole ? part / whole : 0 }
function figures(name, right, given, found, labelled) {
	return sprintf("%-20s precision %.3f (%d of %d)  recall %.3f (%d of %d)", name,
		ratio(right, given), right, given, ratio(found, labelled), found, labelled)
}
BEGIN { FS = "\t" }
FILENAME == ARGV[1] { leaf[$1] = $2; next }
FILENAME == ARGV[2] {
	if (leaf[$1] == $2 && !($1 in first))
		first[$1] = $3
	next
}
/^#/ { next }
{
	event = "row-" ++row
	got = event in first ? first[event] : "none"
	good = index("|" $5 "|", "|" got "|") > 0
	if (!good)
		printf "wrong: %s (%s), expected %s, got %s\n", $1, $2, $5, got
	if (got != "none") {
		given[got]++; all_given++
		right[got] += good; all_right += good
		names[got]
	}
	if (index("|" $5 "|", "|none|"))
		next
	main = $5
	sub(/[|].*/, "", main)
	names[main]
	labelled[main]++; all_labelled++
	found[main] += good; all_found += good
}
END {
	for (name in names)
		print figures(name, right[name], given[name], found[name], labelled[name]) | "sort"
	close("sort")
	print figures("all", all_right, all_given, all_found, all_labelled)
	exit ratio(all_right, all_given) < least || ratio(all_found, all_labelled) < least
}
