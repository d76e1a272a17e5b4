//! Snapshots: an immutable state of all three stores, for readers.

mod filter_cache;
mod state;

pub use state::Snapshot;
