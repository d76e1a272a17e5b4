//! Seeded vectors, exact answers to compare with, and segments made from them.

use std::collections::BTreeMap;
use std::path::Path;

use index_format::GraphOptions;
use index_format::Segment;
use index_format::SegmentInfo;
use index_format::SegmentWriter;

/// A generator (splitmix64) that gives the same numbers in every run and on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// About normal, from -3.5 to 3.5: the sum of twelve even numbers.
    pub(crate) fn normal(&mut self) -> f32 {
        (0..12).map(|_| (self.next() >> 40) as f32 / (1 << 24) as f32 - 0.5).sum()
    }

    pub(crate) fn vector(&mut self, dimension: usize) -> Vec<f32> {
        (0..dimension).map(|_| self.normal()).collect()
    }
}

/// Vectors around random centres, many for each: the nearest differ little, as in real text, so
/// that coarse scores alone put them in a wrong order.
pub(crate) fn clustered(seed: u64, count: usize, dimension: usize) -> Vec<Vec<f32>> {
    let mut random = Random(seed);
    let centres: Vec<Vec<f32>> = (0..25).map(|_| random.vector(dimension)).collect();
    let member = |random: &mut Random| {
        let centre = random.below(25) as usize;
        centres[centre].iter().map(|x| x + 0.3 * random.normal()).collect()
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
            let kept = best.entry(*content_id).or_insert(similarity);
            *kept = kept.max(similarity);
        }
    }
    let mut best: Vec<(u64, f64)> = best.into_iter().collect();
    best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    best.truncate(k);
    best
}

pub(crate) const MODEL: [u8; 32] = *b"an identity of exactly 32 bytes.";

pub(crate) fn write_segment(path: &Path, dimension: u32, rows: &[(u64, Vec<f32>)]) {
    let info = SegmentInfo { dimension, model: MODEL };
    let mut writer = SegmentWriter::create(path, info).expect("a writer");
    for (content_id, vector) in rows {
        writer.push(*content_id, vector).expect("a sound vector");
    }
    writer.finish().expect("a finished segment");
}

pub(crate) fn write_graph(
    path: &Path,
    dimension: u32,
    rows: &[(u64, Vec<f32>)],
    options: &GraphOptions<'_>,
) {
    let info = SegmentInfo { dimension, model: MODEL };
    let mut writer = SegmentWriter::create(path, info).expect("a writer");
    for (content_id, vector) in rows {
        writer.push(*content_id, vector).expect("a sound vector");
    }
    writer.finish_with_graph(options).expect("a finished segment");
}

/// A segment whose file is gone when the folder is dropped with it.
pub(crate) fn segment_of(dimension: u32, rows: &[(u64, Vec<f32>)]) -> (tempfile::TempDir, Segment) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rows.seg");
    write_segment(&path, dimension, rows);
    let segment = Segment::open(&path).expect("an open segment");
    (folder, segment)
}
