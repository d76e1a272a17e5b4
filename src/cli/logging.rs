//! The log on standard error.

use std::io::{self, IsTerminal};

use anyhow::{Context, Result};
use tracing_subscriber::EnvFilter;

use super::arguments::{GlobalArgs, LogFormat};

/// Starts the log that the arguments describe.
pub fn start_logging(global: &GlobalArgs) -> Result<()> {
    start_filtered_logging(global, "")
}

/// The same, with further directives of the filter.
pub(super) fn start_filtered_logging(global: &GlobalArgs, directives: &str) -> Result<()> {
    // Lines of these libraries would drown ours; a filter that names them still gets them.
    let warnings_only = "tantivy=warn,h2=warn,hyper=warn,rustls=warn,tokenizers=warn";
    // rmcp logs whole requests and answers: it is off.
    let off = "rmcp=off";
    let filter = EnvFilter::try_new(format!("{warnings_only},{},{off},{directives}", global.log))
        .with_context(|| format!("--log {} is not a filter", global.log))?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    match global.log_format {
        LogFormat::Text => log.with_ansi(io::stderr().is_terminal()).init(),
        LogFormat::Json => log.json().flatten_event(true).with_span_list(false).init(),
    }
    log_panics();
    Ok(())
}

/// Panics become lines of the log, unless a developer wants to see where they come from.
fn log_panics() {
    if std::env::var_os("RUST_BACKTRACE").is_some() {
        return;
    }
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let cause = panic.payload_as_str().unwrap_or_default();
        tracing::error!(place, cause, "internal error");
    }));
}
