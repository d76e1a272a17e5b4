//! Use of this month against the plan.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::html;

use super::{
    chart::{render_day_chart, render_meter, render_operation_chart},
    dashboard_page,
};
use crate::ui::numbers::group_thousands;
use crate::{
    http::Edge,
    service::internal_failure,
    ui::{page::refusal_page, person::Person},
};
use accounts::format_timestamp;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/dashboard", get(show_overview))
}

async fn show_overview(State(edge): State<Arc<Edge>>, person: Person) -> Response {
    let usage = match edge.service().access.charges().monthly_usage(&person.account) {
        Ok(usage) => usage,
        Err(error) => return refusal_page(Some(&person), &internal_failure(error)),
    };
    let allowance = usage.allowance;
    let reset = format_timestamp(allowance.reset_at);
    let body = html! {
        section.card aria-label="Allowance" {
            h2 { "This month" }
            @match allowance.limit {
                Some(limit) => {
                    p.figure-line {
                        strong { (group_thousands(allowance.used)) } " of " (group_thousands(limit))
                        " requests (plan " strong { (person.account.plan) } ")"
                    }
                    (render_meter(allowance.used, limit))
                    p.quiet { "The allowance resets at " (reset) "." }
                    @if allowance.remaining_requests() == Some(0) {
                        p.note { "The allowance is used up. " a href="/dashboard/plan" { "View plans" } }
                    }
                }
                None => {
                    p.figure-line {
                        strong { (group_thousands(allowance.used)) } " requests; the plan "
                        strong { (person.account.plan) } " has no limit."
                    }
                }
            }
        }
        section.card aria-label="By day" {
            h2 { "By day" }
            (render_day_chart(&usage.days))
        }
        section.card aria-label="By operation" {
            h2 { "By operation" }
            (render_operation_chart(&usage.operations))
        }
    };
    dashboard_page(&person, "/dashboard", "Overview", None, body)
}
