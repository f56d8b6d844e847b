"""Writes CTF 2 of any field classes inside each other: `ctf2_random.py SEED FOLDER` prints the
events that it wrote as ctf2_reader.py prints those that it read.

What is told is what was meant, before it became bits.
"""
import json
import os
import random
import struct
import sys

from ctf2_reader import in_ranges, natural, show, unit

ORDERS = ("little-endian", "big-endian")
ENCODINGS = ("utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be")


class Bits:
    """A packet as a list of bits: of a byte they stand in the order in which they are written, so
    that what a byte is depends on the byte order of its numbers."""

    def __init__(self):
        self.bytes, self.at = bytearray(), 0

    def align(self, to):
        self.at = (self.at + to - 1) // to * to
        while len(self.bytes) * 8 < self.at:
            self.bytes.append(0)

    def put(self, length, order, bit_order, value):
        for i in range(length):
            element = i if bit_order == "first-to-last" else length - i - 1
            if self.at % 8 == 0 and len(self.bytes) * 8 <= self.at:
                self.bytes.append(0)
            shift = self.at % 8 if order == "little-endian" else 7 - self.at % 8
            self.bytes[self.at // 8] |= (value >> element & 1) << shift
            self.at += 1

    def put_bytes(self, data):
        self.align(8)
        self.bytes += data
        self.at += len(data) * 8


class Node:
    """A field class, with what the writer knows of it: `write` puts a random value and returns
    what the reader makes of it."""

    def __init__(self, field_class, alignment, write):
        self.field_class, self.alignment, self.write = field_class, alignment, write


class Maker:
    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.bits = None
        self.counter = 0
        self.order = self.dice.choice(ORDERS)

    def name(self):
        self.counter += 1
        return "%s%d" % (self.dice.choice(["f", "_under", "a.b", "Käse ", "a/b%"]), self.counter)

    def attributes(self, field_class):
        if self.dice.random() < 0.1:
            field_class["attributes"] = {"my.tracer": {"x": [1, {"type": "structure"}]}}
        return field_class

    def fixed(self, kind, length=None, small=None, **more):
        dice = self.dice
        length = length or dice.choice([1, 3, 7, 8, 12, 16, 31, 32, 33, 48, 63, 64])
        # Numbers of two byte orders do not share a byte: those of the other order are aligned.
        order = dice.choice(ORDERS) if length % 8 == 0 else self.order
        alignment = 8 if length % 8 == 0 else dice.choice([1, 1, 2, 4, 8, 16])
        made = {"type": kind, "length": length, "byte-order": order, "alignment": alignment}
        bit_order = natural(order)
        if dice.random() < 0.3:
            bit_order = made["bit-order"] = dice.choice(["first-to-last", "last-to-first"])
        if alignment == 1:
            del made["alignment"]
        made.update(more)

        def write(value=None):
            if value is None:
                value = dice.getrandbits(length) if small is None else dice.choice(small)
            self.bits.align(alignment)
            self.bits.put(length, order, bit_order, value % 2 ** length)
            value %= 2 ** length
            if "-signed-" in kind and value >> (length - 1):
                value -= 1 << length
            return made, value
        return Node(self.attributes(made), alignment, write)

    def variable(self, is_signed, small=None):
        made = {"type": "variable-length-%s-integer" % ("signed" if is_signed else "unsigned")}
        dice = self.dice

        def write(value=None):
            if value is None:
                value = dice.choice(small) if small else dice.getrandbits(dice.randint(1, 63))
                if is_signed and not small:
                    value = -value if dice.random() < 0.5 else value
            left, data = value, []
            while True:
                byte, left = left & 127, left >> 7
                done = left == 0 and (not is_signed or byte < 64) or left == -1 and byte >= 64
                data.append(byte if done else byte | 128)
                if done:
                    break
            self.bits.put_bytes(bytes(data))
            return made, value
        return Node(made, 8, write)

    def integer(self, is_signed, small=None):
        if self.dice.random() < 0.3:
            return self.variable(is_signed, small)
        more = {}
        if self.dice.random() < 0.3:
            more["preferred-display-base"] = self.dice.choice([2, 8, 10, 16])
        if self.dice.random() < 0.3:
            more["mappings"] = {"low": [[-5, 3], [-9, -9]], "high": [[2, 2 ** 63 + 1]]}
        length = self.dice.choice([8, 5, 16, 32, 64]) if small else None
        kind = "fixed-length-%s-integer" % ("signed" if is_signed else "unsigned")
        return self.fixed(kind, length, small, **more)

    def real(self):
        length = self.dice.choice([16, 32, 64])
        node = self.fixed("fixed-length-floating-point-number", length)

        def write():
            value = self.dice.randint(-2000, 2000) / 4
            bits = struct.pack("<" + {16: "e", 32: "f", 64: "d"}[length], value)
            node.write(int.from_bytes(bits, "little"))
            return value
        return Node(node.field_class, node.alignment, write)

    def scalar(self):
        dice = self.dice
        kind = dice.randrange(8)
        if kind < 3:
            return self.integer(kind == 0)
        if kind == 3:
            return self.real()
        if kind == 4:
            return self.fixed("fixed-length-bit-array")
        if kind == 5:
            return self.fixed("fixed-length-boolean")
        if kind == 6:
            return self.fixed("fixed-length-bit-map", flags={
                "read": [[0, 0]], "write": [[1, 2], [5, 5]], "all": [[0, 70]], "no": [[65, 66]]})
        return self.text(None, None)

    def text(self, length, location):
        """A string up to its 0, or of `length` bytes."""
        encoding = self.dice.choice(ENCODINGS)
        made = {"type": "null-terminated-string"}
        if length is not None:
            made = {"type": "static-length-string", "length": length}
        if location is not None:
            made = {"type": "dynamic-length-string", "length-field-location": location[0]}
        if encoding != "utf-8" or self.dice.random() < 0.5:
            made["encoding"] = encoding

        def write():
            value = "".join(self.dice.choice("abzäß→😀 ,") for _ in range(self.dice.randint(0, 6)))
            room = location[1]() if location is not None else length
            if room is not None:
                room -= room % unit(encoding)
                while len(value.encode(encoding)) > room:
                    value = value[:-1]
            data = value.encode(encoding)
            if room is None:
                data += bytes(unit(encoding))
            else:
                rest = (location[1]() if location is not None else length) - len(data)
                data += (bytes(unit(encoding)) + b"xyzw" * 99)[:rest]
            self.bits.put_bytes(data)
            return value
        return Node(made, 8, write)

    def blob(self, length, location):
        made = {"type": "static-length-blob", "length": length, "media-type": "text/csv"}
        if location is not None:
            made = {"type": "dynamic-length-blob", "length-field-location": location[0]}

        def write():
            data = self.dice.randbytes(location[1]() if location is not None else length)
            self.bits.put_bytes(data)
            return data
        return Node(made, 8, write)

    def array(self, element, length, location):
        made = {"type": "static-length-array", "length": length}
        if location is not None:
            made = {"type": "dynamic-length-array", "length-field-location": location[0]}
        made["element-field-class"] = element.field_class
        least = self.dice.choice([1, 1, 16])
        if least > 1:
            made["minimum-alignment"] = least
        alignment = max(least, element.alignment)

        def write():
            self.bits.align(alignment)
            return [element.write() for _ in range(location[1]() if location is not None
                                                   else length)]
        return Node(made, alignment, write)

    def location(self, scopes, small, is_signed=False, is_boolean=False):
        """A field before: in one of the structures around, made there, or one that is reached
        from the root. The location, and a function that gives what was written."""
        depth = self.dice.randrange(len(scopes))
        scope = scopes[-1 - depth]
        name = self.name()
        wraps = self.dice.random() < 0.3
        if is_boolean:
            node = self.fixed("fixed-length-boolean")
        else:
            node = self.integer(is_signed, small)
        if wraps and not is_boolean:  # one of several integers, by an integer
            tag = self.name()
            tag_node = self.fixed("fixed-length-unsigned-integer", 8, [1, 2])
            options = [node, self.integer(is_signed, small)]
            node = self.choice(options, {"path": [tag]}, lambda: scope["last"][tag][1],
                               [[[0, 1]], [[2, 2], [9, 2 ** 64 - 1]]])
            scope["members"].append((tag, tag_node))
        scope["members"].append((name, node))
        path = [None] * depth + [name]
        made = {"path": path}
        if self.dice.random() < 0.5:
            made = {"origin": scopes[0]["origin"],
                    "path": [around["name"] for around in scopes[1:len(scopes) - depth]] + [name]}
        elif isinstance(scope["members"][0][1], Structured):  # in and out again
            made["path"] = [None] * depth + [scope["members"][0][0], None, name]
        return made, lambda: scope["last"][name][1]

    def choice(self, options, location, selector, ranges, is_optional=False):
        if is_optional:
            made = {"type": "optional", "field-class": options[0].field_class,
                    "selector-field-location": location}
            if ranges:
                made["selector-field-ranges"] = ranges[0]
        else:
            made = {"type": "variant", "selector-field-location": location, "options": [
                {"name": "o%d" % i, "field-class": option.field_class,
                 "selector-field-ranges": ranges[i]} for i, option in enumerate(options)]}

        def write():
            value = selector()
            for i, option in enumerate(options):
                if in_ranges(value, ranges[i] if ranges else [[1, 2 ** 64]]):
                    return option.write()
            return None
        return Node(made, 1, write)

    def field(self, scopes, depth):
        dice = self.dice
        kind = dice.randrange(12 if depth > 0 else 6)
        if kind < 4:
            return self.scalar()
        step = 4 if kind == 4 else 1  # a string has whole characters
        length = dice.randrange(4) * step
        location = None
        if dice.random() < 0.6:
            location = self.location(scopes, [i * step for i in range(4)])
        if kind == 4:
            return self.text(length, location)
        if kind == 5:
            return self.blob(length, location)
        if kind < 8:
            name = scopes[-1]["next"]
            element = self.structure(scopes, depth - 1, name) if dice.random() < 0.5 \
                else self.scalar()
            return self.array(element, length, location)
        if kind == 8:
            return self.structure(scopes, depth - 1, scopes[-1]["next"])
        is_signed = dice.random() < 0.5
        numbers = [-3, -1, 0, 5, 7] if is_signed else [0, 1, 5, 7, 9]
        if kind == 9 and dice.random() < 0.5:
            location = self.location(scopes, None, is_boolean=True)
            return self.choice([self.field(scopes, 0)], *location, None, True)
        location = self.location(scopes, numbers, is_signed)
        if kind == 9:
            return self.choice([self.field(scopes, 0)], *location, [[[-3, 1], [7, 7]]]
                               if is_signed else [[[0, 1], [7, 2 ** 64 - 1]]], True)
        return self.choice([self.scalar(), self.field(scopes, 0)], *location,
                           [[[-3, 0]], [[1, 2 ** 63 - 1]]] if is_signed else
                           [[[0, 1], [7, 7]], [[2, 6], [8, 2 ** 64 - 1]]])

    def structure(self, scopes, depth, name=None, origin=None, count=None):
        scope = {"members": [], "last": None, "origin": origin, "name": name, "next": None}
        for _ in range(self.dice.randint(0, 4) if count is None else count):
            scope["next"] = self.name()
            node = self.field(scopes + [scope], depth)
            scope["members"].append((scope["next"], node))
        return Structured(self, scope)

    def alias(self, node, fragments):
        """Names the class of a node, at times."""
        if self.dice.random() < 0.5:
            return node.field_class
        name = self.name()
        fragments.append({"type": "field-class-alias", "name": name,
                          "field-class": node.field_class})
        if self.dice.random() < 0.3:
            fragments.append({"type": "field-class-alias", "name": name + "'",
                              "field-class": name})
            name += "'"
        return name


class Structured(Node):
    def __init__(self, maker, scope):
        members = [{"name": name, "field-class": node.field_class}
                   for name, node in scope["members"]]
        made = {"type": "structure", "member-classes": members}
        least = maker.dice.choice([1, 1, 1, 8, 32])
        if least > 1:
            made["minimum-alignment"] = least
        self.maker, self.scope = maker, scope
        alignment = max([least] + [node.alignment for _, node in scope["members"]])
        super().__init__(maker.attributes(made), alignment, self.write_all)

    def write_all(self):
        self.maker.bits.align(self.alignment)
        values = self.scope["last"] = {}
        for name, node in self.scope["members"]:
            values[name] = node.write()
        return values


def write(seed, folder):
    maker = Maker(seed)
    dice = maker.dice
    os.makedirs(folder, exist_ok=True)
    uuid = list(dice.randbytes(16))
    role = {"length": 64, "byte-order": "little-endian", "alignment": 8}
    unsigned = "fixed-length-unsigned-integer"

    def member(name, *roles, **more):
        return {"name": name, "field-class": dict(role, type=unsigned, roles=list(roles), **more)}
    preamble = {"type": "preamble", "version": 2, "uuid": uuid, "extensions": {"my.tracer": {}}}
    trace = {"type": "trace-class", "namespace": "n", "name": "t", "uid": "1",
             "environment": {"hostname": "h", "number": -3},
             "packet-header-field-class": {"type": "structure", "member-classes": [
                 member("the magic!", "packet-magic-number", length=32),
                 {"name": "the UUID", "field-class": {
                     "type": "static-length-blob", "length": 16,
                     "roles": ["metadata-stream-uuid"]}},
                 member("class", "data-stream-class-id", length=8)]}}
    clock = {"type": "clock-class", "id": "c", "name": "x", "frequency": 10 ** 9,
             "origin": "unix-epoch", "offset-from-origin": {"seconds": 5, "cycles": 7}}
    header = {"type": "structure", "minimum-alignment": 8, "member-classes": [
        member("id", "event-record-class-id", length=5, alignment=1),
        {"name": "v", "field-class": {
            "type": "variant", "selector-field-location": {"path": ["id"]}, "options": [
                {"selector-field-ranges": [[0, 30]], "field-class": {
                    "type": "structure", "member-classes": [
                        member("t", "default-clock-timestamp", length=27, alignment=1)]}},
                {"selector-field-ranges": [[31, 31]], "field-class": {
                    "type": "structure", "member-classes": [
                        member("id", "event-record-class-id", length=32),
                        {"name": "t", "field-class": {
                            "type": "variable-length-unsigned-integer",
                            "roles": ["default-clock-timestamp"]}}]}}]}}]}
    fragments = [preamble, clock, trace]
    common = maker.structure([], 1, origin="event-record-common-context")
    stream = {"type": "data-stream-class", "id": 3, "default-clock-class-id": "c",
              "packet-context-field-class": {"type": "structure", "member-classes": [
                  member("a", "packet-total-length"), member("b", "packet-content-length"),
                  member("from", "default-clock-timestamp"),
                  member("to", "packet-end-default-clock-timestamp")]},
              "event-record-header-field-class": header,
              "event-record-common-context-field-class": maker.alias(common, fragments)}
    fragments.append(stream)
    events = []
    for number in (0, 7, 30, 31, 600):
        specific = maker.structure([], 1, origin="event-record-specific-context")
        payload = maker.structure([], 3, origin="event-record-payload", count=dice.randint(1, 6))
        event = {"type": "event-record-class", "id": number, "data-stream-class-id": 3,
                 "namespace": "ns", "name": "event %d" % number}
        event["specific-context-field-class"] = maker.alias(specific, fragments)
        event["payload-field-class"] = maker.alias(payload, fragments)
        fragments.append(event)
        events.append((number, event["name"], specific, payload))
    with open(os.path.join(folder, "metadata"), "w", encoding="utf-8") as file:
        for fragment in fragments:
            file.write("\x1e" + json.dumps(fragment, ensure_ascii=dice.random() < 0.5) + "\n")
    time, told = dice.getrandbits(40), []
    with open(os.path.join(folder, "stream"), "wb") as file:
        for _ in range(3):
            begin = time
            bits = maker.bits = Bits()
            bits.put_bytes(struct.pack("<I", 0xC1FC1FC1) + bytes(uuid) + b"\x03")
            bits.put_bytes(bytes(32))
            for _ in range(dice.randint(1, 12)):
                number, name, specific, payload = dice.choice(events)
                time += dice.randint(1, 10 ** 7)
                bits.align(8)
                bits.put(5, "little-endian", natural("little-endian"), min(number, 31))
                if number < 31:
                    bits.put(27, "little-endian", natural("little-endian"), time % 2 ** 27)
                else:
                    bits.put_bytes(struct.pack("<I", number))
                    maker.variable(False, [time]).write()
                values = dict(common.write())
                values.update(specific.write())
                values.update(payload.write())
                told.append([time, name, {key: show(value) for key, value in values.items()
                                          if value is not None}])
            content = bits.at
            bits.align(8)
            size = len(bits.bytes) + dice.randint(0, 9)
            bits.bytes += bytes(size - len(bits.bytes))
            struct.pack_into("<QQQQ", bits.bytes, 21, size * 8, content, begin, time)
            file.write(bits.bytes)
    return told


if __name__ == "__main__":
    for event in write(int(sys.argv[1]), sys.argv[2]):
        print(json.dumps(event, sort_keys=True, ensure_ascii=False))
