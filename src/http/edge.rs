//! What every handler needs: the service, who may come in, and how many at once.

use std::{
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::http::request::Parts;
use ipnet::IpNet;
use serde_json::Value;
use tokio::time::timeout;

use super::{
    client_limits::{ImageLimits, ImagePermit, ImageRateLimiter, client_address},
    gate::Gate,
    picture_cache::PictureCache,
};
use crate::service::{
    DeclaredOperation, Operation, OperationReply, Service, ValidParameters, internal_failure,
};
use accounts::Caller;
use wire::{Failure, Media};

/// Searches worked on at once; those that wait for the reranker are among them.
const SEARCH_WORKERS: usize = 32;
/// Searches that wait before more are refused.
const SEARCH_QUEUE: usize = 64;
/// Other requests that wait before more are refused.
const LOOKUP_QUEUE: usize = 4096;
/// Requests other than searches that are worked on at once; most of their time they wait for their
/// charge to be written.
const LOOKUP_WORKERS: usize = 64;
/// Passwords that are hashed at once, and requests that wait for that.
const PASSWORD_WORKERS: usize = 1;
const PASSWORD_QUEUE: usize = 32;
/// An operation has this long, the wait in the queue included; a search with reranking on a slow
/// machine takes seconds.
const OPERATION_TIMEOUT: Duration = Duration::from_secs(60);
/// Seconds after which one that took longer is worth another attempt.
const RETRY_AFTER_S: u64 = 30;
/// Pictures that are read at once, and requests that wait for them.
const PICTURE_WORKERS: usize = 8;
const PICTURE_QUEUE: usize = 1024;
/// What is fetched from other servers at once, and requests that wait for that.
const FETCH_WORKERS: usize = 4;
const FETCH_QUEUE: usize = 32;

/// How the routes are served.
#[derive(Debug, Clone, Default)]
pub struct EdgeSettings {
    /// Proxies whose word is taken for the address of a client.
    pub trusted_proxies: Vec<IpNet>,
    /// How much of the pictures one address may ask for.
    pub images: ImageLimits,
    /// Origins whose pages may call the operations from a browser; none by default.
    pub cors_origins: Vec<String>,
    /// Whether browsers are told to come back over HTTPS only. Not with the lab's own authority: a
    /// browser that lost it could not even look at the page that says so.
    pub strict_transport: bool,
}

/// What every handler needs.
pub struct Edge {
    pub(super) service: Arc<Service>,
    pub(super) image_limiter: ImageRateLimiter,
    pub(super) picture_cache: PictureCache,
    trusted_proxies: Vec<IpNet>,
    lab_certificate: bool,
    searches: Gate,
    lookups: Gate,
    pictures: Gate,
    passwords: Gate,
    fetches: Gate,
}

impl Edge {
    pub(super) fn new(
        service: Arc<Service>,
        settings: &EdgeSettings,
        lab_certificate: bool,
    ) -> Self {
        let gate = |workers, queue| Gate::new(workers, queue);
        Self {
            service,
            image_limiter: ImageRateLimiter::new(settings.images),
            pictures: gate(PICTURE_WORKERS, PICTURE_QUEUE),
            picture_cache: PictureCache::new(),
            trusted_proxies: settings.trusted_proxies.clone(),
            lab_certificate,
            searches: gate(SEARCH_WORKERS, SEARCH_QUEUE),
            lookups: gate(LOOKUP_WORKERS, LOOKUP_QUEUE),
            passwords: gate(PASSWORD_WORKERS, PASSWORD_QUEUE),
            fetches: gate(FETCH_WORKERS, FETCH_QUEUE),
        }
    }

    /// Whether clients must trust an authority of the lab's own.
    pub fn has_lab_certificate(&self) -> bool {
        self.lab_certificate
    }

    /// The service behind the routes.
    pub fn service(&self) -> &Arc<Service> {
        &self.service
    }

    /// Whose request this is: the address of the connection, or what a trusted proxy says.
    pub fn client_address(&self, parts: &Parts) -> IpAddr {
        client_address(&parts.headers, &parts.extensions, &self.trusted_proxies)
    }

    /// Runs an operation on checked parameters, on a thread that may work, once there is room.
    pub async fn run_operation(
        self: &Arc<Self>,
        operation: &'static DeclaredOperation,
        caller: Caller,
        parameters: Value,
    ) -> OperationReply {
        let run = move |service: &Service, given_up: &AtomicBool| {
            operation.run(service, &caller, parameters, given_up)
        };
        self.run_within_timeout(operation, run).await
    }

    /// The same for code that has the parameters as a struct, and gets the reply as one.
    pub async fn call<O: Operation>(
        self: &Arc<Self>,
        caller: Caller,
        parameters: ValidParameters<O>,
    ) -> OperationReply<O::Reply> {
        let operation = parameters.operation();
        let run = move |service: &Service, given_up: &AtomicBool| {
            service.call(&caller, parameters, given_up)
        };
        self.run_within_timeout(operation, run).await
    }

    async fn run_within_timeout<T: Send + 'static>(
        self: &Arc<Self>,
        operation: &DeclaredOperation,
        run: impl FnOnce(&Service, &AtomicBool) -> OperationReply<T> + Send + 'static,
    ) -> OperationReply<T> {
        let given_up = Arc::new(AtomicBool::new(false));
        let seen_by_work = given_up.clone();
        let answer = run_on_thread(self.clone(), self.gate_for(operation), move |edge| {
            Ok(run(&edge.service, &seen_by_work))
        });
        match timeout(OPERATION_TIMEOUT, answer).await {
            Ok(answer) => answer.unwrap_or_else(OperationReply::from),
            Err(_) => {
                // It may still be at work, for nobody: it is not charged.
                given_up.store(true, Ordering::Release);
                Failure::Overloaded { retry_after_s: RETRY_AFTER_S }.into()
            }
        }
    }

    /// Does something with the service on a thread that may work, once there is room.
    pub async fn run_blocking<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl FnOnce(&Service) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        run_on_thread(self.clone(), &self.lookups, move |edge| act(&edge.service)).await
    }

    /// The same for work with passwords, which takes a core for a while: it waits in a queue of its
    /// own, so that those who search do not wait for those who sign in.
    pub async fn run_password_work<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl FnOnce(&Service) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        run_on_thread(self.clone(), &self.passwords, move |edge| act(&edge.service)).await
    }

    /// The same for work that waits for other servers.
    pub async fn run_fetch_work<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl FnOnce(&Service) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        run_on_thread(self.clone(), &self.fetches, move |edge| act(&edge.service)).await
    }

    /// Lets a client have a picture, or tells it when to come again.
    pub fn admit_picture(&self, parts: &Parts) -> Result<ImagePermit, Failure> {
        self.image_limiter.admit_request(self.client_address(parts))
    }

    /// The same for the reading of pictures, in a queue of its own.
    pub(super) async fn run_picture_work<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl FnOnce(&Self) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        run_on_thread(self.clone(), &self.pictures, act).await
    }

    /// Searches run a model; everything else is a look-up and must not wait for them, nor for pictures.
    fn gate_for(&self, operation: &DeclaredOperation) -> &Gate {
        match operation.descriptor.media {
            Media::Png => &self.pictures,
            Media::Json if operation.descriptor.is_search() => &self.searches,
            Media::Json => &self.lookups,
        }
    }

    /// Requests that wait for a worker, by what they wait for.
    pub fn queue_depths(&self) -> [(&'static str, usize); 5] {
        [
            ("search", self.searches.waiting_count()),
            ("lookup", self.lookups.waiting_count()),
            ("picture", self.pictures.waiting_count()),
            ("password", self.passwords.waiting_count()),
            ("fetch", self.fetches.waiting_count()),
        ]
    }
}

/// Waits for a gate, then works on a thread that may.
async fn run_on_thread<T: Send + 'static>(
    edge: Arc<Edge>,
    gate: &Gate,
    act: impl FnOnce(&Edge) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let permit = gate.acquire_worker().await?;
    let work = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        edge.service.recover_store();
        act(&edge)
    });
    // The message of a panic stays inside: it may hold what people asked.
    work.await.map_err(|error| {
        internal_failure(if error.is_panic() {
            "a panic; the log has its place"
        } else {
            "cancelled"
        })
    })?
}
