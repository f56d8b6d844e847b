# --statistic: what is shown of a part is a quantile of its cells, as a script finds it in the
# matrix that export writes; the partition stays as it is.
need python3

example
quiet "$OCELOTL_ROOT/tests/data/fibres.csv" --increment 'PAPI_*' -o fibres.db
cat >check.py <<'END'
import csv, io, json, math
from program import cli

def check(name, words, matrix):
    cells, leaves = {}, set()
    for row in csv.DictReader(io.StringIO(matrix)):
        leaves.add(row["path"])
        cells[row["path"], row["type"], int(row["slice"])] = float(row["value"])
    types = sorted({key[1] for key in cells})
    plain = json.loads(cli("--json", *words))
    checked = 0
    for statistic, percent in (("median", 50), ("q90", 90), ("q1", 1), ("q100", 100)):
        found = json.loads(cli("--json", "--statistic", statistic, *words))
        assert found["percentile"] == percent and len(found["parts"]) == len(plain["parts"]), statistic
        for part, before in zip(found["parts"], plain["parts"]):
            mine = {key: value for key, value in part.items() if key != "shares"}
            assert mine == {key: value for key, value in before.items() if key != "shares"}, (statistic, mine)
            below = [leaf for leaf in leaves if (leaf + "/").startswith(part["node"] + "/") or part["node"] == ""]
            assert len(below) == part["leaves"], (part["node"], len(below), part["leaves"])
            for kind in types:
                values = sorted(cells.get((leaf, kind, slice), 0) for leaf in below for slice in range(part["first"], part["last"] + 1))
                wanted = values[max(0, math.ceil(len(values) * percent / 100) - 1)]
                got = part["shares"].get(kind, 0)
                assert abs(wanted - got) <= 1e-9, (name, statistic, part["node"], kind, wanted, got)
                checked += 1
    assert checked >= 8, (name, checked)
    spreads = check_spreads(name, words, leaves, lambda leaf, kind, slice: cells.get((leaf, kind, slice), 0))
    assert sum(1 for part in plain["parts"] for share in part["shares"].values() if share) == spreads, name
    assert json.loads(cli("--json", "--statistic", "mean", *words)) == plain, "the mean is not the default"

def check_spreads(name, words, leaves, value):
    """parts --quantiles: value gives what a cell is, None for nothing."""
    rows = json.loads(cli("parts", "--quantiles", "--json", *words))["rows"]
    for row in rows:
        below = [leaf for leaf in leaves if (leaf + "/").startswith(row["node"] + "/") or row["node"] == ""]
        all = [value(leaf, row["type"], slice) for leaf in below for slice in range(row["first"], row["last"] + 1)]
        all = sorted(one for one in all if one is not None)
        assert len(all) == row["cells"], (name, row, len(all))
        for column, quarter in zip(("least", "quarter", "median", "three_quarters", "most"), range(5)):
            wanted = all[max(0, math.ceil(len(all) * quarter / 4) - 1)]
            assert abs(row[column] - wanted) <= 1e-9 * max(1, abs(wanted)), (name, row, column, wanted)
    return len(rows)

# Growth of counters, a second's too, and a formula of them.
def matrix_of(name):
    text = cli("export", "--format", "matrix", "--metric", "counter", "--only", name, *fibres)
    return {(row["path"], int(row["slice"])): float(row["value"]) for row in csv.DictReader(io.StringIO(text))}

fibres = ["--slices", "23", "--hierarchy", "trace", "fibres.db"]
above, below = matrix_of("PAPI_L1_DCM"), matrix_of("PAPI_TOT_INS")
leaves = sorted({path for path, _ in below})
length = 575608 / 23 / 1e6
for p in ("0", "0.2", "0.6", "1"):
    for words, value in (
            (["--metric", "counter", "--only", "PAPI_TOT_INS"], lambda l, t, s: below.get((l, s), 0)),
            (["--metric", "counter", "--only", "PAPI_TOT_INS", "--rate"],
             lambda l, t, s: below.get((l, s), 0) / length),
            (["--metric", "1000 * PAPI_L1_DCM / PAPI_TOT_INS"],
             lambda l, t, s: 1000 * above[l, s] / below[l, s] if below.get((l, s)) else None)):
        assert check_spreads(words, [*words, "--p", p, *fibres], leaves, value) > 0

for words in (["--slices", "20"], ["--slices", "20", "--p", "0.2"], ["--kind", "temporal", "--slices", "12"],
              ["--kind", "spatial", "--slices", "12", "--p", "0.2"], ["--from", "30%", "--slices", "9", "--p", "0"],
              ["--slices", "10", "--metric", "event-count", "--p", "0.3"]):
    source = [word for word in words if word not in ("--kind", "temporal", "spatial")]
    words, source = [*words, "--hierarchy", "trace"], [*source, "--hierarchy", "trace"]
    check(words, [*words, "trace.db"], cli("export", "--format", "matrix", *source, "trace.db"))

# A model of one's own, with absent cells and cells of nothing.
lines = ["path,type,slice,value"] + [f"g{i % 3}/r{i},x,{t},{(i * 7 + t * 3) % 11}" for i in range(12) for t in range(8) if (i + t) % 3]
lines += [f"g{i % 3}/r{i},y,{t},{(i + t) % 2}" for i in range(12) for t in range(8)]
with open("own.csv", "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
for p in ("0", "0.4", "1"):
    check("own", ["--p", p, "own.csv"], "\n".join(lines))
END
python3 check.py || fail "a quantile is not that of the cells"
for other in "--why 0" "--sort gain" "--statistic median"; do
    # shellcheck disable=SC2086 # an option and its value
    refused 2 "--quantiles and ${other% *} exclude each other" parts --quantiles $other trace.db
done

# In parts, the treemap and pictures; merged leaves have equal parts of their sum.
cli parts --csv --slices 20 --statistic median trace.db >median.csv
cli parts --csv --slices 20 trace.db >mean.csv
same "parts" "$(wc -l <mean.csv)" "$(wc -l <median.csv)"
! cmp -s mean.csv median.csv || fail "parts does not show the median"
cli --slices 20 --statistic median trace.db -o median.svg
has median.svg 'medians of the cells of a part'
# Several parts drawn as one have the means of their medians, and say so; others do not.
for words in "--smallest 10 --p 0.3" "--kind temporal --smallest 30 --p 0.1"; do
    cli --slices 60 --statistic median $words trace.db -o merged.svg
    merged=$(grep -cE '<title>[0-9,]+ parts(,| too)' merged.svg)
    test "$merged" -gt 1 || fail "$merged parts drawn together with $words"
    same "means of medians with $words" "$merged" \
        "$(grep -A1 -E '<title>[0-9,]+ parts(,| too)' merged.svg |
            grep -c '^means of the medians of these parts')"
    cli --slices 60 $words trace.db -o merged.svg
    ! grep -q '^means of' merged.svg || fail "means of means"
done
cli --slices 60 --statistic q90 trace.db -o q90.html
has q90.html '"percentile":90,'
cli treemap --statistic q90 trace.db -o q90.svg
has q90.svg 'values that 90 % of the cells of a part do not exceed'
cli --json --max-leaves 6 --slices 10 --p 0 --statistic median trace.db >merged.json
cli --json --max-leaves 6 --slices 10 --p 0 trace.db >mean.json
holds "leaves of one slice that are merged have the mean" merged.json \
    '[.parts, $mean[0].parts] | transpose | map(select(.[0].first == .[0].last and .[0].leaves < 20))
     | all(.[0].shares == .[1].shares or .[0].leaves > 16)' --slurpfile mean mean.json

refused 2 '--statistic is "mode", expected mean, median or q1 to q100' --statistic mode trace.db
refused 2 '--statistic is "q101", expected mean, median or q1 to q100' --statistic q101 trace.db
refused 1 '--statistic is of cells that add up, and those of this metric do not' \
    --statistic median --metric state-mean-duration trace.db -o x.svg
