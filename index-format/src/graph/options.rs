//! How a graph is built, and the progress that its builder reports.

use std::fmt;
use std::ops::ControlFlow;

/// The builder of a graph. Both write files of the same format, searched in the same way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Builder {
    /// This crate's own.
    #[default]
    Own,
    /// The crate `hnsw_rs`, whose finished graph is converted. It cannot extend an existing graph, and
    /// its random numbers do not depend on the seed.
    HnswRs,
}

/// How a graph is built.
#[derive(Clone, Copy)]
pub struct GraphOptions<'a> {
    /// The builder.
    pub builder: Builder,
    /// Neighbours of a row in the levels above, 2 to 128; in the lowest level it has twice as many.
    pub m: u32,
    /// Candidates kept while the neighbours of a row are searched (`efConstruction`).
    pub ef_construction: usize,
    /// Seed of the draw of each row's level. The same rows, options and seed give the same graph if one
    /// thread builds.
    pub seed: u64,
    /// Threads to build with, at least one.
    pub threads: usize,
    /// Called with the progress from any of the threads, some hundred times in all; may cancel the build.
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

/// The build was cancelled by its watcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BuildCancelled;

impl Default for GraphOptions<'_> {
    fn default() -> Self {
        GraphOptions {
            builder: Builder::Own,
            m: 16,
            ef_construction: 200,
            seed: 1,
            threads: 1,
            watch: &|_| ControlFlow::Continue(()),
        }
    }
}

impl fmt::Debug for GraphOptions<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut output = formatter.debug_struct("GraphOptions");
        output.field("builder", &self.builder);
        output.field("m", &self.m).field("ef_construction", &self.ef_construction);
        output.field("seed", &self.seed).field("threads", &self.threads).finish_non_exhaustive()
    }
}
