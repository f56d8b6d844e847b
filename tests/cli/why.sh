# Why a part is cut: a sentence, terms that add up, and types that make the cut, which is gone from
# the best partition at the same raw p once --except takes them out.
need jq

example
of=(--slices 60 --json)
cli parts --slices 60 --json trace.db >parts.json
count=$(jq '.parts | length' parts.json)
cli parts --slices 60 --why 5 trace.db >why.txt
has why.txt "Part 5 ($(jq -r '.parts[5].node' parts.json), 144.6 ms to 188 ms) is cut from part 4" \
    'before it because of PMPI_Allreduce: without it one block would be as good as these 2 parts' \
    'The cut spares 16.55 % of the loss and gives up 0.18 % of the gain.'
cli parts --slices 60 --why 5 --csv trace.db >why.csv
cli parts "${of[@]}" --why 5 trace.db >why.json
same "columns" cut,by,part,name,first,last,gain,loss,difference,taken_out "$(head -n 1 why.csv)"
holds "the same numbers" why.json '[.cuts[] | .cut, .difference] == $rows' --argjson rows \
    "$(python3 -c 'import csv, json
print(json.dumps([x for r in csv.DictReader(open("why.csv")) if r["by"] == "all"
                  for x in (r["cut"], float(r["difference"]))]))')"

# Every cut of every part, without the types that make it: these are all at the same raw p.
for part in $(seq 0 $((count - 1))); do
    cli parts "${of[@]}" --why "$part" trace.db >"why-$part.json"
    cli parts --slices 60 --why "$part" --csv trace.db >"why-$part.csv"
done
cat >check.py <<'END'
import csv, json, pathlib, subprocess, os
def cli(*words):
    words = [os.environ["OCELOTL_CLI"], "parts", "--slices", "60", "--json", *words, "trace.db"]
    return json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
found, cuts, gone = {}, 0, 0
for path in sorted(pathlib.Path().glob("why-*.json")):
    answer = json.loads(path.read_text())
    rows = list(csv.DictReader(path.with_suffix(".csv").open()))
    for cut in answer["cuts"]:
        mine = [row for row in rows if row["cut"] == cut["cut"]]
        for by in "type", "piece":
            for column in "gain", "loss", "difference":
                terms = sum(float(row[column]) for row in mine if row["by"] == by)
                assert abs(terms - cut[column]) <= 1e-9 * (1 + abs(cut[column])), (path, cut, terms)
        assert cut["difference"] >= 0, (path, cut)
        out = tuple(cut["taken_out"])
        if not out:
            assert cut["cut"] in ("time", "resources"), (path, cut)
            continue
        cuts += 1
        if out not in found:
            words = [word for name in out for word in ("--except", name)]
            found[out] = {(part["node"], part["first"], part["last"]) for part in
                          cli("--p-raw", repr(answer["p_raw"]), *words)["parts"]}
        pieces = {(row["name"].replace("the whole", ""), int(row["first"]), int(row["last"]))
                  for row in mine if row["by"] == "piece"}
        assert not pieces <= found[out], (path, cut)
        gone += any(first <= cut["first"] and last >= cut["last"] and
                    (node == "" or (cut["node"] + "/").startswith(node + "/"))
                    for node, first, last in found[out])
assert cuts > 20 and gone > 0.8 * cuts, (cuts, gone)
END
python3 check.py || fail "differences"

# Tooltips say the cut of a part that is worth most.
cli --slices 60 trace.db -o why.svg 2>/dev/null
cat >tooltips.py <<'END'
import json, pathlib, xml.etree.ElementTree
told = 0
for title in xml.etree.ElementTree.parse("why.svg").iter("{http://www.w3.org/2000/svg}title"):
    first, *_, last = [*title.text.split("\n"), title.text.split("\n")[-1]]
    if not first.startswith("part ") or not last.startswith("cut from "):
        continue
    told += 1
    cuts = json.loads(pathlib.Path(f"why-{first[5:]}.json").read_text())["cuts"]
    made = [cut for cut in cuts if cut["taken_out"] and cut["cut"] != "inside"]
    most = max(made, key=lambda cut: cut["difference"])
    assert f" is {last}: without " in most["sentence"], (title.text, most["sentence"])
assert told > 20, told
END
python3 tooltips.py || fail "tooltips"

# Other kinds, a matrix, and what is refused.
for kind in temporal spatial; do
    cli parts --slices 60 --kind $kind --parts 7 --why 1 trace.db >why.txt
    like why.txt '^Part 1 .* is cut from .* because of '
done
printf 'path,type,slice,value\na,x,0,1\na,x,1,1\nb,x,0,9\nb,x,1,9\n' >cells.csv
cli parts --p 0.3 --why 1 cells.csv >why.txt
has why.txt 'Part 1 (b, slices 0 to 1) is cut from part 0 beside it in the whole because of x: '
refused 1 '--why is 31, expected one of the parts 0 to 30' parts --slices 60 --why 31 trace.db
refused 2 '--why and --sort exclude each other' parts --why 3 --sort gain trace.db
refused 2 '--why is "x", expected' parts --why x trace.db
