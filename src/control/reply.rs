//! What commands answer: one report for each, which the command line prints as JSON.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::AccountsReply;
use crate::jobs::{
    MeetingSyncReport, MeetingsReport, OptimizeReport, PendingReport, ReindexReport, SyncReport,
};
use contributions::ImportReport;
use domain::DocNumber;
use ingest::IngestReport;
use store::VerifyReport;

/// What a command answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandReply {
    /// How taking files in went.
    Ingest(IngestReport),
    /// The document version that was taken out.
    Remove(RemoveReport),
    /// What an operation answered, as a client gets it: it goes to a person, not to code.
    Call(Value),
    /// What a command about accounts answered.
    Accounts(AccountsReply),
    /// How taking registers in went.
    ImportRegisters(ImportReport),
    /// How taking calendars and notes in went.
    ImportMeetings(MeetingsReport),
    /// What became of the documents of meetings.
    SyncTdocs(SyncReport),
    /// What became of the list of meetings.
    SyncMeetings(MeetingSyncReport),
    /// What became of the work that waited.
    SyncPending(PendingReport),
    /// What a check of everything found.
    Verify(VerifyReport),
    /// How an optimization went.
    Optimize(OptimizeReport),
    /// How a reindexing went.
    Reindex(ReindexReport),
}

/// A document version that was taken out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoveReport {
    /// Always true: what is not there is refused.
    pub removed: bool,
    /// Document number.
    pub doc_number: DocNumber,
    /// Version.
    pub version: String,
}

impl CommandReply {
    /// The report alone, as people and their scripts get it.
    pub fn to_json(&self) -> Result<Value, serde_json::Error> {
        match self {
            Self::Ingest(report) => serde_json::to_value(report),
            Self::Remove(report) => serde_json::to_value(report),
            Self::Call(reply) => Ok(reply.clone()),
            Self::Accounts(reply) => reply.to_json(),
            Self::ImportRegisters(report) => serde_json::to_value(report),
            Self::ImportMeetings(report) => serde_json::to_value(report),
            Self::SyncTdocs(report) => serde_json::to_value(report),
            Self::SyncMeetings(report) => serde_json::to_value(report),
            Self::SyncPending(report) => serde_json::to_value(report),
            Self::Verify(report) => serde_json::to_value(report),
            Self::Optimize(report) => serde_json::to_value(report),
            Self::Reindex(report) => serde_json::to_value(report),
        }
    }

    /// Whether the command did everything that it was for. A file that an import refuses was named,
    /// or looks like one: its command fails, though the other files are taken in.
    pub fn is_complete(&self) -> bool {
        match self {
            Self::Ingest(report) => {
                let took_nothing = report.taken.is_empty() && !report.refused.is_empty();
                !report.interrupted && report.failed.is_none() && !took_nothing
            }
            Self::Remove(_) | Self::Call(_) | Self::Accounts(_) => true,
            Self::ImportRegisters(report) => report.refused.is_empty() && !report.interrupted,
            Self::ImportMeetings(report) => report.refused.is_empty() && !report.interrupted,
            Self::SyncTdocs(report) => report.refused.is_empty() && !report.interrupted,
            Self::SyncMeetings(report) => report.refused.is_empty(),
            Self::SyncPending(report) => report.refused.is_empty() && !report.interrupted,
            Self::Verify(report) => report.faults.is_empty(),
            Self::Optimize(report) => !report.interrupted,
            Self::Reindex(report) => report.switched && !report.interrupted,
        }
    }
}
