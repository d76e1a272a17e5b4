//! Dispatches the subcommands of `eval`.

use anyhow::Result;

use super::{
    arguments::{EvalArgs, EvalCommand},
    ask, collect, convert, corpus, figures, score,
};
use crate::cli::arguments::GlobalArgs;

/// Runs `eval`, or the subcommand that is given.
pub(in crate::cli) fn run_eval(global: &GlobalArgs, args: EvalArgs) -> Result<()> {
    match args.command {
        None => ask::ask_questions(global, &args.ask),
        Some(EvalCommand::Convert { sources, out, all }) => {
            convert::write_converted(global, &sources, &out, all)
        }
        Some(EvalCommand::Collect { out }) => collect::write_written_questions(global, &out),
        Some(EvalCommand::Score { files, report }) => score::score_runs(&files, &report),
        Some(EvalCommand::Figures { folder, json }) => {
            figures::evaluate_figures(global, &folder, json)
        }
        Some(EvalCommand::Corpus { out, vectors }) => {
            corpus::export_corpus(global, &out, vectors.as_deref())
        }
    }
}
