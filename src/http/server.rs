//! Listening, and stopping without cutting requests off.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use axum::Router;
use axum_server::{Handle, tls_rustls::RustlsConfig};
use hyper_util::{
    rt::{TokioExecutor, TokioTimer},
    server::conn::auto::Builder,
};

use super::{
    router::{EdgeSettings, router},
    tls::{self, Pem, TlsError, TlsMode},
};
use crate::service::Service;

/// A client has this long to send the head of a request, the first or the next.
const HEAD_WITHIN: Duration = Duration::from_secs(20);
/// HTTP/2 clients are asked this often whether they are still there.
const PING_EVERY: Duration = Duration::from_secs(30);
/// Requests in flight have this long to end after a stop is asked for.
const GRACE: Duration = Duration::from_secs(20);

/// How the server is reached.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// Address to listen on.
    pub listen: SocketAddr,
    /// Where the certificate comes from.
    pub tls: TlsMode,
    /// URL that clients use; made from the address when absent.
    pub base_url: Option<String>,
    /// How the routes are served.
    pub edge: EdgeSettings,
}

/// The server could not start, or ended with an error.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is taken or not allowed.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's word.
        #[source]
        source: io::Error,
    },
    /// Plain HTTP was asked for on an address that others can reach.
    #[error(
        "--tls off-behind-proxy serves plain HTTP and listens on loopback only, not on {address}"
    )]
    PlainOutside {
        /// The address.
        address: SocketAddr,
    },
    /// No certificate.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The certificate or key is not usable.
    #[error("the certificate or its key is not usable")]
    Certificate(#[source] io::Error),
    /// Serving ended with an error.
    #[error("serving failed")]
    Serve(#[source] io::Error),
}

/// A server that is bound, but does not answer yet.
pub struct Server {
    listener: TcpListener,
    router: Router,
    tls: TlsMode,
    certificate: Option<RustlsConfig>,
    address: SocketAddr,
    base_url: String,
    handle: Handle<SocketAddr>,
}

impl Server {
    /// Takes the address and the certificate.
    pub async fn bind(service: Arc<Service>, settings: ServerSettings) -> Result<Self, ServeError> {
        let requested = settings.listen;
        let plain = settings.tls == TlsMode::OffBehindProxy;
        if plain && !requested.ip().is_loopback() {
            return Err(ServeError::PlainOutside { address: requested });
        }
        let pem = match &settings.tls {
            TlsMode::OffBehindProxy => None,
            TlsMode::Auto { folder, names } => Some(tls::lab_certificate(folder, names)?),
            TlsMode::Files { certificate, key } => Some(tls::read_files(certificate, key)?),
        };
        // ring is the only provider in the program; a second call finds it installed.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let certificate = match pem {
            None => None,
            Some(Pem { chain, key }) => {
                let config = RustlsConfig::from_pem(chain, key).await;
                Some(config.map_err(ServeError::Certificate)?)
            }
        };
        let listen_error = |source| ServeError::Listen { address: requested, source };
        let listener = TcpListener::bind(requested).map_err(listen_error)?;
        listener.set_nonblocking(true).map_err(listen_error)?;
        let address = listener.local_addr().map_err(listen_error)?;
        let scheme = if plain { "http" } else { "https" };
        let base_url =
            settings.base_url.unwrap_or_else(|| format!("{scheme}://{}", reached_by(address)));
        let router = router(service, &base_url, settings.edge);
        let handle = Handle::new();
        Ok(Self { listener, router, tls: settings.tls, certificate, address, base_url, handle })
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL that clients use.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// The file that clients import to trust the certificate, where it is the lab's own.
    pub fn authority_file(&self) -> Option<PathBuf> {
        match &self.tls {
            TlsMode::Auto { folder, .. } => Some(tls::authority_file(folder)),
            TlsMode::Files { .. } | TlsMode::OffBehindProxy => None,
        }
    }

    /// Stops the server when called: no new requests, those in flight end.
    pub fn stopper(&self) -> impl FnOnce() + Send + 'static {
        let handle = self.handle.clone();
        move || handle.graceful_shutdown(Some(GRACE))
    }

    /// Answers until it is stopped.
    pub async fn run(self) -> Result<(), ServeError> {
        let service = self.router.into_make_service_with_connect_info::<SocketAddr>();
        let listener = self.listener;
        match self.certificate {
            None => {
                let mut server = axum_server::from_tcp(listener).map_err(ServeError::Serve)?;
                bound_connections(server.http_builder());
                server.handle(self.handle).serve(service).await.map_err(ServeError::Serve)
            }
            Some(config) => {
                let mut server =
                    axum_server::from_tcp_rustls(listener, config).map_err(ServeError::Serve)?;
                bound_connections(server.http_builder());
                server.handle(self.handle).serve(service).await.map_err(ServeError::Serve)
            }
        }
    }
}

/// Closes connections that say nothing: a client must send a whole request head in time, and
/// answer the pings of HTTP/2.
fn bound_connections(builder: &mut Builder<TokioExecutor>) {
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD_WITHIN);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(PING_EVERY)
        .keep_alive_timeout(HEAD_WITHIN)
        .max_concurrent_streams(64);
}

/// How a client on this machine reaches an address.
fn reached_by(address: SocketAddr) -> String {
    if address.ip().is_unspecified() || address.ip().is_loopback() {
        format!("localhost:{}", address.port())
    } else {
        address.to_string()
    }
}
