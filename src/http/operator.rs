//! The operator's listener: metrics, and whether the server is alive and ready. Plain HTTP, for the
//! machine itself or a network of its own; it exposes nothing of what people ask.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use jiff::Timestamp;
use metrics::{Unit, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;

use super::{edge::Edge, request_metrics};
use crate::service::Service;
use domain::error_chain;

/// Upper bounds of the histogram buckets for latencies.
const LATENCY_BUCKETS_S: [f64; 14] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);
const PROMETHEUS_CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

#[derive(Clone)]
struct OperatorState {
    edge: Arc<Edge>,
    recorder: PrometheusHandle,
    process: Collector,
}

/// The routes of the operator's listener. Metrics are recorded from now on.
pub(super) fn operator_routes(edge: Arc<Edge>) -> Result<Router, BuildError> {
    let recorder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &LATENCY_BUCKETS_S)
        .and_then(PrometheusBuilder::install_recorder)?;
    request_metrics::describe_request_metrics();
    describe_gauges();
    tokio::spawn(run_upkeep_forever(recorder.clone()));
    let process = Collector::default();
    process.describe();
    let operator = OperatorState { edge, recorder, process };
    Ok(Router::new()
        .route("/metrics", get(serve_metrics))
        .route("/livez", get(|| async { "ok\n" }))
        .route("/readyz", get(serve_readiness))
        .with_state(operator))
}

/// Moves samples into their buckets even when nobody scrapes: they would pile up in memory.
async fn run_upkeep_forever(recorder: PrometheusHandle) {
    loop {
        tokio::time::sleep(UPKEEP_INTERVAL).await;
        recorder.run_upkeep();
    }
}

fn describe_gauges() {
    describe_histogram!("specbox_search_stage_seconds", "Duration of search stages, by stage.");
    describe_counter!("specbox_ingest_files_total", "Files read by ingest runs, by result.");
    describe_gauge!("specbox_queue_depth", "Requests waiting for a worker, by queue.");
    describe_gauge!("specbox_index_items", "Stored items, by kind.");
    describe_gauge!("specbox_index_bytes", Unit::Bytes, "Size of the index files, by part.");
    describe_gauge!("specbox_without_vectors", "What has no vectors yet, by kind.");
    describe_gauge!("specbox_ingest_running", "1 while an ingest is running.");
    describe_gauge!("specbox_replica_follows", "1 while the replica can reach its depot.");
    describe_counter!(
        "specbox_thread_panics_total",
        "Panics of the server's own threads, by thread."
    );
    describe_gauge!(
        "specbox_replica_checked_seconds",
        Unit::Seconds,
        "Time of the replica's last successful check of its depot, as Unix time."
    );
    describe_gauge!(
        "specbox_replica_state_seconds",
        Unit::Seconds,
        "Creation time of the replica's manifest, as Unix time."
    );
    describe_gauge!("specbox_watch_lag", "Index changes that watches have not processed yet.");
}

async fn serve_metrics(State(operator): State<OperatorState>) -> Response {
    let text = tokio::task::spawn_blocking(move || {
        for (queue, depth) in operator.edge.queue_depths() {
            gauge!("specbox_queue_depth", "queue" => queue).set(depth as f64);
        }
        set_index_gauges(&operator.edge.service);
        operator.process.collect();
        operator.recorder.run_upkeep();
        operator.recorder.render()
    });
    match text.await {
        Ok(text) => ([(header::CONTENT_TYPE, PROMETHEUS_CONTENT_TYPE)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn set_index_gauges(service: &Service) {
    let overview = crate::service::corpus_overview(service);
    for (kind, count) in overview.counts_by_kind() {
        gauge!("specbox_index_items", "kind" => kind).set(count as f64);
    }
    for (part, bytes) in service.store.index_folder().index_sizes() {
        gauge!("specbox_index_bytes", "part" => part).set(bytes as f64);
    }
    let lacking = service.store.snapshot().lacking_vectors();
    for (kind, count) in
        [("documents", lacking.documents), ("tdocs", lacking.tdocs), ("notes", lacking.notes)]
    {
        gauge!("specbox_without_vectors", "kind" => kind).set(count as f64);
    }
    match crate::service::journal_lag(service) {
        Ok(lag) => gauge!("specbox_watch_lag").set(lag as f64),
        Err(failure) => {
            tracing::warn!(error = error_chain(&failure), "the lag of watches cannot be read")
        }
    }
    if let Some(replica) = crate::jobs::replica_state(&service.jobs) {
        gauge!("specbox_replica_follows").set(f64::from(u8::from(replica.follows())));
        let times = [
            (replica.created_at, gauge!("specbox_replica_state_seconds")),
            (replica.checked_at, gauge!("specbox_replica_checked_seconds")),
        ];
        for (time, gauge) in times {
            if let Some(time) = time.and_then(|time| time.parse::<Timestamp>().ok()) {
                gauge.set(time.as_second() as f64);
            }
        }
    }
    gauge!("specbox_ingest_running").set(f64::from(u8::from(service.jobs.history.is_ingesting())));
}

/// Ready once the models are loaded; not while one is missing.
async fn serve_readiness(State(operator): State<OperatorState>) -> Response {
    let edge = operator.edge;
    // This loads a model that was installed since the last check.
    let ready = tokio::task::spawn_blocking(move || {
        edge.service.is_ready() || edge.service.load_models().is_ok()
    });
    if ready.await.unwrap_or(false) {
        "ready\n".into_response()
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "the models are not loaded\n").into_response()
    }
}
