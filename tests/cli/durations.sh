# stats --durations: histograms against SQL over the events, by window, group and time.
need jq python3

example

cat >check.py <<'END'
import json, random
from program import cli, table

def listed(where):
    return table("sql", "--csv", "trace.db", where)

events = listed("SELECT resource, category, type, value, begin, \"end\", duration, target FROM events "
                "WHERE category IN ('state', 'link')")
for event in events:
    for name in ("begin", "end", "duration"):
        event[name] = float(event[name])
    event["place"] = event["target"] if event["category"] == "link" else event["resource"]
last = max(event["end"] for event in events)

def counted(column):
    sums = ", ".join(f"sum({bin['condition']})" for bin in column["bins"])
    return [int(one) for one in cli("sql", "--csv", "trace.db", f"SELECT {sums} FROM ({column['sql']})").splitlines()[1].split(",")]

def below(path, group):
    return (path + "/").startswith(group + "/")

def in_window(event, begin, end):
    return begin <= event["end"] and (event["end"] < end or end >= last)

def check(words, chosen, slices=0):
    answer = json.loads(cli("stats", "--json", *words, "trace.db"))
    borders = answer["borders"]
    some = [border for border in borders if border[1] > 0]
    assert all(a[1] == b[0] for a, b in zip(some, some[1:])), borders
    assert all(abs(end / begin - 10 ** 0.25) < 1e-9 for begin, end in some), borders
    for column in answer["columns"]:
        own = [event["duration"] for event in chosen(column)
               if in_window(event, column["from"], column["to"])]
        assert column["count"] == len(own), (words, column["group"], column["count"], len(own))
        assert abs(column["sum"] - sum(own)) < 1e-9, words
        assert not own or (column["min"], column["max"]) == (min(own), max(own)), words
        for bin in column["bins"]:
            inside = [one for one in own if (bin["begin"] <= one < bin["end"] if bin["end"] > 0 else one == 0)]
            assert bin["count"] == len(inside), (words, bin, len(inside))
            assert abs(bin["sum"] - sum(inside)) < 1e-9, (words, bin)
        assert sum(bin["count"] for bin in column["bins"]) == len(own), words
        # The question that the program gives leads to the same events.
        assert len(listed(column["sql"])) == len(own), (words, column["sql"])
        assert counted(column) == [bin["count"] for bin in column["bins"]], (words, column)
        assert len(column.get("slices", [])) == slices, words
        width = (column["to"] - column["from"]) / slices if slices else 0
        for index, counts in enumerate(column.get("slices", [])):
            begin = column["from"] + index * width
            own_slice = [event for event in chosen(column) if in_window(event, column["from"], column["to"])
                         and min(slices - 1, int((event["end"] - column["from"]) / width + 1e-9)) == index]
            assert sum(counts) == len(own_slice), (words, index, sum(counts), len(own_slice))
            for (low, high), count in zip(borders, counts):
                assert count == len([1 for event in own_slice if (low <= event["duration"] < high if high > 0 else event["duration"] == 0)])
    return answer

def of(*values):
    return [event for event in events if event["value"] in values]

random.seed(1)
check(["--durations", "PMPI_Wait"], lambda column: of("PMPI_Wait"))
check(["--durations", "PMPI_Wait", "--durations", "PTP"], lambda column: of("PMPI_Wait", "PTP"))
check(["--durations", "*", "--except", "PMPI_Send", "--from", "10%", "--to", "70%"],
      lambda column: [event for event in events if event["value"] != "PMPI_Send"])
check(["--durations", "MPI_STATE", "--only", "PMPI_Bcast"], lambda column: of("PMPI_Bcast"))
check(["--durations", "PTP", "--resource", "nancy/graphite"],
      lambda column: [event for event in of("PTP") if below(event["target"], "nancy/graphite")])
check(["--durations", "PMPI_Wait", "--from", "0.1", "--to", "0.2"], lambda column: of("PMPI_Wait"))
two = check(["--durations", "PMPI_Wait", "--to", "0.15", "--from2", "0.15"], lambda column: of("PMPI_Wait"))
assert [column["window"] for column in two["columns"]] == [0, 1] and sum(column["count"] for column in two["columns"]) == len(of("PMPI_Wait"))
check(["--durations", "PMPI_Allreduce", "--over-time", "7"], lambda column: of("PMPI_Allreduce"), 7)
for at in ("CLUSTER", "SWITCH", "resource"):
    grouped = check(["--durations", "PMPI_Wait", "--durations", "PTP", "--at", at, "--over-time", "3"],
                    lambda column: [event for event in of("PMPI_Wait", "PTP") if below(event["place"], column["group"])], 3)
    assert len(grouped["columns"]) == {"CLUSTER": 3, "SWITCH": 6, "resource": 96}[at], at

# What statistics count, and the same as CSV.
totals = json.loads(cli("stats", "--json", "--from", "20%", "--to", "60%", "--at", "SWITCH", "trace.db"))
for kind in totals["types"]:
    for value in kind["values"]:
        answer = json.loads(cli("stats", "--json", "--from", "20%", "--to", "60%", "--at", "SWITCH", "--durations", value["name"], "trace.db"))
        found = [column for column in answer["columns"] if column["group"] == kind["group"]]
        assert sum(column["count"] for column in found) == value["ended"], (kind["group"], value["name"])
rows = table("stats", "--csv", "--durations", "PMPI_Wait", "--at", "SWITCH", "--over-time", "5", "trace.db")
answer = json.loads(cli("stats", "--json", "--durations", "PMPI_Wait", "--at", "SWITCH", "--over-time", "5", "trace.db"))
for column in answer["columns"]:
    own = [row for row in rows if row["group"] == column["group"]]
    assert [(float(row["begin"]), int(row["count"]), float(row["sum"])) for row in own if row["slice"] == ""] == [
        (bin["begin"], bin["count"], bin["sum"]) for bin in column["bins"]]
    assert sum(int(row["count"]) for row in own if row["slice"] != "") == column["count"]
END
python3 check.py || fail "durations"

# --- Of other traces: states and links that last no time or a year, conditions on what they carry
{
    paje_definitions SetState PushState+line PopState DefineLinkType StartLink+size EndLink+size
    cat <<'END'
0 H 0 host
1 S H state
6 L H H H link
2 0 a H 0 a
END
    awk 'BEGIN {
        count = split("010 12.00 +5 1e3 .5 x* 5. 12345678901234567890123 5 -3 two 0 1e9 12", lines, " ")
        for (i = 1; i <= count; i++) for (j = 0; j < 4; j++) {
            length_of = j == 0 ? 0 : 10 ^ ((i + j) % 11 - 3)
            printf "4 %.9f S a work %s\n5 %.9f S a\n", time, lines[i], time + length_of
            printf "7 %.9f L a data a k%d %s\n8 %.9f L a data a k%d %s\n", time, 4 * i + j,
                lines[i], time + length_of, 4 * i + j, j == 2 ? lines[1 + i % 3] : lines[i]
            time += length_of
        }
    }'
} >odd.trace
cli import odd.trace -o odd.db >/dev/null
files=(odd.db trace.db)
for file in "$shared"/pajeng-states.trace "$shared"/pajengr-starpu-buggy.trace; do
    [ -e "$file" ] || continue
    cli import --lenient "$file" -o "$(basename "$file" .trace).db" >/dev/null 2>&1
    files+=("$(basename "$file" .trace).db")
done
cat >bins.py <<'END'
import json, sys
from program import cli

bins = 0
def check(trace, *words):
    global bins
    answer = json.loads(cli("stats", "--durations", "*", *words, "--json", trace))
    for column in answer["columns"]:
        assert column["sql"], (trace, words, column)
        sums = ", ".join(f"sum({bin['condition']})" for bin in column["bins"])
        if sums:
            got = cli("sql", "--csv", trace, f"SELECT {sums} FROM ({column['sql']})")
            assert got.splitlines()[1] == ",".join(str(bin["count"]) for bin in column["bins"]), (
                trace, words, column, got)
            bins += len(column["bins"])
    return sum(column["count"] for column in answer["columns"])

for trace in sys.argv[1:]:
    check(trace)
    check(trace, "--from", "30%", "--to", "60%", "--from2", "60%")
# By conditions: the numbers are those that tests/cli/where.sh compares with another reader.
some = 0
for condition in ("line = 10", "line > 0", "line <= 5", "line = x*", "line = 1*", "line != 10",
                  "line != x*", "line = 12345678901234567890123", "line = 5", "size >= 10",
                  "size = 1*", "size < 7", "size != 12", "Key = k1*", "Key = k7", "Key != k7"):
    some += check("odd.db", "--where", condition) > 0
assert some == 16, some
check("odd.db", "--where", "line > 0", "--where", "line < 1000", "--where", "size = 1*")
assert bins > 200, bins
END
python3 bins.py "${files[@]}" || fail "the questions of bins"

# --- Text, and pictures with a rectangle for each bin that has something
cli stats --durations PMPI_Wait trace.db >table.txt
[ "$(grep -cE '^ +[0-9.]+ [mun]?s +[0-9.]+ [mun]?s +[0-9]+ ' table.txt)" = \
    "$(cli stats --durations PMPI_Wait --json trace.db | jq '.borders | length')" ] ||
    fail "the table has other lines"
like table.txt '^SELECT \* FROM events WHERE'
! grep -q '^slices' table.txt || fail "the table has slices that nobody asked for"
cli stats --durations PMPI_Wait --over-time 3 trace.db >table.txt
same "where the slices are" "slices     3, counted each in --json, in --csv and in pictures (-o)" \
    "$(grep '^slices' table.txt)"
cli stats --durations 'PMPI_*' --at SWITCH trace.db >table.txt
like table.txt '^6: .*nancy/griffon/griffon-sw3: '
boxes() { grep -cE '^[0-9,]+ events?(, |<)' "$1"; }
cli stats --durations PMPI_Wait --at CLUSTER trace.db -o bars.svg
same "bars" "$(cli stats --durations PMPI_Wait --at CLUSTER --json trace.db |
    jq '[.columns[].bins[]] | length')" "$(boxes bars.svg)"
cli stats --durations PMPI_Wait --over-time 20 trace.db -o fields.svg
same "fields" "$(cli stats --durations PMPI_Wait --over-time 20 --json trace.db |
    jq '[.columns[].slices[][] | select(. > 0)] | length')" "$(boxes fields.svg)"
cli stats --durations '*' --from2 50% --over-time 20 --theme dark trace.db -o fields.png
cli stats --durations '*' --at resource --width 640 trace.db -o many.pdf
test -s fields.png && test -s many.pdf || fail "no picture"
cli stats --durations '*' --at resource trace.db -o many.svg
has many.svg 'plots have no room'
cli --again bars.svg -o again.svg
diff <(grep -v '<command>' bars.svg) <(grep -v '<command>' again.svg) >/dev/null || fail "the picture is drawn otherwise again"

# --- Filters that SQL does not know leave the question out.
same "no SQL" null "$(cli stats --durations PMPI_Wait --min-duration 1ms --json trace.db |
    jq -c '.columns[0].sql')"
same "durations from 1 ms on" "$(cli sql --csv trace.db \
    "select count(*) from events where value = 'PMPI_Wait' and duration >= 0.0009999999" | tail -1)" \
    "$(cli stats --durations PMPI_Wait --min-duration 1ms --json trace.db | jq '.columns[0].count')"

# --- What is wrong
refused 1 'nothing' stats --durations nothing-like-this trace.db
refused 2 '--over-time needs --durations' stats --over-time 3 trace.db
refused 2 '--from2 needs --durations' stats --from2 1ms trace.db
refused 2 '--sort and --durations exclude each other' stats --durations '*' --sort time trace.db
refused 2 '--over-time is 0' stats --durations '*' --over-time 0 trace.db
refused 1 'fewer groups, or fewer slices' stats --durations '*' --at resource --over-time 10000 \
    trace.db
