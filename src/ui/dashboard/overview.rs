//! Use of this month against the plan.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::html;

use super::{
    chart::{by_day, by_operation, meter},
    dashboard, grouped,
};
use crate::{
    http::Edge,
    service::internal,
    ui::{page::refusal, person::Person},
};
use accounts::printed;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/dashboard", get(show))
}

async fn show(State(edge): State<Arc<Edge>>, person: Person) -> Response {
    let usage = match edge.service().access.usage(&person.account) {
        Ok(usage) => usage,
        Err(error) => return refusal(Some(&person), &internal(error)),
    };
    let allowance = usage.allowance;
    let reset = printed(allowance.reset_at);
    let body = html! {
        section.card aria-label="Allowance" {
            h2 { "This month" }
            @match allowance.limit {
                Some(limit) => {
                    p.figure-line {
                        strong { (grouped(allowance.used)) } " of " (grouped(limit))
                        " requests on the plan " strong { (person.account.plan) }
                    }
                    (meter(allowance.used, limit))
                    p.quiet { "The next month begins at " (reset) "." }
                    @if allowance.remaining() == Some(0) {
                        p.note { "The allowance is used up. " a href="/dashboard/plan" { "See the plans" } }
                    }
                }
                None => {
                    p.figure-line {
                        strong { (grouped(allowance.used)) } " requests; the plan "
                        strong { (person.account.plan) } " has no limit."
                    }
                }
            }
        }
        section.card aria-label="By day" {
            h2 { "By day" }
            (by_day(&usage.days))
        }
        section.card aria-label="By operation" {
            h2 { "By operation" }
            (by_operation(&usage.operations))
        }
    };
    dashboard(&person, "/dashboard", "Overview", None, body)
}
