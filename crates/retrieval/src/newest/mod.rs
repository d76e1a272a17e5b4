//! The newest wording of what a search finds: each clause in the newest version that the filters allow.
//!
//! Older versions find clauses by what they said; the clause is then represented by a passage of its newest version, with
//! that passage's own features. What no newer version has stays, and says so.

mod allowed_versions;
mod clause_matcher;
mod current_figures;
mod current_passages;
mod text_age;

pub(crate) use clause_matcher::HeadingMatches;
pub(crate) use current_figures::CurrentFigures;
pub(crate) use current_passages::CurrentPassages;
pub use text_age::TextAges;

#[cfg(test)]
mod tests;
