//! The rows of the journal.

use domain::{MeetingId, TdocId};
use serde::{Deserialize, Serialize};

/// What a commit changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum JournalEntry {
    /// A document version was stored, or stored again.
    Document {
        /// Its id.
        id: u32,
        /// Whether it was not there before.
        is_new: bool,
    },
    /// Meeting documents became known, or more became known of them.
    Tdocs {
        /// The documents.
        ids: Vec<TdocId>,
    },
    /// The file of a meeting document was read.
    TdocText {
        /// The document.
        id: TdocId,
    },
    /// Notes or a report of a meeting were stored.
    Notes {
        /// The meeting.
        meeting: MeetingId,
    },
}
