//! The open files of an index.

use crate::{DataFolder, picture_folder::PictureFolder, words::LexicalIndexes};
use database_file::DatabaseFile;

/// The open files of an index.
pub(crate) struct OpenIndex {
    /// The data folder, with the place of this index in it.
    pub(crate) folder: DataFolder,
    pub(crate) metadata: DatabaseFile,
    pub(crate) words: LexicalIndexes,
    pub(crate) pictures: PictureFolder,
}
