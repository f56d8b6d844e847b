"""Runs with one known fault, and runs without, for judge.py.

FOLDER/SEED has the trace and truth.json: which fault, where, when and how much. A seed gives the
same run everywhere; what FOLDER has already is kept. Seeds from 10000 on are runs without a fault.
Runs come from two sources. `made` ones are played here and written as a table; `smpi` ones are
programs of MPI that SimGrid (smpicc, smpirun) simulates. Without SimGrid there are none of these.

A plan is the same for both: units (ranks, threads, or ranks with streams of a GPU) on hosts on
switches, and operations that each of them does in each iteration. The size of a fault is the time
that it adds, as a share of the time of what it hits: of its units from its begin to its end, and of
the whole run where a start is late, or a phase is added or missing."""
import array
import concurrent.futures
import hashlib
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field

KINDS = ["slow node", "slow switch", "late start", "extra phase", "missing phase",
         "noise on one rank", "growing imbalance", "slow iteration"]
CLEAN = 10000    # the first seed of a run without a fault
TOLD_APART = 8   # a fault of 2 % or more is so many standard deviations of what happens anyway
BANDWIDTH = 1e9  # of a link of SimGrid, bytes a second

PROGRAM = r"""
#include <mpi.h>
#include <simgrid/actor.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORK, RING, ALL, SLEEP };
#define WORLD MPI_COMM_WORLD

static void exchange(char *data, int bytes, int left, int right, int together)
{
    char *from[2] = {data + bytes, data + 2 * (size_t)bytes};
    MPI_Request all[4];
    MPI_Irecv(from[0], bytes, MPI_CHAR, left, 0, WORLD, &all[0]);
    MPI_Irecv(from[1], bytes, MPI_CHAR, right, 1, WORLD, &all[1]);
    if (together) {
        MPI_Isend(data, bytes, MPI_CHAR, right, 0, WORLD, &all[2]);
        MPI_Isend(data, bytes, MPI_CHAR, left, 1, WORLD, &all[3]);
        MPI_Waitall(4, all, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(data, bytes, MPI_CHAR, right, 0, WORLD);
        MPI_Send(data, bytes, MPI_CHAR, left, 1, WORLD);
        MPI_Wait(&all[0], MPI_STATUS_IGNORE);
        MPI_Wait(&all[1], MPI_STATUS_IGNORE);
    }
}

/* plan: iterations, operations, bytes, whether to wait for all, how far neighbours are; the
 * operations; then for each rank, iteration and operation the seconds. Prints when each iteration
 * of a rank begins. */
int main(int argc, char **argv)
{
    int rank, ranks;
    double head[5], ops[16], seconds[16], sum = 1, total;
    FILE *plan = fopen(argv[argc - 1], "rb");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &ranks);
    if (fread(head, 8, 5, plan) != 5 || fread(ops, 8, (size_t)head[1], plan) != (size_t)head[1])
        MPI_Abort(WORLD, 1);
    const int iterations = (int)head[0], count = (int)head[1], far = (int)head[4];
    char *data = calloc(3, (size_t)head[2] + 1);
    double *begins = calloc((size_t)iterations, sizeof *begins);
    fseek(plan, 8L * (5 + count + (long)rank * iterations * count), SEEK_SET);
    for (int i = 0; i < iterations; i++) {
        if (fread(seconds, 8, (size_t)count, plan) != (size_t)count)
            MPI_Abort(WORLD, 1);
        begins[i] = MPI_Wtime();
        for (int k = 0; k < count; k++)
            if (ops[k] == WORK && seconds[k] > 0)
                smpi_execute_flops(1e9 * seconds[k]);
            else if (ops[k] == SLEEP && seconds[k] > 0)
                sg_actor_sleep_for(seconds[k]);
            else if (ops[k] == RING)
                exchange(data, (int)head[2], (rank + ranks - far) % ranks, (rank + far) % ranks,
                         head[3] > 0);
            else if (ops[k] == ALL)
                MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, WORLD);
    }
    for (int i = 0; i < iterations; i++)
        printf("%d %d %.9f\n", rank, i, begins[i]);
    printf("%d %d %.9f\n", rank, iterations, MPI_Wtime());
    MPI_Finalize();
    return 0;
}
"""


@dataclass
class Op:
    kind: str    # work, ring, all, until (the end of the period), sleep (no state)
    name: str
    share: float = 0.0  # of an iteration
    lane: str = ""      # the leaf of a unit that it is in


@dataclass
class Plan:
    seed: int
    kind: str
    source: str
    shape: str
    ops: list
    paths: list          # of units
    hosts: list          # of units: numbers
    switches: list
    lanes: list
    iterations: int
    length: list         # of each iteration, seconds
    wanted: float        # size of the fault
    hit: list = field(default_factory=list)      # units
    first: int = 0       # iterations of the fault: first, and the one behind the last
    last: int = 0
    period: int = 0      # of the operation "output"
    output: float = 0.0  # how long that takes, seconds
    factor: dict = field(default_factory=dict)   # (unit, iteration): of work
    added: dict = field(default_factory=dict)    # (unit, iteration, operation): seconds
    slow: float = 1.0    # factor of messages of what is hit
    jitter: float = 0.0
    static: float = 0.0
    apart: float = 0.0   # standard deviations between the fault and what happens anyway
    links: bool = False
    counters: bool = False
    computes: bool = True  # computing is a state

    def has_output(self, iteration):
        return self.period > 0 and iteration > 0 and iteration % self.period == 0


def draw_ops(draw, shape, kind):
    """Operations of an iteration; those named init, extra and output are at its begin."""
    first = [Op("work" if draw.random() < 0.5 else "sleep", "init"),
             Op("work", draw.choice(["checkpoint", "extra"])), Op("work", "output")]
    if shape == "gpu":
        load = draw.uniform(0.2, 0.4)
        return first + [Op("work", "cudaLaunchKernel", 0.05, "thread"),
                        Op("work", "gemm", load, "stream 7"),
                        Op("work", "layer_norm", 0.85 - load, "stream 7"),
                        Op("all", "ncclDevKernel_AllReduce", 0.1, "stream 13")]
    idle = draw.uniform(0.1, 0.4)
    if shape == "threads":
        end = draw.choice([Op("until", "sleeping", idle), Op("all", "blocked", idle / 4)])
        return first + [Op("work", "ready", draw.uniform(0.01, 0.05)),
                        Op("work", "running", 0.9 - end.share), end]
    meets = kind == "slow switch" or draw.random() < 0.7
    ring = Op("ring", draw.choice(["MPI_Waitall", "MPI_Wait"]), idle)
    busy = 0.98 - idle
    work = [Op("work", "compute", busy)]
    if draw.random() < 0.4:
        work = [Op("work", "assemble", busy * 0.3), Op("work", "solve", busy * 0.7)]
    return first + work + [ring] + [Op("all", "MPI_Allreduce", 0.02)] * meets


def draw_machine(draw, plan, most):
    """Units on hosts on switches; some traces know no switches."""
    while True:
        switches, hosts, each = draw.randint(3, 8), draw.randint(2, 8), draw.choice([1, 2, 4])
        if 16 <= switches * hosts * each <= most:
            break
    deep = plan.kind == "slow switch" or draw.random() < 0.7
    unit = {"bsp": "rank", "threads": "worker", "gpu": "rank"}[plan.shape]
    for number in range(switches * hosts * each):
        host, switch = number // each, number // each // hosts
        plan.paths.append(f"{f'switch-{switch}/' if deep else ''}host-{host}/{unit}-{number}")
        plan.hosts.append(host)
        plan.switches.append(switch)


def draw_place(draw, plan):
    one = draw.randrange(len(plan.paths))
    groups = {"unit": list(range(len(plan.paths))), "host": plan.hosts, "switch": plan.switches,
              "all": [0] * len(plan.paths)}
    choice = {"slow node": ["host"], "slow switch": ["switch"], "late start": ["unit", "host"],
              "noise on one rank": ["unit"], "growing imbalance": ["host", "switch"],
              "slow iteration": ["all", "all", "host"]}.get(plan.kind, ["all", "all", "switch"])
    group = groups[draw.choice(choice)]
    plan.hit = [u for u in range(len(plan.paths)) if group[u] == group[one]]


def draw_plan(seed):
    draw = random.Random(seed * 7919 + 5)
    clean = seed >= CLEAN
    kind = "clean" if clean else KINDS[seed // 2 % len(KINDS)]
    smpi = (seed // 2 if clean else seed // 16) % 3 == 2
    shape = draw.choice(["bsp", "bsp", "threads", "gpu"])
    if smpi or kind == "slow switch":
        shape = "bsp"
    ops = draw_ops(draw, shape, kind)
    lanes = sorted({op.lane for op in ops if op.lane}) or [""]
    for op in ops:
        op.lane = op.lane or lanes[-1]
    count = draw.choice([5, 10, 20, 30, 50])
    wanted = math.exp(draw.uniform(math.log(0.005), math.log(0.5)))
    if kind == "missing phase":
        wanted, count = math.exp(draw.uniform(math.log(0.005), math.log(0.12))), max(count, 20)
    plan = Plan(seed, kind, "smpi" if smpi else "made", shape, ops, [], [], [], lanes, count, [],
                wanted)
    draw_machine(draw, plan, 64 if smpi else 256 // len(lanes))
    begin, parts = math.exp(draw.uniform(math.log(1e-3), 0 if not smpi else math.log(0.02))), 1
    if count >= 10:
        parts = draw.choice([1, 1, 2, 3])
    lengths = [begin * draw.uniform(0.7, 1.4) for _ in range(parts)]
    plan.length = [lengths[i * parts // count] for i in range(count)]
    plan.links = draw.random() < 0.5
    plan.counters = draw.random() < 0.4
    plan.computes = shape != "bsp" or draw.random() < 0.7
    plan.jitter = math.exp(draw.uniform(math.log(0.003), math.log(0.04)))
    plan.static = draw.uniform(0, 0.01)
    draw_place(draw, plan)
    draw_time(draw, plan)
    if not clean:
        inject(draw, plan)
    return plan, draw


def draw_time(draw, plan):
    count = plan.iterations
    if plan.kind == "missing phase" or draw.random() < 0.3 and count >= 10:
        plan.period = count // draw.randint(4, 6)
        plan.output = draw.uniform(0.02, 0.05) * sum(plan.length)
        if plan.kind == "missing phase":
            times = len(range(plan.period, count, plan.period))
            plan.output = plan.wanted * sum(plan.length) / (1 - (times - 1) * plan.wanted)
    plan.first, plan.last = 0, count
    if plan.kind == "late start":
        plan.last = 1
    elif plan.kind == "missing phase":
        plan.first = plan.period * draw.randint(1, (count - 1) // plan.period - 1)
        plan.last = plan.first + 1
    elif plan.kind in ("extra phase", "slow iteration"):
        plan.first = draw.randint(1, count - 2)
        plan.last = plan.first + 1
    elif plan.kind == "growing imbalance":
        plan.first = draw.randint(0, count // 2)
    elif draw.random() < 0.6:
        window = max(3, math.ceil(draw.uniform(0.25, 0.7) * count))
        plan.first = draw.randint(0, count - window)
        plan.last = plan.first + window


def inject(draw, plan):
    """The fault's factors and added times, and as much jitter as lets it be told from that."""
    window = range(plan.first, plan.last)
    stretch = plan.wanted / (1 - plan.wanted)
    work = sum(op.share for op in plan.ops if op.kind == "work")
    noise = math.hypot(plan.static, plan.jitter / math.sqrt(len(window))) / math.sqrt(len(plan.hit))
    relative = stretch / work
    if plan.kind == "slow switch":
        plan.slow = 1 + stretch / next(op.share for op in plan.ops if op.kind == "ring")
    elif plan.kind in ("late start", "extra phase"):
        where = 0 if plan.kind == "late start" else 1
        delay = stretch * sum(plan.length)
        relative = delay / plan.length[plan.first] / work
        plan.added = {(u, plan.first, where): delay for u in plan.hit}
    elif plan.kind == "missing phase":
        relative = plan.output / plan.length[plan.first] / work
        plan.added = {(u, plan.first, 2): -plan.output for u in plan.hit}
    else:
        times = [1.0 for _ in window]
        if plan.kind == "growing imbalance":
            times = [n + 0.5 for n in range(len(window))]
        elif plan.kind == "noise on one rank":
            chance = draw.choice([0.4, 0.7, 1])
            times = [draw.uniform(0.5, 1.5) * (draw.random() < chance) for _ in window]
            times[len(times) // 2] += 1
        mean = sum(times) / len(times)
        plan.factor = {(u, i): 1 + relative * each / mean
                       for u in plan.hit for i, each in zip(window, times)}
    if plan.kind in ("slow iteration", "late start", "extra phase", "missing phase"):
        noise = plan.jitter / min(2, math.sqrt(len(plan.hit)))  # the last of all is waited for
    if plan.wanted >= 0.02:
        calm = min(1, relative / noise / TOLD_APART)
        plan.jitter, plan.static, noise = plan.jitter * calm, plan.static * calm, noise * calm
    plan.apart = relative / noise


def seconds_of(draw, plan):
    """How long each unit takes for each operation of each iteration."""
    gauss, result = draw.gauss, []
    for u in range(len(plan.paths)):
        static = 1 + plan.static * gauss(0, 1)
        rows = []
        for i in range(plan.iterations):
            row = []
            for k, op in enumerate(plan.ops):
                base = op.share * plan.length[i]
                base += plan.output * (op.name == "output" and plan.has_output(i))
                base = max(0.0, base + plan.added.get((u, i, k), 0))
                if op.kind == "work" and base > 0:
                    base *= static * max(0.1, 1 + plan.jitter * gauss(0, 1))
                    if op.share > 0:
                        base *= plan.factor.get((u, i), 1)
                elif op.kind in ("ring", "all"):
                    base *= max(0.5, 1 + 0.05 * gauss(0, 1))
                row.append(base)
            rows.append(row)
        result.append(rows)
    return result


def play(draw, plan, seconds, path):
    """Plays a plan and writes its table. When each iteration of each unit begins, and the end."""
    units, hit = range(len(plan.paths)), set(plan.hit)
    now, begins, rows, deadline = [0.0] * len(units), [], [], 0.0
    leaf = [{lane: f"{plan.paths[u]}/{lane}".rstrip("/") for lane in plan.lanes} for u in units]

    def state(u, lane, name, begin, end):
        if end > begin and (plan.computes or name.startswith("MPI")):
            rows.append(f"{leaf[u][lane]},state,state,{name},{begin:.9f},{end:.9f},,\n")

    for i in range(plan.iterations):
        begins.append(now[:])
        deadline += plan.length[i] + plan.output * plan.has_output(i)
        in_fault = plan.slow > 1 and plan.first <= i < plan.last
        for k, op in enumerate(plan.ops):
            sent, latest = now[:], max(now)
            for u in units:
                length = seconds[u][i][k]
                if op.kind == "ring":
                    others = [(u - 1) % len(units), (u + 1) % len(units)]
                    now[u] = max(sent[u] + length / 4, *(
                        sent[v] + length * (plan.slow if in_fault and hit & {u, v} else 1)
                        for v in others))
                    rows.extend(f"{leaf[v][op.lane]},link,message,data,{sent[v]:.9f},{now[u]:.9f},"
                                f"{leaf[v][op.lane]},{leaf[u][op.lane]}\n"
                                for v in others if plan.links)
                elif op.kind == "all":
                    now[u] = latest + length
                elif op.kind == "until":
                    now[u] = max(now[u], deadline)
                else:
                    now[u] += length
                if op.kind != "sleep":
                    state(u, op.lane, op.name, sent[u], now[u])
                if op.lane.startswith("stream"):
                    state(u, "thread", "cudaStreamSynchronize", sent[u], now[u])
        if plan.counters:
            for u in units:
                speed = 2400 / plan.factor.get((u, i), 1) * (1 + 0.005 * draw.gauss(0, 1))
                rows.append(f"{leaf[u][plan.lanes[-1]]},variable,MHz,{speed:.1f},"
                            f"{begins[i][u]:.9f},{now[u]:.9f},,\n")
    with open(path, "w") as to:
        to.write("resource,category,type,value,begin,end,source,target\n")
        to.writelines(rows)
    return begins + [now]


def platform(plan, slow):
    """A crossbar; slow are lines of a profile of the bandwidth of the links that are hit."""
    hosts = {plan.hosts[u]: u in plan.hit for u in range(len(plan.paths))}
    lines = ['<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM '
             '"https://simgrid.org/simgrid.dtd">\n<platform version="4.1">\n'
             '<zone id="site" routing="Cluster">\n']
    for h, is_hit in hosts.items():
        profile = ""
        if is_hit and slow:
            profile = f' bandwidth_file="slow-{h}"'
            with open(f"slow-{h}", "w") as to:
                to.write(slow)
        lines.append(f'<host id="h{h}" speed="1Gf" core="4"/>\n<link id="l{h}" '
                     f'bandwidth="{BANDWIDTH:.0f}Bps" latency="1us" '
                     f'sharing_policy="SPLITDUPLEX"{profile}/>\n'
                     f'<host_link id="h{h}" up="l{h}_UP" down="l{h}_DOWN"/>\n')
    with open("platform.xml", "w") as to:
        to.writelines(lines + ['<router id="router"/>\n</zone>\n</platform>\n'])


def simulate(plan, seconds, program, slow):
    """Lets SimGrid play a plan in the current folder. When iterations begin, as `play`."""
    number = {"work": 0, "ring": 1, "all": 2, "sleep": 3}
    ring = next(op for op in plan.ops if op.kind == "ring")
    share = plan.hosts.count(0) * 2
    bytes_ = int(ring.share * min(plan.length) * BANDWIDTH / share)
    with open("plan", "wb") as to:
        array.array("d", [plan.iterations, len(plan.ops), bytes_, ring.name == "MPI_Waitall",
                          plan.hosts.count(0)] + [number[op.kind] for op in plan.ops]).tofile(to)
        for rows in seconds:
            array.array("d", [s for row in rows for s in row]).tofile(to)
    platform(plan, slow)
    with open("hosts", "w") as to:
        to.writelines(f"h{h}\n" for h in plan.hosts)
    said = subprocess.run(
        ["smpirun", "-np", str(len(plan.paths)), "-hostfile", "hosts", "-platform", "platform.xml",
         "-trace", "-trace-file", "flat.trace", "--cfg=tracing/precision:9",
         f"--cfg=tracing/smpi/computing:{'yes' if plan.computes else 'no'}",
         "--cfg=network/weight-S:0", "--cfg=smpi/wtime:0", "--cfg=smpi/simulate-computation:no",
         program, "plan"], capture_output=True, text=True, check=False)
    if said.returncode:
        raise RuntimeError(f"seed {plan.seed}: smpirun failed: {said.stderr[-500:]}")
    begins = [[0.0] * len(plan.paths) for _ in range(plan.iterations + 1)]
    for line in said.stdout.splitlines():
        rank, iteration, time = line.split()
        begins[int(iteration)][int(rank)] = float(time)
    return begins


def add_machine(plan, source, path):
    """The trace as SimGrid writes it knows ranks alone."""
    known = set()

    def within(match):
        above, lines = "0", []
        for part in plan.paths[int(match[3])].split("/")[:-1]:
            if part not in known:
                lines.append(f'6 {match[1]} {part} {part.split("-")[0]} {above} "{part}"\n')
            known.add(part)
            above = part
        return "".join(lines) + f'6 {match[1]} {match[2]} 1 {above} "rank-{match[3]}"'

    with open(source) as of:
        text = of.read()
    deep = plan.paths[0].count("/") == 2
    types = "0 switch 0 SWITCH\n0 host switch HOST\n" if deep else "0 host 0 HOST\n"
    text = text.replace("\n0 1 0 MPI\n", f"\n{types}0 1 host MPI\n", 1)
    text = re.sub(r'^6 (\S+) (\d+) 1 0 "rank-(\d+)"', within, text, flags=re.M)
    with open(path, "w") as to:
        to.write(text)


def run_smpi(draw, plan, program):
    """Makes run.trace of a plan in the current folder. What is true of it."""
    seconds = seconds_of(draw, plan)
    slow = usual = ""
    if plan.slow > 1:  # when the run without the fault is where, and how long it takes
        usual = simulate(plan, seconds, program, "")
        begin, end = max(usual[plan.first]), max(usual[plan.last])
        slow = f"{begin} {BANDWIDTH / plan.slow}\n"
        if plan.last < plan.iterations:
            end += (end - begin) * plan.wanted / (1 - plan.wanted)
            slow += f"{end} {BANDWIDTH}\n"
    begins = simulate(plan, seconds, program, slow)
    add_machine(plan, "flat.trace", "run.trace")
    truth = truth_of(plan, seconds, begins)
    if usual:
        run = max(begins[-1])
        truth.update(begin=begin, end=min(end, run) if plan.last < plan.iterations else run)
        truth["size"] = (run - max(usual[-1])) / (truth["end"] - begin)
    return truth


def truth_of(plan, seconds, begins):
    """What is true of a run: where, when, and how much of the time of what it hits."""
    truth = {"begin": 0.0, "end": max(begins[-1]), "size": 0.0}
    run, hit, first, last = truth["end"], plan.hit, plan.first, plan.last
    if plan.kind == "clean":
        return truth
    begin, end = min(begins[first][u] for u in hit), max(begins[last][u] for u in hit)
    step = [begin, end]
    if plan.kind in ("late start", "extra phase"):
        delay = max(abs(seconds[u][first][k]) for (u, _, k) in plan.added)
        return {"begin": begin, "end": max(begins[first][u] for u in hit) + delay,
                "size": delay / run, "step": step}
    if plan.kind == "missing phase":
        truth = {"begin": begin, "end": begin + plan.output, "size": plan.output / run,
                 "step": step}
        if len(hit) == len(plan.paths):  # a point in time, in what is twice as long as others
            after = min(first + plan.period, plan.iterations)
            truth.update(begin=min(begins[first - plan.period]) + (
                plan.output if first > plan.period else 0), end=max(begins[after]), at=begin)
        return truth
    extra = 0.0
    for u in hit:
        for i in range(first, last):
            usual = plan.factor.get((u, i), 1)
            extra += sum(seconds[u][i][k] * (1 - 1 / usual) for k, op in enumerate(plan.ops)
                         if op.kind == "work" and op.share > 0)
            if plan.slow > 1:
                extra += sum(seconds[u][i][k] * (plan.slow - 1)
                             for k, op in enumerate(plan.ops) if op.kind == "ring")
    truth = {"begin": begin, "end": end, "size": extra / (len(hit) * (end - begin))}
    if plan.kind == "growing imbalance":
        truth["step"] = [(begin + end) / 2, end]
    return truth


def write_truth(plan, truth, trace):
    leaves = [f"{path}/{lane}".rstrip("/") for path in plan.paths for lane in plan.lanes]
    every = len(plan.lanes)
    accept = [[u * every + n for u in plan.hit for n in range(every)]]
    if every > 1:
        accept += [[u * every + n for u in plan.hit] for n in range(every)]
    work = [op.name for op in plan.ops if op.kind == "work"]
    names = {"slow switch": next((op.name for op in plan.ops if op.kind == "ring"), None),
             "late start": "init", "extra phase": plan.ops[1].name, "missing phase": "output"}
    name = names.get(plan.kind, work[-1])
    if plan.source == "smpi":
        switched = {"MPI_Waitall": "PMPI_Waitall", "MPI_Wait": "PMPI_Send"}
        name = switched.get(name, "computing")
    truth.update(seed=plan.seed, kind=plan.kind, source=plan.source, shape=plan.shape, trace=trace,
                 type=name, wanted=plan.wanted, apart=plan.apart, iterations=plan.iterations,
                 all=leaves, accept=[] if plan.kind == "clean" else accept)
    with open("truth.json", "w") as to:
        json.dump(truth, to)


def make(seed, folder, version, program):
    """Makes the run of a seed unless it is there. Its folder, or None without SimGrid."""
    plan, draw = draw_plan(seed)
    if plan.source == "smpi" and not program:
        return None
    folder = os.path.join(folder, str(seed))
    stamp = os.path.join(folder, "version-" + version)
    if not os.path.exists(stamp):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        os.chdir(folder)
        if plan.source == "smpi":
            truth, trace = run_smpi(draw, plan, program), "run.trace"
            for name in os.listdir("."):
                if name != trace:
                    os.remove(name)
        else:
            seconds, trace = seconds_of(draw, plan), "run.csv"
            truth = truth_of(plan, seconds, play(draw, plan, seconds, trace))
        write_truth(plan, truth, trace)
        open(stamp, "w").close()
    return folder


def make_all(folder, seeds, jobs):
    """Makes what is missing of runs, and lists the folders of all."""
    folder = os.path.abspath(folder)
    os.makedirs(folder, exist_ok=True)
    with open(__file__, "rb") as own:
        version = hashlib.blake2b(own.read(), digest_size=6).hexdigest()
    program = os.path.join(folder, "program-" + version)
    if not os.path.exists(program):
        with open(program + ".c", "w") as to:
            to.write(PROGRAM)
        try:
            subprocess.run(["smpicc", "-O1", program + ".c", "-o", program], check=True,
                           capture_output=True)
        except (OSError, subprocess.CalledProcessError) as why:
            print(f"runs of SimGrid are left out: {why}", file=sys.stderr)
            program = None
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        tasks = [pool.submit(make, seed, folder, version, program) for seed in seeds]
        return [made for made in (task.result() for task in tasks) if made]
