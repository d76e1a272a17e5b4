"""Turns blocks into the markup of a Word document."""

import re

from . import omml
from .runs import Runs, plain
from .styles import style_id

NUMERIC = re.compile(r"[-+]?\d+(\.\d+)?( ?(ms|s|dB|dBm|MHz|kHz|%))?$|-$|[MOCYN]$")
PAGE_WIDTH = 9639
LIST_ID = 1


class Page:
    """The body of one Word file while it is being written."""

    def __init__(self, locale, media, doc_type):
        self.locale = locale
        self.media = media
        self.doc_type = doc_type
        self.runs = Runs()
        self.gsm = '<w:rStyle w:val="ZGSM"/>'
        self.bookmarks = 0

    def styled(self, style, runs, properties=""):
        """A paragraph in a style; the default style is not named, as Word leaves it out."""
        named = f'<w:pStyle w:val="{style_id(style, self.locale)}"/>' if style != "Normal" else ""
        inner = named + properties
        head = f"<w:pPr>{inner}</w:pPr>" if inner else ""
        return f"<w:p>{head}{runs}</w:p>"

    def body(self, blocks):
        return "".join(self.block(block) for block in blocks)

    def block(self, block):
        writer = getattr(self, f"write_{block.kind}", None)
        return writer(block) if writer else self.write_text(block)

    def write_text(self, block):
        whole = re.fullmatch(r"\{-[^{}]*-\}", block.text.split("\t")[-1])
        mark = self.runs.deleted_mark() if whole else ""
        return self.styled(block.kind, self.runs.paragraph(block.text), mark)

    def write_heading(self, block):
        self.bookmarks += 1
        name, number = f"_Toc{7000 + self.bookmarks}", self.bookmarks
        rest = self.heading_runs(block)
        runs = f'<w:bookmarkStart w:id="{number}" w:name="{name}"/>{rest}'
        runs += f'<w:bookmarkEnd w:id="{number}"/>'
        if block.level == 1:
            runs = '<w:r><w:br w:type="page"/></w:r><w:r><w:lastRenderedPageBreak/></w:r>' + runs
        return self.styled(self.heading_style(block), runs)

    def heading_runs(self, block):
        if block.annex:
            return plain(block.annex) + plain("<br>" + block.text)
        if not block.number:
            return plain(block.text)
        blank = " " if block.options == "space" else "\t"
        return plain(block.number) + plain(blank + block.text)

    def heading_style(self, block):
        if block.annex:
            return "heading 9" if self.doc_type == "TR" else "heading 8"
        level = block.level - block.number[:1].isalpha()
        return "H6" if level == 6 and self.locale == "" else f"heading {max(1, level)}"

    def write_code(self, block):
        return "".join(self.styled("PL", plain(line)) for line in block.lines)

    def write_auto(self, block):
        number = f'<w:numPr><w:ilvl w:val="0"/><w:numId w:val="{LIST_ID}"/></w:numPr>'
        return self.styled("List", self.runs.paragraph(block.text), number)

    def write_equation(self, block):
        latex, _, label = block.text.rpartition(" # ")
        math = omml.inline(latex or label)
        tail = plain(f"\t({label})") if latex else ""
        return self.styled("EQ", plain("\t") + math + tail)

    def write_oldequation(self, block):
        runs = plain("\t") + f"<w:r>{self.media.old_equation(block.text)}</w:r>"
        return self.styled("EQ", runs)

    def write_picture(self, block):
        return self.styled("TH", f"<w:r>{self.media.picture(block)}</w:r>")

    def write_part(self, _block):
        return ""

    def write_table(self, block):
        caption = self.styled("TH", self.runs.paragraph(block.text)) if block.text else ""
        width = max(len(cells) for _, cells in block.rows)
        grid = "".join(f'<w:gridCol w:w="{PAGE_WIDTH // width}"/>' for _ in range(width))
        rows = "".join(self.table_row(*row, below) for row, below in with_next(block.rows))
        properties = (
            f'<w:tblPr><w:tblW w:w="{PAGE_WIDTH}" w:type="dxa"/><w:tblLayout w:type="fixed"/>'
            '<w:tblLook w:val="0000"/></w:tblPr>'
        )
        table = f"<w:tbl>{properties}<w:tblGrid>{grid}</w:tblGrid>{rows}</w:tbl>"
        return caption + table + self.styled("Normal", "")

    def table_row(self, kind, cells, below):
        width = len(below)
        if kind == "n":
            return f"<w:tr>{self.cell('TAN', cells[0], width, width)}</w:tr>"
        out, at = [], 0
        while at < width:
            span = 1
            while at + span < width and cells[at + span] == "<":
                span += 1
            style, text = cell_style(kind, cells[at])
            merge = "continue" if text == "^" else "restart" if below[at] == "^" else ""
            out.append(self.cell(style, "" if text == "^" else text, span, width, merge))
            at += span
        head = "<w:trPr><w:tblHeader/></w:trPr>" if kind == "!" else ""
        return f"<w:tr>{head}{''.join(out)}</w:tr>"

    def cell(self, style, text, span, width, merge=""):
        size = f'<w:tcW w:w="{PAGE_WIDTH // width * span}" w:type="dxa"/>'
        size += f'<w:gridSpan w:val="{span}"/>' if span > 1 else ""
        if merge:
            size += f'<w:vMerge w:val="{merge}"/>'
        lines = text.split(" // ") if text else [""]
        inner = "".join(self.styled(style, self.runs.paragraph(line.strip())) for line in lines)
        return f"<w:tc><w:tcPr>{size}</w:tcPr>{inner}</w:tc>"


def with_next(rows):
    """Each row with the cells of the row below; blanks where there is none of full width."""
    width = max(len(cells) for _, cells in rows)
    for index, row in enumerate(rows):
        below = rows[index + 1][1] if index + 1 < len(rows) else []
        yield row, below if len(below) == width else [""] * width


def cell_style(kind, text):
    if kind == "!":
        return "TAH", text
    if text.startswith("c:"):
        return "TAC", text[2:]
    if text.startswith("r:"):
        return "TAR", text[2:]
    return ("TAC" if NUMERIC.match(text) else "TAL"), text
