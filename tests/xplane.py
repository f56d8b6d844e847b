"""Profiles of XLA by the numbers of the public .proto file, without a library: makes one, or says
what one holds.

    xplane.py make FILE [ROUNDS]    # a host, two devices
    xplane.py read FILE             # counts of records; count and picoseconds by name of event
"""
import collections
import sys

from perfetto import all_of, field, fields_of, message


def entry(number, *fields):
    return message((1, number), (2, message((1, number), *fields)))


def make(rounds):
    names = [(4, entry(1, (2, "fusion.1"), (4, "fusion"))), (4, entry(2, (2, "conv"))),
             (5, entry(1, (2, "correlation_id"))), (5, entry(2, (2, "hlo_op"))),
             (5, entry(3, (2, "jit(step)"))), (5, entry(4, (2, "occupancy")))]
    planes = []
    for device in range(2):
        events = []
        for i in range(rounds):
            at = i * 5_000_000 + device * 500
            stats = [(4, message((1, 1), (3, 2 * i + device + 1))), (4, message((1, 2), (7, 3))),
                     (4, message((1, 4), (2, 0.25)))]
            events.append((4, message((1, 1), (2, at + 1_000_000), (3, 1_000_250), *stats)))
            events.append((4, message((1, 2), (2, at + 2_500_000), (3, 500_000))))
        events.append((4, message((1, 2), (5, 7), (3, 9_000))))
        line = message((1, 7), (2, "Stream #7"), (3, 1_700_000_000_000_000_000), *events)
        planes.append(message((1, device), (2, f"/device:GPU:{device}"), (3, line), *names))
    calls = [(4, message((1, 1), (2, i * 2_500_000), (3, 100_000),
                         (4, message((1, 1), (3, i + 1))))) for i in range(2 * rounds)]
    line = message((1, 583), (2, "python"), (11, "main thread"), (3, 1_700_000_000_000_000_000),
                   *calls)
    planes.append(message((2, "/host:CPU"), (3, line), (4, entry(1, (2, "launch()"))),
                          (5, entry(1, (2, "correlation_id")))))
    return b"".join(field(1, plane) for plane in planes)


def read(data):
    records, count, time = (collections.Counter() for _ in range(3))
    sides = collections.Counter()
    for number, value in fields_of(data):
        if number != 1:
            continue
        records["plane"] += 1
        plane = all_of(value)
        names, stats = {}, {}
        for kind, found in (4, names), (5, stats):
            for one in plane[kind]:
                said = all_of(one)
                value = all_of(said[2][0]) if said[2] else collections.defaultdict(list)
                better = value[4] if kind == 4 and value[4] else value[2]
                found[(said[1] or [0])[0]] = better[0].decode() if better else ""
        device = plane[2][0].startswith(b"/device:")
        for one in plane[3]:
            records["line"] += 1
            for event in all_of(one)[4]:
                said = all_of(event)
                if said[5]:
                    records["sum of events"] += 1
                    continue
                records["event"] += 1
                name = names.get((said[1] or [0])[0], "") or "(no name)"
                count[name] += 1
                time[name] += (said[3] or [0])[0]
                for stat in said[4]:
                    stat = all_of(stat)
                    if stats.get((stat[1] or [0])[0]) == "correlation_id" and stat[3][0]:
                        sides[device, stat[3][0]] += 1
    links = sum(min(number, sides[True, key]) for (device, key), number in sides.items()
                if not device)
    for name, number in sorted(records.items()):
        print("record", name, number)
    for name, number in sorted(count.items()):
        print("state", name, number, time[name])
    print("links", links)


def main():
    if sys.argv[1] == "make":
        with open(sys.argv[2], "wb") as target:
            target.write(make(int((sys.argv + ["3"])[3])))
        return
    with open(sys.argv[2], "rb") as source:
        read(source.read())


if __name__ == "__main__":
    main()
