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

# A checkout gives its source; that gives the wheel where no checkout is.
mkdir "$folder/source" "$folder/empty"
tar -C "$OCELOTL_ROOT" --exclude='./build*' --exclude=./python/build --exclude=./.git -cf - . |
    tar -C "$folder/source" -xf -
cp "$folder/source/examples/smpi-stencil-96.trace.zst" "$folder/empty/run.trace.zst"
git -C "$folder/source" init -q
git -C "$folder/source" add -A
git -C "$folder/source" -c user.name=test -c user.email=test@example.org commit -q -m source
"$python" -m venv --system-site-packages "$folder/venv"
here="$folder/venv/bin/python"
wheel() {
    "$here" -m pip wheel --no-index --no-build-isolation --no-deps -w "$1" "$2" \
        >"$folder/pip.txt" 2>&1 || fail "no wheel of $2: $(cat "$folder/pip.txt")"
}
(cd "$folder/source/python" && "$here" -c 'if True:
    import sys
    from setuptools import build_meta
    build_meta.build_sdist(sys.argv[1])' "$folder/packed" >/dev/null 2>&1) || fail "no source"
export OCELOTL_LIBRARY=$OCELOTL_BUILD
wheel "$folder/cloned" "git+file://$folder/source"
wheel "$folder/beside" "$folder/source/python"
unset OCELOTL_LIBRARY
[ -z "$(git -C "$folder/source" status --porcelain --ignored)" ] ||
    fail "left in the checkout: $(git -C "$folder/source" status --short --ignored)"
rm -rf "$folder/source"
wheel "$folder/made" "$folder"/packed/ocelotl-*.tar.gz
for made in "$folder"/{cloned,beside,made}/*.whl; do
    case $made in
    */ocelotl-*-cp39-abi3-linux_*.whl) ;;
    *) fail "$made serves one Python" ;;
    esac
done
unzip -p "$folder"/made/*.whl '*.dist-info/METADATA' >"$folder/metadata.txt"
for told in 'Author: Ocelotl contributors' 'License.*: BSD-3-Clause' 'Classifier: Typing' \
    '# ocelotl'; do
    grep -q "^$told" "$folder/metadata.txt" || fail "the wheel does not tell $told"
done
unzip -l "$folder"/made/*.whl | grep -q 'dist-info/.*LICENSE' || fail "the wheel has no licence"
"$here" -m pip install --no-index --no-deps "$folder"/made/*.whl >"$folder/pip.txt" 2>&1 ||
    fail "not installed: $(cat "$folder/pip.txt")"

cd "$folder/empty"
export XDG_CACHE_HOME=$folder/cache XDG_CONFIG_HOME=$folder/config LD_LIBRARY_PATH=
inside=$(dirname "$("$here" -c 'import ocelotl; print(ocelotl.__file__)')")
case $inside in
"$folder"/venv/*) ;;
*) fail "the package is in $inside" ;;
esac

# What it is linked with: the library beside the module, and all else where the system looks.
ldd "$inside"/{_native*.so,libocelotl.so.*,ocelotl-cli} >"$folder/linked.txt"
! grep -F 'not found' "$folder/linked.txt" || fail "a library is missing"
sed -n 's/.*libocelotl[^ ]* => \([^ ]*\).*/\1/p' "$folder/linked.txt" |
    xargs -n 1 realpath >"$folder/own.txt"
[ "$(sed 's|/[^/]*$||' "$folder/own.txt" | sort -u)" = "$inside" ] ||
    fail "libocelotl is not that of the wheel: $(cat "$folder/own.txt")"
if sed -n 's/.* => \([^ ]*\).*/\1/p' "$folder/linked.txt" | grep -v "^$inside/" |
    grep -v -E '^(/usr)?/lib(64)?/'; then
    fail "a library is none of the system's"
fi
for name in cairo sqlite3 zstd; do
    grep -q "lib$name.so" "$folder/linked.txt" || fail "lib$name is not the system's"
done
! readelf -d "$inside"/{*.so*,ocelotl-cli} | grep PATH | grep -F "$folder" ||
    fail "a path of the build is left inside"

# It does what the program does, and says what it reads.
said=$("$here" -c '
import ocelotl
print(len(ocelotl.open("run.trace.zst").overview(p=0.5)))
print(ocelotl.version())')
parts=$("$OCELOTL_CLI" --json --p 0.5 run.trace.zst | jq '.parts | length')
[ "$(sed -n 1p <<<"$said")" = "$parts" ] || fail "$parts parts by the program, and $said"
"$OCELOTL_CLI" --version | sed -n 's/^reads //p' | tr ' ' '\n' >"$folder/program.txt"
sed -n 's/.* reads \([^;]*\).*/\1/p' <<<"$said" | sed 's/, /\n/g' >"$folder/package.txt"
diff "$folder/program.txt" "$folder/package.txt" || fail "what is read differs"

# The program of the wheel is the program, and ends as it does.
command=$folder/venv/bin/ocelotl-cli
diff <("$command" --version) <("$OCELOTL_CLI" --version) || fail "the command is another program"
"$command" --json --p 0.5 run.trace.zst | cmp - <("$OCELOTL_CLI" --json --p 0.5 run.trace.zst)
code=0
"$command" absent.trace 2>"$folder/said.txt" || code=$?
[ $code -eq "$("$OCELOTL_CLI" absent.trace 2>/dev/null || echo $?)" ] || fail "it ends with $code"
