//! The text of a section for people: paragraphs and lists wrapped, tables drawn, code unchanged.
//!
//! The text is that of `get_sections`: blocks separated by empty lines; a table is lines that begin with a bar; code
//! is between fences; list items are indented and begin with their labels; `[figure]` is where a picture was.

use super::{
    Screen,
    table::draw_table,
    wrap::{columns, wrap},
};
use crate::ui::{QueryHighlighter, parse_rows};

/// Blanks before code.
const CODE_INDENT: &str = "    ";
/// Lines are at least this long, however deep their indentation is.
const MIN_LINE: usize = 20;

/// Prints the text of sections.
pub(in crate::cli) struct SectionPrinter<'a> {
    screen: &'a Screen,
    words: Option<&'a QueryHighlighter>,
}

impl<'a> SectionPrinter<'a> {
    /// A printer that marks the words of a query, if there is one.
    pub(in crate::cli) fn new(screen: &'a Screen, words: Option<&'a QueryHighlighter>) -> Self {
        Self { screen, words }
    }

    /// The text, with line breaks at the ends of all lines.
    pub(in crate::cli) fn print(&self, text: &str) -> String {
        let mut out = String::new();
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            if line.starts_with("```") {
                let code: Vec<&str> = lines.by_ref().take_while(|next| *next != line).collect();
                code.iter().for_each(|code| out.push_str(&self.print_code(code)));
            } else if line.starts_with('|') {
                let mut rows = line.to_owned();
                while let Some(row) = lines.next_if(|next| next.starts_with('|')) {
                    rows.push('\n');
                    rows.push_str(row);
                }
                let paint = |text: &str| self.mark(text);
                let (width, palette) = (self.screen.width, self.screen.palette);
                out.push_str(&draw_table(&parse_rows(&rows), width, palette, &paint));
            } else {
                out.push_str(&self.print_line(line));
            }
        }
        out
    }

    fn mark(&self, text: &str) -> String {
        match self.words {
            Some(words) => self.screen.palette.highlight(text, words),
            None => text.to_owned(),
        }
    }

    fn print_code(&self, line: &str) -> String {
        let palette = self.screen.palette;
        let is_comment = line.trim_start().starts_with("--");
        let line = if is_comment { palette.dim(line) } else { self.mark(line) };
        format!("{}\n", format!("{CODE_INDENT}{line}").trim_end())
    }

    /// A line of running text, with the lines below it under its first word.
    fn print_line(&self, line: &str) -> String {
        let palette = self.screen.palette;
        let body = line.trim_start();
        if body.is_empty() {
            return "\n".to_owned();
        }
        if body == "[figure]" {
            return palette.dim("[picture]") + "\n";
        }
        let indent = " ".repeat(line.len() - body.len());
        let (label, body) = split_label(body);
        let hanging = match columns(label) {
            0 => indent.clone(),
            wide => format!("{indent}{}", " ".repeat(wide + 1)),
        };
        let width = self.screen.text_width().saturating_sub(columns(&hanging)).max(MIN_LINE);
        let is_caption = label.is_empty() && is_caption(body);
        let mut out = String::new();
        for (index, text) in wrap(body, width).iter().enumerate() {
            let text = if is_caption { palette.bold(text) } else { self.mark(text) };
            match index {
                0 if label.is_empty() => out.push_str(&format!("{indent}{text}\n")),
                0 => out.push_str(&format!("{indent}{} {text}\n", palette.yellow(label))),
                _ => out.push_str(&format!("{hanging}{text}\n")),
            }
        }
        out
    }
}

/// The label at the start of an item, a step or a note, and the text after it: `-`, `1>`, `a)`, `NOTE 1:`.
fn split_label(text: &str) -> (&str, &str) {
    let none = ("", text);
    if let Some((head, rest)) = text.split_once(':')
        && is_note(text)
    {
        return (&text[..=head.len()], rest.trim_start());
    }
    let Some((label, rest)) = text.split_once(' ') else { return none };
    let is_bullet = matches!(label, "-" | "\u{2013}" | "\u{2014}" | "\u{2022}" | "*");
    let is_step = label.len() <= 4 && label.ends_with(['>', ')']) && label.len() > 1;
    if is_bullet || is_step { (label, rest.trim_start()) } else { none }
}

/// Whether a paragraph is a note, an example or an editor's note with its label.
fn is_note(text: &str) -> bool {
    let head = text.split(':').next().unwrap_or_default();
    let is_short = head.len() <= 16 && head.len() < text.len();
    is_short && ["NOTE", "EXAMPLE", "Editor"].iter().any(|word| head.starts_with(word))
}

/// Whether a paragraph is the caption of a figure or table.
fn is_caption(text: &str) -> bool {
    let numbered =
        |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric()) && rest.contains(':');
    ["Figure ", "Table "].iter().any(|word| text.strip_prefix(word).is_some_and(numbered))
}

#[cfg(test)]
mod tests {
    use super::{super::Palette, *};

    fn print(text: &str, width: usize) -> String {
        let palette = Palette { is_coloured: false };
        SectionPrinter::new(&Screen { palette, width, is_terminal: false }, None).print(text)
    }

    #[test]
    fn lines_hang_under_their_first_word() {
        let text = "- one two three four five six seven eight\n  1> a\n\nNOTE 1:\tone two three four five six";
        let expected = "- one two three four five six\n  seven eight\n  1> a\n\nNOTE 1: one two three four\n        five six\n";
        assert_eq!(print(text, 30), expected);
    }

    #[test]
    fn tables_are_drawn_and_code_is_kept() {
        let text = "Table 1: T\n| A | B |\n|---|---|\n| x | y\\|z |\n\n```\nA ::= SEQUENCE {\n  b  INTEGER\n}\n```";
        let printed = print(text, 60);
        assert!(printed.contains("│ x │ y|z │\n"), "{printed}");
        assert!(printed.contains("\n    A ::= SEQUENCE {\n      b  INTEGER\n    }\n"), "{printed}");
        assert!(!printed.contains("```") && !printed.contains("---"), "{printed}");
    }
}
