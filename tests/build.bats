#!/usr/bin/env bats
# flavours: gcc
#
# The Makefile: what is rebuilt, what install and dist make.

load helper

make=${PL_MAKE:-make -s}

@test "make help lists the targets" {
	$make help >"$BATS_TEST_TMPDIR/help"
	for target in all check unit asan fuzz bench lint demo deps install uninstall dist clean help; do
		grep -q "^$target  *[a-z]" "$BATS_TEST_TMPDIR/help" || fail "no $target"
	done
}

# small: a project of one program and two modules, built by our Makefile. Sets $small.
small() {
	small=$BATS_TEST_TMPDIR/small
	mkdir -p "$small/filters" "$small/libcommon"
	cp Makefile "$small"
	cp libcommon/{banned,base}.h "$small/libcommon"
	cat >"$small/filters/pl-x.c" <<-'END'
		#include "one.h"
		int main(void)
		{
			return NUMBER;
		}
	END
	echo '#define NUMBER 7' >"$small/libcommon/one.h"
	echo 'int one(void); int one(void) { return 1; }' >"$small/libcommon/one.c"
	echo 'int two(void); int two(void) { return 2; }' >"$small/libcommon/two.c"
	rebuilt
}

# rebuilt [VARIABLE…]: builds; the names of the sources that were compiled, in $compiled.
rebuilt() {
	(cd "$small" && make -r PROGRAMS=pl-x "$@") >"$BATS_TEST_TMPDIR/make" 2>&1 ||
		fail "$(cat "$BATS_TEST_TMPDIR/make")" || return 1
	compiled=$(awk '$1 == "CC" { print $2 }' "$BATS_TEST_TMPDIR/make" | sort | xargs)
}

@test "nothing changed: nothing is built" {
	small
	[ "$compiled" = 'filters/pl-x.c libcommon/one.c libcommon/two.c' ]
	rebuilt
	[ -z "$compiled" ]
	! grep -q 'AR\|LD' "$BATS_TEST_TMPDIR/make" || fail "$(cat "$BATS_TEST_TMPDIR/make")"
}

@test "a changed header or flag rebuilds what it touches" {
	small
	echo '#define NUMBER 8' >"$small/libcommon/one.h"
	rebuilt
	[ "$compiled" = filters/pl-x.c ]
	expect_exit 8 "$small/build/release/bin/pl-x"
	rebuilt CPPFLAGS=-DX
	[ "$compiled" = 'filters/pl-x.c libcommon/one.c libcommon/two.c' ]
}

@test "a removed source leaves the archive; a new one enters it" {
	small
	rm "$small/libcommon/two.c"
	rebuilt
	[ "$(ar t "$small/build/release/libcommon.a")" = one.o ]
	echo 'int three(void); int three(void) { return 3; }' >"$small/libcommon/three.c"
	rebuilt
	[ "$(ar t "$small/build/release/libcommon.a" | sort | xargs)" = 'one.o three.o' ]
}

@test "a flavour has a folder of its own" {
	small
	rebuilt FLAVOUR=other CFLAGS=-O1
	[ -x "$small/build/other/bin/pl-x" ]
	rebuilt
	[ -z "$compiled" ]
}

@test "a banned function is a build error" {
	small
	echo 'int one(const char *s); int one(const char *s) { return atoi(s); }' \
		>"$small/libcommon/one.c"
	! rebuilt 2>"$BATS_TEST_TMPDIR/why" || fail "it was built"
	grep -q 'poisoned.*atoi' "$BATS_TEST_TMPDIR/why"
}

# expected: what install owes, one path below PREFIX a line.
expected() {
	local file
	for file in filters/*.c; do
		echo "bin/$(basename "$file" .c)"
	done
	for file in man/*.[17]; do
		[ ! -e "$file" ] || echo "share/man/man${file##*.}/${file#man/}"
	done
	find schemas -type f -printf 'share/perflens/%p\n'
	find skill -type f -printf 'share/perflens/%p\n' 2>/dev/null
	find filters/rules -type f -printf 'share/perflens/rules/%P\n' 2>/dev/null
}

@test "install puts everything below DESTDIR and PREFIX, uninstall removes just that" {
	local to="$BATS_TEST_TMPDIR/a root" file
	$make install DESTDIR="$to" PREFIX=/opt/pl
	expected | sort >"$BATS_TEST_TMPDIR/expected"
	find "$to/opt/pl" -type f -printf '%P\n' | sort >"$BATS_TEST_TMPDIR/installed"
	same "$BATS_TEST_TMPDIR/expected" "$BATS_TEST_TMPDIR/installed"
	[ -z "$(find "$to/opt/pl/bin" -type f ! -perm 755)" ]
	[ -z "$(find "$to/opt/pl/share" -type f ! -perm 644)" ]
	run_ok "$to/opt/pl/bin/perflens" --version
	touch "$to/opt/pl/bin/other" "$to/opt/pl/share/perflens/other"
	$make uninstall DESTDIR="$to" PREFIX=/opt/pl
	[ "$(cd "$to" && find . -type f | sort | xargs)" = \
		'./opt/pl/bin/other ./opt/pl/share/perflens/other' ]
	rm "$to/opt/pl/share/perflens/other"
	$make uninstall DESTDIR="$to" PREFIX=/opt/pl
	[ ! -e "$to/opt/pl/share/perflens" ]
}

@test "dist: the same bytes twice, with what a build needs" {
	git rev-parse -q --verify HEAD >/dev/null 2>&1 || skip "not a checkout"
	local version archive
	version=$(sed -n 's/^#define PL_VERSION "\(.*\)"/\1/p' libcommon/base.h)
	archive=build/perflens-$version.tar.gz
	[ "$($make dist)" = "$archive" ]
	cp "$archive" "$BATS_TEST_TMPDIR/first"
	$make dist
	cmp "$archive" "$BATS_TEST_TMPDIR/first"
	tar -tzf "$archive" >"$BATS_TEST_TMPDIR/names"
	for file in Makefile LICENSE libcommon/base.h packaging/install-deps tests/run; do
		grep -q -x "perflens-$version/$file" "$BATS_TEST_TMPDIR/names" || fail "no $file"
	done
}
