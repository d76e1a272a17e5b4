//! Listening, and stopping without cutting requests off.

use std::{
    future::pending,
    io,
    net::{SocketAddr, TcpListener},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use axum::Router;
use axum_server::{
    Handle,
    tls_rustls::{RustlsAcceptor, RustlsConfig},
};
use hyper_util::{
    rt::{TokioExecutor, TokioTimer},
    server::conn::auto::Builder,
};

use metrics_exporter_prometheus::BuildError;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::{
    connections::{ConnectionLimiter, ConnectionLimits},
    edge::{Edge, EdgeSettings},
    head_timeout::{HEAD_TIMEOUT, HeadTimeoutAcceptor},
    lab_certificate::LabCertificate,
    operator::operator_routes,
    router::build_router,
    tls::{self, CertificatePem, TlsError, TlsMode},
    tls_buffer::SmallBufferAcceptor,
};
use crate::service::Service;
use domain::error_chain;

/// The largest head of a request. HTTP/1 also buffers this much of a response, so 64 KiB would be 125 MiB for 2,000
/// clients that do not read.
const MAX_HEAD_BYTES: usize = 16 << 10;
/// Interval of the pings that check whether HTTP/2 clients are still there: one that has vanished is closed after 50
/// s.
const PING_INTERVAL: Duration = Duration::from_secs(30);
/// A renewed certificate is served after at most this long.
const CERTIFICATE_CHECK_INTERVAL: Duration = Duration::from_secs(60);
/// A crash loses the latencies of at most this long.
const LATENCY_SAVE_INTERVAL: Duration = Duration::from_secs(300);
/// Requests in flight have this long to end after a stop is requested; systemd kills the process after 30 s
/// (`packaging/specbox.service`).
const SHUTDOWN_GRACE: Duration = Duration::from_secs(20);
/// Concurrent HTTP/2 streams of one connection; their send buffers are 1 MiB together.
const MAX_CONCURRENT_STREAMS: u32 = 64;
/// Bytes of bodies that HTTP/2 clients may send ahead, on a stream and on a connection. Few requests have a body of
/// more than some kilobytes. Without the second limit, the streams of a connection could send 4 MiB ahead.
const STREAM_WINDOW_BYTES: u32 = 64 << 10;
const CONNECTION_WINDOW_BYTES: u32 = 256 << 10;
/// Bytes of a response that HTTP/2 buffers ahead of the client.
const SEND_BUFFER_BYTES: usize = 16 << 10;

/// How the server is reached.
#[derive(Debug, Clone)]
pub struct HttpServerSettings {
    /// Address to listen on.
    pub listen: SocketAddr,
    /// Where the certificate comes from.
    pub tls: TlsMode,
    /// URL that clients use; made from the address when absent.
    pub base_url: Option<String>,
    /// How the routes are served.
    pub edge: EdgeSettings,
    /// How many connections there may be.
    pub connections: ConnectionLimits,
    /// Address of the operator's listener, if there is one.
    pub operator: Option<SocketAddr>,
}

const LISTEN_OPTION: &str = "--listen";
const OPERATOR_LISTEN_OPTION: &str = "--operator-listen";

/// The server could not start, or ended with an error.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is taken or not allowed.
    #[error("cannot listen on {address}; choose another address with {option}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The option that sets it.
        option: &'static str,
        /// The operating system's error.
        #[source]
        source: io::Error,
    },
    /// Plain HTTP was requested on an address that others can reach.
    #[error(
        "--tls off-behind-proxy serves plain HTTP, so it listens only on loopback, or on {address} if \
         --trusted-proxy names the proxy"
    )]
    PlainOutside {
        /// The address.
        address: SocketAddr,
    },
    /// No certificate.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The certificate or key is not usable.
    #[error("the certificate or its key cannot be used")]
    Certificate(#[source] io::Error),
    /// Metrics could not be set up.
    #[error("cannot serve metrics on {address}")]
    Metrics {
        /// The operator's address.
        address: SocketAddr,
        /// The error of the exporter.
        #[source]
        source: BuildError,
    },
    /// Serving ended with an error.
    #[error("serving failed")]
    Serve(#[source] io::Error),
}

/// A server that is bound, but does not answer yet.
pub struct HttpServer {
    listener: TcpListener,
    router: Router,
    connection_limiter: ConnectionLimiter,
    tls: TlsMode,
    certificate: Option<ServedCertificate>,
    address: SocketAddr,
    base_url: String,
    operator: Option<(TcpListener, Router)>,
    hangup: Option<Signal>,
    handle: Handle<SocketAddr>,
    edge: Arc<Edge>,
}

/// The certificate in use, and the PEM from which it was loaded.
struct ServedCertificate {
    config: RustlsConfig,
    pem: CertificatePem,
}

impl HttpServer {
    /// Whether a server could start with these settings: its certificate can be loaded, and its port is free.
    pub fn check_settings(settings: &HttpServerSettings) -> Result<(), ServeError> {
        refuse_plain_outside(settings)?;
        tls::load_certificate(&settings.tls)?;
        bind_listener(settings.listen, LISTEN_OPTION).map(drop)
    }

    /// Binds the address and loads the certificate; `pages` are served beside the operations.
    pub async fn bind(
        service: Arc<Service>,
        settings: HttpServerSettings,
        pages: impl FnOnce(&Arc<Edge>) -> Router<Arc<Edge>>,
    ) -> Result<Self, ServeError> {
        // From here on SIGHUP does not end the server in any mode: service managers send it to reload.
        let hangup = signal(SignalKind::hangup()).ok();
        refuse_plain_outside(&settings)?;
        let HttpServerSettings { listen, tls, edge: edge_settings, .. } = settings;
        let plain = tls == TlsMode::OffBehindProxy;
        // ring is the only provider in the program; a second call finds it installed.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let certificate = match tls::load_certificate(&tls)? {
            None => None,
            Some(pem) => {
                let config = RustlsConfig::from_pem(pem.chain.clone(), pem.key.clone()).await;
                Some(ServedCertificate { config: config.map_err(ServeError::Certificate)?, pem })
            }
        };
        let (listener, address) = bind_listener(listen, LISTEN_OPTION)?;
        let scheme = if plain { "http" } else { "https" };
        let base_url =
            settings.base_url.unwrap_or_else(|| format!("{scheme}://{}", reachable_host(address)));
        service.address.set_base_url(&base_url);
        let authority = tls.authority_file();
        let authority = authority.map(|path| LabCertificate::read_file(&path)).transpose()?;
        let edge = Arc::new(Edge::new(service, &edge_settings, authority));
        let operator = match settings.operator {
            None => None,
            Some(address) => {
                let routes = operator_routes(edge.clone());
                let routes = routes.map_err(|source| ServeError::Metrics { address, source })?;
                Some((bind_listener(address, OPERATOR_LISTEN_OPTION)?.0, routes))
            }
        };
        let connection_limiter =
            ConnectionLimiter::new(settings.connections, &edge_settings.trusted_proxies);
        let router = build_router(edge.clone(), pages(&edge), &edge_settings);
        let handle = Handle::new();
        Ok(Self {
            listener,
            router,
            connection_limiter,
            tls,
            certificate,
            address,
            base_url,
            operator,
            hangup,
            handle,
            edge,
        })
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL that clients use.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Whether it serves plain HTTP, for a proxy.
    pub fn is_plain(&self) -> bool {
        self.tls == TlsMode::OffBehindProxy
    }

    /// The file that clients import to trust the certificate, if it is the lab's own.
    pub fn authority_file(&self) -> Option<PathBuf> {
        self.tls.authority_file()
    }

    /// The SHA-256 fingerprint of that certificate.
    pub fn authority_fingerprint(&self) -> Option<&str> {
        self.edge.lab_certificate().map(|certificate| certificate.fingerprint.as_str())
    }

    /// Stops the server when called: no new requests, those in flight end.
    pub fn stop_handle(&self) -> impl FnOnce() + Send + 'static {
        let handle = self.handle.clone();
        move || handle.graceful_shutdown(Some(SHUTDOWN_GRACE))
    }

    /// Serves requests until it is stopped.
    pub async fn run_until_stopped(self) -> Result<(), ServeError> {
        let service = self.router.into_make_service_with_connect_info::<SocketAddr>();
        if let Some((listener, routes)) = self.operator {
            let server = axum_server::from_tcp(listener).map_err(ServeError::Serve)?;
            let server = server.handle(self.handle.clone()).serve(routes.into_make_service());
            tokio::spawn(async move {
                if let Err(error) = server.await {
                    tracing::error!(%error, "the operator listener stopped");
                }
            });
        }
        let saving = tokio::spawn(save_latencies(self.edge.clone()));
        let mut server = axum_server::from_tcp(self.listener).map_err(ServeError::Serve)?;
        set_protocol_limits(server.http_builder());
        let server = server.handle(self.handle);
        let served = match self.certificate {
            None => {
                server.acceptor(HeadTimeoutAcceptor(self.connection_limiter)).serve(service).await
            }
            Some(certificate) => {
                let config = certificate.config.clone();
                tokio::spawn(reload_certificates(self.tls, certificate, self.hangup));
                let acceptor = RustlsAcceptor::new(config).acceptor(self.connection_limiter);
                let acceptor = SmallBufferAcceptor(acceptor);
                server.acceptor(HeadTimeoutAcceptor(acceptor)).serve(service).await
            }
        };
        saving.abort();
        self.edge.latencies.save();
        served.map_err(ServeError::Serve)
    }
}

/// Without TLS, a server is reached only from its own machine or through a proxy that it trusts: passwords and keys
/// would cross the network in the clear.
fn refuse_plain_outside(settings: &HttpServerSettings) -> Result<(), ServeError> {
    let HttpServerSettings { listen, tls, edge, .. } = settings;
    let proxied = edge.trusted_proxies.iter().any(|net| !net.addr().is_loopback());
    if *tls == TlsMode::OffBehindProxy && !listen.ip().is_loopback() && !proxied {
        Err(ServeError::PlainOutside { address: *listen })
    } else {
        Ok(())
    }
}

/// Binds the address that an option of `serve` sets; also returns the actual one, since port 0 means any free port.
fn bind_listener(
    requested: SocketAddr,
    option: &'static str,
) -> Result<(TcpListener, SocketAddr), ServeError> {
    let failed = |source| ServeError::Listen { address: requested, option, source };
    let listener = TcpListener::bind(requested).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

/// Stores at regular intervals how long operations took.
async fn save_latencies(edge: Arc<Edge>) {
    loop {
        tokio::time::sleep(LATENCY_SAVE_INTERVAL).await;
        let edge = edge.clone();
        let _ = tokio::task::spawn_blocking(move || edge.latencies.save()).await;
    }
}

/// Loads a renewed certificate, at regular intervals and on SIGHUP. An unusable one is logged, and the
/// previous one stays in use.
async fn reload_certificates(
    mode: TlsMode,
    mut certificate: ServedCertificate,
    mut hangup: Option<Signal>,
) {
    loop {
        let reload_request = async {
            match &mut hangup {
                Some(hangup) => hangup.recv().await,
                None => pending().await,
            }
        };
        tokio::select! {
            () = tokio::time::sleep(CERTIFICATE_CHECK_INTERVAL) => {}
            _ = reload_request => {}
        }
        let pem = match tls::load_certificate(&mode) {
            Ok(Some(pem)) => pem,
            Ok(None) => return,
            Err(error) => {
                tracing::warn!(error = error_chain(&error), "the certificate was not renewed");
                continue;
            }
        };
        if pem == certificate.pem {
            continue;
        }
        match certificate.config.reload_from_pem(pem.chain.clone(), pem.key.clone()).await {
            Ok(()) => {
                tracing::info!("serving a new certificate");
                certificate.pem = pem;
            }
            Err(error) => tracing::warn!(%error, "the new certificate cannot be used"),
        }
    }
}

/// Sets the limits of both protocols: a client must send a whole request head in time, and answer the
/// pings of HTTP/2.
fn set_protocol_limits(builder: &mut Builder<TokioExecutor>) {
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(MAX_HEAD_BYTES);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(PING_INTERVAL)
        .keep_alive_timeout(HEAD_TIMEOUT)
        .max_concurrent_streams(MAX_CONCURRENT_STREAMS)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .max_send_buf_size(SEND_BUFFER_BYTES)
        .max_header_list_size(MAX_HEAD_BYTES as u32);
}

/// The host and port by which a client on this machine reaches an address.
fn reachable_host(address: SocketAddr) -> String {
    if address.ip().is_unspecified() || address.ip().is_loopback() {
        format!("localhost:{}", address.port())
    } else {
        address.to_string()
    }
}
