//! Executes a command: in this process if the data folder is free, otherwise in the one that holds it.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU8, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tempfile::TempDir;

use super::{
    agent_answers::answer_agents,
    arguments::GlobalArgs,
    configuration::Configuration,
    data_folders::{FolderNeed, find_data_folder},
    progress::ProgressView,
};
use crate::{
    control::{
        self, CommandHost, CommandReply, ControlEvent, ControlListener, ControlRequest, HandOver,
    },
    jobs::JobSettings,
    service::Service,
};
use accounts::{Access, AccountsLocation};
use retrieval::{Models, QueryExpander, Retriever, SynonymVocabulary};
use store::{DataFolder, FolderLock, Store, StoreError};

/// Set by Ctrl-C, and when a server wants the data folder; long commands end after the current step.
pub(super) static STOP_REQUESTED: AtomicBool = AtomicBool::new(false);

/// Set by Ctrl-C alone.
static CTRL_C_PRESSED: AtomicBool = AtomicBool::new(false);

/// Time between two checks of that.
const STOP_POLL: Duration = Duration::from_millis(200);

/// A run that ends at once has this long to end by itself and to print its report: within the second after Ctrl-C.
const GRACE: Duration = Duration::from_millis(800);

/// The exit code of shells for a process that SIGINT (2) ended: 128 + 2.
pub(super) const INTERRUPTED_EXIT_CODE: u8 = 130;

/// What Ctrl-C does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum StopManner {
    /// The command ends after its current step; a second Ctrl-C ends it at once.
    AfterStep,
    /// The command ends by itself within a second, or is ended: what it stored stays.
    WithinSecond,
    /// The command ends at once: it only reads.
    AtOnce,
    /// Nothing: another program that has the terminal decides.
    Ignored,
}

static STOP_MANNER: AtomicU8 = AtomicU8::new(StopManner::AfterStep as u8);

/// Sets what Ctrl-C does from now on.
pub(super) fn set_stop_manner(manner: StopManner) {
    STOP_MANNER.store(manner as u8, Ordering::Release);
}

/// How often a question is asked if processes end before they answer: each try may reach another one that is about to
/// end, but not forever.
pub(super) const MAX_TRIES: u32 = 5;

/// How long a server may take to open the data folder: a damaged word index is built again first.
const SERVER_START: Duration = Duration::from_secs(120);

/// A server that waits for the lock of a data folder has it within this time; it tries every 50 ms.
const LOCK_GRACE: Duration = Duration::from_secs(3);

/// How a command ended.
pub(super) enum CommandOutcome {
    /// Its reply.
    Done(CommandReply),
    /// The operation's refusal: `{"detail": ...}`.
    Refused(Value),
}

impl CommandOutcome {
    fn is_complete(&self) -> bool {
        matches!(self, Self::Done(reply) if reply.is_complete())
    }

    /// The outcome of a command that was cancelled and resumed: an ingest reports both parts.
    fn followed_by(self, later: Self) -> Self {
        match (self, later) {
            (Self::Done(CommandReply::Ingest(first)), Self::Done(CommandReply::Ingest(rest))) => {
                Self::Done(CommandReply::Ingest(first.followed_by(rest)))
            }
            (_, later) => later,
        }
    }
}

/// Executes a command and displays its progress.
pub(super) fn execute_request(
    global: &GlobalArgs,
    request: ControlRequest,
) -> Result<CommandOutcome> {
    let session = CommandSession::open(global, need_of(&request))?;
    let outcome = session.execute(&request)?;
    if !session.was_handed_over() {
        return Ok(outcome);
    }
    drop(session);
    STOP_REQUESTED.store(CTRL_C_PRESSED.load(Ordering::Acquire), Ordering::Release);
    if outcome.is_complete() {
        return Ok(outcome);
    }
    eprintln!(
        "handing over the data folder to the server that is starting; it will continue this command"
    );
    match resume_request(global, request) {
        Ok(rest) => Ok(outcome.followed_by(rest)),
        Err(error) => {
            eprintln!("specbox: the server could not continue the command: {error:#}");
            Ok(outcome)
        }
    }
}

/// Executes a command in the server that takes over the data folder; if it failed to start, in this process again.
fn resume_request(global: &GlobalArgs, request: ControlRequest) -> Result<CommandOutcome> {
    let folder = find_data_folder(global, need_of(&request))?;
    let mut tries = MAX_TRIES;
    loop {
        wait_for_holder(&folder);
        tries -= 1;
        match execute_request(global, request.clone()) {
            // It ended in the meantime.
            Err(error) if tries > 0 && is_cut_off(&error) => {}
            outcome => return outcome,
        }
    }
}

/// Waits until a process listens on the control socket of a data folder, or the folder turns out to be free.
pub(super) fn wait_for_holder(folder: &DataFolder) {
    let socket = folder.control_socket_path();
    let end = Instant::now() + SERVER_START;
    while !control::wait_for_process(&socket, LOCK_GRACE, &STOP_REQUESTED) {
        let is_free = folder.acquire_lock().is_ok();
        if is_free || STOP_REQUESTED.load(Ordering::Acquire) || Instant::now() > end {
            return;
        }
    }
}

/// Whether a process ended before it answered.
pub(super) fn is_cut_off(error: &anyhow::Error) -> bool {
    use control::ControlError;
    matches!(error.downcast_ref(), Some(ControlError::CutOff(_) | ControlError::NoAnswer(_)))
}

/// What a command needs of its data folder.
fn need_of(request: &ControlRequest) -> FolderNeed {
    if request.begins_index() { FolderNeed::Begins } else { FolderNeed::Exists }
}

/// A data folder that can be used.
pub(super) struct OpenedFolder {
    /// The folder, or a copy of it for reading.
    pub(super) folder: DataFolder,
    /// Where that copy is.
    pub(super) scratch: Option<TempDir>,
}

impl OpenedFolder {
    /// Creates a missing folder; one that is not writable is copied for reading.
    pub(super) fn open(folder: DataFolder) -> Result<Self> {
        if folder.root().is_dir() && !folder.is_writable() {
            let scratch = TempDir::with_prefix("specbox-reading-")
                .context("cannot create a temporary folder")?;
            let copied = folder.copy_for_reading(scratch.path())?;
            tracing::warn!(
                folder = %folder.root().display(),
                "the data folder is read-only: searches work, but changes to accounts and usage are not saved"
            );
            return Ok(Self { folder: copied, scratch: Some(scratch) });
        }
        folder.create_folders()?;
        Ok(Self { folder, scratch: None })
    }
}

/// Where commands are executed: the folder is opened once for all of them.
pub(super) enum CommandSession {
    /// In this process, which others may ask meanwhile.
    Here {
        /// Accepts commands of others. It is dropped first: its files are removed while the folder is locked.
        listener: ControlListener,
        /// Executes them.
        host: CommandHost,
        /// What happens when a server wants the folder.
        hand_over: Arc<HandOver>,
        /// The copy of a data folder that is not writable.
        _scratch: Option<TempDir>,
    },
    /// In the process that listens on this socket.
    There {
        /// Where it listens.
        socket: PathBuf,
        /// How the folder is opened if that process has ended.
        again: Box<(GlobalArgs, FolderNeed)>,
    },
}

impl CommandSession {
    /// Opens the data folder, or finds the process that holds it.
    pub(super) fn open(global: &GlobalArgs, need: FolderNeed) -> Result<Self> {
        Self::open_until(global, need, HandOver::new(&STOP_REQUESTED))
    }

    /// The same; `hand_over` says what happens when a server wants the folder.
    pub(super) fn open_until(
        global: &GlobalArgs,
        need: FolderNeed,
        hand_over: HandOver,
    ) -> Result<Self> {
        let OpenedFolder { folder, scratch } = OpenedFolder::open(find_data_folder(global, need)?)?;
        stop_on_ctrl_c()?;
        let socket = folder.control_socket_path();
        let lock = match folder.acquire_lock() {
            Ok(lock) => lock,
            Err(StoreError::Held { .. }) => {
                return Ok(Self::There { socket, again: Box::new((global.clone(), need)) });
            }
            Err(error) => return Err(error.into()),
        };
        let service = open_service(&folder, lock, global)?;
        if scratch.is_some() {
            crate::jobs::forbid_changes(&service.jobs);
        }
        if let Some(url) = Configuration::load_or_create(&folder)?.base_url() {
            service.address.set_base_url(&url);
        }
        let hand_over = Arc::new(hand_over);
        let answer_agent = answer_agents(&service);
        let host = CommandHost::in_command(service, hand_over.clone(), answer_agent);
        let listener = ControlListener::start_listening(&socket, host.clone())
            .context("cannot open the control socket")?;
        Ok(Self::Here { listener, host, hand_over, _scratch: scratch })
    }

    /// Whether the command that was executed was cancelled for a server that waits for the folder.
    fn was_handed_over(&self) -> bool {
        matches!(self, Self::Here { hand_over, .. } if hand_over.was_handed_over())
    }

    /// Executes a command and displays its progress.
    pub(super) fn execute(&self, request: &ControlRequest) -> Result<CommandOutcome> {
        self.execute_within(request, MAX_TRIES)
    }

    /// The same; a question to a process that ends in the meantime is asked again, up to this many times in total.
    fn execute_within(&self, request: &ControlRequest, tries: u32) -> Result<CommandOutcome> {
        let mut view = ProgressView::new();
        let mut last = None;
        let mut sink = |event: ControlEvent| match event {
            ControlEvent::Ingest(event) => view.show_ingest_event(&event),
            ControlEvent::Step { done, total, unit } => view.show_step(done, total, &unit),
            event => last = Some(event),
        };
        match self {
            Self::Here { host, listener, hand_over, .. } => {
                hand_over.begin_command(request);
                host.execute_request(request.clone(), &STOP_REQUESTED, &mut sink);
                hand_over.end_command();
                listener.wait_for_commands();
            }
            Self::There { socket, again } => {
                match control::submit_request(socket, request, &STOP_REQUESTED, &mut sink) {
                    Err(control::ControlError::CutOff(_) | control::ControlError::NoAnswer(_))
                        if request.only_asks() && tries > 1 =>
                    {
                        let (global, need) = &**again;
                        return Self::open(global, *need)?.execute_within(request, tries - 1);
                    }
                    submitted => submitted?,
                }
            }
        }
        view.finish();
        match last {
            Some(ControlEvent::Done { reply }) => Ok(CommandOutcome::Done(reply)),
            Some(ControlEvent::Refused { body }) => Ok(CommandOutcome::Refused(body)),
            Some(ControlEvent::Failed { message }) => bail!(message),
            _ => bail!("the command finished without a reply"),
        }
    }
}

/// Whether Ctrl-C was pressed.
pub(super) fn was_interrupted() -> bool {
    CTRL_C_PRESSED.load(Ordering::Acquire)
}

/// Waits, or until Ctrl-C; returns whether it waited to the end.
pub(super) fn wait_unless_stopped(time: Duration) -> bool {
    let end = Instant::now() + time;
    while Instant::now() < end {
        if STOP_REQUESTED.load(Ordering::Acquire) {
            return false;
        }
        std::thread::sleep(STOP_POLL.min(end.saturating_duration_since(Instant::now())));
    }
    true
}

/// The service over a folder whose lock is held.
pub(super) fn open_service(
    folder: &DataFolder,
    lock: FolderLock,
    global: &GlobalArgs,
) -> Result<Arc<Service>> {
    let configuration = Configuration::load_or_create(folder)?;
    // A backup that was killed may have left a copy of the accounts.
    let _ = std::fs::remove_file(folder.accounts_copy_path());
    let models = Arc::new(Models::new(configuration.model_settings(global)?));
    let location = configuration.accounts_location(global, folder)?;
    if let AccountsLocation::File(_) = location {
        folder.check_accounts()?;
    }
    let access = Access::open(&location, configuration.access_settings()?)
        .context("cannot open the accounts")?;
    if let AccountsLocation::File(_) = location {
        folder.note_accounts();
    }
    let store = Store::open_locked(folder.clone(), lock)
        .with_context(|| format!("cannot open the data folder {}", folder.root().display()))?;
    let vocabulary =
        SynonymVocabulary::open(&folder.vocabulary_path()).context("cannot use the vocabulary")?;
    let settings = JobSettings {
        ingest: configuration.ingest_settings()?,
        graph_builder: configuration.graph_builder(),
        mirror: Arc::new(configuration.open_mirror(folder)?),
        on_demand: configuration.fetches_on_demand(),
    };
    let retriever =
        Retriever::new(models, QueryExpander::new(vocabulary), configuration.search_settings());
    let service = Arc::new(Service::new(Arc::new(store), access, retriever, settings));
    Ok(service)
}

/// Handles Ctrl-C, in the manner that is set at that time.
pub(super) fn stop_on_ctrl_c() -> Result<()> {
    static IS_SET: AtomicBool = AtomicBool::new(false);
    if IS_SET.swap(true, Ordering::AcqRel) {
        return Ok(());
    }
    ctrlc::set_handler(handle_ctrl_c).context("cannot handle Ctrl-C")
}

/// Runs in a thread of its own.
fn handle_ctrl_c() {
    let manner = STOP_MANNER.load(Ordering::Acquire);
    if manner == StopManner::Ignored as u8 {
        return;
    }
    let is_second = CTRL_C_PRESSED.swap(true, Ordering::AcqRel);
    STOP_REQUESTED.store(true, Ordering::Release);
    if is_second || manner == StopManner::AtOnce as u8 {
        std::process::exit(i32::from(INTERRUPTED_EXIT_CODE));
    }
    if manner == StopManner::WithinSecond as u8 {
        // The process ends meanwhile, unless it is in the middle of a long step.
        std::thread::sleep(GRACE);
        eprintln!(
            "\nstopped; everything stored so far is kept; run the same command again to resume"
        );
        std::process::exit(i32::from(INTERRUPTED_EXIT_CODE));
    }
    eprintln!("stopping; press Ctrl-C again to stop immediately");
}
