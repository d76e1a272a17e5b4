//! What became of a document, as a sentence.

use register::Status;

use super::DocKind;
use domain::MeetingId;

/// One sentence of kind, status and meeting, such as `Contribution: noted at RAN1#118 (presented, nothing
/// was decided).` What words mean is TR 21.900's, clause 9.
pub fn status_label(kind: DocKind, status: Option<Status>, meeting: &MeetingId) -> String {
    let (kind, meeting) = (kind.in_words(), meeting.name());
    let Some(status) = status else {
        return format!("{kind} for {meeting}: what became of it is not known.");
    };
    let became = match status {
        Status::Reserved => {
            return format!("{kind}: number reserved for {meeting}, not there yet.");
        }
        Status::Available => {
            return format!("{kind}: available for {meeting}, no outcome in the register.");
        }
        Status::NotTreated => return format!("{kind}: not treated at {meeting}."),
        Status::NotPursued => "not pursued at {m} (rejected)",
        Status::Noted => "noted at {m} (presented, nothing was decided)",
        Status::Agreed => "agreed at {m} (a higher body has the last word)",
        Status::ConditionallyAgreed => "agreed on a condition at {m}",
        Status::Approved => "approved at {m} (final)",
        Status::ConditionallyApproved => "approved on a condition at {m}",
        Status::PartiallyApproved => "approved in part at {m}",
        Status::Endorsed => "endorsed at {m}",
        Status::Treated => "treated at {m}",
        Status::Revised => "revised at {m} (another document took its place)",
        Status::Merged => "merged into another document at {m}",
        Status::RepliedTo => "answered at {m}",
        Status::Postponed => "postponed at {m}",
        Status::NotConcluded => "discussed at {m} without a conclusion",
        Status::Withdrawn => "withdrawn from {m}",
        Status::Reissued => "issued again at {m}",
    };
    format!("{kind}: {}.", became.replace("{m}", &meeting))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_one_sentence_of_kind_status_and_meeting() {
        let meeting = "R1-118".parse().expect("a meeting");
        for (status, label) in [
            (Some(Status::NotTreated), "Contribution: not treated at RAN1#118."),
            (
                Some(Status::Agreed),
                "Contribution: agreed at RAN1#118 (a higher body has the last word).",
            ),
            (None, "Contribution for RAN1#118: what became of it is not known."),
        ] {
            assert_eq!(status_label(DocKind::Contribution, status, &meeting), label);
        }
    }
}
