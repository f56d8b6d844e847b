# Logs of GStreamer: what an import makes of them agrees with a few lines of awk over the same file,
# with the quirks of real logs; broken lines give their errors.
need jq awk

cat >a.log <<'END'
Setting pipeline to PAUSED ...
0:00:00.000000100   100      0x2192200 INFO                GST_INIT gst.c:584:init_pre: Initializing GStreamer Core Library version 1.22.0
0:00:00.000000150   100      0x2192200 DEBUG             GST_MEMORY gstallocator.c:593:init: memory alignment: 7

0:00:00.000000200   100 0x7f8c00bd9000 LOG                 videodec net/rtp/imp.rs:12:gst::imp::<A as B>::push:<dec0:src> caps video/x-raw, time 0:00:00.040000000
   width=(int)320
   height=(int)240
0:00:00.000000250   100      0x2192200 DEBUG             GST_MEMORY gstallocator.c:593:init:<mem> again
0:00:00.000000260   100 0x7f8c00bd9000 WARN                videodec dec.c:9:push:<dec0:src>
0:00:00.000000300   101      0x2192200 TRACE             GST_TRACER :0:: thread-rusage, thread-id=(guint64)35201536, ts=(guint64)299, average-cpuload=(uint)250, current-cpuload=(uint)300, time=(guint64)77;
0:00:00.000000301   101      0x2192200 TRACE             GST_TRACER :0:: latency, src-element-id=(string)0x1, src-element=(string)src0, src=(string)src, sink-element=(string)sink0, sink=(string)sink, time=(guint64)8796377, ts=(guint64)300;
0:00:00.000000302   101      0x2192200 TRACE             GST_TRACER :0:: element-reported-latency, element=(string)e, min=(guint64)5, max=(guint64)18446744073709551615;
0:00:00.000000303   101      0x2192200 TRACE             GST_TRACER :0:: buffer, thread-id=(guint64)1, pad-ix=(uint)3;
END
broken='0:00:00.000000310   100      0x2192200 ERROR           basesrc src.c:7:loop: it is'
breaking='0:00:00.000000320   101      0x2192200 FIXME           basesrc src.c:8:loop: whole'
head -n 9 a.log >plain.log
printf '%s\n' "$broken$breaking" ' bad' \
    '1:02:03.000000400   100      0x2192200 MEMDUMP         basesrc src.c:9:loop: late' \
    '0:00:01.0 / 0:00:02.0' >>a.log

# What awk counts: lines by level, and the time between messages of a thread, by level.
count() {
    sed 's/\x1b\[[0-9;]*m//g' "$1" | awk '
        function nanoseconds(text, parts) {
            split(text, parts, /[:.]/)
            return ((parts[1] * 60 + parts[2]) * 60 + parts[3]) * 1e9 + parts[4]
        }
        length($1) > 16 && $1 ~ /^[0-9]+:[0-9][0-9]:[0-9][0-9]\.[0-9]+$/ && $3 ~ /^0x/ {
            n[$4]++
            if ($5 == "GST_TRACER" && $6 ~ /^:/) next
            thread = $2 " " $3
            now = nanoseconds($1)
            if (thread in last) time[level[thread]] += now - last[thread]
            last[thread] = now
            level[thread] = $4
        }
        END {
            for (k in n) print "record", k, n[k]
            for (k in time) printf "time %s %.0f\n", k, time[k]
        }' | sort
}
counted() {
    cli info --json "$1" | jq -r '.source.records | to_entries[] |
        select(.key | test("^[A-Z]+$")) | "record \(.key) \(.value)"'
    ask "$1" "SELECT 'time ' || value || ' ' || CAST(round(sum(duration) * 1e9) AS integer)
        FROM events WHERE category = 'state' GROUP BY value HAVING sum(duration) > 0"
}
for log in "$OCELOTL_ROOT"/../shared/traces/formats/gstreamer/*.log* \
    "$OCELOTL_ROOT"/examples/*.log.*; do
    [ ! -e "$log" ] || agrees "$log"
done
agrees plain.log

# --- What a log becomes

quiet a.log -o a.db
cli info --json a.db >a.json
holds "lines by kind" a.json '.source.records == {"DEBUG": 2, "ERROR": 1, "FIXME": 1, "INFO": 1,
    "LOG": 1, "MEMDUMP": 1, "TRACE": 4, "WARN": 1, "empty line": 1, "other line": 2,
    "rest of a message": 3}'
holds "producer" a.json '.source.producer == "GStreamer 1.22.0"'
says a.db 'line that another one breaks' 'process beside the first' \
    'measure of a tracer that is not known'
states='SELECT resource, value, CAST(round(begin * 1e9) AS integer) AS b,
    CAST(round(end * 1e9) AS integer) FROM events WHERE category = '\''state'\'' ORDER BY b'
same "states" "100/0x2192200/GST_INIT/init_pre,INFO,100,150 \
100/0x2192200/GST_MEMORY/init,DEBUG,150,250 \
100/0x7f8c00bd9000/videodec/gst::imp::<A as B>::push,LOG,200,260 \
100/0x2192200/GST_MEMORY/init,DEBUG,250,310 100/0x7f8c00bd9000/videodec/push,WARN,260,260 \
100/0x2192200/basesrc/loop,ERROR,310,3723000000400 101/0x2192200/basesrc/loop,FIXME,320,320 \
100/0x2192200/basesrc/loop,MEMDUMP,3723000000400,3723000000400" "$(ask a.db "$states" | line)"
attribute() {
    cli sql --json "$1" "SELECT json_extract(attributes, '\$.$2') AS text FROM events
        WHERE value = '$3'" | jq -r '.[0].text'
}
same "the object" dec0:src "$(attribute a.db object LOG)"
same "the source" net/rtp/imp.rs:12 "$(attribute a.db source LOG)"
same "a message of several lines" \
    'caps video/x-raw, time 0:00:00.040000000    width=(int)320    height=(int)240' \
    "$(attribute a.db message LOG | line)"
same "a message that is broken" 'it is' "$(attribute a.db message ERROR)"
same "what broke it" 'whole  bad' "$(attribute a.db message FIXME | line)"
same "what tracers measure" "101/0x2192200,thread-rusage average-cpuload,250 \
101/0x2192200,thread-rusage current-cpuload,300 101/0x2192200,thread-rusage time,77 \
101/e,element-reported-latency min,5 101/src0.src > sink0.sink,latency time,8796377" \
    "$(ask a.db "SELECT resource, type, value FROM events WHERE category = 'variable'
        ORDER BY resource, type" | line)"
same "what else they say" "101/0x2192200,buffer" "$(ask a.db "SELECT resource, value FROM events
    WHERE category = 'event'")"

quiet --value function a.log -o f.db
same "functions of threads" "100/0x2192200,init_pre,INFO 100/0x2192200,init,DEBUG \
100/0x2192200,init,DEBUG 100/0x2192200,loop,ERROR" "$(ask f.db "SELECT resource, value,
    json_extract(attributes, '\$.level') FROM events WHERE resource = '100/0x2192200' AND
    category = 'state' ORDER BY begin LIMIT 4" | line)"
cli stats --value function --json a.log >s.json 2>/dev/null
holds "--value without import" s.json '.types | any(.name == "Function")'

# --- The same log otherwise: the same trace

head='^([0-9:.]+) ( *[0-9]+)( +0x[0-9a-f]+) ([A-Z]+) +([A-Za-z_]+ [^ ]*:[0-9]+:)'
sed -E "s/$head/\1 \x1b[336m\2\x1b[00m\3 \x1b[33;01m\4\x1b[00m \x1b[00;01;36m   \5\x1b[00m/" \
    a.log >coloured.log
[ "$(grep -c $'\x1b' coloured.log)" -gt 9 ] || fail "no colours"
quiet coloured.log -o coloured.db
same "colours" "$(exported a.db)" "$(exported coloured.db)"
grep -v '^ ' plain.log | tail -n +2 >forth.log
tac forth.log >back.log
quiet back.log -o back.db
quiet forth.log -o forth.db
same "messages backwards" "$(exported forth.db)" "$(exported back.db)"
says back.db 'earlier than the one before it'

# --- Several files

sed 's/^0:00:00/0:00:05/' plain.log >b.log
quiet plain.log b.log -o two.db
same "two files" "b/100 plain/100" "$(ask two.db "SELECT DISTINCT substr(resource, 1,
    instr(resource, '/100') + 3) FROM events ORDER BY 1" | line)"
bounds() { ask "$1" "SELECT round(max(end), 6), count(DISTINCT resource) FROM events"; }
same "they keep their times" 5,8 "$(bounds two.db)"
quiet --align begin plain.log b.log -o two.db
same "they begin at once" 0,8 "$(bounds two.db)"
quiet --same-root plain.log b.log -o two.db
same "they are one" 5,4 "$(bounds two.db)"
refused 1 'plain.log: files of the format gstreamer do not say when they were recorded' \
    import --align clock plain.log b.log -o two2.db

# --- Broken lines

good='0:00:00.000000100   100      0x2192200 INFO  GST_INIT gst.c:584:init_pre: text'
while IFS='|' read -r message line; do
    broken_line x.log "$message" "$line"
done <<'END'
the time is "0:00:99.000000100", expected time|0:00:99.000000100 12 0x1 INFO G g.c:1:f: x
the process is "abc"|0:00:00.000000100 abc 0x1 INFO GST_INIT gst.c:1:f: x
the process is ""|0:00:00.000000100
the thread is "", expected time|0:00:00.000000100 12
the thread is "pipe"|0:00:00.000000100 12 pipe INFO GST_INIT gst.c:1:f: x
the thread is "0x"|0:00:00.000000100 12 0x INFO GST_INIT gst.c:1:f: x
the level is "INF"|0:00:00.000000100 12 0x1 INF
the level is "NOTE"|0:00:00.000000100 12 0x1 NOTE GST_INIT gst.c:1:f: x
the category is ""|0:00:00.000000100 12 0x1 INFO 
the place is "gst.c"|0:00:00.000000100 12 0x1 INFO GST_INIT gst.c
the place is "gst.c:1"|0:00:00.000000100 12 0x1 INFO GST_INIT gst.c:1
the function is "f"|0:00:00.000000100 12 0x1 INFO GST_INIT gst.c:1:f
END
for cut in 0:0 0:00:00.0000; do
    printf '%s\n%s' "$good" "$cut" >x.log
    quiet x.log -o x.db
    says x.db 'last line that has no end of line (it may be cut)'
    rm x.db
done
printf '%s\n' "${good%init_pre*}" >x.log
refused 1 'x.log:1: the function is ""' import x.log -o x.db
echo hello >x.log
refused 1 'x.log: holds no whole line of a log' import --format gstreamer x.log -o x.db
