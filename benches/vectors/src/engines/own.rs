//! `index-format`: with its own graph, with a graph of `hnsw_rs`, and without.

use std::ops::Range;
use std::path::Path;

use index_format::Builder;
use index_format::GraphOptions;
use index_format::KnnOptions;
use index_format::Query;
use index_format::RowSet;
use index_format::Segment;
use index_format::SegmentInfo;
use index_format::SegmentScope;
use index_format::SegmentWriter;
use index_format::search_segments;

use crate::clock::BuildCost;
use crate::clock::Stopwatch;
use crate::data::BenchFilter;
use crate::data::VectorSet;
use crate::engine::KnnReply;
use crate::engine::KnnRequest;
use crate::engine::OpenedIndex;
use crate::engine::VectorEngine;
use crate::engine::time_queries;

/// The file in an index's folder.
pub const FILE: &str = "rows.seg";

struct OwnEngine {
    segment: Segment,
    /// The rows of each document, as the store's catalog knows them.
    documents: Vec<Range<u32>>,
    /// The allowed rows of the filter asked for last, as bits; the store keeps those of its filters as well.
    allowed: Option<(String, Vec<u64>)>,
}

pub(super) fn build_graph(
    data: &VectorSet,
    folder: &Path,
    threads: usize,
) -> Option<(Box<dyn VectorEngine>, BuildCost)> {
    build_by(Some(Builder::Own), data, folder, threads)
}

pub(super) fn build_by_hnsw_rs(
    data: &VectorSet,
    folder: &Path,
    threads: usize,
) -> Option<(Box<dyn VectorEngine>, BuildCost)> {
    build_by(Some(Builder::HnswRs), data, folder, threads)
}

pub(super) fn build_flat(
    data: &VectorSet,
    folder: &Path,
    threads: usize,
) -> Option<(Box<dyn VectorEngine>, BuildCost)> {
    build_by(None, data, folder, threads)
}

fn build_by(
    builder: Option<Builder>,
    data: &VectorSet,
    folder: &Path,
    threads: usize,
) -> Option<(Box<dyn VectorEngine>, BuildCost)> {
    let path = folder.join(FILE);
    let watch = Stopwatch::start();
    let info = SegmentInfo { dimension: data.dimension as u32, model: [0; 32] };
    let mut writer = SegmentWriter::create(&path, info).expect("a writer");
    for row in 0..data.len() {
        writer.push(row as u64, data.row(row)).expect("a valid vector");
    }
    let summary = match builder {
        Some(builder) => {
            let options = GraphOptions { builder, threads, ..GraphOptions::default() };
            writer.finish_with_graph(&options).expect("a segment")
        }
        None => writer.finish().expect("a segment"),
    };
    let built = watch.stop(summary.bytes);
    Some((open_engine(folder, &data.documents), built))
}

/// The engine over the segment of a folder, whose rows belong to these documents.
pub fn open_engine(folder: &Path, documents_of_rows: &[u32]) -> Box<dyn VectorEngine> {
    let segment = Segment::open(folder.join(FILE)).expect("it opens");
    let mut documents: Vec<Range<u32>> = Vec::new();
    for (row, document) in (0..).zip(documents_of_rows) {
        match documents.get_mut(*document as usize) {
            Some(rows) => rows.end = row + 1,
            None => documents.resize(*document as usize + 1, row..row + 1),
        }
    }
    Box::new(OwnEngine { segment, documents, allowed: None })
}

pub(super) fn open_index(folder: &Path, _dimension: usize) -> OpenedIndex {
    OpenedIndex::InProcess(Box::new(Segment::open(folder.join(FILE)).expect("it opens")))
}

/// Counts the ten nearest rows of a segment, with the `ef` that the program chooses.
pub(crate) fn search_ten_nearest(folder: &Path) -> impl Fn(&[f32]) -> usize + Sync {
    let segment = Segment::open(folder.join(FILE)).expect("it opens");
    move |query| {
        let query = Query::new(query, segment.dimension()).expect("a direction");
        segment.search(&query, RowSet::All, 10).expect("the same dimension").len()
    }
}

impl OwnEngine {
    fn search_nearest(&self, query: &[f32], request: KnnRequest<'_>) -> Vec<u32> {
        let allowed = request.filter.and(self.allowed.as_ref());
        let rows = allowed.map_or(RowSet::All, |(_, words)| RowSet::Bitmap { words });
        let ef = (request.ef > 0).then_some(request.ef);
        let query = Query::new(query, self.segment.dimension()).expect("a direction");
        let scopes = [SegmentScope { segment: &self.segment, rows }];
        let options = KnnOptions { k: request.k, ef };
        let answer = search_segments(&scopes, &query, options).expect("the same dimension");
        if std::env::var_os("SPECBOX_BENCH_EXPLAIN").is_some() {
            eprintln!("{:?}", answer.explanations);
        }
        answer.hits.iter().map(|hit| hit.row).collect()
    }

    /// Makes the set of a filter's rows.
    fn prepare_filter(&mut self, filter: &BenchFilter) {
        if self.allowed.as_ref().is_some_and(|(name, _)| *name == filter.name) {
            return;
        }
        let mut words = vec![0; self.segment.row_count().div_ceil(u64::BITS) as usize];
        let pairs = self.documents.iter().zip(&filter.allowed);
        for row in pairs.filter(|(_, allowed)| **allowed).flat_map(|(rows, _)| rows.clone()) {
            words[(row / u64::BITS) as usize] |= 1 << (row % u64::BITS);
        }
        self.allowed = Some((filter.name.clone(), words));
    }
}

impl VectorEngine for OwnEngine {
    fn answer_queries(
        &mut self,
        queries: &[&[f32]],
        request: KnnRequest<'_>,
    ) -> Option<Vec<KnnReply>> {
        if let Some(filter) = request.filter {
            self.prepare_filter(filter);
        }
        Some(time_queries(queries, |query| self.search_nearest(query, request)))
    }

    fn chooses_ef(&self) -> bool {
        true
    }
}
