//! Merges the decisions of a meeting from all of its notes: the same decision in several sources is one decision
//! with several occurrences.
//!
//! The final report comes first, then other reports, then notes of chairs, then summaries. Decisions in notes are
//! provisional until the final report is published.

use std::collections::HashMap;

use domain::{DecisionKind, MeetingId, NotesKind, TdocId};
use store::{DecisionRow, DoubtfulRow, NotesDoubts, NotesRow, Snapshot, StoreError};

use super::{
    notes::notes_kind_of_entry,
    similarity::{are_alike, normalise_text},
    topics::TopicIndex,
};

/// Whether the meeting's final report has a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecisionStanding {
    /// The final report has it.
    Final,
    /// The final report is not known yet.
    Provisional,
    /// The final report is known and does not have it.
    NotInReport,
}

/// A decision with its occurrences in all sources.
#[derive(Debug)]
pub struct MergedDecision {
    /// Its id, stable as long as its first source stays.
    pub id: String,
    /// The decision as its first source words it.
    pub row: DecisionRow,
    /// Its sources by their index in [`MeetingDecisions::notes`], with the anchors; the first is that of the row.
    pub occurrences: Vec<(usize, String)>,
    /// Whether the final report has it.
    pub standing: DecisionStanding,
    /// The decision that it is a part of, by its index in the list.
    pub part_of: Option<usize>,
    /// Whether its text may continue after the quote.
    pub end_uncertain: bool,
}

/// All decisions of a meeting.
#[derive(Debug, Default)]
pub struct MeetingDecisions {
    /// Their sources, the final report first.
    pub notes: Vec<NotesRow>,
    /// The decisions, in the order of their sources and of the text.
    pub decisions: Vec<MergedDecision>,
    /// Text that reads like a decision and is probably none: its source by its index in `notes`.
    pub doubtful: Vec<(usize, DoubtfulRow)>,
    /// The index of their words, for questions.
    pub topics: TopicIndex,
}

impl MeetingDecisions {
    /// Reads what is stored of a meeting; `notes` as [`load_decision_sources`] gives them.
    pub fn from_snapshot(snapshot: &Snapshot, notes: Vec<NotesRow>) -> Result<Self, StoreError> {
        let mut sources = Vec::with_capacity(notes.len());
        for row in &notes {
            let meetings = snapshot.meetings();
            sources.push((meetings.notes_decisions(row)?, meetings.notes_doubts(row)?));
        }
        Ok(Self::merge_sources(notes, sources))
    }

    fn merge_sources(notes: Vec<NotesRow>, sources: Vec<(Vec<DecisionRow>, NotesDoubts)>) -> Self {
        let has_final = notes.first().is_some_and(|first| first.is_final);
        let mut all = Self { notes, ..Self::default() };
        let mut known = KnownDecisions::default();
        for (source, (rows, doubts)) in sources.into_iter().enumerate() {
            let standing = match (has_final, source) {
                (true, 0) => DecisionStanding::Final,
                (true, _) => DecisionStanding::NotInReport,
                (false, _) => DecisionStanding::Provisional,
            };
            all.merge_source(source, rows, &doubts.uncertain_ends, standing, &mut known);
            all.doubtful.extend(doubts.doubtful.into_iter().map(|doubtful| (source, doubtful)));
        }
        all.topics = TopicIndex::from_rows(all.decisions.iter().map(|decision| &decision.row));
        all
    }

    /// Adds the decisions of one source.
    fn merge_source(
        &mut self,
        source: usize,
        rows: Vec<DecisionRow>,
        uncertain_ends: &[u32],
        standing: DecisionStanding,
        known: &mut KnownDecisions,
    ) {
        // For each row, the index of its decision; none where it is dropped with the decision it is a part of.
        let mut indexes: Vec<Option<usize>> = Vec::with_capacity(rows.len());
        let first_new = self.decisions.len();
        for (position, row) in (0u32..).zip(rows) {
            let whole = row.part_of.map(|part_of| indexes.get(part_of as usize).copied().flatten());
            let is_of_known =
                whole.is_some_and(|whole| whole.is_none_or(|whole| whole < first_new));
            let same = match whole {
                // A part is compared with the parts of the same decision.
                Some(Some(whole)) if whole < first_new => {
                    let parts = self.decisions[..first_new].iter();
                    let is_same = |part: &MergedDecision| {
                        part.part_of == Some(whole)
                            && part.row.kind == row.kind
                            && normalise_text(&part.row.quote) == normalise_text(&row.quote)
                    };
                    parts.enumerate().find(|(_, part)| is_same(part)).map(|(index, _)| index)
                }
                Some(_) => None,
                None => known.find_decision(&row, &self.decisions[..first_new]),
            };
            let index = match same {
                Some(same) => {
                    self.decisions[same].occurrences.push((source, row.anchor.clone()));
                    Some(same)
                }
                // A part of a decision that another source worded differently is not listed twice.
                None if is_of_known => None,
                None => {
                    let index = self.decisions.len();
                    self.decisions.push(MergedDecision {
                        id: self.decision_id(source, &row),
                        occurrences: vec![(source, row.anchor.clone())],
                        standing,
                        part_of: whole.flatten(),
                        end_uncertain: uncertain_ends.contains(&position),
                        row,
                    });
                    Some(index)
                }
            };
            indexes.push(index);
        }
        for (index, decision) in self.decisions.iter().enumerate().skip(first_new) {
            if decision.part_of.is_none() {
                known.insert_decision(index, &decision.row);
            }
        }
    }

    fn decision_id(&self, source: usize, row: &DecisionRow) -> String {
        let notes = &self.notes[source];
        let meeting = notes.meeting.to_string();
        let parts = [&meeting, &notes.key, &row.anchor, row.kind.as_str()].map(str::as_bytes);
        let hash = blake3::hash(&parts.join(&0));
        format!("{meeting}-{}", &hash.to_hex()[..10])
    }

    /// Whether the final report is among the sources.
    pub fn has_final_report(&self) -> bool {
        self.notes.first().is_some_and(|first| first.is_final)
    }
}

/// The notes of a meeting that its decisions come from, the final report first.
pub fn load_decision_sources(
    snapshot: &Snapshot,
    meeting: &MeetingId,
) -> Result<Vec<NotesRow>, StoreError> {
    let mut sources = Vec::new();
    for notes in snapshot.meetings().meeting_notes(meeting)? {
        if is_still_a_source(snapshot, &notes)? {
            sources.push(notes);
        }
    }
    sources.sort_by_key(source_sort_key);
    Ok(sources)
}

/// Whether notes that are a TDoc still count as notes: a document that called itself notes may be listed as
/// something else by a later register.
fn is_still_a_source(snapshot: &Snapshot, notes: &NotesRow) -> Result<bool, StoreError> {
    let Some(id) = &notes.tdoc else { return Ok(true) };
    let row = snapshot.tdocs().tdoc_row(id)?;
    Ok(row.is_none_or(|row| notes_kind_of_entry(&row.entry).is_some()))
}

/// Final reports first, then by kind, the last that was read first.
fn source_sort_key(notes: &NotesRow) -> (bool, NotesKind, std::cmp::Reverse<String>, String) {
    let read_at = std::cmp::Reverse(notes.read_at.clone());
    (!notes.is_final, notes.kind, read_at, notes.key.clone())
}

/// The decisions of the sources before, by their text.
#[derive(Default)]
struct KnownDecisions {
    /// Indexes of decisions with the same text.
    exact: HashMap<ExactDecisionKey, usize>,
    /// By kind and document or agenda item: those that may say the same in other words.
    near: HashMap<(DecisionKind, String), Vec<usize>>,
}

/// What two decisions with the same text have in common.
#[derive(PartialEq, Eq, Hash)]
struct ExactDecisionKey {
    kind: DecisionKind,
    /// The document of an outcome: many outcomes are the same sentence.
    document: Option<TdocId>,
    /// The agenda item, where there is no document.
    agenda_item: Option<String>,
    text: String,
}

impl KnownDecisions {
    fn exact_key(row: &DecisionRow) -> ExactDecisionKey {
        let is_outcome = !row.kind.is_text();
        let document = row.recorded_under.clone().filter(|_| is_outcome);
        let agenda_item = row.agenda_item.clone().filter(|_| document.is_none());
        let text = normalise_text(&row.quote);
        ExactDecisionKey { kind: row.kind, document, agenda_item, text }
    }

    fn near_keys(row: &DecisionRow) -> Vec<(DecisionKind, String)> {
        let under = row.recorded_under.as_ref().map(ToString::to_string);
        let keys = [under, row.agenda_item.clone()];
        keys.into_iter().flatten().map(|key| (row.kind, key)).collect()
    }

    fn find_decision(&self, row: &DecisionRow, decisions: &[MergedDecision]) -> Option<usize> {
        if let Some(same) = self.exact.get(&Self::exact_key(row)) {
            return Some(*same);
        }
        if !row.kind.is_text() {
            return None;
        }
        let keys = Self::near_keys(row);
        let near = keys.iter().filter_map(|key| self.near.get(key)).flatten();
        near.copied().find(|index| are_alike(&decisions[*index].row.quote, &row.quote))
    }

    fn insert_decision(&mut self, index: usize, row: &DecisionRow) {
        self.exact.entry(Self::exact_key(row)).or_insert(index);
        for key in Self::near_keys(row) {
            self.near.entry(key).or_default().push(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(key: &str, kind: NotesKind, is_final: bool) -> NotesRow {
        NotesRow {
            meeting: "R1-99".parse().expect("valid"),
            key: key.to_owned(),
            kind,
            title: key.to_owned(),
            file: format!("{key}.docx"),
            tdoc: None,
            version: None,
            rank: 0,
            is_final,
            hash: [0; 32],
            read_at: "2026-01-01T00:00:00Z".to_owned(),
            faults: Vec::new(),
            decisions: 0,
        }
    }

    fn row(kind: DecisionKind, quote: &str, under: &str, part_of: Option<u32>) -> DecisionRow {
        DecisionRow {
            kind,
            outcome: None,
            marker: "Agreement".to_owned(),
            quote: quote.to_owned(),
            is_cut: false,
            anchor: format!("n.docx#p{}{under}", quote.len()),
            last_anchor: "n.docx#p9".to_owned(),
            page: None,
            agenda_item: Some("8.1".to_owned()),
            heading: None,
            recorded_under: under.parse().ok(),
            references: Vec::new(),
            session: None,
            part_of,
        }
    }

    fn without_doubts(rows: Vec<DecisionRow>) -> (Vec<DecisionRow>, NotesDoubts) {
        (rows, NotesDoubts::default())
    }

    use DecisionKind::{Agreement, Noted, OpenItem};

    #[test]
    fn a_decision_in_two_sources_is_one_with_two_occurrences() {
        let report = vec![
            row(
                Agreement,
                "Support wide beams for all of the users in a cell; FFS: rays",
                "",
                None,
            ),
            row(OpenItem, "FFS: rays", "", Some(0)),
            row(Noted, "The document is noted.", "R1-9900001", None),
            row(Noted, "The document is noted.", "R1-9900002", None),
        ];
        let chair = vec![
            row(
                Agreement,
                "Support  wide beams for all of the users in a cell. FFS: rays",
                "",
                None,
            ),
            row(OpenItem, "FFS: rays", "", Some(0)),
            row(Noted, "The document is noted.", "R1-9900001", None),
            row(Agreement, "Support narrow waves", "", None),
            row(OpenItem, "FFS: waves", "", Some(3)),
        ];
        let sources = vec![
            notes("report", NotesKind::MeetingReport, true),
            notes("chair", NotesKind::ChairNotes, false),
        ];
        let all =
            MeetingDecisions::merge_sources(sources, [report, chair].map(without_doubts).into());
        let merged: Vec<_> = all
            .decisions
            .iter()
            .map(|d| (d.row.kind, d.occurrences.len(), d.standing, d.part_of))
            .collect();
        assert_eq!(
            merged,
            [
                (Agreement, 2, DecisionStanding::Final, None),
                (OpenItem, 2, DecisionStanding::Final, Some(0)),
                (Noted, 2, DecisionStanding::Final, None),
                (Noted, 1, DecisionStanding::Final, None),
                (Agreement, 1, DecisionStanding::NotInReport, None),
                (OpenItem, 1, DecisionStanding::NotInReport, Some(4)),
            ]
        );
        assert!(all.has_final_report());
        let ids: std::collections::HashSet<&str> =
            all.decisions.iter().map(|d| d.id.as_str()).collect();
        assert_eq!(ids.len(), 6);
    }

    #[test]
    fn texts_that_differ_in_numbers_or_negation_are_not_merged() {
        let long =
            "Support wide beams for all of the users in a cell of the network that have asked";
        for (one, other) in [
            ("K \u{2264} 4".to_owned(), "K \u{2265} 4".to_owned()),
            ("1.5 dB".to_owned(), "15 dB".to_owned()),
            (format!("{long} in FR1"), format!("{long} in FR2")),
            (format!("{long} for it"), format!("{long} not for it")),
        ] {
            let sources = vec![
                notes("report", NotesKind::MeetingReport, true),
                notes("chair", NotesKind::ChairNotes, false),
            ];
            let rows = [&one, &other].map(|text| vec![row(Agreement, text, "", None)]);
            let all = MeetingDecisions::merge_sources(sources, rows.map(without_doubts).into());
            assert_eq!(all.decisions.len(), 2, "{one} and {other}");
        }
    }

    #[test]
    fn without_a_final_report_all_is_provisional() {
        let sources = vec![notes("chair", NotesKind::ChairNotes, false)];
        let all = MeetingDecisions::merge_sources(
            sources,
            vec![without_doubts(vec![row(Agreement, "Support beams", "", None)])],
        );
        assert_eq!(all.decisions[0].standing, DecisionStanding::Provisional);
        assert!(!all.has_final_report());
    }
}
