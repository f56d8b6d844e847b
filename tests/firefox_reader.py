"""What a profile of the Firefox profiler says, by the names of its columns: for each thread how
many milliseconds each function is on the stack, and how often it gets there; its markers."""

import collections
import json
import sys


def columns(table):
    if "schema" not in table:
        return table
    return {name: [row[place] if place < len(row) else None for row in table["data"]]
            for name, place in table["schema"].items()}


profile = json.load(open(sys.argv[1], encoding="utf-8"))
shared = profile.get("shared", {})
count, total = collections.Counter(), collections.Counter()


def read(thread):
    def find(name):
        return columns(thread.get(name) or shared.get(name) or {})

    strings = thread.get("stringArray") or thread.get("stringTable") or shared["stringArray"]
    stack, frame, function = find("stackTable"), find("frameTable"), find("funcTable")

    def names(index):
        found = []
        while index is not None:
            at = stack["frame"][index]
            found.append(strings[frame["location"][at] if "location" in frame else
                                 function["name"][frame["func"][at]]])
            index = stack["prefix"][index]
        return found[::-1]

    samples = columns(thread["samples"])
    times = samples.get("time")
    if times is None:
        times, now = [], 0
        for delta in samples["timeDeltas"]:
            now += delta
            times.append(now)
    before = []
    for i, time in enumerate(times):
        end = times[i + 1] if i + 1 < len(times) else time + profile["meta"]["interval"]
        now = names(samples["stack"][i])
        same = 0
        while same < min(len(now), len(before)) and now[same] == before[same]:
            same += 1
        for depth, name in enumerate(now):
            count[thread["name"], name] += depth >= same
            total[thread["name"], name] += end - time
        before = now
    markers, began = columns(thread["markers"]), {}
    for i, phase in enumerate(markers["phase"]):
        name, begin, end = (strings[markers["name"][i]], markers["startTime"][i],
                            markers["endTime"][i])
        if phase == 2:
            began[name] = begin
            continue
        count[thread["name"] + "/markers", name] += 1
        total[thread["name"] + "/markers", name] += (
            0 if phase == 0 else end - (began[name] if phase == 3 else begin))


for each in profile["threads"] + [thread for process in profile.get("processes", [])
                                  for thread in process["threads"]]:
    read(each)
for key in sorted(count):
    print(*key, count[key], "%.6f" % total[key], sep="|")
