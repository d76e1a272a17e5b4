//! What a walk over a body needs to know, and what it finds besides its items.

use std::collections::HashMap;

use document::Limits;

use crate::{
    attached::AttachedFiles,
    equations::ReadEquation,
    fields::{Bookmarks, UnreadFields},
    notes::Notes,
    numbering::Numbering,
    package_reading::ReaderNotes,
    run_fonts::UnknownSymbols,
    run_marks::RunMarks,
    styles::Styles,
    tracked_changes::TrackedChanges,
};

/// What the walk needs to know of the other parts.
pub(crate) struct BodyContext<'a> {
    pub(crate) styles: &'a Styles,
    pub(crate) numbering: Numbering,
    pub(crate) notes: Notes,
    pub(crate) limits: &'a Limits,
    /// What is kept of the runs in addition to their words.
    pub(crate) run_marks: RunMarks,
    /// Which text is read: the text after tracked changes, or the text before.
    pub(crate) tracked: TrackedChanges,
    /// What was read of equations, by the relationships of their objects and pictures.
    pub(crate) equations: HashMap<String, ReadEquation>,
    /// The bookmarks that an earlier reading found.
    pub(crate) bookmarks: Bookmarks,
    /// The files within the package that the text refers to.
    pub(crate) attached: AttachedFiles<'a>,
}

/// What was found in a body besides its items.
pub(crate) struct BodyFindings {
    pub(crate) unknown_symbols: UnknownSymbols,
    pub(crate) unread_fields: UnreadFields,
    pub(crate) bookmarks: Bookmarks,
    /// Sentences about files within the package that were read or left out.
    pub(crate) attached: ReaderNotes,
}

impl BodyFindings {
    /// What could not be read, one sentence for each kind; `name` is the file.
    pub(crate) fn into_notes(self, name: &str) -> ReaderNotes {
        let ReaderNotes { warnings: attached, mut gaps } = self.attached;
        gaps.extend(self.unread_fields.to_check());
        let symbols = self.unknown_symbols.into_warnings(name);
        let fields = self.unread_fields.into_warning(name);
        ReaderNotes { warnings: symbols.chain(fields).chain(attached).collect(), gaps }
    }
}
