//! References between sections: what a section cites, what cites it, and where a citation leads.

mod list_references;
mod sentence;
mod target;

pub(super) use list_references::{IncomingReferences, list_incoming};
pub use target::{CitationResolver, find_cited_version};
