"""Waits and delays by their definitions (docs/waiting.md), event by event, against the program's:

    waiting_explained.py PROGRAM TRACE..    TRACE is a file, or a number: a made trace of that seed
"""
import collections
import csv
import decimal
import fnmatch
import functools
import json
import random
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
SLICES = 7
TICKS = 10 ** 12  # of a second


def run(*words):
    done = subprocess.run([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def make(path, seed):
    """Ranks that compute, send, receive, meet in barriers, wake each other, launch kernels and wait
    for them, in whole seconds: ties abound."""
    chance = random.Random(seed)
    ranks = chance.randrange(2, 7)
    streams = chance.randrange(1, 4)
    now = [SLICES] * (ranks + streams)
    states, links = [], []
    launched = collections.defaultdict(set)

    def state(rank, value, begin, end):
        states.append((rank, value, begin, end))
        now[rank] = end

    for _ in range(chance.randrange(5, 60)):
        kind = chance.choice(["compute", "message", "message", "barrier", "wake", "launch",
                              "launch", "synchronise"])
        a, b = chance.sample(range(ranks), 2)
        stream = chance.randrange(ranks, ranks + streams)
        if kind == "compute":
            state(a, "work", now[a], now[a] + chance.randrange(0, 9))
        elif kind == "message":
            sent, begin = now[a], now[b]
            synchronous = chance.random() < 0.3
            arrives = max(sent, begin) + chance.randrange(0, 3)
            state(a, "MPI_Send", sent, max(arrives if synchronous else sent, sent))
            value = chance.choice(["MPI_Recv", "MPI_Wait"])
            state(b, value, begin, arrives)
            links.append((a, b, sent, arrives, "L,m"))
        elif kind == "wake":
            wakes = max(now[a], now[b]) + chance.randrange(0, 3)
            state(b, chance.choice(["blocked", "blocked in I/O"]), now[b], wakes)
            state(a, "work", now[a], wakes)
            links.append((a, b, wakes, wakes, "Waking,"))
        elif kind == "launch":
            begin = max(now[a], now[stream]) + chance.randrange(0, 3)
            links.append((a, stream, now[a], begin, "Flow,ac2g"))
            state(stream, chance.choice(["kernel", "ncclKernel_SendRecv", "Stream Wait Event"]),
                  begin, begin + chance.randrange(0, 5))
            launched[a].add(stream)
        elif kind == "synchronise":
            of = [now[s] for s in launched[a]] if chance.random() < 0.8 else []
            over = max([now[a], *of]) + chance.randrange(0, 2)
            state(a, chance.choice(["cudaDeviceSynchronize", "hipStreamSynchronize"]), now[a], over)
        else:
            over = max(now[:ranks]) + chance.randrange(0, 3)
            for rank in range(ranks):
                state(rank, "MPI_Barrier", now[rank], over)
    with open(path, "w") as out:
        out.write("resource,category,type,value,begin,end,source,target\n")
        for rank in range(ranks + streams):
            out.write(f"all/r{rank},resource,,,0,{max(now) + 1},,\n")
        for rank, value, begin, end in states:
            out.write(f"all/r{rank},state,S,{value},{begin},{end},,\n")
        for a, b, sent, received, name in links:
            out.write(f"all/r{a},link,{name},{sent},{received},all/r{a},all/r{b}\n")
    return path


class Trace:
    def __init__(self, database):
        self.states = collections.defaultdict(list)
        self.rows = collections.defaultdict(list)  # states by resource and type
        self.life, self.messages, self.received_late = {}, [], {}
        self.type_of, self.launches, self.said = {}, [], {}
        text = run("export", "--format", "csv", database)
        rows = list(csv.DictReader(text.splitlines()))

        def at(text):
            return int(decimal.Decimal(text) * TICKS)  # times are printed in full

        for row in rows:
            self.type_of[row["resource"]] = row["resource_type"]
            if row["category"] == "resource":
                self.life[row["resource"]] = at(row["begin"]), at(row["end"])
            if row["category"] == "state":
                self.states[row["resource"]].append((at(row["begin"]), at(row["end"]),
                                                     row["value"]))
                self.rows[row["resource"], row["type"]].append(self.states[row["resource"]][-1])
                said = json.loads(row.get("attributes") or "{}")
                if "Collective name" in said:
                    self.said[row["resource"], *self.states[row["resource"]][-1]] = said
            if row["category"] == "link" and row["source"] and row["target"]:
                launches = any(fnmatch.fnmatch(row["value"], name) for name in LAUNCHES)
                kind = "launch" if launches else "waking" if row["type"] == "Waking" else "message"
                sent = at(row["begin"])
                if launches:
                    self.launches.append((row["source"], row["target"], sent, at(row["end"])))
                self.messages.append((row["source"], row["target"], sent,
                                      sent if launches else at(row["end"]), kind))
        info = json.loads(run("info", "--json", database))
        self.bounds = at(str(info["begin"])), at(str(info["end"]))
        self.length, self.resources = info["duration"], info["resources"]
        for row in rows:  # resources that are there from begin to end have no row of their own
            self.life.setdefault(row["resource"], self.bounds)

    def add_kernels(self, order):
        """To whom waits for kernels the last is a message that ends by then, of equals the first
        stream's; streams are those that it launched on, with the lanes below them."""
        for resource in list(self.states):
            on = {target for source, target, *_ in self.launches if source == resource}
            kernels = [(end, -order[s], s) for s in on for _, end, _ in self.kernels(s)]
            for begin, end, value in self.states[resource]:
                ended = [kernel for kernel in kernels if kernel[0] <= end]
                if awaits(value) == "kernels" and begin < end and ended:
                    self.messages.append((max(ended)[2], resource, max(ended)[0], end, "kernels"))

    def kernels(self, stream):
        return [s for row in self.states if row == stream or row.startswith(stream + "/")
                for s in self.states[row] if awaits(s[2]) != "kernels"]

    def idle(self):
        """Waits of streams for the launch of the next kernel, once those before it have ended."""
        kernels = {stream: self.kernels(stream) for _, stream, *_ in self.launches}
        for source, stream, sent, begins in self.launches:
            since = max([end for begin, end, _ in kernels[stream] if begin < begins] +
                        [self.life[stream][0]])
            then = [value for begin, _, value in kernels[stream] if begin == begins]
            if then and since < sent <= begins:
                yield stream, since, sent, source, then[0], begins

    def blocking(self, resource, time, kind, opens=False):
        """The state that is over first of those around an instant; of equals the longest."""
        found = [s for s in self.states[resource] if s[0] < s[1] and
                 (s[0] <= time < s[1] if opens else s[0] < time <= s[1]) and
                 awaits(s[2]) == kind]
        return min(found, key=lambda s: (s[1], s[0]), default=None)

    def collectives(self):
        """The k-th states of a name, or of what PyTorch says, where all resources that have it have
        equally many; or those that have a number, where as many have it as any. Calls that launch
        kernels are none."""
        names = ["*Barrier", "*Allreduce", "*Alltoall", "*Allgather", "nccl*AllReduce*",
                 "nccl:all_reduce"]
        kinds = ["*all*reduce*", "*all*gather*", "*reduce*scatter*", "*all*to*all*", "*barrier*"]
        of = collections.defaultdict(lambda: collections.defaultdict(list))
        kernels = any(fnmatch.fnmatch(s[2].lower(), "*ccl*kernel*")
                      for all_of in self.states.values() for s in all_of)
        for resource, all_of in self.states.items():
            for state in all_of:
                said = self.said.get((resource, *state), {})
                kind, number = said.get("Collective name", ""), said.get("Seq")
                if kernels and (said.get("cat", "kernel") != "kernel" or
                                state[2].startswith("nccl:")):
                    continue
                if any(fnmatch.fnmatch(kind, pattern) for pattern in kinds):
                    of[kind, said.get("Process Group Name"), said.get("Process Group Ranks"),
                       number][resource].append(state)
                elif not said and any(fnmatch.fnmatch(state[2], pattern) for pattern in names):
                    of[state[2],][resource].append(state)
        most = collections.Counter()
        for key, found in of.items():
            ranks = len(json.loads(key[2])) if len(key) > 1 and key[2] else 0
            most[key[:3]] = max(most[key[:3]], len(found), ranks)
        for key, found in of.items():
            times = {len(states) for states in found.values()}
            if len(found) < max(2, most[key[:3]]) or len(times) > 1 or \
                    (len(key) > 1 and key[3] is not None and times != {1}):
                continue
            for k in range(max(times)):
                yield {r: states[k] for r, states in found.items()}


LAUNCHES = ["ac2g", "async*gpu"]
AWAITS = {"waking": ["blocked*"],
          "kernels": ["cu*synchronize", "hip*synchronize", "cudamemcpy", "hipmemcpy",
                      "hipmemcpywithstream", "* sync", "* wait event"],
          "message": ["*recv*", "*wait*", "*probe*"],
          "receiver": ["*send*"]}


@functools.lru_cache(None)
def awaits(state):
    """What is waited for in a state: the first that its name says."""
    return next((kind for kind, words in AWAITS.items()
                 if any(fnmatch.fnmatch(state.lower(), word) for word in words)), None)


def find_waits(trace, order):
    """Lists of resource, begin, end, cause, value, when that has arrived; in order and apart."""
    waits = list(trace.idle())
    idle = {(wait[0], wait[2], wait[3]) for wait in waits}
    ended = collections.defaultdict(list)
    for source, target, sent, received, kind in trace.messages:
        state = trace.blocking(target, received, kind) if kind != "launch" else None
        if state:
            ended[target, state].append((sent, received, order[source], source))
        sends = trace.blocking(source, sent, "receiver", True) if kind == "message" else None
        if sends and state and state[0] <= sends[1]:
            waits.append((source, sends[0], state[0], target, sends[2], state[0]))
            trace.received_late[source, target, sent, received] = state[0]
    for (target, state), messages in ended.items():
        last = max(messages)
        waits.append((target, state[0], last[0], last[3], state[2], last[1]))
    operations = [m for m in trace.collectives()  # and all wait
                  if min(s[1] for s in m.values()) >= max(s[0] for s in m.values())]
    for members in operations:
        last = max(members, key=lambda r: (members[r][0], -order[r]))
        for r, state in members.items():
            entered = members[last][0]
            waits.append((r, state[0], entered, last, state[2], entered))
    apart = []
    waits = [w for w in waits if w[1] < w[2] and w[0] != w[3]]
    waits.sort(key=lambda w: (order[w[0]], w[1], -w[2], order[w[3]]))
    for r, begin, end, cause, value, resumed in waits:
        if apart and apart[-1][0] == r:
            begin = max(begin, apart[-1][2])
        if begin < end:
            apart.append((r, begin, end, cause, value, resumed))
    return apart, operations, {
        i for i, wait in enumerate(apart) if (wait[0], wait[2], wait[3]) in idle}


def find_meeting(trace, operations, wait):
    """When the two last met, at one instant: when what was received was sent, or when the receiver
    began if the sender was still sending; or when the last entered what the two took part in. Else
    when each began."""
    here, begin, end, there = wait[:4]
    met = [max(state[0] for state in m.values()) for m in operations
           if here in m and there in m and m[here][1] <= begin]
    for source, target, sent, received, kind in trace.messages:
        if {source, target} == {here, there} and received <= begin:
            met.append(max(sent, trace.received_late.get((source, target, sent, received), sent)))
    if met and max(met) > trace.life[here][0]:
        return max(met), max(met)
    return min(trace.life[here][0], begin), min(trace.life[there][0], end)


def overlap(wait, begin, end):
    return max(0, min(wait[2], end) - max(wait[1], begin))


def find_delays(trace, waits, operations, idle):
    """Lists of resource, begin, end, value, weight; and what has no explanation."""
    of = collections.defaultdict(list)
    for i, wait in enumerate(waits):
        of[wait[0]].append(i)

    def spent(resource, begin, end):
        until = max(begin, min([waits[i][1] for i in of[resource]
                                if waits[i][1] < end < waits[i][2]] + [end]))
        during = [i for i in of[resource]
                  if waits[i][2] <= end and overlap(waits[i], begin, end) > 0]
        waited = sum(overlap(waits[i], begin, end) for i in during)
        return begin, until, during, waited, until - begin - waited

    def follow(i):
        """The waits that end when this one does, cause after cause."""
        chain = [i]
        while True:
            end, cause = waits[chain[-1]][2:4]
            found = [j for j in of[cause] if waits[j][2] == end]
            if not found or found[0] in chain:
                return chain
            chain.append(found[0])

    passed = [0.0] * len(waits)
    delays, unexplained, done = [], 0.0, set()
    for i in sorted(range(len(waits)), key=lambda i: (-waits[i][2], -len(follow(i)), i)):
        done.add(i)
        here, begin, end, there, value, _ = waits[i]
        amount = passed[i] + (0 if i in idle else end - begin)
        met_here, met_there = find_meeting(trace, operations, waits[i])
        mine = spent(here, met_here, begin)
        other = spent(there, met_there, end)
        worked, waited = max(0, other[4] - mine[4]), max(0, other[3] - mine[3])
        own = worked / (worked + waited) if worked + waited > 0 else 1
        own = own if other[4] > 0 else 0
        if own < 1 and other[3] > 0 and max(other[2]) not in done:
            for j in other[2]:
                share = overlap(waits[j], other[0], end) / other[3]
                passed[j] += amount * (1 - own) * share
        else:
            unexplained += amount * (1 - own)
        if own > 0:
            weight = amount * own / other[4]
            at = other[0]
            for j in sorted(of[there], key=lambda j: waits[j][1]) + [None]:
                stop = other[1] if j is None else min(other[1], max(at, waits[j][1]))
                if at < stop:
                    delays.append((there, at, stop, value, weight))
                at = max(at, stop if j is None else min(other[1], waits[j][2]))
    return delays, unexplained


def find_path(trace, waits, operations, order):
    """Resource, begin and end of all pieces of the critical path, the last first."""
    time = trace.bounds[1]
    part = {trace.type_of[r] for message in trace.messages for r in message[:2]}
    part |= {trace.type_of[r] for members in operations for r in members}
    ends = collections.defaultdict(int)
    for (row, _), states in trace.rows.items():
        end = max(s[1] for s in states)
        asleep = trace.blocking(row, end, "waking")
        profiler = row.split("/")[-1].startswith("PyTorch Profiler")
        if trace.type_of[row] in part and not profiler:
            ends[row] = max(ends[row], asleep[0] if asleep else end)
    resource = min((r for r in ends if ends[r] == max(ends.values())), key=order.get)
    stays = 0
    while time > trace.bounds[0]:
        over = [w for w in waits if w[0] == resource and w[2] <= time and w[5] <= time]
        if not over or stays > trace.resources:
            yield resource, trace.bounds[0], time
            break
        last = max(over, key=lambda w: w[1])
        yield resource, last[2], time  # what it does, and before that the message on its way
        stays = 0 if last[2] < time else stays + 1
        time, resource = last[2], last[3]


WORKLESS = ["mpi_*", "pmpi_*", "nccl*", "rccl*", "*barrier*", "shmem*", "ready", "blocked", "sleep",
            "sleeping", "idle", "idling", "free", "inactive", "parked"]


@functools.lru_cache(None)
def works(state):
    return not awaits(state) and not any(fnmatch.fnmatch(state.lower(), w) for w in WORKLESS)


def innermost(states):
    """What of each state no state within it takes."""
    around, at = [], 0
    inner = sorted(reversed(states), key=lambda s: (s[0], -s[1]))  # they come as they end
    for state in inner + [(float("inf"), 0, "")]:
        while around and around[-1][1] <= state[0]:
            yield at, around[-1][1], around[-1][2]
            at = around.pop()[1]
        if around:
            yield at, state[0], around[-1][2]
        at = state[0]
        around.append(state)


def find_work(trace):
    """Work of resources: no state is, too, where nothing else that is traced is."""
    untraced = not any(works(s[2]) and s[0] < s[1] for row in trace.states.values() for s in row)
    for resource, states in trace.states.items():
        pieces, at = list(innermost(states)), trace.life[resource][0]
        yield from ((resource, *piece, 1) for piece in pieces if works(piece[2]))
        for begin, end in sorted(p[:2] for p in pieces) + [(trace.life[resource][1], 0)]:
            if untraced and at < begin:
                yield resource, at, begin, "(no state)", 1
            at = max(at, end)


def check_work(source, trace, database):
    """The metric and the efficiencies, of the resources that have states of the type shown."""
    if len(trace.rows) > len(trace.states):
        return
    first, last = trace.bounds
    found = read(database, "work")
    shown = {key[0] for key in found}
    wanted = fill((piece for piece in find_work(trace) if piece[0] in shown), first, last)
    length = trace.length
    for key in set(wanted) | set(found):
        assert abs(wanted[key] - found[key] * length / SLICES) < 1e-9, \
            (source, "work", key, wanted[key], found[key])
    of = collections.Counter()
    for (resource, _, _), seconds in wanted.items():
        of[resource] += seconds
    found = json.loads(run("waiting", "--json", database))
    if not any(of.values()):
        return
    transit = sum(p["end"] - p["begin"] for p in found["path"] if "source" in p)
    mean, most = sum(of.values()) / len(shown), max(of.values())
    ideal = max(length - transit, most)
    wanted = {"work": mean, "parallel": mean / length, "balance": mean / most,
              "serialisation": most / ideal, "transfer": ideal / length}
    for key, number in wanted.items():
        near = abs(found["whole"][key] - number) < 1e-9 + 1e-15 * last / TICKS / length
        assert near, (source, key, found["whole"], number)
        assert key == "work" or number < 1 + 1e-12, (source, key, number)


def fill(spans, first, last):
    """Seconds by resource, value and slice."""
    cells = collections.Counter()
    for resource, begin, end, value, weight in spans:
        for k in range(SLICES):
            low = first + (last - first) * k / SLICES
            high = first + (last - first) * (k + 1) / SLICES
            cells[resource, value, k] += max(0, min(end, high) - max(begin, low)) * weight / TICKS
    return cells


def read(database, metric):
    found = collections.Counter()
    text = run("export", "--format", "matrix", "--metric", metric, "--slices", str(SLICES),
               "--plain", "--hierarchy", "trace", "--most-types", "0", database)
    for row in csv.DictReader(text.splitlines()):
        path = row["path"].removesuffix("/.")  # of a resource that has others below it
        found[path, row["type"], int(row["slice"])] += float(row["value"])
    return found


def check(source, database):
    trace = Trace(database)
    paths = run("sql", "--csv", database, "SELECT path FROM resources ORDER BY id")
    order = {row["path"]: i for i, row in enumerate(csv.DictReader(paths.splitlines()))}
    trace.add_kernels(order)
    waits, operations, idle = find_waits(trace, order)
    delays, unexplained = find_delays(trace, waits, operations, idle)
    first, last = trace.bounds
    spans, launch = ([(r, b, e, v, 1) for i, (r, b, e, _, v, _) in enumerate(waits)
                      if (i in idle) == launches] for launches in (False, True))
    total = sum(e - b for _, b, e, _, _ in spans) / TICKS
    for metric, wanted in ("wait", spans), ("wait-launch", launch), ("wait-caused", delays):
        wanted, found = fill(wanted, first, last), read(database, metric)
        for key in set(wanted) | set(found):
            assert abs(wanted[key] - found[key]) < 1e-9 * max(1, total), \
                (source, metric, key, wanted[key], found[key])
    pieces = [(r, b, e, "", 1) for r, b, e in find_path(trace, waits, operations, order)]
    wanted, found = fill(pieces, first, last), collections.Counter()
    for (resource, _, k), number in read(database, "critical-path").items():
        found[resource, "", k] += number
    for key in set(wanted) | set(found):
        assert abs(wanted[key] - found[key]) < 1e-9, (source, "path", key, wanted[key], found[key])
    assert abs(sum(found.values()) - (last - first) / TICKS) < 1e-9, (source, "makespan")
    check_work(source, trace, database)
    caused = sum(fill(delays, first, last).values())
    assert abs(total - caused - unexplained / TICKS) < 1e-9 * max(1, total), \
        (source, total, caused, unexplained)
    return len(waits)


count = 0
for source in sys.argv[2:]:
    with tempfile.TemporaryDirectory() as folder:
        path = make(folder + "/made.csv", int(source)) if source.isdigit() else source
        run("import", path, "-o", folder + "/made.db")
        try:
            count += check(source, folder + "/made.db")
        except AssertionError as failed:
            if "has no" not in str(failed):
                raise
print(count, "waits")
assert count > 0
