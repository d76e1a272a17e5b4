//! Whether the database belongs to the files beside it: one that is missing, empty or older lists less than there is, and what it
//! does not list would be removed.

use std::{fs, io, path::Path};

use lexical::LexicalIndex;

use crate::{
    DataFolder, StoreError,
    commit::later_note,
    tables::definitions::{BATCH, COUNTERS},
    words::LexicalIndexes,
};
use database_file::DatabaseFile;

/// Extensions of tantivy's files that contain words. An empty index has other files, but none of these.
const WORD_FILES: [&str; 2] = ["term", "store"];

/// Refuses a folder whose database is missing or empty while there are files that only a database can have listed.
/// Called before the database is opened, which would make a new one.
pub(crate) fn check_database_is_there(folder: &DataFolder) -> Result<(), StoreError> {
    let path = folder.metadata_path();
    let state = match fs::metadata(&path) {
        Ok(metadata) if metadata.len() > 0 => return Ok(()),
        Ok(_) => "empty",
        Err(_) => "missing",
    };
    let found = describe_files(folder);
    if found.is_empty() {
        // A new database starts counting its changes here: with the old note, it would be rejected as an older copy.
        let _ = fs::remove_file(folder.change_count_path());
        return Ok(());
    }
    Err(StoreError::DatabaseLost { path, state, found: found.join(", ") })
}

impl DataFolder {
    /// Rejects an accounts file that is empty beside an index, or missing although there was one: keys and passwords
    /// would be lost without a message. An index may be carried without accounts.
    pub fn check_accounts(&self) -> Result<(), StoreError> {
        let path = self.accounts_path();
        let note = self.accounts_note_path();
        let has_index = self.metadata_path().exists() || self.current_path().exists();
        match fs::metadata(&path) {
            Ok(metadata) if metadata.len() == 0 && has_index => {
                Err(StoreError::AccountsLost { path })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound && note.exists() => {
                Err(StoreError::AccountsMissing { path, note })
            }
            _ => Ok(()),
        }
    }

    /// Notes that there are accounts: without their file, the folder is refused from now on.
    pub fn note_accounts(&self) {
        let note = self.accounts_note_path();
        if !note.exists()
            && let Err(error) = fs::write(&note, "accounts.redb belongs to this folder\n")
        {
            tracing::debug!(%error, "cannot write {}", note.display());
        }
    }
}

/// Rejects a database that is older than the note of its changes, or than the words beside it: files of the time
/// between would be removed. A crash leaves the words of at most one commit, which are committed before the database,
/// and no note.
pub(crate) fn check_database_is_not_older(
    folder: &DataFolder,
    metadata: &DatabaseFile,
    words: &LexicalIndexes,
) -> Result<(), StoreError> {
    if let Some(newer) = later_note(folder, metadata)? {
        return Err(StoreError::DatabaseOlder { path: folder.metadata_path(), newer });
    }
    let counters = metadata.begin_read()?.open_table(COUNTERS)?;
    let known = counters.get(BATCH)?.map_or(0, |value| value.value());
    let is_later = |index: &LexicalIndex| {
        let last = index.last_commit()?;
        Ok::<_, StoreError>(
            last.is_some_and(|last| last.batch.saturating_sub(last.batches) > known),
        )
    };
    if is_later(&words.passages)? || is_later(&words.figures)? || is_later(&words.tdocs)? {
        let newer = folder.lexical_folder();
        return Err(StoreError::DatabaseOlder { path: folder.metadata_path(), newer });
    }
    Ok(())
}

/// Whether an index has files that only a database can have listed.
pub(crate) fn has_listed_files(folder: &DataFolder) -> bool {
    !describe_files(folder).is_empty()
}

/// The files of an index that a database lists, by kind and number.
fn describe_files(folder: &DataFolder) -> Vec<String> {
    let vectors = count_files(&folder.text_vectors_folder(), &["seg"])
        + count_files(&folder.picture_vectors_folder(), &["seg"]);
    let words =
        [folder.lexical_folder(), folder.figure_lexical_folder(), folder.tdoc_lexical_folder()];
    let words: usize = words.iter().map(|words| count_files(words, &WORD_FILES)).sum();
    let pictures = fs::read_dir(folder.figures_folder()).into_iter().flatten().flatten();
    let pictures: usize = pictures.map(|folder| count_files(&folder.path(), &["png"])).sum();
    let kinds = [(vectors, "vector file"), (words, "word index file"), (pictures, "picture")];
    let there = kinds.into_iter().filter(|(count, _)| *count > 0);
    there
        .map(|(count, kind)| match (count, kind) {
            (1, kind) => format!("1 {kind}"),
            (count, kind) => format!("{count} {kind}s"),
        })
        .collect()
}

fn count_files(folder: &Path, endings: &[&str]) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let counts = |entry: &fs::DirEntry| {
        let path = entry.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        endings.contains(&ending)
    };
    entries.filter(counts).count()
}
