# The picture of all clocks: their true courses are in the bands, which are those of all lines tried
# by hand; its signs are at the links that SQL finds wrong.
. "$OCELOTL_ROOT/tests/cli/clocks.inc"

# rows PICTURE.svg: rows.json has of each row its names, its band and course as [seconds, seconds],
# and when its signs are.
cat >rows.py <<'END'
import json, re, sys, xml.etree.ElementTree as tree
svg = "{http://www.w3.org/2000/svg}"
root = tree.parse(sys.argv[1]).getroot()
units = {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}
def value(text):
    found = re.fullmatch(r"(-?[0-9.]+)\s(s|ms|µs|ns)", text)
    return found and float(found[1]) * units[found[2]]
def text_of(t):  # without its tooltip
    return (t.text or "").strip() + "".join(part.tail or "" for part in t)
def scale(ticks):  # from pixels to values, by the two ticks that are farthest apart
    (a, x), (b, y) = min(ticks), max(ticks)
    return lambda pixel: x + (pixel - a) * (y - x) / (b - a)
groups = [g for g in root.iter(svg + "g") if (g.get("class") or g.get("id") or "").endswith("clock")]
inside = {id(t) for g in groups for t in g.iter()}
times = []
for t in root.iter(svg + "text"):
    if id(t) not in inside and t.get("text-anchor") == "middle" and value(text_of(t)) is not None:
        times.append((float(t.get("x")), value(text_of(t))))
time = scale(times)
rows = []
for g in groups:
    ticks, names = [], []
    for t in g.iter(svg + "text"):
        words = text_of(t)
        if t.get("text-anchor") == "end":
            ticks.append((float(t.get("y")) - 4, value(words)))
        else:
            names.append(words)
    up = scale(ticks)
    shapes = []
    for p in [*g.iter(svg + "polygon"), *g.iter(svg + "polyline")]:
        points = re.findall(r"(-?[0-9.]+),(-?[0-9.]+)", p.get("points"))
        shapes.append([(time(float(x)), up(float(y))) for x, y in points])
    signs = {}  # by colour
    for r in g.iter(svg + "rect"):
        if r.get("height") == "4":
            x = float(r.get("x"))
            signs.setdefault(r.get("fill"), []).append((time(x), time(x + float(r.get("width")))))
    rows.append({"names": names, "shapes": shapes, "signs": signs})
json.dump({"rows": rows, "words": " ".join(root.itertext())}, open("rows.json", "w"))
END
rows() { python3 rows.py "$1" || fail "$1 is not as it should be"; }

# Two hosts whose messages are read by hand: at each instant of the picture the highest and the
# lowest line that none of them contradicts.
python3 "$maker" make --hosts 2 --rounds 40 --seed 5 >two.trace 2>truth.json
cli import two.trace -o two.db >/dev/null 2>&1
cli clocks --at machine two.db --json >clocks.json
cli clocks --at machine --height 1600 two.db -o two.svg
rows two.svg
cli sql --csv two.db "SELECT source, target, begin, begin + duration FROM events
    WHERE category = 'link'" | tail -n +2 >messages.csv
cat >judge.py <<'END'
import json, sys
above, below = [], []  # when host-0 reads x, host-1 is at most, or at least, z ahead
for line in open("messages.csv"):
    source, target, begin, end = line.strip().split(",")
    source, target = source.split("/")[0], target.split("/")[0]
    begin, end = float(begin), float(end)
    if source < target:
        above.append((begin, end - begin))
    elif source > target:
        below.append((end, begin - end))
def room(slope):
    return min(z - slope * x for x, z in above), max(z - slope * x for x, z in below)
def best(f, a, b):  # of a function that rises, then falls
    for _ in range(100):
        c, d = a + (b - a) / 3, b - (b - a) / 3
        a, b = (c, b) if f(c) < f(d) else (a, d)
    return (a + b) / 2
width = lambda s: room(s)[0] - room(s)[1]
widest = best(width, -1e-4, 1e-4)
def edge(far):  # the slope, between the widest and far, up to which there is room
    a, b = widest, far
    for _ in range(100):
        a, b = ((a + b) / 2, b) if width((a + b) / 2) >= 0 else (a, (a + b) / 2)
    return far if width(far) >= 0 else a
least, most = edge(-1e-4), edge(1e-4)
highest = lambda x: max(room(s)[0] + s * x for s in [best(lambda s: room(s)[0] + s * x, least, most)])
lowest = lambda x: min(room(s)[1] + s * x for s in [best(lambda s: -room(s)[1] - s * x, least, most)])
clocks = {c["clock"]: c for c in json.load(open("clocks.json"))["clocks"]}
row = [r for r in json.load(open("rows.json"))["rows"] if r["names"][0] == "host-1"]
if len(row) != 1 or len(row[0]["shapes"]) != 2:
    sys.exit(f"rows of host-1: {len(row)}")
band, course = row[0]["shapes"]
if max(abs(y) for _, y in course) > 1e-6:
    sys.exit("a straight clock is off its line")
# The band is ahead of the told line; the reference is host-0, or host-1 itself has no band.
clock = clocks["host-1"]
if clock["reference"] or len(band) < 200:
    sys.exit("host-1 has no band")
steps = len(band) // 2
farthest = 0
for i, (x, y) in enumerate(band):
    told = clock["offset"] + clock["drift"] * (x + clock["offset"] - clock["at"])
    expected = (highest if i < steps else lowest)(x) - told
    if abs(y - expected) > 0.02 * abs(expected):
        sys.exit(f"at {x}: {y}, expected {expected}")
    farthest = max(farthest, abs(y))
if farthest > 1.02 * clock["bound"]:  # which is of the whole run
    sys.exit(f"the bound is {clock['bound']}, the band reaches {farthest}")
END
python3 judge.py || fail "the band of two clocks"

# Four hosts, one of which is wrong from a second on: signs are where SQL finds links that end
# before they begin, and nowhere else, at both their hosts.
python3 "$maker" make --hosts 4 --rounds 200 --offset 0 --ppm 0 --seed 6 >right.trace 2>/dev/null
cli import right.trace -o right.db >/dev/null 2>&1
cli clocks --at machine right.db -o right.svg
rows right.svg
jq -e '[.rows[].signs[]] == [] and (.rows | length) == 4' rows.json >/dev/null ||
    fail "signs of a trace that is right"
like right.svg '[ >]0 of [0-9,]+ messages end before they begin, in these clocks'
lacks right.svg 'still, in these'
awk '/host-3/ && /^3/ { bad = 1 }
    $1 ~ /^[4-7]$/ && $2 >= 5 && $0 ~ / p[67]( |$)/ { $2 = sprintf("%.9f", $2 + 0.0002) }
    { print }' right.trace >late.txt
{ grep -v '^[4-7] ' late.txt; grep '^[4-7] ' late.txt | sort -s -k 2,2 -g; } >late.trace
cli import late.trace -o late.db >/dev/null 2>&1
cli clocks --at machine --max-drift 1 --reference host-0 --json late.db >clocks.json
cli clocks --at machine --max-drift 1 --reference host-0 --height 900 late.db -o late.svg
rows late.svg
cli sql --csv late.db "SELECT source, target, begin + duration FROM events
    WHERE category = 'link' AND duration < 0" | tail -n +2 >wrong.csv
[ "$(wc -l <wrong.csv)" -gt 20 ] || fail "nothing is wrong"
cat >signs.py <<'END'
import json, sys
rows = {r["names"][0]: r["signs"] for r in json.load(open("rows.json"))["rows"]}
found = json.load(open("clocks.json"))
ends = {}
for line in open("wrong.csv"):
    source, target, end = line.strip().split(",")
    for host in {source.split("/")[0], target.split("/")[0]}:
        ends.setdefault(host, []).append(float(end))
colours = {colour for signs in rows.values() for colour in signs}
early = {colour for signs in rows.values() for colour, spans in signs.items() if spans[0][0] < 4}
raw = list(colours - early)
if len(colours) != 2 or len(raw) != 1:
    sys.exit(f"signs of {colours}, {raw} before it is wrong")
for host, signs in rows.items():
    spans = signs.get(raw[0], [])
    near = 0.025  # two pixels
    for end in ends.get(host, []):
        if not any(a - near <= end <= b + near for a, b in spans):
            sys.exit(f"{host}: no sign at {end}")
    for a, b in spans:
        if not any(a - near <= end <= b + near for end in ends.get(host, [])):
            sys.exit(f"{host}: a sign at {a}")
if "host-3" not in ends or sum(map(len, ends.values())) != 2 * found["tachyons"]:
    sys.exit(f"{found['tachyons']} are counted, SQL has {ends.keys()}")
if not all(end > 4.9 for end in ends["host-3"]):
    sys.exit("it is wrong too early")
END
python3 signs.py || fail "signs"

# Clocks in waves: as pieces follow them, no bounds; amortised as well.
python3 "$maker" make --hosts 4 --rounds 600 --amplitude 0.0002 --period 6 --seed 3 >bent.trace \
    2>truth.json
cli import bent.trace -o bent.db >/dev/null 2>&1
cli clocks --at machine bent.db -o bent.svg
has bent.svg 'nothing bounds them; see --drift pieces'
cli clocks --at machine --drift pieces --height 1200 bent.db -o pieces.svg
cli clocks --at machine --drift pieces --json bent.db >clocks.json
rows pieces.svg
cat >waves.py <<'END'
import json, math, sys
truth, found = json.load(open("truth.json")), json.load(open("clocks.json"))
clocks = {c["clock"]: c for c in found["clocks"]}
reference = [c["clock"] for c in found["clocks"] if c["reference"]][0]
def read(name, t):
    offset, drift, phase = truth["clocks"][name]
    return offset + (1 + drift) * t + truth["amplitude"] * math.sin(
        2 * math.pi * t / truth["period"] + phase)
for row in json.load(open("rows.json"))["rows"]:
    clock = clocks[row["names"][0]]
    (course,) = row["shapes"]
    if "no bound" not in row["names"][1] and not clock["reference"]:
        sys.exit(f"{row['names']} is bounded")
    for x, y in course[4:-4]:
        t = (x - truth["clocks"][reference][0]) / (1 + truth["clocks"][reference][1])
        tick = read(clock["clock"], t)
        ahead = tick - read(reference, t)
        expected = ahead - clock["offset"] - clock["drift"] * (tick - clock["at"])
        if abs(y - expected) > 60e-6:
            sys.exit(f"{clock['clock']} at {x}: {y}, expected {expected}")
END
python3 waves.py || fail "the course of a clock that is not even"
cli clocks --at machine --drift pieces --amortise bent.db -o amortised.svg
has amortised.svg 'in these clocks'

# More clocks than there is room for: the worst, and one row for all others; all are counted.
example many.db
cli clocks --groups apart --json many.db >clocks.json
cli clocks --groups apart many.db -o many.svg
rows many.svg
cat >many.py <<'END'
import json, re, sys
drawn, found = json.load(open("rows.json")), json.load(open("clocks.json"))
rows = drawn["rows"]
others = re.fullmatch(r"the (\d+) others", rows[-1]["names"][0])
if not others or int(others[1]) + len(rows) - 1 != 96 or len(rows) < 10:
    sys.exit(f"{len(rows)} rows, the last is {rows[-1]['names']}")
said = re.search(r"rows: the (\d+) that are known least", drawn["words"])
if int(said[1]) != len(rows) - 1:
    sys.exit("the caption counts other rows")
wide = sorted((max(y for _, y in r["shapes"][0]) - min(y for _, y in r["shapes"][0])
               for r in rows[:-1]), reverse=True)
bounds = {c["clock"]: c["bound"] for c in found["clocks"]}
for row in rows[:-1]:  # none of the others is known much less than the last one that is shown
    name = [path for path in bounds if path.endswith(row["names"][0].lstrip("…"))]
    if len(name) != 1:
        sys.exit(f"{row['names'][0]} is the name of {len(name)} clocks")
    bounds.pop(name[0])
if 2 * max(bounds.values()) < wide[-1] / 2 or max(bounds.values()) > wide[0]:
    sys.exit(f"the others are known to {max(bounds.values())}, the last row is {wide[-1]} wide")
END
python3 many.py || fail "96 clocks"
has many.svg 'in 3 groups: nothing says how these differ'
refused 1 'its 96 clocks are in 3 groups' clocks many.db -o joined.svg
[ -s joined.svg ] || fail "the picture of what is not joined is missing"

# Every format, once more, small, and dark.
for suffix in png pdf; do
    cli clocks --at machine two.db -o "two.$suffix"
    [ -s "two.$suffix" ] || fail "no .$suffix"
done
cli clocks --at machine --width 320 --height 320 right.db -o small.svg
cli --again two.svg --theme dark -o dark.svg
has dark.svg '2 clocks of type machine'
for picture in two small many dark pieces; do
    letters_inside $picture.svg || fail "$picture: letters are outside"
done
lacks two.svg "$PWD"
