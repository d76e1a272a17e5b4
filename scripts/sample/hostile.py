"""The list of hostile files: kind, ending, maker, what a reader should do, and why.

`refused`: the file is reported and nothing of it is stored. `taken`: the document is stored,
perhaps without a figure. `either`: both are right; what matters is that the reader neither
crashes, nor hangs, nor writes or reads outside its folder.
"""

from . import hostile_words as words
from . import hostile_zips as zips

KINDS = [
    ("control", "zip", zips.healthy, "taken", "healthy, to compare with"),
    ("control-bare", "docx", words.healthy, "taken", "healthy, without an archive"),
    ("zip-bomb", "zip", zips.zip_bomb, "refused", "62 MB from 9 KB"),
    ("nested-zip-bomb", "zip", zips.nested_bomb, "refused", "five levels of ten archives each"),
    ("nested-five-levels", "zip", zips.nested_five, "refused", "healthy, but five levels down"),
    ("overlapping-members", "zip", zips.overlapping, "refused", "1,000 names for the same bytes"),
    ("truncated", "zip", zips.truncated, "refused", "the directory at the end is missing"),
    ("truncated-inside", "zip", zips.truncated_inside, "refused", "the document is cut in half"),
    ("empty", "docx", zips.empty, "refused", "no bytes"),
    ("empty", "zip", zips.empty, "refused", "no bytes"),
    ("no-members", "zip", zips.no_members, "refused", "an archive of nothing"),
    ("other-archive", "zip", zips.other_archive, "refused", "a RAR archive"),
    ("encrypted-member", "zip", zips.encrypted_member, "refused", "flag of encryption"),
    ("corrupt-crc", "zip", zips.corrupt_crc, "refused", "the check sum is wrong"),
    ("lying-small-size", "docx", zips.lying_small, "refused", "declares 1,000 bytes, holds more"),
    ("lying-large-size", "zip", zips.lying_large, "either", "declares 4 GB, holds a few KB"),
    ("many-entries", "zip", zips.many_entries, "refused", "3,001 members"),
    ("path-traversal", "zip", zips.path_traversal, "either", "names with .."),
    ("absolute-names", "zip", zips.absolute_names, "either", "names from the root"),
    ("strange-names", "zip", zips.strange_names, "either", "long, reserved and reversed names"),
    ("symbolic-link", "zip", zips.symbolic_link, "either", "a link to a system file"),
    ("password", "docx", zips.password_protected, "refused", "encrypted by Word"),
    ("text-renamed", "docx", zips.text_as_docx, "refused", "a text file"),
    ("garbage", "doc", zips.garbage_doc, "refused", "noise"),
    ("garbage-compound", "doc", zips.garbage_compound, "refused", "noise behind the right magic"),
    ("compound-loop", "doc", zips.compound_loop, "refused", "a chain that leads to itself"),
    ("no-document", "docx", words.without("word/document.xml"), "refused", "no text"),
    ("no-styles", "docx", words.without("word/styles.xml"), "taken", "style ids still tell"),
    ("no-numbering", "docx", words.without("word/numbering.xml"), "taken", "no list needs it"),
    ("no-relationships", "docx", words.without("word/_rels/document.xml.rels"), "taken",
     "the text is whole, figures are lost"),
    ("no-media", "docx", words.without("word/media/image1.emf"), "taken", "a figure is missing"),
    ("entity-bomb", "docx", words.entity_bomb, "either", "entities of entities"),
    ("external-entity", "docx", words.external_entity, "either", "must not be followed"),
    ("deep-xml", "docx", words.deep_xml, "refused", "200,000 levels of elements"),
    ("deep-tables", "docx", words.deep_tables, "refused", "20,000 levels of tables"),
    ("deep-math", "docx", words.deep_math, "either", "5,000 levels of roots"),
    ("huge-text", "docx", words.huge_text, "either", "a run of 24 MB"),
    ("wide-cells", "docx", words.many_cells, "taken", "spans out of any range"),
    ("style-loop", "docx", words.style_loop, "taken", "styles in a circle"),
    ("broken-xml", "docx", words.broken_xml, "either", "the text ends in a tag"),
    ("bad-encoding", "docx", words.bad_encoding, "either", "not UTF-8"),
    ("bad-figures", "docx", words.bad_figures, "taken", "the document outlives its figures"),
    ("metafile-counts", "docx", words.metafile_counts, "taken", "counts beyond the record"),
    ("picture-bomb", "docx", words.picture_bomb, "either", "400 million dots"),
    ("escaping-target", "docx", words.escaping_target, "taken", "a picture outside the package"),
]


def files():
    """Yields (file name, bytes, entry of the index) for each kind; every one has its own number,
    so that none is taken for another part of the same document."""
    for index, (kind, ending, make, expectation, why) in enumerate(KINDS, 1):
        number = f"{index:03}"
        name = f"99{number}-i00_{kind}.{ending}"
        entry = {"kind": kind, "doc_number": f"99.{number}", "expect": expectation, "why": why}
        yield name, make(number), entry
