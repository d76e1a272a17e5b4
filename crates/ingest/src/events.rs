//! The events of a run.

use serde::{Deserialize, Serialize};

use super::{IngestedDocument, RefusedFile, report::SkippedFile};

/// Something that happened in a run, or its progress.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum IngestEvent {
    /// Another command is changing the index; this one begins when that ends.
    Waiting,
    /// The files are counted; reading begins.
    Started {
        /// Sources to read.
        sources: usize,
        /// Their length in bytes.
        bytes: u64,
    },
    /// A document version was ingested.
    Taken(IngestedDocument),
    /// A file was skipped.
    Skipped(SkippedFile),
    /// A file could not be read.
    Refused(RefusedFile),
    /// How far the run is.
    Progress(IngestProgress),
    /// Everything is read and can be found by its words; vectors are being computed.
    Vectors {
        /// Texts that have vectors.
        done: usize,
        /// Texts in all.
        total: usize,
    },
    /// Everything is read; the pictures of figures are being embedded.
    Pictures {
        /// Pictures that are done.
        done: usize,
        /// Pictures in all.
        total: usize,
    },
    /// Everything is read; the graph of the vectors is being built.
    Graph {
        /// Rows that are done.
        done: usize,
        /// Rows in all.
        total: usize,
    },
}

/// How far a run is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct IngestProgress {
    /// Sources finished.
    pub sources_done: usize,
    /// Sources in all.
    pub sources: usize,
    /// Bytes that are done: of the sources finished, and the shares of those that are read or stored now.
    pub bytes_done: u64,
    /// Bytes in all.
    pub bytes: u64,
    /// The current document.
    pub current: String,
    /// Seconds since the start.
    pub elapsed_s: f64,
}
