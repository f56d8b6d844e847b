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

python=OFF
/usr/bin/python3 -c 'import cffi, setuptools' 2>/dev/null && python=ON
cmake -G Ninja -S "$root" -B "$folder/build" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_SKIP_INSTALL_RPATH=ON -DOCELOTL_TESTS=OFF \
    -DOCELOTL_BENCH=OFF -DOCELOTL_PYTHON=$python >"$folder/configure.txt"
cmake --build "$folder/build" --target installed >"$folder/build.txt"
(cd "$folder/build" && umask 022 && cpack -G DEB -B "$folder" >"$folder/cpack.txt")
rm -rf "$folder/_CPack_Packages"

version=$(sed -n 's/^CPACK_PACKAGE_VERSION "\?\([0-9.]*\).*/\1/p
    s/^set(CPACK_PACKAGE_VERSION "\(.*\)")$/\1/p' "$folder/build/CPackConfig.cmake" | head -n 1)
name=ocelotl-$version
if git -C "$root" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git -C "$root" archive --format=tar --prefix="$name/" HEAD
else
    tar -C "$root" --exclude='./build*' --transform "s|^\.|$name|" -cf - .
fi | gzip -9n >"$folder/$name.tar.gz"
ls "$folder"/*.deb "$folder/$name.tar.gz"
