//! What every handler needs: the service, the limits on clients, and gates that bound concurrent work.

use std::{
    net::IpAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::http::request::Parts;
use ipnet::IpNet;
use serde_json::Value;
use tokio::time::timeout;

use super::{
    client_limits::{ImageLimits, ImagePermit, ImageRateLimiter, client_address},
    gate::Gate,
    lab_certificate::LabCertificate,
    latency::{LatencyLog, OperationLatency},
    picture_cache::PictureCache,
};
use crate::{
    company_sign_in::CompanySignIn,
    service::{
        DeclaredOperation, Operation, OperationReply, Service, ValidParameters, internal_failure,
        run_within,
    },
};
use accounts::Caller;
use cost_meter::{CostLimits, CostMeter, Owner};
use wire::{Failure, Media, OperationDeclaration, params::Health};

/// Searches that run at once, including those that wait for the reranker: a search should not wait before it is
/// admitted, because its time runs from then.
const SEARCH_WORKERS: usize = 64;
/// Searches that wait before more are refused; few, as 64 already run, and one that waited would only answer late.
const SEARCH_QUEUE: usize = 8;
/// Other requests that wait before more are refused. At 8,192 lookups per second (docs/benchmarks.md, "Serving"),
/// the last of them waits for half a second.
const LOOKUP_QUEUE: usize = 4096;
/// Requests other than searches that run at once; they mostly wait for their charge to be written, and charges of the
/// same moment are one commit.
const LOOKUP_WORKERS: usize = 64;
/// Passwords that are hashed at once, and requests that wait for that. A hash takes 19 MiB and a core for tens of
/// milliseconds, and searches need the other cores.
const PASSWORD_WORKERS: usize = 1;
const PASSWORD_QUEUE: usize = 32;
/// Time limit of an operation, including its wait in the queue; a search with reranking on a slow
/// machine takes seconds. With 64 concurrent clients the slowest took 5.8 s (docs/benchmarks.md).
const OPERATION_TIMEOUT: Duration = Duration::from_secs(60);
/// What a lookup, or a page, may use: most need a hundredth of it, and over documents that are large in 17 ways each
/// stays below it (`tests/api/cost.rs`). Without a limit, 64 requests of one key over such documents blocked
/// everybody.
const LOOKUP_LIMITS: CostLimits =
    CostLimits { processor_time: Duration::from_secs(2), memory_bytes: 200_000_000 };
/// What a search may use, apart from the time of its models, which have deadlines of their own.
const SEARCH_LIMITS: CostLimits =
    CostLimits { processor_time: Duration::from_secs(20), memory_bytes: 400_000_000 };
/// Seconds after which a client may retry an operation that exceeded the time limit.
const RETRY_AFTER_S: u64 = 30;
/// Requests of `/health` that run at once, and that wait. Nothing else takes their places, so that a busy server does
/// not look like a dead one.
const HEALTH_WORKERS: usize = 4;
const HEALTH_QUEUE: usize = 64;
/// Pictures that are read at once, and requests that wait for them.
const PICTURE_WORKERS: usize = 8;
const PICTURE_QUEUE: usize = 1024;
/// Fetches from other servers that run at once, and requests that wait for them: a server that stalls blocks these
/// threads alone.
const FETCH_WORKERS: usize = 4;
const FETCH_QUEUE: usize = 32;

/// The cause that is logged if a handler panicked.
pub(super) const PANIC_CAUSE: &str = "a handler panicked; the log has the source line";

/// How the routes are served.
#[derive(Debug, Clone, Default)]
pub struct EdgeSettings {
    /// Proxies whose `X-Forwarded-For` header is trusted for the address of a client.
    pub trusted_proxies: Vec<IpNet>,
    /// Limits on the picture requests of one address.
    pub images: ImageLimits,
    /// Origins whose pages may call the operations from a browser; none by default.
    pub cors_origins: Vec<String>,
    /// Whether to send `Strict-Transport-Security`. Not with the lab's own authority: a browser that no
    /// longer trusts it could then not open any page, the one with the instructions included.
    pub strict_transport: bool,
    /// Sign-in at the company's server, if it is configured.
    pub company_sign_in: Option<Arc<CompanySignIn>>,
}

/// What every handler needs.
pub struct Edge {
    pub(super) service: Arc<Service>,
    pub(super) image_limiter: ImageRateLimiter,
    pub(super) picture_cache: PictureCache,
    trusted_proxies: Vec<IpNet>,
    lab_certificate: Option<LabCertificate>,
    company_sign_in: Option<Arc<CompanySignIn>>,
    /// How long operations took, however they were called.
    pub(super) latencies: LatencyLog,
    searches: Gate,
    lookups: Gate,
    health: Gate,
    pictures: Gate,
    passwords: Gate,
    fetches: Gate,
}

impl Edge {
    pub(super) fn new(
        service: Arc<Service>,
        settings: &EdgeSettings,
        lab_certificate: Option<LabCertificate>,
    ) -> Self {
        let latencies = LatencyLog::open(service.store.data_folder().latencies_path());
        Self {
            service,
            image_limiter: ImageRateLimiter::new(settings.images),
            pictures: Gate::shared(PICTURE_WORKERS, PICTURE_QUEUE),
            picture_cache: PictureCache::new(),
            trusted_proxies: settings.trusted_proxies.clone(),
            lab_certificate,
            company_sign_in: settings.company_sign_in.clone(),
            latencies,
            searches: Gate::by_owner(SEARCH_WORKERS, SEARCH_QUEUE),
            lookups: Gate::by_owner(LOOKUP_WORKERS, LOOKUP_QUEUE),
            health: Gate::shared(HEALTH_WORKERS, HEALTH_QUEUE),
            passwords: Gate::shared(PASSWORD_WORKERS, PASSWORD_QUEUE),
            fetches: Gate::shared(FETCH_WORKERS, FETCH_QUEUE),
        }
    }

    /// The certificate of the lab's own authority, if clients must trust one.
    pub fn lab_certificate(&self) -> Option<&LabCertificate> {
        self.lab_certificate.as_ref()
    }

    /// Sign-in at the company's server, if it is configured.
    pub fn company_sign_in(&self) -> Option<&Arc<CompanySignIn>> {
        self.company_sign_in.as_ref()
    }

    /// The service behind the routes.
    pub fn service(&self) -> &Arc<Service> {
        &self.service
    }

    /// Whose request this is: the address of the connection, or what a trusted proxy says.
    pub fn client_address(&self, parts: &Parts) -> IpAddr {
        client_address(&parts.headers, &parts.extensions, &self.trusted_proxies)
    }

    /// Runs an operation on validated parameters, on a blocking thread, once a worker is free.
    pub async fn run_operation(
        self: &Arc<Self>,
        operation: &'static DeclaredOperation,
        caller: Caller,
        parameters: Value,
    ) -> OperationReply {
        let owner = owner_of(&caller);
        let run = move |service: &Service, meter: &CostMeter| {
            operation.run(service, &caller, parameters, meter)
        };
        self.run_within_timeout(operation, owner, run).await
    }

    /// Like `run_operation`, with the parameters and the reply as typed structs.
    pub async fn call<O: Operation>(
        self: &Arc<Self>,
        caller: Caller,
        parameters: ValidParameters<O>,
    ) -> OperationReply<O::Reply> {
        let (operation, owner) = (parameters.operation(), owner_of(&caller));
        let run =
            move |service: &Service, meter: &CostMeter| service.call(&caller, parameters, meter);
        self.run_within_timeout(operation, owner, run).await
    }

    async fn run_within_timeout<T: Send + 'static>(
        self: &Arc<Self>,
        operation: &DeclaredOperation,
        owner: Owner,
        run: impl FnOnce(&Service, &CostMeter) -> OperationReply<T> + Send + 'static,
    ) -> OperationReply<T> {
        let started = Instant::now();
        let limits = if operation.descriptor.is_search() { SEARCH_LIMITS } else { LOOKUP_LIMITS };
        let meter = CostMeter::new(owner, limits, started + OPERATION_TIMEOUT);
        let of_work = meter.clone();
        let gate = self.gate_for(operation);
        let answer =
            run_on_thread(self.clone(), gate, owner, move |edge| Ok(run(&edge.service, &of_work)));
        let _ends_with_request = AbandonOnDrop(&meter);
        let outcome = timeout(OPERATION_TIMEOUT, answer).await;
        self.latencies.record_latency(operation.descriptor.name, started.elapsed());
        match outcome {
            Ok(answer) => answer.unwrap_or_else(OperationReply::from),
            Err(_) => {
                meter.cancel();
                Failure::Overloaded { retry_after_s: RETRY_AFTER_S }.into()
            }
        }
    }

    /// Runs work for a page on a blocking thread, once a worker is free for its owner, within the limits of a lookup.
    pub async fn run_blocking<T: Send + 'static>(
        self: &Arc<Self>,
        owner: Owner,
        act: impl FnOnce(&Service) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let meter = CostMeter::new(owner, LOOKUP_LIMITS, Instant::now() + OPERATION_TIMEOUT);
        let of_work = meter.clone();
        let _ends_with_request = AbandonOnDrop(&meter);
        let act = move |edge: &Self| run_within(&of_work, || act(&edge.service));
        run_on_thread(self.clone(), &self.lookups, owner, act).await
    }

    /// Like `run_blocking`, for password hashing, which keeps a core busy for a while: a queue of its
    /// own, so that searches do not wait for sign-ins.
    pub async fn run_password_work<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl FnOnce(&Service) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        run_on_thread(self.clone(), &self.passwords, Owner::Nobody, move |edge| act(&edge.service))
            .await
    }

    /// Like `run_blocking`, for work that waits for other servers.
    pub async fn run_fetch_work<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl FnOnce(&Service) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        run_on_thread(self.clone(), &self.fetches, Owner::Nobody, move |edge| act(&edge.service))
            .await
    }

    /// Admits a request for a picture, or refuses it and says when the client may try again.
    pub fn admit_picture(&self, parts: &Parts) -> Result<ImagePermit, Failure> {
        self.image_limiter.admit_request(self.client_address(parts))
    }

    /// Like `run_blocking`, for reading pictures, with a queue of its own.
    pub(super) async fn run_picture_work<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl FnOnce(&Self) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        run_on_thread(self.clone(), &self.pictures, Owner::Nobody, act).await
    }

    /// Searches run a model; everything else is a lookup and must not wait for them, nor for pictures.
    fn gate_for(&self, operation: &DeclaredOperation) -> &Gate {
        match operation.descriptor.media {
            _ if operation.descriptor.name == Health::NAME => &self.health,
            Media::Png => &self.pictures,
            Media::Json if operation.descriptor.is_search() => &self.searches,
            Media::Json => &self.lookups,
        }
    }

    /// How long operations took on the last days.
    pub fn operation_latencies(&self) -> Vec<OperationLatency> {
        self.latencies.operation_latencies()
    }

    /// The number of requests that wait for a worker, by queue.
    pub fn queue_depths(&self) -> [(&'static str, usize); 6] {
        [
            ("search", self.searches.waiting_count()),
            ("lookup", self.lookups.waiting_count()),
            ("health", self.health.waiting_count()),
            ("picture", self.pictures.waiting_count()),
            ("password", self.passwords.waiting_count()),
            ("fetch", self.fetches.waiting_count()),
        ]
    }
}

/// Ends work at its next counted step once the request that waits for it is gone.
struct AbandonOnDrop<'a>(&'a CostMeter);

impl Drop for AbandonOnDrop<'_> {
    fn drop(&mut self) {
        // After the answer this changes nothing; after a timeout the work is cancelled, which is not charged.
        if !self.0.is_cancelled() {
            self.0.abandon();
        }
    }
}

/// Whose work a request is.
pub fn owner_of(caller: &Caller) -> Owner {
    match caller {
        Caller::Account { account, .. } => Owner::Account(*account),
        Caller::Machine | Caller::Anyone => Owner::Nobody,
    }
}

/// Waits for a worker of the gate, then does the work on a blocking thread.
async fn run_on_thread<T: Send + 'static>(
    edge: Arc<Edge>,
    gate: &Gate,
    owner: Owner,
    act: impl FnOnce(&Edge) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let permit = gate.acquire_worker(owner).await?;
    let work = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        edge.service.recover_store();
        act(&edge)
    });
    // The panic message is not passed on: it may contain what people asked.
    work.await.map_err(|error| {
        internal_failure(if error.is_panic() { PANIC_CAUSE } else { "cancelled" })
    })?
}
