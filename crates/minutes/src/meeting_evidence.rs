//! Whether a file shows that its own meeting made a decision.
//!
//! Notes and reports are the meeting's own words and need no such evidence. A summary of a feature lead quotes
//! agreements of earlier meetings beside those of its own: only the text around them distinguishes them.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    decision_date::DecisionDate,
    line::mentions_earlier_agreements,
    marker::{self, MEETING_NAME, meetings_in},
    others_lead::leads_to_others,
    own_meeting::OwnMeeting,
};
use domain::WEEKDAY_PATTERN;
use word::{ParagraphPiece, PieceKind};

/// Maximum length of a title of the text after it; a longer line is a sentence, which says nothing about the next
/// ones.
const MAX_TITLE_BYTES: usize = 80;
/// Maximum length of a sentence that leads to a decision. A paragraph names days and agreements in passing.
const MAX_LEAD_BYTES: usize = 300;

/// A day as moderators write it: `Monday`, `Thu`.
const DAY: &str = r"(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|satur|sun)(?:day)?";

/// Words of a title for something that was decided.
const OUTCOME: &str =
    r"\b(?:outcomes?|agreements?|agreed|conclusions?|decisions?|working\s+assumptions?)\b";

/// "Agreements in RAN1#124bis:", "RAN1 #125 (May 2026)".
static MEETING_ALONE: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(&format!(
        r"^\W*(?:(?:the|all|agreements?|conclusions?|working\s+assumptions?|decisions?|outcomes?|made|reached|taken|and|in|from|of|at|3GPP|TSG)\b[\s/,-]*)*{}(?:\s+meeting)?\s*(?:\([^)]*\))?\W*$",
        *MEETING_NAME
    ))
});
/// "Wednesday (May 20)", "2.1 Thursday session", "From Tuesday's online session".
static DAY_ALONE: LazyLock<Regex> = LazyLock::new(|| {
    let month = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}";
    let word = r"after|from|in|on|at|of|the|and|day|week|weekday|meeting|online|session|GTW|call|slot|main|ad-?hoc|morning|afternoon|evening|noon|lunch|first|second|third|fourth|fifth|chair";
    compile_pattern(&format!(
        r"^\W*(?:(?:{DAY}|{month}|{word}|Q?\d{{1,4}}(?:st|nd|rd|th|am|pm)?|s)\b\W*)+$"
    ))
});
static DAY_NAMED: LazyLock<Regex> = LazyLock::new(|| compile_pattern(&format!(r"\b{DAY}\b")));
static OUTCOME_NAMED: LazyLock<Regex> = LazyLock::new(|| compile_pattern(OUTCOME));
/// Something that is still to be decided, or that nobody decided: "Proposals", "Draft agreement", "For online
/// discussion".
static UNDECIDED: LazyLock<Regex> = LazyLock::new(|| {
    let until = r"\b(?:for|until|till?|by|before|ahead\s+of)\s+(?:the\s+|this\s+|next\s+|early\s+|late\s+)*";
    compile_pattern(&format!(
        r"\b(?:proposals?|proposed|drafts?|deadlines?|comments?|background|tentative(?:ly)?|off-?line)\b|\b(?:potential|possibl[ey]|candidate|expected|planned|suggested|not|no|next\s+meeting|to\s+be)\b.*{OUTCOME}|{until}(?:{DAY}\b|online|GTW|\d{{1,2}}[:.]\d\d|\w+\s+\d{{1,2}}(?:st|nd|rd|th)\b|discuss|approval|review)|\b(?:until|till?|by|before|ahead\s+of)\s+(?:RAN|SA|CT)\s?(?:WG)?\d?\s?#"
    ))
});
/// Words that are not an outcome, but may be part of its subject: "Issue 1: beams", "Potential beams".
static NO_OUTCOME: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:potential(?:ly)?|possibl[ey]|candidates?|expected|plan(?:s|ned|ning)?|issues?|contributions?|views?|inputs?|pending|open|next|agenda|schedule|not|no|to\s+be)\b",
    )
});
static OFFLINE: LazyLock<Regex> = LazyLock::new(|| compile_pattern(r"\boff-?line\b"));
/// The label of a proposal: "Proposal 1:", "[FL1][H] Proposal 4.1-1", "Updated proposals for Tuesday".
static PROPOSAL_LABEL: LazyLock<Regex> = LazyLock::new(|| {
    let qualifier = r"updated?|revised|suggested|modified|merged|stable|alternative|high|medium|low|priority|new|initial|final|draft|possible|potential|proposed|FL\d*|feature|lead|moderator|rapporteur|chair|offline|online|first|second|third|round";
    compile_pattern(&format!(
        r"^\W*(?:\[?[\w -]{{1,20}}\]\W*)*(?:(?:{qualifier})(?:['\u{{2019}}]?s)?:?[\s-]+)*proposals?\b(?:\s*#?\d[\w.#-]*)?"
    ))
});
/// Words after the label of a proposal that make it a sentence: "Proposal 2 is agreed".
static IS_SENTENCE: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^\W*(?:(?:from|by|in|of)\s+[\w\s.,&-]{1,40}\s)?(?:is|are|was|were|has|have|had|can|agreed)\b",
    )
});
/// "After Monday online", "After online session", "From Thursday session".
static AFTER_SESSION: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(r"^\W*(?:after|from|in|during)\b.*\b(?:online|off-?line|session|GTW)\b")
});
/// "Below from RAN1#98", "The following is copied from RAN1#98".
static FROM_MEETING: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^\W*(?:(?:the|all)\s+)?(?:below|above|following|text|table|copied|captured|taken|repeated|from|see|cf)\b.*#\s?\d",
    )
});
/// "Outcome of the online session", "Agreements in this meeting".
static OWN_OUTCOMES: LazyLock<Regex> = LazyLock::new(|| {
    let here = r"\b(?:this\s+meeting|online|GTW|plenary\s+session)\b";
    compile_pattern(&format!("{OUTCOME}.*{here}|{here}.*{OUTCOME}"))
});
/// Words of a sentence for something that was decided.
static DECIDED: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:agreed|agreements?\s+(?:was|were|is|are|has|have)|reached|made|concluded|achieved|endorsed|approved|confirmed)\b",
    )
});
/// A word before these that cancels them: "not agreed", "is expected to be agreed", "could be agreed".
static NOT_DECIDED: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:not|no|never|cannot|to\s+be|to\s+get|expected|expects?|possibl[ey]|potential(?:ly)?|proposed|proposes?|suggest(?:s|ed)?|could|can|may|might|if|should|would|will|shall|once|whether|unless|until|pending|nothing|none|without|try|trying|aim|hope)\b|n['\u{2019}]t\b",
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

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// The meeting that made a quoted decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DecidingMeeting {
    /// The meeting of the file.
    Own,
    /// Another one, or none yet.
    Other,
}

/// What the lines before a decision say about the meeting that made it; the nearest line counts.
#[derive(Default)]
pub(super) struct MeetingEvidence {
    /// The headings above, outermost first.
    headings: Vec<HeadingEvidence>,
    /// What a line between headings says about all text after it: "After Monday online".
    title: Option<DecidingMeeting>,
    /// What the last line says about the decision directly after it.
    lead: Option<DecidingMeeting>,
}

struct HeadingEvidence {
    level: u8,
    meeting: Option<DecidingMeeting>,
    /// The day that it names.
    day: Option<String>,
    /// Whether it, or one above it, is about an offline discussion: a day below it is not one of the meeting.
    is_offline: bool,
}

impl MeetingEvidence {
    /// Evaluates a line that is neither a marker nor part of a decision.
    pub(super) fn add_line(&mut self, line: &ParagraphPiece, own: Option<&OwnMeeting>) {
        let text = line.text.trim();
        if let PieceKind::Heading(level) = line.kind {
            self.add_heading(level, text, own);
        } else if !text.is_empty() {
            self.lead = meeting_of_lead(text, own);
            let title = match line.kind {
                PieceKind::Item(_) => None,
                _ => meeting_of_title(text, own),
            };
            self.title = match (title, self.lead, self.title) {
                (Some(meeting), _, _) => Some(meeting),
                // The own meeting is named again, which ends what an earlier line said about others.
                (None, Some(DecidingMeeting::Own), Some(DecidingMeeting::Other)) => None,
                (None, _, before) => before,
            };
        }
    }

    fn add_heading(&mut self, level: u8, text: &str, own: Option<&OwnMeeting>) {
        self.headings.retain(|heading| heading.level < level);
        let is_offline = OFFLINE.is_match(text)
            || self.headings.last().is_some_and(|heading| heading.is_offline);
        let meeting = match meeting_of_heading(text, own) {
            Some(DecidingMeeting::Own) if is_offline => Some(DecidingMeeting::Other),
            meeting => meeting,
        };
        let day = if meeting == Some(DecidingMeeting::Own) {
            DecisionDate::from_session(text).map(|day| day.to_string())
        } else {
            None
        };
        self.headings.push(HeadingEvidence { level, meeting, day, is_offline });
        (self.title, self.lead) = (None, None);
    }

    /// Forgets the lead to a decision after its marker: it says nothing about the next one.
    pub(super) fn end_lead(&mut self) {
        self.lead = None;
    }

    /// Whether the lines before say that the file's own meeting made the next decision.
    pub(super) fn shows_own_meeting(&self) -> bool {
        let of_headings = || self.headings.iter().rev().find_map(|heading| heading.meeting);
        self.lead.or(self.title).or_else(of_headings) == Some(DecidingMeeting::Own)
    }

    /// Whether the line before says that the file's own meeting made the next decision: "The following is agreed on
    /// Tuesday:".
    pub(super) fn leads_to_own(&self) -> bool {
        self.lead == Some(DecidingMeeting::Own)
    }

    /// The day that the headings above name.
    pub(super) fn day(&self) -> Option<String> {
        self.headings.iter().rev().find_map(|heading| heading.day.clone())
    }
}

/// Which meeting a text names: the own one if it names no other.
fn named_meeting(text: &str, own: Option<&OwnMeeting>) -> Option<DecidingMeeting> {
    let mut named = meetings_in(text).peekable();
    named.peek()?;
    let is_own = |meeting: &str| own.is_some_and(|own| own.is_same_meeting(meeting));
    Some(if named.all(is_own) { DecidingMeeting::Own } else { DecidingMeeting::Other })
}

/// Whether a line says that the text after it is from an earlier meeting or another group.
fn is_of_others(text: &str, own: Option<&OwnMeeting>) -> bool {
    own.is_some_and(|own| leads_to_others(text, own))
        || FROM_MEETING.is_match(text) && named_meeting(text, own) == Some(DecidingMeeting::Other)
}

/// Whether a line begins a proposal.
fn is_proposal_label(text: &str) -> bool {
    let label = PROPOSAL_LABEL.find(text);
    label.is_some_and(|label| !IS_SENTENCE.is_match(&text[label.end()..]))
}

fn meeting_of_heading(text: &str, own: Option<&OwnMeeting>) -> Option<DecidingMeeting> {
    let named = named_meeting(text, own);
    let is_other = named == Some(DecidingMeeting::Other)
        || mentions_earlier_agreements(text)
        || marker::is_undecided_heading(text)
        || OTHER_SESSION.is_match(text)
        || is_of_others(text, own)
        || UNDECIDED.is_match(text);
    if is_other {
        return Some(DecidingMeeting::Other);
    }
    if NO_OUTCOME.is_match(text) {
        return None;
    }
    let names_day = DecisionDate::from_session(text).is_some() || DAY_NAMED.is_match(text);
    let is_own = match named {
        Some(_) => MEETING_ALONE.is_match(text) || OUTCOME_NAMED.is_match(text),
        None => {
            OWN_OUTCOMES.is_match(text)
                || names_day && (DAY_ALONE.is_match(text) || OUTCOME_NAMED.is_match(text))
        }
    };
    is_own.then_some(DecidingMeeting::Own)
}

fn meeting_of_title(text: &str, own: Option<&OwnMeeting>) -> Option<DecidingMeeting> {
    if is_proposal_label(text) {
        return Some(DecidingMeeting::Other);
    }
    if text.len() > MAX_TITLE_BYTES {
        return None;
    }
    if MEETING_ALONE.is_match(text) {
        return named_meeting(text, own);
    }
    // A sentence may mention a proposal; a title announces one.
    let is_undecided = !text.ends_with('.') && UNDECIDED.is_match(text);
    let is_title = text.ends_with(':') || AFTER_SESSION.is_match(text) || begins_undecided(text);
    if is_of_others(text, own) || marker::is_undecided_heading(text) || is_undecided && is_title {
        return Some(DecidingMeeting::Other);
    }
    let is_session =
        AFTER_SESSION.is_match(text) && !NO_OUTCOME.is_match(text) && !UNDECIDED.is_match(text);
    is_session.then(|| named_meeting(text, own).unwrap_or(DecidingMeeting::Own))
}

/// Whether a line begins with words for something that is still to be decided.
fn begins_undecided(text: &str) -> bool {
    UNDECIDED.find(text).is_some_and(|found| text[..found.start()].trim().is_empty())
}

fn meeting_of_lead(text: &str, own: Option<&OwnMeeting>) -> Option<DecidingMeeting> {
    if text.ends_with(':') && is_of_others(text, own) {
        return Some(DecidingMeeting::Other);
    }
    if text.len() > MAX_LEAD_BYTES || !DECIDED.is_match(text) {
        return None;
    }
    if OTHER_SESSION.is_match(text) {
        return Some(DecidingMeeting::Other);
    }
    let is_here = OWN_SESSION.is_match(text);
    if !text.split(". ").any(says_decided) {
        let leads_on = is_here || text.ends_with(':');
        return leads_on.then_some(DecidingMeeting::Other);
    }
    let is_own = || is_here && !OFFLINE.is_match(text);
    named_meeting(text, own).or_else(|| is_own().then_some(DecidingMeeting::Own))
}

/// Whether a sentence says that something was decided, without a word before that cancels it.
fn says_decided(sentence: &str) -> bool {
    DECIDED.find(sentence).is_some_and(|found| !NOT_DECIDED.is_match(&sentence[..found.start()]))
}

#[cfg(test)]
mod tests;
