# Time in which nothing happens: silences are left out of a first picture, and few events far from
# the rest; when a slice is, all say alike.
need jq xmllint python3

# trace NAME: of states "BEGIN END [VALUE]" on standard input, in turn on three threads.
trace() {
    { paje_definitions PushState PopState
      printf '0 R 0 thread\n1 S R state\n'
      for i in 0 1 2; do echo "2 0 t$i R 0 thread-$i"; done
      awk '{ print $1, "3 " $1, "S t" NR % 3, $3 == "" ? "work" : $3
             print $2, "4 " $2, "S t" NR % 3 }' | sort -s -n | cut -d' ' -f 2-; } >"$1.trace"
}
# run BEGIN COUNT: that many states of half a second, one a second.
run() { seq "$1" $(($1 + $2 - 1)) | awk '{ printf "%d %.1f\n", $1, $1 + 0.5 }'; }
# chosen WHAT TRACE EXPECTED [OPTION...]: what is said of its time; "" for nothing.
chosen() {
    cli --json "${@:4}" "$2.trace" >got.json 2>/dev/null || fail "$1"
    same "$1" "$3" "$(jq -r '.chosen.time // ""' got.json)"
}

{ run 0 60; run 500000 60; } | trace two
{ run 0 1; run 1000 300; } | trace early
{ run 0 300; run 1000 1; } | trace late
{ run 0 2; run 1000 300; } | trace two-early
{ run 0 60; run 100 60; } | trace quiet
{ run 0 60; run 300 60; run 600 60; run 1000 60; } | trace four
{ run 0 60; echo "60 500000 idle"; run 500000 60; } | trace idle
{ run 0 60; echo "60 500000 compute"; run 500000 60; } | trace long
{ run 0 60; echo "60 420000 compute"; run 500000 60; } | trace busy
{ run 0 3; for i in 3 4 5; do echo "$i 499000 init"; done; run 499000 60; } | trace alike
{ run 0 2; run 1000 3; } | trace few
off='; --whole draws all'
chosen "two runs" two "1 silence (5.79 d) left out$off"
holds "two pieces" got.json '.begin == 0 and .end == 500059.5 and (.pieces | length) == 2 and
    .pieces[0].first == 0 and .pieces[0].begin == 0 and .pieces[0].end >= 59.5 and
    .pieces[1].begin <= 500000 and .pieces[1].end == 500059.5 and (.zoomed | not)'
cli two.trace -o two.svg 2>/dev/null
has two.svg '>120 s of 138 h 54 min · '
chosen "all of them" two "" --whole
chosen "plain" two "" --plain
chosen "a window" two "" --from 0
holds "it has all of its time" got.json '.pieces == null and .end == 500059.5'
chosen "one event before" early \
    "16.7 min with 1 event before the activity left out$off"
holds "it begins there" got.json '.begin == 1000 and .pieces == null and .trace_begin == 0'
chosen "one event behind" late "11.7 min with 1 event after the activity left out$off"
chosen "two events before" two-early "1 silence (16.6 min) left out$off"
chosen "a pause" quiet ""
chosen "four runs" four "3 silences (13.7 min) left out$off"
chosen "an idle state" idle "1 silence (5.79 d) left out$off"
chosen "one that is nearly all, of one thread" long ""
chosen "one that all are in" alike "1 silence (5.78 d, all in init) left out$off"
chosen "without time" two "" --kind spatial
chosen "a busy one" busy ""
chosen "five events" few ""
cli info --json early.trace 2>/dev/null >info.json
holds "info has the true bounds" info.json '.begin == 0 and .end == 1299.5'

# The same literally, of random states.
cat >literal.py <<'END'
import json, random, subprocess, sys
cli, seed = sys.argv[1], int(sys.argv[2])
chance = random.Random(seed)
states, now = [], 0
for _ in range(chance.randint(1, 6)):
    for _ in range(chance.choice([1, 1, 5, 40])):
        now += chance.randint(1, 20)
        states.append((now, now + chance.randint(0, 30)))
    now += chance.choice([0, 100, 1000, 10000, 100000])
with open("random.csv", "w") as out:
    print("resource,type,value,begin,end", file=out)
    for i, (begin, end) in enumerate(states):
        print(f"t{i % 3},state,work,{begin},{end}", file=out)
first, last = min(b for b, _ in states), max(e for _, e in states)
clusters = []
for begin, end in sorted(states):
    if clusters and begin <= clusters[-1][1]:
        clusters[-1][1] = max(end, clusters[-1][1])
        clusters[-1][2] += 1
    else:
        clusters.append([begin, end, 1])
gaps = sorted(((b[0] - a[1], i) for i, (a, b) in enumerate(zip(clusters, clusters[1:]), 1)),
              key=lambda gap: (-gap[0], gap[1]))[:4]
cut = 0
for k in range(1, len(gaps) + 1):
    if gaps[k - 1][0] > (last - first - sum(length for length, _ in gaps[:k])) // 2:
        cut = k
places = sorted(i for _, i in gaps[:cut]) if len(states) >= 20 else []
most = 1 if len(states) >= 100 else 0
count = lambda some: sum(events for _, _, events in some)
lowest, highest = 0, len(clusters)
while places and count(clusters[:places[0]]) <= most:
    lowest = places.pop(0)
while places and count(clusters[places[-1]:]) <= most:
    highest = places.pop()
edges = [lowest, *places, highest]
expected = [(clusters[a][0], clusters[b - 1][1]) for a, b in zip(edges, edges[1:])]
got = json.loads(subprocess.run([cli, "--json", "--no-cache", "random.csv"], check=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
shown = [(one["begin"], one["end"]) for one in got.get("pieces", [])] or [(got["begin"], got["end"])]
assert len(shown) == len(expected), (seed, shown, expected)
for (begin, end), (low, high) in zip(shown, expected):
    assert begin <= low + 1e-6 and end >= high - 1e-6, (seed, shown, expected)
assert abs(shown[0][0] - expected[0][0]) < 1e-6, (seed, shown, expected)
assert abs(shown[-1][1] - expected[-1][1]) <= 1 + 1e-6, (seed, shown, expected)
END
for seed in $(seq 1 40 | thin 4); do
    python3 literal.py "$OCELOTL_CLI" "$seed" || fail "seed $seed"
done

# What a slice is: tables, files, pictures and parts agree.
cli --p 0 --json two.trace >got.json 2>/dev/null
cli parts --p 0 --csv two.trace >parts.csv 2>/dev/null
cli snapshot --p 0 two.trace snapshot 2>/dev/null >&2
cli two.trace -o report.html 2>/dev/null >&2
python3 - <<'END' || fail "slices of a broken window"
import csv, json
got = json.load(open("got.json"))
assert json.load(open("snapshot/parameters.json"))["pieces"] == got["pieces"]
slices = [(float(r["begin"]), float(r["end"])) for r in csv.DictReader(open("snapshot/slices.csv"))]
first = got["pieces"][1]["first"]
lengths = [end - begin for begin, end in slices]
assert len(slices) == 200 and max(lengths) - min(lengths) < 1e-6, lengths
assert slices[first - 1][1] == got["pieces"][0]["end"], slices[first - 1]
assert slices[first][0] == got["pieces"][1]["begin"], slices[first]
rows = list(csv.DictReader(open("parts.csv")))
assert len(rows) == len(got["parts"])
for row, part in zip(rows, got["parts"]):
    at = slices[part["first"]][0], slices[part["last"]][1]
    assert (part["begin"], part["end"]) == at == (float(row["begin"]), float(row["end"])), part
END
cli two.trace -o two.svg 2>/dev/null
same "breaks" 3 "$(xmllint --xpath 'count(//*[local-name()="g"][@class="breaks"]/*)' two.svg)"
data_of report.html >report.json
holds "the page knows the cut" report.json ".cuts | length == 1 and .[0][0] == $(jq '.pieces[1].first' got.json)"
finish
