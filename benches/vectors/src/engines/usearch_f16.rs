//! `usearch`, in half precision.

use std::path::Path;

use usearch::Index;
use usearch::IndexOptions;
use usearch::MetricKind;
use usearch::ScalarKind;

use crate::clock::Stopwatch;
use crate::data::Data;
use crate::engine::Asked;
use crate::engine::Built;
use crate::engine::Engine;
use crate::engine::Opened;
use crate::engine::Reply;
use crate::engine::timed;

const FILE: &str = "rows.usearch";

struct Usearch {
    index: Index,
    documents: Vec<u32>,
}

fn options(dimensions: usize) -> IndexOptions {
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

pub(super) fn open(folder: &Path, dimension: usize) -> Opened {
    let index = Index::new(&options(dimension)).expect("an index");
    index.view(&folder.join(FILE).to_string_lossy()).expect("it opens");
    Opened::Here(Box::new(index))
}

pub(super) fn build(
    data: &Data,
    folder: &Path,
    threads: usize,
) -> Option<(Box<dyn Engine>, Built)> {
    let watch = Stopwatch::start();
    let index = Index::new(&options(data.dimension)).expect("an index");
    index.reserve(data.len()).expect("memory");
    let next = std::sync::atomic::AtomicUsize::new(0);
    let order = data.shuffled();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(row) = order.get(place).copied() else { break };
                    index.add(row as u64, data.row(row)).expect("added");
                }
            });
        }
    });
    let mut built = watch.stop(0);
    let path = folder.join(FILE);
    index.save(&path.to_string_lossy()).expect("saved");
    built.bytes = std::fs::metadata(&path).map_or(0, |file| file.len());
    Some((Box::new(Usearch { index, documents: data.documents.clone() }), built))
}

impl Engine for Usearch {
    fn run(&mut self, queries: &[&[f32]], asked: Asked<'_>) -> Option<Vec<Reply>> {
        self.index.change_expansion_search(asked.effort.max(asked.k));
        timed(queries, |query| {
            let found = match asked.filter {
                None => self.index.search(query, asked.k),
                Some(filter) => {
                    let allowed = |key: u64| filter.allowed[self.documents[key as usize] as usize];
                    self.index.filtered_search(query, asked.k, allowed)
                }
            };
            found.expect("a search").keys.iter().map(|key| *key as u32).collect()
        })
    }
}
