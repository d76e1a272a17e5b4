//! Reading in another process, so that a hostile file can end that process and nothing else.
//!
//! The parent ([`Worker`]) starts the same program again with the arguments it is given; the
//! child calls [`serve_stdin`], limits its own memory, time and files, and answers one request after
//! the other. The parent trusts nothing that comes back: replies are bounded,
//! time is bounded, and a child that dies or misbehaves is replaced.

mod child;
mod confine;
mod parent;
mod protocol;

pub use child::serve_stdin;
pub(super) use confine::run_with_limits_lifted;
pub use parent::{Worker, WorkerConfig};
pub(crate) use protocol::read_all_frames;
