"""Random tables come back from an export of ours as the same trace, whose uid they keep.

    tables.py COUNT

Tables have a hierarchy of several columns or paths, types, states, events, variables, links and
attributes. Where the uid changes the export has said why.
"""
import csv
import json
import os
import random
import subprocess
import sys

CLI = os.environ["OCELOTL_CLI"]
LEVELS = ["host", "process", "rank", "thread", "cpu", "worker"]


def run(*words):
    return subprocess.run([CLI, *words], capture_output=True)


class Table:
    def __init__(self, rng):
        self.rng = rng
        self.has_path = rng.random() < .3
        self.levels = sorted(rng.sample(LEVELS, rng.randint(1, 4)), key=LEVELS.index)
        self.names = ["n%d" % i for i in range(rng.randint(1, 4))]
        self.has_links = rng.random() < .4
        self.clock = {}
        self.rows = [self.row() for _ in range(rng.randint(1, 40))]
        if rng.random() < .3:
            rng.shuffle(self.rows)

    def header(self):
        path = ["resource"] if self.has_path else self.levels
        return path + ["type", "category", "value", "begin", "end", "source", "target", "size"]

    def place(self, row):
        rng = self.rng
        if self.has_path:
            row["resource"] = "/".join(rng.choice(self.names) for _ in range(rng.randint(1, 3)))
            return row["resource"]
        steps = []
        for i, level in enumerate(self.levels):
            if i == 0 or rng.random() < .9:
                row[level] = rng.choice(self.names)
                steps.append(row[level])
        return "/".join(steps)

    def row(self):
        rng, row = self.rng, {}
        where = self.place(row)
        kinds = ["state", "event", "variable"] + (["link"] if self.has_links else [])
        row["category"] = kind = rng.choice(kinds)
        row["type"] = rng.choice("AB") + kind
        begin = self.clock.get(where, rng.choice([0, 0, 1500, 7000]))
        last = begin + rng.choice([0, 500, 1000, 125, 1]) * rng.choice([1, 1, 5])
        self.clock[where] = last
        row["value"] = rng.choice(["1", "2.5", "-3", "1e9"] if kind == "variable" else "xyz")
        row["begin"] = "%.3f" % (begin / 1000)
        if kind != "event":
            row["end"] = "%.3f" % (last / 1000)
        if kind == "link":
            row["source"] = where
            row["target"] = rng.choice(list(self.clock))
        if rng.random() < .3:
            row["size"] = rng.randint(0, 9)
        return row

    def write(self, path):
        with open(path, "w", newline="") as file:
            writer = csv.DictWriter(file, self.header())
            writer.writeheader()
            writer.writerows(self.rows)


def uid(database):
    return json.loads(run("info", "--json", database).stdout)["uid"]


def check(seed, kind):
    """Returns how the trace of a table does not come back, or nothing."""
    table = Table(random.Random(seed))
    table.write("table.csv")
    got = run("import", "--force", "table.csv", "-o", "table.db")
    if got.returncode != 0:
        return got.stderr.decode()
    said = run("export", "--format", kind, "--force", "table.db", "-o", "back." + kind).stderr
    got = run("import", "--force", "back." + kind, "-o", "back.db")
    if got.returncode != 0:
        return got.stderr.decode()
    losses = [line for line in said.splitlines() if b"not said by" in line]
    same = uid("table.db") == uid("back.db")
    expected = b"values of variables that others replace" if not table.has_path else b""
    if not same and (not losses or any(expected not in line for line in losses)):
        return "another uid; %s" % said.decode()
    return None


def main(count):
    failed = 0
    for seed in range(count):
        for kind in "csv", "json":
            wrong = check(seed, kind)
            if wrong is not None:
                failed += 1
                print("table %d as %s: %s" % (seed, kind, wrong))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
