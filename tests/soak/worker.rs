//! The process that is killed: a writer, a remover, an optimizer and two searchers.

use std::{
    env, fs::File, io::Write, ops::ControlFlow, path::Path, sync::Mutex, thread, time::Duration,
};

use domain::Release;
use store::{
    DataFolder, DocumentFilter, GraphBuilder, OptimizeOptions, SearchStrategy, Store, Thoroughness,
    VectorQuery,
};

use crate::{
    random::Random,
    scan,
    stored::{CONTENTS, component, content_vector, document, model, source, version},
};

pub(crate) const FOLDER: &str = "SPECBOX_SOAK_FOLDER";
pub(crate) const JOURNAL: &str = "journal";
pub(crate) const STATISTICS: &str = "statistics";

/// Works on the store in a folder until the process is killed.
pub(crate) fn work(folder: &Path) {
    let seed: u64 = env::var("SPECBOX_SOAK_SEED").expect("a seed").parse().expect("a number");
    let store = Store::open(DataFolder::new(folder.join("data"))).expect("it opens");
    let appended = |name: &str| {
        Mutex::new(File::options().create(true).append(true).open(folder.join(name)).expect("open"))
    };
    let (journal, statistics) = (appended(JOURNAL), appended(STATISTICS));
    // Nothing is ingested while an optimization runs, as in the service.
    let ingest_lock = Mutex::new(());
    let (store, journal, statistics, ingest_lock) = (&store, &journal, &statistics, &ingest_lock);
    // A thread that fails ends the process at once: the other test waits for that.
    let run = |work: &dyn Fn()| {
        if std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err() {
            std::process::exit(1);
        }
    };
    thread::scope(|scope| {
        scope.spawn(move || run(&|| ingest(store, journal, ingest_lock, seed)));
        scope.spawn(move || run(&|| remove(store, journal, seed ^ 1)));
        scope.spawn(move || run(&|| optimize(store, ingest_lock, seed ^ 2)));
        for number in 3..5 {
            scope.spawn(move || run(&|| search(store, statistics, seed ^ number)));
        }
    });
}

fn note(journal: &Mutex<File>, line: &str) {
    let mut journal = journal.lock().expect("no panic under it");
    journal.write_all(line.as_bytes()).expect("written");
}

fn ingest(store: &Store, journal: &Mutex<File>, ingest_lock: &Mutex<()>, seed: u64) {
    let mut random = Random(seed);
    for round in 0_u64.. {
        let _alone = ingest_lock.lock().expect("no panic under it");
        let document = document(version(&mut random), random.next());
        let name = format!("{} {}", document.row.number, document.row.version);
        let seed = document.row.title.clone().unwrap_or_default();
        // The journal has the order in which the two writers act.
        let mut writer = store.lock_writer();
        note(journal, &format!("begin {seed} {name}\n"));
        writer.commit_document(&document, Some(&source()), &model()).expect("committed");
        note(journal, &format!("done {seed} {name}\n"));
        if round % 9 == 8 {
            writer.compact_segments().expect("compacted");
        }
    }
}

fn remove(store: &Store, journal: &Mutex<File>, seed: u64) {
    let mut random = Random(seed);
    let number = "38.331".parse().expect("a number");
    loop {
        // A pace, so that there is something to remove.
        thread::sleep(Duration::from_millis(20 + random.below(150)));
        let version = version(&mut random);
        let mut writer = store.lock_writer();
        note(journal, &format!("begin - 38.331 {version}\n"));
        writer.remove_document(&number, version).expect("removed");
        note(journal, &format!("done - 38.331 {version}\n"));
    }
}

fn optimize(store: &Store, ingest_lock: &Mutex<()>, seed: u64) {
    let mut random = Random(seed);
    loop {
        // A pace, so that documents are ingested in between.
        thread::sleep(Duration::from_millis(random.below(400)));
        let _alone = ingest_lock.lock().expect("no panic under it");
        let builder = if random.below(4) == 0 { GraphBuilder::HnswRs } else { GraphBuilder::Own };
        let options =
            OptimizeOptions { thoroughness: Thoroughness::Everything, builder, threads: 1 };
        let is_stopped = random.below(4) == 0;
        let watch = |done: u32, total: u32| {
            if is_stopped && done > total / 2 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        store.optimize_segments(options, &watch).expect("optimized");
    }
}

fn search(store: &Store, statistics: &Mutex<File>, seed: u64) {
    let mut random = Random(seed);
    loop {
        let snapshot = store.snapshot();
        if snapshot.content_count() == 0 {
            thread::yield_now();
            continue;
        }
        let filter = match random.below(4) {
            0 => DocumentFilter::default(),
            1 => DocumentFilter { version: Some(version(&mut random)), ..Default::default() },
            _ => DocumentFilter {
                release: Release::from_version(version(&mut random)),
                ..Default::default()
            },
        };
        let near = content_vector(random.below(CONTENTS), random.next() % 3);
        let vector: Vec<f32> = near.iter().map(|x| x + 0.2 * component(&mut random)).collect();
        let limit = [1, 10, 50][random.below(3) as usize];
        let query = VectorQuery { vector: &vector, filter: &filter, section: None, limit };
        let nearest = snapshot.contents().search_vectors(query).expect("searched");
        let exact = scan::all(&snapshot, &filter, &vector);
        let expected = limit.min(exact.len());
        assert_eq!(nearest.hits.len(), expected, "{:?}", nearest.plans);
        for hit in &nearest.hits {
            let scored = exact.iter().find(|(content, _)| *content == hit.content);
            let (_, cosine) = scored.expect("a content that the filter allows");
            assert!((cosine - hit.similarity).abs() < scan::TIE, "{hit:?}, exactly {cosine}");
        }
        let kth_similarity =
            expected.checked_sub(1).map_or(f32::MAX, |last| exact[last].1 - scan::TIE);
        let found = nearest.hits.iter().filter(|hit| hit.similarity >= kth_similarity).count();
        let is_by_graph = nearest.plans.iter().any(|plan| {
            let graph = [SearchStrategy::Graph, SearchStrategy::GraphThenBinaryCodes];
            graph.contains(&plan.plan)
        });
        note(statistics, &format!("1 {expected} {found} {}\n", u64::from(is_by_graph)));
    }
}
