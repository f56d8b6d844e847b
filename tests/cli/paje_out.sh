# A trace that came from one Paje file comes back with the same uid; pj_dump reads the same in both.
# What Paje cannot say is counted.
need jq

# back TRACE: exports a trace, and imports that.
back() {
    rm -f first.db second.db
    cli import --lenient "$1" -o first.db >/dev/null 2>&1 || return 0
    cli export --format paje first.db -o back.trace --force 2>said
    cli import back.trace -o second.db >/dev/null 2>import.said ||
        fail "$1: cannot be imported again: $(cat import.said)"
    same "uid of $1" "$(uid first.db)" "$(uid second.db)"
    same "losses of $1" "" "$(grep "not said" said || true)"
}

for trace in "$OCELOTL_ROOT"/examples/*.trace.zst "$OCELOTL_ROOT"/tests/data/*.trace \
    "$shared"/pajeng*.trace "$shared"/smpi-stencil-96*; do
    [ ! -e "$trace" ] || back "$trace"
done

# pj_dump, an independent reader, prints the same lines of both.
if command -v pj_dump >/dev/null 2>&1; then
    cli import "$sample" -o run.db >/dev/null
    unpack "$sample" >run.trace
    cli export --format paje run.db -o written.trace
    pj_dump -l 9 run.trace | sort >expected
    pj_dump -l 9 written.trace | sort >got
    [ "$(wc -l <expected)" -gt 1000 ] || fail "pj_dump printed little: $(head -c 300 expected)"
    cmp expected got || fail "pj_dump prints other lines: $(diff expected got | head -4)"
fi

# A window, and a resource, whose containers stand with those around them.
cli import --force "$sample" -o run.db >/dev/null
cli export --format paje --from 0.1 --to 0.15 --resource nancy/griffon run.db >part.trace
cli import part.trace -o part.db >/dev/null
for database in run part; do
    options="--from 0.1 --to 0.15 --resource nancy/griffon"
    [ $database = run ] || options=
    cli export $options $database.db 2>>said | grep -v ,resource, | cut -d , -f 1,3- |
        sort >$database.csv
done
[ "$(wc -l <part.csv)" -gt 100 ] || fail "few events in the part"
cmp run.csv part.csv || fail "a part does not come back: $(diff run.csv part.csv | head -4)"

# What Paje has no words for: states that cross, units, values with quotes, ticks of a third.
cat >odd.json <<'END'
{"displayTimeUnit":"ns","baseTimeNanoseconds":1700000000000000000,"traceEvents":[
{"ph":"M","pid":1,"name":"process_name","args":{"name":"a \"quoted\" name"}},
{"ph":"X","pid":1,"tid":1,"ts":1.5,"dur":2,"name":"0","args":{"Value":"x","two words":"a\nb"}},
{"ph":"i","pid":1,"tid":1,"ts":2,"name":"mark","args":{"Time":5}},
{"ph":"C","pid":1,"ts":2,"name":"load","args":{"value":-2.5e-7}},
{"ph":"s","pid":1,"tid":1,"ts":2,"id":1,"name":"flow","args":{"size":3}},
{"ph":"f","bp":"e","pid":1,"tid":2,"ts":3,"id":1,"name":"flow"},
{"ph":"s","pid":1,"tid":1,"ts":2.5,"id":2,"name":"flow"}]}
END
cli export --format paje odd.json -o odd.trace 2>said
if command -v pj_dump >/dev/null 2>&1; then
    pj_dump odd.trace >got 2>&1 || fail "pj_dump: $(tail -n 1 got)"
    same "links with both ends" 1 "$(grep -c ^Link got)"
fi
for what in "links with one end, which are left out (1)" "texts with quotes" \
    "names of attributes" "times of recording"; do
    has said "not said by paje: $what"
done
cli import odd.trace -o odd.db >/dev/null
cli export odd.db 2>said | grep -v ,resource, | cut -d , -f 3,5-8 | sort >got
cli export odd.json 2>/dev/null | grep -v ,resource, | cut -d , -f 3,5-8 |
    grep -v '^link,flow,2.5e-06,2.5e-06,$' | sort >expected
cmp expected got || fail "odd: $(diff expected got)"

# Anything may be called 0, as the root is: states by container, value and times come back, and
# pj_dump reads them.
while read -r columns rows; do
    printf '%b' "$rows" >zero.csv
    cli export --no-cache --columns "$columns" zero.csv | grep -v ,resource, |
        cut -d , -f 1,5-7 | tail -n +2 | sed 's/^[^,]*\///' | sort >expected
    cli export --no-cache --columns "$columns" --format paje zero.csv -o zero.trace 2>said ||
        fail "$columns: $(cat said)"
    cli export --no-cache zero.trace 2>said | grep -v ,resource, |
        cut -d , -f 1,5-7 | tail -n +2 | sed 's/^[^,]*\///' | sort >got
    [ -s expected ] && cmp expected got || fail "$columns: $(diff expected got)"
    command -v pj_dump >/dev/null 2>&1 || continue
    pj_dump zero.trace >dump 2>&1 || fail "$columns: pj_dump: $(tail -n 1 dump)"
    awk -F ', ' '/^State/ { printf "%s,%s,%g,%g\n", $2, $8, $4, $5 }' dump | sort >got
    cmp expected got || fail "$columns, pj_dump: $(diff expected got)"
done <<'END'
0/,type,value,begin,end 0,S,a,0,1\n0,S,b,1,2\nr1,S,c,0,2\n
0/,type,value,begin,end 0,S,a,0,1\n0,S,b,1,2\n
host/,type,value,begin,end 0,S,a,0,1\nr1,S,b,1,2\nr0,S,t0,0,1\n
host/,0/,type,value,begin,end a,0,S,a,0,1\na,0,S,b,1,2\nb,r1,S,c,0,2\n
0/,c0/,type,value,begin,end 0,0,0,x,0,1\n0,0,0,b,1,2\nr1,r1,S,c,0,2\n
END

refused 1 "a trace as text would take its place" export --format paje run.db -o run.csv
refused 2 "does not write traces as text" export run.db -o run2.trace
echo "%EventDef PajePopState 1" >mine.trace
refused 1 "that ocelotl-cli did not write" export --format paje run.db -o mine.trace
cli export --format paje run.db -o again.trace
cli export --format paje run.db -o again.trace || fail "its own file is replaced"
(ulimit -f 1 && trap '' XFSZ && refused 1 "larger than files may be" export --format paje run.db \
    -o big.trace) || fail "a file that may not grow"
[ ! -e big.trace ] || fail "a half-written file is left"
