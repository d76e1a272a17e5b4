//! The command line: prints results on standard output - as text for people, as JSON for programs - and messages on
//! standard error.
//!
//! Owns the commands, the configuration file and the display of progress. Every command that touches
//! the data folder is a request of `control`, executed here or by the process that holds the folder.

mod account_arguments;
mod account_commands;
mod agent;
mod agent_answers;
mod arguments;
mod bundle_arguments;
mod bundles;
mod call;
mod configuration;
mod data_folders;
mod demo;
mod difference_arguments;
mod differences;
mod export;
mod figures;
mod help;
mod import_arguments;
mod listings;
mod locked_service;
mod logging;
mod model_arguments;
mod models;
mod outcome;
mod output;
mod pack_arguments;
mod packs;
mod progress;
mod questions;
mod refusals;
mod run;
mod serve;
mod serve_arguments;
mod session;
mod terminal;
mod try_notes;
mod upgrade;

pub use run::main;

// For programs beside this one that use an index.
pub use arguments::GlobalArgs;
pub use locked_service::open_locked_service;
pub use logging::start_logging;
pub use output::{print_json, print_text};
pub use progress::ProgressView;
