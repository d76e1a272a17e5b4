//! Maps values of registers, catalog and store to those of the contract.

use contributions::TdocKind;
use register::{PartyRole, TdocStatus};
use store::{ContentStatus, PassageKind};
use wire::values::{DocKind, RegisterStatus, SourceRole, TdocContentStatus, UnitType};

/// The status of a document; `unknown` where its register has none.
pub(in crate::service) fn to_register_status(status: Option<TdocStatus>) -> RegisterStatus {
    let Some(status) = status else { return RegisterStatus::Unknown };
    match status {
        TdocStatus::Reserved => RegisterStatus::Reserved,
        TdocStatus::Available => RegisterStatus::Available,
        TdocStatus::Revised => RegisterStatus::Revised,
        TdocStatus::Agreed => RegisterStatus::Agreed,
        TdocStatus::ConditionallyAgreed => RegisterStatus::ConditionallyAgreed,
        TdocStatus::Approved => RegisterStatus::Approved,
        TdocStatus::ConditionallyApproved => RegisterStatus::ConditionallyApproved,
        TdocStatus::PartiallyApproved => RegisterStatus::PartiallyApproved,
        TdocStatus::Treated => RegisterStatus::Treated,
        TdocStatus::Endorsed => RegisterStatus::Endorsed,
        TdocStatus::RepliedTo => RegisterStatus::RepliedTo,
        TdocStatus::Merged => RegisterStatus::Merged,
        TdocStatus::NotPursued => RegisterStatus::NotPursued,
        TdocStatus::Postponed => RegisterStatus::Postponed,
        TdocStatus::Noted => RegisterStatus::Noted,
        TdocStatus::NotConcluded => RegisterStatus::NotConcluded,
        TdocStatus::Withdrawn => RegisterStatus::Withdrawn,
        TdocStatus::Reissued => RegisterStatus::Reissued,
        TdocStatus::NotTreated => RegisterStatus::NotTreated,
    }
}

/// The kind of a document.
pub(in crate::service) fn to_doc_kind(kind: TdocKind) -> DocKind {
    match kind {
        TdocKind::Contribution => DocKind::Contribution,
        TdocKind::Cr => DocKind::Cr,
        TdocKind::DraftCr => DocKind::DraftCr,
        TdocKind::PCr => DocKind::PCr,
        TdocKind::LiaisonStatement => DocKind::LiaisonStatement,
        TdocKind::Summary => DocKind::Summary,
        TdocKind::ChairNotes => DocKind::ChairNotes,
        TdocKind::MeetingReport => DocKind::MeetingReport,
        TdocKind::Report => DocKind::Report,
        TdocKind::Agenda => DocKind::Agenda,
        TdocKind::WorkPlan => DocKind::WorkPlan,
        TdocKind::StatusReport => DocKind::StatusReport,
        TdocKind::WorkItemDescription => DocKind::WorkItemDescription,
        TdocKind::StudyItemDescription => DocKind::StudyItemDescription,
        TdocKind::DraftSpecification => DocKind::DraftSpecification,
        TdocKind::SpecificationCover => DocKind::SpecificationCover,
        TdocKind::CrPack => DocKind::CrPack,
        TdocKind::WorkItemSummary => DocKind::WorkItemSummary,
        TdocKind::ExceptionRequest => DocKind::ExceptionRequest,
        TdocKind::TermsOfReference => DocKind::TermsOfReference,
    }
}

/// The role of an organization in a document.
pub(super) fn to_source_role(role: PartyRole) -> SourceRole {
    match role {
        PartyRole::Submitter => SourceRole::Submitter,
        PartyRole::CoSubmitter => SourceRole::CoSubmitter,
        PartyRole::Editor => SourceRole::Editor,
    }
}

/// How much of a fetched file was read.
pub(super) fn to_content_status(status: ContentStatus) -> TdocContentStatus {
    match status {
        ContentStatus::Complete => TdocContentStatus::Complete,
        ContentStatus::Partial => TdocContentStatus::Partial,
        ContentStatus::Unavailable => TdocContentStatus::Unavailable,
    }
}

/// The kind of a passage.
pub(super) fn to_unit_type(kind: PassageKind) -> UnitType {
    match kind {
        PassageKind::Proposal => UnitType::Proposal,
        PassageKind::Observation => UnitType::Observation,
        PassageKind::Body => UnitType::Body,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_and_kinds_keep_their_names_in_the_contract() {
        for status in TdocStatus::all() {
            assert_eq!(to_register_status(Some(status)).to_string(), status.as_str());
        }
        assert_eq!(to_register_status(None).to_string(), "unknown");
        for kind in TdocKind::all() {
            assert_eq!(to_doc_kind(kind).to_string(), kind.as_str());
        }
    }
}
