//! Carrying a command out: here when the data folder is free, else by the process that holds it.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::{arguments::Global, configuration::Configuration, progress::ProgressView};
use crate::{
    control::{self, Event, Host, Listener, Request},
    service::{Models, Service, Settings, Vocabulary, Wording},
};
use accounts::Access;
use store::{DataFolder, FolderLock, Store, StoreError};

/// Set by Ctrl-C; long commands end after the document in hand.
static STOP: AtomicBool = AtomicBool::new(false);

/// How a command ended.
pub(super) enum Outcome {
    /// Its answer.
    Done(Value),
    /// The operation's refusal: `{"detail": ...}`.
    Refused(Value),
}

/// Carries a command out.
pub(super) fn execute(global: &Global, request: Request) -> Result<Outcome> {
    let folder = super::configuration::data_folder(global)?;
    folder.create()?;
    let mut view = ProgressView::new();
    let mut last = None;
    let mut sink = |event: Event| match event {
        Event::Ingest(event) => view.ingest(&event),
        Event::Step { done, total, unit } => view.step(done, total, &unit),
        event => last = Some(event),
    };
    stop_on_ctrl_c()?;
    match folder.lock() {
        Ok(lock) => {
            let service = open_service(&folder, lock, global)?;
            if let Some(url) = Configuration::load(&folder)?.base_url() {
                service.set_base_url(&url);
            }
            let host = Host::new(service);
            let listener = Listener::start(&folder.control_socket(), host.clone())
                .context("cannot open the control socket")?;
            host.execute(request, &STOP, &mut sink);
            listener.wait_for_commands();
        }
        Err(StoreError::Held { .. }) => {
            control::submit(&folder.control_socket(), &request, &STOP, &mut sink)?;
        }
        Err(error) => return Err(error.into()),
    }
    view.finish();
    match last {
        Some(Event::Done { reply }) => Ok(Outcome::Done(reply)),
        Some(Event::Refused { body }) => Ok(Outcome::Refused(body)),
        Some(Event::Failed { message }) => bail!(message),
        _ => bail!("the command ended without an answer"),
    }
}

/// The service over a folder whose lock is held.
pub(super) fn open_service(
    folder: &DataFolder,
    lock: FolderLock,
    global: &Global,
) -> Result<Arc<Service>> {
    let configuration = Configuration::load(folder)?;
    let models = Models::new(configuration.models(global)?);
    let access = Access::open(&folder.accounts(), configuration.access()?)
        .context("cannot open the accounts")?;
    let store = Store::open_locked(folder.clone(), lock)
        .with_context(|| format!("cannot open the data folder {}", folder.root().display()))?;
    let vocabulary = Vocabulary::open(&folder.vocabulary()).context("cannot use the vocabulary")?;
    let settings = Settings {
        ingest: configuration.ingest()?,
        search: configuration.search(),
        graph_builder: configuration.graph_builder(),
        mirror: Arc::new(configuration.mirror(folder)?),
    };
    let (store, wording) = (Arc::new(store), Wording::new(vocabulary));
    let service = Arc::new(Service::new(store, access, models, wording, settings));
    service.ready_to_fetch();
    Ok(service)
}

/// The first Ctrl-C ends the run after the document in hand, the second at once.
fn stop_on_ctrl_c() -> Result<()> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::AcqRel) {
            std::process::exit(130);
        }
        eprintln!("stopping; press Ctrl-C again to stop at once");
    })
    .context("cannot handle Ctrl-C")
}
