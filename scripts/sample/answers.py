"""The answer key: what a reader of the corpus should find in each archive."""

import re

from .cover import title_line
from .runs import accepted
from .source import expanded_rows


def answer_key(versions, facts):
    """`expected.json`: an entry per archive, then the facts written by hand."""
    archives, before = [], {}
    for one in versions:
        entry = archive_entry(one)
        texts = section_texts(one.blocks)
        earlier = before.get(one.source.doc_number)
        if earlier:
            entry["changed_since"] = changes(earlier, one.version, texts)
        before[one.source.doc_number] = (one.version, texts)
        archives.append(entry)
    return {"about": "fictional sample corpus, Apache-2.0", "archives": archives, "facts": facts}


def archive_entry(one):
    source, version, blocks = one.source, one.version, one.blocks
    tables = [b for b in blocks if b.kind == "table"]
    figures = [b for b in blocks if b.kind == "picture"]
    return {
        "file": one.path,
        "doc_number": source.doc_number,
        "doc_type": source.doc_type,
        "version": str(version),
        "release": f"Rel-{version.release}",
        "date": version.date,
        "cover_line": title_line(source, version),
        "title": "; ".join(source.title_lines),
        "members": one.members,
        "sections": sections(blocks),
        "counts": {
            "tables": len(tables),
            "figures": len(figures),
            "figures_png": sum(b.options.startswith("png") for b in figures),
            "figures_emf": sum(b.options.startswith("emf") for b in figures),
            "figure_captions": sum(b.kind == "TF" for b in blocks),
            "code_blocks": sum(b.kind == "code" for b in blocks),
            "equations": sum(b.kind == "equation" for b in blocks),
            "old_equations": sum(b.kind == "oldequation" for b in blocks),
            "auto_numbered": sum(b.kind == "auto" for b in blocks),
        },
        "table_captions": [accepted(b.text) for b in tables if b.text],
        "figure_captions": [accepted(b.text) for b in blocks if b.kind == "TF"],
    }


def sections(blocks):
    """(number, title, level) of each heading; an unnumbered one goes by its title."""
    return [[b.number or b.text, accepted(b.text), b.level] for b in blocks if b.kind == "heading"]


def section_texts(blocks):
    """The text of each section, to compare versions by."""
    texts, number = {}, None
    for block in blocks:
        if block.kind == "heading":
            number = block.number or block.text
            texts[number] = [block.text]
        elif number is not None:
            texts[number] += block_text(block)
    return texts


def block_text(block):
    if block.kind == "table":
        return [block.text, *map(str, expanded_rows(block))]
    return [block.options, accepted(block.text), *block.lines]


def changes(earlier, version, texts):
    old_version, old = earlier
    shared = [n for n in texts if n in old]
    return {
        "version": str(old_version),
        "added": [n for n in texts if n not in old],
        "removed": [n for n in old if n not in texts],
        "changed": [n for n in shared if texts[n] != old[n]],
        "unchanged": sum(texts[n] == old[n] for n in shared),
    }


def compact(text):
    """JSON with the innermost lists on one line."""
    return re.sub(
        r"\[\n\s+([^\[\]{}]*?)\n\s+\]",
        lambda m: "[" + re.sub(r"\n\s+", " ", m[1]) + "]",
        text,
    )
