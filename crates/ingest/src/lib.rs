//! From files to searchable passages: plan, read, cut, embed, commit, report.
//!
//! Owns the run of an ingest. Promises that one bad file costs that file alone, that a run can be
//! stopped at any time and that the next one goes on from there.

mod events;
mod figures;
mod passages;
mod prepare;
mod reading;
mod report;
mod run;
mod tdoc;

pub use events::{IngestEvent, IngestProgress};
pub use passages::{CutPassage, CutSection, cut_section};
pub use prepare::{PreparedDocument, prepare};
pub use report::{Refused, Report, SkippedFile, Taken};
pub use run::{IngestError, IngestOptions, Ingester};
pub use tdoc::{CONTRIBUTION_REVISION, TdocFile, TdocIngester};
