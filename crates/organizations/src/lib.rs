//! Names of the organizations that write meeting documents.
//!
//! A register names who a document is from as each of them likes to be called on that day: `Nokia`,
//! `Nokia Networks`, `NOKIA Corp.`. This crate knows which names are one organization's. It starts from a
//! list (`data/organizations.csv`: the public membership of 3GPP, what is known by several names put
//! together by hand), learns the names it meets, and resolves what people type.

#![forbid(unsafe_code)]

mod directory;
mod key;
mod resolve;

pub use directory::{Organization, OrganizationDirectory};
pub use key::name_key;
pub use resolve::{NameResolution, ResolutionCandidate, ResolutionStatus};
