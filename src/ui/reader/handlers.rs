//! The requests of the document reader.

use std::{ops::Range, sync::Arc};

use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use maud::Markup;
use serde::Deserialize;

use super::{document_page::ReaderPage, references_page::render_references};
use crate::{
    http::Edge,
    service::internal_failure,
    ui::{
        page::{PageFrame, refusal_page, render_content_page},
        page_query::{PagePath, PageQuery},
        person::Person,
        reader_path::reader_path,
        run::run_operation,
        visitor::PayingPerson,
    },
};
use domain::{DocNumber, Version};
use store::{DocumentEntry, DocumentFilter, SectionHead, Snapshot};
use wire::{
    Failure,
    params::{GetSections, ListReferences},
};

/// A section is shown with those below it, as far as all of them together have at most this many tokens.
const MAX_SHOWN_TOKENS: u64 = 6000;
/// How many references of a section are listed in either direction.
const MAX_LISTED_REFERENCES: u32 = 500;

pub(in crate::ui) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/read/{number}", get(show_newest))
        .route("/read/{number}/{version}", get(show_section))
        .route("/read/{number}/{version}/references", get(show_references))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ReaderQuery {
    section: String,
}

/// Redirects to the newest version of a document.
async fn show_newest(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath(number): PagePath<String>,
    PageQuery(query): PageQuery<ReaderQuery>,
) -> Response {
    let snapshot = edge.service().store.snapshot();
    let newest = number.parse().ok().and_then(|number| {
        let newest = document_versions(&snapshot, &number).into_iter().next();
        newest.map(|entry| (entry.row.number.to_string(), entry.row.version.to_string()))
    });
    let section = Some(query.section.as_str()).filter(|section| !section.is_empty());
    match newest {
        Some((number, version)) => {
            Redirect::to(&reader_path(&number, &version, section)).into_response()
        }
        None => refusal_page(Some(&person), &Failure::NotFound),
    }
}

/// The versions of a document, newest first.
fn document_versions<'a>(snapshot: &'a Snapshot, number: &DocNumber) -> Vec<&'a DocumentEntry> {
    let filter = DocumentFilter { number: Some(number.clone()), ..DocumentFilter::default() };
    let mut entries: Vec<&DocumentEntry> = snapshot
        .catalog()
        .document_entries()
        .filter(|entry| filter.matches_document(&entry.row))
        .collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.row.version));
    entries
}

async fn show_section(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath((number, version)): PagePath<(String, String)>,
    PageQuery(query): PageQuery<ReaderQuery>,
) -> Response {
    let opened = open_section(&edge, &person, &number, &version, query.section.trim()).await;
    opened.unwrap_or_else(|failure| refusal_page(Some(&person), &failure))
}

async fn open_section(
    edge: &Arc<Edge>,
    person: &Person,
    number: &str,
    version: &str,
    section: &str,
) -> Result<Response, Failure> {
    let snapshot = edge.service().store.snapshot();
    let entry = find_entry(&snapshot, number, version).ok_or(Failure::NotFound)?;
    let heads = snapshot.documents().section_heads(entry.id).map_err(internal_failure)?;
    let first = heads.first().ok_or(Failure::NotFound)?;
    let section = if section.is_empty() { first.number.clone() } else { section.to_owned() };
    let shown = shown_sections(&heads, &section);
    // The page is charged as the operation whose text it shows.
    let charged = GetSections {
        section_number: section.clone(),
        doc_number: Some(entry.row.number.to_string()),
        version: Some(entry.row.version.to_string()),
        ..GetSections::default()
    };
    run_operation(edge, person, charged).await?;
    let row = &entry.row;
    let title = format!("{} {} {} \u{a7} {section}", row.doc_type, row.number, row.version);
    let id = entry.id;
    let base_url = edge.service().address.base_url().to_owned();
    let body = edge
        .run_blocking(move |service| {
            let snapshot = service.store.snapshot();
            render_reader(&snapshot, id, &heads, &section, shown, &base_url)
        })
        .await?;
    let frame = PageFrame { title: &title, person: Some(person), part: "/library" };
    Ok(render_content_page(&frame, body))
}

/// The page, from the sections in the store.
fn render_reader(
    snapshot: &Snapshot,
    document: u32,
    heads: &[SectionHead],
    section: &str,
    shown: Range<usize>,
    base_url: &str,
) -> Result<Markup, Failure> {
    let entry = snapshot.catalog().get(document).ok_or(Failure::NotFound)?;
    let versions = document_versions(snapshot, &entry.row.number);
    let page = ReaderPage { snapshot, entry, versions: &versions, heads, section, shown, base_url };
    page.render_body().map_err(internal_failure)
}

async fn show_references(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath((number, version)): PagePath<(String, String)>,
    PageQuery(query): PageQuery<ReaderQuery>,
) -> Response {
    let parameters = ListReferences {
        doc_number: number,
        version: Some(version),
        section_number: query.section.trim().to_owned(),
        limit: MAX_LISTED_REFERENCES,
        ..ListReferences::default()
    };
    match run_operation(&edge, &person, parameters).await {
        Ok(references) => {
            let title =
                format!("References of {} {}", references.doc_number, references.section_number);
            let frame = PageFrame { title: &title, person: Some(&person), part: "/library" };
            render_content_page(&frame, render_references(&references))
        }
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

fn find_entry<'a>(
    snapshot: &'a Snapshot,
    number: &str,
    version: &str,
) -> Option<&'a DocumentEntry> {
    let version: Version = version.parse().ok()?;
    snapshot.catalog().find_version(&number.parse().ok()?, version).map(AsRef::as_ref)
}

/// The ordinals of a section and of those below it, up to the number of tokens that a page shows.
fn shown_sections(heads: &[SectionHead], section: &str) -> Range<usize> {
    let Some(start) = heads.iter().position(|head| head.number == section) else { return 0..0 };
    let level = heads[start].level;
    let mut tokens = u64::from(heads[start].token_count);
    let fits = |head: &&SectionHead| {
        tokens += u64::from(head.token_count);
        head.level > level && tokens <= MAX_SHOWN_TOKENS
    };
    let below = heads[start + 1..].iter().take_while(fits).count();
    start..start + 1 + below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_shown_with_as_many_below_it_as_fit() {
        let head = |number: &str, level, token_count| SectionHead {
            number: number.to_owned(),
            title: String::new(),
            level,
            parent: None,
            token_count,
            fragment_count: 0,
        };
        let heads = [
            head("5", 1, 10),
            head("5.1", 2, 4000),
            head("Paging", 5, 1000),
            head("6", 1, 9000),
            head("6.1", 2, 10),
            head("7", 1, 10),
            head("7.1", 2, 5000),
            head("7.2", 2, 5000),
        ];
        assert_eq!(shown_sections(&heads, "5"), 0..3);
        assert_eq!(shown_sections(&heads, "7"), 5..7);
        assert_eq!(shown_sections(&heads, "5.1"), 1..3);
        assert_eq!(shown_sections(&heads, "6"), 3..4);
        assert_eq!(shown_sections(&heads, "8"), 0..0);
    }
}
