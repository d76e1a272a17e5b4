//! The catalog of TDocs, made once for each state of the registers.

use std::sync::{Arc, Mutex, PoisonError};

use store::{Snapshot, StoreError};

use super::TdocCatalog;

/// The catalog as of the last question about it.
#[derive(Default)]
pub struct TdocCatalogCache(Mutex<Option<Arc<TdocCatalog>>>);

impl TdocCatalogCache {
    /// The TDocs of all registers, as a snapshot has them; made when they are first asked for after
    /// a change.
    pub fn catalog_of(&self, snapshot: &Snapshot) -> Result<Arc<TdocCatalog>, StoreError> {
        let generation = snapshot.tdocs().tdocs_generation()?;
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(catalog) = cached.as_ref().filter(|cached| cached.generation == generation) {
            return Ok(catalog.clone());
        }
        let catalog = Arc::new(TdocCatalog::from_snapshot(snapshot)?);
        *cached = Some(catalog.clone());
        Ok(catalog)
    }
}
