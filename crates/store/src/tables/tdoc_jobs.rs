//! Rows of work on meeting documents (TDocs) that must outlive the process.

use serde::{Deserialize, Serialize};

use domain::TdocId;

/// What is to be done with a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TdocJobKind {
    /// Its file is to be fetched and read.
    Fetch,
    /// Its file is to be read again by the full pipeline.
    Convert,
}

/// A piece of work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TdocJobRow {
    /// The document.
    pub id: TdocId,
    /// What is to be done.
    pub kind: TdocJobKind,
    /// When it was asked for, RFC 3339 in UTC.
    pub queued_at: String,
    /// How often it was tried.
    pub tries: u32,
    /// Why it did not work the last time.
    pub last_error: Option<String>,
}
