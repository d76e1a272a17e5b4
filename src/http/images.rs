//! Pictures: public, cacheable, with limits per address.

use std::{sync::Arc, time::Instant};

use super::{
    client_limits::ImagePermit,
    content_coding::accepts_gzip,
    edge::Edge,
    entity_tag::client_has_tag,
    handler::{REQUEST_TIMEOUT, read_parameters, with_time_limit},
    request_metrics,
    respond::failure_response,
};
use crate::service::{DeclaredOperation, internal_failure};
use axum::{
    body::{Body, Bytes},
    extract::{Path, Request, State},
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{
            CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, VARY,
        },
    },
    response::Response,
};
use store::{PictureHash, PictureRow, unpack_drawing};
use wire::{Failure, params::GetImage};

/// One day, as the API contract says.
const PICTURE_CACHE_CONTROL: HeaderValue = HeaderValue::from_static("public, max-age=86400");
const PNG: HeaderValue = HeaderValue::from_static("image/png");
const SVG: HeaderValue = HeaderValue::from_static("image/svg+xml");
/// A drawing that is opened alone runs nothing and loads nothing: it comes from a document that nobody has checked.
const DRAWING_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
);
/// Hexadecimal digits of the hash in an entity tag: 128 bits.
const ETAG_HEX_DIGITS: usize = 32;

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
    let permit = edge.admit_picture(&parts)?;
    let parameters = read_parameters(operation, &mut parts, body).await?;
    let parameters: GetImage = serde_json::from_value(parameters).map_err(internal_failure)?;
    let mut picture = crate::service::find_image(&edge.service, &parameters)?.picture;
    let mut response = if client_has_picture(&parts.headers, &picture) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        let png = match edge.picture_cache.get(&picture.hash) {
            Some(png) => png,
            // The row may be a new one: the document may have been indexed again meanwhile.
            None => {
                let (row, png) = read_picture(edge, parameters).await?;
                picture = row;
                png
            }
        };
        let picture_body = PictureBody { bytes: png, _permit: permit };
        let mut response = Response::new(Body::from(Bytes::from_owner(picture_body)));
        response.headers_mut().insert(CONTENT_TYPE, PNG);
        response
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, PICTURE_CACHE_CONTROL);
    headers.insert(ETAG, HeaderValue::from_str(&picture_etag(&picture)).map_err(internal_failure)?);
    Ok(response)
}

/// How long a picture may be cached whose address is the hash of its bytes: a year.
const IMMUTABLE_CACHE_CONTROL: HeaderValue =
    HeaderValue::from_static("public, max-age=31536000, immutable");

/// Answers a request for a picture by its hash: `/pictures/<hash>.png`, or `.svg` for a drawing.
pub(super) async fn handle_picture_file(
    State(edge): State<Arc<Edge>>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    let answer = answer_picture_file(&edge, &name, request);
    let answer = with_time_limit(REQUEST_TIMEOUT, answer).await;
    answer.unwrap_or_else(|failure| failure_response(&failure))
}

async fn answer_picture_file(
    edge: &Arc<Edge>,
    name: &str,
    request: Request,
) -> Result<Response, Failure> {
    let (parts, _) = request.into_parts();
    let permit = edge.admit_picture(&parts)?;
    let (hash, suffix) = name.split_once('.').ok_or(Failure::ImageNotFound)?;
    let hash = blake3::Hash::from_hex(hash).map_err(|_| Failure::ImageNotFound)?;
    match suffix {
        "png" => send_png(edge, *hash.as_bytes(), permit).await,
        "svg" => send_drawing(edge, *hash.as_bytes(), &parts.headers, permit).await,
        _ => Err(Failure::ImageNotFound),
    }
}

async fn send_png(
    edge: &Arc<Edge>,
    hash: PictureHash,
    permit: ImagePermit,
) -> Result<Response, Failure> {
    let png = match edge.picture_cache.get(&hash) {
        Some(png) => png,
        None => {
            let read = edge.run_picture_work(move |edge| {
                let png = edge.service.store.read_picture(&hash).map_err(internal_failure)?;
                let png = Bytes::from(png.ok_or(Failure::ImageNotFound)?);
                edge.picture_cache.insert(hash, png.clone());
                Ok(png)
            });
            read.await?
        }
    };
    let body = PictureBody { bytes: png, _permit: permit };
    let mut response = Response::new(Body::from(Bytes::from_owner(body)));
    response.headers_mut().insert(CONTENT_TYPE, PNG);
    response.headers_mut().insert(CACHE_CONTROL, IMMUTABLE_CACHE_CONTROL);
    Ok(response)
}

/// Sends a drawing: packed, as it is stored, if the client accepts gzip, otherwise as text.
async fn send_drawing(
    edge: &Arc<Edge>,
    hash: PictureHash,
    headers: &HeaderMap,
    permit: ImagePermit,
) -> Result<Response, Failure> {
    let is_packed = accepts_gzip(headers);
    let read = edge.run_picture_work(move |edge| {
        let packed = edge.service.store.read_drawing(&hash).map_err(internal_failure)?;
        let packed = packed.ok_or(Failure::ImageNotFound)?;
        if is_packed {
            return Ok(packed);
        }
        unpack_drawing(&packed).ok_or_else(|| {
            tracing::error!("a drawing is damaged; run specbox verify");
            Failure::ImageNotFound
        })
    });
    let bytes = read.await?;
    // Each coding has a tag of its own.
    let tag = hash_etag(blake3::hash(&bytes));
    let is_known = client_has_tag(headers, &tag);
    let mut response = if is_known {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        let body = PictureBody { bytes: bytes.into(), _permit: permit };
        Response::new(Body::from(Bytes::from_owner(body)))
    };
    let headers = response.headers_mut();
    if !is_known {
        headers.insert(CONTENT_TYPE, SVG);
    }
    if is_packed && !is_known {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    headers.insert(ETAG, HeaderValue::from_str(&tag).map_err(internal_failure)?);
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(CONTENT_SECURITY_POLICY, DRAWING_POLICY);
    headers.insert(CACHE_CONTROL, PICTURE_CACHE_CONTROL);
    Ok(response)
}

/// Reads a picture and caches it.
async fn read_picture(
    edge: &Arc<Edge>,
    parameters: GetImage,
) -> Result<(PictureRow, Bytes), Failure> {
    let read = edge.run_picture_work(move |edge| {
        let (_, image, png) = crate::service::read_image(&edge.service, &parameters)?;
        let png = Bytes::from(png);
        edge.picture_cache.insert(image.picture.hash, png.clone());
        Ok((image.picture, png))
    });
    read.await
}

/// The bytes of a picture being sent: the answer counts as in flight until they are written.
struct PictureBody {
    bytes: Bytes,
    _permit: ImagePermit,
}

impl AsRef<[u8]> for PictureBody {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// The entity tag of a picture: a prefix of the hash of its bytes.
fn picture_etag(picture: &PictureRow) -> String {
    hash_etag(blake3::Hash::from_bytes(picture.hash))
}

fn hash_etag(hash: blake3::Hash) -> String {
    format!("\"{}\"", &hash.to_hex()[..ETAG_HEX_DIGITS])
}

/// Whether the client has the picture already (RFC 9110, 13.1.2).
fn client_has_picture(headers: &HeaderMap, picture: &PictureRow) -> bool {
    client_has_tag(headers, &picture_etag(picture))
}
