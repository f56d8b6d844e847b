"""Makes an event log of Spark from the fields that its documentation and its class JsonProtocol
name: spark_maker.py [SEED [EXECUTORS [CORES [STAGES [TASKS]]]]]. No cluster ran it."""

import heapq
import json
import random
import sys

seed, executors, cores, stages, tasks = (
    [int(word) for word in sys.argv[1:]] + [7, 3, 4, 6, 40][len(sys.argv) - 1:])
random.seed(seed)
zero = 1700000000000
LISTENER = "SparkListener"
NAMES = ["map at Load.scala:31", "groupBy at Count.scala:52", "collect at Count.scala:60"]
SQL = "org.apache.spark.sql.execution.ui.SparkListenerSQLExecution"


def say(event, **members):
    print(json.dumps({"Event": event, **{name.replace("_", " "): value
                                         for name, value in members.items()}},
                     separators=(",", ":")))


def stage_info(stage, begin, end=None, failure=None):
    info = {"Stage ID": stage, "Stage Attempt ID": 0, "Stage Name": NAMES[stage % 3],
            "Number of Tasks": tasks, "RDD Info": [], "Parent IDs": [],
            "Details": "a \"b\"\n\tat c",
            "Submission Time": begin, "Accumulables": []}
    if end:
        info["Completion Time"] = end
    if failure:
        info["Failure Reason"] = failure
    return info


def info_of(task, stage, index, executor, begin, end, failed=False, getting=0):
    return {"Task ID": task, "Index": index, "Attempt": 0, "Partition ID": index,
            "Launch Time": begin, "Executor ID": executor, "Host": "host" + executor,
            "Locality": random.choice(["PROCESS_LOCAL", "NODE_LOCAL"]), "Speculative": False,
            "Getting Result Time": getting, "Finish Time": end, "Failed": failed, "Killed": False,
            "Accumulables": [{"ID": i, "Name": "internal.metrics.%d" % i, "Update": i, "Value": i,
                              "Internal": True, "Count Failed Values": True} for i in range(3)]}


def metrics_of(took, shuffles):
    before, after = min(took // 10, 30), took // 50
    run = took - before - after - min(5, took // 20)
    return {"Executor Deserialize Time": before, "Executor Deserialize CPU Time": before * 900000,
            "Executor Run Time": run, "Executor CPU Time": run * 800000,
            "Peak Execution Memory": 0, "Result Size": 1206, "JVM GC Time": run // 9,
            "Result Serialization Time": after, "Memory Bytes Spilled": 0, "Disk Bytes Spilled": 0,
            "Shuffle Read Metrics": {"Remote Blocks Fetched": 3, "Local Blocks Fetched": 1,
                                     "Fetch Wait Time": run // 5 if shuffles else 0,
                                     "Remote Bytes Read": 4096 if shuffles else 0,
                                     "Remote Bytes Read To Disk": 0,
                                     "Local Bytes Read": 1024 if shuffles else 0,
                                     "Total Records Read": 77},
            "Shuffle Write Metrics": {"Shuffle Bytes Written": 0 if shuffles else 5000,
                                      "Shuffle Write Time": 0 if shuffles else run * 150000,
                                      "Shuffle Records Written": 50},
            "Input Metrics": {"Bytes Read": 0 if shuffles else 1 << 20, "Records Read": 9},
            "Output Metrics": {"Bytes Written": 0, "Records Written": 0}, "Updated Blocks": []}


say(LISTENER + "LogStart", Spark_Version="3.5.0")
say(LISTENER + "ApplicationStart", App_Name="word count", App_ID="app-20231114-0001",
    Timestamp=zero, User="nobody")
now = zero + 900
for number in range(executors):
    say(LISTENER + "ExecutorAdded", Timestamp=now + 350 * number, Executor_ID=str(number),
        Executor_Info={"Host": "host%d" % number, "Total Cores": cores, "Log Urls": {}})
now += 350 * executors
say(SQL + "Start", executionId=0, description="select count(*)", time=now)
task = 0
for stage in range(stages):
    if stage % 3 == 0:
        say(LISTENER + "JobStart", Job_ID=stage // 3, Submission_Time=now, Stage_Infos=[],
            Stage_IDs=[stage, stage + 1, stage + 2], Properties={"spark.app.name": "word count"})
    begin = now
    say(LISTENER + "StageSubmitted", Stage_Info=stage_info(stage, begin), Properties={})
    free = [(now, executor, core) for executor in range(executors) for core in range(cores)]
    heapq.heapify(free)
    events = []
    for index in range(tasks):
        at, executor, core = heapq.heappop(free)
        # One executor reads slowly in the last stage of each job, and one task is a straggler.
        took = random.randrange(200, 400) * (3 if executor == 1 and stage % 3 == 2 else 1)
        took *= 6 if index == tasks - 3 and stage % 3 == 1 else 1
        failed = stage % 3 == 1 and index % 17 == 5
        heapq.heappush(free, (at + took, executor, core))
        events += [(at, 1, task, index, executor, at, took, failed),
                   (at + took, 0, task, index, executor, at, took, failed)]
        task += 1
    for at, starts, number, index, executor, launch, took, failed in sorted(events):
        ids = {"Stage_ID": stage, "Stage_Attempt_ID": 0}
        if starts:
            say(LISTENER + "TaskStart", **ids,
                Task_Info=info_of(number, stage, index, str(executor), launch, 0))
            continue
        reason = ({"Reason": "ExceptionFailure", "Class Name": "java.io.IOException",
                   "Description": "lost", "Stack Trace": [], "Full Stack Trace": "a\n\tat b"}
                  if failed else {"Reason": "Success"})
        say(LISTENER + "TaskEnd", **ids, Task_Type="ShuffleMapTask", Task_End_Reason=reason,
            Task_Info=info_of(number, stage, index, str(executor), launch, at, failed,
                              at - 4 if number % 9 == 0 else 0),
            Task_Executor_Metrics={"JVMHeapMemory": 0},
            Task_Metrics=metrics_of(took, stage % 3 > 0))
    now = max(event[0] for event in events) + 20
    say(LISTENER + "StageCompleted", Stage_Info=stage_info(stage, begin, now))
    if stage % 3 == 2:
        say(LISTENER + "JobEnd", Job_ID=stage // 3, Completion_Time=now + 5,
            Job_Result={"Result": "JobSucceeded"})
    now += 50
say(SQL + "End", executionId=0, time=now)
if executors > 2:
    say(LISTENER + "ExecutorRemoved", Timestamp=now + 5, Executor_ID="2",
        Removed_Reason="worker lost")
say(LISTENER + "ApplicationEnd", Timestamp=now + 100)
