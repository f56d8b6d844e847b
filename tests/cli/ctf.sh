# CTF traces of programs: made ones and real ones against babeltrace2's text; clocks, pairs, gaps,
# what is broken.
need_format ctf
need babeltrace2 python3 zstd jq
traces=$OCELOTL_ROOT/../shared/traces/formats

# Imports, and ignores reports of oddities.

# ask TRACE QUERY: the cells of the answer's rows, one row a line.

# checked FOLDER [PAIR..]: counts by name, by thread, and time in states are babeltrace2's.
checked() {
    local folder=$1
    shift
    quiet "$folder" -o t.db
    babeltrace2 --clock-seconds "$folder" 2>/dev/null |
        python3 "$OCELOTL_ROOT/tests/ctf_account.py" "$@" >expected.txt
    {
        ask t.db "SELECT 'records ' || kind || ' ' || sum(count) FROM source_kinds GROUP BY kind
            ORDER BY kind"
        grep '^thread' expected.txt
        ask t.db "SELECT 'time ' || value || ' ' || CAST(round(sum(duration) * 1e9) AS INTEGER)
            FROM events WHERE type = 'Span' AND attributes ->> 'open' IS NULL GROUP BY value
            ORDER BY value" | sort
        ask t.db "SELECT 'span ' || CAST(round((max(end) - min(begin)) * 1e9) AS INTEGER)
            FROM events"
    } >got.txt
    [ $# -gt 0 ] || sed -i '/^time/d' got.txt
    cmp -s expected.txt got.txt || fail "$folder: $(diff expected.txt got.txt)"
}

cat >make.py <<'END'
import os, sys
sys.path.insert(0, os.environ["OCELOTL_ROOT"] + "/tests")
from ctf_maker import Trace

MAIN = {"vpid": 7, "vtid": 7, "procname": "main"}
WORKER = {"vpid": 7, "vtid": 8, "procname": "worker"}
NOTE = dict(size=10, ptr=0xDEADBEEF, text="hello", data=[], colour=1, ratio=0.25, where=(-1, 2))

def user(folder, **more):
    trace = Trace(folder, env={"hostname": "h", "domain": "ust", "tracer_name": "maker",
                               "tracer_major": 1, "tracer_minor": 2},
                  context=[("vpid", "i32"), ("vtid", "i32"), ("procname", "text")], **more)
    for name, fields in (
            ("work_begin", [("step", "u32")]), ("work_end", [("result", "i64")]),
            ("queueStart", []), ("queueStop", []), ("alone_begin", []), ("open", []), ("shut", []),
            ("note", [("size", "u64"), ("ptr", "x64"), ("text", "text"), ("data", "bytes"),
                      ("colour", "colour"), ("ratio", "f64"), ("where", "pair")])):
        trace.event(name, fields)
    return trace

def fill(trace, folder=None):
    with trace.stream(0, folder=folder) as stream:
        stream.packet([(100, "work_begin", {"step": 1}, MAIN), (150, "queueStart", {}, MAIN),
                       (200, "note", NOTE, MAIN), (250, "queueStop", {}, MAIN),
                       (300, "work_end", {"result": -5}, MAIN)])
        stream.packet([(400, "note", dict(NOTE, data=[1, 2, 255], colour=9), MAIN)])
    with trace.stream(1, folder=folder) as stream:
        stream.packet([(120, "open", {}, WORKER), (150, "work_begin", {"step": 2}, WORKER),
                       (350, "work_end", {"result": 6}, WORKER), (360, "shut", {}, WORKER),
                       (380, "alone_begin", {}, WORKER)])

fill(user("little"))
fill(user("big", order="be", line="\r\n"))
with user("hollow").stream(0) as stream:
    stream.packet([], begin=10, end=20)
    stream.packet([], begin=30, end=40)
trace = user("back")
with trace.stream(0) as stream:
    stream.packet([(100, "work_begin", {"step": 1}, MAIN)])
    stream.packet([(400, "note", NOTE, MAIN)], discarded=3)
    stream.packet([(350, "work_end", {"result": 1}, MAIN)], discarded=3)

# One trace in rotated parts; two hosts whose clocks differ.
trace = user("rotated")
for part, time in enumerate((100, 900)):
    with trace.stream(0, name="channel_0", folder="rotated/%d/ust" % part) as stream:
        stream.packet([(time, "note", NOTE, MAIN)])
os.remove("rotated/metadata") if os.path.exists("rotated/metadata") else None
for host, offset, frequency in (("a", 1000000000, 10 ** 9), ("b", 1000000002, 10 ** 6)):
    trace = Trace("hosts/" + host, env={"hostname": host}, context=[("vtid", "i32")],
                  offset=offset, frequency=frequency)
    trace.event("x")
    with trace.stream(0) as stream:
        stream.packet([(5 * frequency // 10 ** 6, "x", {}, {"vtid": 3})])

trace = Trace("empty")
trace.event("x")
trace.write_metadata()
trace = Trace("no_clock", clock=False)
trace.event("x")
with trace.stream(0) as stream:
    stream.packet([(0, "x")])
trace = Trace("ticks", has_cpu=False, frequency=1000, offset=0)
trace.event("x")
with trace.stream(0) as stream:
    stream.packet([(7, "x"), (1500, "x")])
trace = Trace("otf2", context=[("vtid", "i32")])
trace.event("Event_Enter", [("region", "u32")])
trace.event("Event_Leave", [("region", "u32")])
with trace.stream(0) as stream:
    stream.packet([(1, "Event_Enter", {"region": 4}, {"vtid": 3}),
                   (2, "Event_Leave", {"region": 4}, {"vtid": 3})])
trace = Trace("functions", context=[("vtid", "i32"), ("procname", "text")])
for end in ("entry", "exit"):
    trace.event("lttng_ust_cyg_profile:func_" + end, [("addr", "x64"), ("call_site", "x64")])
def call(time, end, addr):
    return (time, "lttng_ust_cyg_profile:func_" + end, {"addr": addr, "call_site": 1},
            {"vtid": 3, "procname": "p"})
with trace.stream(0) as stream:
    stream.packet([call(0, "entry", 0x10), call(10, "entry", 0x20), call(30, "exit", 0x20),
                   call(40, "exit", 0x10)])
END
python3 make.py || fail "no traces were made"

check_made() {
    local trace
    for trace in little big; do
        checked "$trace" work_begin=work_end/work queueStart=queueStop/queue
        same "$trace: threads" "h/main,h/worker" "$(ask t.db "SELECT group_concat(path) FROM (SELECT
            DISTINCT 'h/' || name AS path FROM resource JOIN stream ON stream.resource = resource.id
            ORDER BY path)")"
        ask t.db "SELECT attributes FROM events WHERE value = 'note' ORDER BY begin" >notes.txt
        tr -d '"' >want.txt <<'END'
{"size":10,"ptr":"0xdeadbeef","text":"hello","data_length":0,"data":"[]","colour":"green","ratio":0.25,"where":"{a: -1, b: 2}","cpu_id":0}
{"size":10,"ptr":"0xdeadbeef","text":"hello","data_length":3,"data":"[1, 2, 255]","colour":9,"ratio":0.25,"where":"{a: -1, b: 2}","cpu_id":0}
END
        cmp -s want.txt notes.txt || fail "$trace: attributes $(cat notes.txt)"
        same "$trace: attributes of both ends" "1 -5" "$(ask t.db "SELECT attributes ->> 'step' ||
            ' ' || (attributes ->> 'end_result') FROM events WHERE value = 'work' ORDER BY begin
            LIMIT 1")"
    done
    same "producer" "maker 1.2" "$(cli info --json t.db | jq -r .source.producer)"
    same "origin" "2001-09-09T01:46:40.000000100Z" "$(cli info --json t.db | jq -r .origin)"
    quiet little --pair open=shut -o t.db
    same "--pair" "open 240" "$(ask t.db "SELECT value || ' ' || CAST(round(duration * 1e9) AS INTEGER) FROM events
        WHERE value = 'open'")"
    quiet little --pair work_end=shut -o t.db
    same "a pair of the user's own takes its events" "Event work_begin,Span queue,Span work_end" \
        "$(ask t.db "SELECT group_concat(type || ' ' || value) FROM (SELECT DISTINCT type, value
        FROM events WHERE value LIKE 'work%' OR type = 'Span' ORDER BY type, value)")"
    refused 1 "as A=B" import little --pair open -o no.db
    checked functions
    same "functions" "0x20 20,0x10 40" "$(ask t.db "SELECT group_concat(value || ' ' ||
        CAST(round(duration * 1e9) AS INTEGER)) FROM (SELECT * FROM events WHERE type = 'Function'
        ORDER BY duration)")"
    quiet little/metadata -o file.db
    quiet little -o folder.db
    same "the file instead of its folder" "$(ask folder.db "SELECT count(*), sum(begin)
        FROM events")" "$(ask file.db "SELECT count(*), sum(begin) FROM events")"
    cp -r little plus
    sed -i -E 's/= ([0-9]+)/= +\1/g' plus/metadata
    quiet plus -o plus.db
    same "numbers with a plus" "$(ask folder.db "SELECT count(*), sum(begin), max(attributes)
        FROM events")" "$(ask plus.db "SELECT count(*), sum(begin), max(attributes) FROM events")"
    echo 'typedef integer { size = 8; };' >>plus/metadata
    refused 1 '";", expected a name' import plus -o none.db
}

check_clocks() {
    quiet back -o back.db
    same "packets that go back" "1,1" "$(ask back.db "SELECT sum(value = 'note'),
        sum(value = 'work') FROM events")"
    same "lost" "3 300" "$(ask back.db "SELECT attributes ->> 'count' || ' ' ||
        CAST(round(duration * 1e9) AS INTEGER) FROM events WHERE value = 'lost'")"
    cli info back.db >info.txt
    has info.txt "3  event that the tracer discarded" "1  event before others of its stream"
    same "their places" 2 "$(grep -cE '(discarded|precede).*first at back/channel_0:[0-9]+$' info.txt)"
    checked rotated
    same "rotated" 2 "$(ask t.db "SELECT count(*) FROM resource")"
    quiet hosts -o hosts.db
    same "hosts" "a,b" "$(ask hosts.db "SELECT group_concat(name) FROM (SELECT name FROM resource
        WHERE parent IS NULL ORDER BY name)")"
    same "clocks of hosts" "2" "$(ask hosts.db "SELECT round(max(begin) - min(begin), 9) + 0
        FROM events" | cut -d. -f1)"
    quiet ticks -o ticks.db
    same "ticks" "0.007,1.5" "$(ask ticks.db "SELECT min(begin), max(begin) FROM events")"
    quiet empty -o empty.db
    says empty.db "trace without streams"
    quiet hollow -o hollow.db
    says hollow.db "2  packet without events, in a trace that has none"
    quiet otf2 -o otf2.db
    says otf2.db "OTF2 archive that was made CTF"
    same "otf2: events" 2 "$(ask otf2.db "SELECT count(*) FROM events WHERE category = 'event'")"
}

# Several traces: a node each, on one clock or from their begins; or as one.
check_several() {
    local times="SELECT group_concat(t) FROM (SELECT replace(resource, rtrim(resource,
        replace(resource, '/', '')), '') || ' ' || substr(resource, 1, 1) || ' ' ||
        CAST(round(begin * 1e6) AS INTEGER) AS t FROM events ORDER BY begin, resource)"
    quiet hosts/a hosts/b -o several.db
    same "nodes" "a,b" "$(ask several.db "SELECT group_concat(name) FROM (SELECT name FROM resource
        WHERE parent IS NULL ORDER BY name)")"
    same "by clock" "3 a 0,3 b 2000000" "$(ask several.db "$times")"
    says several.db "by its clock, +0.000000000 s"
    quiet --align begin hosts/a hosts/b -o several.db
    same "by begin" "3 a 0,3 b 0" "$(ask several.db "$times")"
    says several.db "by its begin, -2.000000000 s"
    quiet --align none hosts/a hosts/b -o several.db
    same "not aligned" "3 a 0,3 b 2000000" "$(ask several.db "$times")"
    refused 1 "ticks: does not say when it was recorded" import --align clock hosts/a ticks -o no.db
    quiet little rotated -o several.db
    local rows="SELECT group_concat(resource) FROM (SELECT DISTINCT resource FROM events
        ORDER BY 1)"
    same "of one host" "little/main/main,little/main/worker,rotated/main/main" \
        "$(ask several.db "$rows")"
    quiet --same-root little rotated -o several.db
    same "of one host, merged" "main/main,main/worker" "$(ask several.db "$rows")"
}

check_real() {
    local name
    [ -d "$traces/ctf" ] || return 0
    for name in babeltrace-multi-domains babeltrace-trace-with-index tracecompass-cyg-profile \
        lttng-ust-pthread-zstd tracecompass-bug446190 tracecompass-perf-taskset2; do
        mkdir "$name"
        zstd -dcq "$traces/ctf/$name.tar.zst" | tar -xf - -C "$name"
        quiet "$name" -o t.db
        jq -S --arg name "ctf/$name.tar.zst" '.[$name].by_name' "$traces/counts.json" >want.json
        cli info --json t.db | jq -S .source.records >got.json
        # Of many names the most frequent were published.
        jq -e -s '.[0] as $got | .[1] | to_entries | all($got[.key] == .value)' got.json \
            want.json >/dev/null || fail "$name: $(diff want.json got.json)"
    done
    local lock=lttng_ust_pthread:pthread_mutex_lock
    checked lttng-ust-pthread-zstd "${lock}_req=${lock}_acq/$lock"
    quiet babeltrace-multi-domains -o t.db
    same "discarded" 728 "$(cli info --json t.db | jq '.warnings[] |
        select(.kind | startswith("event that the tracer discarded")) | .count')"
}

# Each row: a name, what is done to a copy of a trace, the error that it gives, and, for what
# --lenient leaves out of it, how often; without that nothing is left, which is an error as well.
check_broken() {
    local lost="packet that cannot be read to its end (the rest of it is left out)"
    local name damage message count
    while IFS='|' read -r name damage message count; do
        rm -rf broken
        cp -r little broken
        (cd broken && eval "$damage")
        refused 1 "$message" import broken -o no.db
        lacks refused.err "; --lenient"
        # Those that take seconds are not asked three times of each change.
        case ${OCELOTL_TEST_FULL-}$name in copies | fields) continue ;; esac
        if [ -n "$count" ]; then
            quiet broken --lenient -o left.db
            says left.db "$count  $lost" "first at $message"
            continue
        fi
        refused 1 "holds no trace that can be read: $message" import broken --lenient -o no.db
        mkdir -p both
        rm -rf both/*
        mv broken both/a
        cp -r functions both/b
        quiet both --lenient -o both.db
        says both.db "1  trace that cannot be read (left out)" "first at ${message//broken/both\/a}"
    done <<'END'
empty|: >metadata|broken/metadata: is empty, expected the metadata of a CTF trace
ctf2|printf '\036{"type":"preamble","version":2}\n' >metadata|broken/metadata: describes no stream, expected one or more
garbage|head -c 300 "$OCELOTL_CLI" >metadata|broken/metadata: is not text, expected the metadata of a CTF trace
binary|sed -i 's/le;/l\x00;/' metadata|broken/metadata: is not text, expected the metadata of a CTF trace
packet|{ printf '\127\035\321\165' && head -c 20 /dev/zero && printf '\377\377\0\0' && head -c 40 /dev/zero; } >metadata|broken/metadata:0: a packet of 0 bytes with a content of 8191, expected
semicolon|sed -i 's/major = 1;/major = 1/' metadata|broken/metadata:2: "minor", expected ";"
cut|head -c 900 ../little/metadata >metadata|broken/metadata:7: ends here, expected 
size|sed -i 's/size = 32/size = 320/' metadata|broken/metadata:3: an integer of 320 bits, expected a size of 1 to 64
align|sed -i 's/align = 8/align = 7/' metadata|broken/metadata:3: an alignment of 7 bits, expected a power of two up to 4096
type|sed -i '2s/^/typealias u9 := u10; /' metadata|broken/metadata:2: the type "u9" is not known, expected one above
clock|sed -i 's/name = monotonic/name = other/' metadata|broken/metadata: no clock "monotonic", expected one of this name
length|sed -i 's/\[data_length\]/[absent]/' metadata|broken/metadata: a sequence refers to "absent", expected an integer before it
stream_id|sed -i 's/"work_end"; stream_id = 0/"work_end"; stream_id = 7/' metadata|broken/metadata: event 1 is of stream 7, expected one that is described
twice|sed -i 's/event { id = 1;/event { id = 0;/' metadata|broken/metadata: a second event 0 of stream 0, expected one of each
none|printf '/* CTF 1.8 */\nenv { a = 1; };\n' >metadata|broken/metadata: describes no stream, expected one or more
nested|python3 -c 'n = 10000; print("/* CTF 1.8 */\nstruct a {" + " struct {" * n + "} x;" * n + "};")' >metadata|broken/metadata:2: "struct", expected types that are not nested as deeply
magic|write XXXX 0|broken/channel_0:0: no packet begins here, expected its magic number|1
content|write '\377\377' 26|broken/channel_0:0: a packet of |1
no_size|write '\0\0\0\0' 32|broken/channel_0:0: a packet of 0 bits with a content of |1
of_stream|write '\011' 20|broken/channel_0:0: a packet of stream 9, expected one that the|1
of_event|write '\377' 64|broken/channel_0:64: an event of id 255, expected one that the|1
header|head -c 20 ../little/channel_0 >channel_0|broken/channel_0:0: the file ends in the head of a packet, expected all|1
copies|python3 -c 'print("/* CTF 1.8 */\nstruct t0 { string s; };"); [print(f"struct t{i} {{ struct t{i - 1} a, b, c, d; }};") for i in range(1, 30)]' >metadata|broken/metadata:12: metadata of more than 2^20 layouts, expected fewer
fields|python3 -c 'all = ", ".join(f"a{i}" for i in range(5000)); print("/* CTF 1.8 */\nstruct wide { string " + all + "; };\nstruct more { struct wide " + all + "; };")' >metadata|broken/metadata:3: metadata of layouts of more than 512 MiB, expected less
streams|seq -f 'stream { id = %g; };' 4099 >>metadata|broken/metadata:4113: more than 4096 streams, expected fewer
no_bits|sed -i 's/fields := struct {/&struct { } _none[30][30][30][30][30][30];/' metadata|broken/channel_0:64: arrays of too many elements without bits, expected fewer|3
END
    refused 1 "expected the folder that holds it" import little/channel_0 -o no.db
}
# write BYTES PLACE: over those of a stream.
write() { printf "$1" | dd of=channel_0 bs=1 seek="$2" conv=notrunc status=none; }

# An event of more text than one may have: what fits of it is kept.
check_large() {
    python3 - <<'END'
import ctf_maker
trace = ctf_maker.Trace("large", env={"domain": "ust"})
trace.event("note", [("small", "u8"), ("list", "bytes"), ("more", "text")])
with trace.stream(cpu=0) as stream:
    stream.packet([(1, "note", {"small": 1, "list": b"\xff" * (10 << 20), "more": "x" * (20 << 20)}),
                   (2, "note", {"small": 3, "list": b"\1", "more": "y"})])
END
    refused 1 "large: 5 fields of 73400330 bytes in one event, expected at most" import large -o no.db
    quiet --lenient large -o large.db
    same "of a large event" "1 52428800 none,3 3 y" \
        "$(ask large.db "SELECT group_concat(t) FROM (SELECT (attributes ->> 'small') || ' ' ||
            length(attributes ->> 'list') || ' ' || coalesce(attributes ->> 'more', 'none') AS t
            FROM events ORDER BY begin)")"
    says large.db "1  event of more fields than one may have (those that fit are kept)"
    rm -rf large large.db
}

# Where events end that a file holds, as make.py wrote it.
cat >ends.py <<'END'
import struct, sys
data = open("little/channel_0", "rb").read()[:int(sys.argv[1])]
def end_of(at):
    number = struct.unpack_from("<I", data, at)[0]
    at = data.index(b"\0", at + 20) + 1  # id, time, vpid, vtid; procname
    if number != 7:
        return at + {0: 4, 1: 8}.get(number, 0)
    at = data.index(b"\0", at + 16) + 1
    return at + 4 + struct.unpack_from("<I", data, at)[0] + 1 + 8 + 8
count = packet = 0
try:
    while packet < len(data):
        end = packet + struct.unpack_from("<Q", data, packet + 24)[0] // 8
        at = packet + 64
        while at < end:
            at = end_of(at)
            if at > len(data):
                raise ValueError
            count += 1
        packet = end
except (ValueError, struct.error):
    pass
print(count)
END

# Of a file that is cut off anywhere the events before are read: all that end there.
check_cut() {
    local length size
    size=$(stat -c %s little/channel_0)
    for length in 70 $((size - 1)) $((size / 2)) 200 280; do
        rm -rf short
        cp -r little short
        head -c "$length" little/channel_0 >short/channel_0
        refused 1 "short/channel_0:" import short -o no.db
        quiet short --lenient -o short.db
        same "cut at $length" "$(python3 ends.py "$length")" \
            "$(($(cli info --json short.db | jq '[.source.records[]] | add // 0') - 5))"
    done
    # A packet whose content ends within an event.
    rm -rf late
    cp -r little late
    python3 - <<'END'
import struct
data = bytearray(open("late/channel_1", "rb").read())
content = struct.unpack_from("<Q", data, 24)[0]
struct.pack_into("<Q", data, 24, content - 8 * 4)
open("late/channel_1", "wb").write(data)
END
    refused 1 "a packet ends in an event, expected all of it (--lenient reads what is whole)" \
        import late -o no.db
    quiet late --lenient -o late.db
    says late.db "1  packet that cannot be read to its end"
}

check_made
check_clocks
check_broken
check_cut
check_large
check_several
refused 1 "has a stream without a clock" import no_clock -o no.db
check_real
