# pprof: reads profile.proto, as `od -An -v -tu1` prints its bytes, and prints what it holds:
#     type NAME UNIT
#     sample VALUE… STACK            root first; a frame is NAME@FILE:LINE[MODULE BUILD-ID ADDRESS]
# Numbers below 2^53 only. Written from proto/profile.proto of google/pprof.

{
	for (i = 1; i <= NF; i++)
		byte[++bytes] = $i
}

function varint(  v, scale) {
	v = 0
	scale = 1
	for (;;) {
		v += (byte[at] % 128) * scale
		scale *= 128
		if (byte[at++] < 128)
			return v
	}
}

# The next field: sets field, wire and value (of a varint) or from and to (of bytes).
function next_field(  tag) {
	tag = varint()
	field = int(tag / 8)
	wire = tag % 8
	value = 0
	if (wire == 0) {
		value = varint()
	} else if (wire == 2) {
		to = varint()
		from = at
		to += from
		at = to
	} else {
		print "wire type " wire " at " at
		exit 1
	}
}

function text(  s, i) {
	s = ""
	for (i = from; i < to; i++)
		s = s sprintf("%c", byte[i])
	return s
}

# Fields of the message from..to into got[field]; repeated packed numbers into list[field, n].
function message(  end, save) {
	split("", got)
	split("", list)
	split("", count)
	save = at
	end = to
	at = from
	while (at < end) {
		next_field()
		if (wire == 0) {
			got[field] = value
		} else {
			start[field] = from
			stop[field] = to
			got[field] = 1
		}
	}
	at = save
}

function packed(f,  save, n) {
	save = at
	n = 0
	split("", list)
	for (at = start[f]; at < stop[f];)
		list[++n] = varint()
	at = save
	return n
}

END {
	at = 1
	while (at <= bytes) {
		next_field()
		if (field == 6)
			string[strings++] = text()
		else if (wire == 2) {
			kinds[++n] = field
			froms[n] = from
			tos[n] = to
		}
	}
	if (string[0] != "")
		print "string_table[0] is not empty"
	for (k = 1; k <= n; k++) {
		from = froms[k]
		to = tos[k]
		if (kinds[k] == 1) {
			message()
			print "type", string[got[1]], string[got[2]]
		} else if (kinds[k] == 3) {
			message()
			mapping[got[1]] = string[got[5]] " " string[got[6]]
		} else if (kinds[k] == 5) {
			message()
			fn[got[1]] = string[got[2]] "|" string[got[3]]
			file[got[1]] = string[got[4]]
		} else if (kinds[k] == 4) {
			message()
			id = got[1]
			where[id] = mapping[got[2]] " " got[3] + 0
			from = start[4]
			to = stop[4]
			message()
			name[id] = fn[got[1]] "@" file[got[1]] ":" got[2] + 0
		}
	}
	for (k = 1; k <= n; k++) {
		if (kinds[k] != 2)
			continue
		from = froms[k]
		to = tos[k]
		message()
		depth = packed(1)
		stack = ""
		for (i = depth; i > 0; i--)
			stack = stack (i < depth ? ";" : "") name[list[i]] "[" where[list[i]] "]"
		line = "sample"
		values = packed(2)
		for (i = 1; i <= values; i++)
			line = line " " list[i]
		print line " " stack
	}
}
