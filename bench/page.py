#!/usr/bin/env python3
"""Prints how fast the served page is under a hand, in headless Chromium.

    bench/page.py [BUILD] [TRACE] [--slices N] [--runs N]

BUILD is a directory with ocelotl-cli (default: build). TRACE is one of 700 ranks (default: that of
tests/data). Each run is of a new server with an empty cache, and does: ten ticks of the wheel, one
after the other has been answered, then ten at once; ten moves in time; each level by the slider;
400 slices; three metrics. Of what was done: milliseconds until the plot is another one, until the
page has a coarse answer and a full one (of ten at once, behind the last), and of the page's
thread the longest task and the longest script in it, in time of a processor, which counts nothing
of what else runs on the machine, as does the work of the server; the longest frame counts it. The
page marks its pictures with performance.mark: `ocelotl coarse`, `ocelotl full`.
"""
import argparse
import collections
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

from serve import ROOT, Server  # which adds tests/ to the path
from browser import Browser
from tracing import Tracing

METRICS = ["event-count", "state-mean-duration", "link-count"]
MOST = 30  # seconds that an action may take
MOST_LEVELS = 20
MOVE = "."  # the key that moves in time
PLOT = """const plot = document.querySelector('#plots canvas').getBoundingClientRect();
    return [plot.x + plot.width * 0.6, plot.y + plot.height * 0.5]"""


class Hand(Browser):
    """A browser that looks at what a server serves, and notes what is done to it."""

    def __init__(self, server):
        super().__init__()
        self.size(1400, 800)
        self.tell("Page.addScriptToEvaluateOnNewDocument",
                  source=(ROOT / "bench/page.js").read_text())
        self.go(server.address)
        self.ready()

    def ready(self):
        self.until("document.querySelector('#plots canvas') !== null && "
                   "!document.getElementById('plots').classList.contains('waiting') && "
                   "window.bench.marks.some(([kind]) => kind === 'full')")

    def all_levels(self):
        """Waits until as many levels are known as there are, and gives their number."""
        count, since = 0, time.monotonic()
        while time.monotonic() < since + 3:
            time.sleep(0.3)
            now = self.run("const slider = document.getElementById('level');"
                           "return slider.disabled ? 0 : Number(slider.max) + 1")
            if now == 0 or now != count:
                count, since = now, time.monotonic()
        return count

    def answered(self):
        """Waits until what was begun last is answered in full."""
        end = time.monotonic() + MOST
        while time.monotonic() < end and not self.run(
                "return bench.marks.some(([kind, time]) => kind === 'full' && "
                "time >= bench.begins.at(-1)) && bench.changes.at(-1) >= bench.begins.at(-1)"):
            time.sleep(0.05)

    def turn(self, ticks):
        """Turns the wheel over the plot, a tick every 80 ms."""
        x, y = (int(one) for one in self.run(PLOT))
        tick = {"type": "scroll", "x": x, "y": y, "deltaX": 0, "deltaY": -120,
                "origin": "viewport"}
        steps = [step for _ in range(ticks) for step in (tick, {"type": "pause", "duration": 80})]
        self.call("POST", "/actions",
                  {"actions": [{"type": "wheel", "id": "wheel", "actions": steps}]})

    def address(self, change):
        """Shows what an address says, with some words of it changed."""
        self.run("""const words = new URLSearchParams(location.hash.slice(1));
            for (const [name, value] of arguments[0]) words.set(name, value);
            bench.begin(performance.now());
            location.hash = '#' + words""", change)

    def slide(self, level):
        self.run("""const slider = document.getElementById('level');
            bench.begin(performance.now());
            slider.value = arguments[0] === slider.value ? slider.max : arguments[0];
            slider.dispatchEvent(new Event('input', {bubbles: true}));
            slider.dispatchEvent(new Event('change', {bubbles: true}));""", str(level))


class Row:
    """What was seen of an action, each time that it was done."""

    def __init__(self):
        self.first, self.coarse, self.full = [], [], []
        self.task, self.script, self.frame, self.work = [], [], [], []

    def take(self, bench, tracing, together, work):
        """Adds what was seen since the watch began; of what was done `together` the last alone is
        answered."""
        begins = bench["begins"]
        for at, begin in enumerate(begins):
            last = at + 1 == len(begins)
            end = float("inf") if last else begins[at + 1]
            self.first += [change - begin for change in bench["changes"]
                           if begin <= change < end][:1]
            if last or not together:
                for kind, times in (("coarse", self.coarse), ("full", self.full)):
                    times += [when - begin for what, when in bench["marks"]
                              if what == kind and begin <= when < end][:1]
        task, script = tracing.longest("bench begins", "bench ends")
        self.task.append(task)
        self.script.append(script)
        self.frame.append(max(bench["frames"]))
        self.work.append(work / (1 if together else max(1, len(begins))))

    def say(self, name):
        def cell(times):
            return f"{statistics.median(times):.0f} ({max(times):.0f})" if times else "-"
        print(" | ".join([name, *map(cell, (self.first, self.coarse, self.full, self.task,
                                            self.script, self.frame, self.work))]), flush=True)


def run(cli, options, rows):
    def done(name, times, act, together=False):
        begun, used = time.monotonic(), server.used()
        hand.run("bench.forget()")
        with Tracing(hand) as tracing:
            hand.run("performance.mark('bench begins')")
            for number in range(times):
                act(number)
                hand.answered()
            hand.run("performance.mark('bench ends')")
        rows[name].take(hand.run("return bench"), tracing, together, server.used() - used)
        print(f"{name}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)

    def open_anew():
        os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(dir=options.folder)
        server = Server(cli, options.store, "--slices", str(options.slices))
        return server, Hand(server)

    server, hand = open_anew()
    with server, hand:
        opened = hand.run("""const plot = bench.marks.find(([kind]) => true)[1];
            const answers = performance.getEntriesByType('resource').filter(one =>
                one.name.includes('/api/') && one.responseEnd <= plot);
            return [plot, plot - Math.max(...answers.map(one => one.responseEnd)),
                bench.marks.find(([kind]) => kind === 'full')[1]]""")
        for times, value in zip((rows["open"].first, rows["open, behind the answer"].first,
                                 rows["open"].full), opened):
            times.append(value)
        done("wheel, ten ticks", 10, lambda _: hand.turn(1))
        done("moves in time, ten", 10, lambda _: hand.press(MOVE))
    server, hand = open_anew()
    with server, hand:
        done("wheel, ten at once", 1, lambda _: hand.turn(10), together=True)
    server, hand = open_anew()
    with server, hand:
        count = hand.all_levels()
        step = -(-count // MOST_LEVELS)
        done(f"slider, each {step}. of {count} levels", count // step,
             lambda number: hand.slide(number * step))
    server, hand = open_anew()
    with server, hand:
        done("400 slices", 1, lambda _: hand.address([["slices", "400"]]))
        for metric in METRICS:
            done("metric " + metric, 1, lambda _: hand.address([["metric", metric]]))


def main():
    given = argparse.ArgumentParser()
    given.add_argument("build", nargs="?", default=str(ROOT / "build"))
    given.add_argument("trace", nargs="?",
                       default=str(ROOT / "tests/data/smpi-stencil-700.trace.zst"))
    given.add_argument("--slices", type=int, default=200)
    given.add_argument("--runs", type=int, default=3)
    options = given.parse_args()
    cli = str(pathlib.Path(options.build).resolve() / "ocelotl-cli")
    with tempfile.TemporaryDirectory() as options.folder:
        options.store = options.trace
        if not options.trace.endswith(".db"):
            options.store = options.folder + "/trace.db"
            subprocess.run([cli, "import", options.trace, "-o", options.store], check=True,
                           stdout=subprocess.DEVNULL)
        rows = collections.defaultdict(Row)
        before = os.getloadavg()[0]
        for _ in range(options.runs):
            run(cli, options, rows)
        print(f"load {before:.1f} to {os.getloadavg()[0]:.1f} of {os.cpu_count()} cores; "
              f"median (most) of {options.runs} runs, ms\n"
              "what | plot changes | coarse | full | longest task | its script | longest frame | "
              "work of the server")
        for name, row in rows.items():
            row.say(name)
        with Server(cli, options.store) as server:
            sizes = [len(urllib.request.urlopen(server.base + path).read())
                     for path in ("/", "/page.js", "/page.css")]
        print(f"page, KB: {sum(sizes) / 1000:.0f} of 400")


if __name__ == "__main__":
    main()
