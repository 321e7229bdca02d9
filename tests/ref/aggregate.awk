# aggregate: what pl-aggregate must write for folded stacks, worked out by another program.
#
#     LC_ALL=C awk -v unit=samples -f tests/ref/aggregate.awk FILE
#
# prints the rows (event, quality, hotspot, path) of the analysis of one file without faulty lines,
# without their ids, each behind four words that they are to be sorted by; `rows` in
# pl-aggregate.bats sorts them. Nothing is left out: no caps. The sums must stay below 2^53 / 2e8.

# ---- text ----

function json(s, i, c, out) {
	if (s !~ /["\\]/)
		return "\"" s "\""
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		out = out (c == "\"" || c == "\\" ? "\\" : "") c
	}
	return "\"" out "\""
}

# Millionths of a percent, half up, then six decimals.
function pct(part, total, q, dividend) {
	if (total == 0)
		return "0.000000"
	dividend = 2e8 * part + total
	q = int(dividend / (2 * total))
	while (q * 2 * total > dividend)
		q--
	return int(q / 1e6) "." substr(1000000 + q % 1e6, 2)
}

function real(x) {
	x = sprintf("%.6f", x)
	return x == "-0.000000" ? "0.000000" : x
}

function interval(self, total, p, z, square, middle, half) {
	p = self / total
	z = 1.959963984540054
	square = z * z / total
	middle = (p + square / 2) / (1 + square)
	half = z / (1 + square) * sqrt(p * (1 - p) / total + square / (4 * total))
	return "[" real(100 * (middle - half)) "," real(100 * (middle + half)) "]"
}

# ---- adding ----

# Splits a frame into symbol, kind and inlined.
function read_frame(text, end) {
	end = substr(text, length(text) - 3)
	kind = inlined = ""
	symbol = text
	if (length(text) > 4 && end ~ /^_\[[kji]\]$/) {
		symbol = substr(text, 1, length(text) - 4)
		kind = end == "_[k]" ? "kernel" : end == "_[j]" ? "jit" : ""
		inlined = end == "_[i]"
	}
}

function add_frame(text, weight, leaf) {
	read_frame(text)
	occurrences[symbol]++
	if (!((symbol, text) in spelled)) {
		spelled[symbol, text]
		spellings[symbol] = spellings[symbol] (spellings[symbol] ? ";" : "") text
	}
	if (!(symbol in kinds))
		kinds[symbol] = kind
	else if (kinds[symbol] != kind)
		kinds[symbol] = "" # of several: null
	if (!inlined)
		outlined[symbol]
	inlined_frames += inlined
	jit += kind == "jit"
	if (seen[symbol] != NR) {
		seen[symbol] = NR
		inclusive[symbol] += weight
		samples[symbol]++
	}
	if (leaf)
		add_leaf(weight)
}

function is_nameless(name) {
	return name ~ /^(\[unknown\]|unknown|\?\?|0x[0-9a-fA-F]+)$/
}

function add_leaf(weight, mode) {
	self[symbol] += weight
	self_samples[symbol]++
	mode = kind == "kernel" ? "kernel" : kind == "jit" ? "user" : "other"
	if (mode != "other")
		with_mode += weight
	else if (!is_nameless(symbol))
		without_mode += weight
	if (is_nameless(symbol))
		unresolved[mode] += weight
}

function add_pair(caller, callee, weight) {
	if (pair_seen[caller, callee] == NR)
		return
	pair_seen[caller, callee] = NR
	if (!((caller, callee) in pairs)) {
		callees[caller] = callees[caller] (callees[caller] ? ";" : "") callee
		callers[callee] = callers[callee] (callers[callee] ? ";" : "") caller
	}
	pairs[caller, callee] += weight
}

{
	weight = $NF
	stack = $0
	sub(/[ \t]+[0-9]+$/, "", stack)
	n = split(stack, frames, ";")
	total += weight
	multi += n > 1 ? weight : 0
	largest = weight > largest ? weight : largest
	path = before = ""
	nameless = 0
	for (i = 1; i <= n; i++) {
		add_frame(frames[i], weight, i == n)
		if (i > 1)
			add_pair(before, symbol, weight)
		path = path (i > 1 ? "\001" : "") symbol
		before = symbol
		nameless = nameless || (i < n && is_nameless(symbol))
	}
	nameless_callers += nameless ? weight : 0
	paths[path] += weight
	path_samples[path]++
}

# ---- writing ----

function put(order, first, second, name, row) {
	printf "%d\t%d\t%d\t%s\t%s\n", order, first, second, name, row
}

# The ten heaviest of a list, as rows; ties in byte order.
function neighbours(list, key, up, n, names, i, k, w, best, best_w, out, used) {
	n = split(list, names, ";")
	for (k = 0; k < 10 && k < n; k++) {
		best = 0
		for (i = 1; i <= n; i++) {
			if (i in used)
				continue
			w = up ? pairs[names[i], key] : pairs[key, names[i]]
			if (!best || w > best_w || (w == best_w && names[i] "" < names[best] "")) {
				best = i
				best_w = w
			}
		}
		used[best]
		out = out (k ? "," : "") "{\"symbol\":" json(names[best]) ",\"dso\":null,\"weight\":" \
			best_w "}"
	}
	for (i in used)
		delete used[i]
	return "[" out "]"
}

function variants(symbol, n, names, i, k, swap, out) {
	n = split(spellings[symbol], names, ";")
	for (i = 1; i <= n; i++)
		for (k = i + 1; k <= n; k++)
			if (names[k] "" < names[i] "") {
				swap = names[i]
				names[i] = names[k]
				names[k] = swap
			}
	for (i = 1; i <= n && i <= 32; i++)
		out = out (i > 1 ? "," : "") json(names[i])
	return "[" out "],\"variants_total\":" n
}

function hotspot(s) {
	return "{\"type\":\"hotspot\",\"event\":\"unknown\",\"symbol\":" json(s) \
		",\"dso\":null,\"kind\":" (kinds[s] ? json(kinds[s]) : "null") \
		",\"self\":" self[s] + 0 ",\"self_pct\":" pct(self[s], total) \
		(unit == "samples" ? ",\"self_ci95\":" interval(self[s], total) : "") \
		",\"inclusive\":" inclusive[s] ",\"inclusive_pct\":" pct(inclusive[s], total) \
		",\"self_samples\":" self_samples[s] + 0 ",\"samples\":" samples[s] \
		",\"occurrences\":" occurrences[s] ",\"threads\":0,\"idle\":0,\"variants\":" variants(s) \
		",\"sources\":[],\"sources_total\":0,\"addresses\":[],\"addresses_total\":0" \
		",\"callers\":" neighbours(callers[s], s, 1) \
		",\"callees\":" neighbours(callees[s], s, 0) "}"
}

function path_row(path, n, names, i, out) {
	n = split(path, names, "\001")
	for (i = 1; i <= n; i++)
		out = out (i > 1 ? "," : "") "{\"symbol\":" json(names[i]) ",\"dso\":null" \
			(kinds[names[i]] ? ",\"kind\":" json(kinds[names[i]]) : "") \
			(names[i] in outlined ? "" : ",\"inlined\":true") "}"
	return "{\"type\":\"path\",\"event\":\"unknown\",\"weight\":" paths[path] ",\"pct\":" \
		pct(paths[path], total) ",\"samples\":" path_samples[path] ",\"frames\":[" out "]}"
}

function event_row() {
	return "{\"type\":\"event\",\"label\":\"unknown\",\"name\":\"unknown\",\"unit\":\"" unit \
		"\",\"weight_source\":\"folded_weight\",\"source\":\"unknown\",\"samples\":" NR \
		",\"weight\":" total ",\"stackless\":0,\"lost\":0,\"threads\":0" \
		",\"multi_frame_weight\":" multi ",\"idle_weight\":0,\"n_eff\":" \
		(unit == "samples" ? real(total) : "null") "}"
}

function unresolved_members(mode) {
	return ",\"unresolved_self_" mode "\":" unresolved[mode] + 0 \
		",\"unresolved_self_" mode "_pct\":" pct(unresolved[mode], total)
}

function quality_row(merged, all, s) {
	for (s in spellings)
		merged += spellings[s] ~ /;/
	all = unresolved["user"] + unresolved["kernel"] + unresolved["other"]
	return "{\"type\":\"quality\",\"event\":\"unknown\",\"status\":\"" \
		(all ? "partial" : "verified") "\",\"reasons\":[" (all ? "\"unresolved_self\"" : "") \
		"],\"allowed\":[\"sampled_event_hotspot_distribution\"" \
		(multi ? ",\"call_path_distribution\"" : "") \
		(with_mode && !without_mode ? ",\"sample_privilege_distribution\"" : "") \
		"],\"forbidden\":[\"performance_root_cause\",\"verified_improvement\"" \
		",\"wall_clock_time\",\"off_cpu_time\",\"instructions_per_cycle\"" \
		",\"hardware_cache_miss_rate\",\"hardware_branch_miss_rate\"" \
		",\"microarchitectural_bottleneck\"" (multi ? "" : ",\"caller_callee_relationship\"") \
		",\"exact_source_line_attribution\"" \
		(merged ? ",\"unique_machine_code_identity_from_normalized_symbol\"" : "") \
		(jit ? ",\"cross_time_jit_symbol_replay\"" : "") \
		(all ? ",\"unqualified_profile_conclusion\"" : "") \
		"],\"unresolved_self\":" all + 0 ",\"unresolved_self_pct\":" pct(all, total) \
		unresolved_members("user") unresolved_members("kernel") unresolved_members("other") \
		",\"unresolved_threshold_pct\":0.000000,\"source_line_self\":0,\"inlined_frames\":" \
		inlined_frames + 0 ",\"merged_symbols\":" merged + 0 \
		",\"cut_weight\":0,\"suspect_callers\":0" \
		(nameless_callers ? ",\"unresolved_callers\":" nameless_callers : "") \
		",\"largest_sample_pct\":" pct(largest, total) \
		",\"announced_samples\":" NR ",\"received_samples\":" NR \
		",\"malformed\":0,\"skipped\":0,\"replaced\":0}"
}

END {
	CONVFMT = OFMT = "%.0f"
	put(1, 0, 0, "", event_row())
	put(2, 0, 0, "", quality_row())
	for (s in inclusive)
		put(3, self[s], inclusive[s], s, hotspot(s))
	for (path in paths)
		put(4, paths[path], 0, path, path_row(path))
}
