#!/usr/bin/env bash
# Measures the import of Pajé text beside pj_dump -q, pair by pair in turn, bytes of trace.db an
# event, and what goes out again.
#
#   bench/imports.sh [--build BUILD] [--times N] [PAIRS]
#
# Imports are of smpi-lu-700 N times over (default: 4, 242 MB) as it is, on one core alone, and
# from a .zst beside zstd -d and pj_dump, which reads no pipe. What is printed is the median of
# PAIRS ratios (default: 5), each of a pair, with the least and the most: by wall clock, and by the
# time of all processors, which other work on the machine changes less. Exports go to a file in
# TMPDIR: their megabytes a second are medians of PAIRS runs.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build
times=4
while [ "${1-}" = --build ] || [ "${1-}" = --times ]; do
    if [ "$1" = --build ]; then build=${2:?}; else times=${2:?}; fi
    shift 2
done
pairs=${1:-5}
build=$(cd "$build" && pwd)
program=$build/ocelotl-cli
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CACHE_HOME=$folder/cache
export TIMEFORMAT='%R %U %S'

# Wall clock and time of all processors of a command, in seconds.
cost() {
    { time "$@" >/dev/null 2>/dev/null; } 2>&1 | awk '{ printf "%s %.3f ", $1, $2 + $3 }'
}

# The median, least and most of a column, with $1 digits.
middle() {
    sort -g | awk -v digits="$1" '{ value[NR] = $1 } END {
        format = "%10." digits "f  (%." digits "f .. %." digits "f)"
        printf format, value[int((NR + 1) / 2)], value[1], value[NR] }'
}

# ratio WHAT OURS THEIRS: functions that are run in turn.
ratio() {
    for _ in $(seq "$pairs"); do
        cost "$2"
        cost "$3"
        echo
    done >"$folder/costs"
    printf '%-44s %s x wall\n' "$1" "$(awk '{ print $3 / $1 }' "$folder/costs" | middle 1)"
    printf '%-44s %s x processors\n' "" "$(awk '{ print $4 / $2 }' "$folder/costs" | middle 1)"
}

import() { "$program" import --force "$folder/run.trace" -o "$folder/run.db"; }
dump() { pj_dump -q "$folder/run.trace"; }
import_alone() { taskset -c 0 "$program" import --force "$folder/run.trace" -o "$folder/run.db"; }
dump_alone() { taskset -c 0 pj_dump -q "$folder/run.trace"; }
import_packed() { "$program" import --force "$folder/run.trace.zst" -o "$folder/run.db"; }
dump_packed() { zstd -dqf "$folder/run.trace.zst" -o "$folder/run.trace" && dump; }

lu=$root/../shared/traces/paje/smpi-lu-700.trace.zst
[ -e "$lu" ] || lu=$root/tests/data/smpi-stencil-700.trace.zst
zstd -dcq "$lu" | "$build/bench/bench_repeat" "$times" >"$folder/run.trace"
bytes=$(stat -c %s "$folder/run.trace")
echo "$(basename "$lu" .trace.zst) x $times, $((bytes / 1000000)) MB, beside pj_dump -q:" \
    "$pairs pairs"
if command -v pj_dump >/dev/null; then
    ratio "as it is" import dump
    ratio "one core alone (taskset)" import_alone dump_alone
    zstd -q -1 "$folder/run.trace" -o "$folder/run.trace.zst"
    ratio "from .zst" import_packed dump_packed
fi
rm -f "$folder/run.trace" "$folder/run.trace.zst"

echo
echo "size of the trace.db, checksums included"
for trace in "$lu" "$root/tests/data/smpi-stencil-700.trace.zst" \
    "$root/examples/smpi-stencil-96.trace.zst" \
    "$root/../shared/traces/paje/pajeng-native_sample.trace" \
    "$root/../shared/traces/paje/pajengr-simgrid.trace"; do
    [ -e "$trace" ] || continue
    name=$(basename "$trace")
    name=${name%.zst}
    "$program" import --force --lenient "$trace" -o "$folder/${name%.trace}.db" >/dev/null 2>&1
    "$program" info --json "$folder/${name%.trace}.db" | grep -oE '"bytes_per_event":[0-9.]+' |
        awk -F: -v name="${name%.trace}" '{ printf "%-44s %10.2f bytes an event\n", name, $2 }'
done

echo
echo "exports of $(basename "$lu" .trace.zst), megabytes of what is written a second"
db=$folder/$(basename "$lu" .trace.zst).db
export_to() { "$program" export --format "$1" "${@:2}" "$db" -o "$folder/out" --force; }
for format in chrome paje "matrix --slices 200 --hierarchy trace"; do
    for _ in $(seq "$pairs"); do
        rm -f "$folder/out"
        # shellcheck disable=SC2086
        cost export_to $format
        stat -c %s "$folder/out"
    done >"$folder/costs"
    printf '%-44s %s MB/s wall\n' "${format%% *}" \
        "$(awk '{ print $3 / $1 / 1e6 }' "$folder/costs" | middle 0)"
    printf '%-44s %s MB/s of one processor\n' "" \
        "$(awk '{ print $3 / $2 / 1e6 }' "$folder/costs" | middle 0)"
done
