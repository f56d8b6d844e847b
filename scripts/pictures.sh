#!/usr/bin/env bash
# Draws the pictures in docs/ from the traces that the repository holds. Needs a build in build/.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

draw() { # TRACE P NAME
    build/ocelotl-cli import --force "$1" -o "$folder/trace.db" >/dev/null
    build/ocelotl-cli --p "$2" --slices 60 "$folder/trace.db" -o "docs/$3.png"
    echo "docs/$3.png"
}

draw examples/smpi-stencil-96.trace.zst 0.5 smpi-stencil-96
draw tests/data/smpi-stencil-700.trace.zst 0.55 smpi-stencil-700
