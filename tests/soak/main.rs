//! Ingesting, removing, optimizing and searching concurrently, while the process is killed repeatedly.
//!
//! Every answer is compared with an exact scan of the same snapshot, and after every kill the folder
//! must hold what was acknowledged. Ends after some kills and answers; `SPECBOX_SOAK_SECONDS` makes it
//! run for so long.

#[path = "../support/random.rs"]
mod random;
mod scan;
#[path = "../support/stored.rs"]
mod stored;
#[path = "../support/trials.rs"]
mod trials;
mod worker;

use std::{
    collections::BTreeMap,
    env, fs,
    path::Path,
    process::{Child, Command, ExitCode, Stdio},
    thread,
    time::{Duration, Instant},
};

use random::Random;
use store::{DataFolder, DocumentFilter, Store};
use trials::{TestResult, is_quick_run, run_trials, trials};
use worker::{FOLDER, JOURNAL, STATISTICS};

/// The kills, and the answers by a graph, after which a run without a given duration ends.
const KILLS: u32 = 5;
const GRAPH_ANSWERS: u64 = 11;
/// A run without a given duration ends after this time at the latest, and fails if it has not done these.
const MAX_DURATION: Duration = Duration::from_secs(600);

/// Names of documents and the seed of each one's content.
type Documents = BTreeMap<String, u64>;

fn main() -> ExitCode {
    if let Some(folder) = env::var_os(FOLDER) {
        worker::work(Path::new(&folder));
        return ExitCode::SUCCESS;
    }
    run_trials([trials![answers_are_exact_and_nothing_is_lost_whenever_the_process_is_killed]])
}

fn answers_are_exact_and_nothing_is_lost_whenever_the_process_is_killed() -> TestResult {
    if is_quick_run() {
        return Err("quick run".into());
    }
    let seconds = env::var("SPECBOX_SOAK_SECONDS").ok().and_then(|text| text.parse().ok());
    let duration = seconds.map(Duration::from_secs);
    let begun = Instant::now();
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut random =
        Random(env::var("SPECBOX_SOAK_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1));
    let mut kills = 0;
    loop {
        let mut child = start(folder.path(), random.next());
        // The moment of the kill is random: the sleep waits for no event.
        thread::sleep(Duration::from_millis(300 + random.below(3000)));
        if let Some(ended) = child.try_wait().expect("it was ours") {
            panic!("the worker ended by itself: {ended}");
        }
        child.kill().expect("it runs");
        child.wait().expect("it was ours");
        kills += 1;
        check_folder(folder.path());
        let elapsed = begun.elapsed();
        let [_, _, _, graph_answers] = statistics(folder.path());
        let is_enough = kills >= KILLS && graph_answers >= GRAPH_ANSWERS;
        if duration.map_or(is_enough || elapsed > MAX_DURATION, |duration| elapsed > duration) {
            break;
        }
    }
    let statistics = statistics(folder.path());
    let [answers, expected_rows, found_rows, graph_answers] = statistics;
    let recall = found_rows as f64 / expected_rows as f64;
    eprintln!("{kills} kills, {answers} answers, {graph_answers} by a graph, recall {recall:.5}");
    assert!(answers > 100 && graph_answers >= GRAPH_ANSWERS, "{statistics:?}");
    assert!(found_rows as f64 >= 0.99 * expected_rows as f64, "{statistics:?}");
    Ok(())
}

fn start(folder: &Path, seed: u64) -> Child {
    Command::new(env::current_exe().expect("this program"))
        .env(FOLDER, folder)
        .env("SPECBOX_SOAK_SEED", seed.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("the worker starts")
}

/// Opens the folder as the next process would: what was acknowledged is there, and all of it is valid.
fn check_folder(folder: &Path) {
    let (acknowledged, pending) =
        replay(&fs::read_to_string(folder.join(JOURNAL)).unwrap_or_default());
    let store = Store::open(DataFolder::new(folder.join("data"))).expect("it opens");
    let report = store.verify_store(|_, _| ()).expect("readable");
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    let snapshot = store.snapshot();
    let found: Documents = snapshot
        .catalog()
        .matching_documents(&DocumentFilter::default())
        .map(|entry| {
            let name = format!("{} {}", entry.row.number, entry.row.version);
            (name, entry.row.title.as_deref().and_then(|seed| seed.parse().ok()).expect("a seed"))
        })
        .collect();
    let allowed = pending.iter().any(|(name, seed)| {
        let mut after = acknowledged.clone();
        match seed {
            Some(seed) => after.insert(name.clone(), *seed),
            None => after.remove(name),
        };
        after == found
    });
    assert!(found == acknowledged || allowed, "{found:?}\n{acknowledged:?}\n{pending:?}");
    // The outcome of what was pending when the process ended is known now.
    let lines = found.iter().map(|(name, seed)| format!("done {seed} {name}\n"));
    fs::write(folder.join(JOURNAL), lines.collect::<String>()).expect("written");
}

/// The documents that are stored by the journal, and operations that were begun and not completed: at
/// most one by the writer and one by the remover, of which at most one can be in the middle of its
/// commit.
fn replay(journal: &str) -> (Documents, Vec<(String, Option<u64>)>) {
    let (mut documents, mut pending) = (Documents::new(), BTreeMap::new());
    for line in journal.lines() {
        let mut words = line.splitn(3, ' ');
        let (Some(what), Some(seed), Some(name)) = (words.next(), words.next(), words.next())
        else {
            continue;
        };
        let seed = seed.parse::<u64>().ok();
        match what {
            "begin" => drop(pending.insert(name.to_owned(), seed)),
            "done" => {
                pending.remove(name);
                match seed {
                    Some(seed) => documents.insert(name.to_owned(), seed),
                    None => documents.remove(name),
                };
            }
            _ => {}
        }
    }
    (documents, pending.into_iter().collect())
}

/// Answers, expected rows, found rows, answers by a graph, over all workers.
fn statistics(folder: &Path) -> [u64; 4] {
    let mut sums = [0; 4];
    for line in fs::read_to_string(folder.join(STATISTICS)).unwrap_or_default().lines() {
        let numbers: Vec<u64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
        // A line that a kill cut off does not count.
        if let Ok(numbers) = <[u64; 4]>::try_from(numbers) {
            sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        }
    }
    sums
}
