"""What `heap` says of blocks of memory, against arithmetic and a literal model.

    heap_truth.py CLI known TRACE     what tests/heap_program.c allocates, by any recorder
    heap_truth.py CLI random SEED     random calls, paired again by dictionaries
"""
import json
import random
import subprocess
import sys

CLI = sys.argv[1]


def run(*words):
    return subprocess.run([CLI, *map(str, words)], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout


def heap(*words):
    return json.loads(run("heap", "--json", "--most", 1000000, *words))


def same(what, wanted, got):
    if wanted != got:
        sys.exit(f"{what}: expected {wanted}, got {got}")


def links_of(trace):
    """The blocks of a trace: (begin, end or None, size, from, to or '')."""
    rows = json.loads(run("sql", "--json", trace, """SELECT resource, target, begin, end,
        json_extract(attributes, '$.size') AS size FROM events WHERE type = 'allocation'"""))
    rows = rows["rows"] if isinstance(rows, dict) else rows
    return [(r["begin"], r["end"] if r["target"] else None, r["size"], r["resource"],
             r["target"] or "") for r in rows]


def sweep(links):
    """The most bytes alive, and since when: the largest value of a step function."""
    steps = {}
    for begin, end, size, _, _ in links:
        steps[begin] = steps.get(begin, 0) + size
        if end is not None:
            steps[end] = steps.get(end, 0) - size
    alive, peak, when = 0, 0, None
    for time in sorted(steps):
        alive += steps[time]
        if alive > peak:
            peak, when = alive, time
    return peak, when


def digits(path):
    """Numbers in a name as numbers, to sort threads by."""
    return [int(word) if word.isdigit() else word
            for word in "".join(c if c.isdigit() else f" {c} " for c in path).split()]


# --- The program

def check_known(trace):
    def size(k, i):
        return 1000 * (k + 1) + i

    found = heap(trace)
    rows = {(r["by"], r["name"], r["freed_by"]): r for r in found["rows"]}
    # Recorders and the C library have small blocks of their own.
    small = [r for (by, name, _), r in rows.items()
             if by == "size" and int(name.split()[0]) < 512]
    whole = rows["all", "all", None]

    def without(column):
        return whole[column] - sum(r[column] for r in small)

    made = [size(k, i) for k in range(4) for i in range(200)]
    stays = [size(k, i) for k in range(1, 4) for i in range(150, 199)] + 3 * [100000]
    same("blocks", len(made) + 4, without("blocks"))
    same("bytes", sum(made) + 4 * 100000, without("bytes"))
    same("peak", sum(made), found["peak_bytes"] - sum(r["alive_bytes"] for r in small))
    same("alive at the peak", len(made), without("alive"))
    same("leaked", len(stays), without("leaked"))
    same("leaked bytes", sum(stays), without("leaked_bytes"))
    same("freed by others", 50, without("elsewhere"))
    threads = sorted((r for r in found["rows"] if r["by"] == "thread" and r["blocks"] > 50),
                     key=lambda r: digits(r["name"]))
    same("threads", 4, len(threads))
    names = [r["name"] for r in threads]
    pairs = {(names.index(a), names.index(b)): rows["pair", a, b] for by, a, b in rows
             if by == "pair" and a in names and b in names
             and rows["pair", a, b]["bytes"] >= 1000}
    for k in range(4):
        own = [size(k, i) for i in [*range(150), 199]]
        same(f"freed by {k}", (len(own), sum(own)),
             (pairs[k, k]["blocks"], pairs[k, k]["bytes"]))
    rest = [size(0, i) for i in range(150, 199)] + [100000]
    same("freed by 3 of 0", (len(rest), sum(rest)),
         (pairs[0, 3]["blocks"], pairs[0, 3]["bytes"]))
    same("pairs", {(0, 0), (1, 1), (2, 2), (3, 3), (0, 3)}, set(pairs))


# --- Random calls

def make_calls(seed):
    """Calls of three threads in order, none across another: (thread, begin, end, name, arguments).
    Addresses are few, so that they are used again; some are never given back, some not known."""
    chance = random.Random(seed)
    calls, live, time = [], [], 10
    for _ in range(chance.randrange(1, 300)):
        thread, begin = chance.randrange(3), time
        end = begin + chance.randrange(1, 4)
        time = end + chance.randrange(1, 4)
        kind = chance.choice(["malloc", "malloc", "calloc", "realloc", "free", "free", "odd"])
        size, block = chance.choice([0, 1, 7, 100, 4096]), chance.randrange(1, 40) * 16
        known = chance.choice(live) if live and chance.random() < 0.9 else block
        if kind == "malloc":
            given = {"size": size, "ptr": hex(block)}
        elif kind == "calloc":
            given = {"nmemb": 3, "size": size, "return_value": block}
        elif kind == "realloc":
            block = chance.choice([known, block, 0])
            given = {"size": size, "ptr": known, "return_value": block}
        elif kind == "free":
            given = {"ptr": chance.choice([hex(known), known, 0])}
        else:
            kind, given = chance.choice([("malloc", {"size": 5, "ptr": 0}),
                                         ("realloc", {"in_ptr": 0, "size": 3, "ptr": block}),
                                         ("free", {}), ("calloc", {"ptr": 16})])
        live.append(block)
        calls.append((thread, begin, end, kind, given))
    return calls


def pair(calls):
    """The blocks, frees of unknown ones, and calls that say too little; by the rules as written."""
    def number(text):
        return int(text, 0) if isinstance(text, str) else text or 0

    steps, left_out = [], 0
    for thread, begin, end, kind, given in calls:
        if kind == "free":
            if "ptr" not in given:
                left_out += 1
            elif number(given["ptr"]):
                steps.append((begin, "free", number(given["ptr"]), thread))
            continue
        if "size" not in given:
            left_out += 1
            continue
        size = given["size"] * given.get("nmemb", 1)
        block = number(given.get("return_value", given.get("ptr")))
        old = number(given.get("in_ptr", given.get("ptr") if "return_value" in given else 0))
        if block == 0 and size > 0:
            continue
        if old:
            steps.append((end if old == block else begin, "free", old, thread))
        if block:
            steps.append((end, "alloc", block, thread, size, kind))
    live, blocks, unknown, made = {}, [], 0, {}
    for step in sorted(steps, key=lambda s: s[0]):
        time, what, address, thread = step[:4]
        if what == "alloc":
            made[thread] = made.get(thread, 0) + 1
            block = {"begin": time, "end": None, "size": step[4], "by": thread, "to": None,
                     "serial": made[thread], "kind": step[5], "temporary": 0}
            live[address] = block
            blocks.append(block)
        elif address in live:
            block = live.pop(address)
            block["end"], block["to"] = time, thread
            block["temporary"] = int(block["serial"] == made[block["by"]])
        else:
            unknown += 1
    return blocks, unknown, left_out


def sums(blocks, at):
    alive = [b for b in blocks if b["begin"] <= at and (b["end"] is None or b["end"] > at)]
    stays = [b for b in blocks if b["end"] is None]
    return {"blocks": len(blocks), "bytes": sum(b["size"] for b in blocks),
            "alive": len(alive), "alive_bytes": sum(b["size"] for b in alive),
            "temporary": sum(b["temporary"] for b in blocks),
            "elsewhere": sum(b["to"] is not None and b["to"] != b["by"] for b in blocks),
            "leaked": len(stays), "leaked_bytes": sum(b["size"] for b in stays)}


def check_windows(seed, last):
    """A window and resources choose blocks by where and when they are allocated; SQL's links say
    what these are. Times are whole nanoseconds."""
    def ns(seconds):
        return round(seconds * 1e9) if seconds is not None else None

    chance = random.Random(seed)
    serials, blocks = {}, []
    for begin, end, size, by, to in sorted(links_of("blocks.db"), key=lambda link: link[0]):
        serials.setdefault(by, []).append(ns(begin))
        blocks.append({"begin": ns(begin), "end": ns(end), "size": size, "by": by, "to": to})
    if not blocks:
        return
    for _ in range(3):
        low, high = sorted(chance.sample(range(last + 2), 2))
        by = chance.choice(["", *{b["by"] for b in blocks}])
        least = chance.choice([0, 0, 8])
        words = ["--from", f"{low}ns", "--to", f"{high}ns", *(["--resource", by] if by else [])]
        own = [b for b in blocks if by in ("", b["by"])]
        for trace in ("random.db", "blocks.db") if not least else ("blocks.db",):
            of = [b for b in own if b["size"] >= least]
            chosen = [b for b in of if low <= b["begin"] < high]
            earlier = [b for b in of
                       if b["begin"] < low and (b["end"] is None or b["end"] > low)]
            more = ["--where", f"size >= {least}"] if least else []
            try:
                found = heap(trace, *words, *more)
            except subprocess.CalledProcessError as failed:
                same(f"{trace}, {words}: nothing", (1, 0, 0),
                     (failed.returncode, len(chosen), len(earlier)))
                continue
            row = next((r for r in found["rows"] if r["by"] == "all"), {})
            stays = [b for b in chosen if b["end"] is None]
            peak, when = sweep([(b["begin"], b["end"], b["size"], 0, 0) for b in chosen])
            same(f"{trace}, {words}, {more}",
                 [len(chosen), sum(b["size"] for b in chosen), len(stays), peak, when or 0,
                  len(earlier), sum(b["size"] for b in earlier)],
                 [row.get("blocks", 0), row.get("bytes", 0), row.get("leaked", 0),
                  found["peak_bytes"], round(found["peak_time"] * 1e9),
                  found["earlier_blocks"], found["earlier_bytes"]])
            if not least:
                same(f"temporary of {trace}, {words}",
                     sum(b["end"] is not None and
                         not any(b["begin"] < t < b["end"] for t in serials[b["by"]])
                         for b in chosen),
                     row.get("temporary", 0))


def size_name(size):
    low = 1 << size.bit_length() - 1 if size else 0
    return f"{low} to {2 * low - 1}" if size else "0"


def check_random(seed):
    calls = make_calls(seed)
    events = [{"ph": "M", "name": "thread_name", "pid": 1, "tid": t, "args": {"name": f"t{t}"}}
              for t in range(3)]
    events += [{"ph": "X", "name": kind, "pid": 1, "tid": thread, "ts": begin / 1000,
                "dur": (end - begin) / 1000, "args": given}
               for thread, begin, end, kind, given in calls]
    # The trace begins at 0, whatever it holds.
    events.append({"ph": "X", "name": "run", "pid": 1, "tid": 9, "ts": 0, "dur": 5})
    with open("random.json", "w", encoding="utf-8") as file:
        json.dump(events, file)
    run("import", "--force", "random.json", "-o", "random.db")
    blocks, unknown, left_out = pair(calls)
    if len(calls) == left_out:
        return
    at = random.Random(seed).randrange(calls[-1][2] + 10)
    peak, when = sweep([(b["begin"], b["end"], b["size"], 0, 0) for b in blocks])
    run("heap", "--force", "random.db", "-o", "blocks.db")
    for trace in ("random.db", "blocks.db"):
        for words, instant in (([], when or 0), (["--alive-at", f"{at}ns"], at)):
            found = heap(trace, *words)
            same("peak", peak, found["peak_bytes"])
            if peak:
                same("time of the peak", when, round(found["peak_time"] * 1e9))
                same("alive at", instant, round(found["alive_at"] * 1e9))
            if trace == "random.db":
                same("unknown", unknown, found["unknown_frees"])
                same("left out", left_out, found["left_out"])
            groups = {("all", "all", None): blocks} if blocks else {}
            for b in blocks:
                groups.setdefault(("thread", f"t{b['by']}", None), []).append(b)
                groups.setdefault(("size", size_name(b["size"]), None), []).append(b)
                if b["to"] is not None:
                    groups.setdefault(("pair", f"t{b['by']}", f"t{b['to']}"), []).append(b)
            rows = {(r["by"], r["name"].split("/")[-1] if r["by"] != "size" else r["name"],
                     r["freed_by"] and r["freed_by"].split("/")[-1]): r for r in found["rows"]}
            same(f"rows of {trace}", set(groups), set(rows))
            for key, of in groups.items():
                wanted = sums(of, instant if peak or words else -1)
                for column, value in wanted.items():
                    if key[0] != "pair" or column in ("blocks", "bytes", "temporary"):
                        same(f"{trace}, {key}, {column}", value, rows[key][column])
    # One truth: the links in flight, as SQL has them.
    same("peak of links", peak, sweep(links_of("blocks.db"))[0])
    check_windows(seed, calls[-1][2] + 10)


if sys.argv[2] == "known":
    check_known(sys.argv[3])
else:
    first, count = int(sys.argv[3]), int(sys.argv[4])
    for chosen in range(first, first + count):
        try:
            check_random(chosen)
        except SystemExit as wrong:
            sys.exit(f"seed {chosen}: {wrong}")
