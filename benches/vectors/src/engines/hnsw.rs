//! `hnsw_rs`, in 32 bits with its wide instructions.

use std::path::Path;

use hnsw_rs::prelude::*;

use crate::clock::Stopwatch;
use crate::data::Data;
use crate::engine::Asked;
use crate::engine::Built;
use crate::engine::Engine;
use crate::engine::Opened;
use crate::engine::Reply;
use crate::engine::timed;

/// What its two files are called.
const NAME: &str = "rows";

struct HnswRs {
    index: Hnsw<'static, f32, DistDot>,
    documents: Vec<u32>,
}

/// Its distance asserts that a product of unit vectors is not above 1.
fn shortened(vector: &[f32]) -> Vec<f32> {
    vector.iter().map(|x| x * 0.999_999).collect()
}

pub(super) fn build(
    data: &Data,
    folder: &Path,
    _threads: usize,
) -> Option<(Box<dyn Engine>, Built)> {
    let watch = Stopwatch::start();
    let index = Hnsw::new(16, data.len(), 16, 200, DistDot);
    let vectors: Vec<Vec<f32>> = (0..data.len()).map(|row| shortened(data.row(row))).collect();
    let rows: Vec<(&Vec<f32>, usize)> =
        data.shuffled().into_iter().map(|row| (&vectors[row], row)).collect();
    index.parallel_insert(&rows);
    let mut built = watch.stop(0);
    let name = index.file_dump(folder, NAME).expect("written");
    let length = |ending| std::fs::metadata(folder.join(format!("{name}.hnsw.{ending}")));
    built.bytes = ["graph", "data"].into_iter().filter_map(|e| Some(length(e).ok()?.len())).sum();
    Some((Box::new(HnswRs { index, documents: data.documents.clone() }), built))
}

pub(super) fn open(folder: &Path, _dimension: usize) -> Opened {
    // What it loads borrows the reader for as long as it lives.
    let reader: &'static mut HnswIo = Box::leak(Box::new(HnswIo::new(folder, NAME)));
    let index: Hnsw<'static, f32, DistDot> = reader.load_hnsw().expect("it opens");
    Opened::Here(Box::new(index))
}

impl Engine for HnswRs {
    fn run(&mut self, queries: &[&[f32]], asked: Asked<'_>) -> Option<Vec<Reply>> {
        let effort = asked.effort.max(asked.k);
        timed(queries, |query| {
            let query = shortened(query);
            let found = match asked.filter {
                None => self.index.search(&query, asked.k, effort),
                Some(filter) => {
                    let allowed = |row: &DataId| filter.allowed[self.documents[*row] as usize];
                    self.index.search_filter(&query, asked.k, effort, Some(&allowed))
                }
            };
            found.iter().map(|found| found.d_id as u32).collect()
        })
    }
}
