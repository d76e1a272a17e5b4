//! From arguments to the command, and from its end to an exit code.

use std::{
    fs,
    io::{self, IsTerminal},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Context, Result};
use clap::{CommandFactory, FromArgMatches};
use serde_json::Value;

use super::{
    arguments::{Cli, Command, Global, IngestArgs, KeyCommand},
    call, demo, models,
    output::print_json,
    serve,
    session::{self, Outcome},
};
use crate::{control::Request, extract, ingest::Report, service::IngestRequest};

/// Runs the program. Exit codes: 0 done, 1 failed, 2 not understood.
pub fn main() -> ExitCode {
    let mut command = Cli::command().mut_subcommand("call", call::with_operations);
    let matches = command.get_matches_mut();
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    if let Command::Worker = cli.command {
        let served = extract::worker::serve_stdin();
        return if served.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    start_logging(&cli.global);
    let called = matches.subcommand_matches("call").and_then(call::read);
    match run(cli, called, &mut command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("specbox: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli, called: Option<(String, Value)>, command: &mut clap::Command) -> Result<ExitCode> {
    let global = &cli.global;
    match cli.command {
        Command::Ingest(args) => return ingest(global, args),
        Command::Serve(args) => serve::run(global, &args, |_| Ok(()), serve::announce)?,
        Command::Demo(args) => demo::run(global, &args)?,
        Command::Models(models_command) => models::run(global, models_command)?,
        Command::Completions { shell } => {
            clap_complete::generate(shell, command, "specbox", &mut io::stdout());
        }
        Command::Worker => {}
        Command::Call => {
            let (operation, arguments) = called.context("no operation is named")?;
            return print_outcome(session::execute(
                global,
                Request::Call { operation, arguments },
            )?);
        }
        Command::Remove { doc_number, version } => {
            return print_outcome(session::execute(
                global,
                Request::Remove { doc_number, version },
            )?);
        }
        Command::Key(key) => {
            let request = match key {
                KeyCommand::Create { name } => Request::KeyCreate { name },
                KeyCommand::List => Request::KeyList,
                KeyCommand::Deactivate { id } => Request::KeyDeactivate { id },
            };
            return print_outcome(session::execute(global, request)?);
        }
        Command::Verify => return verify(global),
    }
    Ok(ExitCode::SUCCESS)
}

fn print_outcome(outcome: Outcome) -> Result<ExitCode> {
    let (value, code) = match outcome {
        Outcome::Done(value) => (value, ExitCode::SUCCESS),
        Outcome::Refused(body) => (body, ExitCode::FAILURE),
    };
    print_json(&value)?;
    Ok(code)
}

fn ingest(global: &Global, args: IngestArgs) -> Result<ExitCode> {
    let paths = args.paths.iter().map(absolute).collect::<Result<_>>()?;
    let request = Request::Ingest(IngestRequest {
        paths,
        no_vectors: args.no_vectors,
        drafts: args.drafts,
        force: args.force,
        dry_run: args.dry_run,
    });
    let outcome = session::execute(global, request)?;
    if let (Outcome::Done(report), Some(path)) = (&outcome, &args.report) {
        fs::write(path, serde_json::to_string_pretty(report)?)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let Outcome::Done(value) = &outcome else { return print_outcome(outcome) };
    let report: Report = serde_json::from_value(value.clone())?;
    eprintln!("{}", report.summary());
    // On a terminal the lines above have said it all; a script gets the whole report.
    if !io::stdout().is_terminal() {
        print_json(value)?;
    }
    Ok(if report.interrupted { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The process that holds the folder may stand in another one.
fn absolute(path: &PathBuf) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("cannot resolve {}", path.display()))
}

fn verify(global: &Global) -> Result<ExitCode> {
    let outcome = session::execute(global, Request::Verify)?;
    let sound = match &outcome {
        Outcome::Done(report) => report["faults"].as_array().is_some_and(Vec::is_empty),
        Outcome::Refused(_) => false,
    };
    let printed = print_outcome(outcome)?;
    Ok(if sound { printed } else { ExitCode::FAILURE })
}

fn start_logging(global: &Global) {
    let filter = tracing_subscriber::EnvFilter::try_new(&global.log)
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).init();
}
