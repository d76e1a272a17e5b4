"""Seeds of documents: Word new and old, PDF, slides, workbooks, archives around them."""

import io
import re
import struct
import zipfile
import zlib
from pathlib import Path

from sample import cfb, hostile

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "data" / "sample"
WORD_PARTS = [
    "word/document.xml", "word/styles.xml", "word/numbering.xml", "word/footnotes.xml",
    "word/endnotes.xml", "word/_rels/document.xml.rels", "word/charts/chart1.xml",
    "word/diagrams/data1.xml", "word/diagrams/drawing1.xml",
]
SLIDE_PARTS = ["ppt/presentation.xml", "ppt/_rels/presentation.xml.rels", "ppt/slides/slide1.xml"]
SHEET_PARTS = [
    "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/worksheets/sheet1.xml",
    "xl/sharedStrings.xml", "xl/styles.xml", "xl/worksheets/_rels/sheet1.xml.rels",
]
# Paragraphs and tables of the sample's body that make one seed.
ITEMS_OF_A_SEED = 25
# Texts that are not Word packages, each after the byte that chooses its format.
TEXTS = [
    b"\0{\\rtf1{\\fonttbl{\\f1\\fcharset2 Symbol;}}{\\stylesheet{\\s1 heading 1;}}\\pard\\s1 1\\tab A\\par \\u8211?\\'e9}",
    b"\1<h1>1 A</h1><ol><li>x</ol><table><tr><td rowspan=2>a<td>b</table><pre>c</pre>2<sup>16</sup>",
    b"\2MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>a\n--b--",
    b"\3<p:package xmlns:p='http://schemas.microsoft.com/office/2006/xmlPackage'><p:part p:name='/a'><p:xmlData><b/>"
    b"</p:xmlData></p:part></p:package>",
]


def seeds():
    archives = [path.read_bytes() for path in sorted((SAMPLE / "archive").rglob("*.zip"))]
    contributions = [path.read_bytes() for path in sorted((SAMPLE / "mirror").rglob("*.zip"))]
    made = [data for name, data, _ in hostile.files() if len(data) < 60_000]
    packages = [data for data in made if is_package(data)]
    files = [data for archive in archives + contributions for data in members(archive)]
    packages += [data for data in files if is_package(data)]
    slides = [data for data in files if b"ppt/slides" in data]
    sheets = [path.read_bytes() for path in sorted(SAMPLE.rglob("*.xlsx"))]
    word = [data for data in packages if b"word/document.xml" in data]
    yield "word_package", word
    yield "word_xml", [*word_texts(word), *map(wrapped, SNIPPETS)]
    yield "word_legacy", [*legacy(), *[data for data in made if data.startswith(cfb.MAGIC)]]
    yield "word_text", TEXTS
    yield "specification", archives + made
    yield "contribution", contributions + files + [data for data in made if len(data) < 20_000]
    yield "slides", [joined(data, SLIDE_PARTS) for data in slides] + [SLIDE]
    yield "register_workbook", [*sheets, *[joined(data, SHEET_PARTS) for data in sheets], WORKBOOK]
    yield "packs", packs()
    yield "pdf", [data for data in files if data.startswith(b"%PDF")] + pdfs()


def packs():
    """The files of a folder of packs."""
    folder = ROOT / "tests" / "fixtures" / "packs-1"
    return [path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()]


def dictionaries():
    names = re.compile(r'"([a-z0-9]{1,4}:[A-Za-z0-9]{1,20})"')
    for target, crate in (("word_xml", "word"), ("slides", "extract")):
        words = set()
        for path in (ROOT / "crates" / crate / "src").rglob("*.rs"):
            words.update(names.findall(path.read_text(encoding="utf-8")))
        yield target, [*words, *(f"<{word}>" for word in words), *(f"</{word}>" for word in words)]
    yield "pdf", PDF_WORDS
    yield "register_workbook", ["<c r=\"A1\" t=\"s\">", "<v>", "</v></c>", "<row r=\"2\">",
                                "t=\"inlineStr\"", "t=\"d\"", "t=\"b\"", "t=\"e\"", "s=\"1\"", "XFD1048576"]


def is_package(data):
    return data.startswith(b"PK") and b"[Content_Types].xml" in data


def members(archive):
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return [opened.read(name) for name in opened.namelist()]


def joined(package, names):
    """Parts of a package behind each other, as the targets take them."""
    parts = []
    with zipfile.ZipFile(io.BytesIO(package)) as opened:
        for name in names:
            parts.append(opened.read(name) if name in opened.namelist() else b"")
    return b"\0".join(parts)


def word_texts(packages):
    """The parts of texts, their bodies in pieces."""
    for package in packages:
        try:
            body, *others = joined(package, WORD_PARTS).split(b"\0")
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError):
            continue
        if len(body) > 1_000_000:
            continue
        # The styles are long; a seed without them has their ids all the same.
        rest = b"\0".join([b"", *others[1:]])
        items = re.findall(rb"<w:p[ >].*?</w:p>|<w:tbl>.*?</w:tbl>", body, re.S)
        for at in range(0, min(len(items), 20 * ITEMS_OF_A_SEED), ITEMS_OF_A_SEED):
            yield document(b"".join(items[at : at + ITEMS_OF_A_SEED])) + b"\0" + rest
        yield document(b"".join(items[:5])) + b"\0" + b"\0".join(others)


def document(body):
    return b"<w:document><w:body>" + body + b"</w:body></w:document>"


def wrapped(snippet):
    body, *others = snippet.strip().encode().split(b"\n--\n")
    return b"\0".join([document(body), *others])


RELATIONS = """<Relationships><Relationship Id="r1" Target="charts/chart1.xml"/>\
<Relationship Id="r2" Target="diagrams/data1.xml"/><Relationship Id="r3" Target="diagrams/drawing1.xml"/>\
</Relationships>"""
STYLES = """<w:styles><w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="Normal"/></w:style>\
<w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 2"/><w:basedOn w:val="N"/><w:pPr><w:numPr>\
<w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="1"/></w:pPr><w:rPr><w:b/><w:rFonts \
w:ascii="Courier New"/></w:rPr></w:style></w:styles>"""
NUMBERING = """<w:numbering><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt \
w:val="upperRoman"/><w:lvlText w:val="%1."/><w:pStyle w:val="H"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="decimal"/>\
<w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/><w:lvlOverride \
w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num></w:numbering>"""
SNIPPETS = [
    # Lists, changes, fields, notes, symbols.
    """<w:p><w:pPr><w:pStyle w:val="H"/><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r>\
<w:rPr><w:b/><w:strike/><w:highlight w:val="green"/><w:vertAlign w:val="superscript"/></w:rPr><w:t>a</w:t><w:tab/>\
<w:noBreakHyphen/><w:sym w:font="Symbol" w:char="F061"/><w:footnoteReference w:id="2"/></w:r><w:ins><w:r><w:t>new</w:t>\
</w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:moveFrom><w:r><w:t>x</w:t></w:r></w:moveFrom>\
<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>SEQ Figure</w:instrText></w:r><w:r><w:br w:type="page"/>\
</w:r></w:p>
--
""" + STYLES + "\n--\n" + NUMBERING + """
--
<w:footnotes><w:footnote w:id="2"><w:p><w:r><w:t>a note</w:t></w:r></w:p></w:footnote></w:footnotes>""",
    # A table with spans, and one within it.
    """<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:trPr><w:gridBefore w:val="1"/><w:tblHeader/></w:trPr><w:tc><w:tcPr>\
<w:gridSpan w:val="2"/><w:vMerge w:val="restart"/><w:shd w:fill="00FF00"/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p>\
</w:tc></w:tr><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl><w:p/></w:tc>\
<w:tc><w:p><w:r><w:t>b|c</w:t></w:r></w:p></w:tc></w:tr></w:tbl>""",
    # Equations.
    """<w:p><m:oMath><m:f><m:fPr><m:type m:val="lin"/></m:fPr><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:rad>\
<m:deg/><m:e><m:r><m:t>b</m:t></m:r></m:e></m:rad></m:den></m:f><m:nary><m:naryPr><m:chr m:val="&#8721;"/>\
<m:limLoc m:val="undOvr"/></m:naryPr><m:sub><m:r><m:t>i</m:t></m:r></m:sub><m:sup/><m:e><m:sSubSup><m:e/><m:sub/>\
<m:sup/></m:sSubSup></m:e></m:nary><m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val=""/><m:sepChr m:val=";"/></m:dPr>\
<m:e/><m:e/></m:d><m:m><m:mr><m:e/><m:e/></m:mr></m:m><m:eqArr><m:e/></m:eqArr><m:acc><m:accPr><m:chr m:val="&#770;"/>\
</m:accPr><m:e/></m:acc><m:groupChr><m:e/></m:groupChr><m:limUpp><m:e/><m:lim/></m:limUpp><m:func><m:fName/><m:e/>\
</m:func><m:sPre><m:sub/><m:sup/><m:e/></m:sPre><m:bar><m:barPr><m:pos m:val="top"/></m:barPr><m:e/></m:bar></m:oMath></w:p>""",
    # A chart and a diagram.
    """<w:p><w:r><w:drawing><c:chart r:id="r1"/></w:drawing></w:r></w:p><w:p><w:r><w:drawing><dgm:relIds r:dm="r2"/>\
</w:drawing></w:r></w:p><w:p><w:r><w:t>Figure 1: x</w:t></w:r></w:p>
--

--

--

--

--
""" + RELATIONS + """
--
<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>T</a:t></a:r></a:p></c:rich></c:tx>\
</c:title><c:plotArea><c:barChart><c:barDir val="bar"/><c:grouping val="stacked"/><c:ser><c:tx><c:strRef><c:strCache>\
<c:ptCount val="1"/><c:pt idx="0"><c:v>s</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt \
idx="0"><c:v>x</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>4e3</c:v></c:pt>\
<c:pt idx="3"><c:v>-1</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser><c:axId val="1"/><c:axId val="2"/></c:barChart>\
<c:scatterChart><c:ser><c:xVal><c:numRef><c:numCache><c:pt idx="0"><c:v>1</c:v></c:pt></c:numCache></c:numRef></c:xVal>\
<c:yVal><c:numRef><c:numCache><c:pt idx="0"><c:v>0.1</c:v></c:pt></c:numCache></c:numRef></c:yVal></c:ser></c:scatterChart>\
<c:pieChart/><c:catAx><c:axId val="1"/><c:axPos val="b"/></c:catAx><c:valAx><c:axId val="2"/><c:axPos val="l"/><c:scaling>\
<c:logBase val="10"/><c:min val="0.1"/><c:max val="5"/></c:scaling></c:valAx></c:plotArea><c:legend/></c:chart></c:chartSpace>
--
<dgm:dataModel xmlns:dgm="d" xmlns:dsp="s"><dsp:dataModelExt relId="r3"/></dgm:dataModel>
--
<dsp:drawing><dsp:spTree><dsp:sp><dsp:spPr><a:xfrm rot="5400000"><a:off x="0" y="0"/><a:ext cx="900000" cy="400000"/></a:xfrm>\
<a:prstGeom prst="roundRect"/><a:solidFill><a:srgbClr val="ff0000"/></a:solidFill></dsp:spPr><dsp:txBody><a:p><a:r>\
<a:t>box</a:t></a:r></a:p></dsp:txBody></dsp:sp></dsp:spTree></dsp:drawing>""",
    # Shapes of both kinds.
    """<w:p><w:r><w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/><a:graphic><wpg:wgp><wpg:grpSpPr><a:xfrm><a:off x="0" \
y="0"/><a:ext cx="900" cy="900"/><a:chOff x="0" y="0"/><a:chExt cx="90" cy="90"/></a:xfrm></wpg:grpSpPr><wps:wsp><wps:spPr>\
<a:xfrm flipH="1"><a:off x="1" y="1"/><a:ext cx="30" cy="30"/></a:xfrm><a:custGeom><a:pathLst><a:path w="10" h="10"><a:moveTo>\
<a:pt x="0" y="0"/></a:moveTo><a:lnTo><a:pt x="9" y="9"/></a:lnTo><a:cubicBezTo><a:pt x="1" y="2"/><a:pt x="3" y="4"/><a:pt \
x="5" y="6"/></a:cubicBezTo><a:close/></a:path></a:pathLst></a:custGeom><a:ln w="9525"><a:prstDash val="dash"/><a:tailEnd \
type="triangle"/></a:ln></wps:spPr><wps:txbx><w:txbxContent><w:p><w:r><w:t>in</w:t></w:r></w:p></w:txbxContent></wps:txbx>\
</wps:wsp></wpg:wgp></a:graphic></wp:inline></w:drawing></w:r></w:p><w:p><w:r><w:pict><v:group style="width:90pt;height:60pt" \
coordsize="900,600" coordorigin="0,0"><v:rect style="position:absolute;left:10;top:10;width:300;height:100;rotation:90" \
fillcolor="red" strokecolor="#00f" strokeweight="2pt"><v:textbox><w:txbxContent><w:p><w:r><w:t>v</w:t></w:r></w:p>\
</w:txbxContent></v:textbox></v:rect><v:line from="0,0" to="900,600"><v:stroke endarrow="block" dashstyle="dash"/></v:line>\
<v:shape coordsize="100,100" path="m0,0l100,100c1,2,3,4,5,6xe" style="width:10;height:10"/><v:oval style="width:5;height:6"/>\
</v:group></w:pict></w:r></w:p>""",
]

SLIDE = b"\0".join([
    b'<p:presentation><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:presentation>',
    b'<Relationships><Relationship Id="rId1" Target="slides/slide1.xml"/></Relationships>',
    b'<p:sld><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:pPr '
    b'lvl="1"/><a:r><a:t>Proposal 1: x</a:t></a:r><a:br/><a:fld><a:t>2</a:t></a:fld></a:p></p:txBody></p:sp>'
    b'<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc gridSpan="2"><a:txBody><a:p><a:r><a:t>c</a:t></a:r>'
    b"</a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame></p:spTree></p:cSld></p:sld>",
])

WORKBOOK = b"\0".join([
    b'<workbook xmlns:r="r"><workbookPr date1904="0"/><sheets><sheet name="TDoc_List" sheetId="1" r:id="rId1"/></sheets></workbook>',
    b'<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" '
    b'Target="worksheets/sheet1.xml"/></Relationships>',
    b'<worksheet><dimension ref="A1:D3"/><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" '
    b't="inlineStr"><is><t>Source</t></is></c><c r="D1" t="str"><v>Uploaded</v></c></row><row r="2"><c r="A2" t="inlineStr"><is>'
    b'<t>R1-2600103</t></is></c><c r="B2"><v>4.5</v></c><c r="C2" t="b"><v>1</v></c><c r="D2" s="1"><v>45000.99999</v></c></row><row '
    b'r="3"><c r="A3" t="d"><v>2026-02-09T10:00:00</v></c><c r="B3" t="e"><v>#N/A</v></c></row></sheetData><mergeCells><mergeCell '
    b'ref="A1:B1"/></mergeCells><hyperlinks><hyperlink ref="A2" r:id="rId1"/></hyperlinks></worksheet>',
    b"<sst><si><t>TDoc</t></si><si><r><t>Ti</t></r><r><t>tle</t></r></si></sst>",
    b'<styleSheet><numFmts><numFmt numFmtId="165" formatCode="yyyy-mm-dd"/></numFmts><cellXfs><xf numFmtId="0"/><xf '
    b'numFmtId="22"/></cellXfs></styleSheet>',
    b'<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" '
    b'Target="https://www.3gpp.org/ftp/x.zip" TargetMode="External"/></Relationships>',
])


def legacy():
    """Texts of Word 97: the length of the text's stream, that stream, and the table's."""
    text = "1\tScope\rA text of a line.\r2\tTerms\rcell\x07cell\x07\x07\x13 TOC \x14x\x15\x0c"
    for is_wide in (True, False):
        raw = text.encode("utf-16-le" if is_wide else "cp1252")
        start, page = 0x600, 0x800
        # One run of paragraphs, each with a style and a few properties, at the end of their page.
        ends = [start + (2 if is_wide else 1) * (at + 1) for at, c in enumerate(text) if c in "\r\x07\x0c"]
        places = [start, *ends]
        papx = struct.pack(f"<{len(places)}I", *places)
        papx += b"".join(struct.pack("<B12x", (480 - 16 * at) // 2) for at in range(len(ends)))
        fkp = bytearray(papx.ljust(511, b"\0") + bytes([len(ends)]))
        for at in range(len(ends)):
            here = 480 - 16 * at
            fkp[here : here + 12] = struct.pack("<BHHBHBHB", 6, at % 3, 0x2416, 1, 0x2417, 1, 0x260A, at % 2)
        # The piece table: one piece.
        place = start if is_wide else start * 2 | 0x40000000
        clx = struct.pack("<BIIIHIH", 2, 16, 0, len(text), 0, place, 0)
        sheet = style_sheet()
        table = clx + struct.pack("<III", start, ends[-1], page // 512) + sheet
        fib = bytearray(0x600)
        fields = {0x00: 0x00C1A5EC, 0x0A: 1 << 9, 0x18: start, 0x1C: start + len(raw), 0x4C: len(text),
                  0x1A2: 0, 0x1A6: len(clx), 0x102: len(clx), 0x106: 12, 0xA2: len(clx) + 12, 0xA6: len(sheet)}
        for at, value in fields.items():
            fib[at : at + 4] = struct.pack("<I", value)
        fib[0x20:0x22] = struct.pack("<H", 14)
        fib[0x3E:0x40] = struct.pack("<H", 22)
        fib[0x98:0x9A] = struct.pack("<H", 0x5D)
        stream = bytes(fib) + raw.ljust(page - start, b"\0") + bytes(fkp)
        yield struct.pack("<H", len(stream)) + stream + table
        yield cfb.pack([("1Table", table), ("WordDocument", stream)])


def style_sheet():
    head = struct.pack("<HHHHHHHHHH", 18, 3, 10, 0, 0, 3, 0, 0, 0, 0)[:20]
    sheet = head
    for number, name in enumerate(("Normal", "heading 1", "toc 1")):
        written = struct.pack("<H", len(name)) + name.encode("utf-16-le") + b"\0\0"
        style = struct.pack("<HHHHH", number, 0xFFF1, 0, 0, 0) + written
        sheet += struct.pack("<H", len(style)) + style
    return sheet


PDF_WORDS = ["obj", "endobj", "stream\n", "endstream", "xref", "trailer", "startxref", "/Type", "/Page", "/Pages", "/Kids",
             "/Font", "/Subtype", "/Type0", "/Type1", "/Type3", "/TrueType", "/CIDFontType2", "/DescendantFonts", "/ToUnicode",
             "/Encoding", "/Differences", "/Widths", "/FirstChar", "/LastChar", "/W", "/DW", "/Identity-H", "/FontDescriptor",
             "/FontFile2", "/FontFile3", "/Filter", "/FlateDecode", "/LZWDecode", "/ASCII85Decode", "/ASCIIHexDecode",
             "/DecodeParms", "/Predictor", "/Columns", "/ObjStm", "/XRef", "/Index", "/Length", "/MediaBox", "/Resources",
             "/XObject", "/Form", "/ExtGState", "/ColorSpace", "/ICCBased", "/Separation", "/DeviceN", "/Function", "/Encrypt",
             "BT", "ET", "Tf", "Tj", "TJ", "Td", "TD", "Tm", "T*", "cm", "re", "gs", "cs", "scn", "Do", "beginbfchar",
             "endbfchar", "beginbfrange", "begincodespacerange", "/Contents 4 0 R", "1 0 R", "<</", ">>"]


def pdfs():
    """PDFs with what the sample's do not have."""
    cmap = (b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange "
            b"2 beginbfrange <0000> <0010> <0041> <0011> <0012> [<0061> <00620063>] endbfrange 1 beginbfchar <0020> "
            b"<0020> endbfchar endcmap end")
    fonts = [
        b"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [5 0 R] /ToUnicode 6 0 R >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 32 /LastChar 34 /Widths [300 400 500] /Encoding "
        b"<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [65 /alpha /beta 70 /g12] >> >>",
        b"<< /Type /Font /Subtype /Type3 /FontMatrix [0.1 0 0 0.1 0 0] /FontBBox [0 0 9 9] /CharProcs << /a 6 0 R >> /Encoding "
        b"<< /Differences [65 /a] >> /FirstChar 65 /LastChar 65 /Widths [9] >>",
    ]
    text = (b"q 1 0 0 1 5 5 cm BT /F1 11 Tf 14 TL 72 700 Td <00010002> Tj [(AB) -200 (\\101\\n)] TJ T* (x) ' 1 2 (y) \" ET Q\n"
            b"/CS0 cs 0.5 scn 0 0 10 10 re f /G0 gs /X0 Do")
    resources = (b"<< /Font << /F1 3 0 R >> /ColorSpace << /CS0 [/Separation /Spot /DeviceRGB << /FunctionType 2 /N 1 /C0 [0 0 0] "
                 b"/C1 [1 1 1] /Domain [0 1] >>] >> /ExtGState << /G0 << /CA 0.5 >> >> /XObject << /X0 8 0 R >> >>")
    made = []
    for font in fonts:
        for stream in (stored, deflated):
            made.append(pdf_of([
                b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [7 0 R] /Count 1 /Rotate 90 >>", font,
                stream(b"", text),
                b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /DW 500 /W [1 [300 400] 5 9 600] /CIDSystemInfo << /Registry "
                b"(Adobe) /Ordering (Identity) /Supplement 0 >> >>",
                stream(b"", cmap),
                b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents [4 0 R] /Resources " + resources + b" >>",
                stream(b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << >>", b"BT (in) Tj ET"),
            ]))
    return made


def stored(fields, data):
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), fields, data)


def deflated(fields, data):
    return stored(b"/Filter /FlateDecode " + fields, zlib.compress(data))


def pdf_of(objects):
    out, places = b"%PDF-1.5\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
