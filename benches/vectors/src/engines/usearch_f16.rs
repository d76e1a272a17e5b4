//! `usearch`, in half precision.

use std::path::Path;

use usearch::Index;
use usearch::IndexOptions;
use usearch::MetricKind;
use usearch::ScalarKind;

use crate::clock::BuildCost;
use crate::clock::Stopwatch;
use crate::data::VectorSet;
use crate::engine::KnnReply;
use crate::engine::KnnRequest;
use crate::engine::OpenedIndex;
use crate::engine::VectorEngine;
use crate::engine::time_queries;

const FILE: &str = "rows.usearch";

struct UsearchEngine {
    index: Index,
    documents: Vec<u32>,
}

fn index_options(dimensions: usize) -> IndexOptions {
    IndexOptions {
        dimensions,
        metric: MetricKind::IP,
        quantization: ScalarKind::F16,
        connectivity: 16,
        expansion_add: 200,
        expansion_search: 100,
        ..IndexOptions::default()
    }
}

pub(super) fn open_index(folder: &Path, dimension: usize) -> OpenedIndex {
    let index = Index::new(&index_options(dimension)).expect("an index");
    index.view(&folder.join(FILE).to_string_lossy()).expect("it opens");
    OpenedIndex::InProcess(Box::new(index))
}

pub(super) fn build_index(
    data: &VectorSet,
    folder: &Path,
    threads: usize,
) -> Option<(Box<dyn VectorEngine>, BuildCost)> {
    let watch = Stopwatch::start();
    let index = Index::new(&index_options(data.dimension)).expect("an index");
    index.reserve(data.len()).expect("memory");
    let next = std::sync::atomic::AtomicUsize::new(0);
    let order = data.shuffled_rows();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let position = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(row) = order.get(position).copied() else { break };
                    index.add(row as u64, data.row(row)).expect("added");
                }
            });
        }
    });
    let mut built = watch.stop(0);
    let path = folder.join(FILE);
    index.save(&path.to_string_lossy()).expect("saved");
    built.bytes = std::fs::metadata(&path).map_or(0, |file| file.len());
    Some((Box::new(UsearchEngine { index, documents: data.documents.clone() }), built))
}

impl VectorEngine for UsearchEngine {
    fn answer_queries(
        &mut self,
        queries: &[&[f32]],
        request: KnnRequest<'_>,
    ) -> Option<Vec<KnnReply>> {
        self.index.change_expansion_search(request.ef.max(request.k));
        let replies = time_queries(queries, |query| {
            let matches = match request.filter {
                None => self.index.search(query, request.k),
                Some(filter) => {
                    let allowed = |key: u64| filter.allowed[self.documents[key as usize] as usize];
                    self.index.filtered_search(query, request.k, allowed)
                }
            };
            matches.expect("a search").keys.iter().map(|key| *key as u32).collect()
        });
        Some(replies)
    }
}
