//! Lines that lead to agreements of another meeting or another group.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    marker::{MEETING_NAME, meetings_in},
    own_meeting::OwnMeeting,
};

/// Maximum length of a lead. A wrongly recognised one makes the meeting's own agreements below it doubtful, and a
/// longer paragraph mentions other meetings in passing.
const MAX_LEAD_BYTES: usize = 160;
/// Maximum length of a lead without a colon at its end, which is a title.
const MAX_TITLE_BYTES: usize = 80;

/// Words of a line for an agreement, or for the origin of a quote.
static AGREED: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:agree(?:d|ments?)|conclu(?:ded|sions?)|decided|decisions?|working\s+assumptions?|copied|extracts?|quot(?:e|ed|ation)|notes|reports?|reached)\b",
    )
});
/// The beginning of such a line without a colon at its end.
static BEGINS_TITLE: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^\W*(?:as\s+)?(?:agree(?:d|ments?)|conclusions?|decisions?|working\s+assumptions?|copied|extracts?|quot(?:e|ed|ation))\b|^\W*(?:RAN|SA|CT)\s?\d?\s.*\bagree|\b(?:was|were|has\s+been|have\s+been)\s+(?:already\s+|previously\s+)?agreed\s+(?:in|at|by)\b",
    )
});
/// "Agreements in the last meeting:", "Recap of agreements", "Recall:".
static EARLIER: LazyLock<Regex> = LazyLock::new(|| {
    let earlier = r"(?:last|previous|prior|earlier|past|preceding)";
    compile_pattern(&format!(
        r"^\W*(?:recap(?:itulation)?|recall|reminder)\b(?:\W*$|.{{0,60}}\b(?:agreements?|conclusions?|decisions?|working\s+assumptions?)\b.{{0,40}}$)|\b(?:agree(?:d|ments?)|conclusions?|decisions?)\b.*\b{earlier}\s+(?:\w+\s+)?meetings?\b|^\W*{earlier}\s+(?:\w+\s+){{0,2}}(?:agreements?|conclusions?|decisions?|working\s+assumptions?)\b"
    ))
});
/// Words after which the meeting's own text follows: "Based on the agreement in RAN1#98, discuss the following:".
static GOES_ON: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:discuss\w*|stud(?:y|ied)|based\s+on|according\s+to|on\s+top\s+of|in\s+addition|in\s+line\s+with|following\s+the|(?:add|confirm|updat|revis|modif|clarif|correct|extend|replac)(?:e|y|ing)?)\b",
    )
});
/// "Quote from the LS", "Extract from R1-9900001".
static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(r"^\W*(?:quot(?:e|ed|ation)|extract(?:ed)?|copied|copy)\s+(?:from|of)\b")
});
/// A line that is only the name of a meeting, as summaries head what they copy: "RAN1#98 (May 2030)", "RAN4 #98 meeting".
static MEETING_ALONE: LazyLock<Regex> = LazyLock::new(|| {
    let name = &*MEETING_NAME;
    compile_pattern(&format!(
        r"^\W*(?:3GPP\s+)?(?:TSG[\s-]+)?{name}(?:\s+meeting)?(?:\s*\([^)]{{1,60}}\))?\W*$"
    ))
});
/// A group, or the plenary: `RAN2`, `RAN WG4`, `RAN plenary`.
static GROUP: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(r"\b(?P<tsg>RAN|SA|CT)(?:\s?(?:WG\s?)?(?P<wg>\d)\b|\s+(?:plenary|agree))")
});

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// Whether a line leads to agreements of another meeting or another group.
pub(super) fn leads_to_others(text: &str, own: &OwnMeeting) -> bool {
    let text = text.trim();
    let is_title = text.len() <= MAX_TITLE_BYTES && !text.ends_with('.');
    if text.len() > MAX_LEAD_BYTES || !(text.ends_with(':') || is_title) {
        return false;
    }
    if GOES_ON.is_match(text) || names_own(text, own) {
        return false;
    }
    if is_title && (EARLIER.is_match(text) || QUOTED.is_match(text) || MEETING_ALONE.is_match(text))
    {
        return true;
    }
    AGREED.is_match(text)
        && (text.ends_with(':') || BEGINS_TITLE.is_match(text))
        && names_meeting_or_other_group(text, own)
}

/// Whether a text names the own meeting, or reports an action of the own group: "RAN1 agreed the following for RAN4:".
fn names_own(text: &str, own: &OwnMeeting) -> bool {
    let is_subject = |found: regex::Captures<'_>| {
        let start = found.get(0).map_or(0, |group| group.start());
        !text[..start].contains(char::is_alphanumeric) && is_of_group(own, &found) == Some(true)
    };
    meetings_in(text).any(|meeting| own.is_same_meeting(meeting))
        || meetings_in(text).next().is_none() && GROUP.captures(text).is_some_and(is_subject)
}

/// Whether a text names a meeting, or another group.
pub(super) fn names_meeting_or_other_group(text: &str, own: &OwnMeeting) -> bool {
    let is_other = |found: regex::Captures<'_>| is_of_group(own, &found) == Some(false);
    meetings_in(text).next().is_some() || GROUP.captures_iter(text).any(is_other)
}

fn is_of_group(own: &OwnMeeting, found: &regex::Captures<'_>) -> Option<bool> {
    let number = found.name("wg").map_or("", |number| number.as_str());
    own.is_of_group(&format!("{}{number}", &found["tsg"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads_to_what_others_agreed_are_recognised() {
        let own = OwnMeeting::in_line("3GPP TSG RAN WG1 #99").expect("a meeting");
        for text in [
            "As agreed in RAN1#98:",
            "Agreed in RAN1#98",
            "Beams were agreed in RAN1#98bis [12]:",
            "Copied from the report of RAN1#98:",
            "From the chair notes of RAN1#98:",
            "Agreements in the last meeting:",
            "Recap of agreements",
            "Recall:",
            "Prior agreements:",
            "RAN2 agreed the following:",
            "RAN2 has made the following agreements:",
            "Agreements made by RAN2",
            "Agreements in RAN4:",
            "RAN plenary agreements:",
            "RAN agreed:",
            "Agreed in RAN2:",
            "Extract from R1-9900001:",
            "Quote from the LS:",
            "RAN2 has made the following agreements",
            "Beams were agreed in RAN1#98bis [12]",
            "RAN1#98",
            "RAN1 #98bis (May 2030)",
            "RAN4 #98 meeting (April-2030):",
            "The following was already agreed in RAN1#98",
        ] {
            assert!(leads_to_others(text, &own), "{text}");
        }
        for text in [
            "Agreements in RAN1#99:",
            "RAN1 #99 (May 2030)",
            "RAN1#98 discussed beams",
            "RAN1 agreed the following:",
            "RAN1 agreements:",
            "The agreements of RAN1#98 and RAN1#99 hold:",
            "RAN2 is asked to confirm the agreement.",
            "Beams are as wide as agreed in RAN1#98, with the values below.",
            "Send an LS to RAN2 on the agreement",
            "Discussion on RAN2 questions:",
            "Based on the agreement in RAN1#98, discuss the following:",
            "Reminder on the use of the template",
            "Recall the default assumption",
            "Update the agreement of the last meeting as follows:",
            "Confirm the agreement from the last meeting:",
            "RAN1 agreed the following in response to RAN4:",
        ] {
            assert!(!leads_to_others(text, &own), "{text}");
        }
    }
}
