"""What files of PyTorch's profiler say, one rank each: kineto_reader.py FILE.., JSON to stdout.

Counts and microseconds by name, all in all; of each GPU how long any of its streams runs anything,
and nothing but NCCL. Plain lists, sorted and added up."""
import gzip
import json
import subprocess
import sys
from collections import Counter


def covered(spans):
    """How many microseconds spans cover, together."""
    whole, reach = 0, float("-inf")
    for begin, end in sorted(spans):
        whole += max(0, end - max(begin, reach))
        reach = max(reach, end)
    return whole


counts, times, devices, left_out = Counter(), Counter(), [], 0
for name in sys.argv[1:]:
    if name.endswith(".zst"):
        text = subprocess.run(["zstd", "-dcq", name], stdout=subprocess.PIPE, check=True).stdout
    else:
        text = gzip.open(name).read()
    document = json.loads(text)
    slices = [event for event in document["traceEvents"] if event["ph"] == "X"]
    left_out += sum(event["cat"] == "Trace" for event in slices)
    slices = [event for event in slices if event["cat"] != "Trace"]
    for event in slices:
        counts[event["name"]] += 1
        times[event["name"]] += event["dur"]
    on_gpu = [event for event in slices if event["cat"] in ("kernel", "gpu_memcpy", "gpu_memset")]
    for gpu in sorted({event["pid"] for event in on_gpu}):
        runs = [(event["ts"], event["ts"] + event["dur"], "nccl" in event["name"])
                for event in on_gpu if event["pid"] == gpu]
        busy = covered([run[:2] for run in runs])
        devices.append([f"rank {document['distributedInfo']['rank']}/GPU {gpu}", busy,
                        busy - covered([run[:2] for run in runs if not run[2]])])
print(json.dumps({"names": [[name, counts[name], round(times[name])] for name in counts],
                  "devices": [[place, round(busy), round(alone)] for place, busy, alone in devices],
                  "records": [sum(counts.values()), left_out]}))
