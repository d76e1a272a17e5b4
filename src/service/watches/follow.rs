//! The thread that follows the journal of the index.

use std::{
    panic::{self, AssertUnwindSafe},
    sync::Arc,
    thread,
    time::Duration,
};

use super::{ActiveWatch, sink::EventSink};
use crate::service::{Service, internal_failure};
use accounts::JournalPlace;
use domain::error_chain;
use store::{JournalEntry, JournalRow, Snapshot, StoreError};
use wire::Failure;

/// Time between two checks of the journal: an event appears 0.27 s after the command ends (median;
/// docs/benchmarks.md).
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// After a failure, such as a full disk, the thread waits longer.
const AFTER_FAILURE: Duration = Duration::from_secs(30);
/// How often an entry that cannot be processed is tried. Then it is skipped: otherwise it would stop all watches.
const MAX_TRIES: u32 = 5;
/// Entries of the journal that are read at once: after an ingest there may be thousands.
const ENTRIES_AT_ONCE: usize = 100;

/// Starts the thread that processes the journal. It ends with the process; the next one finds again what was not
/// stored.
pub fn start_watching(service: &Arc<Service>) {
    let followed = service.clone();
    let follow =
        move || JournalFollower { service: followed.clone(), failures: None }.follow_forever();
    if let Err(error) = service.jobs.threads.start("watches", follow) {
        tracing::error!(%error, "cannot start a thread for watches; events will be created after the next start");
    }
}

/// How many entries of the journal were not processed yet.
pub fn journal_lag(service: &Service) -> Result<u64, Failure> {
    let last = last_place(&service.store.snapshot())?;
    let place = service.access.watches().journal_place().map_err(internal_failure)?;
    let reached = place.filter(|place| place.journal == last.journal);
    Ok(reached.map_or(0, |reached| last.number.saturating_sub(reached.number)))
}

/// The last entry of a snapshot's journal.
pub(super) fn last_place(snapshot: &Snapshot) -> Result<JournalPlace, Failure> {
    let journal = snapshot.journal();
    Ok(JournalPlace {
        journal: journal.id().map_err(internal_failure)?,
        number: journal.last_number().map_err(internal_failure)?,
    })
}

/// Processes the journal, part by part.
struct JournalFollower {
    service: Arc<Service>,
    /// The last entry that could not be processed, and how often it was tried.
    failures: Option<(u64, u32)>,
}

impl JournalFollower {
    fn follow_forever(&mut self) {
        let mut last_failure = String::new();
        loop {
            let wait = match self.look_through() {
                Ok(true) => continue,
                Ok(false) => {
                    last_failure.clear();
                    POLL_INTERVAL
                }
                Err(failure) => {
                    let failure = error_chain(&failure);
                    if failure != last_failure {
                        tracing::warn!(error = failure, "watches are delayed");
                        last_failure = failure;
                    }
                    AFTER_FAILURE
                }
            };
            thread::sleep(wait);
        }
    }

    /// Processes the next part of the journal. Returns whether there may be more.
    fn look_through(&mut self) -> Result<bool, Failure> {
        let service = self.service.clone();
        let (snapshot, watches) = (service.store.snapshot(), service.access.watches());
        let place = watches.journal_place().map_err(internal_failure)?;
        let last = last_place(&snapshot)?;
        // Before the first start there is nothing to report; another index has another journal, and an older copy of
        // the index an older place.
        let is_known =
            |place: &JournalPlace| place.journal == last.journal && place.number <= last.number;
        let Some(from) = place.filter(is_known) else {
            watches.begin_journal(last).map_err(internal_failure)?;
            return Ok(false);
        };
        let entries = snapshot.journal().entries_after(from.number, ENTRIES_AT_ONCE);
        let entries = entries.map_err(internal_failure)?;
        if entries.is_empty() {
            return Ok(false);
        }
        let all = watches.list_watches(None).map_err(internal_failure)?;
        let all: Vec<ActiveWatch> = all.iter().filter_map(ActiveWatch::read).collect();
        let count = entries.len();
        let mut sink = EventSink::new(watches, from);
        for (index, JournalRow { number, entry }) in entries.into_iter().enumerate() {
            let of_entry: Vec<&ActiveWatch> =
                all.iter().filter(|watch| watch.since < number).collect();
            if let Err(failure) = look_at(&service, &snapshot, entry, &of_entry, &mut sink) {
                sink.discard();
                self.pass_over(number, failure)?;
            }
            sink.finish(number, index + 1 == count)?;
        }
        Ok(count == ENTRIES_AT_ONCE)
    }

    /// Skips an entry that cannot be processed, after a few tries.
    fn pass_over(&mut self, number: u64, failure: Failure) -> Result<(), Failure> {
        let before = self.failures.filter(|(known, _)| *known == number);
        let tries = before.map_or(0, |(_, tries)| tries) + 1;
        self.failures = Some((number, tries));
        if tries < MAX_TRIES {
            return Err(failure);
        }
        let error = error_chain(&failure);
        tracing::error!(error, number, "watches skipped a journal entry that could not be read");
        Ok(())
    }
}

/// Finds the events of an entry.
fn look_at(
    service: &Service,
    snapshot: &Snapshot,
    entry: Result<JournalEntry, StoreError>,
    watches: &[&ActiveWatch],
    sink: &mut EventSink<'_>,
) -> Result<(), Failure> {
    let entry = entry.map_err(internal_failure)?;
    // A bug in what an entry is compared with must not end the watches of everybody.
    let look = || crate::service::watches::find_events(service, snapshot, &entry, watches, sink);
    let looked = panic::catch_unwind(AssertUnwindSafe(look));
    looked.unwrap_or_else(|_| Err(internal_failure("a panic")))
}
