#!/usr/bin/env bash
# Builds the aggregation and its tests for AArch64 and runs the tests here, emulated. The tests make
# models from arrays, not from files, so they need no library but the compiler's own.
#
#   scripts/aarch64.sh [TEST...]   by default all tests of the aggregation, and those of levels
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-dependencies.sh --cross
directory=build-aarch64
compiler=aarch64-linux-gnu-gcc
emulator=$(command -v qemu-aarch64 || command -v qemu-aarch64-static)
flags=(-std=c11 -O3 -g -fopenmp -ffp-contract=off \
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
    '-DOCELOTL_VERSION="0"' -Iinclude -Iengine -I. -Itests
    -ffunction-sections -Wl,--gc-sections) # what needs a trace is not linked
shopt -s nullglob
sources=(engine/base/*.c engine/base/*/*.c
    engine/store/trace/names.c
    engine/model/core/{cells,model,model_values,slicing,tree}.c engine/model/build/arrays.c
    engine/model/hierarchy/{arrangement,merge_leaves,rearrangement}.c
    engine/aggregate/*.c engine/aggregate/{problem,measures,solver,extract,levels}/*.c)
vectors=(engine/aggregate/vector/*.c) # with the one instruction set that every machine has
tests=("$@")
[ ${#tests[@]} -gt 0 ] || for test in tests/test_aggregate_*.c tests/test_levels.c; do
    tests+=("$(basename "$test" .c)")
done

rm -rf "$directory"
mkdir -p "$directory"
in_parallel() { xargs -P "$(nproc)" -L 1 "$compiler" "${flags[@]}"; }

# One line of arguments for each object.
arguments() {
    local source
    for source in "${sources[@]}"; do echo "-c $source -o $directory/$(tr / - <<<"$source").o"; done
    for source in "${vectors[@]}"; do
        echo "-DOC_INSTRUCTIONS=plain -c $source -o $directory/$(tr / - <<<"$source").o"
    done
}

arguments | in_parallel
aarch64-linux-gnu-ar rcs "$directory/libaggregate.a" "$directory"/*.o
for test in "${tests[@]}"; do
    echo "tests/$test.c $directory/libaggregate.a -o $directory/$test -lm"
done | in_parallel

export OCELOTL_ROOT=$PWD
export OMP_WAIT_POLICY=passive # threads that wait leave the core to those that work
run() { # TEST
    "$emulator" -L /usr/aarch64-linux-gnu "$directory/$1" >"$directory/$1.log" 2>&1 &&
        echo "$1 passed" && return
    echo "$1 failed:" >&2
    tail -n 3 "$directory/$1.log" >&2
    return 1
}
export -f run
export emulator directory
printf '%s\n' "${tests[@]}" | xargs -P "$(nproc)" -n 1 bash -c 'run "$1"' run || {
    echo "not every test passed on AArch64" >&2
    exit 1
}
echo "every test passed on AArch64"
