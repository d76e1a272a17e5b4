//! The catalog of TDocs, for each state of the registers made of the one before, the first one of a file.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
};

use store::{Snapshot, StoreError};

use super::TdocCatalog;

/// Catalogs that are kept: a request that began before a change asks for the one before.
const MAX_CATALOGS: usize = 3;
/// With fewer documents a catalog is built as fast as it is read.
const MIN_SAVED_DOCUMENTS: usize = 20_000;

/// A cache of the catalogs of the last states.
#[derive(Default)]
pub struct TdocCatalogCache {
    /// The newest last.
    catalogs: Mutex<Vec<Arc<TdocCatalog>>>,
    saver: Option<CatalogSaver>,
}

/// What writes the file.
struct CatalogSaver {
    path: PathBuf,
    min_documents: usize,
    running: Mutex<Option<JoinHandle<()>>>,
}

impl TdocCatalogCache {
    /// A cache that keeps a large catalog in a file, so that the next process begins with it.
    pub fn with_file(path: PathBuf) -> Self {
        Self::with_file_from(path, MIN_SAVED_DOCUMENTS)
    }

    /// The same, for catalogs of so many documents.
    pub(crate) fn with_file_from(path: PathBuf, min_documents: usize) -> Self {
        let saver = CatalogSaver { path, min_documents, running: Mutex::default() };
        Self { catalogs: Mutex::default(), saver: Some(saver) }
    }

    /// The catalog of a snapshot; brought up to date when the registers have changed since the last call.
    pub fn catalog_of(&self, snapshot: &Snapshot) -> Result<Arc<TdocCatalog>, StoreError> {
        let generation = snapshot.tdocs().tdocs_generation()?;
        let mut cached = lock(&self.catalogs);
        if let Some(catalog) = cached.iter().find(|cached| cached.generation == generation) {
            return Ok(catalog.clone());
        }
        let before = cached.last();
        let followed = match (before, &self.saver) {
            (Some(before), _) => before.updated(snapshot)?,
            (None, Some(saver)) => TdocCatalog::load(&saver.path, snapshot)?,
            (None, None) => None,
        };
        let is_newest = before.is_none_or(|newest| newest.generation < generation);
        let is_anew = followed.is_none();
        let catalog = match followed {
            Some(catalog) => catalog,
            None => TdocCatalog::from_snapshot(snapshot)?,
        };
        let catalog = match &self.saver {
            Some(saver) if is_newest => saver.save_if_worthwhile(catalog, is_anew),
            _ => Arc::new(catalog),
        };
        // One of an older state is of use to the request alone.
        if is_newest {
            cached.push(catalog.clone());
            let surplus = cached.len().saturating_sub(MAX_CATALOGS);
            cached.drain(..surplus);
        }
        Ok(catalog)
    }
}

impl CatalogSaver {
    /// Begins to write a catalog where the file would save much work, unless one is being written. Waits for the end where the
    /// catalog was built anew: beside that it is little, and a command may end before a thread of its own.
    fn save_if_worthwhile(&self, mut catalog: TdocCatalog, wait: bool) -> Arc<TdocCatalog> {
        let mut running = lock(&self.running);
        let is_free = running.as_ref().is_none_or(JoinHandle::is_finished);
        if !is_free || catalog.len() < self.min_documents || !catalog.differs_much_from_file() {
            return Arc::new(catalog);
        }
        catalog.replaced_chunks = 0;
        let catalog = Arc::new(catalog);
        let (saved, path) = (catalog.clone(), self.path.clone());
        let save = move || {
            // A folder that may not be written to is served without.
            if let Err(error) = saved.save(&path) {
                tracing::info!(%error, path = %path.display(), "cannot save the catalog of TDocs");
            }
        };
        if wait {
            save();
            return catalog;
        }
        *running = thread::Builder::new().name("catalog".to_owned()).spawn(save).ok();
        catalog
    }
}

impl Drop for CatalogSaver {
    fn drop(&mut self) {
        if let Some(running) = lock(&self.running).take() {
            // It has told of its error.
            let _ = running.join();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
