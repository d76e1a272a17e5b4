//! The page of a meeting: agenda, decisions with filters, sources of decisions, and key documents.

use std::{collections::BTreeMap, sync::Arc};

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};
use serde::Deserialize;
use url::form_urlencoded::Serializer;

use super::{
    PART,
    decision_card::{DECISION_TYPES, SOURCE_KINDS, label_for, render_decision, render_doubtful},
    meeting_dates, meeting_path, notes_path, percent_encode,
};
use crate::{
    http::{Edge, failure_status},
    ui::{
        contributions::record_path,
        page::{PageFrame, refusal_page, render_content_page},
        page_query::{PagePath, PageQuery},
        person::Person,
        run::{entered_text, run_operation},
        sign_in::fault_line,
        visitor::PayingPerson,
    },
};
use wire::{
    Failure,
    params::{GetMeeting, ListMeetingDecisions},
    records::{
        AgendaItemRecord, DecisionListReply, DecisionSourceRecord, KeyDocument, MeetingDetail,
    },
    values::{DecisionSourceStatus, DecisionType, MeetingCoverage},
};

/// Decisions on a page.
const DECISIONS_PER_PAGE: u32 = 100;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/meeting/{meeting_id}", get(show_meeting))
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct MeetingPageQuery {
    q: String,
    agenda_item: String,
    decision_type: String,
    source_kind: String,
    offset: u32,
}

impl MeetingPageQuery {
    fn to_parameters(&self, meeting_id: String) -> ListMeetingDecisions {
        ListMeetingDecisions {
            meeting_id,
            agenda_item: entered_text(&self.agenda_item),
            decision_type: entered_text(&self.decision_type),
            q: entered_text(&self.q),
            source_kind: entered_text(&self.source_kind),
            decision_id: None,
            limit: DECISIONS_PER_PAGE,
            offset: self.offset,
        }
    }

    fn page_path(&self, meeting_id: &str, offset: u32) -> String {
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

async fn show_meeting(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath(meeting_id): PagePath<String>,
    PageQuery(query): PageQuery<MeetingPageQuery>,
) -> Response {
    let named = GetMeeting { meeting_id: meeting_id.clone() };
    let meeting = match run_operation(&edge, &person, named).await {
        Ok(meeting) => meeting,
        Err(failure) => return refusal_page(Some(&person), &failure),
    };
    let parameters = query.to_parameters(meeting_id);
    let (status, list) = match &run_operation(&edge, &person, parameters).await {
        Ok(reply) => (None, render_decisions(&query, &meeting, reply)),
        Err(failure @ Failure::InvalidParameter { message, .. }) => {
            (Some(failure_status(failure)), fault_line(Some(message)))
        }
        Err(failure) => return refusal_page(Some(&person), failure),
    };
    let mut response = meeting_page(&person, &query, &meeting, &list);
    if let Some(status) = status {
        *response.status_mut() = status;
    }
    response
}

fn meeting_page(
    person: &Person,
    query: &MeetingPageQuery,
    meeting: &MeetingDetail,
    list: &Markup,
) -> Response {
    let about = &meeting.meeting;
    let body = html! {
        p.facts { a href=(PART) { "Meetings" } }
        h1 { (about.name) }
        p.facts {
            (meeting_dates(about)) @if let Some(place) = &about.place { ", " (place) }
            " \u{b7} " a href={ "/contributions?meeting=" (percent_encode(&about.meeting_id)) } { (about.tdoc_count) " documents" }
            ", " (about.indexed_tdocs) " read"
            @if about.coverage == MeetingCoverage::Partial { " \u{b7} no full register" }
        }
        div.meeting {
            nav.agenda aria-label="Agenda" { (render_agenda(query, meeting)) }
            div {
                (render_form(query, meeting))
                (list)
                (render_sources(meeting))
                (render_key_documents(&meeting.key_documents))
            }
        }
    };
    render_content_page(&PageFrame { title: &about.name, person: Some(person), part: PART }, body)
}

/// The agenda as a tree; each item links to its decisions.
fn render_agenda(query: &MeetingPageQuery, meeting: &MeetingDetail) -> Markup {
    let depth = |item: &AgendaItemRecord| item.agenda_item.matches('.').count().min(4);
    let all = MeetingPageQuery { agenda_item: String::new(), ..query.clone() };
    html! {
        h2 { "Agenda" }
        @if meeting.agenda_items.is_empty() { p.quiet { "No agenda available." } }
        ul {
            li { a href=(all.page_path(&meeting.meeting.meeting_id, 0)) aria-current=[query.agenda_item.is_empty().then_some("true")] { "All items" } }
            @for item in &meeting.agenda_items {
                @let own = MeetingPageQuery { agenda_item: item.agenda_item.clone(), ..query.clone() };
                li class={ "depth" (depth(item)) } {
                    a href=(own.page_path(&meeting.meeting.meeting_id, 0))
                        aria-current=[(query.agenda_item == item.agenda_item).then_some("true")] {
                        (item.agenda_item) " " (item.title.as_deref().unwrap_or(""))
                    }
                    @if item.decision_count > 0 { " " span.tag title="decisions" { (item.decision_count) } }
                }
            }
        }
    }
}

fn render_form(query: &MeetingPageQuery, meeting: &MeetingDetail) -> Markup {
    html! {
        form.search method="get" action=(meeting_path(&meeting.meeting.meeting_id)) role="search" {
            div.line {
                label.hidden for="q" { "Topic" }
                input #q type="search" name="q" value=(query.q) maxlength="1000" data-slash data-filter
                    placeholder="Topic or question";
                button type="submit" { "Find" }
            }
            fieldset.filters {
                legend.hidden { "Filters" }
                label { "Type "
                    select name="decision_type" {
                        option value="" { "all except noted" }
                        @for (value, name) in DECISION_TYPES {
                            option value=(value) selected[query.decision_type == value.to_string()] { (name)
                                " (" (decision_count(&meeting.decisions.counts, value)) ")" }
                        }
                    }
                }
                label { "Source "
                    select name="source_kind" {
                        option value="" { "any" }
                        @for (value, name) in SOURCE_KINDS {
                            option value=(value) selected[query.source_kind == value.to_string()] { (name) }
                        }
                    }
                }
                label { "Agenda item " input type="text" name="agenda_item" value=(query.agenda_item) size="7" placeholder="8.1"; }
            }
        }
    }
}

fn decision_count(counts: &BTreeMap<DecisionType, u64>, decision_type: DecisionType) -> u64 {
    counts.get(&decision_type).copied().unwrap_or(0)
}

fn render_decisions(
    query: &MeetingPageQuery,
    meeting: &MeetingDetail,
    reply: &DecisionListReply,
) -> Markup {
    let id = &meeting.meeting.meeting_id;
    html! {
        section aria-label="Decisions" {
            h2 { "Decisions " span.tag { (reply.total) } }
            @if !reply.coverage.has_final_report && !reply.coverage.processed.is_empty() {
                p.note { "Provisional: the final report of the meeting has not been imported." }
            }
            @if reply.coverage.processed.is_empty() {
                p.note { "No notes or reports of this meeting have been imported; outcomes come from the register only. "
                    code { "specbox meetings import" } " imports notes and reports." }
            }
            @if reply.items.is_empty() { p.empty { "No decisions match these filters." } }
            @for decision in &reply.items { (render_decision(decision, id)) }
            p.facts {
                @if query.offset > 0 {
                    a.button.second href=(query.page_path(id, query.offset.saturating_sub(DECISIONS_PER_PAGE))) { "Before" } " "
                }
                @if let Some(next) = reply.next_offset { a.button.second href=(query.page_path(id, next)) { "More" } }
            }
            @if !reply.doubtful.is_empty() {
                details {
                    summary { "Probably not decisions (" (reply.doubtful.len()) ")" }
                    @for doubtful in &reply.doubtful {
                        (render_doubtful(doubtful, id, &query.page_path(id, query.offset)))
                    }
                }
            }
        }
    }
}

fn render_sources(meeting: &MeetingDetail) -> Markup {
    let row = |source: &DecisionSourceRecord| {
        html! {
            li {
                (label_for(&SOURCE_KINDS, source.source_kind)) ": "
                @match (&source.source_key, &source.tdoc_id) {
                    (Some(key), _) => { a href=(notes_path(&meeting.meeting.meeting_id, key)) { (source.title) } }
                    (None, Some(id)) => { a href=(record_path(id)) { (source.title) } }
                    (None, None) => { (source.title) }
                }
                @if let Some(version) = &source.version { " " span.tag { (version) } }
                @if source.is_final { " " span.tag { "final" } }
                @match source.status {
                    DecisionSourceStatus::Processed => { " " span.quiet { (source.decision_count) " decisions" } }
                    DecisionSourceStatus::NotRetrieved => { " " span.tag { "not read" } }
                }
                @for reason in &source.partial_reasons { " " span.quiet { "In part: " (reason) "." } }
            }
        }
    };
    html! {
        section aria-label="Sources" {
            h2 { "Sources of decisions" }
            @if meeting.decision_sources.is_empty() { p.quiet { "No notes or reports available." } }
            ul { @for source in &meeting.decision_sources { (row(source)) } }
        }
    }
}

fn render_key_documents(documents: &[KeyDocument]) -> Markup {
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
