//! Colours of text on a terminal.

use crate::ui::QueryHighlighter;

const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const RED: &str = "\x1b[31m";
const GREEN: &str = "\x1b[32m";
const YELLOW: &str = "\x1b[33m";
const CYAN: &str = "\x1b[36m";
const MARK: &str = "\x1b[1;33m";
const PLAIN: &str = "\x1b[0m";

/// Paints text, or leaves it unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) struct Palette {
    /// Whether text is painted.
    pub(in crate::cli) is_coloured: bool,
}

impl Palette {
    fn paint(self, code: &str, text: &str) -> String {
        if self.is_coloured && !text.is_empty() {
            format!("{code}{text}{PLAIN}")
        } else {
            text.to_owned()
        }
    }

    /// A heading.
    pub(in crate::cli) fn bold(self, text: &str) -> String {
        self.paint(BOLD, text)
    }

    /// What is read last.
    pub(in crate::cli) fn dim(self, text: &str) -> String {
        self.paint(DIM, text)
    }

    /// A number to copy: a document, clause or TDoc.
    pub(in crate::cli) fn number(self, text: &str) -> String {
        self.paint(CYAN, text)
    }

    /// Something that was inserted, or is in order.
    pub(in crate::cli) fn green(self, text: &str) -> String {
        self.paint(GREEN, text)
    }

    /// Something that was deleted, or is a fault.
    pub(in crate::cli) fn red(self, text: &str) -> String {
        self.paint(RED, text)
    }

    /// Something to note.
    pub(in crate::cli) fn yellow(self, text: &str) -> String {
        self.paint(YELLOW, text)
    }

    /// Text with the words of a query marked.
    pub(in crate::cli) fn highlight(self, text: &str, words: &QueryHighlighter) -> String {
        if !self.is_coloured {
            return text.to_owned();
        }
        let (mut out, mut from) = (String::new(), 0);
        for range in words.find_matches(text) {
            out.push_str(&text[from..range.start]);
            out.push_str(&self.paint(MARK, &text[range.clone()]));
            from = range.end;
        }
        out + &text[from..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_marked_in_colours_and_left_alone_without() {
        let words = QueryHighlighter::from_query("timer T310");
        let painted = Palette { is_coloured: true }.highlight("The timers T310 run", &words);
        assert_eq!(painted, format!("The {MARK}timers{PLAIN} {MARK}T310{PLAIN} run"));
        assert_eq!(Palette { is_coloured: false }.highlight("T310", &words), "T310");
        assert_eq!(Palette { is_coloured: false }.bold("x"), "x");
    }
}
