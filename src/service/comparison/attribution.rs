//! Which of the recorded changes between two versions changed a section, and how certain that is.
//!
//! A change is certain if the tracked changes of a recorded change request are exactly what changed. Without these,
//! it is certain only if nothing else is recorded, the annex was read without a gap, and neither the clauses that the
//! change request names nor the rest of the document contradict it: what was replaced alike in many sections is an
//! editor's work, whatever the annex records.

use std::collections::HashSet;

use change_history::HistoryRow;
use comparison::ChangedText;
use contributions::match_clause_list;
use domain::ClauseRelation;

use super::{registered::RegisteredEntry, split_words, tracked::TrackedMatch};
use wire::values::{AttributionCertainty, AttributionEvidence};

/// Maximum number of change requests that are named only because of their words: weak evidence, which many share.
const MAX_BY_WORDS: usize = 5;
/// Weight of the words that must agree: three words, or a name and a word. One name or two words agree by chance.
const LEAST_WORD_WEIGHT: usize = 3;
/// Words of subjects that say nothing about the section: a "correction" or a "procedure" would match any.
const COMMON_WORDS: [&str; 40] = [
    "about",
    "addition",
    "additional",
    "alignment",
    "change",
    "changes",
    "clarification",
    "clarifications",
    "clause",
    "clean",
    "correct",
    "corrected",
    "correcting",
    "correction",
    "corrections",
    "editorial",
    "enhancement",
    "enhancements",
    "feature",
    "from",
    "general",
    "improvement",
    "into",
    "introducing",
    "introduction",
    "issue",
    "issues",
    "miscellaneous",
    "missing",
    "other",
    "procedure",
    "procedures",
    "related",
    "release",
    "removal",
    "specification",
    "support",
    "text",
    "update",
    "with",
];

/// A section that changed.
pub(super) struct ChangedSection<'a> {
    /// Its numbers in both versions.
    pub(super) numbers: Vec<&'a str>,
    /// Its titles in both versions.
    pub(super) titles: Vec<&'a str>,
    /// What changed in it.
    pub(super) texts: &'a [ChangedText],
    /// Whether all that changed in it changed alike in many other sections.
    pub(super) is_sweeping: bool,
    /// Whether words, figures or formulas changed, rather than only their style or the punctuation between them.
    pub(super) says_otherwise: bool,
    /// Whether its number is that of a clause: front matter changes with every version.
    pub(super) is_clause: bool,
}

/// A recorded change, and what registers say about it.
pub(super) struct Candidate<'a> {
    pub(super) row: &'a HistoryRow,
    pub(super) entries: Vec<RegisteredEntry>,
    /// How its tracked changes relate to the change.
    pub(super) tracked: TrackedMatch,
}

/// A candidate that may have changed the section.
pub(super) struct Attribution {
    /// Its index among the candidates.
    pub(super) candidate: usize,
    pub(super) certainty: AttributionCertainty,
    pub(super) evidence: Vec<AttributionEvidence>,
}

/// The candidates that may have changed a section, the most certain first. `has_gaps` says that the annex may have
/// other changes that were not read.
pub(super) fn attribute_change(
    section: &ChangedSection<'_>,
    candidates: &[Candidate<'_>],
    has_gaps: bool,
) -> Vec<Attribution> {
    let is_only = candidates.len() == 1 && !has_gaps;
    let requests = candidates.iter().filter(|candidate| candidate.row.cr.is_some()).count();
    let mut found = Vec::new();
    let mut by_words = Vec::new();
    for (index, candidate) in candidates.iter().enumerate() {
        if candidate.row.cr.is_none() {
            continue;
        }
        let named = named_clause(section, candidate);
        let weight = common_word_weight(section, candidate);
        let mut evidence = Vec::new();
        evidence.extend(tracked_evidence(candidate.tracked));
        match (is_only, requests) {
            (true, _) => evidence.push(AttributionEvidence::OnlyChange),
            (false, 1) => evidence.push(AttributionEvidence::OnlyChangeRequest),
            _ => {}
        }
        match named {
            Named::Exactly => evidence.push(AttributionEvidence::NamesClause),
            Named::Nearby => evidence.push(AttributionEvidence::NamesNearbyClause),
            Named::Others | Named::Unknown => {}
        }
        if weight >= LEAST_WORD_WEIGHT {
            evidence.push(AttributionEvidence::SubjectWords);
        }
        let is_doubtful = section.is_sweeping || !section.is_clause || !section.says_otherwise;
        let certainty = match named {
            _ if candidate.tracked == TrackedMatch::All => AttributionCertainty::Certain,
            _ if candidate.tracked == TrackedMatch::InPart => AttributionCertainty::Likely,
            Named::Exactly | Named::Nearby | Named::Unknown
                if candidate.tracked == TrackedMatch::ByWords && !section.is_sweeping =>
            {
                AttributionCertainty::Likely
            }
            // Its own text says that it changes something else.
            _ if candidate.tracked != TrackedMatch::Unknown => AttributionCertainty::Possible,
            Named::Others => AttributionCertainty::Possible,
            Named::Exactly if is_only && !is_doubtful => AttributionCertainty::Certain,
            Named::Exactly => AttributionCertainty::Likely,
            _ if is_only && !is_doubtful => AttributionCertainty::Certain,
            _ if requests == 1 && !is_doubtful && !has_gaps => AttributionCertainty::Likely,
            _ => AttributionCertainty::Possible,
        };
        let is_by_words = evidence == [AttributionEvidence::SubjectWords];
        let attribution = Attribution { candidate: index, certainty, evidence };
        match () {
            () if is_by_words && named != Named::Others => by_words.push((weight, attribution)),
            () if attribution.evidence.is_empty() || is_by_words => {}
            () => found.push(attribution),
        }
    }
    by_words.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
    found.extend(by_words.into_iter().take(MAX_BY_WORDS).map(|(_, attribution)| attribution));
    found.sort_by_key(|attribution| attribution.certainty);
    found
}

/// What the tracked changes of a change request are evidence of.
fn tracked_evidence(tracked: TrackedMatch) -> Option<AttributionEvidence> {
    match tracked {
        TrackedMatch::All | TrackedMatch::ByWords => Some(AttributionEvidence::TrackedChanges),
        TrackedMatch::InPart => Some(AttributionEvidence::TrackedChangesInPart),
        TrackedMatch::Touches => Some(AttributionEvidence::ChangesClause),
        TrackedMatch::Elsewhere | TrackedMatch::Unknown => None,
    }
}

/// What a change request says about the clauses that it changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    Exactly,
    Nearby,
    /// Only other clauses.
    Others,
    Unknown,
}

fn named_clause(section: &ChangedSection<'_>, candidate: &Candidate<'_>) -> Named {
    let lists: Vec<&str> =
        candidate.entries.iter().filter_map(|entry| entry.clauses.as_deref()).collect();
    if lists.is_empty() {
        return Named::Unknown;
    }
    let relations = lists.iter().flat_map(|list| {
        section.numbers.iter().filter_map(|number| match_clause_list(list, number))
    });
    match relations.min() {
        Some(ClauseRelation::Exact) => Named::Exactly,
        Some(ClauseRelation::Below | ClauseRelation::Above) => Named::Nearby,
        None => Named::Others,
    }
}

/// The weight of the words of a subject that occur in what changed or in the titles; names count double.
fn common_word_weight(section: &ChangedSection<'_>, candidate: &Candidate<'_>) -> usize {
    let subject = candidate.row.subject.as_deref().unwrap_or_default();
    let titles = candidate.entries.iter().map(|entry| entry.record.title.as_str());
    let said: HashSet<&str> = std::iter::once(subject)
        .chain(titles)
        .flat_map(split_words)
        .filter(|w| is_telling(w))
        .collect();
    if said.is_empty() {
        return 0;
    }
    let texts = section.texts.iter().flat_map(|text| [text.deleted.as_str(), &text.inserted]);
    let changed: HashSet<String> = texts
        .chain(section.titles.iter().copied())
        .flat_map(split_words)
        .map(str::to_lowercase)
        .collect();
    let mut counted = HashSet::new();
    let common = said.iter().map(|word| (word, word.to_lowercase()));
    common
        .filter(|(_, lower)| changed.contains(lower) && counted.insert(lower.clone()))
        .map(|(word, _)| if is_name(word) { 2 } else { 1 })
        .sum()
}

/// Whether a word is a name: `T310`, `RRCSetup`, `HARQ`.
fn is_name(word: &str) -> bool {
    let capitals = word.chars().filter(|c| c.is_uppercase()).count();
    word.len() >= 3
        && (capitals >= 2 || capitals >= 1 && word.contains(|c: char| c.is_ascii_digit()))
}

fn is_telling(word: &str) -> bool {
    is_name(word)
        || word.len() >= 4
            && !word.bytes().all(|b| b.is_ascii_digit())
            && !COMMON_WORDS.contains(&word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cr: Option<&str>, subject: &str) -> HistoryRow {
        HistoryRow {
            cr: cr.map(str::to_owned),
            subject: Some(subject.to_owned()),
            ..HistoryRow::default()
        }
    }

    fn candidate(row: &HistoryRow, tracked: TrackedMatch) -> Candidate<'_> {
        Candidate { row, entries: Vec::new(), tracked }
    }

    /// The candidates that are named for a section that changed by a few words; `set` changes what is known of it.
    fn attribute(
        rows: &[HistoryRow],
        has_gaps: bool,
        set: fn(&mut ChangedSection<'_>),
    ) -> Vec<(usize, AttributionCertainty)> {
        let candidates: Vec<Candidate<'_>> =
            rows.iter().map(|row| candidate(row, TrackedMatch::Unknown)).collect();
        let inserted = "start timer T391 again".to_owned();
        let texts = [ChangedText { inserted, ..ChangedText::default() }];
        let mut section = ChangedSection {
            numbers: vec!["5.3.1"],
            titles: vec!["Barring of beacons"],
            texts: &texts,
            is_sweeping: false,
            says_otherwise: true,
            is_clause: true,
        };
        set(&mut section);
        let found = attribute_change(&section, &candidates, has_gaps);
        found.into_iter().map(|found| (found.candidate, found.certainty)).collect()
    }

    #[test]
    fn nothing_is_more_certain_than_its_evidence() {
        use AttributionCertainty::{Certain, Likely, Possible};
        let one = [row(Some("0001"), "Beams")];
        assert_eq!(attribute(&one, false, |_| {}), [(0, Certain)]);
        assert_eq!(
            attribute(&one, true, |_| {}),
            [(0, Possible)],
            "the annex was not read in full"
        );
        let all_over = attribute(&one, false, |section| section.is_sweeping = true);
        assert_eq!(all_over, [(0, Possible)], "the same all over the document");
        let styled = attribute(&one, false, |section| section.says_otherwise = false);
        assert_eq!(styled, [(0, Possible)], "nothing but style changed");
        let cover = attribute(&one, false, |section| section.is_clause = false);
        assert_eq!(cover, [(0, Possible)], "front matter changes with every version");
        let with_editor = [row(None, "MCC clean-up"), row(Some("0001"), "Beams")];
        assert_eq!(attribute(&with_editor, false, |_| {}), [(1, Likely)]);
        let two =
            [row(Some("0001"), "Correction of beams"), row(Some("0002"), "Use of T391 in barring")];
        assert_eq!(attribute(&two, false, |_| {}), [(1, Possible)]);
        let same = [two[0].clone(), two[0].clone()];
        assert_eq!(attribute(&same, false, |_| {}), []);
        assert_eq!(attribute(&[], false, |_| {}), []);
    }
}
