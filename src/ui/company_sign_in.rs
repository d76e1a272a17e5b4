//! Sign-in at the company's server: the way there, and back.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use jiff::Timestamp;
use maud::html;
use serde::Deserialize;

use super::{
    page::{PageFrame, refusal_page, render_page},
    page_query::PageQuery,
    person::{cookie_value, own_path},
    sign_in::{COMPANY_PATH, begin_session, changed_meanwhile, fault_line},
};
use crate::{
    company_sign_in::{Attempt, CompanyPerson, CompanySignIn, CompanySignInError},
    http::Edge,
    service::{Service, internal_failure},
};
use accounts::{AccessError, IdentityOutcome, ProvedIdentity, new_secret};
use domain::error_chain;
use wire::Failure;

const RETURN_PATH: &str = "/sign-in/company/return";
/// The cookie of an attempt. The prefix binds it to this host, to HTTPS and to all paths.
const COOKIE: &str = "__Host-company";
/// How long a browser keeps it: as long as an attempt is good.
const COOKIE_MAX_AGE_S: u32 = 3600;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route(COMPANY_PATH, get(start_sign_in)).route(RETURN_PATH, get(complete_sign_in))
}

#[derive(Deserialize)]
struct StartQuery {
    next: Option<String>,
}

/// What the company's server sends back (RFC 6749, section 4.1.2; RFC 9207).
#[derive(Deserialize)]
struct ReturnQuery {
    code: Option<String>,
    state: Option<String>,
    iss: Option<String>,
    error: Option<String>,
}

async fn start_sign_in(
    State(edge): State<Arc<Edge>>,
    PageQuery(query): PageQuery<StartQuery>,
) -> Response {
    let Some(company) = edge.company_sign_in().cloned() else {
        return refusal_page(None, &Failure::NotFound);
    };
    let attempt = match begin_attempt(own_path(query.next.as_deref())) {
        Ok(attempt) => attempt,
        Err(error) => return refusal_page(None, &internal_failure(error)),
    };
    let cookie = attempt_cookie(&attempt.to_cookie_value(), COOKIE_MAX_AGE_S);
    let url = edge.run_fetch_work(move |service| {
        Ok(company.authorization_url(&attempt, &return_address(service)))
    });
    match url.await {
        Ok(Ok(url)) => {
            let cookie = cookie.map(|cookie| (header::SET_COOKIE, cookie));
            match cookie {
                Ok(cookie) => ([cookie], Redirect::to(url.as_str())).into_response(),
                Err(failure) => refusal_page(None, &failure),
            }
        }
        Ok(Err(error)) => failed_page(&error),
        Err(failure) => refusal_page(None, &failure),
    }
}

fn begin_attempt(next: &str) -> Result<Attempt, AccessError> {
    let (state, nonce, verifier) = (new_secret()?, new_secret()?, new_secret()?);
    let began = Timestamp::now().as_second();
    Ok(Attempt { state, nonce, verifier, next: next.to_owned(), began })
}

fn return_address(service: &Service) -> String {
    format!("{}{RETURN_PATH}", service.address.base_url())
}

fn attempt_cookie(value: &str, age: u32) -> Result<HeaderValue, Failure> {
    // Lax: the answer comes by a link of another site.
    let attributes = "Path=/; Secure; HttpOnly; SameSite=Lax";
    HeaderValue::from_str(&format!("{COOKIE}={value}; {attributes}; Max-Age={age}"))
        .map_err(internal_failure)
}

async fn complete_sign_in(
    State(edge): State<Arc<Edge>>,
    PageQuery(query): PageQuery<ReturnQuery>,
    headers: HeaderMap,
) -> Response {
    let Some(company) = edge.company_sign_in().cloned() else {
        return refusal_page(None, &Failure::NotFound);
    };
    let attempt =
        cookie_value(&headers, COOKIE).and_then(|value| Attempt::from_cookie_value(&value));
    let Some(attempt) = attempt else { return failed_page(&CompanySignInError::NoAttempt) };
    let is_from_issuer = query.iss.as_ref().is_none_or(|iss| *iss == company.settings().issuer);
    let (Some(state), true) = (query.state, is_from_issuer) else {
        return failed_page(&CompanySignInError::NoAttempt);
    };
    let (Some(code), None) = (query.code, query.error) else {
        // Whoever cancels comes back without a code.
        return Redirect::to("/sign-in").into_response();
    };
    let next = attempt.next.clone();
    let work = edge.run_fetch_work(move |service| {
        let (address, now) = (return_address(service), Timestamp::now().as_second());
        match company.redeem(&attempt, &state, &code, &address, now) {
            Ok(person) => Ok(Ok(sign_in_person(service, &company, &person)?)),
            Err(error) => Ok(Err(error)),
        }
    });
    match work.await {
        Ok(Ok(Ok(session))) => {
            let mut response = begin_session(&session, own_path(Some(&next)));
            // A second use of the answer finds no attempt.
            if let Ok(gone) = attempt_cookie("", 0) {
                response.headers_mut().append(header::SET_COOKIE, gone);
            }
            response
        }
        Ok(Ok(Err(reason))) => refused_page(reason),
        Ok(Err(error)) => failed_page(&error),
        Err(failure) => refusal_page(None, &failure),
    }
}

/// Begins a session of the person's account; the inner error says why they have none.
fn sign_in_person(
    service: &Service,
    company: &CompanySignIn,
    person: &CompanyPerson,
) -> Result<Result<String, &'static str>, Failure> {
    let CompanyPerson { issuer, subject, email } = person;
    let identity = ProvedIdentity { issuer, subject, email };
    let plan = company.settings().new_account_plan.as_deref();
    let account = match service.access.accounts().account_of_identity(&identity, plan) {
        Ok(IdentityOutcome::Linked(account)) => account,
        Ok(IdentityOutcome::Unknown) => {
            return Ok(Err(
                "Nobody has created an account with your e-mail address. Ask your operator for one.",
            ));
        }
        Ok(IdentityOutcome::Disabled) => return Ok(Err("Your account is disabled.")),
        Ok(IdentityOutcome::LinkedToAnother) => {
            return Ok(Err(
                "The account with your e-mail address belongs to another identity of the company's server. Ask your \
                 operator.",
            ));
        }
        Err(AccessError::InvalidAccountName) => {
            return Ok(Err(
                "Your e-mail address cannot be the name of an account. Ask your operator.",
            ));
        }
        Err(error) => return Err(internal_failure(error)),
    };
    let session = service.access.sessions().begin_session(&account).map_err(internal_failure)?;
    session.map(Ok).ok_or_else(changed_meanwhile)
}

fn failed_page(error: &CompanySignInError) -> Response {
    // Whatever the company's server said is for the operator alone.
    tracing::warn!(error = error_chain(error), "a sign-in at the company's server failed");
    refused_page(match error {
        CompanySignInError::NoAttempt => {
            "This answer belongs to no sign-in that was begun in this browser within the last hour."
        }
        CompanySignInError::Provider(_) => {
            "The company's server could not be used. Try again later; your operator finds the reason in the log."
        }
        CompanySignInError::IdToken(_) => {
            "The answer of the company's server could not be verified. Your operator finds the reason in the log."
        }
        CompanySignInError::Admission(_) => {
            "You are not admitted: your e-mail address is not verified there, or its domain or your groups are not \
             admitted here. Ask your operator."
        }
    })
}

fn refused_page(reason: &str) -> Response {
    let body = html! {
        section.narrow {
            h1 { "Sign-in failed" }
            (fault_line(Some(reason)))
            p { a.button href="/sign-in" { "Sign in" } }
        }
    };
    let frame = PageFrame { title: "Sign-in failed", person: None, part: "" };
    let mut response = render_page(&frame, body);
    *response.status_mut() = StatusCode::FORBIDDEN;
    response
}
