"""Makes the files that run.py imports, in a process of its own, whose memory is not that of what
is measured:

    makers.py MAKER PATH MEGABYTES

Prints how many events, or lines, the file has. The numbers drawn are the same on every machine."""
import itertools
import os
import random
import re
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests"))
import paje  # noqa: E402

THREADS = 64
WIDE = 100000


def fill(path, megabytes, head, pieces, tail=""):
    """Writes pieces (text, count) until the file is long enough."""
    total = length = 0
    with open(path, "w") as to:
        to.write(head)
        for text, count in pieces:
            to.write(text)
            total += count
            length += len(text)
            if length >= megabytes * 1e6:
                break
        to.write(tail)
    return total


def make_json(path, megabytes):
    """Calls of four threads, which cross, and kernels of a stream, with the arguments that PyTorch
    writes; neither is in order of time."""
    draw = random.Random(1)
    names = ["add", "mm", "conv2d", "relu", "copy_", "sum", "step"]

    def pieces():
        time = 1000.0
        for i in itertools.count():
            name = draw.choice(names)
            time += draw.randrange(9) + 1.125
            yield (f',\n{{"ph": "X", "cat": "cpu_op", "name": "aten::{name}", "pid": 7, '
                   f'"tid": {i % 4}, "ts": {time + 60 * (i % 4):.3f}, '
                   f'"dur": {20 + draw.randrange(20)}.5, "args": {{"External id": {i}, '
                   f'"Record function id": 0, "Sequence number": {i // 3}, "Fwd thread id": 0, '
                   f'"Ev Idx": {i}}}}},\n{{"ph": "X", "cat": "kernel", "name": "{name}_kernel", '
                   f'"pid": 0, "tid": "stream 7", "ts": {time:.3f}, "dur": 0.750, "args": '
                   f'{{"device": 0, "stream": 7, "correlation": {i}}}}}', 2)

    return fill(path, megabytes, '{"schemaVersion": 1, "traceEvents": [\n{}', pieces(), "\n]}\n")


def make_paraver(path, megabytes):
    """Threads compute and wait: a state, a call, two counters, a message; in order of time."""
    draw = random.Random(1)
    with open(path[:-4] + ".pcf", "w") as names:
        names.write("STATES\n1    Running\n9    Group Communication\n\nEVENT_TYPE\n"
                    "9   50000003    MPI Collective\nVALUES\n8   MPI_Barrier\n0   Outside MPI\n\n"
                    "EVENT_TYPE\n7  42000050 Instructions\n7  42000059 Cycles\n")
    each = range(1, THREADS + 1)

    def pieces():
        time = 0
        while True:
            middle = time + 500 + draw.randrange(100000)
            end = middle + 500 + draw.randrange(20000)
            lines = [f"1:{i}:1:{i}:1:{time}:{middle}:1" for i in each]
            lines += [f"2:{i}:1:{i}:1:{middle}:50000003:8:42000050:{draw.randrange(1000000)}:"
                      f"42000059:{draw.randrange(1000000)}" for i in each]
            lines += [f"1:{i}:1:{i}:1:{middle}:{end}:9\n2:{i}:1:{i}:1:{end}:50000003:0"
                      for i in each]
            lines += [f"3:{i}:1:{i}:1:{middle}:{middle + 10}:{i + 1}:1:{i + 1}:1:{end}:{end}:"
                      f"{draw.randrange(100000)}:7" for i in range(1, THREADS, 3)]
            yield "\n".join(lines) + "\n", 5 * THREADS + (THREADS + 1) // 3
            time = end

    head = (f"#Paraver (22/11/2026 at 10:00):9000000000_ns:1({THREADS}):1:{THREADS}("
            + ",".join(["1:1"] * THREADS) + ")\n")
    return fill(path, megabytes, head, pieces())


def make_table(path, megabytes):
    """States of 64 ranks with a header."""
    draw = random.Random(1)
    names = ["compute", "MPI_Send", "MPI_Recv", "MPI_Wait", "write"]

    def pieces():
        for time in itertools.count():
            yield "".join(f"{i},{draw.choice(names)},{time}.{draw.randrange(500000):06},"
                          f"{time}.{500000 + draw.randrange(500000)}\n"
                          for i in range(THREADS)), THREADS

    return fill(path, megabytes, "rank,state,begin,end\n", pieces())


def make_gstreamer(path, megabytes):
    """Messages of four threads."""
    draw = random.Random(1)
    levels = ["DEBUG", "LOG", "LOG", "TRACE", "INFO"]
    functions = ["gst_pad_push_event", "gst_pad_chain_data_unchecked", "gst_base_sink_do_sync",
                 "gst_video_encoder_chain"]

    def pieces():
        time = 10 ** 9
        while True:
            time += 500 + draw.randrange(20000)
            function = draw.randrange(4)
            seconds, rest = divmod(time, 10 ** 9)
            yield (f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{rest:09} 20374 "
                   f"0x5620772f2c0{draw.randrange(4)} {draw.choice(levels):<7}         "
                   f"GST_SCHEDULING gstpad.c:{4000 + function}:{functions[function]}:"
                   f"<sink{draw.randrange(5)}:src> calling chainfunction with buffer: "
                   f"0x7f{draw.randrange(2 ** 31):08x}, pts 0:00:01.{draw.randrange(10 ** 9):09}, "
                   f"size {draw.randrange(100000)}\n", 1)

    return fill(path, megabytes, "", pieces())


def make_perf(path, megabytes):
    """Switches on two CPUs between threads and nothing, each woken before."""
    draw = random.Random(1)

    def pieces():
        time = 1.0
        while True:
            time += (500 + draw.randrange(20000)) * 1e-9
            cpu = draw.randrange(2)
            thread = 1000 + cpu + 2 * draw.randrange(20)
            worker = thread % 40
            yield (f"         swapper     0 [{cpu:03}] {time:12.6f}: sched:sched_wakeup: "
                   f"comm=worker/{worker} pid={thread} prio=120 target_cpu={cpu:03}\n"
                   f"         swapper     0 [{cpu:03}] {time + 2e-6:12.6f}: sched:sched_switch: "
                   f"prev_comm=swapper/{cpu} prev_pid=0 prev_prio=120 prev_state=R ==> "
                   f"next_comm=worker/{worker} next_pid={thread} next_prio=120\n"
                   f"          worker {thread:5} [{cpu:03}] {time + 9e-6:12.6f}: "
                   f"sched:sched_switch: prev_comm=worker/{worker} prev_pid={thread} "
                   f"prev_prio=120 prev_state=S ==> next_comm=swapper/{cpu} next_pid=0 "
                   f"next_prio=120\n", 3)

    return fill(path, megabytes, "", pieces())


def make_picl(path, megabytes):
    """A message from one of 64 processors to the next, which computes then."""
    draw = random.Random(1)

    def pieces():
        time = 1.0
        while True:
            time += (500 + draw.randrange(20000)) * 1e-9
            at, size = draw.randrange(64), draw.randrange(100000)
            to = (at + 1) % 64
            yield (f"-3 -21 {time:.9f} {at} 0 4 2 {size} 7 {to} 0\n-4 -21 {time + 1e-8:.9f} {at} 0 "
                   f"0\n-3 -52 {time + 2e-8:.9f} {to} 0 3 2 7 {at} 0\n-4 -52 {time + 9e-8:.9f} "
                   f"{to} 0 4 2 {size} 7 {at} 0\n-3 3 {time + 1e-7:.9f} {to} 0 0\n"
                   f"-4 3 {time + 2e-7:.9f} {to} 0 0\n", 6)

    return fill(path, megabytes, "", pieces())


def make_numa_maps(path, megabytes):
    """A thousand mappings of a process, of which twenty change from one snapshot to the next."""
    draw = random.Random(1)

    def line(mapping):
        nodes = " ".join(f"N{node}={draw.randrange(1, 5000)}" for node in range(4)
                         if draw.random() < 0.6)
        return (f"{0x7f0000000000 + 4096000 * mapping:012x} default file=/usr/lib/lib{mapping % 60}"
                f".so anon=5 dirty=5 {nodes} kernelpagesize_kB=4\n")

    def pieces():
        lines = [line(mapping) for mapping in range(1000)]
        for time in itertools.count():
            for mapping in draw.sample(range(1000), 20):
                lines[mapping] = line(mapping)
            yield f"@ {time / 10} 77 run\n" + "".join(lines), 1000

    return fill(path, megabytes, "", pieces())


CTF = """/* CTF 1.8 */
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 64; align = 8; signed = false; base = 16; } := address;
trace { major = 1; minor = 8; byte_order = le;
packet.header := struct { uint32_t magic; uint32_t stream_id; }; };
env { domain = "ust"; hostname = "bench"; };
clock { name = monotonic; freq = 1000000000; offset_s = 1700000000; };
typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := stamp;
stream { id = 0; event.header := struct { uint32_t id; stamp timestamp; };
packet.context := struct { stamp timestamp_begin; stamp timestamp_end;
uint64_t content_size; uint64_t packet_size; };
event.context := struct { uint32_t vpid; uint32_t vtid; string procname; }; };
event { id = 0; name = "work_begin"; stream_id = 0; fields := struct { uint32_t step; }; };
event { id = 1; name = "work_end"; stream_id = 0; fields := struct { uint64_t result; }; };
event { id = 2; name = "note"; stream_id = 0;
fields := struct { uint64_t size; address ptr; string text; }; };
"""


def make_ctf(path, megabytes):
    """As LTTng writes them of programs: four streams, packets of 1500 events, a context with the
    thread and its name; two of three events begin and end a state, and the third has three fields,
    one of them a text."""
    event = "IQII5s"
    events = struct.Struct(f"<{event}I{event}QQ6s{event}Q")
    rounds = 500
    size = 40 + rounds * events.size
    packets = int(megabytes * 1e6 / 4 / size)
    os.mkdir(path)
    with open(f"{path}/metadata", "w") as to:
        to.write(CTF)
    for stream in range(4):
        draw = random.Random(stream)
        thread = (7, 7 + stream, b"main")
        time = 1
        with open(f"{path}/stream_{stream}", "wb") as to:
            for _ in range(packets):
                begin, body = time, []
                for i in range(rounds):
                    first, second = time + draw.randrange(1, 1000), time + 2000
                    time = second + draw.randrange(1, 1000)
                    body.append(events.pack(0, first, *thread, i, 2, second, *thread, i * 7 % 4096,
                                            0x7F0000000000 + 64 * i, b"hello", 1, time, *thread,
                                            i))
                to.write(struct.pack("<IIQQQQ", 0xC1FC1FC1, 0, begin, time, size * 8, size * 8))
                to.write(b"".join(body))
    return packets * 4 * rounds * 3


def make_wide(path, _):
    """Pajé text of many resources that take turns, so that all their streams are open at once."""
    with open(path, "w") as to:
        to.write(paje.head("DefineContainerType DefineStateType CreateContainer SetState "
                           "DestroyContainer") + "\n0 T 0 thread\n1 S T state\n")
        to.writelines(f"2 0 r{r} T 0 r{r}\n" for r in range(WIDE))
        for turn in range(10):
            to.writelines(f"3 {turn}.{r:06} S r{r} v{(turn + r) % 4}\n" for r in range(WIDE))
        to.writelines(f"4 10 T r{r}\n" for r in range(WIDE))
    return 10 * WIDE


def repeat(source, path, times):
    """A Pajé trace as SimGrid writes it, in time again and again: definitions and containers once,
    then all that happens, each time later and with other keys of links; containers end at the end.
    """
    text = subprocess.run(["zstd", "-dcq", source], check=True, stdout=subprocess.PIPE,
                          text=True).stdout
    first = re.search(r"^(?:[89]|1[0-9]) ", text, re.M).start()
    last = re.search(r"^7 ", text[first:], re.M).start() + first
    body = [line.split(" ", 2) for line in text[first:last].splitlines()]
    length = max(float(line.split(" ", 2)[1]) for line in text[last:].splitlines())
    with open(path, "w") as to:
        to.write(text[:first])
        for turn in range(times):
            shift = turn * length
            to.writelines(f"{number} {float(time) + shift:.6f} {rest}"
                          f"{f'_{turn}' if turn > 0 and number in ('15', '16') else ''}\n"
                          for number, time, rest in body)
        shift = (times - 1) * length
        for line in text[last:].splitlines():
            number, time, rest = line.split(" ", 2)
            to.write(f"{number} {float(time) + shift:.6f} {rest}\n")
    return times * len(body)


if __name__ == "__main__":
    if sys.argv[1] == "repeat":
        print(repeat(sys.argv[2], sys.argv[3], int(sys.argv[4])))
    else:
        print(globals()["make_" + sys.argv[1]](sys.argv[2], int(sys.argv[3])))
