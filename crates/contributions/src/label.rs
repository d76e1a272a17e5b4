//! The status of a document, as a sentence.

use register::TdocStatus;

use domain::DocKind;
use domain::MeetingId;

/// One sentence with kind, status and meeting, such as `Contribution: noted at RAN1#118 (presented, no decision).`
/// The statuses have the meaning of TR 21.900, clause 9.
pub fn status_label(kind: DocKind, status: Option<TdocStatus>, meeting: &MeetingId) -> String {
    let (kind, meeting) = (kind.sentence_start(), meeting.name());
    let Some(status) = status else {
        return format!("{kind} for {meeting}: outcome unknown.");
    };
    let outcome = match status {
        TdocStatus::Reserved => {
            return format!("{kind}: number reserved for {meeting}, not available yet.");
        }
        TdocStatus::Available => {
            return format!("{kind}: available for {meeting}, no outcome in the register.");
        }
        TdocStatus::NotTreated => return format!("{kind}: not treated at {meeting}."),
        TdocStatus::NotPursued => "not pursued at {m} (rejected)",
        TdocStatus::Noted => "noted at {m} (presented, no decision)",
        TdocStatus::Agreed => "agreed at {m} (pending a higher body)",
        TdocStatus::ConditionallyAgreed => "conditionally agreed at {m}",
        TdocStatus::Approved => "approved at {m} (final)",
        TdocStatus::ConditionallyApproved => "conditionally approved at {m}",
        TdocStatus::PartiallyApproved => "partially approved at {m}",
        TdocStatus::Endorsed => "endorsed at {m}",
        TdocStatus::Treated => "treated at {m}",
        TdocStatus::Revised => "revised at {m} (replaced by another document)",
        TdocStatus::Merged => "merged into another document at {m}",
        TdocStatus::RepliedTo => "answered at {m}",
        TdocStatus::Postponed => "postponed at {m}",
        TdocStatus::NotConcluded => "discussed at {m} without a conclusion",
        TdocStatus::Withdrawn => "withdrawn from {m}",
        TdocStatus::Reissued => "issued again at {m}",
    };
    format!("{kind}: {}.", outcome.replace("{m}", &meeting))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_one_sentence_of_kind_status_and_meeting() {
        let meeting = "R1-118".parse().expect("a meeting");
        for (status, label) in [
            (Some(TdocStatus::NotTreated), "Contribution: not treated at RAN1#118."),
            (Some(TdocStatus::Agreed), "Contribution: agreed at RAN1#118 (pending a higher body)."),
            (None, "Contribution for RAN1#118: outcome unknown."),
        ] {
            assert_eq!(status_label(DocKind::Contribution, status, &meeting), label);
        }
    }
}
