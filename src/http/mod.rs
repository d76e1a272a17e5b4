//! The HTTP edge: requests in, operations run, replies and refusals out. No logic of its own.
//!
//! Owns routes, credentials on the wire, body limits, overload, TLS and shutdown. The order of
//! refusals is: no such route, no credential, invalid parameters, then what the operation says.

mod clients;
mod connections;
mod drained;
mod edge;
mod gate;
mod handler;
mod images;
mod meters;
mod operator;
mod prompt;
mod recent;
mod respond;
mod router;
mod server;
mod tls;

pub use clients::{Admitted, ImageLimits};
pub use connections::ConnectionLimits;
pub use edge::{Edge, EdgeSettings};
pub use handler::{MAX_BODY_BYTES, REQUEST_WITHIN, bearer, body_of, within};
pub use meters::answered;
pub use respond::{add_headers, log, refuse, status_of};
pub use router::{cors, method_not_allowed};
pub use server::{ServeError, Server, ServerSettings};
pub use tls::{TlsError, TlsMode};
