//! Maintenance: graphs over vectors, vectors of another model, and the check of everything stored.

mod optimize;
mod reindex;
mod verify;

pub use optimize::{GraphBuilder, OptimizeOptions, OptimizeSummary, Thoroughness, WatchBuild};
pub use reindex::Reindex;
pub use verify::VerifyReport;
