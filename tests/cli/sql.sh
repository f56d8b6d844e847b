# ocelotl-cli sql answers what pj_dump prints, as a table, CSV and JSON. The sqlite3 shell has the
# same table, nothing can be written, and errors are one line.
need jq

example

# --- The forms of an answer

paje_definitions PushState+note PopState >small.trace
cat >>small.trace <<'END'
0 T 0 Thread
1 S T State
2 0 a T 0 "a, b"
3 1 S a outer x
3 2.5 S a inner 7
4 3 S a
4 4 S a
END
cat >expected.txt <<'END'
value  begin  depth  attributes
-----  -----  -----  ------------
inner    2.5      1  {"note":7}
outer      1      0  {"note":"x"}
END
cli import small.trace -o small.db >/dev/null
cli sql small.db 'SELECT value, begin, depth, attributes FROM events' >got.txt
cmp -s expected.txt got.txt || fail "the table: $(cat got.txt)"
cat >expected.txt <<'END'
resource,end,attributes,absent
"a, b",3,"{""note"":7}",
"a, b",4,"{""note"":""x""}",
END
cli sql --csv small.db 'SELECT resource, "end", attributes, NULL AS absent FROM events' >got.csv
cmp -s expected.txt got.csv || fail "the CSV: $(cat got.csv)"
cli sql --json small.db 'SELECT resource, "end", depth, NULL AS absent FROM events' >got.json
holds "the JSON" got.json '. == [{resource: "a, b", end: 3, depth: 1, absent: null},
    {resource: "a, b", end: 4, depth: 0, absent: null}]'
same "no row as JSON" '[]' "$(cli sql --json small.db 'SELECT 1 WHERE 0')"
same "no row as CSV" 'one' "$(cli sql --csv small.db 'SELECT 1 AS one WHERE 0')"
same "sums without noise for people, whole in CSV" "0.3 0.30000000000000004" \
    "$(cli sql small.db 'SELECT 0.1 + 0.2' | tail -n 1 | tr -d ' ') $(cli sql --csv small.db \
    'SELECT 0.1 + 0.2' | tail -n 1)"
same "no row as a table" "$(printf 'one\n---')" "$(cli sql small.db 'SELECT 1 AS one WHERE 0')"
cli sql small.db 'SELECT resource FROM events' --force -o got.json
holds "a file in .json" got.json 'length == 2'
cli sql small.db 'SELECT resource FROM events' -o answer.csv
same "a file in .csv" 'resource' "$(head -1 answer.csv)"
same "a trace on the fly" 2 \
    "$(cli sql --csv small.trace 'SELECT count(*) FROM events' 2>/dev/null | tail -1)"
same "more rows than are kept for their width" 24288 \
    "$(cli sql trace.db "SELECT begin FROM events WHERE category = 'state'" | tail -n +3 | wc -l)"
same "resources" 'nancy,SITE,' \
    "$(cli sql --csv trace.db 'SELECT path, type, parent FROM resources' | sed -n 2p)"

printf 'type,key,value\nState,note,7\nState,note,x\n' >expected.txt
cli sql --csv small.db \
    'SELECT events.type, it.key, it.value FROM events, json_each(attributes) AS it' |
    tr -d '\r' >got.txt
cmp -s expected.txt got.txt || fail "json_each: $(cat got.txt)"

# --- Against pj_dump

if command -v pj_dump >/dev/null; then
    for trace in "$sample" "$shared/pajeng-native_sample.trace" "$shared/pajengr-simgrid.trace"; do
        [ -e "$trace" ] || continue
        unpack "$trace" >it.trace
        { pj_dump -l 9 it.trace || pj_dump -n -l 9 it.trace; } 2>/dev/null >dump.raw
        cli import --force it.trace -o it.db >/dev/null 2>&1
        awk -F ', ' '$1 == "State" { count[$8]++; sum[$8] += $6 }
            END { for (value in count) printf "%s\t%d\t%.6f\n", value, count[value], sum[value] }' \
            dump.raw | sort >expected.txt
        cli sql --json it.db \
            "SELECT value, count(*) AS n, printf('%.6f', sum(duration)) AS time FROM events
            WHERE category = 'state' GROUP BY value" | jq -r '.[] | [.value, .n, .time] | @tsv' |
            sort >got.txt
        cmp -s expected.txt got.txt || fail "$trace: $(diff expected.txt got.txt | head -3)"
        # A window, in the middle.
        awk -F ', ' '$1 == "State" && $4 < 0.15 && $5 > 0.14 { count++; sum += $6 }
            END { printf "%d %.6f\n", count, sum }' dump.raw >expected.txt
        cli sql --csv it.db \
            "SELECT count(*) || ' ' || printf('%.6f', total(duration)) AS answer FROM events
            WHERE category = 'state' AND begin < 0.15 AND \"end\" > 0.14" | tail -1 >got.txt
        cmp -s expected.txt got.txt || fail "$trace, a window: $(cat expected.txt got.txt)"
    done
    unpack "$sample" >it.trace
    same "links between two ranks" "$(pj_dump it.trace | awk -F ', ' \
        '$1 == "Link" && $8 == "rank-4" && $9 == "rank-5" { n++; keys = keys < $10 ? $10 : keys } END { print n "," keys }')" \
        "$(cli sql --csv trace.db "SELECT count(*), max(key) FROM events WHERE category = 'link'
            AND source GLOB '*/rank-4' AND target GLOB '*/rank-5'" | tail -1)"
fi

# --- Conditions that are pushed down

for condition in '"begin" > 0.1 AND "end" < 0.15' \
    "resource GLOB 'nancy/griffon/*' AND \"end\" >= 0.2" \
    "type = 'MPI_LINK'" "category = 'state' AND resource LIKE '%rank-7'" '"begin" = 0.003154' \
    "resource IN ('nancy/graphene/graphene-sw1/graphene-1/rank-0', 'x')"; do
    hidden=$(sed -E 's/("begin"|"end"|resource|type|category)/+\1/g' <<<"$condition")
    wanted=$(cli sql --csv trace.db \
        "SELECT count(*), total(duration), max(resource) FROM events WHERE $hidden")
    same "$condition" "$wanted" "$(cli sql --csv trace.db \
        "SELECT count(*), total(duration), max(resource) FROM events WHERE $condition")"
    [ "$(tail -1 <<<"$wanted" | cut -d , -f 1)" -gt 0 ] || fail "$condition: selects nothing"
done

# --- Errors

refused 1 'SQL: no such column: nowhere' sql trace.db 'SELECT nowhere FROM events'
refused 1 'SQL: near "SELEKT": syntax error' sql trace.db $'SELEKT\n1'
refused 1 'SQL: not allowed' sql trace.db 'DELETE FROM meta'
refused 1 'SQL: not allowed' sql trace.db 'CREATE TEMP TABLE t(a)'
refused 1 'SQL: not allowed' sql trace.db "ATTACH 'new.db' AS new"
[ ! -e new.db ] || fail "a query made a file"
refused 1 'SQL: not authorized to use function: fts3_tokenizer' sql trace.db \
    "SELECT fts3_tokenizer('simple')"
refused 1 'SQL: not authorized to use function: load_extension' sql trace.db \
    "SELECT load_extension('x')"
refused 1 'SQL: more than one statement' sql trace.db 'SELECT 1; SELECT 2'
refused 1 'SQL: no statement' sql trace.db ' '
refused 1 'SQL: integer overflow' sql trace.db 'SELECT abs(-9223372036854775807 - 1)' -o answer.txt
[ ! -e answer.txt ] || fail "an answer that failed was written"
refused 1 'nosuch.db: ' sql nosuch.db 'SELECT 1'
refused 1 'is the trace itself' sql trace.db 'SELECT 1' -o trace.db
refused 2 'out.svg: sql does not write a picture' sql trace.db 'SELECT 1' -o out.svg
refused 1 'nosuch/out.csv: cannot write: ' sql trace.db 'SELECT 1' -o nosuch/out.csv
refused 2 'no TRACE given; see ocelotl-cli sql --help' sql
refused 2 'no QUERY given' sql trace.db
refused 2 '"b" is one argument too many' sql trace.db a b
refused 2 'unknown option --slices' sql --slices 3 trace.db 'SELECT 1'
cli sql --help | grep -q '^Usage: ocelotl-cli sql' || fail "sql --help"
cp trace.db damaged.db
if command -v sqlite3 >/dev/null; then
    sqlite3 damaged.db "UPDATE chunk SET events = x'01ff' WHERE stream = 3"
    refused 1 'damaged.db: is damaged: chunk 0 of the events of' sql damaged.db \
        'SELECT count(*) FROM events'
    refused 1 'damaged.db: is damaged: chunk 0 of the events of' sql damaged.db \
        'SELECT * FROM events' --csv -o answer.csv2
    [ ! -e answer.csv2 ] || fail "an answer of a damaged file was written"
fi
if [ -w /dev/full ]; then
    code=0
    cli sql --csv trace.db 'SELECT * FROM events' >/dev/full 2>full.err || code=$?
    same "the exit code when standard output is full" 1 $code
fi
# A folder that nobody may write to.
mkdir still && cp small.db still/ && chmod 500 still
same "a trace in a folder that cannot be written" 2 \
    "$(cli sql --csv still/small.db 'SELECT count(*) FROM events' | tail -1)"
chmod 700 still

# --- The extension, in the shell. A sanitized library cannot be loaded into a program that is not.

extension=$OCELOTL_BUILD/libocelotl_sqlite
if command -v sqlite3 >/dev/null &&
    ! grep -q '^OCELOTL_SANITIZE:BOOL=ON' "$OCELOTL_BUILD/CMakeCache.txt"; then
    query="SELECT value, count(*), printf('%.6f', sum(duration)) FROM %s
        WHERE category = 'state' AND \"end\" > 0.1 AND \"begin\" < 0.2 GROUP BY value
        ORDER BY value;"
    cli sql --csv trace.db "$(printf "${query//%.6f/%%.6f}" events)" | tail -n +2 >expected.txt
    {
        echo ".load $extension"
        echo '.mode csv'
        printf "${query//%.6f/%%.6f}\n" events
    } | sqlite3 -bail trace.db | tr -d '\r' >got.txt
    cmp -s expected.txt got.txt || fail "the extension on a trace.db: $(head -3 got.txt)"
    {
        echo ".load $extension"
        echo '.mode csv'
        echo "CREATE VIRTUAL TABLE temp.e USING events('trace.db');"
        echo "CREATE VIRTUAL TABLE temp.f USING events(small.db);"
        printf "${query//%.6f/%%.6f}\n" e
        echo 'SELECT count(*) FROM f; DROP TABLE f; DROP TABLE e;'
    } | sqlite3 -bail :memory: | tr -d '\r' >got.txt
    echo 2 >>expected.txt
    cmp -s expected.txt got.txt || fail "the extension on two traces: $(head -3 got.txt)"
    printf '%s\n' ".load $extension" "CREATE VIRTUAL TABLE temp.e USING events('nosuch.db');" |
        sqlite3 -bail :memory: >got.txt 2>&1 && fail "the extension opened nothing"
    has got.txt 'nosuch.db: No such file'
    printf '%s\n' ".load $extension" "SELECT * FROM events;" |
        sqlite3 -bail :memory: >got.txt 2>&1 && fail "the extension read an empty database"
    printf '%s\n' ".load $extension" "SELECT count(*) FROM events;" |
        sqlite3 -bail damaged.db >got.txt 2>&1 && fail "the extension read a damaged file"
    has got.txt 'is damaged: chunk 0 of the events of'
fi

# What an expression makes is no larger than memory should have for one.
refused 1 'too big' sql trace.db 'SELECT length(hex(zeroblob(900000000)))'
cli sql --csv trace.db "SELECT length(printf('%.*c', 900000000, 'x')) AS n" >got.txt 2>&1 || true
lacks got.txt 900000000
same "a long text" 1000000 \
    "$(cli sql --csv trace.db "SELECT length(printf('%.*c', 1000000, 'x')) AS n" | tail -n 1)"
no_rest "sql"
