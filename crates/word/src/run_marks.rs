//! What is kept of runs.

/// What is kept of the runs in addition to their words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunMarks {
    /// Subscripts, superscripts, italics, formulas and figures, as spans: for specifications.
    Spans,
    /// Struck text, between marks: for meeting documents.
    Strikes,
}
