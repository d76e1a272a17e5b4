//! The two collections of vectors: of texts, and of the pictures of figures.

use std::path::PathBuf;

use redb::TableDefinition;

use super::{
    DataFolder, Snapshot,
    tables::{PICTURE_MODEL, PICTURE_SEGMENTS, SEGMENTS, TEXT_MODEL},
    vectors::Segments,
};
use lexical::ContentSet;

/// A collection of vectors of one model: a list of files in redb, and a folder that holds them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Collection {
    /// Of passages and of the words of figures.
    Texts,
    /// Of what figures look like. A row is known by the figure's words: of figures with the same
    /// words one picture is taken.
    Pictures,
}

impl Collection {
    pub(super) const ALL: [Self; 2] = [Self::Texts, Self::Pictures];

    /// Number of the file -> `SegmentRow`.
    pub(super) fn list(self) -> TableDefinition<'static, u64, &'static [u8]> {
        match self {
            Self::Texts => SEGMENTS,
            Self::Pictures => PICTURE_SEGMENTS,
        }
    }

    /// Where [`MODELS`](super::tables::MODELS) has its model.
    pub(super) fn model(self) -> &'static str {
        match self {
            Self::Texts => TEXT_MODEL,
            Self::Pictures => PICTURE_MODEL,
        }
    }

    pub(super) fn folder(self, folder: &DataFolder) -> PathBuf {
        match self {
            Self::Texts => folder.text_vectors(),
            Self::Pictures => folder.picture_vectors(),
        }
    }

    /// The files of it that a snapshot has open.
    pub(super) fn segments(self, snapshot: &Snapshot) -> &Segments {
        match self {
            Self::Texts => &snapshot.segments,
            Self::Pictures => &snapshot.pictures,
        }
    }

    /// The contents whose rows are of use.
    pub(super) fn live(self, snapshot: &Snapshot) -> &ContentSet {
        match self {
            Self::Texts => &snapshot.live.all,
            Self::Pictures => &snapshot.live.figures,
        }
    }
}
