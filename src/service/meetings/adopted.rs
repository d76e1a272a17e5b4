//! Which proposals a decision adopts: those it names by their labels, and those whose words it has.

use crate::{
    contributions::contained,
    model::TdocId,
    service::internal,
    store::{PassageKind, Snapshot},
    wire::{Failure, records::AdoptedProposal},
};

/// So much of a proposal's words must stand in a decision.
const LEAST: f64 = 0.7;
/// A shorter proposal says too little to be known by its words.
const FEWEST_WORDS: usize = 6;
/// Proposals told for one decision.
const MOST: usize = 5;

/// The proposals of a document: id, label, quote, anchor.
pub(super) type Proposals = Vec<(String, String, String, String)>;

/// The proposals of a document, as far as it was read.
pub(super) fn proposals_of(snapshot: &Snapshot, id: &TdocId) -> Result<Proposals, Failure> {
    let Some(entry) = snapshot.catalog().tdoc_of(id) else { return Ok(Vec::new()) };
    let text = snapshot.tdoc_text(entry.key).map_err(internal)?;
    let units = text.units.into_iter().enumerate();
    let proposals = units.filter(|(_, unit)| unit.kind == PassageKind::Proposal);
    Ok(proposals
        .map(|(at, unit)| (format!("{id}#u{}", at + 1), unit.label, unit.quote, unit.anchor))
        .collect())
}

/// Those of a document's proposals that a decision adopts.
pub(super) fn adopted(quote: &str, id: &TdocId, proposals: &Proposals) -> Vec<AdoptedProposal> {
    let lower = quote.to_lowercase();
    let names_document = quote.contains(id.as_str());
    let mut found = Vec::new();
    for (unit_id, label, text, anchor) in proposals {
        let is_named = names_document && names(&lower, &label.to_lowercase());
        let score = contained(text, quote);
        let is_long = text.split_whitespace().nth(FEWEST_WORDS - 1).is_some();
        // "There is no consensus to ..." has all the words of the proposal.
        let is_denied = denials(quote) != denials(text);
        if is_named || score >= LEAST && is_long && !is_denied {
            found.push(AdoptedProposal {
                tdoc_id: id.to_string(),
                unit_id: unit_id.clone(),
                label: label.clone(),
                anchor: anchor.clone(),
                matched_by: if is_named { "label" } else { "text" }.to_owned(),
                score: if is_named { 1.0 } else { (score * 1000.0).round() / 1000.0 },
            });
        }
    }
    found
}

/// Words that deny, in a text.
fn denials(text: &str) -> usize {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let denies =
        |word: &&str| matches!(word.to_lowercase().as_str(), "not" | "no" | "cannot" | "without");
    words.filter(denies).count()
}

/// Whether a text names a label, and not a longer one: "proposal 1" in "proposal 1 is", not in "proposal 11".
fn names(text: &str, label: &str) -> bool {
    let label = label.trim_end_matches([':', '.', ' ']);
    let goes_on = |rest: &str| {
        let mut rest = rest.chars();
        match rest.next() {
            Some(c) if c.is_alphanumeric() => true,
            Some('.' | '-') => rest.next().is_some_and(char::is_alphanumeric),
            _ => false,
        }
    };
    !label.is_empty()
        && text.match_indices(label).any(|(at, _)| !goes_on(&text[at + label.len()..]))
}

/// The best of them, best first.
pub(super) fn best(mut found: Vec<AdoptedProposal>) -> Vec<AdoptedProposal> {
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found.truncate(MOST);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proposals_are_adopted_by_label_or_by_their_words() {
        let id: TdocId = "R1-9900001".parse().expect("valid");
        let proposals: Proposals = [
            ("u1", "Proposal 1", "Study all of the wide beams in the cell"),
            ("u2", "Proposal 11", "Send an answer"),
            ("u3", "Proposal 2", "Support narrow rays only where the user is near"),
        ]
        .map(|(unit, label, quote)| {
            (unit.to_owned(), label.to_owned(), quote.to_owned(), "x.docx#p1".to_owned())
        })
        .into();
        let told = |quote: &str| -> Vec<(String, String)> {
            let found = best(adopted(quote, &id, &proposals)).into_iter();
            found.map(|p| (p.unit_id, p.matched_by)).collect()
        };
        let owned = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
        };
        assert_eq!(told("Proposal 11 in R1-9900001 is agreed."), owned(&[("u2", "label")]));
        assert_eq!(
            told("Support narrow rays only where the user is near, FFS others"),
            owned(&[("u3", "text")])
        );
        assert_eq!(told("Proposal 1 is agreed."), owned(&[]), "of whom is not said");
        assert_eq!(told("Something else entirely"), owned(&[]));
        let denied = "There is no consensus to support narrow rays only where the user is near";
        assert_eq!(told(denied), owned(&[]));
    }
}
