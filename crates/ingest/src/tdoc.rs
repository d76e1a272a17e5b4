//! Meeting documents: from the contents of their files to searchable passages.
//!
//! A numbered proposal or observation is a separate passage; other text is cut like that of specifications, between
//! two units and under one heading. A repetition in a conclusion is not a passage: it is found where it was stated
//! first.

use std::{collections::HashSet, sync::Arc};

use document::Section;
use document_model::{SectionBody, TdocPassageRow};
use domain::TdocId;
use extract::{Contribution, RevisedSection, TextBlock};
use neural::TextEmbedder;
use store::{
    ContentStatus, ContentVectors, ModelRow, NewTdocText, RevisedSectionRow, RevisedSideRow, Store,
    TdocBlockRow, TdocContentRow, TdocTextEnds, TdocTextRow, hash_passage,
};

use super::IngestError;

/// Revision of the reading of contributions: files read with an older one are read again when requested.
pub const CONTRIBUTION_REVISION: u32 = 6;
/// Passages embedded at once.
const EMBED_BATCH: usize = 32;
/// Maximum number of passages of one document: more would block the embedder for all others.
const MAX_PASSAGES: usize = 5_000;

/// Ingests meeting documents.
pub struct TdocIngester<'a> {
    /// Where they are stored.
    pub store: &'a Store,
    /// Computes vectors; without one, they follow later.
    pub embedder: Option<Arc<dyn TextEmbedder>>,
    /// The model that the vectors are of.
    pub model: ModelRow,
}

/// A file that was read.
#[derive(Debug, Clone)]
pub struct TdocFile {
    /// The document.
    pub id: TdocId,
    /// Name of the file.
    pub file: String,
    /// Where it came from.
    pub origin: String,
    /// Its revisions in the inbox of its meeting, as paths on the mirror.
    pub inbox: Vec<String>,
    /// Hash of its bytes.
    pub hash: [u8; 32],
    /// When it was read, RFC 3339 in UTC.
    pub read_at: String,
}

impl TdocIngester<'_> {
    /// Ingests a document in one transaction. If nothing was read, the reasons are stored.
    pub fn ingest_tdoc(&self, file: TdocFile, read: Contribution) -> Result<(), IngestError> {
        let new = self.prepare_text(file, read)?;
        let mut writer = self.store.lock_writer();
        writer.commit_tdoc(&new, &self.model)?;
        writer.compact_segments()?;
        Ok(())
    }

    fn prepare_text(
        &self,
        file: TdocFile,
        mut read: Contribution,
    ) -> Result<NewTdocText, IngestError> {
        let mut passages = std::mem::take(&mut read.passages);
        if passages.len() > MAX_PASSAGES {
            passages.truncate(MAX_PASSAGES);
            read.faults.push(format!("only the first {MAX_PASSAGES} passages can be searched"));
        }
        let status = match (read.files.is_empty(), read.faults.is_empty()) {
            (true, _) => ContentStatus::Unavailable,
            (false, false) => ContentStatus::Partial,
            (false, true) => ContentStatus::Complete,
        };
        let mut readers: Vec<&str> = Vec::new();
        for reader in read.files.iter().map(|file| file.reader.as_str()) {
            if !readers.contains(&reader) {
                readers.push(reader);
            }
        }
        let row = TdocContentRow {
            id: file.id,
            status,
            extractor: readers.join(", "),
            revision: CONTRIBUTION_REVISION,
            faults: read.faults,
            file: file.file,
            origin: file.origin,
            inbox: file.inbox,
            hash: file.hash,
            read_at: file.read_at,
            units: u32::try_from(read.units.len()).unwrap_or(u32::MAX),
            wants_converter: read.wants_converter,
            passages: passages.iter().map(|passage| (0, passage.kind)).collect(),
            embedded: false,
            batch: 0,
        };
        let ends = TdocTextEnds {
            units: read.units.iter().map(|unit| unit.last_anchor.clone()).collect(),
            passages: passages.iter().map(|passage| passage.last_anchor.clone()).collect(),
        };
        let passages: Vec<TdocPassageRow> = passages.into_iter().map(|cut| cut.row).collect();
        let vectors = self.embed_missing(&passages)?;
        let text = TdocTextRow {
            blocks: to_block_rows(read.blocks),
            units: read.units.into_iter().map(|unit| unit.row).collect(),
            passages,
            cover: read.cover.map(cover_rows).unwrap_or_default(),
        };
        let revised = read.revised.into_iter().map(revised_row).collect();
        Ok(NewTdocText { row, text, ends, revised, vectors })
    }

    /// Vectors of the contents that have none yet; empty without an embedder.
    fn embed_missing(
        &self,
        passages: &[TdocPassageRow],
    ) -> Result<Vec<ContentVectors>, IngestError> {
        let Some(embedder) = &self.embedder else { return Ok(Vec::new()) };
        let texts: Vec<String> = passages.iter().map(TdocPassageRow::text_with_header).collect();
        let hashes: Vec<[u8; 32]> = texts.iter().map(|text| hash_passage(text)).collect();
        self.store.recover()?;
        let have = self.store.snapshot().contents().have_vectors(&hashes)?;
        let mut unique = HashSet::new();
        let missing: Vec<usize> = (0..hashes.len())
            .filter(|index| !have[*index] && unique.insert(hashes[*index]))
            .collect();
        let mut vectors = Vec::with_capacity(missing.len());
        for batch in missing.chunks(EMBED_BATCH) {
            let texts: Vec<&str> = batch.iter().map(|index| texts[*index].as_str()).collect();
            let windows = embedder.embed_documents(&texts)?;
            for (index, windows) in batch.iter().zip(windows) {
                vectors.push(ContentVectors { hash: hashes[*index], windows });
            }
        }
        Ok(vectors)
    }
}

/// The text of a meeting document as it is stored.
pub fn to_block_rows(blocks: Vec<TextBlock>) -> Vec<TdocBlockRow> {
    let to_row = |block: TextBlock| {
        let TextBlock { anchor, page, heading, text, changed, .. } = block;
        TdocBlockRow { anchor, page, heading, text, changed }
    };
    blocks.into_iter().map(to_row).collect()
}

fn revised_row(section: RevisedSection) -> RevisedSectionRow {
    let side = |section: Section| RevisedSideRow {
        number: section.number,
        title: section.title,
        body: SectionBody { blocks: section.blocks, figures: Vec::new() },
    };
    RevisedSectionRow { before: section.before.map(side), after: section.after.map(side) }
}

fn cover_rows(cover: domain::ChangeCover) -> Vec<(String, String)> {
    let rows = [
        ("spec", cover.spec),
        ("number", cover.number),
        ("revision", cover.revision),
        ("version", cover.version),
        ("title", cover.title),
        ("work_item", cover.work_item),
        ("category", cover.category),
        ("release", cover.release),
        ("clauses", cover.clauses),
        ("reason", cover.reason),
        ("summary", cover.summary),
        ("consequences", cover.consequences),
    ];
    rows.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}
