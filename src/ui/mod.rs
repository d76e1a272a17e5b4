//! Pages for people.
use std::sync::Arc;

use axum::Router;

use crate::http::Edge;

/// The routes of the pages.
pub fn routes() -> Router<Arc<Edge>> {
    Router::new()
}
