//! The words of a decision, paragraph by paragraph.

use word::{ParagraphPiece, PieceKind, TablePiece, remove_struck_text};

/// Maximum length of a quote in bytes, longer than any real decision. If the end of a decision is not recognised, its
/// quote would otherwise contain the rest of the file.
const MAX_BYTES: usize = 60_000;

/// Maximum distance between "following" and the name of what follows, in characters; farther on, the sentence is about
/// something else.
const FOLLOWS_WITHIN: usize = 30;

/// A quote that is being built.
#[derive(Debug, Default)]
pub(super) struct Quote {
    text: String,
    is_cut: bool,
    has_table: bool,
    /// Ordinal of its last paragraph.
    last: u32,
    /// Number of its bytes up to the end of the last paragraph that is not struck through.
    valid_bytes: usize,
    /// The ordinal of that paragraph.
    valid_last: u32,
}

impl Quote {
    /// A quote whose first words follow the marker.
    pub(super) fn new(first: &str, ordinal: u32) -> Self {
        let mut quote = Self { text: first.to_owned(), last: ordinal, ..Self::default() };
        quote.mark_valid(first);
        quote
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether its last words lead to something: a list, a table, an equation.
    pub(super) fn leads_on(&self) -> bool {
        let text = self.text.trim_end();
        text.ends_with([':', ',', '$', '='])
            || ["except", " and", " or"].iter().any(|word| text.ends_with(word))
    }

    /// Whether it ends with words that lead to something, which is then not in it: "The values are:".
    pub(super) fn ends_in_lead(&self) -> bool {
        let text = self.text.trim_end();
        let ends_rule = text.ends_with("==");
        text.ends_with([':', ','])
            || text.ends_with('=') && !ends_rule
            || ["except", " and", " or"].iter().any(|word| text.ends_with(word))
    }

    /// Whether it announces a text for a specification.
    pub(super) fn announces_text(&self) -> bool {
        let lower = self.text.to_lowercase();
        ["text proposal below", "tp below", "tps below", "changes below"]
            .iter()
            .any(|words| lower.contains(words))
            || self.announces_any(&["text proposal", "tp ", "tps ", "change"])
    }

    /// Whether it announces a table that has not come yet.
    pub(super) fn awaits_table(&self) -> bool {
        !self.has_table && self.announces_any(&["table"])
    }

    fn announces_any(&self, words: &[&str]) -> bool {
        let lower = self.text.to_lowercase();
        lower.split("following").skip(1).any(|rest| {
            let near: String = rest.chars().take(FOLLOWS_WITHIN).collect();
            words.iter().any(|word| near.contains(word))
        })
    }

    /// Its last line.
    pub(super) fn last_line(&self) -> &str {
        self.text.lines().last().unwrap_or_default()
    }

    /// Adds a paragraph with its bullet or number; items are indented by their depth.
    pub(super) fn push_paragraph(&mut self, line: &ParagraphPiece) {
        let depth = match line.kind {
            PieceKind::Item(depth) => usize::from(depth.clamp(1, 9)),
            _ => 0,
        };
        let indent = "  ".repeat(depth.saturating_sub(1));
        let mut lines = line.text.split('\n');
        let first = lines.next().unwrap_or_default();
        match line.label.as_deref() {
            Some(label) => self.push_text(&format!("{indent}{label} {first}")),
            None => self.push_text(&format!("{indent}{first}")),
        }
        // The lines of an item are aligned with its words.
        let hanging = if line.label.is_some() && depth > 0 { "  " } else { "" };
        for text in lines {
            self.push_text(&format!("{indent}{hanging}{text}"));
        }
        self.last = line.ordinal;
        self.mark_valid(&line.text);
    }

    /// Adds the first paragraph of an item that is quoted alone, without its bullet.
    pub(super) fn push_item_head(&mut self, line: &ParagraphPiece) {
        self.push_text(&line.text);
        self.last = line.ordinal;
        self.mark_valid(&line.text);
    }

    /// Adds a table.
    pub(super) fn push_table(&mut self, table: &TablePiece) {
        self.has_table = true;
        self.push_text(&table.head);
        for row in &table.rows {
            self.push_text(&row.text);
        }
        self.last = table.lines.last().map_or(self.last, |line| line.ordinal);
        table.rows.iter().for_each(|row| self.mark_valid(&row.text));
    }

    /// Marks it as valid up to here, unless the last words are struck through.
    fn mark_valid(&mut self, added: &str) {
        if remove_struck_text(added).contains(char::is_alphanumeric) {
            (self.valid_bytes, self.valid_last) = (self.text.len(), self.last);
        }
    }

    /// Whether all of its words are struck through.
    pub(super) fn is_struck(&self) -> bool {
        self.valid_bytes == 0 && remove_struck_text(&self.text) != self.text
    }

    /// Removes the paragraphs at its end that are struck through.
    fn trim_struck_end(&mut self) {
        let end = &self.text[self.valid_bytes..];
        if self.valid_bytes > 0 && remove_struck_text(end) != end {
            self.text.truncate(self.valid_bytes);
            self.last = self.valid_last;
        }
    }

    fn push_text(&mut self, text: &str) {
        if self.is_cut || self.text.len() + text.len() > MAX_BYTES {
            self.is_cut = true;
            return;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(text);
    }

    /// The text, the ordinal of its last paragraph, and whether it is cut.
    pub(super) fn into_text(mut self) -> (String, u32, bool) {
        self.trim_struck_end();
        (self.text, self.last, self.is_cut)
    }
}
