# --texture loss: dots are as dense as what is lost inside each block, counted in the SVG and
# computed here from the cells.
need python3

cat >check.py <<'END'
import csv, json, math, random, re, sys
from program import cli as call

def dots(svg):
    """The corners of all dots in the plot: subpaths of squares, moves are relative."""
    for path in re.findall(r'<path[^>]* d="(M[^"]*h2v2h-2z[^"]*)"', svg):
        x = y = 0
        for letter, dx, dy in re.findall(r"([Mm])(-?[\d.]+)[ ]?(-?[\d.]+)h2v2h-2z", path):
            x, y = (float(dx), float(dy)) if letter == "M" else (x + float(dx), y + float(dy))
            yield x, y

def loss_of(cells, leaves, first, last):
    """Of drawing these cells as one (thesis, 4.2): X log n - (X log X - sum of v log v)."""
    n, loss = len(leaves) * (last - first + 1), 0
    for kind in {kind for _, kind, _ in cells}:
        values = [cells.get((leaf, kind, s), 0) for leaf in leaves for s in range(first, last + 1)]
        total = sum(values)
        loss += sum(v * math.log2(v) for v in values if v > 0)
        loss += total * math.log2(n) - (total * math.log2(total) if total > 0 else 0)
    return loss

random.seed(int(sys.argv[1]))
LEAVES, SLICES = [f"g{i // 4}/l{i}" for i in range(12)], 8
cells = {}
for i, leaf in enumerate(LEAVES):
    for s in range(SLICES):
        share = random.random() if i < 4 else (0.2, 0.9)[s // 4] if i < 8 else 0.5
        cells[leaf, "a", s], cells[leaf, "b", s] = share, 1 - share
with open("model.csv", "w", encoding="utf-8") as file:
    out = csv.writer(file)
    out.writerow(["path", "type", "slice", "value"])
    out.writerows([*key, value] for key, value in cells.items())
whole = loss_of(cells, LEAVES, 0, SLICES - 1)
for p in ("0.2", "0.5", "0.8", "1"):
    parts = json.loads(call("--json", "--p", p, "model.csv"))["parts"]
    svg = call("--texture", "loss", "--p", p, "--height", "900", "model.csv", "-o", "-")
    svg = svg[:svg.index('<g class="legend"')]
    edge = re.search(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" '
                     r'fill="[^"]*" stroke="[^"]*"/>\n<g class="parts"', svg)
    frame = [float(number) + (0.5 if i < 2 else -1) for i, number in enumerate(edge.groups())]
    found = list(dots(svg))
    total = 0
    for part in parts:
        leaves = [leaf for leaf in LEAVES if part["node"] in ("", leaf, leaf.split("/")[0])]
        first, last = part["first"], part["last"]
        loss = loss_of(cells, leaves, first, last)
        if len(leaves) == part["leaves"]:
            assert abs(loss - part["loss"]) < 1e-9, (part, loss)
        else:
            continue  # a group of like siblings
        wanted = min(1, loss / (len(leaves) * (last - first + 1)) * len(LEAVES) * SLICES / whole)
        x0, x1 = (frame[0] + frame[2] * s / SLICES for s in (first, last + 1))
        y0, y1 = (frame[1] + frame[3] * r / len(LEAVES) for r in
                  (LEAVES.index(leaves[0]), LEAVES.index(leaves[-1]) + 1))
        inside = sum(x0 <= x < x1 - 2 and y0 <= y < y1 - 2 for x, y in found)
        most = ((x1 - x0) // 5) * ((y1 - y0) // 5)
        if most < 200:
            continue
        total += 1
        assert abs(inside / most - wanted) < 0.03 + 0.06 * wanted, (p, part, inside / most, wanted)
    assert total > 0, p
# Of time alone: a column, whatever it is divided into, has the dots of its part.
whole = sum(loss_of({key: cells[key] for key in cells if key[0] == leaf}, [leaf], 0, SLICES - 1)
            for leaf in LEAVES)
for view in ("stacked", "histogram", "partition"):
    for p in ("0.3", "0.7", "1"):
        words = ["--kind", "temporal", "--p", p, "model.csv"]
        parts = json.loads(call("--json", *words))["parts"]
        svg = call("--texture", "loss", "--view", view, "--height", "600", *words, "-o", "-")
        svg = svg[:svg.index('<g class="legend"')]
        plot = svg[re.search(r'<g class="(columns|parts)"', svg).start():]
        boxes = [[float(number) for number in box] for box in re.findall(
            r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', plot)]
        left = min(box[0] for box in boxes)
        right = max(box[0] + box[2] for box in boxes)
        height = max(box[3] for box in boxes)
        found, total = set(dots(svg)), 0  # those of the paper are below those of blocks
        for part in parts:
            first, last = part["first"], part["last"]
            loss = sum(loss_of({key: cells[key] for key in cells if key[0] == leaf}, [leaf],
                               first, last) for leaf in LEAVES)
            assert abs(loss - part["loss"]) < 1e-9, (part, loss)
            wanted = min(1, loss / (last - first + 1) * SLICES / whole)
            x0, x1 = (left + (right - left) * s / SLICES for s in (first, last + 1))
            inside = sum(x0 <= x < x1 - 2 for x, y in found)
            most = ((x1 - x0) // 5) * (height // 5)
            total += wanted > 0
            # borders between types cut some dots off
            assert abs(inside / most - wanted) < 0.05 + 0.12 * wanted, (
                view, p, part, inside / most, wanted)
        assert total > 0, (view, p)
# Parts too small to be drawn apart lose what they lose as one: with everything in one block, all.
svg = call("--texture", "loss", "--p", "0", "--smallest", "100", "--height", "330", "model.csv",
           "-o", "-")
coarse = len(list(dots(svg[:svg.index('<g class="legend"')])))
svg = call("--texture", "loss", "--p", "0", "--height", "330", "model.csv", "-o", "-")
fine = len(list(dots(svg[:svg.index('<g class="legend"')])))
assert coarse > 2 * fine, (coarse, fine)
END
for seed in 1 2 3; do python3 check.py $seed || fail "the texture of model $seed"; done

# Off by default; the legend says what dots are; the same dots in PNG.
cli model.csv --p 0.5 -o plain.svg
cli model.csv --p 0.5 --texture none -o none.svg
cli model.csv --p 0.5 --texture loss -o dots.svg
cmp -s <(grep -v '<command>' plain.svg) <(grep -v '<command>' none.svg) || fail "--texture none"
lacks plain.svg 'h2v2h-2z'
has dots.svg 'dots: loss inside'
# A small picture drops other keys before this one.
cli --slices 60 --p 0.5 --view mode --texture loss --width 480 --height 320 \
    "$sample" -o small.svg 2>/dev/null
has small.svg 'dots: loss inside'
for format in png pdf; do
    cli model.csv --p 0.5 -o plain.$format && cli model.csv --p 0.5 --texture loss -o dots.$format
    ! cmp -s plain.$format dots.$format || fail "no dots in $format"
done
# A picture of a page: its frame is for any p, and has the legend.
refused 2 'the view treemap has no room for a texture, expected another view, such as mode' \
    --kind spatial --view treemap --texture loss model.csv -o no.svg
cli --kind temporal --texture loss model.csv -o stacked.svg
has stacked.svg 'dots: loss inside'
refused 2 '--texture is "gain", expected none or loss' --texture gain model.csv -o no.svg
