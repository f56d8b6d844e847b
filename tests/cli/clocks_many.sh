# The clocks of 700 ranks, each off by up to a second and 50 ppm: all that is known of them are
# messages. (bench/clocks.sh prints how long it takes.)
# shellcheck source=clocks.inc disable=SC2154
. "$(dirname "$0")/clocks.inc"
trace=$shared/smpi-lu-700.trace.zst
[ -e "$trace" ] || { echo "skipped: $trace is missing" && exit 77; }
zstd -dcq "$trace" | python3 "$maker" distort --seed 6 >wrong.trace 2>truth.json
end=$(zstd -dcq "$trace" | tail -n 1 | awk '{ print $2 }')
cli import wrong.trace -o wrong.db >/dev/null 2>&1 || fail "no import"
cli clocks --json wrong.db >clocks.json || fail "refused"
within "700 clocks" 400 "$end"
holds "700 clocks" clocks.json '(.clocks | length) == 700 and .groups == 1 and
    .tachyons > 180000 and .tachyons_left == 0'
finish
