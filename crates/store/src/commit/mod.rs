//! The writer: batches, their commit, recovery after a failed one, and merging of small segments.

mod batch;
mod commit_count;
mod compact;
mod recover;
mod writer;

pub(crate) use batch::{CommitBatch, assign_content_ids, check_or_store_model, checked_count};
pub(crate) use commit_count::later_note;
pub(crate) use recover::restore_derived;
pub use writer::Writer;
