#!/usr/bin/env bash
# Installs missing packages, builds, and runs tests; prints how long each step takes.
#
#   scripts/test.sh           what a change must pass: a build with clang and the sanitizers, with
#                             the tests of readers and rooms; a plain build, with the tests of the
#                             program; some seconds for each fuzz target
#   scripts/test.sh --fast    one plain build and its quick tests: some minutes on two cores
#   scripts/test.sh --quick   one plain build and its tests; needs only what building needs
#   scripts/test.sh --slow    one plain build and the long tests, which only --full includes
#   scripts/test.sh --full    every test in both builds, the long ones, a minute for each fuzz
#                             target, and the whole lint check: hours
set -euo pipefail
cd "$(dirname "$0")/.."

# step NAME COMMAND...: runs a command, and says what it took.
step() {
    local begin=$SECONDS
    "${@:2}"
    echo "$1: $((SECONDS - begin)) s"
}

# Some tests wait for time to pass: one more runs than there are processors.
run_tests() { # DIRECTORY [OPTION OF CTEST...]
    ctest --test-dir "$1" --output-on-failure --timeout 3600 --parallel $(($(nproc) + 1)) "${@:2}"
}

# Light optimisation makes the tests quick, and the sanitizers find as much.
build_sanitized() {
    CC=clang scripts/build.sh build-sanitize -DOCELOTL_SANITIZE=ON -DOCELOTL_FUZZ=ON \
        -DOCELOTL_WERROR=ON -DOCELOTL_TESTS=ON -DOCELOTL_BENCH=ON -DCMAKE_BUILD_TYPE=Debug \
        "-DCMAKE_C_FLAGS_DEBUG=-O1 -g"
}

build_plain() { scripts/build.sh build -DOCELOTL_TESTS=ON "$@"; }

case "${1-}" in
'' | --full)
    step "installing packages" scripts/install-dependencies.sh --tests
    step "building with clang and the sanitizers" build_sanitized
    step "building" build_plain -DOCELOTL_WERROR=ON -DOCELOTL_BENCH=ON
    if [ "${1-}" = --full ]; then
        export OCELOTL_TEST_FULL=1
        step "all tests with the sanitizers" run_tests build-sanitize
        step "all tests" run_tests build
        step "long tests" run_tests build -C slow -L slow --timeout 7200
        step "fuzzing" scripts/fuzz.sh 60
        step "lint" scripts/lint.sh --full
    else
        step "tests with the sanitizers" run_tests build-sanitize -L sanitized
        step "tests" run_tests build -L plain
        # The same inputs each time: what a change must pass does not depend on luck.
        SEED=1 RUNS=500 step "fuzzing" scripts/fuzz.sh 5
    fi
    ;;
--fast)
    scripts/install-dependencies.sh
    step "building" build_plain
    step "quick tests" run_tests build -L fast
    ;;
--quick)
    scripts/install-dependencies.sh
    step "building" build_plain
    step "all tests" run_tests build
    ;;
--slow)
    scripts/install-dependencies.sh --tests
    step "building" build_plain
    step "long tests" run_tests build -C slow -L slow --timeout 7200
    ;;
*)
    echo "usage: scripts/test.sh [--fast|--quick|--slow|--full]" >&2
    exit 2
    ;;
esac
echo "every test passed"
