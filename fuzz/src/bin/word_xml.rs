//! Any text as the parts of a Word package: body, styles, numbering, notes, relationships, drawings.

#![no_main]

use std::io::Cursor;

use document::{Archive, UnpackBudget};
use fuzz_support::{package_from_parts, small_limits};
use libfuzzer_sys::fuzz_target;
use word::{DocxReadOptions, TrackedChanges, read_docx, read_docx_pieces, remove_strike_marks};

const PARTS: [&str; 9] = [
    "word/document.xml",
    "word/styles.xml",
    "word/numbering.xml",
    "word/footnotes.xml",
    "word/endnotes.xml",
    "word/_rels/document.xml.rels",
    "word/charts/chart1.xml",
    "word/diagrams/data1.xml",
    "word/diagrams/drawing1.xml",
];

fuzz_target!(|input: &[u8]| {
    let limits = small_limits();
    let package = package_from_parts(&PARTS, input);
    let mut archive =
        Archive::open_zip(Cursor::new(package), "a.docx", &limits).expect("a valid archive");
    let budget = UnpackBudget::new(&limits);
    let tracked = TrackedChanges::Accepted;
    let options = DocxReadOptions { limits: &limits, budget: &budget, figures: true, tracked };
    let _ = read_docx(&mut archive, "a.docx", options);
    let before = DocxReadOptions { tracked: TrackedChanges::Rejected, figures: false, ..options };
    let _ = read_docx(&mut archive, "a.docx", before);
    if let Ok((pieces, _)) = read_docx_pieces(&mut archive, "a.docx", options) {
        let _ = remove_strike_marks(&pieces);
    }
});
