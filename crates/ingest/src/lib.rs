//! From files to the index: plan, read, embed, commit, report.
//!
//! Owns the run of an ingest. Promises that a bad file affects only itself, that a run can be stopped at any
//! time, and that the next one continues from there.

#![forbid(unsafe_code)]

mod decisions;
mod events;
mod figures;
mod prepare;
mod reading;
mod report;
mod run;
mod tdoc;
mod worker_deaths;

pub use decisions::embed_decisions;
pub use events::{IngestEvent, IngestProgress};
pub use prepare::{PreparedDocument, prepare_document};
pub use reading::hash_source;
pub use report::{IngestReport, IngestedDocument, RefusedFile, SkippedFile};
pub use run::{IngestError, IngestOptions, IngestRules, Ingester};
pub use tdoc::{CONTRIBUTION_REVISION, TdocFile, TdocIngester, to_block_rows};
