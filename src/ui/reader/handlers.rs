//! The requests of the document reader.

use std::{collections::HashSet, ops::Range, sync::Arc};

use axum::{
    Router,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use serde::Deserialize;

use super::{
    document_page::ReaderPage, find_page::render_found, margin::read_margins,
    missing_page::render_missing, references_page::render_references,
};
use crate::{
    http::{Edge, client_has_tag},
    service::internal_failure,
    ui::{
        assets::asset_path,
        highlight::QueryHighlighter,
        page::{PageFrame, refusal_page, render_content_page},
        page_query::{PagePath, PageQuery},
        person::Person,
        reader_path::reader_path,
        run::run_operation,
        visitor::PayingPerson,
    },
};
use domain::Version;
use store::{DocumentEntry, SectionHead, Snapshot};
use wire::{
    Failure,
    params::{GetSections, ListReferences, ListSections},
};

/// A section is shown with those below it, as far as all of them together have at most this many tokens: a page must
/// not transfer more than 100 kB (`tests/browser/budget.test.mjs`).
const MAX_SHOWN_TOKENS: u64 = 6000;
/// The longest query whose words are highlighted.
const MAX_QUERY_BYTES: usize = 2_000;
/// How many references of a section are listed in either direction: the most that `list_references` returns.
const MAX_LISTED_REFERENCES: u32 = 500;

pub(in crate::ui) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/read/{number}", get(show_newest))
        .route("/read/{number}/{version}", get(show_section))
        .route("/read/{number}/{version}/references", get(show_references))
        .route("/read/{number}/{version}/find", get(show_found))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ReaderQuery {
    section: String,
    /// Whether the margin says when each paragraph last changed: anything but nothing.
    since: String,
    /// The query of the search that led here.
    q: String,
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
        let newest = snapshot.catalog().document_versions(&number).into_iter().next();
        newest.map(|entry| (entry.row.number.to_string(), entry.row.version.to_string()))
    });
    let section = Some(query.section.as_str()).filter(|section| !section.is_empty());
    match newest {
        Some((number, version)) => {
            Redirect::to(&reader_path(&number, &version, section)).into_response()
        }
        None => render_missing(&snapshot, &person, &number, "", ""),
    }
}

async fn show_section(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath((number, version)): PagePath<(String, String)>,
    PageQuery(query): PageQuery<ReaderQuery>,
    headers: HeaderMap,
) -> Response {
    let section = query.section.trim();
    // The margin depends on registers, which a commit of documents does not count.
    let generation = edge.service().store.snapshot().tdocs().tdocs_generation().unwrap_or_default();
    let margin = format!("{} {generation}", query.since);
    let tag = page_tag(&edge, &person, &[&number, &version, section, &margin, &query.q]);
    if client_has_tag(&headers, &tag) {
        return with_tag(StatusCode::NOT_MODIFIED.into_response(), &tag);
    }
    match open_section(&edge, &person, [&number, &version, section], &query).await {
        Ok(response) => with_tag(response, &tag),
        Err(Failure::NotFound) => {
            render_missing(&edge.service().store.snapshot(), &person, &number, &version, section)
        }
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

/// The entity tag of a page of the reader: it changes with the program, with the session, and with every commit,
/// because links depend on all that is indexed.
fn page_tag(edge: &Edge, person: &Person, parts: &[&str]) -> String {
    let batch = edge.service().store.snapshot().batch_number();
    let assets = (asset_path("site.js"), asset_path("site.css"));
    let account = &person.account;
    let state = format!(
        "page of the reader\n{}\n{assets:?}\n{batch}\n{}\n{:?}\n{parts:?}",
        env!("CARGO_PKG_VERSION"),
        account.name,
        account.role
    );
    // Compression changes the bytes, so the tag is a weak one.
    format!("W/\"{}\"", &person.seal_text(&state)[..32])
}

/// A browser may keep the page, and asks each time whether it is still current, which is not charged again.
fn with_tag(mut response: Response, tag: &str) -> Response {
    let headers = response.headers_mut();
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(header::ETAG, tag);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.append(header::VARY, HeaderValue::from_static("cookie"));
    }
    response
}

async fn open_section(
    edge: &Arc<Edge>,
    person: &Person,
    [number, version, section]: [&str; 3],
    query: &ReaderQuery,
) -> Result<Response, Failure> {
    let snapshot = edge.service().store.snapshot();
    let entry = find_entry(&snapshot, number, version).ok_or(Failure::NotFound)?;
    let heads = snapshot.documents().section_heads(entry.id).map_err(internal_failure)?;
    let first = heads.first().ok_or(Failure::NotFound)?;
    let wanted = if section.is_empty() { first.number.as_str() } else { section };
    // Another version may not have the section: then the one that contains it is shown.
    let section = find_place(&heads, wanted).unwrap_or(wanted).to_owned();
    let missing = (section != wanted).then(|| wanted.to_owned());
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
    // In another snapshot, a version that was ingested again in the meantime has another id.
    let id = entry.id;
    let base_url = edge.service().address.base_url().to_owned();
    let has_margin = !query.since.is_empty();
    let searched = Some(query.q.trim()).filter(|q| !q.is_empty() && q.len() <= MAX_QUERY_BYTES);
    let searched = searched.map(QueryHighlighter::from_query);
    let body = edge
        .run_blocking(person.owner(), move |service| {
            let entry = snapshot.catalog().get(id).ok_or(Failure::NotFound)?;
            let margins = if has_margin {
                Some(read_margins(service, &snapshot, entry, &heads, shown.clone())?)
            } else {
                None
            };
            let numbers = heads.iter().map(|head| head.number.as_str()).collect();
            let page = ReaderPage {
                store: &service.store,
                snapshot: &snapshot,
                entry,
                versions: &snapshot.catalog().document_versions(&entry.row.number),
                heads: &heads,
                numbers: &numbers,
                section: &section,
                shown,
                base_url: &base_url,
                missing: missing.as_deref(),
                searched,
                margins,
            };
            page.render_body().map_err(internal_failure)
        })
        .await?;
    let frame = PageFrame { title: &title, person: Some(person), part: "/library" };
    Ok(render_content_page(&frame, body))
}

/// The number of a section, or of the nearest one that would contain it.
fn find_place<'a>(heads: &'a [SectionHead], wanted: &str) -> Option<&'a str> {
    let known: HashSet<&str> = heads.iter().map(|head| head.number.as_str()).collect();
    let mut number = wanted;
    loop {
        if let Some(known) = known.get(number) {
            return Some(known);
        }
        number = &number[..number.rfind('.')?];
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FindQuery {
    q: String,
}

async fn show_found(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath((number, version)): PagePath<(String, String)>,
    PageQuery(query): PageQuery<FindQuery>,
) -> Response {
    let found = find_words(&edge, &person, &number, &version, query.q.trim()).await;
    found.unwrap_or_else(|failure| refusal_page(Some(&person), &failure))
}

async fn find_words(
    edge: &Arc<Edge>,
    person: &Person,
    number: &str,
    version: &str,
    words: &str,
) -> Result<Response, Failure> {
    let snapshot = edge.service().store.snapshot();
    let id = find_entry(&snapshot, number, version).ok_or(Failure::NotFound)?.id;
    // The page is charged as the list of the sections that it searches.
    let charged = ListSections {
        doc_number: number.to_owned(),
        version: Some(version.to_owned()),
        ..ListSections::default()
    };
    run_operation(edge, person, charged).await?;
    let words = words.to_owned();
    let body = edge
        .run_blocking(person.owner(), move |_| {
            let entry = snapshot.catalog().get(id).ok_or(Failure::NotFound)?;
            render_found(&snapshot, entry, &words).map_err(internal_failure)
        })
        .await?;
    let frame = PageFrame { title: "Find", person: Some(person), part: "/library" };
    Ok(render_content_page(&frame, body))
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
    fn a_section_that_a_version_lacks_gives_what_holds_it() {
        let head = |number: &str| SectionHead {
            number: number.to_owned(),
            title: String::new(),
            level: 1,
            parent: None,
            token_count: 0,
            fragment_count: 0,
        };
        let heads = [head("5"), head("5.3"), head("BWP")];
        assert_eq!(find_place(&heads, "5.3"), Some("5.3"));
        assert_eq!(find_place(&heads, "5.3.5.1"), Some("5.3"));
        assert_eq!(find_place(&heads, "5.9.1"), Some("5"));
        assert_eq!(find_place(&heads, "6.1"), None);
        assert_eq!(find_place(&heads, "BWP"), Some("BWP"));
    }

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
