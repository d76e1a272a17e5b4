"""Hostile archives from a grammar: of each kind of content, sizes, depths and values that no author would choose.

A seed gives the same archives everywhere. Each holds one document, whose identity is its own.
"""

import random
import struct

from . import archive, cfb, emf, specimen

# Largest count that is drawn of anything, so that a file stays small on disk and a run of thousands ends.
LARGEST = 20_000


class Draw:
    """Random choices of one archive."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def count(self, most=LARGEST):
        """Mostly a few, sometimes very many: evenly over the orders of magnitude."""
        return int(most ** self.random.random())

    def one(self, values):
        return self.random.choice(values)

    def chance(self, share):
        return self.random.random() < share

    def word(self):
        letters = self.one(["abcdefgh", "XYZ-_", "\u00e9\u4e2d\U0001f4a5", "0123456789", "&<>'\"", "\u202e\u200b\u00ad"])
        return "".join(self.one(letters) for _ in range(1 + self.count(30)))

    def number(self):
        return self.one([0, 1, -1, 7, 255, 65536, 2**31 - 1, 2**31, 2**32, 2**63, -(2**63), 10**30, self.count()])


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def paragraph(text, style=None):
    style = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{style}<w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'


def code(lines):
    return "".join(paragraph(line, "PL") for line in lines)


def yaml(draw):
    """An OpenAPI file: anchors of anchors, deep nesting, merged keys, tags, long scalars, broken indents."""
    lines = ["openapi: 3.0.0", "info:", f"  title: {draw.word()!r}", "components:", "  schemas:"]
    names = [f"S{n}" for n in range(1 + draw.count(200))]
    for index, name in enumerate(names):
        form = draw.one(["alias", "deep", "flow", "merge", "scalar", "tag", "plain", "broken", "one line"])
        lines.append(f"    {name}: &a{index}" if draw.chance(0.5) else f"    {name}:")
        earlier = [f"*a{draw.random.randrange(index + 1)}" for _ in range(draw.count(40))]
        match form:
            case "alias":
                lines.append("      [" + ", ".join(earlier) + "]")
            case "deep":
                lines += [" " * (6 + 2 * n) + "properties:" for n in range(draw.count(400))]
            case "flow":
                depth = draw.count(3_000)
                lines.append("      " + "[" * depth + "x" + "]" * (depth if draw.chance(0.7) else depth // 2))
            case "merge":
                lines += ["      <<: " + alias for alias in earlier]
            case "scalar":
                lines += ["      description: |", "        " + draw.word() * draw.count(4_000)]
            case "tag":
                lines.append(f"      !!{draw.one(['binary', 'float', 'set', 'python/object:os.system'])} {draw.word()!r}")
            case "plain":
                lines += ["      type: object", "      properties:"]
                for n in range(draw.count(1_000)):
                    lines += [f"        p{n}:", f"          $ref: '#/components/schemas/{draw.one(names)}'"]
            case "broken":
                lines.append("\t" + draw.word() + ": {" + draw.word())
            case "one line":
                inner = ", ".join(f"{draw.word()!r}: {{type: object}}" for _ in range(draw.count(500)))
                lines.append("      {properties: {" + inner + "}}")
    return lines


def asn1(draw):
    """A module: nested types, open brackets, long comments, values out of range, names that are none."""
    lines = [draw.one(["-- ASN1START", "-- /example/ ASN1START", "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN"])]
    for index in range(1 + draw.count(300)):
        name, depth = f"Type{index}", draw.count(300)
        match draw.one(["nested", "open", "choice", "enum", "range", "comment", "set", "garbage", "long"]):
            case "nested":
                inner = "".join(f"a{n} SEQUENCE {{ " for n in range(depth))
                lines.append(f"{name} ::= SEQUENCE {{ {inner} b INTEGER {'} ' * depth} }}")
            case "open":
                lines.append(f"{name} ::= SEQUENCE " + "{ a CHOICE " * depth)
            case "choice":
                lines.append(f"{name} ::= CHOICE {{")
                lines += [f"  c{n} Type{draw.random.randrange(300)}, -- Need {draw.word()}" for n in range(draw.count(2_000))]
                lines.append("}")
            case "enum":
                lines.append(f"{name} ::= ENUMERATED {{ {', '.join(draw.word() for _ in range(draw.count(2_000)))} }}")
            case "range":
                lines.append(f"{name} ::= INTEGER ({draw.number()}..{draw.number()})")
            case "comment":
                lines.append("--" * draw.count(5_000) + draw.word())
            case "set":
                lines.append(f"set{index} SOME-IES ::= {{ {{ ID id-{draw.word()} TYPE {name} }} | ... }}" * draw.count(50))
            case "garbage":
                lines.append("".join(draw.one("{}()[]::=,|\"'-. ") for _ in range(draw.count(3_000))))
            case "long":
                lines.append(f"{name * draw.count(2_000)} ::= NULL")
    return lines + draw.one([["-- ASN1STOP"], ["END"], []])


def tables(draw):
    """Tables of messages, timers and values: wide, deep, merged without end, with spans out of any range."""
    heads = draw.one([
        ["IE/Group Name", "Presence", "Range", "IE type and reference", "Semantics description", "Criticality"],
        ["Timer", "Start", "Stop", "At expiry"],
        ["Attribute name", "Data type", "P", "Cardinality", "Description"],
        ["8", "7", "6", "5", "4", "3", "2", "1", ""],
        ["Date", "Meeting", "TDoc", "CR", "Rev", "Cat", "Subject/Comment", "New version"],
        ["Bits", "Value", "Meaning"],
    ])

    def cell(text):
        properties = ""
        if draw.chance(0.1):
            properties += f'<w:gridSpan w:val="{draw.number()}"/>'
        if draw.chance(0.1):
            properties += draw.one(["<w:vMerge/>", '<w:vMerge w:val="restart"/>', '<w:hMerge w:val="continue"/>'])
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text)}</w:tc>"

    def table(depth):
        rows = [heads] + [
            [draw.one([draw.word(), ">" * draw.count(50) + draw.word(), "M", "O", "1 .. <max>", "T3" + draw.word()])
             for _ in range(draw.one([len(heads), 1, draw.count(300)]))]
            for _ in range(draw.count(200))
        ]
        text = "".join("<w:tr>" + "".join(map(cell, row)) + "</w:tr>" for row in rows)
        if depth:
            text += f"<w:tr><w:tc>{table(depth - 1)}<w:p/></w:tc></w:tr>"
        return f"<w:tbl>{text}</w:tbl>"

    title = draw.one(["Message definition", "Change history", "Timers", "Type: Lamp", "Definitions and abbreviations"])
    return paragraph(f"{draw.count(20)} {title}", draw.one(["Heading1", "Heading2", "Heading8"])) + table(draw.count(12))


def fields(draw):
    """Fields without begin or end, within each other, with instructions of every kind."""
    def character(kind):
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    parts = []
    for _ in range(draw.count(2_000)):
        name = draw.one(["EQ", "SYMBOL", "REF", "SEQ", "PAGEREF", "=", "TOC", "HYPERLINK", "INCLUDETEXT", "DDEAUTO", draw.word()])
        inside = draw.one([f"\\f({draw.word()};{draw.word()})" * draw.count(100), f"{draw.number()} \\f Symbol", "\\* " * draw.count(50)])
        parts.append(character("begin") * draw.count(20))
        parts.append(f'<w:r><w:instrText xml:space="preserve"> {escape(name)} {escape(inside)} </w:instrText></w:r>')
        parts.append(character(draw.one(["separate", "end", "begin", "?"])))
        parts.append(f"<w:r><w:t>{escape(draw.word())}</w:t></w:r>" + character("end") * draw.count(20))
    return "<w:p>" + "".join(parts) + "</w:p>"


def formulas(draw):
    """Formulas within formulas, lists of operands, and text that is taken for LaTeX."""
    def math(depth):
        if depth <= 0:
            return f"<m:r><m:t>{escape(draw.word())}</m:t></m:r>"
        inner = math(depth - 1)
        return draw.one([
            f"<m:rad><m:deg/><m:e>{inner}</m:e></m:rad>",
            f"<m:f><m:num>{inner}</m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>",
            f"<m:sSup><m:e>{inner}</m:e><m:sup/></m:sSup>",
            f'<m:d><m:dPr><m:begChr m:val="{escape(draw.one(["{", "[", "(", "x"]))}"/></m:dPr><m:e>{inner}</m:e></m:d>',
            f"<m:eqArr><m:e>{inner}</m:e><m:e/></m:eqArr>",
        ])

    maths = "".join(f"<m:oMath>{math(draw.count(12))}</m:oMath>" for _ in range(draw.count(300)))
    operands = "".join("<m:mr>" + "<m:e/>" * draw.count(200) + "</m:mr>" for _ in range(draw.count(100)))
    latex = "$" * draw.count(3_000) + "\\frac{" * draw.count(3_000) + "x" + "}" * draw.count(3_000)
    return f"<w:p>{maths}<m:oMath><m:m>{operands}</m:m></m:oMath></w:p>" + paragraph(latex)


def metafile(draw):
    """An EMF whose records lie about their lengths, counts and handles."""
    records = []
    for _ in range(1 + draw.count(3_000)):
        body = b"".join(struct.pack("<q", max(-(2**63), min(2**63 - 1, draw.number())))[:4] for _ in range(draw.count(40)))
        record = bytearray(emf.record(draw.random.randrange(1, 122), body))
        if draw.chance(0.02):
            struct.pack_into("<I", record, 4, draw.one([0, 4, 7, 8, 2**31, 2**32 - 1]))
        records.append(bytes(record))
    size = 108 + sum(map(len, records))
    frame = [max(-(2**31), min(2**31 - 1, draw.number())) for _ in range(8)]
    body = emf.ints(*frame) + struct.pack("<IIIIHHIII", 0x464D4520, 0x10000, size, len(records) + 1, 5, 0, 0, 0, 0)
    body += emf.ints(1920, 1080, draw.one([0, 508, -1]), 286) + struct.pack("<III", 0, 0, 0) + emf.ints(0, 0)
    return struct.pack("<II", 1, draw.one([88, 100, 108, 0, 2**32 - 1])) + body + b"".join(records)


def compound(draw):
    """A compound file whose tables point anywhere."""
    streams = [(name, draw.random.randbytes(draw.count(10_000))) for name in draw.one([["WordDocument"], ["1Table", "Equation Native", "WordDocument"]])]
    data = bytearray(cfb.pack(streams))
    for _ in range(draw.count(200)):
        struct.pack_into("<I", data, 4 * draw.random.randrange(len(data) // 4), draw.one([0, 1, 2**32 - 1, 2**32 - 2, draw.count()]))
    if draw.chance(0.9):
        data[:8] = cfb.MAGIC
    return bytes(data)


def damaged(draw, data):
    """Some bytes of a file changed."""
    data = bytearray(data)
    for _ in range(draw.count(60)):
        data[draw.random.randrange(len(data))] = draw.random.randrange(256)
    return bytes(data)


BODIES = {"tables": tables, "fields": fields, "formulas": formulas}
LISTINGS = {"yaml": yaml, "asn1": asn1}
KINDS = ["yaml", "asn1", "tables", "fields", "formulas", "emf", "ole", "zip", "mixed"]


def document(draw, kind, number):
    """A Word file with content of a kind."""
    if kind in BODIES:
        return specimen.with_body(number, BODIES[kind](draw).encode("utf-8", "replace"))
    if kind in LISTINGS:
        return specimen.with_body(number, code(LISTINGS[kind](draw)).encode("utf-8", "replace"))
    if kind == "emf":
        return specimen.docx(number, lambda parts: parts.update({"word/media/image1.emf": metafile(draw)}))
    if kind == "mixed":
        body = code(yaml(draw)) + tables(draw) + code(asn1(draw)) + fields(draw) + formulas(draw)
        return specimen.with_body(number, body.encode("utf-8", "replace"))
    return specimen.docx(number)


def archive_of(draw, kind, number, stem):
    """An archive with one document."""
    if kind == "ole":
        return archive.pack([(f"{stem}.doc", compound(draw))], specimen.DATE)
    name, data = f"{stem}.docx", document(draw, kind, number)
    if kind == "zip":
        data = damaged(draw, data)
        members = [(name, data)] * (1 + draw.count(3)) + [(draw.one(["../", "/", "a/" * draw.count(200)]) + draw.word(), b"x")]
        whole = archive.pack(members, specimen.DATE)
        return damaged(draw, whole) if draw.chance(0.7) else whole
    members = [(name, data)]
    if kind in ("yaml", "mixed"):
        text = "\n".join(yaml(draw))
        members.append((f"TS{number}_Api.yaml", text.encode("utf-8", "replace")))
    return archive.pack(members, specimen.DATE)


def archives(seed, count):
    """Yields (file name, bytes), each of another version or document."""
    for index in range(count):
        draw = Draw(f"{seed} {index}")
        number, version = f"{index % 900 + 100}", "ijkl"[index // 900 % 4] + "0123456789"[index // 3600 % 10] + "0"
        kind = KINDS[index % len(KINDS)]
        stem = f"99{number}-{version}"
        yield f"{stem}.zip", archive_of(draw, kind, number, stem)
