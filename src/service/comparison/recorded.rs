//! The annex "Change history" of a document version.

use change_history::{ChangeHistory, is_history_title, read_history};

use domain::Version;
use store::{DocumentEntry, SectionKey, Snapshot, StoreError};

/// The history that a version records, and the section that holds it.
#[derive(Default)]
pub(super) struct RecordedHistory {
    pub(super) section_number: Option<String>,
    pub(super) history: ChangeHistory,
}

impl RecordedHistory {
    /// Whether there may be changes between two versions that are not recorded in a way that could be read: rows without a
    /// version among those of the newer one, or no row of the newer version itself.
    pub(super) fn has_gaps(&self, old: &DocumentEntry, new: &DocumentEntry) -> bool {
        let (old, new) = (old.row.version, new.row.version);
        let versions = || self.history.rows.iter().map(|row| row.new_version);
        let is_after = |version: &Option<Version>| version.is_some_and(|version| version > old);
        let mut since = versions().skip_while(|version| !is_after(version));
        self.history.unread > 0
            || !versions().any(|version| version == Some(new))
            || since.any(|version| version.is_none())
    }
}

/// Reads the history of a version. Documents that were stored before there was a model have none that could be read.
pub(super) fn read_recorded_history(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
) -> Result<RecordedHistory, StoreError> {
    let heads = snapshot.documents().section_heads(entry.id)?;
    let mut found = RecordedHistory::default();
    for (ordinal, head) in (0..heads.len() as u32).zip(&heads).rev() {
        if !is_history_title(&head.title) {
            continue;
        }
        let key = SectionKey { document: entry.id, ordinal };
        let body = snapshot.documents().section_body(key)?.unwrap_or_default();
        let history = read_history(&body.blocks);
        let is_empty = history.rows.is_empty();
        found = RecordedHistory { section_number: Some(head.number.clone()), history };
        if !is_empty {
            break;
        }
    }
    Ok(found)
}
