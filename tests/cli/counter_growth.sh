# What counters grow by in slices, and ratios of variables, against a literal computation: linear
# counters exactly, random ones with windows, chunks and readings at one time; units; the default.
need jq python3
cat >make.py <<'END'
import json, random, sys
from fractions import Fraction
seed, count, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
chance = random.Random(seed)
END_OF_TIME = 1000003
kinds = {"linear": [], "half": [], "wild": [], "level": []}
rows = []
for name in "abc":
    times = sorted(chance.randrange(END_OF_TIME) for _ in range(count))
    for kind in kinds:
        said = []
        total = chance.randrange(1 << 40)
        if kind in ("linear", "half"):
            mine = sorted({0, END_OF_TIME} | {t for t in times if chance.random() < 0.7})
            factor = 7 if kind == "linear" else 2
            said = [(t, total + factor * t) for t in mine]
        elif kind == "wild" and name != "c":
            for t in times:
                total += chance.choice([0, 1, chance.randrange(100), chance.randrange(1 << 20)])
                said.append((t, total))
        elif kind == "level" and name != "b":
            said = [(t, chance.randrange(100)) for t in times[:count // 10]]
        kinds[kind].append((name, said))
        rows += [(t, len(rows) + i, kind, name, value) for i, (t, value) in enumerate(said)]
out = open(path, "w")
out.write(open("head.txt").read())
for t, _order, kind, name, value in sorted(rows):
    out.write("4 %d.%06d %s %s %d\n" % (t // 1000000, t % 1000000, kind, name, value))
out.writelines("5 1.000003 T %s\n" % name for name in "abc")
json.dump(kinds, open("truth.json", "w"))
END
cat >check.py <<'END'
"""The growth of each cell of a matrix, or each part's ratio, by hand."""
import csv, json, os, sys
from bisect import bisect_right
from fractions import Fraction as F
what, begin, end, slices = sys.argv[1], F(sys.argv[2]), F(sys.argv[3]), int(sys.argv[4])
truth = json.load(open("truth.json"))
END = F(1000003)

def last_of_each(said):
    return sorted({t: value for t, value in said}.items())

def level(said, frm, to):
    """The integral of a level, in seconds."""
    steps = last_of_each(said) + [(END, 0)]
    return sum(max(min(to, b) - max(frm, a), 0) * v
               for (a, v), (b, _) in zip(steps, steps[1:])) / 1000000

def at(said, time):
    steps = said
    i = bisect_right([t for t, _ in steps], time)
    if i == 0 or i == len(steps):
        return F(steps[min(i, len(steps) - 1)][1])
    (a, v), (b, w) = steps[i - 1], steps[i]
    if "STEP" in os.environ:
        return F(v)
    return v + F(w - v) * (time - a) / (b - a)

def amount(kind, name, frm, to):
    said = dict(truth[kind])[name]
    if not said:
        return F(0)
    if kind == "level":
        return level(said, frm, to)
    steps = last_of_each(said)
    return at(steps, to) - at(steps, frm)

def boundary(i):
    return begin * 1000000 + (end - begin) * 1000000 * i / slices

def same(got, wanted, scale, place):
    assert abs(F(got) - wanted) <= F(1, 10**12) * max(scale, wanted), (place, got, float(wanted))

if what == "cells":
    cells = {(row["path"], row["type"], int(row["slice"])): float(row["value"])
             for row in csv.DictReader(open("cells.csv"))}
    for kind in sys.argv[5:]:
        total = F(0)
        for name in "abc":
            for s in range(slices):
                wanted = amount(kind, name, boundary(s), boundary(s + 1))
                got = cells.pop((name, kind, s), 0.0)
                same(got, wanted, wanted, (kind, name, s))
                total += F(got)
        same(float(total), sum(amount(kind, n, boundary(0), boundary(slices)) for n in "abc"), 0,
             kind)
    assert not cells, cells
else:
    factor, above, below = F(sys.argv[5]), sys.argv[6], sys.argv[7]
    answer = json.load(open("parts.json"))
    parts = answer["parts"]
    for part in parts:
        names = part["node"].split(", ") if part["node"] else "abc"
        cells = [(n, boundary(part["first"]), boundary(part["last"] + 1)) for n in names]
        top = sum(amount(above, *cell) for cell in cells)
        bottom = sum(amount(below, *cell) for cell in cells)
        values = list(part["values"].values())
        if bottom == 0:
            assert values in ([], [None]), part
        else:
            same(values[0], factor * top / bottom, 0, part)
    print(len(parts))
END
{
    paje_definitions DefineVariableType SetVariable DestroyContainer
    printf '0 T 0 Thread\n3 linear T linear\n3 half T half\n3 wild T wild\n3 level T level\n'
    printf '2 0 a T 0 a\n2 0 b T 0 b\n2 0 c T 0 c\n'
} >head.txt

cells() { # FROM TO SLICES KIND
    cli export --format matrix --metric counter ${STEP:-} --only "$4" --slices "$3" --from "$1" \
        --to "$2" grown.db >cells.csv 2>cells.err || fail "$*: $(cat cells.err)"
    python3 check.py cells "$@" || fail "cells $*"
}
ratio() { # FROM TO SLICES P FACTOR ABOVE BELOW
    cli --metric "$5 * $6 / $7" ${STEP:-} --slices "$3" --from "$1" --to "$2" --p "$4" --json \
        grown.db >parts.json 2>parts.err || fail "$*: $(cat parts.err)"
    python3 check.py ratio "$1" "$2" "$3" "$5" "$6" "$7" >count.txt || fail "ratio $*"
}
for seed in 1 2; do
    python3 make.py $seed $((seed * seed * 700)) grown.trace
    quiet grown.trace --counter linear --counter half --counter wild -o grown.db
    for window in "0 1.000003 1" "0 1.000003 37" "0.1 0.7 10" "0.333333 0.333343 7" \
        "0.9 1.000003 13" "0.25 0.250005 3"; do
        for kind in linear half wild; do
            cells $window $kind
        done
        ratio $window 1 1 linear half
        for p in 0 0.4; do
            ratio $window $p 1 linear half
            same "one part at every p: $window, $p" 1 "$(cat count.txt)"
            ratio $window $p 1000 wild half
            ratio $window $p 0.5 level linear
            ratio $window $p 3 half level
        done
    done
done
holds "a ratio of equal units has none" parts.json '.unit == "" and .metric == "3 * half / level"'
# In steps a counter grows where it is read.
export STEP=--counter-step
for window in "0 1.000003 37" "0.333333 0.333343 7" "0.9 1.000003 13"; do
    cells $window wild
    ratio $window 0.4 3 wild level
done
unset STEP

# What is not a formula, or of nothing; what a ratio does not heed.
refused 1 'has no variable "linaer"; the nearest is "linear"' --metric 'linaer / half' grown.db
refused 1 'is no formula at "/ level", expected [NUMBER *] NAME / NAME' \
    --metric 'half / wild / level' grown.db
refused 1 'is no formula at "-1 * half / wild"' --metric '-1 * half / wild' grown.db
refused 1 'is no formula at "half wild / level"' --metric 'half wild / level' grown.db
refused 1 'is no formula at ""half / wild"' --metric '"half / wild' grown.db
refused 1 'is no formula at its end' --metric 'half /' grown.db
refused 1 'the filters leave out "wild", expected both variables of half / wild' \
    --metric 'half / wild' --only half grown.db
refused 1 'has no counter "level"; the nearest is' stats --counter level grown.db
for other in quantiles "sort name" "durations wild"; do
    # shellcheck disable=SC2086 # an option and its value
    refused 2 "--${other% *} and --counter exclude each other" \
        stats --counter half --$other grown.db
done
refused 1 'and the metric half / wild has none' --metric 'half / wild' --scale max grown.db
refused 1 'are two sums each, which a matrix cannot say' export --format matrix \
    --metric 'half / wild' grown.db
refused 1 'expected one unit' --metric counter grown.db
example
refused 1 'has no counter for the metric counter' --metric counter trace.db

refused 1 'and the metric variable-mean has none, expected counter' --counter-step \
    --metric variable-mean --only wild grown.db
refused 1 'and the metric level / level has none, expected counter' --counter-step \
    --metric 'level / level' grown.db
refused 2 'chooses the partition of a part, but no --part is given' stats --counter-step grown.db

# Shares are of what each counter grows by in one resource, and the caption says so.
printf 'resource,type,value,time\na,n,100,0\na,n,108,2\na,n,104,4\nb,n,9,0\nb,n,13,4\nb,m,1,0\n%s' \
    'b,m,3,4' >table.csv
quiet table.csv --counter '?' -o shares.db
cli export --format matrix --metric counter --scale max --slices 1 shares.db 2>/dev/null |
    tail -n +2 | cut -d, -f1,2,4 | sort | line >shares.txt
same "shares of growth" "a,m,0 a,n,1 b,m,1 b,n,$(python3 -c 'print(4 / 112)')" "$(cat shares.txt)"
cli --metric counter --scale max shares.db -o shares.svg 2>/dev/null || fail "a picture of shares"
has shares.svg 'of each counter as a share of its largest growth'

# Only counters: their growth is drawn. A unit is that of one by that of the other.
printf 'resource,type,value,time\na,n,1,0\na,n,5,2\na,n,9,4\n' >table.csv
quiet table.csv --counter n -o counter.db
cli --json --slices 2 --p 0 counter.db >parts.json 2>/dev/null
holds "the default" parts.json '.metric == "counter" and [.parts[].shares.n] == [4]'
cli --metric '"n" / n' counter.db -o ratio.svg 2>/dev/null || fail "a picture"
has ratio.svg '&quot;n&quot; / n'
cli sweep --metric 'n/n' counter.db >/dev/null 2>&1 || fail "a sweep"
cli parts --metric 'n/n' --p 1 --csv counter.db >parts.csv 2>&1 || fail "parts"
