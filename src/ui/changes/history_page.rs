//! The page of a section's history: the versions in which it changed, and the change requests that did it.

use maud::{Markup, html};

use super::compare_page::change_tags;
use crate::ui::paths::request_path;
use crate::ui::reader_path::{compare_path, reader_path};
use wire::{
    records::{AttributedChange, RecordedChange, SectionHistoryEntry, SectionHistoryReply},
    values::{AttributionCertainty, AttributionEvidence},
};

/// The history of a section as a time line.
pub(super) fn render_history(history: &SectionHistoryReply) -> Markup {
    let back = reader_path(&history.doc_number, &history.to, Some(&history.section_number));
    let title = history.section_title.as_deref().filter(|title| *title != history.section_number);
    html! {
        h1 { "History of " (history.doc_number) ", " (history.section_number) @if let Some(title) = title { " " (title) } }
        p { a href=(back) { "\u{2190} Back to the text" } }
        p {
            "Versions compared: " (history.versions.join(", ")) ". "
            @if !history.other_versions.is_empty() {
                "Not compared, because they are not predecessors: " (history.other_versions.join(", ")) "."
            }
        }
        (render_note(history))
        @if history.changes.is_empty() && history.note.is_none() { p.empty { "The section is identical in all of these versions." } }
        ol.timeline { @for change in &history.changes { (render_entry(&history.doc_number, change)) } }
    }
}

/// Of a section that is only a heading: where its text is, and what changed there.
fn render_note(history: &SectionHistoryReply) -> Markup {
    let compared =
        compare_path(&history.doc_number, None, Some(&history.to), Some(&history.section_number));
    html! {
        @if history.note.is_some() {
            p.note {
                "This section is only a heading; the text is in its subsections. "
                a href=(compared) { "Show what changed in them" } "."
            }
        }
    }
}

fn render_entry(doc_number: &str, entry: &SectionHistoryEntry) -> Markup {
    let difference = &entry.difference;
    let number = difference.section_number.as_ref().or(difference.old_section_number.as_ref());
    let compared =
        compare_path(doc_number, Some(&entry.from), Some(&entry.to), number.map(String::as_str));
    html! {
        li {
            h2 { (entry.to) " " span.quiet { "after " (entry.from) } " " (change_tags(difference)) }
            p { (entry.summary) " " a href=(compared) { "Show changes" } }
            @if entry.is_unattributed {
                p.quiet {
                    "No change request is a certain or likely cause. The annex records "
                    @match entry.recorded_changes {
                        1 => "1 change",
                        count => { (count) " changes" },
                    }
                    " between these versions."
                }
            }
            ul.attributions { @for change in &entry.attributions { (render_attribution(change)) } }
        }
    }
}

fn render_attribution(attributed: &AttributedChange) -> Markup {
    let change = &attributed.change;
    let class = match attributed.certainty {
        AttributionCertainty::Certain => "tag plus",
        AttributionCertainty::Likely | AttributionCertainty::Possible => "tag",
    };
    let evidence: Vec<&str> =
        attributed.evidence.iter().map(|evidence| describe(*evidence)).collect();
    html! {
        li {
            span class=(class) { (attributed.certainty) } " "
            strong {
                @if let Some(number) = &change.cr_number { "CR " (number) }
                @if let Some(revision) = &change.cr_revision { " rev " (revision) }
            }
            @if let Some(subject) = &change.subject { " " (subject) }
            p.quiet { (evidence.join("; ")) }
            (render_places(change))
            @if let Some(reason) = &attributed.reason { p { strong { "Reason: " } (reason) } }
            @for decision in &attributed.decisions {
                blockquote { (decision.quote) footer.quiet { (decision.meeting_id) } }
            }
        }
    }
}

fn render_places(change: &RecordedChange) -> Markup {
    html! {
        p.facts {
            @if let Some(date) = &change.date { (date) " " }
            @if let Some(meeting) = &change.meeting { (meeting) " " }
            (change.meeting_tdocs.join(", "))
            @for entry in &change.registered {
                " \u{b7} " a href=(request_path(&entry.tdoc_id)) { (entry.tdoc_id) }
                @if let Some(sources) = &entry.sources { " " (sources) }
                " (" (entry.status) ", " (entry.meeting_id)
                @if let Some(decision) = &entry.tsg_decision { "; TSG: " (decision) }
                ")"
            }
        }
    }
}

fn describe(evidence: AttributionEvidence) -> &'static str {
    match evidence {
        AttributionEvidence::TrackedChanges => "its tracked changes match the changes here",
        AttributionEvidence::TrackedChangesInPart => {
            "most of its tracked changes match the changes here"
        }
        AttributionEvidence::ChangesClause => "its tracked changes touch this clause",
        AttributionEvidence::OnlyChange => "the only change between these versions",
        AttributionEvidence::OnlyChangeRequest => "the only change request between these versions",
        AttributionEvidence::NamesClause => "names this clause",
        AttributionEvidence::NamesNearbyClause => "names a parent clause or subclause of this one",
        AttributionEvidence::SubjectWords => "words of its subject occur in the changes",
    }
}
