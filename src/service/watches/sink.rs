//! Stores the events of an entry of the journal in parts, the position in the journal with the last one.

use super::{ActiveWatch, News};
use crate::service::internal_failure;
use accounts::{AccountWatches, JournalPlace, NewWatchEvent, WatchEventKind};
use wire::Failure;

/// Events that are stored in one transaction, and kept in memory until then: one entry may match every watch.
const EVENTS_AT_ONCE: usize = 1_000;

/// The events of an entry. After a process was killed between two parts, the next one finds them again, and
/// recognises those that were stored by their keys.
pub(super) struct EventSink<'a> {
    watches: AccountWatches<'a>,
    from: JournalPlace,
    pending: Vec<NewWatchEvent>,
    failure: Option<Failure>,
}

impl<'a> EventSink<'a> {
    /// A sink for the events of entries after a place.
    pub(super) fn new(watches: AccountWatches<'a>, from: JournalPlace) -> Self {
        Self { watches, from, pending: Vec::new(), failure: None }
    }

    /// Adds an event. A failure to store it is returned at the end: it does not concern the entry that is being
    /// processed.
    pub(super) fn push(&mut self, watch: &ActiveWatch, kind: WatchEventKind, news: News) {
        if self.failure.is_some() {
            return;
        }
        let News { title, text, target, keys } = news;
        let (account, watch) = (watch.account, watch.id);
        self.pending.push(NewWatchEvent { watch, account, kind, title, text, target, keys });
        if self.pending.len() >= EVENTS_AT_ONCE {
            self.failure = self.store(self.from.number).err();
        }
    }

    /// Drops what was added and not stored.
    pub(super) fn discard(&mut self) {
        self.pending.clear();
    }

    /// Stores the rest, and that the journal was processed up to an entry. Does nothing if there was no event and the
    /// entry need not be remembered.
    pub(super) fn finish(&mut self, reached: u64, is_last: bool) -> Result<(), Failure> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        if !self.pending.is_empty() || is_last && reached > self.from.number {
            self.store(reached)?;
            self.from.number = reached;
        }
        Ok(())
    }

    fn store(&mut self, reached: u64) -> Result<(), Failure> {
        let events = std::mem::take(&mut self.pending);
        self.watches.record_events(self.from, reached, &events).map_err(internal_failure)?;
        Ok(())
    }
}
