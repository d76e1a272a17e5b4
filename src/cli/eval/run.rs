//! Which of its commands `eval` is.

use anyhow::{Context, Result};

use super::{
    arguments::{EvalArgs, EvalCommand},
    ask, convert, corpus, figures, score,
};
use crate::{
    cli::{arguments::Global, configuration, session},
    service::Service,
};
use store::StoreError;

/// Carries `eval` out.
pub(in crate::cli) fn run(global: &Global, args: EvalArgs) -> Result<()> {
    match args.command {
        None => ask::run(global, &args.ask),
        Some(EvalCommand::Convert { sources, out, all }) => {
            convert::run(global, &sources, &out, all)
        }
        Some(EvalCommand::Score { files, report }) => score::run(&files, &report),
        Some(EvalCommand::Figures { folder, json }) => figures::run(global, &folder, json),
        Some(EvalCommand::Corpus { out, vectors }) => corpus::run(global, &out, vectors.as_deref()),
    }
}

/// The service over the data folder, which no other process may hold: times would not be those of
/// the search alone.
pub(super) fn open(global: &Global) -> Result<std::sync::Arc<Service>> {
    let folder = configuration::data_folder(global)?;
    folder.create()?;
    let lock = match folder.lock() {
        Err(error @ StoreError::Held { .. }) => {
            return Err(error).context("stop the server or wait for the ingest, then run eval");
        }
        other => other?,
    };
    session::open_service(&folder, lock, global)
}
