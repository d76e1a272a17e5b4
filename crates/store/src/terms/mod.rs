//! What documents define: abbreviations, terms and symbols of their own definitions clauses.
//!
//! Owns the reading of such clauses from stored section texts and the tables they are kept in.
//! The tables are derived: they are written and removed with their document, and made again from
//! the texts at open when this reading has a new [`REVISION`] or another program left them behind.

mod clauses;
mod entries;
mod lookup;
mod tables;
#[cfg(test)]
mod tests;

pub use lookup::DefinedTerm;
pub(super) use tables::{collect, create, insert, remove, settle};

use serde::{Deserialize, Serialize};

use domain::TermKind;

/// Revision of the reading of definitions clauses; another one at open makes all terms again.
pub(super) const REVISION: u64 = 1;

/// One entry of a definitions clause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermRow {
    /// Place of its section in the document.
    pub section: u32,
    /// What it defines.
    pub kind: TermKind,
    /// The defined form as written.
    pub term: String,
    /// What it means or stands for.
    pub meaning: String,
}
