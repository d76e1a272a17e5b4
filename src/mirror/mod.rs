//! Where documents come from: for now a folder tree of archives and documents.
//!
//! Owns the finding and grouping of files. Knows names, not contents.

mod folder;

pub use folder::{Plan, Skipped, Source, plan};
