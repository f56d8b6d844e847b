"""Counts what trace events say, by a reader of its own: chrome_reader.py FILE, JSON to stdout.

Reads plain text from a file; a list may end anywhere, its whole elements count."""
import json
import sys
from collections import Counter, defaultdict
from decimal import Decimal

text = open(sys.argv[1], encoding="utf-8", errors="replace").read().lstrip("\ufeff")
try:
    whole = json.loads(text, parse_float=Decimal)
    events = whole["traceEvents"] if isinstance(whole, dict) else whole
except json.JSONDecodeError:
    events, place, decoder = [], text.index("[") + 1, json.JSONDecoder(parse_float=Decimal)
    try:
        while True:
            place += len(text[place:place + 100]) - len(text[place:place + 100].lstrip(" \n\r\t,"))
            event, place = decoder.raw_decode(text, place)
            events.append(event)
    except json.JSONDecodeError:
        pass
events = [event for event in events if event]
counts = Counter(event["ph"] for event in events)
events = [event for event in events if not (event["ph"] == "X" and event["name"][:6] == "Total "
                                            and {"count", "avg ms"} <= event["args"].keys())
          and event.get("cat") != "Trace" and event.get("pid") != "Traces"
          and event.get("name") != "Record Window End"]
slices = [e for e in events if e["ph"] == "X" and e.get("dur") is not None]
opened, pairs, alone, chains = defaultdict(list), 0, 0, defaultdict(list)
timed = sorted((e for e in events if e["ph"] != "M"), key=lambda e: Decimal(str(e["ts"])))
for event in timed:
    kind = event["ph"]
    key = (event.get("pid"), event.get("tid"))
    if kind in "beSF":
        key = (event.get("cat"), str(event.get("id", event.get("id2"))), event.get("scope"),
               event["name"] if kind in "SF" else None)
    if kind in "BbS" or (kind == "X" and event.get("dur") is None):
        opened[key].append(event)
    elif kind in "EeF":
        pairs, alone = (pairs + 1, alone) if opened[key] else (pairs, alone + 1)
        del opened[key][-1:]
    elif kind in "stf":
        chains[event.get("cat"), event.get("name"), str(event.get("id"))].append(kind)
names = defaultdict(lambda: [0, 0])
for event in slices:
    names[event["name"]][0] += 1
    names[event["name"]][1] += round(Decimal(str(event["dur"])) * 1000)
samples = sum(isinstance(value, (int, Decimal)) for event in events if event["ph"] == "C"
              for value in event.get("args", {}).values())
links = sum(1 for chain in chains.values() if "s" in chain for kind in chain if kind != "s")
print(json.dumps({
    "records": counts, "slices": len(slices), "pairs": pairs, "alone": alone,
    "open": sum(map(len, opened.values())), "samples": samples, "links": links,
    "names": [[name, *names[name]] for name in sorted(names)],
    "time": str(sum(Decimal(str(e["dur"])) for e in slices) / 1000000)}))
