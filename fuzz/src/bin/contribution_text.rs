//! Any text as the body of a contribution: its cover, its proposals, its decisions.

#![no_main]

use extract::{ExtractOptions, read_contribution};
use fuzz_support::{package_from_parts, small_limits, write_input};
use libfuzzer_sys::fuzz_target;

/// The first byte of a line selects its paragraph style.
const STYLES: [&str; 6] =
    ["Normal", "Heading1", "Heading2", "ListParagraph", "CRCoverPage", "Caption"];

fuzz_target!(|text: &str| {
    let mut body = String::from("<w:document><w:body>");
    for line in text.lines().take(400) {
        let style =
            STYLES[usize::from(line.as_bytes().first().copied().unwrap_or(0)) % STYLES.len()];
        let (cells, is_row) = match line.strip_prefix('|') {
            Some(row) => (row.split('|').collect(), true),
            None => (vec![line], false),
        };
        let cells: String = cells.iter().map(|cell| paragraph(style, cell, is_row)).collect();
        body.push_str(&if is_row { format!("<w:tbl><w:tr>{cells}</w:tr></w:tbl>") } else { cells });
    }
    body.push_str("</w:body></w:document>");
    let path = write_input(
        "R1-2600103.docx",
        &package_from_parts(&["word/document.xml"], body.as_bytes()),
    );
    let _ = read_contribution(&path, "R1-2600103", &small_limits(), &ExtractOptions::default());
});

fn paragraph(style: &str, text: &str, is_cell: bool) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('\0', "");
    let paragraph = format!(
        "<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
    );
    if is_cell { format!("<w:tc>{paragraph}</w:tc>") } else { paragraph }
}
