//! `hnsw_rs`, in 32 bits with its wide instructions.

use std::path::Path;

use hnsw_rs::prelude::*;

use crate::clock::BuildCost;
use crate::clock::Stopwatch;
use crate::data::VectorSet;
use crate::engine::KnnReply;
use crate::engine::KnnRequest;
use crate::engine::OpenedIndex;
use crate::engine::VectorEngine;
use crate::engine::time_queries;

/// The stem of the names of its two files.
const NAME: &str = "rows";

struct HnswRsEngine {
    index: Hnsw<'static, f32, DistDot>,
    documents: Vec<u32>,
}

/// Its distance asserts that a product of unit vectors is not above 1.
fn shorten_vector(vector: &[f32]) -> Vec<f32> {
    vector.iter().map(|x| x * 0.999_999).collect()
}

pub(super) fn build_index(
    data: &VectorSet,
    folder: &Path,
    _threads: usize,
) -> Option<(Box<dyn VectorEngine>, BuildCost)> {
    let watch = Stopwatch::start();
    let index = Hnsw::new(16, data.len(), 16, 200, DistDot);
    let vectors: Vec<Vec<f32>> = (0..data.len()).map(|row| shorten_vector(data.row(row))).collect();
    let rows: Vec<(&Vec<f32>, usize)> =
        data.shuffled_rows().into_iter().map(|row| (&vectors[row], row)).collect();
    index.parallel_insert(&rows);
    let mut built = watch.stop(0);
    let name = index.file_dump(folder, NAME).expect("written");
    let length = |ending| std::fs::metadata(folder.join(format!("{name}.hnsw.{ending}")));
    built.bytes = ["graph", "data"].into_iter().filter_map(|e| Some(length(e).ok()?.len())).sum();
    Some((Box::new(HnswRsEngine { index, documents: data.documents.clone() }), built))
}

pub(super) fn open_index(folder: &Path, _dimension: usize) -> OpenedIndex {
    // What it loads borrows the reader for as long as it lives.
    let reader: &'static mut HnswIo = Box::leak(Box::new(HnswIo::new(folder, NAME)));
    let index: Hnsw<'static, f32, DistDot> = reader.load_hnsw().expect("it opens");
    OpenedIndex::InProcess(Box::new(index))
}

impl VectorEngine for HnswRsEngine {
    fn answer_queries(
        &mut self,
        queries: &[&[f32]],
        request: KnnRequest<'_>,
    ) -> Option<Vec<KnnReply>> {
        let ef = request.ef.max(request.k);
        let replies = time_queries(queries, |query| {
            let query = shorten_vector(query);
            let hits = match request.filter {
                None => self.index.search(&query, request.k, ef),
                Some(filter) => {
                    let allowed = |row: &DataId| filter.allowed[self.documents[*row] as usize];
                    self.index.search_filter(&query, request.k, ef, Some(&allowed))
                }
            };
            hits.iter().map(|hit| hit.d_id as u32).collect()
        });
        Some(replies)
    }
}
