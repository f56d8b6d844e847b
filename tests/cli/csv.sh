# Lines of pj_dump become a trace, and the trace the same lines; broken ones get their error.
# shellcheck source=common.inc disable=SC2154
. "$(dirname "$0")/common.inc"
formats=$OCELOTL_ROOT/../shared/traces/formats/pj_dump

# comes_back WHAT FILE: importing lines and exporting them again gives the same lines.
comes_back() {
    cli import --force "$2" -o back.db >/dev/null 2>import.err ||
        { fail "$1: $(cat import.err)" && return 0; }
    cli export --format pjdump --digits "$3" back.db | sort >got.txt
    sort "$2" >want.txt
    cmp -s want.txt got.txt || fail "$1: $(diff want.txt got.txt | head -5)"
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

# Several files, with headers and fields of the user's own.
grep ^Container small.csv >containers.csv
{
    echo 'Nature, ResourceId, Type, Start, End, Duration, Depth, Value, Size'
    grep ^State small.csv | sed 's/later$/&, 12/'
} >states.csv
cli import states.csv containers.csv -o split.db >/dev/null
same "states of two files" 6 "$(cli export split.db | grep -c ',state,')"
same "an attribute" 1 "$(cli export split.db | grep -c 'n/a,Thread,state,S,later.*{""Size"":')"

if command -v pj_dump >/dev/null; then
    unpack "$OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst" >it.trace
    pj_dump -l 9 it.trace >dump.csv
    comes_back "a trace of SimGrid" dump.csv 9
    cli import --force it.trace -o paje.db >/dev/null
    same "events" "$(cli export paje.db | sort | sha1sum)" "$(cli export back.db | sort | sha1sum)"
fi
if [ -e "$formats/pajeng-ms.pjdump.csv.zst" ]; then
    unpack "$formats/pajeng-ms.pjdump.csv.zst" >ms.csv
    comes_back "a trace of pajeng" ms.csv 6
    tar --zstd -xf "$formats/starvz-lu_trace.tar.zst"
    cli import starvz-lu_trace/*.csv -o starvz.db >/dev/null 2>&1
    cli export --format pjdump starvz.db >got.txt
    for kind in State Variable Event Link; do
        same "$kind lines" "$(cat starvz-lu_trace/paje.*.csv | grep -c "^$kind,")" \
            "$(grep -c "^$kind," got.txt)"
    done
    cmp -s <(grep -h ^State starvz-lu_trace/*.csv | cut -d, -f1-8 | sort) \
        <(grep ^State got.txt | sort) || fail "states of StarVZ"
fi

# --- What export writes, and other tables

# comes_back_as_csv WHAT DATABASE
comes_back_as_csv() {
    cli export "$2" >first.csv
    cli import --force first.csv -o again.db >/dev/null 2>import.err ||
        { fail "$1: $(cat import.err)" && return 0; }
    cli export again.db >again.csv
    cmp -s <(sort first.csv) <(sort again.csv) ||
        fail "$1: $(diff <(sort first.csv) <(sort again.csv) | sed -n 1,6p)"
}
comes_back_as_csv "a small trace" back.db
comes_back_as_csv "attributes" split.db
cli import "$OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst" -o stencil.db >/dev/null
comes_back_as_csv "the example" stencil.db
for trace in "$shared"/pajeng-*.trace "$shared"/pajengr-simgrid.trace; do
    [ -e "$trace" ] || continue
    cli import --force "$trace" -o paje.db >/dev/null 2>&1
    [ "$(cli export paje.db | wc -l)" -lt 2 ] || comes_back_as_csv "$trace" paje.db
done

# rows WHAT EXPECTED: the rows of a table on standard input, as CSV of export without its header.
rows() {
    cat >table.csv
    cli import --force table.csv -o table.db >/dev/null 2>import.err ||
        { fail "$1: $(cat import.err)" && return 0; }
    same "$1" "$2" "$(cli export table.db | sed 1d | sort | tr '\n' '|')"
}
states='a/b,Group,state,S,run,0.5,1.5,1,0,,,,|a/b,Group,state,S,wait,1.5,2,0.5,0,,,,|'
printf 'resource,type,value,begin,end\na/b,S,run,0.5,1.5\na/b,S,wait,1.5,2\n' |
    rows "a header that is known" "$states"
{
    printf '\xEF\xBB\xBFBegin (ms);End (ms);Path;Kind;State\r\n'
    printf '500,0;1500;a/b;S;run\r\n1500;2000;a/b;S;wait\r\n'
} |
    rows "semicolons, units, decimal commas" "$states"
{
    printf 'path\ttype\tname\tstart_us\tdur_us\n'
    printf 'a/b\tS\twait\t1500000\t500000\na/b\tS\trun\t500000\t1000000\n'
} |
    rows "tabs, durations, rows out of order" "$states"
printf '"host","rank","state","begin","end","file"\n"n,1","0","a ""b""",0,1,"x"\n' |
    rows "quotes, levels, attributes" \
        '"n,1/0",rank,state,state,"a ""b""",0,1,1,0,,,,"{""file"":""x""}"|'
printf 'time|resource|type|value\n1|a|V|2.5\n2|a|V|3\n2|a|E|mark\n' |
    rows "variables and events" 'a,Group,event,E,mark,2,2,0,,,,,|'\
'a,Group,variable,V,2.5,1,2,1,,,,,|a,Group,variable,V,3,2,2,0,,,,,|'
printf 'resource,type,value,begin,end\na,S,x,0,2\na,S,y,1,3\n' |
    rows "states that cross" 'a,Group,state,S,x,0,2,2,0,,,,|a/~1,Lane,state,S,y,1,3,2,0,,,,|'
same "what was guessed" 1 \
    "$(cli info table.db | grep -c '"resource" is path, "type" is type, "value" is value')"

# --- Broken files

broken=$OCELOTL_ROOT/tests/data/csv-broken
refused_file() { refused 1 "$1: $2" import "$broken/${1%%:*}" -o none.db; }
refused_file kind.csv:2 \
    'unknown kind of line "States", expected Container, State, Event, Variable or Link'
refused_file fields.csv:2 \
    '5 fields, expected 8: State, container, type, begin, end, duration, depth, value'
refused_file time.csv:1 'time is "zero", expected a decimal number'
refused_file backwards.csv:1 'ends before it begins, expected an end behind it'
refused_file depth.csv:1 'depth is "-1", expected how many states are around'
refused_file value.csv:1 'value is "much", expected a number'
refused_file inside.csv 'container "b" is inside itself, expected one of its own around it'
refused_file nature.csv:2 'nature "Thing", expected Container, State, Event, Variable or Link'
refused_file large.csv:2 'time is "1e30", expected a'
refused_file header.csv 'holds no event, expected rows behind a header, or lines of pj_dump'
header='the header is "resorce,type,value,begin,end", expected one such as '
refused_file word.csv:1 \
    "${header}resource,type,value,begin,end or time,resource,type,value"
refused_file semicolons.csv:1 "$header"
refused_file row.csv:3 '4 fields, expected 5 as in the header'
refused_file order.csv:2 'ends before it begins, expected an end behind it'
refused_file units.csv:1 'the header has times in different units, expected one unit'
refused_file category.csv:2 'category is "stat", expected event, state, variable or link'
refused_file number.csv:2 'value is "many", expected a number'
refused_file attributes.csv:2 'attributes are no flat object of JSON, expected a closing quote'
refused_file quote.csv:2 'a field in quotes does not end, expected one more quote'
cli import --lenient "$broken/kind.csv" -o lenient.db >/dev/null 2>&1
same "what is left" 1 "$(cli export lenient.db | sed 1d | wc -l)"
zstd -q small.csv
head -c -30 small.csv.zst >cut.csv.zst
refused 1 'the compressed data ends too early' import cut.csv.zst -o none.db
# A matrix stays one.
printf 'path,type,slice,value\na,x,0,1\n' >matrix.csv
refused 1 'is a microscopic model already' import matrix.csv -o matrix.db
finish
