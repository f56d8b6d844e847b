"""Makes Paje traces of links, as tests want them."""

import random
import sys

import paje

HEAD = paje.head("DefineContainerType DefineLinkType CreateContainer StartLink+size+tag EndLink",
                 "DestroyContainer") + """
0 H 0 host
0 P H proc
"""


def write(out, groups, types, links, end):
    """Writes links: (type, source, target, begin, end, value, size, tag), ticks of 1 us.

    `groups` has the processes of each host. An end that is None is not in the trace.
    """
    out.write(HEAD)
    for name in types:
        out.write(f"1 {name} 0 P P {name}\n")
    for host, processes in groups.items():
        out.write(f"2 0 {host} H 0 {host}\n")
        for process in processes:
            out.write(f"2 0 {process} P {host} {process}\n")
    lines = []
    for key, (kind, source, target, begin, until, value, size, tag) in enumerate(links):
        # An end stands before a begin of the same instant only if its own begin is later.
        late = until is not None and begin is not None and until >= begin
        if begin is not None:
            at = f"{begin / 1e6:.6f} {kind} 0 {value} {source} k{key} {size} {tag}"
            lines.append((begin, 1, key, "3 " + at))
        if until is not None:
            at = f"{until / 1e6:.6f} {kind} 0 {value} {target} k{key}"
            lines.append((until, 2 if late else 0, key, "4 " + at))
    lines.sort()
    out.writelines(line[3] + "\n" for line in lines)
    for host, processes in groups.items():
        for process in processes:
            out.write(f"5 {end / 1e6:.6f} P {process}\n")
        out.write(f"5 {end / 1e6:.6f} H {host}\n")


def bursts(seed):
    """Three bursts of 6000 links in 1000 s; few of them end before they begin."""
    chance = random.Random(seed)
    links = []
    for burst in (1000000, 500000000, 900000000):
        for i in range(6000):
            begin = burst + i
            duration = chance.choice((2, 5, 0)) if i % 1700 else -chance.randint(1, 5)
            source, target = chance.sample("abcd", 2)
            links.append(("link", source, target, begin, begin + duration, "v", 1, 0))
    return {"h": "abcd"}, ["link"], links, 1000000000


def few(seed):
    """Some links of few processes: lost ends, equal times, several types, all kinds of wrong."""
    chance = random.Random(seed)
    hosts = chance.randint(1, 3)
    groups = {f"h{h}": [f"p{h}{p}" for p in range(chance.randint(1, 3))] for h in range(hosts)}
    processes = [process for inside in groups.values() for process in inside]
    types = ["send", "copy"][: chance.randint(1, 2)]
    links = []
    for _ in range(chance.randint(1, 60)):
        begin = chance.randint(20, 120)
        until = begin + chance.choice((0, 0, 1, 2, 3, 7, 30, -1, -2, -15))
        lost = chance.random()
        links.append((chance.choice(types), chance.choice(processes), chance.choice(processes),
                      None if lost < 0.08 else begin, None if lost > 0.92 else until,
                      chance.choice("vw"), chance.choice((0, 1, 8, 100)), chance.choice((0, 0, 1))))
    return groups, types, links, 160


def many(seed):
    """Thousands of links of few processes, so that a stream has many chunks; some last long."""
    chance = random.Random(seed)
    groups = {"h0": ["p00", "p01"], "h1": ["p10"]}
    processes = ["p00", "p01", "p10"]
    links = []
    for _ in range(7000):
        begin = chance.randint(20000, 120000)
        until = begin + (chance.choice((0, 1, 5, 40, -1, -3)) if chance.random() < 0.99
                         else chance.randint(-20000, 60000))
        lost = chance.random()
        links.append((chance.choice(("send", "copy")), chance.choice(processes),
                      chance.choice(processes), None if lost < 0.02 else begin,
                      None if lost > 0.98 else until, chance.choice("vw"),
                      chance.choice((0, 1, 8, 100)), chance.randint(0, 3)))
    return groups, ["send", "copy"], links, 200000


def transit(seed, shift=0):
    """Links that take 40 us and 10 ns a byte between hosts, 3 us inside, and more where they wait.

    The clock of host b is `shift` us behind.
    """
    chance = random.Random(seed)
    sizes = (0, 100, 800, 1000, 4000, 60000)
    links = []
    begin = 1000
    for number in range(3000):
        source, target = chance.sample(("a0", "a1", "b0", "b1"), 2)
        size = chance.choice(sizes)
        begin += chance.randint(1, 50)
        needs = (40 if source[0] != target[0] else 3) + size // 100
        waits = 0 if chance.random() < 0.2 else int(chance.expovariate(1 / 30))
        sent = begin - shift * (source[0] == "b")
        received = begin + needs + waits - shift * (target[0] == "b")
        links.append(("link", source, target, sent, received, "v", size, number))
    return {"a": ["a0", "a1"], "b": ["b0", "b1"]}, ["link"], links, begin + 100000


def shifted(seed):
    """The same with clocks that differ by less than what a link without bytes takes."""
    return transit(seed, 15)


if __name__ == "__main__":
    write(sys.stdout, *globals()[sys.argv[1]](int(sys.argv[2])))
