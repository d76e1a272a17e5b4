//! Search of the text of meeting documents, for people.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    PART, percent_encode, record_path, render_candidates, render_sources, text::anchor_path,
};
use crate::{
    http::{Edge, failure_status},
    ui::{
        page::{PageFrame, refusal_page, render_page},
        page_query::PageQuery,
        person::{PayingPerson, Person},
        run::{OperationArguments, run_operation},
        sign_in::fault_line,
    },
};
use wire::{
    Failure,
    records::{TdocCoverage, TdocPassage, TdocSearchReply},
};

const SEARCH_PATH: &str = "/contributions/search";
/// Passages on the page.
const PASSAGES_PER_PAGE: u64 = 20;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route(SEARCH_PATH, get(show_tdoc_search))
}

/// What the form asks for.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct TdocSearchPageQuery {
    q: String,
    source: String,
    meeting: String,
    agenda_item: String,
    status: String,
    kind: String,
}

impl TdocSearchPageQuery {
    fn to_arguments(&self) -> OperationArguments {
        let mut filters = Map::new();
        for (name, value) in [
            ("source", &self.source),
            ("meeting", &self.meeting),
            ("agenda_item", &self.agenda_item),
            ("status", &self.status),
        ] {
            if !value.trim().is_empty() {
                filters.insert(name.to_owned(), Value::from(value.trim()));
            }
        }
        let mut arguments = OperationArguments::default()
            .with_argument("query", self.q.trim())
            .with_argument("rerank_top_k", PASSAGES_PER_PAGE);
        if !filters.is_empty() {
            arguments = arguments.with_argument("filters", Value::Object(filters));
        }
        if !self.kind.is_empty() {
            arguments = arguments.with_argument("unit_types", Value::from(vec![self.kind.clone()]));
        }
        arguments
    }
}

async fn show_tdoc_search(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PageQuery(asked): PageQuery<TdocSearchPageQuery>,
) -> Response {
    if asked.q.trim().is_empty() {
        let body = html! { p.quiet { "Only documents whose files were fetched are searched." } };
        return search_page(&person, &asked, None, body);
    }
    match run_operation::<TdocSearchReply>(&edge, &person, "search_tdocs", asked.to_arguments())
        .await
    {
        Ok(reply) => search_page(&person, &asked, None, render_results(&reply)),
        Err(failure @ Failure::OrganizationAmbiguous { .. }) => {
            let Failure::OrganizationAmbiguous { name, candidates: found } = &failure else {
                return refusal_page(Some(&person), &failure);
            };
            let path = |id: &str| {
                format!(
                    "{SEARCH_PATH}?q={}&source={}",
                    percent_encode(&asked.q),
                    percent_encode(id)
                )
            };
            let body = html! {
                p { "\u{201c}" (name) "\u{201d} may be several organizations. Which is it?" }
                (render_candidates(found, path))
            };
            search_page(&person, &asked, Some(&failure), body)
        }
        Err(Failure::InvalidParameter { parameter, message }) => {
            let failure = Failure::InvalidParameter { parameter, message: message.clone() };
            search_page(&person, &asked, Some(&failure), fault_line(Some(&message)))
        }
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

fn search_page(
    person: &Person,
    asked: &TdocSearchPageQuery,
    failure: Option<&Failure>,
    body: Markup,
) -> Response {
    let body = html! {
        p.facts { a href=(PART) { "Contributions" } }
        h1 { "What was contributed" }
        (render_form(asked))
        (body)
    };
    let frame = PageFrame { title: "Search of contributions", person: Some(person), part: PART };
    let mut response = render_page(&frame, body);
    if let Some(failure) = failure {
        *response.status_mut() = failure_status(failure);
    }
    response
}

fn render_form(asked: &TdocSearchPageQuery) -> Markup {
    let kinds = [
        ("", "all text"),
        ("proposal", "proposals"),
        ("observation", "observations"),
        ("body", "other text"),
    ];
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
                label.hidden for="q" { "Question" }
                input #q type="search" name="q" value=(asked.q) maxlength="4000" required
                    placeholder="What did a company propose on a topic?" data-slash;
                button type="submit" { "Search" }
            }
            fieldset.filters {
                legend.hidden { "Filters" }
                (text("source", "Submitted by", &asked.source, 16, ""))
                (text("meeting", "Meeting", &asked.meeting, 10, "RAN1#118"))
                (text("agenda_item", "Agenda item", &asked.agenda_item, 7, "8.1"))
                (text("status", "Status", &asked.status, 12, "agreed,noted"))
                label { "In "
                    select name="kind" {
                        @for (value, name) in kinds {
                            option value=(value) selected[asked.kind == value] { (name) }
                        }
                    }
                }
            }
        }
    }
}

fn render_results(reply: &TdocSearchReply) -> Markup {
    html! {
        @if !reply.degraded.is_empty() {
            p.fault { "A part of the search failed (" (reply.degraded.join(", ")) "): the answer may miss something." }
        }
        @if !reply.unknown_terms.is_empty() {
            p.fault { "In no document stands: " (reply.unknown_terms.join(", ")) "." }
        }
        (render_coverage(&reply.coverage))
        @if reply.results.is_empty() { p.empty { "Nothing was found in those." } }
        ol.results {
            @for result in &reply.results { (render_passage(result)) }
        }
    }
}

fn render_coverage(coverage: &TdocCoverage) -> Markup {
    html! {
        p.quiet {
            "Searched: " (coverage.indexed_tdocs) " of " (coverage.registered_tdocs) " documents of "
            @if coverage.meetings.len() > 8 { (coverage.meetings.len()) " meetings" }
            @else if coverage.meetings.is_empty() { "no meeting" }
            @else { (coverage.meetings.join(", ")) }
            "."
        }
    }
}

fn render_passage(result: &TdocPassage) -> Markup {
    html! {
        li.result {
            h2 {
                a href=(anchor_path(&result.tdoc_id, &result.anchor)) {
                    (result.tdoc_id) " " (result.title)
                }
            }
            p.facts {
                (render_sources(&result.sources)) " \u{b7} " (result.meeting.name)
                " " span.tag title=(result.status_label) { (result.status) }
                @if result.unit_type != "body" { " " span.tag { (result.unit_type) } }
                @if let Some(page) = result.page { " page " (page) }
            }
            @if let Some(text) = &result.text { p.lines { (text) } }
            p.quiet {
                a href=(record_path(&result.tdoc_id)) { "Record" }
                @if !result.also_in.is_empty() {
                    " Also in "
                    @for (at, other) in result.also_in.iter().enumerate() {
                        @if at > 0 { ", " }
                        a href=(anchor_path(&other.tdoc_id, &other.anchor)) { (other.tdoc_id) }
                    }
                }
            }
        }
    }
}
