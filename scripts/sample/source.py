"""Reads the light markup of data/sample/source: one file holds every version of a document.

The markup is described in data/sample/source/README.md. Nothing here knows Word.
"""

import re
from dataclasses import dataclass, field

VERSION_LINE = re.compile(r"(\d+\.\d+\.\d+) (\d{4}-\d{2})$")
CONDITION = re.compile(r"(>=|<=|<|>|==)(\d+\.\d+\.\d+)$")
ANNEX = re.compile(r"Annex ([A-Z])( \((?:normative|informative)\))?: (.+)$")
NUMBER = re.compile(r"(\d+[a-zA-Z]?(?:\.\d+[a-zA-Z]*)*|[A-Z](?:\.\d+[a-zA-Z]*)+) (.+)$")
BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"


class SourceError(Exception):
    """The markup is wrong; the message names file and line."""


@dataclass(frozen=True)
class Version:
    """A version with the month it was made in."""

    number: tuple
    date: str

    def __str__(self):
        return ".".join(map(str, self.number))

    @property
    def code(self):
        return "".join(BASE36[n] for n in self.number)

    @property
    def release(self):
        return self.number[0]


@dataclass
class Block:
    """One piece of text: `kind` says which, the other fields hold what that kind needs."""

    kind: str
    text: str = ""
    level: int = 0
    number: str = ""
    annex: str = ""
    rows: list = field(default_factory=list)
    lines: list = field(default_factory=list)
    options: str = ""


@dataclass
class Source:
    """The header of a source file and its lines, not yet cut down to one version."""

    path: str
    fields: dict
    versions: list
    lines: list

    def one(self, key, default=""):
        return self.fields.get(key, [default])[0]

    @property
    def doc_type(self):
        return self.one("spec").split(" ")[0]

    @property
    def doc_number(self):
        return self.one("spec").split(" ")[1]

    @property
    def stem(self):
        return self.doc_number.replace(".", "")

    @property
    def title_lines(self):
        return self.fields["title"]


def read(path):
    """Reads a source file: `key: value` lines up to `---`, then the text."""
    lines = path.read_text(encoding="ascii").split("\n")
    end = lines.index("---")
    fields = {}
    for line in lines[:end]:
        key, _, value = line.partition(": ")
        fields.setdefault(key, []).append(value)
    versions = [parse_version(path, text) for text in fields.pop("version")]
    return Source(path.name, fields, versions, list(enumerate(lines[end + 1 :], end + 2)))


def parse_version(path, text):
    match = VERSION_LINE.match(text)
    if not match:
        raise SourceError(f"{path.name}: a version line reads '18.1.0 2024-03', not '{text}'")
    return Version(tuple(int(n) for n in match[1].split(".")), match[2])


def holds(condition, version):
    """Whether `>=18.1.0` holds for a version."""
    match = CONDITION.match(condition)
    if not match:
        raise SourceError(f"no condition: {condition}")
    other = tuple(int(n) for n in match[2].split("."))
    mine = version.number
    return {
        ">=": mine >= other, "<=": mine <= other, "<": mine < other,
        ">": mine > other, "==": mine == other,
    }[match[1]]


def lines_of(source, version):
    """The lines that belong to a version: `@if COND`, `@else`, `@end` are carried out."""
    stack, kept = [], []
    for number, line in source.lines:
        if line.startswith("@if "):
            stack.append(holds(line[4:], version))
        elif line == "@else":
            stack[-1] = not stack[-1]
        elif line == "@end":
            stack.pop()
        elif all(stack):
            kept.append((number, line))
    if stack:
        raise SourceError(f"{source.path}: @if without @end")
    return kept


def blocks_of(source, version):
    """The text of a version as a list of blocks."""
    lines, blocks, at = lines_of(source, version), [], 0
    while at < len(lines):
        number, line = lines[at]
        at += 1
        if not line.strip():
            continue
        try:
            at = read_block(line, lines, at, version, blocks)
        except (KeyError, IndexError, ValueError) as error:
            raise SourceError(f"{source.path}:{number}: {error!r} in '{line}'") from error
    return blocks


def read_block(line, lines, at, version, blocks):
    if line.startswith("```"):
        end = next(i for i in range(at, len(lines)) if lines[i][1] == "```")
        blocks.append(Block("code", options=line[3:], lines=[text for _, text in lines[at:end]]))
        return end + 1
    if line.startswith(("TABLE ", "HISTORY")):
        rows, at = take_while(lines, at, "|")
        blocks.append(table(line, rows, version))
        return at
    if line.startswith("picture "):
        body, at = take_indented(lines, at)
        blocks.append(Block("picture", options=line[8:], lines=body))
        return at
    blocks.append(paragraph(line))
    return at


def take_while(lines, at, mark):
    taken = []
    while at < len(lines) and lines[at][1].startswith(mark):
        taken.append(lines[at][1])
        at += 1
    return taken, at


def take_indented(lines, at):
    taken, at = take_while(lines, at, "  ")
    return [line.strip() for line in taken], at


def paragraph(line):
    """A block of one line, by what the line begins with."""
    if line.startswith("#"):
        return heading(line)
    if line.startswith("@"):
        word, _, rest = line[1:].partition(" ")
        return Block(word, text=rest)
    for mark, kind in (("FIGURE ", "TF"), ("$$ ", "equation"), ("+ ", "auto"),
                       ("abbr ", "EW"), ("oldequation: ", "oldequation")):
        if line.startswith(mark):
            return Block(kind, text=line[len(mark) :])
    for pattern, kind in PARAGRAPHS:
        match = re.match(pattern, line)
        if match:
            style = kind if kind[0] != "B" else f"B{bullet_depth(match[1])}"
            return Block(style, text=f"{match[1].strip('-') or '-'}\t{match[2]}")
    return Block("Normal", text=line)


PARAGRAPHS = [
    (r"(-{1,4}) (.+)$", "B"),
    (r"([1-8]>) (.+)$", "B"),
    (r"(NOTE(?: \d+)?:) (.+)$", "NO"),
    (r"(EXAMPLE(?: \d+)?:) (.+)$", "EX"),
    (r"(\[\d+\]) (.+)$", "EX"),
    (r"(Editor's Note:) (.+)$", "Editor's Note"),
]


def bullet_depth(mark):
    return len(mark) if mark.startswith("-") else int(mark[0])


def heading(line):
    """`## 5.1 Title`, `# Annex A (normative): Title`, `# Foreword`; `6 Title` with `##_`
    writes a blank where the tab would stand."""
    marks, _, rest = line.partition(" ")
    options = "space" if marks.endswith("_") else ""
    level = len(marks.rstrip("_"))
    annex = ANNEX.match(rest)
    if annex:
        lead = f"Annex {annex[1]}{annex[2] or ''}:"
        return Block("heading", annex[3], level, annex[1], annex=lead, options=options)
    numbered = NUMBER.match(rest)
    if numbered:
        return Block("heading", numbered[2], level, numbered[1], options=options)
    return Block("heading", rest, level, "", options=options)


def table(line, rows, version):
    """A table; its rows are lists of (kind, cells) with `<` and `^` for merged cells."""
    parsed = [row(text) for text in rows]
    if line.startswith("HISTORY"):
        done = tuple(version.number)
        parsed = [r for r in parsed if r[0] == "!" or version_key(r[1][-1]) <= done]
    caption = line[6:] if line.startswith("TABLE ") and line != "TABLE -" else ""
    width = max(len(cells) for _, cells in parsed)
    for kind, cells in parsed:
        if kind != "n" and len(cells) != width:
            raise ValueError(f"row of {len(cells)} cells where {width} are due: {cells}")
    return Block("table", text=caption, rows=parsed)


def version_key(text):
    return tuple(int(n) for n in text.split("."))


def row(text):
    if text.startswith("|n "):
        return ("n", [re.sub(r"^(NOTE(?: \d+)?:) ", r"\1\t", text[3:])])
    kind = "!" if text.startswith("|!") else ""
    body = text[1 + len(kind) :].strip().removesuffix("|")
    cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", body)]
    return (kind, cells)


def expanded_rows(block):
    """The rows of a table with every merged value repeated in each cell it covers."""
    width = max(len(cells) for _, cells in block.rows)
    grid = []
    for kind, cells in block.rows:
        cells = cells * width if kind == "n" else cells
        line = []
        for column, cell in enumerate(cells):
            left = line[-1] if line else ""
            line.append(left if cell == "<" else grid[-1][column] if cell == "^" else bare(cell))
        grid.append(line)
    return grid


def bare(cell):
    """A cell without its alignment mark."""
    return cell[2:] if cell.startswith(("c:", "r:")) else cell
