# How strongly parts are coloured: full colour where little is there, pale background, and back.
need python3 jq

# Random states of a share of the time, on some resources; `idle` and one of nearly all in some, and
# a resource with less in one.
cat >make.py <<'PY'
import random, sys
seed, share = int(sys.argv[1]), float(sys.argv[2])
random.seed(seed)
print("resource,type,value,begin,end")
for r in range(6):
    for slot in range(200):
        length = random.uniform(0.2, 1) * share * random.choice((1, .1))
        if sys.argv[3] == "faint":
            length = 0.03 if r == 5 else 0.9
        if random.random() < 0.7 or sys.argv[3] == "faint":
            print(f"r{r},S,{random.choice('abc')},{slot},{slot + length:.6f}")
        if sys.argv[3] == "idle":
            print(f"r{r},S,Idle,{slot + .5 + share / 2:.6f},{slot + 1}")
        if sys.argv[3] == "all":
            print(f"r{r},S,compute,{slot + length:.6f},{slot + 1}")
PY
# What the rules say, literally, of the parts in JSON, beside the picture.
cat >check.py <<'PY'
import json, math, re, sys
said, svg = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
parts, nothing = said["parts"], "(no state)"
area = lambda part: part["leaves"] * (part["last"] - part["first"] + 1)
sums = {}
for part in parts:
    for name, share in part["shares"].items():
        sums[name] = sums.get(name, 0) + share * area(part)
whole = sum(sums.values())
pale = {name for name in sums if name.lower() in ("idle", "blocked", "sleeping", "free")}
most = {name for name in sums if name != nothing and sums[name] > .85 * whole}
if sum(sums[name] for name in sums if name not in pale | most | {nothing}) >= .005 * whole:
    pale |= most
if not any(sums[name] > 0 for name in sums if name not in pale | {nothing}):
    pale = set()
assert said["chosen"].get("background", "") == ", ".join(n for n in sums if n in pale) or \
    set(said["chosen"]["background"].split(", ")) == pale, (said["chosen"], pale)
best = [max((share for name, share in part["shares"].items() if name not in pale | {nothing}),
            default=0) for part in parts]
seen = sorted((share, area(part)) for share, part in zip(best, parts) if share > 0)
left = .95 * sum(one for _, one in seen)
for quantile, one in seen:
    left -= one
    if left <= 1e-9:
        break
full = 1
if quantile < .5:
    full = min(step * 10 ** power for step in (1, 2, 5) for power in range(-6, 1)
               if step * 10 ** power >= max(.005, quantile) * (1 - 1e-9))
assert math.isclose(said["chosen"].get("full_colour", 1), full), (said["chosen"], quantile)
faint = sum(one for share, one in seen if share < .06) > .05 * sum(one for _, one in seen)
least = .2 if full < 1 or pale or faint else 0
last = f"{100 * full * (least or .25):g} %{' or less' * (least > 0)}<"
assert "subject" in said["chosen"] or (f"full colour: {100 * full:g} % of the time or more; fainter: {60 * full:g} %, {last}"
        if full < 1 else f"shades: 100 % of the time, 60 %, {last}") in svg, (full, least)
# Marks and small parts apart: each part that is drawn on its own is as opaque as it should be.
drawn = 0
for opacity, group in re.findall(r'<g fill="#(?:[0-9a-f]{6})"(?: fill-opacity="([\d.]+)")?>(.*?)</g>',
                                 svg, re.S):
    for number in re.findall(r'<title>part (\d+)\n', group):
        share, shares = best[int(number)], parts[int(number)]["shares"]
        wanted = min(1, share / full)
        if pale and wanted < .1:
            wanted = max([wanted, *(shares.get(name, 0) for name in pale)])
        wanted = max(wanted, least) if any(n != nothing for n in shares) else 1
        assert abs(float(opacity or 1) - wanted) < .012, (number, opacity, wanted)
        drawn += 1
assert drawn > 0
PY
for kind in none idle faint all; do
    for share in 0.9 0.3 0.04 0.002; do
        python3 make.py 1 $share $kind >it.csv
        cli --no-cache --json it.csv >it.json 2>/dev/null
        cli --no-cache it.csv -o it.svg 2>/dev/null
        python3 check.py it.json it.svg || fail "shares of $share, $kind"
    done
done

# What takes it back: in the picture and in JSON.
cli --no-cache --plain --json it.csv >plain.json 2>/dev/null
cli --no-cache --plain it.csv -o plain.svg 2>/dev/null
holds "plain" plain.json '.chosen == {}'
grep -q "shades: 100 % of the time, 60 %, 25 %<" plain.svg || fail "plain is scaled"
cli --no-cache --background none --json it.csv >none.json 2>/dev/null
holds "no background" none.json '.chosen.background == null'
cli --no-cache --background 'b*' --background c --json it.csv >named.json 2>/dev/null
holds "background by name" named.json '.chosen.background | split(", ") | sort == ["b", "c"]'
refused 1 'the background is "nobody"' --no-cache --background nobody it.csv -o x.svg

# Counts: full colour is a number of events.
cat >counts.py <<'PY'
import sys
print("resource,type,value,begin,end")
for slot in range(200):
    for _ in range(400 if slot == 7 else int(sys.argv[1]) + slot % int(sys.argv[2])):
        print(f"r,E,e,{slot + .5},")
PY
python3 counts.py 2 2 >counts.csv
python3 counts.py 1 1 >ones.csv
cli --no-cache --metric event-count --p 0.1 --json counts.csv >counts.json 2>/dev/null
holds "counts" counts.json '.chosen.full_colour | . == 2 or . == 5'
cli --no-cache --metric event-count --p 0.1 counts.csv -o counts.svg 2>/dev/null
grep -qE "full colour: [25] events or more; fainter: " counts.svg || fail "counts have no numbers"
cli --no-cache --metric event-count --p 0.1 --view amplitude counts.csv -o counts.svg 2>/dev/null
grep -qE "full colour: [25] events or more; fainter: " counts.svg || fail "amplitude is not scaled"
cli --no-cache --metric event-count --slices 200 --p 0 ones.csv -o ones.svg 2>/dev/null
grep -q "full colour: 1 event or more; fainter: 0.6, 0.2 or less<" ones.svg || fail "1 events"

# Rows that are folded do not say what has full colour.
python3 - >folded.csv <<'PY'
print("resource,type,value,begin,end")
for row in range(5):
    for at in range(100):
        print(f"w{row},S,work,{at},{at + .6}\nw{row},S,rest,{at + .6},{at + 1}")
for row in range(125):
    print(f"t{row},S,work,{row / 2},{row / 2 + .01}")
PY
cli --no-cache folded.csv -o folded.svg 2>/dev/null
has folded.svg 'shades: 100 % of the time'

# A treemap has areas of one colour each: JSON names no other.
cli treemap --no-cache --metric event-count --p 0.1 --json counts.csv >counts.json 2>/dev/null
holds "a treemap" counts.json '.chosen.full_colour == null'

# The background is in the legend, however many others there are.
python3 - >many.csv <<'PY'
print("resource,type,value,begin,end")
for slot in range(200):
    print(f"r,S,s{slot % 16},{slot},{slot + .9}\nr,S,Idle,{slot + .9},{slot + 1}")
PY
cli --no-cache --p 0 many.csv -o many.svg 2>/dev/null
like many.svg '>4 others<' '>Idle</text>'

# The user's palette goes before: what it names is not pale.
printf 'name,colour\ncompute,#123456\n' >palette.csv
cli --no-cache --palette palette.csv it.csv -o palette.svg 2>/dev/null
grep -q 'fill="#123456"' palette.svg || fail "a colour of the palette is pale"
