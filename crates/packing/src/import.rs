//! From packs to an index.
//!
//! Packs are read on one thread and committed on another, documents in groups. What the index has from the same source
//! and an equal or later reading stays as it is.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, sync_channel},
    },
    thread,
};

use domain::error_chain;
use pack::{Depot, ListedPack, VectorSubject};
use serde::{Deserialize, Serialize};
use store::{
    DocumentCommit, IndexState, ModelRow, NewDocument, NewTdocText, PackedOrigin, PictureHash,
    SourceReading, SourceRow, Store,
};

use crate::{
    PackingError,
    carried::{
        Carried, CarriedDocument, CarriedMeeting, CarriedNotes, DefinitionsSource, PackDates,
        PackReader, is_model, order_packs, to_row,
    },
    reading::read_listed_vectors,
};

/// Packs read ahead of the commit; each may hold many megabytes.
const READ_AHEAD: usize = 4;
/// Documents of one commit, at most. They share its syncs; a larger group would keep other changes waiting longer.
const GROUP_DOCUMENTS: usize = 16;
/// Approximate bytes of text and pictures of one commit, which are in memory together.
const GROUP_BYTES: usize = 32 << 20;
/// Vectors of pictures collected for one commit: 17 MB at 1,024 numbers. Each commit rewrites the list of vector
/// files.
const PICTURE_SLICE: usize = 4096;

/// The result of an import of packs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackImportReport {
    /// Packs that were imported.
    pub taken: usize,
    /// Packs whose content the index had already.
    pub unchanged: usize,
    /// Models whose vectors were left out, because the index has those of another.
    pub other_models: Vec<String>,
    /// Packs that are damaged or missing and were skipped, one sentence each.
    pub damaged: Vec<String>,
    /// Whether it was stopped before its end; the next run continues.
    pub interrupted: bool,
}

impl PackImportReport {
    /// Counts a pack.
    fn count(&mut self, is_changed: bool) {
        if is_changed { self.taken += 1 } else { self.unchanged += 1 }
    }
}

/// Imports packs into an index.
pub struct PackImporter<'a> {
    /// The index.
    pub store: &'a Store,
    /// The depot of the packs.
    pub depot: &'a Depot,
    /// The model of an index that has none yet.
    pub model: ModelRow,
    /// Whether an index without a model may get that of the packs instead of this one.
    pub may_change_model: bool,
    /// Whether damaged and missing packs are skipped instead of ending the run.
    pub skip_damaged: bool,
    /// Where names, terms and change histories come from.
    pub definitions: DefinitionsSource<'a>,
}

impl PackImporter<'_> {
    /// Imports packs in their order; with the state of an index, they keep the ids and dates that they had there.
    /// `step` gets the packs done and the total.
    pub fn import_packs(
        &self,
        packs: &[ListedPack],
        state: Option<&IndexState>,
        cancel: &AtomicBool,
        step: &mut dyn FnMut(usize, usize),
    ) -> Result<PackImportReport, PackingError> {
        let model = self.choose_model(packs, state)?;
        let dates = PackDates::of(state);
        let ordered = order_packs(packs, &dates);
        let other_models = find_other_models(packs, &model);
        let mut report = PackImportReport { other_models, ..PackImportReport::default() };
        thread::scope(|scope| {
            let (sender, receiver) = sync_channel(READ_AHEAD);
            let definitions = self.definitions;
            let reader =
                PackReader { depot: self.depot, model: &model, dates: &dates, definitions };
            let ordered = &ordered;
            scope.spawn(move || reader.read_all(ordered, cancel, &sender));
            self.commit_all(&receiver, &model, ordered.len(), &mut report, step)
        })?;
        if !cancel.load(Ordering::Acquire) {
            self.import_picture_vectors(packs, &mut report)?;
        }
        report.interrupted = cancel.load(Ordering::Acquire);
        Ok(report)
    }

    /// The model of the index; if it has none, that of the packs or of the index they come from.
    fn choose_model(
        &self,
        packs: &[ListedPack],
        state: Option<&IndexState>,
    ) -> Result<ModelRow, PackingError> {
        if let Some(stored) = self.store.snapshot().contents().text_model()? {
            return Ok(stored);
        }
        let vectors = packs.iter().flat_map(|listed| &listed.vectors);
        let mut models = vectors.filter(|vectors| vectors.subject == VectorSubject::Texts);
        let of_state = state.and_then(|state| state.text_model.clone());
        let wanted = of_state.unwrap_or_else(|| self.model.clone());
        let Some(first) = models.next().map(|vectors| to_row(&vectors.model)) else {
            return Ok(wanted);
        };
        let is_wanted = first == wanted || models.any(|vectors| is_model(&vectors.model, &wanted));
        Ok(if is_wanted || !self.may_change_model { wanted } else { first })
    }

    fn commit_all(
        &self,
        receiver: &Receiver<Result<Carried, PackingError>>,
        model: &ModelRow,
        total: usize,
        report: &mut PackImportReport,
        step: &mut dyn FnMut(usize, usize),
    ) -> Result<(), PackingError> {
        let mut group = DocumentGroup::default();
        for carried in receiver {
            let carried = match carried {
                Err(error) if self.skip_damaged => {
                    report.damaged.push(error_chain(&error));
                    continue;
                }
                carried => carried?,
            };
            match carried {
                Carried::Document(CarriedDocument { new, origin, first_passage, bytes }) => {
                    if self.has_document(&new, &origin)? {
                        self.store.lock_writer().add_packed_vectors(model, &new.vectors)?;
                        report.unchanged += 1;
                    } else {
                        group.push(new, origin, first_passage, bytes)
                    }
                    if !group.is_full() {
                        continue;
                    }
                }
                Carried::Tdoc(new) => {
                    group.commit(self.store, model, report)?;
                    self.store_tdoc(&new, model, report)?;
                }
                Carried::Meeting(CarriedMeeting { meeting, date }) => {
                    group.commit(self.store, model, report)?;
                    let mut writer = self.store.lock_writer();
                    report.count(writer.store_packed_meeting(&meeting, date)?);
                }
                Carried::Notes(CarriedNotes { notes, date, vectors }) => {
                    group.commit(self.store, model, report)?;
                    let mut writer = self.store.lock_writer();
                    report.count(writer.store_packed_notes(&notes, date, vectors.as_ref())?);
                }
            }
            group.commit(self.store, model, report)?;
            step(report.taken + report.unchanged, total);
        }
        group.commit(self.store, model, report)?;
        step(report.taken + report.unchanged, total);
        Ok(())
    }

    /// Whether the index has a document from the same source, read by the same rules or later ones.
    fn has_document(&self, new: &NewDocument, origin: &PackedOrigin) -> Result<bool, PackingError> {
        let snapshot = self.store.snapshot();
        let entry = snapshot.catalog().find_version(&new.row.number, new.row.version);
        if entry.is_none_or(|entry| entry.row.source_hash != origin.source_hash) {
            return Ok(false);
        }
        let source = snapshot.documents().find_source(&origin.source_hash)?;
        Ok(match source.map(|source| source.extractor_revision) {
            Some(revision) => Some(revision) >= origin.extractor_revision,
            // Its source contained more, of which something was removed: the reading is as old as the pack's, or
            // unknown.
            None => origin.extractor_revision.is_none(),
        })
    }

    fn store_tdoc(
        &self,
        new: &NewTdocText,
        model: &ModelRow,
        report: &mut PackImportReport,
    ) -> Result<(), PackingError> {
        // Documents may be fetched at the same time. Only with the writer held is the snapshot the state that is
        // changed.
        let mut writer = self.store.lock_writer();
        let snapshot = self.store.snapshot();
        let known = snapshot.catalog().tdoc_by_id(&new.row.id);
        let is_known = known.is_some_and(|known| {
            known.row.hash == new.row.hash && known.row.revision >= new.row.revision
        });
        if is_known {
            writer.add_packed_vectors(model, &new.vectors)?;
            report.unchanged += 1;
        } else {
            writer.commit_tdoc(new, model)?;
            report.taken += 1;
        }
        Ok(())
    }

    /// Stores the vectors of pictures that have none yet, of the model of the index; of an index without one, that of
    /// the packs.
    fn import_picture_vectors(
        &self,
        packs: &[ListedPack],
        report: &mut PackImportReport,
    ) -> Result<(), PackingError> {
        let vectors = packs.iter().flat_map(|listed| &listed.vectors);
        let all: Vec<_> =
            vectors.filter(|vectors| vectors.subject == VectorSubject::Pictures).collect();
        let Some(first) = all.first() else { return Ok(()) };
        let stored = self.store.snapshot().figures().picture_model()?;
        let model = stored.clone().unwrap_or_else(|| to_row(&first.model));
        if stored.is_none() {
            self.store.lock_writer().switch_picture_model(&model)?;
        }
        let (pending, _) = self.store.snapshot().figures().pending_pictures()?;
        let mut pending: HashMap<PictureHash, _> =
            pending.into_iter().map(|pending| (pending.picture.hash, pending)).collect();
        let mut found = Vec::new();
        for vectors in all.into_iter().filter(|vectors| is_model(&vectors.model, &model)) {
            let file = match read_listed_vectors(self.depot, vectors) {
                Err(error) if self.skip_damaged => {
                    report.damaged.push(error_chain(&error));
                    continue;
                }
                file => file?,
            };
            for (hash, windows) in file.contents {
                let vector = windows.into_iter().next();
                let known = vector.and_then(|vector| Some((pending.remove(&hash)?, vector)));
                found.extend(known);
            }
            if found.len() >= PICTURE_SLICE {
                self.store.lock_writer().add_picture_vectors(&model, &found)?;
                found.clear();
            }
        }
        Ok(self.store.lock_writer().add_picture_vectors(&model, &found)?)
    }
}

/// The names of the models of texts whose vectors cannot be used.
fn find_other_models(packs: &[ListedPack], model: &ModelRow) -> Vec<String> {
    let vectors = packs.iter().flat_map(|listed| &listed.vectors);
    let others = vectors.filter(|vectors| {
        vectors.subject == VectorSubject::Texts && !is_model(&vectors.model, model)
    });
    let names: BTreeSet<&str> = others.map(|vectors| vectors.model.name.as_str()).collect();
    names.into_iter().map(str::to_owned).collect()
}

/// Documents that are committed together.
#[derive(Default)]
struct DocumentGroup {
    documents: Vec<(NewDocument, PackedOrigin, u64)>,
    bytes: usize,
}

impl DocumentGroup {
    fn push(&mut self, new: NewDocument, origin: PackedOrigin, first_passage: u64, bytes: usize) {
        self.documents.push((new, origin, first_passage));
        self.bytes += bytes;
    }

    fn is_full(&self) -> bool {
        self.documents.len() >= GROUP_DOCUMENTS || self.bytes >= GROUP_BYTES
    }

    fn commit(
        &mut self,
        store: &Store,
        model: &ModelRow,
        report: &mut PackImportReport,
    ) -> Result<(), PackingError> {
        if self.documents.is_empty() {
            return Ok(());
        }
        let documents = std::mem::take(&mut self.documents);
        self.bytes = 0;
        let sources: Vec<Option<SourceRow>> =
            documents.iter().map(|(_, origin, _)| lone_source(origin)).collect();
        let commits = documents.iter().zip(&sources).map(|((new, _, first_passage), source)| {
            let (source, first_passage) = (source.as_ref(), *first_passage);
            DocumentCommit { new, source, first_passage }
        });
        let commits: Vec<DocumentCommit<'_>> = commits.collect();
        store.lock_writer().commit_documents(&commits, model)?;
        report.taken += documents.len();
        for (_, origin, _) in
            documents.iter().filter(|(_, origin, _)| origin.read.documents.len() > 1)
        {
            record_shared_source(store, origin)?;
        }
        Ok(())
    }
}

/// The row of a source that contains one document; `None` if it contains more or was not read to its end.
fn lone_source(origin: &PackedOrigin) -> Option<SourceRow> {
    (origin.read.documents.len() == 1).then(|| source_row(origin, Vec::new())).flatten()
}

fn source_row(origin: &PackedOrigin, documents: Vec<u32>) -> Option<SourceRow> {
    Some(SourceRow {
        extractor_revision: origin.extractor_revision?,
        read: SourceReading {
            pipeline: origin.read.pipeline.clone(),
            documents,
            drafts_left: origin.read.drafts_left,
            converter_tried: origin.read.converter_tried,
        },
    })
}

/// Records a source of several documents once all of them are stored.
fn record_shared_source(store: &Store, origin: &PackedOrigin) -> Result<(), PackingError> {
    let snapshot = store.snapshot();
    let find = |(number, version): &(_, _)| snapshot.catalog().find_version(number, *version);
    let documents: Option<Vec<u32>> =
        origin.read.documents.iter().map(|key| find(key).map(|entry| entry.id)).collect();
    if let Some(row) = documents.and_then(|documents| source_row(origin, documents)) {
        store.lock_writer().record_source(&origin.source_hash, &row)?;
    }
    Ok(())
}
