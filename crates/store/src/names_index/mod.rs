//! Which sections define a name, and which name a type: keys into the stored sections.
//!
//! Definitions are not stored twice: they are read from the section, by the crate `names`, when somebody asks for them.

mod reader;
mod row;
mod stored;

pub use reader::NameReader;
pub(crate) use row::DocumentNamesRow;
pub use row::ListedNameRow;
pub(crate) use stored::{insert_names, read_document_names, remove_names};
