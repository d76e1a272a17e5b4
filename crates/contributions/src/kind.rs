//! What kind of document a TDoc is.

use std::{fmt, str::FromStr, sync::LazyLock};

use regex::Regex;
use register::{Column, PartyRole, RegisterEntry};
use serde::{Deserialize, Serialize};

use super::titled_change::is_titled_change;
use domain::ParseError;

/// A kind of TDoc, as the interface names it; registers have types, which differ by group and year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TdocKind {
    /// A company's view: discussion, proposals, results; and whatever has no kind of its own.
    Contribution,
    /// A change request.
    Cr,
    /// A draft of a change request, to be agreed in content.
    DraftCr,
    /// A change to a specification that is not under change control yet.
    PCr,
    /// A liaison statement, incoming or outgoing.
    LiaisonStatement,
    /// A moderator's or feature lead's summary of the views of others.
    Summary,
    /// A chair's notes of a session.
    ChairNotes,
    /// A report of a meeting.
    MeetingReport,
    /// Another report.
    Report,
    /// An agenda or a schedule.
    Agenda,
    /// A plan of work.
    WorkPlan,
    /// The progress of a work item.
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
    /// The mandate of a group.
    TermsOfReference,
}

/// Every kind with its word.
const KIND_WORDS: [(TdocKind, &str); 20] = [
    (TdocKind::Contribution, "contribution"),
    (TdocKind::Cr, "cr"),
    (TdocKind::DraftCr, "draft cr"),
    (TdocKind::PCr, "pCR"),
    (TdocKind::LiaisonStatement, "liaison statement"),
    (TdocKind::Summary, "summary"),
    (TdocKind::ChairNotes, "chair notes"),
    (TdocKind::MeetingReport, "meeting report"),
    (TdocKind::Report, "report"),
    (TdocKind::Agenda, "agenda"),
    (TdocKind::WorkPlan, "work plan"),
    (TdocKind::StatusReport, "status report"),
    (TdocKind::WorkItemDescription, "work item description"),
    (TdocKind::StudyItemDescription, "study item description"),
    (TdocKind::DraftSpecification, "draft specification"),
    (TdocKind::SpecificationCover, "specification cover"),
    (TdocKind::CrPack, "cr pack"),
    (TdocKind::WorkItemSummary, "work item summary"),
    (TdocKind::ExceptionRequest, "exception request"),
    (TdocKind::TermsOfReference, "terms of reference"),
];

/// Types of registers by their letters and digits in lower case, with the kind they mean. The other types
/// (`discussion`, `other`, `response` and none) do not tell the kind: the title does.
const REGISTER_TYPES: [(&str, TdocKind); 34] = [
    ("cr", TdocKind::Cr),
    ("draftcr", TdocKind::DraftCr),
    ("pcr", TdocKind::PCr),
    ("lsin", TdocKind::LiaisonStatement),
    ("lsout", TdocKind::LiaisonStatement),
    ("ls", TdocKind::LiaisonStatement),
    ("draftls", TdocKind::LiaisonStatement),
    ("report", TdocKind::Report),
    ("agenda", TdocKind::Agenda),
    ("workplan", TdocKind::WorkPlan),
    ("wistatusreport", TdocKind::StatusReport),
    ("statusreport", TdocKind::StatusReport),
    ("widnew", TdocKind::WorkItemDescription),
    ("widrevised", TdocKind::WorkItemDescription),
    ("wid", TdocKind::WorkItemDescription),
    ("newwid", TdocKind::WorkItemDescription),
    ("revisedwid", TdocKind::WorkItemDescription),
    ("sidnew", TdocKind::StudyItemDescription),
    ("sidrevised", TdocKind::StudyItemDescription),
    ("sid", TdocKind::StudyItemDescription),
    ("newsid", TdocKind::StudyItemDescription),
    ("revisedsid", TdocKind::StudyItemDescription),
    ("drafttr", TdocKind::DraftSpecification),
    ("draftts", TdocKind::DraftSpecification),
    ("tsortrcover", TdocKind::SpecificationCover),
    ("tstrcover", TdocKind::SpecificationCover),
    ("tscover", TdocKind::SpecificationCover),
    ("trcover", TdocKind::SpecificationCover),
    ("crpack", TdocKind::CrPack),
    ("crp", TdocKind::CrPack),
    ("wisummary", TdocKind::WorkItemSummary),
    ("wiexceptionrequest", TdocKind::ExceptionRequest),
    ("tor", TdocKind::TermsOfReference),
    ("draftwid", TdocKind::WorkItemDescription),
];

/// Titles of chair notes and session notes.
static CHAIR_NOTES: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"(?i)\b(chair(man|woman|person)?('?s)?|session|breakout|ad[- ]?hoc( chair('?s)?)?)\s+(session\s+)?notes\b",
    )
});
/// Titles of reports of meetings.
static MEETING_REPORT: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"(?i)\b(report|minutes)\b.*(\b(meeting|session|conference call|workshop)\b|\b(RAN|SA|CT)\s?(WG)?\d?\s?#\s?\d)",
    )
});
/// Titles of summaries.
static SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"(?i)\b(fl|feature lead('?s)?|moderator('?s)?|topic|ad[- ]?hoc|e-?mail( discussion)?|offline( discussion)?|pre-?meeting)\s+summary\b|\bsummary\b.*\b(discussion|contributions|proposals|e-?mail|offline|feature lead|issues)\b|^(final |running |\d+(st|nd|rd|th) |fl |updated )?summary\b",
    )
});

fn compile_pattern(text: &str) -> Regex {
    Regex::new(text).expect("a constant pattern; a test uses each")
}

impl TdocKind {
    /// The kind as the interface names it.
    pub fn as_str(self) -> &'static str {
        // The table has every kind; a test checks it.
        KIND_WORDS.iter().find(|(kind, _)| *kind == self).map_or("", |(_, word)| word)
    }

    /// Every kind.
    pub fn all() -> impl Iterator<Item = Self> {
        KIND_WORDS.iter().map(|(kind, _)| *kind)
    }

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

    /// The kind of a document that a register lists; `roles` are those of its sources.
    pub fn from_entry(entry: &RegisterEntry, roles: &[PartyRole]) -> Self {
        // Some titles have a typographic apostrophe.
        let title = entry.column_text(Column::Title).unwrap_or_default().replace('\u{2019}', "'");
        let title = title.as_str();
        match Self::from_register_type(entry) {
            Some(Self::Report) if CHAIR_NOTES.is_match(title) => Self::ChairNotes,
            Some(Self::Report) if MEETING_REPORT.is_match(title) => Self::MeetingReport,
            Some(kind) => kind,
            None if is_titled_change(entry) => Self::Cr,
            None if CHAIR_NOTES.is_match(title) => Self::ChairNotes,
            // Companies also write "Summary of our results"; only an editor summarizes others.
            None if SUMMARY.is_match(title) && roles.contains(&PartyRole::Editor) => Self::Summary,
            None if is_feature_lead_summary(title) => Self::Summary,
            None => Self::Contribution,
        }
    }

    /// Whether it reports what others say: then it is nobody's position, whoever wrote it.
    pub fn is_report_of_others(self) -> bool {
        matches!(self, Self::Summary | Self::ChairNotes | Self::MeetingReport)
    }

    /// Whether it changes a specification.
    pub fn is_change(self) -> bool {
        matches!(self, Self::Cr | Self::DraftCr | Self::PCr)
    }

    /// The kind that the type in a register tells; none for `discussion`, `other` and the like.
    pub(super) fn from_register_type(entry: &RegisterEntry) -> Option<Self> {
        let text = entry.column_text(Column::Type)?;
        let plain: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
        let plain = plain.to_ascii_lowercase();
        REGISTER_TYPES.iter().find(|(word, _)| *word == plain).map(|(_, kind)| *kind)
    }
}

/// Titles of summaries from before sources named moderators: they begin with the feature lead, after tags in
/// brackets. "Comments on FL summary" is a company's view.
static FEATURE_LEAD_SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"(?i)^(\[[^\]]*\]|[^\pL\d])*((draft|final|updated|revised|\d+(st|nd|rd|th)|offline)\s+)*(feature lead('?s)?|fl|moderator('?s)?)\s+summary\b",
    )
});

fn is_feature_lead_summary(title: &str) -> bool {
    FEATURE_LEAD_SUMMARY.is_match(title)
}

impl FromStr for TdocKind {
    type Err = ParseError;

    /// Case is ignored, and words may be joined by `_` or `-`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let plain = |text: &str| -> String {
            text.chars()
                .filter(char::is_ascii_alphanumeric)
                .collect::<String>()
                .to_ascii_lowercase()
        };
        let name = plain(text);
        let kind = KIND_WORDS.iter().find(|(_, word)| plain(word) == name).map(|(kind, _)| *kind);
        kind.ok_or_else(|| {
            ParseError::not_one_of(text, "a kind", &KIND_WORDS.map(|(_, word)| word))
        })
    }
}

impl fmt::Display for TdocKind {
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
        for (kind, word) in KIND_WORDS {
            assert_eq!((kind.as_str(), word.parse()), (word, Ok(kind)));
        }
        assert_eq!("Liaison_Statement".parse(), Ok(TdocKind::LiaisonStatement));
        assert_eq!("PCR".parse(), Ok(TdocKind::PCr));
        let refused = "poem".parse::<TdocKind>().expect_err("no kind").to_string();
        assert!(KIND_WORDS.iter().all(|(_, word)| refused.contains(word)), "{refused}");
    }

    #[test]
    fn the_kind_follows_from_type_title_and_sources() {
        for (doc_type, title, editor, kind) in [
            ("discussion", "On beams", false, TdocKind::Contribution),
            ("other", "Way forward on beams", false, TdocKind::Contribution),
            ("CR", "Correction", false, TdocKind::Cr),
            ("draftCR", "Draft CR on beams", false, TdocKind::DraftCr),
            ("P-CR", "New solution", false, TdocKind::PCr),
            ("LS in", "LS on beams", false, TdocKind::LiaisonStatement),
            ("LS Out", "Reply", false, TdocKind::LiaisonStatement),
            ("report", "Report of RAN1#99 meeting", false, TdocKind::MeetingReport),
            ("report", "Task force status", false, TdocKind::Report),
            ("discussion", "Session notes for 8.2", true, TdocKind::ChairNotes),
            ("other", "Chair's notes of AI 7", false, TdocKind::ChairNotes),
            ("discussion", "Summary #2 of discussion on beams", true, TdocKind::Summary),
            ("discussion", "Summary of our simulations", false, TdocKind::Contribution),
            ("other", "Feature lead summary on beams", false, TdocKind::Summary),
            ("discussion", "[100e] Feature Lead\u{2019}s Summary #2", false, TdocKind::Summary),
            ("discussion", "Comments on FL summary", false, TdocKind::Contribution),
            ("other", "Chairman\u{2019}s Notes of 7.2", false, TdocKind::ChairNotes),
            ("report", "Chairmans Notes at close of sessions", false, TdocKind::ChairNotes),
            ("report", "Report of [107#51][NR] Beams", false, TdocKind::Report),
            ("report", "Draft Report of SA WG2 meeting #163", false, TdocKind::MeetingReport),
            ("", "Topic summary for [119][362]", true, TdocKind::Summary),
            ("", "23.901 CR0007 (Rel-18, 'F'): Summary of beams", false, TdocKind::Cr),
            ("discussion", "23.901 CR0007 (Rel-18, 'F'): Beams", false, TdocKind::Contribution),
        ] {
            let entry = entry("R1-2400001", &[(Column::Type, doc_type), (Column::Title, title)]);
            let roles = if editor { &[PartyRole::Editor][..] } else { &[PartyRole::Submitter] };
            assert_eq!(TdocKind::from_entry(&entry, roles), kind, "{doc_type}: {title}");
        }
    }
}
