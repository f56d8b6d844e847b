# The order by traffic, against chains that Python makes of counts by SQL.
need python3

# Processes that talk in a chain, whose names are shuffled over hosts: each host is a chain, too.
# Its two ends exchange least, so that a ring comes of it.
cat >chains.py <<'END'
import random
import sys

import paje

random.seed(int(sys.argv[1]))
HOSTS, EACH = 7, 6
CHAIN = [(h, i) for h in random.sample(range(HOSTS), HOSTS)
         for i in random.sample(range(EACH), EACH)]
print(paje.head("DefineContainerType DefineLinkType CreateContainer StartLink+size EndLink"))
print("0 H 0 host\n0 P H proc\n1 L 0 P P link")
for host in range(HOSTS):
    print(f"2 0 h{host} H 0 h{host}")
    for i in range(EACH):
        print(f"2 0 h{host}p{i} P h{host} h{host}p{i}")
time = 1
for a, b in zip(CHAIN, CHAIN[1:]):
    for one, other in ((a, b), (b, a), (CHAIN[0], CHAIN[-1])):
        size = 1 if (one, other) == (CHAIN[0], CHAIN[-1]) else random.randrange(50, 100)
        print("3 %d L 0 v h%dp%d %d %d" % (time, *one, time, size))
        print("4 %.1f L 0 v h%dp%d %d" % (time + 0.5, *other, time))
        time += 1
with open("chain", "w", encoding="utf-8") as file:
    file.writelines(f"h{h}/h{h}p{i}\n" for h, i in CHAIN)
END
rows() { jq -r '.rows[].group'; }
for seed in 1 2 3; do
    python3 chains.py "$seed" >chain.trace
    cli import --force chain.trace -o chain.db >/dev/null
    cli matrix --json --order traffic chain.db | rows >got
    for host in '' 0 1 2 3 4 5 6; do # of hosts, then of processes of each
        grep "^h$host" chain | cut -d / -f "1${host:+,2}" | uniq >expected
        grep "^h$host" got | cut -d / -f "1${host:+,2}" | uniq >part
        cmp -s part expected || cmp -s part <(tac expected) ||
            fail "seed $seed: the chain h$host is not found"
    done
    same "hosts of seed $seed" "$(cut -d / -f 1 got | uniq)" \
        "$(cli matrix --json --order traffic --at host chain.db | rows)"
done

# Any hierarchy: side by side are chains of the pairs with most traffic, as Python joins them from
# what SQL counts.
cat >expected.py <<'END'
import collections
import csv
import json
import sys

with open("plain.json", encoding="utf-8") as plain:
    LEAVES = [row["group"].split("/") for row in json.load(plain)["rows"]]
AMOUNTS = collections.Counter()
for row in csv.DictReader(sys.stdin):
    ends = row["source"].split("/"), row["target"].split("/")
    depth = next((i for i, steps in enumerate(zip(*ends)) if steps[0] != steps[1]), None)
    if depth is not None:
        AMOUNTS[tuple(ends[0][:depth]), frozenset(end[depth] for end in ends)] += int(row["amount"])

def join(chains, one, other, ends):
    """Two chains become one if both nodes are ends of theirs."""
    if one is other or ends[0] not in (one[0], one[-1]) or ends[1] not in (other[0], other[-1]):
        return chains
    left = [chain for chain in chains if chain is not one and chain is not other]
    one = one if one[-1] == ends[0] else one[::-1]
    return left + [one + (other if other[0] == ends[1] else other[::-1])]

def order(above):
    """The leaves below a path, with its children in chains."""
    depth = len(above)
    children = list(dict.fromkeys(leaf[depth] for leaf in LEAVES
                                  if tuple(leaf[:depth]) == above and len(leaf) > depth))
    if not children:
        return [above]
    place = {name: i for i, name in enumerate(children)}
    pairs = sorted((-amount, abs(place[min(pair)] - place[max(pair)]),
                    sorted(pair, key=place.get), pair)
                   for (path, pair), amount in AMOUNTS.items() if path == above)
    pairs.sort(key=lambda pair: (pair[0], pair[1], place[pair[2][0]]))
    chains = [[name] for name in children]
    for *_, ends, _ in pairs:
        one, other = (next(chain for chain in chains if end in chain) for end in ends)
        chains = join(chains, one, other, ends)
    chains = [chain if place[chain[0]] <= place[chain[-1]] else chain[::-1] for chain in chains]
    chains.sort(key=lambda chain: min(place[name] for name in chain))
    return [leaf for chain in chains for name in chain for leaf in order(above + (name,))]

print("\n".join("/".join(path) for path in order(())))
END
check() { # TRACE AMOUNT LEVEL..: what SQL adds up is the traffic
    cli matrix --json "$1" >plain.json
    cli sql --csv "$1" "SELECT source, target, $2 AS amount FROM events WHERE category = 'link'
        AND source IS NOT NULL AND target IS NOT NULL GROUP BY 1, 2" | python3 expected.py >expected
    cli matrix --json --order traffic "$1" | rows >got
    same "order of $1" "$(cat expected)" "$(cat got)"
    # All sums are those without the order, at each level, and those of stats.
    for level in "${@:3}"; do
        cli matrix --csv --order traffic --at "$level" "$1" | sort >ordered.csv
        same "$level of $1" "$(cli matrix --csv --at "$level" "$1" | sort)" "$(cat ordered.csv)"
        same "all of $level of $1" "$(cli stats --json "$1" |
            jq '[.types[] | select(.category == "link").begun] | add')" \
            "$(awk -F , '{ sum += $3 } END { print sum }' ordered.csv)"
    done
}
example stencil.db
check stencil.db 'count(*)' MPI SWITCH MACHINE CLUSTER
check chain.db "sum(attributes ->> 'size')" proc host all
lu=$shared/smpi-lu-700.trace.zst
if [ -e "$lu" ]; then
    cli import "$lu" -o lu.db >/dev/null 2>&1
    check lu.db 'count(*)' MPI MACHINE CLUSTER
    ! cmp -s got <(rows <plain.json) || fail "no order but that of the trace"
fi

# Models of other metrics have the order as well.
for command in overview treemap compare; do
    second=()
    [ "$command" != compare ] || second=(stencil.db)
    cli "$command" --order traffic stencil.db "${second[@]}" -o "$command.svg" >/dev/null 2>&1 ||
        fail "$command has no order by traffic"
done
has overview.svg 'by traffic'
same "with groups" "$(cli matrix --csv --group 'h[135]=odd' chain.db | sort)" \
    "$(cli matrix --csv --group 'h[135]=odd' --order traffic chain.db | sort)"

paje_definitions SetState >states.trace
cat >>states.trace <<'END'
0 P 0 proc
1 S P state
2 0 p P 0 p
3 0 S p a
3 1 S p b
END
cli import states.trace -o states.db >/dev/null 2>&1
refused 1 'has no links, expected some for an order by traffic' --order traffic states.db
