//! What commands answer: one report for each, which the command line prints as JSON.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{AccountsReply, ServerStatus, StatusReport};
use crate::jobs::JobReport;
use domain::DocNumber;
use ingest::IngestReport;
use store::VerifyReport;
use wire::records::DiagnosisReason;

/// What a command answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandReply {
    /// Report of an ingest run; that of its second part may follow.
    Ingest(IngestReport),
    /// The reply of an operation as JSON: it is shown to a person, not read by code.
    Call {
        /// The reply.
        reply: Value,
        /// Why it is empty or thin.
        #[serde(default)]
        diagnosis: Vec<DiagnosisReason>,
    },
    /// The message that answers an agent.
    Agent(Value),
    /// What the index has, and who serves it.
    Status(Box<StatusReport>),
    /// The server that has the data folder open; none without one.
    Server(Option<ServerStatus>),
    /// The data folder will be free soon; whether a command then goes on in the server that asked.
    HandOver(bool),
    /// What a command about accounts answered.
    Accounts(AccountsReply),
    /// The report of any other command, which is only printed.
    Report {
        /// The report as JSON.
        report: Value,
        /// Whether the command did everything it was asked to.
        is_complete: bool,
    },
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

impl JobReport for RemoveReport {}

impl JobReport for VerifyReport {
    fn is_complete(&self) -> bool {
        self.faults.is_empty()
    }
}

impl CommandReply {
    /// The reply with a report that is only printed.
    pub(super) fn of_report(report: &impl JobReport) -> Result<Self, serde_json::Error> {
        let is_complete = report.is_complete();
        Ok(Self::Report { report: serde_json::to_value(report)?, is_complete })
    }

    /// The report alone, as people and their scripts get it.
    pub fn to_json(&self) -> Result<Value, serde_json::Error> {
        match self {
            Self::Ingest(report) => serde_json::to_value(report),
            Self::Call { reply, .. } | Self::Agent(reply) => Ok(reply.clone()),
            Self::Status(report) => serde_json::to_value(report),
            Self::Server(server) => serde_json::to_value(server),
            Self::HandOver(goes_on) => serde_json::to_value(goes_on),
            Self::Accounts(reply) => reply.to_json(),
            Self::Report { report, .. } => Ok(report.clone()),
        }
    }

    /// Whether the command did everything it was asked to.
    pub fn is_complete(&self) -> bool {
        match self {
            Self::Ingest(report) => report.is_complete(),
            Self::Report { is_complete, .. } => *is_complete,
            Self::Accounts(reply) => reply.is_complete(),
            Self::Call { .. }
            | Self::Agent(_)
            | Self::Status(_)
            | Self::Server(_)
            | Self::HandOver(_) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::control::{AccountLink, AccountSummary, ControlEvent};
    use crate::jobs::{MeetingSyncReport, OptimizeReport, ReindexReport};
    use accounts::{AccountPlan, AccountRole};
    use contributions::{ImportReport, RefusedRegister};

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
        let call = |reply| CommandReply::Call { reply, diagnosis: Vec::new() };
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
                CommandReply::of_report(&removed).expect("JSON"),
                r#"{"removed":true,"doc_number":"38.331","version":"18.1.0"}"#,
            ),
            (call(json!([1, {"b": null, "a": 0.5}])), r#"[1,{"b":null,"a":0.5}]"#),
            (
                CommandReply::of_report(&OptimizeReport { rows: 7, ..OptimizeReport::default() })
                    .expect("JSON"),
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
        let switched = ReindexReport { switched: true, ..ReindexReport::default() };
        let not_switched = ReindexReport { switched: false, ..switched.clone() };
        let interrupted = ReindexReport { interrupted: true, ..switched.clone() };
        let stopped = IngestReport { interrupted: true, ..IngestReport::default() };
        let refused_meetings =
            MeetingSyncReport { refused: refused(), ..MeetingSyncReport::default() };
        let refused_register = ImportReport { refused: refused(), ..ImportReport::default() };
        let faults = vec!["a checksum differs".to_owned()];
        let faulty = VerifyReport { faults, ..VerifyReport::default() };
        let of = |report: Result<CommandReply, _>| report.expect("JSON");
        for (reply, is_complete) in [
            (CommandReply::Ingest(IngestReport::default()), true),
            (CommandReply::Ingest(stopped), false),
            (of(CommandReply::of_report(&MeetingSyncReport::default())), true),
            (of(CommandReply::of_report(&refused_meetings)), false),
            (of(CommandReply::of_report(&refused_register)), false),
            (of(CommandReply::of_report(&VerifyReport::default())), true),
            (of(CommandReply::of_report(&faulty)), false),
            (of(CommandReply::of_report(&switched)), true),
            (of(CommandReply::of_report(&not_switched)), false),
            (of(CommandReply::of_report(&interrupted)), false),
        ] {
            assert_eq!(send_over_socket(reply.clone()).is_complete(), is_complete, "{reply:?}");
        }
    }
}
