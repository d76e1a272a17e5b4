//! The HTTP edge: requests in, operations run, replies and refusals out. No logic of its own.
//!
//! Owns routes, credentials on the wire, body limits, overload, TLS and shutdown. The order of
//! refusals is: no such route, no credential, invalid parameters, then what the operation says.

mod clients;
mod gate;
mod handler;
mod images;
mod recent;
mod respond;
mod router;
mod server;
mod tls;

pub use clients::ImageLimits;
pub use router::EdgeSettings;
pub use router::router;
pub use server::{ServeError, Server, ServerSettings};
pub use tls::{TlsError, TlsMode};
