//! What a writer leaves on disk, and what it does not.

use std::path::Path;

use crate::support::MODEL;
use crate::support::VectorGenerator;
use crate::support::cosine;
use crate::support::segment_of;
use crate::support::write_segment;
use index_format::Segment;
use index_format::SegmentError;
use index_format::SegmentInfo;
use index_format::SegmentSummary;
use index_format::SegmentWriter;
use index_format::VectorError;

const INFO: SegmentInfo = SegmentInfo { dimension: 3, model: MODEL };

fn files_in(folder: &Path) -> usize {
    std::fs::read_dir(folder).expect("a folder").count()
}

#[test]
fn rows_come_back_in_order_with_their_content_ids() {
    for dimension in [1, 2, 13, 63, 64, 65, 384, 1000, 4096] {
        let mut random = VectorGenerator(u64::from(dimension));
        let rows: Vec<(u64, Vec<f32>)> = (0..7)
            .map(|_| (random.next_number(), random.draw_vector(dimension as usize)))
            .collect();
        let (_folder, segment) = segment_of(dimension, &rows);
        segment.verify().expect("a valid file");
        assert_eq!((segment.row_count(), segment.dimension()), (7, dimension));
        assert_eq!(segment.model(), &MODEL);
        for (row, (content_id, vector)) in (0..).zip(&rows) {
            assert_eq!(segment.content_id(row), Some(*content_id));
            let stored = segment.read_vector(row).expect("a row");
            assert_eq!(stored.len(), vector.len());
            assert!(cosine(&stored, vector) > 0.999_999, "dimension {dimension}, row {row}");
            assert!((cosine(&stored, &stored) - 1.0).abs() < 1e-9);
            let length: f32 = stored.iter().map(|x| x * x).sum();
            assert!((length - 1.0).abs() < 1e-3, "stored rows have length 1, not {length}");
        }
        assert_eq!(segment.content_id(7), None);
        assert_eq!(segment.read_vector(7), None);
        assert_eq!(segment.read_vector(u32::MAX), None);
    }
}

#[test]
fn the_same_rows_make_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows: Vec<(u64, Vec<f32>)> =
        (0..50).map(|id| (id, VectorGenerator(id).draw_vector(33))).collect();
    let [first, second] = ["a.seg", "b.seg"].map(|name| {
        let path = folder.path().join(name);
        write_segment(&path, 33, &rows);
        std::fs::read(path).expect("the file")
    });
    assert_eq!(first, second);
}

#[test]
fn finish_reports_rows_and_bytes_and_leaves_one_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.seg");
    let mut writer = SegmentWriter::create(&path, INFO).expect("a writer");
    writer.push(5, &[1.0, 2.0, 3.0]).expect("a valid vector");
    assert!(!path.exists(), "an unfinished segment has no name");
    let summary = writer.finish().expect("finished");
    let bytes = std::fs::metadata(&path).expect("the file").len();
    assert_eq!(summary, SegmentSummary { rows: 1, bytes });
    assert_eq!(files_in(folder.path()), 1);
}

#[test]
fn a_segment_without_rows_is_valid() {
    let (_folder, segment) = segment_of(3, &[]);
    segment.verify().expect("a valid file");
    assert_eq!(segment.row_count(), 0);
    assert_eq!(segment.content_id(0), None);
}

#[test]
fn a_writer_dropped_midway_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.seg");
    let mut writer = SegmentWriter::create(&path, INFO).expect("a writer");
    for id in 0..1000 {
        writer.push(id, &[1.0, 2.0, 3.0]).expect("a valid vector");
    }
    assert_eq!(files_in(folder.path()), 1);
    drop(writer);
    assert_eq!(files_in(folder.path()), 0);
}

#[test]
fn an_older_segment_stays_until_its_successor_is_finished() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.seg");
    write_segment(&path, 3, &[(1, vec![1.0, 0.0, 0.0])]);
    let old = Segment::open(&path).expect("the old segment");
    let mut writer = SegmentWriter::create(&path, INFO).expect("a writer");
    writer.push(2, &[0.0, 1.0, 0.0]).expect("a valid vector");
    let still = Segment::open(&path).expect("the old segment");
    assert_eq!(still.content_id(0), Some(1));
    writer.finish().expect("finished");
    let new = Segment::open(&path).expect("the new segment");
    assert_eq!(new.content_id(0), Some(2));
    assert_eq!(old.content_id(0), Some(1), "an open segment does not change");
}

#[test]
fn vectors_without_direction_are_refused_and_leave_no_row() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.seg");
    let mut writer = SegmentWriter::create(&path, INFO).expect("a writer");
    let mut refusal = |vector: &[f32]| match writer.push(1, vector) {
        Err(SegmentError::Vector(error)) => error,
        other => panic!("not refused as a vector: {other:?}"),
    };
    assert_eq!(refusal(&[0.0; 3]), VectorError::Zero);
    assert_eq!(refusal(&[1.0, f32::NAN, 0.0]), VectorError::NotFinite { position: 1 });
    assert_eq!(refusal(&[f32::NEG_INFINITY, 0.0, 0.0]), VectorError::NotFinite { position: 0 });
    assert_eq!(refusal(&[1.0; 4]), VectorError::Length { expected: 3, found: 4 });
    assert_eq!(refusal(&[]), VectorError::Length { expected: 3, found: 0 });
    writer.push(2, &[0.0, 0.0, 1.0]).expect("a valid vector");
    assert_eq!(writer.finish().expect("finished").rows, 1);
}

#[test]
fn dimensions_outside_the_format_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for dimension in [0, 4097, u32::MAX] {
        let info = SegmentInfo { dimension, model: MODEL };
        let refused = SegmentWriter::create(folder.path().join("a.seg"), info);
        assert!(matches!(refused, Err(SegmentError::Vector(_))), "{refused:?}");
    }
    assert_eq!(files_in(folder.path()), 0);
}

#[test]
fn a_folder_that_is_not_there_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let error =
        SegmentWriter::create(folder.path().join("none/a.seg"), INFO).expect_err("no folder");
    assert!(matches!(error, SegmentError::Io { .. }), "{error}");
    assert!(error.to_string().contains("a.seg"), "{error}");
    let error = SegmentWriter::create("", INFO).expect_err("no name");
    assert!(matches!(error, SegmentError::Io { .. }), "{error}");
}

#[test]
fn a_name_that_is_taken_by_a_folder_is_an_error_of_finish() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("taken");
    std::fs::create_dir(&path).expect("a folder");
    let mut writer = SegmentWriter::create(&path, INFO).expect("a writer");
    writer.push(1, &[1.0, 0.0, 0.0]).expect("a valid vector");
    let error = writer.finish().expect_err("the name is taken");
    assert!(matches!(error, SegmentError::Io { .. }), "{error}");
    assert_eq!(files_in(folder.path()), 1, "the temporary file is gone");
}

#[test]
fn another_model_or_dimension_is_refused() {
    let (_folder, segment) = segment_of(3, &[(1, vec![1.0, 0.0, 0.0])]);
    segment.check_model(&MODEL, 3).expect("the same model");
    let error = segment.check_model(&[7; 32], 3).expect_err("another model");
    assert!(matches!(error, SegmentError::ModelMismatch { .. }), "{error}");
    assert!(error.to_string().contains("0707070707070707"), "{error}");
    let error = segment.check_model(&MODEL, 4).expect_err("another dimension");
    assert!(
        matches!(error, SegmentError::DimensionMismatch { expected: 4, found: 3, .. }),
        "{error}"
    );
}
