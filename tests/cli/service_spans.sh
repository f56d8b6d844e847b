# Spans of services: one shop, written as OTLP, Jaeger and Zipkin, gives the counts and times of a
# literal reader in Python; so does a file of Jaeger.
need jq python3 gzip zstd

make() { python3 "$OCELOTL_ROOT/tests/service_spans.py" make "$@"; }
counted() { python3 "$OCELOTL_ROOT/tests/service_spans.py" count "$@" | LC_ALL=C sort; }
held() { # the service is the root of a path
    cli sql --json "$1" "SELECT resource, value, CAST(round(duration * 1e9) AS INTEGER) AS time FROM
        events WHERE category = 'state'" | jq -r 'map(.resource |= split("/")[0])
        | group_by([.resource, .value])[]
        | "\(.[0].resource)|\(.[0].value)|\(length)|\(map(.time) | add)"'
    cli info --json "$1" | jq -r '(.source.records.reference // 0) as $all |
        "\($all - (.source.left_out.reference.count // 0)) \($all)"'
}
check_file() { # FILE
    quiet "$1" -o agrees.db
    same "$1" "$(counted "$1")" "$(held agrees.db | LC_ALL=C sort)"
}

for kind in otlp lines jaeger zipkin; do
    make $kind 300 >$kind.json
    check_file $kind.json
    cp agrees.db $kind.db
done
for file in "$OCELOTL_ROOT"/../shared/traces/crowds/spans/*.json; do
    [ ! -e "$file" ] || check_file "$file"
done
same "lines" "$(exported otlp.db)" "$(exported lines.db)"
same "producers" "OpenTelemetry Jaeger Zipkin" "$(for kind in otlp jaeger zipkin; do
    cli info --json $kind.db | jq -r .source.producer
done | line)"
# the same in protocol buffers, as one message or each behind its length, compressed or not
stored() { # FILE DB: all that is kept, but for what the file is called and how large it is
    quiet --force "$1" -o "$2"
    python3 - "$2" <<'END'
import re, sqlite3, sys
for line in sqlite3.connect(sys.argv[1]).iterdump():
    if not re.match(r"INSERT INTO \"meta\" VALUES\('(checksum.meta|name|source)", line):
        print(line)
END
}
for kind in protobuf frames; do
    make $kind 300 >$kind.bin
    stored $kind.bin $kind.db >$kind.sql
    gzip -k $kind.bin
    stored $kind.bin.gz $kind.db >$kind.gz.sql
    cmp $kind.sql $kind.gz.sql || fail "$kind: compressed"
done
stored otlp.json otlp.db | cmp - protobuf.sql || fail "protobuf: another store than of JSON"
stored lines.json lines.db | cmp - frames.sql || fail "frames: another store than of JSON"
make packed 300 >packed.bin
stored packed.bin packed.db | cmp - frames.sql || fail "frames: each compressed"
says otlp.db 'origin     2023-11-14T22:13:20Z' \
    'events                       left out: they are within spans'

# --- What is where
same "rows" "web web/web-0 web/web-0/GET %2F web/web-0/GET %2F/~1" \
    "$(ask otlp.db "SELECT path FROM resources WHERE path LIKE 'web%' ORDER BY path LIMIT 4" |
        line)"
same "instances" "10.0.0.0 10.0.0.1" "$(ask zipkin.db "SELECT DISTINCT substr(path, 4) FROM
    resources WHERE type = 'Instance' AND path LIKE 'db%' ORDER BY 1" | line)"
same "attributes" 'server lost GET 200' "$(cli sql --json otlp.db "SELECT attributes FROM events
    WHERE value = 'error' LIMIT 1" | jq -r '.[0].attributes |
        if type == "string" then fromjson else . end |
        [.kind, ."status message", ."http.method", ."http.status_code"] | map("\(.)") | join(" ")')"

# --- What stands out: which instance is slow, and when; which fails. Nothing where nothing does.
for kind in otlp protobuf jaeger zipkin; do
    python3 "$OCELOTL_ROOT/tests/service_spans.py" fault $kind both 2000 2 >fault.$kind
    instance=$([ $kind = zipkin ] && echo '10\.0\.0\.' || echo '[a-z]*-')
    cli explain --json fault.$kind >found.json 2>>said
    same "$kind: findings" 2 "$(jq '.findings | length' found.json)"
    grep -Eq "\"${instance}1 of payment: Charge takes [34][.0-9]* times as long .*, 1[78][0-9.]* s to (29|30)[0-9.]* s\"" \
        found.json || fail "$kind: $(jq -r '.findings[].text' found.json)"
    grep -Eq "\"${instance}2 of catalog: [4-7][0-9] % of the spans fail where" found.json ||
        fail "$kind: $(jq -r '.findings[].text' found.json)"
    sh -c "$(jq -r .findings[0].command found.json | sed "s|^ocelotl-cli|$OCELOTL_CLI|")" 2>>said ||
        fail "$kind: its command"
done
python3 "$OCELOTL_ROOT/tests/service_spans.py" fault protobuf none 2000 3 >fault.none
cli explain fault.none >found.txt 2>>said || fail "no fault: explain"
has found.txt ' spans, '
same "no fault" "" "$(sed 1d found.txt)"

# An operation at three instances counts once in a service: 300 spans of 1000 fail then.
python3 - >several.json <<'END'
import json
spans = []
def add(second, name, instance, failed):
    spans.append({"traceId": "1", "id": f"{len(spans):x}", "name": name, "duration": 9000,
                  "timestamp": 1700000000000000 + second * 1000000,
                  "localEndpoint": {"serviceName": "s", "ipv4": f"10.0.0.{instance}"},
                  "tags": {"error": "yes"} if failed else {}})
for second in range(600):
    for instance in range(3):
        add(second, "a", instance, 200 <= second < 300)
    for _ in range(7):
        add(second, "b", 0, False)
print(json.dumps(spans))
END
cli explain several.json >found.txt 2>>said
like found.txt '^1\. s: 30 % of the spans fail where .*, (199|200)[0-9.]* s to (299|300)[0-9.]* s'

# --- Odd ones. state NAME BEGIN DURATION .. is a span of Zipkin.
span() { printf '{"traceId":"1","id":"%s","name":"%s","timestamp":%s,"duration":%s%s},\n' "$@"; }
shown() { ask "$1" "SELECT resource || ' ' || value || ' ' || round(begin * 1e6, 3) || ' ' ||
    round(duration * 1e6, 3) FROM events WHERE category = 'state' ORDER BY begin, resource" |
    line; }
service=',"localEndpoint":{"serviceName":"a"}'
other=',"localEndpoint":{"serviceName":"b"}'
{
    echo '['
    span 1 get 10 50.5 "$service,\"kind\":\"CLIENT\""
    span 1 get 12 40 "$other,\"shared\":true,\"kind\":\"SERVER\""
    span 2 query 15 5 "$other,\"parentId\":\"1\""
    span 3 alone 20 1 "$service,\"parentId\":\"99\""
    echo '{"nothing":1}]'
} >odd.json
quiet odd.json -o odd.db
says odd.db 'reference to a span that is not there (no link)' \
    'element that holds no span (left out)'
same "states" \
    "a/get get 10.0 50.5 b/get get 12.0 40.0 b/query query 15.0 5.0 a/alone alone 20.0 1.0" \
    "$(shown odd.db)"
same "a span that both sides share" "a/get b/get 10 12" "$(ask odd.db "SELECT source || ' ' ||
    target || ' ' || round(begin * 1e6) || ' ' || round(\"end\" * 1e6) FROM events
    WHERE category = 'link'" |
    sed 's/\.0//g')"
{
    echo '['
    span 1 get 10 5 "$service,\"tags\":{\"http.route\":\"a\\\"b\\u00e9$(printf '%300s' c)\"}"
    echo '{"nothing":1}]'
} >long.json
quiet long.json -o long.db
same "a long attribute with escapes" "a\"bé 304" "$(cli sql --json long.db "SELECT attributes FROM
    events" | jq -r '.[0].attributes | if type == "string" then fromjson else . end |
        ."http.route" | "\(.[:4]) \(length)"' | tr -d '\n')"
# several files
quiet otlp.json zipkin.json -o both.db
same "several files" 3386 "$(ask both.db "SELECT count(*) FROM events WHERE category = 'state'")"
same "on one clock" 1 "$(ask both.db "SELECT count(DISTINCT first) FROM (SELECT min(begin) AS first
    FROM events WHERE category = 'state' GROUP BY substr(resource, 1, 4))")"

# --- Broken ones
broken() { # MESSAGE SPANS: with --lenient one state is left
    printf '[%s%s{}]' "$(span 7 good 10 5 "$service")" "$2" >broken.json
    refused 1 "broken.json:1, byte 104: $1" import broken.json -o no.db
    quiet --lenient broken.json -o broken.db
    same "$1" "a/good good 10.0 5.0" "$(shown broken.db)"
}
broken 'timestamp of a span is "x", expected microseconds' "$(span 8 bad '"x"' 1 "$service")
,"
broken 'duration of a span is "-5", expected microseconds' "$(span 8 bad 1 -5 "$service")
,"
broken 'a span ends too late, expected before 2262' \
    "$(span 8 bad 9000000000000000 9000000000000000 "$service")
,"
head -c 60000 otlp.json >cut.json
refused 1 'the JSON ends at byte 60000, before what is open is closed' import cut.json -o no.db
head -c 60000 lines.json >cut.json
quiet --lenient cut.json -o cut.db
says cut.db 'skipped rest of the trace'
# a broken one loses the element it is in alone
damage() { # FILE OFFSET BYTE LEAST: so many states are left, at least
    { head -c "$2" "$1" && printf '%s' "$3" && tail -c +"$(($2 + 2))" "$1"; } >damaged
    refused 1 "damaged:" import damaged -o no.db
    quiet --force --lenient damaged -o damaged.db
    local left
    left=$(ask damaged.db "SELECT count(*) FROM events WHERE category = 'state'")
    [ "$left" -ge "$4" ] && [ "$left" -lt 1693 ] || fail "$1, byte $2: $left states"
}
for file in lines jaeger zipkin; do
    damage $file.json "$(($(head -c 99999 $file.json | grep -bo '{"trace' | tail -n 1 |
        cut -d : -f 1) + 1))" '~' 1670
done
damage frames.bin "$(($(head -c 99999 frames.bin | grep -abo 'http.method' | tail -n 1 |
    cut -d : -f 1) - 1))" '~' 1690
head -c 60000 protobuf.bin >cut.bin
refused 1 'cut.bin: byte' import cut.bin -o no.db
head -c 60000 frames.bin >cut.bin
refused 1 'the file ends inside a field, expected the rest of it' import cut.bin -o no.db
quiet --lenient cut.bin -o cutframes.db
says cutframes.db 'skipped rest of the trace'
echo '{"resourceSpans":[]}' >empty.json
refused 1 'empty.json: holds no span, expected some' import empty.json -o no.db
sed 's/"endTimeUnixNano": "1/"endTimeUnixNano": "0/' otlp.json >early.json
refused 1 'a span ends before it begins, expected it not to' import early.json -o no.db
