//! The catalog of TDocs, for each state of the registers made of the one before.

use std::sync::{Arc, Mutex, PoisonError};

use store::{Snapshot, StoreError};

use super::TdocCatalog;

/// A cache of the catalog last built.
#[derive(Default)]
pub struct TdocCatalogCache(Mutex<Option<Arc<TdocCatalog>>>);

impl TdocCatalogCache {
    /// The catalog of a snapshot; brought up to date when the registers have changed since the last call.
    pub fn catalog_of(&self, snapshot: &Snapshot) -> Result<Arc<TdocCatalog>, StoreError> {
        let generation = snapshot.tdocs().tdocs_generation()?;
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(catalog) = cached.as_ref().filter(|cached| cached.generation == generation) {
            return Ok(catalog.clone());
        }
        let updated = match cached.as_ref() {
            Some(before) => before.updated(snapshot)?,
            None => None,
        };
        let catalog = match updated {
            Some(catalog) => Arc::new(catalog),
            None => Arc::new(TdocCatalog::from_snapshot(snapshot)?),
        };
        *cached = Some(catalog.clone());
        Ok(catalog)
    }
}
