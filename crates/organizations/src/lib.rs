//! Names of the organizations that write meeting documents.
//!
//! Registers name the sources of documents in many spellings: `Nokia`, `Nokia Networks`, `NOKIA Corp.`.
//! This crate determines which names belong to the same organization. It starts from a list
//! (`data/organizations.csv`: the public membership of 3GPP, with aliases merged by hand), learns the names
//! in registers, and resolves typed names.

#![forbid(unsafe_code)]

mod directory;
mod joint;
mod key;
mod learn;
mod resolve;
mod spelling;
mod typo;

pub use directory::{Organization, OrganizationDirectory};
pub use key::name_key;
pub use resolve::{NameResolution, ResolutionCandidate};
