//! Files, archives and groups of files, valid and hostile ones.

use std::{fs, path::PathBuf};

use tempfile::TempDir;

use super::*;
use crate::converter::{self, DOC_TO_DOCX, RTF_TO_DOCX};
use crate::test_docx::{TestDocx, cover, paragraph, sample, zip_of};
use document::LimitKind;
use document_model::print_block;

mod containers;
mod copies;
mod names;
mod reading;

fn put(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("a writable folder");
    path
}

fn read_bytes_with(name: &str, bytes: &[u8], limits: &Limits) -> Result<Extraction, ExtractError> {
    let folder = TempDir::new().expect("a folder");
    read_file(&put(&folder, name, bytes), limits, &ExtractOptions::default())
}

fn read_bytes(name: &str, bytes: &[u8]) -> Result<Extraction, ExtractError> {
    read_bytes_with(name, bytes, &Limits::default())
}

fn identity(extraction: &Extraction) -> String {
    let identity = &extraction.documents[0].identity;
    format!("{} {}", identity.number, identity.version)
}

fn fate<'a>(extraction: &'a Extraction, name: &str) -> &'a MemberFate {
    let member = extraction.members.iter().find(|member| member.name.ends_with(name));
    &member.unwrap_or_else(|| panic!("no member {name}")).fate
}

#[test]
fn a_zip_with_junk_gives_its_document_and_code() {
    let docx = sample("38.999", "18.0.0").build();
    let bytes = zip_of(&[
        ("__MACOSX/._38999-i00.docx", b"x"),
        ("~$999-i00.docx", b"lock"),
        ("3gpp_template.docx", b"x"),
        ("readme.txt", b"x"),
        ("38999-i00.docx", &docx),
        ("TS38999_Api.yaml", b"openapi: 3.0.0\ninfo:\n"),
    ]);
    let extraction = read_bytes("38999-i00.zip", &bytes).expect("readable");
    assert_eq!(identity(&extraction), "38.999 18.0.0");
    assert_eq!(extraction.documents[0].pipeline, Pipeline::OwnReader);
    assert_eq!(fate(&extraction, "/38999-i00.docx"), &MemberFate::Text);
    assert_eq!(fate(&extraction, "TS38999_Api.yaml"), &MemberFate::Code);
    let skipped = extraction.members.iter().filter(|m| matches!(m.fate, MemberFate::Skipped(_)));
    assert_eq!(skipped.count(), 4);
    let code = extraction.documents[0].document.sections.last().expect("sections");
    assert_eq!((code.number.as_str(), code.parent.as_deref()), ("TS38999_Api.yaml", None));
    assert_eq!(print_block(&code.blocks[0]).text, "```\nopenapi: 3.0.0\ninfo:\n```");
}

#[test]
fn archives_in_archives_are_opened_to_the_third_level() {
    let mut bytes = zip_of(&[("38999-i00.docx", &sample("38.999", "18.0.0").build())]);
    for _ in 0..2 {
        bytes = zip_of(&[("inner.zip", &bytes)]);
    }
    assert_eq!(identity(&read_bytes("a.zip", &bytes).expect("three levels")), "38.999 18.0.0");
    let error = read_bytes("a.zip", &zip_of(&[("inner.zip", &bytes)])).expect_err("four levels");
    assert!(matches!(error, ExtractError::Limit { bound: LimitKind::ZipLevels, .. }), "{error}");
}

#[test]
fn the_name_takes_precedence_over_the_cover_and_the_difference_is_a_warning() {
    let docx = sample("38.999", "18.4.0").build();
    let extraction = read_bytes("38999-i30.docx", &docx).expect("readable");
    assert_eq!(identity(&extraction), "38.999 18.3.0");
    assert!(extraction.warnings[0].contains("18.4.0"), "{:?}", extraction.warnings);
}

#[test]
fn where_archive_and_cover_agree_the_inner_name_is_the_slip() {
    let docx = sample("38.999", "18.4.0").build();
    let bytes = zip_of(&[("38999-i30.docx", &docx)]);
    let extraction = read_bytes("38999-i40.zip", &bytes).expect("readable");
    assert_eq!(identity(&extraction), "38.999 18.4.0");
    assert!(extraction.warnings[0].contains("agree on 38.999 18.4.0"), "{:?}", extraction.warnings);
    let extraction = read_bytes("38999-i50.zip", &bytes).expect("readable");
    assert_eq!(identity(&extraction), "38.999 18.3.0");
}

#[test]
fn a_text_that_names_a_specification_is_not_taken_for_it() {
    let text = paragraph("Normal", "Proposal: change clause 7.1.1 of TS 38.213 as agreed.");
    let docx = TestDocx::new(&text).build();
    let refused = read_bytes("notes.docx", &docx);
    assert!(matches!(refused, Err(ExtractError::Unidentified { .. })), "{refused:?}");
}

#[test]
fn a_meeting_document_is_never_a_specification() {
    let whole = sample("38.133", "19.4.0").build();
    let with_head = |head: &str| {
        let body = [
            paragraph("Normal", head),
            cover("38.133", "19.4.0"),
            paragraph("Heading1", "1\tScope"),
        ];
        TestDocx::new(&body.concat()).build()
    };
    let references = [
        paragraph("Heading1", "1\tIntroduction"),
        paragraph("Heading1", "2\tReferences"),
        paragraph("Normal", "3GPP TS 38.133 V19.4.0 (2026-03)"),
        paragraph("Normal", "Technical Specification"),
    ];
    let head = with_head("3GPP TSG-RAN WG4 Meeting #118\tR4-2601234");
    let is_refused = |name: &str, bytes: &[u8]| {
        let read = read_bytes(name, bytes);
        assert!(matches!(read, Err(ExtractError::MeetingDocument { .. })), "{name}: {read:?}");
        let said = read.expect_err("refused").to_string();
        assert!(said.contains("specbox meetings import"), "{said}");
    };
    // By its name, or the name of the archive around it, whatever its content.
    is_refused("R4-2601234.docx", &whole);
    is_refused("R4-2601234r02 clean.docx", &whole);
    is_refused("S2-2601234_was_S2-2600001.docx", &whole);
    is_refused("R4-2601234.zip", &zip_of(&[("38133-j40.docx", &whole)]));
    is_refused("R4-2601234.zip", &zip_of(&[("draft.docx", &whole)]));
    // By its first bytes, whatever its name.
    is_refused("draft.docx", &head);
    is_refused("38133-j40.docx", &head);
    is_refused("38133-j40.zip", &zip_of(&[("38133-j40.docx", &head)]));
    is_refused("draft.docx", &with_head("R4-2601234"));
    is_refused("draft.docx", &with_head("SA WG2 Meeting #160"));
    // What it cites is not its title page.
    let cites = TestDocx::new(&references.concat()).build();
    let read = read_bytes("draft.docx", &cites);
    assert!(matches!(read, Err(ExtractError::Unidentified { .. })), "{read:?}");
    // Beside a specification it is skipped.
    let bytes = zip_of(&[("draft.docx", &whole), ("R4-2601234.docx", &head)]);
    let extraction = read_bytes("drafts.zip", &bytes).expect("a specification");
    assert_eq!(identity(&extraction), "38.133 19.4.0");
    assert!(extraction.warnings[0].contains("left out"), "{:?}", extraction.warnings);
}

#[test]
fn names_that_say_nothing_fall_back_to_the_cover() {
    let docx = sample("38.999", "18.4.0").build();
    assert_eq!(identity(&read_bytes("rel_18.docx", &docx).expect("a cover")), "38.999 18.4.0");
    assert_eq!(identity(&read_bytes("38999.docx", &docx).expect("a cover")), "38.999 18.4.0");
    let bare = TestDocx::new(&paragraph("Normal", "No cover.")).build();
    for (name, missing) in [("rel_18.docx", "document number"), ("38999.docx", "version")] {
        let error = read_bytes(name, &bare).expect_err("no identity");
        assert!(error.to_string().contains(&format!("states its {missing}. Rename")), "{error}");
    }
}

#[test]
fn parts_are_joined_in_order_and_marked_copies_left_out() {
    let folder = TempDir::new().expect("a folder");
    let part = |text: &str| TestDocx::new(&paragraph("Heading1", text)).build();
    let front = TestDocx::new(&cover("38.101-1", "18.2.0")).build();
    let paths = [
        put(&folder, "38101-1-i20_sAnnexes.docx", &part("Annex A (normative):\nChannels")),
        put(&folder, "38101-1-i20_s07-08.docx", &part("7\tReceiver")),
        put(&folder, "38101-1-i20_cover.docx", &front),
        put(&folder, "38101-1-i20_s06-06.docx", &part("6\tTransmitter")),
        put(&folder, "38101-1-i20_s06-06_rm.docx", &part("6\tTransmitter marked")),
    ];
    let extraction =
        read_group(&paths, &Limits::default(), &ExtractOptions::default()).expect("readable");
    assert_eq!(extraction.documents.len(), 1);
    let sections = &extraction.documents[0].document.sections;
    let numbers: Vec<&str> = sections.iter().map(|section| section.number.as_str()).collect();
    assert_eq!(numbers, ["Cover", "6", "7", "A"]);
    assert!(matches!(fate(&extraction, "_rm.docx"), MemberFate::Skipped(_)));
}

#[test]
fn an_archive_of_two_versions_gives_both() {
    let (one, two) = (sample("38.999", "18.0.0").build(), sample("38.999", "19.0.0").build());
    let bytes = zip_of(&[
        ("38999-i00.docx", &one),
        ("38999-j00.docx", &two),
        ("copy/38999-j00.docx", &two),
    ]);
    let extraction = read_bytes("both.zip", &bytes).expect("readable");
    assert_eq!(extraction.documents.len(), 2);
    assert_eq!(
        fate(&extraction, "copy/38999-j00.docx"),
        &MemberFate::Skipped("a copy of another member".into())
    );
}

#[test]
fn errors_name_the_kind_of_a_file_that_is_no_document() {
    let cases: [(&str, &[u8], &str); 6] = [
        ("38999-i00.docx", b"", "'38999-i00.docx' is empty"),
        (
            "38999-i00.docx",
            b"%PDF-1.7",
            "'38999-i00.docx' is not a .zip, .docx, .docm or .doc file but a PDF",
        ),
        (
            "38999-i00.doc",
            b"{\\rtf1",
            "'38999-i00.doc' is truncated or damaged: it ends inside a group",
        ),
        ("38999-i00.zip", b"PK\x03\x04cut", "'38999-i00.zip' is truncated or damaged"),
        (
            "38999-i00.doc",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1cut",
            "'38999-i00.doc' is truncated or damaged",
        ),
        (
            "38999-i00.zip",
            b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            "'38999-i00.zip' contains no document",
        ),
    ];
    for (name, bytes, message) in cases {
        let error = read_bytes(name, bytes).expect_err(message).to_string();
        assert!(error.starts_with(message), "{error}");
        assert!(!error.contains('\n') && error.len() < 400, "{error}");
    }
}

#[test]
fn folders_and_missing_files_are_refused() {
    let folder = TempDir::new().expect("a folder");
    let options = ExtractOptions::default();
    assert!(matches!(
        read_file(folder.path(), &Limits::default(), &options),
        Err(ExtractError::Unsupported { .. } | ExtractError::Io { .. })
    ));
    assert!(matches!(
        read_file(&folder.path().join("none"), &Limits::default(), &options),
        Err(ExtractError::Io { .. })
    ));
}

#[test]
fn truncated_and_flipped_archives_are_errors() {
    let bytes = sample("38.999", "18.0.0").build();
    for length in [bytes.len() / 4, bytes.len() / 2, bytes.len() - 10] {
        let error = read_bytes("38999-i00.docx", &bytes[..length]).expect_err("cut");
        assert!(matches!(error, ExtractError::Damaged { .. }), "{error}");
    }
}

#[test]
fn protected_files_are_reported_as_encrypted() {
    let mut bytes = zip_of(&[("38999-i00.docx", &sample("38.999", "18.0.0").build())]);
    // The encryption flag in the local and in the central header.
    let central = bytes.windows(4).position(|w| w == b"PK\x01\x02").expect("a directory");
    bytes[6] |= 1;
    bytes[central + 8] |= 1;
    let error = read_bytes("38999-i00.zip", &bytes).expect_err("encrypted");
    assert!(matches!(error, ExtractError::Encrypted { .. }), "{error}");

    let mut wrapped = vec![0; 4096];
    wrapped[..8].copy_from_slice(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1");
    let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    wrapped[1024..1024 + name.len()].copy_from_slice(&name);
    let error = read_bytes("38999-i00.docx", &wrapped).expect_err("encrypted");
    assert!(matches!(error, ExtractError::Encrypted { .. }), "{error}");
}

#[test]
fn bombs_are_stopped_by_their_unpacked_size() {
    let zeros = vec![b' '; 400_000];
    let docx = TestDocx::new("").part("word/document.xml", &String::from_utf8_lossy(&zeros));
    let docx = docx.build();
    let cases = [
        (Limits { part_bytes: 100_000, ..Limits::default() }, LimitKind::PartBytes),
        (Limits { archive_bytes: 100_000, ..Limits::default() }, LimitKind::ArchiveBytes),
        (Limits { ratio_floor_bytes: 100_000, ..Limits::default() }, LimitKind::Ratio),
        (Limits { package_entries: 2, ..Limits::default() }, LimitKind::Entries),
    ];
    for (limits, bound) in cases {
        let error = read_bytes_with("38999-i00.docx", &docx, &limits).expect_err("a bomb");
        assert!(
            matches!(error, ExtractError::Limit { bound: actual, .. } if actual == bound),
            "{bound}: {error}"
        );
    }
}

#[test]
fn a_size_that_lies_does_not_help_a_bomb() {
    let mut bytes = zip_of(&[("38999-i00.docx", &[b' '; 400_000])]);
    let central = bytes.windows(4).position(|w| w == b"PK\x01\x02").expect("a directory");
    bytes[22..26].copy_from_slice(&10_u32.to_le_bytes());
    bytes[central + 24..central + 28].copy_from_slice(&10_u32.to_le_bytes());
    let limits = Limits { part_bytes: 100_000, ..Limits::default() };
    assert!(read_bytes_with("38999-i00.zip", &bytes, &limits).is_err());
}

#[test]
fn unsafe_names_and_many_entries_are_refused() {
    let docx = sample("38.999", "18.0.0").build();
    let error = read_bytes("a.zip", &zip_of(&[("../38999-i00.docx", &docx)])).expect_err("unsafe");
    assert!(matches!(error, ExtractError::NoDocument { .. }), "{error}");
    let names: Vec<String> = (0..30).map(|at| format!("{at}.txt")).collect();
    let members: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
    let limits = Limits { entries: 20, ..Limits::default() };
    let error = read_bytes_with("a.zip", &zip_of(&members), &limits).expect_err("entries");
    assert!(matches!(error, ExtractError::Limit { bound: LimitKind::Entries, .. }), "{error}");
}

#[test]
fn a_broken_part_fails_the_version_and_a_broken_unrelated_file_does_not() {
    let docx = sample("38.999", "18.0.0").build();
    let error = read_bytes(
        "a.zip",
        &zip_of(&[("38999-i00_s01.docx", &docx), ("38999-i00_s02.docx", b"PK\x03\x04")]),
    );
    assert!(matches!(error, Err(ExtractError::Damaged { .. })));
    let extraction = read_bytes("a.zip", &zip_of(&[("38999-i00.docx", &docx), ("note.doc", b"")]))
        .expect("readable");
    assert_eq!(extraction.warnings, ["'a.zip/note.doc' is empty"]);
}

#[test]
fn a_failing_converter_is_a_warning_and_its_time_is_bounded() {
    let folder = TempDir::new().expect("a folder");
    let doc = put(
        &folder,
        "38999-i00.doc",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0",
    );
    for (script, reason) in [
        ("exit 0", "produced no document"),
        ("sleep 60 & sleep 60", "longer than"),
        ("kill -9 $$", "signal 9"),
    ] {
        let program = put(&folder, "soffice", format!("#!/bin/sh\n{script}\n").as_bytes());
        make_executable(&program);
        let limits =
            Limits { converter_wall: std::time::Duration::from_millis(300), ..Limits::default() };
        let budget = UnpackBudget::new(&limits);
        let bytes = fs::read(&doc).expect("readable");
        let options = word::DocxReadOptions {
            limits: &limits,
            budget: &budget,
            figures: false,
            tracked: word::TrackedChanges::Accepted,
        };
        let error = converter::convert_to_archive(&program, &bytes, "x.doc", options, DOC_TO_DOCX)
            .err()
            .expect("no output");
        assert!(error.to_string().contains(reason), "{script}: {error}");
    }
}

#[test]
fn a_converted_document_is_read_by_our_own_reader() {
    let folder = TempDir::new().expect("a folder");
    let made = put(&folder, "made.docx", &sample("38.999", "18.0.0").build());
    let doc = put(
        &folder,
        "38999-i00.doc",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0",
    );
    let script = format!("#!/bin/sh\nmkdir out && cp '{}' out/input.docx\n", made.display());
    let program = put(&folder, "soffice", script.as_bytes());
    make_executable(&program);
    let options = ExtractOptions { converter: Some(program), ..ExtractOptions::default() };
    let extraction = read_file(&doc, &Limits::default(), &options).expect("converted");
    assert_eq!(extraction.documents[0].pipeline, Pipeline::Converted);
    assert_eq!(extraction.documents[0].document.sections.len(), 4);
    let checks = extraction.documents[0].document.reading.as_deref().expect("a second look");
    assert!(ReadingCheck::compare_file(checks));
}

fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("our own file");
}
