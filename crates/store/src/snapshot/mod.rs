//! Snapshots: an immutable state of all three stores, for readers.

mod filter_cache;
mod lacking_vectors;
mod live_contents;
mod state;
#[cfg(test)]
mod tests;

pub use lacking_vectors::LackingVectors;
pub use state::Snapshot;
