//! The configuration file, and what the parts of the program are told of it.

mod file;
mod hosts;
mod mirror;
mod oauth;
mod server;

pub(super) use file::{Configuration, data_folder};
