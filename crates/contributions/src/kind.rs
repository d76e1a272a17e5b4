//! What kind of document a TDoc is.

use std::{fmt, str::FromStr, sync::LazyLock};

use regex::Regex;
use register::{Column, Entry, Role};

use domain::ParseError;

/// A kind of TDoc, by the word of the contract; registers have types, which differ by group and year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DocKind {
    /// A company's view: discussion, proposals, results. Whatever has no kind of its own.
    Contribution,
    /// A change request.
    Cr,
    /// A draft of a change request, to be agreed in content.
    DraftCr,
    /// A change to a specification that is not under change control yet.
    PCr,
    /// A liaison statement, that came or went.
    LiaisonStatement,
    /// What a moderator or feature lead gathered from others.
    Summary,
    /// What a chair wrote down in a session.
    ChairNotes,
    /// A report of a meeting.
    MeetingReport,
    /// Another report.
    Report,
    /// An agenda or a schedule.
    Agenda,
    /// A plan of work.
    WorkPlan,
    /// How far a work item is.
    StatusReport,
    /// A description of a work item.
    WorkItemDescription,
    /// A description of a study item.
    StudyItemDescription,
    /// A draft of a specification or a report.
    DraftSpecification,
    /// The cover under which a specification goes to a TSG.
    SpecificationCover,
    /// Change requests that go to a TSG together.
    CrPack,
    /// A summary of a finished work item.
    WorkItemSummary,
    /// A request for more time.
    ExceptionRequest,
    /// What a group is there for.
    TermsOfReference,
}

/// Every kind with its word.
const WORDS: [(DocKind, &str); 20] = [
    (DocKind::Contribution, "contribution"),
    (DocKind::Cr, "cr"),
    (DocKind::DraftCr, "draft cr"),
    (DocKind::PCr, "pCR"),
    (DocKind::LiaisonStatement, "liaison statement"),
    (DocKind::Summary, "summary"),
    (DocKind::ChairNotes, "chair notes"),
    (DocKind::MeetingReport, "meeting report"),
    (DocKind::Report, "report"),
    (DocKind::Agenda, "agenda"),
    (DocKind::WorkPlan, "work plan"),
    (DocKind::StatusReport, "status report"),
    (DocKind::WorkItemDescription, "work item description"),
    (DocKind::StudyItemDescription, "study item description"),
    (DocKind::DraftSpecification, "draft specification"),
    (DocKind::SpecificationCover, "specification cover"),
    (DocKind::CrPack, "cr pack"),
    (DocKind::WorkItemSummary, "work item summary"),
    (DocKind::ExceptionRequest, "exception request"),
    (DocKind::TermsOfReference, "terms of reference"),
];

/// Types of registers by their letters and digits in lower case, with the kind they mean. The types that
/// are left out (`discussion`, `other`, `response` and none) say nothing: the title does.
const TYPES: [(&str, DocKind); 34] = [
    ("cr", DocKind::Cr),
    ("draftcr", DocKind::DraftCr),
    ("pcr", DocKind::PCr),
    ("lsin", DocKind::LiaisonStatement),
    ("lsout", DocKind::LiaisonStatement),
    ("ls", DocKind::LiaisonStatement),
    ("draftls", DocKind::LiaisonStatement),
    ("report", DocKind::Report),
    ("agenda", DocKind::Agenda),
    ("workplan", DocKind::WorkPlan),
    ("wistatusreport", DocKind::StatusReport),
    ("statusreport", DocKind::StatusReport),
    ("widnew", DocKind::WorkItemDescription),
    ("widrevised", DocKind::WorkItemDescription),
    ("wid", DocKind::WorkItemDescription),
    ("newwid", DocKind::WorkItemDescription),
    ("revisedwid", DocKind::WorkItemDescription),
    ("sidnew", DocKind::StudyItemDescription),
    ("sidrevised", DocKind::StudyItemDescription),
    ("sid", DocKind::StudyItemDescription),
    ("newsid", DocKind::StudyItemDescription),
    ("revisedsid", DocKind::StudyItemDescription),
    ("drafttr", DocKind::DraftSpecification),
    ("draftts", DocKind::DraftSpecification),
    ("tsortrcover", DocKind::SpecificationCover),
    ("tstrcover", DocKind::SpecificationCover),
    ("tscover", DocKind::SpecificationCover),
    ("trcover", DocKind::SpecificationCover),
    ("crpack", DocKind::CrPack),
    ("crp", DocKind::CrPack),
    ("wisummary", DocKind::WorkItemSummary),
    ("wiexceptionrequest", DocKind::ExceptionRequest),
    ("tor", DocKind::TermsOfReference),
    ("draftwid", DocKind::WorkItemDescription),
];

/// Titles of what a chair wrote down.
static CHAIR_NOTES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(chair(man|woman|person)?('?s)?|session|breakout|ad[- ]?hoc( chair('?s)?)?)\s+(session\s+)?notes\b",
    )
});
/// Titles of reports of meetings.
static MEETING_REPORT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(report|minutes)\b.*(\b(meeting|session|conference call|workshop)\b|\b(RAN|SA|CT)\s?(WG)?\d?\s?#\s?\d)",
    )
});
/// Titles of what a moderator gathered.
static SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(fl|feature lead('?s)?|moderator('?s)?|topic|ad[- ]?hoc|e-?mail( discussion)?|offline( discussion)?|pre-?meeting)\s+summary\b|\bsummary\b.*\b(discussion|contributions|proposals|e-?mail|offline|feature lead|issues)\b|^(final |running |\d+(st|nd|rd|th) |fl |updated )?summary\b",
    )
});

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a constant pattern; a test uses each")
}

impl DocKind {
    /// The word of the contract.
    pub fn as_str(self) -> &'static str {
        // Every kind stands in the table; a test walks them.
        WORDS.iter().find(|(kind, _)| *kind == self).map_or("", |(_, word)| word)
    }

    /// Every kind.
    pub fn all() -> impl Iterator<Item = Self> {
        WORDS.iter().map(|(kind, _)| *kind)
    }

    /// The kind as it begins a sentence.
    pub fn in_words(self) -> &'static str {
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

    /// The kind of a document that a register lists; `roles` are those of its sources.
    pub fn of(entry: &Entry, roles: &[Role]) -> Self {
        // Some write the apostrophe as books do.
        let title = entry.text(Column::Title).unwrap_or_default().replace('\u{2019}', "'");
        let title = title.as_str();
        let by_type = entry.text(Column::Type).and_then(Self::of_type);
        match by_type {
            Some(Self::Report) if CHAIR_NOTES.is_match(title) => Self::ChairNotes,
            Some(Self::Report) if MEETING_REPORT.is_match(title) => Self::MeetingReport,
            Some(kind) => kind,
            None if CHAIR_NOTES.is_match(title) => Self::ChairNotes,
            // Companies write "Summary of our results"; those who write for others are named so.
            None if SUMMARY.is_match(title) && roles.contains(&Role::Editor) => Self::Summary,
            None if is_leads_summary(title) => Self::Summary,
            None => Self::Contribution,
        }
    }

    /// Whether it writes down what others say: it is nobody's position then, whoever wrote it.
    pub fn is_of_others(self) -> bool {
        matches!(self, Self::Summary | Self::ChairNotes | Self::MeetingReport)
    }

    /// Whether it changes a specification.
    pub fn is_change(self) -> bool {
        matches!(self, Self::Cr | Self::DraftCr | Self::PCr)
    }

    fn of_type(text: &str) -> Option<Self> {
        let plain: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
        let plain = plain.to_ascii_lowercase();
        TYPES.iter().find(|(word, _)| *word == plain).map(|(_, kind)| *kind)
    }
}

/// Before moderators were named as such, the title said that a feature lead wrote: it begins with that, after
/// marks in brackets. "Comments on FL summary" is somebody's view.
static LEADS_SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(\[[^\]]*\]|[^\pL\d])*((draft|final|updated|revised|\d+(st|nd|rd|th)|offline)\s+)*(feature lead('?s)?|fl|moderator('?s)?)\s+summary\b",
    )
});

fn is_leads_summary(title: &str) -> bool {
    LEADS_SUMMARY.is_match(title)
}

impl FromStr for DocKind {
    type Err = ParseError;

    /// Capitals do not matter, and words may be joined by `_` or `-`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let plain = |text: &str| -> String {
            text.chars()
                .filter(char::is_ascii_alphanumeric)
                .collect::<String>()
                .to_ascii_lowercase()
        };
        let wanted = plain(text);
        let found = WORDS.iter().find(|(_, word)| plain(word) == wanted).map(|(kind, _)| *kind);
        found.ok_or_else(|| ParseError::new(text, "a kind such as contribution, cr or summary"))
    }
}

impl fmt::Display for DocKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::tests::entry;

    #[test]
    fn every_kind_has_its_word() {
        for (kind, word) in WORDS {
            assert_eq!((kind.as_str(), word.parse()), (word, Ok(kind)));
        }
        assert_eq!("Liaison_Statement".parse(), Ok(DocKind::LiaisonStatement));
        assert_eq!("PCR".parse(), Ok(DocKind::PCr));
        assert!("poem".parse::<DocKind>().is_err());
    }

    #[test]
    fn types_and_titles_tell_the_kind() {
        for (doc_type, title, editor, kind) in [
            ("discussion", "On beams", false, DocKind::Contribution),
            ("other", "Way forward on beams", false, DocKind::Contribution),
            ("CR", "Correction", false, DocKind::Cr),
            ("draftCR", "Draft CR on beams", false, DocKind::DraftCr),
            ("P-CR", "New solution", false, DocKind::PCr),
            ("LS in", "LS on beams", false, DocKind::LiaisonStatement),
            ("LS Out", "Reply", false, DocKind::LiaisonStatement),
            ("report", "Report of RAN1#99 meeting", false, DocKind::MeetingReport),
            ("report", "Task force status", false, DocKind::Report),
            ("discussion", "Session notes for 8.2", true, DocKind::ChairNotes),
            ("other", "Chair's notes of AI 7", false, DocKind::ChairNotes),
            ("discussion", "Summary #2 of discussion on beams", true, DocKind::Summary),
            ("discussion", "Summary of our simulations", false, DocKind::Contribution),
            ("other", "Feature lead summary on beams", false, DocKind::Summary),
            ("discussion", "[100e] Feature Lead\u{2019}s Summary #2", false, DocKind::Summary),
            ("discussion", "Comments on FL summary", false, DocKind::Contribution),
            ("other", "Chairman\u{2019}s Notes of 7.2", false, DocKind::ChairNotes),
            ("report", "Chairmans Notes at close of sessions", false, DocKind::ChairNotes),
            ("report", "Report of [107#51][NR] Beams", false, DocKind::Report),
            ("report", "Draft Report of SA WG2 meeting #163", false, DocKind::MeetingReport),
            ("", "Topic summary for [119][362]", true, DocKind::Summary),
        ] {
            let entry = entry("R1-2400001", &[(Column::Type, doc_type), (Column::Title, title)]);
            let roles = if editor { &[Role::Editor][..] } else { &[Role::Submitter] };
            assert_eq!(DocKind::of(&entry, roles), kind, "{doc_type}: {title}");
        }
    }
}
