//! The decisions of meetings: their kinds, their outcomes and the documents that record them.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{ParseError, TdocId, closed_set::closed_set};

/// A decision as the notes or the report of a meeting record it. Stored by the order of the fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedDecision {
    /// Its kind.
    pub kind: DecisionType,
    /// The outcome of a document.
    pub outcome: Option<DocumentOutcome>,
    /// The words that mark it, such as `Agreement:`; what follows them is the quote.
    pub marker: String,
    /// Its verbatim text: each paragraph on a line, items indented, tables as Markdown.
    pub quote: String,
    /// Whether the quote is cut, because it is longer than any decision.
    pub is_cut: bool,
    /// The anchor of its first paragraph.
    pub anchor: String,
    /// The anchor of its last paragraph.
    pub last_anchor: String,
    /// The page on which it begins, if the file has page numbers.
    pub page: Option<u32>,
    /// The agenda item, such as `9.1.1`.
    pub agenda_item: Option<String>,
    /// The heading above it.
    pub heading: Option<String>,
    /// The document it was recorded under.
    pub recorded_under: Option<TdocId>,
    /// Documents that it names.
    pub references: Vec<TdocId>,
    /// The session, if the notes name it: `Thursday`, `parallel`.
    pub session: Option<String>,
    /// The decision that it is a part of, by its index in the list.
    pub part_of: Option<u32>,
}

closed_set! {
    /// Type of decision. The values are in alphabetical order, as in the counts by type.
    pub enum DecisionType {
        /// An agreement.
        Agreement = "agreement",
        /// A working assumption, valid until it is confirmed.
        WorkingAssumption = "working_assumption",
        /// A conclusion of the group.
        Conclusion = "conclusion",
        /// An item for further study.
        OpenItem = "ffs",
        /// The outcome of a change request.
        ChangeRequest = "cr",
        /// The outcome of a liaison statement.
        LiaisonStatement = "ls",
        /// The outcome of a way forward.
        WayForward = "way_forward",
        /// The outcome of another document.
        Document = "document",
        /// A document that was only noted.
        Noted = "noted",
    }
    listed by word
}

closed_set! {
    /// Outcome of a document.
    pub enum DocumentOutcome {
        /// It was agreed.
        Agreed = "agreed",
        /// It was approved.
        Approved = "approved",
        /// It was endorsed.
        Endorsed = "endorsed",
        /// It was revised; another document replaces it.
        Revised = "revised",
        /// It was merged into another.
        Merged = "merged",
        /// It was postponed to a later meeting.
        Postponed = "postponed",
        /// It was left for discussion by email.
        ForEmail = "for_email",
        /// It is not pursued, or was rejected.
        NotPursued = "not_pursued",
        /// It was withdrawn.
        Withdrawn = "withdrawn",
        /// It was not treated.
        NotTreated = "not_treated",
        /// It was noted.
        Noted = "noted",
    }
}

closed_set! {
    /// The kinds of documents that record decisions. Documents with proposals are not among them, so that no
    /// proposal can be taken for a decision.
    pub enum NotesKind {
        /// The report of a meeting.
        MeetingReport = "meeting_report",
        /// The report of a session.
        SessionReport = "session_report",
        /// The notes of the chair.
        ChairNotes = "chair_notes",
        /// The notes of the chair of a session.
        SessionNotes = "session_notes",
        /// The summary of a feature lead or moderator.
        Summary = "feature_lead_summary",
    }
}

closed_set! {
    /// Why a text that looks like a decision probably is not one of the meeting.
    pub enum DecisionDoubt {
        /// Its marker is a list item without the color of a decision.
        ListItem = "list_item",
        /// It is part of a document that the notes quote.
        QuotedDocument = "quoted_document",
        /// It follows a proposal or a list of possible agreements.
        BelowProposal = "below_proposal",
        /// An offline discussion agreed to it, but nothing shows that the meeting did.
        OfflineDiscussion = "offline_discussion",
        /// A feature lead's summary quotes it without naming the meeting that made it.
        QuotedInSummary = "quoted_in_summary",
        /// A feature lead's summary says that the meeting made it, but the final report does not contain it.
        NotInFinalReport = "not_in_final_report",
        /// All of its words are struck through, which means that the meeting withdrew it.
        StruckThrough = "struck_through",
        /// It follows a sentence about an agreement of another meeting or group.
        OtherMeeting = "other_meeting",
        /// Its marker has no color, in notes that mark agreements by color.
        Uncolored = "uncolored",
        /// It has a mark of the group, but no known form of its notes: whether it is a decision is not known.
        UnverifiedForm = "unverified_form",
        /// It is a decision of an earlier meeting, which the notes quote.
        QuotesDecision = "quotes_decision",
    }
}

closed_set! {
    /// How a decision relates to another one, an earlier or a later one.
    pub enum DecisionRelation {
        /// It confirms an earlier decision.
        Confirms = "confirms",
        /// It changes an earlier decision.
        Revises = "revises",
        /// It withdraws an earlier decision.
        Reverts = "reverts",
        /// It repeats the words of an earlier decision.
        Quotes = "quotes",
        /// It answers what an earlier decision left open.
        Completes = "completes",
        /// A later decision confirms it.
        ConfirmedBy = "confirmed_by",
        /// A later decision changes it.
        RevisedBy = "revised_by",
        /// A later decision withdraws it.
        RevertedBy = "reverted_by",
        /// Later notes repeat its words.
        QuotedBy = "quoted_by",
        /// A later decision answers what it left open.
        CompletedBy = "completed_by",
    }
}

closed_set! {
    /// Whether a decision still holds, as far as the notes that were read say.
    pub enum DecisionStanding {
        /// No later decision that was read changes or withdraws it.
        InForce = "in_force",
        /// A later decision changes it or answers it.
        Superseded = "superseded",
        /// A later decision withdraws it.
        Reverted = "reverted",
        /// It is a working assumption or an open item, and no decision that was read confirms or answers it.
        Open = "open",
        /// Nothing is known: it is the outcome of a document, or the final report does not contain it.
        Unknown = "unknown",
    }
}

impl DecisionRelation {
    /// The relation of the other decision to this one.
    pub fn inverse(self) -> Self {
        match self {
            Self::Confirms => Self::ConfirmedBy,
            Self::Revises => Self::RevisedBy,
            Self::Reverts => Self::RevertedBy,
            Self::Quotes => Self::QuotedBy,
            Self::Completes => Self::CompletedBy,
            Self::ConfirmedBy => Self::Confirms,
            Self::RevisedBy => Self::Revises,
            Self::RevertedBy => Self::Reverts,
            Self::QuotedBy => Self::Quotes,
            Self::CompletedBy => Self::Completes,
        }
    }
}

impl DecisionStanding {
    /// Whether a later decision replaced or withdrew the decision.
    pub fn is_past(self) -> bool {
        matches!(self, Self::Superseded | Self::Reverted)
    }
}

/// Other words for types of decisions.
const OTHER_TYPES: [(&str, DecisionType); 4] = [
    ("open_item", DecisionType::OpenItem),
    ("change_request", DecisionType::ChangeRequest),
    ("liaison_statement", DecisionType::LiaisonStatement),
    ("wf", DecisionType::WayForward),
];
/// Other words for kinds of notes.
const OTHER_NOTES: [(&str, NotesKind); 2] =
    [("summary", NotesKind::Summary), ("report", NotesKind::MeetingReport)];

/// The value that a word means. Case is ignored; words may be separated by blanks or `-`; plurals are accepted.
fn parse_word<T: Copy>(text: &str, words: impl Iterator<Item = (&'static str, T)>) -> Option<T> {
    let plain = text.trim().to_lowercase().replace([' ', '-'], "_");
    let singular = if plain != "ls" && plain != "ffs" { plain.strip_suffix('s') } else { None };
    let mut words = words.filter(|(word, _)| *word == plain || Some(*word) == singular);
    words.next().map(|(_, value)| value)
}

impl DecisionType {
    /// The type that a noun of notes names: `agreements`, `Conclusion`, `working assumption`, `WA`. Any other word is taken for
    /// the last two, so match one of these first.
    pub fn of_noun(noun: &str) -> Self {
        match noun.as_bytes().first() {
            Some(b'a' | b'A') => Self::Agreement,
            Some(b'c' | b'C') => Self::Conclusion,
            _ => Self::WorkingAssumption,
        }
    }

    /// Whether it decides a text, as opposed to the outcome of a document.
    pub fn is_text(self) -> bool {
        matches!(
            self,
            Self::Agreement | Self::WorkingAssumption | Self::Conclusion | Self::OpenItem
        )
    }
}

impl FromStr for DecisionType {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let own = Self::ALL.into_iter().map(|value| (value.as_str(), value));
        parse_word(text, own.chain(OTHER_TYPES)).ok_or_else(|| {
            ParseError::not_one_of(text, "a decision type", &Self::ALL.map(Self::as_str))
        })
    }
}

impl FromStr for NotesKind {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let own = Self::ALL.into_iter().map(|value| (value.as_str(), value));
        parse_word(text, own.chain(OTHER_NOTES)).ok_or_else(|| {
            ParseError::not_one_of(text, "a source of decisions", &Self::ALL.map(Self::as_str))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_decisions_and_notes_are_read_in_any_spelling() {
        for value in DecisionType::ALL {
            assert_eq!(value.as_str().parse(), Ok(value));
        }
        for value in NotesKind::ALL {
            assert_eq!(value.as_str().parse(), Ok(value));
        }
        assert_eq!("Working Assumptions".parse(), Ok(DecisionType::WorkingAssumption));
        assert_eq!("Liaison-statement".parse(), Ok(DecisionType::LiaisonStatement));
        assert_eq!("report".parse(), Ok(NotesKind::MeetingReport));
        let error = "poem".parse::<DecisionType>().expect_err("no type");
        assert!(error.to_string().starts_with("'poem' is not a decision type: use "), "{error}");
    }

    #[test]
    fn a_set_is_sorted_as_it_is_listed() {
        let mut types = DecisionType::ALL.to_vec();
        types.sort_unstable();
        assert!(types.is_sorted_by_key(|value| value.as_str()), "{types:?}");
        assert!(DocumentOutcome::Agreed < DocumentOutcome::Noted);
    }
}
