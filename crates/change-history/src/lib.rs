//! The annex "Change history" of specifications: change requests by version, as data.
//!
//! Layouts of twenty-five years are read: columns are recognised by the words of their headings, and if a row does not
//! fit them, by the form of its values. Knows no storage and no registers.

#![forbid(unsafe_code)]

mod column;
mod date;
mod layout;
mod rows;

pub use rows::{ChangeHistory, HistoryRow, is_history_title, read_history};
