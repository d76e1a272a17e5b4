//! The decisions of meetings: their kinds, their outcomes and the documents that record them.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::ParseError;

/// The kind of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum DecisionKind {
    /// What was agreed.
    Agreement,
    /// What is assumed until it is confirmed.
    WorkingAssumption,
    /// What the group concluded.
    Conclusion,
    /// What is left for further study, in a decision or by itself.
    OpenItem,
    /// What became of a change request.
    ChangeRequest,
    /// What became of a liaison statement.
    LiaisonStatement,
    /// What became of a way forward.
    WayForward,
    /// What became of another document.
    Document,
    /// A document was noted, and nothing more.
    Noted,
}

/// What became of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum DecisionOutcome {
    /// It was agreed.
    Agreed,
    /// It was approved.
    Approved,
    /// It was endorsed.
    Endorsed,
    /// Another replaces it.
    Revised,
    /// It was merged into another.
    Merged,
    /// It was postponed to a later meeting.
    Postponed,
    /// Its discussion continues by e-mail.
    ForEmail,
    /// It is not pursued, or was rejected.
    NotPursued,
    /// It was withdrawn.
    Withdrawn,
    /// It was not treated.
    NotTreated,
    /// It was noted.
    Noted,
}

/// The kinds of documents that record decisions. Documents with proposals are not among them, so that no
/// proposal can be taken for a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum NotesKind {
    /// The report of a meeting.
    MeetingReport,
    /// The report of a session.
    SessionReport,
    /// The notes of the chair.
    ChairNotes,
    /// The notes of the chair of a session.
    SessionNotes,
    /// The summary of a feature lead or moderator.
    Summary,
}

/// Why a text that reads like a decision is probably none of the meeting's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum DoubtReason {
    /// Its marker is an item of a list, without the colour of a decision.
    ListItem,
    /// It is in the content of a document: a contribution, or what another group wrote.
    QuotedDocument,
    /// It follows a proposal, or a list of what might be agreed.
    BelowProposal,
    /// It was agreed offline, and nothing shows that the meeting took it over.
    OfflineDiscussion,
    /// A summary quotes it, and does not show which meeting took it.
    QuotedInSummary,
    /// A summary says that the meeting took it, and the final report does not have it.
    NotInFinalReport,
    /// All of its words are struck through: the meeting took it back.
    StruckThrough,
    /// It follows a sentence on what another meeting or another group agreed.
    OtherMeeting,
    /// Its marker has no colour, and the notes mark what was agreed by colours.
    Uncoloured,
}

const KINDS: [(DecisionKind, &str); 9] = [
    (DecisionKind::Agreement, "agreement"),
    (DecisionKind::WorkingAssumption, "working_assumption"),
    (DecisionKind::Conclusion, "conclusion"),
    (DecisionKind::OpenItem, "ffs"),
    (DecisionKind::ChangeRequest, "cr"),
    (DecisionKind::LiaisonStatement, "ls"),
    (DecisionKind::WayForward, "way_forward"),
    (DecisionKind::Document, "document"),
    (DecisionKind::Noted, "noted"),
];

const OUTCOMES: [(DecisionOutcome, &str); 11] = [
    (DecisionOutcome::Agreed, "agreed"),
    (DecisionOutcome::Approved, "approved"),
    (DecisionOutcome::Endorsed, "endorsed"),
    (DecisionOutcome::Revised, "revised"),
    (DecisionOutcome::Merged, "merged"),
    (DecisionOutcome::Postponed, "postponed"),
    (DecisionOutcome::ForEmail, "for_email"),
    (DecisionOutcome::NotPursued, "not_pursued"),
    (DecisionOutcome::Withdrawn, "withdrawn"),
    (DecisionOutcome::NotTreated, "not_treated"),
    (DecisionOutcome::Noted, "noted"),
];

const DOUBTS: [(DoubtReason, &str); 9] = [
    (DoubtReason::ListItem, "list_item"),
    (DoubtReason::QuotedDocument, "quoted_document"),
    (DoubtReason::BelowProposal, "below_proposal"),
    (DoubtReason::OfflineDiscussion, "offline_discussion"),
    (DoubtReason::QuotedInSummary, "quoted_in_summary"),
    (DoubtReason::NotInFinalReport, "not_in_final_report"),
    (DoubtReason::StruckThrough, "struck_through"),
    (DoubtReason::OtherMeeting, "other_meeting"),
    (DoubtReason::Uncoloured, "uncolored"),
];

const NOTES: [(NotesKind, &str); 5] = [
    (NotesKind::MeetingReport, "meeting_report"),
    (NotesKind::SessionReport, "session_report"),
    (NotesKind::ChairNotes, "chair_notes"),
    (NotesKind::SessionNotes, "session_notes"),
    (NotesKind::Summary, "feature_lead_summary"),
];

fn word_for_value<T: Copy + PartialEq>(table: &[(T, &'static str)], value: T) -> &'static str {
    // Every value is in its table; a test checks it.
    table.iter().find(|(known, _)| *known == value).map_or("", |(_, word)| word)
}

/// Ignores case; words may be separated by blanks or `-`; plurals are accepted.
fn parse_value<T: Copy>(table: &[(T, &str)], text: &str) -> Option<T> {
    let plain = text.trim().to_lowercase().replace([' ', '-'], "_");
    let singular = plain.strip_suffix('s').filter(|_| plain != "ls" && plain != "ffs");
    let matches_word = |word: &str| word == plain || Some(word) == singular;
    table.iter().find(|(_, word)| matches_word(word)).map(|(value, _)| *value)
}

impl DecisionKind {
    /// Its name in responses.
    pub fn as_str(self) -> &'static str {
        word_for_value(&KINDS, self)
    }

    /// Whether it decides a text, as opposed to the outcome of a document.
    pub fn is_text(self) -> bool {
        matches!(
            self,
            Self::Agreement | Self::WorkingAssumption | Self::Conclusion | Self::OpenItem
        )
    }

    /// Every kind.
    pub fn all() -> impl Iterator<Item = Self> {
        KINDS.iter().map(|(kind, _)| *kind)
    }
}

impl DecisionOutcome {
    /// Its name in responses.
    pub fn as_str(self) -> &'static str {
        word_for_value(&OUTCOMES, self)
    }
}

impl DoubtReason {
    /// The word for it in answers.
    pub fn as_str(self) -> &'static str {
        word_for_value(&DOUBTS, self)
    }
}

impl NotesKind {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        NOTES.iter().map(|(kind, _)| *kind)
    }

    /// Its name in responses.
    pub fn as_str(self) -> &'static str {
        word_for_value(&NOTES, self)
    }
}

impl FromStr for DecisionKind {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let names = [
            (Self::OpenItem, "open_item"),
            (Self::ChangeRequest, "change_request"),
            (Self::LiaisonStatement, "liaison_statement"),
            (Self::WayForward, "wf"),
        ];
        let kind = parse_value(&KINDS, text).or_else(|| parse_value(&names, text));
        kind.ok_or_else(|| {
            ParseError::not_one_of(text, "a decision type", &KINDS.map(|(_, word)| word))
        })
    }
}

impl FromStr for NotesKind {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let names = [(Self::Summary, "summary"), (Self::MeetingReport, "report")];
        let kind = parse_value(&NOTES, text).or_else(|| parse_value(&names, text));
        kind.ok_or_else(|| {
            ParseError::not_one_of(text, "a source of decisions", &NOTES.map(|(_, word)| word))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_its_word() {
        for (kind, word) in KINDS {
            assert_eq!((kind.as_str(), word.parse()), (word, Ok(kind)));
        }
        for (kind, word) in NOTES {
            assert_eq!((kind.as_str(), word.parse()), (word, Ok(kind)));
        }
        assert!(DOUBTS.iter().all(|(reason, word)| reason.as_str() == *word));
        assert!(OUTCOMES.iter().all(|(outcome, word)| outcome.as_str() == *word));
        assert_eq!("Working Assumptions".parse(), Ok(DecisionKind::WorkingAssumption));
        assert_eq!("Liaison-statement".parse(), Ok(DecisionKind::LiaisonStatement));
        assert!("poem".parse::<DecisionKind>().is_err());
    }
}
