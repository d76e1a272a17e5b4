//! Search of the text of meeting documents, for people.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};
use serde::Deserialize;
use url::form_urlencoded::Serializer;

use super::{PART, render_candidates, render_sources};
use crate::ui::paths::{record_path, text_path};
use crate::{
    http::{Edge, failure_status},
    ui::{
        empty_state::explained_state,
        evidence::QuoteLink,
        export::{ExportFormat, export_links, export_rows},
        page::{PageFrame, refusal_page, render_content_page},
        page_query::PageQuery,
        person::Person,
        run::{ExplainedReply, entered_text, run_explained},
        sign_in::fault_line,
        visitor::PayingPerson,
    },
};
use wire::{
    Failure,
    params::{SearchTdocs, TdocFilters},
    records::{DiagnosisReason, TdocCoverage, TdocPassage, TdocSearchReply},
    values::{SearchPath, UnitType},
};

const SEARCH_PATH: &str = "/contributions/search";
/// Passages on the page.
const PASSAGES_PER_PAGE: u32 = 20;
/// If there are more meetings, they are counted, not named: their names would push the results down.
const MAX_NAMED_MEETINGS: usize = 8;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route(SEARCH_PATH, get(show_tdoc_search))
}

/// A kind of text that the form offers.
struct ContributionTextKind {
    value: &'static str,
    label: &'static str,
    unit_type: Option<UnitType>,
}

const TEXT_KINDS: [ContributionTextKind; 4] = [
    ContributionTextKind { value: "", label: "all text", unit_type: None },
    ContributionTextKind {
        value: "proposal",
        label: "proposals",
        unit_type: Some(UnitType::Proposal),
    },
    ContributionTextKind {
        value: "observation",
        label: "observations",
        unit_type: Some(UnitType::Observation),
    },
    ContributionTextKind { value: "body", label: "other text", unit_type: Some(UnitType::Body) },
];

/// The query string of the page, as its form sends it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct TdocSearchPageQuery {
    q: String,
    source: String,
    meeting: String,
    agenda_item: String,
    status: String,
    kind: String,
    /// `csv` or `json` if the passages are wanted as a file.
    format: String,
}

impl TdocSearchPageQuery {
    /// The path of the same search with another source.
    fn path_with_source(&self, source: &str) -> String {
        let mut query = Serializer::new(String::new());
        let fields: [(&str, &str); 6] = [
            ("q", self.q.as_str()),
            ("source", source),
            ("meeting", &self.meeting),
            ("agenda_item", &self.agenda_item),
            ("status", &self.status),
            ("kind", &self.kind),
        ];
        for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_empty()) {
            query.append_pair(name, value);
        }
        format!("{SEARCH_PATH}?{}", query.finish())
    }

    fn to_parameters(&self) -> Result<SearchTdocs, Failure> {
        let filters = TdocFilters {
            source: entered_text(&self.source),
            meeting: entered_text(&self.meeting),
            agenda_item: entered_text(&self.agenda_item),
            status: entered_text(&self.status),
            ..TdocFilters::default()
        };
        let kind = TEXT_KINDS.iter().find(|kind| kind.value == self.kind);
        // Our own form sends no other value.
        let kind = kind.ok_or(Failure::Validation(Vec::new()))?;
        Ok(SearchTdocs {
            query: self.q.trim().to_owned(),
            filters: (filters != TdocFilters::default()).then_some(filters),
            unit_types: kind.unit_type.map(|unit_type| vec![unit_type]),
            rerank_top_k: PASSAGES_PER_PAGE,
            ..SearchTdocs::default()
        })
    }
}

async fn show_tdoc_search(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PageQuery(query): PageQuery<TdocSearchPageQuery>,
) -> Response {
    if query.q.trim().is_empty() {
        let body = html! { p.quiet { "Searches only documents that have been fetched." } };
        return search_page(&person, &query, None, body);
    }
    let parameters = match query.to_parameters() {
        Ok(parameters) => parameters,
        Err(failure) => return refusal_page(Some(&person), &failure),
    };
    match run_explained(&edge, &person, parameters).await {
        Ok(ExplainedReply { reply, diagnosis }) => {
            if let Some(format) = ExportFormat::from_word(&query.format) {
                return export_rows("contribution-passages", format, &reply.results);
            }
            let back = query.path_with_source(&query.source);
            search_page(&person, &query, None, render_results(&reply, &diagnosis, &back))
        }
        Err(failure @ Failure::OrganizationAmbiguous { .. }) => {
            let Failure::OrganizationAmbiguous { name, candidates } = &failure else {
                return refusal_page(Some(&person), &failure);
            };
            let body = html! {
                p { "\u{201c}" (name) "\u{201d} matches several organizations. Choose one:" }
                (render_candidates(candidates, |id| query.path_with_source(id)))
            };
            search_page(&person, &query, Some(&failure), body)
        }
        Err(Failure::InvalidParameter { parameter, message }) => {
            let failure = Failure::InvalidParameter { parameter, message: message.clone() };
            search_page(&person, &query, Some(&failure), fault_line(Some(&message)))
        }
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

fn search_page(
    person: &Person,
    query: &TdocSearchPageQuery,
    failure: Option<&Failure>,
    body: Markup,
) -> Response {
    let body = html! {
        p.facts { a href=(PART) { "Contributions" } }
        h1 { "Meeting contributions (TDocs)" }
        (render_form(query))
        (body)
    };
    let frame = PageFrame { title: "Search contributions", person: Some(person), part: PART };
    let mut response = render_content_page(&frame, body);
    if let Some(failure) = failure {
        *response.status_mut() = failure_status(failure);
    }
    response
}

fn render_form(query: &TdocSearchPageQuery) -> Markup {
    let text =
        |name: &'static str, label: &'static str, value: &str, size: u8, hint: &'static str| {
            html! {
                label { (label) " "
                    input type="text" name=(name) value=(value) size=(size) maxlength="200"
                        placeholder=(hint);
                }
            }
        };
    html! {
        form.search method="get" action=(SEARCH_PATH) role="search" {
            div.line {
                label.hidden for="q" { "Query" }
                input #q type="search" name="q" value=(query.q) maxlength="4000" required
                    placeholder="What did a company propose on a topic?" data-slash;
                button type="submit" { "Search" }
            }
            fieldset.filters {
                legend.hidden { "Filters" }
                (text("source", "Submitted by", &query.source, 16, ""))
                (text("meeting", "Meeting", &query.meeting, 10, "RAN1#118"))
                (text("agenda_item", "Agenda item", &query.agenda_item, 7, "8.1"))
                (text("status", "Status", &query.status, 12, "agreed,noted"))
                label { "Part "
                    select name="kind" {
                        @for kind in &TEXT_KINDS {
                            option value=(kind.value) selected[query.kind == kind.value] { (kind.label) }
                        }
                    }
                }
            }
        }
    }
}

/// The results; `back` is the path of the search.
fn render_results(reply: &TdocSearchReply, diagnosis: &[DiagnosisReason], back: &str) -> Markup {
    html! {
        @if !reply.degraded.is_empty() {
            p.fault { "Part of the search failed (" (join_paths(&reply.degraded)) "). Results may be incomplete." }
        }
        @if !reply.unknown_terms.is_empty() {
            p.fault { "Not in any document: " (reply.unknown_terms.join(", ")) "." }
        }
        (render_coverage(&reply.coverage))
        @if reply.results.is_empty() {
            (explained_state("No results in these documents.", diagnosis, html! {
                "Only documents that were fetched are searched. " a href=(PART) { "Find documents by title, company or meeting" } "."
            }))
        } @else { div.actions-line { (export_links(back)) } }
        ol.results {
            @for result in &reply.results { (render_passage(result, back)) }
        }
    }
}

fn join_paths(paths: &[SearchPath]) -> String {
    paths.iter().map(SearchPath::to_string).collect::<Vec<_>>().join(", ")
}

fn render_coverage(coverage: &TdocCoverage) -> Markup {
    html! {
        p.quiet {
            "Searched: " (coverage.indexed_tdocs) " of " (coverage.known_tdocs) " documents of "
            @if coverage.meetings.len() > MAX_NAMED_MEETINGS {
                (coverage.meetings.len()) " meetings"
            } @else if coverage.meetings.is_empty() { "no meetings" }
            @else { (coverage.meetings.join(", ")) }
            "."
        }
    }
}

fn render_passage(result: &TdocPassage, back: &str) -> Markup {
    let address = |tdoc_id: &str, anchor: &str, last_anchor: Option<&str>| {
        QuoteLink { anchor, last_anchor, back: Some(back) }.address_in(&text_path(tdoc_id))
    };
    html! {
        li.result {
            h2 {
                a href=(address(&result.tdoc_id, &result.anchor, result.last_anchor.as_deref())) {
                    (result.tdoc_id) " " (result.title)
                }
            }
            p.facts {
                (render_sources(&result.sources)) " \u{b7} " (result.meeting.name)
                " " span.tag title=(result.status_label) { (result.status) }
                @if result.unit_type != UnitType::Body { " " span.tag { (result.unit_type) } }
                @if let Some(page) = result.page { " page " (page) }
            }
            @if let Some(text) = &result.text { p.lines { (text) } }
            p.quiet {
                a href=(record_path(&result.tdoc_id)) { "Record" }
                @if !result.also_in.is_empty() {
                    " Also in "
                    @for (index, other) in result.also_in.iter().enumerate() {
                        @if index > 0 { ", " }
                        a href=(address(&other.tdoc_id, &other.anchor, other.last_anchor.as_deref())) { (other.tdoc_id) }
                    }
                }
            }
        }
    }
}
