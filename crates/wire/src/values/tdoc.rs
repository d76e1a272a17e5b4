//! Words of meeting documents (TDocs).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// The kind of a meeting document. In the order of the words, as counts by kind have them.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[schemars(transform = list_words)]
pub enum DocKind {
    /// An agenda or a schedule.
    #[serde(rename = "agenda")]
    Agenda,
    /// What a chair wrote down in a session.
    #[serde(rename = "chair notes")]
    ChairNotes,
    /// A company's view, and whatever has no kind of its own.
    #[serde(rename = "contribution")]
    Contribution,
    /// A change request.
    #[serde(rename = "cr")]
    Cr,
    /// Change requests that go to a TSG together.
    #[serde(rename = "cr pack")]
    CrPack,
    /// A draft of a change request.
    #[serde(rename = "draft cr")]
    DraftCr,
    /// A draft of a specification or a report.
    #[serde(rename = "draft specification")]
    DraftSpecification,
    /// A request for more time.
    #[serde(rename = "exception request")]
    ExceptionRequest,
    /// A liaison statement, incoming or outgoing.
    #[serde(rename = "liaison statement")]
    LiaisonStatement,
    /// A report of a meeting.
    #[serde(rename = "meeting report")]
    MeetingReport,
    /// A change to a specification that is not under change control yet.
    #[serde(rename = "pCR")]
    PCr,
    /// Another report.
    #[serde(rename = "report")]
    Report,
    /// The cover under which a specification goes to a TSG.
    #[serde(rename = "specification cover")]
    SpecificationCover,
    /// The progress of a work item.
    #[serde(rename = "status report")]
    StatusReport,
    /// A description of a study item.
    #[serde(rename = "study item description")]
    StudyItemDescription,
    /// What a moderator or feature lead gathered from others.
    #[serde(rename = "summary")]
    Summary,
    /// The terms of reference of a group.
    #[serde(rename = "terms of reference")]
    TermsOfReference,
    /// A description of a work item.
    #[serde(rename = "work item description")]
    WorkItemDescription,
    /// A summary of a finished work item.
    #[serde(rename = "work item summary")]
    WorkItemSummary,
    /// A plan of work.
    #[serde(rename = "work plan")]
    WorkPlan,
}

/// What became of a meeting document, by the newest register (TR 21.900, clause 9). In the order of the words, as
/// counts by status have them.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[schemars(transform = list_words)]
pub enum RegisterStatus {
    /// Agreed; a higher body has the last word.
    #[serde(rename = "agreed")]
    Agreed,
    /// Approved; this group has the last word.
    #[serde(rename = "approved")]
    Approved,
    /// It is there, and not decided.
    #[serde(rename = "available")]
    Available,
    /// Agreed on a condition.
    #[serde(rename = "conditionally agreed")]
    ConditionallyAgreed,
    /// Approved on a condition.
    #[serde(rename = "conditionally approved")]
    ConditionallyApproved,
    /// Endorsed.
    #[serde(rename = "endorsed")]
    Endorsed,
    /// Joined with another one.
    #[serde(rename = "merged")]
    Merged,
    /// The meeting came to no conclusion.
    #[serde(rename = "not concluded")]
    NotConcluded,
    /// Rejected.
    #[serde(rename = "not pursued")]
    NotPursued,
    /// The meeting did not deal with it.
    #[serde(rename = "not treated")]
    NotTreated,
    /// Presented, and nothing was decided.
    #[serde(rename = "noted")]
    Noted,
    /// A part of it was approved.
    #[serde(rename = "partially approved")]
    PartiallyApproved,
    /// Put off to a later meeting.
    #[serde(rename = "postponed")]
    Postponed,
    /// Given out again under the same number.
    #[serde(rename = "reissued")]
    Reissued,
    /// A liaison statement that was answered.
    #[serde(rename = "replied to")]
    RepliedTo,
    /// Its number is given out, and it is not there yet.
    #[serde(rename = "reserved")]
    Reserved,
    /// Another document takes its place.
    #[serde(rename = "revised")]
    Revised,
    /// The meeting dealt with it.
    #[serde(rename = "treated")]
    Treated,
    /// The register has no word for it that is known.
    #[serde(rename = "unknown")]
    Unknown,
    /// Taken back.
    #[serde(rename = "withdrawn")]
    Withdrawn,
}

/// The part that an organization has in a document. In the order of the words, as counts by role have them.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum SourceRole {
    /// It submitted the document with others.
    CoSubmitter,
    /// It wrote down what others say.
    Editor,
    /// It submitted the document.
    Submitter,
}

/// How much of the file of a document was read.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum TdocContentStatus {
    /// All texts in it.
    Complete,
    /// Some of its texts, or not wholly.
    Partial,
    /// Nothing: it was not fetched.
    NotRetrieved,
    /// Nothing can be read: it is damaged, waits for LibreOffice, or is not on the mirror.
    Unavailable,
}

/// What a numbered unit of a document is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum NumberedUnitType {
    /// A numbered proposal.
    Proposal,
    /// A numbered observation.
    Observation,
}

/// How a document of a chain of revisions relates to the one asked for.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum RevisionRelation {
    /// It is before it, by the register.
    Earlier,
    /// It is after it, by the register.
    Later,
    /// It is a revision in the inbox of its meeting, known once the document was fetched.
    Inbox,
}
