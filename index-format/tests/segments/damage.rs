//! Damaged and foreign files: an error that names the file, never a panic, never a stray read.

use std::fs::OpenOptions;
use std::io::Seek;
use std::io::SeekFrom;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

use crate::support::MODEL;
use crate::support::VectorGenerator;
use crate::support::write_graph;
use crate::support::write_segment;
use index_format::FileFault;
use index_format::GraphOptions;
use index_format::Query;
use index_format::RowSet;
use index_format::Segment;
use index_format::SegmentError;
use index_format::SegmentInfo;
use index_format::SegmentKind;
use index_format::SegmentWriter;

const DIMENSION: u32 = 13;
const HEADER: usize = 4096;

const KINDS: [SegmentKind; 2] = [SegmentKind::Flat, SegmentKind::Graph];

fn small_segment(kind: SegmentKind) -> (tempfile::TempDir, PathBuf, Vec<u8>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("small.seg");
    let mut random = VectorGenerator(3);
    let rows: Vec<(u64, Vec<f32>)> =
        (0..20).map(|row| (row / 2, random.draw_vector(DIMENSION as usize))).collect();
    match kind {
        SegmentKind::Flat => write_segment(&path, DIMENSION, &rows),
        // A small `m`, so that there are levels.
        SegmentKind::Graph => {
            let options = GraphOptions { m: 2, ..GraphOptions::default() };
            write_graph(&path, DIMENSION, &rows, &options);
        }
    }
    let bytes = std::fs::read(&path).expect("the file");
    (folder, path, bytes)
}

fn query() -> Query {
    Query::new(&VectorGenerator(4).draw_vector(DIMENSION as usize), DIMENSION).expect("a query")
}

fn put(path: &Path, at: usize, bytes: &[u8]) {
    let mut file = OpenOptions::new().write(true).open(path).expect("the file");
    file.seek(SeekFrom::Start(at as u64)).expect("an offset in the file");
    file.write_all(bytes).expect("a written byte");
}

fn fault_of(error: &SegmentError) -> FileFault {
    match error {
        SegmentError::File { fault, .. } => *fault,
        other => panic!("not a fault of the file: {other}"),
    }
}

/// Searches in each way; whatever the bytes are, results are finite and within the segment.
fn search_all_ways(segment: &Segment) {
    let rows =
        [RowSet::All, RowSet::Sorted(&[0, 5, 19, 400]), RowSet::Bitmap { words: &[u64::MAX; 2] }];
    for (rows, k) in rows.into_iter().flat_map(|rows| [(rows, 1), (rows, 3), (rows, 50)]) {
        for hit in segment.search(&query(), rows, k).expect("the same dimension") {
            assert!((-1.0..=1.0).contains(&hit.similarity), "{hit:?}");
            assert!(hit.row < segment.row_count(), "{hit:?}");
        }
    }
}

#[test]
fn a_flip_of_any_byte_is_found_and_harms_no_search() {
    KINDS.into_iter().for_each(flip_every_byte);
}

fn flip_every_byte(kind: SegmentKind) {
    let (_folder, path, bytes) = small_segment(kind);
    for (at, byte) in bytes.iter().enumerate() {
        put(&path, at, &[byte ^ (1 << (at % 8))]);
        match Segment::open(&path) {
            Err(error) => {
                // For a graph, `open` also reads the layout of its levels.
                let known = at < HEADER || kind == SegmentKind::Graph;
                assert!(known, "only the header is read by open, byte {at}: {error}");
            }
            Ok(segment) => {
                assert!(at >= HEADER, "a flip in the header goes unseen at byte {at}");
                search_all_ways(&segment);
                let found = segment.verify();
                let error = found.err().unwrap_or_else(|| panic!("byte {at} goes unseen"));
                let fault = fault_of(&error);
                let known =
                    matches!(fault, FileFault::SectionChecksum(_) | FileFault::Padding { .. });
                assert!(known, "byte {at}: {fault}");
            }
        }
        put(&path, at, &[*byte]);
    }
    Segment::open(&path).expect("restored").verify().expect("restored");
}

#[test]
fn a_file_cut_at_any_length_does_not_open() {
    KINDS.into_iter().for_each(cut_at_every_length);
}

fn cut_at_every_length(kind: SegmentKind) {
    let (_folder, path, bytes) = small_segment(kind);
    let file = OpenOptions::new().write(true).open(&path).expect("the file");
    for length in (0..bytes.len()).rev() {
        file.set_len(length as u64).expect("a shorter file");
        let error = Segment::open(&path).expect_err("a cut file");
        let fault = fault_of(&error);
        let known = matches!(fault, FileFault::Truncated { .. })
            || (length == 0 && fault == FileFault::Foreign);
        assert!(known, "length {length}: {fault}");
        assert!(error.to_string().contains("small.seg"), "{error}");
    }
}

#[test]
fn a_file_with_bytes_after_its_end_does_not_open() {
    let (_folder, path, bytes) = small_segment(SegmentKind::Flat);
    put(&path, bytes.len(), &[0]);
    let error = Segment::open(&path).expect_err("a stray byte");
    assert!(matches!(fault_of(&error), FileFault::Overlong { .. }), "{error}");
}

#[test]
fn sections_full_of_noise_harm_no_search() {
    let mut random = VectorGenerator(9);
    for kind in KINDS {
        let (_folder, path, bytes) = small_segment(kind);
        // The last section of a graph holds its layout: a file with noise there does not open.
        let end = if kind == SegmentKind::Graph { bytes.len() - 4096 } else { bytes.len() };
        for _ in 0..50 {
            let noise: Vec<u8> = (HEADER..end).map(|_| random.next_number() as u8).collect();
            put(&path, HEADER, &noise);
            let segment = Segment::open(&path).expect("the header is valid");
            search_all_ways(&segment);
            segment.verify().expect_err("noise");
        }
    }
}

#[test]
fn edges_to_anywhere_harm_no_search() {
    let (_folder, path, bytes) = small_segment(SegmentKind::Graph);
    let mut random = VectorGenerator(10);
    let small = |random: &mut VectorGenerator| (random.draw_below(30) as u32).to_le_bytes();
    // The numbers of the levels section from the fourth on, the counts of levels left as they are:
    // the entry, and behind the 20 words of the head all rows, nodes and edges.
    let levels = bytes.len() - 4096;
    let words = [3].into_iter().chain(20..200);
    let offsets: Vec<usize> = words.map(|word| levels + 4 * word).collect();
    let neighbours = levels - 4096..levels;
    for _ in 0..300 {
        for at in offsets.iter().copied().chain(neighbours.clone().step_by(4)) {
            let number = if random.draw_below(4) == 0 { small(&mut random) } else { continue };
            put(&path, at, &number);
        }
        if let Ok(segment) = Segment::open(&path) {
            search_all_ways(&segment);
        }
        put(&path, neighbours.start, &bytes[neighbours.start..]);
    }
}

#[test]
fn infinities_in_every_row_harm_no_search() {
    // More rows than a pool holds, so that scales are used.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.seg");
    let rows: Vec<(u64, Vec<f32>)> = (0..600).map(|id| (id, vec![id as f32, 1.0])).collect();
    write_segment(&path, 2, &rows);
    let length = std::fs::metadata(&path).expect("the file").len() as usize;
    let query = Query::new(&[1.0, 1.0], 2).expect("a query");
    for pattern in [[0x00, 0x7c], [0x00, 0x7e], [0xff, 0xff], [0x80, 0x7f]] {
        put(&path, HEADER, &pattern.repeat((length - HEADER) / 2));
        let segment = Segment::open(&path).expect("the header is valid");
        let hits = segment.search(&query, RowSet::All, 5).expect("the same dimension");
        assert!(hits.iter().all(|hit| hit.similarity.is_finite()), "{hits:?}");
    }
}

#[test]
fn files_of_other_kinds_are_foreign() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.seg");
    let contents: [&[u8]; 4] = [b"", b"PK\x03\x04 an archive", &[0; 9000], b"\x89PNG\r\n\x1a\n"];
    for content in contents {
        std::fs::write(&path, content).expect("a file");
        let error = Segment::open(&path).expect_err("a foreign file");
        assert_eq!(fault_of(&error), FileFault::Foreign);
    }
    let error = Segment::open(folder.path()).expect_err("a folder");
    assert_eq!(fault_of(&error), FileFault::Foreign);
    let error = Segment::open(folder.path().join("none.seg")).expect_err("no file");
    assert!(matches!(error, SegmentError::Io { .. }), "{error}");
    assert!(error.to_string().contains("none.seg"), "{error}");
}

#[test]
fn an_unfinished_file_is_foreign() {
    let folder = tempfile::tempdir().expect("a folder");
    let info = SegmentInfo { dimension: 4096, model: MODEL };
    let mut writer = SegmentWriter::create(folder.path().join("a.seg"), info).expect("a writer");
    for id in 0..300 {
        writer.push(id, &[1.0; 4096]).expect("a valid vector");
    }
    let entry = std::fs::read_dir(folder.path()).expect("a folder").next().expect("a file");
    let error = Segment::open(entry.expect("an entry").path()).expect_err("an unfinished file");
    assert_eq!(fault_of(&error), FileFault::Foreign);
}
