//! Makes the vectors that are missing: after an ingest, and in the background of a server.
//!
//! Documents are found by their words as soon as they are stored. Vectors follow in slices, each committed: first those of
//! all headings, which are few and lead to every clause, then those of the documents that were asked for most, and of
//! the newest. A run that ends anywhere goes on from its last slice.

use std::{
    cmp::Reverse,
    collections::HashMap,
    sync::{
        MutexGuard, PoisonError, TryLockError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

use super::{CommandError, JobRunner};
use domain::{DocNumber, Version};
use neural::TextEmbedder;
use store::{MissingVectors, ModelRow, Snapshot};

/// Texts embedded between two checks for cancellation, where nothing else needs the processor.
const FULL_BATCH: usize = 64;
/// The same in the background: a search that begins waits for so many at most.
const BACKGROUND_BATCH: usize = 4;
/// Vectors are stored at least this often.
const COMMIT_INTERVAL: Duration = Duration::from_secs(15);
/// Texts of one slice, about.
const SLICE_TEXTS: usize = 4_096;
/// Longest time that a batch in the background stands back for searches.
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// Time between two tries to get the right to change vectors.
const LOCK_POLL: Duration = Duration::from_millis(20);
/// Time between two reports while waiting for it.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);
/// Time between two looks whether documents are still being read.
const READING_POLL: Duration = Duration::from_millis(200);

/// What a run made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VectorsReport {
    /// Texts whose vectors were made.
    pub embedded: u64,
    /// Texts that still have none.
    pub missing: u64,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
}

/// How often documents were asked for, since the start.
#[derive(Debug, Default)]
pub(super) struct AskedDocuments(std::sync::Mutex<HashMap<DocNumber, u32>>);

impl AskedDocuments {
    fn note(&self, number: &DocNumber) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(number.clone()).or_default();
        *count = count.saturating_add(1);
    }

    fn count(&self, number: &DocNumber) -> u32 {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.get(number).copied().unwrap_or_default()
    }
}

/// Notes that somebody asked for a document: its vectors are made before those of others.
pub fn note_asked(jobs: &JobRunner, number: &DocNumber) {
    jobs.asked.note(number);
}

/// Makes all vectors that are missing. In a server it stands back for searches. `step` gets the texts that have
/// vectors and their total.
pub fn make_missing_vectors(
    jobs: &JobRunner,
    cancel: &AtomicBool,
    step: &mut dyn FnMut(usize, usize),
) -> Result<VectorsReport, CommandError> {
    let mut report = VectorsReport::default();
    let mut missing_before = None;
    loop {
        wait_for_reading(jobs, cancel);
        // Each slice takes the right to change vectors anew, so that a reindexing can come between.
        let Some(_right) = await_vectors(jobs, cancel, step) else {
            report.interrupted = true;
            return Ok(report);
        };
        jobs.store.recover()?;
        let snapshot = jobs.store.snapshot();
        let mut missing = MissingVectors::of(&snapshot);
        report.missing = missing.count(&snapshot);
        let is_cancelled = cancel.load(Ordering::Acquire);
        // Where a slice changed nothing, no other one will.
        let is_stuck = missing_before.replace(report.missing) == Some(report.missing);
        if !has_unembedded(&snapshot) || is_cancelled || is_stuck {
            report.interrupted = report.missing > 0 && is_cancelled;
            return Ok(report);
        }
        let total = snapshot.content_count();
        let before = (total - report.missing.min(total)) as usize;
        let texts = choose_texts(jobs, &snapshot, &mut missing)?;
        drop(snapshot);
        let mut slice = VectorSlice::open(jobs)?;
        let mut done = 0;
        for batch in texts.chunks(slice.batch_size()) {
            if cancel.load(Ordering::Acquire) || must_stand_back(jobs) {
                break;
            }
            slice.embed(batch)?;
            done += batch.len();
            step(before + done, total as usize);
        }
        slice.commit()?;
        report.embedded += done as u64;
        if done < texts.len() {
            missing_before = None;
        }
    }
}

/// In the background: waits while documents are read. Holds nothing meanwhile.
fn wait_for_reading(jobs: &JobRunner, cancel: &AtomicBool) {
    while jobs.makes_vectors_in_background() && jobs.is_reading() && !cancel.load(Ordering::Acquire)
    {
        std::thread::sleep(READING_POLL);
    }
}

/// In the background: waits while searches run; returns whether documents are to be read, so that the slice must end.
fn must_stand_back(jobs: &JobRunner) -> bool {
    if !jobs.makes_vectors_in_background() {
        return false;
    }
    jobs.activity.wait_until_quiet(LONGEST_WAIT);
    jobs.is_reading()
}

/// Texts without vectors, in the order in which they are needed, as many as a slice has.
fn choose_texts(
    jobs: &JobRunner,
    snapshot: &Snapshot,
    missing: &mut MissingVectors,
) -> Result<Vec<(u64, String)>, CommandError> {
    let documents = order_documents(jobs, snapshot);
    let mut texts = Vec::new();
    for id in &documents {
        texts.extend(missing.take_heading_texts(snapshot, *id)?);
        if texts.len() >= SLICE_TEXTS {
            return Ok(texts);
        }
    }
    if !texts.is_empty() {
        // Committed alone: they are useful before the first passage is.
        return Ok(texts);
    }
    for id in documents {
        texts.extend(missing.take_document_texts(snapshot, id)?);
        if texts.len() >= SLICE_TEXTS {
            return Ok(texts);
        }
    }
    for key in snapshot.unembedded_tdocs() {
        texts.extend(missing.take_tdoc_texts(snapshot, key)?);
        if texts.len() >= SLICE_TEXTS {
            break;
        }
    }
    Ok(texts)
}

/// Documents without vectors: those asked for most, then the newest version of each, then by date of import.
fn order_documents(jobs: &JobRunner, snapshot: &Snapshot) -> Vec<u32> {
    let catalog = snapshot.catalog();
    let mut newest: HashMap<&DocNumber, Version> = HashMap::new();
    for entry in catalog.document_entries() {
        let version = newest.entry(&entry.row.number).or_insert(entry.row.version);
        *version = (*version).max(entry.row.version);
    }
    let mut documents: Vec<u32> = snapshot.unembedded_documents().collect();
    documents.sort_by_cached_key(|id| {
        catalog.get(*id).map(|entry| {
            let row = &entry.row;
            let is_newest = newest.get(&row.number) == Some(&row.version);
            let asked = jobs.asked.count(&row.number);
            (Reverse(asked), Reverse(is_newest), Reverse(row.created_at.clone()), *id)
        })
    });
    documents
}

/// Waits for the right to change vectors, and reports meanwhile what whoever has it makes; none where cancelled.
fn await_vectors<'a>(
    jobs: &'a JobRunner,
    cancel: &AtomicBool,
    step: &mut dyn FnMut(usize, usize),
) -> Option<MutexGuard<'a, ()>> {
    let mut last_report = Instant::now();
    loop {
        match jobs.vectors_lock.try_lock() {
            Ok(right) => return Some(right),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {}
        }
        if cancel.load(Ordering::Acquire) {
            return None;
        }
        if last_report.elapsed() >= REPORT_INTERVAL {
            let snapshot = jobs.store.snapshot();
            let (total, missing) =
                (snapshot.content_count(), MissingVectors::of(&snapshot).count(&snapshot));
            step(total.saturating_sub(missing) as usize, total as usize);
            last_report = Instant::now();
        }
        std::thread::sleep(LOCK_POLL);
    }
}

/// Waits for the right to change vectors.
pub(super) fn lock_vectors(jobs: &JobRunner) -> MutexGuard<'_, ()> {
    jobs.vectors_lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a document or a TDoc lacks vectors.
fn has_unembedded(snapshot: &Snapshot) -> bool {
    snapshot.unembedded_documents().next().is_some() || snapshot.unembedded_tdocs().next().is_some()
}

/// Vectors on their way to the store.
struct VectorSlice<'a> {
    runner: &'a JobRunner,
    embedder: std::sync::Arc<dyn TextEmbedder>,
    model: ModelRow,
    vectors: Vec<(u64, Vec<Vec<f32>>)>,
    last_commit: Instant,
}

impl<'a> VectorSlice<'a> {
    fn open(runner: &'a JobRunner) -> Result<Self, CommandError> {
        let name = runner.text_embedding()?;
        let model = runner.models.to_model_row(&name)?;
        if let Some(stored) = runner.store.snapshot().contents().text_model()? {
            model.check_stored(&stored)?;
        }
        let embedder = runner.models.text_embedder(&name)?;
        Ok(Self { runner, embedder, model, vectors: Vec::new(), last_commit: Instant::now() })
    }

    fn batch_size(&self) -> usize {
        if self.runner.makes_vectors_in_background() { BACKGROUND_BATCH } else { FULL_BATCH }
    }

    fn embed(&mut self, batch: &[(u64, String)]) -> Result<(), CommandError> {
        let texts: Vec<&str> = batch.iter().map(|(_, text)| text.as_str()).collect();
        let embedded = self.embedder.embed_documents(&texts)?;
        self.vectors.extend(batch.iter().map(|(content, _)| *content).zip(embedded));
        if self.last_commit.elapsed() >= COMMIT_INTERVAL {
            self.commit()?;
        }
        Ok(())
    }

    /// Stores what was made; where nothing was, documents whose last vectors came from others are still marked.
    fn commit(&mut self) -> Result<(), CommandError> {
        let mut writer = self.runner.store.lock_writer();
        writer.add_text_vectors(&self.model, &self.vectors)?;
        writer.compact_segments()?;
        self.vectors.clear();
        self.last_commit = Instant::now();
        Ok(())
    }
}
