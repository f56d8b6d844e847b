# Logs of batch schedulers: an import agrees with a literal reader of the same lines, by queue and
# status; names, clocks, links and oddities are those of the log; broken lines give their errors.
need jq python3

cat >account.py <<'END'
import collections, sys

times, counts, names = collections.Counter(), collections.Counter(), {}
changes, ends, links = collections.defaultdict(collections.Counter), {}, []
STATUS = {0: "failed", 1: "completed", 5: "cancelled", -1: "unknown"}
for line in open(sys.argv[1]):
    words = line.split()
    if line.startswith("; Queue: "):
        names[words[2]] = " ".join(words[3:])
    if line.startswith(";") or not words:
        continue
    submit, wait, run = map(float, words[1:4])
    if int(words[10]) in (2, 3, 4) or submit == -1 or wait < 0 and run < 0:
        continue
    queue = names.get(words[14], "queue " + words[14])
    if words[14] == "-1":
        queue = "queue unknown" if words[15] == "-1" else "partition " + words[15]
    begin = submit + max(wait, 0)
    ends[words[0]] = begin + max(run, 0)
    for value, time in ("waiting", wait), (STATUS[int(words[10])], run):
        if time >= 0:
            counts[queue, value] += 1
            times[queue, value] += time
    taken = int(words[4] if words[4] != "-1" else words[7])
    if run > 0 and taken > 0:
        changes[queue][begin] += taken
        changes[queue][begin + run] -= taken
    if words[16] not in ("-1", words[0]):
        links.append((words[16], submit))
for key in counts:
    print(*key, counts[key], f"{times[key]:.3f}")
for queue, steps in changes.items():
    now, most, area, before = 0, 0, 0, 0
    for time in sorted(steps):
        area += now * (time - before)
        now, before = now + steps[time], time
        most = max(most, now)
    print("processors", queue, len(steps), most, f"{area:.2f}")
flights = [submit - ends[job] for job, submit in links if job in ends]
if flights:
    print("links", len(flights), f"{sum(flights):.3f}")
END
count() { python3 account.py "$1"; }
counted() {
    ask "$1" "SELECT q || ' ' || value || ' ' || count(*) || ' ' || printf('%.3f', sum(duration))
        FROM (SELECT replace(substr(resource, 1, instr(resource, '/') - 1), '%2F', '/') AS q, value,
        duration FROM events WHERE type = 'Job') GROUP BY q, value"
    cli sql --json "$1" "SELECT replace(resource, '%2F', '/') AS q, begin, CAST(value AS real) AS
        number FROM events WHERE type = 'Processors' ORDER BY q, begin" | python3 -c '
import itertools, json, sys
for queue, rows in itertools.groupby(json.load(sys.stdin), lambda row: row["q"]):
    rows = list(rows)
    area = sum(a["number"] * (b["begin"] - a["begin"]) for a, b in zip(rows, rows[1:]))
    most = max(row["number"] for row in rows)
    print("processors", queue, len(rows), f"{most:.0f}", f"{area:.2f}")'
    ask "$1" "SELECT 'links ' || count(*) || ' ' || printf('%.3f', sum(end - begin)) FROM events
        WHERE type = 'Preceding job' HAVING count(*) > 0"
}

# --- Twenty jobs: queues with names and without, jobs that never ran, parts of a job, tabs, points

cat >small.swf <<'END'
; Version: 2.2
; Computer: a small cluster
; MaxJobs: 20
; MaxProcs: 64
; UnixStartTime: 1700000000
; Queue: 0 interactive
; Queue: 1 batch/night
; Queue: 7 of nobody

    1     0    10   100   4   90.5   1024   4   120    -1 1  3  1  1  0 -1 -1 -1
    2     5     0    60   8     -1     -1   8   120    -1 1  4  1  2  1 -1 -1 -1
    3     5    55    60   8     -1     -1   8   120    -1 0  4  1  2  1 -1 -1 -1
    4    10   200    -1  -1     -1     -1  16   120    -1 5  5  2  3  1 -1 -1 -1
    5    10     0     0   1     -1     -1   1   120    -1 0  5  2  3  1 -1 -1 -1
    6   120    30   300  16     -1     -1  16   600    -1 1  3  1  1  1 -1  1 10
    7   130     5    20   2     -1     -1   2    60    -1 1  3  1  1  0 -1  1 20
    8   140     1    20   2     -1     -1   2    60    -1 5  6  2  4  2 -1 -1 -1
    9   150     1    20  -1     -1     -1   2    60    -1 1  6  2  4  2 -1 -1 -1
   10   160    -1    50   2     -1     -1   2    60    -1 1  6  2  4  2 -1 -1 -1
   11   170    -1    -1   2     -1     -1   2    60    -1 5  6  2  4  2 -1 -1 -1
   12    -1     1    20   2     -1     -1   2    60    -1 1  6  2  4  2 -1 -1 -1
   13   180   0.5  20.25  2     -1     -1   2    60    -1 1  6  2  4  2 -1 -1 -1
   14   190    10   100   4     -1     -1   4   300    -1 1  7  2  4  1 -1 -1 -1
   14   190    10    40   4     -1     -1   4   300    -1 2  7  2  4  1 -1 -1 -1
   14    -1    20    60   4     -1     -1   4   300    -1 3  7  2  4  1 -1 -1 -1
   15   200     3    30   4     -1     -1   4    60    -1 1  8  2  5 -1  2 -1 -1
   16   210     3    30   4     -1     -1   4    60    -1 1  8  2  5 -1 -1 -1 -1
   17   400   -20    30   4     -1     -1   4    60    -1 1  8  2  5  1 -1 99 -1
	18	420	3	30	4	-1	-1	4	60	-1	-1	8	2	5	1	-1	6	5
END
agrees small.swf
mv agrees.db small.db
says small.db 'format     swf' 'origin     2023-11-14T22:13:20Z' \
    '1  job without a submit time (left out); first at small.swf:21' \
    '2  job that runs, without a wait time (runs when submitted); first at small.swf:19' \
    '1  wait or run time below 0 (taken for unknown); first at small.swf:28' \
    '1  preceding job that is not in the log, or is itself (no link); first at small.swf:28' \
    '1  link that ends before it starts (kept)'
holds "parts" <(cli info --json small.db) '.source.records["part of a job"] == 2'
queues="interactive batch%2Fnight queue 2 queue unknown"
queues_of() { ask "$1" "SELECT path FROM resources WHERE type = 'Queue'" | line; }
same "queues, in their order" "$queues" "$(queues_of small.db)"
same "partitions" "partition 2" "$(ask small.db "SELECT path FROM resources WHERE type =
    'Partition'")"
same "what a job carries" '{"job":1,"processors":4,"CPU time":90.5,"memory":1024,'\
'"requested processors":4,"requested time":120,"status":1,"user":3,"group":1,"executable":1}' "$(cli sql --json small.db "SELECT attributes AS a FROM events WHERE
    value = 'completed' AND json_extract(attributes, '\$.job') = 1" | jq -r '.[0].a')"
same "links" "interactive,batch%2Fnight,110,120,6 interactive,interactive,110,130,7" \
    "$(ask small.db "SELECT source, target, CAST(begin AS integer), CAST(end AS integer),
    json_extract(attributes, '\$.job') FROM events WHERE category = 'link' AND end > begin
    ORDER BY end" | line)"

# --- Two thousand jobs of chance, out of order, without a header

python3 - >random.swf <<'END'
import random

chance, time, lines = random.Random(5), 0, []
for job in range(1, 2001):
    time += chance.randrange(0, 90)
    lines.append([job, time, chance.choice([0, 5, chance.randrange(2000), -1]),
                  chance.choice([0, chance.randrange(4000), -1]), chance.choice([-1, 1, 2, 32]), -1,
                  -1, chance.choice([-1, 4]), 3600, -1, chance.choice([0, 1, 1, 1, 5, -1]),
                  chance.randrange(20), -1, -1, chance.choice([0, 1, 2, 30, -1]),
                  chance.choice([-1, 1, 2]), chance.choice([-1, -1, chance.randrange(1, job + 1)]),
                  -1])
chance.shuffle(lines)
for line in lines:
    print(*line)
END
agrees random.swf
same "no clock" "" "$(cli info --json agrees.db | jq -r '.origin // ""')"

# Ticks become finer in the middle, and as fine as a microsecond; as seconds, thousands of jobs can
# wait and run for a year each.
{
    cat random.swf
    printf '%s\n' '3001 1.5 2.25 3.125 4 -1 -1 4 9 -1 1 1 1 1 1 -1 3002 -1' \
        '3002 .000001 1 1 4 -1 -1 4 9 -1 1 1 1 1 1 -1 7 -1' \
        '3003 7 1.0000009 1 4 -1 -1 4 9 -1 1 1 1 1 1 -1 -1 -1'
} >fine.swf
sed 's/1.0000009/1.000001/' fine.swf >finer.swf
agrees finer.swf
quiet fine.swf -o fine.db
same "the finest" "$(ask agrees.db 'SELECT sum(begin), sum(end) FROM events')" \
    "$(ask fine.db 'SELECT sum(begin), sum(end) FROM events')"
says fine.db '1  time finer than a microsecond (rounded); first at fine.swf:2003' \
    'ticks of 1/1000000 s'
seq 2000 | awk '{ print $1, 0, 31536000, 31536000, "1 -1 -1 1 1 -1 1 1 1 1 1 -1", $1 - 1, "-1" }' \
    >years.swf
agrees years.swf

# --- Several files: each by its clock, or all from one time on

sed 's/1700000000/1700000100/' small.swf >later.swf
begin_of() { ask "$1" "SELECT CAST(min(begin) AS integer) FROM events WHERE resource LIKE '$2/%'"; }
quiet small.swf later.swf -o both.db
same "the second log begins later" "0 100" "$(begin_of both.db small) $(begin_of both.db later)"
quiet --align begin small.swf later.swf -o both.db
same "both begin at once" "0 0" "$(begin_of both.db small) $(begin_of both.db later)"
quiet --same-root small.swf later.swf -o both.db
same "the same queues" "$queues" "$(queues_of both.db)"
same "no series of several logs" 0 \
    "$(ask both.db "SELECT count(*) FROM events WHERE type = 'Processors'")"
refused 1 random.swf import --align clock small.swf random.swf -o no.db

# --- By content: any name will do

cp small.swf jobs.txt && cp random.swf numbers.txt
for file in jobs.txt numbers.txt; do
    quiet "$file" -o named.db
    same "$file" swf "$(cli info --json named.db | jq -r .format)"
done
printf '; MaxProcs: 5\n' >x.swf
refused 1 'x.swf: holds no job that waits or runs, expected some' import x.swf -o no.db
printf '; a comment of another program\n1 2 3\n' >x.swf
refused 1 'x.swf: is of no format that is known' import x.swf -o no.db
for time in 0 -1 x 9999999999 12.5 ''; do
    sed "s/1700000000/$time/" small.swf >x.swf
    quiet x.swf -o x.db
    says x.db '1  UnixStartTime that is no time since 1970 (not used); first at x.swf:5'
done

# --- Broken lines

good='1 0 -1 60 -1 -1 -1 -1 120 -1 1 4 1 2 1 -1 -1 -1'
while IFS='|' read -r before after expected; do
    broken_line x.swf "$expected" "$before -1 -1 8 120 -1 1 4 1 2 1 $after"
done <<'END'
1 0 0 60 8|-1 -1|the line has 17 numbers, expected the 18 of a job
1 0 0 60 8|-1 -1 -1 5|the line has 19 numbers, expected the 18 of a job
1 0 x 60 8|-1 -1 -1|the wait time is "x", expected a number
1 0 0 60 8|-1 -1 nan|the think time is "nan", expected a number
1 -2 0 60 8|-1 -1 -1|the submit time is "-2", expected seconds from 0 on, or -1
1 9e9 3e8 1 8|-1 -1 -1|the job ends too late, expected less than 9223372035 s
1 0 0 1e99 8|-1 -1 -1|the run time is "1e99", expected a number
any text|-1 -1 -1|the job is "any", expected a number
END

# Jobs lie on lanes as there is room: these are not compared.
python3 "$OCELOTL_ROOT/examples/crowds.py" swf cluster.swf
quiet cluster.swf -o cluster.db
same "findings of a cluster" 0 "$(cli explain --json cluster.db | jq '.findings | length')"
