//! Whether a file shows that its own meeting took a decision.
//!
//! Notes and reports are the meeting's own words and need no such evidence. A summary of a feature lead quotes
//! agreements of earlier meetings beside those of its own: only what stands around them tells which is which.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    decision_date::DecisionDate,
    line::mentions_earlier_agreements,
    marker::{self, meetings_in},
    others_lead::leads_to_others,
    own_meeting::OwnMeeting,
};
use domain::WEEKDAY_PATTERN;
use word::{ParagraphKind, ParagraphPiece};

/// A longer line is no title of what follows it.
const MAX_TITLE_BYTES: usize = 80;
/// A longer line is no sentence that leads to a decision.
const MAX_LEAD_BYTES: usize = 300;

/// A day as moderators write it: `Monday`, `Thu`.
const DAY: &str = r"(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|satur|sun)(?:day)?";

/// "Agreements in RAN1#124bis:", "RAN1 #125 (May 2026)".
static MEETING_ALONE: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^\W*(?:(?:the|all|agreements?|conclusions?|working\s+assumptions?|decisions?|outcomes?|made|reached|taken|and|in|from|of|at|3GPP|TSG)\b[\s/,-]*)*(?:RAN|SA|CT|GERAN)\s?(?:WG)?\d?\s?#\s?\d+[\w-]*(?:\s+meeting)?\s*(?:\([^)]*\))?\W*$",
    )
});
/// "After Monday online", "After online session", "From Thursday session".
static AFTER_SESSION: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(r"^\W*(?:after|from|in|during)\b.*\b(?:online|session|GTW)\b")
});
/// "Outcome of the online session", "Agreements in this meeting".
static OWN_OUTCOMES: LazyLock<Regex> = LazyLock::new(|| {
    let outcome = r"\b(?:outcomes?|agreements?|agreed|conclusions?|decisions?)\b";
    let here = r"\b(?:this\s+meeting|online|GTW|plenary\s+session)\b";
    compile_pattern(&format!("{outcome}.*{here}|{here}.*{outcome}"))
});
/// Words of a sentence that say that something was decided.
static DECIDED: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:agreed|agreements?\s+(?:was|were|is|are|has|have)|reached|made|concluded|achieved|endorsed|approved|confirmed)\b",
    )
});
/// "agreed in Tuesday", "Agreed in Thu online", "agreed in this meeting".
static OWN_SESSION: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(&format!(
        r"\b(?:this\s+meeting|online|GTW|{WEEKDAY_PATTERN}|{DAY}\s+(?:online|session))\b"
    ))
});
static OTHER_SESSION: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(r"\b(?:last|previous|earlier|past|prior|next)\s+(?:\w+\s+)?meetings?\b")
});
/// What is still to be decided: "Proposals for Tuesday online", "Comments by Thursday 18:00".
static UNDECIDED: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(&format!(
        r"\b(?:propos(?:als?|ed?|es)|drafts?|potential|possible|candidates?|tentative|plan(?:s|ned)?|comments?|deadlines?|issues?|contributions?|background|views?|off-?line|until)\b|\bby\s+{DAY}\b|\bfor\s+(?:\w+\s+){{0,3}}(?:online|discussions?|GTW|approval|sessions?|{DAY})\b"
    ))
});
/// A heading that names a meeting and says that something was decided there.
static OUTCOME: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(r"\b(?:agreements?|agreed|outcomes?|conclusions?|concluded|decisions?)\b")
});
/// "was not agreed", "is expected to be agreed".
static NOT_DECIDED: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:not|no|never|to\s+be|expect\w*|possibly|propose[sd]?|could|would|if|whether|may|might|can\s+be|will\s+be)\b[^.:]{0,40}\b(?:agreed|reached|made|concluded|achieved|endorsed|approved|confirmed)\b",
    )
});
static OFFLINE: LazyLock<Regex> = LazyLock::new(|| compile_pattern(r"\boff-?line\b"));

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// The meeting that took what a file quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DecidingMeeting {
    /// The one that the file is of.
    Own,
    /// Another one, or none yet.
    Other,
}

/// What the lines before a decision say of the meeting that took it; the nearest line counts.
#[derive(Default)]
pub(super) struct MeetingEvidence {
    /// The headings above, outermost first.
    headings: Vec<HeadingEvidence>,
    /// What a line between headings says of all that follows it: "After Monday online".
    title: Option<DecidingMeeting>,
    /// What the last line says of the decision that follows it directly.
    lead: Option<DecidingMeeting>,
}

struct HeadingEvidence {
    level: u8,
    meeting: Option<DecidingMeeting>,
    /// The day that it names.
    day: Option<String>,
}

impl MeetingEvidence {
    /// Takes a line into account that is no marker and no part of a decision.
    pub(super) fn add_line(&mut self, line: &ParagraphPiece, own: Option<&OwnMeeting>) {
        let text = line.text.trim();
        if let ParagraphKind::Heading(level) = line.kind {
            self.headings.retain(|heading| heading.level < level);
            let meeting = meeting_of_heading(text, own);
            let day = DecisionDate::from_session(text)
                .filter(|_| meeting == Some(DecidingMeeting::Own))
                .map(|day| day.to_string());
            self.headings.push(HeadingEvidence { level, meeting, day });
            (self.title, self.lead) = (None, None);
        } else if !text.is_empty() {
            self.lead = meeting_of_lead(text, own);
            if own.is_some_and(|own| leads_to_others(text, own)) {
                self.title = Some(DecidingMeeting::Other);
            } else if text.len() <= MAX_TITLE_BYTES {
                self.title = meeting_of_title(text, own).or(self.title);
            }
        }
    }

    /// A marker, or a part of a decision: what led to it says nothing of the next one.
    pub(super) fn end_lead(&mut self) {
        self.lead = None;
    }

    /// Whether the lines before say that the file's own meeting took what follows.
    pub(super) fn shows_own_meeting(&self) -> bool {
        let of_headings = || self.headings.iter().rev().find_map(|heading| heading.meeting);
        self.lead.or(self.title).or_else(of_headings) == Some(DecidingMeeting::Own)
    }

    /// Whether the line before says that the file's own meeting took what follows: "The following is agreed on Tuesday:".
    pub(super) fn leads_to_own(&self) -> bool {
        self.lead == Some(DecidingMeeting::Own)
    }

    /// The day that the headings above name.
    pub(super) fn day(&self) -> Option<String> {
        self.headings.iter().rev().find_map(|heading| heading.day.clone())
    }
}

/// Which meeting a text names: the own one where it names no other.
fn named_meeting(text: &str, own: Option<&OwnMeeting>) -> Option<DecidingMeeting> {
    let mut named = meetings_in(text).peekable();
    named.peek()?;
    let is_own = |meeting: &str| own.is_some_and(|own| own.is_same_meeting(meeting));
    Some(if named.all(is_own) { DecidingMeeting::Own } else { DecidingMeeting::Other })
}

fn meeting_of_heading(text: &str, own: Option<&OwnMeeting>) -> Option<DecidingMeeting> {
    let is_earlier = || mentions_earlier_agreements(text) || marker::is_undecided_heading(text);
    let is_own = || DecisionDate::from_session(text).is_some() || OWN_OUTCOMES.is_match(text);
    let says_outcome = MEETING_ALONE.is_match(text) || OUTCOME.is_match(text);
    let named = named_meeting(text, own);
    if UNDECIDED.is_match(text) || named == Some(DecidingMeeting::Own) && !says_outcome {
        return Some(DecidingMeeting::Other);
    }
    named
        .or_else(|| is_earlier().then_some(DecidingMeeting::Other))
        .or_else(|| is_own().then_some(DecidingMeeting::Own))
}

fn meeting_of_title(text: &str, own: Option<&OwnMeeting>) -> Option<DecidingMeeting> {
    if MEETING_ALONE.is_match(text) {
        return named_meeting(text, own);
    }
    let is_session = AFTER_SESSION.is_match(text) && !UNDECIDED.is_match(text);
    is_session.then(|| named_meeting(text, own).unwrap_or(DecidingMeeting::Own))
}

fn meeting_of_lead(text: &str, own: Option<&OwnMeeting>) -> Option<DecidingMeeting> {
    if text.len() > MAX_LEAD_BYTES || !DECIDED.is_match(text) {
        return None;
    }
    if OTHER_SESSION.is_match(text) || NOT_DECIDED.is_match(text) {
        return Some(DecidingMeeting::Other);
    }
    let is_own = || OWN_SESSION.is_match(text) && !OFFLINE.is_match(text);
    named_meeting(text, own).or_else(|| is_own().then_some(DecidingMeeting::Own))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(kind: ParagraphKind, text: &str) -> ParagraphPiece {
        ParagraphPiece { kind, text: text.to_owned(), ..ParagraphPiece::default() }
    }

    fn shows_own(lines: &[(ParagraphKind, &str)]) -> bool {
        let own = OwnMeeting::in_line("3GPP TSG RAN WG1 #99");
        let mut evidence = MeetingEvidence::default();
        for (kind, text) in lines {
            evidence.add_line(&line(*kind, text), own.as_ref());
        }
        evidence.shows_own_meeting()
    }

    #[test]
    fn headings_titles_and_sentences_name_the_meeting_that_decided() {
        use ParagraphKind::{Heading, Text};
        let chapter = (Heading(1), "Annex: All agreements");
        for (lines, expected) in [
            (&[chapter][..], false),
            (&[chapter, (Heading(2), "RAN1 #99 (May 2030)")], true),
            (&[chapter, (Heading(2), "RAN1#98bis")], false),
            (&[chapter, (Heading(2), "RAN1#98bis"), (Heading(2), "RAN1#99")], true),
            (&[(Heading(2), "Wednesday (May 20)")], true),
            (&[(Heading(1), "Outcome of the online session"), (Heading(2), "Beams")], true),
            (&[(Heading(1), "Agreements made in this meeting")], true),
            (&[(Heading(1), "Previous agreements")], false),
            (&[(Heading(1), "Beams")], false),
            (&[(Heading(1), "Beams"), (Text, "Agreed in Thu online")], true),
            (&[(Heading(1), "Beams"), (Text, "Consensus in Thu offline session")], false),
            (&[(Heading(1), "Beams"), (Text, "FL: The following is agreed in Tuesday.")], true),
            (&[(Heading(1), "Beams"), (Text, "Waves were agreed in RAN1#98bis [12]:")], false),
            (&[(Heading(1), "Monday"), (Text, "The following was agreed in RAN1#98:")], false),
            (&[(Heading(1), "Monday"), (Text, "As agreed in the last meeting:")], false),
            (
                &[(Heading(1), "Beams"), (Text, "After Monday online"), (Text, "Beams are wide")],
                true,
            ),
            (&[(Heading(1), "Proposals for Tuesday online")], false),
            (&[(Heading(1), "Potential agreements for Thursday GTW")], false),
            (&[(Heading(1), "Plan for Monday")], false),
            (&[(Heading(1), "Comments by Thursday 18:00")], false),
            (&[(Heading(1), "Summary of contributions in RAN1#99")], false),
            (&[(Heading(1), "Conclusion for Monday online discussion")], false),
            (&[(Heading(1), "Agreements from Tuesday online")], true),
            (&[(Heading(1), "Agreements made in RAN1#99")], true),
            (&[(Heading(1), "RAN1#99"), (Text, "Last meeting agreement:")], false),
            (&[(Heading(1), "RAN1#99"), (Text, "RAN2 agreed:"), (Text, "Beams")], false),
            (
                &[
                    (Heading(1), "Monday"),
                    (Text, "The following was not agreed in Tuesday online:"),
                ],
                false,
            ),
            (
                &[
                    (Heading(1), "Beams"),
                    (Text, "The following is expected to be agreed in Tuesday online:"),
                ],
                false,
            ),
            (&[chapter, (Text, "RAN1#98-bis"), (Text, "Beams are wide")], false),
            (&[chapter, (Text, "Agreements in RAN1#99:"), (Text, "Beams are wide")], true),
        ] {
            assert_eq!(shows_own(lines), expected, "{lines:?}");
        }
    }

    #[test]
    fn a_lead_holds_for_one_decision_and_a_heading_names_its_day() {
        let own = OwnMeeting::in_line("RAN1#99");
        let mut evidence = MeetingEvidence::default();
        evidence.add_line(&line(ParagraphKind::Heading(2), "Beams"), own.as_ref());
        evidence.add_line(&line(ParagraphKind::Text, "Agreed in this meeting:"), own.as_ref());
        assert!(evidence.shows_own_meeting());
        evidence.end_lead();
        assert!(!evidence.shows_own_meeting());
        evidence.add_line(&line(ParagraphKind::Heading(2), "Thursday (May 21)"), own.as_ref());
        assert_eq!(evidence.day().as_deref(), Some("Thursday May 21"));
    }
}
