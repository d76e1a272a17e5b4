//! Documents of meetings (TDocs): their register rows, their texts, and jobs on them.

mod jobs;
mod reader;
mod registers;
mod search;
#[cfg(test)]
mod tests;
mod texts;

pub use reader::{TdocPassageKey, TdocReader};
pub use registers::{NewRegister, RegisterImportCounts};
pub(crate) use registers::{
    bump_generation, inherit_missing_fields, is_fuller, is_guest_listing, record_meeting,
};
pub use search::TdocScope;
pub use texts::NewTdocText;
