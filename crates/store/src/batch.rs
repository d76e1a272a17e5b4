//! The rows of one batch in redb: written and taken out inside a transaction.

use std::{collections::HashMap, path::Path};

use index_format::SegmentInfo;
use redb::{ReadableTable, TableDefinition, WriteTransaction};

use super::{
    DataFolder, DocumentEntry, DocumentRow, ModelRow, NewDocument, NewSection, PassageRow,
    SectionHead, SourceRow, StoreError,
    check_vectors::remember_sound,
    codec,
    collection::Collection,
    figures,
    pictures::PictureHash,
    segment_row::SegmentFile,
    tables::{
        BATCH, CONTENT_IDS, CONTENT_PASSAGES, COUNTERS, DOCUMENT_IDS, DOCUMENTS, MODELS,
        NEXT_CONTENT, NEXT_DOCUMENT, NEXT_PASSAGE, NEXT_SEGMENT, PASSAGES, SECTION_HEADS,
        SECTION_NUMBERS, SECTION_TEXTS, SOURCES, TERMS_BATCH, TEXT_MODEL, content_key, place_key,
        version_key,
    },
    terms, vectors,
};

/// Numbers of the batch in the making.
pub(super) struct Batch {
    pub(super) number: u64,
    next_document: u64,
    pub(super) next_passage: u64,
    next_content: u64,
}

impl Batch {
    pub(super) fn begin(txn: &WriteTransaction) -> Result<Self, StoreError> {
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

    pub(super) fn store(&self, txn: &WriteTransaction) -> Result<(), StoreError> {
        let mut counters = txn.open_table(COUNTERS)?;
        counters.insert(BATCH, self.number)?;
        counters.insert(TERMS_BATCH, self.number)?;
        counters.insert(NEXT_DOCUMENT, self.next_document)?;
        counters.insert(NEXT_PASSAGE, self.next_passage)?;
        counters.insert(NEXT_CONTENT, self.next_content)?;
        Ok(())
    }
}

pub(super) fn count(length: usize, what: &'static str) -> Result<u32, StoreError> {
    u32::try_from(length).map_err(|_| StoreError::Full { what })
}

/// Writes a segment file of a collection and lists it in the transaction.
pub(super) fn write_segment(
    txn: &WriteTransaction,
    folder: &DataFolder,
    collection: Collection,
    info: SegmentInfo,
    vectors: impl Iterator<Item = (u64, Vec<f32>)>,
) -> Result<(), StoreError> {
    write_segment_in(txn, collection.list(), &collection.folder(folder), info, vectors)
}

/// The same with the list to put it on; file names are given once for all lists.
pub(super) fn write_segment_in(
    txn: &WriteTransaction,
    list: TableDefinition<u64, &[u8]>,
    folder: &Path,
    info: SegmentInfo,
    vectors: impl Iterator<Item = (u64, Vec<f32>)>,
) -> Result<(), StoreError> {
    let (key, file) = take_segment_name(txn)?;
    let row = vectors::write_segment(folder, &file, info, vectors)?;
    remember_sound(txn, folder, &file)?;
    txn.open_table(list)?.insert(key, codec::encode(&row).as_slice())?;
    Ok(())
}

/// A key for a list of segments, and a file name, that no other segment gets.
pub(super) fn take_segment_name(txn: &WriteTransaction) -> Result<(u64, SegmentFile), StoreError> {
    let mut counters = txn.open_table(COUNTERS)?;
    let key = counters.get(NEXT_SEGMENT)?.map_or(1, |value| value.value());
    counters.insert(NEXT_SEGMENT, key + 1)?;
    Ok((key, SegmentFile::numbered(key)))
}

/// Remembers the model at the first document and refuses another one after it.
pub(super) fn set_model(txn: &WriteTransaction, model: &ModelRow) -> Result<(), StoreError> {
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

/// The id of a document version, given once and for ever.
pub(super) fn document_id(
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

/// What taking a document out leaves to be done.
#[derive(Debug)]
pub(super) struct Removed {
    /// The batch that had written it.
    pub(super) batch: u64,
    /// The pictures that it showed.
    pub(super) pictures: Vec<PictureHash>,
}

/// Takes the rows of a document out, where there are any.
pub(super) fn remove_rows(txn: &WriteTransaction, id: u32) -> Result<Option<Removed>, StoreError> {
    let removed = txn.open_table(DOCUMENTS)?.remove(id)?.map(|value| value.value().to_vec());
    let Some(removed) = removed else { return Ok(None) };
    let row: DocumentRow = codec::decode(&removed, "document")?;
    let mut heads = txn.open_table(SECTION_HEADS)?;
    let mut texts = txn.open_table(SECTION_TEXTS)?;
    let mut numbers = txn.open_table(SECTION_NUMBERS)?;
    for ordinal in 0..row.section_count {
        let key = place_key(id, ordinal);
        if let Some(head) = heads.remove(key)? {
            let head: SectionHead = codec::decode(head.value(), "section")?;
            numbers.remove((head.number.as_str(), key))?;
        }
        texts.remove(key)?;
    }
    terms::remove(txn, id)?;
    let mut passages = txn.open_table(PASSAGES)?;
    let mut carriers = txn.open_multimap_table(CONTENT_PASSAGES)?;
    for passage in row.first_passage..row.first_passage + u64::from(row.passage_count) {
        if let Some(value) = passages.remove(passage)? {
            let value: PassageRow = codec::decode(value.value(), "passage")?;
            carriers.remove(value.content, passage)?;
        }
    }
    let pictures = figures::remove(txn, id)?;
    txn.open_table(SOURCES)?.remove(&row.source_hash)?;
    Ok(Some(Removed { batch: row.batch, pictures }))
}

/// The ids of all contents of a document, new ones where it brings new text.
pub(super) fn content_ids<'a>(
    txn: &WriteTransaction,
    batch: &mut Batch,
    hashes: impl Iterator<Item = &'a [u8; 32]>,
) -> Result<HashMap<[u8; 32], u64>, StoreError> {
    let mut table = txn.open_table(CONTENT_IDS)?;
    let mut ids = HashMap::new();
    for hash in hashes {
        let key = content_key(hash);
        let known = table.get(key)?.map(|value| value.value());
        let id = match known {
            Some(id) => id,
            None => {
                table.insert(key, batch.next_content)?;
                batch.next_content += 1;
                batch.next_content - 1
            }
        };
        ids.insert(*hash, id);
    }
    Ok(ids)
}

pub(super) fn insert_sections(
    txn: &WriteTransaction,
    id: u32,
    sections: &[NewSection],
) -> Result<(), StoreError> {
    let mut heads = txn.open_table(SECTION_HEADS)?;
    let mut texts = txn.open_table(SECTION_TEXTS)?;
    let mut numbers = txn.open_table(SECTION_NUMBERS)?;
    for (ordinal, section) in (0u32..).zip(sections) {
        let key = place_key(id, ordinal);
        heads.insert(key, codec::encode(&section.head).as_slice())?;
        numbers.insert((section.head.number.as_str(), key), ())?;
        if !section.text.is_empty() {
            texts.insert(key, codec::compress(&section.text)?.as_slice())?;
        }
    }
    let defined = terms::collect(sections.iter().map(|section| &section.head), |place| {
        Ok(sections[place as usize].text.clone())
    })?;
    terms::insert(txn, id, &defined)
}

/// Writes passages, figures and the document itself.
pub(super) fn insert_contents(
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
    let shown = figures::insert(txn, id, &new.figures, contents)?;
    txn.open_table(DOCUMENTS)?.insert(id, codec::encode(&row).as_slice())?;
    Ok(DocumentEntry { id, row, passages: carried, figures: shown })
}

/// Notes which documents a source held: those named and this last one.
pub(super) fn insert_source(
    txn: &WriteTransaction,
    entry: &DocumentEntry,
    source: &SourceRow,
) -> Result<(), StoreError> {
    let mut row = source.clone();
    row.documents.push(entry.id);
    txn.open_table(SOURCES)?.insert(&entry.row.source_hash, codec::encode(&row).as_slice())?;
    Ok(())
}
