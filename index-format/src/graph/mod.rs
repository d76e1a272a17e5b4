//! A graph over the rows: how it is stored, built and walked.
//!
//! The graph is a hierarchical navigable small world (Malkov and Yashunin, 2016): every row has a
//! fixed number of places for neighbours, and a few rows are also in levels above, which bring a
//! search near its aim in a few steps. It is built and walked on 8-bit codes.

mod build;
mod frozen;
mod layout;
mod lists;
mod options;
mod reach;
mod scratch;
mod select;
#[cfg(test)]
mod tests;
mod walk;
mod work;

pub(crate) use build::Base;
pub(crate) use build::build;
pub(crate) use layout::BuiltGraph;
pub(crate) use layout::Graph;
pub(crate) use layout::Layout;
pub(crate) use layout::MAX_GRAPH_ROWS;
pub use options::BuildProgress;
pub use options::Builder;
pub use options::GraphOptions;
pub(crate) use scratch::Scratch;
pub(crate) use walk::AllowedSearch;
pub(crate) use walk::descend;
pub(crate) use walk::entries_for;
pub(crate) use walk::walk;
pub(crate) use walk::walk_allowed;
