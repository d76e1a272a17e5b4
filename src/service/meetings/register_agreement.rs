//! Whether notes and registers say the same of a document.
//!
//! Like is compared with like. Under a summary the notes may say that a change request is agreed: then the status of
//! that change request counts, and not that of the summary. Where the register has another document for the result
//! of a revision, the result counts.

use std::sync::LazyLock;

use regex::Regex;

use super::register_outcomes::{outcome_of_status, outcomes_agree};
use contributions::TdocCatalog;
use domain::DocKind;
use domain::{DecisionType, DocumentOutcome, RecordedDecision, TdocId};
use word::remove_struck_text;

/// Words for the outcome of a document.
const OUTCOME: &str = concat!(
    r"(?:agreed|approved|endorsed|revised|merged|postponed|withdrawn|noted|rejected|",
    r"not\s+(?:treated|pursued|handled))",
);
/// How a decision by e-mail begins: `As per email decision posted on May 3rd, `.
const LEAD: &str = r"(?:(?:as\s+per|according\s+to)[^,\n]{0,80},\s*)?";
/// What precedes the word for a document: `The revised `.
const ARTICLE: &str = r"(?:(?:the|this)\s+)?(?:(?:draft|final|revised|updated)\s+)?";
/// Words for the document itself.
const DOCUMENT: &str = r"(?:document|contribution|paper|tdoc|summary|report|agenda|notes?|minutes)";

/// What is said about the document itself: `The document is noted`, `Agreed.`
static OF_DOCUMENT: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(&format!(r"^{LEAD}(?:{ARTICLE}{DOCUMENT}|{OUTCOME})\b")));
/// What is said about text that follows: `The following TPs are endorsed`, `The TP below is endorsed`.
static OF_TEXT: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(&format!(
        r"^{LEAD}(?:(?:the\s+)?following\b|[^.\n]*\bbelow\b[^.\n]*\b{OUTCOME}\b)"
    ))
});
static OUTCOME_WORD: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(&format!(r"\b{OUTCOME}\b")));
/// What precedes the document that is the result: `is agreed in `, `are endorsed in:`.
static IN: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(&format!(r"\b{OUTCOME}\b[^.\n]*\bin\s*:?\s*$")));
/// What precedes the document of which a part is decided: `The methodology in R1-9900001 is agreed`.
static PART_OF: LazyLock<Regex> = LazyLock::new(|| compile_pattern(r"\b(?:in|of|from)\s+$"));

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// What registers have of a document.
pub(super) struct RegisteredDocument {
    kind: DocKind,
    outcome: Option<DocumentOutcome>,
    /// The outcomes of the documents that replace it.
    later_outcomes: Vec<DocumentOutcome>,
}

impl RegisteredDocument {
    /// What the catalog has of a document.
    pub(super) fn from_catalog(catalog: &TdocCatalog, id: &TdocId) -> Option<Self> {
        let entry = catalog.get(id)?;
        let later = catalog.later_revisions(id);
        let later_outcomes =
            later.iter().filter_map(|id| outcome_of_status(catalog.get(id)?.status)).collect();
        Some(Self { kind: entry.kind, outcome: outcome_of_status(entry.status), later_outcomes })
    }
}

/// Whether registers have the outcome that the notes have for a document. `None` if no register says anything about
/// the document that the outcome is about.
pub(super) fn register_agrees(
    row: &RecordedDecision,
    registered: impl Fn(&TdocId) -> Option<RegisteredDocument>,
) -> Option<bool> {
    let under = row.recorded_under.as_ref()?;
    if row.kind.is_text() {
        return None;
    }
    // No register says that a document is left to an e-mail discussion.
    let outcome = row.outcome.filter(|outcome| *outcome != DocumentOutcome::ForEmail)?;
    let quote = remove_struck_text(&row.quote);
    let named: Vec<(&TdocId, RegisteredDocument)> = row
        .references
        .iter()
        .filter_map(|id| Some((id, registered(id)?)))
        .filter(|(_, document)| is_of_kind(row.kind, document.kind))
        .collect();
    let is_named = named.iter().any(|(_, document)| agrees(outcome, document) == Some(true));
    let document = registered(under);
    let is_same = |document: &RegisteredDocument| {
        let is_like = is_of_kind(row.kind, document.kind) || OF_DOCUMENT.is_match(&quote);
        is_like && agrees(outcome, document) == Some(true)
    };
    if document.as_ref().is_some_and(is_same) || is_positive(outcome) && is_named {
        return Some(true);
    }
    let mut results = named.iter().filter(|(id, _)| is_positive(outcome) && is_result(&quote, id));
    if results.any(|(_, document)| agrees(outcome, document) == Some(false)) {
        return Some(false);
    }
    let document = document.filter(|document| speaks_of(row, &quote, document.kind))?;
    match agrees(outcome, &document) {
        // "The document is noted and agreed as follows": the register has the first.
        Some(false)
            if document.outcome.is_some_and(|registered| says_of_document(&quote, registered)) =>
        {
            Some(true)
        }
        Some(false) if document.outcome == Some(DocumentOutcome::Revised) && is_named => Some(true),
        verdict => verdict,
    }
}

/// Whether a register has an outcome for a document, or for one that replaces it.
fn agrees(outcome: DocumentOutcome, document: &RegisteredDocument) -> Option<bool> {
    let is_same = outcomes_agree(Some(outcome), document.outcome)?;
    let is_replaced = document.outcome == Some(DocumentOutcome::Revised) && is_positive(outcome);
    if is_same || !is_replaced {
        return Some(is_same);
    }
    // The notes agree to it with changes, and the register to the document with these changes.
    let mut later = document.later_outcomes.iter();
    later.any(|later| outcomes_agree(Some(outcome), Some(*later)) == Some(true)).then_some(true)
}

fn is_positive(outcome: DocumentOutcome) -> bool {
    outcomes_agree(Some(outcome), Some(DocumentOutcome::Agreed)) == Some(true)
}

/// Whether a document is of the kind that a decision is about.
fn is_of_kind(decision: DecisionType, document: DocKind) -> bool {
    match decision {
        DecisionType::ChangeRequest => document.is_change(),
        DecisionType::LiaisonStatement => document == DocKind::LiaisonStatement,
        DecisionType::WayForward
        | DecisionType::Document
        | DecisionType::Noted
        | DecisionType::Agreement
        | DecisionType::WorkingAssumption
        | DecisionType::Conclusion
        | DecisionType::OpenItem => true,
    }
}

/// Whether an outcome is that of the document under which it was recorded.
fn speaks_of(row: &RecordedDecision, quote: &str, document: DocKind) -> bool {
    if OF_DOCUMENT.is_match(quote) {
        return true;
    }
    let mut ids = row.recorded_under.iter().chain(&row.references);
    let is_own_kind = is_of_kind(row.kind, document) && !document.is_report_of_others();
    is_own_kind && !OF_TEXT.is_match(quote) && !ids.any(|id| is_about_part(quote, id))
}

/// Whether a decision names a document as its result: "agreed in R1-9900002".
fn is_result(quote: &str, id: &TdocId) -> bool {
    quote.split_once(id.as_str()).is_some_and(|(before, _)| IN.is_match(before))
}

/// Whether a decision is about something in a document: "The methodology in R1-9900001 is agreed".
fn is_about_part(quote: &str, id: &TdocId) -> bool {
    let Some((before, _)) = quote.split_once(id.as_str()) else { return false };
    PART_OF.is_match(before) && !OUTCOME_WORD.is_match(before)
}

/// Whether a decision says of the document itself that it has an outcome.
fn says_of_document(quote: &str, outcome: DocumentOutcome) -> bool {
    let word = outcome.as_str().replace('_', " ");
    let lower = quote.to_lowercase();
    let sentence = |verb: &str| lower.contains(&format!("document {verb} {word}"));
    sentence("is") || sentence("was")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The verdict on a decision under `R1-9900001`, a document of a kind with an outcome and those of its revisions,
    /// that may name `R1-9900002`.
    fn verdict(
        (kind, outcome, quote): (DecisionType, DocumentOutcome, &str),
        under: (DocKind, Option<DocumentOutcome>, &[DocumentOutcome]),
        named: Option<(DocKind, Option<DocumentOutcome>)>,
    ) -> Option<bool> {
        let id = |text: &str| -> TdocId { text.parse().expect("a number") };
        let row = RecordedDecision {
            kind,
            outcome: Some(outcome),
            marker: String::new(),
            quote: quote.to_owned(),
            is_cut: false,
            anchor: String::new(),
            last_anchor: String::new(),
            page: None,
            agenda_item: None,
            heading: None,
            recorded_under: Some(id("R1-9900001")),
            references: named.iter().map(|_| id("R1-9900002")).collect(),
            session: None,
            part_of: None,
        };
        register_agrees(&row, |asked| {
            let (kind, outcome, later) = match asked.as_str() {
                "R1-9900001" => under,
                _ => named.map(|(kind, outcome)| (kind, outcome, &[][..]))?,
            };
            Some(RegisteredDocument { kind, outcome, later_outcomes: later.to_vec() })
        })
    }

    #[test]
    fn the_outcome_of_a_change_request_or_statement_is_not_compared_with_a_summary() {
        use DecisionType::{ChangeRequest as Cr, Document, LiaisonStatement as Ls};
        use DocumentOutcome::{Agreed, Approved, Endorsed, NotPursued, Noted, Withdrawn};
        use domain::DecisionType;
        use domain::DocumentOutcome;
        let summary = (DocKind::Summary, Some(Noted), &[][..]);
        let cr = |outcome| Some((DocKind::Cr, Some(outcome)));
        let ls = |outcome| Some((DocKind::LiaisonStatement, Some(outcome)));
        for (decision, named, expected) in [
            (
                (Cr, Agreed, "Final CRs are agreed in:\nR1-9900002 CR on beams"),
                cr(Agreed),
                Some(true),
            ),
            ((Cr, Agreed, "Final CR is agreed in R1-9900002."), cr(Withdrawn), Some(false)),
            ((Cr, Agreed, "Final CRs are agreed in"), None, None),
            ((Cr, NotPursued, "Not essential. The draft CR is not pursued."), None, None),
            ((Ls, Approved, "Final LS is approved in R1-9900002."), ls(Approved), Some(true)),
            // Another sentence names what is to be done, and what is answered says nothing of the answer.
            ((Ls, Approved, "Final LS is approved. Answer in R1-9900002."), ls(Noted), None),
            ((Ls, Approved, "The reply to R1-9900002 is approved."), ls(Noted), None),
            ((Ls, Approved, "Final LS is approved in R1-9900002."), cr(Noted), None),
            ((Document, Endorsed, "The TP below for TS 38.901 is endorsed."), None, None),
            (
                (Document, Endorsed, "As per email decision, the following TPs are endorsed"),
                None,
                None,
            ),
            ((Document, Endorsed, "The text in section 7 of R1-9900001 is endorsed."), None, None),
            ((Document, Endorsed, "The document is endorsed."), None, Some(false)),
            ((DecisionType::Noted, Noted, "The document is noted."), None, Some(true)),
        ] {
            assert_eq!(verdict(decision, summary, named), expected, "{}", decision.2);
        }
    }

    #[test]
    fn revisions_and_double_outcomes_are_no_difference() {
        use DecisionType::{ChangeRequest as Cr, LiaisonStatement as Ls, WayForward};
        use DocKind::{Contribution, DraftCr, LiaisonStatement};
        use DocumentOutcome::{
            Agreed, Approved, Endorsed, ForEmail, NotPursued, Noted, Revised, Withdrawn,
        };
        use domain::DecisionType;
        use domain::DocKind;
        use domain::DocumentOutcome;
        let agreed = Some((DocKind::Cr, Some(Agreed)));
        for (decision, under, named, expected) in [
            (
                (Cr, Agreed, "The document is noted and agreed as CR0007 in R1-9900002."),
                (DraftCr, Some(Noted), &[][..]),
                agreed,
                Some(true),
            ),
            (
                (Ls, Endorsed, "The draft LS is endorsed with the following update"),
                (LiaisonStatement, Some(Revised), &[Approved]),
                None,
                Some(true),
            ),
            (
                (Ls, Endorsed, "The draft LS is endorsed with the following update"),
                (LiaisonStatement, Some(Revised), &[]),
                None,
                None,
            ),
            (
                (WayForward, Agreed, "The document is noted and agreed as follows:"),
                (Contribution, Some(Noted), &[]),
                None,
                Some(true),
            ),
            (
                (WayForward, ForEmail, "The WF is for email approval."),
                (Contribution, Some(Agreed), &[]),
                None,
                None,
            ),
            (
                (Cr, Endorsed, "The draft CR in R1-9900001 is endorsed (38.901)."),
                (DraftCr, Some(Endorsed), &[]),
                None,
                Some(true),
            ),
            // A part of another document.
            (
                (Cr, Endorsed, "The draft CR_5 in R1-9900002 is endorsed."),
                (DraftCr, Some(NotPursued), &[]),
                Some((Contribution, Some(Noted))),
                None,
            ),
            // What the meeting prepares next is not a contradiction.
            (
                (
                    WayForward,
                    Agreed,
                    "The document is noted and the WF is agreed. Prepare in R1-9900002",
                ),
                (Contribution, Some(Agreed), &[]),
                Some((Contribution, Some(Noted))),
                Some(true),
            ),
            // A draft statement that the register has as a discussion.
            (
                (Ls, Withdrawn, "The document is withdrawn."),
                (Contribution, Some(Withdrawn), &[]),
                None,
                Some(true),
            ),
            (
                (Cr, NotPursued, "The CR is not pursued."),
                (DraftCr, Some(Agreed), &[]),
                None,
                Some(false),
            ),
            ((Cr, Agreed, "CR0007 is agreed."), (DraftCr, None, &[]), None, None),
        ] {
            assert_eq!(verdict(decision, under, named), expected, "{}", decision.2);
        }
    }
}
