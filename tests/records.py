"""What a server answers about rectangles, against what the program says: records.py BASE KEY TRACE.
"""
import html
import json
import os
import struct
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request

base, key, trace = sys.argv[1:4]
cli = os.environ["OCELOTL_CLI"]
OPTIONS = [("slices", "60")]
SIZE = [("look.width", "900"), ("look.height", "600")]


def program(*arguments):
    return json.loads(subprocess.run([cli, *arguments], check=True, capture_output=True,
                                     text=True).stdout)


def ask(path, pairs, **headers):
    """The status, the headers and the bytes of an answer."""
    request = urllib.request.Request(f"{base}/api/v1/{path}?{urllib.parse.urlencode(pairs)}",
                                     headers={"X-Ocelotl-Key": key, **headers})
    try:
        with urllib.request.urlopen(request, timeout=600) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def same(what, wanted, got):
    assert wanted == got, f"{what}: {got!r}, expected {wanted!r}"


def nodes():
    """The paths and the rows of all nodes, from the columns."""
    found, follow = [], 0
    while True:
        status, _, page = ask("nodes", OPTIONS + [("next", follow)])
        same("nodes", 200, status)
        first, count, follow, _, kinds, _ = struct.unpack_from("<6I", page)
        same("the first node of a page", len(found), first)
        rows = struct.unpack_from(f"<{count}I", page, 32 + 4 * count)
        at = 32 + 14 * count
        for _ in range(kinds):
            at = page.index(0, at) + 1
        path = b""
        for row in rows:
            kept, rest = struct.unpack_from("<2H", page, at)
            path = path[:kept] + page[at + 4:at + 4 + rest]
            at += 4 + rest
            found.append((path.decode(), row))
        if follow == 0:
            return found


def records(detail, more=()):
    status, headers, got = ask("records", OPTIONS + detail + SIZE + list(more))
    same("records", 200, status)
    first, slices, parts, drawn, merged, p, p_from, p_to, gain, loss, row, rows = \
        struct.unpack_from("<2H3I5d2I", got)
    same("slices", (0, 60, 0), (first, slices, row))
    behind = 64 + 22 * drawn
    same("size", behind + 2 + struct.unpack_from("<H", got, behind)[0], len(got))
    assert p_from <= p <= p_to and rows > 0
    boxes = [struct.unpack_from("<IHHIBBH", got, 64 + 16 * i) for i in range(drawn)]
    numbers = struct.unpack_from(f"<{drawn}I", got, 64 + 16 * drawn)
    shares = [f"{box[5]}.{rest:02}" for box, rest in zip(boxes, got[64 + 20 * drawn:])]
    return headers, got, (p, parts, merged, gain, loss, boxes, numbers, shares,
                          got[behind + 2:].decode())


tree = nodes()
for p in ("0", "0.25", "0.5", "0.9", "1"):
    said = program("--slices", "60", "--p", p, "--json", trace)
    headers, _, (found, parts, merged, gain, loss, boxes, numbers, shares, shades) = \
        records([("p", p)])
    same("p", float(p), found)
    subprocess.run([cli, "--slices", "60", "--p", p, trace, "-o", "it.svg"], check=True)
    assert f">{shades}<" in open("it.svg").read(), shades
    same("parts", len(said["parts"]), parts)
    assert abs(gain - said["gain"]) <= 1e-12 * gain and abs(loss - said["loss"]) <= 1e-12 * loss
    together = 0
    for (node, first, last, leaves, _, _, flags), number, share in zip(boxes, numbers, shares):
        part = said["parts"][number]
        together += flags >> 3 if flags & 1 else 0
        if not flags & 1:
            same("a part", (tree[node][0], first, last, leaves),
                 (part["node"], part["first"], part["last"], part["leaves"]))
            largest = max([0, *(value for name, value in part["shares"].items()
                                if name != "(no state)")])
            same("a share", f"{100 * largest:.2f}", share)
    same("parts drawn together", merged, together)
    same("the command", f"ocelotl-cli --slices 60 --p {p} {trace} -o overview.svg",
         urllib.parse.unquote(headers["Ocelotl-Command"]))

# The picture around them is the plot, its axis, the steps and names of rows; the rest is data.
for kind in ("spatiotemporal", "temporal"):
    status, _, got = ask("frame", [*OPTIONS, ("kind", kind), ("from", "20%"),
                                   ("look.width", "1400"),
                                   ("look.height", "640")])
    frame = json.loads(got)
    left, top, across, down = frame["levels"][0]["frame"]
    assert status == 200 and across >= 1190 and down >= 600 and top < 6 and \
        (left + across > 1394 or kind == "temporal"), (kind, frame["levels"][0]["frame"])
    for name in ("caption", "legend", "whole", "list"):
        assert f'class="{name}"' not in frame["picture"], name
    subprocess.run([cli, "--slices", "60", "--kind", kind, "--from", "20%", trace, "-o", "it.svg"],
                   check=True)
    drawn = html.unescape(open("it.svg").read())
    assert len(frame["notes"]) > 1 and all(note in drawn for note in frame["notes"]), frame["notes"]
    assert all(f">{name}<" in drawn for kind, name, *_ in frame["legend"] if kind == "type"), \
        frame["legend"]
    assert (frame["legend"][-1][0] == "shades") == (kind == "spatiotemporal"), frame["legend"]
seen = json.loads(ask("trace", [])[2])
whole = json.loads(ask("frame", OPTIONS)[2])["instants"]
same("the extent of the trace", [whole[0], whole[-1]], [seen["begin"], seen["end"]])

# A box holds its parts.
said = program("--slices", "60", "--p", "0.5", "--json", trace)
status, _, got = ask("box", OPTIONS + [("p", "0.5"), ("first", "10"), ("last", "50")])
inside = [part for part in said["parts"] if part["first"] >= 10 and part["last"] <= 50]
same("parts in a box", len(inside), json.loads(got)["parts"])
assert abs(sum(part["loss"] for part in inside) - json.loads(got)["loss"]) < 1e-6

# The server does not send an answer that the client has; one that cannot change need not be asked
# for again.
run = json.loads(ask("trace", [])[2])["run"]
headers, _, _ = records([("p", "0.5")])
same("without the run", "private, no-cache", headers["Cache-Control"])
same("with what is had", 304, ask("records", OPTIONS + [("p", "0.5")] + SIZE,
                                  **{"If-None-Match": headers["ETag"]})[0])
same("with what is not", 200, ask("records", OPTIONS + [("p", "0.6")] + SIZE,
                                  **{"If-None-Match": headers["ETag"]})[0])
kept, _, _ = records([("p", "0.5")], [("run", run)])
assert "immutable" in kept["Cache-Control"], kept["Cache-Control"]
same("for whom it is kept", "X-Ocelotl-Key, Accept-Encoding", kept["Vary"])
kept, _, _ = records([("p", "0.5")], [("run", "x" + run[1:])])
assert "immutable" not in kept["Cache-Control"], kept["Cache-Control"]
assert kept["Server-Timing"].startswith("wait;dur="), kept["Server-Timing"]

# Levels come as they are found, and are those of the program; between two p of one level any p is
# known, and is what a fresh solve gives.
lists = [json.loads(ask("found", OPTIONS)[2])]
while lists[-1]["more"]:
    lists.append(json.loads(ask("found", OPTIONS)[2]))
sweep = program("sweep", "--slices", "60", "--json", trace)
same("levels", [(level["p"], level["parts"]) for level in sweep["levels"] if level.get("plateau")],
     [(level["p"], level["parts"]) for level in lists[-1]["found"]["levels"]])
level = max(sweep["levels"], key=lambda one: one["p_to"] - one["p_from"])
low = level["p_from"] + (level["p_to"] - level["p_from"]) * 0.2
high = level["p_from"] + (level["p_to"] - level["p_from"]) * 0.8
for p in (low, high):
    records([("p", repr(p))])
headers, got, (p, parts, *_) = records([("p", repr((low + high) / 2))])
same("a p that is known", "wait;dur=0.00", headers["Server-Timing"].split(",")[0])
known = struct.unpack_from("<2d", got, 24)
assert known[0] <= low and high <= known[1], (known, low, high)
assert level["p_from"] <= known[0] and known[1] <= level["p_to"], (known, level)
same("its parts", level["parts"], parts)
same("its rectangles", len(program("--slices", "60", "--p", repr(p), "--json", trace)["parts"]),
     parts)


# While an answer takes long, others hear how far it is; something newer ends it.
def begin(turn, first):
    found = []
    asked = threading.Thread(target=lambda: found.append(ask("records", [
        ("slices", "500"), ("from", f"{first}%"), ("client", "a"), ("turn", turn), *SIZE])))
    asked.start()
    return asked, found


def course(client):
    status, _, got = ask("progress", [("client", client)])
    same("progress", 200, status)
    return json.loads(got)


for attempt in range(1, 21):
    asked, found = begin(2 * attempt, attempt)
    seen = []
    while asked.is_alive() and not any(one.get("done") for one in seen):
        seen.append(course("a"))
    other = course("b")
    status, *_ = ask("records", [*OPTIONS, ("p", "0.5"), *SIZE, ("client", "a"),
                                 ("turn", 2 * attempt + 1)])
    same("something newer", 200, status)
    asked.join()
    if found[0][0] == 204 and other["step"] is not None:
        break
same("what something newer ended", 204, found[0][0])
same("for whom it was", (True, False), (seen[-1]["own"], other["own"]))
assert 0 < seen[-1]["done"] <= 1 and seen[-1]["seconds"] > 0, seen[-1]
assert seen[-1]["step"] in ("measuring", "solving", "comparing resources"), seen[-1]
same("when nothing runs", {"step": None}, course("a"))

for path, pairs, words in (("records", SIZE + [("p", "2")], "expected"),
                           ("records", [("p", "0.5"), ("look.width", "3")], "expected"),
                           ("nodes", [("below", "99999")], "no node"),
                           ("nodes", [("next", "-1")], "whole number"),
                           ("box", [("rows", "many")], "whole number")):
    status, _, got = ask(path, pairs)
    same(f"{path} {pairs}", 400, status)
    assert words in json.loads(got)["error"], got
