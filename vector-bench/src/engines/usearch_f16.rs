//! `usearch`, in half precision.

use std::path::Path;

use usearch::Index;
use usearch::IndexOptions;
use usearch::MetricKind;
use usearch::ScalarKind;

use crate::data::Data;
use crate::engine::Engine;
use crate::engine::Filter;

struct Usearch {
    index: Index,
    documents: Vec<u32>,
    bytes: u64,
}

pub(super) fn build(data: &Data, folder: &Path, threads: usize) -> Box<dyn Engine> {
    let options = IndexOptions {
        dimensions: data.dimension,
        metric: MetricKind::IP,
        quantization: ScalarKind::F16,
        connectivity: 16,
        expansion_add: 200,
        expansion_search: 100,
        ..IndexOptions::default()
    };
    let index = Index::new(&options).expect("an index");
    index.reserve(data.len()).expect("memory");
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let row = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    if row >= data.len() {
                        break;
                    }
                    index.add(row as u64, data.row(row)).expect("added");
                }
            });
        }
    });
    let path = folder.join("rows.usearch");
    index.save(&path.to_string_lossy()).expect("saved");
    let bytes = std::fs::metadata(&path).map_or(0, |file| file.len());
    Box::new(Usearch { index, documents: data.documents.clone(), bytes })
}

impl Engine for Usearch {
    fn name(&self) -> &str {
        "usearch f16"
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn search(&mut self, query: &[f32], k: usize, effort: usize) -> Vec<u32> {
        self.index.change_expansion_search(effort.max(k));
        let found = self.index.search(query, k).expect("a search");
        found.keys.iter().map(|key| *key as u32).collect()
    }

    fn search_filtered(
        &mut self,
        query: &[f32],
        k: usize,
        effort: usize,
        filter: &Filter,
    ) -> Option<Vec<u32>> {
        self.index.change_expansion_search(effort.max(k));
        let allowed = |key: u64| filter.allowed[self.documents[key as usize] as usize];
        let found = self.index.filtered_search(query, k, allowed).expect("a search");
        Some(found.keys.iter().map(|key| *key as u32).collect())
    }
}
