//! Commands of other processes, carried out by the one that holds the data folder.
//!
//! Owns the socket in the data folder and what is said over it: one JSON line asks, JSON lines
//! answer until one of them ends the exchange. The socket is open to its owner alone, so no key
//! is asked for. Every command is a [`Request`] to a [`Host`], whether it came over the socket or
//! from the command line of the holder itself.

mod accounts;
mod client;
mod host;
mod listener;
mod protocol;

pub use accounts::AccountsCommand;
pub use client::{ControlError, submit};
pub use host::Host;
pub use listener::Listener;
pub use protocol::{Event, Request};
