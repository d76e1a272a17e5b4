//! What a reader must know about notes that were accepted.

use super::{NOTES, NotesKind};
use crate::first_page_number::warn_of_other_number;
use domain::TdocId;
use extract::Contribution;

/// What identifies notes that are accepted.
pub(super) struct NotesIdentity<'a> {
    pub(super) kind: NotesKind,
    pub(super) stem: &'a str,
    pub(super) tdoc: Option<&'a TdocId>,
    /// Whether a register lists them, or their first page names a source that may sign them.
    pub(super) is_signed: bool,
}

impl NotesIdentity<'_> {
    /// One sentence for each doubt.
    pub(super) fn notices(&self, read: &Contribution) -> Vec<String> {
        let unsigned = (!self.is_signed).then(|| self.unsigned_notice());
        let other = self.tdoc.and_then(|id| warn_of_other_number(id, read));
        // The report of a meeting is a document of the next one, and may name both.
        let other = if self.kind == NotesKind::MeetingReport { None } else { other };
        unsigned.into_iter().chain(other).collect()
    }

    fn unsigned_notice(&self) -> String {
        let kind = match self.kind {
            NotesKind::ChairNotes => "chair notes",
            NotesKind::SessionNotes => "session notes",
            NotesKind::SessionReport => "the report of a session",
            NotesKind::MeetingReport => "a meeting report",
            NotesKind::Summary => "a summary",
        };
        let by = if NOTES.is_match(&self.stem.replace('_', " ")) {
            "its file name"
        } else {
            "its first page"
        };
        format!(
            "nobody signs it: only {by} says that it is {kind}, so what it records is not confirmed"
        )
    }
}
