//! Packs made in bulk: built from sources, and given vectors, by any number of processes at once.
//!
//! A process reads its share of the sources into an index of its own, which is thrown away, and leaves packs and notes in
//! the depot. What the depot has from a source already is not read again.

use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    str::FromStr,
    sync::atomic::{AtomicBool, Ordering},
};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{CommandError, IngestFiles, Job, JobProgress, JobRunner, JobStep};
use accounts::format_timestamp;
use ingest::{IngestEvent, IngestOptions, IngestRules, RefusedFile, hash_source};
use mirror::{SpecificationSource, plan_sources};
use pack::{
    Depot, ListedPack, Manifest, ManifestTrust, ObjectHash, ObjectKind, PackError, SigningKey,
    SourceNote, VectorModel, VectorSubject,
};
use packing::{
    EmbedReport, add_embeddings, collect_built_packs, collect_packs, embed_packs, export_documents,
};
use retrieval::ModelSettings;
use store::{DocumentEntry, EXTRACTOR_REVISION};

/// Sources that are read before their packs are written: so much is read again when the process ends.
const SLICE_SOURCES: usize = 16;

/// One of so many equal shares, such as `2/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 1.
    index: u64,
    /// Of how many.
    count: u64,
}

impl Shard {
    /// Everything.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// Whether something belongs to this share, by its name.
    fn has(self, name: &str) -> bool {
        let hash = ObjectHash::of(name.as_bytes());
        let (first, _) = hash.as_bytes().split_first_chunk().expect("a hash has 32 bytes");
        u64::from_le_bytes(*first) % self.count == self.index - 1
    }
}

/// A share that is none.
#[derive(Debug, thiserror::Error)]
#[error("write a share as 2/8, for the second of eight")]
pub struct BadShard;

impl FromStr for Shard {
    type Err = BadShard;

    fn from_str(text: &str) -> Result<Self, BadShard> {
        let (index, count) = text.split_once('/').ok_or(BadShard)?;
        let (index, count) = (index.parse().ok(), count.parse().ok());
        let (Some(index), Some(count)) = (index, count) else { return Err(BadShard) };
        if (1..=count).contains(&index) { Ok(Self { index, count }) } else { Err(BadShard) }
    }
}

/// What to build packs of.
pub struct PackBuildOptions {
    /// Files and folders, absolute.
    pub paths: Vec<PathBuf>,
    /// The share of the sources.
    pub shard: Shard,
    /// Take drafts too.
    pub drafts: bool,
}

/// What building did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackBuildReport {
    /// Sources of this share.
    pub sources: usize,
    /// Sources that the depot had already.
    pub skipped: usize,
    /// Packs that were made.
    pub packs: usize,
    /// Files that could not be read.
    pub refused: Vec<RefusedFile>,
    /// Whether it was stopped before its end; the next run continues.
    pub interrupted: bool,
}

/// Builds packs of sources, in the index of this runner, which must hold nothing else.
pub struct BuildPacks<'a> {
    /// Where the packs are.
    pub depot: &'a Depot,
    /// The sources.
    pub options: &'a PackBuildOptions,
}

impl Job for BuildPacks<'_> {
    type Event = IngestEvent;
    type Report = PackBuildReport;
    type Error = CommandError;

    fn run(
        self,
        jobs: &JobRunner,
        progress: JobProgress<'_, IngestEvent>,
    ) -> Result<PackBuildReport, CommandError> {
        let Self { depot, options } = self;
        let JobProgress { cancel, sink } = progress;
        // Without it passages would be cut by an estimate: the same source would give another pack.
        let ModelSettings { registry, folder, .. } = jobs.models.settings();
        neural::load_tokenizer(registry, &jobs.text_embedding()?, folder)?;
        let plan = plan_sources(&options.paths).map_err(CommandError::Files)?;
        if plan.sources.is_empty() {
            return Err(CommandError::NoSources);
        }
        let own = plan.sources.into_iter().filter(|source| options.shard.has(&source.name()));
        let own: Vec<SpecificationSource> = own.collect();
        let mut report = PackBuildReport { sources: own.len(), ..PackBuildReport::default() };
        let converter = jobs.settings.ingest.converter.is_some();
        let mut unknown: Vec<(ObjectHash, SpecificationSource)> = Vec::new();
        for source in own {
            // A file that cannot be read is refused with its reason by the ingest.
            let hash = hash_source(&source).map_or(ObjectHash::of(&[]), ObjectHash::from_bytes);
            match depot.find_source(&hash, EXTRACTOR_REVISION, (options.drafts, converter))? {
                Some(note) if has_packs(depot, &note)? => report.skipped += 1,
                _ => unknown.push((hash, source)),
            }
        }
        for slice in unknown.chunks(SLICE_SOURCES) {
            if cancel.load(Ordering::Acquire) {
                break;
            }
            build_slice(jobs, depot, slice, options.drafts, cancel, sink, &mut report)?;
        }
        report.interrupted = cancel.load(Ordering::Acquire);
        Ok(report)
    }
}

fn build_slice(
    jobs: &JobRunner,
    depot: &Depot,
    slice: &[(ObjectHash, SpecificationSource)],
    drafts: bool,
    cancel: &AtomicBool,
    sink: &mut dyn FnMut(IngestEvent),
    report: &mut PackBuildReport,
) -> Result<(), CommandError> {
    let paths = slice.iter().flat_map(|(_, source)| source.files.clone()).collect();
    let rules = IngestRules { drafts, ..IngestRules::default() };
    let options = IngestOptions { paths, no_vectors: true, rules, ..IngestOptions::default() };
    let ingest = IngestFiles { request: &options };
    let ingested = ingest.run(jobs, JobProgress { cancel, sink })?;
    let refused_files = ingested.refused.clone();
    report.refused.extend(ingested.refused);
    if let Some(reason) = ingested.failed {
        return Err(CommandError::Reading { reason });
    }
    if ingested.interrupted {
        return Ok(());
    }
    let hashes: HashSet<[u8; 32]> = slice.iter().map(|(hash, _)| *hash.as_bytes()).collect();
    let is_wanted = |entry: &DocumentEntry| hashes.contains(&entry.row.source_hash);
    let mut packs: HashMap<[u8; 32], Vec<ListedPack>> = HashMap::new();
    for (source, listed) in export_documents(&jobs.store, depot, is_wanted)? {
        packs.entry(source).or_default().push(listed);
    }
    let refused: HashSet<&str> = refused_files.iter().map(|f| f.file.as_str()).collect();
    for (hash, source) in slice {
        let is_refused = |path: &PathBuf| refused.contains(path.display().to_string().as_str());
        if source.files.iter().any(is_refused) {
            continue;
        }
        let packs = packs.remove(hash.as_bytes()).unwrap_or_default();
        report.packs += packs.len();
        depot.note_source(&SourceNote {
            source: *hash,
            revision: EXTRACTOR_REVISION,
            drafts,
            converter: jobs.settings.ingest.converter.is_some(),
            built_at: format_timestamp(Timestamp::now()),
            file: source.name(),
            packs,
        })?;
    }
    Ok(())
}

/// Gives the packs of a depot vectors of a model: those of one share, where they lack them.
pub struct EmbedDepot<'a> {
    /// Where the packs are.
    pub depot: &'a Depot,
    /// Name of the text model; `None` for that of the packs, otherwise the configured one.
    pub model: Option<&'a str>,
    /// The share of the packs.
    pub shard: Shard,
}

/// The text model of the packs that have vectors: an import would leave out the vectors of another one.
fn model_of_packs(packs: &[ListedPack]) -> Option<&str> {
    let vectors = packs.iter().flat_map(|listed| &listed.vectors);
    let mut of_texts = vectors.filter(|vectors| vectors.subject == VectorSubject::Texts);
    of_texts.next().map(|vectors| vectors.model.name.as_str())
}

impl Job for EmbedDepot<'_> {
    type Event = JobStep;
    type Report = EmbedReport;
    type Error = CommandError;

    fn run(
        self,
        jobs: &JobRunner,
        progress: JobProgress<'_, JobStep>,
    ) -> Result<EmbedReport, CommandError> {
        let Self { depot, model, shard } = self;
        let JobProgress { cancel, sink } = progress;
        let step: &mut dyn FnMut(usize, usize) = &mut |done, total| sink(JobStep { done, total });
        let mut packs = collect_packs(depot, read_newest(depot)?)?;
        let name = match model.or_else(|| model_of_packs(&packs)) {
            Some(name) => name.to_owned(),
            None => jobs.text_embedding()?,
        };
        let row = jobs.models.to_model_row(&name)?;
        let embedder = jobs.models.text_embedder(&name)?;
        let identity = ObjectHash::from_bytes(row.identity);
        let model = VectorModel { name: row.name, identity, dimension: row.dimension };
        // Versions of a document share most of their texts: they stay together.
        packs.retain(|listed| shard.has(listed.title.split(' ').next().unwrap_or_default()));
        let embed = |texts: &[&str]| {
            embedder.embed_documents(texts).map_err(|error| domain::error_chain(&error))
        };
        Ok(embed_packs(depot, &packs, &model, &embed, cancel, step)?)
    }
}

/// Whether the packs of a source are there.
fn has_packs(depot: &Depot, note: &SourceNote) -> Result<bool, PackError> {
    for listed in &note.packs {
        if !depot.has_object(ObjectKind::Pack, &listed.pack)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn read_newest(depot: &Depot) -> Result<Option<Manifest>, CommandError> {
    let newest = depot.latest_manifest()?;
    let read = |name| depot.read_manifest(&name, &ManifestTrust::Anyone);
    Ok(newest.map(read).transpose()?)
}

/// Makes a list of all that builders and embedders have left in a depot the newest. Returns its name and the number of
/// its packs. A list that builders did not make, such as a backup, gets the new vectors. With a key, only what the same
/// key signed is taken over from an earlier list.
pub fn publish_packs(
    depot: &Depot,
    key: Option<&SigningKey>,
) -> Result<(ObjectHash, usize), CommandError> {
    let trust = match key {
        Some(key) => ManifestTrust::Keys(vec![key.trusted_key()?]),
        None => ManifestTrust::Anyone,
    };
    let mut packs = collect_built_packs(depot)?;
    let parent = depot.latest_manifest()?;
    let newest = match parent {
        Some(name) if packs.is_empty() => Some(depot.read_manifest(&name, &trust)?),
        Some(name) => depot.read_manifest(&name, &trust).ok(),
        None => None,
    };
    if packs.is_empty() && newest.is_none() {
        return Err(CommandError::NoManifest { depot: depot.location() });
    }
    let (mut state, mut secrets) = (None, None);
    if let Some(newest) = newest {
        if packs.is_empty() {
            (packs, state, secrets) = (newest.packs, newest.state, newest.secrets);
            add_embeddings(depot, &mut packs)?;
        } else if newest.state.is_some() {
            return Err(CommandError::HoldsBackups { depot: depot.location() });
        }
    }
    let now = format_timestamp(Timestamp::now());
    let mut manifest = Manifest::new(now, env!("CARGO_PKG_VERSION").to_owned(), parent);
    (manifest.packs, manifest.state, manifest.secrets) = (packs, state, secrets);
    let comment = format!("specbox packs {}", manifest.created_at);
    let sign = |file: &[u8]| key.map(|key| key.sign(file, &comment)).transpose();
    let name = depot.write_manifest(&manifest, sign)?;
    depot.publish_manifest(&name)?;
    Ok((name, manifest.packs.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_belongs_to_one_share() {
        for count in [1, 2, 7] {
            let shards: Vec<Shard> = (1..=count)
                .map(|index| format!("{index}/{count}").parse().expect("a share"))
                .collect();
            for name in ["38331-i00.zip", "38300-h40.zip", ""] {
                assert_eq!(shards.iter().filter(|shard| shard.has(name)).count(), 1, "{name}");
            }
        }
        for text in ["0/2", "3/2", "1", "a/b", "1/0", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
