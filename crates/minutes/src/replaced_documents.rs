//! Documents that replace others: "Revised to TD S2-9900012. Agreed." is the end of one document and the outcome of the
//! other.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use regex::Regex;

use super::{
    look_ahead::iter_paragraphs,
    outcome::{documents_in, outcome_in},
    unanchored::UnanchoredDecision,
};
use domain::{DecisionType, DocumentOutcome, TdocId};
use word::Piece;

/// A number, with an official hyphen or another.
const NUMBER: &str = r"[A-Z][A-Z0-9]{1,3}[-\u{2010}\u{2011}\u{2013}]\d{5,8}";
/// Lines after the head of an entry that may say which document it replaces: type, specification and source precede it.
const MAX_LINES_TO_REPLACED: usize = 8;

/// "Revised to TD S2-9900012. Agreed.", "Rev in R3-9900001 Rev in R3-9900002 Agreed": the outcome after the last number.
static REVISED_THEN: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(&format!(
        r"\brev(?:ised)?\b[^.;?\n]{{0,120}}?\s+(?:to|in|into|as)\s+(?:TD\s+)?(?P<new>{NUMBER})\s*(?:\([^)]{{0,60}}\)\s*)?(?:[.,;:]|\s[-\u{{2013}}])?\s*(?:(?:(?:which|this|it|and|was|is|then)\s+){{1,3}})?(?P<outcome>(?:block\s+)?(?:agreed|approved|endorsed|noted|postponed|withdrawn|not\s+pursued|technically\s+endorsed)(?:\s+(?:unseen|as\s+BL\s+CR(?:\s+unseen)?))?)(?:\s+in\s+(?:the\s+)?(?:parallel|plenary|main|closing)\s+session)?\s*(?:[.;,]|<|\n|$)"
    ))
});
/// The same sentence, if it only cites a revision: of an earlier meeting, or a possible one.
static IS_CITED: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:if|unless|once|whether|can|could|may|might|should|would|will|shall|to\s+be|not|from\s+(?:the\s+)?(?:last|previous|[A-Z]{1,3}\d?\s?#))\b",
    )
});
/// "(Replaces R3-9900001)" below the head of an entry.
static REPLACES: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(&format!(r"^\(?\s*replaces\s+(?P<old>{NUMBER})\s*\)?$")));
/// The head of an entry: a number, a tab, a title.
static ENTRY_HEAD: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(&format!(r"^(?P<new>{NUMBER})(?:\s|$)")));

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// A document that replaces another, and what became of it.
struct ReplacingDocument {
    new: TdocId,
    outcome: DocumentOutcome,
    /// Where in the sentence it begins.
    start: usize,
}

/// The outcome of the document that a sentence names as the revision of another.
fn replacement_in(quote: &str) -> Option<ReplacingDocument> {
    let found = REVISED_THEN.captures_iter(quote).last()?;
    let (start, end) = (found.get(0)?.start(), found.name("outcome")?.start());
    // The whole sentence counts: "This can be revised in ...".
    let begin = quote[..start].rfind(['.', '\n']).map_or(0, |dot| dot + 1);
    if IS_CITED.is_match(&quote[begin..end]) {
        return None;
    }
    let new = documents_in(&found["new"]).pop()?;
    let start = found.name("new")?.start();
    Some(ReplacingDocument { new, outcome: outcome_in(&found["outcome"])?, start })
}

/// Adds the outcomes of documents that replace others, and gives outcomes of cut entries their document. A document with
/// an entry of its own keeps the outcome that stands there.
pub(super) fn add_replacements(
    pieces: &[Piece],
    decisions: Vec<UnanchoredDecision>,
) -> Vec<UnanchoredDecision> {
    let replaced = replaced_documents(pieces);
    let own: HashSet<TdocId> = decisions
        .iter()
        .filter(|found| found.outcome.is_some() && found.part_of.is_none())
        .filter_map(|found| found.recorded_under.clone())
        .collect();
    let mut all: Vec<UnanchoredDecision> = Vec::with_capacity(decisions.len());
    let mut indexes: Vec<u32> = Vec::with_capacity(decisions.len());
    let mut told: HashSet<TdocId> = HashSet::new();
    for mut found in decisions {
        indexes.push(u32::try_from(all.len()).unwrap_or(u32::MAX));
        found.part_of = found.part_of.and_then(|whole| indexes.get(whole as usize).copied());
        if found.outcome.is_none() || found.part_of.is_some() {
            all.push(found);
            continue;
        }
        if found.recorded_under.is_none() {
            let mut named = documents_in(&found.quote).into_iter();
            found.recorded_under = named.find_map(|new| replaced.get(&new).cloned());
        }
        let next = replacement_in(&found.quote)
            .filter(|next| found.recorded_under.as_ref().is_some_and(|old| *old != next.new));
        let Some(next) = next else {
            all.push(found);
            continue;
        };
        found.outcome = Some(DocumentOutcome::Revised);
        let kind = match next.outcome {
            DocumentOutcome::Noted => DecisionType::Noted,
            _ => found.kind,
        };
        let of_new = UnanchoredDecision {
            quote: found.quote[next.start..].to_owned(),
            kind,
            outcome: Some(next.outcome),
            recorded_under: Some(next.new.clone()),
            ..found.clone()
        };
        all.push(found);
        if !own.contains(&next.new) && told.insert(next.new) {
            all.push(of_new);
        }
    }
    all
}

/// By the number of a document, the one that it replaces: the secretary notes it below the head of its entry.
fn replaced_documents(pieces: &[Piece]) -> HashMap<TdocId, TdocId> {
    let mut replaced = HashMap::new();
    let mut entry: Option<(TdocId, usize)> = None;
    for line in iter_paragraphs(pieces) {
        let text = line.text.trim();
        if let Some(head) = ENTRY_HEAD.captures(text) {
            entry = head["new"].parse().ok().map(|id| (id, 0));
        } else if let Some((id, lines)) = &mut entry {
            *lines += 1;
            let old = REPLACES.captures(text).and_then(|found| found["old"].parse().ok());
            if let Some(old) = old {
                replaced.insert(id.clone(), old);
            }
            if *lines >= MAX_LINES_TO_REPLACED {
                entry = None;
            }
        }
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;
    use DocumentOutcome::{Agreed, Approved, Endorsed, Noted, Revised};
    use word::ParagraphPiece;

    fn id(text: &str) -> TdocId {
        text.parse().expect("a number")
    }

    fn found(quote: &str, under: Option<&str>) -> UnanchoredDecision {
        UnanchoredDecision {
            kind: DecisionType::Document,
            outcome: Some(Revised),
            marker: String::new(),
            quote: quote.to_owned(),
            is_cut: false,
            end_uncertain: false,
            is_coloured: false,
            shows_own_meeting: false,
            doubt: None,
            first: (1, 0),
            last: 1,
            agenda_item: None,
            heading: None,
            recorded_under: under.map(id),
            session: None,
            part_of: None,
            basis: None,
        }
    }

    #[test]
    fn the_outcome_after_a_revision_is_that_of_the_new_document() {
        for (quote, expected) in [
            ("Revised to TD S2-9900012. Agreed.", Some(("S2-9900012", Agreed))),
            ("Revised off-line to TD S2-9900012. Agreed.", Some(("S2-9900012", Agreed))),
            (
                "Revised in parallel session to S2-9900012. Agreed. <PARALLEL - AGREED>",
                Some(("S2-9900012", Agreed)),
            ),
            ("Rev in R3-9900001 Rev in R3-9900002 Agreed", Some(("R3-9900002", Agreed))),
            ("Rev in R3-9900001. Endorsed as BL CR unseen", Some(("R3-9900001", Endorsed))),
            ("Revised to C1-990012 and agreed", Some(("C1-990012", Agreed))),
            ("Revised to C1-990012, which was approved.", Some(("C1-990012", Approved))),
            ("This was revised in TD S2\u{2011}9900012. Noted.", Some(("S2-9900012", Noted))),
            (
                "This was revised, merging TD S2-9900007, in TD S2-9900012. Agreed. <PARALLEL - AGREED>",
                Some(("S2-9900012", Agreed)),
            ),
            (
                "Revised to correct the code (without TEI) in TD S2-9900012. Agreed.",
                Some(("S2-9900012", Agreed)),
            ),
            ("Revised to TD S2-9900012. Noted in parallel session.", Some(("S2-9900012", Noted))),
            ("Revised to correct a name. It was unclear in TD S2-9900012. Agreed.", None),
            ("Revised to TD S2-9900012. Noted in the last meeting.", None),
            ("The document was revised to R3-9900001.", None),
            ("The document was revised to R3-9900001, R3-9900002.", None),
            ("This can be revised in S2-9900012. Agreed.", None),
            ("It will be revised to S2-9900012. Agreed.", None),
            ("Agreed. Revised to S2-9900012.", None),
            ("Revised in S2-9900012. Agreed to send an LS.", None),
            ("Revised to S2-9900012. Agreed if nobody objects.", None),
            ("It was not revised to S2-9900012. Agreed.", None),
        ] {
            let told = replacement_in(quote).map(|next| (next.new, next.outcome));
            let expected = expected.map(|(new, outcome)| (id(new), outcome));
            assert_eq!(told, expected, "{quote}");
        }
    }

    #[test]
    fn each_document_has_its_outcome() {
        let decisions = vec![
            found("Revised to S2-9900012. Agreed.", Some("S2-9900001")),
            UnanchoredDecision { part_of: Some(0), ..found("FFS: beams", None) },
            found("Revised to S2-9900003. Agreed.", Some("S2-9900002")),
            UnanchoredDecision { outcome: Some(Noted), ..found("Noted.", Some("S2-9900003")) },
        ];
        let all = add_replacements(&[], decisions);
        let told: Vec<_> = all
            .iter()
            .map(|found| (found.recorded_under.as_ref().map(TdocId::as_str), found.outcome))
            .collect();
        assert_eq!(
            told,
            [
                (Some("S2-9900001"), Some(Revised)),
                (Some("S2-9900012"), Some(Agreed)),
                (None, Some(Revised)),
                (Some("S2-9900002"), Some(Revised)),
                (Some("S2-9900003"), Some(Noted)),
            ]
        );
        assert_eq!(all[1].quote, "S2-9900012. Agreed.");
        assert_eq!(all[2].part_of, Some(0), "indexes follow the added ones");
    }

    #[test]
    fn the_next_entry_says_which_document_was_revised() {
        let line = |text: &str| {
            Piece::Paragraph(ParagraphPiece { text: text.to_owned(), ..ParagraphPiece::default() })
        };
        let pieces = [
            line("Decision:\tThe document was revised to R3-9900002."),
            line("R3-9900002\tBeams"),
            line("Source: Example"),
            line("(Replaces R3-9900001)"),
        ];
        let all =
            add_replacements(&pieces, vec![found("The document was revised to R3-9900002.", None)]);
        assert_eq!(all[0].recorded_under, Some(id("R3-9900001")));
    }
}
