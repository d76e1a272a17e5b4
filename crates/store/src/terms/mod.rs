//! What documents define: abbreviations, terms and symbols of their own definitions clauses.
//!
//! Owns the parsing of such clauses from stored section texts, and the tables of their entries. The tables
//! are derived: they are written and removed with their document, and rebuilt from the texts at open when
//! the parser has a new [`REVISION`] or the tables are older than the documents.

mod clauses;
mod entries;
mod keys;
mod reader;
mod stored;
#[cfg(test)]
mod tests;

pub use reader::{DefinedTerm, TermReader};
pub(crate) use stored::{collect_terms, insert_terms, rebuild_outdated_terms, remove_terms};

/// Revision of the parser of definitions clauses; at open, tables of another one are rebuilt.
pub(crate) const REVISION: u64 = 1;
