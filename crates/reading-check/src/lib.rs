//! A second look at a Word package, to say what its reader lost.
//!
//! [`walk_body`] reads the markup of the body in the simplest way that works: it looks for `<` and `>`, and knows a dozen elements. It
//! shares no code with the reader, and no library: what both get wrong in the same way would pass as read. [`compare_text`] then looks
//! for what the walk found in the sections that the reader made: words, headings, entries of the table of contents, results of fields,
//! and symbols. Headings and
//! entries are compared as printed; no grammar of clause numbers is involved.

#![forbid(unsafe_code)]

mod compare;
mod details;
mod field;
mod fold;
mod package;
mod paragraph;
mod printed;
mod stored_section;
mod styles;
mod suspect;
mod walk;

pub use compare::compare_text;
pub use package::{carries_text, find_body_name};
pub use printed::PrintedText;
pub use stored_section::StoredSection;
pub use styles::StyleRoles;
pub use walk::walk_body;
