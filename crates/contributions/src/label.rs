//! The status of a document, as a sentence.

use domain::RegisterStatus;

use domain::DocKind;
use domain::MeetingId;

/// One sentence of kind, status and meeting, such as `Contribution: noted at RAN1#118 (presented, nothing
/// was decided).` The meaning of the statuses is that of TR 21.900, clause 9.
pub fn status_label(kind: DocKind, status: RegisterStatus, meeting: &MeetingId) -> String {
    let (kind, meeting) = (kind.sentence_start(), meeting.name());
    let outcome = match status {
        RegisterStatus::Unknown => return format!("{kind} for {meeting}: outcome unknown."),
        RegisterStatus::Reserved => {
            return format!("{kind}: number reserved for {meeting}, not available yet.");
        }
        RegisterStatus::Available => {
            return format!("{kind}: available for {meeting}, no outcome in the register.");
        }
        RegisterStatus::NotTreated => return format!("{kind}: not treated at {meeting}."),
        RegisterStatus::NotPursued => "not pursued at {m} (rejected)",
        RegisterStatus::Noted => "noted at {m} (presented, no decision)",
        RegisterStatus::Agreed => "agreed at {m} (pending a higher body)",
        RegisterStatus::ConditionallyAgreed => "conditionally agreed at {m}",
        RegisterStatus::Approved => "approved at {m} (final)",
        RegisterStatus::ConditionallyApproved => "conditionally approved at {m}",
        RegisterStatus::PartiallyApproved => "partially approved at {m}",
        RegisterStatus::Endorsed => "endorsed at {m}",
        RegisterStatus::Treated => "treated at {m}",
        RegisterStatus::Revised => "revised at {m} (replaced by another document)",
        RegisterStatus::Merged => "merged into another document at {m}",
        RegisterStatus::RepliedTo => "answered at {m}",
        RegisterStatus::Postponed => "postponed at {m}",
        RegisterStatus::NotConcluded => "discussed at {m} without a conclusion",
        RegisterStatus::Withdrawn => "withdrawn from {m}",
        RegisterStatus::Reissued => "issued again at {m}",
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
            (RegisterStatus::NotTreated, "Contribution: not treated at RAN1#118."),
            (RegisterStatus::Agreed, "Contribution: agreed at RAN1#118 (pending a higher body)."),
            (RegisterStatus::Unknown, "Contribution for RAN1#118: outcome unknown."),
        ] {
            assert_eq!(status_label(DocKind::Contribution, status, &meeting), label);
        }
    }
}
