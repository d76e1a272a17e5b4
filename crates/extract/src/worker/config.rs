//! How workers are started and limited.

use std::{ffi::OsString, path::PathBuf};

use document::Limits;

use crate::extraction::ExtractOptions;

/// How a worker is started and limited.
#[derive(Debug, Clone)]
pub struct WorkerConfig {
    /// The program that calls [`serve_stdin`](super::serve_stdin).
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The limits of every request.
    pub limits: Limits,
    /// What may be used besides our own readers.
    pub options: ExtractOptions,
    /// Folders and files the child may read; empty for all.
    pub readable: Vec<PathBuf>,
}

impl WorkerConfig {
    /// The same, with leave to read the targets of those files that are symbolic links.
    #[must_use]
    pub fn with_readable_links<'a>(&self, files: impl Iterator<Item = &'a PathBuf>) -> Self {
        let mut config = self.clone();
        if !config.readable.is_empty() {
            let links = files.filter(|path| path.is_symlink());
            config.readable.extend(links.filter_map(|path| path.canonicalize().ok()));
        }
        config
    }
}
