//! specbox: search and read telecom standards on one machine.
//!
//! The program: operations, edges, command line. Its parts are in `crates/`. Modules are in the order
//! of their layers; a module uses only those of lower layers (`tests/architecture` checks this).

#![forbid(unsafe_code)]

// Sign-in at the company's server, which knows nothing of the rest.
pub mod company_sign_in;

// Long work, and what a question means.
pub mod jobs;
pub mod service;

// The edges, the protocol for models, the pages next to them, and the command line over them.
pub mod cli;
pub mod control;
pub mod http;
pub mod mcp;
pub mod ui;
