# What is told of clocks holds for the whole run: bounds grow outside of what is known of clocks,
# and the truth, which the maker knows, is never outside of them.
. "$OCELOTL_ROOT/tests/cli/clocks.inc"
cat >two.py <<'END'
"""Two clocks that run evenly; messages, or exchanges, in a part of the run; the whole run has
states.  two.py AHEAD PPM BEGIN END RUN LEAST_DELAY MESSAGES >TRACE"""
import random
import sys

import paje

AHEAD, PPM, BEGIN, END, RUN, LEAST = map(float, sys.argv[1:7])
print(paje.head("DefineContainerType DefineStateType DefineLinkType CreateContainer StartLink",
                "EndLink PushState PopState"))
print("0 P 0 proc\n1 S P state\n2 L 0 P P link\n3 0 p0 P 0 p0\n3 0 p1 P 0 p1")
random.seed(7)

def reads(clock, instant):
    return 5 + instant + (AHEAD + PPM * 1e-6 * instant if clock else 0)

lines = []
for i in range(int(sys.argv[7])):
    sent = random.uniform(BEGIN, END)
    came = sent + LEAST + random.expovariate(1 / LEAST)
    source = i % 2
    for clock, instant, event in ((source, sent, 4), (1 - source, came, 5)):
        local = reads(clock, instant)
        lines.append((local, f"{event} {local:.9f} L 0 m p{clock} {i}"))
for clock in 0, 1:
    for instant, event in ((0, f"6 {{:.9f}} S p{clock} run"), (RUN, f"7 {{:.9f}} S p{clock}")):
        local = reads(clock, instant)
        lines.append((local, event.format(local)))
print("\n".join(line for _, line in sorted(lines)))
END
cat >error.py <<'END'
"""The largest error of p1 from 0 to RUN seconds, and what may be its largest, by what was found
(clocks.json) and by how far clocks that were set differ (set.json).  error.py AHEAD PPM RUN"""
import json
import sys

AHEAD, PPM, RUN = map(float, sys.argv[1:4])
with open("clocks.json", encoding="utf-8") as file:
    clock = json.load(file)["clocks"][1]
with open("set.json", encoding="utf-8") as file:
    apart = min(pair["clock_error"] for pair in json.load(file)["pairs"])
worst = 0
for part in range(101):
    instant = RUN * part / 100
    local = 5 + instant + AHEAD + PPM * 1e-6 * instant
    found = local - clock["offset"] - clock["drift"] * (local - clock["at"])
    worst = max(worst, abs(found - 5 - instant))
print(worst, clock["bound"], apart)
END

# bounded WHAT MOST PPM OPTIONS...: the truth is within the bound that `clocks` tells, and within
# how far causality says that the clocks differ once they are set; the bound is at most MOST s.
bounded() {
    local what=$1 most=$2 ppm=$3
    shift 3
    cli clocks --reference p0 --json "$@" two.db >clocks.json || fail "$what: refused"
    cli clocks --reference p0 "$@" two.db --force -o set.db >said 2>&1 || fail "$what: $(cat said)"
    cli causality --json set.db >set.json
    python3 error.py 0.2 "$ppm" "$run" >found
    awk -v most="$most" '{ exit !($1 <= $2 + 1e-9 && $1 <= $3 + 2e-9 && $2 <= most) }' found ||
        fail "$what: error, bound, clocks differ by: $(cat found)"
}

# Samples at the begin of a minute; messages at the begin of ten minutes.
run=60
python3 two.py 0.2 0 0 60 60 1e-3 600 >two.trace
cli import --force two.trace -o two.db >/dev/null 2>&1 || fail "no import"
cat >samples.csv <<'END'
clock,sent,received,returned,back
p1,5.500000000,5.700030000,5.700031000,5.500041000
p1,5.700000000,5.900010000,5.900011000,5.700041000
END
bounded "samples at the begin" 0.0121 0 --samples samples.csv --evidence samples
bounded "samples, alike" 0.0061 0 --samples samples.csv --evidence samples --drift none
bounded "samples and messages" 0.0025 0 --samples samples.csv
grep -v '^[67] ' two.trace >links.trace
cli import --force links.trace -o two.db >/dev/null 2>&1 || fail "no import"
bounded "samples, and links alone" 0.0121 0 --samples samples.csv --evidence samples
run=600
python3 two.py 0.2 60 0 1 600 20e-6 400 >two.trace
cli import --force two.trace -o two.db >/dev/null 2>&1 || fail "no import"
bounded "messages at the begin" 0.06 60
bounded "within a limit" 0.03 60 --max-drift 61

# Clocks that are set as if they ran alike are bounded as what they may be.
run=1.3
python3 two.py 0.2 90 0 1.3 1.3 60e-6 4000 >two.trace
cli import --force two.trace -o two.db >/dev/null 2>&1 || fail "no import"
bounded "alike" 0.0003 90 --drift none

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
python3 two.py 104.7 90 0 10 10 2e-6 1500 | grep -v "^[67] " >two.trace
cli import --force two.trace -o two.db >/dev/null 2>&1 || fail "no import"
cli causality --json two.db >found.json
holds "clocks far apart" found.json '[.pairs[].clock_error] | length == 2 and
    all(. >= 104.7009 and . < 104.70092)'
cli causality --max-drift 0 --json two.db >found.json
holds "no drift" found.json '.max_drift == 0 and ([.pairs[].clock_error] | unique) == [null]'
cli clocks --max-drift 0 --json two.db >clocks.json
holds "no drift of clocks" clocks.json '.max_drift == 0 and ([.clocks[].drift] | unique) == [0]
    and .bent == 1'

# Clocks that are faster than the limit are no uneven ones: a limit that is enough is named.
run=10
python3 two.py 0.2 300 0 10 10 60e-6 2000 >two.trace
cli import --force two.trace -o two.db >/dev/null 2>&1 || fail "no import"
cli clocks --json two.db >clocks.json
holds "too fast" clocks.json '.bent == 1 and .enough_drift > 3e-4 and .enough_drift < 3.6e-4'
enough=$(jq '.enough_drift * 1e6 | round' clocks.json)
cli clocks two.db >text
like text "see --max-drift $enough\$"
cli clocks two.db -o set.db --force 2>said
has said "(--max-drift $enough)"
bounded "faster" 0.0002 300 --max-drift "$enough"
holds "faster" clocks.json '.bent == 0 and .enough_drift == 0 and .tachyons_left == 0'

# Clocks that run evenly stay straight, however messages wait.
example right.db
cli clocks --drift pieces --groups apart --json right.db >pieces.json || true
cli clocks --groups apart --json right.db >linear.json || true
holds "straight clocks" pieces.json '.windows == 1 and .tachyons_left == 0 and .bent == 0 and
    ([.clocks[].bound | numbers] | length) == 96'
[ "$(jq -c '.clocks' pieces.json)" = "$(jq -c '.clocks' linear.json)" ] ||
    fail "clocks that run evenly are bent"
