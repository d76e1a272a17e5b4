//! The configuration file, and the settings that the parts of the program get from it.

mod account_section;
mod file;
mod hosts;
mod mirror;
mod oauth;
mod server;
mod sign_in;

pub(super) use file::{Configuration, data_folder};
