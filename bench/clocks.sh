#!/usr/bin/env bash
# Prints how far off the clocks of 700 ranks are found, how many are outside their bounds, and how
# long that takes. Every rank gets a clock of its own, off by up to a second and 50 ppm; all that is
# known of it afterwards are messages.
#
#   bench/clocks.sh [TRACE]     default: smpi-lu-700 of the shared traces
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
program=${OCELOTL_CLI:-$root/build/ocelotl-cli}
trace=${1:-$root/../shared/traces/paje/smpi-lu-700.trace.zst}
maker=$root/tests/clocks_maker.py
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

zstd -dcq "$trace" | python3 "$maker" distort --seed 6 >wrong.trace 2>truth.json
"$program" import wrong.trace -o wrong.db >/dev/null 2>&1
end=$(zstd -dcq "$trace" | tail -n 1 | awk '{ print $2 }')
TIMEFORMAT=%R
for _ in 1 2 3 4 5; do
    { time "$program" clocks --json wrong.db >clocks.json; } 2>>times
done
python3 "$maker" check clocks.json truth.json 0 "$end" >found
messages=$(sed -n '1s/.*"messages":\([0-9]*\),"samples.*/\1/p' clocks.json)
awk -v seconds="$(sort -n times | sed -n 3p)" -v messages="$messages" '{
    printf "%-44s %12.1f\n%-44s %12d\n%-44s %12.1f\n%-44s %12d\n%-44s %12.3f\n",
        "largest error of a clock (us)", $1, "clocks outside their bounds", $2,
        "largest bound (us)", $3, "messages", messages, "time, median of 5 (s)", seconds }' found
