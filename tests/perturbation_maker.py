"""A message-passing program, run with a tracer and without, exact in nanoseconds.

    perturbation_maker.py make PROGRAM OPTIONS >RUN.json
    perturbation_maker.py compare RUN.db OTHER.db MOST_NS

PROGRAM is exchange (a ring, then all to a master), mixed (whatever a program does, by --seed), meet
(senders that wait for their receivers), or burst (several messages at once to the next, which cost
each other --kappa for each byte). What is compared are the times of all events.
"""
import argparse
import collections
import os
import random
import subprocess
import sys


def exchange(options):
    """Each to each round a ring, then the master hears all and answers."""
    chance = random.Random(options.seed)
    programs = [[] for _ in range(options.ranks)]
    for _ in range(options.rounds):
        for step in range(1, options.ranks):
            for rank, program in enumerate(programs):
                program += [("compute", chance.randrange(40_000, 160_000)),
                            ("Send", (rank + step) % options.ranks, options.bytes),
                            ("Recv", (rank - step) % options.ranks)]
        for rank in range(1, options.ranks):
            programs[rank] += [("Send", 0, 8), ("Recv", 0)]
            programs[0] += [("Recv", rank)]
        programs[0] += [("Send", rank, 8) for rank in range(1, options.ranks)]
    return programs


def mixed(options):
    chance = random.Random(options.seed)
    ranks = options.ranks
    programs = [[] for _ in range(ranks)]
    for _ in range(options.rounds):
        for program in programs:
            program.append(("compute", chance.randrange(20_000, 400_000)))
        kind = chance.choice(["pairs", "waitall", "Barrier", "Bcast", "Reduce", "late"])
        if kind in ("Barrier", "Bcast", "Reduce"):
            for program in programs:
                program.append((kind,))
            continue
        shift = chance.randrange(1, ranks)
        many = [1, 2, 3] if kind == "waitall" else [shift]
        for rank, program in enumerate(programs):
            program += [("Send", (rank + by) % ranks, chance.choice([8, 1000, 65536])
                         if kind == "pairs" else 1000) for by in many]
            program.append(("compute", chance.randrange(10, 900_000 if kind == "late" else 9_000)))
            if kind == "waitall":
                program.append(("Waitall", [(rank - by) % ranks for by in many]))
            else:
                program.append(("Recv", (rank - shift) % ranks))
    return programs


def meet(options):
    """Pairs take turns to send what its receiver has to take."""
    chance = random.Random(options.seed)
    programs = [[] for _ in range(options.ranks)]
    for turn in range(options.rounds):
        for rank, program in enumerate(programs):
            by = rank ^ (1 << (turn // 2) % 2)
            first = rank < by if turn % 2 == 0 else rank > by
            program += [("compute", chance.randrange(10_000, 500_000)),
                        ("Ssend", by, options.bytes) if first else ("Recv", by)]
    return programs


def burst(options):
    chance = random.Random(options.seed)
    programs = [[] for _ in range(options.ranks)]
    for _ in range(options.rounds):
        count = chance.randrange(1, 6)
        for rank, program in enumerate(programs):
            program += [("compute", chance.randrange(10_000, 900_000))]
            program += [("Send", (rank + 1) % options.ranks, options.bytes)] * count
            program += [("Recv", (rank - 1) % options.ranks)] * count
    return programs


class Run:
    """Ranks that go on one after the other, as far as they can."""

    def __init__(self, options):
        self.options, self.lines = options, []
        self.programs = [[("Init",), *one] for one in globals()[options.program](options)]
        self.times = [1_000_000] * options.ranks
        self.records = [0] * options.ranks
        self.sent = collections.defaultdict(collections.deque)  # by pair
        self.met = collections.defaultdict(dict)  # arrivals by operation
        self.turns = collections.Counter()
        self.messages = 0
        self.under_way = collections.defaultdict(list)  # by rank: when they come, and bytes

    def transit(self, size, number):
        noise = random.Random(number).randrange(self.options.noise + 1)
        return self.options.beta + int(self.options.tau * size) + noise

    def copy(self, size):
        return self.options.copy + size // 8 if self.options.copy else 0

    def record(self, rank, event, name):
        """Writes one and takes its cost."""
        alpha = self.options.alpha
        chance = random.Random(rank * 1_000_003 + self.records[rank])
        cost = chance.randrange(alpha // 2, alpha * 3 // 2 + 1, 2) if alpha else 0
        cost += cost > 0 and event == "E"  # importers write once what both ends carry
        self.records[rank] += 1
        self.write(self.times[rank], event, rank, name, f',"args":{{"alpha":{cost / 1e9:.9f}}}')
        self.times[rank] += cost

    def write(self, time, event, rank, name, more):
        text = (f'{{"ph":"{event}","pid":1,"tid":{rank},"ts":{time // 1000}.{time % 1000:03},'
                f'"name":"{name}"{more}}}')
        self.lines.append((time, len(self.lines), text))

    def steps(self, rank):
        """A rank's run: yields while it has to wait."""
        for kind, *what in self.programs[rank]:
            if kind == "compute":
                slow = self.options.slow if rank in (3, 4) else 4
                self.times[rank] += what[0] // 4 * slow
                continue
            begun = self.times[rank]
            self.record(rank, "B", kind)
            yield from getattr(self, kind.lower())(rank, begun, *what)
            self.record(rank, "E", kind)

    @staticmethod
    def init(*_):
        yield from ()

    def link(self, begun, source, size):
        self.messages += 1
        self.write(begun, "s", source, "message",
                   f',"cat":"m","id":{self.messages},"args":{{"size":{size}}}')
        return self.messages

    def arrive(self, rank, number):
        self.write(self.times[rank], "f", rank, "message", f',"cat":"m","id":{number},"bp":"e"')

    def send(self, rank, begun, target, size):
        number = self.link(begun, rank, size)
        load = sum(other for came, other in self.under_way[rank] if came > self.times[rank])
        there = (self.times[rank] + self.transit(size, number)
                 + int(self.options.kappa * 2 * load))  # from here, and to there
        self.under_way[rank].append((there, size))
        self.sent[rank, target].append((there, number, size))
        self.times[rank] += self.copy(size)
        yield from ()

    def ssend(self, rank, begun, target, size):
        number = self.link(begun, rank, size)
        message = [self.times[rank], number, size]
        self.sent[rank, target].append(message)
        while len(message) == 3:
            yield
        self.times[rank] = message[3] + 1000

    def recv(self, rank, _, source):
        while not self.sent[source, rank]:
            yield
        message = self.sent[source, rank].popleft()
        there, number, size = message
        self.times[rank] = max(self.times[rank], there)
        if isinstance(message, list):
            self.times[rank] += self.transit(size, number)
            message.append(self.times[rank])
        else:
            self.times[rank] += self.copy(size)
        self.arrive(rank, number)

    def waitall(self, rank, _, sources):
        while not all(self.sent[source, rank] for source in sources):
            yield
        messages = [self.sent[source, rank].popleft() for source in sources]
        self.times[rank] = max(self.times[rank], *(there for there, *_ in messages))
        self.times[rank] += sum(self.copy(size) for _, _, size in messages)
        for _, number, size in messages:
            self.arrive(rank, number)

    def gather(self, rank, kind, needed):
        """Comes to an operation, and waits until those have come that are needed."""
        turn = self.turns[rank, kind]
        self.turns[rank, kind] += 1
        came = self.met[kind, turn]
        came[rank] = self.times[rank]
        while not all(other in came for other in needed):
            yield
        return max(came[other] for other in needed)

    def barrier(self, rank, _):
        last = yield from self.gather(rank, "barrier", range(self.options.ranks))
        self.times[rank] = last + 5000

    def bcast(self, rank, _):
        root = yield from self.gather(rank, "bcast", [0])
        there = root if rank == 0 else root + 30_000
        self.times[rank] = max(self.times[rank], there) + 2000

    def reduce(self, rank, _):
        needed = range(self.options.ranks) if rank == 0 else [rank]
        last = yield from self.gather(rank, "reduce", needed)
        self.times[rank] = last + 3000

    def go(self):
        going = [self.steps(rank) for rank in range(self.options.ranks)]
        while going:
            before = len(self.lines)
            going = [one for one in going if self.is_left(one)]
            assert not going or len(self.lines) > before, "all wait for each other"
        print('{"traceEvents":[' + ",\n".join(text for _, _, text in sorted(self.lines)) + "]}")

    @staticmethod
    def is_left(one):
        try:
            next(one)
        except StopIteration:
            return False
        return True


def events(trace):
    """The times of all, by resource and order."""
    text = subprocess.run(
        [os.environ["OCELOTL_CLI"], "sql", "--csv", trace,
         "SELECT category, resource, value, begin, end, source, target FROM events "
         "ORDER BY 1, 2, 6, 7, 4, 5"],
        capture_output=True, text=True, check=True).stdout
    rows = [line.split(",") for line in text.splitlines()[1:]]
    return [(row[:3] + row[5:], [round(float(x) * 1e9) for x in row[3:5]]) for row in rows]


def compare(one, other, most):
    first, second = events(one), events(other)
    assert [name for name, _ in first] == [name for name, _ in second], "other events"
    off = [abs(x - y) for (_, a), (_, b) in zip(first, second) for x, y in zip(a, b)]
    print(max(off), len(off))
    return max(off) > int(most)


def main():
    if sys.argv[1] == "compare":
        return compare(*sys.argv[2:])
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    for name, default in (("ranks", 16), ("rounds", 60), ("alpha", 0), ("beta", 50_000),
                          ("noise", 0), ("slow", 4), ("copy", 4000), ("seed", 1), ("bytes", 8192)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--tau", type=float, default=1)
    parser.add_argument("--kappa", type=float, default=0)
    return Run(parser.parse_args(sys.argv[2:])).go()


sys.exit(main())
