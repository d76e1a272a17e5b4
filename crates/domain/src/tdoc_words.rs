//! Words of meeting documents (TDocs).

use std::str::FromStr;

use crate::{ParseError, closed_set::closed_set};

closed_set! {
    /// The kind of a meeting document. The values are in alphabetical order, as in the counts by kind.
    pub enum DocKind {
        /// A company contribution, and any other document without a specific kind.
        Contribution = "contribution",
        /// A change request.
        Cr = "cr",
        /// A draft of a change request.
        DraftCr = "draft cr",
        /// A change to a specification that is not under change control yet.
        PCr = "pCR",
        /// A liaison statement, incoming or outgoing.
        LiaisonStatement = "liaison statement",
        /// A summary of a moderator or feature lead.
        Summary = "summary",
        /// Chair notes of a session.
        ChairNotes = "chair notes",
        /// A report of a meeting.
        MeetingReport = "meeting report",
        /// Another report.
        Report = "report",
        /// An agenda or a schedule.
        Agenda = "agenda",
        /// A work plan.
        WorkPlan = "work plan",
        /// A report on the progress of a work item.
        StatusReport = "status report",
        /// A description of a work item.
        WorkItemDescription = "work item description",
        /// A description of a study item.
        StudyItemDescription = "study item description",
        /// A draft of a specification or a report.
        DraftSpecification = "draft specification",
        /// The cover with which a specification is submitted to a TSG.
        SpecificationCover = "specification cover",
        /// Change requests that are submitted to a TSG together.
        CrPack = "cr pack",
        /// A summary of a finished work item.
        WorkItemSummary = "work item summary",
        /// An exception request, for more time.
        ExceptionRequest = "exception request",
        /// The terms of reference of a group.
        TermsOfReference = "terms of reference",
    }
    listed by word
}

closed_set! {
    /// Role of an organization in a document. The values are in alphabetical order, as in the counts by role.
    pub enum SourceRole {
        /// It submitted the document.
        Submitter = "submitter",
        /// It submitted the document with others.
        CoSubmitter = "co_submitter",
        /// It edited a text that states the views of others.
        Editor = "editor",
    }
    listed by word
}

impl DocKind {
    /// The kind as it begins a sentence.
    pub fn sentence_start(self) -> &'static str {
        match self {
            Self::Contribution => "Contribution",
            Self::Cr => "Change request",
            Self::DraftCr => "Draft change request",
            Self::PCr => "Pseudo change request",
            Self::LiaisonStatement => "Liaison statement",
            Self::Summary => "Summary",
            Self::ChairNotes => "Chair notes",
            Self::MeetingReport => "Meeting report",
            Self::Report => "Report",
            Self::Agenda => "Agenda",
            Self::WorkPlan => "Work plan",
            Self::StatusReport => "Status report",
            Self::WorkItemDescription => "Work item description",
            Self::StudyItemDescription => "Study item description",
            Self::DraftSpecification => "Draft specification",
            Self::SpecificationCover => "Specification cover",
            Self::CrPack => "Pack of change requests",
            Self::WorkItemSummary => "Work item summary",
            Self::ExceptionRequest => "Exception request",
            Self::TermsOfReference => "Terms of reference",
        }
    }

    /// Whether it reports what others say. It is then not the position of its author.
    pub fn is_report_of_others(self) -> bool {
        matches!(self, Self::Summary | Self::ChairNotes | Self::MeetingReport)
    }

    /// Whether it changes a specification.
    pub fn is_change(self) -> bool {
        matches!(self, Self::Cr | Self::DraftCr | Self::PCr)
    }
}

impl FromStr for DocKind {
    type Err = ParseError;

    /// Case is ignored, and words may be joined by `_` or `-`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let plain = |text: &str| -> String {
            let letters = text.chars().filter(char::is_ascii_alphanumeric);
            letters.collect::<String>().to_ascii_lowercase()
        };
        let name = plain(text);
        let kind = Self::ALL.into_iter().find(|kind| plain(kind.as_str()) == name);
        kind.ok_or_else(|| ParseError::not_one_of(text, "a kind", &Self::ALL.map(Self::as_str)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_in_any_spelling() {
        for kind in DocKind::ALL {
            assert_eq!(kind.as_str().parse(), Ok(kind));
        }
        assert_eq!("Liaison_Statement".parse(), Ok(DocKind::LiaisonStatement));
        assert_eq!("PCR".parse(), Ok(DocKind::PCr));
        let refused = "poem".parse::<DocKind>().expect_err("no kind").to_string();
        assert!(DocKind::ALL.iter().all(|kind| refused.contains(kind.as_str())), "{refused}");
    }

    #[test]
    fn reports_and_changes_are_told_from_positions() {
        let matching = |is: fn(DocKind) -> bool| -> Vec<DocKind> {
            DocKind::ALL.into_iter().filter(|kind| is(*kind)).collect()
        };
        let reports = matching(DocKind::is_report_of_others);
        assert_eq!(reports.len(), 3, "{reports:?}");
        for kind in [DocKind::Summary, DocKind::ChairNotes, DocKind::MeetingReport] {
            assert!(reports.contains(&kind), "{kind:?}");
        }
        let changes = matching(DocKind::is_change);
        assert_eq!(changes.len(), 3, "{changes:?}");
        for kind in [DocKind::Cr, DocKind::DraftCr, DocKind::PCr] {
            assert!(changes.contains(&kind), "{kind:?}");
        }
    }
}
