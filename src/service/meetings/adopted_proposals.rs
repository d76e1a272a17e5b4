//! Which proposals a decision adopts: those it names by label, and those whose words it contains.

use std::sync::LazyLock;

use regex::Regex;

use crate::service::internal_failure;
use contributions::word_containment;
use domain::TdocId;
use domain::UnitType;
use store::Snapshot;
use wire::{Failure, records::AdoptedProposal, values::AdoptionMatch};
use word::remove_struck_text;

/// Minimum share of a proposal's words that the decision adopting it contains.
const MIN_WORD_SHARE: f64 = 0.7;
/// Minimum number of words of a proposal that is matched by its words; shorter ones match by chance.
const MIN_PROPOSAL_WORDS: usize = 6;
/// Maximum number of proposals listed for one decision.
const MAX_ADOPTED_PROPOSALS: usize = 5;

/// The number of a TDoc in lower case: `r1-2405780`.
static TDOC_NUMBER_PATTERN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b[a-z][a-z0-9]{1,3}-\d{5,8}\b").expect("a constant pattern; a test uses it")
});

/// Words of a line that say that its proposal was not adopted: `Proposal 1 in R1-9900001 is postponed`.
static NOT_ADOPTED_PATTERN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:not|no|cannot|rejected|postponed|noted|ffs|discussed|discussion)\b")
        .expect("a constant pattern; a test uses it")
});

/// A proposal of a document.
pub(super) struct TdocProposal {
    /// The document and the number of the unit, from 1: `R1-2405780#u3`.
    pub(super) unit_id: String,
    pub(super) label: String,
    pub(super) quote: String,
    pub(super) anchor: String,
    pub(super) last_anchor: Option<String>,
}

/// The proposals of a document; empty if its file was not read.
pub(super) fn read_proposals(
    snapshot: &Snapshot,
    id: &TdocId,
) -> Result<Vec<TdocProposal>, Failure> {
    let Some(entry) = snapshot.catalog().tdoc_by_id(id) else { return Ok(Vec::new()) };
    let text = snapshot.tdocs().tdoc_text(entry.key).map_err(internal_failure)?;
    let ends = snapshot.tdocs().tdoc_text_ends(entry.key).map_err(internal_failure)?.units;
    let units = text.units.into_iter().enumerate();
    let proposals = units.filter(|(_, unit)| unit.kind == UnitType::Proposal);
    Ok(proposals
        .map(|(index, unit)| TdocProposal {
            unit_id: format!("{id}#u{}", index + 1),
            label: unit.label,
            quote: unit.quote,
            anchor: unit.anchor,
            last_anchor: ends.get(index).cloned(),
        })
        .collect())
}

/// The proposals of a document that a decision adopts. `is_under`: the decision was recorded under the document.
pub(super) fn find_adopted_proposals(
    quote: &str,
    id: &TdocId,
    is_under: bool,
    proposals: &[TdocProposal],
) -> Vec<AdoptedProposal> {
    // The meeting did not adopt what it struck through.
    let quote = &remove_struck_text(quote);
    let mut found = Vec::new();
    for TdocProposal { unit_id, label, quote: text, anchor, last_anchor } in proposals {
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
                last_anchor: last_anchor.clone(),
                matched_by: if is_named { AdoptionMatch::Label } else { AdoptionMatch::Text },
                score: if is_named { 1.0 } else { (score * 1000.0).round() / 1000.0 },
            });
        }
    }
    found
}

/// The number of negations in a text.
fn count_denials(text: &str) -> usize {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let denies =
        |word: &&str| matches!(word.to_lowercase().as_str(), "not" | "no" | "cannot" | "without");
    words.filter(denies).count()
}

/// Whether a line names a label of a document: "Proposal 1 in R1-9900001 is agreed". The label belongs to the
/// document named right after it, else to the last one before it, else to the next one; if the line names
/// no document, to the one that the decision was recorded under.
fn names_label(line: &str, label: &str, id: &TdocId, is_under: bool) -> bool {
    let label = label.trim_end_matches([':', '.', ' ']).to_lowercase();
    let line = line.to_lowercase();
    let documents: Vec<(usize, &str)> =
        TDOC_NUMBER_PATTERN.find_iter(&line).map(|d| (d.start(), d.as_str())).collect();
    // `Proposal 1` is not the label in `Proposal 11`, `Proposal 1.2` or `Proposal 1-2`.
    let continues_label = |rest: &str| {
        let mut rest = rest.chars();
        match rest.next() {
            Some(c) if c.is_alphanumeric() => true,
            Some('.' | '-') => rest.next().is_some_and(char::is_alphanumeric),
            _ => false,
        }
    };
    let is_of_document = |label_start: usize| {
        let end = label_start + label.len();
        let next = documents.iter().find(|(start, _)| *start >= end);
        let is_right_after =
            |(start, _): &&(usize, &str)| matches!(line[end..*start].trim(), "in" | "of" | "from");
        let previous = documents.iter().rfind(|(start, _)| *start < label_start);
        let own = next.filter(is_right_after).or(previous).or(next);
        own.map_or(is_under, |(_, name)| id.as_str().eq_ignore_ascii_case(name))
    };
    !label.is_empty()
        && line.match_indices(&label).any(|(start, _)| {
            !continues_label(&line[start + label.len()..]) && is_of_document(start)
        })
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
        let proposals = [
            ("u1", "Proposal 1", "Study all of the wide beams in the cell"),
            ("u2", "Proposal 11", "Send an answer"),
            ("u3", "Proposal 2", "Support narrow rays only where the user is near"),
        ]
        .map(|(unit_id, label, quote)| TdocProposal {
            unit_id: unit_id.to_owned(),
            label: label.to_owned(),
            quote: quote.to_owned(),
            anchor: "x.docx#p1".to_owned(),
            last_anchor: None,
        });
        let adopted_under = |quote: &str, is_under: bool| -> Vec<(String, AdoptionMatch)> {
            let found =
                select_best_proposals(find_adopted_proposals(quote, &id, is_under, &proposals))
                    .into_iter();
            found.map(|p| (p.unit_id, p.matched_by)).collect()
        };
        let adopted = |quote: &str| adopted_under(quote, false);
        let owned = |pairs: &[(&str, AdoptionMatch)]| -> Vec<(String, AdoptionMatch)> {
            pairs.iter().map(|(id, matched_by)| ((*id).to_owned(), *matched_by)).collect()
        };
        assert_eq!(
            adopted("Proposal 11 in R1-9900001 is agreed."),
            owned(&[("u2", AdoptionMatch::Label)])
        );
        assert_eq!(
            adopted("Support narrow rays only where the user is near, FFS others"),
            owned(&[("u3", AdoptionMatch::Text)])
        );
        assert_eq!(adopted("Proposal 1 is agreed."), owned(&[]), "of whom is not said");
        assert_eq!(
            adopted_under("Proposal 1 is agreed.", true),
            owned(&[("u1", AdoptionMatch::Label)])
        );
        assert_eq!(adopted("Proposal 1 in R1-9900001 is not agreed."), owned(&[]));
        assert_eq!(
            adopted("Proposal 1 in R1-9900002, proposal 2 in R1-9900001 are agreed."),
            owned(&[("u3", AdoptionMatch::Label)])
        );
        assert_eq!(adopted("Proposal 1 in R1-9900001 is postponed."), owned(&[]));
        assert_eq!(
            adopted("Support ~~narrow rays only where the user is near~~ waves"),
            owned(&[]),
            "struck through"
        );
        assert_eq!(adopted("Something else entirely"), owned(&[]));
        let denied = "There is no consensus to support narrow rays only where the user is near";
        assert_eq!(adopted(denied), owned(&[]));
    }
}
