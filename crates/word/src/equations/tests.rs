//! Equations that are pictures, in lines of text.

use std::io::Cursor;

use document::{Archive, Document, Limits, UnpackBudget};
use document_model::print_blocks;

use crate::{
    DocxReadOptions, TrackedChanges, read_docx,
    test_docx::{TestDocx, paragraph},
};

fn record(kind: u16, bytes: &[u8]) -> Vec<u8> {
    let mut record = (3 + bytes.len().div_ceil(2) as u32).to_le_bytes().to_vec();
    record.extend(kind.to_le_bytes());
    record.extend(bytes);
    record.resize(record.len().next_multiple_of(2), 0);
    record
}

fn words(numbers: &[i16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// The picture of an equation of letters, each with its position and its size.
fn equation(letters: &[(&str, i16, i16, i16)]) -> Vec<u8> {
    let mut file = vec![1, 0, 9, 0, 0, 3, 0, 0, 0, 0, 4, 0, 0, 1, 0, 0, 0, 0];
    file.extend(record(0x012e, &words(&[24, 0])));
    file.extend(record(0x020c, &words(&[640, 1440])));
    file.extend(record(0x0626, b"\x0f\0\x0c\0MathType\0\0P\0"));
    for (index, (text, x, y, em)) in letters.iter().enumerate() {
        let mut font = words(&[-em, 0, 0, 0, 400]);
        font.extend(b"\x01\0\0\0\0\0\0\x10Times New Roman\0");
        file.extend(record(0x02fb, &font));
        file.extend(record(0x012d, &words(&[index as i16])));
        let mut out = words(&[*y, *x, text.len() as i16, 0]);
        out.extend(text.as_bytes());
        file.extend(record(0x0a32, &out));
    }
    file.extend(record(0, b""));
    file
}

fn read(picture: &[u8]) -> Document {
    let relations =
        "<Relationships><Relationship Id=\"r1\" Target=\"media/one.wmf\"/></Relationships>";
    let body = "<w:p><w:r><w:t>where </w:t></w:r><w:r><w:pict><v:shape style=\"width:20pt;height:16pt\">\
        <v:imagedata r:id=\"r1\"/></v:shape></w:pict></w:r><w:r><w:t> is known.</w:t></w:r></w:p>";
    let bytes = TestDocx::new(&format!("{}{body}", paragraph("Heading1", "5\tProcedures")))
        .part("word/_rels/document.xml.rels", relations)
        .binary_part("word/media/one.wmf", picture)
        .build();
    let limits = Limits::default();
    let mut archive = Archive::open_zip(Cursor::new(bytes), "t.docx", &limits).expect("a package");
    let budget = UnpackBudget::new(&limits);
    let (figures, tracked) = (true, TrackedChanges::Accepted);
    let options = DocxReadOptions { limits: &limits, budget: &budget, figures, tracked };
    read_docx(&mut archive, "t.docx", options).expect("a document")
}

fn texts(document: &Document) -> Vec<String> {
    let blocks = document.sections.iter().flat_map(|section| print_blocks(&section.blocks));
    blocks.map(|block| block.text).collect()
}

#[test]
fn an_equation_that_is_a_picture_is_its_formula_and_no_picture() {
    let document = read(&equation(&[("N", 49, 420, 320), ("cs", 280, 500, 224)]));
    assert_eq!(texts(&document), ["where $N_{cs}$ is known."]);
    assert!(document.sections.iter().all(|section| section.inline_pictures.is_empty()));
}

#[test]
fn an_equation_that_is_not_clear_is_its_words_and_its_picture() {
    // The second letter is as large as the first, and lower.
    let document = read(&equation(&[("N", 49, 420, 320), ("M", 280, 540, 320)]));
    assert_eq!(texts(&document), ["where [equation: N M] is known."]);
    let pictures: usize =
        document.sections.iter().map(|section| section.inline_pictures.len()).sum();
    assert_eq!(pictures, 1);
    assert!(document.sections.iter().all(|section| section.figures.is_empty()));
}
