//! The two collections of vectors: of texts, and of the pictures of figures.

use std::path::PathBuf;

use redb::TableDefinition;

use crate::{
    DataFolder,
    tables::{
        codec::Packed,
        definitions::{PICTURE_MODEL, PICTURE_SEGMENTS, SEGMENTS, TEXT_MODEL},
        segments::SegmentRow,
    },
};

/// A collection of vectors of one model: a list of files in redb, and a folder that holds them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VectorCollection {
    /// Of passages and of the words of figures.
    Texts,
    /// Of the pictures of figures. A row has the content id of the figure's words: figures with the same
    /// words share one picture.
    Pictures,
}

impl VectorCollection {
    pub(crate) const ALL: [Self; 2] = [Self::Texts, Self::Pictures];

    /// Number of the file -> `SegmentRow`.
    pub(crate) fn segment_table(self) -> TableDefinition<'static, u64, Packed<SegmentRow>> {
        match self {
            Self::Texts => SEGMENTS,
            Self::Pictures => PICTURE_SEGMENTS,
        }
    }

    /// Key of its model in [`MODELS`](crate::tables::definitions::MODELS).
    pub(crate) fn model_key(self) -> &'static str {
        match self {
            Self::Texts => TEXT_MODEL,
            Self::Pictures => PICTURE_MODEL,
        }
    }

    pub(crate) fn vector_folder(self, folder: &DataFolder) -> PathBuf {
        match self {
            Self::Texts => folder.text_vectors_folder(),
            Self::Pictures => folder.picture_vectors_folder(),
        }
    }
}
