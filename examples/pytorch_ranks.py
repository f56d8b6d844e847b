"""Writes what PyTorch's profiler leaves of a run of several ranks, a file each:

    python3 pytorch_ranks.py RANKS FOLDER

Each rank runs ten steps of forward, backward, an all-reduce that ends everywhere at once and that
it waits for, and the optimizer; in steps 5 and 6 the last rank is slow, and all others wait for it.
The clocks of the files have different bases, as those of different machines do."""
import gzip
import json
import os
import sys

RANKS, FOLDER = int(sys.argv[1]), sys.argv[2]
EPOCH = 1735689600 * 10**9  # 2025-01-01
LAYERS = ["conv2d", "relu", "linear", "softmax"]


def compute(rank, step):
    """Microseconds of the forward and the backward pass."""
    slow = 2.5 if rank == RANKS - 1 and step in (5, 6) else 1
    other = (rank * 7 + step * 13) % 11
    return 800 * slow + 4 * other, 1600 * slow + 6 * other


def events(rank, base):
    cpu, gpu, number, begin = 1000 + rank, rank, 0, 50_000
    yield {"ph": "M", "name": "process_name", "pid": cpu, "tid": 0, "args": {"name": "python"}}
    yield {"ph": "M", "name": "process_labels", "pid": cpu, "tid": 0, "args": {"labels": "CPU"}}
    yield {"ph": "M", "name": "process_name", "pid": gpu, "tid": 0, "args": {"name": "python"}}
    yield {"ph": "M", "name": "process_labels", "pid": gpu, "tid": 0,
           "args": {"labels": f"GPU {gpu}"}}
    yield {"ph": "M", "name": "process_sort_index", "pid": gpu, "tid": 0,
           "args": {"sort_index": 5_000_000}}
    for step in range(10):
        reduced = begin + max(sum(compute(r, step)) for r in range(RANKS)) + 400
        end, time = reduced + 300, begin
        for phase, length in zip(("forward", "backward"), compute(rank, step)):
            yield x(phase, "user_annotation", cpu, cpu, time - base, length)
            for i, layer in enumerate(LAYERS):
                number += 1
                at, part = time + length * i / 4, length / 4
                yield x(f"aten::{layer}", "cpu_op", cpu, cpu, at - base, part * .5)
                yield flow("s", number, cpu, cpu, at - base + 1)
                yield x(f"{layer}_{phase}_kernel", "kernel", gpu, "stream 7", at - base + 5,
                        part * .9, stream=7, correlation=number)
                yield flow("f", number, gpu, "stream 7", at - base + 5)
            time += length
        number += 1
        yield x("nccl:all_reduce", "user_annotation", cpu, cpu, time - base, reduced - time)
        yield flow("s", number, cpu, cpu, time - base + 5)
        yield x("ncclDevKernel_AllReduce_Sum_f32_RING_LL", "kernel", gpu, "stream 13",
                time - base + 10, reduced - time - 10,
                **{"Collective name": "allreduce", "Process Group Name": "0", "Seq": step,
                   "In msg nelems": 1 << 20, "dtype": "Float"})
        yield flow("f", number, gpu, "stream 13", time - base + 10)
        yield x("cudaStreamSynchronize", "cuda_runtime", cpu, cpu, time - base + 20,
                reduced - time - 20)
        yield x("Optimizer.step#SGD.step", "user_annotation", cpu, cpu, reduced - base,
                end - reduced)
        yield x("sgd_kernel", "kernel", gpu, "stream 7", reduced - base + 5, 250, stream=7)
        yield x(f"ProfilerStep#{step}", "user_annotation", cpu, cpu, begin - base, end - begin)
        begin = end


def x(name, category, process, thread, time, length, **arguments):
    return {"ph": "X", "name": name, "cat": category, "pid": process, "tid": thread,
            "ts": round(time, 3), "dur": round(length, 3), "args": arguments}


def flow(phase, number, process, thread, time):
    return {"ph": phase, "id": number, "name": "ac2g", "cat": "ac2g", "pid": process,
            "tid": thread, "ts": round(time, 3), **({"bp": "e"} if phase == "f" else {})}


for rank in range(RANKS):
    base = rank * 1_000_000  # microseconds by which this clock is late
    whole = {"schemaVersion": 1,
             "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": RANKS},
             "traceEvents": list(events(rank, base)), "traceName": f"rank{rank}.json",
             "baseTimeNanoseconds": EPOCH + base * 1000}
    with gzip.open(os.path.join(FOLDER, f"rank{rank}.json.gz"), "wt") as file:
        json.dump(whole, file)
print(f"wrote {RANKS} files to {FOLDER}")
