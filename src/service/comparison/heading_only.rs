//! Sections that are only a heading: what an answer about one does not cover.

use store::{DocumentEntry, SectionHead, SectionKey, Snapshot, StoreError, sections_within};

/// The number of sections below one that has no text and no figures of its own; `None` if it has some, or if nothing
/// is below it.
pub(super) fn count_sections_below(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    heads: &[SectionHead],
    number: &str,
) -> Result<Option<usize>, StoreError> {
    let Some(ordinal) = heads.iter().position(|head| head.number == number) else {
        return Ok(None);
    };
    let key = SectionKey { document: entry.id, ordinal: ordinal as u32 };
    let body = snapshot.documents().section_body(key)?.unwrap_or_default();
    let below = sections_within(heads, number).into_iter().filter(|is_within| *is_within).count();
    Ok((body.is_empty() && below > 1).then_some(below - 1))
}
