#!/usr/bin/env bash
# Installs missing packages, builds with the sanitizers, without them, and with clang, runs every
# test, and fuzzes for a short time.
#
#   scripts/test.sh           all of it
#   scripts/test.sh --fast    one plain build and its quick tests: under a minute on two cores
#   scripts/test.sh --quick   one plain build and its tests; needs only what building needs
#   scripts/test.sh --slow    one plain build and the long tests, which no other run includes
set -euo pipefail
cd "$(dirname "$0")/.."

run_tests() { # DIRECTORY [OPTION OF CTEST...]
    ctest --test-dir "$1" --output-on-failure --timeout 3600 --parallel "$(nproc)" "${@:2}"
}

case "${1-}" in
'')
    scripts/install-dependencies.sh --tests
    # Light optimisation makes the tests quick, and the sanitizers find as much.
    scripts/build.sh build-sanitize -DOCELOTL_SANITIZE=ON -DOCELOTL_WERROR=ON -DOCELOTL_TESTS=ON \
        -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=-O1 -g"
    run_tests build-sanitize -LE once
    scripts/build.sh build -DOCELOTL_WERROR=ON -DOCELOTL_TESTS=ON -DOCELOTL_BENCH=ON
    run_tests build
    # Only compiled, for its warnings; the lint check reads the compile commands of this directory.
    CC=clang scripts/build.sh build-clang -DOCELOTL_WERROR=ON -DOCELOTL_TESTS=ON -DOCELOTL_BENCH=ON
    # The same inputs each time: what a change must pass does not depend on luck.
    SEED=1 scripts/fuzz.sh 15
    ;;
--fast)
    scripts/install-dependencies.sh
    scripts/build.sh build -DOCELOTL_TESTS=ON
    run_tests build -L fast
    ;;
--quick)
    scripts/install-dependencies.sh
    scripts/build.sh build -DOCELOTL_TESTS=ON
    run_tests build
    ;;
--slow)
    scripts/install-dependencies.sh --tests
    scripts/build.sh build -DOCELOTL_TESTS=ON
    ctest --test-dir build --output-on-failure --timeout 7200 --parallel "$(nproc)" -C slow -L slow
    ;;
*)
    echo "usage: scripts/test.sh [--fast|--quick|--slow]" >&2
    exit 2
    ;;
esac
echo "every test passed"
