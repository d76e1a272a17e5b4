//! specbox: search and read telecom standards on one box.
//!
//! Modules stand in the order of their layers; a module uses only those of lower layers
//! (`tests/architecture.rs` holds the program to that).

// Layer 0: the domain's words.
pub mod model;

// Layer 1: the contract, what reads, understands, finds and keeps documents, and what judges a
// ranking.
pub mod evaluation;
pub mod extract;
pub mod mirror;
pub mod neural;
pub mod store;
pub mod wire;

// Layer 2: from files to the index, what meetings have before them, and who may ask.
pub mod access;
pub mod contributions;
pub mod ingest;

// Layer 3: what a question means.
pub mod service;

// Layer 4: the edges, layer 5: the protocol for models, layer 6: the pages beside them, and layer 7:
// the command line over them.
pub mod cli;
pub mod control;
pub mod http;
pub mod mcp;
pub mod ui;
