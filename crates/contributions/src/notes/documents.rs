//! The documents that notes list: their numbers identify the group and meeting of the notes.

use std::collections::{BTreeMap, BTreeSet};

use super::UnrecognisedNotes;
use crate::TdocCatalog;
use domain::{MeetingId, TdocId};

/// Fewer numbers do not identify the group: the notes of a short session may list mainly incoming statements of
/// others.
const MIN_NUMBERS_OF_GROUP: usize = 10;
/// Fewer numbers do not identify the meeting: they may be from before it, or assigned after the register was imported.
const MIN_NUMBERS_OF_MEETING: usize = 20;

/// The meeting whose register lists most of the documents.
pub(super) fn meeting_of_documents(
    numbers: &BTreeSet<TdocId>,
    catalog: &TdocCatalog,
) -> Option<MeetingId> {
    let mut counts: BTreeMap<&MeetingId, usize> = BTreeMap::new();
    let listed = numbers.iter().filter(|id| catalog.is_listed(id));
    for entry in listed.filter_map(|id| catalog.get(id)) {
        *counts.entry(&catalog.meeting_of(entry).id).or_default() += 1;
    }
    let (meeting, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    let is_most = numbers.len() >= MIN_NUMBERS_OF_MEETING && count * 2 > numbers.len();
    is_most.then(|| meeting.clone())
}

/// Checks that the documents belong to a meeting: most have its group's prefix, and its register, if complete, lists
/// at least half of them.
pub(super) fn check_documents(
    meeting: &MeetingId,
    numbers: &BTreeSet<TdocId>,
    catalog: &TdocCatalog,
) -> Result<(), UnrecognisedNotes> {
    let is_own = |id: &&TdocId| id.group().is_none_or(|group| group == meeting.group());
    let own: Vec<&TdocId> = numbers.iter().filter(is_own).collect();
    let others = numbers.len() - own.len();
    if numbers.len() >= MIN_NUMBERS_OF_GROUP && others * 2 > numbers.len() {
        return Err(UnrecognisedNotes::DocumentsOfOthers {
            meeting: meeting.to_string(),
            others,
            numbers: numbers.len(),
        });
    }
    let known = catalog.meeting_index(meeting).and_then(|index| {
        let known = catalog.meetings.get(index as usize)?;
        known.register.as_ref().filter(|register| register.is_full).map(|_| known)
    });
    let Some(known) = known else { return Ok(()) };
    if own.len() < MIN_NUMBERS_OF_MEETING {
        return Ok(());
    }
    let is_in_register = |id: &&&TdocId| {
        let entry = if catalog.is_listed(id) { catalog.get(id) } else { None };
        entry.is_some_and(|entry| catalog.meeting_of(entry).id == known.id)
    };
    let listed = own.iter().filter(is_in_register).count();
    // A register from before the end of the meeting has fewer documents than the report.
    if listed * 2 < own.len().min(known.registered) {
        let (meeting, numbers) = (known.id.to_string(), own.len());
        return Err(UnrecognisedNotes::UnlistedDocuments { meeting, listed, numbers });
    }
    Ok(())
}
