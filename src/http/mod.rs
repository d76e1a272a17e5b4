//! The HTTP edge: requests in, operations run, replies and refusals out. No logic of its own.
//!
//! Owns routes, credentials on the wire, body limits, overload, TLS and shutdown. The order of
//! refusals is: no such route, no credential, invalid parameters, then what the operation says.

mod client_limits;
mod compression;
mod connection_state;
mod connections;
mod content_coding;
mod drain_body;
mod edge;
mod entity_tag;
mod gate;
mod handler;
mod head_timeout;
mod images;
mod lab_certificate;
mod latency;
mod operator;
mod picture_cache;
mod request_budget;
mod request_metrics;
mod respond;
mod response_budget;
mod router;
mod server;
mod tls;
mod tls_buffer;
mod watched_stream;

pub use client_limits::{ImageLimits, ImagePermit};
pub use compression::CompressiblePage;
pub use connection_state::SharedBytes;
pub use connections::ConnectionLimits;
pub use content_coding::accepts_gzip;
pub use edge::{Edge, EdgeSettings, owner_of};
pub use entity_tag::client_has_tag;
pub use handler::{
    MAX_BODY_BYTES, REQUEST_TIMEOUT, bearer_token, read_body_within, with_time_limit,
};
pub use lab_certificate::LabCertificate;
pub use latency::{LatencyLog, OperationLatency};
pub use request_budget::UPLOAD_PATH;
pub use request_metrics::record_request;
pub use respond::{add_failure_headers, failure_response, failure_status, log_failure};
pub use router::{cors_layer, method_not_allowed};
pub use server::{HttpServer, HttpServerSettings, ServeError};
pub use tls::{TlsError, TlsMode};
