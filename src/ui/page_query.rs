//! Extractors for the query string and the path of a page. One that cannot be parsed is refused with a page.

use std::sync::Arc;

use axum::{
    extract::{FromRequestParts, Path, Query},
    http::request::Parts,
    response::Response,
};
use serde::de::DeserializeOwned;

use super::page::refusal_page;
use crate::http::Edge;
use wire::Failure;

/// The query string of a page.
pub(super) struct PageQuery<T>(pub(super) T);

/// The path of a page.
pub(super) struct PagePath<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequestParts<Arc<Edge>> for PageQuery<T> {
    type Rejection = Response;

    async fn from_request_parts(
        parts: &mut Parts,
        _edge: &Arc<Edge>,
    ) -> Result<Self, Self::Rejection> {
        let query = Query::try_from_uri(&parts.uri);
        query.map(|Query(value)| Self(value)).map_err(|_| refusal_page(None, &Failure::BadForm))
    }
}

impl<T: DeserializeOwned + Send> FromRequestParts<Arc<Edge>> for PagePath<T> {
    type Rejection = Response;

    async fn from_request_parts(
        parts: &mut Parts,
        edge: &Arc<Edge>,
    ) -> Result<Self, Self::Rejection> {
        let path = Path::from_request_parts(parts, edge).await;
        path.map(|Path(value)| Self(value)).map_err(|_| refusal_page(None, &Failure::NotFound))
    }
}
