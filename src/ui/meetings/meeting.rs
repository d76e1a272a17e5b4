//! A meeting: its agenda, its decisions with a filter, its key documents, and where decisions come from.

use std::{collections::BTreeMap, sync::Arc};

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};
use serde::Deserialize;
use url::form_urlencoded::Serializer;

use super::{
    PART, dates,
    decision::{SOURCES, TYPES, card, name_of},
    encoded, meeting_path,
};
use crate::{
    http::{Edge, status_of},
    ui::{
        asked::{PagePath, PageQuery},
        contributions::record_path,
        page::{Frame, page, refusal},
        person::{Payer, Person},
        run::{Arguments, run},
        sign_in::fault_line,
    },
};
use wire::{
    Failure,
    records::{
        AgendaItemRecord, DecisionListReply, DecisionSourceRecord, KeyDocument, MeetingDetail,
    },
};

/// Decisions on a page.
const ON_A_PAGE: u32 = 100;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/meeting/{meeting_id}", get(show))
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Asked {
    q: String,
    agenda_item: String,
    decision_type: String,
    source_kind: String,
    offset: u32,
}

impl Asked {
    fn path(&self, meeting_id: &str, offset: u32) -> String {
        let mut query = Serializer::new(String::new());
        let fields = [
            ("q", &self.q),
            ("agenda_item", &self.agenda_item),
            ("decision_type", &self.decision_type),
            ("source_kind", &self.source_kind),
        ];
        for (name, value) in fields.into_iter().filter(|(_, value)| !value.trim().is_empty()) {
            query.append_pair(name, value.trim());
        }
        if offset > 0 {
            query.append_pair("offset", &offset.to_string());
        }
        format!("{}?{}", meeting_path(meeting_id), query.finish())
    }
}

async fn show(
    State(edge): State<Arc<Edge>>,
    Payer(person): Payer,
    PagePath(meeting_id): PagePath<String>,
    PageQuery(asked): PageQuery<Asked>,
) -> Response {
    let named = Arguments::default().with("meeting_id", meeting_id.clone());
    let meeting = match run::<MeetingDetail>(&edge, &person, "get_meeting", named).await {
        Ok(meeting) => meeting,
        Err(failure) => return refusal(Some(&person), &failure),
    };
    let arguments = Arguments::default()
        .with("meeting_id", meeting_id)
        .with("q", asked.q.trim())
        .with("agenda_item", asked.agenda_item.trim())
        .with("decision_type", asked.decision_type.trim())
        .with("source_kind", asked.source_kind.trim())
        .with("limit", ON_A_PAGE)
        .with("offset", asked.offset);
    let decided =
        run::<DecisionListReply>(&edge, &person, "list_meeting_decisions", arguments).await;
    let (status, list) = match &decided {
        Ok(reply) => (None, decisions(&asked, &meeting, reply)),
        Err(failure @ Failure::InvalidParameter { message, .. }) => {
            (Some(status_of(failure)), fault_line(Some(message)))
        }
        Err(failure) => return refusal(Some(&person), failure),
    };
    let mut response = meeting_page(&person, &asked, &meeting, &list);
    if let Some(status) = status {
        *response.status_mut() = status;
    }
    response
}

fn meeting_page(
    person: &Person,
    asked: &Asked,
    meeting: &MeetingDetail,
    list: &Markup,
) -> Response {
    let about = &meeting.meeting;
    let body = html! {
        p.facts { a href=(PART) { "Meetings" } }
        h1 { (about.name) }
        p.facts {
            (dates(about)) @if let Some(place) = &about.place { ", " (place) }
            " \u{b7} " a href={ "/contributions?meeting=" (encoded(&about.meeting_id)) } { (about.tdoc_count) " documents" }
            ", " (about.indexed_tdocs) " read"
            @if about.coverage == "partial" { " \u{b7} no full register" }
        }
        div.meeting {
            nav.agenda aria-label="Agenda" { (agenda(asked, meeting)) }
            div {
                (form(asked, meeting))
                (list)
                (sources(meeting))
                (key_documents(&meeting.key_documents))
            }
        }
    };
    page(&Frame { title: &about.name, person: Some(person), part: PART }, body)
}

/// The agenda as a tree: items that have something under them.
fn agenda(asked: &Asked, meeting: &MeetingDetail) -> Markup {
    let depth = |item: &AgendaItemRecord| item.agenda_item.matches('.').count().min(4);
    let all = Asked { agenda_item: String::new(), ..asked.clone() };
    html! {
        h2 { "Agenda" }
        @if meeting.agenda_items.is_empty() { p.quiet { "No agenda is known." } }
        ul {
            li { a href=(all.path(&meeting.meeting.meeting_id, 0)) aria-current=[asked.agenda_item.is_empty().then_some("true")] { "All items" } }
            @for item in &meeting.agenda_items {
                @let own = Asked { agenda_item: item.agenda_item.clone(), ..asked.clone() };
                li class={ "depth" (depth(item)) } {
                    a href=(own.path(&meeting.meeting.meeting_id, 0))
                        aria-current=[(asked.agenda_item == item.agenda_item).then_some("true")] {
                        (item.agenda_item) " " (item.title.as_deref().unwrap_or(""))
                    }
                    @if item.decision_count > 0 { " " span.tag title="decisions" { (item.decision_count) } }
                }
            }
        }
    }
}

fn form(asked: &Asked, meeting: &MeetingDetail) -> Markup {
    html! {
        form.search method="get" action=(meeting_path(&meeting.meeting.meeting_id)) role="search" {
            div.line {
                label.hidden for="q" { "Topic" }
                input #q type="search" name="q" value=(asked.q) maxlength="1000" data-slash data-filter
                    placeholder="What was decided on ... ?";
                button type="submit" { "Find" }
            }
            fieldset.filters {
                legend.hidden { "Filters" }
                label { "Type "
                    select name="decision_type" {
                        option value="" { "all but noted" }
                        @for (value, name) in TYPES {
                            option value=(value) selected[asked.decision_type == value] { (name)
                                " (" (count(&meeting.decisions.counts, value)) ")" }
                        }
                    }
                }
                label { "Source "
                    select name="source_kind" {
                        option value="" { "any" }
                        @for (value, name) in SOURCES {
                            option value=(value) selected[asked.source_kind == value] { (name) }
                        }
                    }
                }
                label { "Agenda item " input type="text" name="agenda_item" value=(asked.agenda_item) size="7" placeholder="8.1"; }
            }
        }
    }
}

fn count(counts: &BTreeMap<String, u64>, word: &str) -> u64 {
    counts.get(word).copied().unwrap_or(0)
}

fn decisions(asked: &Asked, meeting: &MeetingDetail, reply: &DecisionListReply) -> Markup {
    let id = &meeting.meeting.meeting_id;
    html! {
        section aria-label="Decisions" {
            h2 { "Decisions " span.tag { (reply.total) } }
            @if !reply.coverage.has_final_report && !reply.coverage.processed.is_empty() {
                p.note { "Provisional: the final report of the meeting was not taken in." }
            }
            @if reply.coverage.processed.is_empty() {
                p.note { "No notes or report of this meeting were read: what became of documents is what the register says. "
                    code { "specbox meetings import" } " takes notes and reports in." }
            }
            @if reply.items.is_empty() { p.empty { "Nothing passes." } }
            @for decision in &reply.items { (card(decision, &super::decision_path(id, &decision.decision_id))) }
            p.facts {
                @if asked.offset > 0 {
                    a.button.second href=(asked.path(id, asked.offset.saturating_sub(ON_A_PAGE))) { "Before" } " "
                }
                @if let Some(next) = reply.next_offset { a.button.second href=(asked.path(id, next)) { "More" } }
            }
        }
    }
}

fn sources(meeting: &MeetingDetail) -> Markup {
    let row = |source: &DecisionSourceRecord| {
        html! {
            li {
                (name_of(&SOURCES, &source.source_kind)) ": "
                @match &source.tdoc_id {
                    Some(id) => { a href=(record_path(id)) { (source.title) } }
                    None => { (source.title) }
                }
                @if let Some(version) = &source.version { " " span.tag { (version) } }
                @if source.is_final { " " span.tag { "final" } }
                @match source.status.as_str() {
                    "processed" => { " " span.quiet { (source.decision_count) " decisions" } }
                    _ => { " " span.tag { "not read" } }
                }
                @for reason in &source.partial_reasons { " " span.quiet { "In part: " (reason) "." } }
            }
        }
    };
    html! {
        section aria-label="Sources" {
            h2 { "Where decisions come from" }
            @if meeting.decision_sources.is_empty() { p.quiet { "No notes or reports are known." } }
            ul { @for source in &meeting.decision_sources { (row(source)) } }
        }
    }
}

fn key_documents(documents: &[KeyDocument]) -> Markup {
    html! {
        @if !documents.is_empty() {
            details {
                summary { "Key documents (" (documents.len()) ")" }
                ul {
                    @for document in documents {
                        li {
                            a href=(record_path(&document.tdoc_id)) { (document.tdoc_id) } " " (document.title)
                            " " span.tag { (document.doc_kind) } " " span.quiet { (document.status) }
                        }
                    }
                }
            }
        }
    }
}
