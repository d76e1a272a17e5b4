//! Documents: reading, searching and changing them.

mod caption_rows;
mod changes;
mod citation_rows;
mod contents;
mod figure_rows;
mod heading_rows;
mod inline_picture_rows;
mod reader;
mod rows;
mod section_texts;

pub use changes::DocumentCommit;
pub use contents::{ContentReader, VectorQuery};
pub use reader::{DocumentReader, sections_within};
pub use section_texts::SectionTexts;
