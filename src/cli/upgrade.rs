//! `specbox upgrade`.

use std::process::ExitCode;

use anyhow::{Result, bail};
use serde_json::json;

use super::{
    arguments::GlobalArgs,
    configuration::data_folder,
    output::print_json,
    packs::default_model,
    progress::ProgressView,
    session::{self, stop_on_ctrl_c},
};
use crate::jobs::upgrade_folder;
use store::{FOLDER_FORMAT, Store, StoreError};

/// Makes the data folder anew in the format of this program.
pub(super) fn upgrade(global: &GlobalArgs, is_forced: bool) -> Result<ExitCode> {
    let folder = data_folder(global)?;
    if !folder.metadata_path().exists() {
        bail!("there is no index in {}; --data-dir names it", folder.root().display());
    }
    stop_on_ctrl_c()?;
    let lock = match folder.acquire_lock() {
        Err(StoreError::Held { path }) => {
            bail!("{} is held by another specbox process; stop it and try again", path.display())
        }
        lock => lock?,
    };
    if !is_forced {
        Store::open_locked(folder, lock)?;
        let note = "the data folder has the current format; --force makes it anew all the same";
        print_json(&json!({ "format": FOLDER_FORMAT, "upgraded": false, "note": note }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut view = ProgressView::new();
    let mut step = |done, total| view.show_step(done, total, "packs");
    let model = default_model(global)?;
    let report = upgrade_folder(&folder, lock, model, &session::STOP_REQUESTED, &mut step)?;
    view.finish();
    print_json(&serde_json::to_value(&report)?)?;
    Ok(ExitCode::SUCCESS)
}
