#!/usr/bin/env python3
"""How well `ocelotl-cli explain` tells what is wrong with runs whose fault is known:

    judge.py FOLDER [--faults 240] [--clean 120] [--jobs 2] [--seeds N,N,..] [--tune] [--cli FILE]

Makes in FOLDER what is missing of the runs (runs.py), and asks about each. Printed is how often the
right sentence is the first one, or among the first three, by kind and by source of the runs, of
faults that add at least 2 % and of smaller ones; and how many sentences there are about runs
without a fault. Even seeds are for tuning and odd ones for reports: --tune asks about even ones
alone, and lists what went wrong. OCELOTL_CLI, or --cli, is the program.

A finding is right whose place and time are the fault's.
- Place: its leaves and those of the fault have half of their union in common (Jaccard index). Of a
  rank with streams of a GPU one leaf may stand for all. Where the fault hits more than half of all
  leaves, but not all, the others may be named. Those that wait for what is hit are wrong.
- Time: its interval and the fault's have 0.3 of their union in common; or it holds the fault's and
  lasts a thirtieth of the run at most, since what is shorter is not seen in a picture. Of a late
  start, and of a phase that is added or missing, the iteration in which it is does as well, and of
  what grows the later half. Where a phase is missing everywhere, it may be within the two periods
  around and hold that point.
What hits all leaves may be named by a phase as well, unless there are as many phases as iterations.
A finding about a run without a fault is a false alarm."""
import argparse
import collections
import concurrent.futures
import json
import os
import subprocess
import sys
import time

import runs

LARGE = 0.02  # of the time of what a fault hits


def ask(cli, folder):
    """A run's truth, what is said of it, and which sentence is right."""
    with open(os.path.join(folder, "truth.json")) as of:
        truth = json.load(of)
    trace, store = os.path.join(folder, truth["trace"]), os.path.join(folder, "run.db")

    def run(*arguments):
        return subprocess.run([cli, *arguments], capture_output=True, text=True, check=False)

    if not os.path.exists(store):
        run("import", trace, "-o", store)
    begin = time.monotonic()
    said = run("--no-cache", "explain", "--json", store)
    answer = {} if said.returncode else json.loads(said.stdout)
    return {"truth": truth, "seconds": time.monotonic() - begin, "failed": said.returncode != 0,
            "said": said.stderr.strip() or ["nothing is said", "fails"][said.returncode != 0],
            "clean": truth["kind"] == "clean",
            "findings": answer.get("findings", []), "rank": rank_of(truth, answer)}


def leaves_of(finding, truth):
    """Numbers of the leaves that a finding names."""
    every = truth["all"]
    if finding.get("leaves") == len(every):
        return set(range(len(every)))
    named = tuple(path.rstrip("/") + "/" for path in finding.get("resources", []))
    return {n for n, leaf in enumerate(every) if (leaf + "/").startswith(named)}


def is_place(finding, truth):
    named, every = leaves_of(finding, truth), len(truth["all"])
    for numbers in truth["accept"]:
        right = [set(numbers)]
        if every / 2 < len(numbers) < every:
            right.append(set(range(every)) - right[0])
        if any(len(named & one) >= 0.5 * len(named | one) for one in right):
            return True
    return False


def is_time(finding, truth, run):
    begin, end = finding["begin"], finding["end"]
    for first, last in [(truth["begin"], truth["end"]), truth.get("step", (0, 0))]:
        common = min(end, last) - max(begin, first)
        if common > 0 and (common >= 0.3 * (max(end, last) - min(begin, first)) or
                           (common >= 0.999 * (last - first) and end - begin <= run / 30)):
            return True
    slack = 0.01 * run
    return "at" in truth and (begin - slack <= truth["at"] <= end + slack and
                              begin >= truth["begin"] - slack and end <= truth["end"] + slack)


def rank_of(truth, answer):
    """Which sentence is right, from 1; 0 if none. A phase counts as the first one."""
    phases, findings = answer.get("phases", []), answer.get("findings", [])
    if not truth["accept"]:
        return 0
    run = max(each["end"] for each in [truth, *phases, *findings])
    everywhere = len(truth["accept"][0]) == len(truth["all"])
    if everywhere and 1 < len(phases) < truth["iterations"] and any(
            is_time(phase, truth, run) for phase in phases):
        return 1
    return next((n for n, finding in enumerate(findings, 1)
                 if is_place(finding, truth) and is_time(finding, truth, run)), 0)


def what_is_wrong(result):
    """Of an answer whose first sentence is not right."""
    if not result["findings"]:
        return "nothing is said"
    first, hit = result["findings"][0], set(result["truth"]["accept"][0])
    named = leaves_of(first, result["truth"])
    where = ("another time" if is_place(first, result["truth"]) else
             "a part of the place" if named < hit else
             "more than the place" if named > hit else "another place")
    return f"{where}; the right sentence is {'later' if result['rank'] else 'missing'}"


def cells(ranks):
    """How many faults, and how many percent of them are first, in the first three, missed."""
    if not ranks:
        return f"{0:5}{'':21}"
    counts = [ranks.count(1), sum(1 <= rank <= 3 for rank in ranks), ranks.count(0)]
    return f"{len(ranks):5}" + "".join(f"{100 * count / len(ranks):7.0f}" for count in counts)


def print_half(name, results):
    print(f"\n{name + ' half':22}{'2 % or more':>16}{'less':>23}\n{'':20}"
          + 2 * "    n  first  three missed")
    faults = [result for result in results if not result["clean"]]
    for group in ("kind", "source", "shape", ""):
        for value in sorted({result["truth"].get(group, "all") for result in faults}):
            of = [result for result in faults if result["truth"].get(group, "all") == value]
            print(f"{value:20}" + "".join(
                cells([result["rank"] for result in of
                       if (result["truth"]["size"] >= LARGE) == large]) for large in (True, False)))
    wrong = collections.Counter(what_is_wrong(result) for result in faults
                                if result["rank"] != 1 and result["truth"]["size"] >= LARGE)
    for cause, count in wrong.most_common():
        print(f"{count:5} of 2 % or more: {cause}")
    clean = [result for result in results if result["clean"]]
    for source in sorted({result["truth"]["source"] for result in clean}):
        counts = [len(result["findings"]) for result in clean
                  if result["truth"]["source"] == source]
        print(f"clean, {source:8}{len(counts):5} runs, {sum(map(bool, counts))} with findings, "
              f"{sum(counts) / len(counts):.2f} false alarms a run")
    kinds = collections.Counter(finding["kind"] for result in clean
                                for finding in result["findings"])
    print("false alarms:", ", ".join(f"{kind} {n}" for kind, n in kinds.most_common()) or "none")
    for result in results:
        if result["failed"]:
            print(f"{result['truth']['seed']}: {result['said']}")


def print_wrong(results):
    """Each run whose first sentence is not the right one: what is true, and what is said."""
    for result in results:
        truth, findings = result["truth"], result["findings"]
        if result["rank"] == 1 or result["clean"] and not findings:
            continue
        print(f"\n{truth['seed']} {truth['source']} {truth['shape']}, {truth['iterations']} "
              f"iterations, {truth['kind']}")
        if not result["clean"]:
            print(f"  {100 * truth['size']:.2g} % ({truth['apart']:.0f} deviations) of "
                  f"{truth['type']}, {len(truth['accept'][0])} of {len(truth['all'])} leaves from "
                  f"{truth['all'][truth['accept'][0][0]]}, {truth['begin']:.6g} to "
                  f"{truth['end']:.6g} s; right is {result['rank'] or 'none'}")
        run = max([truth["end"], *(finding["end"] for finding in findings)])
        for n, finding in enumerate(findings[:3], 1):
            off = ["another place"] * (not is_place(finding, truth))
            off += ["another time"] * (not is_time(finding, truth, run))
            how = ", ".join([finding["kind"], *([] if result["clean"] else off)])
            print(f"  {n} [{how}] {finding['text']} ({finding['begin']:.6g} to "
                  f"{finding['end']:.6g} s)")
        if not findings:
            print(" ", result["said"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder")
    parser.add_argument("--faults", type=int, default=240)
    parser.add_argument("--clean", type=int, default=120)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seeds", help="these alone, with commas between")
    parser.add_argument("--tune", action="store_true", help="even seeds alone, with failures")
    root = os.path.dirname(os.path.abspath(__file__)) + "/../.."
    parser.add_argument("--cli", default=os.environ.get("OCELOTL_CLI",
                                                        root + "/build/ocelotl-cli"))
    options = parser.parse_args()
    seeds = [*range(options.faults), *range(runs.CLEAN, runs.CLEAN + options.clean)]
    if options.seeds:
        seeds = [int(seed) for seed in options.seeds.split(",")]
    if options.tune:
        seeds = [seed for seed in seeds if seed % 2 == 0]
    folders = runs.make_all(options.folder, seeds, options.jobs)
    cli = os.path.abspath(options.cli)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda folder: ask(cli, folder), folders))
    if options.tune:
        print_wrong(results)
    for name, odd in (("tune", 0), ("report", 1)):
        half = [result for result in results if result["truth"]["seed"] % 2 == odd]
        if half:
            print_half(name, half)
    seconds = sorted(result["seconds"] for result in results)
    print(f"\nexplain: {seconds[len(seconds) // 2]:.2f} s (median), {seconds[-1]:.2f} s at most")
    return 1 if any(result["failed"] for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
