//! Every job on a small store: what it reports and stores. No models are installed.

use std::{
    collections::BTreeSet,
    fmt::Debug,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use accounts::{Access, AccessSettings, AccountsLocation};
use contributions::TdocCatalogCache;
use ingest::{IngestEvent, IngestOptions};
use mirror::Mirror;
use neural::{LoadOptions, ModelRegistry};
use object_storage::open_depot;
use retrieval::{ModelSettings, Models, SearchActivity};
use specbox::jobs::{
    ApplyBundle, ApplyOptions, Backup, BackupOptions, BuildPacks, EmbedDepot, ExportTables,
    ImportCalendars, ImportMeetings, ImportRegisters, IngestFiles, IngestSettings, Job, JobKind,
    JobProgress, JobRunner, JobSettings, JobStep, OptimizeVectors, PackBuildOptions,
    ProcessPending, ReindexVectors, RollBackBundle, SecretsChoice, Shard, SpecSyncOptions,
    SyncMeetings, SyncSpecs, SyncTdocs, TakeOptions, TakePacks, TrustChoice, UnreadableParts,
    UpgradeIndex,
};
use store::{DataFolder, GraphBuilder, Store};
use tempfile::TempDir;

/// A data folder with its jobs.
struct Workshop {
    folder: TempDir,
    store: Arc<Store>,
    access: Access,
    jobs: JobRunner,
}

fn sample(part: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sample").join(part)
}

impl Workshop {
    /// An empty index with the sample mirror.
    fn open() -> Self {
        let folder = tempfile::tempdir().expect("temporary folder");
        let data = DataFolder::new(folder.path().join("data"));
        data.create_folders().expect("created");
        let location = AccountsLocation::File(data.accounts_path());
        let access = Access::open(&location, AccessSettings::default()).expect("accounts");
        let catalogs = Arc::new(TdocCatalogCache::with_file(data.tdoc_catalog_path()));
        let store = Arc::new(Store::open(data).expect("opened"));
        let models = ModelSettings {
            registry: ModelRegistry::shipped().clone(),
            folder: folder.path().join("models"),
            text_embedding: None,
            image_embedding: None,
            reranker: "none".to_owned(),
            embedding: LoadOptions::default(),
            reranking: LoadOptions::default(),
        };
        let settings = JobSettings {
            ingest: IngestSettings {
                program: env!("CARGO_BIN_EXE_specbox").into(),
                converter: None,
            },
            graph_builder: GraphBuilder::default(),
            mirror: Arc::new(Mirror::Folder(sample("mirror"))),
            on_demand: false,
        };
        let (models, activity) =
            (Arc::new(Models::new(models)), Arc::new(SearchActivity::default()));
        let jobs = JobRunner::new(store.clone(), models, activity, catalogs, settings);
        Self { folder, store, access, jobs }
    }

    /// An index with one specification of the sample corpus.
    fn with_document() -> Self {
        let workshop = Self::open();
        let report = workshop.ingest(&[one_archive()]);
        assert_eq!((report.taken.len(), report.refused.len()), (1, 0), "{report:?}");
        workshop
    }

    fn ingest(&self, paths: &[PathBuf]) -> ingest::IngestReport {
        let request =
            IngestOptions { paths: paths.to_vec(), no_vectors: true, ..IngestOptions::default() };
        let never = AtomicBool::new(false);
        let progress = JobProgress { cancel: &never, sink: &mut |_: IngestEvent| {} };
        IngestFiles { request: &request }.run(&self.jobs, progress).expect("ingested")
    }

    fn run<J: Job<Event = JobStep>>(&self, job: J) -> Result<J::Report, J::Error> {
        let never = AtomicBool::new(false);
        job.run(&self.jobs, JobProgress { cancel: &never, sink: &mut |_| {} })
    }

    /// Runs a job that is cancelled before it begins.
    fn run_cancelled<J: Job<Event = JobStep>>(&self, job: J) -> Result<J::Report, J::Error> {
        let stop = AtomicBool::new(true);
        job.run(&self.jobs, JobProgress { cancel: &stop, sink: &mut |_| {} })
    }

    /// The steps that a job reports.
    fn steps_of<J: Job<Event = JobStep, Error: Debug>>(&self, job: J) -> Vec<JobStep> {
        let never = AtomicBool::new(false);
        let mut steps = Vec::new();
        let progress = JobProgress { cancel: &never, sink: &mut |step| steps.push(step) };
        job.run(&self.jobs, progress).map(drop).expect("done");
        steps
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn documents(&self) -> BTreeSet<String> {
        let snapshot = self.store.snapshot();
        let names = snapshot.catalog().document_entries();
        names.map(|entry| format!("{} {}", entry.row.number, entry.row.version)).collect()
    }

    fn depot_text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn back_up(&self, name: &str) {
        let options = BackupOptions {
            destination: self.depot_text(name),
            secrets: SecretsChoice::Without,
            key: None,
        };
        let backup = Backup { access: &self.access, options: &options };
        let report = self.run(backup).expect("backed up");
        assert!(!report.manifest.is_empty() && !report.with_accounts, "{report:?}");
    }
}

/// The only archive of one document of the sample corpus.
fn one_archive() -> PathBuf {
    let folder = sample("archive/29_series");
    let mut found: Vec<PathBuf> = walk(&folder);
    found.sort();
    found.into_iter().next().expect("an archive")
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(folder).expect("readable").map(|entry| entry.expect("one").path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

fn words_of<T: Debug, E: std::error::Error>(outcome: Result<T, E>) -> String {
    domain::error_chain(&outcome.expect_err("it is refused"))
}

#[test]
fn an_ingest_stores_what_it_reads_and_is_in_the_history() {
    let workshop = Workshop::with_document();
    assert_eq!(workshop.documents().len(), 1);
    let again = workshop.ingest(&[one_archive()]);
    assert!(again.taken.is_empty(), "it is known: {again:?}");
    let kinds: Vec<JobKind> =
        workshop.jobs.history.recent_jobs().iter().map(|job| job.kind).collect();
    assert_eq!(kinds, [JobKind::Ingest, JobKind::Ingest]);
}

#[test]
fn a_cancelled_ingest_stores_nothing() {
    let workshop = Workshop::open();
    let request = IngestOptions {
        paths: vec![sample("archive")],
        no_vectors: true,
        ..IngestOptions::default()
    };
    let stop = AtomicBool::new(true);
    let progress = JobProgress { cancel: &stop, sink: &mut |_: IngestEvent| {} };
    let report = IngestFiles { request: &request }.run(&workshop.jobs, progress).expect("ended");
    assert!(report.interrupted && workshop.documents().is_empty());
}

#[test]
fn a_calendar_a_register_and_reports_are_imported() {
    let workshop = Workshop::open();
    let calendars = [sample("mirror/meetings.csv"), workshop.path("missing.csv")];
    let report = workshop.run(ImportCalendars { paths: &calendars }).expect("imported");
    assert!(report.meetings > 0 && report.refused.len() == 1, "{report:?}");
    let paths = [sample("mirror")];
    let register =
        workshop.run(ImportRegisters { paths: &paths, meeting: None }).expect("imported");
    assert_eq!(register.imported.len(), 1, "{register:?}");
    assert!(register.imported[0].rows > 5);
    let report = walk(&sample("mirror")).into_iter().find(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("Final_Minutes"))
    });
    let paths = [report.expect("a report"), one_archive()];
    let meetings = workshop.run(ImportMeetings { paths: &paths, meeting: None }).expect("imported");
    assert_eq!(meetings.notes.len(), 1, "{meetings:?}");
    assert_eq!(meetings.refused.len(), 1, "a specification is not a report");
    let stopped = workshop.run_cancelled(ImportMeetings { paths: &paths, meeting: None });
    assert!(stopped.expect("ended").interrupted);
}

#[test]
fn the_mirror_gives_its_meetings_and_their_documents() {
    let workshop = Workshop::open();
    let groups = ["RAN1".parse().expect("a group")];
    let report = workshop.run(SyncMeetings { groups: &groups }).expect("listed");
    assert_eq!((report.meetings, report.new), (1, 1), "{report:?}");
    let again = workshop.run(SyncMeetings { groups: &groups }).expect("listed");
    assert_eq!((again.meetings, again.new), (1, 0));
    let meetings = ["R1-190".parse().expect("a meeting")];
    let sync = || SyncTdocs { meetings: &meetings, groups: &[] };
    assert!(workshop.run_cancelled(sync()).expect("ended").interrupted);
    let first = workshop.run(sync()).expect("synchronised");
    assert!(first.taken > 3 && first.notes == 1 && first.registers <= 1, "{first:?}");
    let second = workshop.run(sync()).expect("synchronised");
    assert_eq!((second.taken, second.known), (0, first.taken + first.known), "{second:?}");
    let pending = workshop.run(ProcessPending).expect("processed");
    assert_eq!(pending.refused.len(), 0, "{pending:?}");
}

#[test]
fn a_mirror_without_specifications_gives_none() {
    let workshop = Workshop::open();
    let options = SpecSyncOptions { series: vec!["38".to_owned()], ..SpecSyncOptions::default() };
    match workshop.run(SyncSpecs { options: &options }) {
        Ok(report) => assert_eq!(report.taken, 0, "{report:?}"),
        Err(error) => assert!(domain::error_chain(&error).contains("mirror"), "{error}"),
    }
    assert!(workshop.documents().is_empty());
}

#[test]
fn tables_are_written_outside_of_the_data_folder_only() {
    let workshop = Workshop::with_document();
    let out = workshop.path("tables");
    let written = workshop.run(ExportTables { folder: &out }).expect("written");
    let rows = |name: &str| {
        written.iter().find(|table| table.file.ends_with(name)).map(|table| table.rows)
    };
    assert_eq!(rows("documents.parquet"), Some(1), "{written:?}");
    assert!(rows("sections.parquet").is_some_and(|rows| rows > 5));
    let inside = workshop.path("data/tables");
    let refused = words_of(workshop.run(ExportTables { folder: &inside }));
    assert!(refused.contains("data folder"), "{refused}");
}

#[test]
fn an_index_without_vectors_has_nothing_to_optimize() {
    let workshop = Workshop::with_document();
    let report = workshop.run(OptimizeVectors).expect("optimized");
    assert_eq!((report.merged, report.segments, report.interrupted), (0, 0, false));
}

#[test]
fn a_model_that_is_unknown_or_not_installed_is_not_switched_to() {
    let workshop = Workshop::with_document();
    let unknown = words_of(workshop.run(ReindexVectors { model: "no-such-model" }));
    assert!(unknown.contains("no-such-model"), "{unknown}");
    let missing = words_of(workshop.run(ReindexVectors { model: "bge-small-en-v1.5" }));
    assert!(missing.contains("bge-small-en-v1.5"), "{missing}");
    assert_eq!(workshop.documents().len(), 1, "nothing else changed");
}

#[test]
fn a_backup_is_taken_in_by_another_index_as_packs_and_as_a_bundle() {
    let workshop = Workshop::with_document();
    workshop.back_up("backup");
    let source = workshop.depot_text("backup");
    let other = Workshop::open();
    let take = TakeOptions { source: source.clone(), manifest: None, trust: TrustChoice::Anyone };
    other.run(TakePacks { options: &take }).expect("taken in");
    assert_eq!(other.documents(), workshop.documents());

    let third = Workshop::open();
    let apply = |dry_run| ApplyOptions {
        source: source.clone(),
        manifest: None,
        trust: TrustChoice::Anyone,
        dry_run,
    };
    third.run(ApplyBundle { options: &apply(true) }).expect("planned");
    assert!(third.documents().is_empty(), "a dry run changes nothing");
    third.run(ApplyBundle { options: &apply(false) }).expect("applied");
    assert_eq!(third.documents(), workshop.documents());
    third.run(RollBackBundle { discard_changes: false }).expect("rolled back");
    assert!(third.documents().is_empty());
    let refused = words_of(other.run(RollBackBundle { discard_changes: false }));
    assert!(!refused.is_empty() && other.documents().len() == 1);
}

#[test]
fn jobs_that_are_cancelled_before_they_begin_change_nothing() {
    let source = Workshop::with_document();
    source.back_up("backup");
    let depot = source.depot_text("backup");
    let (take, apply) = (
        TakeOptions { source: depot.clone(), manifest: None, trust: TrustChoice::Anyone },
        ApplyOptions { source: depot, manifest: None, trust: TrustChoice::Anyone, dry_run: false },
    );
    let workshop = Workshop::open();
    let meetings = ["R1-190".parse().expect("a meeting")];
    let registers = [sample("mirror")];
    let tables = workshop.path("tables");
    // They end early or refuse; either way nothing is stored.
    let _ = workshop.run_cancelled(TakePacks { options: &take });
    let _ = workshop.run_cancelled(ApplyBundle { options: &apply });
    let _ = workshop.run_cancelled(SyncTdocs { meetings: &meetings, groups: &[] });
    let _ = workshop.run_cancelled(ImportRegisters { paths: &registers, meeting: None });
    let _ = workshop.run_cancelled(ProcessPending);
    let _ = workshop.run_cancelled(OptimizeVectors);
    let _ = workshop.run_cancelled(ExportTables { folder: &tables });
    let snapshot = workshop.store.snapshot();
    assert!(workshop.documents().is_empty());
    assert_eq!((snapshot.catalog().tdoc_count(), snapshot.content_count()), (0, 0));
    // They end when they are not cancelled: the source was there.
    workshop.run(TakePacks { options: &take }).expect("taken in");
    assert_eq!(workshop.documents(), source.documents());
}

#[test]
fn jobs_say_how_they_are_counted_and_their_steps_reach_the_total() {
    fn kind<J: Job>(_: &J) -> Option<(JobKind, &'static str)> {
        J::COUNTED
    }
    let workshop = Workshop::with_document();
    let tables = workshop.path("tables");
    let options = BackupOptions {
        destination: workshop.depot_text("depot"),
        secrets: SecretsChoice::Without,
        key: None,
    };
    let backup = Backup { access: &workshop.access, options: &options };
    assert_eq!(kind(&backup), Some((JobKind::Backup, "packs")));
    assert_eq!(kind(&ProcessPending), Some((JobKind::Sync, "documents")));
    assert_eq!(kind(&OptimizeVectors), Some((JobKind::Optimize, "rows")));
    assert_eq!(kind(&RollBackBundle { discard_changes: false }), None);
    let registers = [sample("mirror")];
    let import = ImportRegisters { paths: &registers, meeting: None };
    assert_eq!(kind(&import), Some((JobKind::Import, "registers")));
    for (what, steps) in [
        ("backup", workshop.steps_of(backup)),
        ("tables", workshop.steps_of(ExportTables { folder: &tables })),
        ("registers", workshop.steps_of(import)),
    ] {
        let last = steps.last().unwrap_or_else(|| panic!("{what} reports no step"));
        assert_eq!(last.done, last.total, "{what}: {steps:?}");
        assert!(steps.is_sorted_by_key(|step| step.done), "{what}: {steps:?}");
    }
}

#[test]
fn a_copy_in_a_new_folder_has_the_same_documents() {
    let workshop = Workshop::with_document();
    let target = workshop.path("copy");
    let upgrade = || UpgradeIndex {
        access: &workshop.access,
        target: &target,
        unreadable: UnreadableParts::Refuse,
    };
    let report = workshop.run(upgrade()).expect("copied");
    assert_eq!((report.documents, report.lost.len()), (1, 0));
    let copy = Store::open(DataFolder::new(target.clone())).expect("opened");
    assert_eq!(copy.snapshot().catalog().len(), 1);
    drop(copy);
    let refused = words_of(workshop.run(upgrade()));
    assert!(refused.contains("copy"), "the folder is not empty: {refused}");
}

#[test]
fn packs_are_not_built_by_estimated_tokens() {
    let workshop = Workshop::open();
    let depot = open_depot(&workshop.depot_text("depot")).expect("a depot");
    let options =
        PackBuildOptions { paths: vec![one_archive()], shard: Shard::WHOLE, drafts: false };
    let build = BuildPacks { depot: &depot, options: &options };
    let never = AtomicBool::new(false);
    let progress = JobProgress { cancel: &never, sink: &mut |_: IngestEvent| {} };
    let refused = words_of(build.run(&workshop.jobs, progress));
    assert!(refused.contains("all-MiniLM-L6-v2"), "{refused}");
    let embed = EmbedDepot { depot: &depot, model: None, shard: Shard::WHOLE };
    assert!(!words_of(workshop.run(embed)).is_empty());
}
