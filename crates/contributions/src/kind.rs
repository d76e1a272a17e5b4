//! The kind of a TDoc.

use domain::DocKind;
use std::sync::LazyLock;

use domain::SourceRole;
use regex::Regex;
use register::{Column, RegisterEntry};

use super::titled_change::is_titled_change;

/// Types in registers with the kind they mean; letters and digits alone, in lower case, since spellings differ. The
/// other types (`discussion`, `other`, `response` and none) do not give the kind: the title does.
const REGISTER_TYPES: [(&str, DocKind); 34] = [
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

/// Titles of chair notes and session notes.
static CHAIR_NOTES: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"(?i)\b(chair(man|woman|person)?('?s)?|session|breakout|ad[- ]?hoc( chair('?s)?)?)\s+(session\s+)?notes\b",
    )
});
/// Titles of meeting reports. They name a meeting: the register gives other reports the same type.
static MEETING_REPORT: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"(?i)\b(report|minutes)\b.*(\b(meeting|session|conference call|workshop)\b|\b(RAN|SA|CT)\s?(WG)?\s?\d?\s?#\s?\d|\b[RSC][1-6P]-\d{2,3}\b)|(\bmeeting\b|\b(RAN|SA|CT)\s?(WG)?\s?\d?\s?#\s?\d+\S*|\b[RSC][1-6P]-\d{2,3}\b).*\b(report|minutes)\b",
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

/// The kind of a document that a register lists; `roles` are the roles of its sources.
pub(crate) fn kind_of_entry(entry: &RegisterEntry, roles: &[SourceRole]) -> DocKind {
    // Some titles have a typographic apostrophe.
    let title = entry.column_text(Column::Title).unwrap_or_default().replace('\u{2019}', "'");
    let title = title.as_str();
    match kind_of_register_type(entry) {
        Some(DocKind::Report) if CHAIR_NOTES.is_match(title) => DocKind::ChairNotes,
        Some(DocKind::Report) if MEETING_REPORT.is_match(title) => DocKind::MeetingReport,
        Some(kind) => kind,
        None if is_titled_change(entry) => DocKind::Cr,
        None if CHAIR_NOTES.is_match(title) => DocKind::ChairNotes,
        // Companies also write "Summary of our results"; only an editor summarises the contributions of others.
        None if SUMMARY.is_match(title) && roles.contains(&SourceRole::Editor) => DocKind::Summary,
        None if is_feature_lead_summary(title) => DocKind::Summary,
        None => DocKind::Contribution,
    }
}

/// The kind that the type in a register gives; `None` for `discussion`, `other` and the like.
pub(super) fn kind_of_register_type(entry: &RegisterEntry) -> Option<DocKind> {
    let text = entry.column_text(Column::Type)?;
    let plain: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
    let plain = plain.to_ascii_lowercase();
    REGISTER_TYPES.iter().find(|(word, _)| *word == plain).map(|(_, kind)| *kind)
}

/// Titles of summaries from before sources named moderators: they begin with the feature lead, after tags in brackets.
/// Only the beginning counts: "Comments on FL summary" is a company's view.
static FEATURE_LEAD_SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"(?i)^(\[[^\]]*\]|[^\pL\d])*((draft|final|updated|revised|\d+(st|nd|rd|th)|offline)\s+)*(feature lead('?s)?|fl|moderator('?s)?)\s+summary\b",
    )
});

fn is_feature_lead_summary(title: &str) -> bool {
    FEATURE_LEAD_SUMMARY.is_match(title)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::tests::entry;

    #[test]
    fn the_kind_follows_from_type_title_and_sources() {
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
            ("", "23.901 CR0007 (Rel-18, 'F'): Summary of beams", false, DocKind::Cr),
            ("discussion", "23.901 CR0007 (Rel-18, 'F'): Beams", false, DocKind::Contribution),
        ] {
            let entry = entry("R1-2400001", &[(Column::Type, doc_type), (Column::Title, title)]);
            let roles = if editor { &[SourceRole::Editor][..] } else { &[SourceRole::Submitter] };
            assert_eq!(kind_of_entry(&entry, roles), kind, "{doc_type}: {title}");
        }
    }
}
