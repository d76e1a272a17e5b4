//! The page behind a set-up link: its owner sets the password of their account, once.

use std::sync::Arc;

use axum::{Router, extract::State, http::StatusCode, response::Response, routing::get};
use maud::html;
use serde::Deserialize;

use super::{
    asked::PageQuery,
    forms::OpenForm,
    page::{Frame, page, refusal},
    sign_in::{begin, changed_meanwhile, fault_line, new_password_fields, told},
};
use crate::{http::Edge, service::internal};
use accounts::AccessError;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/setup", get(show).post(set))
}

#[derive(Deserialize)]
struct Link {
    #[serde(default)]
    token: String,
}

async fn show(State(edge): State<Arc<Edge>>, PageQuery(link): PageQuery<Link>) -> Response {
    match edge.service().access.link_owner(&link.token) {
        Ok(Some(owner)) => setup_page(&link.token, &owner.name, None),
        Ok(None) => invalid(),
        Err(error) => refusal(None, &internal(error)),
    }
}

fn invalid() -> Response {
    let body = html! {
        section.narrow {
            h1 { "This link is not valid" }
            p {
                "It was used, is older than a day, or a newer one was made. A new one comes from "
                code { "specbox user reset NAME" } " on the machine of the server."
            }
            p { a.button href="/sign-in" { "Sign in" } }
        }
    };
    let mut response = page(&Frame { title: "Set-up link", person: None, part: "" }, body);
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

fn setup_page(token: &str, name: &str, fault: Option<&str>) -> Response {
    let body = html! {
        section.narrow {
            h1 { "Welcome, " (name) }
            p { "Choose the password with which you sign in as " strong { (name) } "." }
            (fault_line(fault))
            form.stacked method="post" action="/setup" {
                input type="hidden" name="token" value=(token);
                input type="hidden" name="name" value=(name) autocomplete="username";
                (new_password_fields())
                button type="submit" { "Set the password and sign in" }
            }
        }
    };
    let mut response = page(&Frame { title: "Set a password", person: None, part: "" }, body);
    if fault.is_some() {
        *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    }
    response
}

async fn set(State(edge): State<Arc<Edge>>, form: OpenForm) -> Response {
    let (token, password) = (form.field("token").to_owned(), form.field("password").to_owned());
    let name = match edge.service().access.link_owner(&token) {
        Ok(Some(owner)) => owner.name,
        Ok(None) => return invalid(),
        Err(error) => return refusal(None, &internal(error)),
    };
    if password != form.field("again") {
        return setup_page(&token, &name, Some("The two passwords differ."));
    }
    let set = edge.password_work(move |service| {
        let access = &service.access;
        match access.set_password_by_link(&token, &password) {
            Ok(account) => match access.begin_session(&account).map_err(internal)? {
                Some(cookie) => Ok(Ok(cookie)),
                None => Err(changed_meanwhile()),
            },
            Err(error @ AccessError::InvalidPassword { .. }) => Ok(Err(Some(told(error)?))),
            Err(AccessError::InvalidLink) => Ok(Err(None)),
            Err(error) => Err(internal(error)),
        }
    });
    match set.await {
        Ok(Ok(cookie)) => begin(&cookie, "/dashboard"),
        Ok(Err(Some(fault))) => setup_page(form.field("token"), &name, Some(&fault)),
        Ok(Err(None)) => invalid(),
        Err(failure) => refusal(None, &failure),
    }
}
