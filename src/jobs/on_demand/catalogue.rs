//! What the source of specifications lists, as far as it was read, with the time at which it was.
//!
//! Kept in a file of the data folder: the server of 3GPP has thousands of folders, which are read by `specbox sync specs`, one
//! request each, and never for a request of a client.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use domain::{DocNumber, Release, SpecFileName, Version, error_chain};
use mirror::ListingEntry;
use register::ListedSpecification;

/// Age up to which the listing of a folder on a server is used for a version that is asked for. New versions appear a few days
/// after a plenary, so an hour hides none for long.
const FRESH_SECONDS: i64 = 3600;
/// How long the walk over a folder of this machine is used.
const WALK_LIFETIME: Duration = Duration::from_secs(600);

/// What a source lists.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SourceCatalogue {
    /// The source, by its name in messages: what another one lists says nothing.
    pub(super) source: String,
    /// The folders that were read, of documents that exist or not.
    pub folders: BTreeMap<DocNumber, ListedFolder>,
    /// The portal's list, where the source has one.
    pub specifications: BTreeMap<DocNumber, ListedSpecification>,
    /// The file of that list, with its date.
    pub(super) list_file: Option<(String, Option<String>)>,
}

/// The folder of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedFolder {
    /// When it was read.
    pub listed_at: Timestamp,
    /// Its published versions, the oldest first; none where there is no such folder.
    pub versions: Vec<ListedVersion>,
}

/// A version that the source has files of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedVersion {
    /// The version.
    pub version: Version,
    /// The names of its files.
    pub files: Vec<String>,
    /// The date that the source shows for the newest of them.
    pub modified: Option<String>,
}

impl ListedFolder {
    /// The folder with these entries, read now.
    pub fn read_now(number: &DocNumber, entries: &[ListingEntry]) -> Self {
        let mut versions: BTreeMap<Version, ListedVersion> = BTreeMap::new();
        for (version, entry) in version_files(number, entries) {
            if Release::from_version(version).is_none() {
                continue;
            }
            let new = || ListedVersion { version, files: Vec::new(), modified: None };
            let listed = versions.entry(version).or_insert_with(new);
            listed.files.push(entry.name.clone());
            listed.modified = listed.modified.take().max(entry.modified.clone());
        }
        Self { listed_at: Timestamp::now(), versions: versions.into_values().collect() }
    }

    /// Whether it was read lately.
    pub(super) fn is_fresh(&self) -> bool {
        let age = Timestamp::now().as_second() - self.listed_at.as_second();
        (0..FRESH_SECONDS).contains(&age)
    }
}

/// The files of a folder that belong to versions of its document, without copies with tracked changes.
pub(in crate::jobs) fn version_files<'a>(
    number: &DocNumber,
    entries: &'a [ListingEntry],
) -> impl Iterator<Item = (Version, &'a ListingEntry)> {
    entries.iter().filter(|entry| !entry.is_folder).filter_map(move |entry| {
        let name = SpecFileName::parse_name(&entry.name).ok()?;
        let is_clean = name.number == *number && !name.revision_marked;
        is_clean.then_some((name.version?, entry))
    })
}

/// The catalogue of the configured source, shared by jobs and requests.
#[derive(Debug, Default)]
pub(in crate::jobs) struct SharedCatalogue(Mutex<LoadedCatalogue>);

#[derive(Debug, Default)]
struct LoadedCatalogue {
    catalogue: Option<Arc<SourceCatalogue>>,
    walked_at: Option<Instant>,
}

impl SharedCatalogue {
    fn lock(&self) -> MutexGuard<'_, LoadedCatalogue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The catalogue of a source; read from its file by the first who asks.
    pub(super) fn get(&self, path: &Path, source: &str) -> Arc<SourceCatalogue> {
        if let Some(loaded) = &self.lock().catalogue {
            return loaded.clone();
        }
        let read = read_catalogue(path).filter(|read| read.source == source);
        let new = || SourceCatalogue { source: source.to_owned(), ..SourceCatalogue::default() };
        let read = Arc::new(read.unwrap_or_else(new));
        // Another thread may have read it, and changed it since.
        self.lock().catalogue.get_or_insert(read).clone()
    }

    /// Changes it. The caller got it before, so that it is loaded.
    pub(super) fn update(&self, change: impl FnOnce(&mut SourceCatalogue)) {
        if let Some(catalogue) = &mut self.lock().catalogue {
            change(Arc::make_mut(catalogue));
        }
    }

    /// Whether a walk over the whole source is still good enough.
    pub(super) fn is_walked(&self) -> bool {
        self.lock().walked_at.is_some_and(|at| at.elapsed() < WALK_LIFETIME)
    }

    pub(super) fn note_walk(&self) {
        self.lock().walked_at = Some(Instant::now());
    }

    /// Writes it to its file. What was not written is read from the source again.
    pub(super) fn save(&self, path: &Path) {
        let Some(catalogue) = self.lock().catalogue.clone() else { return };
        let written = serde_json::to_vec(&*catalogue).map_err(std::io::Error::from);
        if let Err(error) = written.and_then(|bytes| durable_file::write_file(path, &bytes)) {
            tracing::warn!(%error, "the catalogue of the source could not be stored");
        }
    }
}

/// A file that cannot be read is as good as none: the next sync writes it again.
fn read_catalogue(path: &Path) -> Option<SourceCatalogue> {
    let bytes = fs::read(path).ok()?;
    serde_json::from_slice(&bytes)
        .inspect_err(|error| {
            tracing::warn!(
                error = error_chain(error),
                "the catalogue of the source cannot be read"
            );
        })
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, modified: Option<&str>) -> ListingEntry {
        ListingEntry {
            name: name.to_owned(),
            is_folder: false,
            modified: modified.map(str::to_owned),
        }
    }

    #[test]
    fn published_versions_of_the_document_are_listed_with_their_files_and_newest_date() {
        let number: DocNumber = "38.101-1".parse().expect("valid");
        let entries = [
            entry("38101-1-i20_s00-05.zip", Some("2023-06-28")),
            entry("38101-1-i20_s06.zip", Some("2023-06-30")),
            entry("38101-1-f50.zip", None),
            entry("38101-1-i20_rm.zip", Some("2024-01-01")),
            entry("38101-1-030.zip", None),
            entry("38101-2-i20.zip", None),
            entry("readme.txt", None),
            ListingEntry { name: "38101-1-j00.zip".to_owned(), is_folder: true, modified: None },
        ];
        let folder = ListedFolder::read_now(&number, &entries);
        let listed: Vec<(String, usize, Option<&str>)> = folder
            .versions
            .iter()
            .map(|v| (v.version.to_string(), v.files.len(), v.modified.as_deref()))
            .collect();
        assert_eq!(
            listed,
            [("15.5.0".to_owned(), 1, None), ("18.2.0".to_owned(), 2, Some("2023-06-30"))]
        );
        assert!(folder.is_fresh());
    }

    #[test]
    fn what_another_source_listed_is_forgotten_and_a_damaged_file_is_none() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("catalogue.json");
        let number: DocNumber = "38.331".parse().expect("valid");
        let shared = SharedCatalogue::default();
        shared.get(&path, "https://files.example/ftp/");
        shared.update(|catalogue| {
            let listed = ListedFolder::read_now(&number, &[entry("38331-i10.zip", None)]);
            catalogue.folders.insert(number.clone(), listed);
        });
        shared.save(&path);
        let read = |source: &str| SharedCatalogue::default().get(&path, source).folders.len();
        assert_eq!((read("https://files.example/ftp/"), read("https://other.example/")), (1, 0));
        fs::write(&path, "{").expect("written");
        assert_eq!(read("https://files.example/ftp/"), 0);
    }
}
