#!/usr/bin/env bash
# Prints how processor time and memory grow with the size of a trace that stresses one thing.
#
#   bench/growth.sh [--build BUILD] [ROW...]
#
# BUILD is a directory with ocelotl-cli (default: build). Each row runs one command on traces of n,
# 2 n and 4 n, made by tests/growth/trace.awk, and prints the seconds of processor time, the
# exponent of their growth from 2 n to 4 n, and the peak memory at 4 n. n log n is an exponent of
# 1.1; times under 0.1 s are mostly the start of the program. ROW is the name of a row; without any,
# all rows run. The last column holds the message where the program refuses.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build
if [ "${1-}" = --build ]; then
    build=${2:?usage: bench/growth.sh [--build BUILD] [ROW...]}
    shift 2
fi
program=$(cd "$build" && pwd)/ocelotl-cli
wanted=" $* "
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CACHE_HOME=$folder/cache XDG_CONFIG_HOME=$folder/config OMP_WAIT_POLICY=passive
cd "$folder"

# run ARGUMENT...: "SECONDS KILOBYTES MESSAGE"; a refusal leaves a message.
run() {
    local message=-
    /usr/bin/time -o cost -f '%U %S %M' "$program" "$@" >out 2>err ||
        message=$(grep -v '^Command' err | head -n 1 | cut -c 1-100)
    awk -v message="$message" 'END { printf "%.2f %d %s\n", $1 + $2, $3, message }' cost
}

# row NAME KIND N ARGUMENT...: TRACE in an argument is the trace.db, TEXT the text of the trace.
row() {
    local name=$1 kind=$2 n=$3 size
    shift 3
    [[ $wanted = "  " || $wanted = *" $name "* ]] || return 0
    for size in "$n" $((2 * n)) $((4 * n)); do
        awk -v kind="$kind" -v n="$size" -f "$root/tests/growth/trace.awk" >text
        "$program" import --force text -o "$size.db" >out 2>&1 || cat out >&2
        local arguments=("${@//TRACE/$size.db}")
        run "${arguments[@]//TEXT/text}"
    done | awk -v name="$name" -v n="$n" '
        { time[NR] = $1; kilobytes = $2; $1 = $2 = ""; message = $0 }
        END {
            grows = time[2] > 0 ? sprintf("%.2f", log(time[3] / time[2]) / log(2)) : "-"
            printf "%-20s %7d %8.2f %8.2f %8.2f %9s %9.1f %s\n", name, n, time[1], time[2], \
                time[3], grows, kilobytes / 1024, message
        }'
    rm -f ./*.db*
}

printf '%-20s %7s %8s %8s %8s %9s %9s %s\n' \
    row n "n, s" "2 n, s" "4 n, s" exponent "4 n, MiB" refused
row lanes spans 5000 import --force TEXT -o out.db
row lanes_gantt spans 1000 gantt --force TRACE -o out.svg
row instant instant 5000 gantt --force TRACE -o out.svg
row counters variables 2000 gantt --force TRACE -o out.svg
row chain_gantt deepstates 2500 gantt --force TRACE -o out.svg
row chain_overview deepstates 1000 --force TRACE -o out.svg
row chain_parts deepstates 1000 parts TRACE
row chain_export deepstates 1000 export TRACE
row types alone 1000 --force TRACE -o out.svg
row all_types alone 500 --force --most-types 0 TRACE -o out.svg
row flat_auto apart 1000 --force --hierarchy auto TRACE -o out.svg
row hierarchies apart 250 hierarchies TRACE
row short_lived recreate 10000 --force TRACE -o out.svg
row short_lived_parts recreate 10000 parts TRACE
row linkkeys keys 20000 gantt --force TRACE -o out.svg
row pushed push 20000 gantt --force TRACE -o out.svg
