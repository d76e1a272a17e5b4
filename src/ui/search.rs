//! The search page: a box, filters, passages and figures.

use std::{
    collections::{HashMap, hash_map},
    sync::Arc,
};

use axum::{Router, extract::State, http::StatusCode, response::Response, routing::get};
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    asked::PageQuery,
    page::{Frame, page, refusal},
    person::{Payer, Person},
    results::results,
    run::{Arguments, run},
    sign_in::fault_line,
};
use crate::{
    http::{Edge, status_of},
    service::{Service, internal},
};
use domain::Release;
use wire::{
    Failure,
    records::{CombinedSearchReply, ImageResult, ImageSearchReply, TextResult, TextSearchReply},
};

/// Results on a page.
const PASSAGES: u64 = 10;
const FIGURES: u64 = 12;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/search", get(search))
}

/// What is searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    #[default]
    Text,
    Figures,
    Both,
}

/// What the form asks for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    q: String,
    kind: Kind,
    release: String,
    doc_type: String,
    doc_number: String,
    series: String,
}

/// What was found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) passages: Option<Vec<TextResult>>,
    pub(super) figures: Option<Vec<ImageResult>>,
    pub(super) unknown_terms: Vec<String>,
    pub(super) confidence: Option<f64>,
    pub(super) elapsed_ms: f64,
    /// The headings above each passage.
    pub(super) paths: Vec<Vec<String>>,
}

async fn search(
    State(edge): State<Arc<Edge>>,
    Payer(person): Payer,
    PageQuery(asked): PageQuery<Asked>,
) -> Response {
    if asked.q.trim().is_empty() {
        return search_page(&edge, &person, &asked, None, None);
    }
    match find(&edge, &person, &asked).await {
        Ok(found) => search_page(&edge, &person, &asked, Some(&found), None),
        Err(Failure::Validation(faults)) => {
            let faults: Vec<String> = faults.iter().map(|fault| fault.kind.message()).collect();
            search_page(&edge, &person, &asked, None, Some(&faults.join(". ")))
        }
        Err(failure) => refusal(Some(&person), &failure),
    }
}

async fn find(edge: &Arc<Edge>, person: &Person, asked: &Asked) -> Result<Found, Failure> {
    let arguments = Arguments::default()
        .with("query", asked.q.trim())
        .with("filter_release", asked.release.trim())
        .with("filter_doc_number", asked.doc_number.trim())
        .with("filter_series", asked.series.trim());
    let mut found = match asked.kind {
        Kind::Text => {
            let arguments = arguments
                .with("filter_doc_type", asked.doc_type.trim())
                .with("include_section_text", false)
                .with("rerank_top_k", PASSAGES);
            let reply: TextSearchReply = run(edge, person, "search_text", arguments).await?;
            Found {
                passages: Some(reply.results),
                unknown_terms: reply.unknown_terms,
                confidence: reply.confidence,
                elapsed_ms: reply.elapsed_ms,
                ..Found::default()
            }
        }
        Kind::Figures => {
            let arguments = arguments.with("match_count", FIGURES);
            let reply: ImageSearchReply = run(edge, person, "search_images", arguments).await?;
            Found { figures: Some(reply.results), elapsed_ms: reply.elapsed_ms, ..Found::default() }
        }
        Kind::Both => {
            let arguments = arguments
                .with("filter_doc_type", asked.doc_type.trim())
                .with("include_section_text", false)
                .with("rerank_top_k", PASSAGES)
                .with("image_match_count", FIGURES / 2);
            let reply: CombinedSearchReply =
                run(edge, person, "search_combined", arguments).await?;
            Found {
                passages: Some(reply.text_results),
                figures: Some(reply.image_results),
                unknown_terms: reply.unknown_terms,
                confidence: reply.confidence,
                elapsed_ms: reply.elapsed_ms,
                ..Found::default()
            }
        }
    };
    let places: Vec<Place> = found.passages.iter().flatten().map(Place::of).collect();
    found.paths = edge.work(move |service| paths(service, &places)).await?;
    Ok(found)
}

/// Where a passage stands.
struct Place {
    number: String,
    version: String,
    section: Option<String>,
}

impl Place {
    fn of(passage: &TextResult) -> Self {
        Self {
            number: passage.doc_number.clone(),
            version: passage.version.clone(),
            section: passage.section_number.clone(),
        }
    }
}

/// The headings above each place, from the top down.
fn paths(service: &Service, places: &[Place]) -> Result<Vec<Vec<String>>, Failure> {
    let snapshot = service.store.snapshot();
    let mut contents: HashMap<u32, HashMap<String, String>> = HashMap::new();
    let mut paths = Vec::with_capacity(places.len());
    for Place { number, version, section } in places {
        let entry = number.parse().ok().zip(version.parse().ok());
        let entry =
            entry.and_then(|(number, version)| snapshot.catalog().of_version(&number, version));
        let (Some(entry), Some(section)) = (entry, section) else {
            paths.push(Vec::new());
            continue;
        };
        if let hash_map::Entry::Vacant(new) = contents.entry(entry.id) {
            let heads = snapshot.sections(entry.id).map_err(internal)?;
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
    asked: &Asked,
    found: Option<&Found>,
    fault: Option<&str>,
) -> Response {
    let body = html! {
        h1.quiet-title { "Search" }
        (form(edge, asked))
        (fault_line(fault))
        @if let Some(found) = found { (results(&asked.q, found)) }
        @else if fault.is_none() { (hints()) }
    };
    let title = if asked.q.is_empty() { "Search".to_owned() } else { asked.q.clone() };
    let mut response = page(&Frame { title: &title, person: Some(person), part: "/search" }, body);
    if fault.is_some() {
        *response.status_mut() = status_of(&Failure::Validation(Vec::new()));
    } else {
        *response.status_mut() = StatusCode::OK;
    }
    response
}

fn form(edge: &Edge, asked: &Asked) -> Markup {
    let kinds = [
        (Kind::Text, "text", "Text"),
        (Kind::Figures, "figures", "Figures"),
        (Kind::Both, "both", "Both"),
    ];
    let overview = edge.service().overview();
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

fn hints() -> Markup {
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
pub(super) fn place(number: &str, version: &str, section: Option<&str>) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    match section {
        Some(section) => {
            query.append_pair("section", section);
            format!("/read/{number}/{version}?{}", query.finish())
        }
        None => format!("/read/{number}/{version}"),
    }
}
