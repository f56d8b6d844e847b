# --type-tree and --type-level: the same digits as a trace whose values were renamed by a script,
# those of the oracle, the level that the formula of docs/types.md chooses, and bad trees.
need python3 jq

# Twelve values on two racks; "alone" and "Waiting room" are in no group of the tree.
cat >tree.txt <<'END'
# Groups and what is in them.
Talking
  Sending
    send
    isend
  recv*
Waiting/MPI_Wait
Waiting/Locks/lock%2Funlock
Waiting/Locks/spin-[0-9]
Waiting/100%25

Work
	# a comment may be indented by anything
  solve
  *pack
END
cat >make.py <<'END'
import random
random.seed(5)
VALUES = ["send", "isend", "recv", "recv_any", "MPI_Wait", "lock/unlock", "spin-1", "100%", "solve",
          "unpack", "alone", "Waiting room"]
print("resource,type,value,begin,end")
for leaf in range(8):
    at = 0
    while at < 4000:
        first = VALUES[(leaf // 4 * 3 + at // 1000 * 2 + random.randrange(4)) % len(VALUES)]
        end = min(4000, at + random.randrange(1, 300))
        print(f"rack{leaf // 4}/n{leaf},S,{first},{at / 1000},{end / 1000}")
        if end - at > 60:
            inner = random.choice(VALUES)
            print(f"rack{leaf // 4}/n{leaf},S,{inner},{(at + 20) / 1000},{(end - 30) / 1000}")
        at = end + random.choice([0, 0, 10])
END
python3 make.py >run.csv
# The tree by hand: where each value is at each level.
cat >places.py <<'END'
PLACES = {"send": ["Talking", "Sending"], "isend": ["Talking", "Sending"], "recv": ["Talking"],
          "recv_any": ["Talking"], "MPI_Wait": ["Waiting"], "lock/unlock": ["Waiting", "Locks"],
          "spin-1": ["Waiting", "Locks"], "100%": ["Waiting"], "solve": ["Work"],
          "unpack": ["Work"], "alone": ["other"], "Waiting room": ["other"]}

def at(value, level):
    return PLACES[value][level - 1] if level <= len(PLACES[value]) else value
END
cat >rename.py <<'END'
import csv, sys
from places import at
rows = csv.reader(open("run.csv"))
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(next(rows))
for row in rows:
    out.writerow(row[:2] + [at(row[2], int(sys.argv[1]))] + row[3:])
END
cli import --name run run.csv -o run.db >/dev/null 2>&1 || fail "no import"
cat >same.py <<'END'
import json, sys
APART = {"grouping", "command", "uid", "source"}

def plain(what):
    if isinstance(what, dict):
        return {key: plain(value) for key, value in what.items() if key not in APART}
    return [plain(value) for value in what] if isinstance(what, list) else what

first, second = (plain(json.load(open(path))) for path in sys.argv[1:3])
for key in first:
    if first[key] != second.get(key):
        print(key, str(first[key])[:400], str(second.get(key))[:400], sep="\n")
sys.exit(first != second)
END
cat >requests <<'END'
overview --p 0.5 --slices 37 --from 0.3 --to 2.9
overview --kind temporal --parts 20
overview --kind spatial --p 0.3
overview --metric event-count --p 0.5
overview --metric state-mean-duration --p 0.5
overview --metric state-max-duration --p 0.5 --except-resources *n3
overview --most-types 3 --hierarchy auto --p 0.2
overview --min-duration 50ms --untraced ignore --p 0.6
overview --statistic median --p 0.4
sweep --all
parts --p 0.3
treemap --p 0.3
END
for level in 1 2 3; do
    python3 rename.py $level >renamed.csv
    cli import --force --name run renamed.csv -o renamed.db >/dev/null 2>&1 || fail "no import"
    while read -r words; do
        cli $words --plain --json --type-tree tree.txt --type-level $level run.db >got.json 2>err ||
            fail "level $level, $words: $(cat err)"
        cli $words --plain --json renamed.db >expected.json 2>err || fail "$words: $(cat err)"
        python3 same.py got.json expected.json ||
            fail "level $level, $words: not what the renamed trace gives"
    done < <(echo overview --p 0.4 && { [ $level != 1 ] || cat requests; })
done
cli --json --type-tree tree.txt run.db 2>err >/dev/null
has err 'the tree tree.txt does not name 2 of 12 types, which are in "other": '
cli -o chosen.svg --type-tree tree.txt --only send --only 'rec*' run.db 2>err >/dev/null
same "nothing to be said" "" "$(cat err)"
# Without a level a tree is only colours.
cli --plain --json run.db >plain.json
cli --plain --json --type-tree tree.txt run.db >coloured.json 2>/dev/null
cmp -s plain.json coloured.json || fail "a tree without a level changes numbers"
# Groups of the user come first, and their names have a place in the tree.
sed 's/,MPI_Wait,/,solve,/; s/,alone,/,mine,/' run.csv >renamed.csv
cli import --force --name run renamed.csv -o renamed.db >/dev/null 2>&1
cli --json --p 0.4 --group-types MPI_Wait=solve --group-types alone=mine --type-tree tree.txt \
    --type-level 2 run.db >got.json 2>/dev/null
cli --json --p 0.4 --type-tree tree.txt --type-level 2 renamed.db >expected.json 2>/dev/null
python3 same.py got.json expected.json || fail "groups of types and a tree"
# Two runs are compared at the level of the first.
cli compare --json --type-tree tree.txt --type-level auto run.db renamed.db >got.json 2>err ||
    fail "compare: $(cat err)"

# --- The oracle, of four leaves and six slices
oracle=$OCELOTL_ROOT/../shared/oracle/oracle.py
if [ -e "$oracle" ]; then
    cat >small.py <<'END'
import json, random
random.seed(11)
VALUES = ["send", "recv", "MPI_Wait", "solve"]
GROUPS = {"send": 0, "recv": 0, "MPI_Wait": 1, "solve": 2}
rows = ["resource,type,value,begin,end"]
cells = [[[0] * 6 for _ in range(3)] for _ in range(4)]
for leaf in range(4):
    for eighth in range(48):
        value = VALUES[(leaf // 2 + eighth // 16 + (random.random() < 0.3)) % 4]
        rows.append(f"r{leaf // 2}/n{leaf},S,{value},{eighth / 8},{(eighth + 1) / 8}")
        cells[leaf][GROUPS[value]][eighth // 8] += 1
open("small.csv", "w").write("\n".join(rows) + "\n")
values = [[[str(v / 8) for v in row] for row in leaf] for leaf in cells]
json.dump({"kind": "spatiotemporal", "parent": [4, 4, 5, 5, 6, 6, -1], "values": values},
          open("small.json", "w"))
END
    python3 small.py
    cli import small.csv -o small.db >/dev/null 2>&1
    for p in 0.2 0.35 0.5 0.7; do
        cli --json --slices 6 --hierarchy trace --p-raw $p --type-tree tree.txt --type-level 1 \
            small.db >got.json 2>/dev/null || fail "no overview of the small trace"
        read -r _ _ _ pic _ gain _ loss _ parts _ < <(python3 "$oracle" small.json $p)
        near "pIC at $p" "$pic" "$(jq .pIC got.json)" 1e-9
        near "gain at $p" "$gain" "$(jq .gain got.json)" 1e-9
        near "loss at $p" "$loss" "$(jq .loss got.json)" 1e-9
        same "parts at $p" "${parts%:}" "$(jq '.parts | length' got.json)"
    done
fi

# --- auto: what each level saves less what it loses, by a script over the states themselves
cat >auto.py <<'END'
import csv, math, sys
from collections import defaultdict
from places import at, PLACES

LEVELS, SLICES = 3, 40
only = set(sys.argv[1].split(",")) if len(sys.argv) > 1 else set(PLACES)
# Innermost states, by milliseconds: rows come from the outside.
line = {}
for row in csv.DictReader(open("run.csv")):
    for tick in range(round(float(row["begin"]) * 1000), round(float(row["end"]) * 1000)):
        line[row["resource"], tick] = row["value"]
cells = defaultdict(float)
for (leaf, tick), value in line.items():
    if value in only:
        cells[leaf, tick * SLICES // 4000, value] += SLICES / 4000

def log(v):
    return v * math.log2(v) if v > 0 else 0

def lost(level):
    """The divergence of the types from the mix of their groups, and how many groups there are."""
    sums, whole, types = defaultdict(float), defaultdict(float), defaultdict(float)
    for (leaf, slice_, value), v in cells.items():
        group = at(value, level) if level else ""
        sums[leaf, slice_, group] += v
        whole[group] += v
        types[value] += v
    divergence = 0
    for (leaf, slice_, value), v in cells.items():
        group = at(value, level) if level else ""
        divergence += v * math.log2(v * whole[group] / (sums[leaf, slice_, group] * types[value]))
    return divergence, len(whole)

types = lost(LEVELS)[1]
worst = lost(0)[0]
scores = []
for level in range(1, LEVELS + 1):
    loss, count = lost(level)
    scores.append(round((types - count) / (types - 1) - loss / worst, 9))
print(1 + scores.index(max(scores)), scores)
END
chosen() { jq -r .grouping got.json | sed -n 's/.*at level \([0-9]*\) of 3 of the tree.*/\1/p'; }
while read -r only; do
    python3 auto.py $only >expected
    [ -z "$only" ] || only=" --only ${only//,/ --only }"
    cli --json --slices 40 --p 0.5 $only --type-tree tree.txt --type-level auto run.db >got.json \
        2>/dev/null || fail "auto $only"
    same "auto$only: $(cat expected)" "$(cut -d ' ' -f 1 expected)" "$(chosen)"
    cut -d ' ' -f 1 expected >>levels
done <<'END'

send,isend,recv,recv_any
send,isend
solve,unpack
MPI_Wait,lock/unlock,spin-1,100%
send,isend,solve,unpack
recv,MPI_Wait
recv,MPI_Wait,solve
END
[ "$(sort -u levels | wc -l)" -gt 1 ] || fail "auto has no choice: $(tr '\n' ' ' <levels)"
# A window has the level of the whole.
cli --json --p 0.5 --type-tree tree.txt --type-level auto run.db 2>/dev/null >got.json
whole=$(chosen)
cli --json --from 0.1 --to 0.3 --type-tree tree.txt --type-level auto run.db 2>/dev/null >got.json
same "the level of a window" "$whole" "$(chosen)"

# --- Trees with mistakes: where, what, and what was expected
bad() { # MESSAGE TEXT
    printf "$2" >bad.txt
    refused 1 "$1" --json --type-tree bad.txt run.db
}
bad 'bad.txt:3: the type "x" is in "B", and since line 2 in "A", expected each type once' \
    'A\n x\nB/x\n'
bad 'bad.txt:3: the type "x" is in "A", and since line 2 in "A", expected each type once' \
    'A\n x\n x\n'
bad 'bad.txt:2: the group "A" is elsewhere since line 1, expected each group in one place' \
    'A/x\nB/A/y\n'
bad 'bad.txt:1: the group "A" is elsewhere since line 1, expected each group in one place' 'A/A/x\n'
bad 'bad.txt:2: the type "y" is in no group, expected GROUP/TYPE or a line below' 'A/x\ny\n'
bad 'bad.txt:1: has a step without a name, expected one before and after every /' 'A//x\n'
bad 'bad.txt:2: has a step without a name' 'A/x\n/y\n'
bad 'bad.txt:1: is indented by 2, expected the first line not to be' '  A\n   x\n'
bad 'bad.txt:3: is indented by 2, expected 0 or 4 as lines above' 'A\n    x\n  y\n'
bad 'bad.txt:3: is indented by a tab, expected blanks as in the lines above' 'A\n  x\n\ty\n'
bad 'bad.txt:2: has a byte 0, expected a text' 'A\n x\0y\n'
bad 'bad.txt:1: names no type, expected groups with types' '# nothing\n\n'
bad 'bad.txt:1: names no type' ''
bad 'bad.txt:1: is below 16 others, expected at most 15' 'a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q\n'
refused 1 'expected a tree of types, mpi, openmp, cuda or kernel' --json --type-tree mpo run.db
refused 1 '.: ' --json --type-tree . run.db
refused 1 'standard input:1: names no type' --json --type-tree - run.db </dev/null
refused 2 '--type-level is 4, and the tree mpi has 3 levels, expected 1 to 3, or auto' \
    --type-tree mpi --type-level 4 run.db
refused 2 '--type-level needs --type-tree' --type-level 2 run.db
refused 2 '--type-level is "0", expected a level from 1, or auto' \
    --type-tree mpi --type-level 0 run.db
head -c 20000000 /dev/zero | tr '\0' 'x' >large.txt
refused 1 'large.txt: is larger than 16 MB, expected a tree of types' \
    --json --type-tree large.txt run.db
# Of variables nothing adds up: no level, and auto is each by itself.
printf 'resource,type,begin,value\na,load,0,1\nb,load,0,3\na,load,5,2\nb,load,9,1\n' >load.csv
cli import load.csv -o load.db >/dev/null 2>&1
refused 1 'which do not add up' --json --type-tree tree.txt --type-level 1 load.db
cli --json --type-tree tree.txt --type-level auto load.db >got.json 2>/dev/null ||
    fail "auto of variables"

# --- Trees that are good: line ends, marks of order, compression, pipes
cli --json --p 0.4 --type-tree tree.txt --type-level 1 run.db 2>/dev/null |
    jq -S 'del(.grouping)' >expected.json
{ printf '\357\273\277' && sed 's/$/\r/' tree.txt; } >crlf.txt
gzip -k tree.txt
for tree in crlf.txt tree.txt.gz - /dev/stdin; do
    cat tree.txt | cli --json --p 0.4 --type-tree "$tree" --type-level 1 run.db 2>/dev/null |
        jq -S 'del(.grouping)' >got.json || fail "the tree $tree"
    cmp -s expected.json got.json || fail "the tree $tree: other digits"
done
for tree in mpi openmp cuda kernel; do
    cli --json --type-tree $tree --type-level 1 run.db >/dev/null 2>&1 || fail "the tree $tree"
done
