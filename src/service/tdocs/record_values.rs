//! Maps values of registers, catalog and store to those of the contract.

use register::TdocStatus;
use store::ContentStatus;
use wire::values::{RegisterStatus, TdocContentStatus};

/// The status of a document; `unknown` if its register has none.
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

/// How much of a fetched file was read.
pub(super) fn to_content_status(status: ContentStatus) -> TdocContentStatus {
    match status {
        ContentStatus::Complete => TdocContentStatus::Complete,
        ContentStatus::Partial => TdocContentStatus::Partial,
        ContentStatus::Unavailable => TdocContentStatus::Unavailable,
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
    }
}
