# The matrix of messages against SQL, on traces of three kinds: with clusters, with as many ranks as
# a large run, and with odd messages; the cells of one level add up to those of the level above.
need python3

# Messages to oneself, without a size, of size 0, between levels, at one instant, backwards, and
# with one end alone.
paje_events DefineContainerType DefineLinkType CreateContainer StartLink+size \
    EndLink StartLink >odd.trace
cat >>odd.trace <<'ODD'
0 R 0 rack
0 H R host
0 P H proc
1 L 0 P P message
1 U 0 H P down
1 D 0 P H up
2 0 r0 R 0 r0
2 0 r1 R 0 r1
2 0 h0 H r0 h0
2 0 h1 H r0 h1
2 0 h2 H r1 h2
2 0 p0 P h0 p0
2 0 p1 P h0 p1
2 0 p2 P h1 p2
2 0 p3 P h2 p3
3 1.0 L 0 v p0 self 100
4 1.5 L 0 v p0 self
3 2.0 L 0 v p0 zero 0
4 2.25 L 0 v p1 zero
5 3.0 L 0 v p0 none
4 3.5 L 0 v p1 none
3 3.0 L 0 v p1 once 7
4 3.0 L 0 v p3 once
3 4.0 U 0 v h0 down 11
4 4.5 U 0 v p3 down
3 5.0 U 0 v h0 inner 13
4 5.5 U 0 v p0 inner
5 6.0 D 0 v p2 up
4 6.125 D 0 v h0 up
3 7.0 D 0 v p3 above 17
4 7.5 D 0 v h2 above
4 8.0 L 0 v p2 back
3 8.5 L 0 v p3 back 19
3 9.0 L 0 v p3 endless 23
4 9.5 L 0 v p1 orphan
3 10.0 L 0 v p2 last 29
4 12.0 L 0 v p0 last
ODD
cat >judge.py <<'JUDGE'
import collections, json, sys
from program import cli as call, table

trace, levels = sys.argv[1], sys.argv[2].split(",")
rows = table("sql", "--csv", trace, """SELECT source, target, count(*) AS count,
    sum(json_extract(attributes, '$.size')) AS bytes,
    sum(duration >= 0 AND source IS NOT NULL AND target IS NOT NULL) AS timed,
    sum(CASE WHEN duration >= 0 AND source IS NOT NULL AND target IS NOT NULL THEN duration END)
        AS time,
    min(CASE WHEN duration >= 0 AND source IS NOT NULL AND target IS NOT NULL THEN duration END)
        AS least,
    sum(duration < 0 AND source IS NOT NULL AND target IS NOT NULL) AS violations
    FROM events WHERE category = 'link' GROUP BY 1, 2""")

def near(text, number):
    return abs(float(text or 0) - number) <= 1e-9 * (1 + abs(number))

def check(level):
    # A level is how many components a path of it has; what is above is in no group.
    depth = int(level.split("=")[1])
    name = level.split("=")[0]

    def group(path):
        if path == "":
            return "(unknown)"
        parts = path.split("/")
        return "/".join(parts[:depth]) if len(parts) >= depth else "(outside)"

    wanted = collections.defaultdict(lambda: [0, 0, 0.0, None, 0, 0])
    for row in rows:
        cell = wanted[group(row["source"]), group(row["target"])]
        known = row["source"] != ""
        cell[0] += int(row["count"]) if known else 0
        cell[1] += int(row["bytes"] or 0) if known else 0
        cell[2] += float(row["time"] or 0)
        cell[4] += int(row["violations"] or 0)
        cell[5] += int(row["count"]) if row["target"] != "" else 0
        if row["least"] != "":
            least = float(row["least"])
            cell[3] = least if cell[3] is None else min(cell[3], least)
    found = {(cell["row"], cell["column"]): cell
             for cell in table("matrix", "--csv", "--at", name, trace)}
    if found.keys() != wanted.keys():
        sys.exit(f"{trace} {level}: cells differ: {found.keys() ^ wanted.keys()}")
    for key, (count, size, time, least, violations, ended) in wanted.items():
        cell = found[key]
        same = (int(cell["count"]) == count and int(float(cell["bytes"] or 0)) == size
                and near(cell["time"], time) and int(cell["violations"]) == violations
                and int(cell["ended"]) == ended
                and (cell["least"] == "" if least is None else near(cell["least"], least)))
        if not same:
            sys.exit(f"{trace} {level} {key}: {cell}, expected {wanted[key]}")
    return found

finer = None
for level in levels:  # from the finest to the coarsest; what is above a level is outside of it
    cells = check(level)
    for sums in ("count", "ended", "violations"):
        here = sum(int(cell[sums]) for cell in cells.values())
        if finer is not None and here != finer[sums]:
            sys.exit(f"{trace} {level}: {sums} of levels differ: {here}, {finer[sums]}")
    finer = {sums: sum(int(cell[sums]) for cell in cells.values())
             for sums in ("count", "ended", "violations")}
kinds = [kind for kind in json.loads(call("stats", "--json", trace))["types"]
         if kind["category"] == "link"]
for sums, told in (("count", "begun"), ("ended", "ended")):
    if sum(kind[told] for kind in kinds) != finer[sums]:
        sys.exit(f"{trace}: {sums}: {finer[sums]}, stats {[kind[told] for kind in kinds]}")
for kind in kinds:  # what ends before it begins has no duration, in stats as in the matrix
    lasts = [float(row["duration"]) for row in table("sql", "--csv", trace, f"""SELECT duration
        FROM events WHERE category = 'link' AND type = '{kind["name"]}' AND duration >= 0
        AND source IS NOT NULL AND target IS NOT NULL""")]
    told = [kind["mean"], kind["min"], kind["max"]]
    if not lasts and told != [None] * 3 or lasts and not all(
            near(found, least) for found, least in
            zip(told, (sum(lasts) / len(lasts), min(lasts), max(lasts)))):
        sys.exit(f"{trace}: {kind}, but durations are {lasts[:9]}")
JUDGE
cli import odd.trace -o odd.db >/dev/null 2>&1
python3 judge.py odd.db proc=3,host=2,rack=1 || fail "odd messages"
example right.db
python3 judge.py right.db MPI=5,MACHINE=4,SWITCH=3,CLUSTER=2 || fail "96 ranks"
cli import "$OCELOTL_ROOT/tests/data/smpi-stencil-700.trace.zst" -o large.db >/dev/null
python3 judge.py large.db MPI=5,CLUSTER=2 || fail "700 ranks"
