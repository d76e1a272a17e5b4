//! From arguments to the command, and from its end to an exit code.

use std::{
    fs,
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result};
use clap::{CommandFactory, FromArgMatches};
use serde_json::Value;
use tracing_subscriber::EnvFilter;

use super::{
    arguments::{
        Cli, Command, Global, IngestArgs, LogFormat, MeetingsCommand, PlanCommand, SyncCommand,
        TdocsCommand,
    },
    call, demo, eval, figures, models,
    output::print_json,
    serve,
    session::{self, Outcome},
    users,
};
use crate::control::{AccountsCommand, Request};
use ingest::{IngestOptions, Report};

/// Runs the program. Exit codes: 0 done, 1 failed, 2 not understood.
pub fn main() -> ExitCode {
    let mut command = Cli::command().mut_subcommand("call", call::with_operations);
    let matches = command.get_matches_mut();
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    if let Command::Worker = cli.command {
        let served = extract::serve_stdin();
        return if served.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let called = matches.subcommand_matches("call").and_then(call::read);
    match start_logging(&cli.global).and_then(|()| run(cli, called, &mut command)) {
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
        Command::Man { folder } => {
            fs::create_dir_all(&folder)
                .with_context(|| format!("cannot create {}", folder.display()))?;
            clap_mangen::generate_to(without_help(command.clone()), &folder)
                .with_context(|| format!("cannot write into {}", folder.display()))?;
        }
        Command::Worker => {}
        Command::Call => {
            let (operation, arguments) = called.context("no operation is named")?;
            return print_outcome(session::execute(
                global,
                Request::Call { operation, arguments },
            )?);
        }
        Command::Tdocs(TdocsCommand::Import { paths, meeting }) => {
            let paths = paths.iter().map(absolute).collect::<Result<_>>()?;
            return import(global, Request::ImportRegisters { paths, meeting });
        }
        Command::Meetings(MeetingsCommand::Import { paths, meeting }) => {
            let paths = paths.iter().map(absolute).collect::<Result<_>>()?;
            return import(global, Request::ImportMeetings { paths, meeting });
        }
        Command::Sync(sync) => {
            let request = match sync {
                SyncCommand::Tdocs { meeting, group } => {
                    Request::SyncTdocs { meetings: meeting, groups: group }
                }
                SyncCommand::Meetings { group } => Request::SyncMeetings { groups: group },
                SyncCommand::Pending => Request::SyncPending,
            };
            return import(global, request);
        }
        Command::Remove { doc_number, version } => {
            return print_outcome(session::execute(
                global,
                Request::Remove { doc_number, version },
            )?);
        }
        Command::User(user) => return accounts(global, users::of_user(user)),
        Command::Key(key) => return accounts(global, users::of_key(key)),
        Command::Plan(PlanCommand::List) => return accounts(global, AccountsCommand::ListPlans),
        Command::Verify => return verify(global),
        Command::Optimize => return optimize(global),
        Command::Reindex { model } => return reindex(global, model),
        Command::Figures { paths, html } => figures::run(global, &paths, html.as_deref())?,
        Command::Eval(args) => eval::run(global, *args)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The commands without those that print help, which need no manual.
fn without_help(command: clap::Command) -> clap::Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

fn accounts(global: &Global, command: AccountsCommand) -> Result<ExitCode> {
    print_outcome(session::execute(global, Request::Accounts(command))?)
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
    let request = Request::Ingest(IngestOptions {
        paths,
        no_vectors: args.no_vectors,
        drafts: args.drafts,
        force: args.force,
        dry_run: args.dry_run,
    });
    if let Some(path) = &args.report {
        // Before the run, not after hours of it.
        write_report(path, "")?;
    }
    let outcome = session::execute(global, request)?;
    if let (Outcome::Done(report), Some(path)) = (&outcome, &args.report) {
        write_report(path, &serde_json::to_string_pretty(report)?)?;
    }
    let Outcome::Done(value) = &outcome else { return print_outcome(outcome) };
    let report: Report = serde_json::from_value(value.clone())?;
    eprintln!("{}", report.summary());
    // On a terminal the lines above have said it all; a script gets the whole report.
    if !io::stdout().is_terminal() {
        print_json(value)?;
    }
    let nothing_good = report.taken.is_empty() && !report.refused.is_empty();
    let whole = !report.interrupted && report.failed.is_none() && !nothing_good;
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Takes registers or calendars in. A file that is refused makes the command fail, for it was named or
/// looks like one; what else there was is taken in.
fn import(global: &Global, request: Request) -> Result<ExitCode> {
    let outcome = session::execute(global, request)?;
    let whole = match &outcome {
        Outcome::Done(report) => {
            let refused = report["refused"].as_array().is_some_and(|refused| !refused.is_empty());
            !refused && report["interrupted"] != true
        }
        Outcome::Refused(_) => false,
    };
    let printed = print_outcome(outcome)?;
    Ok(if whole { printed } else { ExitCode::FAILURE })
}

fn write_report(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
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

fn optimize(global: &Global) -> Result<ExitCode> {
    let outcome = session::execute(global, Request::Optimize)?;
    let stopped = match &outcome {
        Outcome::Done(report) => report["interrupted"] == true,
        Outcome::Refused(_) => true,
    };
    let printed = print_outcome(outcome)?;
    Ok(if stopped { ExitCode::FAILURE } else { printed })
}

fn reindex(global: &Global, model: String) -> Result<ExitCode> {
    let outcome = session::execute(global, Request::Reindex { model })?;
    let finished = match &outcome {
        Outcome::Done(report) => report["switched"] == true && report["interrupted"] == false,
        Outcome::Refused(_) => false,
    };
    let printed = print_outcome(outcome)?;
    if !finished {
        eprintln!("not finished; the same command goes on from here");
        return Ok(ExitCode::FAILURE);
    }
    Ok(printed)
}

fn start_logging(global: &Global) -> Result<()> {
    // The libraries' own lines would drown ours; a filter that names them still gets them.
    let quiet = "tantivy=warn,h2=warn,hyper=warn,rustls=warn,tokenizers=warn";
    // This one writes what is asked and answered: not for any level, but for who names it.
    let never = "rmcp=off";
    let filter = EnvFilter::try_new(format!("{quiet},{},{never}", global.log))
        .with_context(|| format!("--log {} is not a filter", global.log))?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    match global.log_format {
        LogFormat::Text => log.with_ansi(io::stderr().is_terminal()).init(),
        LogFormat::Json => log.json().flatten_event(true).with_span_list(false).init(),
    }
    Ok(())
}
