//! What all pages share: frame, headers and the page of a refusal.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use maud::{DOCTYPE, Markup, html};

use super::{assets::asset_path, person::Person};
use crate::http::{CompressiblePage, add_failure_headers, failure_status, log_failure};
use accounts::AccountRole;
use wire::Failure;

/// What pages may load: their own style, script and pictures, and nothing from other servers. Even a text that became
/// markup by mistake could not run anything.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'";

/// The frame of a page.
pub(super) struct PageFrame<'a> {
    /// The title of the page in the browser.
    pub(super) title: &'a str,
    /// Who is signed in.
    pub(super) person: Option<&'a Person>,
    /// The part of the site it belongs to, a path of the navigation.
    pub(super) part: &'static str,
}

/// A page in its frame, as a response.
pub(super) fn render_page(frame: &PageFrame<'_>, body: Markup) -> Response {
    with_page_headers(Html(render_frame(frame, body).into_string()).into_response(), POLICY)
}

/// A page of stored texts, as a response that is compressed: its only secret is the form token, which is masked
/// differently in each response, so that its compressed size reveals nothing.
pub(super) fn render_content_page(frame: &PageFrame<'_>, body: Markup) -> Response {
    let mut response = render_page(frame, body);
    response.extensions_mut().insert(CompressiblePage);
    response
}

/// A part of a page, for a script that inserts it.
pub(super) fn render_fragment(part: Markup) -> Response {
    let mut response = with_page_headers(Html(part.into_string()).into_response(), POLICY);
    response.extensions_mut().insert(CompressiblePage);
    response
}

/// The headers of a page: it belongs to its reader alone and is not cached.
pub(super) fn with_page_headers(mut response: Response, policy: &'static str) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn render_frame(frame: &PageFrame<'_>, body: Markup) -> Markup {
    let PageFrame { title, person, part } = frame;
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " \u{b7} specbox" }
                link rel="icon" href=(asset_path("icon.svg")) type="image/svg+xml";
                link rel="stylesheet" href=(asset_path("site.css"));
                link rel="modulepreload" href=(asset_path("page.js"));
                script type="module" src=(asset_path("site.js")) {}
            }
            body {
                a.skip href="#main" { "Skip to content" }
                (render_header(*person, part))
                main #main { (body) }
                footer {
                    "specbox " (env!("CARGO_PKG_VERSION")) " \u{b7} "
                    a href="/docs" { "Documentation" } " \u{b7} "
                    a href="/swagger" { "API explorer" } " \u{b7} "
                    a href="/redoc" { "API reference" }
                }
            }
        }
    }
}

/// The header is one row; in a narrow window its links are in a menu, which needs no script.
fn render_header(person: Option<&Person>, part: &str) -> Markup {
    html! {
        header.top {
            a.brand href="/" {
                img src=(asset_path("icon.svg")) alt="" width="24" height="24";
                "specbox"
            }
            button.menu-toggle type="button" popovertarget="site-menu" { "Menu" }
            div #site-menu.site-menu popover {
                nav aria-label="Site" {
                    @for (path, name) in navigation_links(person) {
                        a href=(path) aria-current=[(path == part).then_some("page")] { (name) }
                    }
                }
                (render_sign_in_state(person))
            }
            @if person.is_some() {
                button.palette-open type="button" data-palette hidden { "Go to" kbd { "Ctrl K" } }
            }
        }
    }
}

fn navigation_links(person: Option<&Person>) -> Vec<(&'static str, &'static str)> {
    let mut links = vec![("/docs", "Docs")];
    let of_person = [
        ("/search", "Search"),
        ("/define", "Names"),
        ("/library", "Documents"),
        ("/contributions", "Contributions"),
        ("/meeting", "Meetings"),
        ("/dashboard", "Dashboard"),
    ];
    if person.is_some() {
        links.splice(0..0, of_person);
    }
    links
}

fn render_sign_in_state(person: Option<&Person>) -> Markup {
    html! {
        div.who data-account=[person.map(|person| &person.account.name)] {
            @match person {
                Some(person) => {
                    a href="/dashboard/account" { (person.account.name) }
                    @if person.account.role == AccountRole::Operator { span.tag { "operator" } }
                    form method="post" action="/sign-out" {
                        (person.form_token())
                        button.plain type="submit" { "Sign out" }
                    }
                }
                None => { a.button href="/sign-in" { "Sign in" } }
            }
        }
    }
}

/// A refusal as a page for people.
pub(super) fn refusal_page(person: Option<&Person>, failure: &Failure) -> Response {
    log_failure(failure);
    let title = match failure_status(failure) {
        StatusCode::NOT_FOUND => "Not found",
        StatusCode::PAYMENT_REQUIRED => "Allowance used up",
        StatusCode::TOO_MANY_REQUESTS => "Too many attempts",
        StatusCode::SERVICE_UNAVAILABLE => "Busy",
        StatusCode::FORBIDDEN => "Permission denied",
        StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY => "This page cannot be shown",
        _ => "Something went wrong",
    };
    let frame = PageFrame { title, person, part: "" };
    let body = html! {
        section.narrow {
            h1 { (title) }
            p { (failure.client_message()) }
            @if let Failure::Internal { incident, .. } = failure {
                p { "Incident " code { (incident) } ". Give this number to your operator." }
            }
            @if let Failure::QuotaExhausted(quota) = failure {
                p { a.button href=(quota.upgrade.url) { "View plans" } }
            }
            p { a href="/" { "Back to the home page" } }
        }
    };
    let mut response = render_page(&frame, body);
    *response.status_mut() = failure_status(failure);
    add_failure_headers(&mut response, failure);
    response
}
