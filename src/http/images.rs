//! Pictures: open to everyone, kept by caches, limited for each address.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::{
    body::{Body, Bytes},
    extract::{Request, State},
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH},
    },
    response::Response,
};
use http_body::{Frame, SizeHint};
use http_body_util::Full;

use super::{
    clients::{Admitted, client_address},
    handler::parameters,
    recent::Recent,
    respond::refuse,
    router::Edge,
};
use crate::{
    service::{Declared, internal},
    store::PictureRow,
    wire::{Failure, params::GetImage},
};

/// A day, as the contract has it.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=86400");
const PNG: HeaderValue = HeaderValue::from_static("image/png");

/// Answers a request for a picture.
pub(super) async fn picture(
    State(edge): State<Arc<Edge>>,
    operation: &'static Declared,
    request: Request,
) -> Response {
    answer(&edge, operation, request).await.unwrap_or_else(|failure| refuse(&failure))
}

async fn answer(
    edge: &Arc<Edge>,
    operation: &'static Declared,
    request: Request,
) -> Result<Response, Failure> {
    let (mut parts, body) = request.into_parts();
    let client = client_address(&parts.headers, &parts.extensions, &edge.trusted_proxies);
    let admitted = edge.clients.admit(client)?;
    let parameters = parameters(operation, &mut parts, body).await?;
    let wanted: GetImage = serde_json::from_value(parameters).map_err(internal)?;
    let recent = match edge.recent.get(&wanted, edge.service.store.snapshot().batch()) {
        Some(recent) => recent,
        None => look_up(edge, wanted).await?,
    };
    let mut response = if is_known(&parts.headers, &recent.picture) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        let bytes = Counted { bytes: Full::from(recent.png), _admitted: admitted };
        let mut response = Response::new(Body::new(bytes));
        response.headers_mut().insert(CONTENT_TYPE, PNG);
        response
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, KEPT);
    headers.insert(ETAG, HeaderValue::from_str(&etag(&recent.picture)).map_err(internal)?);
    Ok(response)
}

/// Reads a picture, and keeps it for those who ask next.
async fn look_up(edge: &Arc<Edge>, wanted: GetImage) -> Result<Recent, Failure> {
    let permit = edge.pictures.enter().await?;
    let edge = edge.clone();
    let work = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        let (snapshot, image, png) = edge.service.image_bytes(&wanted)?;
        let batch = snapshot.batch();
        let recent = Recent { batch, picture: image.picture, png: png.into() };
        edge.recent.keep(wanted, recent.clone());
        Ok(recent)
    });
    work.await.map_err(internal)?
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

/// The bytes of a picture; the answer is under way for as long as they are.
struct Counted {
    bytes: Full<Bytes>,
    _admitted: Admitted,
}

impl http_body::Body for Counted {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.bytes).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.bytes.size_hint()
    }
}
