//! Reads what the source lists: the folder of one document, or all of a folder on this machine.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    super::JobRunner,
    catalogue::{ListedFolder, SourceCatalogue},
};
use cost_meter::run_shared;
use domain::{DocNumber, error_chain};
use extract::Worker;
use mirror::{ListingEntry, Mirror, MirrorError};
use register::ListedSpecification;

/// The folder of all versions, on the mirror.
pub(in crate::jobs) const ARCHIVE: &str = "Specs/archive";
/// The folder of the portal's list, on the mirror.
const LIST_FOLDER: &str = "Specs";
/// What the name of the portal's list contains: `2023-05-19_0651_SpecificationList_3e62b3.xlsx`.
const LIST_NAME: &str = "specificationlist";

/// The folder of a document on the mirror. The number has only digits, letters, dots and hyphens, so no path leads out.
pub(in crate::jobs) fn spec_folder_path(number: &DocNumber) -> String {
    format!("{ARCHIVE}/{}_series/{number}", number.series())
}

fn catalogue_path(jobs: &JobRunner) -> PathBuf {
    jobs.store.data_folder().source_catalogue_path()
}

fn current_catalogue(jobs: &JobRunner) -> Arc<SourceCatalogue> {
    run_shared(|| jobs.catalogue.get(&catalogue_path(jobs), &jobs.settings.mirror.name()))
}

/// What the source lists. A folder on this machine is read when it was not for a while; of a server, what was read before.
pub fn source_catalogue(jobs: &JobRunner) -> Arc<SourceCatalogue> {
    let catalogue = current_catalogue(jobs);
    let is_local = matches!(&*jobs.settings.mirror, Mirror::Folder(_));
    if !is_local || jobs.catalogue.is_walked() {
        return catalogue;
    }
    // For all requests, however long it takes.
    run_shared(|| {
        walk_folder(jobs);
        record_specification_list(jobs);
    });
    current_catalogue(jobs)
}

/// Reads the folders of all documents, and forgets those that are gone.
fn walk_folder(jobs: &JobRunner) {
    let mirror = &*jobs.settings.mirror;
    let subfolders = |path: &str| -> Vec<String> {
        let entries = mirror.list_folder(path).unwrap_or_default().into_iter();
        entries.filter(|entry| entry.is_folder).map(|entry| entry.name).collect()
    };
    let mut folders = BTreeMap::new();
    for series in subfolders(ARCHIVE) {
        for name in subfolders(&format!("{ARCHIVE}/{series}")) {
            let Ok(number) = name.parse::<DocNumber>() else { continue };
            if let Ok(entries) = mirror.list_folder(&spec_folder_path(&number)) {
                folders.insert(number.clone(), ListedFolder::read_now(&number, &entries));
            }
        }
    }
    jobs.catalogue.update(|catalogue| catalogue.folders = folders);
    jobs.catalogue.note_walk();
}

/// What is known of the folder of a document, without a request to a server.
pub(super) fn known_folder(jobs: &JobRunner, number: &DocNumber) -> Option<ListedFolder> {
    match &*jobs.settings.mirror {
        Mirror::Server(_) => current_catalogue(jobs).folders.get(number).cloned(),
        Mirror::Folder(_) => {
            let entries = jobs.settings.mirror.list_folder(&spec_folder_path(number));
            Some(ListedFolder::read_now(number, &entries.unwrap_or_default()))
        }
        Mirror::None => None,
    }
}

/// Asks the source for the folder of a document. One that does not exist is recorded as well.
pub(super) fn read_folder(jobs: &JobRunner, number: &DocNumber) -> Result<(), MirrorError> {
    let entries = match jobs.settings.mirror.list_folder(&spec_folder_path(number)) {
        Err(MirrorError::NotFound { .. }) => Vec::new(),
        other => other?,
    };
    record_folder(jobs, number, &entries);
    save_catalogue(jobs);
    Ok(())
}

/// Records the entries of the folder of a document.
pub(in crate::jobs) fn record_folder(
    jobs: &JobRunner,
    number: &DocNumber,
    entries: &[ListingEntry],
) {
    current_catalogue(jobs);
    let listed = ListedFolder::read_now(number, entries);
    jobs.catalogue.update(|catalogue| {
        catalogue.folders.insert(number.clone(), listed);
    });
}

/// Keeps what was recorded for the next process.
pub(in crate::jobs) fn save_catalogue(jobs: &JobRunner) {
    jobs.catalogue.save(&catalogue_path(jobs));
}

/// Reads the portal's list of specifications, if the source has one that was not read before: the newest by its name, which
/// begins with the date. The server of 3GPP has none; an operator may put one into the data folder.
pub(in crate::jobs) fn record_specification_list(jobs: &JobRunner) {
    let own = Mirror::Folder(jobs.store.data_folder().mirror_folder());
    let sources = [&*jobs.settings.mirror, &own];
    let Some((mirror, entry)) =
        sources.into_iter().find_map(|mirror| Some((mirror, find_list(mirror)?)))
    else {
        return;
    };
    let identity = Some((entry.name.clone(), entry.modified.clone()));
    if current_catalogue(jobs).list_file == identity {
        return;
    }
    match read_list(jobs, mirror, &entry.name) {
        Ok(rows) => jobs.catalogue.update(|catalogue| {
            let numbered = rows.into_iter().filter_map(|row| Some((row.number.parse().ok()?, row)));
            catalogue.specifications = numbered.collect();
            catalogue.list_file = identity;
        }),
        Err(reason) => {
            tracing::warn!(file = entry.name, reason, "the list of specifications was not read");
        }
    }
}

fn find_list(mirror: &Mirror) -> Option<ListingEntry> {
    let entries = mirror.list_folder(LIST_FOLDER).ok()?.into_iter();
    let lists = entries.filter(|entry| {
        let name = entry.name.to_lowercase();
        !entry.is_folder && name.contains(LIST_NAME) && name.ends_with(".xlsx")
    });
    lists.max_by(|a, b| a.name.cmp(&b.name))
}

fn read_list(
    jobs: &JobRunner,
    mirror: &Mirror,
    name: &str,
) -> Result<Vec<ListedSpecification>, String> {
    let inbox = jobs.store.data_folder().spec_inbox_folder();
    let path = format!("{LIST_FOLDER}/{name}");
    let file = mirror.fetch_file(&path, &inbox).map_err(|error| error_chain(&error))?;
    let readable: &[PathBuf] = std::slice::from_ref(&file.path);
    let mut worker = Worker::new(jobs.settings.ingest.worker_config(readable, false));
    let read = worker.read_specification_list(&file.path).map_err(|error| error_chain(&error));
    if file.is_copy {
        remove_copy(&file.path);
    }
    read
}

/// Removes a file that was fetched.
pub(super) fn remove_copy(path: &Path) {
    if let Err(error) = std::fs::remove_file(path) {
        tracing::warn!(%error, "a fetched file was not removed");
    }
}
