//! Titles of reports and agendas, in the spellings of all groups.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    compile_pattern,
    signer::{Signature, Signer},
};
use domain::NotesKind;

/// "Final Report of RAN1#118", "Report of SA3#140", "draft C1-147 meeting report", "Minutes of CT3#140".
static REPORT: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:final|draft|approved|meeting)[ _-]*(?:minutes[ _-]*)?rep(?:ort)?\b|\breport\b.*\bmeeting\b|\bmeeting\b.*\breport\b|\bminutes\b|\breport\s+(?:of|from|for)\s+(?:the\s+)?(?:3GPP|TSG|(?:RAN|SA|CT)(?:\s?\d)?\b|[RSC][1-6P]-\d{2,3}\b)|\b(?:(?:RAN|SA|CT)\s?(?:WG\s?)?\d?\s?#\s?\d+\S*|[RSC][1-6P]-\d{2,3}\S*)\s+(?:draft\s+|final\s+|approved\s+)?report\b",
    )
});
static SESSION: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(r"\b(?:session|break-?out|ad[- _]?hoc|conference call|offline)\b")
});
/// The title of an agenda, or of a form to be filled in; "Report on agenda item 8.1" is not one.
static AGENDA: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\bagenda(?:\s+for\b|\s+of\b|\s+and\b|[^\w\s]|\s*$)|\bdraft\s+agenda\b|\btemplate\b",
    )
});

/// Whether a text is the title of a report.
pub(super) fn is_report_title(text: &str) -> bool {
    REPORT.is_match(text)
}

/// Whether a text is the title of an agenda, or of a form to be filled in.
pub(super) fn is_agenda_title(text: &str) -> bool {
    AGENDA.is_match(text)
}

/// Whether a title names a session.
pub(super) fn names_session(title: &str) -> bool {
    SESSION.is_match(title)
}

/// "Session report of 8.1" is about a session; "Report of the RAN1#118 meeting" is not.
pub(super) fn is_session_title(title: &str) -> bool {
    SESSION.is_match(title) && !title.to_lowercase().contains("meeting")
}

/// The kind of a numbered document that no register lists, if the secretary signs it as a report: "Report of SA3#140",
/// a document of the next meeting.
pub(super) fn kind_of_signed_report(title: &str, signature: &Signature) -> Option<NotesKind> {
    let is_report = is_report_title(title) && !is_agenda_title(title);
    let kind =
        if is_session_title(title) { NotesKind::SessionReport } else { NotesKind::MeetingReport };
    (is_report && signature.signer == Signer::Secretary).then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notes::meeting_in;

    #[test]
    fn reports_of_all_groups_name_their_meeting() {
        for (title, meeting) in [
            ("Report of SA3#140", "S3-140"),
            ("Report from SA3#140", "S3-140"),
            ("Report of SA WG5 #155", "S5-155"),
            ("Report from TSG CT WG1 meeting #147", "C1-147"),
            ("draft C1-147 meeting report", "C1-147"),
            ("Draft meeting report C1-147-e", "C1-147-e"),
            ("C4-75 report", "C4-75"),
            ("CT1#147 report", "C1-147"),
            ("Minutes of CT3#140", "C3-140"),
            ("DRAFT Meeting Report for TSG CT WG3 meeting: 61", "C3-61"),
            ("SA6 Meeting 65 Report", "S6-65"),
            ("Report of 3GPP TSG SA WG6 meeting no. 66", "S6-66"),
            ("SA WG2 Meeting #132 DRAFT REPORT", "S2-132"),
            ("Report of TSG SA meeting #107", "SP-107"),
            ("Report of TSG RAN plenary meeting #108", "RP-108"),
            ("Draft report of TSG CT#99", "CP-99"),
            ("RAN5#110 report", "R5-110"),
            ("Report of SA1-111", "S1-111"),
        ] {
            assert!(is_report_title(title), "{title}");
            assert_eq!(
                meeting_in(title).map(|meeting| meeting.to_string()).as_deref(),
                Some(meeting),
                "{title}"
            );
        }
        for title in [
            "Report of C1-147123",
            "LS on the report C1-147123",
            "Report on beams",
            "Views on C1-147",
        ] {
            assert_eq!(meeting_in(title), None, "{title}");
        }
        for title in ["Report on beams", "Reporting of SA3 keys", "Views on the meeting"] {
            assert!(!is_report_title(title), "{title}");
        }
    }
}
