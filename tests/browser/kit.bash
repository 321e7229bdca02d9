# shellcheck shell=bash
#
# kit: what the tests in a browser share. Headless Chromium opens a page that the kit writes; that
# page has the file in a frame, dispatches events in it, and writes what it sees as text into
# itself, where --dump-dom shows it. Nothing is fetched from a network: no name resolves.

# browser ARGUMENT… URL
browser() {
	timeout 50 chromium --headless --no-sandbox --disable-gpu --no-first-run \
		--disable-background-networking --disable-component-update --disable-sync \
		--disable-dev-shm-usage --allow-file-access-from-files --hide-scrollbars \
		--host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir="$BATS_TEST_TMPDIR/profile" \
		"$@" 2>"$BATS_TEST_TMPDIR/browser.log"
}

# in_page FILE WIDTH SCRIPT: opens FILE in a frame that is WIDTH wide and runs SCRIPT, the body of a
# function of `win` and `doc`, the frame's; prints what it returns, which is one line.
in_page() {
	local page=$BATS_TEST_TMPDIR/page.html
	cat >"$page" <<-END
		<!DOCTYPE html><meta charset="utf-8"><body style="margin:0">
		<pre id="result"></pre>
		<script>
		function run(frame) {
			const win = frame.contentWindow, doc = frame.contentDocument;
			let text;
			try { text = (function () { $3 })(); } catch (e) { text = "failed: " + e; }
			document.getElementById("result").textContent = text;
		}
		</script>
		<iframe onload="run(this)" src="file://$(realpath "$1")"
			style="border:0;width:${2}px;height:800px"></iframe>
	END
	browser --virtual-time-budget=5000 --dump-dom "file://$page" >"$BATS_TEST_TMPDIR/dom"
	sed -n 's/^<pre id="result">\(.*\)<\/pre>$/\1/p' "$BATS_TEST_TMPDIR/dom"
}

# page_fits FILE WIDTH: nothing of it is beside a window of that width.
page_fits() {
	local got
	got=$(in_page "$1" "$2" '
		const e = doc.documentElement, box = e.getBoundingClientRect();
		return Math.ceil(Math.max(e.scrollWidth, box.right)) + " " + Math.ceil(box.height);')
	[[ $got =~ ^[0-9]+\ [0-9]+$ ]] || fail "$1 was not opened: $got" \
		"$(tail -n 5 "$BATS_TEST_TMPDIR/browser.log")" || return 1
	[ "${got% *}" -le "$2" ] || fail "$1 is ${got% *} wide in a window of $2" || return 1
	[ "${got#* }" -gt 50 ] || fail "$1 is only ${got#* } high"
}

# colors FILE WIDTH HEIGHT: takes a screenshot and prints how many colours it has.
colors() {
	local shot=$BATS_TEST_TMPDIR/shot.png page=$BATS_TEST_TMPDIR/colors.html
	browser --window-size="$2,$3" --screenshot="$shot" "file://$(realpath "$1")" >/dev/null
	cat >"$page" <<-END
		<!DOCTYPE html><pre id="result"></pre><img src="file://$shot" onload="count(this)">
		<script>
		function count(image) {
			const canvas = document.createElement("canvas"), colors = new Set();
			canvas.width = image.naturalWidth;
			canvas.height = image.naturalHeight;
			const context = canvas.getContext("2d");
			context.drawImage(image, 0, 0);
			const data = context.getImageData(0, 0, canvas.width, canvas.height).data;
			for (const pixel of new Uint32Array(data.buffer))
				colors.add(pixel);
			document.getElementById("result").textContent = colors.size;
		}
		</script>
	END
	browser --virtual-time-budget=5000 --dump-dom "file://$page" |
		sed -n 's/.*<pre id="result">\([0-9]*\).*/\1/p'
}
