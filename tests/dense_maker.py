"""Writes a trace of which no two cells are alike, and each is a part at p = 0:
dense_maker.py [RESOURCES SLICES]."""
import random
import sys

import paje

LENGTH = 100.0  # seconds


def write(to, resources=440, slices=256):
    draw = random.Random(1)
    to.write(paje.head("DefineContainerType DefineStateType CreateContainer SetState") +
             "\n0 R 0 Root\n0 T R Thread\n1 S T State\n2 0 root R 0 root\n")
    for at in range(resources):
        to.write(f"2 0 c{at} T root thread-{at}\n")
    events = []
    for at in range(resources):
        for slice_ in range(slices):
            begin = (slice_ + draw.uniform(0.1, 0.9)) * LENGTH / slices
            events.append((begin, at, "abcd"[draw.randrange(4)]))
    for begin, at, state in sorted(events):
        to.write(f"3 {begin:.6f} S c{at} {state}\n")
    to.write(f"3 {LENGTH} S c0 a\n")


if __name__ == "__main__":
    write(sys.stdout, *map(int, sys.argv[1:]))
