//! Where documents come from: folders on this machine, and the standards body's file server.
//!
//! Owns the finding and grouping of files, and all that this program fetches over a network: from hosts that
//! the operator named, over checked addresses, within bounds of size, time and rate. Knows names, not contents.

mod folder;
mod guard;
mod listing;
mod remote;
mod server;

pub use folder::{Plan, Skipped, Source, plan};
pub use guard::{Guarded, authorities};
pub use listing::Listed;
pub use remote::{Mirror, MirrorError, Obtained};
pub use server::{Server, ServerSettings};
