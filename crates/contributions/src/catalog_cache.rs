//! The catalog of TDocs, for each state of the registers made of the one before.

use std::sync::{Arc, Mutex, PoisonError};

use store::{Snapshot, StoreError};

use super::TdocCatalog;

/// Catalogs that are kept: a request that began before a change asks for the one before.
const MAX_CATALOGS: usize = 3;

/// A cache of the catalogs of the last states, the newest last.
#[derive(Default)]
pub struct TdocCatalogCache(Mutex<Vec<Arc<TdocCatalog>>>);

impl TdocCatalogCache {
    /// The catalog of a snapshot; brought up to date when the registers have changed since the last call.
    pub fn catalog_of(&self, snapshot: &Snapshot) -> Result<Arc<TdocCatalog>, StoreError> {
        let generation = snapshot.tdocs().tdocs_generation()?;
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(catalog) = cached.iter().find(|cached| cached.generation == generation) {
            return Ok(catalog.clone());
        }
        let updated = match cached.last() {
            Some(before) => before.updated(snapshot)?,
            None => None,
        };
        let catalog = match updated {
            Some(catalog) => Arc::new(catalog),
            None => Arc::new(TdocCatalog::from_snapshot(snapshot)?),
        };
        // One of an older state is of use to the request alone.
        if cached.last().is_none_or(|newest| newest.generation < generation) {
            cached.push(catalog.clone());
            let surplus = cached.len().saturating_sub(MAX_CATALOGS);
            cached.drain(..surplus);
        }
        Ok(catalog)
    }
}
