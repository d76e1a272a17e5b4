//! What people watch, and the resulting events.
//!
//! Events are stored together with the position up to which the index's journal was read, in one transaction: a
//! process that is killed neither loses an event nor creates one twice.

mod event;
mod feeds;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

pub use event::{EventTarget, NewWatchEvent, StoredEvent, WatchEvent, WatchEventKind};

use super::{
    AccessError, Clock,
    account::load_account,
    clock::format_timestamp,
    database::{
        AccountsChange, AccountsDatabase, COUNTERS, RowTable, WATCH_EVENTS, WATCH_KEYS, WATCHES,
        decode_record, encode_record,
    },
};
use event::key_of;

/// Things that an account may watch. An ingest takes no longer with this many (896 ms, and 908 ms without any).
pub(super) const MAX_WATCHES: usize = 1_000;
/// Characters of what is watched.
pub(super) const MAX_SUBJECT_CHARS: usize = 200;
/// Events of an account that are kept; older ones are removed.
const MAX_EVENTS: usize = 20_000;
/// Name of the counter of watches.
const NEXT_WATCH: &str = "next_watch";
/// Name of the counter of events.
const NEXT_EVENT: &str = "next_watch_event";
/// Name of the counter with the identity of the journal that was read.
const JOURNAL_ID: &str = "watched_journal_id";
/// Name of the counter with the number of its entry that was read last.
const JOURNAL_NUMBER: &str = "watched_journal";

/// The kind of thing that is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum WatchKind {
    /// A specification: `38.331`.
    Document,
    /// A clause with all below it: `38.331 5.3.5`.
    Clause,
    /// A name: `T310`.
    Name,
    /// A company, by its id: `example-radio`.
    Company,
    /// A work item, by its code: `NR_XR_enh-Core`.
    WorkItem,
    /// An agenda item of a group or a meeting, with all below it: `RAN1 9.1`.
    AgendaItem,
    /// Words that must all occur: `beam failure recovery`.
    Query,
}

/// Something that an account watches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watch {
    /// Its number.
    pub id: u64,
    /// The account.
    pub account: u32,
    /// What kind of thing it is.
    pub kind: WatchKind,
    /// What is watched.
    pub subject: String,
    /// When it was added, RFC 3339 in UTC.
    pub created_at: String,
    /// The entry of the journal after which it counts.
    pub since: u64,
}

/// A place in the journal of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JournalPlace {
    /// The identity of the journal: a new index has another one.
    pub journal: u64,
    /// The number of an entry.
    pub number: u64,
}

/// The watches of all accounts.
#[derive(Clone, Copy)]
pub struct AccountWatches<'a> {
    pub(super) database: &'a AccountsDatabase,
    pub(super) clock: &'a Clock,
}

impl<'a> AccountWatches<'a> {
    /// Adds a watch of what comes after an entry of the journal. One that already exists is not changed.
    pub fn add_watch(
        &self,
        account: u32,
        kind: WatchKind,
        subject: &str,
        since: u64,
    ) -> Result<Watch, AccessError> {
        let subject = subject.trim();
        if subject.is_empty() || subject.chars().count() > MAX_SUBJECT_CHARS {
            return Err(AccessError::InvalidWatch);
        }
        let created_at = format_timestamp(self.clock.now());
        self.database.write_transaction(|txn| {
            let mut table = txn.open_table(WATCHES)?;
            let own = load_watches(&table, Some(account))?;
            if let Some(known) =
                own.iter().find(|watch| watch.kind == kind && watch.subject == subject)
            {
                return Ok(known.clone());
            }
            if own.len() >= MAX_WATCHES {
                return Err(AccessError::TooManyWatches { max_watches: MAX_WATCHES });
            }
            let id = next_number(txn, NEXT_WATCH)?;
            let subject = subject.to_owned();
            let created_at = created_at.clone();
            let watch = Watch { id, account, kind, subject, created_at, since };
            table.insert((account, id), encode_record(&watch).as_slice())?;
            Ok(watch)
        })
    }

    /// Removes a watch of an account. Its events stay.
    pub fn remove_watch(&self, account: u32, id: u64) -> Result<(), AccessError> {
        self.database.write_transaction(|txn| {
            let removed = txn.open_table(WATCHES)?.remove((account, id))?.is_some();
            if !removed {
                return Err(AccessError::UnknownWatch { id });
            }
            let mut keys = txn.open_table(WATCH_KEYS)?;
            keys.remove_range((id, 0)..=(id, u128::MAX))
        })
    }

    /// The watches of an account, or of all; the oldest first.
    pub fn list_watches(&self, account: Option<u32>) -> Result<Vec<Watch>, AccessError> {
        let txn = self.database.begin_read()?;
        let mut watches = load_watches(&txn.open_table(WATCHES)?, account)?;
        watches.sort_by_key(|watch| watch.id);
        Ok(watches)
    }

    /// The position up to which the journal was read; `None` before the first time.
    pub fn journal_place(&self) -> Result<Option<JournalPlace>, AccessError> {
        let txn = self.database.begin_read()?;
        read_place(&txn.open_table(COUNTERS)?)
    }

    /// Begins to read a journal after an entry: nothing before it becomes an event, whenever a watch was added.
    pub fn begin_journal(&self, place: JournalPlace) -> Result<(), AccessError> {
        self.database.write_transaction(|txn| {
            let mut counters = txn.open_table(COUNTERS)?;
            counters.insert(JOURNAL_ID, place.journal)?;
            counters.insert(JOURNAL_NUMBER, place.number)?;
            let mut table = txn.open_table(WATCHES)?;
            for watch in load_watches(&table, None)? {
                let key = (watch.account, watch.id);
                let watch = Watch { since: place.number, ..watch };
                table.insert(key, encode_record(&watch).as_slice())?;
            }
            Ok(())
        })
    }

    /// Stores the events from the journal after a position, and the number of the entry up to which it was now read.
    /// If it was read up to another position meanwhile, nothing is stored. Events of removed watches, and those that
    /// came before, are skipped. Returns how many were stored.
    pub fn record_events(
        &self,
        from: JournalPlace,
        to: u64,
        events: &[NewWatchEvent],
    ) -> Result<usize, AccessError> {
        let created_at = format_timestamp(self.clock.now());
        self.database.write_transaction(|txn| {
            {
                let mut counters = txn.open_table(COUNTERS)?;
                if read_place(&counters)? != Some(from) {
                    return Ok(0);
                }
                counters.insert(JOURNAL_NUMBER, to)?;
            }
            let watches = txn.open_table(WATCHES)?;
            let mut table = txn.open_table(WATCH_EVENTS)?;
            let mut keys = txn.open_table(WATCH_KEYS)?;
            let mut stored = 0;
            let mut touched = HashSet::new();
            for event in events {
                let NewWatchEvent { watch, account, kind, title, text, target, keys: own } = event;
                let Some(first) = own.first() else { continue };
                let is_gone = watches.get((*account, *watch))?.is_none();
                if is_gone || keys.get((*watch, key_of(first)))?.is_some() {
                    continue;
                }
                for key in own {
                    keys.insert((*watch, key_of(key)), ())?;
                }
                let row = StoredEvent {
                    watch: *watch,
                    kind: *kind,
                    title: title.clone(),
                    text: text.clone(),
                    target: target.clone(),
                    created_at: created_at.clone(),
                };
                let id = next_number(txn, NEXT_EVENT)?;
                table.insert((*account, id), encode_record(&row).as_slice())?;
                touched.insert(*account);
                stored += 1;
            }
            for account in touched {
                let all = (account, 0)..=(account, u64::MAX);
                if let Some((last_removed, _)) = table.last_of(all, MAX_EVENTS, 1)?.pop() {
                    table.remove_range((account, 0)..=last_removed.value())?;
                }
            }
            Ok(stored)
        })
    }

    /// The events that came before.
    pub fn known_events(&self) -> KnownEvents<'a> {
        KnownEvents(self.database)
    }

    /// The events of an account before a number, or the newest; the newest first.
    pub fn list_events(
        &self,
        account: u32,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<WatchEvent>, AccessError> {
        let txn = self.database.begin_read()?;
        let table = txn.open_table(WATCH_EVENTS)?;
        let end = (account, before.unwrap_or(u64::MAX));
        let rows = table.last_of((account, 0)..end, 0, limit)?;
        let mut events = Vec::with_capacity(rows.len());
        for (key, value) in rows {
            let stored: StoredEvent = decode_record("event", value.value())?;
            events.push(WatchEvent { id: key.value().1, stored });
        }
        Ok(events)
    }

    /// Whether an account exists and is not disabled.
    fn is_active(&self, account: u32) -> Result<bool, AccessError> {
        Ok(load_account(self.database, account)?.is_some_and(|account| account.active))
    }
}

/// The events that came before, by the keys they are known by.
pub struct KnownEvents<'a>(&'a AccountsDatabase);

impl KnownEvents<'_> {
    /// Whether a watch has had an event with this key.
    pub fn has(&self, watch: u64, key: &str) -> Result<bool, AccessError> {
        Ok(self.0.begin_read()?.open_table(WATCH_KEYS)?.get((watch, key_of(key)))?.is_some())
    }
}

fn read_place(
    counters: &RowTable<'_, &'static str, u64>,
) -> Result<Option<JournalPlace>, AccessError> {
    let read = |name| Ok::<_, AccessError>(counters.get(name)?.map(|value| value.value()));
    let place = read(JOURNAL_ID)?.zip(read(JOURNAL_NUMBER)?);
    Ok(place.map(|(journal, number)| JournalPlace { journal, number }))
}

fn load_watches(
    table: &RowTable<'_, (u32, u64), &'static [u8]>,
    account: Option<u32>,
) -> Result<Vec<Watch>, AccessError> {
    let (first, last) = account.map_or((0, u32::MAX), |account| (account, account));
    let rows = table.range((first, 0)..=(last, u64::MAX))?;
    rows.iter().map(|(_, value)| decode_record("watch", value.value())).collect()
}

fn next_number(txn: &AccountsChange<'_>, name: &str) -> Result<u64, AccessError> {
    let mut counters = txn.open_table(COUNTERS)?;
    let next = counters.get(name)?.map_or(1, |next| next.value());
    counters.insert(name, next + 1)?;
    Ok(next)
}
