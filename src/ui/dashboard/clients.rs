//! The OAuth clients that a person authorized, and how to connect one.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    response::Response,
    routing::{get, post},
};
use maud::{Markup, html};

use super::{apply_change, dashboard_page, render_time, respond_to_change};
use crate::{
    http::Edge,
    mcp::connect_guide,
    service::internal_failure,
    ui::{
        docs::render_markdown, forms::OwnForm, page::refusal_page, page_query::PagePath,
        person::Person,
    },
};
use accounts::{Destination, GrantRecord};

const HERE: &str = "/dashboard/clients";

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/dashboard/clients", get(show_clients))
        .route("/dashboard/clients/{id}/disconnect", post(disconnect_client))
}

async fn show_clients(State(edge): State<Arc<Edge>>, person: Person) -> Response {
    let account = person.account.id;
    let grants = edge.run_blocking(person.owner(), move |service| {
        service.access.grants().list_grants(account).map_err(internal_failure)
    });
    let grants = match grants.await {
        Ok(grants) => grants,
        Err(failure) => return refusal_page(Some(&person), &failure),
    };
    let body = html! {
        section.card aria-label="Connected programs" {
            h2 { "Connected programs" }
            @if grants.is_empty() {
                p.empty { "No connected programs yet. To connect an MCP client, give it this address: "
                    code { (edge.service().address.base_url()) "/mcp" } }
            } @else {
                div.table role="region" aria-label="Connected programs" tabindex="0" {
                    table {
                        thead { tr {
                            th scope="col" { "Name" } th scope="col" { "Returns to" }
                            th scope="col" { "Approved" } th scope="col" { "Last used" }
                            th scope="col" { "Expires unless used" }
                            th { span.hidden { "Actions" } }
                        } }
                        tbody { @for grant in &grants { (render_grant_row(&person, grant)) } }
                    }
                }
            }
        }
        section.card.prose aria-label="Connect a program" {
            (render_markdown(&connect_guide(edge.service().address.base_url())))
        }
    };
    dashboard_page(&person, HERE, "Programs", None, body)
}

fn render_grant_row(person: &Person, grant: &GrantRecord) -> Markup {
    html! {
        tr {
            td { (grant.client_name) }
            td {
                @match &grant.destination {
                    Some(Destination::Site(host)) => { (host) }
                    Some(Destination::ThisMachine(_)) => { "a program on your computer" }
                    Some(Destination::Program(scheme)) => { code { (scheme) } }
                    None => { }
                }
            }
            td { (render_time(&grant.created_at)) }
            td { (render_time(&grant.last_used_at)) }
            td { (render_time(&grant.expires_at)) }
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

async fn disconnect_client(
    State(edge): State<Arc<Edge>>,
    PagePath(id): PagePath<u64>,
    form: OwnForm,
) -> Response {
    let owner = form.person.account.id;
    let done = apply_change(&edge, move |access| access.grants().revoke_grant(owner, id)).await;
    respond_to_change(&form.person, HERE, done)
}
