//! Contributions from files: archives, kinds, anchors.

use std::{fs, io::Write};

use zip::{ZipWriter, write::SimpleFileOptions};

use super::*;

const PREFIX: &str = r#"<?xml version="1.0" encoding="UTF-8"?>"#;

fn zipped(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default()).expect("in memory");
        writer.write_all(bytes).expect("in memory");
    }
    writer.finish().expect("in memory").into_inner()
}

fn docx(body: &str) -> Vec<u8> {
    let document = format!(
        r#"{PREFIX}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>{body}</w:body></w:document>"#
    );
    let types = format!(r#"{PREFIX}<Types xmlns="x"/>"#).into_bytes();
    zipped(&[("[Content_Types].xml", types), ("word/document.xml", document.into_bytes())])
}

fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

fn read(name: &str, bytes: &[u8]) -> Result<Contribution, ExtractError> {
    let folder = tempfile::tempdir().expect("temporary");
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("writable");
    read_contribution(&path, "R1-2600101", &Limits::default(), &ExtractOptions::default())
}

fn anchors(contribution: &Contribution) -> Vec<&str> {
    contribution.blocks.iter().map(|block| block.anchor.as_str()).collect()
}

#[test]
fn paragraphs_of_cells_and_boxes_count_and_empty_ones_do() {
    let cells = "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>\
        <w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr>\
        <w:tr><w:tc><w:p><w:r><w:t>c</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc></w:tr></w:tbl>";
    let body = [&paragraph("One"), "<w:p/>", cells, &paragraph("Seven")].concat();
    let read = read("x.docx", &docx(&body)).expect("reads");
    assert_eq!(anchors(&read), ["x.docx#p1", "x.docx#p3", "x.docx#p7"]);
    assert_eq!(read.blocks[1].text, "| a | b |\n|---|---|\n| c |  |");
}

#[test]
fn units_have_their_quote_their_anchor_and_their_repetitions() {
    let body = [
        paragraph("Proposal 1: Study beams with care."),
        paragraph("Some text that is nobody\u{2019}s proposal."),
        paragraph("5 Conclusion"),
        paragraph("Proposal 1: Study beams with care."),
        paragraph("Observation 2: Beams are narrow."),
    ]
    .concat();
    let read = read("x.docx", &docx(&body)).expect("reads");
    let units: Vec<_> = read
        .units
        .iter()
        .map(|u| (u.row.label.as_str(), u.row.quote.as_str(), u.row.anchor.as_str()))
        .collect();
    assert_eq!(
        units,
        [
            ("Proposal 1", "Study beams with care.", "x.docx#p1"),
            ("Observation 2", "Beams are narrow.", "x.docx#p5")
        ]
    );
    assert_eq!(read.units[0].row.repeated_at, ["x.docx#p4"]);
    let owners: Vec<_> = read.blocks.iter().map(|block| (block.unit, block.repeats)).collect();
    assert_eq!(
        owners,
        [(Some(0), false), (None, false), (None, false), (None, true), (Some(1), false)]
    );
    assert_eq!(read.blocks[2].heading, Some(1));
}

#[test]
fn the_files_of_an_archive_are_read_in_order_and_copies_are_not() {
    let main = docx(&paragraph("Main text."));
    let other = docx(&paragraph("Another text."));
    let inner = zipped(&[("R1-2600101_annex.docx", docx(&paragraph("Annex.")))]);
    let bytes = zipped(&[
        ("a_first.docx", other.clone()),
        ("R1-2600101 Beams.docx", main.clone()),
        ("copy/R1-2600101 Beams.docx", main),
        ("R1-2600101 Beams_rm.docx", docx(&paragraph("Marked text."))),
        ("inner.zip", inner),
        ("~$lock.docx", other),
        ("figure.vsd", vec![1, 2, 3]),
    ]);
    let read = read("R1-2600101.zip", &bytes).expect("reads");
    let names: Vec<&str> = read.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["R1-2600101 Beams.docx", "inner.zip/R1-2600101_annex.docx", "a_first.docx"]);
    assert_eq!(anchors(&read)[1], "inner.zip/R1-2600101_annex.docx#p1");
    assert!(read.faults.is_empty(), "{:?}", read.faults);
}

#[test]
fn slides_are_anchored_by_slide_and_paragraph() {
    let slide = |title: &str, body: &str| {
        format!(
            r#"{PREFIX}<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>{title}</a:t></a:r></a:p></p:txBody></p:sp><p:sp><p:txBody><a:p/><a:p><a:r><a:t>{body}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>"#
        )
        .into_bytes()
    };
    let presentation = format!(
        r#"{PREFIX}<p:presentation><p:sldIdLst><p:sldId id="1" r:id="r2"/><p:sldId id="2" r:id="r1"/></p:sldIdLst></p:presentation>"#
    );
    let relations = format!(
        r#"{PREFIX}<Relationships><Relationship Id="r1" Target="slides/slide1.xml"/><Relationship Id="r2" Target="slides/slide2.xml"/></Relationships>"#
    );
    let bytes = zipped(&[
        ("[Content_Types].xml", format!(r#"{PREFIX}<Types/>"#).into_bytes()),
        ("ppt/presentation.xml", presentation.into_bytes()),
        ("ppt/_rels/presentation.xml.rels", relations.into_bytes()),
        ("ppt/slides/slide1.xml", slide("Second", "Proposal 3: Go on.")),
        ("ppt/slides/slide2.xml", slide("First", "Beams &amp; panels")),
    ]);
    let read = read("deck.pptx", &bytes).expect("reads");
    assert_eq!(
        anchors(&read),
        [
            "deck.pptx#slide1-p1",
            "deck.pptx#slide1-p3",
            "deck.pptx#slide2-p1",
            "deck.pptx#slide2-p3"
        ]
    );
    assert_eq!(read.blocks[1].text, "Beams & panels");
    assert_eq!(
        (read.units[0].row.anchor.as_str(), read.units[0].row.page),
        ("deck.pptx#slide2-p3", Some(2))
    );
}

#[test]
fn files_that_cannot_be_read_are_reported_and_the_rest_is_read() {
    let bytes = zipped(&[
        ("R1-2600101.docx", docx(&paragraph("Main text."))),
        ("broken.docx", b"PK\x03\x04 nothing".to_vec()),
        ("notes.rtf", b"{\\rtf1 x}".to_vec()),
        ("empty.pdf", Vec::new()),
    ]);
    let mixed = read("R1-2600101.zip", &bytes).expect("reads");
    assert_eq!(mixed.files.len(), 2);
    assert_eq!(mixed.faults.len(), 3, "{:?}", mixed.faults);
    assert!(mixed.faults[2].contains("notes.rtf") && mixed.blocks[1].text == "x");
    let legacy = [&[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1][..], &[0; 600]].concat();
    let slides = read("deck.ppt", &legacy).expect("said");
    assert!(slides.wants_converter && slides.files.is_empty());
    assert!(slides.faults[0].contains("LibreOffice"));
    for (name, bytes) in [
        ("a.zip", zipped(&[("readme.txt", b"text".to_vec())])),
        ("a.docx", b"PK\x03\x04".to_vec()),
        ("a.docx", Vec::new()),
        ("a.txt", b"text".to_vec()),
        ("a.pdf", b"%PDF-1.4 nothing".to_vec()),
    ] {
        let read = read(name, &bytes);
        let is_empty =
            read.as_ref().is_ok_and(|read| read.files.is_empty() && !read.faults.is_empty());
        assert!(read.is_err() || is_empty, "{name}: {read:?}");
    }
}

#[test]
fn tracked_changes_are_accepted_and_marked() {
    let body =
        "<w:p><w:r><w:t>The UE </w:t></w:r><w:del><w:r><w:delText>may</w:delText></w:r></w:del>\
        <w:ins><w:r><w:t>shall</w:t></w:r></w:ins><w:r><w:t> stop.</w:t></w:r></w:p>"
            .to_owned()
            + &paragraph("As it was.");
    let read = read("x.docx", &docx(&body)).expect("reads");
    let blocks: Vec<_> = read.blocks.iter().map(|b| (b.text.as_str(), b.changed)).collect();
    assert_eq!(blocks, [("The UE shall stop.", true), ("As it was.", false)]);
}

#[test]
fn the_cover_of_a_change_request_is_read() {
    let cell = |text: &str| format!("<w:tc>{}</w:tc>", paragraph(text));
    let row = |cells: &[&str]| {
        format!("<w:tr>{}</w:tr>", cells.iter().map(|text| cell(text)).collect::<String>())
    };
    let body = format!(
        "<w:tbl>{}{}</w:tbl><w:tbl>{}{}{}{}{}</w:tbl>",
        row(&["CHANGE REQUEST"]),
        row(&["38.331", "CR", "4711", "rev", "-", "Current version:", "18.1.0"]),
        row(&["Title:", "Correction of beams"]),
        row(&["Category:", "F", "Release:", "Rel-18"]),
        row(&["Reason for change:", "They are wrong."]),
        row(&["Clauses affected:", "5.3.5, 6.2.2"]),
        row(&["", "Y", "N"]),
    );
    let cover = read("x.docx", &docx(&body)).expect("reads").cover.expect("a cover");
    assert_eq!(cover.spec.as_deref(), Some("38.331"));
    assert_eq!(cover.number.as_deref(), Some("4711"));
    assert_eq!(cover.revision, None);
    assert_eq!(cover.version.as_deref(), Some("18.1.0"));
    assert_eq!(cover.title.as_deref(), Some("Correction of beams"));
    assert_eq!(cover.category.as_deref(), Some("F"));
    assert_eq!(cover.release.as_deref(), Some("Rel-18"));
    assert_eq!(cover.clauses.as_deref(), Some("5.3.5, 6.2.2"));
    assert_eq!(cover.reason.as_deref(), Some("They are wrong."));
}

#[test]
fn units_end_at_a_table_and_those_in_tables_are_separate_from_its_other_rows() {
    let cell = |text: &str| format!("<w:tc>{}</w:tc>", paragraph(text));
    let row = |a: &str, b: &str| format!("<w:tr>{}{}</w:tr>", cell(a), cell(b));
    let table = |rows: &[String]| format!("<w:tbl>{}</w:tbl>", rows.concat());
    let body = [
        paragraph("[FL1][H] Proposal 5-1"),
        table(&[row("Company", "View"), row("A", "Yes")]),
        paragraph("Moderator: companies speak of waveforms."),
        table(&[
            row("No", "What"),
            row("1", "Proposal 1: Study beams with care."),
            row("2", "Beams are wide."),
        ]),
        paragraph("Proposal 4"),
        paragraph("RAN1 to study clutter."),
        paragraph("Clutter is what stands still."),
    ]
    .concat();
    let read = read("x.docx", &docx(&body)).expect("reads");
    let units: Vec<_> = read
        .units
        .iter()
        .map(|u| (&*u.row.label, &*u.row.quote, &*u.row.anchor, &*u.last_anchor))
        .collect();
    assert_eq!(
        units,
        [
            ("Proposal 1", "Study beams with care.", "x.docx#p10", "x.docx#p10"),
            ("Proposal 4", "RAN1 to study clutter.", "x.docx#p13", "x.docx#p14")
        ]
    );
    let table = read.blocks.iter().find(|block| block.rest.is_some()).expect("a table with a unit");
    assert_eq!(table.units, [0]);
    let (rest, head_bytes) = table.rest.as_ref().expect("there");
    assert_eq!(rest, "| No | What |\n|---|---|\n| 2 | Beams are wide. |");
    assert_eq!(&rest[..*head_bytes as usize], "| No | What |\n|---|---|");
}

#[test]
fn repetitions_with_other_words_are_units_and_a_longer_repetition_is_the_unit() {
    let body = [
        paragraph("Proposal 5: Sensing supports the positioning of drones"),
        paragraph("Proposal 6: The following is captured:"),
        paragraph("5 Conclusion"),
        paragraph("Proposal 5: Sensing supports the positioning of drones and of numbats"),
        paragraph("Proposal 6: The following is captured:"),
        paragraph("- Beams are narrow."),
    ]
    .concat();
    let read = read("x.docx", &docx(&body)).expect("reads");
    let units: Vec<_> = read
        .units
        .iter()
        .map(|u| (&*u.row.label, &*u.row.anchor, u.row.repeated_at.as_slice()))
        .collect();
    assert_eq!(
        units,
        [
            ("Proposal 5", "x.docx#p1", &[][..]),
            ("Proposal 5", "x.docx#p4", &[]),
            ("Proposal 6", "x.docx#p5", &["x.docx#p2".to_owned()])
        ]
    );
}
