//! The search of decisions over all meetings: a form, a timeline, and the decisions with their meetings.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};
use serde::Deserialize;
use url::form_urlencoded::Serializer;

use super::{
    PART,
    decision_card::{DECISION_TYPES, render_decision},
};
use crate::ui::paths::{meeting_path, percent_encode};
use crate::{
    http::{Edge, failure_status},
    ui::{
        empty_state::explained_state,
        export::{ExportFormat, export_links, export_list},
        page::{PageFrame, refusal_page, render_content_page},
        page_query::PageQuery,
        run::{ExplainedReply, entered_text, run_explained},
        sign_in::fault_line,
        visitor::PayingPerson,
    },
};
use wire::{
    Failure,
    params::SearchDecisions,
    records::{AgendaTopic, DecisionSearchReply, DiagnosisReason, TdocMeeting, TimelineEntry},
    values::DecisionOrder,
};

/// The path of the page; `/decisions` is the operation.
pub(super) const SEARCH_PATH: &str = "/decision-search";
/// Decisions on a page.
const DECISIONS_PER_PAGE: u32 = 50;
/// Agenda topics that are shown without a click; more would push the first decision off the screen.
const MAX_OPEN_TOPICS: usize = 5;
/// Meetings that a line names; a search may cover a hundred.
const MAX_NAMED_MEETINGS: usize = 3;
/// Orders with their labels.
const ORDERS: [(DecisionOrder, &str); 3] = [
    (DecisionOrder::Relevance, "best match"),
    (DecisionOrder::Newest, "newest meeting"),
    (DecisionOrder::Oldest, "oldest meeting"),
];

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route(SEARCH_PATH, get(show_search))
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct DecisionSearchQuery {
    q: String,
    group: String,
    since: String,
    until: String,
    decision_type: String,
    company: String,
    work_item: String,
    order: String,
    offset: u32,
    /// `csv` or `json` if the decisions are wanted as a file.
    format: String,
}

impl DecisionSearchQuery {
    fn to_parameters(&self) -> SearchDecisions {
        let order = ORDERS.iter().find(|(order, _)| order.to_string() == self.order);
        SearchDecisions {
            q: entered_text(&self.q),
            group: entered_text(&self.group),
            since: entered_text(&self.since),
            until: entered_text(&self.until),
            decision_type: entered_text(&self.decision_type),
            company: entered_text(&self.company),
            work_item: entered_text(&self.work_item),
            order: order.map(|(order, _)| *order),
            limit: DECISIONS_PER_PAGE,
            offset: self.offset,
            ..SearchDecisions::default()
        }
    }

    fn page_path(&self, offset: u32) -> String {
        let mut query = Serializer::new(String::new());
        let fields = [
            ("q", &self.q),
            ("group", &self.group),
            ("since", &self.since),
            ("until", &self.until),
            ("decision_type", &self.decision_type),
            ("company", &self.company),
            ("work_item", &self.work_item),
            ("order", &self.order),
        ];
        for (name, value) in fields.into_iter().filter(|(_, value)| !value.trim().is_empty()) {
            query.append_pair(name, value.trim());
        }
        if offset > 0 {
            query.append_pair("offset", &offset.to_string());
        }
        format!("{SEARCH_PATH}?{}", query.finish())
    }
}

async fn show_search(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PageQuery(query): PageQuery<DecisionSearchQuery>,
) -> Response {
    if let Some(format) = ExportFormat::from_word(&query.format) {
        return export_list(
            &edge,
            &person,
            ("decisions", format),
            SearchDecisions { offset: 0, ..query.to_parameters() },
            |reply, parameters, rows| {
                rows.extend(reply.items);
                reply.next_offset.map(|next| parameters.offset = next).is_some()
            },
        )
        .await;
    }
    let (status, found) = match &run_explained(&edge, &person, query.to_parameters()).await {
        Ok(ExplainedReply { reply, diagnosis }) => (None, render_reply(&query, reply, diagnosis)),
        Err(
            failure @ (Failure::InvalidParameter { .. } | Failure::OrganizationAmbiguous { .. }),
        ) => (Some(failure_status(failure)), fault_line(Some(&failure.to_string()))),
        Err(failure) => return refusal_page(Some(&person), failure),
    };
    let body = html! {
        p.facts { a href=(PART) { "Meetings" } }
        h1 { "Decisions of all meetings" }
        (render_form(&query))
        (found)
    };
    let frame = PageFrame { title: "Decisions", person: Some(&person), part: PART };
    let mut response = render_content_page(&frame, body);
    if let Some(status) = status {
        *response.status_mut() = status;
    }
    response
}

fn render_form(query: &DecisionSearchQuery) -> Markup {
    html! {
        form.search method="get" action=(SEARCH_PATH) role="search" {
            div.line {
                label.hidden for="q" { "Topic" }
                input #q type="search" name="q" value=(query.q) maxlength="1000" data-slash
                    placeholder="Topic or question";
                button type="submit" { "Find" }
            }
            fieldset.filters {
                legend.hidden { "Filters" }
                label { "Group " input type="text" name="group" value=(query.group) size="8" placeholder="RAN1"; }
                label { "Since " input type="text" name="since" value=(query.since) size="10" placeholder="2024-01-01"; }
                label { "until " input type="text" name="until" value=(query.until) size="10" placeholder="2024-12-31"; }
                label { "Type "
                    select name="decision_type" {
                        option value="" { "all except noted" }
                        @for (value, name) in DECISION_TYPES {
                            option value=(value) selected[query.decision_type == value.to_string()] { (name) }
                        }
                    }
                }
                label { "Adopts a proposal of " input type="text" name="company" value=(query.company) size="14"; }
                label { "Work item " input type="text" name="work_item" value=(query.work_item) size="14" placeholder="NR_LPWUS-Core"; }
                label { "Order "
                    select name="order" {
                        option value="" { "default" }
                        @for (value, name) in ORDERS {
                            option value=(value) selected[query.order == value.to_string()] { (name) }
                        }
                    }
                }
            }
        }
    }
}

fn render_reply(
    query: &DecisionSearchQuery,
    reply: &DecisionSearchReply,
    diagnosis: &[DiagnosisReason],
) -> Markup {
    html! {
        section aria-label="Decisions" {
            div.actions-line { span.quiet { (reply.total) " decisions in " (reply.timeline.len()) " of " (reply.coverage.meetings.len()) " meetings"
                @if !reply.coverage.undated_meetings.is_empty() {
                    "; " (reply.coverage.undated_meetings.len()) " meetings without a known date are left out"
                }
                @if !reply.coverage.by_words_only.is_empty() {
                    "; searched by words only: " (name_meetings(&reply.coverage.by_words_only))
                } }
                @if !reply.items.is_empty() { (export_links(&query.page_path(0))) }
            }
            @if reply.coverage.meetings.is_empty() {
                (explained_state("No notes or reports of matching meetings have been imported.", diagnosis, html! {
                    code { "specbox meetings import" } " imports them."
                }))
            } @else if reply.items.is_empty() {
                (explained_state("No decisions match these filters.", diagnosis, html! { a href=(SEARCH_PATH) { "Remove all filters" } ", or use other words." }))
            }
            (render_agenda_topics(query, &reply.agenda_topics))
            (render_timeline(query, &reply.timeline))
            @for of_meeting in reply.items.chunk_by(|one, next| one.meeting.meeting_id == next.meeting.meeting_id) {
                @if let Some(first) = of_meeting.first() { (render_meeting_heading(&first.meeting)) }
                @for found in of_meeting { (render_decision(&found.decision, &found.meeting.meeting_id)) }
            }
            p.facts {
                @if query.offset > 0 {
                    a.button.second href=(query.page_path(query.offset.saturating_sub(DECISIONS_PER_PAGE))) { "Previous" } " "
                }
                @if let Some(next) = reply.next_offset { a.button.second href=(query.page_path(next)) { "Next" } }
            }
        }
    }
}

/// The first meetings of a list, and how many more there are.
fn name_meetings(meetings: &[String]) -> String {
    let named = meetings.iter().take(MAX_NAMED_MEETINGS).cloned().collect::<Vec<_>>().join(", ");
    match meetings.len().saturating_sub(MAX_NAMED_MEETINGS) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// The meeting of the decisions below it.
fn render_meeting_heading(meeting: &TdocMeeting) -> Markup {
    html! {
        p.facts { strong { a href=(meeting_path(&meeting.meeting_id)) { (meeting.name) } }
            @if let Some(start) = &meeting.start_date { " \u{b7} " time { (start) } } }
    }
}

/// The agenda topics of the decisions, each a search for its title.
fn render_agenda_topics(query: &DecisionSearchQuery, topics: &[AgendaTopic]) -> Markup {
    let search_for =
        |title: &str| DecisionSearchQuery { q: title.to_owned(), ..query.clone() }.page_path(0);
    html! {
        @if !query.q.trim().is_empty() && topics.len() > 1 {
            details.timeline open[topics.len() <= MAX_OPEN_TOPICS] {
                summary { "Agenda topics" }
                table {
                    thead.hidden { tr { th scope="col" { "Topic" } th scope="col" { "Meetings" } th scope="col" { "Decisions" } } }
                    tbody {
                        @for topic in topics {
                            tr {
                                td { a href=(search_for(&topic.title)) { (topic.title) } }
                                td { (topic.meeting_ids.join(", ")) }
                                td.number { (topic.count) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// How many of the decisions each meeting took; a bar is as long as its share of the most.
fn render_timeline(query: &DecisionSearchQuery, timeline: &[TimelineEntry]) -> Markup {
    let most = timeline.iter().map(|entry| entry.count).max().unwrap_or(0).max(1);
    html! {
        @if timeline.len() > 1 {
            details.timeline open[timeline.len() <= 12] {
                summary { "Timeline" }
                table {
                    thead.hidden { tr { th scope="col" { "Meeting" } th scope="col" { "Start" } th scope="col" { "Decisions" } } }
                    tbody {
                        @for entry in timeline {
                            tr {
                                td.number { a href={ (meeting_path(&entry.meeting_id)) "?q=" (percent_encode(&query.q)) } { (entry.name) } }
                                td.number { (entry.start_date.as_deref().unwrap_or("")) }
                                td { meter min="0" max=(most) value=(entry.count) { } " " (entry.count) }
                            }
                        }
                    }
                }
            }
        }
    }
}
