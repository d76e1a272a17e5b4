//! The requests of the document reader.

use std::{collections::HashSet, sync::Arc};

use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use maud::Markup;
use serde::Deserialize;

use super::{document_page::ReaderPage, figures::load_figures};
use crate::{
    http::Edge,
    service::internal_failure,
    ui::{
        citations::LinkTargets,
        page::{PageFrame, refusal_page, render_page},
        page_query::{PagePath, PageQuery},
        person::Person,
        reader_path::reader_path,
        run::run_operation,
        visitor::PayingPerson,
    },
};
use domain::{DocNumber, Version};
use store::{DocumentEntry, DocumentFilter, Snapshot};
use wire::{
    Failure,
    params::{GetSections, ListSections},
    records::{SectionResult, SectionSummary},
};

/// A section is shown with its subsections where all of them together have at most this many tokens.
const MAX_SECTION_TOKENS: u64 = 6000;

pub(in crate::ui) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/read/{number}", get(show_newest))
        .route("/read/{number}/{version}", get(show_section))
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
    let (number, version) = (entry.row.number.to_string(), entry.row.version.to_string());
    let list = ListSections { doc_number: number.clone(), version: Some(version.clone()) };
    let contents = run_operation(edge, person, list).await?;
    if contents.is_empty() {
        return Err(Failure::NotFound);
    }
    let section = match section {
        "" => contents.first().map_or("", |first| first.section_number.as_str()),
        section => section,
    };
    let text = GetSections {
        section_number: section.to_owned(),
        doc_number: Some(number.clone()),
        version: Some(version.clone()),
        prefix: subsections_fit(&contents, section),
        ..GetSections::default()
    };
    let sections = run_operation(edge, person, text).await?;
    let title = format!("{} {number} {version} \u{a7} {section}", entry.row.doc_type);
    let (section, snapshot) = (section.to_owned(), snapshot.clone());
    let drawn = edge.run_blocking(move |_| {
        render_reader(&snapshot, &number, &version, &contents, &section, &sections)
    });
    let body = drawn.await?;
    Ok(render_page(&PageFrame { title: &title, person: Some(person), part: "/library" }, body))
}

/// The page, from the replies of the operations and the figures and versions in the store.
fn render_reader(
    snapshot: &Snapshot,
    number: &str,
    version: &str,
    contents: &[SectionSummary],
    section: &str,
    sections: &[SectionResult],
) -> Result<Markup, Failure> {
    let entry = find_entry(snapshot, number, version).ok_or(Failure::NotFound)?;
    let figures = load_figures(snapshot, entry).map_err(internal_failure)?;
    let indexed: HashSet<&str> =
        snapshot.catalog().document_entries().map(|entry| entry.row.number.as_str()).collect();
    let targets = LinkTargets {
        document_path: format!("/read/{number}/{version}"),
        clauses: contents.iter().map(|summary| summary.section_number.as_str()).collect(),
        is_indexed: &|number| indexed.contains(number),
    };
    let versions = document_versions(snapshot, &entry.row.number);
    let page = ReaderPage { entry, versions: &versions, contents, section, figures: &figures };
    Ok(page.render_body(sections, &targets))
}

fn find_entry<'a>(
    snapshot: &'a Snapshot,
    number: &str,
    version: &str,
) -> Option<&'a DocumentEntry> {
    let version: Version = version.parse().ok()?;
    snapshot.catalog().find_version(&number.parse().ok()?, version).map(AsRef::as_ref)
}

/// Whether a section and its subsections are short enough to be shown together.
fn subsections_fit(contents: &[SectionSummary], section: &str) -> bool {
    let below = contents.iter().filter(|summary| is_within(&summary.section_number, section));
    below.map(|summary| summary.token_count.unwrap_or(0)).sum::<u64>() <= MAX_SECTION_TOKENS
}

fn is_within(number: &str, section: &str) -> bool {
    number == section || number.strip_prefix(section).is_some_and(|rest| rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_within_itself_and_those_above() {
        assert!(is_within("5.3.5", "5.3") && is_within("5.3", "5.3"));
        assert!(!is_within("5.31", "5.3") && !is_within("5", "5.3"));
    }
}
