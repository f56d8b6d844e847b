# Where clocks that run evenly explain all messages, none ends before it begins once they are set,
# and each clock is within its bound.
need python3 jq
cat >make.py <<'END'
"""Clocks that run evenly, and messages that take times of all sizes."""
import json
import random
import sys

import paje

random.seed(int(sys.argv[1]))
CLOCKS = [(random.uniform(-1, 1), random.uniform(-2e-5, 2e-5)) for _ in range(5)]
print(paje.head("DefineContainerType DefineLinkType CreateContainer StartLink EndLink"))
print("0 P 0 proc\n1 L 0 P P link")
lines = []
for i in range(300):
    a, b = random.sample(range(len(CLOCKS)), 2)
    time = random.uniform(0, 30)
    ends = (time, a), (time + 1e-6 + random.lognormvariate(-11, 2), b)
    for (instant, clock), line in zip(ends, ("3 {} L 0 m p{} {}", "4 {} L 0 m p{} {}")):
        local = 2 + CLOCKS[clock][0] + (1 + CLOCKS[clock][1]) * instant
        lines.append((local, line.format(f"{local:.9f}", clock, i)))
for c in range(len(CLOCKS)):
    print(f"2 0 p{c} P 0 p{c}")
print("\n".join(line for _, line in sorted(lines)))
json.dump(CLOCKS, sys.stderr)
END
cat >check.py <<'END'
"""The error of each clock against the reference, at both ends of the run."""
import json

with open("clocks.json", encoding="utf-8") as file:
    found = json.load(file)["clocks"]
with open("truth.json", encoding="utf-8") as file:
    truth = json.load(file)
reference = next(i for i, clock in enumerate(found) if clock["reference"])
for clock, (offset, drift) in zip(found, truth):
    for instant in (0.5, 15, 29.5):
        local = 2 + offset + (1 + drift) * instant
        wanted = 2 + truth[reference][0] + (1 + truth[reference][1]) * instant
        got = local - clock["offset"] - clock["drift"] * (local - clock["at"])
        assert abs(got - wanted) <= clock["bound"] + 2e-9, (clock, got - wanted)
END
for seed in 2 20 31 45; do
    python3 make.py "$seed" >made.trace 2>truth.json
    cli import --force made.trace -o made.db >/dev/null 2>&1
    cli clocks --json made.db >clocks.json
    holds "none is left of seed $seed" clocks.json '.tachyons > 100 and .tachyons_left == 0 and
        .bent == 0 and .worst_left > 0'
    python3 check.py || fail "a clock of seed $seed is outside its bound"
done
