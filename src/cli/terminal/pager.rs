//! Shows text page by page on a terminal.

use std::{
    env,
    io::Write,
    process::{Command, Stdio},
};

use anyhow::Result;

use super::Screen;
use crate::cli::{
    output::print_text,
    session::{StopManner, set_stop_manner},
};

/// The pager if `PAGER` names none: it ends by itself if the text fits on the screen, shows colours, and leaves the
/// text there.
const DEFAULT_PAGER: &str = "less -FRX";

/// Shows a text: through a pager on a terminal, unchanged elsewhere.
pub(in crate::cli) fn show(screen: &Screen, text: &str) -> Result<()> {
    let text = &without_c1_codes(text);
    if !screen.is_terminal {
        return print_text(text);
    }
    let pager = env::var("PAGER").ok().filter(|pager| !pager.trim().is_empty());
    let pager = pager.unwrap_or_else(|| DEFAULT_PAGER.to_owned());
    let mut words = pager.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("less"));
    if env::var_os("LESS").is_none() {
        // `less` alone would show colours as codes.
        command.env("LESS", "FRX");
    }
    match command.args(words).stdin(Stdio::piped()).spawn() {
        Ok(mut child) => {
            // Ctrl-C is for the pager, which does not end because of it.
            set_stop_manner(StopManner::Ignored);
            // A reader who quits the pager has seen enough.
            drop(child.stdin.take().map(|mut input| input.write_all(text.as_bytes())));
            child.wait()?;
            Ok(())
        }
        Err(_) => print_text(text),
    }
}

/// A text without the control codes that some terminals treat as ESC and a letter: documents are written by others.
fn without_c1_codes(text: &str) -> String {
    text.replace(|c| matches!(c, '\u{80}'..='\u{9f}'), "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_a_document_do_not_reach_the_terminal() {
        assert_eq!(without_c1_codes("a\u{9b}31mb\u{85}\u{e9}\u{a0}"), "a31mb\u{e9}\u{a0}");
    }
}
