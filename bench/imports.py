#!/usr/bin/env python3
"""Measures imports beside what others read the same with, bytes of trace.db an event, and exports.

    bench/imports.py [BUILD] [--runs N] [--times N] [--megabytes N] [--rows ROW ...]

BUILD is a directory with ocelotl-cli (default: build). Rows are those of the table ROWS below, and
`sizes` and `exports`; without any, all. Pajé is smpi-lu-700, --times times over (default: 4, 242
MB), as it is, on one core alone, and from a .zst beside zstd -d and pj_dump, which reads no pipe.
The other files (--megabytes: 200 each) are made here; OTF2 has 20 million records, or a tenth of
--megabytes. Figures are medians of so many runs as are printed (default: 3), the rival's in turn
with ours: wall clock, the time of all processors, which other work on the machine changes less, and
the most memory.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared/traces/paje"
LU = SHARED / "smpi-lu-700.trace.zst"
LU = LU if LU.exists() else ROOT / "tests/data/smpi-stencil-700.trace.zst"
TRACES = [LU, ROOT / "tests/data/smpi-stencil-700.trace.zst",
          ROOT / "examples/smpi-stencil-96.trace.zst", SHARED / "pajeng-native_sample.trace",
          SHARED / "pajengr-simgrid.trace"]


def cost(words):
    """Seconds of wall clock and of processors, and bytes, of a command."""
    begun = time.monotonic()
    with open("log", "wb") as log:
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=log)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(words)}: {pathlib.Path('log').read_text().strip()}")
    return time.monotonic() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def make(*words):
    """Runs a maker, and returns how many events there are."""
    return int(subprocess.run([sys.executable, str(ROOT / "bench/makers.py"), *map(str, words)],
                              check=True, stdout=subprocess.PIPE).stdout)


def say(what, figure, rivals, wanted, runs, unit, digits=1):
    ratio = f"{figure / rivals if unit.endswith('/s') else rivals / figure:.2f} x" if rivals else ""
    rival = f"{rivals:.{digits}f} {unit}" if rivals else "-"
    met = "" if not wanted else "yes" if figure >= wanted else "NO"
    print(f"    {what:<44} {f'{figure:.{digits}f} {unit}':>14} {rival:>14} {ratio:>9} "
          f"{f'>= {wanted:g}' if wanted else '':>9} {met:>4} {runs:>4}", flush=True)


class Bench:
    def __init__(self, cli, given):
        self.cli, self.runs, self.given = cli, given.runs, given

    def compare(self, ours, rivals):
        """Medians of what commands take, in turn."""
        if rivals and shutil.which(rivals[0]) is None:
            rivals = None
        pairs = [(cost(ours), cost(rivals) if rivals else (0, 0, 0)) for _ in range(self.runs)]
        return [[statistics.median(pair[side][i] for pair in pairs) for i in range(3)]
                for side in range(2)]

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
        say("to a finished trace.db", size / mine[0], rate,
            wanted * rate if 0 < wanted < 10 else wanted, self.runs, "MB/s")
        say("events, records or lines", events / mine[0] / 1e6,
            events / theirs[0] / 1e6 if theirs[0] else 0, 0, self.runs, "M/s", 2)
        say("time of all processors", mine[1], theirs[1], 0, self.runs, "s", 2)
        say("memory", mine[2] / 1e6, theirs[2] / 1e6, 0, self.runs, "MB")

    def made(self, title, maker, name, rivals=None, wanted=0, options=()):
        self.measure(title, name, make(maker, name, self.given.megabytes), rivals, wanted, options)

    def paje(self):
        events = make("repeat", LU, "run.trace", self.given.times)
        name = f"{LU.name.split('.')[0]} x {self.given.times}"
        dump = ["pj_dump", "-q", "FILE"]
        self.measure(f"Pajé: {name}", "run.trace", events, dump)
        self.measure(f"Pajé: {name}, one core alone", "run.trace", events, dump, alone=True)
        subprocess.run(["zstd", "-q", "-1", "run.trace", "-o", "run.trace.zst"], check=True)
        self.measure(f"Pajé: {name}, from .zst", "run.trace.zst", events,
                     ["sh", "-c", "zstd -dqf run.trace.zst -o run.trace && pj_dump -q run.trace"])

    def wide(self):
        self.made("Pajé: 100,000 resources in turn", "wide", "wide.trace",
                  ["pj_dump", "-q", "FILE"])

    def synthetic(self):
        with open("synthetic.trace", "w") as to:
            subprocess.run([f"{self.given.build}/bench/ocelotl-bench", "--make",
                            str(self.given.megabytes * 40000)], check=True, stdout=to)
        self.measure("Pajé: states of 1000 leaves, made (Figure 7.8)", "synthetic.trace",
                     self.given.megabytes * 40000, ["pj_dump", "-q", "FILE"])

    def otf2(self):
        program = f"{self.given.build}/bench/bench_archive"
        if not os.path.exists(program):
            return
        records = int(subprocess.run([program, str(self.given.megabytes * 100000), "archive"],
                                     check=True, stdout=subprocess.PIPE).stdout)
        self.measure("OTF2", "archive/bench.otf2", records, ["otf2-print", "--silent", "FILE"])

    def sizes(self):
        print("\nsize of the trace.db, checksums included")
        for trace in TRACES:
            if trace.exists():
                cost([self.cli, "import", "--force", "--lenient", str(trace), "-o", "out.db"])
                info = json.loads(subprocess.run([self.cli, "info", "--json", "out.db"], check=True,
                                                 stdout=subprocess.PIPE).stdout)
                print(f"    {trace.name:<44} {info['bytes_per_event']:10.2f} bytes an event")

    def exports(self):
        print(f"\nexports of {LU.name}: megabytes of what is written a second")
        cost([self.cli, "import", "--force", str(LU), "-o", "out.db"])
        for words in (["chrome"], ["paje"], ["matrix", "--slices", "200", "--hierarchy", "trace"]):
            mine, _ = self.compare([self.cli, "export", "--force", "--format", *words, "out.db",
                                    "-o", "out"], None)
            size = os.path.getsize("out") / 1e6
            say(words[0], size / mine[0], 0, 0, self.runs, "MB/s")
            say("  of one processor", size / mine[1], 0, 0, self.runs, "MB/s")


ROWS = {
    "paje": Bench.paje,
    "wide": Bench.wide,
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
    "sizes": Bench.sizes,
    "exports": Bench.exports,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", default=str(ROOT / "build"))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--times", type=int, default=4)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--rows", nargs="+", default=list(ROWS), choices=ROWS, metavar="ROW")
    given = parser.parse_args()
    given.build = os.path.abspath(given.build)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder + "/cache"
        for name in given.rows:
            place = os.path.join(folder, name)
            os.mkdir(place)
            os.chdir(place)
            ROWS[name](Bench(given.build + "/ocelotl-cli", given))
            shutil.rmtree(place)


if __name__ == "__main__":
    main()
