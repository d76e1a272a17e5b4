"""Writes a compound file with a few streams: version 3, sectors of 512 bytes, no mini stream.

Streams are padded to 4,096 bytes so that none belongs into the mini stream.
"""

import struct

SECTOR = 512
SMALLEST = 4096
END = 0xFFFFFFFE
FREE = 0xFFFFFFFF
FAT = 0xFFFFFFFD
MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")


def pack(streams):
    """A compound file of (name, bytes) pairs; at most three, in the order of their names."""
    padded = [(name, data.ljust(SMALLEST, b"\0")) for name, data in streams]
    padded = [(name, data + b"\0" * (-len(data) % SECTOR)) for name, data in padded]
    fat, starts = [FAT, END], []
    for _, data in padded:
        starts.append(len(fat))
        count = len(data) // SECTOR
        fat += [*range(len(fat) + 1, len(fat) + count), END]
    if len(fat) > SECTOR // 4 or len(padded) > 3:
        raise ValueError("too much for one allocation sector and one directory sector")
    table = struct.pack(f"<{SECTOR // 4}I", *fat, *[FREE] * (SECTOR // 4 - len(fat)))
    directory = entries([(name, start, len(data)) for (name, data), start in zip(padded, starts)])
    return header() + table + directory + b"".join(data for _, data in padded)


def header():
    fields = struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    counts = struct.pack("<IIIIIIIIII", 0, 1, 1, 0, SMALLEST, END, 0, END, 0, 0)
    return (MAGIC + bytes(16) + fields + counts).ljust(SECTOR, b"\xff")


def entries(streams):
    """The directory: the root, then the streams as a chain of right siblings."""
    out = [entry("Root Entry", 5, FREE, 1 if streams else FREE, END, 0)]
    for index, (name, start, size) in enumerate(streams):
        right = index + 2 if index + 1 < len(streams) else FREE
        out.append(entry(name, 2, right, FREE, start, size))
    while len(out) < 4:
        out.append(entry("", 0, FREE, FREE, 0, 0))
    return b"".join(out)


def entry(name, kind, right, child, start, size):
    raw = name.encode("utf-16-le")
    length = len(raw) + 2 if name else 0
    fields = struct.pack("<HBBIII", length, kind, 1, FREE, right, child)
    return raw.ljust(64, b"\0") + fields + bytes(36) + struct.pack("<IQ", start, size)
