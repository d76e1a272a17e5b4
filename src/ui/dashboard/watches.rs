//! What a person watches, the events of it, and the address of their feed.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use maud::{Markup, html};
use serde::Deserialize;

use super::{apply_change, dashboard_page, render_time, respond_to_change};
use crate::{
    http::Edge,
    service::internal_failure,
    ui::{
        forms::OwnForm,
        page::refusal_page,
        page_query::{PagePath, PageQuery},
        person::Person,
        sign_in::explain_error,
        watch_paths::{KINDS, kind_name, parse_kind, target_path},
    },
};
use accounts::{AccessError, Watch, WatchEvent, WatchEventKind};
use cost_meter::Owner;
use wire::Failure;

const HERE: &str = "/dashboard/watches";
/// Events on one page.
const EVENTS_A_PAGE: usize = 50;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/dashboard/watches", get(show_watches).post(add_watch))
        .route("/dashboard/watches/{id}/delete", post(delete_watch))
        .route("/dashboard/watches/feed", post(renew_feed))
        .route("/dashboard/watches/feed/delete", post(delete_feed))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct WatchesQuery {
    /// What the form begins with.
    kind: String,
    subject: String,
    /// Only events before this one.
    before: Option<u64>,
}

async fn show_watches(
    State(edge): State<Arc<Edge>>,
    person: Person,
    PageQuery(query): PageQuery<WatchesQuery>,
) -> Response {
    watches_page(&edge, &person, &query, Shown::default())
}

/// What the page shows once.
#[derive(Default)]
struct Shown<'a> {
    secret: Option<&'a str>,
    fault: Option<&'a str>,
}

/// What the page shows of an account.
struct AccountEvents {
    watches: Vec<Watch>,
    events: Vec<WatchEvent>,
    has_feed: bool,
}

impl AccountEvents {
    fn read(edge: &Edge, account: u32, before: Option<u64>) -> Result<Self, AccessError> {
        let watches = edge.service().access.watches();
        Ok(Self {
            watches: watches.list_watches(Some(account))?,
            events: watches.list_events(account, before, EVENTS_A_PAGE)?,
            has_feed: watches.has_feed(account)?,
        })
    }
}

fn watches_page(edge: &Edge, person: &Person, query: &WatchesQuery, shown: Shown<'_>) -> Response {
    let read = match AccountEvents::read(edge, person.account.id, query.before) {
        Ok(read) => read,
        Err(error) => return refusal_page(Some(person), &internal_failure(error)),
    };
    let body = html! {
        @if let Some(secret) = shown.secret { (render_new_feed(edge, secret)) }
        section.card aria-label="Events" {
            h2 { "Events" }
            @if read.events.is_empty() {
                p.empty { "No events yet. Events appear when newly indexed files match your watches." }
            } @else {
                ol.events { @for event in &read.events { (render_event(&read.watches, event)) } }
                @if let (Some(last), EVENTS_A_PAGE) = (read.events.last(), read.events.len()) {
                    p { a href={ (HERE) "?before=" (last.id) } { "Older events \u{2192}" } }
                }
            }
        }
        (render_form(person, query))
        (render_watches(person, &read.watches))
        (render_feed(person, read.has_feed))
    };
    dashboard_page(person, HERE, "Watches", shown.fault, body)
}

fn render_event(watches: &[Watch], event: &WatchEvent) -> Markup {
    let watch = watches.iter().find(|watch| watch.id == event.stored.watch);
    html! {
        li {
            p {
                span.tag { (event_word(event.stored.kind)) } " "
                a href=(target_path(&event.stored.target)) { (event.stored.title) } " "
                span.quiet { (render_time(&event.stored.created_at)) }
                @if let Some(watch) = watch {
                    " " span.quiet { "because you watch " (watch.subject) }
                }
            }
            @if !event.stored.text.is_empty() { p.lines { (event.stored.text) } }
        }
    }
}

/// The word for the kind of an event.
pub(in crate::ui) fn event_word(kind: WatchEventKind) -> &'static str {
    match kind {
        WatchEventKind::Version => "new version",
        WatchEventKind::ChangeRequest => "change request",
        WatchEventKind::Contribution => "contribution",
        WatchEventKind::Decision => "decision",
        WatchEventKind::Outcome => "outcome",
    }
}

fn render_form(person: &Person, query: &WatchesQuery) -> Markup {
    html! {
        section.card aria-label="New watch" {
            h2 { "New watch" }
            form.inline method="post" action=(HERE) {
                (person.form_token())
                label for="watch-kind" { "Type" }
                select #watch-kind name="kind" {
                    @for (_, word, name) in KINDS { option value=(word) selected[word == query.kind] { (name) } }
                }
                label for="watch-subject" { "Subject" }
                input #watch-subject type="text" name="subject" required maxlength="200"
                    value=(query.subject) placeholder="38.331 5.3.5" aria-describedby="watch-help";
                button type="submit" { "Watch" }
            }
            p.quiet #watch-help {
                "A specification: " code { "38.331" } ". A clause: " code { "38.331 5.3.5" }
                ". A name: " code { "T310" } ". A work item: " code { "NR_XR_enh-Core" }
                ". An agenda item: " code { "RAN1 9.1" } " or " code { "R1-118 9.1" }
                ". Words: all of them must occur in a change, a title or a decision."
            }
        }
    }
}

fn render_watches(person: &Person, watches: &[Watch]) -> Markup {
    html! {
        section.card aria-label="Your watches" {
            h2 { "Your watches" }
            @if watches.is_empty() {
                p.empty { "No watches yet." }
            } @else {
                div.table role="region" aria-label="Your watches" tabindex="0" {
                    table {
                        thead { tr {
                            th scope="col" { "Type" } th scope="col" { "Subject" }
                            th scope="col" { "Since" } th { span.hidden { "Actions" } }
                        } }
                        tbody {
                            @for watch in watches {
                                tr {
                                    td { (kind_name(watch.kind)) }
                                    td { (watch.subject) }
                                    td { (render_time(&watch.created_at)) }
                                    td.actions {
                                        form method="post" action={ (HERE) "/" (watch.id) "/delete" } {
                                            (person.form_token())
                                            button.small.danger type="submit"
                                                aria-label={ "Stop watching " (watch.subject) } { "Stop" }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn render_feed(person: &Person, has_feed: bool) -> Markup {
    html! {
        section.card aria-label="Feed" {
            h2 { "Feed" }
            p {
                "A feed reader shows your events without signing in. Its address is secret: anyone who has it can read "
                "your events. A new address replaces the old one."
            }
            form.inline method="post" action={ (HERE) "/feed" } {
                (person.form_token())
                button type="submit" { @if has_feed { "Create new address" } @else { "Create address" } }
            }
            @if has_feed {
                form.inline method="post" action={ (HERE) "/feed/delete" } {
                    (person.form_token())
                    button.danger type="submit" { "Remove feed" }
                }
            }
        }
    }
}

/// The addresses of a new feed, the only time they are shown.
fn render_new_feed(edge: &Edge, secret: &str) -> Markup {
    let base_url = edge.service().address.base_url();
    html! {
        section.card.once aria-label="Your feed address" {
            h2 { "Your feed address" }
            p role="status" { "Copy it now. It will not be shown again." }
            @for (id, name, suffix) in [("feed-atom", "Atom", "atom"), ("feed-json", "JSON Feed", "json")] {
                p { (name) }
                p.copy { code id=(id) { (base_url) "/feeds/" (secret) "." (suffix) }
                    button type="button" data-copy=(id) hidden { "Copy" } }
            }
        }
    }
}

async fn add_watch(State(edge): State<Arc<Edge>>, form: OwnForm) -> Response {
    let account = form.person.account.id;
    let (word, subject) = (form.field("kind").to_owned(), form.field("subject").to_owned());
    let entered = WatchesQuery { kind: word.clone(), subject: subject.clone(), before: None };
    let added = match parse_kind(&word) {
        Some(kind) => {
            edge.run_blocking(Owner::Nobody, move |service| {
                match crate::service::add_watch(service, account, kind, &subject)? {
                    Ok(_) => Ok(Ok(())),
                    Err(error) => Ok(Err(explain_error(error)?)),
                }
            })
            .await
        }
        None => Err(Failure::BadForm),
    };
    let show = |fault: &str| {
        watches_page(&edge, &form.person, &entered, Shown { secret: None, fault: Some(fault) })
    };
    match added {
        Ok(Ok(())) => Redirect::to(HERE).into_response(),
        Ok(Err(fault)) => show(&fault),
        Err(Failure::InvalidParameter { message, .. }) => show(&message),
        Err(failure) => refusal_page(Some(&form.person), &failure),
    }
}

async fn delete_watch(
    State(edge): State<Arc<Edge>>,
    PagePath(id): PagePath<u64>,
    form: OwnForm,
) -> Response {
    let account = form.person.account.id;
    let done = apply_change(&edge, move |access| access.watches().remove_watch(account, id)).await;
    respond_to_change(&form.person, HERE, done)
}

async fn renew_feed(State(edge): State<Arc<Edge>>, form: OwnForm) -> Response {
    let account = form.person.account.id;
    match apply_change(&edge, move |access| access.watches().renew_feed(account)).await {
        Ok(Ok(secret)) => {
            let shown = Shown { secret: Some(&secret), fault: None };
            watches_page(&edge, &form.person, &WatchesQuery::default(), shown)
        }
        other => respond_to_change(&form.person, HERE, other),
    }
}

async fn delete_feed(State(edge): State<Arc<Edge>>, form: OwnForm) -> Response {
    let account = form.person.account.id;
    let done = apply_change(&edge, move |access| access.watches().remove_feed(account)).await;
    respond_to_change(&form.person, HERE, done)
}
