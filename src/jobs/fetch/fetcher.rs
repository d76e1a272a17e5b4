//! Fetches one document from the mirror, reads it and indexes it.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use jiff::Timestamp;
use register::Column;

use super::super::JobRunner;
use accounts::format_timestamp;
use contributions::{
    LocatedTdoc, entry_from_first_page, join_covers, list_inbox_revisions, locate_tdoc,
    warn_of_other_number,
};
use document::ExtractError;
use domain::{TdocId, error_chain};
use extract::{Contribution, NotesOptions, Worker};
use ingest::{IngestError, TdocFile, TdocIngester};
use mirror::{MirrorError, MirrorFile};
use neural::NeuralError;
use store::{StoreError, TdocJobKind, TdocJobRow};
use wire::records::FetchTimes;

/// How often the full pipeline (with the converter) tries a file.
const MAX_TRIES: u32 = 2;

/// Why a document was not fetched or indexed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TdocFetchError {
    /// No mirror has its file.
    #[error("file not found")]
    NotFound,
    /// The file cannot be fetched from the mirror.
    #[error("cannot fetch the file from the mirror")]
    Mirror(#[from] MirrorError),
    /// The file cannot be read.
    #[error("cannot read the file")]
    Extract(#[from] ExtractError),
    /// The models failed.
    #[error("the models cannot be used")]
    Neural(#[from] NeuralError),
    /// Cutting, embedding or storing failed.
    #[error("indexing failed")]
    Ingest(#[from] IngestError),
    /// The data folder cannot be read or written.
    #[error("the data folder cannot be read or written")]
    Store(#[from] StoreError),
    /// A file could not be written or read.
    #[error("a file could not be read or written")]
    Io(#[from] std::io::Error),
}

impl TdocFetchError {
    /// A sentence for the caller; details of this machine go only to the log.
    pub(crate) fn caller_message(&self) -> String {
        match self {
            Self::NotFound | Self::Mirror(MirrorError::NotFound { .. }) => {
                "The file was not found on the mirror.".to_owned()
            }
            Self::Mirror(MirrorError::TooLarge { limit, .. }) => {
                format!("The file on the mirror exceeds the limit of {limit} bytes.")
            }
            Self::Mirror(MirrorError::ForbiddenHost { host }) => {
                format!("The mirror redirects to '{host}', which mirror.hosts does not allow. Tell the operator.")
            }
            Self::Mirror(MirrorError::Io(_)) | Self::Io(_) | Self::Store(_) => {
                "The file could not be stored. Try again later. If the problem persists, tell the operator."
                    .to_owned()
            }
            Self::Mirror(MirrorError::Failed { path, reason }) => {
                format!("The mirror did not return '{path}': {reason}. Try again later.")
            }
            Self::Extract(error) => format!("The file could not be read: {error}."),
            Self::Neural(error) => format!("{}.", error_chain(error)),
            Self::Ingest(_) => {
                "The file could not be indexed. Try again later. If the problem persists, tell the operator."
                    .to_owned()
            }
        }
    }
}

/// Fetches, reads and indexes documents, one after the other.
pub(crate) struct TdocFetcher<'a> {
    runner: &'a JobRunner,
    /// Reads files; started with the first one. Before it, the text model for which it cuts passages.
    worker: Option<(String, Worker)>,
}

impl<'a> TdocFetcher<'a> {
    pub(crate) fn new(runner: &'a JobRunner) -> Self {
        Self { runner, worker: None }
    }

    /// Fetches a document, reads it and indexes it.
    pub(crate) fn fetch_tdoc(&mut self, id: &TdocId) -> Result<FetchTimes, TdocFetchError> {
        let mut timer = FetchTimer::start();
        let runner = self.runner;
        runner.store.recover()?;
        let snapshot = runner.store.snapshot();
        let catalog = runner.tdoc_catalogs.catalog_of(&snapshot)?;
        let row = snapshot.tdocs().tdoc_row(id)?;
        let url = row.as_ref().and_then(|row| row.entry.url.clone());
        let title =
            row.as_ref().and_then(|row| row.entry.column_text(Column::Title)).map(str::to_owned);
        let mirror = &*runner.settings.mirror;
        let fetched = match locate_tdoc(&catalog, mirror, id, url.as_deref()) {
            Ok(Some(located)) => self.fetch_located_file(&located, &catalog, id),
            Ok(None) => return Err(TdocFetchError::NotFound),
            Err(error) => Err(error.into()),
        };
        let (located, mirror_file) = fetched?;
        let download = timer.lap_ms();
        let hash = hash_file(&mirror_file.path)?;
        let read = self.read_file(&mirror_file.path, id, title.as_deref(), false)?;
        let known = snapshot.catalog().tdoc_by_id(id);
        if read.files.is_empty() && known.is_some_and(|known| !known.row.passages.is_empty()) {
            // The text that was read of it before is better than none.
            let name = read.faults.first().cloned().unwrap_or_default();
            return Err(ExtractError::NoDocument { name }.into());
        }
        let parse = timer.lap_ms();
        if !catalog.is_listed(id) {
            let mut entry = entry_from_first_page(id.as_str(), &read);
            entry.url = Some(mirror::official_url(&located.path));
            runner.store.lock_writer().record_unlisted_tdoc(id, &located.meeting, &entry)?;
        }
        let inbox = list_inbox_revisions(mirror, &located.path, id).unwrap_or_else(|error| {
            tracing::warn!(%id, error = error_chain(&error), "the meeting inbox could not be read");
            Vec::new()
        });
        let wants_converter = read.wants_converter;
        let name = located.path.rsplit('/').next().unwrap_or(&located.path).to_owned();
        let file = TdocFile {
            id: id.clone(),
            file: name,
            origin: mirror_file.origin.clone(),
            inbox,
            hash,
            read_at: format_timestamp(Timestamp::now()),
        };
        self.index_tdoc(file, read)?;
        if wants_converter {
            self.queue_for_conversion(id, &mirror_file)?;
        } else if mirror_file.is_copy {
            fs::remove_file(&mirror_file.path)?;
        }
        let index = timer.lap_ms();
        Ok(timer.to_fetch_times(download, parse, index))
    }

    /// Fetches the file from its located path, or, where that is outdated, from the meeting's folder.
    fn fetch_located_file(
        &self,
        located: &LocatedTdoc,
        catalog: &contributions::TdocCatalog,
        id: &TdocId,
    ) -> Result<(LocatedTdoc, MirrorFile), TdocFetchError> {
        let mirror = &*self.runner.settings.mirror;
        let folder = self.runner.store.data_folder().tdoc_inbox_folder();
        match mirror.fetch_file(&located.path, &folder) {
            Ok(mirror_file) => Ok((located.clone(), mirror_file)),
            Err(MirrorError::NotFound { .. }) => {
                // The register's link is outdated: search the meeting's folder.
                let relocated = locate_tdoc(catalog, mirror, id, None)?;
                let relocated = relocated.filter(|relocated| relocated.path != located.path);
                let relocated = relocated.ok_or(TdocFetchError::NotFound)?;
                let mirror_file = match mirror.fetch_file(&relocated.path, &folder) {
                    Ok(mirror_file) => mirror_file,
                    Err(MirrorError::NotFound { .. }) => return Err(TdocFetchError::NotFound),
                    Err(error) => return Err(error.into()),
                };
                Ok((relocated, mirror_file))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Reads a file. For one that cannot be read at all, the result has no content and says why.
    fn read_file(
        &mut self,
        path: &Path,
        id: &TdocId,
        title: Option<&str>,
        converts: bool,
    ) -> Result<Contribution, TdocFetchError> {
        // The text model may be switched while a queue is processed: passages are cut for the one that embeds them.
        let model = self.runner.text_embedding()?;
        let worker = match &mut self.worker {
            Some((of, worker)) if !converts && *of == model => worker,
            _ => &mut self.worker.insert((model.clone(), self.new_worker(&model, converts))).1,
        };
        let read = worker.read_contribution(path, id.as_str(), title);
        if converts {
            // The next file is read by a worker with fewer permissions.
            self.worker = None;
        }
        match read {
            Ok(mut read) => {
                read.faults.extend(warn_of_other_number(id, &read));
                Ok(read)
            }
            Err(error @ ExtractError::WorkerUnusable { .. }) => Err(error.into()),
            Err(error) => {
                Ok(Contribution { faults: vec![error.to_string()], ..Contribution::default() })
            }
        }
    }

    fn new_worker(&self, model: &str, converts: bool) -> Worker {
        let folder = self.runner.store.data_folder().tdoc_inbox_folder();
        // The sandbox can allow only folders that exist.
        let _ = fs::create_dir_all(&folder);
        let mut readable = vec![folder];
        if let mirror::Mirror::Folder(root) = &*self.runner.settings.mirror {
            readable.push(root.clone());
        }
        let mut config = self.runner.settings.ingest.worker_config(&readable, false);
        if !converts {
            config.options.converter = None;
        }
        // Notes and reports are documents too.
        match NotesOptions::with_rules_from(&self.runner.store.data_folder().notes_rules_folder()) {
            Ok(notes) => config.options.notes = notes,
            Err(error) => tracing::warn!(
                error = error_chain(&error),
                "the rules for notes in the folder minutes cannot be used"
            ),
        }
        config.passages = Some(self.runner.token_counting(model));
        Worker::new(config)
    }

    fn index_tdoc(&self, file: TdocFile, read: Contribution) -> Result<(), TdocFetchError> {
        let runner = self.runner;
        super::super::notes::store_notes_of_tdoc(runner, &file.id, &read, &file.file, file.hash)?;
        let name = runner.text_embedding()?;
        let embedder = runner.models.text_embedder(&name);
        if let Err(error) = &embedder {
            tracing::warn!(error = error_chain(error), "a document can be searched by words only");
        }
        let ingester = TdocIngester {
            store: &runner.store,
            embedder: embedder.ok(),
            model: runner.models.to_model_row(&name)?,
        };
        let id = file.id.clone();
        ingester.ingest_tdoc(file, read)?;
        join_covers(&runner.store, std::iter::once(&id))?;
        Ok(())
    }

    /// Moves a file to the folder of the full pipeline, and queues its conversion in the store.
    fn queue_for_conversion(
        &self,
        id: &TdocId,
        mirror_file: &MirrorFile,
    ) -> Result<(), TdocFetchError> {
        let waiting_path = self.conversion_path(id, &mirror_file.path);
        if let Some(folder) = waiting_path.parent() {
            fs::create_dir_all(folder)?;
        }
        if mirror_file.is_copy {
            fs::rename(&mirror_file.path, &waiting_path)?;
        } else {
            fs::copy(&mirror_file.path, &waiting_path)?;
        }
        let job = TdocJobRow {
            id: id.clone(),
            kind: TdocJobKind::Convert,
            queued_at: format_timestamp(Timestamp::now()),
            tries: 0,
            last_error: None,
        };
        self.runner.store.lock_writer().queue_tdoc_job(&job)?;
        Ok(())
    }

    /// The folder in which the file of a document waits for the full pipeline.
    fn conversion_folder(&self, id: &TdocId) -> PathBuf {
        self.runner.store.data_folder().tdoc_inbox_folder().join("waiting").join(id.as_str())
    }

    /// The path at which a file waits: its own name in the document's folder.
    fn conversion_path(&self, id: &TdocId, path: &Path) -> PathBuf {
        self.conversion_folder(id).join(path.file_name().unwrap_or(path.as_os_str()))
    }

    /// Reads a file again by the full pipeline. If that fails, the earlier text stays.
    pub(crate) fn convert_tdoc(&mut self, id: &TdocId) -> Result<(), TdocFetchError> {
        let runner = self.runner;
        let folder = self.conversion_folder(id);
        let outcome = self.try_convert(id, &folder);
        let snapshot = runner.store.snapshot();
        let job = snapshot.tdocs().tdoc_job(id)?.filter(|job| job.kind == TdocJobKind::Convert);
        let is_finished = match (&outcome, job) {
            (Ok(()), _) => true,
            (Err(error), Some(mut job)) => {
                job.tries += 1;
                job.last_error = Some(error_chain(error));
                let given_up = job.tries >= MAX_TRIES;
                if !given_up {
                    runner.store.lock_writer().queue_tdoc_job(&job)?;
                }
                given_up
            }
            (Err(_), None) => true,
        };
        if is_finished {
            runner.store.lock_writer().remove_tdoc_job(id)?;
            fs::remove_dir_all(&folder)?;
        }
        outcome
    }

    fn try_convert(&mut self, id: &TdocId, folder: &Path) -> Result<(), TdocFetchError> {
        let file = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).find(|p| p.is_file());
        let path = file.ok_or(TdocFetchError::NotFound)?;
        let snapshot = self.runner.store.snapshot();
        let row = snapshot.tdocs().tdoc_row(id)?;
        let title = row.as_ref().and_then(|row| row.entry.column_text(Column::Title));
        let read = self.read_file(&path, id, title, true)?;
        if read.files.is_empty() {
            return Err(TdocFetchError::Extract(ExtractError::NoDocument {
                name: read.faults.first().cloned().unwrap_or_default(),
            }));
        }
        let known = snapshot.catalog().tdoc_by_id(id);
        let file = TdocFile {
            id: id.clone(),
            file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            origin: known.map(|known| known.row.origin.clone()).unwrap_or_default(),
            inbox: known.map(|known| known.row.inbox.clone()).unwrap_or_default(),
            hash: hash_file(&path)?,
            read_at: format_timestamp(Timestamp::now()),
        };
        self.index_tdoc(file, read)
    }
}

fn hash_file(path: &Path) -> std::io::Result<[u8; 32]> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(fs::File::open(path)?)?;
    Ok(*hasher.finalize().as_bytes())
}

/// Measures the parts of a fetch.
struct FetchTimer {
    started: Instant,
    last: Instant,
}

impl FetchTimer {
    fn start() -> Self {
        let now = Instant::now();
        Self { started: now, last: now }
    }

    /// Milliseconds since the start or the previous lap.
    fn lap_ms(&mut self) -> u64 {
        let now = Instant::now();
        let lap = now - self.last;
        self.last = now;
        u64::try_from(lap.as_millis()).unwrap_or(u64::MAX)
    }

    fn to_fetch_times(&self, download_ms: u64, parse_ms: u64, index_ms: u64) -> FetchTimes {
        let total_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        FetchTimes { was_there: false, download_ms, parse_ms, index_ms, total_ms }
    }
}
