//! Rows of jobs on meeting documents (TDocs) that must survive a restart.

use serde::{Deserialize, Serialize};

use domain::TdocId;

/// What a job does with a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TdocJobKind {
    /// Its file is to be fetched and read.
    Fetch,
    /// Its file is to be read again by the full pipeline.
    Convert,
}

/// A job on a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TdocJobRow {
    /// The document.
    pub id: TdocId,
    /// What is to be done.
    pub kind: TdocJobKind,
    /// When it was queued, RFC 3339 in UTC.
    pub queued_at: String,
    /// How often it was tried.
    pub tries: u32,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
}
