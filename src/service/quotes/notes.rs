//! Quotes in notes and reports of meetings.
//!
//! Their texts are long and not in a word index. For each, a filter of its pairs of words is kept in memory, about a
//! tenth of the text; only texts that can contain the quote are read.

use std::{
    collections::HashMap,
    sync::{Arc, MutexGuard, PoisonError},
};

use quotation::{Quotation, TokenizedText, WordPairFilter};

use super::{
    block_text::{BlockText, QuoteMatch},
    scope::QuoteScope,
};
use crate::service::{Service, internal_failure};
use store::{NotesRow, Snapshot};
use wire::{Failure, records::QuoteOccurrence, values::QuoteSource};

/// Notes that are compared word for word. If more may have the quote, the reply says that not all were compared.
const MAX_NOTES: usize = 60;
/// Share of the quote's pairs of words that notes must have to be searched for something similar. The quote is
/// aligned with all of a report, so only the most promising are searched: 189 ms for sixty meetings
/// (docs/benchmarks.md).
const MIN_SIMILAR_PAIRS: f32 = 0.5;
/// How much lower this share may be than that of the best notes.
const MAX_PAIRS_BELOW_BEST: f32 = 0.2;
/// Notes that are searched for something similar.
const MAX_SIMILAR_NOTES: usize = 6;

/// The filters of notes, by meeting and key.
#[derive(Default)]
pub(in crate::service) struct NotesFilterCache {
    filters: HashMap<(String, String), CachedFilter>,
}

#[derive(Clone)]
struct CachedFilter {
    /// When the notes were read, and the hash of their file.
    version: (String, [u8; 32]),
    /// `None` for notes without a text.
    filter: Option<Arc<WordPairFilter>>,
}

/// The notes that are compared, and their filters.
pub(super) struct NotesQuotes<'a> {
    snapshot: &'a Snapshot,
    quotation: &'a Quotation,
    notes: Vec<(NotesRow, Arc<WordPairFilter>)>,
    /// Notes without a text.
    pub(super) without_text: usize,
}

/// The notes within a scope. The first request after an import makes the filters of the new ones.
pub(super) fn notes_quotes<'a>(
    service: &Service,
    snapshot: &'a Snapshot,
    quotation: &'a Quotation,
    scope: &QuoteScope,
) -> Result<NotesQuotes<'a>, Failure> {
    let all = snapshot.meetings().all_notes().map_err(internal_failure)?;
    let mut quotes = NotesQuotes { snapshot, quotation, notes: Vec::new(), without_text: 0 };
    for notes in all.into_iter().filter(|notes| scope.has_notes(notes)) {
        match notes_filter(service, snapshot, &notes)? {
            Some(filter) => quotes.notes.push((notes, filter)),
            None => quotes.without_text += 1,
        }
    }
    Ok(quotes)
}

/// Makes the filters of all notes, so that the first request need not.
pub fn prepare_quotes(service: &Service) -> Result<(), Failure> {
    let snapshot = service.store.snapshot();
    for notes in snapshot.meetings().all_notes().map_err(internal_failure)? {
        notes_filter(service, &snapshot, &notes)?;
    }
    Ok(())
}

fn notes_filter(
    service: &Service,
    snapshot: &Snapshot,
    notes: &NotesRow,
) -> Result<Option<Arc<WordPairFilter>>, Failure> {
    let key = (notes.meeting.to_string(), notes.key.clone());
    let version = (notes.read_at.clone(), notes.hash);
    let cached = lock_notes_filters(service).filters.get(&key).cloned();
    if let Some(cached) = cached.filter(|cached| cached.version == version) {
        return Ok(cached.filter);
    }
    let blocks = snapshot.meetings().notes_text(notes).map_err(internal_failure)?;
    let filter = (!blocks.is_empty())
        .then(|| Arc::new(WordPairFilter::from_text(BlockText::from_blocks(blocks).text())));
    let cached = CachedFilter { version, filter: filter.clone() };
    lock_notes_filters(service).filters.insert(key, cached);
    Ok(filter)
}

fn lock_notes_filters(service: &Service) -> MutexGuard<'_, NotesFilterCache> {
    service.notes_filters.lock().unwrap_or_else(PoisonError::into_inner)
}

impl NotesQuotes<'_> {
    /// The number of notes with a text.
    pub(super) fn len(&self) -> usize {
        self.notes.len()
    }

    /// The notes in which the quote occurs word for word, and whether all that may have it were compared.
    pub(super) fn find_exact(&self) -> Result<(Vec<QuoteOccurrence>, bool), Failure> {
        let mut whole: Vec<&NotesRow> = Vec::new();
        for (notes, filter) in &self.notes {
            if filter.shared_pairs(self.quotation) >= 1.0 {
                whole.push(notes);
            }
        }
        let is_complete = whole.len() <= MAX_NOTES;
        whole.truncate(MAX_NOTES);
        let compare = |text: &TokenizedText| QuoteMatch::find_exact(self.quotation, text);
        Ok((self.compare_notes(&whole, &compare)?, is_complete))
    }

    /// The notes that resemble the quote most.
    pub(super) fn find_similar(&self) -> Result<Vec<QuoteOccurrence>, Failure> {
        let shares = self.notes.iter();
        let shares = shares.map(|(notes, filter)| (filter.shared_pairs(self.quotation), notes));
        let mut similar: Vec<(f32, &NotesRow)> =
            shares.filter(|(share, _)| *share >= MIN_SIMILAR_PAIRS).collect();
        similar.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        similar.truncate(MAX_SIMILAR_NOTES);
        let best = similar.first().map_or(0.0, |(share, _)| *share);
        similar.retain(|(share, _)| *share >= best - MAX_PAIRS_BELOW_BEST);
        let similar: Vec<&NotesRow> = similar.into_iter().map(|(_, notes)| notes).collect();
        let compare = |text: &TokenizedText| QuoteMatch::find_best(self.quotation, text);
        self.compare_notes(&similar, &compare)
    }

    fn compare_notes(
        &self,
        rows: &[&NotesRow],
        compare: &dyn Fn(&TokenizedText) -> Option<QuoteMatch>,
    ) -> Result<Vec<QuoteOccurrence>, Failure> {
        let mut occurrences = Vec::new();
        // The final report first: other notes are provisional.
        let mut rows = rows.to_vec();
        rows.sort_by_key(|notes| !notes.is_final);
        for notes in rows {
            let blocks = self.snapshot.meetings().notes_text(notes).map_err(internal_failure)?;
            let text = BlockText::from_blocks(blocks);
            let found = compare(text.text());
            occurrences.extend(found.and_then(|found| to_occurrence(notes, &text, found)));
        }
        occurrences.sort_by(|a, b| b.similarity.total_cmp(&a.similarity));
        Ok(occurrences)
    }
}

fn to_occurrence(notes: &NotesRow, text: &BlockText, found: QuoteMatch) -> Option<QuoteOccurrence> {
    let (first, last) = text.blocks_of(&found.range)?;
    Some(QuoteOccurrence {
        found_in: QuoteSource::MeetingNotes,
        doc_number: None,
        version: None,
        release: None,
        section_number: None,
        section_title: None,
        tdoc_id: notes.tdoc.as_ref().map(ToString::to_string),
        meeting_id: Some(notes.meeting.to_string()),
        source_kind: Some(notes.kind.into()),
        title: Some(notes.title.clone()),
        official_url: None,
        anchor: Some(first.anchor.clone()),
        last_anchor: Some(last.anchor.clone()),
        page: first.page,
        text: found.text.clone(),
        similarity: found.similarity,
        wildcards: text.anchor_wildcards(&found),
        differences: found.differences,
        also_in: Vec::new(),
    })
}
