//! The text of a meeting's notes and reports, for the pages: where decisions are written down.

use crate::service::{Service, internal_failure, tdocs::parameter_values};
use contributions::{TdocCatalog, meeting_folder_url};
use domain::TdocId;
use store::{NotesRow, Snapshot, TdocBlockRow};
use wire::Failure;

/// Notes or a report of a meeting, with their text.
pub struct NotesText {
    /// What is known of them.
    pub notes: NotesRow,
    /// Their text; empty if an earlier program stored them without it.
    pub blocks: Vec<TdocBlockRow>,
    /// Where the standards body has their file, if they are a TDoc.
    pub official_url: Option<String>,
    /// The folder of their meeting on the 3GPP server, if a calendar names it.
    pub folder_url: Option<String>,
}

/// The notes of a meeting that have a key, with their text; `None` if no such notes are stored.
pub fn notes_text(
    service: &Service,
    meeting_id: &str,
    key: &str,
) -> Result<Option<NotesText>, Failure> {
    let snapshot = service.store.snapshot();
    let catalog = service.tdoc_catalog(&snapshot)?;
    let meeting_index =
        parameter_values::parse_meeting_parameter("meeting_id", &catalog, meeting_id)?;
    let meeting = &catalog.meetings[meeting_index as usize];
    let all = snapshot.meetings().meeting_notes(&meeting.id).map_err(internal_failure)?;
    let Some(notes) = all.into_iter().find(|notes| notes.key == key) else { return Ok(None) };
    let blocks = snapshot.meetings().notes_text(&notes).map_err(internal_failure)?;
    let official_url = match &notes.tdoc {
        Some(id) => tdoc_url(&snapshot, &catalog, id)?,
        None => None,
    };
    Ok(Some(NotesText { notes, blocks, official_url, folder_url: meeting_folder_url(meeting) }))
}

/// Where the standards body has the file of a TDoc.
fn tdoc_url(
    snapshot: &Snapshot,
    catalog: &TdocCatalog,
    id: &TdocId,
) -> Result<Option<String>, Failure> {
    let Some(entry) = catalog.get(id) else { return Ok(None) };
    let row = snapshot.tdocs().tdoc_row(id).map_err(internal_failure)?;
    let link = row.and_then(|row| row.entry.url);
    Ok(Some(catalog.official_url(entry, link.as_deref())))
}
