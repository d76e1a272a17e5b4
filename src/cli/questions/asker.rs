//! Runs operations for a command, and shows its output.

use std::process::ExitCode;

use anyhow::{Result, bail};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    cli::{
        arguments::GlobalArgs,
        data_folders::FolderNeed,
        output::print_json,
        refusals::OperationRefusal,
        session::{CommandOutcome, CommandSession, StopManner, set_stop_manner},
        terminal::{Screen, show},
    },
    control::{CommandReply, ControlRequest},
    service::Operation,
};

/// Runs operations over one data folder, for one command.
pub(in crate::cli) struct Asker {
    session: CommandSession,
    /// Where the answers are shown.
    pub(in crate::cli) screen: Screen,
}

impl Asker {
    /// Opens the data folder, which must have an index.
    pub(in crate::cli) fn open(global: &GlobalArgs) -> Result<Self> {
        set_stop_manner(StopManner::AtOnce);
        let session = CommandSession::open(global, FolderNeed::Index)?;
        Ok(Self { session, screen: Screen::of_output(global.color) })
    }

    /// The reply of an operation as JSON.
    pub(in crate::cli) fn ask_json<O: Operation + Serialize>(
        &self,
        parameters: &O,
    ) -> Result<Value> {
        let arguments = serde_json::to_value(parameters)?;
        let request = ControlRequest::Call { operation: O::NAME.to_owned(), arguments };
        Ok(self.execute(&request)?.to_json()?)
    }

    /// The reply of an operation.
    pub(in crate::cli) fn ask<O, R>(&self, parameters: &O) -> Result<R>
    where
        O: Operation + Serialize,
        R: DeserializeOwned,
    {
        Ok(serde_json::from_value(self.ask_json(parameters)?)?)
    }

    /// The reply of a command.
    pub(super) fn execute(&self, request: &ControlRequest) -> Result<CommandReply> {
        match self.session.execute(request)? {
            CommandOutcome::Done(reply) => Ok(reply),
            CommandOutcome::Refused(body) => bail!(OperationRefusal { body }),
        }
    }

    /// Prints the reply of an operation as JSON, even if it is a refusal.
    pub(in crate::cli) fn print_reply<O: Operation + Serialize>(
        &self,
        parameters: &O,
    ) -> Result<ExitCode> {
        match self.ask_json(parameters) {
            Ok(reply) => {
                print_json(&reply)?;
                Ok(ExitCode::SUCCESS)
            }
            Err(error) => match error.downcast::<OperationRefusal>() {
                Ok(refusal) => {
                    print_json(&refusal.body)?;
                    Ok(ExitCode::FAILURE)
                }
                Err(error) => Err(error),
            },
        }
    }

    /// Shows a text, page by page on a terminal. The data folder is closed before: people may read for long.
    pub(in crate::cli) fn show(self, text: &str) -> Result<ExitCode> {
        let Self { session, screen } = self;
        drop(session);
        show(&screen, text)?;
        Ok(ExitCode::SUCCESS)
    }
}
