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
  lasts a thirtieth of the run at most, since what is shorter is not seen in a picture. Where a
  phase is missing everywhere, it is within the two periods around and holds that point.
What hits all leaves may be named by a phase as well, unless there are as many phases as iterations.
A finding about a run without a fault is a false alarm."""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import time

import runs

LARGE = 0.02  # of the time of what a fault hits


def explain(cli, folder):
    """What a run's truth is, and what is said of it."""
    with open(os.path.join(folder, "truth.json")) as of:
        truth = json.load(of)
    trace, store = os.path.join(folder, truth["trace"]), os.path.join(folder, "run.db")
    if not os.path.exists(store):
        subprocess.run([cli, "import", trace, "-o", store], check=True, capture_output=True)
    begin = time.monotonic()
    said = subprocess.run([cli, "--no-cache", "explain", "--json", store], capture_output=True,
                          text=True, check=False)
    seconds = time.monotonic() - begin
    if said.returncode:
        return truth, None, said.stderr.strip() or f"exit code {said.returncode}", seconds
    return truth, json.loads(said.stdout), "", seconds


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
    common = min(end, truth["end"]) - max(begin, truth["begin"])
    if common >= 0.3 * (max(end, truth["end"]) - min(begin, truth["begin"])):
        return True
    if "at" in truth:
        slack = 0.01 * run
        return (begin - slack <= truth["at"] <= end + slack and begin >= truth["begin"] - slack
                and end <= truth["end"] + slack)
    return common >= 0.999 * (truth["end"] - truth["begin"]) and end - begin <= run / 30


def rank_of(truth, answer):
    """Which sentence is right, from 1; 0 if none. A phase counts as the first one."""
    phases, findings = answer.get("phases", []), answer.get("findings", [])
    run = max(each["end"] for each in [truth, *phases, *findings])
    everywhere = len(truth["accept"][0]) == len(truth["all"])
    if everywhere and 1 < len(phases) < truth["iterations"] and any(
            is_time(phase, truth, run) for phase in phases):
        return 1
    return next((n for n, finding in enumerate(findings, 1)
                 if is_place(finding, truth) and is_time(finding, truth, run)), 0)


def cells(ranks):
    """How many faults, and how many percent of them are first, in the first three, missed."""
    if not ranks:
        return f"{0:5}{'':21}"
    share = [100 * sum(test(rank) for rank in ranks) / len(ranks)
             for test in (lambda rank: rank == 1, lambda rank: 1 <= rank <= 3,
                          lambda rank: rank == 0)]
    return f"{len(ranks):5}" + "".join(f"{one:7.0f}" for one in share)


def print_half(name, results):
    """results: (truth, answer, message, seconds)."""
    faults = [(truth, rank_of(truth, answer) if answer else 0)
              for truth, answer, _, _ in results if truth["kind"] != "clean"]
    print(f"\n{name + ' half':22}{'2 % or more':>16}{'less':>23}\n{'':20}"
          + 2 * "    n  first  three missed")
    for group in ("kind", "source", "shape", None):
        for value in sorted({truth[group] for truth, _ in faults}) if group else ["all"]:
            rows = [(truth["size"] >= LARGE, rank) for truth, rank in faults
                    if not group or truth[group] == value]
            print(f"{value:20}" + "".join(cells([rank for large, rank in rows if large == wanted])
                                          for wanted in (True, False)))
    alarms = [(len(answer["findings"]), truth["source"]) for truth, answer, _, _ in results
              if answer and truth["kind"] == "clean"]
    for source in sorted({source for _, source in alarms}) + ["all"]:
        counts = [count for count, of in alarms if source in (of, "all")]
        print(f"clean, {source:8}{len(counts):5} runs, {sum(map(bool, counts))} with findings, "
              f"{sum(counts) / max(1, len(counts)):.2f} false alarms a run")
    failed = [f"{truth['seed']}: {message}" for truth, answer, message, _ in results if not answer]
    print(*(f"no answer: {line}" for line in failed[:10]), sep="\n", end="\n" if failed else "")


def print_wrong(results):
    """Each run whose first sentence is not the right one: what is true, and what is said."""
    for truth, answer, message, _ in results:
        findings = answer["findings"] if answer else []
        clean = truth["kind"] == "clean"
        rank = 0 if clean or not answer else rank_of(truth, answer)
        if rank == 1 or clean and not findings:
            continue
        place = "" if clean else (
            f": {100 * truth['size']:.2g} % ({truth['apart']:.0f} deviations) of {truth['type']}, "
            f"{len(truth['accept'][0])} of {len(truth['all'])} leaves from "
            f"{truth['all'][truth['accept'][0][0]]}, {truth['begin']:.6g} to {truth['end']:.6g} s")
        print(f"\n{truth['seed']} {truth['source']} {truth['shape']}, {truth['iterations']} "
              f"iterations, {truth['kind']}{place}; right is {rank or 'none'}")
        run = max([truth["end"], *(finding["end"] for finding in findings)])
        for n, finding in enumerate(findings[:3], 1):
            off = [] if clean else [word for word, right in (
                ("place", is_place(finding, truth)), ("time", is_time(finding, truth, run)))
                if not right]
            print(f"  {n} [{finding['kind']}, wrong {' and '.join(off) or 'nothing'}] "
                  f"{finding['text']}" + (f" ({finding['begin']:.6g} to {finding['end']:.6g} s)"))
        if not findings:
            print("  ", message or "nothing is said")


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
        results = list(pool.map(lambda folder: explain(cli, folder), folders))
    if options.tune:
        print_wrong(results)
    for name, odd in (("tune", 0), ("report", 1)):
        half = [result for result in results if result[0]["seed"] % 2 == odd]
        if half:
            print_half(name, half)
    seconds = sorted(result[3] for result in results)
    print(f"\nexplain: {seconds[len(seconds) // 2]:.2f} s (median), {seconds[-1]:.2f} s at most")
    return 1 if any(result[1] is None for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
