//! What registers say that became of documents.

use register::{Column, Status};

use crate::service::internal;
use contributions::{Catalog, DocKind, TdocEntry};
use domain::{DecisionKind, Outcome};
use store::Snapshot;
use wire::Failure;

/// The word for a register among the kinds of sources.
pub(super) const REGISTER: &str = "register";

/// What a status in a register means for its document; none where nothing became of it yet.
pub(super) fn outcome(status: Option<Status>) -> Option<Outcome> {
    Some(match status? {
        Status::Agreed | Status::ConditionallyAgreed => Outcome::Agreed,
        Status::Approved | Status::ConditionallyApproved | Status::PartiallyApproved => {
            Outcome::Approved
        }
        Status::Endorsed => Outcome::Endorsed,
        Status::Revised => Outcome::Revised,
        Status::Merged => Outcome::Merged,
        Status::Postponed => Outcome::Postponed,
        Status::NotPursued => Outcome::NotPursued,
        Status::Withdrawn => Outcome::Withdrawn,
        Status::NotTreated => Outcome::NotTreated,
        Status::Noted => Outcome::Noted,
        Status::Reserved
        | Status::Available
        | Status::Treated
        | Status::RepliedTo
        | Status::NotConcluded
        | Status::Reissued => return None,
    })
}

/// What kind of decision it is that something became of a document.
pub(super) fn kind_of(entry: &TdocEntry, title: &str, outcome: Outcome) -> DecisionKind {
    match entry.kind {
        _ if outcome == Outcome::Noted => DecisionKind::Noted,
        DocKind::Cr | DocKind::DraftCr | DocKind::PCr => DecisionKind::ChangeRequest,
        DocKind::LiaisonStatement => DecisionKind::LiaisonStatement,
        _ if is_way_forward(title) => DecisionKind::WayForward,
        _ => DecisionKind::Document,
    }
}

/// Whether a title is that of a way forward.
pub(super) fn is_way_forward(title: &str) -> bool {
    let lower = title.to_lowercase().replace('-', " ");
    lower.contains("way forward") || lower.split(|c: char| !c.is_alphanumeric()).any(|w| w == "wf")
}

/// Whether notes and a register say the same of a document: agreed, approved and endorsed are one, for groups differ
/// in the word. None where one of the two says nothing.
pub(super) fn agree(notes: Option<Outcome>, register: Option<Outcome>) -> Option<bool> {
    let positive =
        |outcome| matches!(outcome, Outcome::Agreed | Outcome::Approved | Outcome::Endorsed);
    let (notes, register) = (notes?, register?);
    Some(notes == register || positive(notes) && positive(register))
}

/// The title of a document.
pub(super) fn title_of(snapshot: &Snapshot, entry: &TdocEntry) -> Result<String, Failure> {
    let row = snapshot.tdoc(&entry.id).map_err(internal)?;
    Ok(row.and_then(|row| row.entry.text(Column::Title).map(str::to_owned)).unwrap_or_default())
}

/// The documents of a meeting of which its register says that something became of them, by number.
pub(super) fn decided(catalog: &Catalog, meeting: u32) -> Vec<(&TdocEntry, Outcome)> {
    let of = catalog.entries().filter(|entry| entry.meeting == meeting);
    let of = of.filter_map(|entry| Some((entry, outcome(entry.status)?)));
    let mut decided: Vec<_> = of.filter(|(entry, _)| catalog.is_listed(&entry.id)).collect();
    decided.sort_by(|(a, _), (b, _)| {
        (a.id.prefix(), a.id.number()).cmp(&(b.id.prefix(), b.id.number()))
    });
    decided
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_and_registers_agree_where_they_mean_the_same() {
        assert_eq!(agree(Some(Outcome::Agreed), Some(Outcome::Approved)), Some(true));
        assert_eq!(agree(Some(Outcome::Noted), Some(Outcome::Noted)), Some(true));
        assert_eq!(agree(Some(Outcome::Noted), Some(Outcome::Agreed)), Some(false));
        assert_eq!(agree(None, Some(Outcome::Agreed)), None);
    }

    #[test]
    fn ways_forward_are_known_by_their_titles() {
        assert!(is_way_forward("WF on beams") && is_way_forward("(Way-forward) Beams"));
        assert!(!is_way_forward("Views on WiFi and beams"));
    }
}
