# What a state carries from its end, as the E of trace events does: in exports, SQL, filters, sums
# and pictures, also where its begin and its end are in different chunks.
need jq sqlite3

# One state around all others. Its begin carries a file and its end a sum; the end of each of the
# others carries its number of bytes, every third begin a file, too.
awk 'BEGIN {
    on = "\"pid\":1,\"tid\":1,\"ts\":"
    printf "{\"traceEvents\":[{\"ph\":\"B\"," on
    print "0,\"name\":\"all\",\"args\":{\"file\":\"all.txt\"}}"
    for (i = 1; i <= 3000; i++) {
        printf ",{\"ph\":\"B\"," on "%d,\"name\":\"read\"", 10 * i
        if (i % 3 == 0) printf ",\"args\":{\"file\":\"f%d\"}", i
        printf "}\n,{\"ph\":\"E\"," on "%d,\"args\":{\"bytes\":%d}}\n", 10 * i + 5, i
    }
    print ",{\"ph\":\"E\"," on "40000,\"args\":{\"bytes\":5000,\"sum\":4501500}}]}"
}' >it.json
cli import it.json -o it.db >/dev/null
[ "$(sqlite3 it.db "SELECT max(chunks) FROM stream")" -gt 2 ] || fail "the states are in one chunk"

# Begins and ends of the source, joined by hand: name, begin, attributes of both, the begin's first.
jq -c '.traceEvents | (.[0] + {end: .[-1]}), (.[1:-1] as $inner | range(0; $inner | length; 2)
    | $inner[.] + {end: $inner[. + 1]}) | [.name, .ts, .end.ts, (.args // {}) + .end.args]' \
    it.json | sort >expected

cli export --format json it.db | jq -c 'select(.category != "resource") |
    [.value, (.begin * 1e6 | round), (.end * 1e6 | round), .attributes]' | sort >got
cmp expected got || fail "export --format json: $(diff expected got | sed -n 1,4p)"
cli export --format csv it.db | grep -v ,resource, >it.csv
same "lines of export --format csv" 3002 "$(wc -l <it.csv)"
same "both in CSV" '"{""file"":""all.txt"",""bytes"":5000,""sum"":4501500}"' \
    "$(grep ',all,' it.csv | sed 's/.*,,,,//')"
same "the end's in CSV" '"{""bytes"":2870}"' "$(grep '2870}' it.csv | sed 's/.*,,,,//')"
same "states of pj_dump" 3001 "$(cli export --format pjdump it.db | grep -c '^State')"

sql() { cli sql --csv it.db "$1" | tail -n 1; }
same "bytes in SQL" 4506500 "$(sql "SELECT sum(json_extract(attributes, '\$.bytes')) FROM events")"
same "both in SQL" 'all.txt,4501500' "$(sql "SELECT json_extract(attributes, '\$.file'),
    json_extract(attributes, '\$.sum') FROM events WHERE value = 'all'")"

# Filters: of what an end carries, of what a begin carries, of both.
count() { cli export "$@" it.db | grep -v ,resource, | awk 'END { print NR - 1 }'; }
same "end" 102 "$(count --where 'bytes >= 2900')"
same "begin and end" 35 "$(count --where 'bytes >= 2900' --where 'file = *')"
same "the last alone" 1 "$(count --where 'sum > 0')"
same "stats" 101 "$(cli stats --json --where 'bytes >= 2900' it.db |
    jq '[.. | objects | select(.value? == "read" or .name? == "read") | .begun] | first')"

# A model of one cell, which counts them.
inner=$(cli parts --json --metric event-count --where 'bytes >= 2900' --only read --slices 1 it.db |
    jq '.parts[0].share')
same "parts" 101 "$inner"

# A picture has the states that pass, and no others.
cli gantt --where 'bytes >= 2999' it.db -o it.svg >/dev/null
! grep -q '>1 rows<' it.svg || fail "one row is counted"
tr '\n' ' ' <it.svg | grep -o '<title>[^<]*</title>' | grep -c 's (' >titles || true
same "states in the picture" 3 "$(cat titles)"
cli gantt --where 'sum > 0' it.db -o it.svg --force >/dev/null
tr '\n' ' ' <it.svg | grep -o '<title>[^<]*ms)[^<]*</title>' >titles
same "the last alone in the picture, with what it carries" \
    '<title>all 1/1 0 ms – 40 ms (40 ms) file: all.txt bytes: 5000 sum: 4501500</title>' \
    "$(cat titles)"

# Its end decides, also where it lies behind the window.
cli gantt --where 'sum > 0' --to 0.02 it.db -o it.svg --force >/dev/null
tr '\n' ' ' <it.svg | grep -o '<title>all 1[^<]*<' >titles || true
[ -s titles ] || fail "a state that ends behind the window is not in the picture"
