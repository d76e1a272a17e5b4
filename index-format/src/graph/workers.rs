//! Inserts rows on several threads, and reports progress.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use super::options::BuildCancelled;
use super::options::BuildProgress;
use super::options::GraphOptions;

/// Calls `insert` with every row, in order if there is one thread, and with the state of that thread.
/// Every thread is a new one: its thread-local state ends with the build.
pub(super) fn insert_rows<Worker: Default>(
    rows: &[u32],
    options: &GraphOptions<'_>,
    insert: impl Fn(u32, &mut Worker) + Sync,
) -> Result<(), BuildCancelled> {
    let (next, is_cancelled) = (AtomicU32::new(0), AtomicBool::new(false));
    let total = rows.len() as u32;
    let report_interval = (total / 500).max(64);
    let work = || {
        let mut worker = Worker::default();
        while !is_cancelled.load(Relaxed) {
            let index = next.fetch_add(1, Relaxed);
            let Some(row) = rows.get(index as usize) else { break };
            insert(*row, &mut worker);
            let progress = BuildProgress { done: index + 1, total };
            if index % report_interval == 0 && (options.watch)(progress) == ControlFlow::Break(()) {
                is_cancelled.store(true, Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            scope.spawn(work);
        }
    });
    if is_cancelled.into_inner() { Err(BuildCancelled) } else { Ok(()) }
}

/// All rows that the graph does not have yet. Neighbours in the file are inserted far apart: if the rows of one
/// document came together, the graph would consist of islands.
pub(super) fn insertion_order(rows: u32, entry: u32, known: &[u32]) -> Vec<u32> {
    let missing = |row: &u32| *row != entry && known.binary_search(row).is_err();
    let ascending: Vec<u32> = (0..rows).filter(missing).collect();
    let count = ascending.len() as u64;
    // Steps of the golden section visit every index once if step and count have no common divisor.
    let mut step = ((count as f64) * 0.618_033_988_75) as u64 | 1;
    while greatest_common_divisor(step, count) > 1 {
        step += 2;
    }
    (0..count).map(|index| ascending[(index * step % count) as usize]).collect()
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
