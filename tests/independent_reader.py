#!/usr/bin/env python3
"""Lists the events of a trace.db as pj_dump prints them (without containers).

It was written from docs/developer/store.md alone and shares no line and no library with Ocelotl. On
the way it adds up the records of each stream and compares the sums with the running totals at the
beginning of each chunk, and the content with the uid. A difference is an error, and so is a wrong
checksum.

    independent_reader.py [--digits N] trace.db
"""
import hashlib
import sqlite3
import struct
import subprocess
import sys
import tempfile

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

    def block_of(self, length):
        block = self.block[self.next : self.next + length]
        assert len(block) == length
        self.next += length
        return block

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


def pattern_texts(columns, count, patterns):
    """Texts of one attribute, as patterns with columns of numbers."""
    patterns = [columns.block_of(columns.unsigned()) for _ in range(patterns)]
    which = [columns.unsigned() if len(patterns) > 1 else 0 for _ in range(count)]
    numbers = []  # by pattern, then place in it: those that are still to come
    for index, pattern in enumerate(patterns):
        slots = []
        for _ in range(pattern.count(0)):
            column = []
            number = 0
            for _ in range(which.count(index)):
                number += columns.signed()
                column.append(number)
            slots.append(iter(column))
        numbers.append(slots)
    texts = []
    for index in which:
        pieces = patterns[index].split(b"\0")
        text = pieces[0]
        for slot, piece in zip(numbers[index], pieces[1:]):
            text += str(next(slot)).encode() + piece
        texts.append(text)
    return texts


def read_attributes(columns, entries, records):
    count = columns.unsigned()
    if count == 0:
        return
    ends = [entry for entry in entries if entry.ends]
    own = {id(entry): columns.unsigned() for entry in entries if not entry.ends}
    own.update({id(entry): columns.unsigned() for entry in ends})
    assert sum(own.values()) == count
    numbers = [columns.unsigned() for _ in range(count)]
    texts = {}
    for number in sorted(set(numbers)):
        times = numbers.count(number)
        patterns = columns.unsigned()
        if patterns > 0:
            found = pattern_texts(columns, times, patterns)
        else:
            lengths = [columns.unsigned() for _ in range(times)]
            found = [columns.block_of(length) for length in lengths]
        texts[number] = iter(found)
    values = iter([(number, next(texts[number])) for number in numbers])
    for record in records:
        record.attributes = [next(values) for _ in range(own.get(id(record), 0))]


def read_codes(columns, entries, role):
    """Gives the records: of states an entry may be an end and the begin that takes its place."""
    records = []
    for entry in entries:
        if role in (EVENTS, LINKS_IN):
            entry.value = columns.optional()
        elif role in (STATES, LINKS_OUT):
            code = columns.unsigned()
            entry.ends = code < BEGIN
            entry.depth = 1 if code == END_DEEPER else 0
            if role == LINKS_OUT and code > BEGIN:
                entry.value = code - BEGIN - 1
            if role == STATES and code >= BEGIN:
                entry.value = (code - BEGIN) // 2
                if code % 2 == 1:
                    records.append(Record(entry.time))
                    records[-1].ends = True
        records.append(entry)
    for record in records:
        if record.depth > 0:
            record.depth = columns.unsigned()
    return records


def read_records(block, role, unit):
    """The records of a chunk, from its columns."""
    columns = Bytes(block)
    entries = []
    time = 0
    for index in range(columns.unsigned()):
        time = columns.signed() if index == 0 else time + columns.unsigned()
        entries.append(Record(time * unit))
    records = read_codes(columns, entries, role)
    known = [r for r in records if role == LINKS_IN or (role == LINKS_OUT and r.ends)]
    for record in known:
        record.partner = columns.optional()
    for record in known:
        record.duration = columns.signed() * unit
    if role == VARIABLE:
        for record in records:
            record.number = columns.double()
    read_attributes(columns, entries, records)
    assert columns.is_at_end()
    return records


MAGIC = b"\x28\xb5\x2f\xfd"


def unpack_frames(frames, dictionary):
    """zstd unpacks all at once, as a stream of frames."""
    command = ["zstd", "-dcq"]
    with tempfile.NamedTemporaryFile() as file:
        if dictionary is not None:
            file.write(dictionary)
            file.flush()
            command += ["-D", file.name]
        plain = subprocess.run(command, input=b"".join(frames), stdout=subprocess.PIPE,
                               check=True).stdout
    unpacked = []
    begin = 0
    for frame in frames:
        size = frame_size(frame)
        unpacked.append(plain[begin : begin + size])
        begin += size
    assert begin == len(plain)
    return unpacked


def unpack(blobs, dictionary):
    """The columns of many chunks."""
    plain = {0: [blob[1:] for blob in blobs if blob[0] == 0]}
    for kind, used in ((1, None), (2, dictionary)):
        frames = [MAGIC + blob[1:] for blob in blobs if blob[0] == kind]
        plain[kind] = unpack_frames(frames, used) if frames else []
    iterators = {kind: iter(found) for kind, found in plain.items()}
    return [next(iterators[blob[0]]) for blob in blobs]


def frame_size(frame):
    """The size of a frame's content, from its header (RFC 8878, 3.1.1)."""
    assert frame[:4] == MAGIC
    flags = frame[4]
    single = flags >> 5 & 1
    begin = 5 + (0 if single else 1) + (0, 1, 2, 4)[flags & 3]
    width = (1 if single else 0, 2, 4, 8)[flags >> 6]
    assert width > 0
    size = int.from_bytes(frame[begin : begin + width], "little")
    return size + 256 if width == 2 else size


PRIME = 2**61 - 1
NOTHING = (0, 0)
OF_NAME, OF_TWIN, OF_RESOURCE, OF_EVENT_TYPE, OF_STREAM, OF_TRACE = range(1, 7)
A_RESOURCE_TYPE, A_RESOURCE, AN_EVENT_TYPE, A_VALUE, AN_ATTRIBUTE = range(5)


def digest(*parts):
    """BLAKE2b, 128 bits, of numbers, pairs of numbers and texts, as two numbers."""
    block = b""
    for part in parts:
        if isinstance(part, str):
            text = part.encode()
            block += struct.pack("<Q", len(text)) + text
        elif isinstance(part, tuple):
            block += struct.pack("<QQ", *part)
        else:
            block += struct.pack("<Q", part)
    return struct.unpack("<QQ", hashlib.blake2b(block, digest_size=16).digest())


def plus(first, second):
    return tuple(a + b & MASK for a, b in zip(first, second))


class Names:
    """What names stand for; of several of one name below one parent each is another."""

    def __init__(self):
        self.given = {}

    def identity(self, kind, parent, name):
        alone = digest(OF_NAME, kind, parent, name)
        before = self.given.get(alone, 0)
        self.given[alone] = before + 1
        return alone if before == 0 else digest(OF_TWIN, alone, before)


class Content:
    """What a stream holds, record by record."""

    def __init__(self, values, resources, attributes):
        self.values = values
        self.resources = resources
        self.names = attributes
        self.count = 0
        self.first, self.second = 0x243F6A8885A308D3, 0x13198A2E03707344
        self.sums = [0, 0]

    def word(self, word, time):
        self.first = (self.first ^ word[0]) * 0x9E3779B97F4A7C15 & MASK
        self.second = (self.second ^ word[1]) * 0xC2B2AE3D27D4EB4F & MASK
        self.first ^= self.first >> 32
        self.second ^= self.second >> 29
        weights = (self.first >> 3, self.second >> 3)
        self.sums = [(a + time * w) % PRIME for a, w in zip(self.sums, weights)]

    def take(self, role, record):
        self.count += 1
        if role == VARIABLE:
            bits = struct.unpack("<Q", struct.pack("<d", record.number))[0]
            self.word((bits, bits), record.time)
        elif record.ends:
            self.word((record.depth + 1, record.depth + 1), record.time)
        else:
            self.word(self.values.get(record.value, NOTHING), record.time)
        if role == LINKS_IN or (role == LINKS_OUT and record.ends):
            self.word(self.resources.get(record.partner, NOTHING), record.duration)
        if record.attributes:
            carried = NOTHING
            for number, text in record.attributes:
                carried = plus(carried, [xxh64(text, seed) for seed in self.names[number]])
            self.word(carried, 0)


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
                if is_number(text.decode()):
                    self.attributes[number] = self.attributes.get(number, 0) + float(text)
        return ended

    def check(self, block, unit):
        """Compares with the running totals of a chunk, which are none where it is the first."""
        totals = Bytes(block if block else bytes(5))
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
    "dictionary": "id, role, bytes FROM dictionary ORDER BY id",
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
        self.dictionaries = {
            role: unpack_frames([bytes(packed)], None)[0] for role, packed in
            self.database.execute("SELECT role, bytes FROM dictionary")}
        self.content = NOTHING
        tick = int(self.meta["tick_numerator"]), int(self.meta["tick_denominator"])
        self.tick = tick[0] * pow(tick[1], PRIME - 2, PRIME) % PRIME
        self.add_names()

    def add(self, part):
        self.content = plus(self.content, part)

    def add_names(self):
        """Gives all names what they stand for, and adds them to the content."""
        names = Names()
        rows = self.database.execute
        kinds = {None: NOTHING}
        for number, parent, name in rows("SELECT id, parent, name FROM resource_type ORDER BY id"):
            kinds[number] = names.identity(A_RESOURCE_TYPE, kinds[parent], name)
            self.add(kinds[number])
        self.resource_names = {None: NOTHING}
        for number, parent, kind, name, begin, end in rows(
                "SELECT id, parent, type, name, begin, end FROM resource ORDER BY id"):
            found = names.identity(A_RESOURCE, self.resource_names[parent], name)
            self.resource_names[number] = found
            self.add(digest(OF_RESOURCE, found, kinds[kind], *self.modular(begin, end)))
        self.type_names = {}
        self.attribute_names = {}
        for number, kind, category, name, attributes in rows(
                "SELECT id, resource_type, category, name, attributes FROM event_type ORDER BY id"):
            found = names.identity(AN_EVENT_TYPE, kinds[kind], name)
            self.type_names[number] = found
            self.add(digest(OF_EVENT_TYPE, found, category, self.meta.get("unit.%d" % number, ""),
                            *filter(None, [self.meta.get("kind.%d" % number)])))
            self.attribute_names[number] = [names.identity(AN_ATTRIBUTE, found, attribute)
                                            for attribute in attributes.split("\n")]
        self.value_names = {None: NOTHING}
        for number, kind, name in rows("SELECT id, event_type, name FROM value ORDER BY id"):
            self.value_names[number] = names.identity(A_VALUE, self.type_names[kind], name)
            self.add(self.value_names[number])

    def modular(self, *times):
        """Times in seconds, modulo the prime."""
        return [time * self.tick % PRIME for time in times]

    def add_stream(self, resource, type, role, content):
        self.add(digest(OF_STREAM, self.resource_names[resource], self.type_names[type], role,
                        content.count, (content.first, content.second),
                        *self.modular(*content.sums)))

    def check_uid(self):
        begin, end = int(self.meta["begin"]), int(self.meta["end"])
        uid = digest(OF_TRACE, self.content, *self.modular(begin, end))
        assert self.meta["uid"] == "%016x%016x" % uid, (self.meta["uid"], uid)

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
            keys = [text.decode() for number, text in ended.attributes + record.attributes
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
    of_place, of_row, of_bytes, durations, totals, events = row[8:]
    place = struct.pack("<qqq", stream, number, begin)
    extremes = b"".join(b"\xff" * 8 if x is None else struct.pack("<d", x) for x in (low, high))
    words = place + struct.pack("<qqq", end, count, unit) + extremes
    assert of_place == signed(xxh64(place, 0), 32)
    assert of_row == signed(xxh64(durations, xxh64(words, 0)), 32)
    head = xxh64(place + struct.pack("<q", unit), 0)
    assert of_bytes == signed(xxh64(events, xxh64(totals, head)), 64)


class Extremes:
    """What a chunk says of its durations and numbers, beside what its records say."""

    def __init__(self, role):
        self.role = role
        self.durations = {}
        self.numbers = []

    def take(self, record, ended):
        if self.role == VARIABLE:
            self.numbers.append(record.number)
        if ended:
            self.widen(ended.value, record.time + record.duration - ended.time)
        if self.role == LINKS_IN and record.partner is not None:
            self.widen(record.value, record.duration)

    def widen(self, value, duration):
        low, high = self.durations.get(value, (duration, duration))
        self.durations[value] = (min(low, duration), max(high, duration))

    def check(self, block, low, high, unit):
        said = Bytes(block)
        durations = {}
        value = 0
        while not said.is_at_end():
            head = said.unsigned()
            value += head // 2
            least = said.signed()
            most = least + (said.unsigned() if head % 2 == 1 else 0)
            durations[value - 1 if value > 0 else None] = (least * unit, most * unit)
        assert durations == self.durations, (durations, self.durations)
        numbers = (min(self.numbers), max(self.numbers)) if self.numbers else (None, None)
        assert (low, high) == numbers


def read_stream(trace, printer, stream, resource, type, role):
    rows = trace.database.execute("SELECT stream, number, begin, end, count, unit, low, high,"
                                  " place_checksum, row_checksum, checksum, durations, totals,"
                                  " events FROM chunk"
                                  " WHERE stream = ? ORDER BY number", (stream,)).fetchall()
    for row in rows:
        check_checksums(row)
    sums = Sums(role)
    content = Content(trace.value_names, trace.resource_names, trace.attribute_names[type])
    changes = []
    seen = 0
    blobs = unpack([row[13] for row in rows], trace.dictionaries.get(role))
    for wanted, (row, columns) in enumerate(zip(rows, blobs)):
        number, begin, end, count, unit, low, high = row[1:8]
        assert number == wanted
        if number > 0:
            sums.check(row[12], unit)
        extremes = Extremes(role)
        records = read_records(columns, role, unit)
        assert (records[0].time, records[-1].time, len(records)) == (begin, end, count)
        seen += count
        for record in records:
            content.take(role, record)
            ended = sums.take(record)
            extremes.take(record, ended)
            printer.show(role, resource, type, sums, record, ended)
            if role == VARIABLE:
                changes.append((record.time, record.number))
        extremes.check(row[11], low, high, unit)
    assert not sums.open
    printer.show_variable(resource, type, changes)
    if rows:
        trace.add_stream(resource, type, role, content)
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
    trace.check_uid()


if __name__ == "__main__":
    main(sys.argv[1:])
