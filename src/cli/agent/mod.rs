//! `specbox mcp`: the Model Context Protocol over standard input and output, for an agent that starts this program.
//!
//! Lines are passed on to the process that holds the data folder, often this one, and its answers are written as they come.

mod arguments;
mod command;
mod folder_session;
mod lines;
mod workers;

pub(super) use arguments::McpArgs;
pub(super) use command::serve_agent;
