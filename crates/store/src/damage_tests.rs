//! Lists of vector files that are damaged or manipulated: never a panic, and no file is touched that
//! is not a vector file of the folder. And a full disk.

use std::{fs, path::Path};

use redb::{Database, ReadableTable};

use super::{
    DocumentFilter, FolderExamination, SectionKey, Store, StoreError,
    tables::{
        codec::{self, Packed, StoredRow},
        definitions::{DOCUMENTS, NEXT_SEGMENTS, SEGMENT_STAMPS, SEGMENTS},
        segments::{SegmentFile, SegmentRow},
    },
    tests::{
        assert_store_is_consistent, commit, document, folder, list_files, model, nearest, open,
        words,
    },
};
use crate::{DataFolder, GraphBuilder, OptimizeOptions, Thoroughness};
use database_file::DISK_IS_FULL;

/// A folder with three vector files.
fn folder_with_segments() -> tempfile::TempDir {
    let dir = folder();
    let store = open(&dir);
    for (version, text) in [("18.0.0", "alpha"), ("18.1.0", "beta"), ("18.2.0", "gamma")] {
        commit(&store, &document("38.331", version, &[text, "common"]));
    }
    dir
}

fn change_list(dir: &Path, change: impl Fn(&mut Vec<u8>)) {
    let database = Database::create(DataFolder::new(dir).metadata_path()).expect("redb opens");
    let txn = database.begin_write().expect("a transaction");
    {
        let mut table = txn.open_table(SEGMENTS).expect("a table");
        let entries: Vec<(u64, Vec<u8>)> = table
            .iter()
            .expect("entries")
            .map(|entry| entry.map(|(key, row)| (key.value(), row.value().into_bytes())))
            .collect::<Result<_, _>>()
            .expect("entries");
        for (key, mut row) in entries {
            change(&mut row);
            table.insert(key, StoredRow::from_bytes(row)).expect("inserted");
        }
    }
    txn.commit().expect("committed");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("copied");
        }
    }
}

/// Everything that reads the list, and what removes files after it.
fn exercise_store(store: &Store) {
    nearest(&store.snapshot(), "alpha", &DocumentFilter::default());
    let how = OptimizeOptions {
        thoroughness: Thoroughness::Everything,
        builder: GraphBuilder::Own,
        threads: 1,
    };
    let _ = store.optimize_segments(how, &|_, _| std::ops::ControlFlow::Continue(()));
    let _ = store.lock_writer().compact_segments();
    let _ = store.verify_store(|_, _| ());
}

#[test]
fn a_list_with_any_byte_changed_opens_and_whole_files_stay_on_it() {
    let base = folder_with_segments();
    let mut state = 7_u64;
    let mut random = move || (splitmix64::next_splitmix64(&mut state) >> 33) as usize;
    for _ in 0..60 {
        let dir = folder();
        copy(base.path(), dir.path());
        let (position, bit, cut) = (random(), random() % 8, random());
        change_list(dir.path(), |row| {
            if cut % 4 == 0 {
                row.truncate(position % (row.len() + 1));
            } else {
                let index = position % row.len();
                row[index] ^= 1 << bit;
            }
        });
        let store = Store::open(DataFolder::new(dir.path())).expect("opened");
        exercise_store(&store);
    }
}

#[test]
fn a_row_of_the_list_that_does_not_decode_is_made_again_from_its_file() {
    let dir = folder_with_segments();
    change_list(dir.path(), |row| row.clear());
    let store = open(&dir);
    assert_eq!(store.snapshot().segments.iter().count(), 3);
    assert!(store.snapshot().unembedded_documents().next().is_none());
    assert_store_is_consistent(&store);
}

#[test]
fn lost_vectors_are_told_until_they_are_there_again() {
    let dir = folder_with_segments();
    let lost = DataFolder::new(dir.path()).text_vectors_folder().join(SegmentFile::from_number(2));
    fs::remove_file(lost).expect("removed");
    let store = open(&dir);
    let report = store.verify_store(|_, _| ()).expect("verified");
    assert!(report.faults[0].contains("text/00000002.seg"), "{:?}", report.faults);
    assert!(!report.archives.is_empty());
    drop(store);
    let store = open(&dir);
    assert!(store.describe_lost_vectors().is_some(), "also after another start");
    for (version, text) in [("18.0.0", "alpha"), ("18.1.0", "beta"), ("18.2.0", "gamma")] {
        commit(&store, &document("38.331", version, &[text, "common"]));
    }
    assert_eq!(store.describe_lost_vectors(), None);
}

#[test]
fn a_file_that_cannot_be_read_at_the_moment_is_not_given_up() {
    let dir = folder_with_segments();
    let vectors = DataFolder::new(dir.path()).text_vectors_folder();
    let words = DataFolder::new(dir.path()).lexical_folder();
    for file in [vectors.join(SegmentFile::from_number(2)), words.join("meta.json")] {
        // A link that leads to itself: the operating system refuses to open it.
        let aside = dir.path().join("aside");
        fs::rename(&file, &aside).expect("moved");
        std::os::unix::fs::symlink(&file, &file).expect("made");
        let refused = Store::open(DataFolder::new(dir.path()));
        assert!(refused.is_err(), "{}", file.display());
        fs::remove_file(&file).expect("removed");
        fs::rename(&aside, &file).expect("moved");
    }
    let store = open(&dir);
    assert_eq!(store.snapshot().segments.iter().count(), 3);
    assert!(store.snapshot().unembedded_documents().next().is_none());
    assert_store_is_consistent(&store);
}

#[test]
fn a_list_that_names_other_files_opens_none_of_them_and_they_stay() {
    for name in ["../../outside.seg", "/outside.seg", "outside.seg", "1.seg", "00000001.seg/", ""] {
        let dir = folder_with_segments();
        let outside = dir.path().join("outside.seg");
        fs::write(&outside, "of somebody else").expect("written");
        // As a row is stored, with the name as plain text.
        let row = codec::encode(&(name.to_owned(), 2_u64));
        change_list(dir.path(), |stored| *stored = row.clone());
        let store = open(&dir);
        assert_eq!(store.snapshot().segments.iter().count(), 3, "{name}");
        assert!(outside.exists(), "{name}");
    }
    let valid = SegmentRow { file: SegmentFile::from_number(1), rows: 2 };
    assert_eq!(codec::encode(&valid), codec::encode(&("00000001.seg".to_owned(), 2_u64)));
}

#[test]
fn a_database_recovers_from_a_full_disk() {
    let dir = folder_with_segments();
    let mut store = open(&dir);
    for round in 0..4 {
        let before = store.snapshot();
        let new = document("24.301", &format!("18.{round}.0"), &["delta"]);
        DISK_IS_FULL.set(true);
        let refused = store.lock_writer().commit_document(&new, None, &model());
        assert!(matches!(refused, Err(StoreError::Metadata(_))), "{refused:?}");
        // Earlier readers get an error, or the same answer as before.
        let read = before.contents().text_model();
        assert!(matches!(&read, Err(_) | Ok(Some(_))), "{read:?}");
        // Nothing could be written to recover at once; taking a snapshot does not try either.
        assert_eq!(store.snapshot().catalog().len(), 3 + round);
        assert!(store.has_failed());
        store.recover().expect_err("there is no room yet");
        DISK_IS_FULL.set(false);
        // In some rounds a reader comes first, in others the next change.
        if round % 2 == 0 {
            assert!(store.recover().expect("there is room"));
            assert!(!store.recover().expect("nothing is to be done"));
            assert!(store.snapshot().contents().text_model().expect("readable").is_some());
            assert_store_is_consistent(&store);
        }
        commit(&store, &new);
        assert!(!store.has_failed());
        assert_eq!(store.snapshot().catalog().len(), 4 + round);
        assert_store_is_consistent(&store);
        if round == 2 {
            drop(store);
            store = open(&dir);
            assert_store_is_consistent(&store);
        }
    }
}

#[test]
fn stamps_and_lists_without_their_files_lose_nothing_else() {
    let dir = folder_with_segments();
    {
        let database = Database::create(DataFolder::new(dir.path()).metadata_path()).expect("redb");
        let txn = database.begin_write().expect("a transaction");
        txn.open_table(SEGMENT_STAMPS)
            .expect("a table")
            .insert("../nowhere", (1, 1))
            .expect("inserted");
        let row = SegmentRow { file: SegmentFile::from_number(77), rows: 1 };
        txn.open_table(NEXT_SEGMENTS)
            .expect("a table")
            .insert(77, Packed::of(&row))
            .expect("inserted");
        txn.commit().expect("committed");
    }
    let store = open(&dir);
    let found = nearest(&store.snapshot(), "alpha", &DocumentFilter::default());
    assert!(!found.is_empty());
    exercise_store(&store);
}

#[test]
fn a_document_that_does_not_decode_is_left_out_and_nothing_is_changed_or_lost() {
    let dir = folder_with_segments();
    let path = DataFolder::new(dir.path()).metadata_path();
    let change_row = |change: &dyn Fn(Vec<u8>) -> Vec<u8>| {
        let database = Database::create(&path).expect("redb opens");
        let txn = database.begin_write().expect("a transaction");
        {
            let mut table = txn.open_table(DOCUMENTS).expect("a table");
            let (id, row) = {
                let first = table.first().expect("readable").expect("a document");
                (first.0.value(), first.1.value().into_bytes())
            };
            table.insert(id, StoredRow::from_bytes(change(row))).expect("inserted");
        }
        txn.commit().expect("committed");
    };
    let whole = std::cell::RefCell::new(Vec::new());
    change_row(&|row| {
        let damaged = row[..row.len() / 2].to_vec();
        *whole.borrow_mut() = row;
        damaged
    });
    {
        let store = open(&dir);
        assert_eq!(store.snapshot().catalog().len(), 2);
        let new = document("24.301", "18.0.0", &["delta"]);
        let refused = store.lock_writer().commit_document(&new, None, &model());
        assert!(matches!(refused, Err(StoreError::Damaged { count: 1, .. })), "{refused:?}");
        let report = store.verify_store(|_, _| ()).expect("readable");
        assert!(report.faults.iter().any(|fault| fault.contains("document ")), "{report:?}");
        exercise_store(&store);
    }
    // Put back, everything is there.
    change_row(&|_| whole.borrow().clone());
    let store = open(&dir);
    assert_eq!(store.snapshot().catalog().len(), 3);
    assert_store_is_consistent(&store);
}

/// All that a folder holds, as text.
fn dump(store: &Store) -> Vec<String> {
    let snapshot = store.snapshot();
    let mut all = Vec::new();
    for entry in snapshot.catalog().document_entries() {
        all.push(format!("{} {:?}", entry.id, entry.row));
        for ordinal in 0..entry.row.section_count {
            let key = SectionKey { document: entry.id, ordinal };
            let text = snapshot.documents().section_text(key);
            all.push(format!("{ordinal} {}", text.expect("readable")));
        }
    }
    for text in ["alpha", "beta", "gamma", "common"] {
        let found = words(&snapshot, text);
        let near = nearest(&snapshot, text, &DocumentFilter::default());
        all.push(format!("{text} {found} {near:?}"));
    }
    all
}

#[test]
fn every_flipped_bit_is_found_or_harmless() {
    // So many by hand: SPECBOX_FLIPS=10000.
    let flips =
        std::env::var("SPECBOX_FLIPS").map_or(400, |flips| flips.parse().expect("a number"));
    let base = folder_with_segments();
    let files = list_files(base.path());
    let whole = dump(&open(&base));
    let dir = folder();
    let mut state = 11_u64;
    let mut random = move || (splitmix64::next_splitmix64(&mut state) >> 33) as usize;
    let (mut found, mut refused, mut harmless) = (0, 0, 0);
    for flip in 0..flips {
        fs::remove_dir_all(dir.path()).expect("removed");
        copy(base.path(), dir.path());
        // Each file as often, for most bytes are those of one.
        let file = &files[flip % files.len()];
        let path = dir.path().join(file.strip_prefix(base.path()).expect("in it"));
        let mut bytes = fs::read(&path).expect("the file");
        if bytes.is_empty() {
            continue;
        }
        let at = random() % bytes.len();
        bytes[at] ^= 1 << (random() % 8);
        fs::write(&path, &bytes).expect("written");
        let case = format!("byte {at} of {}", path.display());
        let target = DataFolder::new(dir.path());
        let examined = FolderExamination::of_folder(&target, true).expect("readable");
        assert_eq!(fs::read(&path).expect("the file"), bytes, "examined without a change: {case}");
        if !examined.faults.is_empty() {
            assert!(examined.faults.iter().all(|fault| !fault.cure.is_empty()), "{case}");
            found += 1;
            continue;
        }
        match Store::open(target) {
            Err(_) => refused += 1,
            Ok(store) => {
                let faults = store.verify_store(|_, _| ()).expect("readable").faults;
                assert!(!faults.is_empty() || dump(&store) == whole, "silently lost: {case}");
                harmless += 1;
            }
        }
    }
    assert!(found > flips / 4, "{found} found, {refused} refused, {harmless} harmless");
    eprintln!("{flips} flips: {found} found, {refused} refused, {harmless} harmless");
}
