# explain says first what is known to be wrong with a run, and nothing of a run without a fault.
need jq python3
cli explain --json "$sample" >found.json
jq -r '.findings[0] | "\(.resources | join(" ")) \(.kind) \(.type) \(.more // "")"' found.json >first.txt
has first.txt 'nancy/griffon/griffon-sw2 duration (no state)'
# griffon-sw2 computes twice as long from 0.2054 to 0.2470 s (the description of the trace).
jq -e '.findings[0] | .begin > 0.195 and .begin < 0.215 and .end > 0.23 and .end < 0.255 and
    .here / .usual > 1.8 and .here / .usual < 2.2 and .leaves == 20' found.json >/dev/null ||
    fail "not the slow switch: $(jq -c '.findings[0]' found.json)"
cli explain --sentences 4 "$sample" >said.txt
same "4 sentences" 4 "$(grep -cE '^([0-9]+\.|-|[0-9]+ ranks)' said.txt)"
has said.txt '1. griffon-sw2 of griffon (20 of 96 ranks): work between states takes' 'others wait'
same "the same text" "$(jq -r '.findings[0].text' found.json)." "$(sed -n 's/^1\. //p' said.txt)"
same "threads" "$(jq -c . found.json)" "$(OMP_NUM_THREADS=1 cli explain --json "$sample" | jq -c .)"
# The command of a sentence draws a picture.
words=$(jq -r '.findings[0].command' found.json)
eval "cli ${words#ocelotl-cli }"
has shown.svg 'griffon-sw2'
same "one sentence" 1 "$(cli explain --sentences 1 "$sample" | wc -l)"
jq -e '.findings | length == 0' <(cli explain --json --from 0 --to 2ms "$sample") >/dev/null ||
    fail "something in a window in which all do one thing"

# Runs that are made: a rank that begins late, one slow iteration, one rank whose calls vary, two
# that are slow at different places, nearly half that are, a phase that is missing on a host, or on
# all, and none of these.
cat >make.py <<'END'
import random, sys
kind = sys.argv[1]
begin = float(sys.argv[2]) if len(sys.argv) > 2 else 0
random.seed(len(kind))
print("resource,category,type,value,begin,end")
now = [begin] * 16
for iteration in range(30):
    ready = []
    for rank in range(16):
        work = 10 * random.gauss(1, 0.01)
        if kind == "late" and rank == 5 and iteration == 0:
            work += 8
        if kind == "slow" and iteration == 12:
            work *= 1.3
        if kind == "two" and rank in (5, 14) or kind == "seven" and rank % 5 < 2:
            work *= 1.3
        if kind == "hole" and iteration % 5 == 4 and iteration != 14:
            work += 4
        if kind == "missing" and iteration % 5 == 4 and (rank // 4 != 2 or iteration != 14):
            print(f"host{rank // 4}/rank {rank},state,S,save,{now[rank]:.4f},{now[rank] + 4:.4f}")
            now[rank] += 4
        if kind == "noise" and rank == 3 and 10 <= iteration < 25:
            work *= random.uniform(1, 2)
        print(f"host{rank // 4}/rank {rank},state,S,solve,{now[rank]:.4f},{now[rank] + work:.4f}")
        ready.append(now[rank] + work)
    for rank in range(16):
        print(f"host{rank // 4}/rank {rank},state,S,MPI_Barrier,{ready[rank]:.4f},{max(ready):.4f}")
    now = [max(ready)] * 16
END
for kind in late slow noise two seven missing hole none; do
    python3 make.py $kind >$kind.csv
    cli explain --json $kind.csv >$kind.json
    jq -r '[.findings[0] // empty | (.resources | join(" ")), .type, (.begin | round),
        (.end | round)] | join(" ")' $kind.json >$kind.txt
done
like late.txt '^host1/rank 5 solve 0 18$'
like slow.txt '^ solve 1[0-9]* 1[0-9]*$'
like noise.txt '^host0/rank 3 solve 1[0-9]* [23][0-9]*$'
like two.txt '^host1/rank 5 host3/rank 14 solve 0 39[0-9]$'
like seven.txt '^host0/rank 0 host0/rank 1 host1/rank 5 .* solve 0 39[0-9]$'
like missing.txt '^host2 save 1[45][0-9] 15[0-9]$'
like hole.txt '^ solve 15[0-9] 16[0-9]$'
same "consequences" 1 "$(jq '.findings | length' missing.json)"
# Times far from the origin count from the beginning of the trace, in words; commands have its own.
python3 make.py late 40000 >far.csv
cli explain far.csv >far.txt
has far.txt '16 ranks for 3' '1. rank 5 of host1 (1 of 16 ranks): solve takes' ', +0 s to +18'
eval "cli $(sed -n 's/^   ocelotl-cli //p' far.txt | head -n 1)"
has shown.svg '40000 s' 'rank 5'
same "nothing stands out" 0 "$(jq '.findings | length' none.json)"

# Markdown has a picture for each finding beside it, and all or nothing is written.
cli explain late.csv -o said.md
has said.md '1. rank 5 of host1 (1 of 16 ranks): solve' '![1](<said-1.svg>)' 'ocelotl-cli --from'
has said-1.svg 'rank 5 of host1 (1 of 16 ranks): solve takes'
same "pictures" "$(jq '.findings | length' late.json)" "$(find . -name 'said-*.svg' | wc -l)"
cli explain late.csv -o said.md || fail "its own Markdown is not replaced"
rm said.md said-*.svg
printf '<svg/>' >said-2.svg
quiet late.csv -o late.db
quiet "$sample" -o sample.db
refused 1 'said-2.svg: holds a picture' explain sample.db -o said.md
[ ! -e said.md ] && [ ! -e said-1.svg ] || fail "a part of what failed is there"

# Of a trace without states its events are compared, or its variables.
cat >others.py <<'END'
import random, sys
random.seed(2)
print("resource,category,type,value,begin,end")
for rank in range(16):
    for second in range(400):
        odd = rank == 6 and 100 <= second < 140
        if sys.argv[1] == "event":
            for k in range(24 if odd else 2):
                print(f"host{rank // 4}/rank {rank},event,E,fault,{second + random.random():.4f},")
        else:
            load = (3.2 if odd else 1.1) + random.gauss(0, 0.02)
            print(f"host{rank // 4}/rank {rank},variable,load,{load:.4f},{second},")
END
for kind in event variable; do
    python3 others.py $kind >$kind.csv
    cli explain --json $kind.csv >$kind.json
done
like event.json '"rank 6 of host1 \(1 of 16 ranks\): fault comes 12 times as often \(2[0-9.]* times a second where 2'
like variable.json '"rank 6 of host1 \(1 of 16 ranks\): load is 3.[12][0-9]* where 1.1[0-9]* is usual'
for kind in event variable; do
    jq -r '[(.findings | length), (.findings[0] | (.resources[0] | split("/")[1]),
        (.begin | round), (.end | round))] | join(" ")' $kind.json >$kind.txt
    same "$kind" "1 rank 6 100 140" "$(cat $kind.txt)"
done

# The judge, on a few runs.
python3 "$OCELOTL_ROOT/bench/faults/judge.py" faults --seeds 24,28,10000 --cli "$OCELOTL_CLI" \
    >judged.txt || fail "the judge: $(tail -3 judged.txt)"
has judged.txt 'tune half'

# Bad input.
printf 'path,type,slice,value\na,x,0,1\n' >matrix.csv
refused 1 'is a microscopic model, expected a trace' explain matrix.csv
printf '<p>mine</p>\n' >mine.md
refused 1 'use --force to replace it' explain late.db -o mine.md
cli explain --force late.db -o mine.md >/dev/null
has mine.md mine-1.svg
# Waits are those of the window, and of the resources, as waiting has them.
for words in '--from @0.1s --to @0.1001s' '--resource nancy/griffon/griffon-sw2'; do
    waits=$(cli waiting $words "$sample" 2>/dev/null |
        sed -n 's/^waiting *\(.*\) for others.*/\1/p')
    has <(cli explain --sentences 1 $words "$sample" 2>/dev/null) "they wait $waits"
done
refused 2 '--sentences is 0, expected at least 1' explain --sentences 0 "$sample"
# Calls inside each other end in another order than they begin in.
python3 - >inside.json <<'END_OF_PYTHON'
import json, random
chance = random.Random(2)
events = []
for thread in range(4):
    time, inside = 0, []
    for _ in range(200):
        time += chance.randrange(1, 40)
        if chance.random() < .55 and len(inside) < 20:
            inside.append(chance.choice("abc"))
            events.append(dict(ph="B", name=inside[-1], ts=time, pid=1, tid=thread))
        elif inside:
            events.append(dict(ph="E", name=inside.pop(), ts=time, pid=1, tid=thread))
    for name in reversed(inside):
        time += 1
        events.append(dict(ph="E", name=name, ts=time, pid=1, tid=thread))
print(json.dumps(events))
END_OF_PYTHON
cli import --force inside.json -o inside.db >/dev/null 2>&1
cli explain --json inside.db >inside.txt 2>/dev/null || fail "calls inside each other"
jq -e '[.findings[] | .begin < .end] | length > 0 and all' inside.txt >/dev/null || fail "calls end before they begin"
