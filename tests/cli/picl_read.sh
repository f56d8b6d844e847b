# PICL traces, read: ten lines of each form, the lines of the programs that write it, what export
# writes (which picl.sh reads in awk); broken lines give their errors.
need jq awk

states() {
    ask "$1" "SELECT resource, value, round(begin * 1e6), round(end * 1e6),
        json_extract(attributes, '\$.data') FROM events WHERE category = 'state'
        ORDER BY resource, begin, depth" | sed 's/\.0//g; s/,$//' | line
}
links() {
    ask "$1" "SELECT source, target, round(begin * 1e6), round(end * 1e6),
        json_extract(attributes, '\$.size'), json_extract(attributes, '\$.tag') FROM events
        WHERE category = 'link' ORDER BY begin, end" | sed 's/\.0//g' | line
}

# --- Ten lines of the new form

cat >new.picl <<'END'
-3 -901 0.000000 0 0 0
-3 -901 0.000000 1 0 0
-3 7 0.000010 0 0 0
-3 -21 0.000020 0 0 4 2 100 5 1 0
-4 -21 0.000030 0 0 0
-3 -52 0.000015 1 0 3 2 5 0 0
-4 -52 0.000040 1 0 4 2 100 5 0 0
-4 7 0.000050 0 0 0
-4 -901 0.000060 0 0 0
-4 -901 0.000070 1 0 0
END
quiet new.picl -o new.db
same "states" "0,event 7,10,50 0,send,20,30 1,receive,15,40" "$(states new.db)"
same "links" "0,1,20,40,100,5" "$(links new.db)"
same "lives" "0,0,60 1,0,70" "$(ask new.db "SELECT path, round(begin * 1e6), round(end * 1e6)
    FROM resources ORDER BY 1" | sed 's/\.0//g' | line)"
cli info --json new.db >new.json
holds "records" new.json '.source.records == {"-3 -21": 1, "-3 -52": 1, "-3 -901": 2,
    "-3 of a user'"'"'s event": 1, "-4 -21": 1, "-4 -52": 1, "-4 -901": 2,
    "-4 of a user'"'"'s event": 1}'

# --- Ten lines of the old form, and the same with words

cat >old.picl <<'END'
1 0 0 0 1 1 1
1 0 0 1 1 1 1
20 0 10 0 7 0 0
4 0 20 0 1 5 100
7 0 15 1 5
8 0 40 1 0 5 100
21 0 50 0 7 0 0
20 0 60 1 -1 0 0
15 0 65 0 3
19 0 70 1 0
END
cat >words.picl <<'END'
trace_start  clock 0 0 node 0 event 1 compstats 1 commstats 1
trace_start  clock 0 0 node 1 event 1 compstats 1 commstats 1
block_begin  clock 0 10 node 0 block_type 7 location_type 0 parameter_type 0
send  clock 0 20 node 0 to 1 type 5 lth 100
recv_blocking  clock 0 15 node 1 type 5
recv_waking  clock 0 40 node 1 from 0 type 5 lth 100
block_end  clock 0 50 node 0 block_type 7 location_type 0 parameter_type 0
block_begin  clock 0 60 node 1 block_type -1 location_type 0 parameter_type 0
trace_mark  clock 0 65 node 0 type 3
trace_exit  clock 0 70 node 1 space 0
END
for form in old words; do
    quiet $form.picl -o $form.db
    same "$form: states" "0,event 7,10,50 1,receive,15,40 1,barrier,60,70" "$(states $form.db)"
    same "$form: links" "0,1,20,40,100,5" "$(links $form.db)"
    same "$form: marks" "0,trace_mark,65" "$(ask $form.db "SELECT resource, value,
        CAST(round(begin * 1e6) AS integer) FROM events WHERE category = 'event'")"
    says $form.db '1  state open at the end of the trace (ended there)'
    cli info --json $form.db >$form.json
    holds "$form: records" $form.json '.source.records == {"block_begin": 2, "block_end": 1,
        "recv_blocking": 1, "recv_waking": 1, "send": 1, "trace_exit": 1, "trace_mark": 1,
        "trace_start": 2}'
done

# --- As programs write it

# A code generator (coNCePTuaL): waits for all at once, groups, texts, collectives.
cat >generated.trf <<'END'
-202 -812 0.000000 -1 -1 3 2 0 0 1
-3 -901 0.000000 0 0 0
-3 -901 0.000000 1 0 0
-3 -27 0.000010 0 0 4 2 8 1 1 0
-4 -27 0.000010 0 0 1 2 0
-3 -57 0.000010 0 0 3 2 1 1 0
-4 -57 0.000010 0 0 1 2 1
-3 -21 0.000010 1 0 4 2 16 1 0 0
-3 -52 0.000010 1 0 3 2 1 0 0
-4 -21 0.000020 1 0 0
-4 -52 0.000020 1 0 4 2 8 1 0 0
-3 -31 0.000020 0 0 1 2 0
-3 -61 0.000020 0 0 1 2 1
-4 -31 0.000030 0 0 0
-4 -61 0.000030 0 0 4 2 16 1 1 0
-3 -402 0.000040 0 0 1 2 0
-3 -911 0.000040 1 0 4 "%d %s %s %s" 11 all is well
-4 -402 0.000050 0 0 0
-4 -911 0.000050 1 0 0
-3 -790 0.000050 0 0 3 2 4 0 -1
-3 -785 0.000050 1 0 3 2 -1 0 0
-4 -790 0.000060 0 0 1 2 4
-4 -785 0.000060 1 0 1 2 4
-4 -901 0.000070 0 0 0
-4 -901 0.000070 1 0 0
END
quiet generated.trf -o generated.db
same "generated: states" "0,wait for a receive,20,30 0,wait for a send,20,30 0,barrier,40,50,0 \
0,reduce,50,60,4 0 -1 1,receive,10,20 1,send,10,20 1,text,40,50,11 all is well \
1,broadcast,50,60,-1 0 0" "$(states generated.db | sed 's/0,wait for a send,20,30 \(0,wait for a receive,20,30\)/\1 0,wait for a send,20,30/; s/1,send,10,20 1,receive,10,20/1,receive,10,20 1,send,10,20/')"
same "generated: links" "0,1,10,20,8,1 1,0,10,30,16,1" "$(links generated.db)"
holds "groups" <(cli info --json generated.db) '.source.left_out["-202 -812"].count == 1'

# A filter of a simulator's output (PARASOL): other formats, no thread at the other end.
cat >filtered.trf <<'END'
-3 -901 0 0 -1 0
-3 -901 0 1 -1 0
-3 -601 1.5e-05 0 0 0
-3 -51 2e-05 1 -1 1 1 2 -1
-4 -601 2.5e-05 0 0 0
-3 -21 3e-05 0 -1 3 2 1 42 1
-4 -21 3e-05 0 -1 0
-4 -51 4e-05 1 -1 3 2 1 42 0
-4 -901 5e-05 0 -1 0
-4 -901 5e-05 1 -1 0
END
quiet filtered.trf -o filtered.db
same "filtered: states" "0,idle,15,25 1,receive,20,40" "$(states filtered.db)"
same "filtered: links" "0,1,30,40,1,42" "$(links filtered.db)"

# A solver (PaStiX): blanks, more data than it says, other numbers of waits.
cat >solver.trf <<'END'
-3 -901          0 0 -1 0 
-2 -904          0 0 -1 3 2 4 4 0 
-3 -402          0 0 -1 0 
-4 -402      1e-05 0 -1 0 
-3 6      1e-05 0 -1 0 123456
-3 -27      2e-05 0 -1 3 2 800 88 1 
-4 -27      2e-05 0 -1 1 2 5 
-3 -30      2e-05 0 -1 1 2 5 
-4 -30      2e-05 0 -1 0 
-3 -57      3e-05 1 -1 3 2 800 88 1 
-4 -57      3e-05 1 -1 1 2 5 
-3 -60      3e-05 1 -1 1 2 5 
-4 -60      3e-05 1 -1 3 2 800 88 0 
-4 6      4e-05 0 -1 0 
-4 -901      5e-05 0 -1 0 
END
quiet solver.trf -o solver.db
same "solver: states" "0,barrier,0,10 0,event 6,10,40,123456" "$(states solver.db)"
same "solver: links" "0,1,20,30,800,88" "$(links solver.db)"

# What loads a program, and what sums up, is left out; calls at an instant are marks.
cat >library.picl <<'END'
trace_start  clock 0 0 node -32768 event 4 compstats 2 commstats 2
open  clock 0 1 node -32768
load  clock 0 2 node -1
trace_start  clock 0 3 node 0 event 4 compstats 2 commstats 2
compstats  clock 0 3 node 0 busy 0 0 idle 0 0
commstats  clock 0 3 node 0 received 0 volume 0 sent 0 volume 0 probed 0
probe  clock 0 4 node 0 type 5
sync  clock 0 5 node 0
trace_stop  clock 0 6 node 0 : ran out of memory
END
quiet library.picl -o library.db
same "library: marks" "0,probe 0,sync" "$(ask library.db "SELECT resource, value FROM events
    ORDER BY begin" | line)"
same "library: processors" "host 0" "$(ask library.db "SELECT path FROM resources" | line)"
cli info --json library.db >library.json
holds "library: left out" library.json '.source.left_out | keys == ["commstats", "compstats",
    "load", "open"]'

# --- What export writes: the same links, bytes and states by rank

counted() {
    ask "$1" "SELECT resource || ' states ' || count(*) FROM events WHERE category = 'state'
        GROUP BY resource UNION ALL SELECT source || ' links ' || count(*) || ' ' ||
        sum(coalesce(json_extract(attributes, '\$.size'), 0)) FROM events
        WHERE category = 'link' GROUP BY source" | sort
}
example stencil.db
for format in picl picl1; do
    cli export --force --format $format stencil.db -o m.picl 2>/dev/null
    quiet m.picl -o m.db
    same "$format: by rank" "$(counted stencil.db)" "$(counted m.db)"
done

# --- The same trace otherwise

expected=$(exported new.db)
sort -s -k 4,4n new.picl >other.picl
quiet other.picl -o other.db
same "one processor after the other" "$expected" "$(exported other.db)"
{ sed -n 1p new.picl && sed 1d new.picl | tac; } | sed 's/^-3 -21/& /' >other.picl
quiet other.picl -o other.db
same "backwards" "$expected" "$(exported other.db)"
says other.db 'record earlier than the one before it of its processor (sorted)'
cp m.picl moved.picl
gzip -c m.picl >moved.picl.gz
cp m.picl.names moved.picl.names
quiet moved.picl.gz -o moved.db
same "names beside a compressed trace" "$(exported m.db)" "$(exported moved.db)"

# --- Times: as many digits as there are, up to twelve

sed 's/0\.0000\([0-9]*\) /1600000000.0000\1 /' new.picl >since.picl
quiet since.picl -o since.db
same "since 1970" "1600000000.00002" "$(ask since.db "SELECT printf('%.5f', begin) FROM events
    WHERE category = 'link'")"
sed '4s/0.000020/0.000020000001/; 7s/0.000040/0.0000400000004/' new.picl >fine.picl
quiet fine.picl -o fine.db
says fine.db 'in ticks of 1/1000000000000 s'
says fine.db '1  time finer than a tick can be (rounded)'
same "fine times" "20000001,40000000" "$(ask fine.db "SELECT CAST(round(begin * 1e12) AS integer),
    CAST(round(end * 1e12) AS integer) FROM events WHERE category = 'link'")"
printf '%s\n' '-3 -901 10000000 0 0 0' '-3 1 1.000000000001 0 0 0' >fine.picl
refused 1 'a time is too large for the finest one' import fine.picl -o no.db

# --- What is odd is kept, and counted

cat >odd.picl <<'END'
-3 -901 0 0 0 0
-4 3 1 0 0 0
-3 -21 2 0 0 4 2 100 5 1 0
-4 -21 2 0 0 0
-3 -21 3 0 0 4 2 100 5 1 0
-4 -21 3 0 0 0
-3 -52 1 1 0 3 2 5 0 0
-4 -52 2 1 0 4 2 50 5 0 0
-3 -52 2 1 0 3 2 6 0 0
-4 -52 2 1 0 4 2 50 6 0 0

END
quiet odd.picl -o odd.db
says odd.db '1  end of a state without its begin (left out)'
holds "an end of nothing" <(cli info --json odd.db) \
    '.source.left_out["-4 of a user'"'"'s event"] == {"count": 1, "why": "it ends what did not begin"}'
says odd.db '1  link whose sides say different things (that of its begin is kept)' \
    '1  link without an end (kept)' '1  link without a start (kept)'
quiet --lenient odd.picl -o odd.db
says odd.db "1  end of a state without its begin (taken from the trace's beginning)"

# --- Broken lines

# broken FORM MESSAGE LINE: behind lines of a form it is refused, and skipped by --lenient.
broken() {
    { head -n 4 "$1.picl" && echo "$3"; } >x.picl
    refused 1 "x.picl:5: $2" import --format picl x.picl -o x.db
    quiet --lenient --format picl x.picl -o x.db
    says x.db 'skipped line: '
    rm x.db
}
broken new 'the record'\''s type is "-", expected a whole number' '-'
broken new 'the record'\''s type is "x", expected a whole number' 'x 1 0 0 0 0'
broken new 'the record'\''s type is 3, expected -3 (entry), -4 (exit) or another below 0' '3 1 0 0 0 0'
broken new 'the event is "", expected a whole number' '-3'
broken new 'the time is "soon", expected seconds' '-3 1 soon 0 0 0'
broken new 'the time is "99999999999999999999", expected seconds' '-3 1 99999999999999999999 0 0 0'
broken new 'the time is too large, expected less than 2^63 ticks' '-3 1 99999999999 0 0 0'
broken new 'the processor is "0.5", expected a whole number' '-3 1 1 0.5 0 0'
broken new 'the thread is "", expected a whole number' '-3 1 1 0'
broken new 'the number of data is "99999999999999999999", expected a whole' \
    '-3 1 1 0 0 99999999999999999999'
broken new 'the record has 3 data, expected 4 as it says' '-3 -21 1 0 0 4 2 100 5 1'
broken new 'the record has 0 data, expected -1 as it says' '-3 1 1 0 0 -1'
broken new 'the record has 2 whole numbers, expected 3' '-3 -21 1 0 0 3 2 100 5 one'
broken new 'the record has 0 whole numbers, expected 3' '-4 -52 1 1 0 0'
broken old 'the key is "25", expected 1 to 24, or one of their names' '25 0 0 0'
broken old 'the key is "-3", expected 1 to 24' '-3 -901 0 0 0 0'
broken old 'the number of seconds is "", expected a whole number' '4'
broken old 'the number of microseconds is 1000000, expected less than a second' '4 0 1000000 0 1 1 1'
broken old 'the time is too large, expected less than 2^63 us' '4 9223372036854775807 0 0 1 1 1'
broken old 'the node is "", expected a whole number' '4 0 5'
broken old 'the record has 2 whole numbers, expected 3' '4 0 5 0 1 1'
broken words 'the key is "sent", expected 1 to 24, or one of their names' 'sent clock 0 0 node 0'
broken words 'a word is "0", expected clock' 'send 0 0 0'
broken words 'a word is "", expected node' 'send clock 0 0'
broken words 'the record has 1 whole numbers, expected 3' 'send clock 0 0 node 0 to 1 type lth'
{ head -n 4 new.picl && printf '%s\0 0 0\n' '-3 1 1 0'; } >x.picl
refused 1 'x.picl:5: a NUL byte, expected text' import --format picl x.picl -o no.db
head -c 139 new.picl >x.picl
refused 1 'x.picl:6: the thread is "", expected a whole number' import x.picl -o x.db
quiet --lenient x.picl -o x.db
says x.db 'skipped line: the thread is;'
echo '-202 -812 0 -1 -1 1 2 0' >x.picl
refused 1 'x.picl: holds no record of a processor, expected some' import x.picl -o no.db

# names MESSAGE LINE: a broken line of the file of names is refused, and skipped by --lenient.
names() {
    printf 'processor 0 a\n%s\n' "$2" >new.picl.names
    refused 1 "new.picl.names:2: $1" import new.picl -o no.db
    quiet --lenient new.picl -o x.db
    same "$2: names" "a 1" "$(ask x.db 'SELECT path FROM resources' | line)"
}
names '0 has a name already, expected another' 'processor 0 b'
names 'the line is "event seven", expected processor or event, a number and a name' 'event seven'
names 'the line is "processor 1 ", expected processor or event' 'processor 1 '
names 'the path has 40 levels, expected at most 32' "processor 1 $(printf 'a/%.0s' $(seq 40))"
printf 'processor 1 /a//b/\nevent 7 %s\n' $'\xff' >new.picl.names
quiet new.picl -o x.db
rm new.picl.names

# Tables of numbers, and texts, are no PICL.
for text in '1 2 3 4 5 6 7' '-1 -2 -3' '-3 -901' 'send more money' '4 0 20 0 1 5 100'; do
    printf '%s\n%s\n' "$text" "$text" >x.txt
    refused 1 'x.txt: ' import x.txt -o no.db
    has refused.err 'format'
done
