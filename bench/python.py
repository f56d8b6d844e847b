#!/usr/bin/env python3
"""Measures the Python package: its import, a frame of parts, events as a stream, models.

    bench/python.py TRACE.db BUILD [STATES]

BUILD has the program to compare with, and ocelotl-bench, which makes two traces in TMPDIR: one of
STATES states (default: 100 million) for models, one of a tenth of them for events. Models are
measured in 11 pairs, in turn; a figure is the median, and CPU time is that of user and system, from
the start of the process to its end. Run it on an idle machine.
"""
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

PAIRS = 11


def cpu(words):
    """CPU seconds of a program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def wall(words):
    begun = time.perf_counter()
    subprocess.run(words, check=True)
    return time.perf_counter() - begun


def say(what, value, unit):
    print(f"{what:<48} {value:12.4g} {unit}", flush=True)


def measure_import():
    python = [sys.executable, "-c"]
    bare = statistics.median(wall([*python, "pass"]) for _ in range(PAIRS))
    full = statistics.median(wall([*python, "import ocelotl"]) for _ in range(PAIRS))
    say("import of the package", 1000 * (full - bare), "ms")


def measure_frame(trace):
    o = trace.overview(p=0.2)
    times = []
    for _ in range(PAIRS):
        begun = time.perf_counter()
        o.parts.to_pandas()
        times.append(time.perf_counter() - begun)
    say(f"{len(o)} parts to a frame of pandas", 1000 * statistics.median(times), "ms")


def make_trace(path, build, states):
    subprocess.run([os.path.join(build, "bench/ocelotl-bench"), "--make", str(states), path],
                   check=True)


def measure_events(path):
    import ocelotl
    with ocelotl.open(path) as trace:
        table = trace.events()
        begun = time.perf_counter()
        rows = sum(len(batch) for batch in table.batches())
        seconds = time.perf_counter() - begun
    say(f"{rows} events to an Arrow stream", rows / seconds, "rows/s")


def measure_model(path, build, states):
    program = ("import ocelotl, sys; "
               "o = ocelotl.open(sys.argv[1]).overview(no_cache=True); "
               "o.save(sys.argv[1] + '.svg')")
    cli = [os.path.join(build, "ocelotl-cli"), "--no-cache", "--force", path, "-o", path + ".svg"]
    pairs = [(cpu([sys.executable, "-c", program, path]), cpu(cli)) for _ in range(PAIRS)]
    mine, theirs = (statistics.median(times) for times in zip(*pairs))
    say(f"CPU of a model of {states / 1e6:g} M states from Python", mine, "s")
    say("  of the program", theirs, "s")
    say("  Python / program, the median of pairs", statistics.median(a / b for a, b in pairs), "")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    import ocelotl
    build = sys.argv[2]
    states = int(sys.argv[3]) if len(sys.argv) > 3 else 100_000_000
    measure_import()
    with ocelotl.open(sys.argv[1]) as trace:
        measure_frame(trace)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "made.db")
        make_trace(path, build, states // 10)
        measure_events(path)
        os.remove(path)
        make_trace(path, build, states)
        measure_model(path, build, states)


if __name__ == "__main__":
    main()
