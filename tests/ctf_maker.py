"""Makes CTF traces, byte by byte, as the specifications have them: of 1.8, and with version=2 the
same streams, but their metadata in JSON.

    trace = Trace("folder", env={"domain": "ust"}, context=[("vpid", "i32")])
    trace.event("name", [("size", "u64")])
    with trace.stream(cpu=0) as stream:
        stream.packet([(time, "name", {"size": 3}, {"vpid": 1}), ..], discarded=0)

Fields are (name, kind); kinds: u8 u16 u32 u64 i32 i64, x64 (hexadecimal), f64, text, bytes (a
sequence of u8), colour (an enumeration), pair (a structure of two i32).
"""
import json
import os
import struct
import uuid

KINDS = {
    "u8": ("integer {{ size = 8; align = 8; signed = false; byte_order = {0}; }}", "B"),
    "u16": ("integer {{ size = 16; align = 8; signed = false; byte_order = {0}; }}", "H"),
    "u32": ("integer {{ size = 32; align = 8; signed = false; byte_order = {0}; }}", "I"),
    "u64": ("integer {{ size = 64; align = 8; signed = false; byte_order = {0}; }}", "Q"),
    "i32": ("integer {{ size = 32; align = 8; signed = true; byte_order = {0}; }}", "i"),
    "i64": ("integer {{ size = 64; align = 8; signed = true; byte_order = {0}; }}", "q"),
    "x64": ("integer {{ size = 64; align = 8; signed = false; base = 16; byte_order = {0}; }}",
            "Q"),
    "f64": ("floating_point {{ exp_dig = 11; mant_dig = 53; align = 8; byte_order = {0}; }}", "d"),
}
# Events of a kernel, as LTTng has them.
KERNEL = {
    "sched_switch": [("prev_comm", "text"), ("prev_tid", "i32"), ("prev_prio", "i32"),
                     ("prev_state", "i64"), ("next_comm", "text"), ("next_tid", "i32"),
                     ("next_prio", "i32")],
    "sched_wakeup": [("comm", "text"), ("tid", "i32"), ("prio", "i32"), ("target_cpu", "i32")],
    "sched_waking": [("comm", "text"), ("tid", "i32"), ("prio", "i32"), ("target_cpu", "i32")],
    "sched_process_fork": [("parent_comm", "text"), ("parent_tid", "i32"), ("child_comm", "text"),
                           ("child_tid", "i32"), ("child_pid", "i32")],
    "sched_process_exit": [("comm", "text"), ("tid", "i32"), ("prio", "i32")],
    "lttng_statedump_process_state": [("tid", "i32"), ("pid", "i32"), ("ppid", "i32"),
                                      ("name", "text"), ("status", "i32")],
    "irq_handler_entry": [("irq", "i32"), ("name", "text")],
    "irq_handler_exit": [("irq", "i32"), ("ret", "i32")],
    "irq_softirq_entry": [("vec", "u32")], "irq_softirq_exit": [("vec", "u32")],
    "softirq_exit": [("vec", "u32")], "syscall_entry_read": [("fd", "u32")],
    "syscall_exit_read": [("ret", "i64")], "syscall_exit_write": [("ret", "i64")],
    "kmem_free": [("ptr", "x64")], "alloc": [("page", "x64")],
    "free": [("page", "x64"), ("order", "u32")], "lock": [], "unlock": [], "never": []}
COLOUR = "enum : {0} {{ red = 0, green = 1, blue = 2 }}"


class Stream:
    def __init__(self, trace, file, cpu):
        self.trace, self.file, self.cpu = trace, file, cpu

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.file.close()

    def packet(self, events, discarded=0, begin=None, end=None):
        """Writes events in a packet; `discarded` counts from the begin of the stream."""
        trace, order = self.trace, self.trace.sign
        body = b"".join(trace.pack_event(*event) for event in events)
        times = [event[0] for event in events] or [0]
        begin = min(times) if begin is None else begin
        end = max(times) if end is None else end
        context = [self.cpu, discarded] if trace.has_cpu else [discarded]
        clock = struct.pack(order + "QQ", begin, end) if trace.clock else b""
        tail = struct.pack(order + ("II" if trace.has_cpu else "I"), *context)
        head = struct.pack(order + "I", 0xC1FC1FC1) + trace.uuid.bytes + \
            struct.pack(order + "I", 0)
        size = len(head) + 16 + len(clock) + len(tail) + len(body)
        sizes = struct.pack(order + "QQ", size * 8, size * 8)
        self.file.write(head + sizes + clock + tail + body)


class Trace:
    def __init__(self, folder, env=None, context=(), order="le", clock=True, frequency=10 ** 9,
                 offset=1000000000, offset_s=None, has_cpu=True, given_uuid=None, line="\n",
                 version=1):
        self.folder, self.env, self.context = folder, env or {}, list(context)
        self.order, self.sign = order, "<" if order == "le" else ">"
        self.clock, self.frequency, self.has_cpu, self.line = clock, frequency, has_cpu, line
        self.offset_s = offset if offset_s is None else offset_s
        self.uuid = given_uuid or uuid.uuid5(uuid.NAMESPACE_URL, folder)
        self.events, self.streams, self.version = {}, 0, version
        os.makedirs(folder, exist_ok=True)

    def event(self, name, fields=()):
        self.events[name] = (len(self.events), list(fields))

    def declare(self, kind):
        if kind == "text":
            return "string"
        if kind == "colour":
            return COLOUR.format(self.declare("u8"))
        return KINDS[kind][0].format(self.order)

    def declare_fields(self, fields):
        lines = []
        for name, kind in fields:
            if kind == "bytes":
                lines += ["%s %s_length;" % (self.declare("u32"), name),
                          "%s %s[%s_length];" % (self.declare("u8"), name, name)]
            elif kind == "pair":
                lines.append("struct { %s a; %s b; } %s;" %
                             (self.declare("i32"), self.declare("i32"), name))
            else:
                lines.append("%s %s;" % (self.declare(kind), name))
        return "struct { %s }" % " ".join(lines)

    def pack(self, kind, value):
        if kind == "text":
            return value.encode() + b"\0"
        if kind == "colour":
            return bytes([value])
        if kind == "bytes":
            return struct.pack(self.sign + "I", len(value)) + bytes(value)
        if kind == "pair":
            return struct.pack(self.sign + "ii", *value)
        return struct.pack(self.sign + KINDS[kind][1], value)

    def pack_event(self, time, name, fields=None, context=None):
        number, declared = self.events[name]
        packed = struct.pack(self.sign + "I", number)
        packed += struct.pack(self.sign + "Q", time) if self.clock else b""
        for of, values in ((self.context, context), (declared, fields)):
            for field, kind in of:
                packed += self.pack(kind, (values or {})[field])
        return packed

    def stream(self, cpu=0, name=None, folder=None):
        """Begins a stream; metadata is written with each, so that all events are in it."""
        self.write_metadata(folder or self.folder)
        self.streams += 1
        path = os.path.join(folder or self.folder, name or "channel_%d" % (self.streams - 1))
        return Stream(self, open(path, "wb"), cpu)

    def metadata(self):
        lines = ["/* CTF 1.8 */",
                 "trace { major = 1; minor = 8; uuid = \"%s\"; byte_order = %s;" %
                 (self.uuid, self.order),
                 "  packet.header := struct { %s magic; %s uuid[16]; %s stream_id; }; };" %
                 (self.declare("u32"), self.declare("u8"), self.declare("u32"))]
        if self.env:
            lines.append("env { %s };" % " ".join(
                "%s = %s;" % (name, value if isinstance(value, int) else '"%s"' % value)
                for name, value in self.env.items()))
        stamp = self.declare("u64")
        if self.clock:
            lines.append("clock { name = monotonic; freq = %d; offset_s = %d; };" %
                         (self.frequency, self.offset_s))
            stamp = stamp.replace("; }", "; map = clock.monotonic.value; }")
        context = ["%s content_size;" % self.declare("u64"), "%s packet_size;" %
                   self.declare("u64")]
        if self.clock:
            context += ["%s timestamp_begin;" % stamp, "%s timestamp_end;" % stamp]
        if self.has_cpu:
            context.append("%s cpu_id;" % self.declare("u32"))
        context.append("%s events_discarded;" % self.declare("u32"))
        header = "%s id;" % self.declare("u32")
        header += " %s timestamp;" % stamp if self.clock else ""
        lines.append("stream { id = 0; event.header := struct { %s };" % header)
        lines.append("  packet.context := struct { %s };" % " ".join(context))
        if self.context:
            lines.append("  event.context := %s;" % self.declare_fields(self.context))
        lines.append("};")
        for name, (number, fields) in self.events.items():
            lines.append("event { id = %d; name = \"%s\"; stream_id = 0; fields := %s; };" %
                         (number, name, self.declare_fields(fields)))
        return self.line.join(lines) + self.line

    def field_class(self, kind, *roles, **more):
        order = "little-endian" if self.order == "le" else "big-endian"
        if kind == "text":
            return {"type": "null-terminated-string"}
        if kind == "colour":
            return self.field_class("u8", mappings={
                name: [[i, i]] for i, name in enumerate(("red", "green", "blue"))})
        if kind == "pair":
            return self.structure([("a", "i32"), ("b", "i32")])
        made = {"type": "fixed-length-%s-integer" % ("signed" if kind[0] == "i" else "unsigned"),
                "length": int(kind[1:]), "alignment": 8, "byte-order": order}
        made.update(more)
        if kind[0] == "f":
            made["type"] = "fixed-length-floating-point-number"
        if kind[0] == "x":
            made["preferred-display-base"] = 16
        if roles:
            made["roles"] = list(roles)
        return made

    def structure(self, fields):
        """Of fields (name, kind, role..), whose kind may be a field class already."""
        members = []
        for name, kind, *roles in fields:
            if kind == "bytes":
                members.append((name + "_length", self.field_class("u32")))
                kind = {"type": "dynamic-length-array", "element-field-class":
                        self.field_class("u8"),
                        "length-field-location": {"path": [name + "_length"]}}
            members.append((name, kind if isinstance(kind, dict) else
                            self.field_class(kind, *roles)))
        return {"type": "structure", "member-classes": [
            {"name": name, "field-class": kind} for name, kind in members]}

    def fragments(self):
        header = [("magic", "u32", "packet-magic-number"),
                  ("uuid", {"type": "static-length-blob", "length": 16,
                            "roles": ["metadata-stream-uuid"]}),
                  ("stream_id", "u32", "data-stream-class-id")]
        yield {"type": "preamble", "version": 2, "uuid": list(self.uuid.bytes)}
        yield {"type": "trace-class", "environment": self.env,
               "packet-header-field-class": self.structure(header)}
        context = [("content", "u64", "packet-content-length"),
                   ("size", "u64", "packet-total-length")]
        record = [("number", "u32", "event-record-class-id")]
        stream = {"type": "data-stream-class"}
        if self.clock:
            yield {"type": "clock-class", "id": "monotonic", "frequency": self.frequency,
                   "offset-from-origin": {"seconds": self.offset_s}}
            context += [("from", "u64", "default-clock-timestamp"),
                        ("to", "u64", "packet-end-default-clock-timestamp")]
            record.append(("time", "u64", "default-clock-timestamp"))
            stream["default-clock-class-id"] = "monotonic"
        if self.has_cpu:
            context.append(("cpu_id", "u32"))
        context.append(("lost", "u32", "discarded-event-record-counter-snapshot"))
        stream["packet-context-field-class"] = self.structure(context)
        stream["event-record-header-field-class"] = self.structure(record)
        if self.context:
            stream["event-record-common-context-field-class"] = self.structure(self.context)
        yield stream
        for name, (number, fields) in self.events.items():
            yield {"type": "event-record-class", "id": number, "name": name,
                   "payload-field-class": self.structure(fields)}

    def write_metadata(self, folder=None):
        os.makedirs(folder or self.folder, exist_ok=True)
        with open(os.path.join(folder or self.folder, "metadata"), "w", newline="") as file:
            file.write(self.metadata() if self.version == 1 else "".join(
                "\x1e" + json.dumps(fragment, indent=1) + "\n" for fragment in self.fragments()))


def kernel(folder="kernel", **more):
    """A trace of a kernel, with all of its events."""
    trace = Trace(folder, env={"hostname": "node", "domain": "kernel"}, **more)
    for name, fields in KERNEL.items():
        trace.event(name, fields)
    return trace


def event(time, kind, /, **fields):
    return (time, kind, fields)


def switch(time, before, after, state=1, names=None):
    """One thread goes, in a state, and another comes."""
    names = names or {tid: f"t{tid}" for tid in (before, after)}
    return event(time, "sched_switch", prev_comm=names[before], prev_tid=before, prev_prio=20,
                 prev_state=state, next_comm=names[after], next_tid=after, next_prio=20 + after)
