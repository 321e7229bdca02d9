#!/usr/bin/env bats
# flavours: gcc
#
# packaging/install-deps among programs that only pretend: a folder is the whole PATH. In it are the
# few real tools that the script itself uses, a package manager that writes down how it was called
# and "installs" by making what was missing appear, and whatever the test puts there.

real_tools='sh id mktemp rm awk sort tr sed grep env'
build_commands='make cc msgfmt jq'
test_commands='bash cmp xargs gzip script git mawk bats mandoc shellcheck clang-format clang
g++ ld.lld objcopy llvm-symbolizer eu-readelf dwz xz unzip zstd debuginfod xmllint perf'

setup() {
	cd "$BATS_TEST_DIRNAME/.." || exit 1
	unset DEBIAN_FRONTEND CPPFLAGS
	bin=$BATS_TEST_TMPDIR/bin log=$BATS_TEST_TMPDIR/log
	mkdir "$bin"
	: >"$log"
	local tool
	for tool in $real_tools; do
		ln -s "$(command -v "$tool")" "$bin/$tool"
	done
}

# pretend COMMAND [LINE…]: a shell script of that name.
pretend() {
	local name=$1
	shift
	{
		echo '#!/bin/sh'
		printf '%s\n' "$@"
	} >"$bin/$name"
	chmod +x "$bin/$name"
}

# manager NAME: it writes its command line, and its frontend, to the log; and all appears.
manager() {
	pretend "$1" "echo \"$1 \$*\${DEBIAN_FRONTEND+ (\$DEBIAN_FRONTEND)}\" >>$log" \
		"case \" \$* \" in *' install '* | *' -Sy '* | *' add '*) ;; *) exit 0 ;; esac" \
		"for c in $build_commands ${test_commands//$'\n'/ }; do" \
		"	printf '#!/bin/sh\\n' >$bin/\$c && $(command -v chmod) +x $bin/\$c" "done"
}

root() {
	rm "$bin/id"
	pretend id 'echo 0'
}

install_deps() {
	PATH=$bin run packaging/install-deps "$@"
}

@test "nothing missing: runs nothing and says nothing" {
	manager apt-get
	for c in $build_commands $test_commands; do
		pretend "$c"
	done
	install_deps --test
	[ "$status" = 0 ]
	[ -z "$output" ]
	[ ! -s "$log" ]
}

@test "Debian, everything missing: the packages of the build only" {
	root
	manager apt-get
	install_deps
	[ "$status" = 0 ]
	[ "$(cat "$log")" = "apt-get update
apt-get install -y --no-install-recommends gcc gettext jq libc6-dev libdw-dev libelf-dev \
libiberty-dev liblzma-dev libseccomp-dev libzstd-dev linux-libc-dev make nettle-dev zlib1g-dev (noninteractive)" ]
	[[ "$output" == *"+ apt-get update"* ]]
	[[ "$output" == *"missing: command make, command cc, header stdio.h, "* ]]
}

@test "Debian, --test with the build's there: the packages of the tests only" {
	root
	manager apt-get
	for c in $build_commands; do
		pretend "$c"
	done
	install_deps --test
	[ "$status" = 0 ]
	[ "$(tail -n 1 "$log")" = "apt-get install -y --no-install-recommends bash bats binutils bsdutils \
clang clang-format debuginfod diffutils dwz elfutils findutils g++ git gzip libclang-rt-dev libxml2-utils linux-perf lld llvm \
mandoc mawk shellcheck unzip xz-utils zstd (noninteractive)" ]
}

@test "Debian, --browser with the rest there: the browser" {
	root
	manager apt-get
	for c in $build_commands $test_commands; do
		pretend "$c"
	done
	install_deps --test --browser
	[ "$(tail -n 1 "$log")" = \
		"apt-get install -y --no-install-recommends chromium (noninteractive)" ]
	[ "$status" = 1 ] # this manager brings none
	[[ "$output" == *"still missing: command chromium"* ]]
}

@test "Debian, --clients with the rest there: what reads our files" {
	root
	manager apt-get
	for c in $build_commands $test_commands tar; do
		pretend "$c"
	done
	install_deps --test --clients --go
	[ "$(tail -n 1 "$log")" = \
		"apt-get install -y --no-install-recommends curl golang-go python3-jsonschema (noninteractive)" ]
}

@test "Ubuntu has perf in another package, and where there is none the tests go without" {
	root
	manager apt-get
	mv "$bin/apt-get" "$bin/other"
	for c in $build_commands $test_commands; do
		pretend "$c"
	done
	rm "$bin/perf" "$bin/zstd"
	# shellcheck disable=SC2016 # for the pretended shell
	pretend apt-get 'case $* in *--simulate\ linux-perf) exit 100 ;; *--simulate*) exit 0 ;; esac' \
		"exec $bin/other \"\$@\""
	install_deps --test
	[ "$status" = 0 ]
	[ "$(tail -n 1 "$log")" = "apt-get install -y --no-install-recommends linux-tools-generic zstd \
(noninteractive)" ]
	# perf is the only thing missing, and nobody has it
	rm "$bin/perf"
	: >"$log"
	# shellcheck disable=SC2016
	pretend apt-get 'case $* in *--simulate*) exit 100 ;; esac' "echo \"\$*\" >>$log"
	install_deps --test
	[ "$status" = 0 ]
	[ "$(cat "$log")" = update ]
}

@test "one header missing: its package only" {
	root
	manager apt-get
	pretend make
	pretend msgfmt
	pretend jq
	# shellcheck disable=SC2016 # for the pretended shell
	pretend cc 'read -r line; case $line in *zstd.h*) exit 1 ;; esac'
	install_deps
	[ "$status" = 0 ]
	[ "$(cat "$log")" = "apt-get update
apt-get install -y --no-install-recommends libzstd-dev (noninteractive)" ]
}

@test "Fedora, Arch, Alpine: one command each, by their names" {
	root
	manager dnf
	install_deps --test
	[ "$status" = 0 ]
	[ "$(cat "$log")" = "dnf install -y ShellCheck bash bats binutils binutils-devel clang \
clang-tools-extra compiler-rt diffutils dwz elfutils elfutils-debuginfod elfutils-devel elfutils-libelf-devel findutils \
gcc gcc-c++ gettext git glibc-devel gzip jq kernel-headers libasan libseccomp-devel libubsan \
libxml2 libzstd-devel lld llvm make mandoc mawk nettle-devel perf unzip util-linux-script xz xz-devel zlib-devel \
zstd" ]
	rm -r "$bin"
	setup
	root
	manager pacman
	install_deps
	[ "$status" = 0 ]
	[ "$(cat "$log")" = "pacman -Sy --needed --noconfirm binutils gcc gettext glibc jq libelf \
libseccomp linux-api-headers make nettle xz zlib zstd" ]
	rm -r "$bin"
	setup
	root
	manager apk
	install_deps
	[ "$status" = 0 ]
	[ "$(cat "$log")" = "apk add binutils-dev elfutils-dev gcc gettext jq libseccomp-dev \
linux-headers make musl-dev nettle-dev xz-dev zlib-dev zstd-dev" ]
}

@test "not root: by sudo; without sudo it says what to run" {
	manager apt-get
	rm "$bin/id"
	pretend id 'echo 1000'
	install_deps
	[ "$status" = 1 ]
	[[ "$output" == *"as root, run: apt-get update"* ]]
	[ ! -s "$log" ]
	# shellcheck disable=SC2016
	pretend sudo "echo \"sudo \$*\" >>$log" '"$@"'
	install_deps
	[ "$status" = 0 ]
	[ "$(sed -n 1p "$log")" = "sudo apt-get update" ]
	[[ "$(sed -n 3p "$log")" == "sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y "* ]]
}

@test "an unknown distribution: lists what is missing and fails" {
	root
	install_deps
	[ "$status" = 1 ]
	[[ "$output" == *"missing: command make, command cc, header stdio.h"* ]]
	[[ "$output" == *"none of Debian, Ubuntu, Fedora, Arch and Alpine"* ]]
}

@test "a package manager that fails, and one that does not bring what was missing" {
	root
	pretend apt-get 'exit 100'
	install_deps
	[ "$status" = 100 ]
	pretend apt-get
	install_deps
	[ "$status" = 1 ]
	[[ "$output" == *"still missing: command make"* ]]
}

@test "an unknown option is a usage error" {
	install_deps --tests
	[ "$status" = 2 ]
	[[ "$output" == *"--tests"* ]]
}
