//! The meeting whose notes a file is, as its cover says: it separates this meeting's decisions from those of others.

use std::sync::LazyLock;

use regex::Regex;

/// The meeting that a cover names: `3GPP TSG RAN WG1 #125`, `RAN1#118bis`, `Meeting #84`.
static MEETING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?:\b(?P<tsg>RAN|SA|CT)[ -]*(?:WG[ -]*)?(?P<wg>\d)?[ ,]*(?:Meeting)?|\bMeeting)\s*#\s?(?P<number>\d+(?:\s?bis|b|ter)?(?:[ -]?e\b)?)",
    )
    .expect("a constant pattern; a test uses it")
});

/// Group and number of a meeting: `ran1`, `118b`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OwnMeeting {
    /// Empty where the cover names none.
    group: String,
    number: String,
}

impl OwnMeeting {
    /// The meeting that a line of a cover names.
    pub(super) fn in_line(text: &str) -> Option<Self> {
        let found = MEETING.captures(text)?;
        let part = |name| found.name(name).map(|part| part.as_str()).unwrap_or_default();
        let group = match (part("tsg"), part("wg")) {
            ("", _) => String::new(),
            (tsg, wg) => normalise_label(&format!("{tsg}{wg}")),
        };
        Some(Self { group, number: normalise_label(part("number")) })
    }

    /// Whether `RAN1#118`, or `#118`, is this one. Of another group's meeting with the same number the name tells.
    pub(super) fn is_same_meeting(&self, meeting: &str) -> bool {
        let (named, number) = meeting.rsplit_once('#').unwrap_or(("", meeting));
        let named = normalise_label(named);
        let is_group = named.is_empty() || self.group.is_empty() || self.group == named;
        is_group && self.number == normalise_label(number)
    }

    /// Whether it is one of a group, such as `RAN2`; where the cover names no group, that is not known.
    pub(super) fn is_of_group(&self, group: &str) -> Option<bool> {
        (!self.group.is_empty()).then(|| self.group == normalise_label(group))
    }
}

/// Letters and digits alone: `104-e`, `104e` and `104 e` are one; `118 bis` is `118b`.
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
        assert_eq!(OwnMeeting::in_line("Views on beams"), None);
    }
}
