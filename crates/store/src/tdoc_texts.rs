//! Texts of meeting documents (TDocs) that were read: blocks, units, passages, and how they are found.
//!
//! What a register says of a document is elsewhere (`tdocs.rs`) and joined when it is asked for: a new register
//! changes every later answer without touching a text.

use redb::{
    MultimapTableDefinition, ReadTransaction, ReadableTable, TableDefinition, WriteTransaction,
};
use serde::{Deserialize, Serialize};

use super::{
    ContentHit, ContentVectors, ModelRow, Snapshot, StoreError, Writer,
    batch::{Batch, content_ids, count, set_model},
    codec,
    tables::{COUNTERS, place_key, place_of},
};
use domain::TdocId;
use lexical::ContentSet;
use lexical::{LexicalPassage, LexicalQuery, LexicalWriter, Scope, WordHit};

/// Number of a document -> its key, for ever.
const TDOC_KEYS: TableDefinition<&str, u32> = TableDefinition::new("tdoc_keys");
/// Key of a document -> [`TdocContentRow`].
const TDOC_CONTENTS: TableDefinition<u32, &[u8]> = TableDefinition::new("tdoc_contents");
/// Key of a document -> [`TdocTextRow`], compressed.
const TDOC_TEXTS: TableDefinition<u32, &[u8]> = TableDefinition::new("tdoc_texts");
/// Content id -> [`place_key`]s of the passages of documents that carry it.
const CONTENT_TDOCS: MultimapTableDefinition<u64, u64> =
    MultimapTableDefinition::new("content_tdocs");
/// Key of [`COUNTERS`]: next key of a document.
const NEXT_TDOC: &str = "next_tdoc";

/// How much of a document was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContentStatus {
    /// All of it.
    Complete,
    /// Not all of it, or not all that is in it.
    Partial,
    /// Nothing.
    Unavailable,
}

/// What a passage is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PassageKind {
    /// A numbered proposal.
    Proposal,
    /// A numbered observation.
    Observation,
    /// Other text.
    Body,
}

/// What is known of the file of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TdocContentRow {
    /// The document.
    pub id: TdocId,
    /// How much was read.
    pub status: ContentStatus,
    /// What read it, such as `docx`.
    pub extractor: String,
    /// Revision of the reading.
    pub revision: u32,
    /// Why it is partial or unavailable, one sentence each.
    pub faults: Vec<String>,
    /// Name of its file.
    pub file: String,
    /// Where the file came from.
    pub origin: String,
    /// Its revisions in the inbox of its meeting, as paths on the mirror, the first one first.
    pub inbox: Vec<String>,
    /// Hash of the file.
    pub hash: [u8; 32],
    /// When it was read, RFC 3339 in UTC.
    pub read_at: String,
    /// Number of numbered proposals and observations.
    pub units: u32,
    /// Whether the full pipeline may get more of it.
    pub wants_converter: bool,
    /// For each passage its content and its kind, in the order of the text; contents are set by the commit.
    pub passages: Vec<(u64, PassageKind)>,
    /// Whether its passages have vectors.
    pub embedded: bool,
    /// Batch that wrote it; names it in the word index.
    pub batch: u64,
}

/// The text of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TdocTextRow {
    /// Pieces of text that can be cited, in their order.
    pub blocks: Vec<TdocBlockRow>,
    /// Numbered proposals and observations, in their order.
    pub units: Vec<TdocUnitRow>,
    /// Passages, as they are found and shown.
    pub passages: Vec<TdocPassageRow>,
    /// Names and values on the cover of a change request.
    pub cover: Vec<(String, String)>,
}

/// A piece of text that can be cited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TdocBlockRow {
    /// Where it stands in the file.
    pub anchor: String,
    /// The page it stands on.
    pub page: Option<u32>,
    /// Its level, where it is a heading.
    pub heading: Option<u8>,
    /// Its text.
    pub text: String,
    /// Whether a tracked change touched it.
    pub changed: bool,
}

/// A numbered proposal or observation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TdocUnitRow {
    /// Proposal or observation.
    pub kind: PassageKind,
    /// Its label.
    pub label: String,
    /// Its text, word by word.
    pub quote: String,
    /// Where it begins.
    pub anchor: String,
    /// The page it begins on.
    pub page: Option<u32>,
    /// Where it is said again.
    pub repeated_at: Vec<String>,
}

/// A passage.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TdocPassageRow {
    /// Where it stands: title of the document and of the sections above it.
    pub header: String,
    /// Its text.
    pub text: String,
    /// Labels of the units in it.
    pub labels: Vec<String>,
    /// Where it begins.
    pub anchor: String,
    /// The page it begins on.
    pub page: Option<u32>,
}

impl TdocPassageRow {
    /// What is embedded, and what is hashed for its content.
    pub fn text_with_header(&self) -> String {
        format!("{}\n{}", self.header, self.text)
    }
}

/// A document to be taken in.
#[derive(Debug, Clone)]
pub struct NewTdocText {
    /// What is known of its file; contents, batch and whether it is embedded are set by the commit.
    pub row: TdocContentRow,
    /// Its text.
    pub text: TdocTextRow,
    /// Vectors of contents that had none yet.
    pub vectors: Vec<ContentVectors>,
}

/// A document in memory.
#[derive(Debug)]
pub struct TdocTextEntry {
    /// Its key.
    pub key: u32,
    /// What is known of its file.
    pub row: TdocContentRow,
}

/// Hash of the text of a passage.
pub fn passage_hash(text_with_header: &str) -> [u8; 32] {
    *blake3::hash(text_with_header.as_bytes()).as_bytes()
}

/// Makes the tables, so that readers find them.
pub(super) fn create(txn: &WriteTransaction) -> Result<(), StoreError> {
    txn.open_table(TDOC_KEYS)?;
    txn.open_table(TDOC_CONTENTS)?;
    txn.open_table(TDOC_TEXTS)?;
    txn.open_multimap_table(CONTENT_TDOCS)?;
    Ok(())
}

/// All documents that were read; `contents` is the next content id.
pub(super) fn load(txn: &ReadTransaction, contents: u64) -> Result<Vec<TdocTextEntry>, StoreError> {
    let mut entries = Vec::new();
    for entry in txn.open_table(TDOC_CONTENTS)?.iter()? {
        let (key, row) = entry?;
        let row: TdocContentRow = codec::decode(row.value(), "TDoc text")?;
        // Sets of contents are as large as their largest id.
        if row.passages.iter().any(|(content, _)| *content >= contents) {
            return Err(StoreError::Decode { what: "content id" });
        }
        entries.push(TdocTextEntry { key: key.value(), row });
    }
    Ok(entries)
}

/// The key of a document, given once and for ever.
fn key_of(txn: &WriteTransaction, id: &TdocId) -> Result<u32, StoreError> {
    let mut keys = txn.open_table(TDOC_KEYS)?;
    if let Some(key) = keys.get(id.as_str())? {
        return Ok(key.value());
    }
    let mut counters = txn.open_table(COUNTERS)?;
    let next = counters.get(NEXT_TDOC)?.map_or(1, |value| value.value());
    let key = u32::try_from(next).map_err(|_| StoreError::Full { what: "TDocs" })?;
    counters.insert(NEXT_TDOC, next + 1)?;
    keys.insert(id.as_str(), key)?;
    Ok(key)
}

/// Takes the rows of a document out; returns the batch that wrote them.
fn remove(txn: &WriteTransaction, key: u32) -> Result<Option<u64>, StoreError> {
    let removed = txn.open_table(TDOC_CONTENTS)?.remove(key)?.map(|row| row.value().to_vec());
    let Some(removed) = removed else { return Ok(None) };
    let row: TdocContentRow = codec::decode(&removed, "TDoc text")?;
    txn.open_table(TDOC_TEXTS)?.remove(key)?;
    let mut carriers = txn.open_multimap_table(CONTENT_TDOCS)?;
    for (place, (content, _)) in (0u32..).zip(&row.passages) {
        carriers.remove(content, place_key(key, place))?;
    }
    Ok(Some(row.batch))
}

impl Writer<'_> {
    /// Takes the text of a document in, whole, in place of an earlier reading of it.
    pub fn commit_tdoc(&mut self, new: &NewTdocText, model: &ModelRow) -> Result<(), StoreError> {
        self.refresh()?;
        let result = self.try_commit_tdoc(new, model);
        result.map_err(|error| self.roll_words_back(error))
    }

    fn try_commit_tdoc(&mut self, new: &NewTdocText, model: &ModelRow) -> Result<(), StoreError> {
        let txn = self.store.metadata.begin_write()?;
        let mut batch = Batch::begin(&txn)?;
        set_model(&txn, model)?;
        let key = key_of(&txn, &new.row.id)?;
        let replaced = remove(&txn, key)?;
        let hashes: Vec<[u8; 32]> =
            new.text.passages.iter().map(|p| passage_hash(&p.text_with_header())).collect();
        let contents = content_ids(&txn, &mut batch, hashes.iter())?;
        count(hashes.len(), "passages")?;
        let kinds = new.row.passages.iter().map(|(_, kind)| *kind);
        let passages = hashes.iter().map(|hash| contents[hash]).zip(kinds).collect();
        let embedded = self.have_vectors_now(&contents, &new.vectors);
        let row = TdocContentRow { passages, embedded, batch: batch.number, ..new.row.clone() };
        txn.open_table(TDOC_CONTENTS)?.insert(key, codec::encode(&row).as_slice())?;
        txn.open_table(TDOC_TEXTS)?.insert(key, codec::pack(&new.text)?.as_slice())?;
        {
            let mut carriers = txn.open_multimap_table(CONTENT_TDOCS)?;
            for (place, (content, _)) in (0u32..).zip(&row.passages) {
                carriers.insert(content, place_key(key, place))?;
            }
        }
        self.write_vectors(&txn, &new.vectors, &contents, model)?;
        let entry = TdocTextEntry { key, row };
        self.state.words.add_tdoc(&entry, &new.text)?;
        self.commit_words_then(txn, &batch, replaced)?;
        let mut catalog = (*self.store.snapshot().catalog).clone();
        catalog.insert_tdoc(entry);
        self.publish(catalog.into());
        Ok(())
    }
}

/// Adds the words of a document to their index.
pub(super) fn add_words(
    writer: &LexicalWriter,
    entry: &TdocTextEntry,
    text: &TdocTextRow,
) -> Result<(), StoreError> {
    let passages = (0u32..).zip(text.passages.iter().zip(&entry.row.passages));
    for (place, (passage, (content, _))) in passages {
        let number = entry.row.id.as_str();
        let words =
            format!("{number} {}\n{}\n{}", passage.header, passage.labels.join(" "), passage.text);
        let passage = LexicalPassage {
            passage: place_key(entry.key, place),
            content: *content,
            document: entry.key,
            number,
            section: number,
            title: &passage.header,
            text: &words,
        };
        writer.add(entry.row.batch, &passage)?;
    }
    Ok(())
}

/// The text of a document, as a transaction sees it.
pub(super) fn text_in(txn: &ReadTransaction, key: u32) -> Result<TdocTextRow, StoreError> {
    let table = txn.open_table(TDOC_TEXTS)?;
    let value = table.get(key)?;
    value.map_or(Ok(TdocTextRow::default()), |value| codec::unpack(value.value(), "TDoc text"))
}

/// Marks documents of which some passage has no vector any more.
pub(super) fn mark_embedded<'a>(
    txn: &WriteTransaction,
    entries: impl Iterator<Item = &'a TdocTextEntry>,
    is_whole: impl Fn(&TdocContentRow) -> bool,
) -> Result<(), StoreError> {
    let mut table = txn.open_table(TDOC_CONTENTS)?;
    for entry in entries {
        let embedded = is_whole(&entry.row);
        if embedded != entry.row.embedded {
            let row = TdocContentRow { embedded, ..entry.row.clone() };
            table.insert(entry.key, codec::encode(&row).as_slice())?;
        }
    }
    Ok(())
}

/// Which documents and kinds of passages a question is about.
#[derive(Debug, Clone, Copy)]
pub struct TdocScope<'a> {
    /// Keys of the documents, ascending; all when none.
    pub keys: Option<&'a [u32]>,
    /// Kinds of passages; all when none.
    pub kinds: Option<&'a [PassageKind]>,
}

impl TdocScope<'_> {
    fn is_open(&self) -> bool {
        self.keys.is_none() && self.kinds.is_none()
    }

    /// Whether a passage of a document is within it.
    pub fn admits(&self, key: u32, kind: PassageKind) -> bool {
        self.keys.is_none_or(|keys| keys.binary_search(&key).is_ok())
            && self.kinds.is_none_or(|kinds| kinds.contains(&kind))
    }
}

/// A passage by the document's key and its place there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TdocPlace {
    /// Key of the document.
    pub key: u32,
    /// Place of the passage, from 0.
    pub passage: u32,
}

impl Snapshot {
    /// The text of a document; empty where none was read.
    pub fn tdoc_text(&self, key: u32) -> Result<TdocTextRow, StoreError> {
        text_in(&self.metadata, key)
    }

    /// The passages of documents that carry a content.
    pub fn tdocs_of(&self, content: u64) -> Result<Vec<TdocPlace>, StoreError> {
        let table = self.metadata.open_multimap_table(CONTENT_TDOCS)?;
        let mut places = Vec::new();
        for place in table.get(content)? {
            let (key, passage) = place_of(place?.value());
            places.push(TdocPlace { key, passage });
        }
        Ok(places)
    }

    fn contents_in(&self, scope: TdocScope<'_>) -> ContentSet {
        let mut set = ContentSet::default();
        for entry in self.catalog.tdocs() {
            if scope.keys.is_some_and(|keys| keys.binary_search(&entry.key).is_err()) {
                continue;
            }
            let admitted = entry
                .row
                .passages
                .iter()
                .filter(|(_, kind)| scope.kinds.is_none_or(|kinds| kinds.contains(kind)));
            admitted.for_each(|(content, _)| set.insert(*content));
        }
        set
    }

    /// The contents of passages of documents nearest to a query, best first.
    pub fn nearest_tdocs(
        &self,
        vector: &[f32],
        scope: TdocScope<'_>,
        limit: usize,
    ) -> Result<Vec<ContentHit>, StoreError> {
        let nearest = if scope.is_open() {
            let all = || self.segments.allowed(&self.live.tdocs);
            self.segments.nearest(vector, self.tdoc_rows.get_or_init(all), limit)?
        } else {
            let allowed = self.segments.allowed(&self.contents_in(scope));
            self.segments.nearest(vector, &allowed, limit)?
        };
        Ok(nearest.hits)
    }

    /// The contents of passages of documents that hold words of a query, best first, and the most that the
    /// query's words can count.
    pub fn words_of_tdocs(
        &self,
        query: &LexicalQuery,
        scope: TdocScope<'_>,
        limit: usize,
    ) -> Result<(Vec<WordHit>, f32), StoreError> {
        let contents = (!scope.is_open()).then(|| self.contents_in(scope));
        let live = |key, place| self.has_tdoc_passage(key, place);
        let scope = Scope { documents: scope.keys, contents: contents.as_ref(), live: &live };
        let hits = lexical::search(&self.searcher.tdocs, query, &scope, limit)?;
        Ok((hits, lexical::most(&self.searcher.tdocs, query)?))
    }

    /// In how many contents of documents a word, name or phrase occurs; counted to `at_most`.
    pub fn occurrences_in_tdocs(&self, text: &str, at_most: usize) -> Result<usize, StoreError> {
        let live = |key, place| self.has_tdoc_passage(key, place);
        let scope = Scope { documents: None, contents: None, live: &live };
        Ok(lexical::occurrences(&self.searcher.tdocs, text, &scope, at_most)?)
    }

    /// Whether a document has a passage. A replaced one may still be in the word index.
    fn has_tdoc_passage(&self, key: u32, place: u64) -> bool {
        let (of, passage) = place_of(place);
        let entry = self.catalog.tdoc(key).filter(|_| of == key);
        entry.is_some_and(|entry| (passage as usize) < entry.row.passages.len())
    }

    /// Contents of a document that are not in `known` yet, with their texts; puts them there.
    pub(super) fn tdoc_content_texts(
        &self,
        key: u32,
        known: &mut ContentSet,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        let Some(entry) = self.catalog.tdoc(key) else { return Ok(Vec::new()) };
        if entry.row.passages.iter().all(|(content, _)| known.contains(*content)) {
            return Ok(Vec::new());
        }
        let text = self.tdoc_text(key)?;
        let mut texts = Vec::new();
        for ((content, _), passage) in entry.row.passages.iter().zip(&text.passages) {
            if !known.contains(*content) {
                known.insert(*content);
                texts.push((*content, passage.text_with_header()));
            }
        }
        Ok(texts)
    }
}

#[cfg(test)]
mod tests;
