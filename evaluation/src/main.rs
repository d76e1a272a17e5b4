//! `specbox-eval`: measures how well searches of an index find the right clause.
//!
//! Owns the arguments, the files, the rankings of single arms and the presentation of results. The metrics are those of the
//! crate `evaluation`; the index is opened by the library of the program.

#[path = "../../src/allocator.rs"]
mod allocator;
mod arguments;
mod arms;
mod ask;
mod collect;
mod comparisons;
mod convert;
mod corpus;
mod distinct_passages;
mod figures;
mod files;
mod npy;
mod report;
mod score;
mod table;
mod worst;
mod written_questions;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use specbox::cli::start_logging;

use arguments::{EvalCli, EvalCommand};

/// Exit codes: 0 success, 1 failure, 2 usage error.
fn main() -> ExitCode {
    let cli = EvalCli::parse();
    match start_logging(&cli.global).and_then(|()| run_command(cli)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("specbox-eval: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run_command(cli: EvalCli) -> Result<()> {
    let global = &cli.global;
    match cli.command {
        EvalCommand::Ask(args) => ask::ask_questions(global, &args),
        EvalCommand::Convert { sources, out, all } => {
            convert::write_converted(global, &sources, &out, all)
        }
        EvalCommand::Collect { out } => collect::write_written_questions(global, &out),
        EvalCommand::Score { files, report } => score::score_runs(&files, &report),
        EvalCommand::Figures { folder, json } => figures::evaluate_figures(global, &folder, json),
        EvalCommand::Corpus { out, vectors } => {
            corpus::export_corpus(global, &out, vectors.as_deref())
        }
    }
}
