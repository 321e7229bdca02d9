# pairs: what two roads name the same positions of the same samples.
#
#     jq -rn --slurpfile theirs THEIRS -f tests/ref/pairs.jq OURS | sort | uniq -c
#
# Both are of pl-expand, of the same samples in the same order. Prints a line for each position that
# differs: weight, "self" or "caller", theirs, ours; or "depth" where the stacks are not as deep.

def plain: if . == null or . == "[unknown]" or test("^(0x)?[0-9a-f]{8,}$") then "unknown" else
	sub(" \\[clone .*"; "") | gsub("\\.(isra|constprop|part|llvm)\\.[0-9]+"; "")
	| sub("\\.cold(\\.[0-9]+)?$"; "") | sub("::h[0-9a-f]{16,17}$"; "") end;
def place: if . == null then "[unknown]" else sub(" \\(deleted\\)$"; "")
	| if test("perf-[0-9]+\\.map$") then "[jit]" else split("/")[-1] end end;
def text: "\(.symbol | plain) (\(.dso | place))";

[inputs | select(.type == "sample")] as $ours | [$theirs[] | select(.type == "sample")] as $theirs |
range($ours | length) as $i | $ours[$i] as $o | $theirs[$i] as $t |
if ($o.frames | length) != ($t.frames | length) then
	"\($o.weight)\tdepth\t\($t.frames | length) frames\t\($o.frames | length) frames"
else
	($o.frames | length) as $n | range($n) as $k | ($o.frames[$k] | text) as $a
	| ($t.frames[$k] | text) as $b | select($a != $b)
	| "\($o.weight)\t\(if $k == $n - 1 then "self" else "caller" end)\t\($b)\t\($a)"
end
