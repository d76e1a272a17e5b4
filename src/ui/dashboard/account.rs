//! The account of the person: password and sessions.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    response::Response,
    routing::{get, post},
};
use maud::html;

use super::{apply_change, dashboard_page, render_time, respond_to_change};
use crate::{
    http::Edge,
    service::internal_failure,
    ui::{
        forms::OwnForm,
        page::refusal_page,
        person::Person,
        sign_in::{begin_session, explain_error, new_password_fields},
    },
};
use accounts::{Access, AccessError, Account};
use wire::Failure;

const HERE: &str = "/dashboard/account";

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/dashboard/account", get(show_account))
        .route("/dashboard/account/password", post(change_password))
        .route("/dashboard/account/sessions", post(end_other_sessions))
}

async fn show_account(State(edge): State<Arc<Edge>>, person: Person) -> Response {
    account_page(&edge, &person, None)
}

fn account_page(edge: &Edge, person: &Person, fault: Option<&str>) -> Response {
    let account = &person.account;
    let sessions = match edge.service().access.sessions().session_count(account.id) {
        Ok(sessions) => sessions,
        Err(error) => return refusal_page(Some(person), &internal_failure(error)),
    };
    let body = html! {
        section.card aria-label="Account" {
            p { "Signed in as " strong { (account.name) } ", " (account.role.as_str())
                ", since " (render_time(&account.created_at)) "." }
        }
        section.card aria-label="Password" {
            h2 { "Password" }
            form.stacked method="post" action="/dashboard/account/password" {
                (person.form_token())
                input type="hidden" name="name" value=(account.name) autocomplete="username";
                label for="present" { "Current password" }
                input #present type="password" name="present" required
                    autocomplete="current-password";
                (new_password_fields())
                button type="submit" { "Change password" }
            }
            p.quiet { "Changing the password ends all other sessions." }
        }
        section.card aria-label="Sessions" {
            h2 { "Sessions" }
            p { (sessions) @if sessions == 1 { " browser is" } @else { " browsers are" } " signed in." }
            form method="post" action="/dashboard/account/sessions" {
                (person.form_token())
                button type="submit" { "Sign out everywhere else" }
            }
        }
    };
    dashboard_page(person, HERE, "Account", fault, body)
}

async fn change_password(State(edge): State<Arc<Edge>>, form: OwnForm) -> Response {
    if form.field("password") != form.field("again") {
        return account_page(&edge, &form.person, Some("The passwords do not match."));
    }
    let account = form.person.account.clone();
    let (present, new) = (form.field("present").to_owned(), form.field("password").to_owned());
    let address = form.address();
    let done = edge.run_password_work(move |service| {
        let access = &service.access;
        if let Err(retry_after_s) = access.sessions().admit_password(&account, address) {
            return Err(Failure::TooManySignIns { retry_after_s });
        }
        Ok(match replace_password(access, &account, &present, &new) {
            Ok(cookie) => Ok(cookie),
            Err(error) => Err(explain_error(error)?),
        })
    });
    match done.await {
        Ok(Ok(Some(cookie))) => begin_session(&cookie, HERE),
        Ok(Ok(None)) => account_page(&edge, &form.person, Some("The current password is wrong.")),
        Ok(Err(fault)) => account_page(&edge, &form.person, Some(&fault)),
        Err(failure) => refusal_page(Some(&form.person), &failure),
    }
}

/// Changes the password and begins a new session, because the change ends all of them; `None` if the
/// current password is wrong.
fn replace_password(
    access: &Access,
    account: &Account,
    present: &str,
    new: &str,
) -> Result<Option<String>, AccessError> {
    match access.passwords().change_password(account, present, new)? {
        Some(changed) => access.sessions().begin_session(&changed),
        None => Ok(None),
    }
}

async fn end_other_sessions(State(edge): State<Arc<Edge>>, form: OwnForm) -> Response {
    let (account, cookie) = (form.person.account.id, form.person.cookie().to_owned());
    let done =
        apply_change(&edge, move |access| access.sessions().end_other_sessions(account, &cookie))
            .await;
    respond_to_change(&form.person, HERE, done)
}
