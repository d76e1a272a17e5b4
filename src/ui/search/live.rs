//! What the search page shows during typing: passages with the words, without a model and without a charge.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::html;

use super::{
    headings::{PassageLocation, heading_paths},
    query::{PASSAGES_PER_PAGE, SearchKind, SearchPageQuery},
    results::{ResultsStage, SearchPageResults, render_results},
};
use crate::{
    http::Edge,
    service::ValidParameters,
    ui::{
        page::{refusal_page, render_fragment},
        page_query::PageQuery,
        person::Person,
    },
};
use wire::Failure;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/search/live", get(show_live_results))
}

async fn show_live_results(
    State(edge): State<Arc<Edge>>,
    person: Person,
    PageQuery(query): PageQuery<SearchPageQuery>,
) -> Response {
    match preview_results(&edge, &person, &query).await {
        Ok(results) => {
            let results = results.unwrap_or_default();
            render_fragment(html! { (render_results(&query, &results, ResultsStage::Words)) })
        }
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

/// The passages with the words of a search; `None` if there are no words, or figures are searched.
async fn preview_results(
    edge: &Arc<Edge>,
    person: &Person,
    query: &SearchPageQuery,
) -> Result<Option<SearchPageResults>, Failure> {
    if query.q.trim().is_empty() || query.kind == SearchKind::Figures {
        return Ok(None);
    }
    let search = query.to_text_search();
    let incomplete = incomplete_word(&query.q).map(str::to_owned);
    ValidParameters::from_parameters(search.clone())?;
    let found = edge.run_blocking(person.owner(), move |service| {
        let mut preview =
            crate::service::preview_text(service, &search, PASSAGES_PER_PAGE as usize)?;
        preview.unknown_terms.retain(|term| Some(term) != incomplete.as_ref());
        let locations: Vec<PassageLocation> =
            preview.results.iter().map(PassageLocation::from_passage).collect();
        let paths = heading_paths(service, &locations)?;
        Ok((preview, paths))
    });
    let (preview, heading_paths) = found.await?;
    Ok(Some(SearchPageResults {
        passages: Some(preview.results),
        unknown_terms: preview.unknown_terms,
        counts: preview.counts,
        elapsed_ms: preview.elapsed_ms,
        heading_paths,
        ..SearchPageResults::default()
    }))
}

/// The last word of a query, which may be typed only in part.
fn incomplete_word(query: &str) -> Option<&str> {
    query.rsplit(char::is_whitespace).next().filter(|word| !word.is_empty())
}
