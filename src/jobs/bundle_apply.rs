//! Bundles applied: the index is brought to a list of packs while it answers, or not at all.
//!
//! A copy of the index takes the packs in and then its place. The index before it is kept, so that one command goes back.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

use serde::{Deserialize, Serialize};

use super::{
    CommandError, CountedJob, Job, JobKind, JobProgress, JobReport, JobRunner, JobStep,
    definition_reader::DefinitionReader, packs::TrustChoice, restore::build_graphs,
};
use object_storage::open_depot;
use pack::{Depot, ListedPack, Manifest, ManifestTrust, ObjectHash, ObjectKind, PackKind};
use packing::{DefinitionsSource, PackImportReport, PackImporter};
use store::{DataFolder, IndexState, PictureHash, Store};

/// Which bundle to apply, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApplyOptions {
    /// The bundle: an absolute path of a folder or file, or an address of object storage.
    pub source: String,
    /// The manifest; the newest where none is named.
    pub manifest: Option<ObjectHash>,
    /// Whose signature it must have.
    pub trust: TrustChoice,
    /// Whether only to tell what would change.
    pub dry_run: bool,
}

/// Report of a bundle that was applied, or would be.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ApplyReport {
    /// The list that the index has now.
    pub manifest: String,
    /// When it was made.
    pub created_at: String,
    /// The list that the index had before; none for the first one.
    pub before: Option<String>,
    /// Documents that are new.
    pub added: Vec<String>,
    /// Documents, meetings and notes that are there in another state.
    pub replaced: Vec<String>,
    /// Documents that the list before had, and this one has not.
    pub removed: Vec<String>,
    /// Models that were installed.
    pub models: Vec<String>,
    /// The program of the bundle, where it brought one.
    pub program: Option<PathBuf>,
    /// What was taken in; none where nothing was.
    pub import: Option<PackImportReport>,
    /// Whether only what would change is told.
    pub dry_run: bool,
    /// Seconds taken.
    pub seconds: f64,
}

/// Report of a way back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RollbackReport {
    /// The list that the index had.
    pub left: Option<String>,
    /// The list that it has again; none where it had none.
    pub manifest: Option<String>,
    /// Changes that were made since and are gone.
    pub lost_changes: u64,
    /// Documents that the index has now.
    pub documents: usize,
}

/// How an index is brought to a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ApplyMode {
    /// What the index has beside the list before stays, under ids of its own.
    Merge,
    /// The index has what the list has, with the ids of where it comes from.
    Follow,
}

/// What a list changes in an index.
struct ApplyPlan {
    applied: Option<ObjectHash>,
    wanted: Vec<ListedPack>,
    removed: Vec<String>,
}

/// Brings the index to the list of a bundle. `cancel` ends it early; nothing has changed then.
pub struct ApplyBundle<'a> {
    /// The bundle, and how far it may change the index.
    pub options: &'a ApplyOptions,
}

impl JobReport for ApplyReport {}

impl Job for ApplyBundle<'_> {
    type Event = JobStep;
    type Report = ApplyReport;
    type Error = CommandError;
    const COUNTED: Option<CountedJob> = Some((JobKind::Packs, "packs"));

    fn run(
        self,
        jobs: &JobRunner,
        progress: JobProgress<'_, JobStep>,
    ) -> Result<ApplyReport, CommandError> {
        let Self { options } = self;
        let JobProgress { cancel, sink } = progress;
        let step: &mut dyn FnMut(usize, usize) = &mut |done, total| sink(JobStep { done, total });
        let depot = open_depot(&options.source)?;
        let (name, manifest) =
            read_list(&depot, options.manifest.as_ref(), &options.trust.parse()?)?;
        let _one_at_a_time = jobs.lock_ingest();
        let _vectors = super::vectors::lock_vectors(jobs);
        if options.dry_run {
            let started = Instant::now();
            let plan = plan(jobs, &depot, &name, &manifest, ApplyMode::Merge)?;
            let report = report(jobs, &name, &manifest, &plan, started);
            Ok(ApplyReport { dry_run: true, ..report })
        } else {
            apply_list(jobs, &depot, (&name, &manifest), ApplyMode::Merge, cancel, step)
        }
    }
}

/// The same with a list that was read; who calls holds the locks of documents and vectors.
pub(super) fn apply_list(
    jobs: &JobRunner,
    source: &Depot,
    (name, manifest): (&ObjectHash, &Manifest),
    mode: ApplyMode,
    cancel: &AtomicBool,
    step: &mut dyn FnMut(usize, usize),
) -> Result<ApplyReport, CommandError> {
    let started = Instant::now();
    jobs.store.recover()?;
    let plan = plan(jobs, source, name, manifest, mode)?;
    let mut report = report(jobs, name, manifest, &plan, started);
    super::bundle_files::check_space(jobs, &plan.wanted, manifest)?;
    report.models = super::bundle_files::install_models(jobs, source, manifest)?;
    let depot = with_own_pictures(jobs, source, &plan)?;
    let replacement = jobs.store.begin_replacement()?;
    let next = replacement.store();
    let state = match (mode, &manifest.state) {
        (ApplyMode::Follow, Some(state)) => {
            let state = IndexState::decode(&depot.read_hashed(ObjectKind::State, state)?)?;
            next.lock_writer().follow_ids(&state)?;
            Some(state)
        }
        _ => None,
    };
    let reader = DefinitionReader::new(&jobs.settings.ingest);
    let importer = PackImporter {
        store: next,
        depot: &depot,
        model: jobs.models.to_model_row(&jobs.text_embedding()?)?,
        may_change_model: jobs.models.settings().text_embedding.is_none(),
        skip_damaged: false,
        definitions: DefinitionsSource { reader: &reader, anew: false },
    };
    let import = importer.import_packs(&plan.wanted, state.as_ref(), cancel, step)?;
    for title in &plan.removed {
        if let Some((number, version)) = parse_title(title) {
            next.lock_writer().remove_document(&number, version)?;
        }
    }
    if !import.interrupted {
        build_graphs(next, cancel)?;
    }
    if import.interrupted || cancel.load(Ordering::Acquire) {
        return Err(CommandError::Stopped);
    }
    next.index_folder().write_applied_list(&manifest.encode())?;
    // A program that finds no room leaves the index as it is.
    report.program = super::bundle_files::install_program(jobs, source, manifest)?;
    replacement.publish()?;
    Ok(ApplyReport { import: Some(import), seconds: started.elapsed().as_secs_f64(), ..report })
}

/// Goes back to the index before the last bundle. Changes since then are lost; unless they may be, it is refused.
pub struct RollBackBundle {
    /// Whether what was stored since may be lost.
    pub discard_changes: bool,
}

impl JobReport for RollbackReport {}

impl Job for RollBackBundle {
    type Event = JobStep;
    type Report = RollbackReport;
    type Error = CommandError;

    fn run(
        self,
        jobs: &JobRunner,
        _progress: JobProgress<'_, JobStep>,
    ) -> Result<RollbackReport, CommandError> {
        let Self { discard_changes } = self;
        let _one_at_a_time = jobs.lock_ingest();
        let _vectors = super::vectors::lock_vectors(jobs);
        jobs.store.recover()?;
        let left = read_applied(&jobs.store.index_folder())?.map(|(name, _)| name);
        match jobs.store.changes_since_replacement()? {
            Some(changes) if changes > 0 && !discard_changes => {
                return Err(CommandError::ChangesSince { changes });
            }
            _ => {}
        }
        let lost_changes = jobs.store.roll_back()?.lost_changes;
        let now = read_applied(&jobs.store.index_folder())?;
        let documents = jobs.store.snapshot().catalog().document_entries().count();
        Ok(RollbackReport {
            left: left.map(|name| name.to_string()),
            manifest: now.map(|(name, _)| name.to_string()),
            lost_changes,
            documents,
        })
    }
}

/// The list that the index was last brought to.
pub(super) fn applied_list(
    jobs: &JobRunner,
) -> Result<Option<(ObjectHash, Manifest)>, CommandError> {
    read_applied(&jobs.store.index_folder())
}

fn plan(
    jobs: &JobRunner,
    depot: &Depot,
    name: &ObjectHash,
    manifest: &Manifest,
    mode: ApplyMode,
) -> Result<ApplyPlan, CommandError> {
    let (applied, before) = match applied_list(jobs)? {
        Some((name, before)) => (Some(name), before),
        None => (None, Manifest::new(String::new(), String::new(), None)),
    };
    let stored = stored_documents(&jobs.store);
    let is_stored = |title: &str| stored.contains(title);
    let listed: BTreeSet<&str> = titles_of_documents(manifest).collect();
    let mut wanted: Vec<ListedPack> = Vec::new();
    let new: BTreeSet<(PackKind, &str)> =
        manifest.packs_beyond(&before).into_iter().map(ListedPack::key).collect();
    for pack in &manifest.packs {
        let is_lost = pack.kind == PackKind::Document && !is_stored(&pack.title);
        if new.contains(&pack.key()) || is_lost {
            wanted.push(pack.clone());
        }
    }
    for pack in &wanted {
        if depot.has_object(ObjectKind::Pack, &pack.pack)? {
            continue;
        }
        let (bundle, title) = (name.to_string(), pack.title.clone());
        return Err(match manifest.parent {
            Some(parent) if applied != Some(parent) => CommandError::ContinuesAnother {
                bundle,
                parent: parent.to_string(),
                applied: applied.map(|applied| applied.to_string()),
                title,
            },
            _ => CommandError::IncompleteBundle { bundle, title },
        });
    }
    let gone: Vec<String> = match mode {
        ApplyMode::Merge => titles_of_documents(&before)
            .filter(|title| !listed.contains(title) && is_stored(title))
            .map(str::to_owned)
            .collect(),
        ApplyMode::Follow => {
            stored.iter().filter(|title| !listed.contains(title.as_str())).cloned().collect()
        }
    };
    Ok(ApplyPlan { applied, wanted, removed: gone })
}

fn report(
    jobs: &JobRunner,
    name: &ObjectHash,
    manifest: &Manifest,
    plan: &ApplyPlan,
    started: Instant,
) -> ApplyReport {
    let stored = stored_documents(&jobs.store);
    let (replaced, added): (Vec<&ListedPack>, Vec<&ListedPack>) = plan
        .wanted
        .iter()
        .partition(|pack| pack.kind != PackKind::Document || stored.contains(&pack.title));
    let titles = |packs: Vec<&ListedPack>| packs.iter().map(|pack| pack.title.clone()).collect();
    ApplyReport {
        manifest: name.to_string(),
        created_at: manifest.created_at.clone(),
        before: plan.applied.map(|applied| applied.to_string()),
        added: titles(added),
        replaced: titles(replaced),
        removed: plan.removed.clone(),
        seconds: started.elapsed().as_secs_f64(),
        ..ApplyReport::default()
    }
}

/// A depot of which a delta has no pictures that earlier versions of its documents have here.
fn with_own_pictures(
    jobs: &JobRunner,
    source: &Depot,
    plan: &ApplyPlan,
) -> Result<Depot, CommandError> {
    let numbers: BTreeSet<&str> =
        plan.wanted.iter().filter_map(|pack| Some(pack.title.rsplit_once(' ')?.0)).collect();
    let snapshot = jobs.store.snapshot();
    let entries = snapshot.catalog().document_entries();
    let earlier = entries.filter(|entry| numbers.contains(entry.row.number.as_str()));
    let documents: HashSet<u32> = earlier.map(|entry| entry.id).collect();
    // A drawing lies beside its picture, under the name of that.
    let mut drawings: HashMap<ObjectHash, PictureHash> = HashMap::new();
    for picture in snapshot.figures().pictures_of(&documents)? {
        if let Some(drawing) = jobs.store.read_drawing(&picture)? {
            drawings.insert(ObjectHash::of(&drawing), picture);
        }
    }
    let store = jobs.store.clone();
    Ok(source.clone().with_pictures_of(move |kind, hash| {
        let read = match kind {
            ObjectKind::Drawing => store.read_drawing(drawings.get(hash)?),
            _ => store.read_picture(hash.as_bytes()),
        };
        read.ok().flatten()
    }))
}

/// A list of a depot with its name, the newest where none is named.
pub(super) fn read_list(
    depot: &Depot,
    name: Option<&ObjectHash>,
    trust: &ManifestTrust,
) -> Result<(ObjectHash, Manifest), CommandError> {
    let name = match name {
        Some(name) => *name,
        None => depot
            .latest_manifest()?
            .ok_or_else(|| CommandError::NoManifest { depot: depot.location() })?,
    };
    Ok((name, depot.read_manifest(&name, trust)?))
}

/// The list that an index was last brought to.
fn read_applied(folder: &DataFolder) -> Result<Option<(ObjectHash, Manifest)>, CommandError> {
    let Some(list) = folder.read_applied_list()? else { return Ok(None) };
    Ok(Some((ObjectHash::of(&list), Manifest::decode(&list)?)))
}

fn titles_of_documents(manifest: &Manifest) -> impl Iterator<Item = &str> {
    let documents = manifest.packs.iter().filter(|pack| pack.kind == PackKind::Document);
    documents.map(|pack| pack.title.as_str())
}

/// The documents of an index, as their packs are called.
fn stored_documents(store: &Store) -> BTreeSet<String> {
    let snapshot = store.snapshot();
    let entries = snapshot.catalog().document_entries();
    entries.map(|entry| format!("{} {}", entry.row.number, entry.row.version)).collect()
}

fn parse_title(title: &str) -> Option<(domain::DocNumber, domain::Version)> {
    let (number, version) = title.rsplit_once(' ')?;
    Some((number.parse().ok()?, version.parse().ok()?))
}
