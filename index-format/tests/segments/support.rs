//! Seeded vectors, exact answers to compare with, and segments made from them.

use std::collections::BTreeMap;
use std::path::Path;

use index_format::GraphOptions;
use index_format::Segment;
use index_format::SegmentInfo;
use index_format::SegmentWriter;

/// Seeded vectors that are the same in every run and on every machine.
pub(crate) struct VectorGenerator(pub(crate) u64);

impl VectorGenerator {
    pub(crate) fn next_number(&mut self) -> u64 {
        splitmix64::next_splitmix64(&mut self.0)
    }

    /// A number less than `bound`.
    pub(crate) fn draw_below(&mut self, bound: u64) -> u64 {
        self.next_number() % bound
    }

    /// Approximately normal: the sum of twelve uniform numbers.
    pub(crate) fn draw_normal(&mut self) -> f32 {
        (0..12).map(|_| (self.next_number() >> 40) as f32 / (1 << 24) as f32 - 0.5).sum()
    }

    pub(crate) fn draw_vector(&mut self, dimension: usize) -> Vec<f32> {
        (0..dimension).map(|_| self.draw_normal()).collect()
    }
}

/// Vectors around random centres, many for each: the nearest differ little, as in real text, so
/// that coarse scores alone put them in a wrong order.
pub(crate) fn clustered(seed: u64, count: usize, dimension: usize) -> Vec<Vec<f32>> {
    let mut random = VectorGenerator(seed);
    let centres: Vec<Vec<f32>> = (0..25).map(|_| random.draw_vector(dimension)).collect();
    let member = |random: &mut VectorGenerator| {
        let centre = random.draw_below(25) as usize;
        centres[centre].iter().map(|x| x + 0.3 * random.draw_normal()).collect()
    };
    (0..count).map(|_| member(&mut random)).collect()
}

/// The cosine by its definition, in f64.
pub(crate) fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let product = |a: &[f32], b: &[f32]| -> f64 {
        a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
    };
    product(a, b) / (product(a, a).sqrt() * product(b, b).sqrt())
}

/// The `k` best content ids with their cosines: each allowed vector compared, the best of each id.
pub(crate) fn exact_best(
    rows: &[(u64, Vec<f32>)],
    allowed: impl Fn(u32) -> bool,
    query: &[f32],
    k: usize,
) -> Vec<(u64, f64)> {
    let mut best = BTreeMap::<u64, f64>::new();
    for (row, (content_id, vector)) in (0..).zip(rows) {
        if allowed(row) {
            let similarity = cosine(vector, query);
            let highest = best.entry(*content_id).or_insert(similarity);
            *highest = highest.max(similarity);
        }
    }
    let mut best: Vec<(u64, f64)> = best.into_iter().collect();
    best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    best.truncate(k);
    best
}

pub(crate) const MODEL: [u8; 32] = *b"an identity of exactly 32 bytes.";

/// A writer that has all rows.
fn fill_writer(path: &Path, dimension: u32, rows: &[(u64, Vec<f32>)]) -> SegmentWriter {
    let info = SegmentInfo { dimension, model: MODEL };
    let mut writer = SegmentWriter::create(path, info).expect("a writer");
    for (content_id, vector) in rows {
        writer.push(*content_id, vector).expect("a valid vector");
    }
    writer
}

pub(crate) fn write_segment(path: &Path, dimension: u32, rows: &[(u64, Vec<f32>)]) {
    fill_writer(path, dimension, rows).finish().expect("a finished segment");
}

pub(crate) fn write_graph(
    path: &Path,
    dimension: u32,
    rows: &[(u64, Vec<f32>)],
    options: &GraphOptions<'_>,
) {
    fill_writer(path, dimension, rows).finish_with_graph(options).expect("a finished segment");
}

/// A segment whose file is gone when the folder is dropped with it.
pub(crate) fn segment_of(dimension: u32, rows: &[(u64, Vec<f32>)]) -> (tempfile::TempDir, Segment) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rows.seg");
    write_segment(&path, dimension, rows);
    let segment = Segment::open(&path).expect("an open segment");
    (folder, segment)
}
