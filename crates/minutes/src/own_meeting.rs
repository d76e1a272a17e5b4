//! The meeting of a file of notes, according to its cover: it separates this meeting's decisions from those of others.

use std::sync::LazyLock;

use regex::Regex;

use domain::{BARE_MEETING_NUMBER_PATTERN, Group, MEETING_SUFFIX_PATTERN, MeetingId};

/// The meeting that a cover names: `3GPP TSG RAN WG1 #125`, `RAN1#118bis`, `Meeting #84`,
/// `TSG RAN WG1 Meeting 104-e-bis`.
static MEETING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(
        r"(?i)(?:\b(?P<tsg>RAN|SA|CT|GERAN)[ -]*(?:WG[ -]*)?(?P<wg>\d)?[ ,]*(?:ad[ -]?hoc\s+)?(?:Meeting)?|\bMeeting)\s*(?:#\s?(?P<number>\d+{MEETING_SUFFIX_PATTERN})|(?P<bare>\b{BARE_MEETING_NUMBER_PATTERN}{MEETING_SUFFIX_PATTERN}))(?:\b|_)",
    ))
    .expect("a constant pattern; a test uses it")
});
/// The word before a number without `#`: other bare numbers on a cover are dates and versions.
const MEETING_WORD: &str = "meeting";

/// Group and number of a meeting: `ran1`, `118b`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OwnMeeting {
    /// Empty if the cover names none.
    group: String,
    number: String,
}

impl OwnMeeting {
    /// The meeting that a line of a cover names.
    pub(super) fn in_line(text: &str) -> Option<Self> {
        let found = MEETING.captures_iter(text).find(|found| {
            found.name("bare").is_none_or(|bare| {
                let before = text[..bare.start()].trim_end().to_lowercase();
                before.ends_with(MEETING_WORD)
            })
        })?;
        let part = |name| found.name(name).map(|part| part.as_str()).unwrap_or_default();
        let group = match (part("tsg"), part("wg")) {
            ("", _) => String::new(),
            (tsg, wg) => normalise_label(&format!("{tsg}{wg}")),
        };
        let number = found.name("number").or_else(|| found.name("bare"))?;
        Some(Self { group, number: normalise_number(number.as_str()) })
    }

    /// Its group, such as `ran1`; empty if the cover names none.
    pub(super) fn group(&self) -> &str {
        &self.group
    }

    /// Whether `RAN1#118`, or `#118`, is this one. A name with another group is another meeting with the same number.
    pub(super) fn is_same_meeting(&self, meeting: &str) -> bool {
        let (named, number) = meeting.rsplit_once('#').unwrap_or(("", meeting));
        let named = normalise_label(named);
        let is_group = named.is_empty() || self.group.is_empty() || self.group == named;
        is_group && self.number == normalise_number(number)
    }

    /// Whether it is one of a group, such as `RAN2`; `None` if the cover names no group.
    pub(super) fn is_of_group(&self, group: &str) -> Option<bool> {
        (!self.group.is_empty()).then(|| self.group == normalise_label(group))
    }
}

/// One form of a number, whatever the order of its suffixes: `104-e-bis`, `104bis-e` and `104b-e` are one.
fn normalise_number(number: &str) -> String {
    let group = Group::all().next();
    let meeting = group.and_then(|group| MeetingId::new(group, number.trim()));
    let in_one_form = meeting.map(|meeting| meeting.to_string());
    in_one_form.unwrap_or_else(|| normalise_label(number))
}

/// Only letters and digits: `104-e`, `104e` and `104 e` are one; `118 bis` is `118b`.
fn normalise_label(label: &str) -> String {
    let plain = label.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    plain.replace("bis", "b").replace("wg", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cover_names_the_meeting_in_many_ways() {
        for (line, same, other) in [
            ("3GPP TSG RAN WG1 #118bis", "RAN1#118b", "RAN1#118"),
            ("3GPP TSG-RAN WG2 Meeting #99", "RAN2#99", "RAN1#99"),
            ("Report of RAN1#104-e", "#104e", "RAN1#104b-e"),
            ("Meeting #84", "RAN1#84", "RAN1#84bis"),
            ("3GPP TSG RAN WG1 Meeting #104-bis-e", "RAN1#104b-e", "RAN1#104-e"),
            ("3GPP TSG RAN WG1 #104-e-bis", "RAN1#104bis-e", "RAN1#104-e"),
            ("3GPP TSG RAN WG1 #104b-e", "RAN1#104-bis-e", "RAN1#104"),
            ("TSG-RAN WG1 Meeting#299", "RAN1#299", "RAN1#298"),
            ("3GPP TSG RAN WG1 Meeting 299", "RAN1#299", "RAN1#29"),
            ("3GPP TSG RAN WG1 Ad-Hoc Meeting #299", "RAN1#299", "RAN2#299"),
            ("RAN1 #118 each company", "RAN1#118", "RAN1#118-e"),
        ] {
            let own = OwnMeeting::in_line(line).expect("a meeting");
            assert!(own.is_same_meeting(same) && !own.is_same_meeting(other), "{line}");
        }
        let own = OwnMeeting::in_line("RAN1#99").expect("a meeting");
        assert_eq!((own.is_of_group("RAN1"), own.is_of_group("RAN2")), (Some(true), Some(false)));
        assert_eq!(
            OwnMeeting::in_line("Meeting #84").and_then(|own| own.is_of_group("RAN1")),
            None
        );
        for line in ["Views on beams", "RAN1 meeting 15 to 19 May", "RAN1 118", "Meeting 2026"] {
            assert_eq!(OwnMeeting::in_line(line), None, "{line}");
        }
    }
}
