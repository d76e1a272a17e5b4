//! `index-format`.

use std::ops::Range;
use std::path::Path;

use index_format::Explanation;
use index_format::GraphOptions;
use index_format::Query;
use index_format::Rows;
use index_format::Scope;
use index_format::Segment;
use index_format::SegmentInfo;
use index_format::SegmentWriter;
use index_format::Wanted;
use index_format::search_segments;

use crate::data::Data;
use crate::engine::Engine;
use crate::engine::Filter;

struct Own {
    segment: Segment,
    bytes: u64,
    /// The rows of each document, as the store's catalog knows them.
    documents: Vec<Range<u32>>,
    told: Option<Explanation>,
}

pub(super) fn build(data: &Data, folder: &Path, threads: usize) -> Box<dyn Engine> {
    let path = folder.join("rows.seg");
    let info = SegmentInfo { dimension: data.dimension as u32, model: [0; 32] };
    let mut writer = SegmentWriter::create(&path, info).expect("a writer");
    for row in 0..data.len() {
        writer.push(row as u64, data.row(row)).expect("a sound vector");
    }
    let options = GraphOptions { threads, ..GraphOptions::default() };
    let summary = writer.finish_with_graph(&options).expect("a segment");
    let segment = Segment::open(&path).expect("it opens");
    let mut documents: Vec<Range<u32>> = Vec::new();
    for (row, document) in (0..).zip(&data.documents) {
        match documents.get_mut(*document as usize) {
            Some(rows) => rows.end = row + 1,
            None => documents.resize(*document as usize + 1, row..row + 1),
        }
    }
    Box::new(Own { segment, bytes: summary.bytes, documents, told: None })
}

impl Own {
    fn run(&mut self, query: &[f32], rows: Rows<'_>, wanted: Wanted) -> Vec<u32> {
        let query = Query::new(query, self.segment.dimension()).expect("a direction");
        let scopes = [Scope { segment: &self.segment, rows }];
        let answer = search_segments(&scopes, &query, wanted).expect("the same dimension");
        self.told = answer.explanations.first().copied();
        answer.hits.iter().map(|hit| hit.row).collect()
    }
}

impl Engine for Own {
    fn name(&self) -> &str {
        "specbox"
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn search(&mut self, query: &[f32], k: usize, effort: usize) -> Vec<u32> {
        let effort = (effort > 0).then_some(effort);
        self.run(query, Rows::All, Wanted { k, effort })
    }

    fn search_filtered(
        &mut self,
        query: &[f32],
        k: usize,
        effort: usize,
        filter: &Filter,
    ) -> Option<Vec<u32>> {
        let pairs = self.documents.iter().zip(&filter.allowed);
        let mut runs: Vec<Range<u32>> = Vec::new();
        for (rows, _) in pairs.filter(|(_, allowed)| **allowed) {
            match runs.last_mut() {
                Some(last) if last.end == rows.start => last.end = rows.end,
                Some(_) | None => runs.push(rows.clone()),
            }
        }
        let effort = (effort > 0).then_some(effort);
        let found = self.run(query, Rows::Runs(&runs), Wanted { k, effort });
        if std::env::var_os("EXPLAIN").is_some() {
            eprintln!("{:?}", self.told);
        }
        Some(found)
    }
}
