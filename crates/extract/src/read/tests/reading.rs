//! The second look at a file.

use super::*;

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
    document.reading = Some(check_reading(&printed, document));
    let warnings = describe_missing(document);
    assert!(warnings.iter().any(|warning| warning.contains(&lost.title)), "{warnings:?}");
    assert!(missing(&cut)[1] > 0);
}
