# Conditions on attributes, against the output of pj_dump; filters of the events of a window or a
# part; and several resources at once.
need jq pj_dump

# Three hosts with states that carry a line, and links that carry a size and a tag (the latter not
# always), by a generator of numbers that is the same everywhere.
awk 'function below(n) { seed = (seed * 16807) % 2147483647; return seed % n }
function definition(name, number, fields,    i, count, list) {
    print "%EventDef " name " " number
    count = split(fields, list, ",")
    for (i = 1; i <= count; i++) print "% " list[i]
    print "%EndEventDef"
}
BEGIN {
    seed = 42
    definition("PajeDefineContainerType", 0, "Alias string,Type string,Name string")
    definition("PajeDefineStateType", 1, "Alias string,Type string,Name string")
    definition("PajeDefineLinkType", 2, "Alias string,Type string,StartContainerType string,EndContainerType string,Name string")
    definition("PajeCreateContainer", 3, "Time date,Alias string,Type string,Container string,Name string")
    definition("PajePushState", 4, "Time date,Type string,Container string,Value string,line int")
    definition("PajePopState", 5, "Time date,Type string,Container string")
    definition("PajeStartLink", 6, "Time date,Type string,Container string,Value string,StartContainer string,Key string,size double,tag string")
    definition("PajeEndLink", 7, "Time date,Type string,Container string,Value string,EndContainer string,Key string")
    definition("PajeDestroyContainer", 8, "Time date,Name string,Type string")
    definition("PajeStartLink", 9, "Time date,Type string,Container string,Value string,StartContainer string,Key string,size double")
    print "0 H 0 host\n1 S H state\n2 L 0 H H link"
    split("a b c", hosts, " "); split("red rose blue 12 12.0", tags, " ")
    for (h = 1; h <= 3; h++) print "3 0 " hosts[h] " H 0 " hosts[h]
    for (i = 0; i < 600; i++) {
        time += 0.001 * (1 + below(9))
        h = 1 + below(3); target = 1 + (h % 3)
        printf "4 %.3f S %s %s %d\n", time, hosts[h], below(2) ? "work" : "rest", below(100)
        if (below(4) == 0)
            printf "9 %.3f L 0 %s %s k%d %d.5\n", time, below(2) ? "data" : "ack", hosts[h], i,
                below(5000)
        else
            printf "6 %.3f L 0 data %s k%d %d %s\n", time, hosts[h], i, below(5000),
                tags[1 + below(5)]
        if (below(4)) value = 1
        time += 0.001 * (1 + below(9))
        printf "5 %.3f S %s\n", time, hosts[h]
        open[i] = target
        if (i >= 3) printf "7 %.3f L 0 %s %s k%d\n", time, "VALUE", hosts[open[i - 3]], i - 3
    }
    for (h = 1; h <= 3; h++) printf "8 %.3f %s H\n", time + 0.01, hosts[h]
}' | awk '$1 == 6 || $1 == 9 { value[$7] = $5 } $1 == 7 && NF == 7 { $5 = value[$7] } { print }' \
>it.trace
cli import it.trace -o it.db >/dev/null 2>import.err || fail "import: $(cat import.err)"
pj_dump -u -z -l 9 it.trace >dump.txt
[ "$(grep -c '^Link' dump.txt)" -gt 500 ] || fail "too few links: $(grep -c '^Link' dump.txt)"
pj_dump -z -l 9 it.trace >plain.txt

# Of a line of pj_dump -u: of links ($9 the sender, $10 key) the size, the tag or none; of states
# the line.
kept() { # AWK_CONDITION: what of links meets it, as pj_dump prints it
    awk -F ', ' '$1 == "Link" { size = $11; tag = $12; has = NF > 11; key = $10
        if ('"$1"') { $0 = $1 FS $2 FS $3 FS $4 FS $5 FS $6 FS $7 FS $8 FS $9 FS $10; print } }' \
        dump.txt | sort
}

# check AWK_CONDITION CONDITION...: the listing, the statistics and the metrics of links are sums
# over what pj_dump says.
check() {
    local condition=$1 where=() it leaves
    shift
    for it in "$@"; do where+=(--where "$it"); done
    kept "$condition" >wanted.txt
    cli export --format pjdump --digits 9 --type link "${where[@]}" it.db | grep '^Link' |
        sort >got.txt || true
    cmp -s wanted.txt got.txt ||
        fail "$*: $(wc -l <wanted.txt) links, got $(wc -l <got.txt): $(diff wanted.txt got.txt |
        head -3)"
    [ -s wanted.txt ] || fail "$*: nothing is wanted"
    awk -F ', ' '$1 == "Link" { size = $11; tag = $12; has = NF > 11; key = $10
        if ('"$condition"') { n++; s += size; t += $6 } } END { printf "%d %.9g %.9f\n", n, s, t }' dump.txt >sums.txt
    read -r count bytes time <sums.txt
    cli stats --json --type link "${where[@]}" it.db >got.json
    holds "stats $*" got.json \
        '.types[0] | .ended == $count and ((.ended_time - $time) | fabs) < 1e-6 and
        (.attributes[] | select(.name == "size") | (.sum - $bytes) | fabs) < 1e-3' \
        --argjson count "$count" --argjson bytes "$bytes" --argjson time "$time"
    for it in link-count-received:"$count" link-bytes-received:"$bytes"; do
        cli --metric "${it%:*}" --slices 1 --p 1 --json "${where[@]}" it.db >got.json
        leaves=$(jq '.parts[0].leaves' got.json)
        near "${it%:*} $*" "${it#*:}" \
            "$(jq --argjson leaves "$leaves" '.parts[0].shares | add * $leaves' got.json)" 1e-9
    done
    cli gantt --type link --links 100000 --width 8000 --smallest 1 "${where[@]}" it.db -o got.svg
    has got.svg "where"
}
check 'size >= 2500' 'size >= 2500'
check 'size < 2500' 'size<2500'
check 'size > 1000 && size <= 3000' 'size > 1000' 'size <= 3000'
check 'size != 4000' 'size != 4000'
check 'has && tag == "red"' 'tag = red'
check 'has && tag ~ /^r/' 'tag = r*'
check 'has && tag !~ /^r/' 'tag != r*'
check 'has && tag + 0 == 12' 'tag = 12'
check 'has && tag ~ /^12/ && size < 4000' 'tag >= 11.9' 'size < 4e3'
check 'key ~ /5$/' 'Key = *5'
check 'has && tag == "rose" && key ~ /^k1/ && size > 10' 'tag = rose' 'Key=k1*' 'size > 10'

# The sender's and the receiver's view, by resource and slice; what is on its way at a time.
for metric in link-count link-bytes link-{count,bytes}-in-flight{,-received}; do
    cli --metric $metric --slices 7 --p 0 --json it.db >all.json
    cli --metric $metric --slices 7 --p 0 --json --where 'size >= 2500' it.db >large.json
    cli --metric $metric --slices 7 --p 0 --json --where 'size < 2500' it.db >small.json
    near "$metric of both" \
        "$(jq '[.parts[] | (.shares | add // 0) * .leaves * (.last - .first + 1)] | add' \
        all.json)" \
        "$(jq -s '[.[].parts[] | (.shares | add // 0) * .leaves * (.last - .first + 1)] | add' \
        large.json small.json)" 1e-9
done
same "of a window" \
    "$(awk -F ', ' '$1 == "Link" && $4 >= 1.0005 && $4 < 2.0005 && $11 >= 2500' dump.txt | wc -l)" \
    "$(cli stats --csv --type link --from 1.0005 --to 2.000499 --where 'size >= 2500' it.db |
    awk -F, '$4 == 1 { print $5 }')"

# States: what fails becomes untraced; what carries nothing of the kind stays.
seconds=$(jq '.end' all.json)
total=$(awk -F ', ' '$1 == "State" && $9 <= 30 { s += $6 } END { printf "%.9f", s }' dump.txt)
cli --slices 1 --p 1 --json --where 'line <= 30' it.db >got.json
near "states" "$total" "$(jq --argjson length "$seconds" \
    '[.parts[0].shares | to_entries[] | select(.key != "(no state)").value] | add * $length * 3' \
    got.json)" 1e-6
holds "what is untraced" got.json '.parts[0].shares | (add - 1 | fabs) < 1e-9'
holds "filters in words" got.json '.filters == "where line <= 30"'
cli stats --json --where 'line <= 30' it.db >got.json
near "time of states" "$total" \
    "$(jq '[.types[] | select(.category == "state") | .innermost] | add' got.json)" 1e-9
holds "links stay" got.json '[.types[] | select(.category == "link") | .ended] == [$count]' \
    --argjson count "$(grep -c '^Link' dump.txt)"
same "lines of states" "$(awk -F ', ' '$1 == "State" && $9 <= 30' dump.txt | wc -l)" \
    "$(cli export --type state --where 'line <= 30' it.db | sed 1d | wc -l)"

# What a link carries at its end counts as what it carries at its beginning, and as bytes where it
# is carried.
{
    grep -B99 '^%EndEventDef' it.trace | sed -n '/^%EventDef PajeEndLink/,/^%EndEventDef/!p' |
        grep '^%'
    printf '%s\n' '%EventDef PajeEndLink 7' '% Time date' '% Type string' '% Container string' \
        '% Value string' '% EndContainer string' '% Key string' '% hops int' '%EndEventDef'
    printf '%s\n' '0 H 0 host' '2 L 0 H H link' '3 0 a H 0 a' '3 0 b H 0 b' \
        '6 1 L 0 m a k1 100 red' '6 2 L 0 m a k2 200 red' \
        '7 4 L 0 m b k1 5' '7 8 L 0 m b k2 3' '8 10 a H' '8 10 b H'
} >hops.trace
cli import hops.trace -o hops.db >/dev/null
same "by the end" "k1" "$(cli export --where 'hops > 3' --where 'size = 100.0' hops.db |
    awk -F, 'NR > 1 { print $12 }')"
refused 1 "--where 'hops > 3' and --where 'size = 200' leave nothing to show" export \
    --where 'hops > 3' --where 'size = 200' hops.db
for metric in link-bytes link-bytes-received; do
    same "hops as bytes, $metric" '[{"first":2,"hops":5}]' \
        "$(cli --metric $metric --attribute hops --slices 5 --p 0 --json \
        --where 'hops > 3' hops.db |
        jq -c '[.parts[] | select(.shares.link > 0) | {first, hops: (.shares.link * .leaves)}]')"
done

# Pictures repeat themselves with it.
cli gantt --where 'tag = r*' --only link it.db -o one.svg
cli --again one.svg -o two.svg it.db 2>again.err || cli --again one.svg -o two.svg 2>again.err ||
    fail "again: $(cat again.err)"
cmp -s <(grep -v '<command>' one.svg) <(grep -v '<command>' two.svg) ||
    fail "a picture that is repeated"

# --- Filters of events, of the whole and of parts

example
events() { # CONDITION ARGUMENT...
    local condition=$1
    shift
    cli export "$@" trace.db >part.csv
    cli sql --csv trace.db "SELECT * FROM events WHERE $condition" >sql.csv
    cmp -s part.csv sql.csv || fail "export $*: $(diff part.csv sql.csv | head -4)"
    [ "$(wc -l <part.csv)" -gt 1 ] || fail "export $*: nothing"
}
events "value = 'PMPI_Wait'" --only PMPI_Wait
events "value GLOB 'PMPI_W*' AND duration >= 0.001" --only 'PMPI_W*' --min-duration 1ms
events "type <> 'MPI_STATE' OR (value <> 'PMPI_Wait' AND duration <= 0.002)" --except PMPI_Wait \
    --max-duration 2ms
events "resource GLOB '*sw2/*' AND type = 'MPI_STATE'" --only-resources '*sw2' --only MPI_STATE
cli stats --csv --only PMPI_Wait trace.db >got.csv
same "stats of a value" "$(cli stats --csv trace.db | grep ',PMPI_Wait,')" \
    "$(grep ',PMPI_Wait,' got.csv)"
same "and of no other" 3 "$(wc -l <got.csv)"

of=(--slices 60 --p 0.5 --only 'PMPI_W*')
cli parts "${of[@]}" --json trace.db >parts.json
for part in $(jq '[.parts[] | select(.state != null).id] | .[0, 1, 2]' parts.json); do
    mapfile -t place < <(jq -r --argjson id $part '.parts[] | select(.id == $id) |
        ((.resources // ([.node] - [""]))[] | "--resource", .),
        "--from", "@\(.from_tick)us", "--to", "@\(.to_tick)us"' parts.json)
    for command in stats export; do
        cli $command --only 'PMPI_W*' "${place[@]}" trace.db >by_hand.txt
        cli $command "${of[@]}" --part $part trace.db >by_part.txt
        cmp -s by_hand.txt by_part.txt ||
            fail "$command --part $part with a filter: $(diff by_hand.txt by_part.txt | head -3)"
    done
    same "other events in part $part" "" "$(sed 1d by_part.txt | grep -v ',PMPI_W' || true)"
    cli gantt --only 'PMPI_W*' "${place[@]}" trace.db -o by_hand.svg
    cli gantt "${of[@]}" --part $part trace.db -o by_part.svg
    cmp -s <(grep -v '<command>' by_hand.svg) <(grep -v '<command>' by_part.svg) ||
        fail "gantt --part $part with a filter"
done
# A condition on links is no mistake where the overview is of states: it is of the events.
cli stats --json --slices 10 --p 0.5 --part 0 --where 'size >= 2500' it.db >got.json
holds "links of a part" got.json '.filters == "where size >= 2500"'

# --- Several resources

cli export --resource nancy/graphite --resource nancy/griffon/griffon-sw2 \
    --resource nancy/graphite/graphite-sw1 trace.db >two.csv
cli sql --csv trace.db "SELECT * FROM events WHERE resource GLOB 'nancy/graphite*'
    OR resource GLOB 'nancy/griffon/griffon-sw2*'" >sql.csv
cmp -s <(sort two.csv) <(sort sql.csv) ||
    fail "two resources: $(diff <(sort two.csv) <(sort sql.csv) | head -3)"
awk -F, 'NR > 1 { if ($7 < last - 1e-9 && $3 != "link") bad++; if ($7 > last) last = $7 } END {
    exit bad > 0 }' two.csv || fail "two resources: not in the order of time"
same "containers of two" "graphite graphite-sw1 griffon-sw2" \
    "$(cli export --format pjdump --resource nancy/graphite \
    --resource nancy/griffon/griffon-sw2 trace.db |
    sed -n 's/^Container, .*, \(gr[a-z]*\(-sw[0-9]\)\{0,1\}\)$/\1/p' | sort | tr '\n' ' ' |
    sed 's/ $//')"

# --- Errors

refused 1 'no event carries "siez"; the nearest attribute is "size"' --where 'siez > 3' \
    --metric link-bytes it.db
refused 1 'no event carries "key"; the nearest attribute is "Key"' export --where 'key = k1' it.db
refused 1 'condition "size" compares nothing, expected NAME OP VALUE with one of = != < <= > >=' \
    stats --where size it.db
refused 1 'compares with "big", expected a number; texts are compared by = and !=' gantt \
    --where 'size > big' it.db
refused 1 'nothing that the metric state-duration shows carries "tag", expected one of event-count, link-count' --where 'tag = red' it.db
refused 1 'nothing that the metric link-count shows carries "line", expected one of state-duration' --metric link-count --where 'line > 3' it.db
refused 1 'nothing that can be shown is called "PMPI_Wiat"; the nearest is "PMPI_Wait"' stats \
    --only PMPI_Wiat trace.db
refused 1 'has no resource "nancy/x*"; the nearest is "nancy"' export --only-resources 'nancy/x*' \
    trace.db
refused 1 '--min-duration 2ms and --max-duration 1ms leave no duration' gantt --min-duration 2ms \
    --max-duration 1ms trace.db
refused 1 'has no resource "nowhere"' export --resource nancy --resource nowhere trace.db
printf 'path,type,slice,value\na,x,0,1\n' >matrix.csv
refused 1 '--where needs a trace, and matrix.csv is a microscopic model' --where 'a > 1' matrix.csv
