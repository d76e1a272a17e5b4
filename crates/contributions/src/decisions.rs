//! Merges the decisions of a meeting from all of its notes: the same decision in several sources is one with several
//! occurrences.
//!
//! The final report comes first, then other reports, then notes of chairs, then summaries. Decisions in notes are
//! provisional until the final report is published.

mod known;

use std::collections::{HashMap, HashSet};

use domain::{DecisionDoubt, DecisionType, MeetingId, NotesKind, RecordedDecision};
use store::{DecisionVector, DoubtfulRow, NotesDoubts, NotesRow, Snapshot, StoreError};

use super::{
    decision_remarks::{DecisionExtent, DecisionRemark, find_remarks},
    notes::notes_kind_of_entry,
    similarity::normalise_text,
    topics::{AgendaTitles, TopicIndex},
};
use known::{KnownDecisions, is_repetition, repeatable_key};

/// Whether the meeting's final report contains a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportPresence {
    /// The final report contains it.
    Final,
    /// The final report is not yet known.
    Provisional,
    /// The final report is known and does not contain it.
    NotInReport,
}

/// The occurrence of a decision in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionOccurrence {
    /// The source, by its index in [`MeetingDecisions::notes`].
    pub source: usize,
    /// The anchor of its first paragraph there.
    pub anchor: String,
    /// The anchor of its last paragraph there.
    pub last_anchor: String,
    /// The page on which it begins there.
    pub page: Option<u32>,
}

impl DecisionOccurrence {
    fn from_row(source: usize, row: &RecordedDecision) -> Self {
        let (anchor, last_anchor) = (row.anchor.clone(), row.last_anchor.clone());
        Self { source, anchor, last_anchor, page: row.page }
    }
}

/// A decision with its occurrences in all sources.
#[derive(Debug)]
pub struct MergedDecision {
    /// Its ID, stable as long as its first source stays.
    pub id: String,
    /// The decision as its first source words it.
    pub row: RecordedDecision,
    /// Its occurrences in its sources; the first is the one of the row.
    pub occurrences: Vec<DecisionOccurrence>,
    /// Whether the final report contains it.
    pub presence: ReportPresence,
    /// The decision of which it is a part, by its index in the list.
    pub part_of: Option<usize>,
    /// Whether its text may continue after the quote.
    pub end_uncertain: bool,
    /// Its index among the decisions of its first source: the vectors of that source are stored by it.
    source_position: u32,
}

/// The sources of the decisions of a meeting.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DecisionSources {
    /// Its notes and reports, the final report first.
    pub notes: Vec<NotesRow>,
    /// The titles of its agenda in its register.
    pub registered_agenda: AgendaTitles,
    /// For each of the notes, the identity of the model of its decision vectors, once there are any.
    pub vector_models: Vec<Option<[u8; 32]>>,
}

/// All decisions of a meeting.
#[derive(Debug, Default)]
pub struct MeetingDecisions {
    /// Their sources, the final report first.
    pub notes: Vec<NotesRow>,
    /// The titles of the agenda in the register.
    registered_agenda: AgendaTitles,
    /// For each of its sources, the identity of the model of its decision vectors.
    vector_models: Vec<Option<[u8; 32]>>,
    /// The decisions, in the order of their sources and of their text.
    pub decisions: Vec<MergedDecision>,
    /// Text that reads like a decision and probably is not: its source by its index in `notes`.
    pub doubtful: Vec<(usize, DoubtfulRow)>,
    /// The index of their words, for queries.
    pub topics: TopicIndex,
    /// Lines between the decisions that say what became of them.
    pub(super) remarks: Vec<DecisionRemark>,
}

impl MeetingDecisions {
    /// Reads the stored decisions of a meeting; `sources` as [`load_decision_sources`] returns them. The headings of a
    /// summary are not agenda titles: they number its own chapters.
    pub fn from_snapshot(
        snapshot: &Snapshot,
        sources: DecisionSources,
    ) -> Result<Self, StoreError> {
        let DecisionSources { notes, registered_agenda, vector_models } = sources;
        let meetings = snapshot.meetings();
        let mut rows = Vec::with_capacity(notes.len());
        let mut titles = registered_agenda.clone();
        for source in &notes {
            rows.push((meetings.notes_decisions(source)?, meetings.notes_doubts(source)?));
            if source.kind != NotesKind::Summary {
                let text = meetings.notes_text(source)?;
                let headings = text.iter().filter(|block| block.heading.is_some());
                headings.for_each(|block| titles.add_heading(&block.text));
            }
        }
        let mut all = Self::merge_sources(notes, rows);
        all.read_remarks(snapshot)?;
        all.registered_agenda = registered_agenda;
        all.topics =
            TopicIndex::from_rows(all.decisions.iter().map(|decision| &decision.row), &titles);
        for (source, model) in vector_models.iter().enumerate() {
            if let Some(model) = model {
                let vectors = meetings.decision_vectors(&all.notes[source])?;
                all.add_vectors(source, *model, vectors);
            }
        }
        all.vector_models = vector_models;
        Ok(all)
    }

    /// The extents of the decisions on texts in a source.
    pub(super) fn extents_in(&self, source: usize) -> Vec<DecisionExtent<'_>> {
        let mut extents = Vec::new();
        for (index, decision) in self.decisions.iter().enumerate() {
            let kind = decision.row.kind;
            if decision.part_of.is_some() || !kind.is_text() {
                continue;
            }
            let places = decision.occurrences.iter().filter(|place| place.source == source);
            extents.extend(places.map(|DecisionOccurrence { anchor, last_anchor, .. }| {
                DecisionExtent { index, kind, anchor, last_anchor }
            }));
        }
        extents
    }

    /// Reads the lines of its sources that say what became of a decision. A summary discusses decisions of others.
    fn read_remarks(&mut self, snapshot: &Snapshot) -> Result<(), StoreError> {
        for (index, source) in self.notes.iter().enumerate() {
            if source.kind != NotesKind::Summary {
                let text = snapshot.meetings().notes_text(source)?;
                let group = source.meeting.group();
                let remarks = find_remarks(&text, &self.extents_in(index), group);
                self.remarks.extend(remarks);
            }
        }
        Ok(())
    }

    /// Adds the vectors of a source to those of its decisions that no earlier source contains.
    fn add_vectors(&mut self, source: usize, model: [u8; 32], vectors: Vec<DecisionVector>) {
        let first_here = |decision: &MergedDecision| decision.occurrences[0].source == source;
        let positions: HashMap<u32, u32> = (0u32..)
            .zip(&self.decisions)
            .filter(|(_, decision)| first_here(decision))
            .map(|(index, decision)| (decision.source_position, index))
            .collect();
        let with_index = |mut vector: DecisionVector| {
            vector.decision = *positions.get(&vector.decision)?;
            Some(vector)
        };
        let vectors = vectors.into_iter().filter_map(with_index).collect();
        self.topics.meaning.add_vectors(model, vectors);
    }

    /// Whether all of its sources have vectors of a model.
    pub fn has_vectors_of(&self, model: &[u8; 32]) -> bool {
        self.vector_models.iter().all(|known| known.as_ref() == Some(model))
    }

    /// Whether they were read from these sources.
    pub fn are_from(&self, sources: &DecisionSources) -> bool {
        self.notes == sources.notes
            && self.registered_agenda == sources.registered_agenda
            && self.vector_models == sources.vector_models
    }

    pub(super) fn merge_sources(
        notes: Vec<NotesRow>,
        sources: Vec<(Vec<RecordedDecision>, NotesDoubts)>,
    ) -> Self {
        let has_final = notes.first().is_some_and(|first| first.is_final);
        let mut all = Self { notes, ..Self::default() };
        let mut known = KnownDecisions::default();
        for (source, (rows, doubts)) in sources.into_iter().enumerate() {
            let presence = match (has_final, source) {
                (true, 0) => ReportPresence::Final,
                (true, _) => ReportPresence::NotInReport,
                (false, _) => ReportPresence::Provisional,
            };
            all.merge_source(source, rows, &doubts.uncertain_ends, presence, &mut known);
            all.doubtful.extend(doubts.doubtful.into_iter().map(|doubtful| (source, doubtful)));
        }
        all.merge_doubtful(&known);
        all
    }

    /// Adds the decisions of one source.
    fn merge_source(
        &mut self,
        source: usize,
        rows: Vec<RecordedDecision>,
        uncertain_ends: &[u32],
        presence: ReportPresence,
        known: &mut KnownDecisions,
    ) {
        let mut merged: Vec<MergedRow> = Vec::with_capacity(rows.len());
        // Long texts of this source: it may repeat them word by word, such as in an annex of actions.
        let mut repeatable: HashMap<(DecisionType, String), usize> = HashMap::new();
        let first_new = self.decisions.len();
        let is_summary = self.notes[source].kind == NotesKind::Summary;
        for (position, row) in (0u32..).zip(rows) {
            let whole = row.part_of.map(|part_of| {
                merged.get(part_of as usize).copied().unwrap_or(MergedRow::LEFT_OUT)
            });
            let same = match whole {
                Some(MergedRow { index: Some(whole), is_known: true }) => {
                    self.find_part(whole, &row)
                }
                Some(_) => None,
                None => known
                    .find_decision(&row)
                    .or_else(|| if is_summary { known.find_overlapping(&row) } else { None })
                    .or_else(|| {
                        let earlier = repeatable.get(&repeatable_key(&row)?).copied();
                        earlier.filter(|index| is_repetition(&row, &self.decisions[*index].row))
                    }),
            };
            // The final report is authoritative: anything else in a summary is uncertain.
            if is_summary && same.is_none() && presence == ReportPresence::NotInReport {
                if whole.is_none() {
                    let reason = DecisionDoubt::NotInFinalReport;
                    self.doubtful.push((source, DoubtfulRow { reason, decision: row }));
                }
                merged.push(MergedRow::LEFT_OUT);
                continue;
            }
            let is_left_out = whole.is_some_and(|whole| whole.is_known || whole.index.is_none());
            merged.push(match same {
                Some(same) => {
                    let occurrence = DecisionOccurrence::from_row(source, &row);
                    self.decisions[same].occurrences.push(occurrence);
                    MergedRow { index: Some(same), is_known: true }
                }
                // A part of a decision that another source words differently is not listed twice.
                None if is_left_out => MergedRow::LEFT_OUT,
                None => {
                    let index = self.decisions.len();
                    if let (None, Some(key)) = (whole, repeatable_key(&row)) {
                        repeatable.insert(key, index);
                    }
                    self.decisions.push(MergedDecision {
                        id: self.decision_id(source, &row),
                        occurrences: vec![DecisionOccurrence::from_row(source, &row)],
                        presence,
                        part_of: whole.and_then(|whole| whole.index),
                        end_uncertain: uncertain_ends.contains(&position),
                        source_position: position,
                        row,
                    });
                    MergedRow { index: Some(index), is_known: false }
                }
            });
        }
        for (index, decision) in self.decisions.iter().enumerate().skip(first_new) {
            if decision.part_of.is_none() {
                known.insert_decision(index, &decision.row);
            }
        }
    }

    /// A text that a summary quotes becomes another occurrence of the decision if notes or another summary contain it.
    /// Of the others, each text is listed once: successive summaries repeat each other.
    fn merge_doubtful(&mut self, known: &KnownDecisions) {
        let mut listed = HashSet::new();
        for (source, doubtful) in std::mem::take(&mut self.doubtful) {
            let row = &doubtful.decision;
            let is_quote = doubtful.reason == DecisionDoubt::QuotedInSummary;
            let find_same = || known.find_decision(row).or_else(|| known.find_overlapping(row));
            match is_quote.then(find_same).flatten() {
                Some(same) => {
                    let occurrence = DecisionOccurrence::from_row(source, row);
                    self.decisions[same].occurrences.push(occurrence);
                }
                None if listed.insert((row.kind, normalise_text(&row.quote))) => {
                    self.doubtful.push((source, doubtful));
                }
                None => {}
            }
        }
    }

    /// The part of a decision with the same text as a row.
    fn find_part(&self, whole: usize, row: &RecordedDecision) -> Option<usize> {
        self.decisions.iter().position(|part| {
            part.part_of == Some(whole)
                && part.row.kind == row.kind
                && normalise_text(&part.row.quote) == normalise_text(&row.quote)
        })
    }

    /// The identifier of a row. One paragraph may have the outcomes of two documents, "Revised to R1-9900002. Agreed.": the
    /// second row's contains its document.
    fn decision_id(&self, source: usize, row: &RecordedDecision) -> String {
        let notes = &self.notes[source];
        let meeting = notes.meeting.to_string();
        let id_of = |parts: &[&[u8]]| {
            let hash = blake3::hash(&parts.join(&0));
            format!("{meeting}-{}", &hash.to_hex()[..10])
        };
        let kind = row.kind.as_str();
        let mut parts = [&meeting, &notes.key, &row.anchor, kind].map(str::as_bytes).to_vec();
        let id = id_of(&parts);
        if self.decisions.last().is_none_or(|last| last.id != id) {
            return id;
        }
        parts.extend(row.recorded_under.as_ref().map(|document| document.as_str().as_bytes()));
        id_of(&parts)
    }

    /// Whether the final report is among the sources.
    pub fn has_final_report(&self) -> bool {
        self.notes.first().is_some_and(|first| first.is_final)
    }
}

/// The result of merging a row.
#[derive(Clone, Copy)]
struct MergedRow {
    /// Its decision; `None` if it was skipped.
    index: Option<usize>,
    /// Whether the decision existed before it.
    is_known: bool,
}

impl MergedRow {
    const LEFT_OUT: Self = Self { index: None, is_known: true };
}

/// Loads the sources of the decisions of a meeting.
pub fn load_decision_sources(
    snapshot: &Snapshot,
    meeting: &MeetingId,
) -> Result<DecisionSources, StoreError> {
    let mut sources = DecisionSources::default();
    for notes in snapshot.meetings().meeting_notes(meeting)? {
        if is_still_a_source(snapshot, &notes)? {
            sources.notes.push(notes);
        }
    }
    sources.notes.sort_by_key(source_sort_key);
    for notes in &sources.notes {
        sources.vector_models.push(snapshot.meetings().decision_vector_model(notes)?);
    }
    let register = snapshot.meetings().meeting_row(meeting)?.and_then(|row| row.register);
    for item in register.iter().flat_map(|register| &register.agenda) {
        sources.registered_agenda.add_title(&item.number, &item.title);
    }
    Ok(sources)
}

/// Whether notes that are a TDoc still count as notes: a later register may list a document that called itself notes
/// as something else.
fn is_still_a_source(snapshot: &Snapshot, notes: &NotesRow) -> Result<bool, StoreError> {
    let Some(id) = &notes.tdoc else { return Ok(true) };
    let row = snapshot.tdocs().tdoc_row(id)?;
    Ok(row.is_none_or(|row| notes_kind_of_entry(&row.entry).is_some()))
}

/// Final reports first, then by kind, the last read first: the first source of a decision gives its wording.
fn source_sort_key(notes: &NotesRow) -> (bool, NotesKind, std::cmp::Reverse<String>, String) {
    let read_at = std::cmp::Reverse(notes.read_at.clone());
    (!notes.is_final, notes.kind, read_at, notes.key.clone())
}

#[cfg(test)]
mod tests;
