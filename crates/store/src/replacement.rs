//! An index that is made beside the one that is served, and replaces it in one step.
//!
//! The new index begins as a copy: files that never change are linked, the database is copied. It is changed while
//! the old one answers, and becomes the index of the folder by one replaced file, `current`. The old one stays beside
//! it, so that the folder can go back. The writer is held meanwhile, so that no change of the old index is lost.

use std::{fs, io, path::Path, sync::Arc};

use redb::ReadableTable;

use crate::{
    DataFolder, Store, StoreError, Writer,
    commit::CommitBatch,
    current_index::{
        CurrentIndex, PREFIX, mark_served, mark_unserved, remove_unserved_index, set_index_aside,
    },
    folder::sync_folder,
    tables::definitions::{
        BATCH, COUNTERS, NEXT_CONTENT, NEXT_DOCUMENT, NEXT_JOURNAL, NEXT_PASSAGE, NEXT_TDOC,
        TDOCS_GENERATION,
    },
    trash::OldTrash,
};

/// Counters whose numbers clients and caches have seen: none is given twice.
///
/// On a way back, one number of each is skipped, so that readers notice that the journal continues from a state other
/// than the one they know, and that the registers have changed.
const SEEN_COUNTERS: [&str; 6] =
    [NEXT_CONTENT, NEXT_DOCUMENT, NEXT_JOURNAL, NEXT_PASSAGE, NEXT_TDOC, TDOCS_GENERATION];

/// An index that is made beside the one that is served. Dropped before it is published, it leaves nothing.
pub struct Replacement<'a> {
    writer: Writer<'a>,
    next: Option<Store>,
    name: String,
    is_published: bool,
}

/// Report of a way back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RolledBack {
    /// Changes that were made since the index replaced the other one, and are lost with it.
    pub lost_changes: u64,
}

impl Store {
    /// Makes a copy of the index that can be changed while this one is served, and holds the writer as long.
    pub fn begin_replacement(&self) -> Result<Replacement<'_>, StoreError> {
        let mut writer = self.lock_writer();
        writer.make_change(|_| Ok(()))?;
        let current = CurrentIndex::write_first(&self.folder)?;
        let number = current.index.strip_prefix(PREFIX).and_then(|number| number.parse().ok());
        let name = format!("{PREFIX}{}", number.unwrap_or(0u64).saturating_add(1));
        let folder = self.folder.with_index(&name);
        set_index_aside(&self.folder, &name);
        let mut made = Replacement { writer, next: None, name, is_published: false };
        folder.create_folders()?;
        mark_unserved(&folder)?;
        copy_index(&made.writer.index.folder, &folder)?;
        made.next = Some(Self::open_index(folder, self.lock.clone())?);
        Ok(made)
    }

    /// How many bytes of a copy are not links, so that the disk needs them twice.
    pub fn replacement_bytes(&self) -> u64 {
        fs::metadata(self.index().folder.metadata_path()).map_or(0, |metadata| metadata.len())
    }

    /// How many changes were made since this index replaced another one; `None` if there is no index before it.
    pub fn changes_since_replacement(&self) -> Result<Option<u64>, StoreError> {
        let current = CurrentIndex::read(&self.folder)?;
        let batch = read_counter(self, BATCH)?;
        Ok(current.before.map(|_| batch.saturating_sub(current.batch)))
    }

    /// Goes back to the index before the one that is served, which is removed.
    pub fn roll_back(&self) -> Result<RolledBack, StoreError> {
        let mut writer = self.lock_writer();
        writer.make_change(|_| Ok(()))?;
        let current = CurrentIndex::read(&self.folder)?;
        let before = current.before.clone().ok_or(StoreError::NothingBefore)?;
        let next = Self::open_index(self.folder.with_index(&before), self.lock.clone())?;
        let seen = SEEN_COUNTERS.iter().map(|name| Ok((*name, read_counter(self, name)?)));
        let seen: Vec<(&str, u64)> = seen.collect::<Result<_, StoreError>>()?;
        let batch = read_counter(self, BATCH)?;
        next.lock_writer().continue_from(batch, &seen)?;
        let lost_changes = batch.saturating_sub(current.batch);
        let chosen =
            CurrentIndex { index: before, before: None, batch: read_counter(&next, BATCH)? };
        let left = writer.index.folder.clone();
        mark_unserved(&left)?;
        if let Err(error) = chosen.write(&self.folder) {
            mark_served(&left)?;
            return Err(error);
        }
        writer.take_over(next);
        self.put_in_trash(&chosen);
        Ok(RolledBack { lost_changes })
    }

    /// Moves what a new list no longer names to the trash. What was there before was not missed while an index was
    /// served that did not need it.
    fn put_in_trash(&self, chosen: &CurrentIndex) {
        self.empty_old_trash();
        chosen.set_others_aside(&self.folder);
        *self.lock_old_trash() = OldTrash::list(&self.folder);
    }
}

impl Replacement<'_> {
    /// The index that is made.
    pub fn store(&self) -> &Store {
        self.next.as_ref().expect("there until it is published")
    }

    /// Replaces the old index with the new one: readers get it with their next request.
    pub fn publish(mut self) -> Result<(), StoreError> {
        let next = self.next.take().expect("there until it is published");
        let before = self.writer.index.folder.clone();
        let before = before.index().strip_prefix(before.root()).ok().and_then(Path::to_str);
        let chosen = CurrentIndex {
            index: self.name.clone(),
            before: before.map(str::to_owned),
            batch: read_counter(&next, BATCH)?,
        };
        chosen.write(&self.writer.store.folder)?;
        self.is_published = true;
        let served = mark_served(&next.index().folder);
        self.writer.take_over(next);
        self.writer.store.put_in_trash(&chosen);
        // The next start removes the mark.
        if let Err(error) = served {
            tracing::warn!(%error, "the index that is served is still marked as a copy");
        }
        Ok(())
    }
}

impl Drop for Replacement<'_> {
    fn drop(&mut self) {
        self.next = None;
        // Including the rest of a copy for which there was not enough space.
        if !self.is_published {
            remove_unserved_index(&self.writer.store.folder.root().join(&self.name));
        }
    }
}

impl Writer<'_> {
    /// Serves the index of another store from now on.
    fn take_over(&mut self, next: Store) {
        let Store { index, writer, current, .. } = next;
        let state = writer.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.store.pictures_before.store(Some(Arc::new(self.index.pictures.clone())));
        // It may be opened again while somebody still reads it.
        self.index.metadata.retire();
        self.index = index.into_inner();
        self.store.index.store(self.index.clone());
        *self.state = state;
        self.store.current.store(current.into_inner());
    }

    /// Continues after the numbers that another index of the folder gave: batches, ids and entries of the journal.
    fn continue_from(&mut self, batch: u64, seen: &[(&str, u64)]) -> Result<(), StoreError> {
        self.make_batch(|writer| {
            let txn = writer.index.metadata.begin_write()?;
            {
                let mut counters = txn.open_table(COUNTERS)?;
                for (name, value) in seen {
                    let own = counters.get(*name)?.map_or(0, |own| own.value());
                    counters.insert(*name, own.max(*value) + 1)?;
                }
            }
            let mut commit = CommitBatch::begin(&txn)?;
            commit.number = commit.number.max(batch + 1);
            writer.commit_lexical_and_metadata(txn, &commit, None)?;
            writer.store.reload_catalog()
        })
    }
}

fn read_counter(store: &Store, name: &str) -> Result<u64, StoreError> {
    let txn = store.index().metadata.begin_read()?;
    let counters = txn.open_table(COUNTERS)?;
    Ok(counters.get(name)?.map_or(0, |value| value.value()))
}

/// Links the files that never change, and copies the others.
fn copy_index(from: &DataFolder, to: &DataFolder) -> Result<(), StoreError> {
    let copy =
        |from: &Path, to: &Path| copy_synced(from, to).map_err(StoreError::io_error("copy", from));
    copy(&from.metadata_path(), &to.metadata_path())?;
    if from.applied_path().is_file() {
        copy(&from.applied_path(), &to.applied_path())?;
    }
    for (from, to) in from.index_folders().iter().zip(&to.index_folders()) {
        link_folder(from, to)?;
    }
    sync_folder(to.index())?;
    sync_folder(to.root())
}

/// Copies a file that must exist after a power loss: copies that were not synced were served without pictures and
/// vectors.
fn copy_synced(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    fs::File::open(to)?.sync_all()
}

fn link_folder(from: &Path, to: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(to).map_err(StoreError::io_error("create", to))?;
    for entry in fs::read_dir(from).map_err(StoreError::io_error("read", from))? {
        let entry = entry.map_err(StoreError::io_error("read", from))?;
        let (name, path) = (entry.file_name(), entry.path());
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder {
            link_folder(&path, &to.join(&name))?;
            continue;
        }
        // Locks of the word indexes, and files that are being written.
        let is_temporary = name.to_str().is_none_or(|name| {
            name.ends_with(".lock") || name.ends_with(".unfinished") || name.starts_with(".tmp")
        });
        if is_temporary {
            continue;
        }
        let target = to.join(&name);
        // Small lists are copied, so that a process that writes into one of them does not change the other index too.
        let is_list = name.to_str().is_some_and(|name| name.ends_with(".json"));
        let linked = if is_list {
            copy_synced(&path, &target)
        } else {
            // Some file systems have no links.
            fs::hard_link(&path, &target).or_else(|_| copy_synced(&path, &target))
        };
        match linked {
            // A merge ended meanwhile; no list has that file any more.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            linked => linked.map_err(StoreError::io_error("link", &path))?,
        }
    }
    sync_folder(to)
}
