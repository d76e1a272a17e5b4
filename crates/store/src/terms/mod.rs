//! What documents define: abbreviations, terms and symbols of their own definitions clauses.
//!
//! Owns the reading of such clauses from stored section texts and the tables they are kept in.
//! The tables are derived: they are written and removed with their document, and made again from
//! the texts at open when this reading has a new [`REVISION`] or another program left them behind.

mod clauses;
mod entries;
mod keys;
mod reader;
mod stored;
#[cfg(test)]
mod tests;

pub use reader::{DefinedTerm, TermReader};
pub(crate) use stored::{collect_terms, insert_terms, rebuild_outdated_terms, remove_terms};

/// Revision of the reading of definitions clauses; another one at open makes all terms again.
pub(crate) const REVISION: u64 = 1;
