//! The data folder goes from a command to a server that starts: the command stops where it can be resumed, closes the folder,
//! and asks the server to go on.

use std::sync::{
    Condvar, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use super::ControlRequest;

/// What a command's process does when a server wants its data folder.
pub struct HandOver {
    /// Cancels the command; Ctrl-C sets it too.
    cancel: &'static AtomicBool,
    state: Mutex<HandOverState>,
    /// Wakes the thread that waits for a server.
    asked: Condvar,
}

struct HandOverState {
    own: OwnCommand,
    /// Commands of other processes that run in this one and do more than ask.
    of_others: usize,
}

/// The command that the process was started for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OwnCommand {
    /// It only asks, or has ended: the process ends soon.
    Ending,
    /// It can be resumed elsewhere.
    Resumable,
    /// It has to end by itself, and may take long.
    Busy,
    /// It was cancelled, for a server was promised the folder.
    Cancelled,
    /// It has ended since.
    HandedOver,
    /// It answers questions for as long as no server wants the folder.
    StandingBy,
    /// A server was promised the folder: the process closes it, and asks that server from then on.
    Released,
}

/// A command of another process that runs in this one, until it is dropped.
pub(super) struct ClientCommand<'a>(Option<&'a HandOver>);

impl Drop for ClientCommand<'_> {
    fn drop(&mut self) {
        if let Some(hand_over) = self.0 {
            hand_over.state().of_others -= 1;
        }
    }
}

impl HandOver {
    /// For a process whose commands are cancelled by this flag.
    pub fn new(cancel: &'static AtomicBool) -> Self {
        Self::in_state(cancel, OwnCommand::Ending)
    }

    /// For a process that keeps the folder open between questions, until a server wants it.
    pub fn standing_by(cancel: &'static AtomicBool) -> Self {
        Self::in_state(cancel, OwnCommand::StandingBy)
    }

    fn in_state(cancel: &'static AtomicBool, own: OwnCommand) -> Self {
        let state = Mutex::new(HandOverState { own, of_others: 0 });
        Self { cancel, state, asked: Condvar::new() }
    }

    /// Waits until a server wants the folder of a process that stands by.
    pub fn wait_for_server(&self) {
        let is_standing = |state: &mut HandOverState| state.own == OwnCommand::StandingBy;
        let state = self.asked.wait_while(self.state(), is_standing);
        drop(state.unwrap_or_else(PoisonError::into_inner));
    }

    fn state(&self) -> MutexGuard<'_, HandOverState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that the process begins a command of its own.
    pub fn begin_command(&self, request: &ControlRequest) {
        self.state().own = match request {
            request if request.can_be_resumed() => OwnCommand::Resumable,
            request if request.only_asks() => OwnCommand::Ending,
            _ => OwnCommand::Busy,
        };
    }

    /// Notes that the command ended.
    pub fn end_command(&self) {
        let mut state = self.state();
        state.own = match state.own {
            OwnCommand::Cancelled => OwnCommand::HandedOver,
            _ => OwnCommand::Ending,
        };
    }

    /// Whether the command that ended last was cancelled for a server.
    pub fn was_handed_over(&self) -> bool {
        self.state().own == OwnCommand::HandedOver
    }

    /// Notes that the process begins a command of another one.
    pub(super) fn begin_client_command(&self, request: &ControlRequest) -> ClientCommand<'_> {
        let counts = !request.only_asks() && !matches!(request, ControlRequest::HandOver);
        self.state().of_others += usize::from(counts);
        ClientCommand(counts.then_some(self))
    }

    /// Cancels the command for a server that waits for the folder. Returns whether there was one to go on with.
    pub(super) fn request(&self) -> Result<bool, String> {
        let mut state = self.state();
        if state.of_others > 0 {
            return Err(IN_USE.to_owned());
        }
        match state.own {
            OwnCommand::Ending | OwnCommand::Released => Ok(false),
            OwnCommand::StandingBy => {
                state.own = OwnCommand::Released;
                self.asked.notify_all();
                Ok(false)
            }
            // Ctrl-C came first.
            OwnCommand::Resumable if self.cancel.load(Ordering::Acquire) => Ok(false),
            OwnCommand::Resumable => {
                state.own = OwnCommand::Cancelled;
                self.cancel.store(true, Ordering::Release);
                Ok(true)
            }
            OwnCommand::Cancelled | OwnCommand::HandedOver => Ok(true),
            OwnCommand::Busy => Err(IN_USE.to_owned()),
        }
    }
}

const IN_USE: &str =
    "another specbox command is using the data folder; wait for it to finish, and try again";

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::jobs::SpecSyncOptions;

    #[test]
    fn only_what_can_be_resumed_is_cancelled() {
        static CANCEL: AtomicBool = AtomicBool::new(false);
        let hand_over = HandOver::new(&CANCEL);
        let sync = ControlRequest::SyncSpecs(SpecSyncOptions::default());
        for (request, asked, is_cancelled) in [
            (ControlRequest::Status, Ok(false), false),
            (ControlRequest::Verify, Err(()), false),
            (sync.clone(), Ok(true), true),
        ] {
            CANCEL.store(false, Ordering::Release);
            hand_over.begin_command(&request);
            assert_eq!(hand_over.request().map_err(|_| ()), asked, "{request:?}");
            assert_eq!(CANCEL.load(Ordering::Acquire), is_cancelled, "{request:?}");
            hand_over.end_command();
            assert_eq!(hand_over.was_handed_over(), is_cancelled, "{request:?}");
        }
        CANCEL.store(true, Ordering::Release);
        hand_over.begin_command(&sync);
        assert_eq!(hand_over.request(), Ok(false));
        hand_over.end_command();
        assert!(!hand_over.was_handed_over(), "a command that Ctrl-C stopped does not go on");
    }

    #[test]
    fn a_process_that_stands_by_is_woken_by_a_server() {
        static CANCEL: AtomicBool = AtomicBool::new(false);
        let hand_over = HandOver::standing_by(&CANCEL);
        thread::scope(|scope| {
            let waiting = scope.spawn(|| hand_over.wait_for_server());
            let of_another = hand_over.begin_client_command(&ControlRequest::Verify);
            assert!(hand_over.request().is_err(), "a command of another process keeps the folder");
            assert!(!waiting.is_finished());
            drop(of_another);
            assert_eq!(hand_over.request(), Ok(false), "the server has no command to go on with");
        });
        assert_eq!(hand_over.request(), Ok(false));
        assert!(!CANCEL.load(Ordering::Acquire), "questions are answered to the end");
        assert!(!hand_over.was_handed_over());
    }

    #[test]
    fn nothing_is_cancelled_while_commands_of_others_run() {
        static CANCEL: AtomicBool = AtomicBool::new(false);
        let hand_over = HandOver::new(&CANCEL);
        hand_over.begin_command(&ControlRequest::SyncPending);
        let of_another = hand_over.begin_client_command(&ControlRequest::Verify);
        assert!(hand_over.request().is_err());
        assert!(!CANCEL.load(Ordering::Acquire));
        drop(of_another);
        let _question = hand_over.begin_client_command(&ControlRequest::Status);
        assert_eq!(hand_over.request(), Ok(true));
    }
}
