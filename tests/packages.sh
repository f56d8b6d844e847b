# The Debian packages have no error by lintian, install in a clean system and work there; the source
# tarball builds. Skipped without the tools; the clean system wants root and Debian's archive.
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

"$OCELOTL_ROOT/scripts/packages.sh" "$folder/packages" >"$folder/made.txt" 2>&1 ||
    fail "no packages: $(tail -n 20 "$folder/made.txt")"
version=$("$OCELOTL_CLI" --version | sed -n '1s/.* //p')
cd "$folder/packages"
for name in "libocelotl${version%.*}" libocelotl-dev ocelotl-tools; do
    [ -s "${name}_${version}"_*.deb ] || fail "no package $name: $(ls)"
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
python='import ocelotl; t = ocelotl.open("/tmp/run.trace.zst"); print(len(t.overview(p=0.5)))'
mmdebstrap --variant=apt --include=ca-certificates \
    --customize-hook='mkdir -p "$1/packages"' \
    --customize-hook="copy-in $folder/packages/*.deb /packages" \
    --customize-hook="copy-in $OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst /tmp" \
    --customize-hook='mv "$1/tmp/smpi-stencil-96.trace.zst" "$1/tmp/run.trace.zst"' \
    --customize-hook='chroot "$1" sh -c "apt-get install -y /packages/*.deb"' \
    --customize-hook="chroot \"\$1\" ocelotl-cli --json --p 0.5 /tmp/run.trace.zst >$folder/said.json" \
    --customize-hook="chroot \"\$1\" python3 -c '$python' >$folder/said.txt" \
    "$VERSION_CODENAME" "$folder/system.tar" >"$folder/system.txt" 2>&1 ||
    fail "a clean system: $(tail -n 20 "$folder/system.txt")"
[ "$(jq '.parts | length' "$folder/said.json")" = "$(cat "$folder/said.txt")" ] ||
    fail "Python and the program differ: $(cat "$folder/said.txt")"
