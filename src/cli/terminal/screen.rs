//! Where results are printed: how wide it is, and whether it has colours.

use std::{
    env,
    io::{self, IsTerminal},
};

use clap::ColorChoice;

use super::Palette;

/// Columns of an output whose width is unknown.
const DEFAULT_WIDTH: usize = 100;
/// Lines of text are not longer than this, however wide the terminal is.
const MAX_TEXT_WIDTH: usize = 110;
/// Minimum width: a terminal without a size reports 0 columns.
const MIN_WIDTH: usize = 40;

/// The standard output, as text is laid out for it.
#[derive(Debug, Clone, Copy)]
pub(in crate::cli) struct Screen {
    /// Its colours.
    pub(in crate::cli) palette: Palette,
    /// Its columns.
    pub(in crate::cli) width: usize,
    /// Whether a person sees it.
    pub(in crate::cli) is_terminal: bool,
}

impl Screen {
    /// The standard output of this process.
    pub(in crate::cli) fn of_output(choice: ColorChoice) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let is_coloured = decides_for_colours(choice, is_terminal, |name| env::var(name).ok());
        let columns = is_terminal.then(terminal_size::terminal_size).flatten();
        let given = || env::var("COLUMNS").ok()?.parse().ok();
        let width = columns.map(|(width, _)| usize::from(width.0)).or_else(given);
        let width = width.unwrap_or(DEFAULT_WIDTH).max(MIN_WIDTH);
        Self { palette: Palette { is_coloured }, width, is_terminal }
    }

    /// Columns of running text, which is hard to read in long lines.
    pub(in crate::cli) fn text_width(&self) -> usize {
        self.width.min(MAX_TEXT_WIDTH)
    }
}

/// Whether output has colours: what was requested, otherwise what the environment says (`NO_COLOR`, `CLICOLOR`,
/// `CLICOLOR_FORCE`), otherwise whether a person sees it.
fn decides_for_colours(
    choice: ColorChoice,
    is_terminal: bool,
    variable: impl Fn(&str) -> Option<String>,
) -> bool {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    let is_zero = |name: &str| variable(name).is_some_and(|value| value == "0");
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if is_set("NO_COLOR") => false,
        ColorChoice::Auto if is_set("CLICOLOR_FORCE") && !is_zero("CLICOLOR_FORCE") => true,
        ColorChoice::Auto => {
            is_terminal
                && !is_zero("CLICOLOR")
                && variable("TERM").is_none_or(|term| term != "dumb")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_decides_unless_the_command_line_does() {
        let decide = |choice, is_terminal, set: &[(&str, &str)]| {
            decides_for_colours(choice, is_terminal, |name| {
                set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(decide(ColorChoice::Auto, true, &[]));
        assert!(!decide(ColorChoice::Auto, false, &[]));
        assert!(!decide(ColorChoice::Auto, true, &[("NO_COLOR", "1")]));
        assert!(decide(ColorChoice::Auto, true, &[("NO_COLOR", "")]));
        assert!(decide(ColorChoice::Always, false, &[("NO_COLOR", "1")]));
        assert!(!decide(ColorChoice::Never, true, &[]));
        assert!(!decide(ColorChoice::Auto, true, &[("CLICOLOR", "0")]));
        assert!(!decide(ColorChoice::Auto, true, &[("TERM", "dumb")]));
        assert!(decide(ColorChoice::Auto, false, &[("CLICOLOR_FORCE", "1")]));
    }
}
