//! The routes: every declared operation, and the OpenAPI document.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    extract::{MatchedPath, Request},
    http::{self, HeaderMap, HeaderName, HeaderValue, header},
    middleware::{self, Next},
    response::Response,
    routing::{MethodFilter, get, on},
};
use tower::ServiceBuilder;
use tower_http::{
    catch_panic::CatchPanicLayer,
    cors::CorsLayer,
    request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer},
    trace::{DefaultOnResponse, TraceLayer},
};

use super::{
    compression::{SharedDocument, compress_response},
    drain_body::drain_on_drop,
    edge::{Edge, EdgeSettings, PANIC_CAUSE},
    handler::handle_operation,
    images::{handle_picture, handle_picture_file},
    request_budget::{count_request, refuse_when_full},
    respond::failure_response,
};
use crate::service::{PICTURE_FILE_ROUTE, internal_failure, operations};
use wire::{Failure, Media, Method, OperationDescriptor, openapi_document};

/// Header that carries the id of a request.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// One year, in seconds.
const STRICT_TRANSPORT: HeaderValue = HeaderValue::from_static("max-age=31536000");
/// Headers that a script of another origin may read.
const EXPOSED_HEADERS: [&str; 7] = [
    "x-request-id",
    "mcp-session-id",
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
    "retry-after",
    "www-authenticate",
];
/// Headers that a script of another origin may send: those of MCP clients among them.
const ALLOWED_HEADERS: [&str; 7] = [
    "authorization",
    "content-type",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
    "mcp-session-id",
    "last-event-id",
];
/// How long a browser may cache a preflight response. Without it, browsers ask again after 5 seconds (Fetch
/// standard).
const PREFLIGHT_MAX_AGE: Duration = Duration::from_secs(600);

/// All routes: the declared operations and the pages.
pub(super) fn build_router(
    edge: Arc<Edge>,
    pages: Router<Arc<Edge>>,
    settings: &EdgeSettings,
) -> Router {
    let mut router = Router::new();
    for operation in operations() {
        let route = operation.descriptor.route;
        let filter = match route.method {
            Method::Get => MethodFilter::GET,
            Method::Post => MethodFilter::POST,
        };
        router = match operation.descriptor.media {
            Media::Json => {
                let handler = move |state, request| handle_operation(state, operation, request);
                router.route(route.path, on(filter, handler))
            }
            Media::Png => {
                let handler = move |state, request| handle_picture(state, operation, request);
                router.route(route.path, on(filter, handler))
            }
        };
    }
    let document = SharedDocument::new(openapi_bytes(edge.service().address.base_url()));
    let serve_openapi = move |headers: HeaderMap| async move { document.to_response(&headers) };
    let router = router.route("/openapi.json", get(serve_openapi));
    let router = router.route(PICTURE_FILE_ROUTE, get(handle_picture_file));
    // Before the CORS layer, which answers preflight requests.
    let router = router.method_not_allowed_fallback(|| async { method_not_allowed() });
    let router = match cors_layer(&settings.cors_origins) {
        Some(cors) => router.layer(cors),
        None => router,
    };
    let strict = settings.strict_transport.then_some(STRICT_TRANSPORT);
    router
        .merge(pages)
        .method_not_allowed_fallback(|| async { method_not_allowed() })
        .with_state(edge)
        .layer(
            ServiceBuilder::new()
                // Otherwise an id made up by a client would appear in the log.
                .map_request(|mut request: Request| {
                    request.headers_mut().remove(REQUEST_ID);
                    count_request(request).map(drain_on_drop)
                })
                .layer(SetRequestIdLayer::new(REQUEST_ID, MakeRequestUuid))
                .layer(
                    TraceLayer::new_for_http()
                        .make_span_with(request_span)
                        .on_response(DefaultOnResponse::new().level(tracing::Level::INFO))
                        .on_failure(()),
                )
                .layer(PropagateRequestIdLayer::new(REQUEST_ID))
                .map_response(move |response| with_security_headers(response, strict.clone()))
                .layer(CatchPanicLayer::custom(respond_to_panic))
                .layer(middleware::from_fn(refuse_when_full))
                .layer(middleware::from_fn(require_one_host))
                .layer(middleware::from_fn(compress_response)),
        )
}

/// Refuses requests of HTTP/1.1 with no `Host` or several (RFC 9112, section 3.2): a proxy in front might have
/// checked another one than this server reads. HTTP/2 has the host in its address.
async fn require_one_host(request: Request, next: Next) -> Response {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    let is_good = match request.version() {
        http::Version::HTTP_09 | http::Version::HTTP_10 => hosts <= 1,
        http::Version::HTTP_11 => hosts == 1,
        _ => hosts <= 1,
    };
    if !is_good {
        let message = "The request must name one host, with one Host header.";
        return failure_response(&Failure::MalformedRequest { message });
    }
    next.run(request).await
}

/// Allows pages of other origins to call operations: with an API key or token, never with a session
/// cookie.
pub fn cors_layer(origins: &[String]) -> Option<CorsLayer> {
    let origins: Vec<HeaderValue> = origins.iter().filter_map(|o| o.parse().ok()).collect();
    (!origins.is_empty()).then(|| {
        CorsLayer::new()
            .allow_origin(origins)
            .allow_methods([http::Method::GET, http::Method::POST])
            .allow_headers(ALLOWED_HEADERS.map(HeaderName::from_static))
            .expose_headers(EXPOSED_HEADERS.map(HeaderName::from_static))
            .max_age(PREFLIGHT_MAX_AGE)
    })
}

/// Adds the security headers of every answer whose handler set no others: no content sniffing, no
/// framing, no scripts, no referrer.
pub(super) fn with_security_headers<B>(
    mut response: http::Response<B>,
    strict: Option<HeaderValue>,
) -> http::Response<B> {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if let Some(strict) = strict {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, strict);
    }
    response
}

/// The OpenAPI document of all operations, serialized once.
fn openapi_bytes(base_url: &str) -> Vec<u8> {
    let descriptors: Vec<OperationDescriptor> =
        operations().iter().map(|operation| operation.descriptor.clone()).collect();
    openapi_document(base_url, &descriptors).to_string().into_bytes()
}

/// The log gets method, route and ID of a request; never its path, which may contain anything, nor its
/// query string, headers or body.
fn request_span(request: &Request) -> tracing::Span {
    let id = request.headers().get(REQUEST_ID).and_then(|value| value.to_str().ok());
    let route = request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str);
    let method = match *request.method() {
        http::Method::GET => "GET",
        http::Method::POST => "POST",
        http::Method::HEAD => "HEAD",
        _ => "other",
    };
    tracing::info_span!("request", id = id.unwrap_or_default(), method, route)
}

/// The answer to a method that the path does not support; axum adds the `Allow` header.
pub fn method_not_allowed() -> Response {
    let mut response = failure_response(&Failure::MethodNotAllowed { allow: String::new() });
    response.headers_mut().remove(header::ALLOW);
    response
}

/// A panic message may contain what people asked: the log gets only the source line (`cli/serve.rs`).
fn respond_to_panic(_: Box<dyn std::any::Any + Send + 'static>) -> Response {
    failure_response(&internal_failure(PANIC_CAUSE))
}
