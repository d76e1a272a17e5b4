"""The cover page and the printed table of contents."""

import zlib

from .runs import plain

WORDS = {"TS": "Technical Specification", "TR": "Technical Report"}
FRAME = '<w:framePr w:wrap="notBeside"/>'
NOTICE = (
    "This document is fictional. It was written as sample data for specbox, describes no real "
    "system and was issued by no standards body."
)
LICENCE = "Licensed under the Apache License, Version 2.0."
CHARACTERS_PER_PAGE = 2600
FIRST_PAGE = 5


def title_line(source, version):
    number = f"Specbox Sample {source.doc_type} {source.doc_number} V{version}"
    return f"{number} ({version.date})"


def cover(page, source, version):
    """Cover and licence notice, as frames or, `cover: table`, as a table."""
    lines = [("ZA", scattered(title_line(source, version))), ("ZB", plain(WORDS[source.doc_type]))]
    head = ["Specbox Sample Corpus;", f"Technical Specification Group {source.one('group')};"]
    for line in [*head, *[f"{t};" for t in source.title_lines[:-1]], source.title_lines[-1]]:
        lines.append(("ZT", plain(line)))
    lines.append(("ZT", plain("(") + plain(f"Release {version.release}", page.gsm) + plain(")")))
    paragraphs = [page.styled(style, runs, FRAME) for style, runs in lines]
    if source.one("cover") == "table":
        paragraphs = [cover_table(paragraphs)]
    return "".join(paragraphs) + notice(page)


def scattered(text):
    """A line in several runs, cut inside words as the revisions of a template leave it."""
    cuts = [at for at in range(1, len(text)) if zlib.crc32(text[:at].encode()) % 5 == 0]
    edges = [0, *cuts, len(text)]
    return "".join(plain(text[a:b]) for a, b in zip(edges, edges[1:]))


def cover_table(paragraphs):
    rows = [paragraphs[0], paragraphs[1], "".join(paragraphs[2:])]
    cells = "".join(
        f'<w:tr><w:tc><w:tcPr><w:tcW w:w="10423" w:type="dxa"/></w:tcPr>{row}</w:tc></w:tr>'
        for row in rows
    )
    grid = '<w:tblGrid><w:gridCol w:w="10423"/></w:tblGrid>'
    return f"<w:tbl><w:tblPr><w:tblW w:w=\"0\" w:type=\"auto\"/></w:tblPr>{grid}{cells}</w:tbl>"


def notice(page):
    texts = [NOTICE, LICENCE, ""]
    return "".join(page.styled("FP", plain(text)) for text in texts)


def contents(page, source, blocks):
    """The printed table of contents, inside one field as Word writes it; `contents: control`
    puts it into a content control."""
    out = [page.styled("TT", plain("Contents"))]
    entries = list(paged(blocks))
    for index, (heading, number) in enumerate(entries):
        runs = entry_runs(heading, number, index + 1)
        if index == 0:
            runs = field("begin") + instruction(' TOC \\o "1-9" ') + field("separate") + runs
        if index == len(entries) - 1:
            runs += field("end")
        level = contents_level(heading, source.doc_type)
        out.append(page.styled(f"toc {level}", runs))
    text = "".join(out)
    if source.one("contents") == "control":
        return f"<w:sdt><w:sdtPr/><w:sdtContent>{text}</w:sdtContent></w:sdt>"
    return text


def paged(blocks):
    """Headings with a page number guessed from the amount of text before them."""
    seen = 0
    for block in blocks:
        if block.kind == "heading":
            yield block, FIRST_PAGE + seen // CHARACTERS_PER_PAGE
        seen += len(block.text) + sum(map(len, block.lines)) + 60 * len(block.rows) + 40


def contents_level(heading, doc_type):
    if heading.annex:
        return 9 if doc_type == "TR" else 8
    annexed = heading.number[:1].isalpha()
    return max(1, heading.level - annexed)


def entry_runs(heading, page_number, index):
    if heading.annex:
        lead = plain(heading.annex + " ")
    else:
        lead = plain(heading.number + "\t") if heading.number else ""
    reference = field("begin") + instruction(f" PAGEREF _Toc{7000 + index} \\h ")
    reference += field("separate") + plain(str(page_number)) + field("end")
    return lead + plain(heading.text) + plain("\t") + reference


def field(kind):
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def instruction(text):
    return f'<w:r><w:instrText xml:space="preserve">{text}</w:instrText></w:r>'
