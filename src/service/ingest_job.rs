//! Ingest as a command of the service.

use std::{
    path::PathBuf,
    sync::{PoisonError, atomic::AtomicBool},
};

use super::Service;
use crate::{
    extract::{Limits, Options, worker::WorkerConfig},
    ingest::{IngestError, IngestEvent, IngestOptions, Ingester, Report},
    neural::{self, Registry},
};

/// How this installation reads documents.
#[derive(Debug, Clone, Default)]
pub struct IngestSettings {
    /// The program that serves as a worker when it is given the argument `worker`.
    pub program: PathBuf,
    /// LibreOffice, where it is installed.
    pub converter: Option<PathBuf>,
}

impl IngestSettings {
    /// A worker that may read the files asked for and, unless a converter needs the rest of the
    /// system, nothing else.
    fn worker_config(&self, paths: &[PathBuf]) -> WorkerConfig {
        let readable = if self.converter.is_none() { paths.to_vec() } else { Vec::new() };
        WorkerConfig {
            program: self.program.clone(),
            arguments: vec!["worker".into()],
            limits: Limits::default(),
            options: Options { converter: self.converter.clone() },
            readable,
        }
    }
}

impl Service {
    /// Takes files in; one run at a time, a second one waits for the first.
    pub fn ingest(
        &self,
        request: &IngestOptions,
        cancel: &AtomicBool,
        sink: &mut dyn FnMut(IngestEvent),
    ) -> Result<Report, IngestError> {
        let _one_at_a_time = self.ingesting.lock().unwrap_or_else(PoisonError::into_inner);
        let name = self.text_embedding()?;
        let folder = &self.models.settings().folder;
        let tokenizer = neural::load_tokenizer(Registry::shipped(), &name, folder)?;
        let embedder = if request.no_vectors { None } else { Some(self.models.embedder(&name)?) };
        let reader = self.settings.ingest.worker_config(&request.paths);
        let ingester = Ingester {
            store: &self.store,
            reader: &reader,
            tokenizer: &tokenizer,
            embedder,
            model: self.models.stored_identity(&name)?,
        };
        ingester.run(request, cancel, sink)
    }
}
