//! `hnsw_rs`, in 32 bits with its wide instructions.

use std::path::Path;

use hnsw_rs::prelude::*;

use crate::data::Data;
use crate::engine::Engine;
use crate::engine::Filter;

struct HnswRs {
    index: Hnsw<'static, f32, DistDot>,
    documents: Vec<u32>,
    bytes: u64,
}

pub(super) fn build(data: &Data, _folder: &Path, _threads: usize) -> Box<dyn Engine> {
    let index = Hnsw::new(16, data.len(), 16, 200, DistDot);
    // Its distance asserts that a product of unit vectors is not above 1.
    let shortened: Vec<Vec<f32>> = (0..data.len())
        .map(|row| data.row(row).iter().map(|x| x * 0.999_999).collect())
        .collect();
    let rows: Vec<(&Vec<f32>, usize)> = shortened.iter().zip(0..).collect();
    index.parallel_insert(&rows);
    let bytes = (data.rows.len() * 4) as u64;
    Box::new(HnswRs { index, documents: data.documents.clone(), bytes })
}

impl Engine for HnswRs {
    fn name(&self) -> &str {
        "hnsw_rs"
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn search(&mut self, query: &[f32], k: usize, effort: usize) -> Vec<u32> {
        let query: Vec<f32> = query.iter().map(|x| x * 0.999_999).collect();
        self.index.search(&query, k, effort.max(k)).iter().map(|found| found.d_id as u32).collect()
    }

    fn search_filtered(
        &mut self,
        query: &[f32],
        k: usize,
        effort: usize,
        filter: &Filter,
    ) -> Option<Vec<u32>> {
        let query: Vec<f32> = query.iter().map(|x| x * 0.999_999).collect();
        let allowed = |row: &DataId| filter.allowed[self.documents[*row] as usize];
        let found = self.index.search_filter(&query, k, effort.max(k), Some(&allowed));
        Some(found.iter().map(|found| found.d_id as u32).collect())
    }
}
