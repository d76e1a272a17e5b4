//! The page that traces a clause: change requests, decisions and contributions that name it.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    empty_state::empty_state,
    evidence::QuoteLink,
    export::{ExportFormat, export_links, export_rows},
    meetings::{render_links, render_standing},
    page::{PageFrame, refusal_page, render_content_page},
    page_query::PageQuery,
    reader_path::history_path,
    run::{entered_text, run_operation},
    sign_in::fault_line,
    status_badge::status_badge,
    visitor::PayingPerson,
};
use crate::http::{Edge, failure_status};
use crate::ui::paths::{
    decision_path, meeting_path, record_path, request_path, text_path, trace_path,
};
use wire::{
    Failure,
    params::TraceClause,
    records::{TraceReply, TracedChange, TracedDecision, TracedPassage},
};

/// Rows of each list on the page.
const ROWS_PER_LIST: u32 = 50;
/// Rows of each list in a file: the most that `trace_clause` returns.
const EXPORTED_ROWS: u32 = 200;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/trace", get(show_trace))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TraceQuery {
    document: String,
    section: String,
    group: String,
    format: String,
}

async fn show_trace(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PageQuery(query): PageQuery<TraceQuery>,
) -> Response {
    let frame = PageFrame { title: "Trace a clause", person: Some(&person), part: "/meeting" };
    let entered = entered_text(&query.document).zip(entered_text(&query.section));
    let Some((doc_number, section_number)) = entered else {
        return render_content_page(&frame, trace_body(&query, None, None));
    };
    let format = ExportFormat::from_word(&query.format);
    let request = TraceClause {
        doc_number,
        section_number,
        group: entered_text(&query.group),
        limit: if format.is_some() { EXPORTED_ROWS } else { ROWS_PER_LIST },
    };
    match run_operation(&edge, &person, request).await {
        Ok(reply) => match format {
            Some(format) => {
                let name = format!("trace-{}-{}", reply.doc_number, reply.section_number);
                export_rows(&name, format, &reply.change_requests)
            }
            None => render_content_page(&frame, trace_body(&query, Some(&reply), None)),
        },
        Err(failure @ (Failure::InvalidParameter { .. } | Failure::Validation(_))) => {
            let message = failure.to_string();
            let mut response =
                render_content_page(&frame, trace_body(&query, None, Some(&message)));
            *response.status_mut() = failure_status(&failure);
            response
        }
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

fn trace_body(query: &TraceQuery, reply: Option<&TraceReply>, fault: Option<&str>) -> Markup {
    html! {
        h1 {
            @match reply {
                Some(reply) => { "Trace of " (reply.doc_number) ", " (reply.section_number) }
                None => { "Trace a clause" }
            }
        }
        form.filters method="get" action="/trace" role="search" {
            label { "Specification "
                input type="text" name="document" value=(query.document) size="8" maxlength="50" required placeholder="38.214";
            }
            label { "Clause "
                input type="text" name="section" value=(query.section) size="10" maxlength="50" required placeholder="5.2.2.5";
            }
            label { "Group "
                input type="text" name="group" value=(query.group) size="6" maxlength="200" placeholder="any";
            }
            button type="submit" { "Trace" }
        }
        (fault_line(fault))
        @match reply {
            Some(reply) => { (render_reply(reply)) }
            None if fault.is_none() => {
                p.quiet { "Finds the change requests, decisions and contributions that name a clause." }
            }
            None => {}
        }
    }
}

fn render_reply(reply: &TraceReply) -> Markup {
    let coverage = &reply.coverage;
    let is_empty = reply.change_requests.is_empty()
        && reply.decisions.is_empty()
        && reply.contributions.is_empty();
    html! {
        div.actions-line {
            span.quiet {
                "Searched: " (coverage.with_clauses) " of " (coverage.change_requests) " registered change requests, "
                (coverage.meetings_with_decisions.len()) " meetings with notes or reports, "
                (coverage.indexed_tdocs) " of " (coverage.known_tdocs) " meeting documents."
            }
            a href={ "/read/" (reply.doc_number) "?section=" (encode(&reply.section_number)) } { "Read clause" }
            @if let Some(newest) = reply.history.first() {
                a href=(history_path(&reply.doc_number, &newest.to, &reply.section_number)) { "History of the text" }
            }
            @if !reply.change_requests.is_empty() { (export_links(&trace_path(&reply.doc_number, &reply.section_number))) }
        }
        @if is_empty {
            (empty_state("No indexed change request, decision or contribution names this clause.", html! {
                "Change requests come from registers, and decisions from notes and reports. "
                "Import more registers, notes or reports, or trace the parent clause."
            }))
        }
        @if !reply.change_requests.is_empty() {
            section aria-label="Change requests" {
                h2 { "Change requests " span.tag { (coverage.found_change_requests) } }
                (render_changes(&reply.change_requests))
            }
        }
        @if !reply.decisions.is_empty() {
            section aria-label="Decisions" {
                h2 { "Decisions " span.tag { (coverage.found_decisions) } }
                @for decision in &reply.decisions { (render_decision(decision)) }
            }
        }
        @if !reply.contributions.is_empty() {
            section aria-label="Contributions" {
                h2 { "Contributions " span.tag { (reply.contributions.len()) } }
                @for passage in &reply.contributions { (render_passage(passage)) }
            }
        }
    }
}

fn encode(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

fn render_changes(changes: &[TracedChange]) -> Markup {
    html! {
        div.table role="region" aria-label="Change requests" tabindex="0" {
            table.rows {
                thead { tr {
                    th scope="col" { "Document" } th scope="col" { "CR" } th scope="col" { "Title" }
                    th scope="col" { "Clauses" } th scope="col" { "Meeting" } th scope="col" { "Status" } th scope="col" { }
                } }
                tbody {
                    @for change in changes {
                        tr {
                            td.number { a href=(record_path(&change.tdoc_id)) { (change.tdoc_id) } }
                            td.number data-label="CR" { (change.cr_number.as_deref().unwrap_or("")) }
                            td { (change.title) @if let Some(release) = &change.release { " " span.tag { (release) } } }
                            td data-label="Clauses" { (change.touched_clauses.as_deref().unwrap_or(&change.clauses)) " " span.tag { (change.relation) } }
                            td.number data-label="Meeting" { a href=(meeting_path(&change.meeting_id)) { (change.meeting_id) } }
                            td { (status_badge(&change.status.to_string())) }
                            td.number { a href=(request_path(&change.tdoc_id)) { "Show changes" } }
                        }
                    }
                }
            }
        }
    }
}

fn render_decision(decision: &TracedDecision) -> Markup {
    let path = decision_path(&decision.meeting_id, &decision.decision_id);
    html! {
        article.card.decision {
            p.facts {
                a href=(path) { strong { (decision.decision_type.to_string().replace('_', " ")) } }
                @if let Some(outcome) = &decision.outcome { " " (status_badge(&outcome.to_string())) }
                (render_standing(decision.standing))
                " \u{b7} " a href=(meeting_path(&decision.meeting_id)) { (decision.meeting_id) }
                @if let Some(under) = &decision.recorded_under { " \u{b7} under " a href=(record_path(under)) { (under) } }
            }
            blockquote.lines { (decision.quote) }
            (render_links(&decision.links))
        }
    }
}

fn render_passage(passage: &TracedPassage) -> Markup {
    let link = QuoteLink {
        anchor: &passage.anchor,
        last_anchor: passage.last_anchor.as_deref(),
        back: None,
    };
    html! {
        article.card {
            p.facts {
                a href=(link.address_in(&text_path(&passage.tdoc_id))) {
                    strong { (passage.tdoc_id) } " " (passage.title)
                }
                " " (status_badge(&passage.status.to_string())) " \u{b7} "
                a href=(meeting_path(&passage.meeting_id)) { (passage.meeting_id) }
                @if !passage.unit_labels.is_empty() { " \u{b7} " (passage.unit_labels.join(", ")) }
            }
            blockquote.lines { (passage.text) }
        }
    }
}
