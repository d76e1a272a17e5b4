//! From an index to packs.
//!
//! One snapshot is exported. What an earlier export of the same index has, in the same batch, is not read again; an
//! object that is in the depot is not written again.

use std::{
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use domain::error_chain;
use pack::{
    Depot, ListedPack, ListedVectors, ObjectHash, ObjectKind, PackFile, PackKind, PackPart,
    PartRole, StoredObject, VectorFile, VectorModel, VectorSubject,
};
use store::{
    ContentVectors, DocumentEntry, DocumentPictures, DocumentState, NotesRow, PackedDocument,
    PackedPicture, PictureHash, Snapshot, Store, TdocState, TdocTextEntry,
};

use crate::{
    PackingError,
    export_report::{ExportReport, Pacing},
    known_packs::{ExportModels, IndexExport, KnownPacks},
};

/// How often a document is packed again because it was replaced while its pictures were read. Then the missing
/// pictures are reported as faults, so that a document that is replaced without pause does not stop a backup.
const MAX_TRIES: usize = 20;

/// Writes all of an index into a depot; `earlier` is the last export of it. `step` gets the packs done and the total.
pub fn export_index(
    store: &Store,
    depot: &Depot,
    earlier: Option<&IndexExport>,
    pacing: Pacing<'_>,
    step: &mut dyn FnMut(usize, usize),
) -> Result<(IndexExport, ExportReport), PackingError> {
    let snapshot = store.snapshot();
    let mut state = snapshot.pack_state()?;
    let known = earlier.filter(|earlier| earlier.state.index == state.index);
    let mut run = ExportRun {
        store,
        depot,
        pacing,
        known: known.map(KnownPacks::of).unwrap_or_default(),
        report: ExportReport::default(),
        packs: Vec::new(),
    };
    let meetings = snapshot.meetings_to_pack()?;
    let notes = snapshot.meetings().all_notes()?;
    let total =
        snapshot.catalog().len() + snapshot.catalog().tdoc_count() + meetings.len() + notes.len();
    let mut done = 0;
    let mut advance = || {
        step(done, total);
        done += 1;
        if pacing.cancel.load(Ordering::Acquire) { Err(PackingError::Cancelled) } else { Ok(()) }
    };
    for document in state.documents().to_vec() {
        advance()?;
        let entry = snapshot.catalog().find_version(&document.number, document.version);
        let archive = entry.map_or("its archive", |entry| entry.row.filename.as_str());
        let title = format!("{} (ingest it again from {archive})", document.title());
        let exported = run.attempt(&title, |run| run.export_document(&snapshot, &document))?;
        if let Some(replaced) = exported.flatten() {
            state.replace_document(replaced);
        }
    }
    for (id, tdoc) in state.tdocs() {
        advance()?;
        if let Some(entry) = snapshot.catalog().tdoc_by_id(id) {
            run.attempt(id.as_str(), |run| run.export_tdoc(&snapshot, entry, tdoc))?;
        }
    }
    for meeting in meetings {
        advance()?;
        run.attempt(meeting.title(), |run| {
            let packed = snapshot.pack_meeting(&meeting)?;
            run.add_content(PackKind::Meeting, packed.title(), packed.encode())
        })?;
    }
    for row in notes {
        advance()?;
        run.attempt("notes of a meeting", |run| run.export_notes(&snapshot, &row))?;
    }
    step(total, total);
    let ExportRun { packs, mut report, .. } = run;
    let titles = packs.iter().map(|listed| listed.title.as_str()).collect();
    state.keep_documents(&titles);
    report.packs = packs.len();
    report.total_bytes = packs.iter().flat_map(listed_objects).map(|object| object.bytes).sum();
    Ok((IndexExport { packs, state }, report))
}

/// Writes some documents of an index into a depot, without vectors. Returns each pack with the hash of its source.
pub fn export_documents(
    store: &Store,
    depot: &Depot,
    is_wanted: impl Fn(&DocumentEntry) -> bool,
) -> Result<Vec<([u8; 32], ListedPack)>, PackingError> {
    let snapshot = store.snapshot();
    let mut run = ExportRun {
        store,
        depot,
        pacing: Pacing { cancel: &AtomicBool::new(false), stand_back: &|| {}, skip_damaged: false },
        known: KnownPacks::default(),
        report: ExportReport::default(),
        packs: Vec::new(),
    };
    let ids: Vec<u32> = snapshot.catalog().document_ids().collect();
    let entries = ids.into_iter().filter_map(|id| snapshot.catalog().get(id));
    let mut exported = Vec::new();
    for entry in entries.filter(|entry| is_wanted(entry)) {
        if let Some((listed, _)) = run.pack_document(&snapshot, entry)? {
            exported.push((entry.row.source_hash, listed));
        }
    }
    Ok(exported)
}

/// The objects of a pack in a list.
pub(crate) fn listed_objects(listed: &ListedPack) -> impl Iterator<Item = &StoredObject> {
    std::iter::once(&listed.pack).chain(listed.vectors.iter().map(|vectors| &vectors.file))
}

/// An export in progress.
struct ExportRun<'a> {
    store: &'a Store,
    depot: &'a Depot,
    pacing: Pacing<'a>,
    known: KnownPacks<'a>,
    report: ExportReport,
    packs: Vec<ListedPack>,
}

impl ExportRun<'_> {
    /// Does something for a pack. If damaged ones are skipped, an error becomes a fault; so does a panic, because
    /// redb panics on inconsistent pages.
    fn attempt<T>(
        &mut self,
        title: &str,
        act: impl FnOnce(&mut Self) -> Result<T, PackingError>,
    ) -> Result<Option<T>, PackingError> {
        if !self.pacing.skip_damaged {
            return act(self).map(Some);
        }
        let fault = match catch_unwind(AssertUnwindSafe(|| act(self))) {
            Ok(Ok(done)) => return Ok(Some(done)),
            Ok(Err(error)) => error_chain(&error),
            Err(_) => "pages of the database are inconsistent".to_owned(),
        };
        self.report.faults.push(format!("{title}: {fault}"));
        Ok(None)
    }

    /// Returns the state of a document that was replaced meanwhile.
    fn export_document(
        &mut self,
        snapshot: &Arc<Snapshot>,
        state: &DocumentState,
    ) -> Result<Option<DocumentState>, PackingError> {
        let title = state.title();
        let Some(entry) = snapshot.catalog().find_version(&state.number, state.version) else {
            return Ok(None);
        };
        let models = ExportModels::of(snapshot)?;
        let is_same = self.known.documents.get(&title).is_some_and(|earlier| {
            (earlier.batch, earlier.source_hash, earlier.embedded)
                == (state.batch, state.source_hash, true)
        });
        // The state does not record whether pictures have got vectors since, so with an image model nothing is reused
        // here.
        if is_same
            && models.pictures.is_none()
            && self.reuse(PackKind::Document, &title, &models)?
        {
            return Ok(None);
        }
        (self.pacing.stand_back)();
        let exported = self.pack_document(snapshot, entry);
        let Some((listed, packed)) = exported.map_err(|error| error.of_pack(&title))? else {
            return Ok(None);
        };
        self.packs.push(listed);
        Ok((packed != *state).then_some(packed))
    }

    /// Writes a document, as the newest snapshot has it if its pictures were replaced meanwhile; `None` if it was
    /// removed.
    fn pack_document(
        &mut self,
        snapshot: &Arc<Snapshot>,
        entry: &Arc<DocumentEntry>,
    ) -> Result<Option<(ListedPack, DocumentState)>, PackingError> {
        let (mut snapshot, mut entry) = (snapshot.clone(), entry.clone());
        for tries in 0.. {
            let mut packed = snapshot.pack_document(&entry)?;
            let DocumentPictures { sound: pictures, lost_drawings } =
                self.store.read_packed_pictures(&packed)?;
            let missing = packed.picture_hashes().len() - pictures.len();
            if missing > 0 || lost_drawings > 0 {
                let newest = self.store.snapshot();
                let (number, version) = (&entry.row.number, entry.row.version);
                let Some(current) = newest.catalog().find_version(number, version).cloned() else {
                    return Ok(None);
                };
                // They are missing because the document was replaced since: the new version shows other pictures.
                if current.row.batch != entry.row.batch && tries < MAX_TRIES {
                    (snapshot, entry) = (newest, current);
                    continue;
                }
                let title = packed.title();
                for (what, count) in
                    [("pictures", missing), ("drawings of pictures", lost_drawings)]
                {
                    if count > 0 {
                        self.report.faults.push(format!(
                            "{title}: {what} are missing or damaged ({count}); ingest its archive again with --force"
                        ));
                    }
                }
                packed.keep_pictures(&pictures);
            }
            let models = ExportModels::of(&snapshot)?;
            let mut listed = self.write_pack(document_file(&packed, &pictures), packed.title())?;
            let vectors = snapshot.pack_text_vectors(&entry, &packed)?;
            let texts = self.write_vectors(VectorSubject::Texts, &models.texts, vectors)?;
            let vectors = snapshot.pack_picture_vectors(&entry)?;
            let pictures =
                self.write_vectors(VectorSubject::Pictures, &models.pictures, vectors)?;
            listed.vectors.extend(texts.into_iter().chain(pictures));
            return Ok(Some((listed, DocumentState::of(&entry))));
        }
        Ok(None)
    }

    fn export_tdoc(
        &mut self,
        snapshot: &Snapshot,
        entry: &TdocTextEntry,
        state: &TdocState,
    ) -> Result<(), PackingError> {
        let title = entry.row.id.as_str();
        let models = ExportModels::of(snapshot)?;
        let is_same = self.known.tdocs.get(title).is_some_and(|earlier| {
            (earlier.batch, earlier.hash, earlier.embedded) == (state.batch, state.hash, true)
        });
        if is_same && self.reuse(PackKind::Tdoc, title, &models)? {
            return Ok(());
        }
        (self.pacing.stand_back)();
        let packed = snapshot.pack_tdoc(entry)?;
        let mut listed =
            self.write_pack(content_file(PackKind::Tdoc, packed.encode()), title.to_owned())?;
        let vectors = snapshot.pack_tdoc_vectors(entry, &packed);
        listed.vectors.extend(self.write_vectors(VectorSubject::Texts, &models.texts, vectors)?);
        self.packs.push(listed);
        Ok(())
    }

    fn export_notes(&mut self, snapshot: &Snapshot, row: &NotesRow) -> Result<(), PackingError> {
        let notes = snapshot.pack_notes(row)?;
        let file = content_file(PackKind::Notes, notes.encode());
        let mut listed = self.write_pack(file, notes.title())?;
        if let (Some(vectors), Some(model)) =
            (snapshot.pack_decision_vectors(row)?, ExportModels::of(snapshot)?.texts)
            && vectors.model == *model.identity.as_bytes()
        {
            let bytes = vectors.encode();
            let file = self.write_object(ObjectKind::Vectors, ObjectHash::of(&bytes), &bytes)?;
            let subject = VectorSubject::Decisions;
            listed.vectors.push(ListedVectors { subject, model, file });
        }
        self.packs.push(listed);
        Ok(())
    }

    fn add_content(
        &mut self,
        kind: PackKind,
        title: String,
        content: Vec<u8>,
    ) -> Result<(), PackingError> {
        let listed = self.write_pack(content_file(kind, content), title)?;
        self.packs.push(listed);
        Ok(())
    }

    /// Lists a pack as the last export did, if its objects exist and its vectors are of the current model.
    fn reuse(
        &mut self,
        kind: PackKind,
        title: &str,
        models: &ExportModels,
    ) -> Result<bool, PackingError> {
        let Some(listed) = self.known.packs.get(&(kind, title)) else { return Ok(false) };
        let is_usable = listed.vectors.iter().all(|vectors| {
            vectors.subject == VectorSubject::Texts && Some(&vectors.model) == models.texts.as_ref()
        });
        if !is_usable || !self.depot.has_object(ObjectKind::Pack, &listed.pack)? {
            return Ok(false);
        }
        // Pictures are checked in folders only: in object storage, every backup would send a request for each
        // picture.
        if self.depot.local_folder().is_some() && self.depot.find_pack(listed.pack.hash)?.is_none()
        {
            return Ok(false);
        }
        for vectors in &listed.vectors {
            if !self.depot.has_object(ObjectKind::Vectors, &vectors.file)? {
                return Ok(false);
            }
        }
        self.report.reused += 1;
        self.packs.push((*listed).clone());
        Ok(true)
    }

    fn write_pack(&mut self, file: PackFile, title: String) -> Result<ListedPack, PackingError> {
        let (kind, name) = (file.kind, file.name());
        let pack = match self.depot.find_pack(name)? {
            Some(object) => object,
            None => {
                let (object, written) = self.depot.write_pack(&file)?;
                self.report.written += written.count;
                self.report.written_bytes += written.bytes;
                object
            }
        };
        Ok(ListedPack { kind, title, pack, vectors: Vec::new() })
    }

    /// Writes vectors, if there are any.
    fn write_vectors(
        &mut self,
        subject: VectorSubject,
        model: &Option<VectorModel>,
        vectors: Vec<ContentVectors>,
    ) -> Result<Option<ListedVectors>, PackingError> {
        let Some(model) = model.clone() else { return Ok(None) };
        if vectors.is_empty() {
            return Ok(None);
        }
        let contents = vectors.into_iter().map(|content| (content.hash, content.windows));
        let file = VectorFile { subject, model: model.clone(), contents: contents.collect() };
        let bytes = file.encode()?;
        let file = self.write_object(ObjectKind::Vectors, ObjectHash::of(&bytes), &bytes)?;
        Ok(Some(ListedVectors { subject, model, file }))
    }

    fn write_object(
        &mut self,
        kind: ObjectKind,
        hash: ObjectHash,
        bytes: &[u8],
    ) -> Result<StoredObject, PackingError> {
        let (object, is_new) = self.depot.write_object(kind, hash, bytes)?;
        if is_new {
            self.report.written += 1;
            self.report.written_bytes += object.bytes;
        }
        Ok(object)
    }
}

/// A pack of a content alone.
fn content_file(kind: PackKind, bytes: Vec<u8>) -> PackFile {
    PackFile { kind, parts: vec![PackPart { role: PartRole::Content, bytes }] }
}

/// A pack of a document: its content, then its pictures in the order of their hashes.
fn document_file(
    packed: &PackedDocument,
    pictures: &HashMap<PictureHash, PackedPicture>,
) -> PackFile {
    let mut file = content_file(PackKind::Document, packed.encode());
    for picture in packed.picture_hashes().iter().filter_map(|hash| pictures.get(hash)) {
        let PackedPicture { png, drawing } = picture;
        file.parts.push(PackPart { role: PartRole::Picture, bytes: png.clone() });
        let drawing = drawing.iter().cloned();
        file.parts.extend(drawing.map(|bytes| PackPart { role: PartRole::Drawing, bytes }));
    }
    file
}
