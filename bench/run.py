#!/usr/bin/env python3
"""Measures what a user waits for, imports, the store and the engine, beside their rivals.

    bench/run.py [--build BUILD] [--runs N] [--full] [PART[:ROW] ...] [-- OPTION ...]

BUILD is a directory with a Release build made with -DOCELOTL_BENCH=ON (default: build). Figures are
medians of --runs runs (default: 3), the rival's in turn with ours. The parts, without any the first
three; most have rows, which can be named:

    use      what a user waits for, on the sample traces: wall clock
    engine   ocelotl-bench, a row a benchmark, with the OPTIONs behind `--`, which its head
             (bench/main.c) lists: `-- --states 1000000000 models` builds models of a billion states
    imports  a row a format: imports beside pj_dump, babeltrace2 and otf2-print, where they are
             installed (Debian packages pajeng, babeltrace2, otf2-tools), bytes an event, exports.
             Wall clock, the time of all processors, which other work changes less, and most memory
    growth   a row a command: how processor time and memory grow with the size of a trace that
             stresses one thing (tests/growth/trace.awk): n, 2 n and 4 n. The exponent of n log n is
             1.1; times under 0.1 s are mostly the start of the program
    clocks   how far off the clocks of 700 ranks are found, where every rank gets a clock of its
             own, off by up to a second and 50 ppm, and messages are all that is known of it;
             and how long 10^5 clocks in a ring take, and 10^6 messages
    real     how clocks that are really wrong are set right: of a run recorded by eztrace, and one
             that faketime makes fast (the figures of tests/cli/clocks_real.sh)
    levels   the figures that docs/levels.md shows
    python   the package that Python imports: its import, a frame of parts, events as a stream, and
             models of so many states beside the program, CPU time of pairs

It takes some minutes; with --full, models are of 100 million states, Pajé is four times as long,
and it takes half an hour.
"""
import argparse
import json
import math
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared/traces/paje"
SMALL = ROOT / "examples/smpi-stencil-96.trace.zst"
MIDDLE = ROOT / "tests/data/smpi-stencil-700.trace.zst"
PLAIN = ROOT / "tests/data/smpi-stencil-96-plain.trace.zst"
LU = SHARED / "smpi-lu-700.trace.zst"
LU = LU if LU.exists() else MIDDLE
MEGABYTES = 200  # of a file that is imported
PAIRS = 11


def cost(*words, refused=False):
    """Seconds of wall clock and of processors, and bytes, of a command; where it may refuse, also
    the first line of what it says, "-" for nothing."""
    begun = time.monotonic()
    with open("log", "wb") as log:
        process = subprocess.Popen(list(map(str, words)), stdout=subprocess.DEVNULL, stderr=log)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    spent = time.monotonic() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
    said = pathlib.Path("log").read_text(errors="replace").strip()
    if process.returncode != 0 and not refused:
        sys.exit(f"{' '.join(map(str, words))}: {said}")
    return (*spent, said.split("\n")[0][:100] if process.returncode != 0 else "-") if refused \
        else spent


def output(*words):
    """What a command prints."""
    return subprocess.run(list(map(str, words)), check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout


def say(what, figure, unit, digits=1, rivals=0, wanted=0, runs=""):
    """A line: a figure, the rival's, how they compare, what is wanted."""
    ratio = f"{figure / rivals if unit.endswith('/s') else rivals / figure:.2f} x" if rivals else ""
    rival = f"{rivals:.{digits}f} {unit}" if rivals else ""
    met = "" if not wanted else "yes" if figure >= wanted else "NO"
    print(f"    {what:<48} {f'{figure:.{digits}f} {unit}':>16} {rival:>14} {ratio:>9} "
          f"{f'>= {wanted:g}' if wanted else '':>9} {met:>4} {runs:>4}".rstrip(), flush=True)


class Bench:
    def __init__(self, given):
        self.given, self.runs = given, given.runs
        self.cli = given.build + "/ocelotl-cli"

    def compare(self, ours, rivals=None):
        """Medians of what commands take, in turn. The cache keeps answers: each is measured when it
        is asked for the first time."""
        if rivals and shutil.which(rivals[0]) is None:
            rivals = None
        pairs = []
        for _ in range(self.runs):
            shutil.rmtree(os.environ["XDG_CACHE_HOME"], ignore_errors=True)
            pairs.append((cost(*ours), cost(*rivals) if rivals else (0, 0, 0)))
        return [[statistics.median(pair[side][i] for pair in pairs) for i in range(3)]
                for side in range(2)]

    def store(self, trace, to="out.db"):
        cost(self.cli, "import", "--force", "--lenient", trace, "-o", to)
        return to

    # --- What a user waits for

    def wait(self, what, *words):
        say(what, self.compare([self.cli, *words])[0][0] * 1000, "ms")

    def use(self, trace):
        print(f"\n{trace.name}")
        subprocess.run(["zstd", "-qdf", trace, "-o", "run.trace"], check=True)
        self.wait("import, text", "import", "--force", "run.trace", "-o", "text.db")
        db, svg = self.store(trace), ["out.db", "-o", "a.svg"]
        events = json.loads(output(self.cli, "info", "--json", db))["bytes_per_event"]
        say("size of the trace.db", events, "bytes an event", 2)
        say("states", int(output(self.cli, "sql", "--csv", db, "SELECT count(*) FROM events WHERE "
                                 "category = 'state'").split()[-1]), "", 0)
        say("parts, 60 slices, p auto",
            len(json.loads(output(self.cli, "--json", "--slices", "60", db))["parts"]), "", 0)
        for slices, suffix in (("60", "svg"), ("200", "svg"), ("200", "png")):
            self.wait(f"overview.{suffix}, {slices} slices, p 0.5", "--p", "0.5", "--slices",
                      slices, db, "-o", "a." + suffix)
        self.wait("overview.svg, 200 slices, p chosen", "--no-cache", *svg)
        self.wait("the same without groups", "--no-cache", "--hierarchy", "trace", *svg)
        for slices in ("60", "200"):
            self.wait(f"sweep, {slices} slices", "sweep", "--slices", slices, db)
        # What an analyst does next; 0.3 s each is the aim.
        for operation in ("--from 40% --to 60%", "--except PMPI_Wait", "--metric event-count",
                          "--metric state-mean-duration", "--min-duration 1ms", "--part 0",
                          "--max-leaves 100", "--kind temporal", "treemap", "series",
                          "gantt --from 40% --to 45%", "gantt", "matrix"):
            self.wait(operation, *operation.split(), *svg)
        for operation in ("stats", "causality", "parts", "matrix --csv", "clocks --groups apart",
                          "matrix --order traffic --csv"):
            self.wait(operation, *operation.split(), db)
        self.wait("clocks, the trace", "clocks", "--groups", "apart", "--force", db, "-o", "a.db")
        self.wait("sql, links joined by key", "sql", db,
                  "SELECT count(*) FROM events a JOIN events b ON a.key = b.key")
        self.wait("compare, two windows", "compare", "--to", "50%", "--from2", "50%", db, db)
        for words in (["--p", "0.2", "--slices", "200"], ["gantt"], ["gantt", "--height", "600"]):
            cost(self.cli, *words, *svg)
            picture = pathlib.Path("a.svg").read_text()
            say(f"size: {' '.join(words)}", len(picture), "bytes", 0)
            say("  elements of it", sum(picture.count("<" + chr(at)) for at in range(97, 123)), "",
                0)

    def engine(self, _row):
        sparse = SHARED / "pajeng-native_sample.trace"
        traces = [self.store(trace, trace.name.split(".")[0] + ".db")
                  for trace in dict.fromkeys((SMALL, MIDDLE, LU, sparse)) if trace.exists()]
        os.environ["TMPDIR"] = os.getcwd()
        subprocess.run([self.given.build + "/bench/ocelotl-bench",
                        *([] if self.given.full else ["--quick"]), *self.given.options, "--traces",
                        *traces], check=True)

    # --- Imports

    def measure(self, title, path, events, rivals, wanted=0, options=(), alone=False):
        """`wanted`: megabytes a second, or how many times as fast as the rival reads."""
        before = ["taskset", "-c", "0"] if alone else []
        rivals = before + [word.replace("FILE", path) for word in rivals] if rivals else None
        mine, theirs = self.compare([*before, self.cli, "import", "--force", *options, path, "-o",
                                     "out.db"], rivals)
        files = list(pathlib.Path(path.removesuffix("/bench.otf2")).rglob("*"))
        size = sum(os.path.getsize(file) for file in files or [path]) / 1e6
        print(f"\n{title}: {size:.0f} MB, {events / 1e6:.2f} million; rival: "
              f"{rivals[len(before)] if theirs[0] else 'none'}")
        rate = size / theirs[0] if theirs[0] else 0
        say("to a finished trace.db", size / mine[0], "MB/s", 1, rate,
            wanted * rate if 0 < wanted < 10 else wanted, self.runs)
        say("events, records or lines", events / mine[0] / 1e6, "M/s", 2,
            events / theirs[0] / 1e6 if theirs[0] else 0)
        say("time of all processors", mine[1], "s", 2, theirs[1])
        say("memory", mine[2] / 1e6, "MB", 1, theirs[2] / 1e6)

    def made(self, title, maker, name, rivals=None, wanted=0, options=(), size=MEGABYTES):
        events = int(output(sys.executable, ROOT / "bench/makers.py", maker, name, size))
        self.measure(title, name, events, rivals, wanted, options)

    def paje(self):
        times = 4 if self.given.full else 1
        dump = ["pj_dump", "-q", "FILE"]
        events = int(output(sys.executable, ROOT / "bench/makers.py", "repeat", LU, "run.trace",
                            times))
        name = f"Pajé: {LU.name.split('.')[0]} x {times}"
        self.measure(name, "run.trace", events, dump)
        self.measure(name + ", one core alone", "run.trace", events, dump, alone=True)
        subprocess.run(["zstd", "-q", "-1", "run.trace", "-o", "run.trace.zst"], check=True)
        self.measure(name + ", from .zst", "run.trace.zst", events,
                     ["sh", "-c", "zstd -dqf run.trace.zst -o run.trace && pj_dump -q run.trace"])

    def synthetic(self):
        states = MEGABYTES * 40000
        with open("synthetic.trace", "w") as to:
            subprocess.run([self.given.build + "/bench/ocelotl-bench", "--make", str(states)],
                           check=True, stdout=to)
        self.measure("Pajé: states of 1000 leaves, made (Figure 7.8)", "synthetic.trace", states,
                     ["pj_dump", "-q", "FILE"])

    def otf2(self):
        program = self.given.build + "/bench/bench_archive"
        if os.path.exists(program):
            self.measure("OTF2", "archive/bench.otf2",
                         int(output(program, MEGABYTES * 100000, "archive")),
                         ["otf2-print", "--silent", "FILE"])

    def sizes(self):
        print("\nsize of the trace.db, checksums included")
        for trace in (LU, MIDDLE, SMALL, SHARED / "pajeng-native_sample.trace",
                      SHARED / "pajengr-simgrid.trace"):
            if trace.exists():
                info = json.loads(output(self.cli, "info", "--json", self.store(trace)))
                say(trace.name, info["bytes_per_event"], "bytes an event", 2)

    def exports(self):
        print(f"\nexports of {LU.name}: megabytes of what is written a second")
        self.store(LU)
        for words in (["chrome"], ["paje"], ["matrix", "--slices", "200", "--hierarchy", "trace"]):
            mine, _ = self.compare([self.cli, "export", "--force", "--format", *words, "out.db",
                                    "-o", "out"])
            size = os.path.getsize("out") / 1e6
            say(words[0], size / mine[0], "MB/s", runs=self.runs)
            say("  of one processor", size / mine[1], "MB/s")

    # --- What grows

    def growth(self, row):
        kind, n, words = GROWING[row]
        os.environ["OMP_WAIT_POLICY"] = "passive"
        times = []
        for size in (n, 2 * n, 4 * n):
            with open("text", "w") as to:
                subprocess.run(["awk", "-v", f"kind={kind}", "-v", f"n={size}", "-f",
                                ROOT / "tests/growth/trace.awk"], check=True, stdout=to)
            self.store("text")
            _, seconds, peak, refused = cost(self.cli, *words.split(), refused=True)
            times.append(seconds)
        grows = f"{math.log2(times[2] / times[1]):.2f}" if times[1] > 0 else "-"
        print(f"    {row:<20} {n:7} " + " ".join(f"{seconds:6.2f} s" for seconds in times) +
              f"  exponent {grows}, {peak / 2**20:.1f} MiB, refused: {refused}", flush=True)

    # --- Clocks, and the figures of docs/

    def clocks(self, _row):
        maker = ROOT / "tests/clocks_maker.py"
        end = output("sh", "-c", f"zstd -dcq {LU} | tail -n 1").split()[1]
        subprocess.run(f"zstd -dcq {LU} | {sys.executable} {maker} distort --seed 6 >wrong.trace "
                       "2>truth.json", shell=True, check=True)
        self.store("wrong.trace", "wrong.db")
        mine, _ = self.compare([self.cli, "clocks", "--json", "--force", "wrong.db", "-o",
                                "clocks.json"])
        found = json.loads(pathlib.Path("clocks.json").read_text())
        error, outside, bound = map(float, output(sys.executable, maker, "check", "clocks.json",
                                                  "truth.json", "0", end).split()[:3])
        say("largest error of a clock", error, "us")
        say("clocks outside their bounds", outside, "", 0)
        say("largest bound", bound, "us")
        say("messages", found["messages"], "", 0)
        say("time", mine[0], "s", 3, runs=self.runs)
        sys.path.insert(0, str(ROOT / "tests"))
        from clocks_explained import write_trace
        for what, count, rounds in (("10^5 clocks in a ring", 10**5, 2),
                                    ("10^6 messages", 50, 10**4)):
            chance, lines = random.Random(1), []
            ahead = [chance.uniform(2, 2.001) for _ in range(count)]
            for number in range(2 * count * rounds):
                sent, a, b = chance.uniform(0, 10), number % count, (number + 1) % count
                came = sent + chance.uniform(2e-5, 1e-4)
                for event, clock, at in ((3, a, sent), (4, b, came)):
                    clock = clock if number < count * rounds else a + b - clock
                    lines.append((round((ahead[clock] + at) * 1e9), event, clock, number))
            write_trace("ring.trace", count, lines)
            self.store("ring.trace", "ring.db")
            mine, _ = self.compare([self.cli, "clocks", "--csv", "ring.db"])
            say(f"{what}, of all processors", mine[1], "s", 3, runs=self.runs)

    def real(self, _row):
        os.environ.update(OCELOTL_ROOT=str(ROOT), OCELOTL_CLI=self.cli, OCELOTL_PRINT="1")
        subprocess.run(["bash", ROOT / "tests/cli/clocks_real.sh"], check=True)

    def levels(self, _row):
        """Gain and loss are percentages of those of the whole as one block, the last level."""
        print("trace | slices | plateaus, in parts | shown first | p | gain % | loss %")
        for trace in (SMALL, MIDDLE, PLAIN):
            for slices in ("60", "200"):
                levels = json.loads(output(self.cli, "sweep", "--json", "--slices", slices,
                                           self.store(trace)))["levels"]
                shown = next(level for level in levels if level["auto"])
                flat = [str(level["parts"]) for level in reversed(levels) if level["plateau"]]
                print(trace.name.split(".")[0], slices, ", ".join(flat), shown["parts"],
                      shown["p"], *(round(100 * shown[of] / levels[-1][of], 1)
                                    for of in ("gain", "loss")), sep=" | ", flush=True)
        # How well each hierarchy sets the machines behind the slow switch apart.
        print("\nsmpi-stencil-700, 60 slices, at most 55 parts | parts | loss %")
        self.store(MIDDLE)
        for words in ("--hierarchy trace --drop-level SWITCH", "--drop-level SWITCH",
                      "--hierarchy trace", ""):
            found = json.loads(output(self.cli, "parts", "--json", "--slices", "60", "--parts",
                                      "55", *words.split(), "out.db"))
            print(words or "(default)", len(found["parts"]),
                  round(100 * found["loss"] / found["whole_loss"], 1), sep=" | ", flush=True)

    # --- The package

    def python(self, _row):
        import ocelotl
        states = 100_000_000 if self.given.full else 5_000_000
        run, maker = [sys.executable, "-c"], [self.given.build + "/bench/ocelotl-bench", "--make"]
        bare, full = (statistics.median(cost(*run, words)[0] for _ in range(PAIRS))
                      for words in ("pass", "import ocelotl"))
        say("import of the package", 1000 * (full - bare), "ms")
        with ocelotl.open(self.store(MIDDLE)) as trace:
            o = trace.overview(p=0.2)
            times = []
            for _ in range(PAIRS):
                begun = time.perf_counter()
                o.parts.to_pandas()
                times.append(time.perf_counter() - begun)
        say(f"{len(o)} parts to a frame of pandas", 1000 * statistics.median(times), "ms", 2)
        cost(*maker, states // 10, "made.db")
        with ocelotl.open("made.db") as trace:
            begun = time.perf_counter()
            rows = sum(len(batch) for batch in trace.events().batches())
            say(f"{rows} events to an Arrow stream",
                rows / (time.perf_counter() - begun) / 1e6, "M/s", 2)
        os.remove("made.db")
        cost(*maker, states, "made.db")
        pairs = [(cost(*run, "import ocelotl; ocelotl.open('made.db').overview(no_cache=True)"
                       ".save('a.svg')")[1],
                  cost(self.cli, "--no-cache", "--force", "made.db", "-o", "a.svg")[1])
                 for _ in range(PAIRS)]
        mine, theirs = (statistics.median(times) for times in zip(*pairs))
        say(f"CPU of a model of {states / 1e6:g} M states", mine, "s", 3, theirs)
        say("Python / program, the median of pairs", statistics.median(a / b for a, b in pairs), "",
            3)


IMPORTS = {
    "paje": Bench.paje,
    "wide": lambda to: to.made("Pajé: 100,000 resources in turn", "wide", "wide.trace",
                               ["pj_dump", "-q", "FILE"]),
    "synthetic": Bench.synthetic,
    "otf2": Bench.otf2,
    "json": lambda to: to.made("Trace events in JSON", "json", "a.json", wanted=200),
    "paraver": lambda to: to.made("Paraver", "paraver", "a.prv", wanted=250),
    "csv": lambda to: to.made("A table of states", "table", "a.csv"),
    "ctf": lambda to: to.made("CTF", "ctf", "ctf",
                              ["babeltrace2", "-o", "dummy", "FILE"], wanted=0.6),
    "gstreamer": lambda to: to.made("A log of GStreamer", "gstreamer", "a.log",
                                    options=["--format", "gstreamer"]),
    "perf": lambda to: to.made("What perf script prints", "perf", "a.perf",
                               options=["--format", "perf"]),
    "picl": lambda to: to.made("PICL", "picl", "a.picl", options=["--format", "picl"]),
    "numa_maps": lambda to: to.made("Snapshots of numa_maps", "numa_maps", "a.pages", wanted=100),
    "sizes": Bench.sizes,
    "exports": Bench.exports,
}
# What a trace has much of, n, and the command.
GROWING = {
    "lanes": ("spans", 5000, "import --force text -o new.db"),
    "lanes_gantt": ("spans", 1000, "gantt --force out.db -o a.svg"),
    "instant": ("instant", 5000, "gantt --force out.db -o a.svg"),
    "counters": ("variables", 2000, "gantt --force out.db -o a.svg"),
    "chain_gantt": ("deepstates", 2500, "gantt --force out.db -o a.svg"),
    "chain_overview": ("deepstates", 1000, "--force out.db -o a.svg"),
    "chain_parts": ("deepstates", 1000, "parts out.db"),
    "chain_export": ("deepstates", 1000, "export out.db"),
    "types": ("alone", 1000, "--force out.db -o a.svg"),
    "all_types": ("alone", 500, "--force --most-types 0 out.db -o a.svg"),
    "flat_auto": ("apart", 1000, "--force --hierarchy auto out.db -o a.svg"),
    "hierarchies": ("apart", 250, "hierarchies out.db"),
    "short_lived": ("recreate", 10000, "--force out.db -o a.svg"),
    "short_lived_parts": ("recreate", 10000, "parts out.db"),
    "linkkeys": ("keys", 20000, "gantt --force out.db -o a.svg"),
    "pushed": ("push", 20000, "gantt --force out.db -o a.svg"),
}
USE = {trace.name.split(".")[0]: trace for trace in (SMALL, MIDDLE, LU)}
# A part by its name: its rows, and what runs one.
PARTS = {
    "use": (USE, lambda to, row: to.use(USE[row])),
    "engine": ({"": None}, Bench.engine),
    "imports": (IMPORTS, lambda to, row: IMPORTS[row](to)),
    "growth": (GROWING, Bench.growth),
    "clocks": ({"": None}, Bench.clocks),
    "real": ({"": None}, Bench.real),
    "levels": ({"": None}, Bench.levels),
    "python": ({"": None}, Bench.python),
}


def main():
    words = sys.argv[1:]
    options = words[words.index("--") + 1:] if "--" in words else []
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=["use", "engine", "imports"], metavar="PART")
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--full", action="store_true")
    given = parser.parse_args(words[:words.index("--")] if options else words)
    given.build, given.options = os.path.abspath(given.build), options
    wanted = []
    for name in given.parts:
        part, _, row = name.partition(":")
        if part not in PARTS or (row and row not in PARTS[part][0]):
            parser.error(f"{name}: no such part, expected one of {', '.join(PARTS)}, or PART:ROW")
        wanted += [(part, one) for one in ([row] if row else PARTS[part][0])]
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(XDG_CACHE_HOME=folder + "/cache", XDG_CONFIG_HOME=folder + "/config")
        for part, row in wanted:
            place = os.path.join(folder, part)
            os.mkdir(place)
            os.chdir(place)
            PARTS[part][1](Bench(given), row)
            os.chdir(folder)
            shutil.rmtree(place)


if __name__ == "__main__":
    main()
