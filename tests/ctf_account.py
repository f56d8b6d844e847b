"""What babeltrace2's text says: events by name, by thread, and time in states that pairs make.

    babeltrace2 --clock-seconds FOLDER | python3 ctf_account.py [BEGIN=END/NAME ..]
"""
import collections
import re
import sys

LINE = re.compile(r"\[(\d+)\.(\d{9})\] \([^)]*\) (?:(\S+) )?((?:[^\s:]+:)?[^\s:]+): (\{.*)$")
counts, threads = collections.Counter(), collections.Counter()
stacks, times = collections.defaultdict(list), collections.Counter()
pairs = {}
for pair in sys.argv[1:]:
    begin, rest = pair.split("=")
    end, name = rest.split("/")
    pairs[begin] = (True, name)
    pairs[end] = (False, name)
first = last = None
for line in sys.stdin:
    found = LINE.match(line)
    if not found:
        continue
    time = int(found[1]) * 10 ** 9 + int(found[2])
    first = time if first is None else min(first, time)
    last = time if last is None else max(last, time)
    name, rest = found[4], found[5]
    thread = re.search(r"\b(?:vtid|tid) = (\d+)", rest)
    counts[name] += 1
    threads[thread[1] if thread else "-"] += 1
    if name in pairs:
        begins, state = pairs[name]
        stack = stacks[(thread and thread[1], state)]
        if begins:
            stack.append(time)
        elif stack:
            times[state] += time - stack.pop()
for name in sorted(counts):
    print("records", name, counts[name])
for thread in sorted(threads):
    if thread != "-":
        print("thread", thread, threads[thread])
for name in sorted(times):
    print("time", name, times[name])
print("span", last - first)
