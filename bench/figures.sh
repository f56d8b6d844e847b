#!/usr/bin/env bash
# Prints the figures that docs/levels.md shows, from the traces of this repository.
#
#   bench/figures.sh [BUILD]     BUILD is a directory with ocelotl-cli (default: build); needs jq
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:-$root/build}" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CACHE_HOME=$folder/cache XDG_CONFIG_HOME=$folder/config
cli() { "$build/ocelotl-cli" "$@"; }
cd "$folder"
cli import "$root/examples/smpi-stencil-96.trace.zst" -o smpi-stencil-96.db >/dev/null
for name in smpi-stencil-700 smpi-stencil-96-plain; do
    cli import "$root/tests/data/$name.trace.zst" -o "$name.db" >/dev/null
done

# Gain and loss are percentages of those of the whole as one block, which is the last level.
echo 'trace | slices | plateaus, in parts | shown first | p | gain % | loss %'
for name in smpi-stencil-96 smpi-stencil-700 smpi-stencil-96-plain; do
    for slices in 60 200; do
        cli sweep --json --slices "$slices" "$name.db" |
            jq -r --arg name "$name" --arg slices "$slices" '
            def percent: . * 1000 | round / 10;
            .levels[-1] as $whole | (.levels[] | select(.auto)) as $shown |
            [$name, $slices, ([.levels[] | select(.plateau) | .parts] | reverse | map(tostring) |
            join(", ")),
             $shown.parts, $shown.p, ($shown.gain / $whole.gain | percent),
             ($shown.loss / $whole.loss | percent)] |
            map(tostring) | join(" | ")'
    done
done

# How well each hierarchy sets the machines behind the slow switch apart.
echo
echo 'smpi-stencil-700, 60 slices, at most 55 parts | parts | loss %'
for hierarchy in '--hierarchy trace --drop-level SWITCH' '--drop-level SWITCH' \
    '--drop-level SWITCH --split-children 10' '--hierarchy trace' ''; do
    # shellcheck disable=SC2086
    cli parts --json --slices 60 --parts 55 $hierarchy smpi-stencil-700.db 2>/dev/null |
        jq -r --arg hierarchy "${hierarchy:-(default)}" '
        [$hierarchy, (.parts | length), (.loss / .whole_loss * 1000 | round / 10)] |
        map(tostring) | join(" | ")'
done
