//! Synchronises specifications with the mirror: new versions are fetched and taken in.
//!
//! The mirror has them as the 3GPP file server has: `Specs/archive/38_series/38.331/38331-i40.zip`.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use serde::{Deserialize, Serialize};

use super::{
    CommandError, CountedJob, IngestFiles, Job, JobKind, JobProgress, JobReport, JobRunner,
    JobStep,
    on_demand::{
        ARCHIVE, record_folder, record_specification_list, save_catalogue, spec_folder_path,
        version_files,
    },
};
use domain::{DocNumber, Release, Version, error_chain};
use ingest::{IngestOptions, IngestRules, RefusedFile};
use mirror::{ListingEntry, MirrorError};
use store::Snapshot;

/// Files that are fetched before they are taken in, and removed.
const SLICE_FILES: usize = 8;
/// Files in the report that could not be fetched or read.
const MAX_REFUSED: usize = 200;

/// Which versions to fetch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecSyncOptions {
    /// Series, such as `38`; all where neither series nor numbers are given.
    pub series: Vec<String>,
    /// Documents.
    pub numbers: Vec<DocNumber>,
    /// Releases; all when empty.
    pub releases: Vec<Release>,
    /// Only the newest version of each release.
    pub newest: bool,
    /// Drafts too.
    pub drafts: bool,
    /// Leave the vectors to a later run, or to the server.
    pub no_vectors: bool,
    /// Record what the mirror lists, and fetch nothing.
    #[serde(default)]
    pub list_only: bool,
}

/// Report of a synchronisation of specifications.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecSyncReport {
    /// Documents that were looked at.
    pub documents: usize,
    /// Versions that the index lacks and the mirror has, of those that were looked at.
    #[serde(default)]
    pub listed: usize,
    /// Versions that the index had.
    pub known: usize,
    /// Files that were fetched.
    pub fetched: usize,
    /// Versions that were taken in.
    pub taken: usize,
    /// The first of the files and folders that could not be fetched or read; the next run tries them again.
    pub refused: Vec<RefusedFile>,
    /// The number of all of these.
    pub refused_count: usize,
    /// Whether it was stopped before its end; the next run continues.
    pub interrupted: bool,
}

impl SpecSyncReport {
    fn refuse(&mut self, file: &str, reason: String) {
        self.refused_count += 1;
        if self.refused.len() < MAX_REFUSED {
            self.refused.push(RefusedFile { file: file.to_owned(), reason });
        }
    }
}

/// Fetches versions that the index lacks, and takes them in.
pub struct SyncSpecs<'a> {
    /// Which specifications.
    pub options: &'a SpecSyncOptions,
}

impl JobReport for SpecSyncReport {
    fn is_complete(&self) -> bool {
        self.refused.is_empty() && !self.interrupted
    }
}

impl Job for SyncSpecs<'_> {
    type Event = JobStep;
    type Report = SpecSyncReport;
    type Error = CommandError;
    const COUNTED: Option<CountedJob> = Some((JobKind::Sync, "files"));

    fn run(
        self,
        jobs: &JobRunner,
        progress: JobProgress<'_, JobStep>,
    ) -> Result<SpecSyncReport, CommandError> {
        let Self { options } = self;
        let JobProgress { cancel, sink } = progress;
        let step: &mut dyn FnMut(usize, usize) = &mut |done, total| sink(JobStep { done, total });
        let mut report = SpecSyncReport::default();
        let files = list_missing_files(jobs, options, cancel, &mut report)?;
        // What was listed so far is worth keeping if the run was stopped, too.
        record_specification_list(jobs);
        save_catalogue(jobs);
        if report.interrupted || options.list_only {
            return Ok(report);
        }
        let total = files.len();
        step(0, total);
        for (done, slice) in files.chunks(SLICE_FILES).enumerate() {
            if cancel.load(Ordering::Acquire) {
                break;
            }
            take_slice(jobs, slice, options, cancel, &mut report)?;
            step((done * SLICE_FILES + slice.len()).min(total), total);
        }
        report.interrupted = cancel.load(Ordering::Acquire);
        Ok(report)
    }
}

/// The files of the versions that the index lacks. Records what each folder contains.
fn list_missing_files(
    jobs: &JobRunner,
    options: &SpecSyncOptions,
    cancel: &AtomicBool,
    report: &mut SpecSyncReport,
) -> Result<Vec<String>, CommandError> {
    let mut files = Vec::new();
    for folder in list_spec_folders(jobs, options, report)? {
        if cancel.load(Ordering::Acquire) {
            report.interrupted = true;
            break;
        }
        report.documents += 1;
        match jobs.settings.mirror.list_folder(&folder.path) {
            Ok(entries) => {
                record_folder(jobs, &folder.number, &entries);
                let snapshot = jobs.store.snapshot();
                for (version, names) in choose_versions(&folder, &entries, options) {
                    if is_stored(&snapshot, &folder.number, version) {
                        report.known += 1;
                        continue;
                    }
                    report.listed += 1;
                    files.extend(names.iter().map(|name| format!("{}/{name}", folder.path)));
                }
            }
            Err(error) => report.refuse(&folder.path, error_chain(&error)),
        }
    }
    Ok(files)
}

/// The folders of the documents that are asked for.
fn list_spec_folders(
    jobs: &JobRunner,
    options: &SpecSyncOptions,
    report: &mut SpecSyncReport,
) -> Result<Vec<SpecFolder>, CommandError> {
    let mut folders: Vec<SpecFolder> =
        options.numbers.iter().map(|number| SpecFolder::of(number.clone())).collect();
    let mut series = options.series.clone();
    if series.is_empty() && folders.is_empty() {
        let entries = jobs.settings.mirror.list_folder(ARCHIVE).map_err(CommandError::Mirror)?;
        let names = entries.into_iter().filter(|entry| entry.is_folder);
        series.extend(
            names.filter_map(|entry| entry.name.strip_suffix("_series").map(str::to_owned)),
        );
    }
    for series in series {
        let path = format!("{ARCHIVE}/{series}_series");
        match jobs.settings.mirror.list_folder(&path) {
            Ok(entries) => {
                let names = entries.iter().filter(|entry| entry.is_folder);
                let numbers = names.filter_map(|entry| entry.name.parse().ok());
                folders.extend(numbers.map(SpecFolder::of));
            }
            // A mistyped series is no reason to say that all is done.
            Err(error @ MirrorError::NotFound { .. }) => {
                return Err(CommandError::Mirror(error));
            }
            Err(error) => report.refuse(&path, error_chain(&error)),
        }
    }
    Ok(folders)
}

/// Fetches some files, takes them in, and removes the copies.
fn take_slice(
    jobs: &JobRunner,
    files: &[String],
    options: &SpecSyncOptions,
    cancel: &AtomicBool,
    report: &mut SpecSyncReport,
) -> Result<(), CommandError> {
    let inbox = jobs.store.data_folder().spec_inbox_folder();
    let (mut paths, mut copies) = (Vec::new(), Vec::new());
    for file in files {
        if cancel.load(Ordering::Acquire) {
            break;
        }
        match jobs.settings.mirror.fetch_file(file, &inbox) {
            Ok(fetched) => {
                report.fetched += usize::from(fetched.is_copy);
                copies.extend(fetched.is_copy.then(|| fetched.path.clone()));
                paths.push(fetched.path);
            }
            Err(error @ MirrorError::Io(_)) => return Err(CommandError::Mirror(error)),
            Err(error) => report.refuse(file, error_chain(&error)),
        }
    }
    if paths.is_empty() {
        return Ok(());
    }
    let ingest = IngestOptions {
        paths,
        no_vectors: options.no_vectors,
        rules: IngestRules { drafts: options.drafts, ..IngestRules::default() },
        ..IngestOptions::default()
    };
    let ingest = IngestFiles { request: &ingest };
    let ingested = ingest.run(jobs, JobProgress { cancel, sink: &mut |_| {} })?;
    report.taken += ingested.taken.len();
    for refused in ingested.refused {
        report.refuse(&file_name(&refused.file), refused.reason);
    }
    remove_copies(&copies);
    match ingested.failed {
        Some(reason) => Err(CommandError::Reading { reason }),
        None => Ok(()),
    }
}

/// The folder of a document on the mirror.
struct SpecFolder {
    number: DocNumber,
    path: String,
}

impl SpecFolder {
    fn of(number: DocNumber) -> Self {
        let path = spec_folder_path(&number);
        Self { number, path }
    }
}

/// The files of the versions that are asked for.
fn choose_versions(
    folder: &SpecFolder,
    entries: &[ListingEntry],
    options: &SpecSyncOptions,
) -> BTreeMap<Version, Vec<String>> {
    let mut versions: BTreeMap<Version, Vec<String>> = BTreeMap::new();
    for (version, entry) in version_files(&folder.number, entries) {
        let is_wanted = match Release::from_version(version) {
            Some(release) => options.releases.is_empty() || options.releases.contains(&release),
            None => options.drafts && options.releases.is_empty(),
        };
        if is_wanted {
            versions.entry(version).or_default().push(entry.name.clone());
        }
    }
    if options.newest {
        let mut newest: BTreeMap<u16, Version> = BTreeMap::new();
        // Versions ascend: the last one of a release stays.
        newest.extend(versions.keys().map(|version| (version.major, *version)));
        versions.retain(|version, _| newest.get(&version.major) == Some(version));
    }
    versions
}

fn is_stored(snapshot: &Snapshot, number: &DocNumber, version: Version) -> bool {
    snapshot.catalog().find_version(number, version).is_some()
}

fn file_name(path: &str) -> String {
    let name = Path::new(path).file_name();
    name.map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned())
}

fn remove_copies(copies: &[PathBuf]) {
    for path in copies {
        if let Err(error) = std::fs::remove_file(path) {
            tracing::warn!(error = error_chain(&error), "a fetched file was not removed");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(options: &SpecSyncOptions) -> Vec<String> {
        let folder = SpecFolder::of("38.331".parse().expect("valid"));
        assert_eq!(folder.path, "Specs/archive/38_series/38.331");
        let names = [
            "38331-020.zip",
            "38331-f50.zip",
            "38331-i10.zip",
            "38331-i20.zip",
            "38331-i20_rm.zip",
            "38331-j00.zip",
            "38300-i10.zip",
            "readme.txt",
        ];
        let entry =
            |name: &str| ListingEntry { name: name.to_owned(), is_folder: false, modified: None };
        let entries: Vec<ListingEntry> = names.into_iter().map(entry).collect();
        let chosen = choose_versions(&folder, &entries, options);
        chosen.into_values().flatten().collect()
    }

    #[test]
    fn versions_are_chosen_by_release_and_age() {
        let releases = vec![Release(18)];
        let all = choose(&SpecSyncOptions::default());
        assert_eq!(all, ["38331-f50.zip", "38331-i10.zip", "38331-i20.zip", "38331-j00.zip"]);
        let of_release =
            SpecSyncOptions { releases: releases.clone(), ..SpecSyncOptions::default() };
        assert_eq!(choose(&of_release), ["38331-i10.zip", "38331-i20.zip"]);
        let newest = SpecSyncOptions { newest: true, ..of_release };
        assert_eq!(choose(&newest), ["38331-i20.zip"]);
        let drafts = SpecSyncOptions { drafts: true, ..SpecSyncOptions::default() };
        assert_eq!(choose(&drafts).first().map(String::as_str), Some("38331-020.zip"));
    }
}
