//! The plans, and which one the account is on.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::html;

use super::dashboard_page;
use crate::ui::numbers::group_thousands;
use crate::{http::Edge, ui::person::Person};
use accounts::{AccountPlan, AccountRole};

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
            h2 { "Metered requests" }
            p {
                "Each search, list, document, clause, figure search and TDoc counts as one request, on these pages and through "
                "the API and MCP. A clause in the reader counts once, with its table of contents and its pictures."
            }
            p {
                "Suggestions, pictures, the documentation and the dashboard are not counted, and neither are requests that fail "
                "with a server error. All keys of an account share its requests. A month is a calendar month in UTC."
            }
            @match access.upgrade_url() {
                Some(url) => { p { a.button href=(url) { "Change plan" } } }
                None if person.account.role == AccountRole::Operator => {
                    p { "Change the plan of an account under " a href="/dashboard/users" { "Users" } "." }
                }
                None => { p { "To change your plan, ask your operator." } }
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
