#!/usr/bin/env bash
# From a fresh machine to a picture: installs missing packages, builds what `cmake --install build`
# installs, imports the sample trace, and draws its overview in the current directory.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
program=$root/build/ocelotl-cli
trace=$root/build/demo.db

"$root/scripts/install-dependencies.sh"
TARGET=installed "$root/scripts/build.sh" build
"$program" import --force "$root/examples/smpi-stencil-96.trace.zst" -o "$trace"
for picture in overview.svg overview.png; do
    "$program" --slices 60 "$trace" -o "$picture"
done

echo
echo "The overview of 96 MPI processes, one of whose switches was slow for a while:"
echo "    $PWD/overview.svg"
echo "    $PWD/overview.png"
echo "The trace it was drawn from is $trace; try $program sweep $trace"
echo "To have ocelotl-cli on the path: cmake --install $root/build --prefix ~/.local, or with sudo and no prefix"
