//! How a command ends: what it prints, and its exit code.

use std::{path::PathBuf, process::ExitCode};

use anyhow::{Context, Result};

use serde::Serialize;

use super::{
    arguments::GlobalArgs,
    output::{print_json, print_text},
    session::{self, CommandOutcome},
    terminal::{Screen, print_report},
};
use crate::control::{CommandReply, ControlRequest};

/// Executes a command and prints its outcome.
pub(super) fn execute_and_print(global: &GlobalArgs, request: ControlRequest) -> Result<ExitCode> {
    print_outcome(global, &session::execute_request(global, request)?)
}

/// Prints the outcome of a command: the report as text on a terminal, as JSON elsewhere, and always as JSON if an
/// operation of the API was called. A command that did not do everything that was requested has failed.
pub(super) fn print_outcome(global: &GlobalArgs, outcome: &CommandOutcome) -> Result<ExitCode> {
    match outcome {
        CommandOutcome::Done(reply) => {
            match reply {
                CommandReply::Call { reply, diagnosis } => {
                    print_json(reply)?;
                    // Scripts read the reply; people also see why it is empty.
                    diagnosis.iter().for_each(|reason| eprintln!("specbox: {}", reason.message));
                }
                reply => print_result(global, &reply.to_json()?)?,
            }
            Ok(exit_code(reply.is_complete()))
        }
        CommandOutcome::Refused(body) => {
            print_json(body)?;
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Prints what a command reports: text on a terminal, JSON elsewhere.
pub(super) fn print_result(global: &GlobalArgs, report: &impl Serialize) -> Result<()> {
    let screen = Screen::of_output(global.color);
    if screen.is_terminal {
        print_text(&print_report(&serde_json::to_value(report)?, &screen))
    } else {
        print_json(report)
    }
}

/// 0 for a command that did everything that was requested; 130 for one that Ctrl-C stopped, as in shells; otherwise
/// 1.
pub(super) fn exit_code(is_complete: bool) -> ExitCode {
    if is_complete {
        ExitCode::SUCCESS
    } else if session::was_interrupted() {
        ExitCode::from(session::INTERRUPTED_EXIT_CODE)
    } else {
        ExitCode::FAILURE
    }
}

/// A depot as people name it: an address of object storage unchanged, a folder as an absolute path.
pub(super) fn depot_location(given: &str) -> Result<String> {
    if object_storage::is_address(given) {
        return Ok(given.to_owned());
    }
    let path = absolute_path(&PathBuf::from(given))?;
    path.into_os_string().into_string().ok().context("the folder name is not valid UTF-8")
}

/// Makes a path absolute: the process that holds the data folder may have another working directory.
pub(super) fn absolute_path(path: &PathBuf) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("cannot resolve {}", path.display()))
}
