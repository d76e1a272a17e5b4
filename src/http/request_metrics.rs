//! The metrics of requests.

use std::time::Duration;

use axum::http::StatusCode;
use metrics::{counter, describe_counter, describe_histogram, histogram};

/// Requests that were answered, by operation and status.
const REQUESTS: &str = "specbox_requests_total";
/// How long they took.
const SECONDS: &str = "specbox_request_seconds";

/// Records an answered request. Costs next to nothing while metrics are off.
pub fn record_request(operation: &'static str, status: StatusCode, took: Duration) {
    let status = status.as_u16().to_string();
    counter!(REQUESTS, "operation" => operation, "status" => status).increment(1);
    histogram!(SECONDS, "operation" => operation).record(took);
}

/// Registers the descriptions of the metrics.
pub(super) fn describe_request_metrics() {
    describe_counter!(REQUESTS, "Requests answered, by operation and status.");
    describe_histogram!(SECONDS, "Time from the request headers to the answer, by operation.");
}
