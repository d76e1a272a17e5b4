//! Files of every version ever written still open and give the same answers.

use std::path::Path;
use std::path::PathBuf;

use crate::support::MODEL;
use crate::support::VectorGenerator;
use crate::support::exact_best;
use crate::support::write_graph;
use crate::support::write_segment;
use index_format::GraphOptions;
use index_format::Query;
use index_format::RowSet;
use index_format::Segment;
use index_format::SegmentKind;

const DIMENSION: u32 = 13;

fn version_1() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/flat-v1.seg")
}

/// What the file of version 1 was made from: 20 rows, two for each content id.
fn rows_of_version_1() -> Vec<(u64, Vec<f32>)> {
    let mut random = VectorGenerator(2026);
    (0..20).map(|row| (1000 + row / 2, random.draw_vector(DIMENSION as usize))).collect()
}

#[test]
fn a_segment_of_version_1_opens_and_answers() {
    let segment = Segment::open(version_1()).expect("version 1 opens");
    segment.verify().expect("version 1 is valid");
    segment.check_model(&MODEL, DIMENSION).expect("the model it was made with");
    assert_eq!(segment.row_count(), 20);
    let query: Vec<f32> = (1..=DIMENSION).map(|i| i as f32 - 6.5).collect();
    let query = Query::new(&query, DIMENSION).expect("a query");
    let hits = segment.search(&query, RowSet::All, 3).expect("the same dimension");
    let found: Vec<(u64, u32, f32)> =
        hits.iter().map(|hit| (hit.content_id, hit.row, hit.similarity)).collect();
    assert_eq!(found, [(1001, 2, 0.5801941), (1008, 16, 0.5530422), (1006, 12, 0.28472912)]);
}

#[test]
fn this_program_still_writes_version_1_byte_for_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("again.seg");
    write_segment(&path, DIMENSION, &rows_of_version_1());
    let written = std::fs::read(path).expect("the file");
    let fixture = std::fs::read(version_1()).expect("the fixture");
    assert_eq!(fixture.len(), written.len());
    let difference = fixture.iter().zip(&written).position(|(old, new)| old != new);
    assert_eq!(difference, None, "the first byte that differs");
}

fn graph_of_version_1() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/graph-v1.seg")
}

/// What the graph of version 1 was made from: 60 rows, some of them the same.
fn rows_of_graph() -> Vec<(u64, Vec<f32>)> {
    let mut random = VectorGenerator(2027);
    let rows: Vec<Vec<f32>> = (0..50).map(|_| random.draw_vector(DIMENSION as usize)).collect();
    (0..60).map(|row| (100 + row / 2, rows[row as usize % 50].clone())).collect()
}

fn write_graph_again(path: &Path) {
    let options = GraphOptions { m: 2, ..GraphOptions::default() };
    write_graph(path, DIMENSION, &rows_of_graph(), &options);
}

#[test]
fn a_graph_of_version_1_opens_and_answers() {
    let path = graph_of_version_1();
    if std::env::var_os("SPECBOX_WRITE_FIXTURES").is_some() {
        write_graph_again(&path);
    }
    let segment = Segment::open(path).expect("version 1 opens");
    segment.verify().expect("version 1 is valid");
    assert_eq!((segment.row_count(), segment.kind()), (60, SegmentKind::Graph));
    let rows = rows_of_graph();
    for seed in 0..20 {
        let vector = VectorGenerator(seed).draw_vector(DIMENSION as usize);
        let query = Query::new(&vector, DIMENSION).expect("a query");
        let hits = segment.search(&query, RowSet::All, 3).expect("the same dimension");
        let found: Vec<u64> = hits.iter().map(|hit| hit.content_id).collect();
        let exact: Vec<u64> =
            exact_best(&rows, |_| true, &vector, 3).into_iter().map(|(id, _)| id).collect();
        assert_eq!(found, exact);
    }
}

#[test]
fn this_program_still_writes_graphs_of_version_1_byte_for_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("again.seg");
    write_graph_again(&path);
    let written = std::fs::read(path).expect("the file");
    let fixture = std::fs::read(graph_of_version_1()).expect("the fixture");
    assert_eq!(fixture.len(), written.len());
    let difference = fixture.iter().zip(&written).position(|(old, new)| old != new);
    assert_eq!(difference, None, "the first byte that differs");
}

/// Reads the fixture as `FORMAT.md` describes it, with nothing of this crate.
#[test]
fn the_format_description_is_enough_to_read_version_1() {
    let bytes = std::fs::read(version_1()).expect("the fixture");
    let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"));
    let u64_at = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"));
    assert_eq!(bytes[..8], [0x89, 0x49, 0x58, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]);
    assert_eq!([8, 12, 16, 20].map(u32_at), [1, 1, 13, 1]);
    assert_eq!(u64_at(24), 20);
    assert_eq!(bytes[32..64], MODEL);
    assert_eq!(u64_at(64), bytes.len() as u64);
    assert_eq!(u32_at(72), 4);
    let offset_of = |kind: u32| {
        let entry = (0..4).map(|i| 80 + 32 * i).find(|at| u32_at(*at) == kind);
        u64_at(entry.expect("an entry") + 8) as usize
    };
    let [ids, codes, scales, halves] = [1, 2, 3, 4].map(offset_of);
    for (row, (content_id, vector)) in rows_of_version_1().iter().enumerate() {
        assert_eq!(u64_at(ids + 8 * row), *content_id);
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        let scale = f32::from_bits(u32_at(scales + 4 * row));
        for (i, component) in vector.iter().enumerate() {
            let half = half_at(&bytes, halves + 128 * row + 2 * i);
            assert!((half - component / length).abs() < 1e-3, "row {row}, component {i}");
            let code = f32::from(bytes[codes + 64 * row + i].cast_signed());
            assert!((code * scale - half).abs() <= 0.51 * scale, "row {row}, component {i}");
        }
    }
}

/// A half-precision number by the IEEE 754 rules, for finite ones.
fn half_at(bytes: &[u8], at: usize) -> f32 {
    let bits = u16::from_le_bytes(bytes[at..at + 2].try_into().expect("2 bytes"));
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023) / 1024.0);
    match exponent {
        0 => sign * fraction * 2.0_f32.powi(-14),
        _ => sign * (1.0 + fraction) * 2.0_f32.powi(exponent - 15),
    }
}
