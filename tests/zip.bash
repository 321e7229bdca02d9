# shellcheck shell=bash
#
# zip: what the bats files about bundles share: ZIPs made by hand, after APPNOTE.TXT, and what is
# found about them. `load zip` after `load helper`; the file is $zip, beside it in $work is scratch.
#
# shellcheck disable=SC2154 # zip, work and out are the file's and the helper's

# le BYTES NUMBER: little-endian.
le() {
	local i hex=
	for ((i = 0; i < $1; i++)); do
		printf -v hex '%s\\x%02x' "$hex" $(($2 >> 8 * i & 255))
	done
	printf '%b' "$hex"
}

zip_start() {
	: >"$zip"
	: >"$work/central"
	entries=0
}

# zip_entry NAME FILE [METHOD]: stored, whatever the method says. gzip(1) knows the CRC-32.
zip_entry() {
	local offset size crc=$work/crc common=$work/common
	offset=$(wc -c <"$zip") size=$(wc -c <"$2")
	gzip -c "$2" | tail -c 8 | head -c 4 >"$crc"
	{
		le 2 10                         # version 1.0
		le 2 0                          # flags
		le 2 "${3:-0}"                  # method
		le 2 0                          # 00:00
		le 2 $(((1980 - 1980) << 9 | 1 << 5 | 1)) # 1980-01-01
		cat "$crc"
		le 4 "$size"
		le 4 "$size"
		le 2 ${#1}
		le 2 0 # extra
	} >"$common"
	{
		printf 'PK\3\4'
		cat "$common"
		printf %s "$1"
		cat "$2"
	} >>"$zip"
	{
		printf 'PK\1\2'
		le 2 10
		cat "$common"
		le 2 0 # comment
		le 2 0 # disk
		le 2 0 # attributes
		le 4 0
		le 4 "$offset"
		printf %s "$1"
	} >>"$work/central"
	entries=$((entries + 1))
}

zip_end() {
	local offset
	offset=$(wc -c <"$zip")
	{
		cat "$work/central"
		printf 'PK\5\6'
		le 4 0
		le 2 "$entries"
		le 2 "$entries"
		le 4 "$(wc -c <"$work/central")"
		le 4 "$offset"
		le 2 0
	} >>"$zip"
}

# checks WORDS: the eight results by their first letters.
checks() {
	local got
	got=$(jq -r 'select(.type=="check").status[:1]' "$out" | tr -d '\n')
	[ "$got" = "$1" ] || fail "want $1, got $got" "$(cat "$out")"
	stream_ok "$out"
}
