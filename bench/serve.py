#!/usr/bin/env python3
"""Prints how long the served page waits for what it asks, as median and 95th percentile.

    bench/serve.py [BUILD] [TRACE] [--runs N] [--browser]

BUILD is a directory with ocelotl-cli (default: build). TRACE is one of 700 ranks (default: that of
tests/data); a trace of 10,000 ranks is made as well. Times are those of whole requests to a server
that runs; with --browser, Chromium drives the page, too. Each row has the budget that it is meant
to keep on two free cores; the script's is one of size.
"""
import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import paje  # noqa: E402

RANKS = 10000


class Server:
    """The program, serving a trace as long as the block lasts."""

    def __init__(self, cli, trace, *options):
        self.process = subprocess.Popen([cli, "serve", *options, str(trace)],
                                        stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().split()[0]
        self.base, self.key = self.address.split("/#k=")

    def used(self):
        """Milliseconds of processors that the program has taken, with threads that have ended."""
        text = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text()
        fields = text.rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def ask(self, path, *pairs):
        """Milliseconds, and the bytes of the answer."""
        request = urllib.request.Request(
            f"{self.base}/api/v1/{path}?{urllib.parse.urlencode(pairs)}",
            headers={"X-Ocelotl-Key": self.key})
        begun = time.monotonic()
        with urllib.request.urlopen(request, timeout=600) as answer:
            got = answer.read()
        return (time.monotonic() - begun) * 1e3, got


def row(name, budget, times, server=None, used=0.0):
    """Prints a row; with a server also how long processors worked for each, on the mean."""
    count = len(times)
    times = sorted(times)
    middle = statistics.median(times)
    most = times[min(len(times) - 1, int(0.95 * len(times)))]
    work = "" if server is None else f"{(server.used() - used) / count:.0f}"
    print(f"{name} | {budget} | {middle:.1f} | {most:.1f} | {work} | "
          f"{'kept' if middle <= budget else f'missed by {middle - budget:.0f} ms'}", flush=True)


def window(share, length=0.1):
    return [("from", f"{100 * share:.3f}%"), ("to", f"{100 * (share + length):.3f}%")]


LOOKS = [("look.width", "1040"), ("look.height", "720")]
PLOT = [("look.width", "782"), ("look.height", "555")]


def picture(server, *options):
    """All that a first picture takes."""
    return (server.ask("frame", *options, *LOOKS)[0] + server.ask("nodes", *options)[0] +
            server.ask("records", *options, *PLOT)[0])


def bench_trace(cli, trace, runs, name):
    draw = random.Random(1)
    first = []
    for _ in range(min(runs, 5)):
        with Server(cli, trace) as server:
            first.append(picture(server, ("slices", "60")))
    row(f"{name}: first picture, 60 slices", 300, first)
    with Server(cli, trace) as server:
        def measure(what, budget, make, count=runs):
            used = server.used()
            times = [make() for _ in range(count)]
            row(f"{name}: {what}", budget, times, server, used)

        measure("then at 200 slices", 400, lambda: picture(server), 1)
        measure("p that is not known", 100,
                lambda: server.ask("records", ("p", f"{draw.uniform(0.1, 0.9):.6f}"), *PLOT)[0])
        server.ask("records", ("p", "0.5"), *PLOT)
        measure("p that is known", 16, lambda: server.ask("records", ("p", "0.5"), *PLOT)[0])
        measure("another window, 60 slices", 100,
                lambda: picture(server, *window(draw.uniform(0, 0.9)), ("slices", "60")))
        measure("another window, 200 slices", 400,
                lambda: picture(server, *window(draw.uniform(0, 0.9))))
        server.ask("records", ("p", "0.5"), *PLOT)
        server.ask("box", ("p", "0.5"))
        measure("details of a part", 50,
                lambda: server.ask("box", ("p", "0.5"), ("first", str(draw.randrange(150))))[0])
        measure("Gantt chart of a twentieth", 150,
                lambda: server.ask("gantt", *window(draw.uniform(0, 0.9), 0.05))[0])
        measure("statistics of a tenth", 80,
                lambda: server.ask("stats", *window(draw.uniform(0, 0.9)))[0])
        begun, answers, used = time.monotonic(), 0, server.used()
        while json.loads(server.ask("found", *LOOKS)[1])["more"]:
            answers += 1
        print(f"{name}: all levels | | {(time.monotonic() - begun) * 1e3:.0f} | | "
              f"{server.used() - used:.0f} | in {answers + 1} answers", flush=True)


def make_ranks(cli, folder):
    """A trace of many ranks that compute, exchange and wait, one cluster slower than the others."""
    draw = random.Random(2)
    text = folder / "ranks.trace"
    names = ["Compute", "Exchange", "Wait"]
    with open(text, "w") as to:
        to.write(paje.head("DefineContainerType DefineStateType CreateContainer DestroyContainer "
                           "SetState") + "\n0 C 0 Cluster\n0 M C Machine\n0 R M Rank\n"
                 "1 S R State\n")
        events = []
        for rank in range(RANKS):
            if rank % 1000 == 0:
                to.write(f"2 0 c{rank // 1000} C 0 cluster-{rank // 1000}\n")
            if rank % 20 == 0:
                to.write(f"2 0 m{rank // 20} M c{rank // 1000} machine-{rank // 20}\n")
            to.write(f"2 0 r{rank} R m{rank // 20} rank-{rank}\n")
            at = 0.0
            for step in range(30):
                events.append((at, rank, names[step % 3]))
                at += draw.uniform(0.5, 1.5) * (2 if rank // 1000 == 7 and 10 < step < 20 else 1)
            events.append((at, rank, None))
        for at, rank, state in sorted(events, key=lambda one: one[0]):
            to.write(f"3 {at:.6f} R r{rank}\n" if state is None else
                     f"4 {at:.6f} S r{rank} {state}\n")
    subprocess.run([cli, "import", str(text), "-o", str(folder / "ranks.db")], check=True,
                   stdout=subprocess.DEVNULL)
    return folder / "ranks.db"


def bench_size(cli, trace):
    """The script of the page as it is, and as browsers get it."""
    with Server(cli, trace) as server:
        for name, coding, budget in (("script", "identity", 60), ("script, gzip", "gzip", 60)):
            request = urllib.request.Request(server.base + "/page.js",
                                             headers={"Accept-Encoding": coding})
            with urllib.request.urlopen(request) as answer:
                size = len(answer.read()) / 1000
            print(f"{name}, KB | {budget} | {size:.0f} | | | "
                  f"{'kept' if size <= budget else f'missed by {size - budget:.0f} KB'}")


def bench_browser(cli, trace, runs):
    from browser import Browser
    with Server(cli, trace) as server, Browser() as browser:
        browser.go(server.address)
        browser.until("document.querySelector('#plots canvas') !== null && "
                      "!document.getElementById('plots').classList.contains('waiting')")
        browser.until("Number(document.getElementById('level').max) > 1")
        time.sleep(10)  # levels are asked for ahead
        browser.run("""window.times = []; window.moves = [];
            const slider = document.getElementById('level'), most = Number(slider.max);
            let at = 0;
            function step() {
                if (at++ >= %d) return;
                const begun = performance.now();
                const which = document.getElementById('which').textContent;
                slider.value = at %% (most + 1);
                slider.dispatchEvent(new Event('input'));
                function look() {
                    if (document.getElementById('which').textContent === which &&
                        performance.now() - begun < 500) return requestAnimationFrame(look);
                    times.push(performance.now() - begun);
                    setTimeout(step, 50);
                }
                requestAnimationFrame(look);
            }
            step();
            const plot = document.querySelector('#plots svg'), box = plot.getBoundingClientRect();
            for (let i = 0; i < 200; i++) {
                const begun = performance.now();
                plot.dispatchEvent(new PointerEvent('pointermove', {bubbles: true,
                    clientX: box.x + box.width * (0.3 + i / 400),
                    clientY: box.y + box.height / 2}));
                moves.push(performance.now() - begun);
            }""" % runs)
        browser.until(f"window.times.length >= {runs}")
        row("browser: the slider moves to a level that is known, until it is seen", 32,
            browser.run("return window.times"))
        row("browser: hover, script alone", 16, browser.run("return window.moves"))


def main():
    given = argparse.ArgumentParser()
    given.add_argument("build", nargs="?", default=str(ROOT / "build"))
    given.add_argument("trace", nargs="?",
                       default=str(ROOT / "tests/data/smpi-stencil-700.trace.zst"))
    given.add_argument("--runs", type=int, default=20)
    given.add_argument("--browser", action="store_true")
    options = given.parse_args()
    cli = str(pathlib.Path(options.build).resolve() / "ocelotl-cli")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        trace = folder / "trace.db"
        subprocess.run([cli, "import", options.trace, "-o", str(trace)], check=True,
                       stdout=subprocess.DEVNULL)
        print(f"load {os.getloadavg()[0]:.1f} of {os.cpu_count()} cores\n"
              "what | budget, ms | median, ms | 95 %, ms | work of processors, ms | budget",
              flush=True)
        bench_size(cli, trace)
        bench_trace(cli, trace, options.runs, "700 ranks")
        if options.browser:
            bench_browser(cli, trace, options.runs)
        ranks = make_ranks(cli, folder)
        times = []
        for _ in range(min(options.runs, 3)):
            with Server(cli, ranks) as server:
                times.append(picture(server, ("slices", "60")))
        row("10,000 ranks: first picture, 60 slices", 1000, times)
        with Server(cli, ranks) as server:
            row("10,000 ranks: then at 200 slices", 60000, [picture(server)])
        print(f"load {os.getloadavg()[0]:.1f} of {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
