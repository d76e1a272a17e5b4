//! The names of the documents, collected again after they change while the old ones still serve.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use domain::TermKind;
use store::{DocumentEntry, Snapshot, StoreError};
use suggestion::{NameIndex, NameIndexBuilder, NameKind, NamePlace};

/// How long a request waits for the first collection: without it, there would be no suggestion at all.
const MAX_FIRST_WAIT: Duration = Duration::from_secs(1);
/// How long it waits for a newer one: for a small corpus, this is enough to have the newest names.
const MAX_WAIT: Duration = Duration::from_millis(25);
/// The pause after a collection, as a multiple of its time: while an ingest keeps adding documents, collecting takes
/// at most 5 % of the time.
const PAUSE_FACTOR: u32 = 20;

/// The collected names.
#[derive(Default)]
pub(in crate::service) struct NameIndexCache {
    state: Mutex<CacheState>,
    changed: Condvar,
}

#[derive(Default)]
struct CacheState {
    /// The newest collection, and the batch of the documents it was made from.
    names: Arc<NameIndex>,
    batch: Option<u64>,
    is_building: bool,
    /// When the next one may begin.
    pause_ends: Option<Instant>,
}

impl NameIndexCache {
    /// The names of a snapshot; those of an older one while they are being collected, and none if there are no
    /// others.
    pub(in crate::service) fn names_of(
        self: &Arc<Self>,
        snapshot: &Arc<Snapshot>,
    ) -> Arc<NameIndex> {
        self.begin_build(snapshot);
        let state = self.lock();
        let wait = if state.batch.is_some() { MAX_WAIT } else { MAX_FIRST_WAIT };
        let waited = self.changed.wait_timeout_while(state, wait, |state| state.is_building);
        waited.unwrap_or_else(PoisonError::into_inner).0.names.clone()
    }

    /// Begins to collect the names of a snapshot in a thread, unless they are there, or it is too early.
    pub(in crate::service) fn begin_build(self: &Arc<Self>, snapshot: &Arc<Snapshot>) {
        let batch = snapshot.batch_number();
        let mut state = self.lock();
        let is_early = state.pause_ends.is_some_and(|end| Instant::now() < end);
        if state.batch == Some(batch) || state.is_building || is_early {
            return;
        }
        let (cache, snapshot) = (self.clone(), snapshot.clone());
        let begun = thread::Builder::new().name("names".to_owned()).spawn(move || {
            let started = Instant::now();
            let names = collect_names(&snapshot);
            drop(snapshot);
            cache.finish_build(batch, names, started.elapsed());
        });
        match begun {
            Ok(_) => state.is_building = true,
            Err(error) => tracing::warn!(%error, "cannot collect names for suggestions"),
        }
    }

    fn finish_build(&self, batch: u64, names: Result<NameIndex, StoreError>, took: Duration) {
        let mut state = self.lock();
        match names {
            Ok(names) => {
                tracing::debug!(names = names.len(), ?took, "collected names for suggestions");
                state.names = Arc::new(names);
                state.batch = Some(batch);
            }
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::error!(error, "cannot read names for suggestions");
            }
        }
        state.is_building = false;
        state.pause_ends = Instant::now().checked_add(took * PAUSE_FACTOR);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, CacheState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The names of the newest version of each document; those of the newest release and of the longest documents are
/// added first.
fn collect_names(snapshot: &Snapshot) -> Result<NameIndex, StoreError> {
    let mut newest: BTreeMap<_, &DocumentEntry> = BTreeMap::new();
    for entry in snapshot.catalog().document_entries() {
        let known = newest.entry(&entry.row.number).or_insert(entry);
        if known.row.version < entry.row.version {
            *known = entry;
        }
    }
    let mut entries: Vec<&DocumentEntry> = newest.into_values().collect();
    entries.sort_by_key(|entry| Reverse((entry.row.release, entry.row.passage_count)));
    let mut builder = NameIndexBuilder::default();
    for entry in entries {
        add_document(snapshot, entry, &mut builder)?;
    }
    Ok(builder.build())
}

fn add_document(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    builder: &mut NameIndexBuilder,
) -> Result<(), StoreError> {
    let place = |section| NamePlace { document: entry.id, section };
    let number = entry.row.number.as_str();
    builder.add_name(NameKind::Document, number, entry.row.title.as_deref(), place(0));
    for (ordinal, head) in (0..).zip(snapshot.documents().section_heads(entry.id)?) {
        let is_placeholder =
            head.title.trim().trim_matches(['(', ')', '.']).eq_ignore_ascii_case("void");
        if !is_placeholder {
            builder.add_name(NameKind::Clause, &head.title, None, place(ordinal));
        }
    }
    for row in snapshot.terms().document_terms(entry.id)? {
        let kind = match row.kind {
            TermKind::Abbreviation => NameKind::Abbreviation,
            TermKind::Term => NameKind::Term,
            TermKind::Symbol => NameKind::Symbol,
        };
        builder.add_name(kind, &row.term, Some(&row.meaning), place(row.section));
    }
    Ok(())
}
