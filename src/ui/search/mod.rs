//! Search for people: the page with its results, what is shown during typing, suggestions, and the palette.

mod facets;
mod headings;
mod hints;
mod live;
mod palette;
mod query;
mod result_card;
mod results;
mod search_page;
mod suggestions;

use std::sync::Arc;

use axum::Router;

use crate::http::Edge;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .merge(search_page::routes())
        .merge(live::routes())
        .merge(suggestions::routes())
        .merge(palette::routes())
}
