//! The two collections of vectors: of texts, and of the pictures of figures.

use std::path::PathBuf;

use redb::TableDefinition;

use super::{
    DataFolder, Snapshot,
    tables::{PICTURE_MODEL, PICTURE_SEGMENTS, SEGMENTS, TEXT_MODEL},
    vectors::SegmentSet,
};
use lexical::ContentSet;

/// A collection of vectors of one model: a list of files in redb, and a folder that holds them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VectorCollection {
    /// Of passages and of the words of figures.
    Texts,
    /// Of what figures look like. A row is known by the figure's words: of figures with the same
    /// words one picture is taken.
    Pictures,
}

impl VectorCollection {
    pub(super) const ALL: [Self; 2] = [Self::Texts, Self::Pictures];

    /// Number of the file -> `SegmentRow`.
    pub(super) fn segment_table(self) -> TableDefinition<'static, u64, &'static [u8]> {
        match self {
            Self::Texts => SEGMENTS,
            Self::Pictures => PICTURE_SEGMENTS,
        }
    }

    /// Where [`MODELS`](super::tables::MODELS) has its model.
    pub(super) fn model_key(self) -> &'static str {
        match self {
            Self::Texts => TEXT_MODEL,
            Self::Pictures => PICTURE_MODEL,
        }
    }

    pub(super) fn vector_folder(self, folder: &DataFolder) -> PathBuf {
        match self {
            Self::Texts => folder.text_vectors_folder(),
            Self::Pictures => folder.picture_vectors_folder(),
        }
    }

    /// The files of it that a snapshot has open.
    pub(super) fn open_segments(self, snapshot: &Snapshot) -> &SegmentSet {
        match self {
            Self::Texts => &snapshot.segments,
            Self::Pictures => &snapshot.pictures,
        }
    }

    /// The contents whose rows are of use.
    pub(super) fn live_contents(self, snapshot: &Snapshot) -> &ContentSet {
        match self {
            Self::Texts => &snapshot.live.all,
            Self::Pictures => &snapshot.live.figures,
        }
    }
}
