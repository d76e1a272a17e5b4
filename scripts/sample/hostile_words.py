"""Word files whose markup or parts are wrong."""

import struct
import zlib

from . import png, specimen


def without(part):
    """A maker of documents that lack a part."""
    def make(number):
        return specimen.docx(number, lambda parts: parts.pop(part))

    return make


def healthy(number):
    return specimen.docx(number)


def entity_bomb(number):
    """Entities that multiply to a thousand million letters."""
    names = [f"e{n}" for n in range(10)]
    lines = ['<!ENTITY e0 "lol">']
    lines += [f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in zip(names, names[1:])]
    doctype = f"<!DOCTYPE w:document [{''.join(lines)}]>".encode()

    def change(parts):
        text = parts["word/document.xml"]
        text = text.replace(b"<w:document ", doctype + b"<w:document ", 1)
        parts["word/document.xml"] = text.replace(b"first item", b"first &e9; item")

    return specimen.docx(number, change)


def external_entity(number):
    """An entity that asks for a file of the system."""
    doctype = b'<!DOCTYPE w:document [<!ENTITY leak SYSTEM "file:///etc/hostname">]>'

    def change(parts):
        text = parts["word/document.xml"]
        text = text.replace(b"<w:document ", doctype + b"<w:document ", 1)
        parts["word/document.xml"] = text.replace(b"first item", b"first &leak; item")

    return specimen.docx(number, change)


def deep_xml(number):
    """A hundred thousand elements inside each other."""
    depth = 100_000
    inner = b"<w:p><w:r><w:t>deep</w:t></w:r></w:p>"
    return specimen.with_body(
        number,
        b"<w:sdt><w:sdtContent>" * depth + inner + b"</w:sdtContent></w:sdt>" * depth,
    )


def deep_tables(number):
    """Twenty thousand tables inside each other."""
    depth = 20_000
    start, end = b"<w:tbl><w:tr><w:tc>", b"<w:p/></w:tc></w:tr></w:tbl>"
    return specimen.with_body(number, start * depth + b"<w:p/>" + end * depth)


def deep_math(number):
    """A root under a root, five thousand times."""
    depth = 5_000
    start, end = b"<m:rad><m:deg/><m:e>", b"</m:e></m:rad>"
    inner = b"<m:r><m:t>x</m:t></m:r>"
    math = b"<m:oMath>" + start * depth + inner + end * depth + b"</m:oMath>"
    return specimen.with_body(number, b"<w:p>" + math + b"</w:p>")


def huge_text(number):
    """One run of 24 MB that is not compressed enough to look like a bomb."""
    block = " ".join(f"word{(n * 7919) % 10007}" for n in range(2500)).encode()
    text = block * (24_000_000 // len(block))
    return specimen.with_body(number, b"<w:p><w:r><w:t>" + text + b"</w:t></w:r></w:p>")


def many_cells(number):
    """A table row that says it is four thousand million columns wide."""
    cell = (b'<w:tc><w:tcPr><w:gridSpan w:val="%d"/></w:tcPr><w:p><w:r><w:t>wide</w:t></w:r></w:p>'
            b"</w:tc>")
    spans = [4_000_000_000, 2**63, -5, 0]
    row = b"<w:tr>" + b"".join(cell % span for span in spans) + b"</w:tr>"
    return specimen.with_body(number, b"<w:tbl>" + row * 3 + b"</w:tbl>")


def style_loop(number):
    """Two styles that build on each other, and numbers out of any range."""
    loop = (
        b'<w:style w:type="paragraph" w:styleId="LoopA"><w:name w:val="Loop A"/>'
        b'<w:basedOn w:val="LoopB"/></w:style><w:style w:type="paragraph" w:styleId="LoopB">'
        b'<w:name w:val="Loop B"/><w:basedOn w:val="LoopA"/></w:style></w:styles>'
    )
    body = (
        b'<w:p><w:pPr><w:pStyle w:val="LoopA"/><w:numPr><w:ilvl w:val="4000000000"/>'
        b'<w:numId w:val="-7"/></w:numPr><w:outlineLvl w:val="99999999999"/></w:pPr>'
        b"<w:r><w:t>Round and round.</w:t></w:r></w:p>"
    )

    def change(parts):
        parts["word/styles.xml"] = parts["word/styles.xml"].replace(b"</w:styles>", loop)
        text = parts["word/document.xml"]
        parts["word/document.xml"] = text.replace(b"<w:sectPr>", body + b"<w:sectPr>")

    return specimen.docx(number, change)


def broken_xml(number):
    """The body ends in the middle of a tag."""
    def change(parts):
        text = parts["word/document.xml"]
        parts["word/document.xml"] = text[: len(text) * 2 // 3]

    return specimen.docx(number, change)


def bad_encoding(number):
    """Bytes that are no UTF-8, and characters XML forbids."""
    def change(parts):
        text = parts["word/document.xml"]
        parts["word/document.xml"] = text.replace(b"first item", b"first \xff\xfe&#0;&#x1; item")

    return specimen.docx(number, change)


def bad_figures(number):
    """Pictures that cannot be drawn: a metafile with a record of no length, one cut short."""
    def change(parts):
        metafile = bytearray(parts["word/media/image1.emf"])
        struct.pack_into("<I", metafile, 108 + 4, 0)
        parts["word/media/image1.emf"] = bytes(metafile)
        parts["word/media/image2.png"] = parts["word/media/image2.png"][:60]

    return specimen.docx(number, change)


def picture_bomb(number):
    """A PNG of 20,000 by 20,000 dots."""
    def change(parts):
        line = zlib.compress(bytes(2501) * 20_000, 9)
        size = struct.pack(">IIBBBBB", 20_000, 20_000, 1, 0, 0, 0, 0)
        parts["word/media/image2.png"] = (
            b"\x89PNG\r\n\x1a\n" + png.chunk(b"IHDR", size)
            + png.chunk(b"IDAT", line) + png.chunk(b"IEND", b"")
        )

    return specimen.docx(number, change)


def metafile_counts(number):
    """A metafile whose polygon and text claim four thousand million points."""
    def change(parts):
        metafile = bytearray(parts["word/media/image1.emf"])
        at = 0
        while at < len(metafile):
            kind, size = struct.unpack_from("<II", metafile, at)
            if kind in (84, 86):
                struct.pack_into("<I", metafile, at + (44 if kind == 84 else 24), 0xFFFFFFF0)
            at += size
        parts["word/media/image1.emf"] = bytes(metafile)

    return specimen.docx(number, change)


def escaping_target(number):
    """A picture whose relationship leads out of the package."""
    def change(parts):
        links = parts["word/_rels/document.xml.rels"]
        links = links.replace(b"media/image1.emf", b"../../../../etc/hostname")
        parts["word/_rels/document.xml.rels"] = links

    return specimen.docx(number, change)
