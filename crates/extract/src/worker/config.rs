//! How workers are started and limited.

use std::{ffi::OsString, path::PathBuf};

use serde::{Deserialize, Serialize};

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
    /// Options besides our own readers.
    pub options: ExtractOptions,
    /// Folders and files the child may read; empty for all.
    pub readable: Vec<PathBuf>,
    /// How tokens are counted to cut texts into passages; `None` if they are not cut.
    pub passages: Option<TokenCounting>,
}

/// How the tokens of a text are counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum TokenCounting {
    /// By an estimate, if no model is installed.
    Estimated,
    /// With the vocabulary of a model: the text of its `tokenizer.json`.
    Vocabulary(String),
}

impl WorkerConfig {
    /// The same, with permission to read the targets of files that are symbolic links: Landlock checks the target.
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
