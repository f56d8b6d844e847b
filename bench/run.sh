#!/usr/bin/env bash
# Times what a user waits for, on the sample traces: medians of RUNS runs (default 5), in milliseconds, wall clock.
#
#   bench/run.sh [BUILD]      BUILD: a directory with a Release build (default: build)
#
# Where pj_dump (Debian package pajeng) is installed, the time it needs to read the same trace stands beside. Where
# BUILD holds bench_engine, its quick rows follow, with the same traces.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
program=$(cd "${1:-$root/build}" && pwd)/ocelotl-cli
runs=${RUNS:-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The median wall time of a command, in milliseconds.
median() {
    local begin end
    for _ in $(seq "$runs"); do
        begin=$(date +%s%N)
        "$@" >/dev/null 2>&1
        end=$(date +%s%N)
        echo $(((end - begin) / 100000))
    done | sort -n | awk '{ time[NR] = $1 } END { printf "%.1f", time[int((NR + 1) / 2)] / 10 }'
}

row() { printf '%-24s %-44s %10s ms\n' "$@"; }

for trace in "$root"/examples/smpi-stencil-96.trace.zst "$root"/tests/data/smpi-stencil-700.trace.zst \
    "$root"/../shared/traces/paje/smpi-lu-700.trace.zst; do
    [ -e "$trace" ] || continue
    name=$(basename "$trace" .trace.zst)
    db=$folder/$name.db
    zstd -q -d "$trace" -o "$folder/$name.trace"
    row "$name" "import, text" "$(median "$program" import --force "$folder/$name.trace" -o "$db")"
    if command -v pj_dump >/dev/null; then
        row "$name" "pj_dump -q, the same text" "$(median pj_dump -q "$folder/$name.trace")"
    fi
    "$program" import --force "$trace" -o "$db" >/dev/null 2>&1
    events=$("$program" info --json "$db" | grep -o '"events":[0-9]*' | head -1 | cut -d: -f2)
    printf '%-24s %-44s %10s bytes an event\n' "$name" "size of the trace.db" \
        "$(awk -v size="$(stat -c %s "$db")" -v events="$events" 'BEGIN { printf "%.2f", size / events }')"
    row "$name" "overview.svg, 60 slices, p 0.5" \
        "$(median "$program" --p 0.5 --slices 60 "$db" -o "$folder/a.svg")"
    row "$name" "overview.svg, 200 slices, p 0.5" \
        "$(median "$program" --p 0.5 --slices 200 "$db" -o "$folder/a.svg")"
    row "$name" "overview.png, 200 slices, p 0.5" \
        "$(median "$program" --p 0.5 --slices 200 "$db" -o "$folder/a.png")"
    row "$name" "sweep, 60 slices" "$(median "$program" sweep --slices 60 "$db")"
    row "$name" "sweep, 200 slices, one run" "$(runs=1 median "$program" sweep --slices 200 "$db")"
    "$program" --p 0.2 --slices 200 "$db" -o "$folder/a.svg"
    printf '%-24s %-44s %10s bytes\n' "$name" "overview.svg, 200 slices, p 0.2" "$(stat -c %s "$folder/a.svg")"
done

if [ -x "$(dirname "$program")/bench/bench_engine" ]; then
    echo
    "$(dirname "$program")/bench/bench_engine" --quick --traces "$folder"/*.db
fi
