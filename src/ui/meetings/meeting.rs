//! The page of a meeting: agenda, decisions with filters, sources of decisions, and key documents.

use std::{collections::BTreeMap, sync::Arc};

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};
use serde::Deserialize;
use url::form_urlencoded::Serializer;

use super::{
    PART,
    agenda::render_agenda,
    decision_card::{DECISION_TYPES, SOURCE_KINDS, label_for, render_decision, render_doubtful},
    meeting_dates,
};
use crate::ui::numbers::group_thousands;
use crate::ui::paths::{meeting_path, notes_path, percent_encode, record_path};
use crate::{
    http::{Edge, failure_status},
    service::MeetingCompany,
    ui::{
        empty_state::empty_state,
        export::{ExportFormat, export_links, export_list},
        page::{PageFrame, refusal_page, render_content_page},
        page_query::{PagePath, PageQuery},
        person::Person,
        run::{entered_text, run_operation},
        sign_in::fault_line,
        status_badge::status_badge,
        visitor::PayingPerson,
    },
};
use wire::{
    Failure,
    params::{GetMeeting, ListMeetingDecisions},
    records::{
        DecisionListReply, DecisionOrigins, DecisionSourceRecord, KeyDocument, MeetingDetail,
    },
    values::{DecisionSourceReading, DecisionSourceStatus, DecisionType, MeetingCoverage},
};

/// Decisions on a page.
const DECISIONS_PER_PAGE: u32 = 100;
/// Companies that are listed before the rest opens on demand.
const SHOWN_COMPANIES: usize = 10;

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
    /// `csv` or `json` if the decisions are wanted as a file.
    format: String,
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
    if let Some(format) = ExportFormat::from_word(&query.format) {
        return export_list(
            &edge,
            &person,
            (&meeting.meeting.meeting_id, format),
            ListMeetingDecisions { offset: 0, ..query.to_parameters(meeting_id) },
            |reply, parameters, rows| {
                rows.extend(reply.items);
                reply.next_offset.map(|next| parameters.offset = next).is_some()
            },
        )
        .await;
    }
    let named = meeting_id.clone();
    let companies = edge.run_blocking(person.owner(), move |service| {
        crate::service::meeting_companies(service, &named)
    });
    let companies = companies.await.unwrap_or_default();
    let parameters = query.to_parameters(meeting_id);
    let (status, list) = match &run_operation(&edge, &person, parameters).await {
        Ok(reply) => (None, render_decisions(&query, &meeting, reply)),
        Err(failure @ Failure::InvalidParameter { message, .. }) => {
            (Some(failure_status(failure)), fault_line(Some(message)))
        }
        Err(failure) => return refusal_page(Some(&person), failure),
    };
    let asks = asks_while_typing(&edge, &person);
    let mut response = meeting_page(&person, &query, &meeting, &companies, asks, &list);
    if let Some(status) = status {
        *response.status_mut() = status;
    }
    response
}

/// Whether decisions are searched while their topic is typed: only without an allowance, because each search uses a
/// request.
fn asks_while_typing(edge: &Edge, person: &Person) -> &'static str {
    let plan = edge.service().access.plans().plan_of_account(&person.account.plan);
    if plan.requests_per_month.is_none() { "typing" } else { "enter" }
}

fn meeting_page(
    person: &Person,
    query: &MeetingPageQuery,
    meeting: &MeetingDetail,
    companies: &[MeetingCompany],
    asks: &'static str,
    list: &Markup,
) -> Response {
    let about = &meeting.meeting;
    let id = &about.meeting_id;
    let item_path = |item: &str| {
        let own = MeetingPageQuery { agenda_item: item.to_owned(), ..query.clone() };
        own.page_path(id, 0)
    };
    let body = html! {
        p.facts { a href=(PART) { "Meetings" } }
        h1 { (about.name) }
        p.facts {
            (meeting_dates(about)) @if let Some(place) = &about.place { ", " (place) }
            " " (status_badge(&about.state.to_string()))
            @if about.coverage == MeetingCoverage::Partial { " \u{b7} no full register" }
        }
        (render_numbers(meeting))
        div.meeting {
            nav.agenda aria-label="Agenda" { (render_agenda(&meeting.agenda_items, query.agenda_item.trim(), &item_path)) }
            div {
                (render_form(query, meeting, asks))
                div #decisions { (list) }
                (render_companies(id, companies))
                (render_sources(meeting))
                (render_key_documents(&meeting.key_documents))
            }
        }
    };
    render_content_page(&PageFrame { title: &about.name, person: Some(person), part: PART }, body)
}

/// The numbers of a meeting, as the list of meetings has them.
fn render_numbers(meeting: &MeetingDetail) -> Markup {
    let about = &meeting.meeting;
    let in_registers = meeting.decisions.total.saturating_sub(about.decision_count);
    let documents = format!("/contributions?meeting={}", percent_encode(&about.meeting_id));
    html! {
        section.card.numbers aria-label="Numbers" {
            p { strong { a href=(documents) { (group_thousands(about.tdoc_count)) } } "documents registered" }
            p { strong { (group_thousands(about.indexed_tdocs)) } "documents indexed" }
            p { strong { (group_thousands(about.decision_count)) } "decisions in notes and reports" }
            p { strong { (group_thousands(in_registers)) } "outcomes in registers" }
        }
    }
}

/// Who submitted the documents, with their numbers.
fn render_companies(meeting_id: &str, companies: &[MeetingCompany]) -> Markup {
    let most = companies.first().map_or(1, |company| company.documents).max(1);
    let list = format!("/contributions?meeting={}", percent_encode(meeting_id));
    html! {
        @if !companies.is_empty() {
            section aria-label="Contributions by company" {
                h2 { "Contributions by company " span.tag { (companies.len()) } }
                (company_table(&companies[..companies.len().min(SHOWN_COMPANIES)], &list, most))
                @if companies.len() > SHOWN_COMPANIES {
                    details {
                        summary { "All companies" }
                        (company_table(&companies[SHOWN_COMPANIES..], &list, most))
                    }
                }
            }
        }
    }
}

fn company_table(companies: &[MeetingCompany], list: &str, most: u64) -> Markup {
    html! {
        table.use {
            thead.hidden { tr { th scope="col" { "Company" } th scope="col" { "Documents" } th scope="col" { "Share" } } }
            tbody {
                @for company in companies {
                    tr {
                        td { a href={ (list) "&source=" (percent_encode(&company.org_id)) } { (company.name) } }
                        td.count { (company.documents) }
                        td aria-hidden="true" {
                            svg.bar viewBox="0 0 240 10" preserveAspectRatio="none" {
                                rect.column x="0" y="0" height="10" width=((240 * company.documents / most).max(2)) {}
                            }
                        }
                    }
                }
            }
        }
    }
}

fn render_form(query: &MeetingPageQuery, meeting: &MeetingDetail, asks: &'static str) -> Markup {
    html! {
        form.search method="get" action=(meeting_path(&meeting.meeting.meeting_id)) role="search" {
            div.line {
                label.hidden for="q" { "Topic" }
                input #q type="search" name="q" value=(query.q) maxlength="1000" data-slash data-narrows="decisions" data-asks=(asks)
                    placeholder="Topic or question";
                button type="submit" { "Find" }
            }
            fieldset.filters {
                legend.hidden { "Filters" }
                label { "Type "
                    select name="decision_type" {
                        option value="" { "all except noted (" (meeting.decisions.total.saturating_sub(decision_count(&meeting.decisions.counts, DecisionType::Noted))) ")" }
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
            div.actions-line {
                h2 { "Decisions " span.tag { (reply.total) } }
                @if reply.total > reply.items.len() as u64 { span.quiet { "Showing " (query.offset + 1) " to " (u64::from(query.offset) + reply.items.len() as u64) "; filters apply to all decisions." } }
                (export_links(&query.page_path(id, 0)))
            }
            @if !reply.coverage.has_final_report && !reply.coverage.processed.is_empty() {
                p.note { "Provisional: the final report of the meeting has not been imported." }
            }
            @if reply.coverage.processed.is_empty() {
                p.note { "No notes or reports of this meeting have been imported; outcomes come from the register only. "
                    code { "specbox meetings import" } " imports notes and reports." }
            }
            @if reply.items.is_empty() {
                (empty_state("No decisions match these filters.", html! {
                    a href=(meeting_path(id)) { "Show all decisions of this meeting" } ", or "
                    a href=(super::decision_search::SEARCH_PATH) { "search the decisions of all meetings" } "."
                }))
            }
            @for decision in &reply.items { (render_decision(decision, id)) }
            p.facts {
                @if query.offset > 0 {
                    a.button.second href=(query.page_path(id, query.offset.saturating_sub(DECISIONS_PER_PAGE))) { "Previous" } " "
                }
                @if let Some(next) = reply.next_offset { a.button.second href=(query.page_path(id, next)) { "Next" } }
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

/// How many decisions of a source no real file confirms.
fn describe_origins(origins: DecisionOrigins) -> String {
    let described = match origins.public_description {
        0 => None,
        count => Some(format!("{count} read by forms that only descriptions name")),
    };
    let told = match origins.own_knowledge {
        0 => None,
        count => Some(format!("{count} by forms that nothing confirms")),
    };
    let parts: Vec<String> = described.into_iter().chain(told).collect();
    if parts.is_empty() {
        return ", read by general forms only".to_owned();
    }
    format!(", {}", parts.join(", "))
}

/// How many decisions a source has, and how it was read.
fn describe_count(source: &DecisionSourceRecord) -> String {
    let mut text = format!("{} decisions", source.decision_count);
    if source.doubtful_count > 0 {
        text.push_str(&format!(", {} doubtful", source.doubtful_count));
    }
    if source.reading == Some(DecisionSourceReading::General) {
        text.push_str(&describe_origins(source.decision_origins.unwrap_or_default()));
    }
    text
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
                @if source.is_final { " " (status_badge("final")) }
                @match source.status {
                    DecisionSourceStatus::Processed => { " " span.quiet { (describe_count(source)) } }
                    DecisionSourceStatus::NotRetrieved => { " " (status_badge("not read")) }
                }
                @for reason in &source.partial_reasons { " " span.quiet { "Partial: " (reason) "." } }
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
                            " " span.tag { (document.doc_kind) } " " (status_badge(&document.status.to_string()))
                        }
                    }
                }
            }
        }
    }
}
