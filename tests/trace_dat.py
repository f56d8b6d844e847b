"""Recordings of trace-cmd (trace.dat) by their documented layout, without a library: makes one, or
says what one holds.

    trace_dat.py make FILE [ROUNDS] [big] [long4] [7] [zlib] [lost] [small]
    trace_dat.py read FILE    # counts of events by name; nanoseconds that threads run
"""
import collections
import re
import struct
import sys
import zlib

COMMON = """\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;
"""
SWITCH = """"prev_comm=%s prev_state=%s%s", REC->prev_comm, (REC->prev_state & 0xff) ? \
__print_flags(REC->prev_state & 0xff, "|", { 0x0001, "S" }, { 0x0002, "D" }, { 0x0010, "X" }, \
{ 0x0020, "Z" }) : "R", REC->prev_state & 0x100 ? "+" : "\""""
PROCESSES = {12: "sh shell", 13: "worker-1", 14: "reader"}
FUNCTIONS = {0xffffffff81000000: "schedule", 0xffffffff81000100: "do_nanosleep",
             0xffffffff81000200: "tracing_mark_write", 0xffffffff81000300: "helper"}
PRINTK = 0xffffffff81a00000


def fields(word):
    """Events: their system, number, what prints them, and fields (declaration, size, packing)."""
    comm, number, long = ("char {}[16]", 16, "16s"), ("int {}", 4, "i"), ("long {}", word, "w")
    address = ("unsigned long {}", word, "W")
    return {
        "function": ("ftrace", 1, '""', [("ip", *address), ("parent_ip", *address)]),
        "print": ("ftrace", 5, '"%ps: %s"', [("ip", *address), ("buf", "char {}", 0, "text")]),
        "bprint": ("ftrace", 6, '"%ps: %s"', [
            ("ip", *address), ("fmt", "const char * {}", word, "W"),
            ("buf", "u32 {}", 0, "bytes")]),
        "sched_switch": ("sched", 73, SWITCH, [
            ("prev_comm", *comm), ("prev_pid", *number), ("prev_prio", *number),
            ("prev_state", *long), ("next_comm", *comm), ("next_pid", *number),
            ("next_prio", *number)]),
        "sched_waking": ("sched", 74, '"comm=%s pid=%d", REC->comm, REC->pid', [
            ("comm", *comm), ("pid", *number), ("prio", *number), ("target_cpu", *number)]),
        "irq_handler_entry": ("irq", 80, '"irq=%d name=%s", REC->irq, __get_str(name)', [
            ("irq", *number), ("name", "__data_loc char[] {}", 4, "loc")]),
        "softirq_entry": ("irq", 81, '"vec=%u [action=%s]", REC->vec, __print_symbolic(REC->vec, '
                          '{ 0, "HI" }, { 1, "TIMER" })', [("vec", "unsigned int {}", 4, "I")]),
        "wide": ("irq", 82, '""', [("args", "u16 {}[3]", 6, "6s"),
                                   ("blob", "__rel_loc u8[] {}", 4, "rel"),
                                   ("at", "void * {}", word, "W")]),
    }


class Maker:
    def __init__(self, big, word):
        self.end, self.word = ">" if big else "<", word
        self.events = fields(word)
        self.offsets, self.texts = {}, {}
        for name, (_, number, printed, members) in self.events.items():
            at, lines, places = 8, [], []
            for member, declared, size, kind in members:
                align = min(size or 4, word if kind in "wW" else 4) if kind in "iIwW" else 1
                at += -at % max(align, 1)
                places.append(at)
                lines.append(f"\tfield:{declared.format(member)};\toffset:{at};\tsize:{size};"
                             f"\tsigned:{int(kind in 'iw')};\n")
                at += size
            self.offsets[name] = places, at
            self.texts[name] = (f"name: {name}\nID: {number}\nformat:\n{COMMON}\n{''.join(lines)}\n"
                                f"print fmt: {printed}\n").encode()

    def pack(self, form, *values):
        form = form.replace("w", "q" if self.word == 8 else "i")
        return struct.pack(self.end + form.replace("W", "Q" if self.word == 8 else "I"), *values)

    def record(self, name, thread, flags, *values):
        _, number, _, members = self.events[name]
        places, end = self.offsets[name]
        data = bytearray(end)
        data[:8] = self.pack("HBBi", number, flags, 0, thread)
        for (_, _, size, kind), place, value in zip(members, places, values):
            if kind in ("text", "bytes"):
                data[place:] = value + bytes(kind == "text")
            elif kind in ("loc", "rel"):
                start = len(data) - (place + 4 if kind == "rel" else 0)
                data[place:place + 4] = self.pack("I", len(value) << 16 | start)
                data += value
            else:
                if kind == "W" and self.word == 4:
                    value &= 0xffffffff
                data[place:place + size] = self.pack(kind, value)
        return bytes(data)

    def event(self, kind, delta, more=None):
        head = kind << 27 | delta if self.end == ">" else delta << 5 | kind
        return self.pack("I", head) + (b"" if more is None else self.pack("I", more))

    def pages(self, records, size, lost):
        """Records as (time, bytes), in pages as the kernel fills them."""
        pages, at, data, base, lost_next = [], None, b"", 0, False

        def close():
            nonlocal data, lost_next
            commit = len(data) | (1 << 31 if lost_next and self.word == 8 else 0)
            if lost_next and self.word == 4:
                commit = len(data) | 1 << 31
            page = self.pack("Q", base) + self.pack("W", commit) + data
            pages.append(page + bytes(size - len(page)))
            data, lost_next = b"", lost

        for index, (time, record) in enumerate(records):
            if data and len(data) + len(record) + 64 > size - 16:
                close()
            if not data:
                base = at = time
            delta, at = time - at, time
            if delta >= 1 << 27 or index % 7 == 3:
                data += self.event(30, delta & (1 << 27) - 1, delta >> 27)
                delta = 0
            elif index % 7 == 5:
                data += self.event(31, time & (1 << 27) - 1, time >> 27 & 0xffffffff)
                delta = 0
            if index % 11 == 4:
                data += self.event(29, 1, 8) + bytes(4)
                delta -= 1
            padded = record + bytes(-len(record) % 4)
            if len(padded) <= 112 and index % 5:
                data += self.event(len(padded) // 4, max(delta, 0)) + padded
            else:
                data += self.event(0, max(delta, 0), len(record) + 4) + padded
        if data:
            data += self.event(29, 0)
            close()
        return b"".join(pages)


def story(maker, rounds):
    """What two CPUs do: records of each, with their times."""
    start = 106_439_675_570_921
    cpus = [[], [], []]
    mark, address = list(FUNCTIONS)[2], list(FUNCTIONS)
    for i in range(rounds):
        at = start + i * 1_000_003
        if i == rounds // 2:
            start += 1 << 31

        def put(cpu, after, name, thread, flags, *values):
            cpus[cpu].append((at + after, maker.record(name, thread, flags, *values)))

        def switch(cpu, after, one, state, other):
            def name(thread):
                return PROCESSES.get(thread, f"swapper/{cpu}").encode()
            put(cpu, after, "sched_switch", one, 0, name(one), one, 120, state, name(other), other,
                120)

        switch(0, 0, 0, 0, 12)
        put(0, 1_001, "print", 12, 0, mark, b"B|12|round\n")
        put(0, 2_000, "bprint", 12, 0, address[3], PRINTK, maker.pack("iI", -i, i * 3) + b"text\0")
        put(0, 3_000, "sched_waking", 12, 0, b"worker-1", 13, 120, 1)
        switch(1, 3_500, 0, 0, 13)
        put(1, 4_000, "function", 13, 0, address[0], address[1])
        put(1, 5_000, "irq_handler_entry", 13, 8, 5, b"eth0\0")
        put(1, 5_100, "sched_waking", 13, 8, b"reader", 14, 120, 0)
        put(1, 5_200, "softirq_entry", 13, 16, 1)
        put(1, 5_300, "wide", 13, 0, maker.pack("3H", 1, 2, 65535), b"\1\2", address[0] + 16)
        switch(0, 400_000, 12, 1, 14)
        switch(1, 500_123, 13, 256, 0)
        switch(0, 900_000, 14, 2, 0)
    return cpus


def lists(maker):
    """What the header says of the kernel, in parts by number."""
    page = (f"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t commit;"
            f"\toffset:8;\tsize:{maker.word};\tsigned:1;\n\tfield: char data;\t"
            f"offset:{8 + maker.word};\tsize:4080;\tsigned:0;\n").encode()
    systems = collections.defaultdict(list)
    for name, (system, _, _, _) in maker.events.items():
        systems[system].append(maker.pack("Q", len(maker.texts[name])) + maker.texts[name])
    own = systems.pop("ftrace")
    mask = (1 << 8 * maker.word) - 1
    functions = "".join(f"{address & mask:x} T {name}\t[kernel]\n"
                        for address, name in FUNCTIONS.items()).encode()
    texts = f'0x{PRINTK & mask:x} : "i=%d, %08x %s\\n"\n'.encode()
    commands = "".join(f"{thread} {name}\n" for thread, name in PROCESSES.items()).encode()
    return {
        16: b"header_page\0" + maker.pack("Q", len(page)) + page + b"header_event\0" +
            maker.pack("Q", 5) + b"event",
        17: maker.pack("I", len(own)) + b"".join(own),
        18: maker.pack("I", len(systems)) + b"".join(
            system.encode() + b"\0" + maker.pack("I", len(events)) + b"".join(events)
            for system, events in systems.items()),
        19: maker.pack("I", len(functions)) + functions,
        20: maker.pack("I", len(texts)) + texts,
        21: maker.pack("Q", len(commands)) + commands,
    }


def make(rounds, big=False, word=8, version=6, packed=False, lost=False, size=4096,
         clock=b"[local] mono", options=()):
    maker = Maker(big, word)
    pages = [maker.pages(records, size, lost) for records in story(maker, rounds)]
    parts = lists(maker)
    head = b"\x17\x08\x44tracing" + f"{version}\0".encode() + bytes([big, word])
    head += maker.pack("I", size)
    options = [(4, clock + b"\0"), (9, b"3.1.6\0"), *options]
    if version == 6:
        head += b"".join(parts[number] for number in sorted(parts)) + maker.pack("I", len(pages))
        head += b"options  \0" + b"".join(maker.pack("HI", number, len(data)) + data
                                          for number, data in options) + maker.pack("H", 0)
        head += b"flyrecord\0"
        at = -(-(len(head) + 16 * len(pages)) // size) * size
        for data in pages:
            head += maker.pack("QQ", at, len(data))
            at += len(data)
        first = -(-len(head) // size) * size
        return head + bytes(first - len(head)) + b"".join(pages)

    def section(number, data, flags=0):
        if flags and number != 3:
            squeezed = zlib.compress(data)
            data = maker.pack("II", len(squeezed), len(data)) + squeezed
        return maker.pack("HHIQ", number, flags, 0, len(data)) + data

    head += (b"zlib\0001.0\0" if packed else b"none\0\0")
    body, places, start = b"", {}, len(head) + 8
    for number in sorted(parts):
        places[number] = start + len(body)
        body += section(number, parts[number], int(packed))
    places[3] = start + len(body)
    buffer, cpus = b"", b""
    for cpu, data in enumerate(pages):
        buffer += bytes(-(places[3] + 16 + len(buffer)) % size)
        at = places[3] + 16 + len(buffer)
        if packed and data:
            chunks = [zlib.compress(data[i:i + 8192]) for i in range(0, len(data), 8192)]
            sizes = [len(data[i:i + 8192]) for i in range(0, len(data), 8192)]
            data = b"".join(maker.pack("II", len(chunk), size) + chunk
                            for chunk, size in zip(chunks, sizes))
            buffer += maker.pack("I", len(chunks))
        buffer += data
        cpus += maker.pack("IQQ", cpu, at, len(data))
    body += section(3, buffer, int(packed))
    first = start + len(body)
    options += [(number, maker.pack("Q", places[number])) for number in sorted(parts)]
    content = b"".join(maker.pack("HI", number, len(data)) + data for number, data in options)
    second = first + 16 + len(content) + 14
    body += section(0, content + maker.pack("HIQ", 0, 8, second))
    said = maker.pack("Q", places[3]) + b"\0mono\0" + maker.pack("II", size, len(pages)) + cpus
    body += section(0, maker.pack("HI", 3, len(said)) + said + maker.pack("HIQ", 0, 8, 0))
    return head + maker.pack("Q", first) + body


class Reader:
    def __init__(self, data):
        self.data, self.at, self.names = data, 10, {}
        version = self.string()
        self.order = "big" if data[self.at] else "little"
        self.at += 2
        self.page = self.number(4)
        self.buffers, self.layout, self.commit, self.start = [], {}, 8, 16
        if version == b"6":
            for part in range(16, 22):
                self.part(part)
            cpus = self.number(4)
            if self.string() == b"options  ":
                while self.number(2):
                    self.text(4)
                self.string()
            places = [(self.number(8), self.number(8)) for _ in range(cpus)]
            self.buffers = [(cpu, [data[at:at + size]]) for cpu, (at, size) in enumerate(places)]
            return
        self.string(), self.string()
        at = self.number(8)
        while at:
            at = self.options(at)

    def number(self, size):
        self.at += size
        return int.from_bytes(self.data[self.at - size:self.at], self.order)

    def string(self):
        begin, self.at = self.at, self.data.index(b"\0", self.at) + 1
        return self.data[begin:self.at - 1]

    def text(self, size):
        length = self.number(size)
        self.at += length
        return self.data[self.at - length:self.at].decode()

    def part(self, number):
        if number == 16:
            self.string()
            page = self.text(8)
            self.commit = int(re.search(r"commit;.*?size:(\d+)", page)[1])
            self.start = int(re.search(r"data;\s*offset:(\d+)", page)[1])
            self.string(), self.text(8)
        elif number == 17:
            for _ in range(self.number(4)):
                self.format(self.text(8))
        elif number == 18:
            for _ in range(self.number(4)):
                self.string()
                for _ in range(self.number(4)):
                    self.format(self.text(8))
        else:
            self.text(8 if number == 21 else 4)

    def format(self, text):
        number = int(re.search(r"ID: (\d+)", text)[1])
        self.names[number] = re.search(r"name: (\S+)", text)[1]
        self.layout[self.names[number]] = {
            name: (int(at), int(size)) for name, at, size in
            re.findall(r"field:[^;]*?(\w+)(?:\[\w*\])?;\s*offset:(\d+);\s*size:(\d+);", text)}

    def options(self, at):
        self.at = at + 16
        while True:
            number, size = self.number(2), self.number(4)
            begin = self.at
            if number == 0:
                return self.number(8)
            if number == 3:
                self.buffer()
            elif 16 <= number <= 21:
                self.section(number, self.number(8))
            self.at = begin + size

    def section(self, number, at):
        whole, self.at = self.data, at + 2
        if self.number(2):
            self.at = at + 16
            size, _ = self.number(4), self.number(4)
            self.data, self.at = zlib.decompress(whole[self.at:self.at + size]), 0
        else:
            self.at = at + 16
        self.part(number)
        self.data = whole

    def buffer(self):
        section = self.number(8)
        packed = int.from_bytes(self.data[section + 2:section + 4], self.order)
        self.string(), self.string()
        self.page = self.number(4)
        for _ in range(self.number(4)):
            cpu, at, size = self.number(4), self.number(8), self.number(8)
            back = self.at
            if not packed or not size:
                pieces = [self.data[at:at + size]]
            else:
                self.at, pieces = at, []
                for _ in range(self.number(4)):
                    length, _ = self.number(4), self.number(4)
                    pieces.append(zlib.decompress(self.data[self.at:self.at + length]))
                    self.at += length
            self.buffers.append((cpu, pieces))
            self.at = back

    def records(self, pieces):
        whole = b"".join(pieces)
        for begin in range(0, len(whole), self.page):
            page = whole[begin:begin + self.page]
            time = base = int.from_bytes(page[:8], self.order)
            end = self.start + (int.from_bytes(page[8:8 + self.commit], self.order) & (1 << 27) - 1)
            at = self.start
            while at < end:
                head = int.from_bytes(page[at:at + 4], self.order)
                kind, delta = (head >> 27, head & (1 << 27) - 1) if self.order == "big" else \
                    (head & 31, head >> 5)
                more = int.from_bytes(page[at + 4:at + 8], self.order)
                at += 4
                if kind == 29:
                    if delta == 0:
                        break
                    at, time = at + more, time + delta
                elif kind == 30:
                    at, time = at + 4, time + (more << 27 | delta)
                elif kind == 31:
                    at, time = at + 4, (more << 27 | delta) | base >> 59 << 59
                else:
                    time += delta
                    at += 4 if kind == 0 else 0
                    size = more - 4 if kind == 0 else 4 * kind
                    yield time, page[at:at + size]
                    at += -(-size // 4) * 4


def read(data):
    reader = Reader(data)
    counts, ran, last = collections.Counter(), collections.Counter(), 0
    since = {}
    for cpu, pieces in reader.buffers:
        on = None
        for time, record in reader.records(pieces):
            def field(name, key, signed=False):
                at, size = reader.layout[name][key]
                return int.from_bytes(record[at:at + size], reader.order, signed=signed)
            name = reader.names[int.from_bytes(record[:2], reader.order)]
            counts[name] += 1
            thread = int.from_bytes(record[4:8], reader.order, signed=True)
            on, last = on or (thread, time), max(last, time)
            if name == "sched_switch":
                ran[on[0]] += time - on[1]
                on = (field(name, "next_pid", True), time)
        if on:
            since[cpu] = on
    for thread, begin in since.values():
        ran[thread] += last - begin
    for name, count in sorted(counts.items()):
        print(name, count)
    if "sched_switch" in counts:
        print("running", sum(time for thread, time in ran.items() if thread > 0))


if __name__ == "__main__":
    if sys.argv[1] == "read":
        with open(sys.argv[2], "rb") as file:
            read(file.read())
    else:
        words = sys.argv[3:]
        rounds = next((int(word) for word in words if word.isdigit() and word != "7"), 3)
        with open(sys.argv[2], "wb") as file:
            file.write(make(rounds, "big" in words, 4 if "long4" in words else 8,
                            7 if "7" in words else 6, "zlib" in words, "lost" in words,
                            256 if "small" in words else 4096))
