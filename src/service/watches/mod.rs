//! Watches: the journal of the index is processed, and each change that matches a watch becomes an event.

mod decisions;
mod documents;
mod follow;
mod patterns;
mod sink;
mod subject;
mod tdocs;
pub use follow::{journal_lag, start_watching};

use super::{Service, internal_failure};
use accounts::{AccessError, EventTarget, Watch, WatchKind};
use store::{JournalEntry, Snapshot};
use wire::Failure;

use follow::last_place;
use sink::EventSink;
use subject::WatchSubject;

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
}

/// What an event says.
struct News {
    title: String,
    text: String,
    target: EventTarget,
    keys: Vec<String>,
}

/// Adds a watch of an account from now on. Its subject is converted to the form under which it is found; if that
/// is not possible, the error says what is expected.
pub fn add_watch(
    service: &Service,
    account: u32,
    kind: WatchKind,
    text: &str,
) -> Result<Result<Watch, AccessError>, Failure> {
    let snapshot = service.store.snapshot();
    let subject = match WatchSubject::parse(kind, text) {
        Ok(WatchSubject::Company(name)) => {
            let catalog = service.tdoc_catalog(&snapshot)?;
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
    let watches = service.access.watches();
    // If servers share accounts, the one that follows watches has its own journal.
    let followed = if service.access.is_shared() {
        watches.journal_place().map_err(internal_failure)?
    } else {
        None
    };
    let since = followed.map_or_else(|| last_place(&snapshot), Ok)?;
    Ok(watches.add_watch(account, kind, &subject, since.number))
}

/// Finds the events of an entry of the journal.
fn find_events(
    service: &Service,
    snapshot: &Snapshot,
    entry: &JournalEntry,
    watches: &[&ActiveWatch],
    sink: &mut EventSink<'_>,
) -> Result<(), Failure> {
    if watches.is_empty() {
        return Ok(());
    }
    match entry {
        // A version that is read again is not news.
        JournalEntry::Document { is_new: false, .. } => Ok(()),
        JournalEntry::Document { id, .. } => {
            documents::find_version_events(service, snapshot, *id, watches, sink)
        }
        JournalEntry::Tdocs { ids } => {
            tdocs::find_register_events(service, snapshot, ids, watches, sink)
        }
        JournalEntry::TdocText { id } => {
            tdocs::find_text_events(service, snapshot, id, watches, sink)
        }
        JournalEntry::Notes { meeting } => {
            decisions::find_decision_events(service, snapshot, meeting, watches, sink)
        }
    }
}

fn unknown_company(text: &str) -> Failure {
    let message =
        format!("No company matches '{}'. Search for it under Contributions.", text.trim());
    Failure::InvalidParameter { parameter: "subject", message }
}
