//! A decision with its chain: the proposals that it adopts, the decision, the change requests, the clauses.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};

use super::{
    PART,
    decision_card::{
        DECISION_TYPES, label_for, render_decision, render_proposal_link, render_tdoc,
    },
};
use crate::ui::paths::{decision_path, meeting_path, percent_encode, trace_path};
use crate::{
    http::Edge,
    ui::{
        citation_block::{CopyableCitation, bibtex_entry, year_of},
        page::{PageFrame, refusal_page, render_content_page},
        page_query::PagePath,
        person::Person,
        run::{entered_text, run_operation},
        visitor::PayingPerson,
    },
};
use wire::{
    Failure,
    params::ListMeetingDecisions,
    records::{DecisionListReply, DecisionRecord, DecisionTdoc},
};

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/meeting/{meeting_id}/decisions/{decision_id}", get(show_decision))
}

async fn show_decision(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath((meeting_id, decision_id)): PagePath<(String, String)>,
) -> Response {
    let decision_id = entered_text(&decision_id);
    let parameters =
        ListMeetingDecisions { meeting_id, decision_id, ..ListMeetingDecisions::default() };
    match run_operation(&edge, &person, parameters).await {
        Ok(reply) => match reply.items.split_first() {
            Some((decision, parts)) => {
                let base_url = edge.service().address.base_url();
                decision_page(base_url, &person, &reply, decision, parts)
            }
            None => refusal_page(Some(&person), &Failure::NotFound),
        },
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

/// How a decision is cited: its type, meeting and source, with the address of its page.
fn citation_of(decision: &DecisionRecord, meeting: &str, base_url: &str) -> CopyableCitation {
    let kind = label_for(&DECISION_TYPES, decision.decision_type);
    let path = decision_path(meeting, &decision.decision_id);
    let url = format!("{}{path}", base_url.trim_end_matches('/'));
    let source = decision.source.title.as_str();
    let item = decision.agenda_item.as_ref().map(|item| format!(", agenda item {item}"));
    let page = decision.source.page.map(|page| format!(", page {page}")).unwrap_or_default();
    let text =
        format!("3GPP, {kind} of {meeting}{}, {source}{page}, {url}", item.unwrap_or_default());
    let title = format!("{kind} of {meeting}");
    let note = format!("{source}{page}");
    let fields = [
        ("title", Some(title.as_str())),
        ("institution", Some("3GPP")),
        ("note", Some(note.as_str())),
        ("year", year_of(decision.date.as_deref())),
        ("url", Some(url.as_str())),
    ];
    let bibtex = bibtex_entry(&format!("3gpp.{}", decision.decision_id), &fields);
    CopyableCitation { id: "decision".to_owned(), text, bibtex }
}

fn decision_page(
    base_url: &str,
    person: &Person,
    reply: &DecisionListReply,
    decision: &DecisionRecord,
    parts: &[DecisionRecord],
) -> Response {
    let meeting = &reply.coverage.meeting_id;
    let kind = label_for(&DECISION_TYPES, decision.decision_type);
    let path = decision_path(meeting, &decision.decision_id);
    let body = html! {
        p.facts { a href=(PART) { "Meetings" } " / " a href=(meeting_path(meeting)) { (meeting) } }
        h1 { (kind) " of " (meeting) }
        div.actions-line { (citation_of(decision, meeting, base_url).render_buttons()) }
        (render_decision(decision, meeting))
        (render_chain(decision, &path))
        @if !parts.is_empty() {
            section aria-label="Parts" {
                h2 { "Open items and assumptions" }
                @for part in parts { (render_decision(part, meeting)) }
            }
        }
    };
    let title = format!("{kind} of {meeting}");
    render_content_page(&PageFrame { title: &title, person: Some(person), part: PART }, body)
}

/// From proposals over the decision to change requests and clauses, as far as they are known. `path` is that of the
/// page.
fn render_chain(decision: &DecisionRecord, path: &str) -> Markup {
    let named = decision.recorded_under.iter().chain(&decision.references);
    let changes: Vec<&DecisionTdoc> = named.filter(|named| named.changes.is_some()).collect();
    html! {
        section aria-label="From proposal to clause" {
            h2 { "From proposal to clause" }
            ol.chain {
                li { strong { "Proposals" }
                    @if decision.adopts.is_empty() {
                        p.quiet { "None found among the documents that have been fetched." }
                    }
                    ul { @for proposal in &decision.adopts {
                        li { (render_proposal_link(proposal, path)) " " span.quiet { "by its " (proposal.matched_by) ", " (format!("{:.2}", proposal.score)) } }
                    } }
                }
                li { strong { "Decision" } }
                li { strong { "Change requests" }
                    @if changes.is_empty() { p.quiet { "The decision does not name any." } }
                    ul { @for change in &changes { li { (render_tdoc(change)) } } }
                }
                li { strong { "Clauses" }
                    @for change in changes.iter().filter_map(|change| change.changes.as_ref()) {
                        ul {
                            @for clause in change.clauses.iter().flat_map(|list| list.split([',', ';'])).map(str::trim).filter(|c| !c.is_empty()) {
                                li {
                                    a href={ "/read/" (percent_encode(&change.doc_number)) "?section=" (percent_encode(clause)) } { (change.doc_number) " " (clause) }
                                    " \u{b7} " a href=(trace_path(&change.doc_number, clause)) { "Trace" }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
