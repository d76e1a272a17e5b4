//! Extractors for the person who opens a page; people without permission get a page that says so.

use std::sync::Arc;

use axum::{
    extract::FromRequestParts,
    http::{Method, Uri, request::Parts},
    response::{IntoResponse, Redirect, Response},
};
use maud::html;

use super::{
    page::{PageFrame, refusal_page, render_page},
    person::{Person, own_path, signed_in_person},
};
use crate::http::Edge;
use wire::Failure;

impl FromRequestParts<Arc<Edge>> for Person {
    type Rejection = Response;

    /// Sends strangers to the sign-in page, which sends them back here.
    async fn from_request_parts(
        parts: &mut Parts,
        edge: &Arc<Edge>,
    ) -> Result<Self, Self::Rejection> {
        match signed_in_person(edge, &parts.headers) {
            Ok(Some(person)) => Ok(person),
            Ok(None) => Err(to_sign_in(&parts.method, &parts.uri)),
            Err(failure) => Err(refusal_page(None, &failure)),
        }
    }
}

/// Sends to the sign-in page, which leads back to the requested page; a form cannot be sent again.
pub(super) fn to_sign_in(method: &Method, uri: &Uri) -> Response {
    let path = match *method {
        Method::GET | Method::HEAD => uri.path_and_query().map_or("/", |path| path.as_str()),
        _ => "/dashboard",
    };
    let mut next = url::form_urlencoded::Serializer::new(String::new());
    next.append_pair("next", path);
    Redirect::to(&format!("/sign-in?{}", next.finish())).into_response()
}

/// A person who is signed in, or `None`; for pages that are open to all.
pub(super) struct Visitor(pub(super) Option<Person>);

impl FromRequestParts<Arc<Edge>> for Visitor {
    type Rejection = Response;

    async fn from_request_parts(
        parts: &mut Parts,
        edge: &Arc<Edge>,
    ) -> Result<Self, Self::Rejection> {
        signed_in_person(edge, &parts.headers)
            .map(Visitor)
            .map_err(|failure| refusal_page(None, &failure))
    }
}

/// A person who is signed in and opens a page that uses a request of their allowance. A link on another site
/// and a prefetching browser cannot use it up: for them a page asks the person to continue.
pub(super) struct PayingPerson(pub(super) Person);

impl FromRequestParts<Arc<Edge>> for PayingPerson {
    type Rejection = Response;

    async fn from_request_parts(
        parts: &mut Parts,
        edge: &Arc<Edge>,
    ) -> Result<Self, Self::Rejection> {
        let person = Person::from_request_parts(parts, edge).await?;
        let header_text =
            |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
        let is_cross_site =
            matches!(header_text("sec-fetch-site"), Some("cross-site" | "same-site"));
        let is_prefetch = header_text("sec-purpose").or_else(|| header_text("purpose")).is_some();
        if is_cross_site || is_prefetch {
            return Err(confirm_page(&person, &parts.uri));
        }
        Ok(Self(person))
    }
}

/// The page that asks a person to continue.
fn confirm_page(person: &Person, uri: &Uri) -> Response {
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let body = html! {
        section.narrow {
            h1 { "Continue?" }
            p { "Opening this page uses one request of your allowance." }
            p { a.button href=(own_path(Some(path))) { "Continue" } }
        }
    };
    render_page(&PageFrame { title: "Continue?", person: Some(person), part: "" }, body)
}

/// An operator who is signed in.
pub(super) struct OperatorPerson(pub(super) Person);

impl FromRequestParts<Arc<Edge>> for OperatorPerson {
    type Rejection = Response;

    async fn from_request_parts(
        parts: &mut Parts,
        edge: &Arc<Edge>,
    ) -> Result<Self, Self::Rejection> {
        let person = Person::from_request_parts(parts, edge).await?;
        if person.is_operator() {
            return Ok(Self(person));
        }
        Err(refusal_page(Some(&person), &operators_only()))
    }
}

pub(super) fn operators_only() -> Failure {
    Failure::Forbidden { message: "Only operators can open this page." }
}
