//! Where documents come from: folders on this machine, and the 3GPP file server.
//!
//! Finds and groups files, and fetches all that this program fetches over a network: from hosts that the
//! operator named, at checked addresses, within limits of size, time and rate. Knows names, not contents.

#![forbid(unsafe_code)]

mod error;
mod folder;
mod guard;
mod listing;
mod mirror_file;
mod official;
mod remote;
mod server;

pub use error::MirrorError;
pub use folder::{SkippedPath, SourcePlan, SpecificationSource, plan_sources};
pub use guard::{GuardedResolver, load_root_certificates};
pub use listing::ListingEntry;
pub use mirror_file::MirrorFile;
pub use official::{FTP_SERVER_URL, official_url, portal_url};
pub use remote::Mirror;
pub use server::{FileServer, FileServerSettings};

/// Entry points of fuzz targets; not part of this crate's public interface.
#[doc(hidden)]
pub mod fuzzing {
    pub use crate::listing::parse_listing;
}
