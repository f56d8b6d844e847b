# A type has one colour in every picture of a trace, and the types with the most time differ
# for everybody.
need python3

# Two state types with nested states, an event type, a variable and links; the colours that it
# brings are all alike.
# Numbers are from 1: the first event has no use here.
{
    paje_events TraceFile DefineContainerType DefineStateType DefineEventType DefineVariableType \
        DefineLinkType DefineEntityValue+Color CreateContainer PushState PopState NewEvent \
        SetVariable StartLink EndLink
    awk 'BEGIN {
    print "1 P 0 proc\n2 S P work\n2 M P mode\n3 E P mark\n4 V P load\n5 L 0 P P message"
    count = split("send recv Sleeping wait compute Idle read write a b c d e f", names, " ")
    for (i = 1; i <= count; i++)
        printf "6 s%d S %s \"0.1 0.%d 0.5\"\n", i, names[i], 40 + i
    print "6 m1 M wait \"0.9 0.1 0.1\"\n6 m2 M user \"0.1 0.44 0.5\"\n6 e1 E tick \"0.1 0.45 0.5\"\n6 e2 E wait \"0 0 0\""
    for (p = 0; p < 6; p++)
        print "7 0 p" p " P 0 p" p
    for (t = 0; t < 60; t++)
        for (p = 0; p < 6; p++) {
            if (t % 4 == 0 && t > 0)
                print "9 " t " S p" p "\n9 " t " S p" p
            if (t % 4 == 0)
                print "8 " t " S p" p " s" (int(t / 4) + p) % count + 1 \
                    "\n8 " t + 1 " S p" p " s" (t + 2 * p) % count + 1
            if (t % 15 == 0)
                print "8 " t " M p" p " m" (t + p) % 2 + 1
            print "10 " t " E p" p " e" (t + p) % 2 + 1 "\n11 " t " V p" p " " (t * p) % 7
            if (p > 0 && t % 6 == 0)
                print "12 " t " L 0 data p" p " k" t p "\n13 " t + 2 " L 0 data p0 k" t p
        }
}'
} | awk '/^%|^[1-7] /; /^[89] |^1[0-3] / { print | "sort -s -g -k 2,2" }' >own.trace
printf 'path,type,slice,value\n' >matrix.csv
awk 'BEGIN { for (i = 0; i < 400; i++) printf "n%d/l%d,%s,%d,%d\n", i % 4, i % 20,
    substr("wait send idle other", 1 + 5 * (int(i / 20) % 4), 4), int(i / 80), i % 7 }' |
    sort -u -t, -k1,3 >>matrix.csv
unpack "$sample" >stencil.trace
unpack "$OCELOTL_ROOT/tests/data/smpi-stencil-96-plain.trace.zst" >plain.trace
for trace in pajeng-native_paje pajeng-native_sample pajeng-simu-mardi pajengr-simgrid \
    pajeng-categories; do
    [ ! -f "$shared/$trace.trace" ] || cp "$shared/$trace.trace" .
done

cat >check.py <<'END'
import glob, itertools, json, math, os, re, subprocess, sys
from visions import VISIONS, looks

failures = 0
every = int(os.environ.get("OCELOTL_TEST_FULL", "4"))
MARKS = {"(no state)", "(no value)", "outside lifetime"}

def fail(*what):
    global failures
    failures += 1
    print("FAILED:", *what, file=sys.stderr)

def run(*words):
    return subprocess.run([os.environ["OCELOTL_CLI"], *words], capture_output=True, text=True, check=False)

def clean(text):
    for entity, letter in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#39;", "'"), ("&amp;", "&")):
        text = text.replace(entity, letter)
    return text

def legend(text):
    """The types of a legend: a swatch, without a frame, and the name after it."""
    for group in re.findall(r'<g [^>]*class="legend"[^>]*>(.*?)</g>', text, re.S):
        for swatches, name in re.findall(r'((?:<(?:rect|path)[^>]*/>\s*)+)<text[^>]*>(?:<title>[^<]*</title>)?([^<]*)</text>', group):
            fills = re.findall(r'<rect [^>]*fill="(#[0-9a-f]{6})"', swatches)
            if "stroke=" in swatches or len(fills) != 1 or "url(" in swatches or "fill-opacity" in swatches:
                continue
            yield clean(name).replace(" (arrows)", ""), fills[0]

def bars(text):
    for fill, name in re.findall(r'<rect [^>]*fill="(#[0-9a-f]{6})"><title>([^\n<]*)\n', text):
        yield clean(name), fill

def page(text):
    for name, fill, untraced in json.loads(re.search(r'"types":(\[\[.*?\]\])', text, re.S)[1]):
        if not untraced and name != "(no state)":
            yield name, fill

class Types:
    """The colours of one trace, as they are met."""

    def __init__(self, trace):
        self.trace, self.colours, self.pictures, self.asked = trace, {}, 0, 0

    def take(self, words, found):
        for name, fill in found:
            if name in MARKS or "…" in name:
                continue
            before, where = self.colours.setdefault(name, (fill, words))
            if before != fill:
                fail(self.trace, repr(name), "is", fill, "in", words, "and", before, "in", where)

    def draw(self, *words, trace=None, required=False):
        name = "out.html" if words[-1:] == ("report",) else "out.svg"
        # Pictures that draw alike the types of a trace of somebody else's are thinned.
        self.asked += 1
        if not required and self.trace not in ("own.db", "matrix.csv") and self.asked % every:
            return
        words = (*words[:-1], "--theme", "light") if name == "out.html" else words
        if not self.trace.endswith(".csv") and (words[0] if words else "--")[:2] in ("--", "tr"):
            words = (*words, "--background", "none")  # which is pale, where it is drawn
        done = run(*words, *(trace or [self.trace]), "-o", name)
        if done.returncode != 0:
            if required or done.returncode > 2 or done.returncode < 0:
                fail(self.trace, words, done.stderr[:300])
            return
        self.pictures += 1
        with open(name, encoding="utf-8") as file:
            text = file.read()
        # What only sums up types beside it has the names of groups.
        self.take(words, page(text) if name == "out.html" else bars(text) if words[:1] == ("stats",) else legend(text))

def every_picture(types):
    draw, slices = types.draw, () if types.trace.endswith(".csv") else ("--slices", "20")
    views = re.findall(r"^  (temporal|spatial|spatiotemporal)\s+(\S+)|^  (\S+)\s", run("--help", "views").stdout, re.M)
    names = {b or c for a, b, c in views} | {"mode", "stacked", "histogram", "partition", "amplitude", "treemap"}
    metrics = re.findall(r"^  ([a-z]+-[a-z-]+)  ", run("--help", "metrics").stdout, re.M)
    if len(metrics) < 10:
        fail("metrics", metrics)
    draw(required=True)
    for kind, view in itertools.product(("temporal", "spatial", "spatiotemporal"), sorted(names)):
        draw("--kind", kind, "--view", view, *slices)
    for metric in metrics:
        for kind in ("temporal", "spatiotemporal"):
            draw("--metric", metric, "--kind", kind, *slices)
    draw("report")
    draw("--p", "1", *slices)
    draw("--kind", "temporal", "--p", "0", *slices, "report")
    if types.trace.endswith(".csv"):
        return
    names = [value["name"] for kind in json.loads(run("stats", "--json", types.trace).stdout)["types"] for value in kind["values"]]
    kinds = [kind["name"] for kind in json.loads(run("stats", "--json", types.trace).stdout)["types"] if kind["category"] == "state"]
    for window in ([], ["--from", "10%"], ["--to", "30%"], ["--from", "40%", "--to", "45%"]):
        draw(*window, *slices)
        draw(*window, "--kind", "temporal", *slices)
        draw("stats", *window)
        draw("gantt", *window)
        draw("treemap", *window)
        draw("series", *window)
    draw("stats", required=True)
    draw("sweep", "-o", "out.svg")
    draw("compare", "--from2", "50%", "--to", "50%", *slices, trace=[types.trace, types.trace])
    for kind in kinds:
        draw("--state-type", kind, *slices)
        draw("series", "--state-type", kind)
    for name in sorted(set(names))[:12]:
        draw("--only", name, *slices)
        draw("--except", name, *slices)
        draw("gantt", "--only", name)
        draw("stats", "--except", name)
    for more in (["--nesting", "inclusive"], ["--untraced", "ignore"], ["--hierarchy", "auto"], ["--max-leaves", "4"],
                 ["--most-types", "3"], ["--most-types", "6"], ["--part", "1"], ["--width", "2000"], ["--nesting-depth", "1"],
                 ["--min-duration", "1us"], ["--group-types", "*e*=with e"], ["--group-types", "*e*=e and", "--group-types", "*a*=a"]):
        draw(*more, *slices)
        draw(*more, "--kind", "temporal", *slices, "report")

def told_apart(types):
    time = {}
    for kind in json.loads(run("stats", "--json", types.trace).stdout)["types"]:
        for value in kind["values"]:
            if kind["category"] == "state":
                time[value["name"]] = time.get(value["name"], 0) + value["innermost"]
    most = sorted(time, key=lambda name: -time[name])[:12]
    for a, b in itertools.combinations([name for name in most if name in types.colours], 2):
        for vision in VISIONS:
            pair = [looks(types.colours[name][0], vision) for name in (a, b)]
            if math.dist(*pair) < (0.08 if vision == "normal" else 0.05):
                fail(types.trace, a, types.colours[a][0], b, types.colours[b][0], vision, math.dist(*pair))
    if most and len([name for name in most if name in types.colours]) < min(len(most), 3):
        fail(types.trace, "few types are in pictures:", sorted(types.colours))

def main():
    traces = {}
    for trace in sorted(glob.glob("*.trace")) + ["matrix.csv"]:
        source = trace
        if trace.endswith(".trace"):
            trace = trace.replace(".trace", ".db")
            if run("import", source, "-o", trace).returncode != 0:
                fail("no import of", source)
                continue
        traces[trace] = Types(trace)
        every_picture(traces[trace])
        if trace.endswith(".db"):
            told_apart(traces[trace])
        if traces[trace].pictures < 10:
            fail(trace, "only", traces[trace].pictures, "pictures")
    # A comparison has the colours of the first.
    for words in ([], ["--view", "mode"], ["--metric", "event-count"]):
        traces["stencil.db"].draw("compare", *words, trace=["stencil.db", "plain.db"], required=True)
        traces["own.db"].draw("compare", *words, trace=["own.db", "stencil.db"])
    own = traces["own.db"].colours
    for name in ("PMPI_Allreduce", "PMPI_Bcast"):
        if name in own and any(name != other and own[name][0] == own[other][0] for other in own):
            fail("a type of the second alone", name, own[name])
    # A user's row goes before all else, everywhere.
    with open("palette.csv", "w", encoding="utf-8") as file:
        file.write("name,colour\nsend,#123456\nothers,#654321\nwith e,#ff0000\n")
    mine = Types("own.db")
    for words in ([], ["gantt"], ["stats"], ["series"], ["--metric", "event-count"], ["--most-types", "2"], ["--from", "50%"], ["report"],
                  ["--group-types", "*e*=with e"]):
        mine.draw(*words[:-1], "--palette", "palette.csv", "report") if words == ["report"] else mine.draw(*words, "--palette", "palette.csv")
    for name, wanted in (("send", "#123456"), ("others", "#654321"), ("with e", "#ff0000")):
        if mine.colours.get(name, ("none",))[0] != wanted:
            fail("the user's colour of", name, "is", mine.colours.get(name))
    dark = Types("own.db")
    for words in ([], ["gantt"], ["stats"], ["series"], ["--metric", "event-count"], ["--from", "50%"]):
        dark.draw(*words, "--theme", "dark")
    told_apart(dark)

main()
sys.exit(failures > 0)
END
python3 check.py || fail "colours differ"
