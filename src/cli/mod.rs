//! The command line: prints results as JSON on standard output, and messages for people on standard error.
//!
//! Owns the commands, the configuration file and the display of progress. Every command that touches
//! the data folder is a request of `control`, executed here or by the process that holds the folder.

mod account_arguments;
mod account_commands;
mod arguments;
mod bundle_arguments;
mod bundles;
mod call;
mod configuration;
mod demo;
mod difference_arguments;
mod differences;
mod eval;
mod export;
mod figures;
mod model_arguments;
mod models;
mod outcome;
mod output;
mod pack_arguments;
mod packs;
mod progress;
mod run;
mod serve;
mod session;
mod upgrade;

pub use run::main;
