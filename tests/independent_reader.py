#!/usr/bin/env python3
"""Lists the events of a trace.db as pj_dump prints them (without containers).

It was written from docs/developer/store.md alone and shares no line and no library with Ocelotl. On
the way it adds up the records of each stream and compares the sums with the running totals at the
beginning of each chunk. A difference is an error, and so is a wrong checksum.

    independent_reader.py [--digits N] trace.db
"""
import sqlite3
import struct
import subprocess
import sys

EVENTS, STATES, VARIABLE, LINKS_OUT, LINKS_IN = range(5)
END, END_DEEPER, BEGIN = range(3)


PRIMES = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63,
          0x27D4EB2F165667C5)
MASK = (1 << 64) - 1


def rotate(number, bits):
    return (number << bits | number >> (64 - bits)) & MASK


def xxh64(block, seed):
    """The checksum XXH64."""
    one, two, three, four, five = PRIMES
    word = struct.Struct("<Q").unpack_from
    stripes = len(block) // 32 * 32
    total = seed + five
    if stripes > 0:
        lanes = [(seed + one + two) & MASK, (seed + two) & MASK, seed, (seed - one) & MASK]
        for words in struct.iter_unpack("<4Q", memoryview(block)[:stripes]):
            lanes = [rotate(lane + number * two & MASK, 31) * one & MASK
                     for lane, number in zip(lanes, words)]
        total = sum(rotate(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18)))
        for lane in lanes:
            total = ((total ^ rotate(lane * two & MASK, 31) * one) * one + four) & MASK
    total = (total + len(block)) & MASK
    at = stripes
    while len(block) - at >= 8:
        mixed = rotate(word(block, at)[0] * two & MASK, 31) * one & MASK
        total = (rotate(total ^ mixed, 27) * one + four) & MASK
        at += 8
    if len(block) - at >= 4:
        (number,) = struct.unpack_from("<I", block, at)
        total = (rotate(total ^ (number * one & MASK), 23) * two + three) & MASK
        at += 4
    for byte in block[at:]:
        total = rotate(total ^ (byte * five & MASK), 11) * one & MASK
    total = (total ^ total >> 33) * two & MASK
    total = (total ^ total >> 29) * three & MASK
    return total ^ total >> 32


def signed(checksum, bits):
    """The lowest bits, as the signed number that a column holds."""
    checksum &= (1 << bits) - 1
    return checksum - (1 << bits) if checksum >> (bits - 1) else checksum


class Bytes:
    """Reads onwards in a block of bytes."""

    def __init__(self, block):
        self.block = block
        self.next = 0

    def unsigned(self):
        number = shift = 0
        while True:
            byte = self.block[self.next]
            self.next += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    def signed(self):
        number = self.unsigned()
        return (number >> 1) ^ -(number & 1)

    def optional(self):
        """An index, or None."""
        number = self.unsigned()
        return number - 1 if number > 0 else None

    def double(self):
        (number,) = struct.unpack_from("<d", self.block, self.next)
        self.next += 8
        return number

    def text(self, length):
        text = self.block[self.next : self.next + length]
        assert len(text) == length
        self.next += length
        return text.decode()

    def is_at_end(self):
        return self.next == len(self.block)


class Record:
    def __init__(self, time):
        self.time = time
        self.ends = False
        self.depth = 0  # of an end: how many of those open began later
        self.value = None
        self.partner = None
        self.duration = 0
        self.number = None
        self.attributes = []  # (number, text)


def read_attributes(columns, records):
    count = columns.unsigned()
    if count == 0:
        return
    own = [columns.unsigned() for _ in records]
    assert sum(own) == count
    numbers = [columns.unsigned() for _ in range(count)]
    lengths = [columns.unsigned() for _ in range(count)]
    texts = [columns.text(length) for length in lengths]
    values = iter(zip(numbers, texts))
    for record, mine in zip(records, own):
        record.attributes = [next(values) for _ in range(mine)]


def read_codes(columns, records, role):
    for record in records:
        if role in (EVENTS, LINKS_IN):
            record.value = columns.optional()
        elif role in (STATES, LINKS_OUT):
            code = columns.unsigned()
            record.ends = code < BEGIN
            record.depth = 1 if code == END_DEEPER else 0
            if not record.ends:
                record.value = code - BEGIN - 1 if code > BEGIN else None
    for record in records:
        if record.depth > 0:
            record.depth = columns.unsigned()


def read_records(block, role, unit):
    """The records of a chunk, from its columns."""
    columns = Bytes(block)
    records = []
    time = 0
    for _ in range(columns.unsigned()):
        time += columns.signed()
        records.append(Record(time * unit))
    read_codes(columns, records, role)
    known = [r for r in records if role == LINKS_IN or (role == LINKS_OUT and r.ends)]
    for record in known:
        record.partner = columns.optional()
    for record in known:
        record.duration = columns.signed() * unit
    if role == VARIABLE:
        for record in records:
            record.number = columns.double()
    read_attributes(columns, records)
    assert columns.is_at_end()
    return records


def unpack(blobs):
    """The columns of many chunks; zstd unpacks all packed ones at once, as a stream of frames."""
    packed = [blob[1:] for blob in blobs if blob[0] == 1]
    plain = b""
    if packed:
        plain = subprocess.run(["zstd", "-dcq"], input=b"".join(packed), stdout=subprocess.PIPE,
                               check=True).stdout
    sizes = iter([frame_size(frame) for frame in packed])
    unpacked = []
    begin = 0
    for blob in blobs:
        if blob[0] == 0:
            unpacked.append(blob[1:])
        else:
            size = next(sizes)
            unpacked.append(plain[begin : begin + size])
            begin += size
    assert begin == len(plain)
    return unpacked


def frame_size(frame):
    """The size of a frame's content, from its header (RFC 8878, 3.1.1)."""
    assert frame[:4] == b"\x28\xb5\x2f\xfd"
    flags = frame[4]
    single = flags >> 5 & 1
    begin = 5 + (0 if single else 1) + (0, 1, 2, 4)[flags & 3]
    width = (1 if single else 0, 2, 4, 8)[flags >> 6]
    assert width > 0
    size = int.from_bytes(frame[begin : begin + width], "little")
    return size + 256 if width == 2 else size


class Total:
    def __init__(self, value):
        self.value = value
        self.count = 0
        self.innermost = 0
        self.closed = 0
        self.integral = 0.0

    def said(self):
        return (self.value, self.count, self.innermost, self.closed)


class Sums:
    """What a stream adds up to, record by record."""

    def __init__(self, role):
        self.role = role
        self.time = 0
        self.totals = {}  # by value, in the order in which they are met
        self.open = []  # (begin record, total), outermost first
        self.number = None
        self.attributes = {}

    def total(self, value):
        return self.totals.setdefault(value, Total(value))

    def take(self, record):
        """Gives the record that began what ends here."""
        ended = None
        passed = record.time - self.time
        if self.role == STATES and self.open:
            self.open[-1][1].innermost += passed
        if self.number is not None:
            self.total(None).integral += self.number * passed
        self.time = record.time
        if record.ends:
            ended, total = self.open.pop(len(self.open) - 1 - record.depth)
            if record.duration >= 0:
                total.closed += record.time - ended.time + record.duration
        else:
            total = self.total(record.value)
            total.count += 1
            if self.role in (STATES, LINKS_OUT):
                self.open.append((record, total))
            total.closed += max(record.duration, 0)
            self.number = record.number
        if self.role in (LINKS_OUT, LINKS_IN):
            for number, text in record.attributes:
                if is_number(text):
                    self.attributes[number] = self.attributes.get(number, 0) + float(text)
        return ended

    def check(self, block, unit):
        """Compares with the running totals of a chunk."""
        totals = Bytes(block)
        time = totals.signed() * unit
        assert time == self.time, ("time", time, self.time)
        said = []
        for mine in [None] * totals.unsigned():
            value, count = totals.optional(), totals.unsigned()
            said.append((value, count, totals.signed() * unit, totals.signed() * unit))
            if self.role == VARIABLE:
                integral = totals.double() * unit
                mine = self.total(None).integral
                assert abs(integral - mine) <= 1e-9 * max(abs(mine), 1), (integral, mine)
        assert said == [total.said() for total in self.totals.values()], said
        opened = [(said[totals.unsigned()][0], time - totals.signed() * unit)
                  for _ in range(totals.unsigned())]
        assert opened == [(total.value, record.time) for record, total in self.open], opened
        number = totals.double() if totals.unsigned() else None
        assert number == self.number, (number, self.number)
        sums = {totals.unsigned(): totals.double() for _ in range(totals.unsigned())}
        assert sums.keys() == self.attributes.keys(), (sums, self.attributes)
        assert all(abs(sums[a] - self.attributes[a]) <= 1e-9 * abs(sums[a]) for a in sums)
        assert totals.is_at_end()


def is_number(text):
    try:
        return abs(float(text)) != float("inf") and float(text) == float(text)
    except ValueError:
        return False


def put_unsigned(number):
    block = b""
    while number >= 0x80:
        block += bytes([number & 0x7F | 0x80])
        number >>= 7
    return block + bytes([number])


def row_bytes(row):
    """A row of a table, as its checksum takes it."""
    block = b""
    for column in row:
        if column is None:
            block += b"\0"
        elif isinstance(column, int):
            block += b"\1" + put_unsigned(column << 1 if column >= 0 else ~(column << 1))
        elif isinstance(column, float):
            block += b"\2" + struct.pack("<d", column)
        else:
            text = column.encode() if isinstance(column, str) else column
            block += b"\3" + put_unsigned(len(text)) + text
    return block


TABLES = {
    "meta": "key, value FROM meta ORDER BY key",
    "resource_type": "id, parent, name FROM resource_type ORDER BY id",
    "resource": "id, parent, type, name, begin, end, notes FROM resource ORDER BY id",
    "event_type": "id, category, resource_type, name, colour, count, unmatched, attributes"
                  " FROM event_type ORDER BY id",
    "value": "id, event_type, name, colour, count, innermost, inclusive FROM value ORDER BY id",
    "stream": "id, resource, event_type, role, count, begin, end, chunks FROM stream ORDER BY id",
    "import_warning": "rowid - 1, kind, count, detail FROM import_warning ORDER BY rowid",
    "source_kind": "id, kind, fate, count, why FROM source_kind ORDER BY id",
}


class Trace:
    def __init__(self, path):
        self.database = sqlite3.connect("file:" + path + "?mode=ro&immutable=1", uri=True)
        assert self.one("PRAGMA application_id") == 0x4F43454C
        assert self.one("PRAGMA user_version") == 3
        self.meta = dict(self.database.execute("SELECT key, value FROM meta"))
        for table in TABLES:
            self.check_table(table)
        self.resources = {
            id: (name, parent, type, end) for id, name, parent, type, end in
            self.database.execute("SELECT id, name, parent, type, end FROM resource")}
        self.types = {
            id: (name, type, attributes.split("\n")) for id, name, type, attributes in
            self.database.execute("SELECT id, name, resource_type, attributes FROM event_type")}
        self.values = dict(self.database.execute("SELECT id, name FROM value"))

    def check_table(self, table):
        keys = ["checksum." + name for name in TABLES]
        checksum = 0
        for row in self.database.execute("SELECT " + TABLES[table]):
            if table != "meta" or row[0] not in keys:
                checksum = xxh64(row_bytes(row), checksum)
        assert self.meta["checksum." + table] == signed(checksum, 64), table

    def one(self, sql):
        return self.database.execute(sql).fetchone()[0]

    def seconds(self, ticks):
        return ticks * int(self.meta["tick_numerator"]) / int(self.meta["tick_denominator"])

    def name(self, resource):
        return "0" if resource is None else self.resources[resource][0]

    def above(self, resource):
        while resource is not None:
            yield resource
            resource = self.resources[resource][1]

    def around(self, source, target, type):
        """The resource of a type that is above both ends of a link; the root without."""
        above = set(self.above(target))
        for resource in self.above(source):
            if type is not None and self.resources[resource][2] == type and resource in above:
                return resource
        return None


class Printer:
    def __init__(self, trace, digits):
        self.trace = trace
        self.digits = digits

    def time(self, seconds):
        return "%.*f" % (self.digits, seconds)

    def interval(self, begin, end):
        begin, end = self.trace.seconds(begin), self.trace.seconds(end)
        return ", ".join(self.time(t) for t in (begin, end, end - begin))

    def show(self, role, resource, type, sums, record, ended):
        trace = self.trace
        name, above, attributes = trace.types[type]
        where = trace.name(resource)
        if role == EVENTS:
            value = trace.values.get(record.value, "")
            print("Event, %s, %s, %s, %s" % (
                where, name, self.time(trace.seconds(record.time)), value))
        elif role == STATES and ended:
            depth = len(sums.open) - record.depth
            print("State, %s, %s, %s, %s, %s" % (
                where, name, self.interval(ended.time, record.time), self.time(depth),
                trace.values[ended.value]))
        elif role == LINKS_OUT and ended and record.partner is not None:
            owner = trace.around(resource, record.partner, above)
            keys = [text for number, text in ended.attributes + record.attributes
                    if attributes[number] == "Key"]
            print("Link, %s, %s, %s, %s, %s, %s, %s" % (
                trace.name(owner), name, self.interval(ended.time, record.time + record.duration),
                trace.values.get(ended.value, ""), where, trace.name(record.partner),
                keys[0] if keys else ""))

    def show_variable(self, resource, type, changes):
        """Changes at one instant are one, with the last value; the last one holds to the end."""
        changes = [c for c, after in zip(changes, changes[1:] + [None])
                   if after is None or after[0] > c[0]]
        ends = [c[0] for c in changes[1:]] + [self.trace.resources[resource][3]]
        for (begin, number), end in zip(changes, ends):
            print("Variable, %s, %s, %s, %s" % (
                self.trace.name(resource), self.trace.types[type][0], self.interval(begin, end),
                self.time(number)))


def check_checksums(row):
    """The three checksums of a chunk."""
    stream, number, begin, end, count, unit, low, high = row[:8]
    of_place, of_row, of_bytes, totals, events = row[8:]
    place = struct.pack("<qqq", stream, number, begin)
    extremes = b"".join(b"\xff" * 8 if x is None else struct.pack("<d", x) for x in (low, high))
    assert of_place == signed(xxh64(place, 0), 32)
    assert of_row == signed(xxh64(place + struct.pack("<qqq", end, count, unit) + extremes, 0), 32)
    head = xxh64(place + struct.pack("<q", unit), 0)
    assert of_bytes == signed(xxh64(events, xxh64(totals, head)), 64)


def read_stream(trace, printer, stream, resource, type, role):
    whole = trace.database.execute("SELECT stream, number, begin, end, count, unit, low, high,"
                                   " place_checksum,"
                                   " row_checksum, checksum, totals, events FROM chunk"
                                   " WHERE stream = ? ORDER BY number", (stream,)).fetchall()
    for row in whole:
        check_checksums(row)
    rows = [row[1:6] + row[11:] for row in whole]
    sums = Sums(role)
    changes = []
    seen = 0
    for wanted, (row, columns) in enumerate(zip(rows, unpack([row[6] for row in rows]))):
        number, begin, end, count, unit, totals, _ = row
        assert number == wanted
        if number > 0:
            sums.check(totals, unit)
        records = read_records(columns, role, unit)
        assert (records[0].time, records[-1].time, len(records)) == (begin, end, count)
        seen += count
        for record in records:
            ended = sums.take(record)
            printer.show(role, resource, type, sums, record, ended)
            if role == VARIABLE:
                changes.append((record.time, record.number))
    assert not sums.open
    printer.show_variable(resource, type, changes)
    return seen, len(rows)


def main(arguments):
    digits = 6
    if arguments[0] == "--digits":
        digits = int(arguments[1])
        arguments = arguments[2:]
    trace = Trace(arguments[0])
    printer = Printer(trace, digits)
    streams = trace.database.execute(
        "SELECT id, resource, event_type, role, count, chunks FROM stream ORDER BY id").fetchall()
    for stream, resource, type, role, count, chunks in streams:
        assert read_stream(trace, printer, stream, resource, type, role) == (count, chunks)


if __name__ == "__main__":
    main(sys.argv[1:])
