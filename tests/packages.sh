# The Debian packages hold what git knows alone, have no error by lintian, install in a clean system
# and work there; the source tarball builds. Skipped without the tools; the clean system wants root
# and Debian's archive.
set -euo pipefail
for tool in cpack lintian dpkg-shlibdeps; do
    command -v $tool >/dev/null || exit 77
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
    echo "$1" >&2
    exit 1
}

# What a build of the Python package leaves behind.
git clone -q "$OCELOTL_ROOT" "$folder/checkout"
mkdir -p "$folder/checkout/python/build"
touch "$folder/checkout/python/"{ocelotl/,build/}{libocelotl.so.9,left.py}
"$folder/checkout/scripts/packages.sh" "$folder/packages" >"$folder/made.txt" 2>&1 ||
    fail "no packages: $(tail -n 20 "$folder/made.txt")"
version=$("$OCELOTL_CLI" --version | sed -n '1s/.* //p')
cd "$folder/packages"
for name in "libocelotl${version%.*}" libocelotl-dev ocelotl-tools ocelotl-doc; do
    [ -s "${name}_${version}"_*.deb ] || fail "no package $name: $(ls)"
done
for package in ./*.deb; do
    dpkg-deb -c "$package"
done >"$folder/listed.txt"
tar -tf "ocelotl-$version.tar.gz" >>"$folder/listed.txt"
! grep -E '\.so\.9|left\.py' "$folder/listed.txt" || fail "packages hold what git does not know"
for file in man/man1/ocelotl-cli{,-import}.1.gz doc/ocelotl/{docs/views.md,examples/embed.c}; do
    grep -qF "./usr/share/$file" "$folder/listed.txt" || fail "no package holds $file"
done

lintian --allow-root --fail-on error -- *.deb >"$folder/lintian.txt" 2>&1 ||
    fail "lintian: $(cat "$folder/lintian.txt")"

# The source builds as it is unpacked, with no network.
mkdir source
tar -C source -xf "ocelotl-$version.tar.gz"
network=()
unshare -rn true 2>/dev/null && network=(unshare -rn)
"${network[@]}" cmake -G Ninja -S "source/ocelotl-$version" -B source/build \
    -DOCELOTL_TESTS=OFF -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 >/dev/null
"${network[@]}" cmake --build source/build --target ocelotl-cli >/dev/null
[ "$(source/build/ocelotl-cli --version | sed -n 1p)" = "ocelotl-cli $version" ] ||
    fail "the source makes another version"

command -v mmdebstrap >/dev/null && [ "$(id -u)" -eq 0 ] || exit 0
. /etc/os-release
mkdir "$folder/given"
cp ./*.deb "$folder/given"
cp "$OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst" "$folder/given/run.trace.zst"
cp "$OCELOTL_ROOT/examples/embed.c" "$folder/given"
cat >"$folder/given/ask.py" <<'END'
import ocelotl
t = ocelotl.open("/given/run.trace.zst")
print(len(t.overview(p=0.5)))
END
# What is tried there. First without what programs are built with.
cat >"$folder/given/try.sh" <<'END'
set -eux
cd /given
install() { DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; }
install ./libocelotl0* ./ocelotl-tools_* ./python3-ocelotl_*
ocelotl-cli --version
ocelotl-cli --json --p 0.5 run.trace.zst >said.json
python3 ask.py >said.txt
install python3-venv python3-numpy
python3 -m venv --system-site-packages /venv
/venv/bin/python ask.py | cmp - said.txt
/venv/bin/python -c 'import ocelotl
cells = ocelotl.open("run.trace.zst").overview(p=0.5).cells
print(cells.shape, cells.sum())'
install ./libocelotl-dev_* gcc libc6-dev pkg-config
gcc -Wall -Werror embed.c -o embed $(pkg-config --cflags --libs ocelotl)
ocelotl-cli import run.trace.zst -o run.db
./embed run.db 0.5 drawn.svg
test -s drawn.svg
apt-get purge -y '*ocelotl*'
test -z "$(find /usr /etc -name '*ocelotl*' -print)"
END
mmdebstrap --variant=apt --include=ca-certificates \
    --customize-hook="cp -r '$folder/given' \"\$1/given\"" \
    --customize-hook='chroot "$1" sh /given/try.sh' \
    --customize-hook="cp \"\$1\"/given/said.* '$folder'" \
    "$VERSION_CODENAME" "$folder/system.tar" >"$folder/system.txt" 2>&1 ||
    fail "a clean system: $(tail -n 40 "$folder/system.txt")"
[ "$(jq '.parts | length' "$folder/said.json")" = "$(cat "$folder/said.txt")" ] ||
    fail "Python and the program differ: $(cat "$folder/said.txt")"
