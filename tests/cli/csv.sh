# Lines of pj_dump become a trace, and the trace the same lines; broken ones get their error.
formats=$OCELOTL_ROOT/../shared/traces/formats/pj_dump

# comes_back WHAT FILE: importing lines and exporting them again gives the same lines.
comes_back() {
    cli import --force "$2" -o back.db >/dev/null 2>import.err ||
        { fail "$1: $(cat import.err)" && return 0; }
    cli export --format pjdump --digits "$3" back.db | sort >got.txt
    sort "$2" >want.txt
    cmp -s want.txt got.txt || fail "$1: $(diff want.txt got.txt | sed -n 1,5p)"
}

cat >small.csv <<'END'
Container, 0, 0, 0, 10, 10, 0
Container, 0, Node, 0, 10, 10, n
Container, n, Thread, 0, 1.23457, 1.23457, a
Container, n, Thread, 2, 10, 8, b
State, a, S, 0.000000, 1.000000, 1.000000, 0.000000, outer
State, a, S, 0.000000, 0.000000, 0.000000, 1.000000, instant
State, a, S, 0.500000, 1.000000, 0.500000, 1.000000, inner
State, a, S, 1.000000, 1.000000, 0.000000, 0.000000, first
State, a, S, 1.000000, 1.234567, 0.234567, 0.000000, later
State, a, Other, 0.250000, 0.750000, 0.500000, 0.000000, outer
Event, b, E, 2.500000, mark
Event, 0, E, 2.500000, of the root
Variable, a, V, 0.000000, 1.000000, 1.000000, 2.500000
Variable, a, V, 1.000000, 1.234567, 0.234567, -3.000000
Link, 0, L, 1.000000, 3.000000, 2.000000, m, a, b, key
Link, n, L, 3.000000, 2.000000, -1.000000, m, b, b, key
END
comes_back "a small file" small.csv 6
same "kinds" 'Container 4 Event 2 Link 2 State 6 Variable 2' "$(cli info --json back.db |
    sed -n '/"records":{/,/}/p' | tr -d '\n' | sed 's/.*"records":{//; s/}.*//' |
    tr ',' '\n' | sed 's/[" ]//g; s/:/ /' | sort | tr '\n' ' ' | sed 's/ $//')"
printf '\xEF\xBB\xBF' >mark.csv
sed 's/$/\r/' small.csv >>mark.csv
cli import mark.csv -o mark.db >/dev/null
cli export --format pjdump mark.db | sort >got.txt
cmp -s <(sort small.csv) got.txt || fail "a byte order mark and CRLF"
grep ^Container small.csv >shuffled.csv
grep -v ^Container small.csv | shuf --random-source=small.csv >>shuffled.csv
cli import shuffled.csv -o shuffled.db >/dev/null
cli export --format pjdump shuffled.db | sort >got.txt
cmp -s <(sort small.csv) got.txt || fail "lines in any order: $(diff <(sort small.csv) got.txt)"

# Names with commas are in quotes, as readers of CSV expect; other quotes are text.
cat >commas.csv <<'END'
Container, 0, 0, 0, 10, 10, 0
Container, 0, "Application, task", 0, 10, 10, "a, ""b"""
State, "a, ""b""", "User function, MPI", 0.000000, 1.000000, 1.000000, 0.000000, "f(int, char*)"
State, "a, ""b""", "User function, MPI", 1.000000, 2.000000, 1.000000, 0.000000, "quoted"
State, "a, ""b""", "User function, MPI", 2.000000, 3.000000, 1.000000, 0.000000, "half, x" y
State, "a, ""b""", "User function, MPI", 3.000000, 4.000000, 1.000000, 0.000000, "open
State, "a, ""b""", "User function, MPI", 4.000000, 5.000000, 1.000000, 0.000000, f, " 1, 2", ""
Event, "a, ""b""", "E,", 2.000000, ","
Variable, "a, ""b""", V, 0.000000, 10.000000, 10.000000, 2.500000
Link, 0, "L, L", 1.000000, 3.000000, 2.000000, " m", "a, ""b""", "a, ""b""", "k,"
END
comes_back "names with commas" commas.csv 6
cli export --format pjdump back.db | grep -v '"open' >got.txt
python3 - <<'END' || fail "a reader of CSV"
import csv
rows = list(csv.reader(open("got.txt"), skipinitialspace=True))
found = [row[7] for row in rows if row[:3] == ["State", 'a, "b"', "User function, MPI"]]
assert found[0] == "f(int, char*)" and len(found) == 4, rows
END
# From another format: nothing that a name has makes fields of its own.
cat >commas.json <<'END'
[{"ph":"M","pid":1,"name":"process_name","args":{"name":"a, b"}},
{"ph":"X","pid":1,"tid":1,"ts":0,"dur":4000000,"name":"f(int, \"x\")"},
{"ph":"X","pid":1,"tid":1,"ts":1000000,"dur":1000000,"name":" two\nlines, x"},
{"ph":"i","pid":1,"tid":1,"ts":2000000,"name":"i, \"j\", k"},
{"ph":"C","pid":1,"ts":2000000,"name":"c, d","args":{"e, f":3}}]
END
cli export --format pjdump commas.json >commas.txt
cli import commas.txt -o commas.db >/dev/null 2>import.err || fail "commas: $(cat import.err)"
comes_back "of another format" commas.txt 6
same "values with commas" ' two lines, x|f(int, "x")|i, "j", k' "$(cli sql --csv commas.db "SELECT
    group_concat(value, '|') FROM (SELECT * FROM events WHERE category IN ('state', 'event')
    ORDER BY value)" | tail -n 1 | sed 's/""/"/g; s/^"//; s/"$//')"

# Several files, with headers and fields of the user's own.
grep ^Container small.csv >containers.csv
{
    echo 'Nature, ResourceId, Type, Start, End, Duration, Depth, Value, Size'
    grep ^State small.csv | sed 's/later$/&, 12/'
} >states.csv
cli import states.csv containers.csv -o split.db >/dev/null
same "states of two files" 6 "$(cli export split.db | grep -c ',state,')"
same "an attribute" 1 "$(cli export split.db | grep -c 'n/a,Thread,state,S,later.*{""Size"":')"

# Fields of the user's own come back, empty ones, too, with a header or without.
cat >fields.csv <<'END'
Container, 0, 0, 0, 10, 10, 0
Container, 0, Node, 0, 10, 10, n
Event, n, E, 2.000000, mark
Event, n, E, 3.000000, mark, 1, , x y,
Link, 0, L, 1.000000, 3.000000, 2.000000, m, n, n, key
Link, 0, L, 2.000000, 3.000000, 1.000000, m, n, n, key, 12
State, n, S, 0.000000, 1.000000, 1.000000, 0.000000, a, 007
State, n, S, 1.000000, 2.000000, 1.000000, 0.000000, b, , 1.50, x"y\z, é, a: b, {c}, , 0x1f, NaN,
State, n, S, 2.000000, 3.000000, 1.000000, 0.000000, c
Variable, n, V, 0.000000, 10.000000, 10.000000, 2.500000, ,
END
sed -i 's/,$/, /' fields.csv
comes_back "fields of the user's own" fields.csv 6
{
    echo 'Nature, ResourceId, Type, Start, End, Duration, Depth, Value, Size, Size, Key, Tag,'
    grep -v NaN fields.csv
} >named.csv
cli import --force named.csv -o named.db >/dev/null
cli export --format pjdump named.db | sort >got.txt
diff <(grep -v NaN fields.csv | sort) got.txt >diff.txt || fail "fields with names: $(cat diff.txt)"
same "their names" 1 "$(cli export named.db | grep -c '""Size"":""007""')"

if command -v pj_dump >/dev/null; then
    unpack "$sample" >it.trace
    pj_dump -l 9 it.trace >dump.csv
    comes_back "a trace of SimGrid" dump.csv 9
    cli import --force it.trace -o paje.db >/dev/null
    same "events" "$(cli export paje.db | sort | sha1sum)" "$(cli export back.db | sort | sha1sum)"
fi
# Lines whose times were rounded: durations, and ends of values that are not where the next begins.
cat >rounded.csv <<'END'
Container, 0, 0, 0, 10, 10, 0
Container, 0, Node, 0, 10, 10, n
Link, 0, L, 1.000, 3.000, 2.001, m, n, n, key
State, n, S, 0.000, 1.000, 0.999, 0.000, a, , own
Variable, n, V, 0.000, 1.000, 1.001, 1.000
Variable, n, V, 1.000, 1.000, 0.000, 2.000
Variable, n, V, 1.000, 2.000, 1.000, 3.000
Variable, n, V, 4.000, 5.000, 1.000, 4.000
Variable, n, V, 6.000, 5.500, -0.500, 5.000
Variable, n, W, 0.000, 9.000, 9.001, 1.000, own
END
for unit in s ms; do
    cli import --force --time-unit "$unit" rounded.csv -o rounded.db >/dev/null 2>&1
    cli export --format pjdump rounded.db | sort >got.txt
    diff <(sort rounded.csv) got.txt >diff.txt || fail "rounded times in $unit: $(cat diff.txt)"
done
shuf --random-source=small.csv rounded.csv >shuffled.csv
cli import --force --time-unit ms shuffled.csv -o shuffled.db >/dev/null 2>&1
cli export --format pjdump shuffled.db | sort >got.txt
diff <(sort rounded.csv) got.txt >diff.txt || fail "rounded times in any order: $(cat diff.txt)"
cli export --format pjdump --digits 6 shuffled.db | grep ^Link >got.txt
same "more digits" "Link, 0, L, 1.000000, 3.000000, 2.001000, m, n, n, key" "$(cat got.txt)"
same "attributes where lines differ" "written duration 7 written end 4" "$(cli export rounded.db |
    grep -o 'written [a-z]*' | sort | uniq -c | awk '{ printf "%s %s %d ", $2, $3, $1 }' |
    sed 's/ $//')"

# Links at "0" end at the container of that name, before or behind its line, else at the root.
for lines in 'Link, 0, T, 1, 2, 1, v, 0, a, k|Container, 0, C, 0, 3, 3, 0' \
    'Container, 0, C, 0, 3, 3, 0|Link, 0, T, 1, 2, 1, v, 0, a, k' \
    'Event, 0, e, 1, x|Link, 0, T, 1, 2, 1, v, 0, a, k|Container, 0, C, 0, 3, 3, 0'; do
    tr '|' '\n' <<<"$lines" >ends.csv
    same "$lines" C "$(cli export --no-cache ends.csv 2>/dev/null | grep ,link, | cut -d, -f2)"
done
for lines in 'Link, 0, T, 1, 2, 1, v, a, 0, k' 'Event, 0, e, 1, x|Link, 0, T, 1, 2, 1, v, a, 0, k' \
    'Link, 0, T, 1, 2, 1, v, a, 0, k|Event, 0, e, 1, x'; do
    tr '|' '\n' <<<"Container, 0, C, 0, 3, 3, a|$lines" >ends.csv
    cli import --force ends.csv -o ends.db >/dev/null 2>&1
    same "$lines" "2 0" "$(cli sql --csv ends.db "SELECT count(*) || ' ' ||
        max(CASE type WHEN '0' THEN name END) FROM resources" | tail -n 1)"
done

if [ -e "$formats/pajeng-ms.pjdump.csv.zst" ]; then
    unpack "$formats/pajeng-ms.pjdump.csv.zst" >ms.csv
    comes_back "a trace of pajeng" ms.csv 6
    # One of its containers is called 0, as the root is; pj_dump keeps values in few digits.
    cli import --force ms.csv -o ms.db >/dev/null 2>&1
    same "links end at the container 0, not at the root" "0#2,LINK 2" "$(cli export ms.db |
        awk -F , '$3 == "link" && $10 ~ /^0/ { from = $1 "," $2; n++ }
            $3 == "link" && $11 ~ /^0/ { n++ } END { print from, n }')"
    cli export --format paje ms.db -o ms.trace
    if command -v pj_dump >/dev/null 2>&1; then
        pj_dump -l 6 ms.trace | sed -E 's/^(Variable.*), .*/\1/' | sort >got.txt
        sed -E 's/^(Variable.*), .*/\1/' ms.csv | sort | diff - got.txt >diff.txt ||
            fail "pj_dump of a trace of pajeng: $(head -n 3 diff.txt)"
    fi
    tar --zstd -xf "$formats/starvz-lu_trace.tar.zst"
    cat starvz-lu_trace/paje.*.csv | grep -E '^(State|Variable|Event|Link),' | sort >want.txt
    for unit in s ms; do
        cli import --force --time-unit "$unit" starvz-lu_trace/*.csv -o starvz.db >/dev/null 2>&1
        cli export --format pjdump starvz.db | grep -v ^Container | sort >got.txt
        diff want.txt got.txt >diff.txt || fail "lines of StarVZ: $(sed -n 1,4p diff.txt)"
    done
fi

# --- What export writes, and other tables

# The rows of events alone.
events() { grep -vE '^("[^"]*"|[^,]*),[^,]*,resource,' || true; }

# rows WHAT EXPECTED: the rows of a table on standard input, as CSV of export without its header.
rows() {
    cat >table.csv
    cli import --force table.csv -o table.db >/dev/null 2>import.err ||
        { fail "$1: $(cat import.err)" && return 0; }
    same "$1" "$2" "$(cli export table.db 2>said | sed 1d | events | sort | tr '\n' '|')"
}
printf '\357\273\277sep=;\r\n# "a comment\r\nresource;type;value;begin;end\r\n#1;S;run;0,5;1\r\n' |
    rows "a separator as Excel says it, comments" '#1,Group,state,S,run,0.5,1,0.5,0,,,,|'
states='a/b,Group,state,S,run,0.5,1.5,1,0,,,,|a/b,Group,state,S,wait,1.5,2,0.5,0,,,,|'
printf 'resource,type,value,begin,end\na/b,S,run,0.5,1.5\na/b,S,wait,1.5,2\n' |
    rows "a header that is known" "$states"
{
    printf '\xEF\xBB\xBFBegin (ms);End (ms);Path;Kind;State\r\n'
    printf '500,0;1500;a/b;S;run\r\n1500;2000;a/b;S;wait\r\n'
} | rows "semicolons, units, decimal commas" "$states"
{
    printf 'path\ttype\tname\tstart_us\tdur_us\n'
    printf 'a/b\tS\twait\t1500000\t500000\na/b\tS\trun\t500000\t1000000\n'
} | rows "tabs, durations, rows out of order" "$states"
printf '"host","rank","state","begin","end","file"\n"n,1","0","a ""b""",0,1,"x"\n' |
    rows "quotes, levels, attributes" \
        '"n,1/0",rank,state,state,"a ""b""",0,1,1,0,,,,"{""file"":""x""}"|'
printf 'time|resource|type|value\n1|a|V|2.5\n2|a|V|3\n2|a|E|mark\n' |
    rows "variables and events" 'a,Group,event,E,mark,2,2,0,,,,,|'\
'a,Group,variable,V,2.5,1,2,1,,,,,|a,Group,variable,V,3,2,2,0,,,,,|'
printf 'resource,type,value,begin,end\na,S,x,0,2\na,S,y,1,3\n' |
    rows "states that cross" 'a,Group,state,S,x,0,2,2,0,,,,|a/~1,Lane,state,S,y,1,3,2,0,,,,|'
# Spans say which is around them; without both columns their times do. Ids stay attributes.
while read -r id parent inner; do
    {
        echo "resource,name,begin,end,$id,$parent"
        printf '%s\n' a,inner,4,5,i3,i2 b,other,5,6,i4,i2 a,query,1,5,i1,i0 a,request,0,10,i0, \
            a,again,3,8,i2,i0
    } >spans.csv
    cli import --force spans.csv -o spans.db >/dev/null 2>import.err || fail "$(cat import.err)"
    same "$id and $parent" "a,request i0 a,query i1 a/~1,again i2 $inner,inner i3 b,other i4" \
        "$(cli sql --csv spans.db "SELECT resource, value || ' ' || json_extract(attributes,
            '$.$id') AS value FROM events ORDER BY begin" | sed 1d | paste -sd' ')"
done <<'END'
span_id parent_id a/~1
spanID parentSpanID a/~1
SpanId parent a/~1
id parent a/~1
span_id above a
own parent_span_id a
END
# columns WHAT COLUMNS EXPECTED: the same as rows, by --columns.
columns() {
    cat >table.csv
    cli import --force --columns "$2" table.csv -o table.db >/dev/null 2>import.err ||
        { fail "$1: $(cat import.err)" && return 0; }
    same "$1" "$3" "$(cli export table.db 2>said | sed 1d | events | sort | tr '\n' '|')"
}
two='n1/0,rank,state,state,run,0.5,1.5,1,0,,,,|n1/1,rank,state,state,wait,1.5,2,0.5,0,,,,|'
printf '0,5;n1;0;run;1;?\n1,5;n1;1;wait;0,5;?\n' |
    columns "no header" 'begin,host,rank,state,duration,-' "$two"
printf '500\tn1\t0\trun\t1000\n1500\tn1\t1\twait\t500\n' |
    columns "a unit" 'begin_ms,host,rank,state,duration' "$two"
printf 't0 (ms)|where|proc|what|t1|junk\n500|n1|0|run|1500|x\n1500|n1|1|wait|2000|x\n' |
    columns "words for the header" 'begin=t0,host=where,rank=proc,state=what,end=t1,-=junk' "$two"
printf 't,what\n0,a\n' >table.csv
cli import --force --columns begin,machine/,state table.csv -o none.db 2>table.err &&
    fail "--columns that are too many"
has table.err 'table.csv:1: --columns has 3 words, expected one for each of the 2 fields'
refused 1 'the header has no column "u", which --columns names' \
    import --columns begin=u table.csv -o none.db
refused 1 '--columns has words with = and without' import --columns begin=t,value table.csv -o n.db
refused 1 '--columns is "begin,x", expected one such as resource,type,value,begin,end' \
    import --columns begin,x table.csv -o none.db
printf '0,5;m1;run\n2;m1;wait\n' | columns "a step by its slash" 'begin,machine/,state' \
    'm1,machine,event,state,run,0.5,0.5,0,,,,,|m1,machine,event,state,wait,2,2,0,,,,,|'
XDG_CACHE_HOME=$PWD/cache cli export --columns begin,machine/,state table.csv >got.txt 2>/dev/null
same "and where a table is opened" 2 "$(grep -c m1,machine got.txt)"
printf 'resource, type, value, begin, end\na/b, S, run, 0.5, 1.5\na/b, S, wait, 1.5, 2\n' |
    rows "blanks behind separators" "$states"

# Several files: a node each, merged by path, or the parts of one dump; a folder is its files.
mkdir -p folder
printf 'rank,state,begin,end\n0,a,0,1\n' >folder/run10.csv
printf 'rank,state,begin,end\n1,b,1,2\n' >folder/run2.csv
paths() { cli export "$1" | sed 1d | events | cut -d, -f1 | tr '\n' ' '; }
quiet folder/run2.csv folder/run10.csv -o several.db
same "a node for each file" "run2/1 run10/0 " "$(paths several.db)"
quiet folder -o folder.db
same "a folder" "$(uid several.db)" "$(uid folder.db)"
quiet --same-root folder -o several.db
same "merged by path" "1 0 " "$(paths several.db)"
cp small.csv folder/run2.csv
cp small.csv folder/run10.csv
quiet folder -o several.db
same "two dumps" 2 "$(cli export several.db | grep -c ',state,S,outer')"

same "what was guessed" 1 \
    "$(cli info table.db | grep -c 'times in s, "resource" is path, "type" is type, "value" is')"
same "is said by import" 1 "$(cli import --force table.csv -o table.db 2>&1 |
    grep -c 'guessed of the table: separator ",", times in s, "resource" is path')"

# Tables as R and pandas write them, with numbers of rows; numbers with blanks around them.
printf '"","resource","type","value","begin","end"\n"1","a","S","x",0,1\n"2","a","S","y",1,2\n' >r.csv
printf ',resource,type,value,begin,end\n0,a,S,x,0,1\n1,a,S,y,1,2\n' >pandas.csv
printf 'resource,type,value,begin,end,\na,S,x, 0 ,1 ,\na,S,y,1,2,\n' >blanks.csv
for table in r pandas blanks; do
    cli import $table.csv -o $table.db >said 2>&1 || fail "$table: $(cat said)"
    has said '"" is left out'
    same "$table" "a,S,state,S,x,0,1 a,S,state,S,y,1,2" "$(cli export $table.db | tail -n +2 |
        cut -d , -f 1-7 | sed 's/,[^,]*,state/,S,state/' | paste -sd ' ')"
done

# --- Broken files

broken=$OCELOTL_ROOT/tests/data/csv-broken
refused_file() { refused 1 "$1: $2" import "$broken/${1%%:*}" -o none.db; }
while IFS='|' read -r file message; do
    refused_file "$file" "$message"
done <<'END'
kind.csv:2|unknown kind of line "States", expected Container, State, Event, Variable or Link
fields.csv:2|5 fields, expected 8: State, container, type, begin, end, duration, depth, value
time.csv:1|time is "zero", expected a decimal number
backwards.csv:1|ends before it begins, expected an end behind it
depth.csv:1|depth is "-1", expected how many states are around
nameless.csv:2|a state without a value, expected its name
unnamed.csv:2|a state without a value, expected its name
unknown.csv:1|the header is "Resource;Kind;Label;Begin;End", expected one such as 
value.csv:1|value is "much", expected a number
inside.csv|container "b" is inside itself, expected one of its own around it
nature.csv:2|nature "Thing", expected Container, State, Event, Variable or Link
large.csv:2|time is "1e30", expected a
header.csv|holds no event, expected rows behind a header, or lines of pj_dump
row.csv:3|4 fields, expected 5 as in the header
order.csv:2|ends before it begins, expected an end behind it
units.csv:1|the header has times in different units, expected one unit
category.csv:2|category is "stat", expected event, state, variable, link or resource
number.csv:2|value is "many", expected a finite number
attributes.csv:2|attributes: is no flat object of JSON, expected a closing quote
quote.csv:2|a field in quotes does not end, expected one more quote
empty.csv|is empty, expected a trace
nothing.csv:2|no resource, expected the path of one
members.json:2|member "typ", expected those of export: resource,resource_type,
cut.json:2|is no flat object of JSON, expected a closing quote
untimed.json:1|time is "", expected a decimal number
huge.csv:2|time is "1e300", expected a decimal number from -9.2e18 to 9.2e18
END
header='the header is "resorce,type,value,begin,end", expected one such as '
refused_file word.csv:1 "${header}resource,type,value,begin,end or time,resource,type,value"
semicolons="resource;type;value;begin;end or time;resource;type;value"
refused_file semicolons.csv:1 \
    "the header is \"resorce;type;value;begin;end\", expected one such as $semicolons"
for header in 'x;y' 'x,y' 'time,load' x 'x;'; do
    printf '%s\n1;2\n' "$header" >odd.csv
    refused 1 "odd.csv:1: the header is \"$header\"" import odd.csv -o none.db
    refused 1 'expected that of a trace, such as resource,type,value,begin,end' import odd.csv \
        -o none.db
done
printf 'x;y\n1;2\n' >odd.txt
refused 1 'odd.txt:1: the header is "x;y", separated by semicolons, expected that of a trace' \
    import odd.txt -o none.db
refused 1 'odd.txt:1: the header is "x;y", expected one such as resource;type;value;begin;end' \
    import --format csv odd.txt -o none.db
printf 'host,rank,state,begin,end\nn,,a,0,1\nn,1,b,0,1\n' | rows "a path that is shorter" \
        'n,host,state,state,a,0,1,1,0,,,,|n/1,rank,state,state,b,0,1,1,0,,,,|'
cli import --lenient "$broken/kind.csv" -o lenient.db >/dev/null 2>&1
same "what is left" 1 "$(cli export lenient.db | sed 1d | wc -l)"
for table in nameless unnamed; do
    cli import --lenient --force "$broken/$table.csv" -o lenient.db >/dev/null 2>&1
    same "what is left of $table" 1 "$(cli export lenient.db | sed 1d | wc -l)"
done
# Where a value ends is not dropped without a word; ends at the next value are none.
printf 'resource,type,value,begin,end\na,x,5,0,1\na,x,6,1,2\na,x,7,9,10\na,s,run,0,20\n' >ends.csv
quiet ends.csv -o ends.db
cli info ends.db | grep -qE ' 1  value of a variable that does not end where the next begins' ||
    fail "an end was dropped"
# A matrix stays one.
printf 'path,type,slice,value\na,x,0,1\n' >matrix.csv
refused 1 'is a microscopic model already' import matrix.csv -o matrix.db

# A value for each line is said, whatever the format.
{ echo "resource,type,value,begin,end" && seq 6000 | sed 's/.*/a,S,step &,&,&.5/'; } >many.csv
cli import --force many.csv -o many.db >/dev/null 2>&1 || fail "many values"
says many.db "1  event type of more than 4096 names"
# Units of time as people write them.
while read -r header seconds; do
    printf 'resource,type,value,%s,end\na,S,x,0,1\n' "${header//_/ }" >unit.csv
    cli import --force unit.csv -o unit.db >/dev/null 2>&1
    same "$header" "$seconds" "$(cli info --json unit.db | jq .duration)"
done <<'END'
start_(µs) 1e-06
start_(μs) 1e-06
Start_(seconds) 1
start_[sec] 1
start_msec 0.001
begin_(nanoseconds) 1e-09
END
printf 'resource,type,value,start (min),end\na,S,x,0,1\n' >unit.csv
refused 1 'unit.csv:1: the header is "resource,type,value,start (min),end", expected one such as resource,type,value,begin,end or time,resource,type,value, in s, ms, us or ns;' \
    import --force unit.csv -o unit.db

# Names hold line ends, and come back with them.
printf 'resource,type,value,begin,end\n"a\nb",S,"two\nlines",0,1\n' >lines.csv
cli import lines.csv -o lines.db >/dev/null 2>&1
same "names of two lines" $'{"p":"a\\nb","v":"two\\nlines"}' "$(cli sql --json lines.db \
    "SELECT resource AS p, value AS v FROM events" | jq -c '.[0] // .')"
cli export lines.db >lines2.csv
cli import lines2.csv -o lines2.db >/dev/null 2>&1
same "the same again" "$(cli info --json lines.db | jq .uid)" \
    "$(cli info --json lines2.db | jq .uid)"
