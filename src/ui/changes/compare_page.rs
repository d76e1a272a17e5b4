//! The page of two versions: which sections differ, and what differs in them.

use maud::{Markup, html};

use super::differences::render_difference;
use crate::ui::{
    empty_state::empty_state,
    export::export_links,
    reader_path::{compare_path, history_path, reader_path},
};
use domain::DifferenceCounts;
use wire::{
    records::{DocumentComparison, SectionComparison, SectionDifferenceSummary},
    values::SectionChangeKind,
};

/// What the page compares, as its form has it.
pub(super) struct CompareForm {
    pub(super) doc_number: String,
    /// The indexed versions, the newest first.
    pub(super) versions: Vec<String>,
    pub(super) from: String,
    pub(super) to: String,
    /// The section that is shown; the whole document if there is none.
    pub(super) section: Option<String>,
    /// Whether both versions are shown side by side.
    pub(super) is_split: bool,
}

impl CompareForm {
    fn path(&self, section: Option<&str>, is_split: bool, offset: u32) -> String {
        let mut path = compare_path(&self.doc_number, Some(&self.from), Some(&self.to), section);
        if is_split {
            path.push_str("&view=split");
        }
        if offset > 0 {
            path.push_str(&format!("&offset={offset}"));
        }
        path
    }

    fn render(&self) -> Markup {
        let choice = |name: &str, label: &str, chosen: &str| {
            html! {
                label { (label) " "
                    select name=(name) {
                        @for version in &self.versions {
                            option value=(version) selected[version == chosen] { (version) }
                        }
                    }
                }
            }
        };
        html! {
            form.inline.compared method="get" action={ "/read/" (self.doc_number) "/compare" } {
                (choice("from", "From", &self.from))
                (choice("to", "to", &self.to))
                @if let Some(section) = &self.section { input type="hidden" name="section" value=(section); }
                @if self.is_split { input type="hidden" name="view" value="split"; }
                button type="submit" { "Compare" }
            }
        }
    }
}

/// The sections of a document that differ.
pub(super) fn render_document(
    form: &CompareForm,
    reply: &DocumentComparison,
    offset: u32,
) -> Markup {
    let counts = &reply.section_counts;
    let largest = reply.sections.iter().map(|section| size(&section.counts)).max().unwrap_or(1);
    html! {
        h1 { "What changed in " (reply.doc_number) }
        (form.render())
        (render_warning(reply.branch_warning.as_deref()))
        p {
            strong { (counts.changed) } " sections changed, "
            strong { (counts.added) } " added, "
            strong { (counts.removed) } " removed"
            @for (count, word) in [(counts.renamed, "renamed"), (counts.renumbered, "renumbered"),
                (counts.moved, "moved"), (counts.voided, "voided"), (counts.reformatted, "reformatted")] {
                @if count > 0 { ", " strong { (count) } " " (word) }
            }
            ". " (counts.unchanged) " sections are unchanged. "
            (reply.counts.words_inserted) " words were inserted and " (reply.counts.words_deleted) " deleted."
        }
        @if reply.sections.is_empty() {
            (empty_state("These versions are identical.", html! { "Choose other versions above." }))
        } @else {
            div.actions-line { (export_links(&form.path(None, false, 0))) }
            table.changed-sections {
                thead { tr { th { "Section" } th { "Change" } th { "Words" } } }
                tbody { @for section in &reply.sections { (section_row(form, section, largest)) } }
            }
        }
        (render_pages(form, None, offset, reply.sections.len(), reply.total))
    }
}

fn render_warning(warning: Option<&str>) -> Markup {
    html! { @if let Some(warning) = warning { p.note { (warning) } } }
}

fn size(counts: &DifferenceCounts) -> u64 {
    counts.words_inserted + counts.words_deleted
}

fn section_row(form: &CompareForm, section: &SectionDifferenceSummary, largest: u64) -> Markup {
    let number = section.section_number.as_ref().or(section.old_section_number.as_ref());
    let counts = &section.counts;
    html! {
        tr {
            td {
                @if let Some(number) = number {
                    a href=(form.path(Some(number), form.is_split, 0)) { (section.print_heading()) }
                }
                @if let Some(whole) = &section.split_from { span.quiet { " split from " (whole) } }
                @if let Some(whole) = &section.merged_into { span.quiet { " merged into " (whole) } }
            }
            td { (change_tags(section)) " " span.quiet { (describe_parts(counts)) } }
            td {
                span.plus { "+" (counts.words_inserted) } " " span.minus { "\u{2212}" (counts.words_deleted) }
                " " meter.amount min="0" max=(largest) value=(size(counts)) aria-hidden="true" {}
            }
        }
    }
}

pub(super) fn change_tags(section: &SectionDifferenceSummary) -> Markup {
    let class = |kind: SectionChangeKind| match kind {
        SectionChangeKind::Added => "tag plus",
        SectionChangeKind::Removed | SectionChangeKind::Voided => "tag minus",
        _ => "tag",
    };
    html! { @for kind in &section.changes { span class=(class(*kind)) { (kind) } " " } }
}

/// Tables, figures, formulas and code, as far as they differ.
fn describe_parts(counts: &DifferenceCounts) -> String {
    let parts = [
        (counts.tables, "table", "tables"),
        (counts.figures, "figure", "figures"),
        (counts.formulas, "formula", "formulas"),
        (counts.code_lines, "line of code", "lines of code"),
    ];
    let parts = parts.into_iter().filter_map(|(tally, one, many)| {
        let count = tally.inserted + tally.deleted + tally.changed + tally.moved;
        match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{count} {many}")),
        }
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// The differences of a section, and of those below it.
pub(super) fn render_sections(
    form: &CompareForm,
    reply: &SectionComparison,
    offset: u32,
) -> Markup {
    let section = form.section.as_deref().unwrap_or_default();
    html! {
        h1 { "What changed in " (reply.doc_number) ", " (section) }
        p { a href=(form.path(None, form.is_split, 0)) { "\u{2190} All sections that differ" } }
        (form.render())
        (render_warning(reply.branch_warning.as_deref()))
        p.views {
            @if form.is_split {
                a href=(form.path(Some(section), false, offset)) { "Inline" } " \u{b7} " strong { "Side by side" }
            } @else {
                strong { "Inline" } " \u{b7} " a href=(form.path(Some(section), true, offset)) { "Side by side" }
            }
            " \u{b7} " a href=(history_path(&reply.doc_number, &reply.to, section)) { "History" }
        }
        @if reply.sections.is_empty() {
            p.empty { "Section " (section) " and its subsections are identical in both versions." }
        }
        @for section in &reply.sections {
            @let summary = &section.summary;
            article.difference {
                h2 { (summary.print_heading()) " " (change_tags(summary)) }
                p.facts {
                    @if let Some(number) = &summary.old_section_number {
                        a href=(reader_path(&reply.doc_number, &reply.from, Some(number))) { (reply.from) } " "
                    }
                    @if let Some(number) = &summary.section_number {
                        a href=(reader_path(&reply.doc_number, &reply.to, Some(number))) { (reply.to) }
                    }
                }
                (render_difference(section.hunks.as_deref().unwrap_or_default(), form.is_split))
            }
        }
        (render_pages(form, form.section.as_deref(), offset, reply.sections.len(), reply.total))
    }
}

fn render_pages(
    form: &CompareForm,
    section: Option<&str>,
    offset: u32,
    shown: usize,
    total: u64,
) -> Markup {
    let next = offset.saturating_add(shown as u32);
    html! {
        @if u64::from(next) < total && shown > 0 {
            p { a href=(form.path(section, form.is_split, next)) { "Next sections (" (total) " differ) \u{2192}" } }
        }
    }
}
