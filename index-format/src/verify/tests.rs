//! Files whose checksums are right and whose numbers are not.

use super::*;
use crate::header::HEADER_SIZE;
use crate::header::SegmentHeader;
use crate::header::SegmentInfo;
use crate::query::Query;
use crate::rows::RowSet;
use crate::writer::SegmentWriter;

/// Writes three rows, overwrites bytes of a section as a faulty writer would, and verifies.
fn verify_after(kind: SectionKind, at: usize, bytes: &[u8]) -> Result<(), SegmentError> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.seg");
    let info = SegmentInfo { dimension: 5, model: [1; 32] };
    let mut writer = SegmentWriter::create(&path, info).expect("a writer");
    for row in 0..3 {
        writer.push(row, &[1.0, 2.0, 3.0, 4.0, 5.0]).expect("a valid vector");
    }
    writer.finish().expect("a finished segment");

    let mut file = std::fs::read(&path).expect("the file");
    let header = file.first_chunk::<HEADER_SIZE>().expect("a header");
    let mut header = SegmentHeader::decode(header).expect("a valid header");
    let section = header.sections.iter_mut().find(|section| section.kind == kind);
    let section = section.expect("a flat section");
    let (start, end, _) = section_bounds(section).expect("a small file");
    file[start + at..][..bytes.len()].copy_from_slice(bytes);
    section.checksum = compute_checksum(&file[start..end]);
    file[..HEADER_SIZE].copy_from_slice(&header.encode());
    std::fs::write(&path, file).expect("the file");

    let segment = Segment::open(&path).expect("a valid header");
    let query = Query::new(&[1.0; 5], 5).expect("a query");
    let hits = segment.search(&query, RowSet::All, 3).expect("the same dimension");
    assert!(hits.iter().all(|hit| hit.similarity.is_finite()), "{hits:?}");
    segment.verify()
}

fn assert_number_fault(result: Result<(), SegmentError>, section: SectionKind, row: u32) {
    match result {
        Err(SegmentError::File { fault, .. }) => {
            assert_eq!(fault, FileFault::Number { section, row });
        }
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn scales_that_are_not_finite_and_positive_are_refused() {
    for scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let result = verify_after(SectionKind::SCALES, 4, &scale.to_le_bytes());
        assert_number_fault(result, SectionKind::SCALES, 1);
    }
    let unchanged = verify_after(SectionKind::SCALES, 4, &0.5_f32.to_le_bytes());
    assert!(unchanged.is_ok(), "{unchanged:?}");
}

#[test]
fn rows_that_are_not_finite_are_refused() {
    for half in [f16::NAN, f16::INFINITY, f16::NEG_INFINITY] {
        let at = 2 * 64 * 2 + 8;
        let result = verify_after(SectionKind::HALVES, at, &half.to_le_bytes());
        assert_number_fault(result, SectionKind::HALVES, 2);
    }
}
