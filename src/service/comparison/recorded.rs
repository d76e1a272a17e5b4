//! The annex "Change history" of a document version.

use change_history::ChangeHistory;

use domain::Version;
use store::{DocumentEntry, SectionKey, Snapshot, StoreError};

/// The history that a version records, and the section that contains it.
#[derive(Default)]
pub(super) struct VersionHistory {
    pub(super) section_number: Option<String>,
    pub(super) history: ChangeHistory,
}

impl VersionHistory {
    /// Whether there may be changes between two versions that are not recorded, or could not be read: rows without a
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

/// The history of a version.
pub(super) fn read_recorded_history(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
) -> Result<VersionHistory, StoreError> {
    let Some(recorded) = snapshot.names().recorded_history(entry.id)? else {
        return Ok(VersionHistory::default());
    };
    let key = SectionKey { document: entry.id, ordinal: recorded.section };
    let head = snapshot.documents().section_head(key)?;
    let section_number = head.map(|head| head.number);
    Ok(VersionHistory { section_number, history: recorded.history })
}
