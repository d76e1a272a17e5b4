"""Contributions to the sample's meeting: texts, slides, sheets and pages in archives.

A source is a text file named like the document. `=== NAME` begins a file of the archive; its extension says what
it becomes. Lines of a text:

    # Heading           ## Heading below it
    * item              ** item below it
    + Proposal text     numbered by Word as `Proposal 1:`, `Proposal 2:` ...
    ! Observation text  numbered by Word as `Observation 1:` ...
    ~ Proposal 3 text   with the number in a SEQ field
    ^ Proposal text     a line of the list that Word makes of captions
    | a | b |           a row of a table; rows that follow each other are one table
    %                   a page ends
    >g Agreement        with green behind its words, as reports mark what was agreed
    >y Assumption       with dark yellow behind them
    {+new+} {-old-}     tracked changes
"""

import re
from xml.sax.saxutils import escape

from . import archive
from .register import OFFICE, relations, sheet, sheets

DATE = "2026-02"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
SLIDE_TYPE = "application/vnd.openxmlformats-officedocument.presentationml"
SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
# Numbered lists: bullets, proposals, observations.
BULLETS, PROPOSALS, OBSERVATIONS = 1, 2, 3
# Colours behind words.
COLOURS = {">g ": "green", ">y ": "darkYellow"}
CHANGED = re.compile(r"\{\+(.*?)\+\}|\{-(.*?)-\}")


def archived(path):
    """The archive of a source."""
    members = []
    for part in re.split(r"^=== ", path.read_text("ascii"), flags=re.M)[1:]:
        name, _, text = part.partition("\n")
        lines = text.strip("\n").split("\n")
        members.append((name.strip(), MAKERS[name.strip().rsplit(".", 1)[1]](lines)))
    return archive.pack(members, DATE)


def docx(lines):
    body = []
    rows = []
    for line in [*lines, ""]:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
            continue
        if rows:
            body.append(table(rows))
            rows = []
        body.append(paragraph(line))
    document = (f'{HEAD}<w:document xmlns:w="{W}"><w:body>{"".join(body)}<w:sectPr/></w:body>'
                "</w:document>")
    parts = [("word/document.xml", f"{WORD_TYPE}.document.main+xml", document),
             ("word/styles.xml", f"{WORD_TYPE}.styles+xml", styles()),
             ("word/numbering.xml", f"{WORD_TYPE}.numbering+xml", numbering())]
    return package(parts, "word/document.xml")


def paragraph(line):
    for mark, properties in [
        ("## ", style("Heading2")), ("# ", style("Heading1")),
        ("** ", numbered(BULLETS, 1)), ("* ", numbered(BULLETS, 0)),
        ("+ ", numbered(PROPOSALS, 0)), ("! ", numbered(OBSERVATIONS, 0)),
        ("^ ", style("TableofFigures")),
    ]:
        if line.startswith(mark):
            return wrapped(properties, runs(line[len(mark):]))
    if line[:3] in COLOURS:
        return wrapped("", run(line[3:], colour=COLOURS[line[:3]]))
    if line == "%":
        return wrapped("", "<w:r><w:lastRenderedPageBreak/></w:r>")
    if line.startswith("~ "):
        label, number, rest = re.match(r"~ (\w+) (\d+) (.*)", line).groups()
        field = (f'{run(label + " ")}<w:fldSimple w:instr=" SEQ {label} \\* ARABIC ">'
                 f"{run(number)}</w:fldSimple>{run(': ' + rest)}")
        return wrapped(style("Caption"), field)
    bold = re.match(r"(?:Proposal|Observation) [\d.]+:", line) is not None
    return wrapped("", runs(line, bold)) if line else "<w:p/>"


def wrapped(properties, content):
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{content}</w:p>"


def style(name):
    return f'<w:pStyle w:val="{name}"/>'


def numbered(instance, level):
    return f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{instance}"/></w:numPr>'


def runs(text, bold=False):
    out, at = [], 0
    for change in CHANGED.finditer(text):
        out.append(run(text[at:change.start()], bold))
        new, old = change.groups()
        if new is not None:
            out.append(f'<w:ins w:id="1" w:author="A" w:date="2026-02-01T00:00:00Z">{run(new)}</w:ins>')
        else:
            gone = f'<w:r><w:delText xml:space="preserve">{escape(old)}</w:delText></w:r>'
            out.append(f'<w:del w:id="2" w:author="A" w:date="2026-02-01T00:00:00Z">{gone}</w:del>')
        at = change.end()
    return "".join(out) + run(text[at:], bold)


def run(text, bold=False, colour=None):
    properties = "<w:b/>" if bold else ""
    if colour:
        properties += f'<w:highlight w:val="{colour}"/>'
    if properties:
        properties = f"<w:rPr>{properties}</w:rPr>"
    return f'<w:r>{properties}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>' if text else ""


def table(rows):
    made = "".join("<w:tr>" + "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) + "</w:tr>"
                   for row in rows)
    return f"<w:tbl>{made}</w:tbl>"


def styles():
    named = [("Heading1", "heading 1"), ("Heading2", "heading 2"), ("Caption", "caption"),
             ("TableofFigures", "table of figures")]
    made = "".join(f'<w:style w:type="paragraph" w:styleId="{i}"><w:name w:val="{name}"/></w:style>'
                   for i, name in named)
    return f'{HEAD}<w:styles xmlns:w="{W}">{made}</w:styles>'


def numbering():
    bullet = "".join(f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="bullet"/>'
                     '<w:lvlText w:val="-"/></w:lvl>' for n in (0, 1))
    counted = "".join(
        f'<w:abstractNum w:abstractNumId="{n}"><w:lvl w:ilvl="0"><w:start w:val="1"/>'
        f'<w:numFmt w:val="decimal"/><w:lvlText w:val="{label} %1:"/></w:lvl></w:abstractNum>'
        for n, label in ((PROPOSALS, "Proposal"), (OBSERVATIONS, "Observation")))
    used = "".join(f'<w:num w:numId="{n}"><w:abstractNumId w:val="{n}"/></w:num>' for n in (1, 2, 3))
    return (f'{HEAD}<w:numbering xmlns:w="{W}"><w:abstractNum w:abstractNumId="{BULLETS}">{bullet}'
            f"</w:abstractNum>{counted}{used}</w:numbering>")


def pptx(lines):
    slides = [[]]
    for line in lines:
        if line.startswith("# ") and slides[-1]:
            slides.append([])
        slides[-1].append(line)
    parts, listed, links = [], [], []
    for number, lines_of in enumerate(slides, 1):
        parts.append((f"ppt/slides/slide{number}.xml", f"{SLIDE_TYPE}.slide+xml", slide(lines_of)))
        listed.append(f'<p:sldId id="{255 + number}" r:id="rId{number}"/>')
        links.append((f"rId{number}", f"{OFFICE}/slide", f"slides/slide{number}.xml", ""))
    main = (f'{HEAD}<p:presentation xmlns:p="{P}" xmlns:r="{OFFICE}">'
            f'<p:sldIdLst>{"".join(listed)}</p:sldIdLst></p:presentation>')
    main = ("ppt/presentation.xml", f"{SLIDE_TYPE}.presentation.main+xml", main)
    return package([main, *parts], main[0], [("ppt/_rels/presentation.xml.rels", relations(links))])


def slide(lines):
    title = shape('<p:ph type="title"/>', lines[0].removeprefix("# "), 0)
    body = "".join(a_paragraph(line) for line in lines[1:])
    return (f'{HEAD}<p:sld xmlns:p="{P}" xmlns:a="{A}"><p:cSld><p:spTree>{title}<p:sp><p:nvSpPr>'
            f"<p:nvPr/></p:nvSpPr><p:txBody>{body}</p:txBody></p:sp></p:spTree></p:cSld></p:sld>")


def shape(kind, text, level):
    return (f"<p:sp><p:nvSpPr><p:nvPr>{kind}</p:nvPr></p:nvSpPr><p:txBody>{a_paragraph(text)}"
            "</p:txBody></p:sp>")


def a_paragraph(line):
    level = ' lvl="1"' if line.startswith("* ") else ""
    text = escape(line.removeprefix("* "))
    return f"<a:p><a:pPr{level}/>" + (f"<a:r><a:t>{text}</a:t></a:r>" if text else "") + "</a:p>"


def xlsx(lines):
    names, tables = [], []
    for line in lines:
        if line.startswith("# "):
            names.append(line[2:])
            tables.append([])
        elif line.startswith("|"):
            tables[-1].append([cell.strip() for cell in line.strip("|").split("|")])
        else:
            tables[-1].append([])
    parts = [(f"xl/worksheets/sheet{n}.xml", f"{SHEET_TYPE}.worksheet+xml",
              sheet(rows, []).decode()) for n, rows in enumerate(tables, 1)]
    main = ("xl/workbook.xml", f"{SHEET_TYPE}.sheet.main+xml", sheets(names).decode())
    links = [(f"rId{n}", f"{OFFICE}/worksheet", f"worksheets/sheet{n}.xml", "")
             for n in range(1, len(names) + 1)]
    return package([main, *parts], main[0], [("xl/_rels/workbook.xml.rels", relations(links))])


def pdf(lines):
    """A PDF of plain text in one of the standard fonts."""
    pages = [[]]
    for line in lines:
        if line == "%":
            pages.append([])
        else:
            pages[-1].append(line)
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", None,
               "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"]
    kids = []
    for page in pages:
        shown, y = [], 760
        for line in page:
            if line:
                text = line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
                shown.append(f"BT /F1 11 Tf 72 {y} Td ({text}) Tj ET")
            y -= 14 if line else 28
        stream = "\n".join(shown)
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        objects.append("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources "
                       f"<< /Font << /F1 3 0 R >> >> /Contents {len(objects)} 0 R >>")
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    out, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{content}\nendobj\n"
    table_at = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n"
    out += "".join(f"{place:010} 00000 n \n" for place in places)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{table_at}\n%%EOF\n"
    return out.encode("ascii")


def package(parts, main, more=()):
    types = "".join(f'<Override PartName="/{name}" ContentType="{kind}"/>' for name, kind, _ in parts)
    content = (f'{HEAD}<Types xmlns="{TYPES}"><Default Extension="rels" ContentType='
               f'"application/vnd.openxmlformats-package.relationships+xml"/>{types}</Types>')
    links = relations([("rId1", f"{OFFICE}/officeDocument", main, "")])
    members = [("[Content_Types].xml", content.encode()), ("_rels/.rels", links)]
    members += [(name, text.encode()) for name, _, text in parts]
    return archive.pack([*members, *more], DATE)


MAKERS = {"docx": docx, "pptx": pptx, "xlsx": xlsx, "pdf": pdf}
