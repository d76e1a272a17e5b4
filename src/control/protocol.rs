//! The messages of the control socket: a request, and the events that answer it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{AccountsCommand, CommandReply};
use domain::MeetingId;
use ingest::{IngestEvent, IngestOptions};

/// Longest line of either side: a reply with the text of many sections is long.
pub(super) const MAX_LINE_BYTES: u64 = 256 << 20;

/// A command.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "command")]
pub enum ControlRequest {
    /// Take files in.
    Ingest(IngestOptions),
    /// Take a document version out.
    Remove {
        /// Document number.
        doc_number: String,
        /// Version.
        version: String,
    },
    /// Run an operation of the contract.
    Call {
        /// Its name.
        operation: String,
        /// Its parameters, as given.
        arguments: Value,
    },
    /// Something about accounts, keys or plans.
    Accounts(AccountsCommand),
    /// Take registers of meeting documents in.
    ImportRegisters {
        /// Files and folders, absolute.
        paths: Vec<PathBuf>,
        /// The meeting of the one register there is, where its file does not say it.
        meeting: Option<MeetingId>,
    },
    /// Take calendars, notes and reports of meetings in.
    ImportMeetings {
        /// Files, absolute.
        paths: Vec<PathBuf>,
        /// The meeting of notes whose file does not say it.
        meeting: Option<MeetingId>,
    },
    /// Fetch and read the documents of meetings.
    SyncTdocs {
        /// Meetings.
        meetings: Vec<MeetingId>,
        /// Groups, by code or name, whose known meetings are synchronized too.
        groups: Vec<String>,
    },
    /// Note the meetings that the mirror has.
    SyncMeetings {
        /// Groups; all when empty.
        groups: Vec<String>,
    },
    /// Do the work that waits.
    SyncPending,
    /// Check everything that is stored.
    Verify,
    /// Put all vectors into one file with a graph.
    Optimize,
    /// Make the vectors anew with another model.
    Reindex {
        /// Its name.
        model: String,
    },
}

/// A part of the answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "is")]
pub enum ControlEvent {
    /// Something happened in a run.
    Ingest(IngestEvent),
    /// A count of things done, for a progress bar.
    Step {
        /// Done so far.
        done: usize,
        /// In all.
        total: usize,
        /// What is counted, such as `documents`.
        unit: String,
    },
    /// The end: what the command answers.
    Done {
        /// The answer.
        reply: CommandReply,
    },
    /// The end: the operation refused; the body an HTTP client would get.
    Refused {
        /// `{"detail": ...}`.
        body: Value,
    },
    /// The end: the command failed.
    Failed {
        /// A sentence for a person.
        message: String,
    },
}

impl ControlEvent {
    /// Whether nothing follows.
    pub fn is_last(&self) -> bool {
        match self {
            Self::Ingest(_) | Self::Step { .. } => false,
            Self::Done { .. } | Self::Refused { .. } | Self::Failed { .. } => true,
        }
    }
}
