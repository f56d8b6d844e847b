#!/usr/bin/env bash
# Builds the library and the tests of the aggregation and of models with clang's thread sanitizer
# and runs them; any report fails. LLVM's OpenMP loads its Archer library, by which the sanitizer
# sees barriers; in gcc's OpenMP it would see none and report false races. The script first checks
# on a race and its correction that this works here.
#
#   scripts/thread-sanitizer.sh [TEST...]   by default the tests below
set -euo pipefail
cd "$(dirname "$0")/.."
directory=build-thread
tests=("$@")
[ ${#tests[@]} -gt 0 ] ||
    tests=(test_aggregate_concurrent test_aggregate_progress test_aggregate_identical \
    test_aggregate_limits
        test_aggregate_vectors test_levels test_model_threads)

scripts/install-dependencies.sh --tests
sanitize=(-fsanitize=thread -O1 -g)
export TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=1 exitcode=66"
export OMP_TOOL=enabled
export KMP_BLOCKTIME=0 # threads that wait leave the core to those that work
export OCELOTL_ROOT=$PWD

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# What the sanitizer must report, with "atomic" missing, and what it must not. The second loop reads
# what other threads wrote before the barrier between the two.
try_sanitizer() { # NAME ATOMIC
    cat >"$folder/$1.c" <<END
#include <stdio.h>
int main(void)
{
    static int a[100000], sum;
#pragma omp parallel num_threads(3)
    {
#pragma omp for schedule(dynamic, 100)
        for (int i = 0; i < 100000; i++)
            a[i] = i;
#pragma omp for schedule(dynamic, 100)
        for (int i = 0; i < 100000; i++) {
$2
            sum += a[99999 - i];
        }
    }
    printf("%d\\n", sum);
    return 0;
}
END
    clang "${sanitize[@]}" -fopenmp "$folder/$1.c" -o "$folder/$1"
    # On a busy machine one thread may do everything: one report in several runs is enough.
    for _ in $(seq 20); do "$folder/$1" >"$folder/$1.log" 2>&1 || return 1; done
}

if try_sanitizer race '' || ! grep -q 'data race' "$folder/race.log"; then
    echo "the thread sanitizer does not notice a race" >&2
    exit 1
fi
if ! try_sanitizer correct '#pragma omp atomic'; then
    cat "$folder/correct.log" >&2
    echo "the thread sanitizer takes a correct OpenMP program for a race: is libarcher.so beside libomp.so?" >&2
    exit 1
fi

CC=clang cmake -S . -B "$directory" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DOCELOTL_TESTS=ON \
    "-DCMAKE_C_FLAGS_DEBUG=${sanitize[*]}" >/dev/null
cmake --build "$directory" --parallel "$(nproc)" --target ocelotl-tests
failed=()
for test in "${tests[@]}"; do
    echo "$test"
    "$directory/tests/ocelotl-tests" "$test" >"$folder/$test.log" 2>&1 || {
        failed+=("$test")
        # The report, or why the test itself failed.
        sed -n '/WARNING: ThreadSanitizer/,$p' "$folder/$test.log" | grep . >&2 ||
            tail -n 3 "$folder/$test.log" >&2
    }
done
[ ${#failed[@]} -eq 0 ] || { echo "under the thread sanitizer these failed: ${failed[*]}" >&2 &&
    exit 1; }
echo "the thread sanitizer reports nothing"
