# The Python package: it is built against the installed library in a virtual environment, and does
# what its tests say. Skipped where Python has no cffi, setuptools or pytest.
set -euo pipefail

# A library with the sanitizers would need a Python with them.
if grep -q '^OCELOTL_SANITIZE:BOOL=ON' "$OCELOTL_BUILD/CMakeCache.txt"; then
    exit 77
fi

python=
for found in python3 /usr/bin/python3; do
    if "$found" -c 'import cffi, setuptools, wheel, pytest, hypothesis, venv' 2>/dev/null; then
        python=$(command -v "$found")
        break
    fi
done
[ -n "$python" ] || exit 77

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$OCELOTL_BUILD" --prefix "$folder/prefix" >/dev/null
PKG_CONFIG_PATH=$(dirname "$(find "$folder/prefix" -name ocelotl.pc)")
export PKG_CONFIG_PATH XDG_CACHE_HOME=$folder/cache XDG_CONFIG_HOME=$folder/config
cp -r "$OCELOTL_ROOT/python" "$folder/python"
rm -rf "$folder/python/build" # of another library
"$python" -m venv --system-site-packages "$folder/venv"
(cd "$folder/python" && OCELOTL_SYSTEM=1 OCELOTL_CFLAGS="-Wall -Wextra -Wno-unused -Werror" \
    "$folder/venv/bin/python" -m pip install --no-index --no-build-isolation --no-deps . \
    >"$folder/pip.txt" 2>&1) || { cat "$folder/pip.txt" >&2 && exit 1; }
cd "$folder"
export PYTHONDONTWRITEBYTECODE=1
"$folder/venv/bin/python" -m pytest -q -p no:cacheprovider "$OCELOTL_ROOT/tests/python" "$@"
