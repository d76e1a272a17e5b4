//! `specbox upgrade`.

use std::{path::PathBuf, process::ExitCode};

use anyhow::{Result, bail};

use super::{
    arguments::GlobalArgs,
    configuration::data_folder,
    outcome::absolute_path,
    output::print_json,
    progress::ProgressView,
    session::{self, open_service, stop_on_ctrl_c},
};
use store::StoreError;

/// Makes a new data folder out of another one.
pub(super) fn upgrade(global: &GlobalArgs, target: &PathBuf) -> Result<ExitCode> {
    let folder = data_folder(global)?;
    if !folder.has_index()? {
        bail!("there is no index in {}; --data-dir names it", folder.root().display());
    }
    stop_on_ctrl_c()?;
    let lock = match folder.acquire_lock() {
        Err(StoreError::Held { path }) => {
            bail!("{} is held by another specbox process; stop it and try again", path.display())
        }
        lock => lock?,
    };
    let service = open_service(&folder, lock, global)?;
    let mut view = ProgressView::new();
    let mut step = |done, total| view.show_step(done, total, "packs");
    let target = absolute_path(target)?;
    let cancel = &session::STOP_REQUESTED;
    let report = service.jobs.upgrade_into(&service.access, &target, cancel, &mut step)?;
    view.finish();
    print_json(&serde_json::to_value(&report)?)?;
    Ok(ExitCode::SUCCESS)
}
