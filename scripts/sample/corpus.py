"""The whole corpus: which file holds which version, and in what kind of archive."""

import json
from dataclasses import dataclass

from . import archive, answers, contribution, package, register, source as markup

LOCK_FILE = b"\x0dSample Editor".ljust(162, b" ")


@dataclass
class Built:
    """One version as a file of the corpus."""

    source: markup.Source
    version: markup.Version
    path: str
    data: bytes
    blocks: list
    members: list


def build(folder):
    """Every file the corpus consists of, by its path below data/sample."""
    sources = [markup.read(path) for path in sorted((folder / "source").glob("*.txt"))]
    versions = [built(folder, s, version) for s in sources for version in s.versions]
    files = {one.path: one.data for one in versions}
    facts = json.loads((folder / "source" / "facts.json").read_text(encoding="ascii"))
    text = json.dumps(answers.answer_key(versions, facts), indent=1)
    files["expected.json"] = answers.compact(text).encode() + b"\n"
    files |= meetings(folder / "source")
    return files


def meetings(folder):
    """The register, the documents and the report of a meeting, where the standards body's file server has them, and a
    calendar."""
    meeting = "tsg_ran/WG1_RL1/TSGR1_190"
    documents = {f"mirror/{meeting}/Docs/{path.stem}.zip": contribution.archived(path)
                 for path in sorted((folder / "tdocs").glob("*.txt"))}
    reports = {f"mirror/{meeting}/Report/{path.stem}.zip": contribution.archived(path)
               for path in sorted((folder / "reports").glob("*.txt"))}
    return documents | reports | {
        f"mirror/{meeting}/Docs/TDoc_List_Meeting_RAN1#190.xlsx":
            register.workbook(folder / "tdocs.csv", meeting),
        "mirror/meetings.csv": (folder / "meetings.csv").read_bytes(),
    }


def built(folder, source, version):
    blocks = markup.blocks_of(source, version)
    layout = source.one("layout", "zip")
    stem = package.file_name(source, version)
    below = f"archive/{source.doc_number[:2]}_series/{source.doc_number}/{stem}"
    documents = word_files(source, version, blocks, layout)
    if layout == "docx":
        name, data = documents[0]
        return Built(source, version, f"{below}.docx", data, blocks, [name])
    members = documents + interface_files(folder, source, version)
    names = [name for name, _ in members]
    data = archive.pack(members, version.date)
    if layout == "nested":
        data = nested(stem, data, version)
    return Built(source, version, f"{below}.zip", data, blocks, names)


def word_files(source, version, blocks, layout):
    """The Word files of a version; `@part SUFFIX` in the text begins the next one."""
    if layout != "parts":
        name = package.file_name(source, version) + ".docx"
        return [(name, package.docx(source, version, blocks, front=blocks))]
    cuts = [i for i, block in enumerate(blocks) if block.kind == "part"]
    files = [("_cover", package.docx(source, version, [], front=blocks))]
    for start, end in zip(cuts, [*cuts[1:], len(blocks)]):
        files.append((blocks[start].text, package.docx(source, version, blocks[start:end])))
    return [(package.file_name(source, version, suffix) + ".docx", data) for suffix, data in files]


def interface_files(folder, source, version):
    """Interface descriptions that lie beside the text."""
    name = source.one("interface")
    if not name:
        return []
    text = (folder / "source" / name).read_text(encoding="ascii")
    return [(name, text.replace("@VERSION@", str(version)).encode())]


def nested(stem, inner, version):
    """A zip in a zip, with what a desktop leaves behind."""
    members = [
        (f"{stem}/{stem}.zip", inner),
        (f"__MACOSX/{stem}/._{stem}.zip", b"\0\5\x16\7\0\2\0\0Mac OS X        "),
        (f"{stem}/~${stem[2:]}.docx", LOCK_FILE),
    ]
    return archive.pack(members, version.date)
