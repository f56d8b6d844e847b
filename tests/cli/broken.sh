# What is broken in the same way in every format: an empty file, a wrong beginning, a folder without
# what says what is in it, absurd numbers, 10,000 states in each other. Each has its exact error, or
# is kept; what else is broken in a format is in the test of that format.
need jq python3

# --- Empty files, and such without a beginning

for name in x.trace x.csv x.prv x.json x.log x.txt x.picl x.swf x.pages x.heap x.pftrace \
    x.xplane.pb x.otf2 metadata; do
    : >"$name"
    refused 1 "$name: is empty, expected a trace" import "$name" -o no.db
    printf 'magic? none\n' >"$name"
    case $name in
        *.csv) wanted="$name:1: the header is \"magic? none\", expected that of a trace" ;;
        *) wanted="$name: is of no format that is known" ;;
    esac
    refused 1 "$wanted" import "$name" -o no.db
    rm "$name"
done

# --- Folders without what says what is in them

mkdir folder
refused 1 'folder: is a directory, expected a file' import folder -o no.db
printf 'STATES\n0 Idle\n' >folder/x.pcf
refused 1 'folder: holds names of a Paraver trace (x.pcf) and none of its records, expected a .prv beside them' \
    import folder -o no.db
rm folder/x.pcf
printf '\301\037\374\301 and more' >folder/channel0_0
refused 1 'folder: holds a stream of a CTF trace (channel0_0) and no metadata, without which nothing can be read' \
    import folder -o no.db
mkdir -p above/ust/uid/1000
cp folder/channel0_0 above/ust/uid/1000
refused 1 'above/ust/uid/1000: holds a stream of a CTF trace (channel0_0) and no metadata, without' \
    import above -o no.db
rm folder/channel0_0
if reads otf2; then
    printf x >folder/1.evt
    refused 1 'folder: holds parts of an OTF2 archive and no anchor (a file *.otf2)' \
        import folder -o no.db
fi

printf 'LEVEL TASK SIZE 1\none\n' >x.row
refused 1 'x.row: is the names of a Paraver trace (.pcf or .row), which cannot be read, expected the' \
    import x.row -o no.db

# --- Files in which every line is broken: --lenient says what was skipped

# nothing FILE REASON: the file's only line is broken.
nothing() {
    refused 1 "$1:$2" import "$1" -o no.db
    refused 1 "$1: holds nothing that can be read: $1:$2" import --lenient "$1" -o no.db
    lacks refused.err --lenient
    rm "$1"
}
printf 'resource,type,value,begin,end\na,S,x,1\n' >x.csv
nothing x.csv '2: 4 fields, expected 5 as in the header'
printf 'Container, 0, 0, 0, x, 5, 0\n' >x.csv
nothing x.csv '1: time is "x", expected a decimal number'
echo '[{"ph":"X","pid":1,"ts":"x"}]' >x.json
nothing x.json '1, byte 1: ts is "x", expected a number of microseconds'
printf '{"traceEvents":[{"ph":"X" "pid":1}]}' >x.json
nothing x.json '1: is no JSON at byte 26, expected a comma or }'
printf '{"profiles":[{"type":"sampled" "name":1}]}' >x.json
nothing x.json '1: is no JSON at byte 31, expected a comma or }'
echo '0:00:01.000000000  100 0x2192200 INFO GST_INIT gst.c:584' >x.log
nothing x.log '1: the place is "gst.c:584", expected time, process'
{ paje_definitions && printf '9 1 a\n9 2 a\n'; } >x.trace
refused 1 ' (the first of 2)' import --lenient x.trace -o no.db
sed -i '$d' x.trace
nothing x.trace "$(wc -l <x.trace): "

# A place is said of what a table loses.
printf 'resource,type,value,begin,end\na,S,x,1,2\na,S,x,2.0000000000001,3\n' >x.csv
quiet x.csv -o x.db
says x.db 'time with more digits than a tick has (rounded); first at x.csv:3'
printf 'State, n, S, 1, 2, 1, 0, x\n' >x.csv
quiet x.csv -o x.db
says x.db 'container that no line declares (below the root); first at n'
rm x.csv x.db

# What is wrong with a time names the file, wherever it is found out.
for rows in 'a,S,x,1,9000000000000\na,S,x,1,1.0000000001' \
    'a,S,x,1,9000000000\na,S,x,1,1.000000001\nb,S,x,-1000000000,9000000000'; do
    printf "resource,type,value,begin,end\n$rows\n" >far.csv
    refused 1 'far.csv: ' import far.csv -o no.db
done
rm far.csv

# --- 10,000 states in each other

python3 - <<'END'
import ctf_maker
with open("deep.txt", "w") as text:
    for time in (1, 2):
        text.write("deep 1/1 [000] %d.000000: 1 cycles:\n" % time)
        for i in range(10000):
            text.write("\t%x f%d+0x1 (deep)\n" % (i, i))
        text.write("\n")
trace = ctf_maker.Trace("deep", env={"domain": "ust"}, context=[("vpid", "i32"), ("vtid", "i32")])
for name in ("app:call_entry", "app:call_exit"):
    trace.event(name)
with trace.stream(cpu=0) as stream:
    stream.packet([(i, "app:call_entry", {}, {"vpid": 1, "vtid": 1}) for i in range(10000)] +
                  [(20000 + i, "app:call_exit", {}, {"vpid": 1, "vtid": 1}) for i in range(10000)])
END
quiet --stacks deep.txt -o deep.db
same "10,000 frames of perf" "10000 9999" "$(ask deep.db "SELECT count(*) || ' ' || max(depth) FROM
    events")"
quiet deep -o deep.db
same "10,000 pairs of CTF" "10000 9999" "$(ask deep.db "SELECT count(*) || ' ' || max(depth) FROM
    events")"

# --- What hardly can be is said in every format: states more than 1024 deep in each other, and
# those of one name in each other that add up to more than their resource lives

says deep.db 'states more than 1024 deep in each other (kept); 10000 deep, type "Span" in '
nested() { # N: states that begin in each other, in three formats
    {
        paje_definitions PushState
        printf '0 T 0 T\n1 S T S\n2 0 c T 0 run\n'
        seq -f '3 %.0f S c v' "$1"
    } >x.trace
    { echo resource,type,value,begin,end && seq "$1" | sed 's/.*/run,S,v&,&,9999/'; } >x.csv
    { echo '[{}' && seq "$1" | sed 's/.*/,{"ph":"B","name":"v&","pid":1,"tid":1,"ts":&}/' &&
        echo ',{"ph":"i","name":"end","pid":1,"tid":1,"ts":9999}]'; } >x.json
}
for name in x.trace x.json x.csv; do
    nested 1024
    quiet "$name" -o x.db
    cli info x.db 2>&1 | grep -F 'deep in each other' && fail "$name: 1024 states are too deep"
    nested 1025
    quiet "$name" -o x.db
    says x.db 'states more than 1024 deep in each other (kept); 1025 deep, type "'
    nested 9998
    quiet "$name" -o x.db
    same "$name: in each other" 9998,9997 "$(ask x.db "SELECT count(*), max(depth) FROM events
        WHERE category = 'state'")"
done
{
    echo resource,type,value,begin,end
    printf 'run,S,%s\n' a,0,10 b,1,9 a,2,8 b,3,7 a,4,6 b,4.5,5
} >x.csv
quiet x.csv -o x.db
says x.db 'states of one name in each other, in sum longer than their resource lives (each counts)'\
'; 1.8 times as long, "a" of type "S" in "run"'
sed -i 's/a,\([24]\)/c,\1/; s/b,3/d,3/' x.csv
quiet x.csv -o x.db
cli info x.db 2>&1 | grep -F 'in each other' && fail "states that nest: $(cli info x.db)"
rm x*.csv x*.json x*.trace

# --- Absurd numbers

echo '9999999999:00:00.000000001 100 0x2192200 INFO GST_INIT gst.c:1:init: text' >x.log
quiet --format gstreamer x.log -o back.db # no time has so many hours: it is taken for two lines
says back.db 'line that another one breaks'

printf '#Paraver ():9_ns:1(1):1:4000000000(1:1)\n1:1:1:1:1:5:9:1\n' >x.prv
refused 1 'x.prv:1: the header has a number of more than 1048576, expected the number of tasks' \
    import x.prv -o no.db
lacks refused.err --lenient
