//! A decision with its chain: the proposals that it adopts, the decision, the change requests, the clauses.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};

use super::{
    PART,
    decision::{TYPES, card, document, name_of},
    decision_path, encoded, meeting_path,
};
use crate::{
    http::Edge,
    ui::{
        asked::PagePath,
        contributions::place_path,
        page::{Frame, page, refusal},
        person::{Payer, Person},
        run::{Arguments, run},
    },
};
use wire::{
    Failure,
    records::{DecisionListReply, DecisionRecord, DecisionTdoc},
};

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/meeting/{meeting_id}/decisions/{decision_id}", get(show))
}

async fn show(
    State(edge): State<Arc<Edge>>,
    Payer(person): Payer,
    PagePath((meeting_id, decision_id)): PagePath<(String, String)>,
) -> Response {
    let arguments =
        Arguments::default().with("meeting_id", meeting_id).with("decision_id", decision_id);
    match run::<DecisionListReply>(&edge, &person, "list_meeting_decisions", arguments).await {
        Ok(reply) => match reply.items.split_first() {
            Some((decision, parts)) => decision_page(&person, &reply, decision, parts),
            None => refusal(Some(&person), &Failure::NotFound),
        },
        Err(failure) => refusal(Some(&person), &failure),
    }
}

fn decision_page(
    person: &Person,
    reply: &DecisionListReply,
    decision: &DecisionRecord,
    parts: &[DecisionRecord],
) -> Response {
    let meeting = &reply.coverage.meeting_id;
    let kind = name_of(&TYPES, &decision.decision_type);
    let path = |decision: &DecisionRecord| decision_path(meeting, &decision.decision_id);
    let body = html! {
        p.facts { a href=(PART) { "Meetings" } " / " a href=(meeting_path(meeting)) { (meeting) } }
        h1 { (kind) " of " (meeting) }
        (card(decision, &path(decision)))
        (chain(decision))
        @if !parts.is_empty() {
            section aria-label="Parts" {
                h2 { "What it leaves open or assumes" }
                @for part in parts { (card(part, &path(part))) }
            }
        }
    };
    let title = format!("{kind} of {meeting}");
    page(&Frame { title: &title, person: Some(person), part: PART }, body)
}

/// From proposals over the decision to change requests and clauses, as far as they are known.
fn chain(decision: &DecisionRecord) -> Markup {
    let named = decision.recorded_under.iter().chain(&decision.references);
    let changes: Vec<&DecisionTdoc> = named.filter(|named| named.changes.is_some()).collect();
    html! {
        section aria-label="Chain" {
            h2 { "Chain" }
            ol {
                li { strong { "Proposals" }
                    @if decision.adopts.is_empty() {
                        p.quiet { "None is known: those of documents that were fetched are compared." }
                    }
                    ul { @for proposal in &decision.adopts {
                        li { a href=(place_path(&proposal.tdoc_id, &proposal.anchor)) { (proposal.label) } " of " (proposal.tdoc_id)
                            " " span.quiet { "by its " (proposal.matched_by) ", " (format!("{:.2}", proposal.score)) } }
                    } }
                }
                li { strong { "Decision" } }
                li { strong { "Change requests" }
                    @if changes.is_empty() { p.quiet { "The decision names none." } }
                    ul { @for change in &changes { li { (document(change)) } } }
                }
                li { strong { "Clauses" }
                    @for change in changes.iter().filter_map(|change| change.changes.as_ref()) {
                        @for clause in change.clauses.iter().flat_map(|list| list.split([',', ';'])).map(str::trim).filter(|c| !c.is_empty()) {
                            " " a href={ "/read/" (encoded(&change.doc_number)) "?section=" (encoded(clause)) } { (change.doc_number) " " (clause) }
                        }
                    }
                }
            }
        }
    }
}
