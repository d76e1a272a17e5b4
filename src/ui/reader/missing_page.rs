//! The page for a document or a version that is not indexed: it lists the versions that are, or documents with
//! similar numbers.

use axum::{http::StatusCode, response::Response};
use maud::html;

use crate::{
    service::nearest_documents,
    ui::{
        page::{PageFrame, render_page},
        person::Person,
        reader_path::{newest_path, reader_path},
    },
};
use domain::DocNumber;
use store::Snapshot;

/// Answers 404; `version` is empty if none was requested.
pub(super) fn render_missing(
    snapshot: &Snapshot,
    person: &Person,
    number: &str,
    version: &str,
    section: &str,
) -> Response {
    let known: Option<DocNumber> = number.parse().ok();
    let versions = known.as_ref().map(|number| snapshot.catalog().document_versions(number));
    let versions = versions.unwrap_or_default();
    let near = if versions.is_empty() { known } else { None };
    let near = near.map(|number| nearest_documents(snapshot, &number)).unwrap_or_default();
    let section = Some(section).filter(|section| !section.is_empty());
    let missing =
        if versions.is_empty() { number.to_owned() } else { format!("{number} {version}") };
    let title = format!("{} is not indexed", missing.trim());
    let body = html! {
        section.narrow {
            h1 { (title) }
            @if versions.is_empty() {
                p { "No version of this document is in the index." }
                @if !near.is_empty() {
                    p {
                        "Did you mean "
                        @for (index, number) in near.iter().enumerate() {
                            @if index > 0 { " or " }
                            a href=(newest_path(number, section)) { (number) }
                        }
                        "?"
                    }
                }
            } @else {
                p { "Indexed versions of " (number) ":" }
                ul {
                    @for entry in &versions {
                        @let version = entry.row.version.to_string();
                        li { a href=(reader_path(entry.row.number.as_str(), &version, section)) { (version) } " \u{b7} " (entry.row.release) }
                    }
                }
            }
            p { a href="/library" { "All documents" } " \u{b7} " a href="/search" { "Search" } }
        }
    };
    let frame = PageFrame { title: &title, person: Some(person), part: "/library" };
    let mut response = render_page(&frame, body);
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}
