//! The page of a change request: each clause before and after, and whether the indexed version still has what it
//! changes.

use maud::{Markup, html};

use super::{compare_page::change_tags, differences::render_difference};
use crate::ui::paths::{record_path, request_path};
use crate::ui::{
    reader_path::{compare_path, history_path, reader_path},
    status_badge::status_badge,
};
use domain::ChangeCover;
use wire::{
    records::{
        ChangeBaseline, ChangeRequestDetails, IncomingReference, RecordedChange, RevisedClause,
    },
    values::{BaselineFit, TrackedChangesStatus},
};

/// A change request with the clauses that it changes. `is_indexed` says whether the version of a recorded change is
/// indexed.
pub(super) fn render_request(
    details: &ChangeRequestDetails,
    is_indexed: impl Fn(&RecordedChange) -> bool,
    is_split: bool,
    offset: u32,
) -> Markup {
    let document = &details.document;
    html! {
        p.facts { a href=(record_path(&document.tdoc_id)) { "\u{2190} " (document.tdoc_id) } }
        h1 { "What " (document.tdoc_id) " changes" }
        p { strong { (document.title) } " " (status_badge(&document.status.to_string())) }
        @if let Some(cover) = &document.cover { (render_cover(cover)) }
        @if let Some(baseline) = &details.baseline { (render_baseline(baseline)) }
        (render_outcome(details, is_indexed))
        @match details.tracked_changes {
            TrackedChangesStatus::Read => {
                (render_views(&document.tdoc_id, is_split, offset))
                @for section in &details.sections {
                    (render_section(section, details.baseline.as_ref(), is_split))
                }
                (render_pages(details, is_split, offset))
            }
            TrackedChangesStatus::None => p.empty { "The file has no tracked changes." },
            TrackedChangesStatus::NotRetrieved => {
                p.empty {
                    "The file has not been read yet. "
                    a href=(record_path(&document.tdoc_id)) { "Fetch it" } " to see its changes."
                }
            }
        }
    }
}

fn render_cover(cover: &ChangeCover) -> Markup {
    let rows = [
        ("Reason for change", &cover.reason),
        ("Summary of change", &cover.summary),
        ("Consequences if not approved", &cover.consequences),
        ("Clauses affected", &cover.clauses),
    ];
    html! {
        dl {
            @for (name, value) in rows {
                @if let Some(value) = value { dt { (name) } dd { (value) } }
            }
        }
    }
}

fn render_baseline(baseline: &ChangeBaseline) -> Markup {
    let compared = &baseline.compared_version;
    let is_stated = baseline.stated_version.as_ref() == Some(compared);
    html! {
        p {
            @match &baseline.stated_version {
                Some(stated) => { "Written against " (baseline.doc_number) " " (stated) ". " }
                None => { "The cover does not name a version of " (baseline.doc_number) ". " }
            }
            @if !is_stated { "Compared with " (compared) ". " }
            @match (baseline.fits, baseline.moved_on.as_slice()) {
                (Some(true), _) => { span.tag.plus { "fits" } }
                (Some(false), []) => { span.tag.plus { "implemented" } }
                (Some(false), clauses) => {
                    span.tag.minus { "changed since" } " The text of " (clauses.join(", ")) " was changed in " (compared) "."
                }
                (None, _) => {}
            }
        }
    }
}

/// Its outcome: versions that record it, decisions, mirrors.
fn render_outcome(
    details: &ChangeRequestDetails,
    is_indexed: impl Fn(&RecordedChange) -> bool,
) -> Markup {
    html! {
        @for change in &details.recorded {
            p {
                "Implemented in "
                @match (&details.baseline, &change.new_version) {
                    (Some(baseline), Some(version)) if is_indexed(change) => {
                        a href=(compare_path(&baseline.doc_number, None, Some(version), None)) { (version) }
                    }
                    (_, Some(version)) => (version),
                    (_, None) => "a version that is not named in the annex",
                }
                @if let Some(revision) = &change.cr_revision { " as revision " (revision) }
                @if let Some(meeting) = &change.meeting { " (" (meeting) ")" } "."
            }
        }
        @for decision in &details.decisions {
            blockquote { (decision.quote) footer.quiet { (decision.meeting_id) } }
        }
        @if !details.mirrors.is_empty() {
            p {
                "The same change in other releases: "
                @for (index, mirror) in details.mirrors.iter().enumerate() {
                    @if index > 0 { ", " }
                    a href=(request_path(&mirror.tdoc_id)) { (mirror.tdoc_id) }
                    @if let Some(release) = &mirror.release { " " (release) }
                    @if let Some(category) = &mirror.category { " (" (category) ")" }
                }
            }
        }
    }
}

fn page_path(tdoc_id: &str, is_split: bool, offset: u32) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    if is_split {
        query.append_pair("view", "split");
    }
    if offset > 0 {
        query.append_pair("offset", &offset.to_string());
    }
    match query.finish() {
        query if query.is_empty() => request_path(tdoc_id),
        query => format!("{}?{query}", request_path(tdoc_id)),
    }
}

fn render_views(tdoc_id: &str, is_split: bool, offset: u32) -> Markup {
    html! {
        p.views {
            @if is_split {
                a href=(page_path(tdoc_id, false, offset)) { "Inline" } " \u{b7} " strong { "Side by side" }
            } @else {
                strong { "Inline" } " \u{b7} " a href=(page_path(tdoc_id, true, offset)) { "Side by side" }
            }
        }
    }
}

fn render_section(
    section: &RevisedClause,
    baseline: Option<&ChangeBaseline>,
    is_split: bool,
) -> Markup {
    let summary = &section.difference.summary;
    let number = summary.old_section_number.as_ref().or(summary.section_number.as_ref());
    html! {
        article.difference {
            h2 { (summary.print_heading()) " " (change_tags(summary)) }
            p.facts {
                @if let (Some(baseline), Some(number)) = (baseline, number) {
                    @if section.fit != Some(BaselineFit::NoClause) && summary.old_section_number.is_some() {
                        a href=(reader_path(&baseline.doc_number, &baseline.compared_version, Some(number))) {
                            (baseline.doc_number) " " (baseline.compared_version)
                        }
                        " \u{b7} "
                        a href=(history_path(&baseline.doc_number, &baseline.compared_version, number)) { "History" }
                        " \u{b7} "
                    }
                    @if let Some(fit) = section.fit { (describe_fit(fit, &baseline.compared_version)) }
                }
            }
            (render_difference(section.difference.hunks.as_deref().unwrap_or_default(), is_split))
            @if section.cited_by_total > 0 {
                details {
                    summary {
                        @match section.cited_by_total {
                            1 => "Cited once",
                            count => { "Cited " (count) " times" },
                        }
                    }
                    ul { @for citation in &section.cited_by { (render_citation(citation)) } }
                }
            }
        }
    }
}

fn render_citation(citation: &IncomingReference) -> Markup {
    let section = &citation.section_number;
    html! {
        li {
            a href=(reader_path(&citation.doc_number, &citation.version, Some(section))) {
                (citation.doc_number) ", " (section)
                @if let Some(title) = &citation.section_title { " " (title) }
            }
            p.quiet { (citation.sentence) }
        }
    }
}

fn describe_fit(fit: BaselineFit, version: &str) -> Markup {
    match fit {
        BaselineFit::Fits => html! { span.tag.plus { "fits " (version) } },
        BaselineFit::CarriedOut => html! { span.tag.plus { "implemented in " (version) } },
        BaselineFit::MovedOn => html! { span.tag.minus { "different text in " (version) } },
        BaselineFit::NoClause => html! { span.tag.minus { "no such clause in " (version) } },
    }
}

fn render_pages(details: &ChangeRequestDetails, is_split: bool, offset: u32) -> Markup {
    let next = offset.saturating_add(details.sections.len() as u32);
    html! {
        @if u64::from(next) < details.total && !details.sections.is_empty() {
            p {
                a href=(page_path(&details.document.tdoc_id, is_split, next)) {
                    "Next clauses (" (details.total) " in total) \u{2192}"
                }
            }
        }
    }
}
