//! How a package is read, and the files within it.

use std::io::Cursor;

use document::{Archive, ExtractError, Limits, UnpackBudget};
use domain::ReadingCheck;

use crate::{item::BodyItem, run_marks::RunMarks, tracked_changes::TrackedChanges};

/// Reads a package within another one. Anything else than a package is an error.
pub(super) type InnerReader = fn(
    &mut Archive<Cursor<Vec<u8>>>,
    PackageReading<'_>,
) -> Result<(Vec<BodyItem>, ReaderNotes), ExtractError>;

/// What the reader of a package says besides its text.
#[derive(Debug, Default)]
pub(super) struct ReaderNotes {
    /// Sentences.
    pub(super) warnings: Vec<String>,
    /// What it left out, counted.
    pub(super) gaps: Vec<ReadingCheck>,
}

/// How a package and the files within it are read.
#[derive(Clone, Copy)]
pub(super) struct PackageReading<'a> {
    /// What messages call it.
    pub(super) name: &'a str,
    pub(super) limits: &'a Limits,
    pub(super) budget: &'a UnpackBudget,
    pub(super) tracked: TrackedChanges,
    pub(super) run_marks: RunMarks,
    /// How many files contain this one.
    pub(super) level: usize,
    /// The reader of the packages within it, which are read as it is.
    pub(super) read_inner: InnerReader,
}
