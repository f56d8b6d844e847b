# CTF 2: streams that CTF 1.8 describes as well, traces of any field classes against what was
# written and against a second reader, traces of others, metadata that is broken.
need_format ctf
need python3 jq
traces=$OCELOTL_ROOT/../shared/traces/crowds/ctf2

# events TRACE.db: [time, name, {field: text}] in lines, as ctf2_reader.py has them, without times.
events() {
    cli sql --json "$1" "SELECT value, attributes FROM events ORDER BY begin" >events.json
    python3 - <<'PYTHON'
import json
for name, fields in (event.values() for event in json.load(open("events.json"))):
    fields = json.loads(fields or "{}", parse_int=str, parse_float=str)
    fields.pop("cpu_id", None)
    print(json.dumps([name, fields], sort_keys=True, ensure_ascii=False))
PYTHON
}

# The same streams, with metadata of both versions, are the same.
check_versions() {
    python3 - <<'PYTHON' || fail "no traces were made"
import random
from ctf_maker import Trace, kernel, switch
from uuid import UUID

def user(folder, version, order):
    dice = random.Random(order)
    trace = Trace(folder, env={"hostname": "h", "domain": "ust", "tracer_name": "maker",
                               "tracer_major": 1, "tracer_minor": 2, "below": -4},
                  context=[("vpid", "i32"), ("vtid", "i32"), ("procname", "text")],
                  order=order, version=version, given_uuid=UUID(int=5))
    kinds = dict(u8=8, u16=16, u32=32, u64=64, x64=64)
    trace.event("work_begin", [(kind, kind) for kind in kinds] + [("i64", "i64")])
    trace.event("work_end", [("text", "text"), ("data", "bytes"), ("colour", "colour")])
    trace.event("note.of:a", [("f64", "f64"), ("where", "pair")])
    for cpu in range(3):
        time = 0
        with trace.stream(cpu) as stream:
            for packet in range(4):
                told = []
                for i in range(dice.randint(1, 20)):
                    time += dice.randint(1, 10 ** 6)
                    name = dice.choice(["work_begin", "work_end", "note.of:a"])
                    fields = {kind: dice.getrandbits(size) for kind, size in kinds.items()}
                    fields.update(i64=dice.getrandbits(60) - 2 ** 59, text=dice.choice("abc"),
                                  data=dice.randbytes(i % 5), colour=dice.randrange(5),
                                  f64=dice.random(), where=(dice.randint(-9, 9), i))
                    tid = dice.randint(1, 3)
                    told.append((time, name, fields,
                                 dict(vpid=1, vtid=tid, procname="t%d" % tid)))
                stream.packet(told, discarded=packet // 2 * 3)

def of_kernel(folder, version):
    trace = kernel(folder, version=version, given_uuid=UUID(int=6))
    with trace.stream(0) as cpu:
        cpu.packet([
            (1, "lttng_statedump_process_state", dict(tid=1, pid=1, ppid=0, name="a", status=5)),
            switch(3, 1, 2, 0), (4, "syscall_entry_read", dict(fd=3)),
            (5, "irq_handler_entry", dict(irq=1, name="disk")),
            (6, "irq_handler_exit", dict(irq=1, ret=1)), switch(7, 2, 0, 2),
            (8, "sched_wakeup", dict(comm="t2", tid=2, prio=20, target_cpu=0)),
            switch(9, 0, 2, 0), (10, "syscall_exit_read", dict(ret=-5)),
            (11, "sched_process_exit", dict(comm="t2", tid=2, prio=20))])

for version in (1, 2):
    for order in ("le", "be"):
        user("v%d/%s" % (version, order), version, order)
    of_kernel("v%d/kernel" % version, version)
PYTHON
    local trace
    for trace in le be kernel; do
        cp -r "v1/$trace" trace # of one name, as it is that of a process
        quiet trace -o one.db
        rm -r trace && cp -r "v2/$trace" trace
        quiet trace -o two.db
        same "$trace" "$(exported one.db)" "$(exported two.db)"
        cli info --json one.db | jq 'del(.uid, .sources, .size, .bytes_per_event)' >one.json
        cli info --json two.db | jq 'del(.uid, .sources, .size, .bytes_per_event)' >two.json
        cmp -s one.json two.json || fail "$trace: $(diff one.json two.json)"
        rm -r trace
    done
    same "states of a kernel" "blocked in I/O,interrupted,read,ready,running" "$(ask two.db \
        "SELECT group_concat(DISTINCT value) FROM (SELECT value FROM events
        WHERE type = 'Thread state' AND value <> 'blocked' ORDER BY value)")"

    # Parts of one metadata stream are one trace; metadata in packets is that in them.
    mkdir -p parts/a && cp v2/le/metadata parts/a && mv v2/le parts/b
    mv parts/b/channel_0 parts/a
    quiet parts -o parts.db
    cp -r v1/le whole && quiet whole -o whole.db
    same "parts" "$(ask whole.db "SELECT count(*), sum(begin) FROM events")" \
        "$(ask parts.db "SELECT count(*), sum(begin) FROM events")"
    cp -r v2/be packed
    python3 - <<'PYTHON'
import struct
text = open("packed/metadata", "rb").read()
with open("packed/metadata", "wb") as file:
    for at in range(0, len(text), 1000):
        part = text[at:at + 1000]
        file.write(struct.pack(">I16sIIIBBBBB", 0x75D11D57, bytes(16), 0, (37 + len(part)) * 8,
                               (40 + len(part)) * 8, 0, 0, 0, 2, 0) + part + bytes(3))
PYTHON
    quiet packed -o packed.db
    quiet v2/be -o be.db
    same "in packets" "$(exported be.db)" "$(exported packed.db)"
}

check_random() {
    local seed
    for seed in $(seq 1 40 | thin 4); do
        python3 "$OCELOTL_ROOT/tests/ctf2_random.py" "$seed" any >written.txt
        python3 "$OCELOTL_ROOT/tests/ctf2_reader.py" any >read.txt
        cmp -s written.txt read.txt || fail "seed $seed: $(diff written.txt read.txt | head -n 4)"
        quiet any -o any.db
        sed -E 's/^\[[0-9]+, /[/' written.txt >want.txt
        events any.db >got.txt
        cmp -s want.txt got.txt || fail "seed $seed: $(diff want.txt got.txt | head -n 4)"
        same "seed $seed: times" "$(jq -s 'map(.[0]) | last - first' written.txt)" \
            "$(ask any.db "SELECT CAST(round((max(begin) - min(begin)) * 1e9) AS INTEGER)
            FROM events")"
        rm -r any
    done
    same "origin" "1970-01-01T00" "$(cli info --json any.db | jq -r '.origin[:13]')"
}

check_real() {
    [ -d "$traces" ] || return 0
    quiet "$traces/CTF2-7.0-debug-info" -o real.db
    python3 "$OCELOTL_ROOT/tests/ctf2_reader.py" "$traces/CTF2-7.0-debug-info" |
        jq -cS 'del(.[0]) | del(.[1].vpid)' >want.txt
    events real.db | jq -cS . >got.txt
    cmp -s want.txt got.txt || fail "debug-info: $(diff want.txt got.txt)"
    same "origin" 2019-07-16T14:09:41.350889232Z "$(cli info --json real.db | jq -r .origin)"
    cp "$traces/CTF2-7.0-debug-info/metadata" renamed
    refused 1 "renamed: is the metadata of a CTF trace" import renamed -o no.db
    refused 1 "has a stream without a clock" import "$traces/CTF2-7.0-smalltrace" -o no.db
    refused 1 "has a stream without a clock" import "$traces/CTF2-7.0-succeed1" -o no.db
}

# Each row: what is done to the fragments F of a trace, to the members P of its event, or to their
# text T; and what is said of it.
check_broken() {
    local damage message number=0
    python3 - <<'PYTHON'
from ctf_maker import Trace
trace = Trace("good", version=2)
trace.event("e", [("n", "u32"), ("data", "bytes")])
with trace.stream(0) as stream:
    stream.packet([(1, "e", dict(n=1, data=b"abc")), (2, "e", dict(n=2, data=b""))])
PYTHON
    cat >rows.txt <<'ROWS'
T = T[:400]|metadata:fragment 2: ends before it is whole, expected all of it
T = T + "\x1e{\"type\": \"event-record\""|metadata:fragment 6: ends before it is whole, expected all of it
T = T.replace("\"frequency\":", "\"frequency\"", 1)|metadata:fragment 3: "1000000000,
T = T + "\x1e{} {}"|metadata:fragment 6: "{}", expected its end
T = T + "\x1e[1]"|metadata:fragment 6: is no object, expected one
T = T.replace("\x1e", "", 1)|read
T = T + "\x1e\x1e \n\x1e"|read
T = "\x1e" + "[" * 70000|metadata:fragment 1: "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", expected at most 65536 lists and objects
F[0]["version"] = 3|metadata:fragment 1: "version" is 3, expected 2
F[0]["uuid"][3] ^= 1|channel_0:0: a packet of other metadata, expected its UUID
del F[0]["version"]|metadata:fragment 1: no "version", expected 2
del F[0]|metadata:fragment 1: "type" is "trace-class", expected a preamble first, and nowhere else
F[1:1] = [F[0]]|metadata:fragment 2: "type" is "preamble", expected a preamble first, and nowhere else
F[0]["uuid"] = [1, 2]|metadata:fragment 1: "uuid" is [1, 2], expected 16 bytes
F[0]["uuid"][3] = 256|metadata:fragment 1: "uuid" is 256, expected bytes
F[0]["extensions"] = {"my.tracer": {"piano": None}}|metadata:fragment 1: declares the extension "piano" of "my.tracer", expected none
F[0]["extensions"] = {"my.tracer": {}}; F[2]["extensions"] = {"a": {"b": 1}}|read
F[4]["attributes"] = {"a": [{"b": "\ud83d\ude00"}]}; F[4]["user-attributes"] = 1|read
F[1:1] = [{"type": "song"}]|metadata:fragment 2: "type" is "song", expected a type of fragments
F[1:1] = [{}]|metadata:fragment 2: no "type", expected a type of fragments
F[2:2] = [F[1]]|metadata:fragment 3: "type" is "trace-class", expected one of these, before all streams
F[1]["environment"] = {"a": 1.5}|metadata:fragment 2: "environment" is 1.5, expected integers and strings
F[1]["packet-header-field-class"] = {"type": "null-terminated-string"}|metadata:fragment 2: "packet-header-field-class" is {"type": "null-terminated-string"}, expected a structure
F[1]["packet-header-field-class"]["member-classes"][0]["field-class"]["roles"] = ["king"]|metadata:fragment 2: "roles" is "king", expected a role of CTF 2
F[1]["packet-header-field-class"]["member-classes"][0]["field-class"]["roles"] = 1|metadata:fragment 2: "roles" is 1, expected a list
F[2]["frequency"] = 0|metadata:fragment 3: "frequency" is 0, expected a number of Hz from 1
F[2]["frequency"] = 2 ** 70|metadata:fragment 3: "frequency" is 1180591620717411303424, expected a number of Hz from 1
F[2]["frequency"] = 2 ** 64 - 1|metadata: a clock of 18446744073709551615 Hz, expected less
del F[2]["id"]|metadata:fragment 3: no "name", expected the name of a clock
F[3:3] = [F[2]]|metadata:fragment 4: "id" is "monotonic", expected a name that no other clock has
F[2]["offset-from-origin"] = {"seconds": 2 ** 63}|metadata:fragment 3: "seconds" is 9223372036854775808, expected less
F[3]["default-clock-class-id"] = "other"|metadata:fragment 4: "default-clock-class-id" is "other", expected the clock of a fragment above
del F[3]["default-clock-class-id"]|metadata:fragment 4: "roles" is "default-clock-timestamp", expected a stream with a clock
F[4:4] = [F[3]]|metadata:fragment 5: a second stream of id 0, expected one of each
F[3]["id"] = -1|metadata:fragment 4: "id" is -1, expected a number from 0
F[4]["data-stream-class-id"] = 5|metadata: event 0 is of stream 5, expected one that is described
F[5:5] = [F[4]]|metadata: a second event 0 of stream 0, expected one of each
F[4]["name"] = 5|metadata:fragment 5: "name" is 5, expected a string
P[1]["name"] = "n"|metadata:fragment 5: "name" is "n", expected a name that no other member has
del P[1]["name"]|metadata:fragment 5: no "name", expected the name of a member
P[0]["field-class"] = "u32"|metadata:fragment 5: "field-class" is "u32", expected a field class, or the name of an alias above
P[0]["field-class"] = None|metadata:fragment 5: "field-class" is null, expected a field class, or the name of an alias above
P[0]["field-class"]["type"] = "fixed-length-song"|metadata:fragment 5: "type" is "fixed-length-song", expected a type of field classes
bits(length=65)|metadata:fragment 5: "length" is 65, expected 1 to 64 bits
bits(length=0)|metadata:fragment 5: "length" is 0, expected 1 to 64 bits
bits(length=-8)|metadata:fragment 5: "length" is -8, expected 1 to 64 bits
bits(length="8")|metadata:fragment 5: "length" is "8", expected 1 to 64 bits
bits(length=8.0)|metadata:fragment 5: "length" is 8.0, expected 1 to 64 bits
bits("floating-point-number", 128)|metadata:fragment 5: "length" is 128, expected 16, 32 or 64 bits of a floating point number
bits(alignment=3)|metadata:fragment 5: an alignment of 3 bits, expected a power of two up to 4096
bits(alignment=2 ** 40)|metadata:fragment 5: an alignment of 1099511627776 bits, expected a power of two up to 4096
bits(**{"byte-order": "le"})|metadata:fragment 5: "byte-order" is "le", expected "little-endian" or "big-endian"
bits(**{"bit-order": "up"})|metadata:fragment 5: "bit-order" is "up", expected "first-to-last" or "last-to-first"
bits(mappings=[])|metadata:fragment 5: "mappings" is [], expected an object of ranges
bits(mappings={"a": [[3]]})|metadata:fragment 5: "mappings" is [3], expected two integers, from the lower to the higher
bits(mappings={"a": [[3, 2]]})|metadata:fragment 5: "mappings" is [3, 2], expected two integers, from the lower to the higher
bits(mappings={"a": [[1, 2, 3]]})|metadata:fragment 5: "mappings" is [1, 2, 3], expected two integers, from the lower to the higher
bits(mappings={"a": 3})|metadata:fragment 5: "mappings" is 3, expected a list of ranges for each name
bits("bit-map")|metadata:fragment 5: no "flags", expected an object of ranges
field(type="null-terminated-string", encoding="latin-1")|metadata:fragment 5: "encoding" is "latin-1", expected "utf-8", "utf-16le"
field(type="static-length-string")|metadata:fragment 5: no "length", expected a number from 0
field(type="static-length-blob", length=2 ** 63)|channel_0:64: a packet ends in an event, expected all of it
field(type="structure", **{"member-classes": [1]})|metadata:fragment 5: "member-classes" is 1, expected objects
field(type="structure", **{"a%d" % i: i for i in range(40)})|metadata:fragment 5: an object of 32 members and perhaps more, expected fewer
nest(31)|metadata:fragment 5: field classes of more than 32 levels, expected fewer
text(at("absent"))|metadata:fragment 5: a sequence refers to "absent", expected an unsigned integer before it
text(at("x"))|metadata:fragment 5: a sequence refers to "x", expected an unsigned integer before it
text(at("data"))|metadata:fragment 5: a sequence refers to "data", expected an unsigned integer before it
text(at(None, "n"))|metadata:fragment 5: a sequence refers to "n", expected an unsigned integer before it
text(at("n", None))|metadata:fragment 5: "length-field-location" is {"path": ["n", null]}, expected the path to a field
text(at(None, "n", origin="packet-context"))|metadata:fragment 5: "length-field-location" is {"origin": "packet-context",
text(at())|metadata:fragment 5: "length-field-location" is {"path": []}, expected the path to a field
text(at(1))|metadata:fragment 5: "length-field-location" is {"path": [1]}, expected the path to a field
text(at("n", origin="moon"))|metadata:fragment 5: "origin" is "moon", expected a structure of the packet or the event
text(at("n", origin="event-record-specific-context"))|metadata:fragment 5: a sequence refers to "n", expected
text(None)|metadata:fragment 5: "length-field-location" is null, expected the path to a field
select("optional", at("n"), None)|metadata:fragment 5: "selector-field-ranges" is null, expected a list of ranges
select("optional", at("n"), [[-1, 1]])|metadata:fragment 5: what is optional refers to "n", expected an integer that has the numbers of its options
select("variant", at("n"), [[1, 2 ** 64]])|metadata:fragment 5: "selector-field-ranges" is [1, 18446744073709551616], expected two integers
select("variant", at("n"), [[1, 1]], options=[])|metadata:fragment 5: "options" is [], expected some
select("variant", at("n"), [[7, 7]])|channel_0:64: a tag chooses no option, expected one that does
F[4:4] = [{"type": "field-class-alias", "name": "a", "field-class": "a"}]|metadata:fragment 5: "field-class" is "a", expected a field class, or the name of an alias above
F[4:4] = [{"type": "field-class-alias", "name": "a", "field-class": P[0]["field-class"]}] * 2|metadata:fragment 6: "name" is "a", expected a name that no other alias has
F[4:4] = [{"type": "field-class-alias", "name": "a%d" % i, "field-class": {"type": "structure", "member-classes": [{"name": n, "field-class": "a%d" % (i - 1) if i else {"type": "structure"}} for n in "xy"]}} for i in range(25)]|metadata:fragment 23: metadata of more than 2^20 layouts, expected fewer
ROWS
    python3 - <<'PYTHON' || fail "nothing was broken"
import json, shutil

def damage(row, folder):
    T = open("good/metadata").read()
    F = [json.loads(text) for text in T.split("\x1e")[1:]]
    P = F[4]["payload-field-class"]["member-classes"]
    before = json.dumps(F)
    def field(**of):
        P.append({"name": "x", "field-class": of})
    def bits(kind="unsigned-integer", length=8, **more):
        field(type="fixed-length-" + kind, length=length,
              **{"byte-order": "little-endian", **more})
    def at(*path, origin=None):
        return {"path": list(path)} if origin is None else {"origin": origin, "path": list(path)}
    def select(kind, where, ranges, **more):
        of = {"type": "null-terminated-string"}
        made = {"type": kind, "selector-field-location": where, "selector-field-ranges": ranges,
                "field-class": of}
        if kind == "variant":
            made["options"] = [{"field-class": of, "selector-field-ranges": ranges}]
        field(**{**made, **more})
    def text(where):
        field(**{"type": "dynamic-length-string", "length-field-location": where})
    def nest(depth):
        of = {"type": "structure"}
        for _ in range(depth):
            of = {"type": "structure", "member-classes": [{"name": "s", "field-class": of}]}
        field(**of)
    names = dict(locals())
    exec(row, names)
    T = names["T"]
    if json.dumps(F) != before:
        T = "".join("\x1e" + json.dumps(fragment) + "\n" for fragment in F)
    shutil.copytree("good", folder)
    open(folder + "/metadata", "w").write(T)

for number, row in enumerate(open("rows.txt"), 1):
    damage(row.rpartition("|")[0], "broken%d" % number)
PYTHON
    quiet good -o good.db
    same "whole" '1:[97, 98, 99],2:[]' "$(ask good.db "SELECT group_concat(attributes ->> 'n' ||
        ':' || (attributes ->> 'data')) FROM events")"
    while IFS='|' read -r damage message; do
        number=$((number + 1))
        if [ "$message" = read ]; then
            quiet "broken$number" -o broken.db
            same "$damage" 2 "$(ask broken.db "SELECT count(*) FROM events")"
        else
            refused 1 "broken$number/$message" import "broken$number" -o no.db
            [ ! -e no.db ] || { fail "$damage: left a file" && rm no.db; }
        fi
    done <rows.txt
}

check_versions
check_random
check_real
check_broken
