#!/usr/bin/env bash
# Draws the pictures in docs/ from the traces of the repository: those of the README, and those of
# docs/views.md by the commands of that page. Needs a build in build/.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
PATH=$root/build:$PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" # a picture carries its command line: names without folders

draw() { # TRACE
    local name
    name=$(basename "$1" .trace.zst)
    ocelotl-cli import "$1" -o "$name.db" >/dev/null
    ocelotl-cli --slices 60 "$name.db" -o "$name.png"
    cp "$name.png" "$root/docs/"
    echo "docs/$name.png"
}

draw "$root/examples/smpi-stencil-96.trace.zst"
draw "$root/tests/data/smpi-stencil-700.trace.zst"

mkdir gallery && cd gallery
cp "$root/examples/smpi-stencil-96.trace.zst" "$root"/tests/data/*.trace.zst .
grep '^    ocelotl-cli ' "$root/docs/views.md" >commands
bash -e commands >/dev/null
mkdir -p "$root/docs/gallery"
cp ./*.png "$root/docs/gallery/"
du -ch "$root"/docs/*.png "$root"/docs/gallery/*.png | tail -n 1
