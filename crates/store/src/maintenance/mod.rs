//! Maintenance: graphs over vectors, vectors of another model, and the check of everything stored.

mod examine;
mod listed_contents;
mod missing_vectors;
mod optimize;
mod pending_texts;
mod reindex;
mod verify;

pub use examine::{FolderExamination, FolderFault};
pub use missing_vectors::{MissingVectors, PassageCoverage};
pub use optimize::{GraphBuilder, OptimizeOptions, OptimizeSummary, Thoroughness, WatchBuild};
pub use reindex::Reindex;
pub use verify::VerifyReport;
