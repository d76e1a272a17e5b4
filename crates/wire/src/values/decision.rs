//! Words of decisions and of what they are written down in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// What kind of decision it is. In the order of the words, as counts by type have them.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum DecisionType {
    /// What was agreed.
    Agreement,
    /// What the group concluded.
    Conclusion,
    /// What became of a change request.
    #[serde(rename = "cr")]
    ChangeRequest,
    /// What became of another document.
    Document,
    /// What is left for further study.
    #[serde(rename = "ffs")]
    OpenItem,
    /// What became of a liaison statement.
    #[serde(rename = "ls")]
    LiaisonStatement,
    /// A document was noted, and nothing more.
    Noted,
    /// What became of a way forward.
    WayForward,
    /// What is held to be so until it is confirmed.
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

/// What became of a document.
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
    /// Another takes its place.
    Revised,
    /// It was merged into another.
    Merged,
    /// It waits for a later meeting.
    Postponed,
    /// It is discussed further by e-mail.
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

/// What decisions are written down in.
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
    /// What the chair wrote down.
    ChairNotes,
    /// What the chair of a session wrote down.
    SessionNotes,
    /// What a feature lead or moderator gathered.
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
    /// It is known, and was not read.
    NotRetrieved,
}

/// How a decision stands beside the final report of its meeting.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum ReportStanding {
    /// The final report has it.
    Final,
    /// There is no final report yet.
    Provisional,
    /// There is a final report without it.
    NotInFinalReport,
}

/// Why a text that reads like a decision is probably none of the meeting's.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum DecisionDoubt {
    /// Its marker is an item of a list, without the color of a decision.
    ListItem,
    /// It is part of a document that the notes quote.
    QuotedDocument,
    /// It follows a proposal or a list of possible agreements.
    BelowProposal,
    /// An offline discussion agreed to it, and nothing shows that the meeting did.
    OfflineDiscussion,
    /// A feature-lead summary quotes it and does not show which meeting took it.
    QuotedInSummary,
    /// A feature-lead summary says that the meeting took it, and the final report does not have it.
    NotInFinalReport,
    /// All of its words are struck through: the meeting took it back.
    StruckThrough,
    /// It follows a sentence on what another meeting or another group agreed.
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

/// How it is known that a decision adopts a proposal.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum AdoptionMatch {
    /// The decision names it.
    Label,
    /// Its words are those of the decision.
    Text,
}
