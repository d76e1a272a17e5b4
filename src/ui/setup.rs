//! The page behind a set-up link: its owner sets the password of their account, once.

use std::sync::Arc;

use axum::{Router, extract::State, http::StatusCode, response::Response, routing::get};
use maud::html;
use serde::Deserialize;

use super::{
    forms::OpenForm,
    page::{PageFrame, refusal_page, render_page},
    page_query::PageQuery,
    sign_in::{begin_session, changed_meanwhile, explain_error, fault_line, new_password_fields},
};
use crate::{http::Edge, service::internal_failure};
use accounts::AccessError;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/setup", get(show_setup).post(set_password))
}

#[derive(Deserialize)]
struct SetupQuery {
    #[serde(default)]
    token: String,
}

async fn show_setup(
    State(edge): State<Arc<Edge>>,
    PageQuery(link): PageQuery<SetupQuery>,
) -> Response {
    match edge.service().access.passwords().link_owner(&link.token) {
        Ok(Some(owner)) => setup_page(&link.token, &owner.name, None),
        Ok(None) => invalid_link_page(),
        Err(error) => refusal_page(None, &internal_failure(error)),
    }
}

fn invalid_link_page() -> Response {
    let body = html! {
        section.narrow {
            h1 { "This link is not valid" }
            p {
                "It was already used, has expired, or was replaced by a newer one. Operators create a new one with "
                code { "specbox user reset NAME" } " on the server."
            }
            p { a.button href="/sign-in" { "Sign in" } }
        }
    };
    let mut response =
        render_page(&PageFrame { title: "Set-up link", person: None, part: "" }, body);
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

fn setup_page(token: &str, name: &str, fault: Option<&str>) -> Response {
    let body = html! {
        section.narrow {
            h1 { "Welcome, " (name) }
            p { "Choose a password for " strong { (name) } "." }
            (fault_line(fault))
            form.stacked method="post" action="/setup" {
                input type="hidden" name="token" value=(token);
                input type="hidden" name="name" value=(name) autocomplete="username";
                (new_password_fields())
                button type="submit" { "Set password and sign in" }
            }
        }
    };
    let mut response =
        render_page(&PageFrame { title: "Set a password", person: None, part: "" }, body);
    if fault.is_some() {
        *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    }
    response
}

async fn set_password(State(edge): State<Arc<Edge>>, form: OpenForm) -> Response {
    let (token, password) = (form.field("token").to_owned(), form.field("password").to_owned());
    let name = match edge.service().access.passwords().link_owner(&token) {
        Ok(Some(owner)) => owner.name,
        Ok(None) => return invalid_link_page(),
        Err(error) => return refusal_page(None, &internal_failure(error)),
    };
    if password != form.field("again") {
        return setup_page(&token, &name, Some("The passwords do not match."));
    }
    let set = edge.run_password_work(move |service| {
        let access = &service.access;
        match access.passwords().set_password_by_link(&token, &password) {
            Ok(account) => {
                match access.sessions().begin_session(&account).map_err(internal_failure)? {
                    Some(cookie) => Ok(Ok(cookie)),
                    None => Err(changed_meanwhile()),
                }
            }
            Err(error @ AccessError::InvalidPassword { .. }) => {
                Ok(Err(Some(explain_error(error)?)))
            }
            Err(AccessError::InvalidLink) => Ok(Err(None)),
            Err(error) => Err(internal_failure(error)),
        }
    });
    match set.await {
        Ok(Ok(cookie)) => begin_session(&cookie, "/dashboard"),
        Ok(Err(Some(fault))) => setup_page(form.field("token"), &name, Some(&fault)),
        Ok(Err(None)) => invalid_link_page(),
        Err(failure) => refusal_page(None, &failure),
    }
}
