"""A second reader of CTF 2: `ctf2_reader.py FOLDER` prints its events as lines of JSON, [time,
name, {field: text}], with texts as Ocelotl shows them.

It takes the specification (CTF2-SPEC-2.0, "Data stream decoding procedure") word by word and bit by
bit, and shares nothing with the importer.
"""
import json
import os
import struct
import sys


def natural(byte_order):
    return "first-to-last" if byte_order == "little-endian" else "last-to-first"


def unit(encoding):
    return {"8": 1, "1": 2, "3": 4}[encoding[4]]


def in_ranges(value, ranges):
    return any(low <= value <= high for low, high in ranges)


# --- What a value looks like in Ocelotl

def show_number(field_class, value):
    kind = field_class["type"]
    if kind == "fixed-length-bit-map":
        names = [name for name, ranges in field_class["flags"].items()
                 if any(value >> bit & 1 for low, high in ranges
                        for bit in range(low, min(high, 63) + 1))]
        return "|".join(names) or hex(value)
    if kind == "fixed-length-bit-array":
        return hex(value)
    if kind == "fixed-length-boolean":
        return "true" if value else "false"
    for name, ranges in field_class.get("mappings", {}).items():
        if in_ranges(value, ranges):
            return name
    if field_class.get("preferred-display-base") == 16:
        return hex(value % 2 ** field_class.get("length", 64))
    return str(value)


def show(value):
    if value is None:
        return "none"
    if isinstance(value, float):
        return repr(value)[:-2] if value == int(value) else repr(value)
    if isinstance(value, bytes):
        return "0x" + value.hex() if value else ""
    if isinstance(value, list):
        return "[" + ", ".join(show(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(name + ": " + show(item) for name, item in value.items()) + "}"
    return value if isinstance(value, str) else show_number(*value)


# --- The reader

class Structure(dict):
    def __init__(self, parent):
        super().__init__()
        self.parent = parent


class Reader:
    def __init__(self, folder):
        self.folder, self.streams, self.events = folder, {}, {}
        self.header, self.aliases = None, {}
        with open(os.path.join(folder, "metadata"), encoding="utf-8") as file:
            for text in filter(str.strip, file.read().split("\x1e")):
                self.take(json.loads(text))

    def take(self, fragment):
        kind = fragment["type"]
        if kind == "field-class-alias":
            self.aliases[fragment["name"]] = fragment["field-class"]
        elif kind == "trace-class":
            self.header = fragment.get("packet-header-field-class")
        elif kind == "data-stream-class":
            self.streams[fragment.get("id", 0)] = fragment
        elif kind == "event-record-class":
            key = (fragment.get("data-stream-class-id", 0), fragment.get("id", 0))
            self.events[key] = fragment

    def resolve(self, field_class):
        while isinstance(field_class, str):
            field_class = self.aliases[field_class]
        return field_class

    def alignment(self, field_class):
        field_class = self.resolve(field_class)
        kind = field_class["type"]
        if kind.startswith("fixed-length"):
            return field_class.get("alignment", 1)
        least = field_class.get("minimum-alignment", 1)
        if kind == "structure":
            return max([least] + [self.alignment(member["field-class"])
                                  for member in field_class.get("member-classes", [])])
        if kind.endswith("array"):
            return max(least, self.alignment(field_class["element-field-class"]))
        return 1 if kind in ("optional", "variant") else 8

    def read_bits(self, field_class):
        length, order = field_class["length"], field_class["byte-order"]
        bits = [False] * length
        for i in range(length):
            at = i if field_class.get("bit-order", natural(order)) == "first-to-last" \
                else length - i - 1
            shift = self.at % 8 if order == "little-endian" else 7 - self.at % 8
            bits[at] = self.data[self.begin + self.at // 8] >> shift & 1
            self.at += 1
        return sum(bit << i for i, bit in enumerate(bits))

    def read_bytes(self, length):
        first = self.begin + self.at // 8
        assert first + length <= len(self.data)
        self.at += length * 8
        return self.data[first:first + length]

    def read_variable(self, is_signed):
        value = shift = 0
        more = True
        while more:
            byte = self.read_bytes(1)[0]
            value |= (byte & 127) << shift
            shift += 7
            more = byte >= 128
        self.width = shift
        return value - (1 << shift) if is_signed and value >> (shift - 1) else value

    def locate(self, location, parent):
        if isinstance(location, list):  # of release candidates
            location = {"origin": location[0], "path": location[1:]}
        value = self.roots[location["origin"]] if "origin" in location else parent
        for step in location["path"]:
            value = value.parent if step is None else value[step]
            while isinstance(value, list):
                value = value[-1]
        return value[1]

    def meet(self, field_class, value):
        for role in field_class.get("roles", ()):
            if role == "default-clock-timestamp":
                mask = 2 ** self.width - 1
                self.clock += (value - self.clock) & mask
            self.roles[role] = value

    def read(self, field_class, parent, put):
        field_class = self.resolve(field_class)
        kind = field_class["type"]
        need = self.alignment(field_class)
        self.at = (self.at + need - 1) // need * need
        if kind == "structure":
            made = Structure(parent)
            put(made)
            for member in field_class.get("member-classes", []):
                name = member["name"]
                self.read(member["field-class"], made, lambda value, to=name:
                          made.__setitem__(to, value))
            return
        if kind in ("optional", "variant"):
            value = self.locate(field_class["selector-field-location"], parent)
            options = field_class.get("options", [field_class])
            chosen = [option["field-class"] for option in options
                      if in_ranges(value, option.get("selector-field-ranges", [[1, 2 ** 64]]))]
            if chosen:
                self.read(chosen[0], parent, put)
            else:
                assert kind == "optional"
                put(None)
            return
        length = None
        if "length-field-location" in field_class:
            length = self.locate(field_class["length-field-location"], parent)
        elif not kind.startswith("fixed"):
            length = field_class.get("length")
        if kind.endswith("array") and not kind.startswith("fixed"):
            made = []
            put(made)
            for _ in range(length):
                made.append(None)
                self.read(field_class["element-field-class"], parent,
                          lambda value: made.__setitem__(-1, value))
        elif kind.endswith("string"):
            put(self.read_string(length, field_class.get("encoding", "utf-8")))
        elif kind.endswith("blob"):
            put(self.read_bytes(length))
        elif kind == "fixed-length-floating-point-number":
            size = {16: "e", 32: "f", 64: "d"}[field_class["length"]]
            bits = self.read_bits(field_class).to_bytes(field_class["length"] // 8, "little")
            put(struct.unpack("<" + size, bits)[0])
        else:
            if kind.startswith("variable"):
                value = self.read_variable("-signed-" in kind)
            else:
                value, self.width = self.read_bits(field_class), field_class["length"]
                if "-signed-" in kind and value >> (self.width - 1):
                    value -= 1 << self.width
            self.meet(field_class, value)
            put((field_class, value))

    def read_string(self, length, encoding):
        size = unit(encoding)
        read = b""
        if length is None:
            while not read.endswith(bytes(size)) or len(read) % size:
                read += self.read_bytes(size)
            length = len(read)
        else:
            read = self.read_bytes(length)
        for i in range(0, length, size):
            if read[i:i + size] == bytes(size):
                read = read[:i]
                break
        return read.decode(encoding)

    def read_root(self, root, field_class):
        self.roots[root] = Structure(None)
        if field_class is not None:
            self.read(field_class, None, lambda value: self.roots.__setitem__(root, value))

    def read_packet(self):
        self.at = self.clock = 0
        self.roles, self.roots = {}, {}
        self.read_root("packet-header", self.header)
        assert self.roles.get("packet-magic-number", 0xC1FC1FC1) == 0xC1FC1FC1
        number = self.roles.get("data-stream-class-id", 0)
        stream = self.streams[number]
        self.read_root("packet-context", stream.get("packet-context-field-class"))
        end = (len(self.data) - self.begin) * 8
        size = self.roles.get("packet-total-length", self.roles.get("packet-content-length", end))
        content = self.roles.get("packet-content-length", size)
        while self.at < content:
            self.roles["event-record-class-id"] = 0
            self.read_root("event-record-header", stream.get("event-record-header-field-class"))
            event = self.events[number, self.roles["event-record-class-id"]]
            time = self.clock
            common = "event-record-common-context"
            self.read_root(common, stream.get(common + "-field-class"))
            specific = "event-record-specific-context"
            self.read_root(specific, event.get("specific-context-field-class"))
            self.read_root("event-record-payload", event.get("payload-field-class"))
            fields = {}
            for root in ("event-record-payload", specific, common):
                for name, value in self.roots[root].items():
                    if value is not None:
                        fields[name] = show(value)
            yield [time, event.get("name"), fields]
        self.begin += size // 8

    def read_all(self):
        for name in sorted(os.listdir(self.folder)):
            if name == "metadata":
                continue
            with open(os.path.join(self.folder, name), "rb") as file:
                self.data, self.begin = file.read(), 0
            while self.begin < len(self.data):
                yield from self.read_packet()


if __name__ == "__main__":
    for event in Reader(sys.argv[1]).read_all():
        print(json.dumps(event, sort_keys=True, ensure_ascii=False))
