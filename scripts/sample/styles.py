"""The styles of a specification: names, what they build on, and the ids Word gives them."""

# name, the style it builds on, paragraph properties, run properties
PARAGRAPH_STYLES = [
    ("Normal", "", '<w:spacing w:after="180"/>', ""),
    *[
        (f"heading {n}", "heading 1" if n > 1 else "",
         f'<w:keepNext/><w:ind w:left="1134" w:hanging="1134"/><w:outlineLvl w:val="{n - 1}"/>',
         f'<w:rFonts w:ascii="Arial" w:hAnsi="Arial"/><w:sz w:val="{max(20, 40 - 4 * n)}"/>')
        for n in range(1, 10)
    ],
    ("H6", "heading 5", '<w:ind w:left="1985" w:hanging="1985"/><w:outlineLvl w:val="9"/>', ""),
    ("TT", "heading 1", '<w:outlineLvl w:val="9"/>', ""),
    *[
        (f"toc {n}", "toc 1" if n > 1 else "",
         '<w:tabs><w:tab w:val="right" w:leader="dot" w:pos="9639"/></w:tabs>', "")
        for n in range(1, 10)
    ],
    ("List", "Normal", '<w:ind w:left="568" w:hanging="284"/>', ""),
    ("List 2", "List", '<w:ind w:left="851"/>', ""),
    ("List 3", "List 2", '<w:ind w:left="1135"/>', ""),
    ("B1", "List", "", ""),
    ("B2", "List 2", "", ""),
    ("B3", "List 3", "", ""),
    ("B4", "List 3", '<w:ind w:left="1418"/>', ""),
    ("NO", "Normal", '<w:keepLines/><w:ind w:left="1135" w:hanging="851"/>', ""),
    ("EX", "Normal", '<w:keepLines/><w:ind w:left="1702" w:hanging="1418"/>', ""),
    ("EW", "EX", '<w:spacing w:after="0"/>', ""),
    ("FP", "Normal", '<w:spacing w:after="0"/>', ""),
    ("Editor's Note", "NO", "", '<w:color w:val="FF0000"/>'),
    ("TH", "Normal", '<w:keepNext/><w:jc w:val="center"/>', "<w:b/>"),
    ("TF", "TH", '<w:keepNext w:val="0"/><w:spacing w:after="240"/>', ""),
    ("TAL", "Normal", '<w:keepNext/><w:spacing w:after="0"/>', '<w:sz w:val="18"/>'),
    ("TAC", "TAL", '<w:jc w:val="center"/>', ""),
    ("TAR", "TAL", '<w:jc w:val="right"/>', ""),
    ("TAH", "TAC", "", "<w:b/>"),
    ("TAN", "TAL", '<w:ind w:left="851" w:hanging="851"/>', ""),
    ("PL", "", '<w:shd w:val="clear" w:color="auto" w:fill="E6E6E6"/>',
     '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/><w:noProof/><w:sz w:val="16"/>'),
    ("EQ", "Normal", '<w:tabs><w:tab w:val="center" w:pos="4536"/></w:tabs>', ""),
    ("ZA", "", '<w:jc w:val="right"/>', '<w:noProof/><w:sz w:val="40"/>'),
    ("ZB", "", '<w:jc w:val="right"/>', '<w:i/><w:noProof/>'),
    ("ZT", "", '<w:jc w:val="right"/>', '<w:b/><w:sz w:val="34"/>'),
    ("ZU", "", '<w:jc w:val="right"/>', ""),
    ("header", "", "", '<w:b/><w:sz w:val="18"/>'),
    ("footer", "header", '<w:jc w:val="center"/>', "<w:i/>"),
]
BUILT_IN = ("Normal", "heading ", "toc ", "List", "header", "footer")


def style_id(name, locale=""):
    """The id of a style: what an English, German or Chinese Word writes."""
    word, _, digit = name.partition(" ")
    if locale == "german":
        local = {"heading": "berschrift", "toc": "Verzeichnis", "Normal": "Standard",
                 "List": "Liste", "header": "Kopfzeile", "footer": "Fuzeile"}
        return local[word] + digit if word in local else name.replace(" ", "").replace("'", "")
    if locale == "numeric" and word in ("heading", "Normal"):
        return "a" if word == "Normal" else digit if digit in ("1", "8") else digit + "0"
    if word == "toc":
        return f"TOC{digit}"
    return (word[0].upper() + name[1:]).replace(" ", "").replace("'", "")


def styles_xml(locale, namespaces):
    """The part `word/styles.xml`."""
    styles = "".join(paragraph_style(row, locale) for row in PARAGRAPH_STYLES)
    return (
        f"<w:styles {namespaces}><w:docDefaults><w:rPrDefault><w:rPr>"
        '<w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman"/>'
        '<w:lang w:val="en-GB"/></w:rPr></w:rPrDefault></w:docDefaults>'
        f"{styles}"
        '<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont">'
        '<w:name w:val="Default Paragraph Font"/></w:style>'
        '<w:style w:type="character" w:customStyle="1" w:styleId="ZGSM"><w:name w:val="ZGSM"/>'
        "</w:style>"
        '<w:style w:type="table" w:default="1" w:styleId="TableNormal">'
        '<w:name w:val="Normal Table"/></w:style></w:styles>'
    )


def paragraph_style(row, locale):
    name, base, paragraph, run = row
    custom = "" if name.startswith(BUILT_IN) else ' w:customStyle="1"'
    default = ' w:default="1"' if name == "Normal" else ""
    based = f'<w:basedOn w:val="{style_id(base, locale)}"/>' if base else ""
    inner = f"<w:pPr>{paragraph}</w:pPr>" if paragraph else ""
    inner += f"<w:rPr>{run}</w:rPr>" if run else ""
    return (
        f'<w:style w:type="paragraph"{default}{custom} w:styleId="{style_id(name, locale)}">'
        f'<w:name w:val="{name}"/>{based}<w:qFormat/>{inner}</w:style>'
    )
