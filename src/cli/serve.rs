//! `specbox serve`: runs the server and the control socket until it is stopped.

use std::{
    sync::{Arc, atomic::AtomicBool},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

use super::{
    agent_answers::answer_agents,
    arguments::GlobalArgs,
    configuration::Configuration,
    data_folders::{FolderNeed, find_data_folder},
    outcome::depot_location,
    packs::to_trust,
    serve_arguments::{ReplicaArgs, ServeArgs},
    session::{OpenedFolder, open_service},
};
use crate::{
    control::{
        self, CommandHost, CommandReply, ControlError, ControlEvent, ControlListener,
        ControlRequest,
    },
    http::{Edge, HttpServer, HttpServerSettings},
    jobs::ReplicaSettings,
    mcp,
    service::Service,
    ui,
};
use store::{DataFolder, FolderLock, StoreError};

/// A command that holds the data folder has this long to end its current step.
const HAND_OVER_TIME: Duration = Duration::from_secs(60);

/// One that does not answer has this long: it may be about to end. If it hangs, waiting longer would not help.
const UNANSWERED_TIME: Duration = Duration::from_secs(3);

/// Time between two attempts to lock the folder.
const LOCK_POLL: Duration = Duration::from_millis(50);

/// Runs the server. `prepare` is called before it answers, `announce` when it is about to.
pub(super) fn run_server(
    global: &GlobalArgs,
    args: &ServeArgs,
    prepare: impl FnOnce(&Service) -> Result<()>,
    announce: impl FnOnce(&HttpServer, &Service) -> Result<()>,
) -> Result<()> {
    log_panics_by_location();
    let OpenedFolder { folder, scratch } =
        OpenedFolder::open(find_data_folder(global, FolderNeed::Begins)?)?;
    let configuration = Configuration::load_or_create(&folder)?;
    let settings = configuration.server_settings(args, &folder)?;
    let (mcp_settings, clients) = configuration.mcp_settings()?;
    let replica = replica_settings(&args.replica, &configuration)?;
    let lock = take_folder(&folder, &settings, replica.is_some())?;
    // Every connection needs a file descriptor, and the default limit is low.
    if let Err(error) = rlimit::increase_nofile_limit(u64::MAX) {
        tracing::warn!(%error, "the limit on open files was not changed");
    }
    let service = open_service(&folder, lock, global)?;
    // Otherwise the allocator gives memory back only while it is busy.
    if let Err(error) = tikv_jemalloc_ctl::background_thread::write(true) {
        tracing::debug!(%error, "freed memory is returned to the system only when the process needs more");
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    let pages =
        |edge: &Arc<Edge>| ui::routes(&clients).merge(mcp::routes(edge, &mcp_settings, &clients));
    let server = runtime.block_on(HttpServer::bind(service.clone(), settings, pages))?;
    let _listener = ControlListener::start_listening(
        &folder.control_socket_path(),
        CommandHost::in_server(service.clone(), answer_agents(&service)),
    )
    .context("cannot open the control socket")?;
    prepare(&service)?;
    load_models(service.clone());
    crate::service::collect_names(&service);
    prepare_catalog(service.clone());
    // Of servers that share accounts, the one that indexes documents follows the watches: replicas count changes
    // differently.
    if replica.is_none() || !service.access.is_shared() {
        crate::service::start_watching(&service);
    }
    match (replica, &scratch) {
        (_, Some(_)) => crate::jobs::forbid_changes(&service.jobs),
        (Some(settings), None) => crate::jobs::start_following(&service.jobs, settings),
        (None, None) => start_background_work(&service),
    }
    announce(&server, &service)?;
    runtime.block_on(async {
        let stop = server.stop_handle();
        let jobs = service.jobs.clone();
        tokio::spawn(async move {
            stop_signal().await;
            tracing::info!("stopping");
            // Before the connections end: their callers may wait for a fetch.
            crate::jobs::cancel_version_fetches(&jobs);
            stop();
        });
        server.run_until_stopped().await
    })?;
    // Those that are being indexed did not end this process.
    crate::jobs::withdraw_attempts(&service.jobs);
    Ok(())
}

/// The lock of the data folder. A command that holds it stops where it can be resumed, and continues in this server;
/// a replica does not accept such commands. Nothing is stopped for a server that could not start.
fn take_folder(
    folder: &DataFolder,
    settings: &HttpServerSettings,
    is_replica: bool,
) -> Result<FolderLock> {
    let held = match folder.acquire_lock() {
        Err(StoreError::Held { path }) => path,
        lock => return Ok(lock?),
    };
    let in_use = || format!("{} is in use by another specbox process", held.display());
    if is_replica {
        bail!("{}; stop it or wait until it finishes, then try again", in_use());
    }
    HttpServer::check_settings(settings)?;
    eprintln!("{}; asking it to release the folder", in_use());
    let time = match ask_for_folder(folder) {
        Ok(true) => {
            eprintln!("its command will continue in this server");
            HAND_OVER_TIME
        }
        Ok(false) => HAND_OVER_TIME,
        // The process was about to end.
        Err(ControlError::CutOff(_)) => HAND_OVER_TIME,
        Err(ControlError::Refused(message)) => bail!("{}: {message}", in_use()),
        Err(error) => {
            tracing::warn!(%error, "no answer from the process that is using the data folder");
            UNANSWERED_TIME
        }
    };
    let end = Instant::now() + time;
    loop {
        match folder.acquire_lock() {
            Err(StoreError::Held { .. }) if Instant::now() < end => thread::sleep(LOCK_POLL),
            Err(StoreError::Held { .. }) => {
                bail!("{}; stop it or wait until it finishes, then try again", in_use())
            }
            lock => return Ok(lock?),
        }
    }
}

/// Asks the process that holds a data folder for it. Returns whether it has a command that should continue in this
/// one.
fn ask_for_folder(folder: &DataFolder) -> Result<bool, ControlError> {
    let mut answer = None;
    let mut sink = |event| answer = Some(event);
    let socket = folder.control_socket_path();
    let never = AtomicBool::new(false);
    control::submit_request(&socket, &ControlRequest::HandOver, &never, &mut sink)?;
    match answer {
        Some(ControlEvent::Failed { message }) => Err(ControlError::Refused(message)),
        Some(ControlEvent::Done { reply: CommandReply::HandOver(continues) }) => Ok(continues),
        _ => Ok(false),
    }
}

/// What a replica follows, if the server is one.
fn replica_settings(
    args: &ReplicaArgs,
    configuration: &Configuration,
) -> Result<Option<ReplicaSettings>> {
    let Some(source) = &args.replica_of else { return Ok(None) };
    Ok(Some(ReplicaSettings {
        source: depot_location(source)?,
        trust: to_trust(&args.trust, configuration.trusted_keys())?.parse()?,
        interval: Duration::from_secs(args.replica_interval),
    }))
}

/// Reads the registers of meetings ahead of the first question about them.
fn prepare_catalog(service: Arc<Service>) {
    let prepare = move || {
        if let Err(failure) = service.prepare_tdoc_lists() {
            tracing::warn!(%failure, "meeting documents cannot be listed");
        }
    };
    // The first question reads them otherwise.
    let _ = thread::Builder::new().name("tdoc-catalog".to_owned()).spawn(prepare);
}

/// What a server does besides answering.
fn start_background_work(service: &Service) {
    service.store.empty_old_trash();
    crate::jobs::start_background_vectors(&service.jobs);
    if let Err(error) = crate::jobs::resume_uploads(&service.jobs) {
        tracing::error!(%error, "uploads of an earlier run will not be indexed");
    }
    match crate::jobs::resume_fetches(&service.jobs) {
        Ok(0) => {}
        Ok(waiting) => tracing::info!(waiting, "meeting documents are waiting to be read"),
        Err(error) => {
            let error = &error as &dyn std::error::Error;
            tracing::error!(error, "pending documents will not be read");
        }
    }
}

/// The message of a panic may quote a query: only its source location is logged.
fn log_panics_by_location() {
    std::panic::set_hook(Box::new(|panic| {
        let location = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place = location, "panicked");
    }));
}

/// Loads the models, and what quotes are looked up in, while the first requests are served. A missing model does not
/// stop the server: searches report which file is missing.
fn load_models(service: Arc<Service>) {
    thread::spawn(move || {
        if let Err(error) = service.load_models() {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "a model cannot be used");
        }
        if let Err(error) = crate::service::prepare_quotes(&service) {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "meeting notes cannot be read");
        }
    });
}

async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let terminate = signal(SignalKind::terminate());
    match terminate {
        Ok(mut terminate) => {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
        }
        Err(_) => {
            let _ = tokio::signal::ctrl_c().await;
        }
    }
}

/// Prints the URL of the server, and how its first operator signs in.
pub(super) fn announce_server(server: &HttpServer, service: &Service) -> Result<()> {
    eprintln!("specbox is running at {}", server.base_url());
    if let Some(authority) = server.authority_file() {
        eprintln!("clients need {} to trust the certificate", authority.display());
        let fingerprint = server.authority_fingerprint().unwrap_or_default();
        eprintln!("they get it at {}/certificate; SHA-256: {fingerprint}", server.base_url());
    }
    if server.is_plain() && !server.base_url().starts_with("https://") {
        eprintln!("clients reach the proxy over HTTPS: add --base-url https://...");
    }
    match setup_link(service)? {
        Some(link) => eprintln!("set the operator's password (the link works once): {link}"),
        None => {
            let folder = service.store.data_folder().root().display();
            eprintln!("create a key with: specbox --data-dir '{folder}' key create --name NAME");
        }
    }
    Ok(())
}

/// A new link for the first operator to set a password, if there is none yet; it voids earlier links.
pub(super) fn setup_link(service: &Service) -> Result<Option<String>> {
    let access = &service.access;
    let operator = access.accounts().first_operator().context("cannot read the accounts")?;
    if operator.password.is_some() {
        return Ok(None);
    }
    let link = access
        .passwords()
        .create_setup_link(operator.id)
        .context("cannot create the set-up link")?;
    Ok(Some(service.address.setup_url(&link)))
}
