//! The commit that spans the three stores.
//!
//! Order: vectors (written and synced), words (committed under the number of the batch), redb
//! (the point of no return), and last the removal of what was replaced from the words. A process
//! that ends anywhere in between leaves files and words that the next open takes away.

use std::{
    collections::HashMap,
    sync::{Arc, MutexGuard},
};

use index_format::SegmentInfo;
use redb::{ReadableTable, WriteTransaction};

use super::{
    DataFolder, DocumentEntry, DocumentRow, ModelRow, PassageRow, SectionHead, SourceRow, Store,
    StoreError, TextRange, codec, context_header,
    lexical::{Committed, LexicalPassage, LexicalWriter},
    tables::{
        BATCH, CONTENT_IDS, CONTENT_PASSAGES, COUNTERS, DOCUMENT_IDS, DOCUMENTS, MODELS,
        NEXT_CONTENT, NEXT_DOCUMENT, NEXT_PASSAGE, NEXT_SEGMENT, PASSAGES, SECTION_HEADS,
        SECTION_NUMBERS, SECTION_TEXTS, SEGMENTS, SOURCES, TEXT_MODEL, section_key, version_key,
    },
    vectors,
};
use crate::model::{ContentType, DocNumber, Version};

/// A document version to be taken in.
#[derive(Debug, Clone)]
pub struct NewDocument {
    /// The record; its passage ids, counts and batch are set by the commit.
    pub row: DocumentRow,
    /// Sections in the order of the text.
    pub sections: Vec<NewSection>,
    /// Passages in the order of the text.
    pub passages: Vec<NewPassage>,
    /// Vectors of contents that had none yet.
    pub vectors: Vec<ContentVectors>,
}

/// A section to be taken in.
#[derive(Debug, Clone)]
pub struct NewSection {
    /// Number, title, counts.
    pub head: SectionHead,
    /// Its full text.
    pub text: String,
}

/// A passage to be taken in.
#[derive(Debug, Clone)]
pub struct NewPassage {
    /// Index of its section.
    pub section: u32,
    /// Caption and header row repeated before the range.
    pub head: TextRange,
    /// The passage's own text.
    pub body: TextRange,
    /// Kind of text.
    pub content_type: ContentType,
    /// Hash of its context header and text.
    pub hash: [u8; 32],
}

/// The vectors of one content, one for each window of its text.
#[derive(Debug, Clone)]
pub struct ContentVectors {
    /// Hash of context header and text.
    pub hash: [u8; 32],
    /// Vectors of the model's dimension.
    pub windows: Vec<Vec<f32>>,
}

/// What the writer keeps between batches.
pub(super) struct WriterState {
    pub(super) words: LexicalWriter,
}

/// The right to change the store; one at a time.
pub struct Writer<'a> {
    pub(super) store: &'a Store,
    pub(super) state: MutexGuard<'a, WriterState>,
}

/// Numbers of the batch in the making.
struct Batch {
    number: u64,
    next_document: u64,
    next_passage: u64,
    next_content: u64,
}

impl Writer<'_> {
    /// For each hash, whether its content has vectors already.
    pub fn have_vectors(&self, hashes: &[[u8; 32]]) -> Result<Vec<bool>, StoreError> {
        let snapshot = self.store.snapshot();
        let table = snapshot.metadata.open_table(CONTENT_IDS)?;
        let mut have = Vec::with_capacity(hashes.len());
        for hash in hashes {
            let id = table.get(content_key(hash))?.map(|value| value.value());
            have.push(id.is_some_and(|id| snapshot.segments.contains(id)));
        }
        Ok(have)
    }

    /// Takes a document version in, whole, in place of an earlier reading of it. Returns its id.
    ///
    /// `source` is given with the last document of a source: only then is the source known, and
    /// skipped the next time.
    pub fn commit_document(
        &mut self,
        new: &NewDocument,
        source: Option<&SourceRow>,
        model: &ModelRow,
    ) -> Result<u32, StoreError> {
        let result = self.try_commit(new, source, model);
        if result.is_err() {
            self.state.words.rollback()?;
        }
        result
    }

    fn try_commit(
        &mut self,
        new: &NewDocument,
        source: Option<&SourceRow>,
        model: &ModelRow,
    ) -> Result<u32, StoreError> {
        let txn = self.store.metadata.begin_write()?;
        let mut batch = Batch::begin(&txn)?;
        set_model(&txn, model)?;
        let id = document_id(&txn, &mut batch, &new.row)?;
        let replaced = remove_rows(&txn, id)?;
        let contents = content_ids(&txn, &mut batch, new)?;
        let row = DocumentRow {
            first_passage: batch.next_passage,
            passage_count: count(new.passages.len(), "passages")?,
            section_count: count(new.sections.len(), "sections")?,
            batch: batch.number,
            ..new.row.clone()
        };
        insert_sections(&txn, id, &new.sections)?;
        let entry = insert_passages(&txn, &mut batch, id, row, new, &contents)?;
        if let Some(source) = source {
            insert_source(&txn, &entry, source)?;
        }
        self.write_vectors(&txn, new, &contents, model)?;
        self.add_words(&batch, &entry, new)?;
        self.commit_words_then(txn, &batch, replaced)?;
        let mut catalog = (*self.store.snapshot().catalog).clone();
        catalog.insert(entry);
        self.store.publish(Arc::new(catalog))?;
        Ok(id)
    }

    /// Remembers a source whose documents are in the index already, from another one.
    pub fn note_source(&mut self, hash: &[u8; 32], source: &SourceRow) -> Result<(), StoreError> {
        let txn = self.store.metadata.begin_write()?;
        txn.open_table(SOURCES)?.insert(hash, codec::encode(source).as_slice())?;
        txn.commit()?;
        self.store.publish(self.store.snapshot().catalog.clone())
    }

    /// Takes a document version out. Returns whether it was there.
    pub fn remove_document(
        &mut self,
        number: &DocNumber,
        version: Version,
    ) -> Result<bool, StoreError> {
        let txn = self.store.metadata.begin_write()?;
        let id = {
            let ids = txn.open_table(DOCUMENT_IDS)?;
            ids.get(version_key(number, version).as_str())?.map(|value| value.value())
        };
        let Some(id) = id else { return Ok(false) };
        let Some(replaced) = remove_rows(&txn, id)? else { return Ok(false) };
        let batch = Batch::begin(&txn)?;
        self.commit_words_then(txn, &batch, Some(replaced))?;
        let mut catalog = (*self.store.snapshot().catalog).clone();
        catalog.remove(id);
        self.store.publish(Arc::new(catalog))?;
        Ok(true)
    }

    /// Commits the words, then redb, then the removal of replaced words.
    fn commit_words_then(
        &mut self,
        txn: WriteTransaction,
        batch: &Batch,
        replaces: Option<u64>,
    ) -> Result<(), StoreError> {
        let words = &mut self.state.words;
        words.commit(Committed { batch: batch.number, replaces })?;
        batch.store(&txn)?;
        txn.commit()?;
        if let Some(old) = replaces {
            words.delete_batch(old);
            words.commit(Committed { batch: batch.number, replaces: None })?;
        }
        Ok(())
    }

    fn write_vectors(
        &self,
        txn: &WriteTransaction,
        new: &NewDocument,
        contents: &HashMap<[u8; 32], u64>,
        model: &ModelRow,
    ) -> Result<(), StoreError> {
        let known = new.vectors.iter().filter_map(|c| contents.get(&c.hash).map(|id| (*id, c)));
        let owned = vectors::flatten(&known.collect::<Vec<_>>());
        if owned.is_empty() {
            return Ok(());
        }
        let rows = owned.iter().map(|(id, vector)| (*id, vector.as_slice())).collect();
        let info = SegmentInfo { dimension: model.dimension, model: model.identity };
        write_segment(txn, &self.store.folder, info, rows)
    }

    fn add_words(
        &self,
        batch: &Batch,
        entry: &DocumentEntry,
        new: &NewDocument,
    ) -> Result<(), StoreError> {
        let heads: Vec<SectionHead> = new.sections.iter().map(|s| s.head.clone()).collect();
        let mut header = (u32::MAX, String::new());
        for (offset, passage) in (0u64..).zip(&new.passages) {
            if header.0 != passage.section {
                let (doc_type, number) = (entry.row.doc_type, &entry.row.number);
                header =
                    (passage.section, context_header(doc_type, number, &heads, passage.section));
            }
            let section = &new.sections[passage.section as usize];
            let text = passage.row(entry.id, 0).text(&section.text)?;
            self.state.words.add(
                batch.number,
                &LexicalPassage {
                    passage: entry.row.first_passage + offset,
                    document: entry.id,
                    header: &header.1,
                    text: &text,
                },
            )?;
        }
        Ok(())
    }
}

impl NewPassage {
    fn row(&self, document: u32, content: u64) -> PassageRow {
        PassageRow {
            document,
            section: self.section,
            head: self.head,
            body: self.body,
            content_type: self.content_type,
            content,
        }
    }
}

impl Batch {
    fn begin(txn: &WriteTransaction) -> Result<Self, StoreError> {
        let counters = txn.open_table(COUNTERS)?;
        let read = |key| -> Result<u64, StoreError> {
            Ok(counters.get(key)?.map_or(0, |value| value.value()))
        };
        Ok(Self {
            number: read(BATCH)? + 1,
            next_document: read(NEXT_DOCUMENT)?.max(1),
            next_passage: read(NEXT_PASSAGE)?.max(1),
            next_content: read(NEXT_CONTENT)?,
        })
    }

    fn store(&self, txn: &WriteTransaction) -> Result<(), StoreError> {
        let mut counters = txn.open_table(COUNTERS)?;
        counters.insert(BATCH, self.number)?;
        counters.insert(NEXT_DOCUMENT, self.next_document)?;
        counters.insert(NEXT_PASSAGE, self.next_passage)?;
        counters.insert(NEXT_CONTENT, self.next_content)?;
        Ok(())
    }
}

/// The part of a content's hash that names it; 128 bits keep accidental meetings out of reach.
fn content_key(hash: &[u8; 32]) -> u128 {
    let mut low = [0; 16];
    low.copy_from_slice(&hash[..16]);
    u128::from_le_bytes(low)
}

fn count(length: usize, what: &'static str) -> Result<u32, StoreError> {
    u32::try_from(length).map_err(|_| StoreError::Full { what })
}

/// Writes a segment file and lists it in the transaction.
pub(super) fn write_segment(
    txn: &WriteTransaction,
    folder: &DataFolder,
    info: SegmentInfo,
    vectors: Vec<(u64, &[f32])>,
) -> Result<(), StoreError> {
    let mut counters = txn.open_table(COUNTERS)?;
    let key = counters.get(NEXT_SEGMENT)?.map_or(1, |value| value.value());
    counters.insert(NEXT_SEGMENT, key + 1)?;
    let file = format!("{key:08}.seg");
    let row = vectors::write_segment(&folder.text_vectors(), &file, info, vectors)?;
    txn.open_table(SEGMENTS)?.insert(key, codec::encode(&row).as_slice())?;
    Ok(())
}

/// Remembers the model at the first document and refuses another one after it.
fn set_model(txn: &WriteTransaction, model: &ModelRow) -> Result<(), StoreError> {
    let mut table = txn.open_table(MODELS)?;
    let stored = table.get(TEXT_MODEL)?.map(|value| codec::decode(value.value(), "model"));
    match stored.transpose()? {
        None => {
            table.insert(TEXT_MODEL, codec::encode(model).as_slice())?;
            Ok(())
        }
        Some(stored) => model.check_stored(&stored),
    }
}

impl ModelRow {
    /// Refuses vectors of another model beside the stored ones.
    pub fn check_stored(&self, stored: &Self) -> Result<(), StoreError> {
        if self == stored {
            return Ok(());
        }
        let (stored, configured) = (stored.name.clone(), self.name.clone());
        Err(StoreError::ModelMismatch { stored, configured })
    }
}

/// The id of a document version, given once and for ever.
fn document_id(
    txn: &WriteTransaction,
    batch: &mut Batch,
    row: &DocumentRow,
) -> Result<u32, StoreError> {
    let mut ids = txn.open_table(DOCUMENT_IDS)?;
    let key = version_key(&row.number, row.version);
    if let Some(id) = ids.get(key.as_str())? {
        return Ok(id.value());
    }
    let id =
        u32::try_from(batch.next_document).map_err(|_| StoreError::Full { what: "documents" })?;
    ids.insert(key.as_str(), id)?;
    batch.next_document += 1;
    Ok(id)
}

/// Takes the rows of a document out; returns the batch that had written them.
fn remove_rows(txn: &WriteTransaction, id: u32) -> Result<Option<u64>, StoreError> {
    let removed = txn.open_table(DOCUMENTS)?.remove(id)?.map(|value| value.value().to_vec());
    let Some(removed) = removed else { return Ok(None) };
    let row: DocumentRow = codec::decode(&removed, "document")?;
    let mut heads = txn.open_table(SECTION_HEADS)?;
    let mut texts = txn.open_table(SECTION_TEXTS)?;
    let mut numbers = txn.open_table(SECTION_NUMBERS)?;
    for ordinal in 0..row.section_count {
        let key = section_key(id, ordinal);
        if let Some(head) = heads.remove(key)? {
            let head: SectionHead = codec::decode(head.value(), "section")?;
            numbers.remove((head.number.as_str(), key))?;
        }
        texts.remove(key)?;
    }
    let mut passages = txn.open_table(PASSAGES)?;
    let mut carriers = txn.open_multimap_table(CONTENT_PASSAGES)?;
    for passage in row.first_passage..row.first_passage + u64::from(row.passage_count) {
        if let Some(value) = passages.remove(passage)? {
            let value: PassageRow = codec::decode(value.value(), "passage")?;
            carriers.remove(value.content, passage)?;
        }
    }
    txn.open_table(SOURCES)?.remove(&row.source_hash)?;
    Ok(Some(row.batch))
}

/// The ids of all contents of a document, new ones where it brings new text.
fn content_ids(
    txn: &WriteTransaction,
    batch: &mut Batch,
    new: &NewDocument,
) -> Result<HashMap<[u8; 32], u64>, StoreError> {
    let mut table = txn.open_table(CONTENT_IDS)?;
    let mut ids = HashMap::with_capacity(new.passages.len());
    for passage in &new.passages {
        let key = content_key(&passage.hash);
        let known = table.get(key)?.map(|value| value.value());
        let id = match known {
            Some(id) => id,
            None => {
                table.insert(key, batch.next_content)?;
                batch.next_content += 1;
                batch.next_content - 1
            }
        };
        ids.insert(passage.hash, id);
    }
    Ok(ids)
}

fn insert_sections(
    txn: &WriteTransaction,
    id: u32,
    sections: &[NewSection],
) -> Result<(), StoreError> {
    let mut heads = txn.open_table(SECTION_HEADS)?;
    let mut texts = txn.open_table(SECTION_TEXTS)?;
    let mut numbers = txn.open_table(SECTION_NUMBERS)?;
    for (ordinal, section) in (0u32..).zip(sections) {
        let key = section_key(id, ordinal);
        heads.insert(key, codec::encode(&section.head).as_slice())?;
        numbers.insert((section.head.number.as_str(), key), ())?;
        if !section.text.is_empty() {
            texts.insert(key, codec::compress(&section.text)?.as_slice())?;
        }
    }
    Ok(())
}

fn insert_passages(
    txn: &WriteTransaction,
    batch: &mut Batch,
    id: u32,
    row: DocumentRow,
    new: &NewDocument,
    contents: &HashMap<[u8; 32], u64>,
) -> Result<DocumentEntry, StoreError> {
    let mut passages = txn.open_table(PASSAGES)?;
    let mut carriers = txn.open_multimap_table(CONTENT_PASSAGES)?;
    let mut carried = Vec::with_capacity(new.passages.len());
    for passage in &new.passages {
        let content = contents[&passage.hash];
        passages.insert(batch.next_passage, codec::encode(&passage.row(id, content)).as_slice())?;
        carriers.insert(content, batch.next_passage)?;
        carried.push((content, passage.section));
        batch.next_passage += 1;
    }
    txn.open_table(DOCUMENTS)?.insert(id, codec::encode(&row).as_slice())?;
    Ok(DocumentEntry { id, row, passages: carried })
}

/// Notes which documents a source held: those named and this last one.
fn insert_source(
    txn: &WriteTransaction,
    entry: &DocumentEntry,
    source: &SourceRow,
) -> Result<(), StoreError> {
    let mut row = source.clone();
    row.documents.push(entry.id);
    txn.open_table(SOURCES)?.insert(&entry.row.source_hash, codec::encode(&row).as_slice())?;
    Ok(())
}
