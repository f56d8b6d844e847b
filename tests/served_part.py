"""Details of parts against the matrix of the same model: served_part.py BASE KEY MATRIX PARTS.

Gain and loss are computed here from the cells, as include/ocelotl/aggregation.h defines them."""
import csv
import json
import math
import sys
import urllib.parse
import urllib.request

base, key, matrix, parts_file = sys.argv[1:]
P = 0.3

cells = {}
leaves, types, slices = set(), [], 0
with open(matrix, encoding="utf-8") as file:
    for row in csv.DictReader(file):
        leaves.add(row["path"])
        if row["type"] not in types:
            types.append(row["type"])
        slices = max(slices, int(row["slice"]) + 1)
        if float(row["value"]) > 0:
            cells[row["path"], row["type"], int(row["slice"])] = float(row["value"])


def x_log_x(x):
    return x * math.log2(x) if x > 0 else 0


def below(node):
    return [leaf for leaf in leaves if node in ("", leaf) or leaf.startswith(node + "/")]


def measures(node, first, last, only=None):
    """Gain and loss of a node over slices."""
    found = below(node)
    gain = loss = 0
    for kind in types if only is None else [only]:
        values = [cells.get((leaf, kind, t), 0) for leaf in found for t in range(first, last + 1)]
        saved = x_log_x(sum(values)) - sum(map(x_log_x, values))
        gain += saved
        loss += sum(values) * math.log2(len(values)) - saved
    return gain, loss


def children(node):
    depth = node.count("/") + 1 if node else 0
    return {"/".join(leaf.split("/")[:depth + 1]) for leaf in below(node) if leaf != node}


def total(pieces):
    found = [measures(*piece) for piece in pieces]
    return sum(one[0] for one in found), sum(one[1] for one in found)


def close(what, wanted, got):
    assert abs(wanted - got) <= 1e-6 * max(1, abs(wanted)), f"{what}: {got}, expected {wanted}"


def ask(part):
    query = urllib.parse.urlencode({"hierarchy": "trace", "slices": slices, "p": P,
                                    "node": part["node"], "first": part["first"],
                                    "last": part["last"], "number": part["id"]})
    request = urllib.request.Request(f"{base}/api/v1/part?{query}",
                                     headers={"X-Ocelotl-Key": key})
    with urllib.request.urlopen(request, timeout=600) as answer:
        body = answer.read()
    assert len(body) <= 32 * 1024, len(body)
    return json.loads(body)


def check_cut(name, cut, terms):
    """Of cuts that the partition makes, against all parts in their block; terms add up."""
    for by in "all", "type", "piece":
        for column in "gain", "loss", "difference":
            close(f"{name} by {by}", cut[column],
                  sum(row[column] for row in terms if row["by"] == by))
    close(name, RAW * cut["gain"] - (1 - RAW) * cut["loss"], cut["difference"])
    if name in ("time", "resources"):
        return
    block = cut["node"], cut["first"], cut["last"]
    inside = [part for part in listed["parts"]
              if below(part["node"])[0] in below(block[0]) and part["first"] <= block[2]
              and part["last"] >= block[1]]
    assert len(inside) == cut["pieces"], (name, len(inside), cut["pieces"])
    gain, loss = measures(*block)
    close(f"gain of {name}", sum(part["gain"] for part in inside) - gain, cut["gain"])
    close(f"loss of {name}", sum(part["loss"] for part in inside) - loss, cut["loss"])
    assert cut["taken_out"] == [] or cut["difference"] > 0, cut


with open(parts_file, encoding="utf-8") as file:
    listed = json.load(file)
whole = measures("", 0, slices - 1)
RAW = P / whole[0] / (P / whole[0] + (1 - P) / whole[1])
assert len(listed["parts"]) > 20
for part in listed["parts"][::len(listed["parts"]) // 20]:
    answer = ask(part)
    one = answer["part"]
    place = part["node"], part["first"], part["last"]
    close("gain", part["gain"], one["gain"])
    close("loss", part["loss"], one["loss"])
    close("gain in per cent", 100 * part["gain"] / whole[0], one["gain_percent"])
    for row in one["types"]:
        gain, loss = measures(*place, row["type"])
        close(f"gain of {row['type']}", gain, row["gain"])
        close(f"loss of {row['type']}", loss, row["loss"])
    cuts = {cut["cut"]: cut for cut in one["cuts"]}
    for name, cut in cuts.items():
        check_cut(name, cut, [row for row in one["terms"] if row["cut"] == name])
    if len(children(part["node"])) > 1:
        gain, loss = total([(child, *place[1:]) for child in children(part["node"])])
        close("gain by resources", part["gain"] - gain, cuts["resources"]["gain"])
        close("loss by resources", part["loss"] - loss, cuts["resources"]["loss"])
        assert cuts["resources"]["pieces"] == len(children(part["node"]))
    in_time = [total([(place[0], place[1], cut - 1), (place[0], cut, place[2])])
               for cut in range(part["first"] + 1, part["last"] + 1)]
    assert ("time" in cuts) == bool(in_time), place
    if in_time:
        best = max(RAW * gain - (1 - RAW) * loss for gain, loss in in_time)
        own = RAW * part["gain"] - (1 - RAW) * part["loss"]
        close("pic by time", own - best, cuts["time"]["difference"])
    own = [sibling for sibling in one["siblings"] if sibling["own"]]
    assert place[0] == "" or [sibling["node"] for sibling in own] == [place[0]], own
    assert any(f"--part {part['id']}" in line or f"--part {part['id']}" in line
               for _, line in answer["commands"]), answer["commands"]
