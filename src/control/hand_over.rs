//! The data folder goes from a command to a server that starts: the command stops where it can be resumed, closes the folder,
//! and asks the server to go on.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use super::ControlRequest;

/// What a command's process does when a server wants its data folder.
pub struct HandOver {
    /// Cancels the command.
    cancel: &'static AtomicBool,
    state: Mutex<HandOverState>,
}

#[derive(Clone, Copy)]
enum HandOverState {
    /// Nothing runs, or a question that is answered soon: the process ends by itself.
    Ending,
    /// A command runs that can be resumed.
    Resumable,
    /// A command runs that has to end by itself, and may take long.
    Busy,
    /// A server was promised the folder.
    Promised,
}

impl HandOver {
    /// For a process whose commands are cancelled by this flag.
    pub fn new(cancel: &'static AtomicBool) -> Self {
        Self { cancel, state: Mutex::new(HandOverState::Ending) }
    }

    /// Notes that the process begins a command of its own.
    pub fn begin_command(&self, request: &ControlRequest) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        *state = match request {
            request if request.can_be_resumed() => HandOverState::Resumable,
            request if request.only_asks() => HandOverState::Ending,
            _ => HandOverState::Busy,
        };
    }

    /// Notes that the command ended. Returns whether it was cancelled for a server, which is told only once.
    pub fn end_command(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let was = std::mem::replace(&mut *state, HandOverState::Ending);
        matches!(was, HandOverState::Promised)
    }

    /// Cancels the command for a server that waits for the folder. Returns whether there was one to go on with.
    pub(super) fn request(&self) -> Result<bool, String> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match *state {
            HandOverState::Ending => Ok(false),
            // Ctrl-C came first.
            HandOverState::Resumable if self.cancel.load(Ordering::Acquire) => Ok(false),
            HandOverState::Resumable | HandOverState::Promised => {
                *state = HandOverState::Promised;
                self.cancel.store(true, Ordering::Release);
                Ok(true)
            }
            HandOverState::Busy => Err(
                "another specbox command is changing the data folder; wait for it to finish, and try again"
                    .to_owned(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::SpecSyncOptions;

    #[test]
    fn only_what_can_be_resumed_is_cancelled() {
        static CANCEL: AtomicBool = AtomicBool::new(false);
        let hand_over = HandOver::new(&CANCEL);
        for (request, asked, is_cancelled) in [
            (ControlRequest::Status, Ok(false), false),
            (ControlRequest::Verify, Err(()), false),
            (ControlRequest::SyncSpecs(SpecSyncOptions::default()), Ok(true), true),
        ] {
            CANCEL.store(false, Ordering::Release);
            hand_over.begin_command(&request);
            assert_eq!(hand_over.request().map_err(|_| ()), asked, "{request:?}");
            assert_eq!(CANCEL.load(Ordering::Acquire), is_cancelled, "{request:?}");
            assert_eq!(hand_over.end_command(), is_cancelled, "{request:?}");
            assert!(!hand_over.end_command(), "told twice after {request:?}");
        }
        CANCEL.store(true, Ordering::Release);
        hand_over.begin_command(&ControlRequest::Optimize);
        assert_eq!(hand_over.request(), Ok(false));
        assert!(!hand_over.end_command(), "a command that Ctrl-C stopped does not go on");
    }
}
