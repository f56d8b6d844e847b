# The matrix of messages, against a count in Python, SQL, and the sums of `stats`.
need python3

# Messages between six processes on three hosts of two racks: links that end before they begin,
# links with one end alone, links of another type without bytes, and a process that sends itself.
cat >trace.py <<'END'
import collections, json, paje, random, sys

random.seed(11)
PLACES = {f"p{i}": ("r0" if i < 4 else "r1", f"h{i // 2}", f"p{i}") for i in range(6)}

def write(path, links, swap=False):
    """A Pajé trace: (begin, source, end, target, bytes, type), begin or end may be None."""
    lines = []
    for number, (begin, source, end, target, size, kind) in enumerate(links):
        source, target = (target, source) if swap else (source, target)
        if begin is not None:
            lines.append((begin, f"3 {begin} {kind} 0 v {source} {number} {size}" if size is not None else
                          f"7 {begin} {kind} 0 v {source} {number}"))
        if end is not None:
            lines.append((end, f"4 {end} {kind} 0 v {target} {number}"))
    with open(path, "w", encoding="utf-8") as file:
        print(paje.head("DefineContainerType DefineLinkType CreateContainer StartLink+size EndLink DefineEventType NewEvent StartLink"),
              file=file)
        print("0 R 0 rack\n0 H R host\n0 P H proc\n1 L 0 P P link\n1 A 0 P P ack\n5 E P mark", file=file)
        for rack, host, proc in PLACES.values():
            for name, kind, above in ((rack, "R", "0"), (host, "H", rack), (proc, "P", host)):
                if name not in made.setdefault(path, set()):
                    print(f"2 0 {name} {kind} {above} {name}", file=file)
                    made[path].add(name)
        print("6 0 E p0 begin", file=file)
        for _, line in sorted(lines, key=lambda line: line[0]):
            print(line, file=file)
        print("6 100 E p0 end", file=file)

from program import cli as call, table

def wrong(*what):
    print("FAILED:", *what, file=sys.stderr)
    sys.exit(1)

def matrix(*words):
    return {(row["row"], row["column"]): row for row in table("matrix", "--csv", *words)}

made = {}
links = []
for number in range(400):
    begin = round(random.uniform(1, 90), 3)
    end = round(begin + random.choice([-0.25, 0, 0.5, 1, 2.125]), 3)
    one = random.random()
    links.append((None if one < 0.03 else begin, random.choice(list(PLACES)), None if one > 0.97 else end, random.choice(list(PLACES)),
                  None if one < 0.03 or number % 9 == 0 else random.randrange(1, 5000), "A" if number % 9 == 0 else "L"))
write("trace.trace", links)
call("import", "trace.trace", "-o", "trace.db")

def account(row_level, column_level, first=0, last=100, keep=lambda link: True):
    """What links add up to; a level is an index of PLACES, None for all."""
    group = lambda name, level: "(unknown)" if name is None else "all" if level is None else "/".join(PLACES[name][:level + 1])
    found = collections.defaultdict(lambda: {"count": 0, "bytes": 0, "ended": 0, "received": 0, "time": 0, "violations": 0, "durations": [],
                                             "inside": 0})
    for link in links:
        begin, source, end, target, size, _ = link
        if not keep(link):
            continue
        cell = found[group(source if begin is not None else None, row_level), group(target if end is not None else None, column_level)]
        instant = end if begin is None else begin if end is None else max(begin, end)
        if begin is not None and first <= begin <= last:
            cell["count"] += 1
            cell["bytes"] += size or 0
        if end is not None and first <= instant <= last:
            cell["ended"] += 1
            cell["received"] += (size or 0) if begin is not None else 0
            if begin is not None and end < begin:
                cell["violations"] += 1
            elif begin is not None:
                cell["durations"].append((end - begin, size or 0))
        if begin is not None and end is not None:
            cell["inside"] += max(0, min(end, last) - max(begin, first))
    return {key: cell for key, cell in found.items() if cell["count"] or cell["ended"] or cell["inside"] > 1e-9}

def near(text, number):
    return text == "" and number == 0 or abs(float(text or "nan") - number) <= 1e-9 * (1 + abs(number))

def compare(what, got, wanted, length):
    if got.keys() != wanted.keys():
        wrong(what, "cells", got.keys() ^ wanted.keys())
    for key, cell in wanted.items():
        row = got[key]
        durations = [duration for duration, _ in cell["durations"]]
        moved, time = sum(size for _, size in cell["durations"]), sum(durations)
        good = all(near(row[name], cell[name]) for name in ("count", "bytes", "ended", "received", "violations"))
        good = good and near(row["time"], time) and near(row["in_flight"], cell["inside"] / length)
        good = good and (near(row["mean"], time / len(durations)) and near(row["least"], min(durations)) if durations
                         else row["mean"] == row["least"] == "")
        if not good or (near(row["bandwidth"], moved / time) if time > 1e-9 else row["bandwidth"] == "") is False:
            wrong(what, key, row, cell)

LEVELS = {"rack": 0, "host": 1, "proc": 2, "all": None}
for rows, row_level in LEVELS.items():
    for columns, column_level in LEVELS.items():
        compare((rows, columns), matrix("--at", rows, "--columns", columns, "trace.db"), account(row_level, column_level), 100)
compare("default", matrix("trace.db"), account(2, 2), 100)
compare("window", matrix("--from", "20", "--to", "40", "--at", "host", "trace.db"), account(1, 1, 20, 40), 20)
compare("type", matrix("--type", "ack", "trace.db"), account(2, 2, keep=lambda link: link[5] == "A"), 100)
compare("where", matrix("--where", "size >= 2500", "--type", "link", "trace.db"),
        account(2, 2, keep=lambda link: link[5] == "L" and (link[4] or 0) >= 2500), 100)

# Of selected resources what has an end there; the other end is outside.
inside = lambda name: PLACES[name][0] == "r1"
got = matrix("--resource", "r1", "--at", "host", "trace.db")
ends = [(link[0] is not None and inside(link[1]), link[2] is not None and inside(link[3])) for link in links]
if sum(int(row["count"]) for row in got.values()) != sum(any(end) for link, end in zip(links, ends) if link[0] is not None):
    wrong("selected", got)
if {name for key in got for name in key} != {"r1/h2", "(outside)", "(unknown)"}:
    wrong("groups of what is selected", got.keys())

# The transposed trace gives the transpose.
both = [link for link in links if link[0] is not None and link[2] is not None]
write("there.trace", both)
write("back.trace", both, swap=True)
there, back = (matrix(f"{name}.trace") for name in ("there", "back"))
if {(b, a): cell["bytes"] for (a, b), cell in there.items()} != {key: cell["bytes"] for key, cell in back.items()}:
    wrong("transpose")

# JSON says the same as CSV, with sums; stats as well.
for words in (["trace.db"], ["--from", "20", "--to", "40", "trace.db"], ["--resource", "r0", "trace.db"]):
    found, listed = json.loads(call("matrix", "--json", *words)), list(matrix(*words).values())
    names = [[group["group"] for group in found[side]] for side in ("rows", "columns")]
    if [(names[0][cell["row"]], names[1][cell["column"]], cell["count"]) for cell in found["cells"]] != \
            [(row["row"], row["column"], int(row["count"])) for row in listed]:
        wrong("JSON", words)
    for side, key in (("rows", "row"), ("columns", "column")):
        for index, group in enumerate(found[side]):
            cells = [cell for cell in found["cells"] if cell[key] == index]
            if any(abs(sum(cell[name] for cell in cells) - group[name]) > 1e-9 for name in ("count", "ended", "bytes", "time", "violations")):
                wrong("sums", words, group)
    kinds = [kind for kind in json.loads(call("stats", "--json", *words))["types"] if kind["category"] == "link"]
    if "--from" in words:  # stats counts ends without a beginning where they were noted
        continue
    known = [cell for cell in found["cells"] if names[0][cell["row"]] not in ("(outside)", "(unknown)")]
    ended = [cell for cell in found["cells"] if names[1][cell["column"]] not in ("(outside)", "(unknown)")]
    sums = {"begun": sum(cell["count"] for cell in known), "ended": sum(cell["ended"] for cell in ended),
            "ended_time": sum(cell["time"] for cell in ended)}
    for name, value in sums.items():
        if abs(sum(kind[name] for kind in kinds) - value) > 1e-9:
            wrong("stats", words, name, value, kinds)
    size = sum(each["sum"] for kind in kinds for each in kind["attributes"] if each["name"] == "size")
    if abs(size - sum(cell["received"] for cell in ended)) > 1e-9:
        wrong("bytes of stats", words, size)

# Links under way: at any instant those that have begun and not ended.
def under_way(side, what, level, instant, first):
    found = collections.defaultdict(float)
    group = lambda name: "all" if level is None else "/".join(PLACES[name][:level + 1])
    for begin, source, end, target, size, kind in links:
        if begin is None or end is None or end <= begin or kind == "A" and what != "count" or not begin <= instant < end or end <= first:
            continue
        amount = 1 if what == "count" else size if what == "bytes" else size / (end - begin)
        sides = {"sender": [group(source)], "receiver": [group(target)], "pair": [group(source)],
                 "through": [] if group(source) == group(target) else [group(source), group(target)]}[side]
        for place in sides:
            found[place, group(target) if side == "pair" else {"A": "ack", "L": "link"}[kind]] += amount
    return found

for side in ("sender", "receiver", "pair", "through"):
    for what in ("count", "bytes", "rate"):
        for level, index, window in (("host", 1, []), ("proc", 2, ["--from", "20", "--to", "40"]), ("all", None, [])):
            first, last = (20, 40) if window else (0, 100)
            listed = table("series", "--in-flight", what, "--side", side, "--at", level, *window, "trace.db")
            for instant in [first + 1e-6] + [round(random.uniform(first, last), 4) + 5e-5 for _ in range(30)]:
                now = {}
                for row in listed:
                    if float(row["time"]) <= instant:
                        now[row["resource"], row["series"]] = float(row["value"])
                wanted = under_way(side, what, index, instant, first)
                if any(abs(now.get(key, 0) - wanted.get(key, 0)) > 1e-6 * (1 + wanted.get(key, 0)) for key in now.keys() | wanted.keys()):
                    wrong("under way", side, what, level, window, instant, now, dict(wanted))
END
python3 trace.py || fail "the account in Python differs"

# SQL counts the same, and levels add up.
example stencil.db
cli sql --csv stencil.db "SELECT source, target, count(*) FROM events WHERE category = 'link'
    GROUP BY 1, 2 ORDER BY 1, 2" | tail -n +2 | sort >expected.csv
cli matrix --csv stencil.db | tail -n +2 | cut -d , -f 1-3 | sort >got.csv
same "SQL" "$(cat expected.csv)" "$(cat got.csv)"
add() { awk -F , -v depth="$1" 'function up(path,  i, parts, text) {
    split(path, parts, "/"); for (i = 1; i <= depth; i++) text = text "/" parts[i]; return text }
    { sum[up($1) " " up($2)] += $3 } END { for (key in sum) print key, sum[key] }' | sort; }
for level in 2:CLUSTER 3:SWITCH 4:MACHINE; do
    same "level ${level#*:}" "$(add "${level%:*}" <got.csv)" "$(cli matrix --at "${level#*:}" \
        --csv stencil.db | tail -n +2 | cut -d , -f 1-3 | add "${level%:*}")"
done

# A ring in each cluster: each sends to the one before and the one behind it.
same "ring" "192 96" "$(cut -d , -f 1 got.csv | uniq -c | awk '{ all += $1; n += $1 == 2 }
    END { print all, n }')"
cli sql --csv stencil.db "SELECT count(*) FROM events WHERE category = 'link' AND
    substr(source, 1, 9) <> substr(target, 1, 9)" | tail -1 >between
same "between clusters" "$(cat between)" "0"

# Any number of threads gives the same bytes.
same "threads" "$(OMP_NUM_THREADS=1 cli matrix --csv trace.db)" \
    "$(OMP_NUM_THREADS=4 cli matrix --csv trace.db)"

# Links under way over time are the model's.
near "links under way" "$(cli --metric link-count-in-flight --slices 1 --kind temporal --p 1 --json \
    stencil.db | python3 -c 'import json, sys
for part in json.load(sys.stdin)["parts"]: print(sum(part["shares"].values()) * part["leaves"])')" \
    "$(cli matrix --at all --csv stencil.db | tail -1 | cut -d , -f 11)" 1e-9
cli series --in-flight count --at MPI stencil.db >under.csv
same "threads of series" "$(md5sum <under.csv)" \
    "$(OMP_NUM_THREADS=3 cli series --in-flight count --at MPI stencil.db | md5sum)"
cli series --in-flight bytes --side pair --at host trace.db -o under.db 2>/dev/null
cli series --in-flight count --at host trace.db -o under.svg 2>/dev/null
refused 2 "--in-flight is of links" series --in-flight count --nesting inclusive trace.db
refused 2 "expected --in-flight" series --side receiver trace.db
refused 1 "no link carries" series --in-flight bytes stencil.db

# Pictures, and that too many groups are added up, not left out.
for suffix in svg png pdf; do cli matrix stencil.db -o "m.$suffix"; done
same "cells" 192 "$(grep -c '^40 links, 0.52 %' m.svg || true)"
cli matrix --smallest 20 stencil.db -o merged.svg
has merged.svg 'added up by '
cli matrix --cell violations trace.db -o wrong.svg
has wrong.svg ' end before they begin'

# Another hierarchy: rows are its nodes, and sums are those of SQL.
account() { # the group of a resource, as SQL
    cli sql --csv stencil.db "WITH e AS (SELECT source AS s, target AS t FROM events
        WHERE category = 'link') SELECT $1 AS a, $2 AS b, count(*) FROM e GROUP BY 1, 2" |
        tail -n +2 | sort
}
cells() { cli matrix --csv "$@" stencil.db | tail -n +2 | cut -d , -f 1-3 | sort; }
group_of() { echo "CASE WHEN $1 LIKE '%/graphite%' THEN 'nancy/G' WHEN $1 LIKE '%/griffon-sw1/%'
    OR $1 LIKE '%/griffon-sw3/%' THEN 'nancy/griffon/odd' ELSE '(outside)' END"; }
same "groups" "$(account "$(group_of s)" "$(group_of t)")" "$(cells --at group \
    --group '*/graphite=G' --group '*/griffon-sw[13]=odd')"
same "ends in groups" "$(cells)" "$(cells --group '*/graphite=G' --order name)"
same "groups and all" "$(account "$(group_of s)" "'all'")" "$(cells --at group --columns all \
    --group '*/graphite=G' --group '*/griffon-sw[13]=odd')"
same "without a level" "$(cells)" "$(cells --drop-level MACHINE --drop-level SWITCH)"
same "machines" "$(cells --at MACHINE)" "$(cells --at MACHINE --drop-level SWITCH)"
{
    echo resource,path
    cut -d , -f 1 got.csv | sort -u |
        awk '{ n = $0; sub(/.*rank-/, "", n); print $0 ",mod" n % 3 "/r" n }'
} >by_rank.csv
third="'mod' || (substr(X, instr(X, 'rank-') + 5) % 3)"
same "hierarchy of a file" "$(account "${third//X/s}" "${third//X/t}")" \
    "$(cells --at group --hierarchy by_rank.csv)"
same "ends in a file" "$(cut -d , -f 3 got.csv | sort)" \
    "$(cells --hierarchy by_rank.csv | cut -d , -f 3 | sort)"
cli matrix --json --order activity --at SWITCH stencil.db >ordered.json
cli matrix --json --order name stencil.db >named.json
python3 - <<'END' || fail "not in the order that is asked for"
import json
ends = {row["group"]: row["count"] for row in json.load(open("ordered.json"))["rows"]}
groups = {}
for path, count in ends.items():
    groups.setdefault(path.rsplit("/", 1)[0], []).append(count)
assert all(found == sorted(found, reverse=True) for found in groups.values()), groups
assert [sum(found) for found in groups.values()] == sorted(map(sum, groups.values()), reverse=True)
assert sorted(ends) != list(ends)
paths = [row["group"].split("/") for row in json.load(open("named.json"))["rows"]]
assert [path[:3] for path in paths] == sorted(path[:3] for path in paths), paths
END
cli matrix --hierarchy auto stencil.db -o auto.svg
cli matrix --group '*/griffon-sw[13]=odd' --drop-level MACHINE stencil.db -o grouped.svg
has grouped.svg 'without level MACHINE' '>odd</text>'
refused 1 'in this hierarchy; the nearest is' matrix --drop-level MACHINE --at MACHINE stencil.db
refused 1 'no resource' matrix --group 'x*=y' stencil.db

# A chain of containers, each in the one before, takes no more of the stack than one of them.
{
    awk -v n=5000 -v kind=deep -f "$OCELOTL_ROOT/tests/growth/trace.awk" | grep -v '^7 '
    printf '4 DL 0 T4999 T4999 L\n15 1 DL 0 v d4999 k 1\n16 2 DL 0 v d4999 k\n'
} >chain.trace
cli import chain.trace -o chain.db 2>err
(ulimit -s 256 && cli matrix chain.db -o chain.svg 2>err) || fail "a deep chain: $(cat err)"
has chain.svg '</svg>'

# What is wrong is said.
refused 1 'no link carries a size, bytes or length; they carry "Key"' matrix --cell bytes stencil.db
refused 1 'no link carries "sizes"; they carry' matrix --attribute sizes trace.db
refused 1 'has no resources of a type "hosts"; the nearest is "host"' matrix --at hosts trace.db
refused 1 'has no event type "lin"; the nearest is "link"' matrix --type lin trace.db
refused 1 "leave nothing to show" matrix --where 'size > 9999999' --type link trace.db
