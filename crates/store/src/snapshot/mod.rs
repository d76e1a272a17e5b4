//! What a reader holds: one state of all three stores, never changed under it.

mod filter_cache;
mod state;

pub use state::Snapshot;
