"""Seeds of pictures: metafiles with every kind of record, SVG, bitmaps of every format."""

import gzip
import struct
import zlib

from sample import emf, pictures, png, wmf

SHAPES = ["box 5 5 60 20 gNB/UE", "line 5 40 90 40", "arrow 10 50 80 70 AMF", "text 50 75 words"]
# Records of EMF that are played ([MS-EMF] 2.1.1), and of WMF ([MS-WMF] 2.1.1.1).
EMF_KINDS = [*range(2, 14), *range(15, 69), 71, 74, *range(75, 99), 108, 114, 116, 118]
WMF_KINDS = [
    0x001E, 0x00F7, 0x0102, 0x0103, 0x0104, 0x0106, 0x0127, 0x012C, 0x012D, 0x012E, 0x0142, 0x01F0, 0x01F9, 0x0201, 0x0209,
    0x020B, 0x020C, 0x020D, 0x020E, 0x020F, 0x0211, 0x0213, 0x0214, 0x02FA, 0x02FB, 0x02FC, 0x0324, 0x0325, 0x0410, 0x0412,
    0x0415, 0x0416, 0x0418, 0x041B, 0x041F, 0x0521, 0x0538, 0x061C, 0x061D, 0x06FF, 0x0817, 0x081A, 0x0830, 0x0940, 0x0A32,
    0x0B41, 0x0D33, 0x0F43, 0x0626,
]
PLUS_KINDS = [*range(0x4001, 0x403B)]


def seeds():
    drawing = pictures.read("emf 100x80", SHAPES)
    chart = pictures.read("emf", ["actors A; B", "msg A > B hi", "note A wait"])
    yield "emf", [emf.encode(drawing), emf.encode(chart), *emf_records(), *emf_bitmaps()]
    yield "wmf", [wmf.encode("E = mc"), *wmf_records()]
    yield "emf_plus", [*plus_records(), plus_drawing()]
    yield "svg", [*SVGS, *map(lambda svg: gzip.compress(svg, mtime=0), SVGS)]
    yield "bitmap", [png.encode(drawing), *bitmaps()]


def dictionaries():
    words = set()
    for svg in SVGS:
        words.update(svg.decode().replace("<", " <").replace(">", "> ").replace('"', '" ').split())
    yield "svg", [*(word for word in words if len(word) < 40), *SVG_WORDS]


def emf_file(records):
    """Records behind a header that says 100 by 80 pixels."""
    records = [*records, emf.record(14, emf.ints(0, 16, 20))]
    drawing = pictures.Picture(100, 80)
    return emf.header(drawing, 108 + sum(map(len, records)), len(records) + 1) + b"".join(records)


def emf_records():
    """Each kind once, with numbers that are small, behind objects that can be selected; a path around some."""
    body = emf.ints(1, 2, 60, 50, 3, 3, 30, 4, 20, 5, 1, 1, 8, 8, 60, 60, 7, 7, 40, 3, 2, 1, 0, 0, 40, 40, 0, 0, 0, 0)
    setup = emf.setup()
    for at in range(0, len(EMF_KINDS), 12):
        kinds = EMF_KINDS[at : at + 12]
        yield emf_file([*setup, *(emf.record(kind, body) for kind in kinds)])
    path = [emf.record(59, b""), emf.record(27, emf.ints(5, 5)), emf.record(54, emf.ints(50, 9)),
            emf.record(88, emf.ints(0, 0, 50, 50, 3) + struct.pack("<6h", 1, 40, 30, 20, 9, 9)), emf.record(61, b""),
            emf.record(60, b"")]
    for last in (62, 63, 64, 67):
        yield emf_file([*setup, *path, emf.record(last, emf.ints(1, 1, 60, 60))])


def emf_bitmaps():
    """Records with a bitmap of each depth, copied, stretched, blended, and as a brush."""
    for bits in (1, 4, 8, 16, 24, 32):
        dib = dib_of(bits)
        info = len(dib) - 4 * 4 * 4
        box = emf.ints(0, 0, 60, 60, 5, 5, 50, 50)
        matrix = struct.pack("<6f", 1, 0, 0, 1, 0, 0)
        sizes = lambda at: emf.ints(at, info, at + info, 64)  # noqa: E731
        blit = box + emf.ints(0x00CC0020, 0, 0) + matrix + emf.ints(0, 0)
        stretch = emf.ints(0, 0, 60, 60, 5, 5, 0, 0, 4, 4)
        records = [
            emf.record(76, blit + sizes(100) + dib),
            emf.record(77, blit + sizes(108) + emf.ints(4, 4) + dib),
            emf.record(114, box + emf.ints(0x01FF0000, 0, 0) + matrix + emf.ints(0, 0) + sizes(108) + emf.ints(4, 4) + dib),
            emf.record(81, stretch + sizes(80) + emf.ints(0, 0x00CC0020, 50, 50) + dib),
            emf.record(80, stretch + sizes(76) + emf.ints(0, 0, 4) + dib),
            emf.record(94, emf.ints(3, 0) + sizes(32) + dib), emf.record(37, emf.ints(3)),
            emf.record(43, emf.ints(5, 5, 70, 70)),
        ]
        yield emf_file(records)


def dib_of(bits):
    """A bitmap of four by four, with its header of 40 bytes and its colours; rows of 16 bytes."""
    colors = b"".join(struct.pack("<I", 0x00112233 * at & 0xFFFFFF) for at in range(1 << bits)) if bits <= 8 else b""
    width = {1: 128, 4: 32, 8: 16, 16: 8, 24: 5, 32: 4}[bits]
    head = struct.pack("<IiiHHIIiiII", 40, width, 4, 1, bits, 0, 64, 0, 0, 0, 0)
    return head + colors + bytes(range(3, 255, 4))[:63] + b"\1"


def wmf_file(records):
    records = [wmf.record(0x020B, wmf.shorts(0, 0)), wmf.record(0x020C, wmf.shorts(100, 200)), *records, wmf.record(0, b"")]
    body = b"".join(records)
    longest = max(map(len, records)) // 2
    head = struct.pack("<HHHIHIH", 1, 9, 0x0300, 9 + len(body) // 2, 9, longest, 0)
    return wmf.placeable(200) + head + body


def wmf_records():
    body = wmf.shorts(2, 3, 40, 60, 5, 6, 70, 8, 9, 10, 11, 12, 1, 2, 3, 4)
    objects = [wmf.record(0x02FA, wmf.shorts(0, 1, 0, 255, 0)), wmf.record(0x02FC, wmf.shorts(0, 255, 0, 0)),
               wmf.record(0x02FB, wmf.shorts(-20, 0, 0, 0, 400) + bytes(8) + b"Arial\0"),
               *(wmf.record(0x012D, wmf.shorts(at)) for at in range(3))]
    for at in range(0, len(WMF_KINDS), 10):
        yield wmf_file([*objects, *(wmf.record(kind, body) for kind in WMF_KINDS[at : at + 10])])
    for bits in (1, 4, 8, 24):
        dib = dib_of(bits)
        yield wmf_file([
            wmf.record(0x0940, struct.pack("<I", 0x00CC0020) + wmf.shorts(0, 0, 40, 40, 5, 5) + dib),
            wmf.record(0x0B41, struct.pack("<I", 0x00CC0020) + wmf.shorts(4, 4, 0, 0, 40, 40, 5, 5) + dib),
            wmf.record(0x0F43, struct.pack("<IH", 0x00CC0020, 0) + wmf.shorts(4, 4, 0, 0, 40, 40, 5, 5) + dib),
            wmf.record(0x0142, wmf.shorts(3, 0) + dib), wmf.record(0x012D, wmf.shorts(0)),
            wmf.record(0x061D, struct.pack("<I", 0x00F00021) + wmf.shorts(40, 40, 2, 2)),
            wmf.record(0x0324, wmf.shorts(3, 1, 1, 40, 40, 1, 40)),
            wmf.record(0x0538, wmf.shorts(2, 3, 3, 1, 1, 40, 40, 1, 40, 2, 2, 50, 50, 2, 50)),
        ])


def plus_record(kind, flags, data):
    data += b"\0" * (-len(data) % 4)
    return struct.pack("<HHII", kind, flags, 12 + len(data), len(data)) + data


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


PLUS_HEADER = plus_record(0x4001, 0, emf.ints(0, 0, 96, 96))


def plus_objects():
    """An object of each type: brushes, pens, a path, regions, images, a font, a format, attributes."""
    version = struct.pack("<I", 0xDBC01002)
    solid = version + emf.ints(0, -65536)
    hatch = version + emf.ints(1, 3, -1, -16777216)
    linear = version + emf.ints(4, 0, 0) + floats(0, 0, 50, 50) + emf.ints(-1, -65536, 0, 0)
    texture = version + emf.ints(2, 0, 0) + plus_bitmap(version)
    radial = version + emf.ints(3, 0, 0, -65536) + floats(25, 25) + emf.ints(1, -1, 4) + floats(0, 0, 50, 0, 50, 50, 0, 50)
    pen = version + emf.ints(0, 0x7F, 0) + floats(2) + emf.ints(1, 1, 0) + floats(4) + emf.ints(1, 0) + floats(1) + solid
    path = version + emf.ints(4, 0) + floats(5, 5, 60, 9, 40, 60, 9, 30) + bytes([0, 1, 1, 0x81])
    curves = version + emf.ints(4, 0x4000) + struct.pack("<8h", 1, 1, 9, 30, 40, 50, 60, 2) + bytes([0, 3, 3, 0x83])
    region = version + emf.ints(1, 1) + emf.ints(0x10000000) + floats(1, 1, 50, 50) + emf.ints(0x10000002)
    font = version + floats(20) + emf.ints(2, 0, 0, 5) + "Arial".encode("utf-16-le") + b"\0\0"
    text_format = version + emf.ints(0, 0, 1, 1, 0, 0) + floats(0, 0, 0, 0, 0, 1) + emf.ints(0, 0, 0)
    attributes = version + emf.ints(0, 0, -1, 0, 0)
    return [(0x100, solid), (0x100, hatch), (0x100, linear), (0x100, texture), (0x100, radial), (0x200, pen), (0x300, path),
            (0x300, curves), (0x400, region), (0x500, plus_bitmap(version)), (0x500, version + emf.ints(1, 4, 4, 0, 0, 1)
             + png.encode(pictures.Picture(8, 8))), (0x600, font), (0x700, text_format), (0x800, attributes)]


def plus_bitmap(version):
    return version + emf.ints(1, 4, 4, 16, 0x26200A, 0) + bytes(range(64))


def plus_records():
    """Each kind once, behind an object of each type."""
    objects = [plus_record(0x4008, kind | at, data) for at, (kind, data) in enumerate(plus_objects())]
    body = emf.ints(-65536, 2) + floats(5, 5, 60, 50, 40, 10, 9, 9) + emf.ints(1, 2, 3, 4) + "abcd".encode("utf-16-le")
    for at in range(0, len(PLUS_KINDS), 6):
        for flags in (0, 0x8001, 0x4001):
            kinds = (plus_record(kind, flags, body) for kind in PLUS_KINDS[at : at + 6])
            yield PLUS_HEADER + b"".join([*objects, *kinds])
    for at in range(len(objects)):
        used = [plus_record(0x400A, 0, emf.ints(at, 1) + floats(5, 5, 60, 50)),
                plus_record(0x4014, at, emf.ints(at)), plus_record(0x4015, at, emf.ints(5)),
                plus_record(0x4034, at, b""), plus_record(0x4033, at, b""),
                plus_record(0x401A, at, emf.ints(13, 2) + floats(0, 0, 4, 4) + floats(5, 5, 60, 60)),
                plus_record(0x401C, at, emf.ints(0, 12, 3) + floats(5, 5, 60, 30) + "gNB".encode("utf-16-le"))]
        yield PLUS_HEADER + b"".join([objects[at], *used])


def plus_drawing():
    """A box under a transformation, and a word by it."""
    font = dict(plus_objects())[0x600]
    return PLUS_HEADER + b"".join([
        plus_record(0x402A, 0, floats(2, 0, 0, 2, 0, 0)),
        plus_record(0x400A, 0x8000, struct.pack("<II", 0xFF0000FF, 1) + floats(10, 10, 40, 20)),
        plus_record(0x402B, 0, b""), plus_record(0x4008, 0x0601, font),
        plus_record(0x401C, 0x8001, struct.pack("<III", 0xFF000000, 0xFF, 3) + floats(120, 10, 70, 30) + "gNB".encode("utf-16-le")),
        plus_record(0x4004, 0, b""), plus_record(0x4002, 0, b""),
    ])


SVGS = [
    b'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="60" viewBox="0 0 100 60"><rect x="5" y="5" width="60" height="20" '
    b'fill="#ff0000" stroke="blue" stroke-width="2" rx="3"/><path d="M5 40L90 40C1 2 3 4 5 6Z" stroke-dasharray="2 3"/><text x="10" '
    b'y="50" font-size="12" transform="rotate(10)">words<tspan dx="3">more</tspan></text></svg>',
    b'<?xml version="1.0"?><!-- x --><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="2cm" '
    b'height="50%"><defs><linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="1" stop-opacity=".5"/></linearGradient>'
    b'<clipPath id="c"><circle cx="9" cy="9" r="8"/></clipPath><symbol id="s"><polygon points="0,0 9,0 9,9"/></symbol><mask id="m">'
    b'<ellipse cx="9" cy="9" rx="8" ry="4" fill="#fff"/></mask><pattern id="p" width="4" height="4"><line x2="4" y2="4"/></pattern>'
    b'<filter id="f"><feGaussianBlur stdDeviation="2"/><feOffset dx="1"/></filter><marker id="a"><path d="M0 0h3v3z"/></marker></defs>'
    b'<g clip-path="url(#c)" filter="url(#f)" opacity="0.5"><use xlink:href="#s" x="3"/><rect width="20" height="20" fill="url(#g)"/>'
    b'<rect width="9" height="9" fill="url(#p)" mask="url(#m)"/><polyline points="1 1 9 9" marker-end="url(#a)"/></g><style>.k{fill:red}'
    b'</style><image width="4" height="4" xlink:href="data:image/gif;base64,R0lGODlhAQABAIAAAP8AAP///ywAAAAAAQABAAACAkQBADs="/></svg>',
]
SVG_WORDS = ["preserveAspectRatio", "textPath", "foreignObject", "switch", "feTurbulence", "feImage", "feMorphology", "feColorMatrix",
             "feTile", "numOctaves", "baseFrequency", "radius", "1e38", "-1e9", "url(#", "currentColor", "matrix(", "skewX(", "writing-mode",
             "text-anchor", "letter-spacing", "&#x10FFFF;", "A9 9 0 1 1 9 9", "gradientTransform", "spreadMethod", "patternUnits", "xml:space"]


def bitmaps():
    """One small picture of each format and depth."""
    rows = b"".join(b"\0" + bytes(range(16)) for _ in range(4))
    for color, depth in ((0, 8), (2, 8), (3, 4), (4, 8), (6, 8), (2, 16)):
        palette = png.chunk(b"PLTE", bytes(range(48))) + png.chunk(b"tRNS", b"\1\2")
        channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
        width = 16 * 8 // (depth * channels)
        for interlaced in (0, 1):
            head = png.chunk(b"IHDR", struct.pack(">IIBBBBB", width, 4, depth, color, 0, 0, interlaced))
            yield (b"\x89PNG\r\n\x1a\n" + head + (palette if color == 3 else b"")
                   + png.chunk(b"IDAT", zlib.compress(rows)) + png.chunk(b"IEND", b""))
    for bits in (1, 4, 8, 16, 24, 32):
        dib = dib_of(bits)
        yield struct.pack("<2sIII", b"BM", 14 + len(dib), 0, 14 + len(dib) - 64) + dib
    yield b"GIF89a" + struct.pack("<HHBBB", 4, 4, 0x91, 0, 0) + bytes(range(12)) + b"\x21\xf9\x04\1\0\0\1\0" + b"\x2c" + struct.pack(
        "<HHHHB", 0, 0, 4, 4, 0) + b"\2\5\x84\x8f\xa9\xcb\xed\x0f\0\x3b"
    yield from (tiff(order, compression) for order in "<>" for compression in (1, 5, 32773))
    yield jpeg(1)
    yield jpeg(3)


def tiff(order, compression):
    data = bytes(range(0, 192, 12)) if compression == 1 else b"\x0f" + bytes(range(0, 192, 12))
    tags = [(256, 3, 4), (257, 3, 4), (258, 3, 8), (259, 3, compression), (262, 3, 1), (273, 4, 8), (277, 3, 1), (278, 3, 4),
            (279, 4, len(data))]
    start = 8 + len(data) + len(data) % 2
    out = struct.pack(order + "2sHI", b"II" if order == "<" else b"MM", 42, start) + data.ljust(start - 8, b"\0")
    out += struct.pack(order + "H", len(tags))
    for tag, kind, value in tags:
        out += struct.pack(order + "HHI", tag, kind, 1) + struct.pack(order + ("H2x" if kind == 3 else "I"), value)
    return out + struct.pack(order + "I", 0)


def jpeg(components):
    """Eight by eight pixels of one grey: a table of one code each, and only zeros."""
    segment = lambda mark, data: struct.pack(">BBH", 0xFF, mark, len(data) + 2) + data  # noqa: E731
    table = bytes([1, *[0] * 15, 0])
    ids = range(1, components + 1)
    frame = struct.pack(">BHHB", 8, 8, 8, components) + b"".join(bytes([n, 0x11, 0]) for n in ids)
    scan = bytes([components]) + b"".join(bytes([n, 0]) for n in ids) + b"\0\x3f\0"
    return (b"\xff\xd8" + segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0") + segment(0xDB, b"\0" + b"\1" * 64) + segment(0xC0, frame)
            + segment(0xC4, b"\0" + table) + segment(0xC4, b"\x10" + table) + segment(0xDA, scan) + b"\x03\xff\xd9")
