"""Asks the program about random links, and does itself what the specification says, literally.

    links_truth.py PROGRAM few|many FIRST COUNT     seeds FIRST to FIRST + COUNT - 1
"""

import csv
import functools
import io
import itertools
import json
import math
import random
import re
import subprocess
import sys
from collections import Counter
from fractions import Fraction

import links_maker

TICK = 1e-6
KINDS = ("tachyons", "self", "too_fast", "overtaking")
failures = 0


class World:
    """A trace, and how it is asked: a window in ticks, both ends or None, and filters."""

    def __init__(self, program, maker, seed):
        self.program = program
        self.seed = seed
        chance = random.Random(1000 + seed)
        self.groups, self.types, self.links, self.end = getattr(links_maker, maker)(seed)
        with open("truth.trace", "w", encoding="utf-8") as out:
            links_maker.write(out, self.groups, self.types, self.links, self.end)
        self.run("import", "--force", "truth.trace", "-o", "truth.db")
        self.host = {p: h for h, inside in self.groups.items() for p in inside}
        self.path = {p: f"{h}/{p}" for p, h in self.host.items()}
        self.low, self.high = 0, self.end
        self.options, self.kept = [], self.links
        if chance.random() < 0.6:
            self.low, self.high = sorted(chance.sample(range(0, self.end + 1), 2))
            self.options += ["--from", f"{self.low}us", "--to", f"{self.high}us"]
        self.chosen = set(self.host)
        what = chance.choice(("all", "all", "type", "value", "tag"))
        if what == "type":
            self.keep(["--type", self.types[0]], lambda link: link[0] == self.types[0])
        if what == "value":
            self.keep(["--only", "v"], lambda link: link[5] == "v")
        if what == "tag":
            # An end alone carries no tag, and what is not there meets no condition.
            self.keep(["--where", "tag = 0"], lambda link: link[3] is not None and link[7] == 0)
        if chance.random() < 0.3:
            self.chosen = set(self.groups["h0"])
            self.options += ["--resource", "h0"]
            self.keep([], lambda link, before=frozenset(self.kept): link in before and (
                link[3] is not None and link[1] in self.chosen or
                link[4] is not None and link[2] in self.chosen))
        # The last instant of the trace belongs to a window that ends there.
        self.last = self.high if self.high >= self.end else self.high - 1

    def keep(self, options, passes):
        self.options += options
        self.kept = [link for link in self.links if passes(link)]

    def group(self, at, process):
        """What a process belongs to; what is not chosen belongs to nothing."""
        if process not in self.chosen:
            return "(outside)"
        return {"proc": self.path[process], "host": self.host[process], "all": "all"}[at]

    def run(self, *words, errors=subprocess.DEVNULL):
        found = subprocess.run([self.program, *words], stdout=subprocess.PIPE, stderr=errors,
                               text=True, check=False)
        assert found.returncode in (0, 1), (self.seed, words, found.returncode)
        return found.stdout if found.returncode == 0 else None

    def json(self, *words):
        found = self.run(*words, *self.options, "--json", "truth.db")
        return json.loads(found) if found is not None else None

    def holds(self, time):
        return time is not None and self.low <= time <= self.last


def same(seed, world, what, expected, found):
    global failures
    if expected != found:
        failures += 1
        print(f"FAILED: seed {seed} {' '.join(world.options)}: {what}: expected {expected}, "
              f"got {found}", file=sys.stderr)


def later(link):
    return max(link[3], link[4])


def is_whole(link):
    return link[3] is not None and link[4] is not None


# --- Causality, A2


def find_violations(world, clock, latency, per_byte):
    """What is wrong of each pair of clocks: counts by kind, of links whose later end is there."""
    found, links = {}, [m for m in world.kept if is_whole(m) and world.holds(later(m))]
    alike = {}
    for m in links:
        alike.setdefault((*m[:3], m[7]), []).append((m[3], m[4]))
    for m in links:
        kind, source, target, sent, received, _, size, tag = m
        counts = found.setdefault((clock(source), clock(target)), Counter())
        takes = received - sent
        counts["links"] += 1
        counts["least"] = min(takes, counts["least"]) if counts["links"] > 1 else takes
        if takes < 0:
            counts["self" if source == target else "tachyons"] += 1
        elif clock(source) != clock(target) and takes < latency + per_byte * size:
            counts["too_fast"] += 1
        counts["overtaking"] += any(other[0] < sent and other[1] > received
                                    for other in alike[(*m[:3], tag)])
    return found


def check_causality(seed, world):
    for at in ("proc", "host"):
        clock = functools.partial(world.group, at)
        expected = find_violations(world, clock, 4, 0.25)
        found = world.json("causality", "--at", at, "--latency", "4us", "--latency-per-byte",
                           "250ns")
        begun = sum(m[4] is None and world.holds(m[3]) for m in world.kept)
        ended = sum(m[3] is None and world.holds(m[4]) for m in world.kept)
        if found is None:
            same(seed, world, f"causality at {at} has nothing", ({}, 0, 0),
                 (expected, begun, ended))
            continue
        pairs = {(p["source"], p["target"]): p for p in found["pairs"] if p["links"] > 0}
        same(seed, world, f"pairs at {at}", sorted(expected), sorted(pairs))
        for ends, counts in expected.items():
            pair = pairs.get(ends, {"links": 0, "least": 0, **dict.fromkeys(KINDS, 0)})
            same(seed, world, f"causality of {ends}",
                 [counts["links"], counts["least"]] + [counts[k] for k in KINDS],
                 [pair["links"], round(pair["least"] / TICK)] + [pair[k] for k in KINDS])
        for kind in KINDS:
            same(seed, world, f"{kind} at {at}", sum(c[kind] for c in expected.values()),
                 found[kind])
        same(seed, world, f"ends alone at {at}", [begun, ended],
             [found["without_end"], found["without_begin"]])
        lost = Counter()
        for m in world.kept:
            if m[4] is None and world.holds(m[3]):
                lost[world.path[m[1]], m[0], str(m[7]), "begin"] += 1
            if m[3] is None and world.holds(m[4]):
                lost[world.path[m[2]], m[0], "", "end"] += 1
        same(seed, world, "unmatched", sorted(lost.items()), sorted(
            ((u["resource"], u["type"], u["tag"], u["known"]), u["count"])
            for u in found["unmatched"]))


def check_clocks(seed, world):
    """Whatever is wrong, clocks are found or refused, and what is written is right."""
    if world.run("clocks", "--groups", "apart", "truth.db", "--force", "-o", "aligned.db") is None:
        return
    wrong = json.loads(world.run("causality", "--json", "aligned.db"))["tachyons"]
    told = json.loads(world.run("clocks", "--json", "--groups", "apart", "truth.db"))
    same(seed, world, "wrong in the clocks' time", told["tachyons_left"], wrong)


# --- Matrix, B4.2


def find_matrix(world, row_group, column_group):
    """Rows of --csv: count, bytes, ended, received, time, least, in flight, violations, mean,
    bandwidth."""
    cells = {}
    length = world.high - world.low
    for kind, source, target, begin, until, _, size, _ in world.kept:
        whole = begin is not None and until is not None
        begins = world.holds(begin)
        ends = world.holds(max(begin, until)) if whole else begin is None and world.holds(until)
        inside = max(0, min(until, world.high) - max(begin, world.low)) if whole else 0
        if not (begins or ends or inside):
            continue
        row = row_group(source) if begin is not None else "(unknown)"
        column = column_group(target) if until is not None else "(unknown)"
        cell = cells.setdefault((row, column), [0, 0, 0, 0, 0, None, 0, 0, 0, 0])
        if begins:
            cell[0] += 1
            cell[1] += size
        if ends:
            cell[2] += 1
            # What an end alone carries: its own attributes, and it has none.
            cell[3] += size if whole else 0
        if ends and whole and until < begin:
            cell[7] += 1
        elif ends and whole:
            cell[4] += until - begin
            cell[5] = until - begin if cell[5] is None else min(cell[5], until - begin)
            cell[8] += 1
            cell[9] += size
        cell[6] += inside
    return {ends: tuple(c[:6] + [round(c[6] / length, 6), c[7],
                                 round(c[4] / c[8], 3) if c[8] else None,
                                 round(c[9] / c[4], 6) if c[4] else None])
            for ends, c in cells.items()}


def check_matrix(seed, world):
    for at, columns in itertools.product(("proc", "host", "all"), repeat=2):
        expected = find_matrix(world, functools.partial(world.group, at),
                               functools.partial(world.group, columns))
        text = world.run("matrix", "--at", at, "--receivers", columns, *world.options, "--csv",
                         "truth.db")
        found = {}
        for row in csv.DictReader(io.StringIO(text or "")):
            found[row["row"], row["column"]] = (
                int(row["count"]), float(row["bytes"] or 0), int(row["ended"]),
                float(row["received"] or 0), round(float(row["time"]) / TICK),
                round(float(row["least"]) / TICK) if row["least"] else None,
                round(float(row["in_flight"]), 6), int(row["violations"]),
                round(float(row["mean"]) / TICK, 3) if row["mean"] else None,
                round(float(row["bandwidth"]) * TICK, 6) if row["bandwidth"] else None)
        if all(link[3] is None for link in world.kept):
            expected = {ends: cell[:1] + (0,) + cell[2:] for ends, cell in expected.items()}
        same(seed, world, f"matrix at {at}, {columns}", sorted(expected.items(), key=str),
             sorted(found.items(), key=str))


# --- Links in flight, B4.1


def class_of(world, link):
    """Its type and what both ends have in common: a process, a host or nothing."""
    source, target = link[1:3]
    inside = world.host[source] == world.host[target]
    return link[0], 2 if source == target else 1 if inside else 0


def find_needed(world):
    """A function: what the quickest of its class take for a link's bytes. Literally: of all lines
    through two links, or through one and level or through no bytes in no time, that lie below all
    and neither fall nor begin below 0, the highest at the mean size, of equals the flattest."""
    classes = {}
    for link in world.links:
        if is_whole(link) and link[4] > link[3]:
            classes.setdefault(class_of(world, link), []).append((link[6], link[4] - link[3]))
    lines = {}
    for key, points in classes.items():
        mean = Fraction(sum(size for size, _ in points), len(points))
        least = min(ticks for _, ticks in points)
        found = [(Fraction(least), Fraction(0))]
        for (x, y), (size, ticks) in itertools.product(set(points), repeat=2):
            if size > x:
                slope = Fraction(ticks - y, size - x)
                found.append((y - slope * x, slope))
        found += [(Fraction(0), Fraction(y, x)) for x, y in points if x > 0]
        found = [(fixed, slope) for fixed, slope in found if slope >= 0 and fixed >= 0 and
                 all(fixed + slope * x <= y for x, y in points)]
        lines[key] = (*max(found, key=lambda line: (line[0] + line[1] * mean, -line[1])), least)

    def needed(link):
        fixed, slope, least = lines[class_of(world, link)]
        return max(fixed + slope * link[6], least)
    return needed


def find_flying(world, side, what, at, instant, needed):
    """What is under way at an instant between two ticks, by group and series."""
    values, many = Counter(), Counter()
    for link in world.kept:
        kind, source, target, begin, until, _, size, _ = link
        if until is None and side == "sender" and what in ("count", "bytes"):
            until = math.inf  # it is under way as long as its source lives
        if begin is None or until is None or not begin < instant < until:
            continue
        value = {"count": lambda: 1, "bytes": lambda: size,
                 "rate": lambda: size / ((until - begin) * TICK),
                 "slowdown": lambda: Fraction(math.floor((until - begin) / needed(link) * 2 ** 20 +
                                                         Fraction(1, 2)), 2 ** 20)}[what]()
        hosts = world.group(at, source), world.group(at, target) if target is not None else None
        keys = {"sender": [(hosts[0], kind)], "receiver": [(hosts[1], kind)], "pair": [hosts],
                "through": [(host, kind) for host in hosts if hosts[0] != hosts[1]]}[side]
        for key in keys:
            values[key] += value
            many[key] += 1
    if what == "slowdown":
        values = {key: value / many[key] for key, value in values.items()}
    hosts = {world.group(at, process) for process in world.chosen}
    return {key: round(float(value), 3) for key, value in values.items()
            if value and key[0] in hosts and (side != "pair" or key[1] in hosts)}


def read_steps(text):
    """Of each group and series its changes."""
    steps = {}
    for row in csv.DictReader(io.StringIO(text)):
        steps.setdefault((row["resource"], row["series"]), []).append(
            (float(row["time"]) / TICK, float(row["value"] or 0)))
    return steps


def check_flying(seed, world, chance, what):
    if not {"--type", "--where"}.isdisjoint(world.options):
        return  # it has no such filters
    side = chance.choice(("sender", "receiver", "through", "pair"))
    at = chance.choice(("host", "proc", "all"))
    words = ("series", "--in-flight", what, "--side", side, "--at", at)
    text = world.run(*words, *world.options, "--csv", "truth.db")
    needed = find_needed(world)
    instants = range(world.low, world.high)
    instants = instants if len(instants) < 200 else sorted(chance.sample(instants, 100))
    if text is None:
        flying = [t for t in instants
                  if find_flying(world, side, what, at, t + 0.5, needed)]
        same(seed, world, f"{what} by {side} has nothing", [], flying)
        return
    steps = read_steps(text)
    for tick in instants:
        found = {}
        for (group, series), changes in steps.items():
            value = [v for time, v in changes if time < tick + 0.5]
            if value and round(value[-1], 3):
                found[group, series] = round(value[-1], 3)
        expected = find_flying(world, side, what, at, tick + 0.5, needed)
        if side == "pair":
            expected = {str(key): value for key, value in expected.items()}
            found = sorted(found.values())
            expected = sorted(expected.values())
        if expected != found:
            same(seed, world, f"{what} by {side} at {tick}.5", expected, found)
            return


# --- Gantt charts, A4.1


def check_gantt(seed, world):
    words = [w for w in world.options]
    found = world.run("gantt", "--json", "--links", "100000", *words, "truth.db")
    # A row has the links that leave it.
    shown = [m for m in world.kept if touches(world, m) and
             (m[1] if m[3] is not None else m[2]) in world.chosen]
    wrong = sum(is_whole(m) and m[4] < m[3] for m in shown)
    if found is None:
        same(seed, world, "gantt has nothing", 0, len(shown))
        return
    drawn = json.loads(found)
    same(seed, world, "gantt", [len(shown), wrong, wrong],
         [sum(link["count"] for link in drawn["links"]) + drawn["links_left_out"],
          drawn["links_wrong"],
          sum(link["count"] for link in drawn["links"] if link["end"] < link["begin"])])


def touches(world, m):
    """Whether a link is in the window with an instant of it, or with the end it has."""
    if not is_whole(m):
        return world.holds(m[3] if m[3] is not None else m[4])
    return later(m) >= world.low and m[3] <= world.last


def check_pair(seed, world):
    """Two charts, of the trace and of what messages say of its clocks: each counts its own."""
    if world.run("clocks", "--drift", "none", "--groups", "apart", "truth.db", "--force", "-o",
                 "aligned.db") is None:
        return
    world.run("gantt", "truth.db", "aligned.db", "--force", "-o", "both.svg")
    with open("both.svg", encoding="utf-8") as picture:
        said = re.findall(r"([0-9,]+) ends? before (?:it|they) begins?", picture.read())
    wrong = []
    for trace in ("truth.db", "aligned.db"):
        judged = json.loads(world.run("causality", "--json", trace))
        wrong.append(judged["tachyons"] + judged["self"])
        listed = json.loads(world.run("info", "--json", trace))["event_types"]
        same(seed, world, f"info of {trace}", wrong[-1],
             sum(t.get("tachyons") or 0 for t in listed))
    same(seed, world, "two charts", [count for count in wrong if count],
         [int(count.replace(",", "")) for count in said])


def count_begins(world, links):
    """How many links begin at each chosen process, by value; and their bytes."""
    counts = Counter()
    for m in links:
        if world.holds(m[3]) and m[1] in world.chosen:
            counts["link-count", world.path[m[1]], m[5]] += 1
            counts["link-bytes", world.path[m[1]], ""] += m[6]
    return counts


def check_compare(seed, world, chance):
    """Two traces of the same processes, the second with some of the links."""
    if "--type" in world.options:
        return  # it is another option there
    fewer = [m for m in world.links if chance.random() < 0.6]
    with open("fewer.trace", "w", encoding="utf-8") as out:
        links_maker.write(out, world.groups, world.types, fewer, world.end)
    world.run("import", "--force", "fewer.trace", "-o", "fewer.db")
    left = set(fewer) & set(world.kept)
    for metric in ("link-count", "link-bytes"):
        text = world.run("compare", "--every-node", "--csv", "--metric", metric, "--slices", "7",
                         *world.options, "truth.db", "fewer.db")
        if text is None:
            continue  # one of them may have nothing there
        both = [count_begins(world, links) for links in (world.kept, left)]
        found = {}
        for row in csv.DictReader(io.StringIO(text)):
            # Some siblings together have a row as well: "h0/p00, p01".
            if row["what"] == "change" and row["path"] in world.path.values():
                value = row["type"].split(":")[-1] if metric == "link-count" else ""
                sums = found.setdefault((metric, row["path"], value), [0, 0])
                sums[0] += round(float(row["first"] or 0))
                sums[1] += round(float(row["second"] or 0))
        # Who has no link in one of them is no leaf of it.
        leaves = [{key[1] for key, sum_of in counts.items() if key[0] == "link-count" and sum_of}
                  for counts in both]
        for key in {*found, *both[0], *both[1]}:
            if key[0] == metric and key[1] in leaves[0] & leaves[1] and (
                    key in found or both[0][key] != both[1][key]):
                same(seed, world, f"compare {key}", [counts[key] for counts in both],
                     found.get(key))


# --- PICL, A4.2


def check_picl(seed, world):
    if "--resource" in world.options:
        return  # what it lists of links with one end there is the events' to say
    # Events that begin where a window ends are listed, too.
    whole = [m for m in world.kept
             if is_whole(m) and later(m) >= world.low and m[3] <= world.high]
    text = world.run("export", "--format", "picl", *world.options, "truth.db")
    rows = [line.split() for line in (text or "").splitlines()]
    sent = Counter(int(r[7]) for r in rows if r[:2] == ["-3", "-21"])
    received = Counter(int(r[7]) for r in rows if r[:2] == ["-4", "-52"])
    sizes = Counter(m[6] for m in whole)
    same(seed, world, "PICL", [sizes, sizes], [sent, received])


def main(program, maker, first, count):
    for seed in range(int(first), int(first) + int(count)):
        world = World(program, maker, seed)
        check_causality(seed, world)
        check_matrix(seed, world)
        chance = random.Random(seed)
        check_flying(seed, world, chance, chance.choice(("count", "bytes", "rate")))
        check_flying(seed, world, chance, "slowdown")
        check_gantt(seed, world)
        check_clocks(seed, world)
        check_pair(seed, world)
        check_compare(seed, world, random.Random(seed))
        check_picl(seed, world)
    return failures > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
