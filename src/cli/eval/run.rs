//! Which of its commands `eval` is.

use anyhow::{Context, Result};

use super::{
    arguments::{EvalArgs, EvalCommand},
    ask, convert, corpus, figures, score,
};
use crate::{
    cli::{arguments::GlobalArgs, configuration, session},
    service::Service,
};
use store::StoreError;

/// Carries `eval` out.
pub(in crate::cli) fn run_eval(global: &GlobalArgs, args: EvalArgs) -> Result<()> {
    match args.command {
        None => ask::ask_questions(global, &args.ask),
        Some(EvalCommand::Convert { sources, out, all }) => {
            convert::write_converted(global, &sources, &out, all)
        }
        Some(EvalCommand::Score { files, report }) => score::score_runs(&files, &report),
        Some(EvalCommand::Figures { folder, json }) => {
            figures::evaluate_figures(global, &folder, json)
        }
        Some(EvalCommand::Corpus { out, vectors }) => {
            corpus::export_corpus(global, &out, vectors.as_deref())
        }
    }
}

/// The service over the data folder, which no other process may hold: times would not be those of
/// the search alone.
pub(super) fn open_locked_service(global: &GlobalArgs) -> Result<std::sync::Arc<Service>> {
    let folder = configuration::data_folder(global)?;
    folder.create_folders()?;
    let lock = match folder.acquire_lock() {
        Err(error @ StoreError::Held { .. }) => {
            return Err(error).context("stop the server or wait for the ingest, then run eval");
        }
        other => other?,
    };
    session::open_service(&folder, lock, global)
}
