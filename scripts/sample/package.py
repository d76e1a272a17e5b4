"""One Word file: the parts around the body and the package that holds them."""

import re

from . import archive, cover
from .media import REL, Media
from .runs import plain
from .styles import styles_xml
from .word import LIST_ID, Page

DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"
NAMESPACES = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in [
        ("w", "http://schemas.openxmlformats.org/wordprocessingml/2006/main"),
        ("r", REL),
        ("m", f"{OFFICE}/math"),
        ("v", "urn:schemas-microsoft-com:vml"),
        ("o", "urn:schemas-microsoft-com:office:office"),
        ("wp", f"{DRAWING}/wordprocessingDrawing"),
        ("a", f"{DRAWING}/main"),
        ("pic", f"{DRAWING}/picture"),
        ("mc", "http://schemas.openxmlformats.org/markup-compatibility/2006"),
        ("wps", "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"),
    ]
)
WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
MEDIA_TYPES = {
    "rels": "application/vnd.openxmlformats-package.relationships+xml",
    "xml": "application/xml",
    "png": "image/png",
    "emf": "image/x-emf",
    "wmf": "image/x-wmf",
    "vsdx": "application/vnd.ms-visio.drawing",
    "bin": "application/vnd.openxmlformats-officedocument.oleObject",
}
PARTS = {"document": "document.main", "styles": "styles", "numbering": "numbering",
         "header1": "header", "footer1": "footer"}
SECTION_END = (
    '<w:sectPr><w:headerReference w:type="default" r:id="{header}"/>'
    '<w:footerReference w:type="default" r:id="{footer}"/>'
    '<w:pgSz w:w="11907" w:h="16840"/><w:pgMar w:top="1416" w:right="1133" w:bottom="1133" '
    'w:left="1133" w:header="850" w:footer="340" w:gutter="0"/></w:sectPr>'
)


def docx(source, version, blocks, front=None):
    """The bytes of a Word file; `front` lists the blocks of its table of contents, when it
    carries the cover."""
    locale = source.one("styles")
    media = Media(version.date)
    links = [media.relate(kind, f"{target}.xml") for kind, target in (
        ("styles", "styles"), ("numbering", "numbering"), ("header", "header1"),
        ("footer", "footer1"))]
    page = Page(locale, media, source.doc_type)
    body = ""
    if front is not None:
        body = cover.cover(page, source, version) + cover.contents(page, source, front)
    body += page.body(blocks) + SECTION_END.format(header=links[2], footer=links[3])
    document = f"<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>"
    head = page.styled("header", plain(cover.title_line(source, version)))
    foot = page.styled("footer", plain("Specbox Sample Corpus"))
    parts = [
        ("[Content_Types].xml", content_types()),
        ("_rels/.rels", relationships([("rId1", f"{REL}/officeDocument", "word/document.xml")])),
        ("word/document.xml", document),
        ("word/_rels/document.xml.rels", relationships(media.relationships)),
        ("word/styles.xml", styles_xml(locale, NAMESPACES)),
        ("word/numbering.xml", numbering()),
        ("word/header1.xml", f"<w:hdr {NAMESPACES}>{head}</w:hdr>"),
        ("word/footer1.xml", f"<w:ftr {NAMESPACES}>{foot}</w:ftr>"),
        ("docProps/core.xml", core_properties(source, version)),
    ]
    encoded = [(name, (DECLARATION + text).encode()) for name, text in parts]
    return archive.pack(encoded + media.parts, version.date)


def content_types():
    defaults = "".join(
        f'<Default Extension="{extension}" ContentType="{kind}"/>'
        for extension, kind in MEDIA_TYPES.items()
    )
    overrides = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{WORD_TYPE}.{kind}+xml"/>'
        for name, kind in PARTS.items()
    )
    core = (
        '<Override PartName="/docProps/core.xml" '
        'ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>'
    )
    uri = "http://schemas.openxmlformats.org/package/2006/content-types"
    return f'<Types xmlns="{uri}">{defaults}{overrides}{core}</Types>'


def relationships(items):
    body = "".join(
        f'<Relationship Id="{rid}" Type="{kind}" Target="{target}"/>' for rid, kind, target in items
    )
    if any(target == "word/document.xml" for _, _, target in items):
        kind = "http://schemas.openxmlformats.org/package/2006/relationships/metadata"
        body += (f'<Relationship Id="rId2" Type="{kind}/core-properties" '
                 'Target="docProps/core.xml"/>')
    uri = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<Relationships xmlns="{uri}">{body}</Relationships>'


def numbering():
    """One list: 1), 2), ... and a), b), ... below."""
    levels = "".join(
        f'<w:lvl w:ilvl="{index}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
        f'<w:lvlText w:val="%{index + 1})"/><w:lvlJc w:val="left"/></w:lvl>'
        for index, form in enumerate(["decimal", "lowerLetter"])
    )
    return (
        f'<w:numbering {NAMESPACES}><w:abstractNum w:abstractNumId="0">'
        f'<w:multiLevelType w:val="multilevel"/>{levels}</w:abstractNum>'
        f'<w:num w:numId="{LIST_ID}"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
    )


def core_properties(source, version):
    uri = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
    title = f"{source.doc_type} {source.doc_number} V{version}"
    stamp = f"{version.date}-15T12:00:00Z"
    instance = "http://www.w3.org/2001/XMLSchema-instance"
    return (
        f'<cp:coreProperties xmlns:cp="{uri}" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        f'xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="{instance}">'
        f"<dc:title>{title}</dc:title><dc:creator>Specbox sample</dc:creator>"
        f'<dcterms:created xsi:type="dcterms:W3CDTF">{stamp}</dcterms:created>'
        "</cp:coreProperties>"
    )


def file_name(source, version, suffix=""):
    return re.sub(r"\.", "", source.doc_number) + f"-{version.code}{suffix}"
