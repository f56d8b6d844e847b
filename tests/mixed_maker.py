"""A Paje trace with something of everything: mixed_maker.py SEED >RUN.trace"""
import random
import sys

import paje

random.seed(int(sys.argv[1]))
print(paje.head("DefineContainerType DefineStateType DefineVariableType DefineEventType",
                "DefineLinkType CreateContainer DestroyContainer PushState+line PopState SetState",
                "SetVariable NewEvent StartLink+size EndLink"))
print("0 H 0 host\n0 P H proc\n1 S P state\n1 M P mode\n2 V H load\n3 E P mark\n4 L 0 P P link")
lives, lines = {}, []


def add(time, text):
    """At one instant: containers before what happens in them."""
    lines.append((round(time, 3), {"5": 0, "6": 2}.get(text.split()[0], 1), len(lines), text))


def walk(begin, end, pause, happen):
    while begin < end:
        happen(begin)
        begin = round(begin + (random.expovariate(1 / pause) if random.random() < 0.9 else 0), 3)


def push_or_pop(proc, state):
    def happen(time):
        down = state["depth"] == 0 or random.random() < 0.45
        state["depth"] += 1 if down else -1
        value = f" {random.choice(['run', 'wait', 'send'])} {random.randrange(50)}" if down else ""
        add(time, f"{7 if down else 8} {{}} S {proc}{value}")
    return happen


def one_of(number, kind, place, names):
    return lambda time: add(time, f"{number} {{}} {kind} {place} {random.choice(names)}")


for host in ("h2", "h10", "x"):
    add(0, f"5 {{}} {host} H 0 {host}")
    walk(random.uniform(0, 9), 50, 5,
         lambda time: add(time, f"10 {{}} V {host} {random.uniform(0, 9):.3f}"))
    for number in range(3):
        proc = f"{host}p{number}"
        begin, end = random.choice([0, 0, 12.5]), random.choice([50, 50, 31.25])
        lives[proc] = (begin, end)
        add(begin, f"5 {{}} {proc} P {host} p{number}")
        walk(begin, end, 2, push_or_pop(proc, {"depth": 0}))
        walk(begin, end, 7, one_of(9, "M", proc, ["user", "idle", "wait"]))
        walk(begin, end, 6, one_of(11, "E", proc, ["tick", "tock"]))
        if end < 50:
            add(end, f"6 {{}} P {proc}")
for key in range(80):
    source, target = random.choice(list(lives)), random.choice(list(lives))
    begin = round(random.uniform(*lives[source]), 3)
    end = round(min(begin + random.expovariate(0.2), lives[target][1]), 3)
    if end >= begin >= lives[target][0]:
        value = random.choice(["data", "ack"])
        add(begin, f"12 {{}} L 0 {value} {source} k{key} {random.randrange(5000)}")
        add(end, f"13 {{}} L 0 {value} {target} k{key}")
add(50, "6 {} H x")
for time, _, _, text in sorted(lines):
    print(text.format(f"{time:.3f}"))
