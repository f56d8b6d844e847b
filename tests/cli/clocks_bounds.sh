# What is told of clocks holds for the whole run: bounds grow outside of what is known of clocks,
# and the truth, which the maker knows, is never outside of them. Where clocks that run evenly
# explain all messages, none ends before it begins once they are set.
. "$OCELOTL_ROOT/tests/cli/clocks.inc"

# even OPTIONS...: two.db has two clocks that run evenly, p1 ahead by 0.2 s, for `run` seconds.
even() {
    python3 "$maker" even --hosts 2 --ahead 0.2 --ppm 0 --grain 1e-9 --run "$run" --seed 7 "$@" \
        >two.trace 2>truth.json
    quiet two.trace -o two.db
}
# bounded WHAT MOST OPTIONS...: the truth is within the bound that `clocks` tells, and within how
# far causality says that the clocks differ once they are set; the bound is at most MOST s.
bounded() {
    cli clocks --reference p0 --json "${@:3}" two.db >clocks.json || fail "$1: refused"
    cli clocks --reference p0 "${@:3}" two.db --force -o set.db >said 2>&1 || fail "$1: $(cat said)"
    {
        python3 "$maker" check clocks.json truth.json 0 "$run"
        cli causality --json set.db | jq '[.pairs[].clock_error] | min * 1e6'
    } | xargs >found
    awk -v most="$2" '{ exit !($1 <= $4 + 2e-3 && $2 == 0 && $3 <= most * 1e6) }' found ||
        fail "$1: error, clocks outside, bound, clocks differ by: $(cat found)"
}

# Samples at the begin of a minute; messages at the begin of ten minutes.
run=60
even --end 60 --least 1e-3 --rounds 600
cat >samples.csv <<'END'
clock,sent,received,returned,back
p1,5.500000000,5.700030000,5.700031000,5.500041000
p1,5.700000000,5.900010000,5.900011000,5.700041000
END
bounded "samples at the begin" 0.0121 --samples samples.csv --evidence samples
bounded "samples, alike" 0.0061 --samples samples.csv --evidence samples --drift none
bounded "samples and messages" 0.0025 --samples samples.csv
grep -v '^[67] ' two.trace >links.trace
quiet links.trace -o two.db
bounded "samples, and links alone" 0.0121 --samples samples.csv --evidence samples
run=600
even --ppm 60 --end 1 --least 20e-6 --rounds 400
bounded "messages at the begin" 0.06
bounded "within a limit" 0.03 --max-drift 61

# Clocks that are set as if they ran alike are bounded as what they may be.
run=1.3
even --ppm 90 --end 1.3 --least 60e-6 --rounds 4000
bounded "alike" 0.0003 --drift none

# A table without samples, and groups of one clock each, say nothing of clocks.
head -1 samples.csv >none.csv
refused 1 'none.csv: has no samples, expected rows below its header' \
    clocks --samples none.csv two.db
grep '^[0-3] ' two.trace >alone.lines
{ grep '^%' two.trace; cat alone.lines; echo '4 1 L 0 m p0 k'; echo '5 2 L 0 m p1 k'; } >alone.trace
cli import --force alone.trace -o alone.db >/dev/null 2>&1 || fail "no import"
cli clocks --groups apart --force alone.db -o set.db >/dev/null 2>&1
cli info set.db >text
like text 'in 2 groups that do not compare, so that nothing is known of them$'

# Clocks as they are differ by what they read at the same instant, however far apart they are.
run=10
even --ahead 104.7 --ppm 90 --end 10 --least 2e-6 --rounds 1500
grep -v "^[67] " two.trace >links.trace
quiet links.trace -o two.db
holds "clocks far apart" <(cli causality --json two.db) '[.pairs[].clock_error] | length == 2 and
    all(. >= 104.7009 and . < 104.70092)'
cli causality --max-drift 0 --json two.db >found.json
holds "no drift" found.json '.max_drift == 0 and ([.pairs[].clock_error] | unique) == [null]'
cli clocks --max-drift 0 --json two.db >clocks.json
holds "no drift of clocks" clocks.json '.max_drift == 0 and ([.clocks[].drift] | unique) == [0]
    and .bent == 1'

# Clocks that are faster than the limit are no uneven ones: a limit that is enough is named.
even --ppm 300 --end 10 --least 60e-6 --rounds 2000
cli clocks --json two.db >clocks.json
holds "too fast" clocks.json '.bent == 1 and .enough_drift > 3e-4 and .enough_drift < 3.6e-4'
enough=$(jq '.enough_drift * 1e6 | round' clocks.json)
cli clocks two.db >text
like text "see --max-drift $enough\$"
cli clocks two.db -o set.db --force 2>said
has said "(--max-drift $enough)"
bounded "faster" 0.0002 --max-drift "$enough"
holds "faster" clocks.json '.bent == 0 and .enough_drift == 0 and .tachyons_left == 0'

# Clocks that run evenly stay straight, however messages wait.
example right.db
cli clocks --drift pieces --groups apart --json right.db >pieces.json || true
cli clocks --groups apart --json right.db >linear.json || true
holds "straight clocks" pieces.json '.pieces == 1 and .tachyons_left == 0 and .bent == 0 and
    ([.clocks[].bound | numbers] | length) == 96'
[ "$(jq -c '.clocks' pieces.json)" = "$(jq -c '.clocks' linear.json)" ] ||
    fail "clocks that run evenly are bent"

# Messages of all sizes between five clocks.
for seed in 2 20 31 45; do
    python3 "$maker" even --hosts 5 --ppm 20 --grain 1e-9 --rounds 300 --seed "$seed" \
        >made.trace 2>truth.json
    quiet made.trace -o made.db
    cli clocks --json made.db >clocks.json
    holds "none is left of seed $seed" clocks.json '.tachyons > 100 and .tachyons_left == 0 and
        .bent == 0 and .worst_left >= 0'
    python3 "$maker" check clocks.json truth.json 0 30 >found
    awk '{ exit $2 > 0 }' found || fail "a clock of seed $seed is outside its bound: $(cat found)"
done
