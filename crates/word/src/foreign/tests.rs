//! What is read of texts that are not packages.

use std::io::Cursor;

use super::*;
use crate::{DocxReadOptions, TrackedChanges, read_docx};
use document::{Archive, UnpackBudget};
use document_model::print_blocks;

/// The headings and texts of a document.
fn printed(document: &Document) -> Vec<String> {
    let section = |section: &document::Section| {
        let texts = print_blocks(&section.blocks).into_iter().map(|block| block.text);
        let heading = format!("# {} {}", section.number, section.title);
        std::iter::once(heading).chain(texts).collect::<Vec<_>>()
    };
    document.sections.iter().flat_map(section).collect()
}

fn texts(bytes: &[u8], format: TextFormat) -> Vec<String> {
    printed(&read_text(bytes, format, "t.doc", &Limits::default()).expect("a text"))
}

#[test]
fn formats_are_detected_by_their_beginning() {
    let utf_16: Vec<u8> =
        "\u{feff}<html><body>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (beginning, format) in [
        (&b"{\\rtf1\\ansi"[..], Some(TextFormat::RichText)),
        (b"\xef\xbb\xbf \n<HTML>", Some(TextFormat::WebPage)),
        (b"<!-- saved --><!DOCTYPE html>", Some(TextFormat::WebPage)),
        (
            b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>",
            Some(TextFormat::WebPage),
        ),
        (&utf_16, Some(TextFormat::WebPage)),
        (b"MIME-Version: 1.0\r\nContent-Type: multipart/related", Some(TextFormat::WebArchive)),
        (b"From: <Saved by X>\r\nSubject:\r\nMIME-Version: 1.0", Some(TextFormat::WebArchive)),
        (
            b"<pkg:package xmlns:pkg='http://schemas.microsoft.com/office/2006/xmlPackage'>",
            Some(TextFormat::FlatPackage),
        ),
        (
            b"<wordDocument xmlns='http://schemas.microsoft.com/office/word/2003/wordml'>",
            Some(TextFormat::Word2003),
        ),
        (b"<?xml version='1.0'?><other/>", None),
        (b"Note: the MIME-Version: field", None),
        (b"plain text", None),
        (b"", None),
    ] {
        assert_eq!(TextFormat::detect(beginning), format, "{}", String::from_utf8_lossy(beginning));
    }
}

#[test]
fn pages_are_headings_paragraphs_lists_and_tables() {
    let page = |body: &str| {
        texts(format!("<html><body>{body}</body></html>").as_bytes(), TextFormat::WebPage)
    };
    for (body, expected) in [
        (
            "<h1>1 Scope</h1><p>The  text\nof &lt;it&gt;<p>next",
            vec!["# 1 Scope", "The text of <it>", "next"],
        ),
        (
            "<h1>1<span style='mso-tab-count:1'>&nbsp; </span>Scope</h1><h2>1.1 Sub</h2>a<br>b",
            vec!["# 1 Scope", "# 1.1 Sub", "a\nb"],
        ),
        (
            "<h1>1 A</h1><ul><li>one<li><p>two</p></ul><ol start=3><li>three</ol>",
            vec!["# 1 A", "- one", "- two", "3. three"],
        ),
        (
            "<h1>1 A</h1><table><tr><th>N<th>V<tr><td rowspan=2>a<td>1<tr><td>2</table>after",
            vec!["# 1 A", "| N | V |\n|---|---|\n| a | 1 |\n| a | 2 |", "after"],
        ),
        (
            "<h1>1 A</h1><style>p {}</style><script>if (a<b) x</script><p hidden>no</p>\
             <p style='Display: none'>no<p>yes <del>gone</del>2<sup>16</sup>",
            vec!["# 1 A", "yes 2^16"],
        ),
        ("<h1>1 A</h1><ul><li>a<p hidden>no</ul>b", vec!["# 1 A", "- a", "b"]),
        ("<h1>1 A</h1><p hidden>no<table><tr><td>yes</table>", vec!["# 1 A", "yes"]),
        ("<h1>1 A</h1><pre>a ::= {\n  b\n}</pre>", vec!["# 1 A", "```\na ::= {\n  b\n}\n```"]),
        (
            "<h1>1 A</h1><table><tr><th>a<th>b</tr><tr><td rowspan=3>T<td>1</tr><tr><td>2</tr><tr><td>3</tr>\
             <tr><td>5<td>6</tr></table>",
            vec!["# 1 A", "| a | b |\n|---|---|\n| T | 1 |\n| T | 2 |\n| T | 3 |\n| 5 | 6 |"],
        ),
        (
            "<h1>1 A</h1><p>a<embed src=x hidden>b<br style='mso-tab-count:1'>c",
            vec!["# 1 A", "ab\nc"],
        ),
    ] {
        assert_eq!(page(body), expected, "{body}");
    }
}

#[test]
fn pages_are_decoded_as_they_declare() {
    let body = |bytes: &[u8]| texts(bytes, TextFormat::WebPage).pop().unwrap_or_default();
    assert_eq!(body(b"<h1>1 A</h1>caf\xc3\xa9"), "caf\u{e9}");
    assert_eq!(body(b"<h1>1 A</h1>caf\xe9 \x80"), "caf\u{e9} \u{20ac}");
    assert_eq!(body(b"<meta charset=\"iso-8859-2\"><h1>1 A</h1>\xb1"), "\u{105}");
    let word =
        b"<meta http-equiv=Content-Type content='text/html; charset=windows-1251'><h1>1 A</h1>\xe4";
    assert_eq!(body(word), "\u{434}");
    for charset in ["utf-16", "iso-2022-kr", "unknown"] {
        let page = format!("<meta charset={charset}><h1>1 A</h1>caf\u{e9}");
        assert_eq!(body(page.as_bytes()), "caf\u{e9}", "{charset}");
    }
    let wide: Vec<u8> = "<h1>1 A</h1>caf\u{e9}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(body(&wide), "caf\u{e9}");
}

#[test]
fn web_archives_are_read_from_their_page() {
    let archive = |kind: &str, encoding: &str, page: &str| {
        let text = format!(
            "From: <Saved>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\tboundary=\"--=_x\"\r\n\r\nignored\r\n\
             ----=_x\r\nContent-Type: image/png\r\n\r\nPNG\r\n----=_x\r\nContent-Type: {kind}\r\n\
             Content-Transfer-Encoding: {encoding}\r\n\r\n{page}\r\n----=_x--\r\n"
        );
        texts(text.as_bytes(), TextFormat::WebArchive)
    };
    let expected = ["# 1 A", "caf\u{e9} end"];
    for (kind, encoding, page) in [
        ("text/html; charset=\"utf-8\"", "quoted-printable", "<h1>1 A</h1>caf=C3=A9 e=\r\nnd"),
        ("text/html; charset=windows-1252", "Quoted-Printable", "<h1>1 A</h1>caf=e9 end"),
        ("text/html; charset=utf-8", "base64", "PGgxPjEgQTwv\r\naDE+Y2Fmw6kgZW5k"),
        ("text/html; charset=utf-8", "base64", "PGgxPjEgQTwv\r\naDE+Y2Fmw6kgZW5kIA"),
        ("text/html", "8bit", "<h1>1 A</h1>caf\u{e9} end"),
        ("text/html", "8bit", "<h1>1 A</h1>caf\u{e9}\r\n<!--\r\n----=_xyz-->\r\nend"),
    ] {
        assert_eq!(archive(kind, encoding, page), expected, "{kind} {encoding}");
    }
    let nothing = archive_without_text();
    let read = read_text(nothing, TextFormat::WebArchive, "t.mht", &Limits::default());
    assert!(matches!(read, Err(ExtractError::Unsupported { .. })));
}

fn archive_without_text() -> &'static [u8] {
    b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x\nContent-Type: image/png\n\nPNG\n--x--\n"
}

#[test]
fn rich_text_is_headings_paragraphs_labels_and_tables() {
    let head = "{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fcharset0 Times;}{\\f1\\fcharset2 Symbol;}\
                {\\f2\\fcharset238 Arial CE;}}{\\stylesheet{\\s0 Normal;}{\\s1\\outlinelevel0 heading 1,h1;}}\
                {\\*\\generator x}{\\header no}\\pard\\s1 1\\tab A\\par\\pard ";
    let read = |body: &str| texts(format!("{head}{body}}}").as_bytes(), TextFormat::RichText);
    for (body, expected) in [
        ("one\\par two {\\b bold}\r\n\\par", vec!["one", "two bold"]),
        (
            "caf\\'e9 \\u8211?\\u-10179?\\u-8704? {\\f2\\'b9}{\\f1 W}",
            vec!["caf\u{e9} \u{2013}\u{1f600} \u{105}\u{3a9}"],
        ),
        ("{\\uc2\\u8804<=}{\\uc0\\u8805}\\u8800\\'21end", vec!["\u{2264}\u{2265}\u{2260}end"]),
        ("a{\\v hidden}{\\deleted gone}{\\field{\\*\\fldinst REF}{\\fldrslt b}}", vec!["ab"]),
        (
            "{\\listtext\\f1\\'b7\\tab}item\\par{\\pntext 1.\\tab}first\\par",
            vec!["- item", "1. first"],
        ),
        ("see{\\footnote a note.\\par more} it", vec!["see [a note. more] it"]),
        ("2{\\super 16}{\\pict\\bin3 }}}}x\\line y\\~z", vec!["2^16x\ny z"]),
        (
            "\\trowd\\cellx1\\cellx2\\pard\\intbl N\\cell V\\cell\\row\\intbl a\\cell b\\par c\\cell\\row\\pard after\\par",
            vec!["| N | V |\n|---|---|\n| a | b<br>c |", "after"],
        ),
        ("\\s1\\outlinelevel0 2\\tab B\\par\\pard x \\\\\\{\\}", vec!["# 2 B", "x \\{}"]),
    ] {
        let expected: Vec<&str> = std::iter::once("# 1 A").chain(expected).collect();
        assert_eq!(read(body), expected, "{body}");
    }
}

#[test]
fn damaged_and_endless_texts_are_errors() {
    let read = |bytes: &[u8]| read_text(bytes, TextFormat::RichText, "t.rtf", &Limits::default());
    assert!(matches!(read(b"{\\rtf1 cut {off"), Err(ExtractError::Damaged { .. })));
    let deep = [b"{\\rtf1".as_slice(), "{".repeat(5000).as_bytes()].concat();
    assert!(matches!(read(&deep), Err(ExtractError::Damaged { .. })));
    let tables = "<table><tr><td>".repeat(100);
    let read = read_text(tables.as_bytes(), TextFormat::WebPage, "t.htm", &Limits::default());
    assert!(matches!(read, Err(ExtractError::Limit { bound: LimitKind::TableDepth, .. })));
    let cells = format!("<table><tr>{}", "<td rowspan=9999>x<td><tr>".repeat(1000));
    let limits = Limits { table_cells: 2000, ..Limits::default() };
    let read = read_text(cells.as_bytes(), TextFormat::WebPage, "t.htm", &limits);
    assert!(matches!(read, Err(ExtractError::Limit { bound: LimitKind::TableCells, .. })));
}

#[test]
fn forms_of_word_in_one_file_are_rebuilt_as_packages() {
    const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    let body = "<w:body><w:p><w:pPr><w:pStyle w:val=\"X\"/></w:pPr><w:r><w:t>1 A &amp; B</w:t></w:r></w:p>\
                <w:p><w:r><w:t>text</w:t></w:r></w:p></w:body>";
    let styles = "<w:styles><w:style w:type=\"paragraph\" w:styleId=\"X\"><w:name w:val=\"heading 1\"/></w:style></w:styles>";
    let flat = |style_part: &str| {
        format!(
            "<p:package xmlns:p=\"http://schemas.microsoft.com/office/2006/xmlPackage\">\
             <p:part p:name=\"/word/document.xml\"><p:xmlData><w:document xmlns:w=\"{WORD}\">{body}</w:document></p:xmlData>\
             </p:part><p:part p:name=\"/word/styles.xml\">{style_part}</p:part></p:package>"
        )
    };
    use base64::{Engine, engine::general_purpose::STANDARD};
    let binary = format!("<p:binaryData>\n{}\n</p:binaryData>", STANDARD.encode(styles));
    let one = format!(
        "<?xml version=\"1.0\"?><w:wordDocument xmlns:w=\"http://schemas.microsoft.com/office/word/2003/wordml\">{styles}{body}\
         </w:wordDocument>"
    );
    for (file, format) in [
        (flat(&format!("<p:xmlData>{styles}</p:xmlData>")), TextFormat::FlatPackage),
        (flat(&binary), TextFormat::FlatPackage),
        (one, TextFormat::Word2003),
    ] {
        assert_eq!(TextFormat::detect(file.as_bytes()), Some(format));
        let limits = Limits::default();
        let package =
            rebuild_package(file.as_bytes(), format, "t.doc", &limits).expect("a package");
        let mut archive = Archive::open_zip(Cursor::new(package), "t.doc", &limits).expect("a zip");
        let budget = UnpackBudget::new(&limits);
        let tracked = TrackedChanges::Accepted;
        let options = DocxReadOptions { limits: &limits, budget: &budget, figures: false, tracked };
        let document = read_docx(&mut archive, "t.doc", options).expect("a document");
        assert_eq!(printed(&document), ["# 1 A & B", "text"], "{file}");
    }
}

#[test]
fn damage_in_a_text_is_no_panic() {
    let samples: [(&[u8], TextFormat); 3] = [
        (
            b"{\\rtf1\\ansicpg932{\\fonttbl{\\f1\\fcharset2 Symbol;}}{\\stylesheet{\\s1 heading 1;}}\\pard\\s1 1\\tab A\\par\
              \\u-10179?\\u-8704?{\\listtext\\f1\\'b7\\tab}x{\\footnote n\\par}\\trowd\\intbl a\\cell\\row\\bin2 }}\\pard z\\par}",
            TextFormat::RichText,
        ),
        (
            b"<meta charset=utf-8><h1>1 A</h1><ol start=2><li>x<p hidden>y</ol><table><tr><td rowspan=3 colspan=2>a<td>b\
              </table><pre>c\nd</pre>2<sup>16</sup><span style='mso-tab-count:1'> </span>",
            TextFormat::WebPage,
        ),
        (
            b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=\"b\"\n\n--b\nContent-Type: text/html\n\
              Content-Transfer-Encoding: quoted-printable\n\n<p>a=3D=\nb</p>\n--b--\n",
            TextFormat::WebArchive,
        ),
    ];
    let mut state = 65;
    let mut random =
        |below: usize| (splitmix64::next_splitmix64(&mut state) % below as u64) as usize;
    let limits = Limits::default();
    for (sample, format) in samples {
        assert!(read_text(sample, format, "t.doc", &limits).is_ok(), "{format:?}");
        for _ in 0..3000 {
            let mut damaged = sample.to_vec();
            for _ in 0..=random(4) {
                if damaged.is_empty() {
                    break;
                }
                let at = random(damaged.len());
                match random(3) {
                    0 => damaged[at] = random(256) as u8,
                    1 => {
                        damaged.remove(at);
                    }
                    _ => damaged.truncate(at.max(1)),
                }
            }
            let _ = read_text(&damaged, format, "t.doc", &limits);
            let _ = TextFormat::detect(&damaged);
        }
    }
}
