//! The search page: a box, filters, passages and figures.

use std::{
    collections::{HashMap, hash_map},
    sync::Arc,
};

use axum::{Router, extract::State, http::StatusCode, response::Response, routing::get};
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    page::{PageFrame, refusal_page, render_page},
    page_query::PageQuery,
    person::{PayingPerson, Person},
    results::render_results,
    run::{OperationArguments, run_operation},
    sign_in::fault_line,
};
use crate::{
    http::{Edge, failure_status},
    service::{Service, internal_failure},
};
use domain::Release;
use wire::{
    Failure,
    records::{CombinedSearchReply, ImageResult, ImageSearchReply, TextResult, TextSearchReply},
};

/// Results on a page.
const PASSAGES_PER_PAGE: u64 = 10;
const FIGURES_PER_PAGE: u64 = 12;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/search", get(show_search))
}

/// What is searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SearchKind {
    #[default]
    Text,
    Figures,
    Both,
}

/// What the form asks for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SearchPageQuery {
    q: String,
    kind: SearchKind,
    release: String,
    doc_type: String,
    doc_number: String,
    series: String,
}

/// What was found.
#[derive(Default)]
pub(super) struct SearchPageResults {
    pub(super) passages: Option<Vec<TextResult>>,
    pub(super) figures: Option<Vec<ImageResult>>,
    pub(super) unknown_terms: Vec<String>,
    pub(super) confidence: Option<f64>,
    pub(super) elapsed_ms: f64,
    /// The headings above each passage.
    pub(super) heading_paths: Vec<Vec<String>>,
}

async fn show_search(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PageQuery(asked): PageQuery<SearchPageQuery>,
) -> Response {
    if asked.q.trim().is_empty() {
        return search_page(&edge, &person, &asked, None, None);
    }
    match run_search(&edge, &person, &asked).await {
        Ok(found) => search_page(&edge, &person, &asked, Some(&found), None),
        Err(Failure::Validation(faults)) => {
            let faults: Vec<String> = faults.iter().map(|fault| fault.kind.message()).collect();
            search_page(&edge, &person, &asked, None, Some(&faults.join(". ")))
        }
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

async fn run_search(
    edge: &Arc<Edge>,
    person: &Person,
    asked: &SearchPageQuery,
) -> Result<SearchPageResults, Failure> {
    let arguments = OperationArguments::default()
        .with_argument("query", asked.q.trim())
        .with_argument("filter_release", asked.release.trim())
        .with_argument("filter_doc_number", asked.doc_number.trim())
        .with_argument("filter_series", asked.series.trim());
    let mut found = match asked.kind {
        SearchKind::Text => {
            let arguments = arguments
                .with_argument("filter_doc_type", asked.doc_type.trim())
                .with_argument("include_section_text", false)
                .with_argument("rerank_top_k", PASSAGES_PER_PAGE);
            let reply: TextSearchReply =
                run_operation(edge, person, "search_text", arguments).await?;
            SearchPageResults {
                passages: Some(reply.results),
                unknown_terms: reply.unknown_terms,
                confidence: reply.confidence,
                elapsed_ms: reply.elapsed_ms,
                ..SearchPageResults::default()
            }
        }
        SearchKind::Figures => {
            let arguments = arguments.with_argument("match_count", FIGURES_PER_PAGE);
            let reply: ImageSearchReply =
                run_operation(edge, person, "search_images", arguments).await?;
            SearchPageResults {
                figures: Some(reply.results),
                elapsed_ms: reply.elapsed_ms,
                ..SearchPageResults::default()
            }
        }
        SearchKind::Both => {
            let arguments = arguments
                .with_argument("filter_doc_type", asked.doc_type.trim())
                .with_argument("include_section_text", false)
                .with_argument("rerank_top_k", PASSAGES_PER_PAGE)
                .with_argument("image_match_count", FIGURES_PER_PAGE / 2);
            let reply: CombinedSearchReply =
                run_operation(edge, person, "search_combined", arguments).await?;
            SearchPageResults {
                passages: Some(reply.text_results),
                figures: Some(reply.image_results),
                unknown_terms: reply.unknown_terms,
                confidence: reply.confidence,
                elapsed_ms: reply.elapsed_ms,
                ..SearchPageResults::default()
            }
        }
    };
    let places: Vec<PassageLocation> =
        found.passages.iter().flatten().map(PassageLocation::from_passage).collect();
    found.heading_paths = edge.run_blocking(move |service| heading_paths(service, &places)).await?;
    Ok(found)
}

/// Where a passage stands.
struct PassageLocation {
    number: String,
    version: String,
    section: Option<String>,
}

impl PassageLocation {
    fn from_passage(passage: &TextResult) -> Self {
        Self {
            number: passage.doc_number.clone(),
            version: passage.version.clone(),
            section: passage.section_number.clone(),
        }
    }
}

/// The headings above each place, from the top down.
fn heading_paths(
    service: &Service,
    places: &[PassageLocation],
) -> Result<Vec<Vec<String>>, Failure> {
    let snapshot = service.store.snapshot();
    let mut contents: HashMap<u32, HashMap<String, String>> = HashMap::new();
    let mut paths = Vec::with_capacity(places.len());
    for PassageLocation { number, version, section } in places {
        let entry = number.parse().ok().zip(version.parse().ok());
        let entry =
            entry.and_then(|(number, version)| snapshot.catalog().find_version(&number, version));
        let (Some(entry), Some(section)) = (entry, section) else {
            paths.push(Vec::new());
            continue;
        };
        if let hash_map::Entry::Vacant(new) = contents.entry(entry.id) {
            let heads = snapshot.section_heads(entry.id).map_err(internal_failure)?;
            new.insert(heads.into_iter().map(|head| (head.number, head.title)).collect());
        }
        let above = |number: &String| number.rsplit_once('.').map(|(above, _)| above.to_owned());
        let numbers = std::iter::successors(above(section), above);
        let headings = numbers.filter_map(|number| {
            let title = contents.get(&entry.id)?.get(&number)?;
            Some(format!("{number} {title}"))
        });
        let mut path: Vec<String> = headings.collect();
        path.reverse();
        paths.push(path);
    }
    Ok(paths)
}

fn search_page(
    edge: &Edge,
    person: &Person,
    asked: &SearchPageQuery,
    found: Option<&SearchPageResults>,
    fault: Option<&str>,
) -> Response {
    let body = html! {
        h1.quiet-title { "Search" }
        (render_form(edge, asked))
        (fault_line(fault))
        @if let Some(found) = found { (render_results(&asked.q, found)) }
        @else if fault.is_none() { (render_hints()) }
    };
    let title = if asked.q.is_empty() { "Search".to_owned() } else { asked.q.clone() };
    let mut response =
        render_page(&PageFrame { title: &title, person: Some(person), part: "/search" }, body);
    if fault.is_some() {
        *response.status_mut() = failure_status(&Failure::Validation(Vec::new()));
    } else {
        *response.status_mut() = StatusCode::OK;
    }
    response
}

fn render_form(edge: &Edge, asked: &SearchPageQuery) -> Markup {
    let kinds = [
        (SearchKind::Text, "text", "Text"),
        (SearchKind::Figures, "figures", "Figures"),
        (SearchKind::Both, "both", "Both"),
    ];
    let overview = edge.service().corpus_overview();
    let mut releases: Vec<&String> = overview.releases.keys().collect();
    releases.sort_by_key(|release| release.parse::<Release>().ok());
    html! {
        form.search method="get" action="/search" role="search" {
            div.line {
                label.hidden for="q" { "What are you looking for?" }
                input #q type="search" name="q" value=(asked.q) autofocus[asked.q.is_empty()]
                    maxlength="4000" placeholder="A question, a name, a clause" data-slash;
                button type="submit" { "Search" }
            }
            fieldset.filters {
                legend.hidden { "Filters" }
                span.kinds role="radiogroup" aria-label="What to search" {
                    @for (kind, value, name) in kinds {
                        label {
                            input type="radio" name="kind" value=(value)
                                checked[asked.kind == kind];
                            (name)
                        }
                    }
                }
                label { "Release "
                    select name="release" {
                        option value="" { "any" }
                        @for release in releases {
                            option value=(release) selected[asked.release == *release] { (release) }
                        }
                    }
                }
                label { "Type "
                    select name="doc_type" {
                        @for (value, name) in [("", "any"), ("TS", "TS"), ("TR", "TR")] {
                            option value=(value) selected[asked.doc_type == value] { (name) }
                        }
                    }
                }
                label { "Document "
                    input type="text" name="doc_number" value=(asked.doc_number) size="9"
                        maxlength="40" placeholder="38.331";
                }
                label { "Series "
                    input type="text" name="series" value=(asked.series) size="3" maxlength="10"
                        placeholder="38";
                }
            }
        }
    }
}

fn render_hints() -> Markup {
    html! {
        section.hints {
            p { "Ask a question, or give a name as the documents write it: "
                a href="/search?q=conditions+for+starting+timer+T310" {
                    "conditions for starting timer T310"
                } ", "
                a href="/search?q=random+access+procedure&kind=figures" {
                    "random access procedure"
                } " as a figure." }
            p.quiet { "Each search is one request of your allowance. Press " kbd { "/" }
                " to come back to the box." }
        }
    }
}

/// Where a section is read.
pub(super) fn reader_path(number: &str, version: &str, section: Option<&str>) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    match section {
        Some(section) => {
            query.append_pair("section", section);
            format!("/read/{number}/{version}?{}", query.finish())
        }
        None => format!("/read/{number}/{version}"),
    }
}
