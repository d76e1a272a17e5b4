"""Writes a picture as a black and white PNG, with letters of three by five dots.

The image data is stored, not compressed, so that the bytes do not depend on the zlib at hand.
"""

import struct
import zlib

# Five rows of three dots, one octal digit each, top to bottom.
GLYPHS = {
    "A": "25755", "B": "65656", "C": "34443", "D": "65556", "E": "74647", "F": "74644",
    "G": "34553", "H": "55755", "I": "72227", "J": "11152", "K": "55655", "L": "44447",
    "M": "57755", "N": "75555", "O": "25552", "P": "65644", "Q": "25563", "R": "65655",
    "S": "34216", "T": "72222", "U": "55557", "V": "55552", "W": "55775", "X": "55255",
    "Y": "55222", "Z": "71247", "0": "75557", "1": "26227", "2": "71747", "3": "71317",
    "4": "55711", "5": "74717", "6": "74757", "7": "71122", "8": "75757", "9": "75717",
    ".": "00002", ",": "00024", ":": "02020", "-": "00700", "(": "12221", ")": "42224",
    "/": "11244", "_": "00007", "=": "07070", "+": "02720", " ": "00000", "'": "22000",
}
SCALE = 2
MARGIN = 1


class Canvas:
    """A grid of dots, 1 = white."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        self.rows = [bytearray(b"\1" * width) for _ in range(height)]

    def dot(self, x, y):
        if 0 <= x < self.width and 0 <= y < self.height:
            self.rows[y][x] = 0

    def line(self, x1, y1, x2, y2):
        steps = max(abs(x2 - x1), abs(y2 - y1), 1)
        for i in range(steps + 1):
            self.dot(x1 + (x2 - x1) * i // steps, y1 + (y2 - y1) * i // steps)

    def text(self, x, y, label):
        """Text centred on `x` with its base line at `y`."""
        cell = (3 + MARGIN) * SCALE
        left, top = x - cell * len(label) // 2, y - 5 * SCALE
        for index, character in enumerate(label.upper()):
            self.glyph(left + index * cell, top, GLYPHS.get(character, "77777"))

    def glyph(self, left, top, rows):
        for row, octal in enumerate(rows):
            for column in range(3):
                if int(octal) >> (2 - column) & 1:
                    self.block(left + column * SCALE, top + row * SCALE)

    def block(self, left, top):
        for dy in range(SCALE):
            for dx in range(SCALE):
                self.dot(left + dx, top + dy)

    def packed(self):
        """Scan lines of one bit per dot, each behind its filter byte."""
        out = bytearray()
        for row in self.rows:
            bits = "".join(map(str, row)).ljust(-(-self.width // 8) * 8, "0")
            out.append(0)
            out += int(bits, 2).to_bytes(len(bits) // 8, "big")
        return bytes(out)


def encode(picture):
    """The bytes of the PNG."""
    canvas = Canvas(picture.width, picture.height)
    for x, y, width, height in picture.boxes:
        right, bottom = x + width, y + height
        for line in ((x, y, right, y), (x, bottom, right, bottom),
                     (x, y, x, bottom), (right, y, right, bottom)):
            canvas.line(*line)
    for line in picture.lines:
        canvas.line(*line)
    for tip, left, right in picture.heads:
        canvas.line(*tip, *left)
        canvas.line(*tip, *right)
    for item in picture.texts:
        canvas.text(*item)
    size = struct.pack(">IIBBBBB", picture.width, picture.height, 1, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size)
            + chunk(b"IDAT", stored(canvas.packed())) + chunk(b"IEND", b""))


def chunk(name, data):
    body = name + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def stored(data):
    """A zlib stream of stored blocks."""
    out = bytearray(b"\x78\x01")
    for at in range(0, len(data), 65535):
        piece = data[at : at + 65535]
        last = at + 65535 >= len(data)
        out += struct.pack("<BHH", last, len(piece), len(piece) ^ 0xFFFF) + piece
    return bytes(out) + struct.pack(">I", zlib.adler32(data))
