//! The three word indexes, of passages, of figures and of TDocs, committed together.

use std::path::{Path, PathBuf};

use super::indexer::{DocumentIndexer, IndexedPassage, index_tdoc_passages};
use crate::{
    DataFolder, DocumentEntry, NewDocument, SectionHead, StoreError, TdocTextEntry, TdocTextRow,
    tables::keys::pack_key,
};
#[cfg(test)]
use lexical::LexicalPassage;
use lexical::{LexicalCommit, LexicalIndex, LexicalWriter, Searcher};

/// The three indexes.
pub(crate) struct LexicalIndexes {
    pub(crate) passages: LexicalIndex,
    pub(crate) figures: LexicalIndex,
    pub(crate) tdocs: LexicalIndex,
}

/// The writers of the three indexes.
pub(crate) struct LexicalWriters {
    pub(super) passages: LexicalWriter,
    pub(super) figures: LexicalWriter,
    pub(super) tdocs: LexicalWriter,
}

/// Views of the last commit of each index.
pub(crate) struct LexicalSearchers {
    pub(crate) passages: Searcher,
    pub(crate) figures: Searcher,
    pub(crate) tdocs: Searcher,
}

impl LexicalIndexes {
    pub(crate) fn open(folder: &DataFolder) -> Result<Self, StoreError> {
        let (passages, figures) = (folder.lexical_folder(), folder.figure_lexical_folder());
        Ok(Self {
            passages: LexicalIndex::open(&passages)?,
            figures: LexicalIndex::open(&figures)?,
            tdocs: LexicalIndex::open(&folder.tdoc_lexical_folder())?,
        })
    }

    pub(crate) fn open_writers(&self) -> Result<LexicalWriters, StoreError> {
        Ok(LexicalWriters {
            passages: self.passages.open_writer()?,
            figures: self.figures.open_writer()?,
            tdocs: self.tdocs.open_writer()?,
        })
    }

    pub(crate) fn reload_searchers(&self) -> Result<LexicalSearchers, StoreError> {
        let (passages, figures) =
            (self.passages.reload_searcher()?, self.figures.reload_searcher()?);
        Ok(LexicalSearchers { passages, figures, tdocs: self.tdocs.reload_searcher()? })
    }

    /// The files of the three indexes that fail their checksum, below the folder of the index.
    pub(crate) fn damaged_files(&self) -> Result<Vec<PathBuf>, StoreError> {
        let indexes = [&self.passages, &self.figures, &self.tdocs];
        let mut damaged = Vec::new();
        for (index, folder) in
            indexes.into_iter().zip(["lexical", "lexical-figures", "lexical-tdocs"])
        {
            let files = index.damaged_files()?;
            damaged.extend(files.into_iter().map(|file| Path::new(folder).join(file)));
        }
        Ok(damaged)
    }
}

impl LexicalWriters {
    /// Makes all that was added and deleted durable under the number of its batch.
    pub(crate) fn commit_indexes(&mut self, committed: LexicalCommit) -> Result<(), StoreError> {
        self.passages.commit(committed)?;
        self.figures.commit(committed)?;
        Ok(self.tdocs.commit(committed)?)
    }

    /// Discards what was added since the last commit.
    pub(crate) fn roll_back_indexes(&mut self) -> Result<(), StoreError> {
        let (passages, figures) = (self.passages.rollback(), self.figures.rollback());
        Ok(passages.and(figures).and(self.tdocs.rollback())?)
    }

    /// Why a thread of one of the indexes ended, if that is known; the indexes must then be rolled back.
    pub(crate) fn thread_failure(&mut self) -> Option<StoreError> {
        let indexes = [&mut self.passages, &mut self.figures, &mut self.tdocs];
        indexes.into_iter().find_map(LexicalWriter::thread_failure).map(StoreError::from)
    }

    /// Marks everything a batch wrote as deleted; takes effect with the next commit.
    pub(crate) fn delete_batch(&self, batch: u64) {
        self.passages.delete_batch(batch);
        self.figures.delete_batch(batch);
        self.tdocs.delete_batch(batch);
    }

    /// Adds the passages of a TDoc.
    pub(crate) fn add_tdoc(
        &self,
        entry: &TdocTextEntry,
        text: &TdocTextRow,
    ) -> Result<(), StoreError> {
        index_tdoc_passages(&self.tdocs, entry, text)
    }

    /// Adds the passages and figures of a document that is being committed.
    pub(crate) fn add_document(
        &self,
        entry: &DocumentEntry,
        new: &NewDocument,
    ) -> Result<(), StoreError> {
        let heads: Vec<SectionHead> = new.sections.iter().map(|s| s.head.clone()).collect();
        let mut indexer = DocumentIndexer::for_document(entry.id, &entry.row, &heads);
        let passages = new.passages.iter().zip(&entry.contents.passages);
        for (id, (passage, (content, _))) in (entry.row.first_passage..).zip(passages) {
            let section = &new.sections[passage.section as usize];
            let text = passage.to_row(entry.id, *content).extract_text(&section.text)?;
            let key = IndexedPassage { key: id, content: *content, section: passage.section };
            indexer.add_passage(&self.passages, key, &text)?;
        }
        for (index, (figure, content)) in
            (0u32..).zip(new.figures.iter().zip(&entry.contents.figures))
        {
            let key = IndexedPassage {
                key: pack_key(entry.id, index),
                content: *content,
                section: figure.section,
            };
            indexer.add_figure(&self.figures, key, figure.caption.as_deref(), &figure.words)?;
        }
        Ok(())
    }

    #[cfg(test)]
    pub(crate) fn add_passage(
        &self,
        batch: u64,
        passage: &LexicalPassage<'_>,
    ) -> Result<(), StoreError> {
        Ok(self.passages.add_passage(batch, passage)?)
    }
}
