//! API keys: create, show once, deactivate, delete.

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
    service::internal_failure,
    ui::{
        export::{ExportQuery, export_links, export_rows},
        forms::OwnForm,
        page::refusal_page,
        page_query::{PagePath, PageQuery},
        person::Person,
        status_badge::status_badge,
    },
};
use accounts::{KeyLimits, KeyRecord, KeyScope, NewKey};

const HERE: &str = "/dashboard/keys";

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/dashboard/keys", get(show_keys).post(create_key))
        .route("/dashboard/keys/{id}/deactivate", post(deactivate_key))
        .route("/dashboard/keys/{id}/delete", post(delete_key))
}

async fn show_keys(
    State(edge): State<Arc<Edge>>,
    person: Person,
    PageQuery(query): PageQuery<ExportQuery>,
) -> Response {
    let Some(format) = query.format() else { return keys_page(&edge, &person, None, None) };
    match edge.service().access.keys().list_keys(Some(person.account.id)) {
        Ok(keys) => export_rows("keys", format, &keys),
        Err(error) => refusal_page(Some(&person), &internal_failure(error)),
    }
}

fn keys_page(
    edge: &Edge,
    person: &Person,
    new_key: Option<&NewKey>,
    fault: Option<&str>,
) -> Response {
    let keys = match edge.service().access.keys().list_keys(Some(person.account.id)) {
        Ok(keys) => keys,
        Err(error) => return refusal_page(Some(person), &internal_failure(error)),
    };
    let body = html! {
        @if let Some(new_key) = new_key { (render_new_key(edge, new_key)) }
        section.card aria-label="New key" {
            h2 { "New key" }
            form.stacked method="post" action=(HERE) {
                (person.form_token())
                label for="key-name" { "Name" }
                input #key-name type="text" name="name" required maxlength="100"
                    placeholder="laptop";
                (render_limit_fields())
                button type="submit" { "Create key" }
            }
        }
        section.card aria-label="Keys" {
            h2 { "Keys" }
            @if keys.is_empty() {
                p.empty { "No keys yet. Programs send a key as " code { "Authorization: Bearer sk-..." } "." }
            } @else {
                div.actions-line { (export_links(HERE)) }
                div.table role="region" aria-label="Keys" tabindex="0" {
                    table {
                        thead { tr {
                            th scope="col" { "Name" } th scope="col" { "Project" }
                            th scope="col" { "Key" } th scope="col" { "May read" }
                            th scope="col" { "Created" } th scope="col" { "Expires" }
                            th scope="col" { "Last used" }
                            th scope="col" { "State" } th { span.hidden { "Actions" } }
                        } }
                        tbody { @for key in &keys { (render_key_row(person, key)) } }
                    }
                }
            }
        }
    };
    dashboard_page(person, HERE, "API keys", fault, body)
}

/// A new key, the only time it is shown.
fn render_new_key(edge: &Edge, new_key: &NewKey) -> Markup {
    let base_url = edge.service().address.base_url();
    let trust = if edge.lab_certificate().is_some() { "--cacert ca.pem " } else { "" };
    let curl = format!(
        "curl {trust}'{base_url}/terms/resolve?term=UE' -H 'Authorization: Bearer {}'",
        new_key.key
    );
    html! {
        section.card.once aria-label="New key" {
            h2 { "The key " em { (new_key.record.stored.name) } }
            p role="status" { "Copy it now. It will not be shown again." }
            p.copy { code #new-key { (new_key.key) }
                button type="button" data-copy="new-key" hidden { "Copy" } }
            p { "Try it:" }
            p.copy { code #new-key-curl { (curl) }
                button type="button" data-copy="new-key-curl" hidden { "Copy" } }
            @if edge.lab_certificate().is_some() {
                p.quiet {
                    code { "ca.pem" } " is the file that clients need to trust the lab certificate: "
                    a href="/certificate" { "get it" } "."
                }
            }
        }
    }
}

/// What restricts a new key.
fn render_limit_fields() -> Markup {
    html! {
        details {
            summary { "Limits" }
            label for="key-project" { "Project" }
            input #key-project type="text" name="project" maxlength="100";
            label for="key-expires" { "Last day" }
            input #key-expires type="date" name="expires";
            label for="key-series" { "Series" }
            input #key-series type="text" name="series" maxlength="200" placeholder="23, 38";
            label for="key-operations" { "Operations" }
            input #key-operations type="text" name="operations" maxlength="1000" spellcheck="false"
                placeholder="search_text, get_sections";
            p.quiet {
                "The key works until the end of the last day in UTC. A key with series reads only their "
                "specifications, and no TDocs and meetings. " a href="/docs/administration#keys" { "More on limits" }
            }
        }
    }
}

fn render_time_or(time: Option<&str>, otherwise: &str) -> Markup {
    html! {
        @match time {
            Some(time) => { (render_time(time)) }
            None => { (otherwise) }
        }
    }
}

fn render_key_row(person: &Person, key: &KeyRecord) -> Markup {
    let action = |verb: &str| format!("{HERE}/{}/{verb}", key.stored.id);
    html! {
        tr {
            td { (key.stored.name) }
            td { (key.limits.project.as_deref().unwrap_or_default()) }
            td { code { (key.stored.prefix) "\u{2026}" } }
            td { (key.limits.scope) }
            td { (render_time(&key.stored.created_at)) }
            td { (render_time_or(key.limits.expires_at.as_deref(), "no expiry")) }
            td { (render_time_or(key.last_used_at.as_deref(), "never")) }
            td { (status_badge(key.state())) }
            td.actions {
                @if key.stored.active {
                    form method="post" action=(action("deactivate")) {
                        (person.form_token())
                        button.small type="submit" aria-label={ "Deactivate " (key.stored.name) } { "Deactivate" }
                    }
                }
                form method="post" action=(action("delete")) {
                    (person.form_token())
                    button.small.danger type="submit" aria-label={ "Delete " (key.stored.name) } { "Delete" }
                }
            }
        }
    }
}

async fn create_key(State(edge): State<Arc<Edge>>, form: OwnForm) -> Response {
    let (owner, name) = (form.person.account.id, form.field("name").to_owned());
    let limits = limits_of(&form);
    let create =
        apply_change(&edge, move |access| access.keys().create_limited_key(owner, &name, &limits));
    match create.await {
        Ok(Ok(new_key)) => keys_page(&edge, &form.person, Some(&new_key), None),
        Ok(Err(fault)) => keys_page(&edge, &form.person, None, Some(&fault)),
        Err(failure) => refusal_page(Some(&form.person), &failure),
    }
}

/// The limits of a form; `KeyLimits` treats what was left empty as absent.
fn limits_of(form: &OwnForm) -> KeyLimits {
    let text = |field: &str| Some(form.field(field).to_owned());
    let words = |field: &str| {
        let words = form.field(field).split([',', ' ']).map(str::to_owned);
        words.collect::<Vec<_>>()
    };
    let scope = KeyScope { operations: words("operations"), series: words("series") };
    KeyLimits { project: text("project"), expires_at: text("expires"), scope }
}

async fn deactivate_key(
    State(edge): State<Arc<Edge>>,
    PagePath(id): PagePath<u64>,
    form: OwnForm,
) -> Response {
    let owner = form.person.account.id;
    let done =
        apply_change(&edge, move |access| access.keys().deactivate_key(Some(owner), id)).await;
    respond_to_change(&form.person, HERE, done)
}

async fn delete_key(
    State(edge): State<Arc<Edge>>,
    PagePath(id): PagePath<u64>,
    form: OwnForm,
) -> Response {
    let owner = form.person.account.id;
    let done = apply_change(&edge, move |access| access.keys().delete_key(Some(owner), id)).await;
    respond_to_change(&form.person, HERE, done)
}
