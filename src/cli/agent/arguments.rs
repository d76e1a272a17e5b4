//! Arguments of `specbox mcp`.

use clap::Args;

/// Arguments of `mcp`.
#[derive(Debug, Args)]
pub(in crate::cli) struct McpArgs {}
