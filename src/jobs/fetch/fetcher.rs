//! One document from the mirror to the index.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use jiff::Timestamp;
use register::Column;

use super::super::JobRunner;
use accounts::format_timestamp;
use contributions::{LocatedTdoc, entry_from_first_page, list_inbox_revisions, locate_tdoc};
use document::ExtractError;
use domain::{TdocId, error_chain};
use extract::{Contribution, Worker};
use ingest::{IngestError, TdocFile, TdocIngester};
use mirror::{MirrorError, MirrorFile};
use neural::NeuralError;
use retrieval::ModelSettings;
use store::{StoreError, TdocJobKind, TdocJobRow};
use wire::records::FetchTimes;

/// How often the full pipeline tries a file.
const MAX_TRIES: u32 = 2;

/// Why a document was not taken in.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TdocFetchError {
    /// No mirror has its file.
    #[error("no such file")]
    NotFound,
    /// The mirror failed.
    #[error("the mirror failed")]
    Mirror(#[from] MirrorError),
    /// The worker that reads files failed.
    #[error("the reader failed")]
    Extract(#[from] ExtractError),
    /// The models failed.
    #[error("the models are not usable")]
    Neural(#[from] NeuralError),
    /// Cutting, embedding or storing failed.
    #[error("indexing failed")]
    Ingest(#[from] IngestError),
    /// The data folder failed.
    #[error("the data folder failed")]
    Store(#[from] StoreError),
    /// A file could not be written or read.
    #[error("a file could not be read or written")]
    Io(#[from] std::io::Error),
}

impl TdocFetchError {
    /// A sentence for the caller; what is of this machine alone goes to the log.
    pub(crate) fn caller_message(&self) -> String {
        match self {
            Self::NotFound => "There is no such file on the mirror.".to_owned(),
            Self::Mirror(MirrorError::Io(_)) | Self::Io(_) | Self::Store(_) => {
                "The file could not be stored; the log says why. Try again later.".to_owned()
            }
            Self::Mirror(error) => format!("{error}. Try again later."),
            Self::Extract(error) => format!("The file could not be read: {error}."),
            Self::Neural(error) => format!("{}.", error_chain(error)),
            Self::Ingest(_) => {
                "The file could not be indexed; the log says why. Try again later.".to_owned()
            }
        }
    }
}

/// What takes documents in, one after the other.
pub(crate) struct TdocFetcher<'a> {
    runner: &'a JobRunner,
    /// Reads files; made with the first.
    worker: Option<Worker>,
}

impl<'a> TdocFetcher<'a> {
    pub(crate) fn new(runner: &'a JobRunner) -> Self {
        Self { runner, worker: None }
    }

    /// Fetches a document and takes it in.
    pub(crate) fn fetch_tdoc(&mut self, id: &TdocId) -> Result<FetchTimes, TdocFetchError> {
        let mut clock = FetchTimer::start();
        let runner = self.runner;
        runner.store.recover()?;
        let snapshot = runner.store.snapshot();
        let catalog = runner.tdoc_catalogs.catalog_of(&snapshot)?;
        let row = snapshot.tdocs().tdoc_row(id)?;
        let url = row.as_ref().and_then(|row| row.entry.url.clone());
        let title =
            row.as_ref().and_then(|row| row.entry.column_text(Column::Title)).map(str::to_owned);
        let mirror = &*runner.settings.mirror;
        let found = match locate_tdoc(&catalog, mirror, id, url.as_deref()) {
            Ok(Some(located)) => self.obtain_file(&located, &catalog, id),
            Ok(None) => return Err(TdocFetchError::NotFound),
            Err(error) => Err(error.into()),
        };
        let (located, obtained) = found?;
        let download = clock.lap_ms();
        let hash = hash_file(&obtained.path)?;
        let read = self.read_file(&obtained.path, id, false)?;
        let known = snapshot.catalog().tdoc_by_id(id);
        if read.files.is_empty() && known.is_some_and(|known| !known.row.passages.is_empty()) {
            // What was read of it before is better than nothing.
            let name = read.faults.first().cloned().unwrap_or_default();
            return Err(ExtractError::NoDocument { name }.into());
        }
        let parse = clock.lap_ms();
        if !catalog.is_listed(id) {
            let mut entry = entry_from_first_page(id.as_str(), &read);
            entry.url = Some(mirror::official_url(&located.path));
            runner.store.lock_writer().record_unlisted_tdoc(id, &located.meeting, &entry)?;
        }
        let inbox = list_inbox_revisions(mirror, &located.path, id).unwrap_or_else(|error| {
            tracing::warn!(%id, error = error_chain(&error), "the inbox could not be looked into");
            Vec::new()
        });
        let wants_converter = read.wants_converter;
        let name = located.path.rsplit('/').next().unwrap_or(&located.path).to_owned();
        let file = TdocFile {
            id: id.clone(),
            title,
            file: name,
            origin: obtained.origin.clone(),
            inbox,
            hash,
            read_at: format_timestamp(Timestamp::now()),
        };
        self.index_tdoc(file, read)?;
        if wants_converter {
            self.keep_for_conversion(id, &obtained)?;
        } else if obtained.is_copy {
            fs::remove_file(&obtained.path)?;
        }
        let index = clock.lap_ms();
        Ok(clock.to_fetch_times(download, parse, index))
    }

    /// The file, where the register leads to it, or else where it is.
    fn obtain_file(
        &self,
        located: &LocatedTdoc,
        catalog: &contributions::TdocCatalog,
        id: &TdocId,
    ) -> Result<(LocatedTdoc, MirrorFile), TdocFetchError> {
        let mirror = &*self.runner.settings.mirror;
        let folder = self.runner.store.data_folder().tdoc_inbox_folder();
        match mirror.fetch_file(&located.path, &folder) {
            Ok(obtained) => Ok((located.clone(), obtained)),
            Err(MirrorError::NotFound { .. }) => {
                // The register's link is old: the meeting's folder is looked through.
                let again = locate_tdoc(catalog, mirror, id, None)?;
                let again = again.filter(|again| again.path != located.path);
                let again = again.ok_or(TdocFetchError::NotFound)?;
                let obtained = match mirror.fetch_file(&again.path, &folder) {
                    Ok(obtained) => obtained,
                    Err(MirrorError::NotFound { .. }) => return Err(TdocFetchError::NotFound),
                    Err(error) => return Err(error.into()),
                };
                Ok((again, obtained))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// What the file holds. One that cannot be read at all holds nothing, for a reason.
    fn read_file(
        &mut self,
        path: &Path,
        id: &TdocId,
        converts: bool,
    ) -> Result<Contribution, TdocFetchError> {
        let worker = match &mut self.worker {
            Some(worker) if !converts => worker,
            _ => self.worker.insert(self.new_worker(converts)),
        };
        let read = worker.read_contribution(path, id.as_str());
        if converts {
            // The next file is read by one that may do less.
            self.worker = None;
        }
        match read {
            Ok(read) => Ok(read),
            Err(error @ ExtractError::WorkerUnusable { .. }) => Err(error.into()),
            Err(error) => {
                Ok(Contribution { faults: vec![error.to_string()], ..Contribution::default() })
            }
        }
    }

    fn new_worker(&self, converts: bool) -> Worker {
        let mut config = self.runner.settings.ingest.worker_config(&[], false);
        if !converts {
            config.options.converter = None;
            let folder = self.runner.store.data_folder().tdoc_inbox_folder();
            // What is not there cannot be allowed.
            let _ = fs::create_dir_all(&folder);
            config.readable = vec![folder];
            if let mirror::Mirror::Folder(root) = &*self.runner.settings.mirror {
                config.readable.push(root.clone());
            }
        }
        Worker::new(config)
    }

    fn index_tdoc(&self, file: TdocFile, read: Contribution) -> Result<(), TdocFetchError> {
        let runner = self.runner;
        runner.store_notes_of_tdoc(&file.id, &read, &file.file, file.hash)?;
        let name = runner.text_embedding()?;
        let ModelSettings { registry, folder, .. } = runner.models.settings();
        let tokenizer = neural::load_tokenizer(registry, &name, folder)?;
        let ingester = TdocIngester {
            store: &runner.store,
            tokenizer: &tokenizer,
            embedder: runner.models.text_embedder(&name)?,
            model: runner.models.to_model_row(&name)?,
        };
        ingester.ingest_tdoc(file, read)?;
        Ok(())
    }

    /// Keeps a file for the full pipeline, and notes that it is to be read by that.
    fn keep_for_conversion(
        &self,
        id: &TdocId,
        obtained: &MirrorFile,
    ) -> Result<(), TdocFetchError> {
        let kept = self.conversion_path(id, &obtained.path);
        if let Some(folder) = kept.parent() {
            fs::create_dir_all(folder)?;
        }
        if obtained.is_copy {
            fs::rename(&obtained.path, &kept)?;
        } else {
            fs::copy(&obtained.path, &kept)?;
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

    /// Where a file waits for the full pipeline: by the document's number, and the file's own name.
    fn conversion_path(&self, id: &TdocId, path: &Path) -> PathBuf {
        let folder =
            self.runner.store.data_folder().tdoc_inbox_folder().join("waiting").join(id.as_str());
        folder.join(path.file_name().unwrap_or(path.as_os_str()))
    }

    /// Reads a file again by the full pipeline. What cannot be read better stays as it is.
    pub(crate) fn convert_tdoc(&mut self, id: &TdocId) -> Result<(), TdocFetchError> {
        let runner = self.runner;
        let folder =
            runner.store.data_folder().tdoc_inbox_folder().join("waiting").join(id.as_str());
        let done = self.try_convert(id, &folder);
        let snapshot = runner.store.snapshot();
        let job = snapshot.tdocs().tdoc_job(id)?.filter(|job| job.kind == TdocJobKind::Convert);
        let given_up = match (&done, job) {
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
        if given_up {
            runner.store.lock_writer().remove_tdoc_job(id)?;
            fs::remove_dir_all(&folder)?;
        }
        done
    }

    fn try_convert(&mut self, id: &TdocId, folder: &Path) -> Result<(), TdocFetchError> {
        let file = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).find(|p| p.is_file());
        let path = file.ok_or(TdocFetchError::NotFound)?;
        let read = self.read_file(&path, id, true)?;
        if read.files.is_empty() {
            return Err(TdocFetchError::Extract(ExtractError::NoDocument {
                name: read.faults.first().cloned().unwrap_or_default(),
            }));
        }
        let snapshot = self.runner.store.snapshot();
        let row = snapshot.tdocs().tdoc_row(id)?;
        let title =
            row.as_ref().and_then(|row| row.entry.column_text(Column::Title)).map(str::to_owned);
        let known = snapshot.catalog().tdoc_by_id(id);
        let file = TdocFile {
            id: id.clone(),
            title,
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

/// How long the parts of a fetch took.
struct FetchTimer {
    started: Instant,
    last: Instant,
}

impl FetchTimer {
    fn start() -> Self {
        let now = Instant::now();
        Self { started: now, last: now }
    }

    /// Milliseconds since the last part.
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
