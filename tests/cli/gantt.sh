# The Gantt chart: formats, windows, refused requests.
need xmllint python3

unpack "$sample" >stencil.trace
cli import stencil.trace -o trace.db >/dev/null

# states FILE: how many boxes have a tooltip with this value.
states() { grep -c "<title>$2\$" "$1" || true; }

# The default output is of no other command: pictures of the same trace lie side by side.
same "the default output" "stencil-gantt.svg" "$(cli gantt trace.db)"
xmllint --noout stencil-gantt.svg || fail "stencil-gantt.svg is not well-formed"
has stencil-gantt.svg '<command>ocelotl-cli gantt trace.db</command>'
same "the default outputs" "stencil.svg stencil-treemap.svg" \
    "$(cli trace.db) $(cli treemap trace.db)"
cli import stencil.trace --name .hidden -o hidden.db >/dev/null
same "the default outputs without a name" "overview.svg gantt.svg" \
    "$(cli hidden.db) $(cli gantt hidden.db)"

# Zoomed in far enough nothing is merged, and the boxes are the states that an independent listing
# has there.
cli gantt --from 100ms --to 101ms --resource nancy/graphite --smallest 1 trace.db -o zoom.svg
cli sql trace.db \
    "SELECT count(*) FROM events WHERE category = 'state' AND resource LIKE 'nancy/graphite/%'
    AND begin <= 0.101 AND \"end\" >= 0.1 AND value = 'PMPI_Wait'" >count.txt
same "states in a window" "$(tail -1 count.txt | tr -d ' ')" "$(states zoom.svg PMPI_Wait)"
lacks zoom.svg "too short to be drawn apart"

# As wide as the trace it is bounded by pixels.
cli gantt trace.db -o whole.svg
has whole.svg "too short to be drawn apart"
[ "$(grep -c '<rect' whole.svg)" -lt 30000 ] || fail "more boxes than pixels"

# JSON has the same objects: each event is in one of them, and their time is that of the listing.
cli gantt --json --width 400 trace.db >whole.json
cli gantt --width 400 trace.db -o again.json
cmp whole.json again.json || fail "--json and -o X.json differ"
python3 - "$(cli sql --csv trace.db \
    "SELECT count(*), sum(duration) FROM events WHERE category = 'state'" | tail -1)" <<'END' ||
import json, sys
listed = sys.argv[1].split(",")
drawn = json.load(open("whole.json"))
objects = [o for row in drawn["rows"] if row["category"] == "state" for o in row["objects"]]
assert sum(o["count"] for o in objects) == int(listed[0]), (sum(o["count"] for o in objects), listed)
assert abs(sum(o["duration"] for o in objects) - float(listed[1])) < 1e-9 * float(listed[1])
assert all(o["count"] > 1 for o in objects if "shares" in o) and any("shares" in o for o in objects)
assert all(drawn["begin"] <= o["begin"] <= o["end"] <= drawn["end"] for o in objects)
assert sum(link["count"] for link in drawn["links"]) + drawn["links_left_out"] > 0
END
    fail "gantt --json is not what the listing has"

cli gantt --theme dark --width 800 --height 400 trace.db -o dark.png
same "a PNG" "89504e47" "$(head -c 4 dark.png | od -An -v -tx1 | tr -d ' \n')"

# Two traces, one above the other: the same rows, to one scale of time, in the same colours.
cli gantt --from 0.1 --to 0.2 trace.db trace.db -o twice.svg
cli gantt --from 0.1 --to 0.2 --from2 0.1 --to2 0.15 trace.db trace.db -o half.svg
cli gantt --from 0.1 --to 0.2 --from2 0.1 --to2 0.15 --stretch trace.db trace.db -o wide.svg
sed 's/PMPI_Wait/Waiting/' stencil.trace >renamed.trace
cli gantt --from 0.1 --to 0.11 trace.db renamed.trace -o renamed.svg 2>/dev/null
python3 - <<'END' || fail "two traces are not drawn to one scale, or not alike"
import re
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"

def halves(path):
    """Of both plots: left, top, width and height, and the states: colour, place in the plot, title."""
    root = tree.parse(path).getroot()
    frames = [[float(one.get(name)) for name in ("x", "y", "width", "height")] for one in root.iter(SVG + "rect")
              if one.get("stroke") and float(one.get("height")) > 100]
    assert len(frames) == 2, frames
    found = [(frame, []) for frame in frames]
    for group in root.iter(SVG + "g"):
        if group.get("class") != "states":
            continue
        for one in group.iter(SVG + "path"):
            x, y, rest = re.match(r"M([\d.]+) ([\d.]+)(.*)", one.get("d")).groups()
            half = float(y) >= frames[1][1]
            found[half][1].append((one.get("stroke"), x, float(y) - frames[half][1], rest, one.findtext(SVG + "title") or ""))
    return found

(a, first), (b, second) = halves("twice.svg")
assert a[0] == b[0] and a[2:] == b[2:] and a[1] < b[1], (a, b)
assert first == second and len(first) > 20, (len(first), len(second))
(a, first), (b, second) = halves("half.svg")
assert a[0] == b[0] and a[3] == b[3] and abs(b[2] - a[2] / 2) <= 1, (a, b)
(a, first), (b, second) = halves("wide.svg")
assert a[0] == b[0] and a[2:] == b[2:], (a, b)
(a, first), (b, second) = halves("renamed.svg")
names = lambda boxes: {box[4].split("\n")[0] for box in boxes}
assert "PMPI_Wait" in names(first) - names(second) and "Waiting" in names(second) - names(first)
text = open("renamed.svg").read()
legend = text[text.index('class="legend"'):]
assert all(legend.count(f">{name}</text>") == 1 for name in ("PMPI_Wait", "Waiting", "PMPI_Allreduce")), legend
END
# An event of both stands below itself: on one scale, and where the second has less before it.
printf 'resource,begin,end,state\na,0,2,run\na,2,3,wait\na,3,10,run\n' >early.csv
printf 'resource,begin,end,state\na,0,5,run\na,5,6,wait\na,6,8,run\na,8,9,wait\n' >late.csv
for name in early late; do cli import "$name.csv" -o "$name.db" >/dev/null; done
place() { # of the states called wait, in both halves
    grep -o '<path[^>]*d="M[0-9.]*[^>]*><title>wait' "$1" | sed 's/.*d="M\([0-9.]*\).*/\1/' | xargs
}
cli gantt --align-event wait early.db late.db -o below.svg
cli gantt --align-event wait late.db early.db -o above.svg
cli gantt --align-event wait#2 late.db late.db -o twice.svg
same "an event below itself" 1 "$(place below.svg | awk '{ print $1 == $2 && NF == 3 }')"
same "an event above itself" 1 "$(place above.svg | awk '{ print $1 == $3 && NF == 3 }')"
same "its second one" 1 "$(place twice.svg | awk '{ print $1 == $3 && $2 == $4 && NF == 4 }')"
refused 1 'no resource has 2 of "wait"' gantt --align-event wait#2 early.db late.db
refused 1 'nothing that can be shown is called "wiat"' gantt --align-event wiat early.db late.db
refused 1 'expected NAME or NAME#K' gantt --align-event wait#0 early.db late.db
refused 1 'begins before the window' gantt --align-event wait --from 4 early.db late.db
refused 2 '--align-event is of two traces' gantt --align-event wait early.db
printf 'resource,begin,end,state\na/x,0,1,run\na/y,0,2,run\nb/z,1,3,wait\n' >one.csv
printf 'resource,begin,end,state\na/y,0,2,run\nb/w,1,3,wait\nb/z,1,3,run\n' >two.csv
printf 'resource,begin,end,state\nc,0,2,run\n' >three.csv
for name in one two three; do cli import "$name.csv" -o "$name.db" >/dev/null; done
cli gantt one.db two.db -o rows.svg
same "rows that both have" "2 a/y 2 b/z" \
    "$(grep -o '<title>[ab]/[a-z]</title>' rows.svg | cut -c 8-10 | sort | uniq -c | xargs)"
refused 1 "the two share no row" gantt one.db three.db
refused 2 "--stretch is of two traces" gantt --stretch trace.db
refused 2 "--part is of one trace" gantt --part 3 trace.db trace.db
refused 2 "two traces are drawn as a picture" gantt --json trace.db trace.db
refused 1 "no-such.db: cannot open" gantt trace.db no-such.db

# The caption says how many links are arrows, and why not all.
cli gantt trace.db -o whole.svg
like whole.svg 'arrows for [0-9,]* of 7,680 links, without the shortest where they would hide the rows'
cli gantt --links 0 trace.db -o none.svg
has none.svg 'no arrows for 7,680 links<' '96 rows · 24,288 events'

# A resource has one name at the side, whether its variables are folded, plotted or elsewhere.
{
    paje_definitions DefineVariableType SetVariable
    printf '0 H 0 HOST\n3 A H first\n3 B H second\n3 C H third\n'
    for i in 1 2 3 4 5 6; do
        printf '2 0 h%s H 0 host-%s\n4 0 A h%s %s\n4 0 B h%s 7\n4 0 C h%s 1\n4 %s C h%s 2\n' $i $i \
            $i $i $i $i $i $i
    done
    printf '4 9 C h1 5\n'
} >folded.trace
cli gantt --no-cache folded.trace -o folded.svg
has folded.svg 'in 6 resources'
for i in 1 2 3 4 5 6; do
    same "names of host-$i at the side" 1 "$(grep -c ">host-$i</text>" folded.svg)"
done

# refused EXIT MESSAGE ARGUMENT...
refused() {
    local wanted=$1 message=$2 code=0
    shift 2
    cli gantt "$@" >out.txt 2>err.txt || code=$?
    same "exit code of gantt $*" "$wanted" "$code"
    has err.txt "$message"
    same "lines of the message of gantt $*" 1 "$(wc -l <err.txt)"
}
refused 1 "no resource" --resource nancy/nowhere trace.db -o x.svg
refused 1 "no event type" --type nowhere trace.db -o x.svg
refused 2 "unknown suffix" trace.db -o x.gif
refused 2 "exclude each other" --json trace.db -o x.svg
refused 2 "--width is 10, expected 320 to 20000" --width 10 trace.db -o x.svg
refused 2 "--theme is" --theme green trace.db -o x.svg
refused 1 "and the trace goes" --from 5h trace.db -o x.svg
[ ! -e x.svg ] || fail "a refused picture was written"

# What points at a state, a link or an event finds what it carries, in the picture and in JSON.
cat >carried.json <<'TRACE'
[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":100,"name":"send","args":{"bytes":4096,"to <whom>":"a \"b\"\n"}},
 {"ph":"i","pid":1,"tid":1,"ts":150,"name":"note","args":{"why":"late"}},
 {"ph":"X","pid":1,"tid":2,"ts":20,"dur":100,"name":"receive"}]
TRACE
"$OCELOTL_CLI" import carried.json -o carried.db 2>/dev/null
"$OCELOTL_CLI" gantt carried.db -o carried.svg >/dev/null
for line in 'bytes: 4096' 'to &lt;whom&gt;: a &quot;b&quot;' 'why: late'; do
    grep -F "$line" carried.svg >/dev/null || grep -F "${line//&quot;/\"}" carried.svg >/dev/null ||
        fail "no $line in the picture: $(grep -o '<title>[^<]*' carried.svg)"
done
"$OCELOTL_CLI" gantt --json carried.db >carried.out
python3 - carried.out <<'CHECK' || fail "not what the trace says: $(cat carried.out)"
import json, sys
rows = json.load(open(sys.argv[1]))["rows"]
found = [o.get("attributes") for r in rows for o in r["objects"]]
assert {"bytes": 4096, "to <whom>": 'a "b"\n'} in found and {"why": "late"} in found, found
CHECK

# CSV has a line for each object, and for each value of a merged one: their time is that of stats.
cli gantt --csv --width 400 trace.db >whole.csv
cli stats --csv trace.db >stats.csv
python3 - <<'EOF' || fail "gantt --csv is not what stats has"
import collections, csv, json
rows = list(csv.DictReader(open("whole.csv")))
time = collections.Counter()
for row in rows:
    if row["category"] == "state":
        time[row["value"]] += float(row["duration"])
        assert float(row["share"] or 0) <= 1 + 1e-9, row
listed = {row["value"]: float(row["inclusive"]) for row in csv.DictReader(open("stats.csv"))
          if row["category"] == "state" and row["value"]}
named = {value: time[value] for value in listed}
assert all(abs(named[value] - listed[value]) <= 1e-9 + time[""] for value in listed), (named, listed)
assert abs(sum(time.values()) - sum(listed.values())) < 1e-6, (time, listed)
drawn = json.load(open("whole.json"))
assert sum(row["category"] == "link" for row in rows) == len(drawn["links"])
EOF
refused 2 'one for --csv' --csv trace.db trace.db

# Groups as rows: each has the time of all below it, in as many rows as there are groups.
cli gantt --at SWITCH trace.db -o groups.svg
has groups.svg '96 rows, drawn as 6 groups'
cli gantt --at SWITCH --json trace.db >groups.json
python3 - <<'EOF' || fail "gantt --at"
import json
rows = json.load(open("groups.json"))["rows"]
assert len({row["group"] for row in rows}) == 6, {row["group"] for row in rows}
assert all(row["resource"].startswith(row["group"] + "/") for row in rows)
groups = [row["group"] for row in rows]
assert groups == sorted(groups, key=groups.index)  # each is together
EOF
cli gantt --at all trace.db -o all.svg
has all.svg 'drawn as 1 group'
refused 2 '--at and --order exclude each other' --at SWITCH --order name trace.db
refused 1 'nearest is "SWITCH"' --at SWITHC trace.db

# Rows in the order of the overview, and rows that are used again, without a part.
python3 - >lives.trace <<'EOF'
import paje
print(paje.head("DefineContainerType DefineStateType CreateContainer DestroyContainer SetState"))
print("0 R 0 Root\n0 T R Thread\n1 S T State\n2 0 root R 0 root")
lives = {"c": (4, 10), "b": (5, 9), "a": (0, 3), "d": (0, 4.5)}
for time, name, begins in sorted((time, name, time == life[0]) for name, life in lives.items()
                                 for time in life):
    print(f"2 {time} {name} T root {name}\n4 {time} S {name} busy" if begins
          else f"3 {time} T {name}")
EOF
cli import lives.trace -o lives.db >/dev/null
order() { cli gantt --csv "$@" lives.db | sed -n 's,^root/\([a-d]\)\,root/\(.\).*,\1\2,p' | tr '\n' ' '; }
same "rows as the trace has them" "aa dd cc bb " "$(order)"
same "rows by name" "aa bb cc dd " "$(order --order name)"
same "rows by begin" "aa dd cc bb " "$(order --order begin)"
same "rows used again" "aa ca dd bd " "$(order --reuse-rows)"
cli gantt --reuse-rows lives.db -o reused.svg
same "rows of names" "a d" "$(grep -o '>[abcd]</text>' reused.svg | tr -d '></tex' | sort | xargs)"

# Colours by a number that is carried: the ends of the scale are those of what is drawn.
python3 - >sizes.trace <<'EOF'
import paje
print(paje.head("DefineContainerType DefineStateType CreateContainer", "PushState+size PopState"))
print("0 T 0 Thread\n1 S T State\n2 0 a T 0 a")
for at, size in enumerate((10, 25000, 20)):
    print(f"3 {at} S a busy {size}\n4 {at + 0.5} S a")
print("3 4 S a busy none\n4 5 S a")
EOF
cli import sizes.trace -o sizes.db 2>/dev/null
cli gantt --colour-by size sizes.db -o sizes.svg
python3 - <<'EOF' || fail "gantt --colour-by"
import re
text = open("sizes.svg").read()
fills = {size: fill for fill, size in re.findall(
    r'<g fill="(#[0-9a-f]+)">\n<path[^>]*><title>busy[^<]*size: (\w+)', text)}
light = {size: sum(int(fill[i:i + 2], 16) for i in (1, 3, 5)) for size, fill in fills.items()}
assert light["10"] > light["20"] > light["25000"], (fills, light)
assert "size 10<" in text and "size 25 k<" in text, re.findall("size [^<]+<", text)
EOF
refused 1 'carries a number "siez"' --colour-by siez sizes.db

# Lines of the program that an event names; what leads out of the folder is not read.
mkdir -p sources
printf 'int first;\nint <second>;\nint third;\nint fourth;\n' >sources/main.c
printf 'secret\n' >outside.c
python3 - >lines.trace <<'EOF'
import paje
print(paje.head("DefineContainerType DefineStateType CreateContainer", "PushState+File+Line PopState"))
print("0 T 0 Thread\n1 S T State\n2 0 a T 0 a")
for at, place in enumerate(("src/main.c 2", "../outside.c 1", "nowhere.c 1", "main.c 99999")):
    print(f"3 {at} S a busy {place}\n4 {at + 0.5} S a")
EOF
cli import lines.trace -o lines.db >/dev/null
cli gantt --source sources lines.db -o lines.svg
has lines.svg ' 1  int first;'
has lines.svg '▸2  int &lt;second&gt;;'
lacks lines.svg 'fourth'
lacks lines.svg 'secret'
refused 1 'nowhere: cannot open' --source nowhere lines.db -o x.svg
cli gantt lines.db -o plain.svg
lacks plain.svg 'int first'

# Shares stand one upon the other in the row of a group: of four threads three do a, then one.
{
    paje_definitions SetState
    printf '0 H 0 host\n0 T H thread\n1 S T state\n2 0 h H 0 h\n'
    for thread in 1 2 3 4; do printf "2 0 t$thread T h t$thread\n"; done
    printf '3 0 S t1 a\n3 0 S t2 a\n3 0 S t3 a\n3 0 S t4 b\n3 5 S t1 b\n3 5 S t2 b\n3 10 S t1 a\n'
} >shares.trace
cli gantt --at host shares.trace -o shares.svg
python3 - <<'PY' || fail "stacked shares"
import re
boxes = [(colour, float(x), round(float(y) + float(height) / 2), float(height))
         for colour, height, x, y in re.findall(
             r'stroke="(#[0-9a-f]+)" stroke-width="(\d+)" d="M(\d+) ([0-9.]+)h',
             open("shares.svg").read())
         if colour != "#ffffff"]
bottom = max(box[2] for box in boxes)
a = sorted(box[1:] for box in boxes if box[2] == bottom)  # the legend's first is at the bottom
b = sorted(box[1:] for box in boxes if box[2] < bottom)
assert len(a) == len(b) == 2 and a[0][0] == b[0][0] and a[1][0] == b[1][0], boxes
for low, high in ((b[0], a[0]), (a[1], b[1])):
    assert abs(high[2] / 3 - low[2]) <= 1, boxes
PY

# Rows too low for names are named here and there, with their number.
python3 -c 'print("resource,begin,end,state")
for rank in range(400):
    print(f"rank.{rank},0,1,run")' >flat.csv
cli gantt flat.csv --height 500 -o flat.svg
has flat.svg '>rank.0<' '400 rows</text>'
[ "$(grep -c '>rank.[0-9]*</text>' flat.svg)" -gt 20 ] || fail "names of low rows"
