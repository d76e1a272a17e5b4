//! Inserting rows on several threads, watched.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use super::build::Ended;
use super::options::BuildProgress;
use super::options::GraphOptions;

/// Calls `insert` with every row, in their order where one thread works, and with what that thread
/// works with. Every thread is a new one: what it remembers ends with the build.
pub(super) fn insert_all<Hands: Default>(
    rows: &[u32],
    options: &GraphOptions<'_>,
    insert: impl Fn(u32, &mut Hands) + Sync,
) -> Result<(), Ended> {
    let (next, ended) = (AtomicU32::new(0), AtomicBool::new(false));
    let total = rows.len() as u32;
    let tell_every = (total / 500).max(64);
    let work = || {
        let mut hands = Hands::default();
        while !ended.load(Relaxed) {
            let place = next.fetch_add(1, Relaxed);
            let Some(row) = rows.get(place as usize) else { break };
            insert(*row, &mut hands);
            let progress = BuildProgress { done: place + 1, total };
            if place % tell_every == 0 && (options.watch)(progress) == ControlFlow::Break(()) {
                ended.store(true, Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            scope.spawn(work);
        }
    });
    if ended.into_inner() { Err(Ended) } else { Ok(()) }
}
