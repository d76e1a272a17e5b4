//! Signing in and out, and creating an account if that is allowed.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    forms::{OpenForm, OwnForm},
    page::{PageFrame, refusal_page, render_page},
    page_query::PageQuery,
    person::{own_path, set_cookie},
    visitor::Visitor,
};
use crate::{http::Edge, service::internal_failure};
use accounts::{AccessError, SignInOutcome};
use cost_meter::Owner;
use wire::Failure;

/// The path that leads to the company's server.
pub(super) const COMPANY_PATH: &str = "/sign-in/company";

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/sign-in", get(show_sign_in).post(sign_in))
        .route("/sign-out", post(sign_out))
        .route("/register", get(show_register).post(register_account))
}

#[derive(Deserialize)]
struct SignInQuery {
    next: Option<String>,
}

async fn show_sign_in(
    State(edge): State<Arc<Edge>>,
    Visitor(visitor): Visitor,
    PageQuery(query): PageQuery<SignInQuery>,
) -> Response {
    let next = own_path(query.next.as_deref());
    if visitor.is_some() {
        return Redirect::to(next).into_response();
    }
    sign_in_page(&edge, next, "", None, StatusCode::OK)
}

fn sign_in_page(
    edge: &Edge,
    next: &str,
    name: &str,
    fault: Option<&str>,
    status: StatusCode,
) -> Response {
    let body = html! {
        section.narrow {
            h1 { "Sign in" }
            (fault_line(fault))
            form.stacked method="post" action="/sign-in" {
                input type="hidden" name="next" value=(next);
                (name_field(name))
                label for="password" { "Password" }
                input #password type="password" name="password" required
                    autocomplete="current-password";
                button type="submit" { "Sign in" }
            }
            (render_button(edge, next))
            @if edge.service().access.allows_self_registration() {
                p { "No account yet? " a href="/register" { "Create one" } "." }
            } @else {
                p.quiet {
                    "No account, or forgot your password? Ask your operator for a link. Operators create one "
                    "with " code { "specbox user add" } " or "
                    code { "specbox user reset" } "."
                }
            }
        }
    };
    let mut response = render_page(&PageFrame { title: "Sign in", person: None, part: "" }, body);
    *response.status_mut() = status;
    response
}

/// The way to the company's server; nothing if none is configured. A link, because browsers do not let a form lead to
/// another site.
fn render_button(edge: &Edge, next: &str) -> Markup {
    let Some(company) = edge.company_sign_in() else { return html! {} };
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    let path = format!("{COMPANY_PATH}?{}", query.append_pair("next", next).finish());
    html! {
        p { a.button.second href=(path) { "Sign in with " (company.settings().name) } }
    }
}

fn name_field(name: &str) -> Markup {
    html! {
        label for="name" { "Name" }
        input #name type="text" name="name" value=(name) required autocomplete="username"
            autocapitalize="none" spellcheck="false" maxlength="64";
    }
}

/// The message about a fault in a form; screen readers announce it at once.
pub(super) fn fault_line(fault: Option<&str>) -> Markup {
    html! { @if let Some(fault) = fault { p.fault role="alert" { (fault) } } }
}

async fn sign_in(State(edge): State<Arc<Edge>>, form: OpenForm) -> Response {
    let address = form.address;
    let (name, password) = (form.field("name").to_owned(), form.field("password").to_owned());
    let attempt = edge.run_password_work(move |service| {
        service.access.sessions().sign_in(&name, &password, address).map_err(internal_failure)
    });
    let next = own_path(Some(form.field("next")));
    match attempt.await {
        Ok(SignInOutcome::SignedIn { cookie }) => begin_session(&cookie, next),
        Ok(SignInOutcome::Refused) => {
            let fault = "Wrong name or password, or the account is disabled.";
            let name = form.field("name");
            sign_in_page(&edge, next, name, Some(fault), StatusCode::UNAUTHORIZED)
        }
        Ok(SignInOutcome::TooMany { retry_after_s }) => {
            refusal_page(None, &Failure::TooManySignIns { retry_after_s })
        }
        Err(failure) => refusal_page(None, &failure),
    }
}

/// Begins a session in the browser.
pub(super) fn begin_session(cookie: &str, next: &str) -> Response {
    match set_cookie(Some(cookie)) {
        Ok(cookie) => ([(header::SET_COOKIE, cookie)], Redirect::to(next)).into_response(),
        Err(failure) => refusal_page(None, &failure),
    }
}

/// The account was changed while its owner signed in.
pub(super) fn changed_meanwhile() -> Failure {
    Failure::Forbidden { message: "The account was changed in the meantime. Sign in again." }
}

async fn sign_out(State(edge): State<Arc<Edge>>, form: OwnForm) -> Response {
    let cookie = form.person.cookie().to_owned();
    let ended = edge.run_blocking(Owner::Nobody, move |service| {
        service.access.sessions().end_session(&cookie).map_err(internal_failure)
    });
    match ended.await.and_then(|()| set_cookie(None)) {
        Ok(cookie) => {
            // Pages of the reader may be in the browser's cache.
            let forget = HeaderName::from_static("clear-site-data");
            let headers =
                [(header::SET_COOKIE, cookie), (forget, HeaderValue::from_static("\"cache\""))];
            (headers, Redirect::to("/")).into_response()
        }
        Err(failure) => refusal_page(Some(&form.person), &failure),
    }
}

async fn show_register(State(edge): State<Arc<Edge>>) -> Response {
    if edge.service().access.allows_self_registration() {
        register_page("", None)
    } else {
        refusal_page(None, &Failure::NotFound)
    }
}

fn register_page(name: &str, fault: Option<&str>) -> Response {
    let body = html! {
        section.narrow {
            h1 { "Create an account" }
            (fault_line(fault))
            form.stacked method="post" action="/register" {
                (name_field(name))
                (new_password_fields())
                button type="submit" { "Create account" }
            }
        }
    };
    let mut response =
        render_page(&PageFrame { title: "Create an account", person: None, part: "" }, body);
    if fault.is_some() {
        *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    }
    response
}

/// A new password, twice.
pub(super) fn new_password_fields() -> Markup {
    html! {
        label for="password" { "New password" }
        input #password type="password" name="password" required minlength="12" maxlength="200"
            autocomplete="new-password" aria-describedby="password-rule";
        p.quiet #password-rule { "At least 12 characters. A sentence works well." }
        label for="again" { "Repeat the password" }
        input #again type="password" name="again" required minlength="12" maxlength="200"
            autocomplete="new-password";
    }
}

async fn register_account(State(edge): State<Arc<Edge>>, form: OpenForm) -> Response {
    if !edge.service().access.allows_self_registration() {
        return refusal_page(None, &Failure::NotFound);
    }
    let address = form.address;
    let name = form.field("name").to_owned();
    if form.field("password") != form.field("again") {
        return register_page(&name, Some("The passwords do not match."));
    }
    let password = form.field("password").to_owned();
    let registration = edge.run_password_work(move |service| {
        let access = &service.access;
        // Rate-limited like sign-in attempts, against automated registration.
        if let Err(retry_after_s) = access.sessions().admit_registration(address) {
            return Err(Failure::TooManySignIns { retry_after_s });
        }
        match access.accounts().register_account(&name, &password) {
            Ok(account) => {
                match access.sessions().begin_session(&account).map_err(internal_failure)? {
                    Some(cookie) => Ok(Ok(cookie)),
                    None => Err(changed_meanwhile()),
                }
            }
            Err(error) => Ok(Err(explain_error(error)?)),
        }
    });
    match registration.await {
        Ok(Ok(cookie)) => begin_session(&cookie, "/dashboard"),
        Ok(Err(fault)) => register_page(form.field("name"), Some(&fault)),
        Err(failure) => refusal_page(None, &failure),
    }
}

/// The message for a person about their own mistake; a failure of ours stays a failure.
pub(super) fn explain_error(error: AccessError) -> Result<String, Failure> {
    match error {
        AccessError::NameTaken { .. }
        | AccessError::InvalidAccountName
        | AccessError::InvalidKeyName
        | AccessError::InvalidProject
        | AccessError::TooManyInvitations { .. }
        | AccessError::InvalidExpiry
        | AccessError::UnknownOperation { .. }
        | AccessError::InvalidSeries { .. }
        | AccessError::InvalidPassword { .. }
        | AccessError::UnknownPlan { .. }
        | AccessError::UnknownAccount { .. }
        | AccessError::UnknownKey { .. }
        | AccessError::UnknownGrant { .. }
        | AccessError::InvalidWatch
        | AccessError::TooManyWatches { .. }
        | AccessError::UnknownWatch { .. }
        | AccessError::TooManyKeys { .. }
        | AccessError::LastOperator { .. }
        | AccessError::InvalidLink => {
            let text = error.to_string();
            let mut letters = text.chars();
            let first = letters.next().map(|first| first.to_uppercase().to_string());
            Ok(format!("{}{}.", first.unwrap_or_default(), letters.as_str()))
        }
        AccessError::Database(_)
        | AccessError::Server(_)
        | AccessError::ServerFormat { .. }
        | AccessError::NoServerSupport
        | AccessError::NotEmpty
        | AccessError::OnlyRead
        | AccessError::File(_)
        | AccessError::Decode { .. }
        | AccessError::Random
        | AccessError::ChargeLost
        | AccessError::Hashing => Err(internal_failure(error)),
    }
}
