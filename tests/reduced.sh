# A build without cairo and with few formats links neither cairo nor X11, draws SVG and HTML, and
# says what it does not draw or read.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
    echo "$1" >&2
    exit 1
}
configure() { cmake -G Ninja -S "$OCELOTL_ROOT" -B "$folder/build" "$@" >"$folder/cmake.txt" 2>&1; }

! configure -DOCELOTL_FORMATS=pajee || fail "a format that does not exist is taken"
grep -q 'unknown format "pajee", expected all or some of: paje, csv' <(tr -s ' \n' ' ' \
    <"$folder/cmake.txt") || fail "$(cat "$folder/cmake.txt")"
configure -DOCELOTL_FORMATS=paje -DOCELOTL_VIZ=OFF -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O0 ||
    fail "$(cat "$folder/cmake.txt")"
cmake --build "$folder/build" --target ocelotl-cli >/dev/null
! ldd "$folder/build/libocelotl.so" | grep -E 'cairo|X11|png|fontconfig|otf2' ||
    fail "libraries that were left out"

cd "$folder"
export XDG_CACHE_HOME=$folder/cache
cli() { "$folder/build/ocelotl-cli" "$@"; }
# refused TEXT COMMAND...
refused() {
    ! cli "${@:2}" >out 2>err || fail "done: ${*:2}"
    grep -qF -- "$1" err || fail "${*:2}: $(cat err)"
}
cli import "$OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst" -o run.db >/dev/null
for picture in overview.svg page.html parts.json; do
    cli run.db -o $picture
    [ -s $picture ] || fail "no $picture"
done
cli snapshot run.db kept >/dev/null
[ -s kept/overview.svg ] && [ ! -e kept/overview.png ] || fail "snapshot: $(ls kept)"
for command in overview gantt treemap; do
    refused 'this build draws no .png, for it has no cairo' $command run.db -o run.png
done
cli export --format chrome run.db -o run.json 2>/dev/null
refused 'run.json: is JSON, which this build does not read, expected a build with chrome in' \
    import run.json -o json.db
refused 'this build does not read the format "ctf"' import --format ctf run.json -o ctf.db
echo '#Paraver (1/1/26 at 1:00):1_ns:1(1):1:1(1:1)' >run.prv
refused '; this build does not read paraver' import run.prv -o prv.db
cli formats | grep -q '^otf2 .*a build with otf2 in OCELOTL_FORMATS reads it' ||
    fail "formats: $(cli formats)"
