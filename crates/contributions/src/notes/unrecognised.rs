//! Reasons to refuse a file as a source of decisions.

use super::ReportGap;
use domain::TdocId;

/// Why a file is not a source of decisions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnrecognisedNotes {
    /// It is something else.
    #[error(
        "its name and first page do not identify it as chair notes, session notes, a summary or a meeting report: {found}"
    )]
    SomethingElse {
        /// Its first line.
        found: String,
    },
    /// A register lists it as something else.
    #[error(
        "according to its register, {id} is a {kind}; only notes, summaries and reports contain decisions"
    )]
    Registered {
        /// The document.
        id: TdocId,
        /// Its kind.
        kind: &'static str,
    },
    /// Its first page names a source that does not write for the meeting.
    #[error(
        "according to its first page, it is from {by}; decisions are read only from notes and reports by chairs and \
         secretaries of the meeting, and from summaries by moderators and rapporteurs"
    )]
    OfOthers {
        /// The source.
        by: String,
    },
    /// It is called a meeting report, and the secretary does not sign it.
    #[error(
        "according to its first page, it is from {by}; only the secretary of a meeting signs its report"
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
        "its documents do not belong to {meeting}: {others} of {numbers} have numbers of other groups"
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
    #[error(
        "its documents do not belong to {meeting}: only {listed} of {numbers} are in its register"
    )]
    UnlistedDocuments {
        /// The meeting that it names.
        meeting: String,
        /// Documents that the register lists.
        listed: usize,
        /// Documents in it.
        numbers: usize,
    },
    /// The named meeting is not the one that its first page names.
    #[error("according to its first page, it belongs to {cover}, not to {named}")]
    OtherMeeting {
        /// By its first page.
        cover: String,
        /// The one that was named.
        named: String,
    },
    /// It is called a meeting report, and does not have the form of one.
    #[error("it is not a meeting report: {}", missing.as_sentence())]
    NoReport {
        /// What it lacks.
        missing: ReportGap,
    },
    /// Nothing names its meeting.
    #[error("the meeting is unknown; specify it, for example with --meeting R1-118")]
    NoMeeting,
}
