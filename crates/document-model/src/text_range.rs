//! Ranges of a text.

use serde::{Deserialize, Serialize};

/// A range of bytes in a section's text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextRange {
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
}

/// The text of a passage, which is a range of its section's text after the repeated head of a split table; `None` if a
/// range is not within that text.
pub fn slice_passage(section_text: &str, head: TextRange, body: TextRange) -> Option<String> {
    let (head, body) = (head.of(section_text)?, body.of(section_text)?);
    Some(if head.is_empty() { body.to_owned() } else { format!("{head}\n{body}") })
}

impl TextRange {
    /// The part of a text in this range; `None` if the range is not within the text.
    pub fn of(self, text: &str) -> Option<&str> {
        text.get(self.start as usize..self.end as usize)
    }
}
