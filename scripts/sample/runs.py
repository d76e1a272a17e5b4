"""Text inside a paragraph: runs, tracked changes, hard blanks, inline equations."""

import re
import zlib
from xml.sax.saxutils import escape

from . import omml

TOKEN = re.compile(
    r"\{\+(?P<ins>.+?)\+\}|\{-(?P<del>.+?)-\}|\{<(?P<from>.+?)<\}|\{>(?P<to>.+?)>\}"
    r"|\*\*(?P<bold>.+?)\*\*|\*(?P<italic>[^* ][^*]*)\*|\$(?P<math>[^$]+)\$"
)
AUTHOR = 'w:author="Sample Editor" w:date="2024-01-15T09:00:00Z"'
WRAPS = {"ins": "ins", "del": "del", "from": "moveFrom", "to": "moveTo"}


class Runs:
    """Writes runs; counts the ids that tracked changes need."""

    def __init__(self):
        self.next_id = 900

    def change_id(self):
        self.next_id += 1
        return self.next_id

    def paragraph(self, text, properties=""):
        """The runs of a text in the markup."""
        out, at = [], 0
        for match in TOKEN.finditer(text):
            out.append(plain(text[at : match.start()], properties))
            out.append(self.marked(match.lastgroup, match[match.lastgroup], properties))
            at = match.end()
        out.append(plain(text[at:], properties))
        return "".join(out)

    def marked(self, kind, text, properties):
        if kind == "bold":
            return plain(text, properties + "<w:b/>")
        if kind == "italic":
            return plain(text, properties + "<w:i/>")
        if kind == "math":
            return omml.inline(text)
        inner = self.paragraph(text, properties)
        if kind in ("del", "from"):
            inner = inner.replace("<w:t ", "<w:delText ").replace("</w:t>", "</w:delText>")
        tag = WRAPS[kind]
        return f'<w:{tag} w:id="{self.change_id()}" {AUTHOR}>{inner}</w:{tag}>'

    def deleted_mark(self):
        """Run properties of a paragraph mark that is deleted with its text."""
        return f'<w:rPr><w:del w:id="{self.change_id()}" {AUTHOR}/></w:rPr>'


def plain(text, properties=""):
    """Runs of bare text; a long text is cut in two, as editing leaves it."""
    if not text:
        return ""
    cut = zlib.crc32(text.encode()) % len(text) if len(text) > 60 else 0
    return "".join(run(piece, properties) for piece in (text[:cut], text[cut:]) if piece)


def run(text, properties):
    inner = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f"<w:r>{inner}{pieces(text)}</w:r>"


def pieces(text):
    out = []
    for part in re.split(r"(\t|<br>|\{nbh\})", text):
        if part in MARKS:
            out.append(MARKS[part])
        elif part:
            body = escape(part).replace("~", "\u00a0")
            out.append(f'<w:t xml:space="preserve">{body}</w:t>')
    return "".join(out)


MARKS = {"\t": "<w:tab/>", "<br>": "<w:br/>", "{nbh}": "<w:noBreakHyphen/>"}


def accepted(text):
    """The plain text a reader should see: insertions in, deletions out, marks gone."""
    def value(match):
        kind = match.lastgroup
        return "" if kind in ("del", "from") else accepted(match[kind])

    out = TOKEN.sub(value, text)
    return out.replace("~", " ").replace("{nbh}", "-").replace("<br>", "\n")
