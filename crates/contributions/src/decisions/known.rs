//! The decisions of the already merged sources, by their text.

use std::collections::HashMap;

use domain::{DecisionType, RecordedDecision, TdocId};

use crate::similarity::{ComparableText, normalise_text};

/// A text of so many bytes is one decision wherever it occurs; a shorter one may apply to two things: "Confirm the
/// working assumption." With a smaller limit such decisions would be merged across agenda items.
const MIN_LONG_BYTES: usize = 60;

/// Whether a normalised text is so long that it has only one meaning.
fn is_long_text(normalised: &str) -> bool {
    normalised.len() >= MIN_LONG_BYTES
}

/// What a repetition in the same source has in common with a row. `None` for outcomes, and for texts so short that two
/// decisions may have the same: "Confirm the working assumption."
pub(super) fn repeatable_key(row: &RecordedDecision) -> Option<(DecisionType, String)> {
    let text = normalise_text(&row.quote);
    (row.kind.is_text() && is_long_text(&text)).then_some((row.kind, text))
}

/// Whether a row repeats an earlier one of its source. Under another agenda item the same text is a separate decision,
/// unless an annex lists the decisions again.
pub(super) fn is_repetition(row: &RecordedDecision, earlier: &RecordedDecision) -> bool {
    let is_in_annex = row.heading.as_deref().is_some_and(is_annex);
    is_in_annex || row.agenda_item == earlier.agenda_item
}

/// Whether a heading begins an annex: "Annex B: Actions".
fn is_annex(heading: &str) -> bool {
    let first = heading.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    first.is_some_and(|word| ["annex", "appendix"].iter().any(|one| word.eq_ignore_ascii_case(one)))
}

/// Decisions by their text.
#[derive(Default)]
pub(super) struct KnownDecisions {
    /// Indexes of decisions with the same text.
    exact: HashMap<ExactDecisionKey, usize>,
    /// Texts that another source may word slightly differently.
    texts: Vec<KnownText>,
}

/// What two decisions with the same text have in common.
#[derive(PartialEq, Eq, Hash)]
struct ExactDecisionKey {
    kind: DecisionType,
    /// The document of an outcome: many outcomes have the same sentence.
    document: Option<TdocId>,
    /// The agenda item of a short text without a document.
    agenda_item: Option<String>,
    text: String,
}

/// The text of a decision.
struct KnownText {
    index: usize,
    kind: DecisionType,
    /// Its document and its agenda item.
    subjects: Vec<String>,
    text: ComparableText,
}

impl KnownDecisions {
    fn exact_key(row: &RecordedDecision) -> ExactDecisionKey {
        let text = normalise_text(&row.quote);
        let is_text = row.kind.is_text();
        let document = if !is_text { row.recorded_under.clone() } else { None };
        let is_one_thing = document.is_some() || is_text && is_long_text(&text);
        let agenda_item = if !is_one_thing { row.agenda_item.clone() } else { None };
        ExactDecisionKey { kind: row.kind, document, agenda_item, text }
    }

    /// The decision that a row of another source repeats, word by word or nearly.
    pub(super) fn find_decision(&self, row: &RecordedDecision) -> Option<usize> {
        if let Some(same) = self.exact.get(&Self::exact_key(row)) {
            return Some(*same);
        }
        self.find_text(row, ComparableText::is_alike)
    }

    /// The decision that a row quotes in part, or with more of its context, as summaries do. Both texts must be long:
    /// a short one is contained in many.
    pub(super) fn find_overlapping(&self, row: &RecordedDecision) -> Option<usize> {
        self.find_text(row, |known, text| {
            known.is_long() && text.is_long() && (known.contains(text) || text.contains(known))
        })
    }

    fn find_text(
        &self,
        row: &RecordedDecision,
        is_same: impl Fn(&ComparableText, &ComparableText) -> bool,
    ) -> Option<usize> {
        if !row.kind.is_text() {
            return None;
        }
        let text = ComparableText::new(&row.quote);
        let subjects = subjects_of(row);
        let is_near = |known: &&KnownText| {
            known.kind == row.kind
                && (text.is_long()
                    || subjects.iter().any(|subject| known.subjects.contains(subject)))
        };
        let mut near = self.texts.iter().filter(is_near);
        near.find(|known| is_same(&known.text, &text)).map(|known| known.index)
    }

    /// Adds a decision of the list.
    pub(super) fn insert_decision(&mut self, index: usize, row: &RecordedDecision) {
        self.exact.entry(Self::exact_key(row)).or_insert(index);
        if row.kind.is_text() {
            let (kind, subjects) = (row.kind, subjects_of(row));
            let text = ComparableText::new(&row.quote);
            self.texts.push(KnownText { index, kind, subjects, text });
        }
    }
}

impl ComparableText {
    fn is_long(&self) -> bool {
        is_long_text(self.normalised())
    }
}

fn subjects_of(row: &RecordedDecision) -> Vec<String> {
    let under = row.recorded_under.as_ref().map(ToString::to_string);
    [under, row.agenda_item.clone()].into_iter().flatten().collect()
}
