//! specbox: search and read telecom standards on one box.
//!
//! Modules stand in the order of their layers; a module uses only those of lower layers
//! (`tests/architecture.rs` holds the program to that).

// Layer 0: the domain's words.
pub mod model;
pub mod wire;

pub mod model;
pub mod wire;
