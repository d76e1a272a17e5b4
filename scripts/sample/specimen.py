"""A small healthy document with a number of its own, for the hostile files to be made from."""

import io
import zipfile

from . import archive, package
from .source import Source, Version, blocks_of

DATE = "2024-03"
VERSION = Version((18, 0, 0), DATE)
TEXT = """# Foreword
This document is fictional.
# 1 Scope
The present document tries how a reader behaves when a file is damaged.
# 2 Procedures
## 2.1 General
The unit shall answer within 50 ms.
- first item;
- second item.
TABLE Table 2.1-1: Values
|! Name | Value | < |
| alpha | 1 | 2 |
| ^ | 3 | 4 |
picture emf 300x120
  box 20 30 100 50 Left
  box 180 30 100 50 Right
  arrow 120 55 180 55 go
FIGURE Figure 2.1-1: An arrow
picture png 200x100
  box 20 20 100 50 Box
FIGURE Figure 2.1-2: A box
"""


def members(number):
    """The parts of a Word file `TS 99.<number>`, by name, in order."""
    fields = {"spec": [f"TS 99.{number}"], "title": ["Specimen"], "group": ["Sample Tests"]}
    source = Source("specimen", fields, [VERSION], list(enumerate(TEXT.split("\n"), 1)))
    blocks = blocks_of(source, VERSION)
    data = package.docx(source, VERSION, blocks, front=blocks)
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def docx(number, change=None):
    """The Word file, its parts changed by `change` first."""
    parts = members(number)
    if change:
        change(parts)
    return archive.pack(list(parts.items()), DATE)


def with_body(number, xml):
    """A Word file whose body is `xml` after the heading of clause 1."""
    def change(parts):
        text = parts["word/document.xml"]
        at = text.index(b"<w:sectPr>")
        parts["word/document.xml"] = text[:at] + xml + text[at:]

    return docx(number, change)


def zipped(number, data, name=None):
    """A Word file inside its archive."""
    return archive.pack([(name or f"99{number}-i00.docx", data)], DATE)
