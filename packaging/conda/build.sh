#!/usr/bin/env bash
# Called by conda-build, which sets PREFIX and CMAKE_ARGS.
set -euo pipefail
# shellcheck disable=SC2086
cmake -G Ninja -S . -B build $CMAKE_ARGS -DOCELOTL_TESTS=OFF -DCMAKE_INSTALL_PREFIX="$PREFIX" \
    -DCMAKE_INSTALL_LIBDIR=lib
cmake --build build --target installed
cmake --install build
export OCELOTL_SYSTEM=1 PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig
"$PYTHON" -m pip install --no-deps --no-build-isolation ./python
