//! Compresses responses: each whole and at once, because a compressor that waits for its client holds 300 KiB.

use std::io::Write;

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::Request,
    http::{HeaderMap, HeaderValue, header},
    middleware::Next,
    response::Response,
};
use flate2::{Compression, write::GzEncoder};
use http_body_util::BodyExt;
use tower_http::compression::{DefaultPredicate, Predicate, predicate::NotForContentType};

use super::{connection_state::SharedBytes, content_coding::accepts_gzip, respond::json_reply};

/// The largest response that is compressed: its bytes are in memory twice meanwhile.
const MAX_COMPRESSED_BYTES: u64 = 64 << 20;
/// Responses up to this size are compressed on the thread that serves them, in less than a millisecond. Larger ones
/// would delay its other clients.
const SMALL_BYTES: usize = 32 << 10;

/// Marks a page that may be compressed, as an extension of its response.
#[derive(Debug, Clone, Copy)]
pub struct CompressiblePage;

/// A document of JSON that all clients get, compressed once.
#[derive(Clone)]
pub(super) struct SharedDocument {
    plain: Bytes,
    packed: Option<Bytes>,
}

impl SharedDocument {
    pub(super) fn new(plain: Vec<u8>) -> Self {
        let packed = compress_bytes(&plain).map(Bytes::from);
        Self { plain: plain.into(), packed }
    }

    /// The document, compressed for clients that accept gzip.
    pub(super) fn to_response(&self, headers: &HeaderMap) -> Response {
        let mut response = json_reply(Vec::new());
        let packed = if accepts_gzip(headers) { self.packed.as_ref() } else { None };
        if packed.is_some() {
            let gzip = HeaderValue::from_static("gzip");
            response.headers_mut().insert(header::CONTENT_ENCODING, gzip);
        }
        let vary = HeaderValue::from_static("accept-encoding");
        response.headers_mut().insert(header::VARY, vary);
        response.extensions_mut().insert(SharedBytes);
        *response.body_mut() = Body::from(packed.unwrap_or(&self.plain).clone());
        response
    }
}

/// Compresses a response for clients that accept gzip.
pub(super) async fn compress_response(request: Request, next: Next) -> Response {
    let accepts_gzip = accepts_gzip(request.headers());
    let response = next.run(request).await;
    let size = response.body().size_hint().exact();
    let fits = size.is_some_and(|size| size <= MAX_COMPRESSED_BYTES);
    if !fits || !is_compressible(&response) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    parts.headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    if !accepts_gzip {
        return Response::from_parts(parts, body);
    }
    // A body with a known size is already complete.
    let Ok(bytes) = body.collect().await.map(|collected| collected.to_bytes()) else {
        return Response::from_parts(parts, Body::empty());
    };
    let compressed = match bytes.len() {
        0..=SMALL_BYTES => compress_bytes(&bytes),
        _ => {
            let source = bytes.clone();
            let compressed = tokio::task::spawn_blocking(move || compress_bytes(&source)).await;
            compressed.ok().flatten()
        }
    };
    let Some(compressed) = compressed else { return Response::from_parts(parts, bytes.into()) };
    // The compressed bytes belong to this client alone.
    parts.extensions.remove::<SharedBytes>();
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.remove(header::ACCEPT_RANGES);
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    Response::from_parts(parts, compressed.into())
}

/// Whether compression pays and is safe. Other pages stay as they are: one may contain a secret next to text that its
/// reader typed, so the compressed size would leak the secret (BREACH).
fn is_compressible(response: &Response) -> bool {
    let is_allowed = NotForContentType::const_new("text/html").should_compress(response)
        || response.extensions().get::<CompressiblePage>().is_some();
    is_allowed
        && !response.headers().contains_key(header::CONTENT_ENCODING)
        && !response.headers().contains_key(header::CONTENT_RANGE)
        && DefaultPredicate::new().should_compress(response)
}

fn compress_bytes(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use axum::{Router, middleware, routing::get};
    use flate2::read::GzDecoder;
    use tower::ServiceExt;

    use super::*;

    async fn ask(size: usize, kind: &'static str, accepts: &'static str) -> Response {
        let handler = move || async move { ([(header::CONTENT_TYPE, kind)], "a".repeat(size)) };
        let router = Router::new().route("/", get(handler));
        let router = router.layer(middleware::from_fn(compress_response));
        let request = Request::get("/").header(header::ACCEPT_ENCODING, accepts);
        router.oneshot(request.body(Body::empty()).expect("a request")).await.expect("an answer")
    }

    #[tokio::test]
    async fn what_pays_is_compressed_and_reads_back_as_it_was() {
        for size in [100, SMALL_BYTES + 1] {
            let response = ask(size, "application/json", "br, gzip").await;
            assert_eq!(response.headers()[header::CONTENT_ENCODING], "gzip");
            assert_eq!(response.headers()[header::VARY], "accept-encoding");
            let bytes = response.into_body().collect().await.expect("bytes").to_bytes();
            let mut text = String::new();
            GzDecoder::new(&bytes[..]).read_to_string(&mut text).expect("gzip");
            assert!(bytes.len() < size && text == "a".repeat(size));
        }
    }

    #[tokio::test]
    async fn small_answers_pictures_other_pages_and_other_clients_get_the_bytes_themselves() {
        for (size, kind, accepts) in [
            (10, "application/json", "gzip"),
            (1_000, "image/png", "gzip"),
            (1_000, "text/html", "gzip"),
            (1_000, "application/json", "br"),
        ] {
            let response = ask(size, kind, accepts).await;
            assert!(!response.headers().contains_key(header::CONTENT_ENCODING), "{kind} {size}");
            let bytes = response.into_body().collect().await.expect("bytes").to_bytes();
            assert_eq!(bytes.len(), size);
        }
    }
}
