//! What a walk over a body keeps of its runs, and what it finds besides its items.

use crate::{
    fields::{Bookmarks, UnreadFields},
    run_fonts::UnknownSymbols,
};

/// What was found in a body besides its items.
pub(crate) struct BodyFindings {
    pub(crate) unknown_symbols: UnknownSymbols,
    pub(crate) unread_fields: UnreadFields,
    pub(crate) bookmarks: Bookmarks,
    /// Sentences about files within the package that were read or left out.
    pub(crate) attached: Vec<String>,
}

impl BodyFindings {
    /// What could not be read, one sentence for each kind; `name` is the file.
    pub(crate) fn into_warnings(self, name: &str) -> Vec<String> {
        let symbols = self.unknown_symbols.into_warnings(name);
        let fields = self.unread_fields.into_warning(name);
        symbols.chain(fields).chain(self.attached).collect()
    }
}

/// What is kept of the runs in addition to their words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunMarks {
    /// Subscripts, superscripts, italics, formulas and figures, as spans: for specifications.
    Spans,
    /// Struck text, between marks: for meeting documents.
    Strikes,
}
