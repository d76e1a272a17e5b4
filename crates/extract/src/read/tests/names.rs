//! Names that people give to files, against what the cover says.

use super::*;

/// A cover with only the line of number, version and date, and the document type.
fn short_cover(number: &str, version: &str) -> Vec<u8> {
    let body = [
        paragraph("ZA", &format!("3GPP TS {number} V{version} (2023-12)")),
        paragraph("ZT", "Technical Specification"),
        paragraph("ZT", "A system of the test; Stage 2"),
        paragraph("Heading1", "1\tScope"),
        paragraph("Normal", "The scope."),
    ];
    TestDocx::new(&body.concat()).build()
}

#[test]
fn the_cover_decides_unless_the_name_is_one_of_the_archive() {
    // Each name with the version that a file has whose cover says 18.4.0.
    let names = [
        ("38999-i40.docx", "18.4.0"),
        ("38999-i30.docx", "18.3.0"),
        ("38999.docx", "18.4.0"),
        ("38.999.docx", "18.4.0"),
        ("TS 38.999.docx", "18.4.0"),
        ("TS_38999.docx", "18.4.0"),
        ("TS 38_999.docx", "18.4.0"),
        ("3GPP TS 38.999 V18.4.0 (2023-12).docx", "18.4.0"),
        ("TS 38.999 v18.4.0.docx", "18.4.0"),
        ("TS_38999_v18_4_0.docx", "18.4.0"),
        ("38999-v18.4.0.docx", "18.4.0"),
        ("38999-18.4.0.docx", "18.4.0"),
        ("38999-18-4-0.docx", "18.4.0"),
        ("38999-v1840.docx", "18.4.0"),
        ("38999-v180400.docx", "18.4.0"),
        ("38999-v18.docx", "18.4.0"),
        ("38999-V18.4.docx", "18.4.0"),
        ("38999-R18.docx", "18.4.0"),
        ("38999 Rel-18.docx", "18.4.0"),
        ("38999_rel18.docx", "18.4.0"),
        ("38999-new.docx", "18.4.0"),
        ("38999_new.docx", "18.4.0"),
        ("38999-old.docx", "18.4.0"),
        ("38999-doc.docx", "18.4.0"),
        ("38999-fin.docx", "18.4.0"),
        ("38999-final.docx", "18.4.0"),
        ("38999 for review.docx", "18.4.0"),
        ("38999 my copy.docx", "18.4.0"),
        ("38999-2nd.docx", "18.4.0"),
        ("38999-240315.docx", "18.4.0"),
        ("38999-200315.docx", "18.4.0"),
        ("38999-2024-03-15.docx", "18.4.0"),
        ("38999 (2024-03).docx", "18.4.0"),
        ("38999-i40 (1).docx", "18.4.0"),
        ("38999-i30 (1).docx", "18.4.0"),
        ("38999-i40 - Copy.docx", "18.4.0"),
        ("Copy of 38999-i40.docx", "18.4.0"),
        ("38999-i40_clean.docx", "18.4.0"),
        ("38999-i40cl.docx", "18.4.0"),
        ("38999_i40.docx", "18.4.0"),
        ("38999i40.docx", "18.4.0"),
        ("38.999-i40.docx", "18.4.0"),
        ("38999-18.docx", "18.4.0"),
        ("draft_38999-i40.docx", "18.4.0"),
        ("38999-i40-r2.docx", "18.4.0"),
        ("38999_MCC_18.4.0.docx", "18.4.0"),
    ];
    for (name, version) in names {
        for docx in [sample("38.999", "18.4.0").build(), short_cover("38.999", "18.4.0")] {
            let extraction = read_bytes(name, &docx).expect(name);
            assert_eq!(identity(&extraction), format!("38.999 {version}"), "{name}");
        }
    }
}

#[test]
fn a_name_that_the_cover_contradicts_is_a_warning() {
    let docx = sample("38.999", "18.4.0").build();
    for name in ["38999-i30 (1).docx", "TS 38.999 v18.3.0.docx", "38999-18.docx"] {
        let extraction = read_bytes(name, &docx).expect(name);
        assert!(
            extraction.warnings[0].ends_with("the cover says 38.999 18.4.0"),
            "{:?}",
            extraction.warnings
        );
    }
    for name in ["38999-old.docx", "TS 38.999 v18.4.0.docx", "38999.docx"] {
        assert_eq!(read_bytes(name, &docx).expect(name).warnings, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn without_a_cover_only_a_version_in_the_name_counts() {
    let bare = TestDocx::new(&paragraph("Heading1", "1\tScope")).build();
    for (name, version) in [
        ("38999-i40.docx", "18.4.0"),
        ("38999-i40 (1).docx", "18.4.0"),
        ("TS 38.999 v18.4.0.docx", "18.4.0"),
        ("38999_330.docx", "3.3.0"),
    ] {
        assert_eq!(
            identity(&read_bytes(name, &bare).expect(name)),
            format!("38.999 {version}"),
            "{name}"
        );
    }
    for name in [
        "38999-new.docx",
        "38999-v18.docx",
        "38999-R18.docx",
        "38999 for review.docx",
        "38999-200315.docx",
        "38999-doc.docx",
    ] {
        let error = read_bytes(name, &bare).expect_err(name).to_string();
        assert!(error.contains("states its version. Rename the file"), "{error}");
    }
    let archive = zip_of(&[("38999-new.docx", &bare)]);
    assert_eq!(identity(&read_bytes("38999-i40.zip", &archive).expect("named")), "38.999 18.4.0");
}

#[test]
fn a_release_that_does_not_exist_is_refused_with_what_to_do() {
    for name in ["TS 38.999 v31.1.8.docx", "38999.docx"] {
        let error =
            read_bytes(name, &sample("38.999", "31.1.8").build()).expect_err(name).to_string();
        assert!(error.contains("version 31.1.8, but no release after Rel-"), "{error}");
        assert!(error.contains("Rename the file"), "{error}");
    }
}

#[test]
fn the_line_of_a_cover_identifies_only_with_the_number_in_the_name() {
    let docx = short_cover("38.999", "18.4.0");
    for name in ["notes.docx", "38331 notes.docx"] {
        assert!(
            matches!(read_bytes(name, &docx), Err(ExtractError::Unidentified { .. })),
            "{name}"
        );
    }
    let cites =
        TestDocx::new(&paragraph("Normal", "Comments on 3GPP TS 38.999 V18.4.0 (2023-12)")).build();
    let read = read_bytes("38999 comments.docx", &cites);
    assert!(matches!(read, Err(ExtractError::Unidentified { .. })), "{read:?}");
}
