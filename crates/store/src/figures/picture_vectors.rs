//! Vectors of the pictures of figures: made from the stored pictures after documents were committed, and
//! again whenever another model is configured.
//!
//! A vector is stored under the content of a figure, its words. Figures with the same words are mostly one
//! figure in several versions: the picture of the first is embedded for all.

use std::collections::{HashMap, HashSet};

use index_format::SegmentInfo;
use redb::WriteTransaction;

use super::FigureReader;
use crate::{
    FigureKey, ModelRow, PictureHash, PictureRow, Snapshot, StoreError, Writer,
    tables::{
        codec::Packed,
        definitions::{MODELS, PICTURE_MODEL, PICTURE_SOURCES},
        segments::SegmentRow,
    },
    vectors::{
        VectorCollection,
        segment_files::{content_rows, remove_segment_files},
        segment_list::{list_open_segments, read_segment_rows, write_segment},
    },
};

const PICTURES: VectorCollection = VectorCollection::Pictures;

/// A picture that has no vector yet.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingPicture {
    /// The picture.
    pub picture: PictureRow,
    /// The contents whose figures show it.
    pub contents: Vec<u64>,
    /// Another content whose figure shows it and that has its vector.
    pub known_by: Option<u64>,
}

impl FigureReader<'_> {
    /// The pictures without a vector, each once, in the order of documents; and the number of all
    /// pictures, with and without.
    pub fn pending_pictures(&self) -> Result<(Vec<PendingPicture>, usize), StoreError> {
        let snapshot = self.snapshot();
        let mut pending: Vec<PendingPicture> = Vec::new();
        let mut indexes: HashMap<PictureHash, usize> = HashMap::new();
        let mut known: HashMap<PictureHash, u64> = HashMap::new();
        let mut seen = HashSet::new();
        let sources = snapshot.metadata.open_table(PICTURE_SOURCES)?;
        let all = snapshot.catalog.document_ids().filter_map(|id| snapshot.catalog.get(id));
        for entry in all {
            for (index, content) in (0u32..).zip(&entry.contents.figures) {
                if seen.contains(content) {
                    continue;
                }
                let row = self.figure_row(FigureKey { document: entry.id, index })?;
                let Some(picture) = row.and_then(|row| row.picture) else { continue };
                seen.insert(*content);
                let made_of = sources.get(*content)?.map(|hash| *hash.value());
                if made_of == Some(picture.hash) && snapshot.pictures.contains(*content) {
                    known.insert(picture.hash, *content);
                } else if let Some(index) = indexes.get(&picture.hash) {
                    pending[*index].contents.push(*content);
                } else {
                    indexes.insert(picture.hash, pending.len());
                    let contents = vec![*content];
                    pending.push(PendingPicture { picture, contents, known_by: None });
                }
            }
        }
        for one in &mut pending {
            one.known_by = known.get(&one.picture.hash).copied();
        }
        let total = indexes.keys().chain(known.keys()).collect::<HashSet<_>>().len();
        Ok((pending, total))
    }
}

impl Writer<'_> {
    /// Sets the model of the vectors of pictures; removes the vectors of another model.
    pub fn switch_picture_model(&mut self, model: &ModelRow) -> Result<(), StoreError> {
        self.make_change(|writer| {
            // The vectors stay: the model takes about half a second for each picture.
            if writer.store.snapshot().figures().picture_model()?.as_ref() == Some(model) {
                return Ok(());
            }
            let txn = writer.index.metadata.begin_write()?;
            let removed = {
                let mut list = txn.open_table(PICTURES.segment_table())?;
                let removed = read_segment_rows(&list)?;
                list.retain(|_, _| false)?;
                txn.open_table(PICTURE_SOURCES)?.retain(|_, _| false)?;
                txn.open_table(MODELS)?.insert(PICTURE_MODEL, Packed::of(model))?;
                removed
            };
            writer.commit_metadata(txn)?;
            remove_segment_files(&writer.index.folder.picture_vectors_folder(), &removed)
        })
    }

    /// Stores vectors of pictures, each for all its contents. A content's vector of another picture is
    /// replaced.
    pub fn add_picture_vectors(
        &mut self,
        model: &ModelRow,
        vectors: &[(PendingPicture, Vec<f32>)],
    ) -> Result<(), StoreError> {
        if self.make_change(|writer| writer.try_add_picture_vectors(model, vectors))? {
            self.compact_segments()?;
        }
        Ok(())
    }

    /// Returns whether there was anything to store.
    fn try_add_picture_vectors(
        &mut self,
        model: &ModelRow,
        vectors: &[(PendingPicture, Vec<f32>)],
    ) -> Result<bool, StoreError> {
        let snapshot = self.store.snapshot();
        if let Some(stored) = snapshot.figures().picture_model()? {
            model.check_stored(&stored)?;
        }
        let mut rows: Vec<(u64, Vec<f32>)> = Vec::new();
        for (picture, vector) in vectors {
            rows.extend(picture.contents.iter().map(|content| (*content, vector.clone())));
        }
        if rows.is_empty() {
            return Ok(false);
        }
        rows.sort_by_key(|(content, _)| *content);
        let contents: HashSet<u64> = rows.iter().map(|(content, _)| *content).collect();
        let info = SegmentInfo { dimension: model.dimension, model: model.identity };
        let txn = self.index.metadata.begin_write()?;
        let replaced = self.rewrite_segments_without(&txn, &snapshot, &contents, info)?;
        write_segment(&txn, &self.index.folder, PICTURES, info, rows.into_iter())?;
        {
            let mut sources = txn.open_table(PICTURE_SOURCES)?;
            for (picture, _) in vectors {
                for content in &picture.contents {
                    sources.insert(content, &picture.picture.hash)?;
                }
            }
        }
        self.commit_metadata(txn)?;
        remove_segment_files(&self.index.folder.picture_vectors_folder(), &replaced)?;
        Ok(true)
    }

    /// Rewrites the segments that hold rows of some contents without those rows. Returns the replaced
    /// files.
    fn rewrite_segments_without(
        &self,
        txn: &WriteTransaction,
        snapshot: &Snapshot,
        contents: &HashSet<u64>,
        info: SegmentInfo,
    ) -> Result<Vec<SegmentRow>, StoreError> {
        let mut replaced = Vec::new();
        for listed in list_open_segments(txn, PICTURES, &snapshot.pictures)? {
            let segment = &listed.segment;
            if !contents.iter().any(|content| content_rows(segment, *content).next().is_some()) {
                continue;
            }
            let row = |row| Some((segment.content_id(row)?, segment.read_vector(row)?));
            let rows = (0..segment.row_count()).filter_map(row);
            let mut others = rows.filter(|(content, _)| !contents.contains(content)).peekable();
            if others.peek().is_some() {
                write_segment(txn, &self.index.folder, PICTURES, info, others)?;
            }
            txn.open_table(PICTURES.segment_table())?.remove(listed.key)?;
            replaced.push(listed.row);
        }
        Ok(replaced)
    }
}

#[cfg(test)]
mod tests;
