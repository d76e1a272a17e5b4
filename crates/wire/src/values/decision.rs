//! Words of decisions and of what they are written down in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// Type of decision. The values are in alphabetical order, as in the counts by type.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum DecisionType {
    /// An agreement.
    Agreement,
    /// A conclusion of the group.
    Conclusion,
    /// The outcome of a change request.
    #[serde(rename = "cr")]
    ChangeRequest,
    /// The outcome of another document.
    Document,
    /// An item for further study.
    #[serde(rename = "ffs")]
    OpenItem,
    /// The outcome of a liaison statement.
    #[serde(rename = "ls")]
    LiaisonStatement,
    /// A document that was only noted.
    Noted,
    /// The outcome of a way forward.
    WayForward,
    /// A working assumption, valid until it is confirmed.
    WorkingAssumption,
}

impl From<domain::DecisionKind> for DecisionType {
    fn from(kind: domain::DecisionKind) -> Self {
        match kind {
            domain::DecisionKind::Agreement => Self::Agreement,
            domain::DecisionKind::WorkingAssumption => Self::WorkingAssumption,
            domain::DecisionKind::Conclusion => Self::Conclusion,
            domain::DecisionKind::OpenItem => Self::OpenItem,
            domain::DecisionKind::ChangeRequest => Self::ChangeRequest,
            domain::DecisionKind::LiaisonStatement => Self::LiaisonStatement,
            domain::DecisionKind::WayForward => Self::WayForward,
            domain::DecisionKind::Document => Self::Document,
            domain::DecisionKind::Noted => Self::Noted,
        }
    }
}

/// Outcome of a document.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum DocumentOutcome {
    /// It was agreed.
    Agreed,
    /// It was approved.
    Approved,
    /// It was endorsed.
    Endorsed,
    /// It was revised; another document replaces it.
    Revised,
    /// It was merged into another.
    Merged,
    /// It was postponed to a later meeting.
    Postponed,
    /// It was left for discussion by email.
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

impl From<domain::DecisionOutcome> for DocumentOutcome {
    fn from(outcome: domain::DecisionOutcome) -> Self {
        match outcome {
            domain::DecisionOutcome::Agreed => Self::Agreed,
            domain::DecisionOutcome::Approved => Self::Approved,
            domain::DecisionOutcome::Endorsed => Self::Endorsed,
            domain::DecisionOutcome::Revised => Self::Revised,
            domain::DecisionOutcome::Merged => Self::Merged,
            domain::DecisionOutcome::Postponed => Self::Postponed,
            domain::DecisionOutcome::ForEmail => Self::ForEmail,
            domain::DecisionOutcome::NotPursued => Self::NotPursued,
            domain::DecisionOutcome::Withdrawn => Self::Withdrawn,
            domain::DecisionOutcome::NotTreated => Self::NotTreated,
            domain::DecisionOutcome::Noted => Self::Noted,
        }
    }
}

/// Kind of source of decisions.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum DecisionSourceKind {
    /// The report of a meeting.
    MeetingReport,
    /// The report of a session.
    SessionReport,
    /// The notes of the chair.
    ChairNotes,
    /// The notes of a session chair.
    SessionNotes,
    /// The summary of a feature lead or moderator.
    FeatureLeadSummary,
    /// The register of the meeting.
    Register,
}

impl From<domain::NotesKind> for DecisionSourceKind {
    fn from(kind: domain::NotesKind) -> Self {
        match kind {
            domain::NotesKind::MeetingReport => Self::MeetingReport,
            domain::NotesKind::SessionReport => Self::SessionReport,
            domain::NotesKind::ChairNotes => Self::ChairNotes,
            domain::NotesKind::SessionNotes => Self::SessionNotes,
            domain::NotesKind::Summary => Self::FeatureLeadSummary,
        }
    }
}

/// Whether a source of decisions was read.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum DecisionSourceStatus {
    /// It was read.
    Processed,
    /// It is known but was not read.
    NotRetrieved,
}

/// Standing of a decision relative to the final report of its meeting.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum ReportStanding {
    /// The final report contains it.
    Final,
    /// There is no final report yet.
    Provisional,
    /// The final report does not contain it.
    NotInFinalReport,
}

/// Why a text that looks like a decision probably is not one of the meeting.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum DecisionDoubt {
    /// Its marker is a list item without the color of a decision.
    ListItem,
    /// It is part of a document that the notes quote.
    QuotedDocument,
    /// It follows a proposal or a list of possible agreements.
    BelowProposal,
    /// An offline discussion agreed to it, but nothing shows that the meeting did.
    OfflineDiscussion,
    /// A feature lead's summary quotes it without naming the meeting that made it.
    QuotedInSummary,
    /// A feature lead's summary says that the meeting made it, but the final report does not contain it.
    NotInFinalReport,
    /// All of its words are struck through, which means that the meeting withdrew it.
    StruckThrough,
    /// It follows a sentence about an agreement of another meeting or group.
    OtherMeeting,
    /// Its marker has no color, in notes that mark agreements by color.
    Uncolored,
}

impl From<domain::DoubtReason> for DecisionDoubt {
    fn from(reason: domain::DoubtReason) -> Self {
        match reason {
            domain::DoubtReason::ListItem => Self::ListItem,
            domain::DoubtReason::QuotedDocument => Self::QuotedDocument,
            domain::DoubtReason::BelowProposal => Self::BelowProposal,
            domain::DoubtReason::OfflineDiscussion => Self::OfflineDiscussion,
            domain::DoubtReason::QuotedInSummary => Self::QuotedInSummary,
            domain::DoubtReason::NotInFinalReport => Self::NotInFinalReport,
            domain::DoubtReason::StruckThrough => Self::StruckThrough,
            domain::DoubtReason::OtherMeeting => Self::OtherMeeting,
            domain::DoubtReason::Uncoloured => Self::Uncolored,
        }
    }
}

/// The order of decisions over several meetings.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum DecisionOrder {
    /// The best match first.
    Relevance,
    /// The newest meeting first.
    Newest,
    /// The oldest meeting first.
    Oldest,
}

/// How an adopted proposal was recognised.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum AdoptionMatch {
    /// The decision names it.
    Label,
    /// The wording matches that of the decision.
    Text,
}
