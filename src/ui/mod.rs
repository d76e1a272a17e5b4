//! Pages for people: sign-in, consent, dashboard, search, document reader, documentation.
//!
//! Owns what people see in a browser. Pages are made here, complete, and work without scripts; the
//! script adds conveniences. Every file they need is in the program. A search or a section on a page
//! is the same operation as over the API, charged to the person who is signed in.

mod api_pages;
mod assets;
mod blocks;
mod certificate;
mod changes;
mod citation_block;
mod company_sign_in;
mod consent;
mod contributions;
mod dashboard;
mod docs;
mod empty_state;
mod entered_query;
mod evidence;
mod export;
mod feeds;
mod forms;
mod formulas;
mod highlight;
mod home;
mod library;
mod meetings;
mod names;
mod numbers;
mod page;
mod page_query;
mod paths;
mod person;
mod reader;
mod reader_path;
mod reading_report;
mod run;
mod search;
mod setup;
mod sign_in;
mod status_badge;
mod terms;
mod trace;
mod visitor;
mod watch_paths;

use std::sync::Arc;

use axum::{
    Router,
    extract::DefaultBodyLimit,
    http::{HeaderMap, header::ACCEPT},
    response::Response,
};

use crate::{
    http::{Edge, failure_response},
    mcp::OAuthClients,
};
pub(crate) use blocks::parse_rows;
pub(crate) use highlight::QueryHighlighter;
use page::refusal_page;
use visitor::Visitor;
use wire::Failure;

/// Maximum size of a form; uploads have their own limit. Forms of people who are not signed in are read, too.
const MAX_FORM_BYTES: usize = 64 << 10;

/// The routes of the pages.
pub fn routes(clients: &OAuthClients) -> Router<Arc<Edge>> {
    Router::new()
        .merge(home::routes())
        .merge(sign_in::routes())
        .merge(company_sign_in::routes())
        .merge(setup::routes())
        .merge(certificate::routes())
        .merge(consent::routes(clients))
        .merge(dashboard::routes())
        .merge(search::routes())
        .merge(library::routes())
        .merge(contributions::routes())
        .merge(meetings::routes())
        .merge(reader::routes())
        .merge(names::routes())
        .merge(terms::routes())
        .merge(trace::routes())
        .merge(changes::routes())
        .merge(feeds::routes())
        .merge(docs::routes())
        .merge(api_pages::routes())
        .merge(assets::routes())
        .fallback(not_found)
        .layer(DefaultBodyLimit::max(MAX_FORM_BYTES))
}

/// An unknown path: a page for a browser, the contract's body for programs.
async fn not_found(Visitor(visitor): Visitor, headers: HeaderMap) -> Response {
    let accepts = headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if accepts.contains("text/html") {
        refusal_page(visitor.as_ref(), &Failure::NotFound)
    } else {
        failure_response(&Failure::NotFound)
    }
}
