# PICL traces, new and old: what a reader in awk counts is what SQL does.

# Two processes on hosts of their own, with messages of several sizes, tags and orders.
paje_events DefineContainerType DefineStateType DefineLinkType CreateContainer \
    PushState PopState StartLink+size+tag EndLink >made.trace
cat >>made.trace <<'END'
0 H 0 host
0 P H proc
1 S P state
1 M H machine
2 L 0 P P link
3 1.5 h H 0 "host one"
3 1.5 a P h a
3 1.5 b P h b
4 1.5 M h on
4 2.000001 S a MPI_Send
6 2.25 L 0 m a 1 100 7
5 2.5 S a
4 2.5 S b MPI_Barrier
7 2.75 L 0 m b 1
4 2.75 S b inside
5 3.0 S b
5 3.25 S b
6 3.5 L 0 m b 2 28 8
7 3.25 L 0 m a 2
6 4.0 L 0 m b endless 1 1
5 4.25 M h
END
LC_ALL=C sort -s -k 2,2n <(sed -n '/^[4567] /p' made.trace) >events
{ sed '/^[4567] /d' made.trace && cat events; } >sorted.trace
cli import sorted.trace -o made.db >/dev/null 2>&1
cli export --format picl made.db -o made.picl 2>losses
same "new" "-3 -901 0 0 0 0
-3 -901 0 1 0 0
-3 1 0.500001 0 0 0
-3 -21 0.75 0 0 4 2 100 7 1 0
-4 -21 0.75 0 0 0
-3 -402 1 1 0 1 2 -1
-4 1 1 0 0 0
-3 4 1.25 1 0 0
-3 -52 1.25 1 0 3 2 7 0 0
-4 -52 1.25 1 0 4 2 100 7 0 0
-4 4 1.5 1 0 0
-3 -52 1.75 0 0 3 2 8 1 0
-4 -52 1.75 0 0 4 2 28 8 1 0
-4 -402 1.75 1 0 0
-3 -21 2 1 0 4 2 28 8 0 0
-4 -21 2 1 0 0
-4 -901 2.75 0 0 0
-4 -901 2.75 1 0 0" "$(cat made.picl)"
same "names" "processor 0 host one/a
processor 1 host one/b" "$(grep processor made.picl.names)"
for event in "1 MPI_Send" "4 inside"; do
    like made.picl.names "^event $event\$"
done
has losses 'not said by picl: states of what is no processor (1)'
has losses 'not said by picl: links with one end alone (1)'
cli export --format picl1 made.db >old.picl 2>/dev/null
same "old" "1 0 0 0 1 1 1
1 0 0 1 1 1 1
20 0 500001 0 1 0 0
4 0 750000 0 1 7 100
20 1 0 1 -1 0 0
21 1 0 0 1 0 0
20 1 250000 1 4 0 0
6 1 250000 1 0 7 100
21 1 500000 1 4 0 0
6 1 750000 0 1 8 28
21 1 750000 1 -1 0 0
4 2 0 1 0 8 28
19 2 750000 0
19 2 750000 1" "$(cat old.picl)"

# A reader of its own, of both: states by processor and name, messages by pair.
cat >read.awk <<'END'
FILENAME ~ /names$/ { split($0, part, " "); text = substr($0, length(part[1] part[2]) + 3)
    if ($1 == "processor") path[$2] = text; else event[$2] = text
    next }
NF != (old ? $1 == 19 ? 4 : 7 : $6 > 0 ? 7 + $6 : 6) { print "fields", $0 }
{ time = old ? $2 + $3 / 1e6 : $3 }
time < last { print "order", $0 }
{ last = time; rank = $4 }
{ what = old ? $5 : $2 }
old ? $1 == 20 : $1 == -3 && (what >= 0 || what == -402) {
    states[path[rank] "," (what < 0 ? "barrier" : event[what])]++
}
!old && $1 == -3 && $2 == -21 { sent[path[rank] "," path[$10]]++ }
!old && $1 == -4 && $2 == -52 { received[path[$10] "," path[rank]]++ }
old && $1 == 4 { sent[path[rank] "," path[$5]]++ }
old && $1 == 6 { received[path[$5] "," path[rank]]++ }
END {
    for (key in states) print "state", key, states[key]
    for (key in sent) print "link", key, sent[key], received[key]
}
END
example stencil.db
{
    cli sql --csv stencil.db "SELECT 'state ' || resource || ',' || CASE value WHEN 'PMPI_Barrier'
        THEN 'barrier' ELSE value END || ' ' || count(*) AS line FROM events
        WHERE category = 'state' GROUP BY resource, value" | tail -n +2
    cli sql --csv stencil.db "SELECT 'link ' || source || ',' || target || ' ' || count(*) || ' ' ||
        count(*) AS line FROM events WHERE category = 'link' GROUP BY source, target" | tail -n +2
} | tr -d '"' | sort >expected
for format in picl picl1; do
    cli export --format $format stencil.db -o $format.picl 2>/dev/null
    awk -v old="$([ $format = picl ] || echo 1)" -f read.awk $format.picl.names $format.picl |
        sort >got
    cmp expected got >&2 || fail "a reader of $format counts something else: $(head -3 got)"
done
same "a window" "$(cli export --format picl --from 40% --to 50% stencil.db 2>/dev/null |
    grep -c '^-3 -21')" "$(cli export --format csv --only MPI_LINK --from 40% --to 50% stencil.db |
    tail -n +2 | wc -l)"

# A barrier that is told twice, as a function and as the operation in it, is one; two are two.
paje_events DefineContainerType DefineStateType CreateContainer PushState PopState >twice.trace
cat >>twice.trace <<'END'
0 P 0 proc
1 S P state
1 C P collective
2 0 a P 0 a
2 0 b P 0 b
3 1.0 S a MPI_Barrier
3 1.0 C a BARRIER
3 1.1 S b MPI_Barrier
3 1.2 C b BARRIER
3 1.25 S b PMPI_Barrier
4 1.3 S b
4 1.3 C b
4 1.3 S b
4 1.4 C a
4 1.4 S a
3 1.4 S a MPI_Barrier
4 1.4 S a
3 1.4 S a MPI_Barrier
4 1.4 S a
3 2.0 C b BARRIER
4 2.5 C b
END
cli import twice.trace -o twice.db >/dev/null 2>&1
cli export --format picl twice.db -o twice.picl 2>/dev/null
same "barriers once" "a 1 1.4 a 1.4 1.4 a 1.4 1.4 b 1.1 1.3 b 2 2.5" "$(awk '
    NR == FNR { if ($1 == "processor") path[$2] = $3; next }
    $2 == -402 && $1 == -3 { begin[$4, ++begun[$4]] = $3 }
    $2 == -402 && $1 == -4 { print path[$4], begin[$4, ++ended[$4]], $3 }' \
    twice.picl.names twice.picl | sort | xargs)"
same "states in them" 3 "$(grep -c '^-3 [0-9]' twice.picl)"
same "old ones" "5 3" "$(cli export --format picl1 twice.db 2>/dev/null |
    awk '$1 == 20 { if ($5 == -1) barriers++; else others++ } END { print barriers, others }')"

refused 1 'would take its place' export --format picl made.db -o made.picl

# The names of numbers have a file of their own: nothing is written where it cannot be.
cli export --format picl made.db -o new.picl 2>/dev/null
rm new.picl
cli export --format picl made.db -o new.picl 2>/dev/null || fail "its own names are not replaced"
rm new.picl
echo "a list of guests" >new.picl.names
refused 1 'new.picl.names: holds text that ocelotl-cli did not write, and text would take its place' \
    export --format picl made.db -o new.picl
[ ! -e new.picl ] || fail "a file without names was written"
same "guests" "a list of guests" "$(cat new.picl.names)"
cli export --format picl --force made.db -o new.picl 2>/dev/null
cmp made.picl.names new.picl.names || fail "names are not replaced where that is asked for"
rm new.picl new.picl.names
mkdir new.picl.names
refused 1 'new.picl.names: is a directory' export --format picl1 made.db -o new.picl
[ ! -e new.picl ] || fail "a file without names was written"
rmdir new.picl.names
cp made.db new.picl.names
refused 1 'new.picl.names: is the trace itself' export --format picl new.picl.names -o new.picl
mkfifo pipe
cat pipe >piped & reader=$!
cli export --format picl made.db -o pipe 2>err
wait "$reader"
cmp made.picl piped || fail "a pipe gets something else"
has err 'with -o FILE they are in FILE.names'
[ ! -e pipe.names ] || fail "a pipe has names"
