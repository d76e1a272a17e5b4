//! Why a file is refused as a source of decisions.

use super::ReportGap;
use domain::TdocId;

/// Why a file is no source of decisions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnrecognisedNotes {
    /// It is something else.
    #[error(
        "it is no chair notes, session notes, summary or report of a meeting by its name and first page: {found}"
    )]
    SomethingElse {
        /// What it looks like.
        found: String,
    },
    /// A register lists it as something else.
    #[error("{id} is a {kind} by its register: only notes, summaries and reports hold decisions")]
    Registered {
        /// The document.
        id: TdocId,
        /// Its kind.
        kind: &'static str,
    },
    /// Its first page names a source that does not write for the meeting.
    #[error(
        "its first page says that it is from {by}: only chairs and secretaries of the meeting itself, and moderators and rapporteurs in their summaries, write down what it decided"
    )]
    OfOthers {
        /// The source.
        by: String,
    },
    /// It is called the report of a meeting, and its secretary does not sign it.
    #[error(
        "its first page says that it is from {by}: only the secretary of a meeting signs its report"
    )]
    NotBySecretary {
        /// The source.
        by: String,
    },
    /// Headline and title name different meetings.
    #[error("its headline names {headline}, its title {title}: the meeting is ambiguous")]
    TwoMeetings {
        /// By its headline.
        headline: String,
        /// By its title.
        title: String,
    },
    /// Most documents in it have numbers of other groups.
    #[error(
        "its documents are not those of {meeting}: {others} of {numbers} have numbers of other groups"
    )]
    DocumentsOfOthers {
        /// The meeting that it names.
        meeting: String,
        /// Documents of other groups.
        others: usize,
        /// Documents in it.
        numbers: usize,
    },
    /// Most documents in it are not in the register of the meeting.
    #[error("its documents are not those of {meeting}: {listed} of {numbers} are in its register")]
    UnlistedDocuments {
        /// The meeting that it names.
        meeting: String,
        /// Documents that the register lists.
        listed: usize,
        /// Documents in it.
        numbers: usize,
    },
    /// The named meeting is not the one that its first page names.
    #[error("its first page says that it is of {cover}, not of {named}")]
    OtherMeeting {
        /// By its first page.
        cover: String,
        /// The one that was named.
        named: String,
    },
    /// It is called a report of a meeting, and has not what such a report has.
    #[error("it is not a meeting report: {}", missing.as_sentence())]
    NoReport {
        /// What it lacks.
        missing: ReportGap,
    },
    /// Nothing says of which meeting it is.
    #[error("the meeting is unknown; pass --meeting R1-118")]
    NoMeeting,
}
