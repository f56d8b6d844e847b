# The colours of a tree of types, and its legend: a hue for each outermost group, the same colours
# in every view, for all visions, and types below the names of their groups; the page has them, too.
. "$OCELOTL_ROOT/tests/cli/serving.inc"
need python3 jq

# Two runs of calls of MPI; the second has some more, and other shares.
cat >make.py <<'END'
import random, sys
random.seed(int(sys.argv[1]))
calls = "Send Isend Recv Irecv Sendrecv Wait Waitall Barrier Bcast Reduce Allreduce Put Win_fence"
names = ["MPI_" + call for call in (calls + " File_read" * (sys.argv[1] == "2")).split()]
names += ["computing", "strange", "stranger"]
print("resource,type,value,begin,end")
for leaf in range(4):
    at = 0
    while at < 2000:
        end = at + random.randrange(1, 60)
        print(f"n{leaf // 2}/p{leaf},call,{random.choice(names)},{at},{end}")
        at = end
END
for run in 1 2; do
    python3 make.py $run >run$run.csv
    cli import run$run.csv -o run$run.db >/dev/null 2>&1 || fail "no import"
done

cat >check.py <<'END'
import itertools, json, math, re, subprocess, os, sys
from visions import VISIONS, looks

GROUPS = {"MPI_Send": "Point-to-point › Sending", "MPI_Isend": "Point-to-point › Sending",
          "MPI_Recv": "Point-to-point › Receiving", "MPI_Irecv": "Point-to-point › Receiving",
          "MPI_Sendrecv": "Point-to-point › Exchanging", "MPI_Wait": "Point-to-point › Completing",
          "MPI_Waitall": "Point-to-point › Completing", "MPI_Barrier": "Collective › Synchronising",
          "MPI_Bcast": "Collective › One to all", "MPI_Reduce": "Collective › All to one",
          "MPI_Allreduce": "Collective › All to all", "MPI_Put": "One-sided",
          "MPI_Win_fence": "One-sided", "MPI_File_read": "MPI files", "computing": "Application",
          "strange": "other", "stranger": "other"}
STEPS = {step for groups in GROUPS.values() for step in groups.split(" › ")}
failures = 0

def fail(*what):
    global failures
    failures += 1
    print("FAILED:", *what, file=sys.stderr)

def draw(*words):
    subprocess.run([os.environ["OCELOTL_CLI"], *words, "-o", "it.svg", "--force"], check=True,
                   capture_output=True)
    with open("it.svg", encoding="utf-8") as file:
        return file.read()

def legend_of(picture):
    """Types with their colours and the groups they stand below, in their order."""
    found, groups, colour = [], [], None
    legend = picture[picture.rindex('<g class="legend">'):]
    for bold, fill, text in re.findall(
            r'<(?:text[^>]*(font-weight="bold")|rect[^>]*fill="(#[0-9a-f]{6})"|text)[^>]*>'
            r'(?:<title>[^<]*</title>)?([^<]*)', legend):
        if fill:
            colour = fill
        elif bold:
            steps = text.split(" › ")
            outer = steps if steps[0] in {g.split(" › ")[0] for g in GROUPS.values()} else None
            groups = outer or groups[:1] + steps
        elif text in GROUPS or text in STEPS:
            found.append((text, colour, " › ".join(groups)))
    return found

def hue(colour):
    _, a, b = looks(colour)
    return math.degrees(math.atan2(b, a)), math.hypot(a, b)

def turned(a, b):
    return abs((a - b + 180) % 360 - 180)

colours = {}
tree = ["--type-tree", "mpi", "--width", "1800", "--height", "900"]
for words in (["--slices", "20", "--p", "0"], ["--slices", "20", "--from", "300", "--to", "900"],
              ["--kind", "temporal", "--slices", "20"], ["--kind", "spatial"], ["gantt"],
              ["gantt", "--only", "MPI_[SRP]*"], ["gantt", "--only", "MPI_I*"], ["treemap"], ["--metric", "event-count"],
              ["--only", "MPI_W*", "--only", "str*"], ["--most-types", "5"],
              ["--view", "stacked", "--kind", "temporal", "--slices", "9"]):
    listed = legend_of(draw(*words, *tree, "run1.db"))
    if len(listed) < 2:
        fail(words, "the legend has", listed)
    for name, colour, groups in listed:
        if groups != GROUPS[name]:
            fail(words, name, "stands below", groups)
        if colours.setdefault(name, colour) != colour:
            fail(words, name, "is", colour, "and was", colours[name])
    order = [groups for _, _, groups in listed]
    if len([group for group, _ in itertools.groupby(order)]) != len(set(order)):
        fail(words, "a group is in two places", order)
missing = set(GROUPS) - set(colours) - {"MPI_File_read"}
if missing:
    fail("no legend has", missing)
bars = draw("stats", "--type-tree", "mpi", "run1.db")
curves = draw("series", "--at", "all", "--type-tree", "mpi", "run1.db")
for name, colour in colours.items():
    if colour not in bars or colour not in curves:
        fail("no bar, or no curve, has the colour of", name)
# One hue a group, and others apart; what the tree does not name is grey.
for (a, one), (b, other) in itertools.combinations(colours.items(), 2):
    top = [GROUPS[name].split(" › ")[0] for name in (a, b)]
    (first, colourful), (second, also) = hue(one), hue(other)
    if "other" in top:
        continue
    if top[0] == top[1] and turned(first, second) > 62:
        fail(a, one, b, other, "are of one group, and turned by", turned(first, second))
    if top[0] != top[1] and turned(first, second) < 12:
        fail(a, one, b, other, "are of two groups, and turned by", turned(first, second))
    if min(colourful, also) < 0.03:
        fail(a, one, b, other, "are nearly grey")
for name in ("strange", "stranger"):
    if hue(colours[name])[1] > 0.01:
        fail(name, colours[name], "is not grey")
# Sixteen types differ for everybody.
for vision in VISIONS:
    for (a, one), (b, other) in itertools.combinations(colours.items(), 2):
        distance = math.dist(looks(one, vision), looks(other, vision))
        if distance < (0.05 if vision == "normal" else 0.03):
            fail(a, one, b, other, vision, distance)
# Groups have the colours of the tree, whatever the trace and the window.
groups = {}
for trace in ("run1.db", "run2.db"):
    for words in (["--p", "0"], ["--from", "20%", "--to", "30%"], ["--metric", "event-count"]):
        for level in "1", "2":
            for name, colour, _ in legend_of(draw(*words, *tree, "--type-level", level, trace)):
                known = colours if name in GROUPS and trace == "run1.db" else groups
                if name in GROUPS and trace == "run2.db":
                    continue
                if known.setdefault(name, colour) != colour:
                    fail(trace, words, level, name, colour, known[name])
if not {"Point-to-point", "Collective", "other"} <= set(groups):
    fail("few groups:", groups)
# A palette comes first, and --show keeps what is in a group.
with open("palette.csv", "w", encoding="utf-8") as file:
    file.write("name,colour\nMPI_Wait,#123456\nCollective,#654321\n")
named = dict((name, colour) for name, colour, _ in legend_of(
    draw("gantt", *tree, "--palette", "palette.csv", "run1.db")))
if named.get("MPI_Wait") != "#123456":
    fail("the palette's colour is not taken", named)
shown = dict((name, colour) for name, colour, _ in legend_of(
    draw("gantt", *tree, "--show", "Collective", "run1.db")))
for name, colour in shown.items():
    if (colour == colours[name]) != GROUPS[name].startswith("Collective"):
        fail("--show of a group:", name, colour, colours[name])
# The report has the groups of its types.
subprocess.run([os.environ["OCELOTL_CLI"], "--type-tree", "mpi", "run1.db", "-o", "it.html"],
               check=True, capture_output=True)
with open("it.html", encoding="utf-8") as file:
    types = dict(re.findall(r'\["([^"]*)","[^"]*",[01],"([^"]*)"\]', file.read()))
for name, group in GROUPS.items():
    if name != "MPI_File_read" and types.get(name) != group:
        fail("in the report", name, "is in", types.get(name))
if types.get("(no state)", "") != "":
    fail("untraced time is in", types["(no state)"])
sys.exit(failures > 0)
END
python3 check.py || fail "colours or legends"

# --- The page offers the trees, and reads no file
begin_serving run1.db
same "the view" 200 "$(ask '/api/v1/view?type-tree=mpi&type-level=1')"
holds "types of the view" answer.txt '[.types[][0]] | index("Point-to-point") != null'
# The level that is chosen is that of the whole, also where it is known from before.
for window in '' '&from=300&to=900' '&from=300&to=900&only=MPI_S*' '&only=MPI_S*' \
    '&from=1&to=99'; do
    only=$(sed -n 's/.*only=//p' <<<"$window")
    same "a window" 200 "$(ask "/api/v1/view?type-tree=mpi&type-level=auto$window")"
    level=$(grep -o 'at level [0-9]* of 3' answer.txt | sort -u)
    cli --type-tree mpi --type-level auto --json ${only:+--only} ${only:+"$only"} run1.db \
        >whole.json 2>/dev/null
    same "the level of '$window'" "$(jq -r .grouping whole.json | grep -o 'at level [0-9]* of 3')" \
        "$level"
done
same "the options" 200 "$(ask /api/v1/trace)"
holds "words of the options" answer.txt \
    '[.parameters[] | select(.name == "type-tree").words[]] == ["mpi", "openmp", "cuda", "kernel"]'
same "events" 200 "$(ask '/api/v1/gantt?type-tree=mpi&type-level=1')"
has answer.txt 'gantt --type-tree mpi run1.db'
same "messages" 200 "$(ask '/api/v1/stats?type-tree=cuda')"
printf 'A/MPI_Send\n' >mine.txt
denied "a file" 400 'option --type-tree names a file that the command line does not' \
    '/api/v1/view?type-tree=mine.txt'
denied "a level of none" 400 '--type-level needs --type-tree' '/api/v1/view?type-level=1'
denied "a level too deep" 400 'expected 1 to 3, or auto' '/api/v1/view?type-tree=mpi&type-level=9'
ended
served --type-tree mine.txt run1.db
same "a file of the command line" 200 "$(ask '/api/v1/view?type-tree=mine.txt&type-level=1')"
holds "its types" answer.txt '[.types[] | select(.[2] == 0)[0]] | sort == ["A", "other"]'
ended
