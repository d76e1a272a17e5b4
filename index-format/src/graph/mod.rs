//! A graph over the rows: how it is stored, built and walked.
//!
//! The graph is a hierarchical navigable small world (Malkov and Yashunin, 2016): every row has a
//! fixed number of slots for neighbours, and a few rows are also in levels above, which bring a
//! search near its target in a few steps. It is built and walked on 8-bit codes.

mod build;
mod connectivity;
mod hnsw_rs_builder;
mod layout;
mod lists;
mod options;
mod scratch;
mod select;
#[cfg(test)]
mod tests;
mod walk;
mod workers;

pub(crate) use build::BaseGraph;
pub(crate) use build::build_graph;
pub(crate) use layout::BuiltGraph;
pub(crate) use layout::Graph;
pub(crate) use layout::GraphLayout;
pub(crate) use layout::MAX_GRAPH_ROWS;
pub use options::BuildProgress;
pub use options::Builder;
pub use options::GraphOptions;
pub(crate) use scratch::WalkScratch;
pub(crate) use walk::FilteredSearch;
pub(crate) use walk::descend_levels;
pub(crate) use walk::entry_point_count;
pub(crate) use walk::search_graph;
pub(crate) use walk::search_graph_filtered;
