"""What `jfr print --json` prints, read as it stands: counts and total nanoseconds of what lasts, by
thread and name; counts of what does not; samples as stacks, each until the next one of its
thread; values of variables."""

import collections
import datetime
import json
import re
import sys

VARIABLES = {"CPULoad": ["jvmUser", "jvmSystem", "machineTotal"], "GCHeapSummary": ["heapUsed"],
             "ThreadCPULoad": ["user", "system"], "ThreadAllocationStatistics": ["allocated"],
             "ResidentSetSize": ["size"], "JavaThreadStatistics": ["activeCount"]}
count, total = collections.Counter(), collections.Counter()
samples = collections.defaultdict(list)
PERIOD = 20_000_000


def instant(text):
    date, digits, zone = re.fullmatch(r"([^.+Z]*)(?:\.(\d+))?(.*)", text).groups()
    whole = datetime.datetime.fromisoformat(date + zone.replace("Z", "+00:00"))
    return round(whole.timestamp()) * 10**9 + int((digits or "0").ljust(9, "0"))


def nanoseconds(text):
    found = re.fullmatch(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?", text).groups("0")
    return ((int(found[0]) * 60 + int(found[1])) * 60 + int(found[2])) * 10**9 + int(
        found[3].ljust(9, "0"))


for event in json.load(open(sys.argv[1], encoding="utf-8"))["recording"]["events"]:
    kind, values = event["type"].removeprefix("jdk."), event["values"]
    datetime.datetime.fromisoformat(values["startTime"][:19])
    if kind in ("ThreadStart", "ThreadEnd", "ActiveSetting"):
        continue
    if kind in VARIABLES:
        count["variable", "", ""] += len(VARIABLES[kind])
    elif "sampledThread" in values:
        frames = (values["stackTrace"] or {"frames": []})["frames"]
        if frames:
            thread = values["sampledThread"]
            samples[thread["osThreadId"], thread["javaThreadId"]].append((
                instant(values["startTime"]),
                [(frame["method"]["type"]["name"] + "." + frame["method"]["name"]).replace("/", ".")
                 for frame in reversed(frames)]))
    elif "duration" in values or values.get("eventThread"):
        thread = values.get("eventThread") or {"osName": "JVM"}
        name = thread.get("javaName") or thread["osName"]
        value = values["name"] if kind.startswith("GCPhase") and "name" in values else kind
        key = "State" if "duration" in values else "Event", name, value
        count[key] += 1
        total[key] += nanoseconds(values.get("duration", "PT0S"))
for stacks in samples.values():
    stacks.sort(key=lambda sample: sample[0])
    begun, names = [], []  # of the states that are open
    for number, (time, frames) in enumerate(stacks):
        following = stacks[number + 1][0] if number + 1 < len(stacks) else time + 10 * PERIOD
        follows = following - time <= 2 * PERIOD
        common = 0
        while common < min(len(names), len(frames)) and names[common] == frames[common]:
            common += 1
        for name, begin in zip(names[common:], begun[common:]):
            total["Stack", "", name] += time - begin
        count.update(("Stack", "", name) for name in frames[common:])
        begun, names = begun[:common] + [time] * (len(frames) - common), frames
        if not follows:
            for name, begin in zip(names, begun):
                total["Stack", "", name] += time + PERIOD - begin
            begun, names = [], []
for key in sorted(count):
    print(*key, count[key], total[key], sep="|")
