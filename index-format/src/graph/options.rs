//! How a graph is built, and what its builder tells on the way.

use std::fmt;
use std::ops::ControlFlow;

/// What builds a graph. Both make files of the same format, searched in the same way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Builder {
    /// This crate's own.
    #[default]
    Own,
    /// The crate `hnsw_rs`, whose finished graph is taken over. It cannot build on a graph there is,
    /// and chance is not drawn from the seed.
    HnswRs,
}

/// How a graph is built.
#[derive(Clone, Copy)]
pub struct GraphOptions<'a> {
    /// What builds it.
    pub builder: Builder,
    /// Neighbours of a row in the levels above, 2 to 128; in the lowest level it has twice as many.
    pub degree: u32,
    /// Candidates kept when the neighbours of a row are looked for.
    pub breadth: usize,
    /// Which rows are in the levels above is drawn from it. The same rows, options and seed make the
    /// same graph where one thread builds.
    pub seed: u64,
    /// Threads to build with, at least one.
    pub threads: usize,
    /// Told of progress from any of the threads, some hundred times in all; may end the building.
    pub watch: &'a (dyn Fn(BuildProgress) -> ControlFlow<()> + Sync),
}

/// How far a build has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuildProgress {
    /// Rows that have their neighbours.
    pub done: u32,
    /// Rows that are to get them.
    pub total: u32,
}

impl Default for GraphOptions<'_> {
    fn default() -> Self {
        GraphOptions {
            builder: Builder::Own,
            degree: 16,
            breadth: 200,
            seed: 1,
            threads: 1,
            watch: &|_| ControlFlow::Continue(()),
        }
    }
}

impl fmt::Debug for GraphOptions<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("GraphOptions");
        shown.field("builder", &self.builder);
        shown.field("degree", &self.degree).field("breadth", &self.breadth);
        shown.field("seed", &self.seed).field("threads", &self.threads).finish_non_exhaustive()
    }
}
