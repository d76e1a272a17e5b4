//! The catalog of TDocs: each state of the registers is built from the one before, the first one from a file.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
};

use store::{Snapshot, StoreError};

use super::TdocCatalog;

/// Stored catalogs: a request that began before a change needs the previous one. With one alone, such a request would
/// read all registers again; the states share the chunks that did not change, so that three are hardly larger.
const MAX_CATALOGS: usize = 3;
/// With fewer documents a catalog is built as fast as it is read from a file (a million take 8.6 s, see
/// `docs/benchmarks.md`).
const MIN_SAVED_DOCUMENTS: usize = 20_000;

/// A cache of the catalogs of the last states.
#[derive(Default)]
pub struct TdocCatalogCache {
    /// The newest last.
    catalogs: Mutex<Vec<Arc<TdocCatalog>>>,
    saver: Option<CatalogSaver>,
}

/// Writes the file.
struct CatalogSaver {
    path: PathBuf,
    min_documents: usize,
    running: Mutex<Option<JoinHandle<()>>>,
}

impl TdocCatalogCache {
    /// A cache that stores a large catalog in a file, so that the next process begins with it.
    pub fn with_file(path: PathBuf) -> Self {
        Self::with_file_from(path, MIN_SAVED_DOCUMENTS)
    }

    /// The same, for catalogs of at least `min_documents`.
    pub(crate) fn with_file_from(path: PathBuf, min_documents: usize) -> Self {
        let saver = CatalogSaver { path, min_documents, running: Mutex::default() };
        Self { catalogs: Mutex::default(), saver: Some(saver) }
    }

    /// The catalog of a snapshot, updated if the registers have changed since the last call. The lock is held
    /// meanwhile: concurrent requests wait for one catalog and do not build their own.
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
        // A catalog of an older state is useful only to this request.
        if is_newest {
            cached.push(catalog.clone());
            let surplus = cached.len().saturating_sub(MAX_CATALOGS);
            cached.drain(..surplus);
        }
        Ok(catalog)
    }
}

impl CatalogSaver {
    /// Begins to write a catalog if the file would save much work, unless one is being written. Waits for the end if
    /// the catalog was rebuilt: compared to that, writing is little work, and a command may end before a separate
    /// thread.
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
            // A read-only folder is served without a file.
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
            // The thread has logged its error.
            let _ = running.join();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
