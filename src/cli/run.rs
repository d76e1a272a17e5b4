//! Parses the command line, dispatches the command, and maps its outcome to an exit code.

use std::{
    fs,
    io::{self, IsTerminal},
    path::Path,
    process::ExitCode,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use clap::{CommandFactory, FromArgMatches, parser::ValueSource};
use serde_json::Value;

use super::{
    agent,
    arguments::{Cli, CliCommand, GlobalArgs, IngestArgs},
    bundles, call, demo, differences, export,
    help::{first_steps, with_grouped_commands},
    import_arguments::{ExportCommand, MeetingsCommand, SyncCommand, TdocsCommand},
    listings,
    logging::start_filtered_logging,
    models,
    outcome::{absolute_path, execute_and_print, exit_code, print_outcome},
    output::{print_json, print_text},
    packs,
    progress::without_controls,
    questions, serve,
    session::{self, CommandOutcome, StopManner, set_stop_manner},
    try_notes, upgrade,
};
use crate::{
    control::{CommandReply, ControlRequest},
    jobs::SpecSyncOptions,
};
use extract::{TokenCount, TokenCounting};
use ingest::{IngestOptions, IngestRules};
use neural::TokenCounter;

/// Runs the program. Exit codes: 0 success, 1 failure, 2 usage error.
pub fn main() -> ExitCode {
    if std::env::args_os().len() == 1 {
        return end_with(print_text(first_steps()).map(|()| ExitCode::SUCCESS));
    }
    let command = Cli::command().mut_subcommand("call", call::with_operations);
    let mut command = with_grouped_commands(command);
    let matches = command.get_matches_mut();
    let mut cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    cli.global.is_folder_typed = matches.value_source("data_dir") == Some(ValueSource::CommandLine);
    if let CliCommand::Worker { role } = &cli.command {
        let result = extract::serve_stdin(role.as_deref(), &load_counter);
        return if result.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let called = matches.subcommand_matches("call").and_then(call::read_call);
    // The reply of a search says in a sentence that models are missing.
    let directives = match cli.command {
        CliCommand::Search(_) => "retrieval::passages=error,retrieval::passage_pool=error",
        _ => "",
    };
    let logging = start_filtered_logging(&cli.global, directives);
    end_with(logging.and_then(|()| run_command(cli, called, &mut command)))
}

/// What counts tokens in a worker.
fn load_counter(counting: TokenCounting) -> io::Result<Box<TokenCount<'static>>> {
    match counting {
        TokenCounting::Estimated => Ok(Box::new(neural::estimate_tokens)),
        TokenCounting::Vocabulary(json) => {
            let counter = TokenCounter::from_json(&json).map_err(io::Error::other)?;
            Ok(Box::new(move |text| counter.count_tokens(text)))
        }
    }
}

/// The exit code; an error is printed.
fn end_with(result: Result<ExitCode>) -> ExitCode {
    result.unwrap_or_else(|error| {
        eprintln!("specbox: {error:#}");
        ExitCode::FAILURE
    })
}

fn run_command(
    cli: Cli,
    called: Option<(String, Value)>,
    command: &mut clap::Command,
) -> Result<ExitCode> {
    let global = &cli.global;
    match cli.command {
        CliCommand::Search(args) => return questions::search_passages(global, args),
        CliCommand::Read(args) => return questions::read_clause(global, args),
        CliCommand::Toc(args) => return questions::show_contents(global, args),
        CliCommand::Figures(args) => return questions::find_figures(global, args),
        CliCommand::Decisions(args) => return questions::search_decisions(global, args),
        CliCommand::Status { documents, reading, json } => {
            return questions::show_status(global, documents, reading, json);
        }
        CliCommand::Ingest(args) => return run_ingest(global, args),
        CliCommand::Serve(args) => {
            serve::run_server(global, &args, |_| Ok(()), serve::announce_server)?
        }
        CliCommand::Demo(args) => demo::run_demo(global, &args)?,
        CliCommand::Models(models_command) => models::run_models_command(global, models_command)?,
        CliCommand::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, command, "specbox", &mut script);
            print_text(&String::from_utf8_lossy(&script))?;
        }
        CliCommand::Man { folder } => {
            fs::create_dir_all(&folder)
                .with_context(|| format!("cannot create {}", folder.display()))?;
            clap_mangen::generate_to(without_help(command.clone()), &folder)
                .with_context(|| format!("cannot write into {}", folder.display()))?;
        }
        CliCommand::Declarations => print_json(&call::describe_declarations())?,
        CliCommand::Worker { .. } => {}
        CliCommand::Call => {
            let (operation, arguments) =
                called.context("no operation named; specbox call --help lists them")?;
            set_stop_manner(StopManner::AtOnce);
            return execute_and_print(global, ControlRequest::Call { operation, arguments });
        }
        CliCommand::Mcp(args) => agent::serve_agent(global, &args)?,
        CliCommand::Compare(args) => return differences::compare(global, args),
        CliCommand::History(args) => return differences::history(global, args),
        CliCommand::Changes(args) => return differences::changes(global, args),
        CliCommand::Export(ExportCommand::Tables { out }) => {
            if out.to_str().is_some_and(object_storage::is_address) {
                bail!("tables are written to a folder; copy them to object storage from there");
            }
            let folder = absolute_path(&out)?;
            return execute_and_print(global, ControlRequest::ExportTables { folder });
        }
        CliCommand::Export(ExportCommand::Modules { doc_number, version, out }) => {
            return export::export_modules(global, doc_number, version, &out);
        }
        CliCommand::Tdocs(command) => return run_tdocs_command(global, command),
        CliCommand::Meetings(command) => return run_meetings_command(global, command),
        CliCommand::Sync(sync) => return run_sync(global, sync),
        CliCommand::Remove { doc_number, version } => {
            return execute_and_print(global, ControlRequest::Remove { doc_number, version });
        }
        CliCommand::User(command) => return listings::run_user_command(global, command),
        CliCommand::Key(command) => return listings::run_key_command(global, command),
        CliCommand::Plan(command) => return listings::run_plan_command(global, &command),
        CliCommand::Backup(args) => return packs::back_up(global, &args),
        CliCommand::Restore(args) => return packs::restore(global, &args),
        CliCommand::Bundle(command) => return bundles::run_bundle_command(global, command),
        CliCommand::Pack(command) => return packs::run_pack_command(global, command),
        CliCommand::Keys(command) => packs::run_keys_command(command)?,
        CliCommand::Upgrade { target } => return upgrade::upgrade(global, &target),
        CliCommand::Doctor { repair } => return upgrade::doctor(global, repair.as_ref()),
        CliCommand::Verify => return execute_and_print(global, ControlRequest::Verify),
        CliCommand::Optimize => return execute_and_print(global, ControlRequest::Optimize),
        CliCommand::Reindex { model } => return run_reindex(global, model),
    }
    Ok(ExitCode::SUCCESS)
}

/// Disables the `help` subcommands, which need no manual page.
fn without_help(command: clap::Command) -> clap::Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

/// Runs a command about TDocs.
fn run_tdocs_command(global: &GlobalArgs, command: TdocsCommand) -> Result<ExitCode> {
    match command {
        TdocsCommand::List(args) => questions::list_tdocs(global, *args),
        TdocsCommand::Show(args) => questions::show_tdoc(global, &args),
        TdocsCommand::Import { paths, meeting } => {
            let paths = paths.iter().map(absolute_path).collect::<Result<_>>()?;
            execute_and_print(global, ControlRequest::ImportRegisters { paths, meeting })
        }
    }
}

/// Runs a command about meetings.
fn run_meetings_command(global: &GlobalArgs, command: MeetingsCommand) -> Result<ExitCode> {
    match command {
        MeetingsCommand::Import { paths, meeting } => {
            let paths = paths.iter().map(absolute_path).collect::<Result<_>>()?;
            execute_and_print(global, ControlRequest::ImportMeetings { paths, meeting })
        }
        MeetingsCommand::Try(args) => try_notes::try_notes(global, &args),
    }
}

/// Fetches from the mirror.
fn run_sync(global: &GlobalArgs, sync: SyncCommand) -> Result<ExitCode> {
    let request = match sync {
        SyncCommand::Specs { series, number, release, newest, drafts, no_vectors, list, every } => {
            let (numbers, releases) = (number, release);
            let options = SpecSyncOptions {
                series,
                numbers,
                releases,
                newest,
                drafts,
                no_vectors,
                list_only: list,
            };
            return sync_specs(global, options, every);
        }
        SyncCommand::Tdocs { meeting, group } => {
            ControlRequest::SyncTdocs { meetings: meeting, groups: group }
        }
        SyncCommand::Meetings { group } => ControlRequest::SyncMeetings { groups: group },
        SyncCommand::Pending => ControlRequest::SyncPending,
    };
    execute_and_print(global, request)
}

/// Fetches new versions of specifications, once or until stopped.
fn sync_specs(
    global: &GlobalArgs,
    options: SpecSyncOptions,
    every_minutes: Option<u64>,
) -> Result<ExitCode> {
    loop {
        let code = execute_and_print(global, ControlRequest::SyncSpecs(options.clone()))?;
        let Some(minutes) = every_minutes else { return Ok(code) };
        if !session::wait_unless_stopped(Duration::from_secs(minutes.saturating_mul(60))) {
            return Ok(code);
        }
    }
}

fn run_ingest(global: &GlobalArgs, args: IngestArgs) -> Result<ExitCode> {
    let paths = args.paths.iter().map(absolute_path).collect::<Result<_>>()?;
    let request = ControlRequest::Ingest(IngestOptions {
        paths,
        no_vectors: args.no_vectors,
        dry_run: args.dry_run,
        rules: IngestRules { drafts: args.drafts, force: args.force, replace: args.replace },
    });
    if let Some(path) = &args.report {
        // A path that cannot be written fails now, not after hours of ingesting.
        write_report(path, "")?;
    }
    set_stop_manner(StopManner::WithinSecond);
    let outcome = session::execute_request(global, request)?;
    let CommandOutcome::Done(reply) = &outcome else { return print_outcome(global, &outcome) };
    let json = reply.to_json()?;
    if let Some(path) = &args.report {
        write_report(path, &serde_json::to_string_pretty(&json)?)?;
    }
    if let CommandReply::Ingest(report) = reply {
        eprintln!("{}", without_controls(&report.summary()));
    }
    // On a terminal the lines above are enough; a script gets the whole report.
    if !io::stdout().is_terminal() {
        print_json(&json)?;
    }
    Ok(exit_code(reply.is_complete()))
}

fn write_report(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn run_reindex(global: &GlobalArgs, model: String) -> Result<ExitCode> {
    let outcome = session::execute_request(global, ControlRequest::Reindex { model })?;
    let code = print_outcome(global, &outcome)?;
    if !matches!(&outcome, CommandOutcome::Done(reply) if reply.is_complete()) {
        eprintln!("not finished; run the same command again to resume");
    }
    Ok(code)
}
