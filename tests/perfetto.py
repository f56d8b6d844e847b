"""Traces of Perfetto by the numbers of the public .proto files, without a library: makes one, or
says what one holds.

    perfetto.py make FILE [ROUNDS] [plain]    # a trace of all that is read
    perfetto.py read FILE                     # counts of records; count and nanoseconds by state
"""
import collections
import struct
import sys
import zlib


# --- The wire format

def varint(number):
    number &= 2**64 - 1
    out = bytearray()
    while number >= 128:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number, value):
    """A float is a double, bytes and str have a length, ("fixed", N) has eight bytes."""
    if isinstance(value, float):
        return varint(number << 3 | 1) + struct.pack("<d", value)
    if isinstance(value, tuple):
        return varint(number << 3 | 1) + struct.pack("<Q", value[1])
    if isinstance(value, (bytes, str)):
        value = value.encode() if isinstance(value, str) else value
        return varint(number << 3 | 2) + varint(len(value)) + value
    return varint(number << 3) + varint(int(value))


def message(*fields):
    return b"".join(field(*one) for one in fields)


def packed(numbers):
    return b"".join(varint(number) for number in numbers)


def fields_of(data):
    at, end = 0, len(data)

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < end:
        tag = number()
        if tag & 7 == 0:
            yield tag >> 3, number()
        elif tag & 7 == 1:
            yield tag >> 3, ("fixed", struct.unpack_from("<Q", data, at)[0])
            at += 8
        elif tag & 7 == 5:
            yield tag >> 3, ("fixed", struct.unpack_from("<I", data, at)[0])
            at += 4
        else:
            length = number()
            assert tag & 7 == 2 and at + length <= end, "broken"
            yield tag >> 3, data[at:at + length]
            at += length


def all_of(data):
    found = collections.defaultdict(list)
    for number, value in fields_of(data):
        found[number].append(value)
    return found


# --- A trace of all that is read

BOOT = 5_000_000_000


def packet(*fields):
    return field(1, message(*fields))


def make(rounds, plain):
    out = [packet((10, 9), (33, b""))]  # trace_config
    snapshot = message((1, message((1, 6), (2, BOOT))), (1, message((1, 3), (2, BOOT - 1000))),
                       (1, message((1, 1), (2, 1_700_000_000_000_000_000 + BOOT))))
    out.append(packet((10, 9), (6, snapshot)))
    # a process with two threads, a track in it with one below, a counter; names come once
    begin = (41, 1), (42, 1), (13, 1)
    defaults = message((58, 3), (11, message((11, 11))))
    out.append(packet((10, 1), *begin, (59, defaults), (60, message(
        (1, 10), (3, message((1, 100), (6, "/usr/bin/solver")))))))
    out.append(packet((10, 1), (60, message((1, 11), (5, 10),
                                            (4, message((1, 100), (2, 100), (5, "main")))))))
    out.append(packet((10, 1), (60, message((1, 12), (5, 10),
                                            (4, message((1, 100), (2, 101), (5, "worker")))))))
    out.append(packet((10, 1), (60, message((1, 14), (5, 13), (2, "inner")))))  # before its parent
    out.append(packet((10, 1), (60, message((1, 13), (5, 10), (2, "outer")))))
    out.append(packet((10, 1), (60, message((1, 15), (5, 10), (2, "load"),
                                            (8, message((6, "percent"), (4, 2)))))))
    out.append(packet((10, 1), (12, message(
        (1, message((1, 1), (2, "app"))), (1, message((1, 2), (2, "io"))),
        (2, message((1, 1), (2, "step"))), (2, message((1, 2), (2, "read"))),
        (3, message((1, 1), (2, "size"))), (29, message((1, 1), (2, b"file.txt"))),
        (3, message((1, 2), (2, "name")))))))
    mono = BOOT - 1000

    def event(sequence, time, *fields):
        out.append(packet((10, sequence), (8, time), (13, 2), (11, message(*fields))))

    for i in range(rounds):
        at = mono + i * 10_000
        event(1, at, (9, 1), (10, 1), (3, 1), (47, ("fixed", i + 1)))
        event(1, at + 1000, (9, 1), (10, 2), (3, packed([1, 2])), (4, message((1, 1), (3, i))),
              (4, message((1, 2), (17, 1))),
              (4, message((10, "deep"), (11, message((10, "part"), (5, 0.5))),
                          (11, message((10, "list"), (12, message((4, -1))))))))
        event(1, at + 3000, (9, 2))
        event(1, at + 4000, (9, 4), (11, 15), (30, i))
        event(1, at + 5000, (9, 3), (23, "tick"), (22, "app"), (11, 12),
              (48, ("fixed", i + 1)))
        event(1, at + 6000, (9, 1), (23, "fetch"), (11, 14))
        event(1, at + 9000, (9, 2), (11, 14))
        event(1, at + 9500, (9, 2))
    # what was lost: nothing is known any more until it is cleared
    out.append(packet((10, 1), (42, 1), (8, mono + 1), (13, 2), (11, message((9, 1), (10, 1)))))
    # another sequence, whose clock counts microseconds from the packet before
    defaults = message((58, 64), (11, message((11, 12))))
    steps = message((1, 64), (2, mono // 1000), (3, 1), (4, 1000))
    out.append(packet((10, 2), *begin, (59, defaults), (6, message(
        (1, steps), (1, message((1, 3), (2, mono)))))))
    out.append(packet((10, 2), (12, message((2, message((1, 1), (2, "wait")))))))
    for i in range(rounds):
        event(2, 10 if i == 0 else 6, (9, 1), (10, 1))
        event(2, 4, (9, 2))
    # older events: a duration, what is asynchronous, a flow
    old = mono + 500
    event(1001, old, (11, 12), (6, message((2, ord("X")))))  # without its state: left out
    out.append(packet((10, 3), (13, 1), (44, message((1, 100), (2, 101)))))
    out.append(packet((10, 3), (8, old), (58, 3), (11, message(
        (23, "span"), (22, "old"), (6, message((2, ord("X")), (3, 2)))))))
    for phase, time in (("b", 0), ("e", 7000), ("s", 100), ("f", 3000)):
        out.append(packet((10, 3), (8, old + time), (58, 3), (11, message(
            (23, "request"), (22, "old"), (6, message((2, ord(phase)), (6, 77)))))))
    # the kernel: a tree of processes, events one by one and as columns, and what a program printed
    process = message((1, 200), (2, 1), (3, "/bin/reader"), (3, "--all"))
    thread = message((1, 201), (3, 200), (2, "io-thread"))
    out.append(packet((10, 4), (2, message((1, process), (2, thread)))))

    def ftrace(time, pid, number, content):
        return 2, message((1, time), (2, pid), (number, content))

    def switch(time, before, state, after, names=("", "")):
        return ftrace(time, before, 4, message((1, names[0]), (2, before), (4, state),
                                               (5, names[1]), (6, after)))

    kernel = []
    for i in range(rounds):
        at = BOOT + i * 10_000
        kernel.append((1, message(
            (1, 0), switch(at, 0, 0, 100, ("swapper", "main")),
            ftrace(at + 1000, 100, 36, message((1, 27), (2, "nvme"))),
            ftrace(at + 1500, 100, 24, message((1, 1))),
            ftrace(at + 1700, 100, 25, message((1, 1))),
            ftrace(at + 2000, 100, 37, message((1, 27), (2, 1))),
            ftrace(at + 2500, 100, 20, message((1, "io-thread"), (2, 201), (5, 1))),
            switch(at + 4000, 100, 1, 0), ftrace(at + 4500, 0, 300, b""))))
        kernel.append((1, message((1, 1), (4, message(
            (5, "io-thread"), (5, "idle"), (1, packed([at + 3000, 2000])), (2, packed([0, 2])),
            (3, packed([201, 0])), (4, packed([120, 120])), (6, packed([0, 1])),
            (7, packed([at + 2600])), (8, packed([201])), (9, packed([1])), (10, packed([120])),
            (11, packed([0])))))))
        kernel.append((1, message((1, 1), ftrace(at + 3100, 201, 3, message((2, "B|200|parse\n"))),
                                  ftrace(at + 4100, 201, 3, message((2, "E|200\n"))),
                                  ftrace(at + 4200, 201, 3, message((2, f"C|200|queue|{i}\n"))))))
    bundles = b"".join(packet((10, 4), one) for one in kernel)
    out.append(bundles if plain else packet((10, 4), (50, zlib.compress(bundles))))
    return b"".join(out)


# --- What a trace holds. Times are those of the packets, and of a sequence that counts.

PACKETS = {2: "process_tree", 6: "clock_snapshot", 33: "trace_config",
           36: "synchronization_marker", 44: "thread_descriptor", 50: "compressed_packets",
           60: "track_descriptor"}
FTRACE = {4: "sched_switch", 20: "sched_waking", 24: "softirq_entry", 25: "softirq_exit",
          36: "irq_handler_entry", 37: "irq_handler_exit"}
EVENTS = {1: "slice begin", 2: "slice end", 3: "instant", 4: "counter"}


class Account:
    def __init__(self):
        self.records = collections.Counter()
        self.count, self.time = collections.Counter(), collections.Counter()
        self.names = collections.defaultdict(dict)
        self.valid, self.clock, self.track, self.now = set(), {}, {}, {}
        self.open = collections.defaultdict(list)
        self.cpu = {}
        self.switches = []

    def state(self, name, begin, end):
        self.count[name] += 1
        self.time[name] += end - begin

    def begin(self, where, name, time):
        self.open[where].append((name, time))

    def end(self, where, time):
        name, begin = self.open[where].pop()
        self.state(name, begin, time)

    def packets(self, data):
        for number, one in fields_of(data):
            if number == 1:
                self.packet(all_of(one))

    def packet(self, has):
        sequence = has.get(10, [0])[0]
        flags = has.get(13, [0])[0]
        if 42 in has:
            self.valid.discard(sequence)
        if 41 in has or flags & 1:
            self.valid.add(sequence)
            self.names[sequence] = {}
        if flags & 2 and sequence not in self.valid:
            self.records["packet without its state"] += 1
            return
        for defaults in has[59]:
            said = all_of(defaults)
            self.clock[sequence] = said[58][0]
            self.track[sequence] = all_of(said[11][0])[11][0]
        for sent in has[12]:
            for kind, one in fields_of(sent):
                said = all_of(one)
                self.names[sequence][kind, said[1][0]] = said[2][0].decode()
        content = [n for n in has if n not in (3, 8, 10, 12, 13, 41, 42, 58, 59, 79, 87) and has[n]]
        for number in content:
            if number not in (1, 11):
                self.records[PACKETS[number]] += 1
        if not content:
            self.records["packet of names"] += 1
        for snapshot in has[6]:
            for one in all_of(snapshot)[1]:
                said = all_of(one)
                if 3 in said:
                    self.now[sequence, said[1][0]] = said[2][0] * said[4][0]
        for one in has[11]:
            self.event(sequence, has, all_of(one))
        for one in has[50]:
            self.packets(zlib.decompress(one))
        for one in has[1]:
            self.bundle(all_of(one))

    def event(self, sequence, has, said):
        clock = (has.get(58) or [self.clock.get(sequence, 6)])[0]
        time = has[8][0]
        if clock == 64:
            self.now[sequence, 64] += 1000 * time
            time = self.now[sequence, 64]
        track = (said.get(11) or [self.track.get(sequence, 0)])[0]
        name = said[23][0].decode() if said[23] else self.names[sequence].get(
            (2, said[10][0])) if said[10] else ""
        if said[9]:
            self.records[EVENTS[said[9][0]]] += 1
            if said[9][0] == 1:
                self.begin(track, name, time)
            if said[9][0] == 2:
                self.end(track, time)
            return
        old = all_of(said[6][0])
        phase = chr(old[2][0])
        self.records["legacy " + phase] += 1
        if phase == "X":
            self.state(name, time, time + 1000 * old[3][0])
        if phase == "b":
            self.begin((sequence, old[6][0]), name, time)
        if phase == "e":
            self.end((sequence, old[6][0]), time)

    def bundle(self, has):
        cpu = has[1][0]
        for one in has[2]:
            said = all_of(one)
            number = max(said)
            time, thread = said[1][0], said[2][0]
            if number == 3:
                text = all_of(said[3][0])[2][0].decode().strip().split("|")
                self.records["print " + text[0]] += 1
                if text[0] == "B":
                    self.begin(("thread", thread), text[2], time)
                if text[0] == "E":
                    self.end(("thread", thread), time)
                continue
            self.records[FTRACE.get(number, f"ftrace event {number}")] += 1
            event = all_of(said[number][0])
            if number in (24, 36):
                self.begin(("cpu", cpu), "softirq TIMER" if number == 24 else
                           f"irq {event[1][0]} {event[2][0].decode()}", time)
            if number in (25, 37):
                self.end(("cpu", cpu), time)
            if number == 4:
                self.switches.append((time, cpu, event[2][0], event[6][0]))
        for one in has[4]:
            said = all_of(one)
            columns = {n: list(numbers_of(said[n][0])) for n in (1, 3, 7)}
            self.records["sched_waking"] += len(columns[7])
            time = 0
            for step, after in zip(columns[1], columns[3]):
                time += step
                self.records["sched_switch"] += 1
                self.switches.append((time, cpu, None, after))

    def running(self):
        """Time that threads ran, by thread."""
        on, ran = {}, collections.Counter()
        for time, cpu, before, after in sorted(self.switches, key=lambda one: one[0]):
            known = on.get(cpu)
            if known and known[0]:
                ran[known[0]] += time - known[1]
            on[cpu] = after, time
        return ran


def numbers_of(data):
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0


def main():
    if sys.argv[1] == "make":
        with open(sys.argv[2], "wb") as target:
            target.write(make(int((sys.argv + ["3"])[3]), "plain" in sys.argv))
        return
    account = Account()
    with open(sys.argv[2], "rb") as source:
        account.packets(source.read())
    for name, count in sorted(account.records.items()):
        print("record", name, count)
    for name, count in sorted(account.count.items()):
        print("state", name, count, account.time[name])
    print("running", sum(account.running().values()))


if __name__ == "__main__":
    main()
