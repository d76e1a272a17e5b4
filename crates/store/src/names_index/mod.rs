//! What documents define and record: names with their definitions, the keys that they are found by, modules, contradictions and
//! change histories.
//!
//! Written and removed with their document. The crates `definitions` and `names` have read them from the text; a
//! request only looks them up.

mod reader;
mod row;
mod stored;

pub use reader::NameReader;
pub use row::ListedNameRow;
pub(crate) use row::{DocumentNamesRow, RecordedFacts};
pub(crate) use stored::{insert_names, remove_names};
