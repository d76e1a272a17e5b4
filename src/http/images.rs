//! Pictures: open to everyone, kept by caches, limited for each address.

use std::{sync::Arc, time::Instant};

use super::{
    client_limits::ImagePermit,
    edge::Edge,
    handler::{REQUEST_TIMEOUT, read_parameters, with_time_limit},
    request_metrics,
    respond::failure_response,
};
use crate::service::{DeclaredOperation, internal_failure};
use axum::{
    body::{Body, Bytes},
    extract::{Request, State},
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH},
    },
    response::Response,
};
use store::PictureRow;
use wire::{Failure, params::GetImage};

/// A day, as the contract has it.
const PICTURE_CACHE_CONTROL: HeaderValue = HeaderValue::from_static("public, max-age=86400");
const PNG: HeaderValue = HeaderValue::from_static("image/png");

/// Answers a request for a picture.
pub(super) async fn handle_picture(
    State(edge): State<Arc<Edge>>,
    operation: &'static DeclaredOperation,
    request: Request,
) -> Response {
    let started = Instant::now();
    let answer = with_time_limit(REQUEST_TIMEOUT, answer_picture(&edge, operation, request)).await;
    let response = answer.unwrap_or_else(|failure| failure_response(&failure));
    request_metrics::record_request(
        operation.descriptor.name,
        response.status(),
        started.elapsed(),
    );
    response
}

async fn answer_picture(
    edge: &Arc<Edge>,
    operation: &'static DeclaredOperation,
    request: Request,
) -> Result<Response, Failure> {
    let (mut parts, body) = request.into_parts();
    let admitted = edge.admit_picture(&parts)?;
    let parameters = read_parameters(operation, &mut parts, body).await?;
    let wanted: GetImage = serde_json::from_value(parameters).map_err(internal_failure)?;
    let mut picture = edge.service.find_image(&wanted)?.picture;
    let mut response = if is_known(&parts.headers, &picture) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        let png = match edge.picture_cache.get(&picture.hash) {
            Some(png) => png,
            // Another one, where the document was read again in this moment.
            None => {
                let read = read_picture(edge, wanted).await?;
                picture = read.0;
                read.1
            }
        };
        let held = PictureBody { png, _admitted: admitted };
        let mut response = Response::new(Body::from(Bytes::from_owner(held)));
        response.headers_mut().insert(CONTENT_TYPE, PNG);
        response
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, PICTURE_CACHE_CONTROL);
    headers.insert(ETAG, HeaderValue::from_str(&picture_etag(&picture)).map_err(internal_failure)?);
    Ok(response)
}

/// Reads a picture, and keeps it for those who ask next.
async fn read_picture(edge: &Arc<Edge>, wanted: GetImage) -> Result<(PictureRow, Bytes), Failure> {
    let read = edge.run_picture_work(move |edge| {
        let (_, image, png) = edge.service.read_image(&wanted)?;
        let png = Bytes::from(png);
        edge.picture_cache.insert(image.picture.hash, png.clone());
        Ok((image.picture, png))
    });
    read.await
}

/// The bytes of a picture on their way: the answer counts as under way until they are written.
struct PictureBody {
    png: Bytes,
    _admitted: ImagePermit,
}

impl AsRef<[u8]> for PictureBody {
    fn as_ref(&self) -> &[u8] {
        &self.png
    }
}

/// A picture's name is the hash of its bytes.
fn picture_etag(picture: &PictureRow) -> String {
    format!("\"{}\"", &blake3::Hash::from_bytes(picture.hash).to_hex()[..32])
}

/// Whether the client has the picture already (RFC 9110, 13.1.2).
fn is_known(headers: &HeaderMap, picture: &PictureRow) -> bool {
    let etag = picture_etag(picture);
    let named = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut names = named.flat_map(|value| value.split(',')).map(str::trim);
    names.any(|name| name == "*" || name.strip_prefix("W/").unwrap_or(name) == etag)
}
