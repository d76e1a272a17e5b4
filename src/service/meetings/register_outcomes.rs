//! The outcomes of documents that registers record.

use std::collections::HashMap;

use register::{Column, TdocStatus};

use crate::service::internal_failure;
use contributions::{TdocCatalog, TdocEntry, TdocFilter};
use domain::DocKind;
use domain::{DecisionType, DocumentOutcome, TdocId};
use store::Snapshot;
use wire::Failure;

/// The value of the parameter `source_kind` that means the register.
pub(super) const REGISTER_SOURCE_KIND: &str = "register";

/// The outcome of a document in its register.
pub(super) struct RegisterDecision {
    pub(super) id: TdocId,
    pub(super) agenda_item: Option<String>,
    pub(super) kind: DecisionType,
    pub(super) outcome: DocumentOutcome,
    /// Whether notes have the same outcome: then the decision is listed from the notes alone.
    pub(super) is_in_notes: bool,
}

/// The outcome that a register status means; `None` for a status without an outcome.
pub(super) fn outcome_of_status(status: Option<TdocStatus>) -> Option<DocumentOutcome> {
    Some(match status? {
        TdocStatus::Agreed | TdocStatus::ConditionallyAgreed => DocumentOutcome::Agreed,
        TdocStatus::Approved
        | TdocStatus::ConditionallyApproved
        | TdocStatus::PartiallyApproved => DocumentOutcome::Approved,
        TdocStatus::Endorsed => DocumentOutcome::Endorsed,
        TdocStatus::Revised => DocumentOutcome::Revised,
        TdocStatus::Merged => DocumentOutcome::Merged,
        TdocStatus::Postponed => DocumentOutcome::Postponed,
        TdocStatus::NotPursued => DocumentOutcome::NotPursued,
        TdocStatus::Withdrawn => DocumentOutcome::Withdrawn,
        TdocStatus::NotTreated => DocumentOutcome::NotTreated,
        TdocStatus::Noted => DocumentOutcome::Noted,
        TdocStatus::Reserved
        | TdocStatus::Available
        | TdocStatus::Treated
        | TdocStatus::RepliedTo
        | TdocStatus::NotConcluded
        | TdocStatus::Reissued => return None,
    })
}

/// The kind of decision that the outcome of a document is.
pub(super) fn decision_kind_of(
    entry: &TdocEntry,
    outcome: DocumentOutcome,
    ways_forward: &HashMap<TdocId, String>,
) -> DecisionType {
    match entry.kind {
        _ if outcome == DocumentOutcome::Noted => DecisionType::Noted,
        DocKind::Cr | DocKind::DraftCr | DocKind::PCr => DecisionType::ChangeRequest,
        DocKind::LiaisonStatement => DecisionType::LiaisonStatement,
        _ if ways_forward.contains_key(&entry.id) => DecisionType::WayForward,
        _ => DecisionType::Document,
    }
}

/// Words of titles of ways forward. They are looked up in the word index: while all titles were read, the first
/// `get_meeting` took 111 ms instead of 41 (docs/benchmarks.md).
const WAY_FORWARD_WORDS: [&str; 3] = ["way forward", "way forwards", "wf"];

/// The ways forward among the documents of a meeting, with their titles.
pub(super) fn find_ways_forward(
    snapshot: &Snapshot,
    catalog: &TdocCatalog,
    meeting: u32,
) -> Result<HashMap<TdocId, String>, Failure> {
    let mut found = HashMap::new();
    for words in WAY_FORWARD_WORDS {
        let filter = TdocFilter {
            meetings: vec![meeting],
            words: Some(words.to_owned()),
            ..TdocFilter::default()
        };
        // The words may stand apart, or in the abstract.
        for entry in catalog.matching_entries(&filter) {
            let title = read_title(snapshot, &entry.id)?;
            if is_way_forward(&title) {
                found.insert(entry.id.clone(), title);
            }
        }
    }
    Ok(found)
}

/// Whether a title is that of a way forward.
fn is_way_forward(title: &str) -> bool {
    let lower = title.to_lowercase().replace('-', " ");
    lower.contains("way forward") || lower.split(|c: char| !c.is_alphanumeric()).any(|w| w == "wf")
}

/// Whether notes and a register have the same outcome of a document. Agreed, approved and endorsed count
/// as the same, because groups differ in the word. `None` if one of the two has no outcome.
pub(super) fn outcomes_agree(
    notes: Option<DocumentOutcome>,
    register: Option<DocumentOutcome>,
) -> Option<bool> {
    let positive = |outcome| {
        matches!(
            outcome,
            DocumentOutcome::Agreed | DocumentOutcome::Approved | DocumentOutcome::Endorsed
        )
    };
    let (notes, register) = (notes?, register?);
    Some(notes == register || positive(notes) && positive(register))
}

/// The title of a document; empty if its register has none.
pub(super) fn read_title(snapshot: &Snapshot, id: &TdocId) -> Result<String, Failure> {
    let row = snapshot.tdocs().tdoc_row(id).map_err(internal_failure)?;
    Ok(row
        .and_then(|row| row.entry.column_text(Column::Title).map(str::to_owned))
        .unwrap_or_default())
}

/// The documents of a meeting that have an outcome in its register, by number.
pub(super) fn find_decided_tdocs(
    catalog: &TdocCatalog,
    meeting: u32,
) -> Vec<(&TdocEntry, DocumentOutcome)> {
    let entries = catalog.meeting_entries(meeting);
    let decided = entries.filter_map(|entry| Some((entry, outcome_of_status(entry.status)?)));
    let mut decided: Vec<_> =
        decided.filter(|(entry, _)| !catalog.is_unlisted(&entry.id)).collect();
    decided.sort_by_cached_key(|&(entry, _)| (entry.id.prefix(), entry.id.number()));
    decided
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_and_registers_agree_where_they_mean_the_same() {
        assert_eq!(
            outcomes_agree(Some(DocumentOutcome::Agreed), Some(DocumentOutcome::Approved)),
            Some(true)
        );
        assert_eq!(
            outcomes_agree(Some(DocumentOutcome::Noted), Some(DocumentOutcome::Noted)),
            Some(true)
        );
        assert_eq!(
            outcomes_agree(Some(DocumentOutcome::Noted), Some(DocumentOutcome::Agreed)),
            Some(false)
        );
        assert_eq!(outcomes_agree(None, Some(DocumentOutcome::Agreed)), None);
    }

    #[test]
    fn ways_forward_are_known_by_their_titles() {
        assert!(is_way_forward("WF on beams") && is_way_forward("(Way-forward) Beams"));
        assert!(!is_way_forward("Views on WiFi and beams"));
    }
}
