//! Where a depot keeps its files: by names such as `packs/1f/1f3a.pack`, with slashes between folders.

use std::{fmt, path::Path};

use crate::PackError;

/// Stores files by their names. A file that is written exists whole or not at all.
pub trait DepotStorage: fmt::Debug + Send + Sync {
    /// The bytes of a file; `None` if there is none. A file with more bytes than `limit` is an error.
    fn read(&self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, PackError>;

    /// How many bytes a file has; `None` if there is none.
    fn size(&self, name: &str) -> Result<Option<u64>, PackError>;

    /// Writes a file, replacing an earlier one.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), PackError>;

    /// The names of the files of a folder, without it, in their order; empty if the folder does not exist.
    fn list(&self, folder: &str) -> Result<Vec<String>, PackError>;

    /// Where it is, for people.
    fn location(&self) -> String;

    /// The folder on this machine that it is, if it is one.
    fn local_folder(&self) -> Option<&Path> {
        None
    }
}
