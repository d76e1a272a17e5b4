//! The text in the shapes of a Word 97 file: a story of its own behind the main text.

use std::collections::HashMap;

use super::binary::{WordStreams, read_u32};

/// [MS-DOC] 2.5.6: where the list of texts stands.
const TEXT_BOXES: usize = 0x25A;
/// Bytes of an entry of the list, and where the name of its shape stands in it.
const ENTRY_BYTES: usize = 22;
const SHAPE_NAME: usize = 14;
/// Maximum characters of the text of a shape.
const MAX_TEXT_CHARACTERS: u32 = 4000;

/// Texts by the names of their shapes.
#[derive(Debug, Default)]
pub(super) struct TextBoxes(HashMap<u32, String>);

impl TextBoxes {
    /// [MS-DOC] 2.8.32: the texts of the shapes of the main text.
    pub(super) fn read_boxes(streams: &WordStreams) -> Self {
        let list = streams.table_part(TEXT_BOXES).unwrap_or_default();
        let count = list.len().saturating_sub(4) / (4 + ENTRY_BYTES);
        let story = streams.text_box_story();
        let text = |index: usize| {
            let first = read_u32(list, index * 4)?.checked_add(story.start)?;
            let end = read_u32(list, (index + 1) * 4)?.checked_add(story.start)?.min(story.end);
            let shape = read_u32(list, (count + 1) * 4 + index * ENTRY_BYTES + SHAPE_NAME)?;
            let end = end.min(first.saturating_add(MAX_TEXT_CHARACTERS));
            Some((shape, clean_text(&streams.read_text(first..end))))
        };
        let texts = (0..count).filter_map(text).filter(|(_, text)| !text.trim().is_empty());
        Self(texts.collect())
    }

    /// The text of a shape; none where it has none.
    pub(super) fn find_text(&self, shape: u32) -> Option<String> {
        self.0.get(&shape).cloned()
    }
}

/// Lines without the signs that stand for something else, and without the instructions of fields.
fn clean_text(text: &str) -> String {
    const FIELD_BEGIN: char = '\u{13}';
    const FIELD_RESULT: char = '\u{14}';
    let mut out = String::new();
    let mut in_instruction = false;
    for character in text.chars() {
        match character {
            FIELD_BEGIN => in_instruction = true,
            FIELD_RESULT | '\u{15}' => in_instruction = false,
            _ if in_instruction => {}
            '\r' | '\u{b}' => out.push('\n'),
            '\t' | '\u{7}' => out.push(' '),
            '\u{1e}' => out.push('-'),
            character if character.is_control() => {}
            character => out.push(character),
        }
    }
    out
}
