//! Which proposals a decision adopts: those it names by their labels, and those whose words it has.

use std::sync::LazyLock;

use regex::Regex;

use crate::service::internal_failure;
use contributions::word_containment;
use domain::TdocId;
use store::{PassageKind, Snapshot};
use wire::{Failure, records::AdoptedProposal, values::AdoptionMatch};
use word::remove_struck_text;

/// So much of a proposal's words must stand in a decision.
const MIN_WORD_SHARE: f64 = 0.7;
/// A shorter proposal says too little to be known by its words.
const MIN_PROPOSAL_WORDS: usize = 6;
/// Proposals listed for one decision.
const MAX_ADOPTED_PROPOSALS: usize = 5;

/// The number of a document, in small letters.
static TDOC_NUMBER_PATTERN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b[a-z][a-z0-9]{1,3}-\d{5,8}\b").expect("a constant pattern; a test uses it")
});

/// What says that a proposal was not taken up.
static NOT_ADOPTED_PATTERN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:not|no|cannot|rejected|postponed|noted|ffs|discussed|discussion)\b")
        .expect("a constant pattern; a test uses it")
});

/// The proposals of a document: id, label, quote, anchor.
pub(super) type TdocProposals = Vec<(String, String, String, String)>;

/// The proposals of a document, as far as it was read.
pub(super) fn read_proposals(snapshot: &Snapshot, id: &TdocId) -> Result<TdocProposals, Failure> {
    let Some(entry) = snapshot.catalog().tdoc_by_id(id) else { return Ok(Vec::new()) };
    let text = snapshot.tdocs().tdoc_text(entry.key).map_err(internal_failure)?;
    let units = text.units.into_iter().enumerate();
    let proposals = units.filter(|(_, unit)| unit.kind == PassageKind::Proposal);
    Ok(proposals
        .map(|(at, unit)| (format!("{id}#u{}", at + 1), unit.label, unit.quote, unit.anchor))
        .collect())
}

/// Those of a document's proposals that a decision adopts. `is_under`: it was recorded under the document.
pub(super) fn find_adopted_proposals(
    quote: &str,
    id: &TdocId,
    is_under: bool,
    proposals: &TdocProposals,
) -> Vec<AdoptedProposal> {
    // What the meeting struck out again it did not adopt.
    let quote = &remove_struck_text(quote);
    let mut found = Vec::new();
    for (unit_id, label, text, anchor) in proposals {
        let is_named = quote.lines().any(|line| {
            !NOT_ADOPTED_PATTERN.is_match(line) && names_label(line, label, id, is_under)
        });
        let score = word_containment(text, quote);
        let is_long = text.split_whitespace().nth(MIN_PROPOSAL_WORDS - 1).is_some();
        // "There is no consensus to ..." has all the words of the proposal.
        let is_denied = count_denials(quote) != count_denials(text);
        if is_named || score >= MIN_WORD_SHARE && is_long && !is_denied {
            found.push(AdoptedProposal {
                tdoc_id: id.to_string(),
                unit_id: unit_id.clone(),
                label: label.clone(),
                anchor: anchor.clone(),
                matched_by: if is_named { AdoptionMatch::Label } else { AdoptionMatch::Text },
                score: if is_named { 1.0 } else { (score * 1000.0).round() / 1000.0 },
            });
        }
    }
    found
}

/// Words that deny, in a text.
fn count_denials(text: &str) -> usize {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let denies =
        |word: &&str| matches!(word.to_lowercase().as_str(), "not" | "no" | "cannot" | "without");
    words.filter(denies).count()
}

/// Whether a line names a label of a document: "Proposal 1 in R1-9900001 is agreed". It is that of the document that
/// follows right behind it, or else of the last one before it, or the next; where the line names none, that of the
/// document that the decision was recorded under.
fn names_label(line: &str, label: &str, id: &TdocId, is_under: bool) -> bool {
    let label = label.trim_end_matches([':', '.', ' ']).to_lowercase();
    let line = line.to_lowercase();
    let documents: Vec<(usize, &str)> =
        TDOC_NUMBER_PATTERN.find_iter(&line).map(|d| (d.start(), d.as_str())).collect();
    let goes_on = |rest: &str| {
        let mut rest = rest.chars();
        match rest.next() {
            Some(c) if c.is_alphanumeric() => true,
            Some('.' | '-') => rest.next().is_some_and(char::is_alphanumeric),
            _ => false,
        }
    };
    let is_of_document = |at: usize| {
        let end = at + label.len();
        let behind = documents.iter().find(|(place, _)| *place >= end);
        let is_right_behind =
            |(place, _): &&(usize, &str)| matches!(line[end..*place].trim(), "in" | "of" | "from");
        let before = documents.iter().rfind(|(place, _)| *place < at);
        let own = behind.filter(is_right_behind).or(before).or(behind);
        own.map_or(is_under, |(_, name)| id.as_str().eq_ignore_ascii_case(name))
    };
    !label.is_empty()
        && line
            .match_indices(&label)
            .any(|(at, _)| !goes_on(&line[at + label.len()..]) && is_of_document(at))
}

/// The best of them, best first.
pub(super) fn select_best_proposals(mut found: Vec<AdoptedProposal>) -> Vec<AdoptedProposal> {
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found.truncate(MAX_ADOPTED_PROPOSALS);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proposals_are_adopted_by_label_or_by_their_words() {
        let id: TdocId = "R1-9900001".parse().expect("valid");
        let proposals: TdocProposals = [
            ("u1", "Proposal 1", "Study all of the wide beams in the cell"),
            ("u2", "Proposal 11", "Send an answer"),
            ("u3", "Proposal 2", "Support narrow rays only where the user is near"),
        ]
        .map(|(unit, label, quote)| {
            (unit.to_owned(), label.to_owned(), quote.to_owned(), "x.docx#p1".to_owned())
        })
        .into();
        let told_under = |quote: &str, is_under: bool| -> Vec<(String, AdoptionMatch)> {
            let found =
                select_best_proposals(find_adopted_proposals(quote, &id, is_under, &proposals))
                    .into_iter();
            found.map(|p| (p.unit_id, p.matched_by)).collect()
        };
        let told = |quote: &str| told_under(quote, false);
        let owned = |pairs: &[(&str, AdoptionMatch)]| -> Vec<(String, AdoptionMatch)> {
            pairs.iter().map(|(id, matched_by)| ((*id).to_owned(), *matched_by)).collect()
        };
        assert_eq!(
            told("Proposal 11 in R1-9900001 is agreed."),
            owned(&[("u2", AdoptionMatch::Label)])
        );
        assert_eq!(
            told("Support narrow rays only where the user is near, FFS others"),
            owned(&[("u3", AdoptionMatch::Text)])
        );
        assert_eq!(told("Proposal 1 is agreed."), owned(&[]), "of whom is not said");
        assert_eq!(
            told_under("Proposal 1 is agreed.", true),
            owned(&[("u1", AdoptionMatch::Label)])
        );
        assert_eq!(told("Proposal 1 in R1-9900001 is not agreed."), owned(&[]));
        assert_eq!(
            told("Proposal 1 in R1-9900002, proposal 2 in R1-9900001 are agreed."),
            owned(&[("u3", AdoptionMatch::Label)])
        );
        assert_eq!(told("Proposal 1 in R1-9900001 is postponed."), owned(&[]));
        assert_eq!(
            told("Support ~~narrow rays only where the user is near~~ waves"),
            owned(&[]),
            "struck through"
        );
        assert_eq!(told("Something else entirely"), owned(&[]));
        let denied = "There is no consensus to support narrow rays only where the user is near";
        assert_eq!(told(denied), owned(&[]));
    }
}
