#!/usr/bin/env bash
# Configures a build directory and builds in it. Further arguments go to the configuration; TARGET
# in the environment selects one target.
#
#   scripts/build.sh build -DOCELOTL_WERROR=ON
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
directory=$root/${1:?usage: scripts/build.sh DIRECTORY [CMAKE OPTION...]}
shift

# A configured directory keeps its generator and its compiler.
[ -e "$directory/CMakeCache.txt" ] || set -- -G Ninja "$@"
CC=${CC:-gcc} cmake -S "$root" -B "$directory" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@"
cmake --build "$directory" ${TARGET:+--target "$TARGET"} --parallel "$(nproc)"
