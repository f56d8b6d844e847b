#!/usr/bin/env python3
"""Writes small files of the kind that other programs write, each with one thing that is wrong.

    crowds.py nsys FILE        four GPUs of a training; one computes slower for a while
    crowds.py rocpd FILE       the same program on ROCm; copies to one GPU are slow from a step on
    crowds.py firefox FILE     a page of the web that freezes twice
    crowds.py swf FILE         a week of a cluster; jobs fail one afternoon

No profiler or scheduler wrote them. The tables and fields are those that a reader needs."""
import json
import random
import sqlite3
import sys

KERNELS = [("layer_norm", 900), ("gemm", 3400), ("softmax", 1200), ("gemm", 3400), ("gelu", 800),
           ("gemm_backward", 6100), ("gemm_backward", 6100)]


def train(chance, slow_kernel, slow_copy):
    """Goes through what 60 steps do on four GPUs: (GPU, kind, name, call, begin, end), in ns."""
    now = 2_000_000
    for step in range(60):
        ready = []
        for gpu in range(4):
            at = now + chance.randrange(40_000)
            work = [("copy", "copy", 1500 * (slow_copy if gpu == 1 and step >= 36 else 1))]
            work += [("kernel", name, length * (slow_kernel if gpu == 2 and 22 <= step < 34 else 1))
                     for name, length in KERNELS]
            for kind, name, length in work:
                end = at + int(length * 1000 * chance.uniform(0.97, 1.03))
                yield gpu, kind, name, at - 9000, at, end
                at = end + chance.randrange(2000, 6000)
            ready.append(at)
        now = max(ready) + 1_500_000
        for gpu in range(4):
            yield gpu, "kernel", "ncclAllReduce", ready[gpu] - 9000, ready[gpu], now
        now += 300_000


def fill(file, table, columns, rows):
    file.execute(f'CREATE TABLE "{table}" ({columns})')
    file.executemany(f'INSERT INTO "{table}" VALUES ({",".join("?" * len(rows[0]))})', rows)


def write_nsys(path):
    names = {}
    kernels, copies, calls, ranges = [], [], [], []
    processes = [7 << 48 | (4000 + gpu) << 24 for gpu in range(4)]

    def number_of(name):
        return names.setdefault(name, len(names) + 1)
    for number, (gpu, kind, name, call, begin, end) in enumerate(train(random.Random(3), 1.7, 1)):
        thread = processes[gpu] | 4000 + gpu
        what = "cudaLaunchKernel_v7000" if kind == "kernel" else "cudaMemcpyAsync_v3020"
        calls.append((call, call + 6000, thread, number, number_of(what)))
        place = (begin, end, gpu, 7, number, processes[gpu])
        if kind == "kernel":
            kernels.append(place + (number_of(name),))
        else:
            copies.append(place + (1 << 22, 1))
        if name == "copy":
            ranges.append([begin - 9000, None, 59, thread, "step"])
        if name == "ncclAllReduce":
            next(r for r in reversed(ranges) if r[3] == thread)[1] = end
    with sqlite3.connect(path) as file:
        place = "start, end, deviceId, streamId, correlationId, globalPid"
        fill(file, "StringIds", "id INTEGER PRIMARY KEY, value", [(i, n) for n, i in names.items()])
        fill(file, "CUPTI_ACTIVITY_KIND_KERNEL", place + ", shortName", kernels)
        fill(file, "CUPTI_ACTIVITY_KIND_MEMCPY", place + ", bytes, copyKind", copies)
        fill(file, "CUPTI_ACTIVITY_KIND_RUNTIME", "start, end, globalTid, correlationId, nameId",
             calls)
        fill(file, "NVTX_EVENTS", "start, end, eventType, globalTid, text", ranges)
        fill(file, "PROCESSES", "globalPid, pid, name",
             [(p, 4000 + gpu, f"rank {gpu}") for gpu, p in enumerate(processes)])
        fill(file, "TARGET_INFO_GPU", "id, name", [(gpu, "NVIDIA H100") for gpu in range(4)])


def write_rocpd(path):
    texts = ["hipLaunchKernel", "hipMemcpyAsync", "MEMORY_COPY_HOST_TO_DEVICE"]
    kinds = sorted({name for name, _ in KERNELS} | {"ncclAllReduce"})
    events, regions, kernels, copies = [], [], [], []
    for number, (gpu, kind, name, call, begin, end) in enumerate(train(random.Random(4), 1, 5), 1):
        first = len(events) + 1
        events += [(first, 1, number), (first + 1, 1, number)]
        regions.append((number, 1, 1, gpu + 1, call, call + 6000, 1 + (kind == "copy"), first))
        if kind == "kernel":
            kernels.append((number, 1, 1, gpu + 1, gpu + 2, 1 + kinds.index(name), gpu + 1, begin,
                            end, first + 1))
        else:
            copies.append((number, 1, 1, gpu + 1, begin, end, 3, gpu + 2, 1, 1 << 22, gpu + 1,
                           first + 1))
    with sqlite3.connect(path) as file:
        fill(file, "rocpd_string", "id, string", list(enumerate(texts, 1)))
        fill(file, "rocpd_info_process", "id, nid, pid, command", [(1, 1, 900, "train")])
        fill(file, "rocpd_info_thread", "id, nid, pid, tid, name",
             [(gpu + 1, 1, 1, 900 + gpu, f"rank {gpu}") for gpu in range(4)])
        fill(file, "rocpd_info_agent", "id, nid, type, type_index, name, product_name",
             [(1, 1, "CPU", 0, "host", "EPYC")] +
             [(gpu + 2, 1, "GPU", gpu, "gfx942", "MI300X") for gpu in range(4)])
        fill(file, "rocpd_info_stream", "id, nid, pid, name",
             [(gpu + 1, 1, 1, f"stream {gpu}") for gpu in range(4)])
        fill(file, "rocpd_info_kernel_symbol", "id, nid, pid, kernel_name, display_name",
             [(i, 1, 1, name, name) for i, name in enumerate(kinds, 1)])
        fill(file, "rocpd_event", "id, category_id, stack_id", events)
        fill(file, "rocpd_region", "id, nid, pid, tid, start, end, name_id, event_id", regions)
        fill(file, "rocpd_kernel_dispatch", "id, nid, pid, tid, agent_id, kernel_id, stream_id, "
             "start, end, event_id", kernels)
        fill(file, "rocpd_memory_copy", "id, nid, pid, tid, start, end, name_id, dst_agent_id, "
             "src_agent_id, size, stream_id, event_id", copies)


def write_firefox(path):
    chance = random.Random(5)
    functions = ["(root)", "wait", "paint", "onscroll", "onmessage", "JSON.parse", "draw table",
                 "GC", "decode image", "composite"]
    stacks = [(None, 0)]  # (prefix, function)

    def stack_of(*names):
        at = 0
        for name in names:
            one = (at, functions.index(name))
            if one not in stacks:
                stacks.append(one)
            at = stacks.index(one)
        return at

    def main(now):
        if 2.4 <= now < 3.6 or 6.2 <= now < 7.9:
            late = 0.8 if now < 4 else 1.1
            is_first = now - (2.4 if now < 4 else 6.2) < late
            return ("onmessage", "JSON.parse") if is_first else ("onmessage", "draw table")
        return chance.choices([("wait",), ("paint",), ("onscroll", "paint"), ("GC",)],
                              [70, 15, 13, 2])[0]

    def other(now, name):
        busy = 0.05 if 2.4 <= now < 3.6 or 6.2 <= now < 7.9 else 0.3
        return (name,) if chance.random() < busy else ("wait",)
    threads = []
    for tid, (name, stack) in enumerate([
            ("GeckoMain", main), ("Compositor", lambda now: other(now, "composite")),
            ("ImageDecoder", lambda now: other(now, "decode image"))], 1):
        times = [i / 1 + chance.uniform(0, 0.2) for i in range(9000)]
        threads.append({"name": name, "pid": "77", "tid": tid, "processName": "page", "samples": {
            "stack": [stack_of(*stack(at / 1000)) for at in times],
            "time": [round(at, 4) for at in times], "length": len(times)}})
    columns = {"prefix": [p for p, _ in stacks], "frame": [f for _, f in stacks],
               "length": len(stacks)}
    rows = range(len(functions))
    for thread in threads:
        thread.update(stackTable=columns, stringArray=functions,
                      frameTable={"func": list(rows), "length": len(rows)},
                      funcTable={"name": list(rows), "length": len(rows)})
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"meta": {"interval": 1, "startTime": 1700000000000, "processType": 0,
                            "version": 28, "preprocessedProfileVersion": 47}, "libs": [],
                   "threads": threads}, file)


def write_swf(path):
    chance = random.Random(6)
    free = {1: [0] * 24, 2: [0] * 6}  # when each place of a queue is free
    day = 86400
    lines = []
    for number in range(1, 1800):
        queue = 2 if chance.random() < 0.04 else 1
        at = chance.randrange(7) * day + int(chance.gauss(14, 3) * 3600) % day
        lines.append((at, queue))
    with open(path, "w", encoding="utf-8") as file:
        file.write("; UnixStartTime: 1700000000\n; MaxProcs: 600\n; Queue: 1 batch\n"
                   "; Queue: 2 long\n")
        for number, (at, queue) in enumerate(sorted(lines), 1):
            place = min(range(len(free[queue])), key=lambda one: free[queue][one])
            begin = max(at, free[queue][place])
            lasts = int(chance.expovariate(1 / (5200 if queue == 1 else 40000))) + 60
            is_bad = 3 * day + 12 * 3600 <= begin < 3 * day + 18 * 3600 and queue == 1
            if is_bad:
                lasts = chance.randrange(20, 400)
            status = 0 if is_bad or chance.random() < 0.03 else 1
            free[queue][place] = begin + lasts
            file.write(f"{number} {at} {begin - at} {lasts} {16 * queue} -1 -1 {16 * queue} "
                       f"{2 * lasts} -1 {status} {chance.randrange(9)} 1 -1 {queue} -1 -1 -1\n")


if __name__ == "__main__":
    {"nsys": write_nsys, "rocpd": write_rocpd, "firefox": write_firefox,
     "swf": write_swf}[sys.argv[1]](sys.argv[2])
