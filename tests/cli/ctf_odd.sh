# Odd traces of CTF: ends of what did not begin, nodes that have parts of one trace, streams
# without a clock, pairs whose names are nothing but the word.
need_format ctf
need python3 jq

python3 - <<'END' || fail "no trace was made"
import uuid
from ctf_maker import Trace, kernel, switch

trace = kernel()
with trace.stream(0) as cpu:
    cpu.packet([
        (1, "irq_handler_exit", dict(irq=1, ret=1)), (2, "softirq_exit", dict(vec=9)),
        switch(3, 1, 2, 0),
        (4, "irq_handler_entry", dict(irq=1, name="disk")),
        (5, "irq_handler_exit", dict(irq=1, ret=1))])
same = uuid.uuid4()
for number, node in enumerate(("one", "two")):
    trace = Trace(node, env={"domain": "ust"}, given_uuid=same)
    for word in ("app:req", "app:acq", "app:Begin", "app:End", "app:read_start", "app:read_stop"):
        trace.event(word, [])
    with trace.stream(cpu=number) as cpu:
        cpu.packet([(i, word, {}) for i, word in enumerate(
            ("app:req", "app:Begin", "app:End", "app:acq", "app:read_start", "app:read_stop"))])
trace = Trace("timeless", env={"domain": "ust"}, clock=False)
trace.event("a", [])
with trace.stream(cpu=0) as cpu:
    cpu.packet([(1, "a", {})])
END

for lenient in "" --lenient; do
    quiet kernel $lenient -o kernel.db
    same "left out" '{"irq_handler_exit":1,"softirq_exit":1}' \
        "$(cli info --json kernel.db | jq -cS '.source.left_out | map_values(.count)')"
    same "records" '{"irq_handler_entry":1,"irq_handler_exit":2,"sched_switch":1,"softirq_exit":1}' \
        "$(cli info --json kernel.db | jq -cS .source.records)"
done

quiet one two -o nodes.db
same "nodes" "one 3,two 3" "$(ask nodes.db "SELECT substr(resource, 1, 3), count(*)
    FROM events WHERE category = 'state' GROUP BY 1 ORDER BY 1" | tr , ' ' | paste -sd,)"
mkdir parts && cp -r one two parts
quiet parts -o parts.db
same "parts of one trace" "1 6" "$(ask parts.db "SELECT count(DISTINCT path) || ' ' ||
    (SELECT count(*) FROM events WHERE category = 'state') FROM resources WHERE type = 'Process'")"
same "names of pairs" "app:begin app:read app:req" "$(ask nodes.db "SELECT DISTINCT value
    FROM events WHERE category = 'state' ORDER BY 1" | paste -sd ' ')"

refused 1 "has a stream without a clock, expected one" import timeless -o no.db
refused 1 "timeless: has no stream with a clock, expected one: no event has a time" \
    import --lenient timeless -o no.db
