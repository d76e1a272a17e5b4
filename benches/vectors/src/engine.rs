//! What every engine can do.

use std::any::Any;
use std::path::Path;

use crate::clock::thread_seconds;
use crate::data::Data;
use crate::data::Filter;

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
    /// Microseconds of processor time that the search took.
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

    /// Whether it chooses its effort itself: with a filter it is then left to it.
    fn chooses_effort(&self) -> bool {
        false
    }
}

/// Answers each query with `search` and measures it by the time of this thread.
pub fn timed(queries: &[&[f32]], search: impl FnMut(&[f32]) -> Vec<u32>) -> Option<Vec<Reply>> {
    timed_by(thread_seconds, queries, search)
}

/// The same by another clock.
pub fn timed_by(
    clock: fn() -> f64,
    queries: &[&[f32]],
    mut search: impl FnMut(&[f32]) -> Vec<u32>,
) -> Option<Vec<Reply>> {
    let reply = |query: &&[f32]| {
        let begun = clock();
        let rows = search(query);
        Reply { rows, micros: (clock() - begun) * 1e6 }
    };
    Some(queries.iter().map(reply).collect())
}

/// Makes an index over a set in a folder, with so many threads.
pub type Build = fn(&Data, &Path, usize) -> Option<(Box<dyn Engine>, Built)>;

/// An engine as the bench finds it.
pub struct Installed {
    /// Name in tables.
    pub name: &'static str,
    /// Makes an index in an empty folder, with so many threads; none where the engine is not
    /// installed.
    pub build: Build,
    /// Opens the index of a folder for vectors of so many numbers, in a process that does nothing
    /// else.
    pub open: fn(&Path, usize) -> Opened,
}

/// An open index, or what another process measured of opening one.
pub enum Opened {
    /// Held open here.
    Here(Box<dyn Any>),
    /// Seconds on the clock, anonymous and resident bytes, of another process.
    Elsewhere {
        /// Seconds on the clock.
        seconds: f64,
        /// Memory that is no part of a file.
        anonymous: u64,
        /// All memory.
        resident: u64,
    },
}
