//! Which sections define a name, and which name a type: keys into the stored sections.
//!
//! Definitions are not stored twice: they are read from the section, by the crate `names`, when somebody asks for them.

mod reader;
mod stored;

pub use reader::NameReader;
pub use stored::ListedNameRow;
pub(crate) use stored::{insert_names, remove_names};
