//! The abbreviations, terms and symbols that documents define, and the keys that they are found by.
//!
//! Written and removed with their document. What they are was read from the text by the crate `definitions`.

mod reader;
mod stored;
#[cfg(test)]
mod tests;

pub use reader::{DefinedTerm, TermReader};
pub(crate) use stored::{insert_terms, remove_terms};
