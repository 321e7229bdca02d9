#!/usr/bin/env bats
#
# pl-flame's pictures in a browser: they are seen, fit a phone, and answer to clicks and searches.
#
# shellcheck disable=SC2030,SC2031 # each test is a subshell

load ../helper
load kit

setup_file() {
	export svg=$BATS_FILE_TMPDIR/flame.svg
	# shares by hand: main 100 %, f 60 %, g 40 %; below f: h 20 %, so h is 50 % in all
	printf '%s\n' 'main;f 40' 'main;f;h 20' 'main;g 10' 'main;g;h 30' |
		pl-fold-parse --unit samples | pl-flame >"$svg"
}

# frame NAME: script that finds it.
frame='const frame = name => [...doc.querySelectorAll("g.f")].find(
	g => g.querySelector("title").textContent.split("\n")[0] === name),
	width = g => g.hasAttribute("display") ? 0 : +g.querySelector("rect").getAttribute("width");'

@test "a picture is seen" {
	local n
	n=$(colors "$svg" 1220 300)
	[ "$n" -ge 10 ] || fail "only ${n:-no} colours"
}

@test "a picture fits a phone" {
	page_fits "$svg" 390
	page_fits "$svg" 1200
}

@test "a click zooms, escape and a second click go back" {
	local got
	got=$(in_page "$svg" 1200 "$frame"'
		const seen = () => ["main", "f", "g", "h"].map(n => width(frame(n)).toFixed(0)).join(",");
		const click = e => e.dispatchEvent(new win.MouseEvent("click", {bubbles: true}));
		const key = (e, k, more) => e.dispatchEvent(
			new win.KeyboardEvent("keydown", {key: k, bubbles: true, cancelable: true, ...more}));
		const said = [seen()];
		click(frame("f").querySelector("rect"));
		said.push(seen(), doc.querySelector(".reset").getAttribute("visibility"));
		key(doc.documentElement, "Escape");
		said.push(seen(), doc.querySelector(".reset").getAttribute("visibility"));
		key(frame("g"), "Enter");
		said.push(seen());
		click(doc.querySelector(".reset"));
		said.push(seen());
		return said.join(" ");')
	[ "$got" = '1180,708,472,236 1180,1180,0,393 visible 1180,708,472,236 hidden 1180,0,1180,0 1180,708,472,236' ] ||
		fail "got: $got"
}

@test "a search marks what it finds and tells its share" {
	local got
	got=$(in_page "$svg" 1200 "$frame"'
		const field = doc.querySelector("input"), matched = doc.querySelector(".matched");
		const search = text => {
			field.value = text;
			field.dispatchEvent(new win.Event("input", {bubbles: true}));
			return matched.textContent;
		};
		const plain = frame("h").querySelector("rect").getAttribute("fill");
		const said = [search("h"), frame("h").querySelector("rect").getAttribute("fill"),
			search("M"), search("a.n"), search("mai"), search("") || "nothing"];
		said.push(frame("h").querySelector("rect").getAttribute("fill") === plain);
		const find = new win.KeyboardEvent("keydown", {key: "f", ctrlKey: true, bubbles: true,
			cancelable: true});
		said.push(doc.documentElement.dispatchEvent(find), doc.activeElement === field);
		return said.join("|");')
	[ "$got" = 'matched: 50.00 % in 2 frames|#f3f|matched: 0.00 % in 0 frames|matched: 0.00 % in 0 frames|matched: 100.00 % in 1 frames|nothing|true|false|true' ] ||
		fail "got: $got"
}

@test "a frame under the pointer tells its figures below the picture" {
	local got
	got=$(in_page "$svg" 1200 "$frame"'
		frame("g").querySelector("rect").dispatchEvent(new win.MouseEvent("mouseover", {bubbles: true}));
		return doc.querySelector(".details").textContent;')
	[[ $got == 'g; DSO: unknown; inclusive: 40 samples (40.00 %), 95 % interval '*'; self: 10 samples (10.00 %); '* ]] ||
		fail "got: $got"
}
