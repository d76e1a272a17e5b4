//! What every engine can do.

use std::path::Path;

use crate::clock::thread_seconds;
use crate::data::Data;

/// The documents a search may return rows of.
pub struct Filter {
    /// Name in tables.
    pub name: String,
    /// One for each document.
    pub allowed: Vec<bool>,
}

/// What is asked of an engine.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// How many nearest rows.
    pub k: usize,
    /// The engine's `ef`; 0 leaves it to the engine, where it can choose.
    pub effort: usize,
    /// Among which rows.
    pub filter: Option<&'a Filter>,
}

/// The answer to one query.
pub struct Reply {
    /// The rows found.
    pub rows: Vec<u32>,
    /// Microseconds of processor time of the thread that searched.
    pub micros: f64,
}

/// What building an index took.
#[derive(Clone, Copy)]
pub struct Built {
    /// Seconds of processor time of all threads.
    pub cpu_s: f64,
    /// Seconds on the clock.
    pub wall_s: f64,
    /// Bytes of the index's files.
    pub bytes: u64,
}

/// An engine with an index over all rows of a set.
pub trait Engine {
    /// Answers all queries one after another; none where the engine cannot.
    fn run(&mut self, queries: &[&[f32]], asked: Asked<'_>) -> Option<Vec<Reply>>;
}

/// Answers each query with `search` and measures it.
pub fn timed(queries: &[&[f32]], mut search: impl FnMut(&[f32]) -> Vec<u32>) -> Option<Vec<Reply>> {
    let reply = |query: &&[f32]| {
        let begun = thread_seconds();
        let rows = search(query);
        Reply { rows, micros: (thread_seconds() - begun) * 1e6 }
    };
    Some(queries.iter().map(reply).collect())
}

/// Makes an engine's index in an empty folder, with so many threads; none where the engine is not
/// installed.
pub type Build = fn(&Data, &Path, usize) -> Option<(Box<dyn Engine>, Built)>;
