//! The data folder of an agent, whoever holds it: this process, until a server wants it; then that server, until it ends.

use std::{
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
    thread,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{
    cli::{
        arguments::GlobalArgs,
        data_folders::{FolderNeed, find_data_folder},
        session::{CommandSession, MAX_TRIES, STOP_REQUESTED, is_cut_off, wait_for_holder},
    },
    control::{self, AgentRequest, CommandReply, ControlEvent, ControlRequest, HandOver},
};

/// A process that holds the folder and listens answers a connection at once. One that does not has probably ended.
const ANSWERS_WITHIN: Duration = Duration::from_millis(200);

/// The data folder, opened again as often as it changes hands.
pub(super) struct FolderSession {
    global: GlobalArgs,
    state: RwLock<SessionState>,
}

struct SessionState {
    /// None while a server takes the folder.
    session: Option<CommandSession>,
    /// How often the folder was opened: whoever found a session unusable replaces that one, not its successor.
    opened: u64,
}

impl FolderSession {
    /// Opens the folder, or finds the process that holds it.
    pub(super) fn open(global: &GlobalArgs) -> Result<Arc<Self>> {
        let state = RwLock::new(SessionState { session: None, opened: 0 });
        let session = Arc::new(Self { global: global.clone(), state });
        session.open_again(0)?;
        Ok(session)
    }

    /// Has a request answered by the process that holds the folder.
    pub(super) fn answer(self: &Arc<Self>, request: AgentRequest) -> Result<Value> {
        let request = ControlRequest::Agent(request);
        for tried in 1..=MAX_TRIES {
            let (opened, outcome) = self.ask_holder(&request, tried);
            match outcome {
                Some(Err(error)) if request.only_asks() && is_cut_off(&error) => {
                    tracing::info!("the process that held the data folder has ended");
                }
                Some(outcome) => return outcome,
                None => {}
            }
            self.open_again(opened)?;
        }
        bail!("the data folder changes hands too often; try again")
    }

    /// Closes the folder when what other processes asked of this one is done.
    pub(super) fn close(&self) {
        let mut state = self.write_state();
        if let Some(CommandSession::Here { listener, .. }) = &state.session {
            listener.wait_for_commands();
        }
        state.session = None;
    }

    /// The answer, if the folder is open, and the number of that opening.
    fn ask_holder(&self, request: &ControlRequest, tried: u32) -> (u64, Option<Result<Value>>) {
        let state = self.read_state();
        let mut last = None;
        let mut sink = |event: ControlEvent| last = Some(event);
        match &state.session {
            None => return (state.opened, None),
            Some(CommandSession::Here { host, .. }) => {
                host.execute_request(request.clone(), &STOP_REQUESTED, &mut sink);
            }
            Some(CommandSession::There { socket, .. }) => {
                // A server that is starting has the folder for a while before it listens: later tries are patient.
                if tried == 1 && !control::wait_for_process(socket, ANSWERS_WITHIN, &STOP_REQUESTED)
                {
                    return (state.opened, None);
                }
                let sent = control::submit_request(socket, request, &STOP_REQUESTED, &mut sink);
                if let Err(error) = sent {
                    return (state.opened, Some(Err(error.into())));
                }
            }
        }
        (state.opened, Some(read_answer(last)))
    }

    /// Opens the folder again, unless another thread did so since the given opening.
    fn open_again(self: &Arc<Self>, since: u64) -> Result<()> {
        let mut state = self.write_state();
        if state.opened != since {
            return Ok(());
        }
        let was_released = since > 0 && state.session.is_none();
        state.session = None;
        if was_released {
            wait_for_holder(&find_data_folder(&self.global, FolderNeed::Exists)?);
        }
        let hand_over = HandOver::standing_by(&STOP_REQUESTED);
        let session = CommandSession::open_until(&self.global, FolderNeed::Exists, hand_over)?;
        state.opened += 1;
        if let CommandSession::Here { hand_over, .. } = &session {
            self.release_to_server(hand_over.clone(), state.opened)?;
        }
        state.session = Some(session);
        Ok(())
    }

    /// Closes the folder once a server wants it; requests that are being answered are first answered.
    fn release_to_server(self: &Arc<Self>, hand_over: Arc<HandOver>, opened: u64) -> Result<()> {
        let session = Arc::downgrade(self);
        let release = move || {
            hand_over.wait_for_server();
            let Some(session) = session.upgrade() else { return };
            let mut state = session.write_state();
            if state.opened == opened {
                tracing::info!("a server takes the data folder");
                state.session = None;
            }
        };
        let thread = thread::Builder::new().name("hand-over".to_owned()).spawn(release);
        thread.map(drop).context("cannot start a thread")
    }

    fn read_state(&self) -> RwLockReadGuard<'_, SessionState> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_state(&self) -> RwLockWriteGuard<'_, SessionState> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read_answer(last: Option<ControlEvent>) -> Result<Value> {
    match last {
        Some(ControlEvent::Done { reply: CommandReply::Agent(answer) }) => Ok(answer),
        Some(ControlEvent::Failed { message }) => bail!(message),
        _ => bail!("the process that holds the data folder did not answer"),
    }
}
