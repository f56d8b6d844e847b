# The picture of two clocks: its line against all slopes tried by hand, its points against SQL.
. "$OCELOTL_ROOT/tests/cli/clocks.inc"

example right.db
place=nancy/graphene/graphene-sw1/graphene-3
pair=$place/rank-4,$place/rank-5
cli clocks --between "$pair" right.db -o pair.svg
cli sql --csv right.db "SELECT source, target, begin, begin + duration FROM events
    WHERE category = 'link' AND source IN ('$place/rank-4', '$place/rank-5')
    AND target IN ('$place/rank-4', '$place/rank-5')" | tail -n +2 >messages.csv
cat >judge.py <<'END'
import re, sys, xml.etree.ElementTree as tree
above, below = [], []  # (x, z): when rank-4 reads x, rank-5 is at most, or at least, z ahead
for line in open("messages.csv"):
    source, target, begin, end = line.strip().split(",")
    begin, end = float(begin), float(end)
    if source.endswith("rank-4"):
        above.append((begin, end - begin))
    else:
        below.append((end, begin - end))
def touch(slope):
    return min(z - slope * x for x, z in above), max(z - slope * x for x, z in below)
slopes = [-1e-4, 1e-4]
for points in (above, below):
    for i, (x, z) in enumerate(points):
        slopes += [(w - z) / (y - x) for y, w in points[:i] if y != x]
band = {slope: touch(slope)[0] - touch(slope)[1] for slope in slopes if abs(slope) <= 1e-4}
widest = max(band.values())
slope = max(band, key=band.get)
root = tree.parse("pair.svg").getroot()
words = " ".join(root.itertext())
def near(what, expected, found, share=0.02):
    if abs(found - expected) > share * abs(expected) + 1e-12:
        sys.exit(f"{what}: {found}, expected {expected}")
drift = re.search(r"runs ([0-9.e+-]+) ppm (slower|faster)", words)
near("drift", slope, float(drift[1]) * 1e-6 * (1 if drift[2] == "faster" else -1))
times = [x for x, _ in above + below]
middle = (min(times) + max(times)) / 2
high, low = touch(slope)
ahead = re.search(r"rank-5 is (ahead of|behind) \S+ by ([0-9.]+)\s(ns|µs|ms)", words)
unit = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3}
near("ahead", (high + low) / 2 + slope * middle,
     float(ahead[2]) * unit[ahead[3]] * (1 if ahead[1] == "ahead of" else -1))
count = re.search(r"(\d+) messages to it, (\d+) from it", words)
if (int(count[1]), int(count[2])) != (len(above), len(below)) or not above or not below:
    sys.exit(f"messages: {count[0]}")
# Each point is on its own side of the line, and those beyond the picture are counted.
name = "{http://www.w3.org/2000/svg}"
groups = {g.get("id") or g.get("class"): g for g in root.iter(name + "g")}
points = next(g for key, g in groups.items() if key and key.endswith("points"))
lines = next(g for key, g in groups.items() if key and key.endswith("lines"))
flat = max((l for l in lines.iter() if l.get("stroke-width") == "2"), key=lambda l: 1)
y = float(flat.get("y1"))
if y != float(flat.get("y2")):
    sys.exit("the line is not flat")
sides = {}
def fill_of(element):
    return element.get("fill")
small = [r for r in points.iter(name + "rect") if float(r.get("width")) < 5]
for r in small:
    sides.setdefault(fill_of(r), []).append(float(r.get("y")) + float(r.get("height")) / 2 < y)
if sorted(set(map(lambda side: tuple(set(side)), sides.values()))) != [(False,), (True,)]:
    sys.exit(f"points lie on both sides: { {k: set(v) for k, v in sides.items()} }")
beyond = int(re.search(r"(\d+) points? (is|are) too far", words)[1])
if not len(above + below) // 4 < len(small) + beyond <= len(above + below):
    sys.exit(f"{len(small)} points are drawn, {beyond} are too far, of {len(above + below)}")
END
python3 judge.py || fail "the picture"
lacks pair.svg "$PWD"

# Both orders of a pair are the same; pictures are drawn again, in every format.
cli clocks --between "$place/rank-5,$place/rank-4" right.db -o other.svg
same "the other order" "$(grep -c '<rect' pair.svg)" "$(grep -c '<rect' other.svg)"
cli --again pair.svg --theme dark -o dark.svg
like dark.svg 'is (behind|ahead)'
for suffix in png pdf; do
    cli clocks --between "$pair" right.db -o "pair.$suffix"
    [ -s "pair.$suffix" ] || fail "no .$suffix"
done
cli clocks --width 320 --height 320 --between "$pair" right.db -o small.svg
for picture in pair small dark; do
    letters_inside $picture.svg || fail "$picture: letters are outside"
    ! command -v rsvg-convert >/dev/null || rsvg-convert $picture.svg -o drawn.png ||
        fail "$picture: rsvg-convert does not draw it"
done
cli clocks --drift pieces --between "$pair" right.db -o pieces.svg
lacks pieces.svg 'as all clocks say together'

refused 1 'has no clock, expected one of 96, the nearest is' clocks --between "$place/rank-4,b" \
    right.db -o no.svg
refused 1 'is one clock, expected two' clocks --between "$place/rank-4,$place/rank-4" right.db -o no.svg
refused 1 'expected two paths with a comma' clocks --between "$place/rank-4" right.db -o no.svg
refused 1 'expected two that do exchange messages, as' clocks \
    --between "$place/rank-4,nancy/griffon/griffon-sw1/griffon-1/rank-36" right.db -o no.svg
refused 2 'expected -o FILE.svg' clocks --between "$pair" right.db
[ ! -e no.svg ] || fail "a refused picture is there"
