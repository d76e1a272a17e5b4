//! Programs that a person let in, and how to connect one.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    response::Response,
    routing::{get, post},
};
use maud::{Markup, html};

use super::{after, change, dashboard, minutes};
use crate::{
    http::Edge,
    mcp::connecting,
    service::internal,
    ui::{asked::PagePath, docs::markdown, forms::OwnForm, page::refusal, person::Person},
};
use accounts::{Destination, GrantRecord};

const HERE: &str = "/dashboard/clients";

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/dashboard/clients", get(show))
        .route("/dashboard/clients/{id}/disconnect", post(disconnect))
}

async fn show(State(edge): State<Arc<Edge>>, person: Person) -> Response {
    let account = person.account.id;
    let grants = edge.work(move |service| service.access.grants(account).map_err(internal));
    let grants = match grants.await {
        Ok(grants) => grants,
        Err(failure) => return refusal(Some(&person), &failure),
    };
    let body = html! {
        section.card aria-label="Connected programs" {
            h2 { "Connected programs" }
            @if grants.is_empty() {
                p.empty { "None yet. A program that speaks MCP needs this address and nothing else: "
                    code { (edge.service().base_url()) "/mcp" } }
            } @else {
                div.table role="region" aria-label="Connected programs" tabindex="0" {
                    table {
                        thead { tr {
                            th scope="col" { "Name" } th scope="col" { "Answered at" }
                            th scope="col" { "Let in" } th scope="col" { "Last used" }
                            th scope="col" { "Ends unless used" }
                            th { span.hidden { "Actions" } }
                        } }
                        tbody { @for grant in &grants { (row(&person, grant)) } }
                    }
                }
            }
        }
        section.card.prose aria-label="Connect a program" {
            (markdown(&connecting(edge.service().base_url())))
        }
    };
    dashboard(&person, HERE, "Programs", None, body)
}

fn row(person: &Person, grant: &GrantRecord) -> Markup {
    html! {
        tr {
            td { (grant.client_name) }
            td {
                @match &grant.destination {
                    Some(Destination::Site(host)) => { (host) }
                    Some(Destination::ThisMachine(_)) => { "the machine of the browser" }
                    Some(Destination::Program(scheme)) => { code { (scheme) } }
                    None => { }
                }
            }
            td { (minutes(&grant.created_at)) }
            td { (minutes(&grant.last_used_at)) }
            td { (minutes(&grant.expires_at)) }
            td.actions {
                form method="post" action={ (HERE) "/" (grant.id) "/disconnect" } {
                    (person.form_token())
                    button.small.danger type="submit"
                        aria-label={ "Disconnect " (grant.client_name) } { "Disconnect" }
                }
            }
        }
    }
}

async fn disconnect(
    State(edge): State<Arc<Edge>>,
    PagePath(id): PagePath<u64>,
    form: OwnForm,
) -> Response {
    let owner = form.person.account.id;
    let done = change(&edge, move |access| access.revoke_grant(owner, id)).await;
    after(&form.person, HERE, done)
}
