# The wheel as `pip install ./python` builds it: with the library inside, which needs the system's
# alone, imported where no source is. Skipped where Python has no cffi or setuptools.
set -euo pipefail
python=
for found in python3 /usr/bin/python3; do
    if "$found" -c 'import cffi, setuptools, wheel, venv' 2>/dev/null; then
        python=$(command -v "$found")
        break
    fi
done
[ -n "$python" ] || exit 77

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
    echo "$1" >&2
    exit 1
}

mkdir "$folder/source" "$folder/empty"
tar -C "$OCELOTL_ROOT" --exclude='./build*' --exclude=./python/build --exclude=./.git -cf - . |
    tar -C "$folder/source" -xf -
"$python" -m venv --system-site-packages "$folder/venv"
"$folder/venv/bin/python" -m pip install --no-index --no-build-isolation --no-deps \
    "$folder/source/python" >"$folder/pip.txt" 2>&1 || fail "no wheel: $(cat "$folder/pip.txt")"
cp "$folder/source/examples/smpi-stencil-96.trace.zst" "$folder/empty/run.trace.zst"
rm -rf "$folder/source"

cd "$folder/empty"
export XDG_CACHE_HOME=$folder/cache XDG_CONFIG_HOME=$folder/config LD_LIBRARY_PATH=
inside=$(dirname "$("$folder/venv/bin/python" -c 'import ocelotl; print(ocelotl.__file__)')")
case $inside in
"$folder"/venv/*) ;;
*) fail "the package is in $inside" ;;
esac

# What it is linked with: the library beside the module, and all else where the system looks.
ldd "$inside"/_native*.so "$inside"/libocelotl.so.* >"$folder/linked.txt"
! grep -F 'not found' "$folder/linked.txt" || fail "a library is missing"
sed -n 's/.*libocelotl[^ ]* => \([^ ]*\).*/\1/p' "$folder/linked.txt" >"$folder/own.txt"
[ "$(dirname "$(cat "$folder/own.txt")")" = "$inside" ] ||
    fail "libocelotl is not that of the wheel: $(cat "$folder/own.txt")"
if sed -n 's/.* => \([^ ]*\).*/\1/p' "$folder/linked.txt" | grep -v "^$inside/" |
    grep -v -E '^(/usr)?/lib(64)?/'; then
    fail "a library is none of the system's"
fi
for name in cairo sqlite3 zstd; do
    grep -q "lib$name.so" "$folder/linked.txt" || fail "lib$name is not the system's"
done
! readelf -d "$inside"/*.so* | grep PATH | grep -F "$folder" ||
    fail "a path of the build is left inside"

# It does what the program does, and says what it reads.
said=$("$folder/venv/bin/python" -c '
import ocelotl
print(len(ocelotl.open("run.trace.zst").overview(p=0.5)))
print(ocelotl.version())')
parts=$("$OCELOTL_CLI" --json --p 0.5 run.trace.zst | jq '.parts | length')
[ "$(sed -n 1p <<<"$said")" = "$parts" ] || fail "$parts parts by the program, and $said"
"$OCELOTL_CLI" --version | sed -n 's/^reads //p' | tr ' ' '\n' >"$folder/program.txt"
sed -n 's/.* reads \([^;]*\).*/\1/p' <<<"$said" | sed 's/, /\n/g' >"$folder/package.txt"
diff "$folder/program.txt" "$folder/package.txt" || fail "what is read differs"
