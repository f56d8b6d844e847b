"""Traces whose clocks are wrong by what is known, and how far off what was found is.

    clocks_maker.py make OPTIONS >TRACE.trace 2>TRUTH
    clocks_maker.py even OPTIONS >TRACE.trace 2>TRUTH
    clocks_maker.py distort OPTIONS <RIGHT.trace >WRONG.trace 2>TRUTH
    clocks_maker.py sample OPTIONS >SAMPLES.csv 2>TRUTH
    clocks_maker.py check CLOCKS.json TRUTH BEGIN END

Eight hosts of two processes send around a ring, both ways, and to others; a message takes 60 us at
least, and waits. Each host reads off + (1 + d) t + A sin(2 pi t / P + phase) at the time t, rounded
to grains. `distort` dates a trace of another program so, one clock for each rank."""
import argparse
import json
import math
import random
import re
import sys

import paje

HEAD = paje.head("DefineContainerType DefineStateType DefineLinkType CreateContainer PushState",
                 "PopState StartLink+size EndLink") + """
0 M 0 machine
0 P M proc
1 S P state
2 L 0 P P message"""


class Clocks:
    """By name; each is drawn when it is first asked for."""

    def __init__(self, options):
        self.options, self.known = options, {}
        self.random = random.Random(options.seed)

    def draw(self, name):
        o = self.options
        if name not in self.known and o.shift is not None:
            self.known[name] = ((int(name.split("-")[1]) + 1) % 7 * o.shift, 0, 0)
        elif name not in self.known:
            self.known[name] = (self.random.uniform(-o.offset, o.offset),
                                self.random.uniform(-o.ppm, o.ppm) * 1e-6,
                                self.random.uniform(0, 2 * math.pi))
        return self.known[name]

    def read(self, name, t):
        o = self.options
        offset, drift, phase = self.draw(name)
        wave = o.amplitude * math.sin(2 * math.pi * t / o.period + phase)
        return round((offset + (1 + drift) * t + wave) / o.grain) * o.grain

    def write_truth(self):
        o = self.options
        print(json.dumps({"amplitude": o.amplitude, "period": o.period, "grain": o.grain,
                          "clocks": self.known}), file=sys.stderr)


def make(options):
    """Rounds of work, then messages; a receive waits for its message."""
    clocks, chance = Clocks(options), random.Random(options.seed + 1000)
    hosts, ranks = options.hosts, 2 * options.hosts
    now, lines, number = [0.0] * ranks, [], 0

    def host(rank):
        return f"host-{rank // 2}"

    def add(rank, t, text):
        lines.append((clocks.read(host(rank), t), len(lines), text))

    for step in range(options.rounds):
        arrivals = []
        for rank in range(ranks):
            now[rank] += options.work * chance.uniform(0.8, 1.2)
            add(rank, now[rank], f"4 %.9f S p{rank} exchange")
            for shift in {1, ranks - 1, 2 << step % 3, ranks - (2 << step % 3)}:
                if (options.one_way or options.chain) and shift != 1:
                    continue
                if options.chain and rank == ranks - 1:
                    continue
                other, number = (rank + shift) % ranks, number + 1
                now[rank] += 5e-6
                add(rank, now[rank], f"6 %.9f L 0 m p{rank} k{number} {shift * 8}")
                near = host(rank) == host(other)
                least, wait = (2e-6, 1e-6) if near else (60e-6, 20e-6)
                delay = least + chance.expovariate(1 / wait)
                arrivals.append((other, now[rank] + delay, number))
        for other, t, number_of in arrivals:
            add(other, t, f"7 %.9f L 0 m p{other} k{number_of}")
            now[other] = max(now[other], t)
        for rank in range(ranks):
            now[rank] += 2e-6
            add(rank, now[rank], f"5 %.9f S p{rank}")
        if options.barriers and step % options.barriers == 0:
            for rank in range(ranks):
                now[rank] += options.work * chance.uniform(0, 0.2)
                add(rank, now[rank], f"4 %.9f S p{rank} MPI_Barrier")
            entered = max(now)
            for rank in range(ranks):
                now[rank] = entered + 20e-6 + chance.expovariate(1e5)
                add(rank, now[rank], f"5 %.9f S p{rank}")
    lines.sort()
    print(HEAD)
    for h in range(hosts):
        print(f"3 {lines[0][0]:.9f} m{h} M 0 host-{h}")
    for rank in range(ranks):
        print(f"3 {lines[0][0]:.9f} p{rank} P m{rank // 2} rank-{rank}")
    for t, _, text in lines:
        print(text % t)
    clocks.write_truth()


def even(options):
    """Messages between any two of some clocks that run evenly, in a part of the run; they take
    about twice the least delay, or any time. Each clock has a state in the whole run."""
    clocks, chance, lines = Clocks(options), random.Random(options.seed + 3000), []
    if options.ahead is not None:
        for h in range(options.hosts):
            clocks.known[f"p{h}"] = (5 + h * options.ahead, h * options.ppm * 1e-6, 0)

    def add(h, t, text):
        local = clocks.read(f"p{h}", t)
        lines.append((local, len(lines), f"{text[0]} {local:.9f} {text[2:]}"))

    print(paje.head("DefineContainerType DefineStateType DefineLinkType CreateContainer StartLink",
                    "EndLink PushState PopState"))
    print("0 P 0 proc\n1 S P state\n2 L 0 P P link")
    for h in range(options.hosts):
        print(f"3 {clocks.read(f'p{h}', 0):.9f} p{h} P 0 p{h}")
        add(h, 0, f"6 S p{h} run")
        add(h, options.run, f"7 S p{h}")
    for i in range(options.rounds):
        a, b = chance.sample(range(options.hosts), 2)
        sent = chance.uniform(options.begin, options.end)
        add(a, sent, f"4 L 0 m p{a} {i}")
        add(b, sent + (1e-6 + chance.lognormvariate(-11, 2) if options.least == 0 else
                       options.least + chance.expovariate(1 / options.least)), f"5 L 0 m p{b} {i}")
    print("\n".join(line for _, _, line in sorted(lines)))
    clocks.write_truth()


def distort(options):
    """Every clock is that of a rank or host; the lines are sorted by the new times."""
    clocks, fields, clock_of, lines = Clocks(options), {}, {}, []
    for line in sys.stdin:
        words = line.split()
        if not words or line[0] in "%#":
            print(line, end="")
            if words and words[0] == "%EventDef":
                kind = fields.setdefault(words[2], [words[1]])
            elif words and words[0] == "%" and len(words) == 3:
                kind.append(words[1])
            continue
        names = fields[words[0]]
        if "Time" not in names:
            print(line, end="")
            continue
        at = names.index("Time")
        if names[0] == "PajeCreateContainer":
            name = words[names.index("Name")].strip('"')
            parent = clock_of.get(words[names.index("Container")])
            clock_of[words[names.index("Alias")]] = \
                name if parent is None and re.fullmatch(r"(rank|host)-\d+", name) else parent
            lines.append((-math.inf, len(lines), words, at))
        elif names[0] == "PajeDestroyContainer":
            lines.append((math.inf, len(lines), words, at))
        else:
            where = {"PajeStartLink": "StartContainer",
                     "PajeEndLink": "EndContainer"}.get(names[0], "Container")
            clock, t = clock_of.get(words[names.index(where)]), float(words[at])
            if t > options.until:
                continue
            lines.append((clocks.read(clock, t) if clock else t, len(lines), words, at))
    lines.sort(key=lambda line: line[:2])
    known = [line[0] for line in lines if math.isfinite(line[0])]
    for t, _, words, at in lines:
        words[at] = f"{min(max(t, known[0]), known[-1]):.9f}"
        print(" ".join(words))
    clocks.write_truth()


def sample(options):
    """Exchanges of the first host with all others, ten before the run and ten behind it."""
    clocks, chance = Clocks(options), random.Random(options.seed + 2000)
    print("phase,clock,sent,received,returned,back")
    for h in range(options.hosts):
        clocks.draw(f"host-{h}")
    for phase, begin in (("before", 0), ("after", options.rounds * options.work)):
        for k in range(10):
            for h in range(1, options.hosts):
                t, name = begin + 0.01 * k + 0.001 * h, f"host-{h}"
                there = t + 50e-6 + chance.expovariate(1 / 20e-6)
                answered = there + 3e-6
                back = answered + 50e-6 + chance.expovariate(1 / 20e-6)
                print(phase, name, *(f"{clocks.read(at, when):.9f}" for at, when in (
                    ("host-0", t), (name, there), (name, answered), ("host-0", back))), sep=",")
    clocks.write_truth()


def check(found, truth, begin, end):
    """Prints the largest error of any clock at any time, how many are outside their bounds, and the
    largest bound, in microseconds."""
    with open(found, encoding="utf-8") as file:
        found = json.load(file)
    with open(truth, encoding="utf-8") as file:
        truth = json.load(file)
    clocks = {clock["clock"].split("/")[-1]: clock for clock in found["clocks"]}
    references = {clock["group"]: name for name, clock in clocks.items() if clock["reference"]}

    def read(name, t):
        offset, drift, phase = truth["clocks"][name]
        return (offset + (1 + drift) * t
                + truth["amplitude"] * math.sin(2 * math.pi * t / truth["period"] + phase))

    def told(clock, at):
        knots = clock.get("knots") or [[clock["at"], clock["offset"], clock["drift"]]]
        knot = [k for k in knots if k[0] <= at][-1:] or knots[:1]
        return at - knot[0][1] - knot[0][2] * (at - knot[0][0])

    worst, outside, bound = 0, 0, 0
    for name, clock in clocks.items():
        errors = [abs(told(clock, read(name, t)) - read(references[clock["group"]], t))
                  for t in (begin + (end - begin) * i / 200 for i in range(201))]
        worst = max(worst, max(errors))
        outside += clock["bound"] is not None and max(errors) > clock["bound"] + truth["grain"]
        bound = max(bound, clock["bound"] if clock["bound"] is not None else math.inf)
    print(f"{worst * 1e6:.3f} {outside} {bound * 1e6:.3f}")


def main():
    if sys.argv[1] == "check":
        check(sys.argv[2], sys.argv[3], float(sys.argv[4]), float(sys.argv[5]))
        return
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["make", "even", "distort", "sample"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--offset", type=float, default=1)
    parser.add_argument("--ppm", type=float, default=50)
    parser.add_argument("--amplitude", type=float, default=0)
    parser.add_argument("--period", type=float, default=10)
    parser.add_argument("--grain", type=float, default=1e-6)
    parser.add_argument("--hosts", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=600)
    parser.add_argument("--work", type=float, default=0.05)
    parser.add_argument("--one-way", action="store_true")
    parser.add_argument("--shift", type=float, help="of the k-th rank by k mod 7 of these seconds")
    parser.add_argument("--until", type=float, default=math.inf)
    parser.add_argument("--chain", action="store_true")
    parser.add_argument("--barriers", type=int, default=0)
    parser.add_argument("--ahead", type=float)
    for name, default in (("begin", 0), ("end", 30), ("run", 30), ("least", 0)):
        parser.add_argument("--" + name, type=float, default=default)
    options = parser.parse_args()
    globals()[options.what](options)


if __name__ == "__main__":
    main()
