# Waits, and whose delay they are, agree with their definitions read event by event: on made traces
# whose ties abound, and on a real one.
need jq python3
explained() { python3 "$OCELOTL_ROOT/tests/waiting_explained.py" "$OCELOTL_CLI" "$@" >found 2>&1 ||
    fail "$(tail -1 found)"; }
explained $(seq 1 40)
explained "$sample"

# Threads that wake each other: b lets a wait, which c lets wait most of that time.
awk '{ printf "%s %d [%03d] 10.0000%02d: sched:%s\n", $1, $2, $3, $4, \
    $5 == "wakes" ? "sched_waking: comm=" $6 " pid=" $7 " prio=120 target_cpu=000" : \
    "sched_switch: prev_comm=" $1 " prev_pid=" $2 " prev_prio=120 prev_state=" $5 \
    " ==> next_comm=" $6 " next_pid=" $7 " next_prio=120" }' >sched.txt <<'END'
b 8 1 01 S swapper/1 0
a 7 0 02 S swapper/0 0
c 9 2 09 wakes b 8
swapper/1 0 1 10 R b 8
b 8 1 12 wakes a 7
swapper/0 0 0 13 R a 7
a 7 0 20 S swapper/0 0
c 9 2 21 D swapper/2 0
b 8 1 22 wakes c 9
END
explained sched.txt
# Wakings are no messages between clocks, unless they are asked for.
quiet sched.txt -o sched.db
refused 1 'no links between resources but wakings, which are of one clock' clocks sched.db
same "wakings" "0 3 3" "$(for words in causality "causality --type Waking" matrix; do
    cli $words --json sched.db | jq '.links // .total.count'
done | line)"
cli waiting --csv --force sched.txt -o waits.csv
python3 - <<'END' || fail "not c makes the others wait: $(cat waits.csv)"
import csv
caused = {row["resource"]: float(row["caused"]) for row in csv.DictReader(open("waits.csv"))}
assert abs(caused["c/c"] - 16e-6) < 1e-12 and abs(caused["b/b"] - 3e-6) < 1e-12, caused
END

# What was sent long ago and is read late says nothing of the one that reads it. In each case the
# slow one causes all waiting, in the time in which it is slow:
#     NAME BEGIN END SECONDS: who causes how much between two instants
caused() {
    explained "$1.csv"
    cli waiting --json --from "$3" --to "$4" "$1.csv" >caused.json
    holds "$1: delays of $2" caused.json '.unexplained == 0 and ([.rows[] |
        select(.resource == "'"$2"'").caused] | add - '"$5"' | fabs < 1e-9)'
}
python3 - <<'END'
def write(name, rows):
    with open(name + ".csv", "w") as out:
        out.write("resource,category,type,value,begin,end,source,target\n")
        for rank, value, begin, end, *target in rows:
            kind = f"link,L,m,{begin},{end},r{rank},r{target[0]}" if target else \
                f"state,S,{value},{begin},{end},,"
            out.write(f"r{rank},{kind}\n")

write("late", [(1, "MPI_Send", 0, 1), (1, "MPI_Recv", 1, 210), (0, "work", 0, 200),
               (0, "MPI_Recv", 200, 201), (0, "MPI_Send", 201, 202), (1, "", 0, 201, 0),
               (0, "", 201, 210, 1)])

# Neighbours in a line send to both sides, then receive: one is slow in the sixth step.
rows, now = [], [0] * 3
for step in range(8):
    sent = {}
    for rank in range(3):
        begin, now[rank] = now[rank], now[rank] + (50 if step == 5 and rank == 1 else 10)
        rows.append((rank, "work", begin, now[rank]))
        for target in (rank - 1, rank + 1):
            if 0 <= target < 3:
                sent[rank, target] = now[rank]
                rows.append((rank, "MPI_Send", now[rank], now[rank] + 1))
                now[rank] += 1
    for (rank, target), at in sent.items():
        arrives = max(at + 1, now[target])
        rows += [(target, "MPI_Recv", now[target], arrives), (rank, "", at, arrives, target)]
        now[target] = arrives
write("halo", rows)
END
caused late r0 0 201 200 # the receiver has sent for a second, and its sender receives for one
caused halo r1 58 111 80

# The critical path leaves an idle stream to the thread that launches its next kernel. The stream
# waits for that, which is no loss by itself, but what others wait for it is the launcher's delay.
printf '%s\n' resource,category,type,value,begin,end,source,target h,state,S,op,0,100,, \
    h,state,S,cudaDeviceSynchronize,110,205,, s,state,S,k1,130,150,, s,state,S,k2,150,200,, \
    h,link,Flow,ac2g,100,130,h,s h,link,Flow,ac2g,120,150,h,s >idle.csv
explained idle.csv
cli waiting --json idle.csv >idle.json
holds "a path over an idle stream" idle.json '[.path[] | [.resource, .begin, .end, .source]] ==
    [["h", 0, 100, null], ["s", 100, 130, "h"], ["s", 130, 200, null], ["h", 200, 205, "s"]]'
cli export --format matrix --metric wait-launch --slices 1 --plain idle.csv >idle.csv.launch
has idle.csv.launch 's,k1,0,100'

# It begins with the one that ends last, though that one waits for nobody.
printf '%s\n' resource,category,type,value,begin,end,source,target a,state,S,x,0,10,, \
    b,state,S,MPI_Recv,0,12,, a,link,L,m,10,12,a,b c,state,S,x,0,30,, >last.csv
explained last.csv
cli waiting --json last.csv >last.json
holds "a path of one" last.json '[.path[] | [.resource, .begin, .end]] == [["c", 0, 30]]'

# A thread that waits for its streams, as Kineto writes it: among many names, those of waits are
# shown. It waits for the last kernel of its own streams, which another one crosses.
python3 - <<'END'
import json
events = [{"ph": "X", "name": "op%d" % i, "pid": 1, "tid": 1, "ts": 100 * i, "dur": 90}
          for i in range(40)]

def x(name, thread, begin, end):
    events.append({"ph": "X", "name": name, "pid": 1 if thread < 7 else 0, "ts": begin,
                   "tid": thread if thread < 7 else "stream %d" % thread, "dur": end - begin})

def launch(number, thread, at, stream, begin, end, name="ac2g"):
    flow = {"cat": name, "name": name, "id": number}
    events.append({"ph": "s", "pid": 1, "tid": thread, "ts": at, **flow})
    events.append({"ph": "f", "bp": "e", "pid": 1 if stream < 7 else 0, "ts": begin,
                   "tid": stream if stream < 7 else "stream %d" % stream, **flow})
    x("kernel%d" % number, stream, begin, end)

launch(1, 1, 110, 7, 120, 300)
launch(2, 1, 130, 13, 300, 420)
launch(3, 1, 140, 7, 290, 440)
launch(4, 2, 110, 14, 200, 445)
launch(5, 1, 150, 2, 430, 448, "fwdbwd")
x("Stream Sync", 7, 441, 449)
x("cudaStreamSynchronize", 1, 400, 450)
launch(6, 1, 510, 13, 520, 570)
x("hipDeviceSynchronize", 1, 530, 571)
json.dump({"traceEvents": events}, open("gpu.json", "w"))
END
explained gpu.json
cli parts --metric wait --json gpu.json >parts.json
holds "waits of states that are not among the longest" parts.json \
    '[.parts[].state] - [null] | unique == ["cudaStreamSynchronize", "hipDeviceSynchronize"]'
mkdir ranks
python3 "$OCELOTL_ROOT/examples/pytorch_ranks.py" 4 ranks >/dev/null
explained ranks

# Process groups as PyTorch tells them: two of one name, with other ranks, and one of all, each with
# numbers or in order. Calls do not wait where kernels do. One operation lacks a member.
for way in numbers order; do
    mkdir $way
    python3 - $way <<'END' >expected
import json, random, sys
chance, way = random.Random(3), sys.argv[1]
events, now = {rank: [] for rank in range(4)}, [0] * 4
seq, waits, count = {}, 0, 0

def reduce(name, ranks):
    global waits, count
    number = seq[name, *ranks] = seq.get((name, *ranks), -1) + 1
    enter = {rank: now[rank] + chance.randrange(10, 90) for rank in ranks}
    over, lacks = max(enter.values()) + 20, way == "numbers" and number == 0 and len(ranks) == 4
    for rank in ranks:
        now[rank] = over
        said = {"Collective name": "allreduce", "Process Group Name": name,
                "Process Group Ranks": str(ranks), "Seq": number}
        if way == "order":
            del said["Seq"]
        for event, category, thread, begin, end in (
                ("ncclDevKernel_AllReduce", "kernel", "stream 13", enter[rank], over),
                ("nccl:all_reduce", "user_annotation", 1, enter[rank] - 5, enter[rank] + 5),
                ("record_param_comms", "cpu_op", 1, enter[rank] - 4, enter[rank] + 4)):
            if category != "kernel" or not lacks or rank < 3:
                events[rank].append({"ph": "X", "name": event, "cat": category, "pid": rank,
                                     "tid": thread, "ts": begin, "dur": end - begin, "args":
                                     {} if category == "user_annotation" else said})
    if not lacks:
        waits, count = waits + sum(max(enter.values()) - at for at in enter.values()), count + 1

for step in range(8):
    reduce("1", [0, 1])
    for _ in range(2):
        reduce("1", [2, 3])
    reduce("0", [0, 1, 2, 3])
for rank in range(4):
    json.dump({"distributedInfo": {"rank": rank}, "traceEvents": events[rank]},
              open(f"{way}/rank{rank}.json", "w"))
print(count, waits * 1000, 32 - count)
END
    explained $way
    cli waiting --json $way >groups.json
    same "groups by $way" "$(cat expected)" \
        "$(jq -r '[.collectives, (.whole.waits * 1e9 | round), .left_out_operations] | join(" ")' \
            groups.json)"
done
# Without the file of rank 3 what it takes part in is left out, and said.
mkdir three
cp numbers/rank[0-2].json three
explained three
same "without a rank" '8 24' "$(cli waiting --json three |
    jq -r '[.collectives, .left_out_operations] | join(" ")')"

# Real ones.
traces=$OCELOTL_ROOT/../shared/traces/formats
if [ -d "$traces" ] && command -v zstd >/dev/null; then
    for name in bug446190 perf-taskset2; do
        zstd -dcq "$traces/ctf/tracecompass-$name.tar.zst" | tar -xf -
        explained "$name"
    done
    explained "$traces/perf/perf61-sched-zstd.txt.zst" "$traces"/json/kineto-*.json.gz
fi

# The slow switch of the example is found without any option but the metric: its two ends delay
# their neighbours while it is slow.
quiet "$sample" -o trace.db
cli parts --metric wait-caused --json trace.db >parts.json
python3 - <<'END' || fail "not the slow switch delays others most: $(head -c 2000 parts.json)"
import json
parts = json.load(open("parts.json"))["parts"]
most = max((p for p in parts if "griffon" in p["node"]), key=lambda p: p["share"])
assert most["node"].endswith("griffon-sw2/griffon-24, 33"), most
assert abs(most["begin"] - 0.2054) < 0.005 and abs(most["end"] - 0.2470) < 0.005, most
END

# What has nobody to wait for, and filters of what is no state.
printf 'resource,category,type,value,begin,end\na,state,S,x,0,9\nb,state,S,x,0,9\n' >alone.csv
quiet alone.csv -o alone.db
refused 1 'has no message or collective operation for the metric wait' \
    --metric wait alone.db -o x.svg
refused 1 'has no message or collective operation to wait for' \
    gantt --critical-path alone.db -o x.svg
refused 1 'has no message or collective operation to wait for' waiting alone.db
sed 's/,x,/,PMPI_Bcast,/' alone.csv >bcast.csv
quiet bcast.csv -o bcast.db
refused 1 'metric wait (the root of PMPI_Bcast is not known)' --metric wait bcast.db -o x.svg
refused 1 'to wait for; left out: PMPI_Bcast (1 operation): its root is not known' waiting bcast.db
refused 1 'takes no filter of durations' --metric wait --min-duration 1ms trace.db -o x.svg

# What nobody can know is said.
cli --metric wait trace.db -o wait.svg 2>left
like left 'left out of the waits: .*PMPI_Allreduce [(]10 operations[)]: not all'
cli waiting --json trace.db >waiting.json
holds "what is left out is counted" waiting.json '.left_out_operations == 15 and .collectives == 1'

# One of two barriers is left before all have entered it: the other one counts.
printf '%s,state,S,MPI_Barrier,%s\n' a 0,9 b 10,12 a 20,30 b 25,30 |
    cat <(echo resource,category,type,value,begin,end) - >early.csv
explained early.csv
cli waiting --json early.csv >early.json
holds "who leaves early" early.json '.collectives == 1 and .left_out_operations == 1 and
    .left_out == "MPI_Barrier (1 operation): somebody leaves before the last one enters"'

# The list names the same, its efficiencies multiply, and the critical path is as long as the trace.
cli waiting --at MACHINE --from 0.21s --to 0.24s --csv trace.db >rows.csv
sed -n 2,3p rows.csv >first.csv
like first.csv griffon-24 griffon-33
cli waiting --json --most 1000 trace.db >waiting.json
python3 - <<'END' || fail "numbers that do not fit: $(head -c 1000 waiting.json)"
import json
found = json.load(open("waiting.json"))
for row in found["rows"] + [found["whole"]]:
    product = row["balance"] * row["serialisation"] * row["transfer"]
    assert abs(row["parallel"] - product) < 1e-12, row
    assert max(row["balance"], row["serialisation"], row["transfer"]) < 1 + 1e-12, row
waits, caused = found["whole"]["waits"], found["whole"]["caused"]
assert abs(waits - caused - found["unexplained"]) < 1e-9, found["unexplained"]
for column in "caused", "waits", "path":
    total = sum(row[column] for row in found["rows"])
    assert abs(total - found["whole"][column]) < 1e-9, column
path = found["path"]
assert path[0]["begin"] == 0 and path[-1]["end"] == 0.289213
assert path[-1]["resource"] in {row["resource"] for row in found["rows"]}
assert all(a["end"] == b["begin"] for a, b in zip(path, path[1:]))
assert abs(found["whole"]["path"] - 0.289213) < 1e-9
END

# Slices of a window are windows of their own, and add up to it.
slices() { cli waiting --json --most 100 --from "$1ms" --to "$2ms" "${@:3}" trace.db; }
for at in "" "--at SWITCH"; do
    slices 210 240 $at --over-time 3 >slices.json
    slices 210 240 $at >window.json
    for ms in 210 220 230; do slices "$ms" $((ms + 10)) $at >"window$ms.json"; done
    python3 - <<'END' || fail "slices $at: $(head -c 1000 slices.json)"
import json
def read(name):
    answer = json.load(open(name))
    return {row.get("resource", "all"): row for row in answer["rows"] + [answer["whole"]]}
rows, window = json.load(open("slices.json"))["rows"], read("window.json")
near = lambda a, b: a == b or abs(a - b) < 1e-9
resources = {row["resource"] for row in rows}
assert len(rows) == 3 * len(resources) and len(resources) in (1, 6), rows
for row in rows:
    same = read(f"window{row['begin'] * 1000:.0f}.json")[row["resource"]]
    assert near(row["end"], row["begin"] + 0.01), row
    assert all(near(row[key], same[key]) for key in same if key != "resource"), (row, same)
    assert near(row["parallel"], row["balance"] * row["serialisation"] * row["transfer"]), row
for resource in resources:
    for column in "caused", "waits", "path", "work":
        total = sum(row[column] for row in rows if row["resource"] == resource)
        assert near(total, window[resource][column]), (resource, column)
END
done
cli waiting --from 92036us --to 92046us trace.db >moving.txt
has moving.txt 'balance 57.5 % x serialisation 100 % x transfer 100 %'

# Statistics say the same, and the metric of work is what is efficient, whatever is shown beside it.
for options in --json --csv "--at SWITCH --over-time 3 --csv"; do
    same "of statistics $options" "$(cli waiting --most 1000 $options trace.db)" \
        "$(cli stats --efficiency $options trace.db)"
done
refused 2 '--sort and --efficiency exclude each other' stats --efficiency --sort name trace.db
cli parts --metric work --kind temporal --slices 3 --p 0 --json trace.db >work.json
same "work of slices" "$(cli waiting --over-time 3 --json trace.db |
    jq -c '[.rows[] | .parallel * 1e9 | round]')" \
    "$(jq -c '[.parts[] | .share * 1e9 | round]' work.json)"
cli waiting --over-time 20 trace.db -o slices.svg
has slices.svg '85.92 %'
printf '%s\n' resource,category,type,value,begin,end,source,target a,state,S,recv,0,9,, \
    b,state,S,x,0,9,, b,link,L,m,8,3,b,a >wrong.csv
quiet wrong.csv -o wrong.db
refused 1 '1 messages end before they begin' waiting wrong.db
refused 1 'no resource with states is of the type "X"' waiting --at X trace.db

# A process of one thread is that thread: it is listed once.
printf '%s\n' resource,category,type,value,begin,end,source,target p/t,state,S,run,0,5,, \
    q/u,state,S,recv,0,6,, q/u,state,S,run,6,9,, p/t,link,L,m,5,6,p/t,q/u >deep.csv
quiet deep.csv -o deep.db
same "rows" "p/t q/u" "$(cli waiting --csv deep.db | tail -n +2 | cut -d, -f1 | line)"

# The critical path in a Gantt chart, and its pieces.
cli gantt --critical-path --from 200ms --to 250ms --links 0 trace.db -o path.svg
has path.svg 'critical path'
cli gantt --critical-path --from 200ms --to 250ms --json trace.db >path.json
same "the line's length" 0.05 \
    "$(jq '[.critical_path[] | .end - .begin] | add * 1e6 | round / 1e6' path.json)"

# Waits are of whatever states somebody waits in: machines have states of their own, for longer.
cat >two.csv <<'END'
resource,category,type,value,begin,end,source,target
m0,state,machine,up,0,90,,
m1,state,machine,up,0,90,,
m0/p,state,call,work,0,50,,
m1/p,state,call,MPI_Recv,10,51,,
m0/p,link,message,m,50,51,m0/p,m1/p
m1/p,state,call,work,51,60,,
END
for words in '' '--only MPI_Recv' '--except up'; do
    same "two types of states $words" 'm0/p 40 0' "$(cli waiting --no-cache $words --csv two.csv \
        2>/dev/null | awk -F, '$2 == 40 { print $1, $2, $3 }')"
done
