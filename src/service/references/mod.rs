//! References between sections: what a section cites, what cites it, and where a citation leads.

mod list_references;
mod sentence;
mod target;

pub use target::{CitationTarget, find_cited_version, resolve_citation};
