#!/usr/bin/env bash
# Measures what a user waits for, imports, the store and the engine, beside their rivals in the same
# run.
#
#   bench/run.sh [--build BUILD] [--full] [OPTION... [ROW...]]
#
# BUILD is a directory with a Release build made with -DOCELOTL_BENCH=ON (default: build). Takes
# some minutes; with --full, models are of 100 million states, and it takes half an hour. Other
# arguments go to ocelotl-bench, whose head (bench/main.c) lists them: `--states 1000000000 models`
# builds models of a billion states. RUNS is the number of runs (default: 3). The parts:
#
#   - what a user waits for, on the sample traces: medians of RUNS runs, wall clock
#   - ocelotl-bench: a row a benchmark: aggregation beside the algorithm as the textbook has it,
#     storing and models beside a SQLite table, bytes of each column, the public writer, what an
#     import holds in memory, like siblings, in how many runs with one fault the picture shows it
#   - imports.py: a row a format: imports beside pj_dump, babeltrace2 and otf2-print, where they are
#     installed (Debian packages pajeng, babeltrace2, otf2-tools), bytes an event, exports
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build
quick=(--quick)
if [ "${1-}" = --build ]; then
    build=${2:?usage: bench/run.sh [--build BUILD] [--full] [OPTION... [ROW...]]}
    shift 2
fi
repeats=1
[ "${1-}" != --full ] || { quick=() repeats=4; shift; }
program=$(cd "$build" && pwd)/ocelotl-cli
runs=${RUNS:-3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The cache keeps answers: each is measured when it is asked for the first time.
export XDG_CACHE_HOME=$folder/cache XDG_CONFIG_HOME=$folder/config

# The median wall time of a command, in milliseconds.
median() {
    local begin end
    for _ in $(seq "$runs"); do
        rm -rf "$XDG_CACHE_HOME"
        begin=$(date +%s%N)
        "$@" >/dev/null 2>&1
        end=$(date +%s%N)
        echo $(((end - begin) / 100000))
    done | sort -n | awk '{ time[NR] = $1 } END { printf "%.1f", time[int((NR + 1) / 2)] / 10 }'
}

row() { printf '%-24s %-44s %10s ms\n' "$@"; }

for trace in "$root"/examples/smpi-stencil-96.trace.zst \
    "$root"/tests/data/smpi-stencil-700.trace.zst \
    "$root"/../shared/traces/paje/smpi-lu-700.trace.zst; do
    [ -e "$trace" ] || continue
    name=$(basename "$trace" .trace.zst)
    db=$folder/$name.db
    zstd -q -d "$trace" -o "$folder/$name.trace"
    row "$name" "import, text" "$(median "$program" import --force "$folder/$name.trace" -o "$db")"
    "$program" import --force "$trace" -o "$db" >/dev/null 2>&1
    events=$("$program" info --json "$db" | grep -o '"events":[0-9]*' | head -1 | cut -d: -f2)
    printf '%-24s %-44s %10s bytes an event\n' "$name" "size of the trace.db" \
        "$(awk -v size="$(stat -c %s "$db")" -v events="$events" \
        'BEGIN { printf "%.2f", size / events }')"
    printf '%-24s %-44s %10s\n' "$name" "states" \
        "$("$program" sql --csv "$db" "SELECT count(*) FROM events WHERE category = 'state'" |
        tail -n 1)"
    printf '%-24s %-44s %10s\n' "$name" "parts, 60 slices, p auto" \
        "$("$program" --json --slices 60 "$db" | grep -c '^{"id":')"
    row "$name" "overview.svg, 60 slices, p 0.5" \
        "$(median "$program" --p 0.5 --slices 60 "$db" -o "$folder/a.svg")"
    row "$name" "overview.svg, 200 slices, p 0.5" \
        "$(median "$program" --p 0.5 --slices 200 "$db" -o "$folder/a.svg")"
    row "$name" "overview.svg, 200 slices, p chosen" \
        "$(median "$program" --no-cache "$db" -o "$folder/a.svg")"
    row "$name" "the same without groups" \
        "$(median "$program" --no-cache --hierarchy trace "$db" -o "$folder/a.svg")"
    row "$name" "overview.png, 200 slices, p 0.5" \
        "$(median "$program" --p 0.5 --slices 200 "$db" -o "$folder/a.png")"
    row "$name" "sweep, 60 slices" "$(median "$program" sweep --slices 60 "$db")"
    row "$name" "sweep, 200 slices, one run" "$(runs=1 median "$program" sweep --slices 200 "$db")"
    # What an analyst does next; 0.3 s each is the aim.
    for operation in "--from 40% --to 60%" "--except PMPI_Wait" "--metric event-count" \
        "--metric state-mean-duration" \
        "--min-duration 1ms" "--zoom 0" "--max-leaves 100" "--kind temporal" treemap series \
        "gantt --from 40% --to 45%" gantt; do
        # shellcheck disable=SC2086
        row "$name" "$operation" "$(median "$program" $operation "$db" -o "$folder/a.svg")"
    done
    row "$name" "stats" "$(median "$program" stats "$db")"
    row "$name" "matrix, CSV" "$(median "$program" matrix --csv "$db" -o "$folder/a.csv")"
    row "$name" "matrix, CSV, --order traffic" \
        "$(median "$program" matrix --order traffic --csv "$db" -o "$folder/a.csv")"
    row "$name" "causality" "$(median "$program" causality "$db")"
    row "$name" "clocks" "$(median "$program" clocks --groups apart "$db" -o "$folder/a.csv")"
    row "$name" "clocks, the trace" \
        "$(median "$program" clocks --groups apart --force "$db" -o "$folder/a.db")"
    row "$name" "matrix.png" "$(median "$program" matrix "$db" -o "$folder/a.png")"
    row "$name" "parts" "$(median "$program" parts "$db")"
    row "$name" "sql, links joined by key" "$(median "$program" sql "$db" \
        "SELECT count(*) FROM events a JOIN events b ON a.key = b.key")"
    row "$name" "compare, two windows" \
        "$(median "$program" compare --to 50% --from2 50% "$db" "$db")"
    "$program" --p 0.2 --slices 200 "$db" -o "$folder/a.svg"
    printf '%-24s %-44s %10s bytes\n' "$name" "overview.svg, 200 slices, p 0.2" \
        "$(stat -c %s "$folder/a.svg")"
    for height in "" "--height 600"; do
        # shellcheck disable=SC2086
        "$program" gantt $height "$db" -o "$folder/a.svg"
        printf '%-24s %-44s %10s bytes\n' "$name" "gantt.svg${height:+, $height}" \
            "$(stat -c %s "$folder/a.svg")"
        printf '%-24s %-44s %10s\n' "$name" "elements of it" \
            "$(grep -o '<[a-z]' "$folder/a.svg" | wc -l)"
    done
done

echo
sparse=$root/../shared/traces/paje/pajeng-native_sample.trace
[ ! -e "$sparse" ] || "$program" import --force "$sparse" -o "$folder/native_sample.db" >/dev/null \
    2>&1
TMPDIR=$folder "${program%/*}/bench/ocelotl-bench" "${quick[@]}" "$@" --traces "$folder"/*.db
TMPDIR=$folder "$root/bench/imports.py" "${program%/*}" --times "$repeats" --runs "$runs"
