# Snapshots of where pages lie: what an import says of each node over time is what a literal reader
# finds in the lines; a machine of four nodes; mappings that go, come back, move and have names;
# broken lines give their errors.
need jq python3

# Bytes of each node, times seconds.
cat >account.py <<'END'
import collections, sys

snapshots, where = collections.defaultdict(list), None
for line in open(sys.argv[1]):
    words = line.split()
    if not words or words[0] == "name":
        continue
    if words[0] == "@":
        where = {}
        pid = words[2] if len(words) > 2 and words[2].isdigit() else "process"
        snapshots[pid].append((float(words[1]), where))
        continue
    pages = {w[1:].split("=")[0]: int(w.split("=")[1]) for w in words if w[0] == "N"}
    size = [int(w.split("=")[1]) for w in words if w.startswith("kernelpagesize_kB=")] or [4]
    where[words[0]] = {node: 1024 * size[0] * count for node, count in pages.items()}
totals = collections.Counter()
for all in snapshots.values():
    times = [time for time, _ in all]
    times.append(2 * times[-1] - (times[-2] if len(times) > 1 else times[-1]))
    for (time, where), end in zip(all, times[1:]):
        for nodes in where.values():
            for node, bytes in nodes.items():
                totals[int(node)] += bytes * (end - time)
for node in sorted(totals):
    if totals[node] > 0:
        print(f"node {node} {totals[node]:.1f}")
END
count() { python3 account.py "$1"; }
# The same of the trace: a value holds until the next one of its mapping, or the mapping's end.
counted() {
    ask "$1" "SELECT type || ' ' || printf('%.1f', sum(number * (until - begin))) FROM (SELECT
        type, CAST(value AS real) AS number, begin, coalesce(lead(begin) OVER (PARTITION BY
        resource, type ORDER BY begin), (SELECT end FROM resources WHERE path = resource))
        AS until FROM events WHERE category = 'variable') GROUP BY type
        HAVING sum(number * (until - begin)) > 0"
}

# --- A machine of four nodes: a is touched by halves and moved, b is interleaved

data=$OCELOTL_ROOT/tests/data/numa_maps-4-nodes.pages
cp "$data" four.pages
sed '52a mbind move 0' four.pages >printed.pages # of the program itself
refused 1 'printed.pages:53: the line is "mbind", expected an address to base 16, and a policy' \
    import printed.pages -o no.db
quiet --lenient printed.pages -o lenient.db
agrees four.pages
mv agrees.db four.db
same "what is left out" "$(exported four.db)" "$(exported lenient.db)"
says four.db 'format     numa_maps' '60  mapping' 'in bytes'

# pages MAPPING TIME: of the nodes, at a time.
pages() {
    ask four.db "SELECT CAST(CAST(value AS real) / 4096 AS integer) FROM events AS e WHERE
        resource LIKE '%/$1' AND type LIKE 'node %' AND begin = (SELECT max(begin) FROM events AS f
        WHERE f.resource = e.resource AND f.type = e.type AND f.begin <= $2) ORDER BY type" | line
}
a=7fe452965000 b=7fe451965000
same "a, not yet touched" "0 0 0 0" "$(pages $a 6.7)"
same "a, by half" "0 0 0 2203" "$(pages $a 7.0)"
same "a, all of it, on node 3" "0 0 0 4096" "$(pages $a 7.318061410)"
same "a, until it is moved" "0 0 0 4096" "$(pages $a 7.44)"
same "a, moved to node 2" "0 0 4096 0" "$(pages $a 7.445453470)"
same "b, 28.1 % on three nodes and 15.6 % on one" "1152 1152 1152 640" "$(pages $b 7.3)"
# Where a has pages it is cut at its move alone.
same "parts of a" "none;node 3 6.98;node 2 7.44" "$(cli parts --csv --metric variable-mean \
    --p 0.5 four.db | python3 -c '
import csv, sys
print(*[row["state"] + " " + row["begin"][:4] if row["state"] else "none"
        for row in csv.DictReader(sys.stdin) if sys.argv[1] in row["node"]], sep=";")' "$a")"
# All bytes of the last snapshot.
same "bytes in the end" "$(awk '/^@/ { sum = 0 } { for (i = 2; i <= NF; i++) if ($i ~ /^N[0-9]+=/)
    sum += 4096 * substr($i, index($i, "=") + 1) } END { print sum }' four.pages)" \
    "$(ask four.db "SELECT CAST(sum(CAST(value AS real)) AS integer) FROM (SELECT value,
    row_number() OVER (PARTITION BY resource, type ORDER BY begin DESC) AS k
    FROM events WHERE category = 'variable') WHERE k = 1")"

# --- The table of regions at an instant: the largest first, all of them before

awk '$1 == "@" && $2 > 7.4 { exit } /^@/ { delete size; next } {
    for (i = 2; i <= NF; i++) if ($i ~ /^N[0-9]+=/) {
        split(substr($i, 2), is, "="); size[$1] += 4096 * is[2] }
    } END { for (i in size) if (size[i] > 9000) print size[i], i }' four.pages |
    sort -k1,1nr -k2 >awk.txt
cli stats --csv --placement @7.4s four.db >table.csv
python3 -c 'import csv
for row in csv.DictReader(open("table.csv")):
    if row["region"] != "total" and float(row["resident"]) > 9000:
        print(int(float(row["resident"])), row["region"].split("/")[1])' | sort -k1,1nr -k2 >got.txt
diff awk.txt got.txt >diff.txt || fail "regions: $(cat diff.txt)"
cli stats --json --placement @7.4s four.db >table.json
same "JSON has what CSV has" "$(python3 -c 'import csv
for row in csv.reader(open("table.csv")):
    if row[0] == "process" and row[1] != "region" or row[1] == "total":
        print(*[float(cell) if cell else None for cell in row[2:]])')" "$(python3 -c 'import json
for row in json.load(open("table.json"))["rows"]:
    print(*[row[key] and float(row[key]) if row[key] is not None else None
            for key in list(row)[2:]])' | sed 's/^0 /0.0 /; s/ 0 / 0.0 /g; s/ 0 / 0.0 /g
    s/ 0$/ 0.0/')"
region() { python3 -c 'import csv, sys
for row in csv.DictReader(sys.stdin):
    if sys.argv[1] in row["region"]:
        print(*[round(1000 * float(row[f"node {node} share"] or 0)) for node in range(4)])' "$1"; }
same "b" "281 281 281 156" "$(region $b <table.csv)"
same "a, before" "0 0 0 1000" "$(region $a <table.csv)"
same "a, from the instant on" "0 0 1000 0" \
    "$(cli stats --csv --placement @7.445453470 four.db | region $a)"
same "the end, and the begin" "34267136 $((174 * 4096))" \
    "$(cli stats --csv --placement 100% four.db | awk -F, 'NR == 2 { print $3 }') $(cli stats --csv \
    --placement 0 four.db | awk -F, 'NR == 2 { print $3 }')"
cli stats --placement @7.4s four.db >table.txt
like table.txt '^ +total +34.3 MB ' "^process +anonymous/$b +16.8 MB .* 28.12 % .* 15.62 %"
refused 1 '--placement is "x", expected a number of seconds' stats --placement x four.db
refused 1 '--placement is 9s, and the trace goes from' stats --placement 9s four.db
refused 2 '--at and --placement exclude each other' stats --placement 0 --at Kind four.db
example
refused 1 'has no variable in bytes, expected one for each node' stats --placement 0 trace.db

# --- Huge pages, a stack that grows, a mapping that goes and comes, two processes, names

cat >small.pages <<'END'
@ 10 12 jac obi
00400000 default file=/usr/bin/my\040program mapped=3 N0=3 kernelpagesize_kB=4
00600000 prefer (many):0-1 anon=2 dirty=2 N1=2 kernelpagesize_kB=2048
name 00600000 00a00000 dyn grid
00e00000 weighted interleave:0-1 heap anon=1 N0=1 kernelpagesize_kB=4
7ffc0000 default stack anon=1 N0=1 kernelpagesize_kB=4

@ 10.5 13
00400000 default file=/opt/my\040program mapped=3 N12=3 kernelpagesize_kB=4
@ 11 12 jac obi
00400000 default file=/usr/bin/my\040program mapped=3 N0=3 kernelpagesize_kB=4
7ffb0000 default stack anon=2 N0=2 kernelpagesize_kB=4
@ 12.5 12 jac obi
00600000 prefer (many):0-1 anon=2 dirty=2 swapcache=1 N0=1 N1=1 kernelpagesize_kB=2048
7ffb0000 default stack anon=2 N0=2
END
agrees small.pages
mv agrees.db small.db
same "rows" '13/my\040program/00400000,jac obi 12/heap/00e00000,'\
'jac obi 12/my\040program/00400000,jac obi 12/named/dyn grid,jac obi 12/stack/stack' \
    "$(ask small.db "SELECT path FROM resources WHERE type = 'Mapping' ORDER BY path" | paste -sd,)"
same "policies" "prefer (many):0-1 10.0 11.0,prefer (many):0-1 12.5 14.0" "$(ask small.db \
    "SELECT value || ' ' || begin || ' ' || end FROM events WHERE type = 'Policy' AND
    resource LIKE '%/dyn grid' ORDER BY begin" | paste -sd,)"
same "what a mapping says besides" '{"anon":2,"dirty":2,"swapcache":1,"kernelpagesize_kB":2048}' \
    "$(cli sql --json small.db "SELECT attributes AS a FROM events WHERE type = 'Policy' AND
    begin = 12.5 AND resource LIKE '%/dyn grid'" | jq -r '.[0].a')"

# --- A mapping is the same where half of it or more stays: it grows to both sides, loses its begin;
# it is another where less stays, or where its kind is another

cat >grown.pages <<'END2'
@ 1 1 run
00100000 default heap N0=1 size_kB=64
00200000 default N0=16
00400000 default N0=16
00600000 default N0=16
@ 2 1 run
000f8000 default heap N0=1 size_kB=128
00208000 default N0=8
00409000 default N0=7
00604000 default file=/lib N0=12
@ 3 1 run
000f8000 default heap N0=2 size_kB=256
00208000 default N1=9
00700000 default N0=1
END2
agrees grown.pages
same "the same or not" 'anonymous/00200000 1.0 4.0,anonymous/00400000 1.0 2.0,'\
'anonymous/00409000 2.0 3.0,anonymous/00600000 1.0 2.0,anonymous/00700000 3.0 4.0,'\
'heap/00100000 1.0 4.0,lib/00604000 2.0 3.0' "$(ask agrees.db "SELECT substr(path, 7) || ' ' ||
    begin || ' ' || end FROM resources WHERE type = 'Mapping' ORDER BY path" | paste -sd,)"
# By chance, against a literal reader: sizes are said, and all are of one kind.
python3 - <<'END2' >moved.pages 2>moved.txt
import random, sys

chance, rows, before, number = random.Random(11), {}, [], {}
for time in range(200):
    print("@", time, "1 run")
    at, now = 16, []
    for _ in range(12):
        at += chance.randrange(0, 12)
        now.append((at, at + chance.randrange(1, 20)))
        at = now[-1][1]
    taken = set()
    for begin, end in now:
        print(f"{begin * 4096:08x} default N0={end - begin} size_kB={4 * (end - begin)}")
        row = rows.get(begin)
        if row is None or row in taken:  # the first of the snapshot before that has half of it here, and is not taken
            row = next((r for b, e, r in before if r not in taken and
                        2 * (min(end, e) - max(begin, b)) >= e - b and b < end and begin < e),
                       (begin, time))
            rows[begin] = row
        taken.add(row)
        number[row] = 1
    before = sorted((b, e, rows[b]) for b, e in now)
print(len(number), file=sys.stderr)
END2
quiet moved.pages -o moved.db
same "how many rows" "$(cat moved.txt)" \
    "$(ask moved.db "SELECT count(*) FROM resources WHERE type = 'Mapping'")"

# --- Five hundred snapshots of chance

python3 - >random.pages <<'END'
import random

chance, lines = random.Random(3), {}
for time in range(500):
    print("@", time / 8, chance.choice([7, 7, 9]), "run")
    for mapping in range(40):
        if mapping not in lines or chance.random() < 0.1:
            nodes = " ".join(f"N{node}={chance.randrange(1, 5000)}" for node in range(4)
                             if chance.random() < 0.5)
            lines[mapping] = f"{4096 * (mapping + 9):08x} default anon=1 {nodes}"
        if chance.random() < 0.97:
            print(lines[mapping])
END
agrees random.pages

# --- What the recorder writes, and its table

if command -v cc >/dev/null && cc -O1 -o record_pages "$OCELOTL_ROOT/examples/record_pages.c"; then
    sleep 1 &
    ./record_pages -p $! -i 100ms -o record.pages
    quiet record.pages -o record.db
    same "the process" sleep "$(ask record.db "SELECT path FROM resources WHERE type = 'Process'" |
        sed 's/ .*//')"
    cli stats --csv --placement 100% record.db >record.csv
    awk -F, 'NR == 2 { exit !($3 > 0 && $4 >= $3) }' record.csv || fail "sizes: $(cat record.csv)"
    sleep 0.5 &
    ./record_pages -p $! -i 100ms --top >top.txt
    ./record_pages -p 4194305 -o none.pages 2>none.err && fail "a process that there is not"
    has none.err 'no memory of a process 4194305'
    like top.txt '^ +[0-9]+ total +[0-9.]+ .B +[0-9.]+ .B +[0-9.]+ .B 100%$'
fi

# --- Several files, any name

quiet four.pages small.pages -o both.db
same "two files" "four small" \
    "$(ask both.db "SELECT path FROM resources WHERE type = 'File'" | line)"
cp small.pages any.txt && quiet any.txt -o any.db
same "by its content" numa_maps "$(cli info --json any.db | jq -r .format)"

# --- Broken lines

while IFS='|' read -r text expected; do
    printf '%s\n' '@ 1 7 run' '00400000 default N0=1' "$text" '00500000 default N0=1' >x.pages
    refused 1 "x.pages:3: $expected" import x.pages -o no.db
    quiet --lenient x.pages -o x.db
    says x.db 'skipped line'
done <<'END'
00400000 default N0=1|the mapping is "00400000", expected each once in a snapshot
00450000|the line is "00450000", expected an address to base 16, and a policy
x0450000 default|the line is "x0450000", expected an address to base 16, and a policy
00450000 default N1024=1|the number of pages is "N1024=1", expected that of a node from N0= to N1023=
00450000 default N1=-1|the number of pages is "N1=-1", expected that of a node
00450000 default N1=1 kernelpagesize_kB=x|the size of pages is "kernelpagesize_kB=x", expected a number
@ x 7 run|the time is "x", expected seconds
@ 0.5 7 run|the process is "7", expected its snapshots in order of time
name 00450000 00460000 grid|the mapping of a name is "00450000", expected one before it: name BEGIN END TEXT, behind the
name 00400000 00460000|the mapping of a name is "00400000", expected one before it: name BEGIN END TEXT, behind the
END
printf '@ 1 7 run\n' >x.pages
refused 1 'x.pages: holds no mapping, expected some' import x.pages -o no.db
