#!/usr/bin/env bash
# Measures the import of a long Paje trace beside pj_dump (Debian package pajeng), in one run: smpi-lu-700 (or another
# trace of SimGrid) repeated in time. Medians of RUNS runs (default 3), the two taking turns.
#
#   bench/import.sh [BUILD] [TRACE]     BUILD: a directory with a Release build (default: build)
#
# TIMES (default 18: more than 1 GB) is how often the trace is repeated; SCRATCH a folder with room for it.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
program=$(cd "${1:-$root/build}" && pwd)/ocelotl-cli
trace=${2:-$root/../shared/traces/paje/smpi-lu-700.trace.zst}
[ -e "$trace" ] || trace=$root/tests/data/smpi-stencil-700.trace.zst
runs=${RUNS:-3}
folder=$(mktemp -d -p "${SCRATCH:-${TMPDIR:-/tmp}}")
trap 'rm -rf "$folder"' EXIT

cc -O2 -o "$folder/repeat" "$root/bench/paje_repeat.c"
zstd -q -dc "$trace" | "$folder/repeat" "${TIMES:-18}" >"$folder/long.trace"
bytes=$(stat -c %s "$folder/long.trace")
lines=$(wc -l <"$folder/long.trace")

# Appends "seconds, kilobytes, seconds of all processors" of a command to a file.
measure() {
    local times=$1
    shift
    /usr/bin/time -q -o "$times.last" -f '%e %M %U %S' "$@" >/dev/null 2>&1 || true
    awk '{ print $1, $2, $3 + $4 }' "$times.last" >>"$times"
}

# The median of a column of such a file.
median() { sort -n -k "$2" "$1" | awk -v c="$2" '{ v[NR] = $c } END { print v[int((NR + 1) / 2)] }'; }

report() {
    awk -v name="$1" -v s="$(median "$2" 1)" -v k="$(median "$2" 2)" -v c="$(median "$2" 3)" -v b="$bytes" -v l="$lines" 'BEGIN {
        printf "%-34s %8.2f s %8.0f MB/s %7.2f million lines/s", name, s, b / s / 1e6, l / s / 1e6
        printf " %8.2f s of processors %6.0f MB of memory\n", c, k / 1024 }'
}

for _ in $(seq "$runs"); do
    measure "$folder/import" "$program" import --force "$folder/long.trace" -o "$folder/long.db"
    ! command -v pj_dump >/dev/null || measure "$folder/rival" pj_dump -q "$folder/long.trace"
done
echo "$(basename "$trace") x ${TIMES:-18}: $((bytes / 1000000)) MB, $lines lines"
report "import to a finished trace.db" "$folder/import"
if [ -e "$folder/rival" ]; then
    report "pj_dump -q, which only simulates" "$folder/rival"
    awk -v a="$(median "$folder/rival" 1)" -v b="$(median "$folder/import" 1)" \
        'BEGIN { printf "%-34s %8.1f\n", "times faster", a / b }'
    awk -v a="$(median "$folder/rival" 3)" -v b="$(median "$folder/import" 3)" \
        'BEGIN { printf "%-34s %8.1f\n", "times less work for the processors", a / b }'
fi

events=$("$program" info --json "$folder/long.db" | grep -o '"events":[0-9]*' | head -1 | cut -d: -f2)
awk -v e="$events" -v s="$(median "$folder/import" 1)" -v b="$(stat -c %s "$folder/long.db")" \
    'BEGIN { printf "%-34s %8.2f million events/s, %.2f bytes an event\n", "states and links", e / s / 1e6, b / e }'
if command -v sqlite3 >/dev/null; then
    echo "bytes an event, by column of the table of chunks:"
    sqlite3 -separator ' ' "$folder/long.db" "
        SELECT printf('  %-32s %8.3f', ('events' || ' of role ' || role), sum(length(events)) * 1.0 / $events)
            FROM chunk JOIN stream ON stream.id = chunk.stream GROUP BY role;
        SELECT printf('  %-32s %8.3f', 'running totals', sum(length(totals)) * 1.0 / $events) FROM chunk"
fi
