//! Snapshots: an immutable state of all three stores, for readers.

mod filter_cache;
mod lacking_vectors;
mod state;

pub use lacking_vectors::LackingVectors;
pub use state::Snapshot;
