//! A catalog from a file gives the same answers as one that is built from everything, whatever the file contains.

use std::fs;

use super::{
    change_tests::{answers, import, open_store},
    *,
};
use crate::TdocCatalogCache;
use store::Store;

/// A folder with a store, and the path of the file.
struct Ground {
    folder: tempfile::TempDir,
    store: Store,
}

impl Ground {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let store = open_store(&folder.path().join("data"));
        Self { folder, store }
    }

    fn file(&self) -> std::path::PathBuf {
        self.folder.path().join("catalog.cache")
    }

    /// The cache of a new process; its file is written when it is dropped.
    fn cache(&self) -> TdocCatalogCache {
        TdocCatalogCache::with_file_from(self.file(), 100)
    }

    fn check(&self, cache: &TdocCatalogCache, what: &str) {
        let snapshot = self.store.snapshot();
        let cached = cache.catalog_of(&snapshot).expect("made");
        let anew = TdocCatalog::from_snapshot(&snapshot).expect("made");
        assert_eq!(answers(&cached), answers(&anew), "{what}");
    }

    fn loaded(&self) -> Option<TdocCatalog> {
        TdocCatalog::load(&self.file(), &self.store.snapshot()).expect("read")
    }
}

#[test]
fn the_next_process_begins_with_the_file_and_follows_what_changed_since() {
    let ground = Ground::new();
    import(&ground.store, 0, "R1-116", 0..700);
    import(&ground.store, 0, "S2-161", 5000..5200);
    ground.check(&ground.cache(), "without a file");
    let loaded = ground.loaded().expect("the file is of use");
    assert_eq!(loaded.replaced_chunks, 0);
    ground.check(&ground.cache(), "with a file");
    import(&ground.store, 1, "R1-116", 300..301);
    import(&ground.store, 1, "C1-90", 1..30);
    assert!(ground.loaded().is_some_and(|loaded| loaded.replaced_chunks > 0));
    ground.check(&ground.cache(), "after a change");
}

#[test]
fn a_small_catalog_leaves_no_file() {
    let ground = Ground::new();
    import(&ground.store, 0, "R1-116", 0..99);
    ground.check(&ground.cache(), "a small catalog");
    assert!(!ground.file().exists());
}

#[test]
fn a_file_that_is_damaged_or_of_others_is_not_used() {
    let ground = Ground::new();
    import(&ground.store, 0, "R1-116", 0..300);
    ground.check(&ground.cache(), "without a file");
    let whole = fs::read(ground.file()).expect("the file");
    for at in (0..whole.len()).step_by(whole.len() / 199) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(ground.file(), &damaged).expect("written");
        assert!(ground.loaded().is_none(), "byte {at} of {}", whole.len());
        fs::write(ground.file(), &whole[..at]).expect("written");
        assert!(ground.loaded().is_none(), "{at} bytes of {}", whole.len());
    }
    fs::write(ground.file(), &whole).expect("written");
    assert!(ground.loaded().is_some());
    // The same file beside another store.
    let other = Ground::new();
    import(&other.store, 0, "R1-116", 0..300);
    fs::copy(ground.file(), other.file()).expect("copied");
    assert!(other.loaded().is_none());
    other.check(&other.cache(), "with the file of another store");
}

#[test]
fn a_way_back_to_an_older_index_takes_the_catalog_along() {
    let ground = Ground::new();
    import(&ground.store, 0, "R1-116", 0..300);
    let cache = ground.cache();
    ground.check(&cache, "before");
    let next = ground.store.begin_replacement().expect("copied");
    import(next.store(), 1, "R1-116", 100..350);
    next.publish().expect("published");
    ground.check(&cache, "with the new index");
    drop(cache);
    let cache = ground.cache();
    ground.check(&cache, "with the new index, in the next process");
    ground.store.roll_back().expect("rolled back");
    ground.check(&cache, "with the old index");
    // As many changes as in the new index, to the same documents: the states are not confused.
    for step in 2..5 {
        import(&ground.store, step, "R1-116", 100..101);
        ground.check(&cache, "after a change of the old index");
        ground.check(&ground.cache(), "after a change of the old index, in the next process");
    }
}
