//! The routes: every declared operation, and the description of them all.

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    http::{HeaderName, HeaderValue, header},
    response::Response,
    routing::{MethodFilter, get, on},
};
use ipnet::IpNet;
use tower::ServiceBuilder;
use tower_http::{
    catch_panic::CatchPanicLayer,
    compression::CompressionLayer,
    request_id::MakeRequestUuid,
    request_id::PropagateRequestIdLayer,
    request_id::SetRequestIdLayer,
    set_header::SetResponseHeaderLayer,
    trace::{DefaultOnResponse, TraceLayer},
};

use super::{
    clients::{Clients, ImageLimits},
    gate::Gate,
    handler::handle,
    images::picture,
    recent::RecentPictures,
    respond::{refuse, reply},
};
use crate::{
    service::{Declared, Service, internal, operations},
    wire::{Failure, Media, Method, OperationDescriptor, openapi_document},
};

/// Searches worked on at once; those that wait for the reranker are among them.
const SEARCH_WORKERS: usize = 32;
/// Searches that wait before more are refused.
const SEARCH_QUEUE: usize = 64;
/// Other requests that wait before more are refused.
const LOOKUP_QUEUE: usize = 4096;
/// Requests other than searches that are worked on at once.
const LOOKUP_WORKERS: usize = 16;
/// Pictures that are read at once, and requests that wait for them.
const PICTURE_WORKERS: usize = 8;
const PICTURE_QUEUE: usize = 1024;
/// Header that carries the id of a request.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The guide for agents.
const SKILL_GUIDE: &str = include_str!("../../docs/skill.md");
const MARKDOWN: &str = "text/markdown; charset=utf-8";

/// What every handler needs.
pub(super) struct Edge {
    pub(super) service: Arc<Service>,
    pub(super) clients: Clients,
    pub(super) trusted_proxies: Vec<IpNet>,
    pub(super) pictures: Gate,
    pub(super) recent: RecentPictures,
    searches: Gate,
    lookups: Gate,
}

/// How the routes are served.
#[derive(Debug, Clone, Default)]
pub struct EdgeSettings {
    /// Proxies whose word is taken for the address of a client.
    pub trusted_proxies: Vec<IpNet>,
    /// How much of the pictures one address may ask for.
    pub images: ImageLimits,
}

impl Edge {
    /// Searches run a model; everything else is a look-up and must not wait for them.
    pub(super) fn gate(&self, operation: &Declared) -> &Gate {
        let search = operation.descriptor.route.path.starts_with("/search/");
        if search { &self.searches } else { &self.lookups }
    }
}

/// All routes over a service; `base_url` is what the description says clients reach it by.
pub fn router(service: Arc<Service>, base_url: &str, settings: EdgeSettings) -> Router {
    let edge = Arc::new(Edge {
        service,
        clients: Clients::new(settings.images),
        trusted_proxies: settings.trusted_proxies,
        pictures: Gate::new(PICTURE_WORKERS, PICTURE_QUEUE),
        recent: RecentPictures::new(),
        searches: Gate::new(SEARCH_WORKERS, SEARCH_QUEUE),
        lookups: Gate::new(LOOKUP_WORKERS, LOOKUP_QUEUE),
    });
    let mut router = Router::new();
    for operation in operations() {
        let route = operation.descriptor.route;
        let filter = match route.method {
            Method::Get => MethodFilter::GET,
            Method::Post => MethodFilter::POST,
        };
        router = match operation.descriptor.media {
            Media::Json => {
                let handler = move |state, request| handle(state, operation, request);
                router.route(route.path, on(filter, handler))
            }
            Media::Png => {
                let handler = move |state, request| picture(state, operation, request);
                router.route(route.path, on(filter, handler))
            }
        };
    }
    let document = openapi_bytes(base_url);
    router
        .route("/openapi.json", get(move || async move { reply(document.to_vec()) }))
        .route("/skill.md", get(|| async { ([(header::CONTENT_TYPE, MARKDOWN)], SKILL_GUIDE) }))
        .fallback(|| async { refuse(&Failure::NotFound) })
        .method_not_allowed_fallback(|| async { method_not_allowed() })
        .with_state(edge)
        .layer(
            ServiceBuilder::new()
                .layer(SetRequestIdLayer::new(REQUEST_ID, MakeRequestUuid))
                .layer(
                    TraceLayer::new_for_http()
                        .make_span_with(span)
                        .on_response(DefaultOnResponse::new().level(tracing::Level::INFO))
                        .on_failure(()),
                )
                .layer(PropagateRequestIdLayer::new(REQUEST_ID))
                .layer(CatchPanicLayer::custom(panicked))
                .layer(SetResponseHeaderLayer::if_not_present(
                    header::X_CONTENT_TYPE_OPTIONS,
                    HeaderValue::from_static("nosniff"),
                ))
                .layer(CompressionLayer::new()),
        )
}

/// The description of all operations, made once.
fn openapi_bytes(base_url: &str) -> Arc<[u8]> {
    let descriptors: Vec<OperationDescriptor> =
        operations().iter().map(|operation| operation.descriptor.clone()).collect();
    openapi_document(base_url, &descriptors).to_string().into_bytes().into()
}

/// The log gets method, path and id of a request; never its query string, headers or body.
fn span(request: &Request) -> tracing::Span {
    let id = request.headers().get(REQUEST_ID).and_then(|value| value.to_str().ok());
    tracing::info_span!(
        "request",
        id = id.unwrap_or_default(),
        method = %request.method(),
        path = request.uri().path(),
    )
}

/// axum adds the `Allow` header.
fn method_not_allowed() -> Response {
    let mut response = refuse(&Failure::MethodNotAllowed { allow: String::new() });
    response.headers_mut().remove(header::ALLOW);
    response
}

fn panicked(panic: Box<dyn std::any::Any + Send + 'static>) -> Response {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without a message")
        .to_owned();
    refuse(&internal(message))
}
