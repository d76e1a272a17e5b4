//! A disk that is full fails the batch and nothing else: searches go on, and so does the next batch
//! once there is room.
//!
//! The disk is a small one in memory, in a mount namespace of its own: this program starts itself again there.

#[path = "support/random.rs"]
mod random;
#[path = "support/stored.rs"]
mod stored;
#[path = "support/trials.rs"]
mod trials;

use std::{
    env, fs,
    io::Write,
    path::Path,
    process::{Command, ExitCode, Stdio},
};

use random::Random;
use store::{DataFolder, DocumentFilter, Store, VectorQuery};
use stored::{content_vector, document, model, source, version};
use trials::{TestResult, run_trials, trials};

const DISK: &str = "SPECBOX_FULL_DISK";

fn main() -> ExitCode {
    if let Some(disk) = env::var_os(DISK) {
        fill_again_and_again(Path::new(&disk));
        return ExitCode::SUCCESS;
    }
    run_trials([trials![a_full_disk_fails_the_batch_and_nothing_else]])
}

fn a_full_disk_fails_the_batch_and_nothing_else() -> TestResult {
    let disk = tempfile::tempdir().expect("temporary folder");
    let script = "mount -t tmpfs -o size=12m none \"$1\" && exec \"$0\"";
    let within = |namespace: &[&str], command: &[&str]| {
        let mut unshare = Command::new("unshare");
        unshare.args(namespace).args(command).stdin(Stdio::null());
        unshare
    };
    let namespaces: [&[&str]; 2] = [&["-m"], &["-rm"]];
    let usable = namespaces.into_iter().find(|namespace| {
        let mut tried = within(namespace, &["mount", "-t", "tmpfs", "none"]);
        tried.arg(disk.path()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    });
    let namespace = usable.ok_or("no small disk can be mounted here")?;
    let status = within(namespace, &["bash", "-c", script])
        .arg(env::current_exe().expect("this program"))
        .arg(disk.path())
        .env(DISK, disk.path())
        .status()
        .expect("it starts");
    assert!(status.success(), "{status}");
    Ok(())
}

/// Takes documents in until there is no room, for several sizes of the room there is at first.
fn fill_again_and_again(disk: &Path) {
    let folder = DataFolder::new(disk.join("data"));
    let mut store = Store::open(folder.clone()).expect("opened");
    let mut random = Random(3);
    for room in [0, 4, 30, 100, 250, 600, 1200] {
        take_in(&store, &mut random).expect("there is room");
        fill(disk, room);
        let before = store.snapshot().catalog().len();
        let mut taken = 0;
        let error = loop {
            match take_in(&store, &mut random) {
                Ok(()) => taken += 1,
                Err(error) => break error,
            }
            assert!(taken < 500, "the disk never fills up");
        };
        // Once more: what the first failure left must not be undone by the second. It may find room,
        // for what was written of the first document is removed.
        let _ = take_in(&store, &mut random);
        // The one who runs it must be able to tell why.
        let mut causes = vec![error.to_string()];
        let mut cause: Option<&dyn std::error::Error> = std::error::Error::source(&error);
        while let Some(error) = cause {
            causes.push(error.to_string());
            cause = error.source();
        }
        assert!(causes.iter().any(|cause| cause.contains("No space left")), "{causes:?}");
        assert!(store.snapshot().catalog().len() >= before, "a document is lost");
        // A part of it may have to wait for room; readers get answers before that.
        let _ = store.recover();
        assert_answers(&store, &mut random);
        fs::remove_file(disk.join("ballast")).expect("removed");
        take_in(&store, &mut random).expect("there is room again");
        assert_answers(&store, &mut random);
        let report = store.verify_store(|_, _| ()).expect("readable");
        assert!(report.faults.is_empty(), "{room} kB: {:?}", report.faults);
        // What failed leaves nothing for the next process either.
        let documents = store.snapshot().catalog().len();
        drop(store);
        store = Store::open(folder.clone()).expect("opened");
        assert_eq!(store.snapshot().catalog().len(), documents);
        let report = store.verify_store(|_, _| ()).expect("readable");
        assert!(report.faults.is_empty(), "{room} kB: {:?}", report.faults);
    }
}

fn take_in(store: &Store, random: &mut Random) -> Result<(), store::StoreError> {
    let document = document(version(random), random.next());
    store.lock_writer().commit_document(&document, Some(&source()), &model()).map(|_| ())
}

/// Leaves so many kilobytes of the disk free.
fn fill(disk: &Path, kilobytes: u64) {
    let path = disk.join("ballast");
    let mut ballast = fs::File::create(&path).expect("created");
    let mut length = 0;
    while let Ok(written) = ballast.write(&[1; 4096]) {
        length += written as u64;
    }
    ballast.set_len(length.saturating_sub(kilobytes * 1024)).expect("shortened");
}

/// Documents, texts, words and vectors are all there for readers.
fn assert_answers(store: &Store, random: &mut Random) {
    let snapshot = store.snapshot();
    let filter = DocumentFilter::default();
    let vector = content_vector(random.below(stored::CONTENTS), 0);
    let query = VectorQuery { vector: &vector, filter: &filter, section: None, limit: 5 };
    let nearest = snapshot.contents().search_vectors(query).expect("searched");
    assert_eq!(nearest.hits.len(), 5);
    for hit in nearest.hits {
        let carriers = snapshot.contents().content_occurrences(hit.content).expect("readable");
        let (_, passage) = carriers.first().expect("a passage");
        let text = snapshot.documents().section_text(passage.section_key()).expect("readable");
        assert!(text.starts_with("passage"), "{text}");
    }
}
