//! Recovery of the word indexes to redb's state.

use redb::ReadTransaction;

use super::{
    LexicalIndexes, LexicalWriters,
    indexer::{DocumentIndexer, IndexedPassage, index_tdoc_passages},
};
use crate::{
    DocumentCatalog, DocumentEntry, FigureRow, FigureWords, PassageRow, StoreError,
    tables::{
        definitions::{BATCH, COUNTERS, FIGURE_WORDS, FIGURES, PASSAGES},
        keys::document_key_range,
        sections::{read_section_heads, read_section_text},
        tdocs::read_tdoc_text,
    },
};
use database_file::DatabaseFile;
use lexical::{LexicalCommit, LexicalIndex, LexicalWriter};

impl LexicalWriters {
    /// Brings the indexes to redb's state: a batch that redb does not know is deleted, and an index that
    /// cannot be brought there is built again from redb.
    pub(crate) fn recover_indexes(
        &mut self,
        metadata: &DatabaseFile,
        words: &LexicalIndexes,
        catalog: &DocumentCatalog,
    ) -> Result<(), StoreError> {
        let txn = metadata.begin_read()?;
        let truth = txn.open_table(COUNTERS)?.get(BATCH)?.map_or(0, |value| value.value());
        recover_index(&words.passages, &mut self.passages, truth, |writer| {
            catalog.document_entries().try_for_each(|entry| restore_passages(&txn, writer, entry))
        })?;
        recover_index(&words.figures, &mut self.figures, truth, |writer| {
            catalog.document_entries().try_for_each(|entry| restore_figures(&txn, writer, entry))
        })?;
        recover_index(&words.tdocs, &mut self.tdocs, truth, |writer| {
            catalog.tdoc_entries().try_for_each(|entry| {
                index_tdoc_passages(writer, entry, &read_tdoc_text(&txn, entry.key)?)
            })
        })
    }
}

/// The same for one index; `fill` adds everything that redb holds. `truth` is the last batch of redb.
fn recover_index(
    index: &LexicalIndex,
    writer: &mut LexicalWriter,
    truth: u64,
    fill: impl FnOnce(&LexicalWriter) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let target = LexicalCommit { batch: truth, batches: 1, replaces: None };
    match index.last_commit()? {
        // Nothing was committed yet, here or in redb.
        None if truth == 0 => return Ok(()),
        Some(LexicalCommit { batch, replaces: None, .. }) if batch == truth => return Ok(()),
        Some(LexicalCommit { batch, replaces: Some(old), .. }) if batch == truth => {
            writer.delete_batch(old);
        }
        // A batch replaces at most one older one, whose words stay until redb has the batch.
        Some(last) if last.batch.checked_sub(last.batches) == Some(truth) => {
            tracing::info!(batch = last.batch, "removing an unfinished batch from the word index");
            (truth + 1..=last.batch).for_each(|batch| writer.delete_batch(batch));
        }
        _ => {
            tracing::info!("rebuilding the word index");
            writer.delete_everything()?;
            fill(writer)?;
        }
    }
    Ok(writer.commit(target)?)
}

fn restore_passages(
    txn: &ReadTransaction,
    writer: &LexicalWriter,
    entry: &DocumentEntry,
) -> Result<(), StoreError> {
    let passages = txn.open_table(PASSAGES)?;
    let sections = read_section_heads(txn, entry.id)?;
    let mut indexer = DocumentIndexer::for_document(entry.id, &entry.row, &sections);
    let ids = entry.row.first_passage..entry.row.first_passage + u64::from(entry.row.passage_count);
    let mut section: Option<(u32, String)> = None;
    let mut count = 0;
    for passage in passages.range(ids)? {
        count += 1;
        let (id, row) = passage?;
        let row: PassageRow = row.value().decode("passage")?;
        if section.as_ref().is_none_or(|(known, _)| *known != row.section) {
            section = Some((row.section, read_section_text(txn, row.section_key())?));
        }
        let (_, text) = section.as_ref().expect("set just above");
        let indexed =
            IndexedPassage { key: id.value(), content: row.content, section: row.section };
        indexer.add_passage(writer, indexed, &row.extract_text(text)?)?;
    }
    if count == entry.row.passage_count {
        Ok(())
    } else {
        Err(StoreError::Decode { what: "list of passages" })
    }
}

fn restore_figures(
    txn: &ReadTransaction,
    writer: &LexicalWriter,
    entry: &DocumentEntry,
) -> Result<(), StoreError> {
    if entry.contents.figures.is_empty() {
        return Ok(());
    }
    let rows = txn.open_table(FIGURES)?;
    let words = txn.open_table(FIGURE_WORDS)?;
    let sections = read_section_heads(txn, entry.id)?;
    let mut indexer = DocumentIndexer::for_document(entry.id, &entry.row, &sections);
    for row in rows.range(document_key_range(entry.id))? {
        let (key, row) = row?;
        let row: FigureRow = row.value().decode("figure")?;
        let stored = words.get(key.value())?.ok_or(StoreError::Decode { what: "figure" })?;
        let stored: FigureWords = stored.value().decode("figure")?;
        let indexed =
            IndexedPassage { key: key.value(), content: row.content, section: row.section };
        indexer.add_figure(writer, indexed, row.caption.as_deref(), &stored)?;
    }
    Ok(())
}
