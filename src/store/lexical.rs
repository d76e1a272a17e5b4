//! The word index: tantivy, one document per passage.

use std::path::Path;

use tantivy::{
    Index, IndexReader, IndexWriter, ReloadPolicy, Searcher, TantivyDocument, Term,
    collector::TopDocs,
    directory::MmapDirectory,
    query::{BooleanQuery, Occur, PhraseQuery, Query, TermQuery, TermSetQuery},
    schema::{FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions},
    tokenizer::TextAnalyzer,
};

use super::{
    StoreError,
    analyzer::{ANALYZER, IdentifierTokenizer, whole_words},
};

/// Memory the writer may use before it flushes a tantivy segment.
const WRITER_BYTES: usize = 64 << 20;

/// A question to the word index: passages that hold any of these.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LexicalQuery {
    /// Identifiers and quoted phrases, as written in the query.
    pub phrases: Vec<String>,
}

/// Fields of the index.
#[derive(Debug, Clone, Copy)]
struct Fields {
    /// Passage id.
    passage: Field,
    /// Document id.
    document: Field,
    /// Batch that wrote the passage.
    batch: Field,
    /// Context header and text.
    words: Field,
}

/// The index, its writer and its reader.
pub(super) struct Lexical {
    index: Index,
    reader: IndexReader,
    fields: Fields,
}

/// The one writer of the index.
pub(super) struct LexicalWriter {
    writer: IndexWriter,
    fields: Fields,
}

/// What a commit of the index says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Committed {
    /// The batch it belongs to.
    pub(super) batch: u64,
    /// An older batch whose words go once redb has committed this one.
    pub(super) replaces: Option<u64>,
}

impl Committed {
    fn payload(self) -> String {
        match self.replaces {
            Some(old) => format!("{} replaces {old}", self.batch),
            None => self.batch.to_string(),
        }
    }

    fn parse(payload: &str) -> Option<Self> {
        let (batch, replaces) = match payload.split_once(" replaces ") {
            Some((batch, old)) => (batch, Some(old.parse().ok()?)),
            None => (payload, None),
        };
        Some(Self { batch: batch.parse().ok()?, replaces })
    }
}

/// One passage as it is indexed.
pub(super) struct LexicalPassage<'a> {
    pub(super) passage: u64,
    pub(super) document: u32,
    pub(super) header: &'a str,
    pub(super) text: &'a str,
}

impl Lexical {
    /// Opens the index, or makes an empty one where there is none or the one there is unreadable
    /// (redb has all that is needed to fill it again).
    pub(super) fn open(folder: &Path) -> Result<Self, StoreError> {
        let (schema, fields) = schema();
        let open = || -> Result<(Index, IndexReader), StoreError> {
            let directory = MmapDirectory::open(folder).map_err(tantivy::TantivyError::from)?;
            let index = Index::open_or_create(directory, schema.clone())?;
            let analyzer = TextAnalyzer::builder(IdentifierTokenizer::default()).build();
            index.tokenizers().register(ANALYZER, analyzer);
            let builder = index.reader_builder().reload_policy(ReloadPolicy::Manual);
            let reader = builder.try_into()?;
            Ok((index, reader))
        };
        let (index, reader) = match open() {
            Ok(opened) => opened,
            Err(error) => {
                tracing::warn!(%error, "the word index is unreadable and is built again");
                std::fs::remove_dir_all(folder).map_err(StoreError::io("remove", folder))?;
                std::fs::create_dir_all(folder).map_err(StoreError::io("create", folder))?;
                open()?
            }
        };
        Ok(Self { index, reader, fields })
    }

    pub(super) fn writer(&self) -> Result<LexicalWriter, StoreError> {
        let writer = self.index.writer_with_num_threads(1, WRITER_BYTES)?;
        Ok(LexicalWriter { writer, fields: self.fields })
    }

    /// A view of the last commit.
    pub(super) fn searcher(&self) -> Result<Searcher, StoreError> {
        self.reader.reload()?;
        Ok(self.reader.searcher())
    }

    /// What the last commit says of itself; none for an empty index.
    pub(super) fn committed(&self) -> Result<Option<Committed>, StoreError> {
        Ok(self.index.load_metas()?.payload.as_deref().and_then(Committed::parse))
    }

    /// Whether every file passes its own check.
    pub(super) fn damaged_files(&self) -> Result<usize, StoreError> {
        Ok(self.index.validate_checksum()?.len())
    }
}

impl LexicalWriter {
    pub(super) fn add(&self, batch: u64, passage: &LexicalPassage<'_>) -> Result<(), StoreError> {
        let mut document = TantivyDocument::default();
        document.add_u64(self.fields.passage, passage.passage);
        document.add_u64(self.fields.document, u64::from(passage.document));
        document.add_u64(self.fields.batch, batch);
        document.add_text(self.fields.words, format!("{}\n{}", passage.header, passage.text));
        self.writer.add_document(document)?;
        Ok(())
    }

    /// Marks everything a batch wrote as deleted; takes effect with the next commit.
    pub(super) fn delete_batch(&self, batch: u64) {
        self.writer.delete_term(Term::from_field_u64(self.fields.batch, batch));
    }

    pub(super) fn delete_everything(&self) -> Result<(), StoreError> {
        self.writer.delete_all_documents()?;
        Ok(())
    }

    /// Makes all that was added and deleted durable under the number of its batch.
    pub(super) fn commit(&mut self, committed: Committed) -> Result<(), StoreError> {
        let mut prepared = self.writer.prepare_commit()?;
        prepared.set_payload(&committed.payload());
        prepared.commit()?;
        Ok(())
    }

    /// Forgets what was added since the last commit.
    pub(super) fn rollback(&mut self) -> Result<(), StoreError> {
        self.writer.rollback()?;
        Ok(())
    }
}

/// Passages that match, best first; `documents` limits them when given.
pub(super) fn search(
    searcher: &Searcher,
    query: &LexicalQuery,
    documents: Option<&[u32]>,
    limit: usize,
) -> Result<Vec<(u64, f32)>, StoreError> {
    let (_, fields) = schema();
    let any: Vec<(Occur, Box<dyn Query>)> = query
        .phrases
        .iter()
        .filter_map(|phrase| phrase_query(fields.words, phrase))
        .map(|query| (Occur::Should, query))
        .collect();
    if any.is_empty() || limit == 0 {
        return Ok(Vec::new());
    }
    let mut query: Box<dyn Query> = Box::new(BooleanQuery::new(any));
    if let Some(documents) = documents {
        let terms =
            documents.iter().map(|id| Term::from_field_u64(fields.document, u64::from(*id)));
        let within: Box<dyn Query> = Box::new(TermSetQuery::new(terms));
        query = Box::new(BooleanQuery::new(vec![(Occur::Must, query), (Occur::Must, within)]));
    }
    let hits = searcher.search(&query, &TopDocs::with_limit(limit).order_by_score())?;
    let mut passages = Vec::with_capacity(hits.len());
    for (score, address) in hits {
        let column = searcher.segment_reader(address.segment_ord).fast_fields().u64("passage")?;
        if let Some(passage) = column.first(address.doc_id) {
            passages.push((passage, score));
        }
    }
    Ok(passages)
}

/// One word is looked up whole; several must follow each other.
fn phrase_query(field: Field, phrase: &str) -> Option<Box<dyn Query>> {
    let words = whole_words(phrase);
    if let [word] = words.as_slice() {
        let term = Term::from_field_text(field, word);
        return Some(Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)));
    }
    let parts = words.iter().flat_map(|word| word.split(['.', '-', '_', '/']));
    let terms: Vec<Term> = parts
        .filter(|part| !part.is_empty())
        .map(|part| Term::from_field_text(field, part))
        .collect();
    (terms.len() > 1).then(|| Box::new(PhraseQuery::new(terms)) as Box<dyn Query>)
}

fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(ANALYZER)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let fields = Fields {
        passage: builder.add_u64_field("passage", FAST),
        document: builder.add_u64_field("document", INDEXED),
        batch: builder.add_u64_field("batch", INDEXED),
        words: builder
            .add_text_field("words", TextOptions::default().set_indexing_options(indexing)),
    };
    (builder.build(), fields)
}
