//! What every engine can do.

use std::any::Any;
use std::path::Path;

use crate::clock::BuildCost;
use crate::clock::thread_seconds;
use crate::data::BenchFilter;
use crate::data::VectorSet;

/// What an engine is asked to search for, with each query of a case.
#[derive(Clone, Copy)]
pub struct KnnRequest<'a> {
    /// How many nearest rows.
    pub k: usize,
    /// The engine's `ef`; 0 leaves it to the engine, where it can choose.
    pub ef: usize,
    /// The documents whose rows may be returned.
    pub filter: Option<&'a BenchFilter>,
}

/// The answer to one query.
pub struct KnnReply {
    /// The rows found.
    pub rows: Vec<u32>,
    /// Microseconds that the search took, by the engine's clock.
    pub micros: f64,
}

/// An engine with an index over all rows of a set.
pub trait VectorEngine {
    /// Answers all queries one after another; none where the engine cannot.
    fn answer_queries(
        &mut self,
        queries: &[&[f32]],
        request: KnnRequest<'_>,
    ) -> Option<Vec<KnnReply>>;

    /// Whether it chooses its `ef` itself: with a filter it is then left to the engine.
    fn chooses_ef(&self) -> bool {
        false
    }
}

/// Answers each query with `search` and measures it by the time of this thread.
pub fn time_queries(queries: &[&[f32]], search: impl FnMut(&[f32]) -> Vec<u32>) -> Vec<KnnReply> {
    time_queries_by(thread_seconds, queries, search)
}

/// Answers each query with `search` and measures it by another clock.
pub fn time_queries_by(
    clock: fn() -> f64,
    queries: &[&[f32]],
    mut search: impl FnMut(&[f32]) -> Vec<u32>,
) -> Vec<KnnReply> {
    let reply = |query: &&[f32]| {
        let begun = clock();
        let rows = search(query);
        KnnReply { rows, micros: (clock() - begun) * 1e6 }
    };
    queries.iter().map(reply).collect()
}

/// Builds an index over a set in a folder, with the given number of threads.
pub type BuildFn = fn(&VectorSet, &Path, usize) -> Option<(Box<dyn VectorEngine>, BuildCost)>;

/// An engine that the bench compares.
pub struct BenchEngine {
    /// Name in tables.
    pub name: &'static str,
    /// Builds an index in an empty folder; none where the engine is not installed.
    pub build: BuildFn,
    /// Opens the index of a folder for vectors of the given dimension, in a process that does
    /// nothing else.
    pub open: fn(&Path, usize) -> OpenedIndex,
}

/// An open index, or what another process measured of opening one.
pub enum OpenedIndex {
    /// Held open in this process.
    InProcess(Box<dyn Any>),
    /// What another process measured of itself.
    Measured {
        /// Seconds of wall time.
        seconds: f64,
        /// Bytes of anonymous memory that the process grew by.
        anonymous_bytes: u64,
        /// Bytes of resident memory that the process grew by.
        resident_bytes: u64,
    },
}
