//! Packs taken into the index, while it is served.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::{
    CommandError, CountedJob, Job, JobKind, JobProgress, JobReport, JobRunner, JobStep,
    backup::read_backup, definition_reader::DefinitionReader,
};
use object_storage::open_depot;
use pack::{ManifestTrust, ObjectHash, TrustedKey};
use packing::{DefinitionsSource, PackImportReport, PackImporter};

/// Which packs to take in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakeOptions {
    /// The depot: an absolute folder, or an address of object storage.
    pub source: String,
    /// The manifest; the newest where none is named.
    pub manifest: Option<ObjectHash>,
    /// Whose signature it must have.
    pub trust: TrustChoice,
}

/// Whose signature a manifest must have, as a command says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrustChoice {
    /// One of these keys: base64 lines, or files, of minisign.
    Keys(Vec<String>),
    /// Anybody's, or none.
    Anyone,
}

impl TrustChoice {
    /// Reads the keys.
    pub fn parse(&self) -> Result<ManifestTrust, CommandError> {
        Ok(match self {
            Self::Anyone => ManifestTrust::Anyone,
            Self::Keys(keys) => {
                let keys = keys.iter().map(|key| TrustedKey::parse(key));
                ManifestTrust::Keys(keys.collect::<Result<_, _>>()?)
            }
        })
    }
}

/// Report of packs that were taken in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TakeReport {
    /// When their list was made.
    pub created_at: String,
    /// What was taken in.
    #[serde(flatten)]
    pub import: PackImportReport,
    /// Seconds taken.
    pub seconds: f64,
}

/// Takes the packs of a list into the index. `cancel` ends it early; what was taken in stays, and the next run
/// continues.
pub struct TakePacks<'a> {
    /// The packs, and whose signature they need.
    pub options: &'a TakeOptions,
}

impl JobReport for TakeReport {
    fn is_complete(&self) -> bool {
        !self.import.interrupted
    }
}

impl Job for TakePacks<'_> {
    type Event = JobStep;
    type Report = TakeReport;
    type Error = CommandError;
    const COUNTED: Option<CountedJob> = Some((JobKind::Packs, "packs"));

    fn run(
        self,
        jobs: &JobRunner,
        progress: JobProgress<'_, JobStep>,
    ) -> Result<TakeReport, CommandError> {
        let Self { options } = self;
        let JobProgress { cancel, sink } = progress;
        let step: &mut dyn FnMut(usize, usize) = &mut |done, total| sink(JobStep { done, total });
        let started = Instant::now();
        let depot = open_depot(&options.source)?;
        let manifest = read_backup(&depot, options.manifest.as_ref(), &options.trust.parse()?)?;
        let _one_at_a_time = jobs.lock_ingest();
        let _vectors = super::vectors::lock_vectors(jobs);
        jobs.store.recover()?;
        let model = jobs.models.to_model_row(&jobs.text_embedding()?)?;
        let reader = DefinitionReader::new(&jobs.settings.ingest);
        let importer = PackImporter {
            store: &jobs.store,
            depot: &depot,
            model,
            may_change_model: jobs.models.settings().text_embedding.is_none(),
            skip_damaged: false,
            definitions: DefinitionsSource { reader: &reader, anew: false },
        };
        let import = importer.import_packs(&manifest.packs, None, cancel, step)?;
        let created_at = manifest.created_at;
        Ok(TakeReport { created_at, import, seconds: started.elapsed().as_secs_f64() })
    }
}
