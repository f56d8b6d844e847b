"""Makes a profile in the formats of the Firefox profiler from the fields that its own types name:
firefox_maker.py columns|shared|rows. No browser ran it."""

import json
import random
import sys

form = sys.argv[1]
random.seed(3)
STRINGS = ["main", "layout", "paint \"it\"", "GC", "idle", "Tick", "Load", "Frame"]
# Stacks: main, main > layout, main > layout > paint, main > GC, idle
PREFIX, FRAME = [None, 0, 1, 0, None], [0, 1, 2, 3, 4]
FUNCTION = [0, 1, 2, 3, 4]


def table(columns, name=None):
    names = list(columns)
    if form == "rows":
        return {"schema": {key: i for i, key in enumerate(names)},
                "data": [list(row) for row in zip(*columns.values())]}
    return {**columns, "length": len(columns[names[0]])}


def tables():
    if form == "rows":
        return {"stackTable": table({"prefix": PREFIX, "frame": FRAME}),
                "frameTable": table({"location": FUNCTION, "line": [None] * 5}),
                "stringTable": STRINGS}
    return {"stackTable": table({"frame": FRAME, "prefix": PREFIX}),
            "frameTable": table({"line": [None] * 5, "func": FUNCTION}),
            "funcTable": table({"name": [0, 1, 2, 3, 4]}), "stringArray": STRINGS}


def thread(number, name):
    at, times, stacks = 5.25 * number, [], []
    for _ in range(200):
        at += 1 + random.randrange(1000) / 1000000
        times.append(round(at, 6))
        stacks.append(random.choice([0, 1, 2, 2, 2, 3, 4, None]))
    made = {"name": name, "pid": "77", "tid": number, "processType": "default"}
    if form == "shared":
        made["samples"] = {"stack": stacks, "length": 200, "timeDeltas": [
            round(b - a, 6) for a, b in zip([0] + times, times)]}
    else:
        made["samples"] = table({"stack": stacks, "time": times})
        made.update(tables())
    made["markers"] = table({"name": [5, 6, 7, 7], "startTime": [6, 7.5, 9, None],
                             "endTime": [None, 8.125, None, 11.5], "phase": [0, 1, 2, 3],
                             "category": [0, 0, 0, 0],
                             "data": [None, {"type": "Load"}, None, None]})
    return made


profile = {"meta": {"interval": 1, "startTime": 1700000000000.5, "processType": 0, "version": 28,
                    "product": "Firefox"}, "libs": []}
if form == "shared":
    profile["shared"] = tables()
profile["threads"] = [thread(1, "GeckoMain"), thread(2, "Compositor")]
if form == "rows":
    profile["processes"] = [{"meta": {"startTime": 1700000000250.25},
                             "threads": [thread(3, "Worker")]}]
else:
    profile["threads"].append(thread(3, "Worker"))
    profile["counters"] = [{"name": "malloc", "category": "Memory", "pid": "77", "samples":
                            {"time": [6, 7, 8], "count": [100, 50, -30], "length": 3}}]
print(json.dumps(profile))
