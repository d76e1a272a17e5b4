//! The plans, and which one the account is on.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::html;

use super::{dashboard_page, group_thousands};
use crate::{http::Edge, ui::person::Person};
use accounts::AccountPlan;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/dashboard/plan", get(show_plans))
}

async fn show_plans(State(edge): State<Arc<Edge>>, person: Person) -> Response {
    let access = &edge.service().access;
    let current = access.plans().plan_of_account(&person.account.plan);
    let body = html! {
        section.card aria-label="Plans" {
            table {
                thead { tr {
                    th scope="col" { "Plan" } th scope="col" { "Requests per month" }
                    th scope="col" { "Price" } th { }
                } }
                tbody {
                    @for plan in access.plans().all_plans() {
                        tr {
                            td { (plan.name) }
                            td {
                                @match plan.requests_per_month {
                                    Some(requests) => { (group_thousands(requests)) }
                                    None => { "no limit" }
                                }
                            }
                            td { (format_price(plan)) }
                            td { @if plan.name == current.name { span.tag { "yours" } } }
                        }
                    }
                }
            }
            p.quiet {
                "Months are calendar months in UTC. One allowance covers all keys of an account and "
                "these pages. Pictures, health and the pages themselves are not counted."
            }
            @match access.upgrade_url() {
                Some(url) => { p { a.button href=(url) { "Change plan" } } }
                None => {
                    p { "To change your plan, ask your operator. Operators run "
                        code { "specbox user plan " (person.account.name) " PLAN" } "." }
                }
            }
        }
    };
    dashboard_page(&person, "/dashboard/plan", "Plan", None, body)
}

fn format_price(plan: &AccountPlan) -> String {
    match plan.monthly_price_cents {
        0 => "free".to_owned(),
        cents => format!("{}.{:02} {} a month", cents / 100, cents % 100, plan.currency),
    }
}
