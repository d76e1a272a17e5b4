//! The second look at a file.

use super::*;
use crate::reading::walk_package;

#[test]
fn a_second_look_at_a_file_counts_what_its_sections_lack() {
    let missing = |extraction: &Extraction| {
        let checks = extraction.documents[0].document.reading.as_ref().expect("a package");
        [0, 1, 2].map(|index: usize| checks[index].missing)
    };
    let whole =
        read_bytes("38999-i00.docx", &sample("38.999", "18.0.0").build()).expect("readable");
    assert_eq!(missing(&whole), [0, 0, 0]);
    let legacy = Document::default();
    assert_eq!((legacy.reading.as_ref(), describe_missing(&legacy)), (None, Vec::new()));
    let mut cut = whole;
    let document = &mut cut.documents[0].document;
    let folder = TempDir::new().expect("a folder");
    let path = put(&folder, "38999-i00.docx", &sample("38.999", "18.0.0").build());
    let file = fs::File::open(path).expect("written");
    let mut archive =
        document::Archive::open_zip(file, "x", &Limits::default()).expect("a package");
    let printed = walk_package(&mut archive, &Limits::default()).expect("a body");
    let lost = document.sections.pop().expect("sections");
    document.reading = Some(check_reading(Some(&printed), document));
    let warnings = describe_missing(document);
    assert!(warnings.iter().any(|warning| warning.contains(&lost.title)), "{warnings:?}");
    assert!(missing(&cut)[1] > 0);
}

/// The check of a kind in the first document of a file.
fn check_of(name: &str, bytes: &[u8], kind: ReadingCheckKind) -> Option<ReadingCheck> {
    let extraction = read_bytes(name, bytes).expect("readable");
    let checks = extraction.documents[0].document.reading.clone().unwrap_or_default();
    checks.into_iter().find(|check| check.kind == kind)
}

#[test]
fn what_was_left_out_is_named_with_its_size() {
    let docx = sample("38.999", "18.0.0").build();
    let stray = sample("38.999", "18.0.0").part("word/document9.xml", "<w:p/>").build();
    let archive = zip_of(&[("38999-i00.docx", &docx), ("values.xlsx", b"PK12")]);
    for (name, bytes, missing, example) in [
        ("38999-i00.docx", &docx, 0, ""),
        ("38999-i00.docx", &stray, 1, "'word/document9.xml' (6 bytes)"),
        ("38999-i00.zip", &archive, 1, "'38999-i00.zip/values.xlsx' (4 bytes)"),
    ] {
        let check = check_of(name, bytes, ReadingCheckKind::Parts).expect("a package has parts");
        assert_eq!(check.missing, missing, "{name} {check:?}");
        assert_eq!(check.examples.first().map_or("", String::as_str), example);
    }
}

#[test]
fn fields_without_a_result_are_counted_once_by_both_looks() {
    let field = "<w:p><w:r><w:t>See the</w:t></w:r><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r>\
                 <w:r><w:instrText>INCLUDETEXT \"x\"</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p>";
    let bytes =
        TestDocx::new(&(cover("38.999", "18.0.0") + &paragraph("Heading1", "1\tScope") + field))
            .build();
    let check = check_of("38999-i00.docx", &bytes, ReadingCheckKind::Fields).expect("a package");
    assert_eq!((check.checked, check.missing), (1, 1), "{check:?}");
}

#[test]
fn only_files_that_were_walked_count_as_compared() {
    let is_compared = |name: &str, bytes: &[u8]| {
        let extraction = read_bytes(name, bytes).expect("readable");
        let checks = extraction.documents[0].document.reading.clone().unwrap_or_default();
        ReadingCheck::compare_file(&checks)
    };
    assert!(is_compared("38999-i00.docx", &sample("38.999", "18.0.0").build()));
    assert!(!is_compared("38999-i00.doc", b"{\\rtf1 1 Scope\\par Text.}"));
}
