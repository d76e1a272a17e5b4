"""Writes a picture as an enhanced metafile: boxes, lines, arrow heads and text with spacing."""

import struct

# A device of 1024 x 768 pixels on 320 x 240 mm: 31.25 hundredths of a millimetre each.
DEVICE = (1024, 768, 320, 240)
FRAME_UNIT = 31.25
FONT_HEIGHT = 14
# Pen, two brushes and font, and the one that is never used.
HANDLES = 5
NARROW = set("iljtfIr.,:;'()|-/ ")
STOCK_NULL_BRUSH = 0x80000005


def record(kind, body):
    body += b"\0" * (-len(body) % 4)
    return struct.pack("<II", kind, 8 + len(body)) + body


def ints(*values):
    return struct.pack(f"<{len(values)}i", *values)


def advance(character):
    if character in NARROW:
        return 4
    return 9 if character.isupper() or character == "m" else 8


def encode(picture):
    """The bytes of the metafile."""
    records = [*setup(), *shapes(picture), record(14, ints(0, 16, 20))]
    size = 108 + sum(map(len, records))
    return header(picture, size, len(records) + 1) + b"".join(records)


def header(picture, size, count):
    right, bottom = picture.width - 1, picture.height - 1
    frame = [round(v * FRAME_UNIT) for v in (0, 0, picture.width, picture.height)]
    body = ints(0, 0, right, bottom, *frame)
    body += struct.pack("<IIIIHHIII", 0x464D4520, 0x10000, size, count, HANDLES, 0, 0, 0, 0)
    body += ints(*DEVICE) + struct.pack("<III", 0, 0, 0) + ints(DEVICE[2] * 1000, DEVICE[3] * 1000)
    return struct.pack("<II", 1, 108) + body


def setup():
    face = "Arial".encode("utf-16-le").ljust(64, b"\0")
    font = ints(-FONT_HEIGHT, 0, 0, 0, 400) + bytes(8) + face
    extended = font.ljust(320, b"\0")
    return [
        record(18, ints(1)),
        record(38, ints(1, 0, 1, 0, 0)),
        record(37, ints(1)),
        record(39, struct.pack("<IIII", 2, 0, 0xF5EFE6, 0)),
        record(39, struct.pack("<IIII", 3, 0, 0, 0)),
        record(82, ints(4) + extended),
        record(37, ints(4)),
        record(22, ints(6 | 24)),
        record(24, ints(0)),
    ]


def shapes(picture):
    out = [record(37, ints(2))]
    for x, y, width, height in picture.boxes:
        out.append(record(43, ints(x, y, x + width, y + height)))
    for x1, y1, x2, y2 in picture.lines:
        out += [record(27, ints(x1, y1)), record(54, ints(x2, y2))]
    out.append(record(37, ints(3)))
    out += [head(points) for points in picture.heads]
    out += [text(*item) for item in picture.texts]
    out.append(record(37, struct.pack("<I", STOCK_NULL_BRUSH)))
    return out


def head(points):
    """A filled triangle (POLYGON16)."""
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    flat = [v for point in points for v in point]
    body = ints(min(xs), min(ys), max(xs), max(ys), len(points))
    return record(86, body + struct.pack(f"<{len(flat)}h", *flat))


def text(x, y, label):
    """A line of text centred on its base line (EXTTEXTOUTW)."""
    raw = label.encode("utf-16-le")
    padded = raw + b"\0" * (-len(raw) % 4)
    spacing = [advance(c) for c in label]
    bounds = ints(x - sum(spacing) // 2, y - FONT_HEIGHT, x + sum(spacing) // 2, y + 3)
    scale = struct.pack("<Iff", 1, FRAME_UNIT, FRAME_UNIT)
    place = ints(x, y, len(label), 76, 0, 0, 0, -1, -1, 76 + len(padded))
    return record(84, bounds + scale + place + padded + ints(*spacing))
