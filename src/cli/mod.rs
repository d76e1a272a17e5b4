//! The command line: arguments in, JSON on standard output, people's words on standard error.
//!
//! Owns the commands, the configuration file and how progress looks. Every command that touches
//! the data folder is a request of `control`, carried out here or by the process that holds it.

mod account_commands;
mod arguments;
mod call;
mod configuration;
mod demo;
mod eval;
mod figures;
mod models;
mod output;
mod progress;
mod run;
mod serve;
mod session;

pub use run::main;
