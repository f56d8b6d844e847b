#!/usr/bin/env bash
# Makes the packages of a version in a folder: .debs for this Debian, and the source as
# ocelotl-VERSION.tar.gz, which builds without a network.
#
#   scripts/packages.sh [FOLDER]     default: build-packages
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$root/build-packages}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

# What is packed is what git knows, whatever else has come to lie in the checkout.
version=$(sed -n 's/^#define OCELOTL_VERSION_[A-Z]* //p' "$root/include/ocelotl/status.h" |
    paste -sd .)
name=ocelotl-$version
if git -C "$root" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git -C "$root" -c tar.umask=0022 archive --format=tar --prefix="$name/" HEAD
else
    tar -C "$root" --exclude='./build*' --exclude=./python/build --exclude='*.egg-info' \
        --exclude=__pycache__ --exclude='*.so*' --transform "s|^\.|$name|" -cf - .
fi | gzip -9n >"$folder/$name.tar.gz"
tar -C "$folder" -xf "$folder/$name.tar.gz"

python=OFF
/usr/bin/python3 -c 'import cffi, setuptools' 2>/dev/null && python=ON
cmake -G Ninja -S "$folder/$name" -B "$folder/build" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_SKIP_INSTALL_RPATH=ON -DOCELOTL_TESTS=OFF \
    -DOCELOTL_BENCH=OFF -DOCELOTL_PYTHON=$python >"$folder/configure.txt"
cmake --build "$folder/build" --target installed >"$folder/build.txt"
(cd "$folder/build" && umask 022 && cpack -G DEB -B "$folder" >"$folder/cpack.txt")
rm -rf "$folder/_CPack_Packages" "${folder:?}/$name"
ls "$folder"/*.deb "$folder/$name.tar.gz"
