"""Writes a line of text as a placeable Windows metafile, the preview of an old equation."""

import struct

UNITS_PER_INCH = 1440
LETTER = 110
HEIGHT = 320


def record(function, words):
    return struct.pack("<IH", 3 + len(words) // 2, function) + words


def shorts(*values):
    return struct.pack(f"<{len(values)}h", *values)


def encode(text):
    """The bytes of the metafile."""
    width = LETTER * len(text) + 80
    raw = text.encode("ascii")
    font = shorts(-220, 0, 0, 0, 400) + bytes(8) + b"Times New Roman\0"
    records = [
        record(0x020B, shorts(0, 0)),
        record(0x020C, shorts(HEIGHT, width)),
        record(0x0102, shorts(1)),
        record(0x012E, shorts(24)),
        record(0x02FB, font),
        record(0x012D, shorts(0)),
        record(0x0521, shorts(len(raw)) + raw + b"\0" * (len(raw) % 2) + shorts(230, 40)),
        record(0, b""),
    ]
    body = b"".join(records)
    longest = max(map(len, records)) // 2
    head = struct.pack("<HHHIHIH", 1, 9, 0x0300, 9 + len(body) // 2, 1, longest, 0)
    return placeable(width) + head + body


def placeable(width):
    fields = struct.pack("<IHhhhhHI", 0x9AC6CDD7, 0, 0, 0, width, HEIGHT, UNITS_PER_INCH, 0)
    checksum = 0
    for (word,) in struct.iter_unpack("<H", fields):
        checksum ^= word
    return fields + struct.pack("<H", checksum)
