//! The messages of the control socket: a request, and the events that answer it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{AccountsCommand, AgentRequest, CommandReply};
use crate::jobs::{ApplyOptions, BackupOptions, SpecSyncOptions, TakeOptions};
use domain::MeetingId;
use ingest::{IngestEvent, IngestOptions};

/// Longest line that either side accepts: a reply with the text of many sections is long.
pub(super) const MAX_LINE_BYTES: u64 = 256 << 20;

/// The line of a client: a command, and the token of the socket.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ControlLine<R> {
    /// What the file beside the socket says.
    pub(super) token: String,
    /// The command.
    pub(super) request: R,
}

/// A command.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "command")]
pub enum ControlRequest {
    /// Ingest files.
    Ingest(IngestOptions),
    /// Remove a document version.
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
    /// Answer a request of an agent.
    Agent(AgentRequest),
    /// Tell what the index has, and who serves it.
    Status,
    /// Tell the URL of the server.
    Server,
    /// Free the data folder for the server that asks; a command that can be resumed is, in that server.
    HandOver,
    /// Manage accounts, keys or plans.
    Accounts(AccountsCommand),
    /// Import registers of meeting documents.
    ImportRegisters {
        /// Files and folders, absolute.
        paths: Vec<PathBuf>,
        /// The meeting of a single register whose file does not name it.
        meeting: Option<MeetingId>,
    },
    /// Import calendars, notes and reports of meetings.
    ImportMeetings {
        /// Files, absolute.
        paths: Vec<PathBuf>,
        /// The meeting of notes whose file does not name it.
        meeting: Option<MeetingId>,
    },
    /// Fetch and read the documents of meetings.
    SyncTdocs {
        /// Meetings.
        meetings: Vec<MeetingId>,
        /// Groups, by code or name, whose known meetings are synchronised too.
        groups: Vec<String>,
    },
    /// Record the meetings that the mirror has.
    SyncMeetings {
        /// Groups; all when empty.
        groups: Vec<String>,
    },
    /// Fetch new versions of specifications.
    SyncSpecs(SpecSyncOptions),
    /// Process the pending work.
    SyncPending,
    /// Back the index up.
    Backup(BackupOptions),
    /// Import packs.
    TakePacks(TakeOptions),
    /// Bring the index to a bundle.
    ApplyBundle(ApplyOptions),
    /// Go back to the index before the last bundle.
    RollBackBundle {
        /// Whether what was stored since may be lost.
        discard_changes: bool,
    },
    /// Write the index as tables for other programs.
    ExportTables {
        /// The folder, absolute.
        folder: PathBuf,
    },
    /// Verify everything that is stored.
    Verify,
    /// Merge all vectors into one file with a graph.
    Optimize,
    /// Recompute the vectors with another model.
    Reindex {
        /// Its name.
        model: String,
    },
}

impl ControlRequest {
    /// Whether the command only asks: it can be repeated.
    pub(crate) fn only_asks(&self) -> bool {
        match self {
            Self::Call { operation, .. } => operation != "fetch_tdoc",
            Self::Agent(request) => request.only_asks(),
            Self::Accounts(command) => command.only_asks(),
            other => matches!(other, Self::Status | Self::Server),
        }
    }

    /// Whether the command can be cancelled, and goes on from there when it is repeated.
    pub(crate) fn can_be_resumed(&self) -> bool {
        match self {
            // With `force`, everything is taken again.
            Self::Ingest(options) => !options.rules.force,
            other => matches!(
                other,
                Self::SyncTdocs { .. }
                    | Self::SyncSpecs(_)
                    | Self::SyncPending
                    | Self::Reindex { .. }
            ),
        }
    }

    /// Whether it changes the index, which is not done in a replica.
    pub(super) fn changes_index(&self) -> bool {
        match self {
            Self::Call { .. }
            | Self::Agent(_)
            | Self::Status
            | Self::Server
            | Self::HandOver
            | Self::Accounts(_)
            | Self::Backup(_)
            | Self::ExportTables { .. }
            | Self::Verify
            | Self::Optimize => false,
            Self::Ingest(_)
            | Self::Remove { .. }
            | Self::ImportRegisters { .. }
            | Self::ImportMeetings { .. }
            | Self::SyncTdocs { .. }
            | Self::SyncMeetings { .. }
            | Self::SyncSpecs(_)
            | Self::SyncPending
            | Self::TakePacks(_)
            | Self::ApplyBundle(_)
            | Self::RollBackBundle { .. }
            | Self::Reindex { .. } => true,
        }
    }
}

impl ControlRequest {
    /// Whether it is of use in a data folder that is new.
    pub fn begins_index(&self) -> bool {
        match self {
            Self::Accounts(command) => command.creates_account_or_key(),
            Self::Remove { .. } | Self::RollBackBundle { .. } | Self::Reindex { .. } => false,
            other => other.changes_index(),
        }
    }
}

/// A part of the answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "is")]
pub enum ControlEvent {
    /// Progress of an ingest run.
    Ingest(IngestEvent),
    /// Progress in countable units, for a progress bar.
    Step {
        /// Done so far.
        done: usize,
        /// The total.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Fuzzing found that numbers changed in their last digits when they were read and written again.
    #[test]
    fn regression_numbers_survive_the_socket() {
        let long = "4".repeat(113);
        for number in [format!("{long}2"), "0.1".to_owned(), "-1.7976931348623157e308".to_owned()] {
            let line = format!("{{\"is\":\"refused\",\"body\":{{\"score\":{number}}}}}");
            let event: ControlEvent = serde_json::from_str(&line).expect("an event");
            let written = serde_json::to_string(&event).expect("an event");
            let again: ControlEvent = serde_json::from_str(&written).expect("an event");
            assert_eq!(serde_json::to_string(&again).expect("an event"), written, "{number}");
        }
    }
}
