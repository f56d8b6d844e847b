#!/usr/bin/env python3
"""Databases of profilers of GPUs: makes small ones, from the published descriptions of their tables
(no profiler wrote them), and counts what any holds, literally, with Python's own sqlite3.

    gpu_databases.py make KIND FILE [ROWS]    KIND: nsys, old (fewer columns), rocpd, rpd
    gpu_databases.py count FILE               a line for each type and name: times and nanoseconds
"""
import collections
import random
import re
import sqlite3
import sys


def fill(file, table, columns, rows):
    file.execute(f'CREATE TABLE "{table}" ({columns})')
    width = columns.count(",") + 1
    file.executemany(f'INSERT INTO "{table}" VALUES ({",".join("?" * width)})', rows)


def steps(chance, count):
    """Steps of a training: two threads that launch, two streams that run, later."""
    now, free = 1000, [0, 0]
    for step in range(count):
        begin = now
        for part in range(chance.randrange(2, 6)):
            length = chance.randrange(3, 9)
            stream = chance.randrange(2)
            start = max(free[stream], now + length + chance.randrange(5, 40))
            free[stream] = start + chance.randrange(20, 400)
            kind = chance.choice(["kernel", "kernel", "copy", "set"])
            yield "launch", kind, now, now + length, start, free[stream], stream
            now += length + chance.randrange(1, 9)
        if chance.random() < 0.7:
            yield "wait", "", now, max(free) + 3, 0, 0, 0
            now = max(free) + 5
        yield "step", "", begin, now, 0, 0, step
        now += 10


NAMES = ["gemm", "relu_kernel", "ncclAllReduce", "cudaLaunchKernel_v7000", "cudaMemcpyAsync_v3020",
         "cudaMemsetAsync", "cudaStreamSynchronize_v3020", "poll", "step", "forward", "Trainer",
         "nvtx text", "loader"]


def make_nsys(file, count, is_old):
    chance = random.Random(5)
    pid = 7 << 48 | 4321 << 24
    main, second = pid | 4321, pid | 4322
    strings = {name: number + 100 for number, name in enumerate(NAMES)}
    kernels, copies, sets, calls, waits, ranges, system = [], [], [], [], [], [], []
    for number, (what, kind, a, b, start, end, extra) in enumerate(steps(chance, count)):
        if what == "launch":
            stream = 7 + 6 * extra
            name = {"kernel": 3, "copy": 4, "set": 5}[kind]
            calls.append((a, b, 0, main, number, strings[NAMES[name]], 0))
            place = (start, end, extra, 1, stream, number, pid)
            if kind == "kernel":
                kernels.append(place + (strings[NAMES[number % 3]], strings["gemm"],
                                        number % 64 + 1, 1, 1, 128, 2, 1, 32, 0, 1024))
            elif kind == "copy":
                copies.append(place + (4096 * (number % 9), (1, 2, 8, 10, 77)[number % 5]))
            else:
                sets.append(place + (256,))
        elif what == "wait":
            calls.append((a, b, 0, main, number, strings[NAMES[6]], 0))
            waits.append((a + 1, b, 0, 1, (7, 13, None)[number % 3], number, pid, 3 + number % 3))
            system.append((a + 1, b - 1, 1, second, number, strings["poll"]))
        else:
            ranges.append((a, b, 59, "step" if extra % 2 else None, main, strings["step"], 1))
            ranges.append((a, a + 3, 60, None, second, strings["forward"], 2))
            ranges.append((a + 1, None, 34, "a mark", main, None, 1))
    ranges += [(0, None, 75, "Trainer", main, None, 1),
               (1100, None, 59, "open", second, None, None),
               (5, None, 39, "thread", main, None, None)]
    fill(file, "StringIds", "id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL",
         [(number, name) for name, number in strings.items()])
    if is_old:
        fill(file, "CUPTI_ACTIVITY_KIND_KERNEL", "start INTEGER, end INTEGER, streamId INTEGER, "
             "correlationId INTEGER, demangledName INTEGER",
             [k[:2] + k[4:6] + k[7:8] for k in kernels])
        fill(file, "CUPTI_ACTIVITY_KIND_RUNTIME", "start INTEGER, end INTEGER, globalTid INTEGER, "
             "correlationId INTEGER, nameId INTEGER", [c[:2] + c[3:6] for c in calls])
        fill(file, "NVTX_EVENTS", "start INTEGER, end INTEGER, text TEXT, globalTid INTEGER",
             [(a, b, text, tid) for a, b, kind, text, tid, _, _ in ranges if text and b])
        return
    fill(file, "CUPTI_ACTIVITY_KIND_KERNEL",
         "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, "
         "correlationId INTEGER, globalPid INTEGER, shortName INTEGER, demangledName INTEGER, "
         "gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ "
         "INTEGER, registersPerThread INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory "
         "INTEGER", kernels)
    place = ("start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, "
             "correlationId INTEGER, globalPid INTEGER, ")
    fill(file, "CUPTI_ACTIVITY_KIND_MEMCPY", place + "bytes INTEGER, copyKind INTEGER", copies)
    fill(file, "CUPTI_ACTIVITY_KIND_MEMSET", place + "bytes INTEGER", sets)
    fill(file, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", place + "syncType INTEGER", waits)
    fill(file, "CUPTI_ACTIVITY_KIND_RUNTIME", "start INTEGER, end INTEGER, eventClass INTEGER, "
         "globalTid INTEGER, correlationId INTEGER, nameId INTEGER, returnValue INTEGER", calls)
    fill(file, "NVTX_EVENTS", "start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid "
         "INTEGER, textId INTEGER, domainId INTEGER", ranges)
    fill(file, "OSRT_API", "start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, "
         "correlationId INTEGER, nameId INTEGER", system)
    fill(file, "MPI_OTHER_EVENTS", "start INTEGER, end INTEGER, globalTid INTEGER, textId INTEGER",
         [(20, 90, second, strings["loader"])])
    fill(file, "SCHED_EVENTS", "start INTEGER, cpu INTEGER, globalTid INTEGER", [(5, 1, main)] * 3)
    fill(file, "ThreadNames", "nameId INTEGER, priority INTEGER, globalTid INTEGER",
         [(strings["loader"], 0, second)])
    fill(file, "PROCESSES", "globalPid INTEGER, pid INTEGER, name TEXT",
         [(pid, 4321, "/opt/bin/train")])
    fill(file, "TARGET_INFO_GPU", "id INTEGER, name TEXT",
         [(0, "NVIDIA H100"), (1, "NVIDIA H100")])
    fill(file, "TARGET_INFO_SESSION_START_TIME", "utcEpochNs INTEGER, utcTime TEXT",
         [(1700000000000000000, "")])
    fill(file, "ENUM_CUDA_MEMCPY_OPER", "id INTEGER, name TEXT", [(1, "x"), (2, "y")])


def make_rocpd(file, count):
    """Two processes, each with tables of its own."""
    for process in range(2):
        chance = random.Random(process)
        mine = f"_0000{process}_7a38_8d96_4bbb"
        strings = ["hipLaunchKernel", "hipMemcpyAsync", "MEMORY_COPY_HOST_TO_DEVICE", "hipFree",
                   "HIP_RUNTIME_API_EXT"]
        events, regions, kernels, copies, allocations = [], [], [], [], []
        for number, (what, kind, a, b, start, end, extra) in enumerate(steps(chance, count), 1):
            first = len(events) + 1
            events += [(first, 5, number), (first + 1, 5, number)]
            if what == "step":
                allocations.append((1, 1, 1, "ALLOC", "REAL", a, a + 2, 4096, None))
                continue
            name = {"kernel": 1, "copy": 2}.get(kind, 4)
            regions.append((1, 1, 1, a, b, name, first))
            if kind == "kernel":
                kernels.append((1, 1, 1, 2, 1 + number % 2, 3, extra + 1, start, end, 0, 64, 256, 1,
                                1, 4096, 1, 1, first + 1))
            elif kind == "copy":
                copies.append((1, 1, 1, start, end, 3, 2, 1, 512, 3, extra + 1, first + 1))
        key = "id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "

        def numbered(rows):
            return [(number, *row) for number, row in enumerate(rows, 1)]
        fill(file, "rocpd_metadata" + mine, key + "tag TEXT, value TEXT",
             [(1, "schema_version", "3")])
        fill(file, "rocpd_string" + mine, key + "string TEXT", numbered([(s,) for s in strings]))
        fill(file, "rocpd_info_process" + mine, key + "nid, pid, command",
             [(1, 1, 900 + process, "/usr/bin/jacobi -n 4")])
        fill(file, "rocpd_info_thread" + mine, key + "nid, pid, tid, name",
             [(1, 1, 1, 900 + process, "main")])
        fill(file, "rocpd_info_agent" + mine, key + "nid, type, type_index, name, product_name",
             [(1, 1, "CPU", 0, "EPYC", "EPYC"), (2, 1, "GPU", process, "gfx942", "MI300X")])
        fill(file, "rocpd_info_kernel_symbol" + mine, key + "kernel_name, display_name",
             [(1, "_Z6jacobiv", "jacobi()"), (2, "norm", None)])
        fill(file, "rocpd_event" + mine, key + "category_id, stack_id", events)
        fill(file, "rocpd_region" + mine, key + 'nid, pid, tid, start, "end", name_id, event_id',
             numbered(regions))
        fill(file, "rocpd_kernel_dispatch" + mine, key + 'nid, pid, tid, agent_id, kernel_id, '
             'queue_id, stream_id, start, "end", private_segment_size, group_segment_size, '
             'workgroup_size_x, workgroup_size_y, workgroup_size_z, grid_size_x, grid_size_y, '
             'grid_size_z, event_id', numbered(kernels))
        fill(file, "rocpd_memory_copy" + mine, key + 'nid, pid, tid, start, "end", name_id, '
             'dst_agent_id, src_agent_id, size, queue_id, stream_id, event_id', numbered(copies))
        fill(file, "rocpd_memory_allocate" + mine, key + 'nid, pid, tid, type, level, start, '
             '"end", size, event_id', numbered(allocations))
        file.execute('CREATE VIEW IF NOT EXISTS rocpd_string AS SELECT * FROM '
                     f'"rocpd_string{mine}"')


def make_rpd(file, count):
    chance = random.Random(9)
    strings = ["", "hipLaunchKernel", "KernelExecution", "jacobi", "UserMarker", "phase one"]
    apis, ops, pairs = [], [], []
    for number, (what, kind, a, b, start, end, extra) in enumerate(steps(chance, count), 1):
        apis.append((number, 77, 78, a, b, 5 if what == "step" else 2, 6))
        if what == "launch":
            ops.append((number, 0, extra, start, end, 4 if kind == "kernel" else 1, 3))
            pairs.append((number, number, number))
    key = "id INTEGER NOT NULL PRIMARY KEY, "
    fill(file, "rocpd_string", key + "string", list(enumerate(strings, 1)))
    fill(file, "rocpd_api", key + 'pid, tid, start, "end", apiName_id, args_id', apis)
    fill(file, "rocpd_op", key + 'gpuId, queueId, start, "end", description_id, opType_id', ops)
    fill(file, "rocpd_api_ops", key + "api_id, op_id", pairs)


COPIES = {1: "copy to device", 2: "copy to host", 8: "copy on device", 9: "copy on host",
          10: "copy between devices", 11: "migrate to device", 12: "migrate to host"}
WAITS = {1: "wait for event", 2: "stream waits for event", 3: "wait for stream",
         4: "wait for context"}


def count(file):
    names = [row[0] for row in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    sums = collections.defaultdict(lambda: [0, 0])
    file.row_factory = sqlite3.Row

    def rows(table):
        return [dict(row) for row in file.execute(f'SELECT * FROM "{table}"')]

    def add(kind, name, row, end=None):
        one = sums[kind, name]
        one[0] += 1
        one[1] += (row["end"] if end is None else end) - row["start"]
    if "StringIds" in names:
        strings = {row["id"]: row["value"] for row in rows("StringIds")}
        last = 0
        for table in names:
            for row in rows(table):
                if "start" in row:
                    last = max(last, row["start"], row.get("end") or 0)
        for table in names:
            for row in rows(table):
                if table == "CUPTI_ACTIVITY_KIND_KERNEL":
                    add("GPU", strings[row.get("shortName", row["demangledName"])], row)
                elif table == "CUPTI_ACTIVITY_KIND_MEMCPY":
                    add("GPU", COPIES.get(row["copyKind"], f"copy of kind {row['copyKind']}"), row)
                elif table == "CUPTI_ACTIVITY_KIND_MEMSET":
                    add("GPU", "set memory", row)
                elif table == "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION":
                    add("Synchronization",
                        WAITS.get(row["syncType"], f"wait of kind {row['syncType']}"), row)
                elif table == "NVTX_EVENTS" and row.get("eventType", 59) in (59, 60):
                    add("NVTX range", row["text"] or strings[row["textId"]], row,
                        last if row["end"] is None else None)
                elif table == "NVTX_EVENTS" and row.get("eventType") == 34:
                    add("NVTX mark", row["text"], row, row["start"])
                elif "globalTid" in row and "start" in row and "end" in row and "NVTX" not in table:
                    name = strings[row.get("nameId", row.get("textId"))]
                    add("Call", re.sub(r"_v\d+$", "", name), row)
    else:
        for suffix in [name[12:] for name in names if name.startswith("rocpd_string")]:
            strings = {row["id"]: row["string"] for row in rows("rocpd_string" + suffix)}
            if "rocpd_op" in names:
                for row in rows("rocpd_op"):
                    add("GPU", strings[row["description_id"]] or strings[row["opType_id"]], row)
                for row in rows("rocpd_api"):
                    name = strings[row["apiName_id"]]
                    add("Call", strings[row["args_id"]] if name == "UserMarker" else name, row)
                continue
            symbols = {row["id"]: row["display_name"] or row["kernel_name"]
                       for row in rows("rocpd_info_kernel_symbol" + suffix)}
            for row in rows("rocpd_kernel_dispatch" + suffix):
                add("GPU", symbols[row["kernel_id"]], row)
            for row in rows("rocpd_memory_copy" + suffix):
                add("GPU", strings[row["name_id"]], row)
            for row in rows("rocpd_region" + suffix):
                add("Call", strings[row["name_id"]], row)
            for row in rows("rocpd_memory_allocate" + suffix):
                add("Call", "memory " + row["type"], row)
    for (kind, name), (number, time) in sorted(sums.items()):
        print(f"{kind}|{name}|{number}|{time}")


if __name__ == "__main__":
    if sys.argv[1] == "count":
        count(sqlite3.connect(f"file:{sys.argv[2]}?mode=ro", uri=True))
    else:
        made = sqlite3.connect(sys.argv[3])
        size = int(sys.argv[4]) if len(sys.argv) > 4 else 40
        if sys.argv[2] in ("nsys", "old"):
            make_nsys(made, size, sys.argv[2] == "old")
        else:
            {"rocpd": make_rocpd, "rpd": make_rpd}[sys.argv[2]](made, size)
        made.commit()
