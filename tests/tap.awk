# tap: adds up one job's TAP. Prints "passed failed skipped cpu clock", the last two being seconds,
# of a line "# took USER SYSTEM CLOCK"; appends what failed, with what it
# said before (unit.h) or after (bats), to the file `kept`, and skipped tests with their reasons to
# the file `skips`.
# Variables: name (the job), status (its exit status), kept, skips.

function after(text, pattern) {
	return match(text, pattern) ? substr(text, RSTART + RLENGTH) : text
}

/^1\.\.[0-9]+/ {
	planned = substr($1, 4) + 0
	has_plan = 1
	next
}

/^# took [0-9.]+ [0-9.]+ [0-9.]+$/ {
	cpu = $3 + $4
	clock = $5
	next
}

/^(not )?ok / {
	seen++
	title = after($0, "^(not )?ok [0-9]* *(- )?")
	failing = /^not/
	if (failing) {
		failed++
		print "FAILED " name ": " title >>kept
		printf "%s", said >>kept
	} else if (tolower(title) ~ /# skip/) {
		skipped++
		print "skipped " name ": " title >>skips
	} else {
		passed++
	}
	said = ""
	next
}

{
	if (failing)
		print "    " $0 >>kept
	else if (/^#/)
		said = said "    " $0 "\n"
	else
		other[others++] = $0
}

# A job that dies, or does less than it planned, has failed, whatever it printed.
END {
	if (!has_plan || planned != seen || (status != 0 && !failed)) {
		failed++
		printf "FAILED %s: exit status %d after %d of %s tests\n", name, status, seen,
		    has_plan ? planned : "an unknown number of" >>kept
		printf "%s", said >>kept
		for (i = others > 60 ? others - 60 : 0; i < others; i++)
			print "    " other[i] >>kept
	}
	print passed + 0, failed + 0, skipped + 0, cpu + 0, clock + 0
}
