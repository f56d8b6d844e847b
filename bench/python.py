#!/usr/bin/env python3
"""Measures the Python package: its import, a frame of parts, events as a stream, models.

    bench/python.py TRACE.db [EVENTS]

OCELOTL_CLI is the program to compare with. A trace of EVENTS states (default: 10 million) is made
in TMPDIR. Models are measured in 11 pairs, in turn; a figure is the median, and CPU time is that of
user and system. Run it on an idle machine.
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


def make_trace(path, events):
    """States of 64 ranks, written by the package itself."""
    import ocelotl
    with ocelotl.Writer(path, tick=1, overwrite=True) as w:
        w.resource_type("RANK")
        state = w.event_type("state", "S", "RANK")
        values = [w.value(state, f"value {i}") for i in range(8)]
        for rank in range(64):
            at = w.resource("RANK", f"rank {rank}")
            for i in range(events // 64):
                w.push(at, state, values[(i + rank) % 8], 2 * i)
                w.pop(at, state, 2 * i + 1)


def measure_events(path):
    import ocelotl
    with ocelotl.open(path) as trace:
        table = trace.events()
        begun = time.perf_counter()
        rows = sum(len(batch) for batch in table.batches())
        seconds = time.perf_counter() - begun
    say(f"{rows} events to an Arrow stream", rows / seconds, "rows/s")


def measure_model(path):
    program = ("import ocelotl, sys; "
               "o = ocelotl.open(sys.argv[1]).overview(p=0.5, slices=60, no_cache=True); "
               "o.save(sys.argv[1] + '.svg')")
    cli = [os.environ["OCELOTL_CLI"], "--p", "0.5", "--slices", "60", "--no-cache", "--force", path,
           "-o", path + ".svg"]
    pairs = [(cpu([sys.executable, "-c", program, path]), cpu(cli)) for _ in range(PAIRS)]
    mine, theirs = (statistics.median(times) for times in zip(*pairs))
    say("CPU of a model from Python", mine, "s")
    say("CPU of a model from the program", theirs, "s")
    say("Python / program, the median of pairs",
        statistics.median(a / b for a, b in pairs), "")


def main():
    if len(sys.argv) < 2 or "OCELOTL_CLI" not in os.environ:
        sys.exit(__doc__)
    import ocelotl
    events = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    measure_import()
    with ocelotl.open(sys.argv[1]) as trace:
        measure_frame(trace)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "made.db")
        make_trace(path, events)
        measure_events(path)
        measure_model(path)


if __name__ == "__main__":
    main()
