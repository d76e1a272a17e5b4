//! Commands of other processes, carried out by the one that holds the data folder.
//!
//! Owns the socket in the data folder and its messages: one JSON line is the request, and JSON lines
//! answer until one of them ends the exchange. The socket is open to its owner alone, so no key
//! is asked for. Every command is a [`ControlRequest`] to a [`CommandHost`], whether it came over the socket or
//! from the command line of the holder itself.

mod accounts;
mod client;
mod host;
mod listener;
mod protocol;
mod reply;

pub use accounts::{AccountLink, AccountSummary, AccountUsage, AccountsCommand, AccountsReply};
pub use client::{ControlError, submit_request};
pub use host::CommandHost;
pub use listener::ControlListener;
pub use protocol::{ControlEvent, ControlRequest};
pub use reply::{CommandReply, RemoveReport};
