//! Arguments of `specbox mcp`.

use clap::Args;

use crate::mcp::ToolProfile;

/// Arguments of `mcp`.
#[derive(Debug, Args)]
pub(in crate::cli) struct McpArgs {
    /// Tools to list: read (the few that most questions need, and one that finds the others), all, or groups separated by commas
    /// (specs, names, tdocs, meetings)
    #[arg(long, value_name = "LIST", default_value = "read", value_parser = check_tools)]
    pub(super) tools: String,
}

/// The text as it is, if it names tools: it is passed on to the process that holds the data folder.
fn check_tools(text: &str) -> Result<String, String> {
    text.parse::<ToolProfile>().map(|_| text.to_owned())
}
