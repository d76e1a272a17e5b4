//! Headers with a correct checksum and wrong numbers.

use super::*;
use crate::section::ALIGNMENT;

fn sound_header() -> SegmentHeader {
    let (rows, dimension) = (20, 13);
    let mut offset = HEADER_SIZE as u64;
    let mut sections = Vec::new();
    for kind in [
        SectionKind::HALVES,
        SectionKind::QUANTIZED_CODES,
        SectionKind::SCALES,
        SectionKind::CONTENT_IDS,
    ] {
        let length = kind.exact_length(rows, dimension).expect("a flat section");
        let section = SectionTableEntry { kind, offset, length, checksum: 7 };
        offset = section.next_offset().expect("a small file");
        sections.push(section);
    }
    let info = SegmentInfo { dimension, model: [9; 32] };
    SegmentHeader { kind: SegmentKind::Flat, info, rows, file_length: offset, sections }
}

fn decode_with(at: usize, field: &[u8]) -> Result<SegmentHeader, FileFault> {
    let mut bytes = sound_header().encode();
    bytes[at..at + field.len()].copy_from_slice(field);
    write_checksum(&mut bytes);
    SegmentHeader::decode(&bytes)
}

fn decode_changed(change: impl FnOnce(&mut SegmentHeader)) -> Result<SegmentHeader, FileFault> {
    let mut header = sound_header();
    change(&mut header);
    SegmentHeader::decode(&header.encode())
}

#[test]
fn a_header_comes_back_as_it_was() {
    let header = sound_header();
    assert_eq!(SegmentHeader::decode(&header.encode()), Ok(header));
}

#[test]
fn a_later_version_is_named_even_when_its_checksum_is_elsewhere() {
    let mut bytes = sound_header().encode();
    bytes[VERSION_AT] = 2;
    assert_eq!(
        SegmentHeader::decode(&bytes),
        Err(FileFault::UnknownVersion { found: 2, known: 1 })
    );
}

#[test]
fn fields_out_of_range_are_refused() {
    let refused = |at: usize, bytes: &[u8], name: &str| {
        let fault = decode_with(at, bytes).expect_err("an impossible value");
        assert!(matches!(fault, FileFault::Field { field, .. } if field == name), "{fault}");
    };
    refused(KIND_AT, &3u32.to_le_bytes(), "kind");
    refused(METRIC_AT, &0u32.to_le_bytes(), "metric");
    refused(DIMENSION_AT, &0u32.to_le_bytes(), "dimension");
    refused(DIMENSION_AT, &4097u32.to_le_bytes(), "dimension");
    refused(ROWS_AT, &(1u64 << 32).to_le_bytes(), "row count");
    refused(SECTION_COUNT_AT, &126u32.to_le_bytes(), "section count");
    refused(SECTION_COUNT_AT, &u32::MAX.to_le_bytes(), "section count");
    refused(RESERVED_AT, &[1], "reserved");
    refused(TABLE_AT + 4, &[1], "section reserved");
}

#[test]
fn bytes_after_the_table_must_be_zero() {
    let fault = decode_with(CHECKSUM_AT - 1, &[1]).expect_err("a stray byte");
    assert!(matches!(fault, FileFault::Padding { .. }), "{fault}");
}

#[test]
fn more_rows_than_the_sections_hold_are_refused() {
    for rows in [0, 19, 21, u32::MAX] {
        let fault = decode_changed(|header| header.rows = rows).expect_err("rows do not fit");
        assert!(matches!(fault, FileFault::SectionLength { .. }), "{fault}");
    }
}

#[test]
fn sections_that_overflow_overlap_or_leave_gaps_are_refused() {
    let misplaced = |index: usize, offset: u64, length: u64| {
        let fault = decode_changed(|header| {
            header.sections[index].offset = offset;
            header.sections[index].length = length;
        })
        .expect_err("a misplaced section");
        assert!(matches!(fault, FileFault::SectionMisplaced(_)), "{fault}");
    };
    let length = sound_header().sections[0].length;
    misplaced(0, 0, length);
    misplaced(0, 1, length);
    misplaced(0, 2 * ALIGNMENT, length);
    misplaced(0, u64::MAX - 10, length);
    misplaced(0, HEADER_SIZE as u64, u64::MAX);
    misplaced(0, HEADER_SIZE as u64, u64::MAX - HEADER_SIZE as u64);
    misplaced(1, HEADER_SIZE as u64, length);
    misplaced(3, 1 << 40, length);
}

#[test]
fn bytes_that_belong_to_no_section_are_refused() {
    let fault = decode_changed(|header| {
        for section in &mut header.sections[1..] {
            section.offset += ALIGNMENT;
        }
        header.file_length += ALIGNMENT;
    });
    assert_eq!(fault, Err(FileFault::SectionMisplaced(SectionKind::QUANTIZED_CODES)));
}

#[test]
fn missing_and_repeated_sections_are_refused() {
    let fault = decode_changed(|header| header.sections[3].kind = SectionKind(77));
    assert_eq!(fault, Err(FileFault::SectionMissing(SectionKind::CONTENT_IDS)));
    let fault = decode_changed(|header| header.sections[3].kind = SectionKind::QUANTIZED_CODES);
    assert_eq!(fault, Err(FileFault::SectionRepeated(SectionKind::QUANTIZED_CODES)));
}

#[test]
fn a_file_length_that_the_sections_do_not_reach_is_refused() {
    let fault = decode_changed(|header| header.file_length += ALIGNMENT).expect_err("a gap");
    assert!(matches!(fault, FileFault::Field { field: "file length", .. }), "{fault}");
}

#[test]
fn an_unknown_section_is_carried_along() {
    let header = decode_changed(|header| {
        let extra = SectionTableEntry {
            kind: SectionKind(77),
            offset: header.file_length,
            length: 5,
            checksum: 0,
        };
        header.file_length += ALIGNMENT;
        header.sections.push(extra);
    })
    .expect("sections of later kinds do not disturb");
    assert_eq!(header.sections.len(), 5);
}

#[test]
fn the_file_must_have_the_length_the_header_names() {
    let header = sound_header();
    let expected = header.file_length;
    assert_eq!(header.check_file_length(expected), Ok(()));
    let short = header.check_file_length(expected - 1);
    assert_eq!(short, Err(FileFault::Truncated { expected, found: expected - 1 }));
    let long = header.check_file_length(expected + 1);
    assert_eq!(long, Err(FileFault::Overlong { expected, found: expected + 1 }));
}
