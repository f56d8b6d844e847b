"""Runs whose clocks are straight, so that no message may be wrong once they are set, and runs whose
clocks somebody sets, which take one piece more than there are steps.

    clocks_explained.py PROGRAM SEED...

Each seed is a run: of 2 to 700 clocks with offsets, or offsets and drifts, that send along a ring,
a tree, a star, one way or at random; messages take a latency and wait. Seeds below 0 are runs of up
to 16 clocks in a ring, which are set ahead at random times."""
import json
import random
import subprocess
import sys

import paje


def draw_pairs(chance, shape, count):
    """Lists who sends to whom, and whether both ways."""
    ring = [(i, (i + 1) % count) for i in range(count)]
    if shape == "tree":
        return [(chance.randrange(i), i) for i in range(1, count)], True
    if shape == "star":
        return [(0, i) for i in range(1, count)], True
    more = [(chance.randrange(count), chance.randrange(count))
            for _ in range({"ring": 0, "one way": count // 2, "random": 2 * count}[shape])]
    return ring + [pair for pair in more if pair[0] != pair[1]], shape != "one way"


def write_run(path, seed):
    chance = random.Random(seed)
    count = chance.choice([2, 3, 5, 8, 16, 40, 120, 300]) if seed % 10 else 700
    offset, drift = chance.choice([1e-6, 1e-3, 1]), chance.choice([0, 0, 2e-5, 4.5e-5])
    length, latency = chance.choice([0.1, 1, 100]), chance.choice([1e-6, 2e-5])
    wait = chance.choice([0, 1e-5, 1e-3, 1e-2])
    pairs, both = draw_pairs(chance, chance.choice(["ring", "random", "tree", "star", "one way"]),
                             count)
    most = chance.choice([1, 3, 20])
    clocks = [(chance.uniform(-offset, offset) + 2, 1 + chance.uniform(-drift, drift))
              for _ in range(count)]
    lines = []
    for pair in pairs + ([pair[::-1] for pair in pairs] if both else []):
        for _ in range(chance.randint(1, most)):
            sent = chance.uniform(0, length)
            took = latency + (chance.expovariate(1 / wait) if wait and chance.random() < 0.8 else 0)
            for event, clock, time in ((3, pair[0], sent), (4, pair[1], sent + took)):
                ticks = round((clocks[clock][0] + clocks[clock][1] * time) * 1e9)
                lines.append((ticks, event, clock, len(lines) // 2))
    write_trace(path, count, lines)


def write_steps(path, seed):
    """Returns how many times a clock is set."""
    chance = random.Random(seed)
    count, size = chance.choice([2, 3, 5, 8, 16]), chance.choice([1e-3, 1e-2, 0.5])
    length, drift = chance.choice([10, 100]), chance.choice([0, 2e-5])
    latency, wait = chance.choice([1e-5, 6e-5]), chance.choice([1e-5, 1e-4])
    clocks = [(chance.uniform(2, 2.01), 1 + chance.uniform(-drift, drift)) for _ in range(count)]
    steps = [(chance.uniform(0.05, 0.95) * length, chance.randrange(count),
              chance.uniform(size / 2, size)) for _ in range(chance.randint(1, 6))]
    lines = []
    for number in range(600 * count):
        pair = number % count, (number + 1) % count
        sent = chance.uniform(0, length)
        for event, clock, time in ((3, pair[number // count % 2], sent),
                                   (4, pair[1 - number // count % 2],
                                    sent + latency + chance.expovariate(1 / wait))):
            ahead = sum(by for at, whose, by in steps if whose == clock and at <= time)
            ticks = round((clocks[clock][0] + clocks[clock][1] * time + ahead) * 1e9)
            lines.append((ticks, event, clock, number))
    write_trace(path, count, lines)
    return len(steps)


def write_trace(path, count, lines):
    with open(path, "w", encoding="utf-8") as file:
        print(paje.head("DefineContainerType DefineLinkType CreateContainer", "StartLink",
                        "EndLink"), "0 P 0 proc\n1 L 0 P P link", sep="\n", file=file)
        for clock in range(count):
            print(f"2 0 c{clock} P 0 c{clock}", file=file)
        for ticks, event, clock, number in sorted(lines):
            time = f"{ticks // 10**9}.{ticks % 10**9:09d}"
            print(f"{event} {time} L 0 v c{clock} k{number}", file=file)


def main():
    program, wrong = sys.argv[1], 0
    for seed in map(int, sys.argv[2:]):
        steps = write_steps("run.trace", seed) if seed < 0 else write_run("run.trace", seed)
        subprocess.run([program, "import", "--force", "run.trace", "-o", "run.db"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        told = subprocess.run([program, "clocks", "--groups", "apart", "--json", "run.db"]
                              + (["--drift", "pieces"] if seed < 0 else []),
                              check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        found = json.loads(told.stdout)
        left, pieces = found["tachyons_left"], found["pieces"]
        bad = pieces > steps + 1 or left > found["tachyons"] / 20 if seed < 0 else left > 0
        if bad:
            print(f"seed {seed}: {left} messages are wrong, in {pieces} pieces, {steps} steps")
        wrong += bad
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
