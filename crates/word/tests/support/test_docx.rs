//! Small documents and archives, built in the test that reads them.

use std::io::{Cursor, Write};

use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

const CONTENT_TYPES: &str = r#"<?xml version="1.0"?>
    <Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#;

/// A document made of parts.
pub(crate) struct TestDocx {
    parts: Vec<(String, Vec<u8>)>,
}

impl TestDocx {
    /// A document with the given XML in its body, and the styles of a specification.
    pub(crate) fn new(body: &str) -> Self {
        let document =
            format!("<?xml version=\"1.0\"?><w:document><w:body>{body}</w:body></w:document>");
        Self { parts: Vec::new() }
            .part("[Content_Types].xml", CONTENT_TYPES)
            .part("word/styles.xml", &styles())
            .part("word/document.xml", &document)
    }

    /// Adds or replaces a part.
    pub(crate) fn part(self, name: &str, content: &str) -> Self {
        self.binary_part(name, content.as_bytes())
    }

    /// Adds or replaces a part that is not text.
    pub(crate) fn binary_part(mut self, name: &str, content: &[u8]) -> Self {
        self.parts.retain(|(known, _)| known != name);
        self.parts.push((name.to_owned(), content.to_vec()));
        self
    }

    /// The bytes of the file.
    pub(crate) fn build(&self) -> Vec<u8> {
        let parts: Vec<(&str, &[u8])> =
            self.parts.iter().map(|(name, content)| (name.as_str(), content.as_slice())).collect();
        zip_of(&parts)
    }
}

/// An archive of the given members.
pub(crate) fn zip_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, content) in members {
        writer.start_file(*name, options).expect("a name");
        writer.write_all(content).expect("memory");
    }
    writer.finish().expect("memory").into_inner()
}

/// A paragraph of a style, without special characters in its text; a tab is written as `\t`.
pub(crate) fn paragraph(style: &str, text: &str) -> String {
    let runs = text.replace('\t', "</w:t><w:tab/><w:t>").replace('\n', "</w:t><w:br/><w:t>");
    format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:r><w:t>{runs}</w:t></w:r></w:p>")
}

/// A row of cells, each one paragraph.
pub(crate) fn row(style: &str, cells: &[&str]) -> String {
    let cells: String =
        cells.iter().map(|text| format!("<w:tc>{}</w:tc>", paragraph(style, text))).collect();
    format!("<w:tr>{cells}</w:tr>")
}

/// The lines of a cover page.
pub(crate) fn cover(number: &str, version: &str) -> String {
    let lines = [
        ("ZA", format!("3GPP TS {number} V{version} (2023-12)")),
        ("ZT", "Technical Specification".to_owned()),
        ("ZT", "3rd Generation Partnership Project;".to_owned()),
        ("ZT", "Technical Specification Group Radio Access Network;".to_owned()),
        ("ZT", "A title of the test".to_owned()),
        ("ZT", "(Release 18)".to_owned()),
    ];
    lines.iter().map(|(style, text)| paragraph(style, text)).collect()
}

/// A short document: cover, contents, two clauses, a table, code and an annex.
pub(crate) fn sample(number: &str, version: &str) -> TestDocx {
    let table = format!(
        "<w:tbl>{}{}</w:tbl>",
        row("TAH", &["Name", "Value"]),
        row("TAL", &["T300", "100 ms"])
    );
    let body = [
        cover(number, version),
        paragraph("TT", "Contents"),
        paragraph("TOC1", "1\tScope\t5"),
        paragraph("TOC1", "2\tTimers\t6"),
        paragraph("TOC8", "Annex A (normative):\tCodes\t7"),
        paragraph("Heading1", "1\tScope"),
        paragraph("Normal", "The scope of the test."),
        paragraph("Heading1", "2\tTimers"),
        paragraph("TH", "Table 2-1: Timers"),
        table,
        paragraph("Heading8", "Annex A (normative):\nCodes"),
        paragraph("PL", "A ::= SEQUENCE {"),
        paragraph("PL", "    b INTEGER"),
        paragraph("PL", "}"),
    ];
    TestDocx::new(&body.concat())
}

fn styles() -> String {
    let mut names: Vec<(String, String)> =
        (1..=9).map(|level| (format!("Heading{level}"), format!("heading {level}"))).collect();
    names.extend((1..=9).map(|level| (format!("TOC{level}"), format!("toc {level}"))));
    let same = [
        "H6", "TT", "PL", "TH", "TF", "TAH", "TAL", "TAN", "NO", "EX", "ZA", "ZT", "B1", "B2",
        "B3", "Normal",
    ];
    names.extend(same.map(|name| (name.to_owned(), name.to_owned())));
    let styles: String = names
        .iter()
        .map(|(id, name)| {
            format!(
                "<w:style w:type=\"paragraph\" w:styleId=\"{id}\">\
            <w:name w:val=\"{name}\"/></w:style>"
            )
        })
        .collect();
    format!("<w:styles>{styles}</w:styles>")
}
