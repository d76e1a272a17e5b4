//! Search of the text of meeting documents, for people.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{PART, candidates, encoded, record_path, sources, text::place_path};
use crate::{
    http::{Edge, status_of},
    ui::{
        asked::PageQuery,
        page::{Frame, page, refusal},
        person::{Payer, Person},
        run::{Arguments, run},
        sign_in::fault_line,
    },
};
use wire::{
    Failure,
    records::{TdocCoverage, TdocPassage, TdocSearchReply},
};

const HERE: &str = "/contributions/search";
/// Passages on the page.
const SHOWN: u64 = 20;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route(HERE, get(show))
}

/// What the form asks for.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Asked {
    q: String,
    source: String,
    meeting: String,
    agenda_item: String,
    status: String,
    kind: String,
}

impl Asked {
    fn arguments(&self) -> Arguments {
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
        let mut arguments =
            Arguments::default().with("query", self.q.trim()).with("rerank_top_k", SHOWN);
        if !filters.is_empty() {
            arguments = arguments.with("filters", Value::Object(filters));
        }
        if !self.kind.is_empty() {
            arguments = arguments.with("unit_types", Value::from(vec![self.kind.clone()]));
        }
        arguments
    }
}

async fn show(
    State(edge): State<Arc<Edge>>,
    Payer(person): Payer,
    PageQuery(asked): PageQuery<Asked>,
) -> Response {
    if asked.q.trim().is_empty() {
        let body = html! { p.quiet { "Only documents whose files were fetched are searched." } };
        return framed(&person, &asked, None, body);
    }
    match run::<TdocSearchReply>(&edge, &person, "search_tdocs", asked.arguments()).await {
        Ok(reply) => framed(&person, &asked, None, found(&reply)),
        Err(failure @ Failure::OrganizationAmbiguous { .. }) => {
            let Failure::OrganizationAmbiguous { name, candidates: found } = &failure else {
                return refusal(Some(&person), &failure);
            };
            let path = |id: &str| format!("{HERE}?q={}&source={}", encoded(&asked.q), encoded(id));
            let body = html! {
                p { "\u{201c}" (name) "\u{201d} may be several organizations. Which is it?" }
                (candidates(found, path))
            };
            framed(&person, &asked, Some(&failure), body)
        }
        Err(Failure::InvalidParameter { parameter, message }) => {
            let failure = Failure::InvalidParameter { parameter, message: message.clone() };
            framed(&person, &asked, Some(&failure), fault_line(Some(&message)))
        }
        Err(failure) => refusal(Some(&person), &failure),
    }
}

fn framed(person: &Person, asked: &Asked, failure: Option<&Failure>, body: Markup) -> Response {
    let body = html! {
        p.facts { a href=(PART) { "Contributions" } }
        h1 { "What was contributed" }
        (form(asked))
        (body)
    };
    let frame = Frame { title: "Search of contributions", person: Some(person), part: PART };
    let mut response = page(&frame, body);
    if let Some(failure) = failure {
        *response.status_mut() = status_of(failure);
    }
    response
}

fn form(asked: &Asked) -> Markup {
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
        form.search method="get" action=(HERE) role="search" {
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

fn found(reply: &TdocSearchReply) -> Markup {
    html! {
        @if !reply.degraded.is_empty() {
            p.fault { "A part of the search failed (" (reply.degraded.join(", ")) "): the answer may miss something." }
        }
        @if !reply.unknown_terms.is_empty() {
            p.fault { "In no document stands: " (reply.unknown_terms.join(", ")) "." }
        }
        (reach(&reply.coverage))
        @if reply.results.is_empty() { p.empty { "Nothing was found in those." } }
        ol.results {
            @for result in &reply.results { (passage(result)) }
        }
    }
}

fn reach(coverage: &TdocCoverage) -> Markup {
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

fn passage(result: &TdocPassage) -> Markup {
    html! {
        li.result {
            h2 {
                a href=(place_path(&result.tdoc_id, &result.anchor)) {
                    (result.tdoc_id) " " (result.title)
                }
            }
            p.facts {
                (sources(&result.sources)) " \u{b7} " (result.meeting.name)
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
                        a href=(place_path(&other.tdoc_id, &other.anchor)) { (other.tdoc_id) }
                    }
                }
            }
        }
    }
}
