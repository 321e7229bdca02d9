# folded: made-up folded stacks, the same ones for the same seed.
#
#     awk -v lines=2500 -v seed=7 -f tests/ref/folded.awk
#
# Few functions and deep stacks, so that there is recursion, direct and through others; names with
# all that a name may hold; annotations; stacks that come more than once.

function random(below) { # Park and Miller's generator: exact in doubles
	seed = seed * 16807 % 2147483647
	return seed % below
}

function name(i) {
	return i <= special ? names[i] : "fn" i
}

function annotation(r) {
	return r == 0 ? "_[k]" : r == 1 ? "_[j]" : r == 2 ? "_[i]" : ""
}

function stack(depth, line, i) {
	line = "main"
	for (i = 0; i < depth; i++)
		line = line ";" name(1 + random(30)) annotation(random(25))
	return line
}

BEGIN {
	special = split("operator->|std::vector<int, std::allocator<int> >::push_back|a name 12|" \
		"say \"hi\"|C:\\dir\\fn|fn(int, char*)|\303\251t\303\251|[unknown]|0xdeadbeef|-|??|" \
		"f`g|(anonymous)|x[3]|{lambda()#1}", names, "|")
	for (n = 0; n < lines; n++) {
		if (n > 100 && random(10) == 0)
			text = kept[random(100)]
		else
			text = stack(random(12))
		kept[n % 100] = text
		print text " " 1 + random(9999)
	}
}
