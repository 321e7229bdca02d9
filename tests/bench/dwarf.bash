# shellcheck shell=bash
#
# dwarf: the functions inlined at 50,000 addresses of a large C++ program, and their lines, against llvm-symbolizer. The
# program is made here, once.
# shellcheck disable=SC2154 # what lib.bash sets

dwarf_units=8

# What answers, given the program; the addresses are on stdin.
symbolize=("$PWD/build/release/bench/dwarf-lookup")
yardstick=(llvm-symbolizer --inlines --no-demangle)

dwarf_main() {
	local i calls=
	echo '#include <string>'
	echo '#include <vector>'
	for ((i = 1; i <= dwarf_units; i++)); do
		echo "std::size_t unit$i(const std::vector<std::string> &);"
		calls+=" + unit$i(w)"
	done
	echo 'int main(int argc, char **argv)'
	echo "{ std::vector<std::string> w(argv, argv + argc); return (0$calls) == 0; }"
}

# dwarf_program: makes $dir/dwarf/program
dwarf_program() {
	local work=$dir/dwarf
	[ -e "$work/program" ] && return
	rm -rf "$work"
	mkdir -p "$work"
	dwarf_main >"$work/main.cpp"
	seq "$dwarf_units" | xargs -P "$(nproc)" -I {} "${CXX:-c++}" -std=c++17 -O2 -g -DUNIT={} \
		-c tests/bench/dwarf-unit.cpp -o "$work/unit-{}.o" &&
		"${CXX:-c++}" -g "$work/main.cpp" "$work"/unit-*.o -o "$work/part" &&
		mv "$work/part" "$work/program" && rm "$work"/*.o
}

# dwarf_addresses N: so many different ones of the program's .text, in any order, always the same
dwarf_addresses() {
	local address size
	read -r address size < <(readelf -SW "$dir/dwarf/program" |
		sed -n 's/^ *\[ *[0-9]*\] \.text *PROGBITS *\([0-9a-f]*\) [0-9a-f]* \([0-9a-f]*\).*/\1 \2/p')
	mawk -v start=$((16#$address)) -v size=$((16#$size)) -v n="$1" 'BEGIN {
		srand(1)
		while (n > 0) {
			a = start + int(rand() * size)
			if (!(a in seen)) {
				seen[a] = 1
				printf "0x%x\n", a
				n--
			}
		}
	}'
}

# Each takes the addresses and, last, where it logs.
dwarf_ours() {
	"$dir/timed" "$2.use" "${symbolize[@]}" "$dir/dwarf/program" <"$1" >"$dir/dwarf/ours"
}
dwarf_llvm() {
	"$dir/timed" "$2.use" "${yardstick[@]}" --obj="$dir/dwarf/program" <"$1" >"$dir/dwarf/llvm"
}

bench_dwarf() {
	local n round some=$dir/dwarf/addresses
	printf '\n## Inlined functions and lines\n\n'
	if ! command -v "${yardstick[0]}" >/dev/null; then
		echo "Not measured: ${yardstick[0]} is not installed."
		return
	fi
	make -s "build/release/bench/dwarf-lookup"
	dwarf_program
	for n in 500 50000; do
		dwarf_addresses $n >"$some-$n"
		for ((round = 0; round < rounds; round++)); do
			measure "dwarf-llvm-$n" dwarf_llvm "$some-$n"
			measure "dwarf-ours-$n" dwarf_ours "$some-$n"
		done
	done
	printf 'A program of %d MB, %d frames at 50,000 addresses; peak MB: %s, and ours %s.\n\n' \
		$(($(stat -c %s "$dir/dwarf/program") / 1000000)) "$(grep -c ':[0-9]*:[0-9]*$' "$dir/dwarf/llvm")" \
		$(($(column "$dir/dwarf-llvm-50000.use" 3) / 1024)) \
		$(($(column "$dir/dwarf-ours-50000.use" 3) / 1024))
	table
	row "llvm-symbolizer --inlines, 50,000 addresses" dwarf-llvm-50000 1 -
	row "dwarf-lookup, 50,000 addresses" dwarf-ours-50000 \
		"$(ratio dwarf-ours-50000 dwarf-llvm-50000)" '≤ 0.5'
	row "llvm-symbolizer --inlines, 500 addresses" dwarf-llvm-500 1 -
	row "dwarf-lookup, 500 addresses" dwarf-ours-500 "$(ratio dwarf-ours-500 dwarf-llvm-500)" -
}
