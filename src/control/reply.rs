//! What commands answer: one report for each, which the command line prints as JSON.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{AccountsReply, ServerStatus, StatusReport};
use crate::jobs::{
    ApplyReport, BackupReport, MeetingSyncReport, MeetingsReport, OptimizeReport, PendingReport,
    ReindexReport, RollbackReport, SpecSyncReport, SyncReport, TakeReport,
};
use contributions::ImportReport;
use domain::DocNumber;
use ingest::IngestReport;
use store::VerifyReport;
use table_export::WrittenTable;

/// What a command answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandReply {
    /// Report of an ingest run.
    Ingest(IngestReport),
    /// The document version that was removed.
    Remove(RemoveReport),
    /// The reply of an operation as JSON: it is shown to a person, not read by code.
    Call(Value),
    /// What the index has, and who serves it.
    Status(Box<StatusReport>),
    /// The server that has the data folder open; none without one.
    Server(Option<ServerStatus>),
    /// The data folder will be free soon; whether a command then goes on in the server that asked.
    HandOver(bool),
    /// What a command about accounts answered.
    Accounts(AccountsReply),
    /// Report of an import of registers.
    ImportRegisters(ImportReport),
    /// Report of an import of calendars, notes and reports.
    ImportMeetings(MeetingsReport),
    /// Report of a synchronisation of meeting documents.
    SyncTdocs(SyncReport),
    /// Report of a synchronisation of the list of meetings.
    SyncMeetings(MeetingSyncReport),
    /// Report of a synchronisation of specifications.
    SyncSpecs(SpecSyncReport),
    /// Report of the pending work that was processed.
    SyncPending(PendingReport),
    /// Report of a backup.
    Backup(BackupReport),
    /// Report of packs that were taken in.
    TakePacks(TakeReport),
    /// Report of a bundle that was applied.
    ApplyBundle(Box<ApplyReport>),
    /// Report of a way back.
    RollBackBundle(RollbackReport),
    /// Tables that were written.
    ExportTables(Vec<WrittenTable>),
    /// Report of a verification of the store.
    Verify(VerifyReport),
    /// Report of an optimization.
    Optimize(OptimizeReport),
    /// Report of a reindexing.
    Reindex(ReindexReport),
}

/// A document version that was removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoveReport {
    /// Always true: removing an absent version fails.
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
            Self::Status(report) => serde_json::to_value(report),
            Self::Server(server) => serde_json::to_value(server),
            Self::HandOver(goes_on) => serde_json::to_value(goes_on),
            Self::Accounts(reply) => reply.to_json(),
            Self::ImportRegisters(report) => serde_json::to_value(report),
            Self::ImportMeetings(report) => serde_json::to_value(report),
            Self::SyncTdocs(report) => serde_json::to_value(report),
            Self::SyncMeetings(report) => serde_json::to_value(report),
            Self::SyncSpecs(report) => serde_json::to_value(report),
            Self::SyncPending(report) => serde_json::to_value(report),
            Self::Backup(report) => serde_json::to_value(report),
            Self::TakePacks(report) => serde_json::to_value(report),
            Self::ApplyBundle(report) => serde_json::to_value(report),
            Self::RollBackBundle(report) => serde_json::to_value(report),
            Self::ExportTables(tables) => serde_json::to_value(tables),
            Self::Verify(report) => serde_json::to_value(report),
            Self::Optimize(report) => serde_json::to_value(report),
            Self::Reindex(report) => serde_json::to_value(report),
        }
    }

    /// Whether the command did everything it was asked to. An import that refused a file did not, even
    /// though it imported the others: the refused file was named, or looks like one to import.
    pub fn is_complete(&self) -> bool {
        match self {
            Self::Ingest(report) => {
                let ingested_nothing = report.taken.is_empty() && !report.refused.is_empty();
                !report.interrupted && report.failed.is_none() && !ingested_nothing
            }
            Self::Remove(_)
            | Self::Call(_)
            | Self::Status(_)
            | Self::Server(_)
            | Self::HandOver(_)
            | Self::Accounts(_)
            | Self::ExportTables(_)
            | Self::ApplyBundle(_)
            | Self::RollBackBundle(_) => true,
            Self::ImportRegisters(report) => report.refused.is_empty() && !report.interrupted,
            Self::ImportMeetings(report) => report.refused.is_empty() && !report.interrupted,
            Self::SyncTdocs(report) => report.refused.is_empty() && !report.interrupted,
            Self::SyncMeetings(report) => report.refused.is_empty(),
            Self::SyncSpecs(report) => report.refused.is_empty() && !report.interrupted,
            Self::SyncPending(report) => report.refused.is_empty() && !report.interrupted,
            Self::Backup(report) => report.export.faults.is_empty(),
            Self::TakePacks(report) => !report.import.interrupted,
            Self::Verify(report) => report.faults.is_empty(),
            Self::Optimize(report) => !report.interrupted,
            Self::Reindex(report) => report.switched && !report.interrupted,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::control::{AccountLink, AccountSummary, ControlEvent};
    use accounts::{AccountPlan, AccountRole};
    use contributions::RefusedRegister;

    /// The reply as the other side of the socket reads it.
    fn send_over_socket(reply: CommandReply) -> CommandReply {
        let line = serde_json::to_vec(&ControlEvent::Done { reply }).expect("JSON");
        match serde_json::from_slice(&line).expect("an event") {
            ControlEvent::Done { reply } => reply,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_reply_is_printed_alike_on_both_sides_of_the_socket() {
        let account = AccountSummary {
            id: 2,
            name: "ann".to_owned(),
            role: AccountRole::Member,
            plan: "unlimited".to_owned(),
            active: true,
            password_set: false,
            created_at: "2026-01-01T00:00:00Z".to_owned(),
        };
        let link = AccountLink {
            account,
            setup_url: "https://lab.example/setup?token=x".to_owned(),
            expires_at: "2026-01-02T00:00:00Z".to_owned(),
        };
        let plan = AccountPlan {
            name: "operator".to_owned(),
            requests_per_month: None,
            monthly_price_cents: 0,
            currency: "USD".to_owned(),
        };
        let removed = RemoveReport {
            removed: true,
            doc_number: "38.331".parse().expect("a number"),
            version: "18.1.0".to_owned(),
        };
        for (reply, printed) in [
            (
                CommandReply::Accounts(AccountsReply::AccountLink(link)),
                r#"{"id":2,"name":"ann","role":"member","plan":"unlimited","active":true,"password_set":false,"created_at":"2026-01-01T00:00:00Z","setup_url":"https://lab.example/setup?token=x","expires_at":"2026-01-02T00:00:00Z"}"#,
            ),
            (
                CommandReply::Accounts(AccountsReply::Plans(vec![plan])),
                r#"[{"name":"operator","requests_per_month":"unlimited","monthly_price_cents":0,"currency":"USD"}]"#,
            ),
            (
                CommandReply::Remove(removed),
                r#"{"removed":true,"doc_number":"38.331","version":"18.1.0"}"#,
            ),
            (CommandReply::Call(json!([1, {"b": null, "a": 0.5}])), r#"[1,{"b":null,"a":0.5}]"#),
            (
                CommandReply::Optimize(OptimizeReport { rows: 7, ..OptimizeReport::default() }),
                r#"{"merged":0,"rows":7,"segments":0,"interrupted":false,"seconds":0.0}"#,
            ),
        ] {
            assert_eq!(reply.to_json().expect("JSON").to_string(), printed);
            let received = send_over_socket(reply);
            assert_eq!(received.to_json().expect("JSON").to_string(), printed);
        }
    }

    #[test]
    fn a_command_that_left_something_undone_is_not_complete() {
        let refused =
            || vec![RefusedRegister { file: "x.xlsx".to_owned(), reason: "odd".to_owned() }];
        let complete = ReindexReport { switched: true, ..ReindexReport::default() };
        for (reply, is_complete) in [
            (CommandReply::Ingest(IngestReport::default()), true),
            (CommandReply::Ingest(IngestReport { interrupted: true, ..Default::default() }), false),
            (CommandReply::SyncMeetings(MeetingSyncReport::default()), true),
            (
                CommandReply::SyncMeetings(MeetingSyncReport {
                    refused: refused(),
                    ..MeetingSyncReport::default()
                }),
                false,
            ),
            (
                CommandReply::ImportRegisters(ImportReport {
                    refused: refused(),
                    ..ImportReport::default()
                }),
                false,
            ),
            (CommandReply::Verify(VerifyReport::default()), true),
            (
                CommandReply::Verify(VerifyReport {
                    faults: vec!["a checksum differs".to_owned()],
                    ..VerifyReport::default()
                }),
                false,
            ),
            (CommandReply::Reindex(complete.clone()), true),
            (CommandReply::Reindex(ReindexReport { switched: false, ..complete.clone() }), false),
            (CommandReply::Reindex(ReindexReport { interrupted: true, ..complete }), false),
        ] {
            assert_eq!(reply.is_complete(), is_complete, "{reply:?}");
        }
    }
}
