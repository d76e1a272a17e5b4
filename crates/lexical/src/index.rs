//! The index on disk: its fields, its one writer, its commits.

use std::{
    collections::BTreeSet,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use tantivy::{
    Index, IndexReader, IndexWriter, ReloadPolicy, Searcher, TantivyDocument, TantivyError, Term,
    directory::{MmapDirectory, error::LockError},
    schema::{FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions},
    tokenizer::TextAnalyzer,
};

use super::section_terms;
use crate::analyzer::{
    FORMS_TOKENIZER, FormsTokenizer, TOKENS_REVISION, WORDS_TOKENIZER, WordsTokenizer,
};
use crate::{LexicalError, fingerprints::Fingerprints};

/// Memory the writer may use before it flushes a tantivy segment. Each of the three word indexes has a writer: 192
/// MiB in total. With less, an ingest writes more small segments, which are merged later.
const WRITER_BYTES: usize = 64 << 20;

/// How long the lock of a closed writer may stay with a process that is being started.
const LOCK_WAIT: Duration = Duration::from_secs(2);
const LOCK_STEP: Duration = Duration::from_millis(5);

/// Fields of the index.
#[derive(Debug, Clone, Copy)]
pub(super) struct IndexFields {
    /// Passage id.
    passage: Field,
    /// Id of the passage's text and header.
    content: Field,
    /// Document id.
    pub(super) document: Field,
    /// Batch that wrote the passage.
    batch: Field,
    /// Context header and text as written, with positions and length.
    pub(super) words: Field,
    /// Other forms of the same.
    pub(super) forms: Field,
    /// Forms of the section's own title.
    pub(super) title: Field,
    /// Terms of the passage's section and those above it.
    pub(super) section: Field,
}

/// Names of the columns that a search reads.
pub(super) const PASSAGE: &str = "passage";
pub(super) const CONTENT: &str = "content";
pub(super) const DOCUMENT: &str = "document";

/// The index, its writer and its reader.
pub struct LexicalIndex {
    folder: PathBuf,
    index: Index,
    reader: IndexReader,
    fields: IndexFields,
}

/// The one writer of the index.
pub struct LexicalWriter {
    writer: IndexWriter,
    fields: IndexFields,
    fingerprints: Fingerprints,
}

/// The payload of a commit: which batch the index contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LexicalCommit {
    /// The last batch it contains.
    pub batch: u64,
    /// How many batches were made durable with it, that one included.
    pub batches: u64,
    /// An older batch whose words are deleted once redb has committed this one.
    pub replaces: Option<u64>,
}

impl LexicalCommit {
    fn to_payload(self) -> String {
        let batch = format!("revision {TOKENS_REVISION} batch {}", self.batch);
        match (self.replaces, self.batches) {
            (Some(old), _) => format!("{batch} replaces {old}"),
            (None, 0 | 1) => batch,
            (None, batches) => format!("{batch} with {batches}"),
        }
    }

    /// `None` for an index of another revision, which contains other tokens.
    fn parse_payload(payload: &str) -> Option<Self> {
        let payload = payload.strip_prefix(&format!("revision {TOKENS_REVISION} batch "))?;
        let (payload, batches) = match payload.split_once(" with ") {
            Some((batch, batches)) => (batch, batches.parse().ok()?),
            None => (payload, 1),
        };
        let (batch, replaces) = match payload.split_once(" replaces ") {
            Some((batch, old)) => (batch, Some(old.parse().ok()?)),
            None => (payload, None),
        };
        Some(Self { batch: batch.parse().ok()?, batches, replaces })
    }
}

/// One passage, or the words of one figure, as it is indexed.
pub struct LexicalPassage<'a> {
    /// Its id; of a figure its key.
    pub passage: u64,
    /// Id of its content.
    pub content: u64,
    /// Id of the document.
    pub document: u32,
    /// Number of the document.
    pub number: &'a str,
    /// Number of the section.
    pub section: &'a str,
    /// Number and title of the section, or the caption of the figure.
    pub title: &'a str,
    /// The text itself.
    pub text: &'a str,
}

impl LexicalIndex {
    /// Opens the index. If there is none, or it is unreadable or has other fields, creates an empty one (redb has
    /// everything that is needed to fill it again).
    pub fn open(folder: &Path) -> Result<Self, LexicalError> {
        let (schema, fields) = build_schema();
        let open = || -> Result<(Index, IndexReader), LexicalError> {
            let directory = MmapDirectory::open(folder).map_err(tantivy::TantivyError::from)?;
            let index = Index::open_or_create(directory, schema.clone())?;
            let words = TextAnalyzer::builder(WordsTokenizer::default()).build();
            let forms = TextAnalyzer::builder(FormsTokenizer::default()).build();
            index.tokenizers().register(WORDS_TOKENIZER, words);
            index.tokenizers().register(FORMS_TOKENIZER, forms);
            let builder = index.reader_builder().reload_policy(ReloadPolicy::Manual);
            let reader = builder.try_into()?;
            let fingerprints = Fingerprints::read(folder);
            let files = index.load_metas()?.list_segment_files();
            match files.iter().find(|file| fingerprints.is_other_file(file)) {
                Some(file) => Err(describe_damage(format!("{} is another file", file.display()))),
                None => Ok((index, reader)),
            }
        };
        let (index, reader) = match without_panic(open) {
            Ok(opened) => opened,
            // The files may be sound, so they are not removed.
            Err(error) if error.is_transient() => return Err(error),
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(
                    error,
                    "the word index is damaged or has another format, and is being rebuilt"
                );
                std::fs::remove_dir_all(folder)
                    .map_err(LexicalError::io_error("remove", folder))?;
                std::fs::create_dir_all(folder)
                    .map_err(LexicalError::io_error("create", folder))?;
                open()?
            }
        };
        Ok(Self { folder: folder.to_owned(), index, reader, fields })
    }

    /// The one writer; another one fails until it is dropped.
    pub fn open_writer(&self) -> Result<LexicalWriter, LexicalError> {
        let writer = self.open_released_writer()?;
        let fingerprints = Fingerprints::read(&self.folder);
        let mut writer = LexicalWriter { writer, fields: self.fields, fingerprints };
        writer.record_files();
        Ok(writer)
    }

    /// Waits until the lock of the writer before is free. tantivy frees it by closing its file, and a process that is
    /// being started at that moment has the file open too, until its own program begins.
    fn open_released_writer(&self) -> Result<IndexWriter, LexicalError> {
        let given_up = Instant::now() + LOCK_WAIT;
        loop {
            match self.index.writer_with_num_threads(1, WRITER_BYTES) {
                Err(TantivyError::LockFailure(LockError::LockBusy, _))
                    if Instant::now() < given_up =>
                {
                    thread::sleep(LOCK_STEP);
                }
                opened => return Ok(opened?),
            }
        }
    }

    /// A view of the last commit.
    pub fn reload_searcher(&self) -> Result<Searcher, LexicalError> {
        self.reader.reload()?;
        Ok(self.reader.searcher())
    }

    /// The payload of the last commit; `None` for an empty index and one of another revision.
    pub fn last_commit(&self) -> Result<Option<LexicalCommit>, LexicalError> {
        Ok(self.index.load_metas()?.payload.as_deref().and_then(LexicalCommit::parse_payload))
    }

    /// The files that fail their checksum, in order.
    pub fn damaged_files(&self) -> Result<Vec<PathBuf>, LexicalError> {
        list_damaged_files(&self.index, &self.folder)
    }
}

/// Does something with files that may be damaged: those may fail an assertion of tantivy's.
fn without_panic<T>(act: impl Fn() -> Result<T, LexicalError>) -> Result<T, LexicalError> {
    catch_unwind(AssertUnwindSafe(act))
        .unwrap_or_else(|_| Err(describe_damage("a file of the index is damaged".to_owned())))
}

fn describe_damage(damage: String) -> LexicalError {
    tantivy::TantivyError::InternalError(damage).into()
}

/// The files of an index that are missing, fail their checksum, or are another file under their name, sorted.
fn list_damaged_files(index: &Index, folder: &Path) -> Result<Vec<PathBuf>, LexicalError> {
    let fingerprints = Fingerprints::read(folder);
    let managed = index.directory().list_managed_files();
    // The list contains files that a segment may not have, such as one of deletions, so a missing file is not always
    // a fault.
    let listed: BTreeSet<PathBuf> = index.load_metas()?.list_segment_files().into_iter().collect();
    let is_whole = |path: &PathBuf| {
        let check = || {
            let checked = index.directory().validate_checksum(path);
            checked.map_err(|error| tantivy::TantivyError::from(error).into())
        };
        without_panic(check).unwrap_or(false) && !fingerprints.is_other_file(path)
    };
    let is_needed = |path: &PathBuf| managed.contains(path) || folder.join(path).exists();
    Ok(listed.into_iter().filter(|path| is_needed(path) && !is_whole(path)).collect())
}

/// How many files an index has that is not open, and which of them fail their checksum. Nothing is changed.
pub fn find_damaged_files(folder: &Path) -> Result<(usize, Vec<PathBuf>), LexicalError> {
    let directory = MmapDirectory::open(folder).map_err(tantivy::TantivyError::from)?;
    if !Index::exists(&directory).map_err(tantivy::TantivyError::from)? {
        return Ok((0, Vec::new()));
    }
    let index = without_panic(|| Ok(Index::open(directory.clone())?))?;
    let entries = std::fs::read_dir(folder).map_err(LexicalError::io_error("read", folder))?;
    Ok((entries.count(), list_damaged_files(&index, folder)?))
}

impl LexicalWriter {
    /// Adds a passage under the number of its batch; it is found after the next commit.
    pub fn add_passage(
        &self,
        batch: u64,
        passage: &LexicalPassage<'_>,
    ) -> Result<(), LexicalError> {
        let IndexFields { words, forms, title, section, .. } = self.fields;
        let mut document = TantivyDocument::default();
        document.add_u64(self.fields.passage, passage.passage);
        document.add_u64(self.fields.content, passage.content);
        document.add_u64(self.fields.document, u64::from(passage.document));
        document.add_u64(self.fields.batch, batch);
        document.add_text(words, passage.text);
        document.add_text(forms, passage.text);
        document.add_text(title, passage.title);
        for term in section_terms::build_section_terms(passage.number, passage.section) {
            document.add_text(section, term);
        }
        self.writer.add_document(document)?;
        Ok(())
    }

    /// Marks everything a batch wrote as deleted; takes effect with the next commit.
    pub fn delete_batch(&self, batch: u64) {
        self.writer.delete_term(Term::from_field_u64(self.fields.batch, batch));
    }

    /// Marks everything as deleted; takes effect with the next commit.
    pub fn delete_everything(&self) -> Result<(), LexicalError> {
        self.writer.delete_all_documents()?;
        Ok(())
    }

    /// Makes everything that was added and deleted durable under the number of its batch.
    pub fn commit(&mut self, committed: LexicalCommit) -> Result<(), LexicalError> {
        let mut prepared = self.writer.prepare_commit()?;
        prepared.set_payload(&committed.to_payload());
        prepared.commit()?;
        self.record_files();
        Ok(())
    }

    /// Records the content of the files that are new since the last time.
    fn record_files(&mut self) {
        if let Ok(listed) = self.writer.index().load_metas() {
            self.fingerprints.update(listed.list_segment_files().into_iter());
        }
    }

    /// Why a thread of the engine ended, if one did; what was added since the last commit must then be rolled back.
    pub fn thread_failure(&mut self) -> Option<LexicalError> {
        let prepared = self.writer.prepare_commit();
        prepared.err().map(LexicalError::from).filter(|error| !error.is_thread_failure())
    }

    /// Discards what was added since the last commit, and removes the files of a commit that failed, because the next
    /// one would create some of them again.
    pub fn rollback(&mut self) -> Result<(), LexicalError> {
        self.writer.rollback()?;
        self.writer.garbage_collect_files().wait()?;
        Ok(())
    }
}

impl Drop for LexicalWriter {
    /// Segments may have been merged since the last commit.
    fn drop(&mut self) {
        self.record_files();
    }
}

/// The fields of an open index.
pub(super) fn index_fields() -> IndexFields {
    build_schema().1
}

fn build_schema() -> (Schema, IndexFields) {
    let mut builder = Schema::builder();
    let text = |tokenizer: &str, option, lengths| {
        let indexing = TextFieldIndexing::default().set_tokenizer(tokenizer);
        let indexing = indexing.set_index_option(option).set_fieldnorms(lengths);
        TextOptions::default().set_indexing_options(indexing)
    };
    let written = text(WORDS_TOKENIZER, IndexRecordOption::WithFreqsAndPositions, true);
    let forms = text(FORMS_TOKENIZER, IndexRecordOption::WithFreqs, false);
    let exact = text("raw", IndexRecordOption::Basic, false);
    let fields = IndexFields {
        passage: builder.add_u64_field(PASSAGE, FAST),
        content: builder.add_u64_field(CONTENT, FAST),
        document: builder.add_u64_field(DOCUMENT, INDEXED | FAST),
        batch: builder.add_u64_field("batch", INDEXED),
        words: builder.add_text_field("words", written),
        forms: builder.add_text_field("forms", forms.clone()),
        title: builder.add_text_field("title", forms),
        section: builder.add_text_field("place", exact),
    };
    (builder.build(), fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_payload_of_another_revision_is_ignored() {
        for committed in [
            LexicalCommit { batch: 7, batches: 1, replaces: None },
            LexicalCommit { batch: 7, batches: 1, replaces: Some(3) },
            LexicalCommit { batch: 7, batches: 4, replaces: None },
        ] {
            assert_eq!(LexicalCommit::parse_payload(&committed.to_payload()), Some(committed));
        }
        for other in ["7", "7 replaces 3", "revision 1 batch 7", ""] {
            assert_eq!(LexicalCommit::parse_payload(other), None, "{other}");
        }
    }
}
