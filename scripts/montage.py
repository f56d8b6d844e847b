#!/usr/bin/env python3
"""Puts pictures of one size side by side, some as grey or as colour-blind people see them.

    scripts/montage.py OUT.png COLUMNS PICTURE.png[:grey|:deuteranope|:protanope]...

Needs nothing but Python. Pictures are PNGs of 8 bits as ocelotl-cli writes them.
"""
import struct
import sys
import zlib

# What linear red, green and blue become (Viénot, Brettel and Mollon 1999; grey: its luminance).
SIGHTS = {"grey": [(.2126, .7152, .0722)] * 3,
          "deuteranope": [(.29275, .70725, 0), (.29275, .70725, 0), (-.02234, .02234, 1)],
          "protanope": [(.11238, .88762, 0), (.11238, .88762, 0), (.00401, -.00401, 1)]}


def predict(kind, left, up, corner):
    """The prediction of the PNG specification."""
    if kind < 4:
        return (0, left, up, (left + up) // 2)[kind]
    near = [abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)]
    return (left, up, corner)[near.index(min(near))]


def read(path):
    """Rows of red, green and blue."""
    with open(path, "rb") as file:
        data = file.read()
    place, packed = 8, b""
    while place < len(data):
        size, kind = struct.unpack(">I4s", data[place:place + 8])
        body = data[place + 8:place + 8 + size]
        place += size + 12
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
    assert depth == 8 and colour in (2, 6), f"{path}: expected 8 bits of colours"
    step = 3 if colour == 2 else 4
    raw, line, rows = zlib.decompress(packed), bytes(width * step), []
    for y in range(height):
        begin = y * (width * step + 1)
        kind, row = raw[begin], bytearray(raw[begin + 1:begin + 1 + width * step])
        for i in range(len(row) if kind else 0):
            left, corner = (row[i - step], line[i - step]) if i >= step else (0, 0)
            row[i] = (row[i] + predict(kind, left, line[i], corner)) & 255
        line = row
        rows.append(bytes(row) if step == 3 else
                    bytes(b for i in range(0, len(row), 4) for b in row[i:i + 3]))
    return rows


def see(rows, sight):
    """The same as somebody sees it who lacks cones, or in grey."""
    linear = [(v / 255 / 12.92 if v <= 10 else ((v / 255 + .055) / 1.055) ** 2.4)
              for v in range(256)]
    known = {}

    def change(pixel):
        light = [sum(m * linear[v] for m, v in zip(line, pixel)) for line in SIGHTS[sight]]
        return bytes(round(255 * (12.92 * x if x <= .0031308 else 1.055 * x ** (1 / 2.4) - .055))
                     for x in (min(1, max(0, x)) for x in light))

    def look_up(pixel):
        if pixel not in known:
            known[pixel] = change(pixel)
        return known[pixel]
    return [b"".join(look_up(row[i:i + 3]) for i in range(0, len(row), 3)) for row in rows]


def write(path, rows):
    def chunk(kind, body):
        return (struct.pack(">I", len(body)) + kind + body +
                struct.pack(">I", zlib.crc32(kind + body)))
    head = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    packed = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", packed) +
                   chunk(b"IEND", b""))


def main(out, columns, names):
    pictures = []
    for name in names:
        path, _, sight = name.partition(":")
        rows = read(path)
        pictures.append(see(rows, sight) if sight else rows)
    lines = []
    for first in range(0, len(pictures), columns):
        beside = pictures[first:first + columns]
        lines += [b"".join(row) for row in zip(*beside)]
    write(out, lines)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
