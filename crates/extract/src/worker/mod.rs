//! Reading in another process, so that a hostile file can end that process and nothing else.
//!
//! The parent ([`Worker`]) starts the same program again with the configured arguments; the child calls
//! [`serve_stdin`], enters a sandbox ([`Sandbox`]), and answers one request after the other. The parent does not
//! trust the replies: their size and time are bounded, and a child that dies or misbehaves is replaced. A file that a
//! converter reads better is read again by a child that may run the converter, and does nothing else.

mod child;
mod config;
mod converter_folder;
mod parent;
mod process;
mod protocol;
mod sandbox;
mod watch;

pub use child::{CounterLoader, serve_stdin};
pub use config::{TokenCounting, WorkerConfig};
pub use parent::Worker;
pub(crate) use protocol::read_all_frames;
pub use sandbox::Sandbox;
pub(super) use sandbox::run_with_limits_lifted;
pub use watch::ReadingWatch;
