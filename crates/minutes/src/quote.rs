//! The words of a decision, paragraph by paragraph.

use word::{ParagraphKind, ParagraphPiece, TablePiece};

/// A quote is no longer than this, in bytes.
const MAX_BYTES: usize = 60_000;

/// What follows is named so near to the word, in characters.
const FOLLOWS_WITHIN: usize = 30;

/// A quote in the making.
#[derive(Debug, Default)]
pub(super) struct Quote {
    text: String,
    is_cut: bool,
    has_table: bool,
    /// Ordinal of its last paragraph.
    pub(super) last: u32,
}

impl Quote {
    /// A quote whose first words stand behind the marker.
    pub(super) fn new(first: &str, ordinal: u32) -> Self {
        Self { text: first.to_owned(), last: ordinal, ..Self::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether its last words lead to something: a list, a table, an equation.
    pub(super) fn leads_on(&self) -> bool {
        let text = self.text.trim_end();
        text.ends_with([':', ',', '$', '=']) || text.ends_with("except")
    }

    /// Whether it says that a text for a specification follows.
    pub(super) fn announces_text(&self) -> bool {
        self.announces_any(&["text proposal", "tp ", "tps ", "change"])
    }

    /// Whether it says that a table follows, and none has.
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

    /// Adds a paragraph with the bullet or number that is printed before it; items are indented by their depth.
    pub(super) fn push_paragraph(&mut self, line: &ParagraphPiece) {
        let depth = match line.kind {
            ParagraphKind::Item(depth) => usize::from(depth.clamp(1, 9)),
            _ => 0,
        };
        let indent = "  ".repeat(depth.saturating_sub(1));
        let mut lines = line.text.split('\n');
        let first = lines.next().unwrap_or_default();
        match line.label.as_deref() {
            Some(label) => self.push_text(&format!("{indent}{label} {first}")),
            None => self.push_text(&format!("{indent}{first}")),
        }
        // A line break in an item stays below its words.
        let hanging = if line.label.is_some() && depth > 0 { "  " } else { "" };
        for text in lines {
            self.push_text(&format!("{indent}{hanging}{text}"));
        }
        self.last = line.ordinal;
    }

    /// Adds the first paragraph of an item that is quoted by itself: without its bullet.
    pub(super) fn push_item_head(&mut self, line: &ParagraphPiece) {
        self.push_text(&line.text);
        self.last = line.ordinal;
    }

    /// Adds a table.
    pub(super) fn push_table(&mut self, table: &TablePiece) {
        self.has_table = true;
        self.push_text(&table.head);
        for row in &table.rows {
            self.push_text(&row.text);
        }
        self.last = table.lines.last().map_or(self.last, |line| line.ordinal);
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

    /// The text, and whether it is cut.
    pub(super) fn into_text(self) -> (String, bool) {
        (self.text, self.is_cut)
    }
}
