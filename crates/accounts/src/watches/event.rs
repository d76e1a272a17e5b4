//! Events: the results of a watch.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What an event reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum WatchEventKind {
    /// A new version of a specification, or what changed in it.
    Version,
    /// A change request.
    ChangeRequest,
    /// Another meeting document.
    Contribution,
    /// A decision of a meeting.
    Decision,
    /// The outcome of a meeting document.
    Outcome,
}

/// Where an event leads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum EventTarget {
    /// A document version.
    Document {
        /// The number of the document.
        doc_number: String,
        /// The version.
        version: String,
    },
    /// Two versions compared.
    Comparison {
        /// The number of the document.
        doc_number: String,
        /// The old version.
        from: String,
        /// The new version.
        to: String,
        /// The section; the whole document if `None`.
        section: Option<String>,
    },
    /// What a change request changes.
    ChangeRequest {
        /// The number of its document.
        tdoc_id: String,
    },
    /// A meeting document.
    Tdoc {
        /// Its number.
        tdoc_id: String,
    },
    /// A decision.
    Decision {
        /// The meeting.
        meeting_id: String,
        /// The decision.
        decision_id: String,
    },
}

/// An event to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWatchEvent {
    /// The watch.
    pub watch: u64,
    /// Its account.
    pub account: u32,
    /// What it reports.
    pub kind: WatchEventKind,
    /// Its headline.
    pub title: String,
    /// What happened, in a sentence or a few.
    pub text: String,
    /// Where it leads.
    pub target: EventTarget,
    /// Its keys: if the first is already known for the watch, the event came before. The others become known with it.
    pub keys: Vec<String>,
}

/// An event as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredEvent {
    /// The watch.
    pub watch: u64,
    /// What it reports.
    pub kind: WatchEventKind,
    /// Its headline.
    pub title: String,
    /// What happened.
    pub text: String,
    /// Where it leads.
    pub target: EventTarget,
    /// When it was found, RFC 3339 in UTC.
    pub created_at: String,
}

/// An event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchEvent {
    /// Its number; later ones are higher.
    pub id: u64,
    /// What is stored of it.
    pub stored: StoredEvent,
}

/// A key as a short hash.
pub(super) fn key_of(key: &str) -> u128 {
    let hash: [u8; 32] = Sha256::digest(key.as_bytes()).into();
    let (half, _) = hash.split_first_chunk::<16>().expect("32 bytes");
    u128::from_be_bytes(*half)
}
