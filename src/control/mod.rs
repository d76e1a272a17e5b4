//! Commands of other processes, executed by the one that holds the data folder.
//!
//! Owns the socket in the data folder and its messages: the request is one JSON line, and JSON lines
//! answer it until one of them ends the exchange. Only the socket's owner and root can open it, and every
//! request carries the token of a file beside it, so no key is required. Every command is a [`ControlRequest`] to a [`CommandHost`], whether it came over the socket
//! or from the command line of the holding process itself.

mod account_records;
mod accounts;
mod agents;
mod client;
mod hand_over;
mod host;
mod invitations;
mod listener;
mod protocol;
mod reply;
mod status;
mod token;

pub use account_records::{AccountLink, AccountSummary, AccountUsage};
pub use accounts::{AccountsCommand, AccountsReply};
pub use agents::{AgentRequest, AnswerAgent};
pub use client::{ControlError, submit_request, wait_for_process};
pub use hand_over::HandOver;
pub use host::CommandHost;
pub use invitations::{Invitation, InvitationList};
pub use listener::ControlListener;
pub use protocol::{ControlEvent, ControlRequest};
pub use reply::{CommandReply, RemoveReport};
pub use status::{
    IndexContents, ModelStatus, RunningJobStatus, ServerStatus, StatusReport, install_state,
};
