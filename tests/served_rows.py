"""Each option of each command by its address, against the program given the same words:
served_rows.py ADDRESS FOLDER. An answer has the bytes that the program writes, or its message."""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

CLI = os.environ["OCELOTL_CLI"]
address, folder = sys.argv[1], pathlib.Path(sys.argv[2])
base, key = address.split("/#k=")

# What answers for a command: the address, what of the answer is the file's, and which file.
ANSWERS = {"overview": ("picture.svg", None, "overview.svg"),
           "stats": ("stats", "picture", "stats.svg"),
           "gantt": ("gantt", "picture", "gantt.svg"),
           "matrix": ("matrix", "picture", "matrix.svg"),
           "treemap": ("treemap", "picture", "treemap.svg"),
           "compare": ("compare", "picture", "compare.svg"),
           "parts": ("parts.csv", None, "parts.csv"), "export": ("events.csv", None, "events.csv")}

# Options of the command line alone: how a trace is read, and where an answer goes.
ELSEWHERE = set("""output json csv format with-parts digits force notes-file again image jobs png
    lenient time-unit by value stacks collectives columns fold-names pair counter increment
    no-defaults no-cache threads move palette source map""".split())

# A value that the trace knows; before it, what it needs. "*" stands for all other commands.
VALUES = {
    "from": "20%", "to": "60%", "resource": "nancy/griffon", "snap": [("from", "20%"), ("snap",)],
    "only": "PMPI_Wait", "except": "PMPI_Wait", "only-resources": "nancy/griffon",
    "except-resources": "nancy/griffon", "min-duration": "10us", "max-duration": "1ms",
    "where": [("metric", "event-count"), ("where", "Size >= 1000")], "metric": "event-count",
    "rate": [("metric", "event-count"), ("rate",)],
    "shift": [("metric", "variable-mean"), ("shift",)],
    "scale": [("metric", "variable-mean"), ("scale", "max")],
    "counter-step": [("metric", "counter"), ("counter-step", "")],
    "attribute": [("metric", "link-bytes"), ("attribute", "Size")],
    "group-types": "PMPI_*=all of it", "type-tree": "mpi",
    "type-level": [("type-tree", "mpi"), ("type-level", "1")], "most-types": "2",
    "nesting-depth": "1", "hierarchy": "auto", "drop-level": "SWITCH",
    "group": "*sw1=first of its cluster",
    "reuse-rows": "", "plain": "", "whole": "", "background": "PMPI_Wait",
    "max-leaves": "20", "fold": "nancy/griffon", "order": "name", "max-groups": "3",
    "regroup": "", "slices": "50", "kind": "temporal", "statistic": "median",
    "state-type": "MPI_STATE", "nesting": "inclusive", "untraced": "ignore", "p": "0.3",
    "p-raw": "0.4", "level": "2", "parts": "20",
    "part": [("p", "0.5"), ("part", "3")],
    "type": "MPI_STATE", "at": "SWITCH", "of": "active", "sort": "name", "quantiles": "",
    "extremes": "", "durations": "PMPI_Wait", "efficiency": "", "placement": "50%",
    "over-time": [("durations", "*"), ("over-time", "20")],
    "from2": [("durations", "*"), ("from2", "10%")], "to2": [("durations", "*"), ("to2", "30%")],
    "links": "100", "violations": "", "critical-path": "", "colour-by": "Size",
    "stretch": [("from2", "50%"), ("stretch",)],
    "align-event": "PMPI_Wait", "cell": "bytes", "linear": "", "depth": "1", "area": "traced",
    "every-node": "", "receivers": "all", "view": "partition",
    "smallest": "4", "width": "900",
    "height": "600", "dpi": "120",
    "theme": "dark", "show": "PMPI_Wait", "title": "A title", "texture": "loss", "notes": "",
    "expand": "nancy/griffon", "curves": "falling", "context": "", "context-level": "2",
}
OWN = {("parts", "sort"): "loss", ("parts", "why"): "3",
       ("overview", "type"): [("kind", "temporal"), ("view", "histogram"), ("type", "PMPI_Wait")],
       ("compare", "from2"): "50%", ("compare", "to2"): "80%", ("compare", "view"): "difference",
       ("compare", "type"): [("view", "difference"), ("type", "PMPI_Wait")],
       ("gantt", "from2"): "50%", ("gantt", "to2"): "80%",
       ("matrix", "attribute"): "Size", ("matrix", "type"): "MPI_LINK"}

# Options that the overview has as well, in another sense.
PREFIXED = {("stats", "type"), ("gantt", "type"), ("export", "type"),
            ("matrix", "type"), ("matrix", "attribute")}


def names_of(command):
    text = subprocess.run([CLI, command, "--help", "all"], capture_output=True, text=True,
                          check=True).stdout
    found = {}
    for line in text.splitlines():
        if line.startswith("  --"):
            for name in re.findall(r"--([a-z][a-z0-9-]*)", line.split("   ")[0]):
                found[name] = True
    return [name for name in found if name != "help"]


def ask(path, pairs):
    query = urllib.parse.urlencode(pairs)
    request = urllib.request.Request(f"{base}/api/v1/{path}?{query}",
                                     headers={"X-Ocelotl-Key": key})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.read(), None
    except urllib.error.HTTPError as error:
        return None, json.load(error)["error"]


def run(command, pairs, file):
    words = [word for name, *value in pairs for word in ["--" + name, *filter(None, value)]]
    (folder / file).unlink(missing_ok=True)
    traces = ["small.db"] * (2 if command == "compare" else 1)
    done = subprocess.run([CLI, command, *words, *traces, "-o", file], cwd=folder,
                          capture_output=True, text=True)
    return (folder / file).read_bytes() if done.returncode == 0 else None, done.stderr


def compare(command, pairs):
    """Says what differs; how the program ends."""
    path, member, file = ANSWERS[command]
    if pairs[0][0] == "durations":
        path = "histogram"
    named = [(f"{command}.{name}" if (command, name) in PREFIXED else name, *(value or [""]))
             for name, *value in pairs]
    got, problem = ask(path, named)
    if got is not None and member is not None:
        got = json.loads(got)[member].encode()
    wanted, said = run(command, pairs, file)
    if wanted is None and "but no --part is given" in said:
        # Of what is looked into, and of nothing else: the page gives it to all of its panels.
        others = [pair for pair in pairs if run(command, [pair], file)[0] is not None]
        plain, _ = run(command, others, file)
        inside = [] if pairs[-1][0] in ("p", "p-raw", "level", "parts") else [("p", "0.5")]
        return (got != plain and f"{command} {pairs}: not as without them, {problem}" or
                compare(command, [*pairs, *inside, ("part", "1")]))
    if got != wanted or (problem is not None and problem.strip() not in said):
        return (f"{command} {pairs}: {len(got or '')} bytes or {problem!r}, "
                f"expected {len(wanted or '')} or {said!r}")
    refused.extend([(command, pairs, problem)] * (got is None))
    return ""


# One row serves all commands: each option is tried with two of those that have it, or with all.
often = 99 if "OCELOTL_TEST_FULL" in os.environ else 2
failed, tried, refused = [], collections.Counter(), []
for command in ANSWERS:
    for name in names_of(command):
        if name in ELSEWHERE and (command, name) not in OWN:
            if ask(ANSWERS[command][0], [(name, "1")])[0] is not None:
                failed.append(f"{command} --{name} is taken")
            continue
        value = OWN.get((command, name), VALUES.get(name))
        if value is None:
            failed.append(f"{command} --{name} has no value in {sys.argv[0]}")
            continue
        if tried[name] >= often and (command, name) not in OWN:
            continue
        pairs = [(name, value)] if isinstance(value, str) else value
        wrong = compare(command, [pair if pair[-1] != "" else pair[:1] for pair in pairs])
        failed.extend([wrong] if wrong else [])
        tried[name] += 1
print("\n".join(failed))
print(f"{sum(tried.values())} options tried, {len(refused)} refused by both:", *refused, sep="\n")
sys.exit(len(failed) > 0)
