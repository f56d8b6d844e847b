# Comparisons of two traces and of two windows, against sums over the output of pj_dump; and refused
# requests.
need jq pj_dump xmllint python3

example
unpack "$sample" >it.trace
pj_dump -l 9 it.trace | grep '^State, [^,]*, MPI_STATE' | tr -d ' ' >states.csv
metadata() { xmllint --xpath "string(//*[local-name()='$2'])" "$1"; }

# Seconds of a value ($1) within a window ($2 to $3), over the number of ranks.
seconds() {
    awk -F , -v v="$1" -v from="$2" -v to="$3" '$8 == v {
        b = $4 < from ? from : $4; e = $5 > to ? to : $5; if (e > b) s += e - b
    } END { printf "%.12f", s / 96 }' states.csv
}
cli compare --slices 50 --to 0.1 --from2 0.15 --to2 0.28 trace.db trace.db --json >got.json
for value in PMPI_Bcast PMPI_Allreduce PMPI_Wait; do
    first=$(seconds "$value" 0 0.1)
    second=$(seconds "$value" 0.15 0.28)
    row=$(jq -c --arg v "$value" '.changes[] | select(.node == "" and .type == $v)' got.json)
    near "$value before" "$first" "$(jq .first <<<"$row")" 1e-6
    near "$value after" "$second" "$(jq .second <<<"$row")" 1e-6
    near "$value change" "$(awk -v a="$first" -v b="$second" 'BEGIN { print (b - a) * 96 }')" \
        "$(jq .change <<<"$row")" 1e-5
done
holds "order" got.json \
    '[.changes[].change | fabs] as $c | [range(1; $c | length)] | all($c[.] <= $c[. - 1] * 1.000001)'
holds "the same resources" got.json \
    '.first.only == [] and .second.only == [] and .first.leaves == 96'
cli compare --slices 50 --to 0.1 --from2 0.15 --to2 0.28 trace.db trace.db --csv >got.csv
holds "the unit" got.json '.unit == "s"'
near "a duration" 0.13 "$(jq .second.duration got.json)" 1e-6
python3 - got.json got.csv <<'END' || fail "the CSV has other numbers than the JSON"
import csv
import json
import sys

told = json.load(open(sys.argv[1], encoding="utf-8"))
rows = list(csv.DictReader(open(sys.argv[2], encoding="utf-8", newline="")))
wanted = [("duration", "", "", told["first"]["duration"], told["second"]["duration"], "", "")]
wanted += [("phase", "", each["type"], each["first"], each["second"], "", "") for each in told["phases"]]
wanted += [("change", each["node"], each["type"], each["first"], each["second"], str(each["leaves"]), str(int(each["named"])))
           for each in told["changes"]]
got = [(row["what"], row["path"], row["type"], float(row["first"]), float(row["second"]), row["leaves"], row["named"]) for row in rows]
changes = [float(row["change"]) for row in rows]
assert got == wanted, next(both for both in zip(got, wanted) if both[0] != both[1])
assert changes[1:] == [each["change"] for each in told["phases"] + told["changes"]]
assert abs(changes[0] - 0.03) < 1e-6
END

# Phases are all of the window, one after the other, in both.
for which in first second; do
    holds "phases of the $which" got.json \
        '(.phases | length) > 1 and (.phases[0]["begin_" + $w] == 0) and
        ([.phases[][$w]] | add - $length | fabs) < 1e-9 and
        ([.phases[:-1], .phases[1:]] | transpose | all((.[0]["begin_" + $w]
        + .[0][$w] - .[1]["begin_" + $w] | fabs) < 1e-9))' \
        --arg w $which --argjson length "$(jq .$which.duration got.json)"
done

# The table has all types of the whole, then what is named elsewhere, both down to the floor; what
# is below is counted.
cli compare --slices 50 --to 0.1 --from2 0.15 --to2 0.28 trace.db trace.db >got.txt
rows() { sed -n "/^$1\$/,/^\$/p" got.txt | sed '1,2d; /^and /d; /^$/d; s/^.\{57\}//'; }
listed='(if .node == "" then "(whole)" else .node end) + ", " + .type'
same "totals" \
    "$(jq -r ".floor.change as \$floor | .changes[] | select(.node == \"\" and (.change | fabs) >= \$floor) | $listed" got.json)" "$(rows 'in all')"
same "rows" "$(jq \
    -r ".floor.change as \$floor | .changes[] | select(.named and .node != \"\" and (.change | fabs) >= \$floor) | $listed" got.json)" \
    "$(rows 'where it is not alike')"
holds "the floor" got.json \
    '.floor.change as $floor | [.changes[] | select(.named) | .change | fabs] as $all |
    ([$all[] | select(. < $floor)] | length) == .floor.below and ([$all[] | select(. >= $floor)] |
    length) == .floor.above and
    (([$all[] | select(. < $floor)] | add // 0) / ($all | add) - .floor.share | fabs) < 1e-9 and
    .floor.above <= 30'
grep -q "^and $(jq .floor.below \
    got.json) changes below [0-9.]* [mun]*s, .* % of all together (--every-node .*)$" got.txt ||
    fail "nothing is said of what is left out"
cli compare trace.db trace.db --to 50% --from2 50% >got.txt
cli compare trace.db trace.db --to 50% --from2 50% --every-node >all.txt
[ "$(wc -l <all.txt)" -gt "$(wc -l <got.txt)" ] || fail "--all lists no more"
head -1 got.txt | grep -qx 'both take 144.6 ms' || fail "the first line: $(head -1 got.txt)"

# A trace is as it is.
cli compare trace.db trace.db >same.txt
head -1 same.txt | grep -qx 'nothing has changed' || fail "$(cat same.txt)"
holds "no change" <(cli compare trace.db trace.db --json) '[.changes[].change] | all(. == 0)'

# Pictures: one raw p, the same colours, one legend.
cli compare --slices 40 --to 50% --from2 60% --to2 90% trace.db trace.db -o both.svg >/dev/null
xmllint --noout both.svg || fail "both.svg is not well-formed"
same "raw p" "$(metadata both.svg p_raw)" "$(metadata both.svg second_p_raw)"
cli --slices 40 --to 50% --json trace.db >auto.json
near "that of the first" "$(jq .p_raw auto.json)" "$(metadata both.svg p_raw)" 1e-12
same "legends" 1 "$(grep -c 'class="legend"\|id="legend"\|data-name="legend"' both.svg || true)"
cli compare --slices 40 --p-raw 0.25 trace.db trace.db -o raw.svg >/dev/null
heights=$(grep -A 1 'class="hierarchy"' both.svg | grep -oE '<rect [^>]*' |
    sed -E 's/.* height="([0-9]+)".*/\1/' | tr '\n' ' ')
awk '{ exit !(NF == 2 && $1 > 100 && $1 - $2 <= 1 && $2 - $1 <= 1) }' <<<"$heights" ||
    fail "plots are $heights pixels high"
same "captions" 2 "$(grep -cE ' · raw p 0\.[0-9]{1,4} ' both.svg)"
same "a raw p that is given" 0.25 "$(metadata raw.svg second_p_raw)"
for kind in spatial temporal; do
    cli compare --kind $kind --slices 40 trace.db trace.db --stretch -o $kind.png >/dev/null
    cmp -s <(head -c 4 $kind.png) <(printf '\211PNG') || fail "$kind.png is no PNG"
done

# Two models by hand: b/y is in one alone, c in the other, and of x all changes.
printf 'path,type,slice,value\na/x,run,0,1\na/x,wait,0,0\na/x,run,1,1\nb/y,run,0,1\n' >one.csv
printf 'path,type,slice,value\na/x,run,0,0\na/x,wait,0,2\na/x,wait,1,2\nc,run,0,1\n' >two.csv
cli compare one.csv two.csv --json >got.json
holds "only in one" got.json '.first.only == ["b"] and .second.only == ["c"]'
holds "the change" got.json \
    '[.changes[] | select(.node == "a/x") | [.type, .first, .second, .change]] | sort ==
    [["run", 1, 0, -2], ["wait", 0, 2, 4]]'
cli compare one.csv two.csv >got.txt
grep -qx 'only in the first: b' got.txt || fail "the table does not name what only one has"
cli compare one.csv two.csv -o models.svg >/dev/null

printf 'path,type,slice,value\nz,run,0,1\n' >elsewhere.csv
printf 'path,type,slice,value\na/x,think,0,1\n' >otherwise.csv
refused 1 'have no resource in common: the first has "a", the second "z"' compare one.csv \
    elsewhere.csv
refused 1 'have no type in common: the first has "run", the second "think"' compare one.csv \
    otherwise.csv
refused 2 '1 TRACE given, expected two' compare one.csv
refused 2 '--json and --csv exclude each other' compare --json --csv one.csv two.csv
refused 1 'the metric state-mean-duration does not add up' compare --metric state-mean-duration \
    trace.db trace.db
refused 1 '--from2 needs a trace' compare --from2 1s one.csv two.csv

# The message for an impossible window names the option that was given.
refused 1 '--from2 is 500s, and the trace goes from @0 s' compare --from2 500s trace.db trace.db
refused 1 '--to2 is @-1s, and the trace goes from @0 s' compare --to2 @-1s trace.db trace.db
refused 1 '--from2 is 0.2s, after --to2, which is 0.1s' compare --from2 0.2s --to2 0.1s trace.db \
    trace.db
refused 1 '--from2 is 90%, after --to2, which is 0.1s' compare --from2 90% --to2 0.1s trace.db \
    trace.db
refused 1 '--from2 0.1s and --to2 0.1s leave no tick of the trace between them' compare \
    --from2 0.1s --to2 0.1s trace.db trace.db
refused 1 '--from is 500s, and the trace goes' compare --from 500s --from2 0.1s trace.db trace.db
