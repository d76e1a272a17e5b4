//! The service for a program that measures it.

use std::sync::Arc;

use anyhow::{Context, Result};

use super::{arguments::GlobalArgs, configuration, session};
use crate::service::Service;
use store::StoreError;

/// The service over the data folder, which no other process may hold: its work would distort the
/// measured times.
pub fn open_locked_service(global: &GlobalArgs) -> Result<Arc<Service>> {
    let folder = configuration::data_folder(global)?;
    folder.create_folders()?;
    let lock = match folder.acquire_lock() {
        Err(error @ StoreError::Held { .. }) => {
            return Err(error).context("stop the server or wait for the ingest, then try again");
        }
        other => other?,
    };
    session::open_service(&folder, lock, global)
}
