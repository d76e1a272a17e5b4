//! The dashboard: keys, use and plan of an account, the corpus, and the pages of operators.

mod account;
mod chart;
mod clients;
mod corpus;
mod health;
mod invitations;
mod jobs;
mod keys;
mod overview;
mod plan;
mod uploads;
mod users;
mod watches;

use std::sync::Arc;

use axum::{
    Router,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use maud::{Markup, html};

use super::{
    page::{PageFrame, refusal_page, render_page},
    person::Person,
    sign_in::{explain_error, fault_line},
};
use crate::{http::Edge, service::Service};
use accounts::AccessError;
use cost_meter::Owner;
use wire::Failure;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .merge(overview::routes())
        .merge(keys::routes())
        .merge(clients::routes())
        .merge(plan::routes())
        .merge(corpus::routes())
        .merge(watches::routes())
        .merge(account::routes())
        .merge(users::routes())
        .merge(invitations::routes())
        .merge(jobs::routes())
        .merge(uploads::routes())
        .merge(health::routes())
}

const PARTS: [(&str, &str); 7] = [
    ("/dashboard", "Overview"),
    ("/dashboard/watches", "Watches"),
    ("/dashboard/keys", "API keys"),
    ("/dashboard/clients", "Programs"),
    ("/dashboard/plan", "Plan"),
    ("/dashboard/corpus", "Corpus"),
    ("/dashboard/account", "Account"),
];
const OPERATOR_PARTS: [(&str, &str); 3] =
    [("/dashboard/users", "Users"), ("/dashboard/jobs", "Jobs"), ("/dashboard/health", "Health")];

pub(super) use watches::event_word;

/// A page of the dashboard. `fault` says what was wrong with a form.
fn dashboard_page(
    person: &Person,
    here: &'static str,
    title: &str,
    fault: Option<&str>,
    body: Markup,
) -> Response {
    let operator_parts: &[_] = if person.is_operator() { &OPERATOR_PARTS } else { &[] };
    let parts = PARTS.iter().chain(operator_parts);
    let body = html! {
        div.dashboard {
            nav.side aria-label="Dashboard" {
                @for (path, name) in parts {
                    a href=(path) aria-current=[(*path == here).then_some("page")] { (name) }
                }
            }
            div.panel {
                h1 { (title) }
                (fault_line(fault))
                (body)
            }
        }
    };
    let frame = PageFrame { title, person: Some(person), part: "/dashboard" };
    let mut response = render_page(&frame, body);
    if fault.is_some() {
        *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    }
    response
}

/// The outcome of a form; the error is a message for its sender.
type FormOutcome<T> = Result<T, String>;

/// Makes a change of the accounts, on a thread that may block.
async fn apply_change<T: Send + 'static>(
    edge: &Arc<Edge>,
    act: impl FnOnce(&accounts::Access) -> Result<T, AccessError> + Send + 'static,
) -> Result<FormOutcome<T>, Failure> {
    apply_change_of_service(edge, move |service| act(&service.access)).await
}

/// Like [`apply_change`], for a change that needs more than the accounts.
async fn apply_change_of_service<T: Send + 'static>(
    edge: &Arc<Edge>,
    act: impl FnOnce(&Service) -> Result<T, AccessError> + Send + 'static,
) -> Result<FormOutcome<T>, Failure> {
    edge.run_blocking(Owner::Nobody, move |service| match act(service) {
        Ok(done) => Ok(Ok(done)),
        Err(error) => Ok(Err(explain_error(error)?)),
    })
    .await
}

/// The response to a change: redirects to the page of its form, or says what was wrong with it.
fn respond_to_change<T>(
    person: &Person,
    back: &'static str,
    outcome: Result<FormOutcome<T>, Failure>,
) -> Response {
    match outcome {
        Ok(Ok(_)) => Redirect::to(back).into_response(),
        Ok(Err(fault)) => {
            let body = html! { p { a.button href=(back) { "Back" } } };
            dashboard_page(person, back, "Something went wrong", Some(&fault), body)
        }
        Err(failure) => refusal_page(Some(person), &failure),
    }
}

/// A time without its seconds, for tables.
fn render_time(time: &str) -> Markup {
    let text = time.get(..16).unwrap_or(time).replace('T', " ");
    html! { time datetime=(time) { (text) } }
}
