//! Pictures: open to everyone, kept by caches, limited for each address.

use std::{sync::Arc, time::Instant};

use super::{
    clients::Admitted,
    edge::Edge,
    handler::{REQUEST_WITHIN, parameters, within},
    meters,
    respond::refuse,
};
use crate::service::{Declared, internal};
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
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=86400");
const PNG: HeaderValue = HeaderValue::from_static("image/png");

/// Answers a request for a picture.
pub(super) async fn picture(
    State(edge): State<Arc<Edge>>,
    operation: &'static Declared,
    request: Request,
) -> Response {
    let started = Instant::now();
    let answer = within(REQUEST_WITHIN, answer(&edge, operation, request)).await;
    let response = answer.unwrap_or_else(|failure| refuse(&failure));
    meters::answered(operation.descriptor.name, response.status(), started.elapsed());
    response
}

async fn answer(
    edge: &Arc<Edge>,
    operation: &'static Declared,
    request: Request,
) -> Result<Response, Failure> {
    let (mut parts, body) = request.into_parts();
    let admitted = edge.admit_picture(&parts)?;
    let parameters = parameters(operation, &mut parts, body).await?;
    let wanted: GetImage = serde_json::from_value(parameters).map_err(internal)?;
    let mut picture = edge.service.image(&wanted)?.picture;
    let mut response = if is_known(&parts.headers, &picture) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        let png = match edge.recent.get(&picture.hash) {
            Some(png) => png,
            // Another one, where the document was read again in this moment.
            None => {
                let read = look_up(edge, wanted).await?;
                picture = read.0;
                read.1
            }
        };
        let held = Held { png, _admitted: admitted };
        let mut response = Response::new(Body::from(Bytes::from_owner(held)));
        response.headers_mut().insert(CONTENT_TYPE, PNG);
        response
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, KEPT);
    headers.insert(ETAG, HeaderValue::from_str(&etag(&picture)).map_err(internal)?);
    Ok(response)
}

/// Reads a picture, and keeps it for those who ask next.
async fn look_up(edge: &Arc<Edge>, wanted: GetImage) -> Result<(PictureRow, Bytes), Failure> {
    let read = edge.picture_work(move |edge| {
        let (_, image, png) = edge.service.image_bytes(&wanted)?;
        let png = Bytes::from(png);
        edge.recent.keep(image.picture.hash, png.clone());
        Ok((image.picture, png))
    });
    read.await
}

/// The bytes of a picture on their way: the answer counts as under way until they are written.
struct Held {
    png: Bytes,
    _admitted: Admitted,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.png
    }
}

/// A picture's name is the hash of its bytes.
fn etag(picture: &PictureRow) -> String {
    format!("\"{}\"", &blake3::Hash::from_bytes(picture.hash).to_hex()[..32])
}

/// Whether the client has the picture already (RFC 9110, 13.1.2).
fn is_known(headers: &HeaderMap, picture: &PictureRow) -> bool {
    let etag = etag(picture);
    let named = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut names = named.flat_map(|value| value.split(',')).map(str::trim);
    names.any(|name| name == "*" || name.strip_prefix("W/").unwrap_or(name) == etag)
}
