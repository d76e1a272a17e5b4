//! `specbox serve`: the server and the control socket, until it is stopped.

use std::{sync::Arc, thread};

use anyhow::{Context, Result, bail};

use super::{
    arguments::{Global, ServeArgs},
    configuration::{Configuration, data_folder},
    session::open_service,
};
use crate::{
    control::{Host, Listener},
    http::{Edge, Server},
    mcp,
    service::Service,
    ui,
};
use store::StoreError;

/// Serves; `announce` is called once the server answers.
pub(super) fn run(
    global: &Global,
    args: &ServeArgs,
    prepare: impl FnOnce(&Service) -> Result<()>,
    announce: impl FnOnce(&Server, &Service) -> Result<()>,
) -> Result<()> {
    tell_panics_by_place();
    let folder = data_folder(global)?;
    folder.create()?;
    let lock = match folder.lock() {
        Err(StoreError::Held { path }) => bail!(
            "{} is held by another specbox process; stop it, or wait for it, and try again",
            path.display()
        ),
        lock => lock?,
    };
    // Every client is a file to the system, whose first limit is low.
    if let Err(error) = rlimit::increase_nofile_limit(u64::MAX) {
        tracing::warn!(%error, "the limit on open files stays as it is");
    }
    let configuration = Configuration::load(&folder)?;
    let settings = configuration.server(args, &folder)?;
    let (mcp_settings, clients) = configuration.mcp()?;
    let service = open_service(&folder, lock, global)?;
    let _listener = Listener::start(&folder.control_socket(), Host::new(service.clone()))
        .context("cannot open the control socket")?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    let beside =
        |edge: &Arc<Edge>| ui::routes(&clients).merge(mcp::routes(edge, &mcp_settings, &clients));
    let server = runtime.block_on(Server::bind(service.clone(), settings, beside))?;
    prepare(&service)?;
    load_models(service.clone());
    match service.resume_fetches() {
        Ok(0) => {}
        Ok(waiting) => tracing::info!(waiting, "documents of meetings wait to be read"),
        Err(error) => {
            let error = &error as &dyn std::error::Error;
            tracing::error!(error, "documents that wait are not read");
        }
    }
    announce(&server, &service)?;
    runtime.block_on(async {
        let stop = server.stopper();
        tokio::spawn(async move {
            stop_signal().await;
            tracing::info!("stopping");
            stop();
        });
        server.run().await
    })?;
    Ok(())
}

/// What a panic says may hold what people asked: its place is told, and nothing else.
fn tell_panics_by_place() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a panic");
    }));
}

/// Loads the models beside the first requests. A model that is missing stops no server: searches
/// say which file is wanted where.
fn load_models(service: Arc<Service>) {
    thread::spawn(move || {
        if let Err(error) = service.load_models() {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "a model is not usable");
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

/// Says where the server is, and how its first operator gets in.
pub(super) fn announce(server: &Server, service: &Service) -> Result<()> {
    eprintln!("specbox answers at {}", server.base_url());
    if let Some(authority) = server.authority_file() {
        eprintln!("clients trust it by {}", authority.display());
    }
    if server.is_plain() && !server.base_url().starts_with("https://") {
        eprintln!("clients reach a proxy by https: say so with --base-url https://...");
    }
    match setup_link(service)? {
        Some(link) => eprintln!("set the operator's password, once, at {link}"),
        None => {
            let folder = service.store.folder().root().display();
            eprintln!("make a key with: specbox --data-dir '{folder}' key create --name NAME");
        }
    }
    Ok(())
}

/// A link for the first operator who has no password yet; those of earlier starts are void then.
pub(super) fn setup_link(service: &Service) -> Result<Option<String>> {
    let access = &service.access;
    let operator = access.first_operator().context("cannot read the accounts")?;
    if operator.password.is_some() {
        return Ok(None);
    }
    let link = access.make_link(operator.id).context("cannot make the set-up link")?;
    Ok(Some(service.setup_url(&link)))
}
