"""What an event log of Spark says, read line by line: counts and total milliseconds of tasks by
stage, of failures by reason, of what is in tasks, and of stages and jobs."""

import collections
import json
import sys

count, total = collections.Counter(), collections.Counter()
names, open_at = {}, {}


def add(kind, name, begin, end):
    count[kind, name] += 1
    total[kind, name] += end - begin


for line in open(sys.argv[1], encoding="utf-8"):
    event = json.loads(line)
    what = event["Event"].rsplit("SparkListener", 1)[1]
    if what == "StageSubmitted":
        info = event["Stage Info"]
        names[info["Stage ID"]] = info["Stage Name"]
    elif what == "StageCompleted":
        info = event["Stage Info"]
        add("Stage", info["Stage Name"], info["Submission Time"], info["Completion Time"])
    elif what in ("JobStart", "SQLExecutionStart"):
        open_at[what[:3], event.get("Job ID", 0)] = event.get("Submission Time", event.get("time"))
    elif what == "JobEnd":
        add("Job", "Job", open_at["Job", event["Job ID"]], event["Completion Time"])
    elif what == "SQLExecutionEnd":
        add("Query", "select count(*)", open_at["SQL", 0], event["time"])
    elif what == "TaskEnd":
        info, metrics, reason = event["Task Info"], event["Task Metrics"], event["Task End Reason"]
        begin, end = info["Launch Time"], info["Finish Time"]
        if reason["Reason"] != "Success":
            add("Failed task", "%s: %s" % (reason["Reason"], reason["Class Name"]), begin, end)
            continue
        add("Task", names[event["Stage ID"]], begin, end)
        got = end - info["Getting Result Time"] if info["Getting Result Time"] else 0
        parts = {"deserialise": metrics["Executor Deserialize Time"],
                 "serialise result": metrics["Result Serialization Time"], "fetch result": got,
                 "shuffle read": metrics["Shuffle Read Metrics"]["Fetch Wait Time"],
                 "shuffle write":
                 metrics["Shuffle Write Metrics"]["Shuffle Write Time"] // 1000000}
        parts["scheduler delay"] = (end - begin - metrics["Executor Run Time"] - got -
                                    parts["deserialise"] - parts["serialise result"])
        for name, took in parts.items():
            if took > 0:
                add("Task", name, 0, took)
for key in sorted(count):
    print(*key, count[key], total[key], sep=",")
