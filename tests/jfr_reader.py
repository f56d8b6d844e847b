"""What `jfr print --json` prints, read as it stands: counts and total nanoseconds of what lasts, by
thread and name; counts of what does not; samples by innermost method; values of variables."""

import collections
import datetime
import json
import re
import sys

VARIABLES = {"CPULoad": ["jvmUser", "jvmSystem", "machineTotal"], "GCHeapSummary": ["heapUsed"],
             "ThreadCPULoad": ["user", "system"], "ThreadAllocationStatistics": ["allocated"],
             "ResidentSetSize": ["size"], "JavaThreadStatistics": ["activeCount"]}
count, total = collections.Counter(), collections.Counter()


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
            method = frames[0]["method"]
            count["Sample", "", (method["type"]["name"] + "." +
                                 method["name"]).replace("/", ".")] += 1
    elif "duration" in values or values.get("eventThread"):
        thread = values.get("eventThread") or {"osName": "JVM"}
        name = thread.get("javaName") or thread["osName"]
        value = values["name"] if kind.startswith("GCPhase") and "name" in values else kind
        key = "State" if "duration" in values else "Event", name, value
        count[key] += 1
        total[key] += nanoseconds(values.get("duration", "PT0S"))
for key in sorted(count):
    print(*key, count[key], total[key], sep="|")
