//! Watches: the journal of the index is looked through, and what fits something that a person watches becomes an event.

mod decisions;
mod documents;
mod subject;
mod tdocs;

use std::{
    panic::{self, AssertUnwindSafe},
    sync::Arc,
    thread,
    time::Duration,
};

use super::{Service, internal_failure};
use accounts::{AccessError, EventTarget, NewWatchEvent, Watch, WatchEventKind, WatchKind};
use domain::error_chain;
use store::{JournalEntry, Snapshot};
use wire::Failure;

use subject::WatchSubject;

/// Time between two looks at the journal.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// After a failure, such as a full disk, the thread waits longer.
const AFTER_FAILURE: Duration = Duration::from_secs(30);
/// Entries of the journal that are read at once.
const ENTRIES_AT_ONCE: usize = 100;

/// Something that is watched, read.
struct ActiveWatch {
    id: u64,
    account: u32,
    since: u64,
    subject: WatchSubject,
}

impl ActiveWatch {
    /// A watch whose subject can be read.
    fn read(watch: &Watch) -> Option<Self> {
        let subject = WatchSubject::parse(watch.kind, &watch.subject).ok()?;
        Some(Self { id: watch.id, account: watch.account, since: watch.since, subject })
    }

    fn event(&self, kind: WatchEventKind, news: News) -> NewWatchEvent {
        let News { title, text, target, keys } = news;
        NewWatchEvent { watch: self.id, account: self.account, kind, title, text, target, keys }
    }
}

/// What an event tells.
struct News {
    title: String,
    text: String,
    target: EventTarget,
    keys: Vec<String>,
}

impl Service {
    /// Adds a watch of an account from now on. What is watched is brought into the form under which it is found; where that
    /// cannot be, the error says what is expected.
    pub fn add_watch(
        &self,
        account: u32,
        kind: WatchKind,
        text: &str,
    ) -> Result<Result<Watch, AccessError>, Failure> {
        let snapshot = self.store.snapshot();
        let subject = match WatchSubject::parse(kind, text) {
            Ok(WatchSubject::Company(name)) => {
                let catalog = self.tdoc_catalog(&snapshot)?;
                let index = catalog.directory.index_of_id(&name);
                let index = index.or_else(|| catalog.directory.index_of_name(text));
                match index.and_then(|index| catalog.directory.get(index)) {
                    Some(company) => company.id.clone(),
                    None => return Err(unknown_company(text)),
                }
            }
            Ok(subject) => subject.to_string(),
            Err(message) => {
                return Err(Failure::InvalidParameter { parameter: "subject", message });
            }
        };
        let since = snapshot.journal().last_number().map_err(internal_failure)?;
        Ok(self.access.watches().add_watch(account, kind, &subject, since))
    }

    /// Starts the thread that looks through the journal. It ends with the process: what it had not stored it finds again.
    pub fn start_watching(self: &Arc<Self>) {
        let service = self.clone();
        let thread = thread::Builder::new().name("watches".to_owned());
        if let Err(error) = thread.spawn(move || service.watch_forever()) {
            tracing::error!(%error, "no thread for watches; events come after the next start");
        }
    }

    fn watch_forever(&self) {
        let mut last_failure = String::new();
        loop {
            let wait = match self.look_through_journal() {
                Ok(true) => continue,
                Ok(false) => {
                    last_failure.clear();
                    POLL_INTERVAL
                }
                Err(failure) => {
                    let failure = error_chain(&failure);
                    if failure != last_failure {
                        tracing::warn!(error = failure, "watches wait");
                        last_failure = failure;
                    }
                    AFTER_FAILURE
                }
            };
            thread::sleep(wait);
        }
    }

    /// Looks through the next part of the journal. Returns whether there may be more.
    fn look_through_journal(&self) -> Result<bool, Failure> {
        let snapshot = self.store.snapshot();
        let watches = self.access.watches();
        let place = watches.journal_place().map_err(internal_failure)?;
        let last = snapshot.journal().last_number().map_err(internal_failure)?;
        let store = |from, to, events: &[NewWatchEvent]| {
            watches.record_events(from, to, events).map_err(internal_failure)
        };
        // Before the first start there is nothing to tell of; and a new index begins a new journal.
        let Some(mut from) = place.filter(|place| *place <= last) else {
            store(place, last, &[])?;
            return Ok(false);
        };
        let entries = snapshot.journal().entries_after(from, ENTRIES_AT_ONCE);
        let entries = entries.map_err(internal_failure)?;
        if entries.is_empty() {
            return Ok(false);
        }
        let is_full = entries.len() == ENTRIES_AT_ONCE;
        let all = watches.list_watches(None).map_err(internal_failure)?;
        let all: Vec<ActiveWatch> = all.iter().filter_map(ActiveWatch::read).collect();
        let mut reached = from;
        for (number, entry) in entries {
            let of_entry: Vec<&ActiveWatch> =
                all.iter().filter(|watch| watch.since < number).collect();
            // A bug in what an entry is compared with must not end the watches of everybody.
            let look = || self.events_of(&snapshot, &entry, &of_entry);
            let events = match panic::catch_unwind(AssertUnwindSafe(look)) {
                Ok(events) => events?,
                Err(_) => {
                    tracing::error!(number, "watches go on without an entry of the journal");
                    Vec::new()
                }
            };
            reached = number;
            if !events.is_empty() {
                store(Some(from), number, &events)?;
                from = number;
            }
        }
        if reached > from {
            store(Some(from), reached, &[])?;
        }
        Ok(is_full)
    }

    /// The events that an entry of the journal makes.
    fn events_of(
        &self,
        snapshot: &Snapshot,
        entry: &JournalEntry,
        watches: &[&ActiveWatch],
    ) -> Result<Vec<NewWatchEvent>, Failure> {
        if watches.is_empty() {
            return Ok(Vec::new());
        }
        match entry {
            // A version that is read anew is no news.
            JournalEntry::Document { is_new: false, .. } => Ok(Vec::new()),
            JournalEntry::Document { id, .. } => {
                documents::version_events(self, snapshot, *id, watches)
            }
            JournalEntry::Tdocs { ids } => tdocs::register_events(self, snapshot, ids, watches),
            JournalEntry::TdocText { id } => tdocs::text_events(self, snapshot, id, watches),
            JournalEntry::Notes { meeting } => {
                decisions::decision_events(self, snapshot, meeting, watches)
            }
        }
    }
}

fn unknown_company(text: &str) -> Failure {
    let message =
        format!("No company '{}' is known. Search for it under Contributions.", text.trim());
    Failure::InvalidParameter { parameter: "subject", message }
}

/// A text that names and words are looked for in: letters and digits in lower case, with one blank between.
struct Haystack(String);

impl Haystack {
    fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut folded = " ".to_owned();
        for text in texts {
            push_folded(text, &mut folded);
        }
        Self(folded)
    }

    /// Whether a name occurs as a whole.
    fn has_name(&self, folded: &str) -> bool {
        self.0.contains(folded)
    }

    /// Whether a word begins so.
    fn has_word(&self, folded: &str) -> bool {
        self.0.contains(folded.trim_end())
    }
}

/// Adds the words of a text, each with a blank after it.
fn push_folded(text: &str, folded: &mut String) {
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        folded.extend(word.chars().flat_map(char::to_lowercase));
        folded.push(' ');
    }
}

/// A name as it is looked for, with a blank before and after.
fn fold_name(text: &str) -> String {
    let mut folded = " ".to_owned();
    push_folded(text, &mut folded);
    folded
}
