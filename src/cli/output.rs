//! Prints results on standard output.

use std::io::{self, Write};

use anyhow::Result;
use serde::Serialize;

/// Prints JSON on standard output. A closed pipe is not reported.
pub fn print_json<T: Serialize>(value: &T) -> Result<()> {
    print_text(&(serde_json::to_string_pretty(value)? + "\n"))
}

/// Prints text on standard output. A closed pipe is not reported.
pub fn print_text(text: &str) -> Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
